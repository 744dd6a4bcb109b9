//! States in C's syntax, with the program's own names.
//!
//! *Idea.* A state speaks of symbolic integers; C speaks of variables. [`Names`] looks for a C expression behind each symbolic integer: an
//! integer variable that holds it, a pointer that lies so far into its object, a cell of memory. A place that nothing in C
//! points to gets a name of its own (`end` for a string's terminator): the invariant then holds *for some* `end`. Everything else
//! that the state says is written over these expressions.
//!
//! What is written is implied by the state, so that it holds whenever the state represents a run; it need not be all that the state says. The
//! value of an unsigned variable is written as if it were signed unless it is known not to be negative.
//!
//! A variable's name belongs to the value that it was given last before the place; values that it was given earlier and that are
//! still used are called `x_before`.

mod items;
mod linear;
mod naming;
mod objects;
mod place;

use belay_expression::{Binary, Expr, Facts};
use belay_ir::{IntegerModel, Program};
use belay_linear::{Constraint, LinExpr, Rel, Var};

use super::condition::Truth;
use super::state::State;
use linear::{Atom, Compared, compare};
use naming::About;
pub use naming::Names;
pub use objects::{Origin, SaidObject, SaidShape};

/// True of bounds that come from the range of a type: they are said last.
fn is_wide(constraint: &Constraint) -> bool {
    constraint.expr.offset().to_i64().is_none_or(|offset| offset.unsigned_abs() >= 1 << 30)
}

/// True of bounds that come from the address space: they say nothing about the program.
fn is_of_addresses(constraint: &Constraint) -> bool {
    constraint.expr.offset().to_i64().is_none_or(|offset| offset.unsigned_abs() >= 1 << 61)
}

impl State {
    /// What the state says, over what can be named at its place.
    pub fn facts(&self, program: &Program, integers: IntegerModel) -> Facts {
        Names::new(program, integers, self).facts()
    }
}

impl Names<'_> {
    /// What the state says at its place: what the variables there are, what memory holds, and how they are related.
    pub fn facts(&self) -> Facts {
        self.facts_where(false)
    }

    /// All that the state says, about calling functions too.
    pub fn all_facts(&self) -> Facts {
        self.facts_where(true)
    }

    fn facts_where(&self, far: bool) -> Facts {
        let atom_shown = |var: &Var| far || self.atoms.get(var.index()).is_some_and(|atom| atom.near);
        let shown = |expr: &LinExpr| expr.terms().iter().any(|(var, _)| atom_shown(var));
        let equations = |about: &dyn Fn(About) -> bool| -> Vec<Expr> {
            let chosen = self.equations.iter().filter(|equation| about(equation.about) && shown(&equation.expr));
            chosen.filter_map(|equation| compare(&self.atoms, &equation.expr, Compared::Equal)).collect()
        };
        let sentences = self.sentences.iter().filter(|(atom, _)| atom_shown(atom)).map(|(_, said)| said.clone());
        let (close, wide): (Vec<&Constraint>, Vec<_>) =
            self.state.knowledge.constraints.iter().partition(|constraint| !is_wide(constraint));
        let both_ways = |constraint: &Constraint| {
            let opposite = constraint.expr.negated();
            self.state.knowledge.constraints.iter().any(|other| other.rel == Rel::Ge && other.expr == opposite)
        };
        // `i <= n` goes without saying where `i < n` is said.
        let is_weaker = |constraint: &Constraint| {
            let stronger = |other: &Constraint| {
                other.rel == Rel::Ge
                    && other.expr.terms() == constraint.expr.terms()
                    && other.expr.offset() < constraint.expr.offset()
            };
            constraint.rel == Rel::Ge && self.state.knowledge.constraints.iter().any(stronger)
        };
        let constraint = |constraint: &&Constraint| {
            if is_weaker(constraint) {
                return None;
            }
            let expr = self.over_atoms(&constraint.expr).filter(&shown).filter(|_| !is_of_addresses(constraint))?;
            let (equal, negative) = (constraint.rel == Rel::Eq, expr.terms().first()?.1.is_negative());
            match (equal, both_ways(constraint)) {
                (true, _) => compare(&self.atoms, &expr, Compared::Equal),
                // Of the two that make an equation one is said.
                (false, true) if negative => None,
                (false, true) => compare(&self.atoms, &expr, Compared::Equal),
                (false, false) => compare(&self.atoms, &expr, Compared::AtLeast),
            }
        };
        let apart = self.state.knowledge.apart.iter().filter_map(|expr| {
            let expr = self.over_atoms(expr).filter(&shown)?;
            compare(&self.atoms, &expr, Compared::Differs)
        });
        let mut conditions: Vec<Expr> = Vec::new();
        let all = equations(&|about| about == About::Near || (far && about == About::Far)).into_iter();
        let all = all.chain(sentences).chain(close.iter().filter_map(constraint)).chain(apart);
        let last = equations(&|about| about == About::Size).into_iter().chain(wide.iter().filter_map(constraint));
        for condition in all.chain(last) {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        Facts { conditions, ghosts: self.ghosts.clone() }
    }

    /// A truth value as C writes it; `None` if it depends on something without a name.
    pub fn condition(&self, truth: &Truth) -> Option<Expr> {
        let comparison = |expr: &LinExpr, compared| compare(&self.atoms, &self.over_atoms(expr)?, compared);
        match truth {
            Truth::AtLeast(expr) => comparison(expr, Compared::AtLeast),
            Truth::Zero(expr) => comparison(expr, Compared::Equal),
            Truth::NonZero(expr, _) => comparison(expr, Compared::Differs),
            Truth::And(left, right) => match (self.condition(left), self.condition(right)) {
                (Some(left), Some(right)) => Some(Expr::binary(Binary::And, left, right)),
                (left, right) => left.or(right),
            },
            Truth::Or(left, right) => Some(Expr::binary(Binary::Or, self.condition(left)?, self.condition(right)?)),
            Truth::Known(_) | Truth::Unknown => None,
        }
    }

    /// A number of the state as C writes it, up to a positive factor; `None` if it depends on something without a name.
    pub fn number(&self, expr: &LinExpr) -> Option<Expr> {
        linear::value(&self.atoms, &self.over_atoms(expr)?)
    }

    /// The expression over atoms instead of symbolic integers.
    fn over_atoms(&self, expr: &LinExpr) -> Option<LinExpr> {
        let mut sum = LinExpr::constant(expr.offset().clone());
        for (var, factor) in expr.terms() {
            sum = sum.add_scaled(factor, self.image.get(var)?);
        }
        Some(sum)
    }

    fn atom(&mut self, atom: Atom) -> Var {
        self.atoms.push(atom);
        Var(self.atoms.len() as u32 - 1)
    }
}
