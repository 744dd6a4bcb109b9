//! How the files of a CBMC harness become one program, as goto-cc, goto-instrument and their make rules put them together.
//!
//! - A static function `f` of `dir/x.c` has the name `__CPROVER_file_local_x_c_f` for other files (`--export-file-local-symbols`), which may call it, stand in for it
//!   and start at it. It is renamed only where somebody says that name: nothing else could tell.
//! - Bodies that are to be removed are removed from the project's files, not from those of the proof (`--remove-function-body` is applied before
//!   both are linked). What is left is a function without a body, or the one that the proof puts in its place.
//! - Where two files define a function, the first definition counts, those of the proof before those of the project, and a note says so. CBMC's linker does the same.
//!
//! All of this changes which program is verified, and none of it what a program means.

use belay_clang::{Compilation, FrontendError};
use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::dialect;
use crate::llvm::{Context, Module, Value};

/// What a harness asks for beyond a list of files.
#[derive(Clone, Debug, Default)]
pub struct Harness {
    /// The files of the proof: what they define stands in for what the project's files define.
    pub stubs: Vec<PathBuf>,
    /// Functions of the project's files whose bodies are removed.
    pub removed: Vec<String>,
    /// The function to start at, which may be a static one of some file.
    pub entry: String,
    /// Whether variables of static storage duration start with any value.
    pub any_statics: bool,
}

/// What stands before every file.
pub const PRELUDE: &str = include_str!("../dialects/cbmc.h");

const FILE_LOCAL: &str = "__CPROVER_file_local_";

/// A file that was read.
pub struct Unit {
    pub compilation: Compilation,
    pub module: Module,
    pub is_stub: bool,
}

/// `x.c` as a part of a name: what can't stand in one is an underscore, of which there is never more than one in a row.
fn mangled_file(file: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let mut name = String::new();
    for letter in base.chars() {
        let letter = if letter.is_ascii_alphanumeric() { letter } else { '_' };
        if !(letter == '_' && name.ends_with('_')) {
            name.push(letter);
        }
    }
    name
}

/// The name that other files have for a static function.
fn exported_name(function: Value) -> Option<String> {
    let (_, file) = function.subprogram()?.scope_file()?.file_name();
    Some(format!("{FILE_LOCAL}{}_{}", mangled_file(&file), function.name()))
}

/// The names of static functions that somebody says.
fn said_names(units: &[Unit], harness: &Harness) -> FxHashSet<String> {
    let in_code = units.iter().flat_map(|unit| unit.module.functions()).map(Value::name);
    let asked = harness.removed.iter().cloned().chain([harness.entry.clone()]);
    in_code.chain(asked).filter(|name| name.starts_with(FILE_LOCAL)).collect()
}

/// Clang leaves out static functions that nothing in their file uses: a file that should have one that is said by name is compiled once more with all of them.
pub fn keep_said_statics(
    context: &Context,
    units: &mut [Unit],
    harness: &Harness,
    model: belay_ir::DataModel,
) -> Result<(), FrontendError> {
    let said = said_names(units, harness);
    let defined = units.iter().flat_map(|unit| unit.module.functions()).filter(|function| !function.is_declaration());
    let known: FxHashSet<String> = defined
        .map(|function| exported_name(function).filter(|_| function.is_local()).unwrap_or(function.name()))
        .collect();
    let missing: Vec<&String> = said.difference(&known).collect();
    for unit in units.iter_mut().filter(|unit| unit.compilation.is_c()) {
        let file = format!("{FILE_LOCAL}{}_", mangled_file(&unit.compilation.path.display().to_string()));
        if !missing.iter().any(|name| name.starts_with(&file)) {
            continue;
        }
        unit.compilation.flags.push("-femit-all-decls".to_owned());
        let compiled = dialect::compile(&unit.compilation, model)?;
        let bad = |message| FrontendError::BadModule { path: unit.compilation.path.clone(), message };
        unit.module = context.parse("program", &compiled.bitcode).map_err(bad)?;
    }
    Ok(())
}

/// Gives static functions the names that are said, takes bodies away, and decides between definitions.
pub fn prepare(units: &mut [Unit], harness: &Harness, notes: &mut Vec<String>) {
    let said = said_names(units, harness);
    let mut defined: FxHashSet<String> = FxHashSet::default();
    for unit in units {
        let statics = unit.module.functions().into_iter().filter(|function| !function.is_declaration());
        for function in statics.filter(|function| function.is_local()) {
            if let Some(name) = exported_name(function).filter(|name| said.contains(name)) {
                unit.module.export(function, &name);
            }
        }
        for function in unit.module.functions() {
            if function.is_declaration() || function.is_local() {
                continue;
            }
            let name = function.name();
            let is_removed = !unit.is_stub && harness.removed.contains(&name);
            if is_removed || defined.contains(&name) {
                if !is_removed {
                    notes.push(format!("{name} is defined more than once: the first definition counts"));
                }
                unit.module.remove_body(function);
            } else {
                defined.insert(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_goto_cc_names_them() {
        assert_eq!(mangled_file("a/b/hash_table.c"), "hash_table_c");
        assert_eq!(mangled_file("posix--x.inl"), "posix_x_inl");
    }
}
