//! `belay.toml`: what a project's file says.

use std::path::{Path, PathBuf};

use super::toml::{Table, Value, parse};

/// The name of a project's file.
pub const NAME: &str = "belay.toml";

/// A function to start at, and what its callers give it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    pub function: String,
    pub strings: Vec<String>,
    pub arrays: Vec<String>,
    pub preconditions: Vec<String>,
    /// Whether its body is checked against its contract.
    pub enforce: bool,
    /// Functions that are replaced by their contracts.
    pub replace: Vec<String>,
    pub properties: Vec<String>,
    pub time_limit: Option<u64>,
}

/// A violation that is known, and why it is left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suppression {
    pub function: String,
    pub property: String,
    /// `file.c:12`, if it is about one place.
    pub place: Option<String>,
    pub reason: String,
    pub line: usize,
}

/// A project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    /// Where its file is.
    pub folder: PathBuf,
    pub files: Vec<String>,
    pub database: Option<String>,
    pub flags: Vec<String>,
    /// A folder of headers that hold contracts; each file reads them first.
    pub contracts: Option<String>,
    pub properties: Vec<String>,
    pub rules: Option<String>,
    /// Another machine that it is for (`--target`).
    pub target: Option<String>,
    /// The sizes of its types (`--data-model`).
    pub data_model: Option<String>,
    pub time_limit: u64,
    pub memory_limit: u64,
    pub jobs: usize,
    pub entries: Vec<Entry>,
    pub suppressions: Vec<Suppression>,
}

/// The project's file here or in a folder above.
pub fn find(from: &Path) -> Option<PathBuf> {
    from.ancestors().map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// Reads a project's file.
pub fn read(file: &Path) -> Result<Project, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
    interpret(&text).map(|project| Project { folder, ..project }).map_err(|message| format!("{shown}: {message}"))
}

fn interpret(text: &str) -> Result<Project, String> {
    let mut project = Project { time_limit: 60, memory_limit: 4000, jobs: 1, ..Project::default() };
    for table in parse(text)? {
        match table.name.as_str() {
            "" => general(&table, &mut project)?,
            "entry" => project.entries.push(entry(&table)?),
            "suppress" => project.suppressions.push(suppression(&table)?),
            other => return Err(format!("line {}: there is no table `{other}`", table.line)),
        }
    }
    if project.files.is_empty() && project.database.is_none() {
        return Err("neither `files` nor `compile-commands` is given".to_owned());
    }
    Ok(project)
}

fn general(table: &Table, project: &mut Project) -> Result<(), String> {
    for (key, value, line) in &table.values {
        match (key.as_str(), value.clone()) {
            ("files", Value::List(files)) => project.files = files,
            ("compile-commands", Value::Text(file)) => project.database = Some(file),
            ("flags", Value::List(flags)) => project.flags = flags,
            ("contracts", Value::Text(folder)) => project.contracts = Some(folder),
            ("properties", Value::List(names)) => project.properties = names,
            ("rules", Value::Text(name)) => project.rules = Some(name),
            ("target", Value::Text(triple)) => project.target = Some(triple),
            ("data-model", Value::Text(name)) => project.data_model = Some(name),
            ("time-limit", Value::Number(seconds)) => project.time_limit = seconds,
            ("memory-limit", Value::Number(mebibytes)) => project.memory_limit = mebibytes,
            ("jobs", Value::Number(jobs)) => project.jobs = usize::try_from(jobs).unwrap_or(1).clamp(1, 64),
            (key, _) => return Err(unexpected(key, *line)),
        }
    }
    Ok(())
}

fn unexpected(key: &str, line: usize) -> String {
    format!("line {line}: `{key}` is not known here, or has another kind of value")
}

fn entry(table: &Table) -> Result<Entry, String> {
    let mut entry = Entry::default();
    for (key, value, line) in &table.values {
        match (key.as_str(), value.clone()) {
            ("function", Value::Text(name)) => entry.function = name,
            ("string", Value::List(names)) => entry.strings = names,
            ("array", Value::List(names)) => entry.arrays = names,
            ("precondition", Value::List(conditions)) => entry.preconditions = conditions,
            ("enforce", Value::Truth(enforce)) => entry.enforce = enforce,
            ("replace", Value::List(names)) => entry.replace = names,
            ("properties", Value::List(names)) => entry.properties = names,
            ("time-limit", Value::Number(seconds)) => entry.time_limit = Some(seconds),
            (key, _) => return Err(unexpected(key, *line)),
        }
    }
    match entry.function.is_empty() {
        true => Err(format!("line {}: an entry needs a `function`", table.line)),
        false => Ok(entry),
    }
}

fn suppression(table: &Table) -> Result<Suppression, String> {
    let mut known = Suppression { line: table.line, ..Suppression::default() };
    for (key, value, line) in &table.values {
        match (key.as_str(), value.clone()) {
            ("function", Value::Text(name)) => known.function = name,
            ("property", Value::Text(name)) => known.property = name,
            ("place", Value::Text(place)) => known.place = Some(place),
            ("reason", Value::Text(reason)) => known.reason = reason,
            (key, _) => return Err(unexpected(key, *line)),
        }
    }
    let missing = [("function", &known.function), ("property", &known.property), ("reason", &known.reason)];
    match missing.iter().find(|(_, value)| value.trim().is_empty()) {
        Some((key, _)) => Err(format!("line {}: a suppression needs a `{key}`", table.line)),
        None => Ok(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suppression_needs_a_reason() {
        let text = "files = [\"a.c\"]\n[[suppress]]\nfunction = \"f\"\nproperty = \"no-overflow\"\n";
        assert_eq!(interpret(text), Err("line 2: a suppression needs a `reason`".to_owned()));
        assert!(interpret(&format!("{text}reason = \"wraps on purpose\"\n")).is_ok());
    }

    #[test]
    fn misspelt_keys_are_errors() {
        assert!(interpret("file = [\"a.c\"]\n").is_err_and(|why| why.contains("`file` is not known")));
        assert!(interpret("time-limit = 3\n").is_err_and(|why| why.contains("neither")));
    }
}
