//! The symbolic step: what each instruction does to an abstract state.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::{Budget, Exhausted, IdVec, Span};
use belay_expression::Missing;
use belay_ir::{
    BlockId, Builtin, CallGraph, Cfg, FuncId, FuncKind, Function, InstId, LiveValue, Liveness, ObligationId, Op,
    Operand, Program, Property, Terminator, Type, ops,
};
use rustc_hash::FxHashMap;

use super::activation::Summary;
use super::condition::Truth;
use super::knowledge::{Entailment, constant};
use super::probe::Suspect;
use super::state::{Key, State, Value};
use super::variadic::is_area;
use belay_rules::Config;
use belay_states::bytes::signed;

/// Why execution does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The budget ended.
    Exhausted(Exhausted),
    /// There is no rule for what stands here.
    Unable(String, Span),
    /// A state that arrives at a place is not one of those that the state given for it stands for.
    Unrepresented,
    /// More paths between cut points than are followed.
    TooManyPaths,
    /// Something may have been written anywhere, and who asked does not go on then.
    WritesAnywhere,
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Halt::Exhausted(why) => why.fmt(f),
            Halt::Unable(reason, _) => f.write_str(reason),
            Halt::Unrepresented => f.write_str("a state is not represented"),
            Halt::TooManyPaths => f.write_str("too many paths"),
            Halt::WritesAnywhere => f.write_str("something may be written anywhere"),
        }
    }
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Halt::Exhausted(exhausted)
    }
}

/// What steps give.
pub type Step<T> = Result<T, Halt>;

/// A state at a cut point.
pub type Arrival = State;

/// More states at once between cut points are too many.
const MAX_ARRIVALS: usize = 400;
/// Calls nest at most so deep.
pub(super) const MAX_DEPTH: usize = 24;

/// What executions of one program need to know of it and find once: who calls whom, and which values are used again.
pub struct Prepared {
    pub(super) graph: CallGraph,
    lives: RefCell<FxHashMap<FuncId, Rc<Liveness>>>,
    uses: RefCell<FxHashMap<FuncId, Rc<IdVec<InstId, u32>>>>,
    /// What the address of every block is a multiple of.
    pub(super) block_align: u64,
}

impl Prepared {
    /// For executions of this program.
    pub fn new(program: &Program) -> Self {
        // Blocks that are made with an alignment of their own may have less than others, also once they are part of a shape.
        let are_asked = program.functions.iter().any(|it| it.kind == FuncKind::Builtin(Builtin::AlignedBlock));
        let block_align = if are_asked { 1 } else { program.layout.block_align };
        Self { graph: CallGraph::new(program), lives: RefCell::default(), uses: RefCell::default(), block_align }
    }

    /// Which values of a function of the program are used again.
    pub(super) fn liveness(&self, id: FuncId, function: &Function) -> Rc<Liveness> {
        let mut known = self.lives.borrow_mut();
        Rc::clone(known.entry(id).or_insert_with(|| Rc::new(Liveness::new(function, &Cfg::new(function)))))
    }

    /// How often the values of a function of the program are used.
    pub(super) fn uses(&self, id: FuncId, function: &Function) -> Rc<IdVec<InstId, u32>> {
        Rc::clone(self.uses.borrow_mut().entry(id).or_insert_with(|| Rc::new(count_uses(function))))
    }
}

fn count_uses(function: &Function) -> IdVec<InstId, u32> {
    let mut uses = IdVec::filled(0, function.insts.len());
    let mut count = |operand: &Operand| {
        if let Operand::Inst(inst) = operand {
            uses[*inst] += 1;
        }
    };
    function.placed_insts().for_each(|(_, inst)| function.insts[inst].op.for_each_operand(&mut count));
    function.blocks.iter().for_each(|block| block.term.for_each_operand(&mut count));
    uses
}

/// Executes a program symbolically, and notes what it could not show.
pub struct Machine<'m> {
    /// What is executed.
    pub program: &'m Program,
    /// How it starts.
    pub config: &'m Config,
    /// Who says what follows.
    pub oracle: &'m mut dyn Entailment,
    pub(super) budget: &'m Budget,
    pub(super) prepared: Rc<Prepared>,
    /// What is known of recursive functions.
    pub summaries: BTreeMap<FuncId, Rc<Summary>>,
    /// Activations that were begun or ended since this was last looked at.
    pub(super) aside: Vec<State>,
    /// Obligations that were not shown, with the place of the first doubt.
    pub doubts: BTreeMap<ObligationId, Span>,
    /// Properties without obligations of their own that were not shown: a leak.
    pub leaks: BTreeMap<Property, Span>,
    /// Where a path ends at an invalid access or free, or at code that the compiler marked unreachable: it says nothing about other properties.
    pub broken: Option<Span>,
    /// True if runs are followed beyond an invalid access or free, which then has read anything or written nothing: a proof of termination
    /// must not rest on the run's ending there.
    pub goes_on: bool,
    /// True if a recursive function was called while a heap block may have been live.
    pub blocks_at_calls: bool,
    /// True if it is taken for granted that no block has more bytes than any machine has addresses: a proof that needs it has to say so, and none of termination may rest on it.
    pub small_blocks: bool,
    /// True if a sum with a constant that may not fit its type is followed in two states, one for each side: that costs paths, and keeps what is known of differences.
    pub splits_sums: bool,
    /// True if a size was not shown to be so small.
    pub bounds_blocks: bool,
    /// True if what is missing is to be noted.
    pub explains: bool,
    /// What was missing for obligations that were not shown.
    pub missing: BTreeMap<ObligationId, Missing>,
    /// While probing: states that seem to violate something.
    pub(super) suspects: Option<Vec<Suspect>>,
}

impl<'m> Machine<'m> {
    /// Executes `program` under `config`; `oracle` says what follows.
    pub fn new(program: &'m Program, config: &'m Config, oracle: &'m mut dyn Entailment, budget: &'m Budget) -> Self {
        Self::sharing(&Rc::new(Prepared::new(program)), program, config, oracle, budget)
    }

    /// The same, with what other executions of the program have found.
    pub fn sharing(
        prepared: &Rc<Prepared>,
        program: &'m Program,
        config: &'m Config,
        oracle: &'m mut dyn Entailment,
        budget: &'m Budget,
    ) -> Self {
        Self {
            program,
            config,
            oracle,
            budget,
            prepared: Rc::clone(prepared),
            summaries: BTreeMap::new(),
            aside: Vec::new(),
            doubts: BTreeMap::new(),
            leaks: BTreeMap::new(),
            broken: None,
            goes_on: false,
            blocks_at_calls: false,
            small_blocks: false,
            splits_sums: false,
            bounds_blocks: false,
            explains: false,
            missing: BTreeMap::new(),
            suspects: None,
        }
    }

    /// Executes from `start` to the next cut points on every path.
    pub fn run(&mut self, start: State, is_cut: &dyn Fn(&Key) -> bool) -> Step<Vec<Arrival>> {
        let mut stack = vec![start];
        let mut arrivals = Vec::new();
        while let Some(state) = stack.pop() {
            for next in self.block(state)? {
                if is_cut(&next.key()) {
                    let Some(mut next) = self.without_empty(next)? else { continue };
                    self.trim(&mut next);
                    arrivals.push(next);
                } else {
                    stack.push(next);
                }
            }
            arrivals.append(&mut self.aside);
            if arrivals.len() + stack.len() > MAX_ARRIVALS {
                return Err(Halt::TooManyPaths);
            }
        }
        Ok(arrivals)
    }

    /// Executes the rest of a block; calls and returns end it too.
    pub(super) fn block(&mut self, state: State) -> Step<Vec<State>> {
        let depth = state.frames.len();
        let Some(frame) = state.frames.last() else { return Ok(Vec::new()) };
        let (function_id, block, from) = (frame.function, frame.block, frame.index);
        let function = &self.program.functions[function_id];
        let body = &function.blocks[block];
        let mut states = vec![state];
        let mut done = Vec::new();
        for (index, inst) in body.insts.iter().enumerate().skip(from) {
            let mut next = Vec::new();
            for state in states {
                for mut state in self.inst(state, function, *inst)? {
                    if state.frames.len() == depth {
                        if let Some(frame) = state.frames.last_mut() {
                            frame.index = index + 1;
                        }
                        next.push(state);
                    } else {
                        done.push(state);
                    }
                }
            }
            states = next;
            if states.len() + done.len() > MAX_ARRIVALS {
                return Err(Halt::TooManyPaths);
            }
        }
        for state in states {
            done.extend(self.leave(state, function, &body.term, body.term_span)?);
        }
        Ok(done)
    }

    fn leave(&mut self, state: State, function: &'m Function, term: &'m Terminator, span: Span) -> Step<Vec<State>> {
        self.budget.spend(1)?;
        match term {
            Terminator::Jump(target) => self.edges(vec![state], function, *target),
            Terminator::Branch { cond, then, otherwise } => {
                let mut done = Vec::new();
                for (target, want) in [(*then, true), (*otherwise, false)] {
                    let mut states = Vec::new();
                    for assumed in self.assume_operand(state.clone(), *cond, want)? {
                        states.extend(self.counted_exactly(assumed, function)?);
                    }
                    done.extend(self.edges(states, function, target)?);
                }
                Ok(done)
            }
            Terminator::Switch { value, cases, default } => self.switch(state, function, *value, cases, *default),
            Terminator::Return(values) => self.give_back(state, values, span),
            // Behind a function that is declared not to return the run ends, with what is allocated then. Elsewhere only undefined
            // behaviour leads here, of which nothing is known.
            Terminator::Unreachable { .. } => {
                if self.is_behind_end(&state, function) {
                    self.ended(&state, span)?;
                } else {
                    self.broken.get_or_insert(span);
                }
                Ok(Vec::new())
            }
        }
    }

    fn switch(
        &mut self,
        mut state: State,
        function: &'m Function,
        value: Operand,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Step<Vec<State>> {
        let width = function.operand_type(value).and_then(Type::int_width).unwrap_or(32);
        let subject = self.int(&mut state, value);
        let mut done = Vec::new();
        let mut none = Truth::Known(true);
        for (bits, target) in cases {
            let case = Truth::equal(&subject, &constant(signed(*bits, width)));
            let taken = state.clone().assuming(&case, true, true, self.oracle)?;
            done.extend(self.edges(taken, function, *target)?);
            none = none.and(case.negated(cases.len() < 4));
        }
        let rest = state.assuming(&none, true, true, self.oracle)?;
        done.extend(self.edges(rest, function, default)?);
        Ok(done)
    }

    /// Goes to `target`: all its phis at once.
    fn edges(&mut self, states: Vec<State>, function: &'m Function, target: BlockId) -> Step<Vec<State>> {
        let mut done = Vec::new();
        for mut state in states {
            let Some(from) = state.frames.last().map(|frame| frame.block) else { continue };
            let mut values = Vec::new();
            let mut phis = 0;
            for inst in &function.blocks[target].insts {
                let Op::Phi { incoming } = &function.insts[*inst].op else { break };
                phis += 1;
                let operand = incoming.iter().find(|(block, _)| *block == from).map(|(_, operand)| *operand);
                let value = match operand {
                    Some(operand) => self.value(&mut state, operand),
                    None => Value::Top,
                };
                values.push((*inst, value));
            }
            if let Some(frame) = state.frames.last_mut() {
                frame.values.extend(values);
                frame.block = target;
                frame.index = phis;
            }
            done.push(state);
        }
        Ok(done)
    }

    /// Drops the values that no frame will use.
    pub fn trim(&mut self, state: &mut State) {
        let last = state.frames.len().saturating_sub(1);
        for (depth, frame) in state.frames.iter_mut().enumerate() {
            let function = &self.program.functions[frame.function];
            let lives = self.prepared.liveness(frame.function, function);
            let mut live: BTreeSet<LiveValue> = if depth == last {
                lives.live_in(frame.block).iter().copied().collect()
            } else {
                lives.live_after(function, frame.block, frame.index).into_iter().collect()
            };
            if depth == last {
                live.extend(
                    function.blocks[frame.block].insts.iter().take(frame.index).map(|inst| LiveValue::Inst(*inst)),
                );
            }
            // Lifetime markers name their object; the call's own result is set when it returns.
            frame.values.retain(|inst, _| {
                live.contains(&LiveValue::Inst(*inst)) || matches!(function.insts[*inst].op, Op::Alloca { .. })
            });
            for (index, param) in frame.params.iter_mut().enumerate() {
                if !live.contains(&LiveValue::Param(index as u32)) && !is_area(function, index) {
                    *param = Value::Top;
                }
            }
        }
    }
}

impl Machine<'_> {
    /// True if the block that the state is in ends with a call, or with a check of anything but what the program promises to the compiler.
    fn is_behind_end(&self, state: &State, function: &Function) -> bool {
        let block = state.frames.last().map(|frame| frame.block);
        let last = block.and_then(|block| function.blocks[block].insts.last());
        last.is_some_and(|inst| match &function.insts[*inst].op {
            Op::Call { .. } => true,
            Op::Check { obligation, .. } => !self.program.obligations[*obligation].property.is_of_memory(),
            ops!(values) | ops!(memory) | Op::Extract { .. } | Op::Unsupported { .. } => false,
        })
    }
}
