//! The objects of a state in words.

use super::items::named;
use super::linear::exact;
use super::naming::Names;
use crate::segment::ListSegment;
use crate::shape::kind_of;
use crate::state::{AllocId, AllocKind, Life, Value};

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
        let shapes = self.state.segments.iter().map(|(id, shape)| self.describe_shape(*id, shape));
        self.state.allocations.keys().map(told).chain(shapes).collect()
    }

    /// A shape: what it is, through which pointer it is known, how many blocks of which size, where it ends.
    fn describe_shape(&self, id: AllocId, shape: &ListSegment) -> String {
        let kind = kind_of(&shape.node).name();
        let pointer = self.anchors.iter().find(|anchor| anchor.object == id);
        let through = pointer.map(|anchor| format!(" of {}", self.atoms[anchor.atom.index()].text));
        let length = self.over_atoms(&shape.length).and_then(|length| exact(&self.atoms, &length));
        let length = length.unwrap_or_else(|| "some".to_owned());
        let end = match &shape.target {
            Value::Null => "",
            Value::Pointer(..)
            | Value::Address(..)
            | Value::Function(_)
            | Value::Int(_)
            | Value::Truth(_)
            | Value::Top => ", which goes on elsewhere",
        };
        format!("a {kind}{}: {length} blocks of {} bytes{end}", through.unwrap_or_default(), shape.node.size)
    }
}
