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
mod cycles;
mod draw;
mod elements;
mod guess;
mod hull;
mod known;
mod lists;
mod merge;
mod numbers;
mod pairing;
mod partners;
mod products;
mod project;
mod refute;
mod singles;
mod spare;
mod tails;
mod templates;
mod texts;
mod thresholds;
mod trees;
mod waiting;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::{Budget, Span};
use belay_evidence::{
    Fact, GaveUp, GraphCertificate, GraphRanking, Outcome, Proof, Task, Verified, Why, checks, verify,
};
use belay_ir::{BlockId, Cfg, Dominators, FuncId, LoopNest, ObligationId, Op, Program, Property};
use belay_its::{GaveUp as ItsGaveUp, Its, Outcome as ItsOutcome, prove as prove_its};
use belay_symbolic::{Cases, Certified, Content, Halt, Key, ListSegment, Machine, Prepared, State, Value};

use builder::{Aged, Builder, Precision};
use cycles::rank_cycles;
pub use draw::{Drawing, draw};
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
}

/// What is taken for granted while a graph is built.
#[derive(Clone, Copy)]
struct Granted {
    /// Runs go on after an invalid access.
    goes_on: bool,
    /// Blocks are no larger than an address space.
    small_blocks: bool,
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

    /// What it shows where it does not show all; nothing if a path of it ends in what it does not follow.
    pub fn fact(&self, task: &Task<'_>) -> Option<Fact> {
        let is_shown = |id: &ObligationId| !self.verified.doubts.contains_key(id);
        let obligations: BTreeSet<ObligationId> =
            checks(task, &Property::OF_OBLIGATIONS).into_iter().filter(is_shown).collect();
        let is_telling = self.verified.broken.is_none() && !obligations.is_empty() && !self.needs_small_blocks();
        let proof = || Proof::Graph(Box::new(GraphCertificate { ranking: None, ..self.certificate.clone() }));
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

    /// True if blocks of a list hold numbers.
    fn has_lists_of_numbers(&self) -> bool {
        let is_number = |content: &Content| matches!(content, Content::Between(..) | Content::Same(Value::Int(_)));
        let holds = |segment: &ListSegment| segment.fields.iter().any(|field| is_number(&field.content));
        self.certificate.states.values().flatten().any(|state| state.segments.values().any(holds))
    }

    /// The obligations that it does not show.
    pub fn doubts(&self) -> &BTreeMap<ObligationId, Span> {
        &self.verified.doubts
    }
}

/// Builds the graph, or says why there is none.
pub fn explore(task: &Task<'_>, steps: u64, budget: &Budget) -> Result<Explored, GaveUp> {
    explore_partly(task, false, steps, budget, &mut BTreeMap::new())
}

/// The same with runs that go on after an invalid access.
fn explore_beyond(task: &Task<'_>, steps: u64, budget: &Budget) -> Result<Explored, GaveUp> {
    explore_partly(task, true, steps, budget, &mut BTreeMap::new())
}

/// The same; `states` are those at cut points, as far as it came.
fn explore_partly(
    task: &Task<'_>,
    goes_on: bool,
    steps: u64,
    budget: &Budget,
    states: &mut Aged,
) -> Result<Explored, GaveUp> {
    let slice = budget.slice(steps);
    let plain = Granted { goes_on, small_blocks: false };
    let first = explore_with(task, plain, Precision::Places, &slice, states);
    let unsafe_memory = |explored: &Explored| {
        explored.verified.doubts_memory(task.simplified)
            || explored.verified.leaks.contains_key(&Property::ValidMemtrack)
    };
    let unsettled = |explored: &Explored| unsafe_memory(explored) || explored.doubts_calls_behind_lists(task);
    // A function that is called may be lost where there is one state a place.
    let mut best = match first {
        Ok(first) if unsettled(&first) => Ok(first),
        Err(gave_up) if gave_up.why == Why::NotShown => Err(gave_up),
        settled => return settled,
    };
    // What one state a place does not show several may.
    let mut has_numbers = best.as_ref().is_ok_and(Explored::has_lists_of_numbers);
    let mut granted = plain;
    let precisions = [Precision::Cases, Precision::Cases, Precision::CasesAndGuesses, Precision::CasesAndPhases];
    for (number, precision) in precisions.into_iter().enumerate() {
        let known = match &best {
            Err(_) if number > 0 => break,
            known => known.as_ref().ok(),
        };
        // A proof that rests on nothing is better than one that rests on the size of blocks.
        granted.small_blocks = number > 0 && !goes_on && known.is_some_and(|best| best.verified.bounds_blocks);
        if (number == 1 && !granted.small_blocks) || (precision == Precision::CasesAndPhases && !has_numbers) {
            continue;
        }
        let mut cases = Aged::new();
        let next = explore_with(task, granted, precision, &slice, &mut cases);
        has_numbers |= next.as_ref().is_ok_and(Explored::has_lists_of_numbers);
        match next {
            Ok(next) if !unsettled(&next) => {
                *states = cases;
                return Ok(next);
            }
            Ok(next) if known.is_none_or(|best| unsafe_memory(best) && !unsafe_memory(&next)) => {
                *states = cases;
                let unfinished = known.is_some_and(|best| best.unfinished);
                best = Ok(Explored { unfinished, ..next });
            }
            Ok(_) => {}
            Err(gave_up) => {
                let is_limit = gave_up.why == Why::Limit;
                best = best.map(|best| Explored { unfinished: best.unfinished || is_limit, ..best });
            }
        }
    }
    best
}

fn explore_with(
    task: &Task<'_>,
    granted: Granted,
    precision: Precision,
    slice: &Budget,
    states: &mut Aged,
) -> Result<Explored, GaveUp> {
    let mut last = None;
    for joins in [false, true] {
        let cuts = Cuts { program: task.simplified, joins, blocks: Default::default() };
        states.clear();
        match build(task, &cuts, (granted, precision), slice, states) {
            Ok(explored) => return Ok(explored),
            Err(halt @ Halt::TooManyPaths) => last = Some(halt),
            Err(halt @ (Halt::Exhausted(_) | Halt::Unable(..) | Halt::Unrepresented)) => return Err(gave_up(halt)),
        }
    }
    Err(last.map_or_else(|| GaveUp::because(Why::NotShown, "no graph"), gave_up))
}

fn gave_up(halt: Halt) -> GaveUp {
    match halt {
        Halt::Exhausted(why) => GaveUp::exhausted(why, "building the graph"),
        Halt::Unable(reason, span) => GaveUp::at(span, Why::NotShown, reason),
        Halt::Unrepresented | Halt::TooManyPaths => GaveUp::because(Why::NotShown, halt.to_string()),
    }
}

/// Which places are cut points.
struct Cuts<'p> {
    program: &'p Program,
    joins: bool,
    blocks: std::cell::RefCell<BTreeMap<FuncId, BTreeSet<BlockId>>>,
}

impl Cuts<'_> {
    fn is_cut(&self, key: &Key) -> bool {
        let Some((function, block, index)) = key.last() else { return false };
        let body = &self.program.functions[*function];
        let phis = |inst: &&belay_ir::InstId| matches!(body.insts[**inst].op, Op::Phi { .. });
        if *index != body.blocks[*block].insts.iter().take_while(phis).count() {
            return false;
        }
        let mut known = self.blocks.borrow_mut();
        known.entry(*function).or_insert_with(|| self.cuts_of(*function)).contains(block)
    }

    fn cuts_of(&self, id: FuncId) -> BTreeSet<BlockId> {
        let function = &self.program.functions[id];
        let cfg = Cfg::new(function);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let mut cuts: BTreeSet<BlockId> = nest.iter().flat_map(|(_, found)| found.heads.iter().copied()).collect();
        if self.joins {
            cuts.extend(cfg.reverse_postorder().iter().filter(|block| cfg.predecessors(**block).len() > 1));
        }
        cuts
    }
}

/// Times that a graph is mended at most.
const MAX_AGAIN: u32 = 4;

/// Executes and generalises until nothing changes.
fn build(
    task: &Task<'_>,
    cuts: &Cuts<'_>,
    (Granted { goes_on, small_blocks }, precision): (Granted, Precision),
    budget: &Budget,
    states: &mut Aged,
) -> Result<Explored, Halt> {
    let prepared = Rc::new(Prepared::new(task.simplified));
    let mut builder = Builder {
        task,
        cuts,
        goes_on,
        small_blocks,
        budget,
        oracle: Certified::new(budget),
        precision,
        states,
        prepared: Rc::clone(&prepared),
        thresholds: BTreeMap::new(),
        of_loops: BTreeMap::new(),
        callers: BTreeMap::new(),
    };
    builder.settle()?;
    for _ in 0..MAX_AGAIN {
        let states = kept(builder.states);
        let mut machine = Machine::sharing(&prepared, task.simplified, &task.config, &mut builder.oracle, budget);
        machine.explains = true;
        (machine.goes_on, machine.small_blocks) = (goes_on, small_blocks);
        match verify(&mut machine, &states) {
            Ok(verified) => {
                let certificate = GraphCertificate { states, ranking: None };
                return Ok(Explored { certificate, verified, unfinished: false, small_blocks });
            }
            Err(halt) if halt != Halt::Unrepresented || !builder.settle_again()? => return Err(halt),
            Err(_) => {}
        }
    }
    Err(Halt::Unrepresented)
}

fn kept(states: &Aged) -> Cases {
    let case = |(key, cases): (&Key, &Vec<_>)| {
        (key.clone(), cases.iter().map(|(state, _): &(_, _)| State::clone(state)).collect())
    };
    states.iter().map(case).collect()
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
        let why = why.filter(|_| !explored.verified.leaks.contains_key(&property));
        let why = why.map(|missing| format!(": {missing}")).unwrap_or_default();
        return Outcome::GaveUp(GaveUp::at(span, Why::NotShown, format!("the graph does not show {name}{why}")));
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
            gave_up.reason.push_str("; no proof may rest on an invalid access that ends the run");
            Outcome::GaveUp(gave_up)
        }
        other => other,
    }
}

/// All cycles at once, then one by one; and all at once again, if that was cut off.
fn terminates(task: &Task<'_>, explored: &Explored, its: &Its, steps: u64, budget: &Budget) -> Outcome {
    let states = &explored.certificate.states;
    let proved = |ranking: GraphRanking| {
        let certificate = GraphCertificate { states: states.clone(), ranking: Some(ranking) };
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
const CYCLE_STEPS: u64 = 500_000;
