//! What can go wrong before there is a program, in words for the user.

use std::fmt;
use std::path::PathBuf;

/// Why there is no program to analyse.
#[derive(Debug)]
pub enum FrontendError {
    /// The file can't be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file's name does not tell what it is.
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// No clang of the needed version was found.
    NoClang {
        /// What was tried.
        tried: String,
    },
    /// clang refused the source.
    Compile {
        /// The source.
        path: PathBuf,
        /// clang's own words.
        messages: String,
    },
    /// The bitcode or IR is damaged, or of a version that LLVM can't read.
    BadModule {
        /// The file.
        path: PathBuf,
        /// LLVM's own words.
        message: String,
    },
    /// The bitcode is for another machine than the data model says.
    WrongTarget {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        message: String,
    },
    /// The files do not make one program.
    Link {
        /// The linker's own words.
        message: String,
    },
    /// The compilation database is damaged or does not name the file.
    CompilationDatabase {
        /// What is wrong.
        message: String,
    },
    /// The entry state does not fit the program.
    Entry {
        /// What does not.
        message: String,
    },
    /// Belay's own fault: the translated program is not well formed.
    Internal(String),
}

impl fmt::Display for FrontendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrontendError::Unreadable { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            FrontendError::UnknownKind { path } => {
                write!(f, "{}: not a C source (.c, .i), LLVM IR (.ll) or bitcode (.bc) file", path.display())
            }
            FrontendError::NoClang { tried } => {
                write!(
                    f,
                    "clang 22 is needed to read C and was not found (tried {tried}); on Debian: apt-get install clang-22"
                )
            }
            FrontendError::Compile { path, messages } => {
                write!(f, "{} does not compile:\n{}", path.display(), messages.trim_end())
            }
            FrontendError::BadModule { path, message } => {
                write!(f, "{} is not valid LLVM bitcode or IR: {}", path.display(), message.trim_end())
            }
            FrontendError::WrongTarget { path, message } => write!(f, "{}: {message}", path.display()),
            FrontendError::Link { message } => write!(f, "the files do not link: {}", message.trim_end()),
            FrontendError::CompilationDatabase { message } => write!(f, "compilation database: {message}"),
            FrontendError::Entry { message } => write!(f, "{message}"),
            FrontendError::Internal(message) => write!(f, "internal error in the front end: {message}"),
        }
    }
}

impl std::error::Error for FrontendError {}
