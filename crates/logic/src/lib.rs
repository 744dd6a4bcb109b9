//! Solvers for the engines: bit-vector terms, their simplification, a bit-blaster and SAT ([`bv`]), exact linear
//! arithmetic with certificates ([`simplex`]), and Z3 over a pipe ([`smt`]). Knows nothing of programs.

pub mod bv;
pub mod queries;
pub mod simplex;
pub mod smt;
