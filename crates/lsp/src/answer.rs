//! Reports of Belay's as what editors show.

use std::path::Path;

use serde_json::{Value, json};

use crate::document::{Document, functions, line_range};

/// The diagnostics of a file.
pub fn diagnostics(document: &Document, copy: &Path, reports: &[(String, Value)]) -> Vec<Value> {
    let mut shown: Vec<Value> = Vec::new();
    for (entry, report) in reports {
        let mut own: Vec<Value> =
            results(report).filter_map(|result| diagnostic(document, copy, entry, result)).collect();
        say_once(&mut own);
        for one in own {
            // Several entries reach the same place.
            let is_known = |known: &Value| known["range"] == one["range"] && known["message"] == one["message"];
            if !shown.iter().any(is_known) {
                shown.push(one);
            }
        }
    }
    shown
}

/// Properties that are unknown for the same reason at the same place are one diagnostic.
fn say_once(shown: &mut Vec<Value>) {
    let mut kept: Vec<Value> = Vec::new();
    for one in shown.drain(..) {
        let reason = |one: &Value| one["data"]["reason"].as_str().map(str::to_owned);
        let known = kept
            .iter_mut()
            .find(|known| known["severity"] == 3 && known["range"] == one["range"] && reason(known) == reason(&one));
        match known {
            Some(known) if one["severity"] == 3 => {
                let code = one["code"].as_str().unwrap_or_default();
                let message = known["message"].as_str().unwrap_or_default();
                known["message"] = match message.split_once(" is unknown: ").or(message.split_once(" are unknown: ")) {
                    Some((codes, reason)) => format!("{codes}, {code} are unknown: {reason}").into(),
                    None => message.into(),
                };
            }
            Some(_) | None => kept.push(one),
        }
    }
    *shown = kept;
}

fn results(report: &Value) -> impl Iterator<Item = &Value> {
    report["results"].as_array().into_iter().flatten()
}

fn diagnostic(document: &Document, copy: &Path, entry: &str, result: &Value) -> Option<Value> {
    let severity = match result["verdict"].as_str()? {
        "false" => 1,
        "unknown" => 3,
        _ => return None,
    };
    let property = result["violated"].as_str().or(result["property"].as_str()).unwrap_or_default();
    let message = result["message"].as_str().unwrap_or("no reason is known");
    let text = if severity == 1 { message.to_owned() } else { format!("{property} is unknown: {message}") };
    let (line, column) = place(copy, &result["place"]).unwrap_or_else(|| (line_of(document, entry), 0));
    Some(json!({
        "range": line_range(&document.text, line, column),
        "severity": severity,
        "source": "belay",
        "code": property,
        "message": text,
        "relatedInformation": related(document, result),
        "data": { "entry": entry, "reason": message },
    }))
}

/// Where a function stands; what has no place of its own is shown there.
fn line_of(document: &Document, entry: &str) -> u32 {
    functions(&document.text).iter().find(|function| function.name == entry).map_or(0, |function| function.line)
}

/// Line and column from 0, if the place is in the file itself.
fn place(copy: &Path, place: &Value) -> Option<(u32, u32)> {
    let file = place["file"].as_str()?;
    let line = u32::try_from(place["line"].as_u64()?).ok()?;
    let column = u32::try_from(place["column"].as_u64().unwrap_or(1)).ok()?;
    (Path::new(file) == copy).then(|| (line.saturating_sub(1), column.saturating_sub(1)))
}

/// The steps of the run, at their lines.
fn related(document: &Document, result: &Value) -> Vec<Value> {
    let steps = result["story"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let at = |step: &str| {
        let (line, what) = step.trim().strip_prefix("line ")?.split_once(": ")?;
        let line = line.parse::<u32>().ok()?.saturating_sub(1);
        let range = line_range(&document.text, line, 0);
        Some(json!({ "location": { "uri": document.uri, "range": range }, "message": what }))
    };
    // What editors show of a run is read by people.
    steps.filter_map(at).take(50).collect()
}

/// Invariants and ranking functions at the heads of loops.
pub fn hints(copy: &Path, reports: &[(String, Value)], text: &str) -> Vec<Value> {
    let mut shown = Vec::new();
    for result in reports.iter().flat_map(|(_, report)| results(report)) {
        for invariant in result["invariants"].as_array().into_iter().flatten() {
            let conditions = words(&invariant["conditions"], " && ");
            add_hint(&mut shown, copy, &invariant["place"], &format!("holds: {conditions}"), text);
        }
        for one in result["loops"].as_array().into_iter().flatten() {
            let because = words(&one["because"], ", ");
            let label = match one["terminates"].as_bool() {
                Some(true) if because.is_empty() => "ends".to_owned(),
                Some(true) => format!("ends: {because} gets smaller"),
                Some(false) => "never ends".to_owned(),
                None => continue,
            };
            add_hint(&mut shown, copy, &one["place"], &label, text);
        }
    }
    shown
}

fn words(list: &Value, between: &str) -> String {
    let words: Vec<&str> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    words.join(between)
}

fn add_hint(shown: &mut Vec<Value>, copy: &Path, at: &Value, label: &str, text: &str) {
    let Some((line, _)) = place(copy, at) else { return };
    let length = text.lines().nth(line as usize).map_or(0, |line| line.encode_utf16().count());
    let hint = json!({
        "position": { "line": line, "character": length },
        "label": format!("  {}", shortened(label)),
        "tooltip": label,
        "paddingLeft": true,
    });
    if !shown.contains(&hint) {
        shown.push(hint);
    }
}

fn shortened(label: &str) -> String {
    const MOST: usize = 100;
    if label.chars().count() <= MOST { label.to_owned() } else { label.chars().take(MOST).chain(['…']).collect() }
}

/// The first violation of a report: which property, and its line from 0.
pub fn violation(report: &Value) -> Option<(String, u32)> {
    let violated = results(report).find(|result| result["verdict"] == "false")?;
    let property = violated["violated"].as_str().or(violated["property"].as_str())?;
    let line = violated["place"]["line"].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(1);
    Some((property.to_owned(), line.saturating_sub(1)))
}
