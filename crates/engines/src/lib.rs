//! Engines that claim, and the schedule by which they run. An engine returns an [`Outcome`]; only the checker of
//! the crate `evidence` turns a claim into a verdict.

pub mod bmc;
mod each_check;
mod each_loop;
mod its;
mod lane;
mod lasso;
mod leap;
mod limits;
mod nontermination;
mod open;
mod run;
mod schedule;
mod session;
mod side_by_side;
mod summaries;
mod tester;
mod vacuity;
mod values;

pub use belay_evidence::{GaveUp, Outcome, Why};
pub use belay_graph as graph;
pub use belay_kiki as kiki;
use belay_loops::structural;
pub use each_check::verify_each_check;
pub use each_loop::verify_each_loop;
pub use limits::{EngineName, Options};
pub use schedule::GRAPH_STEPS;
pub use session::{Progress, Session, SessionStats};
pub use vacuity::is_vacuous;
