//! Certificates about integer transition systems.

use belay_its::evidence::{
    Change, Edge, LocationCell, Partition, RankingStep, SizeChange, TerminationCertificate, TransitionInvariant,
};
use belay_its::{Atom, Sign};

stored_enum!(Sign { NonNegative, Zero });
stored_struct!(Atom { poly, sign });
stored_enum!(Partition { Cell(id), Split { expr, non_negative, negative } });
stored_struct!(LocationCell { location, invariant });
stored_struct!(Edge { path, from, to });
stored_struct!(RankingStep { functions, strict });
stored_enum!(Change { Any, AtMost, Less });
stored_struct!(SizeChange { from, to, changes, bounded });
stored_struct!(TransitionInvariant { cells, forms, relations });
stored_struct!(TerminationCertificate { partitions, cells, steps, transition_invariants });
