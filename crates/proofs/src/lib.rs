//! Stored proofs: what was proved of a program, with the evidence, as a text that people can read and compare, and back.
//!
//! A file holds the claims of a run of Belay that became *true*, runs that violate a property, what was left open, what all this was made from (functions, static objects, layout, options, by
//! their digests), and the versions. Reading one gives [`Claim`](belay_evidence::Claim)s again and nothing more: whether they hold is for
//! [`Checker::check_stored`](belay_evidence::Checker::check_stored) alone, which takes nothing on trust from whoever wrote the file. The
//! digests decide nothing either: they say what changed since.
//!
//! **A new kind of evidence, a new shape of the heap, a new field of a state** breaks the build in this crate, since every type is taken apart field by
//! field ([`stored_struct!`] and [`stored_enum!`] expand to patterns without `..`). Adding its name to the list of its type is all there is to do:
//! `state.rs` for symbolic states, `invariant.rs` for rows and formulas, `system.rs` for transition systems, `claim.rs` for the rest.
//! A new type needs a line of its own.
//!
//! **Numbers.** Checkers compute with what they are given: lengths, offsets and names of variables in a file are small enough that no sum of two of them wraps
//! around (`stored.rs`); a file with greater ones is refused.

#[macro_use]
mod stored;

mod claim;
mod file;
mod found;
mod invariant;
mod layout;
mod names;
mod number;
mod origin;
mod state;
mod system;
mod values;

pub use file::{Header, ProofFile, StoredClaim, StoredLoop};
pub use found::{Effort, StoredOpen};
pub use names::Names;
pub use origin::{Change, Origin, digest};
pub use stored::Bad;
