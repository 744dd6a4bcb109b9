//! Programs with floats: what bounded model checking and k-induction claim, against runs with inputs at which something changes.
#![allow(clippy::unwrap_used)]

mod snippets;

use belay_base::Budget;
use belay_engines::bmc;
use belay_engines::kiki::{self, Options};
use belay_engines::{Outcome, Why};
use belay_evidence::{Checker, Claim, Evidence, Task};
use belay_interpreter::Interpreter;
use belay_ir::{DataModel, Property, Type};
use belay_rules::{Choice, ChoiceSource, Config, Request, RequestKind, Scalar};
use snippets::Random;

const PROPERTY: Property = Property::UnreachCall;

/// Inputs from a list, by the digits of a number.
struct Edges {
    digits: u64,
}

const FLOATS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.75,
    2.0,
    -2.0,
    1.999,
    1e-3,
    1e-45,
    -1e-30,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

impl ChoiceSource for Edges {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let RequestKind::Input { ty, .. } = &request.kind else { return None };
        let digit = self.digits as usize & 15;
        self.digits >>= 4;
        Some(Choice::Input(match ty {
            Type::F32 => Scalar::F32(FLOATS[digit]),
            Type::F64 => Scalar::F64(FLOATS[digit].into()),
            Type::Int(width) => Scalar::int(*width, digit as u64 & 3),
            Type::Ptr => return None,
        }))
    }
}

/// A float over `x`, `y`, `z`.
fn value(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return random.pick(&["x", "y", "z", "x", "1.0f", "0.5f", "(-2.0f)", "3.0f"]).to_owned();
    }
    let (a, b) = (value(random, depth - 1), value(random, depth - 1));
    match random.below(9) {
        0 | 1 => format!("({a} + {b})"),
        2 | 3 => format!("({a} * {b})"),
        4 => format!("({a} - {b})"),
        5 => format!("({a} / {b})"),
        6 => format!("(-({a}))"),
        7 => format!("({a} < {b} ? {a} : {b})"),
        _ => format!("(float)((double){a} * 0.1)"),
    }
}

fn condition(random: &mut Random) -> String {
    let (a, b) = (value(random, 1), value(random, 0));
    let compare = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    format!("{a} {compare} {b}")
}

fn statement(random: &mut Random) -> String {
    let name = random.pick(&["x", "y", "z"]);
    let v = value(random, 2);
    match random.below(8) {
        0..=2 => format!("{name} = {v};"),
        3 => format!("if ({}) {name} = {v};", condition(random)),
        4 => format!("assume({});", condition(random)),
        5 => format!("{name} = {name} >= -4.0f && {name} <= 4.0f ? (int){name} : 0;"),
        6 => format!("check(!({}) || {});", condition(random), condition(random)),
        _ => "if (in) z = float_in();".to_owned(),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bound = random.pick(&["2.0f", "1.0f", "100.0f"]);
    let body: Vec<String> = (0..2 + random.below(3)).map(|_| statement(&mut random)).collect();
    let looped = random.below(2) == 0;
    let (head, tail) = if looped { ("while (in) {", "}") } else { ("", "") };
    let limit = random.pick(&["2.0f", "4.0f", "1e4f", "0.0f"]);
    let shown = random.pick(&["x <= LIMIT", "x >= -LIMIT", "z == z", "x * x >= 0.0f", "y <= LIMIT || y != y"]);
    format!(
        "float __VERIFIER_nondet_float(void);
         float float_in(void) {{ float v = __VERIFIER_nondet_float(); assume(v >= -{bound} && v <= {bound}); return v; }}
         int main(void) {{ float x = float_in(), y = __VERIFIER_nondet_float(), z = 0.0f;
         {head}
         {}
         {tail}
         check({}); return 0; }}",
        body.join("\n"),
        shown.replace("LIMIT", limit)
    )
}

fn violated(source: &str, random: &mut Random) -> bool {
    let (program, _) = snippets::compile(source, DataModel::Lp64);
    let interpreter = Interpreter::new(&program, Config::new(program.function_named("main").unwrap()));
    let runs = (0..256)
        .map(|digits: u64| digits)
        .chain((0..2000).map(|_| random.below(1 << 30) << 30 | random.below(1 << 30)));
    runs.into_iter().any(|digits| {
        let report = interpreter.run(&mut Edges { digits }, &Budget::steps(3_000));
        report.violation_of(PROPERTY).is_some()
    })
}

#[test]
fn random_floats() {
    let seeds: u64 = std::env::var("BELAY_FLOAT_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(60);
    let mut random = Random(77);
    let (mut proved, mut refuted, mut violations) = (0, 0, 0);
    for seed in 0..seeds {
        let source = program(seed);
        let violated = violated(&source, &mut random);
        violations += u32::from(violated);
        let (program, simplified) = snippets::compile(&source, DataModel::Lp64);
        let entry = program.function_named("main").unwrap();
        let task = Task { program: &program, simplified: &simplified, config: Config::new(entry) };
        let budget = Budget::steps(20_000);
        let depth = bmc::Depth { bound: 4, certain: 16 };
        let proof = match bmc::check(&task, &[PROPERTY], depth, &budget).pop().unwrap().1 {
            Outcome::Claims(Evidence::Proof(proof)) => Some(proof),
            Outcome::Claims(evidence) => {
                let claim = Claim { property: PROPERTY, evidence };
                Checker::new(&task, &Budget::unlimited()).check(claim).unwrap();
                refuted += 1;
                None
            }
            Outcome::GaveUp(gave_up) | Outcome::Moot(gave_up) => {
                assert!(gave_up.why != Why::Internal, "{:?}\n{source}", gave_up.reason);
                let options = Options::default();
                kiki::check(&task, &[PROPERTY], options, &Budget::steps(30_000)).pop().unwrap().1.proof()
            }
        };
        if let Some(proof) = proof {
            proved += 1;
            assert!(!violated, "proved, but a run violates it\n{source}");
            let budget = Budget::unlimited();
            let verdict = Checker::new(&task, &budget).check(Claim::proof(PROPERTY, proof));
            assert!(verdict.is_ok(), "{}\n{source}", verdict.unwrap_err());
        }
    }
    let share = seeds as u32 / 12;
    assert!(proved > share && refuted > share && violations > share, "{proved} proved, {refuted} refuted");
}
