//! Checks refutations. Independent of the solver: it adds up what the certificate says.
//!
//! Sound because each step is: a half of an asserted constraint holds; over the integers `Σ aᵢxᵢ + c`
//! with integer `aᵢ` is a multiple of `g = gcd(aᵢ)` plus `c`, so `≥ 0` gives `Σ (aᵢ/g)xᵢ + ⌊c/g⌋ ≥ 0`
//! and `> 0` gives the same with `⌈c/g⌉ - 1`; a non-negative sum of such is again true; and `c ≥ 0`
//! with `c < 0`, or `c > 0` with `c ≤ 0`, is false.

use super::{Constraint, LinExpr, Multiplier, NumberDomain, Rat, Refutation, Rel, Side};

/// True if `refutation` shows that `constraints` have no solution in `domain`.
pub fn check(constraints: &[Constraint], domain: NumberDomain, refutation: &Refutation) -> bool {
    match refutation {
        Refutation::Farkas(multipliers) => contradiction(constraints, domain, multipliers),
        Refutation::Split { var, at, low, high } => {
            let below = LinExpr::new([(*var, Rat::MINUS_ONE)], at.clone());
            let above = LinExpr::new([(*var, Rat::ONE)], &-at - &Rat::ONE);
            let with = |expr: LinExpr| [constraints, &[Constraint::ge(expr)]].concat();
            domain == NumberDomain::Integer
                && at.is_integer()
                && check(&with(below), domain, low)
                && check(&with(above), domain, high)
        }
    }
}

fn contradiction(constraints: &[Constraint], domain: NumberDomain, multipliers: &[Multiplier]) -> bool {
    let mut sum = LinExpr::default();
    let mut strict = false;
    for multiplier in multipliers {
        let Some(constraint) = constraints.get(multiplier.constraint) else {
            return false;
        };
        let expr = match (multiplier.side, constraint.rel) {
            (Side::Lower, Rel::Ge | Rel::Gt | Rel::Eq) => constraint.expr.clone(),
            (Side::Upper, Rel::Eq) => constraint.expr.negated(),
            (Side::Upper, Rel::Ge | Rel::Gt) => return false,
        };
        if multiplier.factor.is_negative() {
            return false;
        }
        let is_strict = constraint.rel == Rel::Gt;
        let (expr, is_strict) = match domain {
            NumberDomain::Integer => (round(&expr, is_strict), false),
            NumberDomain::Rational => (expr, is_strict),
        };
        sum = sum.add_scaled(&multiplier.factor, &expr);
        strict |= is_strict && multiplier.factor.is_positive();
    }
    sum.is_constant() && (sum.offset().is_negative() || strict && sum.offset().is_zero())
}

/// The integer points of `expr >= 0` (or `> 0`), as `result >= 0` with coprime coefficients.
fn round(expr: &LinExpr, strict: bool) -> LinExpr {
    let denominators = expr.terms().iter().fold(Rat::ONE, |lcm, (_, a)| &lcm * &(&lcm * a).denominator());
    let numerators = expr.terms().iter().fold(Rat::ZERO, |gcd, (_, a)| (a * &denominators).gcd(&gcd));
    if numerators.is_zero() {
        let holds = if strict { expr.offset().is_positive() } else { !expr.offset().is_negative() };
        return LinExpr::constant(if holds { Rat::ZERO } else { Rat::MINUS_ONE });
    }
    let scaled = expr.scaled(&(&denominators / &numerators));
    let offset = match strict {
        true => &scaled.offset().ceil() - &Rat::ONE,
        false => scaled.offset().floor(),
    };
    LinExpr::new(scaled.terms().iter().cloned(), offset)
}
