//! Building a graph: with one state a place, and where that loses something with several, told apart in one way after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::Budget;
use belay_evidence::{GaveUp, GraphCertificate, Task, verify};
use belay_ir::{BlockId, Cfg, Dominators, FuncId, LoopNest, Op, Program, Property};
use belay_symbolic::{Cases, Certified, Content, Halt, Key, ListSegment, Machine, Prepared, State, Value};

use super::builder::{Aged, Builder};
use super::modes::Modes;
use super::precision::Precision;
use super::{Explored, gave_up};

/// What is taken for granted while a graph is built, and when it is given up.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Runs go on after an invalid access.
    pub(super) goes_on: bool,
    /// Blocks are no larger than an address space.
    pub(super) small_blocks: bool,
    /// Whether it is finished in any case.
    pub(super) pace: Pace,
}

/// Whether a graph is finished that can't show all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pace {
    /// It is.
    Thorough,
    /// Not where something may have been written anywhere: whatever else it shows, memory safety is not shown.
    Hasty,
}

/// What was met on the way, which says what is worth trying.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Lists whose blocks hold numbers.
    numbers: bool,
    /// States in different modes.
    modes: bool,
    /// Blocks of which it is not known that they fit an address space.
    large_blocks: bool,
}

impl Met {
    /// What a builder has met, whether or not it comes to an end.
    fn note(&mut self, builder: &Builder<'_>) {
        self.numbers |= have_lists_of_numbers(builder.states);
        self.modes |= builder.met_modes;
        self.large_blocks |= builder.met_large_blocks;
    }

    /// True if a precision may show more than others.
    fn asks_for(&self, precision: Precision) -> bool {
        match precision {
            Precision::CasesAndPhases => self.numbers,
            Precision::CasesAndModes | Precision::Machine | Precision::MachineOfDistances => self.modes,
            Precision::Places | Precision::Cases | Precision::CasesAndGuesses | Precision::Rounds => true,
        }
    }
}

/// What is tried, one after the other, where one state a place does not do; whether blocks may be taken to be small. A proof that rests on nothing is better than one
/// that rests on their size.
const ATTEMPTS: [(Precision, bool); 8] = [
    (Precision::Cases, false),
    (Precision::Cases, true),
    (Precision::Machine, true),
    (Precision::MachineOfDistances, true),
    (Precision::CasesAndModes, true),
    (Precision::CasesAndGuesses, true),
    (Precision::CasesAndPhases, true),
    (Precision::Rounds, false),
];

/// What remains for loops that are begun anew where the others may have used up all: one part in so many.
const PART_OF_ROUNDS: u64 = 4;

/// Builds a graph; `states` are those at cut points, as far as it came.
pub(super) fn explore_partly(
    task: &Task<'_>,
    (goes_on, asked): (bool, &[Property]),
    steps: u64,
    budget: &Budget,
    states: &mut Aged,
) -> Result<Explored, GaveUp> {
    let slice = budget.slice(steps);
    let pace = if goes_on { Pace::Thorough } else { Pace::Hasty };
    let plain = Way { goes_on, small_blocks: false, pace };
    let (mut met, mut cut_off) = (Met::default(), false);
    let first = explore_with(task, (plain, Precision::Places), &slice, states, &mut met);
    let (mut best, unable) = match first {
        Ok(first) if first.is_unsettled(task, asked) => (Some(first), None),
        Err(halt) if is_lossy(&halt) => (None, None),
        // A function that is called may be lost where there is one state a place.
        Err(halt @ Halt::Unable(..)) => (None, Some(halt)),
        settled => return settled.map_err(gave_up),
    };
    // What one state a place does not show several may.
    for (number, (precision, may_be_small)) in attempts(best.is_some()).into_iter().enumerate() {
        if best.is_none() && unable.is_some() && number > 0 {
            break;
        }
        let way = Way { small_blocks: may_be_small && met.large_blocks && !goes_on, ..plain };
        let is_about_modes = best.as_ref().is_some_and(|best| best.is_only_about_modes(task));
        if !precision.is_for(is_about_modes)
            || !met.asks_for(precision)
            || (precision == Precision::Cases && way.small_blocks != may_be_small)
        {
            continue;
        }
        let mut cases = Aged::new();
        let own = budget.slice(if best.is_some() { steps } else { steps / PART_OF_ROUNDS });
        let slice = if precision == Precision::Rounds { &own } else { &slice };
        let next = explore_with(task, (way, precision), slice, &mut cases, &mut met);
        match next {
            Ok(next) if !next.is_unsettled(task, asked) => {
                *states = cases;
                return Ok(next);
            }
            Ok(next) if best.as_ref().is_none_or(|best| next.shows_more(best, task, asked)) => {
                *states = cases;
                best = Some(next);
            }
            Err(Halt::Exhausted(_)) => cut_off = true,
            Ok(_) | Err(_) => {}
        }
    }
    let found = match (best, unable) {
        (Some(best), _) => Ok(best),
        (None, Some(halt)) => Err(halt),
        (None, None) => {
            let thorough = Way { pace: Pace::Thorough, ..plain };
            explore_with(task, (thorough, Precision::Places), &budget.slice(steps), states, &mut met)
        }
    };
    found.map(|found| Explored { unfinished: cut_off, ..found }).map_err(gave_up)
}

/// The attempts in order. Where one state a place has lost no pointers that are written through, but does not know all to be valid, the first round of a loop may be what differs.
fn attempts(is_settled: bool) -> Vec<(Precision, bool)> {
    let mut attempts = ATTEMPTS.to_vec();
    if is_settled {
        attempts.sort_by_key(|(precision, _)| *precision != Precision::Rounds);
    }
    attempts
}

/// True if a graph was given up for what generalisation had lost, which states that are told apart may keep.
fn is_lossy(halt: &Halt) -> bool {
    match halt {
        Halt::Unrepresented | Halt::TooManyPaths | Halt::WritesAnywhere => true,
        Halt::Exhausted(_) | Halt::Unable(..) => false,
    }
}

/// True if blocks of a list hold numbers in some state.
fn have_lists_of_numbers(states: &Aged) -> bool {
    let is_number = |content: &Content| matches!(content, Content::Between(..) | Content::Same(Value::Int(_)));
    let holds = |segment: &ListSegment| segment.fields.iter().any(|field| is_number(&field.content));
    states.values().flatten().any(|(state, _)| state.segments.values().any(holds))
}

fn explore_with(
    task: &Task<'_>,
    how: (Way, Precision),
    slice: &Budget,
    states: &mut Aged,
    met: &mut Met,
) -> Result<Explored, Halt> {
    let mut last = Halt::TooManyPaths;
    for joins in [false, true] {
        let cuts = Cuts { program: task.simplified, joins, blocks: Default::default() };
        states.clear();
        match build(task, &cuts, how, slice, (states, met)) {
            Err(halt) => {
                tracing::debug!("{:?}, joins {joins}: {halt}", how.1);
                match halt {
                    Halt::TooManyPaths => last = halt,
                    _ => return Err(halt),
                }
            }
            done => return done,
        }
    }
    Err(last)
}

/// Which places are cut points.
pub(super) struct Cuts<'p> {
    program: &'p Program,
    joins: bool,
    blocks: std::cell::RefCell<BTreeMap<FuncId, BTreeSet<BlockId>>>,
}

impl Cuts<'_> {
    pub(super) fn is_cut(&self, key: &Key) -> bool {
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
    (way, precision): (Way, Precision),
    budget: &Budget,
    (states, met): (&mut Aged, &mut Met),
) -> Result<Explored, Halt> {
    let prepared = Rc::new(Prepared::new(task.simplified));
    let mut builder = Builder {
        task,
        cuts,
        way,
        budget,
        oracle: Certified::new(budget),
        precision,
        states,
        prepared: Rc::clone(&prepared),
        thresholds: BTreeMap::new(),
        of_loops: BTreeMap::new(),
        callers: BTreeMap::new(),
        modes: Modes::of(task.simplified),
        known_modes: BTreeMap::new(),
        met_modes: false,
        met_large_blocks: false,
        restarts: BTreeMap::new(),
    };
    let settled = builder.settle();
    met.note(&builder);
    settled?;
    for _ in 0..MAX_AGAIN {
        let states = kept(builder.states);
        let mut machine = Machine::sharing(&prepared, task.simplified, &task.config, &mut builder.oracle, budget);
        machine.explains = true;
        (machine.goes_on, machine.small_blocks) = (way.goes_on, way.small_blocks);
        machine.splits_sums = precision.splits_sums();
        match verify(&mut machine, &states) {
            Ok(verified) => {
                let certificate = GraphCertificate { states, splits_sums: precision.splits_sums(), ranking: None };
                // Where all modes are apart, distances may be.
                let met_modes = builder.met_modes || precision == Precision::Machine;
                let small_blocks = way.small_blocks;
                return Ok(Explored { certificate, verified, unfinished: false, small_blocks, met_modes });
            }
            Err(halt) if halt != Halt::Unrepresented || !builder.settle_again()? => return Err(halt),
            Err(_) => {}
        }
    }
    Err(Halt::Unrepresented)
}

pub(super) fn kept(states: &Aged) -> Cases {
    let case = |(key, cases): (&Key, &Vec<_>)| {
        (key.clone(), cases.iter().map(|(state, _): &(_, _)| State::clone(state)).collect())
    };
    states.iter().map(case).collect()
}
