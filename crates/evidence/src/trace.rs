//! Traces: every choice of one run, and what the run is claimed to violate.

use belay_interpreter::{RunReport, Violation};
use belay_ir::{ObligationId, Property};
use belay_rules::Choice;

/// What a trace is claimed to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// A violation of this obligation.
    Obligation(ObligationId),
    /// A heap block that can't be reached any more.
    Lost,
    /// A heap block that is not freed at the end.
    NotFreed,
    /// A state that recurs without a choice in between: the run never ends.
    Recurrence,
    /// A set of states that the run need never leave: it never ends. The choices are those of its beginning.
    Endless,
}

/// A run that is claimed to violate a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// All choices of the run, in order.
    pub choices: Vec<Choice>,
    /// What it violates.
    pub claimed: Claimed,
}

impl Claimed {
    /// What a violation that a run reported amounts to.
    pub fn of(violation: &Violation) -> Claimed {
        match (violation.obligation, violation.property) {
            (Some(obligation), _) => Claimed::Obligation(obligation),
            (None, Property::MemCleanup) => Claimed::NotFreed,
            (None, _) => Claimed::Lost,
        }
    }

    /// The violation in a run's report that this claims, if it is there.
    pub fn find(self, report: &RunReport) -> Option<&Violation> {
        match self {
            Claimed::Obligation(obligation) => report.violation_at(obligation),
            Claimed::Lost => report.violation_of(Property::ValidMemtrack),
            Claimed::NotFreed => report.violation_of(Property::MemCleanup),
            Claimed::Recurrence | Claimed::Endless => None,
        }
    }
}
