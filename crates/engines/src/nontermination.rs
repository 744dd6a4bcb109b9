//! *nontermination*: runs that come back to a state (2LS paper, section 6.3: singleton recurrent sets by unrolling).
//!
//! The interpreter runs the program with inputs that become steady: each place that asks gets the same value for ever. The loops
//! of such a run are deterministic, so that one which does not end soon comes back to a state, or counts on. A state that recurs is all
//! the evidence there is to give, for programs of any size and with any memory; the checker replays it. Loops that never repeat a state are for the
//! recurrent sets of *its*. Gives up after a fixed number of runs.

use belay_base::Budget;
use belay_evidence::{Claimed, Task, Trace};
use belay_semantics::{Interpreter, RunEnd, Steady};

use crate::outcome::{GaveUp, Outcome};
use crate::tester::Effort;

/// Runs that end in a row before the search stops: the program seems to end.
const MAX_ENDED: u64 = 60;

/// A run that never ends, if one is found within `effort`.
pub fn search(task: &Task<'_>, effort: Effort, budget: &Budget) -> Outcome {
    let mut config = task.config.clone();
    config.recurrence = true;
    let interpreter = Interpreter::new(task.program, config);
    let (mut left, mut ended) = (effort.total, 0);
    for seed in 0..effort.runs {
        if left == 0 || ended > MAX_ENDED || budget.check_clock().is_err() {
            break;
        }
        let report = interpreter.run(&mut Steady::new(seed), &budget.slice(effort.steps.min(left)));
        left = left.saturating_sub(report.steps.max(1));
        match report.end {
            RunEnd::Recurs { .. } => {
                return Outcome::Refuted(Trace { choices: report.choices, claimed: Claimed::Recurrence });
            }
            RunEnd::Exhausted(_) => ended = 0,
            RunEnd::Unknown { .. } if report.choices.is_empty() => break,
            RunEnd::Returned(_)
            | RunEnd::Exited(_)
            | RunEnd::Aborted
            | RunEnd::Violated
            | RunEnd::AssumptionFailed
            | RunEnd::NeedsChoice { .. }
            | RunEnd::BadChoice { .. }
            | RunEnd::Unknown { .. } => ended += 1,
        }
    }
    Outcome::GaveUp(GaveUp::because("no run was found that comes back to a state"))
}
