//! Covers by regions, which a claim about floats carries for its checker.

use belay_base::Budget;

use super::{Effort, Paving, Pruned, prune};
use crate::bv::{TermId, TermStore};

/// Steps of the search for one.
const STEPS: u64 = 200_000;

/// Cuts of the space of the unknowns that show that no model meets all conditions, if some are found.
pub fn pave(terms: &TermStore, conditions: &[TermId], budget: &Budget) -> Option<Paving> {
    let effort = Effort { steps: STEPS, certified: true };
    match prune(terms, conditions, effort, &budget.slice(STEPS)) {
        Ok(Pruned::Empty(cover)) => Some(cover.tree),
        Ok(Pruned::Model(_) | Pruned::Open) | Err(_) => None,
    }
}
