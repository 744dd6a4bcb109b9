//! Integer instructions as terms.

use belay_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, Type, UnaryOp};
use belay_logic::bv::TermId;

use super::Store;
use super::execution::Execution;
use super::object::Origin;
use super::state::State;
use super::unrolling::RunQuestion;
use super::value::{Base, Value};

impl Store<'_> {
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

    /// The width of a value of a type.
    pub(crate) fn bits_of(&self, ty: Type) -> u16 {
        match ty {
            Type::Int(width) => width,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr => self.program.layout.pointer_bits(),
        }
    }
}

impl Execution<'_, '_> {
    /// Compares two integers or two pointers.
    pub(crate) fn compare(&mut self, op: IntPredicate, a: Value, b: Value) -> Value {
        let holds = match (a, b) {
            (Value::Bits(x), Value::Bits(y)) => {
                self.uses(x);
                self.uses(y);
                self.store.compare_numbers(op, x, y)
            }
            (Value::Ptr(_) | Value::Addr(_), _) | (_, Value::Ptr(_) | Value::Addr(_)) => {
                let (p, q) = (self.store.as_pointer(a), self.store.as_pointer(b));
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
            BinaryOp::Add => self.store.terms.add(x, y),
            BinaryOp::Sub => self.store.terms.sub(x, y),
            BinaryOp::Mul => self.store.terms.mul(x, y),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => self.divide(state, op, x, y),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift(op, x, y),
            BinaryOp::And => self.store.terms.and(x, y),
            BinaryOp::Or => self.store.terms.or(x, y),
            BinaryOp::Xor => self.store.terms.xor(x, y),
        };
        Value::Bits(value)
    }

    /// A division; what happens at divisor 0 is the business of an obligation before it.
    fn divide(&mut self, state: &mut State, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        let zero = self.store.terms.number(self.store.terms.width(y), 0);
        let by_zero = self.store.terms.eq(y, zero);
        self.leave_if(state, by_zero, "division by zero where the program form has no obligation");
        match op {
            BinaryOp::UDiv => self.store.terms.udiv(x, y),
            BinaryOp::SDiv => self.store.terms.sdiv(x, y),
            BinaryOp::URem => self.store.terms.urem(x, y),
            BinaryOp::SRem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.store.terms.srem(x, y),
        }
    }

    /// A shift; arbitrary if the amount is the width or more.
    fn shift(&mut self, op: BinaryOp, x: TermId, amount: TermId) -> TermId {
        let shifted = match op {
            BinaryOp::Shl => self.store.terms.shl(x, amount),
            BinaryOp::LShr => self.store.terms.lshr(x, amount),
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
            | BinaryOp::Xor => self.store.terms.ashr(x, amount),
        };
        let width = self.store.terms.width(x);
        let limit = self.store.terms.number(width, width.into());
        let in_range = self.store.terms.ult(amount, limit);
        if self.store.terms.is_true(in_range)
            || (width == 1 && self.store.terms.as_const(amount).is_some_and(|a| a.is_zero()))
        {
            return shifted;
        }
        self.uses(amount);
        let arbitrary = self.fresh(width, Origin::Arbitrary);
        let out = self.store.terms.not(in_range);
        let when = self.store.terms.and(self.here, out);
        self.out.note_event(
            when,
            RunQuestion::Arbitrary { term: arbitrary, ty: Type::Int(width as u16), span: self.at.span },
        );
        self.store.terms.ite(in_range, shifted, arbitrary)
    }

    /// Whether an operation overflows.
    pub(crate) fn overflows(&mut self, op: OverflowOp, signed: bool, a: Value, b: Value) -> Value {
        let (x, y) = (self.number_of(a), self.number_of(b));
        self.uses(x);
        self.uses(y);
        Value::Bits(match (op, signed) {
            (OverflowOp::Add, true) => self.store.terms.sadd_overflow(x, y),
            (OverflowOp::Add, false) => self.store.terms.uadd_overflow(x, y),
            (OverflowOp::Sub, true) => self.store.terms.ssub_overflow(x, y),
            (OverflowOp::Sub, false) => self.store.terms.usub_overflow(x, y),
            (OverflowOp::Mul, true) => self.store.terms.smul_overflow(x, y),
            (OverflowOp::Mul, false) => self.store.terms.umul_overflow(x, y),
        })
    }

    /// Bit counting and permuting.
    pub(crate) fn unary(&mut self, op: UnaryOp, value: Value) -> Value {
        let x = self.number_of(value);
        self.uses(x);
        Value::Bits(match op {
            UnaryOp::CountOnes => self.store.terms.popcount(x),
            UnaryOp::LeadingZeros => self.store.terms.clz(x),
            UnaryOp::TrailingZeros => self.store.terms.ctz(x),
            UnaryOp::ByteSwap => self.store.terms.bswap(x),
            UnaryOp::BitReverse => {
                let bits = (1..self.store.terms.width(x)).map(|index| (index, index));
                let first = self.store.terms.extract(0, 0, x);
                bits.fold(first, |reversed, (high, low)| {
                    let bit = self.store.terms.extract(high, low, x);
                    self.store.terms.concat(reversed, bit)
                })
            }
        })
    }

    /// A conversion.
    pub(crate) fn cast(&mut self, op: CastOp, value: Value, from: Type, to: Type) -> Value {
        let width = u32::from(to.int_width().unwrap_or_else(|| self.store.bits_of(to)));
        match op {
            CastOp::Trunc | CastOp::ZExt => {
                let number = self.number_of(value);
                Value::Bits(self.store.fit_width(number, width))
            }
            CastOp::SExt => {
                let number = self.number_of(value);
                Value::Bits(self.store.terms.sext(number, width))
            }
            CastOp::PtrToInt => {
                let pointer = self.store.as_pointer(value);
                let integer = self.address_integer(pointer);
                self.as_type(integer, to)
            }
            CastOp::IntToPtr => Value::Ptr(match value {
                Value::Bits(bits) => {
                    let bits = self.store.fit_width(bits, self.store.address_width());
                    self.store.pointers.single(&mut self.store.terms, Base::Bare, bits)
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

    /// The value as a condition.
    pub(crate) fn truth(&mut self, value: Value) -> TermId {
        match value {
            Value::Bits(bits) => {
                self.uses(bits);
                let zero = self.store.terms.number(self.store.terms.width(bits), 0);
                self.store.terms.ne(bits, zero)
            }
            Value::Ptr(pointer) | Value::Addr(pointer) => {
                let null = self.store.null();
                self.compare_pointers(IntPredicate::Ne, pointer, null)
            }
        }
    }

    /// An arbitrary value of a type, asked for as such.
    pub(crate) fn arbitrary(&mut self, ty: Type) -> Value {
        let width = self.store.bits_of(ty).into();
        if ty == Type::Ptr {
            let number = self.fresh(width, Origin::Undefined);
            return Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Undefined, number));
        }
        let term = self.fresh(width, Origin::Arbitrary);
        self.out.note_event(self.here, RunQuestion::Arbitrary { term, ty, span: self.at.span });
        Value::Bits(term)
    }

    /// An undefined value of a type.
    pub(crate) fn undefined(&mut self, ty: Type) -> Value {
        let width = u32::from(self.store.bits_of(ty));
        let number = self.fresh(width, Origin::Undefined);
        if ty == Type::Ptr {
            return Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Undefined, number));
        }
        Value::Bits(number)
    }
}
