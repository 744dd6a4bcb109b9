//! Linear optimisation: the primal simplex on the same tableau.
//!
//! From a feasible assignment, move a non-basic column that improves the objective as far as the
//! bounds allow, exchanging it with the first basic column that stops it (Bland's rule). Over the
//! integers the result is the optimum of the relaxation with rounded bounds: a bound that holds for
//! all integer solutions, not always reached by one.

use belay_base::{Budget, Exhausted};

use belay_base::queries::{self, Layer};

use super::bound::{DeltaRational, Which};
use super::{LinExpr, Rat, Refutation, Simplex, Var};

/// The greatest value of an objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// The constraints have no solution.
    Infeasible(Refutation),
    /// The objective exceeds every number.
    Unbounded,
    /// The least upper bound; reached unless strict constraints exclude it.
    Value {
        /// The bound.
        value: Rat,
        /// True if some rational solution has this value.
        reached: bool,
    },
}

/// How far the entering column can go, and which row stops it; `None`: its own bound does.
type Limit = Option<(DeltaRational, Option<usize>)>;

impl Simplex {
    /// Maximises `objective` over the rational solutions of the asserted constraints.
    pub fn maximise(&mut self, objective: &LinExpr, budget: &Budget) -> Result<Optimum, Exhausted> {
        let _question = queries::begin(Layer::Optimum);
        if let Some(refutation) = self.refute_relaxation(budget)? {
            return Ok(Optimum::Infeasible(refutation));
        }
        let terms: Vec<(Var, Rat)> = objective.terms().iter().map(|(var, a)| (self.column(*var), a.clone())).collect();
        loop {
            budget.spend(1 + self.tableau.rows.len() as u64)?;
            let reduced = self.tableau.in_non_basic(&terms);
            let Some((entering, towards)) = self.improving(&reduced) else {
                return Ok(self.optimum_at(&reduced, objective.offset()));
            };
            match self.ratio_test(entering, towards) {
                None => return Ok(Optimum::Unbounded),
                Some((change, row)) => {
                    self.tableau.shift(entering, &change);
                    if let Some(row) = row {
                        self.tableau.pivot(row, entering, budget)?;
                    }
                }
            }
        }
    }

    /// Minimises `objective`; the value in the answer is the greatest lower bound.
    pub fn minimise(&mut self, objective: &LinExpr, budget: &Budget) -> Result<Optimum, Exhausted> {
        Ok(match self.maximise(&objective.negated(), budget)? {
            Optimum::Value { value, reached } => Optimum::Value { value: -&value, reached },
            Optimum::Infeasible(refutation) => Optimum::Infeasible(refutation),
            Optimum::Unbounded => Optimum::Unbounded,
        })
    }

    fn optimum_at(&self, terms: &[(Var, Rat)], offset: &Rat) -> Optimum {
        let mut value = DeltaRational::real(offset.clone());
        for (column, coefficient) in terms {
            value.add_scaled(coefficient, self.tableau.value(*column));
        }
        Optimum::Value { value: value.real, reached: value.delta.is_zero() }
    }

    fn improving(&self, terms: &[(Var, Rat)]) -> Option<(Var, Which)> {
        terms.iter().find_map(|(column, coefficient)| {
            let towards = if coefficient.is_positive() { Which::Upper } else { Which::Lower };
            self.tableau.has_room(*column, towards).then_some((*column, towards))
        })
    }

    fn ratio_test(&self, entering: Var, towards: Which) -> Limit {
        let own = self.tableau.bound(entering, towards);
        let mut best: Limit = own.map(|bound| (bound.value.minus(self.tableau.value(entering)), None));
        for (index, row) in self.tableau.rows.iter().enumerate() {
            let Some(coefficient) = row.coefficient(entering) else {
                continue;
            };
            let moves = if coefficient.is_positive() { towards } else { towards.other() };
            let Some(bound) = self.tableau.bound(row.basic, moves) else {
                continue;
            };
            let change = bound.value.minus(self.tableau.value(row.basic)).divide(coefficient);
            let replace = match &best {
                None => true,
                Some((old, holder)) => match closer(&change, old, towards) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Greater => false,
                    // Bland: of equals, the least column leaves.
                    std::cmp::Ordering::Equal => {
                        row.basic < holder.map_or(entering, |held| self.tableau.rows[held].basic)
                    }
                },
            };
            if replace {
                best = Some((change, Some(index)));
            }
        }
        best
    }
}

fn closer(a: &DeltaRational, b: &DeltaRational, towards: Which) -> std::cmp::Ordering {
    match towards {
        Which::Upper => a.cmp(b),
        Which::Lower => b.cmp(a),
    }
}
