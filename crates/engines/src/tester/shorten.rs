//! A run that violates something, made smaller: simpler choices that lead to the same violation. Each trial is a run; a trial that
//! does not violate the same obligation is forgotten, so what is claimed stays real.

use belay_base::Budget;
use belay_evidence::Trace;
use belay_interpreter::{Interpreter, RunReport};
use belay_rules::{Choice, ChoiceSource, Request, Scalar};
use dashu::integer::IBig;

use super::{Effort, answers, violates_again};

/// Trials for one violation, and their steps together.
const TRIALS: usize = 60;
const STEPS: u64 = 3_000_000;

/// Follows a list as far as it fits; beyond it, the simplest choice.
struct Simplest<'c> {
    choices: &'c [Choice],
    at: usize,
    /// Decides what has no simplest value: addresses.
    rest: belay_interpreter::Seeded,
}

impl ChoiceSource for Simplest<'_> {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let known = self.choices.get(self.at);
        self.at += 1;
        match known {
            Some(choice) if answers(choice, &request.kind) => Some(choice.clone()),
            Some(choice @ (Choice::Address(_) | Choice::Arbitrary(_) | Choice::Input(_))) => Some(choice.clone()),
            Some(_) | None => self.rest.choose(request),
        }
    }
}

/// The shortest trace found within a number of trials.
pub(super) fn shorten(interpreter: &Interpreter<'_>, mut trace: Trace, effort: Effort, budget: &Budget) -> Trace {
    let (mut trials, mut left) = (0, STEPS);
    for at in 0..trace.choices.len() {
        for simpler in simpler(&trace.choices[at]) {
            if trials == TRIALS || left == 0 || budget.check_clock().is_err() {
                return trace;
            }
            trials += 1;
            let mut choices = trace.choices.clone();
            choices[at] = simpler;
            let report = follow(interpreter, &choices, effort, budget);
            left = left.saturating_sub(report.steps);
            if let Some(shorter) = violates_again(&report, trace.claimed)
                && shorter.choices.len() <= trace.choices.len()
            {
                trace = shorter;
                break;
            }
        }
        if at + 1 >= trace.choices.len() {
            break;
        }
    }
    trace
}

fn follow(interpreter: &Interpreter<'_>, choices: &[Choice], effort: Effort, budget: &Budget) -> RunReport {
    let mut source = Simplest { choices, at: 0, rest: belay_interpreter::Seeded::new(0) };
    interpreter.run(&mut source, &budget.slice(effort.steps))
}

/// Simpler choices of the same kind, the simplest first.
fn simpler(choice: &Choice) -> Vec<Choice> {
    match choice {
        Choice::Input(Scalar::Int { width, value }) => {
            smaller(value).into_iter().map(|value| Choice::Input(Scalar::Int { width: *width, value })).collect()
        }
        Choice::Arbitrary(Scalar::Int { width, value }) => {
            smaller(value).into_iter().map(|value| Choice::Arbitrary(Scalar::Int { width: *width, value })).collect()
        }
        Choice::Undefined(byte) if *byte != 0 => vec![Choice::Undefined(0)],
        Choice::AllocFails(true) => vec![Choice::AllocFails(false)],
        Choice::ArgString(text) if !text.is_empty() => {
            vec![Choice::ArgString(Vec::new()), Choice::ArgString(text[..text.len() / 2].to_vec())]
        }
        _ => Vec::new(),
    }
}

/// Zero, one, and powers of ten and halves towards the value.
fn smaller(value: &IBig) -> Vec<IBig> {
    let magnitude = if *value < IBig::ZERO { -value.clone() } else { value.clone() };
    let sign = if *value < IBig::ZERO { IBig::from(-1) } else { IBig::from(1) };
    let candidates =
        [IBig::ZERO, IBig::from(1), IBig::from(10), &magnitude / IBig::from(1 << 16), &magnitude / IBig::from(2)];
    candidates.into_iter().filter(|candidate| *candidate < magnitude).map(|candidate| candidate * &sign).collect()
}
