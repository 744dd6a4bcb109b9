//! Operands as values, and numbers within their types.

use belay_ir::{InstId, IntegerModel, Operand, Type};
use belay_linear::{Constraint, LinExpr};

use belay_states::bytes::signed;

use super::condition::Truth;
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::state::{AllocId, State, Value};

impl<'m> Machine<'m> {
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
            Operand::Func(function) => Value::function(function),
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
        if self.fits(state, &exact, width)? {
            return Ok(exact);
        }
        if let Some((low, high)) = self.range(width)
            && self.prefer(state, &[exact.minus(&constant(low)), constant(high).minus(&exact)])?
        {
            return Ok(exact);
        }
        Ok(self.arbitrary(state, width))
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
