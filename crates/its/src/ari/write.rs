//! Writing `.ari` text.

use belay_linear::{Rat, Var};

use crate::poly::Poly;
use crate::system::{Atom, Its, Sign, Transition};

/// The system in the `.ari` format. Reading it again gives the same system, but for names and the
/// number of extra variables.
pub fn write(its: &Its) -> String {
    let mut text = "(format LCTRS :smtlib 2.6)\n(theory Ints)\n".to_owned();
    let sorts = "Int ".repeat(its.vars.len());
    for name in its.locations.iter() {
        text.push_str(&format!("(fun {name} (-> {sorts}Int))\n"));
    }
    text.push_str(&format!("(entrypoint {})\n", its.locations[its.start]));
    for transition in its.transitions.iter() {
        text.push_str(&rule(its, transition));
    }
    text
}

fn rule(its: &Its, transition: &Transition) -> String {
    let name = |var| its.var_name(var);
    let left = its.vars.join(" ");
    let right: Vec<String> = transition.update.iter().map(|poly| term(poly, &name)).collect();
    let guard: Vec<String> = transition.guard.iter().map(|atom| formula(atom, &name)).collect();
    let guard = match guard.as_slice() {
        [] => String::new(),
        [only] => format!(" :guard {only}"),
        all => format!(" :guard (and {})", all.join(" ")),
    };
    format!(
        "(rule ({} {left}) ({} {}){guard})\n",
        its.locations[transition.from],
        its.locations[transition.to],
        right.join(" ")
    )
}

fn formula(atom: &Atom, name: &impl Fn(Var) -> String) -> String {
    let relation = match atom.sign {
        Sign::NonNegative => ">=",
        Sign::Zero => "=",
    };
    format!("({relation} {} 0)", term(&atom.poly, name))
}

fn term(poly: &Poly, name: &impl Fn(Var) -> String) -> String {
    let products: Vec<String> = poly
        .terms()
        .iter()
        .map(|(monomial, coefficient)| {
            let mut factors: Vec<String> = monomial.factors().iter().map(|v| name(*v)).collect();
            if !coefficient.is_one() || factors.is_empty() {
                factors.insert(0, number(coefficient));
            }
            match factors.as_slice() {
                [only] => only.clone(),
                several => format!("(* {})", several.join(" ")),
            }
        })
        .collect();
    match products.as_slice() {
        [] => "0".to_owned(),
        [only] => only.clone(),
        several => format!("(+ {})", several.join(" ")),
    }
}

fn number(value: &Rat) -> String {
    if value.is_negative() { format!("(- {})", value.abs()) } else { value.to_string() }
}
