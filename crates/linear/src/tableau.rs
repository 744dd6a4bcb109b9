//! The simplex tableau: rows, bounds, assignment, pivoting.
//!
//! Dutertre and de Moura, section 3: each row gives a basic column as a combination of non-basic
//! ones; every non-basic column stays within its bounds. `repair` moves basic columns into theirs by
//! Bland's rule, which cannot cycle, or finds a row that no assignment can satisfy: that row's
//! coefficients are the Farkas multipliers. Rows are sparse and sorted; there is no column index, as
//! our systems have tens of rows.

use belay_base::{Budget, Exhausted};

use super::bound::{Bound, DeltaRational, Which};
use super::linear::merge_scaled;
use super::{Multiplier, Rat, Var};

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub basic: Var,
    pub terms: Vec<(Var, Rat)>,
}

impl Row {
    pub fn coefficient(&self, column: Var) -> Option<&Rat> {
        let position = self.terms.binary_search_by_key(&column, |(var, _)| *var).ok()?;
        Some(&self.terms[position].1)
    }
}

#[derive(Clone, Debug, Default)]
struct Column {
    row: Option<usize>,
    value: DeltaRational,
    lower: Option<Bound>,
    upper: Option<Bound>,
}

/// What `repair` found.
pub(super) enum Repair {
    Feasible,
    Conflict(Vec<Multiplier>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    pub rows: Vec<Row>,
    columns: Vec<Column>,
}

impl Tableau {
    pub fn new_column(&mut self) -> Var {
        let column = Var(u32::try_from(self.columns.len()).expect("fewer than 2^32 columns"));
        self.columns.push(Column::default());
        column
    }

    /// A new basic column that equals `terms`, which may mention basic columns.
    pub fn new_row(&mut self, terms: &[(Var, Rat)]) -> Var {
        let basic = self.new_column();
        let terms = self.in_non_basic(terms);
        let mut value = DeltaRational::default();
        for (column, coefficient) in &terms {
            value.add_scaled(coefficient, self.value(*column));
        }
        self.columns[basic.index()].value = value;
        self.columns[basic.index()].row = Some(self.rows.len());
        self.rows.push(Row { basic, terms });
        basic
    }

    /// `terms` with basic columns replaced by their rows.
    pub fn in_non_basic(&self, terms: &[(Var, Rat)]) -> Vec<(Var, Rat)> {
        let mut result: Vec<(Var, Rat)> = Vec::new();
        for (column, coefficient) in terms {
            result = match self.columns[column.index()].row {
                Some(row) => merge_scaled(&result, coefficient, &self.rows[row].terms),
                None => merge_scaled(&result, coefficient, &[(*column, Rat::ONE)]),
            };
        }
        result
    }

    pub fn value(&self, column: Var) -> &DeltaRational {
        &self.columns[column.index()].value
    }

    pub fn bound(&self, column: Var, which: Which) -> Option<&Bound> {
        let column = &self.columns[column.index()];
        match which {
            Which::Lower => column.lower.as_ref(),
            Which::Upper => column.upper.as_ref(),
        }
    }

    pub fn set_bound(&mut self, column: Var, which: Which, bound: Option<Bound>) -> Option<Bound> {
        let column = &mut self.columns[column.index()];
        match which {
            Which::Lower => std::mem::replace(&mut column.lower, bound),
            Which::Upper => std::mem::replace(&mut column.upper, bound),
        }
    }

    /// True if the column's value is beyond the bound.
    pub fn violates(&self, column: Var, which: Which) -> bool {
        let value = self.value(column);
        self.bound(column, which).is_some_and(|bound| match which {
            Which::Lower => *value < bound.value,
            Which::Upper => *value > bound.value,
        })
    }

    /// True if the column may move past its value towards `which` bound.
    pub fn has_room(&self, column: Var, which: Which) -> bool {
        self.bound(column, which).is_none_or(|bound| bound.value != *self.value(column))
    }

    /// Moves a non-basic column back to a bound that it violates.
    pub fn settle(&mut self, column: Var, which: Which) {
        if self.columns[column.index()].row.is_some() || !self.violates(column, which) {
            return;
        }
        if let Some(bound) = self.bound(column, which) {
            let target = bound.value.clone();
            self.shift(column, &target.minus(self.value(column)));
        }
    }

    /// Adds `change` to a non-basic column, and to the basic ones what follows from it.
    pub fn shift(&mut self, column: Var, change: &DeltaRational) {
        self.columns[column.index()].value.add_scaled(&Rat::ONE, change);
        for row in &self.rows {
            if let Some(coefficient) = row.coefficient(column) {
                self.columns[row.basic.index()].value.add_scaled(coefficient, change);
            }
        }
    }

    /// Exchanges the basic column of `row` with the non-basic `entering`; no value changes. Pays for
    /// the coefficients that it computes.
    pub fn pivot(&mut self, row: usize, entering: Var, budget: &Budget) -> Result<(), Exhausted> {
        let touched = self.rows.iter().filter(|other| other.coefficient(entering).is_some());
        let length = self.rows[row].terms.len() as u64;
        budget.spend(touched.map(|other| other.terms.len() as u64 + length).sum())?;
        let leaving = self.rows[row].basic;
        let terms = std::mem::take(&mut self.rows[row].terms);
        let solved = solve_for(&terms, leaving, entering);
        for other in &mut self.rows {
            if let Some(coefficient) = other.coefficient(entering).cloned() {
                other.terms.retain(|(column, _)| *column != entering);
                other.terms = merge_scaled(&other.terms, &coefficient, &solved);
            }
        }
        self.rows[row] = Row { basic: entering, terms: solved };
        self.columns[entering.index()].row = Some(row);
        self.columns[leaving.index()].row = None;
        Ok(())
    }

    /// Restores the bounds of all basic columns, or explains why that is impossible.
    pub fn repair(&mut self, budget: &Budget) -> Result<Repair, Exhausted> {
        loop {
            budget.spend(1 + self.rows.len() as u64)?;
            let Some((row, which)) = self.first_violation() else {
                return Ok(Repair::Feasible);
            };
            let Some(entering) = self.entering_column(row, which) else {
                return Ok(Repair::Conflict(self.explain(row, which)));
            };
            let basic = self.rows[row].basic;
            let coefficient = self.rows[row].coefficient(entering).cloned().unwrap_or_default();
            if let Some(bound) = self.bound(basic, which) {
                let change = bound.value.minus(self.value(basic)).divide(&coefficient);
                self.shift(entering, &change);
            }
            self.pivot(row, entering, budget)?;
        }
    }

    fn first_violation(&self) -> Option<(usize, Which)> {
        let violated = |row: &Row| {
            let sides = [Which::Lower, Which::Upper];
            sides.into_iter().find(|which| self.violates(row.basic, *which))
        };
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(index, row)| Some((row.basic, index, violated(row)?)))
            .min_by_key(|(basic, _, _)| *basic)
            .map(|(_, index, which)| (index, which))
    }

    /// The least non-basic column of the row that can move the basic one towards `which` bound.
    fn entering_column(&self, row: usize, which: Which) -> Option<Var> {
        let can_help = |(column, coefficient): &&(Var, Rat)| self.has_room(*column, blocking(coefficient, which));
        self.rows[row].terms.iter().find(can_help).map(|(column, _)| *column)
    }

    /// The row's basic column cannot reach its bound, as all others are at theirs.
    fn explain(&self, row: usize, which: Which) -> Vec<Multiplier> {
        let row = &self.rows[row];
        let own = (row.basic, Rat::ONE, which);
        let others =
            row.terms.iter().map(|(column, coefficient)| (*column, coefficient.abs(), blocking(coefficient, which)));
        let used = std::iter::once(own).chain(others);
        used.filter_map(|(column, weight, which)| {
            let reason = self.bound(column, which)?.reason.clone();
            Some(Multiplier { factor: &reason.factor * &weight, ..reason })
        })
        .collect()
    }
}

/// The bound of a column with this coefficient that stops the basic one short of `which`.
fn blocking(coefficient: &Rat, which: Which) -> Which {
    if coefficient.is_positive() { which.other() } else { which }
}

/// From `leaving = terms`, the terms that `entering` equals.
fn solve_for(terms: &[(Var, Rat)], leaving: Var, entering: Var) -> Vec<(Var, Rat)> {
    let position = terms.iter().position(|(column, _)| *column == entering);
    let pivot = &terms[position.expect("the entering column occurs in the row")].1;
    let scale = pivot.recip().expect("no zero coefficient is stored");
    let others = terms.iter().filter(|(column, _)| *column != entering);
    let others: Vec<(Var, Rat)> = others.cloned().collect();
    merge_scaled(&[(leaving, scale.clone())], &-&scale, &others)
}
