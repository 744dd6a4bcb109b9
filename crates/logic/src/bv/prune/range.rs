//! Sets of floats: all between two numbers, and perhaps the NaNs.
//!
//! Numbers are ordered with -0 before +0 (IEEE 754's totalOrder), so that a range can tell the zeros apart; both bounds are values of the
//! format, kept as `f64`, which holds those of `float` exactly.
//!
//! **Exact.** Rounding to nearest is monotone, and in that order so is each operation in each of its operands, or it is antitone: the
//! result of the rounded operation on the ends is the end of the results. What needs care are the places where the result is a NaN
//! (`inf - inf`, `0 * inf`, `0 / 0`, `inf / inf`): there the operation is continued by a value that keeps it monotone, which at most
//! makes the range wider. Computed by this machine's arithmetic, which the circuits are tested against.

use std::cmp::Ordering;

use super::super::facts::Facts;
use super::super::float::{Format, Rounding};

/// All numbers from `low` to `high`, and the NaNs if `nan`.
#[derive(Clone, Copy, Debug)]
pub struct FloatRange {
    /// The least number.
    pub low: f64,
    /// The greatest; if it is below `low`, there are no numbers.
    pub high: f64,
    /// Whether NaNs are among them.
    pub nan: bool,
}

pub(super) fn is_single(format: Format) -> bool {
    format == Format::SINGLE
}

fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().min_by(f64::total_cmp).unwrap_or(f64::INFINITY)
}

fn greatest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().max_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY)
}

/// The value, or a zero of its sign where it is a NaN.
fn or_zero(value: f64, negative: bool) -> f64 {
    match (value.is_nan(), negative) {
        (false, _) => value,
        (true, false) => 0.0,
        (true, true) => -0.0,
    }
}

/// An operation in a format. For `float` it is done there: rounding twice is avoided.
fn binary(format: Format, x: f64, y: f64, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> f64 {
    if is_single(format) { f64::from(single(x as f32, y as f32)) } else { double(x, y) }
}

/// The next number of the format after `x`, in total order; `x` itself after the last.
pub fn next_up(format: Format, x: f64) -> f64 {
    of_key(format, key(format, x).saturating_add(1)).filter(|x| !x.is_nan()).unwrap_or(x)
}

/// The next number of the format before `x`, in total order; `x` itself before the first.
pub fn next_down(format: Format, x: f64) -> f64 {
    of_key(format, key(format, x).saturating_sub(1)).filter(|x| !x.is_nan()).unwrap_or(x)
}

/// The place of a number of the format in total order.
pub fn key(format: Format, x: f64) -> i64 {
    let fold = |bits: i64, all: i64| if bits < 0 { bits ^ all } else { bits };
    if is_single(format) {
        fold(i64::from((x as f32).to_bits() as i32), i64::from(i32::MAX))
    } else {
        fold(x.to_bits() as i64, i64::MAX)
    }
}

/// The number at a place; `None` beyond the format.
pub fn of_key(format: Format, key: i64) -> Option<f64> {
    if is_single(format) {
        let key = i32::try_from(key).ok()?;
        Some(f64::from(f32::from_bits(if key < 0 { key ^ i32::MAX } else { key } as u32)))
    } else {
        Some(f64::from_bits(if key < 0 { key ^ i64::MAX } else { key } as u64))
    }
}

/// The greatest number of the format that is less than `limit`, or if `inclusive` at most `limit`; +0 counts as greater than -0 if both
/// qualify.
pub fn last_below(format: Format, limit: f64, inclusive: bool) -> f64 {
    let mut x = if is_single(format) { f64::from(limit as f32) } else { limit };
    // The nearest may be above; two steps cross the zeros.
    let within = |x: f64| if inclusive { x <= limit } else { x < limit };
    while !within(x) && x > f64::NEG_INFINITY {
        x = next_down(format, x);
    }
    while x < f64::INFINITY && within(next_up(format, x)) {
        x = next_up(format, x);
    }
    x
}

impl FloatRange {
    /// Every float.
    pub const ALL: FloatRange = FloatRange { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    /// Only NaNs.
    pub const NAN: FloatRange = FloatRange { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

    /// The numbers between two.
    pub fn between(low: f64, high: f64) -> Self {
        Self { low, high, nan: false }
    }

    /// True if there is a number.
    pub fn has_numbers(&self) -> bool {
        self.low.total_cmp(&self.high) != Ordering::Greater
    }

    /// True if there is one number and nothing else.
    pub fn is_point(&self) -> bool {
        !self.nan && self.low.total_cmp(&self.high) == Ordering::Equal
    }

    fn has_zero(&self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn has_infinity(&self) -> bool {
        self.low == f64::NEG_INFINITY || self.high == f64::INFINITY
    }

    /// What is in one or the other.
    pub fn join(&self, other: &FloatRange) -> FloatRange {
        FloatRange {
            low: least([self.low, other.low]),
            high: greatest([self.high, other.high]),
            nan: self.nan || other.nan,
        }
    }

    /// The floats with these encodings.
    pub fn of_facts(format: Format, facts: &Facts) -> FloatRange {
        let sign = 1u128 << (format.width() - 1);
        let infinity = format.infinity();
        let number = |magnitude: u128| match is_single(format) {
            true => f64::from(f32::from_bits(magnitude as u32)),
            false => f64::from_bits(magnitude as u64),
        };
        let of = |least: u128, most: u128| match least > infinity {
            true => FloatRange::NAN,
            false => FloatRange { low: number(least), high: number(most.min(infinity)), nan: most > infinity },
        };
        if !facts.is_tracked() || facts.width() != format.width() {
            return FloatRange::ALL;
        }
        if facts.umax < sign {
            of(facts.umin, facts.umax)
        } else if facts.umin >= sign {
            of(facts.umin - sign, facts.umax - sign).negated()
        } else {
            of(facts.umin, sign - 1).join(&of(0, facts.umax - sign).negated())
        }
    }

    /// What the encodings are.
    pub fn facts(&self, format: Format) -> Facts {
        let width = format.width();
        let bits = |x: f64| match is_single(format) {
            true => u128::from((x as f32).to_bits()),
            false => u128::from(x.to_bits()),
        };
        if self.nan || !self.has_numbers() {
            return Facts::unknown(width);
        }
        let (low, high) = (bits(self.low), bits(self.high));
        match (self.low.is_sign_negative(), self.high.is_sign_negative()) {
            (false, false) => Facts::between(width, low, high),
            (true, true) => Facts::between(width, high, low),
            (true, false) | (false, true) => Facts::unknown(width),
        }
    }

    /// Whether these are NaNs, as far as it is decided.
    pub fn is_nan(&self) -> Option<bool> {
        match (self.nan, self.has_numbers()) {
            (false, _) => Some(false),
            (true, false) => Some(true),
            (true, true) => None,
        }
    }

    /// Whether one is less than the other, as far as it is decided; undecided where one may be a NaN.
    pub fn less(&self, other: &FloatRange) -> Option<bool> {
        if self.nan || other.nan || !self.has_numbers() || !other.has_numbers() {
            return None;
        }
        match (self.high < other.low, self.low >= other.high) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    /// `-x`.
    pub fn negated(&self) -> FloatRange {
        FloatRange { low: -self.high, high: -self.low, nan: self.nan }
    }

    /// `|x|`.
    pub fn absolute(&self) -> FloatRange {
        if !self.has_numbers() || self.low.is_sign_positive() {
            return *self;
        }
        let negated = self.negated();
        if self.high.is_sign_negative() {
            return negated;
        }
        FloatRange { low: 0.0, high: greatest([self.high, negated.high]), nan: self.nan }
    }

    /// `x + y`. Where the ends are infinities of different signs, all sums that are numbers are infinities of one sign.
    pub fn add(&self, format: Format, other: &FloatRange) -> FloatRange {
        if !self.has_numbers() || !other.has_numbers() {
            return FloatRange::NAN;
        }
        let sum = |x, y| binary(format, x, y, |x, y| x + y, |x, y| x + y);
        let (low, high) = (sum(self.low, other.low), sum(self.high, other.high));
        let cancels = self.low == f64::NEG_INFINITY && other.high == f64::INFINITY
            || self.high == f64::INFINITY && other.low == f64::NEG_INFINITY;
        FloatRange {
            low: if low.is_nan() { f64::INFINITY } else { low },
            high: if high.is_nan() { f64::NEG_INFINITY } else { high },
            nan: self.nan || other.nan || cancels,
        }
    }

    /// The results at the corners, NaNs continued by zeros of their sign.
    fn corners(&self, other: &FloatRange, operation: impl Fn(f64, f64) -> f64) -> (f64, f64) {
        let at = |x: f64, y: f64| or_zero(operation(x, y), x.is_sign_negative() != y.is_sign_negative());
        let corners =
            [at(self.low, other.low), at(self.low, other.high), at(self.high, other.low), at(self.high, other.high)];
        (least(corners), greatest(corners))
    }

    /// `x * y`.
    pub fn mul(&self, format: Format, other: &FloatRange) -> FloatRange {
        if !self.has_numbers() || !other.has_numbers() {
            return FloatRange::NAN;
        }
        let (low, high) = self.corners(other, |x, y| binary(format, x, y, |x, y| x * y, |x, y| x * y));
        let undefined = self.has_zero() && other.has_infinity() || self.has_infinity() && other.has_zero();
        FloatRange { low, high, nan: self.nan || other.nan || undefined }
    }

    /// `x * x`.
    pub fn square(&self, format: Format) -> FloatRange {
        let magnitude = self.absolute();
        FloatRange { nan: self.nan, ..magnitude.mul(format, &magnitude) }
    }

    /// `x / y`: monotone on either side of zero.
    pub fn div(&self, format: Format, other: &FloatRange) -> FloatRange {
        if !self.has_numbers() || !other.has_numbers() {
            return FloatRange::NAN;
        }
        let quotient = |x, y| binary(format, x, y, |x, y| x / y, |x, y| x / y);
        let negative = FloatRange::between(other.low, least([other.high, -0.0]));
        let positive = FloatRange::between(greatest([other.low, 0.0]), other.high);
        let sides = [negative, positive].into_iter().filter(FloatRange::has_numbers);
        let results = sides.map(|side| self.corners(&side, quotient));
        let (low, high) = results.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (least_here, most_here)| {
            (least([low, least_here]), greatest([high, most_here]))
        });
        let undefined = self.has_zero() && other.has_zero() || self.has_infinity() && other.has_infinity();
        FloatRange { low, high, nan: self.nan || other.nan || undefined }
    }

    /// The square root; of a zero, that zero.
    pub fn sqrt(&self, format: Format) -> FloatRange {
        let root = |x: f64| if is_single(format) { f64::from((x as f32).sqrt()) } else { x.sqrt() };
        let kept = FloatRange::between(greatest([self.low, -0.0]), self.high);
        if !self.has_numbers() || !kept.has_numbers() {
            return FloatRange::NAN;
        }
        FloatRange { low: root(kept.low), high: root(kept.high), nan: self.nan || self.low < 0.0 }
    }

    /// `x * y + z`, rounded once: by corners where all is finite.
    pub fn fma(&self, format: Format, y: &FloatRange, z: &FloatRange) -> FloatRange {
        let parts = [self, y, z];
        if parts.iter().any(|part| !part.has_numbers()) {
            return FloatRange::NAN;
        }
        if parts.iter().any(|part| part.has_infinity()) {
            return FloatRange::ALL;
        }
        let at = |x: f64, y: f64, z: f64| match is_single(format) {
            true => f64::from((x as f32).mul_add(y as f32, z as f32)),
            false => x.mul_add(y, z),
        };
        let mut corners = [0.0; 8];
        for (index, corner) in corners.iter_mut().enumerate() {
            let end = |part: &FloatRange, bit: usize| if index >> bit & 1 == 0 { part.low } else { part.high };
            *corner = at(end(self, 0), end(y, 1), end(z, 2));
        }
        FloatRange { low: least(corners), high: greatest(corners), nan: parts.iter().any(|part| part.nan) }
    }

    /// The nearest in another format.
    pub fn convert(&self, to: Format) -> FloatRange {
        let nearest = |x: f64| if is_single(to) { f64::from(x as f32) } else { x };
        FloatRange { low: nearest(self.low), high: nearest(self.high), nan: self.nan }
    }

    /// The nearest to integers.
    pub fn of_integers(format: Format, signed: bool, facts: &Facts) -> FloatRange {
        let nearest = |x: i128| if is_single(format) { f64::from(x as f32) } else { x as f64 };
        let nearest_unsigned = |x: u128| if is_single(format) { f64::from(x as f32) } else { x as f64 };
        if !facts.is_tracked() {
            return FloatRange::between(f64::NEG_INFINITY, f64::INFINITY);
        }
        match signed {
            true => FloatRange::between(nearest(facts.smin), nearest(facts.smax)),
            false => FloatRange::between(nearest_unsigned(facts.umin), nearest_unsigned(facts.umax)),
        }
    }

    /// Whole numbers.
    pub fn round(&self, rounding: Rounding) -> FloatRange {
        let whole = |x: f64| match rounding {
            Rounding::Floor => x.floor(),
            Rounding::Ceil => x.ceil(),
            Rounding::Trunc => x.trunc(),
            Rounding::HalfAway => x.round(),
            Rounding::HalfEven => x.round_ties_even(),
        };
        FloatRange { low: whole(self.low), high: whole(self.high), nan: self.nan }
    }

    /// Whether these fit an integer type when rounded towards zero, as far as it is decided.
    pub fn fits(&self, signed: bool, width: u32) -> Option<bool> {
        if !self.has_numbers() {
            return Some(false);
        }
        let above = 2f64.powi(if signed { width as i32 - 1 } else { width as i32 });
        let least = if signed { -above } else { 0.0 };
        let (low, high) = (self.low.trunc(), self.high.trunc());
        match (low >= least && high < above && !self.nan, high < least || low >= above) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    /// These rounded towards zero as integers; nothing is known where one does not fit.
    pub fn truncated(&self, signed: bool, width: u32) -> Facts {
        if self.fits(signed, width) != Some(true) {
            return Facts::unknown(width);
        }
        match signed {
            true => Facts::between_signed(width, self.low as i128, self.high as i128),
            false => Facts::between(width, self.low as u128, self.high as u128),
        }
    }
}
