//! Integer operations: the ways in which they can come out, each a path and a polynomial.

use belay_ir::{BinaryOp, CastOp, Op, Operand, Type, ops};
use belay_its::{Atom, Poly};

use super::kind::{Kind, constant, rational, signed};
use super::path::{Path, Scope};

type Cases = Vec<(Path, Poly)>;

impl Path {
    /// The values that an operation of this kind can have, with the path on which it has them.
    pub(super) fn cases(mut self, scope: &Scope<'_>, op: &Op, kind: Kind) -> Cases {
        match op {
            Op::Binary { op, lhs, rhs } => self.binary(scope, *op, *lhs, *rhs, kind),
            Op::Cast { op, value } => self.cast(scope, *op, *value, kind),
            Op::Select { cond, then, otherwise } => {
                let mut cases = Vec::new();
                for (want, value) in [(true, *then), (false, *otherwise)] {
                    for mut path in self.clone().assume(scope, *cond, want) {
                        let value = path.operand(scope, value, kind).unwrap_or_else(|| path.arbitrary(kind));
                        cases.push((path, value));
                    }
                }
                cases
            }
            Op::Freeze { value } => match self.operand(scope, *value, kind) {
                Some(value) => vec![(self, value)],
                None => self.anything(kind),
            },
            Op::Arbitrary { uninit: Some(_) } => {
                let value = self.undefined(kind);
                vec![(self, value)]
            }
            ops!(memory)
            | ops!(floats)
            | Op::Arbitrary { uninit: None }
            | Op::Unary { .. }
            | Op::Overflows { .. }
            | Op::Compare { .. }
            | Op::PtrAdd { .. }
            | Op::Phi { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => self.anything(kind),
        }
    }

    fn anything(mut self, kind: Kind) -> Cases {
        let value = self.arbitrary(kind);
        vec![(self, value)]
    }

    fn binary(mut self, scope: &Scope<'_>, op: BinaryOp, lhs: Operand, rhs: Operand, kind: Kind) -> Cases {
        if let BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr = op {
            return self.shift(scope, op, lhs, rhs, kind);
        }
        let (Some(a), Some(b)) = (self.operand(scope, lhs, kind), self.operand(scope, rhs, kind)) else {
            return self.anything(kind);
        };
        let number = |operand: Operand| operand.as_int().map(|bits| kind.number(bits));
        match op {
            BinaryOp::Add => self.wrap(a.plus(&b), kind, Wrap { over: true, under: !kind.is_unsigned() }),
            BinaryOp::Sub => self.wrap(a.minus(&b), kind, Wrap { over: !kind.is_unsigned(), under: true }),
            BinaryOp::Mul => self.product(&a, &b, number(lhs).or(number(rhs)), kind),
            // Classes of which the sign is asked are not unsigned; what follows relies on it.
            BinaryOp::SDiv | BinaryOp::SRem if kind.is_unsigned() => self.anything(kind),
            BinaryOp::SDiv if number(rhs).is_none() => self.quotient(&a, &b, kind),
            BinaryOp::SRem if number(rhs).is_none() => self.remainder(&a, &b, kind),
            BinaryOp::SDiv => self.divide(&a, number(rhs), kind, false),
            BinaryOp::SRem => self.divide(&a, number(rhs), kind, true),
            BinaryOp::UDiv if number(rhs).is_none() => self.unsigned(&a, &b, kind, Path::quotient),
            BinaryOp::URem if number(rhs).is_none() => self.unsigned(&a, &b, kind, Path::remainder),
            BinaryOp::UDiv => self.divide_unsigned(&a, number(rhs), kind, false),
            BinaryOp::URem => self.divide_unsigned(&a, number(rhs), kind, true),
            BinaryOp::And => match (number(lhs), number(rhs)) {
                (_, Some(mask)) => self.mask(&a, mask, kind),
                (Some(mask), _) => self.mask(&b, mask, kind),
                (None, None) => self.bitwise(op, &a, &b, kind),
            },
            BinaryOp::Xor if [lhs, rhs].iter().any(|side| is_all_ones(*side, kind)) && !kind.is_unbounded() => {
                let value = if is_all_ones(rhs, kind) { a } else { b };
                let ones = if kind.is_unsigned() { kind.greatest() } else { -1 };
                vec![(self, constant(ones).minus(&value))]
            }
            BinaryOp::Or | BinaryOp::Xor => self.bitwise(op, &a, &b, kind),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.anything(kind),
        }
    }

    fn shift(mut self, scope: &Scope<'_>, op: BinaryOp, lhs: Operand, rhs: Operand, kind: Kind) -> Cases {
        let amount = rhs.as_int().filter(|amount| *amount < u128::from(kind.width.min(62)));
        let (Some(a), Some(amount)) = (self.operand(scope, lhs, kind), amount) else { return self.anything(kind) };
        let factor = 1i128 << amount;
        match op {
            BinaryOp::Shl => self.product(&a, &constant(factor), None, kind),
            BinaryOp::AShr if kind.is_unsigned() => self.anything(kind),
            BinaryOp::AShr => self.floor(&a, factor, kind, false),
            BinaryOp::LShr => self.divide_unsigned(&a, Some(factor), kind, false),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.anything(kind),
        }
    }

    /// A sum or difference brought into range: it is out of it by less than the range's size, in the directions given.
    fn wrap(self, exact: Poly, kind: Kind, wrap: Wrap) -> Cases {
        if kind.is_unbounded() {
            return vec![(self, exact)];
        }
        if !kind.is_handled() {
            return self.anything(kind);
        }
        let size = constant(kind.size());
        let mut cases = vec![(self.clone().with(kind.range(&exact)), exact.clone())];
        if wrap.over {
            let above = Atom::greater(&exact, &constant(kind.greatest()));
            cases.push((self.clone().after_wrapping().with([above]), exact.minus(&size)));
        }
        if wrap.under {
            let below = Atom::greater(&constant(kind.least()), &exact);
            cases.push((self.after_wrapping().with([below]), exact.plus(&size)));
        }
        cases
    }

    /// A product brought into range. A factor may stand for any number of its class: the smaller one makes the smaller product.
    fn product(self, a: &Poly, b: &Poly, factor: Option<i128>, kind: Kind) -> Cases {
        if kind.is_unbounded() {
            return vec![(self, a.times(b))];
        }
        if !kind.is_handled() {
            return self.anything(kind);
        }
        let exact = match factor {
            Some(factor) if kind.is_unsigned() && factor > kind.greatest() / 2 => {
                let smaller = rational(factor - kind.size());
                let other = if *b == constant(factor) { a } else { b };
                other.scaled(&smaller)
            }
            Some(_) | None => a.times(b),
        };
        let above = Atom::greater(&exact, &constant(kind.greatest()));
        let below = Atom::greater(&constant(kind.least()), &exact);
        let mut cases = vec![(self.clone().with(kind.range(&exact)), exact.clone())];
        cases.push(self.clone().after_wrapping().with([above]).low_bits(&exact, kind));
        cases.push(self.after_wrapping().with([below]).low_bits(&exact, kind));
        cases
    }

    /// The value of this kind with the same low bits: what is left over is a multiple of 2^width.
    fn low_bits(mut self, exact: &Poly, kind: Kind) -> (Path, Poly) {
        let (value, rounds) = (self.extra(), self.extra());
        let whole = value.plus(&rounds.scaled(&rational(kind.size())));
        let path = self.with(kind.range(&value)).with([Atom::equal(exact, &whole)]);
        (path, value)
    }

    /// Signed division by a constant, or its remainder: rounded to zero.
    fn divide(self, a: &Poly, divisor: Option<i128>, kind: Kind, remainder: bool) -> Cases {
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0 && *divisor < (1 << 62)) else {
            return self.anything(kind);
        };
        let mut cases = Vec::new();
        for positive in [true, false] {
            let mut path = self.clone();
            let (quotient, rest) = (path.extra(), path.extra());
            let (zero, limit) = (constant(0), constant(divisor - 1));
            let whole = quotient.scaled(&rational(divisor)).plus(&rest);
            let sign = if positive {
                [Atom::at_least(a, &zero), Atom::at_least(&rest, &zero), Atom::at_least(&limit, &rest)]
            } else {
                let low = zero.minus(&limit);
                [Atom::greater(&zero, a), Atom::at_least(&zero, &rest), Atom::at_least(&rest, &low)]
            };
            let path = path.with(sign).with([Atom::equal(a, &whole)]);
            cases.push((path, if remainder { rest } else { quotient }));
        }
        cases
    }

    /// Division rounding down, or its remainder, for a positive divisor.
    fn floor(mut self, a: &Poly, divisor: i128, kind: Kind, remainder: bool) -> Cases {
        if divisor <= 0 || !kind.is_handled() {
            return self.anything(kind);
        }
        let (quotient, rest) = (self.extra(), self.extra());
        let whole = quotient.scaled(&rational(divisor)).plus(&rest);
        let in_range = [Atom::at_least(&rest, &constant(0)), Atom::at_least(&constant(divisor - 1), &rest)];
        let path = self.with(in_range).with([Atom::equal(a, &whole)]);
        vec![(path, if remainder { rest } else { quotient })]
    }

    /// Unsigned division by a constant: a negative value stands for itself plus 2^width.
    fn divide_unsigned(self, a: &Poly, divisor: Option<i128>, kind: Kind, remainder: bool) -> Cases {
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0 && *divisor < (1 << 62)) else {
            return self.anything(kind);
        };
        if kind.is_unsigned() {
            return self.floor(a, divisor, kind, remainder);
        }
        let zero = constant(0);
        let positive = self.clone().with([Atom::at_least(a, &zero)]);
        let negative = self.with([Atom::greater(&zero, a)]);
        let mut cases = positive.floor(a, divisor, kind, remainder);
        // By 1 the quotient may be out of the signed range.
        cases.extend(if divisor > 1 && kind.is_handled() && !kind.is_unbounded() {
            let whole = a.plus(&constant(kind.size()));
            negative.floor(&whole, divisor, kind, remainder)
        } else {
            negative.anything(kind)
        });
        cases
    }

    /// `a & mask`: the remainder by a power of two, what that leaves of `a`, or at most a mask that is not negative.
    fn mask(mut self, a: &Poly, mask: i128, kind: Kind) -> Cases {
        if kind.is_unbounded() || !kind.is_handled() {
            return self.anything(kind);
        }
        let is_low = |mask: i128| mask > 0 && (mask & (mask + 1)) == 0 && mask < (1 << 62);
        if is_low(mask) {
            return self.floor(a, mask + 1, kind, true);
        }
        // The bits that are cleared.
        let cleared = kind.size() - 1 - if mask < 0 { mask + kind.size() } else { mask };
        if is_low(cleared) {
            let cases = self.floor(a, cleared + 1, kind, true);
            return cases.into_iter().map(|(path, rest)| (path, a.minus(&rest))).collect();
        }
        let value = self.arbitrary(kind);
        if mask < 0 {
            return vec![(self, value)];
        }
        let mut atoms = vec![Atom::at_least(&value, &constant(0)), Atom::at_least(&constant(mask), &value)];
        if kind.is_unsigned() {
            atoms.push(Atom::at_least(a, &value));
        }
        vec![(self.with(atoms), value)]
    }

    fn cast(mut self, scope: &Scope<'_>, op: CastOp, value: Operand, kind: Kind) -> Cases {
        let from = scope.kind(value);
        let Some((from, a)) = from.and_then(|from| Some((from, self.operand(scope, value, from)?))) else {
            return self.truth_cast(scope, op, value, kind);
        };
        match op {
            CastOp::SExt if from.width == 1 => vec![(self, a.scaled(&rational(kind.number(u128::MAX))))],
            CastOp::SExt if kind.is_unsigned() && from.is_unsigned() => self.anything(kind),
            CastOp::SExt if kind.is_unsigned() => self.by_sign(&a, kind.size()),
            CastOp::SExt if from.is_unsigned() => self.anything(kind),
            CastOp::SExt => vec![(self, a)],
            CastOp::ZExt if from.width == 1 || from.is_unsigned() => vec![(self, a)],
            CastOp::ZExt if from.is_unbounded() => {
                let positive = self.clone().with([Atom::at_least(&a, &constant(0))]);
                let negative = self.with([Atom::greater(&constant(0), &a)]);
                [vec![(positive, a)], negative.anything(kind)].concat()
            }
            CastOp::ZExt if from.is_handled() => self.by_sign(&a, from.size()),
            CastOp::Trunc if kind.width > 1 && kind.is_handled() => self.truncated(&a, from, kind),
            CastOp::ZExt
            | CastOp::Trunc
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => self.anything(kind),
        }
    }

    /// `a`, plus `size` where it is negative.
    fn by_sign(self, a: &Poly, size: i128) -> Cases {
        let positive = self.clone().with([Atom::at_least(a, &constant(0))]);
        let negative = self.with([Atom::greater(&constant(0), a)]);
        vec![(positive, a.clone()), (negative, a.plus(&constant(size)))]
    }

    fn truncated(self, a: &Poly, from: Kind, kind: Kind) -> Cases {
        let (least, greatest) = (constant(kind.least()), constant(kind.greatest()));
        let inside = [Atom::at_least(a, &least), Atom::at_least(&greatest, a)];
        let mut cases = vec![(self.clone().with(inside), a.clone())];
        let above = self.clone().with([Atom::greater(a, &greatest)]);
        let below = (!from.is_unsigned()).then(|| self.with([Atom::greater(&least, a)]));
        for path in [above].into_iter().chain(below) {
            match kind.is_unbounded() {
                true => cases.extend(path.anything(kind)),
                false => cases.push(path.low_bits(a, kind)),
            }
        }
        cases
    }

    /// A truth value as a number, looked at only now.
    fn truth_cast(self, scope: &Scope<'_>, op: CastOp, value: Operand, kind: Kind) -> Cases {
        let is_truth = scope.function.operand_type(value) == Some(Type::BOOL);
        let number = match op {
            CastOp::ZExt => 1,
            CastOp::SExt => kind.number(u128::MAX),
            _ => return self.anything(kind),
        };
        if !is_truth {
            return self.anything(kind);
        }
        let mut cases = Vec::new();
        for (want, number) in [(true, number), (false, 0)] {
            let paths = self.clone().assume(scope, value, want);
            cases.extend(paths.into_iter().map(|path| (path, constant(number))));
        }
        cases
    }
}

/// In which directions a sum can leave its range.
struct Wrap {
    over: bool,
    under: bool,
}

fn is_all_ones(operand: Operand, kind: Kind) -> bool {
    operand.as_int().is_some_and(|bits| signed(bits, kind.width) == -1)
}
