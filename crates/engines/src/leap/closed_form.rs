//! Closed forms: what a variable is after a number of rounds that each make `a * x + c` of it, modulo a power of 2.
//!
//! The rounds are counted in binary. Two rounds make `a² * x + (a * c + c)` of a variable, which is of the same form, so that doubling gives the effect of
//! `2^j` rounds for each `j`; the effects of the bits that are set in the count are applied one after the other (they commute,
//! being powers of one function). Where `a` is 1 this is `x + n * c`.

use belay_ir::{BinaryOp, BlockId, Cfg, Dominators, Function, InstId, LoopNest, Op, Operand};
use belay_logic::bv::{TermId, TermStore};

/// The bits that rounds are counted with.
pub(super) const COUNT_BITS: u32 = 26;
/// Operations of a round at most.
const MAX_DEPTH: u32 = 16;

/// `a * x + c`, modulo `2^width`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    width: u32,
    factor: u128,
    constant: u128,
}

impl Affine {
    fn new(width: u32, factor: u128, constant: u128) -> Self {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        Self { width, factor: factor & mask, constant: constant & mask }
    }

    /// What each round of the loop makes of a variable of its head, if it is linear in the variable alone.
    pub(super) fn of_rounds(function: &Function, head: BlockId, phi: InstId) -> Option<Affine> {
        let Op::Phi { incoming } = &function.insts[phi].op else { return None };
        let cfg = Cfg::new(function);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let id = nest.headed_by(head)?;
        let width = function.insts[phi].ty.and_then(|ty| ty.int_width())?.into();
        let back = incoming.iter().filter(|(from, _)| nest.contains(id, *from));
        let mut forms = back.map(|(_, value)| Self::of(function, phi, width, *value, MAX_DEPTH));
        let first = forms.next()??;
        forms.all(|form| form == Some(first)).then_some(first)
    }

    fn of(function: &Function, phi: InstId, width: u32, value: Operand, depth: u32) -> Option<Affine> {
        match value {
            Operand::Int { width: own, value } if u32::from(own) == width => Some(Self::new(width, 0, value)),
            Operand::Inst(inst) if inst == phi => Some(Self::new(width, 1, 0)),
            Operand::Inst(inst) if depth > 0 => {
                let Op::Binary { op, lhs, rhs } = &function.insts[inst].op else { return None };
                let of = |operand: Operand| Self::of(function, phi, width, operand, depth - 1);
                let (x, y) = (of(*lhs)?, of(*rhs)?);
                x.combined(*op, y)
            }
            _ => None,
        }
    }

    fn combined(self, op: BinaryOp, other: Affine) -> Option<Affine> {
        let (x, y) = (self, other);
        let scaled = |form: Affine, by: u128| {
            Self::new(form.width, form.factor.wrapping_mul(by), form.constant.wrapping_mul(by))
        };
        match op {
            BinaryOp::Add => {
                Some(Self::new(x.width, x.factor.wrapping_add(y.factor), x.constant.wrapping_add(y.constant)))
            }
            BinaryOp::Sub => {
                Some(Self::new(x.width, x.factor.wrapping_sub(y.factor), x.constant.wrapping_sub(y.constant)))
            }
            BinaryOp::Mul if y.factor == 0 => Some(scaled(x, y.constant)),
            BinaryOp::Mul if x.factor == 0 => Some(scaled(y, x.constant)),
            BinaryOp::Shl if y.factor == 0 && y.constant < u128::from(x.width) => Some(scaled(x, 1 << y.constant)),
            _ => None,
        }
    }

    /// Two rounds as one.
    fn doubled(self) -> Affine {
        let factor = self.factor.wrapping_mul(self.factor);
        let constant = self.factor.wrapping_mul(self.constant).wrapping_add(self.constant);
        Self::new(self.width, factor, constant)
    }

    /// What `before` is after so many rounds.
    pub(super) fn repeated(self, terms: &mut TermStore, before: TermId, rounds: TermId) -> TermId {
        if self.factor == 1 {
            let count = match self.width > COUNT_BITS {
                true => terms.zext(rounds, self.width),
                false => terms.extract(self.width - 1, 0, rounds),
            };
            let step = terms.number(self.width, self.constant);
            let change = terms.mul(count, step);
            return terms.add(before, change);
        }
        let (mut value, mut step) = (before, self);
        for bit in 0..COUNT_BITS {
            let is_set = terms.extract(bit, bit, rounds);
            let (factor, constant) = (terms.number(self.width, step.factor), terms.number(self.width, step.constant));
            let product = terms.mul(value, factor);
            let moved = terms.add(product, constant);
            value = terms.ite(is_set, moved, value);
            step = step.doubled();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belay_logic::bv::Bits;

    /// The closed form against the rounds one by one.
    #[test]
    fn repeating_is_what_the_rounds_do() {
        for (width, factor, constant) in [(32, 31, 7), (8, 3, 250), (16, 1, 65_533), (64, 0, 9), (32, 1 << 31, 5)] {
            let affine = Affine::new(width, factor, constant);
            let mut terms = TermStore::new();
            let mut plain = Bits::new(width, 123);
            for rounds in 0..300u128 {
                let (before, count) = (terms.number(width, 123), terms.number(COUNT_BITS, rounds));
                let leapt = affine.repeated(&mut terms, before, count);
                assert_eq!(terms.as_const(leapt), Some(plain), "{affine:?} after {rounds} rounds");
                let number = plain.to_u128().unwrap_or(0);
                plain = Bits::new(width, number.wrapping_mul(affine.factor).wrapping_add(affine.constant));
            }
        }
    }
}
