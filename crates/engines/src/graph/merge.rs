//! Generalisation: the least state we can express that represents two (Def. 7 and the strategy after it).
//!
//! *Idea.* What both states have becomes slots ([`super::pairing`]); the equalities are those of the affine hull
//! ([`super::hull`]); the inequalities are bounds of templates, found by linear optimisation over each state: octagonal
//! forms of the free slots, differences of offsets and sizes, and the constraints that the older state has.
//!
//! A slot whose values have a common *stride* in both states (an offset in an array of integers) is that many times its variable, plus a constant.
//!
//! *Why it stops.* The frames are fixed; values, objects and cells are only ever lost; with those fixed the dimension of the
//! hull only grows, at most to the number of slots, and with that fixed each stride is only replaced by a divisor of it.
//! So all three change finitely often. While they stay as they are, after [`PATIENCE`] merges at a place no new bound is made up: a
//! constraint stays or goes, and every chain of merges is finite.

use belay_base::{Budget, Exhausted};
use belay_ir::{IntegerModel, Program};
use belay_logic::simplex::{Constraint, Domain, LinExpr, Optimum, Rat, Rel, Simplex, Var};
use belay_semantics::symbolic::State;

use super::hull::{Hull, hull};
use super::pairing::{Paired, Slot, SlotKind, pair};
use super::project::project;

/// Merges at one place that may make up new bounds.
pub const PATIENCE: u32 = 3;
/// Free slots beyond which pairs of them are not looked at.
const MAX_PAIRED: usize = 24;

/// A state that represents both, and how often the place has been merged since its shape last changed. `visits`: the same for
/// the older state.
pub fn merge(
    program: &Program,
    integers: IntegerModel,
    old: &State,
    new: &State,
    visits: u32,
    budget: &Budget,
) -> Result<(State, u32), Exhausted> {
    let Paired { mut state, slots } = pair(program, old, new);
    let basis = Basis::new(&slots);
    let before = Basis::new(&pair(program, old, old).slots);
    let changed = before.exprs.len() != slots.len()
        || before.free.len() != basis.free.len()
        || before.strides() != basis.strides();
    let visits = if changed { 0 } else { visits + 1 };
    let mut sides = [Side::new(old, &slots, &basis, 0), Side::new(new, &slots, &basis, 1)];
    let mut accepted = Simplex::new(Domain::Integer);
    let mut kept: Vec<Constraint> = basis.equations.clone();
    basis.equations.iter().for_each(|equation| accepted.assert(equation.clone()));
    for template in templates(&slots, &basis, old, new, visits, integers) {
        let Some(bound) = lower_bound(&mut sides, &template.expr, budget)? else { continue };
        if template.fixed && (&bound + template.expr.offset()).is_negative() {
            continue;
        }
        let offset = if template.fixed { template.expr.offset().clone() } else { -&bound };
        let expr = LinExpr::new(template.expr.terms().iter().cloned(), offset);
        if expr.is_constant() || implied(&mut accepted, &expr, budget)? {
            continue;
        }
        accepted.assert(Constraint::ge(expr.clone()));
        kept.push(Constraint::ge(expr));
    }
    state.for_each_expr_mut(|expr| *expr = basis.translate(expr));
    state.knowledge.constraints = kept;
    state.names = basis.names(&slots);
    state.next_var = state.names.len() as u32;
    state.origin = Vec::new();
    Ok((state, visits))
}

/// True if `expr ≥ 0` follows already.
fn implied(accepted: &mut Simplex, expr: &LinExpr, budget: &Budget) -> Result<bool, Exhausted> {
    Ok(match accepted.minimise(expr, budget)? {
        Optimum::Infeasible(_) => true,
        Optimum::Unbounded => false,
        Optimum::Value { value, .. } => !value.ceil().is_negative(),
    })
}

/// The slots over the variables of the merged state.
struct Basis {
    exprs: Vec<LinExpr>,
    /// The slot behind each variable.
    free: Vec<usize>,
    /// What each variable's slot is: a multiple of it plus a constant.
    scale: Vec<(Rat, Rat)>,
    /// Relations whose coefficients are not integers when solved for a slot.
    equations: Vec<Constraint>,
}

impl Basis {
    fn new(slots: &[Slot]) -> Basis {
        let left: Vec<LinExpr> = slots.iter().map(|slot| slot.sides.0.clone()).collect();
        let right: Vec<LinExpr> = slots.iter().map(|slot| slot.sides.1.clone()).collect();
        let mut order: Vec<usize> = (0..slots.len()).collect();
        let rank = |slot: &Slot| match slot.kind {
            SlotKind::Register(_) => 0,
            SlotKind::Content(_) => 1,
            SlotKind::Offset => 2,
            SlotKind::CellOffset => 3,
            SlotKind::Size => 4,
        };
        order.sort_by_key(|slot| (rank(&slots[*slot]), *slot));
        let Hull { mut free, mut exprs } = hull(&left, &right, &order);
        let mut scale: Vec<(Rat, Rat)> = free.iter().map(|slot| stride(&slots[*slot])).collect();
        exprs.iter_mut().for_each(|expr| *expr = restrided(expr, &scale));
        let mut equations = Vec::new();
        for (slot, expr) in exprs.iter_mut().enumerate() {
            let whole = expr.offset().is_integer() && expr.terms().iter().all(|(_, factor)| factor.is_integer());
            if whole {
                continue;
            }
            let var = LinExpr::var(Var(free.len() as u32));
            free.push(slot);
            scale.push((Rat::ONE, Rat::ZERO));
            equations.push(Constraint { expr: cleared(&expr.minus(&var)), rel: Rel::Eq });
            *expr = var;
        }
        Basis { exprs, free, scale, equations }
    }

    fn translate(&self, expr: &LinExpr) -> LinExpr {
        let start = LinExpr::constant(expr.offset().clone());
        let slot = |var: Var| self.exprs.get(var.index()).cloned().unwrap_or_default();
        expr.terms().iter().fold(start, |sum, (var, factor)| sum.add_scaled(factor, &slot(*var)))
    }

    /// The new variables' values in one of the states.
    fn values(&self, slots: &[Slot], side: usize) -> Vec<LinExpr> {
        let value = |(slot, (stride, rest)): (&usize, &(Rat, Rat))| {
            let own = if side == 0 { &slots[*slot].sides.0 } else { &slots[*slot].sides.1 };
            own.plus_constant(&-rest).scaled(&stride.recip().unwrap_or(Rat::ONE))
        };
        self.free.iter().zip(&self.scale).map(value).collect()
    }

    fn names(&self, slots: &[Slot]) -> Vec<String> {
        let name = |(slot, (factor, offset)): (&usize, &(Rat, Rat))| {
            let name = &slots[*slot].name;
            match (factor.is_one(), offset.is_zero()) {
                (true, _) => name.clone(),
                (false, true) => format!("({name}/{factor})"),
                (false, false) => format!("(({name}-{offset})/{factor})"),
            }
        };
        self.free.iter().zip(&self.scale).map(name).collect()
    }

    fn strides(&self) -> Vec<&Rat> {
        self.scale.iter().map(|(factor, _)| factor).collect()
    }
}

/// The greatest number that divides all differences between values of a slot, and the rest that they leave.
fn stride(slot: &Slot) -> (Rat, Rat) {
    let (left, right) = &slot.sides;
    let step = right.offset() - left.offset();
    let factors = left.terms().iter().chain(right.terms()).map(|(_, factor)| factor).chain([&step]);
    let mut divisor = Rat::ZERO;
    for factor in factors {
        if !factor.is_integer() {
            return (Rat::ONE, Rat::ZERO);
        }
        divisor = divisor.gcd(factor);
    }
    match divisor.recip() {
        Some(inverse) if !divisor.is_one() => {
            let whole = (left.offset() * &inverse).floor();
            let rest = left.offset() - &(&whole * &divisor);
            (divisor, rest)
        }
        Some(_) | None => (Rat::ONE, Rat::ZERO),
    }
}

/// Each variable replaced by its multiple plus its constant.
fn restrided(expr: &LinExpr, scale: &[(Rat, Rat)]) -> LinExpr {
    let mut sum = LinExpr::constant(expr.offset().clone());
    for (var, factor) in expr.terms() {
        let (stride, rest) = &scale[var.index()];
        let image = LinExpr::var(*var).scaled(stride).plus_constant(rest);
        sum = sum.add_scaled(factor, &image);
    }
    sum
}

/// Without fractions.
fn cleared(expr: &LinExpr) -> LinExpr {
    let factors = expr.terms().iter().map(|(_, factor)| factor).chain([expr.offset()]);
    let scale = factors.fold(Rat::ONE, |scale, factor| &scale * &(&scale * factor).denominator());
    expr.scaled(&scale)
}

/// One of the two states, to be optimised over.
struct Side {
    simplex: Simplex,
    values: Vec<LinExpr>,
}

impl Side {
    fn new(state: &State, slots: &[Slot], basis: &Basis, side: usize) -> Side {
        let mut simplex = Simplex::new(Domain::Integer);
        state.knowledge.constraints.iter().for_each(|constraint| simplex.assert(constraint.clone()));
        Side { simplex, values: basis.values(slots, side) }
    }

    /// The least value of the template without its constant.
    fn least(&mut self, template: &LinExpr, budget: &Budget) -> Result<Least, Exhausted> {
        let form = LinExpr::new(template.terms().iter().cloned(), Rat::ZERO);
        let objective = applied(&form, &self.values);
        if objective.is_constant() {
            return Ok(Least::At(objective.offset().clone()));
        }
        Ok(match self.simplex.minimise(&objective, budget)? {
            Optimum::Infeasible(_) => Least::NoState,
            Optimum::Unbounded => Least::Unbounded,
            Optimum::Value { value, .. } => Least::At(value.ceil()),
        })
    }
}

/// The least value of a form over a state.
enum Least {
    NoState,
    Unbounded,
    At(Rat),
}

fn lower_bound(sides: &mut [Side; 2], template: &LinExpr, budget: &Budget) -> Result<Option<Rat>, Exhausted> {
    let [left, right] = sides;
    Ok(match (left.least(template, budget)?, right.least(template, budget)?) {
        (Least::Unbounded, _) | (_, Least::Unbounded) | (Least::NoState, Least::NoState) => None,
        (Least::At(bound), Least::NoState) | (Least::NoState, Least::At(bound)) => Some(bound),
        (Least::At(left), Least::At(right)) => Some(left.min(right)),
    })
}

/// A form whose lower bound may become a constraint; `fixed`: only with the bound that it comes with.
struct Template {
    expr: LinExpr,
    fixed: bool,
}

fn templates(
    slots: &[Slot],
    basis: &Basis,
    old: &State,
    new: &State,
    visits: u32,
    integers: IntegerModel,
) -> Vec<Template> {
    let mut found = Vec::new();
    inherited(old, slots, basis, 0, visits < PATIENCE, &mut found);
    if visits >= PATIENCE {
        weakened(slots, basis, &mut found);
        typed(slots, basis, integers, &mut found);
        return found;
    }
    shifted(slots, basis, &mut found);
    inherited(new, slots, basis, 1, true, &mut found);
    let free: Vec<LinExpr> = (0..basis.free.len()).map(|index| LinExpr::var(Var(index as u32))).collect();
    let mut loose = |expr: LinExpr| {
        if !expr.is_constant() {
            let expr = LinExpr::new(expr.terms().iter().cloned(), Rat::ZERO);
            found.push(Template { expr: expr.negated(), fixed: false });
            found.push(Template { expr, fixed: false });
        }
    };
    free.iter().cloned().for_each(&mut loose);
    let places: Vec<&LinExpr> = slots
        .iter()
        .zip(&basis.exprs)
        .filter(|(slot, _)| matches!(slot.kind, SlotKind::Offset | SlotKind::Size | SlotKind::CellOffset))
        .map(|(_, expr)| expr)
        .collect();
    for (at, first) in places.iter().enumerate().take(MAX_PAIRED) {
        for second in places.iter().skip(at + 1).take(MAX_PAIRED) {
            loose(second.minus(first));
        }
    }
    for (at, first) in free.iter().enumerate().take(MAX_PAIRED) {
        for second in free.iter().skip(at + 1).take(MAX_PAIRED) {
            loose(first.minus(second));
            loose(first.plus(second));
        }
    }
    // Last, so that they are left out where something stronger is known.
    typed(slots, basis, integers, &mut found);
    found
}

/// The ranges of types, and that sizes are not negative.
fn typed(slots: &[Slot], basis: &Basis, integers: IntegerModel, found: &mut Vec<Template>) {
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let range = match slot.kind {
            SlotKind::Size => Some((0, None)),
            SlotKind::Register(1) => Some((0, Some(1))),
            SlotKind::Register(width) | SlotKind::Content(width)
                if integers == IntegerModel::Machine && (2..=64).contains(&width) =>
            {
                Some((-(1i128 << (width - 1)), Some((1i128 << (width - 1)) - 1)))
            }
            SlotKind::Offset if integers == IntegerModel::Machine => {
                Some((i128::from(i64::MIN), Some(i128::from(i64::MAX))))
            }
            SlotKind::Register(_) | SlotKind::Content(_) | SlotKind::Offset | SlotKind::CellOffset => None,
        };
        let Some((low, high)) = range else { continue };
        let constant = |number: i128| LinExpr::constant(i64::try_from(number).map_or(Rat::ZERO, Rat::from));
        found.push(Template { expr: expr.minus(&constant(low)), fixed: true });
        if let Some(high) = high {
            found.push(Template { expr: constant(high).minus(expr), fixed: true });
        }
    }
}

/// The constraints that a state has, over the new variables where its own stand in slots; `projects`: also what follows for
/// those where others do not.
fn inherited(state: &State, slots: &[Slot], basis: &Basis, side: usize, projects: bool, found: &mut Vec<Template>) {
    let image = images(slots, basis, side);
    if projects {
        let keeps = |var: Var| image.iter().any(|(known, _)| *known == var);
        let exprs = project(&state.knowledge.constraints, keeps);
        found
            .extend(exprs.iter().filter_map(|expr| rewritten(expr, &image)).map(|expr| Template { expr, fixed: true }));
        return;
    }
    for constraint in &state.knowledge.constraints {
        let Some(expr) = rewritten(&constraint.expr, &image) else { continue };
        found.push(Template { expr: expr.clone(), fixed: true });
        if constraint.rel == Rel::Eq {
            found.push(Template { expr: expr.negated(), fixed: true });
        }
    }
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
                made.push(Template { expr: template.expr.add_scaled(&-&factor, difference), fixed: true });
            }
        }
    }
    found.extend(made);
}

/// The value of a form over the new variables in one of the states.
fn applied(form: &LinExpr, values: &[LinExpr]) -> LinExpr {
    let start = LinExpr::constant(form.offset().clone());
    form.terms().iter().fold(start, |sum, (var, factor)| sum.add_scaled(factor, &values[var.index()]))
}

/// What each variable of a state is over the new variables, if a slot holds it.
fn images(slots: &[Slot], basis: &Basis, side: usize) -> Vec<(Var, LinExpr)> {
    let mut found: Vec<(Var, LinExpr)> = Vec::new();
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let own = if side == 0 { &slot.sides.0 } else { &slot.sides.1 };
        let [(var, factor)] = own.terms() else { continue };
        if found.iter().any(|(known, _)| known == var) {
            continue;
        }
        // own = factor·var + c, hence var = (slot - c) / factor.
        let Some(inverse) = factor.recip() else { continue };
        let image = expr.plus_constant(&-own.offset()).scaled(&inverse);
        if image.offset().is_integer() && image.terms().iter().all(|(_, factor)| factor.is_integer()) {
            found.push((*var, image));
        }
    }
    found
}

fn rewritten(expr: &LinExpr, image: &[(Var, LinExpr)]) -> Option<LinExpr> {
    let mut sum = LinExpr::constant(expr.offset().clone());
    for (var, factor) in expr.terms() {
        let (_, value) = image.iter().find(|(known, _)| known == var)?;
        sum = sum.add_scaled(factor, value);
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
            found.push(Template { expr: difference.negated(), fixed: true });
            found.push(Template { expr: difference, fixed: true });
        }
    }
}
