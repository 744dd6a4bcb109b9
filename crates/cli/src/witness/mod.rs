//! `belay witness`: whether a file is a witness, and whether what it says of a program is so.

mod correctness;
mod instrument;
mod search;
mod violation;

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{Answer, Task};
use belay_ir::Property;
use belay_report::{
    WitnessAnswer, WitnessEntry, describe_complaints, describe_invariants, describe_witness, file_is_of_witness,
    parse_specification, read_witness,
};

use crate::arguments::{CheckWitnessOptions, LintOptions, WitnessCommand};
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Response, SandboxLimits, in_child};
use crate::source;

/// Looks at a witness.
pub fn witness(command: &WitnessCommand) -> Response {
    match command {
        WitnessCommand::Lint(options) => lint(options),
        WitnessCommand::Check(options) => check(options),
    }
}

fn lint(options: &LintOptions) -> Response {
    match read(&options.file) {
        Ok(_) => Response { code: exit::PROVED, output: b"a witness\n".to_vec(), errors: Vec::new() },
        Err(response) => response,
    }
}

fn read(file: &std::path::Path) -> Result<Vec<WitnessEntry>, Response> {
    let name = file.display();
    let text =
        std::fs::read_to_string(file).map_err(|error| failure(exit::INPUT, &format!("cannot read {name}: {error}")))?;
    read_witness(&text).map_err(|complaints| {
        let errors = describe_complaints(&name.to_string(), &complaints).into_bytes();
        Response { code: exit::INPUT, output: Vec::new(), errors }
    })
}

fn check(options: &CheckWitnessOptions) -> Response {
    let entries = match read(&options.file) {
        Ok(entries) => entries,
        Err(response) => return response,
    };
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let unanswered = |reason: &str| Response {
        code: exit::UNKNOWN,
        output: describe_witness(&WitnessAnswer::Open(reason.to_owned())).into_bytes(),
        errors: Vec::new(),
    };
    in_child(limits, |progress| {
        progress.say("checking the witness");
        check_entries(options, &entries).unwrap_or_else(|response| response)
    })
    .unwrap_or_else(|died| match died {
        Died::Time => unanswered("time limit reached"),
        Died::Memory => unanswered("memory limit reached"),
        Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
        Died::Crash(what) => failure(exit::INTERNAL, &what),
    })
}

/// The worst of the entries' answers counts.
fn check_entries(options: &CheckWitnessOptions, entries: &[WitnessEntry]) -> Result<Response, Response> {
    let start = Instant::now();
    let program = source::load(&options.program)?;
    let entry = source::entry(&program, &options.program)?;
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, options.rules.integers.into())
        .map_err(|error| failure(exit::INTERNAL, &format!("a pass broke the program: {error}")))?;
    let config = source::config(&program, entry, &options.program, &options.rules, options.memory_limit)?;
    let task = Task { program: &program, simplified: &simplified, config };
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let budget = Budget::unlimited().until(start + limit);
    let mut text = String::new();
    let mut code = exit::PROVED;
    for (index, entry) in entries.iter().enumerate() {
        let share = 100 / (entries.len() - index) as u32;
        let answer = check_entry(options, entry, &task, &budget.share(share, u64::MAX), &mut text);
        if !matches!(answer, WitnessAnswer::Confirmed(_)) {
            code = exit::UNKNOWN;
        }
        text.push_str(&describe_witness(&answer));
    }
    Ok(Response { code, output: text.into_bytes(), errors: Vec::new() })
}

fn check_entry(
    options: &CheckWitnessOptions,
    entry: &WitnessEntry,
    task: &Task<'_>,
    budget: &Budget,
    text: &mut String,
) -> WitnessAnswer {
    let open = |reason: &str| WitnessAnswer::Open(reason.to_owned());
    if !options.program.files.iter().all(|file| file_is_of_witness(entry, file)) {
        return open("the witness is of another program");
    }
    let properties = parse_specification(&entry.metadata.task.specification.value);
    if properties.is_empty() {
        return open("the specification names no property that Belay knows");
    }
    match entry.entry_type.value.as_str() {
        "violation_sequence" => check_violation(options, entry, &properties, task, budget),
        _ => check_proof(options, entry, &properties, task, budget, text),
    }
}

fn check_violation(
    options: &CheckWitnessOptions,
    entry: &WitnessEntry,
    properties: &[Property],
    task: &Task<'_>,
    budget: &Budget,
) -> WitnessAnswer {
    for (index, property) in properties.iter().enumerate() {
        let share = budget.share(100 / (properties.len() - index) as u32, u64::MAX);
        let verdict = violation::follow(options, entry, *property, task, &share);
        if verdict.is_some_and(|verdict| matches!(verdict.answer(), Answer::False(_))) {
            return WitnessAnswer::Confirmed(format!("false({property})"));
        }
    }
    WitnessAnswer::Open("no run along the witness that violates the property was found".to_owned())
}

fn check_proof(
    options: &CheckWitnessOptions,
    entry: &WitnessEntry,
    properties: &[Property],
    task: &Task<'_>,
    budget: &Budget,
    text: &mut String,
) -> WitnessAnswer {
    for (index, property) in properties.iter().enumerate() {
        let share = budget.share(100 / (properties.len() - index) as u32, u64::MAX);
        let examined = correctness::examine(options, entry, *property, task.program, &share);
        if index == 0 {
            text.push_str(&describe_invariants(&examined.invariants));
        }
        if examined.verdict.is_none() {
            return WitnessAnswer::Open(format!("{property} is not proved with what the witness says"));
        }
    }
    WitnessAnswer::Confirmed("true".to_owned())
}

/// True if a condition only looks: it assigns nothing, calls nothing and divides by nothing, so that it neither changes nor ends a run.
fn is_harmless(condition: &str) -> bool {
    let tokens = instrument::tokens(condition);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    // `(f)(x)` looks like a cast.
    let is_cast = |at: usize| at > 0 && is_type(text(at - 1));
    // A comment is no token, but might not end with the condition.
    let has_comment = ["/*", "*/", "//"].iter().any(|mark| condition.contains(mark));
    !tokens.is_empty()
        && !has_comment
        && !assigns(condition)
        && (0..tokens.len()).all(|at| match text(at) {
            "/" | "%" | ";" | "{" | "}" | "#" | "\\" | "?" | "," => false,
            "+" | "-" => text(at + 1) != text(at),
            ")" => text(at + 1) != "(" || is_cast(at),
            "]" => text(at + 1) != "(",
            "sizeof" => true,
            quoted if quoted.starts_with('"') => false,
            _ => !tokens[at].is_word() || text(at + 1) != "(",
        })
}

/// True if an `=` is none of a comparison.
fn assigns(condition: &str) -> bool {
    let bytes = condition.as_bytes();
    let byte = |at: Option<usize>| at.and_then(|at| bytes.get(at).copied()).unwrap_or(b' ');
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'=' {
            at += 1;
            continue;
        }
        let (before, earlier) = (byte(at.checked_sub(1)), byte(at.checked_sub(2)));
        let compares = match before {
            b'!' => true,
            b'<' | b'>' => earlier != before,
            _ => byte(Some(at + 1)) == b'=' && !b"+-*/%&|^".contains(&before),
        };
        if !compares {
            return true;
        }
        at += if matches!(before, b'!' | b'<' | b'>') { 1 } else { 2 };
    }
    false
}

fn is_type(word: &str) -> bool {
    matches!(word, "int" | "long" | "short" | "char" | "unsigned" | "signed" | "_Bool" | "__int128")
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn conditions_that_act_are_refused() {
        for good in [
            "x == 5",
            "x <= y && !(y != 3)",
            "(long long)x + 1 >= 0",
            "a[i] == 0",
            "p->n < 3",
            "1",
            "x == (-2147483647 - 1)",
            "-x > 3",
        ] {
            assert!(is_harmless(good), "{good}");
        }
        for bad in [
            "x = 5",
            "x == (y = 5)",
            "f(x)",
            "x++ > 1",
            "--x",
            "1 / x",
            "x += 1",
            "x <<= 1",
            "",
            "x; y",
            "x *= 2",
            "(f)(x)",
            "x |= 1",
            "x ^= y",
        ] {
            assert!(!is_harmless(bad), "{bad}");
        }
    }
}
