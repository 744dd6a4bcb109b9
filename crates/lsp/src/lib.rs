//! A language server: diagnostics, hints and lenses for the C files that an editor has open.
//!
//! One process serves a workspace. The main thread speaks with the editor and never waits for a check; a worker checks one file at a time in a child process
//! of Belay's, under limits on time and memory. An edit ends the check under way, a burst of edits becomes one check, and an answer is published only for the
//! version of the text that it was made for. In a file without `main` each function is checked by itself (against its contract, if it has one), and only again after a change
//! of its own text, of a function that it may call, of what stands outside of functions, of headers or of flags.

mod answer;
mod checker;
mod document;
mod fixes;
mod flags;
mod known;
mod server;

use std::path::PathBuf;

/// What one check may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds.
    pub seconds: u64,
    /// MiB of memory.
    pub mebibytes: u64,
}

/// Serves an editor on standard input and output until it says that it is done. `belay` is the program that checks.
pub fn serve(belay: PathBuf, limits: Limits) -> Result<(), String> {
    let (connection, threads) = lsp_server::Connection::stdio();
    let served = server::Server::start(connection, belay, limits)?.serve();
    threads.join().map_err(|error| error.to_string())?;
    served
}
