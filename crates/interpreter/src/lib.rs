//! What the program form means. The concrete interpreter in this crate *is* the meaning that SOUNDNESS.md states in
//! words: every other engine is tested against it and may not decide anything for itself. It knows the program form and
//! nothing of LLVM, solvers, engines or verdicts.

mod access;
mod addresses;
mod builtins;
mod calls;
mod code;
mod contents;
mod convert;
mod decode;
mod describe;
mod entry;
mod exec;
mod explain;
mod force;
mod heap;
mod integers;
mod interpreter;
mod leak;
mod mark;
mod memory;
mod observer;
mod places;
mod print;
mod recur;
mod reentry;
mod report;
mod run;
mod snapshot;
mod sources;
mod sparse;
mod statics;
mod unbounded;
mod undefined;
mod value;
mod varargs;

pub use interpreter::Interpreter;
pub use leak::locate_leak;
pub use observer::{Event, Observer, Shown, Target, Unobserved};
pub use report::{Access, EndedBy, Fault, ObjectInfo, ObjectKind, Operands, RunEnd, RunReport, StackEntry, Violation};
pub use snapshot::{SHOWN_BYTES, Snapshot, SnapshotFrame, SnapshotObject, SnapshotPointer, SnapshotValue, Stack};
pub use sources::{FixedInput, Inputs, NoChoice, Script, Seeded, Steady};
