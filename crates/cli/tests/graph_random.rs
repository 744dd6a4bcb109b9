//! Symbolic execution graphs against the interpreter: what a graph shows of a random program, no run with small inputs may contradict.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_engines::{Outcome, graph};
use belay_evidence::{Checker, Task};
use belay_ir::{DataModel, IntegerModel, Property, passes};
use belay_semantics::{Config, Interpreter, RunEnd};
use snippets::{Numbered, Random};

/// A statement over the strings `s` and `t` of `n` and `m` bytes, their moving pointers `p` and `q`, an array `a` of `n` integers,
/// and the numbers `n`, `m`, `i`, `j`.
fn statement(random: &mut Random, depth: u32) -> String {
    let index = ["i", "j", "n - 1", "m - 1", "0", "n - 1 - i", "i + 1", "n / 2", "i % n"];
    let value = ["i", "n", "m - j", "a[0]", "7", "s[0]", "n * m", "i + j", "j - 1", "(unsigned char)(i * 50)", "p - s"];
    let condition =
        ["i < n", "j != 0", "i <= j", "*p", "a[0] > 2", "p < s + n", "p != s", "q - t < m", "i >= 0 && i < n"];
    let (x, v, c) = (random.pick(&index), random.pick(&value), random.pick(&condition));
    let move_pointer = random.pick(&["p++;", "q++;", "p = s;", "q = t;", "p--;", "p = s + i;", "q = p;", "p += 2;"]);
    match random.below(if depth == 0 { 11 } else { 18 }) {
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
        11 => format!("if ({c}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1)),
        12 => format!("for (i = 0; i < n; i++) {{ {} }}", statement(random, depth - 1)),
        13 => format!("while (*p) {{ p++; {} }}", statement(random, depth - 1)),
        14 => format!("for (j = m; j > 0; j--) {{ {} }}", statement(random, depth - 1)),
        15 => format!("for (k = 0; k < 3; k++) {{ {} if ({c}) break; }}", statement(random, depth - 1)),
        16 => format!("i = f(i, j, p); {}", statement(random, depth - 1)),
        _ => format!("{} {}", statement(random, depth - 1), statement(random, depth - 1)),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(4);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random, 2)).collect();
    format!(
        "int g; struct S {{ short h; char b; int w; }};
         int f(int n, int m, char *p) {{ struct S v; v.h = n; v.w = m; v.b = 1; while (n < m) {{ n++; v.w--; }} return v.w + *p; }}
         int main(void) {{ int n = (in & 7) + 1, m = (in & 7) + 1, i = 0, j = 0, k = 0;
         char *s = calloc(n, 1), *t = calloc(m, 1), *p = s, *q = t; int *a = calloc(n, sizeof(int));
         for (i = 0; i < n - 1; i++) s[i] = 'a';
         i = in & 7;
         {}
         free(s); free(t); free(a); return 0; }}",
        body.join("\n")
    )
}

/// Which properties some run violates, termination among them; `None` if some run has no verdict.
fn violated(source: &str, inputs: u32) -> Option<Vec<Property>> {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let mut found = Vec::new();
    for number in 0..1u64 << (3 * inputs) {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: None }, &Budget::steps(20_000));
        match report.end {
            RunEnd::Unknown { .. } | RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } => continue,
            RunEnd::Exhausted(_) => found.push(Property::Termination),
            _ => {}
        }
        found.extend(Property::ALL.iter().filter(|property| report.violation_of(**property).is_some()));
    }
    Some(found)
}

fn check(seed: u64) -> usize {
    let source = program(seed);
    let (program, simplified) = snippets::compile(&source, DataModel::Lp64);
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let Ok(explored) = graph::explore(&task, 2_000_000, &budget) else { return 0 };
    let mut violations = None;
    let mut proved = 0;
    for property in Property::ALL {
        let Outcome::Proved(proof) = graph::claim(&task, &explored, property, 500_000, &budget) else { continue };
        let confirmed = Checker::new(&task, &budget).confirm(property, proof);
        assert!(confirmed.is_ok(), "seed {seed}: {property} is not confirmed: {confirmed:?}\n{source}");
        let violations = violations.get_or_insert_with(|| violated(&source, 3).unwrap_or_default());
        assert!(!violations.contains(&property), "seed {seed}: {property} does not hold of\n{source}");
        proved += 1;
    }
    proved
}

#[test]
fn no_run_contradicts_a_graph() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(60));
    let proved: usize = (first..first + count).map(check).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

#[test]
fn a_spoilt_certificate_is_rejected() {
    let source = "int main(void) { int n = in; if (n < 1) n = 1; char *s = malloc(n); s[n - 1] = 0; char *p = s;
                  while (*p) p++; free(s); return 0; }";
    let (program, mut simplified) = snippets::compile(source, DataModel::Lp64);
    passes::pipeline(&mut simplified, IntegerModel::Machine).unwrap();
    let config = Config::new(program.function_named("main").unwrap());
    let task = Task { program: &program, simplified: &simplified, config };
    let budget = Budget::steps(40_000_000);
    let explored = graph::explore(&task, 2_000_000, &budget).unwrap();
    let Outcome::Proved(proof) = graph::claim(&task, &explored, Property::ValidDeref, 500_000, &budget) else {
        panic!()
    };
    let belay_evidence::Proof::Graph(certificate) = proof else { panic!() };
    let confirm = |spoilt: belay_evidence::GraphCertificate| {
        Checker::new(&task, &Budget::steps(50_000))
            .confirm(Property::ValidDeref, belay_evidence::Proof::Graph(Box::new(spoilt)))
            .is_ok()
    };
    assert!(confirm((*certificate).clone()));
    let mut claims_too_much = (*certificate).clone();
    for state in claims_too_much.states.values_mut() {
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
    knows_too_little.states.values_mut().for_each(|state| state.knowledge.constraints.clear());
    assert!(!confirm(knows_too_little), "without the bounds the access is not shown");
    let mut empty = (*certificate).clone();
    empty.states.clear();
    assert!(!confirm(empty), "without cut points execution does not end");
}
