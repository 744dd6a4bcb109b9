use super::*;
use crate::testing::{Builder, I32, obligations_of};
use belay_ir::{BinaryOp, IntPredicate, ObligationDetail, Op, Property, print_program, verify_program};

/// Promotes and verifies; the text of the result.
fn promoted(b: Builder) -> String {
    let mut program = b.finish();
    assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
    promote(&mut program);
    let text = print_program(&program);
    assert_eq!(verify_program(&program), Ok(()), "{text}");
    let left = obligations_of(&program);
    assert_eq!(left.len(), text.matches('[').count() - text.matches("[bb").count(), "each obligation is shown");
    text
}

fn fill(b: &mut Builder, dst: Operand, byte: u128, len: u128) {
    let obligation = b.obligation(Property::ValidDeref, ObligationDetail::MemSet);
    let (byte, len) = (Operand::int(8, byte), Operand::int(64, len));
    b.push(Op::MemSet { dst, byte, len, obligation }, None);
}

/// `for (x = 0; x < p0; x++);` with `x` in memory.
fn counting_loop(scoped: bool) -> Builder {
    let mut b = Builder::new(4, &[I32]);
    let x = b.local("x", 4, scoped);
    if scoped {
        b.push(Op::LifetimeStart { object: x }, None);
    }
    b.store(Operand::Inst(x), Operand::int(32, 0));
    b.jump(1);
    let value = b.at(1).load(Operand::Inst(x), I32);
    let test = b.compare(IntPredicate::Slt, value, Operand::Param(0));
    b.branch(test, 2, 3);
    let value = b.at(2).load(Operand::Inst(x), I32);
    let next = b.binary(BinaryOp::Add, value, Operand::int(32, 1));
    b.store(Operand::Inst(x), next);
    b.jump(1);
    let last = b.at(3).load(Operand::Inst(x), I32);
    if scoped {
        b.push(Op::LifetimeEnd { object: x }, None);
    }
    b.ret(last);
    b
}

#[test]
fn a_loop_counter_becomes_a_named_phi() {
    for scoped in [false, true] {
        let text = promoted(counting_loop(scoped));
        assert!(text.contains("local 0 x: signed, in registers"), "{text}");
        assert!(text.contains("= phi i32 [bb0: 0], [bb2: %"), "{text}");
        assert!(text.lines().any(|line| line.contains("phi") && line.ends_with("; x")), "{text}");
        assert!(!text.contains("load") && !text.contains("store") && !text.contains("lifetime"), "{text}");
    }
}

#[test]
fn an_uninitialised_read_is_arbitrary_and_a_pointer_undefined() {
    let mut b = Builder::new(1, &[]);
    let x = b.local("x", 4, false);
    let value = b.load(Operand::Inst(x), I32);
    b.ret(value);
    let text = promoted(b);
    assert!(text.contains("arbitrary i32 (uninitialised x)\n  return i32 %"), "{text}");
    let mut b = Builder::new(1, &[]);
    let x = b.local("p", 8, false);
    let value = b.load(Operand::Inst(x), Type::Ptr);
    b.load(value, I32);
    let text = promoted(b);
    assert!(text.contains("load i32, undef") && text.contains("[main.valid-deref.2]"), "{text}");
}

#[test]
fn each_life_is_a_new_value() {
    let mut b = Builder::new(3, &[Type::BOOL]);
    let x = b.local("x", 4, true);
    b.jump(1);
    b.at(1).push(Op::LifetimeStart { object: x }, None);
    let value = b.load(Operand::Inst(x), I32);
    b.check(Operand::Param(0));
    b.store(Operand::Inst(x), Operand::int(32, 1));
    b.push(Op::LifetimeEnd { object: x }, None);
    b.branch(Operand::Param(0), 1, 2);
    b.at(2).ret(value);
    let text = promoted(b);
    let loop_body = text.split("bb1:").nth(1).expect("the loop is there");
    assert!(loop_body.contains("arbitrary i32"), "{text}");
    assert!(!text.contains("phi"), "{text}");
}

#[test]
fn an_access_that_may_find_the_object_dead_keeps_it() {
    let after_end = |jump_back: bool| {
        let mut b = Builder::new(3, &[Type::BOOL]);
        let x = b.local("x", 4, true);
        b.push(Op::LifetimeStart { object: x }, None);
        b.jump(1);
        b.at(1).load(Operand::Inst(x), I32);
        b.branch(Operand::Param(0), 2, 2);
        b.at(2).push(Op::LifetimeEnd { object: x }, None);
        if jump_back {
            b.branch(Operand::Param(0), 1, 2);
        }
        promoted(b)
    };
    assert!(!after_end(false).contains("alloca"));
    assert!(after_end(true).contains("alloca"));
    let mut b = Builder::new(2, &[]);
    let x = b.local("x", 4, true);
    b.load(Operand::Inst(x), I32);
    assert!(promoted(b).contains("[main.valid-deref.1]"), "read before its life begins");
}

#[test]
fn an_escaping_address_keeps_the_object() {
    let mut b = Builder::new(1, &[Type::Ptr]);
    let x = b.local("x", 4, false);
    b.store(Operand::Param(0), Operand::Inst(x));
    b.store(Operand::Inst(x), Operand::int(32, 0));
    assert!(promoted(b).contains("[main.valid-deref.2]"));
    // The address reaches the phi by a back edge only.
    let mut b = Builder::new(3, &[Type::BOOL, Type::Ptr]);
    let x = b.local("x", 8, false);
    b.jump(1);
    let field = Operand::Inst(InstId(3));
    let phi = b.at(1).phi(Type::Ptr, &[(0, Operand::Param(1)), (1, field)]);
    b.load(phi, I32);
    assert_eq!(b.field(x, 4), field);
    b.branch(Operand::Param(0), 1, 2);
    assert!(promoted(b).contains("alloca"));
}

#[test]
fn two_types_or_sizes_in_one_place_keep_the_object() {
    let kept = |first: Operand, offset: i64, second: Type| {
        let mut b = Builder::new(1, &[]);
        let x = b.local("u", 8, false);
        b.store(Operand::Inst(x), first);
        let field = b.field(x, offset);
        b.load(field, second);
        promoted(b).contains("alloca")
    };
    assert!(!kept(Operand::int(32, 1), 0, I32));
    assert!(!kept(Operand::int(32, 1), 4, I32));
    assert!(kept(Operand::F32(1.0), 0, I32));
    assert!(kept(Operand::int(64, 1), 0, I32));
    assert!(kept(Operand::int(32, 1), 2, I32));
    assert!(kept(Operand::int(32, 1), 8, I32), "out of bounds");
    assert!(kept(Operand::int(32, 1), -4, I32), "out of bounds");
}

#[test]
fn a_struct_becomes_its_fields() {
    let mut b = Builder::new(1, &[]);
    let s = b.local("s", 24, false);
    fill(&mut b, Operand::Inst(s), 0, 24);
    let (second, third) = (b.field(s, 8), b.field(s, 16));
    b.store(second, Operand::int(32, 5));
    let last = b.load(third, Type::Ptr);
    let first = b.load(Operand::Inst(s), I32);
    let middle = b.load(second, I32);
    let sum = b.binary(BinaryOp::Add, first, middle);
    let test = b.compare(IntPredicate::Eq, last, Operand::Null);
    b.check(test);
    b.ret(sum);
    let text = promoted(b);
    assert!(text.contains("add i32 0, 5") && text.contains("cmp eq ptr null, null"), "{text}");
    assert!(!text.contains("alloca") && !text.contains("ptradd"), "{text}");
}

#[test]
fn a_fill_that_cuts_a_slot_or_leaves_the_object_keeps_it() {
    let kept = |byte: u128, len: u128, ty: Type| {
        let mut b = Builder::new(1, &[]);
        let s = b.local("s", 16, false);
        fill(&mut b, Operand::Inst(s), byte, len);
        b.load(Operand::Inst(s), ty);
        promoted(b).contains("alloca")
    };
    assert!(!kept(255, 16, I32));
    assert!(kept(0, 3, I32));
    assert!(kept(0, 17, I32));
    assert!(!kept(0, 8, Type::Ptr));
    assert!(kept(1, 8, Type::Ptr));
}

#[test]
fn an_address_from_an_earlier_life_keeps_the_object() {
    let kept = |early: bool| {
        let mut b = Builder::new(3, &[Type::BOOL]);
        let s = b.local("s", 24, true);
        let field = if early { b.field(s, 4) } else { Operand::Null };
        b.jump(1);
        b.at(1).push(Op::LifetimeStart { object: s }, None);
        let field = if early { field } else { b.field(s, 4) };
        b.store(field, Operand::int(32, 1));
        b.push(Op::LifetimeEnd { object: s }, None);
        b.branch(Operand::Param(0), 1, 2);
        promoted(b).contains("alloca")
    };
    assert!(!kept(false));
    assert!(kept(true));
}

/// `p = &x;` in one life of `x`, `*p` in the next: the address must go on to mean the first, through all passes.
#[test]
fn a_stored_address_stays_in_its_life() {
    let mut b = Builder::new(1, &[]);
    let (x, p) = (b.local("x", 4, true), b.local("p", 8, false));
    b.push(Op::LifetimeStart { object: x }, None);
    b.store(Operand::Inst(p), Operand::Inst(x));
    b.push(Op::LifetimeEnd { object: x }, None);
    b.push(Op::LifetimeStart { object: x }, None);
    let address = b.load(Operand::Inst(p), Type::Ptr);
    let value = b.load(address, I32);
    b.ret(value);
    let mut program = b.finish();
    assert_eq!(crate::pipeline(&mut program, belay_ir::IntegerModel::Machine), Ok(()));
    let text = print_program(&program);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let captured = lines.iter().position(|line| line.contains("ptradd %0, 0")).expect("the address is captured");
    assert!(lines[captured + 1].starts_with("lifetime.end"), "{text}");
    let address = lines[captured].split(' ').next().expect("it has a name");
    assert!(text.contains(&format!("load i32, {address},")), "{text}");
}
