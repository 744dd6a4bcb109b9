//! The calls that jumps are about.

use belay_ir::{Callee, FuncId, FuncKind, Function, Op, Program, ops};
use rustc_hash::FxHashSet;

use super::{is_longjmp, is_setjmp};

/// Which calls matter.
pub(super) struct Calls {
    pub(super) setjmp: FxHashSet<FuncId>,
    pub(super) longjmp: FxHashSet<FuncId>,
    /// The functions that a jump may leave.
    pub(super) left: FxHashSet<FuncId>,
    /// Whether a call through a pointer may be left so.
    pub(super) indirect: bool,
}

impl Calls {
    pub(super) fn find(program: &Program) -> Self {
        let named = |is_named: fn(&str) -> bool| {
            let declared = program.functions.iter_enumerated();
            let found = declared.filter(|(_, function)| function.kind == FuncKind::Extern && is_named(&function.name));
            found.map(|(id, _)| id).collect::<FxHashSet<_>>()
        };
        let mut calls =
            Calls { setjmp: named(is_setjmp), longjmp: named(is_longjmp), left: FxHashSet::default(), indirect: false };
        while calls.grow(program) {}
        calls
    }

    /// Adds the functions that call one that a jump may leave. Every function that has such a call may itself be called through a pointer.
    fn grow(&mut self, program: &Program) -> bool {
        let before = self.left.len();
        for (id, function) in program.functions.iter_enumerated() {
            if function.is_defined() && function.placed_insts().any(|(_, inst)| self.may_jump(&function.insts[inst].op))
            {
                self.left.insert(id);
            }
        }
        self.indirect |= !self.left.is_empty();
        self.left.len() > before
    }

    pub(super) fn may_jump(&self, op: &Op) -> bool {
        match op {
            Op::Call { callee: Callee::Direct(callee), .. } => {
                self.longjmp.contains(callee) || self.left.contains(callee)
            }
            Op::Call { callee: Callee::Indirect(..), .. } => self.indirect,
            ops!(values) | ops!(memory) | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => false,
        }
    }

    pub(super) fn is_setjmp(&self, op: &Op) -> bool {
        matches!(op, Op::Call { callee: Callee::Direct(callee), .. } if self.setjmp.contains(callee))
    }

    pub(super) fn is_longjmp(&self, op: &Op) -> bool {
        matches!(op, Op::Call { callee: Callee::Direct(callee), .. } if self.longjmp.contains(callee))
    }

    pub(super) fn concern(&self, function: &Function) -> bool {
        function.placed_insts().any(|(_, inst)| {
            let op = &function.insts[inst].op;
            self.may_jump(op) || self.is_setjmp(op)
        })
    }
}
