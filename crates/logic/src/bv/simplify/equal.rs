//! Equality.
//!
//! An equation is solved as far as rings and wiring allow: common summands cancel, constants move
//! to the right, an odd factor is divided away (it is a unit modulo 2^width), and an equation
//! between concatenations is one for each part.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;
use super::linear::Linear;

impl TermStore {
    /// Equality; of Booleans, "if and only if".
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if self.common_width(a, b) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.boolean(true);
        }
        if self.facts(a).disjoint(self.facts(b)) {
            return self.boolean(false);
        }
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.boolean(x == y);
        }
        self.eq_by_rules(a, b).unwrap_or_else(|| self.intern_or_pin(Term::Eq(a, b)))
    }

    /// Inequality.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_by_rules(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.as_const(b) {
            return self.eq_const(a, value).or_else(|| self.compare_selections(a, b, TermStore::eq));
        }
        if let Some(cancelled) = self.cancel_summands(a, b) {
            return Some(cancelled);
        }
        self.eq_operands(a, b).or_else(|| self.compare_selections(a, b, TermStore::eq))
    }

    /// `a = b` without the summands that both sides have.
    fn cancel_summands(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (self.linear(a), self.linear(b));
        let both_offset = !left.constant.is_zero() && !right.constant.is_zero();
        if !left.shares_atom(&right) && !both_offset {
            return None;
        }
        let difference = left.plus(&right.negated());
        let (left, right) = split_signs(&difference);
        let (a, b) = (self.sum_of(&left), self.sum_of(&right));
        self.cascade(|store| store.eq(a, b))
    }

    /// `a = value`, solved for what `a` is made of.
    fn eq_const(&mut self, a: TermId, value: Bits) -> Option<TermId> {
        let (x, offset) = self.as_offset(a);
        if !offset.is_zero() {
            return self.eq_to(x, value.wrapping_sub(offset));
        }
        if let Some(x) = self.as_not(a) {
            return self.eq_to(x, value.complement());
        }
        if let Term::Neg(x) = self.term(a) {
            return self.eq_to(x, value.wrapping_neg());
        }
        if let Some((x, factor)) = self.as_scaled(a) {
            return self.eq_scaled(x, factor, value);
        }
        if let Term::Xor(x, y) = self.term(a) {
            if let Some(flips) = self.as_const(y) {
                return self.eq_to(x, value.xor(flips));
            }
            return if value.is_zero() { self.cascade(|store| store.eq(x, y)) } else { None };
        }
        if let Term::Add(x, y) = self.term(a)
            && value.is_zero()
        {
            return self.eq_difference(x, y).or_else(|| self.eq_difference(y, x));
        }
        self.eq_const_wiring(a, value)
    }

    fn eq_to(&mut self, a: TermId, value: Bits) -> Option<TermId> {
        let value = self.constant(value);
        self.cascade(|store| store.eq(a, value))
    }

    /// `x + y = 0` where `y` is a negation.
    fn eq_difference(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        if let Term::Neg(y) = self.term(y) { self.cascade(|store| store.eq(x, y)) } else { None }
    }

    /// `x * factor = value`: an odd factor has an inverse, and a power of two speaks about the low
    /// bits of `x` only.
    fn eq_scaled(&mut self, x: TermId, factor: Bits, value: Bits) -> Option<TermId> {
        let shift = factor.trailing_zeros();
        if value.trailing_zeros() < shift {
            return Some(self.boolean(false));
        }
        let unit = factor.shift_right(shift);
        let top = factor.width() - 1;
        let solution = value.shift_right(shift).wrapping_mul(inverse(unit));
        let kept = self.extract(top - shift, 0, x);
        self.eq_to(kept, solution.extract(top - shift, 0))
    }

    fn eq_const_wiring(&mut self, a: TermId, value: Bits) -> Option<TermId> {
        let top = value.width() - 1;
        if let Some(x) = self.zext_operand(a) {
            let width = self.width(x);
            let fits = value.shift_right(width).is_zero();
            return if fits { self.eq_to(x, value.extract(width - 1, 0)) } else { Some(self.boolean(false)) };
        }
        if let Some(x) = self.sext_operand(a) {
            let kept = value.extract(self.width(x) - 1, 0);
            let fits = kept.sext(value.width()) == value;
            return if fits { self.eq_to(x, kept) } else { Some(self.boolean(false)) };
        }
        if let Term::Concat(high, low) = self.term(a) {
            let split = self.width(low);
            let (above, below) = (value.extract(top, split), value.extract(split - 1, 0));
            let (above, below) = (self.eq_to(high, above)?, self.eq_to(low, below)?);
            return Some(self.and(above, below));
        }
        None
    }

    /// An equation between two terms of the same shape.
    fn eq_operands(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let (Some(x), Some(y)) = (self.as_not(a), self.as_not(b)) {
            return self.cascade(|store| store.eq(x, y));
        }
        if let Some((x, y)) = self.common_extension(a, b, TermStore::zext_operand) {
            return self.cascade(|store| store.eq(x, y));
        }
        if let Some((x, y)) = self.common_extension(a, b, TermStore::sext_operand) {
            return self.cascade(|store| store.eq(x, y));
        }
        if let (Term::Concat(high, low), Term::Concat(other_high, other_low)) = (self.term(a), self.term(b))
            && self.width(low) == self.width(other_low)
        {
            let above = self.cascade(|store| store.eq(high, other_high))?;
            let below = self.cascade(|store| store.eq(low, other_low))?;
            return Some(self.and(above, below));
        }
        None
    }

    /// The operands of two extensions of the same kind, if they have the same width.
    pub(super) fn common_extension(
        &self,
        a: TermId,
        b: TermId,
        operand: fn(&Self, TermId) -> Option<TermId>,
    ) -> Option<(TermId, TermId)> {
        let (x, y) = (operand(self, a)?, operand(self, b)?);
        (self.width(x) == self.width(y)).then_some((x, y))
    }
}

/// `form = 0` as `left = right`, so that no coefficient on either side is negative.
fn split_signs(form: &Linear) -> (Linear, Linear) {
    let zero = Bits::zero(form.constant.width());
    let (negative, positive): (Vec<_>, Vec<_>) =
        form.atoms.iter().copied().partition(|(_, coefficient)| coefficient.is_negative());
    let left = Linear { constant: zero, atoms: positive };
    let right = Linear { constant: form.constant, atoms: negative }.negated();
    (left, right)
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration: each round doubles the
/// number of correct low bits, of which the number itself has three.
fn inverse(odd: Bits) -> Bits {
    let two = Bits::new(odd.width(), 2);
    (0..7).fold(odd, |guess, _| guess.wrapping_mul(two.wrapping_sub(odd.wrapping_mul(guess))))
}
