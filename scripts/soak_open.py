#!/usr/bin/env python3
"""Random programs about what the heap and the library leave open: Belay's answers against native runs with every input.

    scripts/soak_open.py BELAY [--count 100] [--seed 1] [--area realloc,callbacks,library,results,recursion] [--engines E] [--keep DIR]

A program has two inputs of three bits, so that 64 runs are all. They are made natively under AddressSanitizer (leaks included) and UBSan, each in a process of its own. What one of them
violates must not be `true`. (What Belay calls `false` and no native run shows may be a choice of the library that this one does not make: it is counted, not judged.)
Programs that disagree are kept. Exits with 1 if any does.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

CLANG = os.environ.get("BELAY_CLANG", "clang-22")
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int program(void);
int __lsan_do_recoverable_leak_check(void);
static unsigned digits;
unsigned char __VERIFIER_nondet_uchar(void) { unsigned char digit = digits & 7; digits >>= 3; return digit; }
void __VERIFIER_assert(int holds) { if (!holds) _exit(71); }
static __attribute__((noinline)) void clear(void) { volatile char space[4096]; for (int i = 0; i < 4096; i++) space[i] = 0; }
static __attribute__((noinline)) void run(void) { program(); clear(); }
int main(void) {
    for (unsigned number = 0; number < 64; number++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            digits = number;
            alarm(5);
            run();
            clear();
            _exit(__lsan_do_recoverable_leak_check() ? 73 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status));
    }
    return 0;
}
"""

START = """
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assert(int);
#define check __VERIFIER_assert
static int *keep, *tab[3], g;
"""

AREAS = {
    "realloc": (
        "",
        "int *p = malloc(8), *q = p, *r; p[0] = i; p[1] = k;",
        [
            "r = realloc(p, 4 * (i + 1)); p = r;", "r = realloc(p, 4); p = r;", "p = realloc(p, 16); p[3] = k;",
            "q = p;", "keep = p;", "p[0] = 3;", "p[i & 1] = k;", "p[i] = 1;", "q[0] = 4;", "if (p == q) q[1] = 5;",
            "if (p != q) p[0] = 6;", "if (p == q) { p = realloc(p, 8); q = p; }", "free(q); q = p = malloc(8); p[0] = 0; p[1] = 1;",
            "if (keep) keep[0] = 2;", "keep = 0;", "k = p[0];", "k = p[1];", "check(p[0] == i || p[0] < 7);", "check(p == q);",
            "tab[0] = realloc(tab[0], 4); tab[0][0] = k;", "{ int *s = realloc(0, 8); s[1] = k; free(s); }",
            "for (int j = 0; j < i; j++) { p = realloc(p, 4 * (j + 2)); p[j + 1] = j; }",
        ],
        ["free(p);", "free(q);", "free(p); free(tab[0]);", "if (p == q) free(p); else free(q);", "free(p); check(k < 8);", ""],
    ),
    "callbacks": (
        """static int calls, base[4];
static int up(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; calls++; return (x > y) - (x < y); }
static int down(const void *a, const void *b) { return up(b, a); }
static int noting(const void *a, const void *b) { keep = (int *)a; return up(a, b); }
static int counting(const void *a, const void *b) { g += 1; base[g & 3] = g; return up(a, b); }
static void each(int *p, int n, void (*f)(int *, int), int v) { for (int j = 0; j < n; j++) f(p + j, v); }
static void put(int *p, int v) { *p = v; }
static void hold(int *p, int v) { tab[v & 1] = p; }
static void drop(int *p, int v) { if (*p == v) { free(tab[2]); tab[2] = 0; } }
""",
        "int t[4] = {i, 3, k, 1}, w = 2, *p; int (*c)(const void *, const void *) = up; tab[2] = malloc(4); *tab[2] = 7;",
        [
            "c = down;", "c = noting;", "c = counting;", "if (i == 5) c = 0;", "qsort(t, 4, sizeof *t, c);", "qsort(t, i & 3, sizeof *t, c);", "qsort(t, i, sizeof *t, up);",
            "p = bsearch(&w, t, 4, sizeof *t, up); if (p) *p = 2;", "p = bsearch(&k, t, 4, sizeof *t, up); check(p == 0 || *p == k);", "p = bsearch(&w, t, 4, sizeof *t, up); w = *p;",
            "each(t, 4, put, k);", "each(t, i & 3, hold, k);", "each(t, i, put, 1);", "each(t, 3, drop, 3);", "if (keep) w = *keep;", "if (tab[0]) *tab[0] = 9;", "*tab[2] = 1;",
            "check(t[0] <= t[3]);", "check(calls < 9);", "check(calls == 0);", "check(g == 0);", "check(t[0] == i);", "{ int u[2] = {k, i}; qsort(u, 2, sizeof *u, noting); }",
        ],
        ["free(tab[2]);", "check(t[1] >= t[0]); free(tab[2]);", "if (keep) w += *keep; free(tab[2]);", "check(w == 2); free(tab[2]);", ""],
    ),
    "library": (
        "static char text[8] = \"abc\", other[8];\nstatic const char *names[3] = {\"ab\", \"abc\", \"c\"};\n",
        "char line[6] = \"xy\"; int n = 0;",
        [
            "n = strcmp(text, names[i % 3]);", "n = memcmp(text, line, i & 3);", "check(n <= 1 && n >= -1);", "check(n == 0 || n != 0);", "if (n < 0) text[0] = 'z';", "strcpy(line, text);",
            "strcpy(line, names[i % 3]);", "strcat(line, names[k % 3]);", "strncpy(line, text, i);", "snprintf(line, sizeof line, \"%d\", k * 1000);", "snprintf(line, i, \"%s\", text);",
            "sprintf(line, \"%s%d\", names[k % 3], i);", "sprintf(text, \"%s!\", line);", "n = snprintf(line, 6, \"%s%s\", text, names[1]);", "n = (int)strlen(line);", "memset(line, 'q', i);",
            "memcpy(other, text, i + 1);", "memmove(text + 1, text, i & 3);", "{ char *s = strchr(line, 'y'); if (s) *s = 0; }", "{ char *s = strchr(line, 'q'); *s = 1; }", "{ char *d = strdup(line); d[strlen(d)] = 0; free(d); }",
            "{ char *d = strdup(text); n = d[i]; free(d); }", "check(strlen(line) < 6);", "check(n < 6);", "check(names[1] + 1 != names[0]);", "line[n & 7] = 1;", "srand(3); n = rand() & 3; srand(3); check(n == (rand() & 3));",
            "n = atoi(text);", "{ char *end; n = (int)strtol(names[i % 3], &end, 16); n = *end; }", "check(text[0] == 'a');",
        ],
        ["", "check(line[0] != 0);", "puts(line);"],
    ),
    "results": (
        """struct s { int n; int *p; char *text; };
static int get(int **out, int n) { if (n > 4) return -1; *out = n > 2 ? &g : malloc(4); **out = n; return 0; }
static int fill(struct s *s, int n) { if (n == 3) return 0; s->n = n; s->p = malloc(4 * (n + 1)); s->p[n] = 1; return 1; }
static struct s make(int n) { struct s s = {n, n & 1 ? malloc(4) : 0, 0}; if (s.p) *s.p = n; return s; }
static int *local(int n, int *p) { int x = n; return n == 6 ? &x : p; }
static void both(int *a, int *b) { *a = 1; *b = 2; check(*a == 1); }
static void drop(struct s *s) { free(s->p); s->p = 0; }
""",
        "int x = 1, y = 2, *o = 0; struct s a = {0}, b;",
        [
            "get(&o, i);", "if (get(&o, k) == 0) x = *o;", "x = *o;", "if (o) *o = 3;", "if (o && o != &g) { free(o); o = 0; }", "free(o);", "fill(&a, i);", "if (fill(&a, i)) drop(&a);", "if (a.p) a.p[0] = k;", "x = a.p[a.n];",
            "drop(&a);", "a = make(k);", "b = make(i); drop(&b);", "b = a; drop(&b);", "o = local(i, &x);", "both(&x, &y);", "both(&x, i == 2 ? &x : &y);", "both(a.p ? a.p : &x, &y);", "keep = o;", "if (keep) y = *keep;", "check(x == 1);", "check(y < 3);", "check(g == 0);",
        ],
        ["drop(&a);", "free(a.p);", "drop(&a); if (o && o != &g && o != &x) free(o);", "if (a.p) x = a.p[0]; drop(&a);", ""],
    ),
    "recursion": (
        "",
        "int x = 0, *p = malloc(4); *p = k; tab[0] = i & 1 ? p : &x;",
        [
            "f(p, i, k);", "f(&x, i & 3, k);", "f(p, 1, 9);", "keep = p;", "tab[1] = p;", "*p = 3;", "x = *tab[0];", "if (keep) *keep = 1;", "keep = &x;", "check(x < 9);", "check(*p < 8);", "tab[1] = 0;",
        ],
        ["free(p);", "free(p); free(tab[2]);", "if (tab[1]) free(tab[1]);", "*p = 2; free(p);", ""],
    ),
}

STEPS = ["*p = n;", "if (n == k) free(tab[1]);", "if (n == k) { free(p); return 1; }", "keep = p;", "if (keep) *keep = n;", "tab[n % 3] = p;", "if (n == k) tab[1] = 0;", "g += n;", "if (n == 2) tab[2] = malloc(4);", ""]
CALLS = ["return f(p, n - 1, k);", "{ int y = n; int r = f(&y, n - 1, k); return r + y; }", "f(p, n - 1, k); return *p;", "{ int *q = malloc(4); *q = n; f(q, n - 1, k); free(q); return 0; }", "return f(keep ? keep : p, n - 1, k);", "{ int *q = malloc(4); *q = n; tab[1] = q; int r = f(q, n - 1, k); return r + *q; }"]


def make(area, seed):
    """One program."""
    r = random.Random(f"{area} {seed}")
    before, start, statements, ends = AREAS[area]
    if area == "recursion":
        before = f"static int f(int *p, int n, int k) {{ if (n <= 0) {{ {r.choice(STEPS)} return *p; }} {r.choice(STEPS)} {r.choice(CALLS)} }}\n"
    body = "\n".join("    " + r.choice(statements) for _ in range(r.randint(2, 6)))
    return f"{START}{before}\nint main(void) {{\n    int i = __VERIFIER_nondet_uchar() & 7, k = __VERIFIER_nondet_uchar() & 7;\n    {start}\n{body}\n    {r.choice(ends)}\n    return 0;\n}}\n"


def violated(source, folder):
    """What native runs violate; nothing if some run is none that C gives a meaning to here."""
    (folder / "program.c").write_text(source)
    (folder / "harness.c").write_text(HARNESS)
    flags = ["-O0", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fsanitize-address-use-after-return=always"]
    for name, more in (("program", ["-Dmain=program"]), ("harness", [])):
        subprocess.run([CLANG, *flags, *more, "-c", f"{name}.c", "-o", f"{name}.o"], cwd=folder, check=True)
    subprocess.run([CLANG, *flags, "program.o", "harness.o", "-o", "native"], cwd=folder, check=True)
    options = {"ASAN_OPTIONS": "exitcode=72:detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=0", "UBSAN_OPTIONS": "exitcode=74", "LSAN_OPTIONS": "use_stacks=0:use_registers=0:exitcode=0", "PATH": "/usr/bin:/bin"}
    run = subprocess.run(["./native"], cwd=folder, env=options, capture_output=True, text=True, timeout=300)
    found = collections.Counter()
    for code in run.stdout.split():
        kind = {"71": "unreach-call", "72": "memory", "73": "valid-memtrack", "74": "undefined"}.get(code)
        if kind:
            found[kind] += 1
        elif code != "0" and code.isdigit() and int(code) > 100:
            found["memory"] += 1
    return found


def ask(belay, source, folder, engines):
    (folder / "ask.c").write_text(source)
    command = [belay, "check", "--format", "json", "--threads", "1", "--time-limit", "3", *(["--engines", engines] if engines else []), "--property", "valid-deref,valid-free,valid-memtrack,unreach-call", "ask.c"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    results = json.loads(answer.stdout)["results"]
    return {result["property"]: result["verdict"] for result in results}


def contradiction(verdicts, native):
    """A property that is said to hold though a native run violates it."""
    memory_holds = verdicts.get("valid-deref") == "true" and verdicts.get("valid-free") == "true"
    if native["memory"] and memory_holds:
        return "memory safety"
    # Assertions and leaks behind an invalid access are no matter of the others.
    if native["unreach-call"] and verdicts.get("unreach-call") == "true" and not native["memory"] and not native["undefined"]:
        return "unreach-call"
    if native["valid-memtrack"] and verdicts.get("valid-memtrack") == "true" and not native["memory"]:
        return "valid-memtrack"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("belay")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", default=",".join(AREAS))
    parser.add_argument("--engines", default="")
    parser.add_argument("--keep", default="soak-open")
    given = parser.parse_args()
    belay = str(pathlib.Path(given.belay).resolve())
    wrong = 0
    for area in given.area.split(","):
        counts = collections.Counter()
        for seed in range(given.seed, given.seed + given.count):
            source = make(area, seed)
            with tempfile.TemporaryDirectory(prefix="belay-open-") as name:
                native = violated(source, pathlib.Path(name))
                verdicts = ask(belay, source, pathlib.Path(name), given.engines)
            counts.update(verdicts.values())
            counts["violated natively"] += bool(native)
            counts["false, not seen natively"] += "false" in verdicts.values() and not native
            what = contradiction(verdicts, native)
            if what:
                wrong += 1
                keep = pathlib.Path(given.keep)
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{area}-{seed}.c").write_text(source)
                print(f"{area} {seed}: {what} is called true, natively {dict(native)}", flush=True)
        print(f"{area}: {given.count} programs, {dict(sorted(counts.items()))}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
