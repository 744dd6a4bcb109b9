//! Lexicographic and nested linear ranking functions.
//!
//! *Idea.* Per strongly connected component (symbolic execution graphs paper, section 5; Alias, Darte,
//! Feautrier, Gonnord, SAS 2010): find linear functions that no block increases and some block strictly
//! decreases from a non-negative value; remove such blocks; repeat on what is left. Functions are found
//! by Farkas' lemma on the exact simplex (`synthesis`).
//!
//! *Our difference.* A step may use a nested tuple of functions (Leike and Heizmann 2014; Ben-Amram and
//! Genaim, "On multiphase-linear ranking functions", CAV 2017) for some blocks while the others merely
//! do not increase any of them, so that multiphase loops can be parts of a lexicographic argument.
//!
//! *Where it gives up.* If no block of a component can be made strict with functions up to the given
//! depth. Farkas' lemma is complete over the rationals, not over the integers.

mod guards;
mod size_change;
mod synthesis;

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted, IdVec};
use belay_linear::LinExpr;

use crate::evidence::{CellId, Edge, Premises, RankingStep, TransitionInvariant};
use crate::graph::components;
use crate::preprocess::{Block, Work};
use crate::system::Atom;
use synthesis::{Ranked, Synthesis};

/// The invariants that the search may use.
pub(crate) type Invariants = IdVec<CellId, Vec<Atom>>;

/// How far the ranking of a system has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub steps: Vec<RankingStep>,
    pub transition_invariants: Vec<TransitionInvariant>,
    /// The blocks that are not removed yet, by position.
    pub left: Vec<usize>,
}

impl Progress {
    /// Nothing removed yet.
    pub fn new(work: &Work) -> Progress {
        Progress { left: (0..work.blocks.len()).collect(), ..Progress::default() }
    }

    /// The components that still have a cycle.
    pub fn open_components(&self, work: &Work) -> Vec<(BTreeSet<CellId>, Vec<usize>)> {
        let blocks: Vec<&Block> = self.left.iter().map(|index| &work.blocks[*index]).collect();
        let to_global = |local: Vec<usize>| local.into_iter().map(|i| self.left[i]).collect();
        components(&blocks).into_iter().map(|(cells, local)| (cells, to_global(local))).collect()
    }

    /// Removes blocks that the invariants contradict: they need no ranking.
    pub fn drop_infeasible(&mut self, work: &Work, invariants: &Invariants, budget: &Budget) -> Result<(), Exhausted> {
        let mut left = Vec::new();
        for position in std::mem::take(&mut self.left) {
            let block = &work.blocks[position];
            let premises = [invariants[block.from].as_slice(), &block.guard].concat();
            if !Premises::new(block.width(), &premises, &[]).contradictory(budget)? {
                left.push(position);
            }
        }
        self.left = left;
        Ok(())
    }

    /// Removes blocks as long as functions of at most `depth` are found. True if no cycle is left.
    pub fn advance(
        &mut self,
        work: &Work,
        invariants: &Invariants,
        depth: usize,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        loop {
            let open = self.open_components(work);
            if open.is_empty() {
                return Ok(true);
            }
            let mut improved = false;
            for (cells, blocks) in open {
                improved |= self.rank_component(work, invariants, (&cells, &blocks), depth, budget)?;
            }
            if !improved {
                return Ok(false);
            }
        }
    }

    /// Looks for a transition invariant of each component. True if no cycle is left.
    pub fn relate(&mut self, work: &Work, invariants: &Invariants, budget: &Budget) -> Result<bool, Exhausted> {
        let open = self.open_components(work);
        let mut covered = true;
        for (cells, positions) in open {
            let blocks: Vec<&Block> = positions.iter().map(|index| &work.blocks[*index]).collect();
            match size_change::search(&cells, &blocks, invariants, budget)? {
                Some(found) => {
                    self.transition_invariants.push(found);
                    self.left.retain(|position| !positions.contains(position));
                }
                None => covered = false,
            }
        }
        Ok(covered)
    }

    fn rank_component(
        &mut self,
        work: &Work,
        invariants: &Invariants,
        (cells, positions): (&BTreeSet<CellId>, &[usize]),
        depth: usize,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let blocks: Vec<&Block> = positions.iter().map(|index| &work.blocks[*index]).collect();
        let synthesis = Synthesis::new(work.vars, cells, &blocks, invariants);
        for depth in 1..=depth {
            let guessed = match depth {
                1 if guards::is_large(&blocks, invariants) => guards::search(work.vars, cells, &blocks, invariants),
                _ => None,
            };
            let found = if guessed.is_some() { guessed } else { synthesis.search(depth, budget)? };
            let Some(Ranked { functions, strict }) = found else {
                continue;
            };
            let edges = strict.iter().map(|local| edge(blocks[*local])).collect();
            self.steps.push(RankingStep { functions: by_cell(cells, functions), strict: edges });
            let removed: BTreeSet<usize> = strict.iter().map(|local| positions[*local]).collect();
            self.left.retain(|position| !removed.contains(position));
            return Ok(true);
        }
        Ok(false)
    }
}

fn by_cell(cells: &BTreeSet<CellId>, functions: Vec<Vec<LinExpr>>) -> BTreeMap<CellId, Vec<LinExpr>> {
    cells.iter().copied().zip(functions).collect()
}

fn edge(block: &Block) -> Edge {
    Edge { path: block.path.clone(), from: block.from, to: block.to }
}
