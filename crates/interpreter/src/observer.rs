//! Who watches a run. The interpreter is generic over the observer, so that the default one costs nothing.

use belay_base::Span;
use belay_ir::{FuncId, Type};
use dashu::integer::IBig;

use crate::report::ObjectInfo;
use crate::snapshot::{Snapshot, Stack};
use belay_rules::{Choice, Request};

/// A value as observers see it.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// An integer of a width, as a signed number.
    Int(u16, IBig),
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
    /// The null pointer.
    Null,
    /// An integer address.
    Address(u64),
    /// A place in an object, or an integer that is its address.
    Place(ObjectInfo, i64),
    /// Not decided yet.
    Undefined,
}

/// Where a store goes.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The object.
    pub object: ObjectInfo,
    /// The offset in it.
    pub offset: i64,
    /// The type stored.
    pub ty: Type,
}

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A function with a body is entered, with these arguments.
    Call {
        /// The function.
        function: FuncId,
        /// Its arguments.
        args: Vec<Shown>,
    },
    /// A function with a body returns.
    Return {
        /// The function.
        function: FuncId,
        /// Its results.
        results: Vec<Shown>,
    },
    /// Memory is written by a store.
    Store {
        /// Where.
        target: Target,
        /// What.
        value: Shown,
    },
    /// A branch or switch was decided: true for the first target of a branch.
    Branch {
        /// Whether the first of two targets was taken; for a switch, whether a case matched.
        taken: bool,
    },
    /// A choice was made.
    Choice {
        /// What was asked.
        request: Request,
        /// What was answered.
        choice: Choice,
    },
    /// A heap block was made.
    Alloc(ObjectInfo),
    /// A heap block was freed.
    Free(ObjectInfo),
}

/// Watches a run.
pub trait Observer {
    /// False if [`Observer::event`] is never to be called: then events are not even built.
    const EVENTS: bool = true;

    /// Something happened at `span`, `depth` calls below the entry function.
    fn event(&mut self, span: Span, depth: usize, event: Event);

    /// A branch or switch goes on along an edge: a number for it that is the same in each run of the program.
    fn on_edge(&mut self, _edge: u64) {}

    /// True if [`Observer::on_block`] is to be called.
    const STATES: bool = false;

    /// True if the state at a place is wanted: to build one takes long.
    fn wants(&self, _place: &Stack) -> bool {
        true
    }

    /// A block was entered that is wanted, that of a function's entry too: the run's state.
    fn on_block(&mut self, _state: &Snapshot) {}

    /// Called before each instruction; `false` ends the run there, as if its budget were used up.
    fn on_step(&mut self) -> bool {
        true
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {
    const EVENTS: bool = false;

    fn event(&mut self, _span: Span, _depth: usize, _event: Event) {}
}
