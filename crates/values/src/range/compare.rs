//! Comparisons of ranges, and what they leave of them.

use belay_ir::IntPredicate;

use super::Range;

impl Range {
    /// What a comparison comes to, if it is the same for all members.
    pub fn compare(op: IntPredicate, lhs: &Range, rhs: &Range) -> Option<bool> {
        let decide = |(a, b): (i128, i128), (c, d): (i128, i128), or_equal: bool| {
            if b < c || (or_equal && b <= c) {
                Some(true)
            } else if a > d || (!or_equal && a >= d) {
                Some(false)
            } else {
                None
            }
        };
        match op {
            IntPredicate::Eq => match (lhs.meet(rhs), lhs.single(), rhs.single()) {
                (None, _, _) => Some(false),
                (_, Some(a), Some(b)) => Some(a == b),
                _ => None,
            },
            IntPredicate::Ne => Range::compare(IntPredicate::Eq, lhs, rhs).map(|equal| !equal),
            IntPredicate::Slt => decide(lhs.signed_bounds(), rhs.signed_bounds(), false),
            IntPredicate::Sle => decide(lhs.signed_bounds(), rhs.signed_bounds(), true),
            IntPredicate::Sgt => decide(rhs.signed_bounds(), lhs.signed_bounds(), false),
            IntPredicate::Sge => decide(rhs.signed_bounds(), lhs.signed_bounds(), true),
            IntPredicate::Ult => decide(lhs.unsigned_bounds(), rhs.unsigned_bounds(), false),
            IntPredicate::Ule => decide(lhs.unsigned_bounds(), rhs.unsigned_bounds(), true),
            IntPredicate::Ugt => decide(rhs.unsigned_bounds(), lhs.unsigned_bounds(), false),
            IntPredicate::Uge => decide(rhs.unsigned_bounds(), lhs.unsigned_bounds(), true),
        }
    }

    /// The members that compare so with some member of `other`; `None` if none do.
    pub fn refine(&self, op: IntPredicate, other: &Range) -> Option<Range> {
        let mut refined = *self;
        match op {
            IntPredicate::Eq => return self.meet(other),
            IntPredicate::Ne => {
                let Some(value) = other.single() else { return Some(*self) };
                if refined.single() == Some(value) {
                    return None;
                }
                let gap = i128::from(self.step.max(1));
                refined.low += if refined.low == value { gap } else { 0 };
                refined.high -= if refined.high == value { gap } else { 0 };
                let bits = other.least;
                refined.least += i128::from(refined.least == bits);
                refined.most -= i128::from(refined.most == bits);
            }
            IntPredicate::Slt => refined.high = refined.high.min(other.high - 1),
            IntPredicate::Sle => refined.high = refined.high.min(other.high),
            IntPredicate::Sgt => refined.low = refined.low.max(other.low + 1),
            IntPredicate::Sge => refined.low = refined.low.max(other.low),
            IntPredicate::Ult => refined.most = refined.most.min(other.most - 1),
            IntPredicate::Ule => refined.most = refined.most.min(other.most),
            IntPredicate::Ugt => refined.least = refined.least.max(other.least + 1),
            IntPredicate::Uge => refined.least = refined.least.max(other.least),
        }
        refined.reduce()
    }
}
