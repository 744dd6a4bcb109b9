//! Quick fixes: a missing fact is put where it belongs, and what changed is checked again because the text has.
//!
//! An unknown that names a condition (`… does not follow from …`) offers it: as a precondition where it speaks of parameters alone, as an invariant where the place is
//! the head of a loop, else as an assertion before the line. One that says nothing is known of a parameter, or a violation in a
//! function that others call, offers to look for a precondition. Nothing that is inserted is believed: preconditions are what callers have to see to, and
//! all else is checked.

use serde_json::{Value, json};

use crate::document::{Document, FunctionText, blank, functions};

/// A place in a text, and what is inserted there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Insertion {
    /// In bytes.
    at: usize,
    text: String,
}

/// The condition that an unknown's reason says is missing.
pub fn missing_fact(message: &str) -> Option<&str> {
    let (before, _) = message.split_once(" does not follow from ")?;
    let fact = before.rsplit_once(": ").map_or(before, |(_, fact)| fact).trim();
    (!fact.is_empty()).then_some(fact)
}

/// The parameter of which nothing is known, as an unknown's reason names it.
pub fn undescribed_parameter(message: &str) -> Option<&str> {
    let (_, after) = message.split_once("the entry function's parameter ")?;
    after.split_once(" points to").map(|(name, _)| name)
}

/// The edit that states a fact at a line (from 0), and its title.
pub fn state_fact(document: &Document, line: u32, fact: &str) -> Option<(String, Value)> {
    let text = &document.text;
    let code = blank(text);
    let function = functions(text).into_iter().find(|one| (one.lines(text).0..=one.lines(text).1).contains(&line))?;
    let names = names_in(fact);
    // Names that the function does not have are the proof's own.
    let body = &code[function.start..function.end];
    let own = names_in(body);
    if names.is_empty() || !names.iter().all(|name| own.contains(name)) {
        return None;
    }
    let parameters = names_in(parameters(&code, &function)?);
    let (title, insertions) = if names.iter().all(|name| parameters.contains(name)) {
        (format!("Belay: require {fact}"), vec![clauses_of(document, &function, &[fact.to_owned()])])
    } else if let Some(at) = end_of_loop_head(&code, line) {
        (format!("Belay: state the invariant {fact}"), vec![invariant(document, at, fact)])
    } else {
        let start = line_start(text, line);
        let indent: String = text[start..].chars().take_while(|letter| *letter == ' ' || *letter == '\t').collect();
        let mut all = vec![Insertion { at: start, text: format!("{indent}assert({fact});\n") }];
        if !text.contains("<assert.h>") {
            all.insert(0, Insertion { at: 0, text: "#include <assert.h>\n".to_owned() });
        }
        (format!("Belay: assert {fact}"), all)
    };
    Some((title, edit(document, &insertions)))
}

/// The edit that gives a function a precondition.
pub fn state_precondition(document: &Document, function: &str, clauses: &[String]) -> Option<Value> {
    let all = functions(&document.text);
    let function = all.iter().find(|one| one.name == function)?;
    Some(edit(document, &[clauses_of(document, function, clauses)]))
}

/// Clauses behind the head of a function. Without `belay.h` they are hidden from other compilers.
fn clauses_of(document: &Document, function: &FunctionText, clauses: &[String]) -> Insertion {
    let has_header = document.text.contains("belay.h");
    let word = if has_header { "belay_requires" } else { "__CPROVER_requires" };
    let lines: Vec<String> = clauses.iter().map(|clause| format!("{word}({clause})")).collect();
    let text = match has_header {
        true => format!("\n{}", lines.join("\n")),
        false => format!("\n#ifdef __BELAY__\n{}\n#endif\n", lines.join("\n")),
    };
    Insertion { at: function.head_end, text }
}

fn invariant(document: &Document, at: usize, fact: &str) -> Insertion {
    let text = match document.text.contains("belay.h") {
        true => format!("\nbelay_invariant({fact})"),
        false => format!("\n#ifdef __BELAY__\n__CPROVER_loop_invariant({fact})\n#endif\n"),
    };
    Insertion { at, text }
}

/// Where the condition of a `for` or `while` that begins in a line ends; none for the end of a `do` loop.
fn end_of_loop_head(code: &str, line: u32) -> Option<usize> {
    let start = line_start(code, line);
    let first = code[start..].lines().next().unwrap_or_default();
    let word = ["for", "while"].into_iter().find_map(|word| {
        let at = first.find(word)?;
        let is_word = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        let after = &first[at + word.len()..];
        let is_whole = is_word(first[..at].chars().next_back()) && is_word(after.chars().next());
        (is_whole && after.trim_start().starts_with('(')).then_some(at)
    })?;
    let mut depth = 0i64;
    for (offset, letter) in code[start + word..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    let end = start + word + offset + 1;
                    return (!code[end..].trim_start().starts_with(';')).then_some(end);
                }
            }
            _ => {}
        }
    }
    None
}

/// What stands between the parentheses of a function's head.
fn parameters<'c>(code: &'c str, function: &FunctionText) -> Option<&'c str> {
    let head = &code[function.start..function.head_end];
    let open = head.find(&format!("{}(", function.name)).map(|at| at + function.name.len())?;
    let mut depth = 0i64;
    for (offset, letter) in head[open..].char_indices() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(&head[open..open + offset]);
        }
    }
    None
}

fn names_in(text: &str) -> std::collections::BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_')).collect()
}

fn line_start(text: &str, line: u32) -> usize {
    text.split_inclusive('\n').take(line as usize).map(str::len).sum()
}

/// Insertions as an edit of the workspace's.
fn edit(document: &Document, insertions: &[Insertion]) -> Value {
    let edits: Vec<Value> = insertions
        .iter()
        .map(|insertion| {
            let before = &document.text[..insertion.at];
            let line = before.matches('\n').count();
            let last = before.rsplit('\n').next().unwrap_or_default();
            let at = json!({ "line": line, "character": last.encode_utf16().count() });
            json!({ "range": { "start": at, "end": at }, "newText": insertion.text })
        })
        .collect();
    let about = json!({ "uri": document.uri, "version": document.version });
    json!({ "documentChanges": [{ "textDocument": about, "edits": edits }] })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document { uri: "file:///a.c".to_owned(), path: "/a.c".into(), text: text.to_owned(), version: 3 }
    }

    fn inserted(text: &str, line: u32, fact: &str) -> Option<(String, Vec<String>)> {
        let (title, edit) = state_fact(&document(text), line, fact)?;
        let edits = edit["documentChanges"][0]["edits"].as_array().cloned().unwrap_or_default();
        let word = |edit: &Value| format!("{}: {}", edit["range"]["start"]["line"], edit["newText"].as_str().unwrap());
        Some((title, edits.iter().map(word).collect()))
    }

    #[test]
    fn reasons_name_facts() {
        let message = "the graph does not show f.no-overflow.2: i + s <= 9 does not follow from 0 <= i; more";
        assert_eq!(missing_fact(message), Some("i + s <= 9"));
        assert_eq!(missing_fact("time limit reached"), None);
        let message = "what the entry function's parameter items points to, is not given";
        assert_eq!(undescribed_parameter(message), Some("items"));
    }

    #[test]
    fn a_fact_stands_where_it_belongs() {
        let text = "int f(int n, int m) {\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n";
        let (title, edits) = inserted(text, 3, "n <= 10").unwrap();
        assert_eq!(title, "Belay: require n <= 10");
        assert_eq!(edits, ["0: \n#ifdef __BELAY__\n__CPROVER_requires(n <= 10)\n#endif\n"]);
        let (_, edits) = inserted(text, 2, "s <= 45").unwrap();
        assert_eq!(edits, ["2: \n#ifdef __BELAY__\n__CPROVER_loop_invariant(s <= 45)\n#endif\n"]);
        let (_, edits) = inserted(text, 3, "s + i <= 45").unwrap();
        assert_eq!(edits, ["0: #include <assert.h>\n", "3:         assert(s + i <= 45);\n"]);
        assert_eq!(inserted(text, 3, "s_before <= 45"), None);
        assert_eq!(inserted(text, 40, "s <= 45"), None);
    }

    #[test]
    fn the_end_of_a_do_loop_has_no_invariant() {
        assert_eq!(end_of_loop_head("do x(); while (a);\n", 0), None);
        assert_eq!(end_of_loop_head("while (a) x();\n", 0), Some(9));
        assert_eq!(end_of_loop_head("forward(a);\n", 0), None);
    }
}
