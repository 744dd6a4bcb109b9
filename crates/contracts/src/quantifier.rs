//! CBMC's quantifiers in code: `__CPROVER_forall { T v; L <= v && v < H ==> P }` and `__CPROVER_exists { T v; L <= v && v < H && P }` become loops that look at
//! each `v` of the range, in the preprocessed text, before clang sees it.
//!
//! The loop starts at `L`, goes on while the range holds as it is written, and stops where `v` has no next value in its type. The values that lie in the range are those
//! from `L` on below `H` (at most `H`), without a gap, so that the loop sees all of them, provided that `L` itself is a value of `T`: where it is not, the run gets to a
//! name that is refused. A range of another shape (more conditions, no lower or no upper bound) is left as it is, and does not compile.
//! `P` is asked only inside the range, and what it reads there is checked like other code.

/// The text with its quantifiers as loops; `None` if there are none.
pub fn lower_quantifiers(text: &str) -> Option<String> {
    let mut rest = text;
    let mut lowered = String::new();
    let mut is_changed = false;
    while let Some((at, word)) = next_quantifier(rest) {
        lowered.push_str(&rest[..at]);
        let after = &rest[at + word.len()..];
        match as_loop(after, word == FORALL) {
            Some((text, used)) => {
                lowered.push_str(&text);
                rest = &after[used..];
                is_changed = true;
            }
            None => {
                lowered.push_str(word);
                rest = after;
            }
        }
    }
    lowered.push_str(rest);
    is_changed.then_some(lowered)
}

const FORALL: &str = "__CPROVER_forall";
const EXISTS: &str = "__CPROVER_exists";

/// The next quantifier that is not part of a string: what is asserted is often kept as text too.
fn next_quantifier(text: &str) -> Option<(usize, &'static str)> {
    let first = |word: &'static str| text.match_indices(word).map(|(at, _)| at).find(|at| is_code(text, *at));
    [FORALL, EXISTS].into_iter().filter_map(|word| first(word).map(|at| (at, word))).min()
}

/// True outside of strings, which do not go beyond a line.
fn is_code(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    letters(&text[start..]).take_while(|(place, _)| start + place <= at).any(|(place, _)| start + place == at)
}

/// The loop for ` { T v; body }` at the start of the text, and how much of it that is.
fn as_loop(text: &str, is_forall: bool) -> Option<(String, usize)> {
    let open = text.len() - text.trim_start().len();
    let end = closing(text, open).filter(|_| text[open..].starts_with('{'))?;
    let inside = &text[open + 1..end];
    let (declared, body) = inside.split_once(';')?;
    let declared = declared.trim();
    let start = declared.rfind(|letter: char| !is_word(letter))? + 1;
    let (ty, variable) = (declared[..start].trim(), &declared[start..]);
    // An inner quantifier is lowered by itself.
    let body = lower_quantifiers(body).unwrap_or_else(|| body.to_owned());
    let (range, predicate) = parts(body.trim().trim_end_matches(';'), is_forall)?;
    let low = interval(&range, variable)?;
    let (first, found) = if is_forall { (1, format!("!({predicate})")) } else { (0, predicate) };
    let (other, is_start) = (1 - first, format!("{variable} == ({low})"));
    let text = format!(
        "({{ _Bool __belay_holds = {first}; {ty} {variable} = {low}; if (!({is_start})) __CPROVER_quantifier_beyond_its_type(); \
         while ({range}) {{ if ({found}) {{ __belay_holds = {other}; break; }} \
         if (__builtin_add_overflow({variable}, 1, &{variable})) break; }} __belay_holds; }})"
    );
    Some((text, end + 1))
}

/// The range and what is asked of its values.
fn parts(body: &str, is_forall: bool) -> Option<(String, String)> {
    let body = without_brackets(body);
    if is_forall {
        let at = outside(body, "==>").next()?;
        return Some((body[..at].to_owned(), body[at + 3..].to_owned()));
    }
    // `a && b || c` is no conjunction.
    if ["||", "?", ","].iter().any(|other| outside(body, other).next().is_some()) {
        return None;
    }
    let last = outside(body, "&&").last()?;
    Some((body[..last].to_owned(), body[last + 2..].to_owned()))
}

/// The lower bound of a range that is an interval of `variable`.
fn interval(range: &str, variable: &str) -> Option<String> {
    let range = without_brackets(range);
    let ats: Vec<usize> = outside(range, "&&").collect();
    let [at] = ats[..] else { return None };
    let (one, other) = (bound(&range[..at], variable)?, bound(&range[at + 2..], variable)?);
    match (one, other) {
        (Bound::Least(low), Bound::Upper) | (Bound::Upper, Bound::Least(low)) => Some(low),
        (Bound::Least(_), Bound::Least(_)) | (Bound::Upper, Bound::Upper) => None,
    }
}

enum Bound {
    /// `v >= L`.
    Least(String),
    /// `v < H` or `v <= H`.
    Upper,
}

fn bound(condition: &str, variable: &str) -> Option<Bound> {
    let condition = without_brackets(condition);
    let mut compared = outside(condition, "<").chain(outside(condition, ">"));
    let (at, None) = (compared.next()?, compared.next()) else { return None };
    let is_less = condition[at..].starts_with('<');
    let is_equal = condition[at + 1..].starts_with('=');
    let (left, right) = (condition[..at].trim(), condition[at + 1 + usize::from(is_equal)..].trim());
    if ["==", "!=", "||", "?", "&", "|", "^", ","].iter().any(|other| outside(condition, other).next().is_some()) {
        return None;
    }
    let is_variable = |text: &str| without_brackets(text) == variable;
    match (is_variable(left), is_variable(right)) {
        (true, false) if is_less && !mentions(right, variable) => Some(Bound::Upper),
        (false, true) if !is_less && !mentions(left, variable) => Some(Bound::Upper),
        (true, false) if !is_less && is_equal && !mentions(right, variable) => Some(Bound::Least(right.to_owned())),
        (false, true) if is_less && is_equal && !mentions(left, variable) => Some(Bound::Least(left.to_owned())),
        _ => None,
    }
}

fn mentions(text: &str, word: &str) -> bool {
    text.split(|letter: char| !is_word(letter)).any(|one| one == word)
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The text without brackets around all of it.
fn without_brackets(text: &str) -> &str {
    let mut text = text.trim();
    while text.starts_with('(') && closing(text, 0) == Some(text.len() - 1) {
        text = text[1..text.len() - 1].trim();
    }
    text
}

/// The place of the bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in letters(&text[open..]) {
        match letter {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The places of a sign outside of brackets and literals. `<` and `>` are not those of shifts, arrows and `==>`.
fn outside<'a>(text: &'a str, sign: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    letters(text).filter_map(move |(at, letter)| {
        match letter {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        let before = at.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(at + 1).copied();
        let is_other = match sign {
            "<" => before == Some(b'<') || after == Some(b'<'),
            ">" => matches!(before, Some(b'>' | b'-' | b'=')) || after == Some(b'>'),
            "==" => text[at..].starts_with("==>"),
            _ => false,
        };
        (depth == 0 && text[at..].starts_with(sign) && !is_other).then_some(at)
    })
}

/// The bytes that are not part of a string or character.
pub fn letters(text: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut quote = None;
    let mut is_escaped = false;
    text.bytes().enumerate().filter(move |(_, letter)| {
        let was_quoted = quote.is_some();
        match (quote, *letter) {
            _ if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(open), letter) if letter == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(*letter),
            _ => {}
        }
        !was_quoted && quote.is_none() && letter.is_ascii()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_becomes_a_loop() {
        let text = "f(__CPROVER_forall { int i; (i >= 0 && i < sizeof(x)) ==> ((const char *)&x)[i] == 0 });";
        let lowered = lower_quantifiers(text).expect("it is one");
        assert!(lowered.contains("int i = 0;") && lowered.contains("while ((i >= 0 && i < sizeof(x)) )"), "{lowered}");
        assert!(lowered.contains("if (!( ((const char *)&x)[i] == 0))") && lowered.ends_with("}));"), "{lowered}");
    }

    #[test]
    fn strings_are_left_alone() {
        let text = "f(__CPROVER_forall { int i; (i >= 0 && i < 3) ==> a[i] }, \"__CPROVER_forall { int i; (i >= 0 && i < 3) ==> a[i] }\");";
        let lowered = lower_quantifiers(text).expect("one is code");
        assert_eq!(lowered.matches("__CPROVER_forall").count(), 1, "{lowered}");
    }

    #[test]
    fn other_ranges_are_left_alone() {
        for range in [
            "i >= 0 && i < n || i == 9",
            "i > 0 && i < n",
            "i < n",
            "i >= 0 && i < n && i != 3",
            "i >= 0 && i < i + 1",
            "i >= 0 && i << 1",
        ] {
            let text = format!("__CPROVER_forall {{ int i; ({range}) ==> a[i] }}");
            assert_eq!(lower_quantifiers(&text), None, "{range}");
        }
    }

    #[test]
    fn existence_is_looked_for() {
        let text =
            "__CPROVER_exists { unsigned k; ((unsigned) (0) <= (k) && (k) < (unsigned) (n)) && (p->a[k] >> 1 == ')') }";
        let lowered = lower_quantifiers(text).expect("it is one");
        assert!(
            lowered.contains("unsigned k = (unsigned) (0);") && lowered.contains("__belay_holds = 0; unsigned"),
            "{lowered}"
        );
    }
}
