//! Values of bit-vectors: 1 to 256 bits, two's complement, with the arithmetic of SMT-LIB.
//!
//! Machine words need 128 bits; the products that overflow checks and widened templates speak
//! about need twice that. A value is a pair of `u128` halves, and its invariant is that all bits
//! from `width` upwards are zero, so that equality and hashing are those of the fields.
//!
//! Division and remainder by zero are total as in SMT-LIB: `x / 0` is all ones and `x % 0` is `x`.

use std::fmt;

/// The largest width of a term.
pub const MAX_WIDTH: u32 = 256;

/// A bit-vector value. Binary operations require equal widths and panic otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    high: u128,
    low: u128,
}

impl Bits {
    /// The low `width` bits of `value`.
    pub fn new(width: u32, value: u128) -> Self {
        Self::from_halves(width, 0, value)
    }

    /// The low `width` bits of `value` in two's complement.
    pub fn from_signed(width: u32, value: i128) -> Self {
        let high = if value < 0 { u128::MAX } else { 0 };
        Self::from_halves(width, high, value as u128)
    }

    /// The bit 1 or 0, which is how this module writes true and false.
    pub fn from_bool(value: bool) -> Self {
        Self::new(1, u128::from(value))
    }

    /// All bits 0.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// The value 1.
    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    /// All bits 1.
    pub fn ones(width: u32) -> Self {
        Self::from_halves(width, u128::MAX, u128::MAX)
    }

    /// 2 to the power of `exponent`; zero if that does not fit.
    pub fn power_of_two(width: u32, exponent: u32) -> Self {
        Self::one(width).shift_left(exponent)
    }

    /// The smallest signed value: only the sign bit is 1.
    pub fn signed_min(width: u32) -> Self {
        Self::power_of_two(width, width - 1)
    }

    fn from_halves(width: u32, high: u128, low: u128) -> Self {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} is not in 1..={MAX_WIDTH}");
        let high_bits = width.saturating_sub(128);
        Self { width, high: high & mask(high_bits), low: low & mask(width.min(128)) }
    }

    /// How many bits there are.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Bit `index`, counted from the least significant one; `false` beyond the width.
    pub fn bit(self, index: u32) -> bool {
        match index {
            0..128 => self.low >> index & 1 == 1,
            128..256 => self.high >> (index - 128) & 1 == 1,
            256.. => false,
        }
    }

    /// The sign bit.
    pub fn is_negative(self) -> bool {
        self.bit(self.width - 1)
    }

    /// True if all bits are 0.
    pub fn is_zero(self) -> bool {
        self.low == 0 && self.high == 0
    }

    /// True if all bits are 1.
    pub fn is_ones(self) -> bool {
        self == Self::ones(self.width)
    }

    /// True if this is the value 1.
    pub fn is_one(self) -> bool {
        self.low == 1 && self.high == 0
    }

    /// The exponent, if exactly one bit is 1.
    pub fn exponent(self) -> Option<u32> {
        (self.low.count_ones() + self.high.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// How many low bits are 0; the width if all are.
    pub fn trailing_zeros(self) -> u32 {
        if self.low != 0 {
            self.low.trailing_zeros()
        } else if self.high != 0 {
            128 + self.high.trailing_zeros()
        } else {
            self.width
        }
    }

    /// The value as an unsigned number, if it fits.
    pub fn to_u128(self) -> Option<u128> {
        (self.high == 0).then_some(self.low)
    }

    /// The value as a signed number, if it fits.
    pub fn to_i128(self) -> Option<i128> {
        let wide = self.sext(MAX_WIDTH);
        let value = wide.low as i128;
        let sign = if value < 0 { u128::MAX } else { 0 };
        (wide.high == sign).then_some(value)
    }

    fn require_same_width(self, other: Self) {
        assert_eq!(self.width, other.width, "operands of different widths");
    }

    /// `self + other` modulo 2^width.
    pub fn wrapping_add(self, other: Self) -> Self {
        self.require_same_width(other);
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high).wrapping_add(u128::from(carry));
        Self::from_halves(self.width, high, low)
    }

    /// `self - other` modulo 2^width.
    pub fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_add(other.wrapping_neg())
    }

    /// `-self` modulo 2^width.
    pub fn wrapping_neg(self) -> Self {
        self.complement().wrapping_add(Self::one(self.width))
    }

    /// `self * other` modulo 2^width.
    pub fn wrapping_mul(self, other: Self) -> Self {
        self.require_same_width(other);
        let (carry, low) = wide_product(self.low, other.low);
        let cross = self.low.wrapping_mul(other.high).wrapping_add(self.high.wrapping_mul(other.low));
        Self::from_halves(self.width, carry.wrapping_add(cross), low)
    }

    /// Unsigned quotient; all ones if `other` is zero.
    pub fn udiv(self, other: Self) -> Self {
        self.div_rem(other).0
    }

    /// Unsigned remainder; `self` if `other` is zero.
    pub fn urem(self, other: Self) -> Self {
        self.div_rem(other).1
    }

    fn div_rem(self, other: Self) -> (Self, Self) {
        self.require_same_width(other);
        if other.is_zero() {
            return (Self::ones(self.width), self);
        }
        if let (Some(a), Some(b)) = (self.to_u128(), other.to_u128()) {
            return (Self::new(self.width, a / b), Self::new(self.width, a % b));
        }
        self.long_division(other)
    }

    /// Schoolbook division; the remainder stays below `other`, so only its doubling can leave the
    /// width, and then it is certainly at least `other`.
    fn long_division(self, other: Self) -> (Self, Self) {
        let mut quotient = Self::zero(self.width);
        let mut rest = Self::zero(self.width);
        for index in (0..self.width).rev() {
            let carried = rest.is_negative();
            rest = rest.shift_left(1).or(Self::new(self.width, u128::from(self.bit(index))));
            if carried || !rest.ult(other) {
                rest = rest.wrapping_sub(other);
                quotient = quotient.or(Self::power_of_two(self.width, index));
            }
        }
        (quotient, rest)
    }

    /// Signed quotient, rounded towards zero; by zero, 1 for a negative dividend and -1 otherwise.
    pub fn sdiv(self, other: Self) -> Self {
        let quotient = self.magnitude().udiv(other.magnitude());
        if self.is_negative() != other.is_negative() { quotient.wrapping_neg() } else { quotient }
    }

    /// Signed remainder with the sign of the dividend; `self` if `other` is zero.
    pub fn srem(self, other: Self) -> Self {
        let rest = self.magnitude().urem(other.magnitude());
        if self.is_negative() { rest.wrapping_neg() } else { rest }
    }

    fn magnitude(self) -> Self {
        if self.is_negative() { self.wrapping_neg() } else { self }
    }

    /// Every bit inverted.
    pub fn complement(self) -> Self {
        Self::from_halves(self.width, !self.high, !self.low)
    }

    /// Bitwise conjunction.
    pub fn and(self, other: Self) -> Self {
        self.require_same_width(other);
        Self::from_halves(self.width, self.high & other.high, self.low & other.low)
    }

    /// Bitwise disjunction.
    pub fn or(self, other: Self) -> Self {
        self.require_same_width(other);
        Self::from_halves(self.width, self.high | other.high, self.low | other.low)
    }

    /// Bitwise exclusive disjunction.
    pub fn xor(self, other: Self) -> Self {
        self.require_same_width(other);
        Self::from_halves(self.width, self.high ^ other.high, self.low ^ other.low)
    }

    /// Shifted left by a number; zero if that is the width or more.
    pub fn shift_left(self, amount: u32) -> Self {
        let (high, low) = match amount {
            0 => (self.high, self.low),
            1..128 => (self.high << amount | self.low >> (128 - amount), self.low << amount),
            128..256 => (self.low << (amount - 128), 0),
            256.. => (0, 0),
        };
        Self::from_halves(self.width, high, low)
    }

    /// Shifted right by a number, filled with zeros.
    pub fn shift_right(self, amount: u32) -> Self {
        let (high, low) = match amount {
            0 => (self.high, self.low),
            1..128 => (self.high >> amount, self.low >> amount | self.high << (128 - amount)),
            128..256 => (0, self.high >> (amount - 128)),
            256.. => (0, 0),
        };
        Self::from_halves(self.width, high, low)
    }

    /// The shift amount as a number, with the width standing for everything from there on.
    fn clamped(self) -> u32 {
        let width = u128::from(self.width);
        self.to_u128().map_or(self.width, |amount| amount.min(width) as u32)
    }

    /// `self << amount`; zero if the amount is the width or more.
    pub fn shl_by(self, amount: Self) -> Self {
        self.require_same_width(amount);
        self.shift_left(amount.clamped())
    }

    /// `self >> amount`, filled with zeros.
    pub fn lshr_by(self, amount: Self) -> Self {
        self.require_same_width(amount);
        self.shift_right(amount.clamped())
    }

    /// `self >> amount`, filled with the sign bit.
    pub fn ashr_by(self, amount: Self) -> Self {
        if self.is_negative() { self.complement().lshr_by(amount).complement() } else { self.lshr_by(amount) }
    }

    /// `self` above `low_part`.
    pub fn concat(self, low_part: Self) -> Self {
        let width = self.width + low_part.width;
        self.zext(width).shift_left(low_part.width).or(low_part.zext(width))
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(self, high: u32, low: u32) -> Self {
        assert!(low <= high && high < self.width, "extract {high}..{low} of {} bits", self.width);
        let shifted = self.shift_right(low);
        Self::from_halves(high - low + 1, shifted.high, shifted.low)
    }

    /// Extended with zeros.
    pub fn zext(self, width: u32) -> Self {
        assert!(width >= self.width, "an extension must not narrow");
        Self::from_halves(width, self.high, self.low)
    }

    /// Extended with the sign bit.
    pub fn sext(self, width: u32) -> Self {
        let wide = self.zext(width);
        let sign = if self.is_negative() { Self::ones(width).shift_left(self.width) } else { Self::zero(width) };
        wide.or(sign)
    }

    /// Unsigned less-than.
    pub fn ult(self, other: Self) -> bool {
        self.require_same_width(other);
        (self.high, self.low) < (other.high, other.low)
    }

    /// Signed less-than.
    pub fn slt(self, other: Self) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => self.ult(other),
        }
    }
}

/// The number whose low `bits` bits are 1, for up to 128 bits.
pub(crate) fn mask(bits: u32) -> u128 {
    if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
}

/// The high and the low half of a product.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let (a1, a0) = (a >> 64, a & mask(64));
    let (b1, b0) = (b >> 64, b & mask(64));
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let other_middle = a0 * b1 + (middle & mask(64));
    let high = a1 * b1 + (middle >> 64) + (other_middle >> 64);
    (high, other_middle << 64 | low & mask(64))
}

impl fmt::Display for Bits {
    /// `0x…:width`, in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high {
            0 => write!(f, "{:#x}:{}", self.low, self.width),
            high => write!(f, "{high:#x}{:032x}:{}", self.low, self.width),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
