//! What a claim about a system rests on, and the code that checks it.
//!
//! A [`TerminationCertificate`] names cut locations, splits each into cells, gives every cell an
//! invariant, and removes edges between cells step by step with ranking functions; what is left a
//! [`TransitionInvariant`] may cover. A [`RecurrentSet`] names a concrete stem and a set of states that no run has to leave. The checkers
//! share with the search the system's data types, the simplex (each of whose answers passes
//! [`belay_linear::farkas::check`] here) and nothing else: paths are enumerated and composed
//! anew.

mod path;
mod premises;
mod recurrence;
mod size_change;
mod termination;

use std::collections::BTreeMap;
use std::fmt;

use belay_base::{Exhausted, IdVec, id_type};
use belay_linear::{LinExpr, Rat};

use crate::poly::Poly;
use crate::system::{Atom, LocId, Malformed, TransId};

pub use premises::{Linearised, Premises};
pub use recurrence::check_recurrence;
pub use size_change::{Change, SizeChange, TransitionInvariant};
pub use termination::check_termination;

id_type!(
    /// A part of a location's states.
    CellId,
    "c"
);

/// How a cut location's states are divided: a decision tree, so that the cells cover all states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Partition {
    /// Undivided.
    Cell(CellId),
    /// By the sign of an expression with integer coefficients over the program variables.
    Split {
        /// The expression.
        expr: LinExpr,
        /// The states where it is at least zero.
        non_negative: Box<Partition>,
        /// The states where it is at most minus one.
        negative: Box<Partition>,
    },
}

/// A part of a location's states, and what holds there whenever it is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationCell {
    /// The location.
    pub location: LocId,
    /// Holds in every reachable state of the cell; over the program variables.
    pub invariant: Vec<Atom>,
}

/// A path between two cut locations through others, from one cell to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The transitions, in order.
    pub path: Vec<TransId>,
    /// The source.
    pub from: CellId,
    /// The target.
    pub to: CellId,
}

/// Removes edges within a set of cells that no walk along the edges that are left leaves and enters
/// again: a union of strongly connected components.
///
/// With functions `f₁ … f_d`: no other edge between the cells increases any of them, and along a
/// strict edge from `x` to `x'` `f₁(x) ≥ f₁(x') + 1`, `fᵢ(x) + fᵢ₋₁(x) ≥ fᵢ(x') + 1` and `f_d(x) ≥ 0`. For `d = 1`
/// that is a linear ranking function, for more a nested one (Leike and Heizmann, "Ranking templates
/// for linear loops", section 4.3). If strict edges were taken for ever, `f₁` would fall below any
/// bound, then `f₂`, …, then `f_d`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankingStep {
    /// The cells with their functions over the program variables.
    pub functions: BTreeMap<CellId, Vec<LinExpr>>,
    /// The edges that the step removes.
    pub strict: Vec<Edge>,
}

/// Why every run of a system is finite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TerminationCertificate {
    /// The cut locations: the start, and at least one on every cycle.
    pub partitions: BTreeMap<LocId, Partition>,
    /// The cells of all partitions.
    pub cells: IdVec<CellId, LocationCell>,
    /// The removal of edges.
    pub steps: Vec<RankingStep>,
    /// Why no walk along what is left is infinite; outside their cells no cycle is left.
    pub transition_invariants: Vec<TransitionInvariant>,
}

/// How a function is part of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The functions before it count for more.
    InOrder,
    /// It or one of its like gets smaller, whatever turns follow each other.
    OneOf,
}

impl TerminationCertificate {
    /// How many steps the argument has.
    pub fn length(&self) -> usize {
        self.steps.len() + self.transition_invariants.len()
    }

    /// Each cell's functions that are not constant, as they come up in the argument.
    pub fn functions(&self) -> impl Iterator<Item = (CellId, &LinExpr, Part)> {
        let steps = self.steps.iter().flat_map(|step| &step.functions);
        let ordered = steps.flat_map(|(cell, all)| all.iter().map(|function| (*cell, function, Part::InOrder)));
        let related = self.transition_invariants.iter().flat_map(|invariant| {
            let forms = |cell: CellId| invariant.falling(cell).map(move |form| (cell, form, Part::OneOf));
            invariant.cells.iter().flat_map(move |cell| forms(*cell))
        });
        ordered.chain(related).filter(|(_, function, _)| !function.is_constant())
    }
}

/// One way to go on inside a recurrent set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The transitions, in order.
    pub path: Vec<TransId>,
    /// The extra variables' values, transition after transition, as polynomials over the program
    /// variables at the path's start.
    pub choices: Vec<Poly>,
}

/// Why some run of a system is infinite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecurrentSet {
    /// The program variables' values at the start.
    pub initial: Vec<Rat>,
    /// The transitions that lead into the set, with their extra variables' values.
    pub stem: Vec<(TransId, Vec<Rat>)>,
    /// The set: for some locations a conjunction over the program variables.
    pub states: BTreeMap<LocId, Vec<Atom>>,
    /// In each state of the set some move is possible, and each possible move stays inside.
    pub moves: Vec<Move>,
}

/// Why a certificate does not prove its claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The system is not well-formed.
    Malformed(Malformed),
    /// The budget ended.
    Exhausted(Exhausted),
    /// The partitions do not fit the cells, or the start is not cut.
    Partition(LocId),
    /// A path avoids all cut locations for too long.
    Uncut(LocId),
    /// There are too many paths between cut locations.
    TooManyPaths,
    /// An invariant does not hold at the start or is not kept along an edge.
    Invariant(CellId),
    /// A walk along what is left may leave a step's cells and come back.
    Component(usize),
    /// A step's function is missing, mentions other variables or increases, or a strict edge does not
    /// decrease it.
    Function(usize),
    /// A transition invariant does not cover an edge, is not closed or not well-founded.
    Relation(usize),
    /// A cycle is left after the last step.
    Cycle,
    /// The stem cannot be run or does not end in the set.
    Stem(usize),
    /// A move does not fit its path or may leave the set.
    Move(usize),
    /// In some state of the set no move may be possible.
    Stuck(LocId),
}

impl From<Exhausted> for Rejection {
    fn from(exhausted: Exhausted) -> Self {
        Rejection::Exhausted(exhausted)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Malformed(reason) => write!(f, "the system is malformed: {reason:?}"),
            Rejection::Exhausted(reason) => write!(f, "{reason}"),
            Rejection::Partition(location) => write!(f, "the partition of {location} is wrong"),
            Rejection::Uncut(location) => write!(f, "a cycle through {location} is not cut"),
            Rejection::TooManyPaths => f.write_str("too many paths between cut locations"),
            Rejection::Invariant(cell) => write!(f, "the invariant of {cell} is not inductive"),
            Rejection::Component(step) => write!(f, "step {step} does not cover a component"),
            Rejection::Function(step) => write!(f, "step {step}'s function does not rank"),
            Rejection::Relation(number) => write!(f, "transition invariant {number} does not hold"),
            Rejection::Cycle => f.write_str("a cycle is left"),
            Rejection::Stem(step) => write!(f, "the stem fails at step {step}"),
            Rejection::Move(index) => write!(f, "move {index} may leave the set"),
            Rejection::Stuck(location) => write!(f, "a run may be stuck at {location}"),
        }
    }
}
