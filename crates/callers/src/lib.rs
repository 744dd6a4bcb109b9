//! What callers may give a function of a library, proposed and never relied on: how the function uses its pointers ([`usage`]), descriptions of what they lead to, from
//! weak to strong ([`descriptions`]), conditions on numbers that are learned from runs ([`learn`]). Whoever asks proves that a description suffices.

mod counts;
pub mod descriptions;
mod headers;
mod heap;
mod indices;
pub mod learn;
pub mod reach;
mod sizes;
pub mod usage;
mod writes;

pub use descriptions::{Description, Subject};
pub use headers::{Kin, kin};
pub use heap::from_heap;
