//! What a proof was made from, by digests of its parts, and what has changed since.
//!
//! A function is what it was translated to, without the lines that it stands at; what it calls is named beside it, so that a change of a callee shows
//! in all that rely on it, inlined or not. Library models are functions. The digests decide nothing: a claim is checked on the program as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use belay_base::Span;
use belay_ir::{CallGraph, FuncId, Program, print_function};
use sha2::{Digest, Sha256};

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionOrigin {
    sha256: String,
    /// True of a library model.
    model: bool,
    calls: BTreeSet<String>,
}
stored_struct!(FunctionOrigin { sha256, model, calls });

/// What a proof was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The version of Belay, which is that of its rules and models.
    belay: String,
    /// The sources, by the names that they were given by.
    files: Vec<String>,
    /// The options that say which program it is and what it means.
    options: Vec<String>,
    layout: String,
    functions: BTreeMap<String, FunctionOrigin>,
    globals: BTreeMap<String, String>,
}
stored_struct!(Origin { belay, files, options, layout, functions, globals });

/// What is no longer as it was.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Another version made the proof.
    Version(String),
    /// It was made with these options.
    Options(String),
    /// Sizes and alignments.
    Layout,
    /// A function, what became of it, and the functions that rely on it.
    Function(String, Became, BTreeSet<String>),
    /// A static object.
    Global(String, Became),
}

/// What became of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Became {
    /// Another.
    Different,
    /// It is new.
    New,
    /// It is no longer there.
    Gone,
}

impl Origin {
    /// That of a program that was read from these files with these options.
    pub fn new(program: &Program, files: Vec<String>, options: Vec<String>) -> Origin {
        let plain = without_places(program);
        let graph = CallGraph::new(program);
        let name = |id: FuncId| program.functions[id].name.clone();
        let function = |id: FuncId| {
            let calls = graph.callees(id).iter().map(|callee| name(*callee)).collect();
            let sha256 = digest(&print_function(&plain, id));
            (name(id), FunctionOrigin { sha256, model: program.functions[id].is_model, calls })
        };
        Origin {
            belay: env!("CARGO_PKG_VERSION").to_owned(),
            files,
            options,
            layout: digest(&format!("{:?}", program.layout)),
            functions: program.functions.ids().map(function).collect(),
            globals: plain.globals.iter().map(|global| (global.name.clone(), digest(&format!("{global:?}")))).collect(),
        }
    }

    /// The sources.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The options.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The version of Belay.
    pub fn version(&self) -> &str {
        &self.belay
    }

    /// How many functions and static objects there were.
    pub fn size(&self) -> (usize, usize) {
        (self.functions.len(), self.globals.len())
    }

    /// What of it is different in another. Where the sources lie does not matter.
    pub fn changes(&self, now: &Origin) -> Vec<Change> {
        let Origin { belay, files: _, options, layout, functions, globals } = self;
        let mut changes = Vec::new();
        changes.extend((*belay != now.belay).then(|| Change::Version(belay.clone())));
        changes.extend((*options != now.options).then(|| Change::Options(options.join(" "))));
        changes.extend((*layout != now.layout).then_some(Change::Layout));
        let of_functions = compare(functions, &now.functions);
        let relying = |name: &str| now.callers(name).into_iter().collect();
        changes.extend(of_functions.into_iter().map(|(name, became)| {
            let relying = relying(&name);
            Change::Function(name, became, relying)
        }));
        changes.extend(compare(globals, &now.globals).into_iter().map(|(name, became)| Change::Global(name, became)));
        changes
    }

    /// A digest of all that a run from this function may come to, with the options and all static objects; `others` are functions that are entered besides it.
    pub fn digest_from(&self, entry: &str, others: &BTreeSet<String>) -> String {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut todo: Vec<&str> = others.iter().map(String::as_str).chain([entry]).collect();
        while let Some(name) = todo.pop() {
            if let Some(function) = self.functions.get(name).filter(|_| found.insert(name)) {
                todo.extend(function.calls.iter().map(String::as_str));
            }
        }
        let functions: Vec<_> = found.into_iter().map(|name| (name, self.functions.get(name))).collect();
        digest(&format!("{:?}", (entry, &self.belay, &self.options, &self.layout, functions, &self.globals)))
    }

    /// The functions that call a function, directly or through others.
    fn callers(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut todo = vec![name.to_owned()];
        while let Some(callee) = todo.pop() {
            for (caller, _) in self.functions.iter().filter(|(_, function)| function.calls.contains(&callee)) {
                if caller != name && found.insert(caller.clone()) {
                    todo.push(caller.clone());
                }
            }
        }
        found
    }
}

fn compare<T: PartialEq>(before: &BTreeMap<String, T>, now: &BTreeMap<String, T>) -> Vec<(String, Became)> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let became = |name: &String| match (before.get(name), now.get(name)) {
        (Some(one), Some(other)) if one == other => None,
        (Some(_), Some(_)) => Some(Became::Different),
        (None, _) => Some(Became::New),
        (Some(_), None) => Some(Became::Gone),
    };
    names.into_iter().filter_map(|name| became(name).map(|became| (name.clone(), became))).collect()
}

fn without_places(program: &Program) -> Program {
    let mut plain = program.clone();
    for function in plain.functions.iter_mut() {
        function.span = Span::NONE;
        function.locals.iter_mut().for_each(|local| local.span = Span::NONE);
        function.insts.iter_mut().for_each(|inst| inst.span = Span::NONE);
        function.blocks.iter_mut().for_each(|block| block.term_span = Span::NONE);
    }
    plain.globals.iter_mut().for_each(|global| global.span = Span::NONE);
    plain
}

/// The SHA-256 of a text, in hexadecimal digits.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Became {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Became::Different => "has changed",
            Became::New => "is new",
            Became::Gone => "is gone",
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Version(version) => write!(f, "the proof was made by version {version}"),
            Change::Options(options) if options.is_empty() => f.write_str("the proof was made without options"),
            Change::Options(options) => write!(f, "the proof was made with {options}"),
            Change::Layout => f.write_str("the sizes of types have changed"),
            Change::Global(name, became) => write!(f, "the static object {name} {became}"),
            Change::Function(name, became, relying) => {
                write!(f, "the function {name} {became}")?;
                let shown: Vec<&str> = relying.iter().take(5).map(String::as_str).collect();
                let more = relying.len().saturating_sub(shown.len());
                match (shown.is_empty(), more) {
                    (true, _) => Ok(()),
                    (false, 0) => write!(f, " ({} rely on it)", shown.join(", ")),
                    (false, more) => write!(f, " ({} and {more} more rely on it)", shown.join(", ")),
                }
            }
        }
    }
}
