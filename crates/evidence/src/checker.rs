//! The checker: a claim in, a verdict or a [`Refusal`] out. There is one door, [`Checker::check`]. A claim that does not hold up is an engine's
//! fault, never a verdict.

use std::cell::{OnceCell, RefCell};

use belay_base::{Budget, Exhausted, Span};
use belay_encoder::{Bounds, UnwindPlace};
use belay_interpreter::{Interpreter, NoChoice, RunEnd, RunReport, Script};
use belay_ir::{FuncKind, Mark, ObligationDetail, Property};

use crate::answerer::{Answerer, Refutations};
use crate::checks::select_checks;
use crate::claim::{Claim, Evidence, Refusal};
use crate::descent::{self, Checked, Descent};
use crate::endless::{self, Recurrence};
use crate::graph;
use crate::induction;
use crate::loops;
use crate::ranking::{self, RankedLoop};
use crate::structure;
use crate::task::Task;
use crate::trace::{Claimed, Trace};
use crate::unending;
use crate::unrolled::{self, Recheck};
use crate::values;
use crate::verdict::{Answer, Assumption, Counterexample, Proof, Verdict, Within};

/// Steps of a run after which a lost block is looked for first.
const FIRST_LOOK: u64 = 2_000;

fn is_cut_off(report: &RunReport) -> bool {
    matches!(report.end, RunEnd::Exhausted(Exhausted::Steps | Exhausted::Time))
}

/// What the check of a proof found beside that it is one.
#[derive(Default)]
struct Shown {
    /// What gets smaller, by loop.
    ranks: Vec<RankedLoop>,
    /// What it takes for granted, because of how it was shown.
    assumptions: Vec<Assumption>,
}

impl Shown {
    fn ranked(ranks: Vec<RankedLoop>) -> Self {
        Self { ranks, ..Self::default() }
    }

    fn rechecked(recheck: Recheck) -> Self {
        let assumptions = match recheck {
            Recheck::Done => Vec::new(),
            Recheck::Skipped(reason) => vec![Assumption::NotRechecked(reason)],
        };
        Self { assumptions, ..Self::default() }
    }
}

/// Checks the evidence of one task.
pub struct Checker<'t> {
    pub(crate) task: &'t Task<'t>,
    pub(crate) budget: &'t Budget,
    answerer: Answerer<'t>,
    execution: OnceCell<RunReport>,
    longer: OnceCell<RunReport>,
    longest: OnceCell<RunReport>,
    /// The last graph that was checked, and what it shows.
    graph: RefCell<Option<graph::Checked>>,
    /// The same of maps of values.
    values: RefCell<Option<values::Checked>>,
}

impl<'t> Checker<'t> {
    /// A checker that works within `budget`.
    pub fn new(task: &'t Task<'t>, budget: &'t Budget) -> Self {
        let (execution, longer, longest) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (graph, values) = (RefCell::default(), RefCell::default());
        Self { task, budget, answerer: Answerer::Second, execution, longer, longest, graph, values }
    }

    /// The same with refutations that a file brings.
    pub fn with_refutations(self, known: &'t Refutations) -> Self {
        Self { answerer: Answerer::Refutations(known), ..self }
    }

    /// Adds to `known` refutations of the questions that a proof comes down to, for a file.
    pub fn record_refutations(task: &'t Task<'t>, claim: Claim, known: &'t Refutations, budget: &'t Budget) {
        let checker = Self { answerer: Answerer::Recorder(known), ..Self::new(task, budget) };
        let _ = checker.check(claim);
    }

    /// A checker of the same program that asks about other obligations. What a graph shows does not depend on what is asked.
    pub(crate) fn with_graph_of(task: &'t Task<'t>, other: &Checker<'t>) -> Self {
        Self { graph: RefCell::new(other.graph.take()), answerer: other.answerer, ..Self::new(task, other.budget) }
    }

    /// Hands back the graph that was checked.
    pub(crate) fn give_graph_to(self, other: &Checker<'_>) {
        other.graph.replace(self.graph.into_inner());
    }

    /// The run without any choice: the program's only run if it ends by itself. Made once, and up to twice more if it was cut off after
    /// fewer steps than these.
    pub fn execution(&self, steps: u64) -> &RunReport {
        self.execution_within(steps, self.budget)
    }

    /// The same with a part of the time.
    pub fn execution_within(&self, steps: u64, budget: &Budget) -> &RunReport {
        let run = || {
            let mut config = self.task.config.clone();
            config.recurrence = true;
            Interpreter::new(self.task.program, config).run(&mut NoChoice, &budget.slice(steps))
        };
        let is_short = |report: &&RunReport| is_cut_off(report) && report.steps < steps;
        let mut last = self.execution.get_or_init(run);
        for cell in [&self.longer, &self.longest] {
            if !is_short(&last) {
                break;
            }
            last = cell.get_or_init(run);
        }
        last
    }

    fn last_execution(&self) -> Option<&RunReport> {
        self.longest.get().or(self.longer.get()).or(self.execution.get())
    }

    /// True if the run without any choice was made and did not come to an end.
    pub fn execution_was_cut_off(&self) -> bool {
        self.last_execution().is_some_and(is_cut_off)
    }

    /// Checks a claim.
    pub fn check(&self, claim: Claim) -> Result<Verdict, Refusal> {
        let Claim { property, evidence } = claim;
        let kind = evidence.kind();
        let checked = self.check_evidence(property, evidence);
        match &checked {
            Ok(_) => tracing::info!("{property}: {kind} accepted"),
            Err(refusal) => tracing::info!("{property}: {kind} refused: {refusal}"),
        }
        checked
    }

    fn check_evidence(&self, property: Property, evidence: Evidence) -> Result<Verdict, Refusal> {
        match evidence {
            Evidence::Proof(proof) => self.confirm(property, proof),
            Evidence::Run(trace) => self.refute(property, trace),
            Evidence::RecurrentSet(_) | Evidence::Unending(_) if property != Property::Termination => {
                Err(Refusal::Rejected(format!("an endless run does not violate {property}")))
            }
            // The system leaves things open, so that a run of it which is none of the program is no fault of the engine.
            Evidence::RecurrentSet(set) => {
                self.rests_on_no_chance()?;
                endless_run(endless::check(self.task, &set, self.budget))
            }
            // Where the second solver has no answer there is no verdict.
            Evidence::Unending(unending) => {
                self.rests_on_no_chance()?;
                endless_run(unending::check(self.task, &unending, self.budget))
            }
        }
    }

    /// An *unknown* that says how far nothing is violated: within these bounds, which must be so far everywhere. Whether the second solver agrees is part
    /// of what it says.
    pub fn check_within(
        &self,
        property: Property,
        bounds: &Bounds,
        within: Within,
        reason: &str,
        span: Span,
    ) -> Verdict {
        let far = |(place, bound): (&UnwindPlace, &u32)| match place {
            UnwindPlace::Loop(..) | UnwindPlace::Scan(_) => *bound >= within.rounds,
            UnwindPlace::Recursion(_) => *bound >= within.calls,
        };
        let least = within.rounds.max(within.calls);
        let is_far = bounds.default >= within.rounds && bounds.certain >= least && bounds.of.iter().all(far);
        // Functions without a bound of their own have the general one.
        let is_far = is_far && (bounds.default >= within.calls || self.have_own_bounds(bounds));
        let checked = is_far.then(|| unrolled::check_within(self.task, property, bounds, self.budget));
        let within = match checked {
            Some(Ok(Recheck::Done)) => Some(Within { is_rechecked: true, ..within }),
            Some(Ok(Recheck::Skipped(_))) => Some(within),
            Some(Err(_)) | None => None,
        };
        Verdict::unknown(property, reason, span).within(within)
    }

    fn have_own_bounds(&self, bounds: &Bounds) -> bool {
        let functions = self.task.simplified.functions.ids();
        functions.into_iter().all(|id| bounds.of.contains_key(&UnwindPlace::Recursion(id)))
    }

    /// Replays a trace.
    fn refute(&self, property: Property, trace: Trace) -> Result<Verdict, Refusal> {
        if self.is_disputed(property, &trace) {
            return Err(Refusal::Disputed);
        }
        if trace.claimed == Claimed::Recurrence {
            self.rests_on_no_chance()?;
        }
        let report = self.replay(&trace);
        let violation = match trace.claimed {
            Claimed::Recurrence => match &report.end {
                RunEnd::Recurs { .. } if report.violation_of(Property::NoOverflow).is_some() => {
                    return Err(Refusal::Rejected("the run recurs only after a signed overflow".to_owned()));
                }
                RunEnd::Recurs { .. } if property == Property::Termination => None,
                end => return Err(Refusal::Rejected(format!("the run does not recur but ends with {end:?}"))),
            },
            Claimed::Endless => return Err(Refusal::Rejected("an endless run needs its recurrent set".to_owned())),
            Claimed::Obligation(_) | Claimed::Lost | Claimed::NotFreed => match trace.claimed.find(&report) {
                Some(violation) if violation.property == property => Some(violation.clone()),
                Some(_) | None => {
                    return Err(Refusal::Rejected(format!(
                        "the run does not violate {:?} but ends with {:?}",
                        trace.claimed, report.end
                    )));
                }
            },
        };
        let answer = Answer::False(Box::new(Counterexample { trace, report, violation, recurrences: Vec::new() }));
        let asked = select_checks(self.task.program);
        Ok(Verdict { property, answer, assumptions: Vec::new(), ranks: Vec::new(), asked })
    }

    /// True if the trace claims an overflow at a left shift of a signed value that loses bits, or at an operation of which it is not known whether it is signed.
    fn is_disputed(&self, property: Property, trace: &Trace) -> bool {
        let Claimed::Obligation(id) = trace.claimed else { return false };
        let is_open =
            |detail: &ObligationDetail| matches!(detail, ObligationDetail::SignedShl | ObligationDetail::OfUnknownSign);
        let obligation = self.task.program.obligations.get(id);
        property == Property::NoOverflow && obligation.is_some_and(|found| is_open(&found.detail))
    }

    /// An endless run has to be one that inputs can bring about. What the library draws or rankings is no input: no generator gives the same
    /// number for ever, and no clock stands still. Which of the run's choices are such is not looked at: none may be reachable.
    fn rests_on_no_chance(&self) -> Result<(), Refusal> {
        match structure::find_marked(self.task, Mark::Chance) {
            Some(name) => Err(Refusal::Unconfirmed(format!(
                "the program may run for ever, but what {name} gives is not for a run to choose for ever"
            ))),
            None => Ok(()),
        }
    }

    /// A model that picks one of several behaviours proves nothing of the others.
    fn rests_on_no_fewer(&self) -> Result<(), Refusal> {
        match structure::find_marked(self.task, Mark::Fewer) {
            Some(name) => Err(Refusal::Unconfirmed(format!("the model of {name} picks one of several behaviours"))),
            None => Ok(()),
        }
    }

    /// The run without choices has been made already, by this checker; others are made now.
    fn replay(&self, trace: &Trace) -> RunReport {
        if let (true, Some(report)) = (trace.choices.is_empty(), self.last_execution())
            && !(trace.claimed == Claimed::Lost && is_cut_off(report))
        {
            return report.clone();
        }
        let mut config = self.task.config.clone();
        config.recurrence = trace.claimed == Claimed::Recurrence;
        // What comes after the claimed violation does not matter, and may never end.
        config.stop_at = match trace.claimed {
            Claimed::Obligation(obligation) => Some(obligation),
            Claimed::Lost | Claimed::NotFreed | Claimed::Recurrence | Claimed::Endless => None,
        };
        let interpreter = Interpreter::new(self.task.program, config);
        let run = |steps| interpreter.run(&mut Script::new(trace.choices.iter().cloned()), &self.budget.slice(steps));
        if trace.claimed != Claimed::Lost {
            return run(u64::MAX);
        }
        // The run that loses a block may go on for ever. It stays lost, so that any state after that will do, and an early one is told faster.
        let mut steps = FIRST_LOOK;
        loop {
            let report = run(steps);
            let goes_on = matches!(report.end, RunEnd::Exhausted(Exhausted::Steps)) && steps < self.budget.left();
            if !goes_on || trace.claimed.find(&report).is_some() {
                return report;
            }
            steps = steps.saturating_mul(8);
        }
    }

    /// Checks a proof.
    pub(crate) fn confirm(&self, property: Property, proof: Proof) -> Result<Verdict, Refusal> {
        self.rests_on_no_fewer()?;
        let Shown { ranks, assumptions } = self.show(property, &proof)?;
        let assumptions = self.assumptions(property, &proof).into_iter().chain(assumptions).collect();
        let asked = select_checks(self.task.simplified);
        Ok(Verdict { property, answer: Answer::True(proof), assumptions, ranks, asked })
    }

    /// Whether a proof shows a property: each kind by its own check.
    fn show(&self, property: Property, proof: &Proof) -> Result<Shown, Refusal> {
        let (task, budget) = (self.task, self.budget);
        let is_termination = property == Property::Termination;
        let shown = match proof {
            Proof::Execution => return self.check_execution(property).map(|()| Shown::default()),
            Proof::NoObligation => structure::check_no_obligation(task, property).map(|()| Shown::default()),
            Proof::CountedLoops(loops) if is_termination => {
                structure::check_termination(task, loops).map(Shown::ranked)
            }
            Proof::Loops(loops) if is_termination => loops::check_all(task, loops, budget).map(Shown::ranked),
            Proof::Ranking(ranking) if is_termination => ranking::check(task, ranking, budget).map(Shown::ranked),
            Proof::Descent(rankings) if is_termination => return self.check_descent(rankings).map(Shown::ranked),
            Proof::Unrolled(unrolled) if !is_termination => {
                unrolled::check(task, property, unrolled, self.answerer, budget).map(Shown::rechecked)
            }
            Proof::Graph(certificate) => {
                let mut known = self.graph.borrow_mut();
                let ranks = graph::check(task, property, certificate, &mut known, budget);
                let needs_small_blocks = known.as_ref().is_some_and(graph::Checked::needs_small_blocks);
                let assumptions = needs_small_blocks.then_some(Assumption::SmallBlocks).into_iter().collect();
                ranks.map(|ranks| Shown { ranks, assumptions })
            }
            Proof::Values(map) => {
                values::check(task, property, map, &mut self.values.borrow_mut()).map(|()| Shown::default())
            }
            Proof::Induction(induction) if !is_termination => {
                induction::check(task, property, induction, self.answerer, budget).map(Shown::rechecked)
            }
            Proof::Given(given) if !is_termination => {
                let assumptions = self.check_given(property, given)?;
                return Ok(Shown { assumptions, ..Shown::default() });
            }
            Proof::Unrolled(_) | Proof::Induction(_) | Proof::Given(_) => {
                Err("neither unrolling nor induction shows termination, nor does what they take for granted".to_owned())
            }
            Proof::CountedLoops(_) | Proof::Loops(_) | Proof::Ranking(_) | Proof::Descent(_) => {
                Err(format!("an argument for termination does not show {property}"))
            }
        };
        shown.map_err(Refusal::Rejected)
    }

    /// Checks a proof by rankings, which is none where the second solver has no answer.
    fn check_descent(&self, descent: &Descent) -> Result<Vec<RankedLoop>, Refusal> {
        match descent::check(self.task, descent, self.answerer, self.budget).map_err(Refusal::Rejected)? {
            Checked::Shown(ranks) => Ok(ranks),
            Checked::Unanswered(why) => {
                Err(Refusal::Unconfirmed(format!("rankings that descend were found, but {why}")))
            }
        }
    }

    fn check_execution(&self, property: Property) -> Result<(), Refusal> {
        let report = self.execution(u64::MAX);
        if !report.choices.is_empty() {
            return Err(Refusal::Rejected("the run made a choice".to_owned()));
        }
        if let Some(violation) = report.violation_of(property) {
            return Err(Refusal::Rejected(format!("the run violates it: {:?}", violation.fault)));
        }
        if covers(report, property) {
            Ok(())
        } else {
            Err(Refusal::Rejected(format!("the run ended with {:?}", report.end)))
        }
    }

    fn assumptions(&self, property: Property, proof: &Proof) -> Vec<Assumption> {
        let externs = match proof {
            Proof::Execution => self.execution(u64::MAX).externs.iter().copied().collect(),
            Proof::NoObligation
            | Proof::CountedLoops(_)
            | Proof::Loops(_)
            | Proof::Ranking(_)
            | Proof::Unrolled(_)
            | Proof::Induction(_)
            | Proof::Descent(_)
            | Proof::Graph(_)
            | Proof::Given(_)
            | Proof::Values(_) => structure::reachable(self.task),
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
        memory
            .into_iter()
            .chain(self.takes_arguments(proof).then_some(Assumption::Arguments))
            .chain((!names.is_empty()).then_some(Assumption::Externs(self.task.config.externs, names)))
            .chain(self.takes_by_contract(property))
            .chain(structure::names_untouched_library(self.task).then_some(Assumption::LibraryStart))
            .chain(self.takes_constants(property))
            .collect()
    }

    /// What a proof of valid accesses takes for granted of constant locals.
    fn takes_constants(&self, property: Property) -> Option<Assumption> {
        let names = &self.task.program.kept_constants;
        (property == Property::ValidDeref && !names.is_empty()).then(|| Assumption::Constants(names.clone()))
    }

    /// What a proof of a property takes for granted of functions that are replaced by their contracts: a clause does not say that a function returns, what becomes of blocks that it
    /// makes beside those that it promises, nor what it does to `errno` and streams, which no clause can name.
    fn takes_by_contract(&self, property: Property) -> Option<Assumption> {
        let program = self.task.program;
        let is_left_open = match property {
            Property::ValidMemtrack | Property::MemCleanup | Property::Termination => true,
            Property::ValidDeref
            | Property::ValidFree
            | Property::NoOverflow
            | Property::Arithmetic
            | Property::UnreachCall => program.sees_library_state,
        };
        (is_left_open && !program.replaced.is_empty()).then(|| Assumption::Replaced(program.replaced.clone()))
    }
}

impl Checker<'_> {
    /// True if a proof may rest on `argc` being at least 1: it is about values, and `main` asks for its arguments.
    fn takes_arguments(&self, proof: &Proof) -> bool {
        let is_about_values = match proof {
            Proof::Execution | Proof::NoObligation | Proof::CountedLoops(_) => false,
            Proof::Loops(_)
            | Proof::Ranking(_)
            | Proof::Unrolled(_)
            | Proof::Induction(_)
            | Proof::Descent(_)
            | Proof::Graph(_)
            | Proof::Given(_)
            | Proof::Values(_) => true,
        };
        let entry = &self.task.simplified.functions[self.task.config.entry];
        let asks = [0, 1].into_iter().any(|param| entry.uses_param(param));
        is_about_values && self.task.config.least_arguments > 0 && entry.name == "main" && asks
    }
}

/// A verdict from an endless run, or why the claim is not confirmed.
fn endless_run(checked: Result<(RunReport, Vec<Recurrence>), String>) -> Result<Verdict, Refusal> {
    let (report, recurrences) =
        checked.map_err(|why| Refusal::Unconfirmed(format!("the program may run for ever, but {why}")))?;
    let trace = Trace { choices: report.choices.clone(), claimed: Claimed::Endless };
    let answer = Answer::False(Box::new(Counterexample { trace, report, violation: None, recurrences }));
    Ok(Verdict { property: Property::Termination, answer, assumptions: Vec::new(), ranks: Vec::new(), asked: None })
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
