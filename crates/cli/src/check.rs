//! `belay check`.

use std::path::Path;
use std::time::{Duration, Instant};

use belay_base::{Budget, Span};
use belay_engines::{
    EngineName, Options as EngineOptions, Progress as SessionProgress, Session, SessionStats, bmc::verify_within,
    is_vacuous, verify_each_check, verify_each_loop,
};
use belay_evidence::{Answer, Task, Vacuity, Verdict, Within};
use belay_ir::{Property, passes};
use belay_report::{
    Findings, Invocation, NamedQuestion, Origin, Style, render_json, render_page, render_sarif, render_text,
    render_unknown, render_unknown_sarif, render_witness,
};

use crate::arguments::{CheckOptions, Format, ProgramOptions, PropertyName, expand_property};
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Progress, Response, SandboxLimits, Watch, in_watched_child};
use crate::undescribed::Gap;
use crate::{contracted, described, each_function, project, proof, replay, source, undescribed};

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
        // What a contract's callers have allocated is theirs to free; who wants to know of it asks by name.
        let is_of_callers = options.program.enforce.is_some() && properties.contains(&Property::MemCleanup);
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

fn verify(options: &CheckOptions, questions: &[NamedQuestion], progress: &mut Progress) -> Response {
    let start = Instant::now();
    progress.say("reading the program");
    let mut program = match source::load(&options.program) {
        Ok(program) => program,
        Err(response) => return response,
    };
    let mut entry = match source::entry(&program, &options.program) {
        Ok(entry) => entry,
        Err(response) => return response,
    };
    let bare = undescribed::load(&program, entry, &options.program);
    let pointer_bytes = usize::from(program.layout.pointer_bits() / 8);
    let places = described::is_stated(&options.program).then_some(Gap::Places(pointer_bytes));
    let gap = bare.map(|bare| {
        (program, entry) = (bare.program, bare.entry);
        Gap::Parameter(bare.pointer)
    });
    let gap = gap.or(places);
    let taken = described::taken(&options.program);
    let mut simplified = program.clone();
    if let Err(error) = passes::pipeline(&mut simplified, options.rules.integers.into()) {
        return failure(exit::INTERNAL, &format!("a pass broke the program: {error}"));
    }
    let config = match source::config(&program, entry, &options.program, &options.rules, options.memory_limit) {
        Ok(config) => config,
        Err(response) => return response,
    };
    let task = Task { program: &program, simplified: &simplified, config };
    // The answer is printed before the limit, not at it.
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let budget = Budget::unlimited().until(start + limit).within(options.memory_limit << 20);
    let mut engines = EngineOptions { threads: options.threads(), ..EngineOptions::default() };
    if !options.engines.is_empty() {
        engines.engines = Some(options.engines.iter().map(|name| EngineName::from(*name)).collect());
    }
    engines.kiki.domain = options.domain;
    engines.kiki.k_induction = !options.no_k_induction;
    let stored_in = options.proof.as_ref();
    let origin = stored_in.map(|_| proof::origin(&task, &options.program, &options.rules));
    let known = stored_in.zip(origin.as_ref()).map(|(file, origin)| {
        progress.say("the stored proof");
        let effort = proof::effort(options);
        proof::try_stored(file, &task, origin, &needed_properties(questions), &effort, &budget)
    });
    let proof::Known { properties: mut known, groups, open, notes } = known.unwrap_or_default();
    if !options.each_check && !options.each_loop {
        known.extend(open);
    }
    let is_open = |property: &Property| known.iter().all(|verdict| verdict.property() != *property);
    let open: Vec<Property> = needed_properties(questions).into_iter().filter(is_open).collect();
    let (found, stats) = match options.unwind {
        Some(rounds) => {
            let within = Within::searched(rounds, options.call_depth.unwrap_or(rounds));
            progress.say("bmc");
            (verify_within(&task, &open, within, &budget), SessionStats::default())
        }
        None => {
            let together = questions.iter().map(|question| question.properties.clone()).collect();
            // What single checks need comes after what the session says of all of them.
            let first = budget.share(if options.each_check || options.each_loop { 40 } else { 100 }, u64::MAX);
            let mut properties = contracted::properties(&program, open.clone());
            if gap.is_some() {
                properties = undescribed::properties(properties);
            }
            let session = Session::new(&task, &properties, engines.clone(), &first).with_questions(together);
            // What is found there counts only once all is known.
            let is_final = gap.is_none() && !program.checks_contracts;
            session.verify(&mut |news| match news {
                SessionProgress::Engine { name, decided, checks } => {
                    progress.say_decided(decided, checks);
                    progress.say(name);
                }
                SessionProgress::Answered(verdicts) if is_final => say_answered(progress, verdicts),
                SessionProgress::Known { verdicts, open } if is_final => {
                    let so_far = |reason: &str| {
                        let open = open.iter().map(|property| Verdict::unknown(*property, reason, Span::NONE));
                        let verdicts = verdicts.iter().cloned().chain(open).collect();
                        let verdicts = &join_verdicts(known.clone(), verdicts, &needed_properties(questions));
                        let (checks, loops, stats, queries) = (None, None, &[][..], &[][..]);
                        let elapsed = start.elapsed();
                        let (task, taken) = (&task, taken.as_deref());
                        let findings =
                            Findings { checks, loops, task, questions, verdicts, stats, queries, elapsed, taken };
                        respond(options, &findings)
                    };
                    progress.keep(&so_far("time or memory limit reached"), &so_far("interrupted"));
                }
                SessionProgress::Answered(_) | SessionProgress::Known { .. } => {}
            })
        }
    };
    let mut verdicts = join_verdicts(known, found, &needed_properties(questions));
    verdicts = contracted::withhold(&program, verdicts);
    if let Some(gap) = &gap {
        verdicts = undescribed::withhold(verdicts, gap);
    }
    // What single checks and loops come to would rest on clauses that may fail.
    let by_themselves = contracted::clauses_hold(&program, &verdicts);
    let checks = (options.each_check && by_themselves).then(|| {
        progress.say("each check");
        verify_each_check(&task, &mut verdicts, groups, &engines, &budget)
    });
    let termination = verdicts.iter().find(|verdict| verdict.property() == Property::Termination);
    let loops = termination.filter(|_| options.each_loop && by_themselves).map(|termination| {
        progress.say("each loop");
        verify_each_loop(&task, termination, &budget)
    });
    let verdicts = match without_empty_proofs(&task, &options.program, verdicts, &budget) {
        Ok(verdicts) => verdicts,
        Err(response) => return response,
    };
    let findings = Findings {
        task: &task,
        questions,
        verdicts: &verdicts,
        checks: checks.as_deref(),
        loops: loops.as_deref(),
        stats: &stats.engines,
        queries: &stats.queries,
        elapsed: start.elapsed(),
        taken: taken.as_deref(),
    };
    let mut response = respond(options, &findings);
    response.errors.extend(notes.into_bytes());
    response.errors.extend(undescribed::advise(&verdicts, gap.as_ref()));
    if (options.each_check || options.each_loop) && !by_themselves {
        let note = "belay: note: no answers by check or loop, as some clause of a contract may fail\n";
        response.errors.extend(note.as_bytes());
    }
    let written = [
        options.witness.as_ref().map(|file| write_witness(options, file, &findings)),
        stored_in.zip(origin.as_ref()).map(|(file, origin)| {
            // Who interrupts has not searched.
            let effort =
                (budget.check_clock() != Err(belay_base::Exhausted::Interrupted)).then(|| proof::effort(options));
            proof::write(file, &findings, origin, effort, &budget)
        }),
        options.html.as_ref().map(|file| write_page(file, &findings)),
    ];
    for message in written.into_iter().flatten().filter_map(Result::err) {
        response.code = if message.starts_with("error") { exit::INPUT } else { response.code };
        response.errors.extend(format!("belay: {message}\n").into_bytes());
    }
    if let Some(folder) = &options.replay {
        match replay::write(options, folder, &findings) {
            Ok(notes) => response.errors.extend(notes.into_bytes()),
            Err(message) => {
                response.code = exit::INPUT;
                response.errors.extend(format!("belay: error: {message}\n").into_bytes());
            }
        }
    }
    response
}

/// Says what properties came to.
fn say_answered(progress: &mut Progress, verdicts: &[Verdict]) {
    for verdict in verdicts {
        let word = match verdict.answer() {
            Answer::True(_) => "true",
            Answer::False(_) => "false",
            Answer::Unknown(_) => continue,
        };
        progress.say_answered(verdict.property().name(), word);
    }
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
