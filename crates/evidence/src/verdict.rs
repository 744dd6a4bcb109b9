//! Verdicts. Their fields are private to this crate: what is true or false has passed the checker.

use std::collections::BTreeSet;
use std::sync::Arc;

use belay_base::Span;
use belay_interpreter::{RunReport, Violation};
use belay_ir::{ObligationId, Property};

use crate::counted::CountedLoop;
use crate::descent::Descent;
use crate::endless::Recurrence;
use crate::given::Given;
use crate::graph::GraphCertificate;
use crate::induction::Induction;
use crate::loops::{LoopPlace, LoopProof};
use crate::ranking::{RankedLoop, Ranking};
use crate::reason::Reasons;
use crate::trace::Trace;
use crate::unrolled::Unrolled;
use belay_values::ValueMap;

/// Why a property holds. Engines to come add their own kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The program makes no choice, so that it has one run; that run is the evidence.
    Execution,
    /// No code that can be reached holds an obligation of the property.
    NoObligation,
    /// No recursion, and each loop that can be reached is counted (there may be none).
    CountedLoops(Vec<CountedLoop>),
    /// No recursion, and each loop that can be reached ends whatever the others do.
    Loops(Vec<(LoopPlace, LoopProof)>),
    /// Ranking functions for the program's integer transition system: every run of it is finite.
    Ranking(Box<Ranking>),
    /// All loops and recursion unrolled within these bounds: no run goes beyond, and none violates the property.
    Unrolled(Box<Unrolled>),
    /// Loops cut at their heads: no round from a state that keeps the invariants violates the property or breaks an invariant.
    Induction(Box<Induction>),
    /// Measures of machine integers that descend from round to round of every loop and every recursion.
    Descent(Box<Descent>),
    /// A finished symbolic execution graph: no path of it doubts the property, or its cycles all end.
    Graph(Box<GraphCertificate>),
    /// Some obligations shown by themselves, and a proof that takes them for granted.
    Given(Box<Given>),
    /// What every value may be, each function looked at once.
    Values(Arc<ValueMap>),
}

impl Proof {
    /// What kind of proof it is, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Proof::Execution => "the only run",
            Proof::NoObligation => "no obligation",
            Proof::CountedLoops(_) => "counted loops",
            Proof::Loops(_) => "loops by themselves",
            Proof::Ranking(_) => "ranking functions",
            Proof::Unrolled(_) => "an unrolling",
            Proof::Induction(_) => "an induction",
            Proof::Descent(_) => "rankings of machine integers",
            Proof::Graph(_) => "a graph",
            Proof::Given(_) => "a proof that takes facts for granted",
            Proof::Values(_) => "a map of values",
        }
    }
}

/// A replayed violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The choices.
    pub trace: Trace,
    /// What the replay showed.
    pub report: RunReport,
    /// The violation; `None` for a run that never ends.
    pub violation: Option<Violation>,
    /// For a run that never ends: the loops that go on, where that is not an exact recurrence.
    pub recurrences: Vec<Recurrence>,
}

/// Why there is no answer, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The reason.
    pub reason: Reasons,
    /// The place that it is about, as far as there is one.
    pub span: Span,
    /// How far it is known that nothing is violated.
    pub within: Option<Within>,
}

/// What bounded model checking says where runs go beyond its bound: those that make no more rounds of any loop, in each of its activations, and enter no
/// recursive function again more often than this inside its own activations do not violate the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within {
    pub(crate) rounds: u32,
    pub(crate) calls: u32,
    pub(crate) is_rechecked: bool,
}

impl Within {
    /// What an engine found. It is part of no verdict but *unknown*.
    pub fn searched(rounds: u32, calls: u32) -> Within {
        Within { rounds, calls, is_rechecked: false }
    }

    /// Rounds of each loop.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Nested calls of each recursive function.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// True if the checker unrolled the program anew and a second solver agreed.
    pub fn is_rechecked(&self) -> bool {
        self.is_rechecked
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The property holds; the proof has been checked.
    True(Proof),
    /// The property is violated; the run has been replayed.
    False(Box<Counterexample>),
    /// Neither is known.
    Unknown(Unknown),
}

/// What a true answer takes for granted beyond SOUNDNESS.md's general rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Runs are covered up to their first invalid access only.
    MemorySafety,
    /// These functions without body or model do what is taken for granted of them.
    Externs(belay_ir::Externs, Vec<String>),
    /// These functions are taken by their contracts, which say nothing of whether they return, of blocks that they lose and of the library's own state.
    Replaced(Vec<String>),
    /// What the library remembers between its functions is as at the start of a program, `errno` aside.
    LibraryStart,
    /// These locals, which are declared constant, are not written through the addresses that were taken of them.
    Constants(Vec<String>),
    /// `argc` is at least 1.
    Arguments,
    /// No block has more than 2^56 bytes, which no machine has addresses for.
    SmallBlocks,
    /// The proof was not re-checked by a second solver, for this reason.
    NotRechecked(String),
    /// Every run ends at an assumption of the program that does not hold: the proof speaks of nothing.
    EveryRunAssumedAway,
}

/// The answer for one property.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub(crate) property: Property,
    pub(crate) answer: Answer,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) ranks: Vec<RankedLoop>,
    /// The obligations that it is about, if not all of the property.
    pub(crate) asked: Option<Arc<BTreeSet<ObligationId>>>,
}

impl Verdict {
    /// No answer: this needs no evidence.
    pub fn unknown(property: Property, reason: impl Into<Reasons>, span: Span) -> Verdict {
        let answer = Answer::Unknown(Unknown { reason: reason.into(), span, within: None });
        Verdict { property, answer, assumptions: Vec::new(), ranks: Vec::new(), asked: None }
    }

    /// The same *unknown*, with how far nothing is violated.
    pub fn within(mut self, known: Option<Within>) -> Verdict {
        if let Answer::Unknown(unknown) = &mut self.answer {
            unknown.within = known;
        }
        self
    }

    /// The same verdict, of a program of which was shown that no run gets past its assumptions.
    pub fn of_no_run(mut self) -> Verdict {
        if matches!(self.answer, Answer::True(_)) {
            self.assumptions.push(Assumption::EveryRunAssumedAway);
        }
        self
    }

    /// The property asked about.
    pub fn property(&self) -> Property {
        self.property
    }

    /// The answer.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What a true answer takes for granted.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// The obligations that it is about, if not all of its property.
    pub fn asked(&self) -> Option<&BTreeSet<ObligationId>> {
        self.asked.as_deref()
    }

    /// For a proof of termination: what gets smaller, by loop.
    pub fn ranks(&self) -> &[RankedLoop] {
        &self.ranks
    }

    /// The same verdict without the assumption of memory safety, once that is proved as well.
    pub fn with_memory_safety_proved(mut self, proved: &[Verdict]) -> Verdict {
        let holds = |property| {
            proved.iter().any(|verdict| verdict.property == property && matches!(verdict.answer, Answer::True(_)))
        };
        if holds(Property::ValidDeref) && holds(Property::ValidFree) {
            self.assumptions.retain(|assumption| *assumption != Assumption::MemorySafety);
        }
        self
    }
}
