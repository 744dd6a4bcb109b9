//! What is said of a witness that somebody else may have written.

use std::path::Path;

use super::lint::Complaint;
use super::model::Entry;
use crate::hash::sha256;

/// Whether a witness's claim is so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessAnswer {
    /// It is; the verdict on the program.
    Confirmed(String),
    /// That is not known, for this reason.
    Open(String),
}

/// What became of an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is proved.
    Holds,
    /// It is not proved.
    NotShown,
    /// It is of a kind that is not looked at, or has no place in the program.
    NotLookedAt,
}

/// The answer, in a line.
pub fn describe_witness(answer: &WitnessAnswer) -> String {
    match answer {
        WitnessAnswer::Confirmed(verdict) => format!("WITNESS confirmed: {verdict}\n"),
        WitnessAnswer::Open(reason) => format!("WITNESS not confirmed: {reason}\n"),
    }
}

/// The invariants with their lines, a line each.
pub fn describe_invariants(invariants: &[(u64, String, Kept)]) -> String {
    let line = |(line, text, kept): &(u64, String, Kept)| {
        let kept = match kept {
            Kept::Holds => "holds",
            Kept::NotShown => "is not proved",
            Kept::NotLookedAt => "was not looked at",
        };
        format!("line {line}: {text} {kept}\n")
    };
    invariants.iter().map(line).collect()
}

/// What is wrong with a witness, a line each.
pub fn describe_complaints(file: &str, complaints: &[Complaint]) -> String {
    let line = |complaint: &Complaint| match complaint.line {
        0 => format!("{file}: {}\n", complaint.what),
        number => format!("{file}:{number}: {}\n", complaint.what),
    };
    complaints.iter().map(line).collect()
}

/// True if the witness is about a file with these contents.
pub fn file_is_of_witness(entry: &Entry, file: &Path) -> bool {
    let hashes = &entry.metadata.task.input_file_hashes.value;
    std::fs::read(file).is_ok_and(|bytes| hashes.values().any(|hash| hash.eq_ignore_ascii_case(&sha256(&bytes))))
}
