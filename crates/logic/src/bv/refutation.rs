//! Refutations of clauses: an answer "unsatisfiable" that is checked without a search.
//!
//! **Idea.** The SAT solver names for each clause that it learns the clauses from which it follows (LRAT, Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, CADE
//! 2017). Who has the clauses of the question, made anew from its terms, follows the learned ones to the empty one.
//!
//! **Why it is sound.** A step is taken only if unit propagation over the clauses that it names, from the negation of its literals, ends in a contradiction: then every
//! assignment that satisfies what is there so far satisfies the step's clause too. The empty clause is satisfied by none. Nothing is taken from the file but the
//! order of the work: a step that names what is not there, or does not end in a contradiction, is refused. Deletions and steps that keep satisfiability only (RAT)
//! do not occur: a refutation that needed them is not made.
//!
//! **What it does not show**: that the clauses say what the terms say. The bit-blaster and the simplification of terms are trusted here; who does not want that asks
//! another solver ([`super::smtlib`]).
//!
//! **Where it gives up**: beyond a number of conflicts or of literals no refutation is made.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use belay_base::{Budget, Exhausted};
use rustsat::solvers::{ControlSignal, LimitConflicts, Solve, SolverResult, Terminate};
use rustsat::types::Lit;
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId, TraceProof};

use super::blast::Blaster;
use super::solver::conjuncts;
use super::term::{TermId, TermStore};

/// Conflicts of a search for a refutation.
const MOST_CONFLICTS: u32 = 200_000;
/// Literals and names of clauses in all steps that the solver makes, needed or not.
const MOST_TRACED: usize = 40_000_000;
/// The same of a refutation that is kept, and of one that is read.
const MOST_KEPT: usize = 600_000;

/// Steps to the empty clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refutation {
    steps: Vec<Step>,
}

/// A clause that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    literals: Vec<i32>,
    /// The clauses from which it follows, in the order in which they become units: those of the question come first, then the steps.
    from: Vec<u32>,
}

/// Clauses, one behind the other.
#[derive(Default)]
struct Clauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    /// The clauses of the terms: all conditions hold.
    fn of(store: &TermStore, conditions: &[TermId], budget: &Budget) -> Result<Clauses, Exhausted> {
        let mut blaster = Blaster::default();
        for condition in conditions {
            for conjunct in conjuncts(store, *condition) {
                blaster.translate(store, conjunct, budget)?;
                let literal = blaster.literals(store, conjunct).expect("it was just translated")[0];
                blaster.gates().clause(&[literal]);
            }
        }
        let mut clauses = Clauses::default();
        blaster.gates().drain_clauses(|clause| clauses.add(clause.iter().map(|literal| literal.to_ipasir())));
        Ok(clauses)
    }

    fn add(&mut self, literals: impl IntoIterator<Item = i32>) {
        self.literals.extend(literals);
        self.ends.push(self.literals.len());
    }

    fn get(&self, at: usize) -> Option<&[i32]> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.literals.get(start..end)
    }
}

impl Refutation {
    /// Looks for one of the conjunction of the conditions. `None` if there is a model, if the search is too long, or if the refutation is too large to be kept.
    pub fn find(store: &TermStore, conditions: &[TermId], budget: &Budget) -> Option<Refutation> {
        let clauses = Clauses::of(store, conditions, budget).ok()?;
        let mut sat = CaDiCaL::default();
        let _ = sat.set_option("lucky", 0);
        let handle = sat.connect_proof_tracer(Tracer::default(), true);
        sat.limit_conflicts(Some(MOST_CONFLICTS)).ok()?;
        let clock = budget.slice(0);
        sat.attach_terminator(move || match clock.check_clock() {
            Ok(()) => ControlSignal::Continue,
            Err(_) => ControlSignal::Terminate,
        });
        for at in 0..clauses.ends.len() {
            let literals = clauses.get(at)?.iter().map(|literal| Lit::from_ipasir(*literal).ok());
            sat.add_clause(literals.collect::<Option<_>>()?).ok()?;
        }
        let answer = sat.solve().ok();
        sat.detach_terminator();
        let tracer = sat.disconnect_proof_tracer(handle).ok()?;
        if answer != Some(SolverResult::Unsat) {
            return None;
        }
        let refutation = tracer.trim(clauses.ends.len())?;
        // Nothing is believed that was not followed; what does not hold up is none.
        refutation.refutes(clauses).then_some(refutation)
    }

    /// True if it refutes the conjunction of the conditions.
    pub fn holds(&self, store: &TermStore, conditions: &[TermId], budget: &Budget) -> Result<bool, Exhausted> {
        Ok(self.refutes(Clauses::of(store, conditions, budget)?))
    }

    fn refutes(&self, mut clauses: Clauses) -> bool {
        let most = clauses.literals.iter().map(|literal| literal.unsigned_abs()).max().unwrap_or(0);
        let mut assigned = Assignment { values: vec![(0, false); most as usize + 1], step: 0 };
        for step in &self.steps {
            if !assigned.contradicts(&clauses, step) {
                return false;
            }
            if step.literals.is_empty() {
                return true;
            }
            clauses.add(step.literals.iter().copied());
        }
        false
    }

    /// As text: a line a step, its literals, 0, the clauses from which it follows, 0. Literals are numbered as in LRAT, and clauses from 1.
    pub fn print(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            step.literals.iter().for_each(|literal| {
                let _ = write!(text, "{literal} ");
            });
            text.push('0');
            step.from.iter().for_each(|from| {
                let _ = write!(text, " {}", u64::from(*from) + 1);
            });
            text.push_str(" 0\n");
        }
        text
    }

    /// Reads what [`Refutation::print`] writes.
    pub fn read(text: &str) -> Option<Refutation> {
        let mut kept = 0;
        let step = |line: &str| {
            let mut numbers = line.split(' ').map(|word| word.parse::<i32>().ok());
            let mut next_part = || -> Option<Vec<i32>> {
                let mut part = Vec::new();
                loop {
                    match numbers.next()?? {
                        0 => return Some(part),
                        i32::MIN => return None,
                        number => part.push(number),
                    }
                }
            };
            let literals = next_part()?;
            let named = next_part()?.into_iter().map(|name| u32::try_from(name).ok()?.checked_sub(1));
            let from: Vec<u32> = named.collect::<Option<_>>()?;
            kept += literals.len() + from.len();
            (numbers.next().is_none() && kept <= MOST_KEPT).then_some(Step { literals, from })
        };
        text.lines().map(step).collect::<Option<_>>().map(|steps| Refutation { steps })
    }
}

/// Which literals are true in a step.
struct Assignment {
    /// By variable: the step in which it got a value, and the value.
    values: Vec<(u32, bool)>,
    step: u32,
}

impl Assignment {
    fn value(&self, literal: i32) -> Option<bool> {
        let (step, value) = self.values[literal.unsigned_abs() as usize];
        (step == self.step).then_some(value == (literal > 0))
    }

    fn make_true(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize] = (self.step, literal > 0);
    }

    /// True if the negation of the step's clause contradicts the clauses that it names, by unit propagation in their order.
    fn contradicts(&mut self, clauses: &Clauses, step: &Step) -> bool {
        self.step += 1;
        // The question's clauses use all variables that there are: steps about others lead nowhere.
        if step.literals.iter().any(|literal| literal.unsigned_abs() as usize >= self.values.len()) {
            return false;
        }
        for literal in &step.literals {
            if self.value(*literal) == Some(true) {
                // A clause with a literal and its complement holds always.
                return true;
            }
            self.make_true(-*literal);
        }
        for from in &step.from {
            let Some(clause) = clauses.get(*from as usize) else { return false };
            let mut open = clause.iter().copied().filter(|literal| self.value(*literal) != Some(false));
            let Some(first) = open.next() else { return true };
            // A literal that is written twice is one literal.
            if open.any(|other| other != first) {
                return false;
            }
            self.make_true(first);
        }
        false
    }
}

/// Notes what the solver derives.
#[derive(Default)]
struct Tracer {
    /// The place of each clause of the question, by the solver's number.
    originals: BTreeMap<i64, u32>,
    derived: Vec<(i64, Vec<i32>, Vec<i64>)>,
    traced: usize,
    is_done: bool,
}

impl TraceProof for Tracer {
    fn add_original_clause(&mut self, id: ClauseId, _redundant: bool, _clause: &CaDiCaLClause, restored: bool) {
        if !restored {
            let at = self.originals.len() as u32;
            self.originals.insert(id.0, at);
        }
    }

    fn add_derived_clause(&mut self, id: ClauseId, _redundant: bool, clause: &CaDiCaLClause, from: &[ClauseId]) {
        if self.is_done || self.traced > MOST_TRACED {
            return;
        }
        self.traced += clause.len() + from.len();
        self.is_done = clause.is_empty();
        let literals = clause.iter().map(|literal| literal.to_ipasir()).collect();
        self.derived.push((id.0, literals, from.iter().map(|from| from.0).collect()));
    }
}

impl Tracer {
    /// The steps that the empty clause needs, numbered behind `originals` clauses.
    fn trim(self, originals: usize) -> Option<Refutation> {
        if !self.is_done || self.originals.len() != originals {
            return None;
        }
        let mut needed = std::collections::BTreeSet::new();
        needed.insert(self.derived.last()?.0);
        for (id, _, from) in self.derived.iter().rev() {
            if needed.contains(id) {
                needed.extend(from.iter().copied());
            }
        }
        let mut place = self.originals;
        let (mut steps, mut kept) = (Vec::new(), 0);
        for (id, literals, from) in self.derived.into_iter().filter(|(id, ..)| needed.contains(id)) {
            let from: Vec<u32> = from.iter().map(|from| place.get(from).copied()).collect::<Option<_>>()?;
            kept += literals.len() + from.len();
            if kept > MOST_KEPT {
                return None;
            }
            place.insert(id, u32::try_from(originals + steps.len()).ok()?);
            steps.push(Step { literals, from });
        }
        Some(Refutation { steps })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
    use super::super::value::Bits;
    use super::*;

    fn clauses(of: &[&[i32]]) -> Clauses {
        let mut clauses = Clauses::default();
        of.iter().for_each(|literals| clauses.add(literals.iter().copied()));
        clauses
    }

    /// Unsatisfiable: each of four combinations of two variables is excluded.
    const SQUARE: &[&[i32]] = &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

    fn refutes(text: &str, of: &[&[i32]]) -> bool {
        Refutation::read(text).is_some_and(|refutation| refutation.refutes(clauses(of)))
    }

    #[test]
    fn steps_have_to_follow() {
        assert!(refutes("1 0 1 2 0\n0 5 3 4 0\n", SQUARE));
        for wrong in [
            "",
            "0 1 2 3 4 0\n",
            "1 0 1 2 0\n",
            "1 0 1 0\n0 5 3 4 0\n",
            "1 0 1 2 0\n0 6 3 4 0\n",
            "1 0 1 2 0\n0 5 3 0\n",
            "1 0 1 2 0 7\n0 5 3 4 0\n",
            "1 0 -1 2 0\n0 5 3 4 0\n",
            "1 0 1 2",
            "0 0\n",
            "2147483648 0 1 2 0\n",
            "-2147483648 0 1 2 0\n0 5 3 4 0\n",
        ] {
            assert!(!refutes(wrong, SQUARE), "{wrong:?}");
        }
        // Of clauses with a model there is none, whatever is written.
        for wrong in [
            "1 0 1 2 0\n0 4 3 0\n",
            "1 0 1 2 0\n2 0 4 3 0\n-2 0 3 4 0\n0 5 6 0\n",
            "2 -2 0 0\n0 4 4 0\n",
            "3 0 1 2 0\n0 4 4 0\n",
        ] {
            assert!(!refutes(wrong, &SQUARE[..3]), "{wrong:?}");
        }
    }

    /// The refutation of a term is one of that term alone, and is the same when it is read again.
    #[test]
    fn terms_are_refuted() {
        let mut store = TermStore::new();
        let (x, y) = (store.variable("x", 12), store.variable("y", 12));
        let one = store.constant(Bits::power_of_two(12, 0));
        let (sum, product) = (store.add(x, y), store.mul(x, y));
        let square = store.mul(sum, sum);
        let (xx, yy) = (store.mul(x, x), store.mul(y, y));
        let twice = store.add(product, product);
        let parts = store.add(xx, yy);
        let expanded = store.add(parts, twice);
        let odd = store.and(product, one);
        let is_odd = store.eq(odd, one);
        let low = store.and(x, one);
        let even = store.constant(Bits::zero(12));
        let x_even = store.eq(low, even);
        let budget = Budget::unlimited();
        let wrong = store.and(is_odd, x_even);
        let found = Refutation::find(&store, &[wrong], &budget).unwrap();
        assert!(found.holds(&store, &[wrong], &budget).unwrap());
        assert_eq!(Refutation::read(&found.print()), Some(found.clone()));
        assert!(!found.holds(&store, &[is_odd], &budget).unwrap());
        assert!(!found.holds(&store, &[x_even], &budget).unwrap());
        assert!(Refutation::find(&store, &[is_odd], &budget).is_none());
        let same = store.eq(square, expanded);
        let differs = store.not(same);
        // A hard one ends with the budget's clock, and one that is found holds.
        let brief = Budget::unlimited().until(std::time::Instant::now() + std::time::Duration::from_millis(200));
        if let Some(found) = Refutation::find(&store, &[differs], &brief) {
            assert!(found.holds(&store, &[differs], &budget).unwrap());
        }
    }
}
