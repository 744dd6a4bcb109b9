//! How far elements are apart where all that has been written stands at constant places: by the numbers that indices are multiplied by.
//!
//! `struct { long key; void *data; } *v` begins with a number and a pointer. That the next pointer stands 16 bytes behind the first is seen only when it is written, or in the code: `v[i]` is at `16 * i`.

use std::collections::BTreeSet;

use belay_ir::{BinaryOp, FuncId, Function, Op, Operand};
use belay_symbolic::{AllocId, Cell, State, Value, place_of};

use super::super::pairing::Pairer;
use super::leads;

impl Pairer<'_> {
    /// The least number of bytes that an index is multiplied by and that keeps the pointers of an object apart from its numbers; none if words that follow each other may all be pointers.
    pub(super) fn scale_of(&self, left: AllocId, right: AllocId) -> Option<u64> {
        let width = self.program.layout.pointer_bytes();
        let (mut pointers, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        for (state, id) in [(self.left, left), (self.right, right)] {
            pointers.extend(places(state, id, |cell| cell.width == width && leads(cell)));
            numbers.extend(places(state, id, |cell| matches!(cell.value, Value::Int(_))));
        }
        let is_apart =
            |step: u64| pointers.iter().all(|place| numbers.iter().all(|other| place % step != other % step));
        if is_apart(width) {
            return None;
        }
        let functions: BTreeSet<FuncId> = self.left.frames.iter().map(|frame| frame.function).collect();
        let scales: BTreeSet<u64> = functions.iter().flat_map(|id| scales(&self.program.functions[*id])).collect();
        let fits = |step: &u64| step.is_multiple_of(width) && (2 * width..=256).contains(step) && is_apart(*step);
        scales.into_iter().find(fits)
    }
}

/// The constant places of some cells of an object.
fn places(state: &State, id: AllocId, is_asked: impl Fn(&Cell) -> bool) -> impl Iterator<Item = u64> {
    state.cells.iter().filter(move |cell| cell.alloc == id && is_asked(cell)).filter_map(|cell| place_of(&cell.offset))
}

/// The numbers that offsets are multiples of.
fn scales(function: &Function) -> impl Iterator<Item = u64> + '_ {
    let factor = |operand: &Operand| match operand {
        Operand::Int { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    };
    let offsets = function.insts.iter().filter_map(|inst| match &inst.op {
        Op::PtrAdd { offset: Operand::Inst(offset), .. } => Some(&function.insts[*offset].op),
        _ => None,
    });
    offsets.filter_map(move |op| match op {
        Op::Binary { op: BinaryOp::Mul, lhs, rhs } => factor(rhs).or_else(|| factor(lhs)),
        Op::Binary { op: BinaryOp::Shl, rhs, .. } => 1_u64.checked_shl(u32::try_from(factor(rhs)?).ok()?),
        _ => None,
    })
}
