//! What is known about integers: linear constraints, disequalities and products, and who decides what follows.

use belay_base::{Budget, Exhausted};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Answer, Constraint, LinExpr, NumberDomain, Rat, Rel, Simplex, Var, farkas, satisfiable};

/// Decides conjunctions of linear constraints over the integers.
pub trait Entailment {
    /// True only if `constraints` have no integer solution.
    fn refutes(&mut self, constraints: &[Constraint]) -> Result<bool, Exhausted>;
}

/// Asks the simplex, believes a refutation only if its Farkas certificate is right, and remembers the answers.
///
/// Questions come in rows that begin alike: what a state knows, and then what is asked. So the constraints of the last questions stay asserted, and
/// only what is different is taken back and added.
pub struct Certified<'b> {
    budget: &'b Budget,
    known: FxHashMap<Vec<Constraint>, bool>,
    /// Constraints of all questions that are remembered.
    stored: usize,
    stacks: Vec<Stack>,
    /// How many questions were answered by the simplex.
    pub asked: u64,
}

/// A question that is still asserted.
struct Stack {
    simplex: Simplex,
    /// Constraints that were asserted since it was empty: rows of those that were taken back are still there.
    asserted: usize,
    /// When it was last asked.
    at: u64,
}

/// Answers remembered at most.
const MAX_KNOWN: usize = 200_000;
/// Constraints of remembered questions at most.
const MAX_STORED: usize = 4_000_000;
/// Questions that stay asserted.
const MAX_STACKS: usize = 3;

impl<'b> Certified<'b> {
    /// Works within `budget`.
    pub fn new(budget: &'b Budget) -> Self {
        Self { budget, known: FxHashMap::default(), stored: 0, stacks: Vec::new(), asked: 0 }
    }

    /// A simplex in which just these constraints are asserted, in this order; the one that has most of them already.
    fn stack(&mut self, constraints: &[Constraint]) -> Result<&mut Stack, Exhausted> {
        let shared =
            |stack: &Stack| stack.simplex.constraints().iter().zip(constraints).take_while(|(a, b)| a == b).count();
        let best = self.stacks.iter().map(shared).enumerate().max_by_key(|(_, count)| *count);
        let fits = |at: usize, count: usize| {
            2 * count >= constraints.len() && self.stacks[at].asserted <= 8 * constraints.len() + 64
        };
        let (at, kept) = match best {
            Some((at, count)) if fits(at, count) => (at, count),
            Some(_) | None => (self.empty_stack(), 0),
        };
        self.budget.spend((constraints.len() - kept) as u64)?;
        let stack = &mut self.stacks[at];
        while stack.simplex.constraints().len() > kept {
            stack.simplex.pop();
        }
        for constraint in &constraints[kept..] {
            stack.simplex.push();
            stack.simplex.assert(constraint.clone());
        }
        stack.asserted += constraints.len() - kept;
        stack.at = self.asked;
        Ok(stack)
    }

    /// A new stack, in the place of the one that was not asked for longest.
    fn empty_stack(&mut self) -> usize {
        let empty = Stack { simplex: Simplex::new(NumberDomain::Integer), asserted: 0, at: self.asked };
        if self.stacks.len() < MAX_STACKS {
            self.stacks.push(empty);
            return self.stacks.len() - 1;
        }
        let oldest = (0..self.stacks.len()).min_by_key(|at| self.stacks[*at].at).unwrap_or(0);
        self.stacks[oldest] = empty;
        oldest
    }
}

impl Entailment for Certified<'_> {
    fn refutes(&mut self, constraints: &[Constraint]) -> Result<bool, Exhausted> {
        self.budget.spend(1)?;
        if let Some(answer) = self.known.get(constraints) {
            return Ok(*answer);
        }
        self.asked += 1;
        let budget = self.budget;
        let stack = self.stack(constraints)?;
        let mut answer = stack.simplex.check(budget)?;
        if answer == Answer::Unknown && stack.asserted > constraints.len() {
            // Variables of constraints that were taken back were in the way.
            answer = satisfiable(constraints, NumberDomain::Integer, budget)?;
        }
        let answer = match answer {
            Answer::Unsat(refutation) => farkas::check(constraints, NumberDomain::Integer, &refutation),
            Answer::Sat(_) | Answer::Unknown => false,
        };
        if self.known.len() < MAX_KNOWN && self.stored + constraints.len() < MAX_STORED {
            self.stored += constraints.len();
            self.known.insert(constraints.to_vec(), answer);
        }
        Ok(answer)
    }
}

/// A number that is the product of two others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product {
    /// One factor.
    pub left: LinExpr,
    /// The other one.
    pub right: LinExpr,
    /// The product.
    pub value: LinExpr,
}

impl Product {
    /// The other factor, if this is one.
    pub fn beside(&self, factor: &LinExpr) -> Option<&LinExpr> {
        match (self.left == *factor, self.right == *factor) {
            (true, _) => Some(&self.right),
            (false, true) => Some(&self.left),
            (false, false) => None,
        }
    }

    /// The same over other expressions.
    pub fn map(&self, mut f: impl FnMut(&LinExpr) -> Option<LinExpr>) -> Option<Product> {
        Some(Product { left: f(&self.left)?, right: f(&self.right)?, value: f(&self.value)? })
    }
}

/// Linear constraints, and expressions that are not zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// Hold in every state that is represented. Strict ones are not used: over the integers `e > 0` is `e - 1 ≥ 0`.
    pub constraints: Vec<Constraint>,
    /// Not zero.
    pub apart: Vec<LinExpr>,
    /// Numbers that are products of others.
    pub products: Vec<Product>,
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
    pub fn listed(&self, expr: &LinExpr) -> bool {
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
        for product in &mut self.products {
            for expr in [&mut product.left, &mut product.right, &mut product.value] {
                *expr = replaced(expr, var, image);
            }
        }
        self.unfold_products();
    }

    /// Notes what the products are of which a factor has become a constant: that multiple of the other one, which is true of them in every state that is represented.
    fn unfold_products(&mut self) {
        let multiple = |product: &Product| {
            let (factor, other) = match (product.left.is_constant(), product.right.is_constant()) {
                (true, _) => (&product.left, &product.right),
                (false, true) => (&product.right, &product.left),
                (false, false) => return None,
            };
            Some(product.value.minus(&other.scaled(factor.offset())))
        };
        for expr in self.products.iter().filter_map(multiple).filter(|expr| !expr.is_constant()) {
            let known = Constraint { expr, rel: Rel::Eq };
            if !self.constraints.contains(&known) {
                self.constraints.push(known);
            }
        }
    }

    /// True only if no state is represented.
    pub fn contradictory(&self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if self.apart.iter().any(|expr| expr.is_constant()) {
            return Ok(true);
        }
        oracle.refutes(&self.constraints)
    }
}

impl Knowledge {
    /// True only if a product is one in every state.
    pub fn is_product(&self, product: &Product, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let Product { left, right, value } = product;
        for (one, other) in [(left, right), (right, left)] {
            if let Some(factor) = as_constant(one) {
                return self.zero(&value.minus(&other.scaled(constant(factor).offset())), oracle);
            }
        }
        for known in &self.products {
            let ways = [(&known.left, &known.right), (&known.right, &known.left)];
            for (one, other) in ways {
                if self.zero(&left.minus(one), oracle)?
                    && self.zero(&right.minus(other), oracle)?
                    && self.zero(&value.minus(&known.value), oracle)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// `expr` with `var` replaced by `image`.
pub fn replaced(expr: &LinExpr, var: Var, image: &LinExpr) -> LinExpr {
    let factor = expr.coefficient(var);
    if factor.is_zero() {
        return expr.clone();
    }
    let rest = LinExpr::new(expr.terms().iter().filter(|(other, _)| *other != var).cloned(), expr.offset().clone());
    rest.add_scaled(&factor, image)
}

/// A constant.
pub fn constant(number: i128) -> LinExpr {
    match i64::try_from(number) {
        Ok(small) => LinExpr::constant(small),
        Err(_) => LinExpr::constant(Rat::parse_integer(&number.to_string()).unwrap_or(Rat::ZERO)),
    }
}

/// The constant as a machine number.
pub fn as_constant(expr: &LinExpr) -> Option<i128> {
    if !expr.is_constant() {
        return None;
    }
    expr.offset().to_i64().map(i128::from)
}
