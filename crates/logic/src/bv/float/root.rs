//! The square root, digit by digit.

use super::super::term::{TermId, TermStore};
use super::round::Unrounded;
use super::{FloatOperation, Format, Rounded};

impl TermStore {
    /// The square root of `x`: the integer root of the significand, brought to an even exponent, with two bits more than the format keeps; what
    /// is left of the radicand makes the sticky bit. A root is never subnormal and never exactly between two floats.
    pub fn float_sqrt(&mut self, format: Format, x: TermId) -> Rounded {
        let a = self.unpack(format, x);
        let precision = format.precision();
        let (significand, shift) = self.normalise(a.significand);
        let range = format.exponent + 3 + 6;
        let exponent = self.zext(a.exponent, range);
        let shift = self.resize(shift, range);
        let exponent = self.sub(exponent, shift);
        let bias = self.number(range, format.bias());
        let power = self.sub(exponent, bias);
        let odd = self.extract(0, 0, power);
        let single = self.zext(significand, precision + 1);
        let doubled = self.pad_right(significand, precision + 1);
        // In [1, 4) as a number, so that its root, in [1, 2), needs no normalisation.
        let radicand = self.ite(odd, doubled, single);
        let radicand = self.pad_right(radicand, 2 * (precision + 2));
        let (root, inexact) = self.integer_root(radicand);
        let significand = self.concat(root, inexact);
        let one = self.number(range, 1);
        let half = self.ashr(power, one);
        let exponent = self.add(half, bias);
        let positive = self.boolean(false);
        let bits = self.round(format, Unrounded { sign: positive, exponent, significand });
        // The root of a zero is that zero.
        let itself = self.or(a.zero, a.infinite);
        let bits = self.ite(itself, x, bits);
        let some = self.not(a.zero);
        let negative = self.and(a.sign, some);
        let nan = self.or(a.nan, negative);
        self.attach_note(format, FloatOperation::Sqrt(x), bits, nan)
    }

    /// The root of an integer with an even number of bits, rounded down, and whether it is inexact: school's method on pairs of bits.
    fn integer_root(&mut self, radicand: TermId) -> (TermId, TermId) {
        let digits = self.width(radicand) / 2;
        // The remainder is at most twice the root, and takes in two bits at a time.
        let width = digits + 4;
        let one = self.number(width, 1);
        let (mut root, mut remainder) = (self.number(width, 0), self.number(width, 0));
        for digit in (0..digits).rev() {
            let pair = self.extract(2 * digit + 1, 2 * digit, radicand);
            let kept = self.extract(width - 3, 0, remainder);
            remainder = self.concat(kept, pair);
            let low = self.extract(width - 3, 0, root);
            let trial = self.pad_right(low, width);
            let trial = self.or(trial, one);
            let fits = self.ule(trial, remainder);
            let less = self.sub(remainder, trial);
            remainder = self.ite(fits, less, remainder);
            let low = self.extract(width - 2, 0, root);
            root = self.concat(low, fits);
        }
        let nothing = self.number(width, 0);
        let inexact = self.ne(remainder, nothing);
        (self.extract(digits - 1, 0, root), inexact)
    }
}
