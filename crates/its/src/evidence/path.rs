//! Paths between cut locations, enumerated and composed for the checkers.

use std::collections::BTreeSet;

use belay_base::Budget;
use belay_linear::Var;

use super::{Premises, Rejection};
use crate::poly::Poly;
use crate::system::{Atom, Its, LocId, Sign, TransId, VarExt};

const MAX_PATHS: usize = 20_000;

/// A sequence of transitions as one: `Var(n + j)` is the `j`-th extra variable of all of them.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub transitions: Vec<TransId>,
    pub from: LocId,
    pub to: LocId,
    pub guard: Vec<Atom>,
    pub update: Vec<Poly>,
    pub extras: usize,
}

impl Path {
    pub fn empty(its: &Its, at: LocId) -> Path {
        let update = (0..its.vars.len()).map(|index| Poly::var(Var::new(index))).collect();
        Path { transitions: Vec::new(), from: at, to: at, guard: Vec::new(), update, extras: 0 }
    }

    /// The path followed by a transition; `None` if that does not start where the path ends.
    pub fn then(&self, its: &Its, id: TransId) -> Option<Path> {
        let next = its.transitions.get(id).filter(|next| next.from == self.to)?;
        let image = |var: Var| match self.update.get(var.index()) {
            Some(value) => value.clone(),
            None => Poly::var(Var::new(var.index() + self.extras)),
        };
        let guards = next.guard.iter().map(|atom| atom.substitute(image));
        Some(Path {
            transitions: [self.transitions.as_slice(), &[id]].concat(),
            from: self.from,
            to: next.to,
            guard: self.guard.iter().cloned().chain(guards).collect(),
            update: next.update.iter().map(|poly| poly.substitute(image)).collect(),
            extras: self.extras + next.extras as usize,
        })
    }

    /// The path of these transitions, starting at the first one's source.
    pub fn of(its: &Its, transitions: &[TransId]) -> Option<Path> {
        let start = its.transitions.get(*transitions.first()?)?.from;
        transitions.iter().try_fold(Path::empty(its, start), |path, id| path.then(its, *id))
    }

    /// The path without the extra variables that an equality gives: `±e + p = 0`, where `p` does not mention `e`, has the one
    /// solution `e = ∓p`, which is an integer. What is left is easier to refute.
    fn eliminate(mut self) -> Path {
        while let Some((position, var, value)) = self.given_extra() {
            self.guard.swap_remove(position);
            let image = |other: Var| if other == var { value.clone() } else { Poly::var(other) };
            self.guard.iter_mut().for_each(|atom| *atom = atom.substitute(image));
            self.update.iter_mut().for_each(|poly| *poly = poly.substitute(image));
        }
        self
    }

    /// A linear equality of the guard, an extra variable that it gives, and the value.
    fn given_extra(&self) -> Option<(usize, Var, Poly)> {
        let equalities = self.guard.iter().enumerate();
        let equalities = equalities.filter(|(_, atom)| atom.sign == Sign::Zero && atom.poly.is_linear());
        for (position, atom) in equalities {
            let whole = atom.poly.terms().iter().all(|(_, a)| a.is_integer());
            let extra = atom.poly.vars().filter(|var| var.index() >= self.update.len());
            if let Some(var) = extra.filter(|var| atom.poly.coefficient(*var).abs().is_one()).max().filter(|_| whole) {
                let unit = atom.poly.coefficient(var);
                let rest = atom.poly.add_scaled(&-&unit, &Poly::var(var));
                return Some((position, var, rest.scaled(&-&unit)));
            }
        }
        None
    }

    /// `atom` over the values after the path.
    pub fn after(&self, atom: &Atom) -> Atom {
        atom.substitute(|var| self.update[var.index()].clone())
    }

    /// How many variables the guard ranges over.
    pub fn width(&self) -> usize {
        self.update.len() + self.extras
    }
}

/// All paths from a cut location to the next one that some values may take. Fails if a path avoids
/// the cuts for longer than any sensible certificate would let it.
pub(super) fn between_cuts(its: &Its, cuts: &BTreeSet<LocId>, budget: &Budget) -> Result<Vec<Path>, Rejection> {
    let longest = 3 * its.locations.len() + 10;
    let dead = find_never_taken(its, budget)?;
    let mut open: Vec<Path> = cuts.iter().map(|cut| Path::empty(its, *cut)).collect();
    let mut done = Vec::new();
    while let Some(path) = open.pop() {
        for (id, _) in its.outgoing(path.to).filter(|(id, _)| !dead.contains(id)) {
            let Some(longer) = path.then(its, id).map(Path::eliminate) else {
                continue;
            };
            if Premises::new(longer.width(), &longer.guard, &[]).contradictory(budget)? {
                continue;
            }
            match cuts.contains(&longer.to) {
                true => done.push(longer),
                false => open.push(longer),
            }
        }
        if path.transitions.len() > longest {
            return Err(Rejection::Uncut(path.to));
        }
        if done.len() + open.len() > MAX_PATHS {
            return Err(Rejection::TooManyPaths);
        }
    }
    Ok(done)
}

/// The transitions whose guards contradict themselves; shown before composition hides it.
fn find_never_taken(its: &Its, budget: &Budget) -> Result<BTreeSet<TransId>, Rejection> {
    let mut dead = BTreeSet::new();
    for (id, transition) in its.transitions.iter_enumerated() {
        let width = its.vars.len() + transition.extras as usize;
        if Premises::new(width, &transition.guard, &[]).contradictory(budget)? {
            dead.insert(id);
        }
    }
    Ok(dead)
}
