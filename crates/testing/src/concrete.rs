//! The state of a run as an abstract state that represents it alone: all its numbers are constants.
//!
//! Tests compare the states of runs with the states of graphs by it (Theorem 10): each of them is an instance of the one at its place. What a run
//! has not decided yet is left out, or taken as 0 in a register.
//!
//! A state may speak of bytes beside an object (see [`Cell`]): whatever they are they stay so, and the graph has to hold for any. Here they are 0, in every state of
//! the run, and listed near the object; without them a state that says no more than that some byte stands somewhere would seem to say something false.

use belay_interpreter::{
    ObjectKind, SHOWN_BYTES, Snapshot, SnapshotFrame, SnapshotObject, SnapshotPointer, SnapshotValue,
};
use belay_ir::{GlobalId, InstId, Op, Program};
use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, AllocKind, Allocation, Cell, Frame, Life, State, Value};

/// Bytes on both sides of an object that are looked at.
const BESIDE: i64 = 8;

/// The abstract state that represents a state of a run of `program`.
pub fn abstract_state(program: &Program, snapshot: &Snapshot) -> State {
    let mut state = State::default();
    let concrete = Concrete { program, snapshot };
    state.frames.extend(snapshot.frames.iter().map(|frame| concrete.frame(frame)));
    for (number, object) in snapshot.objects.iter().enumerate() {
        concrete.object(&mut state, number, object);
    }
    state
}

struct Concrete<'s> {
    program: &'s Program,
    snapshot: &'s Snapshot,
}

impl Concrete<'_> {
    fn frame(&self, frame: &SnapshotFrame) -> Frame {
        let params = frame.params.iter().map(|value| self.value(*value)).collect();
        let values = frame.values.iter().map(|(inst, value)| (*inst, self.value(*value))).collect();
        Frame { function: frame.function, block: frame.block, index: frame.index, params, values }
    }

    fn value(&self, value: SnapshotValue) -> Value {
        match value {
            SnapshotValue::Number(number) => Value::Int(LinExpr::constant(number)),
            SnapshotValue::Undecided => Value::Int(LinExpr::constant(0)),
            SnapshotValue::Pointer(pointer) => self.pointer(pointer),
            SnapshotValue::Address(pointer) => match self.pointer(pointer) {
                Value::Pointer(id, offset) => Value::Address(id, offset),
                _ => Value::Top,
            },
            SnapshotValue::Other => Value::Top,
        }
    }

    fn pointer(&self, pointer: SnapshotPointer) -> Value {
        match pointer {
            SnapshotPointer::Null => Value::Null,
            SnapshotPointer::Place(number, offset) => match self.snapshot.objects[number].kind {
                ObjectKind::Function(function) if offset == 0 => Value::function(function),
                ObjectKind::Function(_) => Value::Top,
                kind => Value::Pointer(alloc_id(kind, number), LinExpr::constant(offset)),
            },
            SnapshotPointer::Other => Value::Top,
        }
    }

    fn object(&self, state: &mut State, number: usize, object: &SnapshotObject) {
        let alloc = alloc_id(object.kind, number);
        let kind = self.kind(state, alloc, object);
        if kind.is_none() && matches!(alloc, AllocId::Made(_)) {
            return;
        }
        if let Some(kind) = kind {
            let life = if object.live { Life::Live } else { Life::Dead };
            let zeroed = object.size <= SHOWN_BYTES && object.bytes.iter().all(|byte| *byte == Some(0));
            let size = LinExpr::constant(Rat::parse_integer(&object.size.to_string()).unwrap_or(Rat::ZERO));
            state.allocations.insert(alloc, Allocation { kind, size, life, zeroed, align: object.align });
        }
        if let AllocId::Global(global) = alloc
            && self.is_written(global, object)
        {
            state.written.insert(global);
        }
        if object.live {
            self.cells(state, alloc, object);
        }
    }

    /// True if a global does not hold what it starts with.
    fn is_written(&self, global: GlobalId, object: &SnapshotObject) -> bool {
        let Some(init) = self.program.globals[global].init.as_ref() else { return false };
        let differs = |(at, byte): (usize, &Option<u8>)| {
            byte.is_some_and(|byte| byte != init.bytes.as_slice().get(at).copied().unwrap_or(0))
        };
        object.bytes.iter().enumerate().any(differs)
    }

    fn cells(&self, state: &mut State, alloc: AllocId, object: &SnapshotObject) {
        let pointer_bytes = u64::from(self.program.layout.pointer_bits()) / 8;
        let places = |at: i64| [1u64, 2, 4, 8].map(|width| (at, width));
        let all = (-BESIDE..object.size.min(SHOWN_BYTES) as i64 + BESIDE).flat_map(places);
        let is_inside = |(at, width): &(i64, u64)| *at >= 0 && *at as u64 + width <= object.size;
        // Those that the program can see first.
        let (inside, beside): (Vec<_>, Vec<_>) = all.partition(is_inside);
        for (at, width) in inside.into_iter().chain(beside) {
            let pointer = u64::try_from(at).ok().and_then(|at| object.pointers.get(&at));
            let value = match (number(object, at, width), pointer) {
                (Some(number), _) => Some(Value::Int(LinExpr::constant(number))),
                (None, Some((len, pointer))) if *len == width => Some(self.pointer(*pointer)),
                (None, _) => None,
            };
            let offset = LinExpr::constant(at);
            // A null pointer is kept as plain bytes.
            let zero = matches!(&value, Some(Value::Int(number)) if *number.offset() == Rat::ZERO);
            if zero && width == pointer_bytes {
                state.cells.push(Cell { alloc, offset: offset.clone(), width, value: Value::Null });
            }
            state.cells.extend(value.map(|value| Cell { alloc, offset, width, value }));
        }
    }

    fn kind(&self, state: &State, alloc: AllocId, object: &SnapshotObject) -> Option<AllocKind> {
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

/// The same state, said otherwise: an object of which cells say every byte is still 0 beside them.
pub fn with_zeros(state: &State) -> State {
    let mut said = state.clone();
    for (id, known) in &mut said.allocations {
        let covers = |cell: &Cell, place: i64| {
            let from = cell.offset.offset().to_i64().filter(|_| cell.alloc == *id && cell.offset.is_constant());
            from.is_some_and(|from| (from..from + cell.width as i64).contains(&place))
        };
        let size = known.size.offset().to_i64().filter(|size| *size as u64 <= SHOWN_BYTES);
        let is_told = |place: i64| state.cells.iter().any(|cell| covers(cell, place));
        known.zeroed |= size.is_some_and(|size| (0..size).all(is_told));
    }
    said
}

fn alloc_id(kind: ObjectKind, number: usize) -> AllocId {
    match kind {
        ObjectKind::Global(global) => AllocId::Global(global),
        _ => AllocId::Made(number as u32),
    }
}

/// The number that stands at a place of an object.
fn number(object: &SnapshotObject, at: i64, width: u64) -> Option<i64> {
    let byte = |at: i64| match u64::try_from(at) {
        Ok(at) if at < object.size => object.bytes.get(at as usize).copied().flatten(),
        Ok(_) | Err(_) => Some(0),
    };
    let mut bits = 0u64;
    for index in (0..width as i64).rev() {
        bits = (bits << 8) | u64::from(byte(at + index)?);
    }
    let shift = 64 - 8 * width as u32;
    Some(((bits << shift) as i64) >> shift)
}
