//! What was missing where an obligation was not shown, in C's syntax: the condition that did not follow, and what the state knew.
//! It is said to people; nothing is concluded from it.

use belay_ir::ObligationId;

use super::condition::Truth;
use super::machine::{Machine, Step};
use super::show::Names;
use super::state::State;

/// Facts that are said at most.
const MAX_FACTS: usize = 6;

/// Why an obligation was not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// What did not follow.
    pub condition: String,
    /// What was known of the same variables.
    pub known: Option<String>,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.known {
            Some(known) => write!(f, "{} does not follow from {known}", self.condition),
            None => write!(f, "nothing says {}", self.condition),
        }
    }
}

impl Machine<'_> {
    /// Notes that nothing says where a pointer leads.
    pub(super) fn lacks_pointer(&mut self, obligation: ObligationId) {
        if self.explains {
            let missing = Missing { condition: "where the pointer leads".to_owned(), known: None };
            self.missing.entry(obligation).or_insert(missing);
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
                let mut facts = names.facts();
                facts.conditions.retain(|fact| words(fact).any(|word| words(&condition).any(|other| other == word)));
                let known = facts.sentence(MAX_FACTS);
                self.missing.insert(obligation, Missing { condition, known });
                break;
            }
        }
        Ok(())
    }
}

/// The names in a condition.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
