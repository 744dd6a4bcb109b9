//! Numbers of the program that bounds may stop at (widening with thresholds).
//!
//! What is masked, divided or compared with a constant is often bounded by one, however often it has changed. A bound that moves with every merge is
//! given up; where its value is at most such a number, that number is a bound instead. There are finitely many, and one that has been passed is
//! never come back to, so that merging still stops.
//!
//! A counter would stop at number after number, whoever compares what with them, and there are only so many merges in which it may. It stops only at constants that both states hold and at numbers that something is
//! compared with in its own loop: `while (i < 99) i++` keeps `i <= 99` however many loops with other numbers stand around it.

use std::collections::BTreeSet;

use belay_ir::{BinaryOp, BlockId, CallGraph, Callee, FuncId, Function, IntPredicate, Op, Operand, Program, Type};
use belay_linear::Rat;

/// Numbers of one function at most.
const MAX_THRESHOLDS: usize = 64;

/// Numbers that are compared with `==` in a loop beyond which they are no bounds.
const MAX_EQUAL: usize = 6;

/// Functions whose numbers a loop that calls them takes.
pub(super) const MAX_CALLED: usize = 12;

/// What bounds may stop at in one place.
#[derive(Clone, Copy)]
pub(super) struct Stops<'t> {
    /// The numbers of its functions.
    pub(super) all: &'t Thresholds,
    /// Those that are compared with in the loop that begins there: for counters.
    pub(super) own: &'t Thresholds,
}

/// The numbers of some functions, ascending.
#[derive(Clone, Default, Debug)]
pub(super) struct Thresholds {
    numbers: Vec<i64>,
    /// Those that are asked only where no other one is found.
    spare: Vec<i64>,
    /// True if counters stop at them as well.
    counters: bool,
}

impl From<Vec<i64>> for Thresholds {
    fn from(mut numbers: Vec<i64>) -> Self {
        numbers.sort_unstable();
        Thresholds { numbers, ..Thresholds::default() }
    }
}

impl Thresholds {
    /// Those of these functions.
    pub(super) fn of<'f>(functions: impl Iterator<Item = &'f Function>) -> Thresholds {
        let (mut numbers, mut masks, mut shifts) = (BTreeSet::from([0]), BTreeSet::new(), BTreeSet::new());
        let (mut limits, mut has_decimals) = (BTreeSet::new(), false);
        for inst in functions.flat_map(|function| function.insts.iter()) {
            match &inst.op {
                Op::Binary { op: BinaryOp::And, lhs, rhs } => masks.extend([*lhs, *rhs].into_iter().filter_map(number)),
                Op::Binary { op: BinaryOp::URem | BinaryOp::SRem, rhs, .. } => {
                    numbers.extend(number(*rhs).into_iter().flat_map(|divisor| [divisor - 1, 1 - divisor]));
                }
                Op::Binary { op: BinaryOp::Shl, rhs, .. } => shifts.extend(number(*rhs).filter(|amount| *amount < 32)),
                Op::Compare { lhs, rhs, .. } => {
                    let both = [*lhs, *rhs].into_iter().filter_map(number);
                    limits.extend(both.clone());
                    numbers.extend(both.flat_map(|number| [number - 1, number, number + 1]));
                }
                Op::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                    has_decimals |= [*lhs, *rhs].into_iter().filter_map(number).any(|factor| factor == 10);
                }
                _ => {}
            }
        }
        if has_decimals {
            // `if (n < limit) n = 10 * n + digit;` gives no more than this.
            let composed = limits.iter().flat_map(|limit: &i64| [10 * limit - 1, 10 * limit + 9]);
            numbers.extend(composed.filter(|number| number.unsigned_abs() < 1 << 40));
        }
        let shifted = |mask: &i64| {
            let places = shifts.iter().map(|amount| ((mask + 1) << amount) - 1);
            places.chain([*mask]).collect::<Vec<_>>()
        };
        numbers.extend(masks.iter().flat_map(shifted));
        let mut found: Vec<i64> = numbers.into_iter().collect();
        found.sort_by_key(|number| number.unsigned_abs());
        found.truncate(MAX_THRESHOLDS);
        found.sort_unstable();
        Thresholds { numbers: found, ..Thresholds::default() }
    }

    /// The same for counters as well, which may stop at number after number.
    pub(super) fn with_counters(self) -> Thresholds {
        Thresholds { counters: true, ..self }
    }

    /// True if counters stop at them.
    pub(super) fn holds_counters(&self) -> bool {
        self.counters
    }

    /// Those that something is compared with in these blocks, and in the program's own functions that are called there; characters apart, which no counter is compared
    /// with: a counter would stop at the codes of blanks and digits instead of its own bound. Where many are compared with `==`, they are codes as well.
    pub(super) fn in_blocks(program: &Program, function: FuncId, blocks: &[BlockId]) -> Thresholds {
        let mut found = Compared::default();
        let mut seen = BTreeSet::from([function]);
        let mut todo = gather(program, function, blocks, &mut found);
        while let Some(called) = todo.pop() {
            let callee = &program.functions[called];
            if callee.is_defined() && !callee.is_model && seen.len() < MAX_CALLED && seen.insert(called) {
                let blocks: Vec<BlockId> = callee.blocks.ids().collect();
                todo.extend(gather(program, called, &blocks, &mut found));
            }
        }
        let Compared { mut ordered, equal } = found;
        let mut spare = Vec::new();
        match equal.len() > MAX_EQUAL {
            true => spare.extend(equal),
            false => ordered.extend(equal),
        }
        Thresholds { numbers: ordered.into_iter().collect(), spare, counters: false }
    }

    /// True if there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.spare.is_empty()
    }

    /// The numbers of both.
    pub(super) fn joined(&self, other: &Thresholds) -> Thresholds {
        let all = |own: &[i64], others: &[i64]| own.iter().chain(others).copied().collect::<BTreeSet<i64>>();
        let (numbers, spare) = (all(&self.numbers, &other.numbers), all(&self.spare, &other.spare));
        let [numbers, spare] = [numbers, spare].map(|numbers| numbers.into_iter().collect());
        Thresholds { numbers, spare, ..self.clone() }
    }

    /// These numbers as well.
    pub(super) fn with(&self, more: Vec<i64>) -> Thresholds {
        let mut numbers: Vec<i64> = self.numbers.iter().copied().chain(more).collect();
        numbers.sort_unstable();
        Thresholds { numbers, ..self.clone() }
    }

    /// The greatest number, or stride of one, that a value never below `least` is at least. The value stands for `stride · value + rest`.
    pub(super) fn below(&self, least: &Rat, scale: &(Rat, Rat)) -> Option<Rat> {
        let greatest = |numbers: &[i64]| scaled(numbers, scale).filter(|number| number <= least).max();
        greatest(&self.numbers).or_else(|| greatest(&self.spare))
    }

    /// The least such number that a value never above `most` is at most.
    pub(super) fn above(&self, most: &Rat, scale: &(Rat, Rat)) -> Option<Rat> {
        let smallest = |numbers: &[i64]| scaled(numbers, scale).filter(|number| number >= most).min();
        smallest(&self.numbers).or_else(|| smallest(&self.spare))
    }
}

/// Numbers, and what a value is that stands for `stride · value + rest` where that is one of them.
fn scaled<'n>(numbers: &'n [i64], (stride, rest): &'n (Rat, Rat)) -> impl Iterator<Item = Rat> + 'n {
    let own = numbers.iter().map(|number| Rat::from(*number));
    own.chain(numbers.iter().map(move |number| (&(&Rat::from(*number) - rest) / stride).floor()))
}

/// Numbers near those that something is compared with.
#[derive(Default)]
struct Compared {
    /// By an order.
    ordered: BTreeSet<i64>,
    /// By equality.
    equal: BTreeSet<i64>,
}

/// Adds the numbers near those that something is compared with in some blocks: what is called there.
fn gather(program: &Program, function: FuncId, blocks: &[BlockId], found: &mut Compared) -> Vec<FuncId> {
    let function = &program.functions[function];
    let mut called = Vec::new();
    for inst in blocks.iter().flat_map(|block| &function.blocks[*block].insts) {
        match &function.insts[*inst].op {
            Op::Compare { op, lhs, rhs } if !is_character(function, *lhs) && !is_character(function, *rhs) => {
                let compared = [*lhs, *rhs].into_iter().filter_map(number);
                let equates = matches!(op, IntPredicate::Eq | IntPredicate::Ne);
                let kind = if equates { &mut found.equal } else { &mut found.ordered };
                kind.extend(compared.flat_map(|number| [number - 1, number, number + 1]));
            }
            Op::Call { callee: Callee::Direct(callee), .. } => called.push(*callee),
            Op::Call { callee: Callee::Indirect(..), .. } => called.extend(CallGraph::new(program).address_taken()),
            _ => {}
        }
    }
    called
}

/// True of a byte, and of one that was widened.
fn is_character(function: &Function, operand: Operand) -> bool {
    let narrow = match operand {
        Operand::Inst(inst) => match &function.insts[inst].op {
            Op::Cast { value, .. } => *value,
            _ => operand,
        },
        _ => operand,
    };
    matches!(narrow, Operand::Inst(_) | Operand::Param(_)) && function.operand_type(narrow) == Some(Type::BYTE)
}

/// A constant that is not large.
pub(super) fn number(operand: Operand) -> Option<i64> {
    let Operand::Int { width, value } = operand else { return None };
    let shift = 128u32.checked_sub(u32::from(width))?;
    let signed = ((value << shift) as i128) >> shift;
    i64::try_from(signed).ok().filter(|number| number.unsigned_abs() < 1 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stop_at_the_next_number() {
        let thresholds = Thresholds::from(vec![-1, 0, 7, 127]);
        let plain = (Rat::ONE, Rat::ZERO);
        assert_eq!(thresholds.above(&Rat::from(3), &plain), Some(Rat::from(7)));
        assert_eq!(thresholds.below(&Rat::from(3), &plain), Some(Rat::from(0)));
        assert_eq!(thresholds.above(&Rat::from(128), &plain), None);
        // 16 · x + 5 ≤ 127 is x ≤ 7.
        let strided = (Rat::from(16), Rat::from(5));
        assert_eq!(thresholds.above(&Rat::from(7), &strided), Some(Rat::from(7)));
    }
}
