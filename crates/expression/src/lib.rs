//! What proofs say of values, as structure: C expressions over the program's own names, conditions that hold together, and what was missing where
//! something did not follow. Checkers and engines make them; how they are written is the crate `report`'s to say, and its alone.
//!
//! Numbers in them are mathematical: nothing wraps. What is no C (all elements of an array, the sum of some) has parts of its own, so that whoever
//! writes real C (a witness) sees that it can't.

mod facts;
mod print;
mod sum;

use std::collections::BTreeSet;

pub use facts::{Facts, Missing};
pub use print::in_c;
pub use sum::{Addend, add_up, compare_sums};

/// An expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Expr {
    /// A name of the program's, or one that is made up.
    Name(String),
    /// A whole number.
    Integer(i128),
    /// A float, by its bits as one of 64, and whether C writes it with an `f`.
    Float(u128, bool),
    /// Something with one operand.
    Unary(Unary, Box<Expr>),
    /// Something with two.
    Binary(Binary, Box<[Expr; 2]>),
    /// A value as one of another type.
    Cast(String, Box<Expr>),
    /// A member of an object, by its path: `s.a.b`.
    Member(Box<Expr>, String),
    /// A member of what a pointer leads to: `p->a.b`.
    MemberOf(Box<Expr>, String),
    /// An element of an array.
    Element(Box<[Expr; 2]>),
    /// The element of an array that is looked at just now: `a[]`.
    SomeElement(Box<Expr>),
    /// A function of the notation's own, or one of the program's that gives an input.
    Call(String, Vec<Expr>),
    /// `condition ? then : otherwise`.
    Select(Box<[Expr; 3]>),
    /// A condition of all elements of an array.
    ForAll(Box<ForAll>),
    /// So many numbers added up, of which this is the first.
    SumOf(Box<[Expr; 2]>),
    /// So many combinations of values never occur.
    MoreCombinations(usize),
    /// How far some pointer is from a place that stays.
    SomeDistance,
}

/// What is done to one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unary {
    /// `-x`
    Minus,
    /// `!x`
    Not,
    /// `&x`
    AddressOf,
    /// `*p`
    Target,
}

/// What is done to two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Differs,
    And,
    Or,
}

/// A condition of elements, and which.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ForAll {
    /// What holds.
    pub condition: Expr,
    /// The names of the indices.
    pub indices: Vec<String>,
    /// Of which indices, if not of all.
    pub which: Option<Expr>,
}

impl Expr {
    /// A name.
    pub fn name(name: impl Into<String>) -> Expr {
        Expr::Name(name.into())
    }

    /// A float of 64 bits.
    pub fn double(value: f64) -> Expr {
        Expr::Float(value.to_bits().into(), false)
    }

    /// A float of 32 bits.
    pub fn single(value: f32) -> Expr {
        Expr::Float(f64::from(value).to_bits().into(), true)
    }

    /// Something with one operand.
    pub fn unary(op: Unary, operand: Expr) -> Expr {
        Expr::Unary(op, Box::new(operand))
    }

    /// Something with two operands.
    pub fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new([left, right]))
    }

    /// A value as one of another type.
    pub fn cast(to: impl Into<String>, value: Expr) -> Expr {
        Expr::Cast(to.into(), Box::new(value))
    }

    /// `-x`, also of a number.
    pub fn minus(self) -> Expr {
        match self {
            Expr::Integer(number) if number != i128::MIN => Expr::Integer(-number),
            Expr::Float(bits, single) => Expr::Float((-f64::from_bits(bits as u64)).to_bits().into(), single),
            other => Expr::unary(Unary::Minus, other),
        }
    }

    /// `!x`.
    pub fn negated(self) -> Expr {
        Expr::unary(Unary::Not, self)
    }

    /// `*p`.
    pub fn target(self) -> Expr {
        Expr::unary(Unary::Target, self)
    }

    /// `&x`.
    pub fn address(self) -> Expr {
        Expr::unary(Unary::AddressOf, self)
    }

    /// `a[i]`.
    pub fn element(self, index: Expr) -> Expr {
        Expr::Element(Box::new([self, index]))
    }

    /// `p->path`.
    pub fn member_of(self, path: impl Into<String>) -> Expr {
        Expr::MemberOf(Box::new(self), path.into())
    }

    /// `s.path`.
    pub fn member(self, path: impl Into<String>) -> Expr {
        Expr::Member(Box::new(self), path.into())
    }

    /// `f(x, …)`.
    pub fn call(name: impl Into<String>, arguments: Vec<Expr>) -> Expr {
        Expr::Call(name.into(), arguments)
    }

    /// What the function that is looked at was given for a parameter.
    pub fn old(name: impl Into<String>) -> Expr {
        Expr::call("__CPROVER_old", vec![Expr::name(name)])
    }

    /// Several conditions together; `None` if there are none.
    pub fn all_of(parts: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        parts.into_iter().reduce(|left, right| Expr::binary(Binary::And, left, right))
    }

    /// One of several conditions; `None` if there are none.
    pub fn any_of(parts: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        parts.into_iter().reduce(|left, right| Expr::binary(Binary::Or, left, right))
    }

    /// The names that occur.
    pub fn names(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        self.collect(&mut found);
        found
    }

    fn collect<'e>(&'e self, found: &mut BTreeSet<&'e str>) {
        match self {
            Expr::Name(name) => {
                found.insert(name);
            }
            Expr::Integer(_) | Expr::Float(..) | Expr::MoreCombinations(_) | Expr::SomeDistance => {}
            Expr::Unary(_, inner)
            | Expr::Cast(_, inner)
            | Expr::Member(inner, _)
            | Expr::MemberOf(inner, _)
            | Expr::SomeElement(inner) => inner.collect(found),
            Expr::Binary(_, parts) | Expr::Element(parts) | Expr::SumOf(parts) => {
                parts.iter().for_each(|part| part.collect(found));
            }
            Expr::Call(_, parts) => parts.iter().for_each(|part| part.collect(found)),
            Expr::Select(parts) => parts.iter().for_each(|part| part.collect(found)),
            Expr::ForAll(all) => {
                all.condition.collect(found);
                all.which.iter().for_each(|which| which.collect(found));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_values() {
        let element = Expr::name("a").element(Expr::binary(Binary::Add, Expr::name("i"), Expr::Integer(1)));
        let condition = Expr::binary(Binary::AtMost, element, Expr::name("p").member_of("n"));
        assert_eq!(condition.names(), BTreeSet::from(["a", "i", "p"]));
    }

    #[test]
    fn a_number_has_its_own_sign() {
        assert_eq!(Expr::Integer(3).minus(), Expr::Integer(-3));
        assert_eq!(Expr::double(1.5).minus(), Expr::double(-1.5));
        assert_eq!(Expr::name("x").minus(), Expr::unary(Unary::Minus, Expr::name("x")));
    }
}
