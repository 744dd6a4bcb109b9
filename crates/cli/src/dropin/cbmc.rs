//! `belay cbmc`: an object, or sources, checked; the answer in CBMC's words and with its exit codes.

use std::path::{Path, PathBuf};

use super::build::read_input;
use super::note_once;
use super::object::Object;
use crate::arguments::ProofsOptions;
use crate::failure::{exit, failure};
use crate::proofs::find::Proof;
use crate::proofs::made::Scratch;
use crate::proofs::plain::more_than_call;
use crate::proofs::result::{Standing, judge};
use crate::proofs::{PROPERTIES, run_check};
use crate::sandbox::Response;

/// How to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ui {
    Text,
    Json,
    Xml,
}

struct Asked {
    inputs: Vec<PathBuf>,
    flags: Vec<String>,
    entry: Option<String>,
    object_bits: Option<String>,
    unwindset: Vec<String>,
    nondet_static: bool,
    left_out: Vec<&'static str>,
    ui: Ui,
    output: Option<PathBuf>,
    time_limit: u64,
    memory_limit: u64,
    unknown: Vec<String>,
}

impl Asked {
    fn nothing() -> Self {
        Asked {
            inputs: Vec::new(),
            flags: Vec::new(),
            entry: None,
            object_bits: None,
            unwindset: Vec::new(),
            nondet_static: false,
            left_out: Vec::new(),
            ui: Ui::Text,
            output: None,
            time_limit: 600,
            memory_limit: 4000,
            unknown: Vec::new(),
        }
    }
}

fn parse(arguments: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::nothing();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("cbmc: {word} lacks its value"));
        let mut number = || value()?.parse::<u64>().map_err(|_| format!("cbmc: {word} takes a number"));
        match word.as_str() {
            "--function" => asked.entry = Some(value()?),
            "--object-bits" => asked.object_bits = Some(value()?),
            "--unwindset" | "--unwind" => asked.unwindset.push(value()?),
            "--nondet-static" => asked.nondet_static = true,
            "--json-ui" => asked.ui = Ui::Json,
            "--xml-ui" => asked.ui = Ui::Xml,
            "--outfile" => asked.output = Some(PathBuf::from(value()?)),
            "--time-limit" => asked.time_limit = number()?,
            "--memory-limit" => asked.memory_limit = number()?,
            "-I" | "-D" => asked.flags.push(format!("{word}{}", value()?)),
            "--no-signed-overflow-check" => asked.left_out.push("no-overflow"),
            "--no-pointer-check" => asked.left_out.extend(["valid-deref", "valid-free"]),
            "--no-assertions" => asked.left_out.push("unreach-call"),
            "--no-standard-checks" => {
                asked.left_out.extend(["no-overflow", "valid-deref", "valid-free", "arithmetic"]);
            }
            "--cover" | "--show-properties" | "--show-loops" | "--show-goto-functions" => {
                return Err(format!("cbmc: {word} is not answered"));
            }
            "--verbosity" | "--depth" | "--external-sat-solver" | "--sat-solver" => {
                value()?;
            }
            // What Belay does anyway, or how CBMC searches.
            "--trace"
            | "--flush"
            | "--slice-formula"
            | "--bounds-check"
            | "--pointer-check"
            | "--div-by-zero-check"
            | "--signed-overflow-check"
            | "--undefined-shift-check"
            | "--pointer-primitive-check"
            | "--malloc-may-fail"
            | "--malloc-fail-null"
            | "--unwinding-assertions"
            | "--no-unwinding-assertions"
            | "--smt2"
            | "--z3"
            | "--bitwuzla"
            | "--cvc5"
            | "--refine"
            | "--arrays-uf-always"
            | "--no-array-field-sensitivity"
            | "--validate-goto-model"
            | "--stop-on-fail"
            | "--compact-trace" => {}
            flag if super::is_meant(flag) => asked.flags.push(flag.to_owned()),
            flag if flag.starts_with('-') => asked.unknown.push(flag.to_owned()),
            file => asked.inputs.push(PathBuf::from(file)),
        }
    }
    Ok(asked)
}

/// Checks a program.
pub fn cbmc(arguments: &[String]) -> Response {
    if arguments.iter().any(|word| word == "--version") {
        let output = format!("{} (Belay)\n", env!("CARGO_PKG_VERSION")).into_bytes();
        return Response { code: exit::PROVED, output, errors: Vec::new() };
    }
    let asked = match parse(arguments) {
        Ok(asked) if asked.inputs.is_empty() => return failure(exit::INTERNAL, "cbmc: no input file"),
        Ok(asked) => asked,
        Err(message) => return failure(exit::USAGE, &message),
    };
    let mut object = Object::default();
    for input in &asked.inputs {
        match read_input(input, &asked.flags) {
            Ok(read) => object.join(read),
            Err(response) => return Response { code: exit::INTERNAL, ..response },
        }
    }
    object.entry = asked.entry.clone().or(object.entry);
    object.nondet_static |= asked.nondet_static;
    object.unwindset.extend(asked.unwindset.iter().cloned());
    let scratch = Scratch::new();
    let proof = scratch.as_ref().ok_or("no folder for the program's files".to_owned());
    match proof.and_then(|scratch| spread(&object, &asked, scratch.path())) {
        Ok(proof) => run(&proof, &asked),
        Err(message) => failure(exit::INTERNAL, &message),
    }
}

/// The object's files in a folder, and the proof that they make.
fn spread(object: &Object, asked: &Asked, folder: &Path) -> Result<Proof, String> {
    let mut lists: Vec<&Vec<String>> =
        object.units.iter().map(|unit| &unit.removed).filter(|list| !list.is_empty()).collect();
    lists.sort();
    lists.dedup();
    if lists.len() > 1 {
        return Err("bodies are removed from some files and others from others, which is not handled".to_owned());
    }
    if object.enforced.len() > 1 {
        return Err("the contracts of several functions are checked at once: one at a time is handled".to_owned());
    }
    let mut proof = Proof {
        name: object.entry.clone().unwrap_or_else(|| "main".to_owned()),
        folder: folder.to_owned(),
        entry: object.entry.clone().unwrap_or_else(|| "main".to_owned()),
        removed: lists.first().map(|list| (*list).clone()).unwrap_or_default(),
        unwindset: object.unwindset.clone(),
        nondet_static: object.nondet_static,
        object_bits: asked.object_bits.clone(),
        enforced: object.enforced.clone(),
        replaced: object.replaced.clone(),
        ..Proof::default()
    };
    for (index, unit) in object.units.iter().enumerate() {
        // Other files know a static function by the name of its file.
        let name = Path::new(&unit.path).file_name().unwrap_or_default();
        let place = folder.join(index.to_string()).join(name);
        let write = || {
            place.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(&place, &unit.text)
        };
        write().map_err(|error| format!("{}: {error}", place.display()))?;
        let is_project = !unit.removed.is_empty();
        if is_project {
            proof.project_sources.push(place)
        } else {
            proof.proof_sources.push(place)
        }
        let new = unit.flags.iter().filter(|flag| !proof.flags.contains(flag)).cloned().collect::<Vec<_>>();
        proof.flags.extend(new);
    }
    let texts: Vec<&str> = object.units.iter().map(|unit| unit.text.as_str()).collect();
    let more = object.enforced.first().and_then(|function| more_than_call(&texts, &proof.entry, function));
    more.map_or(Ok(proof), Err)
}

fn run(proof: &Proof, asked: &Asked) -> Response {
    let options = ProofsOptions {
        folder: proof.folder.clone(),
        only: Vec::new(),
        jobs: 1,
        time_limit: asked.time_limit,
        memory_limit: asked.memory_limit,
        show_commands: false,
        strength: false,
    };
    let said = match std::env::current_exe()
        .map_err(|error| error.to_string())
        .and_then(|program| run_check(&program, proof, &options))
    {
        Ok(said) => said,
        Err(message) => return failure(exit::INTERNAL, &message),
    };
    let left_out = |line: &str| asked.left_out.iter().any(|name| line.starts_with(&format!("VERDICT {name} ")));
    let kept: String = said.output.lines().filter(|line| !left_out(line)).map(|line| format!("{line}\n")).collect();
    let said = crate::proofs::result::Said { output: kept, ..said };
    let row = judge(proof, &said);
    let code = match row.standing {
        Standing::Proved | Standing::WithinBound => exit::PROVED,
        Standing::Violated => exit::VIOLATED,
        Standing::Unknown => exit::UNKNOWN,
        Standing::NotRun => exit::INTERNAL,
    };
    let results = results(&said.output);
    let output = match asked.ui {
        Ui::Text => text(&results, &said.output, code, row.standing),
        Ui::Json => json(&results, code),
        Ui::Xml => xml(&results, code),
    };
    let mut errors = note_once("cbmc", &asked.unknown);
    if row.standing == Standing::NotRun {
        errors.extend(said.errors.into_bytes());
    }
    match &asked.output {
        Some(file) => match std::fs::write(file, output) {
            Ok(()) => Response { code, output: Vec::new(), errors },
            Err(error) => failure(exit::INTERNAL, &format!("{}: {error}", file.display())),
        },
        None => Response { code, output: output.into_bytes(), errors },
    }
}

/// One property and how it came out: its name, CBMC's word, the reason.
struct Outcome {
    name: &'static str,
    status: &'static str,
    reason: String,
}

fn results(output: &str) -> Vec<Outcome> {
    let of = |name: &'static str| {
        let line = output.lines().find_map(|line| line.strip_prefix(&format!("VERDICT {name} ")))?;
        let (word, reason) = line.split_once('(').unwrap_or((line, ""));
        let status = match word {
            "true" => "SUCCESS",
            "false" => "FAILURE",
            _ => "UNKNOWN",
        };
        Some(Outcome { name, status, reason: reason.trim_end_matches(')').to_owned() })
    };
    PROPERTIES.split(',').filter(|name| *name != "termination").filter_map(of).collect()
}

fn word(code: u8) -> &'static str {
    match code {
        exit::PROVED => "SUCCESSFUL",
        exit::VIOLATED => "FAILED",
        exit::UNKNOWN => "INCONCLUSIVE",
        _ => "ERROR",
    }
}

fn text(results: &[Outcome], said: &str, code: u8, standing: Standing) -> String {
    let mut out = format!("{said}\n** Results:\n");
    for Outcome { name, status, reason } in results {
        let why = if reason.is_empty() || reason == name { String::new() } else { format!(" ({reason})") };
        out.push_str(&format!("[{name}] {status}{why}\n"));
    }
    out.push_str(&format!("\nBelay: {}\nVERIFICATION {}\n", standing.word(), word(code)));
    out
}

fn json(results: &[Outcome], code: u8) -> String {
    let each: Vec<String> = results
        .iter()
        .map(|Outcome { name, status, reason }| {
            format!("{{ \"property\": \"{name}\", \"status\": \"{status}\", \"description\": {} }}", quoted(reason))
        })
        .collect();
    let status = match code {
        exit::PROVED => "success",
        exit::VIOLATED => "failure",
        _ => "inconclusive",
    };
    format!(
        "[\n  {{ \"program\": \"Belay {}\" }},\n  {{ \"result\": [\n    {}\n  ] }},\n  {{ \"cProverStatus\": \"{status}\" }}\n]\n",
        env!("CARGO_PKG_VERSION"),
        each.join(",\n    ")
    )
}

/// A text as JSON has it.
fn quoted(text: &str) -> String {
    let letter = |letter: char| match letter {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        control if (control as u32) < 0x20 => format!("\\u{:04x}", control as u32),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

fn xml(results: &[Outcome], code: u8) -> String {
    let each: String = results
        .iter()
        .map(|Outcome { name, status, .. }| format!("<result property=\"{name}\" status=\"{status}\"/>\n"))
        .collect();
    let status = match code {
        exit::PROVED => "SUCCESS",
        exit::VIOLATED => "FAILURE",
        _ => "ERROR",
    };
    let program = format!("<program>Belay {}</program>", env!("CARGO_PKG_VERSION"));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cprover>\n{program}\n{each}<cprover-status>{status}</cprover-status>\n</cprover>\n"
    )
}
