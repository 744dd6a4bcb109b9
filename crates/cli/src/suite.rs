//! `belay suite`.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::Path;

use belay_suite::{
    Adapter, Cluster, Limits, Outcome, Progress, Results, Task, TaskResult, compare, judge, read_adapter, read_results,
    read_suite, render_page, run_on_cluster, run_tasks, sample, table,
};

use crate::arguments::SuiteOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// Runs a suite or compares results.
pub fn suite(options: &SuiteOptions) -> Response {
    match run(options).and_then(|own| finish(options, own)) {
        Ok(response) => response,
        Err(message) => failure(exit::INPUT, &message),
    }
}

/// The results of the tasks, if there are any to run.
fn run(options: &SuiteOptions) -> Result<Option<Vec<TaskResult>>, String> {
    let Some(index) = &options.index else { return Ok(None) };
    let mut tasks = chosen(options, index)?;
    let tool = match &options.tool {
        Some(file) => read_adapter(file)?,
        None => {
            let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
            Adapter::Belay(own, options.flags.split_whitespace().map(str::to_owned).collect())
        }
    };
    let limits = Limits { seconds: options.time_limit, mebibytes: options.memory_limit };
    if let Some(part) = options.part {
        tasks = of_part(tasks, &options.folder.join(format!("part-{part}.list")))?;
        let results = Results::open(&options.folder.join(format!("part-{part}.jsonl")))?;
        return Ok(Some(run_tasks(&tasks, &tool, limits, options.jobs, results, &|_, _| ())?.all()));
    }
    let results = Results::open(&options.out)?;
    let results = match options.slurm {
        Some(parts) => run_on_cluster(&tasks, &cluster(options, parts)?, results, &|text| eprintln!("belay: {text}"))?,
        None => run_tasks(&tasks, &tool, limits, options.jobs, results, &tell)?,
    };
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    let wanted: BTreeSet<_> = tasks.iter().map(Task::key).collect();
    Ok(Some(results.all().into_iter().filter(|result| wanted.contains(&result.key())).collect()))
}

fn chosen(options: &SuiteOptions, index: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = sample(read_suite(index)?, options.sample);
    tasks.retain(|task| options.matching.as_ref().is_none_or(|text| task.name.contains(text)));
    tasks.retain(|task| options.properties.is_empty() || options.properties.contains(&task.property));
    if tasks.is_empty() { Err("no task is left by --match, --property and --sample".to_owned()) } else { Ok(tasks) }
}

fn of_part(mut tasks: Vec<Task>, list: &Path) -> Result<Vec<Task>, String> {
    let text = std::fs::read_to_string(list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    let wanted: BTreeSet<&str> = text.lines().collect();
    tasks.retain(|task| wanted.contains(format!("{}\t{}", task.name, task.property).as_str()));
    Ok(tasks)
}

/// The same command for one part, on whichever node.
fn cluster(options: &SuiteOptions, parts: usize) -> Result<Cluster, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let folder =
        std::path::absolute(&options.folder).map_err(|error| format!("{}: {error}", options.folder.display()))?;
    let mut command = vec![own.to_string_lossy().into_owned()];
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--slurm" | "--folder" => drop(words.next()),
            _ if word.starts_with("--slurm=") || word.starts_with("--folder=") => {}
            _ => command.push(word),
        }
    }
    command.extend(["--folder".to_owned(), folder.to_string_lossy().into_owned()]);
    let mut expected = std::collections::BTreeMap::new();
    for file in &options.compare {
        expected.extend(read_results(file)?.into_iter().map(|result| (result.key(), result.wall)));
    }
    Ok(Cluster { parts, folder, command, expected, rounds: 3 })
}

/// A line on a terminal that is overwritten; what is wrong is told at once and stays.
fn tell(result: &TaskResult, progress: Progress) {
    let outcome = judge(result);
    let mut out = std::io::stderr().lock();
    let on_terminal = std::io::stderr().is_terminal();
    let clear = if on_terminal { "\r\x1b[K" } else { "" };
    if outcome.is_wrong() || matches!(outcome, Outcome::Error | Outcome::BugOfOtherKind) {
        let _ = writeln!(out, "{clear}{}: {} {} {}", outcome.name(), result.task, result.property, result.verdict);
    }
    if on_terminal {
        let _ = write!(out, "{clear}{} of {}, about {} s left", progress.done, progress.all, progress.left.as_secs());
    } else if progress.done.is_multiple_of(50) {
        let _ = writeln!(out, "{} of {}, about {} s left", progress.done, progress.all, progress.left.as_secs());
    }
}

/// The table, the comparison, and an exit code that says whether anything is wrong.
fn finish(options: &SuiteOptions, own: Option<Vec<TaskResult>>) -> Result<Response, String> {
    let mut output = String::new();
    let mut wrong = false;
    let mut runs = Vec::new();
    for file in &options.compare {
        runs.push((file.to_string_lossy().into_owned(), read_results(file)?));
    }
    if let Some(results) = own {
        let counts = table(&results);
        wrong = counts.count(Outcome::WrongAlarm) + counts.count(Outcome::WrongProof) > 0;
        output.push_str(&counts.render());
        runs.push((options.out.to_string_lossy().into_owned(), results));
    }
    if !options.compare.is_empty() && runs.len() > 1 {
        let comparison = compare(runs);
        output.push_str(&comparison.render());
        if let Some(page) = &options.html {
            std::fs::write(page, render_page(&comparison))
                .map_err(|error| format!("cannot write {}: {error}", page.display()))?;
        }
    }
    let code = if wrong { exit::VIOLATED } else { exit::PROVED };
    Ok(Response { code, output: output.into_bytes(), errors: Vec::new() })
}
