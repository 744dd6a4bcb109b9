//! The entries of a tape computed on a region: what each of them can be there.

use super::super::facts::Facts;
use super::super::float::Format;
use super::super::term::{Term, TermId};
use super::super::value::Bits;
use super::range::FloatRange;
use super::region::{Region, VariableDomain};
use super::tape::{Entry, Operation, Slot, Tape};

/// What an entry can be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    /// A Boolean; `None` if it may be either.
    Bool(Option<bool>),
    /// Floats.
    Float(FloatRange),
    /// Bit-vectors.
    Bits(Facts),
}

/// The sets of all entries of a tape on a region.
#[derive(Clone, Default, Debug)]
pub(super) struct Sets(Vec<Set>);

impl Sets {
    /// Computes all entries.
    pub(super) fn evaluate(&mut self, tape: &Tape, region: &Region) {
        self.0.clear();
        for entry in &tape.entries {
            let set = self.apply(entry, region);
            self.0.push(set);
        }
    }

    pub(super) fn truth(&self, slot: Slot) -> Option<bool> {
        if let Set::Bool(truth) = self.0[slot] { truth } else { None }
    }

    pub(super) fn float(&self, slot: Slot) -> FloatRange {
        if let Set::Float(range) = self.0[slot] { range } else { FloatRange::ALL }
    }

    /// The facts of an entry that has bits.
    pub(super) fn facts(&self, slot: Slot) -> Option<&Facts> {
        if let Set::Bits(facts) = &self.0[slot] { Some(facts) } else { None }
    }

    /// True if the entry has one value only.
    pub(super) fn is_point(&self, slot: Slot) -> bool {
        match &self.0[slot] {
            Set::Bool(truth) => truth.is_some(),
            Set::Float(range) => range.is_point(),
            Set::Bits(facts) => facts.pinned().is_some(),
        }
    }

    fn pinned(&self, slot: Slot) -> Option<Bits> {
        self.facts(slot)?.pinned()
    }

    fn apply(&self, entry: &Entry, region: &Region) -> Set {
        match *entry {
            Entry::Constant(set) => set,
            Entry::Variable(index) => match &region.domains[index] {
                VariableDomain::Float(_, range) => Set::Float(*range),
                VariableDomain::Bits(facts) => Set::Bits(*facts),
            },
            Entry::Not(a) => Set::Bool(self.truth(a).map(|truth| !truth)),
            Entry::And(a, b) => Set::Bool(match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (Some(true) | None, None) | (None, Some(true)) => None,
            }),
            Entry::Xor(a, b) => Set::Bool(self.truth(a).zip(self.truth(b)).map(|(a, b)| a != b)),
            Entry::Choose(c, a, b) => self.choose(c, a, b),
            Entry::Equal(a, b) => Set::Bool(self.equal(a, b)),
            Entry::BelowUnsigned(a, b) => Set::Bool(self.compare(a, b, Facts::ult)),
            Entry::BelowSigned(a, b) => Set::Bool(self.compare(a, b, Facts::slt)),
            Entry::Operation(term, width) => Set::Bits(self.operation_on_bits(term, width)),
            Entry::IsNan(a) => Set::Bool(self.float(a).is_nan()),
            Entry::Less(a, b) if a == b => Set::Bool(self.float(a).is_nan().filter(|nan| !nan)),
            Entry::Less(a, b) => Set::Bool(self.float(a).less(&self.float(b))),
            Entry::Value(format, operation) => Set::Float(self.operation(format, operation)),
            Entry::Number(format, operation) => {
                let range = self.operation(format, operation);
                Set::Float(if range.nan { FloatRange::ALL } else { range })
            }
            Entry::Undefined(format, operation) => Set::Bool(self.operation(format, operation).is_nan()),
            Entry::Truncated { signed, width, arg } => Set::Bits(self.float(arg).truncated(signed, width)),
            Entry::Fits { signed, width, arg } => Set::Bool(self.float(arg).fits(signed, width)),
            Entry::ToBits(Some(format), a) => Set::Bits(self.float(a).facts(format)),
            Entry::ToBits(None, a) => Set::Bits(match self.truth(a) {
                Some(truth) => Facts::of_constant(Bits::from_bool(truth)),
                None => Facts::unknown(1),
            }),
            Entry::ToFloat(format, a) => {
                Set::Float(self.facts(a).map_or(FloatRange::ALL, |facts| FloatRange::of_facts(format, facts)))
            }
            Entry::ToBool(a) => Set::Bool(self.pinned(a).map(Bits::is_one)),
        }
    }

    fn choose(&self, c: Slot, a: Slot, b: Slot) -> Set {
        match (self.truth(c), &self.0[a], &self.0[b]) {
            (Some(true), set, _) | (Some(false), _, set) => *set,
            (None, Set::Float(a), Set::Float(b)) => Set::Float(a.join(b)),
            (None, Set::Bits(a), Set::Bits(b)) => Set::Bits(a.join(b)),
            (None, Set::Bool(a), Set::Bool(b)) if a == b => Set::Bool(*a),
            (None, _, _) => Set::Bool(None),
        }
    }

    fn equal(&self, a: Slot, b: Slot) -> Option<bool> {
        if let (Some(a), Some(b)) = (self.pinned(a), self.pinned(b)) {
            return Some(a == b);
        }
        let disjoint = self.facts(a)?.disjoint(self.facts(b)?);
        disjoint.then_some(false)
    }

    fn compare(&self, a: Slot, b: Slot, compare: fn(&Facts, &Facts) -> Option<bool>) -> Option<bool> {
        compare(self.facts(a)?, self.facts(b)?)
    }

    fn operation_on_bits(&self, term: Term, width: u32) -> Facts {
        let slot = |id: TermId| id.0 as usize;
        if term.operands().any(|id| self.facts(slot(id)).is_none()) {
            return Facts::unknown(width);
        }
        let nothing = Facts::unknown(1);
        Facts::of_values(term, width, |id| self.facts(slot(id)).unwrap_or(&nothing))
    }

    fn operation(&self, format: Format, operation: Operation) -> FloatRange {
        match operation {
            Operation::Add(a, b) => self.float(a).add(format, &self.float(b)),
            Operation::Mul(a, b) if a == b => self.float(a).square(format),
            Operation::Mul(a, b) => self.float(a).mul(format, &self.float(b)),
            Operation::Div(a, b) => self.float(a).div(format, &self.float(b)),
            Operation::Fma(a, b, c) => self.float(a).fma(format, &self.float(b), &self.float(c)),
            Operation::Sqrt(a) => self.float(a).sqrt(format),
            Operation::Neg(a) => self.float(a).negated(),
            Operation::Abs(a) => self.float(a).absolute(),
            Operation::Convert(a) => self.float(a).convert(format),
            Operation::FromInt(signed, a) => {
                let all = FloatRange::between(f64::NEG_INFINITY, f64::INFINITY);
                self.facts(a).map_or(all, |facts| FloatRange::of_integers(format, signed, facts))
            }
            Operation::Round(rounding, a) => self.float(a).round(rounding),
        }
    }
}
