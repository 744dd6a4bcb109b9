//! A file as the editor has it: text, places, functions.

use std::path::PathBuf;

use serde_json::{Value, json};

/// An open file.
#[derive(Clone, Debug)]
pub struct Document {
    pub uri: String,
    pub path: PathBuf,
    pub text: String,
    pub version: i64,
}

/// A function that a file defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionText {
    pub name: String,
    /// The line of its name, from 0.
    pub line: u32,
    /// From its first line to its closing brace, in bytes.
    pub start: usize,
    pub end: usize,
    /// Where the head ends: between it and the body clauses of a contract may stand.
    pub head_end: usize,
    pub is_static: bool,
    /// Its head has clauses of a contract.
    pub has_contract: bool,
}

impl FunctionText {
    /// Its first and last line, from 0.
    pub fn lines(&self, text: &str) -> (u32, u32) {
        let line = |at: usize| text[..at].matches('\n').count() as u32;
        (line(self.start), line(self.end))
    }
}

/// The path behind a `file:` address.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let mut bytes = Vec::with_capacity(rest.len());
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (high, low) = (left.next()?, left.next()?);
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(high)? * 16 + digit(low)?) as u8);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// A whole line as a range; places in answers name a column, which editors show better as the rest of the line.
pub fn line_range(text: &str, line: u32, column: u32) -> Value {
    let length = text.lines().nth(line as usize).map_or(0, |line| line.encode_utf16().count()) as u32;
    json!({ "start": { "line": line, "character": column.min(length) }, "end": { "line": line, "character": length } })
}

/// The functions that a text defines, found by their braces: comments, literals and preprocessor lines are passed over.
pub fn functions(text: &str) -> Vec<FunctionText> {
    let mut found = Vec::new();
    let code = blank(text);
    let bytes = code.as_bytes();
    let (mut depth, mut outside) = (0usize, 0usize);
    let mut open: Option<(Head, usize, usize)> = None;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => {
                if depth == 0 {
                    let head_end = outside + code[outside..at].trim_end().len();
                    open = head_of(&code[outside..at]).map(|head| (head, head_end, outside));
                }
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    if let Some((Head { name, offset, has_contract }, head_end, from)) = open.take() {
                        let name_at = from + offset;
                        let start = from + code[from..name_at].len() - code[from..name_at].trim_start().len();
                        let line = text[..name_at].matches('\n').count() as u32;
                        let is_static = code[from..name_at].split_whitespace().any(|word| word == "static");
                        found.push(FunctionText { name, line, start, end: at + 1, head_end, is_static, has_contract });
                    }
                    outside = at + 1;
                }
            }
            b';' if depth == 0 => outside = at + 1,
            _ => {}
        }
    }
    found
}

/// The head of a function.
struct Head {
    name: String,
    /// Where the name stands in it.
    offset: usize,
    has_contract: bool,
}

/// The head that this is; none for a struct, an initialiser or the like.
fn head_of(head: &str) -> Option<Head> {
    let mut rest = head;
    let mut has_contract = false;
    loop {
        let (name, offset) = call_at_end(rest)?;
        let is_clause = name.starts_with("__CPROVER_") || name.starts_with("belay_");
        if is_clause || name == "__attribute__" {
            has_contract |= is_clause;
            rest = &rest[..offset];
            continue;
        }
        let is_word = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        let is_control = matches!(name, "if" | "while" | "for" | "switch" | "return" | "sizeof");
        let is_function = is_word && !is_control && !rest.contains('=');
        return is_function.then(|| Head { name: name.to_owned(), offset, has_contract });
    }
}

/// The word before the parentheses that a text ends with, and where it stands.
fn call_at_end(text: &str) -> Option<(&str, usize)> {
    let close = text.trim_end().strip_suffix(')')?.len();
    let mut depth = 1;
    let open = text[..close].rfind(|letter| {
        depth += match letter {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let before = text[..open].trim_end();
    let start = before.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
    Some((&before[start..], start))
}

/// The text with everything blanked that is no code: same length, same lines.
pub fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    let hide = |code: &mut Vec<u8>, from: usize, to: usize| {
        for byte in &mut code[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |found| found + 4)
        } else if matches!(rest[0], b'"' | b'\'') {
            literal_end(rest)
        } else if rest[0] == b'#' && text[..at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty()) {
            directive_end(rest)
        } else {
            at += 1;
            continue;
        };
        hide(&mut code, at, at + end);
        at += end;
    }
    // Only whole bytes of other letters can be left: they become blanks.
    code.iter_mut().filter(|byte| !byte.is_ascii()).for_each(|byte| *byte = b' ');
    String::from_utf8(code).unwrap_or_default()
}

fn literal_end(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn directive_end(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len() && (rest[at] != b'\n' || rest[at - 1] == b'\\') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, u32)> {
        functions(text).into_iter().map(|function| (function.name, function.line)).collect()
    }

    #[test]
    fn functions_are_found_by_their_heads() {
        let text = "#define F(x) { x\nstruct s { int a; };\nint t[] = { 1 };\n/* { */ static int\nf(int x) { if (x) { return '{'; } return 0; }\nint g(void);\nint main(void)\n{ return f(1); }\n";
        assert_eq!(names(text), vec![("f".to_owned(), 4), ("main".to_owned(), 6)]);
        assert!(functions(text)[0].is_static && !functions(text)[1].is_static);
    }

    #[test]
    fn contracts_are_part_of_heads() {
        let text = "int f(int x)\n#ifdef __BELAY__\n__CPROVER_requires(x > 0)\n#endif\n{ return x; }\nint g(int x) { return x; }\n";
        let found = functions(text);
        assert_eq!(names(text), vec![("f".to_owned(), 0), ("g".to_owned(), 5)]);
        assert!(found[0].has_contract && !found[1].has_contract);
        assert_eq!(found[0].lines(text), (0, 4));
    }

    #[test]
    fn broken_text_is_no_failure() {
        for text in ["", "}", "int f(", "int f(int x) {", "\"", "/*", "#", "'\\", "é{(}", "){", "a(){}}{"] {
            functions(text);
        }
    }

    #[test]
    fn addresses_are_paths() {
        assert_eq!(path_of("file:///a%20b/c.c"), Some(PathBuf::from("/a b/c.c")));
        assert_eq!(path_of("untitled:1"), None);
    }
}
