//! Values in registers.

use belay_base::id_type;
use belay_ir::Type;

id_type!(
    /// An object in the memory of a run. Ids of dead objects are used again once nothing refers to them.
    ObjectId,
    "obj"
);

/// An address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pointer {
    /// An integer address; 0 is null.
    Bare(u64),
    /// A place in an object (or outside it: arithmetic alone is never wrong).
    Object { id: ObjectId, offset: i64 },
    /// A mark of `StackSave`.
    Mark(u32),
}

impl Pointer {
    pub(crate) const NULL: Pointer = Pointer::Bare(0);
}

/// The name of an undefined byte: copies share it, so that they agree once it is chosen.
pub(crate) type Token = u64;

/// A byte as memory holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    /// A number.
    Known(u8),
    /// Undefined.
    Undef(Token),
    /// The bits in `mask` are those of `value`, the others those of an undefined byte (a bit-field was written).
    Part { token: Token, mask: u8, value: u8 },
    /// The byte of this index of a pointer into an object.
    Frag(Pointer, u8),
    /// Part of an unbounded integer that is no longer there as a whole: arbitrary.
    Torn,
}

/// A bit of a partly undefined integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bit {
    /// A known bit.
    Known(bool),
    /// The bit of this index of an undefined byte.
    Undef(Token, u8),
}

/// A value of a register.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value<Int> {
    /// An integer.
    Int(Int),
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
    /// An address.
    Ptr(Pointer),
    /// An integer of address width that is the address of a place in an object.
    Addr(Pointer),
    /// Bytes some of which are undefined or parts of pointers, moved as they are.
    Raw(Box<[Byte]>),
    /// An integer some of whose bits are undefined, lowest bit first.
    Bits(Box<[Bit]>),
    /// A constant of which each use is undefined anew; only among constants.
    Undef(Type),
}
