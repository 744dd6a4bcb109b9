//! Addresses as an array and multiples of counters.

use belay_invariants::{Array, Element, Formula};
use belay_ir::{BinaryOp, CastOp, InstId, Op, Operand, Type};

use super::Miner;
use super::expression::View;

/// Operations of an address at most, on one way.
const MAX_DEPTH: u32 = 12;

/// An address: where an array begins, and how far from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub(super) array: Array,
    /// How many bytes further for each counter of the view, by number.
    pub(super) strides: Vec<(u32, i64)>,
    /// The bytes that do not depend on counters.
    constant: i64,
    others: Option<Formula>,
}

impl Address {
    fn add_stride(&mut self, dimension: u32, stride: i64) -> Option<()> {
        match self.strides.binary_search_by_key(&dimension, |(known, _)| *known) {
            Ok(at) => self.strides[at].1 = self.strides[at].1.checked_add(stride)?,
            Err(at) => self.strides.insert(at, (dimension, stride)),
        }
        Some(())
    }

    /// What does not depend on counters, as a number of bytes.
    pub(super) fn base(&self) -> Formula {
        let constant = Formula::Number { width: 64, value: u128::from(self.constant as u64) };
        match &self.others {
            None => constant,
            Some(others) if self.constant == 0 => others.clone(),
            Some(others) => Formula::Binary(BinaryOp::Add, Box::new(others.clone()), Box::new(constant)),
        }
    }
}

impl Miner<'_> {
    /// The element that an address is of, if its place depends on counters of the view.
    pub(super) fn element(&self, ptr: Operand, ty: Type, view: View<'_>) -> Option<Formula> {
        let View::Index { .. } = view else { return None };
        let size = u32::from(ty.int_width()?) / 8;
        let address = self.address_in(ptr, view)?;
        let fits = matches!(size, 1 | 2 | 4 | 8) && !address.strides.is_empty();
        let base = address.base();
        fits.then(|| Formula::Element(Box::new(Element { array: address.array, size, strides: address.strides, base })))
    }

    /// The array that an address is in.
    pub(super) fn array_of(&self, ptr: Operand) -> Option<Array> {
        self.array_and_steps(ptr).map(|(array, _)| array)
    }

    /// The array that an address is in, and what is added to its beginning.
    fn array_and_steps(&self, ptr: Operand) -> Option<(Array, Vec<Operand>)> {
        let (mut place, mut steps) = (ptr, Vec::new());
        while let Operand::Inst(inst) = place {
            let Op::PtrAdd { base, offset } = self.op(inst) else { break };
            steps.push(*offset);
            place = *base;
            if steps.len() > MAX_DEPTH as usize {
                return None;
            }
        }
        let array = match place {
            Operand::Inst(inst) => Array::Register(inst),
            Operand::Param(index) => Array::Param(index),
            Operand::Global { global, offset } => {
                steps.push(Operand::Int { width: 64, value: (offset as u64).into() });
                Array::Global(global)
            }
            _ => return None,
        };
        Some((array, steps))
    }

    /// An address, in terms of the counters of a view.
    pub(super) fn address_in(&self, ptr: Operand, view: View<'_>) -> Option<Address> {
        let (array, steps) = self.array_and_steps(ptr)?;
        let mut address = Address { array, strides: Vec::new(), constant: 0, others: None };
        for step in steps {
            self.add_multiple(step, 1, view, &mut address, MAX_DEPTH)?;
        }
        address.strides.retain(|(_, stride)| *stride != 0);
        Some(address)
    }

    /// Adds a multiple of a number to an address.
    fn add_multiple(
        &self,
        operand: Operand,
        factor: i64,
        view: View<'_>,
        address: &mut Address,
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        if let Some(number) = constant(operand) {
            address.constant = address.constant.checked_add(number.checked_mul(factor)?)?;
            return Some(());
        }
        let View::Index { counters, .. } = view else { return None };
        let at = counters.iter().position(|counter| Operand::Inst(*counter) == self.plain(operand));
        if let Some(dimension) = at {
            return address.add_stride(dimension as u32, factor);
        }
        if self.is_fixed(operand, view) {
            return self.add_fixed(operand, factor, view, address);
        }
        let Operand::Inst(inst) = operand else { return None };
        let mut add = |operand: Operand, factor: i64| self.add_multiple(operand, factor, view, address, depth);
        match self.op(inst) {
            Op::Binary { op: BinaryOp::Mul, lhs, rhs } => match (constant(*lhs), constant(*rhs)) {
                (_, Some(number)) => add(*lhs, factor.checked_mul(number)?),
                (Some(number), _) => add(*rhs, factor.checked_mul(number)?),
                (None, None) => None,
            },
            Op::Binary { op: BinaryOp::Shl, lhs, rhs } => {
                let amount = constant(*rhs).filter(|amount| (0..32).contains(amount))?;
                add(*lhs, factor.checked_mul(1 << amount)?)
            }
            Op::Binary { op: BinaryOp::Add, lhs, rhs } => {
                add(*lhs, factor)?;
                add(*rhs, factor)
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                add(*lhs, factor)?;
                add(*rhs, factor.checked_neg()?)
            }
            Op::Cast { op: CastOp::SExt | CastOp::ZExt, value } => add(*value, factor),
            _ => None,
        }
    }

    /// Whether a number is made outside of the view's loops.
    fn is_fixed(&self, operand: Operand, view: View<'_>) -> bool {
        match operand {
            Operand::Param(_) => true,
            Operand::Inst(inst) => !self.is_inside(inst, view),
            _ => false,
        }
    }

    fn add_fixed(&self, operand: Operand, factor: i64, view: View<'_>, address: &mut Address) -> Option<()> {
        let number = Formula::Cast(CastOp::SExt, 64, Box::new(self.formula(operand, view, 2)?));
        let factor = Formula::Number { width: 64, value: u128::from(factor as u64) };
        let product = Formula::Binary(BinaryOp::Mul, Box::new(number), Box::new(factor));
        address.others = Some(match address.others.take() {
            None => product,
            Some(others) => Formula::Binary(BinaryOp::Add, Box::new(others), Box::new(product)),
        });
        Some(())
    }

    /// An operand without the casts that make it wider.
    pub(super) fn plain(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Inst(inst) => match self.op(inst) {
                Op::Cast { op: CastOp::SExt | CastOp::ZExt, value } => self.plain(*value),
                _ => operand,
            },
            _ => operand,
        }
    }

    /// The index of an address in an array of numbers of one size.
    pub(super) fn index_of(&self, ptr: Operand) -> Option<Operand> {
        let Operand::Inst(inst) = ptr else { return None };
        let Op::PtrAdd { offset, .. } = self.op(inst) else { return None };
        let scaled = |inst: InstId| match self.op(inst) {
            Op::Binary { op: BinaryOp::Mul | BinaryOp::Shl, lhs, rhs: Operand::Int { .. } } => Some(*lhs),
            _ => None,
        };
        match offset {
            Operand::Inst(inst) => Some(scaled(*inst).unwrap_or(*offset)),
            _ => Some(*offset),
        }
    }
}

/// The value of a constant, read as signed.
fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Int { width: width @ 1..=64, value } => {
            let width = u32::from(width);
            Some((value as u64 as i64) << (64 - width) >> (64 - width))
        }
        _ => None,
    }
}
