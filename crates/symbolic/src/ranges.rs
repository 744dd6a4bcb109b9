//! Elements of arrays of pointers are told apart before they are read or written, ranges are parted, moved and forgotten ([`ArrayRange`] says what a range is and
//! why this suffices).

use belay_ir::Operand;
use belay_linear::LinExpr;

use super::array::{ArrayRange, residue};
use super::knowledge::as_constant;
use super::machine::{Machine, Step};
use super::segment::{Content, at};
use super::state::{AllocId, State, Value};

/// States that one access is parted into at most.
const MAX_PARTS: usize = 24;

/// Where an access meets what is known of an array.
enum Hit {
    /// An element of this range.
    Inside(usize),
    /// Perhaps: it is so if none of these expressions is negative, and otherwise all of those of one of the others.
    Parts(Vec<Vec<LinExpr>>),
}

impl Machine<'_> {
    /// True if a range is known to have no element.
    pub(super) fn is_empty_range(&mut self, state: &State, range: &ArrayRange) -> Step<bool> {
        Ok(range.from == range.to || state.knowledge.non_negative(&range.from.minus(&range.to), self.oracle)?)
    }

    /// True only if none of `len` bytes at an offset is part of an element.
    fn misses(&mut self, state: &State, range: &ArrayRange, offset: &LinExpr, len: &LinExpr) -> Step<bool> {
        if let (Some(rest), Some(len)) = (range.residue(offset), as_constant(len))
            && rest >= range.width
            && i128::from(rest) + len <= i128::from(range.step)
        {
            return Ok(true);
        }
        let end = range.to.minus(&at(range.step - range.width));
        Ok(state.knowledge.non_negative(&range.from.minus(offset).minus(len), self.oracle)?
            || state.knowledge.non_negative(&offset.minus(&end), self.oracle)?)
    }

    /// The states in which the element at a pointer, if there is one, is a cell. A write needs to know nothing of the bytes of a string.
    pub(super) fn exposed_element(&mut self, state: State, ptr: Operand, width: u64, reads: bool) -> Step<Vec<State>> {
        let mut todo = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = todo.pop() {
            let Value::Pointer(alloc, offset) = self.value(&mut state, ptr) else {
                done.push(state);
                continue;
            };
            if done.len() + todo.len() >= MAX_PARTS || !state.ranges.iter().any(|range| range.alloc == alloc) {
                done.push(state);
                continue;
            }
            self.budget.spend(1)?;
            match self.hit(&state, alloc, &offset, (width, reads))? {
                None => done.push(state),
                Some(Hit::Inside(range)) if state.ranges[range].content == Content::NonZero => {
                    done.extend(self.not_zero_at(state, alloc, offset)?);
                }
                Some(Hit::Inside(range)) => done.extend(self.taken_out(state, range, offset)),
                Some(Hit::Parts(parts)) => {
                    for part in parts {
                        todo.extend(self.part_where(state.clone(), part)?);
                    }
                }
            }
        }
        Ok(done)
    }

    fn part_where(&mut self, state: State, conditions: Vec<LinExpr>) -> Step<Option<State>> {
        let mut state = state;
        // What is replaced meanwhile is replaced in the conditions as well.
        let kept = state.pending.len();
        state.pending.extend(conditions.into_iter().map(super::condition::Truth::AtLeast));
        while state.pending.len() > kept {
            let Some(super::condition::Truth::AtLeast(condition)) = state.pending.pop() else { break };
            match state.with_at_least(condition, self.oracle)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    /// What of an array an access of `width` bytes meets first, if that is to be looked at.
    fn hit(
        &mut self,
        state: &State,
        alloc: AllocId,
        offset: &LinExpr,
        (width, reads): (u64, bool),
    ) -> Step<Option<Hit>> {
        let len = at(width);
        for (number, range) in state.ranges.iter().enumerate().filter(|(_, range)| range.alloc == alloc) {
            if range.width != width || range.residue(offset) != Some(0) || self.misses(state, range, offset, &len)? {
                continue;
            }
            if range.content == Content::NonZero
                && (!reads
                    || self.is_known_byte(state, alloc, offset)?
                    || !state.knowledge.non_negative(&offset.minus(&range.from), self.oracle)?)
            {
                continue;
            }
            let step = at(range.step);
            let (before, rest) = (offset.minus(&range.from), range.to.minus(&step).minus(offset));
            if state.knowledge.non_negative(&before, self.oracle)?
                && state.knowledge.non_negative(&rest, self.oracle)?
            {
                return Ok(Some(Hit::Inside(number)));
            }
            if range.content == Content::NonZero {
                return Ok(Some(Hit::Parts(vec![vec![rest.clone()], vec![rest.negated().minus(&step)]])));
            }
            return Ok(Some(Hit::Parts(vec![
                vec![before.clone(), rest.clone()],
                vec![before.negated().minus(&step)],
                vec![rest.negated().minus(&step), before],
            ])));
        }
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && cell.width == width) {
            let distance = offset.minus(&cell.offset);
            let leads = matches!(cell.value, Value::Pointer(..) | Value::Null);
            if !leads || distance.is_constant() || residue(&distance, width) != Some(0) {
                continue;
            }
            let (after, before) = (distance.minus(&len), distance.negated().minus(&len));
            let known = state.knowledge.zero(&distance, self.oracle)?
                || state.knowledge.non_negative(&after, self.oracle)?
                || state.knowledge.non_negative(&before, self.oracle)?;
            if !known {
                let same = vec![distance.clone(), distance.negated()];
                return Ok(Some(Hit::Parts(vec![same, vec![after], vec![before]])));
            }
        }
        Ok(None)
    }

    /// The element at an offset inside a range as a cell.
    fn taken_out(&mut self, mut state: State, number: usize, offset: LinExpr) -> Vec<State> {
        let range = state.ranges.remove(number);
        let behind = offset.plus(&at(range.step));
        let before = ArrayRange { to: offset.clone(), ..range.clone() };
        let after = ArrayRange { from: behind, ..range.clone() };
        state.ranges.extend([before, after].into_iter().filter(|rest| rest.from != rest.to));
        let mut states = Vec::new();
        let mut content = range.content;
        if let Content::Block(block) = &mut content
            && block.null
        {
            block.null = false;
            let mut nothing = state.clone();
            self.note_cell(&mut nothing, range.alloc, offset.clone(), range.width, Value::Null);
            states.push(nothing);
        }
        let value = state.materialised(content);
        self.note_cell(&mut state, range.alloc, offset, range.width, value);
        states.push(state);
        states
    }

    /// Forgets what a write of `len` bytes may change of arrays; elements before and after it stay.
    pub(super) fn erase_ranges(
        &mut self,
        state: &mut State,
        alloc: AllocId,
        offset: &LinExpr,
        len: &LinExpr,
    ) -> Step<()> {
        if !state.ranges.iter().any(|range| range.alloc == alloc) {
            return Ok(());
        }
        for range in std::mem::take(&mut state.ranges) {
            if range.alloc != alloc || self.misses(state, &range, offset, len)? {
                state.ranges.push(range);
                continue;
            }
            let [before, inside, after] = self.parted(state, &range, offset, len)?;
            state.ranges.extend([before, after].into_iter().flatten());
            self.lose_range(state, &inside.unwrap_or(range))?;
        }
        Ok(())
    }

    /// A range before, in and after so many bytes at an offset; only the second is there, and is the whole, if it can't be parted.
    pub(super) fn parted(
        &mut self,
        state: &State,
        range: &ArrayRange,
        offset: &LinExpr,
        len: &LinExpr,
    ) -> Step<[Option<ArrayRange>; 3]> {
        let end = offset.plus(len);
        let begins_inside = state.knowledge.non_negative(&range.from.minus(offset), self.oracle)?;
        let ends_inside = state.knowledge.non_negative(&end.minus(&range.to), self.oracle)?;
        let fits = |place: &LinExpr| range.residue(place) == Some(0);
        let mut inside = range.clone();
        let (mut before, mut after) = (None, None);
        if !begins_inside {
            if !fits(offset) || !state.knowledge.non_negative(&offset.minus(&range.from), self.oracle)? {
                return Ok([None, Some(range.clone()), None]);
            }
            before = Some(ArrayRange { to: offset.clone(), ..range.clone() });
            inside.from = offset.clone();
        }
        if !ends_inside {
            if !fits(&end) || !state.knowledge.non_negative(&range.to.minus(&end), self.oracle)? {
                return Ok([None, Some(range.clone()), None]);
            }
            after = Some(ArrayRange { from: end.clone(), ..range.clone() });
            inside.to = end;
        }
        // Both ends of each part in their order.
        if !state.knowledge.non_negative(&inside.to.minus(&inside.from), self.oracle)? {
            return Ok([None, Some(range.clone()), None]);
        }
        Ok([before, Some(inside), after])
    }

    /// A range is forgotten: so are the blocks that it owns.
    fn lose_range(&mut self, state: &mut State, range: &ArrayRange) -> Step<()> {
        if range.owns_heap() && !self.is_empty_range(state, range)? {
            state.forgot_block = true;
        }
        Ok(())
    }

    /// An object ends: its elements are forgotten.
    pub(super) fn lose_ranges_of(&mut self, state: &mut State, alloc: AllocId) -> Step<()> {
        for range in std::mem::take(&mut state.ranges) {
            if range.alloc == alloc {
                self.lose_range(state, &range)?;
            } else {
                state.ranges.push(range);
            }
        }
        Ok(())
    }

    /// Drops the ranges that have no element.
    pub(super) fn drop_empty_ranges(&mut self, state: &mut State) -> Step<()> {
        for range in std::mem::take(&mut state.ranges) {
            if !self.is_empty_range(state, &range)? {
                state.ranges.push(range);
            }
        }
        Ok(())
    }

    /// True if some range may own heap blocks.
    pub(super) fn has_owned(&mut self, state: &State) -> Step<bool> {
        for range in state.ranges.iter().filter(|range| range.owns_heap()) {
            if !self.is_empty_range(state, range)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The ranges that are inside so many bytes of an object, as they stand `shift` bytes further on in another. Those that own something are taken
    /// from where they were.
    pub(super) fn moved_ranges(
        &mut self,
        state: &mut State,
        (alloc, offset, len): (AllocId, &LinExpr, &LinExpr),
        to: (AllocId, &LinExpr),
    ) -> Step<Vec<ArrayRange>> {
        let mut moved = Vec::new();
        if !state.ranges.iter().any(|range| range.alloc == alloc) {
            return Ok(moved);
        }
        for range in std::mem::take(&mut state.ranges) {
            if range.alloc != alloc || self.misses(state, &range, offset, len)? {
                state.ranges.push(range);
                continue;
            }
            let [before, inside, after] = self.parted(state, &range, offset, len)?;
            let Some(inside) = inside.filter(|inside| before.is_some() || after.is_some() || *inside == range) else {
                state.ranges.push(range);
                continue;
            };
            let words = inside.to.minus(&at(inside.step - inside.width));
            let contained = state.knowledge.non_negative(&inside.from.minus(offset), self.oracle)?
                && state.knowledge.non_negative(&offset.plus(len).minus(&words), self.oracle)?;
            if !contained {
                state.ranges.push(range);
                continue;
            }
            if range.owns() {
                state.ranges.extend([before, after].into_iter().flatten());
            } else {
                state.ranges.push(range);
            }
            let shifted = |place: &LinExpr| place.minus(offset).plus(to.1);
            let (from, end) = (shifted(&inside.from), shifted(&inside.to));
            moved.push(ArrayRange { alloc: to.0, from, to: end, ..inside });
        }
        Ok(moved)
    }

    /// Adds that so many bytes are still 0, if they may be words.
    pub(super) fn note_zeros(
        &mut self,
        state: &mut State,
        alloc: AllocId,
        offset: &LinExpr,
        len: &LinExpr,
    ) -> Step<()> {
        let width = self.program.layout.pointer_bytes();
        let large = as_constant(len).is_none_or(|len| len >= 2 * i128::from(width));
        if self.probing() || !large || residue(len, width) != Some(0) || residue(offset, width) != Some(0) {
            return Ok(());
        }
        if state.knowledge.non_negative(len, self.oracle)? {
            let content = Content::Same(Value::Null);
            let (from, to) = (offset.clone(), offset.plus(len));
            state.ranges.push(ArrayRange { alloc, from, to, step: width, width, content });
        }
        Ok(())
    }
}
