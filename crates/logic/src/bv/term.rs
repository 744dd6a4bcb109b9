//! Terms: a hash-consed directed acyclic graph in one arena.
//!
//! Equal terms have equal ids, so that comparing ids compares structure, and an id is larger than
//! the ids of its operands, so that a loop over ids visits operands first. Nothing here recurses
//! over the depth of a term: an unrolled loop gives terms 100,000 operations deep.
//!
//! The set of operations is kept small on purpose, since each of them is a case in the simplifier,
//! the evaluator, the blaster and the printer. What is missing is built from these by the
//! constructors of [`TermStore`]: `or` from `and` and `not`, subtraction from addition and
//! negation, signed division from unsigned, `ule` from `ult`, and so on.

use std::sync::atomic::{AtomicU64, Ordering};

use belay_base::{Id, IdVec, id_type};
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::float::FloatNote;
use super::value::{Bits, MAX_WIDTH};

id_type!(
    /// A term of one [`TermStore`].
    TermId,
    "t"
);
id_type!(
    /// A variable of one [`TermStore`].
    VarId,
    "v"
);
id_type!(
    /// A constant's place in its store.
    ConstId,
    "k"
);

/// A term's operation with its operands. Booleans are bit-vectors of width 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A constant.
    Const(ConstId),
    /// A free variable.
    Var(VarId),
    /// Bitwise complement.
    Not(TermId),
    /// Bitwise conjunction.
    And(TermId, TermId),
    /// Bitwise exclusive disjunction.
    Xor(TermId, TermId),
    /// Two's complement negation.
    Neg(TermId),
    /// Sum, modulo 2^width.
    Add(TermId, TermId),
    /// Product, modulo 2^width.
    Mul(TermId, TermId),
    /// Unsigned quotient, all ones if the divisor is zero.
    Udiv(TermId, TermId),
    /// Unsigned remainder, the dividend if the divisor is zero.
    Urem(TermId, TermId),
    /// Shift left, zero if the amount is the width or more.
    Shl(TermId, TermId),
    /// Shift right, filled with zeros.
    Lshr(TermId, TermId),
    /// Shift right, filled with the sign bit.
    Ashr(TermId, TermId),
    /// The first operand's bits above the second's.
    Concat(TermId, TermId),
    /// Bits `high` down to `low` of `arg`.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
        /// The operand.
        arg: TermId,
    },
    /// The operand extended with zeros to `width`.
    Zext {
        /// The operand.
        arg: TermId,
        /// The width of the result.
        width: u32,
    },
    /// The operand extended with its sign bit to `width`.
    Sext {
        /// The operand.
        arg: TermId,
        /// The width of the result.
        width: u32,
    },
    /// The second operand if the first is 1, else the third.
    Ite(TermId, TermId, TermId),
    /// Equality of two terms.
    Eq(TermId, TermId),
    /// Unsigned less-than.
    Ult(TermId, TermId),
    /// Signed less-than.
    Slt(TermId, TermId),
}

impl Term {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let operands = match self {
            Term::Const(_) | Term::Var(_) => [None, None, None],
            Term::Not(a) | Term::Neg(a) => [Some(a), None, None],
            Term::Extract { arg, .. } | Term::Zext { arg, .. } | Term::Sext { arg, .. } => [Some(arg), None, None],
            Term::And(a, b) | Term::Xor(a, b) => [Some(a), Some(b), None],
            Term::Add(a, b) | Term::Mul(a, b) | Term::Udiv(a, b) | Term::Urem(a, b) => [Some(a), Some(b), None],
            Term::Shl(a, b) | Term::Lshr(a, b) | Term::Ashr(a, b) => [Some(a), Some(b), None],
            Term::Concat(a, b) | Term::Eq(a, b) | Term::Ult(a, b) | Term::Slt(a, b) => [Some(a), Some(b), None],
            Term::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }
}

#[derive(Debug)]
struct Entry {
    term: Term,
    facts: Facts,
}

#[derive(Debug)]
struct Variable {
    name: String,
    term: TermId,
}

/// The arena of terms, with the constructors that simplify (see the `simplify` module).
#[derive(Debug)]
pub struct TermStore {
    entries: IdVec<TermId, Entry>,
    variables: IdVec<VarId, Variable>,
    constants: IdVec<ConstId, Bits>,
    interned: FxHashMap<Term, TermId>,
    interned_constants: FxHashMap<Bits, TermId>,
    /// What terms mean as floats; with true, the complement.
    pub(super) float_notes: FxHashMap<TermId, (FloatNote, bool)>,
    /// Tells stores apart, so that a solver can refuse terms of another store.
    serial: u64,
    pub(super) rewriting: Rewriting,
}

/// How much rewriting the running constructor call may still do.
#[derive(Default, Debug)]
pub(super) struct Rewriting {
    pub(super) nesting: u32,
    pub(super) fuel: u32,
    pub(super) joined: FxHashMap<(TermId, TermId), TermId>,
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

impl TermStore {
    /// An empty store.
    pub fn new() -> Self {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        Self {
            entries: IdVec::new(),
            variables: IdVec::new(),
            constants: IdVec::new(),
            interned: FxHashMap::default(),
            interned_constants: FxHashMap::default(),
            float_notes: FxHashMap::default(),
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            rewriting: Rewriting::default(),
        }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The term's operation and operands.
    pub fn term(&self, id: TermId) -> Term {
        self.entries[id].term
    }

    /// The term's width.
    pub fn width(&self, id: TermId) -> u32 {
        self.entries[id].facts.width()
    }

    /// What holds of the term under every assignment.
    pub fn facts(&self, id: TermId) -> &Facts {
        &self.entries[id].facts
    }

    /// The term's value, if it is a constant.
    pub fn as_const(&self, id: TermId) -> Option<Bits> {
        if let Term::Const(constant) = self.term(id) { Some(self.constants[constant]) } else { None }
    }

    /// `Some(true)` or `Some(false)` if the term is that constant.
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        self.as_const(id).filter(|bits| bits.width() == 1).map(Bits::is_one)
    }

    /// True if the term is the constant true.
    pub fn is_true(&self, id: TermId) -> bool {
        self.as_bool(id) == Some(true)
    }

    /// True if the term is the constant false.
    pub fn is_false(&self, id: TermId) -> bool {
        self.as_bool(id) == Some(false)
    }

    /// The stored constant.
    pub fn constant_value(&self, constant: ConstId) -> Bits {
        self.constants[constant]
    }

    /// The variable's name, as it was given.
    pub fn variable_name(&self, variable: VarId) -> &str {
        &self.variables[variable].name
    }

    /// The term of the variable.
    pub fn variable_term(&self, variable: VarId) -> TermId {
        self.variables[variable].term
    }

    /// All variables, in the order of their making.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + use<> {
        self.variables.ids()
    }

    pub(super) fn serial(&self) -> u64 {
        self.serial
    }

    /// The constant with this value.
    pub fn constant(&mut self, value: Bits) -> TermId {
        if let Some(&known) = self.interned_constants.get(&value) {
            return known;
        }
        let constant = self.constants.push(value);
        let id = self.entries.push(Entry { term: Term::Const(constant), facts: Facts::of_constant(value) });
        self.interned_constants.insert(value, id);
        id
    }

    /// The constant of `width` bits with the low bits of `value`.
    pub fn number(&mut self, width: u32, value: u128) -> TermId {
        self.constant(Bits::new(width, value))
    }

    /// The constant true or false.
    pub fn boolean(&mut self, value: bool) -> TermId {
        self.constant(Bits::from_bool(value))
    }

    /// A variable unequal to all before it. Names need not differ.
    pub fn variable(&mut self, name: impl Into<String>, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "variable of width {width}");
        let variable = self.variables.next_id();
        let id = self.entries.push(Entry { term: Term::Var(variable), facts: Facts::unknown(width) });
        self.variables.push(Variable { name: name.into(), term: id });
        id
    }

    /// The id of exactly this operation, without simplification: what tests compare against.
    #[cfg(test)]
    pub(super) fn intern(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.interned.get(&term) {
            return known;
        }
        let width = self.width_of(term);
        let facts = Facts::of_term(self, term, width);
        let id = self.entries.push(Entry { term, facts });
        self.interned.insert(term, id);
        id
    }

    /// The id of this operation, or of a constant if the facts leave it one value only.
    pub(super) fn intern_or_pin(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.interned.get(&term) {
            return known;
        }
        let width = self.width_of(term);
        let facts = Facts::of_term(self, term, width);
        if let Some(value) = facts.pinned() {
            return self.constant(value);
        }
        let id = self.entries.push(Entry { term, facts });
        self.interned.insert(term, id);
        id
    }

    fn width_of(&self, term: Term) -> u32 {
        match term {
            Term::Const(constant) => self.constants[constant].width(),
            Term::Var(variable) => self.width(self.variables[variable].term),
            Term::Not(a) | Term::Neg(a) => self.width(a),
            Term::And(a, b) | Term::Xor(a, b) => self.common_width(a, b),
            Term::Add(a, b) | Term::Mul(a, b) | Term::Udiv(a, b) | Term::Urem(a, b) => self.common_width(a, b),
            Term::Shl(a, b) | Term::Lshr(a, b) | Term::Ashr(a, b) => self.common_width(a, b),
            Term::Concat(a, b) => {
                let width = self.width(a) + self.width(b);
                assert!(width <= MAX_WIDTH, "concatenation of {width} bits");
                width
            }
            Term::Extract { high, low, arg } => {
                assert!(low <= high && high < self.width(arg), "extract {high}..{low} of {} bits", self.width(arg));
                high - low + 1
            }
            Term::Zext { arg, width } | Term::Sext { arg, width } => {
                assert!(self.width(arg) <= width && width <= MAX_WIDTH, "extension to {width} bits");
                width
            }
            Term::Ite(c, a, b) => {
                assert_eq!(self.width(c), 1, "a condition has one bit");
                self.common_width(a, b)
            }
            Term::Eq(a, b) | Term::Ult(a, b) | Term::Slt(a, b) => {
                self.common_width(a, b);
                1
            }
        }
    }

    pub(super) fn common_width(&self, a: TermId, b: TermId) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands of different widths");
        width
    }

    /// The terms that `roots` consist of, each once, operands before the terms that use them.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; self.len()];
        let mut stack = roots.to_vec();
        let mut reached = Vec::new();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                reached.push(id);
                stack.extend(self.term(id).operands());
            }
        }
        reached.sort_unstable();
        reached
    }
}
