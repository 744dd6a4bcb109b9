//! The constructors of terms, which simplify as they build.
//!
//! Each constructor tries its rules in order of cost: constants, identities, facts, structure. A
//! rule replaces a term by one that is equal under every assignment, so the order cannot make an
//! answer wrong; it decides how often a question is answered before a solver sees it.
//!
//! Two things keep this cheap. Structure is examined to a constant depth only. And a rule that
//! moves an operation into the operands of its operand (an extraction through a concatenation,
//! a comparison through a conditional) may start a cascade down a term 100,000 levels deep, or
//! across both arms of a conditional at each level: those rules run under [`TermStore::cascade`],
//! which bounds the depth and the number of steps a single constructor call can cause. When the bound is met
//! the plain operation is built; nothing but a simplification is lost.

mod add;
mod bitwise;
mod bytes;
mod compare;
mod compare_ite;
mod divide;
mod equal;
mod ite;
mod linear;
mod overflow;
mod range;
mod shift;
mod slice;

use super::term::{Term, TermId, TermStore};
use super::value::Bits;

/// How deep one cascade of rewriting may go.
const MAX_NESTING: u32 = 48;
/// How many steps one cascade may take.
const MAX_STEPS: u32 = 256;

impl TermStore {
    /// Runs a rewriting step that may cause further ones, or refuses if this constructor call
    /// has caused enough of them.
    fn cascade<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.rewriting.nesting == 0 {
            self.rewriting.fuel = MAX_STEPS;
        }
        if self.rewriting.fuel == 0 || self.rewriting.nesting >= MAX_NESTING {
            return None;
        }
        self.rewriting.fuel -= 1;
        self.rewriting.nesting += 1;
        let result = step(self);
        self.rewriting.nesting -= 1;
        Some(result)
    }

    /// The condition and the two values, if the term selects between two constants.
    fn as_const_ite(&self, id: TermId) -> Option<(TermId, Bits, Bits)> {
        if let Term::Ite(condition, a, b) = self.term(id) {
            Some((condition, self.as_const(a)?, self.as_const(b)?))
        } else {
            None
        }
    }

    /// `f(id)`, if the term selects between two constants: `f` moves onto them.
    fn map_const_ite(&mut self, id: TermId, f: impl Fn(Bits) -> Bits) -> Option<TermId> {
        let (condition, a, b) = self.as_const_ite(id)?;
        let (a, b) = (self.constant(f(a)), self.constant(f(b)));
        Some(self.ite(condition, a, b))
    }

    /// The operand, if the term is a complement.
    fn as_not(&self, id: TermId) -> Option<TermId> {
        if let Term::Not(a) = self.term(id) { Some(a) } else { None }
    }

    /// True if one term is the other's complement.
    fn complementary(&self, a: TermId, b: TermId) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }

    /// The operands in the order in which commutative operations keep them: a constant last,
    /// otherwise the older term first.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.as_const(a).is_some(), self.as_const(b).is_some()) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            (true, true) | (false, false) => (a.min(b), a.max(b)),
        }
    }
}
