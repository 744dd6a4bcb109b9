//! Bit-vectors: what the bit-precise engines ask questions in.
//!
//! A question travels through four stages, each of which may end it:
//!
//! 1. [`TermStore`] builds terms. Its constructors simplify, so that most memory checks are
//!    already the constants true or false when they are built.
//! 2. [`blast`] turns a term into clauses, sharing equal gates.
//! 3. [`BvSolver`] runs one incremental SAT solver over those clauses.
//! 4. A model is a value for each variable; [`eval`] computes every term under it, by code that
//!    shares nothing with stages 1 to 3 but the arithmetic of [`Bits`].
//!
//! [`Refutation`] is a record of "unsatisfiable" that is checked without a search. [`smtlib`] prints the same terms for a solver that shares no code at all.
//!
//! **Booleans are bit-vectors of width 1**, with 1 for true. One sort makes the comparison
//! `ult(a, b)` a term that can be extended, selected on or stored in a byte without conversions,
//! and lets one set of rules serve `&`, `&&` and the path conditions.

pub mod blast;
pub mod eval;
pub mod facts;
pub mod float;
mod local;
pub mod prune;
mod refutation;
mod simplify;
pub mod smtlib;
pub mod solver;
pub mod term;
pub mod value;

#[cfg(test)]
mod tests;

pub use eval::{Evaluator, Model};
pub use facts::Facts;
pub use local::LocalCopy;
pub use refutation::Refutation;
pub use solver::{BvSolver, BvStatistics, SatResult};
pub use term::{Term, TermId, TermStore, VarId};
pub use value::{Bits, MAX_WIDTH};
