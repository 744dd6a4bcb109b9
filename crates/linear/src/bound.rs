//! Bounds of variables, with infinitesimals for strictness over the rationals.

use std::cmp::Ordering;

use super::{Multiplier, Rat};

/// `real + delta · ε` for an arbitrarily small positive ε (Dutertre and de Moura, section 3.4).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DeltaRational {
    pub real: Rat,
    pub delta: Rat,
}

impl DeltaRational {
    pub fn real(real: Rat) -> Self {
        Self { real, delta: Rat::ZERO }
    }

    pub fn add_scaled(&mut self, factor: &Rat, other: &DeltaRational) {
        self.real += &(factor * &other.real);
        if !other.delta.is_zero() {
            self.delta += &(factor * &other.delta);
        }
    }

    pub fn minus(&self, other: &DeltaRational) -> DeltaRational {
        DeltaRational { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }

    pub fn divide(&self, divisor: &Rat) -> DeltaRational {
        DeltaRational { real: &self.real / divisor, delta: &self.delta / divisor }
    }
}

impl Ord for DeltaRational {
    fn cmp(&self, other: &Self) -> Ordering {
        self.real.cmp(&other.real).then_with(|| self.delta.cmp(&other.delta))
    }
}

impl PartialOrd for DeltaRational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A bound, and the half constraint whose `factor`-fold it is.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub value: DeltaRational,
    pub reason: Multiplier,
}

/// Which of a variable's two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Lower,
    Upper,
}

impl Which {
    pub fn other(self) -> Which {
        match self {
            Which::Lower => Which::Upper,
            Which::Upper => Which::Lower,
        }
    }
}
