//! *nontermination*: runs that come back to a state (2LS paper, section 6.3: singleton recurrent sets by unrolling).
//!
//! The interpreter runs the program with inputs that become steady: each place that asks gets the same value for ever. The loops
//! of such a run are deterministic, so that one which does not end soon comes back to a state, or counts on. A state that recurs is all
//! the evidence there is to give, for programs of any size and with any memory; the checker replays it. Every other run varies one or two inputs of
//! the longest run so far that ended, which leads through programs that leave their loop for many reasons. Loops that never repeat a state are for the
//! recurrent sets of *its*; or, where a run goes on for long, *kiki* may prove that with its inputs no end is ever reached
//! ([`belay_evidence::Unending`]). Gives up after a fixed number of runs.

use std::collections::BTreeSet;

use belay_base::{Budget, Span};
use belay_evidence::{Claimed, Evidence, Fixed, GaveUp, Outcome, Proof, Task, Trace, Unending, Why, without_end};
use belay_interpreter::{FixedInput, Interpreter, RunEnd, Steady};
use belay_ir::{FuncId, Function, Op, Operand, Program, Property, Terminator, Type};
use dashu::integer::IBig;

use crate::kiki;
use crate::tester::Effort;

/// Numbers of the program that inputs are drawn from.
const MAX_TELLING: usize = 64;

/// Inputs for which a proof is tried.
const MAX_ATTEMPTS: usize = 3;

/// A run that never ends, if one is found within `effort`.
pub fn search(task: &Task<'_>, effort: Effort, budget: &Budget) -> Outcome {
    runs(task, effort, &mut Vec::new(), budget)
}

/// Runs that never end, one for each place at which a state recurs, as far as they are found within `effort`.
pub fn search_all(task: &Task<'_>, effort: Effort, budget: &Budget) -> Vec<Trace> {
    let mut found: Vec<((FuncId, Span), Trace)> = Vec::new();
    steady_runs(task, effort, &mut Vec::new(), budget, &mut |trace, place| {
        if found.iter().all(|(known, _)| *known != place) {
            found.push((place, trace));
        }
        true
    });
    found.into_iter().map(|(_, trace)| trace).collect()
}

/// The same; and a proof of at most so many steps that inputs with which the run goes on for long keep it going for ever.
pub fn search_longer(task: &Task<'_>, effort: Effort, steps: u64, budget: &Budget) -> Outcome {
    let mut going = Vec::new();
    let outcome = runs(task, effort, &mut going, budget);
    if !matches!(outcome, Outcome::GaveUp(_)) {
        return outcome;
    }
    let fixed = going.into_iter().take(MAX_ATTEMPTS).flat_map(|inputs| {
        let fills: &[u8] = if leaves_open(task.simplified) { &[0xff, 0] } else { &[0] };
        fills.iter().map(move |fill| Fixed { inputs: inputs.clone(), fill: *fill })
    });
    for fixed in fixed {
        if let Some(claim) = unending(task, fixed, &budget.slice(steps)) {
            return Outcome::Claims(Evidence::Unending(Box::new(claim)));
        }
    }
    outcome
}

/// True if the program reads a variable that it has not set.
fn leaves_open(program: &Program) -> bool {
    let reads = |function: &Function| {
        function.placed_insts().any(|(_, inst)| matches!(function.insts[inst].op, Op::Arbitrary { uninit: Some(_) }))
    };
    program.functions.iter().any(reads)
}

/// A proof that the program with these inputs can't end.
fn unending(task: &Task<'_>, fixed: Fixed, budget: &Budget) -> Option<Unending> {
    let program = without_end(task.program, task.config.entry, task.integers(), &fixed).ok()?;
    let closed = Task { program: &program, simplified: &program, config: task.config.clone() };
    let outcomes = kiki::check(&closed, &[Property::UnreachCall], kiki::Options::default(), budget);
    let proved = outcomes.into_iter().find_map(|(_, outcome)| match outcome.proof() {
        Some(Proof::Induction(induction)) => Some(*induction),
        Some(_) | None => None,
    });
    Some(Unending { fixed, induction: proved? })
}

/// Runs with steady inputs; in `going` the inputs of those that go on for as long as they may.
fn runs(task: &Task<'_>, effort: Effort, going: &mut Vec<Vec<FixedInput>>, budget: &Budget) -> Outcome {
    let mut found = None;
    steady_runs(task, effort, going, budget, &mut |trace, _| {
        found = Some(trace);
        false
    });
    found.map_or_else(
        || Outcome::GaveUp(GaveUp::because(Why::Searched, "no run was found that comes back to a state")),
        Outcome::refuted,
    )
}

/// Makes runs as long as `look`, which is given those that never end and where their state recurs, wants more.
fn steady_runs(
    task: &Task<'_>,
    effort: Effort,
    going: &mut Vec<Vec<FixedInput>>,
    budget: &Budget,
    look: &mut dyn FnMut(Trace, (FuncId, Span)) -> bool,
) {
    let mut config = task.config.clone();
    config.recurrence = true;
    let interpreter = Interpreter::new(task.program, config);
    let telling = collect_compared_numbers(task.program);
    let mut left = effort.total;
    let mut longest: Option<(u64, Steady)> = None;
    for seed in 0..effort.runs {
        if left == 0 || budget.check_clock().is_err() {
            break;
        }
        let mut inputs = match &longest {
            Some((_, known)) if seed % 2 == 1 => known.varied(seed),
            Some(_) | None => Steady::new(seed, telling.clone()),
        };
        let report = interpreter.run(&mut inputs, &budget.slice(effort.steps.min(left)));
        left = left.saturating_sub(report.steps.max(1));
        match report.end {
            // C does not say what comes after a signed overflow.
            RunEnd::Recurs { .. } if report.violation_of(Property::NoOverflow).is_some() => {}
            RunEnd::Recurs { function, span, .. } => {
                let trace = Trace { choices: report.choices, claimed: Claimed::Recurrence };
                let is_only = trace.choices.is_empty();
                if !look(trace, (function, span)) || is_only {
                    break;
                }
            }
            RunEnd::Unknown { .. } if report.choices.is_empty() => break,
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted | RunEnd::Violated | RunEnd::AssumptionFailed => {
                if longest.as_ref().is_none_or(|(steps, _)| report.steps >= *steps) {
                    longest = Some((report.steps, inputs));
                }
            }
            RunEnd::Exhausted(_) => {
                let fixed = inputs.fixed().map(<[FixedInput]>::to_vec);
                going.extend(fixed.filter(|fixed| !going.contains(fixed)));
            }
            RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } | RunEnd::Unknown { .. } => {}
        }
    }
}

/// The constants that the program's own functions compare with, as they are and negated.
fn collect_compared_numbers(program: &Program) -> Vec<IBig> {
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
