//! Bytes that a state knows by other words: a pointer where another has a number 0, an object that is still 0, or a part of a constant.

use super::super::bytes::known_number;
use super::super::knowledge::{as_constant, constant};
use super::super::state::{AllocId, Cell, Value};
use super::Matcher;

impl Matcher<'_> {
    /// True if each byte of a cell of the special state is 0, or stands where the general one has a cell in the object `general`. Of the bytes that its cells cover a state does not say that
    /// they are still 0, even where the object is: so what stands there need not be 0.
    pub(crate) fn is_spoken_of(&self, general: AllocId, special: &Cell) -> bool {
        let Some(at) = as_constant(&special.offset) else { return false };
        let covers = |cell: &Cell, place: i128| {
            let from = as_constant(&cell.offset).filter(|_| cell.alloc == general);
            from.is_some_and(|from| (from..from + i128::from(cell.width)).contains(&place))
        };
        let is_covered = |place: i128| self.general.cells.iter().any(|cell| covers(cell, place));
        let mut places = at..at + i128::from(special.width);
        places.all(|place| special.byte(&constant(place)) == Some(0) || is_covered(place))
    }

    /// What stands where a cell of the general state is, if the special state says so without a cell of that width: bytes of constants, or of
    /// an object that is still 0.
    pub(crate) fn implied(&self, at: usize) -> Option<Value> {
        let cell = &self.general.cells[at];
        let alloc = self.object_of(at)?;
        let place = self.instantiate(&cell.offset)?;
        let own = self.cells_of.get(&alloc).into_iter().flatten().map(|at| &self.special.cells[*at]);
        let zeroed = self.special.allocations.get(&alloc).is_some_and(|known| known.zeroed);
        let zeroed = zeroed && !self.special.ranges.iter().any(|range| range.alloc == alloc);
        let number = known_number(own, zeroed, &place, cell.width)?;
        match cell.value {
            Value::Int(_) => Some(Value::Int(number)),
            Value::Null | Value::Pointer(..) => (as_constant(&number) == Some(0)).then_some(Value::Null),
            Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => None,
        }
    }
}

/// Zero bytes where a pointer is looked for are the null pointer.
pub(crate) fn nulled(value: &Value) -> Value {
    match value {
        Value::Int(zero) if as_constant(zero) == Some(0) => Value::Null,
        known => known.clone(),
    }
}
