use belay_base::Span;

use super::*;
use crate::inst::Op;
use crate::operator::{BinaryOp, IntPredicate};
use crate::program::GlobalId;
use crate::testing::{Builder, I32};

fn global(name: &str, size: u64, bytes: &[u8]) -> Global {
    let init = Some(GlobalInit { bytes: bytes.to_vec(), relocations: vec![] });
    Global {
        name: name.into(),
        size: Some(size),
        align: 4,
        init,
        constant: true,
        literal: false,
        ctype: CType::Aggregate,
        span: Span::NONE,
    }
}

#[test]
fn a_function_reads_like_one() {
    let mut b = Builder::new(3, &[I32]);
    let file = b.program.files.intern("a.c");
    let x = b.local("x", 4, true);
    b.store(Operand::Inst(x), Operand::int(32, u128::MAX));
    let sum = b.binary(BinaryOp::Add, Operand::Param(0), Operand::int(32, 1));
    b.function.insts[InstId(2)].span = Span { file, line: 12, column: 3 };
    let test = b.compare(IntPredicate::Slt, sum, Operand::int(32, 9));
    b.check(test);
    b.branch(test, 1, 2);
    b.at(1).jump(2);
    let phi = b.at(2).phi(I32, &[(0, sum), (1, Operand::int(32, 0))]);
    b.push(
        Op::MemSet {
            dst: Operand::Inst(x),
            byte: Operand::int(8, 0),
            len: Operand::int(64, 4),
            obligation: crate::ObligationId(0),
        },
        None,
    );
    b.ret(phi);
    let expected = "\
define i32 @main(i32 $p0) {
  local 0 x: signed, at %0
bb0: ; b0
  %0 = alloca 4, align 4, scoped
  store i32 -1, %0, align 1 [main.valid-deref.1]
  %2 = add i32 $p0, 1 ; a.c:12:3
  %3 = cmp slt i32 %2, 9
  check %3 [main.no-overflow.1]
  branch %3, bb1, bb2
bb1: ; b1
  jump bb2
bb2: ; b2
  %5 = phi i32 [bb0: %2], [bb1: 0]
  memset %0, 0, i64 4 [main.valid-deref.1]
  return i32 %5
}
";
    assert_eq!(print_program(&b.finish()), expected);
}

#[test]
fn initialisers_are_short() {
    let mut b = Builder::new(1, &[]);
    let text = |b: &Builder, global: &Global| global_text(&b.program, global);
    assert_eq!(text(&b, &global("s", 6, b"hi\n")), "@s = constant 6 bytes, align 4: \"hi\\n\", zero x 3");
    assert_eq!(text(&b, &global("z", 4000, &[0; 4000])), "@z = constant 4000 bytes, align 4: zero x 4000");
    assert_eq!(text(&b, &global("n", 4, &[1, 2, 0, 255])), "@n = constant 4 bytes, align 4: 01 02 00 ff");
    let long = text(&b, &global("l", 100, &[7; 100]));
    assert!(long.ends_with("07, … 36 more bytes"), "{long}");
    let id: GlobalId = b.program.globals.push(global("t", 1, b"t"));
    let mut table = global("p", 8, &[]);
    table.init = Some(GlobalInit {
        bytes: vec![],
        relocations: vec![Relocation { offset: 0, target: Target::Global(id), addend: -2 }],
    });
    assert_eq!(text(&b, &table), "@p = constant 8 bytes, align 4: zero x 8, at 0: @t-2");
}
