//! Concatenation, extraction and extension: the operations of a memory made of bytes.
//!
//! A word stored byte by byte and read back is a concatenation of extractions of itself; the rules
//! here give the word again, also after the bytes went through conditional writes. All of these
//! operations are wiring and cost nothing in a circuit, so they may be duplicated freely.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

/// How many additions and products an extraction of low bits looks through at a time.
const TRUNCATION_DEPTH: u32 = 3;

impl TermStore {
    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        if let Some(above) = self.as_const(high) {
            if let Some(below) = self.as_const(low) {
                return self.constant(above.concat(below));
            }
            if above.is_zero() {
                return self.zext(low, width);
            }
        }
        if let Term::Zext { arg, .. } = self.term(high) {
            let inner = self.concat(arg, low);
            return self.zext(inner, width);
        }
        if let Some(merged) = self.merge_slices(high, low) {
            return merged;
        }
        if let Some(joined) = self.concat_selections(high, low) {
            return joined;
        }
        if let Term::Concat(top, middle) = self.term(high)
            && let Some(rest) = self.cascade(|store| store.concat(middle, low))
        {
            return self.concat(top, rest);
        }
        if let Term::Concat(middle, bottom) = self.term(low)
            && let Some(merged) = self.merge_slices(high, middle)
        {
            return self.concat(merged, bottom);
        }
        self.intern_or_pin(Term::Concat(high, low))
    }

    /// Two neighbouring constants, or two neighbouring slices of the same term, as one.
    fn merge_slices(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(above), Some(below)) = (self.as_const(high), self.as_const(low)) {
            return Some(self.constant(above.concat(below)));
        }
        let ((upper, top, middle), (lower, next, bottom)) = (self.as_slice(high), self.as_slice(low));
        (upper == lower && middle == next + 1).then(|| self.extract(top, bottom, upper))
    }

    /// The term that this is a slice of, with the highest and the lowest bit.
    fn as_slice(&self, id: TermId) -> (TermId, u32, u32) {
        if let Term::Extract { high, low, arg } = self.term(id) {
            return (arg, high, low);
        }
        (id, self.width(id) - 1, 0)
    }

    /// Two selections under one condition, as one. Results are remembered, because the bytes of a
    /// word that went through many conditional writes ask for the same pairs again and again.
    fn concat_selections(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (Term::Ite(c, a, b), Term::Ite(d, x, y)) = (self.term(high), self.term(low)) else { return None };
        if c != d {
            return None;
        }
        if let Some(&known) = self.rewriting.joined.get(&(high, low)) {
            return Some(known);
        }
        let (then, otherwise) = self.cascade(|store| (store.concat(a, x), store.concat(b, y)))?;
        let joined = self.ite(c, then, otherwise);
        self.rewriting.joined.insert((high, low), joined);
        Some(joined)
    }

    /// Bits `high` down to `low` of `a`, both included.
    pub fn extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        assert!(low <= high && high < self.width(a), "extract {high}..{low} of {} bits", self.width(a));
        if low == 0 && high + 1 == self.width(a) {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.extract(high, low));
        }
        let moved = self.extract_wiring(high, low, a).or_else(|| self.extract_logic(high, low, a));
        moved.unwrap_or_else(|| self.intern_or_pin(Term::Extract { high, low, arg: a }))
    }

    /// An extraction from other wiring.
    fn extract_wiring(&mut self, high: u32, low: u32, a: TermId) -> Option<TermId> {
        if let Term::Extract { low: base, arg, .. } = self.term(a) {
            return self.cascade(|store| store.extract(high + base, low + base, arg));
        }
        if let Term::Concat(above, below) = self.term(a) {
            let split = self.width(below);
            if high < split {
                return self.cascade(|store| store.extract(high, low, below));
            }
            if low >= split {
                return self.cascade(|store| store.extract(high - split, low - split, above));
            }
            let (top, bottom) =
                self.cascade(|store| (store.extract(high - split, 0, above), store.extract(split - 1, low, below)))?;
            return Some(self.concat(top, bottom));
        }
        if let Term::Zext { arg, .. } = self.term(a) {
            return self.extract_extension(high, low, arg, TermStore::zext);
        }
        if let Term::Sext { arg, .. } = self.term(a) {
            let sign = self.width(arg) - 1;
            if low > sign {
                return self.extract_extension(sign + high - low, sign, arg, TermStore::sext);
            }
            return self.extract_extension(high, low, arg, TermStore::sext);
        }
        None
    }

    /// Bits of an extension of `arg`; `extend` tells which one.
    fn extract_extension(
        &mut self,
        high: u32,
        low: u32,
        arg: TermId,
        extend: fn(&mut Self, TermId, u32) -> TermId,
    ) -> Option<TermId> {
        let inner = self.width(arg);
        if high < inner {
            return self.cascade(|store| store.extract(high, low, arg));
        }
        if low >= inner {
            return Some(self.constant(Bits::zero(high - low + 1)));
        }
        let kept = self.cascade(|store| store.extract(inner - 1, low, arg))?;
        Some(extend(self, kept, high - low + 1))
    }

    /// An extraction from an operation that works bit by bit, or from the low bits upwards.
    fn extract_logic(&mut self, high: u32, low: u32, a: TermId) -> Option<TermId> {
        if let Some(folded) = self.map_const_ite(a, |value| value.extract(high, low)) {
            return Some(folded);
        }
        if let Some(x) = self.as_not(a) {
            let kept = self.cascade(|store| store.extract(high, low, x))?;
            return Some(self.not(kept));
        }
        if let Term::And(x, mask) | Term::Xor(x, mask) = self.term(a)
            && self.as_const(mask).is_some()
        {
            let is_and = matches!(self.term(a), Term::And(..));
            let (x, mask) = self.cascade(|store| (store.extract(high, low, x), store.extract(high, low, mask)))?;
            return Some(if is_and { self.and(x, mask) } else { self.xor(x, mask) });
        }
        if let Some((x, factor)) = self.as_scaled(a)
            && let Some(shift) = factor.exponent()
            && shift <= low
        {
            return self.cascade(|store| store.extract(high - shift, low - shift, x));
        }
        if let Term::Ite(c, x, y) = self.term(a)
            && (self.as_const(x).is_some() || self.as_const(y).is_some())
        {
            let (x, y) = self.cascade(|store| (store.extract(high, low, x), store.extract(high, low, y)))?;
            return Some(self.ite(c, x, y));
        }
        if low == 0 && self.truncates_freely(a, TRUNCATION_DEPTH) { self.truncate_arithmetic(high, a) } else { None }
    }

    /// True if the low bits of the term are a sum or product of wiring: C widens, computes and
    /// narrows again.
    fn truncates_freely(&self, a: TermId, depth: u32) -> bool {
        let operand = |x: TermId| {
            self.as_const(x).is_some()
                || matches!(self.term(x), Term::Zext { .. } | Term::Sext { .. } | Term::Concat(..))
                || depth > 0 && self.truncates_freely(x, depth - 1)
        };
        if let Term::Add(x, y) | Term::Mul(x, y) = self.term(a) {
            return operand(x) && operand(y);
        }
        if let Term::Neg(x) = self.term(a) { operand(x) } else { false }
    }

    fn truncate_arithmetic(&mut self, high: u32, a: TermId) -> Option<TermId> {
        if let Term::Neg(x) = self.term(a) {
            let kept = self.cascade(|store| store.extract(high, 0, x))?;
            return Some(self.neg(kept));
        }
        if let Term::Add(x, y) | Term::Mul(x, y) = self.term(a) {
            let is_sum = matches!(self.term(a), Term::Add(..));
            let (x, y) = self.cascade(|store| (store.extract(high, 0, x), store.extract(high, 0, y)))?;
            return Some(if is_sum { self.add(x, y) } else { self.mul(x, y) });
        }
        None
    }

    /// `a` extended with zeros to `width`.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) == width {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.zext(width));
        }
        if let Term::Zext { arg, .. } = self.term(a) {
            return self.intern_or_pin(Term::Zext { arg, width });
        }
        if self.width(a) == 1 {
            return self.extend_bool(a, Bits::one(width));
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.zext(width)) {
            return folded;
        }
        self.intern_or_pin(Term::Zext { arg: a, width })
    }

    /// `a` extended with its sign bit to `width`.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) == width {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(value.sext(width));
        }
        if self.facts(a).is_nonnegative() {
            return self.zext(a, width);
        }
        if let Term::Sext { arg, .. } = self.term(a) {
            return self.intern_or_pin(Term::Sext { arg, width });
        }
        if self.width(a) == 1 {
            return self.extend_bool(a, Bits::ones(width));
        }
        if let Some(folded) = self.map_const_ite(a, |value| value.sext(width)) {
            return folded;
        }
        self.intern_or_pin(Term::Sext { arg: a, width })
    }

    /// A Boolean as a number is a selection between two constants, so that all rules for those
    /// apply to it.
    fn extend_bool(&mut self, condition: TermId, one: Bits) -> TermId {
        let zero = self.constant(Bits::zero(one.width()));
        let one = self.constant(one);
        self.ite(condition, one, zero)
    }
}
