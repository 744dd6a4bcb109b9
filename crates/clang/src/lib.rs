//! Clang as a program that is run: which flags a file is compiled with, what clang makes of it, and what can go wrong before there is a program.

mod clang;
pub mod database;
mod error;

pub use clang::{Clang, Compilation, Compiled, keep_answers, use_own_libraries};
pub use error::FrontendError;
