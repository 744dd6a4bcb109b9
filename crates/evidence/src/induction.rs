//! Proofs by k-induction: the loops cut, the number of copies, and the invariants.
//!
//! The check executes the cut program anew, with what the proof says of each loop, and nothing else of the search: whether the cuts
//! describe what comes back, and one question for Z3, which shares nothing with the engine's bit-blaster and SAT solver. The
//! question covers base and step alike: can a first round or a later one break an invariant, violate the property, or get where nothing is
//! known ([`belay_encoder::cut`] says why that suffices). A question that is too large, or that Z3 does not answer in
//! time, is not re-checked, and the verdict says so.

use belay_base::Budget;
use belay_encoder::{Bounds, Encoder};
use belay_invariants::{Bound, Cutting};
use belay_ir::{Program, Property};
use belay_logic::bv::prune::Paving;
use belay_rules::Config;

use crate::task::Task;
use crate::unrolled::{Question, Recheck, ask, bad_conditions};

/// A proof by k-induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction {
    /// How far loops that are not cut are followed.
    pub bounds: Bounds,
    /// The loops that are cut, what they change, and the invariants.
    pub cutting: Cutting,
    /// How the space of the unknowns is cut, so that each part rules out all that is bad.
    pub cover: Option<Paving>,
}

/// Checks that the induction shows `property`.
pub fn check(task: &Task<'_>, property: Property, induction: &Induction, budget: &Budget) -> Result<Recheck, String> {
    if induction.cutting.property != property || induction.cutting.k == 0 {
        return Err("the induction is about something else".to_owned());
    }
    let rows = induction.cutting.cuts.values().flat_map(|cut| cut.rows.iter().chain(&cut.results));
    if rows.into_iter().any(|row| matches!(row.bound, Bound::Parameter(_))) {
        return Err("an invariant is left open".to_owned());
    }
    let (simplified, config) = (task.simplified, task.config.clone());
    ask(budget, move |budget| {
        let question = question(simplified, config, property, induction, budget)?;
        Ok(question.reduce_question(induction.cover.as_ref()))
    })
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
    let (mut encoder, unrolling) = unrolled.map_err(|stop| format!("unrolling stopped: {stop:?}"))?;
    if let Some((place, frame_violation)) = unrolling.frame_violations.first() {
        let function = &program.functions[place.function].name;
        return Err(format!("a loop of {function} does more than the proof says: {frame_violation:?}"));
    }
    let mut bad = bad_conditions(program, property, &unrolling);
    bad.extend(unrolling.broken.iter().map(|broken| broken.condition));
    // Sums over arrays in many loops at once are hard for a solver, those of one loop are not.
    let sums = induction.cutting.cuts.values().flat_map(|cut| &cut.rows).any(|row| row.relation.has_prefix_sum());
    let parts = if sums { bad.clone() } else { Vec::new() };
    let any = encoder.terms.or_all(bad);
    let mut conditions = encoder.constraints.clone();
    conditions.push(any);
    Ok(Question { terms: encoder.terms, conditions, parts })
}
