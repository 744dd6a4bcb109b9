//! The programs under `tests/`: each says in comments what Belay must answer.
//!
//! ```c
//! //~ options: --data-model ILP32        more of the command line
//! //~ all: true                          every property
//! //~ memsafety: false(valid-memtrack)   a property of the whole program; false and unknown may say more
//! free(p); //~ false(valid-free)         violated at this line
//! setjmp(b); //~ unknown(termination)    undecided because of this line
//! ```

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{answer, belay, repository};
use serde_json::Value;

#[test]
fn memory() {
    check_folder("memory");
}

#[test]
fn overflow() {
    check_folder("overflow");
}

#[test]
fn reach() {
    check_folder("reach");
}

#[test]
fn termination() {
    check_folder("termination");
}

#[test]
fn frontend() {
    check_folder("frontend");
}

#[test]
fn contracts() {
    check_folder("contracts");
}

/// Known failures: these assert today's answer, so that a fix shows.
#[test]
fn fixme() {
    check_folder("fixme");
}

/// Ranges of values alone contradict no program's comment: in the schedule an engine that errs may be hidden by one that is asked before it. They find no violations, so
/// that only defects can tell.
#[test]
fn values_alone() {
    let has_defect = |path: &PathBuf| {
        let source = std::fs::read_to_string(path).unwrap();
        Expectations::read(&source).is_ok_and(|all| all.expected.iter().any(|one| one.verdict == "false"))
    };
    check_alone("values", "10", has_defect);
}

/// The same for each engine.
#[test]
#[ignore = "an hour"]
fn each_engine_alone() {
    for engine in ["structural", "tester", "its", "nontermination", "graph", "bmc", "summary", "values", "kiki"] {
        check_alone(engine, "5", |_| true);
    }
}

/// A defect stands beside its mend, here or (as long as the mend is not proved) in `fixme`.
#[test]
fn programs_come_in_twins() {
    let mut missing = Vec::new();
    for folder in ["memory", "overflow", "reach", "termination"] {
        for path in sources(folder) {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let twin = stem.strip_suffix("_fixed").map_or_else(|| format!("{stem}_fixed"), |defect| defect.to_owned());
            let twin = Path::new(&twin).with_extension(path.extension().unwrap()).to_str().unwrap().to_owned();
            let places = [path.with_file_name(&twin), repository().join("tests/fixme").join(&twin)];
            if !places.iter().any(|place| place.exists()) {
                missing.push(format!("{folder}/{stem}.c has no {twin}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// What a program's comments say.
#[derive(Debug, Default)]
struct Expectations {
    options: Vec<String>,
    clang: Vec<String>,
    expected: Vec<Expected>,
}

#[derive(Debug)]
struct Expected {
    /// A property, or `all`.
    question: String,
    /// `true`, `false` or `unknown`.
    verdict: String,
    /// The violated property, or a part of the reason.
    detail: Option<String>,
    /// The line it must be reported at.
    line: Option<u64>,
}

impl Expectations {
    fn read(source: &str) -> Result<Expectations, String> {
        let mut found = Expectations::default();
        for (number, line) in (1..).zip(source.lines()) {
            let Some((code, comment)) = line.split_once("//~") else { continue };
            let comment = comment.trim();
            let inline = !code.trim().is_empty();
            match comment.split_once(": ") {
                Some(("options", options)) if !inline => found.add_options(options),
                Some((question, verdict)) if !inline => {
                    let (verdict, detail) = split_detail(verdict);
                    found.expected.push(Expected { question: question.to_owned(), verdict, detail, line: None });
                }
                Some(_) | None if inline => {
                    let (verdict, property) = split_detail(comment);
                    let property = property.ok_or_else(|| format!("line {number}: `{comment}` names no property"))?;
                    let detail = (verdict == "false").then(|| property.clone());
                    let question = question_of(&property).to_owned();
                    found.expected.push(Expected { question, verdict, detail, line: Some(number) });
                }
                Some(_) | None => return Err(format!("line {number}: `{comment}` is no expectation")),
            }
        }
        if found.expected.is_empty() { Err("expects nothing".to_owned()) } else { Ok(found) }
    }

    fn add_options(&mut self, options: &str) {
        let mut words = options.split_whitespace().map(str::to_owned);
        self.options.extend(words.by_ref().take_while(|word| word != "--"));
        self.clang.extend(words);
    }
}

/// `false(valid-free)` as its two parts.
fn split_detail(verdict: &str) -> (String, Option<String>) {
    match verdict.split_once('(') {
        Some((word, rest)) => (word.to_owned(), Some(rest.trim_end_matches(')').to_owned())),
        None => (verdict.to_owned(), None),
    }
}

/// The question that answers for a property.
fn question_of(property: &str) -> &str {
    if property.starts_with("valid-") { "memsafety" } else { property }
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let directory = repository().join("tests").join(folder);
    let entries = std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "cpp"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no programs in {}", directory.display());
    paths
}

fn check_folder(folder: &str) {
    check_all(&sources(folder), check_program);
}

/// Asks one engine about every program. What it leaves open is its own affair; what it says must be what the program's comments say.
fn check_alone(engine: &str, seconds: &str, takes: impl Fn(&PathBuf) -> bool) {
    let folders = ["memory", "overflow", "reach", "termination", "frontend", "contracts", "fixme"];
    let paths: Vec<PathBuf> = folders.into_iter().flat_map(sources).filter(takes).collect();
    check_all(&paths, |path| contradictions(path, engine, seconds));
}

fn contradictions(path: &Path, engine: &str, seconds: &str) -> Vec<String> {
    let source = std::fs::read_to_string(path).unwrap();
    let Ok(mut expectations) = Expectations::read(&source) else { return Vec::new() };
    // Limits of its own are those of the engines that a program names.
    for own in ["--engines", "--time-limit"] {
        while let Some(at) = expectations.options.iter().position(|option| option == own) {
            expectations.options.drain(at..(at + 2).min(expectations.options.len()));
        }
    }
    expectations.options.extend(["--engines", engine, "--time-limit", seconds].map(str::to_owned));
    let results = match ask(path, &expectations) {
        Ok(results) => results,
        Err(message) => return vec![format!("{engine}: {message}")],
    };
    let is_contradicted = |result: &&Value, expected: &Expected| match result["verdict"].as_str() {
        Some("true") => expected.verdict == "false",
        Some("false") => expected.verdict == "true",
        _ => false,
    };
    let mut found = Vec::new();
    for expected in &expectations.expected {
        let concerned =
            results.iter().filter(|result| expected.question == "all" || result["property"] == *expected.question);
        let wrong = concerned.filter(|result| is_contradicted(result, expected));
        found.extend(wrong.map(|result| {
            format!("{engine}: expected {} {}, got {}", result["property"], expected.verdict, describe(result))
        }));
    }
    found
}

fn check_all(paths: &[PathBuf], check: impl Fn(&Path) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(path);
                    failures
                        .lock()
                        .unwrap()
                        .extend(found.into_iter().map(|what| format!("{}: {what}", path.display())));
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "{} of {} programs:\n{}", failures.len(), paths.len(), failures.join("\n"));
}

/// What is wrong with the answer for one program.
fn check_program(path: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(path).unwrap();
    let expectations = match Expectations::read(&source) {
        Ok(expectations) => expectations,
        Err(message) => return vec![message],
    };
    let results = match ask(path, &expectations) {
        Ok(results) => results,
        Err(message) => return vec![message],
    };
    expectations.expected.iter().flat_map(|expected| mismatches(&results, expected)).collect()
}

/// The answers to what a program has an expectation of.
fn ask(path: &Path, expectations: &Expectations) -> Result<Vec<Value>, String> {
    let mut command = belay();
    // Files that the options name lie beside the program.
    command.current_dir(path.parent().unwrap());
    command.args(["check", "--format", "json"]).args(&expectations.options).arg(path);
    let is_given = |name: &str| expectations.options.iter().any(|option| option == name);
    // What nobody expects anything of would be looked into until the time is up.
    let mut asked: Vec<&str> = expectations.expected.iter().map(|expected| expected.question.as_str()).collect();
    asked.sort_unstable();
    asked.dedup();
    if !is_given("--property") {
        command.args(["--property", &asked.join(",")]);
    }
    if !is_given("--time-limit") {
        command.args(["--time-limit", "30"]);
    }
    command.arg("--").args(&expectations.clang);
    answer(&mut command)
}

fn mismatches(results: &[Value], expected: &Expected) -> Vec<String> {
    let concerned: Vec<&Value> = results
        .iter()
        .filter(|result| expected.question == "all" || result["property"] == *expected.question)
        .collect();
    if concerned.is_empty() {
        return vec![format!("no answer for `{}`", expected.question)];
    }
    concerned.into_iter().filter_map(|result| mismatch(result, expected)).collect()
}

fn mismatch(result: &Value, expected: &Expected) -> Option<String> {
    let word = result["verdict"].as_str().unwrap_or_default();
    let detail_fits = match (&expected.detail, word) {
        (None, _) => true,
        (Some(property), "false") => result["violated"] == **property,
        (Some(reason), _) => result["message"].as_str().is_some_and(|message| message.contains(reason)),
    };
    let line = result["place"]["line"].as_u64();
    if word == expected.verdict && detail_fits && (expected.line.is_none() || expected.line == line) {
        return None;
    }
    let at = expected.line.map(|line| format!(" at line {line}")).unwrap_or_default();
    let detail = expected.detail.as_ref().map(|detail| format!("({detail})")).unwrap_or_default();
    Some(format!("expected {} {}{detail}{at}, got {}", result["property"], expected.verdict, describe(result)))
}

fn describe(result: &Value) -> String {
    let violated = result["violated"].as_str().map(|property| format!("({property})")).unwrap_or_default();
    let line = result["place"]["line"].as_u64().map(|line| format!(" at line {line}")).unwrap_or_default();
    let message = result["message"].as_str().map(|message| format!(": {message}")).unwrap_or_default();
    format!("{}{violated}{line}{message}", result["verdict"].as_str().unwrap_or("nothing"))
}
