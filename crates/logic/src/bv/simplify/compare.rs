//! Orders, unsigned and signed.
//!
//! Facts decide most comparisons. Of the rest, `x + c < x + d` is a comparison of `x` with a
//! constant whatever wraps, because `y < y + k` (for `k ≠ 0`) says that `y + k` does not wrap, that is,
//! `y < -k`; the signed order is the unsigned one after adding the least signed value to both sides.
//! Moving a constant summand or factor to the other side needs the facts to exclude wrapping.

use super::super::facts::Facts;
use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

impl TermStore {
    /// Unsigned less-than.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        if self.common_width(a, b) == 1 {
            let not_a = self.not(a);
            return self.and(not_a, b);
        }
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.boolean(x.ult(y));
        }
        let decided = if a == b { Some(false) } else { self.facts(a).ult(self.facts(b)) };
        if let Some(decided) = decided {
            return self.boolean(decided);
        }
        self.ult_by_rules(a, b).unwrap_or_else(|| self.intern_or_pin(Term::Ult(a, b)))
    }

    /// Unsigned less-or-equal.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        if self.common_width(a, b) == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.boolean(x.slt(y));
        }
        let decided = if a == b { Some(false) } else { self.facts(a).slt(self.facts(b)) };
        if let Some(decided) = decided {
            return self.boolean(decided);
        }
        self.slt_by_rules(a, b).unwrap_or_else(|| self.intern_or_pin(Term::Slt(a, b)))
    }

    /// Signed less-or-equal.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    fn ult_by_rules(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(boundary) = self.ult_boundary(a, b) {
            return Some(boundary);
        }
        if let Some(step) = self.constant_difference(a, b) {
            let limit = self.constant(step.wrapping_neg());
            return self.cascade(|store| store.ult(a, limit));
        }
        if let Some(bound) = self.as_const(b) {
            if let Some(moved) = self.ult_move_left(a, bound) {
                return Some(moved);
            }
        } else if let Some(bound) = self.as_const(a)
            && let Some(moved) = self.ult_move_right(bound, b)
        {
            return Some(moved);
        }
        self.ult_operands(a, b).or_else(|| self.compare_selections(a, b, TermStore::ult))
    }

    /// A comparison that only one value of the unknown side satisfies, or only one violates.
    fn ult_boundary(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (*self.facts(a), *self.facts(b));
        if !left.is_tracked() {
            return None;
        }
        if self.as_const(b).is_some() {
            // The facts have not decided it, so the bound is at least 1.
            let last = self.constant(Bits::new(left.width(), right.umin - 1));
            return self.single_value(a, b, last, left.umax == right.umin, left.umin == right.umin - 1);
        }
        if self.as_const(a).is_some() {
            let first = self.constant(Bits::new(left.width(), left.umin + 1));
            return self.single_value(b, a, first, right.umin == left.umin, right.umax == left.umin + 1);
        }
        None
    }

    /// `a ≠ excluded` or `a = required`, whichever of the two holds.
    fn single_value(&mut self, a: TermId, excluded: TermId, required: TermId, ne: bool, eq: bool) -> Option<TermId> {
        match (ne, eq) {
            (_, true) => Some(self.eq(a, required)),
            (true, false) => Some(self.ne(a, excluded)),
            (false, false) => None,
        }
    }

    /// `b - a`, if that is a constant other than zero and neither side is one.
    fn constant_difference(&self, a: TermId, b: TermId) -> Option<Bits> {
        if self.as_const(a).is_some() || self.as_const(b).is_some() {
            return None;
        }
        let (left, right) = (self.linear(a), self.linear(b));
        if left.atoms != right.atoms {
            return None;
        }
        let step = right.constant.wrapping_sub(left.constant);
        (!step.is_zero()).then_some(step)
    }

    /// `a < bound` where `a` is a sum or product that does not wrap.
    fn ult_move_left(&mut self, a: TermId, bound: Bits) -> Option<TermId> {
        let (x, offset) = self.as_offset(a);
        if let Some(bound) = self.move_bound(x, offset, bound) {
            return self.ult_to(x, bound);
        }
        let (x, factor) = self.as_scaled(a)?;
        if !self.facts(x).mul_fits_unsigned(&Facts::of_constant(factor)) {
            return None;
        }
        // x·f < k for f > 0 says x < ⌈k/f⌉; k ≥ 1 because the facts have not decided it.
        let one = Bits::one(bound.width());
        let limit = bound.wrapping_sub(one).udiv(factor).wrapping_add(one);
        self.ult_to(x, limit)
    }

    /// `bound < b` where `b` is a sum or product that does not wrap.
    fn ult_move_right(&mut self, bound: Bits, b: TermId) -> Option<TermId> {
        let (x, offset) = self.as_offset(b);
        if let Some(bound) = self.move_bound(x, offset, bound) {
            let bound = self.constant(bound);
            return self.cascade(|store| store.ult(bound, x));
        }
        let (x, factor) = self.as_scaled(b)?;
        if !self.facts(x).mul_fits_unsigned(&Facts::of_constant(factor)) {
            return None;
        }
        let bound = self.constant(bound.udiv(factor));
        self.cascade(|store| store.ult(bound, x))
    }

    fn ult_to(&mut self, a: TermId, bound: Bits) -> Option<TermId> {
        let bound = self.constant(bound);
        self.cascade(|store| store.ult(a, bound))
    }

    /// The bound on `x` that a bound on `x + offset` amounts to. Either the sum never wraps, or it
    /// always does and is the difference of `x` and a smaller number; in both cases the bound must
    /// not leave the range on its way.
    fn move_bound(&self, x: TermId, offset: Bits, bound: Bits) -> Option<Bits> {
        let facts = self.facts(x);
        if offset.is_zero() || !facts.is_tracked() {
            return None;
        }
        let moved = bound.wrapping_sub(offset);
        if facts.add_fits_unsigned(&Facts::of_constant(offset)) {
            return (!bound.ult(offset)).then_some(moved);
        }
        let subtracted = offset.wrapping_neg().to_u128()?;
        (facts.umin >= subtracted && !moved.ult(bound)).then_some(moved)
    }

    fn ult_operands(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some((x, y)) = self.narrow_pair(a, b, TermStore::zext_operand, Bits::zext) {
            return self.cascade(|store| store.ult(x, y));
        }
        if let Some((x, y)) = self.common_extension(a, b, TermStore::sext_operand) {
            return self.cascade(|store| store.ult(x, y));
        }
        if let (Some(x), Some(y)) = (self.as_not(a), self.as_not(b)) {
            return self.cascade(|store| store.ult(y, x));
        }
        if let (Term::Concat(high, low), Term::Concat(other_high, other_low)) = (self.term(a), self.term(b)) {
            if high == other_high {
                return self.cascade(|store| store.ult(low, other_low));
            }
            if low == other_low {
                return self.cascade(|store| store.ult(high, other_high));
            }
        }
        None
    }

    /// The operands of two extensions, or of one and a constant that fits below it.
    fn narrow_pair(
        &mut self,
        a: TermId,
        b: TermId,
        operand: fn(&Self, TermId) -> Option<TermId>,
        extend: fn(Bits, u32) -> Bits,
    ) -> Option<(TermId, TermId)> {
        let narrow = |store: &mut Self, constant: TermId, width: u32| {
            let value = store.as_const(constant)?;
            let kept = value.extract(width - 1, 0);
            (extend(kept, value.width()) == value).then(|| store.constant(kept))
        };
        match (operand(self, a), operand(self, b)) {
            (Some(_), Some(_)) => self.common_extension(a, b, operand),
            (Some(x), None) => narrow(self, b, self.width(x)).map(|y| (x, y)),
            (None, Some(y)) => narrow(self, a, self.width(y)).map(|x| (x, y)),
            (None, None) => None,
        }
    }

    fn slt_by_rules(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if self.as_const(b).is_some_and(Bits::is_zero) {
            return Some(self.sign(a));
        }
        if self.as_const(a).is_some_and(Bits::is_ones) {
            let negative = self.sign(b);
            return Some(self.not(negative));
        }
        if self.same_known_sign(a, b) {
            return self.cascade(|store| store.ult(a, b));
        }
        if let Some(boundary) = self.slt_boundary(a, b) {
            return Some(boundary);
        }
        if let Some(step) = self.constant_difference(a, b) {
            let shifted = self.add_const(a, Bits::signed_min(step.width()));
            return self.ult_to(shifted, step.wrapping_neg());
        }
        if let Some(moved) = self.slt_move(a, b) {
            return Some(moved);
        }
        if let Some((x, y)) = self.narrow_pair(a, b, TermStore::sext_operand, Bits::sext) {
            return self.cascade(|store| store.slt(x, y));
        }
        if let (Some(x), Some(y)) = (self.as_not(a), self.as_not(b)) {
            return self.cascade(|store| store.slt(y, x));
        }
        self.compare_selections(a, b, TermStore::slt)
    }

    fn same_known_sign(&self, a: TermId, b: TermId) -> bool {
        let (left, right) = (self.facts(a), self.facts(b));
        let negative = |facts: &Facts| facts.is_tracked() && facts.smax < 0;
        left.is_nonnegative() && right.is_nonnegative() || negative(left) && negative(right)
    }

    fn slt_boundary(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (*self.facts(a), *self.facts(b));
        if !left.is_tracked() {
            return None;
        }
        if self.as_const(b).is_some() {
            let last = self.constant(Bits::from_signed(left.width(), right.smin - 1));
            return self.single_value(a, b, last, left.smax == right.smin, left.smin == right.smin - 1);
        }
        if self.as_const(a).is_some() {
            let first = self.constant(Bits::from_signed(left.width(), left.smin + 1));
            return self.single_value(b, a, first, right.smin == left.smin, right.smax == left.smin + 1);
        }
        None
    }

    /// A constant summand moved to the constant side, where neither sum wraps.
    fn slt_move(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (unknown, bound) = if self.as_const(b).is_some() { (a, b) } else { (b, a) };
        let value = self.as_const(bound)?;
        let (x, offset) = self.as_offset(unknown);
        let offset_facts = Facts::of_constant(offset);
        let moves = self.facts(x).add_fits_signed(&offset_facts) && self.facts(bound).sub_fits_signed(&offset_facts);
        if offset.is_zero() || !moves {
            return None;
        }
        let moved = self.constant(value.wrapping_sub(offset));
        self.cascade(|store| if unknown == a { store.slt(x, moved) } else { store.slt(moved, x) })
    }
}
