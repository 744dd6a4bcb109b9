//! Parts of a formula by themselves: terms copied into a store of their own, with some terms in them replaced by new variables.
//!
//! **Idea.** A question about one part of a long program drags in everything that came before, if only because control had to get there. Replacing a
//! term, such as the condition under which control gets there, by a variable of its width cuts that off.
//!
//! **Soundness.** Every assignment of the original's variables becomes one of the copy's: the variable that stands for a term gets the term's value, and by
//! induction over the terms each copy then has the value of its original. So what is unsatisfiable in the copy is so in the original. The converse
//! does not hold: a model of the copy need not be one of the original.

use rustc_hash::{FxHashMap, FxHashSet};

use super::term::{Term, TermId, TermStore};

/// Copies terms of one store into another.
pub struct LocalCopy<'s> {
    from: &'s TermStore,
    /// What is replaced.
    cut: &'s FxHashSet<TermId>,
    known: FxHashMap<TermId, TermId>,
}

impl<'s> LocalCopy<'s> {
    /// A copy of terms of `from`, with each term of `cut` replaced by a variable of its own.
    pub fn new(from: &'s TermStore, cut: &'s FxHashSet<TermId>) -> Self {
        Self { from, cut, known: FxHashMap::default() }
    }

    /// The copy of a term, if it has been made.
    pub fn known(&self, term: TermId) -> Option<TermId> {
        self.known.get(&term).copied()
    }

    /// The copy of a term.
    pub fn copy(&mut self, root: TermId, into: &mut TermStore) -> TermId {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let missing: Vec<TermId> = match self.is_leaf(term) {
                true => Vec::new(),
                false => self.from.term(term).operands().filter(|one| !self.known.contains_key(one)).collect(),
            };
            if missing.is_empty() {
                let made = self.make(term, into);
                self.known.insert(term, made);
                stack.pop();
            }
            stack.extend(missing);
        }
        self.known[&root]
    }

    fn is_leaf(&self, term: TermId) -> bool {
        self.cut.contains(&term) && self.from.as_const(term).is_none()
    }

    /// A term whose operands have been copied.
    fn make(&self, term: TermId, into: &mut TermStore) -> TermId {
        let width = self.from.width(term);
        if self.is_leaf(term) {
            return into.variable(format!("at {term}"), width);
        }
        let of = |operand: TermId| self.known[&operand];
        match self.from.term(term) {
            Term::Const(constant) => into.constant(self.from.constant_value(constant)),
            Term::Var(variable) => into.variable(self.from.variable_name(variable), width),
            Term::Not(a) => into.not(of(a)),
            Term::And(a, b) => into.and(of(a), of(b)),
            Term::Xor(a, b) => into.xor(of(a), of(b)),
            Term::Neg(a) => into.neg(of(a)),
            Term::Add(a, b) => into.add(of(a), of(b)),
            Term::Mul(a, b) => into.mul(of(a), of(b)),
            Term::Udiv(a, b) => into.udiv(of(a), of(b)),
            Term::Urem(a, b) => into.urem(of(a), of(b)),
            Term::Shl(a, b) => into.shl(of(a), of(b)),
            Term::Lshr(a, b) => into.lshr(of(a), of(b)),
            Term::Ashr(a, b) => into.ashr(of(a), of(b)),
            Term::Concat(a, b) => into.concat(of(a), of(b)),
            Term::Extract { high, low, arg } => into.extract(high, low, of(arg)),
            Term::Zext { arg, .. } => into.zext(of(arg), width),
            Term::Sext { arg, .. } => into.sext(of(arg), width),
            Term::Ite(condition, a, b) => into.ite(of(condition), of(a), of(b)),
            Term::Eq(a, b) => into.eq(of(a), of(b)),
            Term::Ult(a, b) => into.ult(of(a), of(b)),
            Term::Slt(a, b) => into.slt(of(a), of(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bv::{BvSolver, SatResult};
    use belay_base::Budget;

    fn answer(terms: &TermStore, condition: TermId) -> SatResult {
        BvSolver::new().check(terms, &[condition], &Budget::steps(10_000)).expect("a small question")
    }

    #[test]
    fn what_is_cut_may_have_any_value() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.variable("x", 8), terms.variable("y", 8));
        let small = terms.ult(x, y);
        let great = terms.ult(y, x);
        let both = terms.and(small, great);
        assert_eq!(answer(&terms, both), SatResult::Unsat);
        for (cut, expected) in [(None, SatResult::Unsat), (Some(small), SatResult::Sat)] {
            let cut: FxHashSet<TermId> = cut.into_iter().collect();
            let mut local = TermStore::new();
            let copied = LocalCopy::new(&terms, &cut).copy(both, &mut local);
            assert_eq!(answer(&local, copied), expected);
        }
    }

    #[test]
    fn deep_terms_are_copied() {
        let mut terms = TermStore::new();
        let x = terms.variable("x", 32);
        let mut sum = x;
        for _ in 0..100_000 {
            sum = terms.mul(sum, x);
            sum = terms.add(sum, x);
        }
        let (cut, mut local) = (FxHashSet::default(), TermStore::new());
        LocalCopy::new(&terms, &cut).copy(sum, &mut local);
        assert!(local.len() > 100_000);
    }
}
