//! The portfolio: cheap engines before expensive ones, within limits, the same answer for the same input.
//!
//! Work is counted in steps; the wall clock only cuts off. What is open after all engines is unknown, with the reason of the
//! last engine that was asked about it.

use std::time::Duration;

use belay_base::{Budget, Span};
use belay_evidence::{Answer, Checker, Claimed, Proof, Task, Trace, Unanswered, Verdict, marked};
use belay_ir::{IntegerModel, Mark, ObligationDetail, Property};
use belay_logic::queries;

use crate::bmc::{BmcOutcome, Depth, Instance};
use crate::kiki::{self, Attempts, KikiOutcome, RankOutcome};
use crate::limits::{EngineName, Limits};
use crate::open::Open;
use crate::outcome::{GaveUp, Outcome};
use crate::tester::Effort;
use crate::{graph, its, lasso, nontermination, run, structural, tester};

/// Loops are unrolled so far before k-induction is tried.
const FIRST_DEPTH: Depth = Depth { bound: 8, certain: 300 };

/// What was done, for `--stats`.
#[derive(Clone, Debug, Default)]
pub struct SessionStats {
    /// Each engine that ran, and for how long.
    pub engines: Vec<(&'static str, Duration)>,
    /// Steps of the run without choices.
    pub run_steps: u64,
    /// What the solvers were asked: which one, how often, and how long the answers took.
    pub queries: Vec<(&'static str, u64, Duration)>,
}

/// How far a session is.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'v> {
    /// An engine begins.
    Engine(&'static str),
    /// What would be answered if nothing came after this.
    Known(&'v [Verdict]),
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
    /// The tester's runs were cut off.
    cut_off: bool,
    /// Properties that are one question: a violation of one answers it.
    questions: Vec<Vec<Property>>,
}

impl<'t> Session<'t> {
    /// A session for `properties`.
    pub fn new(task: &'t Task<'t>, properties: &[Property], limits: Limits, budget: &'t Budget) -> Self {
        let open = properties.iter().map(|property| Open::new(*property)).collect();
        let checker = Checker::new(task, budget);
        Self {
            task,
            checker,
            budget,
            limits,
            verdicts: Vec::new(),
            open,
            stats: SessionStats::default(),
            cut_off: false,
            questions: Vec::new(),
        }
    }

    /// The verdicts so far, in order; what is open has none yet.
    fn known(&self, order: &[Property]) -> Vec<Verdict> {
        let open =
            self.open.iter().map(|open| Verdict::unknown(open.property, "time or memory limit reached", Span::NONE));
        let mut known: Vec<Verdict> = self.verdicts.iter().cloned().chain(open).collect();
        known.sort_by_key(|verdict| order.iter().position(|property| *property == verdict.property()));
        known
    }

    /// Says which properties are one question.
    pub fn with_questions(mut self, questions: Vec<Vec<Property>>) -> Self {
        self.questions = questions;
        self
    }

    /// Before the expensive engines: gives up the properties whose every question is answered by a violation of another. The cheap ones have
    /// looked for all kinds of violation by then.
    fn drop_answered(&mut self) {
        let violated = |property: &Property| {
            self.verdicts
                .iter()
                .any(|verdict| verdict.property() == *property && matches!(verdict.answer(), Answer::False(_)))
        };
        let is_answered = |property: Property| {
            let mut asking = self.questions.iter().filter(|question| question.contains(&property)).peekable();
            asking.peek().is_some() && asking.all(|question| question.iter().any(violated))
        };
        let (answered, open) = self.open.drain(..).partition(|open: &Open| is_answered(open.property));
        self.open = open;
        for open in answered {
            let reason = "not looked into further: memory safety is violated already";
            self.verdicts.push(Verdict::unknown(open.property, reason.to_owned(), Span::NONE));
        }
    }

    /// Runs the engines; the verdicts are in the order of the properties. `progress` is told what is under way, and before an engine that may take
    /// long also what is known by then.
    pub fn verify(self, progress: &mut dyn FnMut(Progress<'_>)) -> (Vec<Verdict>, SessionStats) {
        let task = self.task;
        std::thread::scope(|scope| self.verify_with(&mut Instance::new(scope, task), progress))
    }

    fn verify_with(
        mut self,
        bmc: &mut Instance<'_, '_>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Verdict>, SessionStats) {
        let order: Vec<Property> = self.open.iter().map(|open| open.property).collect();
        for engine in self.limits.engines.clone() {
            if self.open.is_empty() || self.budget.check_clock().is_err() {
                break;
            }
            if matches!(engine, EngineName::Graph | EngineName::Bmc | EngineName::Kiki) && !self.verdicts.is_empty() {
                progress(Progress::Known(&self.known(&order)));
            }
            progress(Progress::Engine(engine.name()));
            let start = std::time::Instant::now();
            match engine {
                EngineName::Run => self.each(|session, property| {
                    run::read_execution(&session.checker, session.task.program, property, session.limits.run_steps)
                }),
                EngineName::Structural => self.each(|session, property| structural::prove(session.task, property)),
                EngineName::Tester => self.test(self.limits.tester),
                EngineName::Nontermination => self.each_of(&[Property::Termination], |session, _| {
                    nontermination::search(session.task, session.limits.nontermination, session.budget)
                }),
                EngineName::Bmc if self.limits.engines.contains(&EngineName::Kiki) => {
                    self.unroll(bmc, FIRST_DEPTH, self.limits.bmc_first_steps);
                }
                EngineName::Bmc => self.unroll(bmc, Depth::FULL, self.limits.bmc_steps),
                EngineName::Kiki => {
                    self.drop_answered();
                    if self.limits.engines.contains(&EngineName::Tester) {
                        let cut_off = self.cut_off;
                        self.test(self.limits.long_tester);
                        if cut_off {
                            self.test(self.limits.longest_tester);
                        }
                    }
                    if self.limits.engines.contains(&EngineName::Graph) {
                        self.probe();
                    }
                    self.induct(false, self.limits.kiki_steps);
                    self.find_lassos(lasso::SHALLOW);
                    self.rank();
                    self.find_lassos(lasso::DEEP);
                    if self.limits.engines.contains(&EngineName::Bmc) {
                        self.unroll(bmc, Depth::FULL, self.limits.bmc_steps / 12);
                        self.induct(true, self.limits.long_kiki_steps);
                        self.unroll(bmc, Depth::FULL, self.limits.bmc_steps);
                    }
                }
                EngineName::Graph => {
                    self.explore();
                    // Where it runs, bounded model checking finds what is shallow faster.
                    if !self.limits.engines.contains(&EngineName::Kiki) {
                        self.probe();
                    }
                }
                EngineName::Its => self.each_of(&[Property::Termination], |session, property| {
                    its::prove(session.task, property, session.limits.its_steps, session.budget)
                }),
            }
            self.stats.engines.push((engine.name(), start.elapsed()));
        }
        self.try_longer();
        self.finish(&order)
    }

    /// Runs once more, and longer, for what is still open.
    fn try_longer(&mut self) {
        let asked = |session: &Self, engine| {
            !session.open.is_empty() && session.limits.engines.contains(&engine) && session.budget.check_clock().is_ok()
        };
        let start = std::time::Instant::now();
        let reasons: Vec<GaveUp> = self.open.iter().map(|open| open.reason.clone()).collect();
        let properties: Vec<Property> = self.open.iter().map(|open| open.property).collect();
        if asked(self, EngineName::Nontermination) {
            self.each_of(&[Property::Termination], |session, _| {
                nontermination::search_longer(
                    session.task,
                    session.limits.long_nontermination,
                    session.limits.unending_steps,
                    session.budget,
                )
            });
        }
        if asked(self, EngineName::Run) && self.checker.execution_was_cut_off() {
            self.each(|session, property| {
                run::read_execution(&session.checker, session.task.program, property, session.limits.long_run_steps)
            });
        }
        // Why the other engines gave up says more.
        for open in &mut self.open {
            if let Some(at) = properties.iter().position(|property| *property == open.property) {
                open.reason = reasons[at].clone();
            }
        }
        self.stats.engines.push(("longer runs", start.elapsed()));
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
            Outcome::Descends(descent) => match self.checker.confirm_descent(descent) {
                Ok(Ok(verdict)) => Ok(verdict),
                Ok(Err(Unanswered(why))) => {
                    open.reason = GaveUp::because(format!("measures that descend were found, but {why}"));
                    self.open.push(open);
                    return;
                }
                Err(rejected) => Err(rejected),
            },
            // Some read such a shift as an overflow and others do not: neither verdict would be right for both.
            Outcome::Refuted(trace) if self.is_disputed(&trace) => {
                open.reason = GaveUp::because(
                    "a signed left shift is not representable, which not everybody calls an overflow; `arithmetic` says where",
                );
                self.open.push(open);
                return;
            }
            Outcome::Refuted(trace) if trace.claimed == Claimed::Recurrence && self.draws().is_some() => {
                let name = self.draws().unwrap_or_default();
                open.reason = GaveUp::because(format!(
                    "may run for ever, but what {name} gives is not for a run to choose for ever"
                ));
                self.open.push(open);
                return;
            }
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
            // Where the second solver has no answer there is no verdict.
            Outcome::Unending(claim) => match self.checker.refute_unending(&claim) {
                Ok(verdict) => Ok(verdict),
                Err(rejected) => {
                    open.reason = GaveUp::because(format!("may run for ever, but {}", rejected.0));
                    self.open.push(open);
                    return;
                }
            },
            Outcome::Moot(why) => {
                self.verdicts.push(Verdict::unknown(open.property, why.reason, why.span));
                return;
            }
            Outcome::GaveUp(gave_up) => {
                open.reason = gave_up;
                self.open.push(open);
                return;
            }
        };
        match checked {
            Ok(verdict) => self.verdicts.push(verdict),
            // The check needs time as well.
            Err(_) if self.budget.check_clock().is_err() => {
                open.reason = GaveUp::because("an answer was found, but not checked in time");
                self.open.push(open);
            }
            Err(rejected) => {
                open.reason = GaveUp::because(format!("internal error: {rejected}"));
                self.open.push(open);
            }
        }
    }

    /// A library function that the program can reach, and on whose results no endless run may rest.
    fn draws(&self) -> Option<String> {
        marked(self.task, Mark::Chance)
    }

    /// True if the trace ends at a left shift of a signed value that loses bits.
    fn is_disputed(&self, trace: &Trace) -> bool {
        let Claimed::Obligation(id) = trace.claimed else { return false };
        self.task.program.obligations[id].detail == ObligationDetail::SignedShl
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

    /// Violations on single paths of the graph.
    fn probe(&mut self) {
        let wanted: Vec<Property> =
            self.open.iter().map(|open| open.property).filter(|property| *property != Property::Termination).collect();
        if wanted.is_empty() || self.budget.check_clock().is_err() {
            return;
        }
        for (property, trace) in graph::refute(self.task, &wanted, self.limits.probe_steps, self.budget) {
            if let Some(at) = self.open.iter().position(|open| open.property == property) {
                let open = self.open.remove(at);
                self.settle(open, Outcome::Refuted(trace));
            }
        }
    }

    /// Bounded model checking of all open properties together.
    fn unroll(&mut self, bmc: &mut Instance<'_, '_>, depth: Depth, steps: u64) {
        let wanted: Vec<Property> =
            self.open.iter().map(|open| open.property).filter(|property| *property != Property::Termination).collect();
        if wanted.is_empty() {
            return;
        }
        let slice = self.budget.slice(steps);
        for (property, outcome) in bmc.check(&wanted, depth, &slice) {
            let Some(at) = self.open.iter().position(|open| open.property == property) else { continue };
            let mut open = self.open.remove(at);
            let outcome = match outcome {
                BmcOutcome::Proved(unrolled) => Outcome::Proved(Proof::Unrolled(unrolled)),
                BmcOutcome::Refuted(trace) => Outcome::Refuted(trace),
                BmcOutcome::GaveUp { reason, span } => {
                    open.searched = Some(GaveUp { reason: reason.clone(), span });
                    Outcome::GaveUp(GaveUp { reason, span })
                }
                BmcOutcome::Disagreement { what, span } => {
                    Outcome::GaveUp(GaveUp { reason: format!("internal error: {what}"), span })
                }
            };
            self.settle(open, outcome);
        }
    }

    /// k-induction of all open properties, one after the other; of those that it did not come to an end of, if it is done again.
    fn induct(&mut self, again: bool, steps: u64) {
        let wanted = |open: &&Open| open.property != Property::Termination && (!again || open.unfinished != 0);
        let wanted: Vec<(Property, Attempts)> =
            self.open.iter().filter(wanted).map(|open| (open.property, open.unfinished)).collect();
        let mut asked: Vec<(Vec<Property>, kiki::Options)> = match again {
            false => vec![(wanted.iter().map(|(property, _)| *property).collect(), self.limits.kiki)],
            true => {
                let only = |unfinished| kiki::Options { only: Some(unfinished), ..self.limits.kiki };
                wanted.iter().map(|(property, unfinished)| (vec![*property], only(*unfinished))).collect()
            }
        };
        asked.retain(|(properties, _)| !properties.is_empty());
        let slice = self.budget.slice(steps);
        for (properties, options) in asked {
            for (property, outcome) in kiki::check(self.task, &properties, options, &slice) {
                let Some(at) = self.open.iter().position(|open| open.property == property) else { continue };
                let mut open = self.open.remove(at);
                let outcome = match outcome {
                    KikiOutcome::Proved(induction) => Outcome::Proved(Proof::Induction(induction)),
                    KikiOutcome::GaveUp { reason, span, unfinished } => {
                        open.unproved = Some(GaveUp { reason: reason.clone(), span });
                        open.unfinished = unfinished;
                        Outcome::GaveUp(GaveUp { reason, span })
                    }
                };
                self.settle(open, outcome);
            }
        }
    }

    /// Termination by measures over machine integers.
    fn rank(&mut self) {
        let at = self.open.iter().position(|open| open.property == Property::Termination);
        let Some(at) = at.filter(|_| self.task.integers() == IntegerModel::Machine) else { return };
        let mut open = self.open.remove(at);
        let slice = self.budget.slice(self.limits.rank_steps);
        match kiki::rank(self.task, self.limits.kiki, &slice) {
            RankOutcome::Descends(descent) => self.settle(open, Outcome::Descends(descent)),
            RankOutcome::GaveUp { reason, span } => {
                open.unproved = Some(GaveUp { reason, span });
                self.open.push(open);
            }
        }
    }

    /// Runs that come back to a state, by unrolling.
    fn find_lassos(&mut self, depths: &[u32]) {
        let at = self.open.iter().position(|open| open.property == Property::Termination);
        let slice = self.budget.slice(self.limits.lasso_steps);
        let found = at.and_then(|at| Some((at, lasso::search(self.task, depths, &slice)?)));
        if let Some((at, trace)) = found {
            let open = self.open.remove(at);
            self.settle(open, Outcome::Refuted(trace));
        }
    }

    fn test(&mut self, effort: Effort) {
        // Runs that never end have an engine of their own.
        let ours = |property: &Property| {
            *property != Property::Termination || !self.limits.engines.contains(&EngineName::Nontermination)
        };
        let wanted: Vec<Property> = self.open.iter().map(|open| open.property).filter(ours).collect();
        if wanted.is_empty() {
            return;
        }
        let tested = tester::find_violations(self.task, &wanted, effort, self.budget);
        self.cut_off = tested.cut_off;
        for (property, trace) in tested.found {
            if let Some(at) = self.open.iter().position(|open| open.property == property) {
                let open = self.open.remove(at);
                self.settle(open, Outcome::Refuted(trace));
            }
        }
    }

    fn finish(mut self, order: &[Property]) -> (Vec<Verdict>, SessionStats) {
        let asked = queries::asked().into_iter();
        self.stats.queries = asked.map(|asked| (asked.layer.name(), asked.count, asked.time)).collect();
        let out_of_time = self.budget.check_clock().err();
        for open in self.open {
            let property = open.property;
            let GaveUp { reason, span } = open.why(out_of_time);
            self.verdicts.push(Verdict::unknown(property, reason, span));
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
