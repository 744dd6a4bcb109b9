//! The engines by name, and what a user may choose of them.

use crate::kiki;

/// An engine that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EngineName {
    /// One run decides a program without inputs.
    Run,
    /// Nothing to violate, nothing that loops.
    Structural,
    /// What every value may be, each function looked at once.
    Values,
    /// Drawn inputs.
    Tester,
    /// Ranking functions.
    Its,
    /// Runs that come back to a state.
    Nontermination,
    /// Symbolic execution graphs.
    Graph,
    /// Bounded model checking.
    Bmc,
    /// Summaries of loops: proofs loop by loop, violations behind loops that are leapt over.
    Summary,
    /// k-induction with k-invariants.
    Kiki,
}

impl EngineName {
    /// All.
    pub const ALL: [EngineName; 10] = [
        EngineName::Run,
        EngineName::Structural,
        EngineName::Values,
        EngineName::Nontermination,
        EngineName::Its,
        EngineName::Tester,
        EngineName::Graph,
        EngineName::Bmc,
        EngineName::Summary,
        EngineName::Kiki,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Run => "run",
            EngineName::Structural => "structural",
            EngineName::Values => "values",
            EngineName::Tester => "tester",
            EngineName::Its => "its",
            EngineName::Nontermination => "nontermination",
            EngineName::Graph => "graph",
            EngineName::Bmc => "bmc",
            EngineName::Summary => "summary",
            EngineName::Kiki => "kiki",
        }
    }
}

/// What a user may choose. How much each engine may do is for the schedule to say.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only these engines, in this order.
    pub engines: Option<Vec<EngineName>>,
    /// What k-induction may use.
    pub kiki: kiki::Options,
    /// How many engines work at once.
    pub threads: usize,
    /// No row of the schedule takes more steps than this.
    pub most_steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { engines: None, kiki: kiki::Options::default(), threads: 1, most_steps: u64::MAX }
    }
}
