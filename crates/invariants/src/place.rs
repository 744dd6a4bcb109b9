//! Where loops are and which objects there are, by names that do not depend on how often something is executed.

use belay_ir::{BlockId, FuncId, GlobalId, InstId};

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// A static object.
    Global(GlobalId),
    /// A function's code.
    Function(FuncId),
    /// A stack object.
    Stack,
    /// A heap block.
    Heap,
    /// `argv`.
    Arguments,
    /// A string of `argv`, or one that the entry function's parameter points to.
    String(u32),
    /// Bytes that a parameter of the entry function points to.
    EntryBytes(u32),
}

/// Activations from the outside in: the call instruction and the function that it entered.
pub type CallPath = Vec<(InstId, FuncId)>;

/// A loop of one activation, or a function that calls itself, by its outermost activation and its entry block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutPlace {
    /// The activation.
    pub calls: CallPath,
    /// The function.
    pub function: FuncId,
    /// The head of the loop.
    pub head: BlockId,
}

/// Objects by where they are made, whatever the rounds of the loops around.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectKey {
    /// What they are.
    pub kind: ObjectKind,
    /// The activation that makes them; empty for static ones.
    pub calls: CallPath,
    /// The instruction.
    pub inst: InstId,
    /// Which of those that the instruction makes.
    pub number: u32,
}

/// What a changed pointer may point to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BaseKey {
    /// Objects that exist at the head.
    Object(ObjectKey),
    /// A bare number.
    Bare,
    /// An undefined pointer.
    Undefined,
}
