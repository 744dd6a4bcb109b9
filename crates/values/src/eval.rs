//! One step of every function: what each instruction makes of a state that a map describes.
//!
//! **Soundness.** Claim: if the map allows for every update that [`Evaluator`] names ([`ValueMap::covers`]), it describes every state of every run, up to the first
//! violation that ends it. By induction over the steps of a run: at the start the constructors and the entry function stand in their first
//! blocks with arguments that are among those named, and memory is as initialisers say, which the contents hold ([`Evaluator::covers_starts`]).
//! A step computes a register from registers and memory that the map describes; what the evaluator says of the result holds all values that the step
//! can give, where an operand may be taken as narrowed by the facts at its place ([`crate::shape`]). What a step writes is within the places and
//! values that are named, since an access that is not valid ends the run: so only the targets of a pointer are written, within their bounds; a
//! pointer of which nothing is known writes `Wild`, after which no read says anything. Signed overflow and shifts beyond the width do not end a run and are followed
//! as the machine does. What has no verdict (`Unsupported`, calls of another type, pointers from functions without a body) is named as such and never allowed for.
//!
//! **Where it gives up.** Integers beyond 64 bits, floats and addresses as numbers are anything; entry functions other than `main` that take pointers.

use belay_base::IdVec;
use belay_ir::{
    BlockId, CallGraph, CastOp, FuncId, Function, InstId, IntPredicate, Op, Operand, Program, Terminator, Type,
};
use belay_rules::Config;

use crate::map::{Update, ValueMap};
use crate::memory::Tables;
use crate::range::{MAX_WIDTH, Range};
use crate::shape::{Comparison, Shape, Subject, Via, edge_comparisons};
use crate::value::{Base, Pointer, Value};

/// Whether control goes on behind an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It may.
    GoesOn,
    /// It does not.
    Ends,
}

/// A place in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The instruction of the block, or how many it has: its end.
    pub at: usize,
}

/// Comparisons with what is itself compared are followed so far.
const MAX_REFINE: u32 = 2;

/// What a program's steps do.
pub struct Evaluator<'p> {
    /// The program.
    pub program: &'p Program,
    /// How it is executed.
    pub config: Config,
    shapes: IdVec<FuncId, Option<Shape>>,
    /// Functions whose address is taken.
    pub address_taken: Vec<FuncId>,
    pub(crate) tables: Tables,
}

impl<'p> Evaluator<'p> {
    /// Reads off the functions that a run may enter.
    pub fn new(program: &'p Program, config: Config) -> Evaluator<'p> {
        let graph = CallGraph::new(program);
        let mut shapes = IdVec::new();
        for _ in program.functions.ids() {
            let _: FuncId = shapes.push(None);
        }
        for id in graph.reachable_in_run(program, config.entry) {
            if program.functions[id].is_defined() {
                shapes[id] = Some(Shape::new(program, &program.functions[id]));
            }
        }
        let address_taken = graph.address_taken().to_vec();
        Evaluator { program, config, shapes, address_taken, tables: Tables::default() }
    }

    /// The shape of a function that a run may enter.
    pub fn shape(&self, function: FuncId) -> Option<&Shape> {
        self.shapes.get(function).and_then(Option::as_ref)
    }

    /// The width of addresses.
    pub fn address_width(&self) -> u16 {
        self.program.layout.pointer_bits()
    }

    /// An offset.
    pub fn offset(&self, value: i128) -> Range {
        Range::constant(self.address_width(), value)
    }

    /// What stands where a run starts.
    pub fn start(&self, out: &mut Vec<Update>) {
        let program = self.program;
        for id in program.constructors.iter().chain(&program.destructors) {
            out.push(Update::Enter(*id));
        }
        let entry = self.config.entry;
        out.push(Update::Enter(entry));
        let function = &program.functions[entry];
        let is_main = function.name == "main";
        for (index, param) in (0..).zip(&function.params) {
            let any = Range::any(self.address_width());
            let value = match param.ty {
                Type::Ptr if is_main => Value::Pointer(Pointer::to(Base::Arguments, any)),
                Type::Ptr => {
                    out.push(Update::NoVerdict(entry, InstId(0), "the entry function takes a pointer".to_owned()));
                    Value::any(param.ty)
                }
                Type::Int(32) if is_main && index == 0 => {
                    Value::Number(Range::signed(32, self.config.least_arguments.into(), i128::from(i32::MAX)))
                }
                Type::Int(_) | Type::F32 | Type::F64 => Value::any(param.ty),
            };
            out.push(Update::Param(entry, index, value));
        }
    }

    /// What an operand is, whatever the place.
    pub fn plain(&self, map: &ValueMap, function: FuncId, operand: Operand) -> Value {
        let values = map.function(function);
        let held = |known: Option<&Value>| known.cloned().unwrap_or_default();
        match operand {
            Operand::Inst(id) => held(values.and_then(|values| values.registers.get(id.0 as usize))),
            Operand::Param(index) => held(values.and_then(|values| values.params.get(index as usize))),
            Operand::Int { width, value } if width <= MAX_WIDTH => Value::Number(Range::constant(width, value as i128)),
            Operand::Int { .. } | Operand::F32(_) | Operand::F64(_) => Value::Any,
            Operand::Null => Value::Pointer(Pointer::null()),
            Operand::Global { global, offset } => {
                Value::Pointer(Pointer::to(Base::Global(global), self.offset(offset.into())))
            }
            Operand::Func(id) => Value::Pointer(Pointer::to(Base::Function(id), self.offset(0))),
            Operand::Undef(ty) => Value::undefined(ty),
        }
    }

    /// What an operand is at a place, by the facts there.
    pub fn value(&self, map: &ValueMap, at: At, operand: Operand) -> Value {
        self.refined(map, at, operand, MAX_REFINE)
    }

    fn refined(&self, map: &ValueMap, at: At, operand: Operand, depth: u32) -> Value {
        let mut value = self.plain(map, at.function, operand);
        let (Some(subject), Some(shape)) = (Subject::of(operand), self.shape(at.function)) else { return value };
        for fact in shape.facts.get(&subject).into_iter().flatten() {
            if value.is_nothing() {
                return Value::Nothing;
            }
            if shape.holds_at(fact, at.block, at.at) {
                let other = match depth {
                    0 => self.plain(map, at.function, fact.comparison.other),
                    _ => self.refined(map, at, fact.comparison.other, depth - 1),
                };
                value = self.narrow(&value, &fact.comparison, &other);
            }
        }
        value
    }

    /// The values that compare so.
    fn narrow(&self, value: &Value, comparison: &Comparison, other: &Value) -> Value {
        match (value, other) {
            (_, Value::Nothing) => Value::Nothing,
            (Value::Number(range), Value::Number(with)) => {
                let read = match comparison.via {
                    Via::Itself => *range,
                    Via::Signed(width) => range.sign_extend(width),
                    Via::Unsigned(width) => range.zero_extend(width),
                };
                if read.width() != with.width() {
                    return value.clone();
                }
                let narrowed = read.refine(comparison.op, with).map(|narrowed| narrowed.truncate(range.width()));
                narrowed.and_then(|narrowed| range.meet(&narrowed)).map_or(Value::Nothing, Value::Number)
            }
            (Value::Pointer(pointer), Value::Pointer(with)) => {
                Value::Pointer(self.narrow_pointer(pointer, comparison.op, with))
            }
            (Value::Nothing | Value::Number(_) | Value::Pointer(_) | Value::Any, _) => value.clone(),
        }
    }

    fn narrow_pointer(&self, pointer: &Pointer, op: IntPredicate, with: &Pointer) -> Pointer {
        let mut narrowed = pointer.clone();
        if *with == Pointer::null() {
            match op {
                IntPredicate::Eq => narrowed.targets.retain(|base, offset| !self.is_never_null(*base, offset)),
                IntPredicate::Ne if !narrowed.unknown => narrowed.null = false,
                _ => {}
            }
            return narrowed;
        }
        // Places of one object compare by their offsets, as long as neither is outside.
        let only = |pointer: &Pointer| match (
            pointer.null || pointer.invalid || pointer.unknown,
            pointer.targets.iter().next(),
        ) {
            (false, Some((base, offset))) if pointer.targets.len() == 1 => Some((*base, *offset)),
            _ => None,
        };
        if let (Some((base, offset)), Some((other, limit))) = (only(pointer), only(with))
            && base == other
            && matches!(base, Base::Global(_))
            && self.is_inside(base, &offset)
            && self.is_inside(base, &limit)
            && let Some(size) = self.fixed_size(base)
            && size > 0
        {
            match offset.refine(op, &limit) {
                Some(offset) => narrowed.targets.insert(base, offset),
                None => narrowed.targets.remove(&base),
            };
        }
        narrowed
    }

    /// Whether a place is in its object, or at its end: of a block, whose size may be any, its start alone.
    fn is_never_null(&self, base: Base, offset: &Range) -> bool {
        match base {
            Base::Arguments => false,
            Base::Global(_) | Base::Stack(..) | Base::Copy(..) | Base::Heap(..) | Base::Function(_) => {
                offset.single() == Some(0) || self.is_inside(base, offset)
            }
        }
    }

    fn is_inside(&self, base: Base, offset: &Range) -> bool {
        let (low, high) = offset.signed_bounds();
        low >= 0 && self.fixed_size(base).is_some_and(|size| high <= i128::from(size))
    }

    /// What an instruction does where the map describes the state before it.
    pub fn step(&self, map: &ValueMap, at: At, inst: InstId, out: &mut Vec<Update>) -> Flow {
        let function = &self.program.functions[at.function];
        let Inst { op, ty } = Inst { op: &function.insts[inst].op, ty: function.insts[inst].ty };
        if let Op::Call { .. } = op {
            return self.call(map, at, inst, out);
        }
        if let Op::Unsupported { what } = op {
            out.push(Update::NoVerdict(at.function, inst, format!("unsupported: {what}")));
            return Flow::Ends;
        }
        if let Op::Check { cond, obligation } = op {
            let ends = self.program.obligations[*obligation].detail.ends_run();
            let truth = self.value(map, at, *cond).number(1).and_then(|truth| truth.as_truth());
            return if ends && truth == Some(false) { Flow::Ends } else { Flow::GoesOn };
        }
        self.effect(map, at, op, out);
        if let Some(ty) = ty {
            let value = self.compute(map, at, inst, op, ty);
            if !value.is_nothing() {
                out.push(Update::Register(at.function, inst, value));
            } else if !matches!(op, Op::Phi { .. }) {
                // An operand is never computed, or no access is valid.
                return Flow::Ends;
            }
        }
        Flow::GoesOn
    }

    /// What an instruction writes.
    fn effect(&self, map: &ValueMap, at: At, op: &Op, out: &mut Vec<Update>) {
        let value = |operand: Operand| self.value(map, at, operand);
        match op {
            Op::Store { ptr, value: stored, .. } => {
                let function = &self.program.functions[at.function];
                let Some(ty) = function.operand_type(*stored) else { return };
                let size = self.program.layout.store_size(ty);
                let stored = value(*stored);
                if !stored.is_nothing() {
                    self.write(map, &value(*ptr).pointer(), size, &stored, out);
                }
            }
            Op::MemCopy { dst, src, len, .. } => {
                let Some(len) = value(*len).number(self.address_width()) else { return };
                self.copy(map, &value(*dst).pointer(), Some(&value(*src).pointer()), &len, out);
            }
            Op::MemSet { dst, byte, len, .. } => {
                let (Some(len), Some(byte)) = (value(*len).number(self.address_width()), value(*byte).number(8)) else {
                    return;
                };
                let dst = value(*dst).pointer();
                match byte.single() {
                    Some(0) => self.copy(map, &dst, None, &len, out),
                    _ => self.copy(map, &dst, Some(&Pointer::unknown()), &len, out),
                }
            }
            Op::VaStart { list, .. } => self.overwrite(map, &value(*list).pointer(), out),
            Op::VaCopy { dst, .. } => self.overwrite(map, &value(*dst).pointer(), out),
            belay_ir::ops!(values)
            | belay_ir::ops!(lives)
            | Op::Load { .. }
            | Op::VaEnd { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    // A table: one arm an instruction.
    fn compute(&self, map: &ValueMap, at: At, inst: InstId, op: &Op, ty: Type) -> Value {
        let value = |operand: Operand| self.value(map, at, operand);
        let function = &self.program.functions[at.function];
        let numbers = |lhs: Operand, rhs: Operand| {
            let (lhs, rhs) = (value(lhs), value(rhs));
            match (lhs.is_nothing() || rhs.is_nothing(), &lhs, &rhs) {
                (true, _, _) => Err(Value::Nothing),
                (false, Value::Number(a), Value::Number(b)) if a.width() == b.width() => Ok((*a, *b)),
                (false, _, _) => Err(Value::any(ty)),
            }
        };
        match op {
            Op::Binary { op, lhs, rhs } => {
                numbers(*lhs, *rhs).map_or_else(|none| none, |(a, b)| Value::Number(Range::binary(*op, &a, &b)))
            }
            Op::Overflows { op, signed, lhs, rhs } => numbers(*lhs, *rhs)
                .map_or_else(|none| none, |(a, b)| Value::Number(Range::truth(Range::overflows(*op, *signed, &a, &b)))),
            Op::Unary { op, value: operand } => match value(*operand) {
                Value::Nothing => Value::Nothing,
                Value::Number(range) => Value::Number(Range::unary(*op, &range)),
                Value::Pointer(_) | Value::Any => Value::any(ty),
            },
            Op::Compare { op, lhs, rhs } => self.compare(*op, &value(*lhs), &value(*rhs)),
            Op::Cast { op, value: operand } => self.cast(*op, &value(*operand), ty),
            Op::PtrAdd { base, offset } => self.move_pointer(&value(*base), &value(*offset)),
            Op::Select { cond, then, otherwise } => match value(*cond).number(1) {
                None => Value::Nothing,
                Some(truth) => match truth.as_truth() {
                    Some(true) => value(*then),
                    Some(false) => value(*otherwise),
                    None => value(*then).join(&value(*otherwise)).typed(ty),
                },
            },
            Op::Phi { incoming } => self.phi(map, at, inst, incoming, ty),
            Op::Arbitrary { .. } => Value::undefined(ty),
            Op::Freeze { value: operand } => value(*operand),
            Op::Alloca { .. } => Value::Pointer(Pointer::to(Base::Stack(at.function, inst), self.offset(0))),
            Op::StackSave => Value::undefined(ty),
            Op::Load { ptr, volatile, .. } => {
                let loaded = self.load(map, &value(*ptr).pointer(), ty, *volatile);
                // What was read or written there before is there still.
                match self.shape(at.function).and_then(|shape| shape.known_loads.get(&inst)) {
                    Some(known) => loaded.meet(&value(*known)),
                    None => loaded,
                }
            }
            Op::Extract { call, index } => self.extract(map, at, *call, *index, ty),
            belay_ir::ops!(floats) => {
                let mut is_computed = true;
                op.for_each_operand(|operand| is_computed &= !value(*operand).is_nothing());
                if is_computed { Value::any(ty) } else { Value::Nothing }
            }
            Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackRestore { .. }
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | belay_ir::ops!(variadic)
            | Op::Call { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {
                let _ = function;
                Value::any(ty)
            }
        }
    }

    fn compare(&self, op: IntPredicate, lhs: &Value, rhs: &Value) -> Value {
        let known = match (lhs, rhs) {
            (Value::Nothing, _) | (_, Value::Nothing) => return Value::Nothing,
            (Value::Number(a), Value::Number(b)) if a.width() == b.width() => Range::compare(op, a, b),
            (Value::Pointer(a), Value::Pointer(b)) => {
                let (null, other) = if *a == Pointer::null() { (true, b) } else { (*b == Pointer::null(), a) };
                // A pointer into an object differs from null; one that was moved out of it need not.
                let is_inside = |(base, offset): (&Base, &Range)| self.is_never_null(*base, offset);
                let is_target = !other.null && !other.invalid && !other.unknown && other.targets.iter().all(is_inside);
                match op {
                    IntPredicate::Eq if null && is_target => Some(false),
                    IntPredicate::Ne if null && is_target => Some(true),
                    IntPredicate::Eq if null && *other == Pointer::null() => Some(true),
                    IntPredicate::Ne if null && *other == Pointer::null() => Some(false),
                    _ => None,
                }
            }
            (Value::Number(_) | Value::Pointer(_) | Value::Any, _) => None,
        };
        Value::Number(Range::truth(known))
    }

    fn cast(&self, op: CastOp, value: &Value, ty: Type) -> Value {
        match (op, value, ty) {
            (_, Value::Nothing, _) => Value::Nothing,
            (CastOp::Trunc, Value::Number(range), Type::Int(width)) if width <= range.width() => {
                Value::Number(range.truncate(width))
            }
            (CastOp::ZExt, Value::Number(range), Type::Int(width)) if width <= MAX_WIDTH && width >= range.width() => {
                Value::Number(range.zero_extend(width))
            }
            (CastOp::SExt, Value::Number(range), Type::Int(width)) if width <= MAX_WIDTH && width >= range.width() => {
                Value::Number(range.sign_extend(width))
            }
            (CastOp::Bitcast, Value::Number(range), Type::Int(width)) if width == range.width() => value.clone(),
            (CastOp::Bitcast, Value::Pointer(_), Type::Ptr) => value.clone(),
            (CastOp::IntToPtr, Value::Number(range), Type::Ptr) if range.single() == Some(0) => {
                Value::Pointer(Pointer::null())
            }
            (_, Value::Number(_) | Value::Pointer(_) | Value::Any, _) => Value::any(ty),
        }
    }

    fn move_pointer(&self, base: &Value, by: &Value) -> Value {
        let Some(by) = by.number(self.address_width()) else { return Value::Nothing };
        let mut pointer = base.pointer();
        if pointer.is_nothing() {
            return Value::Nothing;
        }
        if by.single() == Some(0) {
            return Value::Pointer(pointer);
        }
        // Beside null there is no object.
        pointer.invalid |= pointer.null;
        pointer.null &= pointer.unknown || by.as_truth() != Some(true);
        for offset in pointer.targets.values_mut() {
            *offset = Range::binary(belay_ir::BinaryOp::Add, offset, &by);
        }
        Value::Pointer(pointer)
    }

    /// What comes along an edge; nothing if control does not take it.
    pub fn along_edge(&self, map: &ValueMap, function: FuncId, from: BlockId, to: BlockId, operand: Operand) -> Value {
        let body = &self.program.functions[function];
        let at = At { function, block: from, at: body.blocks[from].insts.len() };
        let mut value = self.value(map, at, operand);
        let mut known = Vec::new();
        edge_comparisons(body, from, to, &mut known);
        for comparison in known {
            if Subject::of(operand) == Some(comparison.subject) {
                let other = self.value(map, at, comparison.other);
                value = self.narrow(&value, &comparison, &other);
            }
        }
        value
    }

    /// Whether control may go from one block to another.
    pub fn is_taken(&self, map: &ValueMap, function: FuncId, from: BlockId, to: BlockId) -> bool {
        let body = &self.program.functions[function];
        let at = At { function, block: from, at: body.blocks[from].insts.len() };
        let mut known = Vec::new();
        edge_comparisons(body, from, to, &mut known);
        known.iter().all(|comparison| {
            let value = self.value(map, at, comparison.subject.operand());
            let other = self.value(map, at, comparison.other);
            !self.narrow(&value, comparison, &other).is_nothing()
        })
    }

    /// Where control goes from the end of a block.
    pub fn leave(&self, map: &ValueMap, function: FuncId, block: BlockId, out: &mut Vec<Update>) {
        let body: &Function = &self.program.functions[function];
        let at = At { function, block, at: body.blocks[block].insts.len() };
        if let Terminator::Return(results) = &body.blocks[block].term {
            let values: Vec<Value> = results.iter().map(|result| self.value(map, at, *result)).collect();
            if values.iter().all(|value| !value.is_nothing()) {
                out.push(Update::Return(function));
                let results = (0..).zip(values).map(|(index, value)| Update::Result(function, index, value));
                out.extend(results);
            }
            return;
        }
        if matches!(body.blocks[block].term, Terminator::Unreachable { .. }) {
            let why = "control may reach code that the compiler marked unreachable".to_owned();
            out.push(Update::NoVerdict(function, InstId(0), why));
        }
        for to in body.blocks[block].term.successors() {
            if self.is_taken(map, function, block, to) {
                out.push(Update::Reach(function, to));
            }
        }
    }
}

struct Inst<'o> {
    op: &'o Op,
    ty: Option<Type>,
}
