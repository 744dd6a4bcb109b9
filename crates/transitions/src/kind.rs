//! The numbers that stand for a value of the program.
//!
//! A machine integer of `w` bits is a class of numbers that differ by multiples of 2^w; which of them stands for it is a choice
//! that changes nothing about the program, but much about how simple the system is: a counter that goes down to zero as an unsigned number
//! wraps round in the middle of its way if it is read as signed. [`Readings`](super::readings::Readings) makes the choice.

use belay_its::{Atom, Poly};
use belay_linear::Rat;

/// Which number of its class stands for a machine integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// Integers are not of machine size: the value itself.
    Unbounded,
    /// The one in [-2^(w-1), 2^(w-1)).
    Signed,
    /// The one in [0, 2^w).
    Unsigned,
}

/// A type as the system sees it. Truth values are 0 and 1 in every reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    pub width: u16,
    pub reading: Reading,
}

impl Kind {
    /// Values of more bits are arbitrary: their bounds would not fit.
    const WIDEST: u16 = 126;

    pub(super) fn is_unbounded(self) -> bool {
        self.reading == Reading::Unbounded
    }

    pub(super) fn is_unsigned(self) -> bool {
        self.reading == Reading::Unsigned
    }

    /// True if the bounds of the type are numbers that can be handled.
    pub(super) fn is_handled(self) -> bool {
        self.width <= Self::WIDEST
    }

    pub(super) fn least(self) -> i128 {
        if self.is_unsigned() { 0 } else { -(1i128 << (self.width - 1)) }
    }

    pub(super) fn greatest(self) -> i128 {
        let half = 1i128 << (self.width - 1);
        if self.is_unsigned() { half - 1 + half } else { half - 1 }
    }

    /// 2^w.
    pub(super) fn size(self) -> i128 {
        1i128 << self.width
    }

    /// The bounds of a value.
    pub(super) fn range(self, value: &Poly) -> Vec<Atom> {
        let bounds = match (self.width, self.reading) {
            (1, _) => (0, 1),
            (_, Reading::Unbounded) => return Vec::new(),
            (2..=Self::WIDEST, Reading::Signed | Reading::Unsigned) => (self.least(), self.greatest()),
            (_, Reading::Signed | Reading::Unsigned) => return Vec::new(),
        };
        vec![Atom::at_least(value, &constant(bounds.0)), Atom::at_least(&constant(bounds.1), value)]
    }

    /// The number that stands for these bits.
    pub(super) fn number(self, bits: u128) -> i128 {
        match (self.width, self.reading) {
            (1, _) => i128::from(bits != 0),
            (2..=Self::WIDEST, Reading::Unsigned) => (bits & (self.size() as u128 - 1)) as i128,
            (_, Reading::Unbounded | Reading::Signed | Reading::Unsigned) => signed(bits, self.width),
        }
    }
}

/// The bits as a signed number.
pub(super) fn signed(bits: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

pub(super) fn constant(number: i128) -> Poly {
    Poly::constant(rational(number))
}

pub(super) fn rational(number: i128) -> Rat {
    Rat::parse_integer(&number.to_string()).expect("an integer's digits")
}
