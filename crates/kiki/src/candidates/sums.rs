//! Sums over arrays: what a variable is that a loop adds the elements of an array to, one in each round, or subtracts them from.
//!
//! At the head of such a loop the variable is what it was before and the sum of as many elements as the counter says; after the loop, of as many as the loop's bound
//! says. Where it was a sum before, it is a sum of sums.

use belay_invariants::Variable;
use belay_invariants::{Element, ForAll, Formula, PrefixSum};
use belay_ir::{BinaryOp, BlockId, CastOp, InstId, IntPredicate, LoopId, Op, Operand, Type};

use super::Miner;
use super::expression::{MAX_DEPTH, View};

/// Loops in a row that are looked through for what a variable was.
const MAX_LOOPS: u32 = 24;

/// A variable that elements are added to or subtracted from.
struct Accumulator {
    of: LoopId,
    /// What it is when the loop is entered.
    start: Operand,
    minus: bool,
    /// The elements, with the counter as their number.
    total: PrefixSum,
    counter: InstId,
}

impl Miner<'_> {
    /// What the head's variables are as sums over arrays.
    pub(super) fn sums(&self, head: BlockId) -> Vec<ForAll> {
        let every = |phi: &InstId| {
            let accumulator = self.accumulator(*phi)?;
            let count = Formula::Variable(Variable::Register(accumulator.counter));
            let value = self.value_with(&accumulator, count, MAX_LOOPS)?;
            let now = Formula::Variable(Variable::Register(*phi));
            let condition = Formula::Compare(IntPredicate::Eq, Box::new(now), Box::new(value));
            Some(ForAll { within: Vec::new(), segments: Vec::new(), rest: false, condition })
        };
        self.function.blocks[head].insts.iter().filter_map(every).collect()
    }

    /// What an accumulator is when so many elements have been added.
    fn value_with(&self, accumulator: &Accumulator, count: Formula, depth: u32) -> Option<Formula> {
        let depth = depth.checked_sub(1)?;
        let width = accumulator.total.width;
        let total = Formula::PrefixSum(Box::new(PrefixSum { count, ..accumulator.total.clone() }));
        let start = match accumulator.start {
            Operand::Int { value, .. } => Formula::Number { width, value },
            Operand::Inst(inst) => match self.accumulator(inst) {
                Some(before) => self.value_with(&before, self.end_of(&before)?, depth)?,
                None => self.formula(accumulator.start, View::Head(accumulator.of), MAX_DEPTH)?,
            },
            Operand::Param(_) => self.formula(accumulator.start, View::Head(accumulator.of), MAX_DEPTH)?,
            _ => return None,
        };
        let op = if accumulator.minus { BinaryOp::Sub } else { BinaryOp::Add };
        Some(Formula::Binary(op, Box::new(start), Box::new(total)))
    }

    /// The number that a loop counts up to.
    fn end_of(&self, accumulator: &Accumulator) -> Option<Formula> {
        let (op, bound) = self.goes_on_while(accumulator.of, accumulator.counter)?;
        matches!(op, IntPredicate::Slt | IntPredicate::Ult | IntPredicate::Ne)
            .then(|| self.formula(bound, View::Head(accumulator.of), MAX_DEPTH))?
    }

    /// How a loop changes a variable of its head, if that is by an element.
    fn accumulator(&self, phi: InstId) -> Option<Accumulator> {
        let Op::Phi { incoming } = self.op(phi) else { return None };
        let Some(Type::Int(width @ 2..=64)) = self.function.insts[phi].ty else { return None };
        let head = self.block_of(phi)?;
        let of = self.nest.headed_by(head)?;
        let (inside, outside): (Vec<_>, Vec<_>) = incoming.iter().partition(|(from, _)| self.nest.contains(of, *from));
        let ([(_, Operand::Inst(next))], [(_, start)]) = (inside.as_slice(), outside.as_slice()) else { return None };
        let itself = Operand::Inst(phi);
        let (added, minus) = match self.op(*next) {
            Op::Binary { op: BinaryOp::Add, lhs, rhs } if *lhs == itself => (*rhs, false),
            Op::Binary { op: BinaryOp::Add, lhs, rhs } if *rhs == itself => (*lhs, false),
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } if *lhs == itself => (*rhs, true),
            _ => return None,
        };
        let (number, signed) = match added {
            Operand::Inst(inst) => match self.op(inst) {
                Op::Cast { op: CastOp::SExt, value } => (*value, true),
                Op::Cast { op: CastOp::ZExt, value } => (*value, false),
                _ => (added, true),
            },
            _ => return None,
        };
        let (counter, first, stride) = self.find_added_element(of, head, number)?;
        let count = Formula::Number { width: 64, value: 0 };
        let total = PrefixSum { first, stride, signed, width: width.into(), count };
        Some(Accumulator { of, start: *start, minus, total, counter })
    }

    /// The counter that a number of a loop is the element of an array at, the first of these elements, and the distance between them.
    fn find_added_element(&self, of: LoopId, head: BlockId, number: Operand) -> Option<(InstId, Formula, u32)> {
        let ptr = self.place_of(of, number)?;
        let size = u32::from(self.function.operand_type(number)?.int_width()?) / 8;
        self.counters(head).into_iter().filter(|counter| self.counts_from_0(of, *counter)).find_map(|counter| {
            let address = self.address_in(ptr, View::Index { of, counters: &[counter] })?;
            let [(0, stride)] = address.strides.as_slice() else { return None };
            let stride = u32::try_from(*stride).ok()?;
            let first = Element { array: address.array, size, strides: Vec::new(), base: address.base() };
            matches!(size, 1 | 2 | 4 | 8).then(|| (counter, Formula::Element(Box::new(first)), stride))
        })
    }

    /// Where a number of a loop comes from, or is stored.
    fn place_of(&self, of: LoopId, number: Operand) -> Option<Operand> {
        let Operand::Inst(inst) = number else { return None };
        if let Op::Load { ptr, .. } = self.op(inst) {
            return Some(*ptr);
        }
        let insts = self.nest.get(of).blocks.iter().flat_map(|block| &self.function.blocks[*block].insts);
        insts.into_iter().find_map(|inst| match self.op(*inst) {
            Op::Store { ptr, value, .. } if *value == number => Some(*ptr),
            _ => None,
        })
    }

    /// Whether a counter is the number of rounds.
    fn counts_from_0(&self, of: LoopId, counter: InstId) -> bool {
        let Op::Phi { incoming } = self.op(counter) else { return false };
        incoming.iter().all(|(from, value)| match (self.nest.contains(of, *from), value) {
            (false, Operand::Int { value: 0, .. }) => true,
            (true, Operand::Inst(next)) => matches!(
                self.op(*next),
                Op::Binary { op: BinaryOp::Add, lhs, rhs: Operand::Int { value: 1, .. } } if *lhs == Operand::Inst(counter)
            ),
            _ => false,
        })
    }
}
