//! `belay check --replay` and `belay replay`: violations as programs that the user's own compiler builds.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belay_evidence::Answer;
use belay_frontend::{PROGRAM_NAME, use_own_libraries};
use belay_ir::Property;
use belay_report::{Expected, Findings, Reason, Reproduced, Sources, describe_replay, render_replay, replay_words};

use crate::arguments::{CheckOptions, ReplayOptions};
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// Writes a folder for each violated property; what is to be said about it.
pub fn write(options: &CheckOptions, folder: &Path, findings: &Findings<'_>) -> Result<String, String> {
    let others = ["ll", "bc", "cpp", "cc", "cxx", "c++"];
    let is_source =
        |file: &PathBuf| file.extension().is_none_or(|extension| others.iter().all(|other| extension != *other));
    let files = &options.program.files;
    let is_known = options.program.database.is_none() && files.iter().all(is_source);
    let absolute = |file: &PathBuf| std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
    let fixed = options.program.surroundings.fixed();
    let sources = Sources {
        files: files.iter().map(|file| absolute(file).to_string_lossy().into_owned()).collect(),
        flags: options.program.clang_flags().map(|flag| anywhere(flag)).collect(),
        function: options.program.function.clone(),
        arguments: fixed.arguments.map(|words| std::iter::once(PROGRAM_NAME.to_owned()).chain(words).collect()),
        stdin: fixed.stdin.and_then(|file| std::fs::read(file).ok()),
        in_folder: fixed.files.is_some(),
    };
    let mut notes = String::new();
    for verdict in findings.verdicts {
        let Answer::False(counterexample) = verdict.answer() else { continue };
        let property = verdict.property();
        let rendered = match is_known {
            true => render_replay(findings.task, property, counterexample, &sources),
            false => Err("only programs given as C files can be built again"),
        };
        match rendered {
            Err(why) => notes.push_str(&format!("belay: note: no replay for {property}: {why}\n")),
            Ok(files) => {
                let folder = folder.join(property.name());
                let cannot = |error| format!("cannot write {}: {error}", folder.display());
                std::fs::create_dir_all(&folder).map_err(cannot)?;
                if let Some(from) = &options.program.surroundings.folder {
                    copy_folder(from, &folder.join("files")).map_err(cannot)?;
                }
                for file in files {
                    std::fs::write(folder.join(file.name), file.content).map_err(cannot)?;
                }
                notes.push_str(&format!("belay: note: replay of {property} written to {}\n", folder.display()));
            }
        }
    }
    Ok(notes)
}

/// Copies files and folders; the program may change the copy.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// A flag that names a folder, by a path that holds from anywhere.
fn anywhere(flag: &str) -> String {
    let absolute = |path: &str| std::fs::canonicalize(path).ok().map(|path| path.to_string_lossy().into_owned());
    match flag.strip_prefix("-I").filter(|path| !path.is_empty()) {
        Some(path) => absolute(path).map_or_else(|| flag.to_owned(), |path| format!("-I{path}")),
        None if Path::new(flag).is_dir() => absolute(flag).unwrap_or_else(|| flag.to_owned()),
        None => flag.to_owned(),
    }
}

/// Builds and runs what was written.
pub fn replay(options: &ReplayOptions) -> Response {
    let folders = folders(&options.folder);
    if folders.is_empty() {
        return failure(exit::INPUT, &format!("{} holds no replay", options.folder.display()));
    }
    let compilers = options.compiler.clone().map_or_else(compilers_here, |compiler| vec![compiler]);
    if compilers.is_empty() {
        return failure(exit::INPUT, "neither clang nor gcc is there");
    }
    let mut text = String::new();
    let mut code = exit::PROVED;
    for folder in folders {
        let read = std::fs::read_to_string(folder.join("expected.txt")).ok();
        let Some(expected) = read.and_then(|text| Expected::from_text(&text)) else {
            return failure(exit::INPUT, &format!("{}: expected.txt can't be read", folder.display()));
        };
        let reproduced = replay_one(&folder, &compilers, &expected, options.time_limit);
        code = code.max(match reproduced {
            Reproduced::Natively => exit::PROVED,
            Reproduced::NotBuilt(_) => exit::INTERNAL,
            Reproduced::NotVisible(_) => exit::UNKNOWN,
        });
        text.push_str(&describe_replay(&folder.to_string_lossy(), &expected, &reproduced));
    }
    Response { code, output: text.into_bytes(), errors: Vec::new() }
}

/// Builds and runs all replays of a folder: a line for each property.
pub fn run_all(folder: &Path, limit: Duration) -> String {
    let compilers = compilers_here();
    if compilers.is_empty() {
        return "REPLAY neither clang nor gcc is there\n".to_owned();
    }
    let mut lines = String::new();
    for folder in folders(folder) {
        let read = std::fs::read_to_string(folder.join("expected.txt")).ok();
        let Some(expected) = read.and_then(|text| Expected::from_text(&text)) else { continue };
        let reproduced = replay_one(&folder, &compilers, &expected, limit.as_secs());
        lines.push_str(&format!("REPLAY {} {}\n", expected.property, replay_words(&reproduced)));
    }
    lines
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let is_replay = |folder: &PathBuf| folder.join("harness.c").exists();
    if is_replay(&folder.to_path_buf()) {
        return vec![folder.to_path_buf()];
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_replay).collect();
    found.sort();
    found
}

fn compilers_here() -> Vec<String> {
    let works = |name: &&str| {
        let mut command = Command::new(name);
        use_own_libraries(&mut command);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    ["clang-22", "clang", "gcc", "cc"].into_iter().filter(works).map(str::to_owned).collect()
}

fn replay_one(folder: &Path, compilers: &[String], expected: &Expected, seconds: u64) -> Reproduced {
    if let Err(message) = build_with_any(folder, compilers) {
        return Reproduced::NotBuilt(message);
    }
    let Some(run) = run(folder, Duration::from_secs(seconds)) else {
        return Reproduced::NotVisible(Reason::WentAnotherWay);
    };
    judge(expected, &run)
}

/// Builds with the first compiler that can: clang without the runtime of its sanitizers, which is a package of its own, leaves it to gcc. If none can, what the first one says.
fn build_with_any(folder: &Path, compilers: &[String]) -> Result<(), String> {
    let mut message = None;
    for compiler in compilers {
        match build(folder, compiler) {
            Ok(()) => return Ok(()),
            Err(said) => drop(message.get_or_insert(said)),
        }
    }
    Err(message.unwrap_or_default())
}

/// As with the program itself, what clang refuses gets a try in the dialect of 1989.
fn build(folder: &Path, compiler: &str) -> Result<(), String> {
    let mut message = String::new();
    for dialect in ["gnu17", "gnu89"] {
        let mut command = Command::new("make");
        use_own_libraries(&mut command);
        command.args(["-s", "-B", "replay"]).arg(format!("CC={compiler}")).arg(format!("STD={dialect}"));
        match command.current_dir(folder).stdin(Stdio::null()).output() {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) if message.is_empty() => message = what_is_wrong(&String::from_utf8_lossy(&output.stderr)),
            Ok(_) => {}
            Err(error) => return Err(format!("make: {error}")),
        }
    }
    Err(message)
}

/// The line of a compiler's or a linker's messages that says most.
fn what_is_wrong(errors: &str) -> String {
    let named = |words: &[&str]| errors.lines().find(|line| words.iter().any(|word| line.contains(word)));
    let line = named(&["cannot find", "undefined reference"]).or(named(&["error"])).or(errors.lines().next());
    let line = line.unwrap_or("make failed");
    let is_runtime = line.contains("libclang_rt") || line.contains("-lasan") || line.contains("-lubsan");
    let advice = if is_runtime { " (the sanitizers' runtime; on Debian libclang-rt-22-dev)" } else { "" };
    format!("{line}{advice}")
}

/// A native run.
struct NativeRun {
    /// What it wrote to its standard error.
    errors: String,
    /// It did not end in time.
    is_cut_off: bool,
}

fn run(folder: &Path, limit: Duration) -> Option<NativeRun> {
    // A program that prints for ever must not fill the disk.
    let script = "ulimit -f 100000; ulimit -c 0; exec ./replay < stdin.txt > /dev/null 2> replay.log";
    let mut command = Command::new("bash");
    use_own_libraries(&mut command);
    let mut child = command.args(["-c", script]).current_dir(folder).spawn().ok()?;
    let start = Instant::now();
    let mut is_cut_off = false;
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            is_cut_off = true;
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let errors = std::fs::read(folder.join("replay.log")).ok()?;
    Some(NativeRun { errors: String::from_utf8_lossy(&errors).into_owned(), is_cut_off })
}

/// Whether the run shows what was expected: a report of the right kind that names the line.
fn judge(expected: &Expected, run: &NativeRun) -> Reproduced {
    let errors = &run.errors;
    let names_place = match &expected.place {
        Some((file, line)) => {
            let place = format!("{file}:{line}");
            errors
                .match_indices(&place)
                .any(|(at, _)| !errors[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()))
        }
        None => true,
    };
    let is_endless = expected.property == Property::Termination;
    if shows(expected.property, errors) && (names_place || is_endless) {
        return Reproduced::Natively;
    }
    if run.is_cut_off {
        return Reproduced::NotVisible(Reason::TooLong);
    }
    let stopped = errors.contains("ERROR: AddressSanitizer") || errors.contains("ERROR: LeakSanitizer");
    let by_default = expected.otherwise == Reason::WentAnotherWay;
    let reason = if stopped && by_default { Reason::StopsElsewhere } else { expected.otherwise };
    Reproduced::NotVisible(reason)
}

/// True if a report is of a kind that violates the property.
fn shows(property: Property, errors: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| errors.contains(word));
    let mut reports = errors.lines().filter(|line| line.contains("ERROR: AddressSanitizer"));
    let invalid = reports.any(|line| !line.contains(": ABRT"));
    match property {
        Property::ValidDeref => {
            let of_access = [
                "null pointer",
                "out of bounds",
                "unreachable program point",
                "non-positive value",
                "insufficient space",
            ];
            invalid || errors.contains("runtime error") && any(&of_access)
        }
        Property::ValidFree => invalid,
        Property::ValidMemtrack | Property::MemCleanup => any(&["LeakSanitizer: detected memory leaks"]),
        Property::NoOverflow => any(&["signed integer overflow", "negation of", "division of"]),
        Property::Arithmetic => any(&["division by zero", "shift", "outside the range of representable values"]),
        Property::UnreachCall => any(&[": ABRT", "Assertion", " is called\n", "assertion fails\n"]),
        Property::Termination => errors.matches("still running\n").count() >= 2 || errors.contains("stack-overflow"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge_run(property: Property, line: u32, otherwise: Reason, errors: &str) -> Reproduced {
        let expected = Expected { property, place: Some(("p.c".to_owned(), line)), what: String::new(), otherwise };
        judge(&expected, &NativeRun { errors: errors.to_owned(), is_cut_off: false })
    }

    #[test]
    fn a_report_counts_at_its_line_only() {
        let report = "==1==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x1 in main p.c:12:3\n";
        let neighbour = Reason::NeighbouringObject;
        assert_eq!(judge_run(Property::ValidDeref, 12, neighbour, report), Reproduced::Natively);
        assert_eq!(judge_run(Property::ValidDeref, 1, neighbour, report), Reproduced::NotVisible(neighbour));
        let elsewhere = Reproduced::NotVisible(Reason::StopsElsewhere);
        assert_eq!(judge_run(Property::NoOverflow, 12, Reason::WentAnotherWay, report), elsewhere);
        assert_eq!(judge_run(Property::UnreachCall, 12, neighbour, report), Reproduced::NotVisible(neighbour));
    }

    #[test]
    fn what_is_missing_is_named() {
        let linker =
            "/usr/bin/ld: cannot find /x/libclang_rt.asan.a: No such file\nclang: error: linker command failed\n";
        assert!(
            what_is_wrong(linker).ends_with("No such file (the sanitizers' runtime; on Debian libclang-rt-22-dev)")
        );
        assert_eq!(
            what_is_wrong("p.c:1:2: error: expected ;\nmake: *** [replay] Error 1\n"),
            "p.c:1:2: error: expected ;"
        );
        assert_eq!(what_is_wrong(""), "make failed");
    }

    #[test]
    fn a_run_without_end_is_seen_twice() {
        let twice = "still running\nx\nstill running\n";
        assert_eq!(judge_run(Property::Termination, 3, Reason::WentAnotherWay, twice), Reproduced::Natively);
        let once = judge_run(Property::Termination, 3, Reason::WentAnotherWay, "still running\n");
        assert_eq!(once, Reproduced::NotVisible(Reason::WentAnotherWay));
    }
}
