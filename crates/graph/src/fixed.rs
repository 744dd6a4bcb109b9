//! Numbers that can have one value only by their bounds.
//!
//! A quotient (`p = (i - 1) / 2`) is a variable between two bounds. Where `i` is known it has one value, but places in its terms do not meet those of other elements until it is replaced.

use std::collections::BTreeMap;

use belay_linear::{LinExpr, Rat, Rel, Var};
use belay_symbolic::State;

/// How often bounds of some numbers are followed to those of others.
const MAX_ROUNDS: usize = 8;

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
    least: BTreeMap<Var, Rat>,
    most: BTreeMap<Var, Rat>,
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
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for known in &state.knowledge.constraints {
            changed |= bounds.note(&known.expr);
            changed |= known.rel == Rel::Eq && bounds.note(&known.expr.negated());
        }
        if !changed {
            break;
        }
    }
    let value =
        |(var, least): (&Var, &Rat)| bounds.most.get(var).filter(|most| *most == least).map(|_| (*var, least.clone()));
    bounds.least.iter().filter_map(value).collect()
}
