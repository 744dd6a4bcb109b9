//! What numbers and addresses are multiples of, as far as the instructions show it.

use belay_base::IdVec;

use crate::inst::{Inst, Op};
use crate::operator::{BinaryOp, CastOp};
use crate::program::{InstId, Operand};

/// Instructions that are looked through.
const MAX_LOOK: u32 = 16;

/// How many low bits of a number or of a pointer's address are surely 0; `outside` says it of parameters and globals.
///
/// Holds in both models of integers: sums and products of multiples stay multiples, also where they wrap at a power of two.
pub fn low_zeros(insts: &IdVec<InstId, Inst>, outside: &impl Fn(Operand) -> u32, operand: Operand) -> u32 {
    look(insts, outside, operand, MAX_LOOK)
}

fn look(insts: &IdVec<InstId, Inst>, outside: &impl Fn(Operand) -> u32, operand: Operand, depth: u32) -> u32 {
    let below = |operand: Operand| look(insts, outside, operand, depth - 1);
    match operand {
        Operand::Int { value, .. } => value.trailing_zeros(),
        Operand::Null => u32::MAX,
        Operand::Inst(inst) if depth > 0 => match &insts[inst].op {
            Op::Alloca { align, .. } => (*align).max(1).trailing_zeros(),
            Op::PtrAdd { base, offset } => below(*base).min(below(*offset)),
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => below(*lhs).min(below(*rhs)),
            Op::Binary { op: BinaryOp::Mul, lhs, rhs } => below(*lhs).saturating_add(below(*rhs)),
            Op::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt, value } => below(*value),
            // Nothing is always true.
            _ => 0,
        },
        Operand::Param(_) | Operand::Global { .. } => outside(operand),
        Operand::Inst(_) | Operand::F32(_) | Operand::F64(_) | Operand::Func(_) | Operand::Undef(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;
    use belay_base::Span;

    #[test]
    fn multiples_are_seen_through_sums_and_products() {
        let mut insts: IdVec<InstId, Inst> = IdVec::new();
        let mut add = |op, ty| Operand::Inst(insts.push(Inst { op, ty: Some(ty), span: Span::NONE }));
        let (long, eight) = (Type::Int(64), Operand::int(64, 8));
        let object = add(Op::Alloca { size: eight, align: 16, scoped: false, dynamic: false }, Type::Ptr);
        let scaled = add(Op::Binary { op: BinaryOp::Mul, lhs: Operand::Param(0), rhs: eight }, long);
        let place = add(Op::PtrAdd { base: object, offset: scaled }, Type::Ptr);
        let member = add(Op::PtrAdd { base: place, offset: Operand::int(64, 4) }, Type::Ptr);
        let given = add(Op::PtrAdd { base: Operand::Param(1), offset: eight }, Type::Ptr);
        let zeros = |operand| low_zeros(&insts, &|_| 0, operand);
        assert_eq!([object, scaled, place, member, given].map(zeros), [4, 3, 3, 2, 0]);
        assert_eq!(low_zeros(&insts, &|_| 1, given), 1, "a parameter that is aligned to 2");
    }
}
