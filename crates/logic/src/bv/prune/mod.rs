//! Branch and prune: conditions over floats, decided by cutting up the space of their variables.
//!
//! **Idea.** On a region, a range of values for each variable, every condition is evaluated as a whole ([`tape`]). Where some condition is
//! false throughout, the region holds no model; where all are true, every point of it is one. Otherwise the region is cut in two and
//! both parts are looked at. The point in the middle of a region is tried as a model as well.
//!
//! **Source.** Davis's branch and prune as in interval solvers (Van Hentenryck, McAllester, Kapur: *Solving polynomial systems using a
//! branch and prune approach*, 1997). **Differences**: bounds are rounded to nearest like the program's own arithmetic, so that they are
//! exact rather than outward ([`range`]); there is no contraction: what an assumption excludes is cut off like any other part, at the constant
//! that the assumption compares with, and then is false at once. So the cuts alone are a certificate ([`Paving`]), which whoever can
//! evaluate conditions on a region can check.
//!
//! **Soundness.** *No model*: the parts cover all values of the variables, and in each some condition is false whatever the values are.
//! *Model*: it is evaluated by [`Evaluator`], which knows only circuits. **Where it gives up**: conditions that relate many variables closely,
//! for which there would be too many regions.

mod pave;
mod range;
mod region;
mod search;
mod sets;
mod suggest;
mod tape;

#[cfg(test)]
mod tests;

pub use pave::pave;
pub use range::FloatRange;
pub use region::{Cut, Paving, Split};
pub use search::{Cover, Effort, Pruned, prune};
