//! Turns clang's checks into straight-line code. With `-fsanitize=…` in its recovering mode clang branches around a handler:
//!
//! ```text
//! bb0: …; branch %ok, bb2, bb1        bb0: …; check %ok [main.no-overflow.1]; jump bb2
//! bb1: check false [main.no-overflow.1]; jump bb2         →
//! bb2: …                              bb2: …
//! ```
//!
//! Sound because the handler is entered from the branch only, does nothing but report, and goes on where the other arm does:
//! the obligation is violated exactly in the runs in which `%ok` is false, and both arms leave the same state. Values that
//! the handler computes cannot be used after it, since it does not dominate where it goes on, and a phi there must
//! have the same value from both arms. A handler that does anything else stays a branch.

use crate::remove_unreachable::remove_unreachable_blocks;
use crate::substitution::same_value;
use belay_ir::ops;
use belay_ir::{BinaryOp, BlockId, Cfg, Function, Inst, InstId, Op, Operand, Program, Terminator, Type};

/// Folds the checks of every function.
pub fn fold_checks(program: &mut Program) {
    program.functions.iter_mut().for_each(fold_function);
}

fn fold_function(function: &mut Function) {
    remove_unreachable_blocks(function);
    let cfg = Cfg::new(function);
    let mut folded = false;
    for block in function.blocks.ids() {
        if let Some(pattern) = Pattern::recognise(function, &cfg, block) {
            pattern.fold(function);
            folded = true;
        }
    }
    if folded {
        remove_unreachable_blocks(function);
    }
}

/// A branch around a block that only reports.
struct Pattern {
    block: BlockId,
    cond: Operand,
    /// True if the handler runs when `cond` is true.
    inverted: bool,
    handler: BlockId,
    cont: BlockId,
    checks: Vec<InstId>,
}

impl Pattern {
    fn recognise(function: &Function, cfg: &Cfg, block: BlockId) -> Option<Self> {
        let Terminator::Branch { cond, then, otherwise } = function.blocks[block].term else { return None };
        let arms = [(then, otherwise, false), (otherwise, then, true)];
        arms.into_iter().find_map(|(cont, handler, inverted)| {
            let fits = handler != cont
                && handler != block
                && cfg.predecessors(handler) == [block]
                && function.blocks[handler].term == Terminator::Jump(cont)
                && phis_agree(function, cont, block, handler);
            let checks = fits.then(|| find_reported(function, handler)).flatten()?;
            Some(Self { block, cond, inverted, handler, cont, checks })
        })
    }

    fn fold(self, function: &mut Function) {
        let holds = self.condition(function);
        for check in self.checks {
            if let Op::Check { cond, .. } = &mut function.insts[check].op {
                *cond = holds;
            }
            function.blocks[self.block].insts.push(check);
        }
        function.blocks[self.block].term = Terminator::Jump(self.cont);
        function.blocks[self.handler].insts.clear();
        function.blocks[self.handler].term = Terminator::UNREACHABLE;
        for inst in &function.blocks[self.cont].insts {
            if let Op::Phi { incoming } = &mut function.insts[*inst].op {
                incoming.retain(|(from, _)| *from != self.handler);
            }
        }
    }

    /// What must hold, as a value of the branching block.
    fn condition(&self, function: &mut Function) -> Operand {
        match (self.inverted, self.cond.as_int()) {
            (false, _) => self.cond,
            (true, Some(value)) => Operand::bool(value == 0),
            (true, None) => {
                let op = Op::Binary { op: BinaryOp::Xor, lhs: self.cond, rhs: Operand::bool(true) };
                let span = function.blocks[self.block].term_span;
                let negation = function.insts.push(Inst { op, ty: Some(Type::BOOL), span });
                function.blocks[self.block].insts.push(negation);
                Operand::Inst(negation)
            }
        }
    }
}

/// The failed checks of a block that has at least one and otherwise only computes.
fn find_reported(function: &Function, handler: BlockId) -> Option<Vec<InstId>> {
    let fails = |op: &Op| matches!(op, Op::Check { cond: Operand::Int { value: 0, .. }, .. });
    let insts = &function.blocks[handler].insts;
    let only_reports = insts.iter().all(|inst| function.insts[*inst].op.is_pure() || fails(&function.insts[*inst].op));
    let checks: Vec<InstId> = insts.iter().copied().filter(|inst| fails(&function.insts[*inst].op)).collect();
    (only_reports && !checks.is_empty()).then_some(checks)
}

/// True if it makes no difference to the phis of `cont` which of the two blocks control came from.
fn phis_agree(function: &Function, cont: BlockId, a: BlockId, b: BlockId) -> bool {
    function.blocks[cont].insts.iter().all(|inst| match &function.insts[*inst].op {
        Op::Phi { incoming } => {
            let from = |block| incoming.iter().find(|(from, _)| *from == block).map(|(_, value)| *value);
            matches!((from(a), from(b)), (Some(x), Some(y)) if same_value(x, y))
        }
        ops!(memory)
        | ops!(arithmetic)
        | ops!(floats)
        | Op::Cast { .. }
        | Op::PtrAdd { .. }
        | Op::Select { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32, obligations_of};
    use belay_ir::{IntPredicate, OverflowOp, print_program, verify_program};

    /// `p0 + 1` with clang's check; `inverted` swaps the arms, `busy` puts a store into the handler.
    fn checked_add(inverted: bool, busy: bool) -> Program {
        let mut b = Builder::new(3, &[I32, Type::Ptr]);
        let (lhs, rhs) = (Operand::Param(0), Operand::int(32, 1));
        let sum = b.binary(BinaryOp::Add, lhs, rhs);
        let overflow = b.value(Op::Overflows { op: OverflowOp::Add, signed: true, lhs, rhs }, Type::BOOL);
        if inverted {
            b.branch(overflow, 1, 2);
        } else {
            let fine = b.binary(BinaryOp::Xor, overflow, Operand::bool(true));
            b.branch(fine, 2, 1);
        }
        b.at(1).value(Op::Cast { op: belay_ir::CastOp::ZExt, value: sum }, Type::Int(64));
        if busy {
            b.store(Operand::Param(1), sum);
        }
        b.check(Operand::bool(false));
        b.jump(2);
        b.at(2).ret(sum);
        b.finish()
    }

    fn check_folds(mut program: Program, blocks: usize) {
        let before = obligations_of(&program);
        fold_checks(&mut program);
        assert_eq!(verify_program(&program), Ok(()));
        assert_eq!(obligations_of(&program), before);
        let function = program.functions.iter().next().expect("one function");
        assert_eq!(function.blocks.len(), blocks, "{}", print_program(&program));
    }

    #[test]
    fn clangs_pattern_becomes_a_check() {
        check_folds(checked_add(false, false), 2);
        check_folds(checked_add(true, false), 2);
    }

    #[test]
    fn a_handler_with_an_effect_stays() {
        check_folds(checked_add(false, true), 3);
    }

    #[test]
    fn the_condition_is_negated_when_the_handler_is_the_first_arm() {
        let mut program = checked_add(true, false);
        fold_checks(&mut program);
        let text = print_program(&program);
        assert!(text.contains("%4 = xor i1 %1, true\n  check %4 [main.no-overflow.1]\n  jump bb1"), "{text}");
    }

    #[test]
    fn a_phi_that_tells_the_arms_apart_stays() {
        let same = |value: u128, blocks| {
            let mut b = Builder::new(3, &[I32]);
            let test = b.compare(IntPredicate::Eq, Operand::Param(0), Operand::int(32, 0));
            b.branch(test, 1, 2);
            b.at(1).check(Operand::bool(false));
            b.jump(2);
            let phi = b.at(2).phi(I32, &[(0, Operand::int(32, 1)), (1, Operand::int(32, value))]);
            b.ret(phi);
            check_folds(b.finish(), blocks);
        };
        same(1, 2);
        same(2, 3);
    }
}
