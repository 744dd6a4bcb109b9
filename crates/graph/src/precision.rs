//! How precise a graph is: which of the states that arrive at a place become one.

use super::pairing::{GivenPlaces, Phases, Remains, Style};
use super::singles::Guesses;

/// Which states at a place are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precision {
    /// All.
    Places,
    /// Those that have a common generalisation without loss.
    Cases,
    /// The same, where links that were guessed stay as they are.
    CasesAndGuesses,
    /// The same, where lists are told apart by the numbers that their blocks hold.
    CasesAndPhases,
    /// Like cases, and those in different modes ([`super::modes`]).
    CasesAndModes,
    /// Those in the same mode, of however many modes.
    Machine,
    /// The same, where variables that are not constant have modes as well: by how much they differ.
    MachineOfDistances,
    /// Those that enter a loop, and those that come back to its head ([`super::rounds`]).
    Rounds,
}

impl Precision {
    /// Whether what is known of differences outlives a sum that may not fit its type.
    pub(super) fn splits_sums(self) -> bool {
        self == Precision::MachineOfDistances
    }

    /// Whether every mode has a state of its own.
    pub(super) fn is_of_machines(self) -> bool {
        matches!(self, Precision::Machine | Precision::MachineOfDistances)
    }

    /// Whether it is worth a try. Where memory is safe, only modes are told apart for what is left; all of them only there.
    pub(super) fn is_for(self, is_about_modes: bool) -> bool {
        match self {
            Precision::CasesAndModes => true,
            Precision::Machine | Precision::MachineOfDistances => is_about_modes,
            Precision::Places
            | Precision::Rounds
            | Precision::Cases
            | Precision::CasesAndGuesses
            | Precision::CasesAndPhases => !is_about_modes,
        }
    }

    /// How two states are paired.
    pub(super) fn style(self) -> Style {
        let plain =
            Style { guesses: Guesses::Open, given: GivenPlaces::Kept, phases: Phases::Joined, remains: Remains::Kept };
        match self {
            Precision::Places => plain,
            Precision::Rounds => Style { remains: Remains::Dropped, ..plain },
            Precision::Cases | Precision::CasesAndModes | Precision::Machine | Precision::MachineOfDistances => {
                Style { given: GivenPlaces::Dropped, ..plain }
            }
            Precision::CasesAndGuesses => Style { guesses: Guesses::Kept, ..plain },
            Precision::CasesAndPhases => Style { guesses: Guesses::Kept, phases: Phases::Apart, ..plain },
        }
    }
}
