//! k-induction against the interpreter: random loops, run with every input. What the engine claims must hold, and the checker must
//! agree with the claim.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod snippets;

use belay_base::Budget;
use belay_engines::kiki::{self, Domain, KikiOutcome, Options};
use belay_evidence::{Checker, Proof, Task};
use belay_ir::{DataModel, Property};
use belay_semantics::{Choice, ChoiceSource, Config, Interpreter, Request, RequestKind, RunEnd, Scalar};

const PROPERTIES: [Property; 5] =
    [Property::ValidDeref, Property::ValidMemtrack, Property::MemCleanup, Property::NoOverflow, Property::UnreachCall];

/// Gives the program the digits of one number as inputs.
struct Numbered(u64);

impl ChoiceSource for Numbered {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        match &request.kind {
            RequestKind::Input { ty, .. } => {
                let value = self.0 & 7;
                self.0 >>= 3;
                Some(Choice::Input(Scalar::int(ty.int_width()?, value)))
            }
            RequestKind::Undefined => Some(Choice::Undefined(0x55)),
            RequestKind::Address { .. }
            | RequestKind::AllocFails { .. }
            | RequestKind::Arbitrary { .. }
            | RequestKind::ArgCount { .. }
            | RequestKind::ArgString { .. } => None,
        }
    }
}

/// Which properties some run violates.
fn violated(source: &str, inputs: u32) -> Vec<Property> {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let mut violated = Vec::new();
    for number in 0..1u64 << (3 * inputs) {
        let report = interpreter.run(&mut Numbered(number), &Budget::steps(3_000));
        if let RunEnd::BadChoice { .. } = report.end {
            continue;
        }
        violated.extend(PROPERTIES.iter().filter(|property| report.violation_of(**property).is_some()));
    }
    violated.sort();
    violated.dedup();
    violated
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
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
    let (program, simplified) = snippets::compile(source, DataModel::Lp64);
    let entry = program.function_named("main").unwrap();
    let task = Task { program: &program, simplified: &simplified, config: Config::new(entry) };
    let mut outcomes = kiki::check(&task, &[property], options, &Budget::steps(60_000));
    match outcomes.pop().unwrap().1 {
        KikiOutcome::Proved(induction) => {
            let budget = Budget::unlimited();
            let verdict = Checker::new(&task, &budget).confirm(property, Proof::Induction(induction));
            assert!(verdict.is_ok(), "{}\n{source}", verdict.unwrap_err());
            true
        }
        KikiOutcome::GaveUp { .. } => false,
    }
}

#[test]
fn random_loops() {
    let count = std::env::var("BELAY_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let first = std::env::var("BELAY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let (mut claimed, mut refuted) = (0, 0);
    for seed in first..first + count {
        let source = program(seed);
        let violated = violated(&source, 3);
        let domains =
            [None, Some(Domain::Havoc), Some(Domain::Intervals), Some(Domain::Zones), Some(Domain::Equalities)];
        let options = Options { domain: domains[seed as usize % domains.len()], k_induction: seed % 3 != 0 };
        for property in PROPERTIES {
            let claims = claims(&source, property, options);
            let is_violated = violated.contains(&property);
            assert!(!(claims && is_violated), "seed {seed}: {property} is claimed but violated, {options:?}\n{source}");
            claimed += u32::from(claims);
            refuted += u32::from(is_violated);
        }
        println!("seed {seed}: claimed {claimed}, violated {refuted}");
    }

    assert!(claimed > count as u32 / 4 && refuted > count as u32 / 4, "claimed {claimed}, violated {refuted}");
}
