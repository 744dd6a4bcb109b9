//! Poison, in functions that the user gives as LLVM IR.
//!
//! There `add nsw` and its kin stand without clang's checks: where they overflow their result is *poison*, which is harmless until something depends on it, and then is
//! undefined behaviour. An optimiser moves such instructions to where their result is not needed; so an overflow there is no violation by itself, and none may be taken
//! for a number either. What is done here is sound for both answers: a run in which such a result would be poison ends there without a verdict (a model is called that
//! gives up), so that a proof shows that there is none and no violation follows one. Code that was translated from C has checks before each such instruction instead.
//!
//! `inbounds` and `nuw` of address arithmetic are not looked at: an access through such an address is an obligation of its own, in C as in IR.

use belay_ir::{BinaryOp, Callee, CastOp, IntPredicate, Op, Operand, OverflowOp, Type};

use super::function::FunctionTranslator;
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};

/// The model that gives up.
pub const NOT_POISON: &str = "__belay_not_poison";

impl FunctionTranslator<'_, '_> {
    /// Before arithmetic: that its result is no poison.
    pub(super) fn exclude_poison(&mut self, inst: Value, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let (true, Type::Int(width)) = (self.is_instruction_of_user(inst), self.operand_type(lhs)) else { return };
        let ty = Type::Int(width);
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let (signed, unsigned) = inst.no_wrap();
                let kind = match op {
                    BinaryOp::Add => OverflowOp::Add,
                    BinaryOp::Sub => OverflowOp::Sub,
                    _ => OverflowOp::Mul,
                };
                for signed in [(signed, true), (unsigned, false)].into_iter().filter(|(has, _)| *has).map(|(_, s)| s) {
                    let poison = self.emit(Op::Overflows { op: kind, signed, lhs, rhs }, Type::BOOL);
                    self.refuse_poison(poison);
                }
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                if rhs.as_int().is_none_or(|amount| amount >= u128::from(width)) {
                    self.refuse_where(IntPredicate::Uge, rhs, Operand::int(width, u128::from(width)));
                }
                let back = match (op, inst.opcode()) {
                    (BinaryOp::Shl, LLVMOpcode::LLVMShl) => {
                        let (signed, unsigned) = inst.no_wrap();
                        [(signed, BinaryOp::AShr), (unsigned, BinaryOp::LShr)]
                    }
                    (_, _) => [(inst.is_exact(), BinaryOp::Shl), (false, BinaryOp::Shl)],
                };
                for back in back.into_iter().filter(|(has, _)| *has).map(|(_, back)| back) {
                    let there = self.emit(Op::Binary { op, lhs, rhs }, ty);
                    let again = self.emit(Op::Binary { op: back, lhs: there, rhs }, ty);
                    self.refuse_where(IntPredicate::Ne, again, lhs);
                }
            }
            BinaryOp::UDiv | BinaryOp::SDiv if inst.is_exact() => {
                let op = if op == BinaryOp::UDiv { BinaryOp::URem } else { BinaryOp::SRem };
                let rest = self.emit(Op::Binary { op, lhs, rhs }, ty);
                self.refuse_where(IntPredicate::Ne, rest, Operand::int(width, 0));
            }
            BinaryOp::Or if inst.has_poison_flag() => {
                let common = self.emit(Op::Binary { op: BinaryOp::And, lhs, rhs }, ty);
                self.refuse_where(IntPredicate::Ne, common, Operand::int(width, 0));
            }
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => {}
        }
    }

    /// Before a conversion (`zext nneg`, `uitofp nneg`, `trunc nsw`, `trunc nuw`).
    pub(super) fn exclude_poison_of_cast(&mut self, inst: Value, value: Operand, ty: Type) {
        let (true, Type::Int(width)) = (self.is_instruction_of_user(inst), self.operand_type(value)) else { return };
        if inst.has_poison_flag() {
            self.refuse_where(IntPredicate::Slt, value, Operand::int(width, 0));
        }
        if inst.opcode() == LLVMOpcode::LLVMTrunc {
            let (signed, unsigned) = inst.no_wrap();
            let back = [(signed, CastOp::SExt), (unsigned, CastOp::ZExt)];
            for back in back.into_iter().filter(|(has, _)| *has).map(|(_, back)| back) {
                let there = self.convert(CastOp::Trunc, value, ty);
                let again = self.convert(back, there, Type::Int(width));
                self.refuse_where(IntPredicate::Ne, again, value);
            }
        }
    }

    /// Before a comparison (`icmp samesign`).
    pub(super) fn exclude_poison_of_comparison(&mut self, inst: Value, lhs: Operand, rhs: Operand) {
        let has_flag = self.is_instruction_of_user(inst) && inst.has_poison_flag();
        if let (true, Type::Int(width)) = (has_flag, self.operand_type(lhs)) {
            let differing = self.emit(Op::Binary { op: BinaryOp::Xor, lhs, rhs }, Type::Int(width));
            self.refuse_where(IntPredicate::Slt, differing, Operand::int(width, 0));
        }
    }

    /// True for an instruction on floats that the user's flags let give other results than IEEE 754.
    pub(super) fn is_fast(&self, inst: Value) -> bool {
        self.is_instruction_of_user(inst) && inst.is_fast()
    }

    pub(super) fn refuse_where(&mut self, op: IntPredicate, lhs: Operand, rhs: Operand) {
        let poison = self.emit(Op::Compare { op, lhs, rhs }, Type::BOOL);
        self.refuse_poison(poison);
    }

    /// Before an intrinsic that says by its last argument that one value gives poison (`ctlz`, `cttz`: 0; `abs`: the least).
    pub(super) fn exclude_poison_of(&mut self, args: &[Operand], bad: impl FnOnce(u16) -> u128) {
        let [value, flag] = args else { return };
        let Type::Int(width) = self.operand_type(*value) else { return };
        if self.is_given_as_ir() && flag.as_int() == Some(1) {
            self.refuse_where(IntPredicate::Eq, *value, Operand::int(width, bad(width)));
        }
    }

    fn refuse_poison(&mut self, poison: Operand) {
        let Some(id) = self.module.program.function_named(NOT_POISON) else {
            return self.emit_effect(Op::Unsupported { what: "the model of poison is missing".to_owned() });
        };
        let number = self.convert(CastOp::ZExt, poison, Type::Int(32));
        let (callee, args) = (Callee::Direct(id), vec![number]);
        self.emit_effect(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None });
    }

    fn is_instruction_of_user(&self, inst: Value) -> bool {
        self.is_given_as_ir() && inst.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    pub(super) fn is_given_as_ir(&self) -> bool {
        self.module.given_as_ir.contains(&self.module.program.functions[self.id].name)
    }
}
