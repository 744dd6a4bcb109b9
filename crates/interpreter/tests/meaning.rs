//! What values mean: undefined bytes, pointers as integers, unbounded integers.

mod build;

use belay_interpreter::{Fault, RunEnd, RunReport};
use belay_ir::*;
use build::*;
use dashu::integer::IBig;

fn main_of(body: impl FnOnce(&mut Body<'_>)) -> Prog {
    let mut prog = Prog::new();
    prog.main(body);
    prog
}

fn code(report: &RunReport) -> IBig {
    match &report.end {
        RunEnd::Returned(Some(code)) => code.clone(),
        end => panic!("{end:?}"),
    }
}

fn expect(prog: &Prog, choices: &[&str], value: i64) {
    let report = prog.run(choices);
    assert_eq!(code(&report), IBig::from(value));
    assert_eq!(report.choices.len(), choices.len(), "{:?}", report.choices);
}

#[test]
fn copies_of_undefined_bytes_agree() {
    let prog = main_of(|f| {
        let (a, b) = (f.alloca(4), f.alloca(4));
        let value = f.load(I32, a);
        f.store(b, value);
        f.copy(b, a, 4, false);
        let (x, y) = (f.load(I32, a), f.load(I32, b));
        let difference = f.binary(BinaryOp::Sub, x, y);
        f.ret(&[difference]);
    });
    expect(&prog, &["undefined 0x01", "undefined 0x02", "undefined 0x03", "undefined 0xff"], 0);
}

#[test]
fn different_undefined_bytes_differ() {
    let prog = main_of(|f| {
        let a = f.alloca(2);
        let next = f.add_ptr(a, 1);
        let (x, y) = (f.load(I8, a), f.load(I8, next));
        let difference = f.binary(BinaryOp::Sub, x, y);
        let difference = f.cast(CastOp::SExt, difference, I32);
        f.ret(&[difference]);
    });
    expect(&prog, &["undefined 0x07", "undefined 0x02"], 5);
}

#[test]
fn moving_undefined_bytes_chooses_nothing() {
    let mut prog = Prog::new();
    let pass = prog.declare("pass", &[I64], false, &[I64]);
    prog.define(pass, |f| f.ret(&[Operand::Param(0)]));
    prog.main(|f| {
        let (a, b) = (f.alloca(8), f.alloca(8));
        let value = f.load(I64, a);
        let value = f.call(pass, &[value]);
        let value = f.value(Op::Freeze { value }, I64);
        let value = f.value(Op::Select { cond: Operand::bool(true), then: value, otherwise: i64(0) }, I64);
        f.store(b, value);
        f.store(b, Operand::Undef(I64));
        f.ret(&[i32(1)]);
    });
    expect(&prog, &[], 1);
}

#[test]
fn each_use_of_undef_is_another_value() {
    let prog = main_of(|f| {
        let x = f.value(Op::Freeze { value: Operand::Undef(I8) }, I8);
        let y = f.value(Op::Freeze { value: Operand::Undef(I8) }, I8);
        let same = f.compare(IntPredicate::Eq, x, x);
        let differ = f.compare(IntPredicate::Ne, x, y);
        let both = f.binary(BinaryOp::And, same, differ);
        let both = f.cast(CastOp::ZExt, both, I32);
        f.ret(&[both]);
    });
    expect(&prog, &["undefined 0x01", "undefined 0x02"], 1);
}

#[test]
fn a_bit_field_of_fresh_memory_needs_no_choice() {
    // struct { unsigned low : 3; int high : 4; } s; s.low = 5; s.high = -2; return s.low * 100 + s.high;
    let prog = main_of(|f| {
        let unit = f.alloca(1);
        for (mask, bits) in [(0xf8, 5), (0x87, 0x70)] {
            let old = f.load(I8, unit);
            let cleared = f.binary(BinaryOp::And, old, int(8, mask));
            let new = f.binary(BinaryOp::Or, cleared, int(8, bits));
            f.store(unit, new);
        }
        let low = f.load(I8, unit);
        let low = f.binary(BinaryOp::And, low, int(8, 7));
        let low = f.cast(CastOp::ZExt, low, I32);
        let high = f.load(I8, unit);
        let high = f.binary(BinaryOp::Shl, high, int(8, 1));
        let high = f.binary(BinaryOp::AShr, high, int(8, 4));
        let high = f.cast(CastOp::SExt, high, I32);
        let scaled = f.binary(BinaryOp::Mul, low, i32(100));
        let sum = f.binary(BinaryOp::Add, scaled, high);
        f.ret(&[sum]);
    });
    expect(&prog, &[], 498);
}

#[test]
fn a_pointer_survives_as_an_integer() {
    let prog = main_of(|f| {
        let array = f.alloca(16);
        let at = f.add_ptr(array, 4);
        f.store(at, i32(9));
        let number = f.cast(CastOp::PtrToInt, array, I64);
        let moved = f.binary(BinaryOp::Add, number, i64(12));
        let moved = f.binary(BinaryOp::Sub, moved, i64(8));
        let tagged = f.binary(BinaryOp::Or, moved, i64(1));
        let cell = f.alloca(8);
        f.store(cell, tagged);
        let tagged = f.load(I64, cell);
        let untagged = f.binary(BinaryOp::And, tagged, i64(-4));
        let tag = f.binary(BinaryOp::And, tagged, i64(3));
        let pointer = f.cast(CastOp::IntToPtr, untagged, PTR);
        let value = f.load(I32, pointer);
        let tag = f.cast(CastOp::Trunc, tag, I32);
        let sum = f.binary(BinaryOp::Add, value, tag);
        f.ret(&[sum]);
    });
    expect(&prog, &[], 10);
}

#[test]
fn a_pointer_survives_being_copied_byte_by_byte() {
    let prog = main_of(|f| {
        let (object, from, to) = (f.alloca(4), f.alloca(8), f.alloca(8));
        f.store(object, i32(3));
        f.store(from, object);
        for at in 0..8 {
            let (source, target) = (f.add_ptr(from, at), f.add_ptr(to, at));
            let byte = f.load(I8, source);
            f.store(target, byte);
        }
        let pointer = f.load(PTR, to);
        let value = f.load(I32, pointer);
        f.ret(&[value]);
    });
    expect(&prog, &[], 3);
}

#[test]
fn an_integer_finds_the_object_at_its_address() {
    // x ^ y ^ y == x: the numbers are used, so that addresses are chosen.
    let prog = main_of(|f| {
        let (a, b) = (f.alloca(8), f.alloca(8));
        f.store(a, i32(6));
        let (x, y) = (f.cast(CastOp::PtrToInt, a, I64), f.cast(CastOp::PtrToInt, b, I64));
        let both = f.binary(BinaryOp::Xor, x, y);
        let back = f.binary(BinaryOp::Xor, both, y);
        let pointer = f.cast(CastOp::IntToPtr, back, PTR);
        let value = f.load(I32, pointer);
        f.ret(&[value]);
    });
    expect(&prog, &["address 0x1000", "address 0x2000"], 6);
    for bad in ["address 0x1004", "address 0x1001", "address 0x0"] {
        assert!(matches!(prog.run(&["address 0x1000", bad]).end, RunEnd::BadChoice { .. }), "{bad}");
    }
}

#[test]
fn pointers_to_different_objects_differ_without_a_choice() {
    for (offset, op, choices, expected) in [
        (0, IntPredicate::Eq, &[][..], 0),
        (7, IntPredicate::Ne, &[][..], 1),
        // one past the end may be the other's start
        (8, IntPredicate::Eq, &["address 0x1000", "address 0x1008"][..], 1),
        (8, IntPredicate::Eq, &["address 0x1000", "address 0x1010"][..], 0),
        (0, IntPredicate::Ult, &["address 0x1000", "address 0x800"][..], 0),
    ] {
        let prog = main_of(|f| {
            let (a, b) = (f.alloca(8), f.alloca(8));
            let a = f.add_ptr(a, offset);
            let holds = f.compare(op, a, b);
            let holds = f.cast(CastOp::ZExt, holds, I32);
            f.ret(&[holds]);
        });
        expect(&prog, choices, expected);
    }
}

#[test]
fn null_and_all_ones_are_no_addresses_of_objects() {
    for (value, op, expected) in [
        (0, IntPredicate::Eq, 0),
        (0, IntPredicate::Ugt, 1),
        (-1, IntPredicate::Eq, 0),
        (-1, IntPredicate::Ult, 1),
        (3, IntPredicate::Ne, 1),
    ] {
        let prog = main_of(|f| {
            let local = f.alloca(8);
            let number = f.cast(CastOp::PtrToInt, local, I64);
            let holds = f.compare(op, number, i64(value));
            let holds = f.cast(CastOp::ZExt, holds, I32);
            f.ret(&[holds]);
        });
        expect(&prog, &[], expected);
    }
}

#[test]
fn a_freed_block_may_be_given_out_again() {
    let mut prog = Prog::new();
    let malloc = prog.external("malloc", &[I64], false, &[PTR]);
    let free = prog.external("free", &[PTR], false, &[]);
    prog.main(|f| {
        let old = f.call(malloc, &[i64(8)]);
        f.call(free, &[old]);
        let not_null = f.compare(IntPredicate::Ne, old, Operand::Null);
        let new = f.call(malloc, &[i64(8)]);
        let same = f.compare(IntPredicate::Eq, old, new);
        let both = f.binary(BinaryOp::And, same, not_null);
        let both = f.cast(CastOp::ZExt, both, I32);
        f.call(free, &[new]);
        f.ret(&[both]);
    });
    expect(&prog, &["address 0x1000", "address 0x1000"], 1);
    expect(&prog, &["address 0x1000", "address 0x1010"], 0);
}

#[test]
fn blocks_that_lived_together_never_share_an_address() {
    let mut prog = Prog::new();
    let malloc = prog.external("malloc", &[I64], false, &[PTR]);
    let free = prog.external("free", &[PTR], false, &[]);
    prog.main(|f| {
        let (a, b) = (f.call(malloc, &[i64(8)]), f.call(malloc, &[i64(8)]));
        f.call(free, &[a]);
        let same = f.compare(IntPredicate::Eq, a, b);
        let same = f.cast(CastOp::ZExt, same, I32);
        f.call(free, &[b]);
        f.ret(&[same]);
    });
    expect(&prog, &[], 0);
}

#[test]
fn the_difference_of_pointers_into_one_object_is_known() {
    let prog = main_of(|f| {
        let array = f.alloca(40);
        let end = f.add_ptr(array, 40);
        let (x, y) = (f.cast(CastOp::PtrToInt, array, I64), f.cast(CastOp::PtrToInt, end, I64));
        let difference = f.binary(BinaryOp::Sub, y, x);
        let count = f.binary(BinaryOp::SDiv, difference, i64(4));
        let count = f.cast(CastOp::Trunc, count, I32);
        f.ret(&[count]);
    });
    expect(&prog, &[], 10);
}

#[test]
fn an_undefined_pointer_stays_invalid_once_chosen() {
    let prog = main_of(|f| {
        let (object, variable) = (f.alloca(8), f.alloca(8));
        let number = f.cast(CastOp::PtrToInt, object, I64);
        let doubled = f.binary(BinaryOp::Mul, number, i64(2));
        let pointer = f.load(PTR, variable);
        let same = f.compare(IntPredicate::Eq, pointer, object);
        let pointer = f.load(PTR, variable);
        let value = f.load(I64, pointer);
        let value = f.binary(BinaryOp::Add, value, doubled);
        let value = f.cast(CastOp::Trunc, value, I32);
        f.ret(&[value, same][..1]);
    });
    let zero = "undefined 0x00";
    let report = prog.run(&["address 0x1000", zero, "undefined 0x10", zero, zero, zero, zero, zero, zero]);
    assert_eq!(report.end, RunEnd::Violated, "{report:?}");
    assert!(matches!(report.violations[0].fault, Fault::UndefinedPointer { .. }));
}

#[test]
fn floats_are_ieee() {
    let prog = main_of(|f| {
        let sum = f.value(
            Op::FloatBinary { op: FloatBinaryOp::Add, lhs: Operand::F64(0.1), rhs: Operand::F64(0.2) },
            Type::F64,
        );
        let same = f.value(Op::FloatCompare { op: FloatPredicate::Oeq, lhs: sum, rhs: Operand::F64(0.3) }, I1);
        let nan = f.value(
            Op::FloatBinary { op: FloatBinaryOp::Div, lhs: Operand::F64(0.0), rhs: Operand::F64(0.0) },
            Type::F64,
        );
        let unordered = f.value(Op::FloatCompare { op: FloatPredicate::Uno, lhs: nan, rhs: nan }, I1);
        let single = f.cast(CastOp::FloatToFloat, Operand::F64(16777217.0), Type::F32);
        let back = f.cast(CastOp::FloatToSigned, single, I32);
        let (a, b) = (f.cast(CastOp::ZExt, same, I32), f.cast(CastOp::ZExt, unordered, I32));
        let value = f.binary(BinaryOp::Sub, back, i32(16777200));
        let value = f.binary(BinaryOp::Sub, value, b);
        let value = f.binary(BinaryOp::Sub, value, a);
        f.ret(&[value]);
    });
    expect(&prog, &[], 15);
}

#[test]
fn a_switch_finds_its_case() {
    for (value, expected) in [(-1, 10), (3, 20), (7, 30)] {
        let prog = main_of(|f| {
            let (a, b, default) = (f.block(), f.block(), f.block());
            let cases = vec![(3, b), (0xffff_ffff, a)];
            f.term(Terminator::Switch { value: i32(value), cases, default });
            for (block, code) in [(a, 10), (b, 20), (default, 30)] {
                f.at(block);
                f.ret(&[i32(code)]);
            }
        });
        expect(&prog, &[], expected);
        assert_eq!(code(&prog.unbounded(&[])), IBig::from(expected));
    }
}

#[test]
fn unbounded_integers_do_not_wrap_and_live_in_cells() {
    let prog = main_of(|f| {
        let cell = f.alloca(4);
        let large = f.binary(BinaryOp::Mul, i32(i32::MAX.into()), i32(4));
        f.store(cell, large);
        let copy = f.alloca(4);
        f.copy(copy, cell, 4, false);
        let back = f.load(I32, copy);
        let sum = f.checked_add(back, i32(1));
        f.ret(&[sum]);
    });
    let report = prog.unbounded(&[]);
    assert_eq!(code(&report), IBig::from(i64::from(i32::MAX) * 4 + 1));
    assert!(report.violations.is_empty() && report.choices.is_empty());
    assert_eq!(code(&prog.run(&[])), IBig::from(-3));
}

#[test]
fn a_torn_unbounded_integer_is_arbitrary() {
    for tear in [true, false] {
        let prog = main_of(|f| {
            let cell = f.alloca(4);
            let large = f.binary(BinaryOp::Mul, i32(i32::MAX.into()), i32(4));
            f.store(cell, large);
            if tear {
                f.store(cell, int(8, 0));
                let value = f.load(I32, cell);
                f.ret(&[value]);
            } else {
                let value = f.load(I8, cell);
                let value = f.cast(CastOp::SExt, value, I32);
                f.ret(&[value]);
            }
        });
        let choice = if tear { "arbitrary i32 12345678901" } else { "arbitrary i8 5" };
        let expected = if tear { IBig::from(12345678901i64) } else { IBig::from(5) };
        assert_eq!(code(&prog.unbounded(&[choice])), expected);
    }
}

#[test]
fn unbounded_inputs_are_within_their_type() {
    let mut prog = Prog::new();
    let uint = prog.external("__VERIFIER_nondet_uint", &[], false, &[I32]);
    prog.main(|f| {
        let value = f.call(uint, &[]);
        f.ret(&[value]);
    });
    assert_eq!(code(&prog.unbounded(&["input i32 4294967295"])), IBig::from(4294967295u32));
    assert!(matches!(prog.unbounded(&["input i32 -1"]).end, RunEnd::BadChoice { .. }));
    assert!(matches!(prog.unbounded(&["input i32 4294967296"]).end, RunEnd::BadChoice { .. }));
    assert_eq!(code(&prog.run(&["input i32 4294967295"])), IBig::from(-1));
}

#[test]
fn an_unbounded_offset_that_is_no_address_is_unknown() {
    let prog = main_of(|f| {
        let object = f.alloca(4);
        let large = f.binary(BinaryOp::Mul, i64(i64::MAX.into()), i64(4));
        let pointer = f.value(Op::PtrAdd { base: object, offset: large }, PTR);
        let value = f.load(I32, pointer);
        f.ret(&[value]);
    });
    assert!(matches!(prog.unbounded(&[]).end, RunEnd::Unknown { .. }));
}

#[test]
fn offsets_wrap_at_the_width_of_an_address() {
    let mut prog = Prog::with_model(DataModel::Ilp32);
    prog.main(|f| {
        let array = f.alloca(8);
        f.set(array, int(8, 1), 8);
        let far = f.add_ptr(array, 0xffff_ffff);
        let back = f.add_ptr(far, 5);
        let value = f.load(I32, back);
        f.ret(&[value]);
    });
    expect(&prog, &[], 0x01010101);
}

#[test]
fn arguments_of_main_are_chosen_when_looked_at() {
    let mut prog = Prog::new();
    let main = prog.declare("main", &[I32, PTR], false, &[I32]);
    prog.define(main, |f| {
        let cell = f.alloca(4);
        f.store(cell, Operand::Param(0));
        f.ret(&[i32(0)]);
    });
    expect(&prog, &[], 0);
    let mut prog = Prog::new();
    let strlen = prog.external("strlen", &[PTR], false, &[I64]);
    let main = prog.declare("main", &[I32, PTR], false, &[I32]);
    prog.define(main, |f| {
        let second = f.add_ptr(Operand::Param(1), 8);
        let string = f.load(PTR, second);
        let len = f.call(strlen, &[string]);
        let len = f.cast(CastOp::Trunc, len, I32);
        let scaled = f.binary(BinaryOp::Mul, len, i32(10));
        let sum = f.binary(BinaryOp::Add, scaled, Operand::Param(0));
        f.ret(&[sum]);
    });
    expect(&prog, &["argc 2", "argv \"hello\""], 52);
    let report = prog.run(&["argc 1"]);
    assert!(matches!(report.violations[0].fault, Fault::Null { .. }), "{report:?}");
    assert!(matches!(prog.run(&["argc 0"]).end, RunEnd::BadChoice { .. }));
}
