//! Predicates of a project's own: functions that are one `return`, about what pointers lead to. A clause that calls one says what its body says, so the body takes
//! the call's place, with the arguments for the parameters. Only then is it clear which blocks are to be made.
//!
//! The body's value is the call's: an argument has no effect, which [`crate::lower`] checks of every clause, and is converted to the parameter's type. (A pointer is not where it is given to
//! a function or compared with `==` and `!=`: its type is no matter there, and a block may have to be made for it.) A body that is no truth value is one after the conversion to the function's type, which has to be `_Bool`.
//!
//! *Names.* A body speaks of the file's variables, a clause of its function's parameters as well: where a name of the body would become a parameter, or the variable of a
//! quantifier that the call stands in, the call stays, and what it calls is refused. (A body is no quantifier: that has a `;` in it.) A file sees what it defines itself, and what others define for all files.

use crate::text::mentions;
use crate::tokens::{Kind, Token, bare, closing, split, tokens};

/// A function that is one `return`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    name: String,
    params: Vec<Param>,
    body: String,
    /// Whether only its own file sees it.
    is_static: bool,
}

/// A parameter of a predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Param {
    name: String,
    ty: String,
}

impl Param {
    fn parse(text: &str) -> Option<Param> {
        let name = crate::lift::parameters(text).pop().filter(|name| !name.is_empty())?;
        let ty = text.trim().strip_suffix(name.as_str())?.trim().to_owned();
        (!ty.contains(['[', '('])).then_some(Param { name, ty })
    }
}

impl Predicate {
    /// True if a name would mean something else in the place of a call.
    fn catches(&self, bound: &[String]) -> bool {
        let all = tokens(&self.body);
        let is_member = |at: usize| at > 0 && (all[at - 1].is(".") || all[at - 1].is("->"));
        let is_own = |name: &str| self.params.iter().any(|param| param.name == name);
        let is_caught = |(at, token): (usize, &Token<'_>)| {
            token.kind == Kind::Word && !is_member(at) && !is_own(token.text) && bound.iter().any(|name| token.is(name))
        };
        all.iter().enumerate().any(is_caught)
    }
}

/// The variables of the quantifiers in a text.
fn quantified(text: &str) -> Vec<String> {
    let all = tokens(text);
    let is_quantifier = |at: &usize| all[*at].is("__CPROVER_forall") || all[*at].is("__CPROVER_exists");
    let variable = |at: usize| {
        let end = (at..all.len()).find(|end| all[*end].is(";"))?;
        all.get(end.checked_sub(1)?).filter(|last| last.kind == Kind::Word).map(|last| last.text.to_owned())
    };
    (0..all.len()).filter(is_quantifier).filter_map(variable).collect()
}

/// What a predicate has to be about, to be looked into.
const SUBJECTS: [&str; 2] = ["__CPROVER_is_fresh", "__CPROVER_is_cstring"];

/// The predicates that a text defines.
pub fn find(text: &str) -> Vec<Predicate> {
    let all = tokens(text);
    let mut found: Vec<(Predicate, bool)> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        if all[at].is("{") {
            at = closing(&all, at).unwrap_or(all.len()) + 1;
            continue;
        }
        found.extend(predicate(text, &all, at));
        at += 1;
    }
    // Those that are about pointers, by themselves or by those that they call; what they call is written out first.
    let mut known: Vec<Predicate> = Vec::new();
    loop {
        let is_open = |name: &&str| known.iter().all(|one| one.name != *name);
        let names: Vec<&str> = found.iter().map(|(one, _)| one.name.as_str()).filter(is_open).collect();
        let next = found.iter().filter(|(one, _)| names.contains(&one.name.as_str())).find_map(|(one, is_bool)| {
            let params: Vec<String> = one.params.iter().map(|param| param.name.clone()).collect();
            let value = expand(&one.body, &known, &params);
            let is_about = SUBJECTS.iter().any(|subject| mentions(&value, subject));
            let is_whole = !names.iter().any(|name| mentions(&value, name));
            let body = match (is_truth(&value), is_bool) {
                (true, _) => format!("({value})"),
                (false, true) => format!("((_Bool)({value}))"),
                (false, false) => return None,
            };
            (is_about && is_whole).then(|| Predicate { body, ..one.clone() })
        });
        let Some(next) = next else { return known };
        known.push(next);
    }
}

/// A function that is one `return`, with what it returns, and whether its type is `_Bool`.
fn predicate(text: &str, all: &[Token<'_>], at: usize) -> Option<(Predicate, bool)> {
    let name = all.get(at).filter(|name| name.kind == Kind::Word)?;
    let before = at.checked_sub(1).and_then(|before| all.get(before)).filter(|before| before.kind == Kind::Word)?;
    all.get(at + 1).filter(|open| open.is("("))?;
    let close = closing(all, at + 1)?;
    all.get(close + 1).filter(|open| open.is("{"))?;
    all.get(close + 2).filter(|word| word.is("return"))?;
    let end = closing(all, close + 1)?;
    let last = all.get(end - 1).filter(|last| last.is(";"))?;
    let is_one = all[close + 3..end - 1].iter().all(|token| !token.is(";") && !token.is("}"));
    let value = text[all[close + 2].end()..last.at].trim();
    let is_bool = before.is("_Bool") || before.is("bool");
    let inside = unmarked(&text[all[at + 1].end()..all[close].at]);
    let params = split(&inside, ",").into_iter().map(Param::parse).collect::<Option<Vec<_>>>()?;
    let body = unmarked(value);
    let is_static =
        all[..at].iter().rev().take_while(|token| !token.is(";") && !token.is("}")).any(|it| it.is("static"));
    is_one.then(|| (Predicate { name: name.text.to_owned(), params, body, is_static }, is_bool))
}

/// The predicates that a file sees: its own, and those of others that are not theirs alone.
pub fn find_visible(own: &str, others: &[&str]) -> Vec<Predicate> {
    let mut seen = find(own);
    let all = tokens(own);
    let defines = |name: &str| {
        let is_head = |at: usize| all[at].is(name) && all.get(at + 1).is_some_and(|open| open.is("("));
        let is_body =
            |at: usize| closing(&all, at + 1).and_then(|close| all.get(close + 1)).is_some_and(|it| it.is("{"));
        (0..all.len()).any(|at| is_head(at) && is_body(at))
    };
    for other in others.iter().flat_map(|text| find(text)).filter(|other| !other.is_static) {
        if !defines(&other.name) && seen.iter().all(|known| known.name != other.name) {
            seen.push(other);
        }
    }
    seen
}

fn unmarked(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ")
}

/// How deep predicates may be nested.
const MOST_NESTED: usize = 16;

/// The clause with the bodies of predicates in place of their calls; `bound` are the names that are parameters where it stands.
pub fn expand(clause: &str, predicates: &[Predicate], bound: &[String]) -> String {
    let mut text = clause.to_owned();
    for _ in 0..MOST_NESTED {
        let Some(next) = expand_first(&text, predicates, bound) else { return text };
        text = next;
    }
    // A predicate that calls itself.
    clause.to_owned()
}

fn expand_first(text: &str, predicates: &[Predicate], bound: &[String]) -> Option<String> {
    let all = tokens(text);
    let bound: Vec<String> = bound.iter().cloned().chain(quantified(text)).collect();
    for (at, token) in all.iter().enumerate() {
        let Some(predicate) = predicates.iter().find(|one| one.name == token.text) else { continue };
        let Some(close) = all.get(at + 1).filter(|open| open.is("(")).and_then(|_| closing(&all, at + 1)) else {
            continue;
        };
        let inside = &text[all[at + 1].end()..all[close].at];
        let arguments = if inside.trim().is_empty() { Vec::new() } else { split(inside, ",") };
        if arguments.len() != predicate.params.len() || predicate.catches(&bound) {
            continue;
        }
        let body = substitute(&predicate.body, &predicate.params, &arguments);
        return Some(format!("{}{body}{}", &text[..token.at], &text[all[close].end()..]));
    }
    None
}

fn substitute(body: &str, params: &[Param], arguments: &[&str]) -> String {
    let (mut out, mut from) = (String::new(), 0);
    let all = tokens(body);
    for (at, token) in all.iter().enumerate() {
        let is_member = at > 0 && (all[at - 1].is(".") || all[at - 1].is("->"));
        let index = params.iter().position(|param| token.kind == Kind::Word && token.is(&param.name) && !is_member);
        if let Some(index) = index {
            let Param { ty, .. } = &params[index];
            out.push_str(&body[from..token.at]);
            out.push_str(&match ty.contains('*') && is_given_or_compared(&all, at) {
                true => format!("({})", arguments[index]),
                false => format!("(({ty})({}))", arguments[index]),
            });
            from = token.end();
        }
    }
    out.push_str(&body[from..]);
    out
}

/// True where the pointer is compared, or is an argument: a block may be made for it, and a function converts it. Brackets around it are no matter.
fn is_given_or_compared(all: &[Token<'_>], at: usize) -> bool {
    let text = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |token| token.text);
    let is_name = |at: Option<usize>| at.and_then(|at| all.get(at)).is_some_and(|token| token.kind == Kind::Word);
    let (mut first, mut last) = (at, at);
    while text(first.checked_sub(1)) == "(" && text(Some(last + 1)) == ")" && !is_name(first.checked_sub(2)) {
        (first, last) = (first - 1, last + 1);
    }
    let (before, after) = (text(first.checked_sub(1)), text(Some(last + 1)));
    let compares = |mark: &str| matches!(mark, "==" | "!=");
    let is_argument = matches!(before, "(" | ",") && matches!(after, ")" | ",");
    compares(before) || compares(after) || is_argument && called(all, first).is_some_and(|name| name != "sizeof")
}

/// The name before the bracket that a token stands in.
fn called<'t>(all: &[Token<'t>], at: usize) -> Option<&'t str> {
    let is_around = |open: &usize| all[*open].is("(") && closing(all, *open).is_some_and(|close| close > at);
    let open = (0..at).rev().find(is_around)?;
    all.get(open.checked_sub(1)?).filter(|name| name.kind == Kind::Word).map(|name| name.text)
}

/// True for an expression whose value is 0 or 1.
pub(crate) fn is_truth(text: &str) -> bool {
    const NAMES: [&str; 8] = [
        "__CPROVER_is_fresh",
        "__CPROVER_is_cstring",
        "__CPROVER_r_ok",
        "__CPROVER_w_ok",
        "__CPROVER_rw_ok",
        "__CPROVER_same_object",
        "__CPROVER_forall",
        "__CPROVER_exists",
    ];
    let text = bare(text);
    let parts = |sign: &str| split(text, sign);
    let has = |sign: &str| parts(sign).len() > 1;
    if text.is_empty() || [",", "=", "|", "^"].into_iter().any(has) {
        return false;
    }
    if has("?") {
        let [_, sides] = parts("?")[..] else { return false };
        let sides = split(sides, ":");
        return sides.len() == 2 && sides.into_iter().all(is_truth);
    }
    let is_whole = |parts: &[&str]| parts.iter().all(|part| !part.is_empty());
    if ["==>", "||", "&&"].into_iter().any(|sign| has(sign) && is_whole(&parts(sign))) {
        return true;
    }
    if has("&") {
        return parts("&").into_iter().all(is_truth);
    }
    if ["==", "!=", "<=", ">=", "<", ">"].into_iter().any(|sign| has(sign) && is_whole(&parts(sign))) {
        return true;
    }
    let all = tokens(text);
    let is_call = NAMES.contains(&all[0].text) && closing(&all, 1) == Some(all.len() - 1);
    is_call || matches!(text, "0" | "1" | "true" | "false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_becomes_what_it_says() {
        let text = "_Bool two(const char *b, int n)\n{\n return (0 < n) & (__CPROVER_is_fresh(b, n));\n}\n\
                    bool three(char *c, int m) { return two(c, m + 1) && c->b == 0; }\nint other(int b) { return b; }\n";
        let found = find(text);
        assert_eq!(found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["two", "three"]);
        let said = expand("three(p, k)", &found, &[]);
        let two = "((0 < ((int)(((int)(k)) + 1))) & (__CPROVER_is_fresh(((p)), ((int)(((int)(k)) + 1)))))";
        assert_eq!(said, format!("({two} && ((char *)(p))->b == 0)"));
    }

    #[test]
    fn a_predicate_that_calls_itself_stays() {
        let found = find("bool p(int *q) { return __CPROVER_is_fresh(q, 4) && p(q); }");
        assert_eq!(expand("p(a)", &found, &[]), "p(a)");
    }

    #[test]
    fn names_keep_their_meaning() {
        let found = find("bool ok(char *p) { return __CPROVER_is_fresh(p, n); }");
        assert_eq!(expand("ok(p)", &found, &["p".to_owned(), "n".to_owned()]), "ok(p)");
        assert_eq!(expand("ok(p)", &found, &["p".to_owned()]), "(__CPROVER_is_fresh((p), n))");
        let inside = "__CPROVER_forall { int n; 0 <= n && n < 3 ==> ok(a[n]) }";
        assert_eq!(expand(inside, &found, &[]), inside);
    }

    #[test]
    fn files_see_their_own_predicates() {
        let (own, other) = (
            "bool g(int *p);",
            "static bool f(int *p) { return __CPROVER_is_fresh(p, 4); } bool g(int *p) { return f(p); }",
        );
        let seen = |own: &str| find_visible(own, &[other]).into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(seen(own), ["g"]);
        assert!(seen("static bool g(int *p) { int x; return 1; }").is_empty());
    }

    #[test]
    fn truth_is_told_from_bits() {
        for truth in ["a < b", "(x == 1) & (y > 2)", "a && b", "c ? (a < b) : true", "__CPROVER_is_fresh(p, 1)"] {
            assert!(is_truth(truth), "{truth}");
        }
        for other in ["a & b", "p == & x", "(a < b) | 4", "x", "c ? 2 : 1", "(a < b) & 2", "!x + 4"] {
            assert!(!is_truth(other), "{other}");
        }
    }
}
