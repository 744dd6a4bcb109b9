//! Regions: a set of values for each variable; and how they are cut in two.

use super::super::facts::Facts;
use super::super::float::Format;
use super::super::term::VarId;
use super::super::value::{Bits, mask};
use super::range::{FloatRange, is_single, key, next_up, of_key};
use super::tape::Variable;

/// The values that a variable may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum VariableDomain {
    /// A variable that is used as a float.
    Float(Format, FloatRange),
    /// Any other.
    Bits(Facts),
}

/// Where the values of a variable are cut in two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Floats: the numbers, and the NaNs.
    Nan,
    /// Floats: the numbers up to the one with this encoding (-0 before +0), and those above.
    Float(u64),
    /// Bit-vectors: up to this as unsigned, and above.
    Unsigned(u128),
    /// Bit-vectors: up to this as signed, and above.
    Signed(i128),
}

/// A region is cut in two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// The variable.
    pub variable: VarId,
    /// Where.
    pub cut: Cut,
}

/// How a region was cut, and the parts again: in preorder, the lower part first; `None` is a part that needs no further cut.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paving(pub Vec<Option<Split>>);

/// A set of values for each variable.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) domains: Vec<VariableDomain>,
}

/// The encoding of a number.
pub(super) fn encoding(format: Format, x: f64) -> u64 {
    if is_single(format) { u64::from((x as f32).to_bits()) } else { x.to_bits() }
}

fn number(format: Format, bits: u64) -> f64 {
    if is_single(format) { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

impl VariableDomain {
    fn all(variable: &Variable) -> VariableDomain {
        match variable.format {
            Some(format) => VariableDomain::Float(format, FloatRange::ALL),
            None => VariableDomain::Bits(Facts::unknown(variable.width)),
        }
    }

    /// The two parts; `None` if one would be empty or the cut is of another kind.
    pub(super) fn halves(&self, cut: Cut) -> Option<(VariableDomain, VariableDomain)> {
        match (*self, cut) {
            (VariableDomain::Float(format, range), Cut::Nan) => {
                let numbers = FloatRange { nan: false, ..range };
                (range.nan && range.has_numbers())
                    .then_some((VariableDomain::Float(format, numbers), VariableDomain::Float(format, FloatRange::NAN)))
            }
            (VariableDomain::Float(format, range), Cut::Float(bits)) => {
                let at = number(format, bits);
                let (below, above) =
                    (FloatRange { high: at, ..range }, FloatRange { low: next_up(format, at), nan: false, ..range });
                let inside = !range.nan && below.has_numbers() && above.has_numbers();
                inside.then_some((VariableDomain::Float(format, below), VariableDomain::Float(format, above)))
            }
            (VariableDomain::Bits(facts), Cut::Unsigned(at)) => {
                let inside = facts.is_tracked() && facts.umin <= at && at < facts.umax;
                let (below, above) = facts.cut_unsigned(at);
                inside.then_some((VariableDomain::Bits(below), VariableDomain::Bits(above)))
            }
            (VariableDomain::Bits(facts), Cut::Signed(at)) => {
                let inside = facts.is_tracked() && facts.smin <= at && at < facts.smax;
                let (below, above) = facts.cut_signed(at);
                inside.then_some((VariableDomain::Bits(below), VariableDomain::Bits(above)))
            }
            (VariableDomain::Float(..), Cut::Unsigned(_) | Cut::Signed(_))
            | (VariableDomain::Bits(_), Cut::Nan | Cut::Float(_)) => None,
        }
    }

    /// How wide it is; infinite if it should be cut by magnitude.
    pub(super) fn width(&self) -> f64 {
        match self {
            VariableDomain::Float(_, range) if !range.has_numbers() => 0.0,
            VariableDomain::Float(_, range) => range.high - range.low,
            VariableDomain::Bits(facts) if facts.is_tracked() => facts.umax.saturating_sub(facts.umin) as f64,
            VariableDomain::Bits(_) => 0.0,
        }
    }

    /// A cut in the middle, if there are at least two values.
    pub(super) fn middle(&self) -> Option<Cut> {
        let cut = match *self {
            VariableDomain::Float(_, range) if range.nan => Cut::Nan,
            VariableDomain::Float(format, range) => Cut::Float(encoding(format, middle(format, range))),
            // Small numbers of either sign are likely.
            VariableDomain::Bits(facts) if facts.smin < 0 && facts.smax >= 0 => Cut::Signed(-1),
            VariableDomain::Bits(facts) => Cut::Unsigned(facts.umin + facts.umax.saturating_sub(facts.umin) / 2),
        };
        self.halves(cut).map(|_| cut)
    }

    /// A value in the middle, as the model gives it to the variable.
    pub(super) fn sample(&self, width: u32, which: Sample) -> Bits {
        match *self {
            VariableDomain::Float(format, range) if range.has_numbers() => {
                let x = match which {
                    Sample::Middle => middle(format, range),
                    Sample::Low => range.low,
                    Sample::High => range.high,
                };
                Bits::new(width, encoding(format, x).into())
            }
            VariableDomain::Float(format, _) => {
                let quiet = format.fraction - 1;
                Bits::new(width, mask(format.exponent + 1) << quiet)
            }
            VariableDomain::Bits(facts) if !facts.is_tracked() => Bits::zero(width),
            VariableDomain::Bits(facts) => match which {
                Sample::Middle if facts.umin == 0 => Bits::zero(width),
                Sample::Middle => Bits::new(width, facts.umin + facts.umax.saturating_sub(facts.umin) / 2),
                Sample::Low => Bits::new(width, facts.umin),
                Sample::High => Bits::new(width, facts.umax),
            },
        }
    }

    /// A constant alone.
    pub(super) fn fixed(&self, value: Bits) -> VariableDomain {
        match *self {
            VariableDomain::Float(format, _) => {
                let x = number(format, value.to_u128().unwrap_or(0) as u64);
                VariableDomain::Float(format, if x.is_nan() { FloatRange::NAN } else { FloatRange::between(x, x) })
            }
            VariableDomain::Bits(_) => VariableDomain::Bits(Facts::of_constant(value)),
        }
    }

    /// The value alone.
    pub(super) fn point(&self, value: Bits) -> VariableDomain {
        match *self {
            VariableDomain::Float(format, range) if range.has_numbers() => {
                let x = number(format, value.to_u128().unwrap_or(0) as u64);
                VariableDomain::Float(format, FloatRange::between(x, x))
            }
            VariableDomain::Float(format, _) => VariableDomain::Float(format, FloatRange::NAN),
            VariableDomain::Bits(_) => VariableDomain::Bits(Facts::of_constant(value)),
        }
    }
}

/// Which value of a domain is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sample {
    Middle,
    Low,
    High,
}

/// A number inside, below the greatest: the mean, but among large numbers that differ much the mean of the exponents.
fn middle(format: Format, range: FloatRange) -> f64 {
    let (low, high) = (range.low, range.high);
    let mean = low / 2.0 + high / 2.0;
    let mean = if is_single(format) { f64::from(mean as f32) } else { mean };
    let large = low < -LARGE || high > LARGE;
    let alike = low != 0.0 && high != 0.0 && (high / low).abs() < 4.0 && (high / low).abs() > 0.25;
    let between = |low: f64, high: f64| {
        let (low, high) = (key(format, low), key(format, high));
        of_key(format, low + ((i128::from(high) - i128::from(low)) / 2) as i64).unwrap_or(0.0)
    };
    let at = match (large, alike) {
        (false, _) | (true, true) => mean,
        (true, false) if low < 0.0 && high > 0.0 => -0.0,
        (true, false) if high > LARGE => between(if low < 1.0 { 1.0 } else { low }, high),
        (true, false) => between(low, if high > -1.0 { -1.0 } else { high }),
    };
    let inside = FloatRange::between(low, high);
    let fits = at.total_cmp(&inside.low).is_ge() && at.total_cmp(&inside.high).is_lt();
    if fits { at } else { between(low, high) }
}

/// Beyond this, numbers are cut by magnitude.
const LARGE: f64 = 1024.0;

impl Region {
    /// All values of the variables.
    pub(super) fn all(variables: &[Variable]) -> Region {
        Region { domains: variables.iter().map(VariableDomain::all).collect() }
    }

    /// The two parts at a cut.
    pub(super) fn halves(&self, variable: usize, cut: Cut) -> Option<(Region, Region)> {
        let (low, high) = self.domains.get(variable)?.halves(cut)?;
        let with = |domain| {
            let mut domains = self.domains.clone();
            domains[variable] = domain;
            Region { domains }
        };
        Some((with(low), with(high)))
    }
}
