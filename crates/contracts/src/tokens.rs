//! Preprocessed C as tokens with their places: as much of C's grammar as is needed to find contracts, no more.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number, a string or a character.
    Literal,
    /// Anything else.
    Mark,
}

/// A token of the text.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// Its letters.
    pub text: &'t str,
    /// Where it begins.
    pub at: usize,
}

impl Token<'_> {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// True for this mark or word.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Marks of several letters that must not be taken apart.
const MARKS: &[&str] = &[
    "<==>", "==>", "&&", "||", "->", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "|=",
    "&=", "^=",
];

/// The tokens of a text; lines that begin with `#` are none.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut at, mut line_start) = (0, true);
    let mut all = Vec::new();
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'\n' {
            (at, line_start) = (at + 1, true);
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if byte == b'#' && line_start {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else {
            let (kind, length) = first(&text[at..]);
            all.push(Token { kind, text: &text[at..at + length], at });
            (at, line_start) = (at + length, false);
        }
    }
    all
}

/// The kind and the length of the token that a text begins with.
fn first(text: &str) -> (Kind, usize) {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let letter = text.chars().next().unwrap_or(' ');
    if letter.is_ascii_digit() {
        let is_number = |letter: char| letter.is_alphanumeric() || letter == '.' || letter == '_';
        return (Kind::Literal, text.find(|letter| !is_number(letter)).unwrap_or(text.len()));
    }
    if is_name(letter) {
        return (Kind::Word, text.find(|letter| !is_name(letter)).unwrap_or(text.len()));
    }
    if letter == '"' || letter == '\'' {
        return (Kind::Literal, quoted(text, letter));
    }
    let mark = MARKS.iter().find(|mark| text.starts_with(*mark)).map(|mark| mark.len());
    (Kind::Mark, mark.unwrap_or(letter.len_utf8()))
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// The index of the bracket that opens what the one at `close` closes.
pub fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().take(close + 1).rev() {
        match token.text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// The parts between `separator`s that stand in no bracket.
pub fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut from) = (0i32, 0);
    let mut parts = Vec::new();
    for token in tokens(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            found if depth == 0 && found == separator => {
                parts.push(text[from..token.at].trim());
                from = token.end();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

/// Without brackets around all of it.
pub fn bare(mut text: &str) -> &str {
    loop {
        text = text.trim();
        let all = tokens(text);
        let is_wrapped = all.first().is_some_and(|first| first.is("(")) && closing(&all, 0) == Some(all.len() - 1);
        if !is_wrapped {
            return text;
        }
        text = &text[1..text.len() - 1];
    }
}

/// Where in which file the parts of a preprocessed text come from.
pub struct Places {
    /// Offset of the line after a marker, the line's number there, the file.
    marks: Vec<(usize, u32, String)>,
}

impl Places {
    /// Reads the line markers (`# 12 "file.h"`).
    pub fn of(text: &str) -> Places {
        let mut marks = vec![(0, 1, String::new())];
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            at += line.len();
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let rest = rest.trim_start().strip_prefix("line").unwrap_or(rest).trim_start();
            let Some((number, rest)) = rest.split_once(' ') else { continue };
            let (Ok(number), Some(name)) = (number.parse(), rest.split('"').nth(1)) else { continue };
            marks.push((at, number, name.to_owned()));
        }
        Places { marks }
    }

    /// The file and line of an offset.
    pub fn place(&self, text: &str, at: usize) -> (String, u32) {
        let mark = self.marks.partition_point(|(from, ..)| *from <= at).saturating_sub(1);
        let (from, line, file) = &self.marks[mark];
        let lines = text[*from..at].bytes().filter(|byte| *byte == b'\n').count();
        (file.clone(), line + lines as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart_outside_brackets() {
        assert_eq!(split("a && (b && c) && d[x && y]", "&&"), ["a", "(b && c)", "d[x && y]"]);
        assert_eq!(split("\"a,b\", ','", ","), ["\"a,b\"", "','"]);
        assert_eq!(bare(" ((a) ) "), "a");
        assert_eq!(bare("(a) + (b)"), "(a) + (b)");
    }

    #[test]
    fn places_follow_line_markers() {
        let text = "# 7 \"x.h\" 2\nint a;\nint b;\n";
        let places = Places::of(text);
        assert_eq!(places.place(text, text.find("int b").unwrap_or(0)), ("x.h".to_owned(), 8));
        assert_eq!(tokens(text).len(), 6);
    }
}
