//! What the tests of several crates share. No crate depends on it but for its tests.

mod concrete;

pub use concrete::{abstract_state, with_zeros};
