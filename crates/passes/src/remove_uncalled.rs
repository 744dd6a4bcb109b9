//! Empties functions that no run can call.
//!
//! Sound because a run that starts at the entry executes nothing but what the call graph reaches from there; and in place of each body that goes stands an instruction that nothing is
//! known of, so that a run that got there all the same would have no verdict.

use belay_base::{IdVec, Span};

use belay_ir::{Block, CallGraph, FuncId, FuncKind, Function, Inst, Op, Program, Terminator};

/// Empties what does not run when the program is started at `entry`.
pub fn remove_uncalled(program: &mut Program, entry: FuncId) {
    // Functions whose addresses only such functions take are not called either.
    while empty_uncalled(program, entry) {}
}

fn empty_uncalled(program: &mut Program, entry: FuncId) -> bool {
    let called = CallGraph::new(program).reachable_in_run(program, entry);
    let mut is_changed = false;
    for (id, function) in program.functions.iter_mut_enumerated() {
        let is_called = called.binary_search(&id).is_ok();
        if !is_called && function.kind == FuncKind::Defined && !is_empty(function) {
            empty(function);
            is_changed = true;
        }
    }
    is_changed
}

fn is_empty(function: &Function) -> bool {
    let mut blocks = function.blocks.iter();
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return false };
    matches!(block.insts.as_slice(), [only] if matches!(function.insts[*only].op, Op::Unsupported { .. }))
}

fn empty(function: &mut Function) {
    let mut insts = IdVec::new();
    let what = format!("{}, which no run seemed to call", function.name);
    let only = insts.push(Inst { op: Op::Unsupported { what }, ty: None, span: Span::NONE });
    let mut blocks = IdVec::new();
    let block = Block { name: String::new(), insts: vec![only], term: Terminator::UNREACHABLE, term_span: Span::NONE };
    blocks.push(block);
    *function = Function {
        is_model: function.is_model,
        mark: std::mem::take(&mut function.mark),
        params: std::mem::take(&mut function.params),
        variadic: function.variadic,
        results: std::mem::take(&mut function.results),
        span: function.span,
        blocks,
        insts,
        ..Function::empty(std::mem::take(&mut function.name), FuncKind::Defined)
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32};
    use belay_ir::{Callee, Operand, verify_program};

    fn call(callee: Callee) -> Op {
        Op::Call { callee, args: Vec::new(), variadic: 0, byval_args: Vec::new(), obligation: None }
    }

    /// `main` calls the next function if asked to, and then there are one that it may call, and one that takes the address of a third.
    fn program(calls: bool) -> Program {
        let mut main = Builder::new(1, &[]);
        if calls {
            main.push(call(Callee::Direct(FuncId(1))), Some(I32));
        }
        let mut program = main.finish();
        for taken in [None, Some(FuncId(3)), None] {
            let mut b = Builder::new(1, &[]);
            b.program = program;
            b.local("kept", 4, false);
            if let Some(taken) = taken {
                let slot = b.local("slot", 8, false);
                b.store(Operand::Inst(slot), Operand::Func(taken));
            }
            program = b.finish();
        }
        program
    }

    #[test]
    fn what_is_called_stays() {
        let mut program = program(true);
        remove_uncalled(&mut program, FuncId(0));
        assert_eq!(verify_program(&program), Ok(()));
        assert!(!is_empty(&program.functions[FuncId(1)]) && is_empty(&program.functions[FuncId(3)]));
    }

    #[test]
    fn what_is_left_has_no_verdict() {
        let mut program = program(false);
        remove_uncalled(&mut program, FuncId(0));
        assert_eq!(verify_program(&program), Ok(()));
        assert!(program.functions.iter().skip(1).all(is_empty));
    }
}
