//! `belay manual` and `belay completions`: made from the command line's grammar.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsOptions, ManualOptions};
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// A script by which a shell completes Belay's command line.
pub fn completions(options: &CompletionsOptions) -> Response {
    let mut output = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "belay", &mut output);
    Response { code: exit::PROVED, output, errors: Vec::new() }
}

/// `belay.1`, and a page for each command.
pub fn manual(options: &ManualOptions) -> Response {
    let written = std::fs::create_dir_all(&options.folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), &options.folder));
    match written {
        Ok(()) => Response { code: exit::PROVED, output: Vec::new(), errors: Vec::new() },
        Err(error) => failure(exit::INPUT, &format!("cannot write into {}: {error}", options.folder.display())),
    }
}
