//! Conditions as a list of operations on sets of values, each after its operands.
//!
//! A term that is noted as a float ([`FloatNote`]) becomes one operation on ranges of floats; what its circuit is made of is left out unless
//! somebody else needs it. All other terms become operations on [`Facts`], and Booleans are three-valued.
//!
//! **Sound**: each entry over-approximates its operation, so that the value of a term under an assignment within the region is in the set
//! of its entry. The operands are taken to be independent, except that a product of a term with itself is a square.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::facts::Facts;
use super::super::float::{FloatNote, FloatOperation, Format, Rounding};
use super::super::term::{Term, TermId, TermStore, VarId};
use super::sets::Set;

/// The place of an entry.
pub(super) type Slot = usize;

/// An entry: what it computes from earlier ones.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(super) enum Entry {
    Constant(Set),
    Variable(usize),
    Not(Slot),
    And(Slot, Slot),
    Xor(Slot, Slot),
    Choose(Slot, Slot, Slot),
    Equal(Slot, Slot),
    BelowUnsigned(Slot, Slot),
    BelowSigned(Slot, Slot),
    /// Operands are the slots, as ids of terms.
    Operation(Term, u32),
    IsNan(Slot),
    Less(Slot, Slot),
    Number(Format, Operation),
    Value(Format, Operation),
    Undefined(Format, Operation),
    Truncated {
        signed: bool,
        width: u32,
        arg: Slot,
    },
    Fits {
        signed: bool,
        width: u32,
        arg: Slot,
    },
    ToBits(Option<Format>, Slot),
    ToFloat(Format, Slot),
    ToBool(Slot),
}

/// A float operation on slots.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(super) enum Operation {
    Add(Slot, Slot),
    Mul(Slot, Slot),
    Div(Slot, Slot),
    Fma(Slot, Slot, Slot),
    Sqrt(Slot),
    Neg(Slot),
    Abs(Slot),
    Convert(Slot),
    FromInt(bool, Slot),
    Round(Rounding, Slot),
}

/// Which kind of set a term has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Bool,
    Float(Format),
    Bits,
}

/// A variable of the conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) id: VarId,
    pub(super) width: u32,
    /// Its format, if it is used as a float.
    pub(super) format: Option<Format>,
}

/// The operations of some conditions.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    pub(super) entries: Vec<Entry>,
    pub(super) variables: Vec<Variable>,
    pub(super) roots: Vec<Slot>,
}

/// What the roots consist of, notes taken instead of circuits, operands first; `None` if that is more than `most`.
fn collect_reached(store: &TermStore, roots: &[TermId], most: usize) -> Option<Vec<TermId>> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        match store.float_note(id) {
            Some((note, _)) => stack.extend(note.operands()),
            None => stack.extend(store.term(id).operands()),
        }
    }
    let mut reached: Vec<TermId> = seen.into_iter().collect();
    reached.sort_unstable();
    Some(reached)
}

/// The variables among the operands that are read as floats.
fn float_operands(note: FloatNote) -> Vec<TermId> {
    match note {
        FloatNote::Number(_, FloatOperation::FromInt { .. })
        | FloatNote::Value(_, FloatOperation::FromInt { .. })
        | FloatNote::Undefined(_, FloatOperation::FromInt { .. }) => Vec::new(),
        note => note.operands().collect(),
    }
}

struct Builder<'s> {
    store: &'s TermStore,
    tape: Tape,
    slots: FxHashMap<TermId, (Slot, Sort)>,
    converted: FxHashMap<(Slot, u32), Slot>,
}

impl Tape {
    /// The operations of the conditions, if some of them are about floats and there are at most so many.
    pub(super) fn new(store: &TermStore, roots: &[TermId], most: usize) -> Option<Tape> {
        let reached = collect_reached(store, roots, most)?;
        let notes = reached.iter().filter_map(|id| store.float_note(*id));
        let mut floats: FxHashSet<TermId> = notes.flat_map(|(note, _)| float_operands(note)).collect();
        if floats.is_empty() {
            return None;
        }
        // What is chosen among floats is one.
        for id in reached.iter().rev().filter(|id| store.float_note(**id).is_none()) {
            if let (true, Term::Ite(_, a, b)) = (floats.contains(id), store.term(*id)) {
                floats.extend([a, b]);
            }
        }
        let tape = Tape { entries: Vec::new(), variables: Vec::new(), roots: Vec::new() };
        let mut builder = Builder { store, tape, slots: FxHashMap::default(), converted: FxHashMap::default() };
        for id in reached {
            let (entry, sort) = builder.entry(id, floats.contains(&id));
            let slot = builder.push(entry);
            builder.slots.insert(id, (slot, sort));
        }
        for root in roots {
            let slot = builder.boolean(*root);
            builder.tape.roots.push(slot);
        }
        Some(builder.tape)
    }
}

impl Builder<'_> {
    fn push(&mut self, entry: Entry) -> Slot {
        self.tape.entries.push(entry);
        self.tape.entries.len() - 1
    }

    fn convert(&mut self, slot: Slot, kind: u32, entry: Entry) -> Slot {
        if let Some(known) = self.converted.get(&(slot, kind)) {
            return *known;
        }
        let made = self.push(entry);
        self.converted.insert((slot, kind), made);
        made
    }

    fn boolean(&mut self, id: TermId) -> Slot {
        let (slot, sort) = self.slots[&id];
        match sort {
            Sort::Bool => slot,
            Sort::Float(_) | Sort::Bits => self.convert(slot, 1, Entry::ToBool(slot)),
        }
    }

    fn bits(&mut self, id: TermId) -> Slot {
        let (slot, sort) = self.slots[&id];
        match sort {
            Sort::Bits => slot,
            Sort::Bool => self.convert(slot, 2, Entry::ToBits(None, slot)),
            Sort::Float(format) => self.convert(slot, 2, Entry::ToBits(Some(format), slot)),
        }
    }

    fn float(&mut self, format: Format, id: TermId) -> Slot {
        let (slot, sort) = self.slots[&id];
        match sort {
            Sort::Float(_) => slot,
            Sort::Bits | Sort::Bool => self.convert(slot, format.width(), Entry::ToFloat(format, slot)),
        }
    }

    fn entry(&mut self, id: TermId, float: bool) -> (Entry, Sort) {
        if let Some((note, negated)) = self.store.float_note(id) {
            let (entry, sort) = self.record_note(note);
            if !negated {
                return (entry, sort);
            }
            let slot = self.push(entry);
            return (Entry::Not(slot), Sort::Bool);
        }
        let term = self.store.term(id);
        let width = self.store.width(id);
        match term {
            Term::Const(constant) => {
                let value = self.store.constant_value(constant);
                match width {
                    1 => (Entry::Constant(Set::Bool(Some(value.is_one()))), Sort::Bool),
                    _ => (Entry::Constant(Set::Bits(Facts::of_constant(value))), Sort::Bits),
                }
            }
            Term::Var(id) => {
                let format = if float { Format::of_width(width) } else { None };
                self.tape.variables.push(Variable { id, width, format });
                (Entry::Variable(self.tape.variables.len() - 1), format.map_or(Sort::Bits, Sort::Float))
            }
            Term::Ite(c, a, b) => self.choose(c, a, b, width),
            Term::Not(a) if width == 1 => (Entry::Not(self.boolean(a)), Sort::Bool),
            Term::And(a, b) if width == 1 => (Entry::And(self.boolean(a), self.boolean(b)), Sort::Bool),
            Term::Xor(a, b) if width == 1 => (Entry::Xor(self.boolean(a), self.boolean(b)), Sort::Bool),
            Term::Eq(a, b) => (Entry::Equal(self.bits(a), self.bits(b)), Sort::Bool),
            Term::Ult(a, b) => (Entry::BelowUnsigned(self.bits(a), self.bits(b)), Sort::Bool),
            Term::Slt(a, b) => (Entry::BelowSigned(self.bits(a), self.bits(b)), Sort::Bool),
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
                let on_slots = self.on_slots(term);
                (Entry::Operation(on_slots, width), Sort::Bits)
            }
        }
    }

    fn choose(&mut self, c: TermId, a: TermId, b: TermId, width: u32) -> (Entry, Sort) {
        let condition = self.boolean(c);
        let sorts = [self.slots[&a].1, self.slots[&b].1];
        let float = sorts.into_iter().find(|sort| matches!(sort, Sort::Float(_)));
        let sort = match float {
            Some(float) => float,
            None if width == 1 => Sort::Bool,
            None => Sort::Bits,
        };
        let [a, b] = [a, b].map(|arm| match sort {
            Sort::Bool => self.boolean(arm),
            Sort::Float(format) => self.float(format, arm),
            Sort::Bits => self.bits(arm),
        });
        (Entry::Choose(condition, a, b), sort)
    }

    /// The operation with slots as operands.
    fn on_slots(&mut self, term: Term) -> Term {
        let mut slot = |id: TermId| TermId(self.bits(id) as u32);
        match term {
            Term::Const(_) | Term::Var(_) => term,
            Term::Not(a) => Term::Not(slot(a)),
            Term::And(a, b) => Term::And(slot(a), slot(b)),
            Term::Xor(a, b) => Term::Xor(slot(a), slot(b)),
            Term::Neg(a) => Term::Neg(slot(a)),
            Term::Add(a, b) => Term::Add(slot(a), slot(b)),
            Term::Mul(a, b) => Term::Mul(slot(a), slot(b)),
            Term::Udiv(a, b) => Term::Udiv(slot(a), slot(b)),
            Term::Urem(a, b) => Term::Urem(slot(a), slot(b)),
            Term::Shl(a, b) => Term::Shl(slot(a), slot(b)),
            Term::Lshr(a, b) => Term::Lshr(slot(a), slot(b)),
            Term::Ashr(a, b) => Term::Ashr(slot(a), slot(b)),
            Term::Concat(a, b) => Term::Concat(slot(a), slot(b)),
            Term::Extract { high, low, arg } => Term::Extract { high, low, arg: slot(arg) },
            Term::Zext { arg, width } => Term::Zext { arg: slot(arg), width },
            Term::Sext { arg, width } => Term::Sext { arg: slot(arg), width },
            Term::Ite(c, a, b) => Term::Ite(slot(c), slot(a), slot(b)),
            Term::Eq(a, b) => Term::Eq(slot(a), slot(b)),
            Term::Ult(a, b) => Term::Ult(slot(a), slot(b)),
            Term::Slt(a, b) => Term::Slt(slot(a), slot(b)),
        }
    }

    fn record_note(&mut self, note: FloatNote) -> (Entry, Sort) {
        match note {
            FloatNote::Number(format, operation) => {
                (Entry::Number(format, self.operation(format, operation)), Sort::Float(format))
            }
            FloatNote::Value(format, operation) => {
                (Entry::Value(format, self.operation(format, operation)), Sort::Float(format))
            }
            FloatNote::Undefined(format, operation) => {
                (Entry::Undefined(format, self.operation(format, operation)), Sort::Bool)
            }
            FloatNote::IsNan(format, arg) => (Entry::IsNan(self.float(format, arg)), Sort::Bool),
            FloatNote::Less(format, x, y) => (Entry::Less(self.float(format, x), self.float(format, y)), Sort::Bool),
            FloatNote::Truncated { format, signed, width, arg } => {
                (Entry::Truncated { signed, width, arg: self.float(format, arg) }, Sort::Bits)
            }
            FloatNote::Fits { format, signed, width, arg } => {
                (Entry::Fits { signed, width, arg: self.float(format, arg) }, Sort::Bool)
            }
        }
    }

    fn operation(&mut self, format: Format, operation: FloatOperation) -> Operation {
        match operation {
            FloatOperation::Add(a, b) => Operation::Add(self.float(format, a), self.float(format, b)),
            FloatOperation::Mul(a, b) => Operation::Mul(self.float(format, a), self.float(format, b)),
            FloatOperation::Div(a, b) => Operation::Div(self.float(format, a), self.float(format, b)),
            FloatOperation::Fma(a, b, c) => {
                Operation::Fma(self.float(format, a), self.float(format, b), self.float(format, c))
            }
            FloatOperation::Sqrt(a) => Operation::Sqrt(self.float(format, a)),
            FloatOperation::Neg(a) => Operation::Neg(self.float(format, a)),
            FloatOperation::Abs(a) => Operation::Abs(self.float(format, a)),
            FloatOperation::Convert { from, arg } => Operation::Convert(self.float(from, arg)),
            FloatOperation::FromInt { signed, arg } => Operation::FromInt(signed, self.bits(arg)),
            FloatOperation::Round { rounding, arg } => Operation::Round(rounding, self.float(format, arg)),
        }
    }
}
