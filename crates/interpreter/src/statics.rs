//! What is there before the program starts: globals with their initial values, and functions.

use belay_base::Id;
use belay_ir::{FuncId, Global, GlobalId, Target};

use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{Res, Run};
use crate::value::{ObjectId, Pointer};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// Globals have the first object ids, functions the next.
    pub(crate) fn make_statics(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            self.make_global(id, global);
        }
        for (id, function) in self.program.functions.iter_enumerated() {
            let birth = Birth {
                kind: ObjectKind::Function(id),
                size: 0,
                align: 1,
                life: Life::Live,
                made_at: function.span,
                made_in: None,
            };
            self.memory.make(birth);
        }
    }

    fn make_global(&mut self, id: GlobalId, global: &Global) {
        let birth = Birth {
            kind: ObjectKind::Global(id),
            size: global.size.unwrap_or(0),
            align: global.align.into(),
            life: if global.size.is_some() { Life::Live } else { Life::Sizeless },
            made_at: global.span,
            made_in: None,
        };
        let object = self.memory.make(birth);
        self.memory.object_mut(object).constant = global.constant;
        if global.init.is_some() {
            self.memory.zero(object);
        }
    }

    /// Writes the initial values of globals. Failing is a matter of memory only.
    pub(crate) fn initialise_globals(&mut self) -> Res<()> {
        for (id, global) in self.program.globals.iter_enumerated() {
            let Some(init) = &global.init else { continue };
            let object = ObjectId::new(id.index());
            if !init.bytes.iter().all(|byte| *byte == 0) {
                let stored = self.memory.store_slice(object, 0, &init.bytes);
                self.fits(stored)?;
            }
            for relocation in &init.relocations {
                let pointer = self.static_pointer(relocation.target, relocation.addend);
                let special = Special::Ptr(pointer, self.memory.pointer_bytes as u8);
                let stored = self.memory.store_special(object, relocation.offset, special);
                self.fits(stored)?;
            }
        }
        Ok(())
    }

    pub(crate) fn static_pointer(&self, target: Target, offset: i64) -> Pointer {
        let id = match target {
            Target::Global(global) => ObjectId::new(global.index()),
            Target::Func(function) => self.function_object(function),
        };
        Pointer::Object { id, offset: self.memory.wrap_offset(offset) }
    }

    fn function_object(&self, function: FuncId) -> ObjectId {
        ObjectId::new(self.program.globals.len() + function.index())
    }
}
