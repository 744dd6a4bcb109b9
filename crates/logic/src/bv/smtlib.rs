//! Terms as an SMT-LIB 2 script in the logic QF_BV, for a solver that shares no code with this one.
//!
//! Each operation becomes one `define-fun` without parameters that names its operands, so that the
//! script is linear in the number of distinct terms and shallow whatever their depth. Booleans are
//! bit-vectors of one bit here too; only conditions and assertions compare them with `#b1`.

use std::fmt::Write;

use super::term::{Term, TermId, TermStore};
use super::value::Bits;

/// A script that asserts the conjunction of `assertions`, which are Boolean terms, and asks for
/// satisfiability.
pub fn script(store: &TermStore, assertions: &[TermId]) -> String {
    let mut text = String::from("(set-logic QF_BV)\n");
    for id in store.reachable(assertions) {
        text.push_str(&definition(store, id));
    }
    for &assertion in assertions {
        assert_eq!(store.width(assertion), 1, "only Boolean terms can be asserted");
        line(&mut text, format_args!("(assert (= {} #b1))", name(store, assertion)));
    }
    text.push_str("(check-sat)\n");
    text
}

/// A script that asserts the conjunction of `assertions` and asks for satisfiability with each of `goals` in turn.
pub fn script_of_goals(store: &TermStore, assertions: &[TermId], goals: &[TermId]) -> String {
    let all: Vec<TermId> = assertions.iter().chain(goals).copied().collect();
    let mut text = String::from("(set-logic QF_BV)\n");
    for id in store.reachable(&all) {
        text.push_str(&definition(store, id));
    }
    let holds = |id: TermId| {
        assert_eq!(store.width(id), 1, "only Boolean terms can be asserted");
        format!("(assert (= {} #b1))", name(store, id))
    };
    for &assertion in assertions {
        line(&mut text, format_args!("{}", holds(assertion)));
    }
    for &goal in goals {
        line(&mut text, format_args!("(push)\n{}\n(check-sat)\n(pop)", holds(goal)));
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("writing to a string cannot fail");
}

/// The declaration of a variable or the definition of an operation; constants need neither.
fn definition(store: &TermStore, id: TermId) -> String {
    let (name, width) = (name(store, id), store.width(id));
    if store.as_const(id).is_some() {
        return String::new();
    }
    if let Term::Var(variable) = store.term(id) {
        let comment: String = store.variable_name(variable).chars().filter(|c| !c.is_control()).collect();
        return format!("(declare-const {name} (_ BitVec {width})) ; {comment}\n");
    }
    format!("(define-fun {name} () (_ BitVec {width}) {})\n", operation(store, store.term(id)))
}

/// What other terms call this one: a constant stands for itself.
fn name(store: &TermStore, id: TermId) -> String {
    store.as_const(id).map_or_else(|| id.to_string(), literal)
}

fn literal(value: Bits) -> String {
    let digits = (0..value.width()).rev().map(|index| if value.bit(index) { '1' } else { '0' });
    "#b".chars().chain(digits).collect()
}

fn operation(store: &TermStore, term: Term) -> String {
    let unary = |operator: &str, a: TermId| format!("({operator} {})", name(store, a));
    let binary = |operator: &str, a: TermId, b: TermId| format!("({operator} {} {})", name(store, a), name(store, b));
    let relation = |operator: &str, a: TermId, b: TermId| format!("(ite {} #b1 #b0)", binary(operator, a, b));
    match term {
        Term::Const(constant) => literal(store.constant_value(constant)),
        Term::Var(variable) => name(store, store.variable_term(variable)),
        Term::Not(a) => unary("bvnot", a),
        Term::And(a, b) => binary("bvand", a, b),
        Term::Xor(a, b) => binary("bvxor", a, b),
        Term::Neg(a) => unary("bvneg", a),
        Term::Add(a, b) => binary("bvadd", a, b),
        Term::Mul(a, b) => binary("bvmul", a, b),
        Term::Udiv(a, b) => binary("bvudiv", a, b),
        Term::Urem(a, b) => binary("bvurem", a, b),
        Term::Shl(a, b) => binary("bvshl", a, b),
        Term::Lshr(a, b) => binary("bvlshr", a, b),
        Term::Ashr(a, b) => binary("bvashr", a, b),
        Term::Concat(a, b) => binary("concat", a, b),
        Term::Extract { high, low, arg } => unary(&format!("(_ extract {high} {low})"), arg),
        Term::Zext { arg, width } => unary(&format!("(_ zero_extend {})", width - store.width(arg)), arg),
        Term::Sext { arg, width } => unary(&format!("(_ sign_extend {})", width - store.width(arg)), arg),
        Term::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", name(store, c), name(store, a), name(store, b)),
        Term::Eq(a, b) => relation("=", a, b),
        Term::Ult(a, b) => relation("bvult", a, b),
        Term::Slt(a, b) => relation("bvslt", a, b),
    }
}
