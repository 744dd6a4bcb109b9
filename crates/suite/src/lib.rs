//! Suites of tasks: programs with a property and, mostly, a known answer.
//!
//! A suite is read from an index (one JSON object a line), from BenchExec's task definitions and sets, or from a folder of programs that say in comments what
//! is expected of them. Tasks run as child processes of a verifier, Belay or a peer that an adapter describes. Each result is appended to a
//! file before the next task begins, so that a suite that was killed goes on where it stopped: what has a whole line is done, what has none is run again. On a
//! cluster the same file format is written by each part of a job array and gathered afterwards.

mod adapter;
mod benchexec;
mod compare;
mod folder;
mod index;
mod page;
mod results;
mod run;
mod score;
mod slurm;
mod task;

pub use adapter::{Adapter, read_adapter};
pub use benchexec::property_of;
pub use compare::{Comparison, compare};
pub use page::render_page;
pub use results::{Result as TaskResult, Results, read_results};
pub use run::{Limits, Progress, run_tasks};
pub use score::{Outcome, Table, judge, table};
pub use slurm::{Cluster, run_on_cluster};
pub use task::{Expected, Task, read_suite, sample};
