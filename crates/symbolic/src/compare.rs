//! Comparisons, and truth values made of others.

use belay_ir::{BinaryOp, Function, IntPredicate, Operand, Type};
use belay_linear::LinExpr;

use super::condition::Truth;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, Life, State, Value};

impl<'m> Machine<'m> {
    pub(super) fn compare(
        &mut self,
        state: &mut State,
        function: &Function,
        op: IntPredicate,
        lhs: Operand,
        rhs: Operand,
    ) -> Step<Truth> {
        let (left, right) = (self.value(state, lhs), self.value(state, rhs));
        match (&left, &right) {
            (Value::Pointer(a, x), Value::Pointer(b, y)) | (Value::Address(a, x), Value::Address(b, y)) => {
                if a == b {
                    return Ok(ordered(op, x, y));
                }
                let apart = self.inside(state, *a, x, true)? && self.inside(state, *b, y, true)?;
                return Ok(equality(op, apart && !self.may_share((*a, x), (*b, y))));
            }
            (Value::Pointer(a, x), Value::Null) | (Value::Null, Value::Pointer(a, x)) => {
                let apart = self.inside(state, *a, x, false)?;
                return Ok(equality(op, apart));
            }
            (Value::Address(a, x), Value::Int(zero)) | (Value::Int(zero), Value::Address(a, x))
                if as_constant(zero) == Some(0) =>
            {
                let apart = self.inside(state, *a, x, false)?;
                return Ok(equality(op, apart));
            }
            (Value::Function(_), Value::Null) | (Value::Null, Value::Function(_)) => return Ok(equality(op, true)),
            (Value::Null, Value::Null) => return Ok(ordered(op, &constant(0), &constant(0))),
            (Value::Function(a), Value::Function(b)) if a == b && a.len() == 1 => {
                return Ok(ordered(op, &constant(0), &constant(0)));
            }
            (_, _) => {}
        }
        let known = |value: &Value| matches!(value, Value::Int(_) | Value::Truth(Truth::Known(_)));
        if !known(&left) || !known(&right) {
            return Ok(Truth::Unknown);
        }
        let width = function.operand_type(lhs).and_then(Type::int_width).unwrap_or(64);
        let (a, b) = (self.int(state, lhs), self.int(state, rhs));
        Ok(match op {
            IntPredicate::Eq => Truth::equal(&a, &b),
            IntPredicate::Ne => Truth::equal(&a, &b).negated(width != 8),
            IntPredicate::Slt => Truth::less(&a, &b),
            IntPredicate::Sle => Truth::at_most(&a, &b),
            IntPredicate::Sgt => Truth::less(&b, &a),
            IntPredicate::Sge => Truth::at_most(&b, &a),
            IntPredicate::Ult => self.unsigned(state, &a, &b, Truth::less(&a, &b))?,
            IntPredicate::Ule => self.unsigned(state, &a, &b, Truth::at_most(&a, &b))?,
            IntPredicate::Ugt => self.unsigned(state, &b, &a, Truth::less(&b, &a))?,
            IntPredicate::Uge => self.unsigned(state, &b, &a, Truth::at_most(&b, &a))?,
        })
    }

    /// Whether the places may be one because both are in literals, which may lie over each other.
    fn may_share(&self, (a, x): (AllocId, &LinExpr), (b, y): (AllocId, &LinExpr)) -> bool {
        let (AllocId::Global(a), AllocId::Global(b)) = (a, b) else { return false };
        let (a, b) = (&self.program.globals[a], &self.program.globals[b]);
        let known = |offset: &LinExpr| as_constant(offset).and_then(|offset| i64::try_from(offset).ok());
        match (known(x), known(y)) {
            (Some(x), Some(y)) => a.may_share(x, b, y),
            (_, _) => a.literal && b.literal,
        }
    }

    /// `small` compared with `large` as unsigned: numbers of one sign as numbers, a negative one is greater.
    pub(super) fn unsigned(&mut self, state: &State, small: &LinExpr, large: &LinExpr, same: Truth) -> Step<Truth> {
        if self.at_least(state, small, 0)? && self.at_least(state, large, 0)? {
            return Ok(same);
        }
        let zero = constant(0);
        let natural = |expr: &LinExpr| Truth::at_most(&zero, expr);
        let negative = |expr: &LinExpr| Truth::less(expr, &zero);
        let both = natural(small).and(natural(large)).and(same.clone());
        let neither = negative(small).and(negative(large)).and(same);
        Ok(both.or(neither).or(natural(small).and(negative(large))))
    }

    /// True only if the place is inside its object; `strictly`: not at its end, and the object lives.
    pub(super) fn inside(&mut self, state: &State, alloc: AllocId, offset: &LinExpr, strictly: bool) -> Step<bool> {
        let Some((size, life)) = self.extent(state, alloc) else { return Ok(false) };
        let room = if strictly { 1 } else { 0 };
        Ok((!strictly || life == Life::Live)
            && self.at_least(state, offset, 0)?
            && self.at_least(state, &size.minus(offset), room)?)
    }
}

pub(super) fn connected(op: BinaryOp, left: Truth, right: Truth) -> Truth {
    match op {
        BinaryOp::And | BinaryOp::Mul => left.and(right),
        BinaryOp::Or => left.or(right),
        BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => match (left, right) {
            (Truth::Known(known), other) | (other, Truth::Known(known)) => {
                if known {
                    other.negated(true)
                } else {
                    other
                }
            }
            (left, right) => {
                let first = left.clone().and(right.negated(true));
                first.or(left.negated(true).and(right))
            }
        },
        BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr => Truth::Unknown,
    }
}

/// Places of one object compare by their offsets.
pub(super) fn ordered(op: IntPredicate, x: &LinExpr, y: &LinExpr) -> Truth {
    match op {
        IntPredicate::Eq => Truth::equal(x, y),
        IntPredicate::Ne => Truth::equal(x, y).negated(true),
        IntPredicate::Ult | IntPredicate::Slt => Truth::less(x, y),
        IntPredicate::Ule | IntPredicate::Sle => Truth::at_most(x, y),
        IntPredicate::Ugt | IntPredicate::Sgt => Truth::less(y, x),
        IntPredicate::Uge | IntPredicate::Sge => Truth::at_most(y, x),
    }
}

pub(super) fn equality(op: IntPredicate, apart: bool) -> Truth {
    match (op, apart) {
        (IntPredicate::Eq, true) => Truth::Known(false),
        (IntPredicate::Ne, true) => Truth::Known(true),
        (_, _) => Truth::Unknown,
    }
}
