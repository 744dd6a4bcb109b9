//! Conversions that are not from one known integer to another, and float arithmetic.

use belay_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Type};
use dashu::integer::IBig;

use crate::code::Slot;
use crate::integers::{Integers, type_range};
use crate::observer::Observer;
use crate::run::{Res, Run};
use crate::value::{Pointer, Value};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    pub(crate) fn cast_slow(&mut self, op: CastOp, from: Type, to: Type, slot: Slot) -> Res<Value<M::Int>> {
        match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
                let (from, to) = (from.int_width().unwrap_or(64), to.int_width().unwrap_or(64));
                self.resize_slow(op, from, to, slot)
            }
            CastOp::FloatToSigned => self.float_to_int(true, from, to, slot),
            CastOp::FloatToUnsigned => self.float_to_int(false, from, to, slot),
            CastOp::SignedToFloat => self.int_to_float(true, from, to, slot),
            CastOp::UnsignedToFloat => self.int_to_float(false, from, to, slot),
            CastOp::FloatToFloat => {
                let value = self.float(from, slot)?;
                match (from, to) {
                    (_, Type::F64) => Ok(Value::F64(value)),
                    (Type::F32 | Type::F64 | Type::Int(_) | Type::Ptr, Type::F32 | Type::Int(_) | Type::Ptr) => {
                        Ok(Value::F32(value as f32))
                    }
                }
            }
            CastOp::PtrToInt => match self.get(slot) {
                Value::Ptr(pointer) => Ok(self.address_int(*pointer)),
                // The same bytes, as an integer.
                _ => Ok(self.take(slot)),
            },
            CastOp::IntToPtr => match self.get(slot) {
                Value::Addr(pointer) => Ok(Value::Ptr(*pointer)),
                Value::Int(int) => match M::bits(self.address_width(), int) {
                    Some(bits) => Ok(Value::Ptr(self.place_at(bits as u64))),
                    None => self.unknown("an address that does not fit its width"),
                },
                _ => Ok(self.take(slot)),
            },
            CastOp::Bitcast => self.bitcast(from, to, slot),
        }
    }

    fn resize_slow(&mut self, op: CastOp, from: u16, to: u16, slot: Slot) -> Res<Value<M::Int>> {
        let value = self.take(slot);
        if let Some(value) = self.undefined_cast(op, from, to, &value) {
            return Ok(value);
        }
        let int = self.force_int(value, from)?;
        let result = match op {
            CastOp::Trunc => M::trunc(from, to, &int),
            CastOp::ZExt => M::zext(from, &int),
            CastOp::SExt
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => Some(M::sext(from, to, &int)),
        };
        match result {
            Some(int) => Ok(Value::Int(int)),
            None => self.arbitrary(Type::Int(to), None),
        }
    }

    fn bitcast(&mut self, from: Type, to: Type, slot: Slot) -> Res<Value<M::Int>> {
        let value = self.take(slot);
        if from == to {
            return Ok(value);
        }
        match (&value, to) {
            (Value::Raw(_), _) => Ok(value),
            (Value::Ptr(pointer), Type::Int(_)) => Ok(self.address_int(*pointer)),
            (Value::Addr(pointer), Type::Ptr) => Ok(Value::Ptr(*pointer)),
            _ => {
                let bits = self.raw_bits(value, from)?;
                Ok(self.value_of_bits(bits, to))
            }
        }
    }

    /// The value of a type that has these bits.
    pub(crate) fn value_of_bits(&self, bits: u128, ty: Type) -> Value<M::Int> {
        match ty {
            Type::Int(width) => Value::Int(M::from_bits(width, bits)),
            Type::F32 => Value::F32(f32::from_bits(bits as u32)),
            Type::F64 => Value::F64(f64::from_bits(bits as u64)),
            Type::Ptr => Value::Ptr(match bits as u64 {
                0 => Pointer::NULL,
                address => self.place_at(address),
            }),
        }
    }

    fn float(&mut self, ty: Type, slot: Slot) -> Res<f64> {
        match ty {
            Type::F32 => Ok(self.f32(slot)?.into()),
            Type::F64 | Type::Int(_) | Type::Ptr => self.f64(slot),
        }
    }

    fn float_to_int(&mut self, signed: bool, from: Type, to: Type, slot: Slot) -> Res<Value<M::Int>> {
        let value = self.float(from, slot)?.trunc();
        let width = to.int_width().unwrap_or(64);
        let (least, greatest) = type_range(signed, width);
        match IBig::try_from(value) {
            Ok(int) if int >= least && int <= greatest => Ok(Value::Int(M::from_big(width, &int))),
            // Infinite, not a number, or out of range.
            Ok(_) | Err(_) => self.arbitrary(to, None),
        }
    }

    fn int_to_float(&mut self, signed: bool, from: Type, to: Type, slot: Slot) -> Res<Value<M::Int>> {
        let width = from.int_width().unwrap_or(64);
        let int = self.int(slot, width)?;
        let value = if signed { Some(M::signed(width, &int)) } else { M::unsigned(width, &int) };
        let Some(value) = value else { return self.arbitrary(to, None) };
        Ok(match to {
            Type::F32 => Value::F32(nearest_f32(&value)),
            Type::F64 | Type::Int(_) | Type::Ptr => Value::F64(nearest_f64(&value)),
        })
    }

    pub(crate) fn float_binary(&mut self, op: FloatBinaryOp, ty: Type, a: Slot, b: Slot) -> Res<Value<M::Int>> {
        macro_rules! apply {
            ($a:expr, $b:expr) => {
                match ($a, $b) {
                    (a, b) => match op {
                        FloatBinaryOp::Add => a + b,
                        FloatBinaryOp::Sub => a - b,
                        FloatBinaryOp::Mul => a * b,
                        FloatBinaryOp::Div => a / b,
                        FloatBinaryOp::Rem => a % b,
                        FloatBinaryOp::Min => a.min(b),
                        FloatBinaryOp::Max => a.max(b),
                        FloatBinaryOp::CopySign => a.copysign(b),
                    },
                }
            };
        }
        Ok(match ty {
            Type::F32 => Value::F32(apply!(self.f32(a)?, self.f32(b)?)),
            Type::F64 | Type::Int(_) | Type::Ptr => Value::F64(apply!(self.f64(a)?, self.f64(b)?)),
        })
    }

    pub(crate) fn float_unary(&mut self, op: FloatUnaryOp, ty: Type, value: Slot) -> Res<Value<M::Int>> {
        macro_rules! apply {
            ($value:expr) => {
                match $value {
                    value => match op {
                        FloatUnaryOp::Neg => -value,
                        FloatUnaryOp::Abs => value.abs(),
                        FloatUnaryOp::Sqrt => value.sqrt(),
                        FloatUnaryOp::Floor => value.floor(),
                        FloatUnaryOp::Ceil => value.ceil(),
                        FloatUnaryOp::Trunc => value.trunc(),
                        FloatUnaryOp::Round => value.round(),
                        FloatUnaryOp::RoundEven => value.round_ties_even(),
                    },
                }
            };
        }
        Ok(match ty {
            Type::F32 => Value::F32(apply!(self.f32(value)?)),
            Type::F64 | Type::Int(_) | Type::Ptr => Value::F64(apply!(self.f64(value)?)),
        })
    }

    pub(crate) fn float_fma(&mut self, ty: Type, [a, b, c]: [Slot; 3]) -> Res<Value<M::Int>> {
        Ok(match ty {
            Type::F32 => Value::F32(self.f32(a)?.mul_add(self.f32(b)?, self.f32(c)?)),
            Type::F64 | Type::Int(_) | Type::Ptr => Value::F64(self.f64(a)?.mul_add(self.f64(b)?, self.f64(c)?)),
        })
    }

    pub(crate) fn float_compare(&mut self, op: FloatPredicate, ty: Type, a: Slot, b: Slot) -> Res<bool> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = self.float(ty, a)?.partial_cmp(&self.float(ty, b)?);
        Ok(match op {
            FloatPredicate::False => false,
            FloatPredicate::True => true,
            FloatPredicate::Ord => order.is_some(),
            FloatPredicate::Uno => order.is_none(),
            FloatPredicate::Oeq => order == Some(Equal),
            FloatPredicate::Ogt => order == Some(Greater),
            FloatPredicate::Oge => matches!(order, Some(Greater | Equal)),
            FloatPredicate::Olt => order == Some(Less),
            FloatPredicate::Ole => matches!(order, Some(Less | Equal)),
            FloatPredicate::One => matches!(order, Some(Less | Greater)),
            FloatPredicate::Ueq => matches!(order, None | Some(Equal)),
            FloatPredicate::Ugt => matches!(order, None | Some(Greater)),
            FloatPredicate::Uge => matches!(order, None | Some(Greater | Equal)),
            FloatPredicate::Ult => matches!(order, None | Some(Less)),
            FloatPredicate::Ule => matches!(order, None | Some(Less | Equal)),
            FloatPredicate::Une => order != Some(Equal),
        })
    }
}

fn nearest_f64(value: &IBig) -> f64 {
    match i128::try_from(value) {
        Ok(value) => value as f64,
        Err(_) => value.to_f64().value(),
    }
}

fn nearest_f32(value: &IBig) -> f32 {
    match i128::try_from(value) {
        Ok(value) => value as f32,
        Err(_) => value.to_f32().value(),
    }
}
