//! What formulas mention, and formulas made of others.

use belay_ir::{BinaryOp, InstId};
use belay_semantics::encode::cut::Variable;
use belay_semantics::encode::formula::{Array, Formula};

/// The registers that a formula mentions.
pub(super) fn registers(formula: &Formula) -> Vec<InstId> {
    match formula {
        Formula::Number { .. } | Formula::Index(_) => Vec::new(),
        Formula::Element(Array::Register(inst), _) => vec![*inst],
        Formula::Element(..) => Vec::new(),
        Formula::Variable(Variable::Register(inst)) => vec![*inst],
        Formula::Variable(_) => Vec::new(),
        Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => [registers(a), registers(b)].concat(),
        Formula::Cast(_, _, a) => registers(a),
        Formula::Select(parts) => parts.iter().flat_map(registers).collect(),
    }
}

pub(super) fn arrays(formula: &Formula) -> Vec<Array> {
    match formula {
        Formula::Element(array, _) => vec![*array],
        Formula::Number { .. } | Formula::Index(_) | Formula::Variable(_) => Vec::new(),
        Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => [arrays(a), arrays(b)].concat(),
        Formula::Cast(_, _, a) => arrays(a),
        Formula::Select(parts) => parts.iter().flat_map(arrays).collect(),
    }
}

/// The condition with the opposite meaning.
pub(super) fn negated(condition: &Formula) -> Formula {
    match condition {
        Formula::Compare(op, a, b) => Formula::Compare(op.negated(), a.clone(), b.clone()),
        other => {
            let one = Formula::Number { width: 1, value: 1 };
            Formula::Binary(BinaryOp::Xor, Box::new(other.clone()), Box::new(one))
        }
    }
}

/// Whether a formula rises (1) or falls (-1) with a variable, as far as it shows.
pub(super) fn slope(formula: &Formula, variable: InstId) -> i32 {
    let of = |formula: &Formula| slope(formula, variable);
    match formula {
        Formula::Variable(Variable::Register(inst)) => i32::from(*inst == variable),
        Formula::Binary(BinaryOp::Add, a, b) => (of(a) + of(b)).signum(),
        Formula::Binary(BinaryOp::Sub, a, b) => (of(a) - of(b)).signum(),
        Formula::Binary(BinaryOp::Mul | BinaryOp::Shl, a, b) if matches!(**b, Formula::Number { .. }) => of(a),
        Formula::Cast(_, _, a) => of(a),
        _ => 0,
    }
}

/// The formula with another in the place of a variable.
pub(super) fn replaced(formula: &Formula, variable: &Variable, by: &Formula) -> Formula {
    let inner = |formula: &Formula| Box::new(replaced(formula, variable, by));
    match formula {
        Formula::Variable(found) if found == variable => by.clone(),
        Formula::Number { .. } | Formula::Index(_) | Formula::Element(..) | Formula::Variable(_) => formula.clone(),
        Formula::Binary(op, a, b) => Formula::Binary(*op, inner(a), inner(b)),
        Formula::Compare(op, a, b) => Formula::Compare(*op, inner(a), inner(b)),
        Formula::Cast(op, width, a) => Formula::Cast(*op, *width, inner(a)),
        Formula::Select(parts) => Formula::Select(Box::new(parts.each_ref().map(|part| *inner(part)))),
    }
}

/// That a condition holds where another does.
pub(super) fn implied(guard: &Formula, condition: &Formula) -> Formula {
    let yes = Formula::Number { width: 1, value: 1 };
    Formula::Select(Box::new([guard.clone(), condition.clone(), yes]))
}
