//! Verdicts for people and for programs. The only crate that serialises; decides nothing.

mod checks;
mod dictionary;
mod excerpt;
mod expressions;
mod findings;
mod functions;
mod hash;
mod headline;
mod invariants;
mod json;
mod loops;
mod page;
mod picture;
mod replay;
mod run;
mod sarif;
mod story;
mod text;
mod witness;
mod words;

pub use dictionary::{explain_word, explained_words};
pub use expressions::because;
pub use findings::{Findings, NamedQuestion, Word};
pub use functions::{NamedAnswer, NamedCaller, render_functions};
pub use json::render_json;
pub use page::render_page;
pub use picture::{Drawn, Picture, render_html, render_svg};
pub use replay::{Expected, Reason, ReplayFile, Reproduced, Sources, describe_replay, render_replay, replay_words};
pub use run::describe_run;
pub use sarif::{Invocation, render_sarif, render_unknown_sarif};
pub use text::{OF_NO_RUN, Style, describe_assumption, render_text, render_unknown};
pub use witness::{
    Complaint, Entry as WitnessEntry, Kept, Origin, WitnessAnswer, WitnessVersion, describe_complaints,
    describe_invariants, describe_witness, file_is_of_witness, parse_specification, read_witness, render_witness,
};
