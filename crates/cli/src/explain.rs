//! `belay explain`.

use crate::arguments::ExplainOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// Says what a word means.
pub fn explain(options: &ExplainOptions) -> Response {
    let text = match &options.word {
        None => belay_report::explained_words().map(|(word, text)| format!("{word}\n    {text}\n")).collect::<String>(),
        Some(word) => match belay_report::explain_word(word) {
            Some((word, text)) => format!("{word}: {text}\n"),
            None => {
                return failure(exit::USAGE, &format!("nothing is known of `{word}` (belay explain lists all words)"));
            }
        },
    };
    Response { code: exit::PROVED, output: text.into_bytes(), errors: Vec::new() }
}
