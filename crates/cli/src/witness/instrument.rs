//! A program with what a witness says written into it. Lines stay where they are. The text is read as tokens; a place at which no statement begins
//! takes no insertion, and a witness is then followed without it: what comes out of the search is replayed on the program itself, so that a wrong
//! guess here costs an answer, never its truth.

/// Code to be put into a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, if it is known.
    pub column: Option<u64>,
    /// A void expression.
    pub code: String,
    /// Evaluated whenever the loop at the place comes round, rather than before the statement.
    pub at_loop_head: bool,
}

/// The program with the insertions in it, and how many found no place.
pub fn instrument(source: &str, prelude: &str, insertions: &[Insertion]) -> (String, usize) {
    let tokens = tokens(source);
    let mut edits: Vec<(usize, String)> = Vec::new();
    let mut missed = 0;
    for insertion in insertions {
        match edit(&tokens, insertion) {
            Some(edit) => edits.push(edit),
            None => missed += 1,
        }
    }
    // Of several at one place the first comes first.
    edits.sort_by_key(|(offset, _)| *offset);
    let mut text = format!("{prelude}\n#line 1\n");
    let mut done = 0;
    for (offset, code) in edits {
        text.push_str(&source[done..offset]);
        text.push_str(&code);
        done = offset;
    }
    text.push_str(&source[done..]);
    (text, missed)
}

fn edit(tokens: &[Token<'_>], insertion: &Insertion) -> Option<(usize, String)> {
    let first = tokens.iter().position(|token| {
        token.line == insertion.line && insertion.column.is_none_or(|column| token.column >= column)
    })?;
    let code = &insertion.code;
    if insertion.at_loop_head
        && let Some(found) = loop_head(tokens, first, insertion.line)
    {
        return Some((found.0, found.1.replace("CODE", code)));
    }
    let start = statement(tokens, first)?;
    let token = &tokens[start];
    let is_inside = token.braces > 0 && token.parens == 0 && token.line == insertion.line;
    let before = if is_declaration(&tokens[start..]) { format!("{code}; ") } else { format!("if ({code}, 0) ; else ") };
    is_inside.then_some((token.offset, before))
}

/// Where the head of the loop on a line is, and what to put there around CODE.
fn loop_head(tokens: &[Token<'_>], first: usize, line: u64) -> Option<(usize, &'static str)> {
    let on_line = tokens[first..].iter().take_while(|token| token.line == line).count();
    let at = (first..first + on_line).find(|at| matches!(tokens[*at].text, "while" | "for" | "do"))?;
    let next = tokens.get(at + 1)?;
    match tokens[at].text {
        "while" => tokens.get(at + 2).map(|condition| (condition.offset, "CODE, ")),
        "do" if next.text == "{" => tokens.get(at + 2).map(|inside| (inside.offset, "CODE; ")),
        "do" => Some((next.offset, "if (CODE, 0) ; else ")),
        _ => {
            let inside = next.parens + 1;
            let semicolon =
                (at + 2..tokens.len()).find(|at| tokens[*at].text == ";" && tokens[*at].parens == inside)?;
            let condition = tokens.get(semicolon + 1)?;
            Some((condition.offset, if condition.text == ";" { "CODE, 1" } else { "CODE, " }))
        }
    }
}

/// The first statement from a token on: braces, `else` and labels come before it.
fn statement(tokens: &[Token<'_>], mut at: usize) -> Option<usize> {
    loop {
        let token = tokens.get(at)?;
        let next = tokens.get(at + 1).map(|token| token.text);
        at = match token.text {
            "{" | "}" | "else" => at + 1,
            "case" => at + tokens[at..].iter().position(|token| token.text == ":")? + 1,
            _ if token.is_word() && next == Some(":") => at + 2,
            _ => return Some(at),
        };
    }
}

fn is_declaration(tokens: &[Token<'_>]) -> bool {
    const TYPES: &[&str] = &[
        "void",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Bool",
        "bool",
        "const",
        "volatile",
        "static",
        "extern",
        "register",
        "auto",
        "struct",
        "union",
        "enum",
        "typedef",
        "size_t",
        "__typeof__",
        "__int128",
        "_Static_assert",
        "__extension__",
    ];
    const STATEMENTS: &[&str] =
        &["return", "goto", "if", "while", "for", "do", "switch", "break", "continue", "sizeof", "else"];
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    if TYPES.contains(&text(0)) {
        return true;
    }
    let is_word = |at: usize| tokens.get(at).is_some_and(Token::is_word) && !STATEMENTS.contains(&text(at));
    let stars = (1..).take_while(|at| text(*at) == "*").count();
    is_word(0) && is_word(1 + stars) && matches!(text(2 + stars), "=" | ";" | "," | "[" | "(" | ")")
}

/// A word, a number, a literal or a character of punctuation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'s> {
    offset: usize,
    line: u64,
    column: u64,
    /// Braces and parentheses that are open around it.
    braces: i32,
    parens: i32,
    pub text: &'s str,
}

impl Token<'_> {
    /// True for names and keywords.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// The tokens of a C text; comments and directives are left out.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let (mut line, mut start, mut at) = (1, 0, 0);
    let (mut braces, mut parens) = (0, 0);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let fresh_line = source[start..at].trim().is_empty();
        let (length, is_token) = extent(rest, first, fresh_line);
        let text = &rest[..length];
        braces -= i32::from(text == "}");
        parens -= i32::from(text == ")");
        if is_token {
            let column = source[start..at].chars().count() as u64 + 1;
            found.push(Token { offset: at, line, column, braces, parens, text });
        }
        braces += i32::from(text == "{");
        parens += i32::from(text == "(");
        for (index, _) in text.match_indices('\n') {
            line += 1;
            start = at + index + 1;
        }
        at += length;
    }
    found
}

/// How many bytes belong together from here on, and whether they are a token.
fn extent(rest: &str, first: char, fresh_line: bool) -> (usize, bool) {
    let until = |end: Option<usize>, more: usize| end.map_or(rest.len(), |end| end + more);
    match first {
        '/' if rest.starts_with("//") => (until(rest.find('\n'), 0), false),
        '/' if rest.starts_with("/*") => (until(rest[2..].find("*/"), 4), false),
        '#' if fresh_line => (directive(rest), false),
        '"' | '\'' => (literal(rest, first), true),
        c if c.is_ascii_alphanumeric() || c == '_' => {
            (until(rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_'), 0), true)
        }
        c => (c.len_utf8(), !c.is_whitespace()),
    }
}

/// A directive goes on after a line that ends in a backslash.
fn directive(rest: &str) -> usize {
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

fn literal(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(source: &str, line: u64, at_loop_head: bool) -> String {
        let insertion = Insertion { line, column: None, code: "C".to_owned(), at_loop_head };
        let (text, missed) = instrument(source, "P", &[insertion]);
        assert_eq!(missed, 0, "{source}");
        text.strip_prefix("P\n#line 1\n").unwrap_or_default().to_owned()
    }

    #[test]
    fn statements_get_a_prefix() {
        assert_eq!(
            put("int f() {\n if (x)\n  y = 1;\n}", 3, false),
            "int f() {\n if (x)\n  if (C, 0) ; else y = 1;\n}"
        );
        assert_eq!(put("int f() {\n int y = 1;\n}", 2, false), "int f() {\n C; int y = 1;\n}");
        assert_eq!(put("int f() {\n T *y = g();\n}", 2, false), "int f() {\n C; T *y = g();\n}");
        assert_eq!(put("int f() {\n} else { L: x++;\n", 2, false), "int f() {\n} else { L: if (C, 0) ; else x++;\n");
    }

    #[test]
    fn loops_are_entered_at_their_heads() {
        assert_eq!(put("f() {\nwhile (x < 1) {}}", 2, true), "f() {\nwhile (C, x < 1) {}}");
        assert_eq!(put("f() {\nfor (int i = 0; i < 1; i++) {}}", 2, true), "f() {\nfor (int i = 0; C, i < 1; i++) {}}");
        assert_eq!(put("f() {\nfor (;;) {}}", 2, true), "f() {\nfor (;C, 1;) {}}");
        assert_eq!(put("f() {\ndo { x--; } while (x);}", 2, true), "f() {\ndo { C; x--; } while (x);}");
    }

    #[test]
    fn comments_literals_and_directives_are_no_code() {
        let source = "#define A \\\n  {\nf() { /* } */\n char *s = \"}\";\n s++;\n}";
        assert!(put(source, 5, false).contains("if (C, 0) ; else s++;"));
        let outside = Insertion { line: 1, column: None, code: "C".to_owned(), at_loop_head: false };
        assert_eq!(instrument("int x;\n", "", &[outside]).1, 1);
    }
}
