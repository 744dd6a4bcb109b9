//! Unbounded integers: a value of an integer type is any integer, as SOUNDNESS.md says under that name.
//!
//! A value *fits* width w if it is in [-2^(w-1), 2^(w-1)); one in [2^(w-1), 2^w) has the same bits as one that fits. What
//! a rule leaves arbitrary is `None` here. Truth values (width 1) are 0 and 1 and behave as on the machine, but for
//! extension with the sign, which makes 1 into -1.

use belay_ir::{BinaryOp, IntPredicate, OverflowOp, UnaryOp};
use dashu::base::{BitTest, RemEuclid, Sign};
use dashu::integer::IBig;

use crate::integers::{Arith, Integers, Machine, exact, holds_by, unary_bits};
use belay_rules::sign_extend;

/// Any integer, whatever the width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unbounded;

fn power(width: u16) -> IBig {
    IBig::from(1) << usize::from(width)
}

fn is_negative(value: &IBig) -> bool {
    value.sign() == Sign::Negative
}

fn fits(width: u16, value: &IBig) -> bool {
    let half = usize::from(width) - 1;
    match value.sign() {
        Sign::Positive => value.bit_len() <= half,
        Sign::Negative => (value + IBig::from(1)).bit_len() <= half,
    }
}

/// The two's complement bits of a value in [-2^(w-1), 2^w).
fn bits_of(width: u16, value: &IBig) -> u128 {
    let bits = if is_negative(value) { value + power(width) } else { value.clone() };
    u128::try_from(&bits).unwrap_or_default()
}

fn bitwise(op: BinaryOp, width: u16, a: &IBig, b: &IBig) -> Option<IBig> {
    if !fits(width, a) || !fits(width, b) {
        return None;
    }
    match Machine::binary(op, width, &bits_of(width, a), &bits_of(width, b)) {
        Arith::Value(bits) => Some(Unbounded::from_bits(width, bits)),
        Arith::Arbitrary | Arith::DivisionByZero => None,
    }
}

/// The shift amount, if it is in range.
fn amount(width: u16, value: &IBig) -> Option<usize> {
    usize::try_from(value).ok().filter(|amount| *amount < usize::from(width))
}

fn unsigned_pair(width: u16, a: &IBig, b: &IBig) -> Option<(IBig, IBig)> {
    Some((Unbounded::unsigned(width, a)?, Unbounded::unsigned(width, b)?))
}

fn truth(op: BinaryOp, a: &IBig, b: &IBig) -> Arith<IBig> {
    match Machine::binary(op, 1, &bits_of(1, a), &bits_of(1, b)) {
        Arith::Value(bits) => Arith::Value(IBig::from(bits)),
        Arith::Arbitrary => Arith::Arbitrary,
        Arith::DivisionByZero => Arith::DivisionByZero,
    }
}

impl Integers for Unbounded {
    type Int = IBig;
    const UNBOUNDED: bool = true;

    fn from_bits(width: u16, bits: u128) -> IBig {
        if width == 1 { IBig::from(bits & 1) } else { IBig::from(sign_extend(width, bits)) }
    }

    fn from_big(width: u16, value: &IBig) -> IBig {
        if width == 1 { value.clone().rem_euclid(IBig::from(2)).into() } else { value.clone() }
    }

    fn bits(width: u16, value: &IBig) -> Option<u128> {
        let in_range = if is_negative(value) { fits(width, value) } else { value.bit_len() <= usize::from(width) };
        in_range.then(|| bits_of(width, value))
    }

    fn stored_bits(width: u16, value: &IBig) -> Option<u128> {
        (width == 1 || fits(width, value)).then(|| bits_of(width, value))
    }

    fn signed(_width: u16, value: &IBig) -> IBig {
        value.clone()
    }

    fn unsigned(width: u16, value: &IBig) -> Option<IBig> {
        if !is_negative(value) {
            return Some(value.clone());
        }
        fits(width, value).then(|| value + power(width))
    }

    /// A step for each word of 64 bits beyond the first: numbers may grow without end.
    fn weight(value: &IBig) -> u64 {
        (value.bit_len() / 64) as u64
    }

    fn is_zero(value: &IBig) -> bool {
        value.is_zero()
    }

    fn binary(op: BinaryOp, width: u16, a: &IBig, b: &IBig) -> Arith<IBig> {
        if width == 1 {
            return truth(op, a, b);
        }
        let unsigned = |apply: fn(IBig, IBig) -> IBig| unsigned_pair(width, a, b).map(|(a, b)| apply(a, b));
        match op {
            BinaryOp::Add => Arith::Value(a + b),
            BinaryOp::Sub => Arith::Value(a - b),
            BinaryOp::Mul => Arith::Value(a * b),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem if b.is_zero() => Arith::DivisionByZero,
            BinaryOp::SDiv => Arith::Value(a / b),
            BinaryOp::SRem => Arith::Value(a % b),
            BinaryOp::UDiv => Arith::or_arbitrary(unsigned(|a, b| a / b)),
            BinaryOp::URem => Arith::or_arbitrary(unsigned(|a, b| a % b)),
            BinaryOp::Shl => Arith::or_arbitrary(amount(width, b).map(|amount| a << amount)),
            BinaryOp::AShr => Arith::or_arbitrary(amount(width, b).map(|amount| a >> amount)),
            BinaryOp::LShr => {
                Arith::or_arbitrary(amount(width, b).and_then(|amount| Some(Self::unsigned(width, a)? >> amount)))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Arith::or_arbitrary(bitwise(op, width, a, b)),
        }
    }

    fn overflows(op: OverflowOp, signed: bool, width: u16, a: &IBig, b: &IBig) -> Option<bool> {
        if signed {
            return Some(false);
        }
        let (a, b) = unsigned_pair(width, a, b)?;
        let result = exact(op, &a, &b);
        Some(is_negative(&result) || result.bit_len() > usize::from(width))
    }

    fn unary(op: UnaryOp, width: u16, value: &IBig) -> Option<IBig> {
        let bits = Self::stored_bits(width, value)?;
        Some(Self::from_bits(width, unary_bits(op, width, bits)))
    }

    fn compare(op: IntPredicate, _width: u16, a: &IBig, b: &IBig) -> bool {
        let unsigned = match (is_negative(a), is_negative(b)) {
            (false, false) | (true, true) => a.cmp(b),
            (true, false) => std::cmp::Ordering::Greater,
            (false, true) => std::cmp::Ordering::Less,
        };
        holds_by(op, unsigned, a.cmp(b))
    }

    fn trunc(_from: u16, to: u16, value: &IBig) -> Option<IBig> {
        Self::bits(to, value).map(|bits| Self::from_bits(to, bits))
    }

    fn zext(from: u16, value: &IBig) -> Option<IBig> {
        if from == 1 { Some(value.clone()) } else { Self::unsigned(from, value) }
    }

    fn sext(from: u16, _to: u16, value: &IBig) -> IBig {
        if from == 1 { -value.clone() } else { value.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> IBig {
        IBig::from(value)
    }

    fn binary(op: BinaryOp, a: i64, b: i64) -> Option<IBig> {
        match Unbounded::binary(op, 8, &int(a), &int(b)) {
            Arith::Value(value) => Some(value),
            Arith::Arbitrary | Arith::DivisionByZero => None,
        }
    }

    #[test]
    fn signed_operations_are_exact() {
        assert_eq!(binary(BinaryOp::Add, 127, 1), Some(int(128)));
        assert_eq!(binary(BinaryOp::Mul, -128, 300), Some(int(-38400)));
        assert_eq!(binary(BinaryOp::SDiv, -7, 2), Some(int(-3)));
        assert_eq!(binary(BinaryOp::SRem, -7, 2), Some(int(-1)));
        assert_eq!(binary(BinaryOp::SDiv, -128, -1), Some(int(128)));
        assert_eq!(binary(BinaryOp::AShr, -7, 1), Some(int(-4)));
        assert_eq!(binary(BinaryOp::Shl, 100, 7), Some(int(12800)));
        assert_eq!(binary(BinaryOp::Shl, 1, 8), None);
        assert_eq!(binary(BinaryOp::Shl, 1, -1), None);
    }

    #[test]
    fn unsigned_operations_read_what_fits_and_is_negative_as_more() {
        assert_eq!(binary(BinaryOp::UDiv, -1, 2), Some(int(127)));
        assert_eq!(binary(BinaryOp::URem, 300, 7), Some(int(6)));
        assert_eq!(binary(BinaryOp::LShr, -1, 4), Some(int(15)));
        assert_eq!(binary(BinaryOp::UDiv, -300, 2), None);
        assert_eq!(Unbounded::zext(8, &int(-1)), Some(int(255)));
        assert_eq!(Unbounded::zext(8, &int(300)), Some(int(300)));
        assert_eq!(Unbounded::zext(8, &int(-300)), None);
    }

    #[test]
    fn bits_are_those_of_values_that_fit() {
        assert_eq!(binary(BinaryOp::And, -1, 15), Some(int(15)));
        assert_eq!(binary(BinaryOp::Xor, -1, 0), Some(int(-1)));
        assert_eq!(binary(BinaryOp::And, 200, 15), None);
        assert_eq!(Unbounded::trunc(32, 8, &int(200)), Some(int(-56)));
        assert_eq!(Unbounded::trunc(32, 8, &int(-128)), Some(int(-128)));
        assert_eq!(Unbounded::trunc(32, 8, &int(256)), None);
        assert_eq!(Unbounded::stored_bits(8, &int(200)), None);
        assert_eq!(Unbounded::stored_bits(8, &int(-128)), Some(0x80));
    }

    #[test]
    fn a_negative_value_is_greater_as_unsigned() {
        assert!(Unbounded::compare(IntPredicate::Ugt, 8, &int(-300), &int(1 << 40)));
        assert!(Unbounded::compare(IntPredicate::Ult, 8, &int(-3), &int(-2)));
        assert!(Unbounded::compare(IntPredicate::Slt, 8, &int(-300), &int(1 << 40)));
    }

    #[test]
    fn truth_values_are_zero_and_one() {
        let one = Unbounded::from_bits(1, 1);
        assert_eq!(one, int(1));
        assert_eq!(Unbounded::binary(BinaryOp::Xor, 1, &one, &one), Arith::Value(int(0)));
        assert_eq!(Unbounded::sext(1, 32, &one), int(-1));
        assert_eq!(Unbounded::zext(1, &one), Some(int(1)));
        assert_eq!(Unbounded::trunc(8, 1, &int(1)), Some(int(1)));
    }
}
