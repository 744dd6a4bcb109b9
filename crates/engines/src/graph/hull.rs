//! The affine hull of two parametrised sets (Karr, "Affine relationships among variables of a program", 1976).
//!
//! A set is given by an expression for each *slot* over variables of its own that may take any value. The hull of both is a point and
//! the span of all directions; Gaussian elimination makes every slot an affine function of some of them, the *free* ones.

use belay_logic::simplex::{LinExpr, Rat, Var};

/// The slots of a hull: free ones are variables, the others functions of them.
#[derive(Clone, Debug)]
pub struct Hull {
    /// Which slots are free, in the order of their new variables.
    pub free: Vec<usize>,
    /// Each slot over the new variables; coefficients may be fractions.
    pub exprs: Vec<LinExpr>,
}

/// The hull of `left` and `right`, slot by slot. `order`: which slots are to be free rather than others.
pub fn hull(left: &[LinExpr], right: &[LinExpr], order: &[usize]) -> Hull {
    let mut rows = directions(left);
    rows.extend(directions(right));
    let step = left.iter().zip(right).map(|(a, b)| b.offset() - a.offset()).collect();
    rows.push(step);
    let mut reduced: Vec<(usize, Vec<Rat>)> = Vec::new();
    for column in order {
        let Some(at) = rows.iter().position(|row| !row[*column].is_zero()) else { continue };
        let mut pivot = rows.swap_remove(at);
        let scale = pivot[*column].recip().unwrap_or(Rat::ONE);
        pivot.iter_mut().for_each(|entry| *entry = &*entry * &scale);
        for row in rows.iter_mut().chain(reduced.iter_mut().map(|(_, row)| row)) {
            eliminate(row, &pivot, *column);
        }
        rows.retain(|row| row.iter().any(|entry| !entry.is_zero()));
        reduced.push((*column, pivot));
    }
    let free: Vec<usize> = reduced.iter().map(|(column, _)| *column).collect();
    let exprs = (0..left.len()).map(|slot| slot_expr(slot, left, &reduced)).collect();
    Hull { free, exprs }
}

fn slot_expr(slot: usize, left: &[LinExpr], reduced: &[(usize, Vec<Rat>)]) -> LinExpr {
    let mut expr = LinExpr::constant(left[slot].offset().clone());
    for (index, (column, row)) in reduced.iter().enumerate().filter(|(_, (_, row))| !row[slot].is_zero()) {
        let moved = LinExpr::var(Var(index as u32)).plus_constant(&-left[*column].offset());
        expr = expr.add_scaled(&row[slot], &moved);
    }
    expr
}

fn eliminate(row: &mut [Rat], pivot: &[Rat], column: usize) {
    if row[column].is_zero() {
        return;
    }
    let factor = row[column].clone();
    for (entry, other) in row.iter_mut().zip(pivot) {
        if !other.is_zero() {
            *entry -= &(&factor * other);
        }
    }
}

/// How the slots change with each variable.
fn directions(slots: &[LinExpr]) -> Vec<Vec<Rat>> {
    let mut vars: Vec<Var> = slots.iter().flat_map(|expr| expr.terms().iter().map(|(var, _)| *var)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars.into_iter().map(|var| slots.iter().map(|expr| expr.coefficient(var)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: u32) -> LinExpr {
        LinExpr::var(Var(index))
    }

    #[test]
    fn keeps_differences_of_differences() {
        // dst = s1, src = s2 and dst = s1 + 1, src = s2 + 1 have the hull dst - s1 = src - s2.
        let one = Rat::ONE;
        let left = [var(0), var(1), var(0), var(1)];
        let right = [var(0), var(1), var(0).plus_constant(&one), var(1).plus_constant(&one)];
        let hull = hull(&left, &right, &[0, 1, 2, 3]);
        assert_eq!(hull.free, vec![0, 1, 2]);
        let expected = var(1).plus(&var(2)).minus(&var(0));
        assert_eq!(hull.exprs[3], expected);
    }

    #[test]
    fn points_span_a_line() {
        let left = [LinExpr::constant(0), LinExpr::constant(0)];
        let right = [LinExpr::constant(1), LinExpr::constant(4)];
        let hull = hull(&left, &right, &[0, 1]);
        assert_eq!(hull.free, vec![0]);
        assert_eq!(hull.exprs[1], var(0).scaled(&Rat::from(4)));
    }
}
