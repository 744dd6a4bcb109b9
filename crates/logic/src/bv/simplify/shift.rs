//! Shifts. By a constant they are products, slices and extensions; only a shift by a variable
//! amount stays a term of its own.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

impl TermStore {
    /// `a << amount`; zero if the amount is the width or more.
    pub fn shl(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.common_width(a, amount);
        if width == 1 {
            let kept = self.not(amount);
            return self.and(a, kept);
        }
        if let Some(amount) = self.known_amount(amount) {
            return self.mul_const(a, Bits::power_of_two(width, amount));
        }
        self.intern_or_pin(Term::Shl(a, amount))
    }

    /// `a >> amount`, filled with zeros.
    pub fn lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        if self.common_width(a, amount) == 1 {
            let kept = self.not(amount);
            return self.and(a, kept);
        }
        if let Some(amount) = self.known_amount(amount) {
            return self.shift_right_by(a, amount);
        }
        self.intern_or_pin(Term::Lshr(a, amount))
    }

    /// `a >> amount`, filled with the sign bit.
    pub fn ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.common_width(a, amount);
        if width == 1 {
            return a;
        }
        if self.facts(a).is_nonnegative() {
            return self.lshr(a, amount);
        }
        if let Some(amount) = self.known_amount(amount) {
            let kept = self.extract(width - 1, amount.min(width - 1), a);
            return self.sext(kept, width);
        }
        self.intern_or_pin(Term::Ashr(a, amount))
    }

    /// `a` shifted right by a number, filled with zeros.
    pub(super) fn shift_right_by(&mut self, a: TermId, amount: u32) -> TermId {
        let width = self.width(a);
        if amount >= width {
            return self.constant(Bits::zero(width));
        }
        let kept = self.extract(width - 1, amount, a);
        self.zext(kept, width)
    }

    /// The amount, if it is constant or certainly at least the width; clamped to the width.
    fn known_amount(&self, amount: TermId) -> Option<u32> {
        let width = self.width(amount);
        if let Some(value) = self.as_const(amount) {
            let limit = u128::from(width);
            return Some(value.to_u128().map_or(width, |value| value.min(limit) as u32));
        }
        let facts = self.facts(amount);
        (facts.is_tracked() && facts.umin >= u128::from(width)).then_some(width)
    }
}
