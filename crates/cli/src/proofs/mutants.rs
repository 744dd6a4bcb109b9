//! How much a proof notices: changes of one token of the function under proof, and blocks of it that no run gets to.
//!
//! The function is the one whose contract is checked, or those of the project that the harness calls. Each change is made in the preprocessed text of every file that
//! defines the function, and the proof is run again on these texts: one that is proved still is not noticed. A block that no run gets to is found in the same way, with an assertion
//! at its start that fails. What is said rests on proofs alone: a run that comes to no answer says nothing, and is counted apart. A change that is not noticed may also be one
//! that changes nothing, which nobody can tell in general: the lines are there to be looked at.

use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_contracts::tokens::{Kind, Token, closing, tokens};
use belay_ir::DataModel;

use super::find::Proof;
use super::made::Scratch;
use super::result::{Standing, judge};
use super::{plain, run_check};
use crate::arguments::ProofsOptions;

/// What came of the changes.
#[derive(Clone, Debug, Default)]
pub struct Noticed {
    /// How many changes were tried that came to an answer.
    pub decided: usize,
    /// How many came to none.
    pub undecided: usize,
    /// What was changed where, and is proved still.
    pub unnoticed: Vec<String>,
    /// Where blocks begin that no run gets to.
    pub unreached: Vec<String>,
}

/// So many changes and so many blocks are looked at, spread over the function.
const MOST: usize = 8;

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    /// Which token of the function's body.
    token: usize,
    old: String,
    new: String,
    place: String,
    is_reach: bool,
}

/// Runs the proof with changes of the function under proof. It has taken `time` as it is.
pub fn try_changes(program: &Path, proof: &Proof, options: &ProofsOptions, time: Duration) -> Option<Noticed> {
    let flags: Vec<String> = proof.flags.iter().cloned().chain(["-D__CPROVER=1".to_owned()]).collect();
    let read = |file: &PathBuf| {
        let text = belay_frontend::preprocess(file, Some(&proof.folder), &flags, DataModel::Lp64).ok()?;
        Some((file.clone(), text))
    };
    let own: Vec<(PathBuf, String)> = proof.proof_sources.iter().map(read).collect::<Option<_>>()?;
    let project: Vec<(PathBuf, String)> = proof.project_sources.iter().map(read).collect::<Option<_>>()?;
    let functions = functions_under_proof(proof, &own, &project);
    let all: Vec<(String, Change)> = (functions.iter())
        .flat_map(|name| {
            let text = project.iter().chain(&own).find_map(|(_, text)| body(text, name).map(|range| (text, range)));
            let changes = text.map(|(text, range)| changes(text, range)).unwrap_or_default();
            changes.into_iter().map(|change| (name.clone(), change))
        })
        .collect();
    let (reach, tokens): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, change)| change.is_reach);
    let mut noticed = Noticed::default();
    let limit = (time.as_secs() * 3 + 2).clamp(3, options.time_limit);
    let limits = ProofsOptions { time_limit: limit, ..options.clone() };
    for (function, change) in spread(&tokens).chain(spread(&reach)) {
        let scratch = Scratch::new()?;
        let changed = changed_proof(proof, (&own, &project), (function, change), &scratch)?;
        let said = run_check(program, &changed, &limits).ok()?;
        match judge(&changed, &said).standing {
            Standing::Proved if change.is_reach => noticed.unreached.push(change.place.clone()),
            Standing::Proved => {
                noticed.unnoticed.push(format!("{}: `{}` as `{}`", change.place, change.old, change.new));
                noticed.decided += 1;
            }
            Standing::Violated => noticed.decided += usize::from(!change.is_reach),
            Standing::WithinBound | Standing::Unknown | Standing::NotRun => {
                noticed.undecided += usize::from(!change.is_reach)
            }
        }
    }
    Some(noticed)
}

/// At most [`MOST`] of them, the first and the last among them.
fn spread<T>(all: &[T]) -> impl Iterator<Item = &T> {
    let count = all.len().min(MOST);
    (0..count).map(move |at| &all[if count < 2 { 0 } else { at * (all.len() - 1) / (count - 1) }])
}

/// The function whose contract is checked; else those that the harness calls, that the project defines, and that the files of the proof do not stand in for.
fn functions_under_proof(proof: &Proof, own: &[(PathBuf, String)], project: &[(PathBuf, String)]) -> Vec<String> {
    if let Some(function) = proof.enforced.first() {
        return vec![function.clone()];
    }
    let texts: Vec<&str> = own.iter().map(|(_, text)| text.as_str()).collect();
    let Some(harness) = texts.iter().find_map(|text| plain::body(&plain::without_marks(text), &proof.entry)) else {
        return Vec::new();
    };
    let all = tokens(&harness);
    let called = all.windows(2).filter(|pair| pair[0].kind == Kind::Word && pair[1].is("("));
    let mut names: Vec<String> = called.map(|pair| plain_name(pair[0].text)).collect();
    names.dedup();
    let is_defined = |name: &String| project.iter().any(|(_, text)| body(text, name).is_some());
    names.retain(|name| is_defined(name) && !proof.removed.contains(name));
    // What allocates and describes arguments is called too; the function under proof comes last, or has the name of the proof.
    let named = names.iter().find(|name| **name == proof.name).cloned();
    named.or(names.pop()).into_iter().collect()
}

/// A static function by its own name.
fn plain_name(name: &str) -> String {
    let local = name.strip_prefix("__CPROVER_file_local_").and_then(|rest| rest.split_once("_c_"));
    local.map_or(name, |(_, name)| name).to_owned()
}

/// The brackets of a function's body.
fn body(text: &str, name: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = text[from..].find(name) {
        let at = from + found;
        from = at + name.len();
        let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        if text[..at].ends_with(is_inside) || text[from..].starts_with(is_inside) {
            continue;
        }
        // What follows is looked at as far as a definition may need it.
        let rest = tokens(head(&text[from..]));
        let Some(mut close) = rest.first().filter(|open| open.is("(")).and_then(|_| closing(&rest, 0)) else {
            continue;
        };
        while rest.get(close + 1).is_some_and(|next| next.text.starts_with("__")) {
            close = rest.get(close + 2).filter(|open| open.is("(")).and_then(|_| closing(&rest, close + 2))?;
        }
        if let Some(open) = rest.get(close + 1).filter(|next| next.is("{")) {
            let start = from + open.at;
            return Some((start, start + block_end(&text[start..])?));
        }
    }
    None
}

/// As much of a text as a declaration with its clauses takes up.
fn head(text: &str) -> &str {
    let end = text.find("{\n").map_or(text.len(), |at| at + 2).max(text.len().min(400));
    let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    &text[..end]
}

fn block_end(text: &str) -> Option<usize> {
    let all = tokens(text);
    closing(&all, 0).map(|close| all[close].end())
}

/// What may be changed in a body, in its order.
fn changes(text: &str, (start, end): (usize, usize)) -> Vec<Change> {
    let inside = &text[start..end];
    let all = tokens(inside);
    let mut found = Vec::new();
    let mut at = 1;
    while at < all.len() {
        // Clauses and assertions are what the function is held against.
        let opens = all.get(at + 1).is_some_and(|next| next.is("("));
        let is_claim = all[at].text.starts_with("__CPROVER_") || all[at].is("__extension__") || all[at].is("sizeof");
        if is_claim && opens {
            at = closing(&all, at + 1).unwrap_or(all.len()) + 1;
            continue;
        }
        let before = &all[at - 1];
        let is_block = all[at].is("{") && (before.is(")") || before.is("else") || before.is("do"));
        let new =
            if is_block { Some("{ __CPROVER_assert(0, \"reached\");".to_owned()) } else { other(before, &all[at]) };
        found.extend(new.map(|new| Change {
            token: at,
            old: all[at].text.to_owned(),
            new,
            place: place(text, start + all[at].at),
            is_reach: is_block,
        }));
        at += 1;
    }
    found
}

/// Another token in the place of one.
fn other(before: &Token<'_>, token: &Token<'_>) -> Option<String> {
    const PAIRS: [(&str, &str); 11] = [
        ("<", "<="),
        (">", ">="),
        ("==", "!="),
        ("+=", "-="),
        ("++", "--"),
        ("&&", "||"),
        ("<<", ">>"),
        ("|=", "&="),
        ("|", "&"),
        ("^", "|"),
        ("+", "-"),
    ];
    if token.kind == Kind::Literal {
        let digits = token.text.trim_end_matches(['u', 'U', 'l', 'L']);
        let is_plain = digits == "0" || !digits.starts_with('0');
        let number: u32 = digits.parse().ok().filter(|_| is_plain)?;
        return Some(format!("{}{}", u64::from(number) + 1, &token.text[digits.len()..]));
    }
    let is_binary = before.kind != Kind::Mark || before.is(")") || before.is("]");
    if token.kind != Kind::Mark || (["+", "-", "&", "*"].contains(&token.text) && !is_binary) {
        return None;
    }
    let pair = PAIRS.iter().find_map(|(one, two)| match token.text {
        text if text == *one => Some(*two),
        text if text == *two && *two != "|" => Some(*one),
        _ => None,
    });
    // `&` may be an address even after a bracket: `(T *)&x`.
    pair.filter(|_| token.text != "&").map(str::to_owned)
}

/// File and line of a place, by the preprocessor's marks.
fn place(text: &str, at: usize) -> String {
    let (mut file, mut line) = (String::new(), 1u64);
    for part in text[..at].split_inclusive('\n') {
        let mark = part.strip_prefix("# ").and_then(|rest| rest.split_once(" \""));
        match mark.and_then(|(number, rest)| Some((number.parse::<u64>().ok()?, rest.split('"').next()?))) {
            Some((number, name)) => (line, file) = (number, name.rsplit('/').next().unwrap_or(name).to_owned()),
            None => line += u64::from(part.ends_with('\n')),
        }
    }
    format!("{file}:{line}")
}

type Texts<'t> = (&'t [(PathBuf, String)], &'t [(PathBuf, String)]);

/// The proof about texts in which the function is changed, wherever its body has this token.
fn changed_proof(
    proof: &Proof,
    (own, project): Texts<'_>,
    (function, change): (&str, &Change),
    scratch: &Scratch,
) -> Option<Proof> {
    let write = |number: usize, (file, text): &(PathBuf, String)| -> Option<PathBuf> {
        let folder = scratch.path().join(number.to_string());
        std::fs::create_dir(&folder).ok()?;
        let path = folder.join(file.file_name()?);
        std::fs::write(&path, changed(text, function, change)).ok()?;
        Some(path)
    };
    let mut new = proof.clone();
    new.proof_sources = own.iter().enumerate().map(|(at, unit)| write(at, unit)).collect::<Option<_>>()?;
    new.project_sources =
        project.iter().enumerate().map(|(at, unit)| write(own.len() + at, unit)).collect::<Option<_>>()?;
    new.flags.retain(|flag| flag.starts_with("-std") || flag.starts_with("-f") || flag == "-ansi");
    Some(new)
}

fn changed(text: &str, function: &str, change: &Change) -> String {
    let Some((start, end)) = body(text, function) else { return text.to_owned() };
    let all = tokens(&text[start..end]);
    match all.get(change.token).filter(|token| token.text == change.old) {
        Some(token) => {
            format!("{}{}{}", &text[..start + token.at], change.new, &text[start + token.end()..])
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;

    const TEXT: &str = "# 1 \"a/b.c\"\nint f(int);\nint g(int x) { return f(x); }\nint f(int x)\n__CPROVER_ensures(x < 3)\n{\n  __CPROVER_assert(x < 7, \"\");\n  if (x < 2 && -x == 5) {\n    return sizeof(x) + 1;\n  }\n  return 0;\n}\n";

    #[test]
    fn what_can_be_changed_is_found() {
        let all = changes(TEXT, body(TEXT, "f").unwrap());
        let told: Vec<String> =
            all.iter().map(|change| format!("{} {} {}", change.place, change.old, change.new)).collect();
        let expected = [
            "b.c:7 < <=",
            "b.c:7 2 3",
            "b.c:7 && ||",
            "b.c:7 == !=",
            "b.c:7 5 6",
            "b.c:7 { { __CPROVER_assert(0, \"reached\");",
            "b.c:8 + -",
            "b.c:8 1 2",
            "b.c:10 0 1",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn one_token_is_changed() {
        let all = changes(TEXT, body(TEXT, "f").unwrap());
        let text = changed(TEXT, "f", &all[3]);
        assert_eq!(text, TEXT.replace("-x == 5", "-x != 5"));
    }

    #[test]
    fn changes_are_spread() {
        let numbers: Vec<u32> = (0..100).collect();
        let some: Vec<u32> = spread(&numbers).copied().collect();
        assert_eq!((some.len(), some[0], some[MOST - 1]), (MOST, 0, 99));
        assert_eq!(spread(&[5]).count() + spread::<u32>(&[]).count(), 1);
    }
}
