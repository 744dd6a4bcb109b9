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
mod bits;
mod blocks;
mod builtins;
mod bytes;
mod calls;
mod compare;
mod explain;
mod exposure;
mod globals;
mod heap;
mod machine;
mod memory;
mod numerals;
mod output;
mod printed;
mod probe;
mod product;
mod questions;
mod ranges;
mod recursion;
mod shared;
mod spans;
mod start;
mod step;
mod strings;
mod unfold;
mod values;
mod variadic;
mod wraps;

use belay_linear::knowledge;
use belay_states::{activation, array, asked, condition, element, instance, reach, segment, show, state};

pub use belay_linear::knowledge::{Certified, Entailment, Knowledge, Product};
pub use belay_states::activation::{Summary, entry_key, exit_key, is_entry, is_exit};
pub use belay_states::array::{ArrayRange, in_array, residue};
pub use belay_states::asked::{Asked, AskedFor};
pub use belay_states::bytes::known_number;
pub use belay_states::condition::Truth;
pub use belay_states::element::{OwnBlock, Places, loses_owned, owns};
pub use belay_states::instance::{Pairing, instance};
pub use belay_states::segment::{Chain, Content, Field, ListNode, ListSegment, OwnList, find, place_of};
pub use belay_states::show::{Names, Origin, SaidObject, SaidShape};
pub use belay_states::state::{AllocId, AllocKind, Allocation, Cases, Cell, Frame, Key, Life, Place, State, Value};
pub use belay_states::tail::{Before, Ends, Tail};
pub use belay_states::tree::Grown;
pub use heap::MOST_BYTES;
pub use machine::{Arrival, Halt, Machine, Prepared, Step};
pub use probe::{Prober, Suspect, Suspicion};
pub use unfold::{Edge, EdgeKind, Ending, Node, NodeId, NodeKind, Unfolded, unfold};
