//! Template domains (section 6.1 of the 2LS paper): the shapes of invariants.

use belay_semantics::encode::cut::{Atom, Relation};

use super::atoms::Atoms;

/// A kind of template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Domain {
    /// No invariant.
    Havoc,
    /// Bounds of each variable.
    Intervals,
    /// Intervals, and bounds of differences.
    Zones,
    /// Zones, and bounds of sums.
    Octagons,
    /// Which variables are equal, which differ, and what their lowest bits are.
    Equalities,
}

/// Rows of one loop at most.
const MAX_ROWS: usize = 96;

impl Domain {
    /// All.
    pub const ALL: [Domain; 5] =
        [Domain::Havoc, Domain::Intervals, Domain::Zones, Domain::Octagons, Domain::Equalities];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Havoc => "havoc",
            Domain::Intervals => "intervals",
            Domain::Zones => "zones",
            Domain::Octagons => "octagons",
            Domain::Equalities => "equalities",
        }
    }

    /// What can be said of a loop's variables.
    pub(super) fn relations(self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = Vec::new();
        match self {
            Domain::Havoc => {}
            Domain::Intervals => intervals(atoms, &mut relations),
            Domain::Zones => {
                intervals(atoms, &mut relations);
                sums(atoms, &mut relations, &[(false, true), (true, false)]);
            }
            Domain::Octagons => {
                intervals(atoms, &mut relations);
                sums(atoms, &mut relations, &[(false, true), (true, false), (false, false), (true, true)]);
            }
            Domain::Equalities => {
                for (atom, bits) in atoms.changed.iter().flat_map(|atom| [(atom, 1), (atom, 2)]) {
                    let residue = |value| Relation::Residue { atom: atom.clone(), bits, value };
                    relations.extend((0..1 << bits).map(residue));
                }
                for (a, b) in pairs(atoms) {
                    relations.extend([Relation::Equal(a.clone(), b.clone()), Relation::Differ(a, b)]);
                }
            }
        }
        relations.truncate(MAX_ROWS);
        relations
    }
}

fn intervals(atoms: &Atoms, relations: &mut Vec<Relation>) {
    for atom in &atoms.changed {
        for minus in [false, true] {
            relations.push(Relation::AtMost(vec![(minus, atom.clone())]));
        }
    }
}

fn sums(atoms: &Atoms, relations: &mut Vec<Relation>, signs: &[(bool, bool)]) {
    for (a, b) in pairs(atoms) {
        for (first, second) in signs {
            relations.push(Relation::AtMost(vec![(*first, a.clone()), (*second, b.clone())]));
        }
    }
}

/// Each changed variable with each other one.
fn pairs(atoms: &Atoms) -> Vec<(Atom, Atom)> {
    let mut pairs = Vec::new();
    for (index, a) in atoms.changed.iter().enumerate() {
        for b in atoms.changed[index + 1..].iter().chain(&atoms.fixed) {
            pairs.push((a.clone(), b.clone()));
        }
    }
    pairs
}
