//! `belay check --each-function`: every function that other files can call, by itself.
//!
//! A function is tried under descriptions of what its callers give it, from weak to strong ([`descriptions`]): a description is a
//! contract's `requires`, and the entry that makes such states is the one of contracts. What the engines prove under it, and `evidence` checks, is what is
//! printed. Where violations are left that depend on numbers, a condition on the parameters is learned from runs ([`learn`]) and then proved like any
//! other. So nothing that is printed as sufficient rests on the search.
//!
//! A proof of any property counts only together with one of valid accesses under the same description: a run that ends at an access through a pointer of which nothing
//! is said would else prove the rest.

mod answered;
mod attempts;
mod descriptions;
mod learn;
mod reach;
mod usage;
mod writes;

use std::io::Write;
use std::time::{Duration, Instant};

use belay_evidence::{Answer, Verdict};
use belay_frontend::{Contracts, Entry, Interface};
use belay_ir::{FuncId, Program, Property, passes};

use crate::arguments::{CheckOptions, Format};
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::{Died, Response, SandboxLimits, Watch, in_watched_child, was_interrupted};
use crate::source;
use answered::{Answered, render_json, shown};
use attempts::{Tried, attempt, given, judge, with_numbers};
use descriptions::{Description, Subject};
use usage::Usages;

/// Time for what is likely to be violated.
const SHORT: Duration = Duration::from_secs(2);
/// Time for any description, at least.
const LEAST: Duration = Duration::from_millis(500);
/// The parts of the time that go to a first and to a second look at the descriptions.
const PARTS: [f64; 2] = [0.3, 0.4];
/// Answers for each function. In words, each answer is printed as soon as there is one.
pub fn check(options: &CheckOptions, properties: &[Property]) -> Response {
    if let Some(ignored) = left_out(options) {
        return failure(exit::USAGE, &format!("--each-function gives no {ignored}"));
    }
    let library = match Library::load(options) {
        Ok(library) => library,
        Err(error) => return frontend_failure(&error),
    };
    let is_wanted = |entry: &&Entry| options.only.is_empty() || options.only.contains(&entry.name);
    let entries: Vec<&Entry> = library.interface.entries.iter().filter(is_wanted).collect();
    if let Some(name) = options.only.iter().find(|name| entries.iter().all(|entry| entry.name != **name)) {
        return failure(exit::INPUT, &format!("the files define no function `{name}` that other files can call"));
    }
    let mut answers: Vec<(&str, Answered)> = Vec::new();
    let mut errors = Vec::new();
    for entry in &entries {
        let answer = match was_interrupted() {
            true => Answered::Unknown("interrupted".to_owned()),
            false => answer_in_child(options, &library, entry, properties),
        };
        if options.format == Format::Text {
            print_now(&format!("{}: {}", entry.name, answer.words()));
        }
        answers.push((&entry.name, answer));
    }
    if entries.is_empty() {
        errors.extend(b"belay: note: the files define no function that other files can call\n");
    }
    let count = |kind: &str| answers.iter().filter(|(_, answer)| answer.kind() == kind).count();
    let (violated, unknown) = (count("violated"), count("unknown"));
    let code = match (violated, unknown) {
        (0, 0) => exit::PROVED,
        (0, _) => exit::UNKNOWN,
        _ => exit::VIOLATED,
    };
    let output = match options.format {
        Format::Json => render_json(&answers),
        Format::Text | Format::Sarif => format!(
            "FUNCTIONS {}: {} safe for every caller, {} safe if their precondition holds, {violated} violated, {unknown} unknown\n",
            entries.len(),
            count("safe"),
            count("safe-if"),
        ),
    };
    Response { code, output: output.into_bytes(), errors }
}

/// The files that are looked at, with nothing asked of any function yet.
pub struct Library {
    interface: Interface,
    /// The program in its simple form; none if the files are no program by themselves.
    program: Option<Program>,
}

impl Library {
    /// Reads the files.
    pub fn load(options: &CheckOptions) -> Result<Library, belay_frontend::FrontendError> {
        let source = source::source(&options.program, None, Contracts::default());
        let interface = belay_frontend::interface(&source)?;
        let mut program = belay_frontend::load(&source).ok();
        let is_simple =
            program.as_mut().is_some_and(|program| passes::pipeline(program, options.rules.integers.into()).is_ok());
        Ok(Library { interface, program: program.filter(|_| is_simple) })
    }

    /// The functions that other files can call.
    pub fn entries(&self) -> &[Entry] {
        &self.interface.entries
    }

    /// Descriptions of what a function is given, the weak first, and whether the first is likely to suffice.
    fn descriptions(&self, entry: &Entry) -> (Vec<Description>, bool) {
        let found = self.with_subject(entry, |subject| (subject.descriptions(), !subject.needs_objects()));
        found.unwrap_or((vec![Vec::new()], true))
    }

    /// Asks something of a function and how it uses its pointers.
    fn with_subject<R>(&self, entry: &Entry, ask: impl FnOnce(&Subject<'_>) -> R) -> Option<R> {
        let (program, id) = self.find(entry)?;
        let usage = Usages::new(program).of(id);
        let function = &program.functions[id];
        Some(ask(&Subject { entry, types: &self.interface.types, program, function, usage: &usage }))
    }

    fn find(&self, entry: &Entry) -> Option<(&Program, FuncId)> {
        let program = self.program.as_ref()?;
        Some((program, program.function_named(&entry.name)?))
    }

    /// True if the function, or what it may call, frees blocks.
    fn may_free(&self, entry: &Entry) -> bool {
        self.find(entry).is_none_or(|(program, id)| reach::may_free(program, id))
    }
}

/// What was asked for and is not made here: better no answer than one that leaves it out.
fn left_out(options: &CheckOptions) -> Option<&'static str> {
    let asked = [
        (options.format == Format::Sarif, "SARIF: --format text or json"),
        (options.html.is_some(), "page (--html)"),
        (options.proof.is_some(), "stored proof (--proof)"),
    ];
    asked.into_iter().find(|(is_asked, _)| *is_asked).map(|(_, what)| what)
}

/// Prints a part of the answer before the rest is known. What goes wrong shows when the rest is printed.
fn print_now(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn answer_in_child(options: &CheckOptions, library: &Library, entry: &Entry, properties: &[Property]) -> Answered {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let watch = Watch { display: options.progress, answers_interrupts: true };
    let answered = in_watched_child(limits, watch, |progress| {
        progress.say(&entry.name);
        let output = answer(options, library, entry, properties).parts().join("\0").into_bytes();
        Response { code: exit::PROVED, output, errors: Vec::new() }
    });
    match answered {
        Ok(response) => Answered::from_parts(&String::from_utf8_lossy(&response.output)),
        Err(Died::Time) => Answered::Unknown("time limit reached".to_owned()),
        Err(Died::Memory) => Answered::Unknown("memory limit reached".to_owned()),
        Err(Died::Interrupted) => Answered::Unknown("interrupted".to_owned()),
        Err(Died::Crash(what)) => Answered::Unknown(format!("internal error: {what}")),
    }
}

/// What `belay infer` may write.
pub enum Found {
    /// Clauses in CBMC's words.
    Contract(Vec<String>),
    /// Nothing, for this reason.
    Nothing(String),
}

/// The contract of a function: what it requires is proved to suffice, what it writes is proposed.
pub fn find_in_child(options: &CheckOptions, library: &Library, entry: &Entry, properties: &[Property]) -> Found {
    let requires = match answer_in_child(options, library, entry, properties) {
        Answered::Safe => Vec::new(),
        Answered::SafeIf(requires, _) => requires,
        Answered::Violated(how) => return Found::Nothing(format!("it violates {how}")),
        Answered::Unknown(why) => return Found::Nothing(why),
    };
    let Some(frame) = library.with_subject(entry, |subject| subject.frame()).flatten() else {
        return Found::Nothing("what it writes can't be named".to_owned());
    };
    let requires = requires.iter().map(|clause| format!("__CPROVER_requires({clause})"));
    Found::Contract(requires.chain(frame).collect())
}

/// Whether the function whose contract is enforced keeps it; else why that is not shown.
pub fn enforce_in_child(options: &CheckOptions, properties: &[Property]) -> Result<(), String> {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let watch = Watch { display: options.progress, answers_interrupts: true };
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let answered = in_watched_child(limits, watch, |_| {
        let enforced = source::load(&options.program)
            .map_err(|response| String::from_utf8_lossy(&response.errors).into_owned())
            .and_then(|program| judge(options, &program, properties, limit));
        let open = match enforced {
            Ok(verdicts) => verdicts.iter().find(|verdict| !matches!(verdict.answer(), Answer::True(_))).map(why_open),
            Err(why) => Some(why),
        };
        Response { code: exit::PROVED, output: open.unwrap_or_default().into_bytes(), errors: Vec::new() }
    });
    match answered {
        Ok(response) if response.output.is_empty() => Ok(()),
        Ok(response) => Err(String::from_utf8_lossy(&response.output).lines().next().unwrap_or_default().to_owned()),
        Err(_) => Err("the contract was not shown within the limits".to_owned()),
    }
}

fn why_open(verdict: &Verdict) -> String {
    let name = verdict.property().name();
    match verdict.answer() {
        Answer::Unknown(unknown) => format!("--enforce: {name}: {}", unknown.reason),
        Answer::False(_) => format!("--enforce: {name} is violated"),
        Answer::True(_) => format!("--enforce: {name}"),
    }
}

fn answer(options: &CheckOptions, library: &Library, entry: &Entry, properties: &[Property]) -> Answered {
    if entry.is_variadic {
        return Answered::Unknown("it takes a variable number of arguments".to_owned());
    }
    let start = Instant::now();
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let (descriptions, may_need_nothing) = library.descriptions(entry);
    let mut tried: Vec<Tried> = Vec::new();
    let mut complaint = "no description of its parameters was proved sufficient".to_owned();
    // A proof is mostly found soon or not at all: all descriptions get a little time, then those that nothing speaks against get more.
    let mut open = descriptions;
    for part in PARTS {
        let share = limit.mul_f64(part).div_f64(open.len() as f64).max(LEAST);
        let mut left: Vec<Description> = Vec::new();
        for requires in open {
            // What is likely to be violated is only asked for the violation.
            let share = if requires.is_empty() && !may_need_nothing { share.min(SHORT) } else { share };
            match attempt(options, entry, properties, &requires, share) {
                Ok(verdicts) => {
                    let now = Tried { requires, verdicts };
                    if now.is_proved() {
                        return sufficient(library, entry, now, &tried);
                    }
                    if now.violated().next().is_none() && (may_need_nothing || !now.requires.is_empty()) {
                        left.push(now.requires.clone());
                    }
                    tried.retain(|other| other.requires != now.requires);
                    tried.push(now);
                }
                Err(why) => complaint = why,
            }
        }
        open = left;
        if open.is_empty() {
            break;
        }
    }
    // Numbers are left. Where pointers are described best, the condition excludes the fewest callers.
    for index in (0..tried.len()).rev() {
        if start.elapsed() > limit {
            break;
        }
        if let Some(found) = with_numbers(options, entry, properties, &tried[index], (start, limit)) {
            return sufficient(library, entry, found, &tried);
        }
    }
    let unconditional = tried.iter().find(|one| one.requires.is_empty());
    let is_about_numbers = |verdict: &&Verdict| {
        !matches!(verdict.property(), Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack)
    };
    if let Some(verdict) = unconditional.and_then(|first| first.violated().find(is_about_numbers)) {
        return Answered::Violated(format!("{}{}", verdict.property().name(), given(entry, verdict)));
    }
    let reason = tried.iter().rev().find_map(|one| {
        let open = one.verdicts.iter().find_map(|verdict| match verdict.answer() {
            Answer::Unknown(unknown) => unknown.reason.lines().next(),
            Answer::True(_) | Answer::False(_) => None,
        })?;
        let under = if one.requires.is_empty() { String::new() } else { format!(" (with {})", shown(&one.requires)) };
        Some(format!("{open}{under}"))
    });
    Answered::Unknown(reason.unwrap_or(complaint).lines().next().unwrap_or_default().to_owned())
}

/// What is proved, and why something of the kind is needed: what happens under the weaker descriptions.
fn sufficient(library: &Library, entry: &Entry, mut found: Tried, weaker: &[Tried]) -> Answered {
    if found.requires.is_empty() {
        return Answered::Safe;
    }
    let shows = weaker.iter().flat_map(Tried::violated).next();
    let needed =
        shows.map(|verdict| format!("{} is violated without it{}", verdict.property().name(), given(entry, verdict)));
    if library.may_free(entry) {
        found.requires.iter_mut().for_each(|clause| *clause = descriptions::from_heap(clause));
    }
    Answered::SafeIf(found.requires, needed)
}
