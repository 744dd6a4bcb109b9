//! `belay litani`: what the make rules of CBMC's starter kit ask of litani, without its build system. A job is run where it is added: make has the order
//! right already.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// A job that a rule adds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// For a shell.
    pub command: String,
    /// What it writes.
    pub outputs: Vec<PathBuf>,
    /// Where its output goes.
    pub stdout_file: Option<PathBuf>,
    /// Where its messages go.
    pub stderr_file: Option<PathBuf>,
    /// Whether its messages go where its output goes.
    pub is_interleaved: bool,
    /// Exit codes other than 0 that are no failure.
    pub allowed: Vec<i32>,
}

impl Job {
    /// The job of `add-job` and its arguments; what stands for nothing here is passed over.
    pub fn parse(arguments: &[String]) -> Option<Job> {
        let mut job = Job::default();
        let mut at = 0;
        while let Some(flag) = arguments.get(at) {
            at += 1;
            let first = at;
            while arguments.get(at).is_some_and(|next| !next.starts_with("--") || at == first && flag == "--command") {
                at += 1;
            }
            let values = &arguments[first..at];
            match flag.as_str() {
                "--command" => job.command = values.first()?.clone(),
                "--outputs" => job.outputs = values.iter().map(PathBuf::from).collect(),
                "--stdout-file" => job.stdout_file = values.first().map(PathBuf::from),
                "--stderr-file" => job.stderr_file = values.first().map(PathBuf::from),
                "--interleave-stdout-stderr" => job.is_interleaved = true,
                "--ignore-returns" | "--ok-returns" => {
                    job.allowed.extend(values.iter().filter_map(|value| value.parse::<i32>().ok()));
                }
                _ => {}
            }
        }
        (!job.command.is_empty()).then_some(job)
    }

    /// Runs it; true if it ends as it may.
    pub fn run(&self, folder: &Path) -> std::io::Result<bool> {
        for file in self.outputs.iter().chain(&self.stdout_file).chain(&self.stderr_file) {
            if let Some(parent) = folder.join(file).parent() {
                std::fs::create_dir_all(parent)?;
            }
        }
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.command).current_dir(folder).stdin(Stdio::null());
        if let Some(file) = &self.stdout_file {
            let file = std::fs::File::create(folder.join(file))?;
            if self.is_interleaved {
                command.stderr(file.try_clone()?);
            }
            command.stdout(file);
        }
        if let Some(file) = &self.stderr_file {
            command.stderr(std::fs::File::create(folder.join(file))?);
        }
        let code = command.status()?.code();
        Ok(code.is_some_and(|code| code == 0 || self.allowed.contains(&code)))
    }
}

/// Does what a rule asks.
pub fn litani(arguments: &[String]) -> Response {
    let done = Response { code: exit::PROVED, output: Vec::new(), errors: Vec::new() };
    match arguments.split_first() {
        Some((command, _)) if matches!(command.as_str(), "init" | "run-build") => done,
        Some((command, _)) if matches!(command.as_str(), "-V" | "--version") => {
            Response { output: b"1.29.0\n".to_vec(), ..done }
        }
        Some((command, rest)) if command == "add-job" => {
            let Some(job) = Job::parse(rest) else { return failure(exit::USAGE, "add-job needs a --command") };
            match job.run(Path::new(".")) {
                Ok(true) => done,
                Ok(false) => failure(exit::INPUT, &format!("a job failed: {}", job.command)),
                Err(error) => failure(exit::INPUT, &format!("a job can't be run: {}: {error}", job.command)),
            }
        }
        Some((command, _)) => failure(exit::USAGE, &format!("litani's `{command}` is not known here")),
        None => failure(exit::USAGE, "which of init, add-job, run-build?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_has_a_command_and_files() {
        let words = [
            "--command",
            "--odd 'x' > y",
            "--inputs",
            "a",
            "b",
            "--outputs",
            "c",
            "--ignore-returns",
            "10",
            "--stdout-file",
            "log",
        ];
        let job = Job::parse(&words.map(str::to_owned)).expect("it has a command");
        assert_eq!(job.command, "--odd 'x' > y");
        assert_eq!((job.outputs, job.allowed), (vec![PathBuf::from("c")], vec![10]));
        assert_eq!(job.stdout_file, Some(PathBuf::from("log")));
        assert_eq!(Job::parse(&["--outputs".to_owned(), "c".to_owned()]), None);
    }
}
