//! Mutated answers for the solver interface: what a solver prints may be anything. No answer makes a panic or a wrong number.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use belay_logic::smt::{Smt, SmtAnswer, SmtConfig, parse_integer, parse_values};

/// Random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

const ANSWERS: &[&str] = &[
    "((x 5) (y (- 7)))",
    "((x (/ 1 3)) (y 0.5))",
    "((|a b| 99999999999999999999999999) (z (- (/ 7.0 2.0))))",
    "(((+ x y) 3))",
    "sat",
    "unsat",
    "unknown",
    "(error \"line 1 column 2: unexpected\")",
    "(:reason-unknown \"timeout\")",
];
const PIECES: &[&str] =
    &["(", ")", " ", "-", "/", "|", "\"", "0", "9", ".", "e", "\n", "\0", "é", "((", "))", "sat", "- -"];

fn mutated(random: &mut Random) -> String {
    let mut text: Vec<char> = ANSWERS[random.below(ANSWERS.len())].chars().collect();
    for _ in 0..random.below(8) {
        let at = random.below(text.len() + 1).min(text.len());
        let to = (at + random.below(5)).min(text.len());
        let piece: Vec<char> = match random.below(3) {
            0 => Vec::new(),
            1 => text[at..to].repeat(1 + random.below(30)),
            _ => PIECES[random.below(PIECES.len())].chars().collect(),
        };
        text.splice(at..to, piece);
    }
    text.into_iter().collect()
}

fn parse(seed: u64) {
    let mut random = Random(seed);
    let text = mutated(&mut random);
    for value in parse_values(&text).unwrap_or_default() {
        let _ = parse_integer(&value);
    }
    let _ = parse_integer(&text);
}

#[test]
fn mutated_answers_are_parsed_or_refused() {
    (0..20_000).for_each(parse);
}

#[test]
fn deep_answers_are_parsed_or_refused() {
    let deep = "(".repeat(200_000) + &")".repeat(200_000);
    let _ = parse_values(&deep);
    let _ = parse_integer(&("(- ".repeat(100_000) + "1" + &")".repeat(100_000)));
}

/// A whole process that answers every line with something from the list.
fn talk(seed: u64) {
    let mut random = Random(seed);
    let folder = std::env::temp_dir().join(format!("belay-fuzz-smt-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the stand-in");
    let program = folder.join("z3");
    let answer = mutated(&mut random).replace(['\'', '\0'], " ");
    let script = format!("#!/bin/sh\nwhile read -r line; do printf '%s\\n' '{answer}'; done\n");
    std::fs::write(&program, script).expect("the stand-in is written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("the stand-in is executable");
    let config = SmtConfig { program, deadline: Duration::from_millis(300), ..SmtConfig::default() };
    if let Ok(mut smt) = Smt::start(config) {
        let begun = Instant::now();
        let _ = smt.declare("x", "Int");
        let _ = smt.assert("(> x 1)");
        if let Ok(SmtAnswer::Sat) = smt.check() {
            let _ = smt.values(&["x"]);
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{answer}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

#[test]
fn a_solver_that_answers_anything() {
    (0..12).for_each(talk);
}

#[test]
#[ignore = "a minute"]
fn mutated_answers_for_a_minute() {
    let seconds = std::env::var("BELAY_FUZZ_SECONDS").ok().and_then(|value| value.parse().ok()).unwrap_or(60);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = 1_000_000;
    while Instant::now() < end {
        (seed..seed + 5000).for_each(parse);
        talk(seed);
        seed += 5000;
    }
}
