//! Which objects are arrays of pointers, and no structures.

use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, Cell, State, Value, place_of};

use super::super::pairing::Pairer;
use super::figures::is_pointers;
use super::{MIN_ARRAY, leads};

impl Pairer<'_> {
    /// Notes that a pair of objects is an array, if it looks like one.
    pub(in super::super) fn note_array(&mut self, left: AllocId, right: AllocId) {
        if self.looks_like_array(left, right) {
            self.arrays.pairs.insert(left, right);
            self.note_exposed(left, right);
        }
    }

    /// Notes the only elements of an array that both states have taken out of their ranges, where one of them looks at its own: what a search in a bucket of a hash table is about. The other one may have come to its end.
    fn note_exposed(&mut self, left: AllocId, right: AllocId) {
        let width = self.program.layout.pointer_bytes();
        let only = |state: &State, id: AllocId| {
            let moves =
                |cell: &Cell| cell.alloc == id && cell.width == width && leads(cell) && !cell.offset.is_constant();
            let mut found = state.cells.iter().enumerate().filter(|(_, cell)| moves(cell)).map(|(at, _)| at);
            let has_range = state.ranges.iter().any(|range| range.alloc == id);
            found.next().filter(|_| found.next().is_none() && has_range)
        };
        let (Some(a), Some(b)) = (only(self.left, left), only(self.right, right)) else { return };
        if !self.is_free(0, &self.left.cells[a]) || !self.is_free(1, &self.right.cells[b]) {
            self.arrays.exposed.push((a, b));
        }
    }

    /// True of one of them.
    pub(super) fn is_exposed(&self, side: usize, cell: &Cell) -> bool {
        self.arrays.exposed.iter().any(|(a, b)| {
            let own = if side == 0 { &self.left.cells[*a] } else { &self.right.cells[*b] };
            own.alloc == cell.alloc && own.offset == cell.offset && own.width == cell.width
        })
    }

    /// What one of the left state is in the right one.
    pub(in super::super) fn exposed_beside(&self, cell: &Cell) -> Option<usize> {
        let here = |at: usize| self.left.cells[at].alloc == cell.alloc && self.left.cells[at].offset == cell.offset;
        self.arrays.exposed.iter().find(|(a, _)| here(*a)).map(|(_, b)| *b)
    }

    fn looks_like_array(&self, left: AllocId, right: AllocId) -> bool {
        let has_range = |state: &State, id| state.ranges.iter().any(|range| range.alloc == id && is_pointers(range));
        if has_range(self.left, left) || has_range(self.right, right) {
            return true;
        }
        let width = self.program.layout.pointer_bytes();
        fn pointers(state: &State, id: AllocId, width: u64) -> Vec<&Cell> {
            state.cells.iter().filter(|cell| cell.alloc == id && cell.width == width && leads(cell)).collect()
        }
        let (a, b) = (pointers(self.left, left, width), pointers(self.right, right, width));
        if a.iter().chain(&b).any(|cell| !cell.offset.is_constant()) {
            return true;
        }
        let (Some(known), Some(other)) = (self.left.allocations.get(&left), self.right.allocations.get(&right)) else {
            return false;
        };
        let fixed = place_of(&known.size).filter(|_| known.size == other.size);
        if fixed.is_some() && self.is_written_in_turn((left, &a), (right, &b)) {
            return true;
        }
        if fixed.is_some_and(|size| size < MIN_ARRAY) {
            return false;
        }
        let lacks = |some: &[&Cell], others: &[&Cell], zeroed: bool| {
            let known = |cell: &Cell| others.iter().any(|other| overlap(other, cell));
            (!zeroed || fixed.is_none())
                && some.iter().any(|cell| matches!(cell.value, Value::Pointer(..) | Value::Function(_)) && !known(cell))
        };
        // What stands in the place of a pointer, if only zeros of other widths, makes it a member.
        fn members(state: &State, id: AllocId) -> Vec<&Cell> {
            state.cells.iter().filter(|cell| cell.alloc == id).collect()
        }
        lacks(&a, &members(self.right, right), other.zeroed) || lacks(&b, &members(self.left, left), known.zeroed)
    }

    /// True if the first words of a block follow each other as the rounds of a loop do: one state has as many of them as a number of the loop says, and the other one more.
    fn is_written_in_turn(&self, (left, a): (AllocId, &[&Cell]), (right, b): (AllocId, &[&Cell])) -> bool {
        let width = self.program.layout.pointer_bytes();
        let all_words = |state: &State, id: AllocId| {
            let zeroed = state.allocations.get(&id).is_none_or(|known| known.zeroed);
            !zeroed && state.cells.iter().filter(|cell| cell.alloc == id).all(|cell| cell.width == width && leads(cell))
        };
        let counted = |cells: &[&Cell], number: &LinExpr| {
            let end = number.scaled(&Rat::from(width as i64));
            let before = |cell: &&Cell| cell.offset.offset() < end.offset();
            number.is_constant()
                && end.offset() == &Rat::from((width * cells.len() as u64) as i64)
                && cells.iter().all(before)
        };
        b.len() == a.len() + 1
            && all_words(self.left, left)
            && all_words(self.right, right)
            && self.indices().iter().any(|(x, y)| counted(a, x) && counted(b, y))
    }
}

/// True of cells at constant places that have bytes in common.
fn overlap(one: &Cell, other: &Cell) -> bool {
    let bytes = |cell: &Cell| place_of(&cell.offset).map(|from| (from, from + cell.width));
    let (Some(one), Some(other)) = (bytes(one), bytes(other)) else { return one.offset == other.offset };
    one.0 < other.1 && other.0 < one.1
}
