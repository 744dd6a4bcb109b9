//! How a program is executed: where it starts, and which of the readings of SOUNDNESS.md is meant.

use belay_ir::{Externs, FuncId, IntegerModel, ObligationId};

/// What a pointer parameter of an entry function other than `main` points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryPointer {
    /// A string: chosen bytes and a terminating 0.
    String,
    /// So many bytes of arbitrary content.
    Bytes(u64),
}

/// How to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Where to start.
    pub entry: FuncId,
    /// Machine integers or unbounded ones.
    pub integers: IntegerModel,
    /// Whether each allocation may fail (a choice).
    pub malloc_may_fail: bool,
    /// Whether an allocation of more than the greatest `ptrdiff_t` succeeds, as the competitions read it; else it gives null.
    pub huge_allocations_succeed: bool,
    /// Above how many bytes an allocation gives null, if that is less than the greatest `ptrdiff_t`: CBMC's objects are smaller.
    pub largest_block: Option<u64>,
    /// The least `argc` that `main` is called with: 1, unless the user says that it may be called without even a name (C17 5.1.2.2.1p2).
    pub least_arguments: u32,
    /// What a function without body and model does. What it may write is part of the program; here it decides whether a call has a verdict.
    pub externs: Externs,
    /// What pointer parameters of the entry point to, by parameter; a run with one that is not listed is unknown.
    pub entry_pointers: Vec<(u32, EntryPointer)>,
    /// Whether inputs of signed types may be any integers, beyond their C type too; of the unbounded model only.
    pub wide_inputs: bool,
    /// Look for a recurring state.
    pub recurrence: bool,
    /// The run ends where it violates this obligation, even if the violation would let it go on.
    pub stop_at: Option<ObligationId>,
    /// How deep calls may nest before the run is given up.
    pub max_depth: usize,
    /// How many bytes of memory the program's objects may take before the run is given up.
    pub memory_limit: u64,
    /// How many bytes of output are kept.
    pub output_limit: usize,
}

impl Config {
    /// The defaults: machine integers, allocations succeed, no look for recurrence.
    pub fn new(entry: FuncId) -> Self {
        Self {
            entry,
            integers: IntegerModel::Machine,
            malloc_may_fail: false,
            huge_allocations_succeed: false,
            largest_block: None,
            least_arguments: 1,
            externs: Externs::default(),
            entry_pointers: Vec::new(),
            wide_inputs: false,
            recurrence: false,
            stop_at: None,
            max_depth: 1_000_000,
            memory_limit: 1 << 30,
            output_limit: 1 << 20,
        }
    }
}
