//! What is said of values, in words: conditions that hold, what was missing, why there is no answer.

use belay_evidence::{Reason, Reasons};
use belay_expression::{Binary, Expr, Facts, Missing, in_c};
use belay_symbolic::{Life, Names, Origin, SaidObject, SaidShape};

/// Facts about what did not follow that are said at most.
const MAX_KNOWN: usize = 6;

/// Each as C writes it.
pub fn write_all(exprs: &[Expr]) -> Vec<String> {
    exprs.iter().map(in_c).collect()
}

/// Conditions as one, cut off after `most`; which names in them are made up.
pub fn sentence(facts: &Facts, most: usize) -> Option<String> {
    let shown = &facts.conditions[..facts.conditions.len().min(most)];
    if shown.is_empty() {
        return None;
    }
    let more = if facts.conditions.len() > most { " && …" } else { "" };
    let named = |ghost: &&String| shown.iter().any(|condition| condition.names().contains(ghost.as_str()));
    let ghosts: Vec<&str> = facts.ghosts.iter().filter(named).map(String::as_str).collect();
    let some = if ghosts.is_empty() { String::new() } else { format!(" for some {}", ghosts.join(", ")) };
    Some(format!("{}{more}{some}", shown.iter().map(conjunct).collect::<Vec<_>>().join(" && ")))
}

/// A condition beside others.
fn conjunct(condition: &Expr) -> String {
    match condition {
        Expr::Binary(Binary::Or, _) => format!("({})", in_c(condition)),
        other => in_c(other),
    }
}

/// Why there is no answer.
pub fn because(reasons: &Reasons) -> String {
    reasons.0.iter().map(reason).collect::<Vec<_>>().join("; ")
}

fn reason(reason: &Reason) -> String {
    let Reason { what, missing } = reason;
    match missing {
        None => what.clone(),
        Some(Missing::Pointer) => format!("{what}: nothing says where the pointer leads"),
        Some(Missing::Condition(condition, known)) => match sentence(known, MAX_KNOWN) {
            Some(known) => format!("{what}: {} does not follow from {known}", in_c(condition)),
            None => format!("{what}: nothing says {}", in_c(condition)),
        },
        Some(Missing::Bounds(of)) => {
            format!("{what}, which keep no upper bound of `{}`", write_all(of).join("`, `"))
        }
    }
}

/// The objects of a state and what hangs together in it, a line each.
pub fn describe_objects(names: &Names<'_>) -> Vec<String> {
    names.objects().iter().map(object).chain(names.shapes().iter().map(shape)).collect()
}

fn object(said: &SaidObject) -> String {
    let what = match &said.origin {
        Origin::Variable(name) => in_c(name),
        Origin::Stack => "a stack object".to_owned(),
        Origin::Heap(Some(pointer)) => format!("the heap block of {}", in_c(pointer)),
        Origin::Heap(None) => "a heap block".to_owned(),
        Origin::Argument(Some(pointer)) => format!("what {} points to", in_c(pointer)),
        Origin::Argument(None) => "an argument's object".to_owned(),
    };
    let size = said.size.as_ref().map_or_else(|| "some bytes".to_owned(), |size| format!("{} bytes", in_c(size)));
    let life = match said.life {
        Life::Live => "",
        Life::Dead => ", not alive",
        Life::Maybe => ", alive or not",
    };
    format!("{what}: {size}{life}")
}

/// What it is, through which pointer it is known, how many blocks of which size, where it ends.
fn shape(said: &SaidShape) -> String {
    let through = said.pointer.as_ref().map(|pointer| format!(" of {}", in_c(pointer))).unwrap_or_default();
    let length = said.length.as_ref().map_or_else(|| "some".to_owned(), in_c);
    let end = if said.goes_on { ", which goes on elsewhere" } else { "" };
    format!("a {}{through}: {length} blocks of {} bytes{end}", said.kind, said.size)
}
