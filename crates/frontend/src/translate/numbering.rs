//! The order of a function's blocks, and the numbers of its obligations.

use belay_base::Id;
use belay_ir::{ObligationId, Property};
use rustc_hash::FxHashMap;

use crate::llvm::{Bb, Value};

/// The reachable blocks, each before its successors but for back edges.
pub(super) fn reverse_postorder(function: Value) -> Vec<Bb> {
    let Some(entry) = function.blocks().first().copied() else { return Vec::new() };
    let mut seen = rustc_hash::FxHashSet::from_iter([entry]);
    let mut order = Vec::new();
    let mut stack = vec![(entry, entry.terminator().successors().into_iter())];
    while let Some((bb, successors)) = stack.last_mut() {
        match successors.find(|next| seen.insert(*next)) {
            Some(next) => stack.push((next, next.terminator().successors().into_iter())),
            None => {
                order.push(*bb);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Numbers a function's obligations by property in source order, so that ids are stable and read naturally.
pub(super) fn number_obligations(program: &mut belay_ir::Program, ids: &[ObligationId]) {
    let mut sorted = ids.to_vec();
    sorted.sort_by_key(|id| {
        let span = program.obligations[*id].span;
        (span.line, span.column, id.index())
    });
    let mut counters: FxHashMap<Property, u32> = FxHashMap::default();
    for id in sorted {
        let obligation = &mut program.obligations[id];
        let counter = counters.entry(obligation.property).or_default();
        *counter += 1;
        obligation.number = *counter;
    }
}
