//! Who answers the questions that proofs by unrolling and induction come down to.
//!
//! A claim of an engine is put to Z3, which shares no code with us. A claim from a file may bring refutations ([`Refutation`]): each is found by a hash of its question, and is followed step
//! by step over clauses that are made anew from the question that *this* checker asks. The hash is for finding only: a refutation that does not refute the clauses is
//! as good as none. Then one is looked for by our own SAT solver, for a short time, and followed in the same way; and then Z3 is asked.
//!
//! A question that comes in parts ([`Question::parts`]) is one refutation for each part, with terms of its own: after an edit those of the other parts are still found, and each is short.
//! **Soundness**: the last condition says that one of the parts holds, and a copy of terms without replacements is satisfiable if the original is
//! ([`LocalCopy`]); so where no part goes together with the other conditions, the question has no answer.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_logic::bv::{LocalCopy, Refutation, TermId, TermStore, smtlib};
use rustc_hash::FxHashSet;

use crate::unrolled::Question;

/// Time for our SAT solver where a refutation is missing, before the second solver is asked.
const SEARCH: Duration = Duration::from_secs(2);

/// Refutations by the hash of their question.
#[derive(Default, Debug)]
pub struct Refutations {
    known: Mutex<BTreeMap<u64, Refutation>>,
    /// Of an earlier version of the program: what still refutes a question need not be looked for.
    earlier: BTreeMap<u64, Refutation>,
}

impl Refutations {
    /// These.
    pub fn new(known: BTreeMap<u64, Refutation>) -> Refutations {
        Refutations { known: Mutex::new(known), earlier: BTreeMap::new() }
    }

    /// None yet; those of an earlier version of the program are taken over where they are asked for.
    pub fn after(earlier: &Refutations) -> Refutations {
        Refutations { known: Mutex::default(), earlier: earlier.all() }
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
    pub(crate) fn refutes(self, question: &Question, budget: &Budget) -> bool {
        match self {
            Answerer::Second => false,
            Answerer::Refutations(known) => pieces(question).all(|piece| piece.is_refuted(known, budget)),
            Answerer::Recorder(known) => {
                pieces(question).for_each(|piece| piece.record(known, budget));
                true
            }
        }
    }
}

/// Questions of which none may have an answer.
fn pieces(question: &Question) -> impl Iterator<Item = Piece> {
    let (terms, conditions) = (&question.terms, &question.conditions);
    let others = conditions.split_last().map_or(&[][..], |(_, others)| others);
    let parts: Vec<Option<TermId>> = match question.parts.is_empty() {
        true => vec![None],
        false => question.parts.iter().copied().filter(|part| !terms.is_false(*part)).map(Some).collect(),
    };
    parts.into_iter().map(move |part| match part {
        None => Piece::of(terms, conditions.iter()),
        Some(part) => Piece::of(terms, others.iter().chain([&part])),
    })
}

/// Conditions that must not be possible together, with terms of their own: what is asked elsewhere changes neither their names nor their clauses.
struct Piece {
    terms: TermStore,
    conditions: Vec<TermId>,
    key: u64,
}

impl Piece {
    fn of<'t>(from: &TermStore, conditions: impl Iterator<Item = &'t TermId>) -> Piece {
        let (nothing, mut terms) = (FxHashSet::default(), TermStore::new());
        let mut copy = LocalCopy::new(from, &nothing);
        let conditions: Vec<TermId> = conditions.map(|condition| copy.copy(*condition, &mut terms)).collect();
        let key = hash(&smtlib::script(&terms, &conditions));
        Piece { terms, conditions, key }
    }

    fn is_refuted(&self, known: &Refutations, budget: &Budget) -> bool {
        let stored = known.get(self.key);
        if stored.is_some_and(|stored| stored.holds(&self.terms, &self.conditions, budget) == Ok(true)) {
            return true;
        }
        let time = budget.time_left().map_or(SEARCH, |left| left.min(SEARCH));
        let found = Refutation::find(&self.terms, &self.conditions, &Budget::unlimited().until(Instant::now() + time));
        // Another property may come down to the same question.
        let is_found = found.is_some();
        found.into_iter().for_each(|found| known.add(self.key, found));
        is_found
    }

    fn record(&self, known: &Refutations, budget: &Budget) {
        if known.get(self.key).is_some() || budget.check_clock().is_err() {
            return;
        }
        let holds = |earlier: &&Refutation| earlier.holds(&self.terms, &self.conditions, budget) == Ok(true);
        let found = match known.earlier.get(&self.key).filter(holds) {
            Some(earlier) => Some(earlier.clone()),
            None => Refutation::find(&self.terms, &self.conditions, budget),
        };
        found.into_iter().for_each(|found| known.add(self.key, found));
    }
}

/// FNV-1a: the same on every machine.
fn hash(script: &str) -> u64 {
    script.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether one of these is a square modulo 256, each asked by itself. No square leaves 2, 3, 5, 6 or 7 modulo 8.
    fn question(squares: &[u128]) -> Question {
        let mut terms = TermStore::new();
        let mut parts = Vec::new();
        for (number, square) in squares.iter().enumerate() {
            let (root, square) = (terms.variable(format!("root {number}"), 8), terms.number(8, *square));
            let squared = terms.mul(root, root);
            parts.push(terms.eq(squared, square));
        }
        let any = terms.or_all(parts.iter().copied());
        Question { terms, conditions: vec![any], parts }
    }

    #[test]
    fn each_part_has_a_refutation_of_its_own() {
        let (known, budget) = (Refutations::default(), Budget::unlimited());
        Answerer::Recorder(&known).refutes(&question(&[3, 5, 7]), &budget);
        let first = known.all();
        assert_eq!(first.len(), 3);
        assert!(Answerer::Refutations(&Refutations::new(first.clone())).refutes(&question(&[3, 5, 7]), &budget));
        // After an edit the refutations of the other parts are taken over, and that of the one that is gone is not.
        let next = Refutations::after(&known);
        Answerer::Recorder(&next).refutes(&question(&[3, 6, 7]), &budget);
        let next = next.all();
        assert_eq!((next.len(), next.keys().filter(|key| first.contains_key(key)).count()), (3, 2));
    }

    #[test]
    fn a_part_with_an_answer_is_not_refuted() {
        let (known, budget) = (Refutations::default(), Budget::unlimited());
        Answerer::Recorder(&known).refutes(&question(&[3, 5, 7]), &budget);
        let broken = question(&[3, 4, 7]);
        assert!(!Answerer::Refutations(&known).refutes(&broken, &budget));
        // Nor by what refutes another question, under whatever hash it stands.
        let some = known.all().into_values().next().expect("one of three");
        let forged = Refutations::new(pieces(&broken).map(|piece| (piece.key, some.clone())).collect());
        assert!(!Answerer::Refutations(&forged).refutes(&broken, &budget));
    }
}
