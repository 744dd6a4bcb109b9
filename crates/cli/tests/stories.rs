//! What is said about each kind of violation: the sentence with sizes, distances, places and values, and the lines of the run that
//! matter. The programs and the sentences stand side by side.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Scratch, answer, belay, repository, shown, text};

/// A program, the property that it violates, the message, and what the run must tell, in order.
struct Story {
    name: &'static str,
    property: &'static str,
    program: &'static str,
    message: &'static str,
    run: &'static [&'static str],
}

const STORIES: &[Story] = &[
    Story {
        name: "past-the-end",
        property: "valid-deref",
        program: "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(12);\n  p[3] = 1;\n  free(p);\n}\n",
        message: "write of 4 bytes just past the end of the heap block of 12 bytes allocated at line 3",
        run: &["line 3: block 1 of 12 bytes is allocated", "line 3: p = block 1 (12 bytes)"],
    },
    Story {
        name: "far-past-the-end",
        property: "valid-deref",
        program: "int main(void) {\n  int a[4] = {0};\n  int i = 9;\n  return a[i];\n}\n",
        message: "read of 4 bytes 20 bytes past the end of `a` (16 bytes)",
        run: &["line 3: i = 9"],
    },
    Story {
        name: "partly-outside",
        property: "valid-deref",
        program: "int main(void) {\n  char a[5] = {0};\n  return *(int *)(a + 3);\n}\n",
        message: "read of 4 bytes at offset 3 of `a` (5 bytes): 2 bytes too many",
        run: &[],
    },
    Story {
        name: "before-the-start",
        property: "valid-deref",
        program: "int main(void) {\n  int a[4] = {0};\n  return a[-2];\n}\n",
        message: "read of 4 bytes 8 bytes before `a` (16 bytes)",
        run: &[],
    },
    Story {
        name: "use-after-free",
        property: "valid-deref",
        program: "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  *p = 1;\n  free(p);\n  return *p;\n}\n",
        message: "read of 4 bytes of the heap block of 4 bytes allocated at line 3, which was freed at line 5",
        run: &["line 3: block 1 of 4 bytes is allocated", "line 5: block 1 is freed"],
    },
    Story {
        name: "dangling-local",
        property: "valid-deref",
        program: "static int *f(void) {\n  int x = 1;\n  int *p = &x;\n  return p;\n}\nint main(void) {\n  return *f();\n}\n",
        message: "read of 4 bytes of `x` (4 bytes), whose block has ended at line 5",
        run: &["line 7: call f()", "line 2: x = 1"],
    },
    Story {
        name: "null",
        property: "valid-deref",
        program: "int main(void) {\n  int *p = 0;\n  return *p;\n}\n",
        message: "read of 4 bytes through a null pointer",
        run: &["line 2: p = NULL"],
    },
    Story {
        name: "read-only",
        property: "valid-deref",
        program: "int main(void) {\n  char *s = \"abc\";\n  s[0] = 'x';\n}\n",
        message: "write of 1 byte to a string literal (4 bytes), which is constant",
        run: &[],
    },
    Story {
        name: "double-free",
        property: "valid-free",
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(7);\n  free(p);\n  free(p);\n}\n",
        message: "free of the heap block of 7 bytes allocated at line 3, which was freed at line 4",
        run: &["line 4: block 1 is freed"],
    },
    Story {
        name: "free-inside",
        property: "valid-free",
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(7);\n  free(p + 2);\n}\n",
        message: "free of an address 2 bytes into the heap block of 7 bytes allocated at line 3",
        run: &[],
    },
    Story {
        name: "free-local",
        property: "valid-free",
        program: "#include <stdlib.h>\nint main(void) {\n  int x;\n  free(&x);\n}\n",
        message: "free of `x` (4 bytes), which is not on the heap",
        run: &[],
    },
    Story {
        name: "lost",
        property: "valid-memtrack",
        program: "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(7);\n  p = 0;\n  return 0;\n}\n",
        message: "the heap block of 7 bytes allocated at line 3 can no longer be reached, and was not freed",
        run: &["line 3: p = block 1 (7 bytes)", "line 4: p = NULL"],
    },
    Story {
        name: "not-freed",
        property: "memcleanup",
        program: "#include <stdlib.h>\nchar *p;\nint main(void) {\n  p = malloc(7);\n  return 0;\n}\n",
        message: "the heap block of 7 bytes allocated at line 4 is not freed at the end of the program",
        run: &["line 4: p = block 1 (7 bytes)"],
    },
    Story {
        name: "overflow",
        property: "no-overflow",
        program: "int main(void) {\n  int x = 2147483647;\n  int y = 2;\n  return x + y;\n}\n",
        message: "signed addition overflows: 2147483647 + 2 in 32 bits",
        run: &["line 3: y = 2"],
    },
    Story {
        name: "negation",
        property: "no-overflow",
        program: "int main(void) {\n  int x = -2147483647 - 1;\n  return -x;\n}\n",
        message: "-(-2147483648) in 32 bits",
        run: &[],
    },
    Story {
        name: "division-by-zero",
        property: "arithmetic",
        program: "int main(void) {\n  int x = 7, y = 0;\n  return x / y;\n}\n",
        message: "division by zero: 7 / 0 in 32 bits",
        run: &["line 2: y = 0"],
    },
    Story {
        name: "shift",
        property: "arithmetic",
        program: "int main(void) {\n  int x = 1, y = 40;\n  return x << y;\n}\n",
        message: "1 by 40 in 32 bits",
        run: &["line 2: y = 40"],
    },
    Story {
        name: "float-cast",
        property: "arithmetic",
        program: "int main(void) {\n  double x = 1e20;\n  return (int)x;\n}\n",
        message: "100000000000000000000 does not fit the integer type it is converted to",
        run: &[],
    },
    Story {
        name: "assertion",
        property: "unreach-call",
        program: "#include <assert.h>\nint main(void) {\n  int x = 3;\n  assert(x == 4);\n}\n",
        message: "assertion",
        run: &["line 3: x = 3"],
    },
    Story {
        name: "overlap",
        property: "valid-deref",
        program: "#include <string.h>\nint main(void) {\n  char a[8] = \"abcdefg\";\n  memcpy(a, a + 2, 4);\n}\n",
        message: "overlap",
        run: &[],
    },
    Story {
        name: "members",
        property: "valid-deref",
        program: "struct s { int n; struct { char c; char text[3]; } in; struct s *next; };\nint main(void) {\n  struct s s;\n  s.n = 4;\n  s.in.text[1] = 'x';\n  s.next = 0;\n  return s.next->n;\n}\n",
        message: "read of 4 bytes through a null pointer",
        run: &["line 4: s.n = 4", "line 5: s.in.text[1] = ", "line 6: s.next = NULL"],
    },
    Story {
        name: "endless",
        property: "termination",
        program: "int main(void) {\n  int x = 0;\n  while (x < 5)\n    x = 1 - x;\n}\n",
        message: "the program never ends",
        run: &["line 4: x = 1", "line 4: x = 0"],
    },
];

fn occur_in_order(lines: &[String], wanted: &[&str]) -> bool {
    let mut rest = lines.iter();
    wanted.iter().all(|wanted| rest.any(|line| line.contains(wanted)))
}

#[test]
fn each_kind_of_violation_is_told() {
    let mut wrong = String::new();
    for story in STORIES {
        let scratch = Scratch::new(&format!("story-{}", story.name));
        let path = scratch.file("program.c", story.program);
        let mut command = belay();
        command.args(["check", "--format", "json", "--property", story.property]).arg(&path);
        let results = answer(&mut command).unwrap();
        let message = results[0]["message"].as_str().unwrap_or_default();
        let lines: Vec<String> =
            results[0]["story"].as_array().into_iter().flatten().map(ToString::to_string).collect();
        if results[0]["verdict"] != "false" || !message.contains(story.message) || !occur_in_order(&lines, story.run) {
            wrong += &format!("{}: {message}\n{}\n", story.name, lines.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A long run is cut to a screenful, and `--verbose` shows all of it.
#[test]
fn a_long_run_is_a_screenful() {
    let scratch = Scratch::new("story-long");
    let program =
        "int main(void) {\n  int a[9], x = 0;\n  for (int i = 0; i < 200; i++)\n    x += i;\n  return a[x];\n}\n";
    let path = scratch.file("program.c", program);
    let lines = |verbose: &[&str]| {
        let output = belay().args(["check", "--property", "valid-deref"]).args(verbose).arg(&path).output().unwrap();
        let said = text(&output.stdout);
        assert!(said.contains("VERDICT valid-deref false"), "{}", shown(&output));
        said.lines().count()
    };
    assert!(lines(&[]) < 40);
    assert!(lines(&["--verbose"]) > 400);
}

/// The commands of README.md, as a reader would type them, print what stands there; one without output succeeds.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let folder = Path::new(env!("CARGO_BIN_EXE_belay")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut seen = 0;
    for block in readme.split("```").skip(1).step_by(2) {
        let Some((command, expected)) = block.trim_start().strip_prefix("$ ").and_then(|block| block.split_once('\n'))
        else {
            continue;
        };
        let output =
            Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(repository()).output().unwrap();
        match expected.trim() {
            "" => assert!(output.status.success(), "{command}: {}", shown(&output)),
            expected => assert_eq!(text(&output.stdout).trim(), expected, "{command}"),
        }
        seen += 1;
    }
    assert!(seen > 2, "the transcripts were not found");
}
