//! Conditions that the program itself asserts, stores or asks of many elements of its arrays ([`crate::candidates`]); and intervals of what is no sum of theirs.

use belay_invariants::{Atom, Cutting, Relation};

use super::intervals::intervals;
use super::{MAX_ROWS, TemplateDomain};
use crate::atoms::Atoms;
use crate::candidates;

pub(super) struct Conditions;

impl TemplateDomain for Conditions {
    fn name(&self) -> &'static str {
        "conditions"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations: Vec<Relation> = atoms.every.iter().cloned().map(Relation::ForAll).collect();
        relations.truncate(MAX_ROWS / 2);
        let is_sum = |atom: &Atom| atoms.every.iter().any(|every| candidates::says_sum_of(every, &atom.variable));
        let numbers: Vec<Atom> = atoms.changed.iter().filter(|atom| !is_sum(atom)).cloned().collect();
        relations.extend(intervals(atoms, &numbers));
        relations
    }

    fn is_of_use(&self, _given: &Cutting, rows: &Cutting) -> bool {
        rows.cuts.values().flat_map(|cut| &cut.rows).any(|row| matches!(row.relation, Relation::ForAll(_)))
    }
}
