//! Assertion, levels, checking, and branching over the integers.
//!
//! A constraint becomes a bound on the normal form of its variable part (coprime integer
//! coefficients, the first positive), which is a column shared by all constraints on the same form;
//! so intervals never reach the tableau, and repeated forms cost one row. Over the integers the
//! bound is rounded inwards: that is what [`super::farkas`] recomputes. Branch and bound splits on
//! the first variable with a fractional value, lower side first.

use belay_base::{Budget, Exhausted};

use belay_base::queries::{self, Layer};
use rustc_hash::FxHashMap;

use super::bound::{Bound, DeltaRational, Which};
use super::tableau::{Repair, Tableau};
use super::{Constraint, LinExpr, Multiplier, Rat, Refutation, Rel, Side, Var};

/// What the variables range over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberDomain {
    /// All variables are integers.
    Integer,
    /// All variables are rationals.
    Rational,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The constraints hold with these values; variables beyond the end are zero.
    Sat(Vec<Rat>),
    /// The constraints have no solution.
    Unsat(Refutation),
    /// Branching came to its limit.
    Unknown,
}

/// Splits tried by one check over the integers.
const MAX_SPLITS: u32 = 60;

enum Undo {
    Bound(Var, Which, Option<Bound>),
    Conflict,
}

/// A stack of constraints that can be checked and optimised over.
pub struct Simplex {
    domain: NumberDomain,
    pub(super) tableau: Tableau,
    columns: Vec<Option<Var>>,
    forms: FxHashMap<Vec<(Var, Rat)>, Var>,
    constraints: Vec<Constraint>,
    conflict: Option<Vec<Multiplier>>,
    trail: Vec<Undo>,
    levels: Vec<(usize, usize)>,
}

impl Simplex {
    /// No constraints.
    pub fn new(domain: NumberDomain) -> Self {
        Self {
            domain,
            tableau: Tableau::default(),
            columns: Vec::new(),
            forms: FxHashMap::default(),
            constraints: Vec::new(),
            conflict: None,
            trail: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// The constraints that hold now, in the order that multipliers refer to.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push((self.trail.len(), self.constraints.len()));
    }

    /// Takes back everything asserted since the last `push`; nothing if there was none.
    pub fn pop(&mut self) {
        let Some((trail, constraints)) = self.levels.pop() else {
            return;
        };
        while self.trail.len() > trail {
            match self.trail.pop() {
                Some(Undo::Bound(column, which, old)) => {
                    self.tableau.set_bound(column, which, old);
                }
                Some(Undo::Conflict) => self.conflict = None,
                None => {}
            }
        }
        self.constraints.truncate(constraints);
    }

    /// Adds a constraint.
    pub fn assert(&mut self, constraint: Constraint) {
        let index = self.constraints.len();
        let form = NormalForm::of(&constraint.expr, self.domain);
        let column = form.as_ref().map(|form| self.column_of_form(&form.terms));
        let (expr, rel) = (constraint.expr.clone(), constraint.rel);
        self.constraints.push(constraint);
        let reason = |side, factor| Multiplier { constraint: index, side, factor };
        let (Some(form), Some(column)) = (form, column) else {
            return self.assert_constant(expr.offset(), rel, reason);
        };
        let factor = match self.domain {
            NumberDomain::Integer => Rat::ONE,
            NumberDomain::Rational => form.scale.abs().recip().unwrap_or(Rat::ONE),
        };
        let limit = -&(expr.offset() / &form.scale);
        let below = if form.scale.is_positive() { Which::Lower } else { Which::Upper };
        let strict = rel == Rel::Gt;
        self.tighten(column, below, &limit, strict, reason(Side::Lower, factor.clone()));
        if rel == Rel::Eq {
            self.tighten(column, below.other(), &limit, false, reason(Side::Upper, factor));
        }
    }

    fn assert_constant(&mut self, value: &Rat, rel: Rel, reason: impl Fn(Side, Rat) -> Multiplier) {
        let side = match (rel, value.signum()) {
            (Rel::Ge, -1) | (Rel::Gt, -1 | 0) | (Rel::Eq, -1) => Side::Lower,
            (Rel::Eq, 1) => Side::Upper,
            (Rel::Ge | Rel::Gt | Rel::Eq, _) => return,
        };
        self.set_conflict(vec![reason(side, Rat::ONE)]);
    }

    fn set_conflict(&mut self, conflict: Vec<Multiplier>) {
        if self.conflict.is_none() {
            self.conflict = Some(conflict);
            self.trail.push(Undo::Conflict);
        }
    }

    fn tighten(&mut self, column: Var, which: Which, limit: &Rat, strict: bool, reason: Multiplier) {
        let value = self.bound_value(which, limit, strict);
        let improves = match (self.tableau.bound(column, which), which) {
            (None, _) => true,
            (Some(old), Which::Lower) => value > old.value,
            (Some(old), Which::Upper) => value < old.value,
        };
        if !improves {
            return;
        }
        if let Some(opposite) = self.tableau.bound(column, which.other()) {
            let crossed = match which {
                Which::Lower => value > opposite.value,
                Which::Upper => value < opposite.value,
            };
            if crossed {
                let conflict = vec![reason, opposite.reason.clone()];
                return self.set_conflict(conflict);
            }
        }
        let old = self.tableau.set_bound(column, which, Some(Bound { value, reason }));
        self.trail.push(Undo::Bound(column, which, old));
        self.tableau.settle(column, which);
    }

    fn bound_value(&self, which: Which, limit: &Rat, strict: bool) -> DeltaRational {
        match (self.domain, which, strict) {
            (NumberDomain::Integer, Which::Lower, false) => DeltaRational::real(limit.ceil()),
            (NumberDomain::Integer, Which::Lower, true) => DeltaRational::real(&limit.floor() + &Rat::ONE),
            (NumberDomain::Integer, Which::Upper, false) => DeltaRational::real(limit.floor()),
            (NumberDomain::Integer, Which::Upper, true) => DeltaRational::real(&limit.ceil() - &Rat::ONE),
            (NumberDomain::Rational, _, false) => DeltaRational::real(limit.clone()),
            (NumberDomain::Rational, Which::Lower, true) => DeltaRational { real: limit.clone(), delta: Rat::ONE },
            (NumberDomain::Rational, Which::Upper, true) => {
                DeltaRational { real: limit.clone(), delta: Rat::MINUS_ONE }
            }
        }
    }

    fn column_of_form(&mut self, terms: &[(Var, Rat)]) -> Var {
        if let [(var, _)] = terms {
            return self.column(*var);
        }
        if let Some(column) = self.forms.get(terms) {
            return *column;
        }
        let inner: Vec<_> = terms.iter().map(|(var, a)| (self.column(*var), a.clone())).collect();
        let column = self.tableau.new_row(&inner);
        self.forms.insert(terms.to_vec(), column);
        column
    }

    pub(super) fn column(&mut self, var: Var) -> Var {
        if self.columns.len() <= var.index() {
            self.columns.resize(var.index() + 1, None);
        }
        let known = self.columns[var.index()];
        let column = known.unwrap_or_else(|| self.tableau.new_column());
        self.columns[var.index()] = Some(column);
        column
    }

    /// Decides the constraints.
    pub fn check(&mut self, budget: &Budget) -> Result<Answer, Exhausted> {
        let _question = queries::begin(Layer::Simplex);
        let mut splits = MAX_SPLITS;
        self.check_splitting(&mut splits, budget)
    }

    fn check_splitting(&mut self, splits: &mut u32, budget: &Budget) -> Result<Answer, Exhausted> {
        if let Some(refutation) = self.refute_relaxation(budget)? {
            return Ok(Answer::Unsat(refutation));
        }
        let Some(var) = self.first_fractional() else {
            return Ok(Answer::Sat(self.model()));
        };
        if *splits == 0 {
            return Ok(Answer::Unknown);
        }
        *splits -= 1;
        let at = self.real_value(var).floor();
        let below = LinExpr::new([(var, Rat::MINUS_ONE)], at.clone());
        let above = LinExpr::new([(var, Rat::ONE)], &-&at - &Rat::ONE);
        let low = match self.check_side(below, splits, budget)? {
            Answer::Unsat(low) => Box::new(low),
            Answer::Sat(model) => return Ok(Answer::Sat(model)),
            Answer::Unknown => return Ok(Answer::Unknown),
        };
        Ok(match self.check_side(above, splits, budget)? {
            Answer::Unsat(high) => Answer::Unsat(Refutation::Split { var, at, low, high: Box::new(high) }),
            Answer::Sat(model) => Answer::Sat(model),
            Answer::Unknown => Answer::Unknown,
        })
    }

    fn check_side(&mut self, expr: LinExpr, splits: &mut u32, budget: &Budget) -> Result<Answer, Exhausted> {
        self.push();
        self.assert(Constraint::ge(expr));
        let answer = self.check_splitting(splits, budget);
        self.pop();
        answer
    }

    /// Refutes the constraints over the rationals (with rounded bounds), if that is possible.
    pub fn refute_relaxation(&mut self, budget: &Budget) -> Result<Option<Refutation>, Exhausted> {
        let _question = queries::begin(Layer::Simplex);
        if let Some(conflict) = &self.conflict {
            return Ok(Some(Refutation::Farkas(conflict.clone())));
        }
        Ok(match self.tableau.repair(budget)? {
            Repair::Feasible => None,
            Repair::Conflict(multipliers) => Some(Refutation::Farkas(multipliers)),
        })
    }

    fn real_value(&self, var: Var) -> Rat {
        let column = self.columns.get(var.index()).copied().flatten();
        column.map(|column| self.tableau.value(column).real.clone()).unwrap_or_default()
    }

    fn first_fractional(&self) -> Option<Var> {
        match self.domain {
            NumberDomain::Rational => None,
            NumberDomain::Integer => {
                (0..self.columns.len()).map(|index| Var(index as u32)).find(|var| !self.real_value(*var).is_integer())
            }
        }
    }

    /// The current assignment, with a number for ε that keeps every bound.
    fn model(&self) -> Vec<Rat> {
        let epsilon = self.epsilon();
        let value = |column: &Option<Var>| {
            let value = column.map(|column| self.tableau.value(column).clone()).unwrap_or_default();
            &value.real + &(&value.delta * &epsilon)
        };
        self.columns.iter().map(value).collect()
    }

    fn epsilon(&self) -> Rat {
        let columns = self.columns.iter().flatten().chain(self.forms.values());
        let mut epsilon = Rat::ONE;
        for column in columns {
            let value = self.tableau.value(*column);
            let lower = self.tableau.bound(*column, Which::Lower).map(|b| value.minus(&b.value));
            let upper = self.tableau.bound(*column, Which::Upper).map(|b| b.value.minus(value));
            for slack in [lower, upper].into_iter().flatten() {
                if slack.real.is_positive() && slack.delta.is_negative() {
                    epsilon = epsilon.min(&slack.real / &-&slack.delta);
                }
            }
        }
        epsilon
    }
}

/// `expr = scale · terms + offset` with coprime integer `terms`, the first positive.
struct NormalForm {
    terms: Vec<(Var, Rat)>,
    scale: Rat,
}

impl NormalForm {
    fn of(expr: &LinExpr, domain: NumberDomain) -> Option<NormalForm> {
        let (_, first) = expr.terms().first()?;
        let scale = match domain {
            NumberDomain::Rational => first.clone(),
            NumberDomain::Integer => {
                let content = content(expr);
                if first.is_negative() { -&content } else { content }
            }
        };
        let inverse = scale.recip()?;
        let terms = expr.terms().iter().map(|(var, a)| (*var, a * &inverse)).collect();
        Some(NormalForm { terms, scale })
    }
}

/// The greatest rational of which all coefficients are integer multiples.
fn content(expr: &LinExpr) -> Rat {
    let mut numerator = Rat::ZERO;
    let mut denominator = Rat::ONE;
    for (_, coefficient) in expr.terms() {
        numerator = numerator.gcd(&coefficient.numerator());
        let own = coefficient.denominator();
        denominator = &(&denominator * &own) / &denominator.gcd(&own);
    }
    &numerator / &denominator
}

/// Decides `constraints` once.
pub fn satisfiable(constraints: &[Constraint], domain: NumberDomain, budget: &Budget) -> Result<Answer, Exhausted> {
    let mut simplex = Simplex::new(domain);
    for constraint in constraints {
        simplex.assert(constraint.clone());
    }
    simplex.check(budget)
}

/// The refutations of `premises` with each part of the negated `goal` appended: `Some` if the
/// premises entail the goal.
pub fn entails(
    premises: &[Constraint],
    goal: &Constraint,
    domain: NumberDomain,
    budget: &Budget,
) -> Result<Option<Vec<Refutation>>, Exhausted> {
    let mut simplex = Simplex::new(domain);
    for premise in premises {
        simplex.assert(premise.clone());
    }
    simplex.entails(goal, budget)
}

impl Simplex {
    /// As the function [`entails`], with the asserted constraints as premises.
    pub fn entails(&mut self, goal: &Constraint, budget: &Budget) -> Result<Option<Vec<Refutation>>, Exhausted> {
        let mut refutations = Vec::new();
        for part in goal.negated() {
            self.push();
            self.assert(part);
            let answer = self.check(budget);
            self.pop();
            match answer? {
                Answer::Unsat(refutation) => refutations.push(refutation),
                Answer::Sat(_) | Answer::Unknown => return Ok(None),
            }
        }
        Ok(Some(refutations))
    }
}
