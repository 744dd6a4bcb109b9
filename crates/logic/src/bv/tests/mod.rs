//! Tests of the whole chain. The meaning of each operation is stated once more here, over
//! [`Bits`] and plain Rust integers, and everything is compared with that.

#![allow(clippy::unwrap_used)]

mod blast;
mod incremental;
mod random_terms;
mod rules;
mod smtlib;
mod values;

use super::{Bits, TermId, TermStore};

/// A small generator with a fixed seed: the same tests on every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 32) as usize) % limit
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A value that is often one of those where arithmetic turns over.
    pub(crate) fn bits(&mut self, width: u32) -> Bits {
        let small = Bits::new(width, self.below(5) as u128);
        match self.below(8) {
            0 => small,
            1 => small.wrapping_neg(),
            2 => Bits::signed_min(width).wrapping_add(small),
            3 => Bits::signed_min(width).wrapping_sub(small),
            4 => Bits::power_of_two(width, self.below(width as usize) as u32),
            5..=7 => Bits::new(width, self.wide()).xor(Bits::new(width, self.wide()).shift_left(128)),
            8.. => unreachable!("below 8"),
        }
    }
}

/// An operation on two words of one width. Unary operations ignore the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Not,
    And,
    Or,
    Xor,
    Neg,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    UaddOverflow,
    UsubOverflow,
    UmulOverflow,
    SaddOverflow,
    SsubOverflow,
    SmulOverflow,
    SdivOverflow,
    Magnitude,
    Popcount,
    Clz,
    Ctz,
}

pub(crate) const OPS: [Op; 32] = [
    Op::Not,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Neg,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Eq,
    Op::Ne,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::UaddOverflow,
    Op::UsubOverflow,
    Op::UmulOverflow,
    Op::SaddOverflow,
    Op::SsubOverflow,
    Op::SmulOverflow,
    Op::SdivOverflow,
    Op::Magnitude,
    Op::Popcount,
    Op::Clz,
    Op::Ctz,
];

impl Op {
    /// The term, through the constructors that simplify.
    pub(crate) fn build(self, store: &mut TermStore, a: TermId, b: TermId) -> TermId {
        match self {
            Op::Not => store.not(a),
            Op::And => store.and(a, b),
            Op::Or => store.or(a, b),
            Op::Xor => store.xor(a, b),
            Op::Neg => store.neg(a),
            Op::Add => store.add(a, b),
            Op::Sub => store.sub(a, b),
            Op::Mul => store.mul(a, b),
            Op::Udiv => store.udiv(a, b),
            Op::Urem => store.urem(a, b),
            Op::Sdiv => store.sdiv(a, b),
            Op::Srem => store.srem(a, b),
            Op::Shl => store.shl(a, b),
            Op::Lshr => store.lshr(a, b),
            Op::Ashr => store.ashr(a, b),
            Op::Eq => store.eq(a, b),
            Op::Ne => store.ne(a, b),
            Op::Ult => store.ult(a, b),
            Op::Ule => store.ule(a, b),
            Op::Slt => store.slt(a, b),
            Op::Sle => store.sle(a, b),
            Op::UaddOverflow => store.uadd_overflow(a, b),
            Op::UsubOverflow => store.usub_overflow(a, b),
            Op::UmulOverflow => store.umul_overflow(a, b),
            Op::SaddOverflow => store.sadd_overflow(a, b),
            Op::SsubOverflow => store.ssub_overflow(a, b),
            Op::SmulOverflow => store.smul_overflow(a, b),
            Op::SdivOverflow => store.sdiv_overflow(a, b),
            Op::Magnitude => store.magnitude(a),
            Op::Popcount => store.popcount(a),
            Op::Clz => store.clz(a),
            Op::Ctz => store.ctz(a),
        }
    }

    /// The value, for words of up to 128 bits.
    pub(crate) fn value(self, a: Bits, b: Bits) -> Bits {
        let width = a.width();
        let unsigned = |f: fn(Bits, Bits) -> Bits| {
            let exact = f(a.zext(256), b.zext(256));
            Bits::from_bool(exact != exact.extract(width - 1, 0).zext(256))
        };
        let signed = |f: fn(Bits, Bits) -> Bits| {
            let exact = f(a.sext(256), b.sext(256));
            Bits::from_bool(exact != exact.extract(width - 1, 0).sext(256))
        };
        let count = |n: usize| Bits::new(width, n as u128);
        match self {
            Op::Not => a.complement(),
            Op::And => a.and(b),
            Op::Or => a.or(b),
            Op::Xor => a.xor(b),
            Op::Neg => a.wrapping_neg(),
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            Op::Udiv => a.udiv(b),
            Op::Urem => a.urem(b),
            Op::Sdiv => a.sdiv(b),
            Op::Srem => a.srem(b),
            Op::Shl => a.shl_by(b),
            Op::Lshr => a.lshr_by(b),
            Op::Ashr => a.ashr_by(b),
            Op::Eq => Bits::from_bool(a == b),
            Op::Ne => Bits::from_bool(a != b),
            Op::Ult => Bits::from_bool(a.ult(b)),
            Op::Ule => Bits::from_bool(!b.ult(a)),
            Op::Slt => Bits::from_bool(a.slt(b)),
            Op::Sle => Bits::from_bool(!b.slt(a)),
            Op::UaddOverflow => unsigned(Bits::wrapping_add),
            Op::UsubOverflow => unsigned(Bits::wrapping_sub),
            Op::UmulOverflow => unsigned(Bits::wrapping_mul),
            Op::SaddOverflow => signed(Bits::wrapping_add),
            Op::SsubOverflow => signed(Bits::wrapping_sub),
            Op::SmulOverflow => signed(Bits::wrapping_mul),
            Op::SdivOverflow => Bits::from_bool(a == Bits::signed_min(width) && b.is_ones()),
            Op::Magnitude => {
                if a.is_negative() {
                    a.wrapping_neg()
                } else {
                    a
                }
            }
            Op::Popcount => count((0..width).filter(|&index| a.bit(index)).count()),
            Op::Clz => count((0..width).rev().take_while(|&index| !a.bit(index)).count()),
            Op::Ctz => count((0..width).take_while(|&index| !a.bit(index)).count()),
        }
    }
}

/// All values of a small width.
pub(crate) fn all_values(width: u32) -> impl Iterator<Item = Bits> + Clone {
    (0..1u128 << width).map(move |value| Bits::new(width, value))
}
