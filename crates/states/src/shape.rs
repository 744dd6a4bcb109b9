//! Heap shapes: what blocks of unknown number can look like, each kind with the same few questions.
//!
//! A shape stands in a state under a name, as a [`ListSegment`] whose form says of which kind it is. Whoever executes asks to [`HeapShape::unfold`]
//! it, whoever compares states to [`HeapShape::find`] it among the blocks and shapes of another one; the generalisation of two states folds blocks back
//! (crate `graph`). Emptiness, what a shape leads to, its names and its numbers are the segment's and the same for all kinds.
//!
//! *Laws*, which `laws` tests for examples of every kind: a state represents itself; each state that unfolding gives is represented by the one
//! that was unfolded, at each of its names and again and again; one of them is empty, and one is not, unless the length forbids it; each is told in words.
//!
//! *A new kind* is a file with its argument, an implementation of [`HeapShape`], a line in [`KINDS`], its examples in `laws`, and how two states become one of it in the crate `graph`.

use belay_base::Exhausted;

use super::instance::{Matcher, Pairing, Sought};
use super::knowledge::Entailment;
use super::segment::{ListNode, Lists};
use super::state::{AllocId, State};
use super::tree::Trees;

/// A kind of shape.
pub(crate) trait HeapShape {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// True of the forms of its blocks.
    fn has_form(&self, node: &ListNode) -> bool;

    /// The states in which the shape `own` is not empty and the block that `name` is of has become an object. Together with the one in which the
    /// shape is empty they represent all that `state` does.
    fn unfold(
        &self,
        state: &State,
        own: AllocId,
        name: AllocId,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<State>, Exhausted>;

    /// Finds a shape of the general state among blocks and shapes of the special one that nothing else uses, and goes on from there.
    fn find(
        &self,
        matcher: &mut Matcher<'_>,
        sought: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted>;
}

/// All kinds, the more special ones first.
pub(crate) const KINDS: [&dyn HeapShape; 2] = [&Trees, &Lists];

/// The kind of shape that blocks of a form make.
pub(crate) fn kind_of(node: &ListNode) -> &'static dyn HeapShape {
    let fits = |kind: &&&'static dyn HeapShape| kind.has_form(node);
    KINDS.iter().find(fits).copied().unwrap_or(&Lists)
}

#[cfg(test)]
mod laws;
