//! What an activation of a recursive function was given, side by side.
//!
//! Where lists were given, a place in them is said to be what it was given, and so is what the function returns or leaves in memory; but a block is in one list only.
//! A function that merges two lists gives one of them back where the other is empty: said of what it was given first, there are two lists,
//! one of which is empty, and nothing can be said of the result. Said of the result first there is one list, and nothing is said of what was given, which
//! nobody may need any more. Both are tried, and what it leaves in memory before the result, which may be the end of a list that starts there.

use std::collections::BTreeSet;

use belay_symbolic::{AllocKind, State, Value};

use super::super::lists::Lists;
use super::{Pairer, SlotKind};

/// When lists that were given are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenLists {
    /// Before all else.
    First,
    /// After all else.
    Last,
    /// After all else, and what memory holds before what is returned: that may be the end of a list.
    MemoryFirst,
}

/// Places in lists that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenPlaces {
    /// They are kept where that is possible.
    Kept,
    /// They are given up where they divide a list.
    Dropped,
}

/// True of a value that may lead into a list.
fn leads_to_list(state: &State, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Pointer(id, _) => {
            let on_heap = |id| state.allocations.get(id).is_some_and(|known| known.kind == AllocKind::Heap);
            state.segment_of(*id).is_some() || on_heap(id)
        }
        Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => false,
    }
}

/// Which values that were given are looked at last.
pub(super) fn deferred(left: &State, right: &State, order: GivenLists) -> BTreeSet<usize> {
    if order == GivenLists::First {
        return BTreeSet::new();
    }
    let pairs = left.given.iter().zip(&right.given).enumerate();
    pairs.filter(|(_, (a, b))| leads_to_list(left, a) && leads_to_list(right, b)).map(|(at, _)| at).collect()
}

/// True if there is something to look at last.
pub fn was_given_lists(left: &State, right: &State) -> bool {
    !deferred(left, right, GivenLists::Last).is_empty()
}

impl Pairer<'_> {
    /// What was given, but for lists that are looked at later.
    pub(super) fn given(&mut self) {
        for (at, (left, right)) in self.left.given.iter().zip(&self.right.given).enumerate() {
            let later = self.deferred.contains(&at);
            let value = if later { Value::Top } else { self.value(left, right, SlotKind::Given, "given") };
            self.state.given.push(value);
        }
    }

    /// The lists that were given, as far as nothing else has been said of their blocks.
    pub(super) fn given_lists(&mut self) {
        let lost = self.lost;
        for at in self.deferred.clone() {
            let (Some(left), Some(right)) = (self.left.given.get(at), self.right.given.get(at)) else { continue };
            let value = self.value(left, right, SlotKind::Given, "given");
            if let Some(given) = self.state.given.get_mut(at) {
                *given = value;
            }
        }
        self.lost_given = self.lost - lost;
    }
}

impl Lists {
    /// The same where what is looked at last holds nothing.
    pub(super) fn without_deferred(left: &State, right: &State, deferred: &BTreeSet<usize>) -> Lists {
        if deferred.is_empty() {
            return Lists::new(left, right);
        }
        let without = |state: &State| {
            let mut slim = state.clone();
            let values = slim.given.iter_mut().enumerate();
            values.filter(|(at, _)| deferred.contains(at)).for_each(|(_, value)| *value = Value::Top);
            slim
        };
        Lists::new(&without(left), &without(right))
    }
}
