//! The same suite on a cluster, as a job array of Slurm's.
//!
//! Tasks are dealt out to parts so that each part is expected to take about as long as the others: by the times of an earlier run where there is one, else by number.
//! Each part writes a file of results of its own; the parts are gathered into the one that the user named. Tasks that have no result when the array has ended, because a node
//! was lost or a limit of the cluster ended the part, are dealt out again, up to a number of rounds. The cluster's own tools do all scheduling.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::results::{Result as TaskResult, Results, read_results};
use crate::task::Task;

/// How the cluster is used.
pub struct Cluster {
    /// How many parts run side by side.
    pub parts: usize,
    /// Where parts leave their lists and results: a folder that all nodes see.
    pub folder: PathBuf,
    /// The command that runs one part: it gets `--part NUMBER` appended.
    pub command: Vec<String>,
    /// Times of an earlier run.
    pub expected: BTreeMap<(String, String), f64>,
    /// How often lost tasks are tried again.
    pub rounds: usize,
}

/// Runs what has no result yet; tells what it does.
pub fn run_on_cluster(
    tasks: &[Task],
    cluster: &Cluster,
    mut results: Results,
    tell: &dyn Fn(&str),
) -> Result<Results, String> {
    std::fs::create_dir_all(&cluster.folder).map_err(|error| format!("{}: {error}", cluster.folder.display()))?;
    for round in 1..=cluster.rounds {
        gather(&cluster.folder, &mut results)?;
        let open: Vec<&Task> = tasks.iter().filter(|task| !results.has(&task.key())).collect();
        if open.is_empty() {
            break;
        }
        let parts = deal_out(&open, cluster.parts, &cluster.expected);
        tell(&format!("round {round}: {} tasks in {} parts", open.len(), parts.len()));
        for (number, part) in parts.iter().enumerate() {
            let list: Vec<String> = part.iter().map(|task| format!("{}\t{}", task.name, task.property)).collect();
            write(&cluster.folder.join(format!("part-{number}.list")), &(list.join("\n") + "\n"))?;
        }
        let script = cluster.folder.join("part.sh");
        write(&script, &job_script(&cluster.command, &cluster.folder))?;
        submit(&script, parts.len())?;
    }
    gather(&cluster.folder, &mut results)?;
    Ok(results)
}

/// The tasks of each part: the longest first, each to the part that has least to do.
fn deal_out<'t>(open: &[&'t Task], parts: usize, expected: &BTreeMap<(String, String), f64>) -> Vec<Vec<&'t Task>> {
    let parts = parts.clamp(1, open.len().max(1));
    let time = |task: &Task| expected.get(&task.key()).copied().unwrap_or(1.0);
    let mut sorted: Vec<&Task> = open.to_vec();
    sorted.sort_by(|a, b| time(b).total_cmp(&time(a)).then_with(|| a.key().cmp(&b.key())));
    let mut dealt: Vec<(f64, Vec<&Task>)> = vec![(0.0, Vec::new()); parts];
    for task in sorted {
        let least = dealt.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0)).expect("there is a part");
        least.0 += time(task);
        least.1.push(task);
    }
    dealt.into_iter().map(|(_, tasks)| tasks).collect()
}

fn job_script(command: &[String], folder: &Path) -> String {
    let words: Vec<String> = command.iter().map(|word| quote(word)).collect();
    format!(
        "#!/bin/sh\n#SBATCH --output={0}/part-%a.log\n#SBATCH --requeue\nexec {1} --part \"$SLURM_ARRAY_TASK_ID\"\n",
        folder.display(),
        words.join(" ")
    )
}

fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Submits the array and waits until the cluster knows none of its jobs any more. `squeue` may fail while the daemon is away: it is asked again.
fn submit(script: &Path, parts: usize) -> Result<(), String> {
    let array = format!("--array=0-{}", parts.saturating_sub(1));
    let answer = Command::new("sbatch").arg("--parsable").arg(array).arg(script).output();
    let answer = answer.map_err(|error| format!("cannot run sbatch: {error}"))?;
    if !answer.status.success() {
        return Err(format!("sbatch: {}", String::from_utf8_lossy(&answer.stderr).trim()));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let job = text.trim().split(';').next().unwrap_or_default().to_owned();
    let mut silent = 0;
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let asked = Command::new("squeue").args(["--noheader", "--jobs", &job]).output();
        match asked {
            Ok(asked) if asked.status.success() && asked.stdout.iter().all(u8::is_ascii_whitespace) => return Ok(()),
            Ok(asked) if asked.status.success() => silent = 0,
            // A job that has left the books is unknown to squeue.
            Ok(asked) if String::from_utf8_lossy(&asked.stderr).contains("Invalid job id") => return Ok(()),
            Ok(_) | Err(_) => silent += 1,
        }
        if silent > 600 {
            return Err("the cluster has not answered for ten minutes".to_owned());
        }
    }
}

/// Takes over what the parts have written.
fn gather(folder: &Path, results: &mut Results) -> Result<(), String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")) {
        for result in read_results(file)?.into_iter().filter(is_final) {
            if !results.has(&result.key()) {
                results.add(result).map_err(|error| format!("cannot write the results: {error}"))?;
            }
        }
    }
    Ok(())
}

/// A tool that could not even be started is a fault of the node.
fn is_final(result: &TaskResult) -> bool {
    !(result.verdict == "error" && result.cpu == 0.0)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Expected;

    #[test]
    fn long_tasks_are_dealt_out_first() {
        let tasks: Vec<Task> = ["a", "b", "c", "d"]
            .iter()
            .map(|name| Task::new((*name).to_owned(), Vec::new(), "memsafety", Expected::True))
            .collect();
        let open: Vec<&Task> = tasks.iter().collect();
        let expected = BTreeMap::from([(tasks[2].key(), 10.0)]);
        let parts = deal_out(&open, 2, &expected);
        assert_eq!(parts[0], vec![&tasks[2]]);
        assert_eq!(parts[1].len(), 3);
    }
}
