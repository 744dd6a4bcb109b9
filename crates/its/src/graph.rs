//! Strongly connected components of blocks.

use std::collections::BTreeSet;

use crate::evidence::CellId;
use crate::preprocess::Block;

/// The components that contain a cycle, as cells with the positions of the blocks inside; in order
/// of their least cell.
pub(crate) fn components(blocks: &[&Block]) -> Vec<(BTreeSet<CellId>, Vec<usize>)> {
    let cells: BTreeSet<CellId> = blocks.iter().flat_map(|block| [block.from, block.to]).collect();
    let mut placed: BTreeSet<CellId> = BTreeSet::new();
    let mut found = Vec::new();
    for cell in cells {
        if placed.contains(&cell) {
            continue;
        }
        let forward = reachable(blocks, cell, |block| (block.from, block.to));
        let backward = reachable(blocks, cell, |block| (block.to, block.from));
        let component: BTreeSet<CellId> = forward.intersection(&backward).copied().collect();
        placed.extend(&component);
        let inside = |block: &Block| component.contains(&block.from) && component.contains(&block.to);
        let within: Vec<usize> = (0..blocks.len()).filter(|i| inside(blocks[*i])).collect();
        if !within.is_empty() {
            found.push((component, within));
        }
    }
    found
}

fn reachable(blocks: &[&Block], start: CellId, ends: impl Fn(&Block) -> (CellId, CellId)) -> BTreeSet<CellId> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(cell) = open.pop() {
        for block in blocks {
            let (source, target) = ends(block);
            if source == cell && seen.insert(target) {
                open.push(target);
            }
        }
    }
    seen
}
