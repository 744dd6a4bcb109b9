//! The state of a run as an abstract state that represents it alone: all its numbers are constants.
//!
//! Tests compare the states of runs with the states of graphs by it (Theorem 10): each of them is an instance of the one at its place. What a run
//! has not decided yet is left out, or taken as 0 in a register.
//!
//! A state may speak of bytes beside an object (see [`Cell`]): whatever they are they stay so, and the graph has to hold for any. Here they are 0, in every state of
//! the run, and listed near the object; without them a state that says no more than that some byte stands somewhere would seem to say something false.

use belay_ir::{InstId, Op, Type};
use belay_logic::simplex::Rat;

use super::knowledge::constant;
use super::state::{AllocId, AllocKind, Allocation, Cell, Frame, Key, Life, State, Value};
use crate::code::Code;
use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::{Life as ObjectLife, Object};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::Run;
use crate::value::{ObjectId, Pointer, Value as RunValue};

/// Bytes at the start of an object that are looked at.
const MAX_BYTES: u64 = 128;
/// Bytes on both sides of an object that are looked at.
const BESIDE: i64 = 8;

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// Shows the observer the state at the beginning of the block at `pc`.
    pub(crate) fn show_block(&mut self, code: &Code, pc: usize) {
        let outer = self.frames.iter().take(self.frames.len().saturating_sub(1)).map(|frame| (frame.code, frame.pc));
        let place = |(code, pc): (&Code, usize)| {
            code.origins.get(pc).map(|origin| (code.function, origin.block, origin.index as usize))
        };
        let key: Key = outer.chain([(code, pc)]).filter_map(place).collect();
        if self.observer.wants(&key) {
            let state = self.abstracted(code, pc);
            self.observer.on_block(state);
        }
    }

    /// The state at the beginning of the block at `pc`.
    fn abstracted(&self, code: &Code, pc: usize) -> State {
        let mut state = State::default();
        let depth = self.frames.len();
        for (at, frame) in self.frames.iter().enumerate() {
            let innermost = at + 1 == depth;
            let (code, pc) = if innermost { (code, pc) } else { (frame.code, frame.pc) };
            let base = if innermost { self.base } else { frame.base };
            state.frames.extend(self.abstracted_frame(code, pc, base));
        }
        for (at, object) in self.memory.objects.iter().enumerate() {
            self.abstracted_object(&mut state, ObjectId(at as u32), object);
        }
        state
    }

    fn abstracted_frame(&self, code: &Code, pc: usize, base: usize) -> Option<Frame> {
        let function = &self.program.functions[code.function];
        let origin = code.origins.get(pc)?;
        let value = |register: usize, ty: Type| match self.registers.get(base + register) {
            Some(value) => self.abstracted_value(value, ty),
            None => Value::Top,
        };
        let params = function.params.iter().enumerate().map(|(at, param)| value(at, param.ty)).collect();
        let mut values = std::collections::BTreeMap::new();
        for (inst, data) in function.insts.iter_enumerated() {
            let register = code.register_of.get(inst.0 as usize).copied().flatten();
            if let (Some(register), Some(ty)) = (register, data.ty) {
                values.insert(inst, value(register as usize, ty));
            }
        }
        let (block, index) = (origin.block, origin.index as usize);
        Some(Frame { function: code.function, block, index, params, values })
    }

    fn abstracted_value(&self, value: &RunValue<M::Int>, ty: Type) -> Value {
        match (value, ty) {
            (RunValue::Int(int), Type::Int(width)) => {
                let number = M::signed(width, int);
                let number = i64::try_from(&number).unwrap_or_default();
                Value::Int(constant(i128::from(if width == 1 { number & 1 } else { number })))
            }
            (RunValue::Ptr(pointer), _) => self.abstracted_pointer(*pointer),
            (RunValue::Addr(pointer), _) => match self.abstracted_pointer(*pointer) {
                Value::Pointer(id, offset) => Value::Address(id, offset),
                _ => Value::Top,
            },
            (RunValue::Raw(_) | RunValue::Bits(_) | RunValue::Undef(_), Type::Int(_)) => Value::Int(constant(0)),
            (_, _) => Value::Top,
        }
    }

    fn abstracted_pointer(&self, pointer: Pointer) -> Value {
        match pointer {
            Pointer::Bare(0) => Value::Null,
            Pointer::Object { id, offset } => match self.memory.object(id).kind {
                ObjectKind::Function(function) if offset == 0 => Value::function(function),
                ObjectKind::Function(_) => Value::Top,
                ObjectKind::Global(global) => Value::Pointer(AllocId::Global(global), constant(i128::from(offset))),
                _ => Value::Pointer(AllocId::Made(id.0), constant(i128::from(offset))),
            },
            Pointer::Bare(_) | Pointer::Mark(_) => Value::Top,
        }
    }

    fn abstracted_object(&self, state: &mut State, id: ObjectId, object: &Object) {
        let alloc = match object.kind {
            ObjectKind::Global(global) => AllocId::Global(global),
            _ => AllocId::Made(id.0),
        };
        let size = object.contents.size();
        let kind = self.abstracted_kind(state, alloc, object);
        if kind.is_none() && matches!(alloc, AllocId::Made(_)) {
            return;
        }
        if let Some(kind) = kind {
            let life = if object.life == ObjectLife::Live { Life::Live } else { Life::Dead };
            let zero = |at| object.contents.is_plain(at, 1) && object.contents.plain_byte(at) == 0;
            let whole = size <= MAX_BYTES && (0..size).all(zero);
            state.allocations.insert(
                alloc,
                Allocation { kind, size: constant(i128::from(size)), life, zeroed: whole, align: object.align },
            );
        }
        if let (AllocId::Global(global), Some(init)) = (alloc, object_init(self.program, alloc)) {
            let same = |at: u64| {
                !object.contents.is_plain(at, 1)
                    || object.contents.plain_byte(at) == init.get(at as usize).copied().unwrap_or(0)
            };
            if !(0..size.min(MAX_BYTES)).all(same) {
                state.written.insert(global);
            }
        }
        if object.life != ObjectLife::Live {
            return;
        }
        let pointer_bytes = self.memory.pointer_bytes;
        let places = |at: i64| [1u64, 2, 4, 8].map(|width| (at, width));
        let all = (-BESIDE..size.min(MAX_BYTES) as i64 + BESIDE).flat_map(places);
        let is_inside = |(at, width): &(i64, u64)| *at >= 0 && *at as u64 + width <= size;
        // Those that the program can see first.
        let (inside, beside): (Vec<_>, Vec<_>) = all.partition(is_inside);
        for (at, width) in inside.into_iter().chain(beside) {
            let special = u64::try_from(at).ok().and_then(|at| object.contents.special_at(at));
            let value = match (number(object, at, width), special) {
                (Some(number), _) => Some(Value::Int(constant(number))),
                (None, Some(Special::Ptr(pointer, len))) if u64::from(*len) == width => {
                    Some(self.abstracted_pointer(*pointer))
                }
                (None, _) => None,
            };
            let offset = constant(i128::from(at));
            // A null pointer is kept as plain bytes.
            let zero = matches!(&value, Some(Value::Int(number)) if *number.offset() == Rat::ZERO);
            if zero && width == pointer_bytes {
                state.cells.push(Cell { alloc, offset: offset.clone(), width, value: Value::Null });
            }
            state.cells.extend(value.map(|value| Cell { alloc, offset, width, value }));
        }
    }

    fn abstracted_kind(&self, state: &State, alloc: AllocId, object: &Object) -> Option<AllocKind> {
        let owner = |inst: InstId| {
            let holds = |frame: &Frame| matches!(frame.values.get(&inst), Some(Value::Pointer(id, _)) if *id == alloc);
            state.frames.iter().rposition(holds)
        };
        match object.kind {
            ObjectKind::Heap(_) => Some(AllocKind::Heap),
            ObjectKind::Stack(function, inst) => {
                let dynamic = match self.program.functions[function].insts[inst].op {
                    Op::Alloca { dynamic, .. } => dynamic,
                    _ => false,
                };
                Some(AllocKind::Stack { depth: owner(inst)?, inst, dynamic })
            }
            ObjectKind::EntryArgument(_) => Some(AllocKind::Argument),
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::ByValue(..)
            | ObjectKind::Variadic(_)
            | ObjectKind::Arguments
            | ObjectKind::ArgumentString(_) => None,
        }
    }
}

/// The number that stands at a place of an object.
fn number(object: &Object, at: i64, width: u64) -> Option<i128> {
    let byte = |at: i64| match u64::try_from(at) {
        Ok(at) if at < object.contents.size() => {
            object.contents.is_plain(at, 1).then(|| object.contents.plain_byte(at))
        }
        Ok(_) | Err(_) => Some(0),
    };
    let mut bits = 0u128;
    for index in (0..width as i64).rev() {
        bits = (bits << 8) | u128::from(byte(at + index)?);
    }
    Some(super::values::signed(bits, (8 * width) as u16))
}

/// What a global starts with.
fn object_init(program: &belay_ir::Program, alloc: AllocId) -> Option<&[u8]> {
    let AllocId::Global(id) = alloc else { return None };
    program.globals[id].init.as_ref().map(|init| init.bytes.as_slice())
}
