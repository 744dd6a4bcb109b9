//! Conjunctions of polynomial atoms as linear constraints, and certified questions about them.
//!
//! A product of variables becomes a variable of its own, about which the linear solver knows only
//! the facts listed here; that forgets constraints, so what follows from the rest follows from the
//! atoms. The facts: `p·q ≥ 0` for atoms `p ≥ 0` and `q ≥ 0`, `p·v = 0` for an atom `p = 0`, and
//! `v² ≥ ±v` for an integer `v`; only where they mention a product that occurs. Inequalities are also
//! rounded, on their own and after an equality has eliminated a variable. Complete for linear
//! atoms up to branching, a heuristic for the others.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};
use belay_linear::{Answer, Constraint, LinExpr, NumberDomain, Rat, Rel, Simplex, Var, farkas};

use crate::poly::{Monomial, Poly};
use crate::system::{Atom, Sign, VarExt};

/// At most so many facts about products are added.
const MAX_FACTS: usize = 40;

/// True if the atoms about single variables, or about none, can't hold together. Of cells that are told apart by constants this is all there is to see.
pub(crate) fn plainly_contradictory(atoms: &[Atom]) -> bool {
    let mut bounds: BTreeMap<Var, (Option<Rat>, Option<Rat>)> = BTreeMap::new();
    atoms.iter().any(|atom| {
        let exact = atom.sign == Sign::Zero;
        let Some(expr) = atom.poly.to_linear() else { return false };
        let (var, factor) = match expr.terms() {
            [] => return expr.offset().is_negative() || (exact && !expr.offset().is_zero()),
            [(var, factor)] => (*var, factor),
            _ => return false,
        };
        let Some(inverse) = factor.recip() else { return false };
        let bound = &-expr.offset() * &inverse;
        let (low, high) = bounds.entry(var).or_default();
        if (exact || factor.is_positive()) && low.as_ref().is_none_or(|low| *low < bound) {
            *low = Some(bound.clone());
        }
        if (exact || factor.is_negative()) && high.as_ref().is_none_or(|high| *high > bound) {
            *high = Some(bound);
        }
        low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low > high)
    })
}

/// Atoms as linear constraints; products of variables are columns from `width` on.
#[derive(Clone, Debug)]
pub struct Linearised {
    width: usize,
    products: Vec<Monomial>,
    /// The constraints, with facts about products.
    pub constraints: Vec<Constraint>,
}

impl Linearised {
    /// Linearises `atoms` over `width` variables. Products that occur in `goals` get facts too.
    pub fn new(width: usize, atoms: &[Atom], goals: &[Poly]) -> Linearised {
        let mut result = Linearised { width, products: Vec::new(), constraints: Vec::new() };
        let mut atoms: Vec<Atom> = atoms.iter().map(round_atom).collect();
        atoms.extend(round_consequences(&atoms));
        let polys = atoms.iter().map(|atom| &atom.poly).chain(goals);
        let occurring: BTreeSet<Monomial> = polys.flat_map(products_of).cloned().collect();
        let facts = if occurring.is_empty() { Vec::new() } else { facts(&atoms, &occurring) };
        for atom in atoms.iter().chain(&facts) {
            let expr = result.linear(&atom.poly);
            let rel = match atom.sign {
                Sign::NonNegative => Rel::Ge,
                Sign::Zero => Rel::Eq,
            };
            result.constraints.push(Constraint { expr, rel });
        }
        result
    }

    /// The polynomial with a column for each product.
    pub fn linear(&mut self, poly: &Poly) -> LinExpr {
        let (width, products) = (self.width, &mut self.products);
        poly.to_linear_with(|monomial| {
            let known = products.iter().position(|product| product == monomial);
            let index = known.unwrap_or_else(|| {
                products.push(monomial.clone());
                products.len() - 1
            });
            Var::new(width + index)
        })
    }
}

/// `a·x + c ≥ 0` divided by the coefficients' common divisor, the constant rounded: products of rounded
/// atoms are stronger facts.
fn round_atom(atom: &Atom) -> Atom {
    let terms = atom.poly.terms().iter().filter(|(monomial, _)| !monomial.factors().is_empty());
    let divisor = terms.fold(Rat::ZERO, |gcd, (_, a)| gcd.gcd(&a.numerator()));
    let whole = atom.poly.terms().iter().all(|(_, a)| a.is_integer());
    match (atom.sign, divisor.recip()) {
        (Sign::NonNegative, Some(scale)) if whole && !scale.is_one() => {
            let scaled = atom.poly.scaled(&scale);
            let excess = &scaled.offset() - &scaled.offset().floor();
            Atom::non_negative(scaled.minus(&Poly::constant(excess)))
        }
        (Sign::NonNegative | Sign::Zero, _) => atom.clone(),
    }
}

/// Inequalities that become stronger by rounding once an equality has eliminated a variable.
fn round_consequences(atoms: &[Atom]) -> Vec<Atom> {
    let mut found = Vec::new();
    for equality in atoms.iter().filter(|atom| atom.sign == Sign::Zero && atom.poly.is_linear()) {
        for (var, unit) in equality.poly.terms().iter().filter_map(|(monomial, a)| {
            let [var] = monomial.factors() else {
                return None;
            };
            a.abs().is_one().then_some((*var, a))
        }) {
            let others = atoms.iter().filter(|atom| atom.sign == Sign::NonNegative);
            for other in others.filter(|atom| !atom.poly.coefficient(var).is_zero()) {
                let factor = -&(&other.poly.coefficient(var) * unit);
                let sum = Atom::non_negative(other.poly.add_scaled(&factor, &equality.poly));
                let stronger = round_atom(&sum);
                if stronger != sum && found.len() < MAX_FACTS {
                    found.push(stronger);
                }
            }
        }
    }
    found
}

fn products_of(poly: &Poly) -> impl Iterator<Item = &Monomial> {
    poly.terms().iter().map(|(monomial, _)| monomial).filter(|m| m.factors().len() > 1)
}

/// Facts that mention a product in `occurring`.
fn facts(atoms: &[Atom], occurring: &BTreeSet<Monomial>) -> Vec<Atom> {
    let mut facts: Vec<Atom> = Vec::new();
    for product in occurring {
        if let [first, second] = product.factors()
            && first == second
        {
            let (root, square) = (Poly::var(*first), Poly::var(*first).times(&Poly::var(*first)));
            facts.push(Atom::non_negative(square.plus(&root)));
            facts.push(Atom::non_negative(square.minus(&root)));
        }
    }
    let relevant = |poly: &Poly| products_of(poly).any(|product| occurring.contains(product));
    let vars: BTreeSet<Var> = occurring.iter().flat_map(|m| m.factors().to_vec()).collect();
    for (index, left) in atoms.iter().enumerate().filter(|(_, atom)| atom.poly.is_linear()) {
        let products: Vec<Atom> = match left.sign {
            Sign::Zero => vars.iter().map(|v| Atom::zero(left.poly.times(&Poly::var(*v)))).collect(),
            Sign::NonNegative => atoms[index..]
                .iter()
                .filter(|right| right.sign == Sign::NonNegative && right.poly.is_linear())
                .map(|right| Atom::non_negative(left.poly.times(&right.poly)))
                .collect(),
        };
        facts.extend(products.into_iter().filter(|fact| relevant(&fact.poly)));
        if facts.len() > MAX_FACTS {
            break;
        }
    }
    facts.truncate(MAX_FACTS);
    facts
}

/// A conjunction of atoms that questions are asked about. Every "yes" has passed
/// [`farkas::check`].
pub struct Premises {
    linearised: Linearised,
    simplex: Simplex,
}

impl Premises {
    /// The premises `atoms` over `width` variables, for questions about `goals`.
    pub fn new(width: usize, atoms: &[Atom], goals: &[Poly]) -> Premises {
        let linearised = Linearised::new(width, atoms, goals);
        let mut simplex = Simplex::new(NumberDomain::Integer);
        for constraint in &linearised.constraints {
            simplex.assert(constraint.clone());
        }
        Premises { linearised, simplex }
    }

    /// True if the premises contradict each other.
    pub fn contradictory(&mut self, budget: &Budget) -> Result<bool, Exhausted> {
        let answer = self.simplex.check(budget)?;
        Ok(self.is_certified(&answer))
    }

    /// True if the premises entail the atom.
    pub fn entail(&mut self, atom: &Atom, budget: &Budget) -> Result<bool, Exhausted> {
        Ok(self.entail_non_negative(&atom.poly, budget)?
            && match atom.sign {
                Sign::NonNegative => true,
                Sign::Zero => self.entail_non_negative(&atom.poly.scaled(&Rat::MINUS_ONE), budget)?,
            })
    }

    /// True if the premises entail `poly ≥ 0`.
    pub fn entail_non_negative(&mut self, poly: &Poly, budget: &Budget) -> Result<bool, Exhausted> {
        let expr = self.linearised.linear(poly);
        if expr.is_constant() && !expr.offset().is_negative() {
            return Ok(true);
        }
        self.simplex.push();
        self.simplex.assert(Constraint::gt(expr.negated()));
        let answer = self.simplex.check(budget);
        let certified = answer.map(|answer| self.is_certified(&answer));
        self.simplex.pop();
        certified
    }

    fn is_certified(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Unsat(refutation) => farkas::check(self.simplex.constraints(), NumberDomain::Integer, refutation),
            Answer::Sat(_) | Answer::Unknown => false,
        }
    }
}
