//! The portfolio: cheap engines before expensive ones, within limits, the same answer for the same input.
//!
//! Work is counted in steps; the wall clock only cuts off. What is open after all engines is unknown, with the reason of the
//! last engine that was asked about it.

use std::time::Duration;

use belay_base::{Budget, Span};
use belay_evidence::{Answer, Checker, Proof, Task, Verdict};
use belay_ir::Property;

use crate::bmc::{self, BmcOutcome};
use crate::outcome::{GaveUp, Outcome};
use crate::tester::Effort;
use crate::{graph, its, run, structural, tester};

/// An engine that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EngineName {
    /// One run decides a program without inputs.
    Run,
    /// Nothing to violate, nothing that loops.
    Structural,
    /// Drawn inputs.
    Tester,
    /// Ranking functions.
    Its,
    /// Symbolic execution graphs.
    Graph,
    /// Bounded model checking.
    Bmc,
}

impl EngineName {
    /// All, in the order in which they run.
    pub const ALL: [EngineName; 6] = [
        EngineName::Run,
        EngineName::Structural,
        EngineName::Graph,
        EngineName::Tester,
        EngineName::Its,
        EngineName::Bmc,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EngineName::Run => "run",
            EngineName::Structural => "structural",
            EngineName::Tester => "tester",
            EngineName::Its => "its",
            EngineName::Graph => "graph",
            EngineName::Bmc => "bmc",
        }
    }
}

/// How much each engine may do.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Which engines run.
    pub engines: Vec<EngineName>,
    /// Steps of the run without choices.
    pub run_steps: u64,
    /// The tester's effort.
    pub tester: Effort,
    /// Steps of the search for ranking functions.
    pub its_steps: u64,
    /// Steps of building the symbolic execution graph, and of ranking its cycles.
    pub graph_steps: u64,
    /// Steps of bounded model checking.
    pub bmc_steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            engines: EngineName::ALL.to_vec(),
            run_steps: 400_000_000,
            tester: Effort { runs: 400, steps: 200_000, total: 8_000_000 },
            its_steps: 8_000_000,
            graph_steps: 1_000_000,
            bmc_steps: 100_000_000,
        }
    }
}

/// What was done, for `--stats`.
#[derive(Clone, Debug, Default)]
pub struct SessionStats {
    /// Each engine that ran, and for how long.
    pub engines: Vec<(&'static str, Duration)>,
    /// Steps of the run without choices.
    pub run_steps: u64,
}

/// One task through the portfolio.
pub struct Session<'t> {
    task: &'t Task<'t>,
    checker: Checker<'t>,
    budget: &'t Budget,
    limits: Limits,
    verdicts: Vec<Verdict>,
    open: Vec<Open>,
    stats: SessionStats,
}

/// A property without a verdict yet, and the best reason so far.
struct Open {
    property: Property,
    reason: GaveUp,
}

impl<'t> Session<'t> {
    /// A session for `properties`.
    pub fn new(task: &'t Task<'t>, properties: &[Property], limits: Limits, budget: &'t Budget) -> Self {
        let open = properties
            .iter()
            .map(|property| Open { property: *property, reason: GaveUp::because("no engine was asked") })
            .collect();
        let checker = Checker::new(task, budget);
        Self { task, checker, budget, limits, verdicts: Vec::new(), open, stats: SessionStats::default() }
    }

    /// Runs the engines; the verdicts are in the order of the properties. `progress` is told what is under way.
    pub fn verify(mut self, progress: &mut dyn FnMut(&str)) -> (Vec<Verdict>, SessionStats) {
        let order: Vec<Property> = self.open.iter().map(|open| open.property).collect();
        for engine in self.limits.engines.clone() {
            if self.open.is_empty() || self.budget.check_clock().is_err() {
                break;
            }
            progress(engine.name());
            let start = std::time::Instant::now();
            match engine {
                EngineName::Run => self.each(|session, property| {
                    run::read_execution(&session.checker, session.task.program, property, session.limits.run_steps)
                }),
                EngineName::Structural => self.each(|session, property| structural::prove(session.task, property)),
                EngineName::Tester => self.test(),
                EngineName::Graph => self.explore(),
                EngineName::Bmc => self.unroll(),
                EngineName::Its => self.each_of(&[Property::Termination], |session, property| {
                    its::prove(session.task, property, session.limits.its_steps, session.budget)
                }),
            }
            self.stats.engines.push((engine.name(), start.elapsed()));
        }
        self.finish(&order)
    }

    fn each(&mut self, engine: impl Fn(&Self, Property) -> Outcome) {
        self.each_of(&Property::ALL, engine);
    }

    /// Asks an engine about the open ones among `properties`.
    fn each_of(&mut self, properties: &[Property], engine: impl Fn(&Self, Property) -> Outcome) {
        for open in std::mem::take(&mut self.open) {
            if !properties.contains(&open.property) {
                self.open.push(open);
                continue;
            }
            let outcome = engine(self, open.property);
            self.settle(open, outcome);
        }
    }

    fn settle(&mut self, mut open: Open, outcome: Outcome) {
        let checked = match outcome {
            Outcome::Proved(proof) => self.checker.confirm(open.property, proof),
            Outcome::Refuted(trace) => self.checker.refute(open.property, trace),
            // The system leaves things open, so that a run of it which is none of the program is no fault of the engine.
            Outcome::Endless(set) => match self.checker.refute_endless(&set) {
                Ok(verdict) => Ok(verdict),
                Err(rejected) => {
                    open.reason = GaveUp::because(format!("may run for ever, but {}", rejected.0));
                    self.open.push(open);
                    return;
                }
            },
            Outcome::GaveUp(gave_up) => {
                open.reason = gave_up;
                self.open.push(open);
                return;
            }
        };
        match checked {
            Ok(verdict) => self.verdicts.push(verdict),
            Err(rejected) => {
                open.reason = GaveUp::because(format!("internal error: {rejected}"));
                self.open.push(open);
            }
        }
    }

    /// One symbolic execution graph for all open properties.
    fn explore(&mut self) {
        match graph::explore(self.task, self.limits.graph_steps, self.budget) {
            Ok(explored) => self.each(|session, property| {
                graph::claim(session.task, &explored, property, session.limits.graph_steps, session.budget)
            }),
            Err(gave_up) => self.open.iter_mut().for_each(|open| open.reason = gave_up.clone()),
        }
    }

    /// Bounded model checking of all open properties together.
    fn unroll(&mut self) {
        let wanted: Vec<Property> =
            self.open.iter().map(|open| open.property).filter(|property| *property != Property::Termination).collect();
        if wanted.is_empty() {
            return;
        }
        let slice = self.budget.slice(self.limits.bmc_steps);
        for (property, outcome) in bmc::check(self.task, &wanted, &slice) {
            let Some(at) = self.open.iter().position(|open| open.property == property) else { continue };
            let open = self.open.remove(at);
            let outcome = match outcome {
                BmcOutcome::Proved(bounds) => Outcome::Proved(Proof::Unrolled(bounds)),
                BmcOutcome::Refuted(trace) => Outcome::Refuted(trace),
                BmcOutcome::GaveUp { reason, span } => Outcome::GaveUp(GaveUp { reason, span }),
                BmcOutcome::Disagreement { what, span } => {
                    Outcome::GaveUp(GaveUp { reason: format!("internal error: {what}"), span })
                }
            };
            self.settle(open, outcome);
        }
    }

    fn test(&mut self) {
        let wanted: Vec<Property> = self.open.iter().map(|open| open.property).collect();
        let found = tester::find_violations(self.task, &wanted, self.limits.tester, self.budget);
        for (property, trace) in found {
            if let Some(at) = self.open.iter().position(|open| open.property == property) {
                let open = self.open.remove(at);
                self.settle(open, Outcome::Refuted(trace));
            }
        }
    }

    fn finish(mut self, order: &[Property]) -> (Vec<Verdict>, SessionStats) {
        let out_of_time = self.budget.check_clock().err();
        for open in self.open {
            let (reason, span) = match out_of_time {
                Some(why) => (why.to_string(), Span::NONE),
                None => (open.reason.reason, open.reason.span),
            };
            self.verdicts.push(Verdict::unknown(open.property, reason, span));
        }
        let proved: Vec<Verdict> =
            self.verdicts.iter().filter(|verdict| matches!(verdict.answer(), Answer::True(_))).cloned().collect();
        let mut verdicts: Vec<Verdict> =
            self.verdicts.into_iter().map(|verdict| verdict.with_memory_safety_proved(&proved)).collect();
        verdicts.sort_by_key(|verdict| order.iter().position(|property| *property == verdict.property()));
        if self.limits.engines.contains(&EngineName::Run) {
            self.stats.run_steps = self.checker.execution(0).steps;
        }
        (verdicts, self.stats)
    }
}
