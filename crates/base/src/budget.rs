//! How much work a task may do. Engines count *steps*, so that the same input gives the same
//! verdict; the wall clock is an outer limit only.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::resident::resident_bytes;

/// Why a budget refused further work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The counted steps are used up: the same on every machine.
    Steps,
    /// The wall-clock limit has passed.
    Time,
    /// The share of the memory is used up.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
    /// The user did: nothing more is to be begun.
    Interrupted,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Steps => "step budget used up",
            Exhausted::Time => "time limit reached",
            Exhausted::Memory => "share of the memory used up",
            Exhausted::Cancelled => "cancelled",
            Exhausted::Interrupted => "interrupted",
        })
    }
}

/// A number of steps, an optional deadline, a share of the memory, and a flag that cancels.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    since_clock: Cell<u64>,
    deadline: Option<Instant>,
    memory: Memory,
    cancel: Arc<Flag>,
}

/// What the process may have. A share may not use all of it: what comes after needs some too.
#[derive(Clone, Copy, Default, Debug)]
struct Memory {
    /// The bytes that all shares together may use.
    all: Option<u64>,
    /// With so many in use this budget is exhausted.
    most: Option<u64>,
}

impl Memory {
    /// A share of what is not in use. Freed memory counts as in use, since the process keeps it, but can be used again: so there is always some.
    fn share(self, hundredths: u32) -> Memory {
        let share = |all: u64| {
            let used = resident_bytes();
            used + (all.saturating_sub(used) / 100 * u64::from(hundredths.min(100))).max(all / 16)
        };
        Memory { all: self.all, most: self.all.map(share) }
    }

    fn is_exhausted(self) -> bool {
        self.most.is_some_and(|most| resident_bytes() > most)
    }
}

/// A flag that cancels a budget and all that was made of it.
#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    above: Option<Arc<Flag>>,
}

impl Flag {
    fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed) || self.above.as_ref().is_some_and(|above| above.is_set())
    }
}

/// Set by a signal's handler, which can reach nothing but a static.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Ends every budget of this process. May be called from a signal handler.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// The clock is read once in so many steps: reading it costs as much as a few dozen of them.
const STEPS_PER_CLOCK: u64 = 4096;

impl Budget {
    /// A budget of `steps`, without a deadline.
    pub fn steps(steps: u64) -> Self {
        Self {
            left: Cell::new(steps),
            since_clock: Cell::new(0),
            deadline: None,
            memory: Memory::default(),
            cancel: Arc::default(),
        }
    }

    /// No limit at all.
    pub fn unlimited() -> Self {
        Self::steps(u64::MAX)
    }

    /// The same budget, which also ends at `deadline`.
    pub fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The same budget; its shares together may use so much memory.
    pub fn within(mut self, bytes: u64) -> Self {
        self.memory.all = Some(bytes);
        self
    }

    /// A part of this budget with at most `steps`, under the same deadline and flag. What the part
    /// spends is not taken from the whole.
    pub fn slice(&self, steps: u64) -> Budget {
        Budget {
            left: Cell::new(steps.min(self.left.get())),
            since_clock: Cell::new(0),
            deadline: self.deadline,
            memory: self.memory,
            cancel: Arc::clone(&self.cancel),
        }
    }

    /// A part of this budget with at most `steps` that ends after so many hundredths of the time that is left, may use as much of the memory that is left, and can be
    /// cancelled by itself.
    pub fn share(&self, hundredths: u32, steps: u64) -> Budget {
        let mut part = self.slice(steps);
        part.cancel = Arc::new(Flag { is_set: AtomicBool::new(false), above: Some(Arc::clone(&self.cancel)) });
        part.memory = self.memory.share(hundredths);
        part.deadline = self.time_left().map(|left| Instant::now() + left * hundredths.min(100) / 100);
        part
    }

    /// Cancels this budget and all its slices.
    pub fn cancel(&self) {
        self.cancel.is_set.store(true, Ordering::Relaxed);
    }

    /// True if the deadline has passed.
    pub fn is_past_deadline(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The steps that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// The time until the deadline, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Takes `steps` from the budget, or says why it can't.
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        let left = self.left.get();
        if steps > left {
            self.left.set(0);
            return Err(Exhausted::Steps);
        }
        self.left.set(left - steps);
        let since = self.since_clock.get() + steps;
        if since < STEPS_PER_CLOCK {
            self.since_clock.set(since);
            return Ok(());
        }
        self.since_clock.set(0);
        self.check_clock()
    }

    /// Looks at the clock, the memory and the flag, without spending steps.
    pub fn check_clock(&self) -> Result<(), Exhausted> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Err(Exhausted::Interrupted);
        }
        if self.cancel.is_set() {
            return Err(Exhausted::Cancelled);
        }
        if self.is_past_deadline() {
            return Err(Exhausted::Time);
        }
        if self.memory.is_exhausted() { Err(Exhausted::Memory) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_out_exactly() {
        let budget = Budget::steps(3);
        assert_eq!(budget.spend(2), Ok(()));
        assert_eq!(budget.spend(1), Ok(()));
        assert_eq!(budget.spend(1), Err(Exhausted::Steps));
    }

    #[test]
    fn a_passed_deadline_ends_a_slice() {
        let budget = Budget::unlimited().until(Instant::now());
        assert_eq!(budget.slice(10).check_clock(), Err(Exhausted::Time));
    }

    #[test]
    fn a_share_is_cancelled_by_itself() {
        let budget = Budget::unlimited().until(Instant::now() + Duration::from_secs(1000));
        let share = budget.share(10, u64::MAX);
        assert!(share.time_left() < Some(Duration::from_secs(101)));
        share.cancel();
        assert_eq!(share.slice(1).check_clock(), Err(Exhausted::Cancelled));
        assert_eq!(budget.check_clock(), Ok(()));
        let share = budget.share(10, u64::MAX);
        budget.cancel();
        assert_eq!(share.check_clock(), Err(Exhausted::Cancelled));
    }

    /// A share ends when it has used its part, and what comes after it has its turn.
    #[test]
    fn a_share_of_the_memory_ends_by_itself() {
        let budget = Budget::unlimited().within(resident_bytes() + (64 << 20));
        let share = budget.share(25, u64::MAX);
        assert_eq!(share.check_clock(), Ok(()));
        let block = vec![1u8; 96 << 20];
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(share.slice(1).check_clock(), Err(Exhausted::Memory));
        assert_eq!(budget.check_clock(), Ok(()));
        assert_eq!(budget.share(25, u64::MAX).check_clock(), Ok(()));
        assert!(block.iter().all(|byte| *byte == 1));
    }

    #[test]
    fn cancelling_reaches_slices() {
        let budget = Budget::unlimited();
        let slice = budget.slice(u64::MAX);
        budget.cancel();
        assert_eq!(slice.spend(STEPS_PER_CLOCK), Err(Exhausted::Cancelled));
    }
}
