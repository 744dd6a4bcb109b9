//! Selection between two terms.

use super::super::term::{Term, TermId, TermStore};

impl TermStore {
    /// `a` if `condition`, else `b`.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        assert_eq!(self.width(condition), 1, "a condition has one bit");
        if let Some(decided) = self.as_bool(condition) {
            return if decided { a } else { b };
        }
        if let Some(negated) = self.as_not(condition) {
            return self.ite(negated, b, a);
        }
        let a = self.arm_under(condition, a, true);
        let b = self.arm_under(condition, b, false);
        if a == b || self.selects_equals(condition, a, b) {
            return b;
        }
        let rewritten = if width == 1 {
            self.ite_bool(condition, a, b)
        } else {
            self.merge_arms(condition, a, b).or_else(|| self.narrow_arms(condition, a, b))
        };
        rewritten.unwrap_or_else(|| self.intern_or_pin(Term::Ite(condition, a, b)))
    }

    /// The arm that is taken when `condition` is known, if it selects on the same condition.
    fn arm_under(&self, condition: TermId, arm: TermId, holds: bool) -> TermId {
        if let Term::Ite(inner, a, b) = self.term(arm)
            && inner == condition
        {
            return if holds { a } else { b };
        }
        arm
    }

    /// True for `x = y ? x : y`.
    fn selects_equals(&self, condition: TermId, a: TermId, b: TermId) -> bool {
        if let Term::Eq(x, y) = self.term(condition) { (x, y) == (a, b) || (x, y) == (b, a) } else { false }
    }

    fn ite_bool(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_true(a) || a == condition {
            return Some(self.or(condition, b));
        }
        if self.is_false(b) || b == condition {
            return Some(self.and(condition, a));
        }
        if self.is_false(a) || self.complementary(a, condition) {
            let not_condition = self.not(condition);
            return Some(self.and(not_condition, b));
        }
        if self.is_true(b) || self.complementary(b, condition) {
            return Some(self.implies(condition, a));
        }
        if self.complementary(a, b) {
            return Some(self.xor(condition, b));
        }
        None
    }

    /// One selection instead of two that share an arm.
    fn merge_arms(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        if let Term::Ite(inner, x, y) = self.term(b) {
            if x == a {
                let either = self.or(condition, inner);
                return self.cascade(|store| store.ite(either, a, y));
            }
            if y == a {
                let not_inner = self.not(inner);
                let either = self.or(condition, not_inner);
                return self.cascade(|store| store.ite(either, a, x));
            }
        }
        if let Term::Ite(inner, x, y) = self.term(a) {
            if y == b {
                let both = self.and(condition, inner);
                return self.cascade(|store| store.ite(both, x, b));
            }
            if x == b {
                let not_inner = self.not(inner);
                let both = self.and(condition, not_inner);
                return self.cascade(|store| store.ite(both, y, b));
            }
        }
        None
    }

    /// A selection of the bits below an extension that both arms have.
    fn narrow_arms(&mut self, condition: TermId, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let inner = match (self.zext_operand(a), self.zext_operand(b)) {
            (Some(x), Some(y)) => self.width(x).max(self.width(y)),
            (Some(x), None) if self.fits_constant(b, self.width(x)) => self.width(x),
            (None, Some(y)) if self.fits_constant(a, self.width(y)) => self.width(y),
            (Some(_), None) | (None, Some(_)) | (None, None) => return None,
        };
        let (x, y) = (self.extract(inner - 1, 0, a), self.extract(inner - 1, 0, b));
        let narrow = self.cascade(|store| store.ite(condition, x, y))?;
        Some(self.zext(narrow, width))
    }

    /// The operand, if the term extends with zeros.
    pub(super) fn zext_operand(&self, id: TermId) -> Option<TermId> {
        if let Term::Zext { arg, .. } = self.term(id) { Some(arg) } else { None }
    }

    /// The operand, if the term extends with its sign.
    pub(super) fn sext_operand(&self, id: TermId) -> Option<TermId> {
        if let Term::Sext { arg, .. } = self.term(id) { Some(arg) } else { None }
    }

    /// True for a constant that `width` bits can hold.
    fn fits_constant(&self, id: TermId, width: u32) -> bool {
        self.as_const(id).is_some_and(|value| value.shift_right(width).is_zero())
    }
}
