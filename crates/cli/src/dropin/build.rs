//! `belay goto-cc` and `belay goto-instrument`: programs put together, as the make rules of proofs ask for it.

use std::path::{Path, PathBuf};

use belay_ir::DataModel;

use super::note_once;
use super::object::{Object, Unit};
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::Response;

fn done() -> Response {
    Response { code: exit::PROVED, output: Vec::new(), errors: Vec::new() }
}

/// What a command line asks of the compiler.
#[derive(Default)]
struct Compile {
    inputs: Vec<PathBuf>,
    output: Option<PathBuf>,
    entry: Option<String>,
    flags: Vec<String>,
    only_compiles: bool,
    unknown: Vec<String>,
}

impl Compile {
    fn parse(arguments: &[String]) -> Option<Compile> {
        let mut asked = Compile::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-c" => asked.only_compiles = true,
                "-o" => asked.output = Some(PathBuf::from(words.next()?)),
                "--function" => asked.entry = Some(words.next()?.clone()),
                "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote" => {
                    asked.flags.extend([word.clone(), words.next()?.clone()]);
                }
                "--verbosity" | "--native-compiler" | "--native-linker" | "--object-bits" => {
                    words.next()?;
                }
                // Static functions keep the names that goto-cc gives them wherever somebody says them.
                "--export-file-local-symbols" | "-g" | "-w" | "-pedantic" | "-S" | "-E" => {}
                flag if flag.starts_with("-W") || flag.starts_with("-O") || flag.starts_with("-g") => {}
                flag if super::is_meant(flag) => asked.flags.push(flag.to_owned()),
                flag if flag.starts_with('-') => asked.unknown.push(flag.to_owned()),
                file => asked.inputs.push(PathBuf::from(file)),
            }
        }
        Some(asked)
    }
}

/// Reads files, and puts objects together.
pub fn goto_cc(arguments: &[String]) -> Response {
    if arguments.iter().any(|word| word == "--version" || word == "-v") {
        return Response { output: format!("{} (Belay)\n", env!("CARGO_PKG_VERSION")).into_bytes(), ..done() };
    }
    let Some(asked) = Compile::parse(arguments) else {
        return failure(exit::USAGE, "goto-cc: a flag lacks its value");
    };
    if asked.inputs.is_empty() {
        return failure(exit::USAGE, "goto-cc: no input file");
    }
    let mut object = Object::default();
    for input in &asked.inputs {
        match read_input(input, &asked.flags) {
            Ok(read) => object.join(read),
            Err(response) => return response,
        }
    }
    object.entry = asked.entry.clone().or(object.entry);
    let default = || match (asked.only_compiles, asked.inputs.first()) {
        (true, Some(first)) => PathBuf::from(first.with_extension("o").file_name().unwrap_or_default()),
        (_, _) => PathBuf::from("a.out"),
    };
    match object.store(&asked.output.clone().unwrap_or_else(default)) {
        Ok(()) => Response { errors: note_once("goto-cc", &asked.unknown), ..done() },
        Err(message) => failure(exit::INPUT, &message),
    }
}

/// A source or an object.
pub fn read_input(input: &Path, flags: &[String]) -> Result<Object, Response> {
    let extension = input.extension().map(|extension| extension.to_string_lossy().into_owned());
    if !matches!(extension.as_deref(), Some("c" | "i")) {
        return Object::load(input).map_err(|message| failure(exit::INPUT, &message));
    }
    let mut defined = flags.to_vec();
    defined.push("-D__CPROVER=1".to_owned());
    let text =
        belay_frontend::preprocess(input, &defined, DataModel::Lp64).map_err(|error| frontend_failure(&error))?;
    let keeps = |flag: &&String| flag.starts_with("-std") || flag.starts_with("-f") || flag.as_str() == "-ansi";
    let flags = flags.iter().filter(keeps).cloned().collect();
    let unit = Unit { path: input.display().to_string(), text, flags, removed: Vec::new() };
    Ok(Object { units: vec![unit], ..Object::default() })
}

/// Notes what is to be done with an object.
pub fn goto_instrument(arguments: &[String]) -> Response {
    if arguments.iter().any(|word| word == "--version") {
        return Response { output: format!("{} (Belay)\n", env!("CARGO_PKG_VERSION")).into_bytes(), ..done() };
    }
    let mut changes = Object::default();
    let (mut removed, mut files, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let (flag, joined) = word.split_once('=').map_or((word.as_str(), None), |(flag, value)| (flag, Some(value)));
        let mut value = || joined.map(str::to_owned).or_else(|| words.next().cloned()).unwrap_or_default();
        match flag {
            "--remove-function-body" => removed.push(value()),
            "--nondet-static" => changes.nondet_static = true,
            "--enforce-contract" | "--enforce-contract-rec" => changes.enforced.push(bare_name(&value())),
            "--replace-call-with-contract" => changes.replaced.push(bare_name(&value())),
            "--dfcc" => changes.entry = Some(value()),
            "--unwindset" | "--unwind" => changes.unwindset.push(value()),
            "--verbosity" | "--object-bits" => {
                value();
            }
            // Bounds are hints, what is not needed is left out anyway, allocations may fail, and loops have their contracts checked wherever they have some.
            "--apply-loop-contracts"
            | "--loop-contracts-no-unwind"
            | "--add-library"
            | "--malloc-may-fail"
            | "--malloc-fail-null"
            | "--slice-global-inits"
            | "--drop-unused-functions"
            | "--remove-function-pointers"
            | "--unwinding-assertions"
            | "--no-unwinding-assertions"
            | "--partial-loops"
            | "--disable-loop-contracts-side-effect-check" => {}
            // Which functions a pointer may lead to is known by what it holds.
            "--restrict-function-pointer" | "--restrict-function-pointer-by-name" => {
                value();
            }
            other if other.starts_with('-') => unknown.push(word.clone()),
            file => files.push(PathBuf::from(file)),
        }
    }
    let [input, output] = files.as_slice() else {
        return failure(exit::USAGE, "goto-instrument: an object to read and one to write are needed");
    };
    let mut object = match Object::load(input) {
        Ok(object) => object,
        Err(message) => return failure(exit::INPUT, &message),
    };
    object.units.iter_mut().for_each(|unit| unit.removed.extend(removed.iter().cloned()));
    object.entry = changes.entry.take().or(object.entry);
    object.join(changes);
    match object.store(output) {
        Ok(()) => Response { errors: note_once("goto-instrument", &unknown), ..done() },
        Err(message) => failure(exit::INPUT, &message),
    }
}

/// `f/contract_of_f` names another function's contract, which is f's own where both are the same.
fn bare_name(name: &str) -> String {
    name.split('/').next().unwrap_or(name).to_owned()
}
