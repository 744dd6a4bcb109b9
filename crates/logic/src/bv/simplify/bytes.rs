//! Counting and reordering bits: the compiler's `ctpop`, `ctlz`, `cttz` and `bswap`, as terms of
//! other operations.

use super::super::term::{TermId, TermStore};
use super::super::value::Bits;

impl TermStore {
    /// How many bits of `a` are 1, as a term of the same width (modulo 2^width, which matters for
    /// one bit only in that 1 stays 1). Halves are counted with just the bits that their counts need.
    pub fn popcount(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut counts: Vec<TermId> = (0..width).map(|index| self.extract(index, index, a)).collect();
        while counts.len() > 1 {
            counts = counts.chunks(2).map(|pair| self.wide_sum(pair)).collect();
        }
        let count = counts.pop().expect("a term has at least one bit");
        self.fit_width(count, width)
    }

    /// The sum of one or two counts, one bit wider than the wider of them.
    fn wide_sum(&mut self, counts: &[TermId]) -> TermId {
        let width = counts.iter().map(|&count| self.width(count)).max().unwrap_or(0) + 1;
        match counts {
            [a, b] => {
                let (a, b) = (self.zext(*a, width), self.zext(*b, width));
                self.add(a, b)
            }
            [single, ..] => *single,
            [] => self.number(width, 0),
        }
    }

    fn fit_width(&mut self, a: TermId, width: u32) -> TermId {
        if self.width(a) > width { self.extract(width - 1, 0, a) } else { self.zext(a, width) }
    }

    /// How many bits above the highest 1 are 0; the width (modulo 2^width) if all are.
    pub fn clz(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.first_set(a, 0..width, |index| width - 1 - index)
    }

    /// How many bits below the lowest 1 are 0; the width (modulo 2^width) if all are.
    pub fn ctz(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.first_set(a, (0..width).rev(), |index| index)
    }

    /// `count` of the last index in `order` whose bit is 1, else the width.
    fn first_set(&mut self, a: TermId, order: impl Iterator<Item = u32>, count: impl Fn(u32) -> u32) -> TermId {
        let width = self.width(a);
        let mut result = self.constant(Bits::new(width, u128::from(width)));
        for index in order {
            let bit = self.extract(index, index, a);
            let value = self.constant(Bits::new(width, u128::from(count(index))));
            result = self.ite(bit, value, result);
        }
        result
    }

    /// The bytes of `a` in reverse order. The width must be a multiple of 8.
    pub fn bswap(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width % 8, 0, "only whole bytes can be swapped");
        let mut bytes = (0..width / 8).map(|index| (8 * index + 7, 8 * index));
        let (high, low) = bytes.next().expect("at least one byte");
        let first = self.extract(high, low, a);
        bytes.fold(first, |swapped, (high, low)| {
            let byte = self.extract(high, low, a);
            self.concat(swapped, byte)
        })
    }
}
