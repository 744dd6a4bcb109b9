//! Moves locals from memory to registers: our own mem2reg, with scalar replacement of small aggregates.
//!
//! **What is promoted.** A stack object of constant size whose address goes nowhere but into direct accesses: loads, stores and
//! constant fills at constant offsets, and lifetime markers. Its accesses must fall into *slots*, pairs of offset and type
//! that do not overlap, so that each load reads exactly what one store wrote. Phis are placed at the iterated dominance
//! frontiers of the definitions where the slot is live (Cytron et al., *Efficiently computing static single assignment form*,
//! 1991; pruned as in Choi, Cytron and Ferrante, 1991), and a walk of the dominator tree renames.
//!
//! **Why it is sound.** Nobody else can have the object's address, so no other instruction touches it, and a load of a slot
//! gives the value of the last store to it, fill of it, or start of a life: in both integer models a value is read back
//! as it was written if offset and type agree. The obligations of the accesses that vanish are discharged: each lies inside the
//! object by its constant offset, the object is writable, and it is alive, because an object is promoted only if no access may
//! happen while its life has not begun or has ended (a `goto` past a declaration can do that): from each access one goes back
//! to the last marker, on all paths, and must find a beginning. An address computed in an earlier life dangles, so each must
//! be computed in the life that it is used in; the object's own name always stands for its present life, so where it is
//! stored, its present meaning is captured. A new life is a new arbitrary value, chosen where the life
//! starts, as undefined bytes are arbitrary but fixed; an undefined pointer is `undef`, which is invalid. `volatile` is ordinary memory.
//!
//! **What changes.** A promoted pointer keeps a heap block reachable only as long as it is still used, or *held* where a run ends (`held.rs`), not to the end of its
//! scope. That is fewer roots, so a proof of `valid-memtrack` for the result holds for the program as translated; the
//! converse does not hold where a run ends by `exit`, and refutations are replayed on the program as translated.
//!
//! **Where it gives up.** Variable offsets, block copies, and slots that overlap or are accessed as two types.

mod analyse;
mod held;
mod lives;
mod rename;

use crate::remove_unreachable::remove_unreachable_blocks;
use crate::substitution::prune_names;
use belay_ir::{BlockId, Cfg, DataLayout, Function, InstId, Operand, Program, Type};

/// Promotes what can be promoted in every function.
pub fn promote(program: &mut Program) {
    let layout = program.layout;
    program.functions.iter_mut().for_each(|function| promote_function(function, layout));
}

fn promote_function(function: &mut Function, layout: DataLayout) {
    remove_unreachable_blocks(function);
    let cfg = Cfg::new(function);
    let variables = analyse::promotable(function, &cfg, layout);
    if variables.is_empty() {
        return;
    }
    rename::promote(function, layout, &cfg, &variables);
    prune_names(function);
}

/// A part of a stack object that is always accessed as one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    offset: u64,
    size: u64,
    ty: Type,
}

impl Slot {
    fn end(self) -> u64 {
        self.offset + self.size
    }

    /// What the slot holds after each of its bytes was set to `byte`; `None` for an address made of bytes.
    fn fill(self, byte: u8) -> Option<Operand> {
        let pattern = u128::from_le_bytes([byte; 16]);
        match self.ty {
            Type::Int(width) => (byte == 0 || width % 8 == 0).then(|| Operand::int(width, pattern)),
            Type::F32 => Some(Operand::F32(f32::from_bits(pattern as u32))),
            Type::F64 => Some(Operand::F64(f64::from_bits(pattern as u64))),
            Type::Ptr => (byte == 0).then_some(Operand::Null),
        }
    }
}

/// What an instruction does to a promotable object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    /// A life begins: the `Alloca` itself if it has no markers, or a start marker.
    Begin,
    /// The object is not alive from here: an end marker, or the `Alloca` of an object with markers.
    End,
    /// Computes an address within the object.
    Address,
    /// Reads the slot at this offset.
    Load(u64),
    /// Writes the slot at this offset.
    Store(u64),
    /// Fills the slots between two offsets.
    Fill { from: u64, to: u64, byte: u8 },
}

impl Action {
    fn is_marker(self) -> bool {
        matches!(self, Action::Begin | Action::End)
    }

    /// True if the slot has a new value after it.
    fn defines(self, slot: Slot) -> bool {
        match self {
            Action::Begin => true,
            Action::Store(offset) => offset == slot.offset,
            Action::Fill { from, to, .. } => from <= slot.offset && slot.end() <= to,
            Action::End | Action::Address | Action::Load(_) => false,
        }
    }
}

/// An action and where it stands.
#[derive(Clone, Copy, Debug)]
struct Event {
    block: BlockId,
    inst: InstId,
    action: Action,
    /// The address that it uses, if that is not the object's name.
    via: Option<InstId>,
}

/// A stack object that can be promoted.
#[derive(Debug)]
struct Variable {
    alloca: InstId,
    /// The C variable that it holds.
    local: Option<u32>,
    /// True if its one slot is the whole C variable, so that the slot's values can bear its name.
    is_scalar: bool,
    slots: Vec<Slot>,
    /// What happens to it, block by block in reverse postorder.
    events: Vec<Event>,
}

#[cfg(test)]
mod tests;
