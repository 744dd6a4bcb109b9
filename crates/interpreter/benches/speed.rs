//! Instructions a second of the interpreter, for loops in registers, loops in memory (as clang leaves them) and calls.
//! `cargo bench -p belay-semantics`.

#[path = "../tests/build/mod.rs"]
mod build;

use std::time::Instant;

use belay_base::Budget;
use belay_interpreter::{Interpreter, NoChoice, RunEnd};
use belay_ir::*;
use belay_rules::Config;
use build::*;

/// `for (i = 0; i < n; i++) s = (s ^ i) + 3;` in registers.
fn registers(n: i128) -> Prog {
    let mut prog = Prog::new();
    prog.main(|f| {
        let entry = f.here();
        let (head, body, end) = (f.block(), f.block(), f.block());
        f.jump(head);
        f.at(head);
        let i = f.inst(Op::Phi { incoming: vec![(entry, i32(0))] }, Some(I32));
        let s = f.inst(Op::Phi { incoming: vec![(entry, i32(0))] }, Some(I32));
        let more = f.compare(IntPredicate::Slt, Operand::Inst(i), i32(n));
        f.branch(more, body, end);
        f.at(body);
        let mixed = f.binary(BinaryOp::Xor, Operand::Inst(s), Operand::Inst(i));
        let next_s = f.binary(BinaryOp::Add, mixed, i32(3));
        let next_i = f.checked_add(Operand::Inst(i), i32(1));
        f.jump(head);
        let id = f.id;
        for (phi, value) in [(i, next_i), (s, next_s)] {
            if let Op::Phi { incoming } = &mut f.prog.program.functions[id].insts[phi].op {
                incoming.push((body, value));
            }
        }
        f.at(end);
        f.ret(&[i32(0)]);
    });
    prog
}

/// `int a[64]; for (i = 0; i < n; i++) { s ^= a[i & 63]; a[i & 63] = s; }` with all variables in memory.
fn memory(n: i128) -> Prog {
    let mut prog = Prog::new();
    prog.main(|f| {
        let (i, s, a) = (f.alloca(4), f.alloca(4), f.alloca(256));
        f.store(i, i32(0));
        f.store(s, i32(0));
        f.set(a, int(8, 1), 256);
        let (head, body, end) = (f.block(), f.block(), f.block());
        f.jump(head);
        f.at(head);
        let value = f.load(I32, i);
        let more = f.compare(IntPredicate::Slt, value, i32(n));
        f.branch(more, body, end);
        f.at(body);
        let index = f.load(I32, i);
        let index = f.binary(BinaryOp::And, index, i32(63));
        let index = f.cast(CastOp::SExt, index, I64);
        let offset = f.binary(BinaryOp::Mul, index, i64(4));
        let at = f.value(Op::PtrAdd { base: a, offset }, PTR);
        let element = f.load(I32, at);
        let sum = f.load(I32, s);
        let sum = f.binary(BinaryOp::Xor, sum, element);
        f.store(s, sum);
        f.store(at, sum);
        let value = f.load(I32, i);
        let next = f.checked_add(value, i32(1));
        f.store(i, next);
        f.jump(head);
        f.at(end);
        f.ret(&[i32(0)]);
    });
    prog
}

/// The Fibonacci numbers, naively, with the parameter in memory.
fn calls(n: i128) -> Prog {
    let mut prog = Prog::new();
    let fib = prog.declare("fib", &[I32], false, &[I32]);
    prog.define(fib, |f| {
        let cell = f.alloca(4);
        f.store(cell, Operand::Param(0));
        let (small, large) = (f.block(), f.block());
        let value = f.load(I32, cell);
        let less = f.compare(IntPredicate::Slt, value, i32(2));
        f.branch(less, small, large);
        f.at(small);
        let value = f.load(I32, cell);
        f.ret(&[value]);
        f.at(large);
        let value = f.load(I32, cell);
        let one = f.binary(BinaryOp::Sub, value, i32(1));
        let first = f.call(fib, &[one]);
        let value = f.load(I32, cell);
        let two = f.binary(BinaryOp::Sub, value, i32(2));
        let second = f.call(fib, &[two]);
        let sum = f.binary(BinaryOp::Add, first, second);
        f.ret(&[sum]);
    });
    prog.main(|f| {
        f.call(fib, &[i32(n)]);
        f.ret(&[i32(0)]);
    });
    prog
}

/// A list of `n` nodes is built, walked and freed.
fn pointers(n: i128) -> Prog {
    let mut prog = Prog::new();
    let malloc = prog.external("malloc", &[I64], false, &[PTR]);
    prog.main(|f| {
        let (i, list) = (f.alloca(4), f.alloca(8));
        f.store(i, i32(0));
        f.store(list, Operand::Null);
        let (head, body, walk, step, end) = (f.block(), f.block(), f.block(), f.block(), f.block());
        f.jump(head);
        f.at(head);
        let value = f.load(I32, i);
        let more = f.compare(IntPredicate::Slt, value, i32(n));
        f.branch(more, body, walk);
        f.at(body);
        let node = f.call(malloc, &[i64(16)]);
        let old = f.load(PTR, list);
        f.store(node, old);
        f.store(list, node);
        let value = f.load(I32, i);
        let next = f.binary(BinaryOp::Add, value, i32(1));
        f.store(i, next);
        f.jump(head);
        f.at(walk);
        let node = f.load(PTR, list);
        let more = f.compare(IntPredicate::Ne, node, Operand::Null);
        f.branch(more, step, end);
        f.at(step);
        let node = f.load(PTR, list);
        let next = f.load(PTR, node);
        f.store(list, next);
        f.jump(walk);
        f.at(end);
        f.ret(&[i32(0)]);
    });
    prog
}

/// The processor time of this thread, where the system tells: other work on the machine does not count.
fn busy_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let programs = [
        ("registers", registers(4_000_000)),
        ("memory", memory(2_000_000)),
        ("calls", calls(27)),
        ("pointers", pointers(300_000)),
    ];
    for (name, prog) in &programs {
        for integers in [IntegerModel::Machine, IntegerModel::Unbounded] {
            let config = Config { integers, ..prog.config() };
            let interpreter = Interpreter::new(&prog.program, config);
            let (start, busy) = (Instant::now(), busy_seconds());
            let report = interpreter.run(&mut NoChoice, &Budget::unlimited());
            let wall = start.elapsed().as_secs_f64();
            let seconds = busy.zip(busy_seconds()).map_or(wall, |(before, after)| after - before);
            assert!(matches!(report.end, RunEnd::Returned(_)), "{:?}", report.end);
            let speed = report.steps as f64 / seconds / 1e6;
            println!("{name:10} {integers:?}: {speed:.1} million instructions a second ({} steps)", report.steps);
        }
    }
}
