//! Closed sets: conjunctions that a cycle, or all blocks of a component, cannot leave.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};
use belay_linear::{Rat, Var};

use super::stem::Stem;
use crate::evidence::{CellId, Premises};
use crate::poly::Poly;
use crate::preprocess::{Block, Rounded, round_atom};
use crate::ranking::Invariants;
use crate::system::{Atom, Sign, VarExt};

/// A candidate: sets of states, and the (deterministic) blocks that stay inside.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    pub states: BTreeMap<CellId, Vec<Atom>>,
    pub moves: Vec<Block>,
    /// A run into the set, if one is known already.
    pub stem: Option<Stem>,
}

/// How often a set is strengthened before it is given up.
const MAX_ROUNDS: usize = 6;
const MAX_ATOMS: usize = 24;

/// What is added for an atom `a` that the update `u` does not keep.
#[derive(Clone, Copy, Debug)]
enum Strengthening {
    /// `a` holds after the update too.
    Next,
    /// The left-hand side of `a` does not fall: `a∘u - a ≥ 0`.
    Rising,
    /// The left-hand side of `a` stays the same.
    Constant,
}

/// Closed sets of one deterministic cycle.
pub(super) fn of_cycle(cycle: Block, invariants: &Invariants, budget: &Budget) -> Result<Vec<Closed>, Exhausted> {
    let mut found = Vec::new();
    let invariant = &invariants[cycle.from];
    let with_invariant = [cycle.guard.as_slice(), invariant].concat();
    let starts = if invariant.is_empty() { vec![] } else { vec![with_invariant] };
    for start in std::iter::once(cycle.guard.clone()).chain(starts) {
        for kind in [Strengthening::Next, Strengthening::Rising, Strengthening::Constant] {
            if let Some(states) = strengthen(&cycle, start.clone(), kind, budget)? {
                let states = BTreeMap::from([(cycle.from, states)]);
                found.push(Closed { states, moves: vec![cycle.clone()], stem: None });
            }
        }
    }
    let fixpoint: Vec<Atom> = [cycle.guard.as_slice(), &unchanged(&cycle)].concat();
    found.push(Closed { states: BTreeMap::from([(cycle.from, fixpoint)]), moves: vec![cycle], stem: None });
    Ok(found)
}

/// The states that the block does not change.
fn unchanged(cycle: &Block) -> Vec<Atom> {
    let updates = cycle.update.iter().enumerate();
    let same = updates.map(|(index, value)| Atom::equal(value, &Poly::var(Var::new(index))));
    same.filter(|atom| atom.poly != Poly::default()).collect()
}

/// Adds atoms to `states` until the cycle keeps all of them.
fn strengthen(
    cycle: &Block,
    mut states: Vec<Atom>,
    kind: Strengthening,
    budget: &Budget,
) -> Result<Option<Vec<Atom>>, Exhausted> {
    for _ in 0..MAX_ROUNDS {
        let goals: Vec<Atom> = states.iter().map(|atom| cycle.after(atom)).collect();
        let hints: Vec<Poly> = goals.iter().map(|goal| goal.poly.clone()).collect();
        let mut premises = Premises::new(cycle.vars(), &states, &hints);
        if premises.contradictory(budget)? {
            return Ok(None);
        }
        let mut added = Vec::new();
        for (atom, goal) in states.iter().zip(&goals) {
            if premises.entail(goal, budget)? {
                continue;
            }
            match round_atom(addition(atom, goal, kind)) {
                Rounded::Atom(new) if new.poly.is_unwieldy() => return Ok(None),
                Rounded::Atom(new) => added.push(new),
                Rounded::True => return Ok(None),
                Rounded::False => return Ok(None),
            }
        }
        if added.is_empty() {
            return Ok(Some(states));
        }
        states.extend(added);
        if states.len() > MAX_ATOMS {
            return Ok(None);
        }
    }
    Ok(None)
}

fn addition(atom: &Atom, goal: &Atom, kind: Strengthening) -> Atom {
    let change = goal.poly.minus(&atom.poly);
    match (kind, atom.sign) {
        (Strengthening::Next, _) => goal.clone(),
        (Strengthening::Rising, Sign::NonNegative) => Atom::non_negative(change),
        (Strengthening::Constant, _) | (Strengthening::Rising, Sign::Zero) => Atom::zero(change),
    }
}

/// A set that all given blocks keep to, made of the invariants and the guards' common atoms. Blocks that
/// may leave it are no moves.
pub(super) fn of_component(
    cells: &BTreeSet<CellId>,
    mut moves: Vec<Block>,
    invariants: &Invariants,
    budget: &Budget,
) -> Result<Option<Closed>, Exhausted> {
    let state = |cell: &CellId| {
        let common = common_atoms(&moves, *cell);
        (*cell, [invariants[*cell].as_slice(), &common].concat())
    };
    let states: BTreeMap<CellId, Vec<Atom>> = cells.iter().map(state).collect();
    let mut kept = Vec::new();
    for block in moves.drain(..) {
        if stays(&block, &states, budget)? {
            kept.push(block);
        }
    }
    let moving = |cell: &CellId| kept.iter().any(|block| block.from == *cell);
    if !cells.iter().all(moving) {
        return Ok(None);
    }
    Ok(Some(Closed { states, moves: kept, stem: None }))
}

/// The greatest set that all blocks keep to among those made of the invariants and single atoms of the guards: what only some guards say may
/// still hold for ever. An atom that some block of its cell excludes is none: that block would be no move.
pub(super) fn find_kept_by_component(
    cells: &BTreeSet<CellId>,
    moves: Vec<Block>,
    invariants: &Invariants,
    budget: &Budget,
) -> Result<Option<Closed>, Exhausted> {
    let mut states: BTreeMap<CellId, Vec<Atom>> = BTreeMap::new();
    for cell in cells {
        let mut atoms = invariants[*cell].clone();
        for atom in guard_atoms(&moves, *cell) {
            if !atoms.contains(&atom) && atoms.len() < MAX_ATOMS && agrees(&atom, &moves, *cell, budget)? {
                atoms.push(atom);
            }
        }
        states.insert(*cell, atoms);
    }
    loop {
        let before: usize = states.values().map(Vec::len).sum();
        for block in &moves {
            let goals: Vec<Atom> = states[&block.to].iter().map(|atom| block.after(atom)).collect();
            let hints: Vec<Poly> = goals.iter().map(|goal| goal.poly.clone()).collect();
            let premises = [states[&block.from].as_slice(), &block.guard].concat();
            let mut premises = Premises::new(block.vars(), &premises, &hints);
            let mut kept = Vec::new();
            for (atom, goal) in states[&block.to].iter().zip(&goals) {
                if premises.entail(goal, budget)? {
                    kept.push(atom.clone());
                }
            }
            states.insert(block.to, kept);
        }
        if states.values().map(Vec::len).sum::<usize>() == before {
            return Ok(Some(Closed { states, moves, stem: None }));
        }
    }
}

/// The inequalities that guards of a cell's blocks consist of, each also one weaker.
fn guard_atoms(moves: &[Block], cell: CellId) -> Vec<Atom> {
    let mut found = Vec::new();
    for atom in moves.iter().filter(|block| block.from == cell).flat_map(|block| &block.guard) {
        let both = match atom.sign {
            Sign::NonNegative => vec![atom.poly.clone()],
            Sign::Zero => vec![atom.poly.clone(), atom.poly.scaled(&Rat::MINUS_ONE)],
        };
        for poly in both {
            let weaker = poly.plus(&Poly::constant(1));
            found.extend([Atom::non_negative(poly), Atom::non_negative(weaker)]);
        }
    }
    found
}

fn agrees(atom: &Atom, moves: &[Block], cell: CellId, budget: &Budget) -> Result<bool, Exhausted> {
    for block in moves.iter().filter(|block| block.from == cell) {
        let premises = [block.guard.as_slice(), std::slice::from_ref(atom)].concat();
        if Premises::new(block.vars(), &premises, &[]).contradictory(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn stays(block: &Block, states: &BTreeMap<CellId, Vec<Atom>>, budget: &Budget) -> Result<bool, Exhausted> {
    let goals: Vec<Atom> = states[&block.to].iter().map(|atom| block.after(atom)).collect();
    let hints: Vec<Poly> = goals.iter().map(|goal| goal.poly.clone()).collect();
    let premises = [states[&block.from].as_slice(), &block.guard].concat();
    let mut premises = Premises::new(block.vars(), &premises, &hints);
    for goal in &goals {
        if !premises.entail(goal, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the guards of all blocks that leave the cell agree on; of inequalities that differ by a
/// constant, the weakest.
fn common_atoms(blocks: &[Block], cell: CellId) -> Vec<Atom> {
    let mut guards = blocks.iter().filter(|block| block.from == cell).map(|block| &block.guard);
    let Some(first) = guards.next() else {
        return Vec::new();
    };
    let mut common = first.clone();
    for guard in guards {
        common = common.iter().filter_map(|atom| weaker(atom, guard)).collect();
    }
    common
}

fn weaker(atom: &Atom, guard: &[Atom]) -> Option<Atom> {
    guard.iter().filter(|other| other.sign == atom.sign).find_map(|other| {
        let distance: Rat = other.poly.distance(&atom.poly)?;
        match atom.sign {
            Sign::NonNegative if distance.is_positive() => Some(other.clone()),
            Sign::NonNegative => Some(atom.clone()),
            Sign::Zero => distance.is_zero().then(|| atom.clone()),
        }
    })
}
