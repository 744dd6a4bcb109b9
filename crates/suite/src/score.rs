//! What a verdict is worth, as SV-COMP counts.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::results::Result;
use crate::task::Expected;

/// What came of a task, judged by what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Outcome {
    Proof,
    Bug,
    BugOfOtherKind,
    Unknown,
    Timeout,
    Error,
    Unscored,
    WrongAlarm,
    WrongProof,
}

impl Outcome {
    const ALL: [Outcome; 9] = [
        Outcome::Proof,
        Outcome::Bug,
        Outcome::BugOfOtherKind,
        Outcome::Unknown,
        Outcome::Timeout,
        Outcome::Error,
        Outcome::Unscored,
        Outcome::WrongAlarm,
        Outcome::WrongProof,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Proof => "proof",
            Outcome::Bug => "bug",
            Outcome::BugOfOtherKind => "other kind",
            Outcome::Unknown => "unknown",
            Outcome::Timeout => "timeout",
            Outcome::Error => "error",
            Outcome::Unscored => "unscored",
            Outcome::WrongAlarm => "WRONG ALARM",
            Outcome::WrongProof => "WRONG PROOF",
        }
    }

    /// True if the verdict is what is known.
    pub fn is_solved(self) -> bool {
        matches!(self, Outcome::Proof | Outcome::Bug)
    }

    /// True if the verdict contradicts what is known.
    pub fn is_wrong(self) -> bool {
        matches!(self, Outcome::WrongAlarm | Outcome::WrongProof)
    }

    /// The points.
    pub fn points(self) -> i64 {
        match self {
            Outcome::Proof => 2,
            Outcome::Bug => 1,
            Outcome::WrongAlarm => -16,
            Outcome::WrongProof => -32,
            Outcome::BugOfOtherKind | Outcome::Unknown | Outcome::Timeout | Outcome::Error | Outcome::Unscored => 0,
        }
    }
}

/// Judges a result.
pub fn judge(result: &Result) -> Outcome {
    let (word, kind) = result.verdict.split_once('(').unwrap_or((&result.verdict, ""));
    let kind = kind.trim_end_matches(')');
    match (word, result.expected) {
        ("true" | "false", Expected::Unknown) => Outcome::Unscored,
        ("true", Expected::True) => Outcome::Proof,
        ("true", Expected::False) => Outcome::WrongProof,
        ("false", Expected::True) => Outcome::WrongAlarm,
        ("false", Expected::False) => match &result.kind {
            Some(wanted) if !kind.is_empty() && wanted != kind => Outcome::BugOfOtherKind,
            Some(_) | None => Outcome::Bug,
        },
        ("timeout", _) => Outcome::Timeout,
        ("unknown", _) => Outcome::Unknown,
        _ => Outcome::Error,
    }
}

/// Counts by suite and property.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<(String, String), BTreeMap<Outcome, usize>>,
    solved: Vec<f64>,
    points: i64,
}

/// Counts the outcomes.
pub fn table(results: &[Result]) -> Table {
    let mut table = Table::default();
    for result in results {
        let outcome = judge(result);
        let row = table.rows.entry((result.suite.clone(), result.property.clone())).or_default();
        *row.entry(outcome).or_default() += 1;
        table.points += outcome.points();
        if outcome.is_solved() {
            table.solved.push(result.cpu);
        }
    }
    table.solved.sort_by(f64::total_cmp);
    table
}

impl Table {
    /// How many tasks came to this.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.values().filter_map(|row| row.get(&outcome)).sum()
    }

    /// The table for people.
    pub fn render(&self) -> String {
        let used: Vec<Outcome> = Outcome::ALL.into_iter().filter(|outcome| self.count(*outcome) > 0).collect();
        let mut text = format!("{:18} {:14} {:>6}", "suite", "property", "tasks");
        for outcome in &used {
            let _ = write!(text, " {:>11}", outcome.name());
        }
        text.push('\n');
        for ((suite, property), row) in &self.rows {
            let _ = write!(text, "{suite:18} {property:14} {:>6}", row.values().sum::<usize>());
            for outcome in &used {
                let _ = write!(text, " {:>11}", row.get(outcome).copied().unwrap_or(0));
            }
            text.push('\n');
        }
        let all: usize = self.rows.values().flat_map(BTreeMap::values).sum();
        let wrong = self.count(Outcome::WrongAlarm) + self.count(Outcome::WrongProof);
        let mean = self.solved.iter().sum::<f64>() / self.solved.len().max(1) as f64;
        let median = self.solved.get(self.solved.len() / 2).copied().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "{} of {all} solved, {wrong} wrong, {} points; CPU of the solved: median {median:.2} s, mean {mean:.2} s",
            self.solved.len(),
            self.points
        );
        text
    }
}
