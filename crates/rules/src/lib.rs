//! The rules that all executions of a program share: how it is configured, how arguments are passed, what formats mean, what a run may
//! choose. The interpreter, the encoder, the symbolic machine and the transition systems each execute programs in their own
//! way; what they must agree on stands here, once. Knows programs, and nothing of how they are executed.

pub mod calling;
mod choice;
mod config;
pub mod format;

pub use choice::{Choice, ChoiceSource, ParseChoiceError, Request, RequestKind, Scalar, gives_truth};
pub use config::{Config, EntryPointer};

/// The signed reading of the low `width` bits.
#[inline]
pub fn sign_extend(width: u16, bits: u128) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}
