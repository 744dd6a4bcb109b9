//! The first round of a loop apart from the others, and loops that begin anew.
//!
//! *Apart*: what enters a loop and what comes back to its head are two states. `index = 0; while (l != r) { index = (l + r) / 2; ... }` leaves an index that is 0, or less than the
//! length: no conjunction says that, but each of the two states says one of them.
//!
//! *Anew*: a loop inside another one has been generalised when it is entered with more than before. What its states say then is made of rounds with little, such as those through a table that
//! was empty as the walk through it was looked at first, and no generalisation brings back what they have lost. So all that is inside the loop is dropped, [`MAX_RESTARTS`] times at
//! most, and found once more from the one state in which it is entered.
//!
//! Whatever is kept in the end the checker compares with all that arrives.

use belay_symbolic::Key;

use super::builder::{Builder, Source, Work};

/// The state of those that enter a loop, among those at its head.
pub(super) const FIRST_ROUND: usize = 0;
/// That of those that come back.
pub(super) const LATER_ROUNDS: usize = 1;

/// How often a loop is begun anew at most.
const MAX_RESTARTS: u32 = 8;

impl Builder<'_> {
    /// Drops all that was found inside the loop that begins at a place, the state of its first round excepted.
    pub(super) fn begin_anew(&mut self, head: &Key, work: &mut Work<'_>) {
        let restarts = self.restarts.entry(head.clone()).or_default();
        if *restarts >= MAX_RESTARTS {
            return;
        }
        *restarts += 1;
        let waiting = &mut work.waiting;
        self.states.retain(|place, _| place == head || !waiting.is_within(head, place));
        if let Some(cases) = self.states.get_mut(head) {
            cases.truncate(LATER_ROUNDS);
        }
        let states = &self.states;
        let is_stale = |source: &Source| {
            let known = |(place, case): &(Key, usize)| states.get(place).is_some_and(|cases| *case < cases.len());
            source.as_ref().is_some_and(|source| !known(source))
        };
        work.todo.retain(|source| !is_stale(source));
        work.waiting.forget(is_stale);
    }
}
