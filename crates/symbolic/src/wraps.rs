//! Operations whose exact result may lie beyond their type, and the states in which it does.
//!
//! *Sound*: the result is the exact one where that fits the type, and the exact one less, or more, the type's range where it is beyond the type on one side, at most once. Both are followed, so that
//! no run is left out; what is known of differences holds on both sides.

use belay_ir::{BinaryOp, InstId};
use belay_linear::LinExpr;

use super::arithmetic::scaled;
use super::condition::Truth;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{State, Value};
use super::values::set;

impl Machine<'_> {
    /// The exact result of an operation that is worth following where it does not fit its type.
    pub(super) fn exact(
        &mut self,
        state: &State,
        op: BinaryOp,
        (a, b): (&LinExpr, &LinExpr),
        width: u16,
    ) -> Step<Option<LinExpr>> {
        if let Some(exact) = multiple(op, (a, b), width) {
            return Ok(Some(exact));
        }
        Ok(match self.sum_of_lengths(state, op, (a, b), width)? {
            None if self.splits_sums => moved_by_constant(op, (a, b)),
            sum => sum,
        })
    }

    /// A sum of natural numbers that are as wide as sizes and do not differ by a constant alone: `len + n` and what is added to it. Counters do not count, since their states would double with each step.
    fn sum_of_lengths(
        &mut self,
        state: &State,
        op: BinaryOp,
        (a, b): (&LinExpr, &LinExpr),
        width: u16,
    ) -> Step<Option<LinExpr>> {
        let sum = a.plus(b);
        let lengths = op == BinaryOp::Add && width == self.program.layout.pointer_bits() && sum.terms().len() > 1;
        Ok((lengths && self.at_least(state, a, 0)? && self.at_least(state, b, 0)?).then_some(sum))
    }

    /// A multiple or sum that may be beyond its type on one side, at most once: the states in which it fits, and those in which the bits are those of
    /// the exact number less, or more, the type's range. `None` if nothing is gained.
    pub(super) fn wrapped(
        &mut self,
        state: &State,
        id: InstId,
        exact: &LinExpr,
        width: u16,
    ) -> Step<Option<Vec<State>>> {
        let Some((low, high)) = self.range(width).filter(|_| width > 1 && !self.probing()) else { return Ok(None) };
        if self.fits(state, exact, width)? {
            return Ok(None);
        }
        let range = high - low + 1;
        let (above, below) = (exact.minus(&constant(high + 1)), constant(low - 1).minus(exact));
        let (beyond, turn) = if self.at_least(state, &below.negated(), 1)?
            && self.at_least(state, &constant(high + range).minus(exact), 0)?
        {
            (above, range)
        } else if self.at_least(state, &above.negated(), 1)?
            && self.at_least(state, &exact.minus(&constant(low - range)), 0)?
        {
            (below, -range)
        } else {
            return Ok(None);
        };
        let mut states = Vec::new();
        for (is_beyond, value) in [(false, exact.clone()), (true, exact.minus(&constant(turn)))] {
            let mut part = state.clone();
            set(&mut part, id, Value::Int(value));
            states.extend(part.assuming(&Truth::AtLeast(beyond.clone()), is_beyond, true, self.oracle)?);
        }
        Ok(Some(states))
    }
}

/// A sum or difference of which one side is a constant and the other is none.
fn moved_by_constant(op: BinaryOp, (a, b): (&LinExpr, &LinExpr)) -> Option<LinExpr> {
    let exact = match op {
        BinaryOp::Add => a.plus(b),
        BinaryOp::Sub => a.minus(b),
        _ => return None,
    };
    (a.is_constant() != b.is_constant()).then_some(exact)
}

/// A number times a constant, as it is without bounds.
fn multiple(op: BinaryOp, (a, b): (&LinExpr, &LinExpr), width: u16) -> Option<LinExpr> {
    match (op, as_constant(a), as_constant(b)) {
        (BinaryOp::Mul, _, Some(factor)) => Some(scaled(a, factor)),
        (BinaryOp::Mul, Some(factor), None) => Some(scaled(b, factor)),
        (BinaryOp::Shl, _, Some(amount @ 0..=62)) if amount < i128::from(width) => Some(scaled(a, 1 << amount)),
        (_, _, _) => None,
    }
}
