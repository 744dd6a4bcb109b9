//! Strongly connected components of blocks.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::Components;

use crate::evidence::CellId;
use crate::preprocess::Block;

/// The components that contain a cycle, as cells with the positions of the blocks inside; in order
/// of their least cell.
pub(crate) fn components(blocks: &[&Block]) -> Vec<(BTreeSet<CellId>, Vec<usize>)> {
    let cells: BTreeSet<CellId> = blocks.iter().flat_map(|block| [block.from, block.to]).collect();
    let cells: Vec<CellId> = cells.into_iter().collect();
    let number: BTreeMap<CellId, usize> = cells.iter().enumerate().map(|(number, cell)| (*cell, number)).collect();
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
    blocks.iter().for_each(|block| targets[number[&block.from]].push(number[&block.to]));
    let mut search = Components::new(cells.len());
    (0..cells.len()).for_each(|root| search.search_from(root, |node| targets[node].iter().copied()));
    let members = search.take().into_iter().map(|one| one.into_iter().map(|node| cells[node]).collect());
    let mut members: Vec<BTreeSet<CellId>> = members.collect();
    members.sort_by_key(|component| component.first().copied());
    let with_blocks = members.into_iter().map(|component| {
        let inside = |block: &Block| component.contains(&block.from) && component.contains(&block.to);
        let within: Vec<usize> = (0..blocks.len()).filter(|i| inside(blocks[*i])).collect();
        (component, within)
    });
    with_blocks.filter(|(_, within)| !within.is_empty()).collect()
}
