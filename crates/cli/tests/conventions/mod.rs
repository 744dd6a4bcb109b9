//! Violation witnesses written by hand as other tools write them: where they put columns, which waypoints they use, at which statement they say what an input was.

use std::process::Command;

use crate::common::{Scratch, belay, shown, text};

/// A program, what it violates, and witnesses of that. A line of a witness is a waypoint: action, type, line and column, condition; what is to be avoided stands before what is followed.
struct Violated {
    name: &'static str,
    property: &'static str,
    program: &'static str,
    witnesses: &'static [&'static str],
}

const VIOLATED: &[Violated] = &[
    Violated {
        name: "reach",
        property: "unreach-call",
        program: "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nstatic int twice(int n) {\n  return n + n;\n}\nint main(void) {\n  int a = __VERIFIER_nondet_int();\n  int b = __VERIFIER_nondet_int();\n  if (a < 0 || a > 1000)\n    return 0;\n  switch (b) {\n  case 1:\n    a = twice(a);\n    break;\n  default:\n    a = 0;\n  }\n  if (a == 246) {\n    reach_error();\n  }\n  return 0;\n}\n",
        witnesses: &[
            "follow function_return 7:33 \\result == 123\nfollow function_return 8:33 \\result == 1\nfollow target 19:5",
            "follow assumption 8:3 a == 123\nfollow assumption 9:3 b == 1\nfollow target 19:5",
            "follow branching 9:3 false\nfollow branching 11:3 1\nfollow branching 18:3 true\nfollow target 19:5",
            "follow function_enter 13:14\nfollow function_return 13:14 \\result == 246\nfollow target 19:5",
            "follow assumption 4:3 n == 123\nfollow target 19:5",
            "avoid assumption 9:3 a == 5\navoid branching 9:3 true\nfollow branching 18:3 true\nfollow target 19:5",
            "follow assumption 13:5 ((a == 123) && (b == 1))\nfollow target 19",
        ],
    },
    Violated {
        name: "loop",
        property: "unreach-call",
        program: "extern unsigned __VERIFIER_nondet_uint(void);\nextern void abort(void);\nvoid reach_error(void) { abort(); }\nvoid __VERIFIER_assert(int cond) {\n  if (!cond) {\n    ERROR: reach_error();\n  }\n}\nint main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n  unsigned sum = 0;\n  for (unsigned i = 0; i < n; i++) {\n    sum += i;\n  }\n  __VERIFIER_assert(sum != 45);\n  return 0;\n}\n",
        witnesses: &[
            "follow assumption 11:3 n == 10U\nfollow target 6:12",
            "follow function_return 10:38 \\result == 10\nfollow target 6",
            "follow branching 12:3 true\nfollow branching 12:3 true\nfollow assumption 13:5 sum == 1 && i == 2\nfollow target 6:12",
            "follow assumption 15:3 sum == 45U\nfollow branching 5:3 true\nfollow target 6:12",
        ],
    },
    Violated {
        name: "overflow",
        property: "no-overflow",
        program: "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  while (x > 0) {\n    x = x + y;\n    y = y / 2;\n  }\n  return x;\n}\n",
        witnesses: &[
            "follow assumption 4:3 x == 2147483647\nfollow assumption 5:3 y == 1\nfollow target 6:5",
            "follow function_return 3:33 \\result == 2000000000\nfollow function_return 4:33 \\result == 1000000000\nfollow target 6:9",
            "follow assumption 6:5 x >= 1 && y > 0 && x > 2147483647 - y\nfollow target 6:5",
            "follow branching 5:3 true\nfollow branching 5:3 true\nfollow target 6:5",
        ],
    },
    Violated {
        name: "deref",
        property: "valid-deref",
        program: "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 1 || n > 100)\n    return 0;\n  int *p = malloc(n * sizeof *p);\n  for (int i = 0; i <= n; i++)\n    p[i] = i;\n  free(p);\n  return 0;\n}\n",
        witnesses: &[
            "follow assumption 5:3 n == 3\nfollow target 9:5",
            "follow assumption 8:3 n == 1\nfollow target 9",
            "follow branching 5:3 false\nfollow assumption 9:5 i == n\nfollow target 9:5",
        ],
    },
    Violated {
        name: "free",
        property: "valid-free",
        program: "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  char *p = malloc(4);\n  int flag = __VERIFIER_nondet_int();\n  if (flag == 7)\n    free(p);\n  free(p);\n  return 0;\n}\n",
        witnesses: &[
            "follow assumption 6:3 flag == 7\nfollow target 8:3",
            "follow branching 6:3 true\nfollow function_enter 7:10\nfollow target 8:3",
        ],
    },
    Violated {
        name: "leak",
        property: "valid-memtrack",
        program: "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  char *p = malloc(4);\n  if (__VERIFIER_nondet_int())\n    p = malloc(8);\n  free(p);\n  return 0;\n}\n",
        witnesses: &[
            "follow branching 5:3 true\nfollow target 8:3",
            "follow function_return 5:29 \\result == 1\nfollow target 6:5",
        ],
    },
    Violated {
        name: "endless",
        property: "termination",
        program: "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int step = 1;\n  while (x > 10) {\n    if (x == 77)\n      step = 0;\n    x = x - step;\n  }\n  return 0;\n}\n",
        witnesses: &[
            "follow assumption 4:3 x == 77\ncycle assumption 5:3 x == 77",
            "follow function_return 3:33 \\result == 80\nfollow branching 6:5 true\ncycle branching 5:3 true",
            "follow assumption 5:3 x == 100\ncycle assumption 8:5 step == 0 && x == 77\ncycle branching 5:3 true",
        ],
    },
];

/// The specification of a property, in the words of the competition.
fn specification(property: &str) -> String {
    let formula = match property {
        "unreach-call" => "G ! call(reach_error())".to_owned(),
        "no-overflow" => "G ! overflow".to_owned(),
        "termination" => "F end".to_owned(),
        memory => format!("G {memory}"),
    };
    format!("CHECK( init(main()), LTL({formula}) )")
}

/// The file with these waypoints.
fn witness(lines: &str, property: &str, hash: &str) -> String {
    let version = if lines.contains("cycle ") { "2.1" } else { "2.0" };
    let specification = specification(property);
    let mut file = format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"{version}\"\n    uuid: 9a2b1c3d-0000-4000-8000-000000000001\n    creation_time: \"2024-01-02T03:04:05Z\"\n    producer: {{name: Hand, version: \"1\"}}\n    task:\n      input_files: [program.c]\n      input_file_hashes: {{program.c: {hash}}}\n      specification: {specification}\n      data_model: LP64\n      language: C\n  content:\n"
    );
    let mut is_new = true;
    for line in lines.lines() {
        let mut words = line.splitn(4, ' ');
        let (action, kind, place) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let (row, column) = place.split_once(':').map_or((place, None), |(row, column)| (row, Some(column)));
        let column = column.map(|column| format!("\n            column: {column}")).unwrap_or_default();
        let constraint = words.next().map(|value| {
            format!(
                "\n          constraint:\n            value: \"{}\"\n            format: c_expression",
                value.replace('\\', "\\\\")
            )
        });
        if is_new {
            file.push_str("  - segment:\n");
        }
        is_new = action != "avoid";
        file.push_str(&format!(
            "      - waypoint:\n          type: {kind}\n          action: {action}\n          location:\n            file_name: program.c\n            line: {row}{column}{}\n",
            constraint.unwrap_or_default()
        ));
    }
    file
}

#[test]
fn violations_in_the_words_of_others_are_confirmed() {
    let mut confirmed = 0;
    for violated in VIOLATED {
        let scratch = Scratch::new(&format!("conventions-{}", violated.name));
        let program = scratch.file("program.c", violated.program);
        let hash = Command::new("sha256sum").arg(&program).output().unwrap();
        let hash = text(&hash.stdout)[..64].to_owned();
        for (number, lines) in violated.witnesses.iter().enumerate() {
            let path = scratch.file(&format!("w{number}.yml"), witness(lines, violated.property, &hash));
            let lint = belay().args(["witness", "lint"]).arg(&path).output().unwrap();
            assert!(lint.status.success(), "{lines}\n{}", shown(&lint));
            let said = belay()
                .args(["witness", "check"])
                .arg(&path)
                .arg(&program)
                .args(["--time-limit", "20"])
                .output()
                .unwrap();
            let is_confirmed = text(&said.stdout).contains("WITNESS confirmed");
            assert!(is_confirmed, "{}:\n{lines}\n{}", violated.name, shown(&said));
            confirmed += 1;
        }
    }
    assert!(confirmed >= 25, "{confirmed}");
}
