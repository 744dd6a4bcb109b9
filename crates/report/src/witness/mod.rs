//! Witnesses: what a verdict rests on, in the format that other verifiers and validators read.

mod clock;
mod expression;
mod lint;
mod model;
mod path;
mod words;
mod write;

pub use lint::{Complaint, read_witness};
pub use model::Entry;
pub use words::{Kept, WitnessAnswer, describe_complaints, describe_invariants, describe_witness, file_is_of_witness};
pub use write::{Origin, WitnessVersion, parse_specification, render_witness};
