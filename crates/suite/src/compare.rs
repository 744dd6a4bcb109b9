//! Two or more files of results side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::results::Result;
use crate::score::judge;

/// Several runs of the same tasks.
pub struct Comparison {
    /// What the runs are called.
    pub names: Vec<String>,
    /// For each task the result in each run that has one.
    pub rows: BTreeMap<(String, String), Vec<Option<Result>>>,
}

/// Puts results side by side, by task.
pub fn compare(runs: Vec<(String, Vec<Result>)>) -> Comparison {
    let mut rows: BTreeMap<(String, String), Vec<Option<Result>>> = BTreeMap::new();
    let (names, results): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    let keys: BTreeSet<_> = results.iter().flatten().map(Result::key).collect();
    for key in keys {
        rows.insert(key, vec![None; names.len()]);
    }
    for (index, results) in results.into_iter().enumerate() {
        for result in results {
            if let Some(row) = rows.get_mut(&result.key()) {
                row[index] = Some(result);
            }
        }
    }
    Comparison { names, rows }
}

impl Comparison {
    /// True if the runs came to different outcomes for a task that all of them have.
    pub fn differs(row: &[Option<Result>]) -> bool {
        let outcomes: Vec<_> = row.iter().flatten().map(judge).collect();
        outcomes.len() == row.len() && outcomes.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// The ratio of CPU times of two runs over the tasks that both solved: geometric mean, and the number of tasks.
    pub fn ratio(&self, first: usize, second: usize) -> (f64, usize) {
        let both = self.rows.values().filter_map(|row| Some((row[first].as_ref()?, row[second].as_ref()?)));
        let solved = both.filter(|(a, b)| judge(a).is_solved() && judge(b).is_solved());
        // Times below a hundredth of a second are noise.
        let logs: Vec<f64> = solved.map(|(a, b)| (b.cpu.max(0.01) / a.cpu.max(0.01)).ln()).collect();
        ((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp(), logs.len())
    }

    /// What differs, for people.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for ((task, property), row) in self.rows.iter().filter(|(_, row)| Self::differs(row)) {
            let words: Vec<String> = row.iter().flatten().map(|one| one.verdict.clone()).collect();
            let _ = writeln!(text, "{task} {property}: {}", words.join(" -> "));
        }
        for second in 1..self.names.len() {
            let (ratio, count) = self.ratio(0, second);
            let _ = writeln!(
                text,
                "{} against {}: CPU time {ratio:.2} times (geometric mean of {count} tasks that both solved)",
                self.names[second], self.names[0]
            );
        }
        text
    }
}
