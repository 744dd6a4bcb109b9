//! The language of invariants: what a proof may say of the states at loop heads. Rows over values and sums, rows about all elements of an
//! array, sums of their first elements, rankings that get smaller; what a cut loop changes; and all of it over C expressions (`expressions`). How a row is
//! evaluated on a state of a program is the encoder's matter, how one is found the engines', whether it holds the checkers'.

mod cut;
pub mod expressions;
mod formula;
mod formula_expression;
mod place;
mod ranking_function;
mod row;
mod summary;

pub use cut::{Cut, Cutting, FrameViolation, Havoc};
pub use formula::{Array, Element, ForAll, Formula, Limit, PrefixSum, Side};
pub use place::{BaseKey, CallPath, CutPlace, ObjectKey, ObjectKind};
pub use ranking_function::{MAX_COEFFICIENT, Point, RankingFunction};
pub use row::{Against, Atom, Bound, Cube, Elements, IndexRange, Literal, Relation, Row, Sum, Variable};
pub use summary::{EndsIf, Exit, Scope, Summary};
