//! [`Bits`] against the integers of Rust.

use super::super::{Evaluator, Model, VarId};
use super::{Bits, Op, Random, TermStore};

/// Compares one operation at the width of a Rust integer type.
macro_rules! native {
    ($name:ident, $unsigned:ty, $signed:ty, $width:literal) => {
        #[test]
        fn $name() {
            let mut random = Random::new($width);
            for _ in 0..4000 {
                let (x, y) = (random.bits($width), random.bits($width));
                let (a, b) = (x.to_u128().unwrap() as $unsigned, y.to_u128().unwrap() as $unsigned);
                let (s, t) = (a as $signed, b as $signed);
                let word = |value: $unsigned| Bits::new($width, value as u128);
                let signed = |value: $signed| Bits::from_signed($width, value as i128);
                let truth = Bits::from_bool;
                let check = |op: Op, expected: Bits| assert_eq!(op.value(x, y), expected, "{op:?} {x} {y}");
                check(Op::Not, word(!a));
                check(Op::And, word(a & b));
                check(Op::Or, word(a | b));
                check(Op::Xor, word(a ^ b));
                check(Op::Neg, word(a.wrapping_neg()));
                check(Op::Add, word(a.wrapping_add(b)));
                check(Op::Sub, word(a.wrapping_sub(b)));
                check(Op::Mul, word(a.wrapping_mul(b)));
                check(Op::Udiv, word(a.checked_div(b).unwrap_or(<$unsigned>::MAX)));
                check(Op::Urem, word(a.checked_rem(b).unwrap_or(a)));
                let by_zero = if s < 0 { 1 } else { -1 };
                check(Op::Sdiv, signed(if t == 0 { by_zero } else { s.wrapping_div(t) }));
                check(Op::Srem, signed(if t == 0 { s } else { s.wrapping_rem(t) }));
                let amount = u32::try_from(b).unwrap_or(u32::MAX);
                check(Op::Shl, word(a.checked_shl(amount).unwrap_or(0)));
                check(Op::Lshr, word(a.checked_shr(amount).unwrap_or(0)));
                check(Op::Ashr, signed(s.checked_shr(amount).unwrap_or(if s < 0 { -1 } else { 0 })));
                check(Op::Eq, truth(a == b));
                check(Op::Ult, truth(a < b));
                check(Op::Ule, truth(a <= b));
                check(Op::Slt, truth(s < t));
                check(Op::Sle, truth(s <= t));
                check(Op::UaddOverflow, truth(a.overflowing_add(b).1));
                check(Op::UsubOverflow, truth(a.overflowing_sub(b).1));
                check(Op::UmulOverflow, truth(a.overflowing_mul(b).1));
                check(Op::SaddOverflow, truth(s.overflowing_add(t).1));
                check(Op::SsubOverflow, truth(s.overflowing_sub(t).1));
                check(Op::SmulOverflow, truth(s.overflowing_mul(t).1));
                check(Op::Magnitude, word(s.wrapping_abs() as $unsigned));
                check(Op::Popcount, word(a.count_ones() as $unsigned));
                check(Op::Clz, word(a.leading_zeros() as $unsigned));
                check(Op::Ctz, word(a.trailing_zeros() as $unsigned));
            }
        }
    };
}

native!(bytes_agree_with_rust, u8, i8, 8);
native!(half_words_agree_with_rust, u16, i16, 16);
native!(words_agree_with_rust, u32, i32, 32);
native!(long_words_agree_with_rust, u64, i64, 64);
native!(double_words_agree_with_rust, u128, i128, 128);

#[test]
fn wide_values_agree_with_schoolbook_laws() {
    let mut random = Random::new(256);
    for width in [129, 130, 192, 255, 256] {
        for _ in 0..300 {
            let (a, b) = (random.bits(width), random.bits(width));
            assert_eq!(a.wrapping_sub(b).wrapping_add(b), a);
            let (quotient, rest) = (a.udiv(b), a.urem(b));
            assert_eq!(quotient.wrapping_mul(b).wrapping_add(rest), a, "{a} by {b}");
            assert!(b.is_zero() || rest.ult(b));
        }
    }
}

#[test]
fn slices_and_extensions() {
    let value = Bits::new(16, 0xA5C3);
    assert_eq!(value.extract(11, 4), Bits::new(8, 0x5C));
    assert_eq!(value.sext(32), Bits::new(32, 0xFFFF_A5C3));
    assert_eq!(value.zext(32), Bits::new(32, 0xA5C3));
    assert_eq!(value.concat(Bits::new(8, 0x11)), Bits::new(24, 0xA5_C311));
    assert_eq!(value.sext(200).extract(199, 100), Bits::ones(100));
    assert_eq!(Bits::from_signed(200, -2).to_i128(), Some(-2));
    assert_eq!(Bits::ones(200).shift_right(1).to_i128(), None);
    assert_eq!(Bits::power_of_two(256, 200).exponent(), Some(200));
}

/// Products that overflow above 128 bits, where the general reference is not exact.
#[test]
fn wide_products_overflow() {
    for width in [129, 160, 255, 256] {
        let mut store = TermStore::new();
        let (a, b) = (store.variable("a", width), store.variable("b", width));
        let (unsigned, signed) = (store.umul_overflow(a, b), store.smul_overflow(a, b));
        let check = |x: Bits, y: Bits, expected: (bool, bool)| {
            let mut model = Model::new();
            model.set(VarId(0), x);
            model.set(VarId(1), y);
            let mut evaluator = Evaluator::new(model);
            let found = (evaluator.holds(&store, unsigned), evaluator.holds(&store, signed));
            assert_eq!(found, expected, "{x} times {y}");
        };
        let power = |exponent: u32| Bits::power_of_two(width, exponent);
        let minus_one = Bits::ones(width);
        check(power(width / 2), power(width - 1 - width / 2), (false, true));
        check(power(width / 2), power(width - 2 - width / 2), (false, false));
        check(power(width / 2), power(width - width / 2), (true, true));
        check(power(width / 2).wrapping_neg(), power(width - 1 - width / 2), (true, false));
        check(power(width / 2).wrapping_neg(), power(width - 1 - width / 2).wrapping_neg(), (true, true));
        check(minus_one, Bits::signed_min(width), (true, true));
        check(Bits::signed_min(width), minus_one, (true, true));
        check(minus_one, minus_one, (true, false));
        check(minus_one, Bits::zero(width), (false, false));
    }
}

/// The rule for squares: at small widths for all values, at large ones around the roots.
#[test]
fn squares_overflow_beyond_the_root() {
    for width in [1u32, 2, 3, 4, 7, 8, 9, 31, 32, 63, 64] {
        let mut store = TermStore::new();
        let a = store.variable("a", width);
        let (unsigned, signed) = (store.umul_overflow(a, a), store.smul_overflow(a, a));
        let all = if width < 10 { 1u128 << width } else { 0 };
        let roots = [width, width - 1].map(|bits| ((1u128 << bits) - 1).isqrt());
        let around =
            roots.into_iter().flat_map(|root| (root.saturating_sub(2)..root + 3).flat_map(|x| [x, x.wrapping_neg()]));
        for bits in (0..all).chain(around) {
            let value = Bits::new(width, bits);
            let mut model = Model::new();
            model.set(VarId(0), value);
            let mut evaluator = Evaluator::new(model);
            let found = (evaluator.holds(&store, unsigned), evaluator.holds(&store, signed));
            let (x, y) = (value.to_u128().unwrap(), value.to_i128().unwrap());
            let expected = (x * x >= 1 << width, y * y >= 1 << (width - 1));
            assert_eq!(found, expected, "{value} squared");
        }
    }
}
