//! What every value of a program may be: ranges of numbers, targets of pointers, contents of objects, for all runs at once. Each function is looked at by itself, once
//! for all of its calls, so that the cost grows with the size of the program and not with its activations.
//!
//! [`search`] finds a map from registers, parameters, results and objects to values; [`judge`] checks that a map describes every state and says which obligations it
//! leaves in doubt. The checker of proofs uses `judge` alone.

mod birth;
mod calls;
mod contents;
mod eval;
mod judge;
mod lives;
mod loads;
mod map;
mod memory;
mod range;
mod rounds;
mod search;
mod shape;
mod value;

pub use contents::{Cell, Contents, Link, Places, Segment};
pub use eval::Evaluator;
pub use judge::{Gap, Judged, judge};
pub use map::{FunctionValues, Update, ValueMap};
pub use range::Range;
pub use search::{Failure, search};
pub use value::{Base, Pointer, Value};
