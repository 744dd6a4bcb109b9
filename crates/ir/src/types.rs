//! Value types and the data layout of the target.

use std::fmt;

/// The type of an SSA value. Aggregates live in memory only; in registers they are split into their
/// leaves. A vector or `long double` that is merely moved about is an integer of its size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to [`Type::MAX_INT_WIDTH`] bits; signedness is in the operations.
    Int(u16),
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// An address, of data or of a function.
    Ptr,
}

impl Type {
    /// A truth value.
    pub const BOOL: Type = Type::Int(1);
    /// A byte.
    pub const BYTE: Type = Type::Int(8);
    /// The widest integer that the program form has.
    pub const MAX_INT_WIDTH: u16 = 128;

    /// The width of an integer type.
    pub fn int_width(self) -> Option<u16> {
        match self {
            Type::Int(width) => Some(width),
            Type::F32 | Type::F64 | Type::Ptr => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::F32 => f.write_str("float"),
            Type::F64 => f.write_str("double"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

/// Which of C's integer types are how wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// 64-bit `long` and pointers (x86-64 Linux).
    #[default]
    Lp64,
    /// 32-bit `int`, `long` and pointers (i386 Linux).
    Ilp32,
}

/// What a value of an integer type can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IntegerModel {
    /// Machine integers of their width; arithmetic wraps.
    #[default]
    Machine,
    /// Any integer, whatever the width.
    Unbounded,
}

/// Sizes that depend on the target. Always little endian, bytes of 8 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// The data model behind it.
    pub model: DataModel,
    /// What the addresses of heap blocks are a multiple of at least, and of what the entry function is given.
    pub block_align: u64,
}

/// What blocks are aligned to on the machines that are executed, and on no machine to more.
pub const LARGEST_BLOCK_ALIGN: u64 = 16;

impl DataLayout {
    /// The layout of `model`.
    pub fn new(model: DataModel) -> Self {
        Self { model, block_align: LARGEST_BLOCK_ALIGN }
    }

    /// The same where blocks are aligned to so much, but to no more than on any machine.
    pub fn with_blocks(self, align: u64) -> Self {
        Self { block_align: align.min(LARGEST_BLOCK_ALIGN), ..self }
    }

    /// The size of an address in bytes.
    pub fn pointer_bytes(self) -> u64 {
        match self.model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The size of an address in bits.
    pub fn pointer_bits(self) -> u16 {
        match self.model {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        }
    }

    /// The integer type as wide as an address: what offsets and sizes are counted in.
    pub fn address_type(self) -> Type {
        Type::Int(self.pointer_bits())
    }

    /// How many bytes a load or store of `ty` touches.
    pub fn store_size(self, ty: Type) -> u64 {
        match ty {
            Type::Int(width) => u64::from(width).div_ceil(8),
            Type::F32 => 4,
            Type::F64 => 8,
            Type::Ptr => self.pointer_bytes(),
        }
    }
}

/// What a function without a body and without a model is taken to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Externs {
    /// It may write to what it is given and to globals that other files see.
    Havoc,
    /// It changes nothing.
    #[default]
    Pure,
    /// A run that calls it has no verdict.
    Refuse,
}
