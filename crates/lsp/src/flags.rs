//! What the compiler is told of a file, and what the file is made of beside its own text.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// How the project compiles the file, and where its own headers are.
pub fn flags(root: Option<&Path>, path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut flags = vec!["-iquote".to_owned(), folder.to_string_lossy().into_owned()];
    let places = ["compile_commands.json", "build/compile_commands.json"];
    let databases = root.into_iter().flat_map(|root| places.map(|place| root.join(place)));
    let text = databases.filter_map(|file| std::fs::read_to_string(file).ok()).next().unwrap_or_default();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap_or_default();
    for entry in entries {
        let place = Path::new(entry["directory"].as_str().unwrap_or_default());
        if place.join(entry["file"].as_str().unwrap_or_default()) != path {
            continue;
        }
        let words: Vec<String> = match entry["arguments"].as_array() {
            Some(words) => words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
            None => split_words(entry["command"].as_str().unwrap_or_default()),
        };
        flags.extend(kept_flags(&words, place));
        break;
    }
    flags
}

/// The words of a shell's line: quotes and backslashes as a shell reads them.
fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_open) = (Vec::new(), String::new(), false);
    let mut quote: Option<char> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => word.extend(letters.next()),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, Some(_)) => word.push(letter),
            ('"' | '\'', None) => (quote, is_open) = (Some(letter), true),
            (letter, None) if letter.is_whitespace() => {
                if is_open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
            }
            (letter, None) => word.push(letter),
        }
    }
    if is_open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// The flags that matter to the meaning of a file, with paths made absolute.
fn kept_flags(words: &[String], place: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let takes_path = ["-I", "-isystem", "-iquote", "-include"].into_iter().find(|flag| word.starts_with(flag));
        if let Some(flag) = takes_path {
            let path =
                if word == flag { words.next().cloned().unwrap_or_default() } else { word[flag.len()..].to_owned() };
            flags.extend([flag.to_owned(), place.join(path).to_string_lossy().into_owned()]);
        } else if word == "-D" || word == "-U" {
            flags.push(format!("{word}{}", words.next().cloned().unwrap_or_default()));
        } else if ["-D", "-U", "-std=", "-f", "-m"].iter().any(|start| word.starts_with(start)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// Hashes the project's headers that a text includes, by what they hold now, and those that they include in turn.
pub fn hash_headers(text: &str, flags: &[String], hasher: &mut impl Hasher) {
    let folders: Vec<&Path> = flags
        .iter()
        .zip(flags.iter().skip(1))
        .filter(|(flag, _)| flag.starts_with("-i") || *flag == "-I")
        .map(|(_, path)| Path::new(path))
        .collect();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut todo = includes(text, None, &folders);
    while let Some(file) = todo.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        let Ok(content) = std::fs::read(&file) else { continue };
        (&file, &content).hash(hasher);
        todo.extend(includes(&String::from_utf8_lossy(&content), file.parent(), &folders));
    }
}

/// The files of the project that a text includes.
fn includes(text: &str, own: Option<&Path>, folders: &[&Path]) -> Vec<PathBuf> {
    let name = |line: &str| {
        let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let close = if rest.starts_with('<') { '>' } else { '"' };
        rest.get(1..)?.split(close).next().map(str::to_owned)
    };
    let find = |name: String| {
        let places = own.into_iter().chain(folders.iter().copied());
        places.map(|folder| folder.join(&name)).find(|file| file.is_file())
    };
    text.lines().filter_map(name).filter_map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = split_words(r#"cc -DNAME='"a b"' -I "my folder" a\ b.c"#);
        assert_eq!(words, ["cc", "-DNAME=\"a b\"", "-I", "my folder", "a b.c"]);
    }

    #[test]
    fn paths_are_made_absolute() {
        let words: Vec<String> = ["-Iinc", "-I", "/x", "-D", "A=1", "-O2", "-c"].map(str::to_owned).to_vec();
        assert_eq!(kept_flags(&words, Path::new("/p")), ["-I", "/p/inc", "-I", "/x", "-DA=1"]);
    }
}
