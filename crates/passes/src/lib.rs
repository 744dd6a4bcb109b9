//! Rewrites of the program that keep its meaning and every obligation that they do not discharge. Each states why it is
//! sound; [`pipeline`] runs them in order and verifies the program after each.
//!
//! What "keeps its meaning" is: every run of the old program (SOUNDNESS.md) is, up to the names of choices, a run of
//! the new one that violates the same of the obligations that are left, ends in the same way, and goes on for ever if the old
//! one does. The new program may have more runs where the old one had an undefined value; a proof for it is a proof
//! for the old one. Counterexamples are replayed on the program as translated, before any pass.

mod divide_once;
mod extend_once;
mod fold_checks;
mod inline_calls;
mod merge_blocks;
mod pipeline;
mod promote;
mod remove_uncalled;
mod remove_unreachable;
mod simplify;
mod substitution;
mod thread_exits;
mod thread_tests;
mod unify_heads;

pub use divide_once::divide_once;
pub use extend_once::extend_once;
pub use fold_checks::fold_checks;
pub use inline_calls::inline_calls;
pub use merge_blocks::merge_blocks;
pub use pipeline::pipeline;
pub use promote::promote;
pub use remove_uncalled::remove_uncalled;
pub use remove_unreachable::remove_unreachable;
pub use simplify::simplify;
pub use thread_exits::thread_exits;
pub use thread_tests::thread_tests;
pub use unify_heads::unify_heads;

#[cfg(test)]
#[allow(dead_code, reason = "the tests of `ir` and of `passes` share it, and each uses a part")]
#[path = "../../ir/support/testing.rs"]
mod testing;
#[cfg(test)]
mod tests;
