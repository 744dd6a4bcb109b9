//! `belay check --each-function`: every function that other files can call, by itself.
//!
//! A function is tried under descriptions of what its callers give it, from weak to strong ([`descriptions`]): a description is a
//! contract's `requires`, and the entry that makes such states is the one of contracts. What the engines prove under it, and `evidence` checks, is what is
//! printed. Where violations are left that depend on numbers, a condition on the parameters is learned from runs ([`learn`]) and then proved like any
//! other. So nothing that is printed as sufficient rests on the search.
//!
//! A proof of any property counts only together with one of valid accesses under the same description: a run that ends at an access through a pointer of which nothing
//! is said would else prove the rest.

mod descriptions;
mod learn;
mod reach;
mod usage;
mod writes;

use std::io::Write;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::{Options as EngineOptions, Session};
use belay_evidence::{Answer, Task, Verdict};
use belay_frontend::{Contracts, Entry, Interface, Stated};
use belay_ir::{FuncId, Program, Property, passes};
use belay_report::{NamedAnswer, render_functions};
use belay_rules::Choice;

use crate::arguments::{CheckOptions, Format};
use crate::contracted;
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::{Died, Response, SandboxLimits, Watch, in_watched_child, was_interrupted};
use crate::source;
use descriptions::{Description, Subject};
use learn::Condition;
use usage::Usages;

/// Time for what is likely to be violated.
const SHORT: Duration = Duration::from_secs(2);
/// Cases of a condition that are proved one by one, at most.
const MOST_CASES: usize = 4;

/// What is known of a function.
enum Answered {
    /// Whoever calls it.
    Safe,
    /// Its callers have to keep this; and what shows that something is needed.
    SafeIf(Vec<String>, Option<String>),
    /// Some caller makes it violate a property, in these words.
    Violated(String),
    /// Nothing.
    Unknown(String),
}

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

impl Answered {
    /// The kind, as JSON names it.
    fn kind(&self) -> &'static str {
        match self {
            Answered::Safe => "safe",
            Answered::SafeIf(..) => "safe-if",
            Answered::Violated(_) => "violated",
            Answered::Unknown(_) => "unknown",
        }
    }

    /// As the child sends it: the kind, then a text, then clauses.
    fn parts(&self) -> Vec<String> {
        let (text, clauses) = match self {
            Answered::Safe => (String::new(), Vec::new()),
            Answered::SafeIf(requires, needed) => (needed.clone().unwrap_or_default(), requires.clone()),
            Answered::Violated(how) => (how.clone(), Vec::new()),
            Answered::Unknown(why) => (why.clone(), Vec::new()),
        };
        [vec![self.kind().to_owned(), text], clauses].concat()
    }

    fn from_parts(sent: &str) -> Answered {
        let mut parts = sent.split('\0').map(str::to_owned);
        let (kind, text) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        match kind.as_str() {
            "safe" => Answered::Safe,
            "safe-if" => Answered::SafeIf(parts.collect(), Some(text).filter(|text| !text.is_empty())),
            "violated" => Answered::Violated(text),
            _ => Answered::Unknown(text),
        }
    }

    /// In words, with the line's end.
    fn words(&self) -> String {
        match self {
            Answered::Safe => "safe for every caller\n".to_owned(),
            Answered::SafeIf(requires, needed) => {
                let needed = needed.as_ref().map(|needed| format!("  needed: {needed}\n")).unwrap_or_default();
                format!("safe if {}\n{needed}", shown(requires))
            }
            Answered::Violated(how) => format!("violated: {how}\n"),
            Answered::Unknown(why) => format!("unknown: {why}\n"),
        }
    }
}

fn render_json(answers: &[(&str, Answered)]) -> String {
    let functions: Vec<NamedAnswer> = answers
        .iter()
        .map(|(name, answer)| {
            let (requires, reason) = match answer {
                Answered::Safe => (Vec::new(), None),
                Answered::SafeIf(requires, needed) => (requires.clone(), needed.clone()),
                Answered::Violated(text) | Answered::Unknown(text) => (Vec::new(), Some(text.clone())),
            };
            NamedAnswer { name: (*name).to_owned(), answer: answer.kind(), requires, reason }
        })
        .collect();
    render_functions(&functions)
}

fn shown(requires: &[String]) -> String {
    let plain: Vec<String> =
        requires.iter().map(|clause| clause.replace("__CPROVER_", "").replace("__BELAY_", "")).collect();
    match plain.as_slice() {
        [one] => one.clone(),
        several => several
            .iter()
            .map(|clause| if clause.contains("||") { format!("({clause})") } else { clause.clone() })
            .collect::<Vec<_>>()
            .join(" && "),
    }
}

/// A description that was tried.
struct Tried {
    requires: Vec<String>,
    verdicts: Vec<Verdict>,
}

impl Tried {
    fn is_proved(&self) -> bool {
        self.verdicts.iter().all(|verdict| matches!(verdict.answer(), Answer::True(_)))
    }

    fn violated(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| matches!(verdict.answer(), Answer::False(_)))
    }
}

fn answer(options: &CheckOptions, library: &Library, entry: &Entry, properties: &[Property]) -> Answered {
    if entry.is_variadic {
        return Answered::Unknown("it takes a variable number of arguments".to_owned());
    }
    let start = Instant::now();
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let (descriptions, may_need_nothing) = library.descriptions(entry);
    let share = limit.div_f64(descriptions.len() as f64 + 2.0).max(Duration::from_millis(500));
    let mut tried: Vec<Tried> = Vec::new();
    let mut complaint = "no description of its parameters was proved sufficient".to_owned();
    for requires in descriptions {
        // What is likely to be violated is only asked for the violation.
        let share = if requires.is_empty() && !may_need_nothing { share.min(SHORT) } else { share };
        match attempt(options, entry, properties, &requires, share) {
            Ok(verdicts) => {
                let now = Tried { requires, verdicts };
                if now.is_proved() {
                    return sufficient(library, entry, now, &tried);
                }
                tried.push(now);
            }
            Err(why) => complaint = why,
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
    let unconditional = tried.first().filter(|first| first.requires.is_empty());
    let is_about_numbers = |verdict: &&Verdict| {
        !matches!(verdict.property(), Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack)
    };
    if let Some(verdict) = unconditional.and_then(|first| first.violated().find(is_about_numbers)) {
        return Answered::Violated(format!("{}{}", verdict.property().name(), given(entry, verdict)));
    }
    let reason = tried.iter().rev().flat_map(|one| &one.verdicts).find_map(|verdict| match verdict.answer() {
        Answer::Unknown(unknown) => Some(unknown.reason.clone()),
        Answer::True(_) | Answer::False(_) => None,
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
    found.requires.extend(origins(library, entry, &found.requires));
    Answered::SafeIf(found.requires, needed)
}

/// The blocks that a description makes come from the heap. Where the function or what it calls frees anything, that is part of what callers have to see to.
fn origins(library: &Library, entry: &Entry, requires: &[String]) -> Vec<String> {
    if !library.may_free(entry) {
        return Vec::new();
    }
    let is_described = |name: &str| {
        requires.iter().any(|clause| {
            [format!("is_fresh({name},"), format!("is_cstring({name})")].iter().any(|made| clause.contains(made))
        })
    };
    let described = entry.params.iter().map(|param| param.name.as_str()).filter(|name| is_described(name));
    described.map(|name| format!("{name} == 0 || __CPROVER_DYNAMIC_OBJECT({name})")).collect()
}

/// Proves or refutes all properties under a description.
fn attempt(
    options: &CheckOptions,
    entry: &Entry,
    properties: &[Property],
    requires: &[String],
    share: Duration,
) -> Result<Vec<Verdict>, String> {
    judge(options, &load(options, entry, requires)?, properties, share)
}

/// Proves or refutes all properties of a program with an entry of its own.
fn judge(
    options: &CheckOptions,
    program: &Program,
    properties: &[Property],
    share: Duration,
) -> Result<Vec<Verdict>, String> {
    let start = Instant::now();
    let mut simplified = program.clone();
    passes::pipeline(&mut simplified, options.rules.integers.into()).map_err(|error| error.to_string())?;
    let id = program.function_named(belay_ir::ENTRY_BUILDER).ok_or("the entry is missing")?;
    let config = source::config(program, id, &options.program, &options.rules, options.memory_limit)
        .map_err(|_| "its configuration is wrong".to_owned())?;
    let task = Task { program, simplified: &simplified, config };
    let budget = Budget::unlimited().until(start + share);
    let engines = EngineOptions { threads: 1, ..EngineOptions::default() };
    let properties = contracted::properties(program, properties.to_vec());
    let (verdicts, _) = Session::new(&task, &properties, engines, &budget).verify(&mut |_| {});
    Ok(contracted::withhold(program, verdicts))
}

fn load(options: &CheckOptions, entry: &Entry, requires: &[String]) -> Result<Program, String> {
    let stated = Stated { requires: requires.to_vec(), any_globals: true };
    let contracts = Contracts { enforce: Some(entry.name.clone()), replace: Vec::new(), stated: Some(stated) };
    belay_frontend::load(&source::source(&options.program, None, contracts)).map_err(|error| error.to_string())
}

/// Looks for a condition on numbers under which what is violated is not.
fn with_numbers(
    options: &CheckOptions,
    entry: &Entry,
    properties: &[Property],
    tried: &Tried,
    (start, limit): (Instant, Duration),
) -> Option<Tried> {
    tried.violated().next()?;
    let program = load(options, entry, &tried.requires).ok()?;
    let id = program.function_named(belay_ir::ENTRY_BUILDER)?;
    let config = source::config(&program, id, &options.program, &options.rules, options.memory_limit).ok()?;
    let mut samples = learn::Samples::draw(&program, &config, entry, properties)?;
    let prober = learn::Prober::new(&program, &config, properties);
    tried.violated().for_each(|verdict| samples.add_violating(numbers_of(verdict)));
    samples.refine(&prober);
    for _ in 0..6 {
        let condition: Condition = samples.separate()?;
        let case = |atoms: Vec<String>| {
            let requires = [tried.requires.clone(), atoms].concat();
            let verdicts = attempt(options, entry, properties, &requires, limit.div_f64(4.0)).ok()?;
            Some(Tried { requires, verdicts })
        };
        // A disjunction holds in the union of its cases: what is proved in each is proved.
        let open = condition
            .cases()
            .into_iter()
            .take(MOST_CASES + 1)
            .map(case)
            .find(|now| now.as_ref().is_none_or(|now| !now.is_proved()));
        if open.is_none() && condition.cases().len() <= MOST_CASES {
            let requires = [tried.requires.clone(), condition.clauses()].concat();
            return Some(Tried { requires, verdicts: Vec::new() });
        }
        let violating: Vec<Vec<i128>> = open??.violated().map(numbers_of).collect();
        if violating.is_empty() || start.elapsed() > limit {
            return None;
        }
        violating.into_iter().for_each(|numbers| samples.add_violating(numbers));
        samples.refine(&prober);
    }
    None
}

/// The numbers that a violating run was given, the entry's parameters first.
fn numbers_of(verdict: &Verdict) -> Vec<i128> {
    let Answer::False(found) = verdict.answer() else { return Vec::new() };
    let number = |choice: &Choice| match choice {
        Choice::Input(belay_rules::Scalar::Int { value, .. }) => i128::try_from(value.clone()).ok(),
        _ => None,
    };
    found.trace.choices.iter().map_while(number).collect()
}

/// The numbers that a violating run was given, by the names of the parameters.
fn given(entry: &Entry, verdict: &Verdict) -> String {
    let numbers = numbers_of(verdict);
    let named = entry.params.iter().filter(|param| learn::is_number(&param.desugared)).zip(numbers);
    let given: Vec<String> =
        named.map(|(param, number)| format!("{} = {}", param.name, learn::read_as(&param.desugared, number))).collect();
    if given.is_empty() { String::new() } else { format!(" with {}", given.join(", ")) }
}
