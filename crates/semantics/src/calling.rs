//! How variadic arguments are passed. clang turns `va_arg` into code that walks the `va_list` itself, so that `va_start` must lay the
//! arguments out in memory as the target's calling convention does.
//!
//! x86-64 (System V ABI 3.5.7): six 8-byte slots for integers and pointers and eight 16-byte slots for floats, in an area of 176
//! bytes, then what did not fit, in slots of 8 bytes (16 for what is aligned so). i386: one area of 4-byte slots.

use belay_ir::{DataModel, Param, Type};

/// The size of x86-64's register save area, and where the float slots begin in it.
pub(crate) const SAVE_AREA: u64 = 176;
pub(crate) const FLOAT_SLOTS: u64 = 48;

/// The sizes of a `va_list`.
pub(crate) const LIST_LP64: u64 = 24;
const LIST_ILP32: u64 = 4;

/// Where an argument stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    /// In the save area.
    Register(u64),
    /// In the overflow area.
    Stack(u64),
}

/// Hands out places in the order of the arguments.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Layout {
    /// Slots for integers and pointers that are taken.
    pub(crate) general: u64,
    /// Slots for floats that are taken.
    pub(crate) floats: u64,
    /// Bytes of the overflow area that are taken.
    pub(crate) stack: u64,
}

/// The size of a `va_list`.
pub(crate) fn list_size(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => LIST_LP64,
        DataModel::Ilp32 => LIST_ILP32,
    }
}

/// Whether some arguments are passed in registers, which `va_start` saves.
pub(crate) fn has_save_area(model: DataModel) -> bool {
    model == DataModel::Lp64
}

impl Layout {
    /// What the named parameters have used up. The variadic part of the stack begins after the named one.
    pub(crate) fn after_named(model: DataModel, params: &[Param]) -> Layout {
        let mut layout = Layout::default();
        if model == DataModel::Lp64 {
            for param in params {
                layout.next_lp64(param.ty, param.byval);
            }
        }
        Layout { stack: 0, ..layout }
    }

    /// Where the next argument stands; `size` is what its type takes in memory.
    pub(crate) fn next(&mut self, model: DataModel, ty: Type, byval: Option<(u64, u32)>, size: u64) -> Home {
        match model {
            DataModel::Lp64 => self.next_lp64(ty, byval),
            DataModel::Ilp32 => self.next_ilp32(byval.map_or(size, |(size, _)| size)),
        }
    }

    fn on_stack(&mut self, size: u64, align: u64, slot: u64) -> Home {
        let at = self.stack.next_multiple_of(align.max(slot));
        self.stack = at + size.next_multiple_of(slot);
        Home::Stack(at)
    }

    fn next_lp64(&mut self, ty: Type, byval: Option<(u64, u32)>) -> Home {
        if let Some((size, align)) = byval {
            return self.on_stack(size, align.into(), 8);
        }
        let general = match ty {
            Type::F32 | Type::F64 if self.floats < 8 => {
                self.floats += 1;
                return Home::Register(FLOAT_SLOTS + 16 * (self.floats - 1));
            }
            Type::F32 | Type::F64 => return self.on_stack(8, 8, 8),
            Type::Int(width) if width <= 64 => 1,
            Type::Ptr => 1,
            Type::Int(128) => 2,
            // A `long double`: always in memory.
            Type::Int(_) => return self.on_stack(16, 16, 8),
        };
        if self.general + general <= 6 {
            self.general += general;
            return Home::Register(8 * (self.general - general));
        }
        self.on_stack(8 * general, 8 * general, 8)
    }

    fn next_ilp32(&mut self, size: u64) -> Home {
        self.on_stack(size, 4, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_laid_out_as_the_abi_says() {
        let mut layout = Layout::default();
        let types = [Type::Int(32), Type::F64, Type::Ptr, Type::Int(128), Type::Int(64), Type::Int(128), Type::Ptr];
        let homes: Vec<Home> = types.iter().map(|ty| layout.next_lp64(*ty, None)).collect();
        let expected = [
            Home::Register(0),
            Home::Register(48),
            Home::Register(8),
            Home::Register(16),
            Home::Register(32),
            Home::Stack(0),
            Home::Register(40),
        ];
        assert_eq!(homes, expected);
        assert_eq!(layout.next_lp64(Type::Int(8), None), Home::Stack(16));
        assert_eq!(layout.next_lp64(Type::Int(80), None), Home::Stack(32));
        assert_eq!(layout.next_lp64(Type::Ptr, Some((5, 1))), Home::Stack(48));
        assert_eq!(layout.stack, 56);
    }

    #[test]
    fn i386_has_one_area_of_words() {
        let mut layout = Layout::default();
        let homes: Vec<Home> = [4, 8, 1, 12].iter().map(|size| layout.next_ilp32(*size)).collect();
        assert_eq!(homes, [Home::Stack(0), Home::Stack(4), Home::Stack(12), Home::Stack(16)]);
    }
}
