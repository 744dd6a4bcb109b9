//! Contracts written into a source file: clauses between a function's parameters and its body. The file is as people wrote it, with comments and directives, which
//! are passed over.

use super::tokens::{closing, tokens};

/// The text with clauses before the body of a function; none if the definition is not found in it.
pub fn annotate(text: &str, function: &str, clauses: &[String]) -> Option<String> {
    let plain = without_comments(text);
    let all = tokens(&plain);
    for at in 0..all.len() {
        let is_head = all[at].is(function) && all.get(at + 1).is_some_and(|next| next.is("("));
        let Some(close) = is_head.then(|| closing(&all, at + 1)).flatten() else { continue };
        if !all.get(close + 1).is_some_and(|next| next.is("{")) {
            continue;
        }
        let end = all[close].end();
        let lines: String = clauses.iter().map(|clause| format!("\n{clause}")).collect();
        return Some(format!("{}{lines}{}", &text[..end], &text[end..]));
    }
    None
}

/// Blanks in place of comments, and of directives that go on in the next line.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let (mut at, mut quote) = (0, None);
    while at < bytes.len() {
        let pair = &bytes[at..(at + 2).min(bytes.len())];
        let end = match (quote, pair) {
            (None, b"/*") => text[at + 2..].find("*/").map_or(bytes.len(), |end| at + end + 4),
            (None, b"//") => text[at..].find('\n').map_or(bytes.len(), |end| at + end),
            (None, [first @ (b'"' | b'\''), ..]) => {
                quote = Some(*first);
                at + 1
            }
            (Some(_), [b'\\', _]) => at + 2,
            (Some(open), [other, ..]) if open == *other || *other == b'\n' => {
                quote = None;
                at + 1
            }
            (None, [b'#', ..]) if text[..at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty()) => {
                directive_end(bytes, at)
            }
            _ => at + 1,
        };
        if quote.is_none() && end > at + 1 {
            out[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        at = end;
    }
    String::from_utf8(out).unwrap_or_default()
}

fn directive_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn clauses_stand_before_the_body() {
        let text = "/* f(x) { it's } */\n#define f(x) \\\n { x }\nint f(int);\nint g(int a) { return f(a); }\nint f(int x) // y's\n{ return '\"'; }\n";
        let found = annotate(text, "f", &["__CPROVER_requires(x > 0)".to_owned()]).unwrap();
        assert!(found.contains("int f(int x)\n__CPROVER_requires(x > 0) // y's\n{"), "{found}");
        assert_eq!(annotate(text, "h", &[]), None);
    }
}
