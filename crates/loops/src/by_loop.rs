//! Why single loops end, whatever the others do: for the answers by loop, for programs whose every loop does, and for cycles of graphs.
//!
//! Counters first, which cost nothing; then ranking functions of the transition system in which no other loop goes round for ever ([`alone`]), which costs
//! about the same for each loop whatever their number. A program without recursion whose every loop ends does so itself; that is asked where ranking functions for all of it at
//! once were not found: memory decides in one loop, and hides the counters of another, or there are too many of them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use belay_base::Budget;
use belay_evidence::{LoopPlace, LoopProof, Others, Proof, Task, alone, loops};
use belay_ir::CallGraph;
use belay_its::{Outcome, prove};
use belay_transitions::{Extracted, extract_without_inlining};

use crate::{excerpts, structural};

/// Steps of the search for ranking functions of one loop, where all have to end.
const RANK_STEPS: u64 = 1_000_000;

/// The loops of a program.
pub struct ByLoop<'t> {
    task: &'t Task<'t>,
    extracted: OnceCell<Option<Extracted>>,
    /// What was found of those that were asked about.
    known: BTreeMap<LoopPlace, Option<LoopProof>>,
}

impl<'t> ByLoop<'t> {
    /// Nothing is known of any loop yet.
    pub fn new(task: &'t Task<'t>) -> Self {
        ByLoop { task, extracted: OnceCell::new(), known: BTreeMap::new() }
    }

    /// The counter of a loop, if it has one.
    pub fn count(&self, place: LoopPlace) -> Option<LoopProof> {
        structural::count_loop(self.task, place.function, place.head).map(LoopProof::Counted)
    }

    /// Ranking functions of a loop, if some are found within so many steps.
    pub fn rank(&mut self, place: LoopPlace, steps: u64, budget: &Budget) -> Option<LoopProof> {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let found =
            excerpts::rank(self.task, place, steps / 4, budget).or_else(|| self.rank_in_program(place, steps, budget));
        self.known.insert(place, found.clone());
        found
    }

    fn rank_in_program(&self, place: LoopPlace, steps: u64, budget: &Budget) -> Option<LoopProof> {
        let (program, entry) = (self.task.simplified, self.task.config.entry);
        let extract = || extract_without_inlining(program, entry, self.task.integers()).ok();
        let extracted = self.extracted.get_or_init(extract).as_ref()?;
        [Others::Havocked, Others::Counted].into_iter().find_map(|others| {
            let system = alone(extracted, place, others).ok()?;
            match prove(&system, &budget.slice(steps)) {
                Outcome::Terminates(certificate) => Some(LoopProof::Ranked(others, certificate)),
                Outcome::NonTerminating(_) | Outcome::GaveUp(_) => None,
            }
        })
    }
}

/// A proof that a program ends since it does not recurse and each of its loops ends.
pub fn prove_all(task: &Task<'_>, budget: &Budget) -> Option<Proof> {
    let graph = CallGraph::new(task.simplified);
    if graph.reachable_in_run(task.simplified, task.config.entry).into_iter().any(|id| graph.is_recursive(id)) {
        return None;
    }
    let mut each = ByLoop::new(task);
    let mut proofs = Vec::new();
    for place in loops(task) {
        proofs.push((place, each.count(place).or_else(|| each.rank(place, RANK_STEPS, budget))?));
    }
    Some(Proof::Loops(proofs))
}
