//! `belay init`: a first `belay.toml`, from a compilation database or from the C files that are there. Nothing is asked.

use std::path::Path;

use belay_frontend::Contracts;
use clap::Parser;

use super::file::NAME;
use super::toml::quoted;
use crate::arguments::{InitOptions, StoredOptions};
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::Response;
use crate::source;

/// Where compilation databases are looked for.
const PLACES: [&str; 3] = ["compile_commands.json", "build/compile_commands.json", "out/compile_commands.json"];

/// Writes the file.
pub fn init(options: &InitOptions) -> Response {
    let folder = Path::new(".");
    if folder.join(NAME).exists() {
        return failure(exit::INPUT, &format!("{NAME} is there already"));
    }
    let given = options.database.as_ref().map(|file| file.display().to_string());
    let database =
        given.or_else(|| PLACES.iter().find(|place| Path::new(place).is_file()).map(|place| (*place).to_owned()));
    let files = if database.is_none() { c_files(folder) } else { Vec::new() };
    if database.is_none() && files.is_empty() {
        return failure(exit::INPUT, "there is no compile_commands.json and no C file here");
    }
    let mut common = files.clone();
    common.extend(database.iter().flat_map(|file| ["-p".to_owned(), file.clone()]));
    let names = match functions(&common, folder) {
        Ok(names) => names,
        Err(response) => return response,
    };
    let text = write(database.as_deref(), &files, &names);
    if let Err(error) = std::fs::write(folder.join(NAME), text) {
        return failure(exit::INPUT, &format!("{NAME}: {error}"));
    }
    let count = if names.iter().any(|name| name == "main") { 1 } else { names.len() };
    let entries = if count == 1 { "entry" } else { "entries" };
    let output = format!("{NAME} is written: {count} {entries} for `belay check`\n").into_bytes();
    Response { code: exit::PROVED, output, errors: Vec::new() }
}

/// The functions that other files can call, and `main`.
pub fn functions(common: &[String], folder: &Path) -> Result<Vec<String>, Response> {
    let words = ["belay".to_owned()].into_iter().chain(common.iter().cloned());
    let mut options = StoredOptions::try_parse_from(words)
        .map_err(|error| failure(exit::INPUT, &format!("{NAME}: {}", error.render().to_string().trim())))?;
    source::choose_target(&mut options.program)?;
    let mut source = source::source(&options.program, None, Contracts::default());
    source.files.iter_mut().for_each(|file| *file = folder.join(&file));
    source.database = source.database.map(|file| folder.join(file));
    let entries = belay_frontend::entries(&source).map_err(|error| frontend_failure(&error))?;
    let mut names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
    let texts = belay_frontend::preprocess_all(&source).map_err(|error| frontend_failure(&error))?;
    if !names.iter().any(|name| name == "main") && texts.iter().any(|text| has_main(text)) {
        names.insert(0, "main".to_owned());
    }
    Ok(names)
}

/// True if a preprocessed file declares `main`, which is no function that other files call.
fn has_main(text: &str) -> bool {
    let declared = super::answers::without_bodies(text);
    let words = declared.split(|letter: char| !(letter.is_alphanumeric() || "_(".contains(letter)));
    words.into_iter().any(|word| word == "main" || word.starts_with("main("))
}

fn c_files(folder: &Path) -> Vec<String> {
    let of = |folder: std::path::PathBuf| {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
    };
    let mut found: Vec<String> = of(folder.to_owned())
        .chain(of(folder.join("src")))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| path.strip_prefix(folder).unwrap_or(&path).display().to_string())
        .collect();
    found.sort();
    found
}

fn write(database: Option<&str>, files: &[String], names: &[String]) -> String {
    let mut out = "# What `belay check` does in this project (see docs/projects.md).\n".to_owned();
    match database {
        Some(file) => out.push_str(&format!("compile-commands = {}\n", quoted(file))),
        None => {
            let files: Vec<String> = files.iter().map(|file| quoted(file)).collect();
            out.push_str(&format!("files = [{}]\n", files.join(", ")));
        }
    }
    out.push_str("# flags = [\"-Iinclude\"]\n# contracts = \"contracts\"\n# properties = [\"memsafety\", \"no-overflow\"]\ntime-limit = 60\njobs = 1\n");
    let has_main = names.iter().any(|name| name == "main");
    for name in names.iter().filter(|name| !has_main || *name == "main") {
        out.push_str(&format!("\n[[entry]]\nfunction = {}\n", quoted(name)));
    }
    out
}
