//! Stems: concrete runs from the start into a set of states.
//!
//! Breadth-first over sequences of blocks, each composed to one block; a model of its guard and the
//! set after it gives initial values and inputs. Products are only guessed by the linear solver, so
//! the model is evaluated before it is believed, and variables in products are fixed one by one.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use belay_base::{Budget, Exhausted};
use belay_linear::{Answer, NumberDomain, Rat, Var, satisfiable};

use crate::evidence::{CellId, Linearised, Premises};
use crate::poly::Poly;
use crate::preprocess::{Block, Work};
use crate::system::{Atom, Its, TransId};

/// Sequences of blocks that are tried.
const MAX_PREFIXES: usize = 150;

/// Linear systems that are solved for one sequence.
const MAX_TRIES: usize = 24;

/// Initial values, and the transitions with their extra variables' values.
pub(super) type Stem = (Vec<Rat>, Vec<(TransId, Vec<Rat>)>);

/// The runs from the start, explored as far as some question needed it.
pub(super) struct Stems<'a> {
    work: &'a Work,
    prefixes: RefCell<Vec<Block>>,
    expanded: Cell<usize>,
}

impl<'a> Stems<'a> {
    pub fn new(work: &'a Work) -> Self {
        let cells = work.cells.iter_enumerated();
        let starts = cells.filter(|(_, cell)| cell.location == work.start);
        let prefixes = starts.map(|(cell, _)| Block::empty(cell, work.vars)).collect();
        Stems { work, prefixes: RefCell::new(prefixes), expanded: Cell::new(0) }
    }

    /// A run into `states`.
    pub fn reach(
        &self,
        its: &Its,
        states: &BTreeMap<CellId, Vec<Atom>>,
        budget: &Budget,
    ) -> Result<Option<Stem>, Exhausted> {
        for index in 0..MAX_PREFIXES {
            let Some(prefix) = self.prefix(index, budget)? else {
                break;
            };
            if let Some(target) = states.get(&prefix.to)
                && let Some(stem) = model(its, &prefix, target, budget)?
            {
                return Ok(Some(stem));
            }
        }
        Ok(None)
    }

    /// The `index`-th sequence of blocks, shortest first.
    pub fn prefix(&self, index: usize, budget: &Budget) -> Result<Option<Block>, Exhausted> {
        let mut prefixes = self.prefixes.borrow_mut();
        while prefixes.len() <= index && self.expanded.get() < prefixes.len() {
            let prefix = prefixes[self.expanded.get()].clone();
            self.expanded.set(self.expanded.get() + 1);
            for block in self.work.blocks.iter().filter(|block| block.from == prefix.to) {
                let Some(longer) = prefix.then(block) else {
                    continue;
                };
                if longer.is_unwieldy() {
                    continue;
                }
                let mut premises = Premises::new(longer.width(), &longer.guard, &[]);
                if !premises.contradictory(budget)? {
                    prefixes.push(longer);
                }
            }
        }
        Ok(prefixes.get(index).cloned())
    }
}

/// Values for a run along `prefix` into `target`.
pub(super) fn model(its: &Its, prefix: &Block, target: &[Atom], budget: &Budget) -> Result<Option<Stem>, Exhausted> {
    let arrived = target.iter().map(|atom| prefix.after(atom));
    let atoms: Vec<Atom> = prefix.guard.iter().cloned().chain(arrived).collect();
    let mut tries = MAX_TRIES;
    let Some(values) = solve(prefix.width(), &atoms, &mut tries, budget)? else {
        return Ok(None);
    };
    let (state, extras) = values.split_at(prefix.vars());
    Ok(Some((state.to_vec(), prefix.concrete(its, state, extras))))
}

/// Values that satisfy the atoms. A variable that occurs in products is fixed to the value that the
/// linear relaxation suggests or to a small number, which makes the products simpler.
fn solve(width: usize, atoms: &[Atom], tries: &mut usize, budget: &Budget) -> Result<Option<Vec<Rat>>, Exhausted> {
    if *tries == 0 {
        return Ok(None);
    }
    *tries -= 1;
    let linearised = Linearised::new(width, atoms, &[]);
    let mut values = match satisfiable(&linearised.constraints, NumberDomain::Integer, budget)? {
        Answer::Sat(values) => values,
        Answer::Unsat(_) | Answer::Unknown => return Ok(None),
    };
    values.resize(width.max(values.len()), Rat::ZERO);
    values.truncate(width);
    if atoms.iter().all(|atom| atom.holds(|var| values[var.index()].clone())) {
        return Ok(Some(values));
    }
    let products = atoms.iter().flat_map(|atom| atom.poly.terms());
    let mut products = products.map(|(monomial, _)| monomial).filter(|m| m.factors().len() > 1);
    let Some(var) = products.next().and_then(|m| m.factors().first().copied()) else {
        return Ok(None);
    };
    let guesses = [0, 1, -1, 2, -2, 4, -4, 10, -10, 100, -100].map(Rat::from);
    for guess in std::iter::once(values[var.index()].clone()).chain(guesses) {
        let fixed = Poly::constant(guess.clone());
        let image = |v: Var| {
            if v == var { fixed.clone() } else { Poly::var(v) }
        };
        let simpler: Vec<Atom> = atoms.iter().map(|atom| atom.substitute(image)).collect();
        if let Some(mut values) = solve(width, &simpler, tries, budget)? {
            values[var.index()] = guess;
            return Ok(Some(values));
        }
    }
    Ok(None)
}
