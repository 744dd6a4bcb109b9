//! The order in which loops settle: what leaves a loop waits until nothing in that loop changes any more (Bourdoncle's weak topological order).
//!
//! The states by which a loop is left grow with it, round by round. A loop that comes after it would see a variable grow, and give up a bound that the first
//! loop has once it is settled: `n <= 32` behind `while (more()) { if (n == 32) break; n++; }`. What leaves a loop is therefore kept aside. When its source is
//! executed again, what had left from there is replaced.
//!
//! A call of a recursive function has no frames below it to tell which loops it has left: those around its source in which nothing is called that leads to that function.
//!
//! Whatever waits is kept in the end, in this order or another: the order decides how much is generalised, not what is represented.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_ir::{BlockId, CallGraph, Callee, Cfg, Dominators, FuncId, LoopId, LoopNest, Op, Program};
use belay_symbolic::{Key, Place, State};

use super::builder::Source;

/// A loop in a run: the frames below it, its function, and which of its loops.
struct RunningLoop {
    below: Key,
    function: FuncId,
    id: LoopId,
}

/// A state that has left loops.
struct Leaver {
    source: Source,
    left: Vec<RunningLoop>,
    key: Key,
    state: State,
}

/// What has left loops that may not have settled.
pub(super) struct Waiting<'p> {
    program: &'p Program,
    nests: BTreeMap<FuncId, Rc<LoopNest>>,
    calls: CallGraph,
    /// What leads to each recursive function that was called.
    leading: BTreeMap<FuncId, BTreeSet<FuncId>>,
    leavers: Vec<Leaver>,
}

impl<'p> Waiting<'p> {
    pub(super) fn new(program: &'p Program) -> Waiting<'p> {
        let calls = CallGraph::new(program);
        Waiting { program, nests: BTreeMap::new(), calls, leading: BTreeMap::new(), leavers: Vec::new() }
    }

    /// Keeps aside what arrives from a source by leaving a loop; gives back what does not.
    pub(super) fn hold(&mut self, source: &Source, state: State) -> Option<State> {
        let Some((from, _)) = source else { return Some(state) };
        let left = self.left(from, &state.key());
        self.keep_aside(source, left, state)
    }

    /// The same of what calls a recursive function.
    pub(super) fn hold_call(&mut self, source: &Source, state: State) -> Option<State> {
        let Some((from, _)) = source else { return Some(state) };
        let Some((called, ..)) = state.key().first().copied() else { return Some(state) };
        let left = self.left_for_call(from, called);
        self.keep_aside(source, left, state)
    }

    fn keep_aside(&mut self, source: &Source, left: Vec<RunningLoop>, state: State) -> Option<State> {
        if left.is_empty() {
            return Some(state);
        }
        self.leavers.push(Leaver { source: source.clone(), left, key: state.key(), state });
        None
    }

    /// Forgets what came from these sources.
    pub(super) fn forget(&mut self, is_stale: impl Fn(&Source) -> bool) {
        self.leavers.retain(|leaver| !is_stale(&leaver.source));
    }

    /// All that waits for one place, with its sources: one that is reached from loops which nothing waits to enter. To be asked when nothing is left to execute.
    pub(super) fn release(&mut self) -> Vec<(Source, State)> {
        let free = (0..self.leavers.len()).find(|leaver| self.is_free(*leaver));
        // Loops without a cut at the head of the one around them may wait for each other.
        let Some(key) = self.leavers.get(free.unwrap_or(0)).map(|leaver| leaver.key.clone()) else { return Vec::new() };
        let (released, rest) = std::mem::take(&mut self.leavers).into_iter().partition(|leaver| leaver.key == key);
        self.leavers = rest;
        let released: Vec<Leaver> = released;
        released.into_iter().map(|leaver| (leaver.source, leaver.state)).collect()
    }

    /// True if what arrives at the head of a loop from a source enters that loop.
    pub(super) fn enters(&mut self, source: &Source, key: &Key) -> bool {
        let is_head = key.last().is_some_and(|(function, head, _)| self.nest(*function).headed_by(*head).is_some());
        is_head && !source.as_ref().is_some_and(|(from, _)| self.is_within(key, from))
    }

    /// True of a place inside the loop that begins at another one, in functions that it calls as well.
    pub(super) fn is_within(&mut self, head: &Key, place: &Key) -> bool {
        let Some(((function, block, _), below)) = head.split_last() else { return false };
        let nest = self.nest(*function);
        let Some(id) = nest.headed_by(*block) else { return false };
        let at_level = place.get(below.len()).filter(|_| place[..below.len()] == *below);
        at_level.is_some_and(|(of, block, _)| of == function && nest.contains(id, *block))
    }

    /// True if nothing waits to enter a loop that was left.
    fn is_free(&mut self, leaver: usize) -> bool {
        let enters = |around: &RunningLoop, key: &Key, nest: &LoopNest| {
            let level = around.below.len();
            let place = key.get(level).filter(|place| place.0 == around.function && key[..level] == around.below);
            place.is_some_and(|(_, block, _)| nest.contains(around.id, *block))
        };
        let functions: Vec<FuncId> = self.leavers[leaver].left.iter().map(|around| around.function).collect();
        let nests: Vec<Rc<LoopNest>> = functions.into_iter().map(|function| self.nest(function)).collect();
        let left = &self.leavers[leaver].left;
        let mut others = self.leavers.iter().map(|other| &other.key);
        !others.any(|key| left.iter().zip(&nests).any(|(around, nest)| enters(around, key, nest)))
    }

    /// The loops that contain one place and not the other.
    fn left(&mut self, from: &Key, to: &Key) -> Vec<RunningLoop> {
        let mut left = Vec::new();
        for (level, (function, block, _)) in from.iter().enumerate() {
            let stays = |place: &&Place| place.0 == *function && from[..level] == to[..level];
            let there = to.get(level).filter(stays).map(|(_, block, _)| *block);
            let nest = self.nest(*function);
            let outside = |id: &LoopId| !there.is_some_and(|block: BlockId| nest.contains(*id, block));
            let loops = nest.around(*block).filter(outside);
            left.extend(loops.map(|id| RunningLoop { below: from[..level].to_vec(), function: *function, id }));
        }
        left
    }

    /// The loops that contain a place and nothing that leads to a function.
    fn left_for_call(&mut self, from: &Key, called: FuncId) -> Vec<RunningLoop> {
        let calls = &self.calls;
        let leading = self.leading.entry(called).or_insert_with(|| leading_to(calls, called)).clone();
        let mut left = Vec::new();
        for (level, (function, block, _)) in from.iter().enumerate() {
            let nest = self.nest(*function);
            let leads = |id: LoopId| nest.get(id).blocks.iter().any(|block| self.leads(*function, *block, &leading));
            let loops = nest.around(*block).filter(|id| !leads(*id));
            left.extend(loops.map(|id| RunningLoop { below: from[..level].to_vec(), function: *function, id }));
        }
        left
    }

    /// True if a block calls one of these functions, or may.
    fn leads(&self, function: FuncId, block: BlockId, to: &BTreeSet<FuncId>) -> bool {
        let body = &self.program.functions[function];
        body.blocks[block].insts.iter().any(|inst| match &body.insts[*inst].op {
            Op::Call { callee: Callee::Direct(callee), .. } => to.contains(callee),
            Op::Call { callee: Callee::Indirect(..), .. } => {
                self.calls.address_taken().iter().any(|callee| to.contains(callee))
            }
            _ => false,
        })
    }

    fn nest(&mut self, function: FuncId) -> Rc<LoopNest> {
        let program = self.program;
        let found = || {
            let cfg = Cfg::new(&program.functions[function]);
            Rc::new(LoopNest::new(&cfg, &Dominators::new(&cfg)))
        };
        Rc::clone(self.nests.entry(function).or_insert_with(found))
    }
}

/// The functions that lead to one by calls, itself included.
fn leading_to(calls: &CallGraph, called: FuncId) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::from([called]);
    let mut todo = vec![called];
    while let Some(function) = todo.pop() {
        todo.extend(calls.callers(function).into_iter().filter(|caller| found.insert(*caller)));
    }
    found
}
