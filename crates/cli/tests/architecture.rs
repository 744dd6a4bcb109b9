//! No crate depends on one that ARCHITECTURE.md does not let it know.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
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
        let in_tests = to == "frontend" || to == "testing" || from == "belay";
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
