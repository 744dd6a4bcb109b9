use super::*;
use crate::inst::Callee;
use crate::obligation::{ObligationDetail, Property};
use crate::operator::{BinaryOp, CastOp, IntPredicate};
use crate::testing::{Builder, I32};

const NO_LOCAL: Op = Op::Arbitrary { uninit: None };

/// Builds a function of four blocks and checks that the message contains `expected`; empty for a well-formed one.
fn check<T>(build: impl FnOnce(&mut Builder) -> T, expected: &str) {
    let mut builder = Builder::new(4, &[I32]);
    build(&mut builder);
    match verify_program(&builder.finish()) {
        Ok(()) => assert_eq!(expected, "", "the program was accepted"),
        Err(error) => assert!(!expected.is_empty() && error.message.contains(expected), "{error}"),
    }
}

#[test]
fn a_loop_over_a_local_is_well_formed() {
    check(
        |b| {
            let x = b.local("x", 4, true);
            b.push(Op::LifetimeStart { object: x }, None);
            b.store(Operand::Inst(x), Operand::Param(0));
            b.jump(1);
            let phi = b.at(1).phi(I32, &[(0, Operand::Param(0)), (2, Operand::int(32, 3))]);
            let test = b.compare(IntPredicate::Slt, phi, Operand::int(32, 10));
            b.branch(test, 2, 3);
            b.at(2).load(Operand::Inst(x), I32);
            b.check(test);
            b.jump(1);
            b.at(3).push(Op::LifetimeEnd { object: x }, None);
            b.ret(phi);
        },
        "",
    );
}

#[test]
fn a_definition_must_dominate_its_use() {
    check(
        |b| {
            b.branch(Operand::bool(true), 1, 2);
            let value = b.at(1).value(NO_LOCAL, I32);
            b.at(2).ret(value);
        },
        "does not dominate",
    );
    check(
        |b| {
            let next = InstId(1);
            b.binary(BinaryOp::Add, Operand::int(32, 1), Operand::Inst(next));
            b.value(NO_LOCAL, I32);
        },
        "does not dominate",
    );
}

#[test]
fn unreachable_blocks_may_use_anything_that_exists() {
    check(
        |b| {
            b.jump(1);
            let value = b.at(1).value(NO_LOCAL, I32);
            b.at(3).ret(value);
        },
        "",
    );
    check(|b| b.at(3).ret(Operand::Inst(InstId(7))), "no value");
}

#[test]
fn phis_have_one_entry_for_each_predecessor_and_stand_first() {
    let entry_twice = [(0, Operand::int(32, 1)), (0, Operand::int(32, 1))];
    let both_arms = |entries: &[(u32, Operand)], expected| {
        check(
            |b| {
                b.branch(Operand::bool(true), 1, 1);
                b.at(1).phi(I32, entries);
            },
            expected,
        );
    };
    both_arms(&entry_twice[..1], "");
    both_arms(&entry_twice, "entries for");
    both_arms(&[], "entries for");
    check(
        |b| {
            b.jump(1);
            b.at(1).value(NO_LOCAL, I32);
            b.phi(I32, &[(0, Operand::int(32, 1))]);
        },
        "after another",
    );
}

#[test]
fn types_must_fit() {
    let wide = Operand::int(64, 1);
    check(|b| b.binary(BinaryOp::Add, Operand::Param(0), wide), "expected i32");
    check(|b| b.value(Op::Cast { op: CastOp::ZExt, value: wide }, I32), "ZExt from i64 to i32");
    check(|b| b.value(Op::Cast { op: CastOp::PtrToInt, value: Operand::Null }, I32), "PtrToInt");
    check(|b| b.compare(IntPredicate::Eq, Operand::Null, wide), "expected ptr");
    check(|b| b.check(Operand::Param(0)), "expected i1");
    check(|b| b.branch(Operand::Param(0), 1, 2), "not an i1");
    check(|b| b.ret(wide), "results");
    check(|b| b.ret(Operand::Int { width: 4, value: 16 }), "does not fit i4");
    check(|b| b.value(NO_LOCAL, Type::Int(0)), "no type i0");
    check(|b| b.value(NO_LOCAL, Type::Int(129)), "no type i129");
}

#[test]
fn switches_need_distinct_cases_that_fit() {
    let switch =
        |cases: Vec<(u128, BlockId)>| Terminator::Switch { value: Operand::Param(0), cases, default: BlockId(1) };
    check(|b| b.end(switch(vec![(3, BlockId(2)), (1, BlockId(2))])), "");
    check(|b| b.end(switch(vec![(3, BlockId(2)), (3, BlockId(1))])), "same value");
    check(|b| b.end(switch(vec![(1 << 32, BlockId(2))])), "does not fit i32");
    check(|b| b.end(switch(vec![(1, BlockId(9))])), "target");
}

#[test]
fn references_and_placement() {
    check(|b| b.push(Op::LifetimeStart { object: InstId(0) }, None), "dominate");
    check(
        |b| {
            let call = b.push(NO_LOCAL, Some(I32));
            b.value(Op::Extract { call, index: 0 }, I32);
        },
        "several results",
    );
    check(
        |b| {
            let inst = b.push(NO_LOCAL, Some(I32));
            b.function.blocks[BlockId(1)].insts.push(inst);
        },
        "two places",
    );
    check(|b| b.jump(0), "entry has predecessors");
}

#[test]
fn obligations_must_be_of_the_right_kind() {
    check(
        |b| {
            let obligation = b.obligation(Property::NoOverflow, ObligationDetail::SignedAdd);
            b.value(Op::Load { ptr: Operand::Null, align: 1, volatile: false, obligation }, I32);
        },
        "expected valid-deref",
    );
    check(
        |b| {
            let callee = Callee::Direct(FuncId(9));
            b.push(Op::Call { callee, args: vec![], variadic: 0, byval_args: vec![], obligation: None }, None);
        },
        "f9 does not exist",
    );
}
