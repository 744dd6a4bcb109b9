//! Linear expressions over C expressions, written as C writes them.
//!
//! A pointer counts as its address in bytes, so that offsets are differences of pointers into one object; what is written adds and
//! subtracts elements, as C does. Numbers are meant without overflow.

use belay_expression::{Addend, Binary, Expr, add_up, compare_sums};
use belay_linear::{LinExpr, Rat, Var};

use crate::state::AllocId;

/// A C expression with a number as its value.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub expr: Expr,
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

impl Compared {
    fn operator(self) -> Binary {
        match self {
            Compared::AtLeast => Binary::AtLeast,
            Compared::Equal => Binary::Equal,
            Compared::Differs => Binary::Differs,
        }
    }
}

/// A part of a sum: an integer or the difference of two pointers.
struct Piece {
    expr: Expr,
    factor: Rat,
    range: Option<(i128, i128)>,
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
pub(crate) fn compare(atoms: &[Atom], expr: &LinExpr, compared: Compared) -> Option<Expr> {
    let sum = Sum::new(atoms, expr)?;
    if sum.ints.is_empty() && sum.pairs.is_empty() {
        return None;
    }
    if let [pair] = sum.pairs.as_slice()
        && let Some(condition) = by_pointers(atoms, &sum, pair, compared)
    {
        return Some(condition);
    }
    let (pieces, offset) = whole(sum.pieces(atoms), sum.offset.clone(), compared)?;
    if compared == Compared::AtLeast && follows_from_types(&pieces, &offset) {
        return None;
    }
    let side = |positive: bool| {
        let of_side = pieces.iter().filter(|piece| piece.factor.is_positive() == positive);
        of_side.map(|piece| addend(piece, &piece.factor.abs())).collect::<Option<Vec<_>>>()
    };
    Some(compare_sums(compared.operator(), &side(true)?, &side(false)?, number(&offset)?))
}

/// The value of `expr`, with whole factors that have no common divisor, rounded down; `None` if it can't be written.
pub(crate) fn value(atoms: &[Atom], expr: &LinExpr) -> Option<Expr> {
    let sum = Sum::new(atoms, expr)?;
    let (mut pieces, offset) = whole(sum.pieces(atoms), sum.offset.clone(), Compared::AtLeast)?;
    pieces.sort_by_key(|piece| piece.factor.is_negative());
    total(&pieces, &offset)
}

/// The exact value of `expr`; `None` if it can't be written.
pub(crate) fn exact(atoms: &[Atom], expr: &LinExpr) -> Option<Expr> {
    let sum = Sum::new(atoms, expr)?;
    let mut pieces = sum.pieces(atoms);
    pieces.sort_by_key(|piece| piece.factor.is_negative());
    total(&pieces, &sum.offset)
}

fn total(pieces: &[Piece], offset: &Rat) -> Option<Expr> {
    let parts = pieces.iter().map(|piece| addend(piece, &piece.factor)).collect::<Option<Vec<_>>>()?;
    Some(add_up(&parts, number(offset)?))
}

fn addend(piece: &Piece, factor: &Rat) -> Option<Addend> {
    Some((number(factor)?, piece.expr.clone()))
}

/// A whole number that is not too large to be written.
pub(crate) fn number(value: &Rat) -> Option<i128> {
    value.is_integer().then(|| value.to_string().parse().ok()).flatten()
}

impl Sum {
    fn new(atoms: &[Atom], expr: &LinExpr) -> Option<Sum> {
        let (mut ints, mut pointers) = (Vec::new(), Vec::new());
        for (var, factor) in expr.terms() {
            let atom = atoms.get(var.index())?;
            match &atom.kind {
                AtomKind::Int(range) => {
                    ints.push(Piece { expr: atom.expr.clone(), factor: factor.clone(), range: *range })
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
            let place = |var: Var| {
                let expr = atoms[var.index()].expr.clone();
                if step.is_some() { expr } else { Expr::cast("char *", expr) }
            };
            let bytes = Rat::from(step.and_then(|step| i64::try_from(step).ok()).unwrap_or(1));
            let expr = Expr::binary(Binary::Sub, place(pair.left), place(pair.right));
            Piece { expr, factor: &pair.factor * &bytes, range: Some(OFFSETS) }
        };
        let ints = self.ints.iter().map(|piece| Piece {
            expr: piece.expr.clone(),
            factor: piece.factor.clone(),
            range: piece.range,
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
fn by_pointers(atoms: &[Atom], sum: &Sum, pair: &Pair, compared: Compared) -> Option<Expr> {
    let bare = sum.ints.is_empty() && sum.offset.is_zero();
    let step = match common_step(atoms, pair) {
        Some(step) => i64::try_from(step).ok()?,
        None if bare => 1,
        None => return None,
    };
    let unit = &pair.factor.abs() * &Rat::from(step);
    let inverse = unit.recip()?;
    let (first, second) = if pair.factor.is_positive() { (pair.left, pair.right) } else { (pair.right, pair.left) };
    let place = |var: Var| vec![(1, atoms[var.index()].expr.clone())];
    let (mut up, mut down) = (place(first), place(second));
    for piece in &sum.ints {
        let factor = &piece.factor * &inverse;
        let side = if factor.is_positive() { &mut up } else { &mut down };
        side.push(addend(piece, &factor.abs())?);
    }
    let offset = &sum.offset * &inverse;
    let offset = if compared == Compared::AtLeast { offset.floor() } else { offset };
    let offset = number(&offset).filter(|offset| offset.unsigned_abs() <= i32::MAX as u128)?;
    Some(compare_sums(compared.operator(), &up, &down, offset))
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

#[cfg(test)]
mod tests;
