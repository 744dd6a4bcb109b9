//! `compile_commands.json`: which flags a file is compiled with.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::clang::Compilation;
use crate::error::FrontendError;

/// The compilations of `files`, or of all entries if there are none.
pub fn read(database: &Path, files: &[PathBuf]) -> Result<Vec<Compilation>, FrontendError> {
    let path = if database.is_dir() { database.join("compile_commands.json") } else { database.to_owned() };
    let wrong = |message: String| FrontendError::CompilationDatabase { message };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| FrontendError::Unreadable { path: path.clone(), reason: error.to_string() })?;
    let json: Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("{} is not JSON: {error}", path.display())))?;
    let entries = json.as_array().ok_or_else(|| wrong(format!("{} is not a list", path.display())))?;
    let all = entries.iter().map(|entry| compilation(entry, &path)).collect::<Result<Vec<_>, _>>()?;
    if files.is_empty() && all.is_empty() {
        return Err(wrong(format!("{} names no file", path.display())));
    }
    if files.is_empty() {
        return Ok(all);
    }
    let find = |file: &PathBuf| {
        let entry = all.iter().find(|unit| same_file(unit, file));
        entry.cloned().ok_or_else(|| wrong(format!("{} does not name {}", path.display(), file.display())))
    };
    files.iter().map(find).collect()
}

fn same_file(unit: &Compilation, file: &Path) -> bool {
    let named = unit.directory.as_deref().unwrap_or(Path::new(".")).join(&unit.path);
    match (named.canonicalize(), file.canonicalize()) {
        (Ok(named), Ok(file)) => named == file,
        (Err(_), _) | (_, Err(_)) => unit.path == file,
    }
}

fn compilation(entry: &Value, database: &Path) -> Result<Compilation, FrontendError> {
    let wrong = |message: &str| FrontendError::CompilationDatabase { message: message.to_owned() };
    let file = entry["file"].as_str().ok_or_else(|| wrong("an entry has no `file`"))?;
    let base = database.parent().unwrap_or(Path::new("."));
    let directory = base.join(entry["directory"].as_str().unwrap_or("."));
    let words = match (&entry["arguments"], &entry["command"]) {
        (Value::Array(arguments), _) => arguments.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
        (_, Value::String(command)) => split_words(command),
        (_, _) => return Err(wrong("an entry has neither `arguments` nor `command`")),
    };
    Ok(Compilation {
        path: file.into(),
        directory: Some(directory),
        flags: relevant_flags(&words),
        text: None,
        prelude: "",
    })
}

/// The flags that change what the source means: include paths, macros, dialect.
fn relevant_flags(words: &[String]) -> Vec<String> {
    const WITH_VALUE: &[&str] = &["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros"];
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            flags.push(word.clone());
            flags.extend(words.next().cloned());
        } else if WITH_VALUE.iter().any(|flag| word.starts_with(flag))
            || ["-std=", "-ansi", "-f", "-pthread"].iter().any(|flag| word.starts_with(flag))
                && !word.starts_with("-fsanitize")
        {
            flags.push(word.clone());
        }
    }
    flags
}

/// Splits a command as a shell does: blanks, quotes, backslashes.
fn split_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), _) if letter == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (_, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(split_words(r#"cc -DA="x y" 'b c' d\ e "#), ["cc", "-DA=x y", "b c", "d e"]);
    }

    #[test]
    fn flags_that_do_not_change_the_meaning_are_dropped() {
        let words = split_words("gcc -O2 -Wall -I inc -DX=1 -std=c99 -c a.c -o a.o");
        assert_eq!(relevant_flags(&words), ["-I", "inc", "-DX=1", "-std=c99"]);
    }
}
