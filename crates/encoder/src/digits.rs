//! When two places in an array of several dimensions are the same.
//!
//! Two offsets `4000 * i + 4 * j` and `4000 * x + 4 * y` with `j` and `y` below 1000 are equal only if `i` is `x` and `j` is `y`: these are the digits of a number with
//! mixed bases. Solvers that see bits find that out again and again, with much work; so it is told to them.
//!
//! **Soundness.** What is required holds for all values of the variables, so that it takes no run away. Let the factors be s₀ > s₁ > … > sₙ > 0 and
//! eₖ the quotient of sₖ₋₁ (for k = 0 of 2^w) by sₖ, rounded down. If 0 ≤ xₖ < eₖ for all k, the summands after the k-th one are together
//! at most (sₖ - sₖ₊₁) + (sₖ₊₁ - sₖ₊₂) + … = sₖ - sₙ, which is below sₖ; and the whole sum is at most 2^w - sₙ, so it does not wrap. Where two such sums are equal, the first
//! digits are: otherwise the sums would differ by at least s₀, less what comes after, which is below s₀. Likewise the second ones, and so on. A constant that is added on both sides changes nothing.

use belay_logic::bv::{Bits, TermId};

use super::Store;
use super::execution::Execution;

impl Store<'_> {
    /// An offset as multiples of these factors, one term for each, and what is left over.
    fn digits(&mut self, offset: TermId, factors: &[u128]) -> Option<(Vec<TermId>, i128)> {
        let width = self.terms.width(offset);
        let (constant, atoms) = self.terms.summands(offset);
        let mut left = constant.to_i128()?;
        let mut digits = Vec::new();
        for factor in factors {
            let mut having = atoms.iter().filter(|(_, known)| known.to_u128() == Some(*factor));
            let atom = having.next().map(|(atom, _)| *atom);
            if having.next().is_some() {
                return None;
            }
            let signed = i128::try_from(*factor).ok()?;
            let more = left / signed;
            left -= more * signed;
            let more = self.terms.constant(Bits::from_signed(width, more));
            digits.push(atom.map_or(more, |atom| self.terms.add(atom, more)));
        }
        Some((digits, left))
    }
}

impl Execution<'_, '_> {
    /// Requires that two offsets are the same (as `same` says) only if their digits are.
    pub(super) fn require_digits(&mut self, x: TermId, y: TermId, same: TermId) {
        if !self.has_nested_rows || self.store.terms.as_bool(same).is_some() || !self.compared.insert((x, y)) {
            return;
        }
        let width = self.store.terms.width(x);
        let ((_, left), (_, right)) = (self.store.terms.summands(x), self.store.terms.summands(y));
        let factor = |(_, factor): &(TermId, Bits)| factor.to_u128();
        let Some(mut factors) = left.iter().chain(&right).map(factor).collect::<Option<Vec<u128>>>() else { return };
        factors.sort_unstable_by_key(|factor| std::cmp::Reverse(*factor));
        factors.dedup();
        if factors.len() < 2 || width > 64 {
            return;
        }
        let (Some((a, rest)), Some((b, other))) = (self.store.digits(x, &factors), self.store.digits(y, &factors))
        else {
            return;
        };
        if rest != other {
            return;
        }
        let mut above = 1u128 << width;
        let (mut small, mut equal) = (Vec::new(), Vec::new());
        for ((factor, p), q) in factors.into_iter().zip(a).zip(b) {
            let base = self.store.terms.number(width, above / factor);
            above = factor;
            small.extend([self.store.terms.ult(p, base), self.store.terms.ult(q, base)]);
            equal.push(self.store.terms.eq(p, q));
        }
        let (small, equal) = (self.store.terms.and_all(small), self.store.terms.and_all(equal));
        let follows = self.store.terms.implies(same, equal);
        let required = self.store.terms.implies(small, follows);
        self.store.require(required);
        let required = self.store.terms.implies(equal, same);
        self.store.require(required);
    }
}
