//! How sums are compared, in words.

use belay_expression::in_c;

use super::*;

const OBJECT: AllocId = AllocId::Made(0);
const OTHER: AllocId = AllocId::Made(1);

/// `i` and `n` are 32 bits wide; `p`, `q` and the base `a` point to four bytes each in one object, `c` to one byte of it; `d` and the base
/// `e` point to four bytes in another.
fn atoms() -> Vec<Atom> {
    let int = |text: &str| Atom {
        expr: Expr::name(text),
        kind: AtomKind::Int(Some((i128::from(i32::MIN), i128::from(i32::MAX)))),
        near: true,
    };
    let pointer = |text: &str, object, step, base| Atom {
        expr: Expr::name(text),
        kind: AtomKind::Pointer { object, step, base },
        near: true,
    };
    vec![
        int("i"),
        int("n"),
        pointer("p", OBJECT, 4, false),
        pointer("q", OBJECT, 4, false),
        pointer("a", OBJECT, 4, true),
        pointer("c", OBJECT, 1, false),
        pointer("d", OTHER, 4, false),
        pointer("e", OTHER, 4, true),
    ]
}

/// A sum of factors of `i n p q a c d e`, and a constant.
fn sum(factors: [i64; 8], offset: i64) -> LinExpr {
    let terms = factors.iter().enumerate().map(|(at, factor)| (Var(at as u32), Rat::from(*factor)));
    LinExpr::new(terms.filter(|(_, factor)| !factor.is_zero()), Rat::from(offset))
}

#[track_caller]
fn check(factors: [i64; 8], offset: i64, compared: Compared, expected: Option<&str>) {
    let found = compare(&atoms(), &sum(factors, offset), compared);
    assert_eq!(found.as_ref().map(in_c).as_deref(), expected);
}

#[test]
fn bounds() {
    check([1, 0, 0, 0, 0, 0, 0, 0], 0, Compared::AtLeast, Some("0 <= i"));
    check([1, 0, 0, 0, 0, 0, 0, 0], -3, Compared::AtLeast, Some("3 <= i"));
    check([-1, 0, 0, 0, 0, 0, 0, 0], -3, Compared::AtLeast, Some("i <= -3"));
    check([-1, 1, 0, 0, 0, 0, 0, 0], 0, Compared::AtLeast, Some("i <= n"));
    check([-1, 1, 0, 0, 0, 0, 0, 0], -1, Compared::AtLeast, Some("i < n"));
    check([-1, 1, 0, 0, 0, 0, 0, 0], 2, Compared::AtLeast, Some("i <= n + 2"));
    check([-1, -1, 0, 0, 0, 0, 0, 0], 9, Compared::AtLeast, Some("i + n <= 9"));
    check([-2, 4, 0, 0, 0, 0, 0, 0], -1, Compared::AtLeast, Some("i < 2*n"));
}

#[test]
fn what_types_say_is_not_said() {
    check([-1, 0, 0, 0, 0, 0, 0, 0], i64::from(i32::MAX), Compared::AtLeast, None);
    check([-1, 0, 0, 0, 0, 0, 0, 0], i64::from(i32::MAX) - 1, Compared::AtLeast, Some("i <= 2147483646"));
    check([1, 1, 0, 0, 0, 0, 0, 0], 1 << 32, Compared::AtLeast, None);
}

#[test]
fn equalities() {
    check([1, -1, 0, 0, 0, 0, 0, 0], 0, Compared::Equal, Some("i == n"));
    check([1, 0, 0, 0, 0, 0, 0, 0], -7, Compared::Equal, Some("i == 7"));
    check([2, 0, 0, 0, 0, 0, 0, 0], -7, Compared::Equal, None);
    check([1, -1, 0, 0, 0, 0, 0, 0], -2, Compared::Differs, Some("i != n + 2"));
}

#[test]
fn pointers_count_elements() {
    check([0, 0, -1, 1, 0, 0, 0, 0], 0, Compared::AtLeast, Some("p <= q"));
    check([0, 0, -1, 1, 0, 0, 0, 0], -4, Compared::AtLeast, Some("p < q"));
    check([0, 0, -1, 1, 0, 0, 0, 0], -8, Compared::AtLeast, Some("p + 2 <= q"));
    check([-4, 0, 1, 0, -1, 0, 0, 0], 0, Compared::Equal, Some("p == a + i"));
    check([0, 0, 1, 0, 0, -1, 0, 0], 0, Compared::AtLeast, Some("c <= p"));
    check([0, 0, 1, 0, 0, -1, 0, 0], -2, Compared::AtLeast, Some("2 <= (char *)p - (char *)c"));
    check([-1, 0, 1, 0, -1, 0, 0, 0], 0, Compared::AtLeast, Some("i <= 4*(p - a)"));
}

#[test]
fn differences_of_two_objects() {
    check([0, 0, 1, 0, -1, 0, -1, 1], 0, Compared::Equal, Some("p - a == d - e"));
}

#[test]
fn addresses_alone_are_not_written() {
    check([0, 0, 1, 0, 0, 0, 0, 0], 0, Compared::AtLeast, None);
    check([0, 0, 1, 0, 0, 0, -1, 0], 0, Compared::AtLeast, None);
}

#[test]
fn values() {
    let text = |factors, offset| value(&atoms(), &sum(factors, offset)).as_ref().map(in_c);
    assert_eq!(text([-1, 1, 0, 0, 0, 0, 0, 0], -1).as_deref(), Some("n - i - 1"));
    assert_eq!(text([0, 0, -1, 1, 0, 0, 0, 0], 0).as_deref(), Some("q - p"));
    assert_eq!(text([-1, 0, 0, 0, 0, 0, 0, 0], 9).as_deref(), Some("9 - i"));
    assert_eq!(text([0, 1, -1, 0, 1, 0, 0, 0], 0).as_deref(), Some("n - 4*(p - a)"));
}
