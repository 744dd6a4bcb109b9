//! Elements that only one of two states looks at.

use belay_linear::LinExpr;
use belay_symbolic::{AllocKind, Allocation, Cell, Life, State, Value};

use super::super::pairing::Pairer;
use super::runs::holds;

impl Pairer<'_> {
    /// Elements of arrays that one state looks at, while the other takes them for some of many: what else leads to their blocks leads somewhere into a list in the common part,
    /// and no more is known of which. States apart keep that.
    pub(in super::super) fn lost_elements(&self, [done, taken]: [&[bool]; 2]) -> usize {
        let of_heap = |state: &State, value: &Value| {
            let Value::Pointer(id, _) = value else { return false };
            let block = |known: &Allocation| known.kind == AllocKind::Heap && known.life == Life::Live;
            state.segment_of(*id).is_some() || state.allocations.get(id).is_some_and(block)
        };
        let lost = |side: usize, state: &State, known: &[bool]| {
            let cells = state.cells.iter().zip(known).filter(|(_, known)| !**known).map(|(cell, _)| cell);
            let pointers = cells.filter(|cell| of_heap(state, &cell.value) && self.is_in_array(side, cell));
            pointers.filter(|cell| !self.is_element(side, cell) && self.is_one_of_many(side, cell)).count()
        };
        lost(0, self.left, done) + lost(1, self.right, taken)
    }

    /// True if a range of the other state speaks of the place of a cell.
    fn is_one_of_many(&self, side: usize, cell: &Cell) -> bool {
        let state = if side == 0 { self.right } else { self.left };
        let other = match side {
            0 => self.arrays.pairs.get(&cell.alloc).copied(),
            _ => self.arrays.pairs.iter().find(|(_, right)| **right == cell.alloc).map(|(left, _)| *left),
        };
        let mut ranges = state.ranges.iter().filter(|range| Some(range.alloc) == other);
        // It may be any of them where no number says where it would stand.
        let Some(from) = self.counted_beside(&cell.offset, side) else { return ranges.next().is_some() };
        let to = from.plus(&LinExpr::constant(cell.width as i64));
        ranges.any(|range| holds(state, (&range.from, &range.to), (&from, &to)))
    }
}
