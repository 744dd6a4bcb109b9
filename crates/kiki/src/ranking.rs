//! Termination: rankings that descend from round to round, over bit-vectors.
//!
//! **Idea.** Loops are cut as for k-induction and get the same invariants; then for each of them a list of rankings is searched of which the first that
//! changes gets smaller ([`belay_encoder::descent`] says why the loop ends then). The search is guided by counterexamples: a model
//! of a round is a pair of states, which rules out all candidates that get greater from the one to the other. When no round is left in
//! which some candidate gets greater, what remains are the rounds that leave all of them as they are; for these the search begins anew with the candidates
//! that were ruled out, until no round remains. Where no candidate helps, coefficients of a sum are found by linear programming from the states seen so far.
//!
//! **Source.** 2LS paper, section 6.2. **Differences**: the components of the lexicographic order are found one level after the other,
//! each level taking all that never gets greater, which is complete for a fixed set of candidates; a round may be compared with the one after the
//! next, and only if a further one follows (a counter that wraps in the last round of all is no obstacle then).
//!
//! **Soundness.** None needed here: the checker repeats the rounds and asks another solver.
//!
//! **Where it gives up.** Measures with products or bit operations, loops that k-induction can't cut, the unbounded integer model.

use std::collections::BTreeMap;

use belay_base::{Budget, Exhausted, activity};
use belay_encoder::descent::{Observed, Round};
use belay_encoder::{Bounds, Stop};
use belay_evidence::{Descent, GaveUp, Induction, Outcome, Proof, Task, Why, locate};
use belay_invariants::{CutPlace, Cutting};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::TermId;

use super::descent::Search;
use super::domains::Domain;
use super::rankings::Pool;
use super::synthesis::Found;
use super::{CERTAIN, Engine, Options, on_large_stack};

/// Copies, stride and templates.
type Attempt = (u32, u32, Domain);

/// Cheap ones first.
const ATTEMPTS: [Attempt; 10] = [
    (1, 1, Domain::HAVOC),
    (1, 1, Domain::INTERVALS),
    (2, 1, Domain::INTERVALS),
    (1, 1, Domain::ZONES),
    (2, 2, Domain::INTERVALS),
    (2, 1, Domain::ZONES),
    (1, 1, Domain::EQUALITIES),
    (1, 1, Domain::OCTAGONS),
    (3, 3, Domain::INTERVALS),
    (2, 1, Domain::OCTAGONS),
];

/// Tries to prove that the task ends.
pub fn rank(task: &Task<'_>, options: Options, budget: &Budget) -> Outcome {
    let slice = budget.slice(u64::MAX);
    let (config, programs) = (&task.config, (task.program, task.simplified));
    let work = move || {
        let task = Task { program: programs.0, simplified: programs.1, config: config.clone() };
        Engine::new(&task, Property::Termination, options, &slice).rank()
    };
    on_large_stack(work).unwrap_or_else(|reason| Outcome::GaveUp(GaveUp::because(Why::Limit, reason)))
}

impl Engine<'_> {
    fn rank(&self) -> Outcome {
        if self.task.integers() == IntegerModel::Unbounded {
            return Outcome::GaveUp(GaveUp::because(Why::NotAsked, "not a question for this engine"));
        }
        let mut bounds = Bounds::new(1);
        bounds.certain = CERTAIN;
        let mut last = GaveUp::because(Why::Limit, "the search for rankings was not finished");
        let mut cutting = Cutting { k: 1, property: self.property, cuts: Default::default() };
        for attempt in ATTEMPTS {
            let slice = self.budget.slice(self.budget.left() / 3);
            let before = slice.left();
            let result = self.rank_by(&bounds, &mut cutting, attempt, &slice);
            let _ = self.budget.spend(before - slice.left());
            match result {
                Ok(Ok(descent)) => return Outcome::proved(Proof::Descent(Box::new(descent))),
                Ok(Err(Failure::Always(open))) => {
                    last = open;
                    break;
                }
                Ok(Err(Failure::Here(open))) => last = open,
                Err(Stop::TooLarge) => {
                    last.reason = "the cut program is too large".into();
                    break;
                }
                Err(Stop::Exhausted(why)) => {
                    if self.budget.check_clock().is_err() || self.budget.left() == 0 {
                        if why == Exhausted::Steps {
                            last.reason.also(why.to_string());
                        }
                        break;
                    }
                }
            }
        }
        Outcome::GaveUp(last)
    }

    fn rank_by(
        &self,
        bounds: &Bounds,
        cutting: &mut Cutting,
        (k, stride, domain): Attempt,
        budget: &Budget,
    ) -> Result<Result<Descent, Failure>, Stop> {
        cutting.k = k;
        if let Some(open) = self.find_cuts(bounds, cutting, budget)? {
            return Ok(Err(Failure::Always(open)));
        }
        let mut rows = self.rows(cutting, domain);
        if !rows.are_of_use() {
            let reason = "no variable to state an invariant about".to_owned();
            return Ok(Err(Failure::Here(GaveUp::because(Why::NoInvariant, reason))));
        }
        let pool = |(place, cut): (&CutPlace, &_)| {
            (place.clone(), Pool::new(self.task.simplified, cutting, &self.read.borrow(), place, cut))
        };
        let pools: BTreeMap<CutPlace, Pool> = cutting.cuts.iter().map(pool).collect();
        let atoms = pools.iter().map(|(place, pool)| (place.clone(), pool.atoms.clone())).collect();
        let mut encoder = self.encoder();
        encoder.observed = Some(Observed { stride, atoms });
        let (store, unrolling) = encoder.unroll_cut(bounds, rows.cutting().clone(), budget)?;
        let mut found = Found::new(store, unrolling, &rows);
        if !found.settle(&rows, budget)? {
            let reason = "no invariant was found in time".to_owned();
            return Ok(Err(Failure::Here(GaveUp::because(Why::NoInvariant, reason))));
        }
        let mut bad = self.bad_conditions(&found.unrolling);
        if found.possible(&bad, budget)? {
            return Ok(Err(Failure::Here(self.open(&mut found, &rows, domain, k))));
        }
        let mut rankings = BTreeMap::new();
        for (place, pool) in &pools {
            activity::report("kiki", || {
                let (name, span) = locate(self.task.simplified, (place.function, place.head));
                format!("what gets smaller in the loop at {name}:{}", span.line)
            });
            let rounds: Vec<Round> =
                found.unrolling.rounds.iter().filter(|round| round.place == *place).cloned().collect();
            let Some(list) = Search::new(&mut found, pool, &rounds).run(budget)? else {
                return Ok(Err(Failure::Here(self.without_measure(place, domain, k))));
            };
            let failing: Vec<TermId> =
                rounds.iter().map(|round| round.fails(&mut found.store.terms, &pool.atoms, &list)).collect();
            bad.extend(failing);
            rankings.insert(place.clone(), list);
        }
        let needed = found.find_needed(&bad, budget)?;
        rows.fix(&found.values, &needed, &[]);
        let cutting = rows.cutting().clone();
        let induction = Induction { bounds: bounds.clone(), cutting, cover: None, parts: None };
        Ok(Ok(Descent { induction, stride, rankings }))
    }

    fn without_measure(&self, place: &CutPlace, domain: Domain, k: u32) -> GaveUp {
        let (name, span) = locate(self.task.simplified, (place.function, place.head));
        let line = span.line;
        let reason =
            format!("no measure was found for the loop at {name}:{line}, with {} invariants, k = {k}", domain.name());
        GaveUp::at(span, Why::NoInvariant, reason)
    }
}

/// Why an attempt failed.
enum Failure {
    /// Others need not.
    Here(GaveUp),
    /// All will.
    Always(GaveUp),
}
