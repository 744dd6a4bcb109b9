//! Floats. Comparisons, signs and operations on constants are exact; the results of other arithmetic are left open, which allows
//! more than the program does.

use belay_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Type};
use belay_logic::bv::TermId;

use super::Encoder;
use super::object::Origin;
use super::value::Value;

impl Encoder<'_> {
    fn float_constant(&self, bits: TermId) -> Option<u64> {
        self.terms.as_const(bits)?.to_u128().map(|bits| bits as u64)
    }

    fn constant_as_f64(&self, bits: TermId) -> Option<f64> {
        let value = self.float_constant(bits)?;
        Some(if self.terms.width(bits) == 32 { f64::from(f32::from_bits(value as u32)) } else { f64::from_bits(value) })
    }

    fn open_result(&mut self, ty: Type) -> Value {
        self.imprecise("float arithmetic is left open");
        let width = self.bits_of(ty).into();
        Value::Bits(self.fresh(width, Origin::Internal))
    }

    fn float_number(&mut self, ty: Type, value: f64) -> Value {
        let bits = match ty {
            Type::F32 => u128::from((value as f32).to_bits()),
            Type::F64 | Type::Int(_) | Type::Ptr => u128::from(value.to_bits()),
        };
        let width = self.bits_of(ty).into();
        Value::Bits(self.terms.number(width, bits))
    }

    /// Float arithmetic.
    pub(crate) fn float_binary(&mut self, op: FloatBinaryOp, ty: Type, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        if op == FloatBinaryOp::CopySign {
            return Value::Bits(self.with_sign_of(x, y));
        }
        let (Some(p), Some(q)) = (self.constant_as_f64(x), self.constant_as_f64(y)) else {
            return self.open_result(ty);
        };
        // With one rounding of an exact double operation the result for `float` is the correctly rounded one.
        let result = match op {
            FloatBinaryOp::Add => p + q,
            FloatBinaryOp::Sub => p - q,
            FloatBinaryOp::Mul => p * q,
            FloatBinaryOp::Div => p / q,
            FloatBinaryOp::Rem | FloatBinaryOp::Min | FloatBinaryOp::Max | FloatBinaryOp::CopySign => f64::NAN,
        };
        if result.is_nan() { self.open_result(ty) } else { self.float_number(ty, result) }
    }

    fn with_sign_of(&mut self, x: TermId, y: TermId) -> TermId {
        let width = self.terms.width(x);
        let magnitude = self.terms.extract(width - 2, 0, x);
        let sign = self.terms.extract(width - 1, width - 1, y);
        self.terms.concat(sign, magnitude)
    }

    /// A float function.
    pub(crate) fn float_unary(&mut self, op: FloatUnaryOp, ty: Type, value: Value) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        match op {
            FloatUnaryOp::Neg => {
                let negative = self.terms.not(x);
                Value::Bits(self.with_sign_of(x, negative))
            }
            FloatUnaryOp::Abs => {
                let zero = self.terms.number(self.terms.width(x), 0);
                Value::Bits(self.with_sign_of(x, zero))
            }
            FloatUnaryOp::Sqrt
            | FloatUnaryOp::Floor
            | FloatUnaryOp::Ceil
            | FloatUnaryOp::Trunc
            | FloatUnaryOp::Round
            | FloatUnaryOp::RoundEven => match self.constant_as_f64(x).and_then(|x| exact_unary(op, x)) {
                Some(result) => self.float_number(ty, result),
                None => self.open_result(ty),
            },
        }
    }

    /// `a * b + c`.
    pub(crate) fn float_fma(&mut self, ty: Type, operands: [Value; 3]) -> Value {
        for operand in operands {
            let number = self.number_of(operand);
            self.uses(number);
        }
        self.open_result(ty)
    }

    /// Float comparison, from the bits: as magnitudes with signs, zeros equal, NaNs unordered.
    pub(crate) fn float_compare(&mut self, op: FloatPredicate, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        let (nan_x, nan_y) = (self.is_nan(x), self.is_nan(y));
        let unordered = self.terms.or(nan_x, nan_y);
        let ordered = self.terms.not(unordered);
        let (less, greater) = (self.float_less(x, y), self.float_less(y, x));
        let different = self.terms.or(less, greater);
        let equal = self.terms.not(different);
        let (le, ge) = (self.terms.not(greater), self.terms.not(less));
        Value::Bits(match op {
            FloatPredicate::False => self.terms.boolean(false),
            FloatPredicate::True => self.terms.boolean(true),
            FloatPredicate::Ord => ordered,
            FloatPredicate::Uno => unordered,
            FloatPredicate::Oeq => self.terms.and(ordered, equal),
            FloatPredicate::Ogt => self.terms.and(ordered, greater),
            FloatPredicate::Oge => self.terms.and(ordered, ge),
            FloatPredicate::Olt => self.terms.and(ordered, less),
            FloatPredicate::Ole => self.terms.and(ordered, le),
            FloatPredicate::One => self.terms.and(ordered, different),
            FloatPredicate::Ueq => self.terms.or(unordered, equal),
            FloatPredicate::Ugt => self.terms.or(unordered, greater),
            FloatPredicate::Uge => self.terms.or(unordered, ge),
            FloatPredicate::Ult => self.terms.or(unordered, less),
            FloatPredicate::Ule => self.terms.or(unordered, le),
            FloatPredicate::Une => self.terms.or(unordered, different),
        })
    }

    fn is_nan(&mut self, x: TermId) -> TermId {
        let width = self.terms.width(x);
        let infinity = if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
        let infinity = self.terms.number(width - 1, infinity);
        let magnitude = self.terms.extract(width - 2, 0, x);
        self.terms.ult(infinity, magnitude)
    }

    /// `x < y` of floats that are no NaNs.
    fn float_less(&mut self, x: TermId, y: TermId) -> TermId {
        let width = self.terms.width(x);
        let (sx, sy) = (self.terms.extract(width - 1, width - 1, x), self.terms.extract(width - 1, width - 1, y));
        let (mx, my) = (self.terms.extract(width - 2, 0, x), self.terms.extract(width - 2, 0, y));
        let (below, above) = (self.terms.ult(mx, my), self.terms.ult(my, mx));
        let zero = self.terms.number(width - 1, 0);
        let (zx, zy) = (self.terms.eq(mx, zero), self.terms.eq(my, zero));
        let both_zero = self.terms.and(zx, zy);
        let some = self.terms.not(both_zero);
        let not_sy = self.terms.not(sy);
        // Negative against not negative: less unless both are zero. Equal signs: by magnitude.
        let crossing = self.terms.and_all([sx, not_sy, some]);
        let (same_above, same_below) = (self.terms.and_all([sx, sy, above]), {
            let not_sx = self.terms.not(sx);
            self.terms.and_all([not_sx, not_sy, below])
        });
        self.terms.or_all([crossing, same_above, same_below])
    }

    /// A conversion from or to a float.
    pub(crate) fn float_cast(&mut self, op: CastOp, value: Value, from: Type, to: Type) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        let folded = match op {
            CastOp::FloatToFloat => self.constant_as_f64(x).filter(|value| !value.is_nan()),
            CastOp::SignedToFloat => self.terms.as_const(x).and_then(|bits| bits.to_i128()).map(|value| value as f64),
            CastOp::UnsignedToFloat => self.terms.as_const(x).and_then(|bits| bits.to_u128()).map(|value| value as f64),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                return self.float_to_int(op == CastOp::FloatToSigned, x, to);
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => None,
        };
        // A double holds every integer of 53 bits, so that rounding to `float` happens once.
        let exact = |value: &f64| value.abs() < 9.0e15 || from == Type::F32 || from == Type::F64;
        match folded.filter(exact) {
            Some(value) => self.float_number(to, value),
            None => self.open_result(to),
        }
    }

    fn float_to_int(&mut self, signed: bool, x: TermId, to: Type) -> Value {
        let width = u32::from(self.bits_of(to));
        let (least, greatest) = match signed {
            true => (-(2f64.powi(width as i32 - 1)), 2f64.powi(width as i32 - 1)),
            false => (-1.0, 2f64.powi(width as i32)),
        };
        match self.constant_as_f64(x).map(f64::trunc) {
            Some(value) if value > least - 0.5 && value >= least && value < greatest && width <= 64 => {
                Value::Bits(self.terms.number(width, value as i128 as u128))
            }
            Some(_) | None => {
                self.imprecise("float arithmetic is left open");
                Value::Bits(self.fresh(width, Origin::Internal))
            }
        }
    }
}

fn exact_unary(op: FloatUnaryOp, x: f64) -> Option<f64> {
    let result = match op {
        FloatUnaryOp::Neg | FloatUnaryOp::Abs | FloatUnaryOp::Sqrt => return None,
        FloatUnaryOp::Floor => x.floor(),
        FloatUnaryOp::Ceil => x.ceil(),
        FloatUnaryOp::Trunc => x.trunc(),
        FloatUnaryOp::Round => x.round(),
        FloatUnaryOp::RoundEven => x.round_ties_even(),
    };
    (!result.is_nan()).then_some(result)
}
