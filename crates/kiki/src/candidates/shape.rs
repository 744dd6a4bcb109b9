//! What formulas mention, and formulas made of others.

use std::collections::BTreeSet;

use belay_invariants::Variable;
use belay_invariants::{Array, Element, Formula, PrefixSum};
use belay_ir::{BinaryOp, InstId};

/// The registers that a formula mentions.
pub(super) fn registers(formula: &Formula) -> Vec<InstId> {
    let mut found = Vec::new();
    formula.for_each(&mut |part| match part {
        Formula::Variable(Variable::Register(inst)) => found.push(*inst),
        Formula::Element(element) => {
            if let Array::Register(inst) = element.array {
                found.push(inst);
            }
        }
        _ => {}
    });
    found
}

/// The elements that a formula mentions.
pub(super) fn elements(formula: &Formula) -> Vec<Element> {
    let mut found = Vec::new();
    formula.for_each(&mut |part| {
        if let Formula::Element(element) = part {
            found.push((**element).clone());
        }
    });
    found
}

pub(super) fn arrays(formula: &Formula) -> Vec<Array> {
    elements(formula).into_iter().map(|element| element.array).collect()
}

/// The indices that a formula mentions, in order.
pub(super) fn indices(formula: &Formula) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    formula.for_each(&mut |part| match part {
        Formula::Index { dimension, .. } => {
            found.insert(*dimension);
        }
        Formula::Element(element) => found.extend(element.strides.iter().map(|(dimension, _)| *dimension)),
        _ => {}
    });
    found
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
pub(super) fn replace_variable(formula: &Formula, variable: &Variable, by: &Formula) -> Formula {
    map_formula(formula, &mut |part| match part {
        Formula::Variable(found) if found == variable => Some(by.clone()),
        _ => None,
    })
}

/// The formula with only these indices, numbered anew in this order.
pub(super) fn renumber(formula: &Formula, kept: &BTreeSet<u32>) -> Formula {
    let number = |dimension: u32| kept.iter().position(|known| *known == dimension).unwrap_or(0) as u32;
    map_formula(formula, &mut |part| match part {
        Formula::Index { dimension, width } => Some(Formula::Index { dimension: number(*dimension), width: *width }),
        Formula::Element(element) => {
            let strides = element.strides.iter().map(|(dimension, stride)| (number(*dimension), *stride)).collect();
            Some(Formula::Element(Box::new(Element { strides, ..(**element).clone() })))
        }
        _ => None,
    })
}

/// The formula with other parts where there are some.
fn map_formula(formula: &Formula, map: &mut impl FnMut(&Formula) -> Option<Formula>) -> Formula {
    if let Some(other) = map(formula) {
        return other;
    }
    let mut inner = |formula: &Formula| Box::new(map_formula(formula, map));
    match formula {
        Formula::Number { .. } | Formula::Index { .. } | Formula::Variable(_) => formula.clone(),
        Formula::Element(element) => {
            let base = *inner(&element.base);
            Formula::Element(Box::new(Element { base, ..(**element).clone() }))
        }
        Formula::PrefixSum(total) => {
            let (first, count) = (*inner(&total.first), *inner(&total.count));
            Formula::PrefixSum(Box::new(PrefixSum { first, count, ..(**total).clone() }))
        }
        Formula::Binary(op, a, b) => Formula::Binary(*op, inner(a), inner(b)),
        Formula::Compare(op, a, b) => Formula::Compare(*op, inner(a), inner(b)),
        Formula::Cast(op, width, a) => Formula::Cast(*op, *width, inner(a)),
        Formula::Select(parts) => Formula::Select(Box::new(parts.each_ref().map(|part| *inner(part)))),
    }
}

/// That a condition holds where another does.
pub(super) fn imply(guard: &Formula, condition: &Formula) -> Formula {
    let yes = Formula::Number { width: 1, value: 1 };
    Formula::Select(Box::new([guard.clone(), condition.clone(), yes]))
}
