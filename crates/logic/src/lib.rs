//! Solvers for the engines: exact linear arithmetic with certificates ([`simplex`]) and Z3 over a
//! pipe for everything with Boolean structure, products or bit-vectors ([`smt`]). Knows nothing of
//! programs.

pub mod simplex;
pub mod smt;
