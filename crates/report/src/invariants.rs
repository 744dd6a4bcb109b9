//! Invariants of loops, in C's syntax and the program's own names.

use belay_evidence::Induction;
use belay_ir::{BlockId, FuncId, Program};
use belay_semantics::encode::words::condition;

/// What holds whenever a loop's head is reached again.
pub struct LoopInvariant {
    /// The function.
    pub function: FuncId,
    /// The head.
    pub head: BlockId,
    /// The conditions.
    pub conditions: Vec<String>,
}

/// The invariants of an induction, by loop; a loop that is called from several places has several.
pub fn invariants(program: &Program, induction: &Induction) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for (place, cut) in &induction.cutting.cuts {
        let conditions: Vec<String> =
            cut.rows.iter().chain(&cut.results).filter_map(|row| condition(program, place, row)).collect();
        if !conditions.is_empty() {
            found.push(LoopInvariant { function: place.function, head: place.head, conditions });
        }
    }
    found
}
