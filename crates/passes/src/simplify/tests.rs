use super::*;
use crate::testing::{Builder, I32, obligations_of};
use belay_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, Type, print_program, verify_program};

const P0: Operand = Operand::Param(0);

/// Simplifies for a model and verifies; the text of the result.
fn simplified_for(b: Builder, integers: IntegerModel) -> String {
    let mut program = b.finish();
    assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
    simplify(&mut program, integers);
    let text = print_program(&program);
    assert_eq!(verify_program(&program), Ok(()), "{text}");
    text
}

/// The returned operand after simplification of what `build` computes from an `i32` and an `i1`.
fn returned(integers: IntegerModel, build: impl FnOnce(&mut Builder) -> Operand) -> String {
    let mut b = Builder::new(1, &[I32, Type::BOOL]);
    let value = build(&mut b);
    let ty = b.function.operand_type(value).expect("the operand has a value");
    b.function.results = vec![ty];
    b.ret(value);
    let text = simplified_for(b, integers);
    text.split("return ").nth(1).expect("it returns").lines().next().expect("it returns").to_owned()
}

fn check(build: impl Fn(&mut Builder) -> Operand, machine: &str, unbounded: &str) {
    assert_eq!(returned(IntegerModel::Machine, &build), machine, "machine integers");
    assert_eq!(returned(IntegerModel::Unbounded, &build), unbounded, "unbounded integers");
}

#[test]
fn identities_of_both_models() {
    let int = |value| Operand::int(32, value);
    check(|b| b.binary(BinaryOp::Add, P0, int(0)), "i32 $p0", "i32 $p0");
    check(|b| b.binary(BinaryOp::Add, int(0), P0), "i32 $p0", "i32 $p0");
    check(|b| b.binary(BinaryOp::Sub, P0, P0), "i32 0", "i32 0");
    check(|b| b.binary(BinaryOp::Mul, P0, int(1)), "i32 $p0", "i32 $p0");
    check(|b| b.binary(BinaryOp::Mul, P0, int(0)), "i32 0", "i32 0");
    check(|b| b.binary(BinaryOp::SDiv, P0, int(1)), "i32 $p0", "i32 $p0");
    check(|b| b.compare(IntPredicate::Sle, P0, P0), "i1 true", "i1 true");
    check(|b| b.compare(IntPredicate::Ult, P0, int(0)), "i1 false", "i1 false");
}

#[test]
fn identities_of_machine_integers_only() {
    let int = |value| Operand::int(32, value);
    check(|b| b.binary(BinaryOp::And, P0, int(0)), "i32 0", "i32 %0");
    check(|b| b.binary(BinaryOp::Or, P0, int(0)), "i32 $p0", "i32 %0");
    check(|b| b.binary(BinaryOp::Xor, P0, P0), "i32 0", "i32 %0");
    check(|b| b.binary(BinaryOp::UDiv, P0, int(1)), "i32 $p0", "i32 %0");
    check(|b| b.binary(BinaryOp::LShr, P0, int(0)), "i32 $p0", "i32 %0");
    check(|b| b.binary(BinaryOp::Add, int(i32::MAX as u128), int(1)), "i32 -2147483648", "i32 %0");
    let overflow = |b: &mut Builder| {
        let op = Op::Overflows { op: OverflowOp::Add, signed: true, lhs: P0, rhs: int(1) };
        b.value(op, Type::BOOL)
    };
    check(overflow, "i1 %0", "i1 false");
    let there_and_back = |b: &mut Builder| {
        let wide = b.value(Op::Cast { op: CastOp::SExt, value: P0 }, Type::Int(64));
        b.value(Op::Cast { op: CastOp::Trunc, value: wide }, I32)
    };
    check(there_and_back, "i32 $p0", "i32 %1");
}

#[test]
fn truth_values() {
    let c = Operand::Param(1);
    let wide = |b: &mut Builder| b.value(Op::Cast { op: CastOp::ZExt, value: c }, I32);
    let not = |b: &mut Builder, value| b.binary(BinaryOp::Xor, value, Operand::bool(true));
    let compared = |op, constant| {
        move |b: &mut Builder| {
            let value = b.value(Op::Cast { op: CastOp::ZExt, value: c }, I32);
            b.compare(op, value, Operand::int(32, constant))
        }
    };
    check(compared(IntPredicate::Ne, 0), "i1 $p1", "i1 $p1");
    check(compared(IntPredicate::Eq, 1), "i1 $p1", "i1 $p1");
    check(
        |b| {
            let value = compared(IntPredicate::Eq, 0)(b);
            not(b, value)
        },
        "i1 $p1",
        "i1 $p1",
    );
    check(
        |b| {
            let value = wide(b);
            b.value(Op::Cast { op: CastOp::Trunc, value }, Type::BOOL)
        },
        "i1 $p1",
        "i1 $p1",
    );
    let select = |then, otherwise| {
        move |b: &mut Builder| {
            let (then, otherwise) = (Operand::bool(then), Operand::bool(otherwise));
            b.value(Op::Select { cond: c, then, otherwise }, Type::BOOL)
        }
    };
    check(select(true, false), "i1 $p1", "i1 $p1");
    check(select(true, true), "i1 true", "i1 true");
}

#[test]
fn nothing_undefined_becomes_defined() {
    let undef = Operand::Undef(I32);
    check(|b| b.binary(BinaryOp::Sub, undef, undef), "i32 %0", "i32 %0");
    check(|b| b.compare(IntPredicate::Eq, undef, undef), "i1 %0", "i1 %0");
    check(|b| b.value(Op::Freeze { value: undef }, I32), "i32 %0", "i32 %0");
    let mut b = Builder::new(4, &[Type::BOOL, Type::Ptr]);
    b.branch(P0, 1, 2);
    b.at(1).jump(3);
    b.at(2).jump(3);
    let phi = b.at(3).phi(Type::Ptr, &[(1, Operand::Undef(Type::Ptr)), (2, Operand::Param(1))]);
    let value = b.load(phi, I32);
    b.ret(value);
    assert!(simplified_for(b, IntegerModel::Machine).contains("phi ptr [bb1: undef], [bb2: $p1]"));
}

#[test]
fn zero_and_minus_zero_are_not_the_same_float() {
    let mut b = Builder::new(4, &[Type::BOOL]);
    b.function.results = vec![Type::F64];
    b.ret(Operand::F64(0.0));
    for block in 1..3 {
        b.at(block).jump(3);
    }
    b.at(0).branch(P0, 1, 2);
    let phi = b.at(3).phi(Type::F64, &[(1, Operand::F64(0.0)), (2, Operand::F64(-0.0))]);
    b.ret(phi);
    assert!(simplified_for(b, IntegerModel::Machine).contains("phi double"));
}

#[test]
fn a_known_branch_drops_what_it_never_reaches() {
    let mut b = Builder::new(5, &[I32]);
    let test = b.compare(IntPredicate::Slt, Operand::int(32, 3), Operand::int(32, 2));
    b.branch(test, 1, 3);
    // A loop that becomes unreachable as a whole.
    let phi = b.at(1).phi(I32, &[(0, P0), (2, Operand::Inst(InstId(2)))]);
    let next = b.binary(BinaryOp::Add, phi, Operand::int(32, 0));
    b.check(Operand::bool(false));
    b.jump(2);
    b.at(2).branch(Operand::bool(true), 1, 3);
    let merged = b.at(3).phi(I32, &[(0, Operand::int(32, 7)), (2, next)]);
    let again = b.compare(IntPredicate::Eq, merged, Operand::int(32, 7));
    b.branch(again, 4, 4);
    b.at(4).check(again);
    b.ret(merged);
    let mut program = b.finish();
    simplify(&mut program, IntegerModel::Machine);
    let text = print_program(&program);
    assert_eq!(verify_program(&program), Ok(()), "{text}");
    assert!(text.contains("return i32 7") && !text.contains("phi") && !text.contains("check"), "{text}");
    assert_eq!(obligations_of(&program), []);
}

#[test]
fn checks_stay_unless_they_are_true() {
    let mut b = Builder::new(1, &[Type::BOOL]);
    b.check(Operand::bool(true));
    let open = b.check(P0);
    let failing = b.check(Operand::bool(false));
    let mut program = b.finish();
    simplify(&mut program, IntegerModel::Machine);
    assert_eq!(obligations_of(&program), [open, failing]);
}

#[test]
fn a_division_that_may_end_the_run_stays() {
    let mut b = Builder::new(1, &[I32]);
    b.binary(BinaryOp::SDiv, Operand::int(32, 1), P0);
    b.binary(BinaryOp::SDiv, P0, Operand::int(32, 2));
    let text = simplified_for(b, IntegerModel::Machine);
    assert_eq!(text.matches("sdiv").count(), 1, "{text}");
}

#[test]
fn a_pointer_loop_that_becomes_unreachable_does_not_feed_on_itself() {
    let mut b = Builder::new(4, &[Type::Ptr]);
    b.branch(Operand::bool(false), 1, 3);
    let next = Operand::Inst(InstId(1));
    let phi = b.at(1).phi(Type::Ptr, &[(0, P0), (2, next)]);
    b.value(Op::PtrAdd { base: phi, offset: Operand::int(64, 4) }, Type::Ptr);
    b.load(next, I32);
    b.jump(2);
    b.at(2).jump(1);
    let text = simplified_for(b, IntegerModel::Machine);
    assert!(!text.contains("ptradd"), "{text}");
}
