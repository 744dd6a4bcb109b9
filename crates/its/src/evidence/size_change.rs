//! Termination by a transition invariant: the walks of a component, summed up by finitely many relations.
//!
//! *Idea.* (Podelski, Rybalchenko, "Transition invariants", LICS 2004; Lee, Jones, Ben-Amram, "The size-change principle", POPL 2001.) A
//! [`SizeChange`] says of some forms which of them, after a walk, are at most or less than which before it. If finitely many of these cover all
//! walks, and each that can be repeated makes some form smaller that is bounded below, then no walk is infinite. That settles loops in which
//! values change places, where no order between the functions is the same in all turns.
//!
//! *Why sound.* Each edge of the component has a relation that its premises imply, and relations are closed under composition, so
//! every piece of a walk has the composition of its edges' relations, which is one of the set. Were a walk infinite, by Ramsey's theorem there
//! would be places on it such that the pieces between any two of them all have the same relation `r`; hence `r = r ∘ r`, `r` leads from a cell to itself,
//! and the form that `r` makes smaller by at least 1, and that is at least 0 before each piece, would fall for ever.

use std::collections::BTreeSet;

use belay_linear::LinExpr;

use super::CellId;

/// How a form after a walk compares with one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Change {
    /// In any way.
    #[default]
    Any,
    /// It is at most that.
    AtMost,
    /// It is less by at least 1.
    Less,
}

/// What is known of forms before and after a walk from a cell to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SizeChange {
    /// Where the walk begins.
    pub from: CellId,
    /// Where it ends.
    pub to: CellId,
    /// `changes[i][j]`: how form `j` after it compares with form `i` before it.
    pub changes: Vec<Vec<Change>>,
    /// Which forms are at least 0 before it.
    pub bounded: Vec<bool>,
}

/// Relations that cover all walks within a union of components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionInvariant {
    /// The cells.
    pub cells: BTreeSet<CellId>,
    /// The forms that are compared, over the program variables.
    pub forms: Vec<LinExpr>,
    /// The relations.
    pub relations: BTreeSet<SizeChange>,
}

impl TransitionInvariant {
    /// The forms that some walk from the cell back to it makes smaller.
    pub fn falling(&self, cell: CellId) -> impl Iterator<Item = &LinExpr> {
        let back = move |relation: &&SizeChange| (relation.from, relation.to) == (cell, cell);
        let falls = move |form: usize| self.relations.iter().filter(back).any(|relation| relation.falls(form));
        self.forms.iter().enumerate().filter(move |(form, _)| falls(*form)).map(|(_, form)| form)
    }

    /// True if the relations are closed under composition and each that can be repeated makes a bounded form smaller.
    pub(super) fn is_well_founded(&self) -> bool {
        let count = self.forms.len();
        let shaped = |relation: &SizeChange| {
            relation.bounded.len() == count
                && relation.changes.len() == count
                && relation.changes.iter().all(|row| row.len() == count)
        };
        self.relations.iter().all(shaped) && self.relations.iter().all(|first| self.goes_on_well(first))
    }

    fn goes_on_well(&self, first: &SizeChange) -> bool {
        let next = self.relations.iter().filter(|second| second.from == first.to);
        next.into_iter().all(|second| {
            let both = compose(first, second);
            let repeats = first == second && both == *first;
            self.relations.contains(&both) && (!repeats || (0..self.forms.len()).any(|form| first.falls(form)))
        })
    }
}

impl SizeChange {
    /// True if the form is bounded before the walk and less after it.
    fn falls(&self, form: usize) -> bool {
        self.bounded[form] && self.changes[form][form] == Change::Less
    }
}

/// What holds of a walk of the first kind followed by one of the second.
fn compose(first: &SizeChange, second: &SizeChange) -> SizeChange {
    let forms = 0..first.bounded.len();
    let through = |i: usize, middle: usize, j: usize| match (first.changes[i][middle], second.changes[middle][j]) {
        (Change::Any, _) | (_, Change::Any) => Change::Any,
        (Change::AtMost, Change::AtMost) => Change::AtMost,
        (Change::Less, _) | (_, Change::Less) => Change::Less,
    };
    let change = |i: usize, j: usize| forms.clone().map(|middle| through(i, middle, j)).max().unwrap_or_default();
    // What is not less than something that is at least 0 is so too.
    let bounded_later = |i: usize| forms.clone().any(|j| first.changes[i][j] != Change::Any && second.bounded[j]);
    SizeChange {
        from: first.from,
        to: second.to,
        changes: forms.clone().map(|i| forms.clone().map(|j| change(i, j)).collect()).collect(),
        bounded: forms.clone().map(|i| first.bounded[i] || bounded_later(i)).collect(),
    }
}
