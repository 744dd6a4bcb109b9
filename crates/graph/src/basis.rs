//! The slots of two states over common variables: the equalities of the merged state.
//!
//! A slot whose values have a common *stride* in both states (an offset in an array of integers) is that many times its variable, plus a constant.

use belay_linear::{Constraint, LinExpr, Rat, Rel, Var};
use rustc_hash::FxHashMap;

use super::hull::{Hull, hull};
use super::pairing::{Slot, SlotKind};

/// The slots over the variables of the merged state.
pub(super) struct Basis {
    pub(super) exprs: Vec<LinExpr>,
    /// The slot behind each variable.
    pub(super) free: Vec<usize>,
    /// What each variable's slot is: a multiple of it plus a constant.
    pub(super) scale: Vec<(Rat, Rat)>,
    /// Relations whose coefficients are not integers when solved for a slot.
    pub(super) equations: Vec<Constraint>,
}

impl Basis {
    pub(super) fn new(slots: &[Slot]) -> Basis {
        let mut order: Vec<usize> = (0..slots.len()).collect();
        let rank = |slot: &Slot| match slot.kind {
            SlotKind::Given | SlotKind::Register(_) => 0,
            SlotKind::Content(_) | SlotKind::Length => 1,
            SlotKind::Offset => 2,
            SlotKind::CellOffset => 3,
            SlotKind::Size => 4,
        };
        order.sort_by_key(|slot| (rank(&slots[*slot]), *slot));
        let (first, class) = classes(slots, &order);
        let left: Vec<LinExpr> = first.iter().map(|slot| slots[*slot].sides.0.clone()).collect();
        let right: Vec<LinExpr> = first.iter().map(|slot| slots[*slot].sides.1.clone()).collect();
        let Hull { free, exprs } = hull(&left, &right);
        let mut free: Vec<usize> = free.into_iter().map(|at| first[at]).collect();
        let mut exprs: Vec<LinExpr> = class.iter().map(|at| exprs[*at].clone()).collect();
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

    pub(super) fn translate(&self, expr: &LinExpr) -> LinExpr {
        let start = LinExpr::constant(expr.offset().clone());
        let slot = |var: Var| self.exprs.get(var.index()).cloned().unwrap_or_default();
        expr.terms().iter().fold(start, |sum, (var, factor)| sum.add_scaled(factor, &slot(*var)))
    }

    /// The new variables' values in one of the states.
    pub(super) fn values(&self, slots: &[Slot], side: usize) -> Vec<LinExpr> {
        let value = |(slot, (stride, rest)): (&usize, &(Rat, Rat))| {
            let own = if side == 0 { &slots[*slot].sides.0 } else { &slots[*slot].sides.1 };
            own.plus_constant(&-rest).scaled(&stride.recip().unwrap_or(Rat::ONE))
        };
        self.free.iter().zip(&self.scale).map(value).collect()
    }

    pub(super) fn names(&self, slots: &[Slot]) -> Vec<String> {
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

    pub(super) fn strides(&self) -> Vec<&Rat> {
        self.scale.iter().map(|(factor, _)| factor).collect()
    }
}

/// Slots that are the same in both states are one: the first of each in the given order, and which of those each slot is.
fn classes(slots: &[Slot], order: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut known: FxHashMap<&(LinExpr, LinExpr), usize> = FxHashMap::default();
    let (mut first, mut class) = (Vec::new(), vec![0; slots.len()]);
    for slot in order {
        class[*slot] = *known.entry(&slots[*slot].sides).or_insert_with(|| {
            first.push(*slot);
            first.len() - 1
        });
    }
    (first, class)
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
