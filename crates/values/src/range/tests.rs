//! Every operation on ranges against all pairs of members, on 4 bits.

use belay_ir::IntPredicate;

use super::*;

const WIDTH: u16 = 4;

fn signed(bits: i128) -> i128 {
    if bits >= 8 { bits - 16 } else { bits }
}

fn members(range: &Range) -> Vec<i128> {
    (0..16).filter(|bits| range.covers(&Range::constant(range.width(), *bits))).collect()
}

/// Ranges of many kinds: bounds of either reading, joined with others, and with congruences.
fn ranges() -> Vec<Range> {
    let mut all = vec![Range::any(WIDTH)];
    for low in -8..8 {
        for high in (low..8).step_by(3) {
            all.push(Range::signed(WIDTH, low, high));
            all.push(Range::unsigned(WIDTH, low + 8, high + 8));
        }
    }
    for (first, second) in [(0, 4), (-8, 4), (1, 7), (3, -5), (-6, 6), (2, 5)] {
        all.push(Range::constant(WIDTH, first).join(&Range::constant(WIDTH, second)));
    }
    all
}

fn result(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let (x, y) = (signed(a), signed(b));
    let shift = |value: i128| (b < 4).then_some(value);
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::SDiv => x.checked_div(y)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SRem => x.checked_rem(y)?,
        BinaryOp::Shl => shift(a << (b & 3))?,
        BinaryOp::LShr => shift(a >> (b & 3))?,
        BinaryOp::AShr => shift(x >> (b & 3))?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    Some(value.rem_euclid(16))
}

fn compares(op: IntPredicate, a: i128, b: i128) -> bool {
    let (x, y) = (signed(a), signed(b));
    match op {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Slt => x < y,
        IntPredicate::Sle => x <= y,
        IntPredicate::Sgt => x > y,
        IntPredicate::Sge => x >= y,
    }
}

fn has(range: &Range, bits: i128) -> bool {
    range.covers(&Range::constant(range.width(), bits))
}

#[test]
fn operations_hold_all_results() {
    let all = ranges();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let (left, right) = (members(a), members(b));
        for op in BinaryOp::ALL {
            let range = Range::binary(op, a, b);
            for (x, y) in left.iter().flat_map(|x| right.iter().map(move |y| (*x, *y))) {
                // Shifts beyond the width give anything.
                match result(op, x, y) {
                    Some(value) => assert!(has(&range, value), "{op:?} {a:?} {b:?}: {x} {y} {range:?}"),
                    None if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) => {
                        assert!(range == Range::any(WIDTH), "{op:?} {a:?} {b:?}");
                    }
                    None => {}
                }
            }
        }
        let joined = a.join(b);
        assert!(left.iter().chain(&right).all(|bits| has(&joined, *bits)), "{a:?} {b:?}");
        assert!(joined.covers(a) && joined.covers(b), "{a:?} {b:?} {joined:?}");
        let widened = a.widen(b, &[-3, 0, 5]);
        assert!(widened.covers(a) && widened.covers(b), "{a:?} {b:?} {widened:?}");
        let common: Vec<i128> = left.iter().filter(|bits| right.contains(bits)).copied().collect();
        let met = a.meet(b);
        assert!(common.iter().all(|bits| met.as_ref().is_some_and(|met| has(met, *bits))), "{a:?} {b:?}");
    }
}

#[test]
fn comparisons_and_overflow_are_decided_rightly() {
    let all = ranges();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        let pairs: Vec<(i128, i128)> =
            members(a).into_iter().flat_map(|x| members(b).into_iter().map(move |y| (x, y))).collect();
        for op in IntPredicate::ALL {
            let known = Range::compare(op, a, b);
            assert!(
                pairs.iter().all(|(x, y)| known.is_none_or(|known| known == compares(op, *x, *y))),
                "{op:?} {a:?} {b:?}"
            );
            let refined = a.refine(op, b);
            let kept = pairs.iter().filter(|(x, y)| compares(op, *x, *y));
            for (x, _) in kept {
                assert!(refined.is_some_and(|refined| has(&refined, *x)), "{op:?} {a:?} {b:?} {x}");
            }
        }
        for (op, of) in [
            (OverflowOp::Add, i128::checked_add as fn(i128, i128) -> Option<i128>),
            (OverflowOp::Sub, i128::checked_sub),
            (OverflowOp::Mul, i128::checked_mul),
        ] {
            for is_signed in [false, true] {
                let Some(known) = Range::overflows(op, is_signed, a, b) else { continue };
                for (x, y) in &pairs {
                    let (x, y, fits) = match is_signed {
                        true => (signed(*x), signed(*y), -8..8),
                        false => (*x, *y, 0..16),
                    };
                    assert_eq!(of(x, y).map(|value| !fits.contains(&value)), Some(known), "{op:?} {a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn conversions_hold_all_results() {
    for range in ranges() {
        for bits in members(&range) {
            assert!(has(&range.truncate(3), bits % 8), "{range:?} {bits}");
            assert!(has(&range.zero_extend(6), bits), "{range:?} {bits}");
            assert!(has(&range.sign_extend(6), signed(bits)), "{range:?} {bits}");
        }
        let (width, bounds, step, rest) = range.parts();
        assert_eq!(Range::from_parts(width, bounds, step, rest), Some(range), "{range:?}");
    }
}
