//! Conversions between formats, and from and to integers.

use super::super::term::{TermId, TermStore};
use super::round::Unrounded;
use super::{FloatNote, FloatOperation, Format, Rounded};

/// An integer made from a float.
#[derive(Clone, Copy, Debug)]
pub struct Truncated {
    /// The float rounded towards zero, where it fits.
    pub bits: TermId,
    /// True where that fits the integer's type.
    pub fits: TermId,
}

impl TermStore {
    /// The float in another format.
    pub fn float_convert(&mut self, from: Format, to: Format, x: TermId) -> Rounded {
        let parts = self.unpack(from, x);
        let (significand, shift) = self.normalise(parts.significand);
        let significand = self.pad_right(significand, to.precision() + 2);
        let range = from.exponent.max(to.exponent) + 3 + 6;
        let exponent = self.zext(parts.exponent, range);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        let (old, new) = (self.number(range, from.bias()), self.number(range, to.bias()));
        let exponent = self.sub(exponent, old);
        let exponent = self.add(exponent, new);
        let bits = self.round(to, Unrounded { sign: parts.sign, exponent, significand });
        let infinite = self.float_constant(to, parts.sign, to.infinity());
        let bits = self.ite(parts.infinite, infinite, bits);
        self.attach_note(to, FloatOperation::Convert { from, arg: x }, bits, parts.nan)
    }

    /// The nearest float to an integer of at most 128 bits.
    pub fn float_from_int(&mut self, format: Format, signed: bool, x: TermId) -> TermId {
        let width = self.width(x);
        let sign = if signed { self.sign(x) } else { self.boolean(false) };
        let magnitude = if signed { self.magnitude(x) } else { x };
        let (significand, shift) = self.normalise(magnitude);
        let significand = self.pad_right(significand, width.max(format.precision() + 2));
        let range = format.exponent.max(9) + 2;
        let top = self.number(range, format.bias() + u128::from(width) - 1);
        let shift = self.resize(shift, range);
        let exponent = self.sub(top, shift);
        let bits = self.round(format, Unrounded { sign, exponent, significand });
        self.note(bits, FloatNote::Value(format, FloatOperation::FromInt { signed, arg: x }));
        bits
    }

    /// The float rounded towards zero as an integer of `width` bits, at most 128.
    pub fn float_to_int(&mut self, format: Format, signed: bool, width: u32, x: TermId) -> Truncated {
        let parts = self.unpack(format, x);
        let total = width + 1 + format.precision();
        let range = format.exponent.max(9) + 2;
        let exponent = self.zext(parts.exponent, range);
        let bias = self.number(range, format.bias());
        let exponent = self.sub(exponent, bias);
        let (zero, most) = (self.number(range, 0), self.number(range, u128::from(width)));
        let fraction_only = self.slt(exponent, zero);
        let too_large = self.slt(most, exponent);
        let amount = self.resize(exponent, total);
        let significand = self.zext(parts.significand, total);
        let shifted = self.shl(significand, amount);
        let magnitude = self.extract(total - 1, format.fraction, shifted);
        let magnitude_width = total - format.fraction;
        let nothing = self.number(magnitude_width, 0);
        let magnitude = self.ite(fraction_only, nothing, magnitude);
        let half = self.number(magnitude_width, 1);
        let limit_at = self.number(magnitude_width, u128::from(if signed { width - 1 } else { width }));
        let limit = self.shl(half, limit_at);
        let below = self.ult(magnitude, limit);
        let negative_fits = if signed { self.ule(magnitude, limit) } else { self.eq(magnitude, nothing) };
        let within = self.ite(parts.sign, negative_fits, below);
        let not_large = self.not(too_large);
        let small = self.or(fraction_only, not_large);
        let number = self.or(parts.nan, parts.infinite);
        let number = self.not(number);
        let low = self.extract(width - 1, 0, magnitude);
        let negated = self.neg(low);
        let (bits, fits) = (self.ite(parts.sign, negated, low), self.and_all([within, small, number]));
        self.note(bits, FloatNote::Truncated { format, signed, width, arg: x });
        self.note(fits, FloatNote::Fits { format, signed, width, arg: x });
        Truncated { bits, fits }
    }
}
