//! Linear forms: a term as a constant plus multiples of other terms, modulo 2^width.
//!
//! Sums stay binary terms, so that a long chain `s + a + b + …` shares its prefixes and costs one
//! adder a link. The linear form is computed on demand, to a bounded number of summands, and used
//! where it makes something vanish: `(a + 4) - a` is 4, and `a + 4 = b + 4` is `a = b`. Addition
//! modulo 2^width is a commutative ring, so regrouping is sound without any assumption on overflow.

use super::super::term::{Term, TermId, TermStore};
use super::super::value::Bits;

/// How many operations a linear form looks through.
const OPERATIONS_SEARCHED: usize = 16;

/// `constant + Σ coefficient · atom`, the atoms in increasing order with nonzero coefficients.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub(super) constant: Bits,
    pub(super) atoms: Vec<(TermId, Bits)>,
}

impl Linear {
    fn add_atom(&mut self, atom: TermId, coefficient: Bits) {
        match self.atoms.binary_search_by_key(&atom, |&(known, _)| known) {
            Ok(index) => {
                let sum = self.atoms[index].1.wrapping_add(coefficient);
                self.atoms[index].1 = sum;
                if sum.is_zero() {
                    self.atoms.remove(index);
                }
            }
            Err(index) if !coefficient.is_zero() => self.atoms.insert(index, (atom, coefficient)),
            Err(_) => {}
        }
    }

    /// The sum of two forms.
    pub(super) fn plus(mut self, other: &Linear) -> Linear {
        self.constant = self.constant.wrapping_add(other.constant);
        for &(atom, coefficient) in &other.atoms {
            self.add_atom(atom, coefficient);
        }
        self
    }

    /// The form with all signs changed.
    pub(super) fn negated(mut self) -> Linear {
        self.constant = self.constant.wrapping_neg();
        for (_, coefficient) in &mut self.atoms {
            *coefficient = coefficient.wrapping_neg();
        }
        self
    }

    /// True if some atom is in both.
    pub(super) fn shares_atom(&self, other: &Linear) -> bool {
        let mut others = other.atoms.iter().map(|&(atom, _)| atom).peekable();
        self.atoms.iter().any(|&(atom, _)| {
            while others.peek().is_some_and(|&other| other < atom) {
                others.next();
            }
            others.peek() == Some(&atom)
        })
    }
}

impl TermStore {
    /// The term as a constant and multiples of other terms, whose sum it is modulo 2^width.
    pub fn summands(&self, id: TermId) -> (Bits, Vec<(TermId, Bits)>) {
        let form = self.linear(id);
        (form.constant, form.atoms)
    }

    /// The term's linear form.
    pub(super) fn linear(&self, id: TermId) -> Linear {
        let width = self.width(id);
        let mut form = Linear { constant: Bits::zero(width), atoms: Vec::new() };
        let mut stack = vec![(id, Bits::one(width))];
        let mut searched = 0;
        while let Some((id, factor)) = stack.pop() {
            searched += 1;
            if searched > OPERATIONS_SEARCHED || !self.expand(id, factor, &mut form, &mut stack) {
                form.add_atom(id, factor);
            }
        }
        form
    }

    /// Replaces `factor · id` by its summands; false if it is an atom.
    fn expand(&self, id: TermId, factor: Bits, form: &mut Linear, stack: &mut Vec<(TermId, Bits)>) -> bool {
        if let Some(value) = self.as_const(id) {
            form.constant = form.constant.wrapping_add(value.wrapping_mul(factor));
        } else if let Term::Add(a, b) = self.term(id) {
            stack.extend([(a, factor), (b, factor)]);
        } else if let Term::Neg(a) = self.term(id) {
            stack.push((a, factor.wrapping_neg()));
        } else if let Term::Not(a) = self.term(id) {
            form.constant = form.constant.wrapping_sub(factor);
            stack.push((a, factor.wrapping_neg()));
        } else if let Some((a, multiplier)) = self.as_scaled(id) {
            stack.push((a, factor.wrapping_mul(multiplier)));
        } else {
            return false;
        }
        true
    }

    /// The operand and the factor of a product with a constant.
    pub(super) fn as_scaled(&self, id: TermId) -> Option<(TermId, Bits)> {
        if let Term::Mul(a, factor) = self.term(id) { Some((a, self.as_const(factor)?)) } else { None }
    }

    /// The operand and the constant of a sum with a constant; zero for anything else.
    pub(super) fn as_offset(&self, id: TermId) -> (TermId, Bits) {
        if let Term::Add(a, offset) = self.term(id)
            && let Some(offset) = self.as_const(offset)
        {
            return (a, offset);
        }
        (id, Bits::zero(self.width(id)))
    }

    /// The term of a linear form.
    pub(super) fn sum_of(&mut self, form: &Linear) -> TermId {
        let mut sum = None;
        for &(atom, coefficient) in &form.atoms {
            let summand = self.scale(atom, coefficient);
            sum = Some(sum.map_or(summand, |sum| self.plain_add(sum, summand)));
        }
        match sum {
            Some(sum) => self.add_const(sum, form.constant),
            None => self.constant(form.constant),
        }
    }

    fn scale(&mut self, atom: TermId, coefficient: Bits) -> TermId {
        if coefficient.is_one() {
            return atom;
        }
        if coefficient.is_ones() {
            return self.intern_or_pin(Term::Neg(atom));
        }
        let coefficient = self.constant(coefficient);
        self.intern_or_pin(Term::Mul(atom, coefficient))
    }
}
