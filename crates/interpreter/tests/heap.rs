//! Lost and unfreed heap blocks.

mod build;

use belay_base::Budget;
use belay_interpreter::{Fault, Interpreter, ObjectKind, RunEnd, locate_leak};
use belay_ir::*;
use build::*;

struct Lib {
    malloc: FuncId,
    free: FuncId,
    exit: FuncId,
}

fn program(body: impl FnOnce(&mut Body<'_>, &Lib, Operand)) -> Prog {
    let mut prog = Prog::new();
    let global = prog.global("kept", &[], 8, false);
    let lib = Lib {
        malloc: prog.external("malloc", &[I64], false, &[PTR]),
        free: prog.external("free", &[PTR], false, &[]),
        exit: prog.external("exit", &[I32], false, &[]),
    };
    prog.main(|f| body(f, &lib, Operand::Global { global, offset: 0 }));
    prog
}

/// Which of memtrack and memcleanup are violated.
fn check(name: &str, prog: &Prog, memtrack: bool, memcleanup: bool) {
    let report = prog.run(&[]);
    assert!(report.is_complete(), "{name}: {:?}", report.end);
    assert_eq!(report.violation_of(Property::ValidMemtrack).is_some(), memtrack, "{name}: memtrack");
    assert_eq!(report.violation_of(Property::MemCleanup).is_some(), memcleanup, "{name}: memcleanup");
}

#[test]
fn blocks_are_reached_from_globals_frames_and_blocks() {
    check(
        "freed",
        &program(|f, lib, _| {
            let block = f.call(lib.malloc, &[i64(8)]);
            f.call(lib.free, &[block]);
            f.ret(&[i32(0)]);
        }),
        false,
        false,
    );
    check(
        "in a global, through another block, by an interior pointer",
        &program(|f, lib, kept| {
            let outer = f.call(lib.malloc, &[i64(16)]);
            let inner = f.call(lib.malloc, &[i64(16)]);
            let inside = f.add_ptr(inner, 5);
            f.store(outer, inside);
            f.store(kept, outer);
            f.ret(&[i32(0)]);
        }),
        false,
        true,
    );
    check(
        "only in a local of main when it returns",
        &program(|f, lib, _| {
            let local = f.alloca(8);
            let block = f.call(lib.malloc, &[i64(8)]);
            f.store(local, block);
            f.ret(&[i32(0)]);
        }),
        true,
        true,
    );
    check(
        "in a local of main at exit",
        &program(|f, lib, _| {
            let local = f.alloca(8);
            let block = f.call(lib.malloc, &[i64(8)]);
            f.store(local, block);
            f.call(lib.exit, &[i32(0)]);
            f.term(Terminator::UNREACHABLE);
        }),
        false,
        true,
    );
    check(
        "in a temporary that is still used after exit would return",
        &program(|f, lib, _| {
            let block = f.call(lib.malloc, &[i64(8)]);
            f.call(lib.exit, &[i32(0)]);
            f.call(lib.free, &[block]);
            f.ret(&[i32(0)]);
        }),
        false,
        true,
    );
    check(
        "in a temporary that nobody uses",
        &program(|f, lib, _| {
            f.call(lib.malloc, &[i64(8)]);
            f.call(lib.exit, &[i32(0)]);
            f.ret(&[i32(0)]);
        }),
        true,
        true,
    );
    check(
        "in a cycle",
        &program(|f, lib, _| {
            let (a, b) = (f.call(lib.malloc, &[i64(8)]), f.call(lib.malloc, &[i64(8)]));
            f.store(a, b);
            f.store(b, a);
            f.ret(&[i32(0)]);
        }),
        true,
        true,
    );
}

#[test]
fn a_block_whose_address_was_a_number_may_be_hidden() {
    let prog = program(|f, lib, _| {
        let block = f.call(lib.malloc, &[i64(8)]);
        let number = f.cast(CastOp::PtrToInt, block, I64);
        let hidden = f.binary(BinaryOp::Mul, number, i64(3));
        let hidden = f.cast(CastOp::Trunc, hidden, I32);
        f.ret(&[hidden]);
    });
    let report = prog.run(&["address 0x1000"]);
    assert!(report.violation_of(Property::ValidMemtrack).is_none());
    assert_eq!(report.maybe_lost.len(), 1);
}

#[test]
fn the_place_of_a_loss_is_found() {
    let prog = program(|f, lib, kept| {
        let first = f.call(lib.malloc, &[i64(8)]);
        f.store(kept, first);
        f.load(I32, kept);
        let second = f.call(lib.malloc, &[i64(8)]);
        f.store(kept, second);
        f.load(I32, kept);
        f.ret(&[i32(0)]);
    });
    let report = prog.run(&[]);
    let violation = report.violation_of(Property::ValidMemtrack).expect("a loss");
    let Fault::Lost(info) = &violation.fault else { panic!() };
    assert_eq!(info.kind, ObjectKind::Heap(1));
    let interpreter = Interpreter::new(&prog.program, prog.config());
    let stack = locate_leak(&interpreter, &report.choices, 1, &Budget::unlimited()).expect("a place");
    // The second store: the fifth instruction.
    assert_eq!(stack[0].span.line, 5);
    assert_eq!(locate_leak(&interpreter, &report.choices, 2, &Budget::unlimited()), None);
}

#[test]
fn a_loss_at_the_return_of_main_is_at_the_return() {
    let prog = program(|f, lib, _| {
        let local = f.alloca(8);
        let block = f.call(lib.malloc, &[i64(8)]);
        f.store(local, block);
        f.ret(&[i32(0)]);
    });
    let interpreter = Interpreter::new(&prog.program, prog.config());
    let stack = locate_leak(&interpreter, &[], 1, &Budget::unlimited()).expect("a place");
    assert_eq!(stack[0].span.line, 4);
}

#[test]
fn a_run_that_ends_in_a_violation_is_judged_where_it_ends() {
    let prog = program(|f, lib, kept| {
        let block = f.call(lib.malloc, &[i64(8)]);
        f.store(kept, block);
        f.store(kept, Operand::Null);
        f.load(I32, Operand::Null);
        f.ret(&[i32(0)]);
    });
    let report = prog.run(&[]);
    assert_eq!(report.end, RunEnd::Violated);
    assert!(report.violation_of(Property::ValidDeref).is_some());
    assert!(report.violation_of(Property::ValidMemtrack).is_some());
    assert!(report.violation_of(Property::MemCleanup).is_none());
}

#[test]
fn ids_of_dead_objects_are_used_again_without_harm() {
    // A loop that allocates and frees 100,000 blocks, keeping a dangling pointer to the first and a live one to the second.
    let prog = program(|f, lib, kept| {
        let first = f.call(lib.malloc, &[i64(8)]);
        f.call(lib.free, &[first]);
        f.store(kept, first);
        let second = f.call(lib.malloc, &[i64(8)]);
        f.store(second, i64(77));
        let entry = f.here();
        let (head, body, end) = (f.block(), f.block(), f.block());
        f.jump(head);
        f.at(head);
        let counter = f.inst(Op::Phi { incoming: vec![(entry, i32(0))] }, Some(I32));
        let more = f.compare(IntPredicate::Slt, Operand::Inst(counter), i32(100_000));
        f.branch(more, body, end);
        f.at(body);
        let block = f.call(lib.malloc, &[i64(8)]);
        f.store(block, i64(1));
        f.call(lib.free, &[block]);
        let next = f.binary(BinaryOp::Add, Operand::Inst(counter), i32(1));
        f.jump(head);
        let id = f.id;
        if let Op::Phi { incoming } = &mut f.prog.program.functions[id].insts[counter].op {
            incoming.push((body, next));
        }
        f.at(end);
        let value = f.load(I64, second);
        let value = f.cast(CastOp::Trunc, value, I32);
        f.call(lib.free, &[second]);
        let dangling = f.load(PTR, kept);
        f.load(I32, dangling);
        f.ret(&[value]);
    });
    let report = prog.run(&[]);
    let [violation] = &report.violations[..] else { panic!("{report:?}") };
    let Fault::Dangling { object, .. } = &violation.fault else { panic!("{violation:?}") };
    assert_eq!(object.kind, ObjectKind::Heap(1));
}
