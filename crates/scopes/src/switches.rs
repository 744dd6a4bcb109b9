//! Whether a function may have a `switch` of which clang has left nothing but the case that is taken, since its value is a constant.
//!
//! The text of the function tells: it has more `switch`es than there are jumps, or names a macro that makes one. What macros there are, and what they stand for, clang writes
//! down with the debug information (`-fdebug-macro`). One whose word `switch` is itself put together from parts (`##`) is not seen.

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
    let within = text.lines().zip(1..).filter(|(_, number)| lines.contains(number)).map(|(text, _)| text);
    let named: Vec<&str> = within.flat_map(words).collect();
    let jumps = function.blocks().into_iter().map(Bb::terminator);
    let is_seen = |jump: &Value| {
        let place = jump.debug_location().map(|location| location.line());
        jump.opcode() == LLVMOpcode::LLVMSwitch && place.is_some_and(|place| lines.contains(&place))
    };
    let macros = outermost.macros(context);
    let makers = find_makers(&macros);
    named.iter().filter(|word| **word == SWITCH).count() > jumps.filter(is_seen).count()
        || named.iter().any(|word| makers.contains(*word))
}

const SWITCH: &str = "switch";

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The macros that stand for a `switch`, among other things, by themselves or by others that they name.
fn find_makers(macros: &[(String, String)]) -> BTreeSet<&str> {
    let mut bodies: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, body) in macros {
        // Parameters stand with the name.
        if let Some(name) = words(name).next() {
            bodies.entry(name).or_default().extend(words(body));
        }
    }
    let mut makers = BTreeSet::new();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_make_a_switch_by_others() {
        let macros = [("A", "1"), ("B(x)", "switch (A) { case 1: x; }"), ("C", "do { B(y) } while (0)"), ("D", "b")];
        let macros = macros.map(|(name, body)| (name.to_owned(), body.to_owned()));
        assert_eq!(find_makers(&macros).into_iter().collect::<Vec<_>>(), ["B", "C"]);
    }
}
