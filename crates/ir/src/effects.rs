//! Functions whose calls change nothing that others can see.

use std::collections::BTreeSet;

use crate::builtin::Builtin;
use crate::inst::{Callee, Op};
use crate::program::{FuncId, FuncKind, Function, Operand, Program};

/// True only if a call of the function, and of all that it calls, writes nothing but its own stack objects and does nothing else that
/// outlives it, however often it is called: what it may do is read, choose, give a result, violate something, or not return.
///
/// A call that cuts runs off (`__VERIFIER_assume`) or ends them is an effect: one call more would lose a run.
pub fn changes_nothing(program: &Program, function: FuncId) -> bool {
    let mut seen = BTreeSet::from([function]);
    let mut todo = vec![function];
    while let Some(id) = todo.pop() {
        let function = &program.functions[id];
        let harmless = match function.kind {
            FuncKind::Defined => function.insts.iter().all(|inst| is_harmless(function, &inst.op)),
            FuncKind::Builtin(builtin) => only_reads(builtin),
            FuncKind::Extern => false,
        };
        if !harmless {
            return false;
        }
        let callees = function.insts.iter().filter_map(|inst| match &inst.op {
            Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
            crate::ops!(values)
            | crate::ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        });
        todo.extend(callees.filter(|callee| seen.insert(*callee)));
    }
    true
}

/// Calls of named functions are looked at by their callees.
fn is_harmless(function: &Function, op: &Op) -> bool {
    match op {
        crate::ops!(arithmetic) | crate::ops!(floats) | crate::ops!(moves) | crate::ops!(lives) => true,
        Op::Load { volatile, .. } => !volatile,
        Op::Store { ptr, volatile, .. } => !volatile && is_own(function, *ptr),
        Op::MemCopy { dst, .. } | Op::MemSet { dst, .. } => is_own(function, *dst),
        Op::Call { callee: Callee::Direct(_), .. } | Op::Extract { .. } | Op::Check { .. } => true,
        Op::Call { callee: Callee::Indirect(..), .. }
        | Op::VaStart { .. }
        | Op::VaCopy { .. }
        | Op::VaEnd { .. }
        | Op::Unsupported { .. } => false,
    }
}

/// True if an address is in a stack object of the function's own.
fn is_own(function: &Function, address: Operand) -> bool {
    let Operand::Inst(id) = address else { return false };
    match &function.insts[id].op {
        Op::Alloca { .. } => true,
        Op::PtrAdd { base, .. } => is_own(function, *base),
        Op::Cast { .. } | Op::Select { .. } | Op::Phi { .. } | Op::Arbitrary { .. } | Op::Freeze { .. } => false,
        Op::LifetimeStart { .. } | Op::LifetimeEnd { .. } | Op::StackSave | Op::StackRestore { .. } => false,
        crate::ops!(arithmetic) | crate::ops!(floats) | crate::ops!(accesses) | crate::ops!(variadic) => false,
        Op::Call { .. } | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => false,
    }
}

fn only_reads(builtin: Builtin) -> bool {
    match builtin {
        Builtin::Strlen
        | Builtin::Nondet
        | Builtin::Assert
        | Builtin::AssertFail
        | Builtin::ErrorCall
        | Builtin::Precondition
        | Builtin::SameObject
        | Builtin::ObjectSize
        | Builtin::Readable
        | Builtin::Writable
        | Builtin::WholeSize
        | Builtin::PointerOffset
        | Builtin::IsHeapBlock
        | Builtin::Sqrt
        | Builtin::Sqrtf
        | Builtin::Approximate => true,
        Builtin::Malloc
        | Builtin::Calloc
        | Builtin::Realloc
        | Builtin::AlignedBlock
        | Builtin::Free
        | Builtin::Abort
        | Builtin::Exit
        | Builtin::ExitNow
        | Builtin::Assume
        | Builtin::Printf
        | Builtin::Fprintf
        | Builtin::Sprintf
        | Builtin::Snprintf
        | Builtin::Vprintf
        | Builtin::Vfprintf
        | Builtin::Vsprintf
        | Builtin::Vsnprintf
        | Builtin::Puts
        | Builtin::Fputs
        | Builtin::Putchar
        | Builtin::Perror
        | Builtin::Foreign => false,
    }
}
