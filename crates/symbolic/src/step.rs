//! The symbolic step: what each instruction does to an abstract state.

use belay_base::Span;
use belay_ir::{BinaryOp, Function, Inst, InstId, ObligationId, Op, Operand, Property, Type, ops};

use super::asked::AskedFor;
use super::condition::Truth;
use super::knowledge::constant;
use super::machine::{Halt, Machine, Step};
use super::probe::Suspicion;
use super::state::{AllocKind, Allocation, Life, State, Value};
use super::values::{lookup, set};

impl<'m> Machine<'m> {
    /// The states after one instruction.
    pub(super) fn inst(&mut self, state: State, function: &'m Function, id: InstId) -> Step<Vec<State>> {
        // States are copied where paths part: a step costs what the state holds.
        let values: usize = state.frames.iter().map(|frame| frame.values.len()).sum();
        self.budget.spend(1 + (state.cells.len() + state.knowledge.constraints.len() + values) as u64 / 8)?;
        let inst = &function.insts[id];
        let mut done = Vec::new();
        let states = match self.probing() {
            true => self.made_linear(state, &inst.op)?,
            false => self.looked_into(state, &inst.op)?,
        };
        for state in states {
            if looks_at_numbers(&inst.op) {
                for state in self.settled(state, &inst.op)? {
                    done.extend(self.evaluate(state, function, id, inst)?);
                }
            } else {
                done.extend(self.evaluate(state, function, id, inst)?);
            }
        }
        Ok(done)
    }

    // A table: one arm an instruction.
    pub(super) fn evaluate(
        &mut self,
        mut state: State,
        function: &'m Function,
        id: InstId,
        inst: &'m Inst,
    ) -> Step<Vec<State>> {
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
            Op::Unary { .. } | Op::FloatBinary { .. } | Op::FloatUnary { .. } | Op::FloatFma { .. } => {
                self.anything(&mut state, ty)
            }
            Op::Arbitrary { .. } => self.asked_for(&mut state, AskedFor::Arbitrary(ty), ty, inst.span),
            // Calls that return several results set none of them.
            Op::Extract { .. } => self.anything(&mut state, ty),
            Op::StackSave => Value::Top,
            Op::Alloca { size, align, scoped, dynamic } => {
                let size = self.int(&mut state, *size);
                let life = if *scoped { Life::Dead } else { Life::Live };
                let depth = state.frames.len() - 1;
                let size = self.as_size(&mut state, size)?;
                let kind = AllocKind::Stack { depth, inst: id, dynamic: *dynamic };
                let align = u64::from((*align).max(1));
                let made = state.allocate(Allocation { kind, size, life, zeroed: false, align });
                Value::Pointer(made, constant(0))
            }
            Op::LifetimeStart { object } => {
                let Some(Value::Pointer(old, _)) = lookup(&state, *object) else { return Err(forgotten(inst.span)) };
                let Some(mut allocation) = state.allocations.get(&old).cloned() else {
                    return Err(forgotten(inst.span));
                };
                self.lose_ranges_of(&mut state, old)?;
                state.forget(old);
                allocation.life = Life::Live;
                allocation.zeroed = false;
                let made = state.allocate(allocation);
                set(&mut state, *object, Value::Pointer(made, constant(0)));
                return Ok(vec![state]);
            }
            Op::LifetimeEnd { object } => {
                let Some(Value::Pointer(old, _)) = lookup(&state, *object) else { return Err(forgotten(inst.span)) };
                state.cells.retain(|cell| cell.alloc != old);
                self.lose_ranges_of(&mut state, old)?;
                if let Some(allocation) = state.allocations.get_mut(&old) {
                    allocation.life = Life::Dead;
                }
                return Ok(vec![state]);
            }
            Op::StackRestore { .. } => {
                self.end_dynamic(&mut state)?;
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
                let fixed = args.len().saturating_sub(*variadic as usize);
                if byval_args.iter().any(|(at, ..)| *at as usize >= fixed) {
                    return Err(Halt::Unable("structs passed through `...` are not followed".to_owned(), inst.span));
                }
                return self.call(state, function, id, callee, args, *obligation, inst.span);
            }
            Op::VaStart { list, obligation } => return self.va_start(state, *list, *obligation, inst.span),
            Op::VaCopy { dst, src, obligation } => return self.va_copy(state, (*dst, *src), *obligation, inst.span),
            Op::VaEnd { .. } => return Ok(vec![state]),
            Op::Check { cond, obligation } => return self.check(state, *cond, *obligation, inst.span),
            Op::Unsupported { what } => return Err(Halt::Unable(format!("unsupported: {what}"), inst.span)),
        };
        set(&mut state, id, value);
        Ok(vec![state])
    }

    /// An obligation of the arithmetic kind, or an assertion.
    pub(super) fn check(
        &mut self,
        state: State,
        cond: Operand,
        obligation: ObligationId,
        span: Span,
    ) -> Step<Vec<State>> {
        let violated = self.assume_operand(state.clone(), cond, false)?;
        if !violated.is_empty() {
            self.doubt(obligation, span);
            let mut asked = state.clone();
            let wanted = self.truth(&mut asked, cond);
            self.lacks(obligation, &asked, &[wanted])?;
        }
        violated.iter().for_each(|state| self.suspect(Suspicion::Obligation(obligation), state));
        let told = &self.program.obligations[obligation];
        let is_assertion = told.property == Property::UnreachCall && told.detail.ends_run();
        let ends_run = is_assertion || told.detail == belay_ir::ObligationDetail::DivisionByZero;
        for state in violated.iter().filter(|_| ends_run) {
            if is_assertion {
                self.ended(state, span)?;
            } else {
                self.judge_reachable(state, span)?;
            }
        }
        if ends_run { self.assume_operand(state, cond, true) } else { Ok(vec![state]) }
    }

    /// Notes that an obligation was not shown.
    pub(super) fn doubt(&mut self, obligation: ObligationId, span: Span) {
        self.doubts.entry(obligation).or_insert(span);
    }

    /// Tells apart the truth values among the operands, so that they are numbers.
    pub(super) fn settled(&mut self, state: State, op: &Op) -> Step<Vec<State>> {
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
}

/// A state that does not say which object a life is of: a pointer to it may be known by another name, and would stay valid.
fn forgotten(span: Span) -> Halt {
    Halt::Unable("a life of an object that was forgotten".to_owned(), span)
}

/// True if a truth value among the operands has to be a number first.
pub(super) fn looks_at_numbers(op: &Op) -> bool {
    match op {
        Op::Cast { .. } | Op::Store { .. } | Op::Call { .. } | Op::PtrAdd { .. } | Op::Overflows { .. } => true,
        Op::Compare { .. } => true,
        Op::Binary { op, .. } => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
        ops!(floats)
        | ops!(lives)
        | ops!(variadic)
        | Op::Unary { .. }
        | Op::Select { .. }
        | Op::Phi { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | Op::Load { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => false,
    }
}
