//! Elements that own nothing: numbers of a range, places in one object, some of a few functions, the same value in all.
//!
//! Reading one takes nothing out of its [`ArrayRange`]: the word becomes a cell as well. Writing one of the same kind leaves the range whole.
//!
//! *Sound*: a range speaks of the words of `width` bytes at `from + k * step`, and `width <= step`. A write of `width` bytes at a place that is congruent to `from` covers one of these
//! words exactly, or none of their bytes: what is said of all of them holds afterwards if it holds of the value that is written. A cell beside the range is a second fact about
//! the same bytes, with a variable of its own of which no more is known than what the range says.
//!
//! Copies: bytes that begin at a word and end behind one, copied from the words of a range to places of words of the same range, are words of its kind wherever they meet it. And so
//! are bytes of which each word that they hold is known to be of its kind, while they hold no part of a word.

use belay_ir::Operand;
use belay_linear::LinExpr;

use super::array::{ArrayRange, residue};
use super::element::Places;
use super::machine::{Machine, Step};
use super::segment::{Content, at, place_of};
use super::state::{AllocId, Cell, State, Value};

/// What is done to a word.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// It is read.
    Read,
    /// This is written.
    Write(Operand),
}

impl Machine<'_> {
    /// True if a word inside a range may be read or written while the range stays; one that is read is a cell then.
    pub(super) fn leaves_whole(
        &mut self,
        state: &mut State,
        number: usize,
        offset: &LinExpr,
        access: Access,
    ) -> Step<bool> {
        let ArrayRange { alloc, width, content, .. } = state.ranges[number].clone();
        match access {
            Access::Write(value) => {
                let value = self.value(state, value);
                self.allows(state, &content, &value)
            }
            Access::Read if is_shared(&content) => {
                let value = state.materialised(content);
                self.note_cell(state, alloc, offset.clone(), width, value);
                Ok(true)
            }
            Access::Read => Ok(false),
        }
    }

    /// Takes away the ranges that a write of a word does not change, whether it meets them or not.
    pub(super) fn unchanged_ranges(
        &mut self,
        state: &mut State,
        (alloc, offset): (AllocId, &LinExpr),
        width: u64,
        value: &Value,
    ) -> Step<Vec<ArrayRange>> {
        let mut kept = Vec::new();
        for range in std::mem::take(&mut state.ranges) {
            let aligned = range.alloc == alloc && range.width == width && range.residue(offset) == Some(0);
            if aligned && self.allows(state, &range.content, value)? {
                kept.push(range);
            } else {
                state.ranges.push(range);
            }
        }
        Ok(kept)
    }

    /// The words of ranges that a copy of so many bytes reads, as cells.
    pub(super) fn note_words(
        &mut self,
        state: &mut State,
        (alloc, from): (AllocId, &LinExpr),
        len: &LinExpr,
    ) -> Step<()> {
        for number in 0..state.ranges.len() {
            let range = state.ranges[number].clone();
            let own = range.alloc == alloc && is_shared(&range.content);
            for word in words(&range, from, len).into_iter().flatten().filter(|_| own) {
                let place = from.plus(&at(word));
                let rest = range.to.minus(&place).minus(&at(range.step));
                if !is_known_element(state, &range, &place)
                    && state.knowledge.non_negative(&place.minus(&range.from), self.oracle)?
                    && state.knowledge.non_negative(&rest, self.oracle)?
                {
                    self.leaves_whole(state, number, &place, Access::Read)?;
                }
            }
        }
        Ok(())
    }

    /// Takes away the ranges that a copy of so many bytes does not change; `copied` are the cells that it writes.
    pub(super) fn uncopied_ranges(
        &mut self,
        state: &mut State,
        [(a, x), (b, y)]: [(AllocId, &LinExpr); 2],
        len: &LinExpr,
        copied: &[(LinExpr, u64, Value)],
    ) -> Step<Vec<ArrayRange>> {
        let mut kept = Vec::new();
        for range in std::mem::take(&mut state.ranges) {
            let stays = range.alloc == a
                && is_shared(&range.content)
                && ((a == b && self.moves_within(state, &range, [x, y], len)?)
                    || self.copies_alike(state, &range, (x, len), copied)?);
            if stays {
                kept.push(range);
            } else {
                state.ranges.push(range);
            }
        }
        Ok(kept)
    }

    /// Those of some ranges, copied to a place with so many bytes, that say more than others do, and than the cells that were copied.
    pub(super) fn not_within(
        &mut self,
        state: &State,
        ranges: Vec<ArrayRange>,
        others: &[ArrayRange],
        (place, len, copied): (&LinExpr, &LinExpr, &[(LinExpr, u64, Value)]),
    ) -> Step<Vec<ArrayRange>> {
        let mut kept = Vec::new();
        'next: for range in ranges {
            let is_copied = |word: u64| {
                copied.iter().any(|(other, width, _)| *other == place.plus(&at(word)) && *width == range.width)
            };
            if is_shared(&range.content)
                && matches!(words(&range, place, len).as_deref(), Some([word]) if is_copied(*word))
            {
                continue;
            }
            for other in others.iter().filter(|other| is_shared(&other.content)) {
                let alike = ArrayRange { from: range.from.clone(), to: range.to.clone(), ..other.clone() } == range;
                if alike
                    && state.knowledge.non_negative(&range.from.minus(&other.from), self.oracle)?
                    && state.knowledge.non_negative(&other.to.minus(&range.to), self.oracle)?
                {
                    continue 'next;
                }
            }
            kept.push(range);
        }
        Ok(kept)
    }

    /// True if bytes of words of a range are copied to places of such words.
    fn moves_within(&mut self, state: &State, range: &ArrayRange, [x, y]: [&LinExpr; 2], len: &LinExpr) -> Step<bool> {
        Ok(range.residue(x) == Some(0)
            && range.residue(y) == Some(0)
            && residue(len, range.step) == Some(0)
            && state.knowledge.non_negative(&y.minus(&range.from), self.oracle)?
            && state.knowledge.non_negative(&range.to.minus(y).minus(len), self.oracle)?)
    }

    /// True if each word that is written at a place of a word is one of a range.
    fn copies_alike(
        &mut self,
        state: &State,
        range: &ArrayRange,
        (x, len): (&LinExpr, &LinExpr),
        copied: &[(LinExpr, u64, Value)],
    ) -> Step<bool> {
        let Some(words) = words(range, x, len) else { return Ok(false) };
        for word in words {
            let place = x.plus(&at(word));
            let here = |(offset, width, _): &&(LinExpr, u64, Value)| *offset == place && *width == range.width;
            let Some((_, _, value)) = copied.iter().find(here) else { return Ok(false) };
            if !self.allows(state, &range.content, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True only if a value is one of those that a content without owner speaks of.
    fn allows(&mut self, state: &State, content: &Content, value: &Value) -> Step<bool> {
        let known = &state.knowledge;
        match (content, value) {
            (Content::Same(own @ (Value::Int(_) | Value::Null)), value) => Ok(own == value),
            // One of these functions, each time another one.
            (Content::Same(Value::Function(own)), Value::Function(functions)) => Ok(functions.is_subset(own)),
            (Content::Between(low, high), Value::Int(number)) => {
                let (Value::Int(low), Value::Int(high)) = (low, high) else { return Ok(false) };
                Ok(known.non_negative(&number.minus(low), self.oracle)?
                    && known.non_negative(&high.minus(number), self.oracle)?)
            }
            (Content::Among(Places { first, last, stride }), Value::Pointer(alloc, place)) => {
                let (Value::Pointer(one, first), Value::Pointer(other, last)) = (first, last) else { return Ok(false) };
                let inside = one == alloc && other == alloc && state.segment_of(*alloc).is_none() && *stride > 0;
                Ok(inside
                    && residue(&place.minus(first), *stride) == Some(0)
                    && known.non_negative(&place.minus(first), self.oracle)?
                    && known.non_negative(&last.minus(place), self.oracle)?)
            }
            (Content::Same(_) | Content::Between(..) | Content::Among(_), _)
            | (Content::NonZero | Content::Own(_) | Content::Block(_), _) => Ok(false),
        }
    }
}

/// Longer copies are not looked at word by word.
const MAX_COPIED: u64 = 256;

/// Where words of a range begin among a known number of bytes at a place; none if the bytes may hold a part of one.
fn words(range: &ArrayRange, place: &LinExpr, len: &LinExpr) -> Option<Vec<u64>> {
    let len = place_of(len).filter(|len| *len <= MAX_COPIED)?;
    let behind = range.residue(place)?;
    let starts: Vec<u64> =
        ((range.step - behind) % range.step..len).step_by(usize::try_from(range.step).ok()?).collect();
    let cut = (1..range.width).contains(&behind) || starts.iter().any(|start| start + range.width > len);
    (!cut).then_some(starts)
}

/// True if many words may hold the same.
pub(super) fn is_shared(content: &Content) -> bool {
    match content {
        Content::Same(value) => *value != Value::Top,
        Content::Between(..) | Content::Among(_) => true,
        Content::NonZero | Content::Own(_) | Content::Block(_) => false,
    }
}

/// True if a cell says what a range of shared values says of its place.
pub(super) fn is_known_element(state: &State, range: &ArrayRange, offset: &LinExpr) -> bool {
    let here = |cell: &Cell| cell.alloc == range.alloc && cell.width == range.width && cell.offset == *offset;
    is_shared(&range.content) && state.cells.iter().any(here)
}
