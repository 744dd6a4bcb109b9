//! Terms and formulas of a rule, read into polynomials and disjunctive normal form.

use belay_linear::{Rat, Var};

use super::sexpr::SExpr;
use crate::poly::Poly;
use crate::system::{Atom, VarExt};

/// More disjuncts than this are refused.
const MAX_DISJUNCTS: usize = 128;

/// A disjunction of conjunctions.
pub(super) type Dnf = Vec<Vec<Atom>>;

/// The variables of one rule: those of the left-hand side first, then extras as they appear.
pub(super) struct Scope {
    vars: usize,
    names: Vec<(String, Poly)>,
    pub extras: u32,
    /// What defines the extras made for `div` and `mod`.
    pub definitions: Vec<Atom>,
}

impl Scope {
    pub fn new(vars: usize, arguments: &[String]) -> Scope {
        let mut scope = Scope { vars, names: Vec::new(), extras: 0, definitions: Vec::new() };
        for (index, name) in arguments.iter().enumerate() {
            let argument = Poly::var(Var::new(index));
            match scope.lookup(name) {
                Some(known) => scope.definitions.push(Atom::equal(&known, &argument)),
                None => scope.names.push((name.clone(), argument)),
            }
        }
        scope
    }

    fn lookup(&self, name: &str) -> Option<Poly> {
        self.names.iter().find(|(known, _)| known == name).map(|(_, poly)| poly.clone())
    }

    fn fresh(&mut self) -> Poly {
        let var = Var::new(self.vars + self.extras as usize);
        self.extras += 1;
        Poly::var(var)
    }

    fn symbol(&mut self, name: &str) -> Result<Poly, String> {
        if name.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let value = Rat::parse_integer(name).ok_or_else(|| format!("bad number {name}"))?;
            return Ok(Poly::constant(value));
        }
        if let Some(known) = self.lookup(name) {
            return Ok(known);
        }
        let extra = self.fresh();
        self.names.push((name.to_owned(), extra.clone()));
        Ok(extra)
    }

    /// An integer term.
    pub fn term(&mut self, term: &SExpr) -> Result<Poly, String> {
        let list = match term {
            SExpr::Symbol(name) => return self.symbol(name),
            SExpr::List(list) => list,
        };
        let [SExpr::Symbol(operator), arguments @ ..] = list.as_slice() else {
            return Err("a term must start with an operator".to_owned());
        };
        let values = arguments.iter().map(|argument| self.term(argument)).collect::<Result<Vec<_>, _>>()?;
        match (operator.as_str(), values.as_slice()) {
            ("-", [only]) => Ok(only.scaled(&Rat::MINUS_ONE)),
            ("-", [first, rest @ ..]) => Ok(rest.iter().fold(first.clone(), |a, b| a.minus(b))),
            ("+", values) => Ok(values.iter().fold(Poly::default(), |a, b| a.plus(b))),
            ("*", values) => Ok(values.iter().fold(Poly::constant(1), |a, b| a.times(b))),
            ("div", [dividend, divisor]) => Ok(self.divide(dividend, divisor)?.0),
            ("mod", [dividend, divisor]) => Ok(self.divide(dividend, divisor)?.1),
            (other, _) => Err(format!("unsupported operator {other}")),
        }
    }

    /// Quotient and remainder, as new extra variables.
    fn divide(&mut self, dividend: &Poly, divisor: &Poly) -> Result<(Poly, Poly), String> {
        let size = divisor.offset();
        if size.is_zero() || *divisor != Poly::constant(size.clone()) {
            return Err("division by a term that is not a non-zero constant".to_owned());
        }
        let quotient = self.fresh();
        let remainder = dividend.minus(&quotient.scaled(&size));
        self.definitions.push(Atom::non_negative(remainder.clone()));
        self.definitions.push(Atom::greater(&Poly::constant(size.abs()), &remainder));
        Ok((quotient, remainder))
    }

    /// The formula (or its negation) in disjunctive normal form.
    pub fn formula(&mut self, formula: &SExpr, negated: bool) -> Result<Dnf, String> {
        let list = match formula {
            SExpr::Symbol(name) => {
                return match (name.as_str(), negated) {
                    ("true", false) | ("false", true) => Ok(vec![Vec::new()]),
                    ("true", true) | ("false", false) => Ok(Vec::new()),
                    (other, _) => Err(format!("unsupported Boolean variable {other}")),
                };
            }
            SExpr::List(list) => list,
        };
        let [SExpr::Symbol(operator), arguments @ ..] = list.as_slice() else {
            return Err("a formula must start with an operator".to_owned());
        };
        match (operator.as_str(), arguments) {
            ("and", all) => self.connective(all, negated, !negated),
            ("or", all) => self.connective(all, negated, negated),
            ("not", [inner]) => self.formula(inner, !negated),
            ("=>", [premise, conclusion]) => {
                let left = self.formula(premise, !negated)?;
                let right = self.formula(conclusion, negated)?;
                if negated { conjoin(left, &right) } else { Ok([left, right].concat()) }
            }
            (comparison, [_, _, ..]) => self.comparison(comparison, arguments, negated),
            (other, _) => Err(format!("unsupported formula {other}")),
        }
    }

    fn connective(&mut self, arguments: &[SExpr], negated: bool, conjunctive: bool) -> Result<Dnf, String> {
        let mut result = if conjunctive { vec![Vec::new()] } else { Vec::new() };
        for argument in arguments {
            let part = self.formula(argument, negated)?;
            match conjunctive {
                true => result = conjoin(result, &part)?,
                false => result.extend(part),
            }
        }
        Ok(result)
    }

    fn comparison(&mut self, operator: &str, arguments: &[SExpr], negated: bool) -> Result<Dnf, String> {
        let values = arguments.iter().map(|argument| self.term(argument)).collect::<Result<Vec<_>, _>>()?;
        let mut result = if negated { Vec::new() } else { vec![Vec::new()] };
        for pair in values.windows(2) {
            let part = compare(operator, &pair[0], &pair[1], negated)?;
            match negated {
                true => result.extend(part),
                false => result = conjoin(result, &part)?,
            }
        }
        Ok(result)
    }
}

fn compare(operator: &str, left: &Poly, right: &Poly, negated: bool) -> Result<Dnf, String> {
    let apart = || vec![vec![Atom::greater(left, right)], vec![Atom::greater(right, left)]];
    Ok(match (operator, negated) {
        ("<", false) | (">=", true) => vec![vec![Atom::greater(right, left)]],
        ("<=", false) | (">", true) => vec![vec![Atom::at_least(right, left)]],
        (">", false) | ("<=", true) => vec![vec![Atom::greater(left, right)]],
        (">=", false) | ("<", true) => vec![vec![Atom::at_least(left, right)]],
        ("=", false) | ("distinct", true) => vec![vec![Atom::equal(left, right)]],
        ("=", true) | ("distinct", false) => apart(),
        (other, _) => return Err(format!("unsupported comparison {other}")),
    })
}

fn conjoin(left: Dnf, right: &Dnf) -> Result<Dnf, String> {
    if left.len() * right.len() > MAX_DISJUNCTS {
        return Err("the guard has too many disjuncts".to_owned());
    }
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat()));
    Ok(pairs.collect())
}
