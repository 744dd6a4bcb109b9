//! The objects of a state, as far as C has names for them.

use belay_expression::Expr;
use belay_linear::LinExpr;

use super::items::named;
use super::linear::exact;
use super::naming::Names;
use crate::segment::ListSegment;
use crate::shape::kind_of;
use crate::state::{AllocId, AllocKind, Life, Value};

/// Where an object comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A variable.
    Variable(Expr),
    /// Something on the stack without a name.
    Stack,
    /// A block of the heap, and a pointer to it.
    Heap(Option<Expr>),
    /// What the function was given, and a pointer to it.
    Argument(Option<Expr>),
}

/// What is said of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidObject {
    /// Where it comes from.
    pub origin: Origin,
    /// Its bytes.
    pub size: Option<Expr>,
    /// Whether it is alive.
    pub life: Life,
}

/// What is said of blocks that hang together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidShape {
    /// What kind of shape it is.
    pub kind: &'static str,
    /// A pointer to its first block.
    pub pointer: Option<Expr>,
    /// How many blocks.
    pub length: Option<Expr>,
    /// The bytes of each.
    pub size: u64,
    /// Its last block leads to something else.
    pub goes_on: bool,
}

impl Names<'_> {
    /// Each object that the run has made.
    pub fn objects(&self) -> Vec<SaidObject> {
        let told = |id: &AllocId| {
            let allocation = &self.state.allocations[id];
            let name = named(self.program, self.state, *id).map(|(object, _)| object.name());
            let pointer = self.anchors.iter().find(|anchor| anchor.object == *id && !anchor.is_object);
            let pointer = pointer.map(|anchor| self.atoms[anchor.atom.index()].expr.clone());
            let origin = match allocation.kind {
                AllocKind::Stack { .. } => name.map_or(Origin::Stack, Origin::Variable),
                AllocKind::Heap => Origin::Heap(pointer),
                AllocKind::Argument | AllocKind::Either => Origin::Argument(pointer),
            };
            SaidObject { origin, size: self.written(&allocation.size), life: allocation.life }
        };
        self.state.allocations.keys().map(told).collect()
    }

    /// Each shape.
    pub fn shapes(&self) -> Vec<SaidShape> {
        self.state.segments.iter().map(|(id, shape)| self.shape(*id, shape)).collect()
    }

    fn shape(&self, id: AllocId, shape: &ListSegment) -> SaidShape {
        let pointer = self.anchors.iter().find(|anchor| anchor.object == id);
        let goes_on = match &shape.target {
            Value::Null => false,
            Value::Pointer(..)
            | Value::Address(..)
            | Value::Function(_)
            | Value::Int(_)
            | Value::Truth(_)
            | Value::Top => true,
        };
        SaidShape {
            kind: kind_of(&shape.node).name(),
            pointer: pointer.map(|anchor| self.atoms[anchor.atom.index()].expr.clone()),
            length: self.written(&shape.length),
            size: shape.node.size,
            goes_on,
        }
    }

    fn written(&self, expr: &LinExpr) -> Option<Expr> {
        exact(&self.atoms, &self.over_atoms(expr)?)
    }
}
