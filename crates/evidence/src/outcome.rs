//! What an engine has to say: a claim with its evidence, or why it has none.

use belay_base::{Exhausted, Span};
use belay_expression::Missing;

use crate::{Evidence, Fact, Given, Proof, Reasons, Trace, Within};

/// What kind of reason it is, from what says most to who reads it to what says least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// The tool is at fault.
    Internal,
    /// No answer would mean anything.
    Moot,
    /// The program has something that is not handled.
    NotHandled,
    /// A fact about the program did not follow.
    NotShown,
    /// No invariant or ranking function was found.
    NoInvariant,
    /// Runs were searched, up to some bound.
    Searched,
    /// Steps, time or size.
    Limit,
    /// The engine has nothing to say about such a question.
    NotAsked,
}

/// Why an engine has no claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GaveUp {
    /// The kind of reason.
    pub why: Why,
    /// The reason.
    pub reason: Reasons,
    /// The place that it is about, as far as there is one.
    pub span: Span,
    /// The attempts that might have come to an end with more steps, a bit each, by the engine's own numbers.
    pub unfinished: Attempts,
    /// How far the engine found nothing violated.
    pub within: Option<Within>,
}

/// Some of an engine's attempts, a bit each, in the order in which they are made.
pub type Attempts = u32;

impl GaveUp {
    /// A reason at a place.
    pub fn at(span: Span, why: Why, reason: impl Into<Reasons>) -> GaveUp {
        GaveUp { why, reason: reason.into(), span, unfinished: 0, within: None }
    }

    /// A reason without a place.
    pub fn because(why: Why, reason: impl Into<Reasons>) -> GaveUp {
        Self::at(Span::NONE, why, reason)
    }

    /// With what was missing.
    pub fn lacking(self, missing: Option<Missing>) -> GaveUp {
        GaveUp { reason: self.reason.lacking(missing), ..self }
    }

    /// Something that is not handled.
    pub fn not_handled((reason, span): (String, Span)) -> GaveUp {
        Self::at(span, Why::NotHandled, reason)
    }

    /// The budget refused further work on something.
    pub fn exhausted(why: Exhausted, doing: &str) -> GaveUp {
        Self::because(Why::Limit, format!("{why} while {doing}"))
    }
}

/// What an engine says of one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It holds or it does not, and this shows it.
    Claims(Evidence),
    /// No claim.
    GaveUp(GaveUp),
    /// No claim, and none would mean anything.
    Moot(GaveUp),
}

impl Outcome {
    /// It holds.
    pub fn proved(proof: Proof) -> Outcome {
        Outcome::Claims(Evidence::Proof(proof))
    }

    /// It is violated.
    pub fn refuted(trace: Trace) -> Outcome {
        Outcome::Claims(Evidence::Run(trace))
    }

    /// The same, where what is claimed to hold takes a fact for granted.
    pub fn resting_on(self, fact: &Fact) -> Outcome {
        match self {
            Outcome::Claims(Evidence::Proof(proof)) => {
                Outcome::proved(Proof::Given(Box::new(Given { facts: vec![fact.clone()], proof })))
            }
            other @ (Outcome::Claims(_) | Outcome::GaveUp(_) | Outcome::Moot(_)) => other,
        }
    }

    /// The proof, if one is claimed.
    pub fn proof(self) -> Option<Proof> {
        match self {
            Outcome::Claims(Evidence::Proof(proof)) => Some(proof),
            Outcome::Claims(Evidence::Run(_) | Evidence::RecurrentSet(_) | Evidence::Unending(_))
            | Outcome::GaveUp(_)
            | Outcome::Moot(_) => None,
        }
    }
}
