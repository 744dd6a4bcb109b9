//! Where people work: the tutorial, suites, the editor's protocol, continuous integration.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;
mod editor;
mod progress;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Scratch, belay, repository, shown, text};

/// Every file of a page is written, every command of it is run, and prints what the page says.
#[test]
fn the_book_is_true() {
    let mut commands = 0;
    for page in pages(&repository().join("docs")) {
        let folder = Scratch::new(&format!("book-{}", page.file_stem().unwrap().display()));
        let text = std::fs::read_to_string(&page).unwrap();
        for block in text.split("```").skip(1).step_by(2) {
            let (kind, body) = block.split_once('\n').unwrap();
            if let Some(named) = body.strip_prefix("//file ").filter(|_| kind == "c") {
                let (name, content) = named.split_once('\n').unwrap();
                folder.file(name, content);
            } else if kind == "console" {
                let (command, expected) = body.split_once('\n').unwrap();
                let said = in_shell(folder.path(), command.strip_prefix("$ ").unwrap());
                assert_eq!(said, expected, "{}: {command}", page.display());
                commands += 1;
            }
        }
    }
    assert!(commands >= 14, "{commands}");
}

/// The pages under a folder.
fn pages(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|kind| kind == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The places that a page links to, outside of code.
fn links(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    let prose: String = prose.split('`').step_by(2).collect();
    prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link.to_owned()).collect()
}

/// Links lead somewhere, to headings too, and every page of the book can be reached from its summary.
#[test]
fn links_lead_somewhere() {
    let root = repository();
    let mut all = pages(&root.join("docs"));
    all.extend(
        ["README.md", "ARCHITECTURE.md", "SOUNDNESS.md", "GLOSSARY.md", "CHANGELOG.md"].map(|name| root.join(name)),
    );
    let mut reached = std::collections::BTreeSet::new();
    for page in &all {
        for link in links(&std::fs::read_to_string(page).unwrap()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let target = target.canonicalize().unwrap_or_else(|_| panic!("{}: {link} is not there", page.display()));
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let named = |line: &str| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
                let is_there = text.lines().filter(|line| line.starts_with('#')).any(|line| named(line) == heading);
                assert!(is_there, "{}: {link}: no such heading", page.display());
            }
            reached.insert(target);
        }
    }
    let missing: Vec<_> = pages(&root.join("docs")).into_iter().filter(|page| !reached.contains(page)).collect();
    let summary = root.join("docs/SUMMARY.md");
    assert!(missing.iter().all(|page| *page == summary), "no page links to {missing:?}");
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

/// What engines do can be traced; it changes nothing of the answer.
#[test]
fn what_engines_do_is_traced_if_asked_for() {
    let folder = Scratch::new("trace");
    let file = folder.file("counts.c", "int main(void) { for (int i = 0; i < 9; i++) ; return 0; }\n");
    let check = |asked: Option<&str>| {
        let mut command = belay();
        command.arg("check").arg(&file).args(["--property", "termination", "--engines", "graph", "--threads", "1"]);
        asked.map(|asked| command.env("BELAY_LOG", asked));
        command.output().unwrap()
    };
    let (plain, traced) = (check(None), check(Some("belay_engines=info,belay_evidence=info,belay_graph=debug")));
    assert_eq!(text(&plain.stdout), text(&traced.stdout));
    assert!(plain.stderr.is_empty(), "{}", shown(&plain));
    for line in ["Explore", "main/", "termination: a graph accepted"] {
        assert!(text(&traced.stderr).contains(line), "{line}: {}", shown(&traced));
    }
    let bad = check(Some("belay_graph=everything"));
    assert_eq!(text(&bad.stdout), text(&plain.stdout));
    assert!(text(&bad.stderr).contains("BELAY_LOG is not understood"), "{}", shown(&bad));
}

/// A small suite: programs with expectations, quick to decide.
fn small_suite(folder: &Scratch, tasks: usize) -> std::path::PathBuf {
    let programs = folder.path().join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    for number in 0..tasks {
        let (index, expected) = if number % 3 == 0 { (4, "false(valid-deref)") } else { (number % 4, "true") };
        let program = format!("//~ memsafety: {expected}\nint main(void) {{ int a[4] = {{0}}; return a[{index}]; }}\n");
        std::fs::write(programs.join(format!("p{number:03}.c")), program).unwrap();
    }
    programs
}

/// A source in another encoding is a task as any other.
#[test]
fn a_suite_reads_any_encoding() {
    let folder = Scratch::new("suite-latin");
    let programs = folder.path().join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    let latin =
        b"//~ memsafety: true\nint main(void) { const char *name = \"Stra\xdfe\"; return name[0]; } /* \xe4 */\n";
    std::fs::write(programs.join("latin.c"), latin).unwrap();
    let out = folder.path().join("out.jsonl");
    let output = belay().arg("suite").arg(&programs).arg("--out").arg(out).output().unwrap();
    assert!(text(&output.stdout).contains("1 of 1 solved, 0 wrong"), "{}", shown(&output));
}

#[test]
fn a_killed_suite_goes_on() {
    kill_a_suite("suite", 12, 4, 90);
}

#[test]
#[ignore = "takes minutes"]
fn a_large_suite_killed_ten_times() {
    kill_a_suite("suite-300", 300, 10, 700);
}

/// A suite that is killed again and again ends with the table of one that was left alone.
fn kill_a_suite(name: &str, tasks: usize, kills: u64, pause: u64) {
    let folder = Scratch::new(name);
    let programs = small_suite(&folder, tasks);
    let run = |out: &str| {
        let mut command = belay();
        command.arg("suite").arg(&programs).arg("--out").arg(folder.path().join(out)).args(["--time-limit", "30"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    for attempt in 0..kills {
        let mut child = run("killed.jsonl").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + pause * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (resumed, alone) = (run("killed.jsonl").output().unwrap(), run("alone.jsonl").output().unwrap());
    let counts = |output: &std::process::Output| {
        let table = text(&output.stdout);
        table.split(" points").next().unwrap().to_owned()
    };
    assert_eq!(counts(&resumed), counts(&alone), "{}", shown(&resumed));
    let all = format!("{tasks} of {tasks} solved, 0 wrong");
    assert!(counts(&alone).contains(&all), "{}", shown(&alone));
    let lines = std::fs::read_to_string(folder.path().join("killed.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), tasks, "each task once:\n{lines}");
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
    // Nor does the known one hide a new one of the same property behind it.
    folder.file("old.c", "int main(int argc, char **argv) { int a[2] = {0}; if (argc == 3) return a[2];\n return a[argc > 3 ? 5 : 0] + !argv; }\n");
    assert!(check(&["--update-baseline"]).status.success() && check(&[]).status.success());
    let third = "int main(int argc, char **argv) { int a[2] = {0}; if (argc == 3) return a[2];\n if (argc == 2) return a[-1];\n return a[argc > 3 ? 5 : 0] + !argv; }\n";
    folder.file("old.c", third);
    let hidden = check(&[]);
    let said = text(&hidden.stdout);
    assert_eq!(
        (hidden.status.code(), said.matches(": new: ").count(), said.matches(": known: ").count()),
        (Some(1), 1, 2),
        "{said}"
    );
    assert!(folder.path().join("belay.sarif").exists());
}

/// The second run of a project with a known defect searches for nothing: proofs are checked again, the run is replayed, and what was open is left open.
#[test]
fn the_second_run_comes_from_stored_proofs() {
    let folder = Scratch::new("ci-stored");
    folder.file("table.h", "int *make_table(unsigned n);\nunsigned steps(unsigned n);\n");
    folder.file(
        "table.c",
        "#include <stdlib.h>\n#include \"table.h\"\nint *make_table(unsigned n) {\n    int *t = malloc(n * sizeof *t);\n    if (!t) abort();\n    t[n] = 0;\n    return t;\n}\n\
         unsigned steps(unsigned n) {\n    unsigned s = 0;\n    while (n > 1) {\n        n = n % 2 ? (3 * n + 1) & 0xffff : n / 2;\n        s++;\n    }\n    return s;\n}\n",
    );
    folder.file(
        "main.c",
        "#include <stdlib.h>\n#include \"table.h\"\nunsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n    int *t = make_table(4);\n    t[0] = (int)(steps(__VERIFIER_nondet_uint()) & 7);\n    free(t);\n    return 0;\n}\n",
    );
    let check = |limit: &str| {
        let mut command = Command::new("python3");
        command.arg(repository().join("contrib/ci/check.py")).args(["--belay", env!("CARGO_BIN_EXE_belay")]);
        command.args(["--", "--proof", "proof", "main.c", "table.c", "--time-limit", limit]).current_dir(folder.path());
        command.env_remove("GITHUB_STEP_SUMMARY").output().unwrap()
    };
    let (first, second) = (check("4"), check("4"));
    assert_eq!(text(&first.stdout), text(&second.stdout));
    assert!(text(&first.stdout).contains("table.c:6: new: write of 4 bytes"), "{}", shown(&first));
    let said = text(&second.stderr);
    let held: Vec<&str> = said.lines().filter(|line| line.contains("stored claims hold")).collect();
    assert!(held.len() == 1 && said.contains("what was open is left open"), "{said}");
    // More time is another search, and so is another text.
    assert!(!text(&check("5").stderr).contains("is left open"));
    let source = folder.path().join("table.c");
    let before = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, format!("/* one more line */\n{before}")).unwrap();
    let moved = check("2");
    assert!(!text(&moved.stderr).contains("is left open"), "{}", shown(&moved));
}
