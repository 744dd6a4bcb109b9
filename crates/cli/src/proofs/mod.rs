//! `belay proofs DIR`: runs the CBMC proofs under a folder and says of each whether it holds for every bound.
//!
//! Each proof is a run of `belay check --rules cbmc` in a process of its own, so that a proof that fails or hangs takes nothing else with it. Rows come in the order of
//! the folders, whatever the number of jobs.

pub mod find;
pub mod made;
pub mod mutants;
pub mod plain;
pub mod result;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use belay_ir::DataModel;

use crate::arguments::ProofsOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;
use find::Proof;
use result::{Row, Said, Standing, judge, not_run};

/// What a harness claims: that nothing of this is violated; and whether it ends is asked as well.
pub const PROPERTIES: &str = "valid-deref,valid-free,no-overflow,arithmetic,unreach-call,termination";

/// Runs the proofs.
pub fn proofs(options: &ProofsOptions) -> Response {
    if !options.folder.is_dir() {
        return failure(exit::INPUT, &format!("{} is no folder", options.folder.display()));
    }
    let mut folders = find::find_folders(&options.folder);
    let is_asked = |folder: &PathBuf| {
        let name = folder.to_string_lossy();
        options.only.is_empty() || options.only.iter().any(|part| name.contains(part.as_str()))
    };
    folders.retain(is_asked);
    if folders.is_empty() {
        let what = format!("no proofs under {}: no Makefile there names a harness", options.folder.display());
        return failure(exit::INPUT, &what);
    }
    if options.show_commands {
        let output = folders.iter().map(|folder| command(folder, options)).collect::<String>().into_bytes();
        return Response { code: exit::PROVED, output, errors: Vec::new() };
    }
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failure(exit::INTERNAL, &format!("Belay can't find itself: {error}")),
    };
    let rows = run_all(&program, &folders, options);
    let is_violated = rows.iter().any(|row| row.standing == Standing::Violated);
    let code = match rows.iter().all(|row| row.standing == Standing::Proved) {
        _ if is_violated => exit::VIOLATED,
        true => exit::PROVED,
        false => exit::UNKNOWN,
    };
    let mut output = table(&rows);
    if options.strength {
        output.push_str(&strength(&rows));
    }
    Response { code, output: output.into_bytes(), errors: Vec::new() }
}

fn run_all(program: &Path, folders: &[PathBuf], options: &ProofsOptions) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<Option<Row>>> = Mutex::new(vec![None; folders.len()]);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::SeqCst);
            let Some(folder) = folders.get(at) else { return };
            let row = run_one(program, folder, options);
            show_progress(at + 1, folders.len(), &row);
            if let Ok(mut rows) = rows.lock() {
                rows[at] = Some(row);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(work);
        }
    });
    rows.into_inner().unwrap_or_default().into_iter().flatten().collect()
}

fn show_progress(done: usize, all: usize, row: &Row) {
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr(), "{done}/{all} {}: {}", row.name, row.standing.word());
    }
}

fn run_one(program: &Path, folder: &Path, options: &ProofsOptions) -> Row {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut proof = match find::read(folder) {
        Ok(proof) => proof,
        Err(reason) => return not_run(&name, reason),
    };
    let scratch = made::Scratch::new();
    for file in proof.proof_sources.iter_mut().chain(&mut proof.project_sources).filter(|file| !file.exists()) {
        if let Some(place) = scratch.as_ref().and_then(|scratch| made::make(folder, file, scratch)) {
            *file = place;
        }
    }
    let files = proof.proof_sources.iter().chain(&proof.project_sources);
    if let Some(missing) = files.clone().find(|file| !file.exists()) {
        let what = format!("{} does not exist, and make does not say how to write it", missing.display());
        return not_run(&proof.name, what);
    }
    if proof.enforced.len() > 1 {
        let what = "the contracts of several functions are checked at once: one at a time is handled";
        return not_run(&proof.name, what.to_owned());
    }
    let more = proof.enforced.first().and_then(|function| {
        let flags: Vec<String> = proof.flags.iter().cloned().chain(["-D__CPROVER=1".to_owned()]).collect();
        let read = |file: &PathBuf| belay_frontend::preprocess(file, Some(folder), &flags, DataModel::Lp64).ok();
        let texts: Vec<String> = proof.proof_sources.iter().filter_map(read).collect();
        plain::more_than_call(&texts, &proof.entry, function)
    });
    if let Some(what) = more {
        return not_run(&proof.name, what);
    }
    if files.count() == 0 {
        return not_run(&proof.name, "its Makefile names no sources".to_owned());
    }
    match run_check(program, &proof, options) {
        Ok(said) => {
            let mut row = judge(&proof, &said);
            if options.strength && row.standing == Standing::Proved {
                row.noticed = mutants::try_changes(program, &proof, options, said.time);
            }
            row
        }
        Err(reason) => not_run(&proof.name, reason),
    }
}

/// The command that checks the proof in a folder, or why there is none, as a line of a shell's script.
fn command(folder: &Path, options: &ProofsOptions) -> String {
    match find::read(folder) {
        Ok(proof) => {
            let words: Vec<String> = arguments(&proof, options).iter().map(|word| quoted(word)).collect();
            format!("belay {}\n", words.join(" "))
        }
        Err(reason) => format!("# {}: {reason}\n", folder.display()),
    }
}

/// The arguments of `belay` that check a proof.
fn arguments(proof: &Proof, options: &ProofsOptions) -> Vec<String> {
    let mut all: Vec<String> = ["check", "--rules", "cbmc", "--threads", "1", "--property", PROPERTIES]
        .map(str::to_owned)
        .into_iter()
        .chain(["--time-limit".to_owned(), options.time_limit.to_string()])
        .chain(["--memory-limit".to_owned(), options.memory_limit.to_string()])
        .collect();
    let mut give = |flag: &str, value: String| all.extend([flag.to_owned(), value]);
    match proof.enforced.first() {
        Some(function) => give("--enforce", function.clone()),
        None => give("--function", proof.entry.clone()),
    }
    proof.replaced.iter().for_each(|function| give("--replace", function.clone()));
    proof.proof_sources.iter().for_each(|file| give("--stubs", file.display().to_string()));
    proof.object_bits.iter().for_each(|bits| give("--object-bits", bits.clone()));
    proof.removed.iter().for_each(|function| give("--remove-body", function.clone()));
    if proof.nondet_static {
        all.push("--nondet-static".to_owned());
    }
    all.extend(proof.project_sources.iter().map(|file| file.display().to_string()));
    all.push("--".to_owned());
    all.extend(proof.flags.iter().cloned());
    all
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

pub fn run_check(program: &Path, proof: &Proof, options: &ProofsOptions) -> Result<Said, String> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments(proof, options)).current_dir(&proof.folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("Belay can't be run: {error}"))?;
    let errors = child.stderr.take();
    let reader = std::thread::spawn(move || read_all(errors));
    let output = read_all(child.stdout.take());
    let errors = reader.join().unwrap_or_default();
    let (code, mebibytes) = wait(child);
    Ok(Said { code, output, errors, time: start.elapsed(), mebibytes })
}

fn read_all(stream: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for a child; its exit code, and the most memory that it or a child of its own had.
fn wait(child: Child) -> (Option<i32>, u64) {
    let Ok(pid) = libc::pid_t::try_from(child.id()) else { return (None, 0) };
    // SAFETY: the child is ours and is waited for once; both structures are valid for the call.
    unsafe {
        let mut status = 0;
        let mut usage: libc::rusage = std::mem::zeroed();
        let is_waited = libc::wait4(pid, &mut status, 0, &mut usage) == pid;
        let code = (is_waited && libc::WIFEXITED(status)).then(|| libc::WEXITSTATUS(status));
        (code, u64::try_from(usage.ru_maxrss).unwrap_or(0) / 1024)
    }
}

/// All rows, what can be left out of the Makefiles, and how many proofs came out how.
fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(5);
    let mut text = format!("{:width$}  {:23}  ends     s   MiB  why\n", "proof", "result");
    for row in rows {
        let ends = if row.terminates { "yes" } else { "?" };
        let (word, time) = (row.standing.word(), row.time.as_secs_f64());
        let line = format!("{:width$}  {word:23}  {ends:4}  {time:5.1}  {:4}  {}", row.name, row.mebibytes, row.reason);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let idle: Vec<String> = rows.iter().filter(|row| !row.idle_bounds.is_empty()).map(idle_bounds).collect();
    if !idle.is_empty() {
        text.push_str(&format!("\nbounds that can go: what they bound is proved for every bound\n{}", idle.concat()));
    }
    let counts = Standing::ALL.map(|standing| {
        let count = rows.iter().filter(|row| row.standing == standing).count();
        format!("{count} {}", standing.word())
    });
    let ending = rows.iter().filter(|row| row.terminates).count();
    let vacuous = rows.iter().filter(|row| row.is_vacuous).count();
    let vacuous = if vacuous > 0 { format!("; {vacuous} are vacuous") } else { String::new() };
    text.push_str(&format!("\n{} proofs: {}; {ending} end in every run{vacuous}\n", rows.len(), counts.join(", ")));
    text
}

/// How strong the proofs are: what each rests on, and contracts that are used and that no proof of this run shows to hold.
fn strength(rows: &[Row]) -> String {
    let mut text = "\nstrength of what is proved\n".to_owned();
    let proved = |row: &&Row| row.standing == Standing::Proved;
    for row in rows.iter().filter(proved) {
        let assumed = if row.assumed.is_empty() { "nothing".to_owned() } else { row.assumed.join("; ") };
        text.push_str(&format!("  {}: assumes {assumed}\n", row.name));
        if let Some(noticed) = &row.noticed {
            text.push_str(&changes_told(noticed));
        }
        let is_shown = |name: &String| rows.iter().filter(proved).any(|other| other.enforced.contains(name));
        let open: Vec<&str> = row.replaced.iter().filter(|name| !is_shown(name)).map(String::as_str).collect();
        if !open.is_empty() {
            text.push_str(&format!("    contracts that it uses and that no proof here shows: {}\n", open.join(", ")));
        }
    }
    text
}

/// What a proof does not notice.
fn changes_told(noticed: &mutants::Noticed) -> String {
    let open = match noticed.undecided {
        0 => String::new(),
        count => format!(" ({count} more came to no answer)"),
    };
    let mut text = format!(
        "    {} of {} changes of one token of the function are not noticed{open}\n",
        noticed.unnoticed.len(),
        noticed.decided
    );
    noticed.unnoticed.iter().for_each(|what| text.push_str(&format!("      {what}\n")));
    if !noticed.unreached.is_empty() {
        text.push_str(&format!("    no run gets to the blocks at {}\n", noticed.unreached.join(", ")));
    }
    text
}

fn idle_bounds(row: &Row) -> String {
    format!("  {}: --unwindset {}\n", row.name, row.idle_bounds.join(","))
}
