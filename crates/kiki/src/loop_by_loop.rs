//! Summaries of loops: each loop is looked at by itself and replaced by what is known of it.
//!
//! **Idea.** The program is executed once with every loop cut ([`belay_encoder::cut`]): a loop is havoc of what it changes, what holds at its head, and the
//! condition of the exit that is taken. Each outermost loop with the code after it is a part of its own ([`Store::local`]); first to last, its
//! candidates are weakened until one execution of its body keeps those that are left, and then what its part must not violate is asked under them. Where that
//! fails, the part is taken together with some before it; where that fails too, the loops at hand get a richer family of candidates.
//!
//! **Source.** Kroening, Sharygina, Tonetta, Tsitovich and Wintersteiger, *Loop summarization using state and transition invariants*, Algorithms 1 to 3: a
//! loop is analysed once and its cost does not multiply with that of others. **Differences**: candidates are rows with bounds, of which the strongest that are kept
//! are searched for, and not only yes or no; a nest is analysed as one, with inner loops cut within.
//!
//! **Soundness.** None needed here: the checker cuts the program anew and asks another solver about each part.
//!
//! **Where it gives up.** As k-induction does, and with floats; each loop is entered at one arbitrary round (`k` is 1).

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, activity};
use belay_encoder::{Bounds, Stop, Store, Unrolling};
use belay_evidence::{GaveUp, Induction, Outcome, Proof, Question, Task, Why, induction_question};
use belay_invariants::{CutPlace, Cutting};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::{BvSolver, SatResult};

use super::domains::Domain;
use super::rows::{BoundCandidate, Rows, Settled};
use super::synthesis::Found;
use super::{CERTAIN, Engine, Options, ask_each};

/// Families of candidates, cheap ones first. Each has the rows of the first.
const LADDER: [Domain; 6] =
    [Domain::INTERVALS, Domain::ZONES, Domain::STEPS, Domain::CONDITIONS, Domain::ELEMENTS, Domain::OCTAGONS];
/// With how many parts before it a part is taken.
const CONTEXTS: [usize; 3] = [0, 1, 3];
/// So few parts are taken together with all before them, too.
const FEW: usize = 8;

/// Tries to prove the properties of a task, loop by loop.
pub fn summarise(task: &Task<'_>, properties: &[Property], budget: &Budget) -> Vec<(Property, Outcome)> {
    ask_each(task, properties, Options::default(), budget, |engine| engine.summarise())
}

/// One execution of the cut program, and how far its parts are.
struct Pass<'p> {
    store: Store<'p>,
    unrolling: Unrolling,
    rows: Rows,
    /// The bounds of all rows.
    values: Vec<BoundCandidate>,
    /// What each part was settled with, and the number of parts before it.
    parts: Vec<(Found<'p>, usize)>,
    /// The loops whose candidates do not suffice.
    weak: BTreeSet<CutPlace>,
    /// Why not, of the first.
    open: Option<GaveUp>,
}

impl Engine<'_> {
    fn summarise(&self) -> Outcome {
        if self.task.integers() == IntegerModel::Unbounded || self.property == Property::Termination {
            return Outcome::GaveUp(GaveUp::because(Why::NotAsked, "not a question for this engine"));
        }
        match self.climb() {
            Ok(outcome) => outcome,
            Err(Stop::TooLarge) => Outcome::GaveUp(GaveUp::because(Why::Limit, "the cut program is too large")),
            Err(Stop::Exhausted(why)) => Outcome::GaveUp(GaveUp::exhausted(why, "summarising loops")),
        }
    }

    /// From family to family, as long as some loop has a richer one.
    fn climb(&self) -> Result<Outcome, Stop> {
        let mut bounds = Bounds::new(1);
        bounds.certain = CERTAIN;
        let mut cutting = Cutting { k: 1, property: self.property, cuts: Default::default() };
        if let Some(open) = self.find_cuts(&bounds, &mut cutting, self.budget)? {
            return Ok(Outcome::GaveUp(open));
        }
        let mut rungs: BTreeMap<CutPlace, usize> = cutting.cuts.keys().map(|place| (place.clone(), 0)).collect();
        let mut settled = Settled::new();
        loop {
            let domain = |place: &CutPlace| LADDER[rungs.get(place).copied().unwrap_or(0)];
            let rows = Rows::loop_by_loop(self.task.simplified, &cutting, &self.read.borrow(), domain);
            let (store, unrolling) = self.encoder().unroll_cut(&bounds, rows.cutting().clone(), self.budget)?;
            if store.terms.has_floats() {
                return Ok(Outcome::GaveUp(GaveUp::because(Why::NotAsked, "floats are not for summaries")));
            }
            let values = rows.starts_at(&settled);
            let (parts, weak) = (Vec::new(), BTreeSet::new());
            let mut pass = Pass { store, unrolling, rows, values, parts, weak, open: None };
            let all = pass.unrolling.parts();
            for part in 0..all {
                activity::report("summary", || format!("{}: loop {} of {all}", self.property.name(), part + 1));
                self.settle_part(&mut pass, part)?;
            }
            let Some(open) = pass.open.take() else {
                let domains = rungs.iter().map(|(place, rung)| (place.clone(), LADDER[*rung].name())).collect();
                return self.claim(pass, bounds, domains);
            };
            settled = pass.rows.collect_settled(&pass.values);
            let mut climbs = false;
            for (_, rung) in rungs.iter_mut().filter(|(place, _)| pass.weak.contains(place)) {
                climbs |= *rung + 1 < LADDER.len();
                *rung = (*rung + 1).min(LADDER.len() - 1);
            }
            if !climbs {
                return Ok(Outcome::GaveUp(open));
            }
        }
    }

    /// Weakens the candidates of one part until they are kept, and asks what the part must not violate, with more and more of what comes before it.
    fn settle_part(&self, pass: &mut Pass<'_>, part: usize) -> Result<(), Stop> {
        let all = (pass.unrolling.parts() <= FEW).then_some(part);
        let mut contexts: Vec<usize> = CONTEXTS.into_iter().chain(all).map(|with| with.min(part)).collect();
        contexts.dedup();
        let (own, before) = (pass.values.clone(), contexts.len());
        for (turn, with) in contexts.into_iter().enumerate() {
            let (store, unrolling) = pass.store.local(&pass.unrolling, part, with);
            let mut found = Found::new(store, unrolling, &pass.rows);
            found.values.clone_from(&own);
            let is_settled = found.settle(&pass.rows, self.budget)?;
            let bad = self.bad_conditions(&found.unrolling);
            let mut is_shown = is_settled && !found.possible(&bad, self.budget)?;
            if is_settled && !is_shown && turn + 1 == before {
                found.lower(&pass.rows, self.budget)?;
                is_shown = !found.possible(&bad, self.budget)?;
            }
            if is_shown {
                pass.values.clone_from(&found.values);
                pass.parts.push((found, with));
                return Ok(());
            }
            if turn + 1 == before {
                self.note_weak(pass, found, is_settled, part);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Notes that a part is not shown: its loops and those right before it get richer candidates.
    fn note_weak<'p>(&self, pass: &mut Pass<'p>, mut found: Found<'p>, is_settled: bool, part: usize) {
        let places = found.unrolling.broken.iter().map(|broken| broken.place.clone());
        let before = pass.parts.last().into_iter().flat_map(|(found, _)| &found.unrolling.broken);
        pass.weak.extend(places.chain(before.map(|broken| broken.place.clone())));
        if pass.open.is_none() {
            let open = match is_settled {
                true => self.open(&mut found, &pass.rows, LADDER[0], 1),
                false => GaveUp::because(Why::Limit, "no invariant was found in time"),
            };
            pass.open = Some(open);
        }
        if is_settled {
            pass.values.clone_from(&found.values);
        } else {
            // What is not kept must not be assumed of the loop where it is context.
            let own = found.unrolling.broken.iter().filter_map(|broken| broken.number);
            own.for_each(|row| pass.values[row as usize] = BoundCandidate::None);
        }
        pass.parts.push((found, part));
    }

    /// The claim: the rows that the parts rest on, last part first, for a part may rest on rows of those before it.
    fn claim(
        &self,
        mut pass: Pass<'_>,
        bounds: Bounds,
        domains: BTreeMap<CutPlace, &'static str>,
    ) -> Result<Outcome, Stop> {
        let mut needed = vec![false; pass.values.len()];
        for (found, _) in pass.parts.iter_mut().rev() {
            found.values.clone_from(&pass.values);
            let mut asked = self.bad_conditions(&found.unrolling);
            let kept =
                found.unrolling.broken.iter().filter(|broken| broken.number.is_some_and(|row| needed[row as usize]));
            asked.extend(kept.map(|broken| broken.condition));
            for (row, is_needed) in found.find_needed(&asked, self.budget)?.into_iter().enumerate() {
                needed[row] |= is_needed;
            }
        }
        let together = pass.parts.iter().map(|(_, with)| *with).collect();
        pass.rows.fix(&pass.values, &needed, &[]);
        let cutting = pass.rows.cutting().clone();
        let parts = Some(belay_evidence::Parts { together, domains });
        let induction = Induction { bounds, cutting, cover: None, parts };
        if !self.holds_together(&induction)? {
            let why = "what is known of the loops one by one does not hold together";
            return Ok(Outcome::GaveUp(GaveUp::because(Why::NoInvariant, why)));
        }
        Ok(Outcome::proved(Proof::Induction(Box::new(induction))))
    }

    /// Asks the checker's own question once more: a part was settled with the rows that were known then, and other parts have changed some since.
    fn holds_together(&self, induction: &Induction) -> Result<bool, Stop> {
        let (program, config) = (self.task.simplified, self.task.config.clone());
        let question = induction_question(program, config, self.property, induction, self.budget);
        let Ok(Question { terms, conditions: _, parts }) = question else { return Ok(false) };
        for part in parts {
            let answer = BvSolver::new().check(&terms, &[part], self.budget).map_err(Stop::Exhausted)?;
            if answer != SatResult::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
