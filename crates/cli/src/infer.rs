//! `belay infer`: a C file with the contracts that Belay finds for its functions.
//!
//! What each function requires is what `--each-function` finds and proves to suffice; what it writes and frees is proposed from its code. A contract is written only if
//! checking the body against it (`--enforce`) proves every clause and every property, on the file as it is written. So nothing that stands in the file
//! is a guess.

use std::path::{Path, PathBuf};

use belay_ir::Property;
use clap::{Args, ValueEnum};

use crate::arguments::CheckOptions;
use crate::check;
use crate::each_function::{Found, Library, enforce_in_child, find_in_child};
use crate::failure::{exit, failure, frontend_failure};
use crate::proofs::made::Scratch;
use crate::sandbox::{Response, was_interrupted};

/// How contracts are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Spelling {
    /// The macros of belay.h, which any compiler accepts
    Belay,
    /// CBMC's clauses
    Cbmc,
}

#[derive(Args, Clone, Debug)]
pub struct InferOptions {
    #[command(flatten)]
    pub check: CheckOptions,
    /// The words in which contracts are written
    #[arg(long, value_name = "WORDS", default_value = "belay")]
    pub spelling: Spelling,
    /// Where to write the file with its contracts (default: standard output)
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Finds contracts and writes them into a copy of the file.
pub fn infer(options: &InferOptions) -> Response {
    let ([file], None) = (options.check.program.files.as_slice(), &options.check.program.database) else {
        return failure(exit::USAGE, "belay infer takes one C file");
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return failure(exit::INPUT, &format!("{}: {error}", file.display())),
    };
    let library = match Library::load(&options.check) {
        Ok(library) => library,
        Err(error) => return frontend_failure(&error),
    };
    let properties = check::properties_of_functions(&options.check);
    let mut written = Written { text, notes: String::new(), contracts: 0, functions: 0 };
    let only = &options.check.only;
    let wanted = library.entries().iter().filter(|entry| only.is_empty() || only.contains(&entry.name));
    for entry in wanted {
        if was_interrupted() {
            break;
        }
        written.functions += 1;
        let found = find_in_child(&options.check, &library, entry, &properties);
        written.add(options, file, (&entry.name, found), &properties);
    }
    finish(options, written)
}

/// The file so far.
struct Written {
    text: String,
    notes: String,
    contracts: usize,
    functions: usize,
}

impl Written {
    fn note(&mut self, function: &str, why: &str) {
        self.notes.push_str(&format!("belay: note: {function}: no contract: {why}\n"));
    }

    /// Adds a function's contract, if `--enforce` accepts it.
    fn add(&mut self, options: &InferOptions, file: &Path, (name, found): (&str, Found), properties: &[Property]) {
        let clauses = match found {
            Found::Contract(clauses) => clauses,
            Found::Nothing(why) => return self.note(name, &why),
        };
        let Some(text) = belay_frontend::annotate(&self.text, name, &clauses) else {
            return self.note(name, "its definition is not found in the file");
        };
        match accepted(options, file, (name, &text), properties) {
            Ok(()) => {
                self.contracts += 1;
                let said: Vec<String> = clauses.iter().map(|clause| options.spelling.spell(clause)).collect();
                self.text = belay_frontend::annotate(&self.text, name, &said).unwrap_or(text);
            }
            Err(why) => self.note(name, &why),
        }
    }
}

impl Spelling {
    /// A clause in CBMC's words in these.
    fn spell(self, clause: &str) -> String {
        const WORDS: &[(&str, &str)] = &[
            ("__CPROVER_requires", "belay_requires"),
            ("__CPROVER_assigns", "belay_assigns"),
            ("__CPROVER_frees", "belay_frees"),
            ("__CPROVER_is_fresh", "belay_is_fresh"),
            ("__CPROVER_is_cstring", "belay_is_string"),
            ("__CPROVER_object_whole", "belay_object"),
            ("__CPROVER_DYNAMIC_OBJECT", "belay_is_heap"),
            ("__BELAY_is_terminated", "belay_is_terminated"),
        ];
        match self {
            Spelling::Cbmc => clause.to_owned(),
            Spelling::Belay => WORDS.iter().fold(clause.to_owned(), |text, (one, other)| text.replace(one, other)),
        }
    }
}

/// Whether the body keeps the contract; else why that is not shown. (Contracts that stand in the file in the words of belay.h are not asked for again.)
fn accepted(
    options: &InferOptions,
    file: &Path,
    (name, text): (&str, &str),
    properties: &[Property],
) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let folder = Scratch::new().ok_or("there is no folder for it")?;
    let copy = folder.path().join(file.file_name().unwrap_or_default());
    let text = text.replace(INCLUDE, "");
    std::fs::write(&copy, text).map_err(failed)?;
    std::fs::write(folder.path().join("belay.h"), HEADER).map_err(failed)?;
    let beside = file.parent().map(Path::to_owned).filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or_else(|| PathBuf::from("."));
    let beside = std::fs::canonicalize(&beside).map_err(failed)?;
    let mut options = options.check.clone();
    options.program.files = vec![copy];
    options.program.flags.extend(["-iquote".to_owned(), beside.display().to_string()]);
    options.program.flags.extend(["-include".to_owned(), folder.path().join("belay.h").display().to_string()]);
    options.program.enforce = Some(name.to_owned());
    enforce_in_child(&options, properties)
}

const INCLUDE: &str = "#include \"belay.h\"\n";
const HEADER: &str = include_str!("../../../include/belay.h");

/// Sees to it that what includes the header finds it; what is to be said of that.
fn header_beside(path: &Path) -> String {
    let header = path.with_file_name("belay.h");
    if header.exists() {
        return String::new();
    }
    match std::fs::write(&header, HEADER) {
        Ok(()) => format!("belay: note: {} is written too, which any compiler accepts\n", header.display()),
        Err(error) => format!("belay: note: {} is needed and can't be written: {error}\n", header.display()),
    }
}

fn finish(options: &InferOptions, written: Written) -> Response {
    let Written { mut text, mut notes, contracts, functions } = written;
    if options.spelling == Spelling::Belay && contracts > 0 && !text.contains(INCLUDE) {
        text.insert_str(0, INCLUDE);
    }
    notes.push_str(&format!("belay: note: {contracts} of {functions} functions have a contract now\n"));
    if let (true, Some(path)) = (text.contains(INCLUDE), &options.output) {
        notes.push_str(&header_beside(path));
    }
    let code = if contracts == functions { exit::PROVED } else { exit::UNKNOWN };
    let output = match &options.output {
        None => text.into_bytes(),
        Some(path) => match std::fs::write(path, text) {
            Ok(()) => Vec::new(),
            Err(error) => return failure(exit::INPUT, &format!("{}: {error}", path.display())),
        },
    };
    Response { code, output, errors: notes.into_bytes() }
}
