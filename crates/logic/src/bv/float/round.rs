//! Rounding: from an exact significand (or one whose lowest bit is sticky) to the nearest float, ties to even.

use super::super::term::{TermId, TermStore};
use super::Format;

/// A number to be rounded: `significand * 2^(exponent - bias - (width - 1))`, that is `1.xxx * 2^(exponent - bias)`.
#[derive(Clone, Copy)]
pub(super) struct Unrounded {
    pub(super) sign: TermId,
    /// The biased exponent of the top bit; signed, and wide enough not to wrap.
    pub(super) exponent: TermId,
    /// Its top bit is one, unless it is zero. At least two bits more than the format's precision, the lowest of which may be sticky.
    pub(super) significand: TermId,
}

impl TermStore {
    /// The nearest float. A significand of zero gives a zero of that sign.
    pub(super) fn round(&mut self, format: Format, number: Unrounded) -> TermId {
        let width = self.width(number.significand);
        let precision = format.precision();
        debug_assert!(width >= precision + 2, "a guard and a sticky bit are needed");
        let range = self.width(number.exponent);
        // Below the least exponent the significand is shifted, and the field is 0: the carry of rounding makes it 1 where it must.
        let one = self.number(range, 1);
        let small = self.slt(number.exponent, one);
        let distance = self.sub(one, number.exponent);
        let limit = self.number(range, u128::from(width + 1));
        let far = self.slt(limit, distance);
        let distance = self.ite(far, limit, distance);
        let distance = self.resize(distance, width);
        let zero_distance = self.number(width, 0);
        let distance = self.ite(small, distance, zero_distance);
        let significand = self.shift_sticky(number.significand, distance);
        let kept = self.extract(width - 1, width - precision, significand);
        let guard = self.extract(width - precision - 1, width - precision - 1, significand);
        let rest = self.extract(width - precision - 2, 0, significand);
        let nothing = self.number(width - precision - 1, 0);
        let sticky = self.ne(rest, nothing);
        let odd = self.extract(0, 0, kept);
        let up = self.or(sticky, odd);
        let up = self.and(guard, up);
        // The leading bit is added to a field one less, so that a subnormal that is rounded up to a normal number comes out right.
        let before = self.sub(number.exponent, one);
        let zero = self.number(range, 0);
        let field = self.ite(small, zero, before);
        let total = range.max(format.exponent) + format.fraction;
        let field = self.resize(field, total - format.fraction);
        let field = self.pad_right(field, total);
        let kept = self.zext(kept, total);
        let up = self.zext(up, total);
        let sum = self.add(field, kept);
        let sum = self.add(sum, up);
        let infinity = self.number(total, format.infinity());
        let fits = self.ult(sum, infinity);
        let is_zero = {
            let nothing = self.number(width, 0);
            self.eq(number.significand, nothing)
        };
        let finite = self.extract(format.width() - 2, 0, sum);
        let infinity = self.number(format.width() - 1, format.infinity());
        let magnitude = self.ite(fits, finite, infinity);
        let nothing = self.number(format.width() - 1, 0);
        let magnitude = self.ite(is_zero, nothing, magnitude);
        self.concat(number.sign, magnitude)
    }
}
