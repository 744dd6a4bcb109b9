//! Logs in SARIF: valid by the schema, and of use to those who read them.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;
#[path = "common/schema.rs"]
mod schema;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Scratch, belay, repository, shown};
use serde_json::{Value, json};

fn sarif_schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The log that the command writes; the exit code in it is the command's.
fn log(command: &mut Command) -> Result<Value, String> {
    let output = command.output().unwrap();
    let log: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("no JSON ({error}): {}", shown(&output)))?;
    let code = log["runs"][0]["invocations"][0]["exitCode"].as_i64();
    if code != output.status.code().map(i64::from) {
        return Err(format!("the log says that the exit code is {code:?}: {}", output.status));
    }
    if output.stdout.len() >= 10_000_000 {
        return Err(format!("{} bytes", output.stdout.len()));
    }
    Ok(log)
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

/// What is wrong with a log beyond what the schema can say.
fn oddities(log: &Value) -> Vec<String> {
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let artifacts = run["artifacts"].as_array().unwrap();
    let mut wrong = Vec::new();
    for result in results(log) {
        let index = result["ruleIndex"].as_u64().map_or(usize::MAX, |index| index as usize);
        if rules.get(index).is_none_or(|rule| rule["id"] != result["ruleId"] || rule["help"]["text"] == "") {
            wrong.push(format!("{} is no rule", result["ruleId"]));
        }
        if result["partialFingerprints"].as_object().is_none_or(serde_json::Map::is_empty) {
            wrong.push("no fingerprint".to_owned());
        }
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
        let is_error = result["level"] == "error";
        if is_error != steps.is_some() || steps.is_some_and(|steps| steps.is_empty() || steps.len() > 1000) {
            wrong.push(format!("{:?} steps", steps.map(Vec::len)));
        }
        for place in result["locations"].as_array().into_iter().flatten() {
            let uri = &place["physicalLocation"]["artifactLocation"]["uri"];
            if uri.is_string() && artifacts.iter().all(|artifact| artifact["location"]["uri"] != *uri) {
                wrong.push(format!("{uri} is no artifact"));
            }
        }
    }
    wrong
}

fn programs() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in ["memory", "overflow", "reach", "termination", "frontend", "fixme"] {
        let entries = std::fs::read_dir(repository().join("tests").join(folder)).unwrap();
        let sources = entries.map(|entry| entry.unwrap().path());
        paths.extend(sources.filter(|path| path.extension().is_some_and(|extension| extension == "c")));
    }
    paths.sort();
    paths
}

/// The command for a program, with the options that it asks for.
fn command_for(path: &Path, limit: &str) -> Command {
    let source = std::fs::read_to_string(path).unwrap();
    let options = source.lines().filter_map(|line| line.trim().strip_prefix("//~ options: "));
    let (mut own, mut clang) = (Vec::new(), Vec::new());
    for line in options {
        let mut words = line.split_whitespace();
        own.extend(words.by_ref().take_while(|word| *word != "--"));
        clang.extend(words);
    }
    let mut command = belay();
    // Files that the options name lie beside the program.
    command.current_dir(path.parent().unwrap());
    command.args(["check", "--format", "sarif"]).args(&own).arg(path);
    if !own.contains(&"--time-limit") {
        command.args(["--time-limit", limit]);
    }
    command.arg("--").args(&clang);
    command
}

fn check_programs(paths: &[PathBuf], limit: &str) {
    let schema = sarif_schema();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let wrong = match log(&mut command_for(path, limit)) {
                        Ok(log) => schema::violations(&schema, &log).into_iter().chain(oddities(&log)).collect(),
                        Err(what) => vec![what],
                    };
                    let named = wrong.into_iter().map(|what| format!("{}: {what}", path.display()));
                    failures.lock().unwrap().extend(named);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "of {} programs:\n{}", paths.len(), failures.join("\n"));
}

#[test]
fn logs_of_a_sample_are_valid() {
    let sample: Vec<PathBuf> = programs().into_iter().step_by(19).collect();
    check_programs(&sample, "5");
}

#[test]
#[ignore = "takes minutes"]
fn logs_of_all_programs_are_valid() {
    check_programs(&programs(), "20");
}

/// The validator refuses what is wrong.
#[test]
fn broken_logs_are_refused() {
    let scratch = Scratch::new("sarif-broken");
    let path = scratch.file("program.c", "int main(void) { int *p = 0; return *p; }\n");
    let good = log(belay().args(["check", "--format", "sarif"]).arg(path)).unwrap();
    let schema = sarif_schema();
    assert_eq!(schema::violations(&schema, &good), Vec::<String>::new());
    type Change = fn(&mut Value);
    let changes: [Change; 7] = [
        |log| drop(log.as_object_mut().unwrap().remove("runs")),
        |log| log["version"] = json!("2.0.0"),
        |log| log["runs"][0]["results"][0]["level"] = json!("fatal"),
        |log| log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0),
        |log| log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"] = json!([]),
        |log| log["runs"][0]["results"][0]["colour"] = json!("red"),
        |log| drop(log["runs"][0]["invocations"][0].as_object_mut().unwrap().remove("executionSuccessful")),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(!schema::violations(&schema, &bad).is_empty(), "change {number} is not noticed");
    }
}

const USE_AFTER_FREE: &str =
    "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n  free(p);\n  return *p;\n}\n";

#[test]
fn the_history_of_an_object_is_related() {
    let scratch = Scratch::new("sarif-related");
    let path = scratch.file("a program.c", USE_AFTER_FREE);
    let log = log(belay().args(["check", "--format", "sarif", "--property", "valid-deref"]).arg(&path)).unwrap();
    let [result] = results(&log).as_slice() else { panic!("{log}") };
    assert_eq!(result["ruleId"], "valid-deref/use-after-free");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    let related: Vec<(u64, &str)> = result["relatedLocations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| {
            let line = place["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
            (line, place["message"]["text"].as_str().unwrap())
        })
        .collect();
    assert_eq!(related, [(3, "allocated here"), (5, "freed here")]);
    let artifact = &log["runs"][0]["artifacts"][0];
    assert!(artifact["location"]["uri"].as_str().unwrap().ends_with("/a%20program.c"));
    assert_eq!(artifact["hashes"]["sha-256"].as_str().unwrap().len(), 64);
    assert_eq!(log["runs"][0]["properties"]["verdicts"]["valid-deref"], "false(valid-deref)");
}

fn fingerprints(source: &str, name: &str) -> Vec<String> {
    let scratch = Scratch::new(name);
    let path = scratch.file("program.c", source);
    let log = log(belay().args(["check", "--format", "sarif", "--property", "memsafety"]).arg(&path)).unwrap();
    results(&log).iter().map(|result| result["partialFingerprints"].to_string()).collect()
}

#[test]
fn fingerprints_outlive_edits_elsewhere() {
    let before = fingerprints(USE_AFTER_FREE, "sarif-print-1");
    assert_eq!(before.len(), 1);
    let moved = USE_AFTER_FREE
        .replace("int main", "/* a line */\nint unused;\n\nint main")
        .replace("return *p;", "    return  *p; // !");
    assert_eq!(before, fingerprints(&moved, "sarif-print-2"));
    let other = USE_AFTER_FREE.replace("return *p;", "return p[0];");
    assert_ne!(before, fingerprints(&other, "sarif-print-3"));
}

#[test]
fn a_long_run_is_cut_and_an_unknown_is_a_note() {
    let scratch = Scratch::new("sarif-long");
    let source = "int main(void) {\n  int a[4000];\n  for (int i = 0; i < 5000; i++)\n    a[i] = i;\n}\n";
    let path = scratch.file("program.c", source);
    let cut = log(belay().args(["check", "--format", "sarif", "--property", "memsafety"]).arg(&path)).unwrap();
    let flow = &results(&cut)[0]["codeFlows"][0];
    assert_eq!(flow["threadFlows"][0]["locations"].as_array().unwrap().len(), 1000);
    assert!(flow["message"]["text"].as_str().unwrap().contains("left out"));
    let mut late = belay();
    let late = log(late.args(["check", "--format", "sarif", "--time-limit", "0"]).arg(&path)).unwrap();
    assert!(results(&late).iter().all(|result| result["level"] == "note" && result["ruleId"] == "not-decided"));
    assert_eq!(schema::violations(&sarif_schema(), &late), Vec::<String>::new());
}
