//! Inputs that do not matter become 0, and uninitialised bytes alike: the run is made again, and the change stays if it still violates the same
//! property at the same place.

use belay_base::Budget;
use belay_evidence::{Claimed, Counterexample, Task};
use belay_interpreter::{Interpreter, Script};
use belay_ir::Property;
use belay_rules::{Choice, Scalar};
use dashu::integer::IBig;

/// Runs that are made at most, and instructions of all of them together.
const MOST_RUNS: usize = 200;
const MOST_STEPS: u64 = 50_000_000;

/// The choices of the run, as many inputs 0 as was found possible.
pub fn shrink(task: &Task<'_>, property: Property, counterexample: &Counterexample) -> Vec<Choice> {
    let mut choices = counterexample.trace.choices.clone();
    let steps = counterexample.violation.as_ref().map_or(u64::MAX, |violation| violation.step).max(1);
    // Which state a run comes back to changes with everything.
    if counterexample.trace.claimed == Claimed::Recurrence || counterexample.violation.is_none() {
        return choices;
    }
    let fill = FILLS.iter().map(|byte| fill(&choices, *byte));
    if let Some(alike) = { fill }.find(|alike| violates(task, property, counterexample, alike, steps)) {
        choices = alike;
    }
    let runs = (MOST_STEPS / steps).min(MOST_RUNS as u64) as usize;
    let inputs: Vec<usize> = (0..choices.len()).filter(|at| zero(&choices[*at]).is_some()).take(runs).collect();
    for at in inputs {
        let Some(zero) = zero(&choices[at]) else { continue };
        let before = std::mem::replace(&mut choices[at], zero);
        if !violates(task, property, counterexample, &choices, steps) {
            choices[at] = before;
        }
    }
    choices
}

/// What compilers can fill uninitialised variables with.
const FILLS: [u8; 2] = [0, 0xaa];

/// The same choices with all uninitialised bytes alike.
fn fill(choices: &[Choice], byte: u8) -> Vec<Choice> {
    let fill = |choice: &Choice| match choice {
        Choice::Undefined(_) => Choice::Undefined(byte),
        other => other.clone(),
    };
    choices.iter().map(fill).collect()
}

fn violates(
    task: &Task<'_>,
    property: Property,
    counterexample: &Counterexample,
    choices: &[Choice],
    steps: u64,
) -> bool {
    let mut script = Script::new(choices.iter().cloned());
    let budget = Budget::steps(steps.saturating_mul(4).saturating_add(10_000));
    let report = Interpreter::new(task.program, task.config.clone()).run(&mut script, &budget);
    let wanted = counterexample.violation.as_ref();
    let found = counterexample.trace.claimed.find(&report).filter(|found| found.property == property);
    found.is_some_and(|found| wanted.is_some_and(|wanted| found.stack == wanted.stack))
}

/// 0 of the same type, if the choice is an input that is another number.
fn zero(choice: &Choice) -> Option<Choice> {
    let Choice::Input(value) = choice else { return None };
    match value {
        Scalar::Int { width, value } if *value != IBig::ZERO => Some(Choice::Input(Scalar::int(*width, 0))),
        Scalar::F32(value) if value.to_bits() != 0 => Some(Choice::Input(Scalar::F32(0.0))),
        Scalar::F64(value) if value.to_bits() != 0 => Some(Choice::Input(Scalar::F64(0.0))),
        Scalar::Int { .. } | Scalar::F32(_) | Scalar::F64(_) => None,
    }
}
