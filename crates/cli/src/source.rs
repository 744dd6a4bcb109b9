//! From options to a program and a task.

use belay_frontend::{FrontendError, Source};
use belay_ir::{FuncId, FuncKind, Program};
use belay_semantics::Config;

use crate::arguments::{ProgramOptions, RuleOptions};
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::Response;

/// Reads the program that the options name.
pub fn load(options: &ProgramOptions) -> Result<Program, Response> {
    if options.files.is_empty() && options.database.is_none() {
        return Err(failure(exit::USAGE, "no input file (see belay --help)"));
    }
    let source = Source {
        files: options.files.clone(),
        flags: options.flags.clone(),
        model: options.data_model.into(),
        database: options.database.clone(),
    };
    belay_frontend::load(&source).map_err(|error: FrontendError| frontend_failure(&error))
}

/// The function to start at.
pub fn entry(program: &Program, options: &ProgramOptions) -> Result<FuncId, Response> {
    let found = program.function_named(&options.function).filter(|id| program.functions[*id].kind == FuncKind::Defined);
    found.ok_or_else(|| {
        let hint = if options.function == "main" { " (name the function to start at with --function)" } else { "" };
        failure(exit::INPUT, &format!("the program has no function `{}`{hint}", options.function))
    })
}

/// The rules of a run.
pub fn config(entry: FuncId, rules: &RuleOptions, memory_mebibytes: u64) -> Config {
    let mut config = Config::new(entry);
    config.integers = rules.integers.into();
    config.malloc_may_fail = rules.malloc_may_fail;
    config.havoc_externs = rules.havoc_externs;
    config.memory_limit = memory_mebibytes.saturating_mul(1 << 20) / 2;
    config
}
