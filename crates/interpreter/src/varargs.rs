//! Variadic arguments: `va_start` lays them out in memory as `calling` says, `va_copy` copies a list.

use belay_ir::{DataModel, ObligationId, Type};

use crate::code::Slot;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{Res, Run, Variadic};
use crate::value::{ObjectId, Pointer, Value};
use belay_rules::calling::{LIST_LP64, Layout, NO_FLOATS, NO_GENERAL, list_size};

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
        let model = self.program.layout.model;
        let (id, at) = self.access(pointer, list_size(model), true, Some(obligation))?;
        let area = Value::Ptr(Pointer::Object { id: self.area()?, offset: 0 });
        if model == DataModel::Ilp32 {
            return self.store_at(id, at, area, Type::Ptr);
        }
        let offset = |value: u32| Value::Int(M::from_bits(32, value.into()));
        self.store_at(id, at, offset(NO_GENERAL), Type::Int(32))?;
        self.store_at(id, at + 4, offset(NO_FLOATS), Type::Int(32))?;
        self.store_at(id, at + 8, area, Type::Ptr)
    }

    /// `va_copy`.
    pub(crate) fn va_copy(&mut self, dst: Slot, src: Slot, obligation: ObligationId) -> Res<()> {
        let (dst, src, size) = (self.pointer(dst)?, self.pointer(src)?, list_size(self.program.layout.model));
        let from = self.access(src, size, false, Some(obligation))?;
        let to = self.access(dst, size, true, Some(obligation))?;
        let copied = self.memory.copy(to, from, size);
        self.fits(copied)
    }

    /// The area with the frame's variadic arguments, made at the first `va_start`.
    fn area(&mut self) -> Res<ObjectId> {
        let Some(variadic) = self.frames.last().and_then(|frame| frame.variadic.as_ref()) else {
            return self.unknown("va_start in a function without variadic arguments");
        };
        if let Some(area) = variadic.area {
            return Ok(area);
        }
        let args = variadic.args.clone();
        let mut layout = Layout::new(self.program.layout.model);
        let places: Vec<u64> =
            args.iter().map(|arg| layout.next(arg.ty, self.memory.store_size(arg.ty), arg.byval)).collect();
        let area = self.make_area(layout.size);
        for (arg, place) in args.into_iter().zip(places) {
            self.put_argument(area, place, arg)?;
        }
        if let Some(variadic) = self.frames.last_mut().and_then(|frame| frame.variadic.as_mut()) {
            variadic.area = Some(area);
        }
        Ok(area)
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
                *area = area.map(|area| self.move_pointer(area, size.next_multiple_of(4) as i64));
                self.load_at(id, offset, ty)
            }
            ArgSource::List(list) => {
                let (list, at) = self.access(*list, LIST_LP64, true, obligation)?;
                let (id, offset) = self.next_lp64((list, at), ty, obligation)?;
                self.load_at(id, offset, ty)
            }
        }
    }

    /// Where the next argument of an x86-64 `va_list` stands, which moves on: no argument stands in a register.
    fn next_lp64(
        &mut self,
        (list, at): (ObjectId, u64),
        ty: Type,
        obligation: Option<ObligationId>,
    ) -> Res<(ObjectId, u64)> {
        let size = self.memory.store_size(ty);
        let area = self.load_at(list, at + 8, Type::Ptr)?;
        let area = self.force_pointer(area)?;
        let found = self.access(area, size, false, obligation)?;
        if let Some(area) = area {
            self.store_at(list, at + 8, Value::Ptr(self.move_pointer(area, 8)), Type::Ptr)?;
        }
        Ok(found)
    }
}
