//! What is to be verified.

use belay_ir::{IntegerModel, Program};
use belay_rules::Config;

/// A program, where it starts, and under which rules it runs.
#[derive(Debug)]
pub struct Task<'p> {
    /// The program as translated: what traces are replayed on.
    pub program: &'p Program,
    /// The same program after promotion of locals and simplification: what proofs speak of.
    pub simplified: &'p Program,
    /// The entry function and the rules.
    pub config: Config,
}

impl Task<'_> {
    /// How integers behave.
    pub fn integers(&self) -> IntegerModel {
        self.config.integers
    }
}
