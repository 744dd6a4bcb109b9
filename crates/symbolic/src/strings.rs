//! Strings: where they end, how long they are, and the library's functions that read or copy whole ones.
//!
//! *Where a string ends.* A cell that holds a byte 0 ends every string that begins before it. How *long* a string is is known where a range of bytes that are
//! not 0 ([`Content::NonZero`]) leads from its start to such a cell. `strlen` makes both: the number that it returns is a variable of the state, so that a
//! second call, or a loop to the end, finds the same one, and what is compared with it is compared with the string. Both are facts about memory
//! like any other, which writes forget, copies take along and blocks that are moved keep (see [`super::array`]).
//!
//! *Bytes that are written* wherever in an object leave true that a byte has the very value that is written, and, if that is not 0, that a byte is not 0: each byte is the
//! one that is written or another one. So the end of a string stays known when further zeros are written into it.
//!
//! *Whole functions.* A call of the model of `strcpy` and its kind is not entered where all that it touches is shown to be valid: the strings end inside live objects, they are
//! objects of their own, and what is written has room. Then no obligation of the model's body can fail, its loops end with the strings, and what it does is said
//! here: so many bytes are copied, or nothing is changed and the result is any that the model may give. Where something is not shown, the body is
//! executed, and tells what is missing. A program's own function of such a name is not a model, and a probe enters all bodies.

use belay_base::Span;
use belay_ir::{Function, ObligationId, Type};
use belay_linear::LinExpr;

use super::arithmetic::note;
use super::array::ArrayRange;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::probe::Suspicion;
use super::segment::Content;
use super::state::{AllocId, Cell, Life, State, Value};
use super::values::set;
use belay_states::bytes::known_number;

/// Ranges that follow each other in a string, and bytes of a constant that are looked at.
const MAX_PARTS: usize = 8;
const MAX_LITERAL: i128 = 4096;

/// A string that is shown to end inside a live object.
pub(super) struct ShownString {
    pub(super) alloc: AllocId,
    pub(super) start: LinExpr,
    /// A byte 0 at or after its start, not always the first.
    pub(super) end: LinExpr,
}

/// What a write of one byte leaves true.
pub(super) struct KeptBytes {
    cells: Vec<Cell>,
    ranges: Vec<ArrayRange>,
}

impl KeptBytes {
    /// Puts back what a write of a byte has not changed.
    pub(super) fn restore(self, state: &mut State, alloc: AllocId) {
        for cell in self.cells {
            if !state.cells.contains(&cell) {
                state.cells.push(cell);
            }
        }
        if !self.ranges.is_empty() {
            state.ranges.retain(|range| range.alloc != alloc || range.content != Content::NonZero);
            state.ranges.extend(self.ranges);
        }
    }
}

impl Machine<'_> {
    /// A byte at or after `offset` that is known to be 0, so that a string ends there.
    pub(super) fn terminator(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<Option<LinExpr>> {
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && is_zero_byte(cell)) {
            if state.knowledge.non_negative(&cell.offset.minus(offset), self.oracle)? {
                return Ok(Some(cell.offset.clone()));
            }
        }
        // An object that is still 0 has one wherever no cell says otherwise.
        let Some(known) = state.allocations.get(&alloc).filter(|known| known.zeroed) else { return Ok(None) };
        let cells = state.cells.iter().filter(|cell| cell.alloc == alloc);
        let is_bare = !state.ranges.iter().any(|range| range.alloc == alloc);
        let byte = known_number(cells, is_bare, offset, 1);
        let is_inside = self.at_least(state, offset, 0)? && self.at_least(state, &known.size.minus(offset), 1)?;
        Ok((is_inside && byte.is_some_and(|byte| as_constant(&byte) == Some(0))).then(|| offset.clone()))
    }

    /// How far it is known that no byte from `offset` on is 0.
    fn non_zero_until(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<LinExpr> {
        let mut end = offset.clone();
        let texts = |range: &&ArrayRange| range.alloc == alloc && range.content == Content::NonZero;
        for _ in 0..MAX_PARTS {
            let mut next = None;
            for range in state.ranges.iter().filter(texts).filter(|range| range.to != end) {
                if state.knowledge.non_negative(&end.minus(&range.from), self.oracle)?
                    && state.knowledge.non_negative(&range.to.minus(&end), self.oracle)?
                {
                    next = Some(range.to.clone());
                    break;
                }
            }
            match next {
                Some(next) => end = next,
                None => break,
            }
        }
        Ok(end)
    }

    /// Where the string at a place of an object ends, if all bytes up to there are known well enough.
    fn exact_end(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<Option<LinExpr>> {
        if let Some(end) = self.end_of_constant(state, alloc, offset)? {
            return Ok(Some(end));
        }
        let end = self.non_zero_until(state, alloc, offset)?;
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && is_zero_byte(cell)) {
            if state.knowledge.zero(&cell.offset.minus(&end), self.oracle)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// The same for constants of the program.
    fn end_of_constant(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<Option<LinExpr>> {
        let constant_object = matches!(alloc, AllocId::Global(id) if self.program.globals[id].constant);
        let (Some(start @ 0..), true) = (as_constant(offset), constant_object) else { return Ok(None) };
        for at in start..start + MAX_LITERAL {
            match self.untouched(state, alloc, &constant(at), 1, Type::BYTE)? {
                Some(Value::Int(byte)) if as_constant(&byte) == Some(0) => return Ok(Some(constant(at))),
                Some(Value::Int(byte)) if byte.is_constant() => {}
                Some(_) | None => break,
            }
        }
        Ok(None)
    }

    /// The states in which a byte inside a string is a cell that is not 0; none if it is known to be 0.
    pub(super) fn not_zero_at(&mut self, mut state: State, alloc: AllocId, offset: LinExpr) -> Step<Option<State>> {
        let here = |cell: &&Cell| cell.alloc == alloc && cell.width == 1 && cell.offset == offset;
        let byte = match state.cells.iter().find(here).map(|cell| cell.value.clone()) {
            Some(Value::Int(byte)) => byte,
            Some(_) => return Ok(Some(state)),
            None => {
                let byte = self.arbitrary(&mut state, 8);
                self.note_cell(&mut state, alloc, offset, 1, Value::Int(byte.clone()));
                byte
            }
        };
        Ok(state.knowledge.separate(byte, self.oracle)?.then_some(state))
    }

    /// True if a byte is known to be 0, or not to be.
    pub(super) fn is_known_byte(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<bool> {
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && cell.width == 1 && cell.offset == *offset) {
            if let Value::Int(byte) = &cell.value
                && (state.knowledge.non_zero(byte, self.oracle)? || state.knowledge.zero(byte, self.oracle)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The string at a pointer, if it is shown to end inside a live object.
    pub(super) fn shown_string(&mut self, state: &State, pointer: &Value) -> Step<Option<ShownString>> {
        let Value::Pointer(alloc, start) = pointer else { return Ok(None) };
        let Some((size, Life::Live)) = self.extent(state, *alloc) else { return Ok(None) };
        if !state.knowledge.non_negative(start, self.oracle)? {
            return Ok(None);
        }
        let end = match self.exact_end(state, *alloc, start)? {
            Some(end) => Some(end),
            None => self.terminator(state, *alloc, start)?,
        };
        let Some(end) = end else { return Ok(None) };
        let inside = state.knowledge.non_negative(&size.minus(&end).minus(&constant(1)), self.oracle)?;
        Ok(inside.then(|| ShownString { alloc: *alloc, start: start.clone(), end }))
    }

    /// The length of the string at `pointer`; notes a doubt if it is not shown to end inside its object.
    pub(super) fn string_length(
        &mut self,
        state: &mut State,
        pointer: &Value,
        obligation: Option<ObligationId>,
        span: Span,
    ) -> Step<LinExpr> {
        if let Some(string) = self.shown_string(state, pointer)? {
            return self.length_of(state, &string);
        }
        let length = state.fresh();
        note(state, length.clone());
        obligation.into_iter().for_each(|id| self.doubt(id, span));
        let Value::Pointer(alloc, offset) = pointer else {
            obligation.into_iter().for_each(|id| self.suspect(Suspicion::Obligation(id), state));
            return Ok(length);
        };
        if self.goes_on {
            return Ok(length);
        }
        let end = self.terminator(state, *alloc, offset)?;
        let at = offset.plus(&length);
        if let Some(end) = end {
            note(state, end.minus(&at));
        }
        obligation.into_iter().for_each(|id| self.suspect(Suspicion::Obligation(id), state));
        if let Some((size, _)) = self.extent(state, *alloc) {
            note(state, size.minus(&at).minus(&constant(1)));
            self.note_cell(state, *alloc, at, 1, Value::Int(constant(0)));
        }
        Ok(length)
    }

    /// The length of a string, which the state knows from then on.
    pub(super) fn length_of(&mut self, state: &mut State, string: &ShownString) -> Step<LinExpr> {
        let ShownString { alloc, start, end } = string;
        if let Some(end) = self.exact_end(state, *alloc, start)? {
            return Ok(end.minus(start));
        }
        let known = self.non_zero_until(state, *alloc, start)?;
        let length = state.fresh();
        let at = start.plus(&length);
        note(state, length.clone());
        note(state, at.minus(&known));
        note(state, end.minus(&at));
        self.note_cell(state, *alloc, at.clone(), 1, Value::Int(constant(0)));
        if !self.probing() {
            let same =
                |range: &ArrayRange| range.alloc == *alloc && range.content == Content::NonZero && range.from == *start;
            state.ranges.retain(|range| !same(range));
            self.note_text(state, *alloc, start, &length)?;
        }
        Ok(length)
    }

    /// Adds that none of so many bytes is 0, if that is a number of bytes. Of an object that is still 0 elsewhere only cells tell where it is not.
    pub(super) fn note_text(&mut self, state: &mut State, alloc: AllocId, from: &LinExpr, len: &LinExpr) -> Step<()> {
        let zeroed = state.allocations.get(&alloc).is_some_and(|known| known.zeroed);
        if !zeroed && state.knowledge.non_negative(len, self.oracle)? {
            let (from, to) = (from.clone(), from.plus(len));
            state.ranges.push(ArrayRange { alloc, from, to, step: 1, width: 1, content: Content::NonZero });
        }
        Ok(())
    }

    /// What stays true of an object when a byte is written to any place of it.
    pub(super) fn untouched_by_byte(&mut self, state: &State, alloc: AllocId, byte: &LinExpr) -> Step<KeptBytes> {
        let same = |cell: &&Cell| cell.alloc == alloc && cell.width == 1 && cell.value == Value::Int(byte.clone());
        let cells: Vec<Cell> = state.cells.iter().filter(same).cloned().collect();
        let texts = |range: &&ArrayRange| range.alloc == alloc && range.content == Content::NonZero;
        let mut ranges: Vec<ArrayRange> = state.ranges.iter().filter(texts).cloned().collect();
        if !ranges.is_empty() && !state.knowledge.non_zero(byte, self.oracle)? {
            ranges.clear();
        }
        Ok(KeptBytes { cells, ranges })
    }

    /// What the model of a library function does to whole strings, if all that it touches is shown to be valid.
    pub(super) fn string_function(
        &mut self,
        state: &State,
        function: &Function,
        site: &Site<'_>,
    ) -> Step<Option<Vec<State>>> {
        if !function.is_model || self.probing() {
            return Ok(None);
        }
        match function.name.as_str() {
            "strcpy" => self.copied_string(state, site, false, false),
            "stpcpy" => self.copied_string(state, site, false, true),
            "strcat" => self.copied_string(state, site, true, false),
            "strdup" => self.duplicated_string(state, site),
            "strcmp" => self.compared_strings(state, site),
            "strncmp" => self.compared_prefix(state, site),
            "strchr" | "strrchr" => self.searched_string(state, site),
            "strspn" => self.span(state, false, site),
            "strcspn" => self.span(state, true, site),
            "strpbrk" => self.first_of(state, site),
            "strstr" => self.found_string(state, site),
            "memchr" => self.found_byte(state, site),
            _ => self.numeral(state, function, site),
        }
    }

    /// The string of `src` with its end is written to `dst`, or behind the string that is there.
    fn copied_string(
        &mut self,
        state: &State,
        site: &Site<'_>,
        appends: bool,
        gives_end: bool,
    ) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let (dst, src) = (self.argument(&mut state, site, 0), self.argument(&mut state, site, 1));
        let Some(source) = self.shown_string(&state, &src)? else { return Ok(None) };
        let Value::Pointer(target, mut place) = dst.clone() else { return Ok(None) };
        let constant_object = matches!(target, AllocId::Global(id) if self.program.globals[id].constant);
        if target == source.alloc || constant_object {
            return Ok(None);
        }
        let length = self.length_of(&mut state, &source)?;
        if appends {
            let Some(before) = self.shown_string(&state, &dst)? else { return Ok(None) };
            place = place.plus(&self.length_of(&mut state, &before)?);
        }
        let Some((size, Life::Live)) = self.extent(&state, target) else { return Ok(None) };
        let bytes = length.plus(&constant(1));
        if !state.knowledge.non_negative(&place, self.oracle)?
            || !state.knowledge.non_negative(&size.minus(&place).minus(&bytes), self.oracle)?
        {
            return Ok(None);
        }
        let mut after = self.transfer(state, (target, &place), (source.alloc, &source.start), &bytes)?;
        let end = place.plus(&length);
        // Constants have no cell for their end.
        self.note_cell(&mut after, target, end.clone(), 1, Value::Int(constant(0)));
        let result = if gives_end { Value::Pointer(target, end) } else { dst };
        set(&mut after, site.id, result);
        Ok(Some(vec![after]))
    }

    /// The string in a block of its own, where there is one of that size.
    fn duplicated_string(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let src = self.argument(&mut state, site, 0);
        let Some(source) = self.shown_string(&state, &src)?.filter(|_| !self.config.malloc_may_fail) else {
            return Ok(None);
        };
        let length = self.length_of(&mut state, &source)?;
        let Some((mut state, size)) = self.surely_possible(state, length.plus(&constant(1)))? else { return Ok(None) };
        let block = self.heap_block(&mut state, size.clone(), false);
        let mut after = self.transfer(state, (block, &constant(0)), (source.alloc, &source.start), &size)?;
        self.note_cell(&mut after, block, length, 1, Value::Int(constant(0)));
        set(&mut after, site.id, Value::Pointer(block, constant(0)));
        Ok(Some(vec![after]))
    }

    /// Two strings are compared: any number.
    fn compared_strings(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        for index in 0..2 {
            let string = self.argument(&mut state, site, index);
            if self.shown_string(&state, &string)?.is_none() {
                return Ok(None);
            }
        }
        self.give_anything(&mut state, site.id, site.ty);
        Ok(Some(vec![state]))
    }

    /// The first `n` bytes of a string are compared with those of another one that is at least as long: where the result is 0 they are the same, so that none of them is 0 and the first
    /// string ends behind them as well. (They can't have ended together before: the other one does not.)
    fn compared_prefix(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let [first, second, count] = [0, 1, 2].map(|index| self.argument(&mut state, site, index));
        let (Some(string), Some(other)) = (self.shown_string(&state, &first)?, self.shown_string(&state, &second)?)
        else {
            return Ok(None);
        };
        let Some(end) = self.exact_end(&state, other.alloc, &other.start)? else { return Ok(None) };
        let Value::Int(count) = count else { return Ok(None) };
        let rest = end.minus(&other.start).minus(&count);
        if !state.knowledge.non_negative(&count, self.oracle)? || !state.knowledge.non_negative(&rest, self.oracle)? {
            return Ok(None);
        }
        let mut same = state.clone();
        for cell in state.cells.iter().filter(|cell| cell.alloc == string.alloc && is_zero_byte(cell)) {
            let distance = cell.offset.minus(&string.start);
            if state.knowledge.non_negative(&distance, self.oracle)? {
                note(&mut same, distance.minus(&count));
            }
        }
        self.note_text(&mut same, string.alloc, &string.start, &count)?;
        set(&mut same, site.id, Value::Int(constant(0)));
        let result = self.arbitrary(&mut state, 32);
        set(&mut state, site.id, Value::Int(result.clone()));
        let differs = state.knowledge.separate(result, self.oracle)?;
        Ok(Some([Some(same), differs.then_some(state)].into_iter().flatten().collect()))
    }

    /// A byte is looked for in a string: null, or a place before its end that holds that byte.
    fn searched_string(&mut self, state: &State, site: &Site<'_>) -> Step<Option<Vec<State>>> {
        let mut state = state.clone();
        let pointer = self.argument(&mut state, site, 0);
        let Some(string) = self.shown_string(&state, &pointer)? else { return Ok(None) };
        let Value::Int(byte) = self.argument(&mut state, site, 1) else { return Ok(None) };
        // The end of the string is a place of its own, and other widths are converted first.
        let Some(byte @ 1..=127) = as_constant(&byte) else { return Ok(None) };
        let mut nothing = state.clone();
        set(&mut nothing, site.id, Value::Null);
        let distance = state.fresh();
        let place = string.start.plus(&distance);
        note(&mut state, distance.clone());
        note(&mut state, string.end.minus(&place).minus(&constant(1)));
        self.note_cell(&mut state, string.alloc, place.clone(), 1, Value::Int(constant(byte)));
        self.note_text(&mut state, string.alloc, &string.start, &distance)?;
        set(&mut state, site.id, Value::Pointer(string.alloc, place));
        Ok(Some(vec![nothing, state]))
    }
}

fn is_zero_byte(cell: &Cell) -> bool {
    cell.width == 1 && matches!(&cell.value, Value::Int(value) if as_constant(value) == Some(0))
}
