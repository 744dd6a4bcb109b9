//! The language of invariants: what a proof may say of the states at loop heads. Rows over values and sums, rows about all elements of an
//! array, sums of their first elements, measures that get smaller; what a cut loop changes; and all of it in C's syntax. How a row is
//! evaluated on a state of a program is the encoder's matter, how one is found the engines', whether it holds the checkers'.

mod cut;
mod formula;
mod formula_text;
mod measure;
mod place;
mod row;
pub mod words;

pub use cut::{Cut, Cutting, Havoc, Misfit};
pub use formula::{Array, Element, Every, Formula, Limit, Side, Total};
pub use measure::{MAX_COEFFICIENT, Measure, Point};
pub use place::{BaseKey, CallPath, CutPlace, ObjectKey, ObjectKind};
pub use row::{Against, Atom, Bound, Cube, Elements, Literal, Relation, Row, Segment, Sum, Variable};
