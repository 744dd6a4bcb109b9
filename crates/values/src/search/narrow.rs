//! The map made smaller: computed anew from itself, as long as it is a proof.

use belay_base::Budget;

use super::{Failure, fresh, note_plain};
use crate::eval::{At, Evaluator, Flow};
use crate::map::{Update, ValueMap};
use crate::value::Value;

/// Steps down at most.
const NARROWINGS: usize = 4;

/// Computes the map anew from itself, as long as that makes it smaller.
pub(super) fn narrow(evaluator: &Evaluator<'_>, mut map: ValueMap, budget: &Budget) -> Result<ValueMap, Failure> {
    for _ in 0..NARROWINGS {
        let smaller = recompute(evaluator, &map, budget)?;
        if smaller == map || recompute_fits(evaluator, &smaller).is_none() {
            break;
        }
        map = smaller;
    }
    Ok(map)
}

fn recompute_fits(evaluator: &Evaluator<'_>, map: &ValueMap) -> Option<()> {
    crate::judge::check(evaluator, map).ok()
}

fn recompute(evaluator: &Evaluator<'_>, map: &ValueMap, budget: &Budget) -> Result<ValueMap, Failure> {
    let mut made = ValueMap::new(evaluator.program);
    let mut updates = Vec::new();
    evaluator.start(&mut updates);
    for (id, function) in evaluator.program.functions.iter_enumerated() {
        budget.spend(function.insts.len() as u64 / 16 + 1).map_err(Failure::Exhausted)?;
        for (block, body) in function.blocks.iter_enumerated().filter(|(block, _)| map.is_reached(id, *block)) {
            let mut flow = Flow::GoesOn;
            for (at, inst) in body.insts.iter().enumerate() {
                flow = evaluator.step(map, At { function: id, block, at }, *inst, &mut updates);
                if flow == Flow::Ends {
                    break;
                }
            }
            if flow == Flow::GoesOn {
                evaluator.leave(map, id, block, &mut updates);
            }
            for update in updates.drain(..) {
                join_into(evaluator, &mut made, update);
            }
        }
    }
    Ok(made)
}

fn join_into(evaluator: &Evaluator<'_>, map: &mut ValueMap, update: Update) {
    let target = match &update {
        Update::Enter(id)
        | Update::Reach(id, _)
        | Update::Return(id)
        | Update::Register(id, ..)
        | Update::Param(id, ..)
        | Update::Result(id, ..) => Some(*id),
        Update::Write(..)
        | Update::Copy(..)
        | Update::Free(_)
        | Update::Size(..)
        | Update::Wild
        | Update::NoVerdict(..) => None,
    };
    if let Some(id) = target
        && map.functions[id].is_none()
    {
        map.functions[id] = Some(Box::new(fresh(&evaluator.program.functions[id])));
    }
    let join = |slot: Option<&mut Value>, value: &Value| {
        if let Some(slot) = slot {
            *slot = slot.join(value);
        }
    };
    match &update {
        Update::Register(id, inst, value) => {
            join(map.functions[*id].as_mut().and_then(|values| values.registers.get_mut(inst.0 as usize)), value);
        }
        Update::Param(id, index, value) => {
            join(map.functions[*id].as_mut().and_then(|values| values.params.get_mut(*index as usize)), value);
        }
        Update::Result(id, index, value) => {
            join(map.functions[*id].as_mut().and_then(|values| values.results.get_mut(*index as usize)), value);
        }
        Update::Write(base, places, value) => {
            let contents = map.contents.entry(*base).or_default();
            contents.write(places, value, |places, like| evaluator.start_value(*base, places, like), |a, b| a.join(b));
        }
        Update::Copy(base, link) => drop(map.contents.entry(*base).or_default().link(link)),
        Update::Enter(_)
        | Update::Reach(..)
        | Update::Return(_)
        | Update::Free(_)
        | Update::Size(..)
        | Update::Wild
        | Update::NoVerdict(..) => note_plain(map, &update),
    }
}
