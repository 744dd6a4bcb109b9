//! The state of a run as data, for an [observer](crate::Observer) that wants to compare it with what an engine says of the place.

use std::collections::BTreeMap;

use belay_ir::{BlockId, FuncId, InstId, Type};

use crate::code::Code;
use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::{Life, Object};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::Run;
use crate::value::{Pointer, Value};

/// Bytes at the start of an object that are shown.
pub const SHOWN_BYTES: u64 = 128;

/// A call stack of places, outermost first: function, block, index of the next instruction.
pub type Stack = Vec<(FuncId, BlockId, usize)>;

/// A state.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    /// The calls, outermost first.
    pub frames: Vec<SnapshotFrame>,
    /// The objects by number, dead ones too.
    pub objects: Vec<SnapshotObject>,
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub struct SnapshotFrame {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The next instruction of the block.
    pub index: usize,
    /// The arguments.
    pub params: Vec<SnapshotValue>,
    /// The values of instructions.
    pub values: BTreeMap<InstId, SnapshotValue>,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SnapshotValue {
    /// A number, as signed; a truth value is 0 or 1.
    Number(i64),
    /// An integer that is not decided yet.
    Undecided,
    /// A pointer.
    Pointer(SnapshotPointer),
    /// An integer that is the address of a place.
    Address(SnapshotPointer),
    /// Something else.
    Other,
}

/// A pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SnapshotPointer {
    /// Null.
    Null,
    /// A place in the object of this number.
    Place(usize, i64),
    /// Something else.
    Other,
}

/// An object.
#[derive(Clone, PartialEq, Debug)]
pub struct SnapshotObject {
    /// What it is.
    pub kind: ObjectKind,
    /// Its size.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Whether it is alive.
    pub live: bool,
    /// Its first bytes, at most [`SHOWN_BYTES`] of them; none where one is undefined or part of a pointer.
    pub bytes: Vec<Option<u8>>,
    /// The pointers among those bytes, by offset, with their sizes.
    pub pointers: BTreeMap<u64, (u64, SnapshotPointer)>,
}

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// Shows the observer the state at the beginning of the block at `pc`.
    pub(crate) fn show_block(&mut self, code: &Code, pc: usize) {
        let outer = self.frames.iter().take(self.frames.len().saturating_sub(1)).map(|frame| (frame.code, frame.pc));
        let place = |(code, pc): (&Code, usize)| {
            code.origins.get(pc).map(|origin| (code.function, origin.block, origin.index as usize))
        };
        let stack: Stack = outer.chain([(code, pc)]).filter_map(place).collect();
        if self.observer.wants(&stack) {
            let snapshot = self.snapshot_block(code, pc);
            self.observer.on_block(&snapshot);
        }
    }

    fn snapshot_block(&self, code: &Code, pc: usize) -> Snapshot {
        let depth = self.frames.len();
        let mut frames = Vec::new();
        for (at, frame) in self.frames.iter().enumerate() {
            let innermost = at + 1 == depth;
            let (code, pc) = if innermost { (code, pc) } else { (frame.code, frame.pc) };
            let base = if innermost { self.base } else { frame.base };
            frames.extend(self.snapshot_frame(code, pc, base));
        }
        Snapshot { frames, objects: self.memory.objects.iter().map(snapshot_object).collect() }
    }

    fn snapshot_frame(&self, code: &Code, pc: usize, base: usize) -> Option<SnapshotFrame> {
        let function = &self.program.functions[code.function];
        let origin = code.origins.get(pc)?;
        let value = |register: usize, ty: Type| match self.registers.get(base + register) {
            Some(value) => snapshot_value::<M>(value, ty),
            None => SnapshotValue::Other,
        };
        let params = function.params.iter().enumerate().map(|(at, param)| value(at, param.ty)).collect();
        let mut values = BTreeMap::new();
        for (inst, data) in function.insts.iter_enumerated() {
            let register = code.register_of.get(inst.0 as usize).copied().flatten();
            if let (Some(register), Some(ty)) = (register, data.ty) {
                values.insert(inst, value(register as usize, ty));
            }
        }
        let (block, index) = (origin.block, origin.index as usize);
        Some(SnapshotFrame { function: code.function, block, index, params, values })
    }
}

fn snapshot_value<M: Integers>(value: &Value<M::Int>, ty: Type) -> SnapshotValue {
    match (value, ty) {
        (Value::Int(int), Type::Int(width)) => {
            let number = i64::try_from(&M::signed(width, int)).unwrap_or_default();
            SnapshotValue::Number(if width == 1 { number & 1 } else { number })
        }
        (Value::Ptr(pointer), _) => SnapshotValue::Pointer(snapshot_pointer(*pointer)),
        (Value::Addr(pointer), _) => SnapshotValue::Address(snapshot_pointer(*pointer)),
        (Value::Raw(_) | Value::Bits(_) | Value::Undef(_), Type::Int(_)) => SnapshotValue::Undecided,
        (Value::Int(_) | Value::F32(_) | Value::F64(_) | Value::Raw(_) | Value::Bits(_) | Value::Undef(_), _) => {
            SnapshotValue::Other
        }
    }
}

fn snapshot_pointer(pointer: Pointer) -> SnapshotPointer {
    match pointer {
        Pointer::Bare(0) => SnapshotPointer::Null,
        Pointer::Object { id, offset } => SnapshotPointer::Place(id.0 as usize, offset),
        Pointer::Bare(_) | Pointer::Mark(_) => SnapshotPointer::Other,
    }
}

fn snapshot_object(object: &Object) -> SnapshotObject {
    let size = object.contents.size();
    let plain = |at| object.contents.is_plain(at, 1).then(|| object.contents.plain_byte(at));
    let pointer = |at| match object.contents.special_at(at) {
        Some(Special::Ptr(pointer, len)) => Some((at, (u64::from(*len), snapshot_pointer(*pointer)))),
        _ => None,
    };
    let (kind, live) = (object.kind, object.life == Life::Live);
    let shown = 0..size.min(SHOWN_BYTES);
    let (bytes, pointers) = (shown.clone().map(plain).collect(), shown.filter_map(pointer).collect());
    SnapshotObject { kind, size, align: object.align, live, bytes, pointers }
}
