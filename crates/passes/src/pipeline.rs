//! The passes in the order in which they help each other, with the verifier after each.

use crate::{
    divide_once, extend_once, fold_checks, merge_blocks, promote, remove_unreachable, simplify, thread_exits,
    thread_tests, unify_heads,
};
use belay_ir::{Function, IntegerModel, Op, Program, VerifyError, verify_program};

/// Makes `program` smaller and plainer for the engines; `integers` says what constants may be folded. The error is a fault of
/// the program given or of a pass.
pub fn pipeline(program: &mut Program, integers: IntegerModel) -> Result<(), VerifyError> {
    verify_program(program)?;
    fold_checks(program);
    verify_program(program)?;
    remove_unreachable(program);
    verify_program(program)?;
    thread_exits(program);
    verify_program(program)?;
    // An object that is only reached through a promoted pointer (`int *x = alloca(4)`) can be promoted in turn.
    for _ in 0..MAX_ROUNDS {
        let before = object_count(program);
        promote(program);
        verify_program(program)?;
        simplify(program, integers);
        verify_program(program)?;
        if object_count(program) == before {
            break;
        }
    }
    extend_once(program, integers);
    verify_program(program)?;
    divide_once(program, integers);
    verify_program(program)?;
    thread_tests(program);
    verify_program(program)?;
    merge_blocks(program);
    verify_program(program)?;
    unify_heads(program);
    verify_program(program)
}

/// Rounds of promotion at most; each but the last has made a stack object go away.
const MAX_ROUNDS: usize = 4;

fn object_count(program: &Program) -> usize {
    let is_object = |function: &Function, inst| matches!(function.insts[inst].op, Op::Alloca { .. });
    let count = |function: &Function| function.placed_insts().filter(|(_, inst)| is_object(function, *inst)).count();
    program.functions.iter().map(count).sum()
}
