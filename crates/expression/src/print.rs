//! The one printer: an expression as C writes it, with no more parentheses than C needs. What is no C is said in words.
//!
//! Only the crate `report` calls it for what users see; traces for developers and tests do as well.

use crate::{Binary, Expr, ForAll, Unary};

/// How tightly parts hold together, as in C's grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Strength(u8);

/// A whole expression: nothing stands beside it.
const WHOLE: Strength = Strength(0);
const CHOICE: Strength = Strength(1);
const UNARY: Strength = Strength(12);
const POSTFIX: Strength = Strength(13);

/// The expression as C writes it.
pub fn in_c(expr: &Expr) -> String {
    within(expr, WHOLE)
}

/// The same as part of something that holds so tightly.
fn within(expr: &Expr, around: Strength) -> String {
    let (text, own) = written(expr);
    if own < around { format!("({text})") } else { text }
}

fn written(expr: &Expr) -> (String, Strength) {
    match expr {
        Expr::Name(name) => (name.clone(), POSTFIX),
        Expr::Integer(number) => (number.to_string(), if *number < 0 { UNARY } else { POSTFIX }),
        Expr::Float(bits, single) => (float(f64::from_bits(*bits as u64), *single), POSTFIX),
        Expr::Unary(op, inner) => (format!("{}{}", unary(*op), within(inner, UNARY)), UNARY),
        Expr::Cast(to, inner) => (format!("({to}){}", within(inner, UNARY)), UNARY),
        Expr::Binary(op, parts) => binary(*op, &parts[0], &parts[1]),
        Expr::Member(object, path) => (format!("{}.{path}", within(object, POSTFIX)), POSTFIX),
        Expr::MemberOf(pointer, path) => (format!("{}->{path}", within(pointer, POSTFIX)), POSTFIX),
        Expr::Element(parts) => (format!("{}[{}]", within(&parts[0], POSTFIX), in_c(&parts[1])), POSTFIX),
        Expr::SomeElement(array) => (format!("{}[]", within(array, POSTFIX)), POSTFIX),
        Expr::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(in_c).collect();
            (format!("{name}({})", arguments.join(", ")), POSTFIX)
        }
        Expr::Select(parts) => {
            let [condition, then, otherwise] = &**parts;
            let stronger = Strength(CHOICE.0 + 1);
            (format!("{} ? {} : {}", within(condition, stronger), in_c(then), within(otherwise, CHOICE)), CHOICE)
        }
        Expr::ForAll(all) => (for_all(all), WHOLE),
        Expr::SumOf(parts) => (format!("sum({} and so on, {} numbers)", in_c(&parts[0]), in_c(&parts[1])), POSTFIX),
        Expr::SomeDistance => ("the distance of a pointer".to_owned(), POSTFIX),
        Expr::MoreCombinations(count) => (format!("{count} more combinations that never occur"), POSTFIX),
    }
}

fn unary(op: Unary) -> &'static str {
    match op {
        Unary::Minus => "-",
        Unary::Not => "!",
        Unary::AddressOf => "&",
        Unary::Target => "*",
    }
}

fn operator(op: Binary) -> (&'static str, Strength) {
    match op {
        Binary::Mul => ("*", Strength(11)),
        Binary::Div => ("/", Strength(11)),
        Binary::Rem => ("%", Strength(11)),
        Binary::Add => ("+", Strength(10)),
        Binary::Sub => ("-", Strength(10)),
        Binary::ShiftLeft => ("<<", Strength(9)),
        Binary::ShiftRight => (">>", Strength(9)),
        Binary::Less => ("<", Strength(8)),
        Binary::AtMost => ("<=", Strength(8)),
        Binary::Greater => (">", Strength(8)),
        Binary::AtLeast => (">=", Strength(8)),
        Binary::Equal => ("==", Strength(7)),
        Binary::Differs => ("!=", Strength(7)),
        Binary::BitAnd => ("&", Strength(6)),
        Binary::BitXor => ("^", Strength(5)),
        Binary::BitOr => ("|", Strength(4)),
        Binary::And => ("&&", Strength(3)),
        Binary::Or => ("||", Strength(2)),
    }
}

fn binary(op: Binary, left: &Expr, right: &Expr) -> (String, Strength) {
    let (sign, own) = operator(op);
    // `2*n` holds together for the eye as well.
    let space = if op == Binary::Mul && matches!(left, Expr::Integer(_)) { "" } else { " " };
    let behind = Strength(own.0 + 1);
    (format!("{}{space}{sign}{space}{}", within(left, own), within(right, behind)), own)
}

fn for_all(all: &ForAll) -> String {
    let condition = in_c(&all.condition);
    match (&all.which, all.indices.as_slice()) {
        (_, []) => condition,
        (None, indices) => format!("{condition} for all {}", indices.join(", ")),
        (Some(which), [index]) if begins_with(which, index) => format!("{condition} for all {}", in_words(which)),
        (Some(which), indices) => format!("{condition} for all {} with {}", indices.join(", "), in_words(which)),
    }
}

/// True if a condition can follow on "for all": it begins with the index.
fn begins_with(which: &Expr, index: &str) -> bool {
    match which {
        Expr::Binary(_, parts) => begins_with(&parts[0], index),
        Expr::Unary(Unary::Not, inner) => begins_with(inner, index),
        Expr::Name(name) => name == index,
        _ => false,
    }
}

/// Which indices are meant: `and`, `or` and `not` between comparisons.
fn in_words(which: &Expr) -> String {
    let part = |part: &Expr, outer: Binary| match part {
        Expr::Binary(inner @ (Binary::And | Binary::Or), _) if *inner != outer => format!("({})", in_words(part)),
        part => in_words(part),
    };
    match which {
        Expr::Binary(op @ (Binary::And | Binary::Or), parts) => {
            let word = if *op == Binary::And { "and" } else { "or" };
            format!("{} {word} {}", part(&parts[0], *op), part(&parts[1], *op))
        }
        Expr::Unary(Unary::Not, inner) => format!("not ({})", in_words(inner)),
        plain => in_c(plain),
    }
}

fn float(value: f64, single: bool) -> String {
    match (value.is_infinite(), value < 0.0, single) {
        (true, false, _) => "INFINITY".to_owned(),
        (true, true, _) => "-INFINITY".to_owned(),
        (false, _, true) => format!("{:?}f", value as f32),
        (false, _, false) => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Expr {
        Expr::name("x")
    }

    fn over(op: Binary, left: Expr, right: Expr) -> Expr {
        Expr::binary(op, left, right)
    }

    #[track_caller]
    fn check(expr: &Expr, expected: &str) {
        assert_eq!(in_c(expr), expected);
    }

    #[test]
    fn parentheses_stand_where_c_needs_them() {
        let sum = || over(Binary::Add, x(), Expr::Integer(1));
        check(&over(Binary::AtMost, sum(), Expr::name("n")), "x + 1 <= n");
        check(&over(Binary::Mul, Expr::Integer(2), sum()), "2*(x + 1)");
        check(&over(Binary::Mul, Expr::Integer(2), x()), "2*x");
        check(&over(Binary::Mul, x(), x()), "x * x");
        check(&over(Binary::Sub, x(), sum()), "x - (x + 1)");
        check(&over(Binary::Equal, over(Binary::BitAnd, x(), Expr::Integer(3)), Expr::Integer(1)), "(x & 3) == 1");
        check(&over(Binary::Equal, x(), Expr::Integer(0)).negated(), "!(x == 0)");
        check(&Expr::cast("char *", x().address()).target(), "*(char *)&x");
        check(&x().target().element(Expr::Integer(2)), "(*x)[2]");
        check(&x().member_of("next"), "x->next");
    }

    #[test]
    fn numbers_are_those_of_c() {
        check(&Expr::Integer(-3), "-3");
        check(&Expr::double(0.5), "0.5");
        check(&Expr::single(0.1), "0.1f");
        check(&Expr::double(f64::NEG_INFINITY), "-INFINITY");
    }

    #[test]
    fn elements_are_said_in_words() {
        let j = || Expr::name("j");
        let below = || over(Binary::Less, j(), Expr::name("n"));
        let all = |which| {
            let condition = over(Binary::Equal, Expr::name("a").element(j()), Expr::Integer(0));
            Expr::ForAll(Box::new(ForAll { condition, indices: vec!["j".to_owned()], which }))
        };
        check(&all(None), "a[j] == 0 for all j");
        check(&all(Some(below())), "a[j] == 0 for all j < n");
        let both = over(Binary::And, below(), over(Binary::AtLeast, j(), Expr::Integer(2)));
        check(&all(Some(both.clone())), "a[j] == 0 for all j < n and j >= 2");
        check(&all(Some(over(Binary::Or, both, below()))), "a[j] == 0 for all (j < n and j >= 2) or j < n");
    }
}
