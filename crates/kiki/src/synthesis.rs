//! The search for invariants: bounds of template rows that every round keeps.
//!
//! Each row's bound is a variable of the formula, so that one translation serves all candidates. All bounds start below every value;
//! as long as some state that satisfies the candidates can come back to a head outside of them, the bounds it breaks are raised to the next
//! constant of the program (sections 5 and 6.1 of the 2LS paper, the inductivity check). Since each bound goes through
//! finitely many constants and then to "no bound", this ends in the strongest invariant with such bounds. Where that is not enough,
//! one round of binary search lowers each bound to what can come back at most: lowering an invariant to what it implies
//! of the next round leaves an invariant.

use belay_base::Budget;
use belay_encoder::{Stop, Store, Unrolling};
use belay_invariants::Relation;
use belay_logic::bv::float::Format;
use belay_logic::bv::{Bits, BvSolver, SatResult, TermId};

use super::blocked_cubes::Head;
use super::rows::{BoundCandidate, Rows, stronger};
use super::{possible, truth};

/// Candidates tried at most.
const MAX_CANDIDATES: u32 = 600;

/// A cut unrolling, and candidates for the bounds of its rows.
pub struct Found<'p> {
    /// The terms.
    pub(super) store: Store<'p>,
    pub(super) solver: BvSolver,
    /// The unrolling.
    pub unrolling: Unrolling,
    /// The candidates.
    pub values: Vec<BoundCandidate>,
    /// What is known of combinations of values.
    pub heads: Vec<Head>,
    /// The formats of the rows about floats.
    formats: Vec<Option<Format>>,
    /// Whether conditions are asked one by one, not whether there is one among them: sums of many loops at once are hard, those of one loop are not.
    one_by_one: bool,
    /// Which of them was possible last.
    last: usize,
}

impl<'p> Found<'p> {
    /// An unrolling with candidates.
    pub fn new(store: Store<'p>, unrolling: Unrolling, rows: &Rows) -> Self {
        let (values, heads) = (rows.starts(), rows.heads(&unrolling));
        let mut solver = BvSolver::for_many_questions();
        for constraint in &store.constraints {
            solver.assert(*constraint);
        }
        let (formats, one_by_one) = (rows.formats(), rows.have_prefix_sums());
        Self { store, solver, unrolling, values, heads, formats, one_by_one, last: 0 }
    }

    /// True if floats play a part.
    pub fn has_floats(&self) -> bool {
        self.store.terms.has_floats()
    }

    fn assumption(&mut self, index: usize, value: BoundCandidate) -> Option<TermId> {
        let parameter = self.store.parameter(index as u32)?;
        let width = self.store.terms.width(parameter);
        let format = self.formats.get(index).copied().flatten();
        let bits = match value {
            BoundCandidate::Least => Bits::signed_min(width),
            BoundCandidate::None if width == 1 => Bits::zero(1),
            BoundCandidate::None => Bits::signed_min(width).complement(),
            BoundCandidate::At(value) if width == 1 => Bits::new(1, value as u128),
            BoundCandidate::At(value) => {
                let most = (1i128 << (width - 1)) - 1;
                Bits::from_signed(width, value.clamp(-most - 1, most))
            }
        };
        let bits = match format {
            Some(format) => Bits::new(
                width,
                match value {
                    // With the row of the other sign there is no such number.
                    BoundCandidate::Least => format.encoding_at(i64::MIN),
                    BoundCandidate::None => format.quiet_nan(),
                    BoundCandidate::At(value) => {
                        format.encoding_at(value.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
                    }
                },
            ),
            None => bits,
        };
        let constant = self.store.terms.constant(bits);
        Some(self.store.terms.eq(parameter, constant))
    }

    /// The candidates as assumptions.
    pub(super) fn bounds(&mut self) -> Vec<TermId> {
        let values = self.values.clone();
        values.into_iter().enumerate().filter_map(|(index, value)| self.assumption(index, value)).collect()
    }

    /// That no round begins in an excluded combination.
    pub(super) fn collect_not_excluded(&mut self) -> Vec<TermId> {
        self.heads.iter().flat_map(|head| head.assumptions(&mut self.store)).collect()
    }

    /// Whether some of the conditions can hold under the candidates.
    pub fn possible(&mut self, conditions: &[TermId], budget: &Budget) -> Result<bool, Stop> {
        let mut assumed = self.bounds();
        assumed.extend(self.collect_not_excluded());
        self.possible_under(conditions, &assumed, budget)
    }

    /// Whether some of the conditions can hold under assumptions.
    pub(super) fn possible_under(
        &mut self,
        conditions: &[TermId],
        assumed: &[TermId],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if !self.one_by_one {
            return possible(&mut self.solver, &mut self.store, conditions, assumed, budget);
        }
        // What was possible last is likely to be so still.
        for turn in 0..conditions.len() {
            let at = (self.last + turn) % conditions.len();
            if self.is_possible(conditions[at], assumed, budget)? {
                self.last = at;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one condition can hold under assumptions.
    fn is_possible(&mut self, condition: TermId, assumed: &[TermId], budget: &Budget) -> Result<bool, Stop> {
        if self.store.terms.is_false(condition) {
            return Ok(false);
        }
        let all: Vec<TermId> = assumed.iter().copied().chain([condition]).collect();
        budget.spend(self.solver.statistics().clauses / 400)?;
        Ok(self.solver.check(&self.store.terms, &all, budget)? == SatResult::Sat)
    }

    /// What the answer that none of the conditions can hold rests on; `None` if one can.
    fn core_of(
        &mut self,
        conditions: &[TermId],
        assumed: &[TermId],
        budget: &Budget,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        if !self.one_by_one {
            let some = possible(&mut self.solver, &mut self.store, conditions, assumed, budget)?;
            return Ok((!some).then(|| self.solver.core().to_vec()));
        }
        let mut core = Vec::new();
        for condition in conditions {
            if self.is_possible(*condition, assumed, budget)? {
                return Ok(None);
            }
            if !self.store.terms.is_false(*condition) {
                core.extend_from_slice(self.solver.core());
            }
        }
        Ok(Some(core))
    }

    /// A term's value in the model.
    pub(super) fn value(&mut self, term: TermId) -> Option<Bits> {
        self.solver.value(&self.store.terms, term)
    }

    /// Whether a condition holds in the model.
    pub fn holds(&mut self, condition: TermId) -> bool {
        truth(&mut self.solver, &self.store, condition)
    }

    fn row_of(&self, broken: usize) -> Option<usize> {
        self.unrolling.broken[broken].number.map(|number| number as usize)
    }

    fn sum(&mut self, broken: usize) -> Option<i128> {
        let sum = self.unrolling.broken[broken].sum?;
        let bits = self.solver.value(&self.store.terms, sum)?;
        match self.row_of(broken).and_then(|row| self.formats[row]) {
            Some(format) => format.place(bits.to_u128()?).map(i128::from),
            None => bits.to_i128(),
        }
    }

    /// For each arrival the condition under which a row's sum is above all thresholds.
    fn beyond(&mut self, rows: &Rows) -> Vec<(usize, TermId)> {
        let mut found = Vec::new();
        for index in 0..self.unrolling.broken.len() {
            let (Some(row), Some(sum)) = (self.row_of(index), self.unrolling.broken[index].sum) else { continue };
            let Some(greatest) = rows.thresholds(row).last().copied() else { continue };
            let width = self.store.terms.width(sum);
            if self.formats[row].is_none() && width < 48 && greatest >= 1 << (width - 1) {
                continue;
            }
            let greater = self.above(row, sum, greatest);
            let arrives = self.arrival(index);
            found.push((row, self.store.terms.and(arrives, greater)));
        }
        found
    }

    /// Whether a row's sum is above a number, or no number at all.
    fn above(&mut self, row: usize, sum: TermId, number: i128) -> TermId {
        let terms = &mut self.store.terms;
        let width = terms.width(sum);
        let Some(format) = self.formats[row] else {
            let constant = terms.constant(Bits::from_signed(width, number));
            return terms.slt(constant, sum);
        };
        let place = number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let constant = terms.number(width, format.encoding_at(place));
        let (nan, less) = (terms.float_is_nan(format, sum), terms.float_less(format, constant, sum));
        terms.or(nan, less)
    }

    /// Takes the bounds away that no threshold can be: what is possible under these candidates is possible under weaker ones, so this
    /// only saves the way through the thresholds.
    fn drop_unbounded(&mut self, beyond: &[(usize, TermId)], budget: &Budget) -> Result<(), Stop> {
        loop {
            let left: Vec<_> =
                beyond.iter().filter(|(row, _)| self.values[*row] != BoundCandidate::None).copied().collect();
            let conditions: Vec<TermId> = left.iter().map(|(_, condition)| *condition).collect();
            if !self.possible(&conditions, budget)? {
                return Ok(());
            }
            let before = self.values.clone();
            for (row, condition) in left {
                if self.holds(condition) {
                    self.values[row] = BoundCandidate::None;
                }
            }
            if self.values == before {
                return Ok(());
            }
        }
    }

    /// Raises the candidates until they are kept; false if that takes too long.
    pub fn settle(&mut self, rows: &Rows, budget: &Budget) -> Result<bool, Stop> {
        let conditions: Vec<TermId> = self.unrolling.broken.iter().map(|broken| broken.condition).collect();
        let beyond = self.beyond(rows);
        for _ in 0..MAX_CANDIDATES {
            self.drop_unbounded(&beyond, budget)?;
            if !self.possible(&conditions, budget)? {
                return Ok(true);
            }
            let before = self.values.clone();
            for (broken, condition) in conditions.iter().enumerate() {
                if !self.holds(*condition) {
                    continue;
                }
                let Some(row) = self.row_of(broken) else { continue };
                let sum = self.sum(broken);
                let raised = rows.raise(row, sum);
                if stronger(self.values[row], raised) {
                    self.values[row] = raised;
                }
            }
            if self.values == before {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Lowers each bound as far as the next round allows; false if nothing changed.
    pub fn lower(&mut self, rows: &Rows, budget: &Budget) -> Result<bool, Stop> {
        let mut lowered = self.values.clone();
        for (row, value) in self.values.clone().into_iter().enumerate() {
            let BoundCandidate::At(upper) = value else { continue };
            let relation = rows.row(row).map(|row| &row.relation);
            if !matches!(relation, Some(Relation::AtMost(_) | Relation::Each(_) | Relation::Float { .. })) {
                continue;
            }
            if let Some(bound) = self.greatest(rows, row, upper, budget)? {
                lowered[row] = BoundCandidate::At(bound);
            }
        }
        let changed = lowered != self.values;
        self.values = lowered;
        Ok(changed)
    }

    /// The greatest sum with which a row's head is reached again, at most `upper`, by binary search.
    fn greatest(&mut self, rows: &Rows, row: usize, upper: i128, budget: &Budget) -> Result<Option<i128>, Stop> {
        let arrivals: Vec<usize> =
            (0..self.unrolling.broken.len()).filter(|broken| self.row_of(*broken) == Some(row)).collect();
        let Some(parameter) = self.store.parameter(row as u32) else { return Ok(None) };
        let width = self.store.terms.width(parameter);
        let mut high = upper;
        let mut low = match self.formats[row] {
            Some(format) => format.place(format.encoding_at(i64::MIN)).map_or(0, i128::from),
            None => -(1i128 << (width - 1)),
        };
        // Between neighbouring thresholds; below them the bound would have been there already.
        let thresholds = rows.thresholds(row);
        let below = thresholds.partition_point(|threshold| *threshold < upper);
        low = low.max(below.checked_sub(1).map_or(low, |below| thresholds[below]));
        while low < high {
            budget.spend(1)?;
            let middle = low + (high - low) / 2;
            let mut above = Vec::new();
            for broken in &arrivals {
                let Some(sum) = self.unrolling.broken[*broken].sum else { return Ok(None) };
                let arrives = self.arrival(*broken);
                let greater = self.above(row, sum, middle);
                above.push(self.store.terms.and(arrives, greater));
            }
            if self.possible(&above, budget)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(Some(high))
    }

    /// When a state arrives at the head that a row is asked of.
    fn arrival(&self, broken: usize) -> TermId {
        self.unrolling.broken[broken].arrives
    }

    /// The rows that the proof rests on: those that make the bad conditions impossible, and those that these need to be kept.
    pub fn find_needed(&mut self, bad: &[TermId], budget: &Budget) -> Result<Vec<bool>, Stop> {
        let mut needed = vec![false; self.values.len()];
        let mut asked: Vec<TermId> = bad.to_vec();
        loop {
            let values = self.values.clone();
            let assumed: Vec<(usize, TermId)> = values
                .into_iter()
                .enumerate()
                .filter_map(|(index, value)| Some((index, self.assumption(index, value)?)))
                .collect();
            let terms: Vec<TermId> = assumed.iter().map(|(_, term)| *term).collect();
            let Some(core) = self.core_of(&asked, &terms, budget)? else {
                // Not what was seen before: keep everything.
                return Ok(vec![true; self.values.len()]);
            };
            let fresh: Vec<usize> = assumed
                .iter()
                .filter(|(index, term)| core.contains(term) && !needed[*index])
                .map(|(index, _)| *index)
                .collect();
            if fresh.is_empty() {
                return Ok(needed);
            }
            for index in fresh {
                needed[index] = true;
            }
            asked = bad.to_vec();
            for broken in &self.unrolling.broken {
                let row = broken.number;
                if row.is_some_and(|row| needed[row as usize]) {
                    asked.push(broken.condition);
                }
            }
        }
    }
}
