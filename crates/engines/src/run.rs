//! *run*: a program that makes no choice has one run, which decides every property.
//!
//! The run itself is made by the checker, whose report this engine reads: the evidence is the run. Sound because a run is a
//! function of its choices (SOUNDNESS.md). A program that asks for a choice gets no proof here, but what it violates
//! before its first choice it violates in every run. Gives up at the first choice, at anything that is not handled, and when
//! the steps are used up.

use belay_base::Budget;
use belay_evidence::{Checker, Claimed, GaveUp, Outcome, Proof, Trace, Why};
use belay_interpreter::{RunEnd, RunReport};
use belay_ir::{Program, Property};
use belay_rules::RequestKind;

/// What the run without choices says about `property`.
pub fn read_execution(
    checker: &Checker<'_>,
    program: &Program,
    property: Property,
    steps: u64,
    share: &Budget,
) -> Outcome {
    let report = checker.execution_within(steps, share);
    if let Some(violation) = report.violation_of(property) {
        return Outcome::refuted(Trace { choices: report.choices.clone(), claimed: Claimed::of(violation) });
    }
    match (&report.end, property) {
        (RunEnd::Recurs { .. }, Property::Termination) if report.violation_of(Property::NoOverflow).is_some() => {
            Outcome::GaveUp(GaveUp::because(Why::NotShown, "the run never ends, but only after a signed overflow"))
        }
        (RunEnd::Recurs { .. }, Property::Termination) => {
            Outcome::refuted(Trace { choices: report.choices.clone(), claimed: Claimed::Recurrence })
        }
        (RunEnd::Recurs { .. } | RunEnd::AssumptionFailed, Property::ValidMemtrack | Property::MemCleanup) => {
            Outcome::GaveUp(GaveUp::because(Why::NotShown, "the run does not come to its end"))
        }
        (RunEnd::Violated, Property::ValidMemtrack | Property::MemCleanup)
            if !report.fails_assertion() && !report.breaks_memory() =>
        {
            Outcome::GaveUp(GaveUp::because(Why::NotShown, "the run does not come to its end"))
        }
        (RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted | RunEnd::Violated, Property::ValidMemtrack)
            if !report.maybe_lost.is_empty() && !report.breaks_memory() =>
        {
            Outcome::GaveUp(GaveUp::because(
                Why::NotShown,
                "a block's address was used as a number: it may be hidden in one",
            ))
        }
        (RunEnd::Violated, _) if report.breaks_memory() => Outcome::Moot(GaveUp::because(
            Why::Moot,
            "every run violates memory safety, after which anything may happen",
        )),
        (
            RunEnd::Returned(_)
            | RunEnd::Exited(_)
            | RunEnd::Aborted
            | RunEnd::Violated
            | RunEnd::AssumptionFailed
            | RunEnd::Recurs { .. },
            _,
        ) => Outcome::proved(Proof::Execution),
        (RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } | RunEnd::Unknown { .. } | RunEnd::Exhausted(_), _) => {
            Outcome::GaveUp(explain_undecided(program, report))
        }
    }
}

/// Why a run decided nothing.
pub fn explain_undecided(program: &Program, report: &RunReport) -> GaveUp {
    match &report.end {
        RunEnd::NeedsChoice { request } | RunEnd::BadChoice { request, .. } => GaveUp::at(
            request.span,
            Why::NotAsked,
            format!("the program depends on {}", describe(&request.kind, request.name.as_deref())),
        ),
        RunEnd::Unknown { reason, span, function } => {
            let place = function.map(|id| format!(" in {}", program.functions[id].name)).unwrap_or_default();
            GaveUp::at(*span, Why::NotHandled, format!("{reason}{place}"))
        }
        RunEnd::Exhausted(why) => GaveUp::exhausted(*why, "running the program"),
        RunEnd::Returned(_)
        | RunEnd::Exited(_)
        | RunEnd::Aborted
        | RunEnd::Violated
        | RunEnd::AssumptionFailed
        | RunEnd::Recurs { .. } => GaveUp::because(Why::NotAsked, "the run is no proof"),
    }
}

fn describe(kind: &RequestKind, name: Option<&str>) -> String {
    let of = name.map(|name| format!(" ({name})")).unwrap_or_default();
    match kind {
        RequestKind::Input { .. } => format!("an input{of}"),
        RequestKind::Undefined => "an uninitialised value".to_owned(),
        RequestKind::Address { .. } => "the address of an object".to_owned(),
        RequestKind::AllocFails { .. } => "whether an allocation fails".to_owned(),
        RequestKind::Arbitrary { .. } => format!("an arbitrary value{of}"),
        RequestKind::ArgCount { .. } | RequestKind::ArgString { .. } => "the program's arguments".to_owned(),
    }
}
