//! Random programs about what recursive functions are given and what endless runs lose: what is proved of them, no run with small inputs
//! may contradict.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_engines::graph;
use belay_engines::kiki::{self, Options};
use belay_evidence::{Checker, Claim, Task};
use belay_ir::{DataModel, Property};
use belay_rules::Config;
use snippets::Random;

/// The numbers of the programs: `BELAY_SEED`, `BELAY_PROGRAMS`.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("BELAY_SEED").unwrap_or(0);
    first..first + number("BELAY_PROGRAMS").unwrap_or(count)
}

fn random(seed: u64) -> Random {
    Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// A function that is given stack objects and heap blocks, some of which are freed through pointers that are not known.
fn freed_argument(seed: u64) -> String {
    let mut random = random(seed);
    let statements = [
        "free(tab[k & 1]);",
        "if (k == n) free(tab[n & 1]);",
        "if (k == n) { free(tab[n & 1]); tab[n & 1] = 0; }",
        "*p = n;",
        "if (k == n) *p = 1;",
        "g = p;",
        "if (g) *g = 2;",
        "if (k == n) g = 0;",
        "if (k == n) tab[n & 1] = 0;",
        "if (k == n) free(p);",
        "tab[k & 1] = realloc(tab[k & 1], 8);",
        "",
    ];
    let calls = [
        "return f(p, n - 1, k);",
        "f(p, n - 1, k); *p = n; return 1;",
        "{ int y = 0; int r = f(&y, n - 1, k); return r + y; }",
        "{ int *q = malloc(4); *q = 1; f(q, n - 1, k); free(q); return 0; }",
        "{ int *q = malloc(4); *q = 1; tab[1] = q; f(q, n - 1, k); *q = 3; return 0; }",
        "return f(g ? g : p, n - 1, k);",
    ];
    let ends = ["*p = 2;", "x = 2;", "free(p);", "free(tab[0]);", "p = 0;", "if (g) *g = 1;", "free(g);", ""];
    let mut some = |from: &[&'static str]| random.pick(from);
    let (first, second, call) = (some(&statements), some(&statements), some(&calls));
    let (kept, end, last) = (some(&["g = p;", "tab[in & 1] = p;", "tab[0] = p;", "g = &x;"]), some(&ends), some(&ends));
    format!(
        "int *tab[2], *g;
         int f(int *p, int n, int k) {{ if (n <= 0) {{ {first} return 0; }} {second} {call} }}
         int main(void) {{ int x = 0, n = in & 3, k = in & 3; f(&x, 1, 9); int *p = malloc(4); *p = 0; {kept}
         f(p, n, k); {end} {last} return 0; }}"
    )
}

/// A recursive function that may go on for ever, and in which the last pointer to a block may go.
fn lost_block(seed: u64) -> String {
    let mut random = random(seed);
    let statements = [
        "if (k == n) g = 0;",
        "g = h;",
        "h = g;",
        "if (n == k) { free(g); g = 0; }",
        "{ int *q = malloc(4); if (k == 2) g = q; else free(q); }",
        "{ int *q = malloc(4); *q = k; if (k != 3) free(q); }",
        "if (k == n) h = 0;",
        "k ^= 1;",
        "",
        "",
    ];
    let stays = [
        "for (;;) { }",
        "while (k) { }",
        "if (k == 2) for (;;) k = 3 - k;",
        "if (k > 2) f(k, k + 1);",
        "if (k == 1) exit(0);",
        "assume(k);",
        "n = 6 / k;",
        "",
    ];
    let mut some = |from: &[&'static str]| random.pick(from);
    let (before, at_end, stay) = (some(&statements), some(&statements), some(&stays));
    let (first, second) = (some(&statements), some(&statements));
    let (kept, after) = (some(&["h = g;", ""]), some(&["free(g);", "free(h);", "free(g); if (h != g) free(h);", ""]));
    format!(
        "int *g, *h;
         void f(int n, int k) {{ {before} if (n <= 0) {{ {at_end} {stay} return; }} {first} f(n - 1, k); {second} }}
         int main(void) {{ int n = in & 3, k = in & 3; g = malloc(4); {kept} f(n, k); {after} return 0; }}"
    )
}

/// Blocks whose only pointers stand in objects that end: arrays of variable length, locals, blocks that are freed or moved, by a pointer that is known or not.
fn ended_holder(seed: u64) -> String {
    let mut random = random(seed);
    let statements = [
        "{ int *a[k + 1]; a[0] = malloc(4); a[k] = h; if (n == 1) g = a[0]; }",
        "{ int *a[2]; a[0] = malloc(4); a[1] = g; if (k != n) g = a[0]; }",
        "tab[k & 1] = malloc(sizeof(int *)); if (tab[k & 1]) *tab[k & 1] = malloc(4);",
        "if (tab[0]) *tab[0] = g;",
        "if (tab[n & 1]) free(*tab[n & 1]);",
        "free(tab[k & 1]); tab[k & 1] = 0;",
        "free(tab[k & 1]);",
        "tab[0] = realloc(tab[0], 16);",
        "tab[n & 1] = realloc(tab[n & 1], 8 + n);",
        "g = malloc(4);",
        "free(g); g = 0;",
        "if (k == n) g = 0;",
        "h = g;",
        "if (h == g) h = 0;",
        "{ int **q = tab[0]; tab[0] = tab[1]; tab[1] = q; }",
        "",
    ];
    let stays = [
        "for (;;) { }",
        "while (k) { }",
        "for (int i = 0; i < n; i++) { int *a[i + 1]; a[i] = g; }",
        "exit(0);",
        "",
        "",
    ];
    let mut some = |from: &[&'static str]| random.pick(from);
    let (first, second, third) = (some(&statements), some(&statements), some(&statements));
    let (inside, again, stay) = (some(&statements), some(&statements), some(&stays));
    let last = some(&["free(g);", "free(tab[0]); free(tab[1]);", "free(g); free(tab[0]);", ""]);
    let loops = some(&["if (k)", "for (int i = 0; i < k; i++)", "while (k-- > 0)"]);
    format!(
        "int *g, *h, **tab[2];
         int main(void) {{ int n = in & 3, k = in & 3; {first} {second} {loops} {{ {inside} {again} }} {third} {stay} {last} return 0; }}"
    )
}

/// A loop that nothing leaves but an invalid access.
fn left_by_fault(seed: u64) -> String {
    let mut random = random(seed);
    let faults = [
        "a[i] = 1;",
        "s += a[i];",
        "if (i > 3) *p = i;",
        "free(p);",
        "p = 0;",
        "memset(a, 0, i);",
        "memcpy(a, b, i);",
        "s += strlen(t);",
        "p = realloc(p, i);",
        "p++; *p = 3;",
        "t[i] = 0; s += t[0];",
        "if (s) i = a[i]; else i++;",
        "l = l->next;",
        "h = pp[i]; s += h == p;",
        "call[i]();",
        "down(t, i);",
        "i += 2;",
        "i++;",
        "s ^= 1;",
    ];
    let body: Vec<&str> = (0..1 + random.below(4)).map(|_| random.pick(&faults)).collect();
    let head = random.pick(&["for (;;)", "while (1)", "do", "for (i = 0;; i++)"]);
    let tail = if head == "do" { "while (1);" } else { "" };
    format!(
        "int g, *pp[4]; struct L {{ struct L *next; }}; void one(void) {{ g = 1; }} void (*const call[2])(void) = {{ one, one }};
         int down(char *t, int i) {{ if (i <= 0) return 0; t[i] = 1; return down(t, i - 1); }}
         int main(void) {{ int a[4] = {{0}}, b[4] = {{1}}, i = in & 7, s = in & 1, *p = malloc(4), *h; char t[3] = {{1, 1, in & 1}};
         struct L m, *l = &m; m.next = 0; *p = 1;
         {head} {{ {} }} {tail} return s; }}",
        body.join(" ")
    )
}

#[test]
fn arguments_that_are_freed() {
    let seeds = seeds(150);
    let count = seeds.end - seeds.start;
    let proved: usize = seeds.map(|seed| snippets::check_graph(seed, freed_argument(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

#[test]
fn blocks_lost_in_runs_that_need_not_end() {
    let seeds = seeds(150);
    let count = seeds.end - seeds.start;
    let proved: usize = seeds.map(|seed| snippets::check_graph(seed, lost_block(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

#[test]
fn blocks_held_by_what_ends() {
    let seeds = seeds(60);
    let count = seeds.end - seeds.start;
    let proved: usize = seeds.map(|seed| snippets::check_graph(seed, ended_holder(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved > 0, "only {proved} properties shown of {count} programs");
}

#[test]
#[ignore = "thousands of programs: minutes"]
fn many_blocks_held_by_what_ends() {
    for seed in seeds(2000) {
        snippets::check_graph(seed, ended_holder(seed));
    }
}

/// Whether an engine takes the program to end, as far as a checker believes it.
fn ends(source: &str) -> bool {
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(4_000_000);
    let confirmed = |proof| Checker::new(&task, &budget).check(Claim::proof(Property::Termination, proof)).is_ok();
    if let Ok(explored) = graph::explore(&task, 1_000_000, &budget)
        && let Some(proof) = graph::claim(&task, &explored, Property::Termination, 300_000, &budget).proof()
        && confirmed(proof)
    {
        return true;
    }
    kiki::rank(&task, Options::default(), &Budget::steps(30_000)).proof().is_some_and(confirmed)
}

#[test]
fn loops_that_only_an_invalid_access_leaves() {
    for seed in seeds(100) {
        let source = left_by_fault(seed);
        assert!(!ends(&source), "seed {seed}: termination does not hold of\n{source}");
    }
}

/// The same loops with an end of their own are proved, whether or not their accesses are valid.
#[test]
fn loops_that_end_whatever_they_access() {
    let ending = |seed: u64| {
        left_by_fault(seed).replace("for (;;)", "for (int e = 0; e < 9; e++)").replace("while (1)", "while (g++ < 9)")
    };
    let proved = seeds(40).filter(|seed| ends(&ending(*seed))).count();
    println!("{proved} programs end");
    assert!(proved > 10, "only {proved} programs are shown to end");
}
