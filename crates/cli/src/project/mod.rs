//! A project's own file: `belay check` without files does all that `belay.toml` says, and `belay init` writes one.
//!
//! Each entry is a run of `belay check` in a process of its own. What came of it is kept in `.belay`, under a digest of all that it depends on: the entry's code and the code of what
//! it calls, all declarations of all files, the options, and Belay itself. Where nothing of it has changed, the answer is the one that is kept. The folder is trusted as a
//! folder of object files is; `--fresh` does without it. Proofs are stored there too, so that after a change what still holds is only checked, not searched for.

mod answers;
mod file;
pub mod init;
mod toml;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use answers::{Kept, Violation, violations};
use file::{Entry, Project, Suppression};

use crate::arguments::CheckOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;

pub use file::find;

/// What is asked of functions where the file says nothing else.
const PROPERTIES: &str = "memsafety,no-overflow,arithmetic,unreach-call,termination";

/// An entry and what came of it.
struct Row {
    function: String,
    kept: Kept,
    is_old: bool,
    time: Duration,
    violations: Vec<Violation>,
    /// Reasons of the suppressions that cover all violations.
    suppressed: Vec<String>,
}

/// Checks all that the file says.
pub fn check(file: &Path, options: &CheckOptions) -> Response {
    let project = match file::read(file) {
        Ok(project) => project,
        Err(message) => return failure(exit::INPUT, &message),
    };
    let entries = match entries(&project) {
        Ok(entries) => entries,
        Err(response) => return response,
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failure(exit::INTERNAL, &format!("Belay can't find itself: {error}")),
    };
    let digests = match answers::digests(&project, &common(&project), &program) {
        Ok(digests) => digests,
        Err(response) => return response,
    };
    let run = |entry: &Entry| {
        let arguments = arguments(&project, entry);
        let digest = digests.iter().find(|(name, _)| *name == entry.function).map(|(_, digest)| digest.as_str());
        run_one(&program, &project, entry, &arguments, digest.filter(|_| !options.fresh))
    };
    let mut rows = run_all(&entries, project.jobs, run);
    let unmatched = suppress(&mut rows, &project.suppressions);
    conclude(&rows, &unmatched)
}

/// The entries: those of the file, else `main`, else every function that other files can call.
fn entries(project: &Project) -> Result<Vec<Entry>, Response> {
    if !project.entries.is_empty() {
        return Ok(project.entries.clone());
    }
    let names = init::functions(&common(project), &project.folder)?;
    let named = |name: &String| Entry { function: name.clone(), ..Entry::default() };
    Ok(match names.iter().find(|name| *name == "main") {
        Some(main) => vec![named(main)],
        None => names.iter().map(named).collect(),
    })
}

/// The options that say which program it is.
fn common(project: &Project) -> Vec<String> {
    let mut all: Vec<String> = project.files.clone();
    all.extend(project.database.iter().flat_map(|file| ["-p".to_owned(), file.clone()]));
    all.extend(project.rules.iter().map(|rules| format!("--rules={rules}")));
    all.extend(project.target.iter().map(|triple| format!("--target={triple}")));
    all.extend(project.data_model.iter().map(|name| format!("--data-model={name}")));
    let mut flags = project.flags.clone();
    for header in project.contracts.iter().flat_map(|folder| headers(&project.folder.join(folder))) {
        flags.extend(["-include".to_owned(), header.display().to_string()]);
    }
    if !flags.is_empty() {
        all.push("--".to_owned());
        all.extend(flags);
    }
    all
}

/// The headers of a folder, in the order of their names.
fn headers(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "h"))
        .filter_map(|path| std::path::absolute(path).ok())
        .collect();
    found.sort();
    found
}

/// The arguments of `belay` that check an entry.
fn arguments(project: &Project, entry: &Entry) -> Vec<String> {
    let properties = [&entry.properties, &project.properties].into_iter().find(|names| !names.is_empty());
    let properties = properties.map_or_else(|| PROPERTIES.to_owned(), |names| names.join(","));
    let seconds = entry.time_limit.unwrap_or(project.time_limit);
    let mut all: Vec<String> = ["check", "--threads", "1", "--property", &properties].map(str::to_owned).to_vec();
    all.push(format!("--time-limit={seconds}"));
    all.push(format!("--memory-limit={}", project.memory_limit));
    let is_described = !(entry.strings.is_empty() && entry.arrays.is_empty() && entry.preconditions.is_empty());
    if entry.enforce {
        all.push(format!("--enforce={}", entry.function));
    } else if is_described || entry.function == "main" {
        all.push(format!("--function={}", entry.function));
    } else {
        all.extend(["--each-function".to_owned(), format!("--only={}", entry.function)]);
    }
    all.extend(entry.strings.iter().map(|name| format!("--string={name}")));
    all.extend(entry.arrays.iter().map(|array| format!("--array={array}")));
    all.extend(entry.preconditions.iter().map(|condition| format!("--precondition={condition}")));
    all.extend(entry.replace.iter().map(|name| format!("--replace={name}")));
    all.extend(common(project));
    all
}

fn run_one(program: &Path, project: &Project, entry: &Entry, arguments: &[String], digest: Option<&str>) -> Row {
    let start = Instant::now();
    let folder = project.folder.join(".belay");
    let key = digest.map(|digest| answers::key(digest, arguments));
    let place = folder.join(format!("{}.answer", entry.function));
    let row = |kept: Kept, is_old: bool| {
        let violations = violations(&entry.function, &kept.output);
        let (function, time) = (entry.function.clone(), start.elapsed());
        Row { function, kept, is_old, time, violations, suppressed: Vec::new() }
    };
    if let Some(kept) = key.as_ref().and_then(|key| Kept::read(&place, key)) {
        return row(kept, true);
    }
    let mut command = Command::new(program);
    command.args(&arguments[..1]).current_dir(&project.folder).stdin(Stdio::null());
    if !arguments.iter().any(|word| word == "--each-function") && std::fs::create_dir_all(&folder).is_ok() {
        command.arg("--proof").arg(Path::new(".belay").join(format!("{}.proof", entry.function)));
    }
    command.args(&arguments[1..]);
    let kept = match command.output() {
        Ok(output) => Kept {
            code: output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::INTERNAL),
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        },
        Err(error) => {
            Kept { code: exit::INTERNAL, output: String::new(), errors: format!("Belay can't be run: {error}") }
        }
    };
    if let Some(key) = key.filter(|_| kept.is_lasting()) {
        kept.write(&place, &key);
    }
    row(kept, false)
}

fn run_all(entries: &[Entry], jobs: usize, run: impl Fn(&Entry) -> Row + Sync) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Row)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some(entry) = entries.get(at) else { return };
            let row = run(entry);
            if let Ok(mut rows) = rows.lock() {
                rows.push((at, row));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(work);
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Marks what is suppressed; the suppressions that match nothing.
fn suppress<'s>(rows: &mut [Row], suppressions: &'s [Suppression]) -> Vec<&'s Suppression> {
    let matches = |known: &Suppression, function: &str, violation: &Violation| {
        let is_place = known.place.as_ref().is_none_or(|place| violation.place.ends_with(place.as_str()));
        known.function == function && known.property == violation.property && is_place
    };
    for row in rows.iter_mut() {
        let reason = |violation: &Violation| {
            suppressions.iter().find(|known| matches(known, &row.function, violation)).map(|known| known.reason.clone())
        };
        let reasons: Vec<Option<String>> = row.violations.iter().map(reason).collect();
        if !reasons.is_empty() && reasons.iter().all(Option::is_some) {
            row.suppressed = reasons.into_iter().flatten().collect();
        }
    }
    let is_met = |known: &&Suppression| {
        rows.iter().any(|row| row.violations.iter().any(|violation| matches(known, &row.function, violation)))
    };
    suppressions.iter().filter(|known| !is_met(known)).collect()
}

/// The table, and the exit code.
fn conclude(rows: &[Row], unmatched: &[&Suppression]) -> Response {
    let width = rows.iter().map(|row| row.function.len()).max().unwrap_or(0).max(5);
    let mut output = String::new();
    let mut counts = [0usize; 4];
    for row in rows {
        let (word, why) = match row.kept.code {
            _ if !row.suppressed.is_empty() => ("suppressed", row.suppressed.join("; ")),
            exit::PROVED => ("proved", row.kept.condition(&row.function)),
            exit::VIOLATED => {
                ("violated", row.violations.iter().map(Violation::to_string).collect::<Vec<_>>().join("; "))
            }
            exit::UNKNOWN => ("unknown", row.kept.reason(&row.function)),
            _ => ("error", row.kept.errors.lines().next().unwrap_or_default().to_owned()),
        };
        counts[["proved", "violated", "suppressed"].iter().position(|known| *known == word).unwrap_or(3)] += 1;
        let when = if row.is_old { "unchanged".to_owned() } else { format!("{:.1} s", row.time.as_secs_f64()) };
        let line = format!("{:width$}  {word:10}  {when:>9}  {why}", row.function);
        output.push_str(line.trim_end());
        output.push('\n');
    }
    let [proved, violated, suppressed, unknown] = counts;
    output.push_str(&format!(
        "\n{} {}: {proved} proved, {violated} violated, {suppressed} suppressed, {unknown} unknown\n",
        rows.len(),
        if rows.len() == 1 { "entry" } else { "entries" }
    ));
    let mut errors = String::new();
    for known in unmatched {
        errors.push_str(&format!(
            "belay: error: belay.toml:{}: nothing is violated any more that this suppression is about ({}, {})\n",
            known.line, known.function, known.property
        ));
    }
    let has = |wanted: fn(u8) -> bool| rows.iter().any(|row| row.suppressed.is_empty() && wanted(row.kept.code));
    let code = if has(|code| code == exit::VIOLATED) {
        exit::VIOLATED
    } else if !unmatched.is_empty() || has(|code| !matches!(code, exit::PROVED | exit::UNKNOWN | exit::VIOLATED)) {
        exit::INPUT
    } else if has(|code| code == exit::UNKNOWN) {
        exit::UNKNOWN
    } else {
        exit::PROVED
    };
    Response { code, output: output.into_bytes(), errors: errors.into_bytes() }
}
