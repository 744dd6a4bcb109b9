//! The certificate for "unsatisfiable": what the solver returns and [`super::farkas`] checks.

use super::{Rat, Var};

/// Which half of a constraint is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `expr >= 0` (or `> 0`), as every constraint gives it.
    Lower,
    /// `-expr >= 0`, which only an equality gives.
    Upper,
}

/// A constraint, one of its halves, and the non-negative number that it is multiplied by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiplier {
    /// The constraint's position in the order of assertion; those of the enclosing splits come
    /// after the caller's, outermost first.
    pub constraint: usize,
    /// The half.
    pub side: Side,
    /// The factor, not negative.
    pub factor: Rat,
}

/// Why a conjunction of constraints has no solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// The weighted sum of the (over the integers: rounded) constraints is a contradiction.
    Farkas(Vec<Multiplier>),
    /// Neither `var <= at` nor `var >= at + 1` has a solution (integers only).
    Split {
        /// The variable.
        var: Var,
        /// The integer below the split.
        at: Rat,
        /// Refutes the constraints with `at - var >= 0` appended.
        low: Box<Refutation>,
        /// Refutes the constraints with `var - at - 1 >= 0` appended.
        high: Box<Refutation>,
    },
}
