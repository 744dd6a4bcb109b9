//! Witnesses: our own are accepted and confirmed, malformed ones are refused with the line, those in other tools' conventions lead to the
//! violation, and those that say what is not so are not confirmed. Stored proofs: `stored/`. The page of a run: `page/`.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;
mod conventions;
mod page;
mod snippets;
mod stored;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::{Scratch, belay, shown, text};

/// Programs with a property that they violate.
const VIOLATIONS: &[(&str, &str, &str)] = &[
    (
        "two-inputs",
        "unreach-call",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y;\n  y = __VERIFIER_nondet_int();\n  if (x > 1000 && y == x + 3)\n    reach_error();\n  return 0;\n}\n",
    ),
    (
        "in-a-loop",
        "unreach-call",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 4; i++) {\n    int x = __VERIFIER_nondet_int();\n    if (x < 0 || x > 100)\n      return 0;\n    sum += x;\n  }\n  if (sum == 397)\n    reach_error();\n  return 0;\n}\n",
    ),
    (
        "overflow",
        "no-overflow",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x;\n  return y + 1;\n}\n",
    ),
    (
        "out-of-bounds",
        "valid-deref",
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) {\n  char a[200] = {0};\n  unsigned char i = __VERIFIER_nondet_uchar();\n  char *p = a;\n  return p[i];\n}\n",
    ),
    (
        "double-free",
        "valid-free",
        "#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void);\nint main(void) {\n  char *p = malloc(3);\n  _Bool again = __VERIFIER_nondet_bool();\n  free(p);\n  if (again)\n    free(p);\n  return 0;\n}\n",
    ),
    (
        "leak",
        "valid-memtrack",
        "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(3);\n  p = 0;\n  return 0;\n}\n",
    ),
    (
        "endless",
        "termination",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x;\n  while (y == 77)\n    x = 1 - x;\n  return 0;\n}\n",
    ),
    (
        "growing",
        "termination",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  unsigned long x = 1;\n  int y = __VERIFIER_nondet_int();\n  while (y > 0) {\n    x = x + 2;\n  }\n  return 0;\n}\n",
    ),
    // Two rounds come to the same line, with another value each.
    (
        "rounds",
        "valid-deref",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = __VERIFIER_nondet_int();\n  int a[10];\n  for (int n = 0; n < 10; n++) {\n    a[n] = __VERIFIER_nondet_int();\n  }\n  while (0 <= i && i < 10 && a[i] >= 0) {\n    i = __VERIFIER_nondet_int();\n    a[i] = 0;\n  }\n  return 0;\n}\n",
    ),
];

/// Programs with properties that they have.
const PROOFS: &[(&str, &str, &str)] = &[
    (
        "counted",
        "unreach-call,termination,no-overflow",
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n  unsigned i = 0;\n  if (n > 100000)\n    return 0;\n  while (i < n) {\n    i++;\n  }\n  if (i != n)\n    reach_error();\n  return 0;\n}\n",
    ),
    (
        "downwards",
        "unreach-call,termination",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x;\n  if (x < 0)\n    return 0;\n  while (x > 0) {\n    x = x - 1;\n    y = y - 1;\n  }\n  if (x != y)\n    reach_error();\n  return 0;\n}\n",
    ),
];

struct Case {
    scratch: Scratch,
    program: PathBuf,
    witness: PathBuf,
}

/// Checks a program and keeps its witness.
fn made(name: &str, properties: &str, source: &str) -> Case {
    let scratch = Scratch::new(&format!("witness-{name}"));
    let program = scratch.file("program.c", source);
    let witness = scratch.path().join("witness.yml");
    let mut command = belay();
    command.args(["check", "--property", properties, "--witness"]).arg(&witness).arg(&program);
    let output = command.output().unwrap();
    assert!(witness.exists(), "{name}: {}", shown(&output));
    Case { scratch, program, witness }
}

fn lint(witness: &Path) -> Output {
    belay().args(["witness", "lint"]).arg(witness).output().unwrap()
}

fn check(witness: &Path, program: &Path) -> Output {
    belay().args(["witness", "check", "--time-limit", "30"]).arg(witness).arg(program).output().unwrap()
}

fn is_confirmed(output: &Output) -> bool {
    output.status.success() && text(&output.stdout).contains("WITNESS confirmed")
}

#[test]
fn our_violations_are_confirmed() {
    for (name, property, source) in VIOLATIONS {
        let case = made(name, property, source);
        assert!(lint(&case.witness).status.success(), "{name}: {}", shown(&lint(&case.witness)));
        let output = check(&case.witness, &case.program);
        assert!(
            is_confirmed(&output),
            "{name}: {}\n{}",
            shown(&output),
            std::fs::read_to_string(&case.witness).unwrap()
        );
    }
}

/// Each version of the format says what it has words for: 2.0 knows neither endless runs nor transition invariants.
#[test]
fn every_version_is_written() {
    let scratch = Scratch::new("witness-versions");
    let ends = scratch.file("ends.c", PROOFS[1].2);
    let endless = scratch
        .file("endless.c", "int main(void) {\n  int x = 0;\n  while (x == 0) {\n    x = x;\n  }\n  return 0;\n}\n");
    for version in ["2.0", "2.1", "2.2"] {
        let write = |program: &Path, name: &str| {
            let witness = scratch.path().join(format!("{name}-{version}.yml"));
            let words = ["check", "--property", "termination", "--witness-version", version, "--witness"];
            belay().args(words).arg(&witness).arg(program).output().unwrap();
            witness
        };
        let (proof, run) = (write(&ends, "ends"), write(&endless, "endless"));
        let said = std::fs::read_to_string(&proof).unwrap();
        assert!(said.contains(&format!("format_version: '{version}'")) && lint(&proof).status.success(), "{said}");
        assert_eq!(said.contains("transition_invariant"), version != "2.0", "{said}");
        assert_eq!(run.exists(), version != "2.0");
        assert!(version == "2.0" || lint(&run).status.success(), "{}", shown(&lint(&run)));
    }
}

#[test]
fn our_proofs_are_confirmed() {
    for (name, properties, source) in PROOFS {
        let case = made(name, properties, source);
        assert!(lint(&case.witness).status.success(), "{name}: {}", shown(&lint(&case.witness)));
        let output = check(&case.witness, &case.program);
        assert!(is_confirmed(&output), "{name}: {}", shown(&output));
        // Ranges of values do not show them: what the witness says of the loop has to be looked at.
        let says = text(&output.stdout);
        let invariants: Vec<&str> =
            says.lines().filter(|line| line.starts_with("line 8:") && !line.contains("AnyPrev")).collect();
        assert!(!invariants.is_empty() && invariants.iter().all(|line| line.ends_with(" holds")), "{name}: {says}");
    }
}

/// The inputs stand as assumptions at the statement after their call, the target without a column.
#[test]
fn a_violation_is_written_for_the_main_validators() {
    let (name, property, source) = VIOLATIONS[0];
    let case = made(&format!("{name}-text"), property, source);
    let witness = std::fs::read_to_string(&case.witness).unwrap();
    for part in ["line: 5", "line: 7", "line: 8", "x == ", "y == ", "target", "assumption"] {
        assert!(witness.contains(part), "no {part}:\n{witness}");
    }
    for part in ["column", "function:", "function_return"] {
        assert!(!witness.contains(part), "{part}:\n{witness}");
    }
}

const HEAD: &str = "- entry_type: violation_sequence
  metadata:
    format_version: \"2.0\"
    uuid: 9a2b1c3d-0000-4000-8000-123456789abc
    creation_time: 2024-01-02T03:04:05+01:00
    producer:
      name: Hand
      version: \"1\"
    task:
      input_files:
        - program.c
      input_file_hashes:
        program.c: HASH
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: LP64
      language: C
  content:
";

const HASH: &str = "90b25d7581961c59dca3a339de4d6aca08dbdc270d7f2a960fc4a4c26fc1d6eb";

const SEGMENTS: &str = "  - segment:
      - waypoint:
          type: assumption
          action: follow
          location:
            file_name: program.c
            line: 5
          constraint:
            value: x == 1500
            format: c_expression
  - segment:
      - waypoint:
          type: target
          action: follow
          location:
            file_name: program.c
            line: 8
";

fn hand_written() -> String {
    format!("{HEAD}{SEGMENTS}").replace("HASH", HASH)
}

#[test]
fn malformed_witnesses_are_refused_with_the_line() {
    let scratch = Scratch::new("witness-lint");
    let good = hand_written();
    let path = scratch.file("good.yml", &good);
    assert!(lint(&path).status.success(), "{}", shown(&lint(&path)));
    // What is changed into what, and the line of the complaint (0: any).
    let changes: &[(&str, &str, usize)] = &[
        ("violation_sequence", "violation_witness", 1),
        ("entry_type:", "entry_kind:", 0),
        ("\"2.0\"", "\"1.0\"", 3),
        ("format_version: \"2.0\"", "format: \"2.0\"", 0),
        ("9a2b1c3d-0000", "9a2b1c3d", 4),
        ("9a2b1c3d", "zzzzzzzz", 4),
        ("2024-01-02T03", "2 January 03", 5),
        ("    producer:\n      name: Hand\n      version: \"1\"\n", "", 0),
        ("      version: \"1\"\n", "", 0),
        ("      input_files:\n        - program.c\n", "      input_files: []\n", 10),
        ("        program.c: 90", "        other.c: 90", 13),
        ("90b25d", "90b25", 13),
        (HASH, "none", 13),
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )", "no error", 14),
        ("      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n", "", 0),
        ("LP64", "LP46", 15),
        ("language: C", "language: Java", 16),
        ("  content:\n", "  contents:\n", 0),
        ("type: assumption", "type: assertion", 20),
        (
            "action: follow\n          location:\n            file_name: program.c\n            line: 5",
            "action: cycle\n          location:\n            file_name: program.c\n            line: 5",
            21,
        ),
        (
            "action: follow\n          location:\n            file_name: program.c\n            line: 5",
            "action: avoid\n          location:\n            file_name: program.c\n            line: 5",
            21,
        ),
        ("line: 5", "line: 0", 24),
        ("line: 5", "line: five", 24),
        ("line: 5\n", "line: 5\n            column: 0\n", 25),
        ("line: 5\n", "line: 5\n            colour: red\n", 0),
        ("          constraint:\n            value: x == 1500\n            format: c_expression\n", "", 20),
        ("x == 1500", "(x == 1500", 26),
        ("x == 1500", "x == 1500; y = 1", 26),
        ("format: c_expression", "format: java_expression", 27),
        ("type: target", "type: assumption", 0),
        ("line: 8\n", "line: 8\n          constraint:\n            value: \"1\"\n", 0),
        ("            file_name: program.c\n            line: 8", "            line: 8", 0),
        ("  - segment:\n      - waypoint:\n          type: target", "      - waypoint:\n          type: target", 0),
        ("  content:\n", "  content:\n  - segment: []\n", 18),
    ];
    let mut wrong = String::new();
    for (number, (from, to, line)) in changes.iter().enumerate() {
        assert!(good.contains(from), "{from}");
        let path = scratch.file(&format!("bad{number}.yml"), good.replacen(from, to, 1));
        let output = lint(&path);
        let errors = text(&output.stderr);
        let has_line = errors.lines().any(|text| match line {
            0 => text.contains(".yml:"),
            line => text.contains(&format!(".yml:{line}: ")),
        });
        if output.status.code() != Some(2) || !has_line {
            wrong += &format!("{from:?} -> {to:?}, line {line}: {}\n", shown(&output));
        }
    }
    for (number, nonsense) in ["", "- 1\n", "a: [\n", "{}", "\u{0}"].iter().enumerate() {
        let path = scratch.file(&format!("nonsense{number}.yml"), nonsense);
        assert_eq!(lint(&path).status.code(), Some(2), "{nonsense:?}: {}", shown(&lint(&path)));
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The hash of a program, taken from our own witness of it.
fn hash_of(case: &Case) -> String {
    let witness = std::fs::read_to_string(&case.witness).unwrap();
    let is_hash = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    witness.split(|c: char| !c.is_ascii_alphanumeric()).find(is_hash).unwrap().to_owned()
}

fn segment(kind: &str, action: &str, line: u32, column: Option<u32>, value: Option<&str>) -> String {
    let column = column.map(|column| format!("            column: {column}\n")).unwrap_or_default();
    let value =
        value.map(|value| format!("          constraint:\n            value: \"{value}\"\n")).unwrap_or_default();
    format!(
        "  - segment:\n      - waypoint:\n          type: {kind}\n          action: {action}\n          location:\n            file_name: program.c\n            line: {line}\n{column}{value}"
    )
}

/// Witnesses as other tools write them lead to the violation in the first program.
#[test]
fn other_conventions_are_understood() {
    let (_, property, source) = VIOLATIONS[0];
    let case = made("conventions", property, source);
    let target = segment("target", "follow", 8, None, None);
    let at_column = segment("target", "follow", 8, Some(5), None);
    let assume = |line, column, value| segment("assumption", "follow", line, column, Some(value));
    let avoid = "  - segment:\n      - waypoint:\n          type: assumption\n          action: avoid\n          location:\n            file_name: program.c\n            line: 7\n          constraint:\n            value: \"x == 1001\"\n";
    let tail = target.split_once("      - waypoint").map(|(_, tail)| format!("      - waypoint{tail}")).unwrap();
    let witnesses = [
        target.clone(),
        at_column.clone(),
        format!("{}{target}", assume(5, None, "x == 1500")),
        format!("{}{target}", assume(5, Some(3), "x == 1500")),
        format!("{}{}{at_column}", assume(6, None, "x == 1500"), assume(7, Some(3), "y == 1503")),
        format!("{}{target}", assume(7, None, "x > 2000 && y > x")),
        format!("{}{}{target}", segment("branching", "follow", 7, Some(3), Some("true")), ""),
        format!(
            "{}{}{target}",
            segment("function_return", "follow", 4, Some(32), Some("\\\\result == 1500")),
            assume(7, None, "y == 1503")
        ),
        format!("{}{target}", segment("function_enter", "follow", 4, None, None)),
        format!("{avoid}{tail}"),
    ];
    for (number, content) in witnesses.iter().enumerate() {
        let text = format!("{HEAD}{content}").replace("HASH", &hash_of(&case));
        let path = case.scratch.file(&format!("other{number}.yml"), text);
        let output = check(&path, &case.program);
        assert!(is_confirmed(&output), "{number}:\n{content}\n{}", shown(&output));
    }
    // No run along these violates anything.
    for (number, value) in ["x == 5", "y == x + 4"].iter().enumerate() {
        let content = format!("{}{target}", assume(7, None, value));
        let path = case
            .scratch
            .file(&format!("wrong{number}.yml"), format!("{HEAD}{content}").replace("HASH", &hash_of(&case)));
        let output = check(&path, &case.program);
        assert!(!is_confirmed(&output), "{value}: {}", shown(&output));
    }
    let stranger = case.scratch.file("stranger.yml", hand_written().replace(HASH, &"0".repeat(64)));
    assert!(text(&check(&stranger, &case.program).stdout).contains("another program"));
}

/// What is not so is not confirmed, and a condition that does more than look is not put into the program.
#[test]
fn wrong_claims_are_not_confirmed() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n#define NEXT (x = 0)\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = 0;\n  while (y < 3) {\n    y++;\n  }\n  if (x == 12345)\n    reach_error();\n  return 0;\n}\n";
    let case = made("wrong-claims", "unreach-call", source);
    let head = HEAD.replace("violation_sequence", "invariant_set").replace("HASH", &hash_of(&case));
    for (number, value) in
        ["x != 12345", "x = 0", "(x = 0) == 0", "NEXT == 0", "x++ > 0", "f(x)", "y <= 2"].iter().enumerate()
    {
        let claim = format!(
            "  - invariant:\n      type: loop_invariant\n      location:\n        file_name: program.c\n        line: 7\n      value: \"{value}\"\n      format: c_expression\n"
        );
        let path = case.scratch.file(&format!("claim{number}.yml"), format!("{head}{claim}"));
        let output = check(&path, &case.program);
        assert!(!is_confirmed(&output), "{value}: {}", shown(&output));
        assert!(!text(&output.stdout).contains(" holds"), "{value}: {}", shown(&output));
    }
}
