//! The blaster and the SAT solver against the stated meaning: every operation with all operands
//! at small widths, and with chosen operands at the widths of machine words.

use belay_base::Budget;

use super::super::term::Term;
use super::super::{Bits, BvSolver, Model, SatResult, TermId, TermStore, VarId, eval};
use super::{OPS, Op, Random, all_values};

/// A solver in which `result` is a variable equal to the term that `build` makes of two variables.
struct Circuit {
    store: TermStore,
    solver: BvSolver,
    operands: [TermId; 2],
    term: TermId,
    result: TermId,
}

impl Circuit {
    fn new(width: u32, build: impl FnOnce(&mut TermStore, TermId, TermId) -> TermId) -> Self {
        let mut store = TermStore::new();
        let operands = [store.variable("a", width), store.variable("b", width)];
        let term = build(&mut store, operands[0], operands[1]);
        let result = store.variable("result", store.width(term));
        let equal = store.intern(Term::Eq(result, term));
        let mut solver = BvSolver::new();
        solver.assert(equal);
        Self { store, solver, operands, term, result }
    }

    /// The value that the circuit gives, which the evaluator must confirm.
    fn run(&mut self, values: [Bits; 2]) -> Bits {
        let mut model = Model::new();
        let mut assumptions = Vec::new();
        for (index, (operand, value)) in self.operands.into_iter().zip(values).enumerate() {
            model.set(VarId(index as u32), value);
            let value = self.store.constant(value);
            assumptions.push(self.store.intern(Term::Eq(operand, value)));
        }
        let budget = Budget::unlimited();
        assert_eq!(self.solver.check(&self.store, &assumptions, &budget), Ok(SatResult::Sat));
        let result = self.solver.value(&self.store, self.result).unwrap();
        assert_eq!(result, eval::eval(&self.store, &model, self.term), "evaluator and circuit for {values:?}");
        result
    }
}

/// The operation as one unsimplified term, where the store has it.
pub(super) fn raw(op: Op, a: TermId, b: TermId) -> Option<Term> {
    match op {
        Op::Not => Some(Term::Not(a)),
        Op::And => Some(Term::And(a, b)),
        Op::Xor => Some(Term::Xor(a, b)),
        Op::Neg => Some(Term::Neg(a)),
        Op::Add => Some(Term::Add(a, b)),
        Op::Mul => Some(Term::Mul(a, b)),
        Op::Udiv => Some(Term::Udiv(a, b)),
        Op::Urem => Some(Term::Urem(a, b)),
        Op::Shl => Some(Term::Shl(a, b)),
        Op::Lshr => Some(Term::Lshr(a, b)),
        Op::Ashr => Some(Term::Ashr(a, b)),
        Op::Eq => Some(Term::Eq(a, b)),
        Op::Ult => Some(Term::Ult(a, b)),
        Op::Slt => Some(Term::Slt(a, b)),
        Op::Or | Op::Sub | Op::Sdiv | Op::Srem | Op::Ne | Op::Ule | Op::Sle => None,
        Op::UaddOverflow | Op::UsubOverflow | Op::UmulOverflow => None,
        Op::SaddOverflow | Op::SsubOverflow | Op::SmulOverflow | Op::SdivOverflow => None,
        Op::Magnitude | Op::Popcount | Op::Clz | Op::Ctz => None,
    }
}

fn raw_ops() -> impl Iterator<Item = Op> {
    OPS.into_iter().filter(|&op| raw(op, TermId(0), TermId(0)).is_some())
}

fn exhaust(op: Op, width: u32, build: impl FnOnce(&mut TermStore, TermId, TermId) -> TermId) {
    let mut circuit = Circuit::new(width, build);
    for a in all_values(width) {
        for b in all_values(width) {
            assert_eq!(circuit.run([a, b]), op.value(a, b), "{op:?} {a} {b}");
        }
    }
}

#[test]
fn all_operands_through_plain_terms() {
    for op in raw_ops() {
        for width in 1..=4 {
            exhaust(op, width, |store, a, b| store.intern(raw(op, a, b).unwrap()));
        }
    }
}

#[test]
fn all_operands_through_constructors() {
    for op in OPS {
        for width in 1..=4 {
            exhaust(op, width, |store, a, b| op.build(store, a, b));
        }
    }
}

#[test]
fn products_overflow_at_five_bits() {
    for op in [Op::UmulOverflow, Op::SmulOverflow] {
        exhaust(op, 5, |store, a, b| op.build(store, a, b));
    }
}

/// A constant operand changes the circuit: shifted sums, fixed shifts, comparisons with bounds.
#[test]
fn all_constant_operands() {
    let width = 3;
    for op in OPS {
        for constant in all_values(width) {
            for constant_first in [false, true] {
                let mut circuit = Circuit::new(width, |store, a, _| {
                    let constant = store.constant(constant);
                    let (a, b) = if constant_first { (constant, a) } else { (a, constant) };
                    match raw(op, a, b) {
                        Some(term) => store.intern(term),
                        None => op.build(store, a, b),
                    }
                });
                for a in all_values(width) {
                    let (x, y) = if constant_first { (constant, a) } else { (a, constant) };
                    assert_eq!(circuit.run([a, a]), op.value(x, y), "{op:?} {x} {y}");
                }
            }
        }
    }
}

#[test]
fn machine_words() {
    let mut random = Random::new(7);
    for op in OPS {
        for width in [8, 13, 32, 64] {
            let mut circuit = Circuit::new(width, |store, a, b| op.build(store, a, b));
            for _ in 0..6 {
                let (a, b) = (random.bits(width), random.bits(width));
                assert_eq!(circuit.run([a, b]), op.value(a, b), "{op:?} {a} {b}");
            }
        }
    }
}

#[test]
fn double_words() {
    let mut random = Random::new(8);
    for op in OPS {
        let mut circuit = Circuit::new(128, |store, a, b| op.build(store, a, b));
        for _ in 0..3 {
            let (a, b) = (random.bits(128), random.bits(128));
            assert_eq!(circuit.run([a, b]), op.value(a, b), "{op:?} {a} {b}");
        }
    }
}

#[test]
fn wider_than_double_words() {
    let mut random = Random::new(9);
    for op in raw_ops() {
        let mut circuit = Circuit::new(192, |store, a, b| store.intern(raw(op, a, b).unwrap()));
        let (a, b) = (random.bits(192), random.bits(192));
        assert_eq!(circuit.run([a, b]), op.value(a, b), "{op:?} {a} {b}");
    }
}

#[test]
fn wiring_at_all_cuts() {
    let width = 4;
    for low in 0..width {
        for high in low..width {
            let mut circuit = Circuit::new(width, |store, a, b| {
                let slice = store.intern(Term::Extract { high, low, arg: a });
                let signed = store.intern(Term::Sext { arg: slice, width: 6 });
                let unsigned = store.intern(Term::Zext { arg: slice, width: 5 });
                let joined = store.intern(Term::Concat(signed, unsigned));
                let condition = store.intern(Term::Ult(a, b));
                let joined_again = store.intern(Term::Concat(unsigned, signed));
                store.intern(Term::Ite(condition, joined, joined_again))
            });
            for (a, b) in all_values(width).flat_map(|a| all_values(width).map(move |b| (a, b))) {
                let slice = a.extract(high, low);
                let (signed, unsigned) = (slice.sext(6), slice.zext(5));
                let expected = if a.ult(b) { signed.concat(unsigned) } else { unsigned.concat(signed) };
                assert_eq!(circuit.run([a, b]), expected);
            }
        }
    }
}

#[test]
fn bytes_swap() {
    let mut circuit = Circuit::new(64, |store, a, _| store.bswap(a));
    let mut random = Random::new(10);
    for _ in 0..5 {
        let value = random.next();
        let word = Bits::new(64, u128::from(value));
        assert_eq!(circuit.run([word, word]), Bits::new(64, u128::from(value.swap_bytes())));
    }
}

/// Two terms over two variables that are always equal.
type Law = fn(&mut TermStore, TermId, TermId) -> (Term, Term);

/// Laws that need search, not just propagation.
#[test]
fn laws_have_no_counterexample() {
    let laws: [Law; 3] = [
        |_, a, b| (Term::Mul(a, b), Term::Mul(b, a)),
        |store, a, b| {
            let (quotient, rest) = (store.intern(Term::Udiv(a, b)), store.intern(Term::Urem(a, b)));
            let product = store.intern(Term::Mul(b, quotient));
            let sum = store.intern(Term::Add(product, rest));
            (Term::And(sum, sum), Term::And(a, a))
        },
        |store, a, b| {
            let (not_a, not_b) = (store.intern(Term::Not(a)), store.intern(Term::Not(b)));
            let (both, one) = (store.intern(Term::And(a, b)), store.intern(Term::And(not_a, not_b)));
            let either = store.intern(Term::Not(one));
            (Term::Add(both, either), Term::Add(a, b))
        },
    ];
    for (law, width) in laws.into_iter().zip([6, 5, 32]) {
        let mut store = TermStore::new();
        let (a, b) = (store.variable("a", width), store.variable("b", width));
        let (left, right) = law(&mut store, a, b);
        let (left, right) = (store.intern(left), store.intern(right));
        let equal = store.intern(Term::Eq(left, right));
        let differ = store.intern(Term::Not(equal));
        let mut solver = BvSolver::new();
        solver.assert(differ);
        assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Ok(SatResult::Unsat));
    }
}
