//! Drops instructions that nobody needs. Sound because a pure instruction does nothing but compute its value, and a check
//! of the constant true cannot be violated.

use belay_base::IdVec;

use crate::substitution::prune_names;
use belay_ir::{Function, InstId, Op, Operand};

/// Keeps the instructions that do something, and what they use, directly or not; cycles of phis that only feed each other go.
pub(super) fn remove_dead(function: &mut Function) {
    let mut needed = Needed { marked: IdVec::filled(false, function.insts.len()), work: Vec::new() };
    for block in function.blocks.iter() {
        for inst in &block.insts {
            if !is_removable(&function.insts[*inst].op) {
                needed.mark(*inst);
            }
        }
        block.term.for_each_operand(|operand| needed.mark_operand(*operand));
    }
    while let Some(inst) = needed.work.pop() {
        let op = &function.insts[inst].op;
        op.for_each_operand(|operand| needed.mark_operand(*operand));
        op.refers_to().into_iter().for_each(|named| needed.mark(named));
    }
    for block in function.blocks.iter_mut() {
        block.insts.retain(|inst| needed.marked[*inst]);
    }
    prune_names(function);
}

fn is_removable(op: &Op) -> bool {
    op.is_pure() || matches!(op, Op::Check { cond: Operand::Int { value: 1, .. }, .. })
}

struct Needed {
    marked: IdVec<InstId, bool>,
    work: Vec<InstId>,
}

impl Needed {
    fn mark(&mut self, inst: InstId) {
        if !std::mem::replace(&mut self.marked[inst], true) {
            self.work.push(inst);
        }
    }

    fn mark_operand(&mut self, operand: Operand) {
        if let Operand::Inst(inst) = operand {
            self.mark(inst);
        }
    }
}
