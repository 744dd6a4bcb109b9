//! Exact rationals that are fast while they are small.
//!
//! A number whose reduced numerator and denominator fit 64 bits is stored inline and computed with
//! in 128 bits, which cannot overflow; anything larger is a boxed big rational. The form is
//! canonical: a number that fits is always stored small, so that equality and hashing are
//! structural.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use dashu::base::Signed;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Reduced, denominator positive.
    Small(i64, i64),
    Big(Box<RBig>),
}

use Repr::{Big, Small};

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(small_a), Ok(small_b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(small_a, small_b));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat(Small(0, 1));
    /// One.
    pub const ONE: Rat = Rat(Small(1, 1));
    /// Minus one.
    pub const MINUS_ONE: Rat = Rat(Small(-1, 1));

    /// `numerator / denominator`; `None` if the denominator is zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Option<Rat> {
        (denominator != 0).then(|| Self::reduce(i128::from(numerator), i128::from(denominator)))
    }

    fn integer(value: i128) -> Rat {
        match i64::try_from(value) {
            Ok(small) => Rat(Small(small, 1)),
            Err(_) => Self::from_big(RBig::from(IBig::from(value))),
        }
    }

    fn reduce(numerator: i128, denominator: i128) -> Rat {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let sign = if denominator < 0 { -1 } else { 1 };
        let divisor = i128::try_from(divisor).unwrap_or(1) * sign;
        let (n, d) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Rat(Small(n, d)),
            (Ok(_) | Err(_), _) => Self::from_big(RBig::from_parts(IBig::from(n), UBig::from(d.unsigned_abs()))),
        }
    }

    fn from_big(big: RBig) -> Rat {
        let n = i64::try_from(big.numerator().clone());
        let d = i64::try_from(IBig::from(big.denominator().clone()));
        match (n, d) {
            (Ok(n), Ok(d)) => Rat(Small(n, d)),
            (Ok(_) | Err(_), _) => Rat(Big(Box::new(big))),
        }
    }

    fn to_big(&self) -> RBig {
        match &self.0 {
            Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.unsigned_abs())),
            Big(big) => (**big).clone(),
        }
    }

    /// The integer of decimal `text`, of any size.
    pub fn parse_integer(text: &str) -> Option<Rat> {
        let big = IBig::from_str(text).ok()?;
        Some(Self::from_big(RBig::from(big)))
    }

    /// True if the number is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// True if the number is one.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }

    /// True if the number is an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Big(big) => big.is_int(),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i8 {
        match &self.0 {
            Small(n, _) => n.signum() as i8,
            Big(big) if big.is_negative() => -1,
            Big(_) => 1,
        }
    }

    /// True if the number is greater than zero.
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// True if the number is less than zero.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// The absolute value.
    pub fn abs(&self) -> Rat {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The greatest integer that is not greater.
    pub fn floor(&self) -> Rat {
        match &self.0 {
            Small(n, d) => Rat(Small(n.div_euclid(*d), 1)),
            Big(big) => Self::from_big(RBig::from(big.floor())),
        }
    }

    /// The least integer that is not less.
    pub fn ceil(&self) -> Rat {
        -&(-self).floor()
    }

    /// The reciprocal; `None` for zero.
    pub fn recip(&self) -> Option<Rat> {
        match &self.0 {
            Small(0, _) => None,
            Small(n, d) => Some(Self::reduce(i128::from(*d), i128::from(*n))),
            Big(big) => Some(Self::from_big(RBig::ONE / (**big).clone())),
        }
    }

    /// The numerator of the reduced form.
    pub fn numerator(&self) -> Rat {
        match &self.0 {
            Small(n, _) => Rat(Small(*n, 1)),
            Big(big) => Self::from_big(RBig::from(big.numerator().clone())),
        }
    }

    /// The (positive) denominator of the reduced form.
    pub fn denominator(&self) -> Rat {
        match &self.0 {
            Small(_, d) => Rat(Small(*d, 1)),
            Big(big) => Self::from_big(RBig::from(IBig::from(big.denominator().clone()))),
        }
    }

    /// The greatest common divisor of two integers; not negative.
    pub fn gcd(&self, other: &Rat) -> Rat {
        let (mut a, mut b) = (self.abs(), other.abs());
        while let Some(recip) = b.recip() {
            let quotient = (&a * &recip).floor();
            (a, b) = (b.clone(), &a - &(&quotient * &b));
        }
        a
    }

    /// The value as a machine integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(n, 1) => Some(*n),
            Small(_, _) | Big(_) => None,
        }
    }
}

impl From<i64> for Rat {
    fn from(value: i64) -> Self {
        Rat(Small(value, 1))
    }
}

impl Default for Rat {
    fn default() -> Self {
        Rat::ZERO
    }
}

impl<'a> Add<&'a Rat> for &Rat {
    type Output = Rat;
    fn add(self, other: &'a Rat) -> Rat {
        match (&self.0, &other.0) {
            (Small(0, _), _) => other.clone(),
            (_, Small(0, _)) => self.clone(),
            (Small(a, 1), Small(b, 1)) => Rat::integer(i128::from(*a) + i128::from(*b)),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                Rat::reduce(a * d + c * b, b * d)
            }
            (Small(..) | Big(_), _) => Rat::from_big(self.to_big() + other.to_big()),
        }
    }
}

impl<'a> Sub<&'a Rat> for &Rat {
    type Output = Rat;
    fn sub(self, other: &'a Rat) -> Rat {
        self + &-other
    }
}

impl<'a> Mul<&'a Rat> for &Rat {
    type Output = Rat;
    fn mul(self, other: &'a Rat) -> Rat {
        match (&self.0, &other.0) {
            (Small(0, _), _) | (_, Small(0, _)) => Rat::ZERO,
            (Small(1, 1), _) => other.clone(),
            (_, Small(1, 1)) => self.clone(),
            (Small(a, 1), Small(b, 1)) => Rat::integer(i128::from(*a) * i128::from(*b)),
            (Small(a, b), Small(c, d)) => Rat::reduce(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d)),
            (Small(..) | Big(_), _) => Rat::from_big(self.to_big() * other.to_big()),
        }
    }
}

impl Div<&Rat> for &Rat {
    type Output = Rat;
    /// # Panics
    /// If `other` is zero, as for the primitive types.
    fn div(self, other: &Rat) -> Rat {
        Mul::mul(self, &other.recip().expect("division by a non-zero number"))
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        match &self.0 {
            Small(n, d) => match n.checked_neg() {
                Some(n) => Rat(Small(n, *d)),
                None => Rat::reduce(-i128::from(*n), i128::from(*d)),
            },
            Big(big) => Rat::from_big(-(**big).clone()),
        }
    }
}

impl AddAssign<&Rat> for Rat {
    fn add_assign(&mut self, other: &Rat) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rat> for Rat {
    fn sub_assign(&mut self, other: &Rat) {
        *self = &*self - other;
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            (Small(..) | Big(_), _) => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, 1) => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(big) => write!(f, "{big}"),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn rat(n: i64, d: i64) -> Rat {
        Rat::ratio(n, d).unwrap()
    }

    #[test]
    fn rounds_towards_minus_infinity() {
        assert_eq!(rat(-7, 2).floor(), Rat::from(-4));
        assert_eq!(rat(-7, 2).ceil(), Rat::from(-3));
        assert_eq!(rat(7, 2).ceil(), Rat::from(4));
    }

    #[test]
    fn the_least_machine_integer_is_no_trap() {
        let least = Rat::from(i64::MIN);
        assert_eq!((-&least).to_string(), "9223372036854775808");
        assert_eq!(-&-&least, least);
        assert_eq!(least.recip().unwrap().recip().unwrap(), least);
        assert_eq!(&rat(i64::MIN, -1) + &least, Rat::ZERO);
    }

    #[test]
    fn large_and_small_agree() {
        let big = Rat::from(i64::MAX);
        let square = &big * &big;
        assert_eq!(&square / &big, big);
        assert!(square > big && -&square < big);
        assert_eq!(square.gcd(&big), big);
        assert_eq!(Rat::parse_integer(&square.to_string()), Some(square));
    }
}
