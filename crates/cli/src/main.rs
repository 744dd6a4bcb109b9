//! `belay`: the command line.

mod arguments;
mod check;
mod contracted;
mod described;
mod dropin;
mod each_function;
mod explain;
mod failure;
mod graph;
mod infer;
mod ir;
mod its;
mod lsp;
mod manual;
mod progress;
mod project;
mod proof;
mod proofs;
mod recheck;
mod replay;
mod run;
mod sandbox;
mod source;
mod suite;
mod suite_options;
mod surroundings;
mod trace;
mod undescribed;
mod witness;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::exit;
use sandbox::Response;

fn main() -> ExitCode {
    trace::begin();
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(response) = dropin::run(&words) {
        return answer(&response);
    }
    let mut arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    if let Some(Err(response)) = arguments.command.program().map(source::choose_target) {
        return answer(&response);
    }
    answer(&match arguments.command {
        Command::Check(options) => check::check(&options),
        Command::Graph(options) => graph::graph(&options),
        Command::Infer(options) => infer::infer(&options),
        Command::Ir(options) => ir::ir(&options),
        Command::Its(options) => its::its(&options),
        Command::Proofs(options) => proofs::proofs(&options),
        Command::Recheck(options) => recheck::recheck(&options),
        Command::Replay(options) => replay::replay(&options),
        Command::Run(options) => run::run(&options),
        Command::Witness(command) => witness::witness(&command),
        Command::Suite(options) => suite::suite(&options),
        Command::Explain(options) => explain::explain(&options),
        Command::Completions(options) => manual::completions(&options),
        Command::Manual(options) => manual::manual(&options),
        Command::Init(options) => project::init::init(&options),
        Command::Lsp(options) => lsp::lsp(&options),
    })
}

/// Says what a command has to say.
fn answer(response: &Response) -> ExitCode {
    let _ = std::io::stderr().write_all(&response.errors);
    match std::io::stdout().write_all(&response.output).and_then(|()| std::io::stdout().flush()) {
        // A reader that has gone away (`| head`) is no failure of ours: the exit code still says what was found.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "belay: error: cannot write the answer: {error}");
            ExitCode::from(exit::INPUT)
        }
        Ok(()) | Err(_) => ExitCode::from(response.code),
    }
}

/// Help and version go to standard output and are no error; anything else is a wrong use.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(exit::USAGE) } else { ExitCode::from(exit::PROVED) }
}
