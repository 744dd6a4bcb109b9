//! Blocked cubes: combinations of values that do not occur, learned from states that are reached ([`crate::blocked_cubes`]); and intervals.

use belay_invariants::Relation;

use super::TemplateDomain;
use super::intervals::intervals;
use crate::atoms::Atoms;

/// Variables whose combinations are looked at.
const MAX_COLUMNS: usize = 48;

pub(super) struct BlockedCubes;

impl TemplateDomain for BlockedCubes {
    fn name(&self) -> &'static str {
        "cubes"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = intervals(atoms, &atoms.changed);
        if !atoms.changed.is_empty() {
            let sums = atoms.changed.iter().map(|atom| vec![(false, atom.clone())]).take(MAX_COLUMNS).collect();
            relations.push(Relation::BlockedCubes { sums, cubes: Vec::new() });
        }
        relations
    }

    fn learns_from_states(&self) -> bool {
        true
    }
}
