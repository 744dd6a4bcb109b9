//! Results in a file that survives a crash: a line a task, appended and brought to disk before the next task is begun.
//!
//! A line counts when it ends in a newline and can be read. What a crash left of a line is cut off before anything is appended, so that nothing is
//! lost but the task under way, and nothing stands there twice.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::task::Expected;

/// What came of one task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Result {
    /// The task's name.
    pub task: String,
    /// The part of the suite.
    pub suite: String,
    /// The property.
    pub property: String,
    /// What is known of the answer.
    pub expected: Expected,
    /// The violated part that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What the tool said: `true`, `false(valid-free)`, `unknown(…)`, `timeout`, `error`.
    pub verdict: String,
    /// Seconds of processor time.
    pub cpu: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// The most memory, in MiB.
    pub mib: u64,
}

impl Result {
    /// What names a task in results.
    pub fn key(&self) -> (String, String) {
        (self.task.clone(), self.property.clone())
    }
}

/// A file of results that is written to.
pub struct Results {
    file: File,
    done: BTreeMap<(String, String), Result>,
}

impl Results {
    /// Opens the file and reads what is in it already. One process at a time may have it.
    pub fn open(path: &Path) -> std::result::Result<Self, String> {
        let fail = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let mut file = File::options().read(true).append(true).create(true).open(path).map_err(fail)?;
        // SAFETY: the descriptor is open for the whole call.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
            return Err(format!("{} is being written by another process", path.display()));
        }
        let bytes = std::fs::read(path).map_err(fail)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        file.set_len(whole as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let done = parse(&String::from_utf8_lossy(&bytes[..whole]));
        Ok(Self { file, done: done.into_iter().map(|result| (result.key(), result)).collect() })
    }

    /// True if a task has its result.
    pub fn has(&self, key: &(String, String)) -> bool {
        self.done.contains_key(key)
    }

    /// Adds a result for good.
    pub fn add(&mut self, result: Result) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(&result)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()?;
        self.done.insert(result.key(), result);
        Ok(())
    }

    /// All results, by task.
    pub fn all(&self) -> Vec<Result> {
        self.done.values().cloned().collect()
    }
}

/// Reads results; of a task that stands there several times the last one counts.
pub fn read_results(path: &Path) -> std::result::Result<Vec<Result>, String> {
    let text = crate::task::read(path)?;
    let whole = text.rfind('\n').map_or(0, |last| last + 1);
    let by_task: BTreeMap<_, _> = parse(&text[..whole]).into_iter().map(|result| (result.key(), result)).collect();
    Ok(by_task.into_values().collect())
}

fn parse(text: &str) -> Vec<Result> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
    use super::*;

    fn result(task: &str) -> Result {
        Result {
            task: task.to_owned(),
            suite: "s".to_owned(),
            property: "memsafety".to_owned(),
            expected: Expected::True,
            kind: None,
            verdict: "true".to_owned(),
            cpu: 0.5,
            wall: 0.5,
            mib: 10,
        }
    }

    #[test]
    fn a_torn_line_is_cut_off_and_nothing_else_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let mut results = Results::open(&path).unwrap();
        results.add(result("a")).unwrap();
        drop(results);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"task\":\"b\",\"sui");
        std::fs::write(&path, text).unwrap();
        let mut results = Results::open(&path).unwrap();
        assert!(results.has(&result("a").key()) && !results.has(&result("b").key()));
        results.add(result("b")).unwrap();
        drop(results);
        assert_eq!(read_results(&path).unwrap(), vec![result("a"), result("b")]);
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let _first = Results::open(&path).unwrap();
        assert!(Results::open(&path).is_err());
    }
}
