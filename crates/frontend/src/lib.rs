//! C sources, LLVM IR and bitcode to the program form. The only crate that reads LLVM's modules.
//!
//! Whatever clang accepts is either translated with its exact meaning (SOUNDNESS.md) or becomes an
//! `Unsupported` instruction at its source line; nothing is guessed. No LLVM pass runs.

mod contracts;
mod dialect;
mod entry;
mod expression;
mod fixed;
mod harness;
mod interface;

mod models;
mod standard;
mod translate;

use std::path::{Path, PathBuf};

use belay_ir::{Callee, DataLayout, DataModel, Externs, FuncKind, Op, Operand, Program, START_WITH_ARGUMENTS};
use rustc_hash::FxHashSet;

use belay_clang::database;
pub use belay_clang::{Clang, Compilation, FrontendError, keep_answers, use_own_libraries};
use belay_llvm as llvm;
pub use contracts::{Asked, Contracts, Stated, annotate};
pub use entry::EntryState;
pub use fixed::{FixedInput, PROGRAM_NAME};
pub use harness::Harness;
pub use interface::{Entry, EntryParam, Field, Interface, Record, Types, entries, interface};
use llvm::{Context, Module};
pub use models::is_model_file;
pub use translate::NO_MODEL;

/// What makes up a program.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// C, IR or bitcode files. Empty with a database: all of its files.
    pub files: Vec<PathBuf>,
    /// Extra flags for clang.
    pub flags: Vec<String>,
    /// The target.
    pub model: DataModel,
    /// What blocks of the heap are aligned to there, if not as on the machines that are executed.
    pub block_align: Option<u64>,
    /// A `compile_commands.json`, or the folder that holds it.
    pub database: Option<PathBuf>,
    /// What the run starts with, where that has to be built: the program then has a function that does, [`belay_ir::ENTRY_BUILDER`].
    pub entry: Option<EntryState>,
    /// What to do with contracts; [`belay_ir::ENTRY_BUILDER`] then calls the function whose contract is enforced.
    pub contracts: Contracts,
    /// Whether an access at an address that is not aligned as the compiler takes for granted is a violation.
    pub check_alignment: bool,
    /// What functions without a body do.
    pub externs: Externs,
    /// Whether others may change volatile objects: each read of one that is no local is any value of its type.
    pub volatile_changes: bool,
    /// Whether a run ends at an error label and where an error function with a body is entered, as the competitions' labels take it.
    pub errors_end_runs: bool,
    /// Whether an array may have the length 0, as the competitions' labels take it.
    pub empty_arrays: bool,
    /// Whether input streams may give bytes for ever.
    pub endless_input: bool,
    /// Whether output to the standard streams may fail.
    pub io_may_fail: bool,
    /// What of the command line and the input is fixed.
    pub fixed: FixedInput,
    /// Ranges of addresses that may be accessed though they are nobody's object: registers of devices. Both ends are included.
    pub mmio: Vec<(u64, u64)>,
    /// If the program is a harness in CBMC's dialect: how its files are put together.
    pub harness: Option<Harness>,
}

/// Reads, links and translates a program.
pub fn load(source: &Source) -> Result<Program, FrontendError> {
    match load_with(source, false) {
        // What clang does not understand may be a contract.
        Err(FrontendError::Compile { .. }) => load_with(source, true),
        other => other,
    }
}

impl Source {
    fn layout(&self) -> DataLayout {
        let layout = DataLayout::new(self.model);
        self.block_align.map_or(layout, |align| layout.with_blocks(align))
    }
}

fn load_with(source: &Source, lift: bool) -> Result<Program, FrontendError> {
    let mut units = units_of(source)?;
    let contracts::Applied { mut notes, has_clauses } =
        contracts::apply(&mut units, source.model, &source.contracts, lift)?;
    let called = match &source.entry {
        Some(state) => entry::wrap(&mut units, source.model, state)?,
        None => Vec::new(),
    };
    let context = Context::new();
    let modules = read_modules(&context, units, source, &mut notes)?;
    let given_as_ir = functions_given_as_ir(&modules);
    let mut linked = link(&context, modules.into_iter().map(|unit| unit.module).collect())?;
    let mut user_functions = defined_functions(&linked);
    let user_globals: FxHashSet<String> = linked.globals().into_iter().map(|global| global.name()).collect();
    if let Some(name) = called.iter().find(|name| user_functions.contains(*name)) {
        let message = format!("--precondition and --array: the program's own {name} may do more than look");
        return Err(FrontendError::Entry { message });
    }
    let has_any_statics = source.harness.as_ref().is_some_and(|harness| harness.any_statics);
    let variables = linked.globals().into_iter().filter(|_| has_any_statics);
    let any_statics = variables.map(|variable| variable.name()).collect();
    if source.fixed.arguments.is_some() {
        user_functions.insert(START_WITH_ARGUMENTS.to_owned());
    }
    fixed::link_fixed(&context, &mut linked, source.model, &source.fixed)?;
    let wanted = models::Wanted {
        fills_statics: has_any_statics,
        excludes_poison: !given_as_ir.is_empty(),
        fails_output: source.io_may_fail,
    };
    models::link_models(&context, &mut linked, source.model, &wanted)?;
    let target = translate::Target {
        layout: source.layout(),
        check_alignment: source.check_alignment,
        externs: source.externs,
        volatile_changes: source.volatile_changes,
        errors_end_runs: source.errors_end_runs,
        empty_arrays: source.empty_arrays,
        any_statics,
        given_as_ir,
        mmio: source.mmio.clone(),
    };
    let mut program = translate::translate(
        &context,
        &linked,
        target,
        &translate::Names { functions: &user_functions, globals: &user_globals },
    )?;
    program.notes.splice(0..0, notes);
    program.checks_contracts = has_clauses || asserts_beside_code(&program);
    program.replaced = source.contracts.replace.clone();
    find_library_state(&mut program, &user_globals);
    set_options(&mut program, source);
    Ok(program)
}

/// Finds what the library remembers between its functions.
fn find_library_state(program: &mut Program, user_globals: &FxHashSet<String>) {
    let all = program.globals.iter_enumerated();
    let own = all.filter(|(_, global)| !global.constant && !user_globals.contains(&global.name));
    let is_known = |name: &str| models::is_errno(name) || name.starts_with("__belay_jump_");
    let (known, others): (Vec<_>, Vec<_>) = own.partition(|(_, global)| is_known(&global.name));
    let others: Vec<belay_ir::GlobalId> = others.into_iter().map(|(id, _)| id).collect();
    program.sees_library_state = !known.is_empty() || !others.is_empty();
    if program.function_named(translate::ANY_GLOBALS).is_some() {
        program.untouched_library = others;
    }
}

/// True if the program has assertions that are nothing in its own binary: whatever else is proved must not rest on runs ending there.
fn asserts_beside_code(program: &Program) -> bool {
    let names = ["__CPROVER_assert", "__ESBMC_assert", "__llbmc_assert"];
    let is_called =
        |name: &&str| program.function_named(name).is_some_and(|id| program.functions[id].kind != FuncKind::Defined);
    names.iter().any(is_called)
}

/// Tells the models what was asked for, and what else the program does.
fn set_options(program: &mut Program, source: &Source) {
    if source.endless_input {
        models::set_option(program, models::ENDLESS_INPUT, true);
    }
    models::set_option(program, models::IO_MAY_FAIL, source.io_may_fail);
    let pushes_wide = program.function_named("ungetwc").is_some();
    models::set_option(program, models::PUSHES_WIDE, pushes_wide);
    let closes = program.function_named(models::CLOSE).is_some();
    models::set_option(program, models::CLOSES, closes);
    let names_zone = program.globals.iter().any(|global| models::ZONE.contains(&global.name.as_str()));
    models::set_option(program, models::NAMES_ZONE, names_zone);
    let kinds = kinds_of_blocks(program);
    models::set_option(program, models::MIXES_BLOCKS, kinds > 1);
    let scans = program.functions.iter().any(|function| function.name.contains("scan"));
    models::set_option(program, models::SCANS, scans);
}

/// How many kinds of blocks the program's own functions make or release.
fn kinds_of_blocks(program: &Program) -> usize {
    let own = program.functions.iter().filter(|function| !function.is_model);
    let insts = own.flat_map(|function| function.insts.iter());
    let mut kinds = FxHashSet::default();
    for inst in insts {
        if let Op::Call { callee: Callee::Direct(callee), .. } = &inst.op {
            kinds.extend(models::kind_of_blocks(&program.functions[*callee].name));
        }
        inst.op.for_each_operand(|operand| {
            if let Operand::Func(function) = operand {
                kinds.extend(models::kind_of_blocks(&program.functions[*function].name));
            }
        });
    }
    let held = program.globals.iter().flat_map(|global| global.init.iter().flat_map(|init| &init.relocations));
    for relocation in held {
        if let belay_ir::Target::Func(function) = relocation.target {
            kinds.extend(models::kind_of_blocks(&program.functions[function].name));
        }
    }
    kinds.len()
}

/// A C file after preprocessing, by a compiler that is run in a folder.
pub fn preprocess(
    path: &Path,
    folder: Option<&Path>,
    flags: &[String],
    model: DataModel,
) -> Result<String, FrontendError> {
    let (flags, directory) = (flags.to_vec(), folder.map(Path::to_owned));
    let unit = Compilation { path: path.to_owned(), directory, flags, text: None, prelude: "" };
    read_file(path, folder)?;
    let clang = Clang::find()?;
    match clang.preprocess(&unit, model)? {
        Some(text) => Ok(text),
        // What is wrong with it is said by compiling it.
        None => clang.compile(&unit, model).and_then(|_| {
            Err(FrontendError::Unreadable { path: path.to_owned(), reason: "it can't be preprocessed".to_owned() })
        }),
    }
}

/// The C files of a program after preprocessing.
pub fn preprocess_all(source: &Source) -> Result<Vec<String>, FrontendError> {
    let clang = Clang::find()?;
    let units = units_of(source)?;
    let texts = units.iter().filter(|unit| unit.is_c()).map(|unit| clang.preprocess(unit, source.model));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The modules of the program's files, ready to be linked.
fn read_modules(
    context: &Context,
    units: Vec<Compilation>,
    source: &Source,
    notes: &mut Vec<String>,
) -> Result<Vec<harness::Unit>, FrontendError> {
    let mut read = Vec::new();
    for mut unit in units {
        if source.harness.is_some() && unit.is_c() {
            dialect::lower_dialect(&mut unit, source.model)?;
        }
        let module = read_module(context, &unit, source.model, notes)?;
        let is_stub = source.harness.as_ref().is_some_and(|harness| harness.stubs.contains(&unit.path));
        read.push(harness::Unit { compilation: unit, module, is_stub });
    }
    if let Some(harness) = &source.harness {
        harness::keep_said_statics(context, &mut read, harness, source.model)?;
        harness::prepare(&mut read, harness, notes);
    }
    Ok(read)
}

/// The files of a program, and how each is compiled.
pub fn units_of(source: &Source) -> Result<Vec<Compilation>, FrontendError> {
    let prelude = if source.harness.is_some() { harness::PRELUDE } else { "" };
    let flags = &source.flags;
    let plain =
        |path: &PathBuf| Compilation { path: path.clone(), directory: None, flags: flags.clone(), text: None, prelude };
    let stubs = source.harness.iter().flat_map(|harness| &harness.stubs);
    let mut stubs: Vec<Compilation> = stubs.map(plain).collect();
    let Some(database) = &source.database else {
        stubs.extend(source.files.iter().map(plain));
        return Ok(stubs);
    };
    let mut units = database::read(database, &source.files)?;
    units.iter_mut().for_each(|unit| unit.flags.extend(source.flags.iter().cloned()));
    units.iter_mut().for_each(|unit| unit.prelude = prelude);
    units.splice(0..0, stubs);
    Ok(units)
}

fn read_module(
    context: &Context,
    unit: &Compilation,
    model: DataModel,
    notes: &mut Vec<String>,
) -> Result<Module, FrontendError> {
    let bytes = read_file(&unit.path, unit.directory.as_deref())?;
    let bad = |message| FrontendError::BadModule { path: unit.path.clone(), message };
    let module = match extension(&unit.path).as_str() {
        "ll" | "bc" => {
            let module = context.parse(&unit.path.display().to_string(), &bytes).map_err(bad)?;
            module.verify().map_err(bad)?;
            module
        }
        "c" | "i" | "h" | "cpp" | "cc" | "cxx" | "c++" => {
            let compiled = dialect::compile(unit, model)?;
            notes.extend(compiled.warnings);
            context.parse("program", &compiled.bitcode).map_err(bad)?
        }
        _ => return Err(FrontendError::UnknownKind { path: unit.path.clone() }),
    };
    check_target(&module, &unit.path, model)?;
    Ok(module)
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn read_file(path: &Path, directory: Option<&Path>) -> Result<Vec<u8>, FrontendError> {
    let full = directory.map_or_else(|| path.to_owned(), |directory| directory.join(path));
    let unreadable = |reason: String| FrontendError::Unreadable { path: path.to_owned(), reason };
    if full.is_dir() {
        return Err(unreadable("it is a directory".to_owned()));
    }
    std::fs::read(&full).map_err(|error| unreadable(plain_words(&error)))
}

/// The system's message without its error number.
fn plain_words(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

fn check_target(module: &Module, path: &Path, model: DataModel) -> Result<(), FrontendError> {
    let layout = module.layout();
    let expected = DataLayout::new(model).pointer_bytes();
    let found = u64::from(layout.pointer_bytes());
    let wrong = |message: String| Err(FrontendError::WrongTarget { path: path.to_owned(), message });
    if !layout.is_little_endian() {
        return wrong("it was compiled for a big-endian machine".to_owned());
    }
    if found != expected {
        return wrong(format!(
            "it was compiled for {}-bit addresses, the data model has {}-bit ones (see --data-model)",
            found * 8,
            expected * 8
        ));
    }
    Ok(())
}

fn link(context: &Context, modules: Vec<Module>) -> Result<Module, FrontendError> {
    let mut modules = modules.into_iter();
    let mut linked = modules.next().ok_or_else(|| FrontendError::Internal("no input file".to_owned()))?;
    for module in modules {
        linked.link(module).map_err(|_| FrontendError::Link { message: context.complaints() })?;
    }
    Ok(linked)
}

/// The functions whose bodies the user gave as LLVM IR.
fn functions_given_as_ir(units: &[harness::Unit]) -> FxHashSet<String> {
    let is_ir = |unit: &&harness::Unit| matches!(extension(&unit.compilation.path).as_str(), "ll" | "bc");
    units.iter().filter(is_ir).flat_map(|unit| defined_functions(&unit.module)).collect()
}

fn defined_functions(module: &Module) -> FxHashSet<String> {
    module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .map(|function| function.name())
        .collect()
}
