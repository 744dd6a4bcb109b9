//! The rows of templates for the loops that are cut, and the thresholds along which their bounds are raised.

use std::collections::BTreeMap;
use std::rc::Rc;

use belay_encoder::Unrolling;
use belay_expression::Expr;
use belay_invariants::expressions::bounded;
use belay_invariants::{Bound, CutPlace, Cutting, Relation, Row};
use belay_ir::{Function, Program};
use belay_logic::bv::float::Format;

use super::NO_BOUND;
use super::atoms::{Atoms, Reads, constants, constants_around, float_constants};
use super::blocked_cubes::Head;
use super::domains::Domain;

/// A candidate for a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundCandidate {
    /// Below every value: the head is not reached again.
    Least,
    /// This number.
    At(i128),
    /// No bound.
    None,
}

/// Bounds that rows keep by themselves.
pub type Settled = BTreeMap<(CutPlace, Relation), BoundCandidate>;

/// Which rows of a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Rows,
    Results,
}

/// The rows of all loops, numbered.
#[derive(Clone, Debug)]
pub struct Rows {
    cutting: Cutting,
    of: Vec<(CutPlace, Part, usize)>,
    thresholds: Vec<i128>,
    /// Those of single loops, where they are told apart.
    own: BTreeMap<CutPlace, Vec<i128>>,
    floats: Vec<f64>,
    is_of_use: bool,
}

impl Rows {
    /// The rows that a domain has for the cut loops.
    pub fn new(program: &Program, cutting: &Cutting, read: &Reads, domain: Domain) -> Self {
        Self::by_loop(program, cutting, read, |_| domain)
    }

    /// The rows of a domain for each loop, whose bounds are raised along the constants around that loop.
    pub fn loop_by_loop(
        program: &Program,
        cutting: &Cutting,
        read: &Reads,
        domain: impl Fn(&CutPlace) -> Domain,
    ) -> Self {
        let own = cutting.cuts.keys().map(|place| (place.clone(), constants_around(program, place))).collect();
        Self { own, ..Self::by_loop(program, cutting, read, domain) }
    }

    fn by_loop(program: &Program, cutting: &Cutting, read: &Reads, domain: impl Fn(&CutPlace) -> Domain) -> Self {
        let given = cutting;
        let mut cutting = cutting.clone();
        let mut of = Vec::new();
        for (place, cut) in &mut cutting.cuts {
            let domain = domain(place);
            let mut relations = domain.candidates(&Atoms::new(program, given, read, place, cut));
            if place.head == Function::ENTRY {
                // Where calls arrive is not looked at.
                relations.retain(|relation| !matches!(relation, Relation::BlockedCubes { .. }));
            }
            for (index, relation) in relations.into_iter().enumerate() {
                cut.rows.push(Row { relation, bound: Bound::Parameter(of.len() as u32) });
                of.push((place.clone(), Part::Rows, index));
            }
            let mut relations = domain.candidates(&Atoms::of_results(program, place));
            relations.retain(|relation| !matches!(relation, Relation::BlockedCubes { .. }));
            for (index, relation) in relations.into_iter().enumerate() {
                cut.results.push(Row { relation, bound: Bound::Parameter(of.len() as u32) });
                of.push((place.clone(), Part::Results, index));
            }
        }
        let is_of_use = given.cuts.keys().any(|place| domain(place).is_of_use(given, &cutting));
        let mut functions: Vec<_> =
            cutting.cuts.keys().flat_map(|place| place.calls.iter().map(|call| call.1)).collect();
        functions.sort_unstable();
        functions.dedup();
        let thresholds = constants(program, functions.iter().copied());
        let floats = float_constants(program, functions);
        Self { cutting, of, thresholds, own: BTreeMap::new(), floats, is_of_use }
    }

    /// What has no bound: what invariants of this kind do not say of the loops.
    pub fn unbounded(&self, program: &Program, values: &[BoundCandidate], most: usize) -> Vec<Expr> {
        let without = values.iter().enumerate().filter(|(_, value)| **value == BoundCandidate::None);
        let named = without.filter_map(|(index, _)| {
            let (place, row) = (&self.of.get(index)?.0, self.row(index)?);
            bounded(program, place, &row.relation)
        });
        named.take(most).collect()
    }

    /// Whether they say anything that those of a cheaper domain do not.
    pub fn are_of_use(&self) -> bool {
        self.is_of_use
    }

    /// The cuts with these rows.
    pub fn cutting(&self) -> &Cutting {
        &self.cutting
    }

    pub(super) fn row(&self, index: usize) -> Option<&Row> {
        let (place, part, at) = self.of.get(index)?;
        let cut = self.cutting.cuts.get(place)?;
        match part {
            Part::Rows => cut.rows.get(*at),
            Part::Results => cut.results.get(*at),
        }
    }

    /// The formats of the rows about floats.
    pub fn formats(&self) -> Vec<Option<Format>> {
        (0..self.of.len()).map(|index| self.format(index)).collect()
    }

    /// The strongest candidates.
    pub fn starts(&self) -> Vec<BoundCandidate> {
        let strongest = |index: usize| match self.row(index).map(|row| &row.relation) {
            Some(Relation::AtMost(_) | Relation::Each(_) | Relation::Float { .. }) | None => BoundCandidate::Least,
            Some(Relation::Equal(..) | Relation::Differ(..) | Relation::Residue { .. } | Relation::ForAll(_)) => {
                BoundCandidate::At(1)
            }
            Some(Relation::BlockedCubes { .. }) => BoundCandidate::None,
        };
        (0..self.of.len()).map(strongest).collect()
    }

    /// True if some row is about a sum over an array.
    pub fn have_prefix_sums(&self) -> bool {
        self.cutting.cuts.values().flat_map(|cut| &cut.rows).any(|row| row.relation.has_prefix_sum())
    }

    /// What these candidates say, by row.
    pub fn collect_settled(&self, values: &[BoundCandidate]) -> Settled {
        let of = |index: usize| Some((self.of.get(index)?.0.clone(), self.row(index)?.relation.clone()));
        values.iter().enumerate().filter_map(|(index, value)| Some((of(index)?, *value))).collect()
    }

    /// The strongest candidates, but no stronger than what rows are known to keep by themselves.
    pub fn starts_at(&self, settled: &Settled) -> Vec<BoundCandidate> {
        let mut values = self.starts();
        for (index, value) in values.iter_mut().enumerate() {
            let (Some((place, ..)), Some(row)) = (self.of.get(index), self.row(index)) else { continue };
            if let Some(known) = settled.get(&(place.clone(), row.relation.clone())) {
                *value = *known;
            }
        }
        values
    }

    /// The format of a row about a float.
    pub(super) fn format(&self, index: usize) -> Option<Format> {
        let Relation::Float { width, .. } = self.row(index)?.relation else { return None };
        Format::of_width(width)
    }

    fn integers(&self, index: usize) -> &[i128] {
        let own = self.of.get(index).and_then(|(place, ..)| self.own.get(place));
        own.unwrap_or(&self.thresholds)
    }

    /// The thresholds of a row, in order: numbers, or places of floats.
    pub(super) fn thresholds(&self, index: usize) -> Vec<i128> {
        let Some(format) = self.format(index) else { return self.integers(index).to_vec() };
        let bits = |number: f64| match format == Format::SINGLE {
            true => u128::from((number as f32).to_bits()),
            false => u128::from(number.to_bits()),
        };
        let places = self.floats.iter().filter_map(|number| format.place(bits(*number)));
        places.map(i128::from).collect()
    }

    /// The weakest bound that still allows `value`, along the thresholds.
    pub(super) fn raise(&self, index: usize, value: Option<i128>) -> BoundCandidate {
        if self.format(index).is_some() {
            let thresholds = self.thresholds(index);
            let next = value.map(|value| thresholds.partition_point(|threshold| *threshold < value));
            let next = next.and_then(|next| thresholds.get(next));
            return next.map_or(BoundCandidate::None, |threshold| BoundCandidate::At(*threshold));
        }
        let at_most = matches!(self.row(index).map(|row| &row.relation), Some(Relation::AtMost(_) | Relation::Each(_)));
        match value {
            Some(value) if at_most => {
                let thresholds = self.integers(index);
                let next = thresholds.partition_point(|threshold| *threshold < value);
                thresholds.get(next).map_or(BoundCandidate::None, |threshold| BoundCandidate::At(*threshold))
            }
            Some(_) | None => BoundCandidate::None,
        }
    }

    /// The loops whose combinations of values are searched for.
    pub(super) fn heads(&self, unrolling: &Unrolling) -> Vec<Head> {
        let constants: Rc<[i128]> = self.thresholds.as_slice().into();
        let of_row = |index: usize| match self.row(index).map(|row| &row.relation) {
            Some(Relation::BlockedCubes { sums, .. }) => Head::new(index as u32, sums, &unrolling.looked, &constants),
            Some(_) | None => None,
        };
        (0..self.of.len()).filter_map(of_row).collect()
    }

    /// The candidates with the bounds of floats one threshold higher.
    pub fn loosen(&self, values: &[BoundCandidate]) -> Vec<BoundCandidate> {
        let mut looser = values.to_vec();
        for (index, value) in looser.iter_mut().enumerate() {
            if let (BoundCandidate::At(bound), Some(_)) = (*value, self.format(index)) {
                *value = self.raise(index, Some(bound + 1));
            }
        }
        looser
    }

    /// Makes the bounds constants and drops the rows that are not needed or say nothing.
    pub fn fix(&mut self, values: &[BoundCandidate], needed: &[bool], heads: &[Head]) {
        let mut kept: BTreeMap<CutPlace, (Vec<Row>, Vec<Row>)> = BTreeMap::new();
        for (index, value) in values.iter().enumerate() {
            let Some(row) = self.row(index).cloned() else { continue };
            let bound = match value {
                BoundCandidate::At(value) => Bound::Constant(*value),
                BoundCandidate::Least => Bound::Constant(-(1 << 70)),
                BoundCandidate::None => NO_BOUND,
            };
            if needed[index] && bound != NO_BOUND {
                let (place, part, _) = &self.of[index];
                let (rows, results) = kept.entry(place.clone()).or_default();
                let kept = if *part == Part::Rows { rows } else { results };
                kept.push(Row { bound, ..row });
            }
        }
        for head in heads.iter().filter(|head| !head.excluded.is_empty()) {
            let Some((place, ..)) = self.of.get(head.number as usize) else { continue };
            let relation = Relation::BlockedCubes { sums: head.sums.clone(), cubes: head.excluded.clone() };
            let (rows, _) = kept.entry(place.clone()).or_default();
            rows.push(Row { relation, bound: Bound::Constant(1) });
        }
        for (place, cut) in &mut self.cutting.cuts {
            (cut.rows, cut.results) = kept.remove(place).unwrap_or_default();
        }
    }
}

/// Whether the first bound is stronger than the second.
pub(super) fn stronger(a: BoundCandidate, b: BoundCandidate) -> bool {
    match (a, b) {
        (BoundCandidate::Least, BoundCandidate::Least) | (BoundCandidate::None, _) => false,
        (BoundCandidate::Least, _) | (BoundCandidate::At(_), BoundCandidate::None) => true,
        (BoundCandidate::At(_), BoundCandidate::Least) => false,
        (BoundCandidate::At(x), BoundCandidate::At(y)) => x < y,
    }
}
