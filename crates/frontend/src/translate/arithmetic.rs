//! Arithmetic, comparisons and casts. Divisions carry obligations of their own; those of other arithmetic come from clang's
//! checks, which are calls.

use belay_ir::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, ObligationDetail, Op, Operand,
    Property, Type,
};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::{is_move_only, is_vector, leaves_of, move_only_name};
use super::x87::is_x87;
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, Value};

enum Kind {
    Int(BinaryOp),
    Float(FloatBinaryOp),
    Negate,
    IntCompare,
    FloatCompare,
}

fn kind_of(opcode: LLVMOpcode) -> Kind {
    use LLVMOpcode::*;
    match opcode {
        LLVMAdd => Kind::Int(BinaryOp::Add),
        LLVMSub => Kind::Int(BinaryOp::Sub),
        LLVMMul => Kind::Int(BinaryOp::Mul),
        LLVMUDiv => Kind::Int(BinaryOp::UDiv),
        LLVMSDiv => Kind::Int(BinaryOp::SDiv),
        LLVMURem => Kind::Int(BinaryOp::URem),
        LLVMSRem => Kind::Int(BinaryOp::SRem),
        LLVMShl => Kind::Int(BinaryOp::Shl),
        LLVMLShr => Kind::Int(BinaryOp::LShr),
        LLVMAShr => Kind::Int(BinaryOp::AShr),
        LLVMAnd => Kind::Int(BinaryOp::And),
        LLVMOr => Kind::Int(BinaryOp::Or),
        LLVMXor => Kind::Int(BinaryOp::Xor),
        LLVMFAdd => Kind::Float(FloatBinaryOp::Add),
        LLVMFSub => Kind::Float(FloatBinaryOp::Sub),
        LLVMFMul => Kind::Float(FloatBinaryOp::Mul),
        LLVMFDiv => Kind::Float(FloatBinaryOp::Div),
        LLVMFRem => Kind::Float(FloatBinaryOp::Rem),
        LLVMFNeg => Kind::Negate,
        LLVMICmp => Kind::IntCompare,
        LLVMFCmp => Kind::FloatCompare,
        other => unreachable!("{other:?} is not arithmetic"),
    }
}

impl FunctionTranslator<'_, '_> {
    pub(super) fn arithmetic(&mut self, inst: Value) -> Leaves {
        let operand_ty = inst.operand(0).ty();
        if is_x87(operand_ty) {
            return self.x87_arithmetic(inst);
        }
        if is_move_only(operand_ty) {
            return self.unhandled(move_only_name(operand_ty), inst.ty());
        }
        if self.is_fast(inst) {
            return self.unhandled("arithmetic with fast-math flags".to_owned(), inst.ty());
        }
        if let Err(what) = leaves_of(self.module.layout, operand_ty) {
            return self.unsupported(what, inst.ty());
        }
        if let Some(same) = self.object_comparison(inst) {
            return Leaves::from_elem(same, 1);
        }
        let operands: Vec<Value> = (0..inst.operand_count()).map(|index| inst.operand(index)).collect();
        if is_vector(operand_ty) {
            return self.elementwise(inst, &operands, |this, args| Some(this.compute(inst, args)));
        }
        let args: Vec<Operand> = operands.into_iter().map(|operand| self.scalar(operand)).collect();
        Leaves::from_elem(self.compute(inst, &args), 1)
    }

    /// The instruction on scalars.
    fn compute(&mut self, inst: Value, args: &[Operand]) -> Operand {
        let lhs = args[0];
        let rhs = args.get(1).copied().unwrap_or(lhs);
        let ty = self.operand_type(lhs);
        match kind_of(inst.opcode()) {
            Kind::Negate => self.emit(Op::FloatUnary { op: FloatUnaryOp::Neg, value: lhs }, ty),
            Kind::Int(op) => {
                self.division_obligations(op, lhs, rhs);
                self.exclude_poison(inst, op, lhs, rhs);
                self.check_unchecked(inst, op, lhs, rhs);
                self.emit(Op::Binary { op, lhs, rhs }, ty)
            }
            Kind::Float(op) => self.emit(Op::FloatBinary { op, lhs, rhs }, ty),
            Kind::IntCompare => {
                self.exclude_poison_of_comparison(inst, lhs, rhs);
                self.emit(Op::Compare { op: int_predicate(inst.int_predicate()), lhs, rhs }, Type::BOOL)
            }
            Kind::FloatCompare => {
                self.emit(Op::FloatCompare { op: float_predicate(inst.float_predicate()), lhs, rhs }, Type::BOOL)
            }
        }
    }

    /// A divisor that may be zero, or -1 under the least dividend, is checked here rather than by clang's combined check, which
    /// does not tell the two apart.
    fn division_obligations(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let signed = match op {
            BinaryOp::SDiv | BinaryOp::SRem => true,
            BinaryOp::UDiv | BinaryOp::URem => false,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => return,
        };
        let Type::Int(width) = self.operand_type(rhs) else { return };
        let minus_one = Operand::int(width, u128::MAX);
        if rhs.as_int().is_none_or(|divisor| divisor == 0) {
            let obligation = self.obligation(Property::Arithmetic, ObligationDetail::DivisionByZero);
            let cond = self.differs(rhs, Operand::int(width, 0));
            self.emit_effect(Op::Check { cond, obligation });
        }
        let may_be_minus_one = rhs.as_int().is_none_or(|_| rhs == minus_one);
        if signed && may_be_minus_one && width > 1 {
            let obligation = self.obligation(Property::NoOverflow, ObligationDetail::DivisionOverflow);
            let not_least = self.differs(lhs, Operand::int(width, 1 << (width - 1)));
            let not_minus_one = self.differs(rhs, minus_one);
            let cond = self.emit(Op::Binary { op: BinaryOp::Or, lhs: not_least, rhs: not_minus_one }, Type::BOOL);
            self.emit_effect(Op::Check { cond, obligation });
        }
    }

    fn differs(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(Op::Compare { op: IntPredicate::Ne, lhs, rhs }, Type::BOOL)
    }

    pub(super) fn cast(&mut self, inst: Value) -> Leaves {
        use LLVMOpcode::*;
        let (from, to) = (inst.operand(0).ty(), inst.ty());
        let opcode = inst.opcode();
        if opcode != LLVMBitCast && (is_x87(from) || is_x87(to)) {
            return self.x87_cast(inst);
        }
        if opcode != LLVMBitCast && (is_move_only(from) || is_move_only(to)) {
            let name = move_only_name(if is_move_only(from) { from } else { to });
            return self.unhandled(name, to);
        }
        if self.is_fast(inst) {
            return self.unhandled("a conversion with fast-math flags".to_owned(), to);
        }
        if let Err(what) = leaves_of(self.module.layout, from) {
            return self.unsupported(what, to);
        }
        if opcode == LLVMBitCast && (is_vector(from) || is_vector(to)) {
            return self.bitcast_vector(inst);
        }
        let element = if is_vector(to) { to.element() } else { to };
        let Some(ty) = self.module.types(element).first().copied() else {
            return self.unsupported(format!("type {}", to.describe()), to);
        };
        if is_vector(to) {
            return self
                .elementwise(inst, &[inst.operand(0)], |this, args| Some(this.cast_scalar(inst, opcode, args[0], ty)));
        }
        let value = self.scalar(inst.operand(0));
        Leaves::from_elem(self.cast_scalar(inst, opcode, value, ty), 1)
    }

    fn cast_scalar(&mut self, inst: Value, opcode: LLVMOpcode, value: Operand, ty: Type) -> Operand {
        use LLVMOpcode::*;
        self.exclude_poison_of_cast(inst, value, ty);
        match opcode {
            LLVMTrunc => self.convert(CastOp::Trunc, value, ty),
            LLVMZExt => self.convert(CastOp::ZExt, value, ty),
            LLVMSExt => self.convert(CastOp::SExt, value, ty),
            LLVMFPToUI | LLVMFPToSI => {
                let op = if opcode == LLVMFPToUI { CastOp::FloatToUnsigned } else { CastOp::FloatToSigned };
                self.check_element_fits(inst, op, value, ty);
                self.convert(op, value, ty)
            }
            LLVMUIToFP => self.convert(CastOp::UnsignedToFloat, value, ty),
            LLVMSIToFP => self.convert(CastOp::SignedToFloat, value, ty),
            LLVMFPTrunc | LLVMFPExt => self.convert(CastOp::FloatToFloat, value, ty),
            LLVMPtrToInt | LLVMPtrToAddr => {
                self.refuse_number_of_address(inst);
                self.pointer_to_int(value, ty)
            }
            LLVMIntToPtr => {
                let wide = self.zero_extended_to_address(value);
                self.pointer_of_number(wide)
            }
            _ => self.bitcast(inst, value, ty),
        }
    }

    pub(super) fn convert(&mut self, op: CastOp, value: Operand, ty: Type) -> Operand {
        self.emit(Op::Cast { op, value }, ty)
    }

    fn pointer_to_int(&mut self, value: Operand, ty: Type) -> Operand {
        let address = self.module.program.layout.address_type();
        let number = self.convert(CastOp::PtrToInt, value, address);
        match (ty, address) {
            (Type::Int(to), Type::Int(from)) if to < from => self.convert(CastOp::Trunc, number, ty),
            (Type::Int(to), Type::Int(from)) if to > from => self.convert(CastOp::ZExt, number, ty),
            (_, _) => number,
        }
    }

    fn zero_extended_to_address(&mut self, value: Operand) -> Operand {
        let address = self.module.program.layout.address_type();
        match (self.operand_type(value), address) {
            (Type::Int(from), Type::Int(to)) if from < to => self.convert(CastOp::ZExt, value, address),
            (Type::Int(from), Type::Int(to)) if from > to => self.convert(CastOp::Trunc, value, address),
            (_, _) => value,
        }
    }

    fn bitcast(&mut self, inst: Value, value: Operand, ty: Type) -> Operand {
        let from = self.operand_type(value);
        if from == ty {
            return value;
        }
        let layout = self.module.program.layout;
        let single = self.module.types(inst.operand(0).ty()).len() == 1 && self.module.types(inst.ty()).len() == 1;
        if !single || layout.store_size(from) != layout.store_size(ty) || from == Type::Ptr || ty == Type::Ptr {
            return self.unsupported("a value read as another type".to_owned(), inst.ty())[0];
        }
        self.convert(CastOp::Bitcast, value, ty)
    }
}

fn int_predicate(predicate: LLVMIntPredicate) -> IntPredicate {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
    }
}

pub(super) fn float_predicate(predicate: LLVMRealPredicate) -> FloatPredicate {
    match predicate {
        LLVMRealPredicate::LLVMRealPredicateFalse => FloatPredicate::False,
        LLVMRealPredicate::LLVMRealOEQ => FloatPredicate::Oeq,
        LLVMRealPredicate::LLVMRealOGT => FloatPredicate::Ogt,
        LLVMRealPredicate::LLVMRealOGE => FloatPredicate::Oge,
        LLVMRealPredicate::LLVMRealOLT => FloatPredicate::Olt,
        LLVMRealPredicate::LLVMRealOLE => FloatPredicate::Ole,
        LLVMRealPredicate::LLVMRealONE => FloatPredicate::One,
        LLVMRealPredicate::LLVMRealORD => FloatPredicate::Ord,
        LLVMRealPredicate::LLVMRealUNO => FloatPredicate::Uno,
        LLVMRealPredicate::LLVMRealUEQ => FloatPredicate::Ueq,
        LLVMRealPredicate::LLVMRealUGT => FloatPredicate::Ugt,
        LLVMRealPredicate::LLVMRealUGE => FloatPredicate::Uge,
        LLVMRealPredicate::LLVMRealULT => FloatPredicate::Ult,
        LLVMRealPredicate::LLVMRealULE => FloatPredicate::Ule,
        LLVMRealPredicate::LLVMRealUNE => FloatPredicate::Une,
        LLVMRealPredicate::LLVMRealPredicateTrue => FloatPredicate::True,
    }
}
