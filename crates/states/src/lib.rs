//! Abstract states: what they say, which concrete states they stand for, when one represents another.
//!
//! A [`state::State`] stands for a set of concrete states (Ströder, Giesl et al., "Automatically proving termination and memory safety
//! for programs with pointer arithmetic", Def. 1–3): frames with values, allocations with sizes, facts about cells of memory,
//! and linear constraints over symbolic integers. Our difference: a pointer is an allocation and an offset, so that
//! allocations are apart by construction, and an equality replaces its variable at once. Heap shapes ([`segment`], [`tree`], [`array`]) stand for blocks
//! and words of unknown number.
//!
//! A state lists only some of the objects and cells that exist; what it does not list is arbitrary. [`instance`] says when a state represents another: the
//! edges of a graph that close cycles. How a state is executed is for the crate `symbolic` to say.

pub mod activation;
pub mod array;
pub mod asked;
pub mod bytes;
pub mod condition;
pub mod element;
pub mod instance;
pub mod reach;
pub mod segment;
pub mod shape;
pub mod show;
pub mod state;
pub mod tail;
pub mod tree;

use belay_linear::knowledge;
