//! The symbolic step: what each instruction does to an abstract state.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted, Span};
use belay_ir::{
    BinaryOp, BlockId, CallGraph, Cfg, FuncId, Function, Inst, InstId, IntegerModel, LiveValue, Liveness, ObligationId,
    Op, Operand, Program, Property, Terminator, Type,
};
use belay_logic::simplex::{Constraint, LinExpr};
use rustc_hash::FxHashMap;

use super::condition::Truth;
use super::knowledge::{Entailment, constant};
use super::state::{AllocId, AllocKind, Allocation, Frame, Key, Life, State, Value};
use crate::interpreter::{Config, EntryPointer};

/// Why execution does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The budget ended.
    Exhausted(Exhausted),
    /// There is no rule for what stands here.
    Unable(String, Span),
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

/// Executes a program symbolically, and notes what it could not show.
pub struct Machine<'m> {
    pub(super) program: &'m Program,
    pub(super) config: &'m Config,
    pub(super) oracle: &'m mut dyn Entailment,
    pub(super) budget: &'m Budget,
    pub(super) graph: CallGraph,
    pub(super) lives: FxHashMap<FuncId, Liveness>,
    /// Obligations that were not shown, with the place of the first doubt.
    pub doubts: BTreeMap<ObligationId, Span>,
    /// Properties without obligations of their own that were not shown: a leak.
    pub leaks: BTreeMap<Property, Span>,
    /// Where a path ends at an invalid access or free: it says nothing about other properties.
    pub broken: Option<Span>,
}

impl<'m> Machine<'m> {
    /// Executes `program` under `config`; `oracle` says what follows.
    pub fn new(program: &'m Program, config: &'m Config, oracle: &'m mut dyn Entailment, budget: &'m Budget) -> Self {
        let graph = CallGraph::new(program);
        let lives = FxHashMap::default();
        Self {
            program,
            config,
            oracle,
            budget,
            graph,
            lives,
            doubts: BTreeMap::new(),
            leaks: BTreeMap::new(),
            broken: None,
        }
    }

    /// The states in which a run begins.
    pub fn start(&mut self) -> Step<State> {
        let entry = self.config.entry;
        let function = &self.program.functions[entry];
        if !self.program.constructors.is_empty() || !self.program.destructors.is_empty() {
            return Err(Halt::Unable("constructors and destructors are not followed".to_owned(), Span::NONE));
        }
        let mut state = State::default();
        self.start_globals(&mut state);
        let mut params = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let value = match (param.ty, function.name.as_str(), index) {
                (Type::Int(width), "main", 0) => {
                    let argc = self.arbitrary(&mut state, width);
                    state.knowledge.constraints.push(Constraint::ge(argc.minus(&constant(1))));
                    Value::Int(argc)
                }
                (Type::Ptr, "main", _) => Value::Top,
                (Type::Ptr, _, _) => self.entry_pointer(&mut state, index as u32)?,
                (ty, _, _) => self.anything(&mut state, ty),
            };
            if param.byval.is_some() {
                return Err(Halt::Unable("a struct as argument of the entry function".to_owned(), function.span));
            }
            params.push(value);
        }
        let frame = Frame { function: entry, block: Function::ENTRY, index: 0, params, values: BTreeMap::new() };
        state.frames.push(frame);
        Ok(state)
    }

    fn entry_pointer(&mut self, state: &mut State, index: u32) -> Step<Value> {
        let given = self.config.entry_pointers.iter().find(|(at, _)| *at == index).map(|(_, given)| *given);
        let kind = AllocKind::Argument;
        match given {
            Some(EntryPointer::Bytes(size)) => {
                let size = constant(i128::from(size));
                let id = state.allocate(Allocation { kind, size, life: Life::Live, zeroed: false });
                Ok(Value::Pointer(id, constant(0)))
            }
            Some(EntryPointer::String) => {
                let length = state.fresh();
                state.knowledge.constraints.push(Constraint::ge(length.clone()));
                if self.config.integers == IntegerModel::Machine {
                    let most = constant((1i128 << 62) - 1);
                    state.knowledge.constraints.push(Constraint::ge(most.minus(&length)));
                }
                let size = length.plus(&constant(1));
                let id = state.allocate(Allocation { kind, size, life: Life::Live, zeroed: false });
                self.note_cell(state, id, length, 1, Value::Int(constant(0)));
                Ok(Value::Pointer(id, constant(0)))
            }
            None => Err(Halt::Unable("what an entry argument points to is not given".to_owned(), Span::NONE)),
        }
    }

    /// Executes from `start` to the next cut points on every path.
    pub fn run(&mut self, start: State, is_cut: &dyn Fn(&Key) -> bool) -> Step<Vec<Arrival>> {
        let mut stack = vec![start];
        let mut arrivals = Vec::new();
        while let Some(state) = stack.pop() {
            for mut next in self.block(state)? {
                if is_cut(&next.key()) {
                    self.trim(&mut next);
                    arrivals.push(next);
                } else {
                    stack.push(next);
                }
            }
            if arrivals.len() + stack.len() > MAX_ARRIVALS {
                return Err(Halt::Unable("too many paths".to_owned(), Span::NONE));
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
                return Err(Halt::Unable("too many paths".to_owned(), Span::NONE));
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
                    let states = self.assume_operand(state.clone(), *cond, want)?;
                    done.extend(self.edges(states, function, target)?);
                }
                Ok(done)
            }
            Terminator::Switch { value, cases, default } => self.switch(state, function, *value, cases, *default),
            Terminator::Return(values) => self.give_back(state, values, span),
            Terminator::Unreachable => Ok(Vec::new()),
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
            let lives =
                self.lives.entry(frame.function).or_insert_with(|| Liveness::new(function, &Cfg::new(function)));
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
                if !live.contains(&LiveValue::Param(index as u32)) {
                    *param = Value::Top;
                }
            }
        }
    }

    /// The states after one instruction.
    fn inst(&mut self, state: State, function: &'m Function, id: InstId) -> Step<Vec<State>> {
        self.budget.spend(1 + (state.cells.len() + state.knowledge.constraints.len()) as u64 / 8)?;
        let inst = &function.insts[id];
        if looks_at_numbers(&inst.op) {
            let mut done = Vec::new();
            for state in self.settled(state, &inst.op)? {
                done.extend(self.evaluate(state, function, id, inst)?);
            }
            return Ok(done);
        }
        self.evaluate(state, function, id, inst)
    }

    fn evaluate(&mut self, mut state: State, function: &'m Function, id: InstId, inst: &'m Inst) -> Step<Vec<State>> {
        let ty = inst.ty.unwrap_or(Type::BOOL);
        let value = match &inst.op {
            Op::Binary { op, lhs, rhs } => return self.binary(state, id, *op, (*lhs, *rhs), ty),
            Op::Cast { op, value } => return self.cast(state, id, *op, *value, ty),
            Op::Select { cond, then, otherwise } => {
                let mut done = Vec::new();
                for (want, operand) in [(true, *then), (false, *otherwise)] {
                    for mut state in self.assume_operand(state.clone(), *cond, want)? {
                        let value = self.value(&mut state, operand);
                        set(&mut state, id, value);
                        done.push(state);
                    }
                }
                return Ok(done);
            }
            Op::Compare { op, lhs, rhs } => Value::Truth(self.compare(&mut state, function, *op, *lhs, *rhs)?),
            Op::Overflows { op, signed, lhs, rhs } => {
                Value::Truth(self.overflows(&mut state, function, *op, *signed, *lhs, *rhs))
            }
            Op::FloatCompare { .. } => Value::Truth(Truth::Unknown),
            Op::PtrAdd { base, offset } => {
                let (base, offset) = (self.value(&mut state, *base), self.int(&mut state, *offset));
                self.advance(&mut state, base, &offset)?
            }
            Op::Freeze { value } => match self.value(&mut state, *value) {
                Value::Top => self.anything(&mut state, ty),
                known => known,
            },
            // Their block's edge gave them their value.
            Op::Phi { .. } => return Ok(vec![state]),
            Op::Unary { .. }
            | Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatFma { .. }
            | Op::Arbitrary { .. } => self.anything(&mut state, ty),
            // Calls that return several results set none of them.
            Op::Extract { .. } => self.anything(&mut state, ty),
            Op::StackSave => Value::Top,
            Op::Alloca { size, scoped, dynamic, .. } => {
                let size = self.int(&mut state, *size);
                let life = if *scoped { Life::Dead } else { Life::Live };
                let depth = state.frames.len() - 1;
                let size = self.as_size(&mut state, size)?;
                let kind = AllocKind::Stack { depth, inst: id, dynamic: *dynamic };
                let made = state.allocate(Allocation { kind, size, life, zeroed: false });
                Value::Pointer(made, constant(0))
            }
            Op::LifetimeStart { object } => {
                let Some(Value::Pointer(old, _)) = lookup(&state, *object) else { return Ok(vec![state]) };
                let Some(mut allocation) = state.allocations.get(&old).cloned() else {
                    return Err(Halt::Unable("a life of an object that was forgotten".to_owned(), inst.span));
                };
                state.forget(old);
                allocation.life = Life::Live;
                allocation.zeroed = false;
                let made = state.allocate(allocation);
                set(&mut state, *object, Value::Pointer(made, constant(0)));
                return Ok(vec![state]);
            }
            Op::LifetimeEnd { object } => {
                if let Some(Value::Pointer(old, _)) = lookup(&state, *object) {
                    state.cells.retain(|cell| cell.alloc != old);
                    if let Some(allocation) = state.allocations.get_mut(&old) {
                        allocation.life = Life::Dead;
                    }
                }
                return Ok(vec![state]);
            }
            Op::StackRestore { .. } => {
                self.end_dynamic(&mut state);
                return Ok(vec![state]);
            }
            Op::Load { ptr, obligation, .. } => return self.load(state, id, *ptr, ty, *obligation, inst.span),
            Op::Store { ptr, value, obligation, .. } => {
                let ty = function.operand_type(*value).unwrap_or(Type::BYTE);
                return self.store(state, *ptr, *value, ty, *obligation, inst.span);
            }
            Op::MemCopy { dst, src, len, overlap, obligation } => {
                return self.copy(state, (*dst, *src, *len), *overlap, *obligation, inst.span);
            }
            Op::MemSet { dst, byte, len, obligation } => {
                return self.fill(state, (*dst, *byte, *len), *obligation, inst.span);
            }
            Op::Call { callee, args, variadic, byval_args, obligation } => {
                let plain = *variadic == 0 || byval_args.is_empty();
                if !plain {
                    return Err(Halt::Unable("structs passed through `...` are not followed".to_owned(), inst.span));
                }
                return self.call(state, function, id, callee, args, *obligation, inst.span);
            }
            Op::VaStart { .. } | Op::VaCopy { .. } | Op::VaEnd { .. } => {
                return Err(Halt::Unable("variable arguments are not followed".to_owned(), inst.span));
            }
            Op::Check { cond, obligation } => return self.check(state, *cond, *obligation, inst.span),
            Op::Unsupported { what } => return Err(Halt::Unable(format!("unsupported: {what}"), inst.span)),
        };
        set(&mut state, id, value);
        Ok(vec![state])
    }

    /// An obligation of the arithmetic kind, or an assertion.
    fn check(&mut self, state: State, cond: Operand, obligation: ObligationId, span: Span) -> Step<Vec<State>> {
        if !self.assume_operand(state.clone(), cond, false)?.is_empty() {
            self.doubt(obligation, span);
        }
        let told = &self.program.obligations[obligation];
        let ends_run =
            told.property == Property::UnreachCall || told.detail == belay_ir::ObligationDetail::DivisionByZero;
        if ends_run { self.assume_operand(state, cond, true) } else { Ok(vec![state]) }
    }

    /// Notes that an obligation was not shown.
    pub(super) fn doubt(&mut self, obligation: ObligationId, span: Span) {
        self.doubts.entry(obligation).or_insert(span);
    }

    /// The parts of the state in which a truth operand is as wanted.
    pub(super) fn assume_operand(&mut self, mut state: State, cond: Operand, want: bool) -> Step<Vec<State>> {
        let truth = self.truth(&mut state, cond);
        let states = state.assuming(&truth, want, true, self.oracle)?;
        Ok(states)
    }

    /// A truth operand.
    pub(super) fn truth(&mut self, state: &mut State, operand: Operand) -> Truth {
        match self.value(state, operand) {
            Value::Truth(truth) => truth,
            Value::Int(expr) => Truth::equal(&expr, &constant(1)),
            Value::Pointer(..) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => Truth::Unknown,
        }
    }

    /// Tells apart the truth values among the operands, so that they are numbers.
    fn settled(&mut self, state: State, op: &Op) -> Step<Vec<State>> {
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(*operand));
        let mut states = vec![state];
        for operand in operands {
            let Operand::Inst(inst) = operand else { continue };
            let mut next = Vec::new();
            for state in states {
                let Some(Value::Truth(truth)) = lookup(&state, inst) else {
                    next.push(state);
                    continue;
                };
                for want in [true, false] {
                    for mut state in state.clone().assuming(&truth, want, true, self.oracle)? {
                        set(&mut state, inst, Value::Int(constant(i128::from(want))));
                        next.push(state);
                    }
                }
            }
            states = next;
        }
        Ok(states)
    }

    /// An operand's value.
    pub(super) fn value(&mut self, state: &mut State, operand: Operand) -> Value {
        match operand {
            Operand::Inst(inst) => lookup(state, inst).unwrap_or(Value::Top),
            Operand::Param(index) => {
                let frame = state.frames.last();
                frame.and_then(|frame| frame.params.get(index as usize).cloned()).unwrap_or(Value::Top)
            }
            Operand::Int { width, value } => Value::Int(constant(signed(value, width))),
            Operand::Null => Value::Null,
            Operand::Global { global, offset } => match self.program.globals[global].size {
                Some(_) => Value::Pointer(AllocId::Global(global), constant(i128::from(offset))),
                None => Value::Top,
            },
            Operand::Func(function) => Value::Function(function),
            Operand::Undef(ty) => self.anything(state, ty),
            Operand::F32(_) | Operand::F64(_) => Value::Top,
        }
    }

    /// An operand as an integer; arbitrary within its type if it is not known.
    pub(super) fn int(&mut self, state: &mut State, operand: Operand) -> LinExpr {
        let value = self.value(state, operand);
        let function = state.frames.last().map(|frame| frame.function);
        let ty = function.and_then(|id| self.program.functions[id].operand_type(operand));
        match value {
            Value::Int(expr) => expr,
            Value::Truth(Truth::Known(known)) => constant(i128::from(known)),
            Value::Null => constant(0),
            Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Function(_) | Value::Top => {
                let width = ty.and_then(Type::int_width).unwrap_or(self.program.layout.pointer_bits());
                self.arbitrary(state, width)
            }
        }
    }

    /// An arbitrary integer of a width.
    pub(super) fn arbitrary(&mut self, state: &mut State, width: u16) -> LinExpr {
        let fresh = state.fresh();
        if let Some((low, high)) = self.range(width) {
            state.knowledge.constraints.push(Constraint::ge(fresh.minus(&constant(low))));
            state.knowledge.constraints.push(Constraint::ge(constant(high).minus(&fresh)));
        }
        fresh
    }

    /// The least and the greatest number of a width, if there are such.
    pub(super) fn range(&self, width: u16) -> Option<(i128, i128)> {
        match (width, self.config.integers) {
            (1, _) => Some((0, 1)),
            (2..=126, IntegerModel::Machine) => Some((-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)),
            (_, IntegerModel::Unbounded | IntegerModel::Machine) => None,
        }
    }

    /// An arbitrary value of a type; a pointer is invalid.
    pub(super) fn anything(&mut self, state: &mut State, ty: Type) -> Value {
        match ty {
            Type::Int(1) => Value::Truth(Truth::Unknown),
            Type::Int(width) => Value::Int(self.arbitrary(state, width)),
            Type::F32 | Type::F64 | Type::Ptr => Value::Top,
        }
    }

    /// An exact result in a type: itself where it provably fits, arbitrary otherwise.
    pub(super) fn fitted(&mut self, state: &mut State, exact: LinExpr, width: u16) -> Step<LinExpr> {
        if self.fits(state, &exact, width)? { Ok(exact) } else { Ok(self.arbitrary(state, width)) }
    }

    /// True only if `expr` is a number of this width in every state.
    pub(super) fn fits(&mut self, state: &State, expr: &LinExpr, width: u16) -> Step<bool> {
        if self.config.integers == IntegerModel::Unbounded && width != 1 {
            return Ok(true);
        }
        let Some((low, high)) = self.range(width) else { return Ok(false) };
        Ok(state.knowledge.non_negative(&expr.minus(&constant(low)), self.oracle)?
            && state.knowledge.non_negative(&constant(high).minus(expr), self.oracle)?)
    }
}

/// The value of an instruction of the innermost frame.
pub(super) fn lookup(state: &State, inst: InstId) -> Option<Value> {
    state.frames.last()?.values.get(&inst).cloned()
}

/// Sets the value of an instruction of the innermost frame.
pub(super) fn set(state: &mut State, inst: InstId, value: Value) {
    if let Some(frame) = state.frames.last_mut() {
        frame.values.insert(inst, value);
    }
}

/// The bits of a constant as a signed number; a truth value as 0 or 1.
pub(super) fn signed(bits: u128, width: u16) -> i128 {
    if width == 1 {
        return i128::from(bits != 0);
    }
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// True if a truth value among the operands has to be a number first.
fn looks_at_numbers(op: &Op) -> bool {
    match op {
        Op::Cast { .. } | Op::Store { .. } | Op::Call { .. } | Op::PtrAdd { .. } | Op::Overflows { .. } => true,
        Op::Compare { .. } => true,
        Op::Binary { op, .. } => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
        Op::Unary { .. }
        | Op::FloatBinary { .. }
        | Op::FloatUnary { .. }
        | Op::FloatFma { .. }
        | Op::FloatCompare { .. }
        | Op::Select { .. }
        | Op::Phi { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | Op::Alloca { .. }
        | Op::LifetimeStart { .. }
        | Op::LifetimeEnd { .. }
        | Op::StackSave
        | Op::StackRestore { .. }
        | Op::Load { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::Extract { .. }
        | Op::VaStart { .. }
        | Op::VaCopy { .. }
        | Op::VaEnd { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => false,
    }
}
