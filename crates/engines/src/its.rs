//! *its*: termination by ranking functions on the program's integer transition system.
//!
//! The crate `transitions` over-approximates the program by a system; the prover of the crate `its` looks for lexicographic
//! linear and nested ranking functions with supporting invariants (Ströder et al., section 5, ends in the same kind of
//! system). What it finds is a proof for the program because every infinite run of the program is one of the system. An infinite
//! run of the system need not be one of the program: it is only claimed, and the checker looks whether its transitions are exact. Where results of
//! calls decide, `summaries` says what is known of them; where all of it at once is too much, each loop is ranked by itself (`by_loop`). Gives up where memory, floats or products
//! decide, where the system is too large, and when the steps are used up.

use belay_base::Budget;
use belay_evidence::{
    Evidence, GaveUp, Outcome, Proof, Ranking, Task, Why, find_marked_unreachable, find_uncovered, has_constant_inputs,
};
use belay_ir::{IntegerModel, Property};
use belay_its::evidence::RecurrentSet;
use belay_its::{GaveUp as ItsGaveUp, Outcome as ItsOutcome, Question, TransId, prove_with};
use belay_loops::prove_all;
use belay_transitions::{Extracted, Summaries, extract};

use crate::summaries;

/// A proof of termination, if there is one within `steps`.
pub fn prove(task: &Task<'_>, property: Property, steps: u64, budget: &Budget) -> Outcome {
    match (decide(task, property, steps, budget), find_marked_unreachable(task)) {
        (Outcome::Claims(Evidence::Proof(_)), Some(what)) => Outcome::GaveUp(GaveUp::not_handled(what)),
        (outcome, _) => outcome,
    }
}

fn decide(task: &Task<'_>, property: Property, steps: u64, budget: &Budget) -> Outcome {
    if property != Property::Termination {
        return Outcome::GaveUp(GaveUp::because(Why::NotAsked, "only termination has ranking functions"));
    }
    if let Some(what) = find_uncovered(task) {
        return Outcome::GaveUp(GaveUp::not_handled(what));
    }
    let extracted = match extract(task.simplified, task.config.entry, task.integers()) {
        Ok(extracted) => extracted,
        Err(reason) => {
            let found = prove_all(task, &budget.slice(steps));
            return found.map_or(Outcome::GaveUp(GaveUp::because(Why::NotHandled, reason)), Outcome::proved);
        }
    };
    let exact = |id: TransId| extracted.openness.get(id).is_some_and(|openness| openness.exact);
    let machine = task.integers() == IntegerModel::Machine;
    let replays = |set: &RecurrentSet| transitions(set).all(exact) && (machine || has_constant_inputs(&extracted, set));
    let question = Question { preferred: Some(&exact), accepts: Some(&replays), ..Question::default() };
    let outcome = prove_with(&extracted.its, &question, &budget.slice(steps));
    let decided = match &outcome {
        ItsOutcome::Terminates(_) => true,
        ItsOutcome::NonTerminating(set) => transitions(set).all(exact),
        ItsOutcome::GaveUp(_) => false,
    };
    if !decided && let Some(ranking) = summaries::rank(task, &extracted, &budget.slice(steps)) {
        return Outcome::proved(Proof::Ranking(Box::new(ranking)));
    }
    if !decided && let Some(proof) = prove_all(task, &budget.slice(steps)) {
        return Outcome::proved(proof);
    }
    conclude(&extracted, outcome)
}

fn transitions(set: &RecurrentSet) -> impl Iterator<Item = TransId> + '_ {
    let stem = set.stem.iter().map(|(id, _)| *id);
    stem.chain(set.moves.iter().flat_map(|step| step.path.iter().copied()))
}

fn conclude(extracted: &Extracted, outcome: ItsOutcome) -> Outcome {
    match outcome {
        ItsOutcome::Terminates(certificate) => {
            let ranking = Ranking { certificate, summaries: Summaries::new() };
            Outcome::proved(Proof::Ranking(Box::new(ranking)))
        }
        ItsOutcome::NonTerminating(set) => Outcome::Claims(Evidence::RecurrentSet(Box::new(set))),
        ItsOutcome::GaveUp(ItsGaveUp::Exhausted(why)) => Outcome::GaveUp(GaveUp::exhausted(why, "ranking")),
        ItsOutcome::GaveUp(ItsGaveUp::Inconclusive { locations }) => {
            let places = locations.iter().filter_map(|location| extracted.places.get(*location).copied().flatten());
            let found: Vec<(String, belay_base::Span)> =
                places.map(|place| belay_evidence::locate(&extracted.program, place)).collect();
            let names: Vec<String> = found.iter().map(|(name, span)| format!("{name}:{}", span.line)).collect();
            let span = found.first().map_or(belay_base::Span::NONE, |(_, span)| *span);
            let reason = format!("no ranking function found for the loops at {}", names.join(", "));
            Outcome::GaveUp(GaveUp::at(span, Why::NoInvariant, reason))
        }
        ItsOutcome::GaveUp(why @ (ItsGaveUp::Malformed(_) | ItsGaveUp::Rejected(_))) => {
            Outcome::GaveUp(GaveUp::because(Why::Internal, format!("internal error: {why:?}")))
        }
    }
}
