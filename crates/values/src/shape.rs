//! What is read off a function once: its blocks, and which comparisons hold where.
//!
//! **Facts.** Behind the edge of a branch its condition holds or does not, and behind a check that ends the run its condition holds. A fact that is made at
//! the start of block `B`, or at a place in it, holds from there to the end of `B` and in every block that `B` dominates. *Why*: a register keeps its
//! value until it is computed again. Suppose that on the way from the last visit of `B` to a block `C` that `B` dominates, a register `x` of the fact were computed again,
//! at a place that dominates `B` (the fact's registers are defined before it). Then there is a way from the entry to that place without `B`, and on
//! from there to `C` without `B`, though `B` dominates `C`.

use std::collections::BTreeMap;

use belay_ir::{
    BinaryOp, BlockId, Builtin, Callee, CastOp, Cfg, Dominators, FuncKind, Function, InstId, IntPredicate, LoopNest,
    Op, Operand, Program, Terminator, Type,
};

use crate::birth::find_born;
use crate::loads::find_known;

/// A register or a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// A register.
    Register(InstId),
    /// A parameter.
    Param(u32),
}

impl Subject {
    /// What an operand names, if it is no constant.
    pub fn of(operand: Operand) -> Option<Subject> {
        match operand {
            Operand::Inst(id) => Some(Subject::Register(id)),
            Operand::Param(index) => Some(Subject::Param(index)),
            Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => None,
        }
    }

    /// As an operand.
    pub fn operand(self) -> Operand {
        match self {
            Subject::Register(id) => Operand::Inst(id),
            Subject::Param(index) => Operand::Param(index),
        }
    }
}

/// How the subject is read before it is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// As it is.
    Itself,
    /// Filled with its sign to this width.
    Signed(u16),
    /// Filled with zeros to this width.
    Unsigned(u16),
}

/// The subject compares so with an operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// What is compared.
    pub subject: Subject,
    /// How it is read.
    pub via: Via,
    /// How it compares.
    pub op: IntPredicate,
    /// With what.
    pub other: Operand,
}

/// A comparison, and from where on it holds.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// The block.
    pub block: BlockId,
    /// From this instruction of the block on.
    pub from: usize,
    /// What holds.
    pub comparison: Comparison,
}

/// A function as it is looked at.
#[derive(Debug)]
pub struct Shape {
    /// Its control flow.
    pub cfg: Cfg,
    /// What dominates what.
    pub dominators: Dominators,
    /// Its loops.
    pub nest: LoopNest,
    /// What holds of each subject.
    pub facts: BTreeMap<Subject, Vec<Fact>>,
    /// Where each register is computed.
    pub places: BTreeMap<InstId, (BlockId, usize)>,
    /// Reads of what was read or written just before: see [`crate::loads`].
    pub known_loads: BTreeMap<InstId, Operand>,
    /// Bytes of stack objects that are written before they can be read: see [`crate::birth`].
    pub born: BTreeMap<InstId, Vec<(u64, u64)>>,
}

impl Shape {
    /// Reads off a function.
    pub fn new(program: &Program, function: &Function) -> Shape {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        let known_loads = find_known(program, function, &cfg);
        let born = find_born(program, function);
        let (facts, places) = (BTreeMap::new(), BTreeMap::new());
        let mut shape = Shape { cfg, dominators, nest, facts, places, known_loads, born };
        for (block, body) in function.blocks.iter_enumerated() {
            if !shape.cfg.is_reachable(block) {
                continue;
            }
            let mut known = Vec::new();
            if let [before] = shape.cfg.predecessors(block) {
                edge_comparisons(function, *before, block, &mut known);
            }
            shape.note(block, 0, &mut known);
            for (at, inst) in body.insts.iter().enumerate() {
                shape.places.insert(*inst, (block, at));
                if let Some(condition) = condition_after(program, function, *inst) {
                    compare(function, condition, true, &mut known);
                    shape.note(block, at + 1, &mut known);
                }
            }
        }
        shape
    }

    fn note(&mut self, block: BlockId, from: usize, known: &mut Vec<Comparison>) {
        for comparison in known.drain(..) {
            self.facts.entry(comparison.subject).or_default().push(Fact { block, from, comparison });
        }
    }

    /// Whether a fact holds at an instruction of a block.
    pub fn holds_at(&self, fact: &Fact, block: BlockId, at: usize) -> bool {
        if fact.block == block { fact.from <= at } else { self.dominators.dominates(fact.block, block) }
    }
}

/// The condition that holds behind an instruction, because the run ends at it otherwise.
fn condition_after(program: &Program, function: &Function, inst: InstId) -> Option<Operand> {
    match &function.insts[inst].op {
        Op::Check { cond, obligation } => program.obligations[*obligation].detail.ends_run().then_some(*cond),
        Op::Call { callee: Callee::Direct(callee), args, .. } => match program.functions[*callee].kind {
            FuncKind::Builtin(Builtin::Assert | Builtin::Assume | Builtin::Precondition) => args.first().copied(),
            FuncKind::Builtin(_) | FuncKind::Defined | FuncKind::Extern => None,
        },
        belay_ir::ops!(values)
        | belay_ir::ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Unsupported { .. } => None,
    }
}

/// What holds where control goes from one block to another.
pub fn edge_comparisons(function: &Function, from: BlockId, to: BlockId, known: &mut Vec<Comparison>) {
    match &function.blocks[from].term {
        Terminator::Branch { cond, then, otherwise } if then != otherwise => {
            compare(function, *cond, *then == to, known);
        }
        Terminator::Switch { value, cases, default } => {
            let mut own = cases.iter().filter(|(_, target)| *target == to);
            let (Some(subject), Some(Type::Int(width))) = (Subject::of(*value), function.operand_type(*value)) else {
                return;
            };
            let mut note = |op, value: u128| {
                known.push(Comparison { subject, via: Via::Itself, op, other: Operand::int(width, value) });
            };
            match (own.next(), own.next(), *default == to) {
                (Some((value, _)), None, false) => note(IntPredicate::Eq, *value),
                (None, _, true) => cases.iter().for_each(|(value, _)| note(IntPredicate::Ne, *value)),
                _ => {}
            }
        }
        Terminator::Branch { .. } | Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable { .. } => {}
    }
}

/// So deep conditions are looked into.
const MAX_DEPTH: u32 = 8;

/// The comparisons that a condition's value (not zero, or zero) makes true.
pub fn compare(function: &Function, condition: Operand, truth: bool, known: &mut Vec<Comparison>) {
    compare_deep(function, condition, truth, known, MAX_DEPTH);
}

fn compare_deep(function: &Function, condition: Operand, truth: bool, known: &mut Vec<Comparison>, depth: u32) {
    let (Some(subject), Some(Type::Int(width))) = (Subject::of(condition), function.operand_type(condition)) else {
        return;
    };
    let op = if truth { IntPredicate::Ne } else { IntPredicate::Eq };
    known.push(Comparison { subject, via: Via::Itself, op, other: Operand::int(width, 0) });
    let Subject::Register(id) = subject else { return };
    if depth == 0 {
        return;
    }
    let mut deeper = |operand: Operand, truth: bool| compare_deep(function, operand, truth, known, depth - 1);
    match &function.insts[id].op {
        Op::Compare { op, lhs, rhs } => {
            let op = if truth { *op } else { op.negated() };
            // A truth value that is made a number and asked whether it is zero.
            if let (IntPredicate::Eq | IntPredicate::Ne, Some(0), Some(Type::Int(_))) =
                (op, rhs.as_int(), function.operand_type(*lhs))
            {
                deeper(*lhs, op == IntPredicate::Ne);
            }
            note_comparison(function, *lhs, op, *rhs, known);
            note_comparison(function, *rhs, op.mirrored(), *lhs, known);
        }
        Op::Binary { op: BinaryOp::And, lhs, rhs } if truth && width == 1 => {
            deeper(*lhs, true);
            deeper(*rhs, true);
        }
        Op::Binary { op: BinaryOp::Or, lhs, rhs } if !truth => {
            deeper(*lhs, false);
            deeper(*rhs, false);
        }
        Op::Binary { op: BinaryOp::Xor, lhs, rhs } if width == 1 && rhs.as_int() == Some(1) => deeper(*lhs, !truth),
        Op::Cast { op: CastOp::ZExt | CastOp::SExt, value } => deeper(*value, truth),
        Op::Select { cond, then, otherwise } => match (then.as_int(), otherwise.as_int()) {
            (Some(0), _) if truth => {
                deeper(*cond, false);
                deeper(*otherwise, true);
            }
            (_, Some(0)) if truth => {
                deeper(*cond, true);
                deeper(*then, true);
            }
            _ => {}
        },
        belay_ir::ops!(arithmetic)
        | belay_ir::ops!(floats)
        | Op::Cast { .. }
        | Op::PtrAdd { .. }
        | Op::Phi { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | belay_ir::ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => {}
    }
}

fn note_comparison(function: &Function, side: Operand, op: IntPredicate, other: Operand, known: &mut Vec<Comparison>) {
    let Some(subject) = Subject::of(side) else { return };
    known.push(Comparison { subject, via: Via::Itself, op, other });
    let (Subject::Register(id), Some(Type::Int(width))) = (subject, function.operand_type(side)) else { return };
    if let Op::Cast { op: cast @ (CastOp::SExt | CastOp::ZExt), value } = &function.insts[id].op
        && let Some(subject) = Subject::of(*value)
    {
        let via = if *cast == CastOp::SExt { Via::Signed(width) } else { Via::Unsigned(width) };
        known.push(Comparison { subject, via, op, other });
    }
}
