//! What is read from a constant object at a known place: numbers, null pointers, and the addresses in tables of functions.
//!
//! **Why it is sound.** A constant object lives for ever and holds what it was initialised with: a write to it is a violation that ends the run, and a proof
//! that lets runs go on after one takes it to have written nothing. The access itself stays, with its obligation; only its value is known.

use belay_base::IdVec;

use belay_ir::{DataLayout, Global, GlobalId, GlobalInit, IntegerModel, Op, Operand, Relocation, Target, Type};

/// The value that a load has, if it is one of a constant object.
pub(super) fn constant_load(
    globals: &IdVec<GlobalId, Global>,
    layout: DataLayout,
    integers: IntegerModel,
    op: &Op,
    ty: Type,
) -> Option<Operand> {
    let Op::Load { ptr: Operand::Global { global, offset }, volatile: false, .. } = op else { return None };
    let global = &globals[*global];
    let init = global.init.as_ref().filter(|_| global.constant)?;
    let start = u64::try_from(*offset).ok()?;
    match ty {
        Type::Int(width) if matches!(width, 8 | 16 | 32 | 64) => {
            let bits = plain_bytes(init, layout, global.size?, start, u64::from(width / 8))?;
            // In the unbounded model a value is read as the one that fits.
            let fits = integers == IntegerModel::Machine || bits >> (width - 1) == 0;
            fits.then_some(Operand::int(width, bits))
        }
        Type::Ptr => {
            let size = layout.pointer_bytes();
            match init.relocations.iter().find(|relocation| relocation.offset == start) {
                Some(relocation) if start + size <= global.size? => target(relocation),
                Some(_) => None,
                None => (plain_bytes(init, layout, global.size?, start, size)? == 0).then_some(Operand::Null),
            }
        }
        Type::Int(_) | Type::F32 | Type::F64 => None,
    }
}

/// So many bytes as a number, if they are inside the object and no part of an address.
fn plain_bytes(init: &GlobalInit, layout: DataLayout, size: u64, start: u64, count: u64) -> Option<u128> {
    let end = start.checked_add(count).filter(|end| *end <= size)?;
    let pointer = layout.pointer_bytes();
    let touches = |relocation: &Relocation| relocation.offset < end && start < relocation.offset + pointer;
    if init.relocations.iter().any(touches) {
        return None;
    }
    let byte = |at: u64| u128::from(init.bytes.get(at as usize).copied().unwrap_or(0));
    Some((0..count).map(|index| byte(start + index) << (8 * index)).sum())
}

fn target(relocation: &Relocation) -> Option<Operand> {
    match relocation.target {
        Target::Global(global) => Some(Operand::Global { global, offset: relocation.addend }),
        Target::Func(function) => (relocation.addend == 0).then_some(Operand::Func(function)),
    }
}
