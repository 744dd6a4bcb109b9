//! Operations that are not linear: the linear bounds of their results, by the signs of the operands.
//!
//! The results are arbitrary within the bounds, so that paths through here are not exact. Each bound holds for every value of
//! the operands on its path: a quotient by at least 2 is at most half the dividend, a remainder is smaller than the divisor and no farther
//! from 0 than the dividend, `a & b` clears bits and `a | b` sets some.

use belay_ir::BinaryOp;
use belay_its::{Atom, Poly};

use super::kind::{Kind, constant, rational};
use super::path::Path;

type Cases = Vec<(Path, Poly)>;

fn negative(value: &Poly) -> Atom {
    Atom::greater(&constant(0), value)
}

fn not_negative(value: &Poly) -> Atom {
    Atom::at_least(value, &constant(0))
}

impl Path {
    /// An arbitrary value of this width, on a path where `given` holds, within bounds that depend on it.
    fn bounded(
        self,
        kind: Kind,
        given: impl IntoIterator<Item = Atom>,
        bounds: impl FnOnce(&Poly) -> Vec<Atom>,
    ) -> (Path, Poly) {
        let mut path = self.with(given);
        let value = path.arbitrary(kind);
        let bounds = bounds(&value);
        (path.with(bounds), value)
    }

    /// Signed division, rounded to zero, by a divisor that is not a constant.
    pub(super) fn quotient(self, a: &Poly, b: &Poly, kind: Kind) -> Cases {
        let two = rational(2);
        let mut cases = Vec::new();
        let large = || Atom::at_least(b, &constant(2));
        let small = || Atom::at_least(&constant(-2), b);
        let half_below = |q: &Poly, a: &Poly| vec![not_negative(q), Atom::at_least(a, &q.scaled(&two))];
        let half_above = |q: &Poly, a: &Poly| vec![Atom::at_least(&constant(0), q), Atom::at_least(&q.scaled(&two), a)];
        let minus = |a: &Poly| constant(0).minus(a);
        cases.push(self.clone().bounded(kind, [large(), not_negative(a)], |q| half_below(q, a)));
        if kind.is_unsigned() {
            cases.push((self.with([Atom::equal(b, &constant(1))]), a.clone()));
            return cases;
        }
        cases.push(self.clone().bounded(kind, [large(), negative(a)], |q| half_above(q, a)));
        cases.push(self.clone().bounded(kind, [small(), not_negative(a)], |q| half_above(q, &minus(a))));
        cases.push(self.clone().bounded(kind, [small(), negative(a)], |q| half_below(q, &minus(a))));
        cases.push((self.clone().with([Atom::equal(b, &constant(1))]), a.clone()));
        cases.push(self.bounded(kind, [Atom::equal(b, &constant(-1))], |_| Vec::new()));
        cases
    }

    /// The remainder of signed division by a divisor that is not a constant.
    pub(super) fn remainder(self, a: &Poly, b: &Poly, kind: Kind) -> Cases {
        let mut cases = Vec::new();
        let minus_b = constant(0).minus(b);
        if kind.is_unsigned() {
            let bounds = |r: &Poly| vec![not_negative(r), Atom::at_least(a, r), Atom::greater(b, r)];
            return vec![self.bounded(kind, [Atom::greater(b, &constant(0))], bounds)];
        }
        for (size, sign) in [(b, Atom::greater(b, &constant(0))), (&minus_b, negative(b))] {
            let path = self.clone().with([sign]);
            cases.push(path.clone().bounded(kind, [not_negative(a)], |r| {
                vec![not_negative(r), Atom::at_least(a, r), Atom::greater(size, r)]
            }));
            cases.push(path.bounded(kind, [negative(a)], |r| {
                vec![Atom::at_least(&constant(0), r), Atom::at_least(r, a), Atom::greater(size, &constant(0).minus(r))]
            }));
        }
        cases
    }

    /// An unsigned division: as the signed one where neither operand is negative, anything otherwise.
    pub(super) fn unsigned(
        self,
        a: &Poly,
        b: &Poly,
        kind: Kind,
        signed: fn(Path, &Poly, &Poly, Kind) -> Cases,
    ) -> Cases {
        let both = self.clone().with([not_negative(a), Atom::greater(b, &constant(0))]);
        let mut cases = signed(both, a, b, kind);
        if kind.is_unsigned() {
            return cases;
        }
        cases.push(self.clone().bounded(kind, [negative(a)], |_| Vec::new()));
        cases.push(self.bounded(kind, [not_negative(a), negative(b)], |_| Vec::new()));
        cases
    }

    /// Bit operations. In the unbounded model values that do not fit have no bits: anything.
    pub(super) fn bitwise(self, op: BinaryOp, a: &Poly, b: &Poly, kind: Kind) -> Cases {
        if kind.is_unbounded() {
            return vec![self.bounded(kind, [], |_| Vec::new())];
        }
        if kind.is_unsigned() {
            return vec![self.bounded(kind, [], |r| bit_bounds(op, (a, true), (b, true), r))];
        }
        let mut cases = Vec::new();
        for (a_positive, b_positive) in [(true, true), (true, false), (false, true), (false, false)] {
            let sign = |value: &Poly, positive: bool| if positive { not_negative(value) } else { negative(value) };
            let given = [sign(a, a_positive), sign(b, b_positive)];
            let bounds = |r: &Poly| bit_bounds(op, (a, a_positive), (b, b_positive), r);
            cases.push(self.clone().bounded(kind, given, bounds));
        }
        cases
    }
}

/// What is known of `r = a op b` in two's complement, given which operands are not negative.
fn bit_bounds(op: BinaryOp, (a, a_positive): (&Poly, bool), (b, b_positive): (&Poly, bool), r: &Poly) -> Vec<Atom> {
    let at_most = |limit: &Poly| Atom::at_least(limit, r);
    let at_least = |limit: &Poly| Atom::at_least(r, limit);
    match (op, a_positive, b_positive) {
        (BinaryOp::And, true, true) => vec![not_negative(r), at_most(a), at_most(b)],
        (BinaryOp::And, true, false) => vec![not_negative(r), at_most(a)],
        (BinaryOp::And, false, true) => vec![not_negative(r), at_most(b)],
        (BinaryOp::And, false, false) => vec![negative(r), at_most(a), at_most(b)],
        (BinaryOp::Or, true, true) => vec![at_least(a), at_least(b), at_most(&a.plus(b))],
        (BinaryOp::Or, true, false) => vec![negative(r), at_least(b)],
        (BinaryOp::Or, false, true) => vec![negative(r), at_least(a)],
        (BinaryOp::Or, false, false) => vec![negative(r), at_least(a), at_least(b)],
        (BinaryOp::Xor, true, true) => vec![not_negative(r), at_most(&a.plus(b))],
        (BinaryOp::Xor, false, false) => vec![not_negative(r)],
        (BinaryOp::Xor, true, false) | (BinaryOp::Xor, false, true) => vec![negative(r)],
        (
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr,
            _,
            _,
        ) => Vec::new(),
    }
}
