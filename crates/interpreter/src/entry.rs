//! How the entry function gets its arguments. `main`'s are decided as late as possible: a program that takes `argc` and `argv`
//! and ignores them makes no choice. `argc` is an integer of undefined bytes that are chosen together; `argv` and its strings are
//! objects whose size and content are chosen at the first access.

use belay_base::Span;
use belay_ir::Type;

use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{LazyCount, Res, Run};
use crate::sources::input_range;
use crate::value::{Byte, ObjectId, Pointer, Value};
use belay_rules::{Choice, EntryPointer, RequestKind};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// The arguments of the entry function.
    pub(crate) fn entry_arguments(&mut self) -> Res<Vec<Value<M::Int>>> {
        let function = &self.program.functions[self.config.entry];
        let types: Vec<Type> = function.params.iter().map(|param| param.ty).collect();
        match (function.name.as_str(), types.as_slice()) {
            ("main", []) => Ok(Vec::new()),
            ("main", [Type::Int(32)]) => Ok(vec![self.lazy_argc(4)]),
            ("main", [Type::Int(32), Type::Ptr]) => Ok(vec![self.lazy_argc(4), self.lazy_argv()]),
            ("main", [Type::Int(32), Type::Ptr, Type::Ptr]) => {
                Ok(vec![self.lazy_argc(4), self.lazy_argv(), self.environment()?])
            }
            _ => (0..types.len()).map(|index| self.entry_argument(index)).collect(),
        }
    }

    fn lazy_argc(&mut self, len: u64) -> Value<M::Int> {
        let first = self.memory.fresh_tokens(len);
        self.argument_count = Some(LazyCount { first, len, chosen: None });
        Value::Raw((0..len).map(|at| Byte::Undef(first + at)).collect())
    }

    fn lazy_object(&mut self, kind: ObjectKind, align: u64) -> ObjectId {
        self.memory.make(Birth { kind, size: 0, align, life: Life::Lazy, made_at: Span::NONE, made_in: None })
    }

    fn lazy_argv(&mut self) -> Value<M::Int> {
        let id = self.lazy_object(ObjectKind::Arguments, self.memory.pointer_bytes);
        Value::Ptr(Pointer::Object { id, offset: 0 })
    }

    /// The environment is empty: nothing says what is in it, and a program that looks has no verdict.
    fn environment(&mut self) -> Res<Value<M::Int>> {
        let birth = Birth {
            kind: ObjectKind::Arguments,
            size: 0,
            align: self.memory.pointer_bytes,
            life: Life::Sizeless,
            made_at: Span::NONE,
            made_in: None,
        };
        let id = self.memory.make(birth);
        Ok(Value::Ptr(Pointer::Object { id, offset: 0 }))
    }

    fn entry_argument(&mut self, index: usize) -> Res<Value<M::Int>> {
        let param = &self.program.functions[self.config.entry].params[index];
        let name = Some(param.name.clone());
        if param.byval.is_some() {
            return self.unknown(format!("what the entry function's parameter {} is, is not given", param.name));
        }
        if param.ty != Type::Ptr {
            return self.input(param.ty, name);
        }
        let given = self.config.entry_pointers.iter().find(|(at, _)| *at as usize == index);
        let id = match given {
            Some((_, EntryPointer::String)) => self.lazy_object(ObjectKind::EntryArgument(index as u32), 1),
            Some((_, EntryPointer::Bytes(size))) => self.memory.make(Birth {
                kind: ObjectKind::EntryArgument(index as u32),
                size: *size,
                align: self.program.layout.block_align,
                life: Life::Live,
                made_at: self.program.functions[self.config.entry].span,
                made_in: None,
            }),
            None => {
                return self
                    .unknown(format!("what the entry function's parameter {} points to, is not given", param.name));
            }
        };
        Ok(Value::Ptr(Pointer::Object { id, offset: 0 }))
    }

    /// An input of a type.
    pub(crate) fn input(&mut self, ty: Type, name: Option<String>) -> Res<Value<M::Int>> {
        let asked = if ty == Type::Ptr { self.program.layout.address_type() } else { ty };
        let range = input_range(asked, name.as_deref().unwrap_or_default());
        match self.choose(RequestKind::Input { ty: asked, range }, name)? {
            Choice::Input(scalar) => match (Self::value_of(&scalar), ty) {
                (Value::Int(int), Type::Ptr) => {
                    let address = M::bits(self.address_width(), &int).unwrap_or_default();
                    Ok(Value::Ptr(self.place_at(address as u64)))
                }
                (value, _) => Ok(value),
            },
            Choice::Undefined(_)
            | Choice::Address(_)
            | Choice::AllocFails(_)
            | Choice::Arbitrary(_)
            | Choice::ArgCount(_)
            | Choice::ArgString(_) => self.unknown("a choice of another kind"),
        }
    }

    /// `argc`.
    pub(crate) fn choose_argument_count(&mut self) -> Res<u32> {
        let Some(count) = self.argument_count else { return Ok(1) };
        if let Some(chosen) = count.chosen {
            return Ok(chosen);
        }
        let least = self.config.least_arguments;
        let Choice::ArgCount(chosen) = self.choose(RequestKind::ArgCount { least }, Some("argc".into()))? else {
            return self.unknown("a choice of another kind");
        };
        if i32::try_from(chosen).is_err() {
            return self.unknown("argc does not fit an int");
        }
        self.argument_count = Some(LazyCount { chosen: Some(chosen), ..count });
        for (at, byte) in (0..count.len).zip(chosen.to_le_bytes()) {
            self.memory.chosen.insert(count.first + at, byte);
        }
        Ok(chosen)
    }

    /// Decides the size and content of an object that was left open.
    pub(crate) fn settle(&mut self, id: ObjectId) -> Res<()> {
        if self.memory.object(id).life != Life::Lazy {
            return Ok(());
        }
        match self.memory.object(id).kind {
            ObjectKind::Arguments => self.settle_arguments(id),
            ObjectKind::ArgumentString(index) => self.settle_string(id, index, None),
            ObjectKind::EntryArgument(index) => {
                let params = &self.program.functions[self.config.entry].params;
                let name = params.get(index as usize).map(|param| param.name.clone());
                self.settle_string(id, index, name)
            }
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Stack(..)
            | ObjectKind::ByValue(..)
            | ObjectKind::Variadic(_)
            | ObjectKind::Heap(_) => Ok(()),
        }
    }

    fn settle_arguments(&mut self, id: ObjectId) -> Res<()> {
        let count = self.choose_argument_count()?;
        let pointer_bytes = self.memory.pointer_bytes;
        let size = (u64::from(count) + 1) * pointer_bytes;
        if size > self.config.memory_limit / 64 {
            return self.unknown("more arguments than Belay's limit on memory allows");
        }
        self.memory.resize_lazy(id, size);
        for index in 0..count {
            let string = self.lazy_object(ObjectKind::ArgumentString(index), 1);
            let special = Special::Ptr(Pointer::Object { id: string, offset: 0 }, pointer_bytes as u8);
            let stored = self.memory.store_special(id, u64::from(index) * pointer_bytes, special);
            self.fits(stored)?;
        }
        let stored = self.memory.store(id, u64::from(count) * pointer_bytes, pointer_bytes, 0);
        self.fits(stored)
    }

    fn settle_string(&mut self, id: ObjectId, index: u32, name: Option<String>) -> Res<()> {
        let Choice::ArgString(mut bytes) = self.choose(RequestKind::ArgString { index }, name)? else {
            return self.unknown("a choice of another kind");
        };
        bytes.push(0);
        self.memory.resize_lazy(id, bytes.len() as u64);
        let stored = self.memory.store_slice(id, 0, &bytes);
        self.fits(stored)
    }
}
