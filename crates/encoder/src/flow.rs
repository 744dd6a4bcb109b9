//! Control flow: the order in which blocks are executed, and how far loops are followed.
//!
//! The pending executions of one activation stand in a map, ordered by a key: for each loop around the block the position of its
//! head in reverse postorder and the iteration, from the outside in, then the block's own position. The least is executed
//! next, and a state that arrives at a pending execution is joined with it. Because a loop's blocks are keyed by its head,
//! which comes before every block that the loop leaves to, all iterations are executed before any exit, and because forward
//! edges go up in reverse postorder, all predecessors of a block have been executed before it. So each block is executed once for each
//! combination of iterations, whatever the number of paths.
//!
//! States that wait for one execution are joined like the digits of a binary counter: each with one that was joined as often. The
//! exits of a loop that fills an array differ in few elements from their neighbours and in many from distant ones, so that `n` exits cost
//! `n log n` this way, and would cost `n²` one after the other.
//!
//! A loop goes on without counting against the bound as long as its exits are tested and constantly false, as in a
//! loop with a known number of iterations; otherwise each further iteration counts, and beyond the bound the state is dropped
//! and its guard noted as an unwinding condition. Several ways into a loop are not handled: the activation is given up.

mod copies;

use std::collections::BTreeMap;
use std::rc::Rc;

use belay_base::Span;
use belay_ir::{BlockId, FuncId, Function, InstId, LoopId, Op, Terminator};
use belay_logic::bv::TermId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Res;
use super::execution::{Execution, Position};
use super::function_flow::FunctionFlow;
use super::guard::GuardId;
use super::havoc::CutLoop;
use super::object::{ContextId, Iterations, ObjectId, Site};
use super::recursion::Root;
use super::state::State;
use super::trie::Trie;
use super::unrolling::UnwindPlace;
use super::value::Value;
use super::variadic::Extra;

/// An activation on the call stack.
#[derive(Debug)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// Which activation it is.
    pub context: ContextId,
    /// The instruction that called it.
    pub call: InstId,
    /// What it stands for, if it is the outermost activation of a function that is cut.
    pub root: Option<Rc<Root>>,
    /// When what happens in it is not asked about.
    pub early: TermId,
    /// Whether it stands in a cut loop or is a cut function's.
    pub is_inside: bool,
    /// Its arguments.
    pub args: Rc<[Value]>,
    /// Those after its parameters, with their types.
    pub variadic: Rc<[Extra]>,
    /// When it was entered.
    pub entered: GuardId,
    /// Its stack objects, of all paths.
    pub objects: Vec<ObjectId>,
    /// Those among them that a stack mark can end.
    pub dynamic: Vec<ObjectId>,
    /// Where it stands in a call, and its values there.
    pub at: (BlockId, usize),
    /// The values of its instructions at the call.
    pub registers: Trie<Value>,
}

/// A function to be executed.
pub struct Activation {
    /// The function.
    pub function: FuncId,
    /// Its arguments.
    pub args: Vec<Value>,
    /// Those after its parameters.
    pub variadic: Vec<Extra>,
    /// Where it is called, if the program calls it.
    pub call: Option<Site>,
    /// What it stands for, if it is the outermost activation of a function that is cut.
    pub root: Option<Rc<Root>>,
}

impl Activation {
    /// One without variadic arguments, of a function that is not cut.
    pub fn plain(function: FuncId, args: Vec<Value>, call: Option<Site>) -> Self {
        Self { function, args, variadic: Vec::new(), call, root: None }
    }
}

/// What an activation gives back.
pub struct Returned {
    /// The state after it.
    pub state: State,
    /// Its results.
    pub results: Vec<Value>,
}

type Key = SmallVec<[u32; 9]>;

struct Pending {
    state: State,
    block: BlockId,
    iterations: Iterations,
}

/// States that arrived for one execution, each with how often it was joined: fewer times than those before it.
struct Waiting {
    states: Vec<(u32, State)>,
    block: BlockId,
    iterations: Iterations,
}

/// How an iteration of a loop ended.
#[derive(Clone, Copy, Default)]
struct Iteration {
    /// Some exit may have been taken.
    left: bool,
    /// Some exit was tested and certainly not taken.
    stayed: bool,
}

/// The executions of one activation that are still to be done.
struct Agenda {
    shape: Rc<FunctionFlow>,
    pending: BTreeMap<Key, Waiting>,
    iterations: FxHashMap<(LoopId, Iterations), Iteration>,
    counted: FxHashMap<(LoopId, Iterations), u32>,
    cuts: FxHashMap<(LoopId, Iterations), CutLoop>,
    /// The states that heads had, and how many questions had been asked by then.
    heads: FxHashMap<(LoopId, Iterations), Vec<(State, usize)>>,
}

impl Agenda {
    fn key(&self, block: BlockId, iterations: &Iterations) -> Key {
        let mut key = Key::new();
        for (id, iteration) in self.shape.chains[block].iter().zip(iterations) {
            let head = self.shape.nest.get(*id).heads[0];
            key.extend([self.shape.position(head), *iteration]);
        }
        key.push(self.shape.position(block));
        key
    }

    /// The iterations in which an edge arrives.
    fn arriving(&self, from: BlockId, iterations: &Iterations, to: BlockId) -> Iterations {
        let (source, target) = (&self.shape.chains[from], &self.shape.chains[to]);
        let goes_back = self.shape.nest.headed_by(to);
        let mut arriving = Iterations::new();
        for (depth, id) in target.iter().enumerate() {
            let inside = source.get(depth) == Some(id);
            arriving.push(match inside {
                true if goes_back == Some(*id) => iterations[depth] + 1,
                true => iterations[depth],
                false => 0,
            });
        }
        arriving
    }

    /// Notes for the loops that an edge leaves whether it may be taken.
    fn note_edge(&mut self, from: BlockId, iterations: &Iterations, to: BlockId, possible: bool) {
        let shape = Rc::clone(&self.shape);
        for (depth, id) in shape.chains[from].iter().enumerate() {
            if shape.chains[to].get(depth) == Some(id) {
                continue;
            }
            let entry = self.iterations.entry((*id, iterations[..=depth].into())).or_default();
            entry.left |= possible;
            entry.stayed |= !possible;
        }
    }
}

impl Execution<'_, '_> {
    /// Executes a function from a state; `None` if it never returns.
    pub(crate) fn run_function(&mut self, activation: Activation, state: State) -> Res<Option<Returned>> {
        let Activation { function, args, variadic, call, root } = activation;
        let shape = self.store.flows.of(function);
        let mut state = state;
        if shape.irreducible {
            self.leave(
                &mut state,
                format!("{} has a loop with several ways in", self.store.program.functions[function].name),
            );
            return Ok(None);
        }
        let context = self.store.names.context(call, function);
        self.frames.push(Frame {
            function,
            context,
            call: call.map_or(InstId(u32::MAX), |site| site.inst),
            is_inside: self.is_inside || root.is_some(),
            root,
            early: self.early,
            args: args.into(),
            variadic: variadic.into(),
            entered: state.guard,
            objects: Vec::new(),
            dynamic: Vec::new(),
            at: (Function::ENTRY, 0),
            registers: Trie::default(),
        });
        let (early, is_inside) = (self.early, self.is_inside);
        let result = self.run_blocks(function, shape, state);
        (self.early, self.is_inside) = (early, is_inside);
        self.frames.pop();
        result
    }

    fn run_blocks(&mut self, function: FuncId, shape: Rc<FunctionFlow>, state: State) -> Res<Option<Returned>> {
        let pending = BTreeMap::new();
        let mut agenda = Agenda {
            shape,
            pending,
            iterations: FxHashMap::default(),
            counted: FxHashMap::default(),
            cuts: FxHashMap::default(),
            heads: FxHashMap::default(),
        };
        let entry = State { registers: Trie::default(), ..state };
        let first = Waiting { states: vec![(0, entry)], block: Function::ENTRY, iterations: Iterations::new() };
        agenda.pending.insert(agenda.key(first.block, &first.iterations), first);
        let mut returned: Option<Returned> = None;
        while let Some((_, Waiting { mut states, block, iterations })) = agenda.pending.pop_first() {
            let Some((_, mut state)) = states.pop() else { continue };
            while let Some((_, earlier)) = states.pop() {
                state = self.join_states(earlier, state, &agenda.shape.carried[block]);
            }
            let mut next = Pending { state, block, iterations };
            if self.enters(function, &mut agenda, &mut next) {
                self.run_block(function, &mut agenda, next, &mut returned)?;
            }
        }
        Ok(returned)
    }

    /// Whether the bound allows this execution; if not, its guard is noted.
    fn may_enter(&mut self, function: FuncId, agenda: &mut Agenda, next: &Pending) -> bool {
        let Some(id) = agenda.shape.nest.headed_by(next.block) else { return true };
        let Some((iteration, outer)) = next.iterations.split_last() else { return true };
        let Some(before) = iteration.checked_sub(1) else { return true };
        let mut last: Iterations = outer.into();
        last.push(before);
        let how = agenda.iterations.get(&(id, last)).copied().unwrap_or_default();
        let place = UnwindPlace::Loop(function, id);
        let allowed = if how.stayed && !how.left {
            before < self.bounds.certain
        } else {
            let count = agenda.counted.entry((id, outer.into())).or_insert(0);
            *count += 1;
            *count <= self.bounds.at(place)
        };
        if !allowed {
            let condition = self.guards.term(next.state.guard);
            let span = loop_span(&self.store.program.functions[function], next.block);
            self.out.note_unwound(place, condition, span);
        }
        allowed
    }

    fn run_block(
        &mut self,
        function: FuncId,
        agenda: &mut Agenda,
        next: Pending,
        returned: &mut Option<Returned>,
    ) -> Res<()> {
        let Pending { mut state, block, iterations } = next;
        let body = &self.store.program.functions[function];
        let context = self.frames.last().map_or(ContextId(0), |frame| frame.context);
        let instance = self.store.names.instance(context, block, &iterations);
        let insts = &body.blocks[block].insts;
        self.early = self.early_in(agenda, block, &iterations, None);
        self.is_inside = self.is_in_cut(agenda, block, &iterations);
        self.spend(1 + insts.len() as u64)?;
        for (index, inst) in insts.iter().enumerate() {
            self.at = Position::new(Site { instance, inst: *inst }, body.insts[*inst].span);
            self.here = self.guards.term(state.guard);
            self.execute(&mut state, body, (block, index), *inst)?;
            if self.is_dead(&state) {
                return Ok(());
            }
        }
        self.at = Position::new(Site { instance, inst: InstId(u32::MAX) }, body.blocks[block].term_span);
        self.here = self.guards.term(state.guard);
        match &body.blocks[block].term {
            Terminator::Return(values) => self.return_from(&mut state, values, returned),
            Terminator::Unreachable { .. } => {
                self.leave(&mut state, "control reaches code that the compiler marked unreachable");
            }
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let edges = self.edges(&state, &body.blocks[block].term);
                self.follow_edges(function, agenda, state, (block, &iterations), edges);
            }
        }
        Ok(())
    }

    fn return_from(&mut self, state: &mut State, values: &[belay_ir::Operand], returned: &mut Option<Returned>) {
        let results: Vec<Value> = values.iter().map(|value| self.operand(state, *value)).collect();
        let objects = self.frames.last().map(|frame| frame.objects.clone()).unwrap_or_default();
        for object in objects {
            state.memory.remove(object.0);
        }
        let state = State { guard: state.guard, registers: Trie::default(), memory: state.memory.clone() };
        *returned = Some(match returned.take() {
            None => Returned { state, results },
            Some(earlier) => self.join_returns(earlier, Returned { state, results }),
        });
    }

    fn join_returns(&mut self, a: Returned, b: Returned) -> Returned {
        let joined = self.guards.join(&mut self.store.terms, a.state.guard, b.state.guard);
        let pairs = a.results.iter().zip(&b.results);
        let results = pairs.map(|(x, y)| self.select(joined.first, *x, *y)).collect();
        Returned { state: self.join_states(a.state, b.state, &[]), results }
    }

    /// Where control goes, each block once, with the condition.
    fn edges(&mut self, state: &State, terminator: &Terminator) -> Vec<(BlockId, TermId)> {
        match terminator {
            Terminator::Jump(target) => vec![(*target, self.store.terms.boolean(true))],
            Terminator::Branch { then, otherwise, .. } if then == otherwise => {
                vec![(*then, self.store.terms.boolean(true))]
            }
            Terminator::Branch { cond, then, otherwise } => {
                let value = self.operand(state, *cond);
                let holds = self.truth(value);
                let fails = self.store.terms.not(holds);
                vec![(*then, holds), (*otherwise, fails)]
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(state, *value);
                let number = self.number_of(value);
                self.uses(number);
                let mut edges: Vec<(BlockId, TermId)> = Vec::new();
                let mut any = self.store.terms.boolean(false);
                for (case, target) in cases {
                    let constant = self.store.terms.number(self.store.terms.width(number), *case);
                    let taken = self.store.terms.eq(number, constant);
                    any = self.store.terms.or(any, taken);
                    add_edge(&mut self.store.terms, &mut edges, *target, taken);
                }
                let none = self.store.terms.not(any);
                add_edge(&mut self.store.terms, &mut edges, *default, none);
                edges
            }
            Terminator::Return(_) | Terminator::Unreachable { .. } => Vec::new(),
        }
    }

    fn follow_edges(
        &mut self,
        function: FuncId,
        agenda: &mut Agenda,
        state: State,
        (block, iterations): (BlockId, &Iterations),
        edges: Vec<(BlockId, TermId)>,
    ) {
        for (target, condition) in edges {
            let condition = self.leaving(agenda, (block, iterations), target, condition);
            let guard = self.guards.and(&mut self.store.terms, state.guard, condition);
            let possible = !self.store.terms.is_false(self.guards.term(guard));
            agenda.note_edge(block, iterations, target, possible);
            if !possible {
                continue;
            }
            self.here = self.guards.term(guard);
            let mut arriving = State { guard, registers: state.registers.clone(), memory: state.memory.clone() };
            self.set_phis(function, &state, &mut arriving, block, target);
            let there = agenda.arriving(block, iterations, target);
            let key = agenda.key(target, &there);
            let waiting = Waiting { states: Vec::new(), block: target, iterations: there };
            let mut waiting = agenda.pending.remove(&key).unwrap_or(waiting);
            let (mut times, mut joined) = (0, arriving);
            while let Some((_, earlier)) = waiting.states.pop_if(|(joined_before, _)| *joined_before == times) {
                joined = self.join_states(earlier, joined, &agenda.shape.carried[target]);
                times += 1;
            }
            waiting.states.push((times, joined));
            agenda.pending.insert(key, waiting);
        }
    }

    /// The phis of the target, all at once.
    fn set_phis(&mut self, function: FuncId, before: &State, after: &mut State, from: BlockId, target: BlockId) {
        let body = &self.store.program.functions[function];
        for inst in &body.blocks[target].insts {
            let Op::Phi { incoming } = &body.insts[*inst].op else { break };
            if let Some((_, value)) = incoming.iter().find(|(block, _)| *block == from) {
                let value = self.operand(before, *value);
                after.registers.set(inst.0, value);
            }
        }
    }
}

fn add_edge(terms: &mut belay_logic::bv::TermStore, edges: &mut Vec<(BlockId, TermId)>, to: BlockId, taken: TermId) {
    match edges.iter_mut().find(|(target, _)| *target == to) {
        Some((_, condition)) => *condition = terms.or(*condition, taken),
        None => edges.push((to, taken)),
    }
}

/// A line to name a loop by.
fn loop_span(function: &Function, head: BlockId) -> Span {
    let block = &function.blocks[head];
    let spans = block.insts.iter().map(|inst| function.insts[*inst].span).chain([block.term_span]);
    spans.into_iter().find(|span| span.is_known()).unwrap_or(block.term_span)
}
