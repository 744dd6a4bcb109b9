//! Contracts as text: clauses that stand in C sources are lifted out of them, and what they say is written out as plain C. Nothing here knows a compiler or
//! a program: text goes in, text comes out, and what is not understood is refused by name.

pub mod annotate;
pub mod asked;
pub mod blocks;
mod equations;
pub mod lift;
pub mod loops;
pub mod lower;
pub mod olds;
pub mod predicates;
mod prelude;
pub mod quantifier;
mod range;
pub mod text;
pub mod tokens;
