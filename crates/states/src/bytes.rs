//! The bytes of cells that hold constants.

use belay_linear::LinExpr;

use super::knowledge::{as_constant, constant};
use super::state::{Cell, Value};

impl Cell {
    /// The number that so many bytes at a place are, if the cell is known to cover them and to hold a constant.
    pub fn part_at(&self, place: &LinExpr, width: u64) -> Option<LinExpr> {
        let at = as_constant(&place.minus(&self.offset))?;
        let inside = at >= 0 && at + i128::from(width) <= i128::from(self.width) && (1..=8).contains(&width);
        let bits = (self.bytes().filter(|_| inside)? >> (8 * at)) as u128;
        Some(constant(signed(bits & ((1 << (8 * width)) - 1), (8 * width) as u16)))
    }

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

/// The bits of a constant as a signed number; a truth value as 0 or 1.
pub fn signed(bits: u128, width: u16) -> i128 {
    if width == 1 {
        return i128::from(bits != 0);
    }
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}
