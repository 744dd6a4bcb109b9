//! Whether a program's proofs are empty because its runs were assumed away: a short search, since most programs have runs that end.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{Closed, Task, Vacuity};
use belay_ir::Property;

use crate::limits::{EngineName, Options};
use crate::session::Session;

/// Longer than it takes to find a run that ends, or to see that few short runs have none.
const TIME: Duration = Duration::from_secs(2);

/// True if it was shown.
pub fn is_vacuous(task: &Task<'_>, of: Vacuity, budget: &Budget) -> bool {
    let Some(closed) = Closed::new(task, of) else { return false };
    let first = (of == Vacuity::Precondition).then_some(EngineName::Structural);
    let engines = first.into_iter().chain([EngineName::Tester, EngineName::Bmc]).collect();
    let time = budget.time_left().map_or(TIME, |left| left.min(TIME));
    let budget = Budget::unlimited().until(Instant::now() + time);
    let task = closed.task(task);
    let options = Options { engines: Some(engines), ..Options::default() };
    let (verdicts, _) = Session::new(&task, &[Property::UnreachCall], options, &budget).verify(&mut |_| {});
    closed.is_shown(&verdicts)
}
