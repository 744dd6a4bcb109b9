//! Lives that clang does not mark, as instructions; where they begin and end is found by `belay_scopes`.

use belay_ir::{BlockId, Op, Terminator};
use belay_scopes::Turn;

use super::function::{FunctionTranslator, empty_block};
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

    /// The life of an object begins or ends here.
    pub(super) fn turn(&mut self, turn: Turn<Value>) {
        let Some(object) = self.find_marked_object(turn.object) else { return };
        self.emit_effect(if turn.begins { Op::LifetimeStart { object } } else { Op::LifetimeEnd { object } });
    }
}
