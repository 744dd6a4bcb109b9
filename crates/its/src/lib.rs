//! Termination and non-termination of integer transition systems.
//!
//! [`prove`] takes an [`Its`] and answers with a certificate that [`evidence`] has checked, or says why
//! it gave up. Systems are read and written as text by [`ari`]. Knows nothing of C or its IR.

pub mod ari;
pub mod evidence;
mod graph;
mod invariant;
mod poly;
mod preprocess;
mod prove;
mod ranking;
mod recurrence;
mod refine;
mod refine_values;
mod system;

pub use poly::{Monomial, Poly};
pub use prove::{Claims, GaveUp, Outcome, Question, invariants_at, prove, prove_with};
pub use system::{Atom, Its, LocId, Malformed, Sign, TransId, Transition, VarExt};
