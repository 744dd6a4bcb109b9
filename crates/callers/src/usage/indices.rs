//! What stands in offsets: with which numbers they are compared, which numbers and elements they are.
//!
//! `a[i]` in a loop that asks `i < n` has `n` elements; `t->cells[h & (t->room - 1)]` has `t->room`; where `t->names[t->cells[i]]` is read, the elements of `t->cells` are indices of `t->names`.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{BinaryOp, CastOp, InstId, Op, Operand, Type};

use super::moved::common;
use super::walk::Walk;
use super::{Count, Moved, Value};

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
    /// Numbers that limit what is multiplied and then divided to make an offset in bytes, and by what.
    pub scaled: BTreeSet<(Scale, Count)>,
    /// The same for numbers that are offsets.
    pub spots: BTreeSet<(Scale, Count)>,
    /// The greatest offset in bytes that constants allow.
    pub reach: u64,
    /// Whether no constant limits some offset.
    pub is_open: bool,
    /// Whether such an offset is counted in a loop.
    pub is_counted: bool,
}

impl Indices {
    /// What is known of other offsets into the same is known of these.
    pub(super) fn join(&mut self, other: &Indices) {
        self.bounds.extend(&other.bounds);
        self.counts.extend(&other.counts);
        self.contents.extend(&other.contents);
        self.scaled.extend(&other.scaled);
        self.spots.extend(&other.spots);
        self.reach = self.reach.max(other.reach);
        self.is_open |= other.is_open;
        self.is_counted |= other.is_counted;
    }
}

/// So many times something, and then a part of it.
pub type Scale = (u64, u64);

/// So many times a number and a part of that is more than something else is.
pub(super) type Limit = (Scale, Count);

/// Parts of numbers, and by what they are multiplied and divided.
pub(super) type Parts = BTreeMap<Part, Scale>;

/// A part of an offset that may be compared elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// The result of an instruction.
    Inst(InstId),
    /// A number that callers give.
    Count(Count),
}

impl Walk<'_, '_> {
    /// An offset into a part of what a pointer leads to.
    pub(super) fn indexed(&mut self, (node, base): (usize, i64), offset: Operand) {
        let mut parts = Parts::new();
        self.collect_parts(offset, ((1, 1), DEPTH), &mut parts);
        let is_phi =
            |part: &Part| matches!(part, Part::Inst(id) if matches!(self.function.insts[*id].op, Op::Phi { .. }));
        let is_counted = parts.keys().any(is_phi);
        self.parts.entry((node, base)).or_default().extend(parts);
        let upper = self.upper(offset);
        let direct = self.direct(offset, DEPTH);
        let spots = self.spots(offset, (1, 1), DEPTH);
        let indices = self.found.inner.entry((node, base)).or_default();
        match upper {
            Some(upper) => indices.reach = indices.reach.max(upper),
            None => (indices.is_open, indices.is_counted) = (true, indices.is_counted || is_counted),
        }
        indices.spots.extend(spots);
        for value in direct {
            match value {
                Value::Count(count) => {
                    indices.counts.insert(count);
                }
                Value::Content(from) => {
                    indices.contents.insert(from);
                }
                Value::Pointer(..) | Value::Derived(_) | Value::Function(_) => {}
            }
        }
    }

    /// The same, where a register may hold such a pointer.
    pub(super) fn indexed_by(&mut self, value: Value, offset: Operand) {
        if let Value::Pointer(node, moved) = value {
            self.indexed((node, moved.base().unwrap_or_default()), offset);
        }
    }

    /// So much is read or written there.
    pub(super) fn limited(&mut self, place: (usize, i64), counts: impl IntoIterator<Item = Value>) {
        let counts = counts.into_iter().filter_map(count_of);
        let indices = self.found.inner.entry(place).or_default();
        indices.bounds.extend(counts);
        indices.is_open = true;
    }

    /// Numbers that are compared limit each other; so does what a mask or a division leaves.
    pub(super) fn bound(&mut self, one: Operand, other: Operand) {
        let counts: Vec<Count> = self.values(other).into_iter().filter_map(count_of).collect();
        if counts.is_empty() {
            return;
        }
        let mut others = Parts::new();
        self.collect_parts(other, ((1, 1), DEPTH), &mut others);
        let limit = |count: &Count| (others.get(&Part::Count(*count)).copied().unwrap_or((1, 1)), *count);
        let limits: Vec<Limit> = counts.iter().map(limit).collect();
        if let Some(most) = self.most(one) {
            for count in &counts {
                let known = self.found.counters.entry(*count).or_insert(most);
                *known = most.min(*known);
            }
        }
        let mut parts = Parts::new();
        self.collect_parts(one, ((1, 1), DEPTH), &mut parts);
        for (part, (times, less)) in parts {
            let others = limits.iter().copied().filter(|(_, count)| part != Part::Count(*count));
            if let Part::Count(own) = part {
                self.found.compared.extend(others.clone().map(|(_, other)| (own, other)));
            }
            // `2 * n < m` is `n < m / 2`.
            let others = others.map(|(scale, count)| (both(scale, (less, times)), count));
            self.bounds.entry(part).or_default().extend(others);
        }
    }

    /// The greatest number that a counter of fewer bits comes to.
    fn most(&self, operand: Operand) -> Option<u64> {
        let Operand::Inst(id) = operand else { return None };
        let Op::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), value: Operand::Inst(value) } =
            self.function.insts[id].op
        else {
            return None;
        };
        let counts = matches!(self.function.insts[value].op, Op::Phi { .. } | Op::Binary { .. });
        match self.function.insts[value].ty {
            // What widens others is beyond most invariants; few tables are so large.
            Some(Type::Int(width)) if counts && (8..64).contains(&width) => {
                let is_halved = op == CastOp::SExt || width >= 32;
                Some((1 << (width - u16::from(is_halved))) - 1)
            }
            _ => None,
        }
    }

    /// What is left by a mask or a remainder; and what is divided by.
    pub(super) fn reduced(&mut self, inst: InstId, op: BinaryOp, lhs: Operand, rhs: Operand) {
        if matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem) {
            let divisors = self.direct(rhs, DEPTH).into_iter().filter_map(count_of);
            self.found.divisors.extend(divisors);
        }
        if let (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, Some(Type::Int(width))) =
            (op, self.function.operand_type(lhs))
        {
            // A number with a sign is not shifted into it.
            let most = u64::from(width).saturating_sub(if op == BinaryOp::Shl { 2 } else { 1 });
            let numbers = self.direct(rhs, DEPTH).into_iter().filter_map(count_of);
            self.found.shifts.extend(numbers.map(|number| (number, most)));
        }
        if let (BinaryOp::Add | BinaryOp::Sub, Operand::Int { value, width: width @ 1..=64 }) = (op, rhs) {
            let shift = 64 - u32::from(width);
            let by = ((value as i64) << shift) >> shift;
            let by = if op == BinaryOp::Sub { by.saturating_neg() } else { by };
            let numbers = self.values(lhs).into_iter().filter_map(count_of);
            self.found.added.extend(numbers.map(|number| (number, by)));
        }
        let by = match op {
            BinaryOp::And => [self.values(lhs), self.values(rhs)].concat(),
            BinaryOp::URem | BinaryOp::SRem => self.values(rhs),
            _ => return,
        };
        let limits = by.into_iter().filter_map(count_of).map(|count| ((1, 1), count));
        self.bounds.entry(Part::Inst(inst)).or_default().extend(limits);
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

    /// A callee compares what it is given with numbers.
    pub(super) fn bound_argument(&mut self, argument: Operand, counts: &[Count]) {
        let mut parts = Parts::new();
        self.collect_parts(argument, ((1, 1), DEPTH), &mut parts);
        for (part, (times, less)) in parts {
            let others = counts.iter().filter(|count| part != Part::Count(**count));
            let limits = others.map(|count| ((less, times), *count));
            self.bounds.entry(part).or_default().extend(limits);
        }
    }

    /// A number is stored where a pointer leads: what limits it limits what is read there.
    pub(super) fn stored_number(&mut self, place: Value, number: Operand) {
        let Value::Pointer(node, Moved::By(at)) = place else { return };
        let Ok(at) = u64::try_from(at) else { return };
        let mut parts = Parts::new();
        self.collect_parts(number, ((1, 1), DEPTH), &mut parts);
        self.kept.entry(Count::Member(node, at)).or_default().extend(parts.into_keys());
    }

    /// What limits the parts of offsets limits the offsets.
    pub(super) fn settle_indices(&mut self) {
        for (count, parts) in &self.kept {
            let bounds: BTreeSet<Limit> = parts
                .iter()
                .filter_map(|part| self.bounds.get(part))
                .flatten()
                .copied()
                .filter(|(_, bound)| bound != count)
                .collect();
            self.bounds.entry(Part::Count(*count)).or_default().extend(bounds);
        }
        for (place, parts) in &self.parts {
            let known = parts.iter().filter_map(|(part, scale)| Some((*scale, self.bounds.get(part)?)));
            let each =
                known.flat_map(|(scale, bounds)| bounds.iter().map(move |(by, bound)| (both(scale, *by), *bound)));
            let limits: Vec<Limit> = each.collect();
            let indices = self.found.inner.entry(*place).or_default();
            indices.bounds.extend(limits.iter().map(|(_, bound)| *bound));
            indices.scaled.extend(limits);
        }
        for ((node, _), inner) in &self.found.inner {
            self.found.indices.entry(*node).or_default().join(inner);
        }
    }

    fn collect_parts(&self, operand: Operand, ((times, part), depth): (Scale, usize), parts: &mut Parts) {
        let id = match operand {
            Operand::Inst(id) => id,
            Operand::Param(index) => {
                parts.insert(Part::Count(Count::Param(index)), (times, part));
                return;
            }
            _ => return,
        };
        if depth == 0 || parts.insert(Part::Inst(id), (times, part)).is_some() {
            return;
        }
        let scale = match &self.function.insts[id].op {
            Op::Binary { op, rhs, .. } => scaled((times, part), *op, *rhs),
            _ => (times, part),
        };
        let mut both = |one: Operand, other: Operand| {
            self.collect_parts(one, (scale, depth - 1), parts);
            self.collect_parts(other, (scale, depth - 1), parts);
        };
        match &self.function.insts[id].op {
            // What is divided by is no part of what is left.
            Op::Binary { op, lhs, .. } if divides(*op) => self.collect_parts(*lhs, (scale, depth - 1), parts),
            Op::Binary { lhs, rhs, .. } => both(*lhs, *rhs),
            Op::Select { then, otherwise, .. } => both(*then, *otherwise),
            Op::Cast { value, .. } | Op::Freeze { value } => self.collect_parts(*value, (scale, depth - 1), parts),
            Op::Phi { incoming } => {
                incoming.iter().for_each(|(_, value)| self.collect_parts(*value, (scale, depth - 1), parts));
            }
            _ => {
                let values = self.values.get(&id).into_iter().flatten().copied();
                parts.extend(values.filter_map(count_of).map(|count| (Part::Count(count), scale)));
            }
        }
    }

    /// Numbers that an offset is a multiple or a part of, up to constants.
    fn spots(&self, operand: Operand, scale: Scale, depth: usize) -> Vec<Limit> {
        let id = match operand {
            Operand::Inst(id) if depth > 0 => id,
            Operand::Param(index) => return vec![(scale, Count::Param(index))],
            _ => return Vec::new(),
        };
        match &self.function.insts[id].op {
            Op::Binary { op, lhs, rhs } if rhs.as_int().is_some() => {
                self.spots(*lhs, scaled(scale, *op, *rhs), depth - 1)
            }
            Op::Binary { .. } | Op::Phi { .. } | Op::Select { .. } => Vec::new(),
            Op::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value } | Op::Freeze { value } => {
                self.spots(*value, scale, depth - 1)
            }
            _ => {
                let values = self.values.get(&id).into_iter().flatten().copied();
                values.filter_map(count_of).map(|count| (scale, count)).collect()
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
        Value::Content(_) | Value::Derived(_) | Value::Pointer(..) | Value::Function(_) => None,
    }
}

/// True if the right side says by what the left one is divided.
fn divides(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem | BinaryOp::LShr | BinaryOp::AShr)
}

/// Both scales, in lowest terms.
fn both((times, part): Scale, (more, less): Scale) -> Scale {
    let (times, part) = (times.saturating_mul(more), part.saturating_mul(less));
    let by = common(times, part).max(1);
    (times / by, part / by)
}

/// What an operation with a constant makes of it.
fn scaled((times, part): Scale, op: BinaryOp, by: Operand) -> Scale {
    let by = by.as_int().and_then(|by| u64::try_from(by).ok()).filter(|by| (1..1 << 16).contains(by));
    match (op, by) {
        (BinaryOp::Mul, Some(by)) => (times.saturating_mul(by), part),
        (BinaryOp::Shl, Some(by @ ..16)) => (times.saturating_mul(1 << by), part),
        (BinaryOp::UDiv | BinaryOp::SDiv, Some(by)) => (times, part.saturating_mul(by)),
        (BinaryOp::LShr | BinaryOp::AShr, Some(by @ ..16)) => (times, part.saturating_mul(1 << by)),
        _ => (times, part),
    }
}
