//! Pointers that lead behind a header: what stands before them says how much follows. Where a tag tells which header it is, each of its values has a side of its own.

use std::collections::{BTreeMap, BTreeSet};

use belay_frontend::Interface;
use belay_ir::Program;

use crate::descriptions::{Choice, Related, Shapes, Subject, is_character};
use crate::usage::{Before, Headers, Tag, Usages};

/// What functions of a library access before pointers of a type that has a name of its own. One of them alone may only see a part.
pub type Kin = BTreeMap<String, Headers>;

/// Sides of a description, at most: the kinds of a header.
const MOST_SIDES: usize = 8;

/// What all functions that other files can call access before the pointers that they are given.
pub fn kin(program: &Program, interface: &Interface, usages: &mut Usages<'_>) -> Kin {
    let mut all = Kin::new();
    for entry in &interface.entries {
        let Some(id) = program.function_named(&entry.name) else { continue };
        let usage = usages.of(id);
        for (index, own) in program.functions[id].params.iter().enumerate() {
            let Some(param) = entry.params.iter().find(|param| param.name == own.name) else { continue };
            let found = usage.of_param(index as u32).and_then(|node| usage.headers.get(&node));
            if let (Some(found), Some(name)) = (found, own_name(&param.ty)) {
                all.entry(name).or_default().extend(found);
            }
        }
    }
    all
}

/// The name of a type that is no plain pointer to characters or to anything.
fn own_name(ty: &str) -> Option<String> {
    let words: Vec<&str> = ty.split_whitespace().filter(|word| *word != "const").collect();
    let name = words.join(" ");
    (!["char *", "unsigned char *", "signed char *", "void *"].contains(&name.as_str())).then_some(name)
}

/// A number in a header.
type Number = (i64, u64, u32);

impl Subject<'_> {
    /// The block that a pointer leads into behind a header, if something before it is accessed.
    pub(crate) fn header(
        &self,
        node: usize,
        place: &str,
        (ty, target): (&str, &str),
        choice: Choice,
    ) -> Option<String> {
        let own = self.usage.headers.get(&node).into_iter().flatten();
        let kin = own_name(ty).and_then(|name| self.kin.get(&name)).into_iter().flatten();
        let all: Headers = own.chain(kin).copied().collect();
        // A pointer that walks back may also be one byte before where it began in none of the runs.
        let is_plain = all.iter().all(|before| before.size == 1 && before.case.is_none());
        if is_plain && self.usage.nodes[node].varies && choice.shapes != Shapes::Reversed {
            return None;
        }
        let tags: BTreeSet<Tag> = all.iter().filter_map(|before| Some(before.case?.0)).collect();
        let always: Vec<Before> = all.iter().filter(|before| before.case.is_none()).copied().collect();
        let Some(tag) = tags.first().filter(|_| tags.len() == 1) else {
            return self.headed(node, (place, target), &always, choice);
        };
        let values: BTreeSet<u64> = all.iter().filter_map(|before| Some(before.case?.1)).collect();
        let side = |value: &u64| {
            let of_value = |before: &&Before| before.case.is_none_or(|(_, other)| other == *value);
            let seen: Vec<Before> = all.iter().filter(of_value).copied().collect();
            let seen: Vec<Before> =
                seen.into_iter().filter(|before| before.number != Some(0) || before.at != tag.at).collect();
            let whole = Before { at: tag.at, size: tag.size, number: None, case: None };
            let block = self.headed(node, (place, target), &[seen, vec![whole]].concat(), choice)?;
            let (number, bits) = (number(place, target, (tag.at, tag.size, 0)), tag.size * 8);
            let is_whole = tag.mask == u64::MAX >> (64 - bits);
            let looked_at = if is_whole { number } else { format!("({number} & {})", tag.mask) };
            let (block, relations) =
                block.split_once(" && ").map_or((block.as_str(), ""), |(block, rest)| (block, rest));
            let relations = if relations.is_empty() { String::new() } else { format!(" && {relations}") };
            Some(format!("({block} && {looked_at} == {value}{relations})"))
        };
        let sides: Option<Vec<String>> = values.iter().take(MOST_SIDES).map(side).collect();
        sides.map(|sides| sides.join(" || "))
    }

    /// A block of which something stands before a pointer.
    fn headed(&self, node: usize, (place, target): (&str, &str), seen: &[Before], choice: Choice) -> Option<String> {
        let header = seen.iter().map(|before| before.at.unsigned_abs()).max()?;
        let numbers: BTreeSet<Number> =
            seen.iter().filter_map(|before| Some((before.at, before.size, before.number?))).collect();
        let numbers: Vec<Number> = numbers.into_iter().rev().collect();
        let text = |which: &Number| number(place, target, *which);
        let uses = &self.usage.nodes[node];
        let Some(capacity) = numbers.get(choice.count.min(numbers.len().saturating_sub(1))) else {
            return Some(format!("__BELAY_has_header({place}, {header}, {})", self.behind(node, place, choice)));
        };
        let room = match is_character(target) {
            true => format!("(unsigned long){} + 1", text(capacity)),
            false => format!("(unsigned long){} * sizeof(*{place})", text(capacity)),
        };
        let mut parts = vec![format!("__BELAY_has_header({place}, {header}, {room})")];
        let others: Vec<&Number> = numbers.iter().filter(|other| *other != capacity).collect();
        if choice.related != Related::No {
            parts.extend(others.iter().map(|other| format!("{} <= {}", text(other), text(capacity))));
        }
        if uses.is_zero_tested && is_character(target) {
            parts.push(format!("{place}[{}] == 0", text(others.last().unwrap_or(&capacity))));
        }
        Some(parts.join(" && "))
    }

    /// How much lies behind a header that does not say it.
    fn behind(&self, node: usize, place: &str, choice: Choice) -> String {
        let uses = &self.usage.nodes[node];
        let counts = if uses.varies { self.counts(node, place, choice) } else { Vec::new() };
        match counts.get(choice.count.min(counts.len().saturating_sub(1))) {
            Some(count) => format!("(unsigned long){} * sizeof(*{place})", count.factor()),
            None => uses.end.to_string(),
        }
    }
}

/// A number in a header, as C writes it.
fn number(place: &str, target: &str, (at, size, by): Number) -> String {
    let cast = if is_character(target) { "" } else { "(char *)" };
    let number = format!("__BELAY_number({cast}{place} - {}, {size})", at.unsigned_abs());
    if by == 0 { number } else { format!("({number} >> {by})") }
}
