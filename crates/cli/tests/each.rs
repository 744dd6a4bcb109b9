//! The programs under `tests/each/`: an answer for each check or each loop. What stands behind `//~` is what the checks and loops of the line must
//! come to; where nothing stands they must hold, or end.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use common::{belay, repository, shown};
use serde_json::Value;

/// The answers by line.
type Answers = BTreeMap<u64, BTreeSet<String>>;

struct Expected {
    options: Vec<String>,
    answers: Answers,
}

fn read(source: &str) -> Expected {
    let mut expected = Expected { options: Vec::new(), answers: Answers::new() };
    for (number, line) in (1..).zip(source.lines()) {
        let Some((_, comment)) = line.split_once("//~") else { continue };
        match comment.trim().strip_prefix("options: ") {
            Some(options) => expected.options.extend(options.split_whitespace().map(str::to_owned)),
            None => {
                expected.answers.insert(number, comment.split_whitespace().map(str::to_owned).collect());
            }
        }
    }
    expected
}

fn given(report: &Value) -> Answers {
    let mut answers = Answers::new();
    let lists = [&report["checks"]["list"], &report["loops"]];
    for entry in lists.into_iter().filter_map(Value::as_array).flatten() {
        let line = entry["place"]["line"].as_u64().unwrap();
        answers.entry(line).or_default().insert(entry["verdict"].as_str().unwrap().to_owned());
    }
    answers
}

fn mismatches(path: &Path) -> Vec<String> {
    let expected = read(&std::fs::read_to_string(path).unwrap());
    let output = belay().args(["check", "--format", "json"]).args(&expected.options).arg(path).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)));
    let answers = given(&report);
    let lines: BTreeSet<u64> = expected.answers.keys().chain(answers.keys()).copied().collect();
    let fine = |word: &String| word == "holds" || word == "ends";
    let differs = |line: &u64| match (expected.answers.get(line), answers.get(line)) {
        (Some(expected), Some(given)) => expected != given,
        (None, Some(given)) => !given.iter().all(fine),
        (expected, None) => expected.is_some(),
    };
    let wrong = lines.into_iter().filter(differs);
    wrong
        .map(|line| {
            format!("{}:{line}: {:?}, got {:?}", path.display(), expected.answers.get(&line), answers.get(&line))
        })
        .collect()
}

fn sources() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository().join("tests/each")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn each_check_and_each_loop_has_its_answer() {
    let wrong: Vec<String> = sources().iter().flat_map(|path| mismatches(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_come_in_twins() {
    for path in sources() {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let twin =
            stem.strip_suffix("_fixed").map_or_else(|| format!("{stem}_fixed.c"), |defect| format!("{defect}.c"));
        assert!(path.with_file_name(&twin).exists(), "{stem}.c has no {twin}");
    }
}

/// Checks are counted by function and by file, and the sums agree.
#[test]
fn checks_are_counted() {
    let path = repository().join("tests/each/several_violations.c");
    let command = ["check", "--format", "json", "--each-check", "--property", "valid-deref"];
    let output = belay().args(command).arg(&path).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)));
    let checks = &report["checks"];
    for counts in [
        checks,
        &checks["files"][path.to_str().unwrap()],
        &checks["files"][path.to_str().unwrap()]["functions"]["main"],
    ] {
        let number = |name: &str| counts[name].as_u64().unwrap();
        assert_eq!([number("total"), number("hold"), number("violated"), number("unknown")], [4, 2, 2, 0]);
    }
    let runs: Vec<&Value> =
        checks["list"].as_array().unwrap().iter().filter(|check| check["verdict"] == "violated").collect();
    assert!(runs.iter().all(|check| !check["choices"].as_array().unwrap().is_empty()));
    assert_ne!(runs[0]["choices"], runs[1]["choices"]);
    assert_eq!(output.status.code(), Some(10));
}
