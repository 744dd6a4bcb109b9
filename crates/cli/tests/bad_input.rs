//! Wrong input and wrong use, as a new user would: one clear message, the right exit code, no panic, within the limit.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Scratch, belay, repository, shown, text};

const PROVED: i32 = 0;
const USAGE: i32 = 1;
const INPUT: i32 = 2;
const UNKNOWN: i32 = 5;
const VIOLATED: i32 = 10;

const SOUND: &str = "int main(void) { return 0; }\n";
const ENDLESS: &str = "int main(void) { unsigned long long i = 0; for (;;) i++; }\n";

/// Runs to the end, which must come soon, and checks what holds of every failure.
fn run(command: &mut Command) -> Output {
    let start = Instant::now();
    let output = command.output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    let all = text(&output.stdout) + &text(&output.stderr);
    for word in ["panicked", "RUST_BACKTRACE", "unwrap()", "internal error"] {
        assert!(!all.contains(word), "says `{word}`: {}", shown(&output));
    }
    output
}

/// One message on standard error that says `what`, nothing on standard output.
fn refused(command: &mut Command, code: i32, what: &str) {
    let output = run(command);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
    assert!(errors.contains(what), "does not say `{what}`: {}", shown(&output));
    assert_eq!(errors.matches("belay: error:").count(), 1, "not one message: {}", shown(&output));
    assert!(output.stdout.is_empty(), "{}", shown(&output));
}

/// A check of a file with this name and content.
fn refused_file(name: &str, content: impl AsRef<[u8]>, what: &str) {
    let scratch = Scratch::new(&format!("refused-{}", name.replace('.', "-")));
    let path = scratch.file(name, content);
    refused(belay().arg("check").arg(path), INPUT, what);
}

#[test]
fn a_directory() {
    let scratch = Scratch::new("directory");
    refused(belay().arg("check").arg(scratch.path()), INPUT, "is a directory");
}

#[test]
fn a_directory_named_like_a_program() {
    let scratch = Scratch::new("directory-c");
    let path = scratch.path().join("program.c");
    std::fs::create_dir(&path).unwrap();
    refused(belay().arg("check").arg(path), INPUT, "is a directory");
}

#[test]
fn a_missing_file() {
    refused(belay().args(["check", "no-such-file.c"]), INPUT, "cannot read no-such-file.c: No such file");
}

#[test]
fn an_empty_file() {
    refused_file("empty.c", "", "no function `main`");
}

#[test]
fn a_program_without_main() {
    refused_file("library.c", "int twice(int x) { return 2 * x; }\n", "no function `main`");
}

#[test]
fn a_function_that_does_not_exist() {
    let scratch = Scratch::new("no-function");
    let path = scratch.file("a.c", SOUND);
    refused(belay().arg("check").arg(path).args(["--function", "start"]), INPUT, "no function `start`");
}

#[test]
fn a_function_without_a_body() {
    let scratch = Scratch::new("no-body");
    let path = scratch.file("a.c", "int f(void);\nint main(void) { return f(); }\n");
    refused(belay().arg("check").arg(path).args(["--function", "f"]), INPUT, "no function `f`");
}

#[test]
fn a_syntax_error() {
    refused_file("broken.c", "int main(void) {\n    return 0\n}\n", "broken.c:2:13: error: expected ';'");
}

/// A header that is not found is what is said, not what follows from it.
#[test]
fn a_contract_whose_header_is_missing() {
    let scratch = Scratch::new("no-header");
    let source = "#include \"belay.h\"\nint half(int x)\nbelay_requires(x > 0)\n{ return x / 2; }\n";
    let path = scratch.file("half.c", source);
    refused(belay().arg("check").arg(path).args(["--enforce", "half"]), INPUT, "'belay.h' file not found");
}

#[test]
fn cpp_code_in_a_c_file() {
    refused_file("class.c", "#include <vector>\nint main() { std::vector<int> v; }\n", "'vector' file not found");
}

#[test]
fn a_file_of_no_known_kind() {
    refused_file("notes.txt", "hello\n", "not a C source");
}

#[test]
fn a_binary() {
    let scratch = Scratch::new("binary");
    let path = scratch.path().join("program");
    std::fs::copy(env!("CARGO_BIN_EXE_belay"), &path).unwrap();
    refused(belay().arg("check").arg(path), INPUT, "not a C source");
}

#[test]
fn a_binary_named_like_a_program() {
    refused_file("binary.c", [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0xff, 0xfe, 0, 0, 0x80], "does not compile");
}

#[test]
fn a_binary_named_like_bitcode() {
    refused_file("binary.bc", [0x7f, b'E', b'L', b'F', 2, 1, 1, 0], "not valid LLVM bitcode");
}

#[test]
fn empty_bitcode() {
    refused_file("empty.bc", "", "no function `main`");
}

/// Bitcode of a small program, compiled for a data model.
fn bitcode(scratch: &Scratch, model: &str) -> Vec<u8> {
    let source = scratch.file("program.c", SOUND);
    let target = scratch.path().join("program.bc");
    let clang = std::env::var("BELAY_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let status = Command::new(clang).args([model, "-emit-llvm", "-c"]).arg(source).arg("-o").arg(&target).status();
    assert!(status.unwrap().success());
    std::fs::read(target).unwrap()
}

#[test]
fn truncated_bitcode() {
    let scratch = Scratch::new("truncated");
    let whole = bitcode(&scratch, "-m64");
    for length in [1, 4, 5, 100, whole.len() / 2, whole.len() - 1] {
        let path = scratch.file("cut.bc", &whole[..length]);
        refused(belay().arg("check").arg(path), INPUT, "not valid LLVM bitcode");
    }
}

#[test]
fn damaged_bitcode_is_never_a_crash_of_ours() {
    let scratch = Scratch::new("damaged");
    let whole = bitcode(&scratch, "-m64");
    for position in (8..whole.len()).step_by(whole.len() / 20) {
        let mut damaged = whole.clone();
        damaged[position] ^= 0x5a;
        let path = scratch.file("damaged.bc", damaged);
        let output = belay().arg("check").arg(path).args(["--time-limit", "10"]).output().unwrap();
        // LLVM itself may abort on such input: then the answer is unknown. All else is read or refused.
        assert!([0, 2, 5, 10].contains(&output.status.code().unwrap()), "byte {position}: {}", shown(&output));
    }
}

#[test]
fn broken_ir() {
    refused_file("broken.ll", "define i32 @main() {\n  ret i32 %undefined\n}\n", "broken.ll");
}

#[test]
fn bitcode_of_another_data_model() {
    let scratch = Scratch::new("data-model");
    let path = scratch.file("narrow.bc", bitcode(&scratch, "-m32"));
    refused(belay().arg("check").arg(&path), INPUT, "32-bit");
    let output = run(belay().args(["check", "--data-model", "ILP32"]).arg(&path));
    assert_eq!(output.status.code(), Some(PROVED), "{}", shown(&output));
}

#[test]
fn targets_that_are_not_handled() {
    let scratch = Scratch::new("targets");
    let sound = scratch.file("sound.c", SOUND);
    let for_target = |file: &Path, triple: &str| {
        let mut command = belay();
        command.arg("check").arg(file).args(["--target", triple]);
        command
    };
    refused(&mut for_target(&sound, "nonsense"), USAGE, "clang knows no target `nonsense`");
    refused(&mut for_target(&sound, "mips-linux-gnu"), USAGE, "__BYTE_ORDER__");
    refused(&mut for_target(&sound, "aarch64-linux-gnu"), USAGE, "64 bits");
    let fields = "struct s { char a; int : 0; char b; };\nint main(void) { return sizeof(struct s) == 8; }\n";
    let fields = scratch.file("fields.c", fields);
    refused(&mut for_target(&fields, "arm-none-eabi"), USAGE, "a bit-field of no width");
    let output = run(belay().arg("check").arg(&fields).args(["--property", "memsafety"]));
    assert_eq!(output.status.code(), Some(PROVED), "{}", shown(&output));
}

#[test]
fn no_clang_on_the_path() {
    let scratch = Scratch::new("no-clang");
    let path = scratch.file("a.c", SOUND);
    let mut command = belay();
    command.arg("check").arg(path).env("PATH", scratch.path()).env_remove("BELAY_CLANG");
    refused(&mut command, INPUT, "clang 22 is needed");
}

#[test]
fn another_clang_on_the_path() {
    let scratch = Scratch::new("old-clang");
    let path = scratch.file("a.c", SOUND);
    let old = scratch.file("clang", "#!/bin/sh\necho 14.0.6\n");
    let mut permissions = std::fs::metadata(&old).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&old, permissions).unwrap();
    let mut command = belay();
    command.arg("check").arg(path).env("PATH", scratch.path()).env_remove("BELAY_CLANG");
    refused(&mut command, INPUT, "clang 22 is needed");
}

#[test]
fn unknown_flags_for_clang() {
    let scratch = Scratch::new("clang-flags");
    let path = scratch.file("a.c", SOUND);
    refused(belay().arg("check").arg(path).args(["--", "-fno-such-flag"]), INPUT, "-fno-such-flag");
}

/// Nothing is written where the program lies, nor where Belay is run.
#[test]
fn a_read_only_directory() {
    let scratch = Scratch::new("read-only");
    let folder = scratch.path().join("inside");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.c"), SOUND).unwrap();
    let set_mode = |mode| {
        let mut permissions = std::fs::metadata(&folder).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, mode);
        std::fs::set_permissions(&folder, permissions).unwrap();
    };
    set_mode(0o555);
    let output = run(belay().args(["check", "a.c"]).current_dir(&folder).env("TMPDIR", &folder));
    let entries = std::fs::read_dir(&folder).unwrap().count();
    set_mode(0o755);
    assert_eq!(output.status.code(), Some(PROVED), "{}", shown(&output));
    assert_eq!(entries, 1, "left a file behind");
}

#[test]
fn no_time() {
    let scratch = Scratch::new("no-time");
    let path = scratch.file("a.c", SOUND);
    let output = run(belay().arg("check").arg(path).args(["--time-limit", "0", "--property", "termination"]));
    assert_eq!(output.status.code(), Some(UNKNOWN), "{}", shown(&output));
    assert_eq!(text(&output.stdout), "VERDICT termination unknown(time limit reached)\n");
}

#[test]
fn too_little_time() {
    let scratch = Scratch::new("little-time");
    let source = "unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
                  int main(void) { unsigned long long i = __VERIFIER_nondet_ulonglong();\n\
                  while (i > 1) i = i % 2 == 0 ? i / 2 : 3 * i + 1; }\n";
    let path = scratch.file("a.c", source);
    let start = Instant::now();
    let output = run(belay().arg("check").arg(path).args(["--time-limit", "1", "--property", "termination"]));
    assert!(start.elapsed() < Duration::from_secs(3), "took {:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(UNKNOWN), "{}", shown(&output));
    assert!(text(&output.stdout).contains("VERDICT termination unknown("), "{}", shown(&output));
}

#[test]
fn what_is_known_is_said_when_a_limit_ends_the_rest() {
    let program = repository().join("tests/memory/graph_list.c");
    let output = run(belay().arg("check").arg(program).args(["--memory-limit", "300", "--time-limit", "20"]));
    assert_eq!(output.status.code(), Some(VIOLATED), "{}", shown(&output));
    assert!(text(&output.stdout).contains("VERDICT memsafety false(valid-deref)"), "{}", shown(&output));
    assert!(text(&output.stdout).contains("VERDICT termination unknown("), "{}", shown(&output));
}

#[test]
fn too_little_memory() {
    let scratch = Scratch::new("little-memory");
    let source = "#include <stdlib.h>\n#include <string.h>\n\
                  int main(void) { char *last = 0; for (;;) {\n\
                  char *p = malloc(1 << 24); memset(p, 1, 1 << 24); *(char **)p = last; last = p; } }\n";
    let path = scratch.file("a.c", source);
    let output =
        run(belay().arg("check").arg(path).args(["--memory-limit", "200", "--time-limit", "10", "--engines", "run"]));
    assert_eq!(output.status.code(), Some(UNKNOWN), "{}", shown(&output));
    assert!(text(&output.stdout).contains("VERDICT memsafety unknown("), "{}", shown(&output));
}

#[test]
fn a_closed_pipe() {
    let scratch = Scratch::new("closed-pipe");
    let path = repository().join("tests/memory/double_free.c");
    let errors = scratch.path().join("errors");
    let mut child = belay()
        .arg("check")
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(VIOLATED), "signal {:?}", status.signal());
    assert_eq!(std::fs::read_to_string(errors).unwrap(), "");
}

#[test]
fn no_arguments() {
    let output = run(&mut belay());
    assert_eq!(output.status.code(), Some(USAGE), "{}", shown(&output));
    assert!(text(&output.stderr).contains("Usage: belay"), "{}", shown(&output));
}

#[test]
fn no_file() {
    refused(belay().arg("check"), USAGE, "no input file");
}

#[test]
fn wrong_use() {
    for arguments in [
        &["check", "a.c", "--property", "safety"][..],
        &["check", "a.c", "--data-model", "LP32"],
        &["check", "a.c", "--time-limit", "soon"],
        &["check", "a.c", "--no-such-option"],
        &["verify", "a.c"],
    ] {
        let output = run(belay().args(arguments));
        assert_eq!(output.status.code(), Some(USAGE), "{arguments:?}: {}", shown(&output));
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}: {}", shown(&output));
    }
}

#[test]
fn inputs_that_are_no_numbers() {
    let scratch = Scratch::new("inputs");
    let path = scratch.file("a.c", SOUND);
    let output = run(belay().arg("run").arg(path).args(["--inputs", "one"]));
    assert_eq!(output.status.code(), Some(USAGE), "{}", shown(&output));
}

#[test]
fn help_and_version_are_no_errors() {
    for flag in ["--help", "--version"] {
        let output = run(belay().arg(flag));
        assert_eq!(output.status.code(), Some(PROVED));
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{}", shown(&output));
    }
}

#[test]
fn a_damaged_compilation_database() {
    let scratch = Scratch::new("damaged-database");
    let path = scratch.file("compile_commands.json", "[{");
    refused(belay().args(["check", "-p"]).arg(path), INPUT, "is not JSON");
    let path = scratch.file("compile_commands.json", "[]");
    refused(belay().args(["check", "-p"]).arg(path), INPUT, "");
}

#[test]
fn an_unsupported_construct_is_an_unknown_in_check_and_an_error_in_ir() {
    let path = repository().join("tests/frontend/inline_assembly.c");
    let checked = run(belay().arg("check").arg(&path));
    assert_eq!(checked.status.code(), Some(UNKNOWN), "{}", shown(&checked));
    let scratch = Scratch::new("unsupported");
    let source = "int main(void) { int x = 1;\n__asm__ volatile(\"nop\" : : : \"memory\"); return x; }\n";
    let printed = run(belay().arg("ir").arg(scratch.file("a.c", source)));
    assert_eq!(printed.status.code(), Some(INPUT));
    assert!(text(&printed.stderr).contains("a.c:2"), "{}", text(&printed.stderr));
}

/// The processes whose command line names this file.
fn processes_about(path: &Path) -> Vec<String> {
    let wanted = path.to_str().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| text(&line)).filter(|line| line.contains(wanted)).collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a signal to a running check; nothing may be left of it.
fn interrupted(name: &str, signal: libc::c_int) {
    let scratch = Scratch::new(name);
    let temporary = scratch.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let path = scratch.file("endless.c", ENDLESS);
    let mut child = belay()
        .arg("check")
        .arg(&path)
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("no child was started", || processes_about(&path).len() >= 2);
    // SAFETY: the process is a child of this one and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), signal) };
    let status = child.wait().unwrap();
    assert!(matches!(status.code(), Some(5 | 10)), "{:?}, signal {:?}", status.code(), status.signal());
    let (mut said, mut answer) = (String::new(), String::new());
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert!(answer.contains("VERDICT memsafety ") && answer.contains("VERDICT termination "), "{answer}");
    assert!(!said.contains("panicked"), "{said}");
    wait_until("a child is left", || processes_about(&path).is_empty());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "a temporary file is left");
}

#[test]
fn ctrl_c_leaves_nothing() {
    interrupted("interrupt", libc::SIGINT);
}

#[test]
fn being_terminated_leaves_nothing() {
    interrupted("terminate", libc::SIGTERM);
}

/// Even where the parent can't clean up, the child goes with it.
#[test]
fn being_killed_leaves_no_child() {
    let scratch = Scratch::new("kill");
    let path = scratch.file("endless.c", ENDLESS);
    let mut child = belay().arg("check").arg(&path).stdout(Stdio::null()).spawn().unwrap();
    wait_until("no child was started", || processes_about(&path).len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("a child is left", || processes_about(&path).is_empty());
}
