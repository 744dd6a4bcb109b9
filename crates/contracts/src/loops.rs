//! Contracts of loops: assertions inside the loop's condition, which is asked before each round and after the last.

use crate::blocks::makes_blocks;
use crate::lift::{ClauseKind, Lifted, LoopContract, Statement};
use crate::lower::{Lowering, Mode, PRELUDE, plain, refusal};
use crate::olds::{declare_olds, set_old, set_olds};
use crate::text::mentions;
use crate::tokens::{Kind, split, tokens};

/// The text with what the contracts of its loops say, and notes of what is not checked. All lines stay where they are.
pub fn write(lifted: &Lifted) -> (String, Vec<String>) {
    let mut inserts: Vec<(usize, usize, String)> = Vec::new();
    let mut notes = Vec::new();
    for (index, contract) in lifted.loops.iter().enumerate() {
        notes.extend(unchecked(contract));
        let Some(end) = contract.end else {
            inserts.push((contract.condition.0, contract.condition.0, refused(contract)));
            inserts.push((contract.condition.1, contract.condition.1, "); })".to_owned()));
            continue;
        };
        let head = &lifted.text[contract.start..contract.condition.0];
        let (before, checks) = checks(index, contract, head);
        let is_empty = lifted.text[contract.condition.0..contract.condition.1].trim().is_empty();
        inserts.push((contract.start, contract.start, format!("{{ {before}")));
        inserts.push((
            contract.condition.0,
            contract.condition.0,
            format!("({{ {checks}({}", if is_empty { "1" } else { "" }),
        ));
        inserts.push((contract.condition.1, contract.condition.1, "); })".to_owned()));
        inserts.push((end, end, " }".to_owned()));
    }
    for statement in &lifted.statements {
        inserts.push((statement.range.0, statement.range.1, lowered(statement, &lifted.text)));
    }
    if inserts.is_empty() {
        return (lifted.text.clone(), notes);
    }
    inserts.sort_by_key(|(at, ..)| *at);
    let mut text = PRELUDE.replace('\n', " ");
    let mut from = 0;
    for (at, until, insert) in inserts {
        text.push_str(&lifted.text[from..at]);
        text.push_str(&insert);
        from = until;
    }
    text.push_str(&lifted.text[from..]);
    // The prelude stands in a line of its own, before the first line marker.
    (text.replacen("; # ", ";\n# ", 1), notes)
}

/// An assertion or assumption in C, in as many lines.
fn lowered(statement: &Statement, text: &str) -> String {
    let mode = if statement.is_assumed { Mode::Assume } else { Mode::Assert };
    let mut lowering = Lowering::new("assertion".to_owned(), mode, "__belay_entry_value");
    let mut said = lowering.clause(&statement.clause);
    if !lowering.olds.is_empty() {
        said = refusal(&statement.clause, "values from before are of contracts");
    }
    if statement.is_assumed && makes_blocks(&statement.clause.text) {
        said = refusal(&statement.clause, "blocks are made by contracts");
    }
    let lines = text[statement.range.0..statement.range.1].matches('\n').count();
    format!("{{ {said}}}{}", "\n".repeat(lines))
}

/// A loop's `assigns` is about what is written; nothing rests on it.
fn unchecked(contract: &LoopContract) -> Vec<String> {
    let others =
        contract.clauses.iter().filter(|clause| matches!(clause.kind, ClauseKind::Assigns | ClauseKind::Frees));
    others
        .map(|clause| {
            format!("{}:{}: the {} clause of a loop is not checked", clause.file, clause.line, clause.kind.name())
        })
        .collect()
}

fn refused(contract: &LoopContract) -> String {
    let said: String =
        contract.clauses.iter().take(1).map(|clause| refusal(clause, "the loop's shape is not understood")).collect();
    format!("({{ {said}(")
}

/// What is declared before the loop, and what its condition begins with. The values from the loop's entry are kept when the condition is asked first, after what a `for` begins with. Variables
/// that this does not name are kept before it as well: that is the same value, so a copy of what the loop leaves alone is the variable itself and not something that the first round makes.
fn checks(index: usize, contract: &LoopContract, head: &str) -> (String, String) {
    let (mut at_first, mut later) = (String::new(), String::new());
    let mut olds = Vec::new();
    for clause in contract.clauses.iter().filter(|clause| clause.kind == ClauseKind::Invariant) {
        for (out, when) in
            [(&mut at_first, "does not hold before the first round"), (&mut later, "is not kept by a round")]
        {
            let subject = format!("the loop invariant of line {} {when}", clause.line);
            let mut lowering = Lowering::new(subject, Mode::Assert, "__belay_entry_value");
            lowering.olds = olds;
            out.push_str(&lowering.clause(clause));
            olds = lowering.olds;
        }
    }
    let (measures, compared) = decreases(index, contract);
    let prefix = "__belay_entry_value";
    let is_early =
        |value: &str| matches!(tokens(value).as_slice(), [one] if one.kind == Kind::Word) && !mentions(head, value);
    let early = olds.iter().enumerate().filter(|(_, value)| is_early(value.trim()));
    let early: String = early.map(|(at, value)| set_old(prefix, at, value)).collect();
    let before = format!("int __belay_first = 1; {}{early}{measures}", declare_olds(prefix, &olds));
    let set = set_olds(prefix, &olds);
    let checks = format!(
        "if (__belay_first) {{ {set}{at_first}}} else {{ {later}{} }} __belay_first = 0; {} ",
        compared.0, compared.1
    );
    (before, checks)
}

/// Declares the measures; compares them, and keeps their values.
fn decreases(index: usize, contract: &LoopContract) -> (String, (String, String)) {
    let Some(clause) = contract.clauses.iter().find(|clause| clause.kind == ClauseKind::Decreases) else {
        return (String::new(), (String::new(), String::new()));
    };
    let mut lowering = Lowering::new(String::new(), Mode::Assert, "__belay_entry_value");
    let measures =
        split(&clause.text, ",").into_iter().map(|part| lowering.expression(part)).collect::<Result<Vec<_>, _>>();
    let measures = match measures {
        Ok(measures) if lowering.olds.is_empty() => measures,
        Ok(_) => return (String::new(), (refusal(clause, "a measure is about the state as it is"), String::new())),
        Err(why) => return (String::new(), (refusal(clause, &why), String::new())),
    };
    let name = |at: usize| format!("__belay_measure{index}_{at}");
    // What a measure is made of may be declared by the loop itself: its value is kept in the widest type.
    let declared: String = (0..measures.len()).map(|at| format!("unsigned long long {}; ", name(at))).collect();
    let mut less = "0".to_owned();
    for (at, measure) in measures.iter().enumerate().rev() {
        let before = format!("(__typeof__(({measure}) + 0))({})", name(at));
        less = format!("({measure}) < {before} || (({measure}) == {before} && ({less}))");
    }
    let message = format!("the decreases clause of line {}: {} does not get smaller", clause.line, plain(&clause.text));
    let compare = format!("__belay_assert({less}, {message:?});");
    let keep: String = measures
        .iter()
        .enumerate()
        .map(|(at, measure)| format!("{} = (unsigned long long)({measure}); ", name(at)))
        .collect();
    (declared, (compare, keep))
}
