//! Programs with known answers, each beside its corrected twin.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_ir::Property::{self, Arithmetic, MemCleanup, NoOverflow, UnreachCall, ValidDeref, ValidFree, ValidMemtrack};
use snippets::answer;

#[track_caller]
fn expect(property: Property, expected: &str, source: &str) {
    assert_eq!(answer(source, property), expected, "{property} of\n{source}");
}

/// The first program violates the property, the second does not.
#[track_caller]
fn twins(property: Property, bad: &str, good: &str) {
    expect(property, "false", bad);
    expect(property, "true", good);
}

#[test]
fn array_bounds_with_an_unknown_index() {
    let program = |test: &str| format!("int main(void) {{ int a[10], i = in; if ({test}) a[i] = 1; return 0; }}");
    twins(ValidDeref, &program("i >= 0 && i <= 10"), &program("i >= 0 && i < 10"));
    twins(ValidDeref, &program("i < 10"), &program("(unsigned)i < 10"));
}

#[test]
fn copy_loop_off_by_one() {
    let program = |test: &str| {
        format!(
            "int main(void) {{ char a[8], b[8]; int n = in; assume(n >= 0 && n <= 8);
             for (int i = 0; i {test} n; i++) b[i] = a[i]; return 0; }}"
        )
    };
    twins(ValidDeref, &program("<="), &program("<"));
}

#[test]
fn malloc_of_unknown_size() {
    let program = |at: &str| {
        format!(
            "int main(void) {{ size_t n = __VERIFIER_nondet_uint(); assume(n > 0 && n < 1000);
             char *p = malloc(n); p[{at}] = 1; free(p); return 0; }}"
        )
    };
    twins(ValidDeref, &program("n"), &program("n - 1"));
}

#[test]
fn double_free() {
    let program = |last: &str| {
        format!(
            "struct S {{ int x; struct S *n; }};
             int main(int argc, char **argv) {{ struct S *p, *q; p = malloc(sizeof *p); p->x = 5; p->n = 0;
             if (argc > 1) {{ q = malloc(sizeof *q); q->x = 5; q->n = p; }} else q = p;
             check(p->x + q->x == 10); free(q); {last} return 0; }}"
        )
    };
    twins(ValidFree, &program("free(p);"), &program("if (q != p) free(p);"));
    expect(UnreachCall, "true", &program(""));
}

#[test]
fn use_after_free_return_and_scope() {
    let freed = |last: &str| format!("int main(void) {{ int *p = malloc(4); *p = 1; {last} free(p); return 0; }}");
    expect(ValidDeref, "false", "int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }");
    expect(ValidDeref, "true", &freed("*p = 2;"));
    twins(
        ValidDeref,
        "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { int *p = f(); return *p; }",
        "int *f(void) { static int x = 1; int *p = &x; return p; } int main(void) { int *p = f(); return *p; }",
    );
    twins(
        ValidDeref,
        "int main(void) { int *p; { int x = in; p = &x; } return *p; }",
        "int main(void) { int *p; int x = in; { p = &x; } return *p; }",
    );
}

#[test]
fn struct_fields_and_arrays_of_structs() {
    let program = |test: &str| {
        format!(
            "struct S {{ char c; int a; short s; int b; }};
             int main(void) {{ struct S t[4]; int i = in; assume(i >= 0 && i < 4);
             t[i].a = 7; t[i].b = 9; t[i].s = 3; check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("t[i].a == 9"), &program("t[i].a == 7 && t[i].b == 9 && t[i].s == 3"));
}

#[test]
fn overlapping_widths() {
    let program = |test: &str| {
        format!(
            "union U {{ unsigned w; unsigned char b[4]; unsigned short h[2]; }};
             int main(void) {{ union U u; u.w = 0x11223344; int i = in; assume(i >= 0 && i < 4); u.b[i] = 0;
             check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("u.h[0] != 0x3300"), &program("i != 0 || (u.h[0] == 0x3300 && u.w == 0x11223300)"));
}

#[test]
fn block_copies_and_fills() {
    let program = |test: &str| {
        format!(
            "int main(void) {{ int a[4] = {{1, 2, 3, 4}}, b[4]; memset(b, 0, sizeof b);
             int n = in; assume(n >= 0 && n <= 4); memcpy(b, a, n * sizeof(int));
             int i = in; assume(i >= 0 && i < 4); check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("b[i] == i + 1"), &program("b[i] == (i < n ? i + 1 : 0)"));
    let copy = |to: &str| format!("int main(void) {{ char a[8] = \"abcdefg\"; memcpy(a + {to}, a, 4); return 0; }}");
    twins(ValidDeref, &copy("3"), &copy("4"));
    expect(ValidDeref, "false", "int main(void) { char a[8]; int n = in; assume(n >= 0); memset(a, 0, n); return 0; }");
}

#[test]
fn pointers_to_pointers() {
    let program = |test: &str| {
        format!(
            "int main(void) {{ int x = 1, y = 2; int *p = &x, *q = &y, **pp = in ? &p : &q; *pp = &y; **pp = 5;
             check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("*p == 5"), &program("y == 5 && (*p == 5 || *p == 1) && *q == 5"));
}

#[test]
fn a_list_of_up_to_three() {
    let program = |last: &str| {
        format!(
            "struct N {{ int v; struct N *next; }};
             int main(void) {{ struct N *head = 0; int n = in; assume(n >= 0 && n <= 3);
             for (int i = 0; i < n; i++) {{ struct N *p = malloc(sizeof *p); p->v = i; p->next = head; head = p; }}
             int sum = 0; for (struct N *p = head; p; p = p->next) sum += p->v;
             check(sum == n * (n - 1) / 2);
             while (head) {{ struct N *next = head->next; {last} head = next; }} return 0; }}"
        )
    };
    expect(UnreachCall, "true", &program("free(head);"));
    twins(ValidMemtrack, &program(""), &program("free(head);"));
    twins(MemCleanup, &program("if (head->v != 1) free(head);"), &program("free(head);"));
    expect(ValidDeref, "true", &program("free(head);"));
    expect(ValidDeref, "false", &program("free(head); head->v = 1;"));
}

#[test]
fn reachable_blocks_are_not_lost() {
    twins(
        ValidMemtrack,
        "int *g; int main(void) { g = malloc(4); g = 0; return 0; }",
        "int *g; int main(void) { g = malloc(4); return 0; }",
    );
    expect(MemCleanup, "false", "int *g; int main(void) { g = malloc(4); return 0; }");
    twins(
        ValidMemtrack,
        "int main(void) { int *p = malloc(4); *p = 1; return 0; }",
        "int main(void) { int *p = malloc(4); *p = 1; if (in) exit(*p); free(p); return 0; }",
    );
}

#[test]
fn function_pointers() {
    let program = |test: &str| {
        format!(
            "int inc(int x) {{ return x + 1; }} int dec(int x) {{ return x - 1; }}
             int (*table[2])(int) = {{inc, dec}};
             int main(void) {{ int i = in; assume({test}); int r = table[i](5); check(r == (i ? 4 : 6)); return 0; }}"
        )
    };
    expect(UnreachCall, "true", &program("i == 0 || i == 1"));
    twins(ValidDeref, &program("i >= 0 && i < 3"), &program("i >= 0 && i < 2"));
}

#[test]
fn recursion() {
    let program = |test: &str| {
        format!(
            "int f(int n) {{ return n <= 0 ? 0 : n + f(n - 1); }}
             int main(void) {{ int n = in; assume(n <= 6); check(f(n) {test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("< 21"), &program("<= 21"));
    expect(
        UnreachCall,
        "true",
        "int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { check(f(100) == 5050); return 0; }",
    );
}

#[test]
fn bit_tricks_and_shifts() {
    let program =
        |test: &str| format!("int main(void) {{ unsigned x = __VERIFIER_nondet_uint(); check({test}); return 0; }}");
    twins(UnreachCall, &program("(x & (x - 1)) < x"), &program("x == 0 || (x & (x - 1)) < x"));
    expect(UnreachCall, "true", &program("((x << 3) >> 3) == (x & 0x1fffffff)"));
    twins(
        Arithmetic,
        "int main(void) { int n = in; assume(n >= 0); return 1 << n; }",
        "int main(void) { int n = in; assume(n >= 0 && n < 31); return 1 << n; }",
    );
}

#[test]
fn overflows_and_wraps() {
    twins(
        NoOverflow,
        "int main(void) { int x = in; return x + 1; }",
        "int main(void) { int x = in; if (x < 2147483647) return x + 1; return 0; }",
    );
    twins(
        NoOverflow,
        "int main(void) { int a = in, b = in; assume(a >= 0 && a < 50000 && b >= 0 && b < 50000); return a * b; }",
        "int main(void) { int a = in, b = in; assume(a >= 0 && a < 40000 && b >= 0 && b < 40000); return a * b; }",
    );
    expect(NoOverflow, "true", "int main(void) { unsigned x = __VERIFIER_nondet_uint(); return (x + 1) > 0; }");
    twins(
        UnreachCall,
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); check(x + 1 > x); return 0; }",
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(); check(x + 1 > x || x == 4294967295u); return 0; }",
    );
    twins(
        Arithmetic,
        "int main(void) { int x = in; return 10 / x; }",
        "int main(void) { int x = in; return x ? 10 / x : 0; }",
    );
    twins(
        UnreachCall,
        "int main(void) { char c = __VERIFIER_nondet_char(); check(c + 1 > 0 || c < 0); char d = c + 1; check(d > c); return 0; }",
        "int main(void) { char c = __VERIFIER_nondet_char(); char d = c + 1; check(d > c || c == 127); return 0; }",
    );
}

#[test]
fn nested_loops() {
    let program = |test: &str| {
        format!(
            "int main(void) {{ int m[3][4], n = in, s = 0; assume(n >= 0 && n <= 3);
             for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) m[i][j] = i * 4 + j;
             for (int i = 0; i < n; i++) {{ for (int j = 0; j < 4; j++) {{ if (j == 2) continue; s += m[i][j]; }} if (i == 2) break; }}
             check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("s != 4 || n != 1"), &program("n != 1 || s == 4"));
}

#[test]
fn undefined_values_are_inputs() {
    expect(UnreachCall, "false", "int main(void) { int x; check(x != 12345); return 0; }");
    expect(
        UnreachCall,
        "false",
        "int main(void) { int a[4]; int i = in; assume(i >= 0 && i < 4); check(a[i] != 77); return 0; }",
    );
    expect(
        UnreachCall,
        "true",
        "int main(void) { int a[4]; int i = in; assume(i >= 0 && i < 4); check(a[i] == a[i]); return 0; }",
    );
    expect(ValidDeref, "false", "int main(void) { int *p; return *p; }");
    let large = |test: &str| {
        format!(
            "int main(void) {{ int *a = malloc(4000); int i = in, j = in; assume(i >= 0 && i < 1000 && j >= 0 && j < 1000);
             int x = a[i], y = a[j]; check({test}); free(a); return 0; }}"
        )
    };
    twins(UnreachCall, &large("x == y"), &large("i != j || x == y"));
}

#[test]
fn strings() {
    let program = |test: &str| {
        format!(
            "int main(void) {{ char s[6]; for (int i = 0; i < 5; i++) s[i] = __VERIFIER_nondet_char(); s[5] = 0;
             size_t n = strlen(s); check({test}); return 0; }}"
        )
    };
    twins(UnreachCall, &program("n < 5"), &program("n <= 5 && s[n] == 0 && (n == 0 || s[0] != 0)"));
    expect(ValidDeref, "false", "int main(void) { char s[3]; s[0] = 'a'; return strlen(s); }");
    expect(UnreachCall, "true", "int main(int argc, char **argv) { check(argc < 1 || argv[argc] == 0); return 0; }");
    expect(ValidDeref, "false", "int main(int argc, char **argv) { return argv[1][0]; }");
    expect(ValidDeref, "true", "int main(int argc, char **argv) { if (argc > 1) return argv[1][0]; return 0; }");
    expect(
        UnreachCall,
        "false",
        "int main(int argc, char **argv) { if (argc > 1) check(argv[1][0] != 'x' || argv[1][1] != 'y'); return 0; }",
    );
}

#[test]
fn reallocation() {
    let program = |at: &str| {
        format!(
            "int main(void) {{ int n = in; assume(n > 0 && n < 5); int *p = malloc(n * sizeof *p); p[0] = 42;
             p = realloc(p, 2 * n * sizeof *p); check(p[0] == 42); p[{at}] = 1; free(p); return 0; }}"
        )
    };
    twins(ValidDeref, &program("2 * n"), &program("2 * n - 1"));
    expect(UnreachCall, "true", &program("n"));
    expect(ValidFree, "true", &program("n"));
}

#[test]
fn addresses() {
    twins(
        UnreachCall,
        "int main(void) { int x, y; int *p = &x, *q = in ? &x : &y; check(p != q); return 0; }",
        "int main(void) { int x, y; int *p = &x, *q = &y; check(p != q && p && (q + 1) - q == 1); return 0; }",
    );
    expect(
        UnreachCall,
        "true",
        "int main(void) { int a[4]; size_t v = (size_t)&a[2]; check(*(int *)v == a[2] && v - (size_t)a == 8); return 0; }",
    );
    expect(ValidDeref, "false", "int main(void) { int *p = 0; if (in) p = malloc(4); *p = 1; free(p); return 0; }");
}

#[test]
fn structs_by_value() {
    let through_dots = |taken: &str| {
        format!(
            "struct s {{ long a[4]; }};
             int f(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); struct s x = __builtin_va_arg(l, struct s);
                {taken} check(x.a[0] == n); return 0; }}
             int main(void) {{ int n = in; struct s x = {{{{n}}}}; f(n, x, 3); check(x.a[0] == n); return 0; }}"
        )
    };
    let once = through_dots("x.a[0] = n + __builtin_va_arg(l, int) - 3;");
    twins(ValidDeref, &through_dots("x = __builtin_va_arg(l, struct s);"), &once);
    expect(UnreachCall, "true", &once);
    let named = |own: &str| {
        format!(
            "struct s {{ int a[6]; }}; int f(struct s x, int i) {{ x.a[i] = 7; return x.a[0]; }}
             int main(void) {{ struct s x = {{{{0}}}}; int i = in; assume(i >= 0 && i < 6); int r = f(x, i); check({own}); return 0; }}"
        )
    };
    twins(UnreachCall, &named("x.a[0] == r"), &named("x.a[0] == 0 && (r == 0 || i == 0)"));
}

#[test]
fn what_is_not_followed_is_no_proof() {
    let assembly =
        "int main(void) { int x = in; __asm__(\"incl %0\" : \"+r\"(x) : : \"memory\"); int a[4]; return a[x & 3]; }";
    assert_ne!(answer(assembly, ValidDeref), "true");
    assert_ne!(
        answer("int main(void) { unsigned i = in; while (i != 3) i++; check(i == 3); return 0; }", UnreachCall),
        "true"
    );
}
