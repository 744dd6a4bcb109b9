//! Every loop by itself: whether it ends, and why.

use belay_evidence::{Answer, LoopAnswer, LoopVerdict, Verdict};
use belay_expression::in_c;
use serde::Serialize;

use crate::excerpt::indent;
use crate::expressions::write_all;
use crate::findings::{Findings, one_line};
use crate::json::{Place, place};
use crate::story::tell;

/// The loops for people; nothing if nobody asked.
pub fn render_loops(findings: &Findings<'_>, verbose: bool) -> String {
    let Some(loops) = findings.loops else { return String::new() };
    let count = |is: fn(&LoopAnswer) -> bool| loops.iter().filter(|found| is(found.answer())).count();
    let plural = if loops.len() == 1 { "" } else { "s" };
    let mut text = format!(
        "each loop: {} loop{plural}, {} end, {} endless, {} unknown\n",
        loops.len(),
        count(|answer| matches!(answer, LoopAnswer::Ends(_))),
        count(|answer| matches!(answer, LoopAnswer::Endless(_))),
        count(|answer| matches!(answer, LoopAnswer::Unknown(_))),
    );
    for found in in_order(loops) {
        let (function, span) = found.located();
        let at = findings.task.simplified.files.describe(span);
        text.push_str(&format!("  {at}: in {function}: {}\n", sentence(found.answer())));
        if let LoopAnswer::Endless(verdict) = found.answer() {
            text.push_str(&indent(&story(findings, verdict, verbose), 4));
        }
    }
    text + "\n"
}

fn in_order(loops: &[LoopVerdict]) -> Vec<&LoopVerdict> {
    let mut all: Vec<&LoopVerdict> = loops.iter().collect();
    all.sort_by_key(|found| {
        let (_, span) = found.located();
        (span.file.0, span.line, span.column, found.place())
    });
    all
}

fn sentence(answer: &LoopAnswer) -> String {
    match answer {
        LoopAnswer::Ends(because) if because.is_empty() => "ends".to_owned(),
        LoopAnswer::Ends(because) if because.len() == 1 => format!("ends, {} gets smaller", in_c(&because[0])),
        LoopAnswer::Ends(because) => {
            format!("ends, ({}) in lexicographic order gets smaller", write_all(because).join(", "))
        }
        LoopAnswer::Endless(_) => "a run stays in it for ever".to_owned(),
        LoopAnswer::Unknown(reason) => format!("unknown: {}", one_line(reason)),
    }
}

fn story(findings: &Findings<'_>, verdict: &Verdict, verbose: bool) -> String {
    match verdict.answer() {
        Answer::False(counterexample) => tell(findings.task, counterexample, verbose),
        Answer::True(_) | Answer::Unknown(_) => String::new(),
    }
}

/// A loop for programs.
#[derive(Serialize)]
pub struct EachLoopEntry {
    verdict: &'static str,
    place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    story: Vec<String>,
}

/// The loops for programs; nothing if nobody asked.
pub fn loop_entries(findings: &Findings<'_>, verbose: bool) -> Option<Vec<EachLoopEntry>> {
    Some(in_order(findings.loops?).into_iter().map(|found| loop_entry(findings, found, verbose)).collect())
}

fn loop_entry(findings: &Findings<'_>, found: &LoopVerdict, verbose: bool) -> EachLoopEntry {
    let (function, span) = found.located();
    let place = place(findings.task.simplified, span, Some(function.to_owned()));
    let (because, message) = (Vec::new(), None);
    let mut entry =
        EachLoopEntry { verdict: "unknown", place, because, message, choices: Vec::new(), story: Vec::new() };
    match found.answer() {
        LoopAnswer::Ends(because) => (entry.verdict, entry.because) = ("ends", write_all(because)),
        LoopAnswer::Endless(verdict) => {
            entry.verdict = "endless";
            entry.story = story(findings, verdict, verbose).lines().map(str::to_owned).collect();
            if let Answer::False(counterexample) = verdict.answer() {
                entry.choices = counterexample.trace.choices.iter().map(ToString::to_string).collect();
            }
        }
        LoopAnswer::Unknown(reason) => entry.message = Some(reason.clone()),
    }
    entry
}
