//! Variadic arguments: `va_start` lays them out in objects of the frame, as the interpreter does; clang's code for `va_arg` reads them
//! there. Each `va_start` makes objects of its own: they hold the same, and no program can tell.

use std::rc::Rc;

use belay_ir::{DataModel, ObligationId, Operand, Type};

use super::access::{Access, Place};
use super::execution::Execution;
use super::object::{Object, ObjectId};
use super::state::State;
use super::value::{Base, Value};
use belay_invariants::ObjectKind;
use belay_rules::calling::{Layout, NO_FLOATS, NO_GENERAL, list_size};

/// An argument that goes through `...`.
#[derive(Clone, Copy, Debug)]
pub struct Extra {
    /// Its value; of a struct the address of a copy.
    pub value: Value,
    /// Its type.
    pub ty: Type,
    /// Of a struct: its size and alignment.
    pub of: Option<(u64, u32)>,
}

impl Execution<'_, '_> {
    /// `va_start`.
    pub(super) fn va_start(&mut self, state: &mut State, list: Operand, obligation: ObligationId) {
        let Some(args) = self.frames.last().map(|frame| Rc::clone(&frame.variadic)) else { return };
        let model = self.store.program.layout.model;
        let mut layout = Layout::new(model);
        let places: Vec<u64> =
            args.iter().map(|arg| layout.next(arg.ty, self.store.program.layout.store_size(arg.ty), arg.of)).collect();
        let area = self.area(state, layout.size);
        let (always, zero) = (self.store.terms.boolean(true), self.store.address_number(0));
        for (arg, place) in args.iter().zip(places) {
            let Some((size, _)) = arg.of else {
                self.put(state, &[Place { guard: always, object: area, offset: zero }], place, arg.value, arg.ty);
                continue;
            };
            let (from, len) = (self.store.as_pointer(arg.value), self.store.address_number(size));
            let place = self.store.address_number(place);
            let to = self.store.pointers.single(&mut self.store.terms, Base::Object(area), place);
            self.copy_block(state, (to, from, len), true, None);
        }
        let pointer = self.pointer(state, list);
        let len = self.store.address_number(list_size(model));
        let lists = self.access(state, pointer, Access { len, write: true, obligation: Some(obligation) });
        let area = Value::Ptr(self.store.pointer_to(area));
        if model == DataModel::Ilp32 {
            return self.put(state, &lists, 0, area, Type::Ptr);
        }
        for (at, offset) in [(0, NO_GENERAL), (4, NO_FLOATS)] {
            let offset = Value::Bits(self.store.terms.number(32, offset.into()));
            self.put(state, &lists, at, offset, Type::Int(32));
        }
        self.put(state, &lists, 8, area, Type::Ptr);
    }

    /// `va_copy`.
    pub(super) fn va_copy(&mut self, state: &mut State, dst: Operand, src: Operand, obligation: ObligationId) {
        let (dst, src) = (self.pointer(state, dst), self.pointer(state, src));
        let len = self.store.address_number(list_size(self.store.program.layout.model));
        self.copy_block(state, (dst, src, len), true, Some(obligation));
    }

    /// An object of the frame that no name in the program stands for.
    fn area(&mut self, state: &mut State, size: u64) -> ObjectId {
        let size = Some(self.store.address_number(size));
        let object = Object { kind: ObjectKind::Stack, size, align: 16, constant: false, span: self.at.span };
        let id = self.make_object(state, object, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.objects.push(id);
        }
        id
    }

    /// Writes a value some bytes after places whose access was checked.
    fn put(&mut self, state: &mut State, places: &[Place], after: u64, value: Value, ty: Type) {
        let size = self.store.program.layout.store_size(ty);
        let value = match value {
            Value::Bits(bits) => Value::Bits(self.store.fit_width(bits, 8 * size as u32)),
            Value::Ptr(_) | Value::Addr(_) => value,
        };
        self.update(state, places, |encoder, living, place| {
            let after = encoder.store.address_number(after);
            let offset = encoder.store.terms.add(place.offset, after);
            encoder.written(living.version, offset, value, size as u32)
        });
    }
}
