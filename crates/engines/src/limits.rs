//! The engines by name, and how much each may do.

use crate::kiki;
use crate::tester::Effort;

/// An engine that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EngineName {
    /// One run decides a program without inputs.
    Run,
    /// Nothing to violate, nothing that loops.
    Structural,
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
    /// k-induction with k-invariants.
    Kiki,
}

impl EngineName {
    /// All, in the order in which they run.
    pub const ALL: [EngineName; 8] = [
        EngineName::Run,
        EngineName::Structural,
        EngineName::Nontermination,
        EngineName::Its,
        EngineName::Tester,
        EngineName::Graph,
        EngineName::Bmc,
        EngineName::Kiki,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Run => "run",
            EngineName::Structural => "structural",
            EngineName::Tester => "tester",
            EngineName::Its => "its",
            EngineName::Nontermination => "nontermination",
            EngineName::Graph => "graph",
            EngineName::Bmc => "bmc",
            EngineName::Kiki => "kiki",
        }
    }
}

/// How much each engine may do.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Which engines run.
    pub engines: Vec<EngineName>,
    /// Steps of the run without choices.
    pub run_steps: u64,
    /// Steps of the run without choices when nothing else has settled a property.
    pub long_run_steps: u64,
    /// The tester's effort.
    pub tester: Effort,
    /// The same, after a shallow search of all runs.
    pub long_tester: Effort,
    /// Few and long runs, where the others were cut off.
    pub longest_tester: Effort,
    /// The effort that goes into runs that come back to a state.
    pub nontermination: Effort,
    /// The same, when nothing else has settled termination.
    pub long_nontermination: Effort,
    /// Steps of each proof that the program with fixed inputs can't end.
    pub unending_steps: u64,
    /// Steps of the search for ranking functions.
    pub its_steps: u64,
    /// Steps of building the symbolic execution graph, and of ranking its cycles.
    pub graph_steps: u64,
    /// Steps of the search for violations on single paths of the graph.
    pub probe_steps: u64,
    /// Steps of bounded model checking.
    pub bmc_steps: u64,
    /// Steps of bounded model checking before k-induction is tried.
    pub bmc_first_steps: u64,
    /// Steps of k-induction.
    pub kiki_steps: u64,
    /// Steps of k-induction where it did not come to an end with those.
    pub long_kiki_steps: u64,
    /// Steps of the search for measures of machine integers.
    pub rank_steps: u64,
    /// Steps of the search for loop heads that have a state again.
    pub lasso_steps: u64,
    /// What k-induction may use.
    pub kiki: kiki::Options,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            engines: EngineName::ALL.to_vec(),
            run_steps: 30_000_000,
            long_run_steps: 400_000_000,
            nontermination: Effort { runs: 24, steps: 10_000, total: 120_000 },
            long_nontermination: Effort { runs: 600, steps: 100_000, total: 3_000_000 },
            tester: Effort { runs: 100, steps: 50_000, total: 1_000_000 },
            long_tester: Effort { runs: 400, steps: 200_000, total: 8_000_000 },
            longest_tester: Effort { runs: 3, steps: 12_000_000, total: 24_000_000 },
            unending_steps: 300_000,
            its_steps: 8_000_000,
            graph_steps: 4_000_000,
            probe_steps: 400_000,
            bmc_steps: 100_000_000,
            bmc_first_steps: 100_000,
            kiki_steps: 4_000_000,
            long_kiki_steps: 24_000_000,
            rank_steps: 400_000,
            lasso_steps: 150_000,
            kiki: kiki::Options::default(),
        }
    }
}
