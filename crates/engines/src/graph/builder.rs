//! Executes and generalises until every state that arrives at a cut point is represented by the one that is kept there.
//!
//! *Recursive functions* have a state for their entry and one for their exit (see `semantics`' `symbolic::recursion`). Whoever calls a function is
//! executed again when its exit changes. When its entry changes, what its activations were given has other names: all that was kept for them is
//! dropped and found anew.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Span};
use belay_evidence::Task;
use belay_ir::FuncId;
use belay_semantics::symbolic::{Certified, Halt, Key, Machine, State, instance, is_entry, is_exit};

use super::Cuts;
use super::merge::{Age, merge};
use super::numbers::with_numbers;

/// Generalisations beyond which the program is too large.
const MAX_MERGES: u32 = 2000;

/// A place to execute from; none is the start.
type Source = Option<Key>;

pub(super) struct Builder<'b> {
    pub(super) task: &'b Task<'b>,
    pub(super) cuts: &'b Cuts<'b>,
    pub(super) budget: &'b Budget,
    pub(super) oracle: Certified<'b>,
    /// What is kept at each place.
    pub(super) states: &'b mut BTreeMap<Key, (State, Age)>,
    /// From where each recursive function was called.
    pub(super) callers: BTreeMap<FuncId, BTreeSet<Source>>,
}

impl Builder<'_> {
    pub(super) fn settle(&mut self) -> Result<(), Halt> {
        let mut todo: Vec<Source> = vec![None];
        let mut merges = 0;
        while let Some(place) = todo.pop() {
            let activation = place.as_ref().and_then(bottom);
            let mut renewed = false;
            for arrival in self.execute(&place)? {
                let key = arrival.key();
                let at_entry = is_entry(&self.task.config, &key);
                // What was given before the entry changed says nothing now.
                if (renewed && !at_entry) || !self.keep(&key, &arrival)? {
                    continue;
                }
                merges += 1;
                if merges > MAX_MERGES {
                    return Err(Halt::Unable("the generalisation does not settle".to_owned(), Span::NONE));
                }
                renewed |= at_entry && activation == bottom(&key);
                self.follow_up(key, &mut todo);
            }
        }
        Ok(())
    }

    /// The states that arrive at cut points from a place; calls of recursive functions first.
    fn execute(&mut self, place: &Source) -> Result<Vec<State>, Halt> {
        let source = place.as_ref().and_then(|key| self.states.get(key)).map(|(state, _)| state.clone());
        let (cuts, config) = (self.cuts, &self.task.config);
        let mut machine = Machine::new(self.task.simplified, config, &mut self.oracle, self.budget);
        let source = match (place, source) {
            (None, _) => machine.start()?,
            (Some(key), Some(state)) if is_entry(config, key) => state.begun(),
            (Some(_), Some(state)) => state,
            (Some(_), None) => return Ok(Vec::new()),
        };
        let summaries = self.states.iter().filter(|(key, _)| is_entry(config, key) || is_exit(key));
        machine.know(&summaries.map(|(key, (state, _))| (key.clone(), state.clone())).collect());
        let mut arrivals = machine.run(source, &|key: &Key| cuts.is_cut(key))?;
        arrivals.sort_by_key(|arrival| !is_entry(config, &arrival.key()));
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
        let (merged, age) = match self.states.get(key) {
            None => merge(program, integers, (arrival, Age::default()), arrival, self.budget)?,
            Some((known, age)) if instance(known, arrival, integers, &mut self.oracle)?.is_some() => {
                let found = if age.is_curious() { with_numbers(program, integers, known, arrival) } else { None };
                let Some(more) = found else { return Ok(false) };
                (more, age.older())
            }
            Some((known, age)) => merge(program, integers, (known, *age), arrival, self.budget)?,
        };
        self.states.insert(key.clone(), (merged, age));
        Ok(true)
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
