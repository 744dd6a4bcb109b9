//! Labels as values (`&&label`, `goto *p`), an extension of GNU C.
//!
//! A label whose address is taken is an object of its own, of one byte that nobody may write: its address is unlike every other, and differences
//! of such addresses are as open as those of any two objects. A computed `goto` asks with which of the labels that it may
//! reach the address agrees and switches to that; an address of none of them is a violation, as GCC says that such a jump may do anything.
//! Phis keep their predecessor, because the choice is one switch at the end of the block that jumps.
//!
//! Lives of locals: clang marks none in a function with a computed `goto`, so that `scope` sees them as uncertain.

use belay_base::Span;
use belay_ir::{
    BlockId, CType, Global, GlobalId, GlobalInit, IntPredicate, ObligationDetail, Op, Operand, Property, Terminator,
    Type,
};

use super::Translator;
use super::function::{FunctionTranslator, empty_block};
use crate::llvm::{Bb, Value};

/// The width of the number by which a computed `goto` chooses.
const CHOICE: u16 = 32;

impl Translator<'_> {
    /// The object whose address is that of a label.
    pub(super) fn label_object(&mut self, label: Bb) -> GlobalId {
        if let Some(id) = self.labels.get(&label) {
            return *id;
        }
        let id = self.program.globals.push(Global {
            name: format!("&&{}", label.name()),
            size: Some(1),
            align: 1,
            init: Some(GlobalInit { bytes: Vec::new(), relocations: Vec::new() }),
            constant: true,
            literal: false,
            ctype: CType::Aggregate,
            span: Span::NONE,
        });
        self.labels.insert(label, id);
        id
    }
}

impl FunctionTranslator<'_, '_> {
    /// `goto *address`.
    pub(super) fn computed_goto(&mut self, inst: Value, labels: &[Bb], targets: &[BlockId]) -> Terminator {
        let address = self.scalar(inst.operand(0));
        let mut choice = Operand::int(CHOICE, labels.len() as u128);
        for (number, label) in labels.iter().enumerate().rev() {
            let object = Operand::Global { global: self.module.label_object(*label), offset: 0 };
            let cond = self.emit(Op::Compare { op: IntPredicate::Eq, lhs: address, rhs: object }, Type::Int(1));
            let then = Operand::int(CHOICE, number as u128);
            choice = self.emit(Op::Select { cond, then, otherwise: choice }, Type::Int(CHOICE));
        }
        let cases = targets.iter().enumerate().map(|(number, target)| (number as u128, *target)).collect();
        Terminator::Switch { value: choice, cases, default: self.jump_to_no_label() }
    }

    /// A block that a run reaches only by a violation.
    fn jump_to_no_label(&mut self) -> BlockId {
        let block = self.blocks.push(empty_block("no_label".to_owned()));
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Promise("goto *"));
        let here = std::mem::replace(&mut self.current, block);
        self.emit_effect(Op::Check { cond: Operand::bool(false), obligation });
        self.terminate(Terminator::UNREACHABLE);
        self.current = here;
        block
    }
}
