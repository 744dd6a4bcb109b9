//! The simplifier, the facts and the blaster against straight computation, on random programs.
//!
//! A program is a list of operations over earlier results. It is run three ways: through the
//! constructors, through plain terms, and directly on values. All must agree under every
//! assignment tried, and each value must be one that the facts of both terms allow.

use belay_base::Budget;

use super::super::term::Term;
use super::super::{Bits, BvSolver, Evaluator, Model, SatResult, TermId, TermStore, VarId};
use super::{OPS, Op, Random};

#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(Bits),
    Binary(Op, usize, usize),
    Concat(usize, usize),
    Extract { high: u32, low: u32, arg: usize },
    Zext(usize, u32),
    Sext(usize, u32),
    Ite(usize, usize, usize),
}

struct Program {
    variables: Vec<u32>,
    widths: Vec<u32>,
    steps: Vec<Step>,
}

impl Program {
    fn random(random: &mut Random, widths: &[u32], length: usize) -> Self {
        let variables: Vec<u32> = (0..3).map(|_| random.pick(widths)).chain([1]).collect();
        let mut program = Program { widths: variables.clone(), variables, steps: Vec::new() };
        while program.steps.len() < length {
            if let Some((step, width)) = program.random_step(random) {
                program.steps.push(step);
                program.widths.push(width);
            }
        }
        program
    }

    /// One of the results so far, more often a late one, of the given width if there is one.
    fn result(&self, random: &mut Random, width: Option<u32>) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..self.widths.len()).filter(|&index| width.is_none_or(|width| self.widths[index] == width)).collect();
        let late = fitting.len().saturating_sub(4);
        let range = if random.below(2) == 0 { &fitting[late..] } else { &fitting[..] };
        (!range.is_empty()).then(|| random.pick(range))
    }

    fn random_step(&self, random: &mut Random) -> Option<(Step, u32)> {
        let a = self.result(random, None)?;
        let width = self.widths[a];
        match random.below(14) {
            0 | 1 => Some((Step::Constant(random.bits(width)), width)),
            2 => {
                let b = self.result(random, None)?;
                let joined = width + self.widths[b];
                (joined <= 16).then_some((Step::Concat(a, b), joined))
            }
            3 => {
                let low = random.below(width as usize) as u32;
                let high = low + random.below((width - low) as usize) as u32;
                Some((Step::Extract { high, low, arg: a }, high - low + 1))
            }
            4 => {
                let wider = width + random.below(4) as u32;
                let step = if random.below(2) == 0 { Step::Zext(a, wider) } else { Step::Sext(a, wider) };
                Some((step, wider))
            }
            5 | 6 => {
                let (condition, b) = (self.result(random, Some(1))?, self.result(random, Some(width))?);
                Some((Step::Ite(condition, a, b), width))
            }
            _ => {
                let (op, b) = (random.pick(&OPS), self.result(random, Some(width))?);
                // The stated meaning of these is exact only up to half of the largest width.
                if width > 128 && matches!(op, Op::UmulOverflow | Op::SmulOverflow) {
                    return None;
                }
                let sample = op.value(Bits::zero(width), Bits::zero(width));
                Some((Step::Binary(op, a, b), sample.width()))
            }
        }
    }

    fn build(&self, store: &mut TermStore, simplify: bool) -> Vec<TermId> {
        let mut terms: Vec<TermId> = store.variables().map(|variable| store.variable_term(variable)).collect();
        for &step in &self.steps {
            let term = if simplify { simplified(store, &terms, step) } else { plain(store, &terms, step) };
            terms.push(term);
        }
        terms
    }

    fn run(&self, inputs: &[Bits]) -> Vec<Bits> {
        let mut values = inputs.to_vec();
        for &step in &self.steps {
            values.push(match step {
                Step::Constant(value) => value,
                Step::Binary(op, a, b) => op.value(values[a], values[b]),
                Step::Concat(a, b) => values[a].concat(values[b]),
                Step::Extract { high, low, arg } => values[arg].extract(high, low),
                Step::Zext(a, width) => values[a].zext(width),
                Step::Sext(a, width) => values[a].sext(width),
                Step::Ite(c, a, b) => values[if values[c].is_one() { a } else { b }],
            });
        }
        values
    }
}

fn simplified(store: &mut TermStore, terms: &[TermId], step: Step) -> TermId {
    match step {
        Step::Constant(value) => store.constant(value),
        Step::Binary(op, a, b) => op.build(store, terms[a], terms[b]),
        Step::Concat(a, b) => store.concat(terms[a], terms[b]),
        Step::Extract { high, low, arg } => store.extract(high, low, terms[arg]),
        Step::Zext(a, width) => store.zext(terms[a], width),
        Step::Sext(a, width) => store.sext(terms[a], width),
        Step::Ite(c, a, b) => store.ite(terms[c], terms[a], terms[b]),
    }
}

fn plain(store: &mut TermStore, terms: &[TermId], step: Step) -> TermId {
    let term = match step {
        Step::Constant(value) => return store.constant(value),
        Step::Binary(op, a, b) => match super::blast::raw(op, terms[a], terms[b]) {
            Some(term) => term,
            None => return op.build(store, terms[a], terms[b]),
        },
        Step::Concat(a, b) => Term::Concat(terms[a], terms[b]),
        Step::Extract { high, low, arg } => Term::Extract { high, low, arg: terms[arg] },
        Step::Zext(a, width) => Term::Zext { arg: terms[a], width },
        Step::Sext(a, width) => Term::Sext { arg: terms[a], width },
        Step::Ite(c, a, b) => Term::Ite(terms[c], terms[a], terms[b]),
    };
    store.intern(term)
}

fn declare(program: &Program) -> TermStore {
    let mut store = TermStore::new();
    for &width in &program.variables {
        store.variable("x", width);
    }
    store
}

fn assert_allowed(store: &TermStore, id: TermId, value: Bits) {
    let facts = *store.facts(id);
    if let (true, Some(unsigned), Some(signed)) = (facts.is_tracked(), value.to_u128(), value.to_i128()) {
        let in_bounds = facts.umin <= unsigned && unsigned <= facts.umax;
        let in_signed_bounds = facts.smin <= signed && signed <= facts.smax;
        let in_bits = facts.zeros & unsigned == 0 && facts.ones & !unsigned == 0;
        assert!(in_bounds && in_signed_bounds && in_bits, "{value} of {:?} is outside {facts:?}", store.term(id));
    }
}

fn check(program: &Program, random: &mut Random, assignments: usize) {
    let mut store = declare(program);
    let plain = program.build(&mut store, false);
    let simplified = program.build(&mut store, true);
    for _ in 0..assignments {
        let inputs: Vec<Bits> = program.variables.iter().map(|&width| random.bits(width)).collect();
        let mut model = Model::new();
        for (index, &value) in inputs.iter().enumerate() {
            model.set(VarId(index as u32), value);
        }
        let mut evaluator = Evaluator::new(model);
        for (index, expected) in program.run(&inputs).into_iter().enumerate() {
            for term in [plain[index], simplified[index]] {
                let value = evaluator.eval(&store, term);
                assert_eq!(value, expected, "result {index} of {:?} under {inputs:?}", program.steps);
                assert_allowed(&store, term, value);
            }
        }
    }
}

#[test]
fn small_programs_keep_their_meaning() {
    let mut random = Random::new(1);
    for _ in 0..12_000 {
        let program = Program::random(&mut random, &[1, 2, 3], 16);
        check(&program, &mut random, 8);
    }
}

#[test]
fn word_programs_keep_their_meaning() {
    let mut random = Random::new(2);
    for round in 0..6_000 {
        let width = [8, 16, 32, 64, 127, 128][round % 6];
        let program = Program::random(&mut random, &[width, width, 3], 16);
        check(&program, &mut random, 6);
    }
}

#[test]
fn wide_programs_keep_their_meaning() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let program = Program::random(&mut random, &[120, 126], 20);
        check(&program, &mut random, 4);
    }
}

/// The SAT solver finds no assignment under which a simplified term differs from the plain one.
#[test]
fn simplified_terms_are_equal_to_plain_ones() {
    let mut random = Random::new(4);
    for _ in 0..250 {
        let program = Program::random(&mut random, &[2, 3, 4], 10);
        let mut store = declare(&program);
        let plain = program.build(&mut store, false);
        let simplified = program.build(&mut store, true);
        let mut solver = BvSolver::new();
        for (&plain, &simplified) in plain.iter().zip(&simplified) {
            let equal = store.intern(Term::Eq(plain, simplified));
            let differ = store.intern(Term::Not(equal));
            let answer = solver.check(&store, &[differ], &Budget::unlimited());
            assert_eq!(answer, Ok(SatResult::Unsat), "{:?}", program.steps);
        }
    }
}
