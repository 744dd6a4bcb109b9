//! Bit-blasting: each term becomes a word of literals, each operation a circuit.
//!
//! A term is translated once and its literals are kept, so that a later query about a larger term
//! pays for what is new. The walk uses a stack of its own. All operations are complete at all
//! widths: nothing is abstracted, so satisfiability is preserved in both directions.

pub mod circuits;
pub mod gates;

use belay_base::{Budget, Exhausted, Id};
use rustsat::types::Lit;

use super::term::{Term, TermId, TermStore, VarId};
use super::value::Bits;
use circuits::{Word, signed_digits};
use gates::{FALSE, Gates, TRUE};

/// A sum takes a product with a constant into itself if that needs no more additions than this.
const INLINED_DIGITS: usize = 2;
/// The clock is read once in so many terms.
const TERMS_PER_CLOCK: usize = 64;
const ABSENT: usize = usize::MAX;

/// The literals of the terms translated so far.
#[derive(Debug, Default)]
pub struct Blaster {
    gates: Gates,
    literals: Vec<Lit>,
    starts: Vec<usize>,
    variables: Vec<(VarId, TermId)>,
    since_clock: usize,
}

impl Blaster {
    /// The circuit.
    pub fn gates(&mut self) -> &mut Gates {
        &mut self.gates
    }

    /// How many variables the clauses use.
    pub fn variable_count(&self) -> u32 {
        self.gates.variable_count()
    }

    /// The variables that have literals, with their terms.
    pub fn variables(&self) -> &[(VarId, TermId)] {
        &self.variables
    }

    /// The literals of a term, if it was translated.
    pub fn literals(&self, store: &TermStore, id: TermId) -> Option<&[Lit]> {
        let start = *self.starts.get(id.index()).filter(|&&start| start != ABSENT)?;
        Some(&self.literals[start..start + store.width(id) as usize])
    }

    /// Translates `root` and what it is made of. What is finished when the budget's clock ends the work is
    /// kept.
    pub fn translate(&mut self, store: &TermStore, root: TermId, budget: &Budget) -> Result<(), Exhausted> {
        if self.starts.len() < store.len() {
            self.starts.resize(store.len(), ABSENT);
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.is_translated(id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(inputs(store, id).filter(|&input| !self.is_translated(input)));
            if stack.len() == before {
                self.tick(budget)?;
                let word = self.circuit(store, id);
                self.starts[id.index()] = self.literals.len();
                self.literals.extend(word);
                stack.pop();
            }
        }
        Ok(())
    }

    fn tick(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        self.since_clock += 1;
        if self.since_clock < TERMS_PER_CLOCK {
            return Ok(());
        }
        self.since_clock = 0;
        budget.check_clock()
    }

    fn is_translated(&self, id: TermId) -> bool {
        self.starts[id.index()] != ABSENT
    }

    fn word(&self, store: &TermStore, id: TermId) -> Word {
        self.literals(store, id).expect("inputs are translated first").to_vec()
    }

    fn circuit(&mut self, store: &TermStore, id: TermId) -> Word {
        let word = |operand: TermId| self.word(store, operand);
        match store.term(id) {
            Term::Const(constant) => constant_word(store.constant_value(constant)),
            Term::Var(variable) => {
                self.variables.push((variable, id));
                (0..store.width(id)).map(|_| self.gates.fresh()).collect()
            }
            Term::Not(a) => word(a).into_iter().map(|literal| !literal).collect(),
            Term::And(a, b) => self.bitwise(store, a, b, Gates::and),
            Term::Xor(a, b) => self.bitwise(store, a, b, Gates::xor),
            Term::Neg(_) | Term::Add(..) => self.sum(store, id),
            Term::Mul(a, b) => self.product(store, a, b),
            Term::Udiv(a, b) => {
                let (a, b) = (word(a), word(b));
                self.gates.divide_words(&a, &b).0
            }
            Term::Urem(a, b) => {
                let (a, b) = (word(a), word(b));
                self.gates.divide_words(&a, &b).1
            }
            Term::Shl(a, b) => {
                let (a, b) = (word(a), word(b));
                self.gates.shift_left_words(&a, &b)
            }
            Term::Lshr(a, b) => {
                let (a, b) = (word(a), word(b));
                self.gates.shift_right_words(&a, &b, FALSE)
            }
            Term::Ashr(a, b) => {
                let (a, b) = (word(a), word(b));
                self.gates.shift_right_words(&a, &b, a[a.len() - 1])
            }
            Term::Concat(high, low) => [word(low), word(high)].concat(),
            Term::Extract { high, low, arg } => word(arg)[low as usize..=high as usize].to_vec(),
            Term::Zext { arg, width } => extended(word(arg), width, FALSE),
            Term::Sext { arg, width } => {
                let arg = word(arg);
                let sign = arg[arg.len() - 1];
                extended(arg, width, sign)
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (word(c)[0], word(a), word(b));
                self.gates.select_words(c, &a, &b)
            }
            Term::Eq(a, b) => {
                let (a, b) = (word(a), word(b));
                vec![self.gates.equal_words(&a, &b)]
            }
            Term::Ult(a, b) => {
                let (a, b) = (word(a), word(b));
                vec![self.gates.less_words(&a, &b)]
            }
            Term::Slt(a, b) => {
                let (a, b) = (word(a), word(b));
                vec![self.gates.signed_less_words(&a, &b)]
            }
        }
    }

    fn bitwise(&mut self, store: &TermStore, a: TermId, b: TermId, gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
        let (a, b) = (self.word(store, a), self.word(store, b));
        a.into_iter().zip(b).map(|(x, y)| gate(&mut self.gates, x, y)).collect()
    }

    fn sum(&mut self, store: &TermStore, id: TermId) -> Word {
        let mut summands = summands(store, id);
        // Starting with a plain operand makes the first addition a matter of wiring.
        summands.sort_by_key(|(_, factor)| !factor.is_one());
        let zero = vec![FALSE; store.width(id) as usize];
        summands.into_iter().fold(zero, |sum, (operand, factor)| {
            let word = self.word(store, operand);
            self.gates.add_scaled(sum, &word, factor)
        })
    }

    fn product(&mut self, store: &TermStore, a: TermId, b: TermId) -> Word {
        let word = self.word(store, a);
        if let Some(factor) = store.as_const(b) {
            let zero = vec![FALSE; word.len()];
            return self.gates.add_scaled(zero, &word, factor);
        }
        let other = self.word(store, b);
        self.gates.multiply_words(&word, &other)
    }
}

/// The terms whose literals the circuit of `id` is built from.
fn inputs(store: &TermStore, id: TermId) -> impl Iterator<Item = TermId> {
    let term = store.term(id);
    let is_sum = matches!(term, Term::Add(..) | Term::Neg(_));
    let summands = if is_sum { summands(store, id) } else { Vec::new() };
    let operands = term.operands().filter(move |_| !is_sum);
    summands.into_iter().map(|(operand, _)| operand).chain(operands)
}

/// A sum or negation as multiples of other terms, so that a difference is one subtraction.
fn summands(store: &TermStore, id: TermId) -> Vec<(TermId, Bits)> {
    let one = Bits::one(store.width(id));
    if let Term::Neg(a) = store.term(id) {
        return vec![(a, one.wrapping_neg())];
    }
    store.term(id).operands().map(|operand| summand(store, operand, one)).collect()
}

fn summand(store: &TermStore, operand: TermId, one: Bits) -> (TermId, Bits) {
    if let Term::Neg(a) = store.term(operand) {
        return (a, one.wrapping_neg());
    }
    if let Term::Mul(a, factor) = store.term(operand)
        && let Some(factor) = store.as_const(factor)
        && signed_digits(factor).len() <= INLINED_DIGITS
    {
        return (a, factor);
    }
    (operand, one)
}

fn constant_word(value: Bits) -> Word {
    (0..value.width()).map(|index| if value.bit(index) { TRUE } else { FALSE }).collect()
}

fn extended(mut word: Word, width: u32, fill: Lit) -> Word {
    word.resize(width as usize, fill);
    word
}
