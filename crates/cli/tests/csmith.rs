//! Random programs: the interpreter prints what the native program prints. A few here, many in `make soak`.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Scratch, belay, shown, text};

/// Small programs that end soon, with all that csmith can make; the same as in `scripts/soak.py`.
const CSMITH: &[&str] =
    &["--max-funcs", "4", "--max-block-depth", "3", "--max-array-dim", "2", "--max-array-len-per-dim", "5"];

fn include() -> String {
    std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| "/usr/include/csmith".to_owned())
}

fn is_installed() -> bool {
    let csmith = Command::new("csmith").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = csmith.is_ok_and(|status| status.success()) && Path::new(&include()).join("csmith.h").exists();
    if !found {
        eprintln!("skipped: csmith or its headers are not installed (Debian: csmith libcsmith-dev)");
    }
    found
}

/// What the program prints natively, if it ends soon.
fn native(source: &Path, program: &Path, model: &str) -> Option<String> {
    let clang = std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let mut compile = Command::new(clang);
    compile
        .args([model, "-O0", "-w", "-Wno-error=incompatible-pointer-types", "-I", &include()])
        .arg(source)
        .arg("-o")
        .arg(program);
    assert!(compile.status().unwrap().success(), "{} does not compile", source.display());
    let mut child = Command::new(program).stdout(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(2) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(text(&child.wait_with_output().unwrap().stdout))
}

#[test]
fn random_programs_print_what_they_print_natively() {
    if !is_installed() {
        return;
    }
    let scratch = Scratch::new("csmith");
    let mut compared = 0;
    for seed in 1.. {
        let (flag, model) = if seed % 2 == 0 { ("-m32", "ILP32") } else { ("-m64", "LP64") };
        let source = scratch.path().join(format!("random{seed}.c"));
        // csmith leaves a file where it runs.
        let mut csmith = Command::new("csmith");
        csmith.args(CSMITH).args(["--seed", &seed.to_string(), "-o"]).arg(&source).current_dir(scratch.path());
        assert!(csmith.status().unwrap().success());
        let Some(expected) = native(&source, &scratch.path().join("native"), flag) else { continue };
        let mut command = belay();
        // Nobody but the program changes its volatile objects.
        command.args(["run", "--rules", "svcomp", "--data-model", model, "--time-limit", "60"]).arg(&source);
        let output = command.args(["--", "-I", &include()]).output().unwrap();
        assert_eq!(text(&output.stdout), expected, "seed {seed} {model}: {}", shown(&output));
        compared += 1;
        if compared == 5 {
            break;
        }
    }
}
