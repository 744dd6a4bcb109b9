//! Chaining: locations without a self-loop are removed by composing what enters with what leaves.
//!
//! A location goes if that adds few blocks; unreachable ones and those that lead nowhere go with
//! their blocks. Composed guards without a solution are dropped. Large blocks between loop heads are
//! what ranking functions and invariants are most precise on; the limit keeps bodies with many
//! branches from being multiplied out.

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted, IdVec};

use super::{Block, Observed};
use crate::evidence::{CellId, Premises};
use crate::system::Its;

/// Removing a location may leave this many more blocks than before.
const MAX_GROWTH: usize = 2;

/// The blocks of `its` after chaining; cells are numbered as locations. Those of `observed` stay.
pub(super) fn chain(its: &Its, observed: &Observed, budget: &Budget) -> Result<Vec<Block>, Exhausted> {
    let transitions = its.transitions.iter_enumerated();
    let single = transitions.filter_map(|(id, t)| Block::new(its.vars.len(), id, t));
    let mut blocks = Vec::new();
    for block in single {
        if feasible(&block, budget)? {
            blocks.push(block);
        }
    }
    let start = CellId(its.start.0);
    let mut kept: BTreeSet<CellId> = observed.keys().map(|location| CellId(location.0)).collect();
    kept.insert(start);
    while let Some(cell) = next_to_remove(its, &blocks, &kept) {
        budget.spend(1)?;
        match without(&blocks, cell, budget)? {
            Some(fewer) => blocks = fewer,
            None => drop(kept.insert(cell)),
        }
    }
    Ok(reachable(blocks, start))
}

/// How many blocks enter, leave and loop at a cell.
#[derive(Clone, Copy, Default)]
struct Degree {
    entering: usize,
    leaving: usize,
    looping: bool,
}

fn next_to_remove(its: &Its, blocks: &[Block], kept: &BTreeSet<CellId>) -> Option<CellId> {
    let mut degrees = IdVec::<CellId, Degree>::filled(Degree::default(), its.locations.len());
    for block in blocks {
        degrees[block.from].leaving += 1;
        degrees[block.to].entering += 1;
        degrees[block.from].looping |= block.from == block.to;
    }
    let cost = |(cell, degree): (CellId, &Degree)| {
        let Degree { entering, leaving, looping } = *degree;
        let removable = entering + leaving > 0 && !kept.contains(&cell) && !looping;
        let grown = entering * leaving;
        (removable && grown <= entering + leaving + MAX_GROWTH).then_some((grown, cell))
    };
    degrees.iter_enumerated().filter_map(cost).min().map(|(_, cell)| cell)
}

/// The blocks that some path from the start reaches.
fn reachable(blocks: Vec<Block>, start: CellId) -> Vec<Block> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(cell) = open.pop() {
        let leaving = blocks.iter().filter(|block| block.from == cell);
        open.extend(leaving.map(|block| block.to).filter(|to| seen.insert(*to)));
    }
    blocks.into_iter().filter(|block| seen.contains(&block.from)).collect()
}

/// The blocks with `cell` removed; `None` if composing makes a block too large.
fn without(blocks: &[Block], cell: CellId, budget: &Budget) -> Result<Option<Vec<Block>>, Exhausted> {
    let apart = |block: &&Block| block.from != cell && block.to != cell;
    let mut kept: Vec<Block> = blocks.iter().filter(apart).cloned().collect();
    for first in blocks.iter().filter(|block| block.to == cell) {
        for second in blocks.iter().filter(|block| block.from == cell) {
            // Composing is work too, in proportion to what is composed.
            budget.spend((first.guard.len() + second.guard.len() + first.vars()) as u64)?;
            let Some(block) = first.then(second) else {
                continue;
            };
            if block.is_unwieldy() {
                return Ok(None);
            }
            if feasible(&block, budget)? && !kept.contains(&block) {
                kept.push(block);
            }
        }
    }
    Ok(Some(kept))
}

fn feasible(block: &Block, budget: &Budget) -> Result<bool, Exhausted> {
    Ok(!Premises::new(block.width(), &block.guard, &[]).contradictory(budget)?)
}
