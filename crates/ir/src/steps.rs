//! Values that every round of a loop moves by the same number.

use rustc_hash::FxHashMap;

use crate::inst::Op;
use crate::loops::{Loop, LoopId, LoopNest};
use crate::operator::BinaryOp;
use crate::ops;
use crate::program::{Function, InstId, Operand};

/// Choices and sums that are looked through.
const DEPTH: u32 = 4;

/// The phis of a natural loop's head that each round moves by a constant, and by how much: whichever edge goes back to the head, what it brings is the phi's own value of the round that ends
/// plus the constant, in the arithmetic of the value's bits (a pointer: of its offset, into the same object).
///
/// *Why*: only additions of constants, choices between values that are all moved equally, and the phi itself are looked through. Each of these is computed anew in the round at hand from the phi's value
/// in that round: the phi is in the head, so it dominates them, and what is used at the end of a round was passed in that round, since every way from the head to the edge passes what dominates it.
pub fn steps(function: &Function, nest: &LoopNest, id: LoopId) -> FxHashMap<InstId, i64> {
    let found = nest.get(id);
    let Some(head) = found.head().filter(|_| !found.irreducible) else { return FxHashMap::default() };
    let phis = function.blocks[head].insts.iter().copied();
    phis.filter_map(|phi| Some((phi, step(function, found, phi)?))).collect()
}

fn step(function: &Function, around: &Loop, phi: InstId) -> Option<i64> {
    let Op::Phi { incoming } = &function.insts[phi].op else { return None };
    let mut back = incoming.iter().filter(|(block, _)| around.blocks.contains(block));
    let (_, first) = back.next()?;
    let by = moved(function, phi, *first, DEPTH)?;
    back.all(|(_, other)| moved(function, phi, *other, DEPTH) == Some(by)).then_some(by)
}

/// By how much a value is more than the phi; of a choice all values have to agree. (One of a choice that is the choice itself is what the others were.)
fn moved(function: &Function, phi: InstId, value: Operand, depth: u32) -> Option<i64> {
    let Operand::Inst(inst) = value else { return None };
    if inst == phi {
        return Some(0);
    }
    let depth = depth.checked_sub(1)?;
    let agreed = |operands: &mut dyn Iterator<Item = Operand>| {
        let mut others = operands.filter(|operand| *operand != value);
        let by = moved(function, phi, others.next()?, depth)?;
        others.all(|other| moved(function, phi, other, depth) == Some(by)).then_some(by)
    };
    match &function.insts[inst].op {
        Op::Binary { op: BinaryOp::Add, lhs, rhs } => {
            moved(function, phi, *lhs, depth)?.checked_add(signed_constant(*rhs)?)
        }
        Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
            moved(function, phi, *lhs, depth)?.checked_sub(signed_constant(*rhs)?)
        }
        Op::PtrAdd { base, offset } => moved(function, phi, *base, depth)?.checked_add(signed_constant(*offset)?),
        Op::Select { then, otherwise, cond: _ } => agreed(&mut [*then, *otherwise].into_iter()),
        Op::Phi { incoming } => agreed(&mut incoming.iter().map(|(_, operand)| *operand)),
        ops!(arithmetic)
        | ops!(floats)
        | Op::Cast { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    }
}

/// A constant of at most 64 bits, read as signed: it moves a value of its width as far as one of its bits does.
fn signed_constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Int { width, value } if (1..=64).contains(&width) => {
            let shift = 128 - u32::from(width);
            i64::try_from(((value as i128) << shift) >> shift).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::Cfg;
    use crate::dominators::Dominators;
    use crate::operator::IntPredicate;
    use crate::testing::{Builder, I32};

    /// The step of a variable, of which a round makes something.
    fn step_of(round: impl FnOnce(&mut Builder, Operand, Operand) -> Operand) -> Option<i64> {
        let mut b = Builder::new(5, &[I32]);
        b.jump(1);
        let placeholder = Operand::int(32, 0);
        let x = b.at(1).phi(I32, &[(0, Operand::Param(0)), (3, placeholder)]);
        let is_less = b.compare(IntPredicate::Ult, x, Operand::int(32, 100));
        b.branch(is_less, 2, 4);
        let last = round(b.at(2), x, is_less);
        b.jump(3);
        b.at(3).jump(1);
        b.at(4).ret(x);
        let mut program = b.finish();
        let function = program.functions.iter_mut().next()?;
        let Operand::Inst(phi) = x else { return None };
        if let Op::Phi { incoming } = &mut function.insts[phi].op {
            incoming[1].1 = last;
        }
        let cfg = Cfg::new(function);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let (id, _) = nest.iter().next()?;
        steps(function, &nest, id).get(&phi).copied()
    }

    #[test]
    fn sums_with_constants_are_steps() {
        let three = |b: &mut Builder, x, _| {
            let sum = b.binary(BinaryOp::Add, x, Operand::int(32, 5));
            b.binary(BinaryOp::Sub, sum, Operand::int(32, 2))
        };
        assert_eq!(step_of(three), Some(3));
        assert_eq!(step_of(|b, x, _| b.binary(BinaryOp::Add, x, Operand::int(32, u128::from(u32::MAX)))), Some(-1));
    }

    #[test]
    fn choices_have_to_agree() {
        let choice = |b: &mut Builder, x, cond, by: [u128; 2]| {
            let [then, otherwise] = by.map(|by| b.binary(BinaryOp::Add, x, Operand::int(32, by)));
            b.value(Op::Select { cond, then, otherwise }, I32)
        };
        assert_eq!(step_of(|b, x, cond| choice(b, x, cond, [2, 2])), Some(2));
        assert_eq!(step_of(|b, x, cond| choice(b, x, cond, [2, 1])), None);
        let most = |b: &mut Builder, x, cond| {
            let then = b.binary(BinaryOp::Add, x, Operand::int(32, 1));
            b.value(Op::Select { cond, then, otherwise: x }, I32)
        };
        assert_eq!(step_of(most), None);
    }

    #[test]
    fn other_values_are_no_steps() {
        assert_eq!(step_of(|_, _, _| Operand::int(32, 7)), None);
        assert_eq!(step_of(|_, _, _| Operand::Param(0)), None);
        assert_eq!(step_of(|b, x, _| b.binary(BinaryOp::Add, x, Operand::Param(0))), None);
        assert_eq!(step_of(|b, x, _| b.binary(BinaryOp::Mul, x, Operand::int(32, 1))), None);
        assert_eq!(step_of(|b, x, _| b.binary(BinaryOp::Sub, Operand::int(32, 9), x)), None);
    }
}
