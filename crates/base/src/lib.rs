//! What every other crate shares and nothing else: typed ids and the vectors they index, places in
//! C source, budgets, strongly connected components, counts of what solvers were asked, and what is under way. Knows nothing of C, LLVM or logic.

pub mod activity;
mod budget;
mod components;
mod id;
pub mod queries;
mod resident;
mod span;

pub use budget::{Budget, Exhausted, interrupt};
pub use components::Components;
pub use id::{Id, IdVec};
pub use span::{FileId, SourceMap, Span};
