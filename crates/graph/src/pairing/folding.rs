//! Which shapes are tried first where two states are paired.

use super::super::singles::Guesses;
use super::given::{GivenLists, GivenPlaces};

/// Which comes first where both are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// Pairs of single blocks.
    Blocks,
    /// Lists.
    Lists,
    /// Lists, to whose last block something may point.
    Tails,
    /// Lists, but what they lead to is a pair of single blocks where it can be.
    Heads,
    /// Both of these.
    HeadsAndTails,
    /// Lists, to whose last block something may point; what leads to their beginnings is looked at first.
    Beginnings,
    /// Trees, then lists.
    Trees,
    /// The same, but what their holes lead to is a pair of single blocks where it can be.
    TreesAndHeads,
}

impl Folding {
    /// True if something may point to the last block of a list.
    pub(in super::super) fn holds_ends(self) -> bool {
        matches!(self, Folding::Tails | Folding::HeadsAndTails | Folding::Beginnings)
    }

    /// Which comes first for what a list leads to.
    pub(in super::super) fn after_a_list(self) -> Folding {
        match self {
            Folding::Heads | Folding::HeadsAndTails | Folding::TreesAndHeads => Folding::Blocks,
            Folding::Blocks | Folding::Lists | Folding::Tails | Folding::Beginnings | Folding::Trees => self,
        }
    }

    /// True if the beginnings of lists come first.
    pub(super) fn begins(self) -> bool {
        self == Folding::Beginnings
    }

    /// True if trees come first.
    pub(super) fn grows(self) -> bool {
        matches!(self, Folding::Trees | Folding::TreesAndHeads)
    }
}

/// Whether blocks that hold other numbers than a list are taken into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phases {
    /// They are.
    Joined,
    /// They are not.
    Apart,
}

/// Whether elements that own nothing are kept where nothing else says where they begin: those that earlier rounds have left behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remains {
    /// Those of one round are.
    Kept,
    /// They are not.
    Dropped,
}

/// How two states are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Which shapes come first.
    pub folding: Folding,
    /// When lists that were given are looked at.
    pub order: GivenLists,
    /// Whether lists are told apart by numbers.
    pub phases: Phases,
    /// What becomes of elements that earlier rounds have left.
    pub remains: Remains,
}

/// What generalisation prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// What becomes of guessed links.
    pub guesses: Guesses,
    /// What becomes of places in lists that were given.
    pub given: GivenPlaces,
    /// Whether lists are told apart by numbers.
    pub phases: Phases,
    /// What becomes of elements that earlier rounds have left.
    pub remains: Remains,
}
