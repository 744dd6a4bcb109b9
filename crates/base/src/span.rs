//! Places in C source.

use crate::{Id, IdVec, id_type};

id_type!(
    /// A source file of the program.
    FileId,
    "file"
);

/// A line and column of a source file; both count from 1, 0 means unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 if the compiler gave none.
    pub line: u32,
    /// The column, from 1; 0 if the compiler gave none.
    pub column: u32,
}

impl Span {
    /// No place: code that the compiler made up.
    pub const NONE: Span = Span { file: FileId(u32::MAX), line: 0, column: 0 };

    /// True if the span names a line.
    pub fn is_known(self) -> bool {
        self.line != 0 && self.file != Self::NONE.file
    }
}

/// The paths of the program's source files.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: IdVec<FileId, String>,
}

impl SourceMap {
    /// The id of `path`, which is added if it is new.
    pub fn intern(&mut self, path: &str) -> FileId {
        let known = self.files.iter().position(|known| known == path);
        known.map_or_else(|| self.files.push(path.to_owned()), Id::new)
    }

    /// The file's path as the compiler saw it.
    pub fn path(&self, file: FileId) -> Option<&str> {
        self.files.get(file).map(String::as_str)
    }

    /// `path:line:column` as far as it is known.
    pub fn describe(&self, span: Span) -> String {
        match (self.path(span.file), span.line, span.column) {
            (None, _, _) => "unknown place".to_owned(),
            (Some(path), 0, _) => path.to_owned(),
            (Some(path), line, 0) => format!("{path}:{line}"),
            (Some(path), line, column) => format!("{path}:{line}:{column}"),
        }
    }
}
