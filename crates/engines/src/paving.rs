//! Covers by regions, which a claim about floats carries for the checker.

use belay_base::Budget;
use belay_evidence::Question;
use belay_logic::bv::prune::{Effort, Paving, Pruned, prune};

/// Steps of the search for one.
const STEPS: u64 = 200_000;

/// Cuts of the space of the unknowns that answer the question, if there are some; without them the checker asks a solver.
pub(crate) fn pave(question: &Question, budget: &Budget) -> Option<Paving> {
    let effort = Effort { steps: STEPS, certified: true };
    match prune(&question.terms, &question.conditions, effort, &budget.slice(STEPS)) {
        Ok(Pruned::Empty(cover)) => Some(cover.tree),
        Ok(Pruned::Model(_) | Pruned::Open) | Err(_) => None,
    }
}
