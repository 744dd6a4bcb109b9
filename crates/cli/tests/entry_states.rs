//! Functions checked by themselves: strings, arrays, preconditions.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{Scratch, belay, repository, shown, text};
use std::process::Output;

/// Checks a function of a file that holds `source`.
fn check(name: &str, source: &str, options: &[&str]) -> Output {
    let folder = Scratch::new(name);
    let path = folder.file("entry.c", source);
    belay().args(["check", "--time-limit", "60"]).args(options).arg(path).output().unwrap()
}

#[track_caller]
fn answers(name: &str, source: &str, options: &[&str], expected: &[&str]) -> String {
    let output = check(name, source, options);
    let found = text(&output.stdout);
    for part in expected {
        assert!(found.contains(part), "no `{part}`: {}", shown(&output));
    }
    found
}

const LENGTH: &str = "static unsigned length(const char *s) { const char *p = s; while (*p) p++; return p - s; }\n";

#[test]
fn a_string_has_an_end() {
    let options = ["--function", "length", "--string", "s", "--property", "memsafety,termination"];
    answers(
        "string",
        LENGTH,
        &options,
        &["VERDICT memsafety true", "VERDICT termination true", "*end == 0", "p <= end"],
    );
}

#[test]
fn an_array_need_not_have_one() {
    let options = ["--function", "length", "--array", "s=8", "--property", "memsafety"];
    let found =
        answers("unterminated", LENGTH, &options, &["VERDICT memsafety false(valid-deref)", "call length(s = &s)"]);
    assert!(found.contains("just past the end of `s` (8 bytes)"), "{found}");
    assert!(!found.contains("__belay"), "{found}");
}

#[test]
fn what_a_pointer_points_to_has_to_be_said() {
    let options = ["--function", "length", "--property", "valid-deref"];
    answers("unsaid", LENGTH, &options, &["VERDICT valid-deref unknown(", "is not given"]);
}

const SUM: &str = "int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n";

#[test]
fn the_length_of_an_array_is_a_parameter() {
    let options = ["--function", "sum", "--array", "a=n", "--property", "memsafety,no-overflow,termination"];
    let expected = ["VERDICT memsafety true", "VERDICT no-overflow true", "VERDICT termination true"];
    answers("array", SUM, &options, &expected);
}

#[test]
fn the_length_of_an_array_is_an_expression() {
    let with = |length| {
        ["--function", "sum", "--array", length, "--precondition", "n > 0 && n < 1000", "--property", "valid-deref"]
    };
    answers("longer", SUM, &with("a=n + 1"), &["VERDICT valid-deref true"]);
    answers("shorter", SUM, &with("a=n - 1"), &["VERDICT valid-deref false(valid-deref)", "past the end of `a`"]);
    answers("with-colon", SUM, &with("a:n"), &["VERDICT valid-deref true"]);
}

const QUOTIENT: &str = "int quotient(int x, int y) { return x / y; }\n";

#[test]
fn a_precondition_excludes_runs() {
    let with =
        |condition| ["--function", "quotient", "--precondition", condition, "--property", "arithmetic,no-overflow"];
    answers("positive", QUOTIENT, &with("y > 0"), &["VERDICT arithmetic true", "VERDICT no-overflow true"]);
    answers(
        "not-zero",
        QUOTIENT,
        &with("y != 0"),
        &["VERDICT arithmetic true", "VERDICT no-overflow false(no-overflow)"],
    );
    answers("any", QUOTIENT, &with("y >= 0"), &["VERDICT arithmetic false(arithmetic)", "input y = 0"]);
}

#[test]
fn an_overflow_in_a_precondition_is_not_the_programs() {
    let options = ["--function", "quotient", "--precondition", "x + 1 > x && y == 1", "--property", "no-overflow"];
    answers("own-overflow", QUOTIENT, &options, &["VERDICT no-overflow true"]);
}

#[test]
fn several_preconditions_all_hold() {
    let options =
        ["--function", "quotient", "--precondition", "y >= 0", "--precondition", "y != 0", "--property", "arithmetic"];
    answers("several", QUOTIENT, &options, &["VERDICT arithmetic true"]);
}

#[test]
fn preconditions_compare_as_the_parameters_types_do() {
    let source = "int f(unsigned n, long m) { return 10 / (n > 5) + 10 / (m < 0); }\n";
    let options = ["--function", "f", "--precondition", "n > -2 && m < -1", "--property", "arithmetic"];
    // As unsigned numbers only 4294967295 is greater than -2.
    answers("types", source, &options, &["VERDICT arithmetic true"]);
}

#[test]
fn programs_with_a_main_of_their_own() {
    let source = format!("{SUM}int main(void) {{ return 1 / 0; }}\n");
    let options = ["--function", "sum", "--array", "a=n", "--property", "memsafety,arithmetic"];
    answers("own-main", &source, &options, &["VERDICT memsafety true", "VERDICT arithmetic true"]);
}

#[test]
fn a_returned_block_is_not_lost() {
    let source = "#include <stdlib.h>\nchar *make(int n) { return malloc(n); }\n";
    let options = ["--function", "make", "--precondition", "n > 0", "--property", "valid-memtrack"];
    answers("returned", source, &options, &["VERDICT valid-memtrack true"]);
}

#[test]
fn nothing_else_is_freed() {
    let source = "#include <stdlib.h>\nvoid drop(char *p) { free(p); }\n";
    let options = ["--function", "drop", "--array", "p=4", "--property", "valid-free"];
    answers("freed", source, &options, &["VERDICT valid-free false(valid-free)", "which is not on the heap"]);
}

#[test]
fn unbounded_integers_and_other_data_models() {
    let options =
        ["--function", "sum", "--array", "a=n", "--integers", "unbounded", "--property", "memsafety,termination"];
    answers("unbounded", SUM, &options, &["VERDICT memsafety true", "VERDICT termination true"]);
    let options = ["--function", "sum", "--array", "a=n", "--data-model", "ILP32", "--property", "memsafety"];
    answers("ilp32", SUM, &options, &["VERDICT memsafety true"]);
}

#[test]
fn the_interpreter_starts_there_too() {
    let folder = Scratch::new("entry-run");
    let path = folder.file("entry.c", SUM);
    let options = ["run", "--function", "sum", "--array", "a=n", "--inputs", "3"];
    let output = belay().args(options).arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[track_caller]
fn refused(name: &str, source: &str, options: &[&str], code: i32, message: &str) {
    let output = check(name, source, options);
    assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
    assert!(text(&output.stderr).contains(message), "{}", shown(&output));
}

#[test]
fn wrong_descriptions_are_refused() {
    let sum = |more: &[&'static str]| [&["--function", "sum"], more].concat();
    refused("r1", SUM, &sum(&["--array", "b=n"]), 1, "sum has no parameter `b`");
    refused("r2", SUM, &sum(&["--array", "n=3"]), 1, "`n` is no pointer but int");
    refused("r3", SUM, &sum(&["--array", "a"]), 1, "how long is it?");
    refused("r4", SUM, &sum(&["--string", "b"]), 1, "sum has no parameter `b`");
    refused("r5", SUM, &sum(&["--string", "n"]), 1, "it is no pointer");
    refused("r6", SUM, &sum(&["--string", "a", "--array", "a=3"]), 1, "`a` is described twice");
    refused("r7", SUM, &["--array", "a=3"], 1, "need --function");
    refused("r8", SUM, &["--function", "other", "--array", "a=3"], 1, "no C file defines the function `other`");
    refused("r9", SUM, &["--function", "other"], 2, "the program has no function `other`");
    refused("r10", SUM, &sum(&["--precondition", "m > 0"]), 2, "--precondition:1");
    refused("r11", SUM, &sum(&["--precondition", "n >"]), 2, "--precondition:1");
    refused("r12", "int sum(int a) { return ; } }", &sum(&["--precondition", "a > 0"]), 2, "does not compile");
}

#[test]
fn the_papers_functions() {
    let papers = |name: &str, options: &[&str]| {
        let path = repository().join("examples/papers").join(name);
        let properties = ["check", "--time-limit", "60", "--property", "memsafety"];
        text(&belay().args(properties).args(options).arg(path).output().unwrap().stdout)
    };
    let length = ["--function", "length"];
    let found = papers("strlen.c", &[&length[..], &["--string", "str"]].concat());
    assert!(found.contains("VERDICT memsafety true") && found.contains("s <= end"), "{found}");
    let found = papers("strlen_unterminated.c", &[&length[..], &["--array", "str=n"]].concat());
    assert!(found.contains("VERDICT memsafety false(valid-deref)"), "{found}");
    let copy = ["--function", "copy", "--array", "s1=n", "--string", "s2", "--precondition"];
    let found = papers("strcpy.c", &[&copy[..], &["strlen(s2) < n"]].concat());
    assert!(found.contains("VERDICT memsafety true"), "{found}");
    let found = papers("strcpy_short.c", &[&copy[..], &["strlen(s2) <= n"]].concat());
    assert!(found.contains("VERDICT memsafety false(valid-deref)"), "{found}");
    let sort = ["--function", "sort", "--array", "a=n"];
    assert!(papers("sort.c", &sort).contains("VERDICT memsafety true"));
    assert!(papers("sort_short.c", &sort).contains("VERDICT memsafety false(valid-deref)"));
}

#[test]
fn expressions_that_change_or_end_a_run_are_refused() {
    let sf = "int f(int x);\nstatic int sf(int x) { return 10 / x; }\nint h(int *a, unsigned n) { return n ? a[n - 1] : 0; }";
    let with = |condition: &'static str| ["--function", "sf", "--precondition", condition, "--property", "arithmetic"];
    refused("e1", sf, &with("x = 1"), 1, "`x = 1` assigns");
    refused("e2", sf, &with("x++ || 1"), 1, "changes a variable");
    refused("e3", sf, &with("f(x) > 3"), 1, "calls f");
    refused("e4", sf, &with("10 / x > 3"), 1, "may divide by zero");
    refused("e5", sf, &with("(x += 2) > 3"), 1, "assigns");
    refused("e6", sf, &with("({ x = 3; x; })"), 1, "not understood");
    refused("e7", sf, &with("1)) return 0; if ((1"), 2, "--precondition:1");
    let length = |length: &'static str| ["--function", "h", "--array", length, "--property", "memsafety"];
    refused("e8", sf, &length("a=n/0"), 1, "may divide by zero");
    refused("e9", sf, &length("a=n++"), 1, "changes a variable");
    refused("e10", sf, &length("a=n%0"), 1, "may divide by zero");
    let own = "unsigned long strlen(const char *s) { return s[0]; }\nint g(char *s) { return s[0]; }";
    let options = ["--function", "g", "--string", "s", "--precondition", "strlen(s) > 3"];
    refused("e11", own, &options, 1, "the program's own strlen");
    let fine = check("e12", sf, &["--function", "h", "--array", "a=n+0ul+n/2", "--property", "memsafety"]);
    assert_eq!(fine.status.code(), Some(0), "{}", shown(&fine));
}

#[test]
fn a_precondition_that_no_run_meets_is_no_proof() {
    let source = "int sf(int x) { return 10 / x; }";
    let with = |condition: &'static str| ["--function", "sf", "--precondition", condition, "--property", "arithmetic"];
    refused("v1", source, &with("x > 3 && x < 2"), 1, "no run meets");
    refused("v2", source, &with("0"), 1, "no run meets");
    let met = check("v3", source, &with("x > 3 && x < 5"));
    assert_eq!(met.status.code(), Some(0), "{}", shown(&met));
}

#[test]
fn a_proof_of_no_run_says_so() {
    let source = "void __VERIFIER_assume(int);\nint __VERIFIER_nondet_int(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 4); return x; }";
    let says = |source: &str| text(&check("n1", source, &["--property", "no-overflow"]).stdout).contains("of no run");
    assert!(says(source));
    assert!(!says(&source.replace("x < 4", "x < 5")));
    assert!(!says(&source.replace("__VERIFIER_assume(x < 4)", "if (x < 9) while (1) ; __VERIFIER_assume(x < 4)")));
}

#[test]
fn what_does_not_depend_on_pointers_is_answered() {
    let sort = "void sort(int *a, int n) { for (int i = 0; i < n - 1; i++) if (a[i] > a[i + 1]) a[i] = 0; }";
    let found = answers(
        "bare",
        sort,
        &["--function", "sort", "--property", "no-overflow"],
        &["no-overflow false(no-overflow)"],
    );
    assert!(found.contains("-2147483648 - 1"), "{found}");
    // Nothing is proved by a run that ends at the first access.
    let next = "int next(int *a) { return *a + 1; }";
    answers("bare-proof", next, &["--function", "next", "--property", "no-overflow"], &["no-overflow unknown("]);
    let unused = "int half(int *a, int x) { return x / 2; }";
    answers("bare-unused", unused, &["--function", "half", "--property", "no-overflow"], &["no-overflow true"]);
}

/// A run of `main` that ends at an invalid access before it calls a function shows nothing of what that requires.
#[test]
fn a_caller_that_ends_before_the_call_keeps_nothing() {
    let source = |most: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nint g(int x) {{ return 10 / x; }}\nstatic char a[4];\n\
            int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 5) return 0;\n\
            for (int i = 0; i < {most}; i++) a[i] = 1; return g(a[0] {most_of_it}); }}\n",
            most_of_it = if most == "n" { "- 1" } else { "& 1 | 2" },
        )
    };
    answers("callers-end", &source("n"), &["--each-function"], &["what g requires is not shown for main"]);
    answers("callers-go-on", &source("4"), &["--each-function"], &["what g requires is kept by main"]);
}

/// A block of the heap that callers give is theirs to free.
#[test]
fn blocks_of_callers_are_theirs_to_free() {
    let source = "int f(const int *p) { return *p; }";
    let found = answers("cleanup", source, &["--function", "f", "--object", "p"], &["memsafety true"]);
    assert!(!found.contains("memcleanup"), "{found}");
    let asked = ["--function", "f", "--object", "p", "--property", "memcleanup"];
    answers("cleanup-asked", source, &asked, &["memcleanup false("]);
}

/// What the library remembers is what callers left there: `errno` is any number, and of the rest the answer says what it takes for granted, as it does of functions without a body.
#[test]
fn each_function_with_the_state_of_the_library() {
    let source = "#include <errno.h>\n#include <stdio.h>\nint other(int);\n\
        int number(int x) { return errno == 4 ? x / (x - x) : 0; }\n\
        int stream(int x) { return feof(stdin) ? x : 0; }\n\
        int called(int x) { return other(x) & 1; }\n\
        int plain(int x) { return x & 1; }\n";
    let options = ["--each-function", "--property", "memsafety,arithmetic"];
    let found = answers("each-function-library", source, &options, &["FUNCTIONS 4: "]);
    let behind = |name: &str| {
        let mut lines = found.lines().skip_while(|line| !line.starts_with(&format!("{name}: "))).skip(1);
        lines.next().unwrap_or_default().to_owned()
    };
    assert!(found.contains("number: violated: arithmetic"), "{found}");
    assert!(behind("stream").starts_with("  assuming that what the library remembers"), "{found}");
    assert!(
        behind("called").starts_with("  assuming that these return") && behind("called").ends_with(": other"),
        "{found}"
    );
    assert!(!behind("plain").contains("assuming"), "{found}");
}

#[test]
fn each_function_by_itself() {
    let source = "int g; static int s;\n\
        void down(int x, int y) { while (x > 0) x -= y; }\n\
        int first(const int *a) { return *a; }\n\
        int half(int x) { return x / 2; }\n\
        int global(void) { return 10 / g; }\n\
        int hidden(void) { return 10 / (s + 1); }\n\
        int both(int *a, int *b) { *a = 1; *b = 2; return 10 / *a; }\n";
    let options = ["--each-function", "--property", "memsafety,arithmetic,termination,no-overflow"];
    let found = answers("each-function", source, &options, &["FUNCTIONS 6: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    assert_eq!(line("down"), "down: safe if x <= 0 || y > 0", "{found}");
    assert_eq!(line("first"), "first: safe if is_fresh(a, sizeof(*a))", "{found}");
    assert_eq!(line("half"), "half: safe for every caller", "{found}");
    assert!(line("global").starts_with("global: violated: arithmetic"), "{found}");
    // No caller need be able to set it.
    assert!(line("hidden").starts_with("hidden: unknown"), "{found}");
    assert_eq!(line("both"), "both: safe if is_fresh(a, sizeof(*a)) && is_fresh(b, sizeof(*b))", "{found}");
}

const TOTAL: &str = "struct s { int *items; int n; char *name; };\n\
    int total(const struct s *s) {\n\
    int t = 0; for (int i = 0; i < s->n; i++) t ^= s->items[i];\n\
    return s->name ? t ^ s->name[0] : t; }\n";

#[test]
fn members_are_described() {
    let all = ["--function", "total", "--property", "memsafety", "--object", "s", "--array", "s->items=s->n"];
    let name = ["--string", "s->name", "--nullable", "s->name"];
    let expected = [
        "VERDICT memsafety true",
        "ASSUMING memsafety that callers give a block of the heap of its own at each of these: s, s->name, s->items",
    ];
    answers("members", TOTAL, &[&all[..], &name].concat(), &expected);
    // Of the name nothing is said: that it is followed is no violation, and no proof.
    let found = answers("members-unsaid", TOTAL, &all, &["VERDICT memsafety unknown("]);
    assert!(found.contains("is not given"), "{found}");
    let short = ["--function", "total", "--property", "memsafety", "--object", "s", "--array", "s->items=3"];
    answers("members-short", TOTAL, &[&short[..], &name].concat(), &["VERDICT memsafety false(valid-deref)"]);
    refused("members-null", TOTAL, &["--function", "total", "--nullable", "s"], 1, "is not said");
    let twice = ["--function", "total", "--object", "s", "--array", "s=3"];
    refused("members-twice", TOTAL, &twice, 1, "described twice");
}

#[test]
fn null_is_given_where_it_is_allowed() {
    let first = "int first(const int *p) { return *p; }\nint other(const int *p) { return p ? *p : 0; }\n";
    let options = |function: &'static str| {
        ["--function", function, "--object", "p", "--nullable", "p", "--property", "memsafety"]
    };
    answers("nullable", first, &options("first"), &["VERDICT memsafety false(valid-deref)"]);
    answers("nullable-asked", first, &options("other"), &["VERDICT memsafety true"]);
}

#[test]
fn different_objects_are_taken_for_granted() {
    let both = "int both(int *a, int *b) { *a = 1; *b = 0; return 10 / *a; }\n";
    let options = ["--function", "both", "--array", "a=1", "--array", "b=1", "--property", "arithmetic"];
    answers(
        "apart",
        both,
        &options,
        &["VERDICT arithmetic true", "ASSUMING arithmetic that callers give an object of its own"],
    );
}

#[test]
fn what_contracts_do_not_say_is_taken_for_granted() {
    let source = "#include <errno.h>\n#include <stdlib.h>\nvoid reach_error(void);\n\
        char *make(void) __CPROVER_assigns() __CPROVER_ensures(1);\n\
        int main(void) { make(); return 0; }\n";
    let expected = "that these, which are taken by their contracts, return, leave no heap block behind that is lost";
    for property in ["valid-memtrack", "memcleanup", "termination"] {
        let options = ["--replace", "make", "--property", property];
        let line = format!("ASSUMING {property} {expected}");
        let said = [format!("VERDICT {property} true"), line];
        answers(&format!("by-contract-{property}"), source, &options, &said.each_ref().map(String::as_str));
    }
    let options = ["--replace", "make", "--property", "unreach-call"];
    let found = answers("by-contract", source, &options, &["VERDICT unreach-call true"]);
    assert!(!found.contains(expected), "{found}");
    // No clause can name `errno`.
    let asks = source.replace("make(); return 0;", "errno = 0; make(); if (errno) reach_error(); return 0;");
    answers("by-contract-errno", &asks, &options, &["VERDICT unreach-call true", expected]);
}

#[test]
fn elements_and_room_are_found() {
    let source = "#include <string.h>\n#include <stddef.h>\n\
        struct value { int type; char *text; };\nstruct array { struct value **items; size_t count; };\n\
        size_t length(const struct array *a, size_t i) {\n\
        if (!a || i >= a->count) return 0; return a->items[i]->type ? strlen(a->items[i]->text) : 0; }\n\
        size_t total(char **v, unsigned n) { size_t t = 0; for (unsigned i = 0; i < n; i++) t += strlen(v[i]); return t; }\n\
        char *add(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }\n\
        char *copy(char *d, const char *s) { for (; (*d = *s); s++, d++); return d; }\n\
        int behind(int **p) { return **p; }\n";
    let found =
        answers("elements", source, &["--each-function", "--property", "memsafety,termination"], &["FUNCTIONS 5: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    assert!(
        line("length").contains(
            "forall { unsigned long k; k < (unsigned long)a->count ==> is_fresh(a->items[k], sizeof(*a->items[k]))"
        ),
        "{found}"
    );
    assert!(line("total").contains("n ==> is_cstring(v[k])"), "{found}");
    assert_eq!(line("add"), "add: safe if is_cstring(s) && has_room(d, strlen(s))", "{found}");
    assert_eq!(line("copy"), "copy: safe if is_cstring(s) && is_fresh(d, strlen(s) + 1)", "{found}");
    assert_eq!(line("behind"), "behind: safe if is_fresh(p, sizeof(*p)) && is_fresh(*p, sizeof(**p))", "{found}");
}

#[test]
fn counts_floats_and_rooms_are_found() {
    let source = "int whole(double x) {\n\
        if (x >= 2147483647.0) return 2147483647; if (x <= -2147483648.0) return -2147483647 - 1; return (int)x; }\n\
        int compare(const unsigned char *a, const unsigned char *b, unsigned long n) {\n\
        for (; n && *a == *b; n--, a++, b++); return n ? *a - *b : 0; }\n\
        void fill(char *d) { for (int i = 0; i < 20; i++) d[i] = 'x'; d[20] = 0; }\n\
        static void never(int *p) { *p = 1 / *p; }\n\
        void (*kept)(int *) = never;\n\
        int nothing(const int *p) { return p == 0; }\n";
    let found = answers("counts", source, &["--each-function"], &["FUNCTIONS 4: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    assert_eq!(line("whole"), "whole: safe if x == x", "{found}");
    assert!(line("compare").starts_with("compare: safe if") && line("compare").contains("is_fresh(b, n)"), "{found}");
    assert_eq!(line("fill"), "fill: safe if is_fresh(d, 21)", "{found}");
    assert_eq!(line("nothing"), "nothing: safe for every caller", "{found}");
}

#[test]
fn indices_and_their_limits_are_found() {
    let source = "#include <stddef.h>\n\
        struct table { size_t *cells; int *values; size_t count, room; };\n\
        long find(const struct table *t, size_t hash) {\n\
        for (unsigned i = 0; i < t->room; i++) { size_t cell = t->cells[(hash + i) & (t->room - 1)];\n\
        if (cell == (size_t)-1) return -1; if (t->values[cell] == 7) return (long)i; } return -1; }\n\
        struct ring { char *data; size_t head, count, size; };\n\
        int take(struct ring *r) { if (r->count == 0) return -1;\n\
        char c = r->data[r->head]; r->head = (r->head + 1) % r->size; r->count--; return c; }\n\
        struct stack { int *items; unsigned top, room; };\n\
        int push(struct stack *s, int v) { if (s->top == s->room) return 0; s->items[s->top++] = v; return 1; }\n\
        int keep(struct stack *s, int v) { s->items[s->room] = v; return s->room; }\n\
        void put(unsigned char *p, const unsigned char *map, size_t n) { for (size_t i = 0; i < n; i++) p[i] = map[p[i]]; }\n";
    let found = answers("indices", source, &["--each-function"], &["FUNCTIONS 5: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    for (name, clauses) in [
        // A loop of 32 bits ends only where the table is no larger.
        ("find", vec!["t->room <= 2147483647", "(t->cells[k] == (unsigned long)-1 || t->cells[k] < t->count)"]),
        ("take", vec!["is_fresh(r->data, r->size)", "r->head < r->size"]),
        ("push", vec!["is_fresh(s->items, s->room * sizeof(*s->items))", "s->top <= s->room"]),
        ("put", vec!["is_fresh(p, n)", "is_fresh(map, 256)"]),
    ] {
        let line = line(name);
        assert!(line.starts_with(&format!("{name}: safe if ")), "{found}");
        clauses.iter().for_each(|clause| assert!(line.contains(clause), "{name}, {clause}: {found}"));
    }
    // An element behind the last is none.
    assert!(!line("keep").contains("s->room * sizeof") && !line("keep").contains("every caller"), "{found}");
}

#[test]
fn how_much_is_needed_is_found() {
    let source = "#include <stdint.h>\n#include <stddef.h>\n#include <stdbool.h>\n\
        struct parser { uint8_t state, len, pos; uint8_t buf[64]; };\n\
        int feed(struct parser *p, uint8_t c) { if (p->state == 0) { if (c == 0 || c > 64) return -1; p->len = c; p->pos = 0; p->state = 1; }\n\
        else { p->buf[p->pos++] = c; if (p->pos == p->len) p->state = 0; } return 0; }\n\
        uint16_t get16(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }\n\
        void set_bit(uint32_t *w, unsigned i) { w[i / 32] |= 1u << (i % 32); }\n\
        bool has_bit(const uint32_t *w, unsigned bits, unsigned i) { return i < bits && (w[i / 32] >> (i % 32) & 1); }\n\
        unsigned varint(uint64_t v, uint8_t *out) { unsigned n = 0;\n\
        while (v >= 128) { out[n++] = (uint8_t)(v | 128); v >>= 7; } out[n++] = (uint8_t)v; return n; }\n\
        struct reader { const uint8_t *data; size_t len, pos; };\n\
        bool read16(struct reader *r, uint16_t *v) { if (r->len - r->pos < 2) return false;\n\
        *v = (uint16_t)(r->data[r->pos] | r->data[r->pos + 1] << 8); r->pos += 2; return true; }\n\
        bool ok(const uint8_t *frame, uint16_t len) { uint8_t sum = 0; if (frame == NULL || len < 2) return false;\n\
        for (uint16_t i = 0; i < len - 1; i++) sum += frame[i]; return sum == frame[len - 1]; }\n\
        struct text { char *data; size_t len; };\n\
        void begin(struct text *t, char *room) { t->data = room; t->data[0] = 0; t->len = 0; }\n";
    let found = answers("how-much", source, &["--each-function"], &["FUNCTIONS 8: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    for (name, clauses) in [
        // An index that is a member of the same structure as the array.
        ("feed", "is_fresh(p, sizeof(*p)) && p->pos < 64"),
        // What is shifted and compared is no text.
        ("get16", "is_fresh(p, 2)"),
        ("set_bit", "is_fresh(w, ((unsigned long)i / 32 + 1) * sizeof(*w))"),
        ("has_bit", "is_fresh(w, (bits / 32 + (bits % 32 != 0)) * sizeof(*w))"),
        // The number is none of elements.
        ("varint", "is_fresh(out, 32)"),
        // All may have been read.
        ("read16", "r->pos <= r->len"),
        ("ok", "frame == 0 || (is_fresh(frame, len))"),
        // What was there before is not asked.
        ("begin", "is_fresh(t, sizeof(*t)) && is_fresh(room, sizeof(*room))"),
    ] {
        let line = line(name);
        assert!(line.starts_with(&format!("{name}: safe if ")) && line.contains(clauses), "{name}, {clauses}: {found}");
    }
}

#[test]
fn callers_that_keep_or_break_a_precondition_are_named() {
    let source = "#include <string.h>\n\
        int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n\
        int first(const int *a, int n) { return n > 0 ? sum(a, 1) : 0; }\n\
        int two(void) { int a[4] = {0}; return sum(a, 5); }\n\
        static int helper(int *v) { v[0] = 3; return sum(v, 3); }\n\
        int through(void) { int b[3] = {1, 2, 3}; return helper(b); }\n\
        int copy(char *d, const char *s) { strcpy(d, s); return d[0]; }\n\
        int literal(void) { char d[4]; return copy(d, \"abc\"); }\n\
        int over(void) { char d[8] = \"abc\"; return copy(d + 1, d); }\n\
        int main(void) { int a[2] = {1, 2}; char d[8]; return sum(a, 2) + copy(d, \"hello\"); }\n";
    let found = answers(
        "callers",
        source,
        &["--each-function"],
        &[
            // A function without a name outside belongs to its callers.
            "what sum requires is kept by first, main, through; broken by two",
            // What is only read may be a literal; text and copy lie in one block.
            "what copy requires is kept by literal, main; broken by over",
        ],
    );
    assert!(found.contains("two: violated: valid-deref"), "{found}");
}

#[test]
fn what_is_added_to_members_fits() {
    let source = "#include <stdlib.h>\n\
        struct node { int value; struct node *next; };\nstruct list { struct node *head, *tail; int count; };\n\
        int push(struct list *l, int v) { struct node *n = malloc(sizeof *n); if (!n) return -1;\n\
        n->value = v; n->next = l->head; l->head = n; l->count++; return 0; }\n\
        void drop(long *uses) { --*uses; }\n\
        unsigned turn(struct list *l, unsigned n) { l->count = 0; return n + 1; }\n\
        struct window { unsigned char bits, more; };\n\
        int room(const struct window *w) { return (1 << w->bits) / 2; }\n";
    let found = answers("sums", source, &["--each-function"], &["FUNCTIONS 4: "]);
    for line in [
        "push: safe if is_fresh(l, sizeof(*l)) && l->count <= 2147483646",
        "drop: safe if is_fresh(uses, sizeof(*uses)) && *uses >= -9223372036854775807l",
        "turn: safe if is_fresh(l, sizeof(*l))\n",
        "room: safe if is_fresh(w, sizeof(*w)) && w->bits <= 30",
    ] {
        assert!(found.contains(line), "{line}: {found}");
    }
}

#[test]
fn texts_may_be_arrays() {
    let source = "#include <stddef.h>\n\
        size_t length(const char *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; return n; }\n\
        char *append(char *d, const char *s, size_t n) { while (*d) d++; while (n && *s) n--, *d++ = *s++; *d = 0; return d; }\n\
        struct ring { char *data; size_t head, count, size; };\n\
        int put(struct ring *r, char c) { if (r->count == r->size) return 0;\n\
        r->data[r->head] = c; r->head = (r->head + 1) % r->size; r->count++; return 1; }\n";
    let source = &format!("{source}size_t recurse(const char *s) {{ return *s ? 1 + recurse(s + 1) : 0; }}\n");
    let found = answers("either", source, &["--each-function"], &["FUNCTIONS 4: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    assert!(line("length").contains("is_fresh(s, most)) || is_cstring(s)"), "{found}");
    assert_eq!(line("append"), "append: safe if has_room(d, n) && is_cstring(s)", "{found}");
    assert_eq!(line("recurse"), "recurse: safe if is_cstring(s)", "{found}");
    // What is not needed is left out.
    assert!(line("put").ends_with("is_fresh(r->data, r->size) && r->head < r->size"), "{found}");
}

#[test]
fn tables_of_lists_are_described() {
    let source = "#include <stdlib.h>\n#include <string.h>\n\
        struct entry { struct entry *next; char *key; int value; };\nstruct map { struct entry **rows; size_t count; };\n\
        static unsigned hash(const char *s) { unsigned h = 7; while (*s) h = 31 * h + (unsigned char)*s++; return h; }\n\
        int get(const struct map *m, const char *key) {\n\
        for (struct entry *e = m->rows[hash(key) % m->count]; e; e = e->next) if (!strcmp(e->key, key)) return e->value; return -1; }\n\
        void drop(struct map *m) { for (size_t i = 0; i < m->count; i++) { struct entry *e = m->rows[i];\n\
        while (e) { struct entry *next = e->next; free(e); e = next; } m->rows[i] = NULL; } }\n";
    let found = answers("rows", source, &["--each-function"], &["FUNCTIONS 2: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    let row = "k < (unsigned long)m->count ==> is_list(m->rows[k], next, is_cstring(node->key)) } && m->count != 0";
    assert!(line("get").starts_with("get: safe if is_fresh(m, sizeof(*m))") && line("get").contains(row), "{found}");
    assert!(line("drop").contains("==> is_list(m->rows[k], next, DYNAMIC_OBJECT(node)"), "{found}");
}

#[test]
fn no_length_is_confined() {
    // Under the description that suits it the function is wrong, and that nothing is done where `n` is 0 is no precondition.
    let source = "#include <stddef.h>\n\
        void blank(char *s, size_t n) { for (size_t i = 0; i < n; i++) s[2 * n - i] = ' '; if (n) s[-1] = 0; }\n";
    let found = answers("confined", source, &["--each-function", "--property", "memsafety"], &["FUNCTIONS 1: "]);
    assert!(found.contains("blank: unknown"), "{found}");
}

#[test]
fn contracts_are_refused_where_they_do_not_fit() {
    let sum = format!("{SUM}int other(int x) __CPROVER_requires(x > 0) {{ return x; }}\n");
    refused("k1", &sum, &["--enforce", "sum"], 1, "no file has a contract of the function `sum`");
    refused("k2", &sum, &["--replace", "none"], 1, "no file has a contract of the function `none`");
    refused(
        "k3",
        "int x = __CPROVER_requires(1);\nint main(void) { return x; }",
        &[],
        1,
        "where no contract is expected",
    );
    refused("k4", &sum.replace("x > 0", "y > 0"), &["--enforce", "other"], 2, "'y'");
    let both = check("k5", &sum, &["--function", "other", "--property", "no-overflow"]);
    assert!(text(&both.stdout).contains("contracts that are not looked at"), "{}", shown(&both));
}

#[test]
fn headers_before_pointers_are_found() {
    let source = "#include <stdlib.h>\n\
        typedef char *text;\nstruct __attribute__((packed)) small { unsigned char length, kind; };\n\
        struct __attribute__((packed)) large { unsigned length; unsigned char kind; };\n\
        static size_t length(const text s) { switch (s[-1] & 3) { case 0: return ((struct small *)s - 1)->length;\n\
        case 1: return ((struct large *)s - 1)->length; } return 0; }\n\
        void blank(text s) { size_t n = length(s); for (size_t i = 0; i < n; i++) s[i] = ' '; s[n] = 0; }\n\
        void drop(text s) { if (s) free(s - ((s[-1] & 3) == 0 ? sizeof(struct small) : sizeof(struct large))); }\n\
        struct head { size_t count, room; };\n\
        long sum(const int *v) { long t = 0; const struct head *h = (const struct head *)v - 1;\n\
        for (size_t i = 0; i < h->count; i++) t = (t + v[i]) % 1000; return t; }\n\
        void beyond(text s) { s[length(s) + 1] = 0; }\n";
    let found = answers("headers", source, &["--each-function"], &["FUNCTIONS 4: "]);
    let line =
        |name: &str| found.lines().find(|line| line.starts_with(&format!("{name}: "))).unwrap_or_default().to_owned();
    let side = |header: u32, bytes: u32, heap: &str, kind: u32| {
        let number = format!("(unsigned long)number(s - {header}, {bytes}) + 1");
        format!("(has_header(s, {header}, {number}){heap} && (number(s - 1, 1) & 3) == {kind})")
    };
    assert_eq!(line("blank"), format!("blank: safe if {} || {}", side(2, 1, "", 0), side(5, 4, "", 1)), "{found}");
    // What frees it needs to get the header's start from the heap.
    let heap = |offset: u32| format!(" && DYNAMIC_OBJECT(s) && POINTER_OFFSET(s) == {offset}");
    let sides = format!("{} || {}", side(2, 1, &heap(2), 0), side(5, 4, &heap(5), 1));
    assert_eq!(line("drop"), format!("drop: safe if s == 0 || ({sides})"), "{found}");
    let row = "has_header(v, 16, (unsigned long)number((char *)v - 16, 8) * sizeof(*v))";
    assert_eq!(line("sum"), format!("sum: safe if {row}"), "{found}");
    assert!(line("beyond").starts_with("beyond: unknown"), "{found}");
}

#[test]
fn rings_of_one_are_allowed() {
    let source = "struct list { struct list *next, *prev; };\n\
        void add(struct list *one, struct list *head) {\n\
        one->next = head->next; one->prev = head; head->next->prev = one; head->next = one; }\n\
        int apart(struct list *p) { p->prev = 0; p->next->prev = p; return p->prev ? *(int *)0 : 1; }\n";
    let found = answers("rings", source, &["--each-function"], &["FUNCTIONS 2: "]);
    assert!(found.contains("(head->next == head || (is_fresh(head->next, sizeof(*head->next))))"), "{found}");
    // There the ring makes the run go wrong.
    assert!(
        found.contains("apart: safe if is_fresh(p, sizeof(*p)) && is_fresh(p->next, sizeof(*p->next))\n"),
        "{found}"
    );
}

#[test]
fn vectors_that_grow_may_be_empty() {
    let source = "#include <stdlib.h>\n#include <string.h>\nstruct vector { int *items; size_t count, room; };\n\
        int add(struct vector *v, int x) { if (v->count >= v->room) { size_t n = v->room ? v->room * 2 : 16;\n\
        int *p = malloc(n * sizeof *p); if (!p) return 0;\n\
        if (v->items && v->count > 0) memcpy(p, v->items, v->count * sizeof *p);\n\
        free(v->items); v->items = p; v->room = n; } v->items[v->count++] = x; return 1; }\n";
    let found = answers("vectors", source, &["--each-function"], &["FUNCTIONS 1: "]);
    let empty = "add: safe if is_fresh(v, sizeof(*v)) && ((v->items == 0 && v->room == 0 && v->count <= v->room) || (";
    assert!(found.contains(empty), "{found}");
    assert!(found.contains("is_fresh(v->items, v->room * sizeof(*v->items))"), "{found}");
    assert!(found.contains("POINTER_OFFSET(v->items) == 0 && v->count <= v->room))\n"), "{found}");
}
