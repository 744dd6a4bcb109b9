//! k-induction against the interpreter: random loops, run with every input. What the engine claims must hold, and the checker must
//! agree with the claim.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_engines::Outcome;
use belay_engines::kiki::{self, Domain, Options};
use belay_evidence::{Checker, Claim, Task};
use belay_interpreter::{Interpreter, RunEnd};
use belay_ir::{DataModel, Property};
use belay_rules::Config;
use snippets::{Numbered, Random};

const PROPERTIES: [Property; 5] =
    [Property::ValidDeref, Property::ValidMemtrack, Property::MemCleanup, Property::NoOverflow, Property::UnreachCall];

/// Which properties some run violates.
fn violated(source: &str, inputs: u32) -> Vec<Property> {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let mut violated = Vec::new();
    for number in 0..1u64 << (3 * inputs) {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: Some(0x55) }, &Budget::steps(3_000));
        if let RunEnd::BadChoice { .. } = report.end {
            continue;
        }
        violated.extend(PROPERTIES.iter().filter(|property| report.violation_of(**property).is_some()));
    }
    violated.sort();
    violated.dedup();
    violated
}

fn condition(random: &mut Random) -> &'static str {
    random.pick(&[
        "x < n",
        "x != n",
        "y < 5",
        "g > x",
        "x + y < 9",
        "a[x & 3] < 4",
        "p != q",
        "p < a + 4",
        "*p < 3",
        "k--",
        "x > 0",
        "u < 6",
        "s.f < n",
        "r",
        "m[0] < 6",
        "(x & 1) == 0",
    ])
}

/// A statement over numbers `x`, `y`, `n`, `u`, `k`, a global `g`, an array, pointers into it, a struct, and a heap block.
fn statement(random: &mut Random, depth: u32) -> String {
    let value = random.pick(&["x", "y", "n", "g", "a[1]", "*p", "x + 1", "y - 1", "0", "3", "s.f", "m[1]", "-x", "u"]);
    let index = random.pick(&["x & 3", "x", "y", "u & 3", "2", "n & 3", "3"]);
    let c = condition(random);
    match random.below(if depth == 0 { 20 } else { 28 }) {
        0 => "x++;".to_owned(),
        1 => "y = x;".to_owned(),
        2 => format!("x = {value};"),
        3 => format!("g = {value};"),
        4 => format!("a[{index}] = {value};"),
        5 => "p++;".to_owned(),
        6 => format!("p = a + ({index});"),
        7 => format!("*p = {value};"),
        8 => format!("s.f = {value};"),
        9 => "s.q = p;".to_owned(),
        10 => "p = s.q;".to_owned(),
        11 => format!("check(!({c}) || {value} < 8);"),
        12 => format!("check({c});"),
        13 => format!("{{ int t = {value}; q = &t; y = *q; q = p; }}"),
        14 => format!("y = add(&x, {value});"),
        15 => format!("m[{index}] = {value};"),
        16 => format!("assume({c});"),
        17 => random.pick(&["u += 2;", "y += g;", "y *= 3;", "x += 1 << 28;"]).to_owned(),
        18 => format!("{{ int *z = malloc(8); z[1] = {value}; y = z[1]; free(z); }}"),
        19 => format!("check({c} || {});", condition(random)),
        20 | 21 => {
            format!("if ({c}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1))
        }
        22 | 23 => {
            format!("while ({c}) {{ {} {} }}", statement(random, depth - 1), statement(random, depth - 1))
        }
        24 | 25 => {
            let body = (statement(random, depth - 1), statement(random, depth - 1));
            format!("for (int i = {index}; i < n; i++) {{ {} x = i; {} }}", body.0, body.1)
        }
        26 => format!(
            "do {{ {} if ({c}) break; {} }} while (x < 6);",
            statement(random, depth - 1),
            statement(random, depth - 1)
        ),
        _ => {
            let what =
                random.pick(&["free(m); m = 0;", "if (m) { free(m); m = malloc(16); }", "q = malloc(4);", "exit(0);"]);
            format!("while ({c}) {{ {} {what} {} }}", statement(random, depth - 1), statement(random, depth - 1))
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random, 3)).collect();
    format!(
        "struct S {{ int f; int *q; }};
         int g;
         int add(int *w, int v) {{ for (int i = 0; i < v; i++) {{ if (*w > 20) return v; ++*w; }} return *w; }}
         int main(void) {{ int a[4] = {{1, 2, 3, 4}}; struct S s = {{1, a}}; int x = in & 3, y = 0, n = in & 7, r = in & 1, k = 2;
         unsigned u = 0; int *p = a, *q = a; int *m = malloc(16); m[0] = m[1] = m[2] = m[3] = x;
         {}
         check({}); if (m) free(m); return 0; }}",
        body.join("\n"),
        condition(&mut random)
    )
}

/// Asks the engine; what it claims is checked.
fn claims(source: &str, property: Property, options: Options) -> bool {
    claims_within(60_000, source, property, options)
}

fn claims_within(steps: u64, source: &str, property: Property, options: Options) -> bool {
    is_claimed(source, property, |task| kiki::check(task, &[property], options, &Budget::steps(steps)))
}

/// Asks for summaries of the loops; what is claimed is checked.
fn summarises(source: &str, property: Property) -> bool {
    is_claimed(source, property, |task| kiki::summarise(task, &[property], &Budget::steps(60_000)))
}

fn is_claimed(source: &str, property: Property, ask: impl Fn(&Task<'_>) -> Vec<(Property, Outcome)>) -> bool {
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let entry = program.function_named("main").unwrap();
    let task = Task { program: &program, simplified: &simplified, config: Config::new(entry) };
    let mut outcomes = ask(&task);
    let Some(proof) = outcomes.pop().unwrap().1.proof() else { return false };
    let budget = Budget::unlimited();
    let verdict = Checker::new(&task, &budget).check(Claim::proof(property, proof));
    assert!(verdict.is_ok(), "{}\n{source}", verdict.unwrap_err());
    true
}

#[test]
fn random_loops() {
    compare(program, 3, 24);
}

/// The same loops, each by itself.
#[test]
fn random_summaries() {
    compare_by(program, 3, 24, |_, source, property| summarises(source, property));
}

#[test]
fn random_summaries_of_arrays() {
    compare_by(arrays, 2, 18, |_, source, property| summarises(source, property));
}

#[test]
fn random_arrays() {
    compare(arrays, 2, 18);
}

#[test]
fn random_recursion() {
    compare(recursion, 2, 24);
}

/// Loops that fill, copy and read small arrays.
fn arrays(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut body = String::new();
    for _ in 0..2 + random.below(3) {
        let head = random.pick(&[
            "for (int i = 0; i < n; i++)",
            "for (int i = 0; i < 8; i++)",
            "for (int i = n - 1; i >= 0; i--)",
            "for (int i = 7; i > 0; i--)",
            "for (int i = 0; i < n; i += 2)",
            "for (int i = x; i < 8; i++)",
        ]);
        let index = random.pick(&["i", "i", "i", "7 - i", "i ^ 1", "x & 7"]);
        let value = random.pick(&["0", "3", "i", "a[i]", "b[i]", "x", "a[i] + 1", "b[7 - i]", "c[i & 3]", "s"]);
        body += &match random.below(7) {
            0 | 1 => format!("{head} a[{index}] = {value};\n"),
            2 => format!("{head} b[{index}] = {value};\n"),
            3 => format!("{head} if (a[i] > s) s = a[i];\n"),
            4 => format!("{head} {{ a[{index}] = {value}; b[i] = a[i]; }}\n"),
            5 => format!("{head} c[i] = (short){value};\n"),
            _ => format!("a[{}] = {value};\n", random.pick(&["0", "n & 7", "7"])).replace("[i", "[x"),
        };
    }
    let body = body.replace("= i;", "= (int)i;");
    let shown =
        random.pick(&["a[j] == b[j]", "a[j] <= s", "a[j] < 8", "b[j] >= 0", "a[j] == 3", "c[j] <= a[j]", "a[j] == j"]);
    let end = random.pick(&["n", "8"]);
    format!(
        "int a[8], b[8]; short c[8]; int i = 1;
         int main(void) {{ int x = in & 3, n = in & 7, s = 0; {body} for (int j = 0; j < {end}; j++) check({shown}); return 0; }}"
    )
}

/// A function that calls itself.
fn recursion(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let values = ["v", "w", "v + w", "w + 1", "0", "1", "t", "t + 1", "v - w", "t - v"];
    let args = ["v - 1", "v - 1", "v + 1", "v - 2", "w", "w + 1", "w - 1", "v / 2", "f(v - 1, w)"];
    let conditions = ["v <= 0", "v > 3", "w > 5", "v == w", "v >= 6", "w < 0", "g > 2"];
    let stops = (random.pick(&conditions), random.pick(&values[..6]));
    let before = random.pick(&[
        "",
        "",
        "g++;",
        "check(v < 8);",
        "check(w >= 0);",
        "w += 1;",
        "{ int a[2] = {v, w}; w = a[v & 1]; }",
        "if (w > 3) return h(v - 1);",
    ]);
    let call = (random.pick(&args), random.pick(&args));
    let after = random.pick(&["", "check(t <= 9);", "check(t >= 0);", "g = 0;", "t = h(t);"]);
    format!(
        "int g; int h(int); int f(int v, int w) {{ if (v <= {}) return {}; if ({}) return {}; {before} int t = f({}, {}); {after} return {}; }}
         int h(int v) {{ return v > 2 ? f(v - 2, 1) : v; }}
         int main(void) {{ int x = in & 7, y = in & 7; int r = f(x, y); check({}); return 0; }}",
        random.pick(&["0", "0", "-2", "2"]),
        random.pick(&values[..6]),
        stops.0,
        stops.1,
        call.0,
        call.1,
        random.pick(&values),
        random.pick(&["r >= 0", "r < 20", "r <= x + y", "r != 9", "g == 0", "r == y"]),
    )
}

fn compare(program: fn(u64) -> String, inputs: u32, usual: u64) {
    compare_by(program, inputs, usual, |seed, source, property| {
        let domain = ALL[seed as usize % ALL.len()];
        claims(source, property, Options { domain, k_induction: seed % 3 != 0, ..Options::default() })
    });
}

/// Programs against their runs: what is claimed by `asks` for a seed must not be violated.
fn compare_by(program: fn(u64) -> String, inputs: u32, usual: u64, asks: impl Fn(u64, &str, Property) -> bool) {
    let count = std::env::var("BELAY_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let first = std::env::var("BELAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let (mut claimed, mut refuted) = (0, 0);
    for seed in first..first + count {
        let source = program(seed);
        let violated = violated(&source, inputs);
        for property in PROPERTIES {
            let claims = asks(seed, &source, property);
            let is_violated = violated.contains(&property);
            assert!(!(claims && is_violated), "seed {seed}: {property} is claimed but violated\n{source}");
            claimed += u32::from(claims);
            refuted += u32::from(is_violated);
        }
        println!("seed {seed}: claimed {claimed}, violated {refuted}");
    }

    assert!(claimed > count as u32 / 5 && refuted > count as u32 / 5, "claimed {claimed}, violated {refuted}");
}

const ALL: [Option<Domain>; 10] = [
    None,
    Some(Domain::HAVOC),
    Some(Domain::INTERVALS),
    Some(Domain::STEPS),
    Some(Domain::ZONES),
    Some(Domain::OCTAGONS),
    Some(Domain::ELEMENTS),
    Some(Domain::EQUALITIES),
    Some(Domain::CUBES),
    Some(Domain::CONDITIONS),
];

/// Violated, but only after more rounds than any unrolling follows.
#[track_caller]
fn never_claimed(property: Property, source: &str) {
    for (domain, k_induction) in ALL.into_iter().flat_map(|domain| [(domain, false), (domain, true)]) {
        let options = Options { domain, k_induction, ..Options::default() };
        assert!(!claims(source, property, options), "{property} is claimed, {options:?}\n{source}");
    }
}

#[track_caller]
fn claimed(property: Property, source: &str) {
    assert!(claims(source, property, Options::default()), "{property} is not claimed\n{source}");
}

#[test]
fn counters() {
    never_claimed(
        Property::UnreachCall,
        "int main(void) { int x = 0; while (in) { x++; check(x != 1000); } return 0; }",
    );
    claimed(
        Property::UnreachCall,
        "int main(void) { int x = 0; while (in) { if (x < 1000) x++; check(x != 1001); } return 0; }",
    );
    never_claimed(Property::NoOverflow, "int main(void) { int x = 0; while (in) x++; return 0; }");
    claimed(Property::NoOverflow, "int main(void) { int x = 0; while (x < 5000) x++; return x + 1; }");
    never_claimed(
        Property::UnreachCall,
        "int g; int main(void) { for (int i = 0; i < 3000; i++) { if (i == 2500) g = 1; check(!g || i < 2600); } return 0; }",
    );
    never_claimed(
        Property::UnreachCall,
        "int main(void) { int n = 0; for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) n++; check(n != 90000); return 0; }",
    );
}

#[test]
fn elements_of_arrays() {
    let filled = |bad: &str, shown: &str| {
        format!(
            "int a[3000], b[3000]; int main(void) {{ int n = in; if (n < 0 || n > 3000) return 0;
             for (int i = 0; i < n; i++) {{ a[i] = 7; {bad} }} for (int i = 0; i < n; i++) check({shown}); return 0; }}"
        )
    };
    let elements = |source: &str| {
        let options = Options { domain: Some(Domain::ELEMENTS), k_induction: false, ..Options::default() };
        claims_within(3_000_000, source, Property::UnreachCall, options)
    };
    let claimed = |source: &str| assert!(elements(source), "not claimed\n{source}");
    let never_claimed = |source: &str| assert!(!elements(source), "claimed\n{source}");
    claimed(&filled("", "a[i] == 7"));
    never_claimed(&filled("if (i == 2000) a[1000] = 8;", "a[i] == 7"));
    never_claimed(&filled("if (i == 2000) a[i] = 8;", "a[i] == 7"));
    never_claimed(&filled("if (i == 2000) ((char *)&a[900])[1] = 1;", "a[i] == 7"));
    never_claimed(&filled("if (i == 2000) i++;", "a[i] == 7"));
    claimed(&filled("b[i] = a[i];", "a[i] == b[i]"));
    never_claimed(&filled("b[i] = a[i]; if (i == 2000) a[i - 50] = 1;", "a[i] == b[i]"));
    never_claimed(&filled("", "i < 2000 || a[i] != 7"));
    never_claimed(
        "int a[3000]; int main(void) { int m = 0; for (int i = 0; i < 3000; i++) a[i] = in;
         for (int i = 0; i < 2999; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < 3000; i++) check(a[i] <= m); return 0; }",
    );
}

#[test]
fn conditions_of_the_program() {
    let conditions = |source: &str| {
        let options = Options { domain: Some(Domain::CONDITIONS), k_induction: false, ..Options::default() };
        claims_within(3_000_000, source, Property::UnreachCall, options)
    };
    let claimed = |source: &str| assert!(conditions(source), "not claimed\n{source}");
    let never_claimed = |source: &str| assert!(!conditions(source), "claimed\n{source}");
    // What is stored is what is read, in terms of other arrays.
    let difference = |step: &str, shown: &str| {
        format!(
            "int a[3000], b[3000], c[3000]; int main(void) {{ int i, n = in, e = in; if (n < 1 || n > 3000) return 0;
             for (i = 0; i < n; i++) {{ a[i] = in & 255; b[i] = in & 255; }}
             for (i = 0; i < n; i++) {{ c[i] = a[i] - b[i]; {step} }}
             for (i = 0; i < n; i++) check({shown}); return 0; }}"
        )
    };
    claimed(&difference("", "c[i] == a[i] - b[i]"));
    claimed(&difference("", "c[i] == a[i] - b[i] || a[i] == e"));
    never_claimed(&difference("if (i == 2000) a[i] = 1;", "c[i] == a[i] - b[i]"));
    never_claimed(&difference("if (i == 2000) b[i - 7] = 1;", "c[i] == a[i] - b[i]"));
    never_claimed(&difference("if (i == 2000) i++;", "c[i] == a[i] - b[i]"));
    never_claimed(&difference("if (i == 2000) e = 0;", "c[i] == a[i] - b[i] && (a[i] != 255 || e)"));
    never_claimed(&difference("", "c[i] == b[i] - a[i]"));
    // What was looked for and not found is nowhere before.
    let find = |step: &str, shown: &str| {
        format!(
            "int a[3000]; int main(void) {{ int i = 0, x, e = in; for (x = 0; x < 3000; x++) a[x] = in;
             while (i < 3000 && a[i] != e) {{ i++; {step} }} for (x = 0; x < i; x++) check({shown}); return 0; }}"
        )
    };
    claimed(&find("", "a[x] != e"));
    never_claimed(&find("if (i == 2000) e++;", "a[x] != e"));
    never_claimed(&find("if (i == 2000) a[1000] = e;", "a[x] != e"));
    never_claimed(&find("if (i == 2000) i++;", "a[x] != e"));
    // A flag says what was seen.
    let same = |test: &str| {
        format!(
            "int a[3000], b[3000]; int main(void) {{ int i, same = 1; for (i = 0; i < 3000; i++) {{ a[i] = in; b[i] = in; }}
             for (i = 0; i < 3000; i++) if ({test}) same = 0;
             if (same) for (int x = 0; x < 3000; x++) check(a[x] == b[x]); return 0; }}"
        )
    };
    claimed(&same("a[i] != b[i]"));
    never_claimed(&same("a[i] != b[i] && i != 2000"));
    never_claimed(&same("a[i] > b[i]"));
    // Two elements in a round.
    let pairs = |second: &str, end: &str| {
        format!(
            "int a[3000]; int main(void) {{ int i, e = in, n = in; if (n < 1 || n > 1500) return 0;
             for (i = 1; i <= n; i++) {{ a[2 * i - 2] = e; a[2 * i - 1] = {second}; }}
             for (i = 0; i < {end}; i++) check(a[i] == e || a[i] == 0); return 0; }}"
        )
    };
    claimed(&pairs("0", "2 * n"));
    never_claimed(&pairs("i == 700", "2 * n"));
    // From both ends.
    let mirrored = |second: &str| {
        format!(
            "int a[3000], b[3000]; int main(void) {{ int i, n = in; if (n < 1 || n > 1500) return 0;
             for (i = 0; i < n; i++) {{ b[2 * n - i - 1] = {second}; b[i] = a[i]; }}
             for (i = 0; i < 2 * n; i++) check(a[i] == b[i]); return 0; }}"
        )
    };
    claimed(&mirrored("a[2 * n - i - 1]"));
    never_claimed(&mirrored("i == 700 ? 5 : a[2 * n - i - 1]"));
    // One value in two arrays.
    let opposite = |second: &str| {
        format!(
            "int a[3000], b[3000]; int main(void) {{ int i; for (i = 0; i < 3000; i++) {{ int x = in & 255; a[i] = x; b[i] = {second}; }}
             for (i = 0; i < 3000; i++) check(a[i] + b[i] == 0); return 0; }}"
        )
    };
    claimed(&opposite("-x"));
    never_claimed(&opposite("i == 700 ? x : -x"));
    // Elements beyond what an arbitrary index stands for.
    let (program, simplified) = snippets::compile(
        "char a[0x30000000]; int main(void) { unsigned i; for (i = 0; i < 0x30000000u; i++) a[i] = i >= 0x28000000u;
         for (i = 0; i < 0x30000000u; i++) check(a[i] == 0); return 0; }",
        DataModel::Ilp32,
    );
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let options = Options { domain: Some(Domain::CONDITIONS), k_induction: false, ..Options::default() };
    let outcomes = kiki::check(&task, &[Property::UnreachCall], options, &Budget::steps(3_000_000));
    assert!(matches!(outcomes[0].1, belay_engines::Outcome::GaveUp(_)), "a huge array is claimed");
    // A variable of the loop is not what it was when the loop was left the first time.
    never_claimed(
        "int a[3000]; int main(void) { for (int k = 0; k < 2; k++) { int m = 0; for (int i = 0; i < 3000; i++) { a[i] = in; m = a[i]; }
         for (int i = 0; i < 3000; i++) check(a[i] == m); } return 0; }",
    );
}

#[test]
fn functions_that_call_themselves() {
    let counted = |start: &str, shown: &str| {
        format!(
            "int f(int n, int m) {{ check({shown}); if (n <= 0) return m; return f(n - 1, m + 1); }} int main(void) {{ return f({start}, 0); }}"
        )
    };
    never_claimed(Property::UnreachCall, &counted("5000", "m != 4000"));
    claimed(Property::UnreachCall, &counted("in & 63", "n <= 63"));
    claimed(Property::NoOverflow, "int f(int n) { return n <= 0 ? 0 : f(n - 1); } int main(void) { return f(in); }");
    never_claimed(
        Property::NoOverflow,
        "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { return f(in) + 2147480000; }",
    );
    never_claimed(
        Property::NoOverflow,
        "int f(int n) { return n == 5000 ? 2147483647 : f(n + 1) + 1; } int main(void) { return f(0); }",
    );
    never_claimed(
        Property::UnreachCall,
        "int g; void f(int n) { if (n > 0) { g++; f(n - 1); } } int main(void) { f(5000); check(g != 5000); return 0; }",
    );
    never_claimed(
        Property::UnreachCall,
        "void f(int *p, int n) { int x = n; if (n == 0) { *p = 9; return; } f(&x, n - 1); check(n < 3000 || x == n); }
         int main(void) { int y = 0; f(&y, 3000); check(y != 9); return 0; }",
    );
    never_claimed(
        Property::UnreachCall,
        "int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         int main(void) { check(!even(4000)); return 0; }",
    );
    never_claimed(
        Property::ValidMemtrack,
        "void f(int n) { if (n) { if (n == 1) malloc(4); f(n - 1); } } int main(void) { f(3000); return 0; }",
    );
}

#[test]
fn memory_that_a_loop_changes() {
    let inner = |bad: &str| {
        format!(
            "int a[8], b[8]; int main(void) {{ int *p = a; for (int i = 0; i < 900; i++) {{ p[i & 7] = 1; if (i == 500) {{ {bad} }} check(b[0] == 0); }} return 0; }}"
        )
    };
    never_claimed(Property::UnreachCall, &inner("p = b;"));
    claimed(Property::UnreachCall, &inner(""));
    never_claimed(
        Property::UnreachCall,
        "struct S { int *p; int n; } s; int a, b; int main(void) { s.p = &a; while (in) { s.n++; if (s.n == 700) s.p = &b; *s.p = 3; check(b == 0); } return 0; }",
    );
    claimed(
        Property::UnreachCall,
        "struct S { int *p; int n; } s; int a, b; int main(void) { s.p = &a; while (in) { if (s.n < 700) s.n++; *s.p = 3; check(b == 0); } return 0; }",
    );
    never_claimed(
        Property::UnreachCall,
        "int a, b; int main(void) { unsigned long p = (unsigned long)&a; for (int i = 0; i < 600; i++) { if (i == 400) p = (unsigned long)&b; *(int *)p = 1; check(b == 0); } return 0; }",
    );
    never_claimed(
        Property::UnreachCall,
        "struct S { int v, w; }; int main(void) { struct S s = {0, 0}, t = {0, 0}; for (int i = 0; i < 800; i++) { t.w = i; memcpy(&s, &t, sizeof s); check(s.w < 700); } return 0; }",
    );
}

#[test]
fn lives_that_a_loop_changes() {
    never_claimed(
        Property::ValidDeref,
        "int main(void) { int x = 0, *p = &x; for (int i = 0; i < 900; i++) { int t = i; *p = 1; if (i == 500) p = &t; } return 0; }",
    );
    claimed(
        Property::ValidDeref,
        "int main(void) { int x = 0, *p = &x; for (int i = 0; i < 900; i++) { int t = i, *q = &t; *q = in; *p = t; } return 0; }",
    );
    never_claimed(
        Property::ValidDeref,
        "int main(void) { int *p = malloc(4); for (int i = 0; i < 900; i++) { if (i == 500) free(p); *p = 1; } return 0; }",
    );
    claimed(Property::ValidDeref, "int main(void) { while (in) { int *p = malloc(4); *p = 1; free(p); } return 0; }");
    never_claimed(
        Property::ValidMemtrack,
        "int main(void) { int *p = malloc(4), i = 0; for (;;) { if (i < 900) i++; if (i == 500) p = 0; } return 0; }",
    );
    claimed(
        Property::ValidMemtrack,
        "int main(void) { int *p = malloc(4), i = 0; while (in) { if (i < 900) i++; *p = i; } free(p); return 0; }",
    );
    never_claimed(
        Property::MemCleanup,
        "int main(void) { int *p = 0; for (int i = 0; i < 900; i++) if (i == 500) p = malloc(4); return p != 0; }",
    );
}
