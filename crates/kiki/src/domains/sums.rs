//! Bounds of differences (zones) and of sums (octagons) of two variables, one of which the loop changes.

use belay_invariants::{Atom, Relation};

use super::TemplateDomain;
use super::intervals::intervals;
use crate::atoms::Atoms;

pub(super) struct Zones;

impl TemplateDomain for Zones {
    fn name(&self) -> &'static str {
        "zones"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        zones(atoms)
    }
}

pub(super) struct Octagons;

impl TemplateDomain for Octagons {
    fn name(&self) -> &'static str {
        "octagons"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = intervals(atoms, &atoms.changed);
        relations.extend(sums(atoms, &[(false, true), (true, false), (false, false), (true, true)]));
        relations
    }
}

/// Intervals and differences.
pub(super) fn zones(atoms: &Atoms) -> Vec<Relation> {
    let mut relations = intervals(atoms, &atoms.changed);
    relations.extend(sums(atoms, &[(false, true), (true, false)]));
    relations
}

fn sums(atoms: &Atoms, signs: &[(bool, bool)]) -> Vec<Relation> {
    let of = |(a, b): (Atom, Atom)| {
        let sum =
            move |(first, second): &(bool, bool)| Relation::AtMost(vec![(*first, a.clone()), (*second, b.clone())]);
        signs.iter().map(sum).collect::<Vec<Relation>>()
    };
    pairs(atoms).into_iter().flat_map(of).collect()
}

/// Each changed variable with each other one.
pub(super) fn pairs(atoms: &Atoms) -> Vec<(Atom, Atom)> {
    let mut pairs = Vec::new();
    for (index, a) in atoms.changed.iter().enumerate() {
        for b in atoms.changed[index + 1..].iter().chain(&atoms.fixed) {
            pairs.push((a.clone(), b.clone()));
        }
    }
    pairs
}
