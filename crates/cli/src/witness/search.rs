//! The engines, let loose on a changed program.

use std::path::PathBuf;

use belay_base::Budget;
use belay_engines::{Options as EngineOptions, Session};
use belay_evidence::{Task, Verdict};
use belay_ir::Property;

use super::instrument::{Insertion, instrument};
use crate::arguments::CheckWitnessOptions;
use crate::source;

/// A folder that goes away with this.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Puts the insertions into the program's only source, and asks the engines; what `read` makes of the changed program and their answers. `None` if the program can't be changed or does not
/// compile then.
pub fn search<T>(
    options: &CheckWitnessOptions,
    prelude: &str,
    insertions: &[Insertion],
    properties: &[Property],
    budget: &Budget,
    read: impl FnOnce(&Task<'_>, Vec<Verdict>) -> T,
) -> Option<T> {
    let [path] = options.program.files.as_slice() else { return None };
    let text = std::fs::read_to_string(path).ok()?;
    // The names that are put in have to be ours alone: a program with a function of that name gives it a meaning of its own.
    if ["__llbmc_", "__belay_way"].iter().any(|name| text.contains(name)) {
        return None;
    }
    let (text, _) = instrument(&text, prelude, insertions);
    let folder = Folder(std::env::temp_dir().join(format!("belay-witness-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).ok()?;
    let changed = folder.0.join(path.file_name()?);
    std::fs::write(&changed, text).ok()?;
    let mut program_options = options.program.clone();
    program_options.files = vec![changed];
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or(".".into(), PathBuf::from);
    program_options.flags.extend(["-iquote".to_owned(), beside.to_string_lossy().into_owned()]);
    let program = source::load(&program_options).ok()?;
    let entry = source::entry(&program, &program_options).ok()?;
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, options.rules.integers.into()).ok()?;
    let config = source::config(&program, entry, &program_options, &options.rules, options.memory_limit).ok()?;
    let task = Task { program: &program, simplified: &simplified, config };
    let (verdicts, _) = Session::new(&task, properties, EngineOptions::default(), budget).verify(&mut |_| {});
    Some(read(&task, verdicts))
}
