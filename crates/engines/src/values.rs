//! *values*: what every value may be, each function looked at once for all of its calls.
//!
//! The search and why its result is a proof are in [`belay_values`]. One map serves all properties; where it leaves an obligation in doubt this engine gives up on the
//! property, and `each_check` takes what it does show.

use std::sync::Arc;

use belay_base::Budget;
use belay_evidence::{GaveUp, Outcome, Proof, Task, Why};
use belay_ir::{ObligationId, Property};
use belay_values::{Failure, Judged, ValueMap, judge, search};

/// A map, and what it shows.
pub(crate) fn find(task: &Task<'_>, budget: &Budget) -> Result<(Arc<ValueMap>, Judged), GaveUp> {
    let program = task.simplified;
    let map = search(program, &task.config, budget).map_err(|failure| match failure {
        Failure::NoVerdict(function, inst, why) => {
            let span = program.functions[function].insts.get(inst).map(|inst| inst.span);
            GaveUp::not_handled((why, span.unwrap_or(program.functions[function].span)))
        }
        Failure::Exhausted(why) => GaveUp::exhausted(why, "searching for ranges of values"),
    })?;
    match judge(program, &task.config, &map) {
        Ok(judged) => Ok((Arc::new(map), judged)),
        Err(_) => Err(GaveUp::because(Why::NoInvariant, "no ranges of values were found that every step keeps")),
    }
}

/// Tries to prove properties.
pub(crate) fn prove(task: &Task<'_>, properties: &[Property], budget: &Budget) -> Vec<(Property, Outcome)> {
    let found = find(task, budget);
    let outcome = |property: &Property| match &found {
        Err(gave_up) => Outcome::GaveUp(gave_up.clone()),
        Ok((map, judged)) => match find_doubt(task, *property, judged) {
            None => Outcome::proved(Proof::Values(Arc::clone(map))),
            Some(gave_up) => Outcome::GaveUp(gave_up),
        },
    };
    properties.iter().map(|property| (*property, outcome(property))).collect()
}

/// What the map leaves open of a property.
fn find_doubt(task: &Task<'_>, property: Property, judged: &Judged) -> Option<GaveUp> {
    let obligations = &task.simplified.obligations;
    let asked = |id: &&ObligationId| obligations[**id].judged() == Some(property);
    let at_end = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
    match judged.doubts.iter().find(asked) {
        Some(id) => {
            let why = format!("{} does not follow from ranges of values", task.simplified.obligation_name(*id));
            Some(GaveUp::at(obligations[*id].span, Why::NoInvariant, why))
        }
        None if at_end && judged.makes_blocks => {
            Some(GaveUp::because(Why::NotAsked, "lost blocks are no matter of ranges"))
        }
        None => judged.never_valid.filter(|_| property != Property::ValidDeref).map(|id| {
            let why = "a run is known to end at an invalid read, which shows nothing of other properties";
            GaveUp::at(obligations[id].span, Why::Moot, why)
        }),
    }
}
