//! The interpreter's front: what to run and how. The work is done by [`crate::run::Run`], one for each run.

use std::cell::OnceCell;

use belay_base::{Budget, Id};
use belay_ir::{FuncId, IntegerModel, Program};
use belay_rules::{ChoiceSource, Config};

use crate::code::Code;
use crate::decode::decode;
use crate::integers::Machine;
use crate::observer::{Observer, Unobserved};
use crate::report::{RunReport, StackEntry};
use crate::run::Run;
use crate::unbounded::Unbounded;

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
