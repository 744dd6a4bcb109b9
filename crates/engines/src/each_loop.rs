//! Every loop by itself: which end, and why, which a run can stay in for ever, and which are open.
//!
//! Counters and ranking functions of each loop ([`ByLoop`]) first; then runs with steady inputs, which show endless loops, several of them in one search.

use std::sync::Arc;

use belay_base::Budget;
use belay_evidence::{Checker, Claim, LoopAnswer, LoopPlace, LoopProof, LoopVerdict, Task, Verdict, loops};
use belay_ir::Property;
use belay_loops::ByLoop;

use crate::nontermination;
use crate::tester::Effort;

/// Steps of the search for ranking functions of one loop.
const RANK_STEPS: u64 = 4_000_000;
/// Runs that may stay in a loop.
const STEADY: Effort = Effort { runs: 200, steps: 20_000, total: 1_500_000 };

/// Answers for each loop, given the verdict on termination.
pub fn verify_each_loop(task: &Task<'_>, termination: &Verdict, budget: &Budget) -> Vec<LoopVerdict> {
    let all_end = LoopVerdict::all_end(task, termination);
    if !all_end.is_empty() {
        return all_end;
    }
    let mut each = EachLoop { task, budget, open: loops(task), answers: Vec::new() };
    each.count();
    each.rank();
    each.run(termination);
    let mut answers = each.answers;
    let why = "neither a ranking function nor an endless run was found";
    answers.extend(each.open.iter().map(|place| LoopVerdict::unknown(task, *place, why)));
    answers.sort_by_key(LoopVerdict::place);
    answers
}

struct EachLoop<'t> {
    task: &'t Task<'t>,
    budget: &'t Budget,
    open: Vec<LoopPlace>,
    answers: Vec<LoopVerdict>,
}

impl EachLoop<'_> {
    fn take(&mut self, answer: LoopVerdict) {
        if self.open.contains(&answer.place()) {
            self.open.retain(|place| *place != answer.place());
            self.answers.push(answer);
        }
    }

    /// Has a proof checked.
    fn claim(&mut self, place: LoopPlace, proof: &LoopProof) {
        let checked = LoopVerdict::ends(self.task, place, proof, self.budget);
        checked.into_iter().for_each(|answer| self.take(answer));
    }

    fn count(&mut self) {
        let loops = ByLoop::new(self.task);
        for place in self.open.clone() {
            if let Some(counted) = loops.count(place) {
                self.claim(place, &counted);
            }
        }
    }

    fn rank(&mut self) {
        let mut loops = ByLoop::new(self.task);
        let open = self.open.clone();
        for (at, place) in open.iter().enumerate() {
            let share = self.budget.share((60 / (open.len() - at) as u32).max(1), u64::MAX);
            if let Some(ranked) = loops.rank(*place, RANK_STEPS, &share) {
                self.claim(*place, &ranked);
            }
        }
    }

    /// Runs that stay in a loop: the one that is known, and others. What remains when all others end comes last.
    fn run(&mut self, termination: &Verdict) {
        let checker = Checker::new(self.task, self.budget);
        let mut verdicts = vec![Arc::new(termination.clone())];
        let share = self.budget.share(50, u64::MAX);
        for trace in nontermination::search_all(self.task, STEADY, &share) {
            let checked = checker.check(Claim::run(Property::Termination, trace));
            verdicts.extend(checked.ok().map(Arc::new));
        }
        for verdict in verdicts {
            if let Some(answer) = LoopVerdict::endless(self.task, &verdict, &self.answers, self.budget) {
                self.settle(answer);
            }
        }
    }

    /// A loop with a proof and an endless run has neither: one of them is wrong.
    fn settle(&mut self, answer: LoopVerdict) {
        let place = answer.place();
        let ends = |known: &LoopVerdict| known.place() == place && matches!(known.answer(), LoopAnswer::Ends(_));
        if self.answers.iter().any(ends) {
            self.answers.retain(|known| known.place() != place);
            let why = "internal error: a proof that the loop ends, and a run that seems to stay in it";
            self.answers.push(LoopVerdict::unknown(self.task, place, why));
        } else {
            self.take(answer);
        }
    }
}
