//! What every other crate shares and nothing else: typed ids and the vectors they index, places in
//! C source, budgets, and counts of what solvers were asked. Knows nothing of C, LLVM or logic.

mod budget;
mod id;
pub mod queries;
mod span;

pub use budget::{Budget, Exhausted};
pub use id::{Id, IdVec};
pub use span::{FileId, SourceMap, Span};
