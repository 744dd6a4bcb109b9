//! *tester*: runs the program with drawn choices and looks for violations.
//!
//! What it finds is real: the interpreter has been there. It proves nothing. Inputs are drawn from boundary values and from the
//! numbers that the program itself compares with (`values.rs`); a run that takes a branch no run before it took is kept, and later runs
//! are changed copies of the kept ones (as AFL does; Zalewski 2014). What is found is shortened before it is claimed (`shorten.rs`).
//! Everything is drawn from fixed seeds and counted in steps, so the same program gives the same result. Gives up after a fixed number of
//! runs and steps.

mod shorten;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Span};
use belay_evidence::{Claimed, Task, Trace};
use belay_interpreter::{Event, Interpreter, Observer, RunEnd, RunReport, Seeded};
use belay_ir::{ObligationId, Property};
use belay_rules::{Choice, ChoiceSource, Request, RequestKind, Scalar};
use rustc_hash::FxHashSet;

use values::Values;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of runs.
    pub runs: u64,
    /// The steps of each.
    pub steps: u64,
    /// The steps of all together.
    pub total: u64,
}

/// Runs that took new branches are kept, the latest this many of them.
const KEPT: usize = 64;
/// The first runs are drawn afresh.
const FRESH_RUNS: u64 = 16;

/// What drawn runs show.
#[derive(Debug, Default)]
pub struct Tested {
    /// Violations: the first found of each property.
    pub found: Vec<(Property, Trace)>,
    /// Some run was cut off: longer ones may show more.
    pub cut_off: bool,
}

/// Violations of the properties asked for, as far as drawn runs show any.
pub fn find_violations(task: &Task<'_>, wanted: &[Property], effort: Effort, budget: &Budget) -> Tested {
    let mut config = task.config.clone();
    config.recurrence = wanted.contains(&Property::Termination);
    let interpreter = Interpreter::new(task.program, config);
    let mut found: Vec<(Property, Trace)> = Vec::new();
    let cut_off = draw_runs(task, &interpreter, effort, budget, &mut |report| {
        for property in wanted {
            if found.iter().all(|(known, _)| known != property)
                && let Some(trace) = violation(report, *property)
            {
                found.push((*property, shorten::shorten(&interpreter, trace, effort, budget)));
            }
        }
        found.len() < wanted.len()
    });
    Tested { found, cut_off }
}

/// Violations of single obligations, as far as drawn runs show any: the first found of each.
pub fn find_each(
    task: &Task<'_>,
    wanted: &BTreeSet<ObligationId>,
    effort: Effort,
    budget: &Budget,
) -> BTreeMap<ObligationId, Trace> {
    let interpreter = Interpreter::new(task.program, task.config.clone());
    let mut found: BTreeMap<ObligationId, Trace> = BTreeMap::new();
    draw_runs(task, &interpreter, effort, budget, &mut |report| {
        for id in report.violations.iter().filter_map(|violation| violation.obligation) {
            if wanted.contains(&id) && !found.contains_key(&id) {
                let trace = Trace { choices: report.choices.clone(), claimed: Claimed::Obligation(id) };
                found.insert(id, shorten::shorten(&interpreter, trace, effort, budget));
            }
        }
        found.len() < wanted.len()
    });
    found
}

/// Makes drawn runs as long as `look` wants more; true if some was cut off.
fn draw_runs(
    task: &Task<'_>,
    interpreter: &Interpreter<'_>,
    effort: Effort,
    budget: &Budget,
    look: &mut dyn FnMut(&RunReport) -> bool,
) -> bool {
    let values = Values::of(task.program);
    let mut coverage = Coverage::default();
    let mut kept: Vec<Vec<Choice>> = Vec::new();
    let mut cut_off = false;
    let mut left = effort.total;
    for seed in 0..effort.runs {
        if left == 0 || budget.check_clock().is_err() {
            break;
        }
        let mut source = Drawn::new(seed, &values, &kept);
        let report = interpreter.run_observed(&mut source, &mut coverage, &budget.slice(effort.steps.min(left)));
        left = left.saturating_sub(report.steps.max(1));
        cut_off |= matches!(report.end, RunEnd::Exhausted(_));
        if std::mem::take(&mut coverage.grew) && !report.choices.is_empty() {
            if kept.len() == KEPT {
                kept.remove(0);
            }
            kept.push(report.choices.clone());
        }
        // Without a choice every run is this one.
        if !look(&report) || report.choices.is_empty() {
            break;
        }
    }
    cut_off
}

/// The run as a trace of what another was claimed to violate, if it shows that too.
fn violates_again(report: &RunReport, claimed: Claimed) -> Option<Trace> {
    match claimed {
        Claimed::Recurrence => violation(report, Property::Termination).filter(|trace| trace.claimed == claimed),
        Claimed::Obligation(_) | Claimed::Lost | Claimed::NotFreed | Claimed::Endless => {
            claimed.find(report).map(|_| Trace { choices: report.choices.clone(), claimed })
        }
    }
}

/// What a run shows against a property.
fn violation(report: &RunReport, property: Property) -> Option<Trace> {
    let claimed = match (&report.end, property) {
        (RunEnd::Recurs { .. }, Property::Termination) => {
            report.violation_of(Property::NoOverflow).is_none().then_some(Claimed::Recurrence)
        }
        (_, _) => report.violation_of(property).map(Claimed::of),
    };
    claimed.map(|claimed| Trace { choices: report.choices.clone(), claimed })
}

/// The branches taken so far.
#[derive(Default)]
struct Coverage {
    edges: FxHashSet<u64>,
    /// Some branch was new since this was last asked.
    grew: bool,
}

impl Observer for Coverage {
    const EVENTS: bool = false;

    fn event(&mut self, _span: Span, _depth: usize, _event: Event) {}

    fn on_edge(&mut self, edge: u64) {
        self.grew |= self.edges.insert(edge);
    }
}

/// The choices of one run: those of a kept run as far as they fit and are not changed, else drawn.
struct Drawn<'v> {
    random: Seeded,
    values: &'v Values,
    base: &'v [Choice],
    /// How many of eight choices are drawn anew rather than taken from the base.
    changed: u64,
    at: usize,
}

impl<'v> Drawn<'v> {
    fn new(seed: u64, values: &'v Values, kept: &'v [Vec<Choice>]) -> Self {
        let mut random = Seeded::new(seed);
        let fresh = seed < FRESH_RUNS || kept.is_empty() || random.below(4) == 0;
        let base = if fresh { &[][..] } else { &kept[random.below(kept.len() as u64) as usize][..] };
        let changed = 1 + random.below(3);
        Drawn { random, values, base, changed, at: 0 }
    }

    fn draw(&mut self, request: &Request) -> Option<Choice> {
        // What a function without a body returns is as good as an input.
        type Made = fn(Scalar) -> Choice;
        let (ty, range, made): (_, _, Made) = match &request.kind {
            RequestKind::Input { ty, range } => (ty, range.as_ref(), Choice::Input),
            RequestKind::Arbitrary { ty } => (ty, None, Choice::Arbitrary),
            _ => return self.random.choose(request),
        };
        if let Some(width) = ty.int_width()
            && !self.values.is_empty()
            && self.random.below(2) == 0
        {
            let value = self.values.pick(self.random.below(u64::MAX), range, width);
            return Some(made(Scalar::Int { width, value }));
        }
        self.random.choose(request)
    }
}

impl ChoiceSource for Drawn<'_> {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let known = self.base.get(self.at);
        self.at += 1;
        match known {
            Some(choice) if answers(choice, &request.kind) && self.random.below(8) >= self.changed => {
                Some(choice.clone())
            }
            Some(_) | None => self.draw(request),
        }
    }
}

/// True if a choice made in another run is one of the kind asked for. Addresses depend on the run.
fn answers(choice: &Choice, kind: &RequestKind) -> bool {
    match (choice, kind) {
        (Choice::Input(Scalar::Int { width, value }), RequestKind::Input { ty, range }) => {
            let inside = |(least, greatest): &(_, _)| value >= least && value <= greatest;
            ty.int_width() == Some(*width) && range.as_ref().is_none_or(inside)
        }
        (Choice::Arbitrary(Scalar::Int { width, .. }), RequestKind::Arbitrary { ty }) => ty.int_width() == Some(*width),
        (Choice::Undefined(_), RequestKind::Undefined) => true,
        (Choice::AllocFails(_), RequestKind::AllocFails { .. }) => true,
        (Choice::ArgCount(count), RequestKind::ArgCount { least }) => count >= least,
        (Choice::ArgString(_), RequestKind::ArgString { .. }) => true,
        _ => false,
    }
}
