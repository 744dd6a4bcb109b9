//! What elements of arrays and fields of blocks lead to: places in a shared object, or a block of their own.
//!
//! [`Places`] are pointers into one object, each at `first`, or a multiple of `stride` bytes behind it, and not behind `last`: `&x[k]` for some `k`. They own nothing. An
//! [`OwnBlock`] is a live heap block that nothing else leads to, of a size between two bounds, with fields that all such blocks have; a *terminated* one has a
//! zero byte inside, as strings do. One that is *given* is not the heap's, but an object that the program was started with, as the strings of `argv` are: it
//! lives for ever, must not be freed and is never lost.
//!
//! *Sound* where a value is made of them ([`State::materialised`]): the number of strides, the size and the place of the zero byte are variables of their own, with no more than
//! what is said here. What is said without sense (bounds that are no numbers, pointers to two objects) gives a value of which nothing is known.

use belay_linear::{Constraint, LinExpr, Rat};

use super::knowledge::constant;
use super::segment::{Content, Field, find};
use super::state::{AllocKind, Allocation, Cell, State, Value};

/// Places in one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The first, a pointer.
    pub first: Value,
    /// A place that none of them is behind, a pointer to the same object.
    pub last: Value,
    /// Bytes between neighbours.
    pub stride: u64,
}

/// Heap blocks that have one owner each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnBlock {
    /// The least size, a number.
    pub least: Value,
    /// The greatest size, a number, if there is one.
    pub most: Option<Value>,
    /// True if there may be no block, but a null pointer.
    pub null: bool,
    /// True if a byte of each is 0.
    pub terminated: bool,
    /// True if they are no heap blocks, but objects that were there when the program was started.
    pub given: bool,
    /// What each of them holds.
    pub fields: Vec<Field>,
}

/// True if a content leads to blocks that nothing else leads to.
pub fn owns(content: &Content) -> bool {
    match content {
        Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Among(_) => false,
        Content::Own(_) | Content::Block(_) => true,
    }
}

/// True if fields of a state own blocks of which the `general` ones, that are to say less of the same blocks, say nothing.
pub fn loses_owned(general: &[Field], special: &[Field]) -> bool {
    let kept = |own: &Field| find(general, own.offset, own.width).is_some_and(owns);
    special.iter().any(|own| owns_heap(&own.content) && !kept(own))
}

/// True if some of these blocks are the heap's: whoever forgets them may have lost one.
pub fn owns_heap(content: &Content) -> bool {
    match content {
        Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Among(_) => false,
        Content::Own(_) => true,
        Content::Block(block) => !block.given || block.fields.iter().any(|field| owns_heap(&field.content)),
    }
}

impl OwnBlock {
    /// Where such objects come from.
    pub fn kind(&self) -> AllocKind {
        if self.given { AllocKind::Argument } else { AllocKind::Heap }
    }

    /// An object of this kind. Nothing is known of where a given one lies.
    fn allocation(&self, size: LinExpr) -> Allocation {
        match self.given {
            true => Allocation { kind: self.kind(), align: 1, ..Allocation::block(size, false) },
            false => Allocation::block(size, false),
        }
    }
}

impl State {
    /// Adds that a number is not negative.
    pub(crate) fn at_least(&mut self, expr: LinExpr) {
        self.knowledge.constraints.push(Constraint::ge(expr));
    }

    pub(crate) fn one_of(&mut self, places: &Places) -> Value {
        let (Value::Pointer(alloc, first), Value::Pointer(other, last)) = (&places.first, &places.last) else {
            return Value::Top;
        };
        let Ok(stride) = i64::try_from(places.stride) else { return Value::Top };
        if alloc != other || self.segment_of(*alloc).is_some() {
            return Value::Top;
        }
        let count = self.fresh();
        let place = first.add_scaled(&Rat::from(stride), &count);
        self.at_least(count);
        self.at_least(last.minus(&place));
        Value::Pointer(*alloc, place)
    }

    /// A block of its own; where there may be none nothing is known.
    pub(crate) fn own_block(&mut self, block: OwnBlock) -> Value {
        if block.null {
            self.forgot_block |= owns_heap(&Content::Block(block));
            return Value::Top;
        }
        let size = match (&block.least, &block.most) {
            (Value::Int(least), Some(Value::Int(most))) if least == most => least.clone(),
            (_, _) => self.fresh(),
        };
        self.at_least(size.clone());
        if let Value::Int(least) = &block.least {
            self.at_least(size.minus(least));
        }
        if let Some(Value::Int(most)) = &block.most {
            self.at_least(most.minus(&size));
        }
        let id = self.allocate(block.allocation(size.clone()));
        if block.terminated {
            let end = self.fresh();
            self.at_least(end.clone());
            self.at_least(size.minus(&end).minus(&constant(1)));
            self.cells.push(Cell { alloc: id, offset: end, width: 1, value: Value::Int(constant(0)) });
        }
        self.set_fields(id, block.fields);
        Value::Pointer(id, constant(0))
    }
}
