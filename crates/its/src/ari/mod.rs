//! The termination competition's text format for integer transition systems (`.ari`).
//!
//! *Source.* The ITS category's page of termination-portal.org and the LCTRS grammar of the
//! confluence competition: `(format LCTRS …)`, `(theory Ints)`, `(fun f (-> Int … Int))`,
//! `(entrypoint f)`, `(rule (f x y) (g t …) :guard φ :var ((z Int)))`.
//!
//! *Our reading.* A function symbol is a location, its arguments are the program variables by
//! position; a symbol with fewer arguments leaves the others zero. A guard is brought into
//! disjunctive normal form, one transition a disjunct. `div` and `mod` by a constant become extra
//! variables with SMT-LIB's (Euclidean) meaning. Variables that only a right-hand side or guard
//! mentions are extra variables.
//!
//! *Where it gives up.* Boolean arguments, `ite`, quantifiers, `define-fun` and division by a term
//! are refused with the line's rule, never guessed.

mod formula;
mod read;
mod sexpr;
mod write;

pub use read::{ReadError, read};
pub use write::write;
