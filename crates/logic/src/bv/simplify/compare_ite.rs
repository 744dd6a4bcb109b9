//! Comparisons of selections.
//!
//! `(c ? k : x) = m` with constants `k` and `m` is decided in one arm, so the comparison moves into
//! the other and the selection becomes "and" or "or". A comparison is never moved where it would
//! stay in both arms: that doubles it.

use super::super::term::{Term, TermId, TermStore};

type Comparison = fn(&mut TermStore, TermId, TermId) -> TermId;

impl TermStore {
    /// `compare(a, b)` moved into the arms of a selection, if one arm decides it.
    pub(super) fn compare_selections(&mut self, a: TermId, b: TermId, compare: Comparison) -> Option<TermId> {
        if let (Term::Ite(c, x, y), Term::Ite(d, z, w)) = (self.term(a), self.term(b))
            && c == d
        {
            if !self.decided(x, z) && !self.decided(y, w) {
                return None;
            }
            let (then, otherwise) = self.cascade(|store| (compare(store, x, z), compare(store, y, w)))?;
            return Some(self.ite(c, then, otherwise));
        }
        if let Term::Ite(c, x, y) = self.term(a)
            && (self.decided(x, b) || self.decided(y, b))
        {
            let (then, otherwise) = self.cascade(|store| (compare(store, x, b), compare(store, y, b)))?;
            return Some(self.ite(c, then, otherwise));
        }
        if let Term::Ite(c, x, y) = self.term(b)
            && (self.decided(a, x) || self.decided(a, y))
        {
            let (then, otherwise) = self.cascade(|store| (compare(store, a, x), compare(store, a, y)))?;
            return Some(self.ite(c, then, otherwise));
        }
        None
    }

    /// True if every comparison of the two is a constant.
    fn decided(&self, a: TermId, b: TermId) -> bool {
        a == b || self.as_const(a).is_some() && self.as_const(b).is_some()
    }
}
