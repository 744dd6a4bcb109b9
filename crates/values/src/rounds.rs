//! Phis, and sums over the rounds of a loop that a counter bounds.
//!
//! **Idea.** Where a loop adds up, `s = s + d` with `d` in some bounds, the sum has no bound of its own: each round moves it. But if a counter of the same
//! loop, one that grows by at least 1 in each round and never wraps, stays within `a..=b` in its rounds, there are at most `b - a + 1` of them, and so many times
//! the bounds of `d` bound the sum.
//!
//! **Soundness.** By induction over the steps of a run, within the claim of [`crate::eval`]. Let a natural loop be entered at its head, and let `k` be the number of times
//! that its back edges were taken when control arrives at the head. The counter is a phi of the head that gets, along every back edge, its own value plus a constant of at
//! least 1, by an addition whose exact bounds fit the width, so that it did not wrap. So when the last of these additions was made, the counter was at
//! least its value at the entry plus `k - 1`; and it was at most `b`, the bound that the map with the facts at the addition gives it, for that state was *before* this arrival.
//! Hence `k <= b - a + 1`, where `a` is the least value at the entry. (What the map says of the counter at the arrival itself must not be used: two phis would vouch for each
//! other.) The sum is a phi of the head whose value along every back edge is its own plus a *distance* ([`Evaluator::distance`]): the exact sum of what was added on the
//! way, with bounds that the map gives for states before. After `k` rounds the exact sum lies between the least and the greatest start plus `k` times these bounds,
//! and modulo the width it is the value; if this fits the width it is the value itself. The rounds of an inner loop are bounded likewise, each time that it is entered.

use belay_ir::{BinaryOp, BlockId, InstId, Loop, LoopId, Op, Operand, Type};

use crate::eval::{At, Evaluator};
use crate::map::ValueMap;
use crate::range::Range;
use crate::value::Value;

/// Additions, merges and inner loops are followed so far.
const MAX_DEPTH: u32 = 24;

/// The least and the greatest distance.
type Bounds = (i128, i128);

impl Evaluator<'_> {
    pub(crate) fn phi(&self, map: &ValueMap, at: At, inst: InstId, incoming: &[(BlockId, Operand)], ty: Type) -> Value {
        let mut value = Value::Nothing;
        for (from, operand) in incoming {
            if map.is_reached(at.function, *from) && self.is_taken(map, at.function, *from, at.block) {
                value = value.join(&self.along_edge(map, at.function, *from, at.block, *operand));
            }
        }
        if let (Value::Number(plain), Some(sum)) = (&value, self.summed(map, at, inst, ty)) {
            // Both hold.
            return plain.meet(&sum).map_or(value, Value::Number);
        }
        value.typed(ty)
    }

    /// The natural loop that a block is the head of.
    fn loop_at(&self, at: At) -> Option<(LoopId, &Loop)> {
        let shape = self.shape(at.function)?;
        let id = shape.nest.headed_by(at.block)?;
        let found = shape.nest.get(id);
        (!found.irreducible && found.head() == Some(at.block)).then_some((id, found))
    }

    /// What a phi of a loop's head comes to, by its start and the rounds.
    fn summed(&self, map: &ValueMap, at: At, inst: InstId, ty: Type) -> Option<Range> {
        let Type::Int(width) = ty else { return None };
        if width > crate::range::MAX_WIDTH {
            return None;
        }
        let (id, _) = self.loop_at(at)?;
        let (low, high) = self.entry_bounds(map, at, id, inst, width)?;
        let moves = self.round_distance(map, at, id, inst, MAX_DEPTH)?;
        let rounds = self.most_rounds(map, at, id, inst)?;
        let (low, high) = stretch((low, high), moves, rounds)?;
        let any = Range::any(width).signed_bounds();
        (any.0 <= low && high <= any.1).then(|| Range::signed(width, low, high))
    }

    /// The bounds of a phi where the loop is entered.
    fn entry_bounds(&self, map: &ValueMap, at: At, id: LoopId, phi: InstId, width: u16) -> Option<Bounds> {
        let Op::Phi { incoming } = &self.program.functions[at.function].insts[phi].op else { return None };
        let shape = self.shape(at.function)?;
        let mut bounds: Option<Bounds> = None;
        for (from, operand) in incoming.iter().filter(|(from, _)| !shape.nest.contains(id, *from)) {
            if map.is_reached(at.function, *from) {
                let value = self.along_edge(map, at.function, *from, at.block, *operand);
                if value.is_nothing() {
                    continue;
                }
                let (low, high) = value.number(width)?.signed_bounds();
                bounds = Some(bounds.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
            }
        }
        bounds
    }

    /// By how much a phi of a head moves in one round.
    fn round_distance(&self, map: &ValueMap, at: At, id: LoopId, phi: InstId, depth: u32) -> Option<Bounds> {
        let Op::Phi { incoming } = &self.program.functions[at.function].insts[phi].op else { return None };
        let shape = self.shape(at.function)?;
        let mut bounds: Option<Bounds> = None;
        for (_, operand) in incoming.iter().filter(|(from, _)| shape.nest.contains(id, *from)) {
            let (low, high) = self.distance(map, at, phi, *operand, depth)?;
            bounds = Some(bounds.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
        bounds
    }

    /// The bounds of what was added to a phi until it became this value, within one round: `None` if it is not made of the phi by additions, or it is computed outside of the round.
    fn distance(&self, map: &ValueMap, at: At, phi: InstId, value: Operand, depth: u32) -> Option<Bounds> {
        let Operand::Inst(id) = value else { return None };
        if id == phi {
            return Some((0, 0));
        }
        let depth = depth.checked_sub(1)?;
        let shape = self.shape(at.function)?;
        let (block, place) = *shape.places.get(&id)?;
        let here = At { function: at.function, block, at: place };
        // What is computed outside of the loop is no part of a round.
        if !shape.dominators.dominates(at.block, block) {
            return None;
        }
        match &self.program.functions[at.function].insts[id].op {
            Op::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let side = |moved: Operand, added: Operand| {
                    let moved = self.distance(map, at, phi, moved, depth)?;
                    let width = self.width_of(at, id)?;
                    let (low, high) = self.value(map, here, added).number(width)?.signed_bounds();
                    Some((moved.0.checked_add(low)?, moved.1.checked_add(high)?))
                };
                side(*lhs, *rhs).or_else(|| side(*rhs, *lhs))
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                let moved = self.distance(map, at, phi, *lhs, depth)?;
                let width = self.width_of(at, id)?;
                let (low, high) = self.value(map, here, *rhs).number(width)?.signed_bounds();
                Some((moved.0.checked_sub(high)?, moved.1.checked_sub(low)?))
            }
            Op::Select { then, otherwise, .. } => {
                let (a, b) =
                    (self.distance(map, at, phi, *then, depth)?, self.distance(map, at, phi, *otherwise, depth)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Op::Phi { incoming } => match shape.nest.headed_by(block) {
                None => {
                    let mut bounds: Option<Bounds> = None;
                    for (_, operand) in incoming.iter().filter(|(from, _)| map.is_reached(at.function, *from)) {
                        let (low, high) = self.distance(map, at, phi, *operand, depth)?;
                        bounds = Some(bounds.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
                    }
                    bounds
                }
                Some(inner) => {
                    self.distance_around(map, At { function: at.function, block, at: 0 }, inner, id, (at, phi), depth)
                }
            },
            belay_ir::ops!(arithmetic)
            | belay_ir::ops!(floats)
            | Op::Cast { .. }
            | Op::PtrAdd { .. }
            | Op::Arbitrary { .. }
            | Op::Freeze { .. }
            | belay_ir::ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        }
    }

    /// The distance of a phi of an inner loop's head from a phi of an outer one.
    fn distance_around(
        &self,
        map: &ValueMap,
        head: At,
        inner: LoopId,
        id: InstId,
        (at, phi): (At, InstId),
        depth: u32,
    ) -> Option<Bounds> {
        let (found, _) = self.loop_at(head)?;
        let Op::Phi { incoming } = &self.program.functions[at.function].insts[id].op else { return None };
        let shape = self.shape(at.function)?;
        if found != inner {
            return None;
        }
        let mut start: Option<Bounds> = None;
        for (_, operand) in incoming.iter().filter(|(from, _)| !shape.nest.contains(inner, *from)) {
            let (low, high) = self.distance(map, at, phi, *operand, depth)?;
            start = Some(start.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
        let moves = self.round_distance(map, head, inner, id, depth)?;
        let rounds = self.most_rounds(map, head, inner, id)?;
        stretch(start?, moves, rounds)
    }

    fn width_of(&self, at: At, id: InstId) -> Option<u16> {
        match self.program.functions[at.function].insts[id].ty? {
            Type::Int(width) if width <= crate::range::MAX_WIDTH => Some(width),
            Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => None,
        }
    }

    /// How often the back edges of a loop are taken at most, by one of its counters other than `not`.
    fn most_rounds(&self, map: &ValueMap, at: At, id: LoopId, not: InstId) -> Option<i128> {
        let function = &self.program.functions[at.function];
        let phis = function.blocks[at.block].insts.iter().copied().filter(|inst| *inst != not);
        phis.filter_map(|phi| self.rounds_by(map, at, id, phi)).min()
    }

    fn rounds_by(&self, map: &ValueMap, at: At, id: LoopId, counter: InstId) -> Option<i128> {
        let function = &self.program.functions[at.function];
        let Op::Phi { incoming } = &function.insts[counter].op else { return None };
        let width = self.width_of(at, counter)?;
        let shape = self.shape(at.function)?;
        let mut direction = 0i128;
        let (mut least, mut most) = (i128::MAX, i128::MIN);
        for (_, operand) in incoming.iter().filter(|(from, _)| shape.nest.contains(id, *from)) {
            let Operand::Inst(next) = *operand else { return None };
            let Op::Binary { op, lhs, rhs } = &function.insts[next].op else { return None };
            let by = match (op, lhs, rhs) {
                (BinaryOp::Add, Operand::Inst(own), by) if *own == counter => *by,
                (BinaryOp::Add, by, Operand::Inst(own)) if *own == counter => *by,
                (BinaryOp::Sub, Operand::Inst(own), by) if *own == counter => *by,
                _ => return None,
            };
            let by = self.plain(map, at.function, by).number(width)?.single().filter(|by| *by != 0)?;
            let by = if *op == BinaryOp::Sub { -by } else { by };
            let (block, place) = *shape.places.get(&next)?;
            let here = At { function: at.function, block, at: place };
            let (low, high) = self.value(map, here, Operand::Inst(counter)).number(width)?.signed_bounds();
            let any = Range::any(width).signed_bounds();
            let fits = any.0 <= low + by && high + by <= any.1;
            if !fits || direction * by < 0 {
                return None;
            }
            (least, most) = (least.min(low), most.max(high));
            // The smallest step counts.
            direction = if direction == 0 || by.abs() < direction.abs() { by } else { direction };
        }
        if direction == 0 {
            return None;
        }
        let (start, end) = self.entry_bounds(map, at, id, counter, width)?;
        let span = if direction > 0 { most - start } else { end - least };
        Some(span.max(0) / direction.abs() + 1)
    }
}

/// Bounds after at most so many rounds, each of which moves by these.
fn stretch(start: Bounds, moves: Bounds, rounds: i128) -> Option<Bounds> {
    let low = start.0.checked_add(moves.0.min(0).checked_mul(rounds)?)?;
    let high = start.1.checked_add(moves.1.max(0).checked_mul(rounds)?)?;
    Some((low, high))
}
