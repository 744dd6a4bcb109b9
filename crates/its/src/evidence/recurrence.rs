//! Checks recurrent sets.
//!
//! *Why sound.* The stem is run with concrete values, so its last state is reached. In each state of
//! the set some move is possible (no combination of failing guard atoms, one of each move, fits the
//! set), and each possible move leads back into the set; a move has at least one transition. So the run
//! goes on for ever.

use belay_base::Budget;
use belay_linear::{Rat, Var};

use super::path::Path;
use super::{Move, Premises, RecurrentSet, Rejection};
use crate::poly::Poly;
use crate::system::{Atom, Its, LocId, Sign};

/// Checks that `set` proves that some run of `its` is infinite.
pub fn check_recurrence(its: &Its, set: &RecurrentSet, budget: &Budget) -> Result<(), Rejection> {
    its.validate().map_err(Rejection::Malformed)?;
    replay(its, set)?;
    let mut moves: Vec<(LocId, Vec<Atom>)> = Vec::new();
    for (index, step) in set.moves.iter().enumerate() {
        moves.push(check_move(its, set, step, budget)?.ok_or(Rejection::Move(index))?);
    }
    for (location, states) in &set.states {
        let here = moves.iter().filter(|(from, _)| from == location);
        let guards: Vec<&[Atom]> = here.map(|(_, guard)| guard.as_slice()).collect();
        if !is_covered(its.vars.len(), states, &guards, budget)? {
            return Err(Rejection::Stuck(*location));
        }
    }
    Ok(())
}

fn replay(its: &Its, set: &RecurrentSet) -> Result<(), Rejection> {
    let whole = |values: &[Rat]| values.iter().all(Rat::is_integer);
    if set.initial.len() != its.vars.len() || !whole(&set.initial) {
        return Err(Rejection::Stem(0));
    }
    let (mut location, mut state) = (its.start, set.initial.clone());
    for (index, (id, extras)) in set.stem.iter().enumerate() {
        let failed = || Rejection::Stem(index);
        let step = its.transitions.get(*id).filter(|t| t.from == location).ok_or_else(failed)?;
        if extras.len() != step.extras as usize || !whole(extras) {
            return Err(failed());
        }
        state = step.step(&state, extras).ok_or_else(failed)?;
        location = step.to;
    }
    let inside = |atoms: &Vec<Atom>| atoms.iter().all(|a| a.holds(|var| state[var.index()].clone()));
    match set.states.get(&location).is_some_and(inside) {
        true => Ok(()),
        false => Err(Rejection::Stem(set.stem.len())),
    }
}

/// The move's source and guard, if it keeps to the set.
fn check_move(
    its: &Its,
    set: &RecurrentSet,
    step: &Move,
    budget: &Budget,
) -> Result<Option<(LocId, Vec<Atom>)>, Rejection> {
    let vars = its.vars.len();
    let Some(path) = Path::of(its, &step.path) else {
        return Ok(None);
    };
    let (Some(source), Some(target)) = (set.states.get(&path.from), set.states.get(&path.to)) else {
        return Ok(None);
    };
    let polys = step.choices.iter().chain(source.iter().chain(target).map(|atom| &atom.poly));
    if step.choices.len() != path.extras || !polys.clone().all(|poly| fits(poly, vars)) {
        return Ok(None);
    }
    let chosen = |var: Var| match var.index().checked_sub(vars) {
        None => Poly::var(var),
        Some(extra) => step.choices[extra].clone(),
    };
    let guard: Vec<Atom> = path.guard.iter().map(|atom| atom.substitute(chosen)).collect();
    let goals: Vec<Atom> = target.iter().map(|atom| path.after(atom).substitute(chosen)).collect();
    let hints: Vec<Poly> = goals.iter().map(|goal| goal.poly.clone()).collect();
    let mut premises = Premises::new(vars, &[source.as_slice(), &guard].concat(), &hints);
    for goal in &goals {
        if !premises.entail(goal, budget)? {
            return Ok(None);
        }
    }
    Ok(Some((path.from, guard)))
}

/// Integer coefficients, program variables only.
fn fits(poly: &Poly, vars: usize) -> bool {
    poly.vars().all(|var| var.index() < vars) && poly.terms().iter().all(|(_, a)| a.is_integer())
}

/// What a case of [`is_covered`] counts.
const CASE_STEPS: u64 = 400;

/// True if in every state of `known` one of the guards holds.
fn is_covered(vars: usize, known: &[Atom], guards: &[&[Atom]], budget: &Budget) -> Result<bool, Rejection> {
    // The cases multiply, and stating one is most of its work.
    budget.spend(CASE_STEPS)?;
    if Premises::new(vars, known, &[]).contradictory(budget)? {
        return Ok(true);
    }
    let Some((first, rest)) = guards.split_first() else {
        return Ok(false);
    };
    for failing in first.iter().flat_map(negations) {
        if !is_covered(vars, &[known, &[failing]].concat(), rest, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn negations(atom: &Atom) -> Vec<Atom> {
    let one = Poly::constant(1);
    let below = Atom::non_negative(atom.poly.scaled(&Rat::MINUS_ONE).minus(&one));
    match atom.sign {
        Sign::NonNegative => vec![below],
        Sign::Zero => vec![below, Atom::non_negative(atom.poly.minus(&one))],
    }
}
