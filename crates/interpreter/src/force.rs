//! Values that are asked for more than they show: undefined bytes, parts of pointers and addresses become numbers here, by a
//! recorded choice, the first time that a value depends on them.

use belay_base::Id;
use belay_ir::{Externs, Global, GlobalId, Type};

use crate::code::Slot;
use crate::integers::Integers;
use crate::observer::Observer;
use crate::run::{Res, Run};
use crate::value::{Bit, Byte, ObjectId, Pointer, Token, Value};
use belay_rules::{Choice, RequestKind};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// The undefined byte of this name.
    fn undefined_byte(&mut self, token: Token) -> Res<u8> {
        if let Some(byte) = self.memory.chosen.get(&token) {
            return Ok(*byte);
        }
        if let Some(count) = self.argument_count
            && (count.first..count.first + count.len).contains(&token)
        {
            let value = self.choose_argument_count()?;
            return Ok(value.to_le_bytes().get((token - count.first) as usize).copied().unwrap_or(0));
        }
        if let Some((first, base, offset)) = self.memory.derived(token) {
            let address = self.bytes_value(&base)? as u64;
            let address = self.memory.wrap(address.wrapping_add(offset as u64));
            for (index, byte) in address.to_le_bytes().iter().enumerate() {
                self.memory.chosen.insert(first + index as u64, *byte);
            }
            return Ok(address.to_le_bytes()[(token - first) as usize]);
        }
        match self.choose(RequestKind::Undefined, None)? {
            Choice::Undefined(byte) => {
                self.memory.chosen.insert(token, byte);
                Ok(byte)
            }
            Choice::Input(_)
            | Choice::Address(_)
            | Choice::AllocFails(_)
            | Choice::Arbitrary(_)
            | Choice::ArgCount(_)
            | Choice::ArgString(_) => self.unknown("a choice of another kind"),
        }
    }

    /// The number that a byte is.
    pub(crate) fn byte_value(&mut self, byte: Byte) -> Res<u8> {
        match byte {
            Byte::Known(byte) => Ok(byte),
            Byte::Undef(token) => self.undefined_byte(token),
            Byte::Part { token, mask, value } => Ok(self.undefined_byte(token)? & !mask | value & mask),
            Byte::Frag(pointer, index) => Ok((self.address_value(pointer)? >> (8 * u32::from(index))) as u8),
            Byte::Torn => {
                let token = self.memory.fresh_tokens(1);
                self.undefined_byte(token)
            }
        }
    }

    /// The little-endian number that bytes are.
    pub(crate) fn bytes_value(&mut self, bytes: &[Byte]) -> Res<u128> {
        let mut value = 0;
        for (index, byte) in bytes.iter().enumerate() {
            value |= u128::from(self.byte_value(*byte)?) << (8 * index);
        }
        Ok(value)
    }

    /// The number that bits are.
    pub(crate) fn bits_value(&mut self, bits: &[Bit]) -> Res<u128> {
        let mut value = 0;
        for (index, bit) in bits.iter().enumerate() {
            let bit = match bit {
                Bit::Known(bit) => *bit,
                Bit::Undef(token, at) => self.undefined_byte(*token)? >> at & 1 == 1,
            };
            value |= u128::from(bit) << index;
        }
        Ok(value)
    }

    /// Where an object lies.
    pub(crate) fn object_address(&mut self, id: ObjectId) -> Res<u64> {
        self.settle(id)?;
        if let Some(address) = self.memory.object(id).address {
            return Ok(address);
        }
        let Some(fresh) = self.memory.fresh_address(id) else {
            return self.unknown("no address is left for an object of this size");
        };
        let object = self.memory.object(id);
        let kind = RequestKind::Address {
            size: object.contents.size(),
            align: object.align,
            fresh,
            reuse: self.memory.reusable_address(id),
        };
        let choice = self.choose(kind.clone(), None)?;
        match choice {
            Choice::Address(address) if self.memory.may_lie_at(id, address) => {
                self.memory.place(id, address);
                Ok(address)
            }
            Choice::Address(_)
            | Choice::Input(_)
            | Choice::Undefined(_)
            | Choice::AllocFails(_)
            | Choice::Arbitrary(_)
            | Choice::ArgCount(_)
            | Choice::ArgString(_) => {
                let request = belay_rules::Request { kind, span: self.span(), name: None };
                self.bad_choice(request, choice)
            }
        }
    }

    /// The address of a place, without its being used as an integer.
    pub(crate) fn place_address(&mut self, pointer: Pointer) -> Res<u64> {
        match pointer {
            Pointer::Bare(address) => Ok(address),
            Pointer::Object { id, offset } => {
                let base = self.object_address(id)?;
                Ok(self.memory.wrap(base.wrapping_add(offset as u64)))
            }
            Pointer::Mark(_) => self.unknown("the saved stack pointer is used as a number"),
        }
    }

    /// The address of a place as an integer: from now on the block may be reached through integers.
    pub(crate) fn address_value(&mut self, pointer: Pointer) -> Res<u64> {
        let address = self.place_address(pointer)?;
        if let Pointer::Object { id, .. } = pointer {
            self.memory.object_mut(id).exposed = true;
        }
        Ok(address)
    }

    /// The place at an integer address: in a live object that was found to lie there, or just the address.
    pub(crate) fn place_at(&self, address: u64) -> Pointer {
        self.memory.find(address).unwrap_or(Pointer::Bare(address))
    }

    /// A value as an integer of a width.
    #[inline]
    pub(crate) fn int(&mut self, slot: Slot, width: u16) -> Res<M::Int> {
        match self.get(slot) {
            Value::Int(int) => Ok(int.clone()),
            value => {
                let value = value.clone();
                self.force_int(value, width)
            }
        }
    }

    #[cold]
    pub(crate) fn force_int(&mut self, value: Value<M::Int>, width: u16) -> Res<M::Int> {
        let bits = match value {
            Value::Int(int) => return Ok(int),
            Value::F32(value) => u128::from(value.to_bits()),
            Value::F64(value) => u128::from(value.to_bits()),
            Value::Ptr(pointer) | Value::Addr(pointer) => u128::from(self.address_value(pointer)?),
            Value::Raw(bytes) => self.bytes_value(&bytes)?,
            Value::Bits(bits) => self.bits_value(&bits)?,
            Value::Undef(ty) => {
                let fresh = self.fresh_undefined(ty);
                return self.force_int(fresh, width);
            }
        };
        Ok(M::from_bits(width, bits))
    }

    /// A value as a truth value.
    #[inline]
    pub(crate) fn truth(&mut self, slot: Slot) -> Res<bool> {
        match self.get(slot) {
            Value::Int(int) => Ok(!M::is_zero(int)),
            value => {
                let value = value.clone();
                Ok(!M::is_zero(&self.force_int(value, 1)?))
            }
        }
    }

    /// A value as an unsigned number of address width: a size.
    pub(crate) fn size(&mut self, slot: Slot) -> Res<u64> {
        let width = self.program.layout.pointer_bits();
        let int = self.int(slot, width)?;
        match M::bits(width, &int) {
            Some(bits) => Ok(bits as u64),
            None => self.unknown("a size that does not fit an address"),
        }
    }

    /// A value as an address; `None` if it is undefined.
    #[inline]
    pub(crate) fn pointer(&mut self, slot: Slot) -> Res<Option<Pointer>> {
        match self.get(slot) {
            Value::Ptr(pointer) => Ok(Some(*pointer)),
            value => {
                let value = value.clone();
                self.force_pointer(value)
            }
        }
    }

    /// A value as an address; `None` if it is undefined: then nothing is chosen.
    #[cold]
    pub(crate) fn force_pointer(&mut self, value: Value<M::Int>) -> Res<Option<Pointer>> {
        let address = match value {
            Value::Ptr(pointer) | Value::Addr(pointer) => return Ok(Some(pointer)),
            Value::Undef(_) | Value::Bits(_) => return Ok(None),
            Value::Raw(bytes) => {
                let undefined = |byte: &Byte| matches!(byte, Byte::Undef(_) | Byte::Part { .. } | Byte::Torn);
                if bytes.iter().any(undefined) {
                    return match self.is_left_by_others(&bytes) {
                        true => self.unknown("where a pointer leads that is in a variable which no file defines"),
                        false => Ok(None),
                    };
                }
                self.bytes_value(&bytes)? as u64
            }
            Value::Int(_) | Value::F32(_) | Value::F64(_) => {
                let width = self.program.layout.pointer_bits();
                let int = self.force_int(value, width)?;
                match M::bits(width, &int) {
                    Some(bits) => bits as u64,
                    None => return self.unknown("an address that does not fit its width"),
                }
            }
        };
        Ok(Some(self.place_at(address)))
    }

    /// True for bytes of a variable that no file defines, wherever they were copied to: whoever defines it may have put a pointer there.
    fn is_left_by_others(&self, bytes: &[Byte]) -> bool {
        let Some(Byte::Undef(token)) = bytes.iter().find(|byte| matches!(byte, Byte::Undef(_))) else { return false };
        if let Some((_, moved, _)) = self.memory.derived(*token) {
            return self.is_left_by_others(&moved);
        }
        let holds = |(id, global): (GlobalId, &Global)| {
            let contents = &self.memory.object(ObjectId::new(id.index())).contents;
            let first = contents.first_token();
            global.init.is_none() && (first..first.saturating_add(contents.size())).contains(token)
        };
        self.config.externs == Externs::Havoc && self.program.globals.iter_enumerated().any(holds)
    }

    /// A value as an address; an undefined one is chosen.
    pub(crate) fn choose_pointer(&mut self, slot: Slot) -> Res<Pointer> {
        let value = self.get(slot).clone();
        if let Some(pointer) = self.force_pointer(value.clone())? {
            return Ok(pointer);
        }
        let width = self.program.layout.pointer_bits();
        let int = self.force_int(value, width)?;
        Ok(Pointer::Bare(M::bits(width, &int).unwrap_or_default() as u64))
    }

    /// A value as a `float`.
    #[inline]
    pub(crate) fn f32(&mut self, slot: Slot) -> Res<f32> {
        match self.get(slot) {
            Value::F32(value) => Ok(*value),
            value => {
                let value = value.clone();
                Ok(f32::from_bits(self.raw_bits(value, Type::F32)? as u32))
            }
        }
    }

    /// A value as a `double`.
    #[inline]
    pub(crate) fn f64(&mut self, slot: Slot) -> Res<f64> {
        match self.get(slot) {
            Value::F64(value) => Ok(*value),
            value => {
                let value = value.clone();
                Ok(f64::from_bits(self.raw_bits(value, Type::F64)? as u64))
            }
        }
    }

    /// The bits of a value of a type.
    pub(crate) fn raw_bits(&mut self, value: Value<M::Int>, ty: Type) -> Res<u128> {
        let width = (self.memory.store_size(ty) * 8) as u16;
        let width = ty.int_width().unwrap_or(width);
        let int = self.force_int(value, width)?;
        match M::bits(width, &int) {
            Some(bits) => Ok(bits),
            None => self.unknown("the bits of an integer that does not fit its width"),
        }
    }
}
