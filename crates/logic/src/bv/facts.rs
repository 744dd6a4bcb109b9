//! What holds of a term under every assignment: known bits, an unsigned and a signed interval.
//!
//! Facts are computed once, when a term is made, from the facts of its operands, and decide most
//! comparisons with constants: an index that came from a byte is below 300 whatever the byte is.
//!
//! **Sound**: each transfer function over-approximates its operation, so the value of the term
//! under any assignment agrees with the known bits and lies in both intervals. `reduced`
//! only intersects the three descriptions of the same set. **Incomplete**: operands are taken to be
//! independent (`x - x` is the simplifier's business), and terms above 128 bits have no facts.

mod transfer;

use super::value::{Bits, mask};

/// Known bits and bounds of a term of up to 128 bits; of wider terms nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Bits that are 0.
    pub zeros: u128,
    /// Bits that are 1.
    pub ones: u128,
    /// The least unsigned value.
    pub umin: u128,
    /// The greatest unsigned value.
    pub umax: u128,
    /// The least signed value.
    pub smin: i128,
    /// The greatest signed value.
    pub smax: i128,
    width: u32,
}

impl Facts {
    /// Nothing is known of a term of this width.
    pub fn unknown(width: u32) -> Self {
        let width_or_limit = width.min(128);
        let smax = (mask(width_or_limit) >> 1) as i128;
        Self { zeros: 0, ones: 0, umin: 0, umax: mask(width_or_limit), smin: -smax - 1, smax, width }
    }

    /// All is known of a constant.
    pub fn of_constant(value: Bits) -> Self {
        match (value.width() <= 128, value.to_u128(), value.to_i128()) {
            (true, Some(unsigned), Some(signed)) => {
                let zeros = !unsigned & mask(value.width());
                let (umin, umax, smin, smax) = (unsigned, unsigned, signed, signed);
                Self { zeros, ones: unsigned, umin, umax, smin, smax, width: value.width() }
            }
            (true, _, _) | (false, _, _) => Self::unknown(value.width()),
        }
    }

    /// The values between two unsigned ones.
    pub fn between(width: u32, umin: u128, umax: u128) -> Self {
        Self { umin, umax, ..Self::unknown(width) }.reduced()
    }

    /// The values between two signed ones.
    pub fn between_signed(width: u32, smin: i128, smax: i128) -> Self {
        Self { smin, smax, ..Self::unknown(width) }.reduced()
    }

    /// The values up to an unsigned one, and those above.
    pub fn cut_unsigned(self, at: u128) -> (Self, Self) {
        (Self { umax: at, ..self }.reduced(), Self { umin: at.saturating_add(1), ..self }.reduced())
    }

    /// The values up to a signed one, and those above.
    pub fn cut_signed(self, at: i128) -> (Self, Self) {
        (Self { smax: at, ..self }.reduced(), Self { smin: at.saturating_add(1), ..self }.reduced())
    }

    /// The width of the term.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// False if the term is too wide to have facts.
    pub fn is_tracked(&self) -> bool {
        self.width <= 128
    }

    /// The only value the term can have, if there is only one.
    pub fn pinned(&self) -> Option<Bits> {
        (self.is_tracked() && self.umin == self.umax).then(|| Bits::new(self.width, self.umin))
    }

    /// True if the term is never negative.
    pub fn is_nonnegative(&self) -> bool {
        self.is_tracked() && self.smin >= 0
    }

    /// True if the term is never zero.
    pub fn is_nonzero(&self) -> bool {
        self.is_tracked() && self.umin > 0
    }

    /// How many low bits are certainly 0.
    pub fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones().min(self.width)
    }

    /// How many low bits can hold every value of the term.
    pub fn significant_bits(&self) -> u32 {
        if self.is_tracked() { 128 - self.umax.leading_zeros() } else { self.width }
    }

    /// True if no value belongs to both.
    pub fn disjoint(&self, other: &Facts) -> bool {
        self.is_tracked()
            && other.is_tracked()
            && (self.umax < other.umin
                || other.umax < self.umin
                || self.smax < other.smin
                || other.smax < self.smin
                || self.ones & other.zeros != 0
                || self.zeros & other.ones != 0)
    }

    /// Unsigned less-than, if the bounds decide it.
    pub fn ult(&self, other: &Facts) -> Option<bool> {
        let tracked = self.is_tracked() && other.is_tracked();
        decide(tracked, self.umax < other.umin, self.umin >= other.umax)
    }

    /// Signed less-than, if the bounds decide it.
    pub fn slt(&self, other: &Facts) -> Option<bool> {
        let tracked = self.is_tracked() && other.is_tracked();
        decide(tracked, self.smax < other.smin, self.smin >= other.smax)
    }

    /// True if `self + other` never wraps as an unsigned sum.
    pub fn add_fits_unsigned(&self, other: &Facts) -> bool {
        let sum = self.umax.checked_add(other.umax);
        self.is_tracked() && other.is_tracked() && sum.is_some_and(|sum| sum <= mask(self.width))
    }

    /// True if `self * other` never wraps as an unsigned product.
    pub fn mul_fits_unsigned(&self, other: &Facts) -> bool {
        let product = self.umax.checked_mul(other.umax);
        self.is_tracked() && other.is_tracked() && product.is_some_and(|product| product <= mask(self.width))
    }

    /// True if `self + other` never wraps as a signed sum.
    pub fn add_fits_signed(&self, other: &Facts) -> bool {
        self.is_tracked()
            && other.is_tracked()
            && self.fits_signed(self.smin.checked_add(other.smin))
            && self.fits_signed(self.smax.checked_add(other.smax))
    }

    /// True if `self - other` never wraps as a signed difference.
    pub fn sub_fits_signed(&self, other: &Facts) -> bool {
        self.is_tracked()
            && other.is_tracked()
            && self.fits_signed(self.smin.checked_sub(other.smax))
            && self.fits_signed(self.smax.checked_sub(other.smin))
    }

    /// True if `self * other` never wraps as a signed product.
    pub fn mul_fits_signed(&self, other: &Facts) -> bool {
        let fits = |a: i128, b: i128| self.fits_signed(a.checked_mul(b));
        self.is_tracked()
            && other.is_tracked()
            && [self.smin, self.smax].iter().all(|&a| fits(a, other.smin) && fits(a, other.smax))
    }

    /// True if there is a value and it lies in the signed range of this width.
    fn fits_signed(&self, value: Option<i128>) -> bool {
        let limits = Facts::unknown(self.width);
        value.is_some_and(|value| limits.smin <= value && value <= limits.smax)
    }

    /// The three descriptions, each tightened by the others.
    fn reduced(self) -> Self {
        if !self.is_tracked() {
            return Self::unknown(self.width);
        }
        let once = self.bounds_from_bits().unsigned_from_signed().signed_from_unsigned().bits_from_bounds();
        once.bounds_from_bits().unsigned_from_signed().signed_from_unsigned()
    }

    fn bounds_from_bits(mut self) -> Self {
        let sign = 1 << (self.width - 1);
        let possible = !self.zeros & mask(self.width);
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(possible);
        let least = if self.zeros & sign != 0 { self.ones } else { self.ones | sign };
        let greatest = if self.ones & sign != 0 { possible } else { possible & !sign };
        self.smin = self.smin.max(self.as_signed(least));
        self.smax = self.smax.min(self.as_signed(greatest));
        self
    }

    fn bits_from_bounds(mut self) -> Self {
        let differing = 128 - (self.umin ^ self.umax).leading_zeros();
        let known = mask(self.width) & !mask(differing);
        self.ones |= self.umin & known;
        self.zeros |= !self.umin & known;
        self
    }

    fn signed_from_unsigned(mut self) -> Self {
        let sign = 1 << (self.width - 1);
        if self.umax < sign || self.umin >= sign {
            self.smin = self.smin.max(self.as_signed(self.umin));
            self.smax = self.smax.min(self.as_signed(self.umax));
        }
        self
    }

    fn unsigned_from_signed(mut self) -> Self {
        if self.smin >= 0 || self.smax < 0 {
            self.umin = self.umin.max(self.smin as u128 & mask(self.width));
            self.umax = self.umax.min(self.smax as u128 & mask(self.width));
        }
        self
    }

    fn as_signed(&self, value: u128) -> i128 {
        let unused = 128 - self.width;
        ((value << unused) as i128) >> unused
    }
}

fn decide(tracked: bool, yes: bool, no: bool) -> Option<bool> {
    match (tracked, yes, no) {
        (true, true, _) => Some(true),
        (true, false, true) => Some(false),
        (true, false, false) | (false, _, _) => None,
    }
}
