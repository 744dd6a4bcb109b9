//! What terms mean as floats.
//!
//! A circuit of a product is thousands of terms, of which nobody sees any more that they multiply. So where a circuit is built, the term that
//! comes out is *noted*: it is the result of this operation on these operands, or it says whether they compare so. A note is a fact about
//! the term under every assignment, like [`Facts`](super::super::Facts): whoever meets the term may take the note instead of the
//! circuit. It does not matter how the term was built or that equal terms are one; only the first note of a term is kept.
//!
//! Operands in a note have smaller ids than the noted term, so that notes, like operands, never form a cycle.

use super::super::term::{Term, TermId, TermStore};
use super::{Format, Rounded, Rounding};

/// An operation whose result is a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOperation {
    /// The sum.
    Add(TermId, TermId),
    /// The product.
    Mul(TermId, TermId),
    /// The quotient.
    Div(TermId, TermId),
    /// The product of the first two plus the third, rounded once.
    Fma(TermId, TermId, TermId),
    /// The square root.
    Sqrt(TermId),
    /// The number with the other sign.
    Neg(TermId),
    /// The number without its sign.
    Abs(TermId),
    /// The nearest to a float of another format.
    Convert {
        /// The operand's format.
        from: Format,
        /// The operand.
        arg: TermId,
    },
    /// The nearest to an integer.
    FromInt {
        /// Whether its bits are read as signed.
        signed: bool,
        /// The operand.
        arg: TermId,
    },
    /// A whole number.
    Round {
        /// Which one.
        rounding: Rounding,
        /// The operand.
        arg: TermId,
    },
}

impl FloatOperation {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let operands = match self {
            FloatOperation::Add(a, b) | FloatOperation::Mul(a, b) | FloatOperation::Div(a, b) => {
                [Some(a), Some(b), None]
            }
            FloatOperation::Fma(a, b, c) => [Some(a), Some(b), Some(c)],
            FloatOperation::Sqrt(a) | FloatOperation::Neg(a) | FloatOperation::Abs(a) => [Some(a), None, None],
            FloatOperation::Convert { arg, .. }
            | FloatOperation::FromInt { arg, .. }
            | FloatOperation::Round { arg, .. } => [Some(arg), None, None],
        };
        operands.into_iter().flatten()
    }
}

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatNote {
    /// The encoding of an operation's result, and anything where that is a NaN.
    Number(Format, FloatOperation),
    /// The encoding of an operation's result, and some NaN where that is a NaN.
    Value(Format, FloatOperation),
    /// Whether an operation's result is a NaN.
    Undefined(Format, FloatOperation),
    /// Whether a float is a NaN.
    IsNan(Format, TermId),
    /// Whether one float is less than another, and anything where one of them is a NaN.
    Less(Format, TermId, TermId),
    /// The float rounded towards zero as an integer, and anything where it does not fit.
    Truncated {
        /// The float's format.
        format: Format,
        /// Whether the integer's type is signed.
        signed: bool,
        /// The bits of the integer's type.
        width: u32,
        /// The float.
        arg: TermId,
    },
    /// Whether the float rounded towards zero fits an integer type.
    Fits {
        /// The float's format.
        format: Format,
        /// Whether the integer's type is signed.
        signed: bool,
        /// The bits of the integer's type.
        width: u32,
        /// The float.
        arg: TermId,
    },
}

impl FloatNote {
    /// The operands, in order.
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let operands: Vec<TermId> = match self {
            FloatNote::Number(_, operation) | FloatNote::Value(_, operation) | FloatNote::Undefined(_, operation) => {
                operation.operands().collect()
            }
            FloatNote::IsNan(_, arg) | FloatNote::Truncated { arg, .. } | FloatNote::Fits { arg, .. } => vec![arg],
            FloatNote::Less(_, x, y) => vec![x, y],
        };
        operands.into_iter()
    }
}

impl TermStore {
    /// Notes what a term is, unless that is known or of no use.
    pub(super) fn note(&mut self, term: TermId, note: FloatNote) {
        // A disjunction is the complement of a conjunction, and its complement is that conjunction: whoever uses it meets that.
        let (term, negated) = match self.term(term) {
            Term::Not(inner) if self.width(term) == 1 => (inner, true),
            _ => (term, false),
        };
        if self.as_const(term).is_none() && note.operands().all(|operand| operand < term) {
            let known = self.float_notes.entry(term).or_insert((note, negated));
            // The same operation, with a word on its NaNs.
            if matches!((known.0, note), (FloatNote::Number(_, a), FloatNote::Value(_, b)) if a == b) {
                *known = (note, negated);
            }
        }
    }

    /// Notes the two terms of an operation's result.
    pub(super) fn attach_note(
        &mut self,
        format: Format,
        operation: FloatOperation,
        bits: TermId,
        nan: TermId,
    ) -> Rounded {
        self.note(bits, FloatNote::Number(format, operation));
        self.note(nan, FloatNote::Undefined(format, operation));
        Rounded { bits, nan, operation: Some((format, operation)) }
    }

    /// What the term is as a float, or of floats, if that is noted; with true, the complement of that.
    pub fn float_note(&self, term: TermId) -> Option<(FloatNote, bool)> {
        self.float_notes.get(&term).copied()
    }

    /// True if some term is a float.
    pub fn has_floats(&self) -> bool {
        !self.float_notes.is_empty()
    }

    /// The result of an operation as one term: `nan`, which must be one, where it is a NaN.
    pub fn float_value(&mut self, result: Rounded, nan: TermId) -> TermId {
        let value = self.ite(result.nan, nan, result.bits);
        if let Some((format, operation)) = result.operation {
            self.note(value, FloatNote::Value(format, operation));
        }
        value
    }

    /// The number without its sign, of a NaN too.
    pub fn float_abs(&mut self, format: Format, x: TermId) -> TermId {
        let magnitude = self.extract(format.width() - 2, 0, x);
        let value = self.zext(magnitude, format.width());
        self.note(value, FloatNote::Value(format, FloatOperation::Abs(x)));
        value
    }
}
