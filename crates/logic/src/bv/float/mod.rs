//! IEEE 754 binary arithmetic as circuits over bit-vector terms: to nearest, ties to even.
//!
//! A float is a bit-vector of its encoding. Each operation unpacks its operands into sign, exponent and significand, computes a result
//! that is exact or exact but for a sticky bit, and rounds once (`round.rs`); that is IEEE 754's own definition (section 4.3).
//! Handbook of Floating-Point Arithmetic, chapter 7, has the algorithms. Nothing here knows a solver: the results are ordinary
//! terms, which any back end of ours checks.
//!
//! What a NaN's sign and payload are is not decided here: an operation's result says under which condition it is a NaN, and its bits
//! are then meaningless ([`Rounded`]).

mod arithmetic;
mod convert;
mod fused;
mod note;
mod root;
mod round;
mod whole;

#[cfg(test)]
mod tests;

use super::term::{TermId, TermStore};

pub use convert::Truncated;
pub use note::{FloatNote, FloatOperation};
pub use whole::Rounding;

/// A binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction; the significand has one more.
    pub fraction: u32,
}

impl Format {
    /// `float`.
    pub const SINGLE: Format = Format { exponent: 8, fraction: 23 };
    /// `double`.
    pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

    /// The bits of an encoding.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The format of encodings with so many bits.
    pub fn of_width(width: u32) -> Option<Format> {
        [Format::SINGLE, Format::DOUBLE].into_iter().find(|format| format.width() == width)
    }

    /// The place of an encoding among all numbers in order, -0 (-1) before +0 (0); `None` for a NaN.
    pub fn place(self, bits: u128) -> Option<i64> {
        let sign = 1u128 << (self.width() - 1);
        let magnitude = bits & (sign - 1);
        let place = i64::try_from(magnitude).ok().filter(|_| magnitude <= self.infinity())?;
        Some(if bits & sign == 0 { place } else { -1 - place })
    }

    /// The encoding at a place; the nearest infinity beyond them.
    pub fn encoding_at(self, place: i64) -> u128 {
        let sign = 1u128 << (self.width() - 1);
        let magnitude = if place < 0 { (-1 - i128::from(place)) as u128 } else { place as u128 };
        magnitude.min(self.infinity()) | if place < 0 { sign } else { 0 }
    }

    /// The encoding of a quiet NaN.
    pub fn quiet_nan(self) -> u128 {
        self.infinity() | 1 << (self.fraction - 1)
    }

    /// The bits of a significand, the leading one included.
    fn precision(self) -> u32 {
        self.fraction + 1
    }

    fn bias(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The encoding of infinity, without a sign.
    pub(super) fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction
    }
}

/// The result of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    /// The encoding, where the result is a number or infinite.
    pub bits: TermId,
    /// True where the result is a NaN.
    pub nan: TermId,
    /// What was computed, if it is an operation by itself.
    pub operation: Option<(Format, FloatOperation)>,
}

/// The parts of an operand. A subnormal has the least exponent and no leading one.
#[derive(Clone, Copy)]
struct Parts {
    sign: TermId,
    /// The exponent field, 1 for subnormals and zero.
    exponent: TermId,
    /// The fraction with its leading bit.
    significand: TermId,
    magnitude: TermId,
    nan: TermId,
    infinite: TermId,
    zero: TermId,
}

impl TermStore {
    fn unpack(&mut self, format: Format, x: TermId) -> Parts {
        let width = format.width();
        let sign = self.extract(width - 1, width - 1, x);
        let magnitude = self.extract(width - 2, 0, x);
        let field = self.extract(width - 2, format.fraction, x);
        let fraction = self.extract(format.fraction - 1, 0, x);
        let none = self.number(format.exponent, 0);
        let small = self.eq(field, none);
        let leading = self.not(small);
        let one = self.number(format.exponent, 1);
        let exponent = self.ite(small, one, field);
        let significand = self.concat(leading, fraction);
        let (infinity, nothing) = (self.number(width - 1, format.infinity()), self.number(width - 1, 0));
        Parts {
            sign,
            exponent,
            significand,
            magnitude,
            nan: self.ult(infinity, magnitude),
            infinite: self.eq(magnitude, infinity),
            zero: self.eq(magnitude, nothing),
        }
    }

    /// True if the float is a NaN.
    pub fn float_is_nan(&mut self, format: Format, x: TermId) -> TermId {
        let nan = self.unpack(format, x).nan;
        self.note(nan, FloatNote::IsNan(format, x));
        nan
    }

    /// `x < y` of floats that are no NaNs.
    pub fn float_less(&mut self, format: Format, x: TermId, y: TermId) -> TermId {
        let note = FloatNote::Less(format, x, y);
        let (x, y) = (self.unpack(format, x), self.unpack(format, y));
        let (below, above) = (self.ult(x.magnitude, y.magnitude), self.ult(y.magnitude, x.magnitude));
        let both_zero = self.and(x.zero, y.zero);
        let some = self.not(both_zero);
        let (positive_x, positive_y) = (self.not(x.sign), self.not(y.sign));
        // Negative against not negative: less unless both are zero. Equal signs: by magnitude.
        let crossing = self.and_all([x.sign, positive_y, some]);
        let both_negative = self.and_all([x.sign, y.sign, above]);
        let both_positive = self.and_all([positive_x, positive_y, below]);
        let less = self.or_all([crossing, both_negative, both_positive]);
        self.note(less, note);
        less
    }

    /// The encoding with a sign and a constant magnitude.
    fn float_constant(&mut self, format: Format, sign: TermId, magnitude: u128) -> TermId {
        let magnitude = self.number(format.width() - 1, magnitude);
        self.concat(sign, magnitude)
    }

    /// `a` shifted left until its top bit is one, and by how much: halving steps, each of which shifts if its bits are all zero. Zero stays
    /// zero, and its amount means nothing.
    fn normalise(&mut self, a: TermId) -> (TermId, TermId) {
        let width = self.width(a);
        let (mut shifted, mut amount) = (a, None);
        let mut step = width.next_power_of_two() / 2;
        while step > 0 {
            if step < width {
                let top = self.extract(width - 1, width - step, shifted);
                let nothing = self.number(step, 0);
                let empty = self.eq(top, nothing);
                let rest = self.extract(width - step - 1, 0, shifted);
                let moved = self.pad_right(rest, width);
                shifted = self.ite(empty, moved, shifted);
                amount = Some(match amount {
                    Some(above) => self.concat(above, empty),
                    None => empty,
                });
            }
            step /= 2;
        }
        let none = self.boolean(false);
        (shifted, amount.unwrap_or(none))
    }

    /// `a` shifted right, with all bits that fell out or'ed into the lowest.
    fn shift_sticky(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        let shifted = self.lshr(a, amount);
        let back = self.shl(shifted, amount);
        let lost = self.ne(back, a);
        let lost = self.zext(lost, width);
        self.or(shifted, lost)
    }

    /// `a` with zeros to its right, up to `width`.
    fn pad_right(&mut self, a: TermId, width: u32) -> TermId {
        let missing = width.saturating_sub(self.width(a));
        if missing == 0 {
            return a;
        }
        let zeros = self.number(missing, 0);
        self.concat(a, zeros)
    }

    /// The low bits of `a`, or `a` extended with zeros.
    fn resize(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) > width { self.extract(width - 1, 0, a) } else { self.zext(a, width) }
    }
}
