//! The affine hull of two parametrised sets (Karr, "Affine relationships among variables of a program", 1976).
//!
//! A set is given by an expression for each *slot* over variables of its own that may take any value. The hull of both is a point and
//! the span of all directions; Gaussian elimination makes every slot an affine function of some of them, the *free* ones.

use std::collections::BTreeMap;

use belay_linear::{LinExpr, Rat, Var};
use rustc_hash::FxHashSet;

/// The slots of a hull: free ones are variables, the others functions of them.
#[derive(Clone, Debug)]
pub struct Hull {
    /// Which slots are free, in the order of their new variables.
    pub free: Vec<usize>,
    /// Each slot over the new variables; coefficients may be fractions.
    pub exprs: Vec<LinExpr>,
}

/// The hull of `left` and `right`, slot by slot. Of slots that depend on each other the first are free.
pub fn hull(left: &[LinExpr], right: &[LinExpr]) -> Hull {
    let reduced = reduced(rows(left, right));
    let free: Vec<usize> = reduced.keys().map(|column| column.index()).collect();
    let mut terms: Vec<Vec<(Var, Rat)>> = vec![Vec::new(); left.len()];
    let mut offsets: Vec<Rat> = left.iter().map(|expr| expr.offset().clone()).collect();
    for (index, (column, row)) in reduced.iter().enumerate() {
        for (slot, factor) in row.terms() {
            terms[slot.index()].push((Var(index as u32), factor.clone()));
            offsets[slot.index()] -= &(factor * left[column.index()].offset());
        }
    }
    let exprs = terms.into_iter().zip(offsets).map(|(terms, offset)| LinExpr::new(terms, offset)).collect();
    Hull { free, exprs }
}

/// The directions of both sets and the step from one to the other, as expressions over slots; no two are the same.
fn rows(left: &[LinExpr], right: &[LinExpr]) -> Vec<LinExpr> {
    let step = left.iter().zip(right).enumerate();
    let step = step.map(|(slot, (a, b))| (Var(slot as u32), b.offset() - a.offset()));
    let step = LinExpr::new(step, Rat::ZERO);
    let mut seen: FxHashSet<LinExpr> = FxHashSet::default();
    let all = directions(left).into_iter().chain(directions(right)).chain([step]);
    all.filter(|row| !row.is_constant() && seen.insert(row.clone())).collect()
}

/// How the slots change with each variable.
fn directions(slots: &[LinExpr]) -> Vec<LinExpr> {
    let mut found: BTreeMap<Var, Vec<(Var, Rat)>> = BTreeMap::new();
    for (slot, expr) in slots.iter().enumerate() {
        for (var, factor) in expr.terms() {
            found.entry(*var).or_default().push((Var(slot as u32), factor.clone()));
        }
    }
    found.into_values().map(|terms| LinExpr::new(terms, Rat::ZERO)).collect()
}

/// The reduced echelon form: each row by the column in which it alone is 1.
fn reduced(rows: Vec<LinExpr>) -> BTreeMap<Var, LinExpr> {
    let mut echelon: BTreeMap<Var, LinExpr> = BTreeMap::new();
    for mut row in rows {
        while let Some((column, factor)) = row.terms().first().cloned() {
            let Some(pivot) = echelon.get(&column) else {
                let scaled = row.scaled(&factor.recip().unwrap_or(Rat::ONE));
                echelon.insert(column, scaled);
                break;
            };
            row = row.add_scaled(&-&factor, pivot);
        }
    }
    let columns: Vec<Var> = echelon.keys().copied().collect();
    for column in columns.iter().rev() {
        let Some(mut row) = echelon.remove(column) else { continue };
        let others: Vec<(Var, Rat)> = row.terms().iter().filter(|(var, _)| var != column).cloned().collect();
        // The rows below have no other pivot's column.
        for (other, factor) in others {
            if let Some(pivot) = echelon.get(&other) {
                row = row.add_scaled(&-&factor, pivot);
            }
        }
        echelon.insert(*column, row);
    }
    echelon
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
        let hull = hull(&left, &right);
        assert_eq!(hull.free, vec![0, 1, 2]);
        let expected = var(1).plus(&var(2)).minus(&var(0));
        assert_eq!(hull.exprs[3], expected);
    }

    #[test]
    fn points_span_a_line() {
        let left = [LinExpr::constant(0), LinExpr::constant(0)];
        let right = [LinExpr::constant(1), LinExpr::constant(4)];
        let hull = hull(&left, &right);
        assert_eq!(hull.free, vec![0]);
        assert_eq!(hull.exprs[1], var(0).scaled(&Rat::from(4)));
    }
}
