//! Measures: numbers made of the state at a loop head.

use belay_logic::bv::{Bits, TermId, TermStore};

use crate::row::Atom;

/// Coefficients of a sum are smaller than this.
pub const MAX_COEFFICIENT: i64 = 1 << 31;
/// Variables of a ranking_function at most.
const MAX_ATOMS: usize = 64;

/// A number made of variables at a loop head.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RankingFunction {
    /// A sum with coefficients.
    Sum(Vec<(i64, Atom)>),
    /// The greatest, negated if marked so.
    Greatest(bool, Vec<Atom>),
    /// The least, negated if marked so.
    Least(bool, Vec<Atom>),
    /// How often the second must be counted up to become the first, wrapping around; of one width.
    Distance(Point, Point),
    /// The place of a float among all floats of its format in their order, negated if marked so. The bits of a float are a sign and a magnitude; with those of
    /// negative ones complemented and the sign bit of the others set they are in the order of the numbers, read as unsigned. What
    /// NaNs are given does not matter: any number made of the state is a measure.
    Float(bool, Atom),
}

/// What a distance is from or to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// A variable.
    Atom(Atom),
    /// A number.
    Number(i64),
}

impl RankingFunction {
    /// The variables.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            RankingFunction::Sum(sum) => sum.iter().map(|(_, atom)| atom).collect(),
            RankingFunction::Greatest(_, atoms) | RankingFunction::Least(_, atoms) => atoms.iter().collect(),
            RankingFunction::Distance(to, from) => {
                let atoms = [to, from].into_iter().filter_map(|point| match point {
                    Point::Atom(atom) => Some(atom),
                    Point::Number(_) => None,
                });
                atoms.collect()
            }
            RankingFunction::Float(_, atom) => vec![atom],
        }
    }

    /// True if it can be computed without overflow.
    pub fn is_modest(&self) -> bool {
        let small = match self {
            RankingFunction::Sum(sum) => sum.iter().all(|(factor, _)| factor.abs() < MAX_COEFFICIENT),
            RankingFunction::Greatest(..)
            | RankingFunction::Least(..)
            | RankingFunction::Distance(..)
            | RankingFunction::Float(..) => true,
        };
        small && (1..=MAX_ATOMS).contains(&self.atoms().len())
    }

    /// The ranking_function as a signed term, if all its variables have values.
    pub fn term(&self, terms: &mut TermStore, value: impl Fn(&Atom) -> Option<TermId>) -> Option<TermId> {
        if !self.is_modest() {
            return None;
        }
        let values: Vec<(TermId, bool)> =
            self.atoms().into_iter().map(|atom| Some((value(atom)?, atom.signed))).collect::<Option<_>>()?;
        let widest = values.iter().map(|(term, _)| terms.width(*term)).max()?;
        match self {
            RankingFunction::Sum(sum) => Some(add_up(terms, sum, &values, widest)),
            RankingFunction::Greatest(minus, _) => choose(terms, &values, widest + 2, (*minus, false)),
            RankingFunction::Least(minus, _) => choose(terms, &values, widest + 2, (*minus, true)),
            RankingFunction::Distance(to, from) => {
                if values.iter().any(|(term, _)| terms.width(*term) != widest) {
                    return None;
                }
                let mut of = |point: &Point| match point {
                    Point::Atom(atom) => value(atom),
                    Point::Number(number) => Some(terms.constant(Bits::from_signed(widest, (*number).into()))),
                };
                let (to, from) = (of(to)?, of(from)?);
                let distance = terms.sub(to, from);
                Some(terms.zext(distance, widest + 1))
            }
            RankingFunction::Float(minus, _) => {
                let (bits, _) = values.first().copied()?;
                let sign = terms.extract(widest - 1, widest - 1, bits);
                let (below, top) = (terms.not(bits), terms.number(widest, 1 << (widest - 1)));
                let above = terms.or(bits, top);
                let place = terms.ite(sign, below, above);
                let place = terms.zext(place, widest + 2);
                Some(if *minus { terms.neg(place) } else { place })
            }
        }
    }
}

fn widen(terms: &mut TermStore, (term, signed): (TermId, bool), width: u32) -> TermId {
    match signed {
        true => terms.sext(term, width),
        false => terms.zext(term, width),
    }
}

/// A sum of multiples, wide enough not to overflow.
fn add_up(terms: &mut TermStore, sum: &[(i64, Atom)], values: &[(TermId, bool)], widest: u32) -> TermId {
    let weight: u64 = sum.iter().map(|(factor, _)| factor.unsigned_abs()).sum();
    let width = widest + 2 + (u64::BITS - weight.leading_zeros());
    let mut total = terms.number(width, 0);
    for ((factor, _), value) in sum.iter().zip(values) {
        let value = widen(terms, *value, width);
        total = match factor {
            1 => terms.add(total, value),
            -1 => terms.sub(total, value),
            factor => {
                let factor = terms.constant(Bits::from_signed(width, (*factor).into()));
                let product = terms.mul(factor, value);
                terms.add(total, product)
            }
        };
    }
    total
}

/// The least or the greatest of some values.
fn choose(
    terms: &mut TermStore,
    values: &[(TermId, bool)],
    width: u32,
    (minus, least): (bool, bool),
) -> Option<TermId> {
    let mut best: Option<TermId> = None;
    for value in values {
        let value = widen(terms, *value, width);
        best = Some(match best {
            None => value,
            Some(known) => {
                let less = terms.slt(value, known);
                if least { terms.ite(less, value, known) } else { terms.ite(less, known, value) }
            }
        });
    }
    let best = best?;
    Some(if minus { terms.neg(best) } else { best })
}
