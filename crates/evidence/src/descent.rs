//! Termination by rankings over machine integers: the cut program, its invariants, and for each loop and recursive function a list of rankings.
//!
//! The check executes the cut program anew, as for k-induction, and asks Z3 one question: can a round break an invariant, get where nothing is known,
//! go beyond the bound of a loop that is not cut, or come back to a head without the rankings having descended?
//! [`belay_encoder::descent`] says why it suffices that it can't. Unlike for safety there is no verdict where Z3 has no answer.

use std::collections::BTreeMap;

use belay_base::Budget;
use belay_encoder::Encoder;
use belay_encoder::descent::Observed;
use belay_invariants::RankingFunction;
use belay_invariants::expressions;
use belay_invariants::{Atom, Bound, CutPlace};
use belay_ir::{IntegerModel, Program, Property};
use belay_rules::Config;

use crate::answerer::Answerer;
use crate::induction::Induction;
use crate::ranking::{RankedLoop, locate};
use crate::task::Task;
use crate::unrolled::{Question, Recheck, ask};

/// Why every loop and every recursion ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descent {
    /// The loops that are cut, what they change, and what holds at their heads.
    pub induction: Induction,
    /// After how many rounds the rankings have descended.
    pub stride: u32,
    /// What gets smaller, most significant first.
    pub rankings: BTreeMap<CutPlace, Vec<RankingFunction>>,
}

impl Descent {
    fn collect_observed(&self) -> Observed {
        let atoms = self.rankings.iter().map(|(place, rankings)| {
            let mut atoms: Vec<Atom> = rankings.iter().flat_map(RankingFunction::atoms).cloned().collect();
            atoms.sort();
            atoms.dedup();
            (place.clone(), atoms)
        });
        Observed { stride: self.stride, atoms: atoms.collect() }
    }
}

/// What a check that finds no fault shows.
pub enum Checked {
    /// What gets smaller, by loop.
    Shown(Vec<RankedLoop>),
    /// Nothing, for the second solver has no answer.
    Unanswered(String),
}

/// Checks that the rankings show termination.
pub(crate) fn check(
    task: &Task<'_>,
    descent: &Descent,
    answerer: Answerer<'_>,
    budget: &Budget,
) -> Result<Checked, String> {
    let cutting = &descent.induction.cutting;
    if task.integers() != IntegerModel::Machine {
        return Err("rankings are of machine integers".to_owned());
    }
    if cutting.property != Property::Termination || !(1..=cutting.k).contains(&descent.stride) {
        return Err("the rankings are about something else".to_owned());
    }
    let rows = cutting.cuts.values().flat_map(|cut| cut.rows.iter().chain(&cut.results));
    if rows.into_iter().any(|row| matches!(row.bound, Bound::Parameter(_))) {
        return Err("an invariant is left open".to_owned());
    }
    let (simplified, config) = (task.simplified, task.config.clone());
    match ask(budget, move |budget| {
        Ok(question(simplified, config, descent, budget)?.reduce_question(None, answerer, budget))
    })? {
        Recheck::Done => Ok(Checked::Shown(describe(task.simplified, descent))),
        Recheck::Skipped(reason) => Ok(Checked::Unanswered(reason)),
    }
}

fn question(program: &Program, config: Config, descent: &Descent, budget: &Budget) -> Result<Question, String> {
    let mut encoder = Encoder::new(program, config);
    encoder.wanted = vec![Property::Termination];
    let observed = descent.collect_observed();
    encoder.observed = Some(observed.clone());
    let Induction { bounds, cutting, .. } = &descent.induction;
    let unrolled = encoder.unroll_cut(bounds, cutting.clone(), budget);
    let (mut store, unrolling) = unrolled.map_err(|stop| format!("unrolling stopped: {stop:?}"))?;
    if let Some((place, frame_violation)) = unrolling.frame_violations.first() {
        let function = &program.functions[place.function].name;
        return Err(format!("a loop of {function} does more than the proof says: {frame_violation:?}"));
    }
    let concerned = |of: Option<Property>| of.is_none_or(|of| of == Property::Termination);
    let unknowns = unrolling.unknowns.iter().filter(|unknown| concerned(unknown.property));
    let mut bad: Vec<_> = unknowns.map(|unknown| unknown.condition).collect();
    bad.extend(unrolling.unwound.iter().map(|unwound| unwound.condition));
    bad.extend(unrolling.broken.iter().map(|broken| broken.condition));
    for round in &unrolling.rounds {
        let atoms = observed.atoms.get(&round.place).map_or(&[][..], Vec::as_slice);
        let rankings = descent.rankings.get(&round.place).map_or(&[][..], Vec::as_slice);
        bad.push(round.fails(&mut store.terms, atoms, rankings));
    }
    let any = store.terms.or_all(bad);
    let mut conditions = store.constraints.clone();
    conditions.push(any);
    Ok(Question { terms: store.terms, conditions, parts: Vec::new() })
}

/// A loop that several calls reach is named once for each list of rankings.
fn describe(program: &Program, descent: &Descent) -> Vec<RankedLoop> {
    let mut ranked: Vec<RankedLoop> = Vec::new();
    for (place, rankings) in &descent.rankings {
        let functions = rankings.iter().map(|measure| expressions::ranking_function(program, place, measure)).collect();
        let one = RankedLoop { functions, ..RankedLoop::new(locate(program, (place.function, place.head))) };
        if !ranked.contains(&one) {
            ranked.push(one);
        }
    }
    ranked
}
