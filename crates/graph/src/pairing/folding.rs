//! Which shapes are tried first where two states are paired.

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
    /// Trees, then lists.
    Trees,
    /// The same, but what their holes lead to is a pair of single blocks where it can be.
    TreesAndHeads,
}

impl Folding {
    /// True if something may point to the last block of a list.
    pub(in super::super) fn holds_ends(self) -> bool {
        matches!(self, Folding::Tails | Folding::HeadsAndTails)
    }

    /// Which comes first for what a list leads to.
    pub(in super::super) fn after_a_list(self) -> Folding {
        match self {
            Folding::Heads | Folding::HeadsAndTails | Folding::TreesAndHeads => Folding::Blocks,
            Folding::Blocks | Folding::Lists | Folding::Tails | Folding::Trees => self,
        }
    }

    /// True if trees come first.
    pub(super) fn grows(self) -> bool {
        matches!(self, Folding::Trees | Folding::TreesAndHeads)
    }
}
