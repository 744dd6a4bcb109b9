//! How fast numbers and places move beside each other.
//!
//! *Idea.* A round that writes one byte or two for each that it reads moves one place by one and another by one or two: the bounds that last are those of `written - 2 * read`, whatever rounds come. What
//! a round adds to each is seen where the newer state has come from the older one: then they hold the same variable and differ by a constant, or by a number between two. Of two steps `a` and `b` the form
//! `a * second - b * first` is what that round leaves as it is; another round moves it one way only, or it goes. Before the steps of some rounds differ the hull of the states
//! says how the numbers hang together, so that its proportions are forms as well; and so are those of the lines between the ends of one state and of the other, where both are points or short lines:
//! the sides of the least polygon around them.
//!
//! Which forms are tried is a matter of search: a bound is kept only if it holds in both states.

use belay_linear::{LinExpr, Rat, Var};
use belay_symbolic::State;
use rustc_hash::FxHashSet;

use super::basis::Basis;
use super::pairing::{Slot, SlotKind};
use super::templates::{Lasts, Template};

/// Numbers that move, and forms of them, at most.
const MAX_MOVING: usize = 10;
const MAX_FORMS: usize = 24;

/// Ends of a state that are looked at.
const MAX_ENDS: usize = 2;

/// The largest factor of a form.
const MAX_FACTOR: i64 = 1 << 12;

/// Bounds of what rounds leave as it is.
pub(super) fn rates(slots: &[Slot], basis: &Basis, states: (&State, &State)) -> Vec<Template> {
    let counts = |slot: &Slot| match slot.kind {
        // Characters count nothing.
        SlotKind::Register(width) | SlotKind::Content(width) => width > 8,
        SlotKind::Length | SlotKind::Offset => true,
        SlotKind::Given | SlotKind::Size | SlotKind::CellOffset => false,
    };
    let mut seen: FxHashSet<LinExpr> = FxHashSet::default();
    let moving = slots.iter().zip(&basis.exprs).filter(|(slot, _)| counts(slot) && slot.sides.0 != slot.sides.1);
    let moving: Vec<(&Slot, &LinExpr)> =
        moving.filter(|(_, expr)| seen.insert(without_offset(expr))).take(MAX_MOVING).collect();
    seen.clear();
    let mut found = Vec::new();
    for (at, (first, x)) in moving.iter().enumerate() {
        for (second, y) in &moving[at + 1..] {
            for (a, b) in proportions(first, second, states.1)
                .into_iter()
                .chain(lines(first, second, states))
                .chain([(Rat::ONE, Rat::ONE)])
            {
                let Some((a, b)) = factors(&a, &b).filter(|(a, b)| a != b || is_multiple(x) || is_multiple(y)) else {
                    continue;
                };
                let form = without_offset(&y.scaled(&a).add_scaled(&-&b, x));
                if form.is_constant() || seen.contains(&form) || seen.len() >= MAX_FORMS {
                    continue;
                }
                seen.insert(form.clone());
                seen.insert(form.negated());
                found.push(Template { expr: form.negated(), fixed: false, lasts: Lasts::Not });
                found.push(Template { expr: form, fixed: false, lasts: Lasts::Not });
            }
        }
    }
    found
}

/// By how much each of two numbers moves while the other one does: in the last round, whatever it may have added, and in each state.
fn proportions(first: &Slot, second: &Slot, new: &State) -> Vec<(Rat, Rat)> {
    let step = |slot: &Slot| slot.sides.1.minus(&slot.sides.0);
    let along = |(x, y): (&LinExpr, &LinExpr)| match (x.terms(), y.terms()) {
        ([(var, one)], [(other, many)]) if var == other => Some((one.clone(), many.clone())),
        (_, _) => None,
    };
    let places = first.kind == SlotKind::Offset || second.kind == SlotKind::Offset;
    let hulls = [(&first.sides.0, &second.sides.0), (&first.sides.1, &second.sides.1)];
    let hulls = hulls.into_iter().filter(|_| places).filter_map(along);
    ends(new, &step(first), &step(second)).into_iter().chain(hulls).collect()
}

/// The lines between the ends of one state and those of the other one.
fn lines(first: &Slot, second: &Slot, (old, new): (&State, &State)) -> Vec<(Rat, Rat)> {
    let mut found = Vec::new();
    let to = ends(new, &first.sides.1, &second.sides.1);
    for (x, y) in ends(old, &first.sides.0, &second.sides.0) {
        found.extend(to.iter().map(|(other, next)| (other - &x, next - &y)));
    }
    found
}

/// The ends of a pair of numbers of a state: itself if both are constants, else where the one variable that they have comes to a bound that the state lists.
fn ends(state: &State, x: &LinExpr, y: &LinExpr) -> Vec<(Rat, Rat)> {
    let mut vars = x.terms().iter().chain(y.terms()).map(|(var, _)| *var);
    let Some(var) = vars.next() else { return vec![(x.offset().clone(), y.offset().clone())] };
    if vars.any(|other| other != var) {
        return Vec::new();
    }
    let at = |expr: &LinExpr, value: &Rat| expr.offset() + &(&expr.coefficient(var) * value);
    bounds(state, var).iter().map(|value| (at(x, value), at(y, value))).collect()
}

/// What a variable is compared with in a state, if that is a number.
fn bounds(state: &State, var: Var) -> Vec<Rat> {
    let bound = |expr: &LinExpr| match expr.terms() {
        [(own, factor)] if *own == var => Some(-&(expr.offset() * &factor.recip()?)),
        _ => None,
    };
    let mut found: Vec<Rat> = state.knowledge.constraints.iter().filter_map(|known| bound(&known.expr)).collect();
    found.truncate(MAX_ENDS);
    found
}

/// The same proportion in small numbers; none if it is that of a sum, which is looked at anyway.
fn factors(a: &Rat, b: &Rat) -> Option<(Rat, Rat)> {
    let divisor = a.gcd(b).recip()?;
    let (a, b) = (a * &divisor, b * &divisor);
    let small = |number: &Rat| number.is_integer() && !number.is_zero() && number.abs() <= Rat::from(MAX_FACTOR);
    (small(&a) && small(&b) && a != -&b).then_some((a, b))
}

/// True of a number that is several times a variable: differences of variables are looked at anyway.
fn is_multiple(expr: &LinExpr) -> bool {
    matches!(expr.terms(), [(_, factor)] if !factor.is_one())
}

fn without_offset(expr: &LinExpr) -> LinExpr {
    LinExpr::new(expr.terms().iter().cloned(), Rat::ZERO)
}
