//! No crate depends on one that ARCHITECTURE.md does not let it know; crates, files and functions stay of a size to be read.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::repository;
use serde_json::Value;

/// Crate names in backquotes, as the document writes them.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The first two columns of the table whose header begins with `title`.
fn table(document: &str, title: &str) -> Vec<(BTreeSet<String>, BTreeSet<String>)> {
    let rows = document.lines().skip_while(|line| !line.starts_with(&format!("| {title} |"))).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.split('|').skip(1);
            (quoted(cells.next().unwrap()), quoted(cells.next().unwrap()))
        })
        .collect()
}

/// `belay-ir` is called `ir` in the document.
fn short(package: &str) -> &str {
    package.strip_prefix("belay-").unwrap_or(package)
}

struct Arrow {
    from: String,
    to: String,
    /// For tests and benches only.
    testing: bool,
}

fn arrows() -> (BTreeSet<String>, Vec<Arrow>) {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(repository())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut crates = BTreeSet::new();
    let mut arrows = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let from = short(package["name"].as_str().unwrap()).to_owned();
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = short(dependency["name"].as_str().unwrap()).to_owned();
            arrows.push(Arrow { from: from.clone(), to, testing: dependency["kind"] == "dev" });
        }
        crates.insert(from);
    }
    (crates, arrows)
}

#[test]
fn every_arrow_is_on_the_map() {
    let document = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let allowed: BTreeMap<String, BTreeSet<String>> =
        table(&document, "crate").into_iter().map(|(name, may)| (name.into_iter().next().unwrap(), may)).collect();
    let alone: BTreeMap<String, BTreeSet<String>> = table(&document, "crate from outside")
        .into_iter()
        .map(|(name, only)| (name.into_iter().next().unwrap(), only))
        .collect();
    let (crates, arrows) = arrows();

    let mut wrong = Vec::new();
    let listed: BTreeSet<String> = allowed.keys().cloned().collect();
    wrong.extend(crates.difference(&listed).map(|name| format!("{name} has no row")));
    wrong.extend(listed.difference(&crates).map(|name| format!("{name} has a row but does not exist")));
    for Arrow { from, to, testing } in &arrows {
        let may_know = allowed.get(from).is_some_and(|may| may.contains(to));
        let in_tests = ["frontend", "passes", "testing"].contains(&to.as_str()) || from == "belay";
        if crates.contains(to) && !may_know && !(*testing && in_tests) {
            wrong.push(format!("{from} must not depend on {to}"));
        }
        if alone.get(to).is_some_and(|only| !only.contains(from)) && !testing {
            wrong.push(format!("{from} must not use {to}"));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md and Cargo.toml disagree:\n{}", wrong.join("\n"));
}

/// The map itself has no cycle: some order has every arrow pointing backwards.
#[test]
fn the_map_is_one_way() {
    let document = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let mut known = BTreeSet::new();
    for (name, may) in table(&document, "crate") {
        assert!(may.is_subset(&known), "{name:?} depends on a crate that is listed below it");
        known.extend(name);
    }
    assert!(known.len() > 1, "the table was not found");
}

/// Lines of source in one crate at most.
const MOST_IN_A_CRATE: usize = 10_000;
/// Lines of a file at most.
const MOST_IN_A_FILE: usize = 500;
/// Lines of a function at most. A table with one arm an instruction, an operation or a built-in may be longer: its comment says that it is one.
const MOST_IN_A_FUNCTION: usize = 60;
/// How a function says that it is such a table.
const TABLE: &str = "// A table:";

/// The files of a crate's own code.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The functions of a file: name, lines, and whether it is a marked table. The layout is rustfmt's, so that a function ends where a brace stands below its
/// first letter.
fn functions(text: &str) -> Vec<(String, usize, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let words = ["pub", "pub(crate)", "pub(super)", "const", "unsafe"];
        let is_function = start.split(' ').find(|word| !words.contains(word)) == Some("fn");
        let Some((_, rest)) = start.split_once("fn ").filter(|_| is_function) else { continue };
        let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let is_one_line = start.ends_with('}') || start.ends_with(';');
        let closes = |line: &&str| {
            let own = line.get(indent..).unwrap_or_default();
            own == "}" || own.starts_with(')') && own.ends_with(';')
        };
        let end = if is_one_line { Some(0) } else { lines[at..].iter().position(closes) };
        let length = end.map_or(1, |end| end + 1);
        let above = lines[..at].iter().rev().take_while(|line| {
            let line = line.trim_start();
            line.starts_with("//") || line.starts_with("#[")
        });
        let is_table = above.into_iter().any(|line| line.trim_start().starts_with(TABLE));
        found.push((name, length, is_table));
    }
    found
}

#[test]
fn crates_files_and_functions_are_of_a_size_to_be_read() {
    let folder = repository().join("crates");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let mut files = Vec::new();
        sources(&entry.unwrap().path().join("src"), &mut files);
        let mut total = 0;
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let name = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
            let lines = text.lines().count();
            total += lines;
            if lines > MOST_IN_A_FILE {
                wrong.push(format!("{name} has {lines} lines: split it"));
            }
            let long =
                functions(&text).into_iter().filter(|(_, lines, is_table)| *lines > MOST_IN_A_FUNCTION && !is_table);
            wrong.extend(long.map(|(function, lines, _)| format!("{function} in {name} has {lines} lines: split it")));
            if total > MOST_IN_A_CRATE {
                wrong.push(format!("with {name} its crate has {total} lines"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_are_measured() {
    let text = "/// Doc.\n// A table: one arm each.\nfn a() -> u8 {\n    1\n}\n\nimpl X {\n    pub(crate) fn b(\n        x: u8,\n    ) {\n    }\n    fn c();\n}\n";
    let found = functions(text);
    let expected = [("a".to_owned(), 3, true), ("b".to_owned(), 4, false), ("c".to_owned(), 1, false)];
    assert_eq!(found, expected);
}
