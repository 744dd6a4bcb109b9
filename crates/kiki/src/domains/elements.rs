//! Bounds of the elements of arrays that a loop has been at: against numbers, the index, other arrays, and what else the loop changes; and zones. Not in
//! the 2LS paper; the search for the bounds is the same.

use belay_invariants::{Against, Cutting, Elements, Relation};

use super::sums::zones;
use super::{MAX_ROWS, TemplateDomain};
use crate::atoms::{Array, Atoms};

pub(super) struct AllElements;

impl TemplateDomain for AllElements {
    fn name(&self) -> &'static str {
        "elements"
    }

    fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = elements(atoms);
        relations.truncate(MAX_ROWS / 2);
        relations.extend(zones(atoms));
        relations
    }

    /// Without arrays nothing is said that zones do not say.
    fn is_of_use(&self, given: &Cutting, _rows: &Cutting) -> bool {
        given.cuts.values().any(|cut| !cut.objects.is_empty())
    }
}

fn elements(atoms: &Atoms) -> Vec<Relation> {
    let mut relations = Vec::new();
    for Array { object, size, changed } in &atoms.arrays {
        for (segment, end) in &atoms.ends {
            let mut against = Vec::new();
            if *changed {
                against.extend([Against::Nothing, Against::Index]);
                let others = atoms.arrays.iter().filter(|other| other.object != *object && other.size == *size);
                against.extend(others.map(|other| Against::Object(other.object.clone())));
            }
            against.extend(atoms.changed.iter().filter(|atom| *atom != end).cloned().map(Against::Atom));
            for against in against {
                for minus in [false, true] {
                    let (object, against) = (object.clone(), against.clone());
                    let segment = Some((*segment, end.clone()));
                    relations.push(Relation::Each(Elements { object, size: *size, segment, minus, against }));
                }
            }
        }
    }
    relations
}
