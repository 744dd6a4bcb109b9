//! Single loops: whether each of them ends, whatever the others do.
//!
//! A loop *ends* if no run passes its head infinitely often without leaving it in between: every activation of it has finitely many rounds. That
//! what it calls and the loops inside it come to an end is not part of the question; they have answers of their own. It is *endless* if some run stays in
//! it for ever, passing its head again and again.
//!
//! **Counted loops** end by an argument about the loop alone ([`CountedLoop`]).
//!
//! **Ranking functions.** The program's transition system, calls not inlined, is changed so that only the loop asked about can go round for ever, and a certificate
//! must show that the changed system has no infinite run. Of the others either ([`Others`])
//!
//! - *havocked*: entering the loop gives all variables that it changes arbitrary values, and the transitions that come back to its head are left out. A run
//!   of the program that leaves an activation of that loop, or stays in its last round for ever, is still one of the system: it enters with the
//!   values that it had when it passed the head last, and goes on from there. Or
//! - *counted*: entering the loop chooses a number, and each round takes one away and needs one. A run with finitely many rounds is one of the
//!   system: it chooses that many.
//!
//! A run that stays in the loop asked about passes the heads of all other loops, in each of their activations, finitely often, or it would stay in one of those. A recursive
//! function is counted in both: a run that stays in a loop enters only finitely many activations that have not returned, and the system never comes back from
//! a call that it enters. So a run that makes infinitely many rounds of the loop is an infinite run of the changed system; there is none.
//!
//! The same question is cheaper, and often as easily answered, of a *part*: one activation of the function, or of the loop, with any values at its start. Pointers may be numbers there: their
//! distances from one that does not change ([`Excerpt`]). Why that suffices is said in `transitions`, in `part.rs` and `distances.rs`.
//!
//! **Endless runs.** The checker's verdict on `termination` stands behind them. Where a state recurs, the run is made once more, on through some turns of what it repeats, and the
//! blocks are looked at that it passes last, at least one turn of them: those of the outermost frame among them are passed again and again. That frame is never left, so that a loop which
//! contains all these blocks and whose head is among them is gone round for ever. Blocks from before the first turn would only keep a loop from containing all. Which loop
//! of the simplified program that is, is told by the places of its instructions, if they tell it. Otherwise, where nothing recurses and all loops but one end, it is that one.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use belay_base::{Budget, Exhausted, Span};
use belay_expression::Expr;
use belay_interpreter::{Event, Interpreter, Observer, RunEnd, Stack};
use belay_ir::{BlockId, CallGraph, Cfg, Dominators, FuncId, Function, LoopId, LoopNest, Mark, Program, Property};
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_rules::{Choice, ChoiceSource, Request};
use belay_transitions::{Extracted, extract_without_inlining};

use crate::alone::{Others, alone};
use crate::counted::{self, CountedLoop};
use crate::excerpt::Excerpt;
use crate::ranking::{RankedLoop, locate, over_variables};
use crate::structure;
use crate::task::Task;
use crate::verdict::{Answer, Counterexample, Verdict};

/// A loop of the simplified program, by its first head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LoopPlace {
    /// The function.
    pub function: FuncId,
    /// The head.
    pub head: BlockId,
}

/// Why a loop ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopProof {
    /// It is counted.
    Counted(CountedLoop),
    /// The system in which only it can go round for ever has no infinite run.
    Ranked(Others, TerminationCertificate),
    /// The same system of an excerpt of the program has none.
    InExcerpt(Excerpt, Others, TerminationCertificate),
}

/// What is known of a loop.
#[derive(Clone, Debug)]
pub enum LoopAnswer {
    /// Every activation has finitely many rounds; what gets smaller, as far as it can be said.
    Ends(Vec<Expr>),
    /// A run that stays in it for ever.
    Endless(Arc<Verdict>),
    /// Neither is known.
    Unknown(String),
}

/// The answer for one loop. What is not unknown has passed the checks here.
#[derive(Clone, Debug)]
pub struct LoopVerdict {
    place: LoopPlace,
    /// Where it stands: the name of the function, and the place.
    located: (String, Span),
    answer: LoopAnswer,
    /// Why it ends, where that is shown of the loop alone.
    proof: Option<Arc<LoopProof>>,
}

/// The loops that a run may come to.
pub fn loops(task: &Task<'_>) -> Vec<LoopPlace> {
    let program = task.simplified;
    let mut found = Vec::new();
    for function in CallGraph::new(program).reachable_in_run(program, task.config.entry) {
        let nest = nest_of(&program.functions[function]);
        found
            .extend(nest.iter().filter_map(|(_, it)| it.heads.first().map(|head| LoopPlace { function, head: *head })));
    }
    found.sort();
    found
}

pub(crate) fn nest_of(function: &Function) -> LoopNest {
    let cfg = Cfg::new(function);
    LoopNest::new(&cfg, &Dominators::new(&cfg))
}

/// Why a proof about a loop would not cover all runs.
fn find_uncovered_loop(task: &Task<'_>) -> Option<String> {
    let fewer = || {
        structure::find_marked(task, Mark::Fewer)
            .map(|name| format!("the model of {name} picks one of several behaviours"))
    };
    structure::find_uncovered(task)
        .or_else(|| structure::find_marked_unreachable(task))
        .map(|(reason, _)| reason)
        .or_else(fewer)
}

impl LoopVerdict {
    fn new(task: &Task<'_>, place: LoopPlace, answer: LoopAnswer) -> LoopVerdict {
        LoopVerdict { place, located: locate(task.simplified, (place.function, place.head)), answer, proof: None }
    }

    /// No answer: this needs no evidence.
    pub fn unknown(task: &Task<'_>, place: LoopPlace, reason: impl Into<String>) -> LoopVerdict {
        Self::new(task, place, LoopAnswer::Unknown(reason.into()))
    }

    /// Checks that the proof shows that the loop ends.
    pub fn ends(task: &Task<'_>, place: LoopPlace, proof: &LoopProof, budget: &Budget) -> Result<LoopVerdict, String> {
        let because = EndingLoops::new(task)?.check(place, proof, budget)?;
        let verdict = Self::new(task, place, LoopAnswer::Ends(because));
        Ok(LoopVerdict { proof: Some(Arc::new(proof.clone())), ..verdict })
    }

    /// What a proof that the program ends says of its loops.
    pub fn all_end(task: &Task<'_>, verdict: &Verdict) -> Vec<LoopVerdict> {
        if verdict.property() != Property::Termination || !matches!(verdict.answer(), Answer::True(_)) {
            return Vec::new();
        }
        let ends = |place: LoopPlace| {
            let (_, span) = locate(task.simplified, (place.function, place.head));
            let ranked = verdict.ranks().iter().find(|ranked| ranked.span == span);
            let because = ranked.map(|ranked| ranked.functions.clone()).unwrap_or_default();
            Self::new(task, place, LoopAnswer::Ends(because))
        };
        loops(task).into_iter().map(ends).collect()
    }

    /// The loop that the endless run of a verdict stays in, where that can be told: by the state that recurs, or because all others end.
    pub fn endless(
        task: &Task<'_>,
        verdict: &Arc<Verdict>,
        known: &[LoopVerdict],
        budget: &Budget,
    ) -> Option<LoopVerdict> {
        let Answer::False(counterexample) = verdict.answer() else { return None };
        if verdict.property() != Property::Termination {
            return None;
        }
        let place = stays_in(task, counterexample, budget).or_else(|| last_open(task, known))?;
        Some(Self::new(task, place, LoopAnswer::Endless(Arc::clone(verdict))))
    }

    /// The loop.
    pub fn place(&self) -> LoopPlace {
        self.place
    }

    /// The name of the function that it stands in, and where.
    pub fn located(&self) -> (&str, Span) {
        (&self.located.0, self.located.1)
    }

    /// The answer.
    pub fn answer(&self) -> &LoopAnswer {
        &self.answer
    }

    /// Why it ends, where that is shown of the loop alone.
    pub fn proof(&self) -> Option<&LoopProof> {
        self.proof.as_deref()
    }
}

/// Loops of a program that are claimed to end, with what their checks share.
pub(crate) struct EndingLoops<'t> {
    task: &'t Task<'t>,
    extracted: OnceCell<Result<Extracted, String>>,
}

impl<'t> EndingLoops<'t> {
    /// An error if no proof about a loop covers all runs.
    pub(crate) fn new(task: &'t Task<'t>) -> Result<Self, String> {
        match find_uncovered_loop(task) {
            Some(reason) => Err(reason),
            None => Ok(EndingLoops { task, extracted: OnceCell::new() }),
        }
    }

    /// Checks that the proof shows that the loop ends; gives what gets smaller.
    pub(crate) fn check(&self, place: LoopPlace, proof: &LoopProof, budget: &Budget) -> Result<Vec<Expr>, String> {
        let task = self.task;
        match proof {
            LoopProof::Counted(counted) => Ok(vec![check_counted(task, place, counted)?]),
            LoopProof::Ranked(others, certificate) => {
                let extract = || extract_without_inlining(task.simplified, task.config.entry, task.integers());
                let extracted = self.extracted.get_or_init(extract).as_ref().map_err(String::clone)?;
                let system = alone(extracted, place, *others)?;
                check_termination(&system, certificate, budget).map_err(|rejection| rejection.to_string())?;
                Ok(falling(extracted, place, certificate))
            }
            LoopProof::InExcerpt(excerpt, others, certificate) => {
                let seen = excerpt.of(task.simplified, place)?;
                let (extracted, system) = seen.system(task, *others)?;
                check_termination(&system, certificate, budget).map_err(|rejection| rejection.to_string())?;
                Ok(match excerpt.origin {
                    None => falling(&extracted, seen.place, certificate),
                    Some(_) => vec![Expr::SomeDistance],
                })
            }
        }
    }
}

/// Checks that every run ends: nothing recurses, and each loop that can be reached is shown to end. An infinite run has finitely many nested calls, so that there is a
/// frame which it never leaves and in which it passes infinitely many blocks. It passes a loop head there infinitely often; the outermost loop that it does not
/// leave any more from some point on, and whose head it goes on passing, has infinitely many rounds in one activation, and is shown to have finitely many.
pub(crate) fn check_all(
    task: &Task<'_>,
    proofs: &[(LoopPlace, LoopProof)],
    budget: &Budget,
) -> Result<Vec<RankedLoop>, String> {
    let program = task.simplified;
    let graph = CallGraph::new(program);
    if let Some(id) = graph.reachable_in_run(program, task.config.entry).into_iter().find(|id| graph.is_recursive(*id))
    {
        return Err(format!("{} is recursive", program.functions[id].name));
    }
    let ending = EndingLoops::new(task)?;
    let mut ranked = Vec::new();
    for place in loops(task) {
        let (_, proof) = proofs.iter().find(|(known, _)| *known == place).ok_or("a loop without a proof")?;
        let functions = ending.check(place, proof, budget)?;
        let found = RankedLoop::new(locate(program, (place.function, place.head)));
        ranked.push(RankedLoop { functions, ..found });
    }
    Ok(ranked)
}

fn check_counted(task: &Task<'_>, place: LoopPlace, counted: &CountedLoop) -> Result<Expr, String> {
    if counted.function != place.function || counted.head != place.head {
        return Err("the counter is of another loop".to_owned());
    }
    let function = &task.simplified.functions[place.function];
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let id = nest.headed_by(place.head).ok_or("there is no such loop")?;
    counted::check(function, &cfg, &dominators, &nest, id, counted, task.integers())
}

/// The certificate's functions at the loop's head, in the program's own names.
fn falling(extracted: &Extracted, place: LoopPlace, certificate: &TerminationCertificate) -> Vec<Expr> {
    let own = extracted.its.vars.len();
    let mut found: Vec<Expr> = Vec::new();
    for (cell, expr, _) in certificate.functions() {
        let at = extracted.places.get(certificate.cells[cell].location).copied().flatten();
        let is_named = expr.terms().iter().all(|(var, _)| var.index() < own);
        if at == Some((place.function, place.head)) && is_named {
            let function = over_variables(extracted, expr).filter(|function| !found.contains(function));
            found.extend(function);
        }
    }
    found
}

/// If nothing recurses and all loops but one end, an endless run stays in that one.
fn last_open(task: &Task<'_>, known: &[LoopVerdict]) -> Option<LoopPlace> {
    let program = task.simplified;
    let graph = CallGraph::new(program);
    let recurses = |id: &FuncId| graph.is_recursive(*id);
    if graph.reachable_in_run(program, task.config.entry).iter().any(recurses) {
        return None;
    }
    let ended: BTreeSet<LoopPlace> =
        known.iter().filter(|it| matches!(it.answer, LoopAnswer::Ends(_))).map(|it| it.place).collect();
    let mut open = loops(task).into_iter().filter(|place| !ended.contains(place));
    let last = open.next()?;
    open.next().is_none().then_some(last)
}

/// The loop that a run whose state recurs stays in.
fn stays_in(task: &Task<'_>, counterexample: &Counterexample, budget: &Budget) -> Option<LoopPlace> {
    let RunEnd::Recurs { start, period, inputs, nested: false, .. } = counterexample.report.end else { return None };
    let steps = start.checked_add(period.checked_mul(TURNS)?)?;
    let keep = usize::try_from(period).ok().filter(|keep| *keep <= MAX_KEPT && steps <= MAX_STEPS)?;
    let mut source = Again { choices: &counterexample.trace.choices, inputs, at: 0 };
    let mut passed = Passed { keep, last: RefCell::default() };
    let interpreter = Interpreter::new(task.program, task.config.clone());
    let report = interpreter.run_observed(&mut source, &mut passed, &budget.slice(steps));
    if !matches!(report.end, RunEnd::Exhausted(Exhausted::Steps)) {
        return None;
    }
    let last = passed.last.into_inner();
    let least = last.iter().map(|(depth, _, _)| *depth).min()?;
    let outermost = last.iter().filter(|(depth, _, _)| *depth == least);
    let blocks: BTreeSet<(FuncId, BlockId)> = outermost.map(|(_, function, block)| (*function, *block)).collect();
    let function = blocks.first()?.0;
    if blocks.iter().any(|(other, _)| *other != function) {
        return None;
    }
    let nest = nest_of(&task.program.functions[function]);
    let contains_all = |id: LoopId| blocks.iter().all(|(_, block)| nest.contains(id, *block));
    let is_passed = |id: LoopId| nest.get(id).heads.iter().any(|head| blocks.contains(&(function, *head)));
    let (own, _) = nest.iter().find(|(id, _)| contains_all(*id) && is_passed(*id))?;
    find_in_simplified(task, function, &nest, own)
}

/// Turns of a recurrence that are looked at.
const TURNS: u64 = 64;
/// Steps and blocks at most.
const MAX_STEPS: u64 = 20_000_000;
const MAX_KEPT: usize = 1_000_000;

/// The choices of a run, the inputs of the last turn again and again.
struct Again<'c> {
    choices: &'c [Choice],
    inputs: usize,
    at: usize,
}

impl ChoiceSource for Again<'_> {
    fn choose(&mut self, _request: &Request) -> Option<Choice> {
        let (at, len) = (self.at, self.choices.len());
        self.at += 1;
        if at < len {
            return self.choices.get(at).cloned();
        }
        let first = len.checked_sub(self.inputs)?;
        self.choices.get(first + (at - len).checked_rem(self.inputs)?).cloned()
    }
}

/// The loop of the simplified program that a loop of the program as translated became: the largest whose every instruction is at a place of one of its own. Loops of one macro are all
/// at one place: where another loop, around it or beside it, has no place that this one has not, or what is found may be a loop inside it, that is not told.
fn find_in_simplified(task: &Task<'_>, function: FuncId, nest: &LoopNest, own: LoopId) -> Option<LoopPlace> {
    let from = places(task.program, function, &nest.get(own).blocks);
    let mut inner = Vec::new();
    for (_, other) in nest.iter().filter(|(id, _)| *id != own) {
        let at = places(task.program, function, &other.blocks);
        if other.blocks.iter().all(|block| nest.contains(own, *block)) {
            inner.push(at);
        } else if !at.is_empty() && at.is_subset(&from) {
            return None;
        }
    }
    let simplified = nest_of(&task.simplified.functions[function]);
    let inside = simplified.iter().filter_map(|(_, found)| {
        let to = places(task.simplified, function, &found.blocks);
        let is_own = !to.is_empty() && to.is_subset(&from) && !inner.iter().any(|at| to.is_subset(at));
        is_own.then_some((to.len(), found))
    });
    let most = inside.max_by_key(|(size, found)| (*size, u32::MAX - found.depth))?;
    most.1.heads.first().map(|head| LoopPlace { function, head: *head })
}

fn places(program: &Program, function: FuncId, blocks: &[BlockId]) -> BTreeSet<(u32, u32, u32)> {
    let holder = &program.functions[function];
    let spans = blocks.iter().flat_map(|block| {
        let body = &holder.blocks[*block];
        body.insts.iter().map(|inst| holder.insts[*inst].span).chain([body.term_span])
    });
    spans.filter(|span| span.is_known()).map(|span| (span.file.0, span.line, span.column)).collect()
}

/// The blocks passed last, with the depth of their frames. A block costs at least a step, so that those of as many visits as a turn has steps are all of a turn.
struct Passed {
    keep: usize,
    last: RefCell<VecDeque<(usize, FuncId, BlockId)>>,
}

impl Observer for Passed {
    const EVENTS: bool = false;
    const STATES: bool = true;

    fn event(&mut self, _span: Span, _depth: usize, _event: Event) {}

    fn wants(&self, stack: &Stack) -> bool {
        let mut last = self.last.borrow_mut();
        if let Some((function, block, _)) = stack.last() {
            last.push_back((stack.len(), *function, *block));
        }
        if last.len() > self.keep {
            last.pop_front();
        }
        false
    }
}

/// The loops of each function.
pub(crate) type Nests = BTreeMap<FuncId, LoopNest>;
