//! The two readings of an integer type: a machine word of its width, or any integer. The interpreter is generic over
//! [`Integers`]; this file has the trait and the machine's side.

use std::fmt::Debug;

use belay_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use belay_rules::sign_extend;
use dashu::integer::IBig;

/// The result of an operation on integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Arith<T> {
    /// The result.
    Value(T),
    /// Any value of the type.
    Arbitrary,
    /// The divisor is 0.
    DivisionByZero,
}

impl<T> Arith<T> {
    /// The result, or an arbitrary one if there is none.
    pub(crate) fn or_arbitrary(value: Option<T>) -> Self {
        value.map_or(Arith::Arbitrary, Arith::Value)
    }
}

/// A model of integers. Where a function returns `Option`, `None` is an arbitrary result.
pub(crate) trait Integers: 'static {
    /// A value.
    type Int: Clone + PartialEq + Debug;
    /// True if widths do not bound values.
    const UNBOUNDED: bool;

    /// The value with these low `width` bits.
    fn from_bits(width: u16, bits: u128) -> Self::Int;
    /// The value as close to `value` as the type allows: the machine cuts it to the width.
    fn from_big(width: u16, value: &IBig) -> Self::Int;
    /// The bits, if there are bits for the value, read as signed or unsigned.
    fn bits(width: u16, value: &Self::Int) -> Option<u128>;
    /// The bits with which the value is kept as bytes; `None` if it needs a cell of its own.
    fn stored_bits(width: u16, value: &Self::Int) -> Option<u128>;
    /// The signed reading.
    fn signed(width: u16, value: &Self::Int) -> IBig;
    /// The unsigned reading.
    fn unsigned(width: u16, value: &Self::Int) -> Option<IBig>;
    /// How many steps a result counts beyond its instruction's one.
    fn weight(_value: &Self::Int) -> u64 {
        0
    }
    /// True for 0.
    fn is_zero(value: &Self::Int) -> bool;
    /// Arithmetic.
    fn binary(op: BinaryOp, width: u16, a: &Self::Int, b: &Self::Int) -> Arith<Self::Int>;
    /// Whether the exact result does not fit.
    fn overflows(op: OverflowOp, signed: bool, width: u16, a: &Self::Int, b: &Self::Int) -> Option<bool>;
    /// Bit counting.
    fn unary(op: UnaryOp, width: u16, value: &Self::Int) -> Option<Self::Int>;
    /// Comparison.
    fn compare(op: IntPredicate, width: u16, a: &Self::Int, b: &Self::Int) -> bool;
    /// To a narrower type.
    fn trunc(from: u16, to: u16, value: &Self::Int) -> Option<Self::Int>;
    /// To a wider type, read as unsigned.
    fn zext(from: u16, value: &Self::Int) -> Option<Self::Int>;
    /// To a wider type, read as signed.
    fn sext(from: u16, to: u16, value: &Self::Int) -> Self::Int;
}

/// Machine integers: the low `width` bits, the others 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine;

/// All ones in the low `width` bits.
#[inline]
pub(crate) fn mask(width: u16) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - u32::from(width))
}

macro_rules! machine_binary {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        #[inline]
        fn $name(op: BinaryOp, width: u16, a: $unsigned, b: $unsigned) -> Arith<u128> {
            let unused = <$unsigned>::BITS - u32::from(width);
            let sign = |value: $unsigned| ((value << unused) as $signed) >> unused;
            let value = match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem if b == 0 => {
                    return Arith::DivisionByZero;
                }
                BinaryOp::UDiv => a / b,
                BinaryOp::URem => a % b,
                BinaryOp::SDiv => sign(a).wrapping_div(sign(b)) as $unsigned,
                BinaryOp::SRem => sign(a).wrapping_rem(sign(b)) as $unsigned,
                BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if b >= <$unsigned>::from(width) => {
                    return Arith::Arbitrary;
                }
                BinaryOp::Shl => a << b,
                BinaryOp::LShr => a >> b,
                BinaryOp::AShr => (sign(a) >> b) as $unsigned,
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
            };
            Arith::Value(u128::from(value & (<$unsigned>::MAX >> unused)))
        }
    };
}

machine_binary!(binary64, u64, i64);
machine_binary!(binary128, u128, i128);

fn order_holds(op: IntPredicate, unsigned: std::cmp::Ordering, signed: std::cmp::Ordering) -> bool {
    match op {
        IntPredicate::Eq => unsigned.is_eq(),
        IntPredicate::Ne => unsigned.is_ne(),
        IntPredicate::Ult => unsigned.is_lt(),
        IntPredicate::Ule => unsigned.is_le(),
        IntPredicate::Ugt => unsigned.is_gt(),
        IntPredicate::Uge => unsigned.is_ge(),
        IntPredicate::Slt => signed.is_lt(),
        IntPredicate::Sle => signed.is_le(),
        IntPredicate::Sgt => signed.is_gt(),
        IntPredicate::Sge => signed.is_ge(),
    }
}

/// Whether a predicate holds of values in this order, the same read as signed and as unsigned.
pub(crate) fn holds(op: IntPredicate, order: std::cmp::Ordering) -> bool {
    order_holds(op, order, order)
}

/// Whether a predicate holds, by the orders of the unsigned and the signed reading.
pub(crate) fn holds_by(op: IntPredicate, unsigned: std::cmp::Ordering, signed: std::cmp::Ordering) -> bool {
    order_holds(op, unsigned, signed)
}

/// The exact result of an overflow question.
pub(crate) fn exact(op: OverflowOp, a: &IBig, b: &IBig) -> IBig {
    match op {
        OverflowOp::Add => a + b,
        OverflowOp::Sub => a - b,
        OverflowOp::Mul => a * b,
    }
}

/// Bit counting on the low `width` bits.
pub(crate) fn unary_bits(op: UnaryOp, width: u16, bits: u128) -> u128 {
    let unused = 128 - u32::from(width);
    match op {
        UnaryOp::CountOnes => bits.count_ones().into(),
        UnaryOp::LeadingZeros => (bits.leading_zeros() - unused).into(),
        UnaryOp::TrailingZeros => bits.trailing_zeros().min(width.into()).into(),
        UnaryOp::ByteSwap => bits.swap_bytes() >> unused,
        UnaryOp::BitReverse => bits.reverse_bits() >> unused,
    }
}

/// The least and greatest value of a type, signed or unsigned.
pub(crate) fn type_range(signed: bool, width: u16) -> (IBig, IBig) {
    let one = IBig::from(1);
    let width = usize::from(width);
    if signed {
        (-(one.clone() << (width - 1)), (one.clone() << (width - 1)) - one)
    } else {
        (IBig::ZERO, (one.clone() << width) - one)
    }
}

impl Integers for Machine {
    type Int = u128;
    const UNBOUNDED: bool = false;

    #[inline]
    fn from_bits(width: u16, bits: u128) -> u128 {
        bits & mask(width)
    }

    fn from_big(width: u16, value: &IBig) -> u128 {
        use dashu::base::RemEuclid;
        let modulus = IBig::from(1) << usize::from(width);
        let cut = value.clone().rem_euclid(&modulus);
        u128::try_from(&cut).unwrap_or_default()
    }

    #[inline]
    fn bits(_width: u16, value: &u128) -> Option<u128> {
        Some(*value)
    }

    #[inline]
    fn stored_bits(_width: u16, value: &u128) -> Option<u128> {
        Some(*value)
    }

    fn signed(width: u16, value: &u128) -> IBig {
        IBig::from(sign_extend(width, *value))
    }

    fn unsigned(_width: u16, value: &u128) -> Option<IBig> {
        Some(IBig::from(*value))
    }

    #[inline]
    fn is_zero(value: &u128) -> bool {
        *value == 0
    }

    #[inline]
    fn binary(op: BinaryOp, width: u16, a: &u128, b: &u128) -> Arith<u128> {
        if width <= 64 { binary64(op, width, *a as u64, *b as u64) } else { binary128(op, width, *a, *b) }
    }

    #[inline]
    fn overflows(op: OverflowOp, signed: bool, width: u16, a: &u128, b: &u128) -> Option<bool> {
        if signed && width <= 64 {
            let (a, b) = (sign_extend(width, *a), sign_extend(width, *b));
            let result = match op {
                OverflowOp::Add => a + b,
                OverflowOp::Sub => a - b,
                OverflowOp::Mul => a * b,
            };
            return Some(sign_extend(width, result as u128) != result);
        }
        let read = |value| if signed { Self::signed(width, value) } else { IBig::from(*value) };
        let (least, greatest) = type_range(signed, width);
        let result = exact(op, &read(a), &read(b));
        Some(result < least || result > greatest)
    }

    fn unary(op: UnaryOp, width: u16, value: &u128) -> Option<u128> {
        Some(unary_bits(op, width, *value))
    }

    #[inline]
    fn compare(op: IntPredicate, width: u16, a: &u128, b: &u128) -> bool {
        let signed = |value: &u128| sign_extend(width, *value);
        match op {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Slt => signed(a) < signed(b),
            IntPredicate::Sle => signed(a) <= signed(b),
            IntPredicate::Sgt => signed(a) > signed(b),
            IntPredicate::Sge => signed(a) >= signed(b),
        }
    }

    #[inline]
    fn trunc(_from: u16, to: u16, value: &u128) -> Option<u128> {
        Some(value & mask(to))
    }

    #[inline]
    fn zext(_from: u16, value: &u128) -> Option<u128> {
        Some(*value)
    }

    #[inline]
    fn sext(from: u16, to: u16, value: &u128) -> u128 {
        sign_extend(from, *value) as u128 & mask(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_division_wraps_at_the_least_value() {
        for (width, least, minus_one) in [(8, 0x80, 0xff), (64, 1 << 63, u64::MAX.into()), (128, 1 << 127, u128::MAX)] {
            assert_eq!(Machine::binary(BinaryOp::SDiv, width, &least, &minus_one), Arith::Value(least));
            assert_eq!(Machine::binary(BinaryOp::SRem, width, &least, &minus_one), Arith::Value(0));
        }
    }

    #[test]
    fn all_eight_bit_operations_agree_with_the_machine() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (u128::from(a), u128::from(b));
                let run = |op| Machine::binary(op, 8, &x, &y);
                assert_eq!(run(BinaryOp::Add), Arith::Value(a.wrapping_add(b).into()));
                assert_eq!(run(BinaryOp::Mul), Arith::Value(a.wrapping_mul(b).into()));
                if b != 0 {
                    assert_eq!(run(BinaryOp::SDiv), Arith::Value(((a as i8).wrapping_div(b as i8) as u8).into()));
                    assert_eq!(run(BinaryOp::SRem), Arith::Value(((a as i8).wrapping_rem(b as i8) as u8).into()));
                }
                if b < 8 {
                    assert_eq!(run(BinaryOp::AShr), Arith::Value(((a as i8 >> b) as u8).into()));
                    assert_eq!(run(BinaryOp::Shl), Arith::Value((a << b).into()));
                }
                let overflows = |op, signed| Machine::overflows(op, signed, 8, &x, &y);
                assert_eq!(overflows(OverflowOp::Mul, true), Some((a as i8).checked_mul(b as i8).is_none()));
                assert_eq!(overflows(OverflowOp::Sub, false), Some(a.checked_sub(b).is_none()));
                assert_eq!(Machine::compare(IntPredicate::Slt, 8, &x, &y), (a as i8) < (b as i8));
            }
        }
    }

    #[test]
    fn shifts_from_the_width_on_are_arbitrary() {
        assert_eq!(Machine::binary(BinaryOp::Shl, 32, &1, &32), Arith::Arbitrary);
        assert_eq!(Machine::binary(BinaryOp::LShr, 128, &1, &128), Arith::Arbitrary);
    }

    #[test]
    fn bits_are_counted_within_the_width() {
        assert_eq!(unary_bits(UnaryOp::LeadingZeros, 8, 1), 7);
        assert_eq!(unary_bits(UnaryOp::TrailingZeros, 8, 0), 8);
        assert_eq!(unary_bits(UnaryOp::ByteSwap, 16, 0x1234), 0x3412);
        assert_eq!(unary_bits(UnaryOp::BitReverse, 8, 0b1101), 0b1011_0000);
    }
}
