//! All passes together: random programs behave the same before and after, and large ones are quick.

mod machine;
mod random_program;

use super::*;
use crate::testing::{Builder, I32, obligations_of};
use belay_ir::{FuncId, IntegerModel, Operand, Program, print_program, verify_program};
use machine::{End, Run, run};

/// Runs both programs on some arguments. The obligations violated, how the run ends and what it returns must agree, except
/// for obligations that the passes claim to be discharged: those must not be violated at all.
fn check_same(before: &Program, after: &Program, seed: u64) {
    let left = obligations_of(after);
    let main = FuncId(0);
    for argument in [0, 1, 7, 0x7fff_ffff, 0xffff_ffff] {
        let old = run(&before.functions[main], argument, 400);
        let new = run(&after.functions[main], argument, 4_000);
        let show = || format!("seed {seed}, argument {argument}\n{}\n{}", print_program(before), print_program(after));
        assert!(old.violated.iter().all(|id| left.contains(id)), "a discharged obligation is violated\n{}", show());
        if old.end == End::OutOfSteps {
            let common = old.violated.len().min(new.violated.len());
            assert_eq!(old.violated[..common], new.violated[..common], "{}", show());
        } else {
            assert_eq!(old, new, "{}", show());
        }
    }
}

#[test]
fn random_programs_keep_their_meaning() {
    let mut promoted = 0;
    let mut returned = 0;
    for seed in 0..600 {
        let before = random_program::generate(seed);
        assert_eq!(verify_program(&before), Ok(()), "seed {seed}\n{}", print_program(&before));
        let mut after = before.clone();
        for pass in [
            fold_checks,
            promote,
            |p: &mut Program| simplify(p, IntegerModel::Machine),
            |p: &mut Program| divide_once(p, IntegerModel::Machine),
            thread_tests,
            merge_blocks,
        ] {
            pass(&mut after);
            assert_eq!(
                verify_program(&after),
                Ok(()),
                "seed {seed}\n{}\n{}",
                print_program(&before),
                print_program(&after)
            );
            check_same(&before, &after, seed);
        }
        promoted += usize::from(obligations_of(&after).len() < obligations_of(&before).len());
        returned += usize::from(matches!(run(&before.functions[FuncId(0)], 7, 400), Run { end: End::Returned(_), .. }));
    }
    assert!(promoted > 300 && returned > 80, "the programs exercise the passes: {promoted} {returned}");
}

#[test]
fn the_pipeline_runs_for_both_models() {
    for seed in 0..200 {
        for integers in [IntegerModel::Machine, IntegerModel::Unbounded] {
            let mut program = random_program::generate(seed);
            let before = obligations_of(&program);
            assert_eq!(pipeline(&mut program, integers), Ok(()));
            assert!(obligations_of(&program).iter().all(|id| before.contains(id)));
        }
    }
}

/// `x = x + p0` a hundred thousand times, each with clang's check, in a function of 200,000 blocks.
#[test]
fn a_large_function_is_quick() {
    let checks = 100_000_u32;
    let mut b = Builder::new(2 * checks as usize + 1, &[I32]);
    let x = b.local("x", 4, false);
    b.store(Operand::Inst(x), Operand::Param(0));
    for block in (0..2 * checks).step_by(2) {
        let old = b.at(block).load(Operand::Inst(x), I32);
        let new = b.binary(belay_ir::BinaryOp::Add, old, Operand::Param(0));
        b.store(Operand::Inst(x), new);
        let fine = b.compare(belay_ir::IntPredicate::Ne, new, Operand::int(32, 3));
        b.branch(fine, block + 2, block + 1);
        let obligation = belay_ir::ObligationId(0);
        b.at(block + 1).push(belay_ir::Op::Check { cond: Operand::bool(false), obligation }, None);
        b.jump(block + 2);
    }
    let last = b.at(2 * checks).load(Operand::Inst(x), I32);
    b.ret(last);
    let mut program = b.finish();
    assert_eq!(pipeline(&mut program, IntegerModel::Machine), Ok(()));
    assert_eq!(program.functions[FuncId(0)].blocks.len(), 1);
}
