//! Symbolic execution graphs against the interpreter: what a graph shows of a random program, no run with small inputs may contradict.
#![allow(clippy::unwrap_used)]

#[path = "graph_random/owned.rs"]
mod owned;
mod snippets;
#[path = "graph_random/trees.rs"]
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use belay_base::Budget;
use belay_engines::graph;
use belay_evidence::{Checker, Claim, Task};
use belay_interpreter::{Event, Interpreter, Observer, Snapshot};
use belay_ir::{DataModel, IntegerModel, Program, Property};
use belay_rules::Config;
use belay_symbolic::{
    AllocId, AllocKind, Allocation, Cases, Certified, Key, Pairing, State, Value, entry_key, instance,
};
use belay_testing::{abstract_state, with_zeros};
use snippets::{Numbered, Random};

/// A statement over the strings `s` and `t` of `n` and `m` bytes, their moving pointers `p` and `q`, an array `a` of `n` integers,
/// the list `l`, and the numbers `n`, `m`, `i`, `j`.
fn statement(random: &mut Random, depth: u32) -> String {
    let index = ["i", "j", "n - 1", "m - 1", "0", "n - 1 - i", "i + 1", "n / 2", "i % n"];
    let value = ["i", "n", "m - j", "a[0]", "7", "s[0]", "n * m", "i + j", "j - 1", "(unsigned char)(i * 50)", "p - s"];
    let condition =
        ["i < n", "j != 0", "i <= j", "*p", "a[0] > 2", "p < s + n", "p != s", "q - t < m", "i >= 0 && i < n"];
    let (x, v, c) = (random.pick(&index), random.pick(&value), random.pick(&condition));
    let move_pointer = random.pick(&["p++;", "q++;", "p = s;", "q = t;", "p--;", "p = s + i;", "q = p;", "p += 2;"]);
    if random.below(5) == 0 {
        return recursion(random);
    }
    match random.below(if depth == 0 { 14 } else { 21 }) {
        0 => format!("i = {v};"),
        1 => format!("j = {v};"),
        2 => format!("s[{x}] = {v};"),
        3 => format!("a[{x}] = {v};"),
        4 => move_pointer.to_owned(),
        5 => "*p = *q;".to_owned(),
        6 => format!("if ({c}) *p = {v};"),
        7 => "memcpy(t, s, m < n ? m : n);".to_owned(),
        8 => "i = strlen(s);".to_owned(),
        9 => format!("check({c});"),
        10 => format!("g = {v}; if (g > 3) i = g;"),
        11 => format!("h = malloc(sizeof *h); h->next = l; h->v = {v}; l = h;"),
        12 => "if (l) { h = l->next; free(l); l = h; }".to_owned(),
        13 => format!("for (h = l; h; h = h->next) {{ i += h->v; if ({c}) h->v = 1; }}"),
        14 => format!("if ({c}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1)),
        15 => format!("for (i = 0; i < n; i++) {{ {} }}", statement(random, depth - 1)),
        16 => format!("while (*p) {{ p++; {} }}", statement(random, depth - 1)),
        17 => format!("for (j = m; j > 0; j--) {{ {} }}", statement(random, depth - 1)),
        18 => format!("for (k = 0; k < 3; k++) {{ {} if ({c}) break; }}", statement(random, depth - 1)),
        19 => format!("i = f(i, j, p); {}", statement(random, depth - 1)),
        _ => format!("{} {}", statement(random, depth - 1), statement(random, depth - 1)),
    }
}

/// Functions that call themselves: on strings, arrays, numbers in memory and lists.
const RECURSIVE: &str = "
    int length(char *s) { if (!*s) return 0; return 1 + length(s + 1); }
    void fill(int *a, int n, int v) { if (n <= 0) return; a[n - 1] = v; fill(a, n - 1, v + g); }
    void copy(char *t, char *s, int n) { if (n == 0) return; *t = *s; copy(t + 1, s + 1, n - 1); }
    int down(int *p) { if (*p <= 0) { int v = *p; free(p); return v; } *p = *p - 1; return down(p); }
    int sum(int *a, int n) { int r = 0, *q = &r; if (n > 0) { *q = sum(a, n - 1); r += a[n - 1] & 3; } g = n; return r; }
    struct L *make(int n) { if (n <= 0) return 0; struct L *l = malloc(sizeof *l); l->v = n; l->next = make(n - 1); return l; }
    void drop(struct L *l) { if (!l) return; drop(l->next); free(l); }
    struct L *add(struct L *l, int v) { if (!l) { l = malloc(sizeof *l); l->v = v; l->next = 0; return l; }
      l->next = add(l->next, v); return l; }
    int odd(int n, int *p); int even(int n, int *p) { if (n <= 0) return *p; *p = n; return odd(n - 1, p); }
    int odd(int n, int *p) { if (n <= 0) return 1; return even(n - 1, p); }
    int some(char *s, int n) { for (int i = 0; i < n; i++) if (s[i] == 'a' && n > 1) return some(s, n - 1); return n; }";

fn recursion(random: &mut Random) -> String {
    let number = random.pick(&["i", "j", "n", "m", "3"]);
    let calls = [
        "i = length(p);".to_owned(),
        format!("fill(a, {number}, i);"),
        format!("copy(t, s, {number} < m ? {number} : m);"),
        format!("{{ int *x = malloc(sizeof(int)); *x = {number}; i = down(x); }}"),
        format!("i = sum(a, {number} <= n ? {number} : n);"),
        format!("drop(l); l = make({number});"),
        format!("l = add(l, {number});"),
        format!("i = even({number}, &j);"),
        format!("i = even({number}, a);"),
        format!("j = some(s, {number} < n ? {number} : n);"),
        format!("h = make({number}); i = h ? h->v : 0; drop(h);"),
    ];
    calls[random.below(calls.len() as u64) as usize].clone()
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random, 2)).collect();
    format!(
        "int g; struct S {{ short h; char b; int w; }}; struct L {{ struct L *next; int v; }};
         int f(int n, int m, char *p) {{ struct S v; v.h = n; v.w = m; v.b = 1; while (n < m) {{ n++; v.w--; }} return v.w + *p; }}
         {RECURSIVE}
         int main(void) {{ int n = (in & 7) + 1, m = (in & 7) + 1, i = 0, j = 0, k = 0;
         char *s = calloc(n, 1), *t = calloc(m, 1), *p = s, *q = t; int *a = calloc(n, sizeof(int));
         struct L *l = 0, *h = 0;
         for (i = 0; i < n - 1; i++) s[i] = 'a';
         i = in & 7;
         {}
         while (l) {{ h = l->next; free(l); l = h; }}
         free(s); free(t); free(a); return 0; }}",
        body.join("\n")
    )
}

/// A statement over the doubly linked list from `d` to `e`, the list from `f` to `g`, a place `x` in the first and `y` in the second.
fn list_statement(random: &mut Random, depth: u32) -> String {
    let condition =
        random.pick(&["i < n", "d", "e && e->v == 2", "x && x->prev", "f", "g && g->v", "d == e", "f != g"]);
    let value = random.pick(&["i", "2", "n", "(unsigned char)(i * 50)"]);
    match random.below(if depth == 0 { 17 } else { 21 }) {
        0 => format!(
            "{{ struct D *z = malloc(sizeof *z); z->v = {value}; z->prev = 0; z->next = d; if (d) d->prev = z; else e = z; d = z; }}"
        ),
        1 => format!(
            "{{ struct D *z = malloc(sizeof *z); z->v = {value}; z->next = 0; z->prev = e; if (e) e->next = z; else d = z; e = z; }}"
        ),
        2 => "if (e) { x = e->prev; if (x) x->next = 0; else d = 0; free(e); e = x; }".to_owned(),
        3 => "if (d) { x = d->next; if (x) x->prev = 0; else e = 0; free(d); d = x; }".to_owned(),
        4 => format!("for (x = e; x; x = x->prev) {{ i += x->v; if ({condition}) break; }}"),
        5 => "for (x = d; x; x = x->next) if (x->prev) x->prev->v = 1;".to_owned(),
        6 => format!("{{ struct L *z = malloc(sizeof *z); z->v = {value}; z->next = 0; if (g) g->next = z; else f = z; g = z; }}"),
        7 => format!("{{ struct L *z = malloc(sizeof *z); z->v = {value}; z->next = f; if (!f) g = z; f = z; }}"),
        8 => "if (f) { y = f->next; free(f); f = y; if (!f) g = 0; }".to_owned(),
        9 => "for (y = f; y && y != g; y = y->next) i++;".to_owned(),
        10 => format!("x = {};", random.pick(&["d", "e", "x ? x->prev : 0", "x ? x->next : d", "0"])),
        11 => "if (x && x->prev && x->next && x != d && x != e) { x->prev->next = x->next; x->next->prev = x->prev; free(x); x = d; }"
            .to_owned(),
        12 => format!("if (x) x->v = {value};"),
        13 => "if (g) g->v = 3;".to_owned(),
        14 => "{ struct L *z = calloc(1, sizeof *z); if (i > 3) z->next = all; else { drop(all); } all = z; }".to_owned(),
        15 => format!("{{ struct D *z = calloc(1, sizeof *z); z->v = {value}; z->prev = e; if (e) e->next = z; else d = z; e = z; }}"),
        16 => "for (y = all; y; y = y->next) i += y->v;".to_owned(),
        17 => format!("if ({condition}) {{ {} }} else {{ {} }}", list_statement(random, depth - 1), list_statement(random, depth - 1)),
        18 | 19 => format!("for (k = 0; k < n; k++) {{ {} x = d; y = f; }}", list_statement(random, depth - 1)),
        _ => format!("{} {}", list_statement(random, depth - 1), list_statement(random, depth - 1)),
    }
}

/// A program about lists that have two ends.
fn list_program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| list_statement(&mut random, 2)).collect();
    format!(
        "struct D {{ struct D *next, *prev; int v; }}; struct L {{ struct L *next; int v; }}; struct L *all;
         void drop(struct L *l) {{ while (l) {{ struct L *h = l->next; free(l); l = h; }} }}
         int main(void) {{ int n = in & 7, i = in & 7, k = 0;
         struct D *d = 0, *e = 0, *x = 0; struct L *f = 0, *g = 0, *y = 0;
         {}
         while (d) {{ x = d->next; free(d); d = x; }}
         while (f) {{ y = f->next; free(f); f = y; }}
         drop(all); return 0; }}",
        body.join("\n         ")
    )
}

/// A statement over the vector `v`, the text `b` of `room` bytes, and the queue `all` in a global struct.
fn buffer_statement(random: &mut Random, depth: u32) -> String {
    let condition = random.pick(&["i < n", "v.len == v.cap", "v.a", "all.first", "b", "v.len > 2", "all.count"]);
    let value = random.pick(&["i", "2", "n", "v.len", "room"]);
    let growth = random.pick(&["v.cap ? 2 * v.cap : 1", "v.cap + 3", "v.len + 1", "v.cap ? 2 * v.cap : 4"]);
    match random.below(if depth == 0 { 10 } else { 14 }) {
        0 | 1 => format!(
            "if (v.len == v.cap) {{ v.cap = {growth}; v.a = realloc(v.a, v.cap * sizeof(int)); }} v.a[v.len++] = {value};"
        ),
        2 => "if (v.len) { v.len--; i += v.a[v.len] & 1; }".to_owned(),
        3 => "free(v.a); v.a = 0; v.len = v.cap = 0;".to_owned(),
        4 => "for (int j = 0; j < v.len; j++) v.a[j] = j;".to_owned(),
        5 => format!("if (!b) {{ room = n + {}; b = malloc(room); b[0] = 0; }}", 1 + random.below(3)),
        6 => "if (b) { for (int j = 0; j < room; j++) b[j] = 'x'; b[room - 1] = 0; }".to_owned(),
        7 => "{ struct L *z = malloc(sizeof *z); z->v = i; z->next = 0; if (all.first) all.last->next = z; else all.first = z; all.last = z; all.count++; }"
            .to_owned(),
        8 => "if (all.first) { struct L *z = all.first; all.first = z->next; if (!all.first) all.last = 0; all.count--; free(z); }"
            .to_owned(),
        9 => format!("if ({condition}) {{ free(b); b = 0; room = 0; }}"),
        10 => format!("if ({condition}) {{ {} }} else {{ {} }}", buffer_statement(random, depth - 1), buffer_statement(random, depth - 1)),
        11 | 12 => format!("for (k = 0; k < n; k++) {{ {} }}", buffer_statement(random, depth - 1)),
        _ => format!("{} {}", buffer_statement(random, depth - 1), buffer_statement(random, depth - 1)),
    }
}

/// A program about buffers that are null, or grow.
fn buffer_program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| buffer_statement(&mut random, 2)).collect();
    format!(
        "struct L {{ struct L *next; int v; }}; struct {{ struct L *first, *last; int count; }} all;
         int main(void) {{ int n = in & 7, i = in & 7, k = 0, room = 0; char *b = 0;
         struct {{ int *a; int len, cap; }} v = {{0, 0, 0}};
         {}
         while (all.first) {{ struct L *h = all.first->next; free(all.first); all.first = h; }}
         free(v.a); free(b); return 0; }}",
        body.join("\n         ")
    )
}

/// A statement over the array `a` of `n` pointers, those in `t`, a global table of chains, and the pointers `p` and `q`.
fn array_statement(random: &mut Random, depth: u32) -> String {
    let at = random.pick(&["i", "k", "0", "n - 1", "n / 2", "(i + 1) % n", "n - 1 - k"]);
    let other = random.pick(&["i", "0", "n - 1", "k"]);
    let condition = random.pick(&["i < n", "a[0]", "p", "k > 1", "t[1]", "a[i] == p", "q == &x[0]"]);
    match random.below(if depth == 0 { 17 } else { 21 }) {
        0 | 1 => format!("if (!a[{at}]) a[{at}] = malloc(sizeof(int));"),
        2 => format!("free(a[{at}]); a[{at}] = 0;"),
        3 => format!("if (a[{at}]) *a[{at}] = 1;"),
        4 => format!("{{ int *z = a[{at}]; a[{at}] = a[{other}]; a[{other}] = z; }}"),
        5 => format!("p = a[{at}];"),
        6 => format!("a[{at}] = p;"),
        7 => format!("if (!a[{at}]) {{ a[{at}] = p; p = 0; }}"),
        8 => format!("{{ struct L *z = malloc(sizeof *z); z->v = i; z->next = t[{at} & 3]; t[{at} & 3] = z; }}"),
        9 => "if (t[k & 3]) { struct L *z = t[k & 3]; t[k & 3] = z->next; free(z); }".to_owned(),
        10 => format!("b[{at}] = &x[(unsigned){other} % 4];"),
        11 => format!("q = b[{at}]; if (q) *q = 2;"),
        12 => format!("if (!c[{at}]) {{ c[{at}] = malloc(i + 2); c[{at}][i + 1] = 0; c[{at}][0] = 0; }}"),
        13 => format!("if (c[{at}]) i = strlen(c[{at}]);"),
        14 => "a = realloc(a, (n + 1) * sizeof *a); a[n] = 0; b = realloc(b, (n + 1) * sizeof *b); b[n] = 0; c = realloc(c, (n + 1) * sizeof *c); c[n] = 0; n++;"
            .to_owned(),
        15 => "{ free(a[0]); memmove(a, a + 1, (n - 1) * sizeof *a); a[n - 1] = 0; }".to_owned(),
        16 => format!("if (p) *p = 3; {{ struct L *z; for (z = t[{other} & 3]; z; z = z->next) z->v = 1; }}"),
        17 => format!("if ({condition}) {{ {} }} else {{ {} }}", array_statement(random, depth - 1), array_statement(random, depth - 1)),
        18 | 19 => format!("for (k = 0; k < n; k++) {{ {} }}", array_statement(random, depth - 1)),
        _ => format!("{} {}", array_statement(random, depth - 1), array_statement(random, depth - 1)),
    }
}

/// A program about arrays of pointers: to blocks and strings of their own, to lists, to places in one object.
fn array_program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(3);
    let body: Vec<String> = (0..count).map(|_| array_statement(&mut random, 2)).collect();
    format!(
        "struct L {{ struct L *next; int v; }}; struct L *t[4]; int x[4];
         int main(void) {{ int n = (in & 7) + 2, i = in & 1, k = 0, *p = 0, *q = 0;
         int **a = calloc(n, sizeof *a), **b = malloc(n * sizeof *b); char **c = calloc(n, sizeof *c);
         for (k = 0; k < n; k++) b[k] = &x[k & 3];
         k = 0;
         {}
         for (k = 0; k < n; k++) free(a[k]);
         for (k = 0; k < n; k++) free(c[k]);
         for (k = 0; k < 4; k++) while (t[k]) {{ struct L *h = t[k]->next; free(t[k]); t[k] = h; }}
         free(a); free(b); free(c); return 0; }}",
        body.join("\n         ")
    )
}

/// A number of the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn check(seed: u64) -> usize {
    snippets::check_graph(seed, program(seed))
}

#[test]
fn no_run_contradicts_a_graph() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(60));
    let proved: usize = (first..first + count).map(check).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

/// Compares each state of a run at a cut point with the graph's.
struct Follows<'s> {
    program: &'s Program,
    states: &'s Cases,
    budget: &'s Budget,
    /// What activations of recursive functions were given, by the depth of their frame.
    given: BTreeMap<usize, Vec<Value>>,
    /// Blocks that were there when the activation began and that it was not given.
    others: BTreeMap<usize, BTreeSet<AllocId>>,
    seen: usize,
    outside: Option<String>,
}

impl Follows<'_> {
    /// The depth of the innermost activation of a recursive function.
    fn activation(&self, place: &Key) -> Option<usize> {
        let recursive = |depth: &usize| self.states.contains_key(&entry_key(place[*depth].0));
        (1..place.len()).rev().find(recursive)
    }

    fn compare(&mut self, state: &State) -> Option<Pairing> {
        let cases = self.states.get(&state.key())?;
        self.seen += 1;
        let within = |general, state: &State| {
            instance(general, state, IntegerModel::Machine, &mut Certified::new(self.budget)).unwrap()
        };
        let found = cases.iter().find_map(|general| within(general, state));
        let found = found.or_else(|| {
            let said = with_zeros(state);
            cases.iter().find_map(|general| within(general, &said))
        });
        if found.is_none() {
            self.outside.get_or_insert_with(|| format!("{state:#?}\nis not represented by one of\n{cases:#?}"));
        }
        found
    }
}

impl Observer for Follows<'_> {
    const EVENTS: bool = false;
    const STATES: bool = true;

    fn event(&mut self, _: belay_base::Span, _: usize, _: Event) {}

    fn wants(&self, place: &Key) -> bool {
        let depth = self.activation(place).unwrap_or(0);
        self.states.contains_key(&place[depth..])
    }

    fn on_block(&mut self, snapshot: &Snapshot) {
        let state = abstract_state(self.program, snapshot);
        let Some(depth) = self.activation(&state.key()) else {
            self.compare(&state);
            return;
        };
        let mut state = state.activation(depth);
        let key = state.key();
        if key == entry_key(state.frames[0].function) {
            if let Some(pairing) = self.compare(&state) {
                // Blocks of the callers that the activation is not given: of those its states say nothing.
                let is_given = |id: &AllocId| pairing.used.contains(id) || pairing.allocs.values().any(|own| own == id);
                let others = state.allocations.keys().filter(|id| !is_given(id)).copied();
                self.others.insert(depth, others.collect());
                self.given.insert(depth, self.states[&key][0].named_in(&pairing));
            }
            return;
        }
        let others = self.others.get(&depth).cloned().unwrap_or_default();
        let is_other = |id: &AllocId, known: &Allocation| known.kind == AllocKind::Heap && others.contains(id);
        state.allocations.retain(|id, known| !is_other(id, known));
        let left: BTreeSet<AllocId> = state.allocations.keys().copied().collect();
        state.cells.retain(|cell| !others.contains(&cell.alloc) || left.contains(&cell.alloc));
        state.forgot_block = false;
        state.given = self.given.get(&depth).cloned().unwrap_or_default();
        self.compare(&state);
    }

    fn on_step(&mut self) -> bool {
        self.outside.is_none()
    }
}

/// Theorem 10: whatever a run comes to at a cut point is represented by the graph's state there. Gives how many states were compared.
fn follow(seed: u64) -> usize {
    follow_source(seed, program(seed))
}

fn follow_source(seed: u64, source: String) -> usize {
    let (program, simplified) = snippets::compile(&source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(400_000_000);
    let Ok(explored) = graph::explore(&task, 2_000_000, &budget) else { return 0 };
    let interpreter = Interpreter::new(&simplified, Config::new(simplified.function_named("main").unwrap()));
    let mut seen = 0;
    for number in (0..512u64).step_by(23) {
        let mut follows = Follows {
            program: &simplified,
            states: explored.states(),
            budget: &budget,
            given: BTreeMap::new(),
            others: BTreeMap::new(),
            seen: 0,
            outside: None,
        };
        let mut inputs = Numbered { digits: number, undefined: Some(0) };
        interpreter.run_observed(&mut inputs, &mut follows, &Budget::steps(2_000));
        if let Some(outside) = follows.outside {
            panic!("seed {seed}, inputs {number:o}:\n{source}\n{outside}");
        }
        seen += follows.seen;
    }
    seen
}

#[test]
fn every_run_is_a_path_of_the_graph() {
    // 4631: a state that speaks of a byte beside its object. 80250 and 80585: places in arrays of which
    // no more than bounds are known.
    let seen: usize = (0..150).chain([4631, 80250, 80585]).map(follow).sum();
    println!("{seen} states compared");
    assert!(seen > 5_000, "only {seen} states compared");
}

#[test]
fn no_run_contradicts_a_graph_of_lists() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(60));
    let proved: usize = (first..first + count).map(|seed| snippets::check_graph(seed, list_program(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

#[test]
fn every_run_is_a_path_of_a_graph_of_lists() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(60u64));
    let seen: usize = (first..first + count).map(|seed| follow_source(seed, list_program(seed))).sum();
    println!("{seen} states compared");
    assert!(seen as u64 > 10 * count, "only {seen} states compared");
}

/// `BELAY_SEED`, `BELAY_PROGRAMS`: which programs. Every miss is told, with its program.
#[test]
#[ignore = "takes minutes"]
fn every_run_is_a_path_of_ten_thousand_graphs() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(300), number("BELAY_PROGRAMS").unwrap_or(10_000u64));
    let next = AtomicU64::new(first);
    let (seen, graphs, misses) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            match std::panic::catch_unwind(|| follow(seed)) {
                Ok(found) => {
                    seen.fetch_add(found, Ordering::Relaxed);
                    graphs.fetch_add(usize::from(found > 0), Ordering::Relaxed);
                }
                Err(_) => drop(misses.fetch_add(1, Ordering::Relaxed)),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let (seen, graphs, misses) = (seen.into_inner(), graphs.into_inner(), misses.into_inner());
    println!("{count} programs, {graphs} graphs, {seen} states compared, {misses} misses");
    assert!(misses == 0 && graphs as u64 > count / 2, "{misses} misses, {graphs} graphs of {count} programs");
}

#[test]
fn no_run_contradicts_a_graph_with_buffers() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(20));
    let proved: usize = (first..first + count).map(|seed| snippets::check_graph(seed, buffer_program(seed))).sum();
    let seen: usize = (first..first + count).map(|seed| follow_source(seed, buffer_program(seed))).sum();
    println!("{proved} properties shown of {count} programs, {seen} states compared");
    assert!(proved as u64 > count && seen > 0, "{proved} properties shown of {count} programs, {seen} states compared");
}

#[test]
fn no_run_contradicts_a_graph_with_arrays_of_pointers() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(12));
    let proved: usize = (first..first + count).map(|seed| snippets::check_graph(seed, array_program(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
    let seen: usize = (first..first + count).map(|seed| follow_source(seed, array_program(seed))).sum();
    assert!(seen > 0, "no state was compared");
}

/// Elements that are said to be more, or to be others, than the program made.
#[test]
fn a_certificate_with_other_elements_is_rejected() {
    let source = "int main(void) { int n = (in & 7) + 1; int **a = malloc(n * sizeof *a);
                  for (int i = 0; i < n; i++) { a[i] = malloc(sizeof(int)); } for (int i = 0; i < n; i++) *a[i] = 1;
                  for (int i = 0; i < n; i++) free(a[i]); free(a); return 0; }";
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let explored = graph::explore(&task, 2_000_000, &budget).unwrap();
    let proof = graph::claim(&task, &explored, Property::ValidMemtrack, 500_000, &budget).proof().unwrap();
    let belay_evidence::Proof::Graph(certificate) = proof else { panic!() };
    let confirm = |certificate: &belay_evidence::GraphCertificate| {
        let proof = belay_evidence::Proof::Graph(Box::new(certificate.clone()));
        Checker::new(&task, &Budget::steps(200_000)).check(Claim::proof(Property::ValidMemtrack, proof)).is_ok()
    };
    assert!(confirm(&certificate));
    let spoil = |change: &dyn Fn(&mut belay_symbolic::ArrayRange)| {
        let mut spoilt = (*certificate).clone();
        let ranges = spoilt.states.values_mut().flatten().flat_map(|state| &mut state.ranges);
        assert!(ranges.map(change).count() > 0, "elements are known");
        confirm(&spoilt)
    };
    assert!(!spoil(&|range| range.to = range.to.plus_constant(&8i64.into())), "one element more");
    assert!(!spoil(&|range| range.from = range.from.plus_constant(&8i64.into())), "one element fewer");
    assert!(!spoil(&|range| range.content = belay_symbolic::Content::Same(Value::Null)), "no blocks");
    assert!(!spoil(&|range| range.width = 0), "no width");
    let mut forgotten = (*certificate).clone();
    forgotten.states.values_mut().flatten().for_each(|state| state.ranges.clear());
    assert!(!confirm(&forgotten), "blocks that nobody knows of");
}

#[test]
fn a_certificate_without_one_of_its_cases_is_rejected() {
    let source = "int main(void) { int *a = 0, len = 0, cap = 0; for (int i = 0; i < (in & 7); i++) {
                  if (len == cap) { cap += 4; a = realloc(a, cap * sizeof(int)); } a[len++] = i; } free(a); return 0; }";
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let explored = graph::explore(&task, 2_000_000, &budget).unwrap();
    let proof = graph::claim(&task, &explored, Property::ValidDeref, 500_000, &budget).proof().unwrap();
    let belay_evidence::Proof::Graph(certificate) = proof else { panic!() };
    let confirm = |certificate: &belay_evidence::GraphCertificate| {
        let proof = belay_evidence::Proof::Graph(Box::new(certificate.clone()));
        Checker::new(&task, &Budget::steps(50_000)).check(Claim::proof(Property::ValidDeref, proof)).is_ok()
    };
    assert!(confirm(&certificate));
    let most = certificate.states.values().map(Vec::len).max().unwrap();
    assert!(most > 1, "null and a block are two cases");
    for case in 0..most {
        let mut spoilt = (*certificate).clone();
        for cases in spoilt.states.values_mut().filter(|cases| cases.len() == most) {
            cases.remove(case);
        }
        assert!(!confirm(&spoilt), "without case {case} a run is not represented");
    }
}

#[test]
fn a_spoilt_certificate_is_rejected() {
    let source = "int main(void) { int n = in; if (n < 1) n = 1; char *s = malloc(n); s[n - 1] = 0; char *p = s;
                  while (*p) p++; free(s); return 0; }";
    let (program, mut simplified) = snippets::compile(source, DataModel::Lp64);
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).unwrap();
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let explored = graph::explore(&task, 2_000_000, &budget).unwrap();
    let proof = graph::claim(&task, &explored, Property::ValidDeref, 500_000, &budget).proof().unwrap();
    let belay_evidence::Proof::Graph(certificate) = proof else { panic!() };
    let confirm = |spoilt: belay_evidence::GraphCertificate| {
        Checker::new(&task, &Budget::steps(50_000))
            .check(Claim::proof(Property::ValidDeref, belay_evidence::Proof::Graph(Box::new(spoilt))))
            .is_ok()
    };
    assert!(confirm((*certificate).clone()));
    let mut claims_too_much = (*certificate).clone();
    for state in claims_too_much.states.values_mut().flatten() {
        let opposite = state.knowledge.constraints.iter().map(|known| {
            let mut opposite = known.clone();
            opposite.expr = known.expr.negated();
            opposite
        });
        let opposites: Vec<_> = opposite.collect();
        state.knowledge.constraints.extend(opposites);
    }
    assert!(!confirm(claims_too_much), "a constraint that does not hold");
    let mut knows_too_little = (*certificate).clone();
    knows_too_little.states.values_mut().flatten().for_each(|state| state.knowledge.constraints.clear());
    assert!(!confirm(knows_too_little), "without the bounds the access is not shown");
    let mut empty = (*certificate).clone();
    empty.states.clear();
    assert!(!confirm(empty), "without cut points execution does not end");
}
