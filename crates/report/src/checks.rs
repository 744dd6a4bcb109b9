//! Every check by itself: counts by file and function, a line each, and the run of each that is violated.

use std::collections::BTreeMap;

use belay_base::Span;
use belay_evidence::{Answer, CheckVerdict, Counterexample, Task, count_discharged};
use belay_ir::{Obligation, Program, Property};
use serde::Serialize;

use crate::excerpt::{excerpt, indent};
use crate::expressions::because;
use crate::findings::{Findings, Word, one_line};
use crate::json::{Place, place};
use crate::story::tell;
use crate::text::describe_proof;
use crate::words::{describe_violation, violation_place};

/// How many checks have which answer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    total: usize,
    hold: usize,
    violated: usize,
    unknown: usize,
}

impl Counts {
    fn add(&mut self, word: Word) {
        self.total += 1;
        match word {
            Word::True => self.hold += 1,
            Word::False => self.violated += 1,
            Word::Unknown => self.unknown += 1,
        }
    }

    fn sentence(&self) -> String {
        let plural = if self.total == 1 { "" } else { "s" };
        let Counts { total, hold, violated, unknown } = self;
        format!("{total} check{plural}, {hold} hold, {violated} violated, {unknown} unknown")
    }
}

fn word(check: &CheckVerdict) -> Word {
    match check.answer() {
        Answer::True(_) => Word::True,
        Answer::False(_) => Word::False,
        Answer::Unknown(_) => Word::Unknown,
    }
}

fn obligation<'p>(program: &'p Program, check: &CheckVerdict) -> &'p Obligation {
    &program.obligations[check.obligation()]
}

/// The checks of each function of each file, both in the order of the program.
type Grouped<'a> = Vec<(String, Vec<(String, Vec<&'a CheckVerdict>)>)>;

fn group<'a>(program: &Program, checks: &'a [CheckVerdict]) -> Grouped<'a> {
    let mut groups: Grouped<'a> = Vec::new();
    for check in checks {
        let told = obligation(program, check);
        let file = program.files.path(told.span.file).unwrap_or("?").to_owned();
        let function = program.functions[told.function].name.clone();
        let at = groups.iter().position(|(known, _)| *known == file).unwrap_or_else(|| {
            groups.push((file, Vec::new()));
            groups.len() - 1
        });
        let functions = &mut groups[at].1;
        match functions.iter_mut().find(|(known, _)| *known == function) {
            Some((_, known)) => known.push(check),
            None => functions.push((function, vec![check])),
        }
    }
    for (_, checks) in groups.iter_mut().flat_map(|(_, functions)| functions) {
        checks.sort_by_key(|check| {
            let told = obligation(program, check);
            (told.span.line, told.span.column, check.obligation())
        });
    }
    groups
}

fn count<'a>(checks: impl IntoIterator<Item = &'a CheckVerdict>) -> Counts {
    let mut counts = Counts::default();
    checks.into_iter().for_each(|check| counts.add(word(check)));
    counts
}

fn properties(findings: &Findings<'_>) -> Vec<Property> {
    findings.verdicts.iter().map(belay_evidence::Verdict::property).collect()
}

/// The checks for people; nothing if nobody asked.
pub fn render_checks(findings: &Findings<'_>, verbose: bool) -> String {
    let Some(checks) = findings.checks else { return String::new() };
    let (task, program) = (findings.task, findings.task.program);
    let more = match count_discharged(task, &properties(findings)) {
        0 => String::new(),
        more => format!(", and {more} that need no proof"),
    };
    let mut text = format!("each check: {}{more}\n", count(checks).sentence());
    for (file, functions) in group(program, checks) {
        let of_file = count(functions.iter().flat_map(|(_, checks)| checks.iter().copied()));
        text.push_str(&format!("  {file}: {}\n", of_file.sentence()));
        for (function, checks) in functions {
            text.push_str(&format!("    {function}: {}\n", count(checks.iter().copied()).sentence()));
            checks.iter().for_each(|check| text.push_str(&format!("      {}\n", line(program, check))));
        }
    }
    if checks.iter().any(|check| word(check) != Word::True) {
        text.push_str("  a check that holds does so as far as runs get: a run ends at its first invalid access\n");
    }
    text.push('\n');
    for check in checks {
        if let Answer::False(counterexample) = check.answer() {
            text.push_str(&render_violation(task, check, counterexample, verbose));
        }
    }
    text
}

fn line(program: &Program, check: &CheckVerdict) -> String {
    let told = obligation(program, check);
    let answer = match check.answer() {
        Answer::True(_) => "holds".to_owned(),
        Answer::False(counterexample) => format!("violated: {}", what(program, counterexample)),
        Answer::Unknown(unknown) => format!("unknown: {}", one_line(&because(&unknown.reason))),
    };
    format!("line {}: {} {answer}", told.span.line, program.obligation_name(check.obligation()))
}

fn what(program: &Program, counterexample: &Counterexample) -> String {
    let violation = counterexample.violation.as_ref();
    violation.map_or_else(|| "the program never ends".to_owned(), |it| describe_violation(program, it))
}

fn render_violation(task: &Task<'_>, check: &CheckVerdict, counterexample: &Counterexample, verbose: bool) -> String {
    let program = task.program;
    let span = violation_place(task, counterexample).map_or(Span::NONE, |entry| entry.span);
    let place = indent(&excerpt(program, span), 2);
    let story = indent(&tell(task, counterexample, verbose), 2);
    let name = program.obligation_name(check.obligation());
    format!("{name}: violated\n  {}\n{place}{story}\n", what(program, counterexample))
}

/// The checks for programs.
#[derive(Serialize)]
pub struct ChecksEntry {
    #[serde(flatten)]
    counts: Counts,
    /// Checks that simplification discharges; they are not listed.
    discharged: usize,
    files: BTreeMap<String, FileEntry>,
    list: Vec<CheckEntry>,
}

#[derive(Serialize)]
struct FileEntry {
    #[serde(flatten)]
    counts: Counts,
    functions: BTreeMap<String, Counts>,
}

#[derive(Serialize)]
struct CheckEntry {
    check: String,
    property: &'static str,
    verdict: &'static str,
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    story: Vec<String>,
}

/// The checks for programs; nothing if nobody asked.
pub fn checks_entry(findings: &Findings<'_>, verbose: bool) -> Option<ChecksEntry> {
    let checks = findings.checks?;
    let files = group(findings.task.program, checks).into_iter().map(|(file, functions)| {
        let counts = count(functions.iter().flat_map(|(_, checks)| checks.iter().copied()));
        let functions = functions.into_iter().map(|(name, checks)| (name, count(checks))).collect();
        (file, FileEntry { counts, functions })
    });
    Some(ChecksEntry {
        counts: count(checks),
        discharged: count_discharged(findings.task, &properties(findings)),
        files: files.collect(),
        list: checks.iter().map(|check| check_entry(findings.task, check, verbose)).collect(),
    })
}

fn check_entry(task: &Task<'_>, check: &CheckVerdict, verbose: bool) -> CheckEntry {
    let program = task.program;
    let told = obligation(program, check);
    let mut entry = CheckEntry {
        check: program.obligation_name(check.obligation()),
        property: told.property.name(),
        verdict: "unknown",
        place: place(program, told.span, Some(program.functions[told.function].name.clone())),
        message: None,
        proof: None,
        choices: Vec::new(),
        story: Vec::new(),
    };
    match check.answer() {
        Answer::True(proof) => {
            entry.verdict = "holds";
            entry.proof = Some(describe_proof(told.property, proof));
        }
        Answer::False(counterexample) => {
            entry.verdict = "violated";
            entry.message = Some(what(program, counterexample));
            entry.choices = counterexample.trace.choices.iter().map(ToString::to_string).collect();
            entry.story = tell(task, counterexample, verbose).lines().map(str::to_owned).collect();
        }
        Answer::Unknown(unknown) => entry.message = Some(because(&unknown.reason)),
    }
    entry
}
