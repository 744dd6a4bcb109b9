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
    let file = project("library").join("main.c");
    let result = memory_safety(belay().arg("check").arg(&file));
    assert_eq!(result["verdict"], "true", "the pointer is only handed on: {result}");
    assert!(result["assumptions"][0].as_str().unwrap().contains("stack_new"), "{result}");
    let result = memory_safety(belay().arg("check").arg(&file).args(["--externs", "refuse"]));
    assert_eq!(result["verdict"], "unknown", "{result}");
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
    let source = "int main(void) { int x = 1; __asm__ volatile(\"nop\" : : : \"memory\"); return x; }\n";
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

/// Runs `belay` with arguments in a folder.
fn belay_in(folder: &std::path::Path, arguments: &[&str]) -> (String, i32) {
    let output = belay().current_dir(folder).args(arguments).output().unwrap();
    (shown(&output), output.status.code().unwrap())
}

#[test]
fn a_project_has_a_file_and_keeps_its_answers() {
    let scratch = Scratch::new("own-file");
    let source = "int twice(short x) { return 2 * x; }\nint next(int x) { return x + 1; }\nint main(void) { return twice(3) + next(1); }\n";
    let file = scratch.file("a.c", source);
    let folder = file.parent().unwrap();
    let (said, code) = belay_in(folder, &["init"]);
    assert!(code == 0 && said.contains("1 entry"), "{said}");
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 0 && said.contains("1 entry: 1 proved") && !said.contains("unchanged"), "{said}");
    assert!(belay_in(folder, &["check"]).0.contains("unchanged"));
    assert!(!belay_in(folder, &["check", "--fresh"]).0.contains("unchanged"));
    scratch.file("a.c", source.replace("next(1)", "next(2147483647)"));
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 10 && said.contains("no-overflow at a.c:2"), "{said}");
}

/// What no function of the program calls counts as well: what runs before `main`, and what contracts speak of.
#[test]
fn answers_are_not_kept_where_something_around_the_entry_changes() {
    let scratch = Scratch::new("kept-around");
    let source = "int g;\n__attribute__((constructor)) static void set(void) { g = 1; }\nint main(void) { int a[2] = {0}; return a[g]; }\n";
    let file = scratch.file("a.c", source);
    let folder = file.parent().unwrap();
    scratch.file("belay.toml", "files = [\"a.c\"]\n");
    assert_eq!(belay_in(folder, &["check"]).1, 0);
    assert!(belay_in(folder, &["check"]).0.contains("unchanged"));
    scratch.file("a.c", source.replace("g = 1", "g = 7"));
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 10 && said.contains("valid-deref at a.c:3"), "{said}");

    let source = "static _Bool fits(char *p) { return __CPROVER_is_fresh(p, 4); }\nvoid f(char *p)\n__CPROVER_requires(fits(p))\n__CPROVER_assigns(__CPROVER_object_whole(p))\n{ p[3] = 0; }\n";
    scratch.file("a.c", source);
    scratch.file("belay.toml", "files = [\"a.c\"]\n[[entry]]\nfunction = \"f\"\nenforce = true\n");
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 0, "{said}");
    scratch.file("a.c", source.replace("(p, 4)", "(p, 3)"));
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 10 && said.contains("valid-deref"), "{said}");
}

#[test]
fn a_suppression_that_matches_nothing_is_an_error() {
    let scratch = Scratch::new("suppressions");
    let source = "int main(void) { int x = 2147483647; return x + 1; }\n";
    let file = scratch.file("a.c", source);
    let folder = file.parent().unwrap();
    let project =
        "files = [\"a.c\"]\n[[suppress]]\nfunction = \"main\"\nproperty = \"no-overflow\"\nreason = \"on purpose\"\n";
    scratch.file("belay.toml", project);
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 0 && said.contains("suppressed") && said.contains("on purpose"), "{said}");
    scratch.file("belay.toml", project.replace("no-overflow", "valid-deref"));
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 10 && said.contains("belay.toml:2: nothing is violated any more"), "{said}");
    scratch.file("belay.toml", project);
    scratch.file("a.c", source.replace("x + 1", "x - 1"));
    let (said, code) = belay_in(folder, &["check"]);
    assert!(code == 2 && said.contains("belay.toml:2: nothing is violated any more"), "{said}");
}

#[test]
fn cbmcs_commands_make_and_check_a_program() {
    let scratch = Scratch::new("drop-in");
    let source =
        "static int half(int x) { return x / 2; }\nint use(int x) { return half(x); }\nint gone(void) { return 1; }\n";
    let file = scratch.file("lib.c", source);
    let folder = file.parent().unwrap();
    let harness = "int use(int); int gone(void); int __CPROVER_file_local_lib_c_half(int);\nvoid harness(void) { int x; __CPROVER_assume(x > 4 && x < 9);\n__CPROVER_assert(use(x) > 1 && __CPROVER_file_local_lib_c_half(x) < LIMIT, \"half\"); gone(); }\n";
    scratch.file("harness.c", harness);
    let run = |arguments: &[&str], expected: i32| {
        let (said, code) = belay_in(folder, arguments);
        assert_eq!(code, expected, "{arguments:?}: {said}");
        said
    };
    run(&["goto-cc", "-c", "--export-file-local-symbols", "-Wall", "lib.c", "-o", "lib.goto"], 0);
    run(&["goto-instrument", "--remove-function-body", "gone", "lib.goto", "lib2.goto"], 0);
    for (limit, expected, word) in [("5", 0, "VERIFICATION SUCCESSFUL"), ("4", 10, "VERIFICATION FAILED")] {
        run(&["goto-cc", "-c", &format!("-DLIMIT={limit}"), "harness.c", "-o", "harness.goto"], 0);
        run(&["goto-cc", "--function", "harness", "harness.goto", "lib2.goto", "-o", "all.goto"], 0);
        let said = run(&["cbmc", "--unwind", "1", "--flush", "--time-limit", "30", "all.goto"], expected);
        assert!(said.contains(word), "{said}");
        let said = run(&["cbmc", "--json-ui", "--nan-check", "--time-limit", "30", "all.goto"], expected);
        assert!(said.contains("\"cProverStatus\"") && said.contains("not honoured: --nan-check"), "{said}");
    }
    let job =
        ["litani", "add-job", "--command", "echo made", "--outputs", "sub/made.txt", "--stdout-file", "sub/made.txt"];
    run(&job, 0);
    assert_eq!(std::fs::read_to_string(folder.join("sub/made.txt")).unwrap(), "made\n");
    run(&["litani", "add-job", "--command", "exit 10", "--ignore-returns", "10"], 0);
    run(&["litani", "add-job", "--command", "exit 3"], 2);
}

#[test]
fn proofs_about_contracts_are_run() {
    let scratch = Scratch::new("contract-proofs");
    let source = "#include \"lib.h\"\nint low(const int *a) { return a[0] & 7; }\nint sum(const int *a) { return low(a) + low(a); }\nint wide(const int *a) { return a[1]; }\n";
    let contract = |name: &str, ensures: &str| {
        format!(
            "int {name}(const int *a)\n__CPROVER_requires(__CPROVER_is_fresh(a, sizeof(int)))\n__CPROVER_assigns()\n__CPROVER_ensures({ensures});\n"
        )
    };
    let header: String = [
        ("low", "0 <= __CPROVER_return_value && __CPROVER_return_value < 8"),
        ("sum", "__CPROVER_return_value < 15"),
        ("wide", "1"),
    ]
    .iter()
    .map(|(name, ensures)| contract(name, ensures))
    .collect();
    scratch.file("lib.h", &header);
    let file = scratch.file("source.c", source);
    let folder = file.parent().unwrap();
    for (name, used) in [("low", ""), ("sum", "low"), ("wide", "")] {
        let proof = folder.join(name);
        std::fs::create_dir_all(&proof).unwrap();
        let harness = format!("#include \"lib.h\"\nvoid harness(void) {{ int *a; {name}(a); }}\n");
        std::fs::write(proof.join("harness.c"), harness).unwrap();
        let makefile = format!(
            "HARNESS_ENTRY = harness\nHERE := $(abspath .)\nPROOF_UID = {name}\nPROOF_SOURCES = $(HERE)/harness.c\nPROJECT_SOURCES = $(HERE)/made.c\nINCLUDES = -I$(HERE)/..\n\
             CHECK_FUNCTION_CONTRACTS = {name}\nUSE_FUNCTION_CONTRACTS = {used}\n$(HERE)/made.c: ../source.c\n\tcp $^ $@\n"
        );
        std::fs::write(proof.join("Makefile"), makefile).unwrap();
    }
    let (table, _) = belay_in(folder, &["proofs", ".", "--time-limit", "30", "--strength"]);
    let line =
        |name: &str| table.lines().find(|line| line.split(' ').next() == Some(name)).unwrap_or_default().to_owned();
    assert!(
        line("low").contains("proved for every bound") && line("sum").contains("proved for every bound"),
        "{table}"
    );
    assert!(line("wide").contains("violated") && line("wide").contains("valid-deref"), "{table}");
    assert!(!folder.join("low/made.c").exists(), "nothing is written into the project");
    assert!(!table.contains("no proof here shows"), "{table}");
    let (table, _) = belay_in(folder, &["proofs", ".", "--only", "/sum", "--time-limit", "30", "--strength"]);
    assert!(table.contains("no proof here shows: low"), "{table}");
}
