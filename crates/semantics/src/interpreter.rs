//! The interpreter's front: what to run and how. The work is done by [`crate::run::Run`], one for each run.

use std::cell::OnceCell;

use belay_base::{Budget, Id};
use belay_ir::{FuncId, IntegerModel, ObligationId, Program};

use crate::choice::ChoiceSource;
use crate::code::Code;
use crate::decode::decode;
use crate::integers::Machine;
use crate::observer::{Observer, Unobserved};
use crate::report::{RunReport, StackEntry};
use crate::run::Run;
use crate::unbounded::Unbounded;

/// What a pointer parameter of an entry function other than `main` points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryPointer {
    /// A string: chosen bytes and a terminating 0.
    String,
    /// So many bytes of arbitrary content.
    Bytes(u64),
}

/// How to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Where to start.
    pub entry: FuncId,
    /// Machine integers or unbounded ones.
    pub integers: IntegerModel,
    /// Whether each allocation may fail (a choice).
    pub malloc_may_fail: bool,
    /// Whether an allocation of more than the greatest `ptrdiff_t` succeeds, as the competitions read it; else it gives null.
    pub huge_allocations_succeed: bool,
    /// Whether a call of a function without body and model has no verdict.
    pub havoc_externs: bool,
    /// What pointer parameters of the entry point to, by parameter; a run with one that is not listed is unknown.
    pub entry_pointers: Vec<(u32, EntryPointer)>,
    /// Whether inputs of signed types may be any integers, beyond their C type too; of the unbounded model only.
    pub wide_inputs: bool,
    /// Look for a recurring state.
    pub recurrence: bool,
    /// The run ends where it violates this obligation, even if the violation would let it go on.
    pub stop_at: Option<ObligationId>,
    /// How deep calls may nest before the run is given up.
    pub max_depth: usize,
    /// How many bytes of memory the program's objects may take before the run is given up.
    pub memory_limit: u64,
    /// How many bytes of output are kept.
    pub output_limit: usize,
}

impl Config {
    /// The defaults: machine integers, allocations succeed, no look for recurrence.
    pub fn new(entry: FuncId) -> Self {
        Self {
            entry,
            integers: IntegerModel::Machine,
            malloc_may_fail: false,
            huge_allocations_succeed: false,
            havoc_externs: false,
            entry_pointers: Vec::new(),
            wide_inputs: false,
            recurrence: false,
            stop_at: None,
            max_depth: 1_000_000,
            memory_limit: 1 << 30,
            output_limit: 1 << 20,
        }
    }
}

/// Runs a program. Functions are decoded when first called, and stay so for later runs.
#[derive(Debug)]
pub struct Interpreter<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    codes: Vec<OnceCell<Code>>,
    empty: Code,
}

impl<'p> Interpreter<'p> {
    /// An interpreter of `program`.
    pub fn new(program: &'p Program, config: Config) -> Self {
        let codes = program.functions.iter().map(|_| OnceCell::new()).collect();
        Self { program, config, codes, empty: Code::empty() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How it is run.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The decoded function.
    pub(crate) fn code(&self, function: FuncId) -> &Code {
        self.codes[function.index()].get_or_init(|| decode(self.program, function))
    }

    /// What runs while nothing does.
    pub(crate) fn no_code(&self) -> &Code {
        &self.empty
    }

    /// Runs once, with the choices of `source`.
    pub fn run(&self, source: &mut dyn ChoiceSource, budget: &Budget) -> RunReport {
        self.run_observed(source, &mut Unobserved, budget)
    }

    /// Runs once, watched.
    pub fn run_observed<O: Observer>(
        &self,
        source: &mut dyn ChoiceSource,
        observer: &mut O,
        budget: &Budget,
    ) -> RunReport {
        match self.config.integers {
            IntegerModel::Machine => Run::<Machine, O>::new(self, source, observer, budget).run(),
            IntegerModel::Unbounded => Run::<Unbounded, O>::new(self, source, observer, budget).run(),
        }
    }

    /// Runs once, and says whether a heap block is lost where the run stops, and the calls there.
    pub(crate) fn look_for_loss<O: Observer>(
        &self,
        source: &mut dyn ChoiceSource,
        observer: &mut O,
        budget: &Budget,
        block: u64,
    ) -> (bool, Vec<StackEntry>) {
        match self.config.integers {
            IntegerModel::Machine => Run::<Machine, O>::new(self, source, observer, budget).run_and_look(block),
            IntegerModel::Unbounded => Run::<Unbounded, O>::new(self, source, observer, budget).run_and_look(block),
        }
    }
}
