//! The numbers of a function's obligations.

use belay_base::Id;
use belay_ir::{ObligationId, Property};
use rustc_hash::FxHashMap;

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
