//! Violation witnesses: what they say of the run is written into the program, the program is searched, and the run that is found is replayed on the
//! program as it is. Only that replay confirms.
//!
//! Three readings are tried. Strictly, each waypoint holds at the next visit of its place: nearly every input is then fixed. Leniently, visits may
//! be passed over, and the target is visited only after the last waypoint. Or it may be visited before (in a loop, `i == n` where the target is): then the run that is found has to have passed
//! all waypoints when it ends.

use belay_base::{Budget, Span};
use belay_engines::{Options as EngineOptions, Session};
use belay_evidence::{Answer, Checker, Claim, Claimed, Task, Trace, Verdict};
use belay_interpreter::{Event, Interpreter, Observer, Script, Shown};
use belay_ir::Property;
use belay_report::WitnessEntry;
use belay_rules::Choice;

use super::instrument::Insertion;
use super::is_harmless;
use super::search::search;
use crate::arguments::CheckWitnessOptions;

/// What stands before the program.
const PRELUDE: &str = "extern void __llbmc_assume(int); static int __belay_way, __belay_passed;";

/// What may be spent on a run that need not come back to a state: hundredths of the time, and steps.
const SHARE_OF_RUN: u32 = 15;
const STEPS_OF_RUN: u64 = 5_000_000;

/// A waypoint that can be followed in the program's text.
struct Way {
    line: u64,
    column: Option<u64>,
    condition: String,
    avoid: bool,
    /// How many followed waypoints come before it.
    number: usize,
    /// True if it is the first one at its place.
    is_first: bool,
}

/// How the waypoints and the target are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Strict,
    Lenient,
    /// The target may be visited before the last waypoint is passed.
    TargetInLoop,
}

/// A run that the search has found.
struct Run {
    claimed: Claimed,
    choices: Vec<Choice>,
    /// How many waypoints it has passed.
    passed: usize,
}

/// A verdict on the original program that the witness led to.
pub fn follow(
    options: &CheckWitnessOptions,
    entry: &WitnessEntry,
    property: Property,
    task: &Task<'_>,
    budget: &Budget,
) -> Option<Verdict> {
    let (ways, target) = waypoints(entry);
    let count = ways.iter().filter(|way| !way.avoid).count();
    for reading in [Reading::Strict, Reading::Lenient, Reading::TargetInLoop] {
        if reading == Reading::TargetInLoop && (target.is_none() || count == 0) {
            break;
        }
        let mut insertions: Vec<Insertion> =
            ways.iter().map(|way| insertion(way, reading == Reading::Strict)).collect();
        if let Some((line, column)) = target.filter(|_| reading == Reading::Lenient) {
            let code = format!("__llbmc_assume(__belay_way >= {count})");
            insertions.push(Insertion { line, column, code, at_loop_head: false });
        }
        let share = budget.share(50, u64::MAX);
        let runs = search(options, PRELUDE, &insertions, &[property], &share, |changed, verdicts| {
            runs_of(changed, &verdicts, &share)
        });
        for Run { claimed, choices, passed } in runs.unwrap_or_default() {
            if reading == Reading::TargetInLoop && passed < count {
                continue;
            }
            if claimed == Claimed::Endless {
                // The choices of its beginning may already lead to a state that comes again.
                let share = budget.share(SHARE_OF_RUN, STEPS_OF_RUN);
                let again = replay(task, property, Claimed::Recurrence, choices, &share);
                return again.or_else(|| endless(entry, task, budget));
            }
            if let Some(verdict) = replay(task, property, claimed, choices, budget) {
                return Some(verdict);
            }
        }
    }
    None
}

/// A run that never ends without coming back to a state. The evidence speaks of places in the program that it was found in, so that it is
/// looked for anew in the program as it is; it has to stay in the loop that the witness names.
fn endless(entry: &WitnessEntry, task: &Task<'_>, budget: &Budget) -> Option<Verdict> {
    let steps = entry.content.iter().flat_map(|item| item.value.segment.iter().flatten());
    let cycles = steps.map(|step| &step.value.waypoint).filter(|waypoint| waypoint.action.value == "cycle");
    let lines: Vec<u64> = cycles.map(|waypoint| waypoint.location.line.value.unsigned_abs()).collect();
    let session = Session::new(task, &[Property::Termination], EngineOptions::default(), budget);
    let (verdicts, _) = session.verify(&mut |_| {});
    let is_there = |verdict: &Verdict| match verdict.answer() {
        Answer::False(found) => found.recurrences.iter().any(|set| lines.contains(&u64::from(set.span.line))),
        Answer::True(_) | Answer::Unknown(_) => false,
    };
    verdicts.into_iter().find(is_there)
}

/// The runs that the search has found in the changed program.
fn runs_of(changed: &Task<'_>, verdicts: &[Verdict], budget: &Budget) -> Vec<Run> {
    let run = |verdict: &Verdict| match verdict.answer() {
        Answer::False(found) => {
            let choices = found.trace.choices.clone();
            let mut passed = Passed(0);
            let mut script = Script::new(choices.iter().cloned());
            if found.trace.claimed != Claimed::Endless {
                Interpreter::new(changed.program, changed.config.clone()).run_observed(
                    &mut script,
                    &mut passed,
                    budget,
                );
            }
            Some(Run { claimed: found.trace.claimed, choices, passed: passed.0 })
        }
        Answer::True(_) | Answer::Unknown(_) => None,
    };
    verdicts.iter().filter_map(run).collect()
}

/// Reads off a run how many waypoints it has passed.
struct Passed(usize);

impl Observer for Passed {
    fn event(&mut self, _span: Span, _depth: usize, event: Event) {
        if let Event::Store { target, value: Shown::Int(_, way) } = event
            && target.object.name.as_deref() == Some("__belay_way")
        {
            self.0 = usize::try_from(&way).unwrap_or(0);
        }
    }
}

/// The same choices on the program as it is. Ids of obligations differ, so that the violation is looked up anew.
fn replay(
    task: &Task<'_>,
    property: Property,
    claimed: Claimed,
    choices: Vec<Choice>,
    budget: &Budget,
) -> Option<Verdict> {
    let claimed = match claimed {
        Claimed::Obligation(_) | Claimed::Lost | Claimed::NotFreed => {
            let mut script = Script::new(choices.iter().cloned());
            let report = Interpreter::new(task.program, task.config.clone()).run(&mut script, budget);
            Claimed::of(report.violation_of(property)?)
        }
        Claimed::Recurrence => Claimed::Recurrence,
        Claimed::Endless => return None,
    };
    Checker::new(task, budget).check(Claim::run(property, Trace { choices, claimed })).ok()
}

/// The waypoints that are assumptions, and where the target is. Others are passed over: they guide, and the search does without.
fn waypoints(entry: &WitnessEntry) -> (Vec<Way>, Option<(u64, Option<u64>)>) {
    let mut ways = Vec::new();
    let mut target = None;
    let mut number = 0;
    let steps = entry.content.iter().flat_map(|item| item.value.segment.iter().flatten());
    for waypoint in steps.map(|step| &step.value.waypoint) {
        let line = waypoint.location.line.value.unsigned_abs();
        let column = waypoint.location.column.as_ref().map(|column| column.value.unsigned_abs());
        let avoid = waypoint.action.value == "avoid";
        let condition = waypoint.constraint.as_ref().map(|constraint| constraint.value.value.text());
        match (waypoint.kind.value.as_str(), condition) {
            ("target", _) => target = Some((line, column)),
            ("assumption", Some(condition)) if waypoint.action.value != "cycle" && is_harmless(&condition) => {
                let is_first = ways.iter().all(|way: &Way| way.avoid || (way.line, way.column) != (line, column));
                ways.push(Way { line, column, condition, avoid, number, is_first });
                number += usize::from(!avoid);
            }
            _ => {}
        }
    }
    (ways, target)
}

/// The code of a waypoint. Several at one place are passed at one visit after the other (`i == 0` in one round, `i == 1` in the next), or at the same one if their conditions hold there (`x == 1`, `y == 2`):
/// of those behind the first that is passed at a visit nothing is assumed.
fn insertion(way: &Way, is_strict: bool) -> Insertion {
    let Way { line, column, condition, avoid, number, is_first } = way;
    let next = number + 1;
    let pass = format!("(void)(__belay_way = {next})");
    let code = match (avoid, is_strict) {
        (true, _) => format!("__llbmc_assume(__belay_way != {number} || !({condition}))"),
        (false, true) => {
            let begin = if *is_first { "__belay_passed = 0, " } else { "" };
            format!(
                "({begin}__belay_way == {number} && (!__belay_passed || ({condition})) ? (__llbmc_assume(({condition}) != 0), __belay_passed = 1, {pass}) : (void)0)"
            )
        }
        (false, false) => format!("(__belay_way == {number} && ({condition}) ? {pass} : (void)0)"),
    };
    Insertion { line: *line, column: *column, code, at_loop_head: false }
}
