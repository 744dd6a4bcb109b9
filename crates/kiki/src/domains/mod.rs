//! Template domains (section 6.1 of the 2LS paper): the shapes of invariants, with their bounds left open.
//!
//! A domain says which [rows](Relation) it has for a loop ([`TemplateDomain::candidates`]); the search for their bounds, which are kept by every round, is the same for
//! all ([`super::synthesis`]), and so is the check. A domain is a file of this folder and a line of [`DOMAINS`]: the command line takes its
//! name from there, and the laws below are tried on it. Nothing here is trusted.

mod conditions;
mod cubes;
mod elements;
mod equalities;
mod havoc;
mod intervals;
mod steps;
mod sums;

use std::fmt;

use belay_invariants::{Cutting, Relation};

use super::atoms::Atoms;

/// Rows of one loop at most.
const MAX_ROWS: usize = 128;

/// The shape of an invariant.
pub(super) trait TemplateDomain: Sync {
    /// The name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// What can be said of a loop's variables, the most useful first.
    fn candidates(&self, atoms: &Atoms) -> Vec<Relation>;

    /// Whether its rows for these loops say anything that a cheaper domain does not: `given` without rows, `rows` with them.
    fn is_of_use(&self, _given: &Cutting, rows: &Cutting) -> bool {
        rows.cuts.values().any(|cut| !cut.rows.is_empty() || !cut.results.is_empty())
    }

    /// Whether it strengthens itself by states that are reached, once its bounds are found: see [`super::blocked_cubes`].
    fn learns_from_states(&self) -> bool {
        false
    }

    /// Whether the bounds that it finds are worth to begin with in other domains.
    fn is_basic(&self) -> bool {
        false
    }
}

/// All domains.
const DOMAINS: &[&dyn TemplateDomain] = &[
    &havoc::Havoc,
    &intervals::Intervals,
    &steps::Steps,
    &sums::Zones,
    &sums::Octagons,
    &elements::AllElements,
    &equalities::Equalities,
    &cubes::BlockedCubes,
    &conditions::Conditions,
];

/// One of the [`DOMAINS`].
#[derive(Clone, Copy)]
pub struct Domain(&'static dyn TemplateDomain);

impl Domain {
    /// No invariant.
    pub const HAVOC: Domain = Domain(&havoc::Havoc);
    /// Bounds of each variable.
    pub const INTERVALS: Domain = Domain(&intervals::Intervals);
    /// Intervals, and how far variables are moved.
    pub const STEPS: Domain = Domain(&steps::Steps);
    /// Intervals, and bounds of differences.
    pub const ZONES: Domain = Domain(&sums::Zones);
    /// Zones, and bounds of sums.
    pub const OCTAGONS: Domain = Domain(&sums::Octagons);
    /// Zones, and bounds of the elements of arrays.
    pub const ELEMENTS: Domain = Domain(&elements::AllElements);
    /// Which variables are equal, which differ, and what their lowest bits are.
    pub const EQUALITIES: Domain = Domain(&equalities::Equalities);
    /// Intervals, and combinations of values that do not occur.
    pub const CUBES: Domain = Domain(&cubes::BlockedCubes);
    /// Intervals, and conditions of the program that hold of many elements of its arrays.
    pub const CONDITIONS: Domain = Domain(&conditions::Conditions);

    /// All, in the order of the table.
    pub fn all() -> impl Iterator<Item = Domain> {
        DOMAINS.iter().map(|domain| Domain(*domain))
    }

    /// The domain of a name.
    pub fn named(name: &str) -> Option<Domain> {
        Self::all().find(|domain| domain.name() == name)
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What can be said of a loop's variables.
    pub(super) fn candidates(self, atoms: &Atoms) -> Vec<Relation> {
        let mut relations = self.0.candidates(atoms);
        let is_learned = |relation: &Relation| matches!(relation, Relation::BlockedCubes { .. });
        let learned: Vec<Relation> = relations.iter().filter(|relation| is_learned(relation)).cloned().collect();
        relations.retain(|relation| !is_learned(relation));
        relations.truncate(MAX_ROWS);
        relations.extend(learned);
        relations
    }

    pub(super) fn is_of_use(self, given: &Cutting, rows: &Cutting) -> bool {
        self.0.is_of_use(given, rows)
    }

    pub(super) fn learns_from_states(self) -> bool {
        self.0.learns_from_states()
    }

    pub(super) fn is_basic(self) -> bool {
        self.0.is_basic()
    }
}

/// Names tell domains apart.
impl PartialEq for Domain {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Domain {}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod laws {
    //! What the search asks of every domain, and an example of one: [`Parity`] is a whole domain, but for its line in the table.

    use super::super::rows::{BoundCandidate, stronger};
    use super::*;
    use belay_invariants::{Atom, Variable};
    use belay_ir::InstId;

    /// Whether each variable is even or odd.
    struct Parity;

    impl TemplateDomain for Parity {
        fn name(&self) -> &'static str {
            "parity"
        }

        fn candidates(&self, atoms: &Atoms) -> Vec<Relation> {
            let residue = |(atom, value): (&Atom, u32)| Relation::Residue { atom: atom.clone(), bits: 1, value };
            atoms.changed.iter().flat_map(|atom| [(atom, 0), (atom, 1)]).map(residue).collect()
        }
    }

    fn atoms(count: u32) -> Atoms {
        let atom = |index| Atom { variable: Variable::Register(InstId(index)), signed: true };
        Atoms { changed: (0..count).map(atom).collect(), fixed: vec![atom(count)], ..Atoms::default() }
    }

    fn each(law: impl Fn(Domain)) {
        Domain::all().chain([Domain(&Parity)]).for_each(law);
    }

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<&str> = Domain::all().map(Domain::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DOMAINS.len());
        each(|domain| assert!(Domain::named(domain.name()).is_none_or(|found| found == domain)));
    }

    #[test]
    fn nothing_is_said_without_variables() {
        each(|domain| assert!(domain.candidates(&Atoms::default()).is_empty(), "{domain:?}"));
    }

    #[test]
    fn the_same_is_said_each_time_and_nothing_twice() {
        each(|domain| {
            let said = domain.candidates(&atoms(3));
            assert_eq!(said, domain.candidates(&atoms(3)), "{domain:?}");
            for (index, relation) in said.iter().enumerate() {
                assert!(!said[..index].contains(relation), "{domain:?} says {relation:?} twice");
            }
        });
    }

    #[test]
    fn rows_are_limited() {
        each(|domain| assert!(domain.candidates(&atoms(60)).len() <= MAX_ROWS + 1, "{domain:?}"));
    }

    #[test]
    fn bounds_are_ordered_and_raising_them_ends() {
        let values = [
            BoundCandidate::Least,
            BoundCandidate::At(-3),
            BoundCandidate::At(0),
            BoundCandidate::At(7),
            BoundCandidate::None,
        ];
        for (index, a) in values.iter().enumerate() {
            for (other, b) in values.iter().enumerate() {
                assert_eq!(stronger(*a, *b), index < other);
            }
        }
    }
}
