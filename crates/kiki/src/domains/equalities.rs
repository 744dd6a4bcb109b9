//! Which variables are equal, which differ, and what their lowest bits are.

use belay_invariants::Relation;

use super::TemplateDomain;
use super::sums::pairs;
use crate::atoms::Atoms;

pub(super) struct Equalities;

impl TemplateDomain for Equalities {
    fn name(&self) -> &'static str {
        "equalities"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = Vec::new();
        for (atom, bits) in atoms.changed.iter().flat_map(|atom| [(atom, 1), (atom, 2)]) {
            let residue = |value| Relation::Residue { atom: atom.clone(), bits, value };
            relations.extend((0..1 << bits).map(residue));
        }
        for (a, b) in pairs(atoms) {
            relations.extend([Relation::Equal(a.clone(), b.clone()), Relation::Differ(a, b)]);
        }
        relations
    }
}
