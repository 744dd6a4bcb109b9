//! Which values are read as signed and which as unsigned numbers.
//!
//! Values that are compared with each other, merged, or operands of one operation belong to one class and are read alike, so that only casts
//! cross from one reading to another. A class is unsigned if nothing in it asks for the sign: no signed comparison, division, overflow check
//! or sign extension. (That one is not zero is one case then, not two.) Any choice is sound; a class that is of two minds is signed, and its
//! unsigned operations come out case by case.

use belay_ir::{
    BinaryOp, CallGraph, Callee, CastOp, FuncId, Function, GlobalId, InstId, IntPredicate, IntegerModel, Op, Operand,
    Program, Terminator, Type,
};
use rustc_hash::FxHashMap;

use super::kind::{Kind, Reading};
use super::variables::{Source, global_of};

/// The classes and their readings.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    integers: IntegerModel,
    index: FxHashMap<Source, usize>,
    parents: Vec<usize>,
    /// Of the representative of each class: whether its sign is asked for.
    is_signed: Vec<bool>,
}

impl Readings {
    pub(super) fn of(program: &Program, graph: &CallGraph, reachable: &[FuncId], integers: IntegerModel) -> Self {
        let mut readings = Self { integers, index: FxHashMap::default(), parents: Vec::new(), is_signed: Vec::new() };
        if integers == IntegerModel::Machine {
            for id in reachable {
                readings.note_function(program, graph, *id);
            }
        }
        readings
    }

    /// The kind of an instruction's value.
    pub(super) fn inst(&self, id: FuncId, inst: InstId, width: u16) -> Kind {
        self.kind(Source::Inst(id, inst), width)
    }

    /// The kind of what a variable stands for.
    pub(super) fn kind(&self, source: Source, width: u16) -> Kind {
        let class = self.index.get(&source).map(|index| self.find(*index));
        let reading = match (self.integers, class) {
            (IntegerModel::Unbounded, _) => Reading::Unbounded,
            (IntegerModel::Machine, Some(class)) if !self.is_signed[class] && width > 1 => Reading::Unsigned,
            (IntegerModel::Machine, _) => Reading::Signed,
        };
        Kind { width, reading }
    }

    /// The kind of an operand; a constant is of any, and said to be signed.
    pub(super) fn operand(&self, function: &Function, id: FuncId, operand: Operand) -> Option<Kind> {
        let width = function.operand_type(operand).and_then(Type::int_width)?;
        let plain = match self.integers {
            IntegerModel::Unbounded => Reading::Unbounded,
            IntegerModel::Machine => Reading::Signed,
        };
        Some(source_of(id, operand).map_or(Kind { width, reading: plain }, |source| self.kind(source, width)))
    }

    fn find(&self, mut index: usize) -> usize {
        while self.parents[index] != index {
            index = self.parents[index];
        }
        index
    }

    fn class(&mut self, source: Source) -> usize {
        if let Some(index) = self.index.get(&source) {
            return self.find(*index);
        }
        let index = self.parents.len();
        self.parents.push(index);
        self.is_signed.push(false);
        self.index.insert(source, index);
        index
    }

    fn join(&mut self, a: Source, b: Source) {
        let (a, b) = (self.class(a), self.class(b));
        if a != b {
            self.parents[b] = a;
            self.is_signed[a] |= self.is_signed[b];
        }
    }

    fn join_operand(&mut self, id: FuncId, source: Source, operand: Operand) {
        if let Some(other) = source_of(id, operand) {
            self.join(source, other);
        }
    }

    fn note_comparison(&mut self, id: FuncId, lhs: Operand, rhs: Operand, is_signed: bool) {
        for source in [lhs, rhs].into_iter().filter_map(|operand| source_of(id, operand)) {
            let class = self.class(source);
            self.is_signed[class] |= is_signed;
            self.join_operand(id, source, lhs);
            self.join_operand(id, source, rhs);
        }
    }

    fn note_function(&mut self, program: &Program, graph: &CallGraph, id: FuncId) {
        let function = &program.functions[id];
        for block in function.blocks.iter() {
            if let Terminator::Return(values) = &block.term
                && let [value] = values.as_slice()
            {
                self.join_operand(id, Source::Result(id), *value);
            }
        }
        for (_, inst) in function.placed_insts() {
            match &function.insts[inst].op {
                Op::Store { ptr, value, .. } => {
                    if let Some(global) = global_of(*ptr) {
                        self.join_operand(id, Source::Global(global), *value);
                    }
                }
                Op::Call { callee, args, .. } => {
                    if let Callee::Direct(callee) = callee {
                        self.join(Source::Inst(id, inst), Source::Result(*callee));
                    }
                    self.note_call(program, graph, id, callee, args);
                }
                op => self.note_value(id, inst, op),
            }
        }
    }

    fn note_call(&mut self, program: &Program, graph: &CallGraph, id: FuncId, callee: &Callee, args: &[Operand]) {
        let callees: &[FuncId] = match callee {
            Callee::Direct(callee) => std::slice::from_ref(callee),
            Callee::Indirect(..) => graph.address_taken(),
        };
        for callee in callees.iter().filter(|callee| program.functions[**callee].is_defined()) {
            for (param, arg) in args.iter().enumerate() {
                self.join_operand(id, Source::Param(*callee, param as u32), *arg);
            }
        }
    }

    fn note_value(&mut self, id: FuncId, inst: InstId, op: &Op) {
        let own = Source::Inst(id, inst);
        match op {
            Op::Phi { incoming } => incoming.iter().for_each(|(_, value)| self.join_operand(id, own, *value)),
            Op::Select { then, otherwise, .. } => {
                self.join_operand(id, own, *then);
                self.join_operand(id, own, *otherwise);
            }
            Op::Freeze { value } => self.join_operand(id, own, *value),
            Op::Binary { op, lhs, rhs } => {
                self.join_operand(id, own, *lhs);
                if !matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
                    self.join_operand(id, own, *rhs);
                }
                let class = self.class(own);
                self.is_signed[class] |= matches!(op, BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr);
            }
            Op::Overflows { signed, lhs, rhs, .. } => self.note_comparison(id, *lhs, *rhs, *signed),
            Op::Compare { op, lhs, rhs } => self.note_comparison(id, *lhs, *rhs, is_signed(*op)),
            Op::Cast { op: CastOp::SExt | CastOp::SignedToFloat, value } => {
                self.note_comparison(id, *value, *value, true)
            }
            Op::Load { ptr, .. } => {
                if let Some(global) = global_of(*ptr) {
                    self.join(own, Source::Global(global));
                }
            }
            // Others neither relate integers nor ask for a sign.
            _ => {}
        }
    }
}

fn is_signed(predicate: IntPredicate) -> bool {
    match predicate {
        IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge => true,
        IntPredicate::Eq
        | IntPredicate::Ne
        | IntPredicate::Ult
        | IntPredicate::Ule
        | IntPredicate::Ugt
        | IntPredicate::Uge => false,
    }
}

fn source_of(id: FuncId, operand: Operand) -> Option<Source> {
    match operand {
        Operand::Inst(inst) => Some(Source::Inst(id, inst)),
        Operand::Param(param) => Some(Source::Param(id, param)),
        Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => None,
    }
}

impl Readings {
    /// The kind of a global.
    pub(super) fn global(&self, global: GlobalId, width: u16) -> Kind {
        self.kind(Source::Global(global), width)
    }
}
