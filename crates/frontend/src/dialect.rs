//! The text of a harness, made C before clang sees it: what only CBMC's compiler understands or lets through.
//!
//! - Quantifiers become loops ([`belay_contracts::quantifier`]).
//! - `#pragma CPROVER check disable "pointer"` in a function says that what follows may do what C does not define. CBMC goes on there; here a run that gets to it has no verdict.
//! - A function that is defined with another type than it was declared with (a missing `const`, a struct of its own) gets a name of its own in C and keeps its name for the linker.
//! - Two structures may be compared by `==`: all their bytes are, those between members too, which are members in CBMC's reading.
//! - An uninterpreted function may be declared with several types, and stubs may define what clang has built in.

use belay_clang::{Clang, Compilation, Compiled, FrontendError};
use belay_ir::DataModel;
use rustc_hash::FxHashSet;

use belay_contracts::quantifier::{letters, lower_quantifiers};

const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// Replaces what is no C by what is, in the preprocessed text.
pub fn lower_dialect(unit: &mut Compilation, model: DataModel) -> Result<(), FrontendError> {
    let Some(text) = Clang::find()?.preprocess(unit, model)? else { return Ok(()) };
    let text = with_own_builtins(without_repeated_declarations(&without_disabled_checks(&text)));
    (unit.text, unit.prelude) = (Some(lower_quantifiers(&text).unwrap_or(text)), "");
    Ok(())
}

/// Stubs may define what clang has built in, `__builtin___memcpy_chk` and its kin: the file then gets a function of another name, which its calls mean. (Headers call
/// them only where `_FORTIFY_SOURCE` is set, which it never is.)
fn with_own_builtins(mut text: String) -> String {
    const PREFIX: &str = "void *__builtin___";
    let defined = text.lines().filter_map(|line| line.strip_prefix(PREFIX)?.split_once("_chk("));
    let mut names: Vec<String> = defined.map(|(name, _)| name.to_owned()).collect();
    names.dedup();
    for name in names {
        text = text.replace(&format!("__builtin___{name}_chk"), &format!("__defined___{name}_chk"));
    }
    text
}

/// An uninterpreted function may be declared with several types: the first counts, as nothing is known of it but its arguments. Declarations are lines of
/// their own that begin in the first column.
fn without_repeated_declarations(text: &str) -> String {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_declaration = line.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && line.trim_end().ends_with(");")
            && !line.contains(['=', '{'])
            && !line.starts_with("return");
        let named = line.find(UNINTERPRETED).filter(|_| is_declaration);
        let name = named.and_then(|at| line[at..].split('(').next()).map(str::trim);
        kept.push_str(if name.is_some_and(|name| !seen.insert(name)) { "\n" } else { line });
    }
    kept
}

/// Checks that Belay makes too.
const CHECKS: [&str; 5] = ["pointer", "bounds", "signed-overflow", "div-by-zero", "undefined-shift"];

/// The text in which a run ends without a verdict where a check is disabled inside a function.
fn without_disabled_checks(text: &str) -> String {
    const PRAGMA: &str = "#pragma CPROVER check disable ";
    let is_disabled = |line: &str| {
        let check = line.trim_start().strip_prefix(PRAGMA).map(|rest| rest.trim().trim_matches('"'));
        check.is_some_and(|check| CHECKS.contains(&check))
    };
    let mut depth = 0i64;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') || line.trim_start().starts_with("#pragma") {
            let ends = depth > 0 && is_disabled(line);
            kept.push_str(if ends {
                "__belay_unsupported(\"a check that a pragma of CBMC disables\");\n"
            } else {
                line
            });
            continue;
        }
        for (_, letter) in letters(line) {
            depth += i64::from(letter == b'{') - i64::from(letter == b'}');
        }
        kept.push_str(line);
    }
    kept
}

/// How many functions of a file may have two types.
const MOST_CONFLICTS: usize = 16;

/// Compiles a file of a harness.
pub fn compile(unit: &Compilation, model: DataModel) -> Result<Compiled, FrontendError> {
    let clang = Clang::find()?;
    let mut unit = unit.clone();
    for _ in 0..MOST_CONFLICTS {
        let error = match clang.compile(&unit, model) {
            Ok(compiled) => return Ok(compiled),
            Err(error) => error,
        };
        let FrontendError::Compile { messages, .. } = &error else { return Err(error) };
        let mended = |text: &String| {
            messages.lines().find_map(|line| rename_conflict(text, line).or_else(|| compare_bytes(text, line)))
        };
        let Some(text) = unit.text.as_ref().and_then(mended) else { return Err(error) };
        unit.text = Some(text);
    }
    clang.compile(&unit, model)
}

/// The text in which the function of `file:line:column: error: conflicting types for 'f'` has a name of its own.
fn rename_conflict(text: &str, message: &str) -> Option<String> {
    let (place, rest) = message.split_once(": error: conflicting types for '")?;
    let (name, _) = rest.split_once('\'')?;
    let (place, _) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let start = line_start(text, file, line)?;
    let end = start + text[start..].find('\n').unwrap_or(text.len() - start);
    let at = start + find_word(&text[start..end], name)?;
    let (before, after) = (&text[..at], &text[at + name.len()..]);
    Some(format!("#pragma redefine_extname __belay_own_{name} {name}\n{before}__belay_own_{name}{after}"))
}

/// The text in which the structures of `(a == b)` are compared byte by byte, where clang says `file:line:column: error: invalid operands to binary expression ('struct s' and 'struct s')`.
fn compare_bytes(text: &str, message: &str) -> Option<String> {
    let (place, types) = message.split_once(": error: invalid operands to binary expression ('struct ")?;
    let (one, other) = types.strip_suffix("')")?.split_once("' and 'struct ")?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    let at = line_start(text, file, line.parse().ok()?)? + column.parse::<usize>().ok()?.checked_sub(1)?;
    let sign = text.get(at..at + 2).filter(|sign| ["==", "!="].contains(sign))?;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (before, after) = (text[..at].trim_end(), text[at + 2..].trim_start());
    let left = &before[before.trim_end_matches(is_part).len()..];
    let right = &after[..after.len() - after.trim_start_matches(is_part).len()];
    let (before, after) = (&before[..before.len() - left.len()], &after[right.len()..]);
    let is_whole = before.trim_end().ends_with('(') && after.trim_start().starts_with(')');
    let is_plain = one == other && is_whole && !left.is_empty() && !right.is_empty();
    is_plain.then(|| format!("{before}__builtin_memcmp(&{left}, &{right}, sizeof({left})) {sign} 0{after}"))
}

/// Where a line of a file begins in preprocessed text.
fn line_start(text: &str, file: &str, line: usize) -> Option<usize> {
    let mut at = 0;
    let mut here = ("", 0);
    for one in text.split_inclusive('\n') {
        let marked = one.strip_prefix("# ").and_then(|rest| rest.split_once(' '));
        let marked = marked.and_then(|(number, rest)| Some((rest.split('"').nth(1)?, number.parse::<usize>().ok()?)));
        match marked {
            Some(marked) => here = marked,
            None if here == (file, line) => return Some(at),
            None => here.1 += 1,
        }
        at += one.len();
    }
    None
}

fn find_word(line: &str, word: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let is_whole =
        |at: &usize| !is_part(line[..*at].chars().next_back()) && !is_part(line[*at + word.len()..].chars().next());
    line.match_indices(word).map(|(at, _)| at).find(is_whole)
}

#[cfg(test)]
mod tests;
