//! No invariant: what a loop changes is arbitrary.

use belay_invariants::{Cutting, Relation};

use super::TemplateDomain;
use crate::atoms::Atoms;

pub(super) struct Havoc;

impl TemplateDomain for Havoc {
    fn name(&self) -> &'static str {
        "havoc"
    }

    fn candidates(&self, _atoms: &Atoms) -> Vec<Relation> {
        Vec::new()
    }

    fn is_of_use(&self, _given: &Cutting, _rows: &Cutting) -> bool {
        true
    }
}
