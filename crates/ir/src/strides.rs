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
pub fn strides(function: &Function, nest: &LoopNest, id: LoopId) -> FxHashMap<InstId, i64> {
    let found = nest.get(id);
    let Some(head) = found.head().filter(|_| !found.irreducible) else { return FxHashMap::default() };
    let phis = function.blocks[head].insts.iter().copied();
    phis.filter_map(|phi| Some((phi, stride(function, found, phi)?))).collect()
}

fn stride(function: &Function, around: &Loop, phi: InstId) -> Option<i64> {
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
