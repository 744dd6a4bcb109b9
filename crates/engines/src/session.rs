//! A session: one task through the schedule, the same answer for the same input.
//!
//! Rows of the schedule are worked off one after the other, or in two lanes side by side: graphs in one, the rest in the other. Who claims something has
//! it checked at once; a property with a verdict is asked about no more, and a row whose properties all have one is stopped. Engines are sound by
//! themselves; what one learns from another (the schedule says who) is checked with what rests on it, so that the order in which lanes finish does not make a verdict wrong. What
//! is open in the end is unknown, with the most telling reason that any engine gave.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use belay_base::{Budget, FileId, Span, queries};
use belay_evidence::{
    Answer, Attempts, Checker, Claim, Evidence, Fact, GaveUp, Outcome, Proof, Refusal, Task, Verdict, Why,
};
use belay_ir::{Cfg, Dominators, Function, LoopNest, Property};

use crate::lane::{Done, Lane};
use crate::limits::{EngineName, Options};
use crate::open::OpenProperty;
use crate::run;
use crate::schedule::{Facts, MANY_LOOPS, Row, SOME_LOOPS, When, Work, rows_of};
use crate::side_by_side;

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
    /// An engine begins; so many of all checks belong to properties that have an answer by now.
    Engine {
        /// Which one.
        name: &'static str,
        /// Checks of properties that have an answer.
        decided: usize,
        /// All checks.
        checks: usize,
    },
    /// What has been answered by now, each once.
    Answered(&'v [Verdict]),
    /// All that would be answered if nothing came after this: verdicts, and the properties that have none.
    Known {
        /// The verdicts so far.
        verdicts: &'v [Verdict],
        /// What has none yet.
        open: &'v [Property],
    },
}

/// One task through the schedule.
pub struct Session<'t> {
    task: &'t Task<'t>,
    checker: Checker<'t>,
    pub(crate) budget: &'t Budget,
    pub(crate) options: Options,
    order: Vec<Property>,
    verdicts: Vec<Verdict>,
    pub(crate) open: Vec<OpenProperty>,
    stats: SessionStats,
    /// Whether the first drawn runs were cut off.
    cut_off: Option<bool>,
    /// Whether more steps might have finished a graph.
    graph_was_cut_off: bool,
    /// Properties that are one question: a violation of one answers it.
    questions: Vec<Vec<Property>>,
    /// Rows that were stopped by their share of the time.
    stopped: Vec<Row>,
    /// How many loops there are.
    loops: OnceCell<usize>,
    /// What is shown beside verdicts. It is checked with what rests on it.
    pub(crate) fact: Option<Arc<Fact>>,
    /// So many verdicts were told of, and so many were kept.
    told: usize,
    kept: usize,
}

/// The properties that a row is asked about, with the attempts of its engine that did not come to an end before.
pub(crate) type Wanted = Vec<(Property, Attempts)>;

impl<'t> Session<'t> {
    /// A session for `properties`.
    pub fn new(task: &'t Task<'t>, properties: &[Property], options: Options, budget: &'t Budget) -> Self {
        Self {
            task,
            checker: Checker::new(task, budget),
            budget,
            options,
            order: properties.to_vec(),
            verdicts: Vec::new(),
            open: properties.iter().map(|property| OpenProperty::new(*property)).collect(),
            stats: SessionStats::default(),
            cut_off: None,
            graph_was_cut_off: false,
            questions: Vec::new(),
            stopped: Vec::new(),
            loops: OnceCell::new(),
            fact: None,
            told: 0,
            kept: 0,
        }
    }

    /// Says which properties are one question.
    pub fn with_questions(mut self, questions: Vec<Vec<Property>>) -> Self {
        self.questions = questions;
        self
    }

    /// Runs the engines; the verdicts are in the order of the properties. `progress` is told what is under way, and before an engine that may take
    /// long also what is known by then.
    pub fn verify(mut self, progress: &mut dyn FnMut(Progress<'_>)) -> (Vec<Verdict>, SessionStats) {
        let (task, options) = (self.task, self.options.clone());
        std::thread::scope(|scope| {
            let rows = rows_of(options.engines.as_deref());
            let beside = rows.iter().position(|row| row.engine == EngineName::Graph).filter(|_| options.threads > 1);
            let (alone, beside) = rows.split_at(beside.unwrap_or(rows.len()));
            let mut lane = Lane::new(scope, task, &options);
            self.work_off(alone, &mut lane, progress);
            side_by_side::work_off(&mut self, beside, scope, lane, progress);
            let again = std::mem::take(&mut self.stopped);
            let mut lane = Lane::new(scope, task, &options);
            self.work_off(
                &again.iter().map(|row| Row { share: 100, ..*row }).collect::<Vec<Row>>(),
                &mut lane,
                progress,
            );
        });
        self.finish()
    }

    /// Works off rows one after the other.
    fn work_off(&mut self, rows: &[Row], lane: &mut Lane<'_, '_>, progress: &mut dyn FnMut(Progress<'_>)) {
        for row in rows {
            let Some(wanted) = self.select_wanted(row, progress) else { continue };
            let start = Instant::now();
            let share = self.share(row);
            match row.work {
                Work::Execute { steps } => self.read_execution(steps, &share),
                _ => {
                    let done = lane.perform(row, &wanted, self.fact.as_ref(), &share);
                    self.take(row, done);
                }
            }
            self.note_time(row, start.elapsed(), &share);
        }
    }

    /// What a row may spend.
    pub(crate) fn share(&self, row: &Row) -> Budget {
        self.budget.share(row.share, self.options.most_steps)
    }

    /// What a row is to be asked about now; nothing if it has no turn.
    pub(crate) fn select_wanted(&mut self, row: &Row, progress: &mut dyn FnMut(Progress<'_>)) -> Option<Wanted> {
        if row.is_costly {
            self.drop_answered();
        }
        let has_turn = match row.when {
            When::Always => true,
            When::DrawnRunsWereCutOff => self.cut_off == Some(true),
            When::GraphWasCutOff => self.graph_was_cut_off,
            When::ExecutionWasCutOff => self.checker.execution_was_cut_off(),
            When::ManyLoops => self.loops() >= MANY_LOOPS,
            // Who names engines wants to see them work.
            When::SomeLoops => (SOME_LOOPS..MANY_LOOPS).contains(&self.loops()) || self.options.engines.is_some(),
        };
        let engine = row.engine.name();
        let named = self.options.engines.as_deref();
        let asks = |property: Property| row.work.answers(property, self.task.integers(), named);
        let open = self.open.iter().filter(|open| asks(open.property));
        let all: Wanted = open.map(|open| (open.property, open.unfinished(engine))).collect();
        let wanted: Wanted = match row.work {
            Work::InductAgain { .. } => all.into_iter().filter(|(_, unfinished)| *unfinished != 0).collect(),
            _ => all,
        };
        if !has_turn || wanted.is_empty() || self.budget.check_clock().is_err() {
            return None;
        }
        self.tell(row, progress);
        let asked = wanted.iter().map(|(property, _)| property.name()).collect::<Vec<_>>().join(", ");
        tracing::info!("{:?} asked about {asked}", row.work);
        Some(wanted)
    }

    /// Says how far the session is before a row begins.
    fn tell(&mut self, row: &Row, progress: &mut dyn FnMut(Progress<'_>)) {
        if self.told < self.verdicts.len() {
            progress(Progress::Answered(&self.verdicts[self.told..]));
            self.told = self.verdicts.len();
        }
        if row.may_take_long() && self.kept < self.verdicts.len() {
            let open: Vec<Property> = self.open.iter().map(|open| open.property).collect();
            progress(Progress::Known { verdicts: &self.verdicts, open: &open });
            self.kept = self.verdicts.len();
        }
        let is_open = |property: Property| self.open.iter().any(|open| open.property == property);
        let asked = self.task.program.obligations.iter().map(|one| one.property);
        let (open, decided): (Vec<Property>, Vec<Property>) =
            asked.filter(|property| self.order.contains(property)).partition(|property| is_open(*property));
        let (decided, checks) = (decided.len(), decided.len() + open.len());
        progress(Progress::Engine { name: row.engine.name(), decided, checks });
    }

    /// How many loops the program has.
    fn loops(&self) -> usize {
        let count = |function: &Function| {
            let cfg = Cfg::new(function);
            LoopNest::new(&cfg, &Dominators::new(&cfg)).iter().count()
        };
        *self.loops.get_or_init(|| {
            self.task.simplified.functions.iter().filter(|function| function.is_defined()).map(count).sum()
        })
    }

    fn put_in_order(&self, verdicts: &mut [Verdict]) {
        verdicts.sort_by_key(|verdict| self.order.iter().position(|property| *property == verdict.property()));
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
        let (answered, open) = self.open.drain(..).partition(|open: &OpenProperty| is_answered(open.property));
        self.open = open;
        for open in answered {
            let reason = "not looked into further: memory safety is violated already";
            self.verdicts.push(Verdict::unknown(open.property, reason.to_owned(), Span::NONE));
        }
    }

    /// What the run without choices says of everything that is open.
    pub(crate) fn read_execution(&mut self, steps: u64, share: &Budget) {
        let properties: Vec<Property> = self.open.iter().map(|open| open.property).collect();
        for property in properties {
            let outcome = run::read_execution(&self.checker, self.task.program, property, steps, share);
            self.settle(EngineName::Run, property, outcome);
        }
    }

    /// Takes what a row came to.
    pub(crate) fn take(&mut self, row: &Row, done: Done) {
        if row.facts == Facts::Gives {
            self.fact = done.learnt;
        }
        if let Work::Explore { .. } = row.work {
            self.graph_was_cut_off = done.cut_off;
        }
        if let (Work::Draw { .. }, None) = (row.work, self.cut_off) {
            self.cut_off = Some(done.cut_off);
        }
        for (property, outcome) in done.outcomes {
            self.settle(row.engine, property, outcome);
        }
    }

    /// Has a claim checked, or notes why there is none. A property that has a verdict by now keeps it.
    fn settle(&mut self, engine: EngineName, property: Property, outcome: Outcome) {
        let Some(at) = self.open.iter().position(|open| open.property == property) else { return };
        match outcome {
            Outcome::Claims(evidence) => {
                let rests_on_fact = matches!(evidence, Evidence::Proof(Proof::Given(_)));
                match self.checker.check(Claim { property, evidence }) {
                    Ok(verdict) => {
                        self.open.remove(at);
                        self.verdicts.push(verdict);
                    }
                    Err(refusal) => {
                        // Perhaps it is the fact that does not hold up: what is asked from now on does without.
                        self.fact = self.fact.take().filter(|_| !rests_on_fact);
                        let gave_up = self.explain_refusal(&refusal);
                        self.open[at].note(engine.name(), gave_up);
                    }
                }
            }
            Outcome::GaveUp(gave_up) => self.open[at].note(engine.name(), gave_up),
            Outcome::Moot(why) => {
                self.open.remove(at);
                self.verdicts.push(Verdict::unknown(property, why.reason, why.span));
            }
        }
    }

    fn explain_refusal(&self, refusal: &Refusal) -> GaveUp {
        match refusal {
            // The check needs time as well.
            Refusal::Rejected(_) if self.budget.check_clock().is_err() => {
                GaveUp::because(Why::Limit, "an answer was found, but not checked in time")
            }
            Refusal::Rejected(_) => GaveUp::because(Why::Internal, format!("internal error: {refusal}")),
            Refusal::Unconfirmed(why) => GaveUp::because(Why::NotShown, why.clone()),
            Refusal::Disputed => GaveUp::because(Why::NotShown, refusal.to_string()),
        }
    }

    /// Notes how long a row took, and whether its share of the time stopped it.
    pub(crate) fn note_time(&mut self, row: &Row, time: Duration, share: &Budget) {
        let name = row.engine.name();
        match self.stats.engines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known += time,
            None => self.stats.engines.push((name, time)),
        }
        if share.is_past_deadline() && self.budget.check_clock().is_ok() && !self.open.is_empty() {
            self.stopped.push(*row);
        }
    }

    fn finish(mut self) -> (Vec<Verdict>, SessionStats) {
        let asked = queries::count_queries().into_iter();
        self.stats.queries = asked.map(|asked| (asked.layer.name(), asked.count, asked.time)).collect();
        let out_of_time = self.budget.check_clock().err();
        let functions = self.task.program.functions.iter();
        let own: BTreeSet<FileId> =
            functions.filter(|one| one.is_defined() && !one.is_model).map(|one| one.span.file).collect();
        for open in std::mem::take(&mut self.open) {
            let property = open.property;
            let GaveUp { reason, span, within, .. } = open.explain(out_of_time, |span| own.contains(&span.file));
            self.verdicts.push(Verdict::unknown(property, reason, span).within(within));
        }
        let proved: Vec<Verdict> =
            self.verdicts.iter().filter(|verdict| matches!(verdict.answer(), Answer::True(_))).cloned().collect();
        let verdicts = std::mem::take(&mut self.verdicts).into_iter();
        let mut verdicts: Vec<Verdict> = verdicts.map(|verdict| verdict.with_memory_safety_proved(&proved)).collect();
        self.put_in_order(&mut verdicts);
        if self.options.engines.as_ref().is_none_or(|named| named.contains(&EngineName::Run)) {
            self.stats.run_steps = self.checker.execution(0).steps;
        }
        (verdicts, self.stats)
    }
}
