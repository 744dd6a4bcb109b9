//! Blocks of memory: fills, copies, strings.

use belay_base::Span;
use belay_ir::{ObligationId, Operand};
use belay_linear::LinExpr;

use super::arithmetic::note;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::memory::{Accessed, Validity};
use super::probe::Suspicion;
use super::state::{AllocId, Life, State, Value};

impl<'m> Machine<'m> {
    pub(super) fn fill(
        &mut self,
        mut state: State,
        (dst, byte, len): (Operand, Operand, Operand),
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let pointer = self.value(&mut state, dst);
        let (byte, len) = (self.int(&mut state, byte), self.int(&mut state, len));
        let len = self.as_size(&mut state, len)?;
        if len == constant(0) {
            return Ok(vec![state]);
        }
        let Some(accessed) = self.access_block(state, &pointer, &len, true, obligation, span)? else {
            return Ok(Vec::new());
        };
        let Accessed { mut state, validity } = accessed;
        if validity == Validity::Open {
            self.erase_perhaps(&mut state, &pointer, &len)?;
            return Ok(vec![state]);
        }
        self.erase(&mut state, &pointer, &len)?;
        if let Value::Pointer(alloc, offset) = &pointer {
            self.not_zeroed(&mut state, *alloc);
            let whole = match state.allocations.get(alloc) {
                Some(known) => as_constant(offset) == Some(0) && known.size == len,
                None => false,
            };
            if whole && as_constant(&byte) == Some(0) {
                if let Some(known) = state.allocations.get_mut(alloc) {
                    known.zeroed = true;
                }
            } else if state.knowledge.non_negative(&len.minus(&constant(1)), self.oracle)? {
                self.note_cell(&mut state, *alloc, offset.clone(), 1, Value::Int(byte.clone()));
                let last = offset.plus(&len).minus(&constant(1));
                self.note_cell(&mut state, *alloc, last, 1, Value::Int(byte.clone()));
            }
            if !whole && as_constant(&byte) == Some(0) {
                self.note_zeros(&mut state, *alloc, offset, &len)?;
            }
        }
        Ok(vec![state])
    }

    /// A block of symbolic length: of length 0 it touches nothing, and any pointer will do.
    pub(super) fn access_block(
        &mut self,
        state: State,
        pointer: &Value,
        len: &LinExpr,
        writes: bool,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Option<Accessed>> {
        let empty = !state.knowledge.non_negative(&len.minus(&constant(1)), self.oracle)?;
        if !empty {
            return self.access(state, pointer, len, writes, obligation, span);
        }
        // May be empty: valid places are valid for any length that fits; nothing is assumed about the others.
        let kept = state.clone();
        let after = self.access(state, pointer, len, writes, obligation, span)?;
        let shown = after.filter(|after| after.validity == Validity::Shown);
        Ok(Some(shown.unwrap_or(Accessed { state: kept, validity: Validity::Open })))
    }

    pub(super) fn copy(
        &mut self,
        mut state: State,
        (dst, src, len): (Operand, Operand, Operand),
        overlap: bool,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let (to, from) = (self.value(&mut state, dst), self.value(&mut state, src));
        let len = self.int(&mut state, len);
        let len = self.as_size(&mut state, len)?;
        if len == constant(0) {
            return Ok(vec![state]);
        }
        let mut open = false;
        for (pointer, writes) in [(&from, false), (&to, true)] {
            let Some(accessed) = self.access_block(state, pointer, &len, writes, obligation, span)? else {
                return Ok(Vec::new());
            };
            open |= accessed.validity == Validity::Open;
            state = accessed.state;
        }
        let mut copied = Vec::new();
        if let (Value::Pointer(a, x), Value::Pointer(b, y)) = (&to, &from) {
            if a == b && !overlap && !self.apart(&state, (x, &len), (y, &len))? {
                self.doubt(obligation, span);
                self.suspect(Suspicion::Obligation(obligation), &state);
                open |= self.goes_on;
            }
            for cell in state.cells.iter().filter(|cell| cell.alloc == *b) {
                let at = cell.offset.minus(y);
                let rest = len.minus(&at).minus(&constant(i128::from(cell.width)));
                let inside = state.knowledge.non_negative(&at, self.oracle)?
                    && state.knowledge.non_negative(&rest, self.oracle)?;
                if inside && !matches!(cell.value, Value::Top) {
                    copied.push((x.plus(&at), cell.width, cell.value.clone()));
                }
            }
        }
        if let (Value::Pointer(_, x), Value::Pointer(b, y)) = (&to, &from) {
            let parts = self.initial_parts(&state, *b, y, &len);
            copied.extend(parts.into_iter().map(|(at, width, value)| (x.plus(&at), width, value)));
        }
        if open {
            self.erase_perhaps(&mut state, &to, &len)?;
            return Ok(vec![state]);
        }
        let elements = match (&to, &from) {
            (Value::Pointer(a, x), Value::Pointer(b, y)) => self.moved_ranges(&mut state, (*b, y, &len), (*a, x))?,
            (_, _) => Vec::new(),
        };
        self.erase(&mut state, &to, &len)?;
        state.ranges.extend(elements);
        if let Value::Pointer(alloc, _) = to {
            self.not_zeroed(&mut state, alloc);
            for (offset, width, value) in copied {
                self.note_cell(&mut state, alloc, offset, width, value);
            }
        }
        Ok(vec![state])
    }

    /// A byte at or after `offset` that is known to be 0, so that a string ends there.
    pub(super) fn terminator(&mut self, state: &State, alloc: AllocId, offset: &LinExpr) -> Step<Option<LinExpr>> {
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && cell.width == 1) {
            let zero = matches!(&cell.value, Value::Int(value) if as_constant(value) == Some(0));
            if zero && state.knowledge.non_negative(&cell.offset.minus(offset), self.oracle)? {
                return Ok(Some(cell.offset.clone()));
            }
        }
        Ok(None)
    }

    /// The length of the string at `pointer`; notes a doubt if it is not shown to end inside its object.
    pub(super) fn string_length(
        &mut self,
        state: &mut State,
        pointer: &Value,
        obligation: Option<ObligationId>,
        span: Span,
    ) -> Step<LinExpr> {
        let length = state.fresh();
        note(state, length.clone());
        let Value::Pointer(alloc, offset) = pointer else {
            obligation.into_iter().for_each(|id| self.doubt(id, span));
            obligation.into_iter().for_each(|id| self.suspect(Suspicion::Obligation(id), state));
            return Ok(length);
        };
        let end = self.terminator(state, *alloc, offset)?;
        let extent = self.extent(state, *alloc);
        let live = matches!(extent, Some((_, Life::Live)));
        let started = state.knowledge.non_negative(offset, self.oracle)?;
        let contained = match (&end, &extent) {
            (Some(end), Some((size, _))) => {
                state.knowledge.non_negative(&size.minus(end).minus(&constant(1)), self.oracle)?
            }
            (_, _) => false,
        };
        if self.goes_on && !(live && started && contained) {
            obligation.into_iter().for_each(|id| self.doubt(id, span));
            return Ok(length);
        }
        let at = offset.plus(&length);
        if let Some(end) = end {
            note(state, end.minus(&at));
        }
        if live && started && contained {
            self.note_cell(state, *alloc, at, 1, Value::Int(constant(0)));
        } else {
            obligation.into_iter().for_each(|id| self.doubt(id, span));
            obligation.into_iter().for_each(|id| self.suspect(Suspicion::Obligation(id), state));
            if let Some((size, _)) = extent {
                note(state, size.minus(&at).minus(&constant(1)));
                self.note_cell(state, *alloc, at, 1, Value::Int(constant(0)));
            }
        }
        Ok(length)
    }
}
