//! Which program the options are about.

use belay_ir::Externs;

use super::{Command, ExternsName, ProgramOptions, RulesName, WitnessCommand};

impl Command {
    /// Which program a command is about, if it reads one.
    pub fn program(&mut self) -> Option<&mut ProgramOptions> {
        match self {
            Command::Check(options) => Some(&mut options.program),
            Command::Graph(options) => Some(&mut options.program),
            Command::Infer(options) => Some(&mut options.check.program),
            Command::Ir(options) => Some(&mut options.program),
            Command::Run(options) => Some(&mut options.program),
            Command::Witness(WitnessCommand::Check(options)) => Some(&mut options.program),
            Command::Witness(WitnessCommand::Lint(_))
            | Command::Its(_)
            | Command::Proofs(_)
            | Command::Recheck(_)
            | Command::Replay(_)
            | Command::Suite(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Manual(_)
            | Command::Init(_)
            | Command::Lsp(_) => None,
        }
    }
}

impl ProgramOptions {
    /// The function that is asked about.
    pub fn subject(&self) -> &str {
        self.enforce.as_ref().unwrap_or(&self.function)
    }

    /// All flags that clang gets: those of the target, then the user's own.
    pub fn clang_flags(&self) -> impl Iterator<Item = &String> {
        self.chosen.iter().flat_map(|target| &target.flags).chain(&self.flags)
    }

    /// What functions without a body do.
    pub fn externs(&self) -> Externs {
        match (self.externs, self.rules) {
            (Some(ExternsName::Havoc), _) | (None, RulesName::C) => Externs::Havoc,
            (Some(ExternsName::Pure), _) | (None, RulesName::Svcomp | RulesName::Cbmc) => Externs::Pure,
            (Some(ExternsName::Refuse), _) => Externs::Refuse,
        }
    }
}
