//! Native replays: violations that the user's own compiler shows, and those that it does not, with the reason.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::process::Output;

use common::{Scratch, belay, shown, text};

/// A program, the property that it violates, options, and what the replay says.
struct Case {
    name: &'static str,
    property: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    says: &'static str,
}

const REPRODUCED: &str = "reproduced natively";

const CASES: &[Case] = &[
    Case {
        name: "inputs",
        property: "unreach-call",
        options: &[],
        program: "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  unsigned char c = __VERIFIER_nondet_uchar();\n  if (c == 200 && __VERIFIER_nondet_int() == x + 7 && x < -1000)\n    reach_error();\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "arguments",
        property: "valid-deref",
        options: &[],
        program: "#include <string.h>\nint main(int argc, char **argv) {\n  char a[4];\n  if (argc > 1)\n    strcpy(a, argv[1]);\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "standard-input",
        property: "valid-deref",
        options: &[],
        program: "#include <stdio.h>\nint main(void) {\n  int a[3] = {0};\n  int i;\n  if (scanf(\"%d\", &i) != 1 || i < 0 || i > 3)\n    return 0;\n  return a[i];\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "standard-input-of-statics",
        property: "valid-deref",
        options: &[],
        program: "#include <stdio.h>\nstatic int i;\nint main(void) {\n  int a[3] = {0};\n  if (scanf(\"%d\", &i) != 1 || i < 0 || i > 3)\n    return 0;\n  return a[i];\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "characters",
        property: "unreach-call",
        options: &[],
        program: "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n  int c = getchar();\n  assert(c != 'q');\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "drawn",
        property: "no-overflow",
        options: &[],
        program: "#include <stdlib.h>\nint main(void) {\n  int x = rand();\n  return x * 2;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "failing-allocation",
        property: "valid-deref",
        options: &["--malloc-may-fail"],
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(3);\n  if (!p)\n    return 0;\n  char *q = malloc(3);\n  q[0] = 1;\n  free(q);\n  free(p);\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "uninitialised",
        property: "arithmetic",
        options: &[],
        program: "int main(void) {\n  int x;\n  int *p = &x;\n  return 7 / *p;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "after-return",
        property: "valid-deref",
        options: &[],
        program: "static int *f(void) {\n  int x = 1;\n  int *p = &x;\n  return p;\n}\nint main(void) {\n  int *p = f();\n  return *p;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "leak",
        property: "valid-memtrack",
        options: &[],
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(7);\n  p = 0;\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "not-freed",
        property: "memcleanup",
        options: &[],
        program: "#include <stdlib.h>\nchar *p;\nint main(void) {\n  p = malloc(7);\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "double-free",
        property: "valid-free",
        options: &[],
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(7);\n  free(p);\n  free(p);\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "endless",
        property: "termination",
        options: &[],
        program: "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = 1;\n  while (x)\n    x = __VERIFIER_nondet_int();\n  return 0;\n}\n",
        says: REPRODUCED,
    },
    // A run that goes on through ever new states, with inputs that come in rounds.
    Case {
        name: "endless-growth",
        property: "termination",
        options: &[],
        program: "extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  unsigned up = __VERIFIER_nondet_uint(), down = __VERIFIER_nondet_uint();\n  while (__VERIFIER_nondet_uint()) {\n    if (__VERIFIER_nondet_uint())\n      up++;\n    else\n      down--;\n  }\n  return up == down;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "function",
        property: "arithmetic",
        options: &["--function", "quotient"],
        program: "int quotient(int a, long b) {\n  return a / b;\n}\n",
        says: REPRODUCED,
    },
    Case {
        name: "neighbour",
        property: "valid-deref",
        options: &[],
        program: "char a[65536] = {1}, b[65536] = {2}, c[65536] = {3};\nint main(void) {\n  char *p = b;\n  return p[90000];\n}\n",
        says: "not visible natively, because the access lands in a neighbouring object",
    },
    Case {
        name: "promise",
        property: "valid-deref",
        options: &[],
        program: "int main(void) {\n  int x = 3;\n  __builtin_assume(x == 4);\n  return 0;\n}\n",
        says: "not visible natively, because no sanitizer looks for this",
    },
];

fn replayed(case: &Case, compiler: &[&str]) -> (Scratch, Output) {
    let scratch = Scratch::new(&format!("replay-{}-{}", case.name, compiler.len()));
    let program = scratch.file("program.c", case.program);
    let folder = scratch.path().join("replay");
    let mut command = belay();
    command.args(["check", "--property", case.property, "--replay"]).arg(&folder).args(case.options).arg(&program);
    let checked = command.output().unwrap();
    assert_eq!(checked.status.code(), Some(10), "{}: {}", case.name, shown(&checked));
    let output = belay().arg("replay").arg(&folder).args(compiler).output().unwrap();
    (scratch, output)
}

fn check_cases(cases: &[Case]) {
    let mut wrong = String::new();
    for case in cases {
        let (_scratch, output) = replayed(case, &[]);
        let code = if case.says == REPRODUCED { 0 } else { 5 };
        if !text(&output.stdout).contains(case.says) || output.status.code() != Some(code) {
            wrong += &format!("{}: {}\n", case.name, shown(&output));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// In two halves, for the sake of machines with several cores.
#[test]
fn violations_show_natively_or_say_why_not() {
    check_cases(&CASES[..CASES.len() / 2]);
}

#[test]
fn other_violations_show_natively_or_say_why_not() {
    check_cases(&CASES[CASES.len() / 2..]);
}

/// The other compiler builds the same harness.
#[test]
fn gcc_builds_it_too() {
    for case in CASES.iter().take(3) {
        let (_scratch, output) = replayed(case, &["--compiler", "gcc"]);
        assert!(text(&output.stdout).contains(REPRODUCED), "{}: {}", case.name, shown(&output));
    }
}

/// A replay is kept by people: it names the program, and nothing of Belay's; inputs that do not matter are left out.
#[test]
fn a_harness_stands_by_itself() {
    let case = Case {
        name: "itself",
        property: "unreach-call",
        options: &[],
        program: "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  int z = __VERIFIER_nondet_int();\n  if (y == 4242)\n    reach_error();\n  return x + z > 0;\n}\n",
        says: REPRODUCED,
    };
    let (scratch, output) = replayed(&case, &[]);
    assert!(output.status.success(), "{}", shown(&output));
    let folder = scratch.path().join("replay/unreach-call");
    for name in ["harness.c", "Makefile", "expected.txt"] {
        let content = std::fs::read_to_string(folder.join(name)).unwrap();
        let own = content.replace(&*scratch.path().to_string_lossy(), "");
        assert!(!own.to_lowercase().contains("belay"), "{name}:\n{content}");
    }
    let harness = std::fs::read_to_string(folder.join("harness.c")).unwrap();
    assert!(harness.contains("{0, 4242}"), "{harness}");
}

#[test]
fn what_is_no_replay_is_refused() {
    let scratch = Scratch::new("replay-none");
    let output = belay().arg("replay").arg(scratch.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    scratch.file("harness.c", "int main(void) { return 0; }\n");
    scratch.file("expected.txt", "nonsense\n");
    let output = belay().arg("replay").arg(scratch.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}
