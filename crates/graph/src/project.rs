//! Constraints without the variables that are to be forgotten (Fourier and Motzkin), as long as they stay few.

use belay_linear::{Constraint, LinExpr, Rat, Rel, Var};

/// More constraints than this are not combined.
const MAX_COMBINED: usize = 60;
/// Variables beyond this are forgotten with all that mentions them.
const MAX_ELIMINATED: usize = 24;

/// What follows from `constraints` about the variables that `keeps` says: expressions that are not negative. And whether that is all that follows.
pub fn project(constraints: &[Constraint], keeps: impl Fn(Var) -> bool) -> (Vec<LinExpr>, bool) {
    let mut exprs: Vec<LinExpr> = Vec::new();
    for constraint in constraints {
        exprs.push(constraint.expr.clone());
        if constraint.rel == Rel::Eq {
            exprs.push(constraint.expr.negated());
        }
    }
    let mut whole = true;
    for _ in 0..MAX_ELIMINATED {
        let Some(var) = next(&exprs, &keeps) else { break };
        exprs = eliminated(exprs, var, &mut whole);
    }
    let kept = |expr: &LinExpr| expr.terms().iter().all(|(var, _)| keeps(*var));
    whole &= exprs.iter().all(kept);
    exprs.retain(|expr| !expr.is_constant() && kept(expr));
    (exprs, whole)
}

/// The variable to be forgotten that takes the fewest combinations.
fn next(exprs: &[LinExpr], keeps: &impl Fn(Var) -> bool) -> Option<Var> {
    let mut vars: Vec<Var> =
        exprs.iter().flat_map(|expr| expr.terms().iter().map(|(var, _)| *var)).filter(|var| !keeps(*var)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars.into_iter().min_by_key(|var| {
        let signs = exprs.iter().map(|expr| expr.coefficient(*var).signum());
        let (up, down) = signs.fold((0usize, 0usize), |(up, down), sign| match sign {
            1 => (up + 1, down),
            -1 => (up, down + 1),
            _ => (up, down),
        });
        up * down
    })
}

fn eliminated(exprs: Vec<LinExpr>, var: Var, whole: &mut bool) -> Vec<LinExpr> {
    let (mut rest, mut up, mut down) = (Vec::new(), Vec::new(), Vec::new());
    for expr in exprs {
        match expr.coefficient(var).signum() {
            1 => up.push(expr),
            -1 => down.push(expr),
            _ => rest.push(expr),
        }
    }
    if up.len() * down.len() > MAX_COMBINED {
        *whole = false;
        return rest;
    }
    for positive in &up {
        for negative in &down {
            let (a, b) = (positive.coefficient(var), negative.coefficient(var).abs());
            let sum = normal(&positive.scaled(&b).add_scaled(&a, negative));
            let known = |other: &LinExpr| other.terms() == sum.terms() && other.offset() <= sum.offset();
            if !sum.is_constant() && !rest.iter().any(known) {
                rest.push(sum);
            }
        }
    }
    rest
}

/// Divided by the common divisor of the coefficients, the constant rounded down.
fn normal(expr: &LinExpr) -> LinExpr {
    let divisor = expr.terms().iter().fold(Rat::ZERO, |gcd, (_, factor)| gcd.gcd(factor));
    match divisor.recip() {
        Some(inverse) => {
            let scaled = expr.scaled(&inverse);
            let offset = scaled.offset().floor();
            LinExpr::new(scaled.terms().iter().cloned(), offset)
        }
        None => expr.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_is_kept() {
        // x ≤ y and y ≤ z give x ≤ z.
        let var = |index| LinExpr::var(Var(index));
        let known = [Constraint::ge(var(1).minus(&var(0))), Constraint::ge(var(2).minus(&var(1)))];
        let found = project(&known, |var| var != Var(1));
        assert_eq!(found, (vec![var(2).minus(&var(0))], true));
    }
}
