//! What callers may give a function, from weak to strong: nothing said; then, by how the function uses each pointer ([`usage`](crate::usage)), one object, a text, an array
//! whose length is a number that is given as well or the length of a text, a text with room behind it, a list, and the same for pointers that are members or elements of those; first with
//! null where the function asks for it, then without. Pointers to functions in static storage that it calls through are as they are initialised.

use belay_frontend::{Entry, EntryParam, Types};
use belay_ir::{Function, Program, Target};

use crate::headers::Kin;
use crate::indices::is_contradictory;
use crate::learn::is_integer;
use crate::sizes::{Size, bytes_of};
use crate::usage::{Origin, Usage};

/// How deep null is allowed, how numbers are related to lengths, and which members may lead back: from weak to strong, but those that are needed more often first. (Where more
/// members lead back is tried last: what is proved with them is proved without, and made weaker then.)
const WAYS: [(usize, Related, Back); 10] = [
    (ANYWHERE, Related::No, Back::Inner),
    (ANYWHERE, Related::No, Back::No),
    (ANYWHERE, Related::Loosely, Back::Inner),
    (ANYWHERE, Related::Strictly, Back::Inner),
    (ANYWHERE, Related::Inside, Back::Inner),
    (0, Related::Strictly, Back::No),
    (2, Related::Strictly, Back::Inner),
    (1, Related::Strictly, Back::Inner),
    (ANYWHERE, Related::No, Back::All),
    (ANYWHERE, Related::Strictly, Back::All),
];

/// Null is allowed wherever the function asks for it.
const ANYWHERE: usize = usize::MAX;

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
    /// What stands before pointers of a type, by all functions.
    pub kin: &'e Kin,
}

/// How numbers that are offsets lie in what they are offsets into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Related {
    /// Nothing is said.
    No,
    /// At its end at most.
    Loosely,
    /// Before its end, unless they are compared with it.
    Strictly,
    /// Before its end.
    Inside,
}

/// Texts or arrays, where it may be either.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shapes {
    /// What the uses look like.
    AsUsed,
    /// The same, but texts that are written have room behind them.
    WithRoom,
    /// The other one.
    Reversed,
}

/// What is tried of what could be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice {
    /// How numbers that are offsets lie in what they are offsets into.
    pub(crate) related: Related,
    /// Null is allowed where the function asks for it, for pointers that so many others do not lead to: parameters, what they lead to, and so on.
    pub(crate) nullable: usize,
    /// Whether what varies is a text or an array.
    pub(crate) shapes: Shapes,
    /// Which of the numbers is a length.
    pub(crate) count: usize,
    /// Lengths of 32 bits are those of signed numbers too: what widens others is beyond most invariants.
    pub(crate) small: bool,
    /// Which members may lead back to what they are members of.
    back: Back,
}

/// Members of the type that they are members of: in a ring of one they lead back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    /// Those of objects that members lead to.
    Inner,
    /// All.
    All,
    /// None.
    No,
}

/// A description: clauses over the parameters.
pub type Description = Vec<String>;

impl Subject<'_> {
    /// The descriptions, each a list of clauses, the weak first.
    pub fn descriptions(&self) -> Vec<Description> {
        let mut all: Vec<Description> = vec![Vec::new()];
        let statics = self.statics();
        let ways = [
            (Shapes::AsUsed, 0),
            (Shapes::WithRoom, 0),
            (Shapes::Reversed, 0),
            (Shapes::AsUsed, 1),
            (Shapes::Reversed, 1),
            (Shapes::AsUsed, 2),
        ];
        for (small, (shapes, count)) in [false, true].into_iter().flat_map(|small| ways.map(|way| (small, way))) {
            for (nullable, related, back) in WAYS {
                let choice = Choice { related, nullable, shapes, count, small, back };
                let clauses =
                    self.entry.params.iter().filter_map(|param| Some((param, self.parameter(param, choice)?)));
                let clauses = ordered(clauses.collect());
                let clauses: Description = clauses.into_iter().chain(statics.iter().cloned()).collect();
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

    pub(crate) fn node(&self, param: &EntryParam) -> Option<usize> {
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
        if !(uses.is_accessed || uses.is_freed) {
            return None;
        }
        let or_null = |said: String| self.or_null((node, place, &target), choice, said);
        if uses.is_negative
            && let Some(said) = self.header(node, place, (ty, &target), choice)
        {
            return Some(or_null(said));
        }
        if uses.is_negative && !uses.varies {
            return None;
        }
        if let Some((link, offset)) = self.link(node, &target) {
            let members = self.members(node, NODE, &target, (choice, Some(offset)));
            let told = if members.is_empty() { String::new() } else { format!(", {}", members.join(" && ")) };
            return Some(format!("__BELAY_is_list({place}, {link}{told})"));
        }
        let mut parts = vec![self.block(node, place, &target, choice)?];
        if !uses.varies || self.stays_inside(node, &target) {
            parts.extend(self.members(node, place, &target, (choice, None)));
            if choice.related != Related::No {
                parts.extend(self.divisors(node));
                parts.extend(self.within_members(node, &target, choice.related));
            }
        }
        Some(or_null(parts.join(" && ")))
    }

    /// What the pointers lead to that stand in an object of a type.
    fn members(&self, node: usize, place: &str, target: &str, (choice, link): (Choice, Option<u64>)) -> Vec<String> {
        let loaded = self.usage.loaded(node).filter(|(offset, _)| Some(*offset) != link);
        if let Some(record) = self.types.record(target) {
            let described = loaded.filter_map(|(offset, loaded)| {
                let is_called = self.usage.nodes[loaded].is_called;
                let is_meant = |ty: &str| match is_called {
                    true => self.types.plain(ty).contains('('),
                    false => self.types.pointee(ty).is_some(),
                };
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
            let again = self.usage.loaded(next).any(|(again, last)| again == offset && last != next);
            (again || self.usage.is_last(next)) && self.usage.nodes[next].is_accessed
        };
        let links = self.usage.loaded(node).filter(|(offset, next)| is_followed(*offset, *next));
        links.into_iter().find_map(|(offset, _)| {
            let leads_back = |ty: &str| self.types.pointee(ty).is_some_and(|found| found == target);
            let field = record.fields.iter().find(|field| field.offset == offset && leads_back(&field.ty))?;
            (!field.path.contains('.')).then_some((field.path.as_str(), offset))
        })
    }

    /// What a pointer leads to, unless it is null or leads back.
    fn or_null(&self, (node, place, target): (usize, &str, &str), choice: Choice, said: String) -> String {
        let uses = &self.usage.nodes[node];
        let is_allowed = self.usage.depth(node) < choice.nullable;
        let null = match self.no_room(node, place, choice) {
            Some(empty) if is_allowed && (uses.is_null_tested || uses.is_freed) => {
                Some(format!("({place} == 0 && {empty})"))
            }
            Some(_) | None if is_allowed && (uses.is_null_tested || uses.is_freed && !uses.is_accessed) => {
                Some(format!("{place} == 0"))
            }
            Some(_) | None => None,
        };
        let back = self.leads_back(node, place, target, choice.back).map(|holder| format!("{place} == {holder}"));
        let sides: Vec<String> = [null, back].into_iter().flatten().collect();
        if sides.is_empty() { said } else { format!("{} || ({said})", sides.join(" || ")) }
    }

    /// That there is room for nothing where a member is null that leads to an array whose length is a member as well.
    fn no_room(&self, node: usize, place: &str, choice: Choice) -> Option<String> {
        if !self.usage.nodes[node].varies || choice.related == Related::No || !place.contains("->") {
            return None;
        }
        let counts = self.counts(node, place, choice);
        let count = counts.get(choice.count.min(counts.len().saturating_sub(1)))?;
        if !count.is_plain() || !count.text.contains("->") {
            return None;
        }
        let related = self.related(node, count, Related::Loosely).map(|said| format!(" && {said}"));
        Some(format!("{} == 0{}", count.text, related.unwrap_or_default()))
    }

    /// The object that a pointer may lead back to: the one that it is a member of, if it is of the same type.
    fn leads_back<'p>(&self, node: usize, place: &'p str, target: &str, back: Back) -> Option<&'p str> {
        let Origin::Loaded(from, _) = self.usage.nodes[node].origin else { return None };
        let is_inner = matches!(self.usage.nodes[from].origin, Origin::Loaded(..));
        let is_meant = back == Back::All || back == Back::Inner && is_inner;
        let (holder, member) = place.rsplit_once("->").filter(|_| is_meant && self.types.record(target).is_some())?;
        let is_plain = !member.contains(['.', '[']) && !holder.contains(['[', '*']) && !holder.starts_with(NODE);
        (is_plain && self.target(from).is_some_and(|held| held == target)).then_some(holder)
    }

    fn block(&self, node: usize, place: &str, target: &str, choice: Choice) -> Option<String> {
        let uses = &self.usage.nodes[node];
        let size = bytes_of(self.types, target);
        let is_text = is_character(target) || is_wide(target) && uses.is_zero_tested;
        let counts = self.counts(node, place, choice);
        let count = counts.get(choice.count.min(counts.len().saturating_sub(1)));
        if uses.varies && self.stays_inside(node, target) {
            return Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))"));
        }
        if !uses.varies {
            return match size {
                Some(size) if uses.end <= size => Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))")),
                Some(_) | None if is_character(target) && uses.is_zero_tested => Some(text_of(place, target)),
                Some(_) | None if uses.end > 0 => Some(format!("__CPROVER_is_fresh({place}, {})", uses.end)),
                // What is only handed on to be freed may have any size.
                Some(_) | None if uses.is_freed => Some(format!("__CPROVER_is_fresh({place}, 1)")),
                Some(_) | None => None,
            };
        }
        // A text that has a length as well may be an array.
        let is_limited = self.limits(node).next().is_some();
        let may_be_either = is_text && uses.is_zero_tested && count.is_some();
        let prefers_text = is_text && (count.is_none() || uses.is_zero_tested && !is_limited);
        let has_room = choice.shapes == Shapes::WithRoom && prefers_text && uses.is_zero_tested && uses.is_written;
        match (prefers_text != (choice.shapes == Shapes::Reversed && may_be_either), count) {
            // A text that something is written behind.
            (true, Some(count)) if has_room && is_character(target) => {
                Some(format!("__BELAY_has_room({place}, {})", count.text))
            }
            (true, _) | (false, None) if is_text => Some(text_of(place, target)),
            (_, Some(count)) => {
                let elements = self.elements(node, place, target, (count, choice));
                let array = count.array(place, choice, size.unwrap_or(1), elements);
                let related = self.related(node, count, choice.related);
                Some([Some(array), related].into_iter().flatten().collect::<Vec<_>>().join(" && "))
            }
            (_, None) => Some(format!("__CPROVER_is_fresh({place}, sizeof(*{place}))")),
        }
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

pub(crate) fn is_character(target: &str) -> bool {
    matches!(target, "char" | "unsigned char" | "signed char")
}

/// True for numbers that an array may end in a 0 of.
pub(crate) fn is_wide(target: &str) -> bool {
    is_integer(target) && !is_character(target)
}

fn text_of(place: &str, target: &str) -> String {
    if is_character(target) {
        format!("__CPROVER_is_cstring({place})")
    } else {
        format!("__BELAY_is_terminated({place})")
    }
}

pub(crate) fn is_length(ty: &str) -> bool {
    is_integer(ty) && !is_character(ty)
}

/// Clauses about parameters, each behind those that say what it speaks of.
fn ordered(mut clauses: Vec<(&EntryParam, String)>) -> Description {
    let mut all = Description::new();
    while !clauses.is_empty() {
        let speaks_of = |clause: &str, name: &str| {
            let places = [format!("*{name}"), format!("{name}->"), format!("_strlen({name})")];
            places.iter().any(|place| {
                let found = clause.match_indices(place.as_str());
                found.into_iter().any(|(at, _)| {
                    let before = clause[..at].chars().next_back().unwrap_or(' ');
                    let behind = clause[at + place.len()..].chars().next().unwrap_or(' ');
                    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
                    !(is_word(before) && place.starts_with(name) || is_word(behind) && place.starts_with('*'))
                })
            })
        };
        let is_ready = |index: &usize| {
            let (own, clause) = &clauses[*index];
            clauses.iter().all(|(other, _)| other.name == own.name || !speaks_of(clause, &other.name))
        };
        let next = (0..clauses.len()).find(is_ready).unwrap_or(0);
        all.push(clauses.remove(next).1);
    }
    all
}

/// A place whose members or elements can be named.
fn bracketed_place(place: &str) -> String {
    if place.starts_with('*') { format!("({place})") } else { place.to_owned() }
}
