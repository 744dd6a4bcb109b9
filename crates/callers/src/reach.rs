//! What a function may come to by calls.

use belay_ir::{Builtin, CallGraph, FuncId, FuncKind, Program};

/// True if `start`, or what it may call, frees or moves blocks. A function without body may.
pub fn may_free(program: &Program, start: FuncId) -> bool {
    CallGraph::new(program).reachable_from(&[start]).into_iter().any(|id| match program.functions[id].kind {
        FuncKind::Builtin(builtin) => matches!(builtin, Builtin::Free | Builtin::Realloc),
        FuncKind::Extern => true,
        FuncKind::Defined => false,
    })
}

/// True if `start`, or what it may call, may end the program, or leave by a way that is not followed.
pub fn may_exit(program: &Program, start: FuncId) -> bool {
    CallGraph::new(program).reachable_from(&[start]).into_iter().any(|id| match program.functions[id].kind {
        FuncKind::Builtin(builtin) => matches!(
            builtin,
            Builtin::Exit | Builtin::ExitNow | Builtin::Abort | Builtin::AssertFail | Builtin::ErrorCall
        ),
        FuncKind::Extern => true,
        FuncKind::Defined => false,
    })
}
