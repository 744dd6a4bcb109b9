//! The objects of a state in words.

use super::items::named;
use super::linear::exact;
use super::naming::Names;
use crate::state::{AllocId, AllocKind, Life};

impl Names<'_> {
    /// Each object that the run has made: where it comes from, its size, whether it is alive.
    pub fn objects(&self) -> Vec<String> {
        let told = |id: &AllocId| {
            let allocation = &self.state.allocations[id];
            let name = named(self.program, self.state, *id).map(|(object, _)| object.name());
            let pointer = self.anchors.iter().find(|anchor| anchor.object == *id && !anchor.is_object);
            let through = pointer.map(|anchor| self.atoms[anchor.atom.index()].text.clone());
            let what = match (allocation.kind, name, through) {
                (AllocKind::Stack { .. }, Some(name), _) => name,
                (AllocKind::Stack { .. }, None, _) => "a stack object".to_owned(),
                (AllocKind::Heap, _, Some(pointer)) => format!("the heap block of {pointer}"),
                (AllocKind::Heap, _, None) => "a heap block".to_owned(),
                (AllocKind::Argument | AllocKind::Either, _, Some(pointer)) => format!("what {pointer} points to"),
                (AllocKind::Argument | AllocKind::Either, _, None) => "an argument's object".to_owned(),
            };
            let size = self.over_atoms(&allocation.size).and_then(|size| exact(&self.atoms, &size));
            let size = size.map_or_else(|| "some bytes".to_owned(), |size| format!("{size} bytes"));
            let life = match allocation.life {
                Life::Live => "",
                Life::Dead => ", not alive",
                Life::Maybe => ", alive or not",
            };
            format!("{what}: {size}{life}")
        };
        self.state.allocations.keys().map(told).collect()
    }
}
