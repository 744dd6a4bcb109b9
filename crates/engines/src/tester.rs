//! *tester*: runs the program with drawn choices and looks for violations.
//!
//! What it finds is real: the interpreter has been there. It proves nothing. Each run has a fixed seed and a fixed number of
//! steps, so the same program gives the same result. Gives up after a fixed number of runs.

use belay_base::Budget;
use belay_evidence::{Claimed, Task, Trace};
use belay_ir::Property;
use belay_semantics::{Interpreter, RunEnd, RunReport, Seeded};

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

/// Violations of the properties asked for, as far as drawn runs show any: the first found of each.
pub fn find_violations(
    task: &Task<'_>,
    wanted: &[Property],
    effort: Effort,
    budget: &Budget,
) -> Vec<(Property, Trace)> {
    let mut config = task.config.clone();
    config.recurrence = wanted.contains(&Property::Termination);
    let interpreter = Interpreter::new(task.program, config);
    let mut found: Vec<(Property, Trace)> = Vec::new();
    let mut left = effort.total;
    for seed in 0..effort.runs {
        if left == 0 || budget.check_clock().is_err() || found.len() == wanted.len() {
            break;
        }
        let report = interpreter.run(&mut Seeded::new(seed), &budget.slice(effort.steps.min(left)));
        left = left.saturating_sub(report.steps.max(1));
        for property in wanted {
            if found.iter().all(|(known, _)| known != property)
                && let Some(trace) = violation(&report, *property)
            {
                found.push((*property, trace));
            }
        }
        if let RunEnd::Unknown { .. } = report.end
            && report.choices.is_empty()
        {
            break;
        }
    }
    found
}

fn violation(report: &RunReport, property: Property) -> Option<Trace> {
    let claimed = match (&report.end, property) {
        (RunEnd::Recurs { .. }, Property::Termination) => Some(Claimed::Recurrence),
        (_, _) => report.violation_of(property).map(Claimed::of),
    };
    claimed.map(|claimed| Trace { choices: report.choices.clone(), claimed })
}
