//! Runs that never end, by a recurrent set of the program's integer transition system.
//!
//! The system over-approximates the program, so that an infinite run of it need not be one of the program. Along *exact*
//! transitions it is: nothing that the program itself decides was left open there. The check is in four parts: all transitions of
//! the stem and of the moves are exact; the set is reached and closed (`its::evidence` checks that with certified linear
//! arithmetic); an input inside the cycle is within its type whatever the iteration; and the interpreter, given the
//! inputs of the stem and of some turns of the cycle, follows the run and does not come to an end.

use belay_base::{Budget, Exhausted, Span};
use belay_ir::IntegerModel;
use belay_its::evidence::{Move, RecurrentSet, check_recurrence};
use belay_its::{Its, LocId};
use belay_logic::simplex::{Rat, Var};
use belay_semantics::transitions::{Extracted, Source, extract};
use belay_semantics::{Choice, ChoiceSource, Interpreter, Request, RequestKind, RunEnd, RunReport, Scalar};
use dashu::integer::IBig;

use crate::structure;
use crate::task::Task;

/// A loop that can be kept going for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// The name of the function that it stands in.
    pub function: String,
    /// Where the states are described.
    pub span: Span,
    /// What holds there again and again, over the variables' names.
    pub states: Vec<String>,
}

/// Turns of the cycle that are replayed.
const TURNS: usize = 40;
/// Instructions of the replay.
const REPLAY_STEPS: u64 = 300_000;

/// Checks that `set` shows a run of the program that never ends; the replayed beginning of that run.
pub fn check(task: &Task<'_>, set: &RecurrentSet, budget: &Budget) -> Result<(RunReport, Vec<Recurrence>), String> {
    if let Some((reason, _)) = structure::uncovered(task) {
        return Err(reason);
    }
    let extracted = extract(task.simplified, task.config.entry, task.integers())?;
    check_exact(task, &extracted, set)?;
    check_recurrence(&extracted.its, set, budget).map_err(|rejection| rejection.to_string())?;
    let inputs = inputs_of(&extracted, set)?;
    let report = replay(task, inputs, budget)?;
    Ok((report, describe(&extracted, set)))
}

fn check_exact(task: &Task<'_>, extracted: &Extracted, set: &RecurrentSet) -> Result<(), String> {
    let is_entry_param =
        |source: &Source| matches!(source, Source::Param(function, _) if *function == task.config.entry);
    if extracted.sources.iter().any(is_entry_param) {
        return Err("the entry function's arguments are not free".to_owned());
    }
    let stem = set.stem.iter().map(|(id, _)| id);
    let moves = set.moves.iter().flat_map(|step| &step.path);
    for id in stem.chain(moves) {
        let openness = extracted.openness.get(*id).ok_or("no such transition")?;
        if !openness.exact {
            return Err("a transition of the run is not exact".to_owned());
        }
    }
    match task.integers() {
        // Inputs are within their type by the transition's own guard.
        IntegerModel::Machine => Ok(()),
        IntegerModel::Unbounded => set.moves.iter().try_for_each(|step| check_constant_inputs(extracted, step)),
    }
}

/// In the unbounded model an input that grows would leave the range of its C type.
fn check_constant_inputs(extracted: &Extracted, step: &Move) -> Result<(), String> {
    let mut offset = 0;
    for id in &step.path {
        for input in &extracted.openness[*id].inputs {
            let choice = step.choices.get(offset + *input as usize).ok_or("a choice is missing")?;
            if choice.vars().next().is_some() {
                return Err("an input of the cycle is not constant".to_owned());
            }
        }
        offset += extracted.its.transitions[*id].extras as usize;
    }
    Ok(())
}

/// The inputs of the stem and of some turns of the cycle, in order.
fn inputs_of(extracted: &Extracted, set: &RecurrentSet) -> Result<Vec<Rat>, String> {
    let its = &extracted.its;
    let mut inputs = Vec::new();
    let (mut location, mut state) = (its.start, set.initial.clone());
    for (id, extras) in &set.stem {
        inputs.extend(extracted.openness[*id].inputs.iter().filter_map(|input| extras.get(*input as usize).cloned()));
        let transition = &its.transitions[*id];
        state = transition.step(&state, extras).ok_or("the stem does not run")?;
        location = transition.to;
    }
    let mut taken = vec![false; set.moves.len()];
    for _ in 0..TURNS {
        let moves = set.moves.iter().enumerate();
        let turned =
            { moves }.find_map(|(at, step)| turn(extracted, step, location, &state).map(|turned| (at, turned)));
        let (at, (next, after, asked)) = turned.ok_or("the cycle stops turning")?;
        taken[at] = true;
        inputs.extend(asked);
        (location, state) = (next, after);
    }
    // Whether an input is within its type shows when the interpreter is given it: a move that asks must be among those replayed.
    let asks = |step: &Move| step.path.iter().any(|id| !extracted.openness[*id].inputs.is_empty());
    if set.moves.iter().zip(taken).any(|(step, taken)| asks(step) && !taken) {
        return Err("a move of the cycle that takes an input is not replayed".to_owned());
    }
    Ok(inputs)
}

type Turned = (LocId, Vec<Rat>, Vec<Rat>);

/// Follows a move from a state, if it is possible there.
fn turn(extracted: &Extracted, step: &Move, location: LocId, state: &[Rat]) -> Option<Turned> {
    let its: &Its = &extracted.its;
    let choices: Vec<Rat> =
        step.choices.iter().map(|choice| choice.evaluate(|var: Var| state[var.index()].clone())).collect();
    let (mut at, mut state, mut offset) = (location, state.to_vec(), 0);
    let mut asked = Vec::new();
    for id in &step.path {
        let transition = its.transitions.get(*id).filter(|transition| transition.from == at)?;
        let extras = choices.get(offset..offset + transition.extras as usize)?;
        asked.extend(extracted.openness[*id].inputs.iter().filter_map(|input| extras.get(*input as usize).cloned()));
        state = transition.step(&state, extras)?;
        offset += transition.extras as usize;
        at = transition.to;
    }
    Some((at, state, asked))
}

/// Gives these inputs and then stops.
struct Given {
    inputs: std::collections::VecDeque<Rat>,
}

impl ChoiceSource for Given {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let RequestKind::Input { ty: belay_ir::Type::Int(width), .. } = request.kind else { return None };
        let value: IBig = self.inputs.pop_front()?.to_string().parse().ok()?;
        Some(Choice::Input(Scalar::int(width, value)))
    }
}

fn replay(task: &Task<'_>, inputs: Vec<Rat>, budget: &Budget) -> Result<RunReport, String> {
    let mut given = Given { inputs: inputs.into() };
    let report = Interpreter::new(task.program, task.config.clone()).run(&mut given, &budget.slice(REPLAY_STEPS));
    match &report.end {
        RunEnd::Exhausted(Exhausted::Steps) | RunEnd::Recurs { .. } => Ok(report),
        RunEnd::NeedsChoice { request }
            if given.inputs.is_empty() && matches!(request.kind, RequestKind::Input { .. }) =>
        {
            Ok(report)
        }
        end => Err(format!("the run does not go on but ends with {end:?}")),
    }
}

fn describe(extracted: &Extracted, set: &RecurrentSet) -> Vec<Recurrence> {
    let text = |atom: &belay_its::Atom| {
        let sign = match atom.sign {
            belay_its::Sign::NonNegative => ">=",
            belay_its::Sign::Zero => "==",
        };
        format!("{} {sign} 0", atom.poly.display(|var| crate::ranking::plain_name(extracted, var.index())))
    };
    let place = |(location, atoms): (&LocId, &Vec<belay_its::Atom>)| {
        let (function, span) = crate::ranking::locate(&extracted.program, (*extracted.places.get(*location)?)?);
        Some(Recurrence { function, span, states: atoms.iter().map(text).collect() })
    };
    set.states.iter().filter_map(place).collect()
}
