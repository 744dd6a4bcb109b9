//! How variadic arguments are passed. clang turns `va_arg` into code that walks the `va_list` itself, so that `va_start` must lay the
//! arguments out in memory in a way that this code understands.
//!
//! x86-64 (System V ABI 3.5.7) passes some in registers, which `va_start` saves in an area of fixed size; a missing argument would be read
//! from there, inside an object. So the list says that the registers are used up, and all variadic arguments stand in the overflow
//! area, in slots of 8 bytes (16 for what is aligned so). `va_arg` gives the same values as it would where each is asked for by its own class (integer or pointer, float), and an argument that was not passed lies outside.
//! i386 has one area of 4-byte slots.

use belay_ir::{DataModel, Type};

/// The offset that says that none of x86-64's general registers is left.
pub const NO_GENERAL: u32 = 48;
/// The offset that says that none of its float registers is left.
pub const NO_FLOATS: u32 = 176;

/// The size of a `va_list` of x86-64.
pub const LIST_LP64: u64 = 24;
const LIST_ILP32: u64 = 4;

/// The size of a `va_list`.
pub fn list_size(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => LIST_LP64,
        DataModel::Ilp32 => LIST_ILP32,
    }
}

/// Hands out places in the order of the variadic arguments.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    model: DataModel,
    /// Bytes that are taken.
    pub size: u64,
}

impl Layout {
    /// Nothing is taken yet.
    pub fn new(model: DataModel) -> Layout {
        Layout { model, size: 0 }
    }

    /// Where the next argument stands: of a type that takes `stored` bytes in memory, or a struct of this size and alignment.
    pub fn next(&mut self, ty: Type, stored: u64, byval: Option<(u64, u32)>) -> u64 {
        let (size, align) = match (self.model, ty) {
            (DataModel::Ilp32, _) => (byval.map_or(stored, |(size, _)| size), 4),
            (DataModel::Lp64, Type::Int(width)) if byval.is_none() && width > 64 => (16, 16),
            (DataModel::Lp64, _) => byval.map_or((8, 8), |(size, align)| (size, u64::from(align).max(8))),
        };
        let slot = if self.model == DataModel::Lp64 { 8 } else { 4 };
        let at = self.size.next_multiple_of(align);
        self.size = at + size.next_multiple_of(slot);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x86_64_has_slots_of_eight_bytes() {
        let mut layout = Layout::new(DataModel::Lp64);
        let types = [Type::Int(32), Type::F64, Type::Ptr, Type::Int(128), Type::Int(8), Type::Int(80)];
        let places: Vec<u64> = types.iter().map(|ty| layout.next(*ty, 4, None)).collect();
        assert_eq!(places, [0, 8, 16, 32, 48, 64]);
        assert_eq!(layout.next(Type::Ptr, 8, Some((5, 1))), 80);
        assert_eq!(layout.next(Type::Ptr, 8, Some((32, 32))), 96);
        assert_eq!(layout.size, 128);
    }

    #[test]
    fn i386_has_one_area_of_words() {
        let mut layout = Layout::new(DataModel::Ilp32);
        let places: Vec<u64> = [4, 8, 1, 12].iter().map(|size| layout.next(Type::Ptr, *size, None)).collect();
        assert_eq!(places, [0, 4, 12, 16]);
        assert_eq!(layout.size, 28);
    }
}
