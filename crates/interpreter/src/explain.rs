//! What people want to know about a failed check: the operands. A check names only its condition, so they are looked for
//! among the values that it was computed from, and in the operation that follows.

use belay_ir::{BinaryOp, CastOp, Function, InstId, Op, Operand, Terminator, Type};

use crate::code::Origin;
use crate::integers::Integers;
use crate::observer::Observer;
use crate::report::{Fault, Operands};
use crate::run::Run;
use crate::value::{Pointer, Value};

/// How far to look.
const DEPTH: u32 = 6;

impl<M: Integers, O: Observer> Run<'_, M, O> {
    fn current_function(&self) -> &Function {
        &self.program.functions[self.code.function]
    }

    /// The operands of the arithmetic that the check at hand is about.
    pub(crate) fn find_checked_operands(&self) -> Option<Operands> {
        let origin = self.origin()?;
        let function = self.current_function();
        let Op::Check { cond, .. } = &function.insts[origin.inst?].op else { return None };
        // The check may stand in a block of its own, to which a branch on the condition leads.
        let branched = function.blocks.iter().filter_map(|block| match &block.term {
            Terminator::Branch { cond, then, otherwise } if [*then, *otherwise].contains(&origin.block) => Some(*cond),
            _ => None,
        });
        for cond in std::iter::once(*cond).chain(branched) {
            if let Operand::Inst(inst) = cond
                && let Some((lhs, rhs)) = overflow_operands(function, inst, DEPTH)
            {
                return self.operands(lhs, rhs);
            }
        }
        self.following(origin).find_map(|inst| {
            let Op::Binary { op, lhs, rhs } = &function.insts[inst].op else { return None };
            let partial = match op {
                BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => true,
                BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => true,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => false,
            };
            if partial { self.operands(*lhs, *rhs) } else { None }
        })
    }

    /// The instructions after the one at hand: in its block, then in the block that this one jumps to.
    fn following(&self, origin: &Origin) -> impl Iterator<Item = InstId> {
        let function = self.current_function();
        let block = &function.blocks[origin.block];
        let next = match &block.term {
            Terminator::Jump(target) => &function.blocks[*target].insts[..],
            Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Return(_)
            | Terminator::Unreachable { .. } => &[],
        };
        block.insts[origin.index as usize + 1..].iter().chain(next).take(12).copied()
    }

    /// What is wrong with the pointer whose alignment the check at hand is about.
    pub(crate) fn misaligned(&self, align: u32) -> Fault {
        let function = self.current_function();
        let op_of = |operand: Operand| match operand {
            Operand::Inst(inst) => Some(&function.insts[inst].op),
            _ => None,
        };
        let pointer = || {
            let Op::Check { cond, .. } = &function.insts[self.origin()?.inst?].op else { return None };
            let Op::Compare { lhs: rest, .. } = op_of(*cond)? else { return None };
            let Op::Binary { lhs: address, .. } = op_of(*rest)? else { return None };
            let Op::Cast { value, .. } = op_of(*address)? else { return None };
            match self.known(*value)? {
                Value::Ptr(pointer) => Some(pointer),
                _ => None,
            }
        };
        let pointer = pointer();
        let address = match pointer {
            Some(Pointer::Bare(address)) => Some(address),
            Some(Pointer::Object { id, offset }) => {
                self.memory.object(id).address.map(|start| start.wrapping_add_signed(offset))
            }
            Some(Pointer::Mark(_)) | None => None,
        };
        Fault::Misaligned { place: self.object_of(pointer), address, align }
    }

    /// The float that the check at hand is about.
    pub(crate) fn find_checked_float(&self) -> Option<f64> {
        let origin = self.origin()?;
        let function = self.current_function();
        self.following(origin).find_map(|inst| {
            let op = &function.insts[inst].op;
            let Op::Cast { op: CastOp::FloatToSigned | CastOp::FloatToUnsigned, value } = op else { return None };
            match self.known(*value)? {
                Value::F32(value) => Some(f64::from(value)),
                Value::F64(value) => Some(value),
                _ => None,
            }
        })
    }

    fn operands(&self, lhs: Operand, rhs: Operand) -> Option<Operands> {
        let width = self.current_function().operand_type(lhs)?.int_width()?;
        let number = |operand| match self.known(operand)? {
            Value::Int(int) => Some(M::signed(width, &int)),
            _ => None,
        };
        Some(Operands { lhs: number(lhs)?, rhs: number(rhs)?, width })
    }

    fn known(&self, operand: Operand) -> Option<Value<M::Int>> {
        use belay_base::Id;
        match operand {
            Operand::Int { width, value } => Some(Value::Int(M::from_bits(width, value))),
            Operand::F32(value) => Some(Value::F32(value)),
            Operand::F64(value) => Some(Value::F64(value)),
            Operand::Param(index) => self.registers.get(self.base + index as usize).cloned(),
            Operand::Inst(inst) => {
                let register = (*self.code.register_of.get(inst.index())?)?;
                self.registers.get(self.base + register as usize).cloned()
            }
            Operand::Null | Operand::Global { .. } | Operand::Func(_) | Operand::Undef(_) => None,
        }
    }
}

/// The operands of the overflow question that a condition comes from.
fn overflow_operands(function: &Function, inst: InstId, depth: u32) -> Option<(Operand, Operand)> {
    let op = &function.insts[inst].op;
    if let Op::Overflows { lhs, rhs, .. } = op {
        return Some((*lhs, *rhs));
    }
    let mut found = None;
    if depth > 0 && function.insts[inst].ty == Some(Type::BOOL) {
        op.for_each_operand(|operand| {
            if let (None, Operand::Inst(below)) = (found, operand) {
                found = overflow_operands(function, *below, depth - 1);
            }
        });
    }
    found
}
