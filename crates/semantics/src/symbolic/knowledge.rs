//! What a state knows about its symbolic integers: linear constraints and disequalities, and who decides what follows.

use belay_base::{Budget, Exhausted};
use belay_logic::simplex::{Answer, Constraint, Domain, LinExpr, Rat, Rel, Simplex, Var, farkas};
use rustc_hash::{FxHashMap, FxHashSet};

/// Decides conjunctions of linear constraints over the integers.
pub trait Entailment {
    /// True only if `constraints` have no integer solution.
    fn refutes(&mut self, constraints: &[Constraint]) -> Result<bool, Exhausted>;
}

/// Asks the simplex, believes a refutation only if its Farkas certificate is right, and remembers the answers.
pub struct Certified<'b> {
    budget: &'b Budget,
    known: FxHashMap<Vec<Constraint>, bool>,
    /// How many questions were answered by the simplex.
    pub asked: u64,
}

/// Answers remembered at most.
const MAX_KNOWN: usize = 200_000;

impl<'b> Certified<'b> {
    /// Works within `budget`.
    pub fn new(budget: &'b Budget) -> Self {
        Self { budget, known: FxHashMap::default(), asked: 0 }
    }
}

impl Entailment for Certified<'_> {
    fn refutes(&mut self, constraints: &[Constraint]) -> Result<bool, Exhausted> {
        self.budget.spend(1)?;
        if let Some(answer) = self.known.get(constraints) {
            return Ok(*answer);
        }
        self.asked += 1;
        self.budget.spend(constraints.len() as u64)?;
        let mut simplex = Simplex::new(Domain::Integer);
        for constraint in constraints {
            simplex.assert(constraint.clone());
        }
        let answer = match simplex.check(self.budget)? {
            Answer::Unsat(refutation) => farkas::check(constraints, Domain::Integer, &refutation),
            Answer::Sat(_) | Answer::Unknown => false,
        };
        if self.known.len() < MAX_KNOWN {
            self.known.insert(constraints.to_vec(), answer);
        }
        Ok(answer)
    }
}

/// Linear constraints, and expressions that are not zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// Hold in every state that is represented. Strict ones are not used: over the integers `e > 0` is `e - 1 ≥ 0`.
    pub constraints: Vec<Constraint>,
    /// Not zero.
    pub apart: Vec<LinExpr>,
}

impl Knowledge {
    /// The constraints that are connected with `expr` through shared variables: all that can matter for it
    /// where the rest has a solution.
    fn slice(&self, expr: &LinExpr) -> Vec<Constraint> {
        let mut reached: FxHashSet<Var> = expr.terms().iter().map(|(var, _)| *var).collect();
        let mut taken = vec![false; self.constraints.len()];
        loop {
            let mut grown = false;
            for (index, constraint) in self.constraints.iter().enumerate() {
                let terms = constraint.expr.terms();
                if !taken[index] && terms.iter().any(|(var, _)| reached.contains(var)) {
                    taken[index] = true;
                    reached.extend(terms.iter().map(|(var, _)| *var));
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        let chosen = self.constraints.iter().zip(&taken).filter(|(_, taken)| **taken);
        chosen.map(|(constraint, _)| constraint.clone()).collect()
    }

    /// True only if `expr ≥ 0` in every state.
    pub fn non_negative(&self, expr: &LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if expr.is_constant() {
            return Ok(!expr.offset().is_negative());
        }
        if self.listed(expr) {
            return Ok(true);
        }
        let mut question = self.slice(expr);
        if question.is_empty() {
            return Ok(false);
        }
        question.push(Constraint::ge(expr.negated().plus_constant(&Rat::MINUS_ONE)));
        oracle.refutes(&question)
    }

    /// True if a constraint says so by itself, or a weaker constant would.
    fn listed(&self, expr: &LinExpr) -> bool {
        self.constraints.iter().any(|known| {
            known.rel == Rel::Ge && known.expr.terms() == expr.terms() && known.expr.offset() <= expr.offset()
        })
    }

    /// True only if `expr = 0` in every state.
    pub fn zero(&self, expr: &LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if expr.is_constant() {
            return Ok(expr.offset().is_zero());
        }
        Ok(self.non_negative(expr, oracle)? && self.non_negative(&expr.negated(), oracle)?)
    }

    /// True only if `expr ≠ 0` in every state.
    pub fn non_zero(&self, expr: &LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if expr.is_constant() {
            return Ok(!expr.offset().is_zero());
        }
        if self.apart.iter().any(|other| other == expr || *other == expr.negated()) {
            return Ok(true);
        }
        Ok(self.non_negative(&expr.plus_constant(&Rat::MINUS_ONE), oracle)?
            || self.non_negative(&expr.negated().plus_constant(&Rat::MINUS_ONE), oracle)?)
    }

    /// True only if `constraint` holds in every state.
    pub fn entails(&self, constraint: &Constraint, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        match constraint.rel {
            Rel::Ge => self.non_negative(&constraint.expr, oracle),
            Rel::Gt => self.non_negative(&constraint.expr.plus_constant(&Rat::MINUS_ONE), oracle),
            Rel::Eq => self.zero(&constraint.expr, oracle),
        }
    }

    /// Adds `expr ≥ 0`, sharpened by what is apart. False if that leaves no state.
    pub fn assume(&mut self, expr: LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if expr.is_constant() {
            return Ok(!expr.offset().is_negative());
        }
        let sharp = self.apart.iter().any(|other| *other == expr || *other == expr.negated());
        let expr = if sharp { expr.plus_constant(&Rat::MINUS_ONE) } else { expr };
        if self.listed(&expr) {
            return Ok(true);
        }
        self.constraints.retain(|known| {
            known.rel != Rel::Ge || known.expr.terms() != expr.terms() || known.expr.offset() < expr.offset()
        });
        self.constraints.push(Constraint::ge(expr.clone()));
        let question = self.slice(&expr);
        Ok(!oracle.refutes(&question)?)
    }

    /// Adds `expr ≠ 0`, as a bound where one side is excluded. False if that leaves no state.
    pub fn separate(&mut self, expr: LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if expr.is_constant() {
            return Ok(!expr.offset().is_zero());
        }
        let (above, below) = (self.non_negative(&expr, oracle)?, self.non_negative(&expr.negated(), oracle)?);
        match (above, below) {
            (true, true) => Ok(false),
            (true, false) => self.assume(expr.plus_constant(&Rat::MINUS_ONE), oracle),
            (false, true) => self.assume(expr.negated().plus_constant(&Rat::MINUS_ONE), oracle),
            (false, false) => {
                if !self.apart.contains(&expr) {
                    self.apart.push(expr);
                }
                Ok(true)
            }
        }
    }

    /// Replaces a variable.
    pub fn substitute(&mut self, var: Var, image: &LinExpr) {
        for constraint in &mut self.constraints {
            constraint.expr = replaced(&constraint.expr, var, image);
        }
        self.constraints.retain(|known| !known.expr.is_constant() || !known.holds(|_| Rat::ZERO));
        for expr in &mut self.apart {
            *expr = replaced(expr, var, image);
        }
        self.apart.retain(|expr| !expr.is_constant() || expr.offset().is_zero());
    }

    /// True only if no state is represented.
    pub fn contradictory(&self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if self.apart.iter().any(|expr| expr.is_constant()) {
            return Ok(true);
        }
        oracle.refutes(&self.constraints)
    }
}

/// `expr` with `var` replaced by `image`.
pub(super) fn replaced(expr: &LinExpr, var: Var, image: &LinExpr) -> LinExpr {
    let factor = expr.coefficient(var);
    if factor.is_zero() {
        return expr.clone();
    }
    let rest = LinExpr::new(expr.terms().iter().filter(|(other, _)| *other != var).cloned(), expr.offset().clone());
    rest.add_scaled(&factor, image)
}

/// A constant.
pub(super) fn constant(number: i128) -> LinExpr {
    match i64::try_from(number) {
        Ok(small) => LinExpr::constant(small),
        Err(_) => LinExpr::constant(Rat::parse_integer(&number.to_string()).unwrap_or(Rat::ZERO)),
    }
}

/// The constant as a machine number.
pub(super) fn as_constant(expr: &LinExpr) -> Option<i128> {
    if !expr.is_constant() {
        return None;
    }
    expr.offset().to_i64().map(i128::from)
}
