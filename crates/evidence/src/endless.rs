//! Runs that never end, by a recurrent set of the program's integer transition system.
//!
//! The system over-approximates the program, so that an infinite run of it need not be one of the program. Along *exact*
//! transitions it is: nothing that the program itself decides was left open there. The check is in four parts: all transitions of
//! the stem and of the moves are exact; the set is reached and closed (`its::evidence` checks that with certified linear
//! arithmetic); an input inside the cycle is one of its type whatever the iteration; and the interpreter, given the
//! inputs of the stem and of some turns of the cycle, follows the run and does not come to an end.
//!
//! Which inputs a type has: of machine integers the transition's own guard says so. In the unbounded model an input of a signed type is any integer, as every other value
//! of that type, so that it may grow from turn to turn; one of another type must be the same in each.

use std::collections::VecDeque;

use belay_base::{Budget, Exhausted, Span};
use belay_expression::{Addend, Binary, Expr, add_up};
use belay_interpreter::{Interpreter, RunEnd, RunReport};
use belay_ir::IntegerModel;
use belay_its::evidence::{Move, RecurrentSet, check_recurrence};
use belay_its::{Its, LocId};
use belay_linear::{Rat, Var};
use belay_rules::{Choice, ChoiceSource, Config, Request, RequestKind, Scalar};
use belay_transitions::{Extracted, Openness, Source, extract};
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
    pub states: Vec<Expr>,
}

/// Turns of the cycle that are replayed.
const TURNS: usize = 40;
/// Instructions of the replay.
const REPLAY_STEPS: u64 = 300_000;

/// Checks that `set` shows a run of the program that never ends; the replayed beginning of that run.
pub fn check(task: &Task<'_>, set: &RecurrentSet, budget: &Budget) -> Result<(RunReport, Vec<Recurrence>), String> {
    if let Some((reason, _)) = structure::find_uncovered(task) {
        return Err(reason);
    }
    let extracted = extract(task.simplified, task.config.entry, task.integers())?;
    check_exact(task, &extracted, set)?;
    check_recurrence(&extracted.its, set, budget).map_err(|rejection| rejection.to_string())?;
    let given = collect_given(&extracted, set)?;
    let moves = set.moves.iter().flat_map(|step| &step.path);
    let leaves_unset = moves.into_iter().any(|id| !extracted.openness[*id].undefined.is_empty());
    let report = replay(task, given, leaves_unset, budget)?;
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
    Ok(())
}

/// True if every turn of the cycle is given the same inputs: in the unbounded model one that grows leaves the range of its C type.
pub fn has_constant_inputs(extracted: &Extracted, set: &RecurrentSet) -> bool {
    set.moves.iter().all(|step| {
        let mut offset = 0;
        step.path.iter().all(|id| {
            let choice = |input: &u32| step.choices.get(offset + *input as usize);
            let constant = |input: &u32| choice(input).is_some_and(|choice| choice.vars().next().is_none());
            let constant = extracted.openness[*id].inputs.iter().all(constant);
            offset += extracted.its.transitions[*id].extras as usize;
            constant
        })
    })
}

/// What the program is given along the stem and some turns of the cycle, in order.
fn collect_given(extracted: &Extracted, set: &RecurrentSet) -> Result<Given, String> {
    let its = &extracted.its;
    let mut given = Given::default();
    let (mut location, mut state) = (its.start, set.initial.clone());
    for (id, extras) in &set.stem {
        given.note(&extracted.openness[*id], extras, |_| false);
        let transition = &its.transitions[*id];
        state = transition.step(&state, extras).ok_or("the stem does not run")?;
        location = transition.to;
    }
    let mut taken = vec![0; set.moves.len()];
    for _ in 0..TURNS {
        // Each move in its turn, as far as it is possible.
        let mut order: Vec<usize> = (0..set.moves.len()).collect();
        order.sort_by_key(|at| taken[*at]);
        let try_move = |at: usize| turn(extracted, &set.moves[at], location, &state).map(|turned| (at, turned));
        let (at, (next, after, asked)) = order.into_iter().find_map(try_move).ok_or("the cycle stops turning")?;
        taken[at] += 1;
        given.append(asked);
        (location, state) = (next, after);
    }
    // Whether an input is within its type shows when the interpreter is given it: a move that asks must be among those replayed.
    let asks = |step: &Move| step.path.iter().any(|id| !extracted.openness[*id].inputs.is_empty());
    if set.moves.iter().zip(taken).any(|(step, taken)| asks(step) && taken == 0) {
        return Err("a move of the cycle that takes an input is not replayed".to_owned());
    }
    Ok(given)
}

type Turned = (LocId, Vec<Rat>, Given);

/// Follows a move from a state, if it is possible there.
fn turn(extracted: &Extracted, step: &Move, location: LocId, state: &[Rat]) -> Option<Turned> {
    let its: &Its = &extracted.its;
    let choices: Vec<Rat> =
        step.choices.iter().map(|choice| choice.evaluate(|var: Var| state[var.index()].clone())).collect();
    let (mut at, mut state, mut offset) = (location, state.to_vec(), 0);
    let mut asked = Given::default();
    for id in &step.path {
        let transition = its.transitions.get(*id).filter(|transition| transition.from == at)?;
        let extras = choices.get(offset..offset + transition.extras as usize)?;
        let grows =
            |input: u32| step.choices.get(offset + input as usize).is_none_or(|choice| choice.vars().next().is_some());
        asked.note(&extracted.openness[*id], extras, grows);
        state = transition.step(&state, extras)?;
        offset += transition.extras as usize;
        at = transition.to;
    }
    Some((at, state, asked))
}

/// An input of the program.
struct GivenInput {
    value: Rat,
    /// Whether it may differ from turn to turn.
    varies: bool,
}

/// Gives these inputs and values of variables that were not set, and then stops.
#[derive(Default)]
struct Given {
    inputs: VecDeque<GivenInput>,
    /// Undefined bytes, in the order in which their variables are declared: a run that looks at them in another order is not followed.
    undefined: VecDeque<u8>,
    /// True if the guards of the transitions keep inputs within their types.
    guarded: bool,
}

impl Given {
    /// What a transition with these extra values asks for.
    fn note(&mut self, openness: &Openness, extras: &[Rat], varies: impl Fn(u32) -> bool) {
        let given = |input: &u32| {
            let value = extras.get(*input as usize).cloned()?;
            Some(GivenInput { value, varies: varies(*input) })
        };
        self.inputs.extend(openness.inputs.iter().filter_map(given));
        for (extra, width) in &openness.undefined {
            let value = extras.get(*extra as usize).and_then(|value| value.to_string().parse::<i128>().ok());
            let bytes = value.unwrap_or_default().to_le_bytes();
            self.undefined.extend(bytes.into_iter().take(usize::from(width.div_ceil(8))));
        }
    }

    fn append(&mut self, mut other: Given) {
        self.inputs.append(&mut other.inputs);
        self.undefined.append(&mut other.undefined);
    }
}

impl ChoiceSource for Given {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        match &request.kind {
            RequestKind::Input { ty: belay_ir::Type::Int(width), range } => {
                let any_size = self.guarded || range.as_ref().is_some_and(|(least, _)| *least < IBig::ZERO);
                if self.inputs.front().is_some_and(|input| input.varies && !any_size) {
                    return None;
                }
                let value: IBig = self.inputs.pop_front()?.value.to_string().parse().ok()?;
                Some(Choice::Input(Scalar::int(*width, value)))
            }
            RequestKind::Undefined => self.undefined.pop_front().map(Choice::Undefined),
            RequestKind::Input { .. }
            | RequestKind::Address { .. }
            | RequestKind::AllocFails { .. }
            | RequestKind::Arbitrary { .. }
            | RequestKind::ArgCount { .. }
            | RequestKind::ArgString { .. } => None,
        }
    }
}

/// Follows the run; it may only stop for what each turn of the cycle asks for, once the turns are used up.
fn replay(task: &Task<'_>, mut given: Given, leaves_unset: bool, budget: &Budget) -> Result<RunReport, String> {
    given.guarded = task.integers() == IntegerModel::Machine;
    let config = Config { wide_inputs: !given.guarded, ..task.config.clone() };
    let report = Interpreter::new(task.program, config).run(&mut given, &budget.slice(REPLAY_STEPS));
    match &report.end {
        // An input that was not asked for in time is not known to be one of its type, if no guard says so.
        RunEnd::Exhausted(Exhausted::Steps) | RunEnd::Recurs { .. } if given.guarded || given.inputs.is_empty() => {
            Ok(report)
        }
        RunEnd::NeedsChoice { request }
            if given.inputs.is_empty() && matches!(request.kind, RequestKind::Input { .. })
                || leaves_unset && given.undefined.is_empty() && matches!(request.kind, RequestKind::Undefined) =>
        {
            Ok(report)
        }
        end => Err(format!("the run does not go on but ends with {end:?}")),
    }
}

fn describe(extracted: &Extracted, set: &RecurrentSet) -> Vec<Recurrence> {
    let condition = |atom: &belay_its::Atom| {
        let sign = match atom.sign {
            belay_its::Sign::NonNegative => Binary::AtLeast,
            belay_its::Sign::Zero => Binary::Equal,
        };
        Some(Expr::binary(sign, polynomial(extracted, &atom.poly)?, Expr::Integer(0)))
    };
    let place = |(location, atoms): (&LocId, &Vec<belay_its::Atom>)| {
        let (function, span) = crate::ranking::locate(&extracted.program, (*extracted.places.get(*location)?)?);
        Some(Recurrence { function, span, states: atoms.iter().filter_map(condition).collect() })
    };
    set.states.iter().filter_map(place).collect()
}

fn polynomial(extracted: &Extracted, poly: &belay_its::Poly) -> Option<Expr> {
    let product = |vars: &[belay_linear::Var]| {
        let factors = vars.iter().map(|var| crate::ranking::variable(extracted, var.index()));
        factors.reduce(|left, right| Expr::binary(Binary::Mul, left, right))
    };
    let parts = poly.terms().iter().filter_map(|(monomial, a)| {
        let factors = product(monomial.factors())?;
        Some(crate::ranking::number(a).map(|number| (number, factors)))
    });
    Some(add_up(&parts.collect::<Option<Vec<Addend>>>()?, crate::ranking::number(&poly.offset())?))
}
