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

/// True if some operator outside of brackets binds no tighter than `==`: a side of a comparison that has one is not all of what is compared, `a == b & c` being
/// `(a == b) & c`.
pub(crate) fn binds_loosely(text: &str) -> bool {
    let all = tokens(text);
    let mut depth = 0i32;
    for (at, token) in all.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "==" | "!=" | "^" | "|" | "&&" | "||" | "?" | ":" | "," | "=" | "==>" | "<==>" if depth == 0 => {
                return true;
            }
            "&" if depth == 0 && is_binary(&all, at) => return true,
            _ => {}
        }
    }
    false
}

/// True for a `&` between two operands. Behind a bracket it is one, unless that is a cast to a pointer.
fn is_binary(all: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &all[before]) else { return false };
    match before.text {
        ")" => !(at > 1 && all[at - 2].is("*")),
        "]" => true,
        _ => before.kind != Kind::Mark,
    }
}

/// True if some comparison by size stands outside of brackets.
pub(crate) fn compares_sizes(text: &str) -> bool {
    ["<", "<=", ">", ">="].iter().any(|sign| split(text, sign).len() > 1)
}

/// True for a cast to this type of one name, number or bracket.
pub(crate) fn is_cast(text: &str, ty: &str) -> bool {
    let Some(rest) = text.strip_prefix(&format!("({ty})")) else { return false };
    let all = tokens(rest);
    all.len() == 1 || all.first().is_some_and(|first| first.is("(")) && closing(&all, 0) == Some(all.len() - 1)
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

/// True for a number that is not 0, and for a size.
pub(crate) fn is_divisor(token: &Token<'_>) -> bool {
    let is_number = token.kind == Kind::Literal && token.text.starts_with(|letter: char| ('1'..='9').contains(&letter));
    is_number || token.is("sizeof")
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

/// True for an expression that names a place, as far as its first and last letters show it.
pub(crate) fn is_place(value: &str) -> bool {
    let all = tokens(bare(value));
    let Some(first) = all.first() else { return false };
    if first.is("*") {
        return all.len() == 2
            || (all[1].is("(")
                && closing(&all, 1).is_some_and(|close| {
                    close + 1 == all.len() || all[close + 1].is("(") && closing(&all, close + 1) == Some(all.len() - 1)
                }));
    }
    let mut at = 1;
    while first.kind == Kind::Word && at < all.len() {
        at = match all[at].text {
            "[" => closing(&all, at).map_or(usize::MAX, |close| close + 1),
            "." | "->" => at + 2,
            _ => return false,
        };
    }
    first.kind == Kind::Word && at == all.len()
}

/// True if a token is the name of a function that is called there.
pub(crate) fn calls(all: &[Token<'_>], at: usize) -> Result<bool, String> {
    const OTHERS: &str = "sizeof _Alignof __alignof__ alignof typeof __typeof__ typeof_unqual __typeof_unqual__ _Generic void char short int long unsigned signed float double _Bool bool const volatile";
    let (name, is) = (&all[at], |at: usize, text: &str| all.get(at).is_some_and(|token| token.is(text)));
    let is_other = OTHERS.split(' ').any(|other| name.is(other))
        || name.text.starts_with("__builtin_")
        || name.text.starts_with("__belay_");
    // `T (*)[4]` is a type.
    let is_declarator = is(at + 2, "*") && is(at + 3, ")");
    if name.kind != Kind::Word || !is(at + 1, "(") || is_other || is_declarator {
        return Ok(false);
    }
    match at.checked_sub(1).is_some_and(|before| is(before, ".") || is(before, "->")) {
        true => Err(format!("`{}` is called by its address", name.text)),
        false => Ok(true),
    }
}
