//! What an engine has to say.

use belay_base::Span;
use belay_evidence::{Descent, Proof, Trace, Unending};
use belay_its::evidence::RecurrentSet;

/// Why an engine has no claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GaveUp {
    /// The reason, for people.
    pub reason: String,
    /// The place that it is about, as far as there is one.
    pub span: Span,
}

impl GaveUp {
    /// A reason without a place.
    pub fn because(reason: impl Into<String>) -> GaveUp {
        GaveUp { reason: reason.into(), span: Span::NONE }
    }
}

/// An engine's claim about one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It holds, and this shows it.
    Proved(Proof),
    /// The program ends, if the second solver agrees.
    Descends(Box<Descent>),
    /// It does not, and this run shows it.
    Refuted(Trace),
    /// The program need not end: a run of its transition system never does.
    Endless(Box<RecurrentSet>),
    /// The program need not end: with some inputs it can't.
    Unending(Box<Unending>),
    /// No claim.
    GaveUp(GaveUp),
    /// No claim, and none would mean anything.
    Moot(GaveUp),
}
