//! Bounds of each variable that a loop changes, numbers and floats.

use belay_invariants::{Atom, Relation};

use super::TemplateDomain;
use crate::atoms::Atoms;

pub(super) struct Intervals;

impl TemplateDomain for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        intervals(atoms, &atoms.changed)
    }

    fn is_basic(&self) -> bool {
        true
    }
}

/// Bounds of these numbers, and of all floats.
pub(super) fn intervals(atoms: &Atoms, numbers: &[Atom]) -> Vec<Relation> {
    let both = [false, true];
    let numbers = numbers.iter().flat_map(|atom| both.map(|minus| Relation::AtMost(vec![(minus, atom.clone())])));
    let floats = atoms.floats.iter().flat_map(|(variable, width)| {
        both.map(|minus| Relation::Float { variable: variable.clone(), width: *width, minus })
    });
    numbers.chain(floats).collect()
}
