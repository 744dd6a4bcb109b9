//! Invariants of loops, in C's syntax and the program's own names.

use std::collections::BTreeMap;

use belay_base::Span;
use belay_evidence::{Answer, GraphCertificate, Induction, Proof, Task, Verdict};
use belay_expression::{Expr, Facts};
use belay_invariants::Scope;
use belay_invariants::expressions::condition;
use belay_ir::{BlockId, Cfg, Dominators, FuncId, Function, LoopNest, Program};
use belay_symbolic::{Key, Place};

use crate::expressions::sentence;
use crate::words::place;

/// What holds whenever a loop's head is reached.
pub struct LoopInvariant {
    /// The function that the loop stands in.
    pub function: FuncId,
    /// Where, in the user's own code: for a loop of a library function, its call.
    pub span: Span,
    /// The library function, if the loop is in one.
    pub within: Option<FuncId>,
    /// Where the function was called, if this is known.
    pub called: Span,
    /// The conditions.
    pub facts: Facts,
    /// They hold after each round only.
    pub later: bool,
    /// They speak of a recursive function's calls instead of a loop's rounds.
    pub of_calls: bool,
    /// The family that they were searched in, if each loop has its own.
    pub domain: Option<&'static str>,
}

/// Conditions of a loop that are shown.
const MAX_SHOWN: usize = 14;

impl LoopInvariant {
    /// `line 8: s <= end && *end == 0 for some end`.
    pub fn sentence(&self, program: &Program) -> Option<String> {
        let facts = sentence(&self.facts, MAX_SHOWN)?;
        let at = place(program, self.span).unwrap_or_else(|| program.functions[self.function].name.clone());
        let within = self.within.map(|id| format!(" in {}", program.functions[id].name)).unwrap_or_default();
        let called = place(program, self.called).map(|place| format!(" (called at {place})")).unwrap_or_default();
        let later = match (self.later, self.of_calls) {
            (false, _) => "",
            (true, false) => " after each round",
            (true, true) => " in each further call",
        };
        let domain = self.domain.map(|name| format!(" ({name})")).unwrap_or_default();
        Some(format!("{at}{within}{called}: {facts}{later}{domain}"))
    }
}

/// The invariants that a proof rests on, by loop; a loop that is reached by several calls has several.
pub fn invariants(task: &Task<'_>, verdict: &Verdict) -> Vec<LoopInvariant> {
    match verdict.answer() {
        Answer::True(proof) => of_proof(task, proof),
        Answer::False(_) | Answer::Unknown(_) => Vec::new(),
    }
}

fn of_proof(task: &Task<'_>, proof: &Proof) -> Vec<LoopInvariant> {
    match proof {
        Proof::Induction(induction) => of_induction(task.simplified, induction),
        Proof::Descent(descent) => of_induction(task.simplified, &descent.induction),
        Proof::Graph(certificate) => of_graph(task, certificate),
        Proof::Given(given) => {
            let facts = given.facts.iter().flat_map(|fact| of_proof(task, &fact.proof));
            facts.chain(of_proof(task, &given.proof)).collect()
        }
        Proof::Execution
        | Proof::NoObligation
        | Proof::CountedLoops(_)
        | Proof::Loops(_)
        | Proof::Ranking(_)
        | Proof::Unrolled(_)
        | Proof::Values(_) => Vec::new(),
    }
}

fn of_induction(program: &Program, induction: &Induction) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for summary in induction.summaries(program) {
        let (place, of_calls) = match &summary.scope {
            Scope::Loop(place) => (place, false),
            Scope::Recursion(place) => (place, true),
            Scope::Function(_) => continue,
        };
        let conditions: Vec<Expr> =
            summary.rows().into_iter().filter_map(|row| condition(program, place, row)).collect();
        if !conditions.is_empty() {
            let span = block_span(&program.functions[place.function], place.head);
            let facts = Facts { conditions, ghosts: Vec::new() };
            let (function, within, called, later) = (place.function, None, Span::NONE, true);
            let domain = summary.domain;
            found.push(LoopInvariant { function, span, within, called, facts, later, of_calls, domain });
        }
    }
    found
}

/// Cut points that are no loop heads are left out.
fn of_graph(task: &Task<'_>, certificate: &GraphCertificate) -> Vec<LoopInvariant> {
    let program = task.simplified;
    let mut heads: BTreeMap<FuncId, Vec<BlockId>> = BTreeMap::new();
    let mut found = Vec::new();
    for (key, cases) in &certificate.states {
        let Some((function, block, _)) = key.last().copied() else { continue };
        if !heads.entry(function).or_insert_with(|| loop_heads(&program.functions[function])).contains(&block) {
            continue;
        }
        let mut facts: Vec<Facts> = cases.iter().map(|state| state.facts(program, task.integers())).collect();
        let facts = if facts.len() == 1 { facts.remove(0) } else { Facts::any_of(facts) };
        let (span, within, called) = whereabouts(program, key);
        let (later, of_calls, domain) = (false, false, None);
        found.push(LoopInvariant { function, span, within, called, facts, later, of_calls, domain });
    }
    found.retain(|known| !known.facts.conditions.is_empty());
    // Calls are told apart only where there are several.
    let calls: Vec<usize> =
        found.iter().map(|one| found.iter().filter(|other| other.span == one.span).count()).collect();
    for (known, calls) in found.iter_mut().zip(calls) {
        if calls < 2 {
            known.called = Span::NONE;
        }
    }
    found
}

/// The heads of a function's loops.
pub fn loop_heads(function: &Function) -> Vec<BlockId> {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    nest.iter().flat_map(|(_, found)| found.heads.iter().copied()).collect()
}

/// Where a place is in the user's own code, in which library function, and where the function around it was called.
pub fn whereabouts(program: &Program, key: &Key) -> (Span, Option<FuncId>, Span) {
    let call = |place: &Place| call_span(program, place);
    let own = |(function, _, _): &Place| !program.functions[*function].is_model;
    let Some((function, block, _)) = key.last().copied() else { return (Span::NONE, None, Span::NONE) };
    let before = |depth: usize| depth.checked_sub(1).and_then(|depth| key.get(depth)).map_or(Span::NONE, call);
    match key.iter().rposition(own) {
        Some(depth) if depth + 1 < key.len() => {
            let within = key.get(depth + 1).map(|(function, _, _)| *function);
            (call(&key[depth]), within, before(depth))
        }
        Some(depth) => (block_span(&program.functions[function], block), None, before(depth)),
        None => (block_span(&program.functions[function], block), Some(function), Span::NONE),
    }
}

/// Where the call of a frame that is not the innermost one stands.
pub fn call_span(program: &Program, (function, block, index): &Place) -> Span {
    let body = &program.functions[*function];
    body.blocks[*block].insts.get(*index).map_or(Span::NONE, |inst| body.insts[*inst].span)
}

/// The first known place of a block, or that of its function.
pub fn block_span(function: &Function, block: BlockId) -> Span {
    let block = &function.blocks[block];
    let mut spans = block.insts.iter().map(|inst| function.insts[*inst].span).chain([block.term_span]);
    spans.find(|span| span.is_known()).unwrap_or(function.span)
}
