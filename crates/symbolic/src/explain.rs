//! What was missing where an obligation was not shown, in C's syntax: the condition that did not follow, and what the state knew.
//! It is said to people; nothing is concluded from it.

use belay_expression::Missing;
use belay_ir::ObligationId;

use super::condition::Truth;
use super::machine::{Machine, Step};
use super::show::Names;
use super::state::State;

impl Machine<'_> {
    /// Notes that nothing says where a pointer leads.
    pub(super) fn lacks_pointer(&mut self, obligation: ObligationId) {
        if self.explains {
            self.missing.entry(obligation).or_insert(Missing::Pointer);
        }
    }

    /// Notes what is missing for an obligation: the first of these that is not known to be true.
    pub(super) fn lacks(&mut self, obligation: ObligationId, state: &State, wanted: &[Truth]) -> Step<()> {
        if !self.explains || self.missing.contains_key(&obligation) {
            return Ok(());
        }
        // Values that are not used any more may be what the condition is about.
        let names = Names::new(self.program, self.config.integers, state);
        for truth in wanted {
            let open = !state.clone().assuming(truth, false, false, self.oracle)?.is_empty();
            if open && let Some(condition) = names.condition(truth) {
                let known = names.facts().about(&condition);
                self.missing.insert(obligation, Missing::Condition(condition, known));
                break;
            }
        }
        Ok(())
    }
}
