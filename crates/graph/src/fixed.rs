//! Numbers that can have one value only by their bounds.
//!
//! A quotient (`p = (i - 1) / 2`) is a variable between two bounds. Where `i` is known it has one value, but places in its terms do not meet those of other elements until it is replaced.

use belay_linear::{LinExpr, Rat, Rel, Var};
use belay_symbolic::State;
use rustc_hash::FxHashMap;

/// How often bounds of some numbers are followed to those of others.
const MAX_ROUNDS: usize = 3;

/// How many variables a constraint may have that is looked at.
const MAX_TERMS: usize = 2;

/// Where no number has so few values, others have more than one as well.
const FEW: i64 = 16;

/// The same state with these numbers as constants; none if there are no such.
pub(super) fn with_fixed_numbers(state: &State) -> Option<State> {
    let found = fixed(state);
    if found.is_empty() {
        return None;
    }
    let mut state = state.clone();
    for (var, value) in found {
        state.substitute(var, &LinExpr::constant(value));
    }
    Some(state)
}

/// The least and the greatest value of variables, as far as they are known.
#[derive(Default)]
struct Bounds {
    least: FxHashMap<Var, Rat>,
    most: FxHashMap<Var, Rat>,
}

impl Bounds {
    /// The greatest value of what is left of an expression without one of its variables.
    fn most_without(&self, expr: &LinExpr, var: Var) -> Option<Rat> {
        let mut sum = expr.offset().clone();
        for (other, factor) in expr.terms().iter().filter(|(other, _)| *other != var) {
            let bounds = if factor.is_positive() { &self.most } else { &self.least };
            sum += &(factor * bounds.get(other)?);
        }
        Some(sum)
    }

    /// True if some number has only a few values.
    fn has_few(&self) -> bool {
        let few = Rat::from(FEW);
        self.least.iter().any(|(var, least)| self.most.get(var).is_some_and(|most| most - least <= few))
    }

    /// Takes `expr >= 0` into account; true if that says more of a variable.
    fn note(&mut self, expr: &LinExpr) -> bool {
        let mut changed = false;
        for (var, factor) in expr.terms() {
            let Some(rest) = self.most_without(expr, *var) else { continue };
            let bound = -&(&rest / factor);
            if factor.is_positive() {
                let bound = bound.ceil();
                if self.least.get(var).is_none_or(|known| *known < bound) {
                    self.least.insert(*var, bound);
                    changed = true;
                }
            } else {
                let bound = bound.floor();
                if self.most.get(var).is_none_or(|known| *known > bound) {
                    self.most.insert(*var, bound);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// The variables whose least value is their greatest.
fn fixed(state: &State) -> Vec<(Var, Rat)> {
    let mut bounds = Bounds::default();
    let constraints = &state.knowledge.constraints;
    for known in constraints.iter().filter(|known| known.expr.terms().len() == 1) {
        bounds.note(&known.expr);
        if known.rel == Rel::Eq {
            bounds.note(&known.expr.negated());
        }
    }
    if !bounds.has_few() {
        return Vec::new();
    }
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for known in constraints.iter().filter(|known| known.expr.terms().len() <= MAX_TERMS) {
            changed |= bounds.note(&known.expr);
            changed |= known.rel == Rel::Eq && bounds.note(&known.expr.negated());
        }
        if !changed {
            break;
        }
    }
    let value =
        |(var, least): (&Var, &Rat)| bounds.most.get(var).filter(|most| *most == least).map(|_| (*var, least.clone()));
    let mut found: Vec<(Var, Rat)> = bounds.least.iter().filter_map(value).collect();
    found.sort_by_key(|(var, _)| *var);
    found
}
