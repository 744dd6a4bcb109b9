//! Invariants of loops, in C's syntax and the program's own names.

use std::collections::BTreeMap;

use belay_base::Span;
use belay_evidence::{Answer, GraphCertificate, Induction, Proof, Task, Verdict};
use belay_ir::{BlockId, Cfg, Dominators, FuncId, Function, InstId, LoopNest, Program};
use belay_semantics::encode::cut::{Atom, Bound, CutPlace, ObjectKey, Relation, Row, Variable};
use belay_semantics::encode::object::ObjectKind;
use belay_semantics::symbolic::{Facts, Key, Place};

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
}

/// Conditions of a loop that are shown.
const MAX_SHOWN: usize = 14;

impl LoopInvariant {
    /// `line 8: s <= end && *end == 0 for some end`.
    pub fn sentence(&self, program: &Program) -> Option<String> {
        let facts = self.facts.sentence(MAX_SHOWN)?;
        let at = place(program, self.span).unwrap_or_else(|| program.functions[self.function].name.clone());
        let within = self.within.map(|id| format!(" in {}", program.functions[id].name)).unwrap_or_default();
        let called = place(program, self.called).map(|place| format!(" (called at {place})")).unwrap_or_default();
        let later = if self.later { " after each round" } else { "" };
        Some(format!("{at}{within}{called}: {facts}{later}"))
    }
}

/// The invariants that a proof rests on, by loop; a loop that is reached by several calls has several.
pub fn invariants(task: &Task<'_>, verdict: &Verdict) -> Vec<LoopInvariant> {
    match verdict.answer() {
        Answer::True(Proof::Induction(induction)) => of_induction(task.simplified, induction),
        Answer::True(Proof::Graph(certificate)) => of_graph(task, certificate),
        Answer::True(_) | Answer::False(_) | Answer::Unknown(_) => Vec::new(),
    }
}

fn of_induction(program: &Program, induction: &Induction) -> Vec<LoopInvariant> {
    let mut found = Vec::new();
    for (place, cut) in &induction.cutting.cuts {
        let conditions: Vec<String> = cut.rows.iter().filter_map(|row| condition(program, place, row)).collect();
        if !conditions.is_empty() {
            let span = block_span(&program.functions[place.function], place.head);
            let facts = Facts { conditions, ghosts: Vec::new() };
            let (function, within, called) = (place.function, None, Span::NONE);
            found.push(LoopInvariant { function, span, within, called, facts, later: true });
        }
    }
    found
}

/// Cut points that are no loop heads are left out.
fn of_graph(task: &Task<'_>, certificate: &GraphCertificate) -> Vec<LoopInvariant> {
    let program = task.simplified;
    let mut heads: BTreeMap<FuncId, Vec<BlockId>> = BTreeMap::new();
    let mut found = Vec::new();
    for (key, state) in &certificate.states {
        let Some((function, block, _)) = key.last().copied() else { continue };
        if !heads.entry(function).or_insert_with(|| loop_heads(&program.functions[function])).contains(&block) {
            continue;
        }
        let facts = state.facts(program, task.integers());
        let (span, within, called) = whereabouts(program, key);
        found.push(LoopInvariant { function, span, within, called, facts, later: false });
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

fn condition(program: &Program, place: &CutPlace, row: &Row) -> Option<String> {
    let name = |atom: &Atom| atom_name(program, place, atom);
    let Bound::Constant(bound) = row.bound else { return None };
    Some(match &row.relation {
        Relation::AtMost(sum) => match sum.as_slice() {
            [(false, x)] => format!("{} <= {bound}", name(x)),
            [(true, x)] => format!("{} <= {}", -bound, name(x)),
            [(false, x), (true, y)] | [(true, y), (false, x)] => difference(&name(x), &name(y), bound),
            [(false, x), (false, y)] => format!("{} + {} <= {bound}", name(x), name(y)),
            [(true, x), (true, y)] => format!("{} <= {} + {}", -bound, name(x), name(y)),
            _ => return None,
        },
        Relation::Equal(x, y) => format!("{} == {}", name(x), name(y)),
        Relation::Differ(x, y) => format!("{} != {}", name(x), name(y)),
        Relation::Residue { atom, bits, value } => format!("({} & {}) == {value}", name(atom), (1u64 << bits) - 1),
    })
}

/// `x - y <= bound`.
fn difference(x: &str, y: &str, bound: i128) -> String {
    match bound {
        0 => format!("{x} <= {y}"),
        -1 => format!("{x} < {y}"),
        bound if bound < 0 => format!("{x} + {} <= {y}", -bound),
        bound => format!("{x} <= {y} + {bound}"),
    }
}

fn atom_name(program: &Program, place: &CutPlace, atom: &Atom) -> String {
    let function = &program.functions[place.function];
    match &atom.variable {
        Variable::Register(inst) => register_name(function, *inst),
        Variable::Param(index) => {
            let name = function.params.get(*index as usize).map(|param| param.name.clone());
            name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("param{index}"))
        }
        Variable::Offset(inst) => format!("__CPROVER_POINTER_OFFSET({})", register_name(function, *inst)),
        Variable::Cell { object, offset: 0, .. } => object_name(program, object),
        Variable::Cell { object, offset, .. } => format!("*((char *)&{} + {offset})", object_name(program, object)),
    }
}

fn register_name(function: &Function, inst: InstId) -> String {
    function.local_of_value(inst).map_or_else(|| format!("v{}", inst.0), |local| local.name.clone())
}

fn object_name(program: &Program, object: &ObjectKey) -> String {
    match object.kind {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Stack => {
            let function = object.calls.last().map(|(_, function)| &program.functions[*function]);
            let local = function.and_then(|body| body.locals.iter().find(|local| local.alloca == Some(object.inst)));
            local.map_or_else(|| format!("local{}", object.inst.0), |local| local.name.clone())
        }
        ObjectKind::Heap => format!("block{}", object.inst.0),
        ObjectKind::Function(function) => program.functions[function].name.clone(),
        ObjectKind::Arguments => "argv".to_owned(),
        ObjectKind::String(index) => format!("argv[{index}]"),
        ObjectKind::EntryBytes(index) => format!("param{index}"),
    }
}
