//! Sums as people write them: what is added first, what is taken away behind it, the number last.

use crate::{Binary, Expr};

/// A part of a sum: so many times an expression.
pub type Addend = (i128, Expr);

/// The sum of these, in this order, and a number; a number that is added to what is only taken away comes first.
pub fn add_up(parts: &[Addend], number: i128) -> Expr {
    let leads = number > 0 && parts.first().is_some_and(|(factor, _)| *factor < 0);
    let mut sum = leads.then_some(Expr::Integer(number));
    for (factor, expr) in parts {
        let size = times(factor.unsigned_abs() as i128, expr.clone());
        sum = Some(match (sum, *factor < 0) {
            (None, true) => first_negative(*factor, expr.clone()),
            (None, false) => size,
            (Some(before), true) => Expr::binary(Binary::Sub, before, size),
            (Some(before), false) => Expr::binary(Binary::Add, before, size),
        });
    }
    match (sum, number) {
        (None, number) => Expr::Integer(number),
        (Some(sum), 0) => sum,
        (Some(sum), _) if leads => sum,
        (Some(sum), number) if number < 0 => Expr::binary(Binary::Sub, sum, Expr::Integer(-number)),
        (Some(sum), number) => Expr::binary(Binary::Add, sum, Expr::Integer(number)),
    }
}

/// `up - down + number` compared with 0 by `>=`, `==` or `!=`: each part stands on the side where it is added.
pub fn compare_sums(op: Binary, up: &[Addend], down: &[Addend], number: i128) -> Expr {
    let side = |parts: &[Addend], extra: i128| add_up(parts, extra);
    if op == Binary::AtLeast {
        return match (up.is_empty(), down.is_empty(), number) {
            (true, _, _) => Expr::binary(Binary::AtMost, side(down, 0), Expr::Integer(number)),
            (_, true, _) => Expr::binary(Binary::AtMost, Expr::Integer(-number), side(up, 0)),
            (_, _, -1) => Expr::binary(Binary::Less, side(down, 0), side(up, 0)),
            (_, _, number) if number < 0 => Expr::binary(Binary::AtMost, side(down, -number), side(up, 0)),
            (_, _, number) => Expr::binary(Binary::AtMost, side(down, 0), side(up, number)),
        };
    }
    match (up.is_empty(), down.is_empty(), number < 0) {
        (true, _, _) => Expr::binary(op, side(down, 0), Expr::Integer(number)),
        (_, true, _) => Expr::binary(op, side(up, 0), Expr::Integer(-number)),
        (_, _, true) => Expr::binary(op, side(up, 0), side(down, -number)),
        (_, _, false) => Expr::binary(op, side(up, number), side(down, 0)),
    }
}

fn times(factor: i128, expr: Expr) -> Expr {
    if factor == 1 { expr } else { Expr::binary(Binary::Mul, Expr::Integer(factor), expr) }
}

fn first_negative(factor: i128, expr: Expr) -> Expr {
    if factor == -1 { expr.minus() } else { Expr::binary(Binary::Mul, Expr::Integer(factor), expr) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Expr {
        Expr::name("x")
    }

    #[test]
    fn what_is_added_is_on_its_own_side() {
        let less = compare_sums(Binary::AtLeast, &[(1, Expr::name("n"))], &[(1, x())], -1);
        assert_eq!(less, Expr::binary(Binary::Less, x(), Expr::name("n")));
        let bound = compare_sums(Binary::AtLeast, &[], &[(1, x())], 7);
        assert_eq!(bound, Expr::binary(Binary::AtMost, x(), Expr::Integer(7)));
    }

    #[test]
    fn a_number_leads_what_is_taken_away() {
        assert_eq!(add_up(&[(-1, x())], 9), Expr::binary(Binary::Sub, Expr::Integer(9), x()));
        assert_eq!(add_up(&[(-1, x())], -9), Expr::binary(Binary::Sub, x().minus(), Expr::Integer(9)));
        assert_eq!(add_up(&[], -9), Expr::Integer(-9));
    }
}
