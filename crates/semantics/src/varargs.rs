//! Variadic arguments: `va_start` lays them out in memory as `calling` says, `va_copy` copies a list.

use belay_ir::{ObligationId, Type};

use crate::calling::{FLOAT_SLOTS, Home, LIST_LP64, Layout, SAVE_AREA, has_save_area, list_size};
use crate::code::Slot;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{Res, Run, Variadic};
use crate::value::{ObjectId, Pointer, Value};

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
    /// `va_start`.
    pub(crate) fn va_start(&mut self, list: Slot, obligation: ObligationId) -> Res<()> {
        let pointer = self.pointer(list)?;
        let (id, at) = self.access(pointer, list_size(self.program.layout.model), true, Some(obligation))?;
        let params = &self.program.functions[self.code.function].params;
        let start = Layout::after_named(self.program.layout.model, params);
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
        let (dst, src, size) = (self.pointer(dst)?, self.pointer(src)?, list_size(self.program.layout.model));
        let from = self.access(src, size, false, Some(obligation))?;
        let to = self.access(dst, size, true, Some(obligation))?;
        let copied = self.memory.copy(to, from, size);
        self.fits(copied)
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
            .map(|arg| layout.next(model, arg.ty, arg.byval, self.memory.store_size(arg.ty)))
            .collect();
        let save = has_save_area(model).then(|| self.make_area(SAVE_AREA));
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
