//! A sequence of transitions as one guarded update.

use belay_linear::{Rat, Var};

use super::simplify;
use crate::evidence::CellId;
use crate::poly::Poly;
use crate::system::{Atom, Its, TransId, Transition, VarExt};

/// A block of transitions. `Var(vars + j)` is its `j`-th extra variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Block {
    pub from: CellId,
    pub to: CellId,
    pub guard: Vec<Atom>,
    pub update: Vec<Poly>,
    pub extras: usize,
    /// The original transitions.
    pub path: Vec<TransId>,
    /// The original transitions' extra variables, in order, in terms of the block's variables.
    pub recover: Vec<Poly>,
}

impl Block {
    /// One transition, simplified; `None` if its guard is plainly false.
    pub fn new(vars: usize, id: TransId, transition: &Transition) -> Option<Block> {
        let extras = transition.extras as usize;
        let mut block = Block {
            from: CellId(transition.from.0),
            to: CellId(transition.to.0),
            guard: transition.guard.clone(),
            update: transition.update.clone(),
            extras,
            path: vec![id],
            recover: (0..extras).map(|j| Poly::var(Var::new(vars + j))).collect(),
        };
        simplify::simplify(&mut block).then_some(block)
    }

    /// No transition at all.
    pub fn empty(at: CellId, vars: usize) -> Block {
        Block {
            from: at,
            to: at,
            guard: Vec::new(),
            update: (0..vars).map(|index| Poly::var(Var::new(index))).collect(),
            extras: 0,
            path: Vec::new(),
            recover: Vec::new(),
        }
    }

    /// True if products have grown so far that composing further would take for ever.
    pub fn is_unwieldy(&self) -> bool {
        let guards = self.guard.iter().map(|atom| &atom.poly);
        guards.chain(&self.update).any(Poly::is_unwieldy)
    }

    /// How many program variables there are.
    pub fn vars(&self) -> usize {
        self.update.len()
    }

    /// How many variables the guard ranges over.
    pub fn width(&self) -> usize {
        self.update.len() + self.extras
    }

    /// `self`, then `next`; `None` if the guard is plainly false.
    pub fn then(&self, next: &Block) -> Option<Block> {
        let image = |var: Var| match self.update.get(var.index()) {
            Some(value) => value.clone(),
            None => Poly::var(Var::new(var.index() + self.extras)),
        };
        let guards = next.guard.iter().map(|atom| atom.substitute(image));
        let recover = next.recover.iter().map(|poly| poly.substitute(image));
        let mut block = Block {
            from: self.from,
            to: next.to,
            guard: self.guard.iter().cloned().chain(guards).collect(),
            update: next.update.iter().map(|poly| poly.substitute(image)).collect(),
            extras: self.extras + next.extras,
            path: [self.path.as_slice(), &next.path].concat(),
            recover: self.recover.iter().cloned().chain(recover).collect(),
        };
        simplify::simplify(&mut block).then_some(block)
    }

    /// The block where `atoms` hold as well; `None` if the guard is plainly false.
    pub fn restrict(&self, atoms: &[Atom]) -> Option<Block> {
        let mut block = self.clone();
        block.guard.extend_from_slice(atoms);
        simplify::simplify(&mut block).then_some(block)
    }

    /// `atom` over the values after the block.
    pub fn after(&self, atom: &Atom) -> Atom {
        atom.substitute(|var| self.update[var.index()].clone())
    }

    /// Replaces a variable everywhere.
    pub fn substitute(&mut self, var: Var, value: &Poly) {
        let image = |other: Var| {
            if other == var { value.clone() } else { Poly::var(other) }
        };
        let polys = self.guard.iter_mut().map(|atom| &mut atom.poly);
        for poly in polys.chain(&mut self.update).chain(&mut self.recover) {
            if poly.mentions(var) {
                *poly = poly.substitute(image);
            }
        }
    }

    /// The original transitions with their extra variables' values, for this state and these extras.
    pub fn concrete(&self, its: &Its, state: &[Rat], extras: &[Rat]) -> Vec<(TransId, Vec<Rat>)> {
        let value = |var: Var| match state.get(var.index()) {
            Some(value) => value.clone(),
            None => extras.get(var.index() - state.len()).cloned().unwrap_or_default(),
        };
        let mut values = self.recover.iter().map(|poly| poly.evaluate(value));
        let own = |id: &TransId| {
            let count = its.transitions[*id].extras as usize;
            (*id, values.by_ref().take(count).collect())
        };
        self.path.iter().map(own).collect()
    }
}
