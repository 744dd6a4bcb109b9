//! Ranges of machine integers: bounds of both readings of the bits, signed and unsigned, and a congruence.
//!
//! **Meaning.** A range of width `w` (1 to 64) stands for the bit patterns whose signed reading lies in `low..=high`, whose unsigned reading lies in
//! `least..=most`, and whose signed reading is `rest` modulo `step` (`step` 1 says nothing; 0 that it is `rest` itself).
//!
//! **Soundness.** Each operation gives a range that holds the result of every pair of members, by the rule of the machine (results are cut to the width).
//! Bounds are computed exactly, in 128 bits: where the exact interval does not fit the width, or 128 bits, that reading says nothing. A congruence
//! survives a cut to the width as far as its step divides the modulus, a power of two. `tests` below compares every operation with all pairs of
//! members on small widths.

use belay_ir::{BinaryOp, OverflowOp, UnaryOp};

mod compare;

/// What an integer of some width may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    width: u16,
    low: i128,
    high: i128,
    least: i128,
    most: i128,
    step: u64,
    rest: i128,
}

/// The widest integers that have ranges.
pub const MAX_WIDTH: u16 = 64;

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Range {
    /// Every value of a width.
    pub fn any(width: u16) -> Range {
        let half = 1i128 << (width - 1);
        Range { width, low: -half, high: half - 1, least: 0, most: 2 * half - 1, step: 1, rest: 0 }
    }

    /// One value: its bits are the low ones of `value`.
    pub fn constant(width: u16, value: i128) -> Range {
        let modulus = 1i128 << width;
        let least = value.rem_euclid(modulus);
        let low = if least >= modulus / 2 { least - modulus } else { least };
        Range { width, low, high: low, least, most: least, step: 0, rest: low }
    }

    /// The values whose signed reading is in these bounds, which may lie beyond the width: then nothing is said.
    pub fn signed(width: u16, low: i128, high: i128) -> Range {
        let any = Range::any(width);
        let fits = any.low <= low && high <= any.high && low <= high;
        let range = if fits { Range { low, high, ..any } } else { any };
        range.reduce().unwrap_or(any)
    }

    /// The same for the unsigned reading.
    pub fn unsigned(width: u16, least: i128, most: i128) -> Range {
        let any = Range::any(width);
        let fits = 0 <= least && most <= any.most && least <= most;
        let range = if fits { Range { least, most, ..any } } else { any };
        range.reduce().unwrap_or(any)
    }

    /// 0 or 1.
    pub fn truth(known: Option<bool>) -> Range {
        known.map_or(Range::any(1), |known| Range::constant(1, known.into()))
    }

    /// What it is made of: width; signed and unsigned bounds; step and rest.
    pub fn parts(&self) -> (u16, [i128; 4], u64, i128) {
        (self.width, [self.low, self.high, self.least, self.most], self.step, self.rest)
    }

    /// A range of these parts, if they are those of one.
    pub fn from_parts(width: u16, bounds: [i128; 4], step: u64, rest: i128) -> Option<Range> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return None;
        }
        let (any, [low, high, least, most]) = (Range::any(width), bounds);
        let fits = any.low <= low && high <= any.high && 0 <= least && most <= any.most && low <= high && least <= most;
        let range = Range { width, low, high, least, most, step, rest };
        let is_rest = match step {
            0 => low == high && rest == low,
            1 => rest == 0,
            step => (0..i128::from(step)).contains(&rest),
        };
        (fits && is_rest && range.reduce() == Some(range)).then_some(range)
    }

    /// The width in bits.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The signed bounds.
    pub fn signed_bounds(&self) -> (i128, i128) {
        (self.low, self.high)
    }

    /// The unsigned bounds.
    pub fn unsigned_bounds(&self) -> (i128, i128) {
        (self.least, self.most)
    }

    /// The distance between members: 0 for one member, 1 if nothing is known.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// A number that divides every member, read as signed.
    pub fn divisor(&self) -> u64 {
        gcd(self.step, u64::try_from(self.rest.unsigned_abs()).unwrap_or(1)).max(1)
    }

    /// The only member, read as signed.
    pub fn single(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether it is known to be zero or not to be.
    pub fn as_truth(&self) -> Option<bool> {
        if self.most == 0 {
            Some(false)
        } else if self.least > 0 || self.low > 0 || self.high < 0 {
            Some(true)
        } else {
            None
        }
    }

    /// Draws the readings together; `None` if nothing is left.
    fn reduce(mut self) -> Option<Range> {
        let modulus = 1i128 << self.width;
        for _ in 0..2 {
            if self.low >= 0 || self.high < 0 {
                let lift = if self.low >= 0 { 0 } else { modulus };
                self.least = self.least.max(self.low + lift);
                self.most = self.most.min(self.high + lift);
            }
            if self.most < modulus / 2 || self.least >= modulus / 2 {
                let drop = if self.least >= modulus / 2 { modulus } else { 0 };
                self.low = self.low.max(self.least - drop);
                self.high = self.high.min(self.most - drop);
            }
            if self.low > self.high || self.least > self.most {
                return None;
            }
            self.round_to_step()?;
        }
        if self.low == self.high || self.least == self.most {
            let value = if self.low == self.high { self.low } else { self.least };
            let one = Range::constant(self.width, value);
            let within =
                self.low <= one.low && one.low <= self.high && self.least <= one.least && one.least <= self.most;
            return within.then_some(one);
        }
        Some(self)
    }

    /// Moves the signed bounds to members of the congruence.
    fn round_to_step(&mut self) -> Option<()> {
        match self.step {
            0 => {
                (self.low, self.high) = (self.low.max(self.rest), self.high.min(self.rest));
                (self.low <= self.high).then_some(())
            }
            1 => Some(()),
            step => {
                let step = i128::from(step);
                self.low += (self.rest - self.low).rem_euclid(step);
                self.high -= (self.high - self.rest).rem_euclid(step);
                (self.low <= self.high).then_some(())
            }
        }
    }

    fn with_step(mut self, step: u64, rest: i128) -> Range {
        if self.low == self.high || step <= 1 {
            return self;
        }
        (self.step, self.rest) = (step, rest.rem_euclid(i128::from(step)));
        let plain = Range { step: 1, rest: 0, ..self };
        self.reduce().unwrap_or(plain)
    }

    /// The congruence that is left where results were cut to the width.
    fn cut_step(step: u64, width: u16) -> u64 {
        let power = if step == 0 { 1u64 << 63 } else { 1u64 << step.trailing_zeros() };
        if width < 64 { power.min(1 << width) } else { power }
    }

    /// True if every member of `other` is one.
    pub fn covers(&self, other: &Range) -> bool {
        let step_holds = match self.step {
            0 => other.single() == Some(self.rest),
            1 => true,
            step => {
                let step_i = i128::from(step);
                other.step.is_multiple_of(step) && (other.rest - self.rest).rem_euclid(step_i) == 0
            }
        };
        self.width == other.width
            && self.low <= other.low
            && other.high <= self.high
            && self.least <= other.least
            && other.most <= self.most
            && step_holds
    }

    /// The members of both.
    pub fn join(&self, other: &Range) -> Range {
        let distance = (self.rest - other.rest).unsigned_abs();
        let step = match u64::try_from(distance) {
            Ok(distance) => gcd(gcd(self.step, other.step), distance),
            Err(_) => 1,
        };
        let joined = Range {
            width: self.width,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            step: if step == 0 { 0 } else { step },
            rest: if step > 1 {
                self.rest.rem_euclid(i128::from(step))
            } else if step == 1 {
                0
            } else {
                self.rest
            },
        };
        joined.reduce().unwrap_or(Range::any(self.width))
    }

    /// The common members; `None` if there are none. The congruence is that of one of the two.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let finer = if other.step == 0 || (self.step != 0 && other.step > self.step) { other } else { self };
        let met = Range {
            width: self.width,
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            step: finer.step,
            rest: finer.rest,
        };
        met.reduce()
    }

    /// Bounds that grow are moved to the next of the thresholds, which are sorted.
    pub fn widen(&self, grown: &Range, thresholds: &[i128]) -> Range {
        let any = Range::any(self.width);
        let down = |bound: i128, least: i128| {
            let at = thresholds.partition_point(|threshold| *threshold <= bound);
            thresholds[..at].last().copied().filter(|found| *found >= least).unwrap_or(least)
        };
        let up = |bound: i128, most: i128| {
            let at = thresholds.partition_point(|threshold| *threshold < bound);
            thresholds.get(at).copied().filter(|found| *found <= most).unwrap_or(most)
        };
        let joined = self.join(grown);
        let widened = Range {
            low: if joined.low < self.low { down(joined.low, any.low) } else { joined.low },
            high: if joined.high > self.high { up(joined.high, any.high) } else { joined.high },
            least: if joined.least < self.least { down(joined.least, 0) } else { joined.least },
            most: if joined.most > self.most { up(joined.most, any.most) } else { joined.most },
            ..joined
        };
        // Rounding to the congruence would undo a widening.
        let plain = Range { step: 1, rest: 0, ..widened };
        let (step, rest) = (joined.step, joined.rest);
        let plain = plain.reduce().unwrap_or(any);
        Range { step: if step == 0 { 1 } else { step }, rest, ..plain }.reduce().unwrap_or(plain)
    }

    /// The exact bounds of a sum, a difference or a product, signed or not; `None` beyond 128 bits.
    fn exact(op: OverflowOp, (a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
        match op {
            OverflowOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
            OverflowOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
            OverflowOp::Mul => {
                let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                Some((corners.into_iter().min()?, corners.into_iter().max()?))
            }
        }
    }

    /// Whether a sum, a difference or a product does not fit.
    pub fn overflows(op: OverflowOp, signed: bool, lhs: &Range, rhs: &Range) -> Option<bool> {
        let any = Range::any(lhs.width);
        let (x, y, least, most) = match signed {
            true => (lhs.signed_bounds(), rhs.signed_bounds(), any.low, any.high),
            false => (lhs.unsigned_bounds(), rhs.unsigned_bounds(), 0, any.most),
        };
        let (low, high) = Range::exact(op, x, y)?;
        if least <= low && high <= most {
            Some(false)
        } else if high < least || low > most {
            Some(true)
        } else {
            None
        }
    }

    fn wrapping(op: OverflowOp, lhs: &Range, rhs: &Range) -> Range {
        let width = lhs.width;
        let signed = Range::exact(op, lhs.signed_bounds(), rhs.signed_bounds());
        let unsigned = Range::exact(op, lhs.unsigned_bounds(), rhs.unsigned_bounds());
        let any = Range::any(width);
        let of_signed = signed.map_or(any, |(low, high)| Range::signed(width, low, high));
        let of_unsigned = unsigned.map_or(any, |(low, high)| Range::unsigned(width, low, high));
        let range = of_signed.meet(&of_unsigned).unwrap_or(of_signed);
        if let (Some(a), Some(b)) = (lhs.single(), rhs.single())
            && let Some((value, _)) = Range::exact(op, (a, a), (b, b))
        {
            return Range::constant(width, value);
        }
        let Some((step, rest)) = Range::combine_steps(op, lhs, rhs) else { return range };
        let is_cut = !signed.is_some_and(|(low, high)| any.low <= low && high <= any.high);
        let step = if is_cut { Range::cut_step(step, width) } else { step };
        range.with_step(step, rest)
    }

    fn combine_steps(op: OverflowOp, lhs: &Range, rhs: &Range) -> Option<(u64, i128)> {
        match op {
            OverflowOp::Add => Some((gcd(lhs.step, rhs.step), lhs.rest.checked_add(rhs.rest)?)),
            OverflowOp::Sub => Some((gcd(lhs.step, rhs.step), lhs.rest.checked_sub(rhs.rest)?)),
            OverflowOp::Mul => {
                let times = |a: u64, b: i128| u64::try_from(b.unsigned_abs()).ok().and_then(|b| a.checked_mul(b));
                let both = lhs.step.checked_mul(rhs.step)?;
                let step = gcd(gcd(both, times(lhs.step, rhs.rest)?), times(rhs.step, lhs.rest)?);
                Some((step, lhs.rest.checked_mul(rhs.rest)?))
            }
        }
    }

    /// The result of an operation; a divisor of 0 ends the run and needs no result.
    pub fn binary(op: BinaryOp, lhs: &Range, rhs: &Range) -> Range {
        let any = Range::any(lhs.width);
        match op {
            BinaryOp::Add => Range::wrapping(OverflowOp::Add, lhs, rhs),
            BinaryOp::Sub => Range::wrapping(OverflowOp::Sub, lhs, rhs),
            BinaryOp::Mul => Range::wrapping(OverflowOp::Mul, lhs, rhs),
            BinaryOp::UDiv => {
                let divisor = (rhs.least.max(1), rhs.most.max(1));
                Range::unsigned(lhs.width, lhs.least / divisor.1, lhs.most / divisor.0)
            }
            BinaryOp::SDiv => Range::divide(lhs, rhs),
            BinaryOp::URem => {
                if rhs.least > lhs.most {
                    return *lhs;
                }
                Range::unsigned(lhs.width, 0, lhs.most.min((rhs.most - 1).max(0)))
            }
            BinaryOp::SRem => {
                let largest = rhs.low.abs().max(rhs.high.abs()).max(1) - 1;
                let low = if lhs.low < 0 { lhs.low.max(-largest) } else { 0 };
                let high = if lhs.high > 0 { lhs.high.min(largest) } else { 0 };
                Range::signed(lhs.width, low, high)
            }
            BinaryOp::Shl => Range::shift_left(lhs, rhs),
            BinaryOp::LShr | BinaryOp::AShr if rhs.most >= i128::from(lhs.width) => any,
            BinaryOp::LShr => Range::unsigned(lhs.width, lhs.least >> rhs.most, lhs.most >> rhs.least),
            BinaryOp::AShr => {
                let corners = [lhs.low >> rhs.least, lhs.low >> rhs.most, lhs.high >> rhs.least, lhs.high >> rhs.most];
                let low = corners.into_iter().min().unwrap_or(any.low);
                let high = corners.into_iter().max().unwrap_or(any.high);
                Range::signed(lhs.width, low, high)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Range::bitwise(op, lhs, rhs),
        }
    }

    fn divide(lhs: &Range, rhs: &Range) -> Range {
        let any = Range::any(lhs.width);
        if lhs.low == any.low && rhs.low <= -1 && rhs.high >= -1 {
            return any;
        }
        let mut corners: Vec<i128> = Vec::new();
        let negative = (rhs.low.min(-1), rhs.high.min(-1));
        let positive = (rhs.low.max(1), rhs.high.max(1));
        for (is_there, (c, d)) in [(rhs.low < 0, negative), (rhs.high > 0, positive)] {
            if is_there {
                corners.extend([lhs.low / c, lhs.low / d, lhs.high / c, lhs.high / d]);
            }
        }
        match (corners.iter().min(), corners.iter().max()) {
            (Some(low), Some(high)) => Range::signed(lhs.width, *low, *high),
            _ => any,
        }
    }

    fn shift_left(lhs: &Range, rhs: &Range) -> Range {
        let any = Range::any(lhs.width);
        if rhs.most >= i128::from(lhs.width) {
            return any;
        }
        let (small, large) = (1i128 << rhs.least, 1i128 << rhs.most);
        let signed = Range::exact(OverflowOp::Mul, lhs.signed_bounds(), (small, large));
        let unsigned = Range::exact(OverflowOp::Mul, lhs.unsigned_bounds(), (small, large));
        let of_signed = signed.map_or(any, |(low, high)| Range::signed(lhs.width, low, high));
        let of_unsigned = unsigned.map_or(any, |(low, high)| Range::unsigned(lhs.width, low, high));
        let range = of_signed.meet(&of_unsigned).unwrap_or(any);
        range.with_step(1 << rhs.least.min(62), 0)
    }

    fn bitwise(op: BinaryOp, lhs: &Range, rhs: &Range) -> Range {
        let width = lhs.width;
        if let (true, true) = (lhs.least == lhs.most, rhs.least == rhs.most) {
            let (a, b) = (lhs.least, rhs.least);
            return Range::constant(
                width,
                if op == BinaryOp::And {
                    a & b
                } else if op == BinaryOp::Or {
                    a | b
                } else {
                    a ^ b
                },
            );
        }
        let full = |most: i128| (1i128 << (128 - most.leading_zeros())) - 1;
        let (least, most) = match op {
            BinaryOp::And => (0, lhs.most.min(rhs.most)),
            BinaryOp::Or => (lhs.least.max(rhs.least), full(lhs.most.max(rhs.most))),
            _ => (0, full(lhs.most.max(rhs.most))),
        };
        let range = Range::unsigned(width, least, most);
        // Low bits that a mask clears.
        let zeros = |side: &Range| side.single().filter(|mask| *mask != 0).map_or(0, |mask| mask.trailing_zeros());
        match op {
            BinaryOp::And => range.with_step(1 << zeros(lhs).max(zeros(rhs)).min(62), 0),
            _ => range,
        }
    }

    /// Bits counted or permuted.
    pub fn unary(op: UnaryOp, value: &Range) -> Range {
        match op {
            UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                Range::unsigned(value.width, 0, i128::from(value.width))
            }
            UnaryOp::ByteSwap | UnaryOp::BitReverse => Range::any(value.width),
        }
    }

    /// The low bits.
    pub fn truncate(&self, width: u16) -> Range {
        if let Some(value) = self.single() {
            return Range::constant(width, value);
        }
        let of_signed = Range::signed(width, self.low, self.high);
        let of_unsigned = Range::unsigned(width, self.least, self.most);
        let range = of_signed.meet(&of_unsigned).unwrap_or(of_signed);
        range.with_step(Range::cut_step(self.step, width), self.rest)
    }

    /// Filled with zeros.
    pub fn zero_extend(&self, width: u16) -> Range {
        let range = Range::unsigned(width, self.least, self.most);
        if self.low >= 0 { range.with_step(self.step, self.rest) } else { range }
    }

    /// Filled with the sign.
    pub fn sign_extend(&self, width: u16) -> Range {
        Range::signed(width, self.low, self.high).with_step(self.step, self.rest)
    }
}

#[cfg(test)]
mod tests;
