//! The checker: evidence in, verdict out. A claim that does not hold up is [`Rejected`]: an engine's fault, never a verdict.

use std::cell::OnceCell;

use belay_base::{Budget, Exhausted};
use belay_ir::{FuncKind, Mark, Property};
use belay_its::evidence::RecurrentSet;
use belay_semantics::{Interpreter, NoChoice, RunEnd, RunReport, Script};

use crate::descent::{self, Checked, Descent};
use crate::endless;
use crate::graph;
use crate::induction;
use crate::ranking;
use crate::structure;
use crate::task::Task;
use crate::trace::{Claimed, Trace};
use crate::unending::{self, Unending};
use crate::unrolled::{self, Recheck};
use crate::verdict::{Answer, Assumption, Counterexample, Proof, Verdict};

/// A claim whose evidence does not show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected(pub String);

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "evidence rejected: {}", self.0)
    }
}

/// A claim with which nothing is wrong, but which the second solver, whose consent is needed, has no answer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unanswered(pub String);

/// Checks the evidence of one task.
pub struct Checker<'t> {
    task: &'t Task<'t>,
    budget: &'t Budget,
    execution: OnceCell<RunReport>,
    longer: OnceCell<RunReport>,
}

impl<'t> Checker<'t> {
    /// A checker that works within `budget`.
    pub fn new(task: &'t Task<'t>, budget: &'t Budget) -> Self {
        Self { task, budget, execution: OnceCell::new(), longer: OnceCell::new() }
    }

    /// The run without any choice: the program's only run if it ends by itself. Made once, and once more if it was cut off after
    /// fewer steps than these.
    pub fn execution(&self, steps: u64) -> &RunReport {
        let run = || {
            let mut config = self.task.config.clone();
            config.recurrence = true;
            Interpreter::new(self.task.program, config).run(&mut NoChoice, &self.budget.slice(steps))
        };
        let first = self.execution.get_or_init(run);
        let cut_off = matches!(first.end, RunEnd::Exhausted(Exhausted::Steps)) && first.steps < steps;
        if cut_off { self.longer.get_or_init(run) } else { first }
    }

    /// True if the run without any choice was made and did not come to an end.
    pub fn execution_was_cut_off(&self) -> bool {
        let last = self.longer.get().or(self.execution.get());
        last.is_some_and(|report| matches!(report.end, RunEnd::Exhausted(Exhausted::Steps)))
    }

    /// Replays a trace.
    pub fn refute(&self, property: Property, trace: Trace) -> Result<Verdict, Rejected> {
        if trace.claimed == Claimed::Recurrence {
            self.rests_on_no_chance()?;
        }
        let report = self.replay(&trace);
        let violation = match trace.claimed {
            Claimed::Recurrence => match &report.end {
                RunEnd::Recurs { .. } if report.violation_of(Property::NoOverflow).is_some() => {
                    return Err(Rejected("the run recurs only after a signed overflow".to_owned()));
                }
                RunEnd::Recurs { .. } if property == Property::Termination => None,
                end => return Err(Rejected(format!("the run does not recur but ends with {end:?}"))),
            },
            Claimed::Endless => return Err(Rejected("an endless run needs its recurrent set".to_owned())),
            Claimed::Obligation(_) | Claimed::Lost | Claimed::NotFreed => match trace.claimed.find(&report) {
                Some(violation) if violation.property == property => Some(violation.clone()),
                Some(_) | None => {
                    return Err(Rejected(format!(
                        "the run does not violate {:?} but ends with {:?}",
                        trace.claimed, report.end
                    )));
                }
            },
        };
        let answer = Answer::False(Box::new(Counterexample { trace, report, violation, recurrences: Vec::new() }));
        Ok(Verdict { property, answer, assumptions: Vec::new(), ranks: Vec::new() })
    }

    /// An endless run has to be one that inputs can bring about. What the library draws or measures is no input: no generator gives the same
    /// number for ever, and no clock stands still. Which of the run's choices are such is not looked at: none may be reachable.
    fn rests_on_no_chance(&self) -> Result<(), Rejected> {
        match structure::marked(self.task, Mark::Chance) {
            Some(name) => Err(Rejected(format!("what {name} gives is not for a run to choose for ever"))),
            None => Ok(()),
        }
    }

    /// A model that picks one of several behaviours proves nothing of the others.
    fn rests_on_no_fewer(&self) -> Result<(), Rejected> {
        match structure::marked(self.task, Mark::Fewer) {
            Some(name) => Err(Rejected(format!("the model of {name} picks one of several behaviours"))),
            None => Ok(()),
        }
    }

    /// Checks that a recurrent set of the transition system is an endless run of the program.
    pub fn refute_endless(&self, set: &RecurrentSet) -> Result<Verdict, Rejected> {
        self.rests_on_no_chance()?;
        let (report, recurrences) = endless::check(self.task, set, self.budget).map_err(Rejected)?;
        let trace = Trace { choices: report.choices.clone(), claimed: Claimed::Endless };
        let answer = Answer::False(Box::new(Counterexample { trace, report, violation: None, recurrences }));
        Ok(Verdict { property: Property::Termination, answer, assumptions: Vec::new(), ranks: Vec::new() })
    }

    /// Checks that a run of the program can't end.
    pub fn refute_unending(&self, claim: &Unending) -> Result<Verdict, Rejected> {
        self.rests_on_no_chance()?;
        let (report, recurrences) = unending::check(self.task, claim, self.budget).map_err(Rejected)?;
        let trace = Trace { choices: report.choices.clone(), claimed: Claimed::Endless };
        let answer = Answer::False(Box::new(Counterexample { trace, report, violation: None, recurrences }));
        Ok(Verdict { property: Property::Termination, answer, assumptions: Vec::new(), ranks: Vec::new() })
    }

    /// The run without choices has been made already, by this checker; others are made now.
    fn replay(&self, trace: &Trace) -> RunReport {
        if let (true, Some(report)) = (trace.choices.is_empty(), self.longer.get().or(self.execution.get())) {
            return report.clone();
        }
        let mut config = self.task.config.clone();
        config.recurrence = trace.claimed == Claimed::Recurrence;
        // What comes after the claimed violation does not matter, and may never end.
        config.stop_at = match trace.claimed {
            Claimed::Obligation(obligation) => Some(obligation),
            Claimed::Lost | Claimed::NotFreed | Claimed::Recurrence | Claimed::Endless => None,
        };
        let budget = self.budget.slice(u64::MAX);
        Interpreter::new(self.task.program, config).run(&mut Script::new(trace.choices.iter().cloned()), &budget)
    }

    /// Checks a proof.
    pub fn confirm(&self, property: Property, proof: Proof) -> Result<Verdict, Rejected> {
        self.rests_on_no_fewer()?;
        let mut ranks = Vec::new();
        let mut not_rechecked = None;
        match &proof {
            Proof::Execution => self.check_execution(property)?,
            Proof::NoObligation => structure::check_no_obligation(self.task, property).map_err(Rejected)?,
            Proof::CountedLoops(loops) if property == Property::Termination => {
                ranks = structure::check_termination(self.task, loops).map_err(Rejected)?;
            }
            Proof::Ranking(ranking) if property == Property::Termination => {
                ranks = ranking::check(self.task, ranking, self.budget).map_err(Rejected)?;
            }
            Proof::Descent(measures) if property == Property::Termination => {
                return self.confirm_descent(measures.clone())?.map_err(|Unanswered(reason)| Rejected(reason));
            }
            Proof::Unrolled(unrolled) if property != Property::Termination => {
                match unrolled::check(self.task, property, unrolled, self.budget).map_err(Rejected)? {
                    Recheck::Done => {}
                    Recheck::Skipped(reason) => not_rechecked = Some(Assumption::NotRechecked(reason)),
                }
            }
            Proof::Graph(certificate) => {
                ranks = graph::check(self.task, property, certificate, self.budget).map_err(Rejected)?;
            }
            Proof::Induction(induction) if property != Property::Termination => {
                match induction::check(self.task, property, induction, self.budget).map_err(Rejected)? {
                    Recheck::Done => {}
                    Recheck::Skipped(reason) => not_rechecked = Some(Assumption::NotRechecked(reason)),
                }
            }
            Proof::Unrolled(_) | Proof::Induction(_) => {
                return Err(Rejected("neither unrolling nor induction shows termination".to_owned()));
            }
            Proof::CountedLoops(_) | Proof::Ranking(_) | Proof::Descent(_) => {
                return Err(Rejected(format!("an argument for termination does not show {property}")));
            }
        }
        let mut assumptions = self.assumptions(property, &proof);
        assumptions.extend(not_rechecked);
        Ok(Verdict { property, answer: Answer::True(proof), assumptions, ranks })
    }

    /// Checks a proof by measures, which is none where the second solver has no answer.
    pub fn confirm_descent(&self, descent: Box<Descent>) -> Result<Result<Verdict, Unanswered>, Rejected> {
        self.rests_on_no_fewer()?;
        let ranks = match descent::check(self.task, &descent, self.budget).map_err(Rejected)? {
            Checked::Shown(ranks) => ranks,
            Checked::Unanswered(reason) => return Ok(Err(Unanswered(reason))),
        };
        let (property, proof) = (Property::Termination, Proof::Descent(descent));
        let assumptions = self.assumptions(property, &proof);
        Ok(Ok(Verdict { property, answer: Answer::True(proof), assumptions, ranks }))
    }

    fn check_execution(&self, property: Property) -> Result<(), Rejected> {
        let report = self.execution(u64::MAX);
        if !report.choices.is_empty() {
            return Err(Rejected("the run made a choice".to_owned()));
        }
        if let Some(violation) = report.violation_of(property) {
            return Err(Rejected(format!("the run violates it: {:?}", violation.fault)));
        }
        if covers(report, property) { Ok(()) } else { Err(Rejected(format!("the run ended with {:?}", report.end))) }
    }

    fn assumptions(&self, property: Property, proof: &Proof) -> Vec<Assumption> {
        let externs = match proof {
            Proof::Execution => self.execution(u64::MAX).externs.iter().copied().collect(),
            Proof::NoObligation
            | Proof::CountedLoops(_)
            | Proof::Ranking(_)
            | Proof::Unrolled(_)
            | Proof::Induction(_)
            | Proof::Descent(_)
            | Proof::Graph(_) => structure::reachable(self.task),
        };
        let functions = &self.task.program.functions;
        let names: Vec<String> = externs
            .into_iter()
            .filter(|id| functions[*id].kind == FuncKind::Extern)
            .map(|id| functions[id].name.clone())
            .collect();
        let memory = match property {
            Property::ValidDeref | Property::ValidFree => None,
            Property::ValidMemtrack
            | Property::MemCleanup
            | Property::NoOverflow
            | Property::Arithmetic
            | Property::UnreachCall
            | Property::Termination => Some(Assumption::MemorySafety),
        };
        memory.into_iter().chain((!names.is_empty()).then_some(Assumption::Externs(names))).collect()
    }
}

/// True if the one run without choices decides the property, provided that it does not violate it.
fn covers(report: &RunReport, property: Property) -> bool {
    let tracks_blocks = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
    match &report.end {
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted => {
            property != Property::ValidMemtrack || report.maybe_lost.is_empty()
        }
        // After an invalid access anything may happen: such a run proves nothing else.
        RunEnd::Violated if report.breaks_memory() => false,
        RunEnd::Violated if tracks_blocks => {
            report.fails_assertion() && (property != Property::ValidMemtrack || report.maybe_lost.is_empty())
        }
        RunEnd::Violated => true,
        RunEnd::AssumptionFailed => !tracks_blocks,
        // The run repeats itself for ever: it has shown all that it does.
        RunEnd::Recurs { .. } => property != Property::Termination && !tracks_blocks,
        RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } | RunEnd::Unknown { .. } | RunEnd::Exhausted(_) => false,
    }
}
