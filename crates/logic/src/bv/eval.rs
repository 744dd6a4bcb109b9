//! The value of a term under an assignment of its variables.
//!
//! This is the reference meaning of terms: one line an operation, no rewriting. Models of the SAT
//! solver are checked with it and the simplifier is tested against it. Values are kept between
//! calls, so that asking for many terms under one model computes each shared operand once.

use rustc_hash::FxHashMap;

use super::term::{Term, TermId, TermStore, VarId};
use super::value::Bits;

/// Values of variables; a variable without one is zero.
#[derive(Clone, Default, Debug)]
pub struct Model {
    values: FxHashMap<VarId, Bits>,
}

impl Model {
    /// All variables zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the variable a value.
    pub fn set(&mut self, variable: VarId, value: Bits) {
        self.values.insert(variable, value);
    }

    /// The variable's value, if it was given one.
    pub fn get(&self, variable: VarId) -> Option<Bits> {
        self.values.get(&variable).copied()
    }
}

/// Computes terms under one model.
#[derive(Clone, Default, Debug)]
pub struct Evaluator {
    model: Model,
    known: FxHashMap<TermId, Bits>,
}

impl Evaluator {
    /// An evaluator that knows the model only.
    pub fn new(model: Model) -> Self {
        Self { model, known: FxHashMap::default() }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of `root`. Always asked with the same store.
    pub fn eval(&mut self, store: &TermStore, root: TermId) -> Bits {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(store.term(id).operands().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == before {
                let value = self.apply(store, id);
                self.known.insert(id, value);
                stack.pop();
            }
        }
        self.at(root)
    }

    /// True if the Boolean term is true under the model.
    pub fn holds(&mut self, store: &TermStore, condition: TermId) -> bool {
        self.eval(store, condition).is_one()
    }

    fn at(&self, id: TermId) -> Bits {
        *self.known.get(&id).expect("operands are computed before the terms that use them")
    }

    fn apply(&self, store: &TermStore, id: TermId) -> Bits {
        match store.term(id) {
            Term::Const(constant) => store.constant_value(constant),
            Term::Var(variable) => self.model.get(variable).unwrap_or(Bits::zero(store.width(id))),
            term => apply(term, |operand| self.at(operand)).expect("neither a constant nor a variable"),
        }
    }
}

/// The value of an operation on values; `None` for constants and variables, which have no operands.
pub(super) fn apply(term: Term, at: impl Fn(TermId) -> Bits) -> Option<Bits> {
    Some(match term {
        Term::Const(_) | Term::Var(_) => return None,
        Term::Not(a) => at(a).complement(),
        Term::And(a, b) => at(a).and(at(b)),
        Term::Xor(a, b) => at(a).xor(at(b)),
        Term::Neg(a) => at(a).wrapping_neg(),
        Term::Add(a, b) => at(a).wrapping_add(at(b)),
        Term::Mul(a, b) => at(a).wrapping_mul(at(b)),
        Term::Udiv(a, b) => at(a).udiv(at(b)),
        Term::Urem(a, b) => at(a).urem(at(b)),
        Term::Shl(a, b) => at(a).shl_by(at(b)),
        Term::Lshr(a, b) => at(a).lshr_by(at(b)),
        Term::Ashr(a, b) => at(a).ashr_by(at(b)),
        Term::Concat(a, b) => at(a).concat(at(b)),
        Term::Extract { high, low, arg } => at(arg).extract(high, low),
        Term::Zext { arg, width } => at(arg).zext(width),
        Term::Sext { arg, width } => at(arg).sext(width),
        Term::Ite(c, a, b) => at(if at(c).is_one() { a } else { b }),
        Term::Eq(a, b) => Bits::from_bool(at(a) == at(b)),
        Term::Ult(a, b) => Bits::from_bool(at(a).ult(at(b))),
        Term::Slt(a, b) => Bits::from_bool(at(a).slt(at(b))),
    })
}

/// The value of one term under `model`.
pub fn eval(store: &TermStore, model: &Model, root: TermId) -> Bits {
    Evaluator::new(model.clone()).eval(store, root)
}
