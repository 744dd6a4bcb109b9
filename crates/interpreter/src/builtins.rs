//! Library functions whose meaning is built in.

use belay_ir::{Builtin, FuncId, ObligationId, Type};

use crate::code::CallSite;
use crate::integers::Integers;
use crate::memory::Life;
use crate::observer::Observer;
use crate::report::{Fault, ObjectKind, RunEnd};
use crate::run::{Res, Run, Stop};
use crate::value::{ObjectId, Pointer, Value};

impl<'i, M: Integers, O: Observer> Run<'i, M, O> {
    /// Calls a built-in function.
    pub(crate) fn builtin(&mut self, builtin: Builtin, id: FuncId, site: &'i CallSite) -> Res<()> {
        let value = match builtin {
            Builtin::Malloc => self.malloc(site)?,
            Builtin::Calloc => self.calloc(site)?,
            Builtin::Realloc => self.realloc(site)?,
            Builtin::AlignedBlock => self.aligned_block(site)?,
            Builtin::Free => return self.free(site),
            Builtin::Strlen => self.strlen(site)?,
            Builtin::Abort => return Err(Box::new(Stop::End(RunEnd::Aborted))),
            Builtin::Exit => return Err(Box::new(Stop::Exit(self.status(site)))),
            Builtin::ExitNow => return Err(Box::new(Stop::End(RunEnd::Exited(self.status(site))))),
            Builtin::AssertFail => return self.violate(site.obligation, Fault::Assertion),
            Builtin::ErrorCall => return self.violate(site.obligation, Fault::ErrorCall),
            Builtin::Assert => return self.assert(site),
            Builtin::Assume => return self.assume(site),
            Builtin::Nondet => return self.nondet(id, site),
            Builtin::Printf
            | Builtin::Fprintf
            | Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf
            | Builtin::Puts
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Perror => self.print(builtin, site)?,
            Builtin::Sqrt => {
                self.expect_type(site, 0, Type::F64)?;
                Value::F64(self.f64(site.args[0])?.sqrt())
            }
            Builtin::Sqrtf => {
                self.expect_type(site, 0, Type::F32)?;
                Value::F32(self.f32(site.args[0])?.sqrt())
            }
            Builtin::Precondition => return self.precondition(site),
            Builtin::SameObject => self.same_object(site)?,
            Builtin::ObjectSize => self.object_size(site)?,
            Builtin::Readable => self.is_accessible(site, false)?,
            Builtin::Writable => self.is_accessible(site, true)?,
            Builtin::WholeSize => self.whole_size(site)?,
            Builtin::PointerOffset => self.pointer_offset(site)?,
            Builtin::IsHeapBlock => self.is_heap_block(site)?,
            Builtin::Foreign => return self.make_foreign(site),
            Builtin::Approximate => return self.approximate(site),
        };
        self.give(site, value)
    }

    /// Gives a call its one result.
    pub(crate) fn give(&mut self, site: &CallSite, value: Value<M::Int>) -> Res<()> {
        for result in &site.results {
            let fitting = match (&value, result.ty) {
                (Value::Int(_), Type::Int(_)) | (Value::F32(_), Type::F32) | (Value::F64(_), Type::F64) => true,
                (Value::Ptr(_), Type::Ptr) => true,
                (Value::Raw(bytes), ty) => bytes.len() as u64 == self.memory.store_size(ty),
                (
                    Value::Int(_)
                    | Value::F32(_)
                    | Value::F64(_)
                    | Value::Ptr(_)
                    | Value::Addr(_)
                    | Value::Bits(_)
                    | Value::Undef(_),
                    _,
                ) => false,
            };
            if !fitting {
                return self.unknown("a library function is called as if it returned another type");
            }
            self.set(result.dst, value.clone());
        }
        Ok(())
    }

    /// Gives an integer result of the type that the call expects.
    pub(crate) fn int_result(&self, site: &CallSite, value: u64) -> Value<M::Int> {
        let width = site.results.first().and_then(|result| result.ty.int_width()).unwrap_or(64);
        Value::Int(M::from_bits(width, value.into()))
    }

    pub(crate) fn expect_type(&self, site: &CallSite, index: usize, ty: Type) -> Res<()> {
        if site.types.get(index) == Some(&ty) {
            return Ok(());
        }
        self.unknown("a library function is called with other arguments than it is declared with")
    }

    fn status(&self, site: &CallSite) -> Option<dashu::integer::IBig> {
        let (slot, ty) = (site.args.first()?, site.types.first()?);
        match self.get(*slot) {
            Value::Int(status) => Some(M::signed(ty.int_width()?, status)),
            Value::F32(_)
            | Value::F64(_)
            | Value::Ptr(_)
            | Value::Addr(_)
            | Value::Raw(_)
            | Value::Bits(_)
            | Value::Undef(_) => None,
        }
    }

    /// Whether the first argument, a number or pointer, is not 0.
    fn condition(&mut self, site: &CallSite) -> Res<bool> {
        match (site.args.first(), site.types.first()) {
            (Some(slot), Some(Type::Int(width))) => {
                let int = self.int(*slot, *width)?;
                Ok(!M::is_zero(&int))
            }
            (Some(slot), Some(Type::Ptr)) => {
                let pointer = self.choose_pointer(*slot)?;
                self.compare_places(belay_ir::IntPredicate::Ne, pointer, Pointer::NULL)
            }
            (Some(_), Some(Type::F32 | Type::F64)) | (None, _) | (_, None) => {
                self.unknown("a library function is called with other arguments than it is declared with")
            }
        }
    }

    fn assert(&mut self, site: &CallSite) -> Res<()> {
        if self.condition(site)? { Ok(()) } else { self.violate(site.obligation, Fault::Assertion) }
    }

    fn assume(&mut self, site: &CallSite) -> Res<()> {
        if self.condition(site)? { Ok(()) } else { Err(Box::new(Stop::End(RunEnd::AssumptionFailed))) }
    }

    fn nondet(&mut self, id: FuncId, site: &CallSite) -> Res<()> {
        let name = &self.program.functions[id].name;
        for result in &site.results {
            let value = self.input(result.ty, Some(name.clone()))?;
            self.set(result.dst, value);
        }
        Ok(())
    }

    fn precondition(&mut self, site: &CallSite) -> Res<()> {
        if self.condition(site)? {
            return Ok(());
        }
        let what = match self.pointer_arg(site, 1) {
            Ok(pointer) => self.text_at(pointer),
            Err(_) => None,
        };
        self.violate(site.obligation, Fault::Precondition(what))
    }

    fn approximate(&mut self, site: &CallSite) -> Res<()> {
        let what = self.pointer_arg(site, 0).ok().and_then(|pointer| self.text_at(pointer));
        match what.as_deref() {
            // A sentence of its own, or the name of a function.
            Some(what) if what.contains(' ') => self.unknown(what.to_owned()),
            what => {
                self.unknown(format!("only bounds of the result of {} are known", what.unwrap_or("a library function")))
            }
        }
    }

    /// A string in memory, as far as it can be read without deciding anything.
    fn text_at(&self, pointer: Option<Pointer>) -> Option<String> {
        let Some(Pointer::Object { id, offset }) = pointer else { return None };
        let contents = &self.memory.object(id).contents;
        let mut text = Vec::new();
        for at in offset as u64..contents.size() {
            match contents.byte_at(at) {
                crate::value::Byte::Known(0) => return Some(String::from_utf8_lossy(&text).into_owned()),
                crate::value::Byte::Known(byte) => text.push(byte),
                crate::value::Byte::Undef(_)
                | crate::value::Byte::Part { .. }
                | crate::value::Byte::Frag(..)
                | crate::value::Byte::Torn => return None,
            }
        }
        None
    }

    fn strlen(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let pointer = self.pointer_arg(site, 0)?;
        let bytes = self.read_string(pointer, None, site.obligation)?;
        Ok(self.int_result(site, bytes.len() as u64))
    }

    /// The bytes of a string before its terminating 0, at most `limit` of them. Each byte read must be valid.
    pub(crate) fn read_string(
        &mut self,
        pointer: Option<Pointer>,
        limit: Option<u64>,
        obligation: Option<ObligationId>,
    ) -> Res<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut at = pointer;
        while limit.is_none_or(|limit| (bytes.len() as u64) < limit) {
            let (id, offset) = self.access(at, 1, false, obligation)?;
            let byte = self.memory.object(id).contents.byte_at(offset);
            match self.byte_value(byte)? {
                0 => break,
                byte => bytes.push(byte),
            }
            at = at.map(|at| self.move_pointer(at, 1));
        }
        self.count(bytes.len() as u64 / 4)?;
        Ok(bytes)
    }

    fn same_object(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let (a, b) = (self.pointer_arg(site, 0)?, self.pointer_arg(site, 1)?);
        let same = match (a, b) {
            (Some(Pointer::Object { id: a, .. }), Some(Pointer::Object { id: b, .. })) => a == b,
            (None, _) | (_, None) => return self.unknown("a question about a pointer that is not set"),
            (Some(_), Some(_)) => false,
        };
        Ok(self.int_result(site, same.into()))
    }

    /// Whether an access would be valid. What CBMC says of no bytes at an invalid place is not known.
    fn is_accessible(&mut self, site: &CallSite, write: bool) -> Res<Value<M::Int>> {
        let pointer = self.pointer_arg(site, 0)?;
        let len = self.size_arg(site, 1)?;
        let place = match pointer {
            Some(Pointer::Bare(address)) if address != 0 => Some(self.place_at(address)),
            other => other,
        };
        let valid = match place {
            Some(Pointer::Object { id, offset }) => {
                self.make_whole(id)?;
                let object = self.memory.object(id);
                let size = object.contents.size();
                let inside = len <= size && offset as u64 <= size - len;
                matches!(object.life, Life::Live | Life::Foreign) && inside && !(write && object.constant)
            }
            Some(Pointer::Bare(_)) => false,
            Some(Pointer::Mark(_)) | None => return self.unknown("a question about a pointer that is not set"),
        };
        if len == 0 && !valid {
            return self.unknown("whether no bytes at an invalid place may be accessed");
        }
        Ok(self.int_result(site, valid.into()))
    }

    fn whole_size(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        match self.pointer_arg(site, 0)? {
            Some(Pointer::Object { id, .. }) => {
                self.make_whole(id)?;
                Ok(self.int_result(site, self.memory.object(id).contents.size()))
            }
            Some(Pointer::Bare(_) | Pointer::Mark(_)) | None => {
                self.unknown("the size of the object of a pointer that points to none")
            }
        }
    }

    fn pointer_offset(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        match self.pointer_arg(site, 0)? {
            Some(Pointer::Object { offset, .. }) => Ok(self.int_result(site, offset as u64)),
            Some(Pointer::Bare(0)) => Ok(self.int_result(site, 0)),
            Some(Pointer::Bare(_) | Pointer::Mark(_)) | None => {
                self.unknown("the offset of a pointer that points to no object")
            }
        }
    }

    fn is_heap_block(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        match self.pointer_arg(site, 0)? {
            Some(Pointer::Object { id, .. }) => {
                let is_heap = matches!(self.memory.object(id).kind, ObjectKind::Heap(_));
                Ok(self.int_result(site, is_heap.into()))
            }
            Some(Pointer::Bare(0)) => Ok(self.int_result(site, 0)),
            Some(Pointer::Bare(_) | Pointer::Mark(_)) | None => {
                self.unknown("a question about a pointer that points to no object")
            }
        }
    }

    fn make_foreign(&mut self, site: &CallSite) -> Res<()> {
        if let Some(Pointer::Object { id, .. }) = self.pointer_arg(site, 0)?
            && self.memory.object(id).life == Life::Live
        {
            self.memory.object_mut(id).life = Life::Foreign;
        }
        Ok(())
    }

    /// An object whose size is asked for has one.
    fn make_whole(&mut self, id: ObjectId) -> Res<()> {
        match self.memory.object(id).life {
            Life::Lazy => self.settle(id),
            Life::Sizeless => self.unknown("the size of an object that the program does not give"),
            Life::Live | Life::Dead | Life::Unborn | Life::Foreign => Ok(()),
        }
    }

    fn object_size(&mut self, site: &CallSite) -> Res<Value<M::Int>> {
        let pointer = self.pointer_arg(site, 0)?;
        let (id, offset) = self.access(pointer, 0, false, site.obligation)?;
        Ok(self.int_result(site, self.memory.object(id).contents.size() - offset))
    }
}
