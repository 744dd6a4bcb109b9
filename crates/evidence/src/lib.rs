//! Evidence and verdicts. An engine makes a [`Claim`], with a [`Trace`] or a [`Proof`]; the [`Checker`] looks at the
//! evidence with code of its own, and only it can make a [`Verdict`] that is true or false. Knows neither
//! engines nor domains.

mod alone;
mod answerer;
mod checker;
mod checks;
mod claim;
mod counted;
mod descent;
mod endless;
mod excerpt;
mod given;
mod graph;
mod induction;
mod loops;
mod outcome;
mod ranking;
mod reason;
mod regions;
mod stored;
mod structure;
mod task;
mod trace;
mod unending;
mod unrolled;
mod vacuity;
mod values;
mod verdict;

pub use alone::{Others, alone};
pub use answerer::Refutations;
pub use belay_transitions::{Origin, Part};
pub use checker::Checker;
pub use checks::{CheckVerdict, Selection, checks, count_discharged};
pub use claim::{Claim, Evidence, Refusal};
pub use counted::{CountedLoop, check as check_counted};
pub use descent::Descent;
pub use endless::{Recurrence, has_constant_inputs};
pub use excerpt::{Excerpt, Excerpted};
pub use given::{Fact, Given};
pub use graph::{CycleProof, GraphCertificate, GraphCycle, GraphRanking, RankedCycle, Verified, cycles, verify};
pub use induction::{Induction, Parts, question as induction_question};
pub use loops::{LoopAnswer, LoopPlace, LoopProof, LoopVerdict, loops};
pub use outcome::{Attempts, GaveUp, Outcome, Why};
pub use ranking::{RankedLoop, Ranking, locate};
pub use reason::{Reason, Reasons};
pub use structure::{find_marked_unreachable, find_uncovered, threat};
pub use task::Task;
pub use trace::{Claimed, Trace};
pub use unending::{Fixed, Unending, without_end};
pub use unrolled::{Question, Unrolled, question as unrolled_question};
pub use vacuity::{Closed, Vacuity};
pub use verdict::{Answer, Assumption, Counterexample, Proof, Unknown, Verdict, Within};
