//! Forms whose lower bounds may become constraints of the merged state.

use belay_ir::IntegerModel;
use belay_linear::{LinExpr, Rat, Rel, Var};
use belay_symbolic::{MOST_BYTES, State};
use rustc_hash::{FxHashMap, FxHashSet};

use super::basis::Basis;
use super::known::Known;
use super::merge::PATIENCE;
use super::pairing::{Slot, SlotKind};
use super::project::project;
use super::rates::rates;

/// Merges beyond those that may make up bounds in which a bound may stop at a number of the program.
const STOPS: u32 = 12;

/// Slots that move beyond which pairs with them are not looked at.
const MAX_PAIRED: usize = 24;

/// A form whose lower bound may become a constraint; `fixed`: only with the bound that it comes with.
pub(super) struct Template {
    pub(super) expr: LinExpr,
    pub(super) fixed: bool,
    /// Whether it is kept even where it follows from the rest.
    pub(super) lasts: Lasts,
}

/// Which bounds are kept even where they follow from the rest: `s <= 1 <= end` gives `s <= end`, which holds when `s <= 1` is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lasts {
    /// None.
    Not,
    /// That one place is not before another.
    InOrder,
    /// That one number is not above another, if it may be the same: a counter that has come to its end.
    WhereTheyMeet,
    /// That an index is below a capacity.
    Always,
    /// None, and it is not looked at where a stronger one of its form is kept: a counter's bound, moved on with the counter.
    Weaker,
}

impl Lasts {
    /// True of a form with this bound.
    pub(super) fn keeps(self, expr: &LinExpr) -> bool {
        match self {
            Lasts::Not | Lasts::Weaker => false,
            Lasts::Always => true,
            Lasts::InOrder => !expr.offset().is_positive(),
            Lasts::WhereTheyMeet => expr.offset().is_zero() && expr.terms().len() == 2,
        }
    }
}

/// What may become constraints of the merged state.
pub(super) struct Templates {
    /// Forms that were made from what the states say.
    pub(super) made: Vec<Template>,
    /// Variables whose bounds may stop at a number of the program.
    pub(super) stops: Vec<Var>,
    /// The ranges of types, to be left out where something stronger is known.
    pub(super) typed: Vec<Template>,
    /// What the states say.
    pub(super) known: Known,
}

pub(super) fn templates(
    slots: &[Slot],
    basis: &Basis,
    old: &State,
    new: &State,
    visits: u32,
    (integers, pointer_bits): (IntegerModel, u16),
) -> Templates {
    let young = visits < PATIENCE;
    let (left, right) = (inherited(old, slots, basis, 0, young), inherited(new, slots, basis, 1, young));
    let mut known = Known::new(&left.exprs, &right.exprs, left.whole && right.whole);
    known.doubt(composed(slots, basis));
    let fixed = |exprs: Vec<LinExpr>| exprs.into_iter().map(|expr| Template { expr, fixed: true, lasts: Lasts::Not });
    let mut made: Vec<Template> = fixed(left.exprs).collect();
    let mut stops = Vec::new();
    if young {
        shifted(slots, basis, &mut made);
        let weaker = |expr| Template { expr, fixed: true, lasts: Lasts::Weaker };
        made.extend(right.exprs.into_iter().map(weaker));
        loose(slots, basis, &known, &mut made);
        // What lasts comes before the same that does not.
        made.splice(0..0, below_capacities(slots, basis));
        proportional(slots, basis, &mut made);
        made.extend(rates(slots, basis, (old, new)));
    } else {
        weakened(slots, basis, &mut made);
        let sides = (basis.values(slots, 0), basis.values(slots, 1));
        let stops_now = visits < PATIENCE + STOPS;
        stops.extend(
            (0..basis.free.len())
                .filter(|at| stops_now && slots[basis.free[*at]].kind != SlotKind::Length)
                // Variables of two states have the same name by accident.
                .filter(|at| sides.0[*at] != sides.1[*at] || known.differs(&LinExpr::var(Var(*at as u32))))
                .map(|at| Var(at as u32)),
        );
    }
    Templates { made: distinct(made), stops, typed: distinct(typed(slots, basis, integers, pointer_bits)), known }
}

/// The variables that stand for sums of a state's own variables: what a state says of those it does not say of the sum.
fn composed(slots: &[Slot], basis: &Basis) -> impl Iterator<Item = Var> {
    let is_sum = |slot: &usize| {
        let (left, right) = &slots[*slot].sides;
        left.terms().len() > 1 || right.terms().len() > 1
    };
    basis.free.iter().enumerate().filter(move |(_, slot)| is_sum(slot)).map(|(at, _)| Var(at as u32))
}

/// Octagonal forms of the free slots and differences of places, of what is not the same in both states.
fn loose(slots: &[Slot], basis: &Basis, known: &Known, found: &mut Vec<Template>) {
    let free: Vec<LinExpr> = (0..basis.free.len()).map(|index| LinExpr::var(Var(index as u32))).collect();
    let mut seen: FxHashSet<LinExpr> = FxHashSet::default();
    let mut loose = |expr: LinExpr, lasts: Lasts| {
        let expr = LinExpr::new(expr.terms().iter().cloned(), Rat::ZERO);
        if !expr.is_constant() && seen.insert(expr.clone()) {
            seen.insert(expr.negated());
            found.push(Template { expr: expr.negated(), fixed: false, lasts });
            found.push(Template { expr, fixed: false, lasts });
        }
    };
    // Where both states have the same the bounds are those that they have already.
    let sides = (basis.values(slots, 0), basis.values(slots, 1));
    let moves = |expr: &LinExpr| applied(expr, &sides.0) != applied(expr, &sides.1);
    free.iter().filter(|expr| moves(expr) || known.differs(expr)).cloned().for_each(|expr| loose(expr, Lasts::Not));
    let places = slots
        .iter()
        .zip(&basis.exprs)
        .filter(|(slot, _)| matches!(slot.kind, SlotKind::Offset | SlotKind::Size | SlotKind::CellOffset))
        .map(|(_, expr)| expr.clone());
    let shares = |first: &LinExpr, second: &LinExpr| {
        let common = |values: &[LinExpr]| {
            let other = applied(second, values);
            applied(first, values).terms().iter().any(|(var, _)| !other.coefficient(*var).is_zero())
        };
        common(&sides.0) || common(&sides.1)
    };
    // A place that was another one until now (`for (s = b; ...; s++)`) may be before what that is before.
    let values = |expr: &LinExpr| [applied(expr, &sides.0), applied(expr, &sides.1)];
    for (first, second) in pairs(places, &moves, &shares, (known, Some(&values))) {
        loose(second.minus(&first), Lasts::InOrder);
    }
    // A number that is a multiple of its variable is compared itself: `cap - len` where `cap` is `2 * v + 1`.
    let numbers = free.iter().zip(&basis.free).zip(&basis.scale).map(|((var, slot), (factor, _))| {
        let counts = matches!(slots[*slot].kind, SlotKind::Register(_) | SlotKind::Content(_) | SlotKind::Length);
        if counts { var.scaled(factor) } else { var.clone() }
    });
    for (first, second) in pairs(numbers, &moves, &shares, (known, None::<&fn(&LinExpr) -> [LinExpr; 2]>)) {
        loose(first.minus(&second), Lasts::WhereTheyMeet);
        loose(first.plus(&second), Lasts::Not);
        // A counter that went by twos so far may go by ones soon: how far it is from another one is said of itself, not of its half.
        let (own, other) = (counted(slots, basis, &first), counted(slots, basis, &second));
        if own.is_some() || other.is_some() {
            loose(own.unwrap_or(first).minus(&other.unwrap_or(second)), Lasts::WhereTheyMeet);
        }
    }
}

/// Capacities, and numbers that may be below them, at most.
const MAX_CAPACITIES: usize = 3;
const MAX_INDICES: usize = 12;

/// That numbers are below a capacity, or have come to it: one that the size of an object is a multiple of, as what has grown is `cap * sizeof *p` bytes large. How far they are below it
/// changes in each round.
fn below_capacities(slots: &[Slot], basis: &Basis) -> Vec<Template> {
    let is_number = |slot: &Slot| matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_));
    let numbers = || {
        let all = slots.iter().zip(&basis.exprs).filter(|(slot, _)| is_number(slot));
        all.map(|(_, expr)| expr).filter(|expr| !expr.is_constant())
    };
    let sizes = slots.iter().zip(&basis.exprs).filter(|(slot, _)| slot.kind == SlotKind::Size);
    let mut capacities: Vec<&LinExpr> = Vec::new();
    for (_, size) in sizes.filter(|(_, size)| !size.is_constant()) {
        let is_multiple = |number: &&LinExpr| {
            let ([(own, many), ..], [(same, one), ..]) = (size.terms(), number.terms()) else { return false };
            let factor = many / one;
            own == same && factor.is_integer() && factor > Rat::ONE && number.scaled(&factor) == *size
        };
        if let Some(capacity) = numbers().find(is_multiple).filter(|capacity| !capacities.contains(capacity)) {
            capacities.push(capacity);
        }
    }
    let mut found = Vec::new();
    for capacity in capacities.into_iter().take(MAX_CAPACITIES) {
        for index in numbers().filter(|number| *number != capacity).take(MAX_INDICES) {
            let rest = capacity.minus(index);
            for expr in [rest.plus_constant(&Rat::MINUS_ONE), rest] {
                found.push(Template { expr, fixed: true, lasts: Lasts::Always });
            }
        }
    }
    found
}

/// The number of which a variable is a part, if that is no place.
fn counted(slots: &[Slot], basis: &Basis, part: &LinExpr) -> Option<LinExpr> {
    let [(var, _)] = part.terms() else { return None };
    let number = |slot: &Slot| matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_) | SlotKind::Length);
    let slot = *basis.free.get(var.index())?;
    (number(&slots[slot]) && basis.scale[var.index()].0 != Rat::ONE).then(|| basis.exprs[slot].clone())
}

/// Pairs of slots of which one is a multiple of the other in one of the states, at most.
const MAX_PROPORTIONAL: usize = 40;

/// Where one of the states has just made a number a multiple of another one (`cap = 2 * used`), how far they are from that in both.
fn proportional(slots: &[Slot], basis: &Basis, found: &mut Vec<Template>) {
    let numbers: Vec<usize> = (0..slots.len())
        .filter(|at| matches!(slots[*at].kind, SlotKind::Register(_) | SlotKind::Content(_) | SlotKind::Length))
        .collect();
    let mut seen: FxHashSet<LinExpr> = FxHashSet::default();
    for (first, second) in numbers.iter().flat_map(|first| numbers.iter().map(move |second| (*first, *second))) {
        let (a, b) = (&slots[first].sides, &slots[second].sides);
        let Some(factor) = multiple(&a.0, &b.0).or_else(|| multiple(&a.1, &b.1)) else { continue };
        let form = basis.exprs[second].add_scaled(&-&factor, &basis.exprs[first]);
        let form = LinExpr::new(form.terms().iter().cloned(), Rat::ZERO);
        if form.is_constant() || seen.len() >= MAX_PROPORTIONAL || !seen.insert(form.clone()) {
            continue;
        }
        found.push(Template { expr: form.negated(), fixed: false, lasts: Lasts::Not });
        found.push(Template { expr: form, fixed: false, lasts: Lasts::Not });
    }
}

/// How many times the first expression the second one is, constants apart, if that is more than once.
fn multiple(first: &LinExpr, second: &LinExpr) -> Option<Rat> {
    let ([(var, one)], [(other, many)]) = (first.terms(), second.terms()) else { return None };
    let factor = many / one;
    (var == other && factor.is_integer() && factor > Rat::ONE).then_some(factor)
}

/// Pairs of different expressions, at least one of which moves; the other one does as well, or has to do with it: a state compares them, or makes both
/// of the same variable, or one compares what the first was in it.
fn pairs(
    all: impl Iterator<Item = LinExpr>,
    moves: &impl Fn(&LinExpr) -> bool,
    shares: &impl Fn(&LinExpr, &LinExpr) -> bool,
    (known, values): (&Known, Option<&impl Fn(&LinExpr) -> [LinExpr; 2]>),
) -> Vec<(LinExpr, LinExpr)> {
    let mut seen: FxHashSet<LinExpr> = FxHashSet::default();
    let all: Vec<LinExpr> = all.filter(|expr| seen.insert(expr.clone())).collect();
    let moving: Vec<usize> = (0..all.len()).filter(|at| moves(&all[*at])).take(MAX_PAIRED).collect();
    let values: Vec<[LinExpr; 2]> = values.map(|values| all.iter().map(values).collect()).unwrap_or_default();
    let mut found = Vec::new();
    for first in &moving {
        let begins =
            |at: &usize| at != first && (0..2).any(|side| values[*at][side].terms() == values[*first][side].terms());
        let starts: Vec<usize> = (0..values.len()).filter(begins).collect();
        let beside = |other: &usize| match moving.contains(other) {
            true => other > first,
            false => {
                let (first, other) = (&all[*first], &all[*other]);
                let is_related = || starts.iter().any(|start| known.related(&all[*start], other));
                let is_beside = known.related(first, other) || shares(first, other) || is_related();
                other.is_constant() || known.differs(other) || is_beside
            }
        };
        found.extend((0..all.len()).filter(beside).map(|other| (all[*first].clone(), all[other].clone())));
    }
    found
}

/// Without those that are there twice.
fn distinct(mut found: Vec<Template>) -> Vec<Template> {
    let mut seen: FxHashSet<(LinExpr, bool)> = FxHashSet::default();
    found.retain(|template| seen.insert((template.expr.clone(), template.fixed)));
    found
}

/// The ranges of types, and that sizes are not negative and not beyond what an allocator gives.
fn typed(slots: &[Slot], basis: &Basis, integers: IntegerModel, pointer_bits: u16) -> Vec<Template> {
    let greatest = (integers == IntegerModel::Machine).then(|| (1i128 << (pointer_bits - 1)) - 1);
    let mut found = Vec::new();
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        if slot.kind == SlotKind::Size && pointer_bits == 64 {
            let most = LinExpr::constant(MOST_BYTES as i64).minus(expr);
            found.push(Template { expr: most, fixed: true, lasts: Lasts::Not });
        }
        let range = match slot.kind {
            SlotKind::Size => Some((0, greatest)),
            SlotKind::Length => Some((0, None)),
            SlotKind::Register(1) => Some((0, Some(1))),
            SlotKind::Register(width) | SlotKind::Content(width)
                if integers == IntegerModel::Machine && (2..=64).contains(&width) =>
            {
                Some((-(1i128 << (width - 1)), Some((1i128 << (width - 1)) - 1)))
            }
            SlotKind::Offset if integers == IntegerModel::Machine => {
                Some((i128::from(i64::MIN), Some(i128::from(i64::MAX))))
            }
            SlotKind::Given
            | SlotKind::Register(_)
            | SlotKind::Content(_)
            | SlotKind::Offset
            | SlotKind::CellOffset => None,
        };
        let Some((low, high)) = range else { continue };
        let constant = |number: i128| LinExpr::constant(i64::try_from(number).map_or(Rat::ZERO, Rat::from));
        found.push(Template { expr: expr.minus(&constant(low)), fixed: true, lasts: Lasts::Not });
        if let Some(high) = high {
            found.push(Template { expr: constant(high).minus(expr), fixed: true, lasts: Lasts::Not });
        }
    }
    found
}

/// The constraints of a state over the new variables.
struct Inherited {
    /// Not negative.
    exprs: Vec<LinExpr>,
    /// True if that is all that the state says.
    whole: bool,
}

/// The constraints that a state has, over the new variables where its own stand in slots; `projects`: also what follows for
/// those where others do not.
fn inherited(state: &State, slots: &[Slot], basis: &Basis, side: usize, projects: bool) -> Inherited {
    let image = images(slots, basis, side);
    let (exprs, whole) = match projects {
        true => project(&state.knowledge.constraints, |var| image.contains_key(&var)),
        false => {
            let constraints = state.knowledge.constraints.iter();
            let both = constraints.flat_map(|known| {
                let negated = (known.rel == Rel::Eq).then(|| known.expr.negated());
                [Some(known.expr.clone()), negated].into_iter().flatten()
            });
            (both.collect(), false)
        }
    };
    Inherited { exprs: exprs.iter().filter_map(|expr| rewritten(expr, &image)).collect(), whole }
}

/// Forms made from others at most.
const MAX_SHIFTED: usize = 120;

/// The older state's constraints corrected by what the newer state changed: where a slot was a function of others and has moved away from
/// it by a constant, a multiple of that difference makes up for what a constraint has lost (`n ≤ size` with `p = 0` becomes
/// `n + p ≤ size` after `n--, p++`).
fn shifted(slots: &[Slot], basis: &Basis, found: &mut Vec<Template>) {
    let image = images(slots, basis, 0);
    let values: Vec<LinExpr> = basis.values(slots, 1);
    let old: Vec<LinExpr> = basis.values(slots, 0);
    let mut moved: Vec<(LinExpr, Rat)> = Vec::new();
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let Some(own) = rewritten(&slot.sides.0, &image) else { continue };
        let difference = expr.minus(&own);
        let now = applied(&difference, &values);
        if !difference.is_constant() && now.is_constant() && !now.offset().is_zero() {
            moved.push((difference, now.offset().clone()));
        }
    }
    let mut made = Vec::new();
    for template in found.iter().filter(|template| template.fixed) {
        let change = applied(&template.expr, &values).minus(&applied(&template.expr, &old));
        if !change.is_constant() || change.offset().is_zero() {
            continue;
        }
        for (difference, step) in &moved {
            let factor = change.offset() / step;
            if factor.is_integer() && made.len() < MAX_SHIFTED {
                made.push(Template {
                    expr: template.expr.add_scaled(&-&factor, difference),
                    fixed: true,
                    lasts: Lasts::Not,
                });
            }
        }
    }
    found.extend(made);
}

/// The value of a form over the new variables in one of the states.
pub(super) fn applied(form: &LinExpr, values: &[LinExpr]) -> LinExpr {
    let start = LinExpr::constant(form.offset().clone());
    form.terms().iter().fold(start, |sum, (var, factor)| sum.add_scaled(factor, &values[var.index()]))
}

/// What each variable of a state is over the new variables, if a slot holds it, or a sum of it and others that slots hold.
fn images(slots: &[Slot], basis: &Basis, side: usize) -> FxHashMap<Var, LinExpr> {
    let mut found: FxHashMap<Var, LinExpr> = FxHashMap::default();
    let mut sums: Vec<(&LinExpr, &LinExpr)> = Vec::new();
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let own = if side == 0 { &slot.sides.0 } else { &slot.sides.1 };
        if own.terms().len() > 1 {
            sums.push((own, expr));
        }
        note_image(&mut found, own, expr);
    }
    // Of a sum all but one part of which have images the last part has one as well: how far a place is from another one.
    for (own, expr) in sums {
        note_image(&mut found, own, expr);
    }
    found
}

/// The image of the one variable of a slot that has none yet: `own = factor·var + rest`, hence `var = (slot - rest) / factor`.
fn note_image(found: &mut FxHashMap<Var, LinExpr>, own: &LinExpr, expr: &LinExpr) {
    let mut open = own.terms().iter().filter(|(var, _)| !found.contains_key(var));
    let (Some((var, factor)), None) = (open.next(), open.next()) else { return };
    let Some(inverse) = factor.recip() else { return };
    let mut image = expr.plus_constant(&-own.offset());
    for (part, factor) in own.terms().iter().filter(|(part, _)| part != var) {
        let Some(known) = found.get(part) else { return };
        image = image.add_scaled(&-factor, known);
    }
    let image = image.scaled(&inverse);
    if image.offset().is_integer() && image.terms().iter().all(|(_, factor)| factor.is_integer()) {
        found.insert(*var, image);
    }
}

fn rewritten(expr: &LinExpr, image: &FxHashMap<Var, LinExpr>) -> Option<LinExpr> {
    let mut sum = LinExpr::constant(expr.offset().clone());
    for (var, factor) in expr.terms() {
        sum = sum.add_scaled(factor, image.get(var)?);
    }
    Some(sum)
}

/// The equalities of the older state between slots, as two inequalities each.
fn weakened(slots: &[Slot], basis: &Basis, found: &mut Vec<Template>) {
    let image = images(slots, basis, 0);
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let Some(own) = rewritten(&slot.sides.0, &image) else { continue };
        let difference = expr.minus(&own);
        if !difference.is_constant() {
            found.push(Template { expr: difference.negated(), fixed: true, lasts: Lasts::Not });
            found.push(Template { expr: difference, fixed: true, lasts: Lasts::Not });
        }
    }
}
