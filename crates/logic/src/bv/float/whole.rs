//! Rounding to a whole number: floor, ceil, trunc, round.
//!
//! Numbers from `2^(precision - 1)` on are whole. Below, the bits under the units are cleared, and one unit is added to the magnitude
//! where the direction asks for it; the carry into the exponent is right as encodings of one sign are ordered as integers.

use super::super::term::{TermId, TermStore};
use super::{FloatOperation, Format, Rounded};

/// Which whole number is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// The greatest that is not above.
    Floor,
    /// The least that is not below.
    Ceil,
    /// The next towards zero.
    Trunc,
    /// The nearest, halves away from zero.
    HalfAway,
    /// The nearest, halves to even.
    HalfEven,
}

impl TermStore {
    /// The float rounded to a whole number. The sign stays, of a zero too.
    pub fn float_round(&mut self, format: Format, rounding: Rounding, x: TermId) -> Rounded {
        let parts = self.unpack(format, x);
        let width = format.width() - 1;
        let exponent = self.zext(parts.exponent, width);
        let bias = self.number(width, format.bias());
        let whole_from = self.number(width, format.bias() + u128::from(format.fraction));
        let whole = self.ule(whole_from, exponent);
        let small = self.ult(exponent, bias);
        // The place of the units: the bits below it are the fraction's.
        let unit_at = self.sub(whole_from, exponent);
        let one = self.number(width, 1);
        let unit = self.shl(one, unit_at);
        let mask = self.sub(unit, one);
        let lost = self.and(parts.magnitude, mask);
        let half_unit = self.lshr(unit, one);
        let nothing = self.number(width, 0);
        let inexact = self.ne(lost, nothing);
        let above_half = self.ult(half_unit, lost);
        let at_half = self.eq(lost, half_unit);
        let odd = self.and(parts.magnitude, unit);
        let odd = self.ne(odd, nothing);
        // The units bit of a number in [1, 2) is the implicit leading one, which the encoding has not got.
        let ones = self.eq(exponent, bias);
        let odd = self.or(odd, ones);
        let up = self.away(rounding, parts.sign, inexact, above_half, at_half, odd);
        let cleared = self.not(mask);
        let cleared = self.and(parts.magnitude, cleared);
        let raised = self.add(cleared, unit);
        let normal = self.ite(up, raised, cleared);
        // Below one: zero or one.
        let half = self.number(width, (format.bias() - 1) << format.fraction);
        let (over, at) = (self.ult(half, parts.magnitude), self.eq(half, parts.magnitude));
        let some = self.not(parts.zero);
        let even = self.boolean(false);
        let up = self.away(rounding, parts.sign, some, over, at, even);
        let unity = self.number(width, format.bias() << format.fraction);
        let tiny = self.ite(up, unity, nothing);
        let magnitude = self.ite(small, tiny, normal);
        let magnitude = self.ite(whole, parts.magnitude, magnitude);
        let bits = self.concat(parts.sign, magnitude);
        self.attach_note(format, FloatOperation::Round { rounding, arg: x }, bits, parts.nan)
    }

    fn away(
        &mut self,
        rounding: Rounding,
        sign: TermId,
        inexact: TermId,
        above_half: TermId,
        at_half: TermId,
        odd: TermId,
    ) -> TermId {
        match rounding {
            Rounding::Floor => self.and(sign, inexact),
            Rounding::Ceil => {
                let positive = self.not(sign);
                self.and(positive, inexact)
            }
            Rounding::Trunc => self.boolean(false),
            Rounding::HalfAway => self.or(above_half, at_half),
            Rounding::HalfEven => {
                let tie = self.and(at_half, odd);
                self.or(above_half, tie)
            }
        }
    }
}
