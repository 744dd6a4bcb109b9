//! Maps of values against the interpreter: what a map shows of a random program, no run with small inputs may contradict; and a map that says less than the
//! steps of the program give is refused.
#![allow(clippy::unwrap_used)]

mod snippets;

use std::sync::Arc;

use belay_base::Budget;
use belay_evidence::{Checker, Claim, Proof, Task};
use belay_ir::{DataModel, IntPredicate, Program, Property};
use belay_rules::Config;
use belay_values::{Link, Range, Value, ValueMap, judge, search};
use snippets::{Random, compile, violated};

/// The numbers of the programs: `BELAY_SEED`, `BELAY_PROGRAMS`.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("BELAY_SEED").unwrap_or(0);
    first..first + number("BELAY_PROGRAMS").unwrap_or(count)
}

/// What the random programs share: objects of several kinds, and functions that change them by other names.
const OBJECTS: &str = "
struct s { int x; int *p; short h[4]; };
union u { int n; short h[2]; unsigned char c[4]; } un = {7};
static int a[4] = {1, 2, 3, 4}, b[4], g, *gp = &g;
static struct s s = {3, &g, {1, 2, 3, 4}}, t;
static unsigned char buf[16];
static int twice(int v) { return v * 2; }
static int next(int v) { g = v; return v + 1; }
static int (*fp)(int) = twice;
static void set(int *p, int v) { *p = v; }
static void out(int **o, int *p) { *o = p; }
static int *same(int *p) { return p; }
static int sum(struct s v) { v.x += 1; return v.x + v.h[1]; }
static struct s with(struct s v, int *p) { v.p = p; return v; }
static void each(int *p, int n, int (*f)(int)) { for (int i = 0; i < n; i++) p[i] = f(p[i]); }
static int deep(int n, int *p) { int l = n; if (n <= 0) return *p; *p += 1; return deep(n - 1, n & 1 ? &l : p); }
";

const STATEMENTS: [&str; 54] = [
    "a[i & 3] = k;",
    "a[i] = k;",
    "memcpy(b, a, sizeof b);",
    "memcpy(b, a, i * 4);",
    "memcpy(b, a, (i & 1) * 4 + 2);",
    "b[0] = 0x20000;",
    "memcpy(buf, a, i * 2 + 2);",
    "memcpy(buf + (i & 3) * 4, &k, 4);",
    "memmove(a + 1, a, 12);",
    "memset(b, 0, i);",
    "memset(&t, 0, sizeof t);",
    "memcpy(&t, &s, sizeof t);",
    "t = s;",
    "s.p = &x;",
    "t.p = a + (i & 3);",
    "*s.p = k;",
    "if (t.p) *t.p = 9;",
    "gp = &x;",
    "gp = a + i;",
    "*gp = i;",
    "q = same(&y);",
    "*q = 5;",
    "out(&q, i & 1 ? &x : &g);",
    "out(&gp, &a[i & 3]);",
    "set(q, k);",
    "set(&a[i & 1], g);",
    "fp = next;",
    "k = fp(i);",
    "if (i == 3) fp = 0;",
    "each(a, i & 3, fp);",
    "each(b, 4, twice);",
    "k = sum(s);",
    "s = with(s, &y);",
    "k += deep(i & 3, &x);",
    "un.h[i & 1] = 300;",
    "un.c[3] = i;",
    "k = un.n;",
    "k = buf[i] + 1;",
    "k = *(int *)(buf + 4);",
    "for (int j = 0; j < i; j++) k += a[j & 3] & 7;",
    "for (int j = 3; j >= 0; j--) b[j] = a[3 - j];",
    "for (unsigned j = i; j-- > 0;) g++;",
    "while (k > 10) k -= 3;",
    "if (k > 3 && k < 12) i = k - 4;",
    "if (i > 2) { int z = i; q = &z; *q = 1; }",
    "{ int *m = malloc(8); m[0] = i; m[1] = k; k = m[i & 1]; free(m); }",
    "{ int *m = malloc(4); *m = 1; m = realloc(m, 8); k = m[0]; m[1] = 2; free(m); }",
    "{ int *m = calloc(2, 4); gp = m; k = *gp; }",
    "for (int j = 0; j < 3; j++) { int l = j; if (q && j) k += *q; q = &l; } q = &x;",
    "{ int *pair[2] = {&x, &g}; *pair[i & 1] = 3; }",
    "{ struct s l = s; l.h[i & 3] = k; k = l.h[0]; }",
    "s.h[i & 3] += 1000;",
    "k = (signed char)(k * 37);",
    "k = (unsigned)k >> (i & 7);",
];

const CHECKS: [&str; 19] = [
    "check(g == 0);",
    "check(x == 1);",
    "check(k <= 10);",
    "check(k >= 0);",
    "check(a[0] == 1);",
    "check(a[3] < 9);",
    "check(b[1] <= 4);",
    "check(b[0] <= 0x20000);",
    "check(b[0] == 0 || b[0] == 1);",
    "check(s.x == 3);",
    "check(s.h[2] == 3);",
    "check(t.x == 0 || t.x == 3);",
    "check(un.n <= 300);",
    "check(buf[5] == 0);",
    "check(*(int *)buf <= 7);",
    "check(y == 2);",
    "check(*gp < 8);",
    "check(un.n == 7);",
    "a[k & 7] = 1;",
];

fn mixed(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut body = String::new();
    for _ in 0..2 + random.below(5) {
        body += random.pick(&STATEMENTS);
        if random.below(4) == 0 {
            body += random.pick(&CHECKS);
        }
        body.push('\n');
    }
    let (one, other) = (random.pick(&CHECKS), random.pick(&CHECKS));
    format!(
        "{OBJECTS}\nint main(void) {{ int i = in & 7, k = in & 7, x = 1, y = 2, *q = &x;\n{body}{one}\n{other} return 0; }}"
    )
}

fn config(program: &Program) -> Config {
    Config::new(program.function_named("main").unwrap())
}

/// How many properties the map of a program shows; no run may violate one.
fn check_map(seed: u64, source: &str) -> usize {
    let (program, simplified) = compile(source, DataModel::Lp64);
    let config = config(&program);
    let Ok(map) = search(&simplified, &config, &Budget::steps(2_000_000)) else { return 0 };
    let task = Task { program: &program, simplified: &simplified, config };
    let (map, budget) = (Arc::new(map), Budget::unlimited());
    let shown: Vec<Property> = Property::ALL
        .into_iter()
        .filter(|property| {
            let claim = Claim::proof(*property, Proof::Values(Arc::clone(&map)));
            Checker::new(&task, &budget).check(claim).is_ok()
        })
        .collect();
    let violations = violated(source, 2).unwrap_or_default();
    for property in &shown {
        assert!(!violations.contains(property), "seed {seed}: {property} does not hold of\n{source}");
    }
    shown.len()
}

#[test]
fn no_run_contradicts_a_map() {
    let shown: usize = seeds(40).map(|seed| check_map(seed, &mixed(seed))).sum();
    assert!(shown >= 40, "{shown} properties are shown");
}

#[test]
#[ignore = "minutes"]
fn no_run_contradicts_many_maps() {
    let shown: usize = seeds(2000).map(|seed| check_map(seed, &mixed(seed))).sum();
    assert!(shown >= 2000, "{shown} properties are shown");
}

/// A table of which one element, and from the next one on every few, is written, and then every few are read from the first on that keep what they started with.
fn strided(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let table: Vec<String> = (0..16).map(|_| random.pick(&["5", "100"]).to_owned()).collect();
    let (start, stride) = (random.below(3), 2 + random.below(2));
    let (next, table, wide) = (start + 1, table.join(", "), 2 * stride);
    format!(
        "static int table[16] = {{{table}}};
int main(void) {{
    table[{start}] = 5;
    for (int i = 0; i < 4; i++) table[{next} + {stride} * i] = in;
    for (int i = 0; i < 2; i++) check(table[{start} + {wide} * i] == 5);
    return 0; }}"
    )
}

#[test]
fn no_run_contradicts_what_is_read_at_strides() {
    let shown: usize = seeds(40).map(|seed| check_map(seed, &strided(seed))).sum();
    assert!(shown >= 40, "{shown} properties are shown");
}

/// The values of a map, each in turn made narrower by a member at one of its ends, or taken away.
fn narrowed(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Number(range) => {
            let (low, high) = range.signed_bounds();
            let without = |end: i128| range.refine(IntPredicate::Ne, &Range::constant(range.width(), end));
            found.extend([low, high].into_iter().filter_map(without).map(Value::Number));
        }
        Value::Pointer(pointer) => {
            for base in pointer.targets.keys() {
                let mut less = pointer.clone();
                less.targets.remove(base);
                found.push(Value::Pointer(less));
            }
            if pointer.null && !pointer.unknown {
                found.push(Value::Pointer(belay_values::Pointer { null: false, ..pointer.clone() }));
            }
        }
        Value::Any => found.push(Value::Number(Range::any(32))),
        Value::Nothing => {}
    }
    found.push(Value::Nothing);
    found.retain(|less| less != value);
    found
}

/// All maps that say less at one point, with what that point is.
fn forged(map: &ValueMap) -> Vec<(String, ValueMap)> {
    let mut found = Vec::new();
    let mut add = |what: String, change: &dyn Fn(&mut ValueMap)| {
        let mut less = map.clone();
        change(&mut less);
        if less != *map {
            found.push((what, less));
        }
    };
    for (id, values) in map.functions.iter_enumerated() {
        let Some(values) = values else { continue };
        add(format!("{id:?} is not entered"), &|map| map.functions[id] = None);
        add(format!("{id:?} does not return"), &|map| map.functions[id].as_mut().unwrap().returns = false);
        for block in 0..values.reached.len() {
            add(format!("{id:?}: block {block}"), &|map| map.functions[id].as_mut().unwrap().reached[block] = false);
        }
        for (kind, list) in [&values.params, &values.registers, &values.results].into_iter().enumerate() {
            for (at, value) in list.iter().enumerate() {
                for less in narrowed(value) {
                    add(format!("{id:?}: {kind} {at} is {less:?}"), &|map| {
                        let own = map.functions[id].as_mut().unwrap();
                        [&mut own.params, &mut own.registers, &mut own.results][kind][at] = less.clone();
                    });
                }
            }
        }
    }
    for (base, contents) in &map.contents {
        add(format!("{base:?} is not written"), &|map| drop(map.contents.remove(base)));
        for link in 0..contents.links.len() {
            add(format!("{base:?}: copy {link}"), &|map| {
                let _: Link = map.contents.get_mut(base).unwrap().links.remove(link);
            });
        }
        for (at, segment) in contents.segments.iter().enumerate() {
            add(format!("{base:?}: segment {at}"), &|map| {
                drop(map.contents.get_mut(base).unwrap().segments.remove(at))
            });
            for (place, cell) in &segment.cells {
                for less in narrowed(&cell.value) {
                    add(format!("{base:?}: {place} is {less:?}"), &|map| {
                        let cells = &mut map.contents.get_mut(base).unwrap().segments[at].cells;
                        cells.get_mut(place).unwrap().value = less.clone();
                    });
                }
            }
        }
    }
    for base in map.freed.iter() {
        add(format!("{base:?} is not freed"), &|map| map.freed.retain(|own| own != base));
    }
    for base in map.sizes.keys() {
        add(format!("{base:?} is larger"), &|map| map.sizes.get_mut(base).unwrap().0 += 1);
        add(format!("{base:?} is smaller"), &|map| map.sizes.get_mut(base).unwrap().1 -= 1);
    }
    add("nothing is written anywhere".to_owned(), &|map| map.wild = false);
    found
}

/// Programs whose maps are exact: whatever is left out of one is a state that some run has.
#[test]
fn narrower_maps_are_refused() {
    let sources = [
        "static int a[4] = {1, 2, 3, 4}, g; static int *p = &g;
         static int f(int n) { return n + 1; } static int h(int n) { g = n; return n; }
         int main(void) { int i = in & 7, (*q)(int) = in ? f : h; a[i & 3] = q(i); *p = 2; if (i > 5) p = a; return a[0]; }",
        "static int b[8], c[8]; static void set(int *at, int v) { *at = v; }
         int main(void) { int x = 3, y = 4, n = in & 1; set(n ? &x : &y, 7); b[n] = x; memcpy(c, b, sizeof c); memcpy(c, b, n * 4);
         return c[1] + y; }",
        "int main(void) { int n = in & 3; int *m = malloc(n + 4); if (n == 2) free(m); else m[0] = n; char *z = calloc(n + 1, 2); z[n] = 5;
         return z[0]; }",
        "static int deep(int n) { int l = n; int *p = &l; if (n <= 0) return 0; *p += 1; return deep(n - 1); }
         int main(void) { int n = 0; for (int i = 0; i < 9; i++) n += 2; return deep(n); }",
    ];
    for source in sources {
        let (program, simplified) = compile(source, DataModel::Lp64);
        let config = config(&program);
        let map = search(&simplified, &config, &Budget::unlimited()).unwrap();
        assert!(judge(&simplified, &config, &map).is_ok(), "{source}");
        let all = forged(&map);
        let accepted: Vec<&String> =
            all.iter().filter(|(_, less)| judge(&simplified, &config, less).is_ok()).map(|(what, _)| what).collect();
        assert!(all.len() > 20, "{} maps of {source}", all.len());
        assert!(accepted.is_empty(), "{} of {} are accepted: {accepted:#?}\n{source}", accepted.len(), all.len());
    }
}
