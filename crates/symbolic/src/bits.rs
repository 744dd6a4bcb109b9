//! Bit operations: masks as quotients and remainders, so that a part of a word is known exactly and the rest of it stays what it was.
//!
//! *Sound* because of two's complement: the low k bits of a number are its remainder modulo 2^k, rounded down, for negative numbers too; a mask of
//! adjacent bits is the difference of two such remainders; and numbers without a common bit are combined by addition, whichever of them has the sign.
//! Which bits are 0 is read off the instructions. Where nothing is known exactly there are bounds.

use belay_ir::{BinaryOp, CastOp, Function, IntegerModel, LARGEST_BLOCK_ALIGN, Op, Operand, Type};
use belay_linear::{Answer, LinExpr, NumberDomain, Rat, Simplex};

use super::arithmetic::{note, scaled};
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, State};
use belay_states::bytes::signed;

/// Instructions that are looked through for bits that are 0.
const MAX_LOOK: u32 = 10;

impl Machine<'_> {
    pub(super) fn bits(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        (a, b): (&LinExpr, &LinExpr),
        width: u16,
        apart: bool,
    ) -> Step<LinExpr> {
        if self.config.integers == IntegerModel::Unbounded {
            return Ok(self.arbitrary(state, width));
        }
        if apart {
            return Ok(a.plus(b));
        }
        if let Some(exact) = self.exact_bits(state, op, (a, b), width)? {
            return Ok(exact);
        }
        let result = self.arbitrary(state, width);
        let (left, right) = (self.at_least(state, a, 0)?, self.at_least(state, b, 0)?);
        match op {
            BinaryOp::And => {
                for (natural, operand) in [(left, a), (right, b)] {
                    if natural {
                        note(state, result.clone());
                        note(state, operand.minus(&result));
                    }
                }
            }
            BinaryOp::Or | BinaryOp::Xor if left && right => {
                note(state, result.clone());
                note(state, a.plus(b).minus(&result));
                if op == BinaryOp::Or {
                    note(state, result.minus(a));
                    note(state, result.minus(b));
                }
            }
            _ => {}
        }
        Ok(result)
    }

    /// Operations on constants, and masks of adjacent bits or of all others.
    fn exact_bits(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        (a, b): (&LinExpr, &LinExpr),
        width: u16,
    ) -> Step<Option<LinExpr>> {
        Ok(match (op, as_constant(a), as_constant(b)) {
            (BinaryOp::And, Some(x), Some(y)) => Some(constant(x & y)),
            (BinaryOp::Or, Some(x), Some(y)) => Some(constant(x | y)),
            (BinaryOp::Xor, Some(x), Some(y)) => Some(constant(x ^ y)),
            (BinaryOp::Xor, None, Some(-1)) => Some(a.negated().plus_constant(&Rat::MINUS_ONE)),
            (BinaryOp::And, None, Some(mask)) => self.masked(state, a, mask, width)?,
            (BinaryOp::And, Some(mask), None) => self.masked(state, b, mask, width)?,
            (_, _, _) => None,
        })
    }

    fn masked(&mut self, state: &mut State, a: &LinExpr, mask: i128, width: u16) -> Step<Option<LinExpr>> {
        if !(2..=62).contains(&width) {
            return Ok(None);
        }
        let all = (1i128 << width) - 1;
        let (bits, others) = (mask & all, !mask & all);
        if let Some((low, high)) = adjacent(bits) {
            return self.part_of(state, a, (low, high), width).map(Some);
        }
        match adjacent(others) {
            Some((low, high)) => Ok(Some(a.minus(&self.part_of(state, a, (low, high), width)?))),
            None => Ok(None),
        }
    }

    /// The bits from `low` up to `high`, in their place.
    fn part_of(&mut self, state: &mut State, a: &LinExpr, (low, high): (u32, u32), width: u16) -> Step<LinExpr> {
        let below = self.low_bits(state, a, low)?;
        if high == u32::from(width) {
            return Ok(a.minus(&below));
        }
        let all = self.low_bits(state, a, high)?;
        if self.at_least(state, a, 0)? {
            note(state, a.minus(&all));
        }
        Ok(all.minus(&below))
    }

    /// The remainder of the address of a place, as far as the alignment of its object shows it.
    pub(super) fn aligned_part(
        &mut self,
        state: &mut State,
        alloc: AllocId,
        offset: &LinExpr,
        divisor: i128,
    ) -> Step<Option<LinExpr>> {
        let Ok(size @ 1..) = u64::try_from(divisor) else { return Ok(None) };
        if !size.is_power_of_two() || !self.alignment(state, alloc).is_multiple_of(size) {
            return Ok(None);
        }
        self.low_bits(state, offset, size.trailing_zeros()).map(Some)
    }

    /// What the address of an object is a multiple of. A state says of blocks that nobody asked to align otherwise that they are aligned as the machine aligns
    /// them, which is for the program to say: the least that any block has, so that this holds of blocks that were in a shape as well.
    fn alignment(&self, state: &State, alloc: AllocId) -> u64 {
        match alloc {
            AllocId::Global(global) => self.program.globals[global].align.max(1).into(),
            AllocId::Made(_) => match state.allocations.get(&alloc) {
                Some(known) if known.align == LARGEST_BLOCK_ALIGN => self.prepared.block_align,
                Some(known) => known.align,
                None => 1,
            },
        }
    }

    /// The number that so many low bits are.
    fn low_bits(&mut self, state: &mut State, a: &LinExpr, count: u32) -> Step<LinExpr> {
        let range = 1i128 << count;
        let quotient = self.floored(state, a, range)?;
        Ok(a.minus(&scaled(&quotient, range)))
    }

    /// The quotient rounded down. What is a multiple of the divisor is divided exactly; of the rest it is often known which multiples it lies between.
    pub(super) fn floored(&mut self, state: &mut State, a: &LinExpr, divisor: i128) -> Step<LinExpr> {
        let Some(part) = constant(divisor).offset().recip() else { return Ok(a.clone()) };
        let whole = a.terms().iter().filter(|(_, factor)| (factor * &part).is_integer()).cloned();
        let whole = LinExpr::new(whole, &(a.offset() * &part).floor() * constant(divisor).offset());
        let (rest, whole) = (a.minus(&whole), whole.scaled(&part));
        if rest.is_constant() {
            return Ok(whole);
        }
        if let Some(quotient) = self.multiple_below(state, &rest, divisor)? {
            return Ok(whole.plus(&constant(quotient)));
        }
        let quotient = state.fresh();
        let remainder = rest.minus(&scaled(&quotient, divisor));
        note(state, remainder.clone());
        note(state, constant(divisor - 1).minus(&remainder));
        Ok(whole.plus(&quotient))
    }

    /// The quotient rounded down, if it is always the same.
    fn multiple_below(&mut self, state: &State, rest: &LinExpr, divisor: i128) -> Step<Option<i128>> {
        let least = |machine: &mut Self, quotient: i128| -> Step<bool> {
            let above = rest.minus(&constant(quotient * divisor));
            Ok(machine.at_least(state, &above, 0)?
                && machine.at_least(state, &constant(divisor - 1).minus(&above), 0)?)
        };
        if least(self, 0)? {
            return Ok(Some(0));
        }
        let mut simplex = Simplex::new(NumberDomain::Integer);
        state.knowledge.constraints.iter().for_each(|known| simplex.assert(known.clone()));
        let Answer::Sat(model) = simplex.check(self.budget)? else { return Ok(None) };
        let value = rest.evaluate(|var| model.get(var.index()).cloned().unwrap_or_default());
        let Some(value) = value.to_i64() else { return Ok(None) };
        let quotient = i128::from(value).div_euclid(divisor);
        Ok(if least(self, quotient)? { Some(quotient) } else { None })
    }

    /// A shift to the right that fills with zeros, of a number that may be negative: then all bits are those of the number plus 2^width.
    pub(super) fn shifted_down(&mut self, state: &mut State, a: &LinExpr, amount: i128, width: u16) -> Step<LinExpr> {
        if self.config.integers != IntegerModel::Machine || !(2..=126).contains(&width) {
            return Ok(self.arbitrary(state, width));
        }
        let range = 1i128 << (i128::from(width) - amount);
        if width > 62 {
            // Of numbers this wide just that the bits above are 0: the exact equation has coefficients that cost more than it tells.
            let result = self.arbitrary(state, width);
            note(state, result.clone());
            note(state, constant(range - 1).minus(&result));
            return Ok(result);
        }
        let quotient = self.floored(state, a, 1 << amount)?;
        if self.at_least(state, &a.negated(), 1)? {
            return Ok(quotient.plus(&constant(range)));
        }
        let sign = self.arbitrary(state, 1);
        let result = quotient.plus(&scaled(&sign, range));
        note(state, result.clone());
        note(state, constant(range - 1).minus(&result));
        Ok(result)
    }

    /// A bit operation whose result the instructions say.
    pub(super) fn known_bits(
        &self,
        state: &State,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        width: u16,
    ) -> Option<LinExpr> {
        if self.config.integers != IntegerModel::Machine || width > 64 {
            return None;
        }
        let function = &self.program.functions[state.frames.last()?.function];
        let bits = Bits::of(function, a, width, MAX_LOOK).combined(op, &Bits::of(function, b, width, MAX_LOOK));
        (bits.zeros | bits.ones == all(width)).then(|| constant(signed(bits.ones, width)))
    }

    /// True only if two operands of the innermost frame never have a bit in common.
    pub(super) fn no_bit_in_common(&self, state: &State, a: Operand, b: Operand, width: u16) -> bool {
        let Some(frame) = state.frames.last() else { return false };
        let function = &self.program.functions[frame.function];
        let zeros = |operand: Operand| Bits::of(function, operand, width, MAX_LOOK).zeros;
        zeros(a) | zeros(b) == all(width)
    }
}

fn all(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The ends of a run of ones, if the bits are one.
fn adjacent(bits: i128) -> Option<(u32, u32)> {
    if bits <= 0 {
        return None;
    }
    let low = bits.trailing_zeros();
    let run = bits >> low;
    (run & (run + 1) == 0).then(|| (low, low + (run + 1).trailing_zeros()))
}

/// Bits that are 0, and bits that are 1, whatever an operand is made of.
#[derive(Clone, Copy, Default)]
struct Bits {
    zeros: u128,
    ones: u128,
}

impl Bits {
    fn of(function: &Function, operand: Operand, width: u16, look: u32) -> Bits {
        let inst = match operand {
            Operand::Int { value, .. } => return Bits { zeros: !value & all(width), ones: value & all(width) },
            Operand::Inst(inst) if look > 0 => inst,
            _ => return Bits::default(),
        };
        let of = |operand: Operand, width: u16| Bits::of(function, operand, width, look - 1);
        let amount = |operand: Operand| match operand {
            Operand::Int { value, .. } if value < u128::from(width) => Some(value as u32),
            _ => None,
        };
        let from = |operand: Operand| function.operand_type(operand).and_then(Type::int_width);
        match &function.insts[inst].op {
            Op::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), lhs, rhs } => {
                of(*lhs, width).combined(*op, &of(*rhs, width))
            }
            Op::Binary { op: BinaryOp::Shl, lhs, rhs } => match amount(*rhs) {
                Some(amount) => of(*lhs, width).mapped(width, |bits| bits << amount, (1 << amount) - 1),
                None => Bits::default(),
            },
            Op::Binary { op: BinaryOp::LShr, lhs, rhs } => match amount(*rhs) {
                Some(amount) => of(*lhs, width).mapped(width, |bits| bits >> amount, !(all(width) >> amount)),
                None => Bits::default(),
            },
            Op::Cast { op: CastOp::ZExt, value } => match from(*value) {
                Some(own) => of(*value, own).mapped(width, |bits| bits, !all(own)),
                None => Bits::default(),
            },
            Op::Cast { op: CastOp::Trunc, value } => match from(*value) {
                Some(own) => of(*value, own).mapped(width, |bits| bits, 0),
                None => Bits::default(),
            },
            _ => Bits::default(),
        }
    }

    fn mapped(self, width: u16, f: impl Fn(u128) -> u128, zeros: u128) -> Bits {
        Bits { zeros: (f(self.zeros) | zeros) & all(width), ones: f(self.ones) & all(width) }
    }

    fn combined(&self, op: BinaryOp, other: &Bits) -> Bits {
        match op {
            BinaryOp::And => Bits { zeros: self.zeros | other.zeros, ones: self.ones & other.ones },
            BinaryOp::Or => Bits { zeros: self.zeros & other.zeros, ones: self.ones | other.ones },
            BinaryOp::Xor => Bits {
                zeros: (self.zeros & other.zeros) | (self.ones & other.ones),
                ones: (self.zeros & other.ones) | (self.ones & other.zeros),
            },
            _ => Bits::default(),
        }
    }
}
