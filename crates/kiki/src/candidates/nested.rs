//! Conditions of nested loops: which elements have been at when the head of one of the loops is reached.
//!
//! Loops that go through `m[i][j]` have been at the elements whose indices come before (i, j) in the order of words: those with a smaller first index, and those with
//! the same first index and a smaller second one. At the head of the outer loop that is what its own counter says. Which counter
//! belongs to which index of a condition is seen in the strides of the addresses that the loops use.

use belay_invariants::{ForAll, Formula, Limit, Side};
use belay_invariants::{IndexRange, Variable};
use belay_ir::{BlockId, InstId, IntPredicate, LoopId, Op, Operand, Terminator};

use super::Miner;
use super::expression::{MAX_DEPTH, View};
use super::shape::{elements, registers, replace_variable};
use crate::atoms::segment_of;

/// Counters of nested loops at most.
const MAX_COUNTERS: usize = 8;

impl Miner<'_> {
    /// The loops around a block, outermost first.
    fn loops_around(&self, block: BlockId) -> Vec<LoopId> {
        let mut around: Vec<LoopId> = self.nest.around(block).collect();
        around.reverse();
        around
    }

    /// The counters of the loops around a block, outermost first, and the outermost of the loops.
    pub(super) fn counters_around(&self, block: BlockId) -> Option<(LoopId, Vec<InstId>)> {
        let around = self.loops_around(block);
        let heads = around.iter().map(|id| self.nest.get(*id).head()).collect::<Option<Vec<_>>>()?;
        let counters: Vec<InstId> = heads.into_iter().flat_map(|head| self.counters(head)).collect();
        (counters.len() <= MAX_COUNTERS).then_some((*around.first()?, counters))
    }

    fn loop_of(&self, counter: InstId) -> Option<LoopId> {
        self.nest.headed_by(*self.blocks.get(&counter)?)
    }

    /// What a condition with several indices says at a head: that it holds for all of them that come before.
    pub(super) fn before(&self, id: LoopId, head: BlockId, condition: &Formula) -> Option<ForAll> {
        let condition = self.as_at(id, head, condition);
        let counters = self.counters_for(id, &condition)?;
        let (mut within, mut segments, mut earlier) = (Vec::new(), Vec::new(), Vec::new());
        for (dimension, counter) in counters {
            let of = self.loop_of(counter)?;
            let segment = segment_of(self.function, counter, counter, 3)?;
            within.extend(self.range(id, of, dimension, counter, segment)?);
            if !self.nest.contains(of, head) {
                continue;
            }
            let end = Formula::Variable(Variable::Register(counter));
            let at = |side| Limit { dimension, side, end: end.clone() };
            let mut limits: Vec<Limit> = earlier.clone();
            limits.push(at(segment.into()));
            segments.push(limits);
            earlier.push(at(Side::At));
        }
        (!segments.is_empty()).then_some(ForAll { within, segments, rest: false, condition })
    }

    /// The counter that each index of a condition is in the accesses of a loop, outermost first.
    fn counters_for(&self, id: LoopId, condition: &Formula) -> Option<Vec<(u32, InstId)>> {
        let elements = elements(condition);
        let dimensions = condition.dimensions() as usize;
        let mut loaded = None;
        for block in &self.nest.get(id).blocks {
            for inst in &self.function.blocks[*block].insts {
                let (ptr, stores) = match self.op(*inst) {
                    Op::Store { ptr, .. } => (*ptr, true),
                    Op::Load { ptr, .. } => (*ptr, false),
                    _ => continue,
                };
                let Some((of, counters)) = self.counters_around(*block) else { continue };
                let Some(address) = self.address_in(ptr, View::Index { of, counters: &counters }) else { continue };
                for element in &elements {
                    if element.array != address.array || element.base != address.base() {
                        continue;
                    }
                    let counter = |stride: i64| {
                        let (at, _) = address.strides.iter().find(|(_, known)| *known == stride)?;
                        Some((*at, *counters.get(*at as usize)?))
                    };
                    let found = element.strides.iter().map(|(dimension, stride)| Some((*dimension, counter(*stride)?)));
                    let Some(mut found) = found.collect::<Option<Vec<_>>>() else { continue };
                    found.sort_by_key(|(_, (at, _))| *at);
                    if found.len() != dimensions {
                        continue;
                    }
                    let found: Vec<_> =
                        found.into_iter().map(|(dimension, (_, counter))| (dimension, counter)).collect();
                    if stores {
                        return Some(found);
                    }
                    loaded.get_or_insert(found);
                }
            }
        }
        loaded
    }

    /// Between which numbers a counter is while its loop goes on, as far as the loop at hand knows them; `None` if they change.
    fn range(
        &self,
        id: LoopId,
        of: LoopId,
        dimension: u32,
        counter: InstId,
        segment: IndexRange,
    ) -> Option<Vec<Limit>> {
        let up = segment != IndexRange::Above;
        let mut found = Vec::new();
        let Op::Phi { incoming } = self.op(counter) else { return None };
        let mut first = incoming.iter().filter(|(from, _)| !self.nest.contains(of, *from));
        let (_, first) = first.next()?;
        if let Some(end) = self.find_fixed(id, of, *first) {
            found.push(Limit { dimension, side: if up { Side::From } else { Side::UpTo }, end });
        }
        let Some((op, bound)) = self.goes_on_while(of, counter) else { return Some(found) };
        let side = match op {
            IntPredicate::Ult | IntPredicate::Slt => Side::Below,
            IntPredicate::Ule | IntPredicate::Sle => Side::UpTo,
            IntPredicate::Ugt | IntPredicate::Sgt => Side::Above,
            IntPredicate::Uge | IntPredicate::Sge => Side::From,
            IntPredicate::Ne if up => Side::Below,
            IntPredicate::Ne => Side::Above,
            IntPredicate::Eq => return Some(found),
        };
        let end = self.find_fixed(id, of, bound)?;
        found.push(Limit { dimension, side, end });
        Some(found)
    }

    /// The comparison of a loop's counter with a number under which the loop's head goes on.
    pub(super) fn goes_on_while(&self, of: LoopId, counter: InstId) -> Option<(IntPredicate, Operand)> {
        let head = self.nest.get(of).head()?;
        let Terminator::Branch { cond: Operand::Inst(test), then, .. } = self.function.blocks[head].term else {
            return None;
        };
        let Op::Compare { op, lhs, rhs } = self.op(test) else { return None };
        let (op, bound) = match (self.plain(*lhs), self.plain(*rhs)) {
            (known, _) if known == Operand::Inst(counter) => (*op, *rhs),
            (_, known) if known == Operand::Inst(counter) => (op.mirrored(), *lhs),
            _ => return None,
        };
        Some((if self.nest.contains(of, then) { op } else { op.negated() }, bound))
    }

    /// A number that is the same in all rounds of the nest of a loop, as the head of another one of the nest sees it.
    fn find_fixed(&self, id: LoopId, of: LoopId, operand: Operand) -> Option<Formula> {
        let formula = self.formula(operand, View::Head(id), MAX_DEPTH)?;
        let head = self.nest.get(of).head()?;
        let outermost = *self.loops_around(head).first()?;
        let changes = |inst: InstId| self.blocks.get(&inst).is_some_and(|block| self.nest.contains(outermost, *block));
        (!registers(&formula).into_iter().any(changes)).then_some(formula)
    }

    /// A condition with the variables of enclosing loops as the head of an inner one has them.
    pub(super) fn as_at(&self, id: LoopId, head: BlockId, condition: &Formula) -> Formula {
        let mut condition = condition.clone();
        for phi in &self.function.blocks[head].insts {
            let mut origin = *phi;
            while let Some(from) = self.comes_from(origin) {
                if !self.loop_of(from).is_some_and(|of| of != id && self.nest.contains(of, head)) {
                    break;
                }
                let now = Formula::Variable(Variable::Register(*phi));
                condition = replace_variable(&condition, &Variable::Register(from), &now);
                origin = from;
            }
        }
        condition
    }

    /// What a variable of a loop is when the loop is entered.
    fn comes_from(&self, phi: InstId) -> Option<InstId> {
        let Op::Phi { incoming } = self.op(phi) else { return None };
        let of = self.loop_of(phi)?;
        let mut outside = incoming.iter().filter(|(from, _)| !self.nest.contains(of, *from));
        match outside.next()? {
            (_, Operand::Inst(inst)) => Some(*inst),
            _ => None,
        }
    }
}
