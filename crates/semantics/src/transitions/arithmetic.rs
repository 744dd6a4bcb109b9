//! Integer operations: the ways in which they can come out, each a path and a polynomial.

use belay_ir::{BinaryOp, CastOp, IntegerModel, Op, Operand, Type};
use belay_its::{Atom, Poly};

use super::path::{Path, Scope, greatest, least, range, rational};

type Cases = Vec<(Path, Poly)>;

impl Path {
    /// The values that an operation of this width can have, with the path on which it has them.
    pub(super) fn cases(mut self, scope: &Scope<'_>, op: &Op, width: u16) -> Cases {
        match op {
            Op::Binary { op, lhs, rhs } => match (self.operand(scope, *lhs), self.operand(scope, *rhs)) {
                (Some(a), Some(b)) => self.binary(scope, *op, (a, *lhs), (b, *rhs), width),
                (_, _) => self.anything(scope, width),
            },
            Op::Cast { op, value } => self.cast(scope, *op, *value, width),
            Op::Select { cond, then, otherwise } => {
                let mut cases = Vec::new();
                for (want, value) in [(true, *then), (false, *otherwise)] {
                    for mut path in self.clone().assume(scope, *cond, want) {
                        let value = path.operand(scope, value).unwrap_or_else(|| path.arbitrary(width, scope.integers));
                        cases.push((path, value));
                    }
                }
                cases
            }
            Op::Freeze { value } => match self.operand(scope, *value) {
                Some(value) => vec![(self, value)],
                None => self.anything(scope, width),
            },
            Op::Arbitrary { .. }
            | Op::Unary { .. }
            | Op::Overflows { .. }
            | Op::Compare { .. }
            | Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatFma { .. }
            | Op::FloatCompare { .. }
            | Op::PtrAdd { .. }
            | Op::Phi { .. }
            | Op::Alloca { .. }
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => self.anything(scope, width),
        }
    }

    fn anything(mut self, scope: &Scope<'_>, width: u16) -> Cases {
        let value = self.arbitrary(width, scope.integers);
        vec![(self, value)]
    }

    fn binary(
        self,
        scope: &Scope<'_>,
        op: BinaryOp,
        (a, lhs): (Poly, Operand),
        (b, rhs): (Poly, Operand),
        width: u16,
    ) -> Cases {
        let constant = |operand: Operand| operand.as_int().map(|bits| super::path::signed(bits, width));
        match op {
            BinaryOp::Add => self.wrapped(scope, a.plus(&b), width, true),
            BinaryOp::Sub => self.wrapped(scope, a.minus(&b), width, true),
            BinaryOp::Mul => self.wrapped(scope, a.times(&b), width, false),
            BinaryOp::Shl => match constant(rhs) {
                Some(amount @ 0..=62) if amount < i128::from(width) => {
                    self.wrapped(scope, a.scaled(&rational(1 << amount)), width, false)
                }
                Some(_) | None => self.anything(scope, width),
            },
            BinaryOp::SDiv if constant(rhs).is_none() => self.quotient(scope, &a, &b, width),
            BinaryOp::SRem if constant(rhs).is_none() => self.remainder(scope, &a, &b, width),
            BinaryOp::SDiv => self.divided(scope, a, constant(rhs), width, false),
            BinaryOp::SRem => self.divided(scope, a, constant(rhs), width, true),
            BinaryOp::UDiv if constant(rhs).is_none() => self.unsigned(scope, &a, &b, width, Path::quotient),
            BinaryOp::URem if constant(rhs).is_none() => self.unsigned(scope, &a, &b, width, Path::remainder),
            BinaryOp::UDiv => self.unsigned_divided(scope, a, constant(rhs), width, false),
            BinaryOp::URem => self.unsigned_divided(scope, a, constant(rhs), width, true),
            BinaryOp::AShr => match constant(rhs) {
                Some(amount @ 0..=62) if amount < i128::from(width) => {
                    self.floored(scope, a, 1 << amount, width, false)
                }
                Some(_) | None => self.anything(scope, width),
            },
            BinaryOp::LShr => match constant(rhs) {
                Some(amount @ 0..=61) if amount < i128::from(width) => {
                    self.unsigned_divided(scope, a, Some(1 << amount), width, false)
                }
                Some(_) | None => self.anything(scope, width),
            },
            BinaryOp::And => match (constant(lhs), constant(rhs)) {
                (_, Some(mask)) => self.masked(scope, a, mask, width),
                (Some(mask), _) => self.masked(scope, b, mask, width),
                (None, None) => self.bitwise(scope, op, &a, &b, width),
            },
            BinaryOp::Or | BinaryOp::Xor => self.bitwise(scope, op, &a, &b, width),
        }
    }

    /// An exact result brought into range. `once`: it is out of range by less than the range's size.
    fn wrapped(self, scope: &Scope<'_>, exact: Poly, width: u16, once: bool) -> Cases {
        if scope.integers == IntegerModel::Unbounded {
            return vec![(self, exact)];
        }
        if width > 126 {
            return self.anything(scope, width);
        }
        let above = Atom::greater(&exact, &Poly::constant(rational(greatest(width))));
        let below = Atom::greater(&Poly::constant(rational(least(width))), &exact);
        let size = Poly::constant(rational(1i128 << width));
        let fits = self.clone().with(range(&exact, width, scope.integers));
        let (over, under) = (self.clone().with([above]), self.with([below]));
        let mut cases = vec![(fits, exact.clone())];
        if once {
            cases.push((over, exact.minus(&size)));
            cases.push((under, exact.plus(&size)));
        } else {
            cases.push(over.low_bits(scope, &exact, width));
            cases.push(under.low_bits(scope, &exact, width));
        }
        cases
    }

    /// The value of this width with the same low bits: what is left over is a multiple of 2^width.
    fn low_bits(mut self, scope: &Scope<'_>, exact: &Poly, width: u16) -> (Path, Poly) {
        let (value, rounds) = (self.extra(), self.extra());
        let whole = value.plus(&rounds.scaled(&rational(1i128 << width)));
        let path = self.with(range(&value, width, scope.integers)).with([Atom::equal(exact, &whole)]);
        (path, value)
    }

    /// Signed division by a constant, or its remainder: rounded to zero.
    fn divided(self, scope: &Scope<'_>, a: Poly, divisor: Option<i128>, width: u16, remainder: bool) -> Cases {
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0 && *divisor < (1 << 62)) else {
            return self.anything(scope, width);
        };
        let mut cases = Vec::new();
        for positive in [true, false] {
            let mut path = self.clone();
            let (quotient, rest) = (path.extra(), path.extra());
            let zero = Poly::constant(rational(0));
            let limit = Poly::constant(rational(divisor - 1));
            let whole = quotient.scaled(&rational(divisor)).plus(&rest);
            let sign = if positive {
                [Atom::at_least(&a, &zero), Atom::at_least(&rest, &zero), Atom::at_least(&limit, &rest)]
            } else {
                let low = zero.minus(&limit);
                [Atom::greater(&zero, &a), Atom::at_least(&zero, &rest), Atom::at_least(&rest, &low)]
            };
            let path = path.with(sign).with([Atom::equal(&a, &whole)]);
            cases.push((path, if remainder { rest } else { quotient }));
        }
        cases
    }

    /// Division rounding down, or its remainder, for a positive divisor.
    fn floored(mut self, scope: &Scope<'_>, a: Poly, divisor: i128, width: u16, remainder: bool) -> Cases {
        if divisor <= 0 || width > 126 {
            return self.anything(scope, width);
        }
        let (quotient, rest) = (self.extra(), self.extra());
        let zero = Poly::constant(rational(0));
        let limit = Poly::constant(rational(divisor - 1));
        let whole = quotient.scaled(&rational(divisor)).plus(&rest);
        let path = self.with([Atom::at_least(&rest, &zero), Atom::at_least(&limit, &rest), Atom::equal(&a, &whole)]);
        vec![(path, if remainder { rest } else { quotient })]
    }

    /// Unsigned division by a constant: a negative value stands for itself plus 2^width.
    fn unsigned_divided(self, scope: &Scope<'_>, a: Poly, divisor: Option<i128>, width: u16, remainder: bool) -> Cases {
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0 && *divisor < (1 << 62)) else {
            return self.anything(scope, width);
        };
        let zero = Poly::constant(rational(0));
        let positive = self.clone().with([Atom::at_least(&a, &zero)]);
        let negative = self.with([Atom::greater(&zero, &a)]);
        let mut cases = positive.floored(scope, a.clone(), divisor, width, remainder);
        // By 1 the quotient may be out of the signed range.
        cases.extend(match scope.integers {
            IntegerModel::Machine if divisor > 1 && width <= 126 => {
                let whole = a.plus(&Poly::constant(rational(1i128 << width)));
                negative.floored(scope, whole, divisor, width, remainder)
            }
            IntegerModel::Machine | IntegerModel::Unbounded => negative.anything(scope, width),
        });
        cases
    }

    /// `a & mask`: the remainder by a power of two, or at most a mask that is not negative.
    fn masked(mut self, scope: &Scope<'_>, a: Poly, mask: i128, width: u16) -> Cases {
        let is_low_bits = mask > 0 && (mask & (mask + 1)) == 0;
        if is_low_bits && mask < (1 << 62) && scope.integers == IntegerModel::Machine {
            return self.floored(scope, a, mask + 1, width, true);
        }
        let value = self.arbitrary(width, scope.integers);
        if mask >= 0 && scope.integers == IntegerModel::Machine {
            let atoms = [
                Atom::at_least(&value, &Poly::constant(rational(0))),
                Atom::at_least(&Poly::constant(rational(mask)), &value),
            ];
            return vec![(self.with(atoms), value)];
        }
        vec![(self, value)]
    }

    fn cast(mut self, scope: &Scope<'_>, op: CastOp, value: Operand, width: u16) -> Cases {
        let from = scope.function.operand_type(value).and_then(Type::int_width);
        let (Some(a), Some(from)) = (self.operand(scope, value), from) else {
            return self.truth_cast(scope, op, value, width);
        };
        let zero = Poly::constant(rational(0));
        match op {
            CastOp::SExt if from == 1 => vec![(self, zero.minus(&a))],
            CastOp::SExt => vec![(self, a)],
            CastOp::ZExt if from == 1 => vec![(self, a)],
            CastOp::ZExt if from <= 126 => {
                let positive = self.clone().with([Atom::at_least(&a, &zero)]);
                let negative = self.with([Atom::greater(&zero, &a)]);
                let mut cases = vec![(positive, a.clone())];
                match scope.integers {
                    IntegerModel::Machine => {
                        cases.push((negative, a.plus(&Poly::constant(rational(1i128 << from)))));
                    }
                    IntegerModel::Unbounded => cases.extend(negative.anything(scope, width)),
                }
                cases
            }
            CastOp::Trunc if (2..=126).contains(&width) => {
                let low = Atom::at_least(&a, &Poly::constant(rational(least(width))));
                let high = Atom::at_least(&Poly::constant(rational(greatest(width))), &a);
                let above = Atom::greater(&a, &Poly::constant(rational(greatest(width))));
                let below = Atom::greater(&Poly::constant(rational(least(width))), &a);
                let mut cases = vec![(self.clone().with([low, high]), a.clone())];
                for path in [self.clone().with([above]), self.with([below])] {
                    match scope.integers {
                        IntegerModel::Machine => cases.push(path.low_bits(scope, &a, width)),
                        IntegerModel::Unbounded => cases.extend(path.anything(scope, width)),
                    }
                }
                cases
            }
            CastOp::ZExt
            | CastOp::Trunc
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast => self.anything(scope, width),
        }
    }

    /// A truth value as a number, looked at only now.
    fn truth_cast(self, scope: &Scope<'_>, op: CastOp, value: Operand, width: u16) -> Cases {
        let is_truth = scope.function.operand_type(value) == Some(Type::BOOL);
        let number = match op {
            CastOp::ZExt => 1,
            CastOp::SExt => -1,
            _ => return self.anything(scope, width),
        };
        if !is_truth {
            return self.anything(scope, width);
        }
        let mut cases = Vec::new();
        for (want, number) in [(true, number), (false, 0)] {
            let paths = self.clone().assume(scope, value, want);
            cases.extend(paths.into_iter().map(|path| (path, Poly::constant(rational(number)))));
        }
        cases
    }
}
