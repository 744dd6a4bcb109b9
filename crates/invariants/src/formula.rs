//! What holds of many elements, as the program itself computes it: `c[j] == a[j] - b[j]`, `a[j] >= least || a[j] == 0`, `m[j][k] == j + k`. How such
//! rows are used and checked: [`super::every`].

use belay_ir::{BinaryOp, CastOp, GlobalId, InstId, IntPredicate};

use crate::row::{IndexRange, Variable};

/// A condition or a number, for some indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// A constant.
    Number {
        /// Its bits.
        width: u32,
        /// Its value.
        value: u128,
    },
    /// The low bits of an index.
    Index {
        /// Which index.
        dimension: u32,
        /// How many bits.
        width: u32,
    },
    /// An element of an array.
    Element(Box<Element>),
    /// The sum of the first elements of an array.
    PrefixSum(Box<PrefixSum>),
    /// A number at the head.
    Variable(Variable),
    /// Arithmetic.
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
    /// A comparison.
    Compare(IntPredicate, Box<Formula>, Box<Formula>),
    /// An integer made wider or narrower.
    Cast(CastOp, u32, Box<Formula>),
    /// One of two, by a condition.
    Select(Box<[Formula; 3]>),
}

/// A number in an array, at a place that indices say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Element {
    /// The array.
    pub array: Array,
    /// The bytes of the number, a power of 2.
    pub size: u32,
    /// How many bytes further it is where an index is one greater, by index.
    pub strides: Vec<(u32, i64)>,
    /// Where it is if all indices are 0: a number of bytes, read as signed.
    pub base: Formula,
}

impl Element {
    /// The element at the first index of an array of such elements.
    pub fn at_index(array: Array, size: u32) -> Self {
        Self { array, size, strides: vec![(0, size.into())], base: Formula::Number { width: 64, value: 0 } }
    }

    /// The number of bytes from the array's start, if all indices are 0 and this is a constant.
    pub fn constant_base(&self) -> Option<i64> {
        match self.base {
            Formula::Number { width: 64, value } => Some(value as i64),
            _ => None,
        }
    }
}

/// The sum of so many numbers of an array, from its first one on: of none if there are less than none, of all if there are more than the array has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PrefixSum {
    /// The first of the numbers, which has no index.
    pub first: Formula,
    /// The bytes from one to the next.
    pub stride: u32,
    /// Whether the numbers are read as signed where they are made wider.
    pub signed: bool,
    /// The bits of the sum, at least as many as those of the numbers.
    pub width: u32,
    /// How many, read as signed.
    pub count: Formula,
}

impl Formula {
    /// Calls `visit` for this and all parts.
    pub fn for_each(&self, visit: &mut impl FnMut(&Formula)) {
        visit(self);
        match self {
            Formula::Number { .. } | Formula::Index { .. } | Formula::Variable(_) => {}
            Formula::Element(element) => element.base.for_each(visit),
            Formula::PrefixSum(total) => {
                total.first.for_each(visit);
                total.count.for_each(visit);
            }
            Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => {
                a.for_each(visit);
                b.for_each(visit);
            }
            Formula::Cast(_, _, a) => a.for_each(visit),
            Formula::Select(parts) => parts.iter().for_each(|part| part.for_each(visit)),
        }
    }

    /// True if the value depends on what arrays hold, or on an index.
    pub fn is_about_elements(&self) -> bool {
        let mut found = false;
        self.for_each(&mut |part| found |= matches!(part, Formula::Index { .. } | Formula::Element(_)));
        found
    }

    /// True if a sum over an array is part of it.
    pub fn has_prefix_sum(&self) -> bool {
        let mut found = false;
        self.for_each(&mut |part| found |= matches!(part, Formula::PrefixSum(_)));
        found
    }

    /// How many indices there are, by the greatest one that is mentioned.
    pub fn dimensions(&self) -> u32 {
        let mut count = 0;
        self.for_each(&mut |part| match part {
            Formula::Index { dimension, .. } => count = count.max(dimension + 1),
            Formula::Element(element) => {
                count = element.strides.iter().map(|(dimension, _)| dimension + 1).fold(count, u32::max);
            }
            _ => {}
        });
        count
    }
}

/// The pointer to the first element of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Array {
    /// The value of an instruction.
    Register(InstId),
    /// A parameter.
    Param(u32),
    /// A static object.
    Global(GlobalId),
}

/// On which side of a number an index is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Side {
    Below,
    UpTo,
    At,
    From,
    Above,
}

impl From<IndexRange> for Side {
    fn from(segment: IndexRange) -> Self {
        match segment {
            IndexRange::Below | IndexRange::BelowOffset => Side::Below,
            IndexRange::Above => Side::Above,
        }
    }
}

/// Where an index is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Limit {
    /// Which index.
    pub dimension: u32,
    /// On which side.
    pub side: Side,
    /// Of which number at the head, read as signed.
    pub end: Formula,
}

/// A condition of every element of some indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ForAll {
    /// Where the indices are in any case.
    pub within: Vec<Limit>,
    /// Which indices are meant: those for which one of these holds as a whole; all if there is none.
    pub segments: Vec<Vec<Limit>>,
    /// Whether the other indices are meant.
    pub rest: bool,
    /// The condition.
    pub condition: Formula,
}

impl ForAll {
    /// How many indices the row speaks of.
    pub fn dimensions(&self) -> u32 {
        let limits = self.within.iter().chain(self.segments.iter().flatten());
        limits.map(|limit| limit.dimension + 1).fold(self.condition.dimensions(), u32::max)
    }
}
