//! Exact linear arithmetic: conjunctions of linear constraints over the rationals or the integers.
//!
//! *Idea.* The general simplex of Dutertre and de Moura ("A fast linear-arithmetic solver for
//! DPLL(T)", CAV 2006): every linear form gets a slack variable, constraints are bounds, and only
//! bounds are pushed and popped. Over the integers, bounds are rounded to the forms' coprime
//! coefficients first, and branching on a variable does the rest.
//!
//! *Our difference.* Each answer "unsatisfiable" carries a [`Refutation`]: a tree whose inner nodes
//! split on an integer variable and whose leaves are Farkas multipliers of the asserted constraints.
//! [`farkas::check`] verifies it in a few lines that share nothing with the search but the number
//! and constraint types.
//!
//! *Where it gives up.* Branching stops after a fixed number of nodes ([`Answer::Unknown`]), and
//! every pivot is paid for from the caller's budget.

mod bound;
pub mod farkas;
pub mod knowledge;
mod linear;
mod optimum;
mod rational;
mod refutation;
mod solver;
mod tableau;

pub use linear::{Constraint, LinExpr, Rel, Var};
pub use optimum::Optimum;
pub use rational::Rat;
pub use refutation::{Multiplier, Refutation, Side};
pub use solver::{Answer, NumberDomain, Simplex, entails, satisfiable};
