//! The CBMC proofs under a folder. A proof is a folder whose `Makefile` names a harness, as CBMC's starter kit lays it out (aws-c-common, the FreeRTOS libraries,
//! mlkem-native and many others). What the Makefile means is asked of make itself: it is read with one more rule, which prints variables. Nothing
//! is built, and nothing is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a proof's Makefile says.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub name: String,
    pub folder: PathBuf,
    pub entry: String,
    pub proof_sources: Vec<PathBuf>,
    pub project_sources: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub removed: Vec<String>,
    /// Bounds of loops, as `function.loop:bound`.
    pub unwindset: Vec<String>,
    pub nondet_static: bool,
    pub enforced: Vec<String>,
    pub replaced: Vec<String>,
}

/// The folders of proofs at and under `root`, in the order of their names.
pub fn find_folders(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![root.to_owned()];
    while let Some(folder) = todo.pop() {
        if names_harness(&folder.join("Makefile")) {
            found.push(folder);
            continue;
        }
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let is_plain = |path: &PathBuf| !path.is_symlink() && path.is_dir();
        todo.extend(entries.flatten().map(|entry| entry.path()).filter(is_plain));
    }
    found.sort();
    found
}

fn names_harness(makefile: &Path) -> bool {
    let text = std::fs::read_to_string(makefile).unwrap_or_default();
    let assigns = |line: &str| {
        let line = line.trim_start();
        ["HARNESS_ENTRY", "HARNESS_FILE", "PROOF_UID"]
            .iter()
            .any(|name| line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['=', ':', '?'])))
    };
    text.lines().any(assigns)
}

const VARIABLES: [&str; 15] = [
    "PROOF_UID",
    "HARNESS_ENTRY",
    "PROOF_SOURCES",
    "PROJECT_SOURCES",
    "REWRITTEN_SOURCES",
    "INCLUDES",
    "DEFINES",
    "COMPILE_FLAGS",
    "REMOVE_FUNCTION_BODY",
    "UNWINDSET",
    "CPROVER_LIBRARY_UNWINDSET",
    "NONDET_STATIC",
    "CHECK_FUNCTION_CONTRACTS",
    "CHECK_FUNCTION_CONTRACTS_REC",
    "USE_FUNCTION_CONTRACTS",
];

/// Reads the proof in a folder.
pub fn read(folder: &Path) -> Result<Proof, String> {
    let values = make_variables(folder)?;
    let value = |name: &str| values.get(name).map(String::as_str).unwrap_or_default();
    let words = |name: &str| split_words(value(name));
    let files = |name: &str| words(name).iter().map(|file| folder.join(file)).collect::<Vec<_>>();
    let entry = words("HARNESS_ENTRY").into_iter().next().unwrap_or_else(|| "harness".to_owned());
    let uid = words("PROOF_UID").into_iter().next();
    let last = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let flags = words("INCLUDES").into_iter().chain(words("DEFINES")).chain(compiler_flags(&words("COMPILE_FLAGS")));
    Ok(Proof {
        name: uid.filter(|uid| !uid.is_empty()).unwrap_or(last),
        folder: folder.to_owned(),
        entry,
        proof_sources: files("PROOF_SOURCES"),
        project_sources: files("PROJECT_SOURCES").into_iter().chain(files("REWRITTEN_SOURCES")).collect(),
        flags: flags.collect(),
        removed: words("REMOVE_FUNCTION_BODY"),
        unwindset: words("UNWINDSET").into_iter().chain(words("CPROVER_LIBRARY_UNWINDSET")).collect(),
        nondet_static: words("NONDET_STATIC").iter().any(|flag| flag == "--nondet-static"),
        enforced: words("CHECK_FUNCTION_CONTRACTS").into_iter().chain(words("CHECK_FUNCTION_CONTRACTS_REC")).collect(),
        replaced: words("USE_FUNCTION_CONTRACTS"),
    })
}

/// The flags of goto-cc that say what C means; warnings are not asked for, and its own flags are not clang's.
fn compiler_flags(flags: &[String]) -> Vec<String> {
    let is_meant = |flag: &&String| {
        let starts = ["-std=", "-f", "-I", "-D", "-U", "-include"].iter().any(|start| flag.starts_with(start));
        starts || flag.as_str() == "-ansi"
    };
    flags.iter().filter(is_meant).cloned().collect()
}

fn make_variables(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let prints: String = VARIABLES.iter().map(|name| format!("$(info BELAY {name}=$({name}))")).collect();
    let mut make = Command::new("make");
    make.arg("-s").arg("-C").arg(folder).arg("--eval").arg(format!("belay-print: ; {prints}")).arg("belay-print");
    make.stdin(Stdio::null()).env_remove("MAKEFLAGS");
    let output = make.output().map_err(|error| format!("make can't be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found: BTreeMap<String, String> = text.lines().filter_map(variable).collect();
    if found.len() == VARIABLES.len() {
        return Ok(found);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = complaint.lines().find(|line| line.contains("***")).unwrap_or("it prints nothing");
    Err(format!("make can't read its Makefile: {complaint}"))
}

fn variable(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix("BELAY ")?.split_once('=')?;
    Some((name.to_owned(), value.to_owned()))
}

/// The words of a shell's command line: quotes and backslashes group, nothing else is special.
pub fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), letter) if letter == open => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let text = r#"-DA=1  -DFILE="\"a b.h\"" -DB='x y' """#;
        assert_eq!(split_words(text), ["-DA=1", "-DFILE=\"a b.h\"", "-DB=x y", ""]);
    }

    #[test]
    fn warnings_are_not_passed_on() {
        let flags = ["-Wall", "-Werror", "-ansi", "--native-compiler", "gcc", "-fno-builtin"].map(str::to_owned);
        assert_eq!(compiler_flags(&flags), ["-ansi", "-fno-builtin"]);
    }
}
