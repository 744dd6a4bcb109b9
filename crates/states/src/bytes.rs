//! The bytes of cells that hold constants.

use belay_linear::LinExpr;

use super::knowledge::{as_constant, constant};
use super::state::{Cell, Value};

impl Cell {
    /// The byte at a place, if the cell is known to cover it and to hold a constant.
    pub fn byte(&self, place: &LinExpr) -> Option<u8> {
        let at = as_constant(&place.minus(&self.offset)).filter(|at| (0..i128::from(self.width)).contains(at))?;
        self.bytes().map(|bytes| (bytes >> (8 * at)) as u8)
    }

    /// All its bytes, if it holds a constant that fits.
    pub fn bytes(&self) -> Option<i128> {
        let number = match &self.value {
            Value::Int(expr) => as_constant(expr)?,
            Value::Null => 0,
            Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Function(_) | Value::Top => return None,
        };
        let half = 1i128.checked_shl(8 * self.width as u32 - 1).filter(|_| (1..=8).contains(&self.width))?;
        (-half..half).contains(&number).then_some(number)
    }
}

/// The number that so many bytes at a place of an object make, if each of them is known: as part of one of the object's cells that holds a constant, or, where
/// no cell with anything else than 0 may be, as one of an object that is `zeroed` elsewhere.
///
/// *Sound*: all cells hold at once, so that a byte is what any of them says; the bytes of a number stand least first.
pub fn known_number<'c>(
    cells: impl Iterator<Item = &'c Cell>,
    zeroed: bool,
    place: &LinExpr,
    width: u64,
) -> Option<LinExpr> {
    if !(1..=8).contains(&width) {
        return None;
    }
    let near =
        |(at, cell): &(Option<i128>, &Cell)| at.is_none_or(|at| at < i128::from(cell.width) && at > -i128::from(width));
    let cells: Vec<(Option<i128>, &Cell)> =
        cells.map(|cell| (as_constant(&place.minus(&cell.offset)), cell)).filter(near).collect();
    let is_zero_beside = zeroed && cells.iter().all(|(at, cell)| at.is_some() || cell.bytes() == Some(0));
    let byte = |index: i128| {
        let covers = |(at, cell): &&(Option<i128>, &Cell)| {
            at.is_some_and(|at| (0..i128::from(cell.width)).contains(&(at + index)))
        };
        match cells.iter().find(covers) {
            Some((at, cell)) => Some((cell.bytes()? >> (8 * (at.as_ref()? + index))) as u8),
            None => is_zero_beside.then_some(0),
        }
    };
    let mut bits = 0u128;
    for index in (0..i128::from(width)).rev() {
        bits = (bits << 8) | u128::from(byte(index)?);
    }
    Some(constant(signed(bits, (8 * width) as u16)))
}

/// The bits of a constant as a signed number; a truth value as 0 or 1.
pub fn signed(bits: u128, width: u16) -> i128 {
    if width == 1 {
        return i128::from(bits != 0);
    }
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}
