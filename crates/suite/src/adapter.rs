//! How a verifier is called and how its answer is read: Belay itself, or a peer that a file describes.
//!
//! ```json
//! { "name": "cbmc",
//!   "command": ["cbmc", "--unwind", "10", "{property}", "{files}"],
//!   "properties": { "unreach-call": ["--no-standard-checks"], "memsafety": ["--pointer-check", "--memory-leak-check"] },
//!   "models": { "LP64": ["--64"], "ILP32": ["--32"] },
//!   "true": "VERIFICATION SUCCESSFUL", "false": "VERIFICATION FAILED" }
//! ```
//!
//! A property that the file does not name is not asked of that tool.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::run::Limits;
use crate::task::{Task, read};

/// A verifier.
#[derive(Clone, Debug)]
pub enum Adapter {
    /// Belay: the program, and flags for each call.
    Belay(PathBuf, Vec<String>),
    /// Another tool.
    Peer(Peer),
}

/// A tool that is no Belay.
#[derive(Clone, Debug, Deserialize)]
pub struct Peer {
    name: String,
    command: Vec<String>,
    #[serde(default)]
    properties: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    models: BTreeMap<String, Vec<String>>,
    #[serde(rename = "true")]
    proved: String,
    #[serde(rename = "false")]
    violated: String,
}

/// Reads the description of a peer.
pub fn read_adapter(path: &Path) -> Result<Adapter, String> {
    let peer: Peer = serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    if peer.command.is_empty() {
        return Err(format!("{}: the command is empty", path.display()));
    }
    Ok(Adapter::Peer(peer))
}

impl Adapter {
    /// The name of the tool.
    pub fn name(&self) -> &str {
        match self {
            Adapter::Belay(..) => "belay",
            Adapter::Peer(peer) => &peer.name,
        }
    }

    /// True if the tool can be asked about the task.
    pub fn takes(&self, task: &Task) -> bool {
        match self {
            Adapter::Belay(..) => true,
            Adapter::Peer(peer) => peer.properties.contains_key(&task.property) && task.integers == "machine",
        }
    }

    /// The command line for a task.
    pub fn command(&self, task: &Task, limits: Limits) -> Vec<String> {
        let files = task.files.iter().map(|file| file.to_string_lossy().into_owned());
        match self {
            Adapter::Belay(program, flags) => {
                let mut words = vec![program.to_string_lossy().into_owned(), "check".to_owned()];
                words.extend(files);
                let (seconds, mib) = (limits.seconds.to_string(), limits.mebibytes.to_string());
                let fixed = [
                    ("--property", task.property.as_str()),
                    ("--data-model", &task.data_model),
                    ("--integers", &task.integers),
                    ("--time-limit", &seconds),
                    ("--memory-limit", &mib),
                    ("--threads", "1"),
                ];
                words.extend(fixed.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value.to_owned()]));
                words.extend(task.flags.iter().chain(flags).cloned());
                if !task.compiler_flags.is_empty() {
                    words.push("--".to_owned());
                    words.extend(task.compiler_flags.iter().cloned());
                }
                words
            }
            Adapter::Peer(peer) => {
                let none = Vec::new();
                let files: Vec<String> = files.collect();
                let mut words = Vec::new();
                for word in &peer.command {
                    match word.as_str() {
                        "{files}" => words.extend(files.iter().cloned()),
                        "{property}" => words.extend(peer.properties.get(&task.property).unwrap_or(&none).clone()),
                        "{model}" => words.extend(peer.models.get(&task.data_model).unwrap_or(&none).clone()),
                        _ => words.push(word.replace("{seconds}", &limits.seconds.to_string())),
                    }
                }
                words
            }
        }
    }

    /// What the tool's output and exit code say.
    pub fn verdict(&self, task: &Task, output: &str, code: Option<i32>) -> String {
        match self {
            Adapter::Belay(..) => {
                let start = format!("VERDICT {} ", task.property);
                let mut found = output.lines().filter_map(|line| line.strip_prefix(&start));
                let (Some(verdict), None) = (found.next(), found.next()) else { return "error".to_owned() };
                let fits = match verdict.split('(').next().unwrap_or_default() {
                    "true" => code == Some(0),
                    "false" => code == Some(10),
                    "unknown" => code == Some(5),
                    _ => false,
                };
                if fits { verdict.to_owned() } else { "error".to_owned() }
            }
            Adapter::Peer(peer) if output.contains(&peer.proved) => "true".to_owned(),
            Adapter::Peer(peer) if output.contains(&peer.violated) => "false".to_owned(),
            Adapter::Peer(_) => "unknown(no verdict)".to_owned(),
        }
    }
}
