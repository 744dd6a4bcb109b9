//! Integer instructions as terms.

use belay_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, Type, UnaryOp};
use belay_logic::bv::TermId;

use super::Encoder;
use super::object::Origin;
use super::state::State;
use super::unrolling::RunQuestion;
use super::value::{Base, Value};

impl Encoder<'_> {
    /// Compares two numbers.
    pub(crate) fn compare_numbers(&mut self, op: IntPredicate, a: TermId, b: TermId) -> TermId {
        match op {
            IntPredicate::Eq => self.terms.eq(a, b),
            IntPredicate::Ne => self.terms.ne(a, b),
            IntPredicate::Ult => self.terms.ult(a, b),
            IntPredicate::Ule => self.terms.ule(a, b),
            IntPredicate::Ugt => self.terms.ult(b, a),
            IntPredicate::Uge => self.terms.ule(b, a),
            IntPredicate::Slt => self.terms.slt(a, b),
            IntPredicate::Sle => self.terms.sle(a, b),
            IntPredicate::Sgt => self.terms.slt(b, a),
            IntPredicate::Sge => self.terms.sle(b, a),
        }
    }

    /// Compares two integers or two pointers.
    pub(crate) fn compare(&mut self, op: IntPredicate, a: Value, b: Value) -> Value {
        let holds = match (a, b) {
            (Value::Bits(x), Value::Bits(y)) => {
                self.uses(x);
                self.uses(y);
                self.compare_numbers(op, x, y)
            }
            (Value::Ptr(_) | Value::Addr(_), _) | (_, Value::Ptr(_) | Value::Addr(_)) => {
                let (p, q) = (self.as_pointer(a), self.as_pointer(b));
                self.compare_pointers(op, p, q)
            }
        };
        Value::Bits(holds)
    }

    /// Integer arithmetic.
    pub(crate) fn binary(&mut self, state: &mut State, op: BinaryOp, a: Value, b: Value) -> Value {
        if let (Value::Addr(_), _) | (_, Value::Addr(_)) = (a, b)
            && let Some(value) = self.address_arithmetic(op, a, b)
        {
            return value;
        }
        let (x, y) = (self.number_of(a), self.number_of(b));
        let masks = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::LShr);
        if !masks {
            self.uses(x);
            self.uses(y);
        }
        let value = match op {
            BinaryOp::Add => self.terms.add(x, y),
            BinaryOp::Sub => self.terms.sub(x, y),
            BinaryOp::Mul => self.terms.mul(x, y),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => self.divide(state, op, x, y),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift(op, x, y),
            BinaryOp::And => self.terms.and(x, y),
            BinaryOp::Or => self.terms.or(x, y),
            BinaryOp::Xor => self.terms.xor(x, y),
        };
        Value::Bits(value)
    }

    /// A division; what happens at divisor 0 is the business of an obligation before it.
    fn divide(&mut self, state: &mut State, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        let zero = self.terms.number(self.terms.width(y), 0);
        let by_zero = self.terms.eq(y, zero);
        self.leave_if(state, by_zero, "division by zero where the program form has no obligation");
        match op {
            BinaryOp::UDiv => self.terms.udiv(x, y),
            BinaryOp::SDiv => self.terms.sdiv(x, y),
            BinaryOp::URem => self.terms.urem(x, y),
            BinaryOp::SRem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.terms.srem(x, y),
        }
    }

    /// A shift; arbitrary if the amount is the width or more.
    fn shift(&mut self, op: BinaryOp, x: TermId, amount: TermId) -> TermId {
        let shifted = match op {
            BinaryOp::Shl => self.terms.shl(x, amount),
            BinaryOp::LShr => self.terms.lshr(x, amount),
            BinaryOp::AShr
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.terms.ashr(x, amount),
        };
        let width = self.terms.width(x);
        let limit = self.terms.number(width, width.into());
        let in_range = self.terms.ult(amount, limit);
        if self.terms.is_true(in_range) || (width == 1 && self.terms.as_const(amount).is_some_and(|a| a.is_zero())) {
            return shifted;
        }
        self.uses(amount);
        let arbitrary = self.fresh(width, Origin::Arbitrary);
        let out = self.terms.not(in_range);
        let when = self.terms.and(self.here, out);
        self.out
            .note_event(when, RunQuestion::Arbitrary { term: arbitrary, ty: Type::Int(width as u16), span: self.span });
        self.terms.ite(in_range, shifted, arbitrary)
    }

    /// Whether an operation overflows.
    pub(crate) fn overflows(&mut self, op: OverflowOp, signed: bool, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        Value::Bits(match (op, signed) {
            (OverflowOp::Add, true) => self.terms.sadd_overflow(x, y),
            (OverflowOp::Add, false) => self.terms.uadd_overflow(x, y),
            (OverflowOp::Sub, true) => self.terms.ssub_overflow(x, y),
            (OverflowOp::Sub, false) => self.terms.usub_overflow(x, y),
            (OverflowOp::Mul, true) => self.terms.smul_overflow(x, y),
            (OverflowOp::Mul, false) => self.terms.umul_overflow(x, y),
        })
    }

    /// Bit counting and permuting.
    pub(crate) fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        Value::Bits(match op {
            UnaryOp::CountOnes => self.terms.popcount(x),
            UnaryOp::LeadingZeros => self.terms.clz(x),
            UnaryOp::TrailingZeros => self.terms.ctz(x),
            UnaryOp::ByteSwap => self.terms.bswap(x),
            UnaryOp::BitReverse => {
                let bits = (1..self.terms.width(x)).map(|index| (index, index));
                let first = self.terms.extract(0, 0, x);
                bits.fold(first, |reversed, (high, low)| {
                    let bit = self.terms.extract(high, low, x);
                    self.terms.concat(reversed, bit)
                })
            }
        })
    }

    /// A conversion.
    pub(crate) fn cast(&mut self, op: CastOp, value: Value, from: Type, to: Type) -> Value {
        let width = u32::from(to.int_width().unwrap_or_else(|| self.bits_of(to)));
        match op {
            CastOp::Trunc | CastOp::ZExt => {
                let number = self.number_of(value);
                Value::Bits(self.fit_width(number, width))
            }
            CastOp::SExt => {
                let number = self.number_of(value);
                Value::Bits(self.terms.sext(number, width))
            }
            CastOp::PtrToInt => {
                let pointer = self.as_pointer(value);
                let integer = self.address_integer(pointer);
                self.as_type(integer, to)
            }
            CastOp::IntToPtr => Value::Ptr(match value {
                Value::Bits(bits) => {
                    let bits = self.fit_width(bits, self.address_width());
                    self.pointers.single(&mut self.terms, Base::Bare, bits)
                }
                Value::Ptr(pointer) | Value::Addr(pointer) => pointer,
            }),
            CastOp::Bitcast => self.as_type(value, to),
            CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat => self.float_cast(op, value, from, to),
        }
    }

    /// The width of a value of a type.
    pub(crate) fn bits_of(&self, ty: Type) -> u16 {
        match ty {
            Type::Int(width) => width,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr => self.program.layout.pointer_bits(),
        }
    }

    /// The value as a condition.
    pub(crate) fn truth(&mut self, value: Value) -> TermId {
        match value {
            Value::Bits(bits) => {
                self.uses(bits);
                let zero = self.terms.number(self.terms.width(bits), 0);
                self.terms.ne(bits, zero)
            }
            Value::Ptr(pointer) | Value::Addr(pointer) => {
                let null = self.null();
                self.compare_pointers(IntPredicate::Ne, pointer, null)
            }
        }
    }

    /// An arbitrary value of a type, asked for as such.
    pub(crate) fn arbitrary(&mut self, ty: Type) -> Value {
        let width = self.bits_of(ty).into();
        if ty == Type::Ptr {
            let number = self.fresh(width, Origin::Undefined);
            return Value::Ptr(self.pointers.single(&mut self.terms, Base::Undefined, number));
        }
        let term = self.fresh(width, Origin::Arbitrary);
        self.out.note_event(self.here, RunQuestion::Arbitrary { term, ty, span: self.span });
        Value::Bits(term)
    }

    /// An undefined value of a type.
    pub(crate) fn undefined(&mut self, ty: Type) -> Value {
        let width = u32::from(self.bits_of(ty));
        let number = self.fresh(width, Origin::Undefined);
        if ty == Type::Ptr {
            return Value::Ptr(self.pointers.single(&mut self.terms, Base::Undefined, number));
        }
        Value::Bits(number)
    }
}
