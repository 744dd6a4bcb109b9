//! What stands in offsets: with which numbers they are compared, which numbers and elements they are.
//!
//! `a[i]` in a loop that asks `i < n` has `n` elements; `t->cells[h & (t->room - 1)]` has `t->room`; where `t->names[t->cells[i]]` is read, the elements of `t->cells` are indices of `t->names`.

use std::collections::BTreeSet;

use belay_ir::{BinaryOp, CastOp, InstId, Op, Operand, Type};

use super::walk::Walk;
use super::{Count, Value};

/// Operations that are looked through.
const DEPTH: usize = 8;

/// How places in what a pointer leads to are chosen.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Indices {
    /// Numbers that limit offsets, or say how much is copied.
    pub bounds: BTreeSet<Count>,
    /// Numbers that are offsets, up to constants.
    pub counts: BTreeSet<Count>,
    /// What is read there is an offset, up to constants.
    pub contents: BTreeSet<usize>,
}

/// A part of an offset that may be compared elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// The result of an instruction.
    Inst(InstId),
    /// A number that callers give.
    Count(Count),
}

impl Walk<'_, '_> {
    /// An offset into what a pointer leads to.
    pub(super) fn indexed(&mut self, node: usize, offset: Operand) {
        let mut parts = BTreeSet::new();
        self.collect_parts(offset, DEPTH, &mut parts);
        self.parts.entry(node).or_default().extend(parts);
        for value in self.direct(offset, DEPTH) {
            let indices = self.found.indices.entry(node).or_default();
            match value {
                Value::Count(count) => {
                    indices.counts.insert(count);
                }
                Value::Content(from) => {
                    indices.contents.insert(from);
                }
                Value::Pointer(..) | Value::Function(_) => {}
            }
        }
    }

    /// The same, where a register may hold such a pointer.
    pub(super) fn indexed_by(&mut self, value: Value, offset: Operand) {
        if let Value::Pointer(node, _) = value {
            self.indexed(node, offset);
        }
    }

    /// So much is read or written there.
    pub(super) fn limited(&mut self, node: usize, counts: impl IntoIterator<Item = Value>) {
        let counts = counts.into_iter().filter_map(count_of);
        self.found.indices.entry(node).or_default().bounds.extend(counts);
    }

    /// Numbers that are compared limit each other; so does what a mask or a division leaves.
    pub(super) fn bound(&mut self, one: Operand, other: Operand) {
        let counts: Vec<Count> = self.values(other).into_iter().filter_map(count_of).collect();
        if counts.is_empty() {
            return;
        }
        if let Some(most) = self.most(one) {
            for count in &counts {
                let known = self.found.counters.entry(*count).or_insert(most);
                *known = most.min(*known);
            }
        }
        let mut parts = BTreeSet::new();
        self.collect_parts(one, DEPTH, &mut parts);
        for part in parts {
            let others = counts.iter().copied().filter(|count| part != Part::Count(*count));
            if let Part::Count(own) = part {
                self.found.compared.extend(others.clone().map(|other| (own, other)));
            }
            self.bounds.entry(part).or_default().extend(others);
        }
    }

    /// The greatest number that a counter of fewer bits comes to, taken for signed: what widens others is beyond most invariants.
    fn most(&self, operand: Operand) -> Option<u64> {
        let Operand::Inst(id) = operand else { return None };
        let Op::Cast { op: CastOp::ZExt | CastOp::SExt, value: Operand::Inst(value) } = self.function.insts[id].op
        else {
            return None;
        };
        let counts = matches!(self.function.insts[value].op, Op::Phi { .. } | Op::Binary { .. });
        match self.function.insts[value].ty {
            Some(Type::Int(width)) if counts && (8..64).contains(&width) => Some((1 << (width - 1)) - 1),
            _ => None,
        }
    }

    /// What is left by a mask or a remainder; and what is divided by.
    pub(super) fn reduced(&mut self, inst: InstId, op: BinaryOp, lhs: Operand, rhs: Operand) {
        if matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem) {
            let divisors = self.direct(rhs, DEPTH).into_iter().filter_map(count_of);
            self.found.divisors.extend(divisors);
        }
        let by = match op {
            BinaryOp::And => [self.values(lhs), self.values(rhs)].concat(),
            BinaryOp::URem | BinaryOp::SRem => self.values(rhs),
            _ => return,
        };
        self.bounds.entry(Part::Inst(inst)).or_default().extend(by.into_iter().filter_map(count_of));
    }

    /// Content that is compared with a number of the program is told apart by it.
    pub(super) fn told_apart(&mut self, lhs: Operand, rhs: Operand) {
        for (one, other) in [(lhs, rhs), (rhs, lhs)] {
            let Operand::Int { value, width } = other else { continue };
            // All bits set is what programs write as -1.
            let is_ones = width < 128 && value == (1u128 << width) - 1;
            let constant = if is_ones { -1 } else { value as i128 };
            for value in self.values(one) {
                if let Value::Content(node) = value {
                    self.found.constants.entry(node).or_default().insert(constant);
                }
            }
        }
    }

    /// A number is stored where a pointer leads: what limits it limits what is read there.
    pub(super) fn stored_number(&mut self, place: Value, number: Operand) {
        let Value::Pointer(node, Some(at)) = place else { return };
        let Ok(at) = u64::try_from(at) else { return };
        let mut parts = BTreeSet::new();
        self.collect_parts(number, DEPTH, &mut parts);
        self.kept.entry(Count::Member(node, at)).or_default().extend(parts);
    }

    /// What limits the parts of offsets limits the offsets.
    pub(super) fn settle_indices(&mut self) {
        for (count, parts) in &self.kept {
            let bounds: BTreeSet<Count> = parts
                .iter()
                .filter_map(|part| self.bounds.get(part))
                .flatten()
                .copied()
                .filter(|bound| bound != count)
                .collect();
            self.bounds.entry(Part::Count(*count)).or_default().extend(bounds);
        }
        for (node, parts) in &self.parts {
            let bounds = parts.iter().filter_map(|part| self.bounds.get(part)).flatten();
            self.found.indices.entry(*node).or_default().bounds.extend(bounds);
        }
    }

    fn collect_parts(&self, operand: Operand, depth: usize, parts: &mut BTreeSet<Part>) {
        let id = match operand {
            Operand::Inst(id) => id,
            Operand::Param(index) => {
                parts.insert(Part::Count(Count::Param(index)));
                return;
            }
            _ => return,
        };
        if depth == 0 || !parts.insert(Part::Inst(id)) {
            return;
        }
        let mut both = |one: Operand, other: Operand| {
            self.collect_parts(one, depth - 1, parts);
            self.collect_parts(other, depth - 1, parts);
        };
        match &self.function.insts[id].op {
            Op::Binary { lhs, rhs, .. } => both(*lhs, *rhs),
            Op::Select { then, otherwise, .. } => both(*then, *otherwise),
            Op::Cast { value, .. } | Op::Freeze { value } => self.collect_parts(*value, depth - 1, parts),
            Op::Phi { incoming } => {
                incoming.iter().for_each(|(_, value)| self.collect_parts(*value, depth - 1, parts));
            }
            _ => {
                let values = self.values.get(&id).into_iter().flatten().copied();
                parts.extend(values.filter_map(count_of).map(Part::Count));
            }
        }
    }

    /// What an operand is but for constants that are added and multiplied.
    fn direct(&self, operand: Operand, depth: usize) -> Vec<Value> {
        let id = match operand {
            Operand::Inst(id) if depth > 0 => id,
            Operand::Param(index) => return vec![Value::Count(Count::Param(index))],
            _ => return Vec::new(),
        };
        match &self.function.insts[id].op {
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl, lhs, rhs } => {
                match (lhs.as_int(), rhs.as_int()) {
                    (_, Some(_)) => self.direct(*lhs, depth - 1),
                    (Some(_), _) => self.direct(*rhs, depth - 1),
                    (None, None) => Vec::new(),
                }
            }
            Op::Binary { .. } | Op::Phi { .. } | Op::Select { .. } => Vec::new(),
            Op::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value } | Op::Freeze { value } => {
                self.direct(*value, depth - 1)
            }
            _ => self.values.get(&id).into_iter().flatten().copied().collect(),
        }
    }
}

/// The number that a register may hold, if it is one that callers give.
pub(super) fn count_of(value: Value) -> Option<Count> {
    match value {
        Value::Count(count) => Some(count),
        Value::Content(_) | Value::Pointer(..) | Value::Function(_) => None,
    }
}
