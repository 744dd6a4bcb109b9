//! *nontermination*: runs that come back to a state (2LS paper, section 6.3: singleton recurrent sets by unrolling).
//!
//! The interpreter runs the program with inputs that become steady: each place that asks gets the same value for ever. The loops
//! of such a run are deterministic, so that one which does not end soon comes back to a state, or counts on. A state that recurs is all
//! the evidence there is to give, for programs of any size and with any memory; the checker replays it. Loops that never repeat a state are for the
//! recurrent sets of *its*. Gives up after a fixed number of runs.

use std::collections::BTreeSet;

use belay_base::Budget;
use belay_evidence::{Claimed, Task, Trace};
use belay_ir::{Op, Operand, Program, Terminator, Type};
use belay_semantics::{Interpreter, RunEnd, Steady};
use dashu::integer::IBig;

use crate::outcome::{GaveUp, Outcome};
use crate::tester::Effort;

/// Numbers of the program that inputs are drawn from.
const MAX_TELLING: usize = 64;

/// A run that never ends, if one is found within `effort`.
pub fn search(task: &Task<'_>, effort: Effort, budget: &Budget) -> Outcome {
    let mut config = task.config.clone();
    config.recurrence = true;
    let interpreter = Interpreter::new(task.program, config);
    let telling = compared_numbers(task.program);
    let mut left = effort.total;
    for seed in 0..effort.runs {
        if left == 0 || budget.check_clock().is_err() {
            break;
        }
        let report = interpreter.run(&mut Steady::new(seed, telling.clone()), &budget.slice(effort.steps.min(left)));
        left = left.saturating_sub(report.steps.max(1));
        match report.end {
            RunEnd::Recurs { .. } => {
                return Outcome::Refuted(Trace { choices: report.choices, claimed: Claimed::Recurrence });
            }
            RunEnd::Unknown { .. } if report.choices.is_empty() => break,
            RunEnd::Exhausted(_)
            | RunEnd::Returned(_)
            | RunEnd::Exited(_)
            | RunEnd::Aborted
            | RunEnd::Violated
            | RunEnd::AssumptionFailed
            | RunEnd::NeedsChoice { .. }
            | RunEnd::BadChoice { .. }
            | RunEnd::Unknown { .. } => {}
        }
    }
    Outcome::GaveUp(GaveUp::because("no run was found that comes back to a state"))
}

/// The constants that the program's own functions compare with, as they are and negated.
fn compared_numbers(program: &Program) -> Vec<IBig> {
    let mut found: BTreeSet<IBig> = BTreeSet::new();
    for function in program.functions.iter().filter(|function| function.is_defined() && !function.is_model) {
        let mut note = |width: u16, value: u128| {
            let number = IBig::from(value);
            let half = IBig::from(1) << (usize::from(width.max(1)) - 1);
            let signed = if number >= half { number - (half << 1) } else { number };
            found.insert(-signed.clone());
            found.insert(signed);
        };
        for (_, inst) in function.placed_insts() {
            if let Op::Compare { lhs, rhs, .. } = &function.insts[inst].op {
                for operand in [lhs, rhs] {
                    if let Operand::Int { width, value } = operand {
                        note(*width, *value);
                    }
                }
            }
        }
        for block in function.blocks.iter() {
            if let Terminator::Switch { value, cases, .. } = &block.term {
                let width = function.operand_type(*value).and_then(Type::int_width).unwrap_or(32);
                cases.iter().for_each(|(case, _)| note(width, *case));
            }
        }
    }
    found.into_iter().take(MAX_TELLING).collect()
}
