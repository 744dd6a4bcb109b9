//! Measures of machine integers against the interpreter: random loops and recursion, run with every small input. What comes back to a state can't be
//! claimed to end, what is claimed the checker must agree with, and it must not agree with claims that were tampered with.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_engines::kiki::{self, Options};
use belay_evidence::{Checker, Claim, Descent, Proof, Refusal, Task};
use belay_interpreter::{Interpreter, RunEnd};
use belay_invariants::RankingFunction;
use belay_ir::{DataModel, Program, Property};
use belay_rules::Config;
use snippets::{Numbered, Random};

/// Whether some run with small inputs comes back to a state.
fn recurs(source: &str, inputs: u32) -> bool {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let mut config = Config::new(program.function_named("main").unwrap());
    config.recurrence = true;
    let interpreter = Interpreter::new(&program, config);
    (0..1u64 << (3 * inputs)).any(|number| {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: Some(0x55) }, &Budget::steps(20_000));
        matches!(report.end, RunEnd::Recurs { .. })
    })
}

fn with_task<T>(programs: &(Program, Program), ask: impl FnOnce(&Task<'_>) -> T) -> T {
    let entry = programs.0.function_named("main").unwrap();
    ask(&Task { program: &programs.0, simplified: &programs.1, config: Config::new(entry) })
}

/// What the engine claims; the checker must agree.
fn claim(programs: &(Program, Program), source: &str) -> Option<Descent> {
    with_task(programs, |task| {
        let proof = kiki::rank(task, Options::default(), &Budget::steps(200_000)).proof()?;
        let budget = Budget::unlimited();
        let verdict = Checker::new(task, &budget).check(Claim::proof(Property::Termination, proof.clone()));
        let is_fine = matches!(verdict, Ok(_) | Err(Refusal::Unconfirmed(_)));
        assert!(is_fine, "{}\n{source}", verdict.unwrap_err());
        let Proof::Descent(descent) = proof else { panic!("another kind of proof\n{source}") };
        Some(*descent)
    })
}

fn is_claimed(source: &str) -> bool {
    claim(&snippets::compile(source, DataModel::Lp64), source).is_some()
}

fn value(random: &mut Random) -> &'static str {
    random.pick(&[
        "x",
        "y",
        "u",
        "n",
        "x + 1",
        "y - 1",
        "u >> 1",
        "u & (u - 1)",
        "x & 12",
        "0",
        "3",
        "-x",
        "x ^ y",
        "a[1]",
        "g",
    ])
}

fn condition(random: &mut Random) -> &'static str {
    random.pick(&[
        "x != n",
        "x < y",
        "u",
        "u > 3",
        "x > 0",
        "y != 0",
        "(x & 3) != 0",
        "x != y",
        "g < 9",
        "a[0] > x",
        "u != v",
        "in & 1",
        "n",
        "k",
        "!k",
    ])
}

/// A statement over chars `x`, `y`, unsigned chars `u`, `v`, a flag, a global and an array.
fn statement(random: &mut Random, depth: u32) -> String {
    let (v, c) = (value(random), condition(random));
    match random.below(if depth == 0 { 13 } else { 20 }) {
        0 => "x++;".to_owned(),
        1 => "x--;".to_owned(),
        2 => format!("x = {v};"),
        3 => format!("y = {v};"),
        4 => format!("u = {v};"),
        5 => "u >>= 1;".to_owned(),
        6 => "u &= u - 1;".to_owned(),
        7 => "v += 1;".to_owned(),
        8 => format!("g = {v};"),
        9 => format!("a[x & 1] = {v};"),
        10 => format!("k = {c};"),
        11 => format!("if ({c}) return 0;"),
        12 => random.pick(&["y--;", "u -= 3;", "x += 2;", "g++;", "a[0]--;", "n >>= 1;"]).to_owned(),
        13..=15 => {
            format!("if ({c}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1))
        }
        16..=18 => format!("while ({c}) {{ {} {} }}", statement(random, depth - 1), statement(random, depth - 1)),
        _ => format!(
            "do {{ {} if ({c}) break; {} }} while (u);",
            statement(random, depth - 1),
            statement(random, depth - 1)
        ),
    }
}

fn loops(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (c, first, second) = (condition(&mut random), statement(&mut random, 2), statement(&mut random, 2));
    let last = statement(&mut random, 1);
    format!(
        "signed char g; int main(void) {{ signed char x = in, y = in, n = in, a[2] = {{3, 4}}; unsigned char u = x + 5, v = 0; _Bool k = 1;
         while ({c}) {{ {first} {second} }} {last} return 0; }}"
    )
}

fn recursion(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let args = ["v - 1", "v - 1", "w", "w - 1", "v & (v - 1)", "v >> 1", "v + 1", "f(v - 1, w)", "w ^ v", "7"];
    let stop = random.pick(&["v == 0", "v <= 0", "w == v", "v < w", "w > 5 || v == 0"]);
    let call = (random.pick(&args), random.pick(&args));
    let result = random.pick(&["t", "v", "0", "t - 1", "w"]);
    format!(
        "signed char f(signed char v, signed char w) {{ if ({stop}) return v; signed char t = f({}, {}); return {result}; }}
         int main(void) {{ return f(in, in); }}",
        call.0, call.1
    )
}

fn compare(program: fn(u64) -> String, inputs: u32, usual: u64) {
    let count = std::env::var("BELAY_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let first = std::env::var("BELAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let (mut claimed, mut refuted) = (0, 0);
    for seed in first..first + count {
        let source = program(seed);
        let (claims, endless) = (is_claimed(&source), recurs(&source, inputs));
        assert!(!(claims && endless), "seed {seed}: claimed to end, but comes back to a state\n{source}");
        claimed += u64::from(claims);
        refuted += u64::from(endless);
    }
    println!("of {count}: claimed {claimed}, endless {refuted}");
    assert!(claimed > count / 9, "claimed {claimed}, endless {refuted}");
}

#[test]
fn random_loops() {
    compare(loops, 3, 24);
}

#[test]
fn random_recursion() {
    compare(recursion, 2, 24);
}

/// Claimed; and what is not the claimed proof is refused.
#[track_caller]
fn claimed(source: &str) {
    let programs = snippets::compile(source, DataModel::Lp64);
    let descent = claim(&programs, source).unwrap_or_else(|| panic!("not claimed\n{source}"));
    let refused = |tampered: Descent, how: &str| {
        let budget = Budget::unlimited();
        let proof = Proof::Descent(Box::new(tampered));
        let verdict =
            with_task(&programs, |task| Checker::new(task, &budget).check(Claim::proof(Property::Termination, proof)));
        assert!(verdict.is_err(), "confirmed although {how}\n{source}");
    };
    let mut without = descent.clone();
    without.rankings.clear();
    refused(without, "nothing descends");
    for (place, rankings) in &descent.rankings {
        let mut one_less = rankings.clone();
        one_less.pop();
        let mut fewer = descent.clone();
        fewer.rankings.insert(place.clone(), one_less);
        refused(fewer, "a measure is missing");
        let mut ascending = descent.clone();
        let negated = rankings.iter().map(negated).collect();
        ascending.rankings.insert(place.clone(), negated);
        refused(ascending, "the rankings ascend");
    }
    for stride in [0, descent.induction.cutting.k + 1] {
        refused(Descent { stride, ..descent.clone() }, "the stride is longer than the proof");
    }
}

fn negated(measure: &RankingFunction) -> RankingFunction {
    match measure.clone() {
        RankingFunction::Sum(sum) => {
            RankingFunction::Sum(sum.into_iter().map(|(factor, atom)| (-factor, atom)).collect())
        }
        RankingFunction::Greatest(minus, atoms) => RankingFunction::Greatest(!minus, atoms),
        RankingFunction::Least(minus, atoms) => RankingFunction::Least(!minus, atoms),
        RankingFunction::Distance(to, from) => RankingFunction::Distance(from, to),
        RankingFunction::Float(minus, atom) => RankingFunction::Float(!minus, atom),
    }
}

#[track_caller]
fn never_claimed(source: &str) {
    assert!(!is_claimed(source), "claimed\n{source}");
}

#[test]
fn measures_never_overflow() {
    never_claimed("int main(void) { signed char x = 0; while (1) { x++; check(x != 300); } return 0; }");
    never_claimed("int main(void) { int x = in; while (x != 5) x += 2; return 0; }");
    never_claimed("int main(void) { long x = in, y = in; while (x < y) { x += 3; y += 3; } return 0; }");
    never_claimed(
        "int main(void) { unsigned x = in; while (x <= 0xffffffffu) { x++; check(x != 5 || x == 5); } return 0; }",
    );
}

#[test]
fn wrapping_loops() {
    claimed("int main(void) { unsigned x = in; while (x) x &= x - 1; return 0; }");
    claimed("int main(void) { unsigned x = in, n = in; while (x != n) x--; return 0; }");
    claimed("int main(void) { unsigned char i = in; while (i != 7) i++; return 0; }");
    claimed("int main(void) { unsigned x = in; while (x > 3) x = (x >> 1) ^ (x & 1); return 0; }");
    never_claimed("int main(void) { unsigned x = in; while (x > 3) x = (x >> 1) ^ ((x & 1) << 2); return 0; }");
    claimed(
        "int main(void) { unsigned x = in, y = in; while (x && y) { if (in) { x >>= 1; y = in; } else y--; } return 0; }",
    );
    never_claimed(
        "int main(void) { unsigned x = in, y = in; while (x && y) { if (in) { x >>= 1; y = in; } else { x = in; y--; } } return 0; }",
    );
}

#[test]
fn invariants_support_measures() {
    claimed(
        "int main(void) { int n = in & 1023, d = in & 7; if (d < 1) d = 1; for (int i = 0; i <= n; i += d) ; return 0; }",
    );
    never_claimed("int main(void) { int n = in & 1023, d = in & 7; for (int i = 0; i <= n; i += d) ; return 0; }");
    claimed("int g; int main(void) { g = in; while (g > 0) { g -= 1; int m = g; while (m > 0) m >>= 1; } return 0; }");
    never_claimed(
        "int g; int main(void) { g = in; while (g > 0) { int m = g; while (m > 0) m >>= 1; g -= m; } return 0; }",
    );
    claimed(
        "int main(void) { int a[9]; for (int i = 0; i < 8; i++) a[i] = in; a[8] = 0; int i = 0; while (a[i] != 0) i++; return 0; }",
    );
}

#[test]
fn functions_that_call_themselves() {
    claimed("unsigned f(unsigned x) { return x == 0 ? 0 : 1 + f(x & (x - 1)); } int main(void) { return f(in); }");
    never_claimed(
        "unsigned f(unsigned x) { return x == 0 ? 0 : 1 + f(x & (x - 2)); } int main(void) { return f(in); }",
    );
    claimed(
        "int f(int m, int n) { if (m <= 0) return n + 1; if (n <= 0) return f(m - 1, 1); return f(m - 1, f(m, n - 1)); } int main(void) { return f(in, in); }",
    );
    never_claimed(
        "int f(int m, int n) { if (m <= 0) return n + 1; if (n <= 0) return f(m, 1); return f(m - 1, f(m, n - 1)); } int main(void) { return f(in, in); }",
    );
    never_claimed(
        "int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 2); } int even(int n) { return n == 0 ? 1 : odd(n - 2); } int main(void) { return even(in); }",
    );
    never_claimed("void f(int *p) { if (*p > 0) f(p); } int main(void) { int x = in; f(&x); return 0; }");
}
