//! Reads and writes of other widths than a cell's: unions, and structs looked at byte by byte.
//!
//! *Sound* because a cell whose number fits its width says what each of its bytes holds (little endian), in both integer models. A number that
//! is read is put together from such bytes, from those of an object that is still 0, or of a global as it was at the start. A write over part of a cell
//! leaves its other bytes as they were.

use belay_ir::Type;
use belay_linear::LinExpr;

use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, Cell, State, Value};
use belay_states::bytes::signed;

impl Machine<'_> {
    /// The number that bytes of known content make, read with a width.
    pub(super) fn assembled(
        &mut self,
        state: &State,
        alloc: AllocId,
        offset: &LinExpr,
        width: u64,
    ) -> Step<Option<i128>> {
        if !(1..=8).contains(&width) {
            return Ok(None);
        }
        let mut bits = 0u128;
        for at in (0..width).rev() {
            let place = offset.plus(&constant(i128::from(at)));
            let Some(byte) = self.byte_at(state, alloc, &place)? else { return Ok(None) };
            bits = (bits << 8) | u128::from(byte);
        }
        Ok(Some(signed(bits, (8 * width) as u16)))
    }

    fn byte_at(&mut self, state: &State, alloc: AllocId, place: &LinExpr) -> Step<Option<u8>> {
        let known = state.cells.iter().filter(|cell| cell.alloc == alloc).find_map(|cell| cell.byte(place));
        if known.is_some() {
            return Ok(known);
        }
        let untouched = self.untouched(state, alloc, place, 1, belay_ir::Type::BYTE)?;
        Ok(match untouched {
            Some(Value::Int(expr)) => as_constant(&expr).map(|byte| byte as u8),
            Some(_) | None => None,
        })
    }

    /// A part of a wider cell whose number is known to be small: itself, or 0 above it.
    pub(super) fn part(
        &mut self,
        state: &State,
        alloc: AllocId,
        offset: &LinExpr,
        width: u64,
    ) -> Step<Option<LinExpr>> {
        for cell in state.cells.iter().filter(|cell| cell.alloc == alloc && cell.width > width && cell.width <= 8) {
            let Value::Int(number) = &cell.value else { continue };
            let at = as_constant(&offset.minus(&cell.offset));
            let Some(at) = at.filter(|at| (0..=i128::from(cell.width - width)).contains(at)) else { continue };
            let bits = if at == 0 { 8 * width - 1 } else { 8 * at as u64 };
            let most = constant((1i128 << bits) - 1);
            if self.at_least(state, number, 0)? && self.at_least(state, &most.minus(number), 0)? {
                return Ok(Some(if at == 0 { number.clone() } else { constant(0) }));
            }
        }
        Ok(None)
    }

    /// What is left of a cell after a write of `len` bytes at `offset`: bytes beside it that are known. None if that can't be told.
    pub(super) fn left_of(&self, cell: &Cell, offset: &LinExpr, len: &LinExpr) -> Option<Vec<Cell>> {
        let start = as_constant(&offset.minus(&cell.offset))?;
        let (end, bytes) = (start + as_constant(len)?, cell.bytes()?);
        let beside = (0..i128::from(cell.width)).filter(|at| *at < start || *at >= end);
        let byte = |at: i128| Cell {
            alloc: cell.alloc,
            offset: cell.offset.plus(&constant(at)),
            width: 1,
            value: Value::Int(constant(signed(((bytes >> (8 * at)) & 0xff) as u128, 8))),
        };
        Some(beside.map(byte).collect())
    }
}

/// The value as one of a type, if reading it so gives it back.
pub(super) fn of_type(value: Value, ty: Type) -> Option<Value> {
    let fits = match (&value, ty) {
        (Value::Int(_) | Value::Address(..), Type::Int(_)) => true,
        (Value::Pointer(..) | Value::Null | Value::Function(_), Type::Ptr) => true,
        (Value::Null, Type::Int(_)) => return Some(Value::Int(constant(0))),
        (Value::Int(expr), Type::Ptr) if as_constant(expr) == Some(0) => return Some(Value::Null),
        (Value::Pointer(alloc, offset), Type::Int(_)) => return Some(Value::Address(*alloc, offset.clone())),
        (_, _) => false,
    };
    fits.then_some(value)
}
