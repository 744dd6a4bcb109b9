//! Addresses that are there without being anybody's object (`--mmio`): registers of devices.
//!
//! Each range is a variable of its own, of unknown content, that nobody but a number leads to: a number in the range, taken as a pointer, is a place in that variable. So all accesses
//! there are valid, those that begin in the range and end behind it are not, and pointers to registers are kept, passed and compared like others. What a volatile read gives is
//! any value, as of every volatile object that is no local; an access that is not volatile is one of ordinary memory, as the compiler takes it.
//!
//! *Sound*: the variable's content is arbitrary at the start, and no object of the program overlaps the range on a machine that has registers there. The address of a variable is
//! an arbitrary number to Belay, though here it is known; so where a number is made of an address for more than to subtract two of them, a run has no verdict.

use belay_base::Span;
use belay_ir::{BinaryOp, CType, CastOp, Global, GlobalId, IntPredicate, Op, Operand, Target, Type};

use super::Translator;
use super::externs::is_address;
use super::function::FunctionTranslator;
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};

/// A range of addresses.
pub struct Window {
    first: u64,
    last: u64,
    object: GlobalId,
}

impl Translator<'_> {
    pub(super) fn add_windows(&mut self, ranges: &[(u64, u64)]) {
        for (first, last) in ranges.iter().copied() {
            let object = self.program.globals.push(Global {
                name: format!("mmio {first:#x}-{last:#x}"),
                size: Some(last - first + 1),
                align: 1 << first.trailing_zeros().min(12),
                init: None,
                constant: false,
                literal: false,
                ctype: CType::Aggregate,
                span: Span::NONE,
            });
            self.mmio.push(Window { first, last, object });
        }
    }

    /// What a constant number leads to as a pointer.
    pub(super) fn place_of_number(&self, address: i64) -> (Option<Target>, i64) {
        let number = address as u64;
        match self.mmio.iter().find(|window| window.first <= number && number <= window.last) {
            Some(window) => (Some(Target::Global(window.object)), (number - window.first) as i64),
            None => (None, address),
        }
    }
}

impl FunctionTranslator<'_, '_> {
    /// A number of address width as a pointer.
    pub(super) fn pointer_of_number(&mut self, number: Operand) -> Operand {
        let mut pointer = self.emit(Op::Cast { op: CastOp::IntToPtr, value: number }, Type::Ptr);
        let address = self.module.program.layout.address_type();
        let windows: Vec<(u64, u64, GlobalId)> =
            self.module.mmio.iter().map(|window| (window.first, window.last, window.object)).collect();
        for (first, last, global) in windows {
            let base = self.address_constant(first as i64);
            let offset = self.emit(Op::Binary { op: BinaryOp::Sub, lhs: number, rhs: base }, address);
            let rhs = self.address_constant((last - first) as i64);
            let cond = self.emit(Op::Compare { op: IntPredicate::Ule, lhs: offset, rhs }, Type::BOOL);
            let base = Operand::Global { global, offset: 0 };
            let then = self.emit(Op::PtrAdd { base, offset }, Type::Ptr);
            pointer = self.emit(Op::Select { cond, then, otherwise: pointer }, Type::Ptr);
        }
        pointer
    }

    /// Before a number is made of an address: it is not known of registers.
    pub(super) fn refuse_number_of_address(&mut self, inst: Value) {
        let is_difference = |user: Value| {
            let is_sub = user.kind() == LLVMValueKind::LLVMInstructionValueKind && user.opcode() == LLVMOpcode::LLVMSub;
            is_sub && is_address(user.operand(0)) && is_address(user.operand(1))
        };
        if !self.module.mmio.is_empty() && !inst.users().into_iter().all(is_difference) {
            let what = "a number is made of an address, which is not followed with --mmio".to_owned();
            self.emit_effect(Op::Unsupported { what });
        }
    }
}
