//! Bit-vector terms, their simplification, a bit-blaster and SAT, float circuits, questions about floats by regions ([`bv`]). Knows nothing of programs.

pub mod bv;
