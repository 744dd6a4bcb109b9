//! The facts of each operation from the facts of its operands.

use super::super::eval::apply;
use super::super::term::{Term, TermId, TermStore};
use super::super::value::{Bits, mask};
use super::Facts;

impl Facts {
    /// The facts of `term`, which has `width` bits and whose operands are in the store.
    pub(in super::super) fn of_term(store: &TermStore, term: Term, width: u32) -> Facts {
        if let Term::Const(constant) = term {
            return Facts::of_constant(store.constant_value(constant));
        }
        Facts::of_operation(term, width, |id| store.facts(id))
    }

    /// The same, of operands that may be anything within their facts, not only what holds of them under every assignment.
    pub fn of_values<'f>(term: Term, width: u32, of: impl Fn(TermId) -> &'f Facts) -> Facts {
        let pinned = |id: TermId| of(id).pinned();
        if term.operands().all(|id| pinned(id).is_some())
            && let Some(value) = apply(term, |id| pinned(id).unwrap_or(Bits::zero(1)))
        {
            return Facts::of_constant(value);
        }
        Facts::of_operation(term, width, of)
    }

    /// The facts of `term`, which has `width` bits and is no constant, from the facts of its operands.
    pub(in super::super) fn of_operation<'f>(term: Term, width: u32, of: impl Fn(TermId) -> &'f Facts) -> Facts {
        if width > 128 || term.operands().any(|operand| of(operand).width() > 128) {
            return Facts::unknown(width);
        }
        let facts = match term {
            Term::Const(_) | Term::Var(_) | Term::Eq(..) | Term::Ult(..) | Term::Slt(..) => Facts::unknown(width),
            Term::Not(a) => of(a).complemented(),
            Term::And(a, b) => of(a).and(of(b)),
            Term::Xor(a, b) => of(a).xor(of(b)),
            Term::Neg(a) => of(a).negated(),
            Term::Add(a, b) => of(a).add(of(b)),
            Term::Mul(a, b) => of(a).mul(of(b)),
            Term::Udiv(a, b) => of(a).udiv(of(b)),
            Term::Urem(a, b) => of(a).urem(of(b)),
            Term::Shl(a, b) => of(a).shl(of(b)),
            Term::Lshr(a, b) => of(a).lshr(of(b)),
            Term::Ashr(a, b) => of(a).ashr(of(b)),
            Term::Concat(a, b) => of(a).concat(of(b)),
            Term::Extract { high, low, arg } => of(arg).extract(high, low),
            Term::Zext { arg, width } => of(arg).zext(width),
            Term::Sext { arg, width } => of(arg).sext(width),
            Term::Ite(_, a, b) => of(a).join(of(b)),
        };
        facts.reduced()
    }

    fn complemented(&self) -> Facts {
        let all = mask(self.width);
        Facts {
            zeros: self.ones,
            ones: self.zeros,
            umin: all - self.umax,
            umax: all - self.umin,
            smin: !self.smax,
            smax: !self.smin,
            width: self.width,
        }
    }

    fn and(&self, other: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        facts.zeros = self.zeros | other.zeros;
        facts.ones = self.ones & other.ones;
        facts.umax = self.umax.min(other.umax);
        facts
    }

    fn xor(&self, other: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        facts.zeros = self.zeros & other.zeros | self.ones & other.ones;
        facts.ones = self.zeros & other.ones | self.ones & other.zeros;
        facts
    }

    fn negated(&self) -> Facts {
        let mut facts = Facts::unknown(self.width);
        if self.umin > 0 {
            facts.umin = mask(self.width) - self.umax + 1;
            facts.umax = mask(self.width) - self.umin + 1;
        }
        if self.smin > facts.smin {
            facts.smin = -self.smax;
            facts.smax = -self.smin;
        }
        facts.zeros = mask(self.trailing_zeros());
        facts
    }

    /// A sum keeps its interval if both ends wrap or neither does: between ends that wrap alike,
    /// the sum without its carry is still monotone.
    fn add(&self, other: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        let (low, low_wraps) = self.unsigned_sum(self.umin, other.umin);
        let (high, high_wraps) = self.unsigned_sum(self.umax, other.umax);
        if low_wraps == high_wraps {
            (facts.umin, facts.umax) = (low, high);
        }
        if self.add_fits_signed(other) {
            (facts.smin, facts.smax) = (self.smin + other.smin, self.smax + other.smax);
        }
        let known = ((self.zeros | self.ones) & (other.zeros | other.ones)).trailing_ones();
        let known = mask(known.min(self.width));
        facts.ones = self.ones.wrapping_add(other.ones) & known;
        facts.zeros = !facts.ones & known;
        facts.zeros |= mask(self.trailing_zeros().min(other.trailing_zeros()));
        facts
    }

    fn unsigned_sum(&self, a: u128, b: u128) -> (u128, bool) {
        let (sum, carry) = a.overflowing_add(b);
        (sum & mask(self.width), carry || sum > mask(self.width))
    }

    fn mul(&self, other: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        if self.mul_fits_unsigned(other) {
            (facts.umin, facts.umax) = (self.umin * other.umin, self.umax * other.umax);
        }
        if self.mul_fits_signed(other) {
            let corners =
                [self.smin * other.smin, self.smin * other.smax, self.smax * other.smin, self.smax * other.smax];
            facts.smin = corners.into_iter().fold(i128::MAX, i128::min);
            facts.smax = corners.into_iter().fold(i128::MIN, i128::max);
        }
        facts.zeros = mask((self.trailing_zeros() + other.trailing_zeros()).min(self.width));
        facts
    }

    fn udiv(&self, divisor: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        if let (Some(low), Some(high)) = (self.umin.checked_div(divisor.umax), self.umax.checked_div(divisor.umin)) {
            (facts.umin, facts.umax) = (low, high);
        }
        facts
    }

    fn urem(&self, divisor: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        facts.umax = self.umax;
        if divisor.umin > 0 {
            facts.umax = self.umax.min(divisor.umax - 1);
        }
        facts
    }

    /// The least and the greatest shift amount, both at most the width.
    fn amounts(&self) -> (u32, u32) {
        let limit = u128::from(self.width);
        (self.umin.min(limit) as u32, self.umax.min(limit) as u32)
    }

    fn shl(&self, amount: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        let (least, _) = amount.amounts();
        facts.zeros = mask((self.trailing_zeros() + least).min(self.width));
        facts
    }

    fn lshr(&self, amount: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        let (least, greatest) = amount.amounts();
        facts.umin = self.umin.checked_shr(greatest).unwrap_or(0);
        facts.umax = self.umax.checked_shr(least).unwrap_or(0);
        facts
    }

    /// A right shift moves towards zero from above and towards -1 from below.
    fn ashr(&self, amount: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width);
        let (least, greatest) = amount.amounts();
        let shift = |value: i128, amount: u32| value >> amount.min(127);
        facts.smin = shift(self.smin, if self.smin < 0 { least } else { greatest });
        facts.smax = shift(self.smax, if self.smax < 0 { greatest } else { least });
        facts
    }

    fn concat(&self, low_part: &Facts) -> Facts {
        let mut facts = Facts::unknown(self.width + low_part.width);
        let join = |high: u128, low: u128| high << low_part.width | low;
        facts.zeros = join(self.zeros, low_part.zeros);
        facts.ones = join(self.ones, low_part.ones);
        facts.umin = join(self.umin, low_part.umin);
        facts.umax = join(self.umax, low_part.umax);
        facts
    }

    /// Dropping low bits is monotone; dropping high bits is, where they are the same throughout.
    fn extract(&self, high: u32, low: u32) -> Facts {
        let mut facts = Facts::unknown(high - low + 1);
        let all = mask(facts.width);
        facts.zeros = self.zeros >> low & all;
        facts.ones = self.ones >> low & all;
        let above = |value: u128| value.checked_shr(high + 1).unwrap_or(0);
        if above(self.umin) == above(self.umax) {
            facts.umin = self.umin >> low & all;
            facts.umax = self.umax >> low & all;
        }
        facts
    }

    fn zext(&self, width: u32) -> Facts {
        let mut facts = Facts::unknown(width);
        facts.zeros = self.zeros | mask(width) & !mask(self.width);
        facts.ones = self.ones;
        (facts.umin, facts.umax) = (self.umin, self.umax);
        facts
    }

    fn sext(&self, width: u32) -> Facts {
        let mut facts = Facts::unknown(width);
        let below_sign = mask(self.width - 1);
        facts.zeros = self.zeros & below_sign;
        facts.ones = self.ones & below_sign;
        (facts.smin, facts.smax) = (self.smin, self.smax);
        facts
    }

    /// What holds in both cases.
    pub fn join(&self, other: &Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            width: self.width,
        }
    }
}
