//! Linear expressions and constraints over variables that are plain numbers.

use std::fmt;

use smallvec::{SmallVec, smallvec};

use super::Rat;

/// A variable. The solver makes as many as the constraints mention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The variable's index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Most expressions have at most two variables; those live without an allocation.
type Terms = SmallVec<[(Var, Rat); 2]>;

/// `constant + Σ coefficient · variable`; variables ascending, no zero coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct LinExpr {
    terms: Terms,
    constant: Rat,
}

impl LinExpr {
    /// A constant.
    pub fn constant(value: impl Into<Rat>) -> Self {
        Self { terms: Terms::new(), constant: value.into() }
    }

    /// A variable.
    pub fn var(var: Var) -> Self {
        Self { terms: smallvec![(var, Rat::ONE)], constant: Rat::ZERO }
    }

    /// The sum of `terms` (in any order, variables may repeat) and `constant`.
    pub fn new(terms: impl IntoIterator<Item = (Var, Rat)>, constant: Rat) -> Self {
        let mut terms: Terms = terms.into_iter().collect();
        let ascending = terms.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending {
            terms.sort_by_key(|(var, _)| *var);
            let mut merged = Terms::with_capacity(terms.len());
            for (var, coefficient) in terms {
                match merged.last_mut() {
                    Some((last, sum)) if *last == var => *sum += &coefficient,
                    Some(_) | None => merged.push((var, coefficient)),
                }
            }
            terms = merged;
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Self { terms, constant }
    }

    /// The terms, variables ascending.
    pub fn terms(&self) -> &[(Var, Rat)] {
        &self.terms
    }

    /// The constant.
    pub fn offset(&self) -> &Rat {
        &self.constant
    }

    /// The coefficient of `var`.
    pub fn coefficient(&self, var: Var) -> Rat {
        match self.terms.binary_search_by_key(&var, |(var, _)| *var) {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => Rat::ZERO,
        }
    }

    /// True if no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// `self + factor · other`.
    pub fn add_scaled(&self, factor: &Rat, other: &LinExpr) -> LinExpr {
        let terms = merge_scaled(&self.terms, factor, &other.terms);
        LinExpr { terms, constant: &self.constant + &(factor * &other.constant) }
    }

    /// `self + other`.
    pub fn plus(&self, other: &LinExpr) -> LinExpr {
        self.add_scaled(&Rat::ONE, other)
    }

    /// `self - other`.
    pub fn minus(&self, other: &LinExpr) -> LinExpr {
        self.add_scaled(&Rat::MINUS_ONE, other)
    }

    /// `self + offset`.
    pub fn plus_constant(&self, offset: &Rat) -> LinExpr {
        LinExpr { terms: self.terms.clone(), constant: &self.constant + offset }
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &Rat) -> LinExpr {
        LinExpr::default().add_scaled(factor, self)
    }

    /// `-self`.
    pub fn negated(&self) -> LinExpr {
        self.scaled(&Rat::MINUS_ONE)
    }

    /// The expression's value where `value` gives the variables'.
    pub fn evaluate(&self, value: impl Fn(Var) -> Rat) -> Rat {
        let mut sum = self.constant.clone();
        for (var, coefficient) in &self.terms {
            sum += &(coefficient * &value(*var));
        }
        sum
    }
}

/// `left + factor · right` for sorted terms.
pub(super) fn merge_scaled<C>(left: &[(Var, Rat)], factor: &Rat, right: &[(Var, Rat)]) -> C
where
    C: Default + Extend<(Var, Rat)>,
{
    let mut merged = C::default();
    let (mut i, mut j) = (0, 0);
    let next = std::iter::from_fn(|| {
        let (a, b) = (left.get(i), right.get(j));
        let (var, sum) = match (a, b) {
            (None, None) => return None,
            (Some((a, x)), Some((b, y))) if a == b => (*a, x + &(factor * y)),
            (Some((a, x)), Some((b, _))) if a < b => (*a, x.clone()),
            (Some((a, x)), None) => (*a, x.clone()),
            (_, Some((b, y))) => (*b, factor * y),
        };
        i += usize::from(a.is_some_and(|(a, _)| *a == var));
        j += usize::from(b.is_some_and(|(b, _)| *b == var));
        Some((var, sum))
    });
    merged.extend(next.filter(|(_, coefficient)| !coefficient.is_zero()));
    merged
}

impl fmt::Display for LinExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (var, coefficient) in &self.terms {
            write!(f, "{coefficient}*v{} + ", var.0)?;
        }
        write!(f, "{}", self.constant)
    }
}

impl fmt::Debug for LinExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How an expression compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rel {
    /// `expr >= 0`
    Ge,
    /// `expr > 0`
    Gt,
    /// `expr = 0`
    Eq,
}

/// `expr rel 0`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The left-hand side.
    pub expr: LinExpr,
    /// How it compares with zero.
    pub rel: Rel,
}

impl Constraint {
    /// `expr >= 0`.
    pub fn ge(expr: LinExpr) -> Self {
        Self { expr, rel: Rel::Ge }
    }

    /// `expr > 0`.
    pub fn gt(expr: LinExpr) -> Self {
        Self { expr, rel: Rel::Gt }
    }

    /// `expr = 0`.
    pub fn eq(expr: LinExpr) -> Self {
        Self { expr, rel: Rel::Eq }
    }

    /// The constraints whose disjunction is the negation: one, or two for an equality.
    pub fn negated(&self) -> Vec<Constraint> {
        match self.rel {
            Rel::Ge => vec![Self::gt(self.expr.negated())],
            Rel::Gt => vec![Self::ge(self.expr.negated())],
            Rel::Eq => vec![Self::gt(self.expr.clone()), Self::gt(self.expr.negated())],
        }
    }

    /// True if the constraint holds where `value` gives the variables' values.
    pub fn holds(&self, value: impl Fn(Var) -> Rat) -> bool {
        let sum = self.expr.evaluate(value);
        match self.rel {
            Rel::Ge => !sum.is_negative(),
            Rel::Gt => sum.is_positive(),
            Rel::Eq => sum.is_zero(),
        }
    }
}
