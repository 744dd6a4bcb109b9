//! Complement, conjunction, disjunction and exclusive disjunction, of Booleans as of words.
//!
//! There is no term for `or`: it is the complement of a conjunction of complements, so that
//! absorption and the search for a contradicting conjunct are written once.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

/// How many conjuncts are searched for a repeated or a contradicting one.
const CONJUNCTS_SEARCHED: usize = 8;

impl TermStore {
    /// Bitwise complement; of a Boolean, its negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        if let Some(value) = self.as_const(a) {
            return self.constant(value.complement());
        }
        if let Some(inner) = self.as_not(a) {
            return inner;
        }
        if self.width(a) > 1 {
            if let Some(folded) = self.map_const_ite(a, Bits::complement) {
                return folded;
            }
            if let Term::Xor(x, k) = self.term(a)
                && let Some(k) = self.as_const(k)
            {
                let flipped = self.constant(k.complement());
                return self.xor(x, flipped);
            }
        }
        self.intern_or_pin(Term::Not(a))
    }

    /// Bitwise conjunction; of Booleans, "and".
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.constant(Bits::zero(width));
        }
        if let Some(mask) = self.as_const(b) {
            return self.and_mask(a, mask);
        }
        if let Some(shorter) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return shorter;
        }
        if width == 1
            && let Some(decided) = self.and_comparisons(a, b)
        {
            return decided;
        }
        self.intern_or_pin(Term::And(a, b))
    }

    fn and_mask(&mut self, a: TermId, mask: Bits) -> TermId {
        let width = mask.width();
        if mask.is_ones() || mask.is_zero() {
            return if mask.is_zero() { self.constant(mask) } else { a };
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.and(mask));
        }
        let facts = self.facts(a);
        if facts.is_tracked() && mask.complement().to_u128().is_some_and(|cleared| cleared & !facts.zeros == 0) {
            return a;
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.and(mask)) {
            return folded;
        }
        if let Term::And(x, k) = self.term(a)
            && let Some(k) = self.as_const(k)
        {
            return self.and_mask(x, k.and(mask));
        }
        let kept = mask.complement().trailing_zeros();
        if mask.shift_right(kept).is_zero() {
            let low = self.extract(kept - 1, 0, a);
            return self.zext(low, width);
        }
        let mask = self.constant(mask);
        self.intern_or_pin(Term::And(a, mask))
    }

    /// `a & b` where `b` repeats, contradicts or absorbs `a`.
    fn absorb(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(disjunction) = self.as_not(b)
            && let Term::And(x, y) = self.term(disjunction)
        {
            return self.absorb_disjunction(a, x, y).or_else(|| self.absorb_disjunction(a, y, x));
        }
        let (left, right) = (self.conjuncts(a), self.conjuncts(b));
        if right.contains(&a) {
            return Some(b);
        }
        if left.iter().any(|&x| right.iter().any(|&y| self.complementary(x, y))) {
            return Some(self.constant(Bits::zero(self.width(a))));
        }
        None
    }

    /// The term and its conjuncts, as far as they are searched.
    fn conjuncts(&self, a: TermId) -> Vec<TermId> {
        let mut found = vec![a];
        let mut next = 0;
        while let Some(&conjunct) = found.get(next)
            && found.len() < CONJUNCTS_SEARCHED
        {
            if let Term::And(x, y) = self.term(conjunct) {
                found.extend([x, y]);
            }
            next += 1;
        }
        found
    }

    /// `a & !(x & y)`, by what is known of `x`.
    fn absorb_disjunction(&mut self, a: TermId, x: TermId, y: TermId) -> Option<TermId> {
        if self.complementary(a, x) {
            return Some(a);
        }
        if a == x {
            let not_y = self.not(y);
            return self.cascade(|store| store.and(a, not_y));
        }
        None
    }

    /// Bitwise disjunction; of Booleans, "or".
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(joined) = self.or_disjoint(a, b).or_else(|| self.or_disjoint(b, a)) {
            return joined;
        }
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// `high | low` where the operands occupy separate halves of the word: how C code puts bytes
    /// together.
    fn or_disjoint(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let width = self.common_width(high, low);
        let (above, below) = (self.facts(high), self.facts(low));
        let split = below.significant_bits();
        if !above.is_tracked() || split == 0 || split >= width || above.trailing_zeros() < split {
            return None;
        }
        let high = self.extract(width - 1, split, high);
        let low = self.extract(split - 1, 0, low);
        Some(self.concat(high, low))
    }

    /// Bitwise exclusive disjunction; of Booleans, "differs".
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.constant(Bits::zero(width));
        }
        if self.complementary(a, b) {
            return self.constant(Bits::ones(width));
        }
        if let Some(flips) = self.as_const(b) {
            return self.xor_const(a, flips);
        }
        if let Some(inner) = self.as_not(a)
            && let Some(plain) = self.cascade(|store| store.xor(inner, b))
        {
            return self.not(plain);
        }
        if let Some(inner) = self.as_not(b)
            && let Some(plain) = self.cascade(|store| store.xor(a, inner))
        {
            return self.not(plain);
        }
        if let Some(cancelled) = self.cancel_xor(a, b).or_else(|| self.cancel_xor(b, a)) {
            return cancelled;
        }
        self.intern_or_pin(Term::Xor(a, b))
    }

    fn xor_const(&mut self, a: TermId, flips: Bits) -> TermId {
        if flips.is_zero() {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.xor(flips));
        }
        if let Term::Xor(x, k) = self.term(a)
            && let Some(k) = self.as_const(k)
        {
            return self.xor_const(x, k.xor(flips));
        }
        if flips.is_ones() {
            return self.not(a);
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.xor(flips)) {
            return folded;
        }
        if let Some(inner) = self.as_not(a) {
            return self.xor_const(inner, flips.complement());
        }
        let flips = self.constant(flips);
        self.intern_or_pin(Term::Xor(a, flips))
    }

    /// `a ^ (a ^ y)`.
    fn cancel_xor(&self, a: TermId, b: TermId) -> Option<TermId> {
        if let Term::Xor(x, y) = self.term(b)
            && (x == a || y == a)
        {
            return Some(if x == a { y } else { x });
        }
        None
    }

    /// "`a` implies `b`", of Booleans.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of all conditions; true if there are none.
    pub fn and_all(&mut self, conditions: impl IntoIterator<Item = TermId>) -> TermId {
        let start = self.boolean(true);
        conditions.into_iter().fold(start, |all, condition| self.and(all, condition))
    }

    /// The disjunction of all conditions; false if there are none.
    pub fn or_all(&mut self, conditions: impl IntoIterator<Item = TermId>) -> TermId {
        let start = self.boolean(false);
        conditions.into_iter().fold(start, |any, condition| self.or(any, condition))
    }
}
