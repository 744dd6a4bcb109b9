//! Reading the values that the solver prints.

use crate::simplex::Rat;

/// The values in an answer `((term value) …)`, as text.
pub fn parse_values(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    items(inner)?
        .iter()
        .map(|pair| {
            let pair = items(pair.strip_prefix('(')?.strip_suffix(')')?)?;
            match pair.as_slice() {
                [_, value] => Some((*value).to_owned()),
                _ => None,
            }
        })
        .collect()
}

/// The integer in `5` or `(- 5)`.
pub fn parse_integer(text: &str) -> Option<Rat> {
    match text.trim().strip_prefix('(') {
        None => Rat::parse_integer(text.trim()),
        Some(rest) => {
            let digits = rest.strip_suffix(')')?.trim().strip_prefix('-')?;
            Some(-&Rat::parse_integer(digits.trim())?)
        }
    }
}

/// The s-expressions that follow each other in `text`.
fn items(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = None;
    for (at, c) in text.char_indices() {
        if depth == 0 && start.is_none() && !c.is_whitespace() {
            start = Some(at);
        }
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        let ends = depth == 0 && (c == ')' || c.is_whitespace());
        if let (true, Some(begin)) = (ends, start) {
            found.push(text[begin..at + c.len_utf8()].trim());
            start = None;
        }
    }
    found.extend(start.map(|begin| text[begin..].trim()));
    (depth == 0).then_some(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_shapes_are_read() {
        let text = "((x 7)\n ((- x y) (- 12)) (a ((as const A) 0)))";
        let values = parse_values(text).unwrap();
        assert_eq!(values, ["7", "(- 12)", "((as const A) 0)"]);
        assert_eq!(parse_integer(&values[0]), Some(Rat::from(7)));
        assert_eq!(parse_integer(&values[1]), Some(Rat::from(-12)));
        assert_eq!(parse_integer(&values[2]), None);
        assert_eq!(parse_values("((x 7)"), None);
    }
}
