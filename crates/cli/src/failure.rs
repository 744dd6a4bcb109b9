//! Exit codes, and how a failure is told.

use belay_frontend::FrontendError;

use crate::sandbox::Response;

/// The exit codes, as CBMC's.
pub mod exit {
    /// All properties are proved.
    pub const PROVED: u8 = 0;
    /// The command line is wrong.
    pub const USAGE: u8 = 1;
    /// The input can't be read or does not compile.
    pub const INPUT: u8 = 2;
    /// Some property is unknown, none is violated.
    pub const UNKNOWN: u8 = 5;
    /// Belay's own fault.
    pub const INTERNAL: u8 = 6;
    /// Some property is violated.
    pub const VIOLATED: u8 = 10;
    /// Ended by a signal such as Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
}

/// The answer to an input that gives no program.
pub fn frontend_failure(error: &FrontendError) -> Response {
    let code = match error {
        FrontendError::Internal(_) => exit::INTERNAL,
        FrontendError::Entry { .. } => exit::USAGE,
        FrontendError::Unreadable { .. }
        | FrontendError::UnknownKind { .. }
        | FrontendError::NoClang { .. }
        | FrontendError::Compile { .. }
        | FrontendError::BadModule { .. }
        | FrontendError::WrongTarget { .. }
        | FrontendError::Link { .. }
        | FrontendError::CompilationDatabase { .. } => exit::INPUT,
    };
    failure(code, &error.to_string())
}

/// An answer that is only a message.
pub fn failure(code: u8, message: &str) -> Response {
    Response { code, output: Vec::new(), errors: format!("belay: error: {message}\n").into_bytes() }
}
