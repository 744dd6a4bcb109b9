//! What people see of symbolic execution graphs: invariants and ranking functions in C's syntax, and pictures.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::path::Path;

use common::{Scratch, belay, repository, shown, text};
use serde_json::Value;

/// What `belay check` prints with the graph alone.
fn by_graph(path: &Path, properties: &str, more: &[&str]) -> String {
    let options = ["check", "--engines", "graph", "--time-limit", "60", "--property", properties];
    text(&belay().args(options).args(more).arg(path).output().unwrap().stdout)
}

#[track_caller]
fn shows(example: &str, expected: &[&str]) {
    let found = by_graph(&repository().join("examples").join(example), "memsafety,termination", &[]);
    for part in expected {
        assert!(found.contains(part), "{example}: no `{part}` in\n{found}");
    }
}

#[test]
fn invariants_of_strings() {
    shows("strlen.c", &["line 8: ", "*end == 0", "str <= s", "s <= end", "for some end", "line 8: terminates, "]);
    shows("strcpy.c", &["line 7: ", "src - main::text == dst - main::copy", "*end == 0"]);
}

#[test]
fn invariants_of_arrays() {
    shows(
        "bubble_sort.c",
        &["line 7: ", "i < n", "0 <= i", "line 8: ", "0 <= j", "__CPROVER_OBJECT_SIZE(array) == 4*n"],
    );
    shows(
        "sasum_array.c",
        &["1 <= incx && incx <= 1000", "0 <= i", "line 8: terminates, n + incx - i - 1 gets smaller"],
    );
}

#[test]
fn no_slot_of_a_state_is_shown() {
    for example in ["strlen.c", "strcpy.c", "bubble_sort.c", "sasum_array.c"] {
        let found = by_graph(&repository().join("examples").join(example), "all", &[]);
        for slot in ["object0", "at0", "cell0", "size0"] {
            assert!(!found.contains(slot), "{example}: {found}");
        }
    }
}

#[test]
fn invariants_in_json() {
    let path = repository().join("examples/strlen.c");
    let output = belay()
        .args(["check", "--engines", "graph", "--property", "memsafety,termination", "--format", "json"])
        .arg(path)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let memory = &report["results"][0]["invariants"];
    assert_eq!(memory.as_array().map(Vec::len), Some(1), "{report:#}");
    assert_eq!(memory[0]["place"]["line"], 8, "{report:#}");
    assert_eq!(memory[0]["place"]["function"], "length", "{report:#}");
    assert_eq!(memory[0]["exists"], serde_json::json!(["end"]), "{report:#}");
    let conditions: Vec<&str> = memory[0]["conditions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(conditions.contains(&"s <= end") && conditions.contains(&"*end == 0"), "{conditions:?}");
    assert!(report["results"][1]["loops"][0]["because"][0].as_str().unwrap().contains("s - str"), "{report:#}");
}

/// Checks a program given as text with the graph alone.
fn invariants_of(name: &str, source: &str, more: &[&str]) -> String {
    let folder = Scratch::new(name);
    by_graph(&folder.file("program.c", source), "memsafety", more)
}

#[test]
fn members_of_structs_and_globals() {
    let source = "#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct buffer { int used; int size; char *bytes; };
static int count;
static void fill(struct buffer *to) {
    for (to->used = 0; to->used < to->size; to->used++)
        to->bytes[to->used] = 'x';
}
int main(void) {
    struct buffer b;
    b.size = __VERIFIER_nondet_int();
    if (b.size < 1 || b.size > 1000) return 0;
    b.bytes = malloc(b.size);
    fill(&b);
    for (count = 0; count < b.size; count++) b.bytes[count] = 0;
    free(b.bytes);
    return 0;
}
";
    let found = invariants_of("members", source, &[]);
    assert!(found.contains("to->used <= to->size") || found.contains("to->used < to->size"), "{found}");
    assert!(found.contains("count <= b.size"), "{found}");
}

#[test]
fn unsigned_variables_are_told_as_c_compares_them() {
    let source = "#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), hash = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    char *p = malloc(n + 1);
    for (unsigned i = 0; i < n; i++) p[i] = hash++;
    free(p);
    return 0;
}
";
    let found = invariants_of("unsigned", source, &[]);
    assert!(found.contains("i <= n") && found.contains("n <= 1000"), "{found}");
    assert!(!found.contains("(int)i") && !found.contains("(int)n"), "{found}");
}

#[test]
fn a_loop_that_two_calls_reach() {
    let source = "#include <stdlib.h>
static unsigned length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
int main(void) {
    char *a = calloc(7, 1), *b = calloc(9, 1);
    unsigned n = length(a) +
        length(b);
    free(a); free(b);
    return n != 0;
}
";
    let found = invariants_of("two-calls", source, &[]);
    assert!(found.contains("line 2 (called at line 5): ") && found.contains("line 2 (called at line 6): "), "{found}");
}

/// Draws a program given as text into a folder; what was printed, the SVG and the page.
fn drawn(name: &str, source: &str, more: &[&str], code: i32) -> (String, String, String) {
    let folder = Scratch::new(name);
    let path = folder.file("program.c", source);
    let to = folder.path().join("picture");
    let output = belay().arg("graph").args(more).arg("-o").arg(&to).arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
    // The folder has another name each time.
    let own = folder.path().display().to_string();
    let read = |name: &str| std::fs::read_to_string(to.join(name)).unwrap().replace(&own, "");
    (text(&output.stdout), read("graph.svg"), read("graph.html"))
}

/// Every element that is opened is closed, in order: what XML asks for beyond escaping.
fn well_formed(xml: &str) {
    let mut open: Vec<String> = Vec::new();
    for part in xml.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("unclosed tag: {part}"));
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn pictures_of_the_examples() {
    for example in ["strlen", "strcpy", "bubble_sort", "sasum_array"] {
        let source = std::fs::read_to_string(repository().join("examples").join(format!("{example}.c"))).unwrap();
        let (said, svg, html) = drawn(&format!("draw-{example}"), &source, &[], 0);
        assert!(said.contains("valid-deref: true") && said.contains("termination: true"), "{said}");
        well_formed(&svg);
        assert!(svg.contains("class=\"box loop\"") && svg.contains("class=\"generalisation\""), "{svg}");
        assert!(svg.contains("class=\"refinement\""), "{svg}");
        assert!(svg.contains("class=\"box over\""), "{svg}");
        assert!(
            !html.contains("http://") || html.matches("http://").count() == html.matches("http://www.w3.org").count()
        );
        assert!(!html.contains("https://") && !html.contains("src=") && !html.contains("@import"), "nothing is loaded");
        assert!(!html.contains("{{"), "all parts are filled in");
    }
}

#[test]
fn calls_and_returns_are_drawn() {
    let source = "extern int __VERIFIER_nondet_int(void);
static int twice(int x) { if (x > 100) return 0; return 2 * x; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3) return twice(n); return twice(-n); }
";
    let (_, svg, _) = drawn("draw-calls", source, &[], 0);
    assert!(svg.contains("class=\"call\"") && svg.contains("class=\"return\""), "{svg}");
    assert!(svg.contains("4 &lt;= n"), "{svg}");
}

#[test]
fn the_same_program_gives_the_same_picture() {
    let source = std::fs::read_to_string(repository().join("examples/bubble_sort.c")).unwrap();
    let (_, first, _) = drawn("draw-same", &source, &[], 0);
    let (_, second, _) = drawn("draw-same", &source, &[], 0);
    assert_eq!(first, second);
}

#[test]
fn doubts_are_drawn() {
    let source = std::fs::read_to_string(repository().join("examples/papers/strlen_main_unterminated.c")).unwrap();
    let (said, svg, _) = drawn("draw-doubt", &source, &[], 0);
    assert!(said.contains("valid-deref: the graph does not show length.valid-deref."), "{said}");
    assert!(svg.contains("class=\"box doubt\"") && svg.contains("? length.valid-deref."), "{svg}");
}

#[test]
fn what_cannot_be_followed_ends_the_picture() {
    let source = "extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 5) return 0; __asm__ volatile(\"nop\" : : : \"memory\"); return n; }
";
    let (said, svg, _) = drawn("draw-partial", source, &[], 5);
    assert!(said.contains("not finished: ") && said.contains("assembly"), "{said}");
    assert!(svg.contains("class=\"box stopped\""), "{svg}");
}

#[test]
fn recursion_is_drawn_to_its_end() {
    let source = "extern int __VERIFIER_nondet_int(void);
static int down(int n) { return n > 0 ? down(n - 1) : 0; }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 5) return 0; return down(n); }
";
    let (said, svg, _) = drawn("draw-recursion", source, &[], 0);
    assert!(said.contains("termination: true") && !said.contains("not finished"), "{said}");
    assert!(svg.contains("all calls") && svg.contains("↓ n") && !svg.contains("class=\"box stopped\""), "{svg}");
}

#[test]
fn a_picture_of_a_function() {
    let source = "unsigned length(const char *s) { const char *p = s; while (*p) p++; return p - s; }\n";
    let options = ["--function", "length", "--string", "s", "--integers", "unbounded", "--data-model", "ILP32"];
    let (said, svg, _) = drawn("draw-function", source, &options, 0);
    assert!(said.contains("valid-deref: true"), "{said}");
    assert!(svg.contains("p &lt;= end"), "{svg}");
}

#[test]
fn pictures_are_cut_off_where_asked() {
    let source = std::fs::read_to_string(repository().join("examples/bubble_sort.c")).unwrap();
    let (said, svg, _) = drawn("draw-cut", &source, &["--max-states", "5"], 5);
    assert!(said.contains("more states than are drawn"), "{said}");
    assert!(svg.contains("not drawn further"), "{svg}");
}

#[test]
fn one_file_or_the_other() {
    let folder = Scratch::new("draw-one");
    let example = repository().join("examples/strlen.c");
    for (name, start) in [("a.svg", "<svg"), ("b.html", "<!DOCTYPE html>")] {
        let to = folder.path().join(name);
        let output = belay().arg("graph").arg("--output").arg(&to).arg(&example).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(std::fs::read_to_string(&to).unwrap().starts_with(start));
    }
}

#[test]
fn wrong_use_is_told() {
    let folder = Scratch::new("draw-wrong");
    let example = repository().join("examples/strlen.c");
    let run = |arguments: &[&str]| {
        let output = belay().arg("graph").args(arguments).output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let example = example.to_str().unwrap();
    let (code, said) = run(&[example, "-o", "x.png"]);
    assert!(code == Some(1) && said.contains("a picture is .svg or .html, not .png"), "{code:?} {said}");
    let nowhere = folder.path().join("no/such/folder.svg");
    let (code, said) = run(&[example, "-o", nowhere.to_str().unwrap()]);
    assert!(code == Some(1) && said.contains("cannot write"), "{code:?} {said}");
    let (code, said) = run(&[]);
    assert!(code == Some(1) && said.contains("no input file"), "{code:?} {said}");
    let (code, said) = run(&[example, "--function", "absent"]);
    assert!(code == Some(2) && said.contains("no function `absent`"), "{code:?} {said}");
    let broken = folder.file("broken.c", "int main( {");
    let (code, said) = run(&[broken.to_str().unwrap()]);
    assert!(code == Some(2) && said.contains("does not compile"), "{code:?} {said}");
}

#[test]
fn large_graphs_are_drawn_in_time() {
    let one = "    switch (__VERIFIER_nondet_int()) { case 1: n++; break; case 2: n--; break; default: n += 2; }\n";
    let source = format!(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n    int n = 0;\n{}    return n;\n}}\n",
        one.repeat(250)
    );
    let start = std::time::Instant::now();
    let (said, svg, _) = drawn("draw-large", &source, &["--time-limit", "30"], 0);
    assert!(start.elapsed().as_secs() < 55, "{:?}", start.elapsed());
    let states: usize = said.split(" states").next().and_then(|text| text.rsplit(' ').next()).unwrap().parse().unwrap();
    assert!(states > 1000, "{said}");
    well_formed(&svg);
}
