//! A fixed command line and fixed input: `--args`, `--stdin`, `--files`.
//!
//! Both become C that is linked to the program, so that every engine has the same constants: a function that calls `main` with the arguments, and a
//! table of files that the models of `models/fixed` read. A program without other input then has one run.

use std::path::{Path, PathBuf};

use belay_clang::{Clang, Compilation, FrontendError};
use belay_ir::{DataModel, START_WITH_ARGUMENTS};

use crate::llvm::{Context, LLVMTypeKind, Module, Value};
use crate::models::FIXED_STREAMS;

/// What the user fixed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FixedInput {
    /// The arguments behind the program's name.
    pub arguments: Option<Vec<String>>,
    /// The file that standard input is.
    pub stdin: Option<PathBuf>,
    /// The folder that the program starts in: what it finds there by relative paths.
    pub files: Option<PathBuf>,
}

/// What the program is called by itself.
pub const PROGRAM_NAME: &str = "program";

/// How many files the program may make, as `models/fixed` has it.
const NEW_FILES: usize = 64;
/// How many bytes a folder may hold, and how many files.
const MOST_BYTES: usize = 16 << 20;
const MOST_FILES: usize = 4096;

/// Links what is fixed.
pub fn link_fixed(
    context: &Context,
    module: &mut Module,
    model: DataModel,
    fixed: &FixedInput,
) -> Result<(), FrontendError> {
    let has_streams = fixed.stdin.is_some() || fixed.files.is_some();
    let mut text = String::new();
    if let Some(arguments) = &fixed.arguments {
        text.push_str(&start(module, arguments)?);
    }
    if has_streams {
        text.push_str(&table(fixed)?);
    }
    if text.is_empty() {
        return Ok(());
    }
    let unit = Compilation {
        path: PathBuf::from("fixed input.c"),
        directory: None,
        flags: vec!["-g0".to_owned()],
        text: Some(text),
        prelude: "",
    };
    let compiled = Clang::find()?.compile(&unit, model)?;
    let mut parts = vec![compiled.bitcode];
    if has_streams {
        let (lp64, ilp32) = FIXED_STREAMS;
        parts.push(match model {
            DataModel::Lp64 => lp64.to_vec(),
            DataModel::Ilp32 => ilp32.to_vec(),
        });
    }
    for bitcode in parts {
        let parsed = context.parse("fixed input", &bitcode).map_err(FrontendError::Internal)?;
        module.link(parsed).map_err(|_| FrontendError::Link { message: context.complaints() })?;
    }
    Ok(())
}

fn wrong(message: String) -> FrontendError {
    FrontendError::Entry { message }
}

/// The function that calls `main` with the arguments.
fn start(module: &Module, arguments: &[String]) -> Result<String, FrontendError> {
    let is_main = |function: &Value| function.name() == "main" && !function.is_declaration();
    let main = module.functions().into_iter().find(is_main);
    let main = main.ok_or_else(|| wrong("--args: the program has no function `main`".to_owned()))?;
    let ty = main.value_type();
    let kinds: Vec<LLVMTypeKind> = ty.params().into_iter().map(|param| param.kind()).collect();
    use LLVMTypeKind::{LLVMIntegerTypeKind as Integer, LLVMPointerTypeKind as Pointer, LLVMVoidTypeKind as Void};
    let (params, given) = match kinds.as_slice() {
        [] => ("void", String::new()),
        [Integer] => ("int", format!("{}", arguments.len() + 1)),
        [Integer, Pointer] => ("int, char **", format!("{}, arguments", arguments.len() + 1)),
        _ => return Err(wrong("--args: `main` takes more than argc and argv".to_owned())),
    };
    let names = std::iter::once(PROGRAM_NAME).chain(arguments.iter().map(String::as_str));
    let strings: Vec<String> = names
        .enumerate()
        .map(|(index, text)| format!("static char argument{index}[] = {};\n", quote(text.as_bytes())))
        .collect();
    let list: Vec<String> = (0..=arguments.len()).map(|index| format!("argument{index}")).collect();
    let (result, call) = match ty.return_type().kind() {
        Void => ("void", "main_of_program"),
        _ => ("int", "return main_of_program"),
    };
    Ok(format!(
        "{}static char *arguments[] = {{{}, 0}};\n{result} main_of_program({params}) __asm__(\"main\");\n\
         {result} {START_WITH_ARGUMENTS}(void) {{ (void)arguments; {call}({given}); }}\n",
        strings.concat(),
        list.join(", ")
    ))
}

/// An entry of the table: a file, or a folder without content.
struct Entry {
    name: String,
    bytes: Option<Vec<u8>>,
}

fn table(fixed: &FixedInput) -> Result<String, FrontendError> {
    let mut entries = Vec::new();
    if let Some(folder) = &fixed.files {
        if !folder.is_dir() {
            return Err(wrong(format!("--files: {} is no folder", folder.display())));
        }
        collect(folder, "", &mut entries)?;
    }
    let stdin = match &fixed.stdin {
        Some(path) => read(path)?,
        None => Vec::new(),
    };
    let room = entries.len() + NEW_FILES;
    let rows: String = entries
        .iter()
        .map(|entry| {
            let name = quote(entry.name.as_bytes());
            match &entry.bytes {
                Some(bytes) => {
                    format!("{{{name}, (const unsigned char *){}, {}, 1}},\n", quote(bytes), bytes.len())
                }
                None => format!("{{{name}, 0, 0, 2}},\n"),
            }
        })
        .collect();
    Ok(format!(
        "struct belay_file {{ const char *name; const unsigned char *bytes; __SIZE_TYPE__ size; int kind; }};\n\
         struct belay_file __belay_files[{room}] = {{\n{rows}}};\n\
         int __belay_file_count = {};\n\
         const int __belay_file_room = {room}, __belay_has_files = {}, __belay_has_stdin = {};\n\
         struct belay_file __belay_standard_input = {{0, (const unsigned char *){}, {}, 1}};\n",
        entries.len(),
        u8::from(fixed.files.is_some()),
        u8::from(fixed.stdin.is_some()),
        quote(&stdin),
        stdin.len()
    ))
}

fn read(path: &Path) -> Result<Vec<u8>, FrontendError> {
    let unreadable = |reason: String| FrontendError::Unreadable { path: path.to_owned(), reason };
    let about = std::fs::metadata(path).map_err(|error| unreadable(crate::plain_words(&error)))?;
    if !about.is_file() || about.len() > MOST_BYTES as u64 {
        return Err(unreadable("it is no file of at most 16 MiB".to_owned()));
    }
    std::fs::read(path).map_err(|error| unreadable(crate::plain_words(&error)))
}

/// The files below a folder, by name. Links are not followed.
fn collect(folder: &Path, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), FrontendError> {
    let unreadable = |error: std::io::Error| wrong(format!("--files: {}: {error}", folder.display()));
    let listed: Result<Vec<_>, _> = std::fs::read_dir(folder).map_err(unreadable)?.collect();
    let mut listed = listed.map_err(unreadable)?;
    listed.sort_by_key(|entry| entry.file_name());
    for entry in listed {
        let kind = entry.file_type().map_err(unreadable)?;
        let name = entry.file_name().into_string();
        let name = name.map_err(|name| wrong(format!("--files: the name {name:?} is no UTF-8")))?;
        let name = format!("{prefix}{name}");
        if kind.is_dir() {
            entries.push(Entry { name: name.clone(), bytes: None });
            collect(&entry.path(), &format!("{name}/"), entries)?;
        } else if kind.is_file() {
            let bytes = Some(read(&entry.path())?);
            entries.push(Entry { name, bytes });
        } else {
            return Err(wrong(format!("--files: {} is neither a file nor a folder", entry.path().display())));
        }
        let total: usize = entries.iter().filter_map(|entry| entry.bytes.as_ref()).map(Vec::len).sum();
        if entries.len() > MOST_FILES || total > MOST_BYTES {
            return Err(wrong(format!("--files: {} holds more than {MOST_FILES} files or 16 MiB", folder.display())));
        }
    }
    Ok(())
}

/// A string literal; every escape has three digits, so that nothing that follows is taken for one of them.
fn quote(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for byte in bytes {
        match byte {
            b' '..=b'~' if !matches!(byte, b'"' | b'\\' | b'?') => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_c() {
        assert_eq!(quote(b"a\"\\\n1?\xff"), "\"a\\042\\134\\0121\\077\\377\"");
    }
}
