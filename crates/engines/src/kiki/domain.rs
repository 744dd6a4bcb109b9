//! Template domains (section 6.1 of the 2LS paper): the shapes of invariants. Rows about the elements of arrays are not in the paper; the
//! search for their bounds is the same.

use belay_invariants::{Against, Atom, Elements, Relation};

use super::atoms::{Array, Atoms};
use super::mined;

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
    /// Zones, and bounds of the elements of arrays.
    Elements,
    /// Which variables are equal, which differ, and what their lowest bits are.
    Equalities,
    /// Intervals, and combinations of values that do not occur.
    Combinations,
    /// Zones, and conditions of the program that hold of many elements of its arrays.
    Conditions,
}

/// Rows of one loop at most.
const MAX_ROWS: usize = 128;
/// Variables whose combinations are looked at.
const MAX_COLUMNS: usize = 48;

impl Domain {
    /// All.
    pub const ALL: [Domain; 8] = [
        Domain::Havoc,
        Domain::Intervals,
        Domain::Zones,
        Domain::Octagons,
        Domain::Elements,
        Domain::Equalities,
        Domain::Combinations,
        Domain::Conditions,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Havoc => "havoc",
            Domain::Intervals => "intervals",
            Domain::Zones => "zones",
            Domain::Octagons => "octagons",
            Domain::Elements => "elements",
            Domain::Equalities => "equalities",
            Domain::Combinations => "combinations",
            Domain::Conditions => "conditions",
        }
    }

    /// What can be said of a loop's variables.
    pub(super) fn relations(self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = Vec::new();
        match self {
            Domain::Havoc => {}
            Domain::Intervals | Domain::Combinations => intervals(atoms, &mut relations),
            Domain::Zones => {
                intervals(atoms, &mut relations);
                sums(atoms, &mut relations, &[(false, true), (true, false)]);
            }
            Domain::Octagons => {
                intervals(atoms, &mut relations);
                sums(atoms, &mut relations, &[(false, true), (true, false), (false, false), (true, true)]);
            }
            Domain::Elements => {
                elements(atoms, &mut relations);
                relations.truncate(MAX_ROWS / 2);
                intervals(atoms, &mut relations);
                sums(atoms, &mut relations, &[(false, true), (true, false)]);
            }
            Domain::Conditions => {
                relations.extend(atoms.every.iter().cloned().map(Relation::Every));
                relations.truncate(MAX_ROWS / 2);
                let is_sum = |atom: &Atom| atoms.every.iter().any(|every| mined::says_sum_of(every, &atom.variable));
                let changed = atoms.changed.iter().filter(|atom| !is_sum(atom)).cloned().collect();
                intervals(&Atoms { changed, floats: atoms.floats.clone(), ..Atoms::default() }, &mut relations);
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
        if self == Domain::Combinations && !atoms.changed.is_empty() {
            let sums = atoms.changed.iter().map(|atom| vec![(false, atom.clone())]).take(MAX_COLUMNS).collect();
            relations.push(Relation::Never { sums, cubes: Vec::new() });
        }
        relations
    }
}

fn intervals(atoms: &Atoms, relations: &mut Vec<Relation>) {
    for atom in &atoms.changed {
        for minus in [false, true] {
            relations.push(Relation::AtMost(vec![(minus, atom.clone())]));
        }
    }
    for (variable, width) in &atoms.floats {
        for minus in [false, true] {
            relations.push(Relation::Float { variable: variable.clone(), width: *width, minus });
        }
    }
}

/// What may hold of the elements that a loop has been at: each against numbers, the index, other arrays, and what else the loop changes.
fn elements(atoms: &Atoms, relations: &mut Vec<Relation>) {
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
