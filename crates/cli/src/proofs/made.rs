//! Sources that a rule of the Makefile writes (a copy without `static`, say). What make would run is asked of it with `-n`, and run so that the file
//! comes to lie in a folder of our own: nothing in the project changes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::find::split_words;
use crate::dropin::litani::Job;

/// A folder that is removed when nobody needs it any more.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder.
    pub fn new() -> Option<Scratch> {
        let at = |number: u32| std::env::temp_dir().join(format!("belay-{}-{number}", std::process::id()));
        (0..10_000).map(at).find(|folder| std::fs::create_dir(folder).is_ok()).map(Scratch)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Has a missing file written into the scratch folder; where it is then.
pub fn make(folder: &Path, missing: &Path, scratch: &Scratch) -> Option<PathBuf> {
    let name = missing.file_name()?;
    let place = scratch.path().join(name);
    let relative = missing.strip_prefix(folder).ok().map(Path::to_path_buf);
    let spellings =
        [Some(missing.to_path_buf()), std::fs::canonicalize(folder).ok().map(|real| real.join(name)), relative];
    for target in spellings.into_iter().flatten() {
        let mut make = Command::new("make");
        make.args(["-s", "-n", "-C"]).arg(folder).arg("LITANI=litani").arg(&target);
        make.stdin(Stdio::null()).stderr(Stdio::null()).env_remove("MAKEFLAGS");
        let said = make.output().ok().filter(|output| output.status.success())?;
        let recipe = String::from_utf8_lossy(&said.stdout).replace("\\\n", " ");
        let lines = recipe.lines().filter(|line| !line.trim().is_empty());
        for job in lines.filter_map(|line| job(line, &target, &place)) {
            job.run(folder).ok().filter(|ran| *ran)?;
        }
        if place.exists() {
            return Some(place);
        }
    }
    None
}

/// What a line of a recipe does, with the file in its new place; none if it is not about the file.
fn job(line: &str, target: &Path, place: &Path) -> Option<Job> {
    let (old, new) = (target.display().to_string(), place.display().to_string());
    let words = split_words(line);
    let mut job = match words.split_first() {
        Some((first, [command, rest @ ..])) if first == "litani" && command == "add-job" => Job::parse(rest)?,
        _ => Job { command: line.to_owned(), ..Job::default() },
    };
    let is_written = |file: &PathBuf| file == target;
    if !(job.outputs.iter().any(is_written) || job.stdout_file.iter().any(is_written) || job.command.contains(&old)) {
        return None;
    }
    job.command = job.command.replace(&old, &new);
    job.outputs = vec![place.to_owned()];
    job.stdout_file = job.stdout_file.filter(is_written).map(|_| place.to_owned());
    job.stderr_file = None;
    Some(job)
}
