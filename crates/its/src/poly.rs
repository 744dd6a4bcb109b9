//! Polynomials with rational coefficients, in a canonical form.

use std::fmt;

use belay_linear::{LinExpr, Rat, Var};
use smallvec::SmallVec;

/// A product of variables, ascending, each as often as its exponent; empty for 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Monomial(SmallVec<[Var; 2]>);

impl Monomial {
    /// The variables, ascending, each as often as its exponent.
    pub fn factors(&self) -> &[Var] {
        &self.0
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let mut factors: SmallVec<[Var; 2]> = self.0.iter().chain(&other.0).copied().collect();
        factors.sort_unstable();
        Monomial(factors)
    }
}

/// A sum of monomials with non-zero coefficients, in ascending order.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Poly {
    terms: Vec<(Monomial, Rat)>,
}

impl Poly {
    /// A constant.
    pub fn constant(value: impl Into<Rat>) -> Poly {
        Poly::from_terms([(Monomial::default(), value.into())])
    }

    /// A variable.
    pub fn var(var: Var) -> Poly {
        Poly::from_terms([(Monomial(SmallVec::from_slice(&[var])), Rat::ONE)])
    }

    fn from_terms(terms: impl IntoIterator<Item = (Monomial, Rat)>) -> Poly {
        let mut sorted: Vec<(Monomial, Rat)> = terms.into_iter().collect();
        sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut terms: Vec<(Monomial, Rat)> = Vec::with_capacity(sorted.len());
        for (monomial, coefficient) in sorted {
            match terms.last_mut() {
                Some((last, sum)) if *last == monomial => *sum += &coefficient,
                Some(_) | None => terms.push((monomial, coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Poly { terms }
    }

    /// The terms, in ascending order of their monomials.
    pub fn terms(&self) -> &[(Monomial, Rat)] {
        &self.terms
    }

    /// The constant term.
    pub fn offset(&self) -> Rat {
        match self.terms.first() {
            Some((monomial, value)) if monomial.0.is_empty() => value.clone(),
            Some(_) | None => Rat::ZERO,
        }
    }

    /// `self - other` if that is a constant.
    pub fn distance(&self, other: &Poly) -> Option<Rat> {
        let varying = |poly: &Poly| usize::from(poly.terms.first().is_some_and(|(m, _)| m.0.is_empty()));
        let (mine, theirs) = (&self.terms[varying(self)..], &other.terms[varying(other)..]);
        (mine == theirs).then(|| &self.offset() - &other.offset())
    }

    /// `self + factor · other`.
    pub fn add_scaled(&self, factor: &Rat, other: &Poly) -> Poly {
        let scaled = other.terms.iter().map(|(monomial, a)| (monomial.clone(), factor * a));
        Poly::from_terms(self.terms.iter().cloned().chain(scaled))
    }

    /// `self + other`.
    pub fn plus(&self, other: &Poly) -> Poly {
        self.add_scaled(&Rat::ONE, other)
    }

    /// `self - other`.
    pub fn minus(&self, other: &Poly) -> Poly {
        self.add_scaled(&Rat::MINUS_ONE, other)
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &Rat) -> Poly {
        Poly::default().add_scaled(factor, self)
    }

    /// `self · other`.
    pub fn times(&self, other: &Poly) -> Poly {
        let pairs = self
            .terms
            .iter()
            .flat_map(|(left, a)| other.terms.iter().map(move |(right, b)| (left.times(right), a * b)));
        Poly::from_terms(pairs)
    }

    /// Each variable replaced by what `image` gives.
    pub fn substitute(&self, image: impl Fn(Var) -> Poly) -> Poly {
        let mut sum: Vec<(Monomial, Rat)> = Vec::new();
        for (monomial, coefficient) in &self.terms {
            match monomial.factors() {
                [] => sum.push((monomial.clone(), coefficient.clone())),
                [var] => {
                    let image = image(*var);
                    sum.extend(image.terms.into_iter().map(|(m, a)| (m, &a * coefficient)));
                }
                factors => {
                    let unit = Poly::constant(coefficient.clone());
                    let product = factors.iter().fold(unit, |acc, var| acc.times(&image(*var)));
                    sum.extend(product.terms);
                }
            }
        }
        Poly::from_terms(sum)
    }

    /// The variables that occur, with repetitions.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().flat_map(|(monomial, _)| monomial.0.iter().copied())
    }

    /// True if the variable occurs.
    pub fn mentions(&self, var: Var) -> bool {
        self.vars().any(|other| other == var)
    }

    /// True if the degree or the number of terms is far beyond what the solvers can use.
    pub(crate) fn is_unwieldy(&self) -> bool {
        self.terms.len() > 60 || self.terms.iter().any(|(monomial, _)| monomial.0.len() > 6)
    }

    /// True if no monomial has more than one factor.
    pub fn is_linear(&self) -> bool {
        self.terms.iter().all(|(monomial, _)| monomial.0.len() <= 1)
    }

    /// The coefficient of the monomial that is `var` alone.
    pub fn coefficient(&self, var: Var) -> Rat {
        let found = self.terms.iter().find(|(monomial, _)| monomial.factors() == [var]);
        found.map(|(_, coefficient)| coefficient.clone()).unwrap_or_default()
    }

    /// The linear expression, if the polynomial is one.
    pub fn to_linear(&self) -> Option<LinExpr> {
        self.is_linear().then(|| self.to_linear_with(|_| Var(0)))
    }

    /// A linear expression in which `column` names each product of two or more factors.
    pub fn to_linear_with(&self, mut column: impl FnMut(&Monomial) -> Var) -> LinExpr {
        let mut terms = Vec::with_capacity(self.terms.len());
        for (monomial, coefficient) in &self.terms {
            match monomial.factors() {
                [] => {}
                [var] => terms.push((*var, coefficient.clone())),
                _ => terms.push((column(monomial), coefficient.clone())),
            }
        }
        LinExpr::new(terms, self.offset())
    }

    /// The polynomial's value where `value` gives the variables'.
    pub fn evaluate(&self, value: impl Fn(Var) -> Rat) -> Rat {
        let mut sum = Rat::ZERO;
        for (monomial, coefficient) in &self.terms {
            let product = monomial.0.iter().fold(coefficient.clone(), |product, var| &product * &value(*var));
            sum += &product;
        }
        sum
    }

    /// The polynomial with variables printed by `name`.
    pub fn display(&self, name: impl Fn(Var) -> String) -> String {
        if self.terms.is_empty() {
            return "0".to_owned();
        }
        let mut text = String::new();
        // Constants are written last, as people do.
        let (constant, rest): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(monomial, _)| monomial.0.is_empty());
        for (monomial, coefficient) in rest.into_iter().chain(constant) {
            let sign = if coefficient.is_negative() { "-" } else { "+" };
            match text.is_empty() {
                true if sign == "-" => text.push('-'),
                true => {}
                false => text.push_str(&format!(" {sign} ")),
            }
            let size = coefficient.abs();
            let mut factors: Vec<String> = monomial.0.iter().map(|var| name(*var)).collect();
            if !size.is_one() || factors.is_empty() {
                factors.insert(0, size.to_string());
            }
            text.push_str(&factors.join("*"));
        }
        text
    }
}

impl From<&LinExpr> for Poly {
    fn from(expr: &LinExpr) -> Self {
        let linear = expr.terms().iter();
        let linear = linear.map(|(var, a)| (Monomial(SmallVec::from_slice(&[*var])), a.clone()));
        let constant = (Monomial::default(), expr.offset().clone());
        Poly::from_terms(linear.chain(std::iter::once(constant)))
    }
}

impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display(|var| format!("v{}", var.0)))
    }
}

impl fmt::Debug for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_canonical() {
        let (x, y) = (Poly::var(Var(0)), Poly::var(Var(1)));
        let difference = x.plus(&y).times(&x.minus(&y));
        assert_eq!(difference, x.times(&x).minus(&y.times(&y)));
        assert_eq!(difference.to_string(), "v0*v0 - v1*v1");
        assert!(!difference.is_linear());
        let at_equal = difference.substitute(|_| Poly::var(Var(7)));
        assert_eq!(at_equal, Poly::default());
    }
}
