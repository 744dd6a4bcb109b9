//! What the tests of the command line share.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses its part, and may fail by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The repository's root.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The built binary.
pub fn belay() -> Command {
    Command::new(env!("CARGO_BIN_EXE_belay"))
}

/// The results of `belay check --format json`.
pub fn answer(command: &mut Command) -> Result<Vec<Value>, String> {
    let output = command.output().map_err(|error| format!("belay did not start: {error}"))?;
    let errors = text(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no JSON ({error}), exit {:?}, stderr: {}", output.status.code(), errors.trim()))?;
    report["results"].as_array().cloned().ok_or_else(|| "the report has no results".to_owned())
}

/// Output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What was printed, for a failing assertion.
pub fn shown(output: &Output) -> String {
    format!("{}\nstdout: {}\nstderr: {}", output.status, text(&output.stdout), text(&output.stderr))
}

/// A folder of one test, removed when the test is over.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A fresh folder, with the test's name in its own.
    pub fn new(name: &str) -> Scratch {
        Scratch(tempfile::Builder::new().prefix(&format!("belay-test-{name}-")).tempdir().unwrap())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file into the folder.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}
