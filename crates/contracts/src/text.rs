//! What a clause is made of, by its words.

use crate::tokens::{Kind, Token, bare, closing, split, tokens};

pub(crate) fn mirrored(sign: &'static str) -> &'static str {
    match sign {
        "<=" => ">=",
        "<" => ">",
        ">=" => "<=",
        _ => "<",
    }
}

/// Where the first `==>` outside of brackets ends.
pub(crate) fn premise_end(text: &str) -> usize {
    let mut depth = 0i32;
    for token in tokens(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "==>" if depth == 0 => return token.end(),
            _ => {}
        }
    }
    text.len()
}

/// `a && b && c` of an `exists`: all conjuncts but the last are its range; brackets around the range are no matter.
pub(crate) fn parts_of(formula: &str) -> (Vec<String>, String) {
    let mut parts: Vec<&str> = split(formula, "&&");
    let body = parts.pop().unwrap_or_default().to_owned();
    let ranges = parts.into_iter().flat_map(|part| split(bare(part), "&&")).map(str::to_owned).collect();
    (ranges, body)
}

/// True for a number that every type that may count holds, with one more.
pub(crate) fn is_small(bound: &str, ty: &str) -> bool {
    let most = if ty.contains("char") || ty.contains("short") || ty.contains("int8") || ty.contains("int16") {
        100
    } else {
        1 << 30
    };
    bound.parse::<u64>().is_ok_and(|bound| bound < most)
}

/// True for types that hold every bound.
pub(crate) fn is_wide(ty: &str) -> bool {
    matches!(ty, "size_t" | "__SIZE_TYPE__" | "unsigned long long" | "uint64_t")
}

/// True if what begins here is a number that is not 0, a size, or a number that is shifted to the left as far as it fits into 31 bits, in brackets: no division by it goes wrong.
pub(crate) fn is_divisor(rest: &[Token<'_>]) -> bool {
    let number = |token: &Token<'_>| -> Option<u64> {
        let is_number = token.kind == Kind::Literal && token.text.starts_with(|letter: char| letter.is_ascii_digit());
        let digits = token.text.trim_end_matches(['u', 'U', 'l', 'L']);
        is_number.then(|| digits.parse().ok()).flatten().filter(|_| digits == "0" || !digits.starts_with('0'))
    };
    match rest {
        [first, ..] if first.is("sizeof") || number(first).is_some_and(|number| number > 0) => true,
        [open, value, shift, by, close, ..] if open.is("(") && shift.is("<<") && close.is(")") => {
            let (Some(value), Some(by)) = (number(value), number(by)) else { return false };
            value > 0 && by < 31 && value < (1 << 31) >> by
        }
        _ => false,
    }
}

/// A clause in which the variables of quantifiers have names by their order: equal for clauses that differ in such names and in blanks only. (A variable is known between the
/// brackets of its quantifier, where it hides others of its name; members are no variables.)
pub fn canonical(text: &str) -> String {
    let all = tokens(text);
    let mut names: Vec<String> = all.iter().map(|token| token.text.to_owned()).collect();
    let mut count = 0;
    for at in 0..all.len() {
        let is_quantifier = all[at].is("__CPROVER_forall") || all[at].is("__CPROVER_exists");
        let opens = is_quantifier && all.get(at + 1).is_some_and(|next| next.is("{"));
        let Some(close) = opens.then(|| closing(&all, at + 1)).flatten() else { continue };
        let Some(end) = (at + 2..close).find(|index| all[*index].is(";")) else { continue };
        let variable = all[end - 1].text;
        for index in end - 1..close {
            let is_member = all[index - 1].is(".") || all[index - 1].is("->");
            if all[index].kind == Kind::Word && all[index].is(variable) && !is_member {
                names[index] = format!("__belay_bound{count}");
            }
        }
        count += 1;
    }
    names.join(" ")
}

/// True if a name occurs outside of `sizeof`.
pub(crate) fn uses(text: &str, name: &str) -> bool {
    let all = tokens(text);
    let mut at = 0;
    while at < all.len() {
        if all[at].is("sizeof") && all.get(at + 1).is_some_and(|next| next.is("(")) {
            at = closing(&all, at + 1).unwrap_or(all.len());
        } else if all[at].kind == Kind::Word
            && all[at].is(name)
            && !(at > 0 && (all[at - 1].is(".") || all[at - 1].is("->")))
        {
            return true;
        }
        at += 1;
    }
    false
}

/// True if a name occurs.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    tokens(text).iter().any(|token| token.kind == Kind::Word && token.is(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_quantified_variables_do_not_matter() {
        let text = |name: &str, inner: &str| {
            format!(
                "__CPROVER_forall {{ int {name}; 0 <= {name} && {name} < n ==>  a.i[{name}] == __CPROVER_exists {{ int {inner}; {inner} < {name} }} }} && i > 0"
            )
        };
        assert_eq!(canonical(&text("i", "j")), canonical(&text("k", "j")));
        assert_ne!(canonical(&text("i", "j")), canonical(&text("i", "i")));
        assert_ne!(canonical("i > 0"), canonical("k > 0"));
        assert_ne!(
            canonical("__CPROVER_forall { int i; p->i > i }"),
            canonical("__CPROVER_forall { int k; p->k > k }")
        );
    }

    #[test]
    fn divisors_are_not_zero() {
        for (text, expected) in [
            ("7", true),
            ("10u", true),
            ("sizeof(x)", true),
            ("(1 << 10)", true),
            ("(1u << 30)", true),
            ("0", false),
            ("(1 << 31)", false),
            ("(0 << 3)", false),
            ("(2 << 30)", false),
            ("(x << 3)", false),
            ("08", false),
            ("x", false),
        ] {
            assert_eq!(is_divisor(&tokens(text)), expected, "{text}");
        }
    }
}
