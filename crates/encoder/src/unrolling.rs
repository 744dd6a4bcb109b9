//! What an unrolling says: the conditions to ask a solver about, and the questions that a run along a model's path will ask.

use belay_base::Span;
use belay_ir::{FuncId, LoopId, ObligationId, Property, Type};
use belay_logic::bv::{TermId, TermStore};
use rustc_hash::FxHashMap;

use super::cut::{Broken, HeadState, Looked};
use super::descent::Round;
use super::lasso::Lasso;
use super::local::PartStart;
use belay_invariants::{CutPlace, FrameViolation};

/// How far loops and recursion are followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How often a loop may go on, or a function be entered again, where that depends on unknowns.
    pub default: u32,
    /// The same for single places.
    pub of: FxHashMap<UnwindPlace, u32>,
    /// How often a loop may go on where that is certain.
    pub certain: u32,
}

impl Bounds {
    /// The same bound everywhere.
    pub fn new(bound: u32) -> Self {
        Self { default: bound, of: FxHashMap::default(), certain: 256u32.saturating_mul(bound) }
    }

    /// The bound of a place.
    pub fn at(&self, place: UnwindPlace) -> u32 {
        self.of.get(&place).copied().unwrap_or(self.default)
    }
}

/// What was cut off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnwindPlace {
    /// A loop of a function.
    Loop(FuncId, LoopId),
    /// A function that calls itself.
    Recursion(FuncId),
    /// A search for the end of a string, in a library function called from this function.
    Scan(FuncId),
}

/// What can be violated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// An obligation.
    Obligation(ObligationId),
    /// No heap block is lost.
    Lost,
    /// Every heap block is freed.
    NotFreed,
}

/// When a goal is violated.
#[derive(Clone, Copy, Debug)]
pub struct Violated {
    /// The goal.
    pub goal: Goal,
    /// The condition.
    pub condition: TermId,
    /// True if the run ends there.
    pub fatal: bool,
}

/// When a run goes beyond the bound.
#[derive(Clone, Debug)]
pub struct Unwound {
    /// What is cut off.
    pub place: UnwindPlace,
    /// The condition.
    pub condition: TermId,
    /// Where it stands.
    pub span: Span,
    /// The loop in its activation, where that may be cut.
    pub cut: Option<CutPlace>,
}

/// When nothing is known of a run.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The condition.
    pub condition: TermId,
    /// Why, for people.
    pub reason: String,
    /// Where.
    pub span: Span,
    /// The only property that it concerns, if it does not concern all.
    pub property: Option<Property>,
}

/// Where a model may not be a run.
#[derive(Clone, Debug)]
pub struct Imprecise {
    /// The condition.
    pub condition: TermId,
    /// Why, for people.
    pub reason: String,
    /// Where.
    pub span: Span,
}

/// A question that the interpreter asks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RunQuestion {
    /// An input.
    Input {
        /// The variable.
        term: TermId,
        /// Its type.
        ty: Type,
        /// Where it is asked for.
        span: Span,
    },
    /// An arbitrary value.
    Arbitrary {
        /// The variable.
        term: TermId,
        /// Its type.
        ty: Type,
        /// Where it is asked for.
        span: Span,
    },
    /// The undefined bytes of a term, as far as they were not asked for before.
    Uses {
        /// The term.
        term: TermId,
        /// Where it is used.
        span: Span,
    },
    /// Where an object lies.
    Address {
        /// The address.
        term: TermId,
        /// What it is a multiple of.
        align: u64,
        /// Where it is asked for.
        span: Span,
    },
    /// Whether an allocation fails.
    AllocFails {
        /// The variable.
        term: TermId,
    },
}

/// A question, and when it is asked.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The condition.
    pub condition: TermId,
    /// The question.
    pub asked: RunQuestion,
}

/// The conditions of one bound.
#[derive(Clone, Default, Debug)]
pub struct Unrolling {
    /// What can be violated.
    pub violations: Vec<Violated>,
    /// What was cut off.
    pub unwound: Vec<Unwound>,
    /// What was not understood.
    pub unknowns: Vec<Unknown>,
    /// What was left open.
    pub imprecise: Vec<Imprecise>,
    /// The questions, in the order of execution.
    pub events: Vec<Event>,
    /// Invariants of cut loops that may not hold.
    pub broken: Vec<Broken>,
    /// Values at the heads of cut loops that are searched for.
    pub looked: Vec<Looked>,
    /// Loop heads that are reached again in the same state, if that is looked for.
    pub lassos: Vec<Lasso>,
    /// Ways from cut heads to themselves, if something is observed there.
    pub rounds: Vec<Round>,
    /// The heads of cut loops.
    pub heads: Vec<HeadState>,
    /// Where the parts begin.
    pub starts: Vec<PartStart>,
    /// What the cuts do not describe.
    pub frame_violations: Vec<(CutPlace, FrameViolation)>,
    /// What is known of the program's arguments, by their index.
    pub strings: FxHashMap<u32, ArgumentString>,
    /// True if some object's address may have been chosen.
    pub(super) addresses_matter: bool,
}

/// A string among the program's arguments.
#[derive(Clone, Debug)]
pub struct ArgumentString {
    /// Its size: its length and one.
    pub size: TermId,
    /// The bytes that were looked at: offset and value.
    pub reads: Vec<(TermId, TermId)>,
}

impl Unrolling {
    pub(super) fn note_violation(&mut self, terms: &TermStore, goal: Goal, condition: TermId, fatal: bool) {
        if !terms.is_false(condition) {
            self.violations.push(Violated { goal, condition, fatal });
        }
    }

    pub(super) fn note_unwound(&mut self, place: UnwindPlace, condition: TermId, span: Span) {
        self.unwound.push(Unwound { place, condition, span, cut: None });
    }

    pub(super) fn note_misfit(&mut self, place: &CutPlace, frame_violation: FrameViolation) {
        if !self.frame_violations.iter().any(|(at, known)| at == place && *known == frame_violation) {
            self.frame_violations.push((place.clone(), frame_violation));
        }
    }

    pub(super) fn note_unknown(
        &mut self,
        condition: TermId,
        reason: impl Into<String>,
        span: Span,
        property: Option<Property>,
    ) {
        self.unknowns.push(Unknown { condition, reason: reason.into(), span, property });
    }

    pub(super) fn note_imprecise(&mut self, condition: TermId, reason: &str, span: Span) {
        let repeated = self.imprecise.last().is_some_and(|last| last.condition == condition && last.reason == reason);
        if !repeated {
            self.imprecise.push(Imprecise { condition, reason: reason.to_owned(), span });
        }
    }

    pub(super) fn note_event(&mut self, condition: TermId, asked: RunQuestion) {
        if self.events.last().is_none_or(|last| last.condition != condition || last.asked != asked) {
            self.events.push(Event { condition, asked });
        }
    }
}
