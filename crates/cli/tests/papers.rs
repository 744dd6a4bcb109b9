//! The examples of the papers that the bit-precise engines follow, answered as the papers say.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{belay, repository, shown, text};

/// Checks an example and returns what is printed.
fn check(name: &str, property: &str, more: &[&str]) -> String {
    let path = repository().join("examples/papers").join(name);
    let mut command = belay();
    command.args(["check", "--time-limit", "60", "--property", property]).args(more).arg(path);
    let output = command.output().unwrap();
    assert!(text(&output.stdout).contains("VERDICT"), "{}", shown(&output));
    text(&output.stdout)
}

#[track_caller]
fn answers(name: &str, property: &str, more: &[&str], expected: &[&str]) {
    let found = check(name, property, more);
    for part in expected {
        assert!(found.contains(part), "{name} {more:?}: no `{part}` in\n{found}");
    }
}

#[test]
fn memory_model_double_free_with_one_argument() {
    answers("memory_model.c", "memsafety", &[], &["VERDICT memsafety false(valid-free)", "argc 1", "free(p);"]);
}

#[test]
fn uri_by_template() {
    let with = |domain| ["--engines", "kiki", "--no-k-induction", "--domain", domain];
    for domain in ["havoc", "intervals"] {
        answers(
            "uri.c",
            "unreach-call",
            &with(domain),
            &["VERDICT unreach-call unknown(", "copy_authority.unreach-call.1"],
        );
    }
    for domain in ["zones", "octagons"] {
        answers("uri.c", "unreach-call", &with(domain), &["VERDICT unreach-call true", "cp < uri_length"]);
    }
}

#[test]
fn uri_by_k_induction() {
    let options = ["--engines", "kiki", "--domain", "havoc"];
    answers("uri.c", "unreach-call", &options, &["VERDICT unreach-call true", "by 2-induction over 1 loop"]);
}

#[test]
fn matrix_to_vector() {
    let found = ["VERDICT valid-deref false(valid-deref)", "past the end of `array`"];
    answers("matrix_to_vector.c", "valid-deref", &[], &found);
    answers("matrix_to_vector_fixed.c", "valid-deref", &[], &["VERDICT valid-deref true", "-induction over 2 loops"]);
}

#[test]
fn free_safety() {
    answers(
        "free_safety.c",
        "memsafety",
        &[],
        &["VERDICT memsafety false(valid-deref)", "free(*b);", "which was freed"],
    );
}

#[test]
fn bubble_sort_needs_its_precondition() {
    answers("bubble_sort.c", "no-overflow", &[], &["VERDICT no-overflow true"]);
    let found = ["VERDICT no-overflow false(no-overflow)", "signed subtraction overflows", "size = -2147483648"];
    answers("bubble_sort_any_size.c", "no-overflow", &[], &found);
}

#[test]
fn count_to_ten_interval() {
    let options = ["--engines", "kiki", "--no-k-induction", "--domain", "intervals"];
    answers("count_to_ten.c", "unreach-call", &options, &["VERDICT unreach-call true", "x <= 10 && 1 <= x"]);
    let json = [&options[..], &["--format", "json"]].concat();
    let path = repository().join("examples/papers/count_to_ten.c");
    let output = belay().args(["check", "--property", "unreach-call"]).args(json).arg(path).output().unwrap();
    assert!(text(&output.stdout).contains("x <= 10 && 1 <= x"), "{}", shown(&output));
}

/// The programs of the paper about symbolic execution graphs are safe, and each of their twins is refuted by a run.
#[test]
fn pointer_programs_and_their_unsafe_twins() {
    for safe in ["strlen_main", "strcpy_main", "sort_main", "sasum"] {
        let file = format!("{safe}.c");
        let found = check(&file, "memsafety,termination", &[]);
        assert!(found.contains("VERDICT memsafety true") && found.contains("VERDICT termination true"), "{found}");
    }
    let deref = "valid-deref";
    let free = "valid-free";
    let twins = [
        ("strlen_main_unterminated.c", deref, "past the end of the heap block"),
        ("strlen_main_short.c", deref, "just past the end of the heap block"),
        ("strlen_main_double_free.c", free, "which was freed"),
        ("strlen_main_free_interior.c", free, "into the heap block"),
        ("strcpy_main_unterminated.c", deref, "past the end of the heap block"),
        ("strcpy_main_short.c", deref, "just past the end of the heap block"),
        ("strcpy_main_double_free.c", free, "which was freed"),
        ("strcpy_main_free_interior.c", free, "1 byte into the heap block of 1 byte"),
        ("sort_main_short.c", deref, "of 7 bytes allocated at line 19: 1 byte too many"),
        ("sort_main_double_free.c", free, "which was freed"),
        ("sort_main_free_interior.c", free, "4 bytes into the heap block"),
        ("sasum_short.c", deref, "just past the end of the heap block"),
        ("sasum_double_free.c", free, "which was freed"),
        ("sasum_free_interior.c", free, "4 bytes into the heap block"),
    ];
    for (file, property, what) in twins {
        let found = check(file, property, &[]);
        assert!(
            found.contains(&format!("VERDICT {property} false({property})"))
                && found.contains(what)
                && found.contains("the run:"),
            "{file}: {found}"
        );
    }
}
