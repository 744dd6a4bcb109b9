//! Symbolic execution with pointer arithmetic: abstract states and the step between them.
//!
//! A [`State`] stands for a set of concrete states (Ströder, Giesl et al., "Automatically proving termination and memory safety
//! for programs with pointer arithmetic", Def. 1–3): frames with values, allocations with sizes, facts about cells of memory,
//! and linear constraints over symbolic integers. Our difference: a pointer is an allocation and an offset, so that
//! allocations are apart by construction, and an equality replaces its variable at once.
//!
//! *Sound* because each rule of [`Machine`] covers every concrete step of the instruction from every state that is
//! represented: where the result is not known exactly, it is a fresh symbolic integer within its type's range, and a write
//! that may touch a cell forgets it. A state lists only some of the objects and cells that exist; what it does not list
//! is arbitrary. A run ends at its first invalid access, so that after an obligation has been looked at its condition may be assumed.
//!
//! *Unbounded integers*: sizes and offsets are integers as well, of any size.
//!
//! [`instance`] says when a state represents another: the edges of the graph that close cycles. What a set of states at *cut points* shows once the
//! code between them has been executed anew is for the crate that checks evidence to say.

mod arithmetic;
mod array;
mod bits;
mod blocks;
mod builtins;
mod bytes;
mod calls;
mod compare;
mod condition;
mod element;
mod explain;
mod globals;
mod heap;
mod instance;
mod machine;
mod memory;
mod output;
mod probe;
mod product;
mod recursion;
mod segment;
mod shape;
mod shared;
mod show;
mod start;
mod state;
mod step;
mod strings;
mod tail;
mod tree;
mod unfold;
mod values;

use belay_linear::knowledge;

pub use array::{ArrayRange, in_array, residue};
pub use belay_linear::knowledge::{Certified, Entailment, Knowledge, Product};
pub use condition::Truth;
pub use element::{OwnBlock, Places, loses_owned, owns};
pub use explain::Missing;
pub use instance::{Pairing, instance};
pub use machine::{Arrival, Halt, Machine, Prepared, Step};
pub use probe::{Asked, AskedFor, Prober, Suspect, Suspicion};
pub use recursion::{Summary, entry_key, exit_key, is_entry, is_exit};
pub use segment::{Chain, Content, Field, ListNode, ListSegment, OwnList, find, place_of};
pub use show::{Facts, Names};
pub use state::{AllocId, AllocKind, Allocation, Cases, Cell, Frame, Key, Life, Place, State, Value};
pub use tail::{Before, Ends, Tail};
pub use tree::Grown;
pub use unfold::{Edge, EdgeKind, Ending, Node, NodeId, NodeKind, Unfolded, unfold};
