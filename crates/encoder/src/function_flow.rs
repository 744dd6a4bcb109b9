//! What the encoder needs to know of a function before it executes it: order, loops, liveness.

use std::rc::Rc;

use belay_base::IdVec;
use belay_ir::{
    BlockId, Cfg, Dominators, FuncId, Function, InstId, LiveValue, Liveness, Loop, LoopId, LoopNest, Op, Program, steps,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The parts of a function's control flow that execution follows.
#[derive(Debug)]
pub struct FunctionFlow {
    /// The graph.
    pub cfg: Cfg,
    /// The loops.
    pub nest: LoopNest,
    /// Which block comes before which.
    pub dominators: Dominators,
    /// Which values are still needed.
    pub liveness: Liveness,
    /// The loops around each block, outermost first.
    pub chains: IdVec<BlockId, SmallVec<[LoopId; 4]>>,
    /// The values to carry into each block: instructions only, results of calls by their `Extract`.
    pub carried: IdVec<BlockId, Vec<InstId>>,
    /// The instructions that pick a result of a call that returns several.
    pub extracts: FxHashMap<InstId, Vec<(InstId, u32)>>,
    /// True if some loop has several ways in.
    pub irreducible: bool,
    /// Values at heads that each round moves by the same number.
    steps: FxHashMap<BlockId, Rc<FxHashMap<InstId, i64>>>,
}

impl FunctionFlow {
    /// The shape of `function`.
    pub fn new(function: &Function) -> Self {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        let liveness = Liveness::new(function, &cfg);
        let extracts = extracts(function);
        let chain = |block| {
            let mut around: SmallVec<[LoopId; 4]> = nest.around(block).collect();
            around.reverse();
            around
        };
        let chains = function.blocks.ids().map(chain).collect();
        let carried = function.blocks.ids().map(|block| find_carried(function, &liveness, &extracts, block)).collect();
        let irreducible = nest.iter().any(|(_, found)| found.irreducible || found.head().is_none());
        let of_loop = |(id, found): (LoopId, &Loop)| Some((found.head()?, Rc::new(steps(function, &nest, id))));
        let steps = nest.iter().filter_map(of_loop).collect();
        Self { cfg, nest, dominators, liveness, chains, carried, extracts, irreducible, steps }
    }

    /// The values at a head that each round moves by the same number, and by how much.
    pub fn steps_at(&self, head: BlockId) -> Rc<FxHashMap<InstId, i64>> {
        self.steps.get(&head).cloned().unwrap_or_default()
    }

    /// True if each round of the loop with this head that is gone to its end executes the block once.
    pub fn is_in_each_round(&self, head: BlockId, block: BlockId) -> bool {
        let Some(id) = self.nest.headed_by(head) else { return false };
        let mut latches = self.cfg.predecessors(head).iter().filter(|latch| self.nest.contains(id, **latch));
        self.nest.innermost(block) == Some(id) && latches.all(|latch| self.dominators.dominates(block, *latch))
    }

    /// Where a block stands in the order of execution.
    pub fn position(&self, block: BlockId) -> u32 {
        self.cfg.position(block).map_or(u32::MAX, |position| position as u32)
    }
}

fn extracts(function: &Function) -> FxHashMap<InstId, Vec<(InstId, u32)>> {
    let mut found: FxHashMap<InstId, Vec<(InstId, u32)>> = FxHashMap::default();
    for (_, inst) in function.placed_insts() {
        if let Op::Extract { call, index } = function.insts[inst].op {
            found.entry(call).or_default().push((inst, index));
        }
    }
    found
}

fn find_carried(
    function: &Function,
    liveness: &Liveness,
    extracts: &FxHashMap<InstId, Vec<(InstId, u32)>>,
    block: BlockId,
) -> Vec<InstId> {
    let mut carried = Vec::new();
    for value in liveness.live_in(block) {
        match value {
            LiveValue::Param(_) => {}
            LiveValue::Inst(inst) => {
                carried.push(*inst);
                carried.extend(extracts.get(inst).into_iter().flatten().map(|(extract, _)| *extract));
            }
        }
    }
    let is_phi = |inst: &&InstId| matches!(function.insts[**inst].op, Op::Phi { .. });
    carried.extend(function.blocks[block].insts.iter().take_while(is_phi));
    carried
}

/// The shapes of the functions that were executed.
#[derive(Debug)]
pub struct FunctionFlows<'p> {
    program: &'p Program,
    known: FxHashMap<FuncId, std::rc::Rc<FunctionFlow>>,
}

impl<'p> FunctionFlows<'p> {
    /// None yet.
    pub fn new(program: &'p Program) -> Self {
        Self { program, known: FxHashMap::default() }
    }

    /// The shape of a function.
    pub fn of(&mut self, function: FuncId) -> std::rc::Rc<FunctionFlow> {
        let body = &self.program.functions[function];
        std::rc::Rc::clone(self.known.entry(function).or_insert_with(|| std::rc::Rc::new(FunctionFlow::new(body))))
    }
}
