//! Arrays of pointers: what all elements between two offsets of an object hold.
//!
//! An [`ArrayRange`] says: `to - from` is a multiple of `step` and not negative, and at each of the offsets `from`, `from + step`, ... below `to` the object has a
//! word of `width` bytes with the `content`. The content is one of those that the blocks of a list have: the same value in all, a place in an object that others
//! may lead to as well ([`Places`]), a block of its own ([`OwnBlock`]) or a list of its own. What an element owns is no other object of the state, and is owned
//! by no other element or block.
//!
//! *Sound*: a range is a fact about memory, as a cell is. Before an element is read or written by its address it is *exposed*: where the address is inside the range
//! the word becomes a cell of its own, and the elements before and after it ranges; where it may be outside, the states are told apart by linear
//! conditions, which cover all cases. A write that may touch a range otherwise forgets it, and so do the end of its object and writes and frees through pointers that are not known.
//! Whoever forgets a range that owns blocks, and is not known to be empty, says so ([`State::forgot_block`]): the blocks may still be alive.
//! Elements that own nothing may be copied; those that own something are moved by a copy, since what they lead to has one owner: the words that they were copied
//! from are forgotten.
//!
//! *Strings*: a range of single bytes of which none is 0 ([`Content::NonZero`]) stands between the start of a string and its end (see [`super::strings`]). Reading one
//! of them takes nothing out: the byte becomes a cell as well, of a value that is not 0.
//!
//! *Incomplete*: elements are found at addresses that are congruent to the range's start by the coefficients of the linear form alone.

use belay_linear::{LinExpr, Rat};

use super::element::{owns, owns_heap};
use super::knowledge::constant;
use super::segment::Content;
use super::state::{AllocId, Cell, State, Value};

/// Elements of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayRange {
    /// The object.
    pub alloc: AllocId,
    /// The offset of the first of its words.
    pub from: LinExpr,
    /// The offset behind the last, as if there were one more.
    pub to: LinExpr,
    /// Bytes from one word to the next.
    pub step: u64,
    /// Bytes of each word.
    pub width: u64,
    /// What each of them holds.
    pub content: Content,
}

impl ArrayRange {
    /// True if its elements lead to blocks that nothing else leads to.
    pub fn owns(&self) -> bool {
        owns(&self.content)
    }

    /// True if some of those blocks are the heap's.
    pub fn owns_heap(&self) -> bool {
        owns_heap(&self.content)
    }

    /// True if the form makes sense at all.
    pub fn is_well_formed(&self) -> bool {
        let bytes = self.content != Content::NonZero || (self.width == 1 && self.step == 1);
        bytes && (1..=8).contains(&self.width) && self.width <= self.step && self.step <= 1 << 20
    }

    /// How far an offset is behind the element at or before it, if the form of both says so.
    pub fn residue(&self, offset: &LinExpr) -> Option<u64> {
        residue(&offset.minus(&self.from), self.step)
    }
}

/// What is left of a number when it is divided by `step`, if that does not depend on variables.
pub fn residue(expr: &LinExpr, step: u64) -> Option<u64> {
    let step = Rat::from(i64::try_from(step).ok()?);
    let each = step.recip()?;
    let whole = expr.terms().iter().all(|(_, factor)| (factor * &each).is_integer());
    if !whole || !expr.offset().is_integer() {
        return None;
    }
    let rest = expr.offset() - &(&(expr.offset() * &each).floor() * &step);
    rest.to_i64().and_then(|rest| u64::try_from(rest).ok())
}

impl State {
    /// Forgets all ranges: their elements and what they lead to may have been changed.
    pub(crate) fn forget_ranges(&mut self) {
        self.forgot_block |= self.ranges.iter().any(ArrayRange::owns_heap);
        self.ranges.clear();
    }

    /// Forgets the ranges of an object.
    pub(crate) fn forget_ranges_of(&mut self, alloc: AllocId) {
        let own = |range: &ArrayRange| range.alloc == alloc;
        self.forgot_block |= self.ranges.iter().any(|range| own(range) && range.owns_heap());
        self.ranges.retain(|range| !own(range));
    }

    /// A value of a content: what it owns becomes part of the state.
    pub fn materialised(&mut self, content: Content) -> Value {
        match content {
            Content::Same(value) => value,
            Content::Between(low, high) => {
                let number = self.fresh();
                self.at_least(number.minus(&constant(i128::from(low))));
                self.at_least(constant(i128::from(high)).minus(&number));
                Value::Int(number)
            }
            Content::NonZero => {
                let number = self.fresh();
                self.knowledge.apart.push(number.clone());
                Value::Int(number)
            }
            Content::Own(list) => self.begin(list),
            Content::Among(places) => self.one_of(&places),
            Content::Block(block) => self.own_block(block),
        }
    }
}

/// True if a cell stands in an object of which a range is known.
pub fn in_array(state: &State, cell: &Cell) -> bool {
    state.ranges.iter().any(|range| range.alloc == cell.alloc)
}
