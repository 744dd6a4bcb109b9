//! The engine against the interpreter: programs with small inputs, run with every input.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_interpreter::{Interpreter, RunEnd};
use belay_ir::{DataModel, Property};
use belay_rules::Config;
use snippets::{Numbered, Random};

const PROPERTIES: [Property; 6] = [
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::MemCleanup,
    Property::NoOverflow,
    Property::UnreachCall,
];

/// Which properties some run violates; `None` if some run has no verdict.
fn exhaustive(source: &str, inputs: u32) -> Option<Vec<Property>> {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let mut violated = Vec::new();
    for number in 0..1u64 << (3 * inputs) {
        let report = interpreter.run(&mut Numbered { digits: number, undefined: None }, &Budget::steps(100_000));
        if let RunEnd::Unknown { .. } | RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } | RunEnd::Exhausted(_) =
            report.end
        {
            return None;
        }
        violated.extend(PROPERTIES.iter().filter(|property| report.violation_of(**property).is_some()));
    }
    violated.sort();
    violated.dedup();
    Some(violated)
}

/// A statement over `a[4]`, `x`, `y`, `p`, `q` (heap blocks of 8 and 12 bytes or null) and `s` (a struct).
fn statement(random: &mut Random, depth: u32) -> String {
    let index = ["x", "y", "x & 3", "(x + y) & 3", "2", "y - 1"];
    let value =
        ["x", "y", "a[1]", "x * y", "x - y", "7", "a[x & 3]", "s.h", "s.b", "(unsigned char)(x * 100)", "x << y"];
    let condition = ["x < y", "x == 3", "a[0] > 2", "y & 1", "p == q", "p != 0", "s.b > 3", "x + y > 9"];
    let (i, v, w, c) = (random.pick(&index), random.pick(&value), random.pick(&value), random.pick(&condition));
    match random.below(if depth == 0 { 12 } else { 17 }) {
        0 => format!("a[{i}] = {v};"),
        1 => format!("x = {v};"),
        2 => format!("y = {v};"),
        3 => format!("if (p) p[{i} & 3] = {v};"),
        4 => "p = q;".to_owned(),
        5 => "free(q); q = 0;".to_owned(),
        6 => format!("s.h = {v}; s.b = {w};"),
        7 => format!("((char *)a)[{i}] = {v};"),
        8 => format!("memcpy(a + ({i} & 1), &s, 8);"),
        9 => format!("check(!({c}) || {v} != 5);"),
        10 => "if (!p) p = malloc(12);".to_owned(),
        11 => format!("memset(&s, {v}, x & 7);"),
        12 => format!("if ({c}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1)),
        13 => format!("for (int i = 0; i < (x & 3); i++) {{ {} }}", statement(random, depth - 1)),
        14 => format!("while (x > 0 && x < 6) {{ x--; {} }}", statement(random, depth - 1)),
        15 => format!("if ({c}) {{ {} if (x == 1) return 0; }}", statement(random, depth - 1)),
        _ => format!("x = f(x & 3, y & 7); {}", statement(random, depth - 1)),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + random.below(6);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random, 2)).collect();
    format!(
        "struct S {{ short h; char b; int w; }};
         int f(int n, int m) {{ int r[2]; r[0] = m; r[1] = n; return n <= 0 ? r[n & 1] : f(n - 1, m + 1) + r[1]; }}
         int main(void) {{ int a[4] = {{1, 2, 3, 4}}; struct S s = {{1, 2, 3}}; int x = in & 7, y = in & 7;
         int *p = malloc(8), *q = 0; p[0] = x; p[1] = y; if (in & 1) {{ q = malloc(12); q[0] = q[1] = q[2] = 9; }}
         {}
         if (p && p != q) free(p); if (q) free(q); return 0; }}",
        body.join("\n")
    )
}

#[test]
fn random_programs() {
    let count = std::env::var("BELAY_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let first = std::env::var("BELAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let (mut decided, mut open) = (0, Vec::new());
    for seed in first..first + count {
        let source = program(seed);
        let Some(violated) = exhaustive(&source, 3) else { continue };
        for property in PROPERTIES {
            let expected = if violated.contains(&property) { "false" } else { "true" };
            let found = snippets::answer(&source, property);
            if found == "true" || found == "false" {
                assert_eq!(found, expected, "seed {seed}, {property} of\n{source}");
                decided += 1;
            } else if !found.starts_with("a run may end by a violation") {
                open.push(format!("seed {seed} {property}: {found}"));
            }
        }
    }
    println!("decided {decided}, open {}: {open:#?}", open.len());
    assert!(decided > 5 * open.len(), "{open:#?}");
}
