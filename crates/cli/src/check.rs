//! `belay check`.

mod verification;

use std::path::Path;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::is_vacuous;
use belay_evidence::{Answer, Task, Vacuity, Verdict};
use belay_ir::Property;
use belay_report::{
    Findings, Invocation, NamedQuestion, Origin, Style, render_json, render_page, render_sarif, render_text,
    render_unknown, render_unknown_sarif, render_witness,
};

use crate::arguments::{CheckOptions, Format, ProgramOptions, PropertyName, expand_property};
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Progress, Response, SandboxLimits, Watch, in_watched_child};
use crate::{described, each_function, project, replay};
use verification::{Subject, Verification};

/// Verifies the program.
pub fn check(options: &CheckOptions) -> Response {
    let given = &options.program;
    if given.files.is_empty() && given.stubs.is_empty() && given.database.is_none() {
        let here = std::env::current_dir().ok();
        if let Some(file) = here.and_then(|here| project::find(&here)) {
            return project::check(&file, options);
        }
    }
    let questions = questions(options);
    if options.each_loop && !needed_properties(&questions).contains(&Property::Termination) {
        return failure(exit::USAGE, "--each-loop asks about termination, which --property leaves out");
    }
    if options.time_limit == 0 {
        return answer_unknown(options, &questions, "time limit reached");
    }
    if options.each_function {
        return each_function::check(options, &each_function_properties(options, &questions));
    }
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let watch = Watch { display: options.progress, answers_interrupts: true };
    match in_watched_child(limits, watch, |progress| verify(options, &questions, progress)) {
        Ok(response) => add_native_replays(options, response),
        Err(Died::Time) => answer_unknown(options, &questions, "time limit reached"),
        Err(Died::Memory) => answer_unknown(options, &questions, "memory limit reached"),
        Err(Died::Interrupted) => answer_unknown(options, &questions, "interrupted"),
        Err(Died::Crash(what)) => answer_unknown(options, &questions, &format!("internal error: {what}")),
    }
}

/// The answer with what came of native replays, if they were asked for. They are run here, since sanitizers need more address space than the child may use.
fn add_native_replays(options: &CheckOptions, mut response: Response) -> Response {
    let Some(folder) = options.replay.as_ref().filter(|_| options.native && response.code == exit::VIOLATED) else {
        return response;
    };
    let lines = replay::run_all(folder, Duration::from_secs(options.time_limit.min(20)));
    if options.format != Format::Text {
        response.errors.extend(lines.into_bytes());
        return response;
    }
    let text = String::from_utf8_lossy(&response.output).into_owned();
    let is_last = |line: &&str| line.starts_with("ASSUMING ") || line.starts_with("VERDICT ");
    let at = text.split_inclusive('\n').take_while(|line| !is_last(line)).map(str::len).sum();
    let (said, last) = text.split_at(at);
    response.output = format!("{said}{lines}{last}").into_bytes();
    response
}

/// What is asked of functions, by the options.
pub fn properties_of_functions(options: &CheckOptions) -> Vec<Property> {
    each_function_properties(options, &questions(options))
}

/// What is asked of functions: valid accesses always, since all else rests on them; whether all is freed only if somebody asks by name.
fn each_function_properties(options: &CheckOptions, questions: &[NamedQuestion]) -> Vec<Property> {
    let mut all = needed_properties(questions);
    all.extend([Property::ValidDeref, Property::ValidFree]);
    if options.properties.contains(&PropertyName::All) {
        all.retain(|property| *property != Property::MemCleanup);
    }
    all.sort();
    all.dedup();
    all
}

/// Each property once, in the order asked.
fn questions(options: &CheckOptions) -> Vec<NamedQuestion> {
    let mut questions: Vec<NamedQuestion> = Vec::new();
    for (name, properties) in options.properties.iter().flat_map(|name| expand_property(*name)) {
        // What callers have allocated, by a contract or a description, is theirs to free; who wants to know of it asks by name.
        let has_callers = options.program.enforce.is_some() || described::is_stated(&options.program);
        let is_of_callers = has_callers && properties.contains(&Property::MemCleanup);
        if is_of_callers && options.properties.contains(&PropertyName::All) {
            continue;
        }
        if questions.iter().all(|known| known.name != name) {
            questions.push(NamedQuestion { name, properties });
        }
    }
    questions
}

fn answer_unknown(options: &CheckOptions, questions: &[NamedQuestion], reason: &str) -> Response {
    let code = exit::UNKNOWN;
    let output = match options.format {
        Format::Text => render_unknown(questions, reason, false),
        Format::Json => render_unknown(questions, reason, true),
        Format::Sarif => {
            let invocation = Invocation { exit_code: code, arguments: &command_line() };
            render_unknown_sarif(questions, reason, invocation)
        }
    };
    Response { code, output: output.into_bytes(), errors: Vec::new() }
}

/// Reads the program, asks the engines, and says and writes what came of it.
fn verify(options: &CheckOptions, questions: &[NamedQuestion], progress: &mut Progress) -> Response {
    let start = Instant::now();
    progress.say("reading the program");
    Subject::read(options).map_or_else(
        |response| response,
        |subject| Verification::new(options, questions, &subject, start).run(progress),
    )
}

/// What was known and what was found, in order.
fn join_verdicts(known: Vec<Verdict>, found: Vec<Verdict>, order: &[Property]) -> Vec<Verdict> {
    let mut all: Vec<Verdict> = known.into_iter().chain(found).collect();
    let proved: Vec<Verdict> =
        all.iter().filter(|verdict| matches!(verdict.answer(), Answer::True(_))).cloned().collect();
    all.sort_by_key(|verdict| order.iter().position(|property| *property == verdict.property()));
    all.into_iter().map(|verdict| verdict.with_memory_safety_proved(&proved)).collect()
}

/// Writes the page of the run.
fn write_page(file: &Path, findings: &Findings<'_>) -> Result<(), String> {
    let page = render_page(findings);
    std::fs::write(file, page).map_err(|error| format!("error: cannot write {}: {error}", file.display()))
}

/// Writes the witness of the verdicts, or says why there is none.
fn write_witness(options: &CheckOptions, file: &Path, findings: &Findings<'_>) -> Result<(), String> {
    let files = options.program.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let (function, time) = (options.program.function.clone(), std::time::SystemTime::now());
    let origin = Origin { files, function, time, version: options.witness_version.into() };
    let text = render_witness(findings, &origin).ok_or("note: no verdict has a witness")?;
    std::fs::write(file, text).map_err(|error| format!("error: cannot write {}: {error}", file.display()))
}

/// A proof about no run at all is wrong use where the precondition excludes every run, and says so where the program's own assumptions do.
fn without_empty_proofs(
    task: &Task<'_>,
    options: &ProgramOptions,
    verdicts: Vec<Verdict>,
    budget: &Budget,
) -> Result<Vec<Verdict>, Response> {
    if !verdicts.iter().any(|verdict| matches!(verdict.answer(), Answer::True(_))) {
        return Ok(verdicts);
    }
    let is_described = !options.preconditions.is_empty() || !options.arrays.is_empty() || described::is_stated(options);
    if is_described && is_vacuous(task, Vacuity::Precondition, budget) {
        let what = "no run meets --precondition and --array: there is nothing to prove";
        return Err(failure(exit::USAGE, what));
    }
    if is_vacuous(task, Vacuity::Assumptions, budget) {
        return Ok(verdicts.into_iter().map(Verdict::of_no_run).collect());
    }
    Ok(verdicts)
}

/// The properties behind the questions, each once.
fn needed_properties(questions: &[NamedQuestion]) -> Vec<Property> {
    let mut all: Vec<Property> = questions.iter().flat_map(|asked| asked.properties.iter().copied()).collect();
    all.sort();
    all.dedup();
    all
}

fn respond(options: &CheckOptions, findings: &Findings<'_>) -> Response {
    let code = match findings.worst() {
        belay_report::Word::False => exit::VIOLATED,
        belay_report::Word::Unknown => exit::UNKNOWN,
        belay_report::Word::True if options.strict && findings.assumes() => exit::UNKNOWN,
        belay_report::Word::True => exit::PROVED,
    };
    let style = Style { verbose: options.verbose, stats: options.stats };
    let output = match options.format {
        Format::Text => render_text(findings, style),
        Format::Json => render_json(findings, style),
        Format::Sarif => render_sarif(findings, Invocation { exit_code: code, arguments: &command_line() }),
    };
    Response { code, output: output.into_bytes(), errors: Vec::new() }
}

/// The arguments that Belay was given.
fn command_line() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}
