//! Which objects a state leads to, and what it still says of those that may have ended.

use std::collections::BTreeSet;

use super::array::ArrayRange;
use super::segment::{each_value, each_value_in};
use super::state::{AllocId, Allocation, Life, State, Value};
use super::tail::Tail;

impl State {
    /// The state without these ranges, which it does not list; none of them is left.
    pub fn forgetting(&mut self, ranges: Vec<ArrayRange>) -> Vec<ArrayRange> {
        self.forgot_block |= ranges.iter().any(ArrayRange::owns_heap);
        Vec::new()
    }

    /// Every object that can be a heap block may have been freed.
    pub fn may_be_freed(&mut self) {
        self.forget_segments();
        self.unknown_write = true;
        self.doubt_lives(|known| known.kind.may_be_heap());
    }

    /// These objects may have ended. What they hold is forgotten: a pointer in an object that has ended keeps no block reachable, so that none may be counted
    /// that stands in one which may have.
    pub fn doubt_lives(&mut self, may_have_ended: impl Fn(&Allocation) -> bool) {
        let mut doubted = BTreeSet::new();
        for (id, known) in &mut self.allocations {
            if known.life != Life::Dead && may_have_ended(known) {
                (known.life, known.zeroed) = (Life::Maybe, false);
                doubted.insert(*id);
            }
        }
        self.cells.retain(|cell| !doubted.contains(&cell.alloc));
        doubted.into_iter().for_each(|id| self.forget_ranges_of(id));
    }
}

/// The objects that globals and stack objects lead to; values in registers do not count, since the frame may not use them again.
pub fn reachable(state: &State) -> BTreeSet<AllocId> {
    reachable_from(state, Vec::new())
}

/// The object that a value leads to.
pub fn target(value: &Value) -> Option<AllocId> {
    match value {
        Value::Pointer(id, _) | Value::Address(id, _) => Some(*id),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => None,
    }
}

/// The same, and what these objects lead to.
pub fn reachable_from(state: &State, mut todo: Vec<AllocId>) -> BTreeSet<AllocId> {
    let mut found: BTreeSet<AllocId> = BTreeSet::new();
    let roots = |id: &AllocId| match id {
        AllocId::Global(_) => true,
        AllocId::Made(_) => state.allocations.get(id).is_some_and(|known| !known.kind.may_be_heap()),
    };
    todo.extend(state.cells.iter().filter(|cell| roots(&cell.alloc)).filter_map(|cell| target(&cell.value)));
    todo.extend(shared_from(state, |alloc| roots(&alloc)));
    while let Some(id) = todo.pop() {
        if found.insert(id) {
            if let Some(segment) = state.reached_with(id) {
                todo.extend(target(&segment.target));
                // Lists that its blocks have for themselves are reached with them.
                let mut fields = segment.fields.clone();
                each_value(&mut fields, &mut |value| todo.extend(target(value)));
                found.extend(state.segment_of(id));
                if let Some(Tail { before, link: Some(_), .. }) = &segment.tail {
                    todo.extend(target(before));
                }
            }
            todo.extend(state.cells.iter().filter(|cell| cell.alloc == id).filter_map(|cell| target(&cell.value)));
            todo.extend(shared_from(state, |alloc| alloc == id));
        }
    }
    found
}

/// The objects that elements of arrays lead to and do not own.
pub fn shared_from(state: &State, is_from: impl Fn(AllocId) -> bool) -> Vec<AllocId> {
    let mut found = Vec::new();
    for range in state.ranges.iter().filter(|range| is_from(range.alloc)) {
        each_value_in(&mut range.content.clone(), &mut |value| found.extend(target(value)));
    }
    found
}
