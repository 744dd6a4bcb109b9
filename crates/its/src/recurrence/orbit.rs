//! Orbits: runs that come back to the very same state.
//!
//! From concrete states at the end of stems, blocks are executed with inputs fixed by a policy; a state
//! that occurs twice is a singleton recurrent set (2LS paper, section 6.3), whose one move is the whole
//! way round. The simplest evidence there is, and the only one found for loops that wander through many
//! branches.

use std::collections::BTreeMap;

use belay_base::{Budget, Exhausted};
use belay_linear::{Rat, Var};

use super::closure::Closed;
use super::policy;
use super::stem::{self, Stem, Stems};
use crate::evidence::CellId;
use crate::poly::Poly;
use crate::preprocess::{Block, Work};
use crate::system::{Atom, Its, TransId, VarExt};

/// Stems that are followed, and blocks that are executed after each.
const MAX_STEMS: usize = 40;
const MAX_STEPS: usize = 1000;

type OrbitState = (CellId, Vec<Rat>);

/// Sets of one state that runs come back to, preferably along `blocks`.
pub(super) fn repetitions(
    its: &Its,
    work: &Work,
    blocks: &[&Block],
    stems: &Stems<'_>,
    budget: &Budget,
) -> Result<Vec<Closed>, Exhausted> {
    let fixed: Vec<Block> = blocks.iter().flat_map(|block| policy::all_fixings(block)).collect();
    let mut found = Vec::new();
    for index in 0..MAX_STEMS {
        let Some(prefix) = stems.prefix(index, budget)? else {
            break;
        };
        if !blocks.iter().any(|block| block.from == prefix.to) {
            continue;
        }
        let Some((initial, steps)) = stem::model(its, &prefix, &[], budget)? else {
            continue;
        };
        let arrive = |state: Vec<Rat>, (id, extras): &(TransId, Vec<Rat>)| its.transitions[*id].step(&state, extras);
        let Some(state) = steps.iter().try_fold(initial.clone(), arrive) else {
            continue;
        };
        if let Some(mut closed) = follow(its, work, &fixed, (prefix.to, state), budget)? {
            let lead = closed.stem.take().map(|(_, lead)| lead).unwrap_or_default();
            closed.stem = Some((initial, [steps, lead].concat()));
            found.push(closed);
            break;
        }
    }
    Ok(found)
}

/// Executes blocks, the first possible one each time, until a state recurs. The set's stem starts here.
fn follow(
    its: &Its,
    work: &Work,
    fixed: &[Block],
    start: OrbitState,
    budget: &Budget,
) -> Result<Option<Closed>, Exhausted> {
    let mut seen: BTreeMap<OrbitState, usize> = BTreeMap::new();
    let mut taken: Vec<(&Block, Vec<Rat>)> = Vec::new();
    let mut current = start.clone();
    while taken.len() < MAX_STEPS {
        budget.spend(10 * fixed.len() as u64)?;
        if let Some(first) = seen.insert(current.clone(), taken.len()) {
            let lead = taken[..first].iter().flat_map(|(block, at)| block.concrete(its, at, &[]));
            let stem = (start.1, lead.collect());
            return Ok(round_trip(work, &current, &taken[first..], stem));
        }
        let mut here = fixed.iter().filter(|block| block.from == current.0);
        let step = here.find_map(|block| Some((block, execute(block, &current.1)?)));
        let Some((block, next)) = step else {
            return Ok(None);
        };
        taken.push((block, current.1));
        current = (block.to, next);
        // Orbits that grow do not come back.
        if current.1.iter().any(|value| value.to_i64().is_none()) {
            return Ok(None);
        }
    }
    Ok(None)
}

fn execute(block: &Block, state: &[Rat]) -> Option<Vec<Rat>> {
    let value = |var: Var| state[var.index()].clone();
    let enabled = block.guard.iter().all(|atom| atom.holds(value));
    enabled.then(|| block.update.iter().map(|poly| poly.evaluate(value)).collect())
}

/// The set of this one state, and the way round as one block.
fn round_trip(work: &Work, (cell, state): &OrbitState, taken: &[(&Block, Vec<Rat>)], stem: Stem) -> Option<Closed> {
    let ((first, _), rest) = taken.split_first()?;
    let whole = rest.iter().try_fold((*first).clone(), |path, (block, _)| path.then(block))?;
    let values = state.iter().enumerate().filter(|(index, _)| work.relevant[*index]);
    let atoms = values.map(|(index, value)| Atom::equal(&Poly::var(Var::new(index)), &Poly::constant(value.clone())));
    let states = BTreeMap::from([(*cell, atoms.collect())]);
    Some(Closed { states, moves: vec![whole], stem: Some(stem) })
}
