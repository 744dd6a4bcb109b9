//! Computes a quotient, a remainder, a product or a mask once: `while (p < (l + r) / 2) { … }` asks for the middle in every round, and an engine that knows a
//! quotient by its bounds only does not see that it is the one that was asked for before.
//!
//! Sound because such an operation is a function of its operands in the machine's integers (a division by 0 has ended the run the first time). It is replaced by one on the same operands that stands before it in its block,
//! or in a block that dominates its own: between the two nothing that they are made of has been computed anew, since it dominates both, so that a way from there to the second leads by the first
//! again. (The operands are named by what they compute: they are the same operations on the same values, and need not be the same instructions.) An operand is one value wherever it is used, undefined or not. (An undefined constant is none: each use of it is arbitrary.) Shifts by no constant may be arbitrary, and so is signed arithmetic
//! out of range in the unbounded model: there the pass does nothing.
//!
//! Sums, differences and conversions stay where they are: engines follow them, and their values need not be kept. They only say which operands are the same.

use std::collections::BTreeMap;

use crate::substitution::Substitution;
use belay_ir::{
    BinaryOp, BlockId, CastOp, Cfg, Dominators, Function, InstId, IntegerModel, Op, Operand, Program, Type,
};

/// Replaces operations that have been computed before.
pub fn divide_once(program: &mut Program, integers: IntegerModel) {
    if integers != IntegerModel::Machine {
        return;
    }
    for function in program.functions.iter_mut().filter(|function| function.is_defined()) {
        let is_kept = |(_, inst): (BlockId, InstId)| is_replaced(&function.insts[inst].op);
        if function.placed_insts().filter(|placed| is_kept(*placed)).count() > 1 {
            divide_in(function);
        }
    }
}

/// An operand, named by the first instruction that computes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Value(InstId),
    Param(u32),
    Number(u16, u128),
}

/// An operation on such operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Expr {
    Binary(BinaryOp, Term, Term),
    Cast(CastOp, Term, u16),
}

fn divide_in(function: &mut Function) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut first: BTreeMap<Expr, InstId> = BTreeMap::new();
    let mut named: BTreeMap<InstId, InstId> = BTreeMap::new();
    let mut before: BTreeMap<Expr, Vec<(BlockId, InstId)>> = BTreeMap::new();
    let mut substitution = Substitution::new(function);
    for block in cfg.reverse_postorder() {
        for inst in &function.blocks[*block].insts {
            let Some(expr) = expr_of(function, *inst, &named) else { continue };
            let name = *first.entry(expr).or_insert(*inst);
            named.insert(*inst, name);
            if !is_replaced(&function.insts[*inst].op) {
                continue;
            }
            let known = before.entry(expr).or_default();
            // Of one block they are in the order in which they stand.
            match known.iter().find(|(other, _)| dominators.dominates(*other, *block)) {
                Some((_, earlier)) => substitution.replace(*inst, Operand::Inst(*earlier)),
                None => known.push((*block, *inst)),
            }
        }
    }
    substitution.apply(function);
    function.blocks.iter_mut().for_each(|block| block.insts.retain(|inst| !substitution.replaces(*inst)));
}

/// The operation of an instruction, if it is a function of its operands.
fn expr_of(function: &Function, inst: InstId, named: &BTreeMap<InstId, InstId>) -> Option<Expr> {
    let term = |operand: Operand| match operand {
        Operand::Inst(id) => Some(Term::Value(named.get(&id).copied().unwrap_or(id))),
        Operand::Param(index) => Some(Term::Param(index)),
        Operand::Int { width, value } => Some(Term::Number(width, value)),
        Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => None,
    };
    let width = function.insts[inst].ty.and_then(Type::int_width)?;
    match &function.insts[inst].op {
        Op::Binary { op, lhs, rhs } if is_function(*op, *rhs, width) => {
            Some(Expr::Binary(*op, term(*lhs)?, term(*rhs)?))
        }
        Op::Cast { op: op @ (CastOp::Trunc | CastOp::ZExt | CastOp::SExt), value } => {
            Some(Expr::Cast(*op, term(*value)?, width))
        }
        _ => None,
    }
}

/// True of operations whose result depends on nothing but their operands.
fn is_function(op: BinaryOp, rhs: Operand, width: u16) -> bool {
    match op {
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            matches!(rhs, Operand::Int { value, .. } if value < u128::from(width))
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => true,
    }
}

/// True of operations that are worth it: what they compute is no sum of multiples of their operands.
fn is_replaced(op: &Op) -> bool {
    let Op::Binary { op, lhs, rhs } = op else { return false };
    let is_number = |operand: &Operand| matches!(operand, Operand::Int { .. });
    match op {
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem | BinaryOp::LShr | BinaryOp::AShr => true,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
        BinaryOp::Mul => !is_number(lhs) && !is_number(rhs),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Shl => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32};
    use belay_ir::{print_program, verify_program};

    fn divided(b: Builder, integers: IntegerModel) -> String {
        let mut program = b.finish();
        divide_once(&mut program, integers);
        let text = print_program(&program);
        assert_eq!(verify_program(&program), Ok(()), "{text}");
        text
    }

    fn middle(b: &mut Builder) -> Operand {
        let sum = b.binary(BinaryOp::Add, Operand::Param(1), Operand::Param(2));
        b.binary(BinaryOp::SDiv, sum, Operand::int(32, 2))
    }

    /// The middle of two numbers in the entry or in one branch, and in the other.
    fn two_middles(entry: bool) -> Builder {
        let mut b = Builder::new(3, &[Type::BOOL, I32, I32]);
        if entry {
            middle(&mut b);
        }
        b.branch(Operand::Param(0), 1, 2);
        b.at(1);
        let one = middle(&mut b);
        b.ret(one);
        b.at(2);
        let other = middle(&mut b);
        b.ret(other);
        b
    }

    #[test]
    fn what_was_computed_before_is_not_computed_again() {
        let text = divided(two_middles(true), IntegerModel::Machine);
        assert_eq!(text.matches("sdiv").count(), 1, "{text}");
        assert_eq!(text.matches("return i32 %1").count(), 2, "{text}");
    }

    #[test]
    fn what_another_branch_computes_is_computed() {
        let text = divided(two_middles(false), IntegerModel::Machine);
        assert_eq!(text.matches("sdiv").count(), 2, "{text}");
    }

    #[test]
    fn unbounded_integers_are_left_alone() {
        let text = divided(two_middles(true), IntegerModel::Unbounded);
        assert_eq!(text.matches("sdiv").count(), 3, "{text}");
    }

    #[test]
    fn shifts_by_numbers_alone_are_functions() {
        let shift = |amount: Operand| {
            let mut b = Builder::new(1, &[I32, I32]);
            b.binary(BinaryOp::LShr, Operand::Param(0), amount);
            let again = b.binary(BinaryOp::LShr, Operand::Param(0), amount);
            b.ret(again);
            divided(b, IntegerModel::Machine).matches("lshr").count()
        };
        assert_eq!(shift(Operand::int(32, 3)), 1);
        assert_eq!(shift(Operand::int(32, 32)), 2);
        assert_eq!(shift(Operand::Param(1)), 2);
    }
}
