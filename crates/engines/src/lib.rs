//! Engines that claim, and the portfolio that runs them. An engine returns an [`Outcome`]; only the checker of
//! the crate `evidence` turns that into a verdict.

pub mod bmc;
mod cover;
pub mod graph;
mod its;
pub mod kiki;
mod lasso;
mod limits;
mod nontermination;
mod open;
mod outcome;
mod portfolio;
mod run;
mod structural;
mod summaries;
mod tester;
mod vacuity;

pub use limits::{EngineName, Limits};
pub use outcome::{GaveUp, Outcome};
pub use portfolio::{Progress, Session, SessionStats};
pub use vacuity::is_vacuous;
