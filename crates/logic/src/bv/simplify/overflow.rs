//! Whether an arithmetic operation leaves the range of its width.
//!
//! Facts come first: most index arithmetic cannot overflow. With a constant operand the question
//! is a comparison. Otherwise it is asked of the operation itself, or of the same one bit wider, so
//! that the check shares the operation's gates: a sum overflows if its sign is that of neither
//! operand, or by its carry. Products follow Gök, Schulte and Arnold (Integer multipliers with overflow
//! detection, 2006): a product one bit wider is exact unless two high bits of the operands meet,
//! which a chain of gates detects. Only at the largest width is a product divided back.

use super::super::term::{TermId, TermStore};
use super::super::value::{Bits, MAX_WIDTH};

impl TermStore {
    /// True if `a + b` wraps as an unsigned sum.
    pub fn uadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if self.facts(a).add_fits_unsigned(self.facts(b)) {
            return self.boolean(false);
        }
        let (a, b) = self.ordered(a, b);
        if self.as_const(b).is_some() || width == MAX_WIDTH {
            let limit = self.not(b);
            return self.ult(limit, a);
        }
        let (a, b) = (self.zext(a, width + 1), self.zext(b, width + 1));
        let sum = self.add(a, b);
        self.sign(sum)
    }

    /// True if `a - b` wraps as an unsigned difference.
    pub fn usub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// True if `a + b` wraps as a signed sum.
    pub fn sadd_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        self.common_width(a, b);
        if self.facts(a).add_fits_signed(self.facts(b)) {
            return self.boolean(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(offset) = self.as_const(b) {
            return self.offset_overflow(a, offset);
        }
        let sum = self.add(a, b);
        let (a_differs, b_differs) = (self.xor(a, sum), self.xor(b, sum));
        let both = (self.sign(a_differs), self.sign(b_differs));
        self.and(both.0, both.1)
    }

    /// True if `a - b` wraps as a signed difference.
    pub fn ssub_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        if self.facts(a).sub_fits_signed(self.facts(b)) {
            return self.boolean(false);
        }
        if let Some(offset) = self.as_const(b).filter(|&offset| offset != Bits::signed_min(width)) {
            return self.offset_overflow(a, offset.wrapping_neg());
        }
        let difference = self.sub(a, b);
        let (signs_differ, result_differs) = (self.xor(a, b), self.xor(a, difference));
        let both = (self.sign(signs_differ), self.sign(result_differs));
        self.and(both.0, both.1)
    }

    /// `a + offset` leaves the signed range: upwards for a positive offset, else downwards.
    fn offset_overflow(&mut self, a: TermId, offset: Bits) -> TermId {
        let least = Bits::signed_min(offset.width());
        let limit = if offset.is_negative() { least } else { least.complement() };
        let limit = self.constant(limit.wrapping_sub(offset));
        if offset.is_negative() { self.slt(a, limit) } else { self.slt(limit, a) }
    }

    /// True if `a * b` wraps as an unsigned product.
    pub fn umul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if self.facts(a).mul_fits_unsigned(self.facts(b)) || width == 1 {
            return self.boolean(false);
        }
        if let Some(factor) = self.as_const(b).filter(|factor| !factor.is_zero()) {
            let limit = self.constant(Bits::ones(width).udiv(factor));
            return self.ult(limit, a);
        }
        if a == b && width < 128 {
            let limit = self.number(width, ((1u128 << width) - 1).isqrt());
            return self.ult(limit, a);
        }
        if width == MAX_WIDTH {
            return self.umul_overflow_by_division(a, b);
        }
        let high_bits_meet = self.high_bits_meet(a, b, width);
        let (a, b) = (self.zext(a, width + 1), self.zext(b, width + 1));
        let product = self.mul(a, b);
        let carry = self.sign(product);
        self.or(high_bits_meet, carry)
    }

    fn umul_overflow_by_division(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.constant(Bits::zero(self.width(b)));
        let product = self.mul(a, b);
        let quotient = self.udiv(product, b);
        let (nonzero, differs) = (self.ne(b, zero), self.ne(quotient, a));
        self.and(nonzero, differs)
    }

    /// True if `a * b` wraps as a signed product.
    pub fn smul_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if self.facts(a).mul_fits_signed(self.facts(b)) {
            return self.boolean(false);
        }
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(factor) = self.as_const(b).filter(|factor| !factor.is_zero()) {
            return self.factor_overflow(a, factor);
        }
        if a == b && width < 128 {
            // A square fits as long as the number is at most the root of the greatest one, whatever its sign.
            let root = ((1u128 << (width - 1)) - 1).isqrt();
            let (low, high) = (Bits::from_signed(width, -(root as i128)), Bits::new(width, root));
            let (low, high) = (self.constant(low), self.constant(high));
            let (below, above) = (self.slt(a, low), self.slt(high, a));
            return self.or(below, above);
        }
        if width == MAX_WIDTH {
            return self.smul_overflow_by_division(a, b);
        }
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let (a_flips, b_flips) = (self.sext(a_sign, width), self.sext(b_sign, width));
        let (a_size, b_size) = (self.xor(a, a_flips), self.xor(b, b_flips));
        let high_bits_meet = self.high_bits_meet(a_size, b_size, width - 1);
        let (a, b) = (self.sext(a, width + 1), self.sext(b, width + 1));
        let product = self.mul(a, b);
        let (top, next) = (self.extract(width, width, product), self.extract(width - 1, width - 1, product));
        let inexact = self.xor(top, next);
        self.or(high_bits_meet, inexact)
    }

    /// With a constant factor the operand must stay between two quotients.
    fn factor_overflow(&mut self, a: TermId, factor: Bits) -> TermId {
        let least = Bits::signed_min(factor.width());
        if factor.is_ones() {
            let least = self.constant(least);
            return self.eq(a, least);
        }
        let (from_least, from_greatest) = (least.sdiv(factor), least.complement().sdiv(factor));
        let (low, high) = if factor.is_negative() { (from_greatest, from_least) } else { (from_least, from_greatest) };
        let (low, high) = (self.constant(low), self.constant(high));
        let (below, above) = (self.slt(a, low), self.slt(high, a));
        self.or(below, above)
    }

    fn smul_overflow_by_division(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let zero = self.constant(Bits::zero(width));
        let least = self.constant(Bits::signed_min(width));
        let minus_one = self.constant(Bits::ones(width));
        let product = self.mul(a, b);
        let quotient = self.sdiv(product, b);
        let (nonzero, differs) = (self.ne(b, zero), self.ne(quotient, a));
        let inexact = self.and(nonzero, differs);
        let (a_least, b_minus_one) = (self.eq(a, least), self.eq(b, minus_one));
        let negated_least = self.and(a_least, b_minus_one);
        self.or(inexact, negated_least)
    }

    /// True if bits `i` of `a` and `j` of `b` are 1 with `i + j ≥ sum`, for bits below `sum`.
    fn high_bits_meet(&mut self, a: TermId, b: TermId, sum: u32) -> TermId {
        let mut meets = self.boolean(false);
        let mut any_b = self.boolean(false);
        for i in 1..sum {
            let b_bit = self.extract(sum - i, sum - i, b);
            any_b = self.or(any_b, b_bit);
            let a_bit = self.extract(i, i, a);
            let both = self.and(a_bit, any_b);
            meets = self.or(meets, both);
        }
        meets
    }

    /// True if `a / b` wraps as a signed quotient: only the least value divided by -1 does.
    pub fn sdiv_overflow(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (least, minus_one) = (self.constant(Bits::signed_min(width)), self.constant(Bits::ones(width)));
        let (a_least, b_minus_one) = (self.eq(a, least), self.eq(b, minus_one));
        self.and(a_least, b_minus_one)
    }

    /// True if `-a` wraps as a signed number: only the least value does.
    pub fn neg_overflow(&mut self, a: TermId) -> TermId {
        let least = self.constant(Bits::signed_min(self.width(a)));
        self.eq(a, least)
    }
}
