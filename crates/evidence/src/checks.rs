//! Single checks: every obligation by itself, whatever becomes of the others.
//!
//! A check *holds* if no run violates it. A run ends at its first invalid access, failed assertion or division by zero, as SOUNDNESS.md says: what it would
//! have done after that is nothing that it does. So a check behind one that is violated holds as far as runs get; the verdict says so by the
//! assumption of memory safety, as that of a property does.
//!
//! **Why a verdict on a selection is one on its checks.** A [`Selection`] is a copy of the program in which some obligations are asked about and the others are
//! not. The copy has the same runs with the same ends: no execution looks at what is asked but to record or to judge a violation. A proof of a
//! property for the copy therefore says that no run violates one of the obligations asked; it may not rest on another's being kept
//! beyond the end of a run, since nothing but `Obligation::detail` decides whether a run ends there. Passes keep, for each obligation that they leave, the
//! runs that violate it, and discharge only what no run violates (`belay_passes`), so that the copy is made after them. A violation is replayed
//! on the program itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reason::Reasons;
use belay_base::Span;
use belay_ir::{CallGraph, Cfg, ObligationId, Program, Property, Standing};

use crate::task::Task;
use crate::verdict::{Answer, Verdict};

/// A copy of a task that asks about some obligations only.
pub struct Selection {
    program: Program,
    simplified: Program,
}

impl Selection {
    /// The copy that asks about these.
    pub fn of(task: &Task<'_>, asked: &BTreeSet<ObligationId>) -> Selection {
        Selection { program: task.program.asking_only(asked), simplified: task.simplified.asking_only(asked) }
    }

    /// The copy that takes these for shown and asks about the others as the task does.
    pub fn given(task: &Task<'_>, shown: &BTreeSet<ObligationId>) -> Selection {
        let standing = |id, now| if shown.contains(&id) { Standing::Shown } else { now };
        Selection { program: task.program.asking(standing), simplified: task.simplified.asking(standing) }
    }

    /// What to verify.
    pub fn task(&self, original: &Task<'_>) -> Task<'_> {
        Task { program: &self.program, simplified: &self.simplified, config: original.config.clone() }
    }
}

/// The obligations that a verdict on this program is about; none if it is about all of its property.
pub(crate) fn select_checks(program: &Program) -> Option<Arc<BTreeSet<ObligationId>>> {
    if program.obligations.iter().all(|obligation| obligation.is_asked()) {
        return None;
    }
    let asked = program.obligations.iter_enumerated().filter(|(_, obligation)| obligation.is_asked());
    Some(Arc::new(asked.map(|(id, _)| id).collect()))
}

/// The answer for one check. A verdict of the checker is behind it, or it is unknown.
#[derive(Clone, Debug)]
pub struct CheckVerdict {
    obligation: ObligationId,
    verdict: Arc<Verdict>,
}

impl CheckVerdict {
    /// What a verdict says of single checks: of all that it is about if it is true, of the one that its run violates if it is false.
    pub fn read(task: &Task<'_>, verdict: &Arc<Verdict>) -> Vec<CheckVerdict> {
        let answer = |obligation| CheckVerdict { obligation, verdict: Arc::clone(verdict) };
        match verdict.answer() {
            Answer::True(_) => {
                let obligations = task.program.obligations.iter_enumerated();
                let of_property = obligations.filter(|(_, obligation)| obligation.property == verdict.property());
                let about = of_property.filter(|(id, _)| verdict.asked.as_ref().is_none_or(|asked| asked.contains(id)));
                about.map(|(id, _)| answer(id)).collect()
            }
            Answer::False(counterexample) => {
                let violated = counterexample.violation.as_ref().and_then(|violation| violation.obligation);
                violated.into_iter().map(answer).collect()
            }
            Answer::Unknown(_) => Vec::new(),
        }
    }

    /// No answer: this needs no evidence.
    pub fn unknown(task: &Task<'_>, obligation: ObligationId, reason: impl Into<Reasons>, span: Span) -> CheckVerdict {
        let property = task.program.obligations[obligation].property;
        CheckVerdict { obligation, verdict: Arc::new(Verdict::unknown(property, reason, span)) }
    }

    /// The check.
    pub fn obligation(&self) -> ObligationId {
        self.obligation
    }

    /// The answer; a proof may be one of several checks together.
    pub fn answer(&self) -> &Answer {
        self.verdict.answer()
    }

    /// The verdict behind it.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

/// The checks of these properties that a run may come to and that simplification does not discharge, in the order of the program.
pub fn checks(task: &Task<'_>, properties: &[Property]) -> Vec<ObligationId> {
    list_checks(task, task.simplified, properties)
}

/// How many checks of these properties simplification discharges.
pub fn count_discharged(task: &Task<'_>, properties: &[Property]) -> usize {
    let left: BTreeSet<ObligationId> = checks(task, properties).into_iter().collect();
    list_checks(task, task.program, properties).into_iter().filter(|id| !left.contains(id)).count()
}

fn list_checks(task: &Task<'_>, program: &Program, properties: &[Property]) -> Vec<ObligationId> {
    let mut found: BTreeSet<ObligationId> = BTreeSet::new();
    for id in CallGraph::new(program).reachable_in_run(program, task.config.entry) {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        let placed = function.placed_insts().filter(|(block, _)| cfg.is_reachable(*block));
        found.extend(placed.flat_map(|(_, inst)| function.insts[inst].op.obligations()));
    }
    found.retain(|id| properties.contains(&program.obligations[*id].property));
    found.into_iter().collect()
}
