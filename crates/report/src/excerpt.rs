//! Source excerpts: the line in question, with a mark below its column.

use belay_base::Span;
use belay_ir::Program;

/// The line of `span` with its place above it, or just the place if the source can't be read.
pub fn excerpt(program: &Program, span: Span) -> String {
    if !span.is_known() {
        return String::new();
    }
    let place = program.files.describe(span);
    let Some(line) = source_line(program, span) else { return format!("  --> {place}\n") };
    let number = span.line.to_string();
    let margin = " ".repeat(number.len());
    let mut text = format!("{margin}--> {place}\n{margin} |\n{number} | {}\n", line.replace('\t', " "));
    if span.column > 0 {
        let indent: String = line.chars().take(span.column as usize - 1).map(|_| ' ').collect();
        text.push_str(&format!("{margin} | {indent}^\n"));
    }
    text
}

/// The text of the line, if the file is there.
pub fn source_line(program: &Program, span: Span) -> Option<String> {
    let path = program.files.path(span.file)?;
    let bytes = std::fs::read(path).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').nth(span.line.checked_sub(1)? as usize)?;
    let text: String = String::from_utf8_lossy(line).trim_end().chars().take(200).collect();
    Some(text)
}

/// The text with every line moved right.
pub fn indent(text: &str, by: usize) -> String {
    let margin = " ".repeat(by);
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{margin}{line}\n") }).collect()
}
