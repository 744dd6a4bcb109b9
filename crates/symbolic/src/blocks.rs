//! Blocks of memory: fills and copies.

use belay_base::Span;
use belay_ir::{ObligationId, Operand};
use belay_linear::LinExpr;

use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::memory::{Accessed, Validity};
use super::probe::Suspicion;
use super::state::{AllocId, State, Value};

/// Bytes of a copy of zeros that are looked at, at most.
const MAX_ZEROS: i128 = 128;

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
            // The low byte of the number is what is written.
            if matches!(as_constant(&byte), Some(1..=127)) && !self.probing() {
                self.note_text(&mut state, *alloc, offset, &len)?;
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
        if let (Value::Pointer(a, x), Value::Pointer(b, y)) = (&to, &from)
            && a == b
            && !overlap
            && !self.apart(&state, (x, &len), (y, &len))?
        {
            self.doubt(obligation, span);
            self.suspect(Suspicion::Obligation(obligation), &state);
            open |= self.goes_on;
        }
        if open {
            self.erase_perhaps(&mut state, &to, &len)?;
            return Ok(vec![state]);
        }
        if let (Value::Pointer(a, x), Value::Pointer(b, y)) = (&to, &from) {
            return Ok(vec![self.transfer(state, (*a, x), (*b, y), &len)?]);
        }
        self.erase(&mut state, &to, &len)?;
        if let Value::Pointer(alloc, _) = to {
            self.not_zeroed(&mut state, alloc);
        }
        Ok(vec![state])
    }

    /// The state after a valid copy of `len` bytes.
    pub(super) fn transfer(
        &mut self,
        mut state: State,
        (a, x): (AllocId, &LinExpr),
        (b, y): (AllocId, &LinExpr),
        len: &LinExpr,
    ) -> Step<State> {
        self.note_words(&mut state, (b, y), len)?;
        let mut copied = Vec::new();
        for cell in state.cells.iter().filter(|cell| cell.alloc == b) {
            let at = cell.offset.minus(y);
            let rest = len.minus(&at).minus(&constant(i128::from(cell.width)));
            let inside =
                state.knowledge.non_negative(&at, self.oracle)? && state.knowledge.non_negative(&rest, self.oracle)?;
            if inside && !matches!(cell.value, Value::Top) {
                copied.push((x.plus(&at), cell.width, cell.value.clone()));
            }
        }
        let zeros = if a == b { None } else { self.zeros_among(&state, (b, y), len)? };
        copied.extend(zeros.iter().flatten().map(|(at, width, value)| (x.plus(at), *width, value.clone())));
        let parts = self.initial_parts(&state, b, y, len);
        copied.extend(parts.into_iter().map(|(at, width, value)| (x.plus(&at), width, value)));
        let elements = self.moved_ranges(&mut state, (b, y, len), (a, x))?;
        let aside = self.uncopied_ranges(&mut state, [(a, x), (b, y)], len, &copied)?;
        self.erase(&mut state, &Value::Pointer(a, x.clone()), len)?;
        let elements = self.not_within(&state, elements, &aside, (x, len, &copied))?;
        state.ranges.extend(elements.into_iter().chain(aside));
        let is_zeroed = state.allocations.get(&a).is_some_and(|known| known.zeroed);
        let whole = zeros.is_some() && as_constant(x) == Some(0);
        match self.unknown_among(x, len, &copied).filter(|_| is_zeroed && a != b) {
            // Zeros beside what is copied stay.
            Some(unknown) => copied.extend(unknown),
            None => self.not_zeroed(&mut state, a),
        }
        if let Some(known) = state.allocations.get_mut(&a).filter(|known| whole && known.size == *len) {
            known.zeroed = true;
        }
        for (offset, width, value) in copied {
            self.note_cell(&mut state, a, offset, width, value);
        }
        Ok(state)
    }

    /// The bytes of a copy of which no cell says what they are, as cells that hold anything: so the object they are copied to is still 0 wherever it was and no cell stands. None if the copy is
    /// long, or where it goes is not known.
    fn unknown_among(
        &self,
        x: &LinExpr,
        len: &LinExpr,
        copied: &[(LinExpr, u64, Value)],
    ) -> Option<Vec<(LinExpr, u64, Value)>> {
        let (Some(_), Some(len @ 1..=MAX_ZEROS)) = (as_constant(x), as_constant(len)) else { return None };
        let mut covered = vec![false; len as usize];
        for (offset, width, _) in copied {
            let at = as_constant(&offset.minus(x)).and_then(|at| usize::try_from(at).ok())?;
            covered.get_mut(at..at + *width as usize)?.fill(true);
        }
        let (mut unknown, mut at) = (Vec::new(), 0);
        while at < covered.len() {
            let open = covered[at..].iter().take(8).take_while(|covered| !**covered).count();
            if open > 0 {
                unknown.push((x.plus(&constant(at as i128)), open as u64, Value::Top));
            }
            at += open.max(1);
        }
        Some(unknown)
    }

    /// Of bytes of an object that is still 0 elsewhere: where anything else may stand among them, and words that are 0. None if that is not known, or if there are many.
    ///
    /// *Sound*: each of these bytes is 0 unless a cell covers it, and all cells that meet them are at constant places and inside. So an object whose bytes are a copy of them is still 0 beside
    /// the cells that are copied; where anything stands, so does a cell that says no more.
    fn zeros_among(
        &mut self,
        state: &State,
        (b, y): (AllocId, &LinExpr),
        len: &LinExpr,
    ) -> Step<Option<Vec<(LinExpr, u64, Value)>>> {
        let is_zeroed = state.allocations.get(&b).is_some_and(|known| known.zeroed);
        let has_ranges = state.ranges.iter().any(|range| range.alloc == b);
        let (Some(start), Some(len @ 1..=MAX_ZEROS)) = (as_constant(y), as_constant(len)) else { return Ok(None) };
        if !is_zeroed || has_ranges || self.probing() {
            return Ok(None);
        }
        let mut covered = vec![false; len as usize];
        let mut found = Vec::new();
        for cell in state.cells.iter().filter(|cell| cell.alloc == b) {
            let Some(at) = as_constant(&cell.offset).map(|at| at - start) else { return Ok(None) };
            let end = at + i128::from(cell.width);
            if end <= 0 || at >= len {
                continue;
            }
            if at < 0 || end > len {
                return Ok(None);
            }
            covered[at as usize..end as usize].fill(true);
            if cell.value == Value::Top {
                found.push((constant(at), cell.width, Value::Top));
            }
        }
        let word = self.program.layout.pointer_bytes() as usize;
        for at in (0..covered.len()).step_by(word) {
            if covered.get(at..at + word).is_some_and(|bytes| !bytes.contains(&true)) {
                found.push((constant(at as i128), word as u64, Value::Int(constant(0))));
            }
        }
        Ok(Some(found))
    }
}
