//! A run of Belay as one page to click through: verdicts, sources with what is known of each line, loops with their invariants, violations step by step
//! with variables and heap. Nothing is loaded from elsewhere; the script builds only what is looked at, so that a hundred files and ten thousand
//! obligations do no harm.

mod data;
mod graph;
mod run;

use crate::findings::Findings;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn render_page(findings: &Findings<'_>) -> String {
    let data = serde_json::to_string(&data::collect(findings)).expect("plain data serialises");
    // A closing tag in the data would end the element.
    let data = data.replace('<', "\\u003c");
    let mut text = String::new();
    let mut rest = PAGE;
    for (mark, part) in [("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)] {
        let Some((before, after)) = rest.split_once(mark) else { continue };
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text + rest
}
