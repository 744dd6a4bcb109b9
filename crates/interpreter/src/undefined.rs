//! Integers some of whose bits are undefined. Writing a bit-field of fresh memory reads the undefined rest of its unit, masks
//! it and writes it back; nothing depends on it, so nothing must be chosen. Masks, shifts and extensions therefore work bit
//! by bit as far as they can; everything else makes a number of the value.
//!
//! Machine integers only: the bits of an unbounded integer that was shifted are not those of its unit any more.

use belay_ir::{BinaryOp, CastOp};

use crate::integers::Integers;
use crate::observer::Observer;
use crate::run::{Res, Run};
use crate::value::{Bit, Byte, Value};

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// The bits of an integer; `None` if it holds more than known and undefined bits.
    fn bits(&self, value: &Value<M::Int>, width: u16) -> Option<Vec<Bit>> {
        let known = |bits: u128| (0..width).map(|at| Bit::Known(bits >> at & 1 == 1)).collect();
        match value {
            Value::Int(int) => M::bits(width, int).map(known),
            Value::Bits(bits) => Some(bits.to_vec()),
            Value::Raw(bytes) => {
                let mut bits = Vec::with_capacity(bytes.len() * 8);
                for byte in bytes.iter() {
                    let (token, mask, value) = match self.resolve(*byte) {
                        Byte::Known(value) => (0, 0xff, value),
                        Byte::Undef(token) => (token, 0, 0),
                        Byte::Part { token, mask, value } => (token, mask, value),
                        Byte::Frag(..) | Byte::Torn => return None,
                    };
                    bits.extend((0..8).map(|at| match mask >> at & 1 {
                        1 => Bit::Known(value >> at & 1 == 1),
                        _ => Bit::Undef(token, at),
                    }));
                }
                bits.truncate(width.into());
                Some(bits)
            }
            Value::F32(_) | Value::F64(_) | Value::Ptr(_) | Value::Addr(_) | Value::Undef(_) => None,
        }
    }

    /// The byte, known if its undefined part was chosen.
    fn resolve(&self, byte: Byte) -> Byte {
        let chosen = |token| self.memory.chosen.get(&token).copied();
        match byte {
            Byte::Undef(token) => chosen(token).map_or(byte, Byte::Known),
            Byte::Part { token, mask, value } => {
                chosen(token).map_or(byte, |rest| Byte::Known(rest & !mask | value & mask))
            }
            Byte::Known(_) | Byte::Frag(..) | Byte::Torn => byte,
        }
    }

    fn of_bits(width: u16, bits: Vec<Bit>) -> Value<M::Int> {
        let mut number = 0;
        for (at, bit) in bits.iter().enumerate() {
            match bit {
                Bit::Known(bit) => number |= u128::from(*bit) << at,
                Bit::Undef(..) => return Value::Bits(bits.into()),
            }
        }
        Value::Int(M::from_bits(width, number))
    }

    /// Masks and shifts, as far as they need no choice.
    pub(crate) fn undefined_binary(
        &self,
        op: BinaryOp,
        width: u16,
        a: &Value<M::Int>,
        b: &Value<M::Int>,
    ) -> Option<Value<M::Int>> {
        if M::UNBOUNDED {
            return None;
        }
        let x = self.bits(a, width)?;
        let bits = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                let y = self.bits(b, width)?;
                x.into_iter().zip(y).map(|(x, y)| combine(op, x, y)).collect::<Option<Vec<_>>>()?
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let Value::Int(amount) = b else { return None };
                let amount = usize::try_from(M::bits(width, amount)?).ok().filter(|by| *by < width.into())?;
                shift(op, x, amount)?
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem => return None,
        };
        Some(Self::of_bits(width, bits))
    }

    /// Truncation and extension, as far as they need no choice.
    pub(crate) fn undefined_cast(
        &self,
        op: CastOp,
        from: u16,
        to: u16,
        value: &Value<M::Int>,
    ) -> Option<Value<M::Int>> {
        if M::UNBOUNDED {
            return None;
        }
        let mut bits = self.bits(value, from)?;
        let filler = match op {
            CastOp::SExt => *bits.last()?,
            CastOp::Trunc | CastOp::ZExt => Bit::Known(false),
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => return None,
        };
        bits.resize(to.into(), filler);
        Some(Self::of_bits(to, bits))
    }

    /// The bytes of a partly undefined integer. Undefined bits that are not in their place in their byte are chosen.
    pub(crate) fn bytes_of_bits(&mut self, bits: &[Bit]) -> Res<Box<[Byte]>> {
        let mut bytes = Vec::with_capacity(bits.len().div_ceil(8));
        for unit in bits.chunks(8) {
            let byte = match whole_byte(unit) {
                Some(byte) => byte,
                None => Byte::Known(self.bits_value(unit)? as u8),
            };
            bytes.push(byte);
        }
        Ok(bytes.into())
    }
}

fn combine(op: BinaryOp, x: Bit, y: Bit) -> Option<Bit> {
    match (op, x, y) {
        (BinaryOp::And, Bit::Known(false), _) | (BinaryOp::And, _, Bit::Known(false)) => Some(Bit::Known(false)),
        (BinaryOp::Or, Bit::Known(true), _) | (BinaryOp::Or, _, Bit::Known(true)) => Some(Bit::Known(true)),
        (BinaryOp::And, Bit::Known(true), other) | (BinaryOp::And, other, Bit::Known(true)) => Some(other),
        (BinaryOp::Or | BinaryOp::Xor, Bit::Known(false), other)
        | (BinaryOp::Or | BinaryOp::Xor, other, Bit::Known(false)) => Some(other),
        (BinaryOp::Xor, Bit::Known(x), Bit::Known(y)) => Some(Bit::Known(x != y)),
        (BinaryOp::Xor, _, _) if x == y => Some(Bit::Known(false)),
        (BinaryOp::And | BinaryOp::Or, _, _) if x == y => Some(x),
        _ => None,
    }
}

fn shift(op: BinaryOp, mut bits: Vec<Bit>, amount: usize) -> Option<Vec<Bit>> {
    let width = bits.len();
    let sign = *bits.last()?;
    if op == BinaryOp::Shl {
        bits.rotate_right(amount);
        bits[..amount].fill(Bit::Known(false));
    } else {
        bits.rotate_left(amount);
        let filler = if op == BinaryOp::AShr { sign } else { Bit::Known(false) };
        bits[width - amount..].fill(filler);
    }
    Some(bits)
}

/// The byte that bits make up, if its undefined bits are those of one byte, each in its place.
fn whole_byte(bits: &[Bit]) -> Option<Byte> {
    let (mut mask, mut value, mut from) = (0u8, 0u8, None);
    for (at, bit) in bits.iter().enumerate() {
        match bit {
            Bit::Known(bit) => {
                mask |= 1 << at;
                value |= u8::from(*bit) << at;
            }
            Bit::Undef(token, index) => {
                if usize::from(*index) != at || from.is_some_and(|from| from != *token) {
                    return None;
                }
                from = Some(*token);
            }
        }
    }
    if bits.len() < 8 {
        mask |= u8::MAX << bits.len();
    }
    Some(match from {
        None => Byte::Known(value),
        Some(token) if mask == 0 => Byte::Undef(token),
        Some(token) => Byte::Part { token, mask, value },
    })
}
