//! Sets of floats, and float operations on them.

use belay_logic::bv::float::{FloatOperation, Format, Rounding};
use belay_logic::bv::{Facts, TermId};

use super::Set;

/// All numbers from the first to the second, and the NaNs if the third says so; no numbers if the second is below the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Floats {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) nan: bool,
}

/// Any.
pub(super) const EVERY_FLOAT: Floats = Floats { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
/// Nothing but NaNs.
pub(super) const ONLY_NAN: Floats = Floats { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

pub(super) fn number(format: Format, bits: u128) -> f64 {
    if format == Format::SINGLE { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn encoding(format: Format, x: f64) -> u128 {
    if format == Format::SINGLE { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) }
}

/// The next number above in the format, -0 before +0; the same for the last.
pub(super) fn above(format: Format, x: f64) -> f64 {
    let bits = encoding(format, x);
    let sign = 1u128 << (format.width() - 1);
    match x {
        f64::INFINITY => x,
        _ if bits == sign => 0.0,
        _ if bits > sign => number(format, bits - 1),
        _ => number(format, bits + 1),
    }
}

impl Floats {
    pub(super) fn between(low: f64, high: f64) -> Self {
        Self { low, high, nan: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low.total_cmp(&self.high).is_gt()
    }

    fn of_ends(ends: &[f64], nan: bool) -> Self {
        if ends.iter().any(|end| end.is_nan()) {
            return EVERY_FLOAT;
        }
        let low = ends.iter().copied().min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
        let high = ends.iter().copied().max_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY);
        Self { low, high, nan }
    }

    pub(super) fn join(self, other: Floats) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => Self { nan: self.nan || other.nan, ..other },
            (_, true) => Self { nan: self.nan || other.nan, ..self },
            (false, false) => Self::of_ends(&[self.low, self.high, other.low, other.high], self.nan || other.nan),
        }
    }

    /// By the ends of both; NaNs inside come only with infinities and zeros, which `risk` tells.
    fn combine(self, other: Floats, risk: bool, operation: impl Fn(f64, f64) -> f64) -> Self {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        Self::of_ends(&ends.map(|(x, y)| operation(x, y)), self.nan || other.nan || risk)
    }

    fn unbounded(self) -> bool {
        self.low.is_infinite() || self.high.is_infinite()
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, nan: self.nan }
    }

    fn magnitude(self) -> Self {
        match (self.low.is_sign_negative(), self.high.is_sign_negative()) {
            _ if self.is_empty() => self,
            (false, _) => self,
            (true, true) => self.negated(),
            (true, false) => Self::of_ends(&[0.0, -self.low, self.high], self.nan),
        }
    }

    pub(super) fn of_facts(format: Format, facts: &Facts) -> Self {
        let sign = 1u128 << (format.width() - 1);
        let infinity = encoding(format, f64::INFINITY);
        if !facts.is_tracked() || facts.width() != format.width() || facts.umin < sign && facts.umax >= sign {
            return EVERY_FLOAT;
        }
        let (least, most) = (facts.umin & (sign - 1), facts.umax & (sign - 1));
        let positive = match least > infinity {
            true => ONLY_NAN,
            false => {
                Self { low: number(format, least), high: number(format, most.min(infinity)), nan: most > infinity }
            }
        };
        if facts.umin >= sign { positive.negated() } else { positive }
    }

    pub(super) fn facts(self, format: Format) -> Facts {
        let width = format.width();
        if self.nan || self.is_empty() || self.low.is_sign_negative() != self.high.is_sign_negative() {
            return Facts::unknown(width);
        }
        let (a, b) = (encoding(format, self.low), encoding(format, self.high));
        Facts::between(width, a.min(b), a.max(b))
    }

    pub(super) fn less(self, other: Floats) -> Option<bool> {
        if self.nan || other.nan || self.is_empty() || other.is_empty() {
            return None;
        }
        if self.high < other.low {
            return Some(true);
        }
        (self.low >= other.high).then_some(false)
    }

    pub(super) fn is_nan(self) -> Option<bool> {
        if self.is_empty() { Some(true) } else { (!self.nan).then_some(false) }
    }

    pub(super) fn fits(self, signed: bool, width: u32) -> Option<bool> {
        let limit = 2f64.powi(width as i32 - i32::from(signed));
        let fits = |x: f64| {
            let whole = x.trunc();
            whole < limit && if signed { whole >= -limit } else { whole >= 0.0 }
        };
        if self.is_empty() {
            return Some(false);
        }
        if fits(self.low) && fits(self.high) && !self.nan {
            return Some(true);
        }
        let (low, high) = (self.low.trunc(), self.high.trunc());
        (low >= limit || high < if signed { -limit } else { 0.0 }).then_some(false)
    }

    pub(super) fn truncated(self, signed: bool, width: u32) -> Facts {
        match (self.fits(signed, width), signed) {
            (Some(true), true) => Facts::between_signed(width, self.low as i128, self.high as i128),
            (Some(true), false) => Facts::between(width, self.low as u128, self.high as u128),
            (Some(false) | None, _) => Facts::unknown(width),
        }
    }
}

/// The values that a float operation can have on sets of operands.
pub(super) fn operate(format: Format, operation: FloatOperation, set: impl Fn(TermId) -> Set) -> Floats {
    let single = format == Format::SINGLE;
    let float = |id: TermId, format: Format| match set(id) {
        Set::Floats(floats) => floats,
        Set::Bits(facts) => Floats::of_facts(format, &facts),
        Set::Bool(_) => EVERY_FLOAT,
    };
    let of = |id: TermId| float(id, format);
    // One that is no number at all makes the result none.
    if !matches!(operation, FloatOperation::FromInt { .. }) {
        let from = if let FloatOperation::Convert { from, .. } = operation { from } else { format };
        if operation.operands().any(|id| float(id, from).is_empty()) {
            return ONLY_NAN;
        }
    }
    match operation {
        FloatOperation::Add(a, b) => {
            let (x, y) = (of(a), of(b));
            let sum = |x: f64, y: f64| if single { f64::from(x as f32 + y as f32) } else { x + y };
            // Infinities of different signs, one at an end of each.
            let risk = x.low == f64::NEG_INFINITY && y.high == f64::INFINITY
                || x.high == f64::INFINITY && y.low == f64::NEG_INFINITY;
            Floats::of_ends(&[sum(x.low, y.low), sum(x.high, y.high)], x.nan || y.nan || risk)
        }
        FloatOperation::Mul(a, b) => {
            let (x, y) = if a == b { (of(a).magnitude(), of(a).magnitude()) } else { (of(a), of(b)) };
            let product = |x: f64, y: f64| if single { f64::from(x as f32 * y as f32) } else { x * y };
            // A number times itself is no NaN, and its smallest square that of the smallest magnitude.
            let risk = a != b && (x.unbounded() && y.has_zero() || x.has_zero() && y.unbounded());
            match a == b {
                true => Floats::of_ends(&[product(x.low, x.low), product(x.high, x.high)], x.nan),
                false => x.combine(y, risk, product),
            }
        }
        FloatOperation::Div(a, b) => {
            let (x, y) = (of(a), of(b));
            let quotient = |x: f64, y: f64| if single { f64::from(x as f32 / y as f32) } else { x / y };
            if y.low.is_sign_negative() != y.high.is_sign_negative() {
                return EVERY_FLOAT;
            }
            let risk = x.unbounded() && y.unbounded() || x.has_zero() && y.has_zero();
            x.combine(y, risk, quotient)
        }
        FloatOperation::Fma(a, b, c) => {
            let (x, y, z) = (of(a), of(b), of(c));
            if x.unbounded() || y.unbounded() || z.unbounded() {
                return EVERY_FLOAT;
            }
            let fused = |x: f64, y: f64, z: f64| match single {
                true => f64::from((x as f32).mul_add(y as f32, z as f32)),
                false => x.mul_add(y, z),
            };
            let least = x.combine(y, z.nan, |x, y| fused(x, y, z.low));
            least.join(x.combine(y, z.nan, |x, y| fused(x, y, z.high)))
        }
        FloatOperation::Sqrt(a) => {
            let x = of(a);
            let root = |x: f64| if single { f64::from((x as f32).sqrt()) } else { x.sqrt() };
            if x.high < 0.0 {
                return ONLY_NAN;
            }
            let low = if x.low < 0.0 { -0.0 } else { x.low };
            Floats { low: root(low), high: root(x.high), nan: x.nan || x.low < 0.0 }
        }
        FloatOperation::Neg(a) => of(a).negated(),
        FloatOperation::Abs(a) => of(a).magnitude(),
        FloatOperation::Convert { from, arg } => {
            let x = float(arg, from);
            let nearest = |x: f64| if single { f64::from(x as f32) } else { x };
            Floats { low: nearest(x.low), high: nearest(x.high), nan: x.nan }
        }
        FloatOperation::FromInt { signed, arg } => {
            let Set::Bits(facts) = set(arg) else { return EVERY_FLOAT };
            if !facts.is_tracked() {
                return EVERY_FLOAT;
            }
            let (low, high) = match (signed, single) {
                (true, true) => (f64::from(facts.smin as f32), f64::from(facts.smax as f32)),
                (true, false) => (facts.smin as f64, facts.smax as f64),
                (false, true) => (f64::from(facts.umin as f32), f64::from(facts.umax as f32)),
                (false, false) => (facts.umin as f64, facts.umax as f64),
            };
            Floats::between(low, high)
        }
        FloatOperation::Round { rounding, arg } => {
            let x = of(arg);
            let whole = |x: f64| match rounding {
                Rounding::Floor => x.floor(),
                Rounding::Ceil => x.ceil(),
                Rounding::Trunc => x.trunc(),
                Rounding::HalfAway => x.round(),
                Rounding::HalfEven => x.round_ties_even(),
            };
            Floats { low: whole(x.low), high: whole(x.high), nan: x.nan }
        }
    }
}
