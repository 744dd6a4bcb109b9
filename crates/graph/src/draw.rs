//! The graph for people to look at, finished or not.

use std::collections::BTreeMap;

use belay_base::Budget;
use belay_evidence::{Checker, Claim, GaveUp, Outcome, Task, Verdict};
use belay_ir::Property;
use belay_symbolic::{Certified, Machine, Unfolded, unfold};

use super::explore::{explore_partly, kept};
use super::{claim, gave_up};

/// A graph and what it shows.
#[derive(Debug)]
pub struct Drawing {
    /// Its states and steps.
    pub graph: Unfolded,
    /// What it says about each property; unknown where it says nothing.
    pub verdicts: Vec<Verdict>,
    /// Why the graph is not finished, if it is not.
    pub unfinished: Option<GaveUp>,
}

/// Builds the graph and spells it out, up to `most` nodes. What can't be followed ends it early; without a start there is none.
pub fn draw(task: &Task<'_>, steps: u64, most: usize, budget: &Budget) -> Result<Drawing, GaveUp> {
    let mut states = BTreeMap::new();
    let explored = explore_partly(task, (false, &[]), steps, budget, &mut states);
    let checker = Checker::new(task, budget);
    let verdict = |property: Property| {
        let reason = match &explored {
            Err(why) => why.clone(),
            Ok(explored) => match claim(task, explored, property, steps, budget) {
                Outcome::Claims(evidence) => {
                    let checked = checker.check(Claim { property, evidence });
                    return checked.unwrap_or_else(|refusal| {
                        let reason = format!("internal error: {refusal}");
                        Verdict::unknown(property, reason, belay_base::Span::NONE)
                    });
                }
                Outcome::GaveUp(why) | Outcome::Moot(why) => why,
            },
        };
        Verdict::unknown(property, reason.reason, reason.span)
    };
    let verdicts: Vec<Verdict> = Property::ALL.iter().map(|property| verdict(*property)).collect();
    let verdicts = verdicts.iter().map(|one| one.clone().with_memory_safety_proved(&verdicts)).collect();
    // Drawing is cheap beside building, but has to be possible when building has used its steps up.
    let drawing = budget.slice(steps);
    let mut oracle = Certified::new(&drawing);
    let mut machine = Machine::new(task.simplified, &task.config, &mut oracle, &drawing);
    machine.splits_sums = explored.as_ref().is_ok_and(|explored| explored.certificate.splits_sums);
    let graph = unfold(&mut machine, &kept(&states), most).map_err(gave_up)?;
    let unfinished = explored.err();
    Ok(Drawing { graph, verdicts, unfinished })
}
