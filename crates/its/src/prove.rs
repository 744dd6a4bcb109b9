//! The strategy: which technique when.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};
use belay_linear::{Rat, Var};

use crate::evidence::{CellId, LocationCell, RecurrentSet, Rejection, TerminationCertificate, check_termination};
use crate::invariant;
use crate::preprocess::Work;
use crate::ranking::{Invariants, Progress};
use crate::recurrence;
use crate::refine::refine;
use crate::refine_values::refine_by_values;
use crate::system::{Atom, Its, LocId, Malformed, Sign, TransId};

/// Nested ranking functions have at most so many parts.
const MAX_DEPTH: usize = 3;
/// Components of so many blocks are split by modes before anything else is tried.
const MANY_BLOCKS: usize = 40;
/// What modes leave open is looked at more closely in systems of so many blocks.
const FEW_BLOCKS: usize = 300;
/// So many groups of variables are modes at most.
const MAX_SPLITS: usize = 6;
/// How often locations are split.
const GENERATIONS: usize = 3;

/// What [`prove`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every run is finite; the certificate has been checked.
    Terminates(TerminationCertificate),
    /// Some run is infinite; the set has been checked.
    NonTerminating(RecurrentSet),
    /// Neither was shown.
    GaveUp(GaveUp),
}

/// Why nothing was shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// The system is not well-formed.
    Malformed(Malformed),
    /// The budget ended.
    Exhausted(Exhausted),
    /// All techniques were tried; components with a cycle are left.
    Inconclusive {
        /// A location of each.
        locations: Vec<LocId>,
    },
    /// A claim failed its check: a fault of this crate.
    Rejected(Rejection),
}

/// What holds at some locations whenever they are reached, over the program variables.
pub type Claims = BTreeMap<LocId, Vec<Atom>>;

/// Decides whether every run of `its` is finite, as far as the budget and the techniques go.
pub fn prove(its: &Its, budget: &Budget) -> Outcome {
    prove_with(its, &Question::default(), budget)
}

/// What is asked beyond whether a system ends.
#[derive(Default)]
pub struct Question<'q> {
    /// A certificate of termination must show these as well: they are the invariants of their locations.
    pub claims: Claims,
    /// Infinite runs along transitions for which this holds are looked for first.
    pub preferred: Option<&'q dyn Fn(TransId) -> bool>,
    /// A recurrent set for which this does not hold is given only if no other is found.
    pub accepts: Option<&'q dyn Fn(&RecurrentSet) -> bool>,
}

/// As [`prove`], with more asked.
pub fn prove_with(its: &Its, question: &Question<'_>, budget: &Budget) -> Outcome {
    if let Err(reason) = its.validate() {
        return Outcome::GaveUp(GaveUp::Malformed(reason));
    }
    match search(its, question, budget) {
        Ok(outcome) => outcome,
        Err(exhausted) => Outcome::GaveUp(GaveUp::Exhausted(exhausted)),
    }
}

/// What templates show of the given variables at some locations: `None` where no run comes. The last variable of a location is compared
/// with each of the others.
pub fn invariants_at(
    its: &Its,
    observed: &BTreeMap<LocId, Vec<Var>>,
    budget: &Budget,
) -> Result<BTreeMap<LocId, Option<Vec<Atom>>>, Exhausted> {
    let work = Work::new(its, observed, budget)?;
    let found = invariant::infer(&work, &[], budget)?;
    let known = |location: &LocId, vars: &[Var]| {
        let cell = work.cells.iter_enumerated().find(|(_, cell)| cell.location == *location)?.0;
        let never = |atom: &Atom| atom.poly.to_linear().is_some_and(|e| e.is_constant() && e.offset().is_negative());
        let atoms = &found[cell];
        let ours = |atom: &&Atom| atom.poly.vars().all(|var| vars.contains(&var));
        (!atoms.iter().any(never)).then(|| atoms.iter().filter(ours).cloned().collect())
    };
    Ok(observed.iter().map(|(location, vars)| (*location, known(location, vars))).collect())
}

fn search(its: &Its, question: &Question<'_>, budget: &Budget) -> Result<Outcome, Exhausted> {
    let claims = &question.claims;
    let vars = |atoms: &Vec<Atom>| -> Vec<Var> {
        let mentioned: BTreeSet<Var> = atoms.iter().flat_map(|atom| atom.poly.vars()).collect();
        mentioned.into_iter().collect()
    };
    let observed = claims.iter().map(|(location, atoms)| (*location, vars(atoms))).collect();
    let mut attempt = Attempt::new(Work::new(its, &observed, budget)?);
    if let Some(done) = attempt.with_modes(claims, MANY_BLOCKS, budget)? {
        return Ok(done.certify(its, claims, budget));
    }
    // Claims need invariants in support.
    if claims.is_empty() && attempt.progress.advance(&attempt.work, &attempt.invariants, 1, budget)? {
        return Ok(attempt.certify(its, claims, budget));
    }
    if attempt.with_invariants(budget)? {
        return Ok(attempt.certify(its, claims, budget));
    }
    let Attempt { work, invariants, progress } = &attempt;
    let open = progress.open_components(work);
    if let Some(preferred) = question.preferred {
        let part = budget.slice(budget.left() / 4);
        let (work, open) = work.restrict(&open, |block| block.path.iter().all(|id| preferred(*id)));
        if let Some(Some(set)) = within(recurrence::search(its, &work, invariants, &open, (question.accepts, &part)))? {
            return Ok(Outcome::NonTerminating(set));
        }
    }
    let part = budget.slice(budget.left() / 4);
    if let Some(Some(set)) = within(recurrence::search(its, work, invariants, &open, (question.accepts, &part)))? {
        return Ok(Outcome::NonTerminating(set));
    }
    let part = budget.slice(budget.left() / 4);
    if within(attempt.progress.relate(&attempt.work, &attempt.invariants, &part))? == Some(true) {
        return Ok(attempt.certify(its, claims, budget));
    }
    if let Some(done) = attempt.with_modes(claims, 0, budget)? {
        return Ok(done.certify(its, claims, budget));
    }
    for generation in 0..GENERATIONS {
        let part = budget.slice(budget.left() / 4);
        if let Some(next) = within(attempt.refine(generation, &part))?.flatten() {
            attempt = next;
        }
        if attempt.is_done() {
            return Ok(attempt.certify(its, claims, budget));
        }
    }
    let open = attempt.progress.open_components(&attempt.work);
    let location =
        |(cells, _): (BTreeSet<CellId>, Vec<usize>)| cells.first().map(|cell| attempt.work.cells[*cell].location);
    let mut locations: Vec<LocId> = open.into_iter().filter_map(location).collect();
    locations.sort_unstable();
    locations.dedup();
    Ok(Outcome::GaveUp(GaveUp::Inconclusive { locations }))
}

/// A system, and how far its termination proof has come.
struct Attempt {
    work: Work,
    invariants: Invariants,
    progress: Progress,
}

impl Attempt {
    fn new(work: Work) -> Attempt {
        let invariants = work.cells.iter().map(|cell| cell.inherited.clone()).collect();
        let progress = Progress::new(&work);
        Attempt { work, invariants, progress }
    }

    fn is_done(&self) -> bool {
        self.progress.open_components(&self.work).is_empty()
    }

    /// Infers invariants and ranks what is left with them. True if no cycle is left.
    fn with_invariants(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let part = budget.slice(budget.left() / 4);
        let open = self.progress.open_components(&self.work);
        let open: Vec<usize> = open.into_iter().flat_map(|(_, blocks)| blocks).collect();
        if let Some(found) = within(invariant::infer(&self.work, &open, &part))? {
            for (known, found) in self.invariants.iter_mut().zip(found.iter()) {
                known.retain(|atom| !found.iter().any(|stronger| is_implied(atom, stronger)));
                known.extend(found.iter().cloned());
            }
        }
        self.progress.drop_infeasible(&self.work, &self.invariants, budget)?;
        self.progress.advance(&self.work, &self.invariants, MAX_DEPTH, budget)
    }

    /// The proof by modes, for components of so many blocks, if they are enough.
    fn with_modes(&self, claims: &Claims, least: usize, budget: &Budget) -> Result<Option<Attempt>, Exhausted> {
        let open = self.progress.open_components(&self.work);
        if !claims.is_empty() || !open.iter().any(|(_, blocks)| blocks.len() >= least) {
            return Ok(None);
        }
        let part = budget.slice(budget.left() / 4);
        let mut split = BTreeSet::new();
        let mut finer: Option<Attempt> = None;
        for _ in 0..MAX_SPLITS {
            let coarse = finer.as_ref().unwrap_or(self);
            let open = coarse.progress.open_components(&coarse.work);
            let found = within(refine_by_values(&coarse.work, &open, &mut split, &part))?;
            let Some(Some(work)) = found else { break };
            let next = finer.insert(Attempt::new(work));
            if next.is_done() {
                return Ok(finer);
            }
        }
        let Some(mut finer) = finer.filter(|finer| finer.work.blocks.len() <= FEW_BLOCKS) else { return Ok(None) };
        let done = within(finer.with_invariants(&part))?;
        Ok((done == Some(true)).then_some(finer))
    }

    /// The attempt on a finer system; `None` if there is none.
    fn refine(&self, generation: usize, budget: &Budget) -> Result<Option<Attempt>, Exhausted> {
        let open = self.progress.open_components(&self.work);
        let finer = refine(&self.work, &self.invariants, &open, generation, budget)?;
        let Some(work) = finer else { return Ok(None) };
        let mut attempt = Attempt::new(work);
        attempt.with_invariants(budget)?;
        Ok(Some(attempt))
    }

    /// The claim of termination, if it passes its check.
    fn certify(self, its: &Its, claims: &Claims, budget: &Budget) -> Outcome {
        let cells = self.work.cells.iter().zip(self.invariants.iter());
        let cells = cells.map(|(cell, found)| {
            let invariant = claims.get(&cell.location).unwrap_or(found).clone();
            LocationCell { location: cell.location, invariant }
        });
        let certificate = TerminationCertificate {
            partitions: self.work.partitions.clone(),
            cells: cells.collect(),
            steps: self.progress.steps,
            transition_invariants: self.progress.transition_invariants,
        };
        match check_termination(its, &certificate, budget) {
            Ok(()) => Outcome::Terminates(certificate),
            Err(Rejection::Exhausted(reason)) => Outcome::GaveUp(GaveUp::Exhausted(reason)),
            Err(rejection) => Outcome::GaveUp(GaveUp::Rejected(rejection)),
        }
    }
}

/// True if one atom plainly follows from another: it is the same, or allows more.
fn is_implied(atom: &Atom, by: &Atom) -> bool {
    let more = |slack: Rat| !slack.is_negative() && atom.sign == Sign::NonNegative;
    atom == by || by.sign == atom.sign && atom.poly.distance(&by.poly).is_some_and(more)
}

/// A technique that used up its part of the steps has just not found anything.
fn within<T>(result: Result<T, Exhausted>) -> Result<Option<T>, Exhausted> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Exhausted::Steps) => Ok(None),
        Err(why @ (Exhausted::Time | Exhausted::Memory | Exhausted::Cancelled | Exhausted::Interrupted)) => Err(why),
    }
}
