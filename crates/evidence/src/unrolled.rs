//! Proofs by full unrolling: within the bounds no run violates the property, none goes beyond them, and none gets where nothing is
//! known.
//!
//! The check unrolls the program anew with the bounds that the proof names and puts the question to Z3, whose bit-vectors share
//! nothing with the engine's bit-blaster and SAT solver. A question that simplification alone answers needs no solver. One that is
//! too large, or that Z3 does not answer in time, is not re-checked, and the verdict says so. A proof about floats may bring a cover by
//! regions, which is checked without a solver.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use belay_base::Budget;
use belay_base::queries::{self, Layer};
use belay_encoder::{Bounds, Encoder, Goal, Unrolling};
use belay_ir::{Program, Property};
use belay_logic::bv::prune::Paving;
use belay_logic::bv::{BvSolver, SatResult, TermId, TermStore, smtlib};

use crate::answerer::Answerer;
use crate::regions;
use crate::task::Task;

/// Steps of the unrolling.
const UNROLL_STEPS: u64 = 50_000_000;
/// Bytes of a question that is still asked.
pub(crate) const MAX_SCRIPT: usize = 6 << 20;
/// Time for Z3 at most.
const TIME: Duration = Duration::from_secs(4);
/// So much of the task's time is left for saying the verdict: a proof that is not re-checked is better than none.
const RESERVE: Duration = Duration::from_millis(300);
/// Less is not worth asking.
const LEAST_TIME: Duration = Duration::from_millis(100);
/// Bytes of an answer that are read.
const MAX_ANSWER: u64 = 4096;
/// The encoder recurses over calls and memory.
const STACK_BYTES: usize = 512 << 20;

/// A proof by full unrolling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrolled {
    /// How far loops and recursion are followed.
    pub bounds: Bounds,
    /// How the space of the unknowns is cut, so that each part rules out all that is bad.
    pub cover: Option<Paving>,
}

/// What must not be possible together.
pub struct Question {
    /// The terms.
    pub terms: TermStore,
    /// The conditions.
    pub conditions: Vec<TermId>,
    /// What the last condition says that there is one of, if each is asked for by itself.
    pub parts: Vec<TermId>,
}

/// How far a proof was confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// Fully.
    Done,
    /// Not, for this reason; nothing speaks against it.
    Skipped(String),
}

/// Checks that every run is within `bounds` and keeps `property`.
pub(crate) fn check(
    task: &Task<'_>,
    property: Property,
    proof: &Unrolled,
    answerer: Answerer<'_>,
    budget: &Budget,
) -> Result<Recheck, String> {
    let (simplified, config) = (task.simplified, task.config.clone());
    ask(budget, move |budget| {
        let question = question(simplified, config, property, &proof.bounds, budget)?;
        Ok(question.reduce_question(proof.cover.as_ref(), answerer, budget))
    })
}

/// Makes a question on a large stack and puts it to Z3.
pub(crate) fn ask(
    budget: &Budget,
    question: impl FnOnce(&Budget) -> Result<ProofQuestion, String> + Send,
) -> Result<Recheck, String> {
    let slice = budget.slice(UNROLL_STEPS);
    let left = || budget.time_left().map_or(TIME, |left| left.saturating_sub(RESERVE).min(TIME));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("recheck".to_owned()).stack_size(STACK_BYTES);
        let work = move || question(&slice);
        let asked = match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(asked)) => asked?,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => return Ok(Recheck::Skipped(error.to_string())),
        };
        match asked {
            ProofQuestion::Answered => Ok(Recheck::Done),
            ProofQuestion::Large => Ok(Recheck::Skipped("the formula is too large for the second solver".to_owned())),
            ProofQuestion::Script(script) => ask_z3(script, left()),
        }
    })
}

/// Makes a question on a large stack and puts it to the bit-blaster and the SAT solver; true if nothing bad is possible.
pub(crate) fn solve(
    budget: &Budget,
    question: impl FnOnce(&Budget) -> Result<Question, String> + Send,
) -> Result<bool, String> {
    let (slice, whole) = (budget.slice(UNROLL_STEPS), budget.slice(u64::MAX));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("solve".to_owned()).stack_size(STACK_BYTES);
        let work = move || {
            let Question { terms, conditions, .. } = question(&slice)?;
            let mut solver = BvSolver::new();
            conditions.into_iter().for_each(|condition| solver.assert(condition));
            Ok(matches!(solver.check(&terms, &[], &whole), Ok(SatResult::Unsat)))
        };
        match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(solved)) => solved,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// A question of a proof.
pub(crate) enum ProofQuestion {
    /// Nothing bad is possible, and no solver is needed to see it.
    Answered,
    /// It is too large.
    Large,
    /// It has to be put to a solver.
    Script(String),
}

impl Question {
    /// What is left to be asked.
    pub(crate) fn reduce_question(
        &self,
        cover: Option<&Paving>,
        answerer: Answerer<'_>,
        budget: &Budget,
    ) -> ProofQuestion {
        let (terms, conditions) = (&self.terms, &self.conditions);
        let shown = conditions.iter().any(|condition| terms.is_false(*condition));
        if shown || cover.is_some_and(|cover| regions::covers(terms, conditions, cover)) {
            return ProofQuestion::Answered;
        }
        if terms.reachable(conditions).len() > MAX_SCRIPT / 40 {
            return ProofQuestion::Large;
        }
        let parts: Vec<TermId> = self.parts.iter().copied().filter(|part| !terms.is_false(*part)).collect();
        let script = match conditions.split_last() {
            Some((_, others)) if !parts.is_empty() => smtlib::script_of_goals(terms, others, &parts),
            _ => smtlib::script(terms, conditions),
        };
        match script.len() > MAX_SCRIPT {
            true => ProofQuestion::Large,
            false if answerer.refutes(self, budget) => ProofQuestion::Answered,
            false => ProofQuestion::Script(script),
        }
    }
}

/// Checks that no run that stays within `bounds` violates the property or gets where nothing is known; of others this says nothing.
pub fn check_within(task: &Task<'_>, property: Property, bounds: &Bounds, budget: &Budget) -> Result<Recheck, String> {
    let (simplified, config) = (task.simplified, task.config.clone());
    ask(budget, move |budget| {
        Ok(ask_about(simplified, config, property, bounds, bad_within, budget)?.reduce_question(
            None,
            Answerer::Second,
            budget,
        ))
    })
}

/// The question of a proof by unrolling: whether something bad is possible.
pub fn question(
    program: &Program,
    config: belay_rules::Config,
    property: Property,
    bounds: &Bounds,
    budget: &Budget,
) -> Result<Question, String> {
    ask_about(program, config, property, bounds, bad_conditions, budget)
}

fn ask_about(
    program: &Program,
    config: belay_rules::Config,
    property: Property,
    bounds: &Bounds,
    bad: impl Fn(&Program, Property, &Unrolling) -> Vec<TermId>,
    budget: &Budget,
) -> Result<Question, String> {
    let mut encoder = Encoder::new(program, config);
    encoder.wanted = vec![property];
    let unrolling = encoder.unroll(bounds, budget).map_err(|stop| format!("unrolling stopped: {stop:?}"))?;
    let bad = bad(program, property, &unrolling);
    let any = encoder.store.terms.or_all(bad);
    let mut conditions = encoder.store.constraints.clone();
    conditions.push(any);
    Ok(Question { terms: encoder.store.terms, conditions, parts: Vec::new() })
}

/// What must be impossible: a violation, a run beyond the bounds, a run of which nothing is known, and one that an invalid access or (for what
/// is judged at the end) any violation but a failed assertion cuts short: the heap is judged there.
pub(crate) fn bad_conditions(program: &Program, property: Property, unrolling: &Unrolling) -> Vec<TermId> {
    let beyond = unrolling.unwound.iter().map(|unwound| unwound.condition);
    bad_within(program, property, unrolling).into_iter().chain(beyond).collect()
}

/// The same of runs that stay within the bounds.
fn bad_within(program: &Program, property: Property, unrolling: &Unrolling) -> Vec<TermId> {
    // An obligation that nobody asks about ends the run, as far as it does, and that is all.
    let of = |goal: Goal| match goal {
        Goal::Obligation(id) => program.obligations[id].judged(),
        Goal::Lost => Some(Property::ValidMemtrack),
        Goal::NotFreed => Some(Property::MemCleanup),
    };
    let at_end = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
    let violations = unrolling.violations.iter().filter(|violated| {
        let Some(of) = of(violated.goal) else { return false };
        let breaks_memory = matches!(of, Property::ValidDeref | Property::ValidFree);
        let unjudged = at_end && of != Property::UnreachCall;
        of == property || violated.fatal && (breaks_memory || unjudged)
    });
    let unknowns = unrolling.unknowns.iter().filter(|unknown| unknown.property.is_none_or(|of| of == property));
    violations.map(|violated| violated.condition).chain(unknowns.map(|unknown| unknown.condition)).collect()
}

/// The last scripts of which Z3 has said in this process that nothing satisfies them. Properties that rest on the same invariants come down to the same question, word for word, and a script
/// says all that its answer depends on.
static ANSWERED: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());
/// So many are kept.
const KEPT_SCRIPTS: usize = 4;

/// Z3's opinion: a proof that it contradicts is rejected.
fn ask_z3(script: String, time: Duration) -> Result<Recheck, String> {
    if ANSWERED.lock().is_ok_and(|answered| answered.contains(&script)) {
        return Ok(Recheck::Done);
    }
    let answer = put_to_z3(&script, time)?;
    if let (Recheck::Done, Ok(mut answered)) = (&answer, ANSWERED.lock()) {
        answered.truncate(KEPT_SCRIPTS - 1);
        answered.push_front(script);
    }
    Ok(answer)
}

fn put_to_z3(script: &str, time: Duration) -> Result<Recheck, String> {
    let skipped = |why: String| Ok(Recheck::Skipped(why));
    if time < LEAST_TIME {
        return skipped("there is no time for the second solver".to_owned());
    }
    let _question = queries::begin(Layer::Smt);
    let child = Command::new("z3")
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return skipped(format!("no second solver: z3: {error}")),
    };
    let Some(output) = talk(&mut child, script, time) else {
        return skipped(format!("the second solver has no answer within {:.1} s", time.as_secs_f64()));
    };
    let output = String::from_utf8_lossy(&output);
    let answers: Vec<&str> = output.lines().map(str::trim).collect();
    if answers.contains(&"sat") {
        return Err("the second solver finds a run that the proof excludes".to_owned());
    }
    match answers.iter().find(|answer| **answer != "unsat") {
        None if answers.len() == script.matches("(check-sat)").count() => Ok(Recheck::Done),
        None => skipped("the second solver has no answer (none)".to_owned()),
        Some(other) => skipped(format!("the second solver has no answer ({other})")),
    }
}

/// What the solver prints on the script, at most a few bytes more than an answer needs; `None` if it does not end in time. It is
/// gone afterwards in any case.
fn talk(child: &mut Child, script: &str, time: Duration) -> Option<Vec<u8>> {
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = mpsc::channel();
    let printed = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A solver that has died reads nothing; what it printed tells.
            let _ = input.map(|mut input| input.write_all(script.as_bytes()));
        });
        scope.spawn(move || {
            let mut printed = Vec::new();
            let _ = output.map(|output| output.take(MAX_ANSWER).read_to_end(&mut printed));
            let _ = sender.send(printed);
        });
        let printed = receiver.recv_timeout(time).ok();
        // Ends both threads, whatever the solver does.
        let _ = child.kill();
        printed
    });
    let _ = child.wait();
    printed
}
