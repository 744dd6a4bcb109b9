//! Integer operations and comparisons.
//!
//! Exact where the result is linear and provably fits its type, and a fresh integer with what is known of it otherwise. Integers are
//! signed numbers; unsigned operations are those of signed ones where both operands are not negative.

use belay_ir::{BinaryOp, Callee, CastOp, FuncKind, Function, InstId, IntegerModel, Op, Operand, OverflowOp, Type};
use belay_linear::{Constraint, LinExpr, Rat, Rel};

use super::compare::connected;
use super::condition::Truth;
use super::knowledge::{as_constant, constant};
use super::machine::{Halt, Machine, Step};
use super::state::{State, Value};
use super::values::{lookup, set};
use belay_states::bytes::signed;

impl<'m> Machine<'m> {
    // A table: one arm an operation.
    pub(super) fn binary(
        &mut self,
        mut state: State,
        id: InstId,
        op: BinaryOp,
        (lhs, rhs): (Operand, Operand),
        ty: Type,
    ) -> Step<Vec<State>> {
        let width = ty.int_width().unwrap_or(64);
        if width == 1 {
            let (left, right) = (self.truth(&mut state, lhs), self.truth(&mut state, rhs));
            set(&mut state, id, Value::Truth(connected(op, left, right)));
            return Ok(vec![state]);
        }
        let (left, right) = (self.value(&mut state, lhs), self.value(&mut state, rhs));
        if let Some(value) = self.address_arithmetic(&mut state, op, &left, &right)? {
            set(&mut state, id, value);
            return Ok(vec![state]);
        }
        let (a, b) = (self.int(&mut state, lhs), self.int(&mut state, rhs));
        let exact = self.exact(&state, op, (&a, &b), width)?;
        if let Some(exact) = exact
            && let Some(states) = self.wrapped(&state, id, &exact, width)?
        {
            return Ok(states);
        }
        let result = match op {
            BinaryOp::Add => self.fitted(&mut state, a.plus(&b), width)?,
            BinaryOp::Sub => self.fitted(&mut state, a.minus(&b), width)?,
            BinaryOp::Mul => match (as_constant(&a), as_constant(&b)) {
                (_, Some(factor)) => self.times(&mut state, &a, factor, width)?,
                (Some(factor), _) => self.times(&mut state, &b, factor, width)?,
                (None, None) => self.product(&mut state, &a, &b, width)?,
            },
            BinaryOp::Shl => match as_constant(&b) {
                Some(amount @ 0..=62) if amount < i128::from(width) => {
                    self.fitted(&mut state, scaled(&a, 1 << amount), width)?
                }
                Some(_) | None => self.arbitrary(&mut state, width),
            },
            BinaryOp::SDiv => self.divided(&mut state, &a, &b, width, false)?,
            BinaryOp::SRem => self.divided(&mut state, &a, &b, width, true)?,
            BinaryOp::UDiv | BinaryOp::URem => {
                // Unbounded, a number beyond the width is not what its bits are.
                if self.config.integers == IntegerModel::Machine
                    && let Some(known) = unsigned(&a, &b, width, op)
                {
                    set(&mut state, id, Value::Int(known));
                    return Ok(vec![state]);
                }
                let natural = self.at_least(&state, &a, 0)? && self.at_least(&state, &b, 0)?;
                if natural || self.prefer(&mut state, &[a.clone(), b.clone()])? {
                    self.divided(&mut state, &a, &b, width, op == BinaryOp::URem)?
                } else {
                    self.unsigned_part(&mut state, &b, width, op == BinaryOp::URem)?
                }
            }
            BinaryOp::AShr | BinaryOp::LShr => match as_constant(&b) {
                Some(amount @ 0..=61)
                    if amount < i128::from(width)
                        && (op == BinaryOp::AShr
                            || self.at_least(&state, &a, 0)?
                            || self.prefer(&mut state, std::slice::from_ref(&a))?) =>
                {
                    self.floored(&mut state, &a, 1 << amount)?
                }
                Some(amount @ 1..=61) if amount < i128::from(width) && op == BinaryOp::LShr => {
                    self.shifted_down(&mut state, &a, amount, width)?
                }
                Some(_) | None => self.arbitrary(&mut state, width),
            },
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                if let Some(known) = self.known_bits(&state, op, (lhs, rhs), width) {
                    set(&mut state, id, Value::Int(known));
                    return Ok(vec![state]);
                }
                let apart = op != BinaryOp::And && self.no_bit_in_common(&state, lhs, rhs, width);
                self.bits(&mut state, op, (&a, &b), width, apart)?
            }
        };
        set(&mut state, id, Value::Int(result));
        Ok(vec![state])
    }

    /// The state where a block ends by a branch, with what its condition tells of sums and differences with constants that were computed in the block before: `while (n-- > 0)` compares `n`
    /// when `n - 1` is known already, which fits its type only if `n` is not the least number. None if no run is left.
    ///
    /// *Sound*: an instruction of the block and its operand still have the values with which it was executed, since operands stand before it, in the block or in one that every way to the
    /// block passes, and none of them is executed again before the block ends. So the result is what the operation gives, exactly where that fits its type.
    pub(super) fn counted_exactly(&mut self, mut state: State, function: &Function) -> Step<Option<State>> {
        let Some(block) = state.frames.last().map(|frame| frame.block).filter(|_| !self.probing()) else {
            return Ok(Some(state));
        };
        for inst in &function.blocks[block].insts {
            let Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = function.insts[*inst].op else {
                continue;
            };
            let known = |state: &State, operand: Operand| match operand {
                Operand::Inst(inst) => lookup(state, inst),
                Operand::Param(index) => state.frames.last()?.params.get(index as usize).cloned(),
                Operand::Int { width, value } => Some(Value::Int(constant(signed(value, width)))),
                _ => None,
            };
            let (Some(Value::Int(result)), Some(Value::Int(a)), Some(Value::Int(b))) =
                (lookup(&state, *inst), known(&state, lhs), known(&state, rhs))
            else {
                continue;
            };
            let exact = if op == BinaryOp::Add { a.plus(&b) } else { a.minus(&b) };
            let is_open =
                matches!(result.terms(), [(var, factor)] if factor.is_one() && exact.coefficient(*var).is_zero());
            let width = function.operand_type(lhs).and_then(Type::int_width).filter(|width| *width > 1);
            let (true, true, Some(width)) =
                (is_open && result.offset().is_zero(), a.is_constant() || b.is_constant(), width)
            else {
                continue;
            };
            if self.fits(&state, &exact, width)? {
                match state.with_zero(result.minus(&exact), self.oracle)? {
                    Some(next) => state = next,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(state))
    }

    /// Sums and differences with addresses.
    fn address_arithmetic(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        left: &Value,
        right: &Value,
    ) -> Step<Option<Value>> {
        let bits = self.program.layout.pointer_bits();
        Ok(match (op, left, right) {
            (BinaryOp::Sub, Value::Address(a, x), Value::Address(b, y)) if a == b => {
                Some(Value::Int(self.fitted(state, x.minus(y), bits)?))
            }
            (BinaryOp::Add, Value::Address(a, x), Value::Int(y))
            | (BinaryOp::Add, Value::Int(y), Value::Address(a, x)) => {
                Some(Value::Address(*a, self.fitted(state, x.plus(y), bits)?))
            }
            (BinaryOp::Sub, Value::Address(a, x), Value::Int(y)) => {
                Some(Value::Address(*a, self.fitted(state, x.minus(y), bits)?))
            }
            (BinaryOp::URem, Value::Address(a, x), Value::Int(divisor)) => match as_constant(divisor) {
                Some(divisor) => self.aligned_part(state, *a, x, divisor)?.map(Value::Int),
                None => None,
            },
            (BinaryOp::And, Value::Address(a, x), Value::Int(mask))
            | (BinaryOp::And, Value::Int(mask), Value::Address(a, x)) => match as_constant(mask) {
                Some(mask @ 0..) => self.aligned_part(state, *a, x, mask + 1)?.map(Value::Int),
                Some(_) | None => None,
            },
            (_, _, _) => None,
        })
    }

    /// A pointer moved by an offset.
    pub(super) fn advance(&mut self, state: &mut State, base: Value, offset: &LinExpr) -> Step<Value> {
        let bits = self.program.layout.pointer_bits();
        Ok(match base {
            Value::Pointer(alloc, at) => Value::Pointer(alloc, self.fitted(state, at.plus(offset), bits)?),
            Value::Null | Value::Function(_) if as_constant(offset) == Some(0) => base,
            Value::Null | Value::Function(_) | Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Top => {
                Value::Top
            }
        })
    }

    pub(super) fn at_least(&mut self, state: &State, expr: &LinExpr, least: i128) -> Step<bool> {
        Ok(state.knowledge.non_negative(&expr.minus(&constant(least)), self.oracle)?)
    }

    /// Signed quotient or remainder, rounded to zero.
    fn divided(&mut self, state: &mut State, a: &LinExpr, b: &LinExpr, width: u16, rest: bool) -> Step<LinExpr> {
        let natural = self.at_least(state, a, 0)? || self.prefer(state, std::slice::from_ref(a))?;
        let negative = !natural && self.at_least(state, &a.negated(), 0)?;
        if let Some(divisor @ 2..=0x3fff_ffff_ffff_ffff) = as_constant(b) {
            if natural && let Some(quotient) = known_quotient(state, a, divisor) {
                return Ok(if rest { a.minus(&scaled(&quotient, divisor)) } else { quotient });
            }
            let quotient = state.fresh();
            let remainder = a.minus(&scaled(&quotient, divisor));
            if natural {
                note(state, remainder.clone());
                note(state, constant(divisor - 1).minus(&remainder));
            } else if negative {
                note(state, remainder.negated());
                note(state, constant(divisor - 1).plus(&remainder));
            } else {
                note(state, constant(divisor - 1).plus(&remainder));
                note(state, constant(divisor - 1).minus(&remainder));
            }
            return Ok(if rest { remainder } else { quotient });
        }
        if as_constant(b) == Some(1) {
            return Ok(if rest { constant(0) } else { a.clone() });
        }
        let result = self.arbitrary(state, width);
        if natural && self.at_least(state, b, 1)? {
            note(state, result.clone());
            note(state, a.minus(&result));
            if rest {
                note(state, b.minus(&result).plus_constant(&Rat::MINUS_ONE));
            }
        }
        Ok(result)
    }

    /// The quotient or remainder of a number that may be beyond the greatest signed one: whatever that is, a remainder is below a positive divisor, and
    /// half of any number, or less, is a signed one.
    fn unsigned_part(&mut self, state: &mut State, divisor: &LinExpr, width: u16, rest: bool) -> Step<LinExpr> {
        let result = self.arbitrary(state, width);
        let least = if rest { 1 } else { 2 };
        if self.config.integers == IntegerModel::Machine && self.at_least(state, divisor, least)? {
            note(state, result.clone());
            if rest {
                note(state, divisor.minus(&result).plus_constant(&Rat::MINUS_ONE));
            }
        }
        Ok(result)
    }

    pub(super) fn cast(
        &mut self,
        mut state: State,
        id: InstId,
        op: CastOp,
        operand: Operand,
        ty: Type,
    ) -> Step<Vec<State>> {
        let function = state.frames.last().map(|frame| &self.program.functions[frame.function]);
        let from = function.and_then(|function| function.operand_type(operand));
        let from_width = from.and_then(Type::int_width).unwrap_or(64);
        let width = ty.int_width().unwrap_or(64);
        let value = self.value(&mut state, operand);
        let value = match (op, value) {
            (CastOp::PtrToInt, Value::Pointer(alloc, offset)) if width >= self.program.layout.pointer_bits() => {
                Value::Address(alloc, offset)
            }
            (CastOp::PtrToInt, Value::Null) => Value::Int(constant(0)),
            (CastOp::IntToPtr, Value::Address(alloc, offset)) => Value::Pointer(alloc, offset),
            (CastOp::IntToPtr, Value::Int(expr)) if as_constant(&expr) == Some(0) => Value::Null,
            (CastOp::Bitcast, value) if from == Some(ty) => value,
            (CastOp::SExt, Value::Int(expr)) if from_width == 1 => Value::Int(expr.negated()),
            (CastOp::SExt, Value::Int(expr)) => Value::Int(expr),
            (CastOp::ZExt, Value::Int(expr)) if from_width == 1 => Value::Int(expr),
            (CastOp::ZExt, Value::Int(expr)) => {
                if from_width < 63 && !self.at_least(&state, &expr, 0)? && self.is_only_extended(&state, operand) {
                    let natural = state.fresh();
                    note(&mut state, natural.clone());
                    note(&mut state, constant((1i128 << from_width) - 1).minus(&natural));
                    set(&mut state, id, Value::Int(natural));
                    return Ok(vec![state]);
                }
                return self.zero_extended(state, id, (operand, &expr), (from_width, width));
            }
            (CastOp::Trunc, Value::Int(expr)) if width > 1 => Value::Int(self.truncated(&mut state, expr, width)?),
            // A truth value that memory held: 0 and 1 have just the lowest bit.
            (CastOp::Trunc, Value::Int(expr)) if self.fits(&state, &expr, 1)? => Value::Int(expr),
            (
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::FloatToSigned
                | CastOp::FloatToUnsigned
                | CastOp::SignedToFloat
                | CastOp::UnsignedToFloat
                | CastOp::FloatToFloat
                | CastOp::PtrToInt
                | CastOp::IntToPtr
                | CastOp::Bitcast,
                _,
            ) => self.anything(&mut state, ty),
        };
        set(&mut state, id, value);
        Ok(vec![state])
    }

    /// The value that fits with the same bits; arbitrary if it is not known to fit.
    fn truncated(&mut self, state: &mut State, expr: LinExpr, width: u16) -> Step<LinExpr> {
        if width > 126 {
            return Ok(self.arbitrary(state, width));
        }
        let half = 1i128 << (width - 1);
        let bounds = [expr.plus(&constant(half)), constant(half - 1).minus(&expr)];
        let fits = self.at_least(state, &bounds[0], 0)? && self.at_least(state, &bounds[1], 0)?;
        // In the upper half the bits are those of the value less the width's range.
        if !fits
            && self.at_least(state, &expr, half)?
            && self.at_least(state, &constant(2 * half - 1).minus(&expr), 0)?
        {
            return Ok(expr.minus(&constant(2 * half)));
        }
        if fits || self.prefer(state, &bounds)? {
            return Ok(expr);
        }
        let result = self.arbitrary(state, width);
        // The low bits of a natural number are no more than the number, read as signed ones as well: `int n = strlen(s)`.
        if self.config.integers == IntegerModel::Machine && self.at_least(state, &expr, 0)? {
            note(state, expr.minus(&result));
        }
        Ok(result)
    }

    /// True of an answer from outside that nothing but the instruction at hand, an extension, uses: any number will do for it, and one that is not negative needs no cases.
    ///
    /// *Sound* in any case: an extension gives a number between 0 and the greatest of the narrower type, and all those are in the state.
    fn is_only_extended(&self, state: &State, operand: Operand) -> bool {
        let (Some(frame), Operand::Inst(inst), false) =
            (state.frames.last(), operand, self.probing() || self.config.integers != IntegerModel::Machine)
        else {
            return false;
        };
        let function = &self.program.functions[frame.function];
        let Op::Call { callee: Callee::Direct(callee), .. } = &function.insts[inst].op else { return false };
        if matches!(self.program.functions[*callee].kind, FuncKind::Defined) {
            return false;
        }
        self.prepared.uses(frame.function, function)[inst] == 1
    }

    /// The operand as a natural number, and as a negative one. What is assumed of it may give its variables other names: it is read again where it is known.
    fn zero_extended(
        &mut self,
        state: State,
        id: InstId,
        (operand, expr): (Operand, &LinExpr),
        (from, width): (u16, u16),
    ) -> Step<Vec<State>> {
        let mut done = Vec::new();
        for mut natural in state.clone().assuming(&Truth::AtLeast(expr.clone()), true, true, self.oracle)? {
            let known = self.int(&mut natural, operand);
            set(&mut natural, id, Value::Int(known));
            done.push(natural);
        }
        for mut negative in state.assuming(&Truth::AtLeast(expr.clone()), false, true, self.oracle)? {
            let known = self.int(&mut negative, operand);
            let fits = from <= 126 && self.at_least(&negative, &known, -(1i128 << (from - 1)))?;
            let value = if fits { known.plus(&constant(1i128 << from)) } else { self.arbitrary(&mut negative, width) };
            set(&mut negative, id, Value::Int(value));
            done.push(negative);
        }
        Ok(done)
    }

    pub(super) fn overflows(
        &mut self,
        state: &mut State,
        function: &Function,
        op: OverflowOp,
        is_signed: bool,
        lhs: Operand,
        rhs: Operand,
    ) -> Truth {
        if is_signed && self.config.integers == IntegerModel::Unbounded {
            return Truth::Known(false);
        }
        let width = function.operand_type(lhs).and_then(Type::int_width).unwrap_or(128);
        let (a, b) = (self.int(state, lhs), self.int(state, rhs));
        let exact = match op {
            OverflowOp::Add => a.plus(&b),
            OverflowOp::Sub => a.minus(&b),
            OverflowOp::Mul => match (as_constant(&a), as_constant(&b)) {
                (Some(factor), _) => scaled(&b, factor),
                (_, Some(factor)) => scaled(&a, factor),
                (None, None) => return Truth::Unknown,
            },
        };
        let Some((low, high)) = self.range(width).filter(|_| is_signed) else { return Truth::Unknown };
        Truth::less(&constant(high), &exact).or(Truth::less(&exact, &constant(low)))
    }

    /// A size argument: itself where it is not negative, else read as unsigned or not known.
    pub(super) fn as_size(&mut self, state: &mut State, size: LinExpr) -> Result<LinExpr, Halt> {
        if self.at_least(state, &size, 0)? || self.prefer(state, std::slice::from_ref(&size))? {
            return Ok(size);
        }
        let fresh = state.fresh();
        note(state, fresh.clone());
        Ok(fresh)
    }
}

/// The variable `q` with `0 ≤ a - divisor·q < divisor`, if the state has one: the quotient of a number that is not negative, which was divided before. There is only one such integer.
fn known_quotient(state: &State, a: &LinExpr, divisor: i128) -> Option<LinExpr> {
    let each = constant(divisor).offset().recip()?;
    let is_variable =
        |expr: &LinExpr| matches!(expr.terms(), [(_, factor)] if factor.is_one()) && expr.offset().is_zero();
    let below = |quotient: &LinExpr| constant(divisor - 1).minus(&a.minus(&scaled(quotient, divisor)));
    let above = state.knowledge.constraints.iter().filter(|known| known.rel == Rel::Ge);
    let mut quotients = above.map(|known| a.minus(&known.expr).scaled(&each)).filter(is_variable);
    quotients.find(|quotient| state.knowledge.listed(&below(quotient)))
}

/// The quotient or remainder of two constants as unsigned numbers of a width.
fn unsigned(a: &LinExpr, b: &LinExpr, width: u16, op: BinaryOp) -> Option<LinExpr> {
    let range = 1i128.checked_shl(u32::from(width)).filter(|_| width <= 64)?;
    let (a, b) = (as_constant(a)?.rem_euclid(range), as_constant(b)?.rem_euclid(range));
    let result = match op {
        BinaryOp::UDiv => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    };
    Some(constant(if result >= range / 2 { result - range } else { result }))
}

/// Adds `expr ≥ 0`, which something of the states makes true.
pub(super) fn note(state: &mut State, expr: LinExpr) {
    if !expr.is_constant() {
        state.knowledge.constraints.push(Constraint::ge(expr));
    }
}

pub(super) fn scaled(expr: &LinExpr, factor: i128) -> LinExpr {
    expr.scaled(constant(factor).offset())
}
