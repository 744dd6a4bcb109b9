//! Z3 as one long-lived process over an SMT-LIB pipe.
//!
//! *Idea.* Starting a solver costs more than most questions; so one process is kept, and levels are
//! pushed and popped. What holds is remembered as text: a process that died or hangs is replaced, and
//! the new one is told everything again.
//!
//! *Limits.* Each check has a limit of Z3's own resource units, so that the same question gets the same
//! answer on every machine, and a wall-clock deadline for the case that Z3 does not keep to it. Hitting
//! either is [`SmtAnswer::Unknown`]. The process is killed when the [`Smt`] is dropped. That Z3 is not
//! installed is an ordinary error, [`SmtError::NotFound`].

mod process;
mod value;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use process::Process;
pub use value::{parse_integer, parse_values};

/// How Z3 is run.
#[derive(Clone, Debug)]
pub struct SmtConfig {
    /// The program; looked for on PATH if it has no directory.
    pub program: PathBuf,
    /// Z3's resource units for one check.
    pub rlimit: u64,
    /// Wall-clock time for one command.
    pub deadline: Duration,
}

impl Default for SmtConfig {
    fn default() -> Self {
        Self { program: PathBuf::from("z3"), rlimit: 2_000_000, deadline: Duration::from_secs(5) }
    }
}

/// Why the solver could not be asked.
#[derive(Debug)]
pub enum SmtError {
    /// There is no such program.
    NotFound(PathBuf),
    /// The process could not be started or talked to.
    Io(std::io::Error),
    /// Z3 rejected a command: what it said.
    Rejected(String),
}

impl std::fmt::Display for SmtError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SmtError::NotFound(program) => write!(f, "{} is not installed", program.display()),
            SmtError::Io(error) => write!(f, "cannot talk to the solver: {error}"),
            SmtError::Rejected(message) => write!(f, "the solver rejected a command: {message}"),
        }
    }
}

impl std::error::Error for SmtError {}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtAnswer {
    /// The assertions have a model.
    Sat,
    /// They have none.
    Unsat,
    /// Neither was found: why.
    Unknown(String),
}

/// How much the solver was used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SmtStats {
    /// Checks asked.
    pub checks: u64,
    /// Processes started after the first.
    pub restarts: u64,
    /// Wall-clock time spent waiting.
    pub time: Duration,
}

/// A solver with a stack of declarations and assertions.
pub struct Smt {
    config: SmtConfig,
    process: Option<Process>,
    levels: Vec<Vec<String>>,
    stats: SmtStats,
}

impl Smt {
    /// Starts Z3.
    pub fn start(config: SmtConfig) -> Result<Smt, SmtError> {
        let mut smt = Smt { config, process: None, levels: vec![Vec::new()], stats: SmtStats::default() };
        smt.process = Some(smt.spawn()?);
        Ok(smt)
    }

    /// How much the solver was used.
    pub fn stats(&self) -> SmtStats {
        self.stats
    }

    /// Declares a constant, as in `declare("x", "Int")`.
    pub fn declare(&mut self, name: &str, sort: &str) -> Result<(), SmtError> {
        self.command(format!("(declare-fun {name} () {sort})"))
    }

    /// Asserts a formula, given as SMT-LIB text.
    pub fn assert(&mut self, formula: &str) -> Result<(), SmtError> {
        self.command(format!("(assert {formula})"))
    }

    /// Opens a level.
    pub fn push(&mut self) -> Result<(), SmtError> {
        self.tell("(push 1)")?;
        self.levels.push(Vec::new());
        Ok(())
    }

    /// Takes back what was declared and asserted since the last `push`; nothing if there was none.
    pub fn pop(&mut self) -> Result<(), SmtError> {
        if self.levels.len() == 1 {
            return Ok(());
        }
        // Forget first: if the process has died meanwhile, its successor is told less.
        let running = self.process.is_some();
        self.levels.pop();
        if running { self.tell("(pop 1)") } else { Ok(()) }
    }

    /// Decides the assertions.
    pub fn check(&mut self) -> Result<SmtAnswer, SmtError> {
        let _question = crate::queries::begin(crate::queries::Layer::Smt);
        self.stats.checks += 1;
        let began = Instant::now();
        let answer = self.ask("(check-sat)");
        self.stats.time += began.elapsed();
        let Some(text) = answer? else {
            return Ok(SmtAnswer::Unknown("deadline".to_owned()));
        };
        match text.trim() {
            "sat" => Ok(SmtAnswer::Sat),
            "unsat" => Ok(SmtAnswer::Unsat),
            "unknown" => {
                let reason = self.ask("(get-info :reason-unknown)")?;
                Ok(SmtAnswer::Unknown(reason.unwrap_or_else(|| "deadline".to_owned())))
            }
            other => Err(SmtError::Rejected(other.to_owned())),
        }
    }

    /// The values of `terms` in the model of the last check, which must have been `Sat`, as Z3 writes
    /// them; `None` if the deadline passed.
    pub fn values(&mut self, terms: &[&str]) -> Result<Option<Vec<String>>, SmtError> {
        let text = self.ask(&format!("(get-value ({}))", terms.join(" ")))?;
        let Some(text) = text else { return Ok(None) };
        match parse_values(&text) {
            Some(values) if values.len() == terms.len() => Ok(Some(values)),
            Some(_) | None => Err(SmtError::Rejected(text)),
        }
    }

    /// A command that stays in force on its level.
    fn command(&mut self, text: String) -> Result<(), SmtError> {
        self.tell(&text)?;
        if let Some(level) = self.levels.last_mut() {
            level.push(text);
        }
        Ok(())
    }

    fn tell(&mut self, text: &str) -> Result<(), SmtError> {
        self.ensure_process()?;
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        if process.send(text).is_ok() {
            return Ok(());
        }
        self.process = None;
        self.ensure_process()?;
        match &mut self.process {
            Some(process) => process.send(text).map_err(SmtError::Io),
            None => Ok(()),
        }
    }

    /// The answer to a question; `None` if the deadline passed, or the process died twice over it.
    fn ask(&mut self, text: &str) -> Result<Option<String>, SmtError> {
        self.ensure_process()?;
        let Some(process) = &mut self.process else {
            return Ok(None);
        };
        match process.ask(text, self.config.deadline) {
            Ok(answer) if answer.trim_start().starts_with("(error") => Err(SmtError::Rejected(answer)),
            Ok(answer) => Ok(Some(answer)),
            Err(_) => {
                self.process = None;
                Ok(None)
            }
        }
    }

    /// Starts a process if there is none, and repeats what holds.
    fn ensure_process(&mut self) -> Result<(), SmtError> {
        if self.process.is_none() {
            self.process = Some(self.spawn()?);
            self.stats.restarts += 1;
        }
        Ok(())
    }

    fn spawn(&self) -> Result<Process, SmtError> {
        let mut process = Process::start(&self.config.program)?;
        let mut script = vec![format!("(set-option :rlimit {})", self.config.rlimit)];
        for (depth, level) in self.levels.iter().enumerate() {
            if depth > 0 {
                script.push("(push 1)".to_owned());
            }
            script.extend(level.iter().cloned());
        }
        process.send(&script.join("\n")).map_err(SmtError::Io)?;
        Ok(process)
    }
}
