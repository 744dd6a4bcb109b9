//! Fingerprints by which a finding is known again after edits elsewhere: made of the function's name, the rule and the text of the line,
//! neither of line numbers nor of layout.

use crate::hash::sha256;

/// The fingerprint of a finding.
pub fn fingerprint(rule: &str, function: &str, line: &str) -> String {
    sha256(format!("{rule}\0{function}\0{}", normalise(line)).as_bytes())
}

/// The line without its comment at the end and without spaces around tokens: blanks only count between two words and within quotes.
fn normalise(line: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    let mut blank = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(_) if c == '\\' => {
                text.push(c);
                text.extend(chars.next());
                continue;
            }
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '/' && matches!(chars.peek(), Some('/' | '*')) => break,
            None if c.is_whitespace() => {
                blank = true;
                continue;
            }
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {}
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if blank && is_word(c) && text.chars().next_back().is_some_and(is_word) {
            text.push(' ');
        }
        blank = false;
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_comments_do_not_count() {
        assert_eq!(normalise("  free( p ) ;  // gone"), "free(p);");
        assert_eq!(normalise("\tint  x=\"a  // b\" ;"), "int x=\"a  // b\";");
        assert_eq!(normalise("c = '\"';// x"), "c='\"';");
    }

    #[test]
    fn what_matters_counts() {
        let print = fingerprint("valid-free/double-free", "main", "free(p);");
        assert_eq!(print, fingerprint("valid-free/double-free", "main", "    free (p); // again"));
        assert_ne!(print, fingerprint("valid-free/double-free", "other", "free(p);"));
        assert_ne!(print, fingerprint("valid-free/invalid-free", "main", "free(p);"));
        assert_ne!(print, fingerprint("valid-free/double-free", "main", "free(q);"));
    }
}
