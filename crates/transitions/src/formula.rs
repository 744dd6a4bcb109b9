//! Truth values: the ways in which a condition can hold, each a conjunction of linear facts.

use belay_ir::{BinaryOp, InstId, IntPredicate, Op, Operand, OverflowOp, Type, ops};
use belay_its::{Atom, Poly};

use super::kind::{Kind, constant};
use super::path::{Path, Scope};

/// Conditions that nest deeper are not followed.
const MAX_DEPTH: usize = 24;

impl Path {
    /// The paths on which the truth value `cond` is `want`.
    pub(super) fn assume(self, scope: &Scope<'_>, cond: Operand, want: bool) -> Vec<Path> {
        self.assume_at(scope, cond, want, 0)
    }

    pub(super) fn assume_inst(self, scope: &Scope<'_>, inst: InstId, want: bool) -> Vec<Path> {
        self.assume_op(scope, inst, want, 0)
    }

    /// The paths on which an integer is not 0.
    pub(super) fn assume_nonzero(mut self, scope: &Scope<'_>, value: Operand) -> Vec<Path> {
        if scope.function.operand_type(value) == Some(Type::BOOL) {
            return self.assume(scope, value, true);
        }
        let found = scope.kind(value).and_then(|kind| Some((kind, self.operand(scope, value, kind)?)));
        let Some((kind, value)) = found else { return vec![self.inexact()] };
        let zero = constant(0);
        if kind.is_unsigned() {
            return vec![self.with([Atom::greater(&value, &zero)])];
        }
        vec![self.clone().with([Atom::greater(&value, &zero)]), self.with([Atom::greater(&zero, &value)])]
    }

    fn assume_at(mut self, scope: &Scope<'_>, cond: Operand, want: bool, depth: usize) -> Vec<Path> {
        match cond {
            Operand::Int { value, .. } => {
                if (value != 0) == want {
                    vec![self]
                } else {
                    Vec::new()
                }
            }
            Operand::Inst(inst)
                if !self.values.contains_key(&inst) && scope.variables.inst(scope.id, inst).is_none() =>
            {
                self.assume_op(scope, inst, want, depth)
            }
            Operand::Inst(_) | Operand::Param(_) => {
                match scope.kind(cond).and_then(|kind| self.operand(scope, cond, kind)) {
                    Some(value) => vec![self.with([Atom::equal(&value, &constant(i128::from(want)))])],
                    None => vec![self],
                }
            }
            Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => {
                vec![self]
            }
        }
    }

    fn assume_op(self, scope: &Scope<'_>, inst: InstId, want: bool, depth: usize) -> Vec<Path> {
        if depth > MAX_DEPTH {
            return vec![self.inexact()];
        }
        match scope.function.insts[inst].op.clone() {
            Op::Compare { op, lhs, rhs } => self.compare(scope, if want { op } else { op.negated() }, lhs, rhs),
            Op::Binary { op, lhs, rhs } => self.connective(scope, op, (lhs, rhs), want, depth),
            Op::Select { cond, then, otherwise } => {
                let first = self.clone().assume_at(scope, cond, true, depth + 1);
                let second = self.assume_at(scope, cond, false, depth + 1);
                let taken = first.into_iter().flat_map(|path| path.assume_at(scope, then, want, depth + 1));
                let others = second.into_iter().flat_map(|path| path.assume_at(scope, otherwise, want, depth + 1));
                taken.chain(others).collect()
            }
            Op::Overflows { op, signed, lhs, rhs } => self.overflows(scope, op, signed, (lhs, rhs), want),
            Op::Freeze { value } => self.assume_at(scope, value, want, depth + 1),
            Op::Unary { .. } | Op::Cast { .. } | Op::PtrAdd { .. } | Op::Phi { .. } | Op::Arbitrary { .. } => {
                vec![self.inexact()]
            }
            ops!(floats)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {
                vec![self.inexact()]
            }
        }
    }

    fn connective(
        self,
        scope: &Scope<'_>,
        op: BinaryOp,
        (lhs, rhs): (Operand, Operand),
        want: bool,
        depth: usize,
    ) -> Vec<Path> {
        let both = |path: Path, left: bool, right: bool| -> Vec<Path> {
            let paths = path.assume_at(scope, lhs, left, depth + 1);
            paths.into_iter().flat_map(|path| path.assume_at(scope, rhs, right, depth + 1)).collect()
        };
        let ways: &[(bool, bool)] = match (op, want) {
            (BinaryOp::And, true) => &[(true, true)],
            (BinaryOp::And, false) => &[(false, true), (false, false), (true, false)],
            (BinaryOp::Or, true) => &[(true, false), (true, true), (false, true)],
            (BinaryOp::Or, false) => &[(false, false)],
            (BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub, true) => &[(true, false), (false, true)],
            (BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub, false) => &[(true, true), (false, false)],
            (
                BinaryOp::Mul
                | BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr,
                _,
            ) => return vec![self.inexact()],
        };
        ways.iter().flat_map(|(left, right)| both(self.clone(), *left, *right)).collect()
    }

    /// Two operands that are read alike, and how.
    pub(super) fn operands(&mut self, scope: &Scope<'_>, lhs: Operand, rhs: Operand) -> Option<(Kind, Poly, Poly)> {
        let kind = scope.common_kind(lhs, rhs)?;
        Some((kind, self.operand(scope, lhs, kind)?, self.operand(scope, rhs, kind)?))
    }

    fn compare(mut self, scope: &Scope<'_>, op: IntPredicate, lhs: Operand, rhs: Operand) -> Vec<Path> {
        let Some((kind, a, b)) = self.operands(scope, lhs, rhs) else { return vec![self.inexact()] };
        let zero = constant(0);
        let less = |a: &Poly, b: &Poly| Atom::greater(b, a);
        let least = |a: &Poly, b: &Poly| Atom::at_least(b, a);
        // As unsigned, values of one sign compare as numbers, and a negative one is greater than one that is not.
        let unsigned = |path: Path, small: &Poly, large: &Poly, same: Atom| {
            if kind.is_unsigned() {
                return vec![path.with([same])];
            }
            vec![
                path.clone().with([Atom::at_least(small, &zero), Atom::at_least(large, &zero), same.clone()]),
                path.clone().with([less(small, &zero), less(large, &zero), same]),
                path.with([Atom::at_least(small, &zero), less(large, &zero)]),
            ]
        };
        match op {
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge if kind.is_unsigned() => {
                vec![self.inexact()]
            }
            IntPredicate::Eq => vec![self.with([Atom::equal(&a, &b)])],
            // Nothing is below the least.
            IntPredicate::Ne if kind.is_unsigned() && b == zero => vec![self.with([less(&b, &a)])],
            IntPredicate::Ne => vec![self.clone().with([less(&a, &b)]), self.with([less(&b, &a)])],
            IntPredicate::Slt => vec![self.with([less(&a, &b)])],
            IntPredicate::Sle => vec![self.with([least(&a, &b)])],
            IntPredicate::Sgt => vec![self.with([less(&b, &a)])],
            IntPredicate::Sge => vec![self.with([least(&b, &a)])],
            IntPredicate::Ult => unsigned(self, &a, &b, less(&a, &b)),
            IntPredicate::Ule => unsigned(self, &a, &b, least(&a, &b)),
            IntPredicate::Ugt => unsigned(self, &b, &a, less(&b, &a)),
            IntPredicate::Uge => unsigned(self, &b, &a, least(&b, &a)),
        }
    }

    fn overflows(
        mut self,
        scope: &Scope<'_>,
        op: OverflowOp,
        signed: bool,
        (lhs, rhs): (Operand, Operand),
        want: bool,
    ) -> Vec<Path> {
        if signed && scope.common_kind(lhs, rhs).is_some_and(Kind::is_unbounded) {
            return if want { Vec::new() } else { vec![self] };
        }
        let Some((kind, a, b)) = self.operands(scope, lhs, rhs) else { return vec![self.inexact()] };
        if signed == kind.is_unsigned() || kind.is_unbounded() || !kind.is_handled() {
            return vec![self.inexact()];
        }
        let exact = match op {
            OverflowOp::Add => a.plus(&b),
            OverflowOp::Sub => a.minus(&b),
            OverflowOp::Mul => a.times(&b),
        };
        if !want {
            return vec![self.with(kind.range(&exact))];
        }
        let above = Atom::greater(&exact, &constant(kind.greatest()));
        let below = Atom::greater(&constant(kind.least()), &exact);
        vec![self.clone().with([above]), self.with([below])]
    }
}
