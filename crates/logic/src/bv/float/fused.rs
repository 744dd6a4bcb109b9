//! The fused product and sum: rounded once.

use super::super::term::{TermId, TermStore};
use super::round::Unrounded;
use super::{FloatOperation, Format, Rounded};

/// A number `1.xxx * 2^(exponent - bias)` on its way to a sum; the exponent of a zero means nothing.
#[derive(Clone, Copy)]
struct Addend {
    sign: TermId,
    exponent: TermId,
    significand: TermId,
    zero: TermId,
}

impl TermStore {
    /// `x * y + z`.
    ///
    /// The product is exact in twice the precision. It and `z`, both normalised, are added as in `float_add`, with three more bits of
    /// which the last is sticky.
    pub fn float_fma(&mut self, format: Format, x: TermId, y: TermId, z: TermId) -> Rounded {
        let (a, b, c) = (self.unpack(format, x), self.unpack(format, y), self.unpack(format, z));
        let width = 2 * format.precision();
        let range = format.exponent + 4 + 6;
        let (p, q) = (self.zext(a.significand, width), self.zext(b.significand, width));
        let product = self.mul(p, q);
        let (ea, eb) = (self.zext(a.exponent, range), self.zext(b.exponent, range));
        let exponent = self.add(ea, eb);
        let bias = self.number(range, format.bias() - 1);
        let exponent = self.sub(exponent, bias);
        let sign = self.xor(a.sign, b.sign);
        let zero = self.or(a.zero, b.zero);
        let product = self.normalise_addend(Addend { sign, exponent, significand: product, zero });
        let significand = self.pad_right(c.significand, width);
        let exponent = self.zext(c.exponent, range);
        let third = self.normalise_addend(Addend { sign: c.sign, exponent, significand, zero: c.zero });
        let bits = self.add_rounded(format, product, third);

        let unlimited = self.or(a.infinite, b.infinite);
        let infinite = self.float_constant(format, sign, format.infinity());
        let bits = self.ite(unlimited, infinite, bits);
        let bits = self.ite(c.infinite, z, bits);
        let opposite = self.xor(sign, c.sign);
        let cancels = self.and_all([unlimited, c.infinite, opposite]);
        let (left, right) = (self.and(a.infinite, b.zero), self.and(a.zero, b.infinite));
        let nan = self.or_all([a.nan, b.nan, c.nan, left, right, cancels]);
        self.attach_note(format, FloatOperation::Fma(x, y, z), bits, nan)
    }

    fn normalise_addend(&mut self, number: Addend) -> Addend {
        let (significand, shift) = self.normalise(number.significand);
        let shift = self.resize(shift, self.width(number.exponent));
        Addend { exponent: self.sub(number.exponent, shift), significand, ..number }
    }

    /// The sum of two normalised numbers of one width, rounded.
    fn add_rounded(&mut self, format: Format, a: Addend, b: Addend) -> TermId {
        let (lower, same) = (self.slt(a.exponent, b.exponent), self.eq(a.exponent, b.exponent));
        let less = self.ult(a.significand, b.significand);
        let less = self.and(same, less);
        let below = self.or(lower, less);
        let some = self.not(b.zero);
        let below = self.and(below, some);
        let swap = self.or(a.zero, below);
        let (large, small) = (self.choose(swap, b, a), self.choose(swap, a, b));
        let width = self.width(a.significand) + 4;
        let extended = |store: &mut Self, significand| {
            let padded = store.pad_right(significand, width - 1);
            store.zext(padded, width)
        };
        let (first, second) = (extended(self, large.significand), extended(self, small.significand));
        let distance = self.distance(large.exponent, small.exponent, width);
        let second = self.shift_sticky(second, distance);
        let opposite = self.xor(a.sign, b.sign);
        let (sum, difference) = (self.add(first, second), self.sub(first, second));
        let exact = self.ite(opposite, difference, sum);
        let (significand, shift) = self.normalise(exact);
        let range = self.width(large.exponent);
        let one = self.number(range, 1);
        let exponent = self.add(large.exponent, one);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        let nothing = self.number(width, 0);
        let cancelled = self.eq(exact, nothing);
        let both = self.and(a.sign, b.sign);
        let sign = self.ite(cancelled, both, large.sign);
        self.round(format, Unrounded { sign, exponent, significand })
    }

    /// How far the smaller number is moved: no more than its width, from where on only the sticky bit is left.
    fn distance(&mut self, large: TermId, small: TermId, width: u32) -> TermId {
        let distance = self.sub(large, small);
        let limit = self.number(self.width(distance), u128::from(width));
        let far = self.ult(limit, distance);
        let distance = self.ite(far, limit, distance);
        self.resize(distance, width)
    }

    fn choose(&mut self, condition: TermId, yes: Addend, no: Addend) -> Addend {
        Addend {
            sign: self.ite(condition, yes.sign, no.sign),
            exponent: self.ite(condition, yes.exponent, no.exponent),
            significand: self.ite(condition, yes.significand, no.significand),
            zero: self.ite(condition, yes.zero, no.zero),
        }
    }
}
