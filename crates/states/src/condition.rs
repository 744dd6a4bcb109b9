//! Truth values, and states in which they are known.

use belay_base::Exhausted;
use belay_linear::{Constraint, LinExpr, Rat, Rel};

use super::knowledge::Entailment;
use super::state::{Cell, State, Value};

/// A truth value over symbolic integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Known.
    Known(bool),
    /// The expression is at least 0.
    AtLeast(LinExpr),
    /// The expression is 0.
    Zero(LinExpr),
    /// The expression is not 0; `split`: tell its signs apart.
    NonZero(LinExpr, bool),
    /// Both.
    And(Box<Truth>, Box<Truth>),
    /// At least one.
    Or(Box<Truth>, Box<Truth>),
    /// Either.
    Unknown,
}

impl Truth {
    /// `left ≤ right`.
    pub fn at_most(left: &LinExpr, right: &LinExpr) -> Truth {
        Truth::AtLeast(right.minus(left)).folded()
    }

    /// `left < right`.
    pub fn less(left: &LinExpr, right: &LinExpr) -> Truth {
        Truth::AtLeast(right.minus(left).plus_constant(&Rat::MINUS_ONE)).folded()
    }

    /// `left = right`.
    pub fn equal(left: &LinExpr, right: &LinExpr) -> Truth {
        Truth::Zero(left.minus(right)).folded()
    }

    fn folded(self) -> Truth {
        match &self {
            Truth::AtLeast(expr) if expr.is_constant() => Truth::Known(!expr.offset().is_negative()),
            Truth::Zero(expr) if expr.is_constant() => Truth::Known(expr.offset().is_zero()),
            Truth::NonZero(expr, _) if expr.is_constant() => Truth::Known(!expr.offset().is_zero()),
            _ => self,
        }
    }

    /// The opposite. `split` says whether disequalities tell the signs apart.
    pub fn negated(&self, split: bool) -> Truth {
        match self {
            Truth::Known(known) => Truth::Known(!known),
            Truth::AtLeast(expr) => Truth::AtLeast(expr.negated().plus_constant(&Rat::MINUS_ONE)),
            Truth::Zero(expr) => Truth::NonZero(expr.clone(), split),
            Truth::NonZero(expr, _) => Truth::Zero(expr.clone()),
            Truth::And(left, right) => Truth::Or(Box::new(left.negated(split)), Box::new(right.negated(split))),
            Truth::Or(left, right) => Truth::And(Box::new(left.negated(split)), Box::new(right.negated(split))),
            Truth::Unknown => Truth::Unknown,
        }
    }

    /// Both.
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(true), rest) | (rest, Truth::Known(true)) => rest,
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (left, right) => Truth::And(Box::new(left), Box::new(right)),
        }
    }

    /// At least one.
    pub fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(false), rest) | (rest, Truth::Known(false)) => rest,
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (left, right) => Truth::Or(Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn for_each_expr_mut(&mut self, f: &mut impl FnMut(&mut LinExpr)) {
        match self {
            Truth::AtLeast(expr) | Truth::Zero(expr) | Truth::NonZero(expr, _) => f(expr),
            Truth::And(left, right) | Truth::Or(left, right) => {
                left.for_each_expr_mut(f);
                right.for_each_expr_mut(f);
            }
            Truth::Known(_) | Truth::Unknown => {}
        }
    }
}

impl State {
    /// The part of the state in which `expr ≥ 0`; where it was not positive before, it is 0.
    pub fn with_at_least(mut self, expr: LinExpr, oracle: &mut dyn Entailment) -> Result<Option<State>, Exhausted> {
        if self.knowledge.listed(&expr.negated()) {
            return self.with_zero(expr, oracle);
        }
        Ok(self.knowledge.assume(expr.clone(), oracle)?.then_some(self))
    }

    /// The part of the state in which `expr = 0`: a variable with coefficient ±1 is replaced.
    pub fn with_zero(mut self, expr: LinExpr, oracle: &mut dyn Entailment) -> Result<Option<State>, Exhausted> {
        if expr.is_constant() {
            return Ok(expr.offset().is_zero().then_some(self));
        }
        let unit = expr.terms().iter().rev().find(|(_, factor)| factor.abs().is_one()).cloned();
        match unit {
            Some((var, factor)) => {
                let rest = expr.add_scaled(&-&factor, &LinExpr::var(var));
                self.substitute(var, &rest.scaled(&-&factor));
            }
            None => self.knowledge.constraints.push(Constraint { expr, rel: Rel::Eq }),
        }
        Ok((!self.knowledge.contradictory(oracle)?).then_some(self))
    }

    /// The parts of the state in which a truth value is as wanted.
    pub fn assuming(
        self,
        truth: &Truth,
        want: bool,
        split: bool,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<State>, Exhausted> {
        if !want {
            return self.assuming(&truth.negated(split), true, split, oracle);
        }
        Ok(match truth {
            Truth::Known(true) | Truth::Unknown => vec![self],
            Truth::Known(false) => Vec::new(),
            Truth::AtLeast(expr) => {
                let cells = self.cells_about(expr);
                let state = self.with_at_least(expr.clone(), oracle)?;
                noticed(state, &cells, oracle)?
            }
            Truth::Zero(expr) => {
                let cells = self.cells_about(expr);
                let state = self.with_zero(expr.clone(), oracle)?;
                noticed(state, &cells, oracle)?
            }
            Truth::NonZero(expr, split) => {
                let above = self.knowledge.non_negative(expr, oracle)?;
                let below = self.knowledge.non_negative(&expr.negated(), oracle)?;
                if !*split || above || below {
                    let cells = self.cells_about(expr);
                    let mut state = self;
                    let alive = state.knowledge.separate(expr.clone(), oracle)?;
                    return noticed(alive.then_some(state), &cells, oracle);
                }
                let positive = Truth::AtLeast(expr.plus_constant(&Rat::MINUS_ONE));
                let negative = Truth::AtLeast(expr.negated().plus_constant(&Rat::MINUS_ONE));
                let mut states = self.clone().assuming(&positive, true, true, oracle)?;
                states.extend(self.assuming(&negative, true, true, oracle)?);
                states
            }
            Truth::And(left, right) => {
                // What is replaced meanwhile is replaced in the other half too.
                let mut pending = self;
                pending.pending.push((**right).clone());
                let mut states = Vec::new();
                for mut state in pending.assuming(left, true, split, oracle)? {
                    let right = state.pending.pop().unwrap_or(Truth::Unknown);
                    states.extend(state.assuming(&right, true, split, oracle)?);
                }
                states
            }
            Truth::Or(left, right) => {
                let mut states = self.clone().assuming(left, true, split, oracle)?;
                let other = left.negated(split).and((**right).clone());
                states.extend(self.assuming(&other, true, split, oracle)?);
                states
            }
        })
    }
}

impl State {
    /// The cells whose value depends on a variable of `expr`.
    fn cells_about(&self, expr: &LinExpr) -> Vec<usize> {
        let about = |cell: &Cell| match &cell.value {
            Value::Int(value) => value.terms().iter().any(|(var, _)| !expr.coefficient(*var).is_zero()),
            Value::Truth(_)
            | Value::Pointer(..)
            | Value::Address(..)
            | Value::Null
            | Value::Function(_)
            | Value::Top => false,
        };
        (0..self.cells.len()).filter(|at| about(&self.cells[*at])).collect()
    }
}

/// Cells of one allocation whose values differ stand at different places (Def. 4, "points-to facts that imply address
/// disequalities"): looked at when something about a value was learnt.
fn noticed(state: Option<State>, changed: &[usize], oracle: &mut dyn Entailment) -> Result<Vec<State>, Exhausted> {
    let Some(mut state) = state else { return Ok(Vec::new()) };
    let mut facts = Vec::new();
    for at in changed {
        let cell = &state.cells[*at];
        let Value::Int(value) = &cell.value else { continue };
        for (other_at, other) in state.cells.iter().enumerate() {
            let Value::Int(other_value) = &other.value else { continue };
            let twice = other_at <= *at && changed.contains(&other_at);
            if twice || cell.alloc != other.alloc || cell.width != other.width {
                continue;
            }
            if state.knowledge.non_zero(&value.minus(other_value), oracle)? {
                facts.push(cell.offset.minus(&other.offset));
            }
        }
    }
    for fact in facts {
        if !state.knowledge.separate(fact, oracle)? {
            return Ok(Vec::new());
        }
    }
    Ok(vec![state])
}
