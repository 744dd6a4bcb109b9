//! Operations that C leaves undefined and clang's sanitizers do not look at: those on elements of vectors, and on the parts of complex integers.
//!
//! - A *subscript* of a vector beyond its elements is undefined (GCC's manual, "Vector Extensions"): an obligation in code from C, no verdict in IR that the user gives, where the result is poison. clang
//!   hands on an index of a type narrower than `int` as it is: where it would matter whether that is signed, there is no verdict in C either.
//! - *Shifts* of elements by too much, and *conversions* of elements from floats that do not fit, are undefined like those of scalars.
//! - *Overflow* of what is signed is undefined as well; but the instruction does not say whether the type is. So a run in which it overflows as signed speaks neither for nor against
//!   `no-overflow` ([`ObligationDetail::OfUnknownSign`]): a proof shows that there is none, and none counts as a violation. What loses bits when an element is shifted left is not looked at.
//!
//! Scalars are told by their checks: of those that are signed clang adds, subtracts and multiplies by intrinsics. Parts of complex numbers, and most of what is
//! computed of them, have names that nothing in C can have ([`PARTS`]).

use belay_ir::{
    BinaryOp, CastOp, FloatPredicate, IntPredicate, ObligationDetail, Op, Operand, OverflowOp, Property, Type,
};

use super::function::FunctionTranslator;
use super::leaves::is_vector;
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};

/// So deep the operands of an operation are looked through for parts of complex numbers.
const MAX_DEPTH: u32 = 6;

impl FunctionTranslator<'_, '_> {
    /// Before an operation on integers, which may be one on an element or a part.
    pub(super) fn check_unchecked(&mut self, inst: Value, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let Type::Int(width) = self.operand_type(lhs) else { return };
        if self.is_given_as_ir() {
            return;
        }
        let overflow = match op {
            BinaryOp::Add => OverflowOp::Add,
            BinaryOp::Sub => OverflowOp::Sub,
            BinaryOp::Mul => OverflowOp::Mul,
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                if is_vector(inst.ty()) && rhs.as_int().is_none_or(|amount| amount >= u128::from(width)) {
                    let cond = self.compared(IntPredicate::Ult, rhs, Operand::int(width, u128::from(width)));
                    self.check_that(cond, Property::Arithmetic, ObligationDetail::Shift);
                }
                return;
            }
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => return,
        };
        // What is made of pointers, and truth values, are no elements that C adds.
        if width > 1 && (is_vector(inst.ty()) || is_part_of_complex(inst, MAX_DEPTH)) {
            let overflows = self.emit(Op::Overflows { op: overflow, signed: true, lhs, rhs }, Type::BOOL);
            let cond = self.compared(IntPredicate::Eq, overflows, Operand::bool(false));
            self.check_that(cond, Property::NoOverflow, ObligationDetail::OfUnknownSign);
        }
    }

    /// Before an element that is a float becomes an integer: that it fits, less what is cut off behind the point.
    pub(super) fn check_element_fits(&mut self, inst: Value, op: CastOp, value: Operand, ty: Type) {
        let signed = op == CastOp::FloatToSigned;
        let (Type::Int(width), from) = (ty, self.operand_type(value)) else { return };
        if self.is_given_as_ir()
            || !is_vector(inst.ty())
            || !matches!(op, CastOp::FloatToSigned | CastOp::FloatToUnsigned)
        {
            return;
        }
        let digits = if from == Type::F32 { 24 } else { 53 };
        let number = |value: f64| if from == Type::F32 { Operand::F32(value as f32) } else { Operand::F64(value) };
        let beyond = 2f64.powi(i32::from(width) - i32::from(signed));
        // The first number below the range that is a float: one less than the least, or where that is none the least itself is the last that fits.
        let (low, above) = match (signed, i32::from(width) - 1 < digits) {
            (false, _) => (-1.0, FloatPredicate::Ogt),
            (true, true) => (-beyond - 1.0, FloatPredicate::Ogt),
            (true, false) => (-beyond, FloatPredicate::Oge),
        };
        let above = self.emit(Op::FloatCompare { op: above, lhs: value, rhs: number(low) }, Type::BOOL);
        let below =
            self.emit(Op::FloatCompare { op: FloatPredicate::Olt, lhs: value, rhs: number(beyond) }, Type::BOOL);
        let cond = self.emit(Op::Binary { op: BinaryOp::And, lhs: above, rhs: below }, Type::BOOL);
        self.check_that(cond, Property::Arithmetic, ObligationDetail::FloatCast);
    }

    /// Before an element is read or written: that there is one of this number.
    pub(super) fn check_subscript(&mut self, index: Operand, count: usize) {
        let Type::Int(width) = self.operand_type(index) else { return };
        let beyond = 1u128.checked_shl(u32::from(width)).unwrap_or(u128::MAX);
        // An index that is narrower than `int` comes as it is, and nothing says whether its type is signed.
        let is_narrow = (2..32).contains(&width) && !self.is_given_as_ir();
        let agreed = if is_narrow { (count as u128).min(beyond / 2) } else { count as u128 };
        if index.as_int().is_some_and(|index| index < agreed) || (!is_narrow && count as u128 >= beyond) {
            return;
        }
        if is_narrow {
            let what = "a subscript of a vector by a type that is narrower than int".to_owned();
            return self.emit_effect(Op::Unsupported { what });
        }
        let count = Operand::int(width, count as u128);
        if self.is_given_as_ir() {
            return self.refuse_where(IntPredicate::Uge, index, count);
        }
        let cond = self.compared(IntPredicate::Ult, index, count);
        self.check_that(cond, Property::ValidDeref, ObligationDetail::Promise("vector"));
    }

    fn compared(&mut self, op: IntPredicate, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(Op::Compare { op, lhs, rhs }, Type::BOOL)
    }

    fn check_that(&mut self, cond: Operand, property: Property, detail: ObligationDetail) {
        let obligation = self.obligation(property, detail);
        self.emit_effect(Op::Check { cond, obligation });
    }
}

/// What clang calls the parts of results of complex arithmetic, and what it computes on the way there; a number may follow.
const PARTS: [&str; 12] =
    ["add.r", "add.i", "sub.r", "sub.i", "mul.rl", "mul.rr", "mul.r", "mul.il", "mul.ir", "mul.i", "neg.r", "neg.i"];

/// True for what is a part of a complex number or computed from one. clang names what it loads there `z.real` and `z.imag`, and most results by [`PARTS`]; quotients and what is counted up have no names
/// of their own, but operands that have, or that a call has returned in two parts.
fn is_part_of_complex(value: Value, depth: u32) -> bool {
    if value.kind() != LLVMValueKind::LLVMInstructionValueKind || depth == 0 {
        return false;
    }
    let name = value.name();
    if PARTS.contains(&name.trim_end_matches(|letter: char| letter.is_ascii_digit())) {
        return true;
    }
    match value.opcode() {
        LLVMOpcode::LLVMLoad => [".real", ".imag"].iter().any(|part| name.contains(part)),
        LLVMOpcode::LLVMExtractValue => {
            let whole = value.operand(0);
            let is_call =
                whole.kind() == LLVMValueKind::LLVMInstructionValueKind && whole.opcode() == LLVMOpcode::LLVMCall;
            is_call && !whole.callee().name().starts_with("llvm.")
        }
        LLVMOpcode::LLVMAdd
        | LLVMOpcode::LLVMSub
        | LLVMOpcode::LLVMMul
        | LLVMOpcode::LLVMPHI
        | LLVMOpcode::LLVMSExt
        | LLVMOpcode::LLVMZExt
        | LLVMOpcode::LLVMTrunc => {
            (0..value.operand_count()).any(|index| is_part_of_complex(value.operand(index), depth - 1))
        }
        _ => false,
    }
}
