//! Where to cut a region: at a number that an undecided comparison compares a variable with, or else in the middle of the widest variable
//! that matters. Nothing rests on this but how long the search takes.

use super::super::float::Format;
use super::super::term::Term;
use super::range::{FloatRange, last_below};
use super::region::{Cut, Region, VariableDomain, encoding};
use super::search::Search;
use super::tape::{Entry, Operation, Slot};

impl Search<'_> {
    /// Where to cut: at a number that an undecided comparison compares a variable with, otherwise the widest variable that matters.
    pub(super) fn suggestion(&mut self, region: &Region) -> Option<(usize, Cut)> {
        let undecided = self.tape.roots.iter().copied().filter(|root| self.sets.truth(*root).is_none());
        let mut stack: Vec<Slot> = undecided.collect();
        stack.reverse();
        let mut seen = vec![false; self.tape.entries.len()];
        let mut active: Vec<usize> = Vec::new();
        let (mut nan, mut threshold) = (None, None);
        while let Some(slot) = stack.pop() {
            if std::mem::replace(&mut seen[slot], true) || self.sets.is_point(slot) {
                continue;
            }
            let entry = self.tape.entries[slot];
            if let Some((variable, cut)) = self.threshold(region, entry) {
                match cut {
                    Cut::Nan => nan.get_or_insert((variable, cut)),
                    Cut::Float(_) | Cut::Unsigned(_) | Cut::Signed(_) => threshold.get_or_insert((variable, cut)),
                };
            }
            if let Entry::Variable(variable) = entry {
                // A truth value is a case distinction, after which less may matter.
                if self.tape.variables[variable].width == 1 {
                    return Some((variable, Cut::Unsigned(0)));
                }
                active.push(variable);
            }
            self.operands(entry, &mut stack);
        }
        nan.or(threshold).or_else(|| self.widest(region, &active))
    }

    fn widest(&mut self, region: &Region, active: &[usize]) -> Option<(usize, Cut)> {
        let mut best: Option<(f64, usize, Cut)> = None;
        for variable in active {
            let domain = &region.domains[*variable];
            let Some(cut) = domain.middle() else { continue };
            let width = domain.width();
            let scale = &mut self.scales[*variable];
            if *scale == 0.0 && width.is_finite() {
                *scale = width;
            }
            let score = if width.is_finite() { width / *scale } else { f64::INFINITY };
            if best.is_none_or(|(known, _, _)| score > known) {
                best = Some((score, *variable, cut));
            }
        }
        best.map(|(_, variable, cut)| (variable, cut))
    }

    /// The operands that the set of an entry depends on here.
    fn operands(&self, entry: Entry, stack: &mut Vec<Slot>) {
        let Entry::Choose(c, a, b) = entry else { return all_operands(entry, stack) };
        match self.sets.truth(c) {
            Some(true) => stack.push(a),
            Some(false) => stack.push(b),
            None => stack.extend([b, a, c]),
        }
    }

    /// A cut that decides a comparison of a variable with something known.
    fn threshold(&self, region: &Region, entry: Entry) -> Option<(usize, Cut)> {
        match entry {
            Entry::IsNan(a) => {
                let float = self.float_variable(region, a)?;
                float.range.nan.then_some((float.variable, Cut::Nan))
            }
            Entry::Less(a, b) => {
                let left = self.float_variable(region, a);
                let right = self.float_variable(region, b);
                let left = left.and_then(|left| self.float_cut(left, self.sets.float(b), false));
                left.or_else(|| right.and_then(|right| self.float_cut(right, self.sets.float(a), true)))
            }
            Entry::Equal(a, b) => {
                let known = |variable: Slot, other: Slot| {
                    let Entry::Variable(variable) = self.tape.entries[variable] else { return None };
                    let value = self.sets.facts(other)?.pinned()?.to_u128()?;
                    let cuts = [value.checked_sub(1), Some(value)];
                    let fits = |cut: &Cut| region.domains[variable].halves(*cut).is_some();
                    cuts.into_iter().flatten().map(Cut::Unsigned).find(fits).map(|cut| (variable, cut))
                };
                known(a, b).or_else(|| known(b, a))
            }
            Entry::BelowUnsigned(a, b) => self.integer_cut(region, a, b, false),
            Entry::BelowSigned(a, b) => self.integer_cut(region, a, b, true),
            Entry::Fits { signed, width, arg } => {
                let float = self.float_variable(region, arg)?;
                if float.range.nan {
                    return Some((float.variable, Cut::Nan));
                }
                let above = 2f64.powi(if signed { width as i32 - 1 } else { width as i32 });
                let least = if signed { -above } else { 0.0 };
                let cuts = [least - 1.0, above].map(|at| encoding(float.format, last_below(float.format, at, false)));
                let fits = |cut: &Cut| region.domains[float.variable].halves(*cut).is_some();
                cuts.into_iter().map(Cut::Float).find(fits).map(|cut| (float.variable, cut))
            }
            Entry::Constant(_)
            | Entry::Variable(_)
            | Entry::Not(_)
            | Entry::And(..)
            | Entry::Xor(..)
            | Entry::Choose(..)
            | Entry::Operation(..)
            | Entry::Number(..)
            | Entry::Value(..)
            | Entry::Undefined(..)
            | Entry::Truncated { .. }
            | Entry::ToBits(..)
            | Entry::ToFloat(..)
            | Entry::ToBool(_) => None,
        }
    }

    /// `a < b` with a variable on one side: cut below `b`, or at `a`.
    fn integer_cut(&self, region: &Region, a: Slot, b: Slot, signed: bool) -> Option<(usize, Cut)> {
        let value = |slot: Slot| {
            let bits = self.sets.facts(slot)?.pinned()?;
            if signed { bits.to_i128() } else { bits.to_u128().and_then(|value| i128::try_from(value).ok()) }
        };
        let (slot, value, greater) = match (value(a), value(b)) {
            (None, Some(limit)) => (a, limit, false),
            (Some(limit), None) => (b, limit, true),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        self.integer_cut_at(region, slot, value, greater, signed)
    }

    /// The cut that decides whether an entry is less than a value, or greater, if it is a variable, perhaps extended or negated.
    fn integer_cut_at(
        &self,
        region: &Region,
        mut slot: Slot,
        mut value: i128,
        mut greater: bool,
        mut signed: bool,
    ) -> Option<(usize, Cut)> {
        let variable = loop {
            match self.tape.entries[slot] {
                Entry::Variable(variable) => break variable,
                Entry::Choose(c, a, b) => slot = if self.sets.truth(c)? { a } else { b },
                Entry::Operation(Term::Sext { arg, .. }, _) if signed => slot = arg.0 as usize,
                Entry::Operation(Term::Zext { arg, .. }, _) => (slot, signed) = (arg.0 as usize, false),
                Entry::Operation(Term::Neg(arg), _) if signed => {
                    (slot, value, greater) = (arg.0 as usize, value.checked_neg()?, !greater);
                }
                _ => return None,
            }
        };
        let at = if greater { value } else { value.checked_sub(1)? };
        let cut = if signed { Cut::Signed(at) } else { Cut::Unsigned(u128::try_from(at).ok()?) };
        region.domains[variable].halves(cut).map(|_| (variable, cut))
    }

    /// The variable that an entry is, perhaps negated or in a wider format.
    fn float_variable(&self, region: &Region, slot: Slot) -> Option<FloatVariable> {
        let (mut slot, mut negated) = (slot, false);
        loop {
            match self.tape.entries[slot] {
                Entry::Variable(variable) => {
                    let VariableDomain::Float(format, range) = region.domains[variable] else { return None };
                    return Some(FloatVariable { variable, format, range, negated });
                }
                Entry::Value(_, Operation::Neg(inner)) => (slot, negated) = (inner, !negated),
                Entry::Value(Format::DOUBLE, Operation::Convert(inner)) => slot = inner,
                Entry::Choose(c, a, b) => slot = if self.sets.truth(c)? { a } else { b },
                _ => return None,
            }
        }
    }

    /// The cut that decides the comparison of a variable with a number.
    fn float_cut(&self, float: FloatVariable, other: FloatRange, greater: bool) -> Option<(usize, Cut)> {
        if float.range.nan {
            return Some((float.variable, Cut::Nan));
        }
        if !other.is_point() {
            return None;
        }
        // Of `x < c` the last number below `c`, of `c < x` the last that is not above it.
        let (limit, inclusive) = match float.negated {
            false => (other.low, greater),
            true => (-other.low, !greater),
        };
        let cut = Cut::Float(encoding(float.format, last_below(float.format, limit, inclusive)));
        VariableDomain::Float(float.format, float.range).halves(cut).map(|_| (float.variable, cut))
    }
}

/// A variable in a comparison.
#[derive(Clone, Copy)]
struct FloatVariable {
    variable: usize,
    format: Format,
    range: FloatRange,
    negated: bool,
}

/// The operands of an entry.
pub(super) fn all_operands(entry: Entry, stack: &mut Vec<Slot>) {
    match entry {
        Entry::Constant(_) | Entry::Variable(_) => {}
        Entry::Not(a)
        | Entry::IsNan(a)
        | Entry::ToBits(_, a)
        | Entry::ToFloat(_, a)
        | Entry::ToBool(a)
        | Entry::Truncated { arg: a, .. }
        | Entry::Fits { arg: a, .. } => stack.push(a),
        Entry::And(a, b)
        | Entry::Xor(a, b)
        | Entry::Equal(a, b)
        | Entry::BelowUnsigned(a, b)
        | Entry::BelowSigned(a, b)
        | Entry::Less(a, b) => stack.extend([b, a]),
        Entry::Choose(c, a, b) => stack.extend([b, a, c]),
        Entry::Operation(term, _) => stack.extend(term.operands().map(|id| id.0 as usize)),
        Entry::Number(_, operation) | Entry::Value(_, operation) | Entry::Undefined(_, operation) => match operation {
            Operation::Add(a, b) | Operation::Mul(a, b) | Operation::Div(a, b) => stack.extend([b, a]),
            Operation::Fma(a, b, c) => stack.extend([c, b, a]),
            Operation::Sqrt(a)
            | Operation::Neg(a)
            | Operation::Abs(a)
            | Operation::Convert(a)
            | Operation::FromInt(_, a)
            | Operation::Round(_, a) => stack.push(a),
        },
    }
}
