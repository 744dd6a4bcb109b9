//! What a loop changes: the modified set of a cut loop, and how a state that comes back to the head can fall outside of it.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{InstId, Property};

use crate::place::{BaseKey, CutPlace, ObjectKey};
use crate::row::Row;

/// What a changed value may be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Havoc {
    /// Any number.
    Number,
    /// A pointer, or an integer that is an address.
    Pointer {
        /// To one of these.
        bases: BTreeSet<BaseKey>,
        /// At an offset with so many low zero bits.
        zeros: u32,
    },
}

/// What a loop changes, and what is known of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cut {
    /// Values of the head's phis.
    pub registers: BTreeMap<InstId, Havoc>,
    /// Locals whose lives begin and end in the loop.
    pub lives: BTreeSet<InstId>,
    /// Values in memory at known places: object and offset, and size.
    pub cells: BTreeMap<(ObjectKey, u32), (u32, Havoc)>,
    /// Objects changed at unknown places.
    pub objects: BTreeSet<ObjectKey>,
    /// What holds whenever the head is reached again; of a function, of the arguments of each further call.
    pub rows: Vec<Row>,
    /// Of a function: what holds of the arguments and the result of each call.
    pub results: Vec<Row>,
}

/// How loops are cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cutting {
    /// The copies of each body.
    pub k: u32,
    /// The property at stake: the first violation of it ends a run.
    pub property: Property,
    /// The loops.
    pub cuts: BTreeMap<CutPlace, Cut>,
}

/// How a state that arrives at a head is none of those that the cut describes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FrameViolation {
    /// A phi changes.
    Register(InstId, Havoc),
    /// A local begins a new life.
    Life(InstId),
    /// A cell changes.
    Cell { object: ObjectKey, offset: u32, size: u32, havoc: Havoc },
    /// An object changes at unknown places.
    Object(ObjectKey),
    /// Something changes that no cut can describe.
    Never(&'static str),
}

impl Cut {
    /// The cut that also describes what did not fit; false if there is none.
    pub fn widen(&mut self, frame_violation: &FrameViolation) -> bool {
        match frame_violation {
            FrameViolation::Register(inst, havoc) => {
                let known = self.registers.remove(inst);
                self.registers.insert(*inst, known.map_or(havoc.clone(), |known| known.joined(havoc)));
            }
            FrameViolation::Life(inst) => {
                self.lives.insert(*inst);
            }
            FrameViolation::Cell { object, offset, size, havoc } => {
                let place = (object.clone(), *offset);
                let value = match self.cells.remove(&place) {
                    Some((known, before)) if known == *size => (known, before.joined(havoc)),
                    Some(_) => return self.widen(&FrameViolation::Object(object.clone())),
                    None => (*size, havoc.clone()),
                };
                self.cells.insert(place, value);
            }
            FrameViolation::Object(object) => {
                self.cells.retain(|(of, _), _| of != object);
                self.objects.insert(object.clone());
            }
            FrameViolation::Never(_) => return false,
        }
        true
    }
}

impl Havoc {
    fn joined(self, other: &Havoc) -> Havoc {
        match (self, other) {
            (Havoc::Number, Havoc::Number) => Havoc::Number,
            (Havoc::Number, pointer @ Havoc::Pointer { .. }) => Havoc::number_pointer().joined(pointer),
            (pointer @ Havoc::Pointer { .. }, Havoc::Number) => pointer.joined(&Havoc::number_pointer()),
            (Havoc::Pointer { mut bases, zeros }, Havoc::Pointer { bases: more, zeros: also }) => {
                bases.extend(more.iter().cloned());
                Havoc::Pointer { bases, zeros: zeros.min(*also) }
            }
        }
    }

    fn number_pointer() -> Havoc {
        Havoc::Pointer { bases: [BaseKey::Bare].into_iter().collect(), zeros: 0 }
    }
}
