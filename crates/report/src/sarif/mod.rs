//! The answer as a SARIF 2.1.0 log: what code hosts and editors read. One result for each property that is violated (for each check, where each was asked about by itself), with the run as its code
//! flow and the object's history as related locations; what is not known is a result of level `note`.

mod fingerprint;
mod place;
mod result;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use belay_evidence::Answer;
use serde_json::{Value, json};
use serde_sarif::sarif::{
    Artifact, ArtifactLocation, Invocation as SarifInvocation, Message, MultiformatMessageString, Notification,
    PropertyBag, ReportingConfiguration, ReportingDescriptor, Result as SarifResult, Run, Sarif, Tool, ToolComponent,
};

use crate::findings::{Combined, Findings, NamedQuestion};
use crate::hash::sha256_of_file;
use rules::{RULES, Rule, undecided_rule};

/// How the tool was called, and how it ends.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// The exit code.
    pub exit_code: u8,
    /// The command line, without the program's name.
    pub arguments: &'a [String],
}

/// A log stays below this many bytes: hosts refuse larger ones.
const MOST_BYTES: usize = 10_000_000;
/// Steps of a code flow; fewer if the log would get too large.
const STEPS: [usize; 4] = [1000, 200, 20, 1];

/// The report as SARIF.
pub fn render_sarif(findings: &Findings<'_>, invocation: Invocation<'_>) -> String {
    let log = |steps| {
        let mut results = results(findings, steps);
        result::tell_apart(&mut results);
        let notes: Vec<String> = findings.task.program.notes.clone();
        let properties = summary(findings);
        finish(results, invocation, true, &notes, properties)
    };
    let logs = STEPS.iter().map(|steps| log(*steps));
    let mut last = String::new();
    for text in logs {
        last = text;
        if last.len() < MOST_BYTES {
            break;
        }
    }
    last
}

/// The report where the analysis gave no answer.
pub fn render_unknown_sarif(questions: &[NamedQuestion], reason: &str, invocation: Invocation<'_>) -> String {
    let results: Vec<SarifResult> =
        questions.iter().map(|asked| result::render_unanswered(asked.name, reason)).collect();
    let verdicts: BTreeMap<&str, &str> = questions.iter().map(|asked| (asked.name, "unknown")).collect();
    let properties = BTreeMap::from([("verdicts".to_owned(), json!(verdicts))]);
    let is_own_fault = reason.starts_with("internal error");
    finish(results, invocation, !is_own_fault, &[], properties)
}

fn results(findings: &Findings<'_>, steps: usize) -> Vec<SarifResult> {
    let mut results = Vec::new();
    for asked in findings.questions {
        let behind = findings.verdicts.iter().filter(|verdict| asked.properties.contains(&verdict.property()));
        for verdict in behind {
            let of_property = verdict.property();
            let mut shown = None;
            if let Answer::False(counterexample) = verdict.answer() {
                shown = counterexample.violation.as_ref().and_then(|violation| violation.obligation);
                results.push(result::render_violation(findings.task, of_property, counterexample, steps));
            }
            // Each check by itself, if that was asked for.
            for check in findings.checks.into_iter().flatten().filter(|check| Some(check.obligation()) != shown) {
                let is_of_property = findings.task.program.obligations[check.obligation()].property == of_property;
                if let (Answer::False(counterexample), true) = (check.answer(), is_of_property) {
                    results.push(result::render_violation(findings.task, of_property, counterexample, steps));
                }
            }
        }
        if let Combined::Unknown(_, unknown) = findings.answer(asked) {
            results.push(result::open(findings.task.program, asked.name, unknown));
        }
    }
    results
}

/// The answers by question, and what proofs rest on.
fn summary(findings: &Findings<'_>) -> BTreeMap<String, Value> {
    let verdicts: BTreeMap<&str, String> =
        findings.questions.iter().map(|asked| (asked.name, findings.answer(asked).verdict())).collect();
    let assumed: BTreeMap<&str, Vec<String>> = findings
        .questions
        .iter()
        .map(|asked| (asked.name, findings.list_assumptions(asked)))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    let mut summary = BTreeMap::from([("verdicts".to_owned(), json!(verdicts))]);
    if !assumed.is_empty() {
        summary.insert("assumptions".to_owned(), json!(assumed));
    }
    summary
}

fn finish(
    results: Vec<SarifResult>,
    invocation: Invocation<'_>,
    is_successful: bool,
    notes: &[String],
    properties: BTreeMap<String, Value>,
) -> String {
    let run = Run::builder()
        .tool(tool())
        .invocations(vec![render_invocation(invocation, is_successful, notes)])
        .artifacts(artifacts(&results))
        .results(results)
        .column_kind(json!("unicodeCodePoints"))
        .properties(PropertyBag::builder().additional_properties(properties).build())
        .build();
    let log = Sarif::builder()
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .version(json!("2.1.0"))
        .runs(vec![run])
        .build();
    serde_json::to_string_pretty(&log).expect("plain data serialises") + "\n"
}

fn tool() -> Tool {
    let driver = ToolComponent::builder()
        .name("Belay")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(RULES.iter().map(descriptor).collect::<Vec<_>>())
        .build();
    Tool::builder().driver(driver).build()
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let text = |text: &str| MultiformatMessageString::builder().text(text).build();
    let level = if *rule == undecided_rule() { "note" } else { "error" };
    ReportingDescriptor::builder()
        .id(rule.id)
        .short_description(text(rule.short))
        .full_description(text(rule.short))
        .help(text(rule.help))
        .default_configuration(ReportingConfiguration::builder().level(json!(level)).build())
        .build()
}

fn render_invocation(invocation: Invocation<'_>, is_successful: bool, notes: &[String]) -> SarifInvocation {
    let notification = |note: &String| {
        Notification::builder().message(Message::builder().text(note.as_str()).build()).level(json!("note")).build()
    };
    SarifInvocation::builder()
        .execution_successful(is_successful)
        .exit_code(i64::from(invocation.exit_code))
        .arguments(invocation.arguments.to_vec())
        .tool_execution_notifications(notes.iter().map(notification).collect::<Vec<_>>())
        .build()
}

/// The files that results point into, with what they held.
fn artifacts(results: &[SarifResult]) -> Vec<Artifact> {
    let paths: BTreeSet<String> = results.iter().flat_map(result::files).collect();
    let artifact = |path: String| {
        let location = ArtifactLocation::builder().uri(path.as_str()).build();
        let hashes = place::path_of(&path)
            .and_then(|path| sha256_of_file(&path))
            .map(|digest| BTreeMap::from([("sha-256".to_owned(), digest)]));
        Artifact::builder().location(location).opt_hashes(hashes).source_language("c").build()
    };
    paths.into_iter().map(artifact).collect()
}
