//! Where people work: the tutorial, suites, the editor's protocol, continuous integration.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;
mod editor;
mod progress;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Scratch, belay, repository, shown, text};

/// Every file of the tutorial is written, every command of it is run, and prints what the page says.
#[test]
fn the_tutorial_is_true() {
    let folder = Scratch::new("tutorial");
    let page = std::fs::read_to_string(repository().join("docs/tutorial.md")).unwrap();
    let mut commands = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let (kind, body) = block.split_once('\n').unwrap();
        if let Some(named) = body.strip_prefix("//file ").filter(|_| kind == "c") {
            let (name, content) = named.split_once('\n').unwrap();
            folder.file(name, content);
        } else if kind == "console" {
            let (command, expected) = body.split_once('\n').unwrap();
            assert_eq!(in_shell(folder.path(), command.strip_prefix("$ ").unwrap()), expected, "{command}");
            commands += 1;
        }
    }
    assert!(commands >= 5);
}

/// Runs a line of shell in which `belay` is the built binary.
fn in_shell(folder: &Path, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_belay")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).current_dir(folder).output().unwrap();
    text(&output.stdout)
}

#[test]
fn words_are_explained_and_shells_complete() {
    let output = belay().args(["explain", "main.valid-free.2"]).output().unwrap();
    assert!(text(&output.stdout).starts_with("valid-free: "), "{}", shown(&output));
    assert_eq!(belay().args(["explain", "nonsense"]).output().unwrap().status.code(), Some(1));
    assert!(text(&belay().args(["completions", "bash"]).output().unwrap().stdout).contains("--property"));
    let folder = Scratch::new("manual");
    assert!(belay().arg("manual").arg(folder.path()).output().unwrap().status.success());
    assert!(folder.path().join("belay-check.1").exists());
}

/// A small suite: programs with expectations, quick to decide.
fn small_suite(folder: &Scratch) -> std::path::PathBuf {
    let programs = folder.path().join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    for number in 0..12 {
        let (index, expected) = if number % 3 == 0 { (4, "false(valid-deref)") } else { (number % 4, "true") };
        let program = format!("//~ memsafety: {expected}\nint main(void) {{ int a[4] = {{0}}; return a[{index}]; }}\n");
        std::fs::write(programs.join(format!("p{number:02}.c")), program).unwrap();
    }
    programs
}

/// A suite that is killed again and again ends with the table of one that was left alone.
#[test]
fn a_killed_suite_goes_on() {
    let folder = Scratch::new("suite");
    let programs = small_suite(&folder);
    let run = |out: &str| {
        let mut command = belay();
        command.arg("suite").arg(&programs).arg("--out").arg(folder.path().join(out)).args(["--time-limit", "30"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    for attempt in 0..4 {
        let mut child = run("killed.jsonl").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + 90 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (resumed, alone) = (run("killed.jsonl").output().unwrap(), run("alone.jsonl").output().unwrap());
    let counts = |output: &std::process::Output| {
        let table = text(&output.stdout);
        table.split(" points").next().unwrap().to_owned()
    };
    assert_eq!(counts(&resumed), counts(&alone), "{}", shown(&resumed));
    assert!(counts(&alone).contains("12 of 12 solved, 0 wrong"), "{}", shown(&alone));
    let lines = std::fs::read_to_string(folder.path().join("killed.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 12, "each task once:\n{lines}");
    let page = folder.path().join("page.html");
    let compared = belay()
        .args(["suite", "--compare"])
        .args([folder.path().join("killed.jsonl"), folder.path().join("alone.jsonl")])
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert!(
        compared.status.success() && std::fs::read_to_string(&page).unwrap().contains("<svg"),
        "{}",
        shown(&compared)
    );
}

/// BenchExec's task definitions, and a property by its file.
#[test]
fn definitions_of_benchexec_are_read() {
    let folder = Scratch::new("definitions");
    folder.file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.file("a.c", "void reach_error(void);\nint main(void) { return 0; }\n");
    folder.file(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    folder.file("all.set", "# all\n*.yml\n");
    let out = folder.path().join("out.jsonl");
    let output = belay().arg("suite").arg(folder.path().join("all.set")).arg("--out").arg(out).output().unwrap();
    assert!(text(&output.stdout).contains("1 of 1 solved"), "{}", shown(&output));
    let single = belay()
        .arg("check")
        .arg(folder.path().join("a.c"))
        .arg("--property")
        .arg(folder.path().join("unreach-call.prp"))
        .output()
        .unwrap();
    assert_eq!(text(&single.stdout).lines().last(), Some("VERDICT unreach-call true"));
}

/// New findings fail, those of the baseline do not.
#[test]
fn continuous_integration_fails_on_new_findings_only() {
    let folder = Scratch::new("ci");
    folder.file("old.c", "int main(void) { int a[2] = {0}; return a[2]; }\n");
    let check = |words: &[&str]| {
        let mut command = Command::new("python3");
        command.arg(repository().join("contrib/ci/check.py")).args(["--belay", env!("CARGO_BIN_EXE_belay")]);
        command.args(words).args(["--", "old.c", "--property", "memsafety"]).current_dir(folder.path());
        command.env_remove("GITHUB_STEP_SUMMARY").output().unwrap()
    };
    let first = check(&[]);
    assert_eq!(first.status.code(), Some(1), "{}", shown(&first));
    assert!(check(&["--update-baseline"]).status.success());
    // An edit above moves the line; the finding stays the known one.
    folder.file("old.c", "/* moved */\nint main(void) { int a[2] = {0}; return a[2]; }\n");
    let known = check(&[]);
    assert!(known.status.success() && text(&known.stdout).contains("known"), "{}", shown(&known));
    folder.file("old.c", "int main(void) { int a[2] = {0}; int *p = 0; if (a[1] == 0) return *p; return a[2]; }\n");
    assert_eq!(check(&[]).status.code(), Some(1));
    assert!(folder.path().join("belay.sarif").exists());
}
