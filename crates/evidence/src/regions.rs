//! Covers by regions: conditions over floats can't hold together, because the space of their variables can be cut into parts in each of
//! which one of them is false.
//!
//! The claim is the tree of cuts. The check walks it and evaluates the conditions on each part, with sets of values instead of
//! values: floats as all numbers between two and perhaps NaNs, bit-vectors as the bounds that `logic` keeps of terms, Booleans as true, false or
//! either. The parts cover all values by construction, since a cut divides what is there into what is below and what is above; so if every part makes
//! some condition false, there is no model. Nothing is shared with the search, neither the order of evaluation nor the arithmetic.
//!
//! What a float term computes is read off the note that was made where its circuit was built, as the circuit itself would be.
//! Rounding to nearest is monotone, so that the rounded operation on the ends of its operands' ranges gives the ends of its result's, in the order
//! that has -0 before +0; where some end gives a NaN, nothing is said of the numbers.

mod floats;

#[cfg(test)]
mod tests;

use belay_logic::bv::float::{FloatNote, FloatOperation, Format};
use belay_logic::bv::prune::{Cut, Paving};
use belay_logic::bv::{Bits, Facts, Term, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use floats::{EVERY_FLOAT, Floats, ONLY_NAN, above, number, operate};

/// Terms in the conditions at most, and parts times terms.
const MAX_TERMS: usize = 50_000;
const MAX_WORK: usize = 400_000_000;

/// A set of values.
#[derive(Clone, Copy, Debug)]
enum Set {
    Bool(Option<bool>),
    Floats(Floats),
    Bits(Facts),
}

/// The conditions, and sets for what they consist of.
struct Evaluation<'s> {
    store: &'s TermStore,
    /// Operands before the terms that use them.
    order: Vec<TermId>,
    place: FxHashMap<TermId, usize>,
    sets: Vec<Set>,
}

impl<'s> Evaluation<'s> {
    fn new(store: &'s TermStore, conditions: &[TermId]) -> Option<Self> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = conditions.to_vec();
        while let Some(id) = stack.pop() {
            if seen.len() > MAX_TERMS {
                return None;
            }
            if seen.insert(id) {
                match store.float_note(id) {
                    Some((note, _)) => stack.extend(note.operands()),
                    None => stack.extend(store.term(id).operands()),
                }
            }
        }
        let mut order: Vec<TermId> = seen.into_iter().collect();
        // A term's id is above those of its operands and of those that its note names.
        order.sort_unstable();
        let place = order.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        Some(Self { store, order, place, sets: Vec::new() })
    }

    fn set(&self, id: TermId) -> Set {
        self.place.get(&id).and_then(|place| self.sets.get(*place)).copied().unwrap_or(Set::Bool(None))
    }

    fn truth(&self, id: TermId) -> Option<bool> {
        match self.set(id) {
            Set::Bool(truth) => truth,
            Set::Bits(facts) => facts.pinned().filter(|bits| bits.width() == 1).map(Bits::is_one),
            Set::Floats(_) => None,
        }
    }

    fn floats(&self, format: Format, id: TermId) -> Floats {
        match self.set(id) {
            Set::Floats(floats) => floats,
            Set::Bits(facts) => Floats::of_facts(format, &facts),
            Set::Bool(_) => EVERY_FLOAT,
        }
    }

    fn facts(&self, id: TermId) -> Facts {
        let width = self.store.width(id);
        match (self.set(id), Format::of_width(width)) {
            (Set::Bits(facts), _) => facts,
            (Set::Floats(floats), Some(format)) => floats.facts(format),
            (Set::Bool(Some(truth)), _) if width == 1 => Facts::of_constant(Bits::from_bool(truth)),
            (Set::Floats(_), None) | (Set::Bool(_), _) => Facts::unknown(width),
        }
    }

    /// Evaluates everything on a region; true if some condition is false there.
    fn refutes(&mut self, region: &FxHashMap<TermId, Set>, conditions: &[TermId]) -> bool {
        self.sets.clear();
        for index in 0..self.order.len() {
            let id = self.order[index];
            let set = region.get(&id).copied().unwrap_or_else(|| self.apply(id));
            self.sets.push(set);
        }
        conditions.iter().any(|condition| self.truth(*condition) == Some(false))
    }

    fn apply(&self, id: TermId) -> Set {
        if let Some((note, negated)) = self.store.float_note(id) {
            let set = self.evaluate_note(note);
            return match set {
                Set::Bool(truth) if negated => Set::Bool(truth.map(|truth| !truth)),
                set => set,
            };
        }
        let (term, width) = (self.store.term(id), self.store.width(id));
        match term {
            Term::Const(constant) => Set::Bits(Facts::of_constant(self.store.constant_value(constant))),
            Term::Var(_) => Set::Bits(Facts::unknown(width)),
            Term::Ite(c, a, b) => self.choice(c, a, b),
            Term::Not(a) if width == 1 => Set::Bool(self.truth(a).map(|truth| !truth)),
            Term::And(a, b) if width == 1 => Set::Bool(match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) | (other, Some(true)) => other,
                (None, None) => None,
            }),
            Term::Xor(a, b) if width == 1 => Set::Bool(self.truth(a).and_then(|a| self.truth(b).map(|b| a != b))),
            Term::Eq(a, b) => {
                let (a, b) = (self.facts(a), self.facts(b));
                let same = a.pinned().is_some() && a.pinned() == b.pinned();
                Set::Bool(if same { Some(true) } else { a.disjoint(&b).then_some(false) })
            }
            Term::Ult(a, b) => Set::Bool(self.facts(a).ult(&self.facts(b))),
            Term::Slt(a, b) => Set::Bool(self.facts(a).slt(&self.facts(b))),
            Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Neg(_)
            | Term::Add(..)
            | Term::Mul(..)
            | Term::Udiv(..)
            | Term::Urem(..)
            | Term::Shl(..)
            | Term::Lshr(..)
            | Term::Ashr(..)
            | Term::Concat(..)
            | Term::Extract { .. }
            | Term::Zext { .. }
            | Term::Sext { .. } => {
                let operands: Vec<(TermId, Facts)> = term.operands().map(|id| (id, self.facts(id))).collect();
                let nothing = Facts::unknown(1);
                let of = |id| operands.iter().find(|(known, _)| *known == id).map_or(&nothing, |(_, facts)| facts);
                Set::Bits(Facts::of_values(term, width, of))
            }
        }
    }

    fn choice(&self, c: TermId, a: TermId, b: TermId) -> Set {
        if let Some(truth) = self.truth(c) {
            return self.set(if truth { a } else { b });
        }
        match (self.set(a), self.set(b), Format::of_width(self.store.width(a))) {
            (Set::Bool(x), Set::Bool(y), _) => Set::Bool(if x == y { x } else { None }),
            (Set::Floats(_), _, Some(format)) | (_, Set::Floats(_), Some(format)) => {
                Set::Floats(self.floats(format, a).join(self.floats(format, b)))
            }
            _ => Set::Bits(self.facts(a).join(&self.facts(b))),
        }
    }

    fn evaluate_note(&self, note: FloatNote) -> Set {
        let of = |format, operation| operate(format, operation, |id| self.as_operand(operation, id));
        match note {
            FloatNote::Value(format, operation) => Set::Floats(of(format, operation)),
            FloatNote::Number(format, operation) => {
                let floats = of(format, operation);
                Set::Floats(if floats.nan { EVERY_FLOAT } else { floats })
            }
            FloatNote::Undefined(format, operation) => Set::Bool(of(format, operation).is_nan()),
            FloatNote::IsNan(format, arg) => Set::Bool(self.floats(format, arg).is_nan()),
            FloatNote::Less(format, x, y) if x == y => Set::Bool(self.floats(format, x).is_nan().filter(|nan| !nan)),
            FloatNote::Less(format, x, y) => Set::Bool(self.floats(format, x).less(self.floats(format, y))),
            FloatNote::Truncated { format, signed, width, arg } => {
                Set::Bits(self.floats(format, arg).truncated(signed, width))
            }
            FloatNote::Fits { format, signed, width, arg } => Set::Bool(self.floats(format, arg).fits(signed, width)),
        }
    }

    /// Integers that are converted are wanted as such.
    fn as_operand(&self, operation: FloatOperation, id: TermId) -> Set {
        match operation {
            FloatOperation::FromInt { .. } => Set::Bits(self.facts(id)),
            FloatOperation::Add(..)
            | FloatOperation::Mul(..)
            | FloatOperation::Div(..)
            | FloatOperation::Fma(..)
            | FloatOperation::Sqrt(_)
            | FloatOperation::Neg(_)
            | FloatOperation::Abs(_)
            | FloatOperation::Convert { .. }
            | FloatOperation::Round { .. } => self.set(id),
        }
    }
}

/// The parts below and above a cut of what a variable can be.
fn halves(set: Set, format: Option<Format>, cut: Cut) -> Option<(Set, Set)> {
    let floats = || match (set, format) {
        (Set::Floats(floats), Some(format)) => Some((format, floats)),
        // Not cut before.
        (Set::Bits(facts), Some(format)) if facts == Facts::unknown(format.width()) => Some((format, EVERY_FLOAT)),
        _ => None,
    };
    Some(match cut {
        Cut::Nan => {
            let (_, floats) = floats()?;
            let nans = if floats.nan { ONLY_NAN } else { Floats { nan: false, ..ONLY_NAN } };
            (Set::Floats(Floats { nan: false, ..floats }), Set::Floats(nans))
        }
        Cut::Float(bits) => {
            let (format, floats) = floats()?;
            let at = number(format, bits.into());
            if at.is_nan() {
                return None;
            }
            let low = Floats { high: if floats.high.total_cmp(&at).is_lt() { floats.high } else { at }, ..floats };
            let from = above(format, at);
            // Above the greatest number there is none, and the NaNs stay below.
            let high = match at == f64::INFINITY {
                true => Floats { nan: false, ..ONLY_NAN },
                false => Floats { low: if floats.low.total_cmp(&from).is_gt() { floats.low } else { from }, ..floats },
            };
            (Set::Floats(low), Set::Floats(Floats { nan: false, ..high }))
        }
        Cut::Unsigned(at) => {
            let Set::Bits(facts) = set else { return None };
            let (low, high) = facts.cut_unsigned(at);
            (Set::Bits(low), Set::Bits(high))
        }
        Cut::Signed(at) => {
            let Set::Bits(facts) = set else { return None };
            let (low, high) = facts.cut_signed(at);
            (Set::Bits(low), Set::Bits(high))
        }
    })
}

/// True if the cuts show that the conditions can't hold together.
pub(crate) fn covers(store: &TermStore, conditions: &[TermId], tree: &Paving) -> bool {
    let Some(mut evaluation) = Evaluation::new(store, conditions) else { return false };
    if evaluation.order.len().saturating_mul(tree.0.len()) > MAX_WORK {
        return false;
    }
    let mut stack: Vec<FxHashMap<TermId, Set>> = vec![FxHashMap::default()];
    for split in &tree.0 {
        let Some(region) = stack.pop() else { return false };
        let Some(split) = split else {
            if evaluation.refutes(&region, conditions) {
                continue;
            }
            return false;
        };
        if !store.variables().any(|variable| variable == split.variable) {
            return false;
        }
        let term = store.variable_term(split.variable);
        let width = store.width(term);
        let before = region.get(&term).copied().unwrap_or(Set::Bits(Facts::unknown(width)));
        let Some((low, high)) = halves(before, Format::of_width(width), split.cut) else { return false };
        let mut above = region.clone();
        above.insert(term, high);
        let mut below = region;
        below.insert(term, low);
        stack.extend([above, below]);
    }
    stack.is_empty()
}
