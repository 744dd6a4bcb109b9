//! One task, and where tasks come from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What is known of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The property holds.
    True,
    /// It is violated.
    False,
    /// Nobody says; run, not scored.
    Unknown,
}

/// A program, a property, and what is known of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Names the task in results: the same from run to run, whatever the folder that the suite lies in.
    pub name: String,
    /// The part of the suite that it belongs to.
    pub suite: String,
    /// The sources.
    pub files: Vec<PathBuf>,
    /// The property, by Belay's name.
    pub property: String,
    /// The answer.
    pub expected: Expected,
    /// Which part of the property is violated, where that is known.
    pub kind: Option<String>,
    /// `LP64` or `ILP32`.
    pub data_model: String,
    /// `machine` or `unbounded`.
    pub integers: String,
    /// Further flags for Belay, and for clang.
    pub flags: Vec<String>,
    /// Flags for the compiler.
    pub compiler_flags: Vec<String>,
}

impl Task {
    /// A task of 64-bit C with machine integers.
    pub fn new(name: String, files: Vec<PathBuf>, property: &str, expected: Expected) -> Self {
        Self {
            name,
            suite: "suite".to_owned(),
            files,
            property: property.to_owned(),
            expected,
            kind: None,
            data_model: "LP64".to_owned(),
            integers: "machine".to_owned(),
            flags: Vec::new(),
            compiler_flags: Vec::new(),
        }
    }

    /// What stands in results: the task and its property.
    pub fn key(&self) -> (String, String) {
        (self.name.clone(), self.property.clone())
    }
}

/// Reads a suite: an index (`.jsonl`), a task definition (`.yml`), a set of them (`.set`) or a folder of programs.
pub fn read_suite(path: &Path) -> Result<Vec<Task>, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let tasks = match ending {
        _ if path.is_dir() => crate::folder::read_folder(path)?,
        "jsonl" => crate::index::read_index(path)?,
        "yml" | "yaml" => crate::benchexec::read_definition(path)?,
        "set" => crate::benchexec::read_set(path)?,
        _ => return Err(format!("{}: a suite is a folder, an index (.jsonl), a .yml or a .set", path.display())),
    };
    if tasks.is_empty() {
        return Err(format!("{}: no tasks", path.display()));
    }
    Ok(tasks)
}

/// One task in `every`, always the same ones: chosen by a hash of the name, so that a task that is added moves no other.
pub fn sample(tasks: Vec<Task>, every: u64) -> Vec<Task> {
    if every <= 1 {
        return tasks;
    }
    tasks.into_iter().filter(|task| hash(&task.name, &task.property).is_multiple_of(every)).collect()
}

/// FNV-1a with a last mixing: the same on every machine.
fn hash(name: &str, property: &str) -> u64 {
    let bytes = name.bytes().chain([0]).chain(property.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// The text of a file, or one sentence about why there is none. C sources are in any encoding: what is no UTF-8 is in strings and comments, and says nothing of the task.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
