//! Answers that are known already. The answer for a function rests on its text, on what it may call in its file, on everything outside of functions, on
//! headers and flags; not on where the lines stand. (Where the file has constructors or contracts, on all of it.) So an edit above a function does not make its answer stale: its places are moved along.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::document::{Document, FunctionText};
use crate::flags::hash_headers;

/// How many reports are kept.
const MOST: usize = 10_000;

/// What an answer rests on, and the lines that its functions stand in.
#[derive(Clone, Debug)]
pub struct Basis {
    key: u64,
    lines: Vec<(u32, u32)>,
}

/// Reports by what they rest on.
#[derive(Default)]
pub struct Known {
    reports: HashMap<u64, (Vec<(u32, u32)>, Value)>,
}

impl Known {
    /// The report that is known, with its places where the text has them now.
    pub fn get(&self, basis: &Basis) -> Option<Value> {
        let (lines, report) = self.reports.get(&basis.key)?;
        let mut report = report.clone();
        move_lines(&mut report, &|line| moved(line, lines, &basis.lines)).then_some(report)
    }

    pub fn insert(&mut self, basis: Basis, report: Value) {
        if self.reports.len() >= MOST {
            self.reports.clear();
        }
        self.reports.insert(basis.key, (basis.lines, report));
    }
}

/// What the answer for a function rests on.
pub fn basis(document: &Document, flags: &[String], all: &[FunctionText], entry: &FunctionText) -> Basis {
    let mut reached = vec![entry];
    let mut at = 0;
    while at < reached.len() {
        let body = &document.text[reached[at].start..reached[at].end];
        let words: std::collections::HashSet<&str> =
            body.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        for function in all {
            if words.contains(function.name.as_str()) && !reached.contains(&function) {
                reached.push(function);
            }
        }
        at += 1;
    }
    let mut hasher = DefaultHasher::new();
    (&document.uri, &entry.name, flags).hash(&mut hasher);
    // What runs before and after every entry, and what contracts speak of, is called by nobody.
    if ["constructor", "destructor", "__CPROVER_", "belay_"].iter().any(|word| document.text.contains(word)) {
        document.text.hash(&mut hasher);
    }
    for function in &reached {
        document.text[function.start..function.end].hash(&mut hasher);
    }
    let mut last = 0;
    for function in all {
        document.text[last..function.start].trim().hash(&mut hasher);
        last = function.end;
    }
    document.text[last..].trim().hash(&mut hasher);
    hash_headers(&document.text, flags, &mut hasher);
    Basis { key: hasher.finish(), lines: reached.iter().map(|function| function.lines(&document.text)).collect() }
}

/// A line, counted from 1, where its function stands now. Lines outside of the functions that matter may be anywhere.
fn moved(line: u64, before: &[(u32, u32)], now: &[(u32, u32)]) -> Option<u64> {
    if before == now {
        return Some(line);
    }
    let holds = |(first, last): &(u32, u32)| (u64::from(*first) + 1..=u64::from(*last) + 1).contains(&line);
    // Two functions on one line may have parted.
    let mut places = before.iter().zip(now).filter(|(span, _)| holds(span));
    let place = |(then, now): (&(u32, u32), &(u32, u32))| (line + u64::from(now.0)).checked_sub(u64::from(then.0));
    let first = places.next().and_then(place)?;
    places.all(|pair| place(pair) == Some(first)).then_some(first)
}

/// Moves all lines of a report, also those in words; false if one has no place any more.
fn move_lines(value: &mut Value, moved: &dyn Fn(u64) -> Option<u64>) -> bool {
    match value {
        Value::Array(parts) => parts.iter_mut().all(|part| move_lines(part, moved)),
        Value::Object(fields) => fields.iter_mut().all(|(name, field)| match (name.as_str(), field.as_u64()) {
            ("line", Some(line)) => moved(line).map(|line| *field = line.into()).is_some(),
            _ => move_lines(field, moved),
        }),
        Value::String(text) => move_words(text, moved).map(|now| *text = now).is_some(),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Numbers after `line ` are lines.
fn move_words(text: &str, moved: &dyn Fn(u64) -> Option<u64>) -> Option<String> {
    let mut parts = text.split("line ");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str("line ");
        let digits = part.len() - part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        match part[..digits].parse::<u64>() {
            Ok(line) => result.push_str(&moved(line)?.to_string()),
            Err(_) => result.push_str(&part[..digits]),
        }
        result.push_str(&part[digits..]);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::functions;
    use serde_json::json;

    fn document(text: &str) -> Document {
        Document { uri: "file:///a.c".to_owned(), path: "/a.c".into(), text: text.to_owned(), version: 1 }
    }

    fn basis_of(text: &str, name: &str) -> Basis {
        let all = functions(text);
        let entry = all.iter().find(|function| function.name == name).expect("it is there");
        basis(&document(text), &[], &all, entry)
    }

    #[test]
    fn what_nobody_calls_may_count() {
        let text =
            "int x;\n__attribute__((constructor)) static void set(void) { x = 1; }\nint f(int *a) { return a[x]; }\n";
        let changed = text.replace("x = 1", "x = 2");
        assert_ne!(basis_of(text, "f").key, basis_of(&changed, "f").key);
        let (plain, other) = (text.replace("constructor", "unused"), changed.replace("constructor", "unused"));
        assert_eq!(basis_of(&plain, "f").key, basis_of(&other, "f").key);
    }

    #[test]
    fn an_edit_above_moves_places_along() {
        let before = "int f(int x) { return x; }\nint g(int x) {\n    return x / 0;\n}\n";
        let mut known = Known::default();
        let report = json!({ "place": { "line": 3 }, "story": ["line 3: x = 1", "at all"], "version": "1" });
        known.insert(basis_of(before, "g"), report);
        let after = before.replace("{ return x; }", "{\n\n return x + 1; }");
        let found = known.get(&basis_of(&after, "g")).expect("g and what it rests on are the same");
        assert_eq!(found, json!({ "place": { "line": 5 }, "story": ["line 5: x = 1", "at all"], "version": "1" }));
        assert!(known.get(&basis_of(&before.replace("/ 0", "/ 1"), "g")).is_none());
        assert!(known.get(&basis_of(&format!("int y;\n{before}"), "g")).is_none());
        assert!(known.get(&basis_of(&before.replace("x / 0", "f(x) / 0"), "g")).is_none());
    }

    #[test]
    fn lines_outside_of_functions_are_not_guessed() {
        assert_eq!(moved(3, &[(1, 5)], &[(4, 8)]), Some(6));
        assert_eq!(moved(9, &[(1, 5)], &[(4, 8)]), None);
        assert_eq!(moved(9, &[(1, 5)], &[(1, 5)]), Some(9));
    }
}
