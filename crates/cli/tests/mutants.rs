//! Mutated test programs: what the engines claim against runs of the interpreter. A `true` that any drawn run contradicts is a bug, and so is
//! a claim that its checker rejects. Seeds are fixed; failing programs are kept and named.
//!
//! `BELAY_MUTANTS` says how many programs the soak tries (1000), `BELAY_MUTANTS_SEED` where it starts (1).
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod snippets;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::{EngineName, Options, Session};
use belay_evidence::{Answer, Task};
use belay_frontend::Source;
use belay_interpreter::{Interpreter, RunEnd, Seeded};
use belay_ir::{IntegerModel, Program, Property};
use belay_rules::{ChoiceSource, Config};
use snippets::{Numbered, Random};

const PROPERTIES: [Property; 7] = [
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::MemCleanup,
    Property::NoOverflow,
    Property::Arithmetic,
    Property::UnreachCall,
];

/// A piece of source: what may be exchanged for what.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Number,
    Name,
    Operator,
    /// Comments, strings, white space, lines of the preprocessor: never changed.
    Fixed,
}

fn tokens(source: &str) -> Vec<(Kind, String)> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let line_end = |from: usize| bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| from + n);
    let run = |from: usize, test: fn(&u8) -> bool| {
        from + bytes[from..].iter().position(|byte| !test(byte)).unwrap_or(bytes.len() - from)
    };
    while at < bytes.len() {
        let (kind, end) = match bytes[at] {
            b'#' => (Kind::Fixed, line_end(at)),
            b'/' if bytes.get(at + 1) == Some(&b'/') => (Kind::Fixed, line_end(at)),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                (Kind::Fixed, source[at..].find("*/").map_or(bytes.len(), |n| at + n + 2))
            }
            quote @ (b'"' | b'\'') => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (Kind::Fixed, (end + 1).min(bytes.len()))
            }
            b'0'..=b'9' => (Kind::Number, run(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'.')),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                (Kind::Name, run(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
            }
            byte if byte.is_ascii_punctuation() => {
                let two =
                    source.get(at..at + 2).is_some_and(|two| OPERATORS.iter().flat_map(|s| *s).any(|op| *op == two));
                (Kind::Operator, at + if two { 2 } else { 1 })
            }
            _ => (Kind::Fixed, at + source[at..].chars().next().map_or(1, char::len_utf8)),
        };
        found.push((kind, source[at..end].to_owned()));
        at = end;
    }
    found
}

/// Operators that may stand for each other.
const OPERATORS: [&[&str]; 6] = [
    &["<", "<=", ">", ">=", "==", "!="],
    &["+", "-", "*"],
    &["&&", "||"],
    &["++", "--"],
    &["+=", "-=", "*="],
    &["%", "/", "&", "|", "^"],
];

/// Runs of a program of which something was proved.
const RUNS: u64 = 150;

const TYPES: &[&str] = &["int", "unsigned", "char", "short", "long", "signed"];

fn mutate(random: &mut Random, source: &str) -> String {
    let mut pieces = tokens(source);
    for _ in 0..1 + random.below(3) {
        change(random, &mut pieces);
    }
    let text: String = pieces.into_iter().map(|(_, text)| text).collect();
    format!("int __VERIFIER_nondet_int(void);\n{text}")
}

fn change(random: &mut Random, pieces: &mut Vec<(Kind, String)>) {
    let of_kind = |pieces: &[(Kind, String)], kind| -> Vec<usize> {
        (0..pieces.len()).filter(|index| pieces[*index].0 == kind).collect()
    };
    let some = |random: &mut Random, among: &[usize]| among[random.below(among.len() as u64) as usize];
    let (numbers, names) = (of_kind(pieces, Kind::Number), of_kind(pieces, Kind::Name));
    let operators = of_kind(pieces, Kind::Operator);
    match random.below(10) {
        0..=2 if !numbers.is_empty() => {
            let at = some(random, &numbers);
            pieces[at].1 = match (random.below(6), pieces[at].1.parse::<u64>()) {
                (0, Ok(number)) => (number + 1).to_string(),
                (1, Ok(number)) => number.saturating_sub(1).to_string(),
                (2, Ok(number)) => (2 * number + 1).to_string(),
                (3, _) => "__VERIFIER_nondet_int()".to_owned(),
                (4, _) => pieces[some(random, &numbers)].1.clone(),
                (_, _) => random.pick(&["0", "1", "2", "7", "127", "-1", "2147483647", "4294967295u"]).to_owned(),
            };
        }
        3..=5 => {
            let known: Vec<usize> = operators
                .iter()
                .copied()
                .filter(|at| OPERATORS.iter().any(|class| class.contains(&pieces[*at].1.as_str())))
                .collect();
            if known.is_empty() {
                return;
            }
            let at = some(random, &known);
            let class = OPERATORS.iter().find(|class| class.contains(&pieces[at].1.as_str())).unwrap();
            pieces[at].1 = random.pick(class).to_owned();
        }
        6 => {
            let types: Vec<usize> =
                names.iter().copied().filter(|at| TYPES.contains(&pieces[*at].1.as_str())).collect();
            if !types.is_empty() {
                let at = some(random, &types);
                pieces[at].1 = random.pick(TYPES).to_owned();
            }
        }
        7 | 8 => {
            // A statement is taken away or repeated.
            let ends: Vec<usize> = operators.iter().copied().filter(|at| pieces[*at].1 == ";").collect();
            if ends.len() > 2 {
                let pick = random.below(ends.len() as u64 - 1) as usize;
                let (from, to) = (ends[pick] + 1, ends[pick + 1] + 1);
                let statement = pieces[from..to].to_vec();
                let braces = statement.iter().any(|(_, text)| matches!(text.as_str(), "{" | "}" | "(" | ")"));
                match random.below(3) {
                    0 => drop(pieces.splice(to..to, statement)),
                    1 if !braces => drop(pieces.drain(from..to)),
                    _ => {}
                }
            }
        }
        _ if !names.is_empty() => {
            let (at, other) = (some(random, &names), some(random, &names));
            pieces[at].1 = pieces[other].1.clone();
        }
        _ => {}
    }
}

fn test_programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut files: Vec<PathBuf> = ["memory", "overflow", "reach", "termination", "frontend"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

fn load(path: &Path) -> Option<(Program, Program)> {
    let check_alignment = std::fs::read_to_string(path).is_ok_and(|text| text.contains("--check-alignment"));
    let source = Source { files: vec![path.to_owned()], check_alignment, ..Source::default() };
    let program = belay_frontend::load(&source).ok()?;
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).unwrap();
    Some((program, simplified))
}

/// What the engines say, within a small budget.
fn verdicts(task: &Task<'_>) -> Vec<(Property, bool, String)> {
    let engines = vec![
        EngineName::Structural,
        EngineName::Values,
        EngineName::Graph,
        EngineName::Bmc,
        EngineName::Summary,
        EngineName::Kiki,
    ];
    let options = Options { engines: Some(engines), most_steps: 40_000, ..Options::default() };
    let budget = Budget::unlimited().until(Instant::now() + Duration::from_secs(8));
    let (verdicts, _) = Session::new(task, &PROPERTIES, options, &budget).verify(&mut |_| {});
    let said = verdicts.iter().map(|verdict| match verdict.answer() {
        Answer::True(_) => (verdict.property(), true, String::new()),
        Answer::False(_) => (verdict.property(), false, String::new()),
        Answer::Unknown(unknown) => (verdict.property(), false, format!("{:?}", unknown.reason)),
    });
    said.collect()
}

/// A property that a run violates although it was proved, or a claim that was rejected.
fn disagreement(task: &Task<'_>) -> Result<usize, String> {
    let verdicts = verdicts(task);
    if let Some((property, _, reason)) = verdicts.iter().find(|verdict| verdict.2.contains("internal error")) {
        return Err(format!("{property:?}: {reason}"));
    }
    let proved: Vec<Property> = verdicts.into_iter().filter(|verdict| verdict.1).map(|verdict| verdict.0).collect();
    let interpreter = Interpreter::new(task.program, task.config.clone());
    for seed in 0..if proved.is_empty() { 0 } else { RUNS } {
        let mut small = Numbered { digits: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), undefined: Some(seed as u8) };
        let mut drawn = Seeded::new(seed);
        let source: &mut dyn ChoiceSource = if seed % 3 == 0 { &mut small } else { &mut drawn };
        let report = interpreter.run(source, &Budget::steps(20_000));
        if let Some(property) = proved.iter().find(|property| report.violation_of(**property).is_some()) {
            return Err(format!("{property:?} was proved, but the run of seed {seed} violates it"));
        }
        if report.choices.is_empty() && !matches!(report.end, RunEnd::BadChoice { .. }) {
            break;
        }
    }
    Ok(proved.len())
}

fn soak(name: &str, seed: u64, count: u64) {
    let programs = test_programs();
    let folder = std::env::temp_dir().join(format!("belay-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut failures, mut tried, mut proved) = (Vec::new(), 0, 0);
    for number in seed..seed + count {
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let of = &programs[random.below(programs.len() as u64) as usize];
        let path = folder.join(format!("{number}-{}", of.file_name().unwrap().to_string_lossy()));
        std::fs::write(&path, mutate(&mut random, &std::fs::read_to_string(of).unwrap())).unwrap();
        let found = load(&path).and_then(|(program, simplified)| {
            let config = Config::new(program.function_named("main")?);
            Some(disagreement(&Task { program: &program, simplified: &simplified, config }))
        });
        tried += u32::from(found.is_some());
        match found {
            Some(Err(what)) => failures.push(format!("{}: {what}", path.display())),
            Some(Ok(properties)) => {
                proved += properties;
                std::fs::remove_file(&path).unwrap();
            }
            None => std::fs::remove_file(&path).unwrap(),
        }
    }
    eprintln!("{tried} programs, {proved} properties proved, {} disagreements", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tried > 0 && proved > 0, "nothing was tried");
    let _ = std::fs::remove_dir(&folder);
}

#[test]
fn some_mutants() {
    soak("mutants-short", 1, 12);
}

#[test]
#[ignore = "minutes"]
fn many_mutants() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    soak("mutants", number("BELAY_MUTANTS_SEED", 1), number("BELAY_MUTANTS", 1000));
}
