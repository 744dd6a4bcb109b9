//! What callers may give a function, from weak to strong: nothing said; then, by how the function uses each pointer ([`usage`](crate::usage)), one object, a text, an array
//! whose length is a number that is given as well or the length of a text, a text with room behind it, a list, and the same for pointers that are members or elements of those; first with
//! null where the function asks for it, then without. Pointers to functions in static storage that it calls through are as they are initialised.

use belay_frontend::{Entry, EntryParam, Types};
use belay_ir::{Function, Program, Target};

use crate::indices::is_contradictory;
use crate::learn::is_integer;
use crate::usage::{Count, Origin, Usage};

/// How many elements are tried where nothing tells.
const ROOMS: [&str; 2] = ["32", "1024"];

/// What an element of a list is called.
pub const NODE: &str = "__BELAY_node";

/// A function that is described.
pub struct Subject<'e> {
    /// Its declaration.
    pub entry: &'e Entry,
    /// The types of the files.
    pub types: &'e Types,
    /// The program that it is part of.
    pub program: &'e Program,
    /// Its code.
    pub function: &'e Function,
    /// How it uses its pointers.
    pub usage: &'e Usage,
}

/// What is tried of what could be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Numbers that are offsets lie in what they are offsets into.
    pub(crate) related: bool,
    /// Null is allowed where the function asks for it.
    nullable: bool,
    /// What varies is a text rather than an array, or the other way round.
    reversed: bool,
    /// Which of the numbers is a length.
    pub(crate) count: usize,
    /// Lengths of 32 bits are those of signed numbers too: what widens others is beyond most invariants.
    small: bool,
}

/// A description: clauses over the parameters.
pub type Description = Vec<String>;

impl Subject<'_> {
    /// The descriptions, each a list of clauses, the weak first.
    pub fn descriptions(&self) -> Vec<Description> {
        let mut all: Vec<Description> = vec![Vec::new()];
        let statics = self.statics();
        let ways = [(false, 0), (true, 0), (false, 1), (true, 1)];
        for (small, (reversed, count)) in [false, true].into_iter().flat_map(|small| ways.map(|way| (small, way))) {
            for (nullable, related) in [(true, false), (true, true), (false, true)] {
                let choice = Choice { related, nullable, reversed, count, small };
                let clauses = self.entry.params.iter().filter_map(|param| self.parameter(param, choice));
                // What is measured has to be there before what is measured by it.
                let (measured, plain): (Description, Description) = clauses.partition(|clause| is_measured(clause));
                let clauses: Description = plain.into_iter().chain(measured).chain(statics.iter().cloned()).collect();
                if !all.contains(&clauses) && !is_contradictory(&clauses) {
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
        if uses.is_called && uses.is_told_apart {
            return None;
        }
        if uses.is_called {
            let said = format!("__BELAY_is_function({place})");
            return Some(if uses.is_null_tested { format!("{place} == 0 || {said}") } else { said });
        }
        let target = self.types.pointee(ty).filter(|target| !target.contains("FILE"))?;
        if !(uses.is_accessed || uses.is_freed) || uses.is_negative && !uses.varies {
            return None;
        }
        if let Some((link, offset)) = self.link(node, &target) {
            let members = self.members(node, NODE, &target, (choice, Some(offset)));
            let told = if members.is_empty() { String::new() } else { format!(", {}", members.join(" && ")) };
            return Some(format!("__BELAY_is_list({place}, {link}{told})"));
        }
        let mut parts = vec![self.block(node, place, &target, choice)?];
        if !uses.varies {
            parts.extend(self.members(node, place, &target, (choice, None)));
            parts.extend(choice.related.then(|| self.divisors(node)).into_iter().flatten());
        }
        let said = parts.join(" && ");
        let is_nullable = choice.nullable && (uses.is_null_tested || uses.is_freed && !uses.is_accessed);
        Some(if is_nullable { format!("{place} == 0 || ({said})") } else { said })
    }

    /// What the pointers lead to that stand in an object of a type.
    fn members(&self, node: usize, place: &str, target: &str, (choice, link): (Choice, Option<u64>)) -> Vec<String> {
        let loaded = self.usage.loaded(node).filter(|(offset, _)| Some(*offset) != link);
        if let Some(record) = self.types.record(target) {
            let described = loaded.filter_map(|(offset, loaded)| {
                let is_called = self.usage.nodes[loaded].is_called;
                let is_meant = |ty: &str| is_called && !ty.starts_with("struct") || self.types.pointee(ty).is_some();
                let field = record.fields.iter().find(|field| field.offset == offset && is_meant(&field.ty))?;
                self.describe(loaded, &format!("{}->{}", bracketed_place(place), field.path), &field.ty, choice)
            });
            return described.map(bracketed).collect();
        }
        let own = loaded.into_iter().find(|(offset, _)| *offset == 0 && self.types.pointee(target).is_some());
        let described = own.and_then(|(_, loaded)| self.describe(loaded, &format!("*{place}"), target, choice));
        described.map(bracketed).into_iter().collect()
    }

    /// What an array's elements lead to, or which places they stand for, as a condition on each.
    fn elements(&self, node: usize, place: &str, target: &str, (count, choice): (&Size, Choice)) -> Option<String> {
        let is_free = |name: &&&str| {
            self.entry.params.iter().all(|param| param.name != **name) && !place.contains(&format!("[{name}]"))
        };
        let index = ["k", "j", "i", "m", "at"].iter().find(is_free)?;
        // Elements are there; whether what they lead to has empty members is tried.
        let element_place = format!("{}[{index}]", bracketed_place(place));
        let (before, said) = match self.usage.element(node) {
            Some(element) => (String::new(), self.describe(element, &element_place, target, choice)?),
            None => self.index_of_another(node, &element_place, target, choice)?,
        };
        let said = said.strip_prefix(&format!("{element_place} == 0 || ")).unwrap_or(&said);
        Some(format!(
            "{before}__CPROVER_forall {{ unsigned long {index}; {index} < (unsigned long){} ==> {said} }}",
            count.factor()
        ))
    }

    /// The member by which what a pointer leads to is a list, and where it stands: it is followed twice.
    fn link(&self, node: usize, target: &str) -> Option<(&str, u64)> {
        let record = self.types.record(target)?;
        let is_followed = |offset: u64, next: usize| {
            self.usage.loaded(next).any(|(again, last)| again == offset && last != next)
                && self.usage.nodes[next].is_accessed
        };
        let links = self.usage.loaded(node).filter(|(offset, next)| is_followed(*offset, *next));
        links.into_iter().find_map(|(offset, _)| {
            let leads_back = |ty: &str| self.types.pointee(ty).is_some_and(|found| found == target);
            let field = record.fields.iter().find(|field| field.offset == offset && leads_back(&field.ty))?;
            (!field.path.contains('.')).then_some((field.path.as_str(), offset))
        })
    }

    fn block(&self, node: usize, place: &str, target: &str, choice: Choice) -> Option<String> {
        let uses = &self.usage.nodes[node];
        let size = self.types.size(target);
        let is_text = is_character(target) || is_wide(target) && uses.is_zero_tested;
        let counts = self.counts(node, place, choice);
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
            // A text that something is written behind.
            (false, Some(count)) if prefers_text && is_character(target) && uses.is_written => {
                Some(format!("__BELAY_has_room({place}, {})", count.text))
            }
            (_, Some(count)) => {
                let elements = self.elements(node, place, target, (count, choice));
                let array = array_of(place, (count, choice), size.unwrap_or(1), elements);
                let related = choice.related.then(|| self.related(node, count)).flatten();
                Some([Some(array), related].into_iter().flatten().collect::<Vec<_>>().join(" && "))
            }
            (_, None) => Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))")),
        }
    }

    /// Numbers that may be lengths, the likeliest first.
    pub(crate) fn counts(&self, node: usize, place: &str, choice: Choice) -> Vec<Size> {
        let mut found: Vec<((usize, usize), Size)> = Vec::new();
        let own = self.entry.params.iter().position(|param| param.name == place);
        for count in self.usage.counts.iter().chain(self.limits(node)) {
            let rank = self.rank(node, count);
            match count {
                Count::Param(index) => {
                    let name = &self.function.params[*index as usize].name;
                    let Some(at) = self.entry.params.iter().position(|param| param.name == *name) else { continue };
                    let ty = self.types.plain(&self.entry.params[at].ty);
                    if is_length(&ty) && own.is_some() {
                        let size = Size::new(name.clone(), &ty).at_most(self.usage.counters.get(count));
                        found.push(((rank, distance(own, at)), size));
                    }
                }
                Count::Member(from, offset) => {
                    let member = self.member_count(node, place, (*from, *offset));
                    let found_here = member.or_else(|| self.pointed_count(own, (*from, *offset)));
                    let most = self.usage.counters.get(count);
                    found.extend(found_here.map(|(at, size)| ((rank, at), size.at_most(most))));
                }
            }
        }
        found.extend(self.unused_lengths(node, place).into_iter().map(|(at, size)| ((1, at), size)));
        found.extend(self.all_of_type(node).map(|size| ((0, 0), size)));
        found.sort();
        found.dedup();
        let mut all: Vec<Size> = found.into_iter().map(|(_, size)| size).collect();
        all.extend(own.map(|_| self.lengths(node, place, choice)).into_iter().flatten());
        // What is written and of which no number tells how much: some room.
        if all.is_empty() && own.is_some() && self.usage.nodes[node].is_written {
            all.extend(ROOMS.map(|room| Size::new(room.to_owned(), "unsigned long")));
        }
        all
    }

    /// The lengths of texts that are given as well, for what is written.
    fn lengths(&self, node: usize, place: &str, choice: Choice) -> Vec<Size> {
        let uses = &self.usage.nodes[node];
        let is_measured = |param: &&EntryParam| {
            let target = self.types.pointee(&param.ty);
            let node = self.node(param).map(|node| &self.usage.nodes[node]);
            let is_text = node.is_some_and(|node| node.is_zero_tested && node.varies && !node.is_written);
            let is_null = node.is_some_and(|node| node.is_null_tested && choice.nullable);
            param.name != place && is_text && !is_null && target.is_some_and(|target| is_character(&target))
        };
        let texts = self.entry.params.iter().filter(is_measured).filter(|_| uses.is_written);
        let more = if uses.is_zero_tested { "" } else { " + 1" };
        texts.map(|param| Size::new(format!("__builtin_strlen({}){more}", param.name), "unsigned long")).collect()
    }

    /// A number that a parameter points to.
    fn pointed_count(&self, own: Option<usize>, (from, offset): (usize, u64)) -> Option<(usize, Size)> {
        let Origin::Param(index) = self.usage.nodes[from].origin else { return None };
        let name = &self.function.params[index as usize].name;
        let at = self.entry.params.iter().position(|param| param.name == *name)?;
        let ty = self.types.pointee(&self.entry.params[at].ty).map(|ty| self.types.plain(&ty))?;
        let is_meant =
            own.is_some_and(|own| own != at) && offset == 0 && is_length(&ty) && !self.usage.nodes[from].varies;
        is_meant.then(|| (distance(own, at) + 1, Size::new(format!("*{name}"), &ty)))
    }

    /// A number that stands in the structure that the pointer itself was loaded from.
    fn member_count(&self, node: usize, place: &str, (from, offset): (usize, u64)) -> Option<(usize, Size)> {
        let (holder, _) = place.rsplit_once("->")?;
        let Origin::Loaded(loaded_from, _) = self.usage.nodes[node].origin else { return None };
        let ty = self.target(from)?;
        let record = self.types.record(&ty).filter(|_| loaded_from == from)?;
        let field =
            record.fields.iter().find(|field| field.offset == offset && is_length(&self.types.plain(&field.ty)))?;
        let ty = self.types.plain(&field.ty);
        Some((offset as usize, Size::new(format!("{holder}->{}", field.path), &ty)))
    }

    /// The type of what a pointer leads to.
    pub(crate) fn target(&self, node: usize) -> Option<String> {
        let ty = match self.usage.nodes[node].origin {
            Origin::Param(index) => {
                let name = &self.function.params[index as usize].name;
                self.entry.params.iter().find(|param| param.name == *name)?.ty.clone()
            }
            Origin::Global(_) | Origin::Local(_) => return None,
            Origin::Element(from) => self.target(from)?,
            Origin::Loaded(from, offset) => {
                let holder = self.target(from)?;
                let is_meant = |ty: &str| self.types.pointee(ty).is_some();
                match self.types.record(&holder) {
                    Some(record) => {
                        let mut fields = record.fields.iter();
                        fields.find(|field| field.offset == offset && is_meant(&field.ty))?.ty.clone()
                    }
                    None => holder,
                }
            }
        };
        self.types.pointee(&ty)
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

/// How many elements there are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Size {
    /// As C writes it.
    pub(crate) text: String,
    /// Whether it may be negative.
    pub(crate) is_signed: bool,
    /// Whether it has 32 bits and no sign.
    is_narrow: bool,
    /// What a counter comes to that is compared with it: where there are more, the loop has no end.
    most: Option<u64>,
}

impl Size {
    pub(crate) fn new(text: String, ty: &str) -> Size {
        let is_signed = !ty.contains("unsigned");
        let is_narrow = !is_signed && !ty.contains("long") && !ty.contains("short");
        Size { text, is_signed, is_narrow, most: None }
    }

    fn at_most(self, most: Option<&u64>) -> Size {
        Size { most: most.copied(), ..self }
    }

    /// As a part of a product.
    pub(crate) fn factor(&self) -> String {
        if self.text.contains(' ') { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// A condition under which so many elements are less than half of all addresses, and whatever counts them comes to its end; with ` && ` behind it.
pub(crate) fn fits(place: &str, (count, choice): (&Size, Choice), size: u64) -> String {
    let number = count.factor();
    match size {
        _ if count.text.contains("strlen") || count.text.parse::<u64>().is_ok() => String::new(),
        _ if let Some(most) = count.most => format!("{number} <= {most} && "),
        _ if count.is_narrow && choice.small => format!("{number} <= 2147483647 && "),
        1 => format!("(unsigned long long){number} <= (~0ul >> 1) && "),
        _ => format!("(unsigned long long){number} <= (~0ul >> 1) / sizeof(*{place}) && "),
    }
}

fn array_of(place: &str, (count, choice): (&Size, Choice), size: u64, elements: Option<String>) -> String {
    let number = count.factor();
    let fits = fits(place, (count, choice), size);
    let block = match size {
        1 => format!("__CPROVER_is_fresh({place}, {})", count.text),
        _ => format!("__CPROVER_is_fresh({place}, {number} * sizeof(*{place}))"),
    };
    let elements = elements.map(|each| format!(" && {each}")).unwrap_or_default();
    if count.is_signed {
        format!("({number} <= 0 || ({fits}{block}{elements}))")
    } else {
        format!("{fits}{block}{elements}")
    }
}

/// True for a clause about a number or a length that has to be described before.
fn is_measured(clause: &str) -> bool {
    clause.contains("_strlen(") || clause.contains("(unsigned long long)*")
}

pub(crate) fn is_length(ty: &str) -> bool {
    is_integer(ty) && !is_character(ty)
}

/// How far a parameter is from the one whose length it may be: what comes behind is likelier.
fn distance(own: Option<usize>, at: usize) -> usize {
    own.map_or(at, |own| if at > own { at - own } else { 8 + own - at })
}

/// A place whose members or elements can be named.
fn bracketed_place(place: &str) -> String {
    if place.starts_with('*') { format!("({place})") } else { place.to_owned() }
}
