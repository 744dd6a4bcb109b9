//! Loads, stores and block operations, and the rule which of them are valid.

use belay_base::Span;
use belay_ir::{ObligationDetail, ObligationId, Type};

use crate::code::Slot;
use crate::contents::Special;
use crate::integers::Integers;
use crate::memory::{Birth, Life, Loaded};
use crate::observer::{Event, Observer, Target};
use crate::report::{Access, EndedBy, Fault, ObjectInfo, ObjectKind};
use crate::run::{Res, Run};
use crate::value::{Byte, ObjectId, Pointer, Value};

/// Addresses below this are reported as null.
const FIRST_PAGE: u64 = 4096;

/// Block operations count a step for so many bytes.
const BYTES_PER_STEP: u64 = 16;

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// The place of an access of `len` bytes, if it is valid; otherwise the run ends with a violation.
    #[inline]
    pub(crate) fn access(
        &mut self,
        pointer: Option<Pointer>,
        len: u64,
        write: bool,
        obligation: Option<ObligationId>,
    ) -> Res<(ObjectId, u64)> {
        if let Some(Pointer::Object { id, offset }) = pointer {
            let object = self.memory.object(id);
            let size = object.contents.size();
            let offset = offset as u64;
            if object.life == Life::Live && len <= size && offset <= size - len && !(write && object.constant) {
                return Ok((id, offset));
            }
        }
        self.access_slow(pointer, Access { len, write }, obligation)
    }

    #[cold]
    fn access_slow(
        &mut self,
        pointer: Option<Pointer>,
        access: Access,
        obligation: Option<ObligationId>,
    ) -> Res<(ObjectId, u64)> {
        match pointer {
            None => self.violate(obligation, Fault::UndefinedPointer { access }),
            Some(Pointer::Object { id, offset }) => {
                if self.memory.object(id).life == Life::Lazy {
                    self.settle(id)?;
                    return self.access(pointer, access.len, access.write, obligation);
                }
                if self.memory.object(id).life == Life::Sizeless {
                    return self.unknown("access to an object whose size the program does not give");
                }
                if self.memory.object(id).life == Life::Foreign && self.is_inside(id, offset, access) {
                    return self.access_foreign(id, offset, access);
                }
                let fault = self.fault_at(id, offset, access);
                self.violate(obligation, fault)
            }
            Some(Pointer::Bare(address)) => match self.place_at(address) {
                Pointer::Bare(_) if address < FIRST_PAGE => self.violate(obligation, Fault::Null { address, access }),
                Pointer::Bare(_) => self.violate(obligation, Fault::WildAddress { address, access }),
                found @ (Pointer::Object { .. } | Pointer::Mark(_)) => {
                    self.access(Some(found), access.len, access.write, obligation)
                }
            },
            Some(Pointer::Mark(_)) => self.unknown("access through a saved stack pointer"),
        }
    }

    fn is_inside(&self, id: ObjectId, offset: i64, access: Access) -> bool {
        let object = self.memory.object(id);
        let size = object.contents.size();
        access.len <= size && offset as u64 <= size - access.len && !(access.write && object.constant)
    }

    /// A valid access to what others may have written.
    fn access_foreign(&mut self, id: ObjectId, offset: i64, access: Access) -> Res<(ObjectId, u64)> {
        if !access.write && access.len > 0 {
            return self.unknown("what others may have written into an object is read");
        }
        let object = self.memory.object_mut(id);
        if access.write && access.len == object.contents.size() {
            object.life = Life::Live;
        }
        Ok((id, offset as u64))
    }

    fn fault_at(&self, id: ObjectId, offset: i64, access: Access) -> Fault {
        let object = self.describe(id);
        match self.memory.object(id).life {
            Life::Dead | Life::Unborn => Fault::Dangling { object, offset, access },
            Life::Live | Life::Lazy | Life::Sizeless | Life::Foreign => {
                let size = self.memory.object(id).contents.size();
                if access.len <= size && offset as u64 <= size - access.len {
                    Fault::ReadOnly { object, offset, access }
                } else {
                    Fault::OutOfBounds { object, offset, access }
                }
            }
        }
    }

    /// Reads a value.
    #[inline]
    pub(crate) fn load(&mut self, ptr: Slot, ty: Type, obligation: ObligationId) -> Res<Value<M::Int>> {
        let pointer = self.pointer(ptr)?;
        let len = self.memory.store_size(ty);
        let (id, offset) = self.access(pointer, len, false, Some(obligation))?;
        self.load_at(id, offset, ty)
    }

    /// Reads a value from a valid place.
    #[inline]
    pub(crate) fn load_at(&mut self, id: ObjectId, offset: u64, ty: Type) -> Res<Value<M::Int>> {
        let len = self.memory.store_size(ty);
        match self.memory.load(id, offset, len) {
            Loaded::Plain(bits) => Ok(self.value_of_bits(bits, ty)),
            Loaded::Ptr(pointer) if ty == Type::Ptr => Ok(Value::Ptr(pointer)),
            loaded => self.load_slow(loaded, ty),
        }
    }

    fn load_slow(&mut self, loaded: Loaded, ty: Type) -> Res<Value<M::Int>> {
        match loaded {
            Loaded::Plain(bits) => Ok(self.value_of_bits(bits, ty)),
            Loaded::Ptr(pointer) => Ok(self.value_of_pointer(pointer, ty)),
            Loaded::Cell(value, width) if ty == Type::Int(width) => Ok(Value::Int(M::from_big(width, &value))),
            Loaded::Cell(..) => self.arbitrary(ty, None),
            Loaded::Bytes(bytes) => self.value_of_bytes(bytes, ty),
        }
    }

    fn value_of_pointer(&self, pointer: Pointer, ty: Type) -> Value<M::Int> {
        match ty {
            Type::Ptr => Value::Ptr(pointer),
            Type::Int(width) if width == self.address_width() => Value::Addr(pointer),
            Type::Int(_) | Type::F32 | Type::F64 => {
                let size = self.memory.pointer_bytes as u8;
                Value::Raw((0..size).map(|at| Byte::Frag(pointer, at)).collect())
            }
        }
    }

    /// The value that bytes are: a number, a whole pointer, or the bytes themselves.
    fn value_of_bytes(&mut self, bytes: Box<[Byte]>, ty: Type) -> Res<Value<M::Int>> {
        if bytes.contains(&Byte::Torn) {
            return self.arbitrary(ty, None);
        }
        if let Some(pointer) = whole_pointer(&bytes, self.memory.pointer_bytes) {
            return Ok(self.value_of_pointer(pointer, ty));
        }
        // Chosen bytes are numbers, except in a pointer: an undefined one stays invalid.
        let known = |byte: &Byte| match byte {
            Byte::Known(byte) => Some(*byte),
            Byte::Undef(token) if ty != Type::Ptr => self.memory.chosen.get(token).copied(),
            Byte::Undef(_) | Byte::Part { .. } | Byte::Frag(..) | Byte::Torn => None,
        };
        let number = bytes.iter().rev().try_fold(0u128, |number, byte| Some(number << 8 | u128::from(known(byte)?)));
        Ok(number.map_or(Value::Raw(bytes), |bits| self.value_of_bits(bits, ty)))
    }

    /// Writes a value.
    #[inline]
    pub(crate) fn store(&mut self, ptr: Slot, value: Slot, ty: Type, obligation: ObligationId) -> Res<()> {
        let pointer = self.pointer(ptr)?;
        let len = self.memory.store_size(ty);
        let (id, offset) = self.access(pointer, len, true, Some(obligation))?;
        if O::EVENTS {
            let target = Target { object: self.describe(id), offset: offset as i64, ty };
            let shown = self.show(self.get(value), ty);
            self.tell(Event::Store { target, value: shown });
        }
        if let Value::Int(int) = self.get(value)
            && let Type::Int(width) = ty
            && let Some(bits) = M::stored_bits(width, int)
        {
            let stored = self.memory.store(id, offset, len, bits);
            return self.fits(stored);
        }
        let value = self.take(value);
        self.store_at(id, offset, value, ty)
    }

    /// Writes a value to a valid place.
    pub(crate) fn store_at(&mut self, id: ObjectId, offset: u64, value: Value<M::Int>, ty: Type) -> Res<()> {
        let len = self.memory.store_size(ty);
        let stored = match value {
            Value::Int(int) => {
                let width = ty.int_width().unwrap_or((len * 8) as u16);
                match M::stored_bits(width, &int) {
                    Some(bits) => self.memory.store(id, offset, len, bits),
                    None => {
                        let cell = Special::Cell(Box::new((M::signed(width, &int), width)), len as u8);
                        self.memory.store_special(id, offset, cell)
                    }
                }
            }
            Value::F32(value) => self.memory.store(id, offset, len, value.to_bits().into()),
            Value::F64(value) => self.memory.store(id, offset, len, value.to_bits().into()),
            Value::Ptr(Pointer::Bare(address)) | Value::Addr(Pointer::Bare(address)) => {
                self.memory.store(id, offset, len, address.into())
            }
            Value::Ptr(pointer) | Value::Addr(pointer) => {
                self.memory.store_special(id, offset, Special::Ptr(pointer, len as u8))
            }
            Value::Raw(bytes) => self.memory.store_bytes(id, offset, &bytes[..(len as usize).min(bytes.len())]),
            Value::Bits(bits) => {
                let bytes = self.bytes_of_bits(&bits)?;
                self.memory.store_bytes(id, offset, &bytes)
            }
            Value::Undef(_) => {
                let first = self.memory.fresh_tokens(len);
                self.memory.store_special(id, offset, Special::Undef(first, len))
            }
        };
        self.fits(stored)
    }

    /// Copies a block.
    pub(crate) fn mem_copy(
        &mut self,
        dst: Slot,
        src: Slot,
        len: Slot,
        overlap: bool,
        obligation: ObligationId,
    ) -> Res<()> {
        let (dst, src, len) = (self.pointer(dst)?, self.pointer(src)?, self.size(len)?);
        // Nothing is touched, whatever the pointers.
        if len == 0 {
            return Ok(());
        }
        let from = self.access(src, len, false, Some(obligation))?;
        let to = self.access(dst, len, true, Some(obligation))?;
        if !overlap && from.0 == to.0 && from.1 != to.1 && from.1.abs_diff(to.1) < len {
            let offsets = (to.1 as i64, from.1 as i64);
            let fault = Fault::Overlap { object: self.describe(from.0), offsets, len };
            return self.violate(Some(obligation), fault);
        }
        self.count(len / BYTES_PER_STEP)?;
        let copied = self.memory.copy(to, from, len);
        self.fits(copied)
    }

    /// Fills a block.
    pub(crate) fn mem_set(&mut self, dst: Slot, byte: Slot, len: Slot, obligation: ObligationId) -> Res<()> {
        let (dst, len) = (self.pointer(dst)?, self.size(len)?);
        if len == 0 {
            return Ok(());
        }
        let (id, offset) = self.access(dst, len, true, Some(obligation))?;
        self.count(len / BYTES_PER_STEP)?;
        let byte = match self.take(byte) {
            Value::Raw(bytes) if bytes.len() == 1 => bytes[0],
            value => {
                let int = self.force_int(value, 8)?;
                match M::bits(8, &int) {
                    Some(bits) => Byte::Known(bits as u8),
                    None => Byte::Torn,
                }
            }
        };
        let filled = match byte {
            Byte::Known(byte) => self.memory.fill(id, offset, len, byte),
            Byte::Undef(_) | Byte::Part { .. } | Byte::Frag(..) | Byte::Torn => {
                (0..len).try_for_each(|at| self.memory.store_bytes(id, offset + at, &[byte]))
            }
        };
        self.fits(filled)
    }

    /// A new stack object.
    pub(crate) fn alloca(&mut self, size: u64, align: u32, scoped: bool, dynamic: bool, entry: bool) -> Value<M::Int> {
        let origin = self.origin();
        let function = self.code.function;
        let inst = origin.and_then(|origin| origin.inst).unwrap_or(belay_ir::InstId(0));
        let id = self.memory.make(Birth {
            kind: ObjectKind::Stack(function, inst),
            size,
            align: align.into(),
            life: if scoped { Life::Unborn } else { Life::Live },
            made_at: origin.map_or(Span::NONE, |origin| origin.span),
            made_in: Some(function),
        });
        if !entry {
            self.stack_objects.push((id, dynamic));
        }
        Value::Ptr(Pointer::Object { id, offset: 0 })
    }

    fn alloca_in(&self, register: u32) -> Option<ObjectId> {
        match self.registers[self.base + register as usize] {
            Value::Ptr(Pointer::Object { id, .. }) => Some(id),
            _ => None,
        }
    }

    /// Begins a life. The first makes the object of the alloca live; each later one makes a new object.
    pub(crate) fn lifetime_start(&mut self, register: u32) {
        let Some(old) = self.alloca_in(register) else { return };
        if self.memory.object(old).life == Life::Unborn {
            self.memory.bear(old);
            return;
        }
        let span = self.span();
        self.memory.end(old, EndedBy::Scope, span);
        let before = self.memory.object(old);
        let birth = Birth {
            kind: before.kind,
            size: before.contents.size(),
            align: before.align,
            life: Life::Live,
            made_at: before.made_at,
            made_in: before.made_in,
        };
        let id = self.memory.make(birth);
        let first = self.frames.last().map_or(0, |frame| frame.objects);
        if let Some(entry) = self.stack_objects[first..].iter_mut().rev().find(|(listed, _)| *listed == old) {
            entry.0 = id;
        }
        self.set(register, Value::Ptr(Pointer::Object { id, offset: 0 }));
    }

    /// Ends a life.
    pub(crate) fn lifetime_end(&mut self, register: u32) {
        if let Some(id) = self.alloca_in(register)
            && self.memory.object(id).life == Life::Live
        {
            let span = self.span();
            self.memory.end(id, EndedBy::Scope, span);
        }
    }

    /// A mark for [`Run::stack_restore`].
    pub(crate) fn stack_mark(&self) -> Value<M::Int> {
        let first = self.frames.last().map_or(0, |frame| frame.objects);
        Value::Ptr(Pointer::Mark((self.stack_objects.len() - first) as u32))
    }

    /// Ends the dynamic objects of the frame made since the mark.
    pub(crate) fn stack_restore(&mut self, mark: Slot) -> Res<()> {
        let Some(Pointer::Mark(mark)) = self.pointer(mark)? else {
            return self.unknown("the stack is restored to something else than a mark");
        };
        let first = self.frames.last().map_or(0, |frame| frame.objects) + mark as usize;
        let span = self.span();
        let since = self.stack_objects.split_off(first.min(self.stack_objects.len()));
        for (id, dynamic) in since {
            if dynamic {
                self.memory.end(id, EndedBy::Scope, span);
            } else {
                self.stack_objects.push((id, false));
            }
        }
        Ok(())
    }

    /// Records a failed check; the run goes on if SOUNDNESS says so.
    #[cold]
    pub(crate) fn check_failed(&mut self, obligation: ObligationId) -> Res<()> {
        let entry = &self.program.obligations[obligation];
        if M::UNBOUNDED && entry.property == belay_ir::Property::NoOverflow {
            return Ok(());
        }
        let fault = match &entry.detail {
            ObligationDetail::SignedAdd
            | ObligationDetail::SignedSub
            | ObligationDetail::SignedMul
            | ObligationDetail::SignedNeg
            | ObligationDetail::SignedShl
            | ObligationDetail::OfUnknownSign
            | ObligationDetail::DivisionOverflow => Fault::Overflow(self.find_checked_operands()),
            ObligationDetail::Shift => Fault::Shift(self.find_checked_operands()),
            ObligationDetail::FloatCast => Fault::FloatCast(self.find_checked_float()),
            ObligationDetail::DivisionByZero => Fault::DivisionByZero(self.find_checked_operands()),
            ObligationDetail::Assertion(_) => Fault::Assertion,
            ObligationDetail::ErrorCall(_) => Fault::ErrorCall,
            ObligationDetail::ErrorReached(_) => Fault::ErrorReached,
            ObligationDetail::Promise(_) | ObligationDetail::ArrayLength => Fault::Promise,
            ObligationDetail::Alignment(align) => self.misaligned(*align),
            ObligationDetail::Precondition => Fault::Precondition(None),
            ObligationDetail::Load
            | ObligationDetail::Store
            | ObligationDetail::MemCopy
            | ObligationDetail::MemSet
            | ObligationDetail::IndirectCall
            | ObligationDetail::LibraryCall(_)
            | ObligationDetail::Free => Fault::Precondition(None),
        };
        if entry.detail.ends_run() || self.config.stop_at == Some(obligation) {
            return self.violate(Some(obligation), fault);
        }
        self.record(entry.property, Some(obligation), fault);
        Ok(())
    }

    /// The object that a pointer points into, described.
    pub(crate) fn object_of(&self, pointer: Option<Pointer>) -> Option<(ObjectInfo, i64)> {
        match pointer {
            Some(Pointer::Object { id, offset }) => Some((self.describe(id), offset)),
            Some(Pointer::Bare(_) | Pointer::Mark(_)) | None => None,
        }
    }
}

/// The pointer whose bytes these are, all and in order.
fn whole_pointer(bytes: &[Byte], pointer_bytes: u64) -> Option<Pointer> {
    let Some(Byte::Frag(pointer, 0)) = bytes.first() else { return None };
    let in_order = bytes.iter().enumerate().all(|(at, byte)| *byte == Byte::Frag(*pointer, at as u8));
    (in_order && bytes.len() as u64 == pointer_bytes).then_some(*pointer)
}
