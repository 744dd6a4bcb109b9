//! Arguments that go through `...`: an object of the callee's frame in which they stand as [`belay_rules::calling`] says, so that `va_start` makes a list that leads there, clang's code
//! for `va_arg` reads them, and so do `vprintf` and its kin.
//!
//! *Sound*: the interpreter lays them out in the same places, reads them in the same way, and holds them as long as the frame is there, as they are here (in a parameter behind the last
//! one, which no liveness speaks of). It makes the object at the first `va_start` only: until then nothing leads there, and no program can tell. A place that is asked for
//! beyond the last argument lies outside the object.

use belay_base::Span;
use belay_ir::{DataModel, Function, InstId, ObligationId, Operand, Type};
use belay_linear::LinExpr;
use belay_rules::calling::{Layout, NO_FLOATS, NO_GENERAL, list_size};

use super::builtins::Site;
use super::knowledge::constant;
use super::machine::{Halt, Machine, Step};
use super::memory::{Accessed, Validity};
use super::state::{AllocId, AllocKind, Allocation, State, Value};

/// Where in an x86-64 `va_list` the address of the next argument stands.
const NEXT: i128 = 8;

/// Where the arguments of a format come from.
pub(super) enum Arguments {
    /// They are the call's own, from this one on.
    Call(usize),
    /// They stand in memory, from this place on.
    Memory(AllocId, LinExpr),
}

/// A `va_list`, and where it leads.
pub(super) struct List {
    /// Where the address of the next argument is kept; a list of i386 is that address itself, which its owner keeps.
    place: Option<(AllocId, LinExpr)>,
    pub(super) next: (AllocId, LinExpr),
}

/// True for the parameter that holds where the arguments stand that went through `...`.
pub(super) fn is_area(function: &Function, index: usize) -> bool {
    function.variadic && index == function.params.len()
}

impl<'m> Machine<'m> {
    /// The object in which the arguments of a call stand that go through `...`, of the frame at `depth`, which is entered next.
    pub(super) fn lay_out(&mut self, state: &mut State, args: &[Operand], depth: usize, span: Span) -> Step<Value> {
        let not_followed = || Halt::Unable("an argument through `...` is not followed".to_owned(), span);
        let caller = state.frames.last().map(|frame| &self.program.functions[frame.function]);
        let types: Option<Vec<Type>> = args.iter().map(|arg| caller?.operand_type(*arg)).collect();
        let types = types.ok_or_else(not_followed)?;
        let mut layout = Layout::new(self.program.layout.model);
        let stored: Vec<u64> = types.iter().map(|ty| self.program.layout.store_size(*ty)).collect();
        let places: Vec<u64> = types.iter().zip(&stored).map(|(ty, stored)| layout.next(*ty, *stored, None)).collect();
        let kind = AllocKind::Stack { depth, inst: InstId(u32::MAX), dynamic: false };
        let size = constant(i128::from(layout.size));
        let area = state.allocate(Allocation { kind, align: 16, ..Allocation::block(size, false) });
        for (index, arg) in args.iter().enumerate() {
            let (ty, width) = (types[index], stored[index]);
            let whole = ty.int_width().is_none_or(|bits| u64::from(bits) == 8 * width);
            let value = self.value(state, *arg);
            match value {
                Value::Int(_) | Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) if whole => {
                    self.note_cell(state, area, constant(i128::from(places[index])), width, value);
                }
                Value::Int(_) | Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) => {}
                Value::Truth(_) | Value::Top => {}
            }
        }
        Ok(Value::Pointer(area, constant(0)))
    }

    /// `va_start`.
    pub(super) fn va_start(
        &mut self,
        state: State,
        list: Operand,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let area = state.frames.last().and_then(|frame| {
            let function = &self.program.functions[frame.function];
            frame.params.get(function.params.len()).filter(|_| is_area(function, function.params.len())).cloned()
        });
        let Some(area @ Value::Pointer(..)) = area else {
            return Err(Halt::Unable("variable arguments are not followed".to_owned(), span));
        };
        let mut state = state;
        let pointer = self.value(&mut state, list);
        let model = self.program.layout.model;
        let size = constant(i128::from(list_size(model)));
        let Some(accessed) = self.access(state, &pointer, &size, true, obligation, span)? else {
            return Ok(Vec::new());
        };
        let Accessed { mut state, validity } = accessed;
        let (Value::Pointer(alloc, offset), Validity::Shown | Validity::Assumed) = (&pointer, validity) else {
            self.erase_perhaps(&mut state, &pointer, &size)?;
            return Ok(vec![state]);
        };
        if model == DataModel::Ilp32 {
            self.put(&mut state, (*alloc, offset.clone()), 4, area)?;
            return Ok(vec![state]);
        }
        let number = |number: u32| Value::Int(constant(i128::from(number)));
        let parts = [(0, 4, number(NO_GENERAL)), (4, 4, number(NO_FLOATS)), (NEXT, 8, area)];
        for (at, width, value) in parts {
            self.put(&mut state, (*alloc, offset.plus(&constant(at))), width, value)?;
        }
        Ok(vec![state])
    }

    /// `va_copy`: bytes that are moved, wherever they lie.
    pub(super) fn va_copy(
        &mut self,
        state: State,
        (dst, src): (Operand, Operand),
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let layout = self.program.layout;
        let len = Operand::Int { width: layout.pointer_bits(), value: list_size(layout.model).into() };
        self.copy(state, (dst, src, len), true, obligation, span)
    }

    /// The list that is given to `vprintf` and its kin, if it is shown to lead somewhere.
    pub(super) fn list(&mut self, state: &mut State, index: usize, site: &Site<'_>) -> Step<Option<List>> {
        let Value::Pointer(alloc, offset) = self.argument(state, site, index) else { return Ok(None) };
        let model = self.program.layout.model;
        if model == DataModel::Ilp32 {
            return Ok(Some(List { place: None, next: (alloc, offset) }));
        }
        let size = constant(i128::from(list_size(model)));
        if !self.is_room(state, alloc, &offset, &size)? {
            return Ok(None);
        }
        let place = offset.plus(&constant(NEXT));
        Ok(match self.read(state, alloc, &place, Type::Ptr, site.span)? {
            Value::Pointer(area, next) => Some(List { place: Some((alloc, place)), next: (area, next) }),
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => {
                None
            }
        })
    }

    /// The list leads to the argument behind those that were taken.
    pub(super) fn move_on(&mut self, state: &mut State, list: &List, taken: &Arguments) -> Step<()> {
        match (&list.place, taken) {
            (Some(place), Arguments::Memory(alloc, next)) => {
                self.put(state, place.clone(), 8, Value::Pointer(*alloc, next.clone()))
            }
            (_, _) => Ok(()),
        }
    }

    /// The next argument, if it was passed: anything where it has another type than is asked for.
    pub(super) fn next_argument(
        &mut self,
        state: &mut State,
        arguments: &mut Arguments,
        ty: Type,
        site: &Site<'_>,
    ) -> Step<Option<Value>> {
        match arguments {
            Arguments::Call(at) => {
                let Some(operand) = site.args.get(*at) else { return Ok(None) };
                *at += 1;
                let caller = state.frames.last().map(|frame| &self.program.functions[frame.function]);
                let given = caller.and_then(|caller| caller.operand_type(*operand));
                Ok(Some(if given == Some(ty) { self.value(state, *operand) } else { Value::Top }))
            }
            Arguments::Memory(alloc, offset) => {
                let size = self.program.layout.store_size(ty);
                if !self.is_inside(state, *alloc, offset, &constant(i128::from(size)))? {
                    return Ok(None);
                }
                let value = self.read(state, *alloc, offset, ty, site.span)?;
                let slot = self.program.layout.pointer_bytes();
                *offset = offset.plus(&constant(i128::from(size.next_multiple_of(slot))));
                Ok(Some(value))
            }
        }
    }

    /// Writes a value of a whole number of bytes to a place that is valid.
    fn put(&mut self, state: &mut State, place: (AllocId, LinExpr), width: u64, value: Value) -> Step<()> {
        let (alloc, offset) = place;
        self.erase(state, &Value::Pointer(alloc, offset.clone()), &constant(i128::from(width)))?;
        self.note_cell(state, alloc, offset, width, value);
        Ok(())
    }
}
