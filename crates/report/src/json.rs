//! The answer for programs.

use belay_base::Span;
use belay_evidence::{Answer, Counterexample, Task, Unknown, Verdict, Within};
use belay_interpreter::{RunEnd, StackEntry};
use belay_ir::{Program, Property};
use serde::Serialize;

use crate::checks::{ChecksEntry, checks_entry};
use crate::excerpt::source_line;
use crate::expressions::{because, write_all};
use crate::findings::{Combined, Findings, NamedQuestion, explain};
use crate::invariants::{LoopInvariant, invariants};
use crate::loops::{EachLoopEntry, loop_entries};
use crate::story::tell;
use crate::text::{Style, assumptions, describe_proof, list_known, one_of, ranks};
use crate::words::{describe_violation, violation_place};

#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    version: &'static str,
    notes: &'a [String],
    results: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<ChecksEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loops: Option<Vec<EachLoopEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Vec<(String, f64)>>,
}

#[derive(Serialize, Default)]
struct Entry {
    property: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    violated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    obligation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<WithinEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    story: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proof: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loops: Vec<LoopEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<InvariantEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumptions: Vec<String>,
}

/// How far nothing is violated.
#[derive(Serialize)]
struct WithinEntry {
    rounds: u32,
    calls: u32,
    checked: bool,
}

impl From<Within> for WithinEntry {
    fn from(within: Within) -> Self {
        Self { rounds: within.rounds(), calls: within.calls(), checked: within.is_rechecked() }
    }
}

/// What is known of one loop.
#[derive(Serialize)]
struct LoopEntry {
    place: Option<Place>,
    terminates: Option<bool>,
    /// What gets smaller, most significant first; or what holds for ever.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<String>,
}

/// What holds at the head of a loop.
#[derive(Serialize, PartialEq)]
struct InvariantEntry {
    place: Option<Place>,
    /// Where the loop's function was called, if that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<Place>,
    /// Conditions in C's syntax; all hold.
    conditions: Vec<String>,
    /// Names in them that the program does not have: a suitable value exists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exists: Vec<String>,
    /// They hold whenever the head is reached again, not at first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    after_first_round: bool,
}

#[derive(Serialize, PartialEq)]
pub(crate) struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    file: Option<String>,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// The report as JSON.
pub fn render_json(findings: &Findings<'_>, style: Style) -> String {
    let results = findings.questions.iter().map(|asked| entry(findings, asked, style)).collect();
    let timing = || {
        let engines = findings.stats.iter().map(|(engine, time)| ((*engine).to_owned(), time.as_secs_f64()));
        let queries = findings.queries.iter().flat_map(|(solver, count, time)| {
            [(format!("{solver} questions"), *count as f64), (format!("{solver} seconds"), time.as_secs_f64())]
        });
        engines.chain(queries).chain([("total".to_owned(), findings.elapsed.as_secs_f64())]).collect()
    };
    let report = Report {
        notes: &findings.task.program.notes,
        results,
        checks: checks_entry(findings, style.verbose),
        loops: loop_entries(findings, style.verbose),
        stats: style.stats.then(timing),
        ..Report::default()
    };
    report.render()
}

/// The report where the analysis gave no answer.
pub fn render_unknown(questions: &[NamedQuestion], reason: &str) -> String {
    let entry = |asked: &NamedQuestion| Entry {
        property: asked.name.to_owned(),
        verdict: "unknown",
        message: Some(reason.to_owned()),
        ..Entry::default()
    };
    Report { results: questions.iter().map(entry).collect(), ..Report::default() }.render()
}

impl Default for Report<'_> {
    fn default() -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Report { tool: "belay", version, notes: &[], results: Vec::new(), checks: None, loops: None, stats: None }
    }
}

impl Report<'_> {
    fn render(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data serialises") + "\n"
    }
}

fn entry(findings: &Findings<'_>, asked: &NamedQuestion, style: Style) -> Entry {
    let program = findings.task.program;
    let property = asked.name.to_owned();
    match findings.answer(asked) {
        Combined::True(verdicts) => Entry { property, verdict: "true", ..proof_entry(findings, &verdicts) },
        Combined::False(verdict, counterexample) => {
            let story = tell(findings.task, counterexample, style.verbose).lines().map(str::to_owned).collect();
            Entry { property, story, ..violation_entry(findings.task, verdict, counterexample) }
        }
        Combined::Unknown(_, unknown) => Entry {
            property,
            verdict: "unknown",
            message: Some(explain(unknown)),
            within: unknown.within.map(WithinEntry::from),
            place: place(program, unknown.span, None),
            loops: open_loop(program, asked, unknown),
            ..Entry::default()
        },
    }
}

fn proof_entry(findings: &Findings<'_>, verdicts: &[&Verdict]) -> Entry {
    let mut entry = Entry::default();
    for verdict in verdicts {
        if let Answer::True(proof) = verdict.answer() {
            let lines = std::iter::once(describe_proof(verdict.property(), proof));
            for line in lines.chain(list_known(findings, verdict)).chain(ranks(findings, verdict)) {
                if !entry.proof.contains(&line) {
                    entry.proof.push(line);
                }
            }
            for invariant in invariant_entries(findings.task, verdict) {
                if !entry.invariants.contains(&invariant) {
                    entry.invariants.push(invariant);
                }
            }
            entry.loops.extend(verdict.ranks().iter().map(|ranked| LoopEntry {
                place: place(findings.task.simplified, ranked.span, Some(ranked.function.clone())),
                terminates: Some(true),
                because: write_all(&ranked.functions).into_iter().chain(one_of(ranked)).collect(),
            }));
        }
        entry.assumptions.extend(assumptions(verdict));
    }
    entry.assumptions.sort();
    entry.assumptions.dedup();
    entry
}

fn invariant_entries(task: &Task<'_>, verdict: &Verdict) -> Vec<InvariantEntry> {
    let program = task.simplified;
    let entry = |known: LoopInvariant| InvariantEntry {
        place: place(program, known.span, Some(program.functions[known.function].name.clone())),
        called: place(program, known.called, None),
        conditions: write_all(&known.facts.conditions),
        exists: known.facts.ghosts,
        after_first_round: known.later,
    };
    invariants(task, verdict).into_iter().map(entry).collect()
}

fn violation_entry(task: &Task<'_>, verdict: &Verdict, counterexample: &Counterexample) -> Entry {
    let program = task.program;
    let violation = counterexample.violation.as_ref();
    let stack = violation.map(|violation| {
        let entries = violation.stack.iter();
        entries.filter_map(|at| place(program, at.span, Some(program.functions[at.function].name.clone()))).collect()
    });
    let at = violation_place(task, counterexample).or_else(|| recurrence_place(counterexample));
    Entry {
        verdict: "false",
        violated: Some(verdict.property().to_string()),
        obligation: violation.and_then(|violation| violation.obligation).map(|id| program.obligation_name(id)),
        message: Some(
            violation.map_or_else(|| "the program never ends".to_owned(), |it| describe_violation(program, it)),
        ),
        place: at.and_then(|at| place(program, at.span, Some(program.functions[at.function].name.clone()))),
        stack: stack.unwrap_or_default(),
        choices: counterexample.trace.choices.iter().map(ToString::to_string).collect(),
        loops: endless_loops(program, counterexample),
        ..Entry::default()
    }
}

/// The loops that a run goes round in for ever.
fn endless_loops(program: &Program, counterexample: &Counterexample) -> Vec<LoopEntry> {
    let set = counterexample.recurrences.iter().map(|recurrence| LoopEntry {
        place: place(program, recurrence.span, Some(recurrence.function.clone())),
        terminates: Some(false),
        because: write_all(&recurrence.states),
    });
    let state = recurrence_place(counterexample).map(|at| LoopEntry {
        place: place(program, at.span, Some(program.functions[at.function].name.clone())),
        terminates: Some(false),
        because: vec!["the state recurs".to_owned()],
    });
    set.chain(state).collect()
}

/// The loop that termination is open for, where one is named.
fn open_loop(program: &Program, asked: &NamedQuestion, unknown: &Unknown) -> Vec<LoopEntry> {
    let about_loop = asked.properties.contains(&Property::Termination) && unknown.span.is_known();
    let entry = || LoopEntry {
        place: place(program, unknown.span, None),
        terminates: None,
        because: vec![because(&unknown.reason)],
    };
    about_loop.then(entry).into_iter().collect()
}

/// Where a run that never ends comes back to.
fn recurrence_place(counterexample: &Counterexample) -> Option<StackEntry> {
    match &counterexample.report.end {
        RunEnd::Recurs { span, function, .. } => Some(StackEntry { function: *function, span: *span }),
        _ => None,
    }
}

pub(crate) fn place(program: &Program, span: Span, function: Option<String>) -> Option<Place> {
    span.is_known().then(|| Place {
        function,
        file: program.files.path(span.file).map(str::to_owned),
        line: span.line,
        column: span.column,
        source: source_line(program, span),
    })
}
