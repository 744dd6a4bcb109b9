//! Stack objects that are filled before anything can read them: `struct s v = {…}`, `int t[4] = {0}`.
//!
//! **Claim.** The bytes that [`find_born`] gives for an `Alloca` are never read as they were at the start of a life of the object.
//!
//! **Soundness.** A life begins at the `Alloca`, or at its only `LifetimeStart` where it has markers. In the instructions of the block that follow, the object is reached through the register of the
//! `Alloca` alone, or what is added to it: pointers into an earlier life dangle, and nothing else can point into one that has just begun. As long as these registers are used for
//! nothing but writes with constant places, of whole values, copies or fillings of constant length, nothing reads the object; what was written until then is
//! what later reads find, or what was written after it. A source of a copy that is the object itself counts as a read.

use std::collections::BTreeMap;

use belay_ir::{Function, InstId, Op, Operand, Program};

use crate::loads::object_of;

/// Bytes from one offset to another, apart and in order.
pub(crate) type Born = Vec<(u64, u64)>;

/// The bytes of each `Alloca` that are written before they can be read.
pub(crate) fn find_born(program: &Program, function: &Function) -> BTreeMap<InstId, Born> {
    let mut starts: BTreeMap<InstId, u32> = BTreeMap::new();
    for (_, inst) in function.placed_insts() {
        if let Op::LifetimeStart { object } = &function.insts[inst].op {
            *starts.entry(*object).or_default() += 1;
        }
    }
    let mut born = BTreeMap::new();
    for block in function.blocks.iter() {
        for (at, inst) in block.insts.iter().enumerate() {
            let object = match &function.insts[*inst].op {
                Op::LifetimeStart { object } if starts.get(object) == Some(&1) => *object,
                Op::Alloca { scoped: false, .. } if !starts.contains_key(inst) => *inst,
                _ => continue,
            };
            let written = follow(program, function, object, &block.insts[at + 1..]);
            if !written.is_empty() {
                born.insert(object, merge(written));
            }
        }
    }
    born
}

/// What is written from here on, until the object is used otherwise.
fn follow(program: &Program, function: &Function, object: InstId, insts: &[InstId]) -> Born {
    // Registers that point into the object, and where.
    let mut places: BTreeMap<InstId, u64> = BTreeMap::from([(object, 0)]);
    let place_of = |places: &BTreeMap<InstId, u64>, operand: Operand| match operand {
        Operand::Inst(id) => places.get(&id).copied(),
        _ => None,
    };
    let constant = |operand: Operand| operand.as_int().and_then(|value| u64::try_from(value).ok());
    let mut written = Vec::new();
    for inst in insts {
        let op = &function.insts[*inst].op;
        let (mut uses, mut is_clear) = (false, true);
        op.for_each_operand(|operand| {
            uses |= place_of(&places, *operand).is_some();
            // A register that was made of the object before is looked at by nobody here.
            let is_made = object_of(function, *operand) == Some(Operand::Inst(object));
            is_clear &= !is_made || place_of(&places, *operand).is_some();
        });
        if !is_clear {
            break;
        }
        if !uses {
            // Another mark of the object ends what is known of its birth.
            if matches!(op, Op::LifetimeStart { object: other } | Op::LifetimeEnd { object: other } if *other == object)
            {
                break;
            }
            continue;
        }
        let span = match op {
            Op::PtrAdd { base, offset } => match (place_of(&places, *base), constant(*offset)) {
                (Some(place), Some(offset)) if offset < 1 << 40 => {
                    places.insert(*inst, place + offset);
                    continue;
                }
                _ => break,
            },
            Op::Store { ptr, value, .. } if place_of(&places, *value).is_none() => {
                let size = function.operand_type(*value).map(|ty| program.layout.store_size(ty));
                place_of(&places, *ptr).zip(size)
            }
            Op::MemSet { dst, len, .. } => place_of(&places, *dst).zip(constant(*len)),
            Op::MemCopy { dst, src, len, .. } if place_of(&places, *src).is_none() => {
                place_of(&places, *dst).zip(constant(*len))
            }
            _ => None,
        };
        match span {
            Some((place, size)) if size < 1 << 40 => written.push((place, place + size)),
            _ => break,
        }
    }
    written
}

fn merge(mut spans: Born) -> Born {
    spans.sort_unstable();
    let mut merged: Born = Vec::new();
    for (start, end) in spans {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}
