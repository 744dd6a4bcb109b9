//! Sum, product and quotient.

use super::super::term::{TermId, TermStore};
use super::round::Unrounded;
use super::{FloatNote, FloatOperation, Format, Parts, Rounded};

impl TermStore {
    /// `x + y`.
    ///
    /// The smaller operand is aligned to the larger with three more bits, the last of them sticky: where the exponents differ by two or
    /// more, the difference loses at most one leading bit, so that rounding still sees what it needs.
    pub fn float_add(&mut self, format: Format, x: TermId, y: TermId) -> Rounded {
        let (a, b) = (self.unpack(format, x), self.unpack(format, y));
        let swap = self.ult(a.magnitude, b.magnitude);
        let (large, small) = (self.pick(swap, b, a), self.pick(swap, a, b));
        let width = format.precision() + 4;
        let extended = |store: &mut Self, significand| {
            let padded = store.pad_right(significand, width - 1);
            store.zext(padded, width)
        };
        let (first, second) = (extended(self, large.significand), extended(self, small.significand));
        let distance = self.sub(large.exponent, small.exponent);
        let distance = self.resize(distance, width);
        let second = self.shift_sticky(second, distance);
        let opposite = self.xor(a.sign, b.sign);
        let (sum, difference) = (self.add(first, second), self.sub(first, second));
        let exact = self.ite(opposite, difference, sum);
        let (significand, shift) = self.normalise(exact);
        let range = format.exponent + 2 + 6;
        let exponent = self.zext(large.exponent, range);
        let one = self.number(range, 1);
        let exponent = self.add(exponent, one);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        // A sum that is exactly zero is positive, unless both operands are negative.
        let nothing = self.number(width, 0);
        let cancelled = self.eq(exact, nothing);
        let both = self.and(a.sign, b.sign);
        let sign = self.ite(cancelled, both, large.sign);
        let bits = self.round(format, Unrounded { sign, exponent, significand });
        let infinite = self.float_constant(format, large.sign, format.infinity());
        let bits = self.ite(large.infinite, infinite, bits);
        let undefined = self.and_all([a.infinite, b.infinite, opposite]);
        let nan = self.or_all([a.nan, b.nan, undefined]);
        self.attach_note(format, FloatOperation::Add(x, y), bits, nan)
    }

    /// `x - y`.
    pub fn float_sub(&mut self, format: Format, x: TermId, y: TermId) -> Rounded {
        let negative = self.float_neg(format, y);
        self.float_add(format, x, negative)
    }

    /// `-x`, of a NaN too.
    pub fn float_neg(&mut self, format: Format, x: TermId) -> TermId {
        let top = self.number(format.width(), 1 << (format.width() - 1));
        let value = self.xor(x, top);
        self.note(value, FloatNote::Value(format, FloatOperation::Neg(x)));
        value
    }

    /// `x * y`: the product of the significands is exact.
    pub fn float_mul(&mut self, format: Format, x: TermId, y: TermId) -> Rounded {
        let (a, b) = (self.unpack(format, x), self.unpack(format, y));
        let width = 2 * format.precision();
        let (p, q) = (self.zext(a.significand, width), self.zext(b.significand, width));
        let product = self.mul(p, q);
        let (significand, shift) = self.normalise(product);
        let range = format.exponent + 3 + 6;
        let (ea, eb) = (self.zext(a.exponent, range), self.zext(b.exponent, range));
        let exponent = self.add(ea, eb);
        let bias = self.number(range, format.bias() - 1);
        let exponent = self.sub(exponent, bias);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        let sign = self.xor(a.sign, b.sign);
        let bits = self.round(format, Unrounded { sign, exponent, significand });
        let infinite = self.float_constant(format, sign, format.infinity());
        let unlimited = self.or(a.infinite, b.infinite);
        let bits = self.ite(unlimited, infinite, bits);
        let (left, right) = (self.and(a.infinite, b.zero), self.and(a.zero, b.infinite));
        let nan = self.or_all([a.nan, b.nan, left, right]);
        self.attach_note(format, FloatOperation::Mul(x, y), bits, nan)
    }

    /// `x / y`: integer division of the normalised significands with enough quotient bits, the remainder makes the sticky bit.
    pub fn float_div(&mut self, format: Format, x: TermId, y: TermId) -> Rounded {
        let (a, b) = (self.unpack(format, x), self.unpack(format, y));
        let precision = format.precision();
        let (dividend, shift_a) = self.normalise(a.significand);
        let (divisor, shift_b) = self.normalise(b.significand);
        let width = 2 * precision + 2;
        let dividend = self.pad_right(dividend, width);
        let divisor = self.zext(divisor, width);
        let (quotient, remainder) = (self.udiv(dividend, divisor), self.urem(dividend, divisor));
        // Between 2^(precision + 1) and 2^(precision + 3).
        let quotient = self.extract(precision + 2, 0, quotient);
        let nothing = self.number(width, 0);
        let sticky = self.ne(remainder, nothing);
        let quotient = self.concat(quotient, sticky);
        let (significand, shift) = self.normalise(quotient);
        let range = format.exponent + 3 + 6;
        let (ea, eb) = (self.zext(a.exponent, range), self.zext(b.exponent, range));
        let (sa, sb) = (self.resize(shift_a, range), self.resize(shift_b, range));
        let (ea, eb) = (self.sub(ea, sa), self.sub(eb, sb));
        let exponent = self.sub(ea, eb);
        let bias = self.number(range, format.bias());
        let exponent = self.add(exponent, bias);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        let sign = self.xor(a.sign, b.sign);
        let bits = self.round(format, Unrounded { sign, exponent, significand });
        let (zero, infinite) =
            (self.float_constant(format, sign, 0), self.float_constant(format, sign, format.infinity()));
        let vanishes = self.or(a.zero, b.infinite);
        let grows = self.or(a.infinite, b.zero);
        let bits = self.ite(vanishes, zero, bits);
        let bits = self.ite(grows, infinite, bits);
        let (left, right) = (self.and(a.infinite, b.infinite), self.and(a.zero, b.zero));
        let nan = self.or_all([a.nan, b.nan, left, right]);
        self.attach_note(format, FloatOperation::Div(x, y), bits, nan)
    }

    fn pick(&mut self, condition: TermId, yes: Parts, no: Parts) -> Parts {
        Parts {
            sign: self.ite(condition, yes.sign, no.sign),
            exponent: self.ite(condition, yes.exponent, no.exponent),
            significand: self.ite(condition, yes.significand, no.significand),
            magnitude: self.ite(condition, yes.magnitude, no.magnitude),
            nan: self.ite(condition, yes.nan, no.nan),
            infinite: self.ite(condition, yes.infinite, no.infinite),
            zero: self.ite(condition, yes.zero, no.zero),
        }
    }
}
