//! Library models: C sources that came with Belay, compiled to bitcode when Belay was built, linked in as an archive is: only
//! those that the program uses and does not define.

use belay_ir::{Builtin, DataModel, GlobalInit, Mark, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Context, Module};
use crate::translate::{
    ANY_GLOBALS, NOT_POISON, STEPS, X87_MODELS, fills_memory, is_memory_function, is_uninterpreted, is_without_model,
    stream_at, uses_x87,
};
use belay_clang::FrontendError;

/// A model: the function or variable it defines and its bitcode for both data models.
struct Model {
    defines: &'static str,
    lp64: &'static [u8],
    ilp32: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The models of streams whose content is fixed, for both data models: `models/fixed/io.c`.
pub const FIXED_STREAMS: (&[u8], &[u8]) =
    (include_bytes!(concat!(env!("OUT_DIR"), "/io-m64.bc")), include_bytes!(concat!(env!("OUT_DIR"), "/io-m32.bc")));

/// The model that calls what `atexit` was given; the translated program runs it as its first destructor.
pub const RUN_HANDLERS: &str = "__belay_run_handlers";

/// The model that is called before arithmetic that rounds, where a program may choose how.
pub const NEAREST: &str = "__belay_nearest";

/// The model that writes arbitrary bytes.
pub const FILL: &str = "__belay_fill";

/// The model that overwrites memory with bytes that are chosen where they are used.
pub const OVERWRITE: &str = "__belay_overwrite";

/// The model of `__CPROVER_uninterpreted_…`.
pub const UNINTERPRETED: &str = "__belay_uninterpreted";

/// Functions that call what they are given, the models of them for calls with a function that changes nothing, and which argument
/// that function is.
pub const PURE_SORTS: &[(&str, &str, usize)] =
    &[("qsort", "__belay_qsort", 3), ("qsort_r", "__belay_qsort_r", 3), ("bsearch", "__belay_bsearch", 4)];

/// Comparisons of the library, of whose result C promises the sign only; and the model that opens the rest.
pub const ORDERS: &[&str] = &[
    "strcmp",
    "strncmp",
    "memcmp",
    "bcmp",
    "strcoll",
    "strcasecmp",
    "strncasecmp",
    "strverscmp",
    "wcscmp",
    "wcsncmp",
    "wcscoll",
    "wmemcmp",
    "wcscasecmp",
    "wcsncasecmp",
];
pub const OF_SIGN: &str = "__belay_of_sign";

/// The variable that says whether streams are endless.
pub const ENDLESS_INPUT: &str = "__belay_endless_input";

/// The variable that says whether the program may push wide characters back.
pub const PUSHES_WIDE: &str = "__belay_pushes_wide";

/// The variable that says whether the program may scan a stream.
pub const SCANS: &str = "__belay_scans";

/// The variable that says whether the program may close a stream, and the function that does.
pub const CLOSES: &str = "__belay_closes";
pub const CLOSE: &str = "fclose";

/// The variable that says whether the program names variables that functions about local time set, and those.
pub const NAMES_ZONE: &str = "__belay_names_zone";
pub const ZONE: [&str; 3] = ["tzname", "timezone", "daylight"];

/// The variable that says whether blocks are of several kinds.
pub const MIXES_BLOCKS: &str = "__belay_mixes_blocks";

/// The kind of the blocks that a function makes or releases.
pub fn kind_of_blocks(name: &str) -> Option<&'static str> {
    match name {
        "malloc" | "calloc" | "realloc" | "free" | "strdup" | "strndup" | "aligned_alloc" | "posix_memalign"
        | "asprintf" | "vasprintf" | "getline" | "getdelim" | "memalign" | "valloc" | "reallocarray" | "wcsdup"
        | "__strdup" | "cfree" => Some("malloc"),
        _ if name.starts_with("_Znw") || name.starts_with("_ZdlPv") => Some("new"),
        _ if name.starts_with("_Zna") || name.starts_with("_ZdaPv") => Some("new[]"),
        _ => None,
    }
}

/// The variable that says whether output may fail, and the model of what an output function then gives.
pub const IO_MAY_FAIL: &str = "__belay_io_may_fail";
pub const OUTPUT_RESULT: &str = "__belay_output_result";

/// The model that looks at a stream, and the built-in functions that write to one with the place of that argument.
pub const STREAM: &str = "__belay_stream";
pub const WRITERS: &[(&str, usize)] = &[("fprintf", 0), ("vfprintf", 0), ("fputs", 1), ("fputc", 1), ("putc", 1)];

/// The model that looks at `stdout` before output to it, and the functions that are preceded by it.
pub const STDOUT_OPEN: &str = "__belay_stdout_open";
pub const TO_STDOUT: &[&str] = &["printf", "vprintf", "puts", "putchar"];

/// Where `errno` is, and the models of what calls do to it.
pub const ERRNO: &str = "__errno_location";
pub const ERRNO_ALLOCATED: &str = "__belay_errno_allocated";
pub const ERRNO_AFTER: &str = "__belay_errno_after";
pub const ERRNO_READ: &str = "__belay_errno_read";
pub const ERRNO_WRITE: &str = "__belay_errno_to_write";

/// The variables of the models that `errno` is kept in: the number, and whether a call may have changed it since it was last written.
pub const ERRNO_NUMBER: &str = "__errno_location.number";
pub const ERRNO_OPEN: &str = "__belay_errno_open";

/// True for these variables.
pub fn is_errno(name: &str) -> bool {
    matches!(name, ERRNO_NUMBER | ERRNO_OPEN)
}

/// The variable that says whether what calls do to `errno` is decided where it is read.
pub const ERRNO_LAZILY: &str = "__belay_errno_lazily";

/// Sets an option that models look at, an `int`.
pub fn set_option(program: &mut Program, name: &str, value: bool) {
    for global in program.globals.iter_mut().filter(|global| global.name == name) {
        global.init = Some(GlobalInit { bytes: vec![value.into(), 0, 0, 0], relocations: Vec::new() });
    }
}

/// What may rest on a model: what `marks.txt` says, or anything.
pub fn mark_of(name: &str) -> Mark {
    let marked = |line: &&str| line.split_whitespace().next() == Some(name);
    let line = include_str!("../models/marks.txt").lines().filter(|line| !line.starts_with('#')).find(marked);
    match line.and_then(|line| line.split_whitespace().nth(1)) {
        Some("fewer") => Mark::Fewer,
        Some("chance") => Mark::Chance,
        Some(_) | None => Mark::Exact,
    }
}

/// True for the source of a model, by the path that its debug information has.
pub fn is_model_file(path: &str) -> bool {
    if path == "models/fixed/io.c" {
        return true;
    }
    let Some(name) = path.strip_prefix("models/") else { return false };
    let is_header = name.ends_with(".h") && !name.contains('/');
    is_header || name.strip_suffix(".c").is_some_and(|stem| MODELS.iter().any(|model| model.defines == stem))
}

/// True for what a model defines.
pub fn is_modelled(name: &str) -> bool {
    MODELS.iter().any(|model| model.defines == name)
}

/// True for a function that neither the library nor the verifier knows.
fn is_without_body(name: &str) -> bool {
    let is_internal = ["llvm.", "__ubsan_handle_", "__belay_"].iter().any(|prefix| name.starts_with(prefix));
    !is_internal && !is_modelled(name) && !is_memory_function(name) && !is_without_model(name)
}

/// Models that are needed though nothing refers to them yet.
pub struct Wanted {
    /// Statics start with any value.
    pub fills_statics: bool,
    /// Some functions were given as LLVM IR.
    pub excludes_poison: bool,
    /// Output may fail.
    pub fails_output: bool,
}

/// Links the models that the module needs, and those that they need in turn.
pub fn link_models(
    context: &Context,
    module: &mut Module,
    data_model: DataModel,
    wanted: &Wanted,
) -> Result<(), FrontendError> {
    let index: FxHashMap<&str, usize> = MODELS.iter().enumerate().map(|(at, model)| (model.defines, at)).collect();
    let mut linked = FxHashSet::default();
    let mut beside = beside_calls(module);
    beside.extend(wanted.fails_output.then(|| OUTPUT_RESULT.to_owned()));
    beside.extend(wanted.excludes_poison.then(|| NOT_POISON.to_owned()));
    if data_model == DataModel::Lp64 && uses_x87(module) {
        beside.extend(X87_MODELS.iter().map(|name| (*name).to_owned()));
    }
    loop {
        let mut missing = undefined(module);
        missing.extend(std::mem::take(&mut beside));
        // Formats that are known become calls of these; nothing refers to them yet.
        let steps = if missing.iter().any(|name| stream_at(name).is_some()) { STEPS } else { &[] };
        let at_end = missing.iter().any(|name| name == "atexit").then_some(RUN_HANDLERS);
        let directed = missing.iter().any(|name| name == "fesetround").then_some(NEAREST);
        let is_overwritten = |name: &String| is_without_body(name) || name == ANY_GLOBALS;
        let overwritten = missing.iter().any(is_overwritten).then_some(OVERWRITE);
        let fills = wanted.fills_statics || missing.iter().any(|name| fills_memory(name));
        let filled = fills.then_some(FILL);
        let uninterpreted = missing.iter().any(|name| is_uninterpreted(name)).then_some(UNINTERPRETED);
        let called = |name: &&str| missing.iter().any(|missing| missing == name);
        let sorts = PURE_SORTS.iter().filter(|(name, ..)| called(name)).map(|(_, pure, _)| *pure);
        let opens = ORDERS.iter().any(called).then_some(OF_SIGN);
        let names = missing.iter().map(String::as_str).chain(steps.iter().copied());
        let names = names
            .chain(at_end)
            .chain(directed)
            .chain(filled)
            .chain(overwritten)
            .chain(sorts)
            .chain(opens)
            .chain(uninterpreted);
        let wanted: Vec<usize> = names.filter_map(|name| index.get(name).copied()).collect();
        let mut progress = false;
        for at in wanted {
            if !linked.insert(at) {
                continue;
            }
            progress = true;
            link_one(context, module, &MODELS[at], data_model)?;
        }
        if !progress {
            return Ok(());
        }
    }
}

fn link_one(context: &Context, module: &mut Module, model: &Model, data_model: DataModel) -> Result<(), FrontendError> {
    let bitcode = match data_model {
        DataModel::Lp64 => model.lp64,
        DataModel::Ilp32 => model.ilp32,
    };
    let name = model.defines;
    let parsed = context.parse(name, bitcode);
    let parsed = parsed.map_err(|message| FrontendError::Internal(format!("model of {name}: {message}")))?;
    module
        .link(parsed)
        .map_err(|_| FrontendError::Link { message: format!("model of {name}: {}", context.complaints()) })
}

/// The models that calls of the program are surrounded with.
fn beside_calls(module: &Module) -> Vec<String> {
    let declared: Vec<String> =
        module.functions().into_iter().filter(|value| value.is_declaration()).map(|value| value.name()).collect();
    let uses = |name: &str| declared.iter().any(|declared| declared == name);
    let stream = WRITERS.iter().any(|(name, _)| uses(name)).then_some(STREAM);
    let printed = (uses(CLOSE) && TO_STDOUT.iter().any(|name| uses(name))).then_some(STDOUT_OPEN);
    let errno = [ERRNO_ALLOCATED, ERRNO_AFTER, ERRNO_READ, ERRNO_WRITE].into_iter().filter(|_| uses(ERRNO));
    stream.into_iter().chain(printed).chain(errno).map(str::to_owned).collect()
}

/// The functions and variables that are used and that nobody defines; built-in ones aside.
fn undefined(module: &Module) -> Vec<String> {
    let all = module.functions().into_iter().chain(module.globals());
    let declared = all.filter(|value| value.is_declaration());
    declared.map(|value| value.name()).filter(|name| Builtin::from_name(name).is_none()).collect()
}

#[cfg(test)]
mod tests;
