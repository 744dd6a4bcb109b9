//! Verdicts for people and for programs. The only crate that serialises; decides nothing.

mod checks;
mod excerpt;
mod findings;
mod invariants;
mod json;
mod loops;
mod picture;
mod run;
mod story;
mod text;
mod words;

pub use findings::{Asked, Findings, Word};
pub use json::render_json;
pub use picture::{Drawn, Picture, render_html, render_svg};
pub use run::describe_run;
pub use text::{Style, render_text, render_unknown};
