//! The SMT-LIB pipe; tests that need Z3 pass without it, saying so.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::Duration;

use belay_base::Budget;
use belay_logic::simplex::{Answer, Constraint, Domain, LinExpr, Rat, Rel, Var, satisfiable};
use belay_logic::smt::{Smt, SmtAnswer, SmtConfig, SmtError, parse_integer};

fn start(config: SmtConfig) -> Option<Smt> {
    match Smt::start(config) {
        Ok(smt) => Some(smt),
        Err(SmtError::NotFound(program)) => {
            eprintln!("skipped: {} is not installed", program.display());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_missing_solver_is_an_ordinary_error() {
    let program = PathBuf::from("no-such-solver");
    let config = SmtConfig { program: program.clone(), ..SmtConfig::default() };
    assert!(matches!(Smt::start(config), Err(SmtError::NotFound(missing)) if missing == program));
}

#[test]
fn levels_and_values() {
    let Some(mut smt) = start(SmtConfig::default()) else {
        return;
    };
    smt.declare("x", "Int").unwrap();
    smt.assert("(= (* x x) 49)").unwrap();
    smt.push().unwrap();
    smt.assert("(< x 0)").unwrap();
    assert_eq!(smt.check().unwrap(), SmtAnswer::Sat);
    let values = smt.values(&["x", "(+ x 1)"]).unwrap().unwrap();
    assert_eq!(parse_integer(&values[0]), Some(Rat::from(-7)));
    assert_eq!(parse_integer(&values[1]), Some(Rat::from(-6)));
    smt.assert("(> x 0)").unwrap();
    assert_eq!(smt.check().unwrap(), SmtAnswer::Unsat);
    smt.pop().unwrap();
    assert_eq!(smt.check().unwrap(), SmtAnswer::Sat);
    assert_eq!(smt.stats().checks, 3);
}

#[test]
fn a_rejected_command_is_reported_at_the_next_check() {
    let Some(mut smt) = start(SmtConfig::default()) else {
        return;
    };
    smt.assert("(> undeclared 0)").unwrap();
    assert!(matches!(smt.check(), Err(SmtError::Rejected(_))));
}

#[test]
fn the_resource_limit_answers_unknown() {
    let config = SmtConfig { rlimit: 1000, ..SmtConfig::default() };
    let Some(mut smt) = start(config) else { return };
    for name in ["x", "y", "z"] {
        smt.declare(name, "Int").unwrap();
        smt.assert(&format!("(> {name} 2)")).unwrap();
    }
    smt.assert("(= (+ (* x x x) (* y y y)) (* z z z))").unwrap();
    assert!(matches!(smt.check().unwrap(), SmtAnswer::Unknown(_)));
}

#[test]
fn a_hanging_solver_is_replaced() {
    let config = SmtConfig { rlimit: 0, deadline: Duration::from_millis(300), ..SmtConfig::default() };
    let Some(mut smt) = start(config) else { return };
    smt.declare("x", "Int").unwrap();
    smt.push().unwrap();
    for name in ["a", "b", "c"] {
        smt.declare(name, "Int").unwrap();
        smt.assert(&format!("(> {name} 2)")).unwrap();
    }
    smt.assert("(= (+ (* a a a) (* b b b)) (* c c c))").unwrap();
    assert_eq!(smt.check().unwrap(), SmtAnswer::Unknown("deadline".to_owned()));
    smt.pop().unwrap();
    smt.assert("(= x 3)").unwrap();
    assert_eq!(smt.check().unwrap(), SmtAnswer::Sat);
    assert_eq!(smt.stats().restarts, 1);
}

fn text(expr: &LinExpr) -> String {
    let number = |value: &Rat| match value.is_negative() {
        true => format!("(- {})", value.abs()),
        false => value.to_string(),
    };
    let terms = expr.terms().iter().map(|(v, a)| format!("(* {} v{})", number(a), v.0));
    format!("(+ {} {})", number(expr.offset()), terms.collect::<Vec<_>>().join(" "))
}

#[test]
fn the_simplex_agrees_with_z3() {
    let Some(mut smt) = start(SmtConfig::default()) else {
        return;
    };
    for var in 0..4 {
        smt.declare(&format!("v{var}"), "Int").unwrap();
    }
    let mut seed = 88_172_645_463_325_252u64;
    let mut below = |limit: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % limit
    };
    for _ in 0..150 {
        let mut constraints = Vec::new();
        for _ in 0..5 {
            let terms: Vec<_> = (0..3).map(|_| (Var(below(4) as u32), Rat::from(below(9) as i64 - 4))).collect();
            let expr = LinExpr::new(terms, Rat::from(below(15) as i64 - 7));
            let rel = [Rel::Ge, Rel::Gt, Rel::Eq][below(3) as usize];
            constraints.push(Constraint { expr, rel });
        }
        smt.push().unwrap();
        for constraint in &constraints {
            let relation = match constraint.rel {
                Rel::Ge => ">=",
                Rel::Gt => ">",
                Rel::Eq => "=",
            };
            smt.assert(&format!("({relation} {} 0)", text(&constraint.expr))).unwrap();
        }
        let expected = smt.check().unwrap();
        smt.pop().unwrap();
        let ours = satisfiable(&constraints, Domain::Integer, &Budget::unlimited()).unwrap();
        match ours {
            Answer::Sat(_) => assert_eq!(expected, SmtAnswer::Sat, "{constraints:?}"),
            Answer::Unsat(_) => assert_eq!(expected, SmtAnswer::Unsat, "{constraints:?}"),
            Answer::Unknown => {}
        }
    }
}
