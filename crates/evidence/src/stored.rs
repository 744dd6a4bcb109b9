//! Claims that come from a file. Nobody vouches for them: neither that a search has found them nor that they are of this program.
//!
//! **What is different.** A claim of an engine by unrolling or induction is one of which its SAT solver has said that nothing bad is possible; where Z3 has no answer the
//! verdict stands on that, and says so. Behind a claim from a file there may be no such answer. So where Z3 has none, the question is made anew and put to
//! the bit-blaster and the SAT solver, and without an answer of theirs there is no verdict. A file may bring refutations, which stand for Z3's answer where they
//! hold ([`crate::answerer`]); only `belay recheck` takes them. All other kinds of proof are checked as those of engines
//! are: their checks take no part of the search on trust.
//!
//! A checker looks at what a claim names, and a claim from a file may name what is not there: a block that the function does not have, a cell that the certificate
//! does not have. Where the checker does not look for that first it stops by a panic, which is a refusal here and not a fault of Belay.

use std::panic::{AssertUnwindSafe, catch_unwind};

use belay_ir::Property;

use crate::checker::Checker;
use crate::claim::{Claim, Refusal};
use crate::task::Task;
use crate::verdict::{Answer, Assumption, Proof, Verdict};
use crate::{induction, unrolled};

impl Checker<'_> {
    /// Checks a claim from a file.
    pub fn check_stored(&self, claim: Claim) -> Result<Verdict, Refusal> {
        let check = || {
            let verdict = self.check(claim)?;
            let is_open = |assumption: &Assumption| matches!(assumption, Assumption::NotRechecked(_));
            if verdict.assumptions().iter().any(is_open) {
                self.solve(&verdict)?;
            }
            Ok(verdict)
        };
        let names_others = |_| Err(Refusal::Rejected("it speaks of what the program does not have".to_owned()));
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(names_others)
    }

    /// Puts the question of a proof to the SAT solver.
    fn solve(&self, verdict: &Verdict) -> Result<(), Refusal> {
        match verdict.answer() {
            Answer::True(Proof::Given(given)) => {
                given.each_step(self.task, verdict.property(), |task, properties, proof| {
                    let is_checked_whole = !matches!(proof, Proof::Unrolled(_) | Proof::Induction(_));
                    let mut asked = properties.iter().filter(|_| !is_checked_whole);
                    asked.try_for_each(|property| self.solve_proof(task, *property, proof))
                })
            }
            Answer::True(proof) => self.solve_proof(self.task, verdict.property(), proof),
            Answer::False(_) | Answer::Unknown(_) => Err(Refusal::Unconfirmed("it proves nothing".to_owned())),
        }
    }

    fn solve_proof(&self, task: &Task<'_>, property: Property, proof: &Proof) -> Result<(), Refusal> {
        let (program, config) = (task.simplified, task.config.clone());
        let solved = match proof {
            Proof::Unrolled(proof) => unrolled::solve(self.budget, move |budget| {
                unrolled::question(program, config, property, &proof.bounds, budget)
            }),
            Proof::Induction(proof) => unrolled::solve(self.budget, move |budget| {
                induction::question(program, config, property, proof, budget)
            }),
            Proof::Execution
            | Proof::NoObligation
            | Proof::CountedLoops(_)
            | Proof::Loops(_)
            | Proof::Ranking(_)
            | Proof::Descent(_)
            | Proof::Graph(_)
            | Proof::Given(_)
            | Proof::Values(_) => Ok(false),
        };
        match solved {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::Unconfirmed("no solver confirms it in time".to_owned())),
            Err(why) => Err(Refusal::Rejected(why)),
        }
    }
}
