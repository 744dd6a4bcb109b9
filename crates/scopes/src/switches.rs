//! Whether a function may have a `switch` of which clang has left nothing but the case that is taken, since its value is a constant.
//!
//! The text of the function tells: it has more `switch`es than there are jumps, or names a macro that makes one. What macros there are, and what they stand for, clang writes
//! down with the debug information (`-fdebug-macro`). Where a macro pastes words (`##`) one of these may be `switch` if all that is written and all that macros stand for has words that make it up.
//! A word may go on behind the end of a line (`\`). What another file holds that is included there, and a text whose lines are numbered otherwise (`#line`), is not looked at: it may hide one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use belay_llvm::{Bb, Context, LLVMOpcode, Value};

/// True if the text of the function up to a line may have more `switch`es than there are jumps of one.
pub(crate) fn may_hide(context: &Context, function: Value, line: u32) -> bool {
    let Some(outermost) = function.subprogram() else { return true };
    let lines = outermost.subprogram_line()..=line;
    let path = outermost.scope_file().map(|file| {
        let (folder, name) = file.file_name();
        Path::new(&folder).join(name)
    });
    let Some(text) = path.and_then(|path| std::fs::read(path).ok()) else { return true };
    let text = String::from_utf8_lossy(&text);
    let within = text.lines().zip(1..).filter(|(_, number)| lines.contains(number)).map(|(text, _)| text.trim_end());
    let within = within.collect::<Vec<_>>().join("\n").replace("\\\n", "").replace("??/\n", "");
    let named: Vec<&str> = words(&within).collect();
    if is_numbered_otherwise(&text) || named.is_empty() || named.contains(&"include") {
        return true;
    }
    let jumps = function.blocks().into_iter().map(Bb::terminator);
    let is_seen = |jump: &Value| {
        let place = jump.debug_location().map(|location| location.line());
        jump.opcode() == LLVMOpcode::LLVMSwitch && place.is_some_and(|place| lines.contains(&place))
    };
    let macros = outermost.macros(context);
    let makers = find_makers(&macros, &named);
    named.iter().filter(|word| **word == SWITCH).count() > jumps.filter(is_seen).count()
        || named.iter().any(|word| makers.contains(*word))
}

const SWITCH: &str = "switch";

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// True if a line says which number it, or the next, has.
fn is_numbered_otherwise(text: &str) -> bool {
    text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|rest| rest.starts_with("line") || rest.starts_with(|digit: char| digit.is_ascii_digit()))
    })
}

/// True if words put one behind the other make a `switch`.
fn make_up(known: &BTreeSet<&str>) -> bool {
    let mut reached = [false; SWITCH.len() + 1];
    reached[0] = true;
    for from in 0..SWITCH.len() {
        for to in (from + 1..=SWITCH.len()).filter(|_| reached[from]).collect::<Vec<_>>() {
            reached[to] |= known.contains(&SWITCH[from..to]);
        }
    }
    reached[SWITCH.len()]
}

/// The macros that stand for a `switch`, among other things, by themselves or by others that they name, in a text with these words.
fn find_makers<'m>(macros: &'m [(String, String)], named: &[&'m str]) -> BTreeSet<&'m str> {
    let mut bodies: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, body) in macros {
        // Parameters stand with the name.
        if let Some(name) = words(name).next() {
            bodies.entry(name).or_default().extend(words(body));
        }
    }
    let mut makers = if make_up(&spread(&bodies, named)) { find_pasting(macros) } else { BTreeSet::new() };
    loop {
        let makes = |body: &BTreeSet<&str>| body.contains(SWITCH) || !body.is_disjoint(&makers);
        let found: Vec<&str> = bodies
            .iter()
            .filter(|(name, body)| !makers.contains(*name) && makes(body))
            .map(|(name, _)| *name)
            .collect();
        if found.is_empty() {
            return makers;
        }
        makers.extend(found);
    }
}

/// The macros that paste words.
fn find_pasting(macros: &[(String, String)]) -> BTreeSet<&str> {
    let pastes = |body: &str| ["##", "%:%:", "??=??="].iter().any(|sign| body.contains(sign));
    macros.iter().filter(|(_, body)| pastes(body)).filter_map(|(name, _)| words(name).next()).collect()
}

/// Words and all that they stand for as macros; a `switch` by itself aside.
fn spread<'m>(bodies: &BTreeMap<&'m str, BTreeSet<&'m str>>, named: &[&'m str]) -> BTreeSet<&'m str> {
    let mut known = BTreeSet::new();
    let mut work = named.to_vec();
    while let Some(word) = work.pop() {
        if word != SWITCH && known.insert(word) {
            work.extend(bodies.get(word).into_iter().flatten());
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_make_a_switch_by_others() {
        let macros = [("A", "1"), ("B(x)", "switch (A) { case 1: x; }"), ("C", "do { B(y) } while (0)"), ("D", "b")];
        let macros = macros.map(|(name, body)| (name.to_owned(), body.to_owned()));
        assert_eq!(find_makers(&macros, &["B"]).into_iter().collect::<Vec<_>>(), ["B", "C"]);
    }

    #[test]
    fn macros_that_paste_a_switch() {
        let macros = [("P(a, b)", "a##b"), ("Q", "P(sw, itch)"), ("R", "1")];
        let macros = macros.map(|(name, body)| (name.to_owned(), body.to_owned()));
        assert_eq!(find_makers(&macros, &["Q"]).into_iter().collect::<Vec<_>>(), ["P", "Q"]);
        let macros = &macros[..1];
        assert!(find_makers(macros, &["P", "sw", "it"]).is_empty());
        assert_eq!(find_makers(macros, &["P", "swi", "tch"]).into_iter().collect::<Vec<_>>(), ["P"]);
    }
}
