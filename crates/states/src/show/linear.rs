//! Linear expressions over C expressions, written as C writes them.
//!
//! A pointer counts as its address in bytes, so that offsets are differences of pointers into one object; what is written adds and
//! subtracts elements, as C does. Numbers are meant without overflow.

use belay_linear::{LinExpr, Rat, Var};

use crate::state::AllocId;

/// A C expression with a number as its value.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub text: String,
    pub kind: AtomKind,
    /// It can be written where the state stands.
    pub near: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum AtomKind {
    /// An integer, and the range of its type.
    Int(Option<(i128, i128)>),
    /// An address in an object, the size of what it points to, and whether other places of the object are told from it.
    Pointer { object: AllocId, step: u64, base: bool },
}

/// How an expression compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    AtLeast,
    Equal,
    Differs,
}

/// A part of a sum: an integer or the difference of two pointers.
struct Piece {
    text: String,
    factor: Rat,
    range: Option<(i128, i128)>,
    compound: bool,
}

/// Two addresses of which the second is subtracted from the first.
struct Pair {
    left: Var,
    right: Var,
    factor: Rat,
}

/// A sum of pieces and a constant; `None` if addresses do not cancel out.
struct Sum {
    ints: Vec<Piece>,
    pairs: Vec<Pair>,
    offset: Rat,
}

/// Offsets within an object.
const OFFSETS: (i128, i128) = (i64::MIN as i128, i64::MAX as i128);

/// The comparison of `expr` with 0; `None` if it says nothing beyond the types, or can't be written.
pub(crate) fn compare(atoms: &[Atom], expr: &LinExpr, compared: Compared) -> Option<String> {
    let sum = Sum::new(atoms, expr)?;
    if sum.ints.is_empty() && sum.pairs.is_empty() {
        return None;
    }
    if let [pair] = sum.pairs.as_slice()
        && let Some(text) = by_pointers(atoms, &sum, pair, compared)
    {
        return Some(text);
    }
    let (pieces, offset) = whole(sum.pieces(atoms), sum.offset.clone(), compared)?;
    if compared == Compared::AtLeast && follows_from_types(&pieces, &offset) {
        return None;
    }
    let side = |positive: bool| {
        let of_side = pieces.iter().filter(|piece| piece.factor.is_positive() == positive);
        of_side.map(|piece| addend(piece, &piece.factor.abs(), false)).collect::<Vec<_>>()
    };
    Some(written(side(true), side(false), &offset, compared))
}

/// The value of `expr`, with whole factors that have no common divisor, rounded down; `None` if it can't be written.
pub(crate) fn value(atoms: &[Atom], expr: &LinExpr) -> Option<String> {
    let sum = Sum::new(atoms, expr)?;
    let (mut pieces, offset) = whole(sum.pieces(atoms), sum.offset.clone(), Compared::AtLeast)?;
    pieces.sort_by_key(|piece| piece.factor.is_negative());
    Some(sum_text(&pieces, &offset))
}

/// The exact value of `expr`; `None` if it can't be written.
pub(crate) fn exact(atoms: &[Atom], expr: &LinExpr) -> Option<String> {
    let sum = Sum::new(atoms, expr)?;
    let mut pieces = sum.pieces(atoms);
    let fits = sum.offset.is_integer() && pieces.iter().all(|piece| piece.factor.is_integer());
    pieces.sort_by_key(|piece| piece.factor.is_negative());
    fits.then(|| sum_text(&pieces, &sum.offset))
}

fn sum_text(pieces: &[Piece], offset: &Rat) -> String {
    let mut text = String::new();
    let leads = pieces.first().is_some_and(|piece| piece.factor.is_negative()) && offset.is_positive();
    if leads {
        text = offset.to_string();
    }
    for piece in pieces {
        let negative = piece.factor.is_negative();
        text.push_str(match (text.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        text.push_str(&addend(piece, &piece.factor.abs(), negative));
    }
    match (text.is_empty(), offset.signum()) {
        (true, _) => offset.to_string(),
        (false, 0) => text,
        (false, _) if leads => text,
        (false, 1) => format!("{text} + {offset}"),
        (false, _) => format!("{text} - {}", offset.abs()),
    }
}

fn addend(piece: &Piece, factor: &Rat, parenthesised: bool) -> String {
    let wrapped = || if piece.compound { format!("({})", piece.text) } else { piece.text.clone() };
    match factor.is_one() {
        true if parenthesised => wrapped(),
        true => piece.text.clone(),
        false => format!("{factor}*{}", wrapped()),
    }
}

impl Sum {
    fn new(atoms: &[Atom], expr: &LinExpr) -> Option<Sum> {
        let (mut ints, mut pointers) = (Vec::new(), Vec::new());
        for (var, factor) in expr.terms() {
            let atom = atoms.get(var.index())?;
            match &atom.kind {
                AtomKind::Int(range) => {
                    ints.push(Piece { text: atom.text.clone(), factor: factor.clone(), range: *range, compound: false })
                }
                AtomKind::Pointer { object, base, .. } => pointers.push((*object, *base, *var, factor.clone())),
            }
        }
        // Bases last: what lies between two other places is told without them.
        pointers.sort_by_key(|(object, base, var, _)| (*object, *base, *var));
        let mut pairs = Vec::new();
        while let Some((object, _, left, factor)) = pointers.first().cloned() {
            let partner = pointers
                .iter()
                .position(|(other, _, _, against)| *other == object && against.signum() == -factor.signum())?;
            let (_, _, right, against) = pointers[partner].clone();
            let size = factor.abs().min(against.abs());
            let used = if factor.is_positive() { size.clone() } else { -&size };
            // Distances from a base are told from it, others so that they are added.
            let flipped = used.is_negative() && !pointers[partner].1;
            pairs.push(match flipped {
                true => Pair { left: right, right: left, factor: size.clone() },
                false => Pair { left, right, factor: used.clone() },
            });
            pointers[partner].3 = &against + &used;
            pointers[0].3 = &factor - &used;
            pointers.retain(|(_, _, _, factor)| !factor.is_zero());
        }
        Some(Sum { ints, pairs, offset: expr.offset().clone() })
    }

    fn pieces(&self, atoms: &[Atom]) -> Vec<Piece> {
        let pair = |pair: &Pair| {
            let step = common_step(atoms, pair);
            let name = |var: Var| {
                let text = &atoms[var.index()].text;
                if step.is_some() { text.clone() } else { format!("(char *){text}") }
            };
            let bytes = Rat::from(step.and_then(|step| i64::try_from(step).ok()).unwrap_or(1));
            let text = format!("{} - {}", name(pair.left), name(pair.right));
            Piece { text, factor: &pair.factor * &bytes, range: Some(OFFSETS), compound: true }
        };
        let ints = self.ints.iter().map(|piece| Piece {
            text: piece.text.clone(),
            factor: piece.factor.clone(),
            range: piece.range,
            compound: piece.compound,
        });
        self.pairs.iter().map(pair).chain(ints).collect()
    }
}

/// The size of what both pointers point to, if it is the same.
fn common_step(atoms: &[Atom], pair: &Pair) -> Option<u64> {
    let step = |var: Var| match atoms[var.index()].kind {
        AtomKind::Pointer { step, .. } => Some(step),
        AtomKind::Int(_) => None,
    };
    step(pair.left).filter(|left| step(pair.right) == Some(*left))
}

/// One pair of pointers and integers that count elements: `q + i <= p`.
fn by_pointers(atoms: &[Atom], sum: &Sum, pair: &Pair, compared: Compared) -> Option<String> {
    let bare = sum.ints.is_empty() && sum.offset.is_zero();
    let step = match common_step(atoms, pair) {
        Some(step) => i64::try_from(step).ok()?,
        None if bare => 1,
        None => return None,
    };
    let unit = &pair.factor.abs() * &Rat::from(step);
    let inverse = unit.recip()?;
    let (first, second) = if pair.factor.is_positive() { (pair.left, pair.right) } else { (pair.right, pair.left) };
    let (mut up, mut down) = (vec![atoms[first.index()].text.clone()], vec![atoms[second.index()].text.clone()]);
    for piece in &sum.ints {
        let factor = &piece.factor * &inverse;
        if !factor.is_integer() {
            return None;
        }
        let side = if factor.is_positive() { &mut up } else { &mut down };
        side.push(addend(piece, &factor.abs(), false));
    }
    let offset = &sum.offset * &inverse;
    let offset = if compared == Compared::AtLeast { offset.floor() } else { offset };
    if !offset.is_integer() || offset.to_i64().is_none_or(|offset| offset.unsigned_abs() > i32::MAX as u64) {
        return None;
    }
    Some(written(up, down, &offset, compared))
}

/// Whole factors without a common divisor.
fn whole(mut pieces: Vec<Piece>, offset: Rat, compared: Compared) -> Option<(Vec<Piece>, Rat)> {
    let mut scale = Rat::ONE;
    for piece in &pieces {
        scale = &scale * &(&scale * &piece.factor).denominator();
    }
    let divisor = pieces.iter().fold(Rat::ZERO, |gcd, piece| gcd.gcd(&(&piece.factor * &scale)));
    if let Some(inverse) = divisor.recip() {
        scale = &scale * &inverse;
    }
    pieces.iter_mut().for_each(|piece| piece.factor = &piece.factor * &scale);
    let offset = &offset * &scale;
    match (compared, offset.is_integer()) {
        (_, true) => Some((pieces, offset)),
        (Compared::AtLeast, false) => Some((pieces, offset.floor())),
        (Compared::Equal | Compared::Differs, false) => None,
    }
}

/// True if the sum is not negative for any values of its parts' types.
fn follows_from_types(pieces: &[Piece], offset: &Rat) -> bool {
    let least = |piece: &Piece| {
        let (low, high) = piece.range?;
        let factor = i128::from(piece.factor.to_i64()?);
        factor.checked_mul(if factor < 0 { high } else { low })
    };
    let Some(mut total) = offset.to_i64().map(i128::from) else { return offset.is_positive() };
    for piece in pieces {
        match least(piece).and_then(|part| total.checked_add(part)) {
            Some(sum) => total = sum,
            None => return false,
        }
    }
    total >= 0
}

/// `up - down + offset` compared with 0.
fn written(up: Vec<String>, down: Vec<String>, offset: &Rat, compared: Compared) -> String {
    let joined = |parts: &[String], extra: &Rat| {
        let number = (!extra.is_zero()).then(|| extra.to_string());
        parts.iter().cloned().chain(number).collect::<Vec<_>>().join(" + ")
    };
    let zero = Rat::ZERO;
    if compared == Compared::AtLeast {
        return match (up.is_empty(), down.is_empty(), offset.signum()) {
            (true, _, _) => format!("{} <= {offset}", joined(&down, &zero)),
            (_, true, _) => format!("{} <= {}", -offset, joined(&up, &zero)),
            (_, _, -1) if *offset == Rat::MINUS_ONE => format!("{} < {}", joined(&down, &zero), joined(&up, &zero)),
            (_, _, -1) => format!("{} <= {}", joined(&down, &offset.abs()), joined(&up, &zero)),
            (_, _, _) => format!("{} <= {}", joined(&down, &zero), joined(&up, offset)),
        };
    }
    let sign = if compared == Compared::Equal { "==" } else { "!=" };
    match (up.is_empty(), down.is_empty(), offset.is_negative()) {
        (true, _, _) => format!("{} {sign} {offset}", joined(&down, &zero)),
        (_, true, _) => format!("{} {sign} {}", joined(&up, &zero), -offset),
        (_, _, true) => format!("{} {sign} {}", joined(&up, &zero), joined(&down, &offset.abs())),
        (_, _, false) => format!("{} {sign} {}", joined(&up, offset), joined(&down, &zero)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: AllocId = AllocId::Made(0);
    const OTHER: AllocId = AllocId::Made(1);

    /// `i` and `n` are 32 bits wide; `p`, `q` and the base `a` point to four bytes each in one object, `c` to one byte of it; `d` and the base
    /// `e` point to four bytes in another.
    fn atoms() -> Vec<Atom> {
        let int = |text: &str| Atom {
            text: text.to_owned(),
            kind: AtomKind::Int(Some((i128::from(i32::MIN), i128::from(i32::MAX)))),
            near: true,
        };
        let pointer = |text: &str, object, step, base| Atom {
            text: text.to_owned(),
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
        assert_eq!(found.as_deref(), expected);
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
        let text = |factors, offset| value(&atoms(), &sum(factors, offset));
        assert_eq!(text([-1, 1, 0, 0, 0, 0, 0, 0], -1).as_deref(), Some("n - i - 1"));
        assert_eq!(text([0, 0, -1, 1, 0, 0, 0, 0], 0).as_deref(), Some("q - p"));
        assert_eq!(text([-1, 0, 0, 0, 0, 0, 0, 0], 9).as_deref(), Some("9 - i"));
        assert_eq!(text([0, 1, -1, 0, 1, 0, 0, 0], 0).as_deref(), Some("n - 4*(p - a)"));
    }
}
