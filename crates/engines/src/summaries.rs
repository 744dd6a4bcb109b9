//! Summaries: what is known of the results of calls, for recursive functions whose arguments depend on them.
//!
//! McCarthy's `f(f(n + 11))` ends because the inner call gives back more than `n`. What a function gives back is found by
//! iteration (Sharir and Pnueli 1981, the functional approach): at first no call returns; the invariants where the returns end, by templates over arguments and
//! result, are the next summary; what a later round does not confirm is dropped, until a round confirms all. The checker
//! then sees the summaries as invariants of the system that assumes them, which suffices
//! ([`belay_transitions`] says why). Gives up after a few rounds, and where no inequality between two of the numbers helps.

use belay_base::Budget;
use belay_evidence::{Ranking, Task};
use belay_its::evidence::Premises;
use belay_its::{Atom, Outcome, Poly, Question, invariants_at, prove_with};
use belay_transitions::{Extracted, Returns, Summaries, extract_with, summarisable};

const ROUNDS: usize = 8;
/// From this round on facts are only dropped.
const FIRST_WIDENING: usize = 3;

/// Ranking functions with summaries of the calls that `extracted` does not follow.
pub(crate) fn rank(task: &Task<'_>, extracted: &Extracted, budget: &Budget) -> Option<Ranking> {
    let functions = summarisable(&extracted.program, task.config.entry);
    let mut summaries: Summaries = functions.into_iter().map(|function| (function, vec![never()])).collect();
    if summaries.is_empty() {
        return None;
    }
    for round in 0..ROUNDS {
        let system = extract_with(task.simplified, task.config.entry, task.integers(), &summaries).ok()?;
        if system.returns.is_empty() {
            return None;
        }
        if improve(&system, &mut summaries, round, &budget.slice(budget.left() / 4))? {
            return prove(&system, summaries, budget);
        }
    }
    None
}

fn never() -> Atom {
    Atom::non_negative(Poly::constant(-1))
}

/// Weakens the summaries to cover what the system shows of the returns; true if they do already.
fn improve(system: &Extracted, summaries: &mut Summaries, round: usize, budget: &Budget) -> Option<bool> {
    let variables = |returns: &Returns| returns.variables.iter().map(|(var, _)| *var).collect();
    let observed = system.returns.values().map(|returns| (returns.location, variables(returns))).collect();
    let found = invariants_at(&system.its, &observed, budget).ok()?;
    let mut stable = true;
    for (function, returns) in &system.returns {
        let Some(Some(atoms)) = found.get(&returns.location) else { continue };
        let (new, old) = (returns.in_summary(atoms), summaries.get(function)?);
        let confirmed = find_implied(&new, old, budget)?;
        if confirmed.len() == old.len() {
            continue;
        }
        stable = false;
        let mut joined = confirmed;
        if round < FIRST_WIDENING {
            let more = find_implied(old, &new, budget)?;
            joined.extend(more.into_iter().filter(|atom| !old.contains(atom)));
        }
        summaries.insert(*function, joined);
    }
    Some(stable)
}

/// Those of `conclusions` that the premises entail.
fn find_implied(premises: &[Atom], conclusions: &[Atom], budget: &Budget) -> Option<Vec<Atom>> {
    let atoms = premises.iter().chain(conclusions);
    let width = atoms.flat_map(|atom| atom.poly.vars()).map(|var| var.index() + 1).max().unwrap_or(0);
    let mut known = Premises::new(width, premises, &[]);
    let mut found = Vec::new();
    for atom in conclusions {
        if known.entail(atom, budget).ok()? {
            found.push(atom.clone());
        }
    }
    Some(found)
}

fn prove(system: &Extracted, summaries: Summaries, budget: &Budget) -> Option<Ranking> {
    let claim =
        |(function, returns): (_, &Returns)| Some((returns.location, returns.in_system(summaries.get(function)?)?));
    let claims: Option<_> = system.returns.iter().map(claim).collect();
    let question = Question { claims: claims?, ..Question::default() };
    match prove_with(&system.its, &question, budget) {
        Outcome::Terminates(certificate) => Some(Ranking { certificate, summaries }),
        Outcome::NonTerminating(_) | Outcome::GaveUp(_) => None,
    }
}
