//! How large offsets become: what constants of the program bound them, and by which steps they move.

use std::collections::BTreeMap;

use belay_ir::{BinaryOp, CastOp, IntPredicate, Op, Operand, Type};

use super::indices::{Part, count_of};
use super::moved::common;
use super::walk::Walk;

/// Operations that are looked through.
const DEPTH: usize = 10;
/// Offsets from here on are taken for unbounded.
const FAR: u64 = 1 << 24;

/// The greatest values that comparisons with constants leave to parts of offsets.
pub(super) type Most = BTreeMap<Part, u64>;

impl Walk<'_, '_> {
    /// A number is compared with a constant: on one side of the comparison it is no greater.
    pub(super) fn limit_by_constant(&mut self, op: IntPredicate, lhs: Operand, rhs: Operand) {
        for (one, other, is_swapped) in [(lhs, rhs, false), (rhs, lhs, true)] {
            let Some(constant) = other.as_int().and_then(|value| u64::try_from(value).ok()) else { continue };
            let includes = match op {
                IntPredicate::Ule | IntPredicate::Sle | IntPredicate::Ugt | IntPredicate::Sgt => !is_swapped,
                IntPredicate::Ult | IntPredicate::Slt | IntPredicate::Uge | IntPredicate::Sge => is_swapped,
                IntPredicate::Eq | IntPredicate::Ne => false,
            };
            let greatest = if includes { Some(constant) } else { constant.checked_sub(1) };
            let Some(greatest) = greatest.filter(|greatest| *greatest < FAR) else { continue };
            for part in self.parts_of(one) {
                let known = self.most.entry(part).or_insert(greatest);
                *known = greatest.max(*known);
            }
        }
    }

    /// What an operand is itself, whatever its width.
    fn parts_of(&self, operand: Operand) -> Vec<Part> {
        let mut operand = operand;
        let mut parts = Vec::new();
        for _ in 0..DEPTH {
            match operand {
                Operand::Param(index) => {
                    parts.push(Part::Count(super::Count::Param(index)));
                    break;
                }
                Operand::Inst(id) => {
                    parts.push(Part::Inst(id));
                    match &self.function.insts[id].op {
                        Op::Cast { value, .. } | Op::Freeze { value } => operand = *value,
                        Op::Load { .. } => {
                            let values = self.values.get(&id).into_iter().flatten().copied();
                            parts.extend(values.filter_map(count_of).map(Part::Count));
                            break;
                        }
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        parts
    }

    /// The greatest value that a number has; none if nothing says so.
    pub(super) fn upper(&self, operand: Operand) -> Option<u64> {
        self.upper_of(operand, DEPTH).filter(|upper| *upper < FAR)
    }

    fn upper_of(&self, operand: Operand, depth: usize) -> Option<u64> {
        let id = match operand {
            Operand::Int { value, .. } => return u64::try_from(value).ok().filter(|value| *value < FAR),
            Operand::Inst(id) if depth > 0 => id,
            _ => return self.compared(operand),
        };
        let inner = |operand: Operand| self.upper_of(operand, depth - 1);
        let by_operation = match &self.function.insts[id].op {
            Op::Binary { op, lhs, rhs } => self.upper_of_binary(*op, (*lhs, *rhs), depth - 1),
            Op::Cast { op: CastOp::ZExt | CastOp::Trunc, value } => {
                let of_type = match self.function.operand_type(*value) {
                    Some(Type::Int(width)) if width <= 8 => Some((1 << width) - 1),
                    _ => None,
                };
                least(of_type, inner(*value))
            }
            Op::Cast { op: CastOp::SExt, value } | Op::Freeze { value } => inner(*value),
            Op::Select { then, otherwise, .. } => inner(*then).zip(inner(*otherwise)).map(|(one, two)| one.max(two)),
            Op::Phi { incoming } => {
                let is_counted_down = |value: &Operand| self.steps_back(*value, Operand::Inst(id));
                let others = incoming.iter().map(|(_, value)| *value).filter(|value| !is_counted_down(value));
                let each: Option<Vec<u64>> = others.map(|value| self.first_or_compared(value)).collect();
                each.and_then(|each| each.into_iter().max())
            }
            _ => None,
        };
        least(self.compared(operand), by_operation)
    }

    fn upper_of_binary(&self, op: BinaryOp, (lhs, rhs): (Operand, Operand), depth: usize) -> Option<u64> {
        let inner = |operand: Operand| self.upper_of(operand, depth);
        let by = rhs.as_int().and_then(|value| u64::try_from(value).ok()).filter(|value| *value < FAR);
        match (op, by) {
            (BinaryOp::Add, _) if is_negative(rhs) => inner(lhs),
            (BinaryOp::Add, _) => inner(lhs)?.checked_add(inner(rhs)?),
            (BinaryOp::Sub, Some(_)) => inner(lhs),
            (BinaryOp::Mul, _) => inner(lhs)?.checked_mul(inner(rhs)?),
            (BinaryOp::Shl, Some(by @ ..32)) => inner(lhs)?.checked_mul(1 << by),
            (BinaryOp::And, _) => least(inner(lhs), inner(rhs)),
            (BinaryOp::Or | BinaryOp::Xor, _) => {
                Some((inner(lhs)? | inner(rhs)?).checked_add(1)?.next_power_of_two() - 1)
            }
            (BinaryOp::URem | BinaryOp::SRem, Some(by @ 1..)) => Some(by - 1),
            (BinaryOp::UDiv | BinaryOp::SDiv, Some(by @ 1..)) => Some(inner(lhs)? / by),
            (BinaryOp::LShr | BinaryOp::AShr, Some(by @ ..32)) => Some(inner(lhs)? >> by),
            _ => None,
        }
    }

    /// What comparisons with constants leave.
    fn compared(&self, operand: Operand) -> Option<u64> {
        self.parts_of(operand).iter().filter_map(|part| self.most.get(part).copied()).max()
    }

    /// What a counter begins with, or what it is compared with before it goes on.
    fn first_or_compared(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Int { value, .. } => u64::try_from(value).ok().filter(|value| *value < FAR),
            other => self.compared(other),
        }
    }

    /// True for a counter that is counted down.
    fn steps_back(&self, operand: Operand, counter: Operand) -> bool {
        let Operand::Inst(id) = operand else { return false };
        match &self.function.insts[id].op {
            Op::Binary { op: BinaryOp::Add, lhs, rhs } => *lhs == counter && is_negative(*rhs),
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => *lhs == counter && rhs.as_int().is_some(),
            Op::Phi { incoming } => incoming.iter().all(|(_, value)| *value == counter),
            _ => false,
        }
    }

    /// A number of which an offset is a multiple.
    pub(super) fn step_of(&self, operand: Operand) -> u64 {
        self.divides(operand, DEPTH).max(1)
    }

    fn divides(&self, operand: Operand, depth: usize) -> u64 {
        let id = match operand {
            Operand::Int { value, width } => return magnitude(value, width),
            Operand::Inst(id) if depth > 0 => id,
            _ => return 1,
        };
        let inner = |operand: Operand| self.divides(operand, depth - 1);
        match &self.function.insts[id].op {
            Op::Binary { op: BinaryOp::Mul, lhs, rhs } => inner(*lhs).saturating_mul(inner(*rhs)),
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => common(inner(*lhs), inner(*rhs)),
            Op::Binary { op: BinaryOp::Shl, lhs, rhs } => match rhs.as_int() {
                Some(by @ 0..32) => inner(*lhs).saturating_mul(1 << by),
                _ => 1,
            },
            Op::Cast { op: CastOp::ZExt | CastOp::SExt, value } | Op::Freeze { value } => inner(*value),
            _ => 1,
        }
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn is_negative(operand: Operand) -> bool {
    matches!(operand, Operand::Int { value, width } if width < 128 && value >> (width - 1) & 1 == 1)
}

/// A constant without its sign.
fn magnitude(value: u128, width: u16) -> u64 {
    let is_negative = width < 128 && width > 0 && value >> (width - 1) & 1 == 1;
    let positive = if is_negative { (1u128 << width) - value } else { value };
    u64::try_from(positive).unwrap_or(1)
}
