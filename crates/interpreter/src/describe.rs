//! Objects and values, described for people and observers.

use belay_ir::Type;

use crate::integers::Integers;
use crate::memory::Life;
use crate::observer::{Event, Observer, Shown};
use crate::report::{EndedBy, ObjectInfo, ObjectKind};
use crate::run::Run;
use crate::value::{ObjectId, Pointer, Value};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// An object, described for people.
    pub(crate) fn describe(&self, id: ObjectId) -> ObjectInfo {
        let object = self.memory.object(id);
        let sizeless = matches!(object.life, Life::Sizeless | Life::Lazy);
        ObjectInfo {
            kind: object.kind,
            name: self.object_name(object.kind),
            size: (!sizeless).then(|| object.contents.size()),
            made_at: object.made_at,
            ended: object.ended.or_else(|| (object.life == Life::Unborn).then_some((EndedBy::Unborn, object.made_at))),
            made_in: object.made_in,
        }
    }

    fn object_name(&self, kind: ObjectKind) -> Option<String> {
        let functions = &self.program.functions;
        match kind {
            ObjectKind::Global(id) => Some(self.program.globals[id].name.clone()),
            ObjectKind::Function(id) => Some(functions[id].name.clone()),
            ObjectKind::Stack(function, inst) => {
                let local = functions[function].locals.iter().find(|local| local.alloca == Some(inst));
                local.map(|local| local.name.clone())
            }
            ObjectKind::ByValue(function, param) => {
                functions[function].params.get(param as usize).map(|param| param.name.clone())
            }
            ObjectKind::EntryArgument(param) => {
                functions[self.config.entry].params.get(param as usize).map(|param| param.name.clone())
            }
            ObjectKind::Variadic(_) | ObjectKind::Heap(_) => None,
            ObjectKind::Arguments => Some("argv".into()),
            ObjectKind::ArgumentString(index) => Some(format!("argv[{index}]")),
        }
    }

    /// A value as observers see it.
    pub(crate) fn show(&self, value: &Value<M::Int>, ty: Type) -> Shown {
        match value {
            Value::Int(int) => {
                let width = ty.int_width().unwrap_or(64);
                Shown::Int(width, M::signed(width, int))
            }
            Value::F32(value) => Shown::F32(*value),
            Value::F64(value) => Shown::F64(*value),
            Value::Ptr(Pointer::Bare(0)) => Shown::Null,
            Value::Ptr(Pointer::Bare(address)) | Value::Addr(Pointer::Bare(address)) => Shown::Address(*address),
            Value::Ptr(Pointer::Object { id, offset }) | Value::Addr(Pointer::Object { id, offset }) => {
                Shown::Place(self.describe(*id), *offset)
            }
            Value::Ptr(Pointer::Mark(_))
            | Value::Addr(Pointer::Mark(_))
            | Value::Raw(_)
            | Value::Bits(_)
            | Value::Undef(_) => Shown::Undefined,
        }
    }

    /// Tells the observer.
    pub(crate) fn tell(&mut self, event: Event) {
        let (span, depth) = (self.span(), self.frames.len());
        self.observer.event(span, depth, event);
    }
}
