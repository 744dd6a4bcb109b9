//! Conjunctions of comparisons of one term with constants.
//!
//! `x = k`, `x < k`, `k ≤ x` and their signed and negated forms, also of `x + c`, each say that
//! `x` lies in an interval of the circle of 2^width values. Two intervals of the same term that do
//! not meet make the conjunction false; one inside the other makes it the smaller one; two that
//! meet in a single value make it an equation.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::{Bits, mask};

/// The values from `low` upwards to `high`, both included, wrapping at 2^width. Never empty and
/// never all values.
#[derive(Clone, Copy)]
struct Arc {
    arg: TermId,
    low: u128,
    high: u128,
}

enum Meeting {
    Disjoint,
    FirstInSecond,
    SecondInFirst,
    Single(u128),
    Partial,
}

impl TermStore {
    /// The conjunction of two comparisons, if it is simpler than both together.
    pub(super) fn and_comparisons(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (first, second) = (self.as_arc(a)?, self.as_arc(b)?);
        if first.arg != second.arg {
            return None;
        }
        let width = self.width(first.arg);
        match meet(first, second, mask(width)) {
            Meeting::Disjoint => Some(self.boolean(false)),
            Meeting::FirstInSecond => Some(a),
            Meeting::SecondInFirst => Some(b),
            Meeting::Single(value) => {
                let value = self.constant(Bits::new(width, value));
                self.cascade(|store| store.eq(first.arg, value))
            }
            Meeting::Partial => None,
        }
    }

    /// The interval that a comparison or its negation describes.
    fn as_arc(&self, id: TermId) -> Option<Arc> {
        let (comparison, negated) = self.as_not(id).map_or((id, false), |inner| (inner, true));
        let (arg, low, high) = self.as_comparison(comparison)?;
        let all = mask(self.width(arg));
        let (low, high) = if negated { (high.wrapping_add(1), low.wrapping_sub(1)) } else { (low, high) };
        let (arg, offset) = self.as_offset(arg);
        let offset = offset.to_u128()?;
        Some(Arc { arg, low: low.wrapping_sub(offset) & all, high: high.wrapping_sub(offset) & all })
    }

    /// The term and the ends of the interval, which need not be reduced modulo 2^width.
    fn as_comparison(&self, id: TermId) -> Option<(TermId, u128, u128)> {
        if let Term::Extract { high, low, arg } = self.term(id) {
            let sign = 1u128.checked_shl(high)?;
            let is_sign = high == low && high + 1 == self.width(arg) && self.width(arg) > 1;
            return is_sign.then_some((arg, sign, mask(high + 1)));
        }
        let (Term::Eq(a, b) | Term::Ult(a, b) | Term::Slt(a, b)) = self.term(id) else { return None };
        let width = self.width(a);
        if !(2..=128).contains(&width) {
            return None;
        }
        let least = if matches!(self.term(id), Term::Slt(..)) { 1 << (width - 1) } else { 0 };
        let greatest = mask(width) ^ least;
        let (left, right) = (self.as_const(a), self.as_const(b));
        if matches!(self.term(id), Term::Eq(..)) {
            let value = right?.to_u128()?;
            return left.is_none().then_some((a, value, value));
        }
        match (left, right) {
            (None, Some(bound)) => {
                let bound = bound.to_u128()?;
                (bound != least).then(|| (a, least, bound.wrapping_sub(1)))
            }
            (Some(bound), None) => {
                let bound = bound.to_u128()?;
                (bound != greatest).then(|| (b, bound.wrapping_add(1), greatest))
            }
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

/// How two intervals of the circle meet, seen from the first one's lower end.
fn meet(first: Arc, second: Arc, all: u128) -> Meeting {
    let from_first = |value: u128| value.wrapping_sub(first.low) & all;
    let (end, low, high) = (from_first(first.high), from_first(second.low), from_first(second.high));
    match (low <= high, low <= end) {
        (true, false) => Meeting::Disjoint,
        (true, true) if high <= end => Meeting::SecondInFirst,
        (true, true) if low == 0 => Meeting::FirstInSecond,
        (true, true) if low == end => Meeting::Single(second.low),
        (true, true) => Meeting::Partial,
        (false, _) if high >= end => Meeting::FirstInSecond,
        (false, false) if high == 0 => Meeting::Single(first.low),
        (false, true | false) => Meeting::Partial,
    }
}
