//! Hostile input: programs that are huge, deep, broken or wild, solvers that hang, die or lie, no room for temporary files, signals at any
//! moment. Each ends within its limits with a verdict or one message, and leaves neither a process nor a file behind.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;
#[path = "hostile/programs.rs"]
mod programs;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Scratch, belay, shown, text};

/// Proved, bad input, unknown, violated.
const CODES: [i32; 4] = [0, 2, 5, 10];
const TIME_LIMIT: &str = "5";

/// The processes whose command line names this folder.
fn processes_about(folder: &Path) -> Vec<String> {
    let wanted = folder.to_str().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| text(&line)).filter(|line| line.contains(wanted)).collect()
}

/// What must hold of every end.
fn ends_well(name: &str, output: &Output, taken: Duration, most: Duration) {
    assert!(taken < most, "{name} took {taken:?}");
    let code = output.status.code();
    assert!(code.is_some_and(|code| CODES.contains(&code)), "{name}: {}", shown(output));
    let all = text(&output.stdout) + &text(&output.stderr);
    for word in ["panicked", "RUST_BACKTRACE", "unwrap()", "internal error"] {
        assert!(!all.contains(word), "{name} says `{word}`: {}", shown(output));
    }
    match code {
        Some(2) => assert_eq!(text(&output.stderr).matches("belay: error:").count(), 1, "{name}: {}", shown(output)),
        _ => assert!(text(&output.stdout).contains("VERDICT"), "{name}: {}", shown(output)),
    }
}

/// Checks a file in a folder of its own; nothing may be left of the check.
fn check(name: &str, file: &str, content: impl AsRef<[u8]>, most: Duration) {
    let scratch = Scratch::new(&format!("hostile-{}", name.replace(|c: char| !c.is_alphanumeric(), "-")));
    let path = scratch.file(file, content);
    let temporary = scratch.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let begun = Instant::now();
    let output = belay()
        .args(["check", "--property", "valid-deref", "--time-limit", TIME_LIMIT, "--memory-limit", "2000"])
        .arg(&path)
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    ends_well(name, &output, begun.elapsed(), most);
    nothing_is_left(name, scratch.path(), &temporary);
}

fn nothing_is_left(name: &str, folder: &Path, temporary: &Path) {
    let begun = Instant::now();
    while !processes_about(folder).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{name} leaves {:?}", processes_about(folder));
        std::thread::sleep(Duration::from_millis(20));
    }
    let left = std::fs::read_dir(temporary).map_or(0, Iterator::count);
    assert_eq!(left, 0, "{name} leaves a temporary file");
}

fn check_all(programs: Vec<programs::Hostile>, most: Duration) {
    std::thread::scope(|scope| {
        let share = programs.len().div_ceil(2).max(1);
        for part in programs.chunks(share) {
            scope.spawn(move || part.iter().for_each(|it| check(it.name, it.file, &it.content, most)));
        }
    });
}

#[test]
fn hostile_programs_end_well() {
    let programs = programs::small();
    assert!(programs.len() >= 90, "{} programs", programs.len());
    check_all(programs, Duration::from_secs(30));
}

#[test]
#[ignore = "hundreds of megabytes: minutes"]
fn huge_programs_end_well() {
    check_all(programs::huge(), Duration::from_secs(120));
}

/// A program that needs the second solver: its proof is by unrolling.
const PROVED_BY_UNROLLING: &str = "extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(); int a[2] = {0}; return a[(x * x) % 4]; }\n";

/// A check with a stand-in for z3 on the path.
fn with_solver(name: &str, script: &str) -> Output {
    let scratch = Scratch::new(&format!("solver-{name}"));
    let path = scratch.file("program.c", PROVED_BY_UNROLLING);
    let bin = scratch.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let solver = bin.join("z3");
    std::fs::write(&solver, script).unwrap();
    std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).unwrap();
    let search = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let begun = Instant::now();
    let mut command = belay();
    command.args(["check", "--property", "valid-deref", "--time-limit", "30"]).arg(&path).env("PATH", search);
    let output = command.output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(40), "{name} took {:?}", begun.elapsed());
    assert!(!text(&output.stderr).contains("panicked"), "{name}: {}", shown(&output));
    nothing_is_left(name, scratch.path(), &scratch.path().join("none"));
    output
}

#[test]
fn a_solver_that_misbehaves() {
    for (name, script) in [
        ("hangs", "#!/bin/sh\nexec sleep 1000\n"),
        ("reads-and-hangs", "#!/bin/sh\ncat >/dev/null\nexec sleep 1000\n"),
        ("dies", "#!/bin/sh\nexit 3\n"),
        ("is-killed", "#!/bin/sh\nkill -9 $$\n"),
        ("babbles", "#!/bin/sh\nexec head -c 5000000 /dev/zero\n"),
        ("says-nonsense", "#!/bin/sh\necho maybe\n"),
        ("is-no-program", "not a program"),
    ] {
        let output = with_solver(name, script);
        let said = text(&output.stdout);
        assert!(said.contains("VERDICT valid-deref true"), "{name}: {}", shown(&output));
        assert!(said.contains("not re-checked"), "{name}: {}", shown(&output));
    }
}

/// A second solver that contradicts a proof makes the answer unknown.
#[test]
fn a_solver_that_lies_costs_the_proof() {
    let output = with_solver("lies", "#!/bin/sh\ncat >/dev/null\necho sat\n");
    assert!(text(&output.stdout).contains("VERDICT valid-deref unknown(internal error"), "{}", shown(&output));
}

#[test]
fn no_room_for_temporary_files() {
    let scratch = Scratch::new("no-room");
    let path = scratch.file("program.c", PROVED_BY_UNROLLING);
    let closed = scratch.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    for folder in [scratch.path().join("missing"), closed, "/dev/full".into(), "/dev/null".into()] {
        let begun = Instant::now();
        let output = belay().args(["check", "--time-limit", "20"]).arg(&path).env("TMPDIR", &folder).output().unwrap();
        ends_well(&folder.display().to_string(), &output, begun.elapsed(), Duration::from_secs(40));
    }
}

/// Output that can't be written is an error, not a verdict that nobody saw.
#[test]
fn a_full_disk_for_the_answer() {
    let scratch = Scratch::new("full-disk");
    let path = scratch.file("program.c", "int main(void) { return 0; }\n");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = belay().arg("check").arg(&path).stdout(full).output().unwrap();
    assert!(!text(&output.stderr).contains("panicked"), "{}", shown(&output));
    assert_ne!(output.status.code(), Some(0), "the answer is lost: {}", shown(&output));
}

#[test]
fn a_signal_at_any_moment() {
    let scratch = Scratch::new("any-moment");
    let path = scratch.file("program.c", PROVED_BY_UNROLLING);
    let temporary = scratch.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    for moment in (0..240).step_by(12) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_belay"))
            .arg("check")
            .arg(&path)
            .env("TMPDIR", &temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        // SAFETY: the process is a child of this one and has not been waited for.
        unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
        child.wait().unwrap();
        nothing_is_left(&format!("after {moment} ms"), scratch.path(), &temporary);
    }
}
