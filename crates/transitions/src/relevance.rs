//! What can matter for whether the program ends.
//!
//! A block from which neither a loop nor a call of something that loops or recurs can be reached is on no infinite run (but at its end, for
//! ever inside a callee, which counts as reaching it): such blocks are left out of the system, and what only they test does
//! not matter. Of the values, those matter that a test in one of the other blocks depends on. The rest are not variables of the
//! system; that leaves open nothing that a run's course depends on, so that transitions without them are as exact as with them.

use belay_base::IdVec;
use belay_ir::{
    BlockId, Builtin, CallGraph, Callee, Cfg, Dominators, FuncId, FuncKind, Function, InstId, LoopNest, ObligationId,
    Op, Operand, Program, Terminator, ops,
};
use rustc_hash::FxHashSet;

use super::summaries::Summaries;
use super::variables::{Source, global_of};

/// The blocks and values that matter.
#[derive(Clone, Debug)]
pub(super) struct Relevance {
    blocks: FxHashSet<(FuncId, BlockId)>,
    values: FxHashSet<Source>,
}

impl Relevance {
    /// What matters among `reachable`; `ends_run` says which obligations a run passes only if they hold.
    pub(super) fn of(
        program: &Program,
        graph: &CallGraph,
        reachable: &[FuncId],
        summaries: &Summaries,
        ends_run: impl Fn(ObligationId) -> bool,
    ) -> Self {
        let mut blocks = blocks_before_cycles(program, graph, reachable);
        for id in reachable.iter().filter(|id| summaries.contains_key(id)) {
            blocks.extend(Cfg::new(&program.functions[*id]).reverse_postorder().iter().map(|block| (*id, *block)));
        }
        let mut search =
            Search { program, graph, reachable, summaries, values: FxHashSet::default(), open: Vec::new() };
        for (id, block) in &blocks {
            search.tests(*id, *block, &ends_run);
        }
        search.close();
        Self { values: search.values, blocks }
    }

    pub(super) fn block(&self, id: FuncId, block: BlockId) -> bool {
        self.blocks.contains(&(id, block))
    }

    pub(super) fn value(&self, source: Source) -> bool {
        self.values.contains(&source)
    }
}

/// The blocks from which a cycle can be reached.
fn blocks_before_cycles(program: &Program, graph: &CallGraph, reachable: &[FuncId]) -> FxHashSet<(FuncId, BlockId)> {
    let mut cyclic: IdVec<FuncId, bool> = IdVec::filled(false, program.functions.len());
    for id in reachable {
        let cfg = Cfg::new(&program.functions[*id]);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        cyclic[*id] = graph.is_recursive(*id) || nest.iter().next().is_some();
    }
    loop {
        let calls_cyclic = |id: &FuncId| !cyclic[*id] && graph.callees(*id).iter().any(|callee| cyclic[*callee]);
        let found: Vec<FuncId> = reachable.iter().copied().filter(calls_cyclic).collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|id| cyclic[id] = true);
    }
    let mut blocks = FxHashSet::default();
    for id in reachable.iter().filter(|id| cyclic[**id]) {
        let function = &program.functions[*id];
        let cfg = Cfg::new(function);
        let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
        let mut open: Vec<BlockId> = nest.iter().flat_map(|(_, found)| found.heads.iter().copied()).collect();
        let calls = |inst: &InstId| match &function.insts[*inst].op {
            Op::Call { callee: Callee::Direct(callee), .. } => cyclic[*callee],
            Op::Call { callee: Callee::Indirect(..), .. } => graph.address_taken().iter().any(|callee| cyclic[*callee]),
            ops!(values) | ops!(memory) | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => false,
        };
        open.extend(cfg.reverse_postorder().iter().filter(|block| function.blocks[**block].insts.iter().any(calls)));
        while let Some(block) = open.pop() {
            if blocks.insert((*id, block)) {
                open.extend(cfg.predecessors(block));
            }
        }
    }
    blocks
}

struct Search<'p> {
    program: &'p Program,
    graph: &'p CallGraph,
    reachable: &'p [FuncId],
    summaries: &'p Summaries,
    values: FxHashSet<Source>,
    open: Vec<Source>,
}

impl Search<'_> {
    fn add(&mut self, id: FuncId, operand: Operand) {
        let source = match operand {
            Operand::Inst(inst) => Source::Inst(id, inst),
            Operand::Param(param) => Source::Param(id, param),
            Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => return,
        };
        self.add_source(source);
    }

    fn add_source(&mut self, source: Source) {
        if self.values.insert(source) {
            self.open.push(source);
        }
    }

    /// The values that decide where a run goes on from a block, or whether it ends there.
    fn tests(&mut self, id: FuncId, block: BlockId, ends_run: impl Fn(ObligationId) -> bool) {
        let function = &self.program.functions[id];
        let body = &function.blocks[block];
        if let Terminator::Branch { cond: tested, .. } | Terminator::Switch { value: tested, .. } = body.term {
            self.add(id, tested);
        }
        for inst in &body.insts {
            match &function.insts[*inst].op {
                Op::Check { cond, obligation } if ends_run(*obligation) => self.add(id, *cond),
                Op::Call { callee: Callee::Direct(callee), args, .. }
                    if matches!(
                        self.program.functions[*callee].kind,
                        FuncKind::Builtin(Builtin::Assume | Builtin::Assert)
                    ) =>
                {
                    args.iter().for_each(|arg| self.add(id, *arg));
                }
                // Others decide nothing by themselves: what they compute is added where a test uses it.
                ops!(values)
                | ops!(memory)
                | Op::Call { .. }
                | Op::Extract { .. }
                | Op::Check { .. }
                | Op::Unsupported { .. } => {}
            }
        }
    }

    fn close(&mut self) {
        while let Some(source) = self.open.pop() {
            match source {
                Source::Inst(id, inst) => self.operands_of(id, inst),
                Source::Param(callee, param) => self.arguments(callee, param),
                Source::Global(global) => self.stores(global),
                Source::Result(callee) => self.results(callee),
            }
        }
    }

    fn operands_of(&mut self, id: FuncId, inst: InstId) {
        let op = &self.program.functions[id].insts[inst].op;
        match op {
            Op::Load { ptr, .. } => {
                if let Some(global) = global_of(*ptr) {
                    self.add_source(Source::Global(global));
                }
            }
            Op::Call { callee: Callee::Direct(callee), args, .. } if self.summaries.contains_key(callee) => {
                self.add_source(Source::Result(*callee));
                for (param, arg) in args.iter().enumerate() {
                    self.add_source(Source::Param(*callee, param as u32));
                    self.add(id, *arg);
                }
            }
            // What another call gives back is arbitrary.
            Op::Call { .. } => {}
            op => op.for_each_operand(|operand| self.add(id, *operand)),
        }
    }

    fn arguments(&mut self, callee: FuncId, param: u32) {
        for id in self.reachable {
            let function: &Function = &self.program.functions[*id];
            for (_, inst) in function.placed_insts() {
                let Op::Call { callee: called, args, .. } = &function.insts[inst].op else { continue };
                let may_call = match called {
                    Callee::Direct(called) => *called == callee,
                    Callee::Indirect(..) => self.graph.address_taken().contains(&callee),
                };
                if let (true, Some(arg)) = (may_call, args.get(param as usize)) {
                    self.add(*id, *arg);
                }
            }
        }
    }

    fn results(&mut self, callee: FuncId) {
        for block in self.program.functions[callee].blocks.iter() {
            if let Terminator::Return(values) = &block.term
                && let [value] = values.as_slice()
            {
                self.add(callee, *value);
            }
        }
    }

    fn stores(&mut self, global: belay_ir::GlobalId) {
        for id in self.reachable {
            let function = &self.program.functions[*id];
            for (_, inst) in function.placed_insts() {
                match &function.insts[inst].op {
                    Op::Store { ptr, value, .. } if global_of(*ptr) == Some(global) => self.add(*id, *value),
                    // A global that anything but loads and stores of its own names is no variable.
                    ops!(values)
                    | ops!(memory)
                    | Op::Call { .. }
                    | Op::Extract { .. }
                    | Op::Check { .. }
                    | Op::Unsupported { .. } => {}
                }
            }
        }
    }
}
