//! What users are told about termination: loops by line, measures in C syntax, endless runs with their inputs.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{belay, repository};

/// The report on a program under the project's root.
fn report(path: &str, more: &[&str]) -> String {
    let file = repository().join(path);
    let output = belay().arg("check").arg(file).args(["--property", "termination"]).args(more).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn check(path: &str, expected: &[&str]) {
    let text = report(path, &[]);
    for line in expected {
        assert!(text.contains(line), "`{line}` is missing in:\n{text}");
    }
}

#[test]
fn a_strictly_increasing_counter_ends() {
    check("examples/strictly_increasing.c", &["VERDICT termination true"]);
    let expected = ["line 4: terminates, n gets smaller", "line 6: terminates, k gets smaller"];
    check("tests/termination/even_and_odd_fixed.c", &expected);
}

#[test]
fn a_char_that_counts_up_wraps_and_never_ends() {
    check("examples/char_wraps.c", &["its state recurs", "x = 1", "VERDICT termination false"]);
}

#[test]
fn a_toggle_never_ends_although_each_round_changes_it() {
    check("examples/negates.c", &["its state recurs", "VERDICT termination false"]);
}

#[test]
fn an_increment_of_zero_never_ends() {
    let expected = ["sasum comes back to this place for ever", "incx == 0", "call sasum(n = ", "and so on for ever"];
    check("examples/sasum.c", &expected);
}

#[test]
fn inputs_that_keep_a_run_going_are_counted() {
    check("tests/termination/steady_input.c", &["as long as it gets the same input again"]);
}

#[test]
fn a_recursion_through_its_own_result_has_a_measure() {
    check("tests/termination/mccarthy_fixed.c", &["line 5: terminates", "n gets smaller"]);
    check("tests/termination/two_unsigned_fixed.c", &["line 6: terminates, x + y", "gets smaller"]);
}

#[test]
fn a_run_that_cannot_end_is_shown_with_the_inputs_that_keep_it_going() {
    let expected = ["main comes back to this place for ever", "__VERIFIER_nondet_int() == ", "and so on for ever"];
    check("tests/termination/stays_even.c", &expected);
    let json: serde_json::Value =
        serde_json::from_str(&report("tests/termination/stays_even.c", &["--format", "json"])).unwrap();
    let choices = json["results"][0]["choices"].as_array().unwrap();
    assert!(!choices.is_empty() && choices.len() < 1000, "{} choices", choices.len());
}

#[test]
fn json_has_an_entry_for_each_loop() {
    let loops = |path: &str| {
        let json: serde_json::Value = serde_json::from_str(&report(path, &["--format", "json"])).unwrap();
        json["results"][0]["loops"][0].clone()
    };
    let ends = loops("tests/termination/even_and_odd_fixed.c");
    assert_eq!((&ends["terminates"], &ends["because"][0]), (&true.into(), &"n".into()));
    assert_eq!(ends["place"]["line"], 4);
    let endless = loops("examples/sasum.c");
    assert_eq!((&endless["terminates"], &endless["place"]["function"]), (&false.into(), &"sasum".into()));
}
