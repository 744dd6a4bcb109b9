//! The rankings that are tried for a loop, simple ones first.
//!
//! Variables by themselves come first, then their sum, the greatest and the least (rows 1 to 4 of Table 5 of *Loop summarization using state and
//! transition invariants*), then distances that wrap, then sums and differences of two. Each variable is read as signed and as unsigned.

use belay_encoder::function_flow::FunctionFlow;
use belay_invariants::{Atom, Cut, CutPlace, Cutting, Variable};
use belay_invariants::{Point, RankingFunction};
use belay_ir::{Function, InstId, IntPredicate, Op, Operand, Program, Type};

use super::atoms::{Atoms, Reads};

/// Measures of a loop at most.
const MAX_POOL: usize = 240;
/// Variables whose greatest and least are tried at most.
const MAX_EXTREME: usize = 6;
/// Numbers that something is compared with at most.
const MAX_NUMBERS: usize = 6;

/// Values that a loop computes and compares at most.
const MAX_COMPARED: usize = 6;

/// The variables of a loop, and what may get smaller in it.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// What is observed.
    pub atoms: Vec<Atom>,
    /// The variables that the loop changes, each in one reading.
    pub changed: Vec<Atom>,
    /// The candidates.
    pub rankings: Vec<RankingFunction>,
}

impl Pool {
    /// The candidates for a loop.
    pub fn new(program: &Program, cutting: &Cutting, read: &Reads, place: &CutPlace, cut: &Cut) -> Self {
        let function = &program.functions[place.function];
        let Atoms { mut changed, fixed, floats, .. } = Atoms::new(program, cutting, read, place, cut);
        for inst in cut.registers.keys().filter(|inst| function.insts[**inst].ty == Some(Type::BOOL)) {
            changed.push(Atom { variable: Variable::Register(*inst), signed: false });
        }
        let numbers = collect_compared_numbers(function);
        let mut rankings = Vec::new();
        for atom in &changed {
            for reading in readings(atom) {
                rankings.extend([1, -1].map(|sign| RankingFunction::Sum(vec![(sign, reading.clone())])));
            }
        }
        for (variable, _) in floats {
            let atom = Atom { variable, signed: false };
            rankings.extend([false, true].map(|minus| RankingFunction::Float(minus, atom.clone())));
        }
        for inst in collect_compared_insts(function, place) {
            for reading in readings(&Atom { variable: Variable::Last(inst), signed: true }) {
                rankings.extend([1, -1].map(|sign| RankingFunction::Sum(vec![(sign, reading.clone())])));
            }
        }
        if changed.len() > 1 {
            rankings.extend(
                [1, -1].map(|sign| RankingFunction::Sum(changed.iter().map(|atom| (sign, atom.clone())).collect())),
            );
            if changed.len() <= MAX_EXTREME {
                for minus in [false, true] {
                    rankings.push(RankingFunction::Greatest(minus, changed.clone()));
                    rankings.push(RankingFunction::Least(minus, changed.clone()));
                }
            }
        }
        for (index, atom) in changed.iter().enumerate() {
            let atoms = changed[index + 1..].iter().chain(&fixed).cloned().map(Point::Atom);
            for other in atoms.chain(numbers.iter().copied().map(Point::Number)) {
                let own = Point::Atom(atom.clone());
                rankings.extend(
                    [(own.clone(), other.clone()), (other, own)].map(|(to, from)| RankingFunction::Distance(to, from)),
                );
            }
        }
        for (index, a) in changed.iter().enumerate() {
            for b in &changed[index + 1..] {
                for (x, y) in [(1, -1), (-1, 1), (1, 1), (-1, -1)] {
                    rankings.push(RankingFunction::Sum(vec![(x, a.clone()), (y, b.clone())]));
                }
            }
        }
        rankings.truncate(MAX_POOL);
        let mut atoms: Vec<Atom> = rankings.iter().flat_map(RankingFunction::atoms).chain(&changed).cloned().collect();
        atoms.sort();
        atoms.dedup();
        Self { atoms, changed, rankings }
    }
}

/// An atom as it is meant, and read the other way.
fn readings(atom: &Atom) -> Vec<Atom> {
    match atom.variable {
        Variable::Offset(_) => vec![atom.clone()],
        Variable::Register(_)
        | Variable::Param(_)
        | Variable::Cell { .. }
        | Variable::Result
        | Variable::Positive(_)
        | Variable::Last(_) => {
            vec![atom.clone(), Atom { signed: !atom.signed, ..atom.clone() }]
        }
    }
}

/// What the loop compares and each round computes anew.
fn collect_compared_insts(function: &Function, place: &CutPlace) -> Vec<InstId> {
    let shape = FunctionFlow::new(function);
    let mut found = Vec::new();
    for (block, inst) in function.placed_insts() {
        let Op::Compare { lhs, rhs, .. } = &function.insts[inst].op else { continue };
        if !shape.is_in_each_round(place.head, block) {
            continue;
        }
        for operand in [lhs, rhs] {
            let Operand::Inst(of) = operand else { continue };
            let is_number = matches!(function.insts[*of].ty, Some(Type::Int(2..=64)));
            let is_phi = matches!(function.insts[*of].op, Op::Phi { .. });
            if is_number && !is_phi && !found.contains(of) {
                found.push(*of);
            }
        }
    }
    found.truncate(MAX_COMPARED);
    found
}

/// The numbers that a function tests something for being equal to.
fn collect_compared_numbers(function: &Function) -> Vec<i64> {
    let mut found = vec![0];
    for (_, inst) in function.placed_insts() {
        let Op::Compare { op: IntPredicate::Eq | IntPredicate::Ne, lhs, rhs } = &function.insts[inst].op else {
            continue;
        };
        for operand in [lhs, rhs] {
            if let Operand::Int { width: width @ 2..=64, value } = operand {
                let signed = ((*value as i128) << (128 - width) >> (128 - width)) as i64;
                found.push(signed);
            }
        }
    }
    found.sort_by_key(|number| number.unsigned_abs());
    found.dedup();
    found.truncate(MAX_NUMBERS);
    found
}
