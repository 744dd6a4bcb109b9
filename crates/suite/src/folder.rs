//! A folder of programs that say in comments what is expected: `//~ memsafety: true`, `free(p); //~ false(valid-free)`.

use std::path::{Path, PathBuf};

use crate::task::{Expected, Task, read};

const ALL: [&str; 6] = ["memsafety", "memcleanup", "no-overflow", "arithmetic", "unreach-call", "termination"];

/// The tasks of all `.c` files in a folder and below, one for each property of which something is said.
pub fn read_folder(path: &Path) -> Result<Vec<Task>, String> {
    let mut files = Vec::new();
    collect(path, &mut files)?;
    files.sort();
    let mut tasks = Vec::new();
    for file in files {
        let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
        let suite = path.file_name().map_or_else(|| "suite".to_owned(), |name| name.to_string_lossy().into_owned());
        tasks.extend(tasks_of(&file, &name).map_err(|error| format!("{}: {error}", file.display()))?.into_iter().map(
            |mut task| {
                task.suite.clone_from(&suite);
                task
            },
        ));
    }
    Ok(tasks)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "c") {
            files.push(path);
        }
    }
    Ok(())
}

fn tasks_of(file: &Path, name: &str) -> Result<Vec<Task>, String> {
    let text = read(file)?;
    let mut said: Vec<(String, Expected, Option<String>)> = Vec::new();
    let (mut flags, mut compiler_flags) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let Some((before, note)) = line.split_once("//~") else { continue };
        let note = note.trim();
        if let Some(options) = note.strip_prefix("options:") {
            let mut words = options.split_whitespace().map(str::to_owned);
            flags.extend(words.by_ref().take_while(|word| word != "--"));
            compiler_flags.extend(words);
        } else if before.trim().is_empty() {
            said.extend(of_program(note));
        } else {
            said.extend(of_line(note));
        }
    }
    let task = |(property, expected, kind): (String, Expected, Option<String>)| {
        let mut task = Task::new(name.to_owned(), vec![file.to_owned()], &property, expected);
        task.kind = kind;
        task.flags.clone_from(&flags);
        task.compiler_flags.clone_from(&compiler_flags);
        task
    };
    Ok(said.into_iter().map(task).collect())
}

/// `memsafety: false(valid-free)`, `all: true`.
fn of_program(note: &str) -> Vec<(String, Expected, Option<String>)> {
    let Some((property, answer)) = note.split_once(':') else { return Vec::new() };
    let (expected, kind) = answer_of(answer.trim());
    let properties = if property.trim() == "all" { ALL.to_vec() } else { vec![property.trim()] };
    properties.into_iter().map(|property| (property.to_owned(), expected, kind.clone())).collect()
}

/// `false(valid-free)` behind a line speaks of the property that this is a part of.
fn of_line(note: &str) -> Option<(String, Expected, Option<String>)> {
    let (expected, kind) = answer_of(note);
    let kind = kind?;
    let property = match kind.as_str() {
        "valid-deref" | "valid-free" | "valid-memtrack" => "memsafety".to_owned(),
        other => other.to_owned(),
    };
    Some((property, expected, Some(kind)))
}

fn answer_of(text: &str) -> (Expected, Option<String>) {
    let (word, rest) = text.split_once('(').unwrap_or((text, ""));
    let kind = rest.split(')').next().filter(|kind| !kind.is_empty()).map(str::to_owned);
    let expected = match word.trim() {
        "true" => Expected::True,
        "false" => Expected::False,
        _ => Expected::Unknown,
    };
    (expected, kind)
}
