//! Zero bytes as null pointers: a state may speak of a pointer where another has a number 0, or an object that is still 0.

use super::super::knowledge::as_constant;
use super::super::state::{Cell, Value};
use super::Matcher;

impl Matcher<'_> {
    /// A cell among `todo` with a pointer whose place holds bytes of the special state that are still 0.
    pub(super) fn zeroed(&self, todo: &[usize]) -> Option<usize> {
        todo.iter().position(|at| {
            let cell = &self.general.cells[*at];
            let Some(alloc) = self.pairing.allocs.get(&cell.alloc) else { return false };
            let zeroed = self.special.allocations.get(alloc).is_some_and(|known| known.zeroed);
            let Some(place) = self.instantiate(&cell.offset).filter(|_| zeroed) else { return false };
            let apart = |other: &Cell| match as_constant(&other.offset.minus(&place)) {
                Some(distance) => distance <= -i128::from(other.width) || distance >= i128::from(cell.width),
                None => false,
            };
            let own = self.cells_of.get(alloc).into_iter().flatten().map(|at| &self.special.cells[*at]);
            matches!(cell.value, Value::Null | Value::Pointer(..)) && own.into_iter().all(apart)
        })
    }
}

/// Zero bytes where a pointer is looked for are the null pointer.
pub(super) fn nulled(value: &Value) -> Value {
    match value {
        Value::Int(zero) if as_constant(zero) == Some(0) => Value::Null,
        known => known.clone(),
    }
}
