//! The command line's grammar.

use std::path::PathBuf;

use belay_engines::kiki::Domain;
use belay_targets::Target;
use clap::{Args, Parser, Subcommand};

mod names;
mod program;

pub use crate::infer::InferOptions;
use crate::progress::Display;
pub use crate::suite_options::SuiteOptions;
use crate::surroundings::Surroundings;
pub use names::{
    DataModelName, EngineArgument, ExternsName, Format, IntegersName, PropertyName, RulesName, WitnessVersionArgument,
    expand_property,
};
use names::{domain, property};

/// Proves that a C program is memory safe, does not overflow, keeps its assertions and ends, or shows a run that does not.
#[derive(Parser, Debug)]
#[command(name = "belay", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify a program
    Check(CheckOptions),
    /// Show the program as the engines see it
    Ir(IrOptions),
    /// Find contracts for the functions of a C file, and write it with them
    Infer(InferOptions),
    /// Draw the symbolic execution graph of the program, as SVG and as a page of HTML
    Graph(GraphOptions),
    /// Whether an integer transition system ends
    Its(ItsOptions),
    /// Run the CBMC proofs under a folder, and say of each whether it holds for every bound
    Proofs(ProofsOptions),
    /// Check a stored proof again, without a search, and say what changed since
    Recheck(RecheckOptions),
    /// Build and run what `check --replay` has written, under sanitizers
    Replay(ReplayOptions),
    /// Look at a witness: what another verifier, or Belay, says of a program
    #[command(subcommand)]
    Witness(WitnessCommand),
    /// Run the program in the interpreter, with given or random inputs
    Run(RunOptions),
    /// Run many tasks with known answers, go on after an interruption, score and compare
    Suite(SuiteOptions),
    /// Say what a word in Belay's answers means: a property, a verdict, a kind of check, an exit code
    Explain(ExplainOptions),
    /// Write a completion script for a shell to standard output
    Completions(CompletionsOptions),
    /// Write the manual pages into a folder
    Manual(ManualOptions),
    /// Write a belay.toml for the project in this folder, from its compilation database or its C files
    Init(InitOptions),
    /// Serve an editor over the language server protocol, on standard input and output
    Lsp(LspOptions),
}

/// Which program.
#[derive(Args, Clone, Debug)]
pub struct ProgramOptions {
    /// C sources, LLVM IR (.ll) or bitcode (.bc); several are linked into one program
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Sizes of C's types: LP64 (64-bit long and pointers) or ILP32
    #[arg(long, value_name = "MODEL", default_value = "LP64")]
    pub data_model: DataModelName,
    /// Another machine of 32 bits that the program is for (arm-none-eabi, riscv32-unknown-elf): sizes, alignment, the sign of char and the
    /// predefined macros are those that clang has for it; headers are this machine's, unless flags for clang name others
    #[arg(long, value_name = "TRIPLE", conflicts_with = "data_model")]
    pub target: Option<String>,
    /// What clang says of it, once it was asked.
    #[arg(skip)]
    pub chosen: Option<Target>,
    /// Compilation database that says how the files are compiled (without FILE: all of its files)
    #[arg(short = 'p', value_name = "compile_commands.json")]
    pub database: Option<PathBuf>,
    /// The function to start at
    #[arg(long, value_name = "F", default_value = "main")]
    pub function: String,
    /// A parameter of the function, or a place like `s->name`, that is a string: bytes of any number, then a 0
    #[arg(long = "string", value_name = "PLACE")]
    pub strings: Vec<String>,
    /// A parameter of the function, or a place like `s->items`, that is an array, and its length: a number or a C expression over other parameters
    #[arg(long = "array", value_name = "PLACE=LENGTH")]
    pub arrays: Vec<String>,
    /// A parameter of the function, or a place like `s->next`, that points to one object of its type
    #[arg(long = "object", value_name = "PLACE")]
    pub objects: Vec<String>,
    /// What is described by the others and may be null as well
    #[arg(long = "nullable", value_name = "PLACE")]
    pub nullable: Vec<String>,
    /// What holds of the parameters at the start, in C
    #[arg(long = "precondition", value_name = "CONDITION")]
    pub preconditions: Vec<String>,
    /// Check this function's body against its contract (CBMC's clauses, or belay.h), for every caller that keeps it
    #[arg(long, value_name = "F", conflicts_with_all = ["function", "strings", "arrays", "objects", "nullable", "preconditions"])]
    pub enforce: Option<String>,
    /// Take a function's contract in place of its body: calls have to keep it, and nothing else is known of what it does
    #[arg(long, value_name = "F")]
    pub replace: Vec<String>,
    /// An access at an address that is not aligned as the compiler takes for granted there violates valid-deref (of an object that it
    /// sees it takes for granted no more than it knows)
    #[arg(long)]
    pub check_alignment: bool,
    /// c: what holds on the user's machine; svcomp: what the competitions' labels take for granted (functions without a body change
    /// nothing, volatile objects are ordinary memory, allocations of any size succeed, runs end at error labels); cbmc: how CBMC reads
    /// a harness (its names are known, functions without a body change nothing, volatile objects are ordinary memory, allocations may fail, static
    /// functions of other files have the names that goto-cc gives them)
    #[arg(long, value_name = "RULES", default_value = "c")]
    pub rules: RulesName,
    /// What a function without body and model does. havoc: it may write to what it is given and to globals that other files see; pure: it changes
    /// nothing; refuse: the answer is unknown (default: havoc, with --rules svcomp pure)
    #[arg(long, value_name = "E")]
    pub externs: Option<ExternsName>,
    /// Let input streams give bytes for ever: by default every stream is finite
    #[arg(long)]
    pub endless_input: bool,
    #[command(flatten)]
    pub surroundings: Surroundings,
    /// With --rules cbmc: a file of the proof, whose definitions stand in for those of the other files
    #[arg(long = "stubs", value_name = "FILE")]
    pub stubs: Vec<PathBuf>,
    /// With --rules cbmc: leave out the body of this function, unless a file of the proof defines it
    #[arg(long = "remove-body", value_name = "F")]
    pub removed: Vec<String>,
    /// With --rules cbmc: bits of a pointer that tell objects apart; an allocation of more than the other bits can count, one left out, gives null
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=24))]
    pub object_bits: u8,
    /// With --rules cbmc: variables of static storage duration start with any value
    #[arg(long)]
    pub nondet_static: bool,
    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

/// Under which rules.
#[derive(Args, Clone, Debug)]
pub struct RuleOptions {
    /// machine: two's complement of the type's width; unbounded: mathematical integers
    #[arg(long, value_name = "MODEL", default_value = "machine")]
    pub integers: IntegersName,
    /// Let malloc, calloc and realloc return null
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// main may be called with argc = 0, without even a name
    #[arg(long)]
    pub argc_may_be_zero: bool,
    /// Let an allocation succeed whatever its size, also beyond PTRDIFF_MAX; part of --rules svcomp
    #[arg(long, hide = true)]
    pub huge_allocations_succeed: bool,
}

#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// What to check: memsafety, valid-deref, valid-free, valid-memtrack, memcleanup, no-overflow, arithmetic, unreach-call,
    /// termination, all; or a file of the competitions (.prp)
    #[arg(long = "property", value_name = "P,…", value_delimiter = ',', default_value = "all", value_parser = property)]
    pub properties: Vec<PropertyName>,
    /// Only look for violations within so many rounds of each loop: what is not violated there is unknown beyond
    #[arg(long, value_name = "N", conflicts_with_all = ["each_check", "each_loop"], value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub unwind: Option<u32>,
    /// With --unwind: how often a recursive function is entered again inside its own activations (default: as many as rounds)
    #[arg(long, value_name = "N", requires = "unwind", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub call_depth: Option<u32>,
    /// Answer for each check by itself: which hold, which are violated, each with a run, and which are unknown
    #[arg(long)]
    pub each_check: bool,
    /// Answer for each loop by itself, whatever the others do: whether it ends and why, or a run that stays in it for ever
    #[arg(long)]
    pub each_loop: bool,
    /// Answer for each function that other files can call, by itself: safe for every caller, safe under a precondition that is found and
    /// proved, violated, or unknown; the limits are those of each function
    #[arg(long, conflicts_with_all = ["each_check", "each_loop", "unwind", "enforce", "witness", "replay"])]
    pub each_function: bool,
    /// Without FILE: do without the answers that were kept from the last run of the project
    #[arg(long)]
    pub fresh: bool,
    /// With --each-function: only this function
    #[arg(long, value_name = "F", requires = "each_function")]
    pub only: Vec<String>,
    /// Seconds before the answer is unknown
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory before the answer is unknown
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
    /// Engines that work side by side at most (default: the machine's cores, at most 4); with 1 the output is the same from run to run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Which engines to run, in the order given
    #[arg(long, value_name = "E,…", value_delimiter = ',')]
    pub engines: Vec<EngineArgument>,
    /// Invariants that k-induction may use (default: all kinds, cheap ones first)
    #[arg(long, value_name = "D", value_parser = domain)]
    pub domain: Option<Domain>,
    /// Induction over single rounds of loops only
    #[arg(long)]
    pub no_k_induction: bool,
    /// How to answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write what the verdicts rest on as a witness (YAML), for validators
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// The version of the witness's format
    #[arg(long, value_name = "VERSION", default_value = "2.1", requires = "witness")]
    pub witness_version: WitnessVersionArgument,
    /// Write each violation as a C program with its inputs, to be built and run natively (see `belay replay`)
    #[arg(long, value_name = "DIR")]
    pub replay: Option<PathBuf>,
    /// With --replay: build and run what was written at once; the answer says what came of it
    #[arg(long, requires = "replay")]
    pub native: bool,
    /// Write the answer as a page to click through: sources, checks, invariants, runs step by step
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// A stored proof: what it says is tried before anything is searched for, and what is proved is written there (see `belay recheck`)
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// What is shown on standard error while the engines work
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub progress: Display,
    /// A proof that rests on an assumption counts as unknown for the exit code
    #[arg(long)]
    pub strict: bool,
    /// Say what the engines did
    #[arg(long)]
    pub stats: bool,
    /// Show the whole run of a counterexample
    #[arg(long, short)]
    pub verbose: bool,
}

#[derive(Args, Clone, Debug)]
pub struct InitOptions {
    /// The compilation database (default: compile_commands.json here, in build or in out)
    #[arg(short = 'p', value_name = "compile_commands.json")]
    pub database: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct ProofsOptions {
    /// A folder with proofs in it: Makefiles that name a harness, as CBMC's starter kit writes them
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Only proofs whose folder has this in its name
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// Proofs that run at the same time
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Seconds for each proof
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory for each proof
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
    /// Print the commands, and run none of them
    #[arg(long)]
    pub show_commands: bool,
    /// Say of each proof how strong it is: what it assumes, lines that no run reaches, contracts that are used and nowhere checked, changes of the
    /// function that it would not notice
    #[arg(long)]
    pub strength: bool,
}

#[derive(Args, Clone, Debug)]
pub struct RecheckOptions {
    /// What `check --proof` has written
    #[arg(value_name = "PROOF")]
    pub file: PathBuf,
    /// The sources (default: those that the proof names)
    #[arg(value_name = "FILE")]
    pub sources: Vec<PathBuf>,
    /// Compilation database that says how the files are compiled
    #[arg(short = 'p', value_name = "compile_commands.json")]
    pub database: Option<PathBuf>,
    /// Seconds before what is not yet checked counts as refused
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory at most
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
    /// Say how long it took
    #[arg(long)]
    pub stats: bool,
    /// Flags for clang (default: those that the proof names)
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

/// The options that say which program it is and what it means, as a proof stores them.
#[derive(Parser, Clone, Debug)]
#[command(name = "belay")]
pub struct StoredOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub rules: RuleOptions,
}

#[derive(Args, Clone, Debug)]
pub struct ReplayOptions {
    /// The folder that `check --replay` was given, or one of those in it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The compiler (default: clang-22, clang or gcc, whichever is there)
    #[arg(long, value_name = "CC")]
    pub compiler: Option<String>,
    /// Seconds that each run may take
    #[arg(long, value_name = "S", default_value_t = 20)]
    pub time_limit: u64,
}

#[derive(Subcommand, Debug)]
pub enum WitnessCommand {
    /// Whether a file is a witness of the format 2.0, 2.1 or 2.2
    Lint(LintOptions),
    /// Whether what a witness says of a program is so
    Check(Box<CheckWitnessOptions>),
}

#[derive(Args, Clone, Debug)]
pub struct LintOptions {
    /// A witness (.yml)
    #[arg(value_name = "WITNESS")]
    pub file: PathBuf,
}

#[derive(Args, Clone, Debug)]
pub struct CheckWitnessOptions {
    /// A witness (.yml)
    #[arg(value_name = "WITNESS")]
    pub file: PathBuf,
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Seconds before the answer is that the witness is not confirmed
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory at most
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
}

#[derive(Args, Clone, Debug)]
pub struct IrOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    /// After promotion of locals and simplification, as proofs see it
    #[arg(long)]
    pub simplified: bool,
    /// The integer transition system that termination is proved on, in the termination competition's format
    #[arg(long)]
    pub ari: bool,
    /// machine or unbounded, for --simplified and --ari
    #[arg(long, value_name = "MODEL", default_value = "machine")]
    pub integers: IntegersName,
}

#[derive(Args, Clone, Debug)]
pub struct ItsOptions {
    /// A system in the termination competition's format (.ari)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Seconds before the answer is unknown
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory at most
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
}

#[derive(Args, Clone, Debug)]
pub struct GraphOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Where to: a file that ends in .svg or .html, or a folder for both
    #[arg(long, short, value_name = "PATH", default_value = ".")]
    pub output: PathBuf,
    /// States that are drawn at most
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub max_states: usize,
    /// Seconds before the graph is drawn as far as it came
    #[arg(long, value_name = "S", default_value_t = 60)]
    pub time_limit: u64,
    /// MiB of memory at most
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
}

#[derive(Args, Clone, Debug)]
pub struct RunOptions {
    #[command(flatten)]
    pub program: ProgramOptions,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Values for the program's inputs, in order; then random ones
    #[arg(long, value_name = "N,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub inputs: Vec<String>,
    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Instructions before the run is cut off
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    pub max_steps: u64,
    /// Seconds before the run is cut off
    #[arg(long, value_name = "S", default_value_t = 600)]
    pub time_limit: u64,
    /// MiB of memory before the run is cut off
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
    /// Show the choices that the run made
    #[arg(long)]
    pub choices: bool,
}

#[derive(Args, Clone, Debug)]
pub struct ExplainOptions {
    /// The word, such as `valid-deref`, `unknown`, `main.valid-deref.3` or `10`; without one: all of them
    #[arg(value_name = "WORD")]
    pub word: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Clone, Debug)]
pub struct ManualOptions {
    /// Where to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Args, Clone, Debug)]
pub struct LspOptions {
    /// Seconds for each check of a file
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub time_limit: u64,
    /// MiB for each check of a file
    #[arg(long, value_name = "MB", default_value_t = 1000)]
    pub memory_limit: u64,
}

impl CheckOptions {
    /// How many engines work side by side.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        self.threads.map_or_else(cores, |threads| threads as usize)
    }
}
