//! Executes and generalises until every state that arrives at a cut point is represented by one that is kept there.
//!
//! *Cases*: a place has one state, unless states are told apart ([`Precision::Cases`]). Then one that arrives is merged only with one of which no pointer
//! is lost, and no null pointer meets a block: `cap == 0` and null, or a block of `4 * cap` bytes, is no conjunction. There are
//! at most [`MAX_CASES`] at a place. They are tried as soon as one state a place has come to write anywhere ([`Pace`]).
//!
//! *Recursive functions* have a state for their entry and one for their exit (see the crate `symbolic`, `recursion`). Whoever calls a function is
//! executed again when its exit changes. When its entry changes, what its activations were given has other names: all that was kept for them is
//! dropped and found anew.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::{Budget, Span, activity};
use belay_evidence::Task;
use belay_expression::in_c;
use belay_ir::{BlockId, CallGraph, Cfg, Dominators, FuncId, LoopNest, Program};
use belay_symbolic::{
    AllocId, Cases, Certified, Halt, Key, Machine, Prepared, State, Value, instance, is_entry, is_exit,
};

use super::calls::keeps_elements_back;
use super::explore::{Cuts, Pace, Way};
use super::fixed::with_fixed_numbers;
use super::merge::{WideningDelay, apart, merge};
use super::modes::{Distances, Mode, Modes, distances};
use super::numbers::with_numbers;
use super::precision::Precision;
use super::rounds::{FIRST_ROUND, LATER_ROUNDS};
use super::spare::without_spare_cells;
use super::thresholds::{MAX_CALLED, Stops, Thresholds};
use super::waiting::Waiting;

/// Generalisations beyond which the program is too large.
const MAX_MERGES: u32 = 2000;
/// The same where every mode has a state of its own.
const MAX_MERGES_OF_MACHINE: u32 = 20_000;

/// States told apart at a place at most.
const MAX_CASES: usize = 6;
/// The same where modes are.
const MAX_MODES: usize = 16;
/// The same where every mode has a state of its own.
const MAX_STATES_OF_MACHINE: usize = 600;

/// A place to execute from, and which of its states; none is the start.
pub(super) type Source = Option<(Key, usize)>;

/// What is kept at each place, and how often it has been merged.
pub(super) type Aged = BTreeMap<Key, Vec<(State, WideningDelay)>>;

pub(super) struct Builder<'b> {
    pub(super) task: &'b Task<'b>,
    pub(super) cuts: &'b Cuts<'b>,
    /// What is taken for granted, and when it gives up.
    pub(super) way: Way,
    pub(super) budget: &'b Budget,
    pub(super) oracle: Certified<'b>,
    /// Which states are kept apart.
    pub(super) precision: Precision,
    /// What is kept at each place.
    pub(super) states: &'b mut Aged,
    /// What is the same for all executions.
    pub(super) prepared: Rc<Prepared>,
    /// The numbers of sets of functions.
    pub(super) thresholds: BTreeMap<BTreeSet<FuncId>, Rc<Thresholds>>,
    pub(super) of_loops: BTreeMap<(FuncId, BlockId), Rc<Thresholds>>,
    /// From where each recursive function was called.
    pub(super) callers: BTreeMap<FuncId, BTreeSet<Source>>,
    /// The numbers that may stand for modes.
    pub(super) modes: Modes,
    /// The modes of the states at each place, where every mode has a state of its own.
    pub(super) known_modes: BTreeMap<Key, Vec<(Mode, Option<Distances>)>>,
    /// True if states in different modes were merged.
    pub(super) met_modes: bool,
    /// True if it was not known of a block that it fits an address space.
    pub(super) met_large_blocks: bool,
    /// How often each loop has been begun anew.
    pub(super) restarts: BTreeMap<Key, u32>,
}

/// What is still to be done.
pub(super) struct Work<'p> {
    /// Places to execute from.
    pub(super) todo: Vec<Source>,
    /// What has left loops that may not have settled.
    pub(super) waiting: Waiting<'p>,
    /// How often states have been merged.
    merges: u32,
}

impl Builder<'_> {
    /// Executes from the start until nothing changes.
    pub(super) fn settle(&mut self) -> Result<(), Halt> {
        self.settle_from(vec![None]).map(|_| ())
    }

    /// Executes from all places again: what arrived before a state was generalised further need not be found in it any more. False if nothing changes.
    pub(super) fn settle_again(&mut self) -> Result<bool, Halt> {
        let again = self.states.iter().filter(|(key, _)| !is_exit(key));
        let places = again.flat_map(|(key, cases)| (0..cases.len()).map(move |case| Some((key.clone(), case))));
        let places: Vec<Source> = places.chain([None]).collect();
        self.settle_from(places)
    }

    fn settle_from(&mut self, todo: Vec<Source>) -> Result<bool, Halt> {
        let mut work = Work { todo, waiting: Waiting::new(self.task.simplified), merges: 0 };
        loop {
            if let Some(place) = work.todo.pop() {
                self.settle_place(&place, &mut work)?;
                continue;
            }
            let released = work.waiting.release();
            if released.is_empty() {
                return Ok(work.merges > 0);
            }
            let mut renewed: BTreeSet<FuncId> = BTreeSet::new();
            for (source, arrival) in released {
                // What arrives from an activation that is looked at anew arrives again.
                if activation_of(&source).is_some_and(|function| renewed.contains(&function)) {
                    continue;
                }
                let changed = self.admit(&source, &arrival, &mut work)?;
                let key = arrival.key();
                renewed.extend(bottom(&key).filter(|_| changed.is_some() && is_entry(&self.task.config, &key)));
            }
        }
    }

    /// Executes from a place, and keeps what arrives.
    fn settle_place(&mut self, place: &Source, work: &mut Work<'_>) -> Result<(), Halt> {
        activity::report("graph", || format!("{} generalisations, {} places open", work.merges, work.todo.len() + 1));
        work.waiting.forget(|source| source == place);
        let activation = activation_of(place);
        let mut renewed = false;
        let mut moved = false;
        for arrival in self.execute(place)? {
            let key = arrival.key();
            let at_entry = is_entry(&self.task.config, &key);
            let own = place.as_ref().is_some_and(|(from, _)| *from == key);
            // What was given before the entry changed says nothing now; and what arrives elsewhere from a state that has changed
            // arrives again, once that is settled.
            if renewed || (moved && !own && !at_entry) {
                continue;
            }
            let arrival = match (at_entry, is_exit(&key)) {
                (true, _) => work.waiting.hold_call(place, arrival),
                (false, true) => Some(arrival),
                (false, false) => work.waiting.hold(place, arrival),
            };
            let Some(arrival) = arrival else { continue };
            let Some(case) = self.admit(place, &arrival, work)? else { continue };
            moved |= own && place.as_ref().is_some_and(|(_, from)| *from == case);
            renewed |= at_entry && activation == bottom(&key);
        }
        Ok(())
    }

    /// Keeps a state where it arrives, and has that place executed if something changes there: which of its states.
    fn admit(&mut self, source: &Source, arrival: &State, work: &mut Work<'_>) -> Result<Option<usize>, Halt> {
        tracing::trace!("{} arrives: {arrival:?}", self.named(&arrival.key(), 0));
        if self.way.pace == Pace::Hasty && arrival.unknown_write {
            return Err(Halt::WritesAnywhere);
        }
        let key = arrival.key();
        let enters = work.waiting.enters(source, &key);
        let begun = self.states.get(&key).is_some_and(|cases| cases.len() > FIRST_ROUND);
        let Some(case) = self.keep(&key, arrival, enters)? else { return Ok(None) };
        if self.precision == Precision::Rounds && enters && begun && case == FIRST_ROUND {
            self.begin_anew(&key, work);
        }
        work.merges += 1;
        let most = if self.precision.is_of_machines() { MAX_MERGES_OF_MACHINE } else { MAX_MERGES };
        if work.merges > most {
            return Err(Halt::Unable("the generalisation does not settle".to_owned(), Span::NONE));
        }
        if is_entry(&self.task.config, &key) {
            work.waiting.forget(|source| activation_of(source) == bottom(&key));
        }
        self.follow_up((key, case), &mut work.todo);
        Ok(Some(case))
    }

    /// The states that arrive at cut points from a place; calls of recursive functions first, then those that come back.
    fn execute(&mut self, place: &Source) -> Result<Vec<State>, Halt> {
        let kept = place.as_ref().and_then(|(key, case)| self.states.get(key).and_then(|cases| cases.get(*case)));
        let source = kept.map(|(state, _)| state.clone());
        let (cuts, config) = (self.cuts, &self.task.config);
        let mut machine = Machine::sharing(&self.prepared, self.task.simplified, config, &mut self.oracle, self.budget);
        (machine.goes_on, machine.small_blocks) = (self.way.goes_on, self.way.small_blocks);
        machine.splits_sums = self.precision.splits_sums();
        let source = match (place, source) {
            (None, _) => machine.start()?,
            (Some((key, _)), Some(state)) if is_entry(config, key) => state.begun(),
            (Some(_), Some(state)) => state,
            (Some(_), None) => return Ok(Vec::new()),
        };
        let summaries = self.states.iter().filter(|(key, _)| is_entry(config, key) || is_exit(key));
        let states = |cases: &[(State, WideningDelay)]| cases.iter().map(|(state, _)| state.clone()).collect();
        let known: Cases = summaries.map(|(key, cases)| (key.clone(), states(cases))).collect();
        machine.know(&known);
        let arrivals = machine.run(source, &|key: &Key| cuts.is_cut(key));
        self.met_large_blocks |= machine.bounds_blocks;
        let mut arrivals = arrivals?;
        arrivals.sort_by_key(|arrival| {
            let key = arrival.key();
            (!is_entry(config, &key), place.as_ref().is_none_or(|(from, _)| *from != key))
        });
        for arrival in arrivals.iter().filter(|arrival| is_entry(config, &arrival.key())) {
            if let Some(function) = bottom(&arrival.key()) {
                self.callers.entry(function).or_default().insert(place.clone());
            }
        }
        Ok(arrivals)
    }

    /// Makes a state at a place represent the arrival, and speak of the same numbers in memory: which one; none if one does already. `enters`: it comes
    /// from outside the loop that begins there.
    fn keep(&mut self, key: &Key, arrival: &State, enters: bool) -> Result<Option<usize>, Halt> {
        let (program, integers) = (self.task.simplified, self.task.integers());
        let (all, own) = (self.thresholds(key), self.thresholds_of_loop(key));
        let thresholds = (Stops { all: &all, own: &own }, self.precision.style());
        let fixed = with_fixed_numbers(arrival);
        let arrival = fixed.as_ref().unwrap_or(arrival);
        let case = self.case_of(key, arrival, enters)?;
        let known = self.states.get(key).and_then(|cases| cases.get(case));
        let pairing = match known {
            Some((known, _)) => instance(known, arrival, integers, &mut self.oracle)?,
            None => None,
        };
        let represented = pairing.is_some();
        let keeps_back = known.zip(pairing).is_some_and(|((known, age), pairing)| {
            let at_entry = is_entry(&self.task.config, key);
            at_entry && age.is_curious() && keeps_elements_back(known, arrival, &pairing)
        });
        let (merged, age) = match known {
            None => {
                let slim = without_spare_cells(arrival);
                let first = slim.as_ref().unwrap_or(arrival);
                merge(program, integers, (first, &WideningDelay::default()), first, thresholds, self.budget)?
            }
            Some((known, age)) if represented && !keeps_back => {
                let found = if age.is_curious() { with_numbers(program, integers, known, arrival) } else { None };
                let Some(more) = found else { return Ok(None) };
                let cells = more.cells.len() - known.cells.len();
                (more, age.older(cells))
            }
            Some((known, age)) => {
                self.met_modes |= self.modes.meet(known, arrival);
                let age = if enters { &age.entered() } else { age };
                let (merged, age) = merge(program, integers, (known, age), arrival, thresholds, self.budget)?;
                #[cfg(test)]
                crate::laws::note(known, arrival, &merged);
                match without_spare_cells(&merged) {
                    Some(slim) => merge(program, integers, (&slim, &age), &slim, thresholds, self.budget)?,
                    None => (merged, age),
                }
            }
        };
        if represented && known.is_some_and(|(known, _)| *known == merged) {
            return Ok(None);
        }
        // What does not represent what it was made from will not do so the next time.
        if known.is_some_and(|(known, _)| *known == merged) {
            return Err(Halt::Unrepresented);
        }
        tracing::debug!("{}: {}", self.named(key, case), self.told(&merged));
        tracing::trace!("{}: {merged:?}", self.named(key, case));
        self.put(key, case, (merged, age));
        Ok(Some(case))
    }

    /// Keeps a state as that of a place.
    fn put(&mut self, key: &Key, case: usize, (merged, age): (State, WideningDelay)) {
        if self.precision.is_of_machines() {
            let mode = self.mode_of(&merged);
            let modes = self.known_modes.entry(key.clone()).or_default();
            match modes.get_mut(case) {
                Some(known) => *known = mode,
                None => modes.push(mode),
            }
        }
        let cases = self.states.entry(key.clone()).or_default();
        match cases.get_mut(case) {
            Some(known) => *known = (merged, age),
            None => cases.push((merged, age)),
        }
    }

    /// A place and one of its states, for who traces what is generalised.
    fn named(&self, key: &Key, case: usize) -> String {
        let frame = |(function, block, index): &(FuncId, BlockId, usize)| {
            let name = &self.task.simplified.functions[*function].name;
            if is_exit(key) { format!("{name}, returned") } else { format!("{name}/{}.{index}", block.0) }
        };
        format!("{} [{case}]", key.iter().map(frame).collect::<Vec<_>>().join(" > "))
    }

    /// What a state says, for the same.
    fn told(&self, state: &State) -> String {
        let facts = state.facts(self.task.simplified, self.task.integers());
        facts.conditions.iter().map(in_c).collect::<Vec<_>>().join(" && ")
    }

    /// The state at a place that an arrival belongs to: one that represents it, one of which a merge with it loses nothing, or a new one.
    fn case_of(&mut self, key: &Key, arrival: &State, enters: bool) -> Result<usize, Halt> {
        let Some(cases) = self.states.get(key) else { return Ok(0) };
        if is_exit(key) {
            return Ok(exit_case(cases.iter().map(|(known, _)| result_of(known)), result_of(arrival)));
        }
        if self.precision == Precision::Places || is_entry(&self.task.config, key) {
            return Ok(0);
        }
        if self.precision.is_of_machines() {
            let mode = self.mode_of(arrival);
            let known = self.known_modes.get(key).map_or(&[][..], Vec::as_slice);
            let same = known.iter().position(|known| *known == mode);
            if same.is_none() && cases.len() == MAX_STATES_OF_MACHINE {
                return Err(Halt::Unable("there are too many modes".to_owned(), Span::NONE));
            }
            return Ok(same.unwrap_or(cases.len()));
        }
        if self.precision == Precision::Rounds && (enters || cases.is_empty()) {
            return Ok(FIRST_ROUND);
        }
        for (case, (known, _)) in cases.iter().enumerate() {
            if instance(known, arrival, self.task.integers(), &mut self.oracle)?.is_some() {
                return Ok(case);
            }
        }
        if self.precision == Precision::Rounds {
            return Ok(LATER_ROUNDS);
        }
        let (style, tells_modes) = (self.precision.style(), self.precision == Precision::CasesAndModes);
        let loss = |(case, (known, _)): (usize, &(State, WideningDelay))| {
            let (loss, modes) = apart(self.task.simplified, known, arrival, (style, &self.modes));
            (loss + if tells_modes { modes } else { 0 }, case)
        };
        let best = cases.iter().enumerate().map(loss).min();
        let most = if tells_modes { MAX_MODES } else { MAX_CASES };
        Ok(match best {
            Some((loss, _)) if loss > 0 && cases.len() < most => cases.len(),
            Some((_, case)) => case,
            None => 0,
        })
    }

    /// What tells states apart where every mode has one of its own.
    fn mode_of(&self, state: &State) -> (Mode, Option<Distances>) {
        let apart = (self.precision == Precision::MachineOfDistances).then(|| distances(state));
        (self.modes.mode(state), apart)
    }

    /// The numbers at which bounds may stop at a place.
    fn thresholds(&mut self, key: &Key) -> Rc<Thresholds> {
        let (program, entry) = (self.task.simplified, self.task.config.entry);
        let functions: BTreeSet<FuncId> = key.iter().map(|(function, _, _)| *function).collect();
        let activation = bottom(key).filter(|function| *function != entry);
        let found = || {
            // What an activation leaves is made of what it calls as well.
            let called = activation.map(|function| own_callees(program, function)).unwrap_or_default();
            let found = Thresholds::of(functions.union(&called).map(|id| &program.functions[*id]));
            let plain = matches!(self.precision, Precision::Places | Precision::Rounds);
            Rc::new(if plain { found } else { found.with_counters() })
        };
        Rc::clone(self.thresholds.entry(functions.clone()).or_insert_with(found))
    }

    /// The same of the loop that begins there, and of those around it, where it was called from as well.
    fn thresholds_of_loop(&mut self, key: &Key) -> Rc<Thresholds> {
        let program = self.task.simplified;
        let mut found: Option<Rc<Thresholds>> = None;
        for (id, block, _) in key {
            let of_frame = || Rc::new(numbers_of_loop(program, *id, *block));
            let own = self.of_loops.entry((*id, *block)).or_insert_with(of_frame);
            found = Some(match found {
                Some(outer) if !own.is_empty() => Rc::new(outer.joined(own)),
                Some(outer) => outer,
                None => Rc::clone(own),
            });
        }
        found.unwrap_or_default()
    }

    /// What is to be executed since the state at a place has changed.
    fn follow_up(&mut self, (key, case): (Key, usize), todo: &mut Vec<Source>) {
        let mut next: Vec<Source> = Vec::new();
        if is_exit(&key) {
            let callers = bottom(&key).and_then(|function| self.callers.get(&function));
            next.extend(callers.into_iter().flatten().cloned());
            // The activations themselves last, so that they are looked at first.
            next.sort_by_key(|place| activation_of(place) == bottom(&key));
        } else {
            if is_entry(&self.task.config, &key) {
                let stale = |other: &Key| bottom(other) == bottom(&key) && *other != key;
                self.states.retain(|other, _| !stale(other));
                self.known_modes.retain(|other, _| !stale(other));
                todo.retain(|place| !place.as_ref().is_some_and(|(key, _)| stale(key)));
            }
            next.push(Some((key, case)));
        }
        todo.retain(|place| !next.contains(place));
        todo.extend(next);
    }
}

/// The numbers of the outermost loop around a block: a counter of a loop around another one stops at numbers of that.
fn numbers_of_loop(program: &Program, id: FuncId, block: BlockId) -> Thresholds {
    let cfg = Cfg::new(&program.functions[id]);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let outermost = nest.around(block).min_by_key(|around| nest.get(*around).depth);
    outermost.map(|around| Thresholds::in_blocks(program, id, &nest.get(around).blocks)).unwrap_or_default()
}

/// What a recursive function gives back, as far as it decides which states at its exit are one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResultKind {
    Null,
    /// A place in an object that the function was given, such as the rest of a text.
    Place,
    /// Anything else. Of lists and trees null is an empty one: those become one state.
    Other,
}

fn result_of(state: &State) -> ResultKind {
    let results = state.frames.first().map(|frame| frame.params.as_slice());
    match results {
        Some([Value::Null]) => ResultKind::Null,
        Some([Value::Pointer(AllocId::Global(_), _)]) => ResultKind::Place,
        Some([Value::Pointer(id, offset)]) => {
            let is_block = state.allocations.get(id).is_none_or(|object| object.kind.may_be_heap());
            if is_block && offset.is_constant() { ResultKind::Other } else { ResultKind::Place }
        }
        _ => ResultKind::Other,
    }
}

/// The state at an exit that a result belongs to: null is apart from a place, since nothing is both.
fn exit_case(known: impl Iterator<Item = ResultKind>, result: ResultKind) -> usize {
    let known: Vec<ResultKind> = known.collect();
    let is_apart = |other: ResultKind| {
        matches!((other, result), (ResultKind::Null, ResultKind::Place) | (ResultKind::Place, ResultKind::Null))
    };
    let same = known.iter().position(|other| *other == result);
    same.or_else(|| known.iter().position(|other| !is_apart(*other))).unwrap_or(known.len())
}

/// What a function calls, of the program's own; nothing where that is much.
fn own_callees(program: &Program, function: FuncId) -> BTreeSet<FuncId> {
    let is_own = |id: &FuncId| program.functions[*id].is_defined() && !program.functions[*id].is_model;
    let called: BTreeSet<FuncId> =
        CallGraph::new(program).reachable_from(&[function]).into_iter().filter(is_own).collect();
    if called.len() <= MAX_CALLED { called } else { BTreeSet::new() }
}

/// The function of the outermost frame.
fn bottom(key: &Key) -> Option<FuncId> {
    key.first().map(|(function, _, _)| *function)
}

/// The function whose activation a place is in.
fn activation_of(place: &Source) -> Option<FuncId> {
    place.as_ref().and_then(|(key, _)| bottom(key))
}
