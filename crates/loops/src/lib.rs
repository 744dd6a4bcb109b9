//! Why single loops end, whatever the others do, and what holds because of what is not there. Whether it is a proof is for the crate `evidence` to say.

mod by_loop;
mod excerpts;
pub mod structural;

pub use by_loop::{ByLoop, prove_all};
