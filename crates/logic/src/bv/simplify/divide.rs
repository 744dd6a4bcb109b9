//! Quotients and remainders. The signed ones are built from the unsigned ones, so that a program's
//! `a / b` and `a % b` share one divider.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

impl TermStore {
    /// Unsigned quotient; all ones if `b` is zero.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if width == 1 {
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if let Some(divisor) = self.as_const(b) {
            if let Some(value) = self.as_const(a) {
                return self.constant(value.udiv(divisor));
            }
            if divisor.is_zero() {
                return self.constant(Bits::ones(width));
            }
            if let Some(exponent) = divisor.exponent() {
                return self.shift_right_by(a, exponent);
            }
            if let Some(folded) = self.map_const_ite(a, |value| value.udiv(divisor)) {
                return folded;
            }
        }
        if self.facts(a).ult(self.facts(b)) == Some(true) {
            return self.constant(Bits::zero(width));
        }
        if self.facts(b).is_nonzero()
            && let Some(narrow) = self.narrow(a, b, TermStore::udiv)
        {
            return narrow;
        }
        self.intern_or_pin(Term::Udiv(a, b))
    }

    /// Unsigned remainder; `a` if `b` is zero.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if let Some(divisor) = self.as_const(b) {
            if let Some(value) = self.as_const(a) {
                return self.constant(value.urem(divisor));
            }
            if divisor.is_zero() {
                return a;
            }
            if divisor.exponent().is_some() {
                let mask = self.constant(divisor.wrapping_sub(Bits::one(width)));
                return self.and(a, mask);
            }
            if let Some(folded) = self.map_const_ite(a, |value| value.urem(divisor)) {
                return folded;
            }
        }
        if self.facts(a).ult(self.facts(b)) == Some(true) {
            return a;
        }
        if let Some(narrow) = self.narrow(a, b, TermStore::urem) {
            return narrow;
        }
        self.intern_or_pin(Term::Urem(a, b))
    }

    /// The operation on the bits that the operands can occupy. A divider costs the square of its
    /// width, and C computes on bytes in words.
    fn narrow(&mut self, a: TermId, b: TermId, divide: fn(&mut Self, TermId, TermId) -> TermId) -> Option<TermId> {
        let width = self.width(a);
        let needed = self.facts(a).significant_bits().max(self.facts(b).significant_bits());
        if needed == 0 || needed >= width {
            return None;
        }
        let (a, b) = (self.extract(needed - 1, 0, a), self.extract(needed - 1, 0, b));
        let result = divide(self, a, b);
        Some(self.zext(result, width))
    }

    /// Signed quotient, rounded towards zero; by zero, 1 for a negative dividend and -1 otherwise.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.udiv(a, b);
        let negative = self.xor(a_sign, b_sign);
        self.negate_if(negative, quotient)
    }

    /// Signed remainder with the sign of the dividend; `a` if `b` is zero.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let negative = self.sign(a);
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let rest = self.urem(a, b);
        self.negate_if(negative, rest)
    }

    /// The sign bit.
    pub fn sign(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.extract(top, top, a)
    }

    /// `a` or `-a`, whichever is not negative; of the least value, the value itself.
    pub fn magnitude(&mut self, a: TermId) -> TermId {
        let negative = self.sign(a);
        self.negate_if(negative, a)
    }

    fn negate_if(&mut self, negative: TermId, a: TermId) -> TermId {
        let negated = self.neg(a);
        self.ite(negative, negated, a)
    }
}
