//! One function: what its registers may hold, and what is done through them.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{
    BlockId, CastOp, Cfg, Dominators, FuncId, Function, GlobalId, InstId, IntPredicate, Op, Operand, Target,
    Terminator, Type,
};

use super::extents::Most;
use super::indices::{Limit, Part, Parts};
use super::{Count, Moved, Origin, Usage, Usages, Value, insert};

/// Rounds over a function's instructions.
const ROUNDS: usize = 8;

/// A walk over the instructions of a function.
pub(super) struct Walk<'w, 'p> {
    pub(super) usages: &'w mut Usages<'p>,
    pub(super) function: &'p Function,
    pub(super) found: Usage,
    pub(super) values: BTreeMap<InstId, BTreeSet<Value>>,
    /// The parts of offsets into what a pointer leads to.
    pub(super) parts: BTreeMap<(usize, i64), Parts>,
    /// What parts of offsets are compared with.
    pub(super) bounds: BTreeMap<Part, BTreeSet<Limit>>,
    /// The parts of numbers that are stored.
    pub(super) kept: BTreeMap<Count, BTreeSet<Part>>,
    /// How large parts of offsets may be where constants say it.
    pub(super) most: Most,
    /// Where something is stored in any case: at one place that is known.
    stores: BTreeMap<(usize, u64), Vec<(BlockId, usize)>>,
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
    /// Where the walk is.
    pub(super) here: (BlockId, usize),
}

impl<'w, 'p> Walk<'w, 'p> {
    /// A walk that begins.
    pub(super) fn new(usages: &'w mut Usages<'p>, function: &'p Function) -> Walk<'w, 'p> {
        let cfg = Cfg::new(function);
        Walk {
            usages,
            function,
            found: Usage::default(),
            values: BTreeMap::new(),
            parts: BTreeMap::new(),
            bounds: BTreeMap::new(),
            kept: BTreeMap::new(),
            most: BTreeMap::new(),
            stores: BTreeMap::new(),
            dominators: Dominators::new(&cfg),
            cfg,
            here: (Function::ENTRY, 0),
        }
    }
}

impl Walk<'_, '_> {
    /// How the function uses its pointers.
    pub(super) fn run(mut self) -> Usage {
        for (index, param) in self.function.params.iter().enumerate() {
            if param.ty == Type::Ptr && param.byval.is_none() {
                self.found.node(Origin::Param(index as u32));
            }
        }
        for _ in 0..ROUNDS {
            let before = (self.values.clone(), self.found.nodes.clone(), self.found.stored.clone());
            for (index, (block, inst)) in self.function.placed_insts().enumerate() {
                self.here = (block, index);
                self.step(inst);
            }
            for block in self.function.blocks.iter() {
                self.end(&block.term);
            }
            if before == (self.values.clone(), self.found.nodes.clone(), self.found.stored.clone()) {
                break;
            }
        }
        self.settle_indices();
        self.found
    }

    pub(super) fn values(&mut self, operand: Operand) -> Vec<Value> {
        match operand {
            Operand::Inst(inst) => self.values.get(&inst).into_iter().flatten().copied().collect(),
            Operand::Param(index) => match self.found.by_origin.get(&Origin::Param(index)) {
                Some(node) => vec![Value::Pointer(*node, Moved::By(0))],
                None => vec![Value::Count(Count::Param(index))],
            },
            Operand::Global { global, offset } if !self.usages.program.globals[global].constant => {
                let node = self.found.node(Origin::Global(global));
                node.map(|node| Value::Pointer(node, Moved::By(offset))).into_iter().collect()
            }
            Operand::Func(function) => vec![Value::Function(function)],
            Operand::Global { .. }
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Undef(_) => Vec::new(),
        }
    }

    pub(super) fn set(&mut self, inst: InstId, new: impl IntoIterator<Item = Value>) {
        let known = self.values.entry(inst).or_default();
        new.into_iter().for_each(|value| insert(known, value));
    }

    // A table: one arm an instruction.
    fn step(&mut self, inst: InstId) {
        let (op, ty) = (&self.function.insts[inst].op, self.function.insts[inst].ty);
        match op {
            Op::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast, value }
            | Op::Freeze { value } => {
                let values = self.values(*value);
                self.set(inst, values);
            }
            Op::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, value } => {
                let values = self.values(*value);
                self.set(inst, values);
            }
            Op::PtrAdd { base, offset } => {
                let by = offset.as_int().map(|value| value as i64);
                let far = by.map_or_else(|| Moved::Steps(0, self.step_of(*offset)), Moved::By);
                let from = self.values(*base);
                if by.is_none() {
                    from.iter().for_each(|value| self.indexed_by(*value, *offset));
                }
                let moved = |value: Value| match value {
                    Value::Pointer(node, at) => Some(Value::Pointer(node, at.then(far))),
                    Value::Content(_) | Value::Derived(_) | Value::Count(_) | Value::Function(_) => None,
                };
                let values: Vec<Value> = from.into_iter().filter_map(moved).collect();
                self.set(inst, values);
            }
            Op::Select { then, otherwise, .. } => {
                let values = [self.values(*then), self.values(*otherwise)].concat();
                self.set(inst, values);
            }
            Op::Phi { incoming } => {
                let values: Vec<Value> = incoming.iter().flat_map(|(_, value)| self.values(*value)).collect();
                self.set(inst, values);
            }
            Op::Binary { op, lhs, rhs } => {
                self.reduced(inst, *op, *lhs, *rhs);
                self.note_shifted(*op, *lhs, *rhs);
                let number = |value: Value| match value {
                    Value::Content(node) => Some(Value::Derived(node)),
                    Value::Count(_) | Value::Derived(_) => Some(value),
                    Value::Pointer(..) | Value::Function(_) => None,
                };
                let values: Vec<Value> =
                    [self.values(*lhs), self.values(*rhs)].concat().into_iter().filter_map(number).collect();
                self.set(inst, values);
            }
            Op::Compare { op, lhs, rhs } => {
                self.bound(*lhs, *rhs);
                self.bound(*rhs, *lhs);
                self.limit_by_constant(*op, *lhs, *rhs);
                self.told_apart(*lhs, *rhs);
                let is_signed = matches!(op, IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sge);
                self.compare((*lhs, *rhs), is_signed);
            }
            Op::Load { ptr, .. } => {
                self.note_header(*ptr, ty);
                self.load(inst, *ptr, ty);
            }
            Op::Store { ptr, value, .. } => {
                self.note_header(*ptr, self.function.operand_type(*value));
                let size = self.function.operand_type(*value).map(bytes_of);
                self.access(*ptr, size, true);
                self.store(*ptr, *value);
            }
            Op::MemCopy { dst, src, len, .. } => {
                self.copied(*src, *len, false);
                self.copied(*dst, *len, true);
            }
            Op::MemSet { dst, len, .. } => self.copied(*dst, *len, true),
            Op::Alloca { .. } => {
                let node = self.found.node(Origin::Local(inst));
                self.set(inst, node.map(|node| Value::Pointer(node, Moved::By(0))));
            }
            Op::Call { callee, args, .. } => self.call(inst, *callee, args),
            Op::Overflows { .. }
            | Op::Unary { .. }
            | Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatFma { .. }
            | Op::FloatCompare { .. }
            | Op::Cast { .. }
            | Op::Arbitrary { .. }
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Extract { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn end(&mut self, term: &Terminator) {
        match term {
            Terminator::Return(results) => {
                for result in results {
                    let values = self.values(*result);
                    self.found.results.extend(values);
                }
            }
            Terminator::Switch { value, cases, .. } if cases.iter().any(|(case, _)| *case == 0) => {
                self.compare((*value, Operand::int(8, 0)), false);
            }
            Terminator::Switch { .. }
            | Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Unreachable { .. } => {}
        }
    }

    /// What is compared; with a 0 that ends something, unless it is asked whether a number is less than that.
    fn compare(&mut self, (lhs, rhs): (Operand, Operand), is_signed: bool) {
        for (one, other) in [(lhs, rhs), (rhs, lhs)] {
            let (is_null, is_zero) = (other == Operand::Null, other.as_int() == Some(0));
            let is_function = self.values(other).iter().any(|value| matches!(value, Value::Function(_)));
            for value in self.values(one) {
                match value {
                    Value::Pointer(node, _) => {
                        self.found.nodes[node].is_null_tested |= is_null || is_zero;
                        self.found.nodes[node].is_told_apart |= is_function;
                    }
                    Value::Content(node) => self.found.nodes[node].is_zero_tested |= is_zero && !is_signed,
                    Value::Count(count) => {
                        self.found.counts.insert(count);
                    }
                    Value::Derived(_) | Value::Function(_) => {}
                }
            }
        }
    }

    fn load(&mut self, inst: InstId, ptr: Operand, ty: Option<Type>) {
        let size = ty.map(bytes_of);
        self.access(ptr, size, false);
        let mut loaded = Vec::new();
        let places = self.values(ptr);
        let is_set = self.is_set(&places);
        for value in places {
            let Value::Pointer(node, moved) = value else { continue };
            let at = moved.exact().and_then(|at| u64::try_from(at).ok());
            match (ty, at) {
                (Some(Type::Ptr), Some(at)) if is_set => {
                    loaded.extend(self.found.stored.get(&(node, at)).into_iter().flatten());
                }
                (Some(Type::Ptr), Some(at)) => {
                    if let Origin::Global(global) = self.found.nodes[node].origin {
                        loaded.extend(self.kept_function(global, at).map(Value::Function));
                    }
                    loaded.extend(self.pointers_at(node, at));
                }
                (Some(Type::Ptr), None) => {
                    let child = self.found.node(Origin::Element(node));
                    loaded.extend(child.map(|child| Value::Pointer(child, Moved::By(0))));
                }
                (_, at) => {
                    loaded.push(Value::Content(node));
                    loaded.extend(at.map(|at| Value::Count(Count::Member(node, at))));
                }
            }
        }
        self.set(inst, loaded);
    }

    /// The one place that is known, if it is one.
    fn only_place(places: &[Value]) -> Option<(usize, u64)> {
        match places {
            [Value::Pointer(node, Moved::By(at))] => Some((*node, u64::try_from(*at).ok()?)),
            _ => None,
        }
    }

    /// True if something was stored there before in any case: what callers have put there is not looked at.
    fn is_set(&self, places: &[Value]) -> bool {
        let Some(place) = Self::only_place(places) else { return false };
        let (block, index) = self.here;
        let is_before = |(other, at): &(BlockId, usize)| match *other == block {
            true => *at < index,
            false => self.dominators.dominates(*other, block),
        };
        self.stores.get(&place).is_some_and(|stores| stores.iter().any(is_before))
    }

    /// Pointers are stored where others lead.
    fn store(&mut self, ptr: Operand, value: Operand) {
        if let Some(place) = Self::only_place(&self.values(ptr)) {
            let stores = self.stores.entry(place).or_default();
            if !stores.contains(&self.here) {
                stores.push(self.here);
            }
        }
        if self.function.operand_type(value) != Some(Type::Ptr) {
            self.values(ptr).into_iter().for_each(|place| self.stored_number(place, value));
            return;
        }
        let values = self.values(value);
        for place in self.values(ptr) {
            if let Value::Pointer(node, Moved::By(at)) = place
                && let Ok(at) = u64::try_from(at)
            {
                self.found.store((node, at), values.iter().copied());
            }
        }
    }

    /// The pointers that may stand at a place: what was stored there and, unless it is a local variable, what callers have put there.
    pub(super) fn pointers_at(&mut self, node: usize, at: u64) -> Vec<Value> {
        let mut all: Vec<Value> = self.found.stored.get(&(node, at)).into_iter().flatten().copied().collect();
        if !matches!(self.found.nodes[node].origin, Origin::Local(_)) {
            let child = self.found.node(Origin::Loaded(node, at));
            all.extend(child.map(|child| Value::Pointer(child, Moved::By(0))));
        }
        all
    }

    /// The function whose address a variable is initialised with.
    fn kept_function(&self, global: GlobalId, at: u64) -> Option<FuncId> {
        let init = self.usages.program.globals[global].init.as_ref()?;
        let relocation = init.relocations.iter().find(|relocation| relocation.offset == at)?;
        match relocation.target {
            Target::Func(function) => Some(function),
            Target::Global(_) => None,
        }
    }

    fn access(&mut self, ptr: Operand, size: Option<u64>, is_written: bool) {
        for value in self.values(ptr) {
            if let Value::Pointer(node, at) = value {
                self.found.access(node, at, size, is_written);
            }
        }
    }

    fn copied(&mut self, ptr: Operand, len: Operand, is_written: bool) {
        let size = len.as_int().and_then(|len| u64::try_from(len).ok());
        self.access(ptr, size, is_written);
        let counts = self.values(len);
        for value in self.values(ptr) {
            if let Value::Pointer(node, moved) = value
                && size.is_none()
            {
                self.limited((node, moved.base().unwrap_or_default()), counts.iter().copied());
            }
        }
        for value in counts {
            if let Value::Count(count) = value {
                self.found.counts.insert(count);
            }
        }
    }
}

pub(super) fn bytes_of(ty: Type) -> u64 {
    match ty {
        Type::Int(width) => u64::from(width).div_ceil(8),
        Type::F32 => 4,
        Type::F64 | Type::Ptr => 8,
    }
}
