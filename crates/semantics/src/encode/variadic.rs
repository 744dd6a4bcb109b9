//! Variadic arguments: `va_start` lays them out in objects of the frame, as the interpreter does; clang's code for `va_arg` reads them
//! there. Each `va_start` makes objects of its own: they hold the same, and no program can tell.

use belay_ir::{ObligationId, Operand, Type};

use super::Encoder;
use super::access::{Access, Place};
use super::object::{Object, ObjectId, ObjectKind};
use super::state::State;
use super::value::Value;
use crate::calling::{FLOAT_SLOTS, Home, Layout, SAVE_AREA, has_save_area, list_size};

impl Encoder<'_> {
    /// `va_start`.
    pub(super) fn va_start(&mut self, state: &mut State, list: Operand, obligation: ObligationId) {
        let Some(frame) = self.frames.last() else { return };
        let (function, args) = (frame.function, frame.variadic.clone());
        let model = self.program.layout.model;
        let start = Layout::after_named(model, &self.program.functions[function].params);
        let mut layout = start;
        let homes: Vec<Home> = args
            .iter()
            .map(|(_, ty)| layout.next(model, *ty, None, self.program.layout.store_size(*ty)))
            .collect();
        let save = has_save_area(model).then(|| self.area(state, SAVE_AREA));
        let overflow = self.area(state, layout.stack);
        for ((value, ty), home) in args.iter().zip(homes) {
            let (object, offset) = match (home, save) {
                (Home::Register(offset), Some(save)) => (save, offset),
                (Home::Register(offset) | Home::Stack(offset), _) => (overflow, offset),
            };
            let here = self.terms.boolean(true);
            let start = self.address_number(0);
            self.put(state, &[Place { guard: here, object, offset: start }], offset, *value, *ty);
        }
        let pointer = self.pointer(state, list);
        let len = self.address_number(list_size(model));
        let places = self.access(state, pointer, Access { len, write: true, obligation: Some(obligation) });
        let overflow = Value::Ptr(self.pointer_to(overflow));
        let Some(save) = save else { return self.put(state, &places, 0, overflow, Type::Ptr) };
        let general = self.terms.number(32, (8 * start.general).into());
        let floats = self.terms.number(32, (FLOAT_SLOTS + 16 * start.floats).into());
        self.put(state, &places, 0, Value::Bits(general), Type::Int(32));
        self.put(state, &places, 4, Value::Bits(floats), Type::Int(32));
        self.put(state, &places, 8, overflow, Type::Ptr);
        let save = Value::Ptr(self.pointer_to(save));
        self.put(state, &places, 16, save, Type::Ptr);
    }

    /// `va_copy`.
    pub(super) fn va_copy(&mut self, state: &mut State, dst: Operand, src: Operand, obligation: ObligationId) {
        let (dst, src) = (self.pointer(state, dst), self.pointer(state, src));
        let len = self.address_number(list_size(self.program.layout.model));
        self.copy_block(state, (dst, src, len), true, Some(obligation));
    }

    /// An object of the frame that no name in the program stands for.
    fn area(&mut self, state: &mut State, size: u64) -> ObjectId {
        let size = Some(self.address_number(size));
        let object = Object { kind: ObjectKind::Stack, size, align: 16, constant: false, span: self.span };
        let id = self.make_object(state, object, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.objects.push(id);
        }
        id
    }

    /// Writes a value some bytes after places whose access was checked.
    fn put(&mut self, state: &mut State, places: &[Place], after: u64, value: Value, ty: Type) {
        let size = self.program.layout.store_size(ty);
        let value = match value {
            Value::Bits(bits) => Value::Bits(self.resized(bits, 8 * size as u32)),
            Value::Ptr(_) | Value::Addr(_) => value,
        };
        self.update(state, places, |encoder, living, place| {
            let after = encoder.address_number(after);
            let offset = encoder.terms.add(place.offset, after);
            encoder.written(living.version, offset, value, size as u32)
        });
    }
}
