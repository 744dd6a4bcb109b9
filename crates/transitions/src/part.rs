//! The system of one activation of a function, or of a loop.
//!
//! Whether one loop goes round for ever is a question about a run that never leaves one activation of it. So the rest of the program need not be looked at:
//!
//! - *a function*: the system begins at its entry with any arguments and any values of the globals, and has the transitions of its blocks;
//! - *a loop*: it begins at the head with any values, and has the transitions between the loop's blocks.
//!
//! Calls are only passed over, with any result and any values of the globals that the callees may change: a run that makes infinitely many rounds of an activation comes back
//! from every call that it makes there. **So a run that makes infinitely many rounds of one activation of the loop is, from the start of that activation of the
//! function, or from the first time that it passes the head, an infinite run of the system.** The cost is that of the part, whatever else the program holds. *Incomplete*: what callers, or code before the
//! loop, made of the values is not known.

use belay_base::Id;
use belay_ir::{BlockId, CallGraph, Cfg, Dominators, FuncId, Function, IntegerModel, LoopNest, Program};
use belay_its::{LocId, Transition};
use belay_passes::inline_calls;

use super::readings::Readings;
use super::relevance::Relevance;
use super::variables::Variables;
use super::{Extracted, Extractor, Openness, Summaries, ends_run};

/// Functions of a part grow to at most so many instructions by inlining.
const MAX_INLINED: usize = 800;

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The function that the loop stands in.
    Function,
    /// The loop.
    Loop,
}

/// The program with calls inlined where functions stay small, and the same loop in it; none if it is not found there. A loop's head keeps its first instruction. An activation of the loop
/// makes the same rounds, since what it calls is put in the place of the calls.
pub fn inline_around(program: &Program, id: FuncId, head: BlockId) -> Option<(Program, BlockId)> {
    let first = *program.functions.get(id)?.blocks.get(head)?.insts.first()?;
    let mut inlined = program.clone();
    if !inline_calls(&mut inlined, MAX_INLINED) {
        return None;
    }
    let function = &inlined.functions[id];
    let is_head = |block: &BlockId| function.blocks[*block].insts.first() == Some(&first);
    let head = function.blocks.ids().find(is_head)?;
    Some((inlined, head))
}

/// The system of one activation of the function `id`, or of its loop with this head. `entry` is where runs of the program begin.
pub fn extract_part(
    program: &Program,
    entry: FuncId,
    (part, id, head): (Part, FuncId, BlockId),
    integers: IntegerModel,
) -> Result<Extracted, String> {
    let graph = CallGraph::new(program);
    let reachable: Vec<FuncId> =
        graph.reachable_in_run(program, entry).into_iter().filter(|id| program.functions[*id].is_defined()).collect();
    let function = program.functions.get(id).filter(|function| function.is_defined()).ok_or("no such function")?;
    let own = [id];
    let summaries = Summaries::new();
    let relevance = Relevance::of(program, &graph, &own, &summaries, |obligation| ends_run(program, obligation));
    let readings = Readings::of(program, &graph, &own, integers);
    // A global that another function may reach by its address is no variable.
    let variables = Variables::of(program, (&reachable, &own), &relevance, &readings);
    let mut extractor = Extractor::new(program, &graph, &summaries, readings, variables, relevance)?;
    extractor.enters = false;
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let found = nest.headed_by(head).ok_or("there is no such loop")?;
    let is_inside = |block| part == Part::Function || nest.contains(found, block);
    extractor.locate(&own, is_inside);
    extractor.begin(id, if part == Part::Function { Function::ENTRY } else { head })?;
    extractor.function(id)?;
    Ok(extractor.finish().with(program.clone()))
}

impl Extractor<'_> {
    /// Runs of the part begin here, with any values.
    fn begin(&mut self, id: FuncId, block: BlockId) -> Result<(), String> {
        let to = self.location(id, block).ok_or("the part has no beginning")?;
        let update = self.variables.unchanged();
        self.its.transitions.push(Transition { from: LocId::new(0), to, guard: Vec::new(), update, extras: 0 });
        // What the program makes of the values before is left open.
        self.openness.push(Openness { exact: false, inputs: Vec::new(), undefined: Vec::new() });
        Ok(())
    }
}
