//! Correctness witnesses: each invariant becomes an assertion at its place, and is kept only if that is proved.
//!
//! Why a proof about the program with assertions is one about the program: the assertions only look ([`is_harmless`](super::is_harmless)), so that both
//! programs have the same runs up to the first assertion that fails, or that itself reads invalid memory. That none fails is proved; where a condition
//! reads through pointers, that its accesses are valid is proved with it.

use std::collections::BTreeSet;

use belay_base::Budget;
use belay_evidence::{Answer, Verdict};
use belay_ir::{Program, Property};
use belay_report::{Kept, WitnessEntry};

use super::instrument::{Insertion, instrument, tokens};
use super::is_harmless;
use super::search::search;
use crate::arguments::CheckWitnessOptions;

const PRELUDE: &str = "extern void __llbmc_assert(int);";

/// An invariant of the witness that can be asserted.
struct Candidate {
    insertion: Insertion,
    text: String,
    line: u64,
}

/// Whether the property holds of the program, and what became of the invariants.
pub struct Examined {
    /// The verdict on the program with the invariants that were kept.
    pub verdict: Option<Verdict>,
    /// The invariants, in order.
    pub invariants: Vec<(u64, String, Kept)>,
}

/// Looks into a correctness witness.
pub fn examine(
    options: &CheckWitnessOptions,
    entry: &WitnessEntry,
    property: Property,
    program: &Program,
    budget: &Budget,
) -> Examined {
    let text = options.program.files.first().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let (candidates, mut invariants) = candidates(entry, program, &text);
    let all: Vec<&Candidate> = candidates.iter().collect();
    if let Some(verdict) = prove(options, &all, property, &budget.share(40, u64::MAX)) {
        invariants.extend(candidates.iter().map(|one| (one.line, one.text.clone(), Kept::Holds)));
        return Examined { verdict: Some(verdict), invariants };
    }
    let mut kept = Vec::new();
    for one in &candidates {
        let share = 40 / candidates.len().max(1) as u32;
        let holds = prove(options, &[one], Property::UnreachCall, &budget.share(share.max(5), u64::MAX)).is_some();
        invariants.push((one.line, one.text.clone(), if holds { Kept::Holds } else { Kept::NotShown }));
        if holds {
            kept.push(one);
        }
    }
    Examined { verdict: prove(options, &kept, property, budget), invariants }
}

/// The verdict that the property holds, if that and all of the candidates are proved.
fn prove(
    options: &CheckWitnessOptions,
    candidates: &[&Candidate],
    property: Property,
    budget: &Budget,
) -> Option<Verdict> {
    let insertions: Vec<Insertion> = candidates.iter().map(|one| one.insertion.clone()).collect();
    let reads = candidates.iter().any(|one| reads_memory(&one.text));
    let mut properties = vec![property];
    if !candidates.is_empty() {
        properties.push(Property::UnreachCall);
    }
    if reads {
        properties.extend([Property::ValidDeref, Property::ValidFree]);
    }
    properties.sort();
    properties.dedup();
    let verdicts = search(options, PRELUDE, &insertions, &properties, budget, |_, verdicts| verdicts)?;
    let holds = |verdict: &Verdict| matches!(verdict.answer(), Answer::True(_));
    let is_proved = verdicts.iter().all(holds) && verdicts.len() == properties.len();
    verdicts.into_iter().find(|verdict| is_proved && verdict.property() == property)
}

fn reads_memory(condition: &str) -> bool {
    let found = tokens(condition);
    let before = |at: usize| at.checked_sub(1).map_or("", |at| found[at].text);
    let is_operand = |text: &str| text.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ')' | ']'));
    found.iter().enumerate().any(|(at, token)| match token.text {
        "[" => true,
        "*" => !is_operand(before(at)) || before(at) == ")",
        ">" => before(at) == "-",
        _ => false,
    })
}

/// The invariants that can be asserted, and those that can't. An assertion that found no place would hold of anything.
fn candidates(entry: &WitnessEntry, program: &Program, source: &str) -> (Vec<Candidate>, Vec<(u64, String, Kept)>) {
    let names = names(program);
    let mut found = Vec::new();
    let mut others = Vec::new();
    for invariant in entry.content.iter().filter_map(|item| item.value.invariant.as_ref()) {
        let text = invariant.value.value.text();
        let line = invariant.location.line.value.unsigned_abs();
        let column = invariant.location.column.as_ref().map(|column| column.value.unsigned_abs());
        let is_state = matches!(invariant.kind.value.as_str(), "loop_invariant" | "location_invariant");
        let code = format!("__llbmc_assert(({text}) != 0)");
        let at_loop_head = invariant.kind.value == "loop_invariant";
        let insertion = Insertion { line, column, code, at_loop_head };
        let has_place = instrument(source, "", std::slice::from_ref(&insertion)).1 == 0;
        if !is_state || !has_place || !is_harmless(&text) || !speaks_of_variables(&text, &names) {
            others.push((line, text, Kept::NotLookedAt));
            continue;
        }
        found.push(Candidate { insertion, text, line });
    }
    (found, others)
}

/// The variables of the program.
fn names(program: &Program) -> BTreeSet<&str> {
    let locals = program.functions.iter().flat_map(|function| &function.locals).map(|local| local.name.as_str());
    let params = program.functions.iter().flat_map(|function| &function.params).map(|param| param.name.as_str());
    locals.chain(params).chain(program.globals.iter().map(|global| global.name.as_str())).collect()
}

/// True if every name in a condition is a variable's, a member's or a type's: a macro might do anything.
fn speaks_of_variables(condition: &str, names: &BTreeSet<&str>) -> bool {
    const TYPES: &[&str] = &["int", "long", "short", "char", "unsigned", "signed", "_Bool", "__int128", "sizeof"];
    let found = tokens(condition);
    let before = |at: usize| at.checked_sub(1).map_or("", |at| found[at].text);
    let is_member = |at: usize| before(at) == "." || before(at) == ">" && at > 1 && before(at - 1) == "-";
    let words = found.iter().enumerate().filter(|(_, token)| token.is_word());
    { words }.all(|(at, token)| TYPES.contains(&token.text) || names.contains(token.text) || is_member(at))
}
