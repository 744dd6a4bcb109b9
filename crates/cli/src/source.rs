//! From options to a program and a task.

use belay_frontend::{Contracts, EntryState, FrontendError, Harness, Source};
use belay_ir::{ENTRY_BUILDER, FuncId, FuncKind, Program, START_WITH_ARGUMENTS, Type};
use belay_rules::{Config, EntryPointer};

use crate::arguments::{ProgramOptions, RuleOptions, RulesName};
use crate::described;
use crate::failure::{exit, failure, frontend_failure};
use crate::sandbox::Response;

/// Reads the program that the options name.
pub fn load(options: &ProgramOptions) -> Result<Program, Response> {
    let is_harness = options.rules == RulesName::Cbmc;
    if !is_harness && (!options.stubs.is_empty() || !options.removed.is_empty() || options.nondet_static) {
        return Err(failure(exit::USAGE, "--stubs, --remove-body and --nondet-static belong to --rules cbmc"));
    }
    if options.files.is_empty() && options.stubs.is_empty() && options.database.is_none() {
        return Err(failure(exit::USAGE, "no input file (see belay --help)"));
    }
    if options.surroundings.arguments.is_some() && options.subject() != "main" {
        return Err(failure(
            exit::USAGE,
            "--args are what `main` is given, and the program starts at another function",
        ));
    }
    let state = entry_state(options)?;
    let stated = described::stated(options)?;
    let enforce = options.enforce.clone().or_else(|| stated.as_ref().map(|_| options.function.clone()));
    let contracts = Contracts { enforce, replace: options.replace.clone(), stated, asked: Vec::new() };
    let read = |entry| {
        belay_frontend::load(&source(options, entry, contracts.clone()))
            .map_err(|error: FrontendError| frontend_failure(&error))
    };
    let program = read(state.clone())?;
    // Clang leaves out static functions that nothing calls.
    let is_missing = contracts.enforce.is_none() && find_defined(&program, &options.function).is_none();
    if state.is_none() && options.function != "main" && is_missing {
        let called = EntryState { function: options.function.clone(), ..EntryState::default() };
        return Ok(read(Some(called)).unwrap_or(program));
    }
    Ok(program)
}

/// What the options say of the program.
pub fn source(options: &ProgramOptions, entry: Option<EntryState>, contracts: Contracts) -> Source {
    Source {
        files: options.files.clone(),
        flags: options.flags.clone(),
        model: options.data_model.into(),
        database: options.database.clone(),
        entry,
        contracts,
        check_alignment: options.check_alignment,
        externs: options.externs(),
        volatile_changes: options.rules == RulesName::C,
        errors_end_runs: options.rules == RulesName::Svcomp,
        empty_arrays: options.rules == RulesName::Svcomp,
        endless_input: options.endless_input,
        fixed: options.surroundings.fixed(),
        io_may_fail: options.surroundings.io_may_fail,
        mmio: options.surroundings.mmio.clone(),
        harness: (options.rules == RulesName::Cbmc).then(|| Harness {
            stubs: options.stubs.clone(),
            removed: options.removed.clone(),
            entry: options.function.clone(),
            any_statics: options.nondet_static,
        }),
    }
}

/// What has to be built before the function is called, if anything.
fn entry_state(options: &ProgramOptions) -> Result<Option<EntryState>, Response> {
    let wrong = |message: &str| Err(failure(exit::USAGE, message));
    let all = [&options.strings, &options.arrays, &options.objects, &options.nullable, &options.preconditions];
    let given = all.iter().any(|given| !given.is_empty());
    if given && options.function == "main" {
        return wrong("--string, --array, --object and --precondition need --function: they are about its parameters");
    }
    if described::is_stated(options) {
        return Ok(None);
    }
    let arrays = described::arrays(options)?;
    for (index, (name, _)) in arrays.iter().enumerate() {
        if options.strings.contains(name) || arrays[..index].iter().any(|(other, _)| other == name) {
            return wrong(&format!("`{name}` is described twice"));
        }
    }
    let (function, preconditions) = (options.function.clone(), options.preconditions.clone());
    Ok(given.then_some(EntryState { function, arrays, preconditions }))
}

/// The function to start at.
pub fn entry(program: &Program, options: &ProgramOptions) -> Result<FuncId, Response> {
    let subject = options.subject();
    let builder = find_defined(program, ENTRY_BUILDER).filter(|_| options.enforce.is_some() || subject != "main");
    let started = find_defined(program, START_WITH_ARGUMENTS).filter(|_| subject == "main");
    builder.or(started).or_else(|| find_defined(program, subject)).ok_or_else(|| {
        let hint = if subject == "main" {
            " (name the function to start at with --function, or look at each one with --each-function)"
        } else {
            ""
        };
        failure(exit::INPUT, &format!("the program has no function `{subject}`{hint}"))
    })
}

fn find_defined(program: &Program, name: &str) -> Option<FuncId> {
    program.function_named(name).filter(|id| program.functions[*id].kind == FuncKind::Defined)
}

/// The rules of a run.
pub fn config(
    program: &Program,
    entry: FuncId,
    options: &ProgramOptions,
    rules: &RuleOptions,
    memory_mebibytes: u64,
) -> Result<Config, Response> {
    let mut config = Config::new(entry);
    config.integers = rules.integers.into();
    config.malloc_may_fail = rules.malloc_may_fail || options.rules == RulesName::Cbmc;
    config.least_arguments = u32::from(!rules.argc_may_be_zero);
    config.externs = options.externs();
    config.huge_allocations_succeed = rules.huge_allocations_succeed || options.rules == RulesName::Svcomp;
    let offset_bits = u32::from(program.layout.pointer_bits()).saturating_sub(u32::from(options.object_bits) + 1);
    config.largest_block = (options.rules == RulesName::Cbmc).then(|| 1 << offset_bits.min(62));
    config.memory_limit = memory_mebibytes.saturating_mul(1 << 20) / 2;
    let strings = options.strings.iter().filter(|_| !described::is_stated(options));
    for name in strings {
        let params = &program.functions[entry].params;
        let wrong = |what: String| failure(exit::USAGE, &format!("{} {what}", options.function));
        let index = params.iter().position(|param| param.name == *name && param.byval.is_none());
        let index = index.ok_or_else(|| wrong(format!("has no parameter `{name}`")))?;
        if params[index].ty != Type::Ptr {
            return Err(wrong(format!("has a parameter `{name}`, but it is no pointer")));
        }
        config.entry_pointers.push((index as u32, EntryPointer::String));
    }
    Ok(config)
}
