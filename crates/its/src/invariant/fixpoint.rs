//! The fixpoint iteration over template bounds.

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted, IdVec};
use belay_linear::{LinExpr, NumberDomain, Optimum, Rat, Simplex};

use crate::evidence::{CellId, Linearised};
use crate::poly::Poly;
use crate::preprocess::{Block, Work};
use crate::system::{Atom, Sign};

/// A lower bound for each form, `None` for minus infinity; no state at all if unreachable.
pub(super) type LowerBounds = Option<Vec<Option<Rat>>>;

/// Visits of a cell before its falling bounds are widened.
const VISITS_BEFORE_WIDENING: u32 = 2;
/// Visits of a cell before widening goes straight to minus infinity.
const VISITS_WITH_THRESHOLDS: u32 = 8;
const NARROWING_ROUNDS: usize = 2;

pub(super) struct Fixpoint<'a> {
    work: &'a Work,
    forms: &'a [LinExpr],
    thresholds: Vec<Vec<Rat>>,
    visits: IdVec<CellId, u32>,
    pub states: IdVec<CellId, LowerBounds>,
}

impl<'a> Fixpoint<'a> {
    pub fn new(work: &'a Work, forms: &'a [LinExpr]) -> Self {
        let thresholds = forms.iter().map(|form| thresholds(work, form)).collect();
        let cells = work.cells.len();
        let mut fixpoint =
            Fixpoint { work, forms, thresholds, visits: IdVec::filled(0, cells), states: IdVec::filled(None, cells) };
        fixpoint.states = fixpoint.initial();
        fixpoint
    }

    /// All states at the start; nowhere else any. (The region of a start cell is in its blocks' guards.)
    fn initial(&self) -> IdVec<CellId, LowerBounds> {
        let anything = vec![None; self.forms.len()];
        let state = |at_start: bool| {
            if at_start { Some(anything.clone()) } else { None }
        };
        self.work.cells.iter().map(|cell| state(cell.location == self.work.start)).collect()
    }

    /// Iterates with widening until nothing changes.
    pub fn ascend(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let reached = self.states.iter_enumerated().filter(|(_, state)| state.is_some());
        let mut open: BTreeSet<CellId> = reached.map(|(cell, _)| cell).collect();
        while let Some(cell) = open.pop_first() {
            for block in self.work.blocks.iter().filter(|block| block.from == cell) {
                let target = self.states[block.to].clone();
                let Some(post) = self.post(block, &target, budget)? else {
                    continue;
                };
                let joined = join(&target, post);
                if Some(&joined) == target.as_ref() {
                    continue;
                }
                self.visits[block.to] += 1;
                self.states[block.to] = Some(self.widen(block.to, &target, joined));
                open.insert(block.to);
            }
        }
        Ok(())
    }

    /// Applies all blocks to all states at once, a few times.
    pub fn descend(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        for _ in 0..NARROWING_ROUNDS {
            let mut next = self.initial();
            for block in &self.work.blocks {
                if let Some(post) = self.post(block, &next[block.to], budget)? {
                    next[block.to] = Some(join(&next[block.to], post));
                }
            }
            if next == self.states {
                break;
            }
            self.states = next;
        }
        Ok(())
    }

    /// The bounds after a block; forms that `target` leaves unbounded are not computed.
    fn post(&self, block: &Block, target: &LowerBounds, budget: &Budget) -> Result<LowerBounds, Exhausted> {
        let Some(bounds) = &self.states[block.from] else {
            return Ok(None);
        };
        let known = self.forms.iter().zip(bounds).filter_map(|(form, bound)| {
            let bound: &Rat = bound.as_ref()?;
            let expr = form.plus_constant(&-bound);
            Some(Atom::non_negative(Poly::from(&expr)))
        });
        let inherited = self.work.cells[block.from].inherited.iter();
        let premises: Vec<Atom> = known.chain(inherited.chain(&block.guard).cloned()).collect();
        let mut linearised = Linearised::new(block.width(), &premises, &block.update);
        let mut simplex = Simplex::new(NumberDomain::Integer);
        for constraint in linearised.constraints.drain(..) {
            simplex.assert(constraint);
        }
        if simplex.refute_relaxation(budget)?.is_some() {
            return Ok(None);
        }
        let mut post = Vec::with_capacity(self.forms.len());
        for (index, form) in self.forms.iter().enumerate() {
            let needed = target.as_ref().is_none_or(|target| target[index].is_some());
            if !needed {
                post.push(None);
                continue;
            }
            let after = Poly::from(form).substitute(|var| block.update[var.index()].clone());
            match simplex.minimise(&linearised.linear(&after), budget)? {
                Optimum::Value { value, reached: _ } => post.push(Some(value.ceil())),
                Optimum::Unbounded => post.push(None),
                Optimum::Infeasible(_) => return Ok(None),
            }
        }
        Ok(Some(post))
    }

    fn widen(&self, cell: CellId, old: &LowerBounds, new: Vec<Option<Rat>>) -> Vec<Option<Rat>> {
        let visits = self.visits[cell];
        let Some(old) = old.as_ref().filter(|_| visits > VISITS_BEFORE_WIDENING) else {
            return new;
        };
        let widened = new.into_iter().zip(old).enumerate().map(|(index, (new, old))| {
            if new == *old {
                return new;
            }
            let below = self.thresholds[index].iter().filter(|t| new.as_ref().is_some_and(|n| *t <= n));
            below.max().filter(|_| visits <= VISITS_WITH_THRESHOLDS).cloned()
        });
        widened.collect()
    }
}

fn join(target: &LowerBounds, post: Vec<Option<Rat>>) -> Vec<Option<Rat>> {
    match target {
        None => post,
        Some(target) => {
            target.iter().zip(post).map(|(old, new)| old.clone().zip(new).map(|(old, new)| old.min(new))).collect()
        }
    }
}

/// The constants that guards compare the form with, and their neighbours; small numbers.
fn thresholds(work: &Work, form: &LinExpr) -> Vec<Rat> {
    let mut values: BTreeSet<Rat> = [-1, 0, 1].map(Rat::from).into();
    for atom in work.blocks.iter().flat_map(|block| &block.guard) {
        let Some(expr) = atom.poly.to_linear() else {
            continue;
        };
        let mut sides = vec![expr.clone(), expr.negated()];
        if atom.sign == Sign::NonNegative {
            sides.push(expr.negated().plus_constant(&Rat::MINUS_ONE));
        }
        for side in sides {
            let limit = -side.offset();
            if side.plus_constant(&limit) == *form {
                values.extend([&limit - &Rat::ONE, limit.clone(), &limit + &Rat::ONE]);
            }
        }
    }
    values.into_iter().collect()
}
