//! `belay lsp`.

use belay_lsp::{Limits, serve};

use crate::arguments::LspOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// Serves until the editor says that it is done.
pub fn lsp(options: &LspOptions) -> Response {
    let limits = Limits { seconds: options.time_limit, mebibytes: options.memory_limit };
    let own = match std::env::current_exe() {
        Ok(own) => own,
        Err(error) => return failure(exit::INPUT, &format!("cannot find this program: {error}")),
    };
    match serve(own, limits) {
        Ok(()) => Response { code: exit::PROVED, output: Vec::new(), errors: Vec::new() },
        Err(error) => failure(exit::INPUT, &format!("the editor's connection broke: {error}")),
    }
}
