//! Random functions over a few locals: loops, gotos into scopes, escaping addresses, structs, clang's checks.

use crate::testing::{Builder, I32, Random};
use belay_ir::{
    BinaryOp, BlockId, CastOp, InstId, IntPredicate, ObligationDetail, Op, Operand, OverflowOp, Program, Property,
    Terminator, Type,
};

const CONSTANTS: [u128; 8] = [0, 1, 2, 7, 31, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

struct Generator {
    b: Builder,
    random: Random,
    scalars: Vec<InstId>,
    record: InstId,
    pointer: InstId,
    /// An address computed in the entry, before any life begins.
    early: Operand,
}

/// The program of this seed: `main` takes an `i32`.
pub(super) fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed + 77);
    let blocks = 2 + random.below(6) as u32;
    // Each block may have a handler of its own behind all blocks.
    let mut b = Builder::new(2 * blocks as usize, &[I32]);
    let scalars = (0..3).map(|n| b.local(&format!("x{n}"), 4, random.below(3) == 0)).collect();
    let record = b.local("s", 12, random.below(3) == 0);
    let pointer = b.local("p", 8, false);
    let early = if random.below(4) == 0 { b.field(record, 4) } else { Operand::Inst(record) };
    let mut generator = Generator { b, random, scalars, record, pointer, early };
    for block in 0..blocks {
        generator.block(block, blocks);
    }
    generator.b.finish()
}

impl Generator {
    fn block(&mut self, block: u32, blocks: u32) {
        self.b.at(block);
        if block == 0 {
            self.begin_lives();
        }
        let mut last = Operand::Param(0);
        for _ in 0..1 + self.random.below(7) {
            last = self.statement(last);
        }
        let target = |random: &mut Random| 1 + random.below(u64::from(blocks) - 1) as u32;
        let (first, second) = (target(&mut self.random), target(&mut self.random));
        match self.random.below(7) {
            0 => self.b.ret(last),
            1 => self.b.jump(first),
            2 => {
                let cases = vec![(0, BlockId(first)), (7, BlockId(second)), (9, BlockId(first))];
                self.b.end(Terminator::Switch { value: last, cases, default: BlockId(target(&mut self.random)) });
            }
            3 => {
                let cond = self.condition(last);
                self.b.branch(cond, first, second);
            }
            _ => self.checked(block, blocks, first, last),
        }
    }

    /// Most lives begin in the entry; some scoped locals are left dead there.
    fn begin_lives(&mut self) {
        for local in self.scalars.clone().into_iter().chain([self.record]) {
            if self.is_scoped(local) && self.random.below(3) != 0 {
                self.b.push(Op::LifetimeStart { object: local }, None);
            }
        }
    }

    fn is_scoped(&self, local: InstId) -> bool {
        matches!(self.b.function.insts[local].op, Op::Alloca { scoped: true, .. })
    }

    fn scalar(&mut self) -> InstId {
        self.scalars[self.random.below(3) as usize]
    }

    fn constant(&mut self) -> Operand {
        Operand::int(32, CONSTANTS[self.random.below(8) as usize])
    }

    fn value(&mut self, last: Operand) -> Operand {
        match self.random.below(4) {
            0 => self.constant(),
            1 => last,
            2 => {
                let x = self.scalar();
                self.b.load(Operand::Inst(x), I32)
            }
            _ => Operand::Param(0),
        }
    }

    fn field(&mut self) -> Operand {
        match self.random.below(12) {
            0 => self.early,
            // Rarely beyond the record, or across two fields.
            1 if self.random.below(6) == 0 => self.b.field(self.record, 12),
            1 if self.random.below(3) == 0 => self.b.field(self.record, 2),
            n => self.b.field(self.record, 4 * (n as i64 % 3)),
        }
    }

    fn statement(&mut self, last: Operand) -> Operand {
        match self.random.below(16) {
            0..=3 => self.store_scalar(last),
            4..=7 => {
                let op = BinaryOp::ALL[self.random.below(13) as usize];
                let (lhs, rhs) = (self.value(last), self.value(last));
                return self.b.binary(op, lhs, rhs);
            }
            8 => {
                let (ptr, value) = (self.field(), self.value(last));
                self.b.store(ptr, value);
            }
            9 => {
                let ptr = self.field();
                return self.b.load(ptr, I32);
            }
            10 => self.marker(),
            11 => self.through_pointer(last),
            12 => {
                let cond = self.condition(last);
                self.b.check(cond);
            }
            13 => {
                let cond = self.condition(last);
                let (then, otherwise) = (self.value(last), self.value(last));
                return self.b.value(Op::Select { cond, then, otherwise }, I32);
            }
            14 => return self.widened(last),
            _ => self.fill(),
        }
        last
    }

    fn store_scalar(&mut self, last: Operand) {
        let (x, value) = (self.scalar(), self.value(last));
        self.b.store(Operand::Inst(x), value);
    }

    fn marker(&mut self) {
        let local = if self.random.below(3) == 0 { self.record } else { self.scalar() };
        if self.is_scoped(local) {
            let end = self.random.below(3) == 0;
            let op = if end { Op::LifetimeEnd { object: local } } else { Op::LifetimeStart { object: local } };
            self.b.push(op, None);
        }
    }

    /// Sometimes the address of the first scalar escapes into the pointer, sometimes the pointer is used.
    fn through_pointer(&mut self, last: Operand) {
        let pointer = Operand::Inst(self.pointer);
        match self.random.below(6) {
            0 => {
                self.b.store(pointer, Operand::Inst(self.scalars[0]));
            }
            1 => {
                let target = self.b.load(pointer, Type::Ptr);
                let value = self.value(last);
                self.b.store(target, value);
            }
            2 => {
                let target = self.b.load(pointer, Type::Ptr);
                let test = self.b.compare(IntPredicate::Ne, target, Operand::Null);
                self.b.check(test);
            }
            _ => self.store_scalar(last),
        }
    }

    fn fill(&mut self) {
        let obligation = self.b.obligation(Property::ValidDeref, ObligationDetail::MemSet);
        let byte = Operand::int(8, u128::from(self.random.below(3)));
        let len = Operand::int(64, [4, 8, 12, 12, 12, 6][self.random.below(6) as usize]);
        self.b.push(Op::MemSet { dst: Operand::Inst(self.record), byte, len, obligation }, None);
    }

    /// Casts that cancel out, or nearly.
    fn widened(&mut self, last: Operand) -> Operand {
        let value = self.value(last);
        let (op, narrow) = if self.random.below(2) == 0 { (CastOp::SExt, 8) } else { (CastOp::ZExt, 16) };
        let small = self.b.value(Op::Cast { op: CastOp::Trunc, value }, Type::Int(narrow));
        let wide = self.b.value(Op::Cast { op, value: small }, Type::Int(64));
        let test = self.b.compare(IntPredicate::Slt, wide, Operand::int(64, 5));
        let flag = self.b.value(Op::Cast { op: CastOp::ZExt, value: test }, I32);
        let back = self.b.value(Op::Cast { op: CastOp::Trunc, value: wide }, I32);
        let differs = self.b.compare(IntPredicate::Ne, flag, Operand::int(32, 0));
        self.b.check(differs);
        back
    }

    fn condition(&mut self, last: Operand) -> Operand {
        let op = IntPredicate::ALL[self.random.below(10) as usize];
        let (lhs, rhs) = (self.value(last), self.value(last));
        let test = self.b.compare(op, lhs, rhs);
        if self.random.below(3) == 0 { self.b.binary(BinaryOp::Xor, test, Operand::bool(true)) } else { test }
    }

    /// Clang's pattern for `last + value`, with either arm first.
    fn checked(&mut self, block: u32, blocks: u32, cont: u32, last: Operand) {
        let handler = blocks + block;
        let rhs = self.value(last);
        let overflow = self.b.value(Op::Overflows { op: OverflowOp::Add, signed: true, lhs: last, rhs }, Type::BOOL);
        if self.random.below(2) == 0 {
            self.b.branch(overflow, handler, cont);
        } else {
            let fine = self.b.binary(BinaryOp::Xor, overflow, Operand::bool(true));
            self.b.branch(fine, cont, handler);
        }
        self.b.at(handler).value(Op::Cast { op: CastOp::ZExt, value: last }, Type::Int(64));
        self.b.check(Operand::bool(false));
        self.b.jump(cont);
    }
}
