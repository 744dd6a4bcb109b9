//! Reads, writes, copies and fills.

use std::collections::BTreeSet;

use belay_base::Span;
use belay_ir::{InstId, ObligationId, Operand, Property, Target, Type};
use belay_linear::{LinExpr, Rat};

use super::asked::AskedFor;
use super::bytes::of_type;
use super::condition::Truth;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::probe::Suspicion;
use super::shared::Access;
use super::state::{AllocId, AllocKind, Allocation, Cell, Life, State, Value};
use super::values::set;
use belay_states::bytes::signed;

/// Facts about globals that a run starts with at most.
pub(super) const MAX_GLOBAL_CELLS: usize = 96;
/// Facts kept about memory at most.
const MAX_CELLS: usize = 200;
/// The same, of single paths.
const MAX_PROBED: usize = 4000;

/// What a state after an access knows of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Validity {
    /// It was shown to be valid.
    Shown,
    /// It was not; runs in which it is invalid are not in the state.
    Assumed,
    /// It was not; they are.
    Open,
}

/// A state after an access.
pub(super) struct Accessed {
    pub(super) state: State,
    pub(super) validity: Validity,
}

impl<'m> Machine<'m> {
    /// Globals that hold one scalar start as cells, small structs with one for each part ([`super::globals`]), and strings with their terminator.
    pub(super) fn start_globals(&mut self, state: &mut State) {
        let accesses = self.direct_accesses();
        for (id, global) in self.program.globals.iter_enumerated() {
            let (Some(size), Some(init)) = (global.size, &global.init) else { continue };
            let alloc = AllocId::Global(id);
            if matches!(size, 1 | 2 | 4 | 8) && !global.constant && state.cells.len() < MAX_GLOBAL_CELLS {
                if let Some(value) = self.initial(id, 0, size, size == self.program.layout.pointer_bytes()) {
                    self.note_cell(state, alloc, constant(0), size, value);
                }
            } else if self.start_parts(state, id, accesses.get(&id)) {
            } else if init.relocations.is_empty()
                && size <= 1 << 20
                && init.bytes.len() as u64 <= size
                && (init.bytes.len() as u64) < size + u64::from(init.bytes.last() == Some(&0))
                && state.cells.len() < MAX_GLOBAL_CELLS
            {
                self.note_cell(state, alloc, constant(i128::from(size) - 1), 1, Value::Int(constant(0)));
            }
        }
        self.start_tables(state);
    }

    /// What a global holds at the start: a number, or an address where one of that width stands there.
    pub(super) fn initial(&self, id: belay_ir::GlobalId, offset: u64, width: u64, pointer: bool) -> Option<Value> {
        let global = &self.program.globals[id];
        let init = global.init.as_ref()?;
        if width > 8 || offset.checked_add(width)? > global.size? {
            return None;
        }
        let pointer_bytes = self.program.layout.pointer_bytes();
        let hit = init
            .relocations
            .iter()
            .find(|relocation| relocation.offset < offset + width && offset < relocation.offset + pointer_bytes);
        if let Some(relocation) = hit {
            if relocation.offset != offset || width != pointer_bytes || !pointer {
                return None;
            }
            return Some(match relocation.target {
                Target::Global(target) => {
                    self.program.globals[target].size?;
                    Value::Pointer(AllocId::Global(target), constant(i128::from(relocation.addend)))
                }
                Target::Func(function) if relocation.addend == 0 => Value::function(function),
                Target::Func(_) => Value::Top,
            });
        }
        let byte = |at: u64| init.bytes.get((offset + at) as usize).copied().unwrap_or(0);
        let bits = (0..width).rev().fold(0u128, |sum, at| (sum << 8) | u128::from(byte(at)));
        Some(Value::Int(constant(signed(bits, (width * 8) as u16))))
    }

    /// An object's size and whether it lives.
    pub(super) fn extent(&self, state: &State, alloc: AllocId) -> Option<(LinExpr, Life)> {
        match alloc {
            AllocId::Global(id) => self.program.globals[id].size.map(|size| (constant(i128::from(size)), Life::Live)),
            AllocId::Made(_) => {
                state.allocations.get(&alloc).map(|allocation| (allocation.size.clone(), allocation.life))
            }
        }
    }

    /// Looks at an access of `len` bytes: notes a doubt if it is not shown to be valid, then assumes that it is, unless runs go on. `None`: it
    /// never is.
    pub(super) fn access(
        &mut self,
        state: State,
        pointer: &Value,
        len: &LinExpr,
        writes: bool,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Option<Accessed>> {
        let before = (self.goes_on || !state.segments.is_empty()).then(|| state.clone());
        let after = self.accessed(state, pointer, len, writes, obligation, span)?;
        if let Some((state, true)) = after {
            return Ok(Some(Accessed { state, validity: Validity::Shown }));
        }
        if let Some(before) = before {
            if self.goes_on {
                return Ok(Some(Accessed { state: before, validity: Validity::Open }));
            }
            // Where the access is valid lists may be empty that are not where the run ends here.
            self.judge_reachable(&before, span)?;
        }
        if after.is_none() {
            self.broken.get_or_insert(span);
        }
        Ok(after.map(|(state, _)| Accessed { state, validity: Validity::Assumed }))
    }

    /// The state after an access, and whether that was shown to be valid.
    fn accessed(
        &mut self,
        mut state: State,
        pointer: &Value,
        len: &LinExpr,
        writes: bool,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Option<(State, bool)>> {
        let Value::Pointer(alloc, offset) = pointer else {
            self.doubt(obligation, span);
            self.suspect(Suspicion::Obligation(obligation), &state);
            if matches!(pointer, Value::Top) {
                self.lacks_pointer(obligation);
            }
            return Ok(if matches!(pointer, Value::Null | Value::Function(_)) { None } else { Some((state, false)) });
        };
        let constant_object = matches!(alloc, AllocId::Global(id) if self.program.globals[*id].constant);
        let Some((size, life)) = self.extent(&state, *alloc) else {
            self.doubt(obligation, span);
            self.suspect(Suspicion::Obligation(obligation), &state);
            return Ok(Some((state, false)));
        };
        let room = size.minus(offset).minus(len);
        let valid = life == Life::Live
            && !(writes && constant_object)
            && state.knowledge.non_negative(offset, self.oracle)?
            && state.knowledge.non_negative(&room, self.oracle)?;
        if valid {
            return Ok(Some((state, true)));
        }
        self.doubt(obligation, span);
        if life == Life::Dead || (writes && constant_object) {
            self.suspect(Suspicion::Obligation(obligation), &state);
            return Ok(None);
        }
        if life == Life::Maybe {
            self.suspect(Suspicion::Obligation(obligation), &state);
        }
        self.suspect_access(&state, offset, &room, len, obligation)?;
        self.lacks(obligation, &state, &[Truth::AtLeast(offset.clone()), Truth::AtLeast(room.clone())])?;
        for expr in [offset.clone(), room] {
            if !state.knowledge.assume(expr, self.oracle)? {
                return Ok(None);
            }
        }
        Ok(Some((state, false)))
    }

    pub(super) fn load(
        &mut self,
        mut state: State,
        id: InstId,
        ptr: Operand,
        ty: Type,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let pointer = self.value(&mut state, ptr);
        let width = self.program.layout.store_size(ty);
        let len = constant(i128::from(width));
        let Some(Accessed { mut state, validity }) = self.access(state, &pointer, &len, false, obligation, span)?
        else {
            return Ok(Vec::new());
        };
        if validity == Validity::Open || !matches!(pointer, Value::Pointer(..)) {
            let value = self.anything(&mut state, ty);
            set(&mut state, id, value);
            return Ok(vec![state]);
        }
        let mut states = Vec::new();
        for state in self.exposed_element(state, ptr, width, Access::Read)? {
            for (mut state, entry) in self.entries(state, ptr, ty)? {
                let value = match (entry, self.value(&mut state, ptr)) {
                    (Some(entry), _) => entry,
                    (None, Value::Pointer(alloc, offset)) => self.read(&mut state, alloc, &offset, ty, span)?,
                    (None, _) => self.anything(&mut state, ty),
                };
                set(&mut state, id, value);
                states.push(state);
            }
        }
        Ok(states)
    }

    /// What memory holds at a valid place.
    pub(super) fn read(
        &mut self,
        state: &mut State,
        alloc: AllocId,
        offset: &LinExpr,
        ty: Type,
        span: Span,
    ) -> Step<Value> {
        let width = self.program.layout.store_size(ty);
        let whole = ty.int_width().is_none_or(|bits| u64::from(bits) == 8 * width);
        let mut found = None;
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && cell.width == width && whole) {
            if state.knowledge.zero(&cell.offset.minus(offset), self.oracle)? {
                found = Some(cell.value.clone());
                break;
            }
        }
        if let Some(value) = found.and_then(|value| of_type(value, ty)) {
            return Ok(value);
        }
        if let Some(value) = self.untouched(state, alloc, offset, width, ty)?
            && whole
            && let Some(value) = of_type(value, ty)
        {
            return Ok(value);
        }
        if whole
            && let Some(number) = self.assembled(state, alloc, offset, width)?
            && let Some(value) = of_type(Value::Int(constant(number)), ty)
        {
            return Ok(value);
        }
        if whole
            && ty.int_width().is_some()
            && let Some(part) = self.part(state, alloc, offset, width)?
        {
            return Ok(Value::Int(part));
        }
        let value = self.asked_for(state, AskedFor::Memory(alloc, offset.clone(), width), ty, span);
        if whole && matches!(value, Value::Int(_)) {
            let value = self.bounded_by_table(state, (alloc, offset, width), value);
            self.note_cell(state, alloc, offset.clone(), width, value.clone());
            return Ok(value);
        }
        Ok(value)
    }

    /// What an object held from its beginning, where nothing was written since.
    pub(super) fn untouched(
        &mut self,
        state: &State,
        alloc: AllocId,
        offset: &LinExpr,
        width: u64,
        ty: Type,
    ) -> Step<Option<Value>> {
        match alloc {
            AllocId::Global(id) if !state.written.contains(&id) => {
                let at = as_constant(offset).and_then(|at| u64::try_from(at).ok());
                Ok(match at {
                    Some(at) => self.initial(id, at, width, ty == Type::Ptr),
                    None if ty == Type::Ptr => self.function_table(id, offset),
                    None => None,
                })
            }
            AllocId::Made(_) if state.allocations.get(&alloc).is_some_and(|known| known.zeroed) => {
                if state.ranges.iter().any(|range| range.alloc == alloc) {
                    return Ok(None);
                }
                for cell in state.cells.iter().filter(|cell| cell.alloc == alloc) {
                    if !self.disjoint(state, (&cell.offset, cell.width), (offset, width))? {
                        return Ok(None);
                    }
                }
                Ok(Some(if ty == Type::Ptr { Value::Null } else { Value::Int(constant(0)) }))
            }
            AllocId::Global(_) | AllocId::Made(_) => Ok(None),
        }
    }

    /// One of the functions of a table that holds nothing else, if the offset is that of an entry.
    fn function_table(&self, id: belay_ir::GlobalId, offset: &LinExpr) -> Option<Value> {
        let width = self.program.layout.pointer_bytes();
        let entry = Rat::from(width as i64).recip()?;
        let scaled = offset.scaled(&entry);
        let aligned = scaled.offset().is_integer() && scaled.terms().iter().all(|(_, factor)| factor.is_integer());
        let (global, init) = (&self.program.globals[id], self.program.globals[id].init.as_ref()?);
        let function = |relocation: &belay_ir::Relocation| match relocation.target {
            Target::Func(function) if relocation.addend == 0 && relocation.offset.is_multiple_of(width) => {
                Some(function)
            }
            Target::Func(_) | Target::Global(_) => None,
        };
        let functions: Option<BTreeSet<_>> = init.relocations.iter().map(function).collect();
        let full = global.size? == width * init.relocations.len() as u64;
        functions.filter(|_| aligned && full).map(Value::Function)
    }

    fn disjoint(&mut self, state: &State, a: (&LinExpr, u64), b: (&LinExpr, u64)) -> Step<bool> {
        let (first, second) = (constant(i128::from(a.1)), constant(i128::from(b.1)));
        self.apart(state, (a.0, &first), (b.0, &second))
    }

    /// True only if two ranges of one object do not meet.
    pub(super) fn apart(&mut self, state: &State, a: (&LinExpr, &LinExpr), b: (&LinExpr, &LinExpr)) -> Step<bool> {
        Ok(state.knowledge.non_negative(&b.0.minus(a.0).minus(a.1), self.oracle)?
            || state.knowledge.non_negative(&a.0.minus(b.0).minus(b.1), self.oracle)?)
    }

    /// Adds a fact about memory.
    pub(super) fn note_cell(&mut self, state: &mut State, alloc: AllocId, offset: LinExpr, width: u64, value: Value) {
        if state.cells.len() >= if self.probing() { MAX_PROBED } else { MAX_CELLS } {
            // Forgetting a fact is sound, unless it says where zeros end.
            let at = state.cells.iter().position(|cell| match cell.alloc {
                AllocId::Made(_) => state.allocations.get(&cell.alloc).is_none_or(|known| !known.zeroed),
                AllocId::Global(_) => true,
            });
            match at {
                Some(at) => drop(state.cells.remove(at)),
                None => return self.not_zeroed(state, alloc),
            }
        }
        state.cells.push(Cell { alloc, offset, width, value });
    }

    pub(super) fn not_zeroed(&mut self, state: &mut State, alloc: AllocId) {
        if let Some(known) = state.allocations.get_mut(&alloc) {
            known.zeroed = false;
        }
    }

    pub(super) fn store(
        &mut self,
        mut state: State,
        ptr: Operand,
        value: Operand,
        ty: Type,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let pointer = self.value(&mut state, ptr);
        let width = self.program.layout.store_size(ty);
        let len = constant(i128::from(width));
        let Some(Accessed { mut state, validity }) = self.access(state, &pointer, &len, true, obligation, span)? else {
            return Ok(Vec::new());
        };
        if validity == Validity::Open {
            self.erase_perhaps(&mut state, &pointer, &len)?;
            return Ok(vec![state]);
        }
        let mut states = self.exposed_element(state, ptr, width, Access::Write(value))?;
        for state in &mut states {
            self.stored(state, ptr, value, ty)?;
        }
        Ok(states)
    }

    /// The state after a valid write.
    fn stored(&mut self, state: &mut State, ptr: Operand, value: Operand, ty: Type) -> Step<()> {
        let (pointer, value) = (self.value(state, ptr), self.value(state, value));
        let width = self.program.layout.store_size(ty);
        let whole = ty.int_width().is_none_or(|bits| u64::from(bits) == 8 * width);
        let kept = match (&pointer, &value) {
            (Value::Pointer(alloc, _), Value::Int(byte)) if whole && width == 1 => {
                Some(self.untouched_by_byte(state, *alloc, byte)?)
            }
            (_, _) => None,
        };
        let aside = match &pointer {
            Value::Pointer(alloc, offset) if whole => self.unchanged_ranges(state, (*alloc, offset), width, &value)?,
            _ => Vec::new(),
        };
        self.erase(state, &pointer, &constant(i128::from(width)))?;
        state.ranges.extend(aside);
        if let (Some(kept), Value::Pointer(alloc, _)) = (kept, &pointer) {
            kept.restore(state, *alloc);
        }
        if let Value::Pointer(alloc, offset) = pointer {
            let zeroed = state.allocations.get(&alloc).is_some_and(|known| known.zeroed);
            match value {
                Value::Int(_) | Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) if whole => {
                    self.note_cell(state, alloc, offset, width, value);
                }
                // A cell that holds anything says where the zeros end.
                _ if zeroed => self.note_cell(state, alloc, offset, width, Value::Top),
                _ => {}
            }
        }
        Ok(())
    }

    /// Forgets what a write of `len` bytes may have changed, if it was made at all.
    pub(super) fn erase_perhaps(&mut self, state: &mut State, pointer: &Value, len: &LinExpr) -> Step<()> {
        match pointer {
            Value::Null | Value::Function(_) => Ok(()),
            Value::Pointer(alloc, _) => {
                self.not_zeroed(state, *alloc);
                self.erase(state, pointer, len)
            }
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Top => self.erase(state, pointer, len),
        }
    }

    /// Forgets what a write of `len` bytes may change.
    pub(super) fn erase(&mut self, state: &mut State, pointer: &Value, len: &LinExpr) -> Step<()> {
        let Value::Pointer(alloc, offset) = pointer else {
            state.cells.retain(|cell| matches!(cell.alloc, AllocId::Global(id) if self.program.globals[id].constant));
            state.allocations.values_mut().for_each(|known| known.zeroed = false);
            state.forget_segments();
            state.unknown_write = true;
            state.written =
                self.program.globals.iter_enumerated().filter(|(_, g)| !g.constant).map(|(id, _)| id).collect();
            return Ok(());
        };
        if let AllocId::Global(id) = alloc {
            state.written.insert(*id);
        }
        self.erase_ranges(state, *alloc, offset, len)?;
        let mut zeroed = state.allocations.get(alloc).is_some_and(|known| known.zeroed);
        let mut kept = Vec::new();
        for cell in std::mem::take(&mut state.cells) {
            let width = constant(i128::from(cell.width));
            if cell.alloc != *alloc || self.apart(state, (&cell.offset, &width), (offset, len))? {
                kept.push(cell);
            } else if let Some(left) = self.left_of(&cell, offset, len) {
                kept.extend(left);
            } else if zeroed
                && !(cell.offset == *offset && state.knowledge.non_negative(&len.minus(&width), self.oracle)?)
            {
                // Bytes of the cell that are not overwritten are not zero.
                zeroed = false;
            }
        }
        state.cells = kept;
        if !zeroed {
            self.not_zeroed(state, *alloc);
        }
        Ok(())
    }

    /// Ends the dynamic stack objects of the innermost frame: which of them is not told apart.
    pub(super) fn end_dynamic(&mut self, state: &mut State) -> Step<()> {
        let here = state.frames.len() - 1;
        let is_ended =
            |known: &Allocation| matches!(known.kind, AllocKind::Stack { depth, dynamic: true, .. } if depth == here);
        let ended: Vec<AllocId> =
            state.allocations.iter().filter(|(_, known)| is_ended(known)).map(|(id, _)| *id).collect();
        for id in ended {
            self.lose_ranges_of(state, id)?;
        }
        state.doubt_lives(is_ended);
        Ok(())
    }

    /// Ends the stack objects of the frame at `depth`.
    pub(super) fn end_frame(&mut self, state: &mut State, here: usize) -> Step<()> {
        let mut gone: Vec<AllocId> = Vec::new();
        for (id, allocation) in &state.allocations {
            if matches!(allocation.kind, AllocKind::Stack { depth, .. } if depth == here) {
                gone.push(*id);
            }
        }
        for id in gone {
            self.lose_ranges_of(state, id)?;
            state.forget(id);
        }
        Ok(())
    }

    /// Notes a leak for a property that has no obligation of its own.
    pub fn leak(&mut self, property: Property, span: Span) {
        self.leaks.entry(property).or_insert(span);
    }
}
