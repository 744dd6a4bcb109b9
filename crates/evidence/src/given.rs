//! Proofs that rest on what others have shown: obligations proved by one engine, and the rest by another that takes them for granted.
//!
//! **Idea.** A property holds if each of its obligations does, and engines are good at different ones: a symbolic execution graph shows that accesses are
//! valid where k-induction would need invariants about memory, and k-induction bounds a sum that the graph does not follow. A [`Fact`] is a set of obligations with a
//! proof of its own. Facts stand in a row: each may take for granted what those before it show, and the proof in the end what all of them show.
//!
//! **Soundness.** Let the *part* of a run be what it does up to its first invalid access (SOUNDNESS.md speaks of no more, in all properties but termination, which
//! is refused here). A fact that was checked says: no part of a run violates one of its obligations. By induction over the row:
//!
//! - *A step* is checked on a copy of the program in which the obligations shown before have the standing [`Shown`](belay_ir::Standing::Shown). The copy has
//!   the same runs with the same ends ([`Selection`]). The executions that proofs are checked with may do two things with such an obligation: not count its violation, and assume
//!   where it stands that it is kept. Since no part of a run violates it, by the steps before, the assumption holds in every part of every run, so that none is
//!   lost by it; the correspondence of runs and terms that the step's own check rests on (`belay_encoder::cut`) stays as it is.
//! - *What a step shows* holds in every part of every run then, and not only in those that keep the other obligations: a step takes nothing for granted but what earlier
//!   steps show, never what it shows itself or what comes later. So there is no circle.
//! - *The last step* asks about all obligations of the property that the task asks about and that are not shown, and about what is no obligation (lost blocks). With the facts
//!   that is all.
//!
//! The validity of an access may rest on the absence of an overflow and the other way round, in this order: the fact about the overflow speaks of what is before the first
//! invalid access, and whether that is one is asked of a run that had none before.
//!
//! **Where it gives up.** Termination is not proved so: its proofs go on after an invalid access, where facts say nothing.

use std::collections::BTreeSet;

use belay_ir::{ObligationId, Property};

use crate::checker::Checker;
use crate::checks::Selection;
use crate::claim::Refusal;
use crate::task::Task;
use crate::verdict::{Assumption, Proof};

/// Obligations that no run violates, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The obligations; they may be of several properties.
    pub obligations: BTreeSet<ObligationId>,
    /// What shows them.
    pub proof: Proof,
}

/// Facts in a row, and a proof of the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Each may take those before it for granted.
    pub facts: Vec<Fact>,
    /// May take them all for granted.
    pub proof: Proof,
}

impl Given {
    /// What is to be checked, in order: each time a task, properties and a proof of them. Ends at the first refusal.
    pub(crate) fn each_step(
        &self,
        task: &Task<'_>,
        property: Property,
        mut check: impl FnMut(&Task<'_>, &BTreeSet<Property>, &Proof) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut shown: BTreeSet<ObligationId> = BTreeSet::new();
        for fact in &self.facts {
            let known = |id: &ObligationId| task.program.obligations.get(*id).is_some();
            if !fact.obligations.iter().all(known) {
                return Err(Refusal::Rejected("a fact is about no obligation of the program".to_owned()));
            }
            let asked = Selection::of(task, &fact.obligations);
            let asked = asked.task(task);
            let step = Selection::given(&asked, &shown);
            let step = step.task(task);
            let of = |id: &ObligationId| task.program.obligations[*id].property;
            check(&step, &fact.obligations.iter().map(of).collect(), &fact.proof)?;
            shown.extend(&fact.obligations);
        }
        let last = Selection::given(task, &shown);
        check(&last.task(task), &BTreeSet::from([property]), &self.proof)
    }
}

impl Checker<'_> {
    /// Checks facts and what rests on them; says what they take for granted beyond what every proof of the property does.
    pub(crate) fn check_given(&self, property: Property, given: &Given) -> Result<Vec<Assumption>, Refusal> {
        let mut taken: Vec<Assumption> = Vec::new();
        given.each_step(self.task, property, |task, properties, proof| {
            if matches!(proof, Proof::Given(_)) {
                return Err(Refusal::Rejected("a fact rests on facts of its own".to_owned()));
            }
            let checker = Checker::with_graph_of(task, self);
            for property in properties {
                for assumption in checker.confirm(*property, proof.clone())?.assumptions {
                    if is_of_the_proof(&assumption) && !taken.contains(&assumption) {
                        taken.push(assumption);
                    }
                }
            }
            checker.give_graph_to(self);
            Ok(())
        })?;
        Ok(taken)
    }
}

/// True of what depends on how a property was shown, and not on the property and the program alone.
fn is_of_the_proof(assumption: &Assumption) -> bool {
    match assumption {
        Assumption::Arguments | Assumption::SmallBlocks | Assumption::NotRechecked(_) => true,
        Assumption::MemorySafety
        | Assumption::Externs(..)
        | Assumption::Replaced(_)
        | Assumption::LibraryStart
        | Assumption::Constants(_)
        | Assumption::EveryRunAssumedAway => false,
    }
}
