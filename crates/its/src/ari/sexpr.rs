//! S-expressions, as the ARI format writes them; `;` starts a comment. Names contain neither blanks nor
//! parentheses.

/// An s-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SExpr {
    Symbol(String),
    List(Vec<SExpr>),
}

/// What is nested deeper is refused: formulas are followed by recursion.
const MAX_DEPTH: usize = 1000;

/// All s-expressions of `text`; an error names the line.
pub(super) fn parse(text: &str) -> Result<Vec<SExpr>, (usize, String)> {
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    for (line, token) in tokens(text) {
        match token.as_str() {
            "(" if open.len() > MAX_DEPTH => return Err((line, "nested too deeply".to_owned())),
            "(" => open.push(Vec::new()),
            ")" => {
                let done = open.pop().unwrap_or_default();
                match open.last_mut() {
                    Some(parent) => parent.push(SExpr::List(done)),
                    None => return Err((line, "unexpected )".to_owned())),
                }
            }
            _ => {
                if let Some(parent) = open.last_mut() {
                    parent.push(SExpr::Symbol(token));
                }
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        (Some(_) | None, _) => Err((text.lines().count(), "missing )".to_owned())),
    }
}

fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split(';').next().unwrap_or_default();
        let spaced = code.replace('(', " ( ").replace(')', " ) ");
        tokens.extend(spaced.split_whitespace().map(|token| (index + 1, token.to_owned())));
    }
    tokens
}
