//! Slicing: a variable that no guard depends on, even indirectly, and that is not observed cannot affect termination.
//!
//! Such variables are left unchanged by every block, so that products and choices in their updates
//! disappear. Certificates do not mention them.

use belay_linear::Var;

use super::{Block, Observed};
use crate::poly::Poly;
use crate::system::VarExt;

/// Makes every variable that does not matter keep its value; returns which ones matter.
pub(super) fn slice(blocks: &mut [Block], vars: usize, observed: &Observed) -> Vec<bool> {
    let all: Vec<&Block> = blocks.iter().collect();
    let relevant = relevant_variables(&all, blocks, vars, observed);
    for block in blocks {
        for (index, _) in relevant.iter().enumerate().filter(|(_, relevant)| !**relevant) {
            block.update[index] = Poly::var(Var::new(index));
        }
    }
    relevant
}

/// The variables that the guards of `guarded` and what is observed depend on, by way of the updates of `blocks`.
pub(crate) fn relevant_variables(guarded: &[&Block], blocks: &[Block], vars: usize, observed: &Observed) -> Vec<bool> {
    let mut relevant = vec![false; vars];
    let mut open: Vec<usize> = Vec::new();
    let guards = guarded.iter().flat_map(|block| &block.guard);
    open.extend(guards.flat_map(|atom| atom.poly.vars()).map(Var::index));
    open.extend(observed.values().flatten().copied().map(Var::index));
    while let Some(index) = open.pop() {
        if index >= vars || relevant[index] {
            continue;
        }
        relevant[index] = true;
        open.extend(blocks.iter().flat_map(|block| block.update[index].vars()).map(Var::index));
    }
    relevant
}
