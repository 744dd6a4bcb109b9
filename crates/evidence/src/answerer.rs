//! Who answers the questions that proofs by unrolling and induction come down to.
//!
//! A claim of an engine is put to Z3, which shares no code with us. A claim from a file may bring refutations ([`Refutation`]): each is found by a hash of its question, and is followed step
//! by step over clauses that are made anew from the question that *this* checker asks. The hash is for finding only: a refutation that does not refute the clauses is
//! as good as none. Then one is looked for by our own SAT solver, for a short time, and followed in the same way; and then Z3 is asked.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_logic::bv::Refutation;

use crate::unrolled::Question;

/// Time for our SAT solver where a refutation is missing, before the second solver is asked.
const SEARCH: Duration = Duration::from_secs(2);

/// Refutations by the hash of their question.
#[derive(Default, Debug)]
pub struct Refutations {
    known: Mutex<BTreeMap<u64, Refutation>>,
}

impl Refutations {
    /// These.
    pub fn new(known: BTreeMap<u64, Refutation>) -> Refutations {
        Refutations { known: Mutex::new(known) }
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<u64, Refutation> {
        self.known.lock().map(|known| known.clone()).unwrap_or_default()
    }

    fn get(&self, key: u64) -> Option<Refutation> {
        self.known.lock().ok()?.get(&key).cloned()
    }

    fn add(&self, key: u64, refutation: Refutation) {
        if let Ok(mut known) = self.known.lock() {
            known.insert(key, refutation);
        }
    }
}

impl Clone for Refutations {
    fn clone(&self) -> Self {
        Refutations::new(self.all())
    }
}

/// Who answers.
#[derive(Clone, Copy, Default)]
pub(crate) enum Answerer<'r> {
    /// The second solver.
    #[default]
    Second,
    /// These refutations, one that is found now, and the second solver where there is none that holds.
    Refutations(&'r Refutations),
    /// Our SAT solver, whose refutations are noted. What it answers makes no verdict that anybody sees.
    Recorder(&'r Refutations),
}

impl Answerer<'_> {
    /// True if it is known here that nothing bad is possible.
    pub(crate) fn refutes(self, question: &Question, script: &str, budget: &Budget) -> bool {
        match self {
            Answerer::Second => false,
            Answerer::Refutations(known) => {
                let (terms, conditions) = (&question.terms, &question.conditions);
                let found = known.get(hash(script));
                if found.is_some_and(|found| found.holds(terms, conditions, budget) == Ok(true)) {
                    return true;
                }
                let time = budget.time_left().map_or(SEARCH, |left| left.min(SEARCH));
                Refutation::find(terms, conditions, &Budget::unlimited().until(Instant::now() + time)).is_some()
            }
            Answerer::Recorder(known) => {
                let key = hash(script);
                if known.get(key).is_none() {
                    let found = Refutation::find(&question.terms, &question.conditions, budget);
                    found.into_iter().for_each(|found| known.add(key, found));
                }
                true
            }
        }
    }
}

/// FNV-1a: the same on every machine.
fn hash(script: &str) -> u64 {
    script.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
