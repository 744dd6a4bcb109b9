//! Proofs by k-induction: the loops cut, the number of copies, and the invariants.
//!
//! The check executes the cut program anew, with what the proof says of each loop, and nothing else of the search: whether the cuts
//! describe what comes back, and one question for Z3, which shares nothing with the engine's bit-blaster and SAT solver. The
//! question covers base and step alike: can a first round or a later one break an invariant, violate the property, or get where nothing is
//! known ([`belay_encoder::cut`] says why that suffices). A question that is too large, or that Z3 does not answer in
//! time, is not re-checked, and the verdict says so.

use std::collections::BTreeMap;

use belay_base::Budget;
use belay_encoder::{Bounds, Encoder, Store, Unrolling};
use belay_invariants::{Bound, Cut, CutPlace, Cutting, Summary};
use belay_ir::{BlockId, Cfg, Dominators, Function, LoopNest, Program, Property, Terminator};
use belay_logic::bv::TermStore;
use belay_logic::bv::prune::Paving;
use belay_rules::Config;

use crate::answerer::Answerer;
use crate::task::Task;
use crate::unrolled::{Question, Recheck, ask, bad_conditions, solve};

/// A proof by k-induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// How far loops that are not cut are followed.
    pub bounds: Bounds,
    /// The loops that are cut, what they change, and the invariants.
    pub cutting: Cutting,
    /// How the space of the unknowns is cut, so that each part rules out all that is bad.
    pub cover: Option<Paving>,
    /// That each outermost loop is asked about by itself.
    pub parts: Option<Parts>,
}

/// How a cut program is asked about part by part ([`belay_encoder::Store::part_into`] says why that suffices).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// With how many parts before it each part is taken.
    pub together: Vec<usize>,
    /// The family of candidates that each loop's invariants are of; for people.
    pub domains: BTreeMap<CutPlace, &'static str>,
}

impl Induction {
    /// What is known of each loop and of each function that calls itself.
    pub fn summaries(&self, program: &Program) -> Vec<Summary> {
        let of = |(place, cut): (&CutPlace, &Cut)| {
            let domain = self.parts.as_ref().and_then(|parts| parts.domains.get(place).copied());
            match place.head == Function::ENTRY {
                true => Summary::of_recursion(place, cut, domain),
                false => Summary::of_loop(place, cut, domain, exits(program, place)),
            }
        };
        self.cutting.cuts.iter().map(of).collect()
    }
}

/// The edges that leave a loop.
fn exits(program: &Program, place: &CutPlace) -> Vec<(BlockId, Option<BlockId>)> {
    let body = &program.functions[place.function];
    let cfg = Cfg::new(body);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let Some(id) = nest.headed_by(place.head) else { return Vec::new() };
    let mut exits = Vec::new();
    for from in &nest.get(id).blocks {
        let leaves = cfg.successors(*from).iter().filter(|to| !nest.contains(id, **to));
        exits.extend(leaves.map(|to| (*from, Some(*to))));
        if matches!(body.blocks[*from].term, Terminator::Return(_)) {
            exits.push((*from, None));
        }
    }
    exits
}

/// Checks that the induction shows `property`.
pub(crate) fn check(
    task: &Task<'_>,
    property: Property,
    induction: &Induction,
    answerer: Answerer<'_>,
    budget: &Budget,
) -> Result<Recheck, String> {
    if induction.cutting.property != property || induction.cutting.k == 0 {
        return Err("the induction is about something else".to_owned());
    }
    let rows = induction.cutting.cuts.values().flat_map(|cut| cut.rows.iter().chain(&cut.results));
    if rows.into_iter().any(|row| matches!(row.bound, Bound::Parameter(_))) {
        return Err("an invariant is left open".to_owned());
    }
    let (simplified, config) = (task.simplified, task.config.clone());
    let answer = ask(budget, move |budget| {
        let question = question(simplified, config, property, induction, budget)?;
        Ok(question.reduce_question(induction.cover.as_ref(), answerer, budget))
    })?;
    match answer {
        Recheck::Skipped(reason) if induction.parts.is_some() => {
            hold_together(task, property, induction, reason, budget)
        }
        Recheck::Done | Recheck::Skipped(_) => Ok(answer),
    }
}

/// So much of the time that is left, in hundredths, may go into a question that the second solver has left open.
const SHARE_OF_OWN: u32 = 50;

/// The parts of a proof are settled one after the other, each with what is known of the others then: that they hold together is for the check to say. Where the second solver says nothing, our own
/// is asked the whole question, made anew. The answer then rests on one solver, as that of an engine does which has asked the whole question itself, and the verdict says so.
fn hold_together(
    task: &Task<'_>,
    property: Property,
    induction: &Induction,
    reason: String,
    budget: &Budget,
) -> Result<Recheck, String> {
    let (simplified, config) = (task.simplified, task.config.clone());
    let share = budget.share(SHARE_OF_OWN, u64::MAX);
    let holds = solve(&share, move |budget| question(simplified, config, property, induction, budget))?;
    match holds {
        true => Ok(Recheck::Skipped(reason)),
        false => Err(format!("loops by themselves are not confirmed: {reason}")),
    }
}

/// The question of a proof by induction: whether something bad is possible.
pub fn question(
    program: &Program,
    config: Config,
    property: Property,
    induction: &Induction,
    budget: &Budget,
) -> Result<Question, String> {
    let mut encoder = Encoder::new(program, config);
    encoder.wanted = vec![property];
    let unrolled = encoder.unroll_cut(&induction.bounds, induction.cutting.clone(), budget);
    let (mut store, unrolling) = unrolled.map_err(|stop| format!("unrolling stopped: {stop:?}"))?;
    if let Some((place, frame_violation)) = unrolling.frame_violations.first() {
        let function = &program.functions[place.function].name;
        return Err(format!("a loop of {function} does more than the proof says: {frame_violation:?}"));
    }
    if let Some(parts) = &induction.parts {
        return question_by_parts(program, property, (&store, &unrolling), &parts.together);
    }
    let mut bad = bad_conditions(program, property, &unrolling);
    bad.extend(unrolling.broken.iter().map(|broken| broken.condition));
    // Sums over arrays in many loops at once are hard for a solver, those of one loop are not.
    let sums = induction.cutting.cuts.values().flat_map(|cut| &cut.rows).any(|row| row.relation.has_prefix_sum());
    let parts = if sums { bad.clone() } else { Vec::new() };
    let any = store.terms.or_all(bad);
    let mut conditions = store.constraints.clone();
    conditions.push(any);
    Ok(Question { terms: store.terms, conditions, parts })
}

/// The same question in parts, each with terms of its own: none may have an answer.
fn question_by_parts(
    program: &Program,
    property: Property,
    (store, unrolling): (&Store<'_>, &Unrolling),
    together: &[usize],
) -> Result<Question, String> {
    if together.len() != unrolling.parts() {
        return Err("the proof has other parts than the program".to_owned());
    }
    let mut terms = TermStore::new();
    let mut goals = Vec::new();
    for (part, with) in together.iter().enumerate() {
        let (of_part, constraints) = store.part_into(unrolling, (part, *with), &mut terms);
        let mut bad = bad_conditions(program, property, &of_part);
        bad.extend(of_part.broken.iter().map(|broken| broken.condition));
        let any = terms.or_all(bad);
        goals.push(terms.and_all(constraints.into_iter().chain([any])));
    }
    let any = terms.or_all(goals.iter().copied());
    Ok(Question { terms, conditions: vec![any], parts: goals })
}
