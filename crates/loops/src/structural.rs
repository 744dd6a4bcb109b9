//! *structural*: properties that hold because of what is not there.
//!
//! A property of which no obligation can be reached holds. A program without recursion whose loops are all counted
//! (`evidence::CountedLoop` gives the argument) ends. The search for counters is here, by trying every phi of a head against
//! every branch out of the loop; whether what it finds is a proof is for the checker to say. Gives up where a loop has no such counter.

use belay_evidence::{CountedLoop, GaveUp, Outcome, Proof, Task, Why};
use belay_ir::{
    BlockId, CallGraph, Cfg, Dominators, FuncId, Function, InstId, Loop, LoopNest, Op, Operand, Property, Terminator,
};

/// A proof by structure, if there is one.
pub fn prove(task: &Task<'_>, property: Property) -> Outcome {
    if let Some(what) = belay_evidence::find_uncovered(task) {
        return Outcome::GaveUp(GaveUp::not_handled(what));
    }
    match property {
        Property::Termination => prove_termination(task),
        Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::MemCleanup
        | Property::NoOverflow
        | Property::Arithmetic
        | Property::UnreachCall => match belay_evidence::threat(task, property) {
            None => Outcome::proved(Proof::NoObligation),
            Some((name, span)) => Outcome::GaveUp(GaveUp::at(span, Why::NotAsked, format!("no engine decides {name}"))),
        },
    }
}

fn prove_termination(task: &Task<'_>) -> Outcome {
    if let Some(what) = belay_evidence::find_marked_unreachable(task) {
        return Outcome::GaveUp(GaveUp::not_handled(what));
    }
    let program = task.simplified;
    let graph = CallGraph::new(program);
    let mut loops = Vec::new();
    for id in graph.reachable_in_run(program, task.config.entry) {
        let function = &program.functions[id];
        if graph.is_recursive(id) {
            return Outcome::GaveUp(GaveUp::at(
                function.span,
                Why::NotAsked,
                format!("{} is recursive", function.name),
            ));
        }
        match count_loops(task, id, function) {
            Ok(found) => loops.extend(found),
            Err(gave_up) => return Outcome::GaveUp(gave_up),
        }
    }
    Outcome::proved(Proof::CountedLoops(loops))
}

fn count_loops(task: &Task<'_>, id: FuncId, function: &Function) -> Result<Vec<CountedLoop>, GaveUp> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let mut counted = Vec::new();
    for (_, found) in nest.iter() {
        let span = found.heads.first().map_or(function.span, |head| loop_span(function, *head));
        let gave_up = || GaveUp::at(span, Why::NotAsked, format!("no counter found for a loop of {}", function.name));
        let head = found.head().ok_or_else(gave_up)?;
        counted.push(counter(task, id, (&cfg, &dominators, &nest), head).ok_or_else(gave_up)?);
    }
    Ok(counted)
}

/// The counter of one loop, if there is one.
pub fn count_loop(task: &Task<'_>, id: FuncId, head: BlockId) -> Option<CountedLoop> {
    let cfg = Cfg::new(&task.simplified.functions[id]);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    counter(task, id, (&cfg, &dominators, &nest), head)
}

fn counter(
    task: &Task<'_>,
    id: FuncId,
    (cfg, dominators, nest): (&Cfg, &Dominators, &LoopNest),
    head: BlockId,
) -> Option<CountedLoop> {
    let function = &task.simplified.functions[id];
    let loop_id = nest.headed_by(head)?;
    let mut candidates = phis(function, head).flat_map(|counter| {
        tests(function, nest.get(loop_id)).map(move |test| CountedLoop { function: id, head, counter, test })
    });
    candidates.find(|candidate| {
        belay_evidence::check_counted(function, cfg, dominators, nest, loop_id, candidate, task.integers()).is_ok()
    })
}

/// Where a loop stands: the last known place of its head, which is its test.
fn loop_span(function: &Function, head: BlockId) -> belay_base::Span {
    let block = &function.blocks[head];
    let mut spans = block.insts.iter().map(|inst| function.insts[*inst].span).chain([block.term_span]);
    spans.rfind(|span| span.is_known()).unwrap_or(function.span)
}

fn phis(function: &Function, head: BlockId) -> impl Iterator<Item = InstId> + '_ {
    let insts = function.blocks[head].insts.iter().copied();
    insts.take_while(|inst| matches!(function.insts[*inst].op, Op::Phi { .. }))
}

/// The blocks of the loop that branch out of it on a comparison.
fn tests<'f>(function: &'f Function, found: &'f Loop) -> impl Iterator<Item = BlockId> + 'f {
    let leaving = found.exits.iter().map(|(from, _)| *from);
    leaving.filter(|block| {
        let Terminator::Branch { cond: Operand::Inst(cond), .. } = function.blocks[*block].term else { return false };
        matches!(function.insts[cond].op, Op::Compare { .. })
    })
}
