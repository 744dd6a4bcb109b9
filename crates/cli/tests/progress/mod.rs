//! What people see while they wait, and what Ctrl-C leaves them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

use serde_json::Value;

use crate::common::{Scratch, belay, shown, text};

/// Memory safety is plain, and the error hinges on two factors of a prime.
const HARD: &str = "unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void);
int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong();
    if (x < 2 || y < 2 || x >= 1ul << 31 || y >= 1ul << 31)
        return 0;
    if (x * y == 2305843009213693951ul)
        reach_error();
    return 0;
}
";

/// A program and what it does not take long to say of it.
fn hard(folder: &Scratch) -> PathBuf {
    folder.file("hard.c", HARD)
}

/// Waits until bounded model checking is under way.
fn wait_for_unrolling(child: &mut Child) -> BufReader<std::process::ChildStderr> {
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("bmc") {
        line.clear();
        assert_ne!(errors.read_line(&mut line).unwrap(), 0, "it ended by itself");
    }
    errors
}

/// The output of a check that is interrupted so many times while the solver works.
fn interrupt(folder: &Scratch, signal: libc::c_int, words: &[&str]) -> Output {
    let mut child = belay()
        .arg("check")
        .arg(hard(folder))
        .args(["--progress", "plain", "--threads", "1", "--time-limit", "300"])
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let errors = wait_for_unrolling(&mut child);
    // SAFETY: the process is a child of this one and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), signal) };
    let drained = std::thread::spawn(move || std::io::read_to_string(errors));
    let output = child.wait_with_output().unwrap();
    drained.join().unwrap().unwrap();
    output
}

#[test]
fn ctrl_c_says_what_is_known() {
    let folder = Scratch::new("ctrl-c");
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let output = interrupt(&folder, signal, &["--format", "json"]);
        assert_eq!(output.status.code(), Some(5), "{}", shown(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let verdict = |name: &str| report["results"].as_array().unwrap().iter().find(|one| one["property"] == name);
        assert_eq!(verdict("memsafety").unwrap()["verdict"], "true");
        let open = verdict("unreach-call").unwrap();
        assert_eq!(open["verdict"], "unknown");
        assert!(open["message"].as_str().unwrap().starts_with("interrupted"), "{open}");
    }
    let output = interrupt(&folder, libc::SIGINT, &["--property", "unreach-call"]);
    assert!(text(&output.stdout).contains("VERDICT unreach-call unknown(interrupted"), "{}", shown(&output));
}

#[test]
fn ctrl_c_keeps_violations() {
    let folder = Scratch::new("ctrl-c-false");
    let both = HARD.replace("    return 0;\n}\n", "    int *p = 0;\n    return *p;\n}\n");
    folder.file("hard.c", both);
    let mut child = belay()
        .args(["check", "--progress", "plain", "--threads", "1", "--time-limit", "300", "--property"])
        .arg("valid-deref,unreach-call")
        .arg(folder.path().join("hard.c"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let errors = wait_for_unrolling(&mut child);
    // SAFETY: the process is a child of this one and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGINT) };
    drop(errors);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(10), "{}", shown(&output));
    assert!(text(&output.stdout).contains("VERDICT valid-deref false(valid-deref)"), "{}", shown(&output));
}

#[test]
fn plain_progress_is_lines_and_pipes_get_none() {
    let folder = Scratch::new("plain");
    let check = |words: &[&str]| {
        belay().arg("check").arg(hard(&folder)).args(["--time-limit", "3"]).args(words).output().unwrap()
    };
    let output = check(&["--progress", "plain"]);
    let errors = text(&output.stderr);
    assert!(errors.contains(" s] valid-deref: true\n") && errors.contains("] bmc"), "{errors}");
    assert!(errors.contains("checks decided"), "{errors}");
    assert!(errors.lines().all(|line| line.starts_with('[')), "{errors}");
    assert_eq!(text(&check(&[]).stderr), "");
    assert_eq!(text(&check(&["--progress", "off"]).stderr), "");
}

/// Both ends of a terminal of its own.
fn terminal() -> (File, OwnedFd) {
    let (mut own, mut other) = (0, 0);
    let size = libc::winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: two descriptors are written, which nobody else owns.
    unsafe {
        let null = std::ptr::null_mut();
        assert_eq!(libc::openpty(&mut own, &mut other, null, std::ptr::null(), &size), 0);
        (File::from_raw_fd(own), OwnedFd::from_raw_fd(other))
    }
}

#[test]
fn a_terminal_shows_what_is_under_way() {
    let folder = Scratch::new("terminal");
    let (mut own, other) = terminal();
    let mut child = belay()
        .arg("check")
        .arg(hard(&folder))
        .args(["--time-limit", "4", "--threads", "1"])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::from(other.try_clone().unwrap()))
        .stderr(Stdio::from(other))
        .spawn()
        .unwrap();
    let reader = std::thread::spawn(move || {
        let mut seen = Vec::new();
        // The other end is closed when the program is gone, which is an error here.
        let _ = own.read_to_end(&mut seen);
        text(&seen)
    });
    assert_eq!(child.wait().unwrap().code(), Some(5));
    let seen = reader.join().unwrap();
    assert!(seen.contains("bmc: bound 1 (") && seen.contains("checks decided"), "{seen}");
    assert!(seen.contains("  valid-deref: true"), "{seen}");
    let answer = seen.find("VERDICT memsafety true").unwrap();
    assert!(!seen[answer..].contains("decided"), "nothing of it is left: {seen}");
}
