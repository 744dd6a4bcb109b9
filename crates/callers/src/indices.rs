//! Numbers that stand for places: elements of one array that are indices of another, and members and parameters that are offsets into what a pointer leads to.

use std::collections::BTreeSet;

use crate::descriptions::{Choice, Related, Subject, is_length};
use crate::learn::is_integer;
use crate::sizes::{Size, array_type, bytes_of};
use crate::usage::{Count, Origin};

/// Numbers with which an element is compared that are allowed beside indices, at most.
const MOST_OTHERS: usize = 3;

impl Subject<'_> {
    /// Numbers that limit offsets into what a pointer leads to.
    pub(crate) fn limits(&self, node: usize) -> impl Iterator<Item = &Count> {
        self.usage.indices.get(&node).into_iter().flat_map(|indices| &indices.bounds)
    }

    /// Members that are divided by are not 0.
    pub(crate) fn divisors(&self, node: usize) -> Vec<String> {
        let is_own = |count: &&Count| matches!(count, Count::Member(holder, _) if *holder == node);
        let own = self.usage.divisors.iter().filter(is_own).filter_map(|count| self.size_of(count));
        own.map(|size| format!("{} != 0", size.text)).collect()
    }

    /// Members with a sign to which constants are added are so far from the end of their type, and those by which something is shifted are less than its bits.
    pub fn sums_that_fit(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (count, most) in self.usage.shifts.iter().filter(|(count, _)| matches!(count, Count::Member(..))) {
            let Some(size) = self.size_of(count) else { continue };
            let low = if size.is_signed { format!("{} >= 0 && ", size.text) } else { String::new() };
            all.push(format!("{low}{} <= {most}", size.text));
        }
        for (count, by) in self.usage.added.iter().filter(|(count, _)| matches!(count, Count::Member(..))) {
            let Some(size) = self.size_of(count).filter(|size| size.is_signed) else { continue };
            let (most, suffix) = match size.bits {
                32 => (i64::from(i32::MAX), ""),
                64 => (i64::MAX, "l"),
                _ => continue,
            };
            let far = by.saturating_abs();
            all.extend(match by {
                _ if far > 1 << 30 => None,
                1.. => Some(format!("{} <= {}{suffix}", size.text, most - far)),
                ..0 => Some(format!("{} >= {}{suffix}", size.text, far - 1 - most)),
                0 => None,
            });
        }
        all.sort();
        all.dedup();
        all
    }

    /// Where bytes are indices, there are as many elements as bytes differ.
    pub(crate) fn all_of_type(&self, node: usize) -> Option<Size> {
        let mut from = self.usage.indices.get(&node)?.contents.iter().filter_map(|from| self.target(*from));
        from.any(|ty| ty == "unsigned char").then(|| Size::constant(256))
    }

    /// Of an array whose places are elements of another, the function need not look at the length: members of the same structure that limit no other array.
    pub(crate) fn unused_lengths(&self, node: usize, place: &str) -> Vec<(usize, Size)> {
        let Some(indices) = self.usage.indices.get(&node) else { return Vec::new() };
        let Origin::Loaded(holder, _) = self.usage.nodes[node].origin else { return Vec::new() };
        let record = self.target(holder).and_then(|ty| self.types.record(&ty));
        let (Some(record), Some((from, _))) = (record, place.rsplit_once("->")) else { return Vec::new() };
        if indices.contents.is_empty() || !indices.bounds.is_empty() {
            return Vec::new();
        }
        let is_taken = |offset: u64| {
            let count = Count::Member(holder, offset);
            self.usage.indices.values().any(|indices| indices.bounds.contains(&count))
        };
        let fields = record.fields.iter().filter(|field| !is_taken(field.offset));
        let lengths = fields.map(|field| (field, self.types.plain(&field.ty))).filter(|(_, ty)| is_length(ty));
        lengths.map(|(field, ty)| (field.offset as usize, Size::new(format!("{from}->{}", field.path), &ty))).collect()
    }

    /// An element that is an index of another array lies in that, or is one of the numbers by which the function tells others apart; and what has to be said of that array's
    /// length before.
    pub(crate) fn index_of_another(
        &self,
        node: usize,
        element: &str,
        target: &str,
        choice: Choice,
    ) -> Option<(String, String)> {
        if !is_integer(target) {
            return None;
        }
        let mut others = self.usage.indices.iter().filter(|(_, indices)| indices.contents.contains(&node));
        let (limit, before) = others.find_map(|(other, _)| {
            let (place, _, ty) = self.named(*other)?;
            let counts = self.counts(*other, &place, choice);
            let count = counts.get(choice.count.min(counts.len().saturating_sub(1)))?;
            let size = self.types.pointee(&ty).and_then(|ty| self.types.size(&ty));
            Some((count.factor(), count.fits(&place, choice, size.unwrap_or(1))))
        })?;
        if target == "unsigned char" && limit.parse::<u64>().is_ok_and(|limit| limit >= 256) {
            return None;
        }
        let is_signed = !target.contains("unsigned") && target != "_Bool";
        let within = match is_signed {
            true => format!("({element} >= 0 && {element} < {limit})"),
            false => format!("{element} < {limit}"),
        };
        let constants = self.usage.constants.get(&node).into_iter().flatten().take(MOST_OTHERS);
        let apart = constants.filter(|constant| **constant != 0).map(|constant| match constant {
            -1 => format!("{element} == ({target})-1"),
            other => format!("{element} == {other}"),
        });
        let sides: Vec<String> = apart.chain([within]).collect();
        Some((before, if let [one] = sides.as_slice() { one.clone() } else { format!("({})", sides.join(" || ")) }))
    }

    /// Numbers that are offsets lie in what they are offsets into; where they are compared with its length, they may also be just that. So may other members that limit offsets.
    pub(crate) fn related(&self, node: usize, length: &Size, related: Related) -> Option<String> {
        if related == Related::No || !length.is_plain() {
            return None;
        }
        let (same, others): (Vec<&Count>, Vec<&Count>) =
            self.limits(node).partition(|count| self.size_of(count).is_some_and(|size| size.text == length.text));
        let offsets = self.usage.indices.get(&node).into_iter().flat_map(|indices| &indices.counts);
        let offsets = offsets.map(|count| {
            let is_compared = same.iter().any(|bound| self.usage.compared.contains(&(*count, **bound)));
            (count, related == Related::Loosely || is_compared && related == Related::Strictly)
        });
        let is_member = |count: &&&Count| matches!(count, Count::Member(..)) && length.text.contains("->");
        let limits = others.iter().filter(is_member).map(|count| (*count, true));
        let mut clauses: Vec<String> = Vec::new();
        for (count, may_be_end) in offsets.chain(limits) {
            let Some(own) = self.size_of(count).filter(|own| own.text != length.text) else { continue };
            let sign = if may_be_end { "<=" } else { "<" };
            let from = if own.is_signed { format!("{} >= 0 && ", own.text) } else { String::new() };
            let clause = format!("{from}{} {sign} {}", own.text, length.text);
            let is_said = clauses.iter().any(|said| said.starts_with(&format!("{from}{} <", own.text)));
            clauses.extend((!is_said).then_some(clause));
        }
        (!clauses.is_empty()).then(|| clauses.join(" && "))
    }

    /// The member that is an array and has an offset inside of it; a type that is an array has it from the start.
    fn array_at(&self, target: &str, offset: u64) -> Option<(u64, u64, u64)> {
        let part = |from: u64, ty: &str| {
            let (element, count) = array_type(ty)?;
            let size = self.types.size(element)?.max(1);
            (from <= offset && offset < from + size * count).then_some((from, size, count))
        };
        match self.types.record(target) {
            Some(record) => record.fields.iter().find_map(|field| part(field.offset, &field.ty)),
            None => part(0, target),
        }
    }

    /// True if all offsets that vary lie in arrays that are members, as far as their steps tell.
    pub(crate) fn stays_inside(&self, node: usize, target: &str) -> bool {
        let uses = &self.usage.nodes[node];
        let Some(size) = bytes_of(self.types, target).filter(|size| uses.end <= *size) else { return false };
        let is_inside = |(from, step): &(i64, u64)| {
            u64::try_from(*from).is_ok_and(|from| *step < size && self.array_at(target, from).is_some())
        };
        !uses.roams && !uses.steps.is_empty() && uses.steps.iter().all(is_inside)
    }

    /// Numbers that are offsets into arrays that are members lie in those; what limits such offsets is no greater than there are elements.
    pub(crate) fn within_members(&self, node: usize, target: &str, related: Related) -> Vec<String> {
        let mut clauses: Vec<String> = Vec::new();
        for ((_, base), inner) in self.usage.inner.range((node, i64::MIN)..=(node, i64::MAX)) {
            let array = u64::try_from(*base).ok().and_then(|base| Some((base, self.array_at(target, base)?)));
            let Some((base, (from, size, count))) = array else { continue };
            let count = count - (base - from) / size;
            let sign = if related == Related::Loosely { "<=" } else { "<" };
            let offsets = inner.counts.iter().map(|count| (count, sign));
            let is_of_elements = |bound: &&Count| {
                let mut scales = inner.scaled.iter().filter(|(_, other)| other == *bound);
                scales.all(|((times, part), _)| *times == size && *part == 1)
            };
            let bounds = inner.bounds.iter().filter(is_of_elements).map(|count| (count, "<="));
            for (number, sign) in offsets.chain(bounds) {
                let Some(own) = self.size_of(number) else { continue };
                let low = if own.is_signed { format!("{} >= 0 && ", own.text) } else { String::new() };
                let is_said = clauses.iter().any(|said| said.starts_with(&format!("{low}{} <", own.text)));
                clauses.extend((!is_said).then(|| format!("{low}{} {sign} {count}", own.text)));
            }
        }
        clauses
    }

    /// A number as C names it.
    fn size_of(&self, count: &Count) -> Option<Size> {
        let (text, ty) = match count {
            Count::Param(index) => {
                let name = &self.function.params[*index as usize].name;
                let param = self.entry.params.iter().find(|param| param.name == *name)?;
                (name.clone(), param.ty.clone())
            }
            Count::Member(node, offset) => {
                if matches!(self.usage.nodes[*node].origin, Origin::Global(_) | Origin::Local(_)) {
                    return None;
                }
                let (place, _, ty) = self.named(*node)?;
                let target = self.types.pointee(&ty)?;
                match self.types.record(&target) {
                    Some(record) => {
                        let is_meant = |ty: &str| is_number(&self.types.plain(ty));
                        let mut fields = record.fields.iter();
                        let field = fields.find(|field| field.offset == *offset && is_meant(&field.ty))?;
                        (format!("{place}->{}", field.path), field.ty.clone())
                    }
                    None if *offset == 0 => (format!("*{place}"), target),
                    None => return None,
                }
            }
        };
        let ty = self.types.plain(&ty);
        is_number(&ty).then(|| Size::new(text, &ty))
    }
}

/// True for the types of lengths, and for bytes that count.
fn is_number(ty: &str) -> bool {
    is_length(ty) || ty == "unsigned char"
}

/// True if numbers would have to be less than themselves: no caller keeps that.
pub(crate) fn is_contradictory(clauses: &[String]) -> bool {
    let comparison = |part: &str| {
        let words: Vec<&str> = part.trim_matches(['(', ')', ' ']).split(' ').collect();
        match words.as_slice() {
            [one, "<", other] => Some((one.to_string(), other.to_string(), true)),
            [one, "<=", other] => Some((one.to_string(), other.to_string(), false)),
            _ => None,
        }
    };
    // What is said of elements is no matter of the numbers themselves.
    let plain =
        clauses.iter().flat_map(|clause| clause.split("&&")).filter(|part| !part.contains(['{', '}', '[', '|']));
    let mut known: BTreeSet<(String, String, bool)> = plain.filter_map(comparison).collect();
    loop {
        let steps = known.iter().flat_map(|(one, middle, strict)| {
            let next = known.iter().filter(move |(from, ..)| from == middle);
            next.map(move |(_, other, also)| (one.clone(), other.clone(), *strict || *also))
        });
        let more: Vec<(String, String, bool)> = steps.filter(|step| !known.contains(step)).collect();
        if more.is_empty() {
            return known.iter().any(|(one, other, strict)| *strict && one == other);
        }
        known.extend(more);
    }
}

#[cfg(test)]
mod tests {
    use super::is_contradictory;

    #[test]
    fn numbers_are_not_less_than_themselves() {
        let clauses = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let chain = ["__CPROVER_is_fresh(s, sizeof(*s)) && s->n <= 7 && s->m < s->n", "s->n <= s->k"];
        assert!(!is_contradictory(&clauses(&chain)));
        assert!(is_contradictory(&clauses(&[chain[0], chain[1], "s->k <= s->m"])));
        assert!(!is_contradictory(&clauses(&["a <= b", "b <= a"])) && is_contradictory(&clauses(&["a <= b", "b < a"])));
        assert!(is_contradictory(&clauses(&["s == 0 || (__CPROVER_is_fresh(s, 8) && s->m < s->n && s->n < s->m)"])));
    }
}
