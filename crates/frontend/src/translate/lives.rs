//! Lives that clang does not mark, as instructions; where they begin and end is found by `belay_scopes`.

use belay_ir::{BlockId, Function, Inst, ObligationDetail, Op, Operand, Property, Terminator, Type};
use belay_scopes::{Turn, find_constant_locals};

use super::debug::Promise;
use super::function::{FunctionTranslator, empty_block};
use super::leaves::leaves_of;
use crate::llvm::{Bb, Value};

impl FunctionTranslator<'_, '_> {
    /// The block to jump to on the way from one basic block to another.
    pub(super) fn way_to(&mut self, from: Bb, to: Bb) -> BlockId {
        if let Some(block) = self.between.get(&(from, to)) {
            return *block;
        }
        let Some(turns) = self.lives.between.get(&(from, to)).cloned() else { return self.block_ids[&to] };
        let block = self.blocks.push(empty_block("scope".to_owned()));
        let here = std::mem::replace(&mut self.current, block);
        for turn in turns {
            self.turn(turn);
        }
        self.terminate(Terminator::Jump(self.block_ids[&to]));
        self.current = here;
        self.between.insert((from, to), block);
        block
    }

    /// What becomes of the lives of objects just before an instruction.
    pub(super) fn change_lives(&mut self, inst: Value) {
        if let Some(what) = self.lives.uncertain.get(&inst).cloned() {
            self.emit_effect(Op::Unsupported { what });
        }
        for turn in self.lives.before.remove(&inst).unwrap_or_default() {
            self.turn(turn);
        }
        for variable in self.lives.renewed.remove(&inst).unwrap_or_default() {
            self.forget(variable);
        }
    }

    /// Finds what becomes of locals that are declared constant.
    pub(super) fn find_constants(&mut self) {
        if !self.module.program.functions[self.id].is_model {
            let module = &self.module;
            let promises =
                |callee: Value, index: usize| module.debug.points_to_const(callee, index) != Promise::Nothing;
            self.constants = find_constant_locals(module.context, self.value, &promises);
            self.module.program.kept_constants.append(&mut self.constants.kept);
        }
    }

    /// Whether a local that is declared constant is written here: no run goes on then.
    pub(super) fn check_constants(&mut self, inst: Value) {
        if self.constants.writes.contains(&inst) {
            let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Promise("const"));
            self.emit_effect(Op::Check { cond: Operand::bool(false), obligation });
        }
        if let Some(what) = self.constants.lent.remove(&inst) {
            self.emit_effect(Op::Unsupported { what });
        }
    }

    /// The life of an object begins or ends here.
    fn turn(&mut self, turn: Turn<Value>) {
        let Some(object) = self.find_marked_object(turn.object) else { return };
        self.emit_effect(if turn.begins { Op::LifetimeStart { object } } else { Op::LifetimeEnd { object } });
    }

    /// What an object holds is indeterminate from here on: it is copied from one that nobody has written.
    fn forget(&mut self, variable: Value) {
        let (ty, ptr) = (variable.allocated_type(), self.scalar(variable));
        let (layout, bytes) = (self.module.layout, self.module.layout.alloc_size(ty));
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Store);
        let align = 1;
        if let [leaf] = leaves_of(layout, ty).unwrap_or_default()[..]
            && self.module.program.layout.store_size(leaf.ty) == bytes
        {
            let value = Operand::Undef(leaf.ty);
            return self.emit_effect(Op::Store { ptr, value, align, volatile: false, obligation });
        }
        let len = self.address_constant(bytes as i64);
        // Each time it is another one: what is indeterminate twice need not be the same twice.
        let op = Op::Alloca { size: len, align, scoped: true, dynamic: false };
        let unwritten = self.insts.push(Inst { op, ty: Some(Type::Ptr), span: self.span });
        self.blocks[Function::ENTRY].insts.insert(0, unwritten);
        let src = Operand::Inst(unwritten);
        self.emit_effect(Op::LifetimeStart { object: unwritten });
        self.emit_effect(Op::MemCopy { dst: ptr, src, len, overlap: false, obligation });
        self.emit_effect(Op::LifetimeEnd { object: unwritten });
    }
}
