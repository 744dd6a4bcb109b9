//! Arithmetic circuits over words, the least significant literal first.
//!
//! Sums ripple through full adders of which sum and carry are one gate each; comparison is the
//! carry of a subtraction. Products are shifted sums, by a constant over its signed digits (at most
//! half of them are nonzero). Division restores: a subtraction and a selection for each bit of the
//! quotient. With a zero divisor each subtraction succeeds, so that the quotient is all ones and the
//! remainder the dividend, as SMT-LIB wants, without a case of its own. Shifts are a stage of
//! selections for each bit of the amount that can matter.

use rustsat::types::Lit;

use super::super::value::Bits;
use super::gates::{FALSE, Gates, TRUE};

/// A word of literals, the least significant first.
pub type Word = Vec<Lit>;

impl Gates {
    /// `a + b + carry`, and the carry out.
    pub fn add_words(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.parity(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// `a - b`, and a literal that is true if nothing was borrowed.
    pub fn subtract_words(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let complement: Word = b.iter().map(|&literal| !literal).collect();
        self.add_words(a, &complement, TRUE)
    }

    /// `start + x · factor`.
    pub fn add_scaled(&mut self, start: Word, x: &[Lit], factor: Bits) -> Word {
        let mut sum = start;
        for (shift, digit) in signed_digits(factor) {
            let shifted = shifted_left(x, shift);
            let (next, _) = match digit {
                Digit::Plus => self.add_words(&sum, &shifted, FALSE),
                Digit::Minus => self.subtract_words(&sum, &shifted),
            };
            sum = next;
        }
        sum
    }

    /// `a · b`, with a row for each bit of the operand that has fewer unknown bits.
    pub fn multiply_words(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let unknown = |word: &[Lit]| word.iter().filter(|&&literal| literal != FALSE).count();
        let (rows, columns) = if unknown(a) <= unknown(b) { (a, b) } else { (b, a) };
        let mut sum = vec![FALSE; a.len()];
        for (shift, &row) in rows.iter().enumerate() {
            if row != FALSE {
                let summand: Word = columns[..a.len() - shift].iter().map(|&column| self.and(row, column)).collect();
                let (high, _) = self.add_words(&sum[shift..], &summand, FALSE);
                sum.splice(shift.., high);
            }
        }
        sum
    }

    /// The unsigned quotient and remainder.
    pub fn divide_words(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        let mut quotient = vec![FALSE; width];
        let mut rest = vec![FALSE; width];
        for index in (0..width).rev() {
            // Twice a remainder below the divisor, plus a bit, needs one bit more than the divisor.
            let mut doubled = vec![a[index]];
            doubled.extend_from_slice(&rest);
            let (difference, fits) = self.subtract_words(&doubled, &divisor);
            quotient[index] = fits;
            rest = (0..width).map(|bit| self.mux(fits, difference[bit], doubled[bit])).collect();
        }
        (quotient, rest)
    }

    /// `a < b`, unsigned: the borrow of `a - b`.
    pub fn less_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(FALSE, |less, (&x, &y)| self.majority(!x, y, less))
    }

    /// `a < b`, signed: the sign bits weigh the other way.
    pub fn signed_less_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let below = self.less_words(&a[..top], &b[..top]);
        self.majority(a[top], !b[top], below)
    }

    /// All literals agree.
    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let differences: Word = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.and_many(&differences)
    }

    /// `a` if `condition`, else `b`.
    pub fn select_words(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.mux(condition, x, y)).collect()
    }

    /// `a` moved towards the most significant bit.
    pub fn shift_left_words(&mut self, a: &[Lit], amount: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right_words(&reversed, amount, FALSE);
        shifted.reverse();
        shifted
    }

    /// `a` moved towards the least significant bit, filled with `fill`.
    pub fn shift_right_words(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        // Stage s moves by 2^s. Amounts from the width up to 2^stages empty the word by themselves.
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut word = a.to_vec();
        for (stage, &condition) in amount.iter().enumerate().take(stages) {
            let distance = 1 << stage;
            word = (0..width)
                .map(|bit| {
                    let from = word.get(bit + distance).copied().unwrap_or(fill);
                    self.mux(condition, from, word[bit])
                })
                .collect();
        }
        let beyond = self.or_many(amount.get(stages..).unwrap_or(&[]));
        word.iter().map(|&literal| self.mux(beyond, fill, literal)).collect()
    }
}

/// A nonzero digit of a signed-digit number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digit {
    /// 1
    Plus,
    /// -1
    Minus,
}

/// The nonzero digits of `factor` modulo 2^width in non-adjacent form, with their positions.
pub fn signed_digits(factor: Bits) -> Vec<(u32, Digit)> {
    let mut digits = Vec::new();
    let mut carry = false;
    for index in 0..factor.width() {
        let odd = factor.bit(index) != carry;
        let next = factor.bit(index + 1);
        if odd {
            digits.push((index, if next { Digit::Minus } else { Digit::Plus }));
            carry = next;
        } else {
            carry &= factor.bit(index);
        }
    }
    digits
}

fn shifted_left(word: &[Lit], amount: u32) -> Word {
    let zeros = std::iter::repeat_n(FALSE, amount as usize);
    zeros.chain(word.iter().copied()).take(word.len()).collect()
}
