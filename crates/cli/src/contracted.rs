//! Programs whose contracts are checked, and those with assertions that are nothing in their own binary (`__CPROVER_assert`).
//!
//! In the program that is verified a clause is an assertion, which ends the run where it fails; in the user's program nothing ends there. So whatever else is
//! proved holds only if no clause fails: a proof counts where `unreach-call` is proved as well, and is unknown otherwise. A violation comes before the run
//! ends and is one either way.

use belay_base::Span;
use belay_evidence::{Answer, Verdict};
use belay_ir::{Program, Property};

/// What has to be asked as well.
pub fn properties(program: &Program, mut asked: Vec<Property>) -> Vec<Property> {
    if program.checks_contracts {
        asked.push(Property::UnreachCall);
        asked.sort();
        asked.dedup();
    }
    asked
}

/// True if no clause fails.
pub fn clauses_hold(program: &Program, verdicts: &[Verdict]) -> bool {
    let is_kept =
        |verdict: &Verdict| verdict.property() == Property::UnreachCall && matches!(verdict.answer(), Answer::True(_));
    !program.checks_contracts || verdicts.iter().any(is_kept)
}

/// Why a proof does not count that rests on clauses which may fail.
pub const WITHHELD: &str =
    "it holds as long as no assertion beside the code and no clause of a contract fails, which is not shown";

/// Only the proofs that hold whether or not a failed clause ends the run.
pub fn withhold(program: &Program, verdicts: Vec<Verdict>) -> Vec<Verdict> {
    if clauses_hold(program, &verdicts) {
        return verdicts;
    }
    let withheld = |verdict: Verdict| match verdict.answer() {
        Answer::True(_) => Verdict::unknown(verdict.property(), WITHHELD, Span::NONE),
        Answer::False(_) | Answer::Unknown(_) => verdict,
    };
    verdicts.into_iter().map(withheld).collect()
}
