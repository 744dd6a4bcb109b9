//! What users are told about termination: loops by line, rankings in C syntax, endless runs with their inputs.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{Scratch, belay, repository, text};

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

/// Values are called after the variable whose they are, not after one that they are copied to.
#[test]
fn a_copied_counter_keeps_its_name() {
    let of_b = ["line 6: terminates", "- b)"];
    check("tests/termination/copied_counter_fixed.c", &of_b);
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

/// A transition system as another tool writes it, and what the front end makes of a program.
#[test]
fn transition_systems_are_read() {
    let scratch = Scratch::new("its");
    let header =
        "(format LCTRS :smtlib 2.6)(theory Ints)(fun f (-> Int Int Int))(fun g (-> Int Int Int))(entrypoint f)";
    let said = |name: &str, text_of: &str| {
        let file = scratch.file(name, text_of.as_bytes());
        let output = belay().arg("its").arg(file).output().unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let rules =
        |step: &str| format!("{header}(rule (f x y) (g x y))(rule (g x y) {step} :guard (and (> x 0) (> y 0)))");
    let (code, told) = said("ends.ari", &rules("(g (- x y) y)"));
    assert_eq!((code, told.contains("g: (x) gets smaller")), (Some(0), true), "{told}");
    assert!(told.ends_with("VERDICT termination true\n"), "{told}");
    let (code, told) = said("goes_on.ari", &rules("(g (+ x y) y)"));
    assert_eq!((code, told.contains("again and again")), (Some(10), true), "{told}");
    let (code, told) = said("bad.ari", "(rule (f x)");
    assert_eq!((code, told.contains("bad.ari: line")), (Some(2), true), "{told}");
    let (code, told) = said("deep.ari", &"(".repeat(200_000));
    assert_eq!((code, told.contains("nested too deeply")), (Some(2), true), "{told}");
    let output = belay().args(["its", "no-such-file.ari"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let program = repository().join("tests/termination/greater_of_two_fixed.c");
    let output = belay().args(["ir", "--ari"]).arg(program).output().unwrap();
    let (code, told) = said("program.ari", &text(&output.stdout));
    assert_eq!((code, told.contains("one of ")), (Some(0), true), "{told}");
}
