//! Which functions of the files see to what another requires wherever they call it, and which do not.
//!
//! The precondition of the callee is asserted where its body begins, and the caller is looked at under its own: in every run from there on the assertions hold, or a run breaks
//! one, or neither is shown. A caller is a function with an answer, or `main`; what is called on the way and has no answer of its own belongs to it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use belay_evidence::Answer;
use belay_frontend::{Asked, Contracts, Entry, Stated};
use belay_ir::{CallGraph, FuncId, Program, Property, Standing};

use super::Library;
use super::answered::Answered;
use super::attempts::{Until, judge, summary};
use crate::arguments::CheckOptions;
use crate::sandbox::{Response, SandboxLimits, Watch, in_watched_child};
use crate::{failure::exit, source};
use belay_callers::learn::is_number;

/// The part of the time of a function in which may be shown what one caller does.
const PART: f64 = 0.3;

/// Whether a caller sees to what a function requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// In every run.
    Keeps,
    /// Not in some run.
    Breaks,
    /// Neither is shown.
    Open,
}

impl Kept {
    /// The word that JSON has for it.
    pub fn word(self) -> &'static str {
        match self {
            Kept::Keeps => "keeps",
            Kept::Breaks => "breaks",
            Kept::Open => "unknown",
        }
    }
}

/// What the callers of a function do.
#[derive(Default)]
pub struct Callers(pub Vec<(String, Kept)>);

impl Callers {
    /// In words, with the line's end; nothing if nobody calls the function.
    pub fn words(&self, function: &str) -> String {
        let of = |how: Kept| {
            let names: Vec<&str> =
                self.0.iter().filter(|(_, kept)| *kept == how).map(|(name, _)| name.as_str()).collect();
            names.join(", ")
        };
        let all = [("kept by", of(Kept::Keeps)), ("broken by", of(Kept::Breaks)), ("not shown for", of(Kept::Open))];
        let said: Vec<String> =
            all.iter().filter(|(_, names)| !names.is_empty()).map(|(how, names)| format!("{how} {names}")).collect();
        if said.is_empty() { String::new() } else { format!("what {function} requires is {}\n", said.join("; ")) }
    }
}

/// The callers of each function that has a precondition.
pub fn find(options: &CheckOptions, library: &Library, answers: &[(&str, Answered)]) -> Vec<Callers> {
    let entries = |name: &str| library.interface.entries.iter().find(|entry| entry.name == name);
    let pairs = library.program.as_ref().map(|program| calls(program, answers)).unwrap_or_default();
    let asked = answers.iter().map(|(name, answer)| {
        let (Answered::SafeIf(requires, ..), Some(entry)) = (answer, entries(name)) else { return Callers::default() };
        let own = pairs.iter().filter(|(_, callee)| callee == name).map(|(caller, _)| caller.clone());
        let own: Vec<String> = own.collect();
        if own.is_empty() {
            return Callers::default();
        }
        let reads = library.with_subject(entry, |subject| subject.only_read()).unwrap_or_default();
        let asked = Asked { function: (*name).to_owned(), requires: requires.clone(), reads };
        // All callers of a function get the time that the function has had.
        let end = Instant::now() + Duration::from_secs(options.time_limit);
        let each = own.into_iter().map(|caller| {
            if Instant::now() > end {
                return (caller, Kept::Open);
            }
            let its = answers.iter().find(|(name, _)| *name == caller).map(|(_, answer)| answer);
            let kept = ask_in_child(options, entries(&caller), its, &asked);
            (caller, kept)
        });
        Callers(each.collect())
    });
    asked.collect()
}

/// Who calls whom, by what has no answer of its own at most.
fn calls(program: &Program, answers: &[(&str, Answered)]) -> BTreeSet<(String, String)> {
    let graph = CallGraph::new(program);
    let named = |id: FuncId| program.functions[id].name.as_str();
    let has_answer = |id: FuncId| answers.iter().any(|(name, _)| *name == named(id));
    let starts = program.functions.ids().filter(|id| has_answer(*id) || named(*id) == "main");
    let mut all = BTreeSet::new();
    for start in starts.collect::<Vec<_>>() {
        let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(next) = open.pop() {
            for callee in graph.callees(next) {
                if !seen.insert(callee) {
                    continue;
                }
                match has_answer(callee) {
                    true => drop(all.insert((named(start).to_owned(), named(callee).to_owned()))),
                    false => open.push(callee),
                }
            }
        }
    }
    all
}

fn ask_in_child(options: &CheckOptions, caller: Option<&Entry>, answer: Option<&Answered>, asked: &Asked) -> Kept {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let watch = Watch { display: options.progress, answers_interrupts: true };
    let found = in_watched_child(limits, watch, |_| {
        let kept = ask(options, caller, answer, asked).unwrap_or(Kept::Open);
        Response { code: exit::PROVED, output: kept.word().as_bytes().to_vec(), errors: Vec::new() }
    });
    let word = found.map(|response| response.output).unwrap_or_default();
    let is_it = |kept: &Kept| kept.word().as_bytes() == word;
    [Kept::Keeps, Kept::Breaks].into_iter().find(is_it).unwrap_or(Kept::Open)
}

/// What a caller does under its own precondition; none if it has no answer under which it can be looked at.
fn ask(options: &CheckOptions, caller: Option<&Entry>, answer: Option<&Answered>, asked: &Asked) -> Option<Kept> {
    let gives_nothing = caller.is_none_or(|caller| caller.params.iter().all(|param| is_number(&param.desugared)));
    let (requires, is_safe) = match answer {
        Some(Answered::SafeIf(requires, ..)) => (requires.clone(), true),
        Some(Answered::Safe(_)) => (Vec::new(), true),
        // A run may end by another violation before it comes to a call: that it breaks nothing shows nothing.
        Some(Answered::Violated(_) | Answered::Unknown(_)) if gives_nothing => (Vec::new(), false),
        // Of `main`, which has no answer, that is asked here.
        None if caller.is_none() => (Vec::new(), true),
        Some(Answered::Violated(_) | Answered::Unknown(_)) | None => return None,
    };
    let stated = Stated { requires, any_globals: true, alive: Vec::new() };
    let contracts = Contracts {
        enforce: caller.map(|caller| caller.name.clone()),
        stated: caller.map(|_| stated),
        asked: vec![asked.clone()],
        ..Contracts::default()
    };
    let source = source::source(&options.program, None, contracts);
    let loaded = belay_frontend::load(&source);
    if let Err(why) = &loaded {
        tracing::debug!("what {} requires is not asked: {why}", asked.function);
    }
    let mut program = loaded.ok()?;
    let (callee, count) = (program.function_named(&asked.function)?, asked.count()? as u32);
    for obligation in program.obligations.iter_mut() {
        let is_meant = obligation.function == callee && obligation.number <= count;
        if obligation.property == Property::UnreachCall && !is_meant {
            obligation.standing = Standing::Unasked;
        }
    }
    let share = Duration::from_secs(options.time_limit).mul_f64(PART);
    let asked_as_well: &[Property] = match caller {
        Some(_) => &[Property::UnreachCall],
        None => &[Property::UnreachCall, Property::ValidDeref, Property::ValidFree],
    };
    let found = judge(options, &program, (asked_as_well, &[]), (share, Until::Decided)).ok()?;
    tracing::debug!("what {} requires: {}", asked.function, summary(&found));
    let is_safe = is_safe && found.iter().all(|verdict| matches!(verdict.answer(), Answer::True(_)));
    found.iter().find(|verdict| verdict.property() == Property::UnreachCall).map(|verdict| match verdict.answer() {
        Answer::True(_) if is_safe => Kept::Keeps,
        Answer::False(_) => Kept::Breaks,
        Answer::True(_) | Answer::Unknown(_) => Kept::Open,
    })
}
