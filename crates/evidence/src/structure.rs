//! Proofs by structure: what can be reached, and what is not there.
//!
//! Both checks speak of the simplified program, whose passes keep every obligation that is not discharged. They cover all runs
//! only if no reachable code is *uncovered*: holds a construct for which a run has no verdict.

use std::collections::BTreeSet;

use belay_base::Span;
use belay_ir::{
    CallGraph, Callee, Cfg, Dominators, FuncId, FuncKind, Function, Global, GlobalId, Inst, InstId, LoopNest, Mark, Op,
    Operand, Program, Property, Target, Terminator, Type, has_called_type, ops,
};

use crate::counted::{self, CountedLoop};
use crate::ranking::{RankedLoop, locate};
use crate::task::Task;

/// The functions that a run may enter or call.
pub fn reachable(task: &Task<'_>) -> Vec<FuncId> {
    CallGraph::new(task.simplified).reachable_in_run(task.simplified, task.config.entry)
}

/// The functions that a call may enter.
fn callee_candidates(graph: &CallGraph, callee: &Callee) -> Vec<FuncId> {
    match callee {
        Callee::Direct(id) => vec![*id],
        Callee::Indirect(..) => graph.address_taken().to_vec(),
    }
}

/// Why some run may have no verdict, if any may.
pub fn find_uncovered(task: &Task<'_>) -> Option<(String, Span)> {
    let program = task.simplified;
    let graph = CallGraph::new(program);
    for id in graph.reachable_in_run(program, task.config.entry) {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        for (block, inst) in function.placed_insts() {
            if cfg.is_reachable(block)
                && let Some(reason) = explain_uncovered_inst(task, &graph, function, inst)
            {
                return Some((reason, function.insts[inst].span));
            }
        }
    }
    None
}

/// Where a run may come to code that the compiler marked unreachable, other than by a call that does not return or a check that ends it: such a run
/// has no verdict, and that it ends there is nothing that a proof may rest on.
pub fn find_marked_unreachable(task: &Task<'_>) -> Option<(String, Span)> {
    let program = task.simplified;
    for id in CallGraph::new(program).reachable_in_run(program, task.config.entry) {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        for (block, body) in function.blocks.iter_enumerated() {
            let last = body.insts.last().map(|inst| &function.insts[*inst].op);
            let ends = match last {
                Some(Op::Call { .. }) => true,
                // A promise of the program's that is broken is as undefined as an invalid access.
                Some(Op::Check { obligation, .. }) => !program.obligations[*obligation].property.is_of_memory(),
                Some(ops!(values) | ops!(memory) | Op::Extract { .. } | Op::Unsupported { .. }) | None => false,
            };
            if cfg.is_reachable(block) && matches!(body.term, Terminator::Unreachable { .. }) && !ends {
                let reason = "control may reach code that the compiler marked unreachable".to_owned();
                return Some((reason, body.term_span));
            }
        }
    }
    None
}

fn explain_uncovered_inst(task: &Task<'_>, graph: &CallGraph, function: &Function, inst: InstId) -> Option<String> {
    let program = task.simplified;
    match &function.insts[inst].op {
        Op::Unsupported { what } => Some(format!("unsupported: {what}")),
        Op::Call { callee: Callee::Direct(id), .. } => explain_uncovered_call(task, program, *id, function, inst),
        // A call of a function of another type is undefined. That there is none is an obligation of valid-deref, which no proof by
        // structure shows where there are calls through pointers.
        Op::Call { callee, .. } => {
            let mut candidates = callee_candidates(graph, callee);
            let fits = |id: &FuncId| has_called_type(&program.functions[*id], function, inst, program.layout);
            if candidates.iter().any(fits) {
                candidates.retain(fits);
            }
            candidates.into_iter().find_map(|id| explain_uncovered_call(task, program, id, function, inst))
        }
        ops!(values) | ops!(memory) | Op::Check { .. } | Op::Extract { .. } => None,
    }
}

fn explain_uncovered_call(
    task: &Task<'_>,
    program: &Program,
    callee: FuncId,
    caller: &Function,
    call: InstId,
) -> Option<String> {
    let function = &program.functions[callee];
    if function.kind == FuncKind::Extern {
        let returns_pointer = function.results.contains(&Type::Ptr);
        let unclear = returns_pointer || task.config.externs == belay_ir::Externs::Refuse;
        return unclear.then(|| format!("{} has no body and no model", function.name));
    }
    let fits = has_called_type(function, caller, call, program.layout);
    (!fits && function.is_defined()).then(|| format!("{} is called with another type than it has", function.name))
}

/// Checks that no reachable code holds an obligation of `property`.
pub fn check_no_obligation(task: &Task<'_>, property: Property) -> Result<(), String> {
    if let Some((reason, _)) = find_uncovered(task) {
        return Err(reason);
    }
    match threat(task, property) {
        Some((name, _)) => Err(format!("{name} can be reached")),
        None => Ok(()),
    }
}

/// A model with a mark that a run can reach.
pub fn find_marked(task: &Task<'_>, mark: Mark) -> Option<String> {
    let program = task.program;
    let reachable = CallGraph::new(program).reachable_in_run(program, task.config.entry);
    reachable
        .into_iter()
        .map(|id| &program.functions[id])
        .find(|function| function.mark == mark)
        .map(|it| it.name.clone())
}

/// True if a run may come to a function that names what the library remembers, or what leads there from the start (`stdin`), where that is as at the start of a program though others may have
/// run before.
pub fn names_untouched_library(task: &Task<'_>) -> bool {
    let program = task.simplified;
    let mut leading: BTreeSet<GlobalId> = program.untouched_library.iter().copied().collect();
    if leading.is_empty() {
        return false;
    }
    loop {
        let leads = |global: &Global| {
            let mut targets = global.init.iter().flat_map(|init| &init.relocations).map(|relocation| relocation.target);
            targets.any(|target| matches!(target, Target::Global(id) if leading.contains(&id)))
        };
        let all = program.globals.iter_enumerated();
        let found: Vec<GlobalId> =
            all.filter(|(id, global)| !leading.contains(id) && leads(global)).map(|(id, _)| id).collect();
        if found.is_empty() {
            break;
        }
        leading.extend(found);
    }
    let mut is_named = false;
    for id in reachable(task) {
        let function = &program.functions[id];
        for (_, inst) in function.placed_insts() {
            function.insts[inst].op.for_each_operand(|operand| {
                is_named |= matches!(operand, Operand::Global { global, .. } if leading.contains(global));
            });
        }
    }
    is_named
}

/// A reachable place that could violate `property`: an obligation's name or what else stands there.
pub fn threat(task: &Task<'_>, property: Property) -> Option<(String, Span)> {
    let program = task.simplified;
    let tracks_blocks = matches!(property, Property::ValidMemtrack | Property::MemCleanup);
    for id in reachable(task) {
        let function = &program.functions[id];
        if let FuncKind::Builtin(builtin) = function.kind
            && tracks_blocks
            && builtin.makes_block()
        {
            return Some((function.name.clone(), function.span));
        }
        let cfg = Cfg::new(function);
        for (_, inst) in function.placed_insts().filter(|(block, _)| cfg.is_reachable(*block)) {
            let inst = &function.insts[inst];
            if let Some(name) = threatens(program, function, inst, property) {
                return Some((name, inst.span));
            }
        }
    }
    (property == Property::Termination).then(|| ("every loop".to_owned(), Span::NONE))
}

fn threatens(program: &Program, function: &Function, inst: &Inst, property: Property) -> Option<String> {
    if is_valid_access(program, function, inst) {
        return None;
    }
    let found = inst.op.obligations().into_iter().find(|id| program.obligations[*id].judged() == Some(property))?;
    Some(program.obligation_name(found))
}

/// True for a load or store that is valid whatever happens: at a constant place inside a global or a stack object that
/// lives as long as its function.
fn is_valid_access(program: &Program, function: &Function, inst: &Inst) -> bool {
    let (ptr, ty, writes) = match &inst.op {
        Op::Load { ptr, .. } => (*ptr, inst.ty, false),
        Op::Store { ptr, value, .. } => (*ptr, function.operand_type(*value), true),
        Op::MemCopy { .. } | Op::MemSet { .. } | ops!(values) | ops!(lives) | ops!(variadic) => return false,
        Op::Call { .. } | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => return false,
    };
    let Some(ty) = ty else { return false };
    let len = program.layout.store_size(ty);
    let (size, offset) = match ptr {
        Operand::Global { global, offset } => {
            let global = &program.globals[global];
            (if writes && global.constant { None } else { global.size }, offset)
        }
        Operand::Inst(id) => match &function.insts[id].op {
            Op::Alloca { size, scoped: false, dynamic: false, .. } => {
                (size.as_int().and_then(|size| u64::try_from(size).ok()), 0)
            }
            ops!(values)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => (None, 0),
        },
        Operand::Param(_) | Operand::Int { .. } | Operand::F32(_) | Operand::F64(_) | Operand::Null => (None, 0),
        Operand::Func(_) | Operand::Undef(_) => (None, 0),
    };
    let start = u64::try_from(offset).ok();
    size.zip(start).is_some_and(|(size, start)| len <= size && start <= size - len)
}

/// Checks that every run ends: no recursion, and every reachable loop is among the counted ones.
pub fn check_termination(task: &Task<'_>, loops: &[CountedLoop]) -> Result<Vec<RankedLoop>, String> {
    if let Some((reason, _)) = find_uncovered(task).or_else(|| find_marked_unreachable(task)) {
        return Err(reason);
    }
    let program = task.simplified;
    let graph = CallGraph::new(program);
    let mut ranked = Vec::new();
    for id in graph.reachable_in_run(program, task.config.entry) {
        let function = &program.functions[id];
        if graph.is_recursive(id) {
            return Err(format!("{} is recursive", function.name));
        }
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        for (loop_id, found) in nest.iter() {
            let head = found.head().ok_or_else(|| format!("a loop of {} has several heads", function.name))?;
            let counted = loops.iter().find(|counted| counted.function == id && counted.head == head);
            let counted = counted.ok_or_else(|| format!("a loop of {} is not counted", function.name))?;
            let measure = counted::check(function, &cfg, &dominators, &nest, loop_id, counted, task.integers())?;
            ranked.push(RankedLoop { functions: vec![measure], ..RankedLoop::new(locate(program, (id, head))) });
        }
    }
    Ok(ranked)
}
