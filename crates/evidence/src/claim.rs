//! Claims: what an engine says of a property, with what shows it. One type for all engines, and one door through which a claim becomes a
//! verdict: [`Checker::check`](crate::Checker::check).

use belay_ir::Property;
use belay_its::evidence::RecurrentSet;

use crate::trace::Trace;
use crate::unending::Unending;
use crate::verdict::Proof;

/// What shows a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Evidence {
    /// The property holds.
    Proof(Proof),
    /// The property is violated in this run.
    Run(Trace),
    /// The program need not end: a run of its transition system never does.
    RecurrentSet(Box<RecurrentSet>),
    /// The program need not end: with some inputs it can't.
    Unending(Box<Unending>),
}

impl Evidence {
    /// What kind of evidence it is, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Evidence::Proof(proof) => proof.kind(),
            Evidence::Run(_) => "a run",
            Evidence::RecurrentSet(_) => "a recurrent set",
            Evidence::Unending(_) => "a proof that a run can't end",
        }
    }
}

/// An engine's claim about one property.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// The property.
    pub property: Property,
    /// What shows it.
    pub evidence: Evidence,
}

impl Claim {
    /// The property holds.
    pub fn proof(property: Property, proof: Proof) -> Claim {
        Claim { property, evidence: Evidence::Proof(proof) }
    }

    /// The property is violated.
    pub fn run(property: Property, trace: Trace) -> Claim {
        Claim { property, evidence: Evidence::Run(trace) }
    }

    /// The program need not end.
    pub fn unending(unending: Unending) -> Claim {
        Claim { property: Property::Termination, evidence: Evidence::Unending(Box::new(unending)) }
    }
}

/// Why a claim is no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The evidence does not show what is claimed: the engine is at fault.
    Rejected(String),
    /// Nothing is wrong with the claim, but it is not shown for the program itself: the transition system allows more than the program does, or the second
    /// solver, whose consent such a claim needs, has no answer.
    Unconfirmed(String),
    /// Some read the violation as one of this property and others do not: neither verdict would be right for both.
    Disputed,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Rejected(why) => write!(f, "evidence rejected: {why}"),
            Refusal::Unconfirmed(why) => write!(f, "not confirmed: {why}"),
            Refusal::Disputed => {
                f.write_str("what overflows is a signed left shift, or has a type that may be unsigned (elements of vectors, complex integers): not everybody calls that an overflow")
            }
        }
    }
}
