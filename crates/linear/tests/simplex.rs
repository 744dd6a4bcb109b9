//! The simplex against brute force over small boxes, and its certificates against the checker.

#![allow(clippy::unwrap_used)]

use belay_base::Budget;
use belay_linear::{
    Answer, Constraint, LinExpr, NumberDomain, Optimum, Rat, Rel, Simplex, Var, entails, farkas, satisfiable,
};
use proptest::prelude::*;

const VARS: u32 = 3;
const BOX: i64 = 4;

fn expr(coefficients: &[i64], constant: i64) -> LinExpr {
    let terms = coefficients.iter().enumerate().map(|(i, a)| (Var(i as u32), Rat::from(*a)));
    LinExpr::new(terms, Rat::from(constant))
}

fn boxed() -> Vec<Constraint> {
    (0..VARS)
        .flat_map(|v| {
            let low = LinExpr::new([(Var(v), Rat::ONE)], Rat::from(BOX));
            let high = LinExpr::new([(Var(v), Rat::MINUS_ONE)], Rat::from(BOX));
            [Constraint::ge(low), Constraint::ge(high)]
        })
        .collect()
}

fn points() -> impl Iterator<Item = [i64; 3]> {
    let range = -BOX..=BOX;
    range.clone().flat_map(move |x| {
        let range = -BOX..=BOX;
        range.clone().flat_map(move |y| (-BOX..=BOX).map(move |z| [x, y, z]))
    })
}

fn holds(constraints: &[Constraint], point: &[i64]) -> bool {
    constraints.iter().all(|c| c.holds(|v| Rat::from(point[v.index()])))
}

prop_compose! {
    fn constraint()(a in prop::collection::vec(-4i64..=4, 3), c in -9i64..=9, rel in 0..5) -> Constraint {
        let rel = match rel { 0 => Rel::Eq, 1 | 2 => Rel::Gt, _ => Rel::Ge };
        Constraint { expr: expr(&a, c), rel }
    }
}

fn verify_model(constraints: &[Constraint], model: &[Rat]) {
    let value = |v: Var| model.get(v.index()).cloned().unwrap_or_default();
    assert!(constraints.iter().all(|c| c.holds(value)), "{constraints:?} {model:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn integers_agree_with_brute_force(cs in prop::collection::vec(constraint(), 1..7)) {
        let constraints = [boxed(), cs].concat();
        let expected = points().any(|p| holds(&constraints, &p));
        match satisfiable(&constraints, NumberDomain::Integer, &Budget::unlimited()).unwrap() {
            Answer::Sat(model) => {
                prop_assert!(expected);
                prop_assert!(model.iter().all(Rat::is_integer));
                verify_model(&constraints, &model);
            }
            Answer::Unsat(refutation) => {
                prop_assert!(!expected);
                prop_assert!(farkas::check(&constraints, NumberDomain::Integer, &refutation));
            }
            Answer::Unknown => {}
        }
    }

    #[test]
    fn rationals_give_models_or_certificates(cs in prop::collection::vec(constraint(), 1..9)) {
        match satisfiable(&cs, NumberDomain::Rational, &Budget::unlimited()).unwrap() {
            Answer::Sat(model) => verify_model(&cs, &model),
            Answer::Unsat(refutation) => {
                prop_assert!(farkas::check(&cs, NumberDomain::Rational, &refutation));
                prop_assert!(!points().any(|p| holds(&cs, &p)));
            }
            Answer::Unknown => prop_assert!(false, "rationals are always decided"),
        }
    }

    /// The optimum is entailed as a bound and, if reached, satisfiable.
    #[test]
    fn optimum_is_tight(cs in prop::collection::vec(constraint(), 1..7), a in prop::collection::vec(-3i64..=3, 3)) {
        let budget = Budget::unlimited();
        let objective = expr(&a, 1);
        let mut simplex = Simplex::new(NumberDomain::Rational);
        cs.iter().for_each(|c| simplex.assert(c.clone()));
        match simplex.maximise(&objective, &budget).unwrap() {
            Optimum::Infeasible(refutation) => prop_assert!(farkas::check(&cs, NumberDomain::Rational, &refutation)),
            Optimum::Unbounded => {
                let large = objective.plus_constant(&Rat::from(-1_000_000));
                let more = [cs, vec![Constraint::ge(large)]].concat();
                prop_assert!(matches!(satisfiable(&more, NumberDomain::Rational, &budget).unwrap(), Answer::Sat(_)));
            }
            Optimum::Value { value, reached } => {
                let gap = objective.negated().plus_constant(&value);
                prop_assert!(entails(&cs, &Constraint::ge(gap.clone()), NumberDomain::Rational, &budget).unwrap().is_some());
                let at = [cs.clone(), vec![Constraint::eq(gap.clone())]].concat();
                prop_assert_eq!(matches!(satisfiable(&at, NumberDomain::Rational, &budget).unwrap(), Answer::Sat(_)), reached);
                let best = points().filter(|p| holds(&cs, p)).map(|p| objective.evaluate(|v| Rat::from(p[v.index()]))).max();
                prop_assert!(best.is_none_or(|best| best <= value));
            }
        }
    }

    /// Pushing, checking and popping leaves no trace.
    #[test]
    fn levels_are_independent(a in prop::collection::vec(constraint(), 1..5), b in prop::collection::vec(constraint(), 1..5)) {
        let budget = Budget::unlimited();
        let mut simplex = Simplex::new(NumberDomain::Rational);
        a.iter().for_each(|c| simplex.assert(c.clone()));
        let sat = |answer: Answer| matches!(answer, Answer::Sat(_));
        let before = sat(simplex.check(&budget).unwrap());
        simplex.push();
        b.iter().for_each(|c| simplex.assert(c.clone()));
        let inside = simplex.check(&budget).unwrap();
        if let Answer::Unsat(refutation) = &inside {
            prop_assert!(farkas::check(simplex.constraints(), NumberDomain::Rational, refutation));
        }
        let both = [a, b].concat();
        prop_assert_eq!(sat(inside), sat(satisfiable(&both, NumberDomain::Rational, &budget).unwrap()));
        simplex.pop();
        prop_assert_eq!(sat(simplex.check(&budget).unwrap()), before);
    }
}

#[test]
fn a_forged_certificate_is_rejected() {
    let constraints = vec![Constraint::ge(expr(&[1], 0)), Constraint::ge(expr(&[-1], -1))];
    let Answer::Unsat(refutation) = satisfiable(&constraints, NumberDomain::Integer, &Budget::unlimited()).unwrap()
    else {
        panic!("x >= 0 and x <= -1 has no solution")
    };
    assert!(farkas::check(&constraints, NumberDomain::Integer, &refutation));
    let weaker = vec![constraints[0].clone(), Constraint::ge(expr(&[-1], 0))];
    assert!(!farkas::check(&weaker, NumberDomain::Integer, &refutation));
}

#[test]
fn parity_needs_rounding() {
    let odd = vec![Constraint::eq(expr(&[2, -2], 1))];
    let budget = Budget::unlimited();
    assert!(matches!(satisfiable(&odd, NumberDomain::Rational, &budget), Ok(Answer::Sat(_))));
    let Ok(Answer::Unsat(refutation)) = satisfiable(&odd, NumberDomain::Integer, &budget) else {
        panic!("2x - 2y = -1 has no integer solution")
    };
    assert!(farkas::check(&odd, NumberDomain::Integer, &refutation));
}

#[test]
fn an_empty_budget_is_reported() {
    let constraints = vec![Constraint::ge(expr(&[1, 1], 0)), Constraint::ge(expr(&[1, -1], -3))];
    assert!(satisfiable(&constraints, NumberDomain::Integer, &Budget::steps(0)).is_err());
}
