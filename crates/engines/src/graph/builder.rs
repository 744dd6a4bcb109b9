//! Executes and generalises until every state that arrives at a cut point is represented by the one that is kept there.
//!
//! *Recursive functions* have a state for their entry and one for their exit (see `semantics`' `symbolic::recursion`). Whoever calls a function is
//! executed again when its exit changes. When its entry changes, what its activations were given has other names: all that was kept for them is
//! dropped and found anew.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::{Budget, Span};
use belay_evidence::Task;
use belay_ir::{BlockId, Cfg, Dominators, FuncId, LoopNest};
use belay_symbolic::{Certified, Halt, Key, Machine, Prepared, State, instance, is_entry, is_exit};

use super::Cuts;
use super::merge::{Age, merge};
use super::numbers::with_numbers;
use super::spare::without_spare_cells;
use super::thresholds::{Stops, Thresholds};

/// Generalisations beyond which the program is too large.
const MAX_MERGES: u32 = 2000;

/// A place to execute from; none is the start.
type Source = Option<Key>;

pub(super) struct Builder<'b> {
    pub(super) task: &'b Task<'b>,
    pub(super) cuts: &'b Cuts<'b>,
    /// Whether runs are followed beyond an invalid access.
    pub(super) goes_on: bool,
    pub(super) budget: &'b Budget,
    pub(super) oracle: Certified<'b>,
    /// What is kept at each place.
    pub(super) states: &'b mut BTreeMap<Key, (State, Age)>,
    /// What is the same for all executions.
    pub(super) prepared: Rc<Prepared>,
    /// The numbers of sets of functions.
    pub(super) thresholds: BTreeMap<BTreeSet<FuncId>, Rc<Thresholds>>,
    pub(super) of_loops: BTreeMap<(FuncId, BlockId), Rc<Thresholds>>,
    /// From where each recursive function was called.
    pub(super) callers: BTreeMap<FuncId, BTreeSet<Source>>,
}

impl Builder<'_> {
    /// Executes from the start until nothing changes.
    pub(super) fn settle(&mut self) -> Result<(), Halt> {
        self.settle_from(vec![None]).map(|_| ())
    }

    /// Executes from all places again: what arrived before a state was generalised further need not be found in it any more. False if nothing changes.
    pub(super) fn settle_again(&mut self) -> Result<bool, Halt> {
        let again = |key: &&Key| !is_exit(key);
        let places = self.states.keys().filter(again).cloned().map(Some);
        self.settle_from(places.chain([None]).collect())
    }

    fn settle_from(&mut self, mut todo: Vec<Source>) -> Result<bool, Halt> {
        let mut merges = 0;
        while let Some(place) = todo.pop() {
            let activation = place.as_ref().and_then(bottom);
            let mut renewed = false;
            let mut moved = false;
            for arrival in self.execute(&place)? {
                let key = arrival.key();
                let at_entry = is_entry(&self.task.config, &key);
                let own = place.as_ref() == Some(&key);
                // What was given before the entry changed says nothing now; and what arrives elsewhere from a state that has changed
                // arrives again, once that is settled.
                if (renewed && !at_entry) || (moved && !own && !at_entry) || !self.keep(&key, &arrival)? {
                    continue;
                }
                moved |= own;
                merges += 1;
                if merges > MAX_MERGES {
                    return Err(Halt::Unable("the generalisation does not settle".to_owned(), Span::NONE));
                }
                renewed |= at_entry && activation == bottom(&key);
                self.follow_up(key, &mut todo);
            }
        }
        Ok(merges > 0)
    }

    /// The states that arrive at cut points from a place; calls of recursive functions first, then those that come back.
    fn execute(&mut self, place: &Source) -> Result<Vec<State>, Halt> {
        let source = place.as_ref().and_then(|key| self.states.get(key)).map(|(state, _)| state.clone());
        let (cuts, config) = (self.cuts, &self.task.config);
        let mut machine = Machine::sharing(&self.prepared, self.task.simplified, config, &mut self.oracle, self.budget);
        machine.goes_on = self.goes_on;
        let source = match (place, source) {
            (None, _) => machine.start()?,
            (Some(key), Some(state)) if is_entry(config, key) => state.begun(),
            (Some(_), Some(state)) => state,
            (Some(_), None) => return Ok(Vec::new()),
        };
        let summaries = self.states.iter().filter(|(key, _)| is_entry(config, key) || is_exit(key));
        machine.know(&summaries.map(|(key, (state, _))| (key.clone(), state.clone())).collect());
        let mut arrivals = machine.run(source, &|key: &Key| cuts.is_cut(key))?;
        arrivals.sort_by_key(|arrival| {
            let key = arrival.key();
            (!is_entry(config, &key), place.as_ref() != Some(&key))
        });
        for arrival in arrivals.iter().filter(|arrival| is_entry(config, &arrival.key())) {
            if let Some(function) = bottom(&arrival.key()) {
                self.callers.entry(function).or_default().insert(place.clone());
            }
        }
        Ok(arrivals)
    }

    /// Makes the state at a place represent the arrival, and speak of the same numbers in memory; false if it does already.
    fn keep(&mut self, key: &Key, arrival: &State) -> Result<bool, Halt> {
        let (program, integers) = (self.task.simplified, self.task.integers());
        let (all, own) = (self.thresholds(key), self.thresholds_of_loop(key));
        let thresholds = Stops { all: &all, own: &own };
        let (merged, age) = match self.states.get(key) {
            None => {
                let slim = without_spare_cells(arrival);
                let first = slim.as_ref().unwrap_or(arrival);
                merge(program, integers, (first, &Age::default()), first, thresholds, self.budget)?
            }
            Some((known, age)) if instance(known, arrival, integers, &mut self.oracle)?.is_some() => {
                let found = if age.is_curious() { with_numbers(program, integers, known, arrival) } else { None };
                let Some(more) = found else { return Ok(false) };
                let cells = more.cells.len() - known.cells.len();
                (more, age.older(cells))
            }
            Some((known, age)) => {
                let (merged, age) = merge(program, integers, (known, age), arrival, thresholds, self.budget)?;
                match without_spare_cells(&merged) {
                    Some(slim) => merge(program, integers, (&slim, &age), &slim, thresholds, self.budget)?,
                    None => (merged, age),
                }
            }
        };
        self.states.insert(key.clone(), (merged, age));
        Ok(true)
    }

    /// The numbers at which bounds may stop at a place.
    fn thresholds(&mut self, key: &Key) -> Rc<Thresholds> {
        let program = self.task.simplified;
        let functions: BTreeSet<FuncId> = key.iter().map(|(function, _, _)| *function).collect();
        let found = || Rc::new(Thresholds::of(functions.iter().map(|id| &program.functions[*id])));
        Rc::clone(self.thresholds.entry(functions.clone()).or_insert_with(found))
    }

    /// The same of the loop that begins there.
    fn thresholds_of_loop(&mut self, key: &Key) -> Rc<Thresholds> {
        let Some((id, block, _)) = key.last() else { return Rc::default() };
        let function = &self.task.simplified.functions[*id];
        let found = || {
            let cfg = Cfg::new(function);
            let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
            let own = nest.headed_by(*block).map(|own| Thresholds::in_blocks(function, &nest.get(own).blocks));
            Rc::new(own.unwrap_or_default())
        };
        Rc::clone(self.of_loops.entry((*id, *block)).or_insert_with(found))
    }

    /// What is to be executed since the state at a place has changed.
    fn follow_up(&mut self, key: Key, todo: &mut Vec<Source>) {
        let mut next = Vec::new();
        if is_exit(&key) {
            let callers = bottom(&key).and_then(|function| self.callers.get(&function));
            next.extend(callers.into_iter().flatten().cloned());
            // The activations themselves last, so that they are looked at first.
            next.sort_by_key(|place| place.as_ref().and_then(bottom) == bottom(&key));
        } else {
            if is_entry(&self.task.config, &key) {
                let stale = |other: &Key| bottom(other) == bottom(&key) && *other != key;
                self.states.retain(|other, _| !stale(other));
                todo.retain(|place| !place.as_ref().is_some_and(stale));
            }
            next.push(Some(key));
        }
        todo.retain(|place| !next.contains(place));
        todo.extend(next);
    }
}

/// The function of the outermost frame.
fn bottom(key: &Key) -> Option<FuncId> {
    key.first().map(|(function, _, _)| *function)
}
