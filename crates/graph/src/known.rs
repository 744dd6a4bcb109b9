//! What two states say of the variables of the merged one, so that only what differs between them is asked about.
//!
//! A bound that both states list holds in both. Of a variable whose constraints are the same in both, and which does not move, there is no better bound to be
//! found than those; and a variable that moves has to do with others only where a constraint says so, or where something
//! was learnt about the other. This is a matter of which bounds are tried, not of which hold.

use belay_linear::{LinExpr, Rat, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The constraints of both states over the variables of the merged one.
pub(super) struct Known {
    /// For each form the least constant with which it is not negative.
    sides: [FxHashMap<LinExpr, Rat>; 2],
    /// The variables of which the states say different things; none: that can't be told.
    differing: Option<FxHashSet<Var>>,
    /// The variables with which each has a constraint.
    beside: FxHashMap<Var, FxHashSet<Var>>,
    /// Variables that are sums of several in one of the states.
    sums: FxHashSet<Var>,
}

impl Known {
    /// From expressions that are not negative; `whole`: there is no more to be said.
    pub(super) fn new(old: &[LinExpr], new: &[LinExpr], whole: bool) -> Known {
        let sides = [listed(old), listed(new)];
        let mut beside: FxHashMap<Var, FxHashSet<Var>> = FxHashMap::default();
        for expr in old.iter().chain(new) {
            for (var, _) in expr.terms() {
                beside.entry(*var).or_default().extend(expr.terms().iter().map(|(other, _)| *other));
            }
        }
        let changed =
            |(form, offset): &(&LinExpr, &Rat), other: &FxHashMap<LinExpr, Rat>| other.get(*form) != Some(offset);
        let [left, right] = &sides;
        let only =
            left.iter().filter(|known| changed(known, right)).chain(right.iter().filter(|known| changed(known, left)));
        let differing = only.flat_map(|(form, _)| form.terms().iter().map(|(var, _)| *var)).collect();
        Known { sides, differing: whole.then_some(differing), beside, sums: FxHashSet::default() }
    }

    /// Notes that what a state says of the parts of these variables it does not say of them.
    pub(super) fn doubt(&mut self, vars: impl Iterator<Item = Var>) {
        self.sums.extend(vars);
    }

    /// True if a state lists a constraint that says that `expr` is not negative.
    pub(super) fn holds(&self, side: usize, expr: &LinExpr) -> bool {
        self.sides[side].get(&form(expr)).is_some_and(|offset| offset <= expr.offset())
    }

    /// True if the states may say different things of a variable of `expr`.
    pub(super) fn differs(&self, expr: &LinExpr) -> bool {
        let Some(differing) = &self.differing else { return true };
        expr.terms().iter().any(|(var, _)| differing.contains(var) || self.sums.contains(var))
    }

    /// True if a constraint speaks of a variable of each, or may do so.
    pub(super) fn related(&self, first: &LinExpr, second: &LinExpr) -> bool {
        if first.terms().iter().any(|(var, _)| self.sums.contains(var)) {
            return true;
        }
        let beside = |var: &Var| self.beside.get(var);
        let meets = |others: &FxHashSet<Var>| second.terms().iter().any(|(var, _)| others.contains(var));
        first.terms().iter().filter_map(|(var, _)| beside(var)).any(meets)
    }
}

fn listed(exprs: &[LinExpr]) -> FxHashMap<LinExpr, Rat> {
    let mut found: FxHashMap<LinExpr, Rat> = FxHashMap::default();
    for expr in exprs {
        let least = found.entry(form(expr)).or_insert_with(|| expr.offset().clone());
        if expr.offset() < least {
            *least = expr.offset().clone();
        }
    }
    found
}

/// Without the constant.
fn form(expr: &LinExpr) -> LinExpr {
    LinExpr::new(expr.terms().iter().cloned(), Rat::ZERO)
}

/// Bounds of single variables, to see at once that something follows.
#[derive(Default)]
pub(super) struct Ranges {
    low: FxHashMap<Var, Rat>,
    high: FxHashMap<Var, Rat>,
}

/// How often constraints are gone through for the bounds of their variables.
const ROUNDS: usize = 2;

impl Ranges {
    /// What follows for each variable if these are not negative.
    pub(super) fn of<'e>(exprs: impl Iterator<Item = &'e LinExpr> + Clone) -> Ranges {
        let mut ranges = Ranges::default();
        for _ in 0..ROUNDS {
            exprs.clone().for_each(|expr| ranges.note(expr));
        }
        ranges
    }

    fn note(&mut self, expr: &LinExpr) {
        for (var, factor) in expr.terms() {
            let others =
                LinExpr::new(expr.terms().iter().filter(|(other, _)| other != var).cloned(), expr.offset().clone());
            let (Some(most), Some(inverse)) = (self.least(&others.negated()), factor.recip()) else { continue };
            // factor · var ≥ -others, whose least value is `most`.
            let bound = &most * &inverse;
            let (bounds, better): (_, fn(&Rat, &Rat) -> bool) = match factor.is_positive() {
                true => (&mut self.low, |new, old| new > old),
                false => (&mut self.high, |new, old| new < old),
            };
            if bounds.get(var).is_none_or(|old| better(&bound, old)) {
                bounds.insert(*var, bound);
            }
        }
    }

    /// A bound of the expression from below.
    fn least(&self, expr: &LinExpr) -> Option<Rat> {
        let mut sum = expr.offset().clone();
        for (var, factor) in expr.terms() {
            let bound = if factor.is_positive() { self.low.get(var) } else { self.high.get(var) };
            sum += &(factor * bound?);
        }
        Some(sum)
    }

    /// True only if `expr` is not negative.
    pub(super) fn imply(&self, expr: &LinExpr) -> bool {
        self.least(expr).is_some_and(|least| !least.is_negative())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: u32) -> LinExpr {
        LinExpr::var(Var(index))
    }

    #[test]
    fn ranges_go_through_others() {
        // x ≤ y - 1 and y ≤ 10 give x ≤ 9; nothing bounds x from below.
        let known = [var(1).minus(&var(0)).plus_constant(&Rat::MINUS_ONE), LinExpr::constant(10).minus(&var(1))];
        let ranges = Ranges::of(known.iter());
        assert!(ranges.imply(&LinExpr::constant(9).minus(&var(0))));
        assert!(!ranges.imply(&LinExpr::constant(8).minus(&var(0))));
        assert!(!ranges.imply(&var(0)));
    }

    #[test]
    fn what_differs_is_found() {
        let old = [var(0), var(1).minus(&var(0))];
        let new = [var(0).plus_constant(&Rat::MINUS_ONE), var(1).minus(&var(0)), var(2)];
        let known = Known::new(&old, &new, true);
        assert!(known.differs(&var(0)) && known.differs(&var(2)) && !known.differs(&var(1)));
        assert!(known.holds(1, &var(0)) && !known.holds(0, &var(0).plus_constant(&Rat::MINUS_ONE)));
        assert!(known.related(&var(0), &var(1)) && !known.related(&var(0), &var(2)));
        assert!(Known::new(&old, &new, false).differs(&var(1)));
    }
}
