//! Results: a violated property with the run that shows it, or a property that is not decided.

use std::collections::{BTreeMap, HashMap};

use belay_base::Span;
use belay_evidence::{Counterexample, Task, Unknown};
use belay_interpreter::{EndedBy, ObjectInfo, ObjectKind};
use belay_ir::{Program, Property};
use serde_json::{Value, json};
use serde_sarif::sarif::{
    CodeFlow, Location, Message, PropertyBag, Result as SarifResult, ResultLevel, ThreadFlow, ThreadFlowLocation,
};

use super::fingerprint::fingerprint;
use super::place::location;
use super::rules::{RULES, Rule, object_of, rule_of, undecided_rule};
use crate::excerpt::source_line;
use crate::expressions::because;
use crate::headline::{Headline, headline};
use crate::story::{Story, watch};

/// The key of our fingerprints; a new way of making them would get a new one.
const FINGERPRINT: &str = "belayFunctionRuleLine/v1";
/// Characters of a message.
const MOST_TEXT: usize = 400;

/// A property that is violated.
pub fn render_violation(
    task: &Task<'_>,
    property: Property,
    counterexample: &Counterexample,
    steps: usize,
) -> SarifResult {
    let program = task.program;
    let rule = rule_of(counterexample);
    let at = headline(task, counterexample);
    let obligation = counterexample.violation.as_ref().and_then(|violation| violation.obligation);
    let name = obligation.map_or_else(|| format!("program.{property}"), |id| program.obligation_name(id));
    let choices: Vec<String> = counterexample.trace.choices.iter().take(steps).map(ToString::to_string).collect();
    let properties = BTreeMap::from([
        ("property".to_owned(), json!(property.name())),
        ("obligation".to_owned(), json!(name)),
        ("choices".to_owned(), json!(choices)),
    ]);
    let function = at.function.as_deref();
    let line = source_line(program, at.span).unwrap_or_default();
    let print = fingerprint(rule.id, function.unwrap_or_default(), &line);
    let flow = code_flow(program, &watch(task, counterexample, steps.saturating_sub(1).max(1)), &at);
    SarifResult::builder()
        .rule_id(rule.id)
        .rule_index(index(rule))
        .level(ResultLevel::Error)
        .message(message(&at.what))
        .locations(vec![location(program, at.span, function, None)])
        .related_locations(collect_related(program, counterexample))
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), print)]))
        .code_flows(vec![flow])
        .properties(bag(properties))
        .build()
}

/// A question that is open.
pub fn open(program: &Program, name: &str, unknown: &Unknown) -> SarifResult {
    let line = source_line(program, unknown.span).unwrap_or_default();
    let print = fingerprint(undecided_rule().id, name, &line);
    let place = unknown.span.is_known().then(|| vec![location(program, unknown.span, None, None)]);
    let mut result = render_unanswered(name, &because(&unknown.reason));
    result.locations = place;
    result.partial_fingerprints = Some(BTreeMap::from([(FINGERPRINT.to_owned(), print)]));
    result
}

/// A question that the analysis did not come to answer.
pub fn render_unanswered(name: &str, reason: &str) -> SarifResult {
    SarifResult::builder()
        .rule_id(undecided_rule().id)
        .rule_index(index(undecided_rule()))
        .level(ResultLevel::Note)
        .message(message(&format!("{name} is not decided: {reason}")))
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), fingerprint(undecided_rule().id, name, ""))]))
        .properties(bag(BTreeMap::from([("property".to_owned(), json!(name))])))
        .build()
}

/// Results with the same fingerprint get a number, in the order in which they stand.
pub fn tell_apart(results: &mut [SarifResult]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for print in results.iter_mut().filter_map(|result| result.partial_fingerprints.as_mut()?.get_mut(FINGERPRINT)) {
        let count = seen.entry(print.clone()).or_default();
        *count += 1;
        *print = format!("{print}:{count}");
    }
}

/// The files that a result points into, as URIs.
pub fn files(result: &SarifResult) -> Vec<String> {
    let flows = result.code_flows.iter().flatten().flat_map(|flow| &flow.thread_flows);
    let steps = flows.flat_map(|flow| &flow.locations).filter_map(|step| step.location.as_ref());
    let places = result.locations.iter().flatten().chain(result.related_locations.iter().flatten()).chain(steps);
    places.filter_map(|place| place.physical_location.as_ref()?.artifact_location.as_ref()?.uri.clone()).collect()
}

fn index(rule: Rule) -> i64 {
    RULES.iter().position(|known| *known == rule).map_or(-1, |index| index as i64)
}

fn message(text: &str) -> Message {
    Message::builder().text(cut(text)).build()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn bag(properties: BTreeMap<String, Value>) -> PropertyBag {
    PropertyBag::builder().additional_properties(properties).build()
}

/// The run; its last step is the violation itself.
fn code_flow(program: &Program, story: &Story, end: &Headline) -> CodeFlow {
    let mut steps: Vec<ThreadFlowLocation> = Vec::new();
    let mut add = |span: Span, depth: usize, text: &str, importance: &str| {
        let step = ThreadFlowLocation::builder()
            .location(location(program, span, None, Some(&cut(text))))
            .nesting_level(depth as i64)
            .execution_order(steps.len() as i64 + 1)
            .importance(json!(importance))
            .build();
        steps.push(step);
    };
    for step in &story.steps {
        add(step.span, step.depth, &step.text, "important");
    }
    add(end.span, 0, &end.what, "essential");
    let left_out = match (story.left_out, story.forever) {
        (0, false) => None,
        (count, false) => Some(format!("the last steps of the run; {count} earlier ones are left out")),
        (_, true) => Some("the first steps of a run that never ends".to_owned()),
    };
    CodeFlow::builder()
        .thread_flows(vec![ThreadFlow::builder().locations(steps).build()])
        .opt_message(left_out.map(|text| Message::builder().text(text).build()))
        .build()
}

/// Where the object that a violation is about comes from, and where its life ended.
fn collect_related(program: &Program, counterexample: &Counterexample) -> Vec<Location> {
    let object = counterexample.violation.as_ref().and_then(|violation| object_of(&violation.fault));
    let Some(object) = object else { return Vec::new() };
    let places = [(object.made_at, describe_made(object)), describe_end(object)];
    let mut related = Vec::new();
    for (span, text) in places.into_iter().filter(|(span, _)| span.is_known()) {
        let mut place = location(program, span, None, Some(text));
        place.id = Some(related.len() as i64 + 1);
        related.push(place);
    }
    related
}

fn describe_made(object: &ObjectInfo) -> &'static str {
    match object.kind {
        ObjectKind::Heap(_) => "allocated here",
        ObjectKind::Global(_)
        | ObjectKind::Function(_)
        | ObjectKind::Stack(..)
        | ObjectKind::ByValue(..)
        | ObjectKind::Variadic(_)
        | ObjectKind::Arguments
        | ObjectKind::ArgumentString(_)
        | ObjectKind::EntryArgument(_) => "declared here",
    }
}

fn describe_end(object: &ObjectInfo) -> (Span, &'static str) {
    match object.ended {
        Some((EndedBy::Free, span)) => (span, "freed here"),
        Some((EndedBy::Return, span)) => (span, "its function returned here"),
        Some((EndedBy::Scope, span)) => (span, "its block ended here"),
        Some((EndedBy::Unborn, _)) | None => (Span::NONE, ""),
    }
}
