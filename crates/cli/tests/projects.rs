//! Programs of several files, compilation databases, LLVM IR and bitcode.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Scratch, answer, belay, repository, shown, text};
use serde_json::{Value, json};

fn project(name: &str) -> PathBuf {
    repository().join("tests/projects").join(name)
}

/// The answer about memory safety.
fn memory_safety(command: &mut Command) -> Value {
    let results = answer(command.args(["--property", "memsafety", "--format", "json"])).unwrap();
    results.into_iter().next().unwrap()
}

#[test]
fn several_files_make_one_program() {
    let folder = project("library");
    let result = memory_safety(belay().arg("check").arg(folder.join("main.c")).arg(folder.join("stack.c")));
    assert_eq!(result["verdict"], "true", "{result}");
}

#[test]
fn a_violation_in_another_file_names_that_file() {
    let folder = project("library");
    let mut command = belay();
    command.arg("check").arg(folder.join("main.c")).arg(folder.join("stack.c"));
    let results = answer(command.args(["--property", "memsafety", "--format", "json", "--", "-DOVERFLOW"])).unwrap();
    assert_eq!(results[0]["verdict"], "false");
    assert_eq!(results[0]["place"]["line"], 17, "{}", results[0]["place"]);
    assert!(results[0]["place"]["file"].as_str().unwrap().ends_with("stack.c"));
    assert!(results[0]["stack"].as_array().unwrap().iter().any(|at| at["function"] == "main" && at["line"] == 8));
}

#[test]
fn one_file_of_several_lacks_functions() {
    let result = memory_safety(belay().arg("check").arg(project("library").join("main.c")));
    assert_eq!(result["verdict"], "unknown", "a function that returns a pointer has no body: {result}");
}

/// A database for the two files, with room for that many items.
fn database(scratch: &Scratch, room: u32) -> PathBuf {
    let directory = project("database");
    let entries = json!([
        { "directory": &directory, "file": "main.c", "command": format!("gcc -O2 -DROOM={room} -c main.c -o main.o") },
        { "directory": &directory, "file": "fill.c",
          "arguments": ["cc", "-Iinclude", "-D", "SIZE=3", "-Wall", "-c", "fill.c"] },
    ]);
    scratch.file("compile_commands.json", entries.to_string())
}

#[test]
fn a_database_gives_each_file_its_flags() {
    let scratch = Scratch::new("database");
    let room_for_three = memory_safety(belay().args(["check", "-p"]).arg(database(&scratch, 3)));
    assert_eq!(room_for_three["violated"], "valid-deref", "{room_for_three}");
    assert_eq!(room_for_three["place"]["line"], 7);
    let room_for_four = memory_safety(belay().args(["check", "-p"]).arg(database(&scratch, 4)));
    assert_eq!(room_for_four["verdict"], "true", "{room_for_four}");
}

#[test]
fn a_database_may_be_named_by_its_folder() {
    let scratch = Scratch::new("database-folder");
    database(&scratch, 4);
    let result = memory_safety(belay().args(["check", "-p"]).arg(scratch.path()));
    assert_eq!(result["verdict"], "true", "{result}");
}

#[test]
fn a_file_that_the_database_lacks_is_named() {
    let scratch = Scratch::new("database-lacks");
    let path = database(&scratch, 4);
    let output = belay().args(["check", "-p"]).arg(path).arg(project("library").join("main.c")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("does not name"), "{}", shown(&output));
}

#[test]
fn files_that_do_not_link_are_refused() {
    let folder = project("clash");
    let output = belay().arg("check").arg(folder.join("one.c")).arg(folder.join("two.c")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("shared"), "{}", shown(&output));
}

/// Compiles a test program with clang as anyone would.
fn compile(source: &Path, flags: &[&str], output: &Path) {
    let clang = std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let status = Command::new(clang).args(flags).arg(source).arg("-o").arg(output).status().unwrap();
    assert!(status.success());
}

#[test]
fn bitcode_and_ir_are_programs_too() {
    let scratch = Scratch::new("bitcode");
    for (name, kind) in [("double_free.bc", "-c"), ("double_free.ll", "-S")] {
        let file = scratch.path().join(name);
        compile(&repository().join("tests/memory/double_free.c"), &["-emit-llvm", "-g", kind], &file);
        let result = memory_safety(belay().arg("check").arg(&file));
        assert_eq!(result["violated"], "valid-free", "{name}: {result}");
        assert_eq!(result["place"]["line"], 7, "{name}");
    }
}

#[test]
fn c_and_bitcode_make_one_program() {
    let scratch = Scratch::new("mixed");
    let stack = scratch.path().join("stack.bc");
    compile(&project("library").join("stack.c"), &["-emit-llvm", "-c"], &stack);
    let result = memory_safety(belay().arg("check").arg(project("library").join("main.c")).arg(stack));
    assert_eq!(result["verdict"], "true", "{result}");
}

#[test]
fn what_a_model_refuses_does_not_refuse_the_program() {
    let scratch = Scratch::new("ir-models");
    let source = "#include <stdio.h>\nint main(void) { double x = 0; return scanf(\"%lf\", &x); }\n";
    let output = belay().arg("ir").arg(scratch.file("a.c", source)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let source = "int main(void) { long double x = 1; return (int)(x / 3); }\n";
    let output = belay().arg("ir").arg(scratch.file("b.c", source)).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("b.c:1:"), "{}", shown(&output));
}

/// What `belay proofs` says of the proofs of a folder: the line of each, and the exit code.
fn proofs(arguments: &[&str]) -> (String, i32) {
    let output = belay().arg("proofs").arg(project("proofs")).args(arguments).output().unwrap();
    (text(&output.stdout), output.status.code().unwrap())
}

#[test]
fn proofs_are_found_run_and_told_apart() {
    let (table, code) = proofs(&["--jobs", "2", "--time-limit", "30"]);
    let line = |name: &str| table.lines().find(|line| line.split(' ').next() == Some(name)).unwrap().to_owned();
    assert!(line("stack_push").contains("proved for every bound") && line("stack_push").contains("yes"), "{table}");
    assert!(line("stack_total").contains("proved for every bound"), "{table}");
    let violated = line("stack_push_unchecked");
    assert!(violated.contains("violated") && violated.contains("valid-deref"), "{table}");
    assert!(table.contains("stack_total: --unwindset stack_total.0:6"), "{table}");
    assert!(table.contains("3 proofs: 2 proved for every bound, 0 passes at its own bound, 1 violated"), "{table}");
    assert_eq!(code, 10);
}

#[test]
fn statics_start_with_any_value_on_request() {
    let scratch = Scratch::new("statics");
    let file = scratch.file("main.c", "static int n = 3; const int k = 4;\nint main(void) { static int m; __CPROVER_assert(n == 3 && m == 0, \"start\"); __CPROVER_assert(k == 4, \"const\"); return 0; }\n");
    for (flag, expected) in [(None, "true"), (Some("--nondet-static"), "false(unreach-call)")] {
        let mut command = belay();
        command.args(["check", "--rules", "cbmc", "--property", "unreach-call"]).arg(&file).args(flag);
        let output = text(&command.output().unwrap().stdout);
        assert!(output.contains(&format!("VERDICT unreach-call {expected}")), "{output}");
    }
}

#[test]
fn a_folder_without_proofs_is_an_error() {
    let output = belay().arg("proofs").arg(project("library")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no proofs under"));
}
