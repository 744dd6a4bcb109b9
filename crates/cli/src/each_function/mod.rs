//! `belay check --each-function`: every function that other files can call, by itself.
//!
//! A function is tried under descriptions of what its callers give it, from weak to strong (crate `callers`): a description is a
//! contract's `requires`, and the entry that makes such states is the one of contracts. What the engines prove under it, and `evidence` checks, is what is
//! printed. Where violations are left that depend on numbers, a condition on the parameters is learned from runs and then proved like any
//! other. So nothing that is printed as sufficient rests on the search.
//!
//! A proof of any property counts only together with one of valid accesses under the same description: a run that ends at an access through a pointer of which nothing
//! is said would else prove the rest.

mod answered;
mod attempts;
mod calls;
mod weaker;

use std::io::Write;
use std::time::{Duration, Instant};

use belay_evidence::{Answer, Verdict};
use belay_frontend::{Contracts, Entry, Interface};
use belay_ir::{FuncId, Program, Property};
use belay_report::because;

use crate::arguments::{CheckOptions, Format};
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::{Died, Response, SandboxLimits, Watch, in_watched_child, was_interrupted};
use crate::source;
use answered::{Answered, render_json, shown};
use attempts::{Trial, Tried, Until, given, judge, summary, with_numbers};
use belay_callers::learn::{is_integer, is_number};
use belay_callers::usage::Usages;
use belay_callers::{Description, Subject, reach};

/// Time for what is likely to be violated.
const SHORT: Duration = Duration::from_secs(2);
/// Time for any description, at least.
const LEAST: Duration = Duration::from_millis(500);
/// The part of the time in which may be shown that what was given is not freed.
const SPARE: f64 = 0.2;
/// The part of its time that an attempt has taken at least, if more time may help.
const CUT_OFF: f64 = 0.7;
/// How many descriptions are looked at in a turn, and which part of the time has gone by when it ends.
const TURNS: [(usize, f64); 4] = [(5, 0.4), (5, 0.55), (5, 0.65), (1, 0.75)];
/// The same for what no condition on numbers was found for.
const LAST_TURNS: [(usize, f64); 2] = [(1, 0.9), (1, 1.0)];
/// Answers for each function. In words, each answer is printed as soon as there is one.
pub fn check(options: &CheckOptions, properties: &[Property]) -> Response {
    if let Some(ignored) = left_out(options) {
        return failure(exit::USAGE, &format!("--each-function gives no {ignored}"));
    }
    // Each description is compiled with the files as they are now.
    belay_frontend::keep_answers();
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
    // Of functions that are left out there is no answer under which to look at them.
    let callers = if options.only.is_empty() { calls::find(options, &library, &answers) } else { Vec::new() };
    if options.format == Format::Text {
        answers.iter().zip(&callers).for_each(|((name, _), callers)| print_now(&callers.words(name)));
    }
    let count = |kind: &str| answers.iter().filter(|(_, answer)| answer.kind() == kind).count();
    let (violated, unknown) = (count("violated"), count("unknown"));
    let assumes = answers.iter().any(|(_, answer)| !answer.assumptions().is_empty());
    let code = match (violated, unknown) {
        (0, 0) if options.strict && assumes => exit::UNKNOWN,
        (0, 0) => exit::PROVED,
        (0, _) => exit::UNKNOWN,
        _ => exit::VIOLATED,
    };
    let output = match options.format {
        Format::Json => render_json(&answers, &callers),
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
        let is_simple = program
            .as_mut()
            .is_some_and(|program| belay_passes::pipeline(program, options.rules.integers.into()).is_ok());
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
        let mut usages = Usages::new(program);
        let usage = usages.of(id);
        let has_header = usage.nodes.iter().any(|node| node.is_negative);
        let kin = if has_header {
            belay_callers::kin(program, &self.interface, &mut usages)
        } else {
            belay_callers::Kin::new()
        };
        let (types, function) = (&self.interface.types, &program.functions[id]);
        Some(ask(&Subject { entry, types, program, function, usage: &usage, kin: &kin }))
    }

    fn find(&self, entry: &Entry) -> Option<(&Program, FuncId)> {
        let program = self.program.as_ref()?;
        Some((program, program.function_named(&entry.name)?))
    }

    /// Places whose blocks the function does not seem to free, if it frees any: that they are alive at its end shows it, if all runs come to its end.
    fn alive(&self, entry: &Entry, properties: &[Property]) -> Vec<String> {
        let returns = self.find(entry).is_some_and(|(program, id)| !reach::may_exit(program, id));
        let ends = returns && properties.contains(&Property::Termination);
        if !ends || !self.may_free(entry) {
            return Vec::new();
        }
        self.with_subject(entry, |subject| subject.kept_places()).unwrap_or_default()
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
        Answered::Safe(_) => Vec::new(),
        Answered::SafeIf(requires, ..) => requires,
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
            .and_then(|program| judge(options, &program, (properties, &[]), (limit, Until::Decided)));
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
        Answer::Unknown(unknown) => format!("--enforce: {name}: {}", because(&unknown.reason)),
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
    let lengths = library.with_subject(entry, |subject| subject.lengths_given()).unwrap_or_default();
    let trial = Trial { options, entry, alive: Vec::new(), lengths };
    let alive = library.alive(entry, properties);
    let spare = limit.mul_f64(SPARE);
    let (mut open, may_need_nothing) = library.descriptions(entry);
    let all = open.clone();
    // What is likely to be violated is only asked for the violation.
    let bare = if may_need_nothing { None } else { open.iter().position(Vec::is_empty).map(|at| open.remove(at)) };
    let mut search = Search { tried: Vec::new(), complaint: None, start, limit };
    if let Some(found) = search.look(&trial, &mut open, properties, &TURNS) {
        let bare = bare.and_then(|bare| search.attempt(&trial, bare, properties, SHORT.min(spare)));
        if let Some(bare) = bare.as_ref().filter(|bare| bare.is_proved()) {
            return Answered::Safe(bare.assumptions());
        }
        search.tried.extend(bare);
        let found = weaker::weaken(&mut search, &trial, (found, &all), properties);
        return sufficient(library, &trial, (found, &search.tried), (alive, spare));
    }
    let bare = bare.and_then(|bare| search.attempt(&trial, bare, properties, SHORT.min(spare)));
    if let Some(bare) = bare.as_ref().filter(|bare| bare.is_proved()) {
        return Answered::Safe(bare.assumptions());
    }
    search.tried.splice(0..0, bare);
    if let Some(found) = search.with_sums(&trial, library, properties) {
        let found = weaker::weaken(&mut search, &trial, (found, &[]), properties);
        return sufficient(library, &trial, (found, &search.tried), (alive, spare));
    }
    if let Some(found) = search.with_floats(&trial, properties) {
        return sufficient(library, &trial, (found, &search.tried), (alive, spare));
    }
    // Numbers are left. Where pointers are described best, the condition excludes the fewest callers.
    for one in search.tried.iter().rev() {
        if start.elapsed() > limit {
            break;
        }
        if let Some(found) = with_numbers(&trial, properties, one, (start, limit)) {
            return sufficient(library, &trial, (found, &search.tried), (alive, spare));
        }
    }
    match search.look(&trial, &mut open, properties, &LAST_TURNS) {
        Some(found) => sufficient(library, &trial, (found, &search.tried), (alive, spare)),
        None => search.give_up(entry),
    }
}

/// The part of the time that is left for one of so many descriptions: the first ones are the likeliest, and get more than the others.
fn part_of(index: usize, count: usize) -> f64 {
    let weight = |index: usize| [4.0, 2.0].get(index).copied().unwrap_or(1.0);
    weight(index) / (index..count).map(weight).sum::<f64>()
}

/// What was tried of a function so far.
struct Search {
    tried: Vec<Tried>,
    /// Why some description could not be tried.
    complaint: Option<String>,
    start: Instant,
    limit: Duration,
}

impl Search {
    /// The first description under which all is proved. A proof is mostly found soon or not at all: all descriptions get a little time, then those of which most is proved
    /// and that nothing speaks against get more.
    fn look(
        &mut self,
        trial: &Trial<'_>,
        open: &mut Vec<Description>,
        properties: &[Property],
        turns: &[(usize, f64)],
    ) -> Option<Tried> {
        for (most, part) in turns {
            let end = self.limit.mul_f64(*part);
            let taken: Vec<Description> = open.drain(..open.len().min(*most)).collect();
            let mut left: Vec<(usize, Description)> = Vec::new();
            for (index, requires) in taken.iter().enumerate() {
                let share = end.saturating_sub(self.start.elapsed()).mul_f64(part_of(index, taken.len())).max(LEAST);
                let begin = Instant::now();
                let Some(now) = self.attempt(trial, requires.clone(), properties, share) else { continue };
                // What came to its end before that has nothing more to say.
                let is_cut_off = begin.elapsed() >= share.mul_f64(CUT_OFF);
                if now.is_proved() {
                    return Some(now);
                }
                if now.violated().next().is_none() && is_cut_off {
                    left.push((now.proved().len(), now.requires.clone()));
                }
                self.tried.retain(|other| other.requires != now.requires);
                self.tried.push(now);
            }
            left.sort_by_key(|(proved, _)| std::cmp::Reverse(*proved));
            open.splice(0..0, left.into_iter().map(|(_, requires)| requires));
        }
        None
    }

    /// Where only sums are left that do not fit: what is added to members of objects has room.
    fn with_sums(&mut self, trial: &Trial<'_>, library: &Library, properties: &[Property]) -> Option<Tried> {
        let sums =
            library.with_subject(trial.entry, |subject| subject.sums_that_fit()).filter(|sums| !sums.is_empty())?;
        let is_sum = |property: Property| matches!(property, Property::NoOverflow | Property::Arithmetic);
        let is_left = |one: &&Tried| !one.requires.is_empty() && one.open().all(is_sum);
        let best = self.tried.iter().find(is_left)?.requires.clone();
        let share = self.limit.saturating_sub(self.start.elapsed()).div_f64(2.0).max(LEAST);
        // What is said of a member needs the object that it is in.
        let speaks_of = |sum: &str| {
            let holder = sum.split_once("->").map_or_else(|| sum.trim_start_matches('*'), |(holder, _)| holder);
            let name = holder.split(' ').next().unwrap_or(holder);
            best.iter().position(|clause| clause.starts_with(&format!("__CPROVER_is_fresh({name},")))
        };
        let mut requires = best.clone();
        for sum in &sums {
            let Some(at) = speaks_of(sum) else { continue };
            requires[at] = format!("{} && {sum}", requires[at]);
        }
        self.attempt(trial, requires, properties, share).filter(Tried::is_proved)
    }

    /// Where only arithmetic is left, and floats are given: they are numbers, or finite ones.
    fn with_floats(&mut self, trial: &Trial<'_>, properties: &[Property]) -> Option<Tried> {
        let params = trial.entry.params.iter();
        let floats = params.filter(|param| is_number(&param.desugared) && !is_integer(&param.desugared));
        let names: Vec<&str> = floats.map(|param| param.name.as_str()).collect();
        let is_left = |one: &&Tried| one.open().all(|property| property == Property::Arithmetic);
        let best = self.tried.iter().find(is_left).filter(|_| !names.is_empty())?;
        let (requires, known) = (best.requires.clone(), best.proved());
        let asked: Vec<Property> = properties.iter().copied().filter(|one| *one == Property::Arithmetic).collect();
        for condition in [|name: &&str| format!("{name} == {name}"), |name: &&str| format!("{name} - {name} == 0")] {
            let requires: Description = requires.iter().cloned().chain(names.iter().map(condition)).collect();
            let share = self.limit.saturating_sub(self.start.elapsed()).div_f64(3.0).max(LEAST);
            // What is proved of all callers is proved of some.
            let found = trial.attempt(&asked, (&requires, &known), share).ok()?;
            let now = Tried { requires, verdicts: [known.as_slice(), &found].concat() };
            if now.is_proved() {
                return Some(now);
            }
        }
        None
    }

    /// Tries a description. What was proved before stays proved.
    fn attempt(
        &mut self,
        trial: &Trial<'_>,
        requires: Description,
        properties: &[Property],
        share: Duration,
    ) -> Option<Tried> {
        let before = self.tried.iter().find(|other| other.requires == requires);
        let known = before.map(Tried::proved).unwrap_or_default();
        let is_open = |property: &&Property| known.iter().all(|verdict| verdict.property() != **property);
        let asked: Vec<Property> = properties.iter().filter(is_open).copied().collect();
        let begin = Instant::now();
        match trial.attempt(&asked, (&requires, &known), share) {
            Ok(found) => {
                let now = Tried { requires, verdicts: [known, found].concat() };
                tracing::debug!(took = ?begin.elapsed(), of = ?share, "{}: {}", shown(&now.requires), summary(&now.verdicts));
                Some(now)
            }
            Err(why) => {
                tracing::debug!("{}: {why}", shown(&requires));
                self.complaint = Some(why);
                None
            }
        }
    }

    /// What is said where nothing was proved.
    fn give_up(self, entry: &Entry) -> Answered {
        let unconditional = self.tried.iter().find(|one| one.requires.is_empty());
        // Where nothing is given that leads anywhere, nothing could be said of it.
        let gives_nothing = entry.params.iter().all(|param| is_number(&param.desugared));
        let is_about_numbers = |verdict: &&Verdict| {
            let property = verdict.property();
            gives_nothing || !matches!(property, Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack)
        };
        if let Some(verdict) = unconditional.and_then(|first| first.violated().find(is_about_numbers)) {
            return Answered::Violated(format!("{}{}", verdict.property().name(), given(entry, verdict)));
        }
        // What was violated was not looked into further.
        let reason = self.tried.iter().rev().find_map(|one| {
            let open = one.verdicts.iter().find_map(|verdict| match verdict.answer() {
                Answer::Unknown(unknown) if one.violated().next().is_none() => {
                    because(&unknown.reason).lines().next().map(str::to_owned)
                }
                Answer::True(_) | Answer::False(_) | Answer::Unknown(_) => None,
            })?;
            let under =
                if one.requires.is_empty() { String::new() } else { format!(" (with {})", shown(&one.requires)) };
            Some(format!("{open}{under}"))
        });
        let nothing = || "no description of its parameters was proved sufficient".to_owned();
        let is_violated = |one: &Tried| {
            let verdict = one.violated().next().filter(|_| !one.requires.is_empty())?;
            Some(format!("{} is violated (with {})", verdict.property().name(), shown(&one.requires)))
        };
        let why =
            reason.or(self.complaint).or_else(|| self.tried.iter().rev().find_map(is_violated)).unwrap_or_else(nothing);
        Answered::Unknown(why.lines().next().unwrap_or_default().to_owned())
    }
}

/// What is proved, and why something of the kind is needed: what happens under the weaker descriptions.
fn sufficient(
    library: &Library,
    trial: &Trial<'_>,
    (mut found, weaker): (Tried, &[Tried]),
    (alive, spare): (Vec<String>, Duration),
) -> Answered {
    let entry = trial.entry;
    if found.requires.is_empty() {
        return Answered::Safe(found.assumptions());
    }
    let shows = weaker.iter().flat_map(Tried::violated).next();
    let needed =
        shows.map(|verdict| format!("{} is violated without it{}", verdict.property().name(), given(entry, verdict)));
    if library.may_free(entry) {
        let shown = Trial { alive, lengths: Vec::new(), ..*trial }.shown_alive(&found.requires, spare);
        found.requires.iter_mut().for_each(|clause| *clause = belay_callers::from_heap(clause, &shown));
    }
    let assumed = found.assumptions();
    Answered::SafeIf(found.requires, needed, assumed)
}
