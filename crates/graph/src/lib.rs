//! *graph*: symbolic execution graphs (Ströder, Giesl et al., sections 2–5).
//!
//! *Idea.* Execute the program on abstract states; at loop heads generalise ([`merge`]) until every state that arrives there is
//! represented by the one that is kept. A finished graph shows every obligation that no path doubts, and its cycles are an integer
//! transition system for the prover of the crate `its`.
//!
//! *Violations* ([`refute()`]) are looked for on single paths, which are not generalised; the interpreter has to confirm them. What is neither shown nor violated is
//! told with the condition that did not follow and what was known.
//!
//! *Our difference.* One state a place, or a few where one does not do ([`builder`]), kept at *cut points* only (loop heads; all joins if there are too many paths); what
//! is claimed is those states, and the checker executes the code between them anew.
//!
//! *Where it gives up.* An entry function that is recursive, calls through unknown pointers, variable arguments, too many paths, steps used up; and where a
//! loop needs an invariant that is not a conjunction of linear facts about offsets, sizes and cells at known places.

mod arrays;
mod basis;
mod builder;
mod calls;
mod cycles;
mod draw;
mod elements;
mod explore;
mod fixed;
mod guess;
mod hull;
mod known;
#[cfg(test)]
mod laws;
mod lists;
mod merge;
mod modes;
mod numbers;
mod pairing;
mod partners;
mod precision;
mod products;
mod project;
mod rates;
mod refute;
mod rounds;
mod singles;
mod spare;
mod tails;
mod templates;
mod texts;
mod thresholds;
mod trees;
mod waiting;

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Span};
use belay_evidence::{Fact, GaveUp, GraphCertificate, GraphRanking, Outcome, Proof, Task, Verified, Why, checks};
use belay_ir::{ObligationId, Property};
use belay_its::{GaveUp as ItsGaveUp, Its, Outcome as ItsOutcome, prove as prove_its};
use belay_symbolic::{Cases, Halt};

use cycles::rank_cycles;
pub use draw::{Drawing, draw};
use explore::explore_partly;
pub use refute::refute;

/// A finished graph and what it shows.
#[derive(Debug)]
pub struct Explored {
    certificate: GraphCertificate,
    verified: Verified,
    /// True if a more precise one was begun, and more steps might have finished it.
    unfinished: bool,
    /// True if blocks were taken to be no larger than an address space.
    small_blocks: bool,
    /// True if states in different modes were merged.
    met_modes: bool,
}

impl Explored {
    /// True if more steps might show more.
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// The states at the cut points.
    pub fn states(&self) -> &Cases {
        &self.certificate.states
    }

    /// What shows that it is a graph, and nothing of how its cycles end.
    pub fn without_ranking(&self) -> GraphCertificate {
        GraphCertificate { ranking: None, ..self.certificate.clone() }
    }

    /// What it shows where it does not show all; nothing if a path of it ends in what it does not follow.
    pub fn fact(&self, task: &Task<'_>) -> Option<Fact> {
        let is_shown = |id: &ObligationId| !self.verified.doubts.contains_key(id);
        let obligations: BTreeSet<ObligationId> =
            checks(task, &Property::OF_OBLIGATIONS).into_iter().filter(is_shown).collect();
        let is_telling = self.verified.broken.is_none() && !obligations.is_empty() && !self.needs_small_blocks();
        let proof = || Proof::Graph(Box::new(self.without_ranking()));
        is_telling.then(|| Fact { obligations, proof: proof() })
    }

    /// True if what is shown may rest on the size of blocks.
    fn needs_small_blocks(&self) -> bool {
        self.small_blocks && self.verified.bounds_blocks
    }

    /// True if a call that must not be reached may be, in a program with lists: what those hold may be told apart.
    fn doubts_calls_behind_lists(&self, task: &Task<'_>) -> bool {
        let has_lists = || self.certificate.states.values().flatten().any(|state| !state.segments.is_empty());
        let is_doubted = |id: &ObligationId| self.verified.doubts.contains_key(id);
        has_lists() && checks(task, &[Property::UnreachCall]).iter().any(is_doubted)
    }

    /// True if it leaves open what several states a place may show.
    fn is_unsettled(&self, task: &Task<'_>, asked: &[Property]) -> bool {
        self.is_unsafe(task) || self.doubts_calls_behind_lists(task) || self.leaves_modes_open(task, asked)
    }

    /// True if memory is used safely, and lists leave nothing open.
    fn is_only_about_modes(&self, task: &Task<'_>) -> bool {
        !self.is_unsafe(task) && !self.doubts_calls_behind_lists(task)
    }

    /// True if it shows that memory is used safely where the other does not, or is as good there and shows more of what was asked.
    fn shows_more(&self, other: &Explored, task: &Task<'_>, asked: &[Property]) -> bool {
        match (self.is_unsafe(task), other.is_unsafe(task)) {
            (false, true) => true,
            (true, false) => false,
            (false, false) | (true, true) => self.open(task, asked) < other.open(task, asked),
        }
    }

    /// True if states in different modes were merged, and something that was asked is not shown.
    fn leaves_modes_open(&self, task: &Task<'_>, asked: &[Property]) -> bool {
        self.met_modes && self.open(task, asked) > 0
    }

    /// How much of what was asked is not shown.
    fn open(&self, task: &Task<'_>, asked: &[Property]) -> usize {
        let numbers = [Property::UnreachCall, Property::NoOverflow, Property::Arithmetic];
        let asked: Vec<Property> = asked.iter().copied().filter(|property| numbers.contains(property)).collect();
        checks(task, &asked).iter().filter(|id| self.verified.doubts.contains_key(id)).count()
    }

    /// True if it does not show that memory is used safely.
    fn is_unsafe(&self, task: &Task<'_>) -> bool {
        self.verified.doubts_memory(task.simplified) || self.verified.leaks.contains_key(&Property::ValidMemtrack)
    }

    /// The obligations that it does not show.
    pub fn doubts(&self) -> &BTreeMap<ObligationId, Span> {
        &self.verified.doubts
    }
}

/// Builds the graph, or says why there is none.
pub fn explore(task: &Task<'_>, steps: u64, budget: &Budget) -> Result<Explored, GaveUp> {
    explore_for(task, &[], steps, budget)
}

/// The same; `asked` is what it should show, if it can.
pub fn explore_for(task: &Task<'_>, asked: &[Property], steps: u64, budget: &Budget) -> Result<Explored, GaveUp> {
    explore_partly(task, (false, asked), steps, budget, &mut BTreeMap::new())
}

/// The same with runs that go on after an invalid access.
fn explore_beyond(task: &Task<'_>, steps: u64, budget: &Budget) -> Result<Explored, GaveUp> {
    explore_partly(task, (true, &[]), steps, budget, &mut BTreeMap::new())
}

fn gave_up(halt: Halt) -> GaveUp {
    match halt {
        Halt::Exhausted(why) => GaveUp::exhausted(why, "building the graph"),
        Halt::Unable(reason, span) => GaveUp::at(span, Why::NotShown, reason),
        Halt::Unrepresented | Halt::TooManyPaths | Halt::WritesAnywhere => {
            GaveUp::because(Why::NotShown, halt.to_string())
        }
    }
}

/// What the graph says about a property.
pub fn claim(task: &Task<'_>, explored: &Explored, property: Property, steps: u64, budget: &Budget) -> Outcome {
    if property == Property::Termination && explored.verified.doubts_memory(task.simplified) {
        // A second graph may not take the time of the engines that come after it.
        return terminates_anyway(task, steps / 8, budget);
    }
    if property == Property::Termination && explored.needs_small_blocks() {
        return terminates_anyway(task, steps, budget);
    }
    if let Some((name, span)) = explored.verified.doubt(task.simplified, property) {
        let why = explored.verified.missing(task.simplified, property);
        let why = why.filter(|_| !explored.verified.leaks.contains_key(&property)).cloned();
        let gave_up = GaveUp::at(span, Why::NotShown, format!("the graph does not show {name}"));
        return Outcome::GaveUp(gave_up.lacking(why));
    }
    let its = match property {
        Property::Termination => Some(explored.verified.its.clone()),
        Property::ValidMemtrack => explored.verified.activations(&task.config),
        Property::ValidDeref
        | Property::ValidFree
        | Property::MemCleanup
        | Property::NoOverflow
        | Property::Arithmetic
        | Property::UnreachCall => None,
    };
    match its {
        Some(its) => terminates(task, explored, &its, steps, budget),
        None => Outcome::proved(Proof::Graph(Box::new(explored.certificate.clone()))),
    }
}

/// Termination where an access may be invalid: what is proved must not rest on the run's ending there, so that there is another graph.
fn terminates_anyway(task: &Task<'_>, steps: u64, budget: &Budget) -> Outcome {
    let explored = match explore_beyond(task, steps, budget) {
        Ok(explored) => explored,
        Err(gave_up) => return Outcome::GaveUp(gave_up),
    };
    let its = explored.verified.its.clone();
    if let Some((name, span)) = explored.verified.doubt(task.simplified, Property::Termination) {
        return Outcome::GaveUp(GaveUp::at(span, Why::NotShown, format!("the graph does not show {name}")));
    }
    match terminates(task, &explored, &its, steps, budget) {
        Outcome::GaveUp(mut gave_up) => {
            gave_up.reason.also("no proof may rest on an invalid access that ends the run");
            Outcome::GaveUp(gave_up)
        }
        other => other,
    }
}

/// All cycles at once, then one by one; and all at once again, if that was cut off.
fn terminates(task: &Task<'_>, explored: &Explored, its: &Its, steps: u64, budget: &Budget) -> Outcome {
    let states = &explored.certificate.states;
    let proved = |ranking: GraphRanking| {
        let certificate = GraphCertificate { ranking: Some(ranking), ..explored.without_ranking() };
        Outcome::proved(Proof::Graph(Box::new(certificate)))
    };
    let was_cut_off = match prove_its(its, &budget.slice(steps / FIRST_PART)) {
        ItsOutcome::Terminates(certificate) => return proved(GraphRanking::Whole(certificate)),
        ItsOutcome::NonTerminating(_) | ItsOutcome::GaveUp(ItsGaveUp::Inconclusive { .. }) => false,
        ItsOutcome::GaveUp(ItsGaveUp::Exhausted(_)) => true,
        ItsOutcome::GaveUp(why @ (ItsGaveUp::Malformed(_) | ItsGaveUp::Rejected(_))) => {
            return Outcome::GaveUp(GaveUp::because(Why::Internal, format!("internal error: {why:?}")));
        }
    };
    let open = match rank_cycles(task, &explored.verified, (its, states), CYCLE_STEPS, budget) {
        Ok(ranking) => return proved(ranking),
        Err(gave_up) => gave_up,
    };
    match was_cut_off.then(|| prove_its(its, &budget.slice(steps))) {
        Some(ItsOutcome::Terminates(certificate)) => proved(GraphRanking::Whole(certificate)),
        Some(ItsOutcome::NonTerminating(_) | ItsOutcome::GaveUp(_)) | None => Outcome::GaveUp(open),
    }
}

/// All cycles at once get this part of the steps.
const FIRST_PART: u64 = 8;
/// Each of them by itself gets so many.
const CYCLE_STEPS: u64 = 4_000_000;
