//! What the program form means. The concrete interpreter in this crate *is* the meaning that SOUNDNESS.md states in
//! words: every other engine is tested against it and may not decide anything for itself. It knows the program form and
//! nothing of LLVM, solvers, engines or verdicts.

mod choice;
mod interpreter;
mod observer;
mod report;
mod sources;

pub use choice::{Choice, ChoiceSource, ParseChoiceError, Request, RequestKind, Scalar};
pub use interpreter::{Config, EntryPointer, Interpreter};
pub use observer::{Event, Observer, Shown, Target, Unobserved};
pub use report::{
    Access, EndedBy, Fault, ObjectInfo, ObjectKind, Operands, RunEnd, RunReport, StackEntry, Violation,
};
pub use sources::{Inputs, NoChoice, Script, Seeded};
