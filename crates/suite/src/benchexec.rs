//! BenchExec's task definitions (`.yml`, format 2.0 and 2.1) and sets of them (`.set`: a pattern a line).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::task::{Expected, Task, read};

#[derive(Deserialize)]
struct Definition {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: Option<String>,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct Options {
    data_model: Option<String>,
    language: Option<String>,
}

/// The tasks of a definition, one a property that Belay knows.
pub fn read_definition(path: &Path) -> Result<Vec<Task>, String> {
    let text = read(path)?;
    let definition: Definition =
        serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    if definition.options.language.as_deref().is_some_and(|language| language != "C") {
        return Ok(Vec::new());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let names = match definition.input_files {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    };
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut tasks = Vec::new();
    for entry in definition.properties {
        let Some(file) = entry.property_file else { continue };
        let Some(property) = property_of(&folder.join(file)) else { continue };
        let expected = match entry.expected_verdict {
            Some(true) => Expected::True,
            Some(false) => Expected::False,
            None => Expected::Unknown,
        };
        let mut task = Task::new(name.clone(), files.clone(), property, expected);
        task.suite = folder.file_name().map_or(task.suite, |name| name.to_string_lossy().into_owned());
        task.kind = entry.subproperty;
        task.data_model = definition.options.data_model.clone().unwrap_or(task.data_model);
        task.flags = vec!["--rules".to_owned(), "svcomp".to_owned()];
        tasks.push(task);
    }
    Ok(tasks)
}

/// The tasks of all definitions that the patterns of a set name.
pub fn read_set(path: &Path) -> Result<Vec<Task>, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let text = read(path)?;
    let patterns = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut tasks = Vec::new();
    for pattern in patterns {
        let mut found = matching(folder, pattern)?;
        found.sort();
        for definition in found.iter().filter(|found| found.extension().is_some_and(|ending| ending == "yml")) {
            tasks.extend(read_definition(definition)?);
        }
    }
    Ok(tasks)
}

/// The files that a pattern with `*` in its parts names.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = vec![folder.to_owned()];
    for part in pattern.split('/') {
        let mut next = Vec::new();
        for place in found {
            if !part.contains('*') {
                next.push(place.join(part));
                continue;
            }
            let entries = std::fs::read_dir(&place).map_err(|error| format!("{}: {error}", place.display()))?;
            let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
            next.extend(names.filter(|name| fits(part, &name.to_string_lossy())).map(|name| place.join(name)));
        }
        found = next;
    }
    Ok(found.into_iter().filter(|path| path.exists()).collect())
}

/// Whether a name fits a pattern, in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The property that a `.prp` file asks for.
pub fn property_of(file: &Path) -> Option<&'static str> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let name = file.file_stem()?.to_str()?.to_owned();
    let has = |what: &str| text.contains(what);
    // A file that can't be read is known by its usual name.
    Some(match name.as_str() {
        _ if has("valid-deref") && has("valid-free") => "memsafety",
        _ if has("valid-memcleanup") => "memcleanup",
        _ if has("! overflow") => "no-overflow",
        _ if has("F end") => "termination",
        _ if has("! call(") => "unreach-call",
        "valid-memsafety" => "memsafety",
        "valid-memcleanup" => "memcleanup",
        "no-overflow" => "no-overflow",
        "termination" => "termination",
        "unreach-call" => "unreach-call",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_names() {
        assert!(fits("*.yml", "a.yml") && fits("a*b*c", "a1b2c") && fits("plain", "plain"));
        assert!(!fits("*.yml", "a.c") && !fits("a*b", "b") && !fits("plain", "plain2"));
    }
}
