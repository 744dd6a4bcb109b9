//! Violations that the graph engine finds by itself: each program stands beside its mend, of which it finds none.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{Scratch, belay, shown, text};

const HEAD: &str = "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);
    extern unsigned __VERIFIER_nondet_uint(void);\n#define in __VERIFIER_nondet_int()\n";

/// Checks the program with `marked` replaced by the defect, by the graph alone and by all engines, and by the mend.
#[track_caller]
fn twins(name: &str, source: &str, (defect, mend): (&str, &str), options: &[&str], property: &str, kind: &str) {
    let folder = Scratch::new(&format!("refute-{name}"));
    assert!(source.contains('@'), "the place of the defect is not marked");
    let check = |part: &str, engines: &[&str]| {
        let path = folder.file("program.c", format!("{HEAD}{}", source.replace('@', part)));
        let options = options.iter().chain(engines);
        let mut belay = belay();
        belay.args(["check", "--time-limit", "60", "--property", property]).args(options).arg(path).output().unwrap()
    };
    for engines in [&["--engines", "graph"][..], &[]] {
        let output = check(defect, engines);
        let expected = format!("VERDICT {property} false({kind})");
        assert!(text(&output.stdout).contains(&expected), "no `{expected}`: {}", shown(&output));
    }
    let output = check(mend, &["--engines", "graph"]);
    let found = text(&output.stdout);
    assert!(found.contains(&format!("VERDICT {property} ")) && !found.contains("false("), "{}", shown(&output));
}

#[test]
fn a_string_without_an_end() {
    let source = "int main(void) { int n = in; if (n < 5000) return 0; char *s = malloc(n); memset(s, 'a', n); @
        char *p = s; while (*p) p++; free(s); return 0; }";
    twins("terminator", source, ("", "s[n - 1] = 0;"), &[], "memsafety", "valid-deref");
}

#[test]
fn a_copy_that_is_one_byte_short() {
    let source =
        "int main(void) { int n = in, m = in; if (n < 1 || m < @) return 0; char *s = malloc(n), *t = malloc(m);
        s[n - 1] = 0; char *p = s, *q = t; while ((*q++ = *p++)); free(s); free(t); return 0; }";
    twins("strcpy", source, ("n - 1", "n"), &[], "memsafety", "valid-deref");
}

#[test]
fn strings_whose_sum_does_not_fit() {
    let source = "int main(void) { int n = in, m = in; if (n < 1 || m < 1 || n > 1000 || m > 1000) return 0;
        char *s = malloc(@), *t = malloc(m); s[n - 1] = 0; t[m - 1] = 0; char *p = s, *q = t;
        while (*p) p++; while ((*p++ = *q++)); free(s); free(t); return 0; }";
    twins("strcat", source, ("n + m - 2", "n + m - 1"), &[], "memsafety", "valid-deref");
}

#[test]
fn a_sort_that_goes_one_too_far() {
    let source = "int main(void) { int n = in; if (n < 1 || n > 10000) n = 1; int *a = malloc(n * sizeof(int));
        for (int i = 0; i < n; i++) a[i] = in;
        for (int i = 0; i < n - 1; i++) for (int j = 0; j < @; j++)
            if (a[j] > a[j + 1]) { int x = a[j]; a[j] = a[j + 1]; a[j + 1] = x; }
        free(a); return 0; }";
    twins("sort", source, ("n - i", "n - i - 1"), &[], "memsafety", "valid-deref");
}

const LIST: &str = "struct L { struct L *next; int v; };
    static struct L *made(void) { struct L *l = 0; while (in) { struct L *h = malloc(sizeof *h); h->next = l; h->v = in; l = h; } return l; }
    static void dropped(struct L *l) { while (l) { struct L *h = l->next; free(l); l = h; } }\n";

#[test]
fn a_block_of_a_list_that_is_freed_twice() {
    let source = format!(
        "{LIST}int main(void) {{ struct L *l = made(); if (l && l->next && l->next->v == 4711) {{ struct L *h = l->next;
        l->next = h->next; free(h); @ }} dropped(l); return 0; }}"
    );
    twins("twice", &source, ("free(h);", ""), &[], "valid-free", "valid-free");
}

#[test]
fn a_pointer_into_a_block_that_is_freed() {
    let source = "int main(void) { int n = in, m = in; if (n < 100 || m < 0 || m >= n || 3 * n != 7 * m + 5) return 0;
        char *s = malloc(n), *p = s + m; @ free(p); return 0; }";
    twins("interior", source, ("", "p -= m;"), &[], "memsafety", "valid-free");
}

#[test]
fn a_list_of_which_the_rest_is_lost() {
    let source = format!("{LIST}int main(void) {{ struct L *l = made(); if (l) {{ @ }} dropped(l); return 0; }}");
    twins("lost", &source, ("l->next = 0;", "l->v = 0;"), &[], "memsafety", "valid-memtrack");
}

#[test]
fn a_path_that_is_deep_and_narrow() {
    let source = "int main(void) { int a = in, b = in, c = in, s = 0;
        for (int i = 0; i < 300; i++) s += i;
        if (a < 0 || a > 100000 || b < 0 || b > 100000 || c < 0 || c > 100000) return 0;
        if (a + b + c != s - 17295) return 0; if (2 * a - b != 77) return 0; if (b - 3 * c != 11) return 0;
        int x[@]; x[c] = 1; return x[c] - 1; }";
    twins("deep", source, ("4000", "100001"), &[], "memsafety", "valid-deref");
}

#[test]
fn a_product_that_overflows() {
    let source = "int main(void) { int n = in, m = in; if (n < 1 || n > @ || m != n + 3) return 0; return n * m > 7; }";
    twins("product", source, ("100000", "30000"), &[], "no-overflow", "no-overflow");
}

#[test]
fn an_assertion_behind_bits_and_remainders() {
    let source = "extern void reach_error(void); int main(void) { unsigned n = __VERIFIER_nondet_uint();
        if ((n & 15) == 9 && n % 7 == 3 && n / 100 == 1234 @) reach_error(); return 0; }";
    twins("bits", source, ("", "&& n < 7"), &[], "unreach-call", "unreach-call");
}

#[test]
fn a_function_by_itself() {
    let source = "int at(const char *s, const int *a, int n, int i) { int k = 0; while (s[k] == 'x') k++;
        if (k == 3 @) return a[i + k]; return 0; }";
    let options =
        ["--function", "at", "--string", "s", "--array", "a=n", "--precondition", "i >= 0 && i < n && n > 50"];
    twins("function", source, ("", "&& i + k < n"), &options, "memsafety", "valid-deref");
}

#[test]
fn what_is_missing_is_said() {
    let folder = Scratch::new("missing");
    let source = "int main(void) { char a[244]; int i; for (i = 1; i < 100; i *= 3) {} a[i] = 0; return 0; }";
    let path = folder.file("program.c", source);
    let output = belay().args(["check", "--engines", "graph", "--property", "valid-deref"]).arg(path).output().unwrap();
    let found = text(&output.stdout);
    assert!(found.contains("i <= 243 does not follow from 1 <= i"), "{}", shown(&output));
}

#[test]
fn a_float_decides() {
    let source = "extern float __VERIFIER_nondet_float(void);
        int main(void) { float x = __VERIFIER_nondet_float(); int a[10], n = in;
        if (x > 0.25f && x < 0.75f && n > 5 && n < @) a[n] = 1; return 0; }";
    twins("float", source, ("12", "10"), &[], "memsafety", "valid-deref");
}

#[test]
fn code_before_main() {
    let source = "static int limit; __attribute__((constructor)) static void set(void) { limit = 7; }
        int main(void) { int a[10], n = in; if (n > 900 && n < @) a[n - 901] = limit; return 0; }";
    twins("constructor", source, ("912", "911"), &[], "memsafety", "valid-deref");
}

#[test]
fn after_a_call_with_any_number_of_arguments() {
    let source = "#include <stdarg.h>
        static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0;
          for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; }
        int main(void) { int a[10] = {0}, n = in, s = sum(2, 3, 4); if (n > 900 && n < @) return a[n - 901] + s; return 0; }";
    twins("variadic", source, ("912", "911"), &[], "memsafety", "valid-deref");
}
