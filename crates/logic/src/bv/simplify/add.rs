//! Sums, differences and products.
//!
//! Normal form: a constant summand is the second operand of the outermost addition, a constant
//! factor the second operand of the outermost product, and subtraction is the addition of a
//! negation. A shift by a constant is a product, so that it takes part in linear forms.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

impl TermStore {
    /// `a + b`, modulo 2^width.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        if self.common_width(a, b) == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(offset) = self.as_const(b) {
            return self.add_const(a, offset);
        }
        let ((x, x_offset), (y, y_offset)) = (self.as_offset(a), self.as_offset(b));
        let sum = self.add_without_offsets(x, y);
        self.add_const(sum, x_offset.wrapping_add(y_offset))
    }

    fn add_without_offsets(&mut self, a: TermId, b: TermId) -> TermId {
        let (left, right) = (self.linear(a), self.linear(b));
        if left.shares_atom(&right) {
            let sum = left.plus(&right);
            return self.sum_of(&sum);
        }
        self.plain_add(a, b)
    }

    /// The sum of two terms between which nothing cancels.
    pub(super) fn plain_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(offset) = self.as_const(b) {
            return self.add_const(a, offset);
        }
        if let Some(offset) = self.as_const(a) {
            return self.add_const(b, offset);
        }
        let (a, b) = self.ordered(a, b);
        self.intern_or_pin(Term::Add(a, b))
    }

    /// `a` plus a constant.
    pub(super) fn add_const(&mut self, a: TermId, offset: Bits) -> TermId {
        if offset.is_zero() {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.wrapping_add(offset));
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.wrapping_add(offset)) {
            return folded;
        }
        let (x, inner) = self.as_offset(a);
        if !inner.is_zero() {
            return self.add_const(x, inner.wrapping_add(offset));
        }
        if let Some(x) = self.as_not(a) {
            let negated = self.neg(x);
            return self.add_const(negated, offset.wrapping_sub(Bits::one(offset.width())));
        }
        let offset = self.constant(offset);
        self.intern_or_pin(Term::Add(a, offset))
    }

    /// `a - b`, modulo 2^width.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    /// `-a`, modulo 2^width.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.wrapping_neg());
        }
        if let Term::Neg(x) = self.term(a) {
            return x;
        }
        if let Some(x) = self.as_not(a) {
            return self.add_const(x, Bits::one(width));
        }
        if let Some((x, factor)) = self.as_scaled(a) {
            return self.mul_const(x, factor.wrapping_neg());
        }
        if let Some(folded) = self.map_const_ite(a, Bits::wrapping_neg) {
            return folded;
        }
        let (x, offset) = self.as_offset(a);
        if !offset.is_zero() {
            let negated = self.neg(x);
            return self.add_const(negated, offset.wrapping_neg());
        }
        self.intern_or_pin(Term::Neg(a))
    }

    /// `a * b`, modulo 2^width.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        if self.common_width(a, b) == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(factor) = self.as_const(b) {
            return self.mul_const(a, factor);
        }
        if let Some((x, factor)) = self.as_scaled(a)
            && let Some(product) = self.cascade(|store| store.mul(x, b))
        {
            return self.mul_const(product, factor);
        }
        if let Some((y, factor)) = self.as_scaled(b)
            && let Some(product) = self.cascade(|store| store.mul(a, y))
        {
            return self.mul_const(product, factor);
        }
        self.intern_or_pin(Term::Mul(a, b))
    }

    /// `a` times a constant.
    pub(super) fn mul_const(&mut self, a: TermId, factor: Bits) -> TermId {
        if factor.is_zero() || factor.is_one() {
            return if factor.is_zero() { self.constant(factor) } else { a };
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.wrapping_mul(factor));
        }
        if factor.is_ones() && self.as_scaled(a).is_none() {
            return self.neg(a);
        }
        if let Some((x, inner)) = self.as_scaled(a) {
            return self.mul_const(x, inner.wrapping_mul(factor));
        }
        if let Term::Neg(x) = self.term(a) {
            return self.mul_const(x, factor.wrapping_neg());
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.wrapping_mul(factor)) {
            return folded;
        }
        let (x, offset) = self.as_offset(a);
        if !offset.is_zero() {
            let product = self.mul_const(x, factor);
            return self.add_const(product, offset.wrapping_mul(factor));
        }
        let factor = self.constant(factor);
        self.intern_or_pin(Term::Mul(a, factor))
    }
}
