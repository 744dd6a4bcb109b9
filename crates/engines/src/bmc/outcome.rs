//! What bounded model checking has to say of a property.

use belay_base::Span;
use belay_evidence::{Trace, Unrolled};

/// The engine's claim about one property.
#[derive(Clone, PartialEq, Debug)]
pub enum BmcOutcome {
    /// No run violates it: all runs are within these bounds.
    Proved(Box<Unrolled>),
    /// This run violates it; the interpreter has been there.
    Refuted(Trace),
    /// No claim.
    GaveUp {
        /// Why, for people.
        reason: String,
        /// The place that it is about, as far as there is one.
        span: Span,
    },
    /// A model that should be a run is none: the encoder or the interpreter is wrong.
    Disagreement {
        /// What was expected and what happened.
        what: String,
        /// The place of the violation that did not happen.
        span: Span,
    },
}

impl BmcOutcome {
    /// No claim, for a reason.
    pub fn gave_up(reason: impl Into<String>, span: Span) -> Self {
        BmcOutcome::GaveUp { reason: reason.into(), span }
    }
}
