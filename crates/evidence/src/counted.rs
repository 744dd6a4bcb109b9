//! Counted loops: a certificate that a loop ends, and its check.
//!
//! The certificate names a *counter* (a phi of the loop's head) and a *test* (a block that ends with a branch out of the
//! loop). The check establishes, for a natural loop:
//!
//! 1. around every back edge the counter has grown by a constant, all of one sign;
//! 2. the test is passed in every iteration (its block dominates all latches) and stays in the loop only while the
//!    *subject* (the counter, or its only successor value) compares with a *bound* that the loop does not change;
//! 3. between two tests the subject does not wrap: by the comparison that kept the loop going it is far enough from the end
//!    of its type, or integers are unbounded.
//!
//! So the subject moves strictly towards the bound and the test fails after finitely many iterations. For `!=` and an odd
//! step no such argument is needed with machine integers: the subject takes every value of its type, the bound's too.
//! Incomplete: bounds that change, counters in memory, steps that are not constant.

use belay_expression::{Expr, add_up};
use belay_ir::{
    BinaryOp, BlockId, Cfg, Dominators, FuncId, Function, InstId, IntPredicate, IntegerModel, LoopId, LoopNest, Op,
    Operand, Terminator, Type, ops,
};

/// A loop that is claimed to be counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedLoop {
    /// The function.
    pub function: FuncId,
    /// The loop's head.
    pub head: BlockId,
    /// The phi that counts.
    pub counter: InstId,
    /// The block whose branch leaves the loop.
    pub test: BlockId,
}

/// A loop with what the check needs of its function.
struct Context<'f> {
    function: &'f Function,
    dominators: &'f Dominators,
    nest: &'f LoopNest,
    id: LoopId,
}

/// How the counter changes.
struct Progress {
    width: u16,
    /// The largest step, by magnitude; its sign is that of all steps.
    largest: i128,
    /// The value after the step, if all back edges bring the same one.
    successor: Option<InstId>,
    /// True if there is only one step.
    uniform: bool,
}

/// Checks that `counted` shows that the loop ends. Gives what gets smaller, as C would write it: `n - i`.
pub fn check(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    nest: &LoopNest,
    id: LoopId,
    counted: &CountedLoop,
    integers: IntegerModel,
) -> Result<Expr, String> {
    let context = Context { function, dominators, nest, id };
    if nest.get(id).irreducible || nest.get(id).head() != Some(counted.head) {
        return Err("the loop is not natural, or not the one named".to_owned());
    }
    let progress = context.progress(cfg, counted)?;
    let (predicate, bound) = context.test(counted, &progress)?;
    if !ends(predicate, &progress, bound, integers) {
        return Err("the test may never fail".to_owned());
    }
    Ok(measure(function, counted.counter, bound, &progress))
}

/// How far the counter is from its bound.
fn measure(function: &Function, counter: InstId, bound: Operand, progress: &Progress) -> Expr {
    let expr = |operand: Operand| match operand {
        Operand::Inst(inst) => function.local_of_value(inst).map(|local| Expr::name(&local.name)),
        Operand::Param(index) => function.params.get(index as usize).map(|param| Expr::name(&param.name)),
        Operand::Int { value, .. } => Some(Expr::Integer(signed(value, progress.width))),
        Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => None,
    };
    let counter = expr(Operand::Inst(counter)).unwrap_or_else(|| Expr::name("counter"));
    let bound = expr(bound).unwrap_or_else(|| Expr::name("bound"));
    match (progress.largest > 0, bound) {
        (true, Expr::Integer(number)) => add_up(&[(-1, counter)], number),
        (true, bound) => add_up(&[(1, bound), (-1, counter)], 0),
        (false, Expr::Integer(number)) => add_up(&[(1, counter)], -number),
        (false, bound) => add_up(&[(1, counter), (-1, bound)], 0),
    }
}

impl Context<'_> {
    fn progress(&self, cfg: &Cfg, counted: &CountedLoop) -> Result<Progress, String> {
        let inst = self.function.insts.get(counted.counter).ok_or("no such counter")?;
        let head = &self.function.blocks[counted.head];
        let (Op::Phi { incoming }, Some(Type::Int(width))) = (&inst.op, inst.ty) else {
            return Err("the counter is not an integer phi".to_owned());
        };
        if !head.insts.contains(&counted.counter) {
            return Err("the counter does not stand in the loop's head".to_owned());
        }
        let mut steps = Vec::new();
        let mut successors = Vec::new();
        for latch in cfg.predecessors(counted.head).iter().filter(|block| self.nest.contains(self.id, **block)) {
            let value = incoming.iter().find(|(block, _)| block == latch).ok_or("a latch without a value")?.1;
            let Operand::Inst(successor) = value else { return Err("a latch resets the counter".to_owned()) };
            steps.push(self.step(successor, counted.counter, width)?);
            successors.push(successor);
        }
        let first = *steps.first().ok_or("a loop without a latch")?;
        if steps.iter().any(|step| *step == 0 || (*step > 0) != (first > 0)) {
            return Err("the counter does not move one way".to_owned());
        }
        let largest = steps.iter().copied().max_by_key(|step| step.unsigned_abs()).unwrap_or(first);
        let uniform = steps.iter().all(|step| *step == first);
        let same = successors.iter().all(|successor| *successor == successors[0]);
        Ok(Progress { width, largest, successor: same.then(|| successors[0]), uniform })
    }

    /// The constant that `successor` adds to `counter`.
    fn step(&self, successor: InstId, counter: InstId, width: u16) -> Result<i128, String> {
        let add = |lhs: Operand, constant: Operand| {
            (lhs == Operand::Inst(counter)).then(|| constant.as_int().map(|bits| signed(bits, width))).flatten()
        };
        let step = match &self.function.insts[successor].op {
            Op::Binary { op: BinaryOp::Add, lhs, rhs } => add(*lhs, *rhs).or_else(|| add(*rhs, *lhs)),
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => add(*lhs, *rhs).and_then(i128::checked_neg),
            ops!(values)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        };
        step.ok_or_else(|| "the counter does not change by a constant".to_owned())
    }

    /// The comparison that keeps the loop going, with the subject on its left, and the bound.
    fn test(&self, counted: &CountedLoop, progress: &Progress) -> Result<(IntPredicate, Operand), String> {
        let in_loop = |block| self.nest.contains(self.id, block);
        if !in_loop(counted.test)
            || !self.nest.get(self.id).latches.iter().all(|latch| self.dominators.dominates(counted.test, *latch))
        {
            return Err("the test is not passed in every iteration".to_owned());
        }
        let Terminator::Branch { cond: Operand::Inst(cond), then, otherwise } = self.function.blocks[counted.test].term
        else {
            return Err("the test is not a branch".to_owned());
        };
        let Op::Compare { op, lhs, rhs } = self.function.insts[cond].op else {
            return Err("the test does not compare".to_owned());
        };
        let stay = match (in_loop(then), in_loop(otherwise)) {
            (true, false) => op,
            (false, true) => op.negated(),
            (true, true) | (false, false) => return Err("the test does not leave the loop".to_owned()),
        };
        let is_subject = |operand: Operand| {
            operand == Operand::Inst(counted.counter)
                || progress.successor.is_some_and(|id| operand == Operand::Inst(id))
        };
        let (predicate, bound) = match (is_subject(lhs), is_subject(rhs)) {
            (true, false) => (stay, rhs),
            (false, true) => (stay.mirrored(), lhs),
            (true, true) | (false, false) => return Err("the test does not look at the counter".to_owned()),
        };
        if self.is_invariant(bound) { Ok((predicate, bound)) } else { Err("the bound may change".to_owned()) }
    }

    fn is_invariant(&self, operand: Operand) -> bool {
        match operand {
            Operand::Inst(id) => {
                !self.function.placed_insts().any(|(block, inst)| inst == id && self.nest.contains(self.id, block))
            }
            // An undefined bound need not be the same in each iteration.
            Operand::Undef(_) => false,
            Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_) => true,
        }
    }
}

/// True if a subject that moves as `progress` says cannot satisfy `subject predicate bound` for ever.
fn ends(predicate: IntPredicate, progress: &Progress, bound: Operand, integers: IntegerModel) -> bool {
    match integers {
        IntegerModel::Machine => ends_machine(predicate, progress, bound),
        IntegerModel::Unbounded => ends_unbounded(predicate, progress, bound),
    }
}

fn ends_machine(predicate: IntPredicate, progress: &Progress, bound: Operand) -> bool {
    let width = progress.width;
    if width >= 127 {
        return false;
    }
    let step = progress.largest;
    let constant = |is_signed: bool| {
        let bits = bound.as_int()?;
        Some(if is_signed { signed(bits, width) } else { bits as i128 })
    };
    let (least, greatest) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    let unsigned_greatest = (1i128 << width) - 1;
    // Strictly below the bound, a step of one cannot pass it; a larger one, or a bound that may be met, needs room.
    let room_above =
        |is_signed: bool, beyond: i128, end: i128| constant(is_signed).is_some_and(|bound| bound + beyond <= end);
    let room_below =
        |is_signed: bool, beyond: i128, end: i128| constant(is_signed).is_some_and(|bound| bound + beyond >= end);
    match predicate {
        IntPredicate::Slt => step == 1 || step > 0 && room_above(true, step - 1, greatest),
        IntPredicate::Sle => step > 0 && room_above(true, step, greatest),
        IntPredicate::Ult => step == 1 || step > 0 && room_above(false, step - 1, unsigned_greatest),
        IntPredicate::Ule => step > 0 && room_above(false, step, unsigned_greatest),
        IntPredicate::Sgt => step == -1 || step < 0 && room_below(true, step + 1, least),
        IntPredicate::Sge => step < 0 && room_below(true, step, least),
        IntPredicate::Ugt => step == -1 || step < 0 && room_below(false, step + 1, 0),
        IntPredicate::Uge => step < 0 && room_below(false, step, 0),
        IntPredicate::Ne => progress.uniform && step % 2 != 0,
        IntPredicate::Eq => true,
    }
}

fn ends_unbounded(predicate: IntPredicate, progress: &Progress, bound: Operand) -> bool {
    let up = progress.largest > 0;
    match predicate {
        IntPredicate::Slt | IntPredicate::Sle => up,
        IntPredicate::Sgt | IntPredicate::Sge => !up,
        // Below a bound that is not negative, as unsigned: between 0 and the bound.
        IntPredicate::Ult | IntPredicate::Ule => {
            bound.as_int().is_some_and(|bits| progress.width < 127 && signed(bits, progress.width) >= 0)
        }
        IntPredicate::Eq => true,
        IntPredicate::Ne | IntPredicate::Ugt | IntPredicate::Uge => false,
    }
}

fn signed(bits: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}
