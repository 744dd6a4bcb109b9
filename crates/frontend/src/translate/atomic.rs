//! Atomic read-modify-write operations: there is one thread, so each is a load, an operation and a store. A weak exchange does not
//! fail for no reason, as it does not on x86. Sums wrap, signed ones too (C17 7.17.7.5).

use belay_ir::{BinaryOp, FloatBinaryOp, IntPredicate, Op, Operand, Type};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::leaves_of;
use crate::llvm::{LLVMAtomicRMWBinOp, Value};

impl FunctionTranslator<'_, '_> {
    /// `atomicrmw`: the old value is the result.
    pub(super) fn atomic_update(&mut self, inst: Value) -> Leaves {
        let leaves = match leaves_of(self.module.layout, inst.ty()) {
            Ok(leaves) if leaves.len() == 1 => leaves,
            Ok(_) | Err(_) => return self.unsupported("atomic operation on this type".to_owned(), inst.ty()),
        };
        let (base, operand) = (self.scalar(inst.operand(0)), self.scalar(inst.operand(1)));
        let old = self.read_leaf(inst, base, leaves[0]);
        match self.translate_update(inst.atomic_operation(), old, operand, leaves[0].ty) {
            Some(new) => self.store_leaf(inst, base, leaves[0], new),
            None => return self.unsupported("atomic operation of this kind".to_owned(), inst.ty()),
        }
        Leaves::from_elem(old, 1)
    }

    fn translate_update(
        &mut self,
        op: LLVMAtomicRMWBinOp,
        old: Operand,
        operand: Operand,
        ty: Type,
    ) -> Option<Operand> {
        use LLVMAtomicRMWBinOp::*;
        let binary = |op| Op::Binary { op, lhs: old, rhs: operand };
        let float = |op| Op::FloatBinary { op, lhs: old, rhs: operand };
        let wins = match op {
            LLVMAtomicRMWBinOpXchg => return Some(operand),
            LLVMAtomicRMWBinOpAdd => return Some(self.emit(binary(BinaryOp::Add), ty)),
            LLVMAtomicRMWBinOpSub => return Some(self.emit(binary(BinaryOp::Sub), ty)),
            LLVMAtomicRMWBinOpAnd => return Some(self.emit(binary(BinaryOp::And), ty)),
            LLVMAtomicRMWBinOpOr => return Some(self.emit(binary(BinaryOp::Or), ty)),
            LLVMAtomicRMWBinOpXor => return Some(self.emit(binary(BinaryOp::Xor), ty)),
            LLVMAtomicRMWBinOpNand => {
                let both = self.emit(binary(BinaryOp::And), ty);
                let ones = Operand::int(ty.int_width()?, u128::MAX);
                return Some(self.emit(Op::Binary { op: BinaryOp::Xor, lhs: both, rhs: ones }, ty));
            }
            LLVMAtomicRMWBinOpFAdd => return Some(self.emit(float(FloatBinaryOp::Add), ty)),
            LLVMAtomicRMWBinOpFSub => return Some(self.emit(float(FloatBinaryOp::Sub), ty)),
            LLVMAtomicRMWBinOpFMax => return Some(self.emit(float(FloatBinaryOp::Max), ty)),
            LLVMAtomicRMWBinOpFMin => return Some(self.emit(float(FloatBinaryOp::Min), ty)),
            LLVMAtomicRMWBinOpMax => IntPredicate::Sgt,
            LLVMAtomicRMWBinOpMin => IntPredicate::Slt,
            LLVMAtomicRMWBinOpUMax => IntPredicate::Ugt,
            LLVMAtomicRMWBinOpUMin => IntPredicate::Ult,
            LLVMAtomicRMWBinOpUIncWrap
            | LLVMAtomicRMWBinOpUDecWrap
            | LLVMAtomicRMWBinOpUSubCond
            | LLVMAtomicRMWBinOpUSubSat
            | LLVMAtomicRMWBinOpFMaximum
            | LLVMAtomicRMWBinOpFMinimum => return None,
        };
        Some(self.extreme(wins, &[old, operand], ty))
    }

    /// `cmpxchg`: the old value, and whether it was the expected one. The place is written in any case, maybe with what it held.
    pub(super) fn atomic_exchange(&mut self, inst: Value) -> Leaves {
        let expected = inst.operand(1);
        let leaves = match leaves_of(self.module.layout, expected.ty()) {
            Ok(leaves) if leaves.len() == 1 => leaves,
            Ok(_) | Err(_) => return self.unsupported("atomic operation on this type".to_owned(), inst.ty()),
        };
        let base = self.scalar(inst.operand(0));
        let (expected, new) = (self.scalar(expected), self.scalar(inst.operand(2)));
        let old = self.read_leaf(inst, base, leaves[0]);
        let same = self.emit(Op::Compare { op: IntPredicate::Eq, lhs: old, rhs: expected }, Type::BOOL);
        let new = self.emit(Op::Select { cond: same, then: new, otherwise: old }, leaves[0].ty);
        self.store_leaf(inst, base, leaves[0], new);
        Leaves::from_slice(&[old, same])
    }
}
