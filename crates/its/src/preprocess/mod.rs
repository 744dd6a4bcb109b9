//! From the system as given to a small one: large blocks between few locations, few variables.
//!
//! Chaining (`chain`), equality substitution (`simplify`) and slicing (`slice`) keep the set of
//! infinite runs between the locations that remain. Nothing here is trusted: the certificates speak
//! of the original transitions, which each block remembers.

mod block;
mod chain;
mod simplify;
mod slice;

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted, Id, IdVec};

use belay_linear::Var;

use crate::evidence::{CellId, Partition};
use crate::system::{Atom, Its, LocId};

pub(crate) use block::Block;
pub(crate) use simplify::{Rounded, round_atom};
pub(crate) use slice::relevant_variables;

/// A cell of the system being analysed.
#[derive(Clone, Debug)]
pub(crate) struct WorkCell {
    /// The location that it is a part of.
    pub location: LocId,
    /// What was known when blocks that contradict it were left out.
    pub inherited: Vec<Atom>,
}

/// A component with a cycle: its cells, and the positions of its blocks.
pub(crate) type Component = (BTreeSet<CellId>, Vec<usize>);

/// Locations whose states are of interest in themselves, and the variables that are.
pub(crate) type Observed = BTreeMap<LocId, Vec<Var>>;

/// The system being analysed: blocks between cells of the cut locations.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub vars: usize,
    pub start: LocId,
    pub partitions: BTreeMap<LocId, Partition>,
    pub cells: IdVec<CellId, WorkCell>,
    pub blocks: Vec<Block>,
    /// Which variables can affect a guard; only these may occur in certificates.
    pub relevant: Vec<bool>,
    /// What is of interest besides termination.
    pub observed: Observed,
}

impl Work {
    /// Preprocesses `its`, which must be well-formed.
    pub fn new(its: &Its, observed: &Observed, budget: &Budget) -> Result<Work, Exhausted> {
        let blocks = chain::chain(its, observed, budget)?;
        let mut work = Work {
            vars: its.vars.len(),
            start: its.start,
            partitions: BTreeMap::new(),
            cells: IdVec::new(),
            blocks,
            relevant: Vec::new(),
            observed: observed.clone(),
        };
        work.number_cells();
        work.relevant = slice::slice(&mut work.blocks, work.vars, observed);
        Ok(work)
    }

    /// The system with only some of its blocks, and what is left of these components.
    pub fn restrict(&self, components: &[Component], keep: impl Fn(&Block) -> bool) -> (Work, Vec<Component>) {
        let kept: Vec<usize> = (0..self.blocks.len()).filter(|index| keep(&self.blocks[*index])).collect();
        let blocks = kept.iter().map(|index| self.blocks[*index].clone()).collect();
        let position = |index: &usize| kept.binary_search(index).ok();
        let left = |(cells, blocks): &Component| (cells.clone(), blocks.iter().filter_map(position).collect());
        (Work { blocks, ..self.clone() }, components.iter().map(left).collect())
    }

    /// While chaining, cells are numbered as locations; now only those with blocks are kept.
    fn number_cells(&mut self) {
        let ends = self.blocks.iter().flat_map(|block| [block.from, block.to]);
        let mut used: Vec<LocId> = ends.map(|cell| LocId::new(cell.index())).collect();
        used.push(self.start);
        used.extend(self.observed.keys());
        used.sort_unstable();
        used.dedup();
        let mut number = BTreeMap::new();
        for location in used {
            let cell = self.cells.push(WorkCell { location, inherited: Vec::new() });
            number.insert(location, cell);
            self.partitions.insert(location, Partition::Cell(cell));
        }
        for block in &mut self.blocks {
            block.from = number[&LocId::new(block.from.index())];
            block.to = number[&LocId::new(block.to.index())];
        }
    }
}
