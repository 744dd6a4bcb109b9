//! Non-termination: recurrent sets.
//!
//! *Idea.* (2LS paper, section 6.3; Gupta, Henzinger, Majumdar, Rybalchenko, Xu, POPL 2008; closed recurrent
//! sets: Chen, Cook, Fuhs, Nimkar, O'Hearn, TACAS 2014.) Fix the inputs by a policy (`policy`), so that
//! blocks become deterministic; look for a conjunction that guarantees the guard and that the update
//! keeps (`closure`); look for a concrete run into it (`stem`). Fixpoints, arithmetic progressions
//! and growing sequences are all conjunctions that the closure finds by adding "what is compared does
//! not fall" to the guard.
//!
//! *Our difference.* First a whole component is tried, with its invariants and the condition that all
//! its blocks share: then no branch inside matters. Only then single cycles of up to three blocks.
//!
//! *Why sound.* Every set passes [`check_recurrence`] on the original system before it is returned.
//!
//! *Where it gives up.* Sets that are no conjunction, stems that take many rounds of earlier loops,
//! policies that are not listed.

mod closure;
mod orbit;
mod policy;
mod stem;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};

use crate::evidence::{CellId, Move, Premises, RecurrentSet, Rejection, check_recurrence};
use crate::preprocess::{Block, Component, Work};
use crate::ranking::Invariants;
use crate::system::{Atom, Its};
use closure::Closed;
use stem::Stems;

const MAX_CYCLE_BLOCKS: usize = 3;
const MAX_CYCLES: usize = 24;
/// Ways to choose the inputs of one block.
const MAX_MOVES: usize = 6;

/// Looks for a recurrent set in one of the components, if possible one that is accepted. The work must not be split into cells.
pub(crate) fn search(
    its: &Its,
    work: &Work,
    invariants: &Invariants,
    components: &[Component],
    (accepts, budget): (Option<&Accepts<'_>>, &Budget),
) -> Result<Option<RecurrentSet>, Exhausted> {
    let second_best = RefCell::new(None);
    let searcher = Searcher { its, work, invariants, stems: Stems::new(work), accepts, second_best, budget };
    let found = searcher.search(components)?;
    Ok(found.or_else(|| searcher.second_best.take()))
}

/// Which sets the asker can make use of.
pub(crate) type Accepts<'q> = dyn Fn(&RecurrentSet) -> bool + 'q;

struct Searcher<'a> {
    its: &'a Its,
    work: &'a Work,
    invariants: &'a Invariants,
    stems: Stems<'a>,
    accepts: Option<&'a Accepts<'a>>,
    /// The first set that was found and not accepted.
    second_best: RefCell<Option<RecurrentSet>>,
    budget: &'a Budget,
}

impl Searcher<'_> {
    fn search(&self, components: &[Component]) -> Result<Option<RecurrentSet>, Exhausted> {
        for (cells, blocks) in components {
            let blocks: Vec<&Block> = blocks.iter().map(|index| &self.work.blocks[*index]).collect();
            if let Some(closed) = self.closed_component(cells, &blocks)?
                && let Some(set) = self.confirm(closed)?
            {
                return Ok(Some(set));
            }
            if let Some(closed) = self.find_kept_by_component(cells, &blocks)?
                && let Some(set) = self.confirm(closed)?
            {
                return Ok(Some(set));
            }
            for closed in orbit::repetitions(self.its, self.work, &blocks, &self.stems, self.budget)? {
                if let Some(set) = self.confirm(closed)? {
                    return Ok(Some(set));
                }
            }
            for cycle in cycles(cells, &blocks) {
                if let Some(set) = self.closed_cycle(&cycle)? {
                    return Ok(Some(set));
                }
            }
        }
        Ok(None)
    }

    /// A set that a whole component stays in; a block with inputs is several moves.
    fn closed_component(&self, cells: &BTreeSet<CellId>, blocks: &[&Block]) -> Result<Option<Closed>, Exhausted> {
        let fixings = |block: &&Block| policy::all_fixings(block).into_iter().take(MAX_MOVES);
        let moves: Vec<Block> = blocks.iter().flat_map(fixings).collect();
        closure::of_component(cells, moves, self.invariants, self.budget)
    }

    /// The same with what only some of the blocks ask for.
    fn find_kept_by_component(&self, cells: &BTreeSet<CellId>, blocks: &[&Block]) -> Result<Option<Closed>, Exhausted> {
        let fixings = |block: &&Block| policy::all_fixings(block).into_iter().take(1);
        let moves: Vec<Block> = blocks.iter().flat_map(fixings).collect();
        if moves.len() > MAX_CYCLES {
            return Ok(None);
        }
        let moves = self.going_on(moves)?;
        closure::find_kept_by_component(cells, moves, self.invariants, self.budget)
    }

    /// The moves without those that no other can follow.
    fn going_on(&self, mut moves: Vec<Block>) -> Result<Vec<Block>, Exhausted> {
        loop {
            let mut kept = Vec::new();
            for block in &moves {
                let mut goes_on = false;
                for next in moves.iter().filter(|next| next.from == block.to) {
                    let Some(both) = block.then(next) else { continue };
                    let premises = [self.invariants[block.from].as_slice(), &both.guard].concat();
                    goes_on = !Premises::new(both.width(), &premises, &[]).contradictory(self.budget)?;
                    if goes_on {
                        break;
                    }
                }
                if goes_on {
                    kept.push(block.clone());
                }
            }
            if kept.len() == moves.len() {
                return Ok(moves);
            }
            moves = kept;
        }
    }

    fn closed_cycle(&self, cycle: &Block) -> Result<Option<RecurrentSet>, Exhausted> {
        for fixed in policy::all_fixings(cycle) {
            for closed in closure::of_cycle(fixed, self.invariants, self.budget)? {
                if let Some(set) = self.confirm(closed)? {
                    return Ok(Some(set));
                }
            }
        }
        Ok(None)
    }

    /// True if the invariants leave none of the states: no stem leads there.
    fn is_out_of_reach(&self, states: &BTreeMap<CellId, Vec<Atom>>) -> Result<bool, Exhausted> {
        for (cell, atoms) in states {
            let known = [self.invariants[*cell].as_slice(), atoms].concat();
            if !Premises::new(self.work.vars, &known, &[]).contradictory(self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds a stem into the set and checks the whole.
    fn confirm(&self, closed: Closed) -> Result<Option<RecurrentSet>, Exhausted> {
        let known = match closed.stem {
            Some(stem) => Some(stem),
            None if self.is_out_of_reach(&closed.states)? => None,
            None => self.stems.reach(self.its, &closed.states, self.budget)?,
        };
        let Some((initial, stem)) = known else {
            return Ok(None);
        };
        let location = |cell: CellId| self.work.cells[cell].location;
        let states: BTreeMap<_, Vec<Atom>> =
            closed.states.into_iter().map(|(cell, atoms)| (location(cell), atoms)).collect();
        let moves = closed.moves.into_iter();
        let moves = moves.map(|block| Move { path: block.path, choices: block.recover }).collect();
        let set = RecurrentSet { initial, stem, states, moves };
        match check_recurrence(self.its, &set, self.budget) {
            Ok(()) if self.accepts.is_none_or(|accepts| accepts(&set)) => Ok(Some(set)),
            Ok(()) => {
                self.second_best.borrow_mut().get_or_insert(set);
                Ok(None)
            }
            Err(Rejection::Exhausted(reason)) => Err(reason),
            Err(_) => Ok(None),
        }
    }
}

/// Cycles of few blocks, shortest first, each as one block.
fn cycles(cells: &BTreeSet<CellId>, blocks: &[&Block]) -> Vec<Block> {
    let mut found = Vec::new();
    for cell in cells {
        let mut paths: Vec<Block> =
            blocks.iter().filter(|block| block.from == *cell).map(|block| (*block).clone()).collect();
        for _ in 0..MAX_CYCLE_BLOCKS {
            found.extend(paths.iter().filter(|path| path.to == *cell).cloned());
            let longer = paths.iter().flat_map(|path| {
                let next = blocks.iter().filter(|block| block.from == path.to);
                next.filter_map(|block| path.then(block)).filter(|path| !path.is_unwieldy())
            });
            paths = longer.take(MAX_CYCLES).collect();
        }
    }
    found.sort_by_key(|cycle| cycle.path.len());
    found.truncate(MAX_CYCLES);
    found
}
