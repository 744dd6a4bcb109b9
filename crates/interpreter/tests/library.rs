//! Output and variadic arguments.

mod build;

use belay_interpreter::{Fault, RunEnd};
use belay_ir::*;
use build::*;

fn printf_of(format: &str, args: impl FnOnce(&mut Body<'_>) -> Vec<Operand>) -> (Prog, FuncId) {
    let mut prog = Prog::new();
    let printf = prog.external("printf", &[PTR], true, &[I32]);
    let format = prog.string(format);
    prog.main(|f| {
        let args = args(f);
        f.call(printf, &[&[format], &args[..]].concat());
        f.ret(&[i32(0)]);
    });
    (prog, printf)
}

fn output(prog: &Prog) -> String {
    let report = prog.run(&[]);
    assert_eq!(report.end, RunEnd::Returned(Some(0.into())), "{:?}", report.end);
    assert!(report.choices.is_empty());
    String::from_utf8_lossy(&report.output).into_owned()
}

#[test]
fn printf_prints_what_c_says() {
    let cases: [(&str, Vec<Operand>, String); 9] = [
        ("%d|%5d|%-5d|", vec![i32(-1), i32(42), i32(7)], format!("{}|{:5}|{:<5}|", -1, 42, 7)),
        (
            "%u %x %X %o",
            vec![i32(-1), i32(-1), i32(255), i32(8)],
            format!("{} {:x} {:X} {:o}", u32::MAX, u32::MAX, 255, 8),
        ),
        ("%ld %lu %lld", vec![i64(-5), i64(-1), i64(1 << 40)], format!("-5 {} {}", u64::MAX, 1u64 << 40)),
        ("%hhd %hu", vec![i32(300), i32(-1)], format!("{} {}", 300i32 as i8, u16::MAX)),
        ("%c%c%%", vec![i32(65), i32(10)], "A\n%".into()),
        (
            "%f %.2e %g",
            vec![Operand::F64(2.5), Operand::F64(12345.0), Operand::F64(0.1)],
            "2.500000 1.23e+04 0.1".into(),
        ),
        ("%*d|%-*d|%.*f", vec![i32(4), i32(1), i32(3), i32(2), i32(1), Operand::F64(0.25)], "   1|2  |0.2".into()),
        ("%p", vec![Operand::Null], "(nil)".into()),
        ("%zu %td %jd", vec![i64(1), i64(-1), i64(2)], "1 -1 2".into()),
    ];
    for (format, args, expected) in cases {
        assert_eq!(output(&printf_of(format, |_| args).0), expected, "{format}");
    }
}

#[test]
fn what_would_take_a_choice_is_printed_without_one() {
    let (prog, _) = printf_of("%d %p", |f| {
        let (local, other) = (f.alloca(4), f.alloca(4));
        vec![f.load(I32, local), other]
    });
    let text = output(&prog);
    assert!(text.starts_with("? 0x("), "{text}");
}

#[test]
fn missing_and_wrong_arguments_are_unknown() {
    for (format, args) in
        [("%d", vec![]), ("%d", vec![Operand::F64(1.0)]), ("%ls", vec![Operand::Null]), ("%q", vec![])]
    {
        let (prog, _) = printf_of(format, |_| args);
        assert!(matches!(prog.run(&[]).end, RunEnd::Unknown { .. }), "{format}");
    }
}

#[test]
fn printf_reads_valid_strings_only() {
    for (precision, valid) in [("%s", false), ("%.3s", true)] {
        let (prog, _) = printf_of(precision, |f| {
            let text = f.alloca(3);
            f.set(text, int(8, 97), 3);
            vec![text]
        });
        let report = prog.run(&[]);
        if valid {
            assert_eq!(report.output, b"aaa");
        } else {
            assert!(matches!(report.violations[0].fault, Fault::OutOfBounds { .. }));
            assert_eq!(report.violations[0].property, Property::ValidDeref);
        }
    }
}

#[test]
fn sprintf_and_snprintf_write_to_memory() {
    for (size, name, limit, valid) in [
        (3, "sprintf", None, true),
        (2, "sprintf", None, false),
        (2, "snprintf", Some(2), true),
        (0, "snprintf", Some(0), true),
        (1, "snprintf", Some(2), false),
    ] {
        let mut prog = Prog::new();
        let params: &[Type] = if limit.is_some() { &[PTR, I64, PTR] } else { &[PTR, PTR] };
        let callee = prog.external(name, params, true, &[I32]);
        let format = prog.string("%d");
        prog.main(|f| {
            let buffer = f.alloca(size);
            let mut args = vec![buffer];
            args.extend(limit.map(i64));
            args.extend([format, i32(42)]);
            let count = f.call(callee, &args);
            f.ret(&[count]);
        });
        let report = prog.run(&[]);
        let expected = if valid { RunEnd::Returned(Some(2.into())) } else { RunEnd::Violated };
        assert_eq!(report.end, expected, "{name} {size}");
    }
}

#[test]
fn percent_n_stores_the_count() {
    let mut prog = Prog::new();
    let printf = prog.external("printf", &[PTR], true, &[I32]);
    let format = prog.string("abc%n\n");
    prog.main(|f| {
        let count = f.alloca(4);
        f.call(printf, &[format, count]);
        let value = f.load(I32, count);
        f.ret(&[value]);
    });
    assert_eq!(prog.run(&[]).end, RunEnd::Returned(Some(3.into())));
}

#[test]
fn other_output_functions() {
    let mut prog = Prog::new();
    let puts = prog.external("puts", &[PTR], false, &[I32]);
    let putchar = prog.external("putchar", &[I32], false, &[I32]);
    let fputs = prog.external("fputs", &[PTR, PTR], false, &[I32]);
    let text = prog.string("hello");
    let stderr = prog.global("standard_error", &[], 4, false);
    prog.main(|f| {
        f.call(puts, &[text]);
        f.call(putchar, &[i32(33)]);
        f.call(fputs, &[text, Operand::Global { global: stderr, offset: 0 }]);
        f.ret(&[i32(0)]);
    });
    let report = prog.run(&[]);
    assert_eq!(report.output, b"hello\n!");
    assert_eq!(report.errors, b"hello");
    assert!(report.choices.is_empty());
}

/// A function that walks its `va_list` as clang's code for `va_arg(list, int)` does on x86-64, and sums.
fn sum_lp64(prog: &mut Prog, count: u64) -> FuncId {
    let sum = prog.declare("sum", &[I32], true, &[I32]);
    prog.define(sum, |f| {
        let (list, total) = (f.alloca(24), f.alloca(4));
        f.store(total, i32(0));
        let obligation = f.obligation(Property::ValidDeref, ObligationDetail::Store);
        f.inst(Op::VaStart { list, obligation }, None);
        for _ in 0..count {
            let (in_register, on_stack, next) = (f.block(), f.block(), f.block());
            let used = f.load(I32, list);
            let fits = f.compare(IntPredicate::Ule, used, i32(40));
            f.branch(fits, in_register, on_stack);
            f.at(in_register);
            let save = f.add_ptr(list, 16);
            let save = f.load(PTR, save);
            let offset = f.cast(CastOp::ZExt, used, I64);
            let register = f.value(Op::PtrAdd { base: save, offset }, PTR);
            let more = f.binary(BinaryOp::Add, used, i32(8));
            f.store(list, more);
            f.jump(next);
            f.at(on_stack);
            let area = f.add_ptr(list, 8);
            let stacked = f.load(PTR, area);
            let moved = f.add_ptr(stacked, 8);
            f.store(area, moved);
            f.jump(next);
            f.at(next);
            let at = f.value(Op::Phi { incoming: vec![(in_register, register), (on_stack, stacked)] }, PTR);
            let arg = f.load(I32, at);
            let old = f.load(I32, total);
            let new = f.binary(BinaryOp::Add, old, arg);
            f.store(total, new);
        }
        f.inst(Op::VaEnd { list }, None);
        let total = f.load(I32, total);
        f.ret(&[total]);
    });
    sum
}

#[test]
fn variadic_arguments_are_where_the_abi_puts_them() {
    let mut prog = Prog::new();
    let sum = sum_lp64(&mut prog, 8);
    prog.main(|f| {
        let args: Vec<Operand> = (0..9).map(|n| i32(1 << n)).collect();
        let total = f.call(sum, &args);
        f.ret(&[total]);
    });
    assert_eq!(prog.run(&[]).end, RunEnd::Returned(Some((0x1ff - 1).into())));
}

#[test]
fn reading_more_variadic_arguments_than_there_are_is_invalid() {
    let mut prog = Prog::new();
    let sum = sum_lp64(&mut prog, 8);
    prog.main(|f| {
        let args: Vec<Operand> = (0..7).map(|n| i32(1 << n)).collect();
        let total = f.call(sum, &args);
        f.ret(&[total]);
    });
    let report = prog.run(&[]);
    assert!(matches!(report.violations[0].fault, Fault::OutOfBounds { .. }), "{report:?}");
}

#[test]
fn vprintf_walks_the_list() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut prog = Prog::with_model(model);
        let vprintf = prog.external("vprintf", &[PTR, PTR], false, &[I32]);
        let log = prog.declare("log", &[PTR], true, &[]);
        prog.define(log, |f| {
            let list = f.alloca(24);
            let obligation = f.obligation(Property::ValidDeref, ObligationDetail::Store);
            f.inst(Op::VaStart { list, obligation }, None);
            let passed = if model == DataModel::Lp64 { list } else { f.load(PTR, list) };
            f.call(vprintf, &[Operand::Param(0), passed]);
            f.ret(&[]);
        });
        let format = prog.string("%d %s %f %lld %d %d %d %d|");
        let text = prog.string("xyz");
        prog.main(|f| {
            let args = [format, i32(1), text, Operand::F64(0.5), i64(1 << 33), i32(2), i32(3), i32(4), i32(5)];
            f.call(log, &args);
            f.ret(&[i32(0)]);
        });
        assert_eq!(output(&prog), "1 xyz 0.500000 8589934592 2 3 4 5|");
    }
}

#[test]
fn structs_by_value_are_copies() {
    let mut prog = Prog::new();
    let callee = prog.declare("callee", &[PTR], true, &[I32]);
    prog.program.functions[callee].params[0].byval = Some((8, 4));
    prog.define(callee, |f| {
        let old = f.load(I32, Operand::Param(0));
        f.store(Operand::Param(0), i32(99));
        let list = f.alloca(24);
        let obligation = f.obligation(Property::ValidDeref, ObligationDetail::Store);
        f.inst(Op::VaStart { list, obligation }, None);
        let area = f.add_ptr(list, 8);
        let area = f.load(PTR, area);
        let second = f.add_ptr(area, 4);
        let variadic = f.load(I32, second);
        let sum = f.binary(BinaryOp::Add, old, variadic);
        f.ret(&[sum]);
    });
    prog.main(|f| {
        let object = f.alloca(8);
        f.store(object, i32(5));
        let second = f.add_ptr(object, 4);
        f.store(second, i32(30));
        let obligation = Some(f.obligation(Property::ValidDeref, ObligationDetail::Load));
        let op = Op::Call {
            callee: Callee::Direct(callee),
            args: vec![object, object],
            variadic: 1,
            byval_args: vec![(0, 8, 4), (1, 8, 4)],
            obligation,
        };
        let sum = f.value(op, I32);
        let still = f.load(I32, object);
        let all = f.binary(BinaryOp::Add, sum, still);
        f.ret(&[all]);
    });
    assert_eq!(prog.run(&[]).end, RunEnd::Returned(Some(40.into())));
}

#[test]
fn several_results() {
    let mut prog = Prog::new();
    let pair = prog.declare("pair", &[], false, &[I32, I64]);
    prog.define(pair, |f| f.ret(&[i32(3), i64(4)]));
    prog.main(|f| {
        let call = f.call_inst(pair, &[]);
        let first = f.value(Op::Extract { call, index: 0 }, I32);
        let second = f.value(Op::Extract { call, index: 1 }, I64);
        let second = f.cast(CastOp::Trunc, second, I32);
        let sum = f.binary(BinaryOp::Add, first, second);
        f.ret(&[sum]);
    });
    let report = prog.run(&[]);
    assert_eq!(report.end, RunEnd::Returned(Some(7.into())));
    assert!(report.choices.is_empty());
}

#[test]
fn a_result_that_there_is_not() {
    let mut prog = Prog::new();
    let nothing = prog.declare("nothing", &[], false, &[]);
    prog.define(nothing, |f| f.ret(&[]));
    prog.main(|f| {
        let call = Op::Call {
            callee: Callee::Direct(nothing),
            args: vec![],
            variadic: 0,
            byval_args: vec![],
            obligation: None,
        };
        f.value(call, I32);
        f.ret(&[i32(7)]);
    });
    assert!(matches!(prog.run(&[]).end, RunEnd::Unknown { .. }));
}

#[test]
fn constructors_and_destructors_run_around_main() {
    for exits in [false, true] {
        let mut prog = Prog::new();
        let putchar = prog.external("putchar", &[I32], false, &[I32]);
        let exit = prog.external("exit", &[I32], false, &[]);
        let says = |prog: &mut Prog, name: &str, letter: char| {
            let id = prog.declare(name, &[], false, &[]);
            prog.define(id, |f| {
                f.call(putchar, &[i32(i128::from(letter as u32))]);
                f.ret(&[]);
            });
            id
        };
        let (before, after) = (says(&mut prog, "before", 'a'), says(&mut prog, "after", 'c'));
        prog.program.constructors.push(before);
        prog.program.destructors.push(after);
        prog.main(|f| {
            f.call(putchar, &[i32(98)]);
            if exits {
                f.call(exit, &[i32(2)]);
            }
            f.ret(&[i32(1)]);
        });
        let report = prog.run(&[]);
        assert_eq!(report.output, b"abc");
        let expected = if exits { RunEnd::Exited(Some(2.into())) } else { RunEnd::Returned(Some(1.into())) };
        assert_eq!(report.end, expected);
    }
}

#[test]
fn a_destructor_that_exits_runs_once() {
    let mut prog = Prog::new();
    let putchar = prog.external("putchar", &[I32], false, &[I32]);
    let exit = prog.external("exit", &[I32], false, &[]);
    let destructor = prog.declare("destructor", &[], false, &[]);
    prog.define(destructor, |f| {
        f.call(putchar, &[i32(100)]);
        f.call(exit, &[i32(5)]);
        f.term(Terminator::UNREACHABLE);
    });
    prog.program.destructors.extend([destructor, destructor]);
    prog.main(|f| f.ret(&[i32(0)]));
    let report = prog.run(&[]);
    assert_eq!(report.output, b"dd");
    assert_eq!(report.end, RunEnd::Exited(Some(5.into())));
}
