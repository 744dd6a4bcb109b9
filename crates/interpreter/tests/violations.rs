//! Every kind of violation, and its twin without it.

mod build;

use belay_interpreter::{EndedBy, Fault, ObjectKind, RunEnd, RunReport};
use belay_ir::*;
use belay_rules::Config;
use build::*;
use dashu::integer::IBig;

fn main_of(body: impl FnOnce(&mut Body<'_>)) -> Prog {
    let mut prog = Prog::new();
    prog.main(body);
    prog
}

fn returned(report: &RunReport) -> i64 {
    match &report.end {
        RunEnd::Returned(Some(code)) => i64::try_from(code).expect("a code"),
        end => panic!("{end:?}"),
    }
}

/// The only violation, which ended the run.
fn fatal(report: &RunReport) -> &Fault {
    assert_eq!(report.end, RunEnd::Violated);
    assert_eq!(report.violations.len(), 1, "{:?}", report.violations);
    &report.violations[0].fault
}

#[test]
fn an_access_must_be_inside_its_object() {
    for (offset, valid) in [(0, true), (4, true), (5, false), (8, false), (-1, false), (1 << 40, false)] {
        let prog = main_of(|f| {
            let array = f.alloca(8);
            let at = f.add_ptr(array, offset);
            f.store(at, i32(7));
            f.ret(&[i32(0)]);
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(returned(&report), 0);
        } else {
            let Fault::OutOfBounds { offset: at, access, object } = fatal(&report) else { panic!("{report:?}") };
            assert_eq!((i128::from(*at), access.len, access.write, object.size), (offset, 4, true, Some(8)));
        }
    }
}

#[test]
fn null_and_wild_pointers_are_invalid() {
    let at = |address: i128| {
        main_of(|f| {
            let pointer = f.cast(CastOp::IntToPtr, i64(address), PTR);
            let value = f.load(I32, pointer);
            f.ret(&[value]);
        })
    };
    assert!(matches!(fatal(&at(0).run(&[])), Fault::Null { address: 0, .. }));
    assert!(matches!(fatal(&at(8).run(&[])), Fault::Null { address: 8, .. }));
    assert!(matches!(fatal(&at(1 << 30).run(&[])), Fault::WildAddress { .. }));
}

#[test]
fn an_undefined_pointer_is_invalid_without_a_choice() {
    for offset in [0, 8] {
        let prog = main_of(|f| {
            let variable = f.alloca(8);
            let pointer = f.load(PTR, variable);
            let pointer = f.add_ptr(pointer, offset);
            let value = f.load(I32, pointer);
            f.ret(&[value]);
        });
        let report = prog.run(&[]);
        assert!(matches!(fatal(&report), Fault::UndefinedPointer { .. }));
        assert!(report.choices.is_empty());
    }
}

#[test]
fn constants_are_not_written() {
    let mut prog = Prog::new();
    let text = prog.string("abc");
    prog.main(|f| {
        f.store(text, int(8, 65));
        f.ret(&[i32(0)]);
    });
    assert!(matches!(fatal(&prog.run(&[])), Fault::ReadOnly { .. }));
}

#[test]
fn a_local_ends_with_its_function() {
    let mut prog = Prog::new();
    let leak = prog.declare("leak", &[], false, &[PTR]);
    prog.define(leak, |f| {
        let local = f.alloca(4);
        f.store(local, i32(1));
        f.ret(&[local]);
    });
    prog.main(|f| {
        let pointer = f.call(leak, &[]);
        let value = f.load(I32, pointer);
        f.ret(&[value]);
    });
    let report = prog.run(&[]);
    let Fault::Dangling { object, .. } = fatal(&report) else { panic!() };
    assert_eq!(object.ended.map(|(how, _)| how), Some(EndedBy::Return));
    assert_eq!(report.violations[0].stack.len(), 1);
}

#[test]
fn a_scoped_local_lives_between_its_markers() {
    // before, inside, after, and through a pointer from an earlier life
    for (when, valid) in [(0, false), (1, true), (2, false), (3, false)] {
        let prog = main_of(|f| {
            let keeper = f.alloca(8);
            let object = f.alloca_inst(4, true);
            let local = Operand::Inst(object);
            if when == 0 {
                f.store(local, i32(1));
            }
            f.inst(Op::LifetimeStart { object }, None);
            f.store(local, i32(5));
            f.store(keeper, local);
            if when == 1 {
                let value = f.load(I32, local);
                f.ret(&[value]);
                return;
            }
            f.inst(Op::LifetimeEnd { object }, None);
            if when == 2 {
                f.load(I32, local);
            }
            f.inst(Op::LifetimeStart { object }, None);
            f.store(local, i32(6));
            let old = f.load(PTR, keeper);
            let value = f.load(I32, old);
            f.ret(&[value]);
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(returned(&report), 5);
        } else {
            assert!(matches!(fatal(&report), Fault::Dangling { .. }), "{when}");
        }
    }
}

#[test]
fn dynamic_objects_end_at_the_restore() {
    for (restore, valid) in [(false, true), (true, false)] {
        let prog = main_of(|f| {
            let mark = f.value(Op::StackSave, PTR);
            let cell = f.alloca(8);
            f.store(cell, mark);
            let array = f.value(Op::Alloca { size: i64(16), align: 4, scoped: false, dynamic: true }, PTR);
            f.store(array, i32(3));
            if restore {
                let mark = f.load(PTR, cell);
                f.inst(Op::StackRestore { mark }, None);
            }
            let value = f.load(I32, array);
            f.ret(&[value]);
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(returned(&report), 3);
        } else {
            assert!(matches!(fatal(&report), Fault::Dangling { .. }));
        }
    }
}

fn heap(body: impl FnOnce(&mut Body<'_>, FuncId, FuncId, FuncId)) -> Prog {
    let mut prog = Prog::new();
    let malloc = prog.external("malloc", &[I64], false, &[PTR]);
    let free = prog.external("free", &[PTR], false, &[]);
    let realloc = prog.external("realloc", &[PTR, I64], false, &[PTR]);
    prog.main(|f| body(f, malloc, free, realloc));
    prog
}

#[test]
fn free_takes_the_start_of_a_live_block_once() {
    type Case = (&'static str, fn(&mut Body<'_>, FuncId, FuncId, FuncId), fn(&Fault) -> bool);
    let cases: [Case; 4] = [
        (
            "double",
            |f, malloc, free, _| {
                let block = f.call(malloc, &[i64(4)]);
                f.call(free, &[block]);
                f.call(free, &[block]);
            },
            |fault| matches!(fault, Fault::DoubleFree(_)),
        ),
        (
            "interior",
            |f, malloc, free, _| {
                let block = f.call(malloc, &[i64(4)]);
                let inside = f.add_ptr(block, 1);
                f.call(free, &[inside]);
            },
            |fault| matches!(fault, Fault::BadFree { offset: 1, .. }),
        ),
        (
            "stack",
            |f, _, free, _| {
                let local = f.alloca(4);
                f.call(free, &[local]);
            },
            |fault| matches!(fault, Fault::BadFree { offset: 0, .. }),
        ),
        (
            "after realloc",
            |f, malloc, free, realloc| {
                let block = f.call(malloc, &[i64(4)]);
                f.call(realloc, &[block, i64(8)]);
                f.call(free, &[block]);
            },
            |fault| matches!(fault, Fault::DoubleFree(_)),
        ),
    ];
    for (name, body, expected) in cases {
        let prog = heap(|f, malloc, free, realloc| {
            body(f, malloc, free, realloc);
            f.ret(&[i32(0)]);
        });
        let report = prog.run(&[]);
        let violation = report.violation_of(Property::ValidFree).unwrap_or_else(|| panic!("{name}: {report:?}"));
        assert!(expected(&violation.fault), "{name}: {:?}", violation.fault);
        assert_eq!(report.end, RunEnd::Violated);
    }
}

#[test]
fn realloc_keeps_content_and_ends_the_old_block() {
    let prog = heap(|f, malloc, free, realloc| {
        let block = f.call(malloc, &[i64(4)]);
        f.store(block, i32(42));
        let larger = f.call(realloc, &[block, i64(100)]);
        let value = f.load(I32, larger);
        f.call(free, &[larger]);
        f.call(free, &[Operand::Null]);
        f.ret(&[value]);
    });
    let report = prog.run(&[]);
    assert_eq!(returned(&report), 42);
    assert!(report.violations.is_empty());
}

#[test]
fn a_freed_block_is_not_read() {
    let prog = heap(|f, malloc, free, _| {
        let block = f.call(malloc, &[i64(4)]);
        f.store(block, i32(42));
        f.call(free, &[block]);
        let value = f.load(I32, block);
        f.ret(&[value]);
    });
    let report = prog.run(&[]);
    let Fault::Dangling { object, .. } = fatal(&report) else { panic!() };
    assert!(matches!(object.kind, ObjectKind::Heap(1)));
    assert_eq!(object.ended.map(|(how, span)| (how, span.line)), Some((EndedBy::Free, 3)));
}

#[test]
fn overflow_is_recorded_and_wraps() {
    let prog = main_of(|f| {
        let sum = f.checked_add(i32(i32::MAX.into()), i32(1));
        let again = f.checked_add(sum, i32(0));
        f.ret(&[again]);
    });
    let report = prog.run(&[]);
    assert_eq!(returned(&report), i32::MIN.into());
    let [violation] = &report.violations[..] else { panic!("{:?}", report.violations) };
    assert_eq!(violation.property, Property::NoOverflow);
    let Fault::Overflow(Some(operands)) = &violation.fault else { panic!("{:?}", violation.fault) };
    assert_eq!((&operands.lhs, &operands.rhs), (&IBig::from(i32::MAX), &IBig::from(1)));
}

#[test]
fn an_obligation_is_recorded_once() {
    let prog = main_of(|f| {
        let (head, body, end) = (f.block(), f.block(), f.block());
        let entry = f.here();
        f.jump(head);
        f.at(head);
        let counter = f.inst(Op::Phi { incoming: vec![(entry, i32(0))] }, Some(I32));
        let more = f.compare(IntPredicate::Slt, Operand::Inst(counter), i32(3));
        f.branch(more, body, end);
        f.at(body);
        f.checked_add(i32(i32::MAX.into()), i32(1));
        let next = f.binary(BinaryOp::Add, Operand::Inst(counter), i32(1));
        f.jump(head);
        let id = f.id;
        if let Op::Phi { incoming } = &mut f.prog.program.functions[id].insts[counter].op {
            incoming.push((body, next));
        }
        f.at(end);
        f.ret(&[Operand::Inst(counter)]);
    });
    let report = prog.run(&[]);
    assert_eq!(returned(&report), 3);
    assert_eq!(report.violations.len(), 1);
}

#[test]
fn division_by_zero_ends_the_run() {
    let prog = main_of(|f| {
        let cond = f.compare(IntPredicate::Ne, i32(0), i32(0));
        f.check(Property::Arithmetic, ObligationDetail::DivisionByZero, cond);
        let value = f.binary(BinaryOp::SDiv, i32(1), i32(0));
        f.ret(&[value]);
    });
    let report = prog.run(&[]);
    let Fault::DivisionByZero(Some(operands)) = fatal(&report) else { panic!() };
    assert_eq!(operands.lhs, IBig::from(1));
}

#[test]
fn a_bad_shift_is_recorded_and_its_value_arbitrary() {
    let prog = main_of(|f| {
        let cond = f.compare(IntPredicate::Ult, i32(40), i32(32));
        f.check(Property::Arithmetic, ObligationDetail::Shift, cond);
        let value = f.binary(BinaryOp::Shl, i32(1), i32(40));
        f.ret(&[value]);
    });
    let report = prog.run(&["arbitrary i32 77"]);
    assert_eq!(returned(&report), 77);
    assert!(matches!(&report.violations[0].fault, Fault::Shift(Some(operands)) if operands.rhs == IBig::from(40)));
}

#[test]
fn a_float_that_does_not_fit_gives_an_arbitrary_integer() {
    let prog = main_of(|f| {
        f.check(Property::Arithmetic, ObligationDetail::FloatCast, Operand::bool(false));
        let value = f.cast(CastOp::FloatToSigned, Operand::F64(1e10), I32);
        f.ret(&[value]);
    });
    let report = prog.run(&["arbitrary i32 -1"]);
    assert_eq!(returned(&report), -1);
    assert!(matches!(&report.violations[0].fault, Fault::FloatCast(Some(value)) if *value == 1e10));
}

#[test]
fn assertions_assumptions_and_error_calls() {
    for (name, arg, expected) in [
        ("__VERIFIER_assert", 1, "returned"),
        ("__VERIFIER_assert", 0, "violated"),
        ("__VERIFIER_assume", 0, "no run"),
        ("reach_error", 0, "violated"),
        ("abort", 0, "aborted"),
        ("exit", 3, "exited"),
    ] {
        let mut prog = Prog::new();
        let callee = prog.external(name, &[I32], false, &[]);
        prog.main(|f| {
            f.call(callee, &[i32(arg)]);
            f.ret(&[i32(0)]);
        });
        let report = prog.run(&[]);
        let got = match &report.end {
            RunEnd::Returned(_) => "returned",
            RunEnd::Violated => "violated",
            RunEnd::AssumptionFailed => "no run",
            RunEnd::Aborted => "aborted",
            RunEnd::Exited(code) => {
                assert_eq!(*code, Some(IBig::from(3)));
                "exited"
            }
            end => panic!("{end:?}"),
        };
        assert_eq!(got, expected, "{name}");
        assert_eq!(report.violation_of(Property::UnreachCall).is_some(), expected == "violated");
    }
}

#[test]
fn violations_before_a_false_assumption_count() {
    let mut prog = Prog::new();
    let assume = prog.external("__VERIFIER_assume", &[I32], false, &[]);
    prog.main(|f| {
        f.checked_add(i32(i32::MAX.into()), i32(1));
        f.call(assume, &[i32(0)]);
        f.ret(&[i32(0)]);
    });
    let report = prog.run(&[]);
    assert_eq!(report.end, RunEnd::AssumptionFailed);
    assert_eq!(report.violations.len(), 1);
}

#[test]
fn a_call_goes_to_a_function() {
    for (target, valid) in [(true, true), (false, false)] {
        let mut prog = Prog::new();
        let five = prog.declare("five", &[], false, &[I32]);
        prog.define(five, |f| f.ret(&[i32(5)]));
        prog.main(|f| {
            let obligation = f.obligation(Property::ValidDeref, ObligationDetail::IndirectCall);
            let local = f.alloca(8);
            let target = if target { Operand::Func(five) } else { local };
            let callee = Callee::Indirect(target, obligation);
            let op = Op::Call { callee, args: vec![], variadic: 0, byval_args: vec![], obligation: None };
            let value = f.value(op, I32);
            f.ret(&[value]);
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(returned(&report), 5);
        } else {
            assert!(matches!(fatal(&report), Fault::NotAFunction(Some(_))));
        }
    }
}

#[test]
fn memcpy_must_not_overlap_but_memmove_may() {
    for (offset, overlap, valid) in [(1, true, true), (1, false, false), (0, false, true), (8, false, true)] {
        let prog = main_of(|f| {
            let array = f.alloca(16);
            f.set(array, int(8, 1), 16);
            let to = f.add_ptr(array, offset);
            f.copy(to, array, 8, overlap);
            f.ret(&[i32(0)]);
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(returned(&report), 0);
        } else {
            assert!(matches!(fatal(&report), Fault::Overlap { .. }));
        }
    }
}

#[test]
fn an_empty_block_operation_touches_nothing() {
    let prog = main_of(|f| {
        f.copy(Operand::Null, Operand::Null, 0, false);
        f.set(Operand::Null, int(8, 0), 0);
        f.ret(&[i32(0)]);
    });
    assert_eq!(returned(&prog.run(&[])), 0);
}

#[test]
fn what_has_no_meaning_is_unknown() {
    let mut prog = Prog::new();
    let pointer = prog.external("mystery", &[], false, &[PTR]);
    let number = prog.external("number", &[], false, &[I32]);
    let two = prog.declare("two", &[I32, I32], false, &[I32]);
    prog.define(two, |f| f.ret(&[Operand::Param(0)]));
    type Case = (&'static str, Box<dyn Fn(&mut Body<'_>)>);
    let mains: [Case; 4] = [
        ("inline assembly", Box::new(|f| f.unused(Op::Unsupported { what: "inline assembly".into() }))),
        ("mystery", Box::new(move |f| assert!(matches!(f.call(pointer, &[]), Operand::Inst(_))))),
        ("too few", Box::new(move |f| assert!(matches!(f.call(two, &[i32(1)]), Operand::Inst(_))))),
        ("another type", Box::new(move |f| assert!(matches!(f.call(two, &[i32(1), i64(1)]), Operand::Inst(_))))),
    ];
    for (reason, body) in mains {
        let mut copy = Prog { program: prog.program.clone() };
        copy.main(|f| {
            body(f);
            f.ret(&[i32(0)]);
        });
        let RunEnd::Unknown { reason: given, .. } = copy.run(&[]).end else { panic!("{reason}") };
        assert!(given.contains(reason), "{given}");
    }
    prog.main(|f| {
        let value = f.call(number, &[]);
        f.ret(&[value]);
    });
    let report = prog.run(&["arbitrary i32 9"]);
    assert_eq!(returned(&report), 9);
    assert!(report.externs.contains(&number));
    let havoc = Config { externs: belay_ir::Externs::Refuse, ..prog.config() };
    assert!(matches!(prog.run_with(havoc, &[]).end, RunEnd::Unknown { .. }));
}

#[test]
fn allocations_fail_only_if_asked() {
    let prog = heap(|f, malloc, free, _| {
        let block = f.call(malloc, &[i64(4)]);
        let null = f.compare(IntPredicate::Eq, block, Operand::Null);
        let null = f.cast(CastOp::ZExt, null, I32);
        f.call(free, &[block]);
        f.ret(&[null]);
    });
    assert_eq!(returned(&prog.run(&[])), 0);
    let config = Config { malloc_may_fail: true, ..prog.config() };
    assert_eq!(returned(&prog.run_with(config.clone(), &["alloc fails"])), 1);
    assert_eq!(returned(&prog.run_with(config.clone(), &["alloc succeeds"])), 0);
    assert!(matches!(prog.run_with(config.clone(), &[]).end, RunEnd::NeedsChoice { .. }));
    assert!(matches!(prog.run_with(config, &["input i32 1"]).end, RunEnd::BadChoice { .. }));
}

#[test]
fn enormous_objects_are_given_up_not_aborted() {
    let prog = heap(|f, malloc, _, _| {
        let block = f.call(malloc, &[i64(1 << 45)]);
        f.store(block, i32(1));
        f.ret(&[i32(0)]);
    });
    assert!(matches!(prog.run(&[]).end, RunEnd::Unknown { .. }));
}

#[test]
fn recursion_is_limited_by_the_configuration_only() {
    let mut prog = Prog::new();
    let down = prog.declare("down", &[I32], false, &[I32]);
    prog.define(down, |f| {
        let (more, done) = (f.block(), f.block());
        let zero = f.compare(IntPredicate::Eq, Operand::Param(0), i32(0));
        f.branch(zero, done, more);
        f.at(done);
        f.ret(&[i32(0)]);
        f.at(more);
        let less = f.binary(BinaryOp::Sub, Operand::Param(0), i32(1));
        let value = f.call(down, &[less]);
        f.ret(&[value]);
    });
    prog.main(|f| {
        let value = f.call(down, &[i32(300_000)]);
        f.ret(&[value]);
    });
    assert_eq!(returned(&prog.run(&[])), 0);
    let config = Config { max_depth: 1000, ..prog.config() };
    assert!(matches!(prog.run_with(config, &[]).end, RunEnd::Unknown { .. }));
}
