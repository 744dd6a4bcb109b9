//! Verdicts for people and for programs. The only crate that serialises; decides nothing.

mod checks;
mod excerpt;
mod findings;
mod hash;
mod headline;
mod invariants;
mod json;
mod loops;
mod picture;
mod replay;
mod run;
mod sarif;
mod story;
mod text;
mod witness;
mod words;

pub use findings::{Findings, NamedQuestion, Word};
pub use json::render_json;
pub use picture::{Drawn, Picture, render_html, render_svg};
pub use replay::{Expected, Reason, ReplayFile, Reproduced, Sources, describe_replay, render_replay};
pub use run::describe_run;
pub use sarif::{Invocation, render_sarif, render_unknown_sarif};
pub use text::{Style, render_text, render_unknown};
pub use witness::{
    Complaint, Entry as WitnessEntry, Kept, Origin, WitnessAnswer, describe_complaints, describe_invariants,
    describe_witness, file_is_of_witness, parse_specification, read_witness, render_witness,
};
