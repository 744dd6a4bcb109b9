//! Variadic arguments. clang turns `va_arg` into code that walks the `va_list` itself, so that `va_start` must lay the
//! arguments out in memory as the target's calling convention does.
//!
//! x86-64 (System V ABI 3.5.7): six 8-byte slots for integers and pointers and eight 16-byte slots for floats, in an area of 176
//! bytes, then what did not fit, in slots of 8 bytes (16 for what is aligned so). i386: one area of 4-byte slots.

use belay_ir::{DataModel, ObligationId, Param, Type};

use crate::code::Slot;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{Res, Run, Variadic};
use crate::value::{ObjectId, Pointer, Value};

/// The size of x86-64's register save area, and where the float slots begin in it.
const SAVE_AREA: u64 = 176;
const FLOAT_SLOTS: u64 = 48;

/// The size of a `va_list`.
const LIST_LP64: u64 = 24;
const LIST_ILP32: u64 = 4;

/// Where an argument stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    /// In the save area.
    Register(u64),
    /// In the overflow area.
    Stack(u64),
}

/// Hands out places in the order of the arguments.
#[derive(Clone, Copy, Default, Debug)]
struct Layout {
    general: u64,
    floats: u64,
    stack: u64,
}

impl Layout {
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

/// Where `printf` and its kin get their arguments from.
#[derive(Clone, Debug)]
pub(crate) enum ArgSource {
    /// The call's own arguments, from this index on.
    Call(usize),
    /// An x86-64 `va_list` at this address.
    List(Option<Pointer>),
    /// An i386 `va_list`: the next argument's address.
    Area(Option<Pointer>),
}

impl<M: Integers, O: Observer> Run<'_, M, O> {
    fn list_size(&self) -> u64 {
        match self.program.layout.model {
            DataModel::Lp64 => LIST_LP64,
            DataModel::Ilp32 => LIST_ILP32,
        }
    }

    /// `va_start`.
    pub(crate) fn va_start(&mut self, list: Slot, obligation: ObligationId) -> Res<()> {
        let pointer = self.pointer(list)?;
        let (id, at) = self.access(pointer, self.list_size(), true, Some(obligation))?;
        let params = &self.program.functions[self.code.function].params;
        let start = self.named_layout(params);
        let (save, overflow) = self.areas(start)?;
        let place = |id| Value::Ptr(Pointer::Object { id, offset: 0 });
        let Some(save) = save else { return self.store_at(id, at, place(overflow), Type::Ptr) };
        let offset = |value: u64| Value::Int(M::from_bits(32, value.into()));
        self.store_at(id, at, offset(8 * start.general), Type::Int(32))?;
        self.store_at(id, at + 4, offset(FLOAT_SLOTS + 16 * start.floats), Type::Int(32))?;
        self.store_at(id, at + 8, place(overflow), Type::Ptr)?;
        self.store_at(id, at + 16, place(save), Type::Ptr)
    }

    /// `va_copy`.
    pub(crate) fn va_copy(&mut self, dst: Slot, src: Slot, obligation: ObligationId) -> Res<()> {
        let (dst, src, size) = (self.pointer(dst)?, self.pointer(src)?, self.list_size());
        let from = self.access(src, size, false, Some(obligation))?;
        let to = self.access(dst, size, true, Some(obligation))?;
        let copied = self.memory.copy(to, from, size);
        self.fits(copied)
    }

    /// What the named parameters have used up.
    fn named_layout(&self, params: &[Param]) -> Layout {
        let mut layout = Layout::default();
        if self.program.layout.model == DataModel::Lp64 {
            for param in params {
                layout.next_lp64(param.ty, param.byval);
            }
        }
        // The variadic part of the stack begins after the named one.
        Layout { stack: 0, ..layout }
    }

    /// The areas with the frame's variadic arguments, made at the first `va_start`.
    fn areas(&mut self, start: Layout) -> Res<(Option<ObjectId>, ObjectId)> {
        let Some(variadic) = self.frames.last().and_then(|frame| frame.variadic.as_ref()) else {
            return self.unknown("va_start in a function without variadic arguments");
        };
        if let Some(areas) = variadic.areas {
            return Ok(areas);
        }
        let args = variadic.args.clone();
        let mut layout = start;
        let model = self.program.layout.model;
        let homes: Vec<Home> = args
            .iter()
            .map(|arg| match model {
                DataModel::Lp64 => layout.next_lp64(arg.ty, arg.byval),
                DataModel::Ilp32 => {
                    layout.next_ilp32(arg.byval.map_or_else(|| self.memory.store_size(arg.ty), |(size, _)| size))
                }
            })
            .collect();
        let save = (model == DataModel::Lp64).then(|| self.make_area(SAVE_AREA));
        let overflow = self.make_area(layout.stack);
        for (arg, home) in args.into_iter().zip(homes) {
            let (id, offset) = match (home, save) {
                (Home::Register(offset), Some(save)) => (save, offset),
                (Home::Register(offset) | Home::Stack(offset), _) => (overflow, offset),
            };
            self.put_argument(id, offset, arg)?;
        }
        if let Some(variadic) = self.frames.last_mut().and_then(|frame| frame.variadic.as_mut()) {
            variadic.areas = Some((save, overflow));
        }
        Ok((save, overflow))
    }

    fn put_argument(&mut self, id: ObjectId, offset: u64, arg: Variadic<M::Int>) -> Res<()> {
        let Some((size, _)) = arg.byval else { return self.store_at(id, offset, arg.value, arg.ty) };
        let Value::Ptr(Pointer::Object { id: copy, .. }) = arg.value else { return Ok(()) };
        let copied = self.memory.copy((id, offset), (copy, 0), size);
        self.fits(copied)
    }

    fn make_area(&mut self, size: u64) -> ObjectId {
        let function = self.code.function;
        let birth = Birth {
            kind: ObjectKind::Variadic(function),
            size,
            align: 16,
            life: Life::Live,
            made_at: self.program.functions[function].span,
            made_in: Some(function),
        };
        let id = self.memory.make(birth);
        self.stack_objects.push((id, false));
        id
    }

    /// The next argument of a `va_list`, which moves on.
    pub(crate) fn next_of_list(
        &mut self,
        source: &mut ArgSource,
        ty: Type,
        obligation: Option<ObligationId>,
    ) -> Res<Value<M::Int>> {
        match source {
            ArgSource::Call(_) => self.unknown("a va_list is asked for where there is none"),
            ArgSource::Area(area) => {
                let size = self.memory.store_size(ty);
                let (id, offset) = self.access(*area, size, false, obligation)?;
                *area = area.map(|area| self.moved(area, size.next_multiple_of(4) as i64));
                self.load_at(id, offset, ty)
            }
            ArgSource::List(list) => {
                let (list, at) = self.access(*list, LIST_LP64, true, obligation)?;
                let (id, offset) = self.next_lp64((list, at), ty, obligation)?;
                self.load_at(id, offset, ty)
            }
        }
    }

    /// Where the next argument of an x86-64 `va_list` stands, which moves on.
    fn next_lp64(
        &mut self,
        (list, at): (ObjectId, u64),
        ty: Type,
        obligation: Option<ObligationId>,
    ) -> Res<(ObjectId, u64)> {
        let float = matches!(ty, Type::F32 | Type::F64);
        let (field, step, end) = if float { (at + 4, 16, SAVE_AREA) } else { (at, 8, FLOAT_SLOTS) };
        let used = self.load_at(list, field, Type::Int(32))?;
        let used = self.raw_bits(used, Type::Int(32))? as u64;
        let size = self.memory.store_size(ty);
        if used + step <= end {
            let next = Value::Int(M::from_bits(32, (used + step).into()));
            self.store_at(list, field, next, Type::Int(32))?;
            let area = self.load_at(list, at + 16, Type::Ptr)?;
            let area = self.force_pointer(area)?.map(|area| self.moved(area, used as i64));
            return self.access(area, size, false, obligation);
        }
        let area = self.load_at(list, at + 8, Type::Ptr)?;
        let area = self.force_pointer(area)?;
        let found = self.access(area, size, false, obligation)?;
        if let Some(area) = area {
            self.store_at(list, at + 8, Value::Ptr(self.moved(area, 8)), Type::Ptr)?;
        }
        Ok(found)
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
