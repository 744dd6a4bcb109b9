//! What callers may give a function, from weak to strong: nothing said; then, by how the function uses each pointer ([`usage`](super::usage)), one object, a text, an array
//! whose length is a number that is given as well, a list, and the same for pointers that are members of those; first with null where the function asks for
//! it, then without. Pointers to functions in static storage that it calls through are as they are initialised.

use belay_frontend::{Entry, EntryParam, Types};
use belay_ir::{Function, Program, Target};

use super::learn::is_integer;
use super::usage::{Count, Origin, Usage};

/// A function that is described.
pub struct Subject<'e> {
    pub entry: &'e Entry,
    pub types: &'e Types,
    pub program: &'e Program,
    pub function: &'e Function,
    pub usage: &'e Usage,
}

/// What is tried of what could be.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Choice {
    /// Null is allowed where the function asks for it.
    nullable: bool,
    /// What varies is a text rather than an array, or the other way round.
    reversed: bool,
    /// Which of the numbers is a length.
    count: usize,
}

/// A description: clauses over the parameters.
pub type Description = Vec<String>;

impl Subject<'_> {
    /// The descriptions, each a list of clauses, the weak first.
    pub fn descriptions(&self) -> Vec<Description> {
        let mut all: Vec<Description> = vec![Vec::new()];
        let statics = self.statics();
        for (reversed, count) in [(false, 0), (true, 0), (false, 1), (true, 1)] {
            for nullable in [true, false] {
                let choice = Choice { nullable, reversed, count };
                let clauses = self.entry.params.iter().filter_map(|param| self.parameter(param, choice));
                let clauses: Description = clauses.chain(statics.iter().cloned()).collect();
                if !all.contains(&clauses) {
                    all.push(clauses);
                }
            }
        }
        all
    }

    /// True if some access goes through a parameter that is not compared with null: nothing can be proved with nothing said.
    pub fn needs_objects(&self) -> bool {
        let nodes = self.entry.params.iter().filter_map(|param| self.node(param));
        nodes.map(|node| &self.usage.nodes[node]).any(|node| node.is_accessed)
    }

    fn node(&self, param: &EntryParam) -> Option<usize> {
        let index = self.function.params.iter().position(|own| own.name == param.name && !own.name.is_empty())?;
        self.usage.of_param(index as u32)
    }

    fn parameter(&self, param: &EntryParam, choice: Choice) -> Option<String> {
        self.describe(self.node(param)?, &param.name, &param.ty, choice)
    }

    /// What a pointer leads to, as a condition; none if nothing need be said.
    fn describe(&self, node: usize, place: &str, ty: &str, choice: Choice) -> Option<String> {
        let uses = &self.usage.nodes[node];
        let target = self.types.pointee(ty).filter(|target| !target.contains("FILE"))?;
        if uses.is_called || !(uses.is_accessed || uses.is_freed) || uses.is_negative {
            return None;
        }
        if let Some(link) = self.link(node, &target) {
            return Some(format!("__BELAY_is_list({place}, {link})"));
        }
        let mut parts = vec![self.block(node, place, &target, choice)?];
        if let Some(record) = self.types.record(&target).filter(|_| !uses.varies) {
            for (offset, loaded) in self.usage.loaded(node) {
                let is_meant = |ty: &str| self.types.pointee(ty).is_some();
                let field = record.fields.iter().find(|field| field.offset == offset && is_meant(&field.ty));
                let described = field.and_then(|field| {
                    let place = format!("{place}->{}", field.path);
                    self.describe(loaded, &place, &field.ty, choice)
                });
                parts.extend(described.map(bracketed));
            }
        }
        let said = parts.join(" && ");
        let is_nullable = choice.nullable && (uses.is_null_tested || uses.is_freed && !uses.is_accessed);
        Some(if is_nullable { format!("{place} == 0 || ({said})") } else { said })
    }

    /// The member by which what a pointer leads to is a list: it is followed twice.
    fn link(&self, node: usize, target: &str) -> Option<&str> {
        let record = self.types.record(target)?;
        let is_followed = |offset: u64, next: usize| {
            self.usage.loaded(next).any(|(again, last)| again == offset && last != next)
                && self.usage.nodes[next].is_accessed
        };
        let links = self.usage.loaded(node).filter(|(offset, next)| is_followed(*offset, *next));
        links.into_iter().find_map(|(offset, _)| {
            let leads_back = |ty: &str| self.types.pointee(ty).is_some_and(|found| found == target);
            let field = record.fields.iter().find(|field| field.offset == offset && leads_back(&field.ty))?;
            (!field.path.contains('.')).then_some(field.path.as_str())
        })
    }

    fn block(&self, node: usize, place: &str, target: &str, choice: Choice) -> Option<String> {
        let uses = &self.usage.nodes[node];
        let size = self.types.size(target);
        let is_text = is_character(target) || is_wide(target) && uses.is_zero_tested;
        let counts = self.counts(node, place);
        let count = counts.get(choice.count.min(counts.len().saturating_sub(1)));
        if !uses.varies {
            return match size {
                Some(size) if uses.end <= size => Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))")),
                Some(_) | None if is_character(target) && uses.is_zero_tested => Some(text_of(place, target)),
                Some(_) | None if uses.end > 0 => Some(format!("__CPROVER_is_fresh({place}, {})", uses.end)),
                Some(_) | None => None,
            };
        }
        let prefers_text = is_text && (uses.is_zero_tested || count.is_none());
        match (prefers_text != choice.reversed && is_text, count) {
            (true, _) | (false, None) if is_text => Some(text_of(place, target)),
            (_, Some(count)) => Some(array_of(place, count, size.unwrap_or(1))),
            (_, None) => Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))")),
        }
    }

    /// Numbers that may be lengths, the likeliest first: how C writes them, and whether they may be negative.
    fn counts(&self, node: usize, place: &str) -> Vec<(String, bool)> {
        let mut found: Vec<(usize, String, bool)> = Vec::new();
        let own = self.entry.params.iter().position(|param| param.name == place);
        for count in &self.usage.counts {
            match count {
                Count::Param(index) => {
                    let name = &self.function.params[*index as usize].name;
                    let Some(at) = self.entry.params.iter().position(|param| param.name == *name) else { continue };
                    let ty = self.types.plain(&self.entry.params[at].ty);
                    let distance = own.map_or(at, |own| if at > own { at - own } else { 8 + own - at });
                    if is_integer(&ty) && !is_character(&ty) && own.is_some() {
                        found.push((distance, name.clone(), !ty.contains("unsigned")));
                    }
                }
                Count::Member(from, offset) => found.extend(self.member_count(node, place, (*from, *offset))),
            }
        }
        found.sort();
        found.into_iter().map(|(_, name, signed)| (name, signed)).collect()
    }

    /// A number that stands in the structure that the pointer itself was loaded from.
    fn member_count(&self, node: usize, place: &str, (from, offset): (usize, u64)) -> Option<(usize, String, bool)> {
        let (holder, _) = place.rsplit_once("->")?;
        let Origin::Loaded(loaded_from, _) = self.usage.nodes[node].origin else { return None };
        let ty = self.holder_type(holder)?;
        let record = self.types.record(&ty).filter(|_| loaded_from == from)?;
        let is_meant = |ty: &str| is_integer(ty) && !is_character(ty);
        let field =
            record.fields.iter().find(|field| field.offset == offset && is_meant(&self.types.plain(&field.ty)))?;
        let signed = !self.types.plain(&field.ty).contains("unsigned");
        Some((offset as usize, format!("{holder}->{}", field.path), signed))
    }

    /// What a chain of members leads to.
    fn holder_type(&self, place: &str) -> Option<String> {
        let mut parts = place.split("->");
        let first = parts.next()?;
        let param = self.entry.params.iter().find(|param| param.name == first)?;
        let mut target = self.types.pointee(&param.ty)?;
        for part in parts {
            let field = self.types.record(&target)?.fields.iter().find(|field| field.path == part)?;
            target = self.types.pointee(&field.ty)?;
        }
        Some(target)
    }

    /// Pointers to functions that are called through: each is what it was initialised with.
    fn statics(&self) -> Vec<String> {
        let mut clauses = Vec::new();
        for (global, at) in &self.usage.called_through {
            let global = &self.program.globals[*global];
            let Some(init) = &global.init else { continue };
            let relocation = init.relocations.iter().find(|relocation| relocation.offset == *at);
            let value = match relocation.map(|relocation| relocation.target) {
                Some(Target::Func(function)) => self.program.functions[function].name.as_str(),
                Some(Target::Global(_)) => continue,
                None => "0",
            };
            let Some(ty) = self.types.variable(&global.name) else { continue };
            let member = self.types.record(ty).and_then(|record| {
                record.fields.iter().find(|field| field.offset == *at && !field.ty.starts_with("struct"))
            });
            let place = match (member, *at) {
                (Some(field), _) => format!("{}.{}", global.name, field.path),
                (None, 0) => global.name.clone(),
                (None, _) => continue,
            };
            clauses.push(format!("{place} == {value}"));
        }
        clauses
    }
}

fn bracketed(text: String) -> String {
    if text.contains("||") { format!("({text})") } else { text }
}

fn is_character(target: &str) -> bool {
    matches!(target, "char" | "unsigned char" | "signed char")
}

/// True for numbers that an array may end in a 0 of.
fn is_wide(target: &str) -> bool {
    is_integer(target) && !is_character(target)
}

fn text_of(place: &str, target: &str) -> String {
    if is_character(target) {
        format!("__CPROVER_is_cstring({place})")
    } else {
        format!("__BELAY_is_terminated({place})")
    }
}

fn array_of(place: &str, (count, signed): &(String, bool), size: u64) -> String {
    let block = match size {
        1 => format!("__CPROVER_is_fresh({place}, {count})"),
        _ => format!("__CPROVER_is_fresh({place}, {count} * sizeof(*{place}))"),
    };
    let fits = match size {
        1 => format!("(unsigned long long){count} <= (~0ul >> 1)"),
        _ => format!("(unsigned long long){count} <= (~0ul >> 1) / sizeof(*{place})"),
    };
    if *signed { format!("({count} <= 0 || ({fits} && {block}))") } else { format!("{fits} && {block}") }
}
