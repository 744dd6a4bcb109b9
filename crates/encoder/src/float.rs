//! Floats, bit by bit: `logic::bv::float` has the circuits. Comparisons, signs, sums, products, quotients, square roots, fused products,
//! conversions and rounding to whole numbers are exact; remainders of what is not constant are left open, which allows more than the
//! program does. So are the sign and the payload of a NaN that an operation makes: hardware differs there, and C says nothing.

use belay_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Type};
use belay_logic::bv::TermId;
use belay_logic::bv::float::{Format, Rounded, Rounding};

use super::Store;
use super::execution::Execution;
use super::object::Origin;
use super::value::Value;

fn format_of(ty: Type) -> Format {
    match ty {
        Type::F32 => Format::SINGLE,
        Type::F64 | Type::Int(_) | Type::Ptr => Format::DOUBLE,
    }
}

impl Store<'_> {
    fn with_sign_of(&mut self, x: TermId, y: TermId) -> TermId {
        let width = self.terms.width(x);
        let magnitude = self.terms.extract(width - 2, 0, x);
        let sign = self.terms.extract(width - 1, width - 1, y);
        self.terms.concat(sign, magnitude)
    }
}

impl Execution<'_, '_> {
    fn open_result(&mut self, ty: Type) -> Value {
        self.imprecise("float arithmetic is left open");
        let width = self.store.bits_of(ty).into();
        Value::Bits(self.fresh(width, Origin::Internal))
    }

    /// The result of an operation; some NaN where it is none.
    fn round(&mut self, format: Format, result: Rounded) -> Value {
        if self.store.terms.is_false(result.nan) {
            return Value::Bits(self.store.terms.float_value(result, result.bits));
        }
        let nan = self.some_nan(format);
        let made = self.store.terms.and(self.here, result.nan);
        self.imprecise_if(made, "the sign and payload of a NaN are left open");
        Value::Bits(self.store.terms.float_value(result, nan))
    }

    /// A quiet NaN: all ones in the exponent and at the top of the fraction, the other bits open.
    fn some_nan(&mut self, format: Format) -> TermId {
        let sign = self.fresh(1, Origin::Internal);
        let payload = self.fresh(format.fraction - 1, Origin::Internal);
        let quiet = self.store.terms.number(format.exponent + 1, (1 << (format.exponent + 1)) - 1);
        let low = self.store.terms.concat(quiet, payload);
        self.store.terms.concat(sign, low)
    }

    /// Float arithmetic.
    pub(crate) fn float_binary(&mut self, op: FloatBinaryOp, ty: Type, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        let format = format_of(ty);
        let result = match op {
            FloatBinaryOp::CopySign => return Value::Bits(self.store.with_sign_of(x, y)),
            FloatBinaryOp::Add => self.store.terms.float_add(format, x, y),
            FloatBinaryOp::Sub => self.store.terms.float_sub(format, x, y),
            FloatBinaryOp::Mul => self.store.terms.float_mul(format, x, y),
            FloatBinaryOp::Div => self.store.terms.float_div(format, x, y),
            FloatBinaryOp::Rem => return self.float_remainder(ty, x, y),
            FloatBinaryOp::Min | FloatBinaryOp::Max => {
                return self.float_extreme(op == FloatBinaryOp::Min, format, x, y);
            }
        };
        self.round(format, result)
    }

    /// The smaller or greater of two; a NaN counts as missing, and which of two zeros is taken is open.
    fn float_extreme(&mut self, least: bool, format: Format, x: TermId, y: TermId) -> Value {
        let (below, above) = (self.store.terms.float_less(format, x, y), self.store.terms.float_less(format, y, x));
        let (nan_x, nan_y) = (self.store.terms.float_is_nan(format, x), self.store.terms.float_is_nan(format, y));
        let same = self.store.terms.eq(x, y);
        let ordered = self.store.terms.or_all([below, above, nan_x, nan_y, same]);
        let choice = self.fresh(1, Origin::Internal);
        let open = self.store.terms.not(ordered);
        let open_here = self.store.terms.and(self.here, open);
        self.imprecise_if(open_here, "which zero is the smaller one is left open");
        let first = if least { below } else { above };
        let first = self.store.terms.ite(open, choice, first);
        let first = self.store.terms.or(first, nan_y);
        let not_nan = self.store.terms.not(nan_x);
        let first = self.store.terms.and(first, not_nan);
        let bits = self.store.terms.ite(first, x, y);
        let nan = self.store.terms.and(nan_x, nan_y);
        self.round(format, Rounded { bits, nan, operation: None })
    }

    /// A float function.
    pub(crate) fn float_unary(&mut self, op: FloatUnaryOp, ty: Type, value: Value) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        let format = format_of(ty);
        let rounding = match op {
            FloatUnaryOp::Neg => return Value::Bits(self.store.terms.float_neg(format, x)),
            FloatUnaryOp::Abs => {
                return Value::Bits(self.store.terms.float_abs(format, x));
            }
            FloatUnaryOp::Sqrt => {
                let result = self.store.terms.float_sqrt(format, x);
                return self.round(format, result);
            }
            FloatUnaryOp::Floor => Rounding::Floor,
            FloatUnaryOp::Ceil => Rounding::Ceil,
            FloatUnaryOp::Trunc => Rounding::Trunc,
            FloatUnaryOp::Round => Rounding::HalfAway,
            FloatUnaryOp::RoundEven => Rounding::HalfEven,
        };
        let result = self.store.terms.float_round(format, rounding, x);
        self.round(format, result)
    }

    /// `a * b + c`, rounded once.
    pub(crate) fn float_fma(&mut self, ty: Type, operands: [Value; 3]) -> Value {
        let numbers = operands.map(|operand| self.number_of(operand));
        for number in numbers {
            self.uses(number);
        }
        let [a, b, c] = numbers;
        let format = format_of(ty);
        let result = self.store.terms.float_fma(format, a, b, c);
        self.round(format, result)
    }

    /// The remainder of constants, which is exact; any other is open: its circuit has a digit for each power between the operands.
    fn float_remainder(&mut self, ty: Type, x: TermId, y: TermId) -> Value {
        let constant = |term| self.store.terms.as_const(term).and_then(|bits| bits.to_u128());
        let (Some(x), Some(y)) = (constant(x), constant(y)) else { return self.open_result(ty) };
        let (width, bits, nan) = match ty {
            Type::F32 => {
                let rest = f32::from_bits(x as u32) % f32::from_bits(y as u32);
                (32, u128::from(rest.to_bits()), rest.is_nan())
            }
            Type::F64 | Type::Int(_) | Type::Ptr => {
                let rest = f64::from_bits(x as u64) % f64::from_bits(y as u64);
                (64, u128::from(rest.to_bits()), rest.is_nan())
            }
        };
        if nan {
            return self.open_result(ty);
        }
        Value::Bits(self.store.terms.number(width, bits))
    }

    /// Float comparison, from the bits: as magnitudes with signs, zeros equal, NaNs unordered.
    pub(crate) fn float_compare(&mut self, op: FloatPredicate, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        let format = if self.store.terms.width(x) == Format::SINGLE.width() { Format::SINGLE } else { Format::DOUBLE };
        let (nan_x, nan_y) = (self.store.terms.float_is_nan(format, x), self.store.terms.float_is_nan(format, y));
        let unordered = self.store.terms.or(nan_x, nan_y);
        let ordered = self.store.terms.not(unordered);
        let (less, greater) = (self.store.terms.float_less(format, x, y), self.store.terms.float_less(format, y, x));
        let different = self.store.terms.or(less, greater);
        let equal = self.store.terms.not(different);
        let (le, ge) = (self.store.terms.not(greater), self.store.terms.not(less));
        Value::Bits(match op {
            FloatPredicate::False => self.store.terms.boolean(false),
            FloatPredicate::True => self.store.terms.boolean(true),
            FloatPredicate::Ord => ordered,
            FloatPredicate::Uno => unordered,
            FloatPredicate::Oeq => self.store.terms.and(ordered, equal),
            FloatPredicate::Ogt => self.store.terms.and(ordered, greater),
            FloatPredicate::Oge => self.store.terms.and(ordered, ge),
            FloatPredicate::Olt => self.store.terms.and(ordered, less),
            FloatPredicate::Ole => self.store.terms.and(ordered, le),
            FloatPredicate::One => self.store.terms.and(ordered, different),
            FloatPredicate::Ueq => self.store.terms.or(unordered, equal),
            FloatPredicate::Ugt => self.store.terms.or(unordered, greater),
            FloatPredicate::Uge => self.store.terms.or(unordered, ge),
            FloatPredicate::Ult => self.store.terms.or(unordered, less),
            FloatPredicate::Ule => self.store.terms.or(unordered, le),
            FloatPredicate::Une => self.store.terms.or(unordered, different),
        })
    }

    /// A conversion from or to a float.
    pub(crate) fn float_cast(&mut self, op: CastOp, value: Value, from: Type, to: Type) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        match op {
            CastOp::FloatToFloat if from == to => Value::Bits(x),
            CastOp::FloatToFloat => {
                let result = self.store.terms.float_convert(format_of(from), format_of(to), x);
                self.round(format_of(to), result)
            }
            CastOp::SignedToFloat | CastOp::UnsignedToFloat if self.store.terms.width(x) <= 128 => {
                Value::Bits(self.store.terms.float_from_int(format_of(to), op == CastOp::SignedToFloat, x))
            }
            CastOp::FloatToSigned | CastOp::FloatToUnsigned if self.store.bits_of(to) <= 128 => {
                self.float_to_int(op == CastOp::FloatToSigned, x, from, to)
            }
            CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => self.open_result(to),
        }
    }

    /// Out of range the integer is arbitrary: a choice of the run, which is not followed exactly here.
    fn float_to_int(&mut self, signed: bool, x: TermId, from: Type, to: Type) -> Value {
        let width = u32::from(self.store.bits_of(to));
        let result = self.store.terms.float_to_int(format_of(from), signed, width, x);
        if self.store.terms.is_true(result.fits) {
            return Value::Bits(result.bits);
        }
        let outside = self.store.terms.not(result.fits);
        let outside = self.store.terms.and(self.here, outside);
        self.imprecise_if(outside, "a float beyond its integer type is left open");
        let other = self.fresh(width, Origin::Internal);
        Value::Bits(self.store.terms.ite(result.fits, result.bits, other))
    }
}
