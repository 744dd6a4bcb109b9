//! Where a block was lost. A run is a function of its choices, and a lost block stays lost: bisection over the number of
//! instructions finds the one that dropped the last pointer.

use belay_base::{Budget, Span};

use crate::interpreter::Interpreter;
use crate::observer::{Event, Observer};
use crate::report::StackEntry;
use crate::sources::Script;
use belay_rules::Choice;

/// Instructions after which a block is looked for first.
const FIRST_LOOK: u64 = 4_000;

/// Stops a run after a number of instructions.
struct StopAfter {
    limit: u64,
    count: u64,
}

impl Observer for StopAfter {
    const EVENTS: bool = false;

    fn event(&mut self, _span: Span, _depth: usize, _event: Event) {}

    fn on_step(&mut self) -> bool {
        if self.count == self.limit {
            return false;
        }
        self.count += 1;
        true
    }
}

/// The call stack, innermost first, at the instruction that made the heap block of this number (see
/// [`ObjectKind::Heap`](crate::ObjectKind::Heap)) unreachable in the run with these choices. `None` if the run does not lose
/// it, or if looking for it takes more than the budget.
pub fn locate_leak(
    interpreter: &Interpreter<'_>,
    choices: &[Choice],
    block: u64,
    budget: &Budget,
) -> Option<Vec<StackEntry>> {
    let probe = |limit: u64| {
        let mut observer = StopAfter { limit, count: 0 };
        let (lost, stack) = interpreter.look_for_loss(&mut Script::new(choices.to_vec()), &mut observer, budget, block);
        (lost, stack, observer.count)
    };
    // Lost after `high` instructions, not after `low`. The run may have no end.
    let (mut low, mut high) = (0, FIRST_LOOK);
    loop {
        budget.check_clock().ok()?;
        let (lost, _, count) = probe(high);
        if lost {
            high = count;
            break;
        }
        if count < high {
            return None;
        }
        (low, high) = (high, high.saturating_mul(8));
    }
    while high - low > 1 {
        budget.check_clock().ok()?;
        let middle = low + (high - low) / 2;
        if probe(middle).0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(probe(low).1)
}
