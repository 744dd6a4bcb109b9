//! Integer operations on constants, exactly as SOUNDNESS.md defines them for each model.
//!
//! In the unbounded model a constant of width `w` is the integer that fits `w` with its bits, in [-2^(w-1), 2^(w-1)), a truth value 0 or 1.
//! A result is folded only if it is defined and fits, since only then there is a constant that means it.

use belay_ir::ops;
use belay_ir::{BinaryOp, CastOp, IntPredicate, IntegerModel, Op, Operand, OverflowOp, Type, UnaryOp};

/// The value of an operation whose operands are constants, if it has exactly one.
pub(super) fn fold(op: &Op, ty: Type, integers: IntegerModel) -> Option<Operand> {
    match op {
        Op::Binary { op, lhs: Operand::Int { width, value: lhs }, rhs: Operand::Int { value: rhs, .. } } => {
            fold_binary(*op, *width, *lhs, *rhs, integers)
        }
        Op::Overflows { op, signed, lhs: Operand::Int { width, value: lhs }, rhs: Operand::Int { value: rhs, .. } } => {
            match integers {
                IntegerModel::Machine => Some(Operand::bool(overflows(*op, *signed, *width, *lhs, *rhs))),
                IntegerModel::Unbounded => None,
            }
        }
        Op::Compare { op, lhs: Operand::Int { width, value: lhs }, rhs: Operand::Int { value: rhs, .. } } => {
            let ambiguous = integers == IntegerModel::Unbounded && *width == 1 && is_signed(*op);
            (!ambiguous).then(|| Operand::bool(compare(*op, *width, *lhs, *rhs)))
        }
        Op::Compare { op, lhs: Operand::Null, rhs: Operand::Null } => Some(Operand::bool(is_reflexive(*op))),
        // No object is at address 0.
        Op::Compare { op, lhs: Operand::Global { offset: 0, .. }, rhs: Operand::Null }
        | Op::Compare { op, lhs: Operand::Null, rhs: Operand::Global { offset: 0, .. } } => match op {
            IntPredicate::Eq => Some(Operand::bool(false)),
            IntPredicate::Ne => Some(Operand::bool(true)),
            _ => None,
        },
        Op::Unary { op, value: Operand::Int { width, value } } if integers == IntegerModel::Machine => {
            fold_unary(*op, *width, *value)
        }
        Op::Cast { op, value: Operand::Int { width, value } } => fold_cast(*op, *width, *value, ty, integers),
        Op::Cast { op: CastOp::PtrToInt, value: Operand::Null } => ty.int_width().map(|width| Operand::int(width, 0)),
        ops!(values)
        | ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    }
}

/// The bits as a signed integer.
pub(super) fn signed(width: u16, value: u128) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    ((value << unused) as i128) >> unused
}

fn fits_signed(width: u16, value: i128) -> bool {
    signed(width, value as u128) == value
}

fn fits_unsigned(width: u16, value: u128) -> bool {
    Operand::int(width, value) == Operand::Int { width, value }
}

fn is_signed(op: IntPredicate) -> bool {
    matches!(op, IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge)
}

/// True if a value compares so with itself.
pub(super) fn is_reflexive(op: IntPredicate) -> bool {
    match op {
        IntPredicate::Eq | IntPredicate::Ule | IntPredicate::Uge | IntPredicate::Sle | IntPredicate::Sge => true,
        IntPredicate::Ne | IntPredicate::Ult | IntPredicate::Ugt | IntPredicate::Slt | IntPredicate::Sgt => false,
    }
}

/// For values that fit the two models agree: as unsigned, a negative value is greater than one that is not.
fn compare(op: IntPredicate, width: u16, lhs: u128, rhs: u128) -> bool {
    let (signed_lhs, signed_rhs) = (signed(width, lhs), signed(width, rhs));
    match op {
        IntPredicate::Eq => lhs == rhs,
        IntPredicate::Ne => lhs != rhs,
        IntPredicate::Ult => lhs < rhs,
        IntPredicate::Ule => lhs <= rhs,
        IntPredicate::Ugt => lhs > rhs,
        IntPredicate::Uge => lhs >= rhs,
        IntPredicate::Slt => signed_lhs < signed_rhs,
        IntPredicate::Sle => signed_lhs <= signed_rhs,
        IntPredicate::Sgt => signed_lhs > signed_rhs,
        IntPredicate::Sge => signed_lhs >= signed_rhs,
    }
}

fn overflows(op: OverflowOp, is_signed: bool, width: u16, lhs: u128, rhs: u128) -> bool {
    if is_signed {
        let (lhs, rhs) = (signed(width, lhs), signed(width, rhs));
        let exact = match op {
            OverflowOp::Add => lhs.checked_add(rhs),
            OverflowOp::Sub => lhs.checked_sub(rhs),
            OverflowOp::Mul => lhs.checked_mul(rhs),
        };
        return !exact.is_some_and(|exact| fits_signed(width, exact));
    }
    let exact = match op {
        OverflowOp::Add => lhs.checked_add(rhs),
        OverflowOp::Sub => lhs.checked_sub(rhs),
        OverflowOp::Mul => lhs.checked_mul(rhs),
    };
    !exact.is_some_and(|exact| fits_unsigned(width, exact))
}

fn fold_binary(op: BinaryOp, width: u16, lhs: u128, rhs: u128, integers: IntegerModel) -> Option<Operand> {
    match integers {
        IntegerModel::Machine => machine(op, width, lhs, rhs).map(|value| Operand::int(width, value)),
        IntegerModel::Unbounded => unbounded(op, width, lhs, rhs),
    }
}

/// `None` where the run ends or the result is arbitrary.
fn machine(op: BinaryOp, width: u16, lhs: u128, rhs: u128) -> Option<u128> {
    let (signed_lhs, signed_rhs) = (signed(width, lhs), signed(width, rhs));
    let amount = u32::try_from(rhs).ok().filter(|amount| *amount < u32::from(width));
    Some(match op {
        BinaryOp::Add => lhs.wrapping_add(rhs),
        BinaryOp::Sub => lhs.wrapping_sub(rhs),
        BinaryOp::Mul => lhs.wrapping_mul(rhs),
        BinaryOp::UDiv => lhs.checked_div(rhs)?,
        BinaryOp::URem => lhs.checked_rem(rhs)?,
        BinaryOp::SDiv if rhs == 0 => return None,
        BinaryOp::SDiv => signed_lhs.wrapping_div(signed_rhs) as u128,
        BinaryOp::SRem if rhs == 0 => return None,
        BinaryOp::SRem => signed_lhs.wrapping_rem(signed_rhs) as u128,
        BinaryOp::Shl => lhs << amount?,
        BinaryOp::LShr => lhs >> amount?,
        BinaryOp::AShr => (signed_lhs >> amount?) as u128,
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor => lhs ^ rhs,
    })
}

fn unbounded(op: BinaryOp, width: u16, lhs: u128, rhs: u128) -> Option<Operand> {
    let bitwise = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
    if width == 1 {
        return bitwise.then(|| machine(op, 1, lhs, rhs).map(|value| Operand::int(1, value))).flatten();
    }
    let (a, b) = (signed(width, lhs), signed(width, rhs));
    let exact = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::SDiv => a.checked_div(b)?,
        BinaryOp::SRem => a.checked_rem(b)?,
        BinaryOp::Shl => {
            let amount = u32::try_from(b).ok().filter(|amount| *amount < u32::from(width))?;
            a.checked_mul(1_i128.checked_shl(amount).filter(|power| *power > 0)?)?
        }
        // An operand that fits is read as its bits; so the machine's result is the exact one, if it fits as well.
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::LShr => i128::try_from(machine(op, width, lhs, rhs)?).ok()?,
        BinaryOp::AShr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => signed(width, machine(op, width, lhs, rhs)?),
    };
    fits_signed(width, exact).then(|| Operand::int(width, exact as u128))
}

fn fold_unary(op: UnaryOp, width: u16, value: u128) -> Option<Operand> {
    let unused = 128 - u32::from(width);
    let result = match op {
        UnaryOp::CountOnes => u128::from(value.count_ones()),
        UnaryOp::LeadingZeros => u128::from(value.leading_zeros() - unused),
        UnaryOp::TrailingZeros => u128::from(value.trailing_zeros().min(u32::from(width))),
        UnaryOp::ByteSwap if !width.is_multiple_of(8) => return None,
        UnaryOp::ByteSwap => value.swap_bytes() >> unused,
        UnaryOp::BitReverse => value.reverse_bits() >> unused,
    };
    Some(Operand::int(width, result))
}

fn fold_cast(op: CastOp, width: u16, value: u128, ty: Type, integers: IntegerModel) -> Option<Operand> {
    let unbounded = integers == IntegerModel::Unbounded;
    let to = ty.int_width();
    match op {
        CastOp::Trunc if unbounded => {
            let to = to?;
            let exact = signed(width, value);
            let has_bits = fits_signed(to, exact) || u128::try_from(exact).is_ok_and(|exact| fits_unsigned(to, exact));
            // What -1 is as a truth value, nobody says.
            (has_bits && (to > 1 || exact >= 0)).then(|| Operand::int(to, value))
        }
        CastOp::Trunc | CastOp::ZExt => Some(Operand::int(to?, value)),
        CastOp::SExt if unbounded && width == 1 => None,
        CastOp::SExt => Some(Operand::int(to?, signed(width, value) as u128)),
        CastOp::IntToPtr => (value == 0).then_some(Operand::Null),
        CastOp::SignedToFloat
        | CastOp::UnsignedToFloat
        | CastOp::FloatToSigned
        | CastOp::FloatToUnsigned
        | CastOp::FloatToFloat
        | CastOp::PtrToInt
        | CastOp::Bitcast => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition in words, for 8 bits, on Rust's own 8-bit integers.
    fn by_hand(op: BinaryOp, a: u8, b: u8) -> Option<u8> {
        let (sa, sb) = (a as i8, b as i8);
        Some(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::UDiv => a.checked_div(b)?,
            BinaryOp::URem => a.checked_rem(b)?,
            BinaryOp::SDiv => (b != 0).then(|| sa.wrapping_div(sb) as u8)?,
            BinaryOp::SRem => (b != 0).then(|| sa.wrapping_rem(sb) as u8)?,
            BinaryOp::Shl => a.checked_shl(b.into())?,
            BinaryOp::LShr => a.checked_shr(b.into())?,
            BinaryOp::AShr => sa.checked_shr(b.into())? as u8,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
        })
    }

    #[test]
    fn machine_arithmetic_agrees_with_the_machine() {
        for op in BinaryOp::ALL {
            for (a, b) in (0..=255_u8).flat_map(|a| (0..=255_u8).map(move |b| (a, b))) {
                let expected = by_hand(op, a, b).map(|value| Operand::int(8, value.into()));
                assert_eq!(fold_binary(op, 8, a.into(), b.into(), IntegerModel::Machine), expected, "{op:?} {a} {b}");
            }
        }
    }

    #[test]
    fn overflow_agrees_with_the_machine() {
        for (a, b) in (0..=255_u8).flat_map(|a| (0..=255_u8).map(move |b| (a, b))) {
            let (sa, sb) = (a as i8, b as i8);
            let cases = [
                (OverflowOp::Add, sa.checked_add(sb).is_none(), a.checked_add(b).is_none()),
                (OverflowOp::Sub, sa.checked_sub(sb).is_none(), a.checked_sub(b).is_none()),
                (OverflowOp::Mul, sa.checked_mul(sb).is_none(), a.checked_mul(b).is_none()),
            ];
            for (op, signed, unsigned) in cases {
                assert_eq!(overflows(op, true, 8, a.into(), b.into()), signed);
                assert_eq!(overflows(op, false, 8, a.into(), b.into()), unsigned);
            }
        }
        let least = 1 << 127;
        assert!(overflows(OverflowOp::Mul, true, 128, least, u128::MAX), "-2^127 * -1");
        assert!(overflows(OverflowOp::Add, false, 128, u128::MAX, 1));
    }

    #[test]
    fn unbounded_folds_only_what_is_exact_and_fits() {
        let fold = |op, a: i8, b: i8| fold_binary(op, 8, a as u8 as u128, b as u8 as u128, IntegerModel::Unbounded);
        let int = |value: i8| Some(Operand::int(8, value as u8 as u128));
        assert_eq!(fold(BinaryOp::Add, 100, 27), int(127));
        assert_eq!(fold(BinaryOp::Add, 100, 28), None);
        assert_eq!(fold(BinaryOp::Sub, -100, 29), None);
        assert_eq!(fold(BinaryOp::SDiv, -128, -1), None);
        assert_eq!(fold(BinaryOp::SRem, -7, 2), int(-1));
        assert_eq!(fold(BinaryOp::Shl, 1, 7), None);
        assert_eq!(fold(BinaryOp::Shl, -1, 7), int(-128));
        assert_eq!(fold(BinaryOp::UDiv, -1, 2), int(127));
        assert_eq!(fold(BinaryOp::LShr, -1, 0), None);
        assert_eq!(fold(BinaryOp::AShr, -7, 1), int(-4));
        assert_eq!(fold(BinaryOp::And, -1, 12), int(12));
        let trunc =
            |value: i16, to| fold_cast(CastOp::Trunc, 16, value as u16 as u128, Type::Int(to), IntegerModel::Unbounded);
        assert_eq!(trunc(255, 8), Some(Operand::int(8, 255)));
        assert_eq!(trunc(256, 8), None);
        assert_eq!(trunc(-129, 8), None);
        assert_eq!(trunc(1, 1), Some(Operand::bool(true)));
        assert_eq!(trunc(-1, 1), None);
    }

    #[test]
    fn casts_and_bit_counts() {
        let cast = |op, width, value, to| fold_cast(op, width, value, Type::Int(to), IntegerModel::Machine);
        assert_eq!(cast(CastOp::SExt, 8, 0x80, 16), Some(Operand::int(16, 0xff80)));
        assert_eq!(cast(CastOp::ZExt, 8, 0x80, 16), Some(Operand::int(16, 0x80)));
        assert_eq!(cast(CastOp::Trunc, 16, 0x1234, 8), Some(Operand::int(8, 0x34)));
        assert_eq!(fold_unary(UnaryOp::LeadingZeros, 8, 0), Some(Operand::int(8, 8)));
        assert_eq!(fold_unary(UnaryOp::TrailingZeros, 8, 0), Some(Operand::int(8, 8)));
        assert_eq!(fold_unary(UnaryOp::ByteSwap, 16, 0x1234), Some(Operand::int(16, 0x3412)));
        assert_eq!(fold_unary(UnaryOp::BitReverse, 8, 1), Some(Operand::int(8, 0x80)));
    }
}
