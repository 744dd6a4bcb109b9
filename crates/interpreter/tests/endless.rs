//! Runs that never end.

mod build;

use belay_base::{Budget, Exhausted};
use belay_interpreter::{Interpreter, RunEnd, RunReport, Script};
use belay_ir::*;
use belay_rules::Config;
use build::*;

fn run(prog: &Prog, choices: &[&str]) -> RunReport {
    let config = Config { recurrence: true, ..prog.config() };
    let choices = choices.iter().map(|text| text.parse().expect("a choice"));
    Interpreter::new(&prog.program, config).run(&mut Script::new(choices), &Budget::steps(2_000_000))
}

/// `entry; while (1) { body }`, with the locals that `entry` makes.
fn forever(entry: impl FnOnce(&mut Body<'_>) -> Operand, body: impl FnOnce(&mut Body<'_>, Operand)) -> Prog {
    let mut prog = Prog::new();
    prog.external("malloc", &[I64], false, &[PTR]);
    prog.external("free", &[PTR], false, &[]);
    prog.external("__VERIFIER_nondet_int", &[], false, &[I32]);
    prog.main(|f| {
        let local = entry(f);
        let head = f.block();
        f.jump(head);
        f.at(head);
        body(f, local);
        f.jump(head);
    });
    prog
}

#[test]
fn a_toggle_recurs_with_its_period() {
    let prog = forever(
        |f| {
            let x = f.alloca(4);
            f.store(x, i32(0));
            x
        },
        |f, x| {
            let value = f.load(I32, x);
            let value = f.binary(BinaryOp::Xor, value, i32(1));
            f.store(x, value);
        },
    );
    let RunEnd::Recurs { period, function, .. } = run(&prog, &[]).end else { panic!() };
    assert_eq!(period, 2 * 4);
    assert_eq!(prog.program.functions[function].name, "main");
}

#[test]
fn a_counter_does_not_recur() {
    let prog = forever(
        |f| {
            let x = f.alloca(8);
            f.store(x, i64(0));
            x
        },
        |f, x| {
            let value = f.load(I64, x);
            let value = f.binary(BinaryOp::Add, value, i64(1));
            f.store(x, value);
        },
    );
    assert_eq!(run(&prog, &[]).end, RunEnd::Exhausted(Exhausted::Steps));
}

#[test]
fn a_narrow_counter_recurs_when_it_wraps() {
    let prog = forever(
        |f| {
            let x = f.alloca(1);
            f.store(x, int(8, 0));
            x
        },
        |f, x| {
            let value = f.load(I8, x);
            let value = f.binary(BinaryOp::Add, value, int(8, 1));
            f.store(x, value);
        },
    );
    let RunEnd::Recurs { period, .. } = run(&prog, &[]).end else { panic!() };
    assert_eq!(period, 256 * 4);
}

#[test]
fn objects_may_be_renamed() {
    // Each turn frees the block and allocates another in its place; a scoped local begins a new life.
    let malloc = FuncId(0);
    let free = FuncId(1);
    let prog = forever(
        |f| {
            let p = f.alloca(8);
            let scoped = f.alloca_inst(4, true);
            f.local("scoped", CType::Signed, scoped);
            let block = f.call(malloc, &[i64(8)]);
            f.store(p, block);
            p
        },
        |f, p| {
            let scoped = InstId(1);
            f.inst(Op::LifetimeStart { object: scoped }, None);
            f.store(Operand::Inst(scoped), i32(4));
            let old = f.load(PTR, p);
            f.call(free, &[old]);
            let new = f.call(malloc, &[i64(8)]);
            f.store(p, new);
            f.inst(Op::LifetimeEnd { object: scoped }, None);
        },
    );
    assert!(matches!(run(&prog, &[]).end, RunEnd::Recurs { .. }));
}

#[test]
fn a_growing_list_does_not_recur() {
    let malloc = FuncId(0);
    let prog = forever(
        |f| {
            let p = f.alloca(8);
            f.store(p, Operand::Null);
            p
        },
        |f, p| {
            let old = f.load(PTR, p);
            let new = f.call(malloc, &[i64(8)]);
            f.store(new, old);
            f.store(p, new);
        },
    );
    assert!(matches!(run(&prog, &[]).end, RunEnd::Exhausted(_) | RunEnd::Unknown { .. }));
}

/// A loop that stores an input in each turn.
fn reader() -> Prog {
    let nondet = FuncId(2);
    forever(
        |f| f.alloca(4),
        |f, x| {
            let value = f.call(nondet, &[]);
            f.store(x, value);
        },
    )
}

#[test]
fn a_state_that_recurs_with_the_same_inputs_can_do_so_for_ever() {
    let end = run(&reader(), &["input i32 1"; 64]).end;
    assert!(matches!(end, RunEnd::Recurs { inputs: 1, .. }), "{end:?}");
}

#[test]
fn a_state_that_differs_by_an_input_does_not_recur() {
    let inputs: Vec<String> = (0..64).map(|number| format!("input i32 {number}")).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    assert!(matches!(run(&reader(), &inputs).end, RunEnd::NeedsChoice { .. }));
}

#[test]
fn an_undefined_byte_decided_in_between_is_no_recurrence() {
    // Each turn decides the bytes of a new life.
    let prog = forever(
        |f| {
            f.alloca_inst(1, true);
            i32(0)
        },
        |f, _| {
            let scoped = InstId(0);
            f.inst(Op::LifetimeStart { object: scoped }, None);
            let value = f.load(I8, Operand::Inst(scoped));
            let odd = f.compare(IntPredicate::Slt, value, int(8, 0));
            let (then, next) = (f.block(), f.block());
            f.branch(odd, then, next);
            f.at(then);
            f.jump(next);
            f.at(next);
            f.inst(Op::LifetimeEnd { object: scoped }, None);
        },
    );
    let end = run(&prog, &["undefined 0x01"; 64]).end;
    assert!(matches!(end, RunEnd::NeedsChoice { .. }), "{end:?}");
}

#[test]
fn undefined_bytes_may_be_renamed_but_only_one_to_one() {
    // Copies fresh undefined bytes each turn: the same state but for their names.
    let prog = forever(
        |f| {
            let kept = f.alloca(4);
            f.alloca_inst(4, true);
            kept
        },
        |f, kept| {
            let scoped = InstId(1);
            f.inst(Op::LifetimeStart { object: scoped }, None);
            f.copy(kept, Operand::Inst(scoped), 4, false);
            f.inst(Op::LifetimeEnd { object: scoped }, None);
        },
    );
    assert!(matches!(run(&prog, &[]).end, RunEnd::Recurs { .. }));
}

#[test]
fn the_budget_ends_a_run_after_the_same_steps() {
    let prog = forever(|f| f.alloca(4), |_, _| {});
    let interpreter = Interpreter::new(&prog.program, prog.config());
    let steps = |budget| interpreter.run(&mut Script::new([]), &Budget::steps(budget)).steps;
    assert_eq!(steps(10_000), steps(10_000));
    assert!((10_000..10_010).contains(&steps(10_000)));
}
