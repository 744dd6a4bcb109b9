//! *bmc*: bounded model checking, deepened until something is found or nothing is left.
//!
//! **Idea.** All loops and recursive calls are unrolled together up to a bound and the conditions that the encoder gives are
//! put to one incremental SAT solver: can an obligation be violated; can a run go beyond the bound; can it get where nothing is
//! known. A violation becomes a trace that the interpreter confirms. If neither of the other two is possible, the program has no
//! further runs and the property is proved. Otherwise the bound of those loops that can go on is doubled.
//!
//! **Source.** Merz, Sinz and Falke's memory model for bounded model checking of LLVM (section II-A), with the unwinding assertions of
//! CBMC (Clarke, Kroening and Lerda, 2004). **Differences**: bounds are kept for each loop by itself, so that a loop that
//! certainly ends after n rounds is not unrolled further while another is; one store of terms and one solver serve all bounds.
//!
//! **Soundness.** *Proved*: see [`belay_encoder`]; the encoding covers every run within the bound, and the unwinding conditions
//! cover every run beyond it. *Refuted*: only after the interpreter has shown the violation on the program as translated. A
//! model that does not become a run is never a verdict: where the encoder left something open it is no claim, elsewhere it is
//! reported as a disagreement between encoder and interpreter.
//!
//! **Where it gives up.** Loops without bound that hold no violation within the budget; what the encoder does not follow;
//! unbounded integers; termination.

mod instance;
pub(crate) mod replay;
mod within;

use std::collections::BTreeMap;

use belay_base::{Budget, Span, activity};
use belay_evidence::{Claimed, GaveUp, Outcome, Proof, Task, Trace, Unrolled, Why, unrolled_question};
use belay_interpreter::{Interpreter, RunReport};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::prune::{Paving, pave};
use belay_logic::bv::{BvSolver, SatResult, TermId};

use belay_encoder::{Bounds, Encoder, Goal, Stop, Unrolling, UnwindPlace};
pub use instance::Instance;
use replay::{Filling, ModelAnswers};
pub use within::verify_within;

/// A run from a model needs no more steps than the unrolling, each of which stands for a few of the program as translated; so many
/// times as many are allowed, and so many more for block operations.
const REPLAY_FACTOR: u64 = 64;
const REPLAY_EXTRA: u64 = 200_000;
/// A conflict in a formula of this many clauses costs two steps.
const CLAUSES_PER_STEP: u64 = 200_000;
/// Models with no more arguments than this, and none longer, are preferred.
const SMALL_ARGUMENTS: u64 = 64;

/// How deep the search may go.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// The greatest bound of loops and recursion.
    pub bound: u32,
    /// The most rounds of a loop that certainly goes on.
    pub certain: u32,
}

impl Depth {
    /// As deep as the budget allows.
    pub const FULL: Depth = Depth { bound: 1 << 16, certain: u32::MAX };
    /// So far before k-induction is tried.
    pub const SHALLOW: Depth = Depth { bound: 8, certain: 300 };
}

/// Checks the properties of a task within a budget, up to a depth, with an instance of its own. The answers are in the order of the
/// properties.
pub fn check(task: &Task<'_>, properties: &[Property], depth: Depth, budget: &Budget) -> Vec<(Property, Outcome)> {
    std::thread::scope(|scope| Instance::new(scope, task).check(properties, depth, budget))
}

fn gave_up(span: Span, why: Why, reason: impl Into<String>) -> Outcome {
    Outcome::GaveUp(GaveUp::at(span, why, reason))
}

/// Why a goal's model did not become a run.
#[derive(Clone, Debug)]
struct Doubt {
    reason: String,
    span: Span,
    disagreement: bool,
}

struct Engine<'t> {
    task: &'t Task<'t>,
    budget: Budget,
    encoder: Encoder<'t>,
    solver: BvSolver,
    interpreter: Interpreter<'t>,
    depth: Depth,
    bounds: Bounds,
    /// A place that goes on beyond the bounds.
    beyond: Span,
    /// The bound up to which everything was looked at.
    completed: Option<u32>,
    /// The properties that this is about.
    looked_for: Vec<Property>,
    /// True if one bound is asked about, and no other.
    is_asked_within: bool,
    asserted: usize,
    replay_steps: u64,
    open: Vec<Property>,
    outcomes: BTreeMap<Property, Outcome>,
    doubts: BTreeMap<Goal, Doubt>,
}

impl<'t> Engine<'t> {
    fn new(task: &'t Task<'t>) -> Self {
        Self {
            task,
            budget: Budget::steps(0),
            encoder: Encoder::new(task.simplified, task.config.clone()),
            solver: BvSolver::new(),
            interpreter: Interpreter::new(task.program, task.config.clone()),
            depth: Depth::FULL,
            bounds: Bounds::new(1),
            beyond: Span::NONE,
            completed: None,
            looked_for: Vec::new(),
            is_asked_within: false,
            asserted: 0,
            replay_steps: 0,
            open: Vec::new(),
            outcomes: BTreeMap::new(),
            doubts: BTreeMap::new(),
        }
    }

    /// Answers a property if it is still open.
    fn close(&mut self, property: Property, outcome: impl FnOnce() -> Outcome) {
        if self.open.contains(&property) {
            self.open.retain(|open| *open != property);
            self.outcomes.insert(property, outcome());
        }
    }

    fn close_all(&mut self, outcome: &Outcome) {
        for property in std::mem::take(&mut self.open) {
            self.outcomes.insert(property, outcome.clone());
        }
    }

    /// Goes on from where the last answer stopped.
    fn answer(&mut self, properties: &[Property], depth: Depth, budget: Budget) -> BTreeMap<Property, Outcome> {
        self.budget = budget;
        self.depth = depth;
        self.encoder.wanted = properties.to_vec();
        self.open = properties.to_vec();
        self.outcomes.clear();
        if properties.iter().any(|property| !self.looked_for.contains(property)) {
            self.completed = None;
        }
        self.looked_for = properties.to_vec();
        self.close(Property::Termination, || gave_up(Span::NONE, Why::NotAsked, "not a question for this engine"));
        if self.task.integers() == IntegerModel::Unbounded {
            self.close_all(&gave_up(Span::NONE, Why::NotAsked, "unbounded integers"));
        }
        self.bounds.certain = Bounds::new(self.bounds.default).certain.min(depth.certain);
        while !self.open.is_empty() && self.bounds.default <= depth.bound {
            activity::report("bmc", || format!("bound {}", self.bounds.default));
            match self.round() {
                Ok(Some(next)) => self.bounds = next,
                Ok(None) => break,
                Err(stop) => {
                    let outcome = self.give_up(stop);
                    self.close_all(&outcome);
                }
            }
        }
        let reached = format!("a run may go on beyond bound {}", self.bounds.default / 2);
        self.close_all(&gave_up(self.beyond, Why::Searched, reached));
        self.note_completed();
        std::mem::take(&mut self.outcomes)
    }

    fn give_up(&self, stop: Stop) -> Outcome {
        let why = match stop {
            Stop::Exhausted(why) => why.to_string(),
            Stop::TooLarge => "the unrolled program is too large".to_owned(),
        };
        let deepest = self.bounds.of.iter().max_by_key(|(place, bound)| (**bound, **place));
        let span = deepest.map_or(Span::NONE, |(place, _)| self.span_of(*place));
        let span = if self.beyond.is_known() { self.beyond } else { span };
        gave_up(span, Why::Limit, format!("{why} at bound {}", self.bounds.default))
    }

    fn span_of(&self, place: UnwindPlace) -> Span {
        let program = self.task.simplified;
        match place {
            UnwindPlace::Loop(function, _) | UnwindPlace::Recursion(function) | UnwindPlace::Scan(function) => {
                program.functions[function].span
            }
        }
    }

    /// One bound: the next bounds if a run can go beyond these.
    fn round(&mut self) -> Result<Option<Bounds>, Stop> {
        let before = self.budget.left();
        let unrolling = self.encoder.unroll(&self.bounds, &self.budget)?;
        self.replay_steps = (before - self.budget.left()).saturating_mul(REPLAY_FACTOR) + REPLAY_EXTRA;
        for constraint in &self.encoder.store.constraints[self.asserted..] {
            self.solver.assert(*constraint);
        }
        self.asserted = self.encoder.store.constraints.len();
        self.find_violations(&unrolling)?;
        if self.open.is_empty() {
            return Ok(None);
        }
        let next = self.deepen(&unrolling)?;
        match &next {
            None => self.conclude(&unrolling)?,
            Some(next) => self.note_bound(next, &unrolling)?,
        }
        Ok(next)
    }

    /// The property that a violation speaks against, if somebody asks.
    fn property_of(&self, goal: Goal) -> Option<Property> {
        match goal {
            Goal::Obligation(id) => self.task.simplified.obligations[id].judged(),
            Goal::Lost => Some(Property::ValidMemtrack),
            Goal::NotFreed => Some(Property::MemCleanup),
        }
    }

    fn is_open(&self, goal: Goal) -> bool {
        self.property_of(goal).is_some_and(|property| self.open.contains(&property))
    }

    fn span_of_goal(&self, goal: Goal) -> Span {
        match goal {
            Goal::Obligation(id) => self.task.simplified.obligations[id].span,
            Goal::Lost | Goal::NotFreed => Span::NONE,
        }
    }

    /// Whether some of the conditions can hold.
    fn possible(&mut self, conditions: impl IntoIterator<Item = TermId>) -> Result<bool, Stop> {
        let any = self.encoder.store.terms.or_all(conditions);
        if self.encoder.store.terms.is_false(any) {
            return Ok(false);
        }
        // A conflict costs more where the formula is large.
        let factor = 1 + self.solver.statistics().clauses / CLAUSES_PER_STEP;
        let slice = self.budget.slice(self.budget.left() / factor);
        let before = slice.left();
        let answer = self.solver.check(&self.encoder.store.terms, &[any], &slice);
        self.budget.spend(factor.saturating_mul(before - slice.left()))?;
        Ok(answer? == SatResult::Sat)
    }

    fn holds(&mut self, condition: TermId) -> bool {
        self.solver.value(&self.encoder.store.terms, condition).is_some_and(|bits| bits.is_one())
    }

    /// Looks for violations of open properties until there are none.
    fn find_violations(&mut self, unrolling: &Unrolling) -> Result<(), Stop> {
        loop {
            let asked: Vec<(Goal, TermId)> = unrolling
                .violations
                .iter()
                .filter(|violated| self.is_open(violated.goal))
                .filter(|violated| !self.doubts.contains_key(&violated.goal))
                .map(|violated| (violated.goal, violated.condition))
                .collect();
            if !self.possible(asked.iter().map(|(_, condition)| *condition))? {
                return Ok(());
            }
            self.prefer_small_arguments(asked.iter().map(|(_, condition)| *condition).collect())?;
            self.prefer_precise(unrolling, asked.iter().map(|(_, condition)| *condition).collect())?;
            let mut goals: Vec<Goal> = Vec::new();
            for (goal, condition) in asked {
                if !goals.contains(&goal) && self.holds(condition) {
                    goals.push(goal);
                }
            }
            if !self.replay(unrolling) {
                self.doubt(unrolling, &goals);
            }
        }
    }

    /// Looks for a model of the same conditions with few and short program arguments, which a run can have; if there is none, the
    /// model stays what it was.
    fn prefer_small_arguments(&mut self, conditions: Vec<TermId>) -> Result<(), Stop> {
        let small = self.encoder.store.small_arguments(SMALL_ARGUMENTS);
        if self.encoder.store.terms.is_true(small) {
            return Ok(());
        }
        let any = self.encoder.store.terms.or_all(conditions);
        if self.solver.check(&self.encoder.store.terms, &[any, small], &self.budget)? == SatResult::Unsat {
            self.solver.check(&self.encoder.store.terms, &[any], &self.budget)?;
        }
        Ok(())
    }

    /// Where the model needs what allows more than the program does, looks for one of the same conditions that does not.
    fn prefer_precise(&mut self, unrolling: &Unrolling, conditions: Vec<TermId>) -> Result<(), Stop> {
        if !unrolling.imprecise.iter().any(|imprecise| self.holds(imprecise.condition)) {
            return Ok(());
        }
        let any = self.encoder.store.terms.or_all(conditions);
        let imprecise =
            self.encoder.store.terms.or_all(unrolling.imprecise.iter().map(|imprecise| imprecise.condition));
        let precise = self.encoder.store.terms.not(imprecise);
        if self.solver.check(&self.encoder.store.terms, &[any, precise], &self.budget)? == SatResult::Unsat {
            self.solver.check(&self.encoder.store.terms, &[any], &self.budget)?;
        }
        Ok(())
    }

    /// Runs the program as the model says; true if that violates an open property.
    fn replay(&mut self, unrolling: &Unrolling) -> bool {
        let answers = ModelAnswers::new(&self.encoder.store, &mut self.solver, unrolling);
        for filling in [Filling::Next, Filling::Zero] {
            let budget = self.budget.slice(self.replay_steps);
            let report = self.interpreter.run(&mut answers.source(filling), &budget);
            if self.take_violations(&report) {
                return true;
            }
            if !answers.has_undefined() {
                break;
            }
        }
        false
    }

    fn take_violations(&mut self, report: &RunReport) -> bool {
        let mut taken = false;
        for property in self.open.clone() {
            if let Some(violation) = report.violation_of(property) {
                let trace = Trace { choices: report.choices.clone(), claimed: Claimed::of(violation) };
                self.close(property, || Outcome::refuted(trace));
                taken = true;
            }
        }
        taken
    }

    /// Notes that the model's violations did not happen.
    fn doubt(&mut self, unrolling: &Unrolling, goals: &[Goal]) {
        let answers = ModelAnswers::new(&self.encoder.store, &mut self.solver, unrolling);
        let mut source = answers.source(Filling::Next);
        let report = self.interpreter.run(&mut source, &self.budget.slice(self.replay_steps));
        let open = unrolling.imprecise.iter().find(|imprecise| self.holds(imprecise.condition));
        let reason = open.map(|imprecise| (imprecise.reason.clone(), imprecise.span));
        let reason = reason.or_else(|| {
            let chosen = answers.has_undefined() || source.addresses() > 0;
            chosen.then(|| {
                ("undefined bytes or addresses of a possible violation are not matched".to_owned(), Span::NONE)
            })
        });
        let reason = reason.or_else(|| match &report.end {
            belay_interpreter::RunEnd::Unknown { reason, span, .. } => Some((reason.clone(), *span)),
            belay_interpreter::RunEnd::Exhausted(why) => Some((why.to_string(), Span::NONE)),
            _ => None,
        });
        for goal in goals {
            let doubt = match &reason {
                Some((reason, span)) => Doubt { reason: reason.clone(), span: *span, disagreement: false },
                None => Doubt {
                    reason: format!("a model violates {goal:?} but its run ends with {:?}", report.end),
                    span: self.span_of_goal(*goal),
                    disagreement: true,
                },
            };
            self.doubts.insert(*goal, doubt);
        }
    }

    /// Larger bounds for the places that runs can go beyond; `None` if there are none.
    fn deepen(&mut self, unrolling: &Unrolling) -> Result<Option<Bounds>, Stop> {
        let mut next = Bounds::new(self.bounds.default.saturating_mul(2));
        next.certain = next.certain.min(self.depth.certain);
        next.of = self.bounds.of.clone();
        let mut grown: Vec<UnwindPlace> = Vec::new();
        loop {
            let left: Vec<_> = unrolling.unwound.iter().filter(|unwound| !grown.contains(&unwound.place)).collect();
            if !self.possible(left.iter().map(|unwound| unwound.condition))? {
                for unwound in left {
                    next.of.insert(unwound.place, self.bounds.at(unwound.place));
                }
                return Ok((!grown.is_empty()).then_some(next));
            }
            for unwound in left {
                if !grown.contains(&unwound.place) && self.holds(unwound.condition) {
                    grown.push(unwound.place);
                    self.beyond = unwound.span;
                    next.of.insert(unwound.place, self.bounds.at(unwound.place).saturating_mul(2));
                }
            }
        }
    }

    /// Answers what is open after everything was unrolled.
    fn conclude(&mut self, unrolling: &Unrolling) -> Result<(), Stop> {
        for property in self.open.clone() {
            let outcome = self.conclusion(property, unrolling)?;
            self.close(property, || outcome);
        }
        Ok(())
    }

    /// When a run ends in a way that says nothing of the property: by an invalid access or free, and for what is judged at the end
    /// of a run by any violation but a failed assertion.
    fn collect_cut_short(&self, property: Property, unrolling: &Unrolling) -> Vec<TermId> {
        let at_end = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
        let breaks = |of: Property| match of {
            Property::ValidDeref | Property::ValidFree => of != property,
            Property::ValidMemtrack
            | Property::MemCleanup
            | Property::NoOverflow
            | Property::Arithmetic
            | Property::Termination => at_end,
            // The heap is judged where an assertion fails.
            Property::UnreachCall => false,
        };
        let ends = unrolling
            .violations
            .iter()
            .filter(|violated| violated.fatal && self.property_of(violated.goal).is_some_and(breaks));
        ends.map(|violated| violated.condition).collect()
    }

    fn conclusion(&mut self, property: Property, unrolling: &Unrolling) -> Result<Outcome, Stop> {
        let concerned = |of: Option<Property>| of.is_none_or(|of| of == property);
        let unknowns: Vec<_> = unrolling.unknowns.iter().filter(|unknown| concerned(unknown.property)).collect();
        if self.possible(unknowns.iter().map(|unknown| unknown.condition))? {
            let reached = unknowns.into_iter().find(|unknown| self.holds(unknown.condition));
            return Ok(reached.map_or(gave_up(Span::NONE, Why::NotHandled, "unknown"), |unknown| {
                gave_up(unknown.span, Why::NotHandled, unknown.reason.clone())
            }));
        }
        let doubt =
            self.doubts.iter().find(|(goal, _)| self.property_of(**goal) == Some(property)).map(|(_, doubt)| doubt);
        if let Some(doubt) = doubt {
            let (what, span) = (doubt.reason.clone(), doubt.span);
            return Ok(match doubt.disagreement {
                true => gave_up(span, Why::Internal, format!("internal error: {what}")),
                false => gave_up(span, Why::NotHandled, what),
            });
        }
        if self.possible(self.collect_cut_short(property, unrolling))? {
            return Ok(gave_up(Span::NONE, Why::Moot, "a run may end by a violation of another property"));
        }
        let cover = match self.encoder.store.terms.has_floats() {
            true => self.cover(property),
            false => None,
        };
        Ok(Outcome::proved(Proof::Unrolled(Box::new(Unrolled { bounds: self.bounds.clone(), cover }))))
    }

    /// Regions that show the claim, for the checker.
    fn cover(&self, property: Property) -> Option<Paving> {
        let (program, config) = (self.task.simplified, self.task.config.clone());
        let question = unrolled_question(program, config, property, &self.bounds, &self.budget);
        let question = question.ok()?;
        pave(&question.terms, &question.conditions, &self.budget)
    }
}
