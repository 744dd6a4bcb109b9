//! The schedule: which engine does what, in which order, with which share of the work. A new engine is a row.
//!
//! Rows are ordered by cost: what answers most questions soonest comes first, and no row may take more than its share of the time that is left while others
//! have not had their turn. Within its share a row counts its work in steps, so that the same input gives the same answer; the clock only cuts off. With
//! `--engines` the rows of the engines named run, in the order in which the names are given; rows of one engine keep their order.

use crate::bmc::Depth;
use crate::lasso;
use crate::limits::EngineName;
use crate::tester::Effort;

/// What a row does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// The run that makes no choice.
    Execute { steps: u64 },
    /// What is not there can't be violated; loops that count.
    Structure,
    /// What every value may be.
    Values { steps: u64 },
    /// Runs with steady inputs that come back to a state.
    SteadyRuns { effort: Effort },
    /// The same, longer; and proofs that with some inputs no end is reached, of so many steps each.
    NeverEnding { effort: Effort, steps: u64 },
    /// Ranking functions and recurrent sets of the transition system.
    RankTransitions { steps: u64 },
    /// Runs with drawn inputs.
    Draw { effort: Effort },
    /// A symbolic execution graph, generalised until it is closed.
    Explore { steps: u64 },
    /// Single paths of symbolic execution.
    Probe { steps: u64 },
    /// Bounded model checking.
    Unroll { depth: Depth, steps: u64 },
    /// Summaries, loop by loop.
    Summarise { steps: u64 },
    /// Violations behind loops whose rounds are leapt over.
    Leap { steps: u64 },
    /// k-induction.
    Induct { steps: u64 },
    /// The attempts of k-induction that did not come to an end, with more steps.
    InductAgain { steps: u64 },
    /// Ranking functions over bit-vectors.
    RankBits { steps: u64 },
    /// Loop heads that have a state again, by unrolling so far.
    Lasso { depths: &'static [u32], steps: u64 },
}

/// When a row has its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// Whenever something is open that it answers.
    Always,
    /// If drawn runs were cut off the first time.
    DrawnRunsWereCutOff,
    /// If the run without choices was cut off.
    ExecutionWasCutOff,
    /// If the graph was not finished the first time.
    GraphWasCutOff,
    /// If there are so many loops that looking at them together takes long.
    ManyLoops,
    /// If there are some loops, but not many.
    SomeLoops,
}

/// What a row learns from the rows before it, or teaches those after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Facts {
    /// Nothing.
    Apart,
    /// Tells which obligations it shows, where it does not show all.
    Gives,
    /// Takes for granted what others show.
    Takes,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The engine.
    pub engine: EngineName,
    /// What it does.
    pub work: Work,
    /// When.
    pub when: When,
    /// Its share of the time that is left, in hundredths.
    pub share: u32,
    /// Whether it may take long: before such a row properties are left out whose question a violation has answered.
    pub is_costly: bool,
    /// What it has to do with what others show.
    pub facts: Facts,
}

const fn row(engine: EngineName, share: u32, work: Work) -> Row {
    Row { engine, work, when: When::Always, share, is_costly: false, facts: Facts::Apart }
}

const fn costly(engine: EngineName, share: u32, work: Work) -> Row {
    Row { is_costly: true, ..row(engine, share, work) }
}

const fn giving(row: Row) -> Row {
    Row { facts: Facts::Gives, ..row }
}

const fn taking(row: Row) -> Row {
    Row { facts: Facts::Takes, ..row }
}

const fn only(when: When, row: Row) -> Row {
    Row { when, ..row }
}

use EngineName::{Bmc, Graph, Its, Kiki, Nontermination, Run, Structural, Summary, Tester, Values};

/// All rows, cheap before dear.
pub(crate) const ROWS: [Row; 25] = [
    row(Run, 40, Work::Execute { steps: 30_000_000 }),
    row(Structural, 100, Work::Structure),
    row(Values, 25, Work::Values { steps: VALUE_STEPS }),
    row(Nontermination, 10, Work::SteadyRuns { effort: Effort { runs: 24, steps: 10_000, total: 120_000 } }),
    row(Its, 35, Work::RankTransitions { steps: 8_000_000 }),
    row(Tester, 10, Work::Draw { effort: Effort { runs: 100, steps: 50_000, total: 1_000_000 } }),
    only(When::ExecutionWasCutOff, row(Run, 35, Work::Execute { steps: 400_000_000 })),
    only(When::ManyLoops, row(Summary, 50, Work::Summarise { steps: 4_000_000 })),
    giving(row(Graph, 40, Work::Explore { steps: GRAPH_STEPS })),
    row(Bmc, 30, Work::Unroll { depth: Depth::SHALLOW, steps: 100_000 }),
    costly(Tester, 15, Work::Draw { effort: Effort { runs: 400, steps: 200_000, total: 8_000_000 } }),
    only(
        When::DrawnRunsWereCutOff,
        costly(Tester, 20, Work::Draw { effort: Effort { runs: 3, steps: 12_000_000, total: 24_000_000 } }),
    ),
    costly(Graph, 15, Work::Probe { steps: 400_000 }),
    costly(Summary, 15, Work::Leap { steps: 1_000_000 }),
    only(When::SomeLoops, taking(costly(Summary, 20, Work::Summarise { steps: 400_000 }))),
    only(When::GraphWasCutOff, giving(costly(Graph, 40, Work::Explore { steps: 6 * GRAPH_STEPS }))),
    taking(costly(Kiki, 50, Work::Induct { steps: 4_000_000 })),
    costly(Kiki, 20, Work::Lasso { depths: lasso::SHALLOW, steps: 150_000 }),
    costly(Kiki, 40, Work::RankBits { steps: 400_000 }),
    costly(Kiki, 30, Work::Lasso { depths: lasso::DEEP, steps: 150_000 }),
    costly(Bmc, 40, Work::Unroll { depth: Depth::FULL, steps: 8_000_000 }),
    taking(costly(Kiki, 50, Work::InductAgain { steps: 24_000_000 })),
    costly(Bmc, 60, Work::Unroll { depth: Depth::FULL, steps: 100_000_000 }),
    costly(
        Nontermination,
        60,
        Work::NeverEnding { effort: Effort { runs: 600, steps: 100_000, total: 3_000_000 }, steps: 300_000 },
    ),
    only(When::ExecutionWasCutOff, costly(Run, 100, Work::Execute { steps: 10_000_000_000 })),
];

/// The rows of these engines, in the order in which they run: that of the table, or, where the user named engines, theirs.
pub(crate) fn rows_of(engines: Option<&[EngineName]>) -> Vec<Row> {
    match engines {
        None => ROWS.to_vec(),
        Some(named) => {
            named.iter().flat_map(|name| ROWS.iter().filter(move |row| row.engine == *name)).copied().collect()
        }
    }
}

/// So many loops are many.
pub(crate) const MANY_LOOPS: usize = 16;
/// So many are some: k-induction does as well with fewer.
pub(crate) const SOME_LOOPS: usize = 3;

/// The steps that a map of values may take.
pub const VALUE_STEPS: u64 = 4_000_000;
/// The steps that building a graph may take.
pub const GRAPH_STEPS: u64 = 4_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_engines_run_in_the_order_given() {
        let engines: Vec<EngineName> = rows_of(Some(&[Kiki, Run])).iter().map(|row| row.engine).collect();
        assert!(engines.starts_with(&[Kiki]) && engines.ends_with(&[Run, Run]));
        assert!(rows_of(None).len() == ROWS.len());
    }

    #[test]
    fn each_engine_has_a_row() {
        for engine in EngineName::ALL {
            assert!(!rows_of(Some(&[engine])).is_empty(), "{engine:?}");
        }
    }
}
