//! Proofs by what every value may be: a map for the whole program, checked in one pass ([`belay_values::judge`] says why that is a proof).
//!
//! A property holds if the map describes every state of every run and leaves no obligation of the property in doubt. Lost blocks are no obligations: nothing is
//! lost where no block is made. Where runs are known to end at an invalid read nothing else is shown: what they would have done is open.

use std::sync::Arc;

use belay_ir::{IntegerModel, Property};
use belay_values::{Gap, Judged, ValueMap, judge};

use crate::checks::select_checks;
use crate::task::Task;

/// A map that was checked, and what it shows.
pub(crate) type Checked = (Arc<ValueMap>, Result<Judged, String>);

/// Checks that a map shows a property; what was found out about it is kept for the next property.
pub(crate) fn check(
    task: &Task<'_>,
    property: Property,
    map: &Arc<ValueMap>,
    known: &mut Option<Checked>,
) -> Result<(), String> {
    if task.integers() != IntegerModel::Machine {
        return Err("ranges are of machine integers".to_owned());
    }
    if !known.as_ref().is_some_and(|(checked, _)| Arc::ptr_eq(checked, map)) {
        let judged = judge(task.simplified, &task.config, map).map_err(|gap| explain(&gap));
        *known = Some((Arc::clone(map), judged));
    }
    let judged = match known {
        Some((_, Ok(judged))) => judged,
        Some((_, Err(why))) => return Err(why.clone()),
        None => return Err("no map".to_owned()),
    };
    match property {
        Property::ValidMemtrack | Property::MemCleanup if judged.makes_blocks => {
            return Err("blocks are made".to_owned());
        }
        Property::Termination => return Err("what values may be does not show that a run ends".to_owned()),
        Property::ValidMemtrack
        | Property::MemCleanup
        | Property::ValidDeref
        | Property::ValidFree
        | Property::NoOverflow
        | Property::Arithmetic
        | Property::UnreachCall => {}
    }
    // A single check behind such a read holds as far as runs get.
    let is_whole = property != Property::ValidDeref && select_checks(task.program).is_none();
    if let Some(id) = judged.never_valid.filter(|_| is_whole) {
        let name = task.simplified.obligation_name(id);
        return Err(format!("runs are known to end at {name}, which shows nothing of other properties"));
    }
    let asked = |id: &&belay_ir::ObligationId| task.simplified.obligations[**id].judged() == Some(property);
    match judged.doubts.iter().find(asked) {
        Some(id) => Err(format!("{} is left in doubt", task.simplified.obligation_name(*id))),
        None => Ok(()),
    }
}

fn explain(gap: &Gap) -> String {
    match gap {
        Gap::NoVerdict(_, _, why) => why.clone(),
        Gap::NotDescribed(_) => "a step leaves what the map describes".to_owned(),
    }
}
