//! The ends of lists: pointers to the last block of a segment, and blocks that lead back (`prev`).
//!
//! A [`Tail`] gives the last block of a segment a name: a pointer to it is a pointer to that block, or `before` if the segment is empty, just as a pointer to the
//! segment is a pointer to its first block, or `target`. With a `link` each block but the first leads back to the one before, and the first
//! to `before`; then the list can be read from either end, and a segment that is *turned* says the same.
//!
//! `before` may be the end itself, as in a list whose first block leads back to the last one, or the end of another segment whose `before` is this one, where such a list is parted by a walk: a block that is there holds its own
//! last block then, and of empty segments that stand before each other a pointer to the end may be anything, which is what it becomes when they are taken away (`instead`).
//!
//! *Sound* for the same reason as segments are: nothing looks at such a pointer before it is exposed.

use belay_base::Exhausted;
use belay_linear::Rat;

use super::knowledge::Entailment;
use super::segment::{Content, ListNode, ListSegment, at, find, instead, is_at};
use super::state::{AllocId, Allocation, Cell, State, Value};

/// The last block of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tail {
    /// Its name, that of no object and no segment.
    pub id: AllocId,
    /// What a pointer to it is if the segment is empty; where blocks lead back also what the first block's link holds.
    pub before: Value,
    /// The offset of the word that leads back, if there is one.
    pub link: Option<u64>,
}

/// What stands before a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Before {
    /// This value.
    Is(Value),
    /// It does not matter: there is a block, and nothing leads back.
    Any,
    /// Not known.
    Unknown,
}

/// How a chain begins and ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// What stands before it.
    pub before: Before,
    /// The pointer to its last block, if that is known.
    pub last: Option<Value>,
}

impl ListSegment {
    /// The offset of the word that leads back.
    pub fn back(&self) -> Option<u64> {
        self.tail.as_ref().and_then(|tail| tail.link)
    }

    /// The segment read from its end; `own` is its name.
    pub fn turned(&self, own: AllocId) -> Option<ListSegment> {
        let tail = self.tail.as_ref().filter(|_| !self.node.is_tree())?;
        let (link, back) = (self.node.link?, tail.link?);
        Some(ListSegment {
            node: ListNode { link: Some(back), ..self.node.clone() },
            length: self.length.clone(),
            target: tail.before.clone(),
            fields: self.fields.clone(),
            tail: Some(Tail { id: own, before: self.target.clone(), link: Some(link) }),
        })
    }
}

impl State {
    /// The segment that has this name, or whose end has it.
    pub fn segment_of(&self, id: AllocId) -> Option<AllocId> {
        if self.segments.contains_key(&id) {
            return Some(id);
        }
        let named = |segment: &ListSegment| segment.tail.as_ref().is_some_and(|tail| tail.id == id);
        self.segments.iter().find(|(_, segment)| named(segment)).map(|(own, _)| *own)
    }

    /// The segment as it is read from the end that has this name.
    pub fn list_from(&self, id: AllocId) -> Option<ListSegment> {
        let own = self.segment_of(id)?;
        let segment = self.segments.get(&own)?;
        if own == id { Some(segment.clone()) } else { segment.turned(own) }
    }

    /// The name of the other end.
    pub fn other_end(&self, id: AllocId) -> Option<AllocId> {
        let own = self.segment_of(id)?;
        if own == id { self.segments.get(&own)?.tail.as_ref().map(|tail| tail.id) } else { Some(own) }
    }

    /// How a chain of blocks and segments begins and ends; `None` if they do not all lead back with the word at `back`.
    pub fn ends_of(&self, nodes: &[AllocId], node: &ListNode, back: Option<u64>) -> Option<Ends> {
        let mut ends: Option<Ends> = None;
        for id in nodes {
            let own = self.ends_of_one(*id, node, back)?;
            ends = Some(match ends {
                None => own,
                Some(Ends { before, last }) => {
                    let joined = matches!((&own.before, &last), (Before::Is(before), Some(last)) if before == last);
                    match (&own.before, back) {
                        (_, Some(_)) if !joined => return None,
                        // Where there is a block it does not matter what came before.
                        (Before::Any, _) => Ends { before: Before::Any, last: own.last },
                        (_, _) => Ends { before, last: own.last.filter(|_| joined) },
                    }
                }
            });
        }
        ends
    }

    fn ends_of_one(&self, id: AllocId, node: &ListNode, back: Option<u64>) -> Option<Ends> {
        let itself = Value::Pointer(id, at(node.entry));
        let Some(segment) = self.list_from(id) else {
            let Some(back) = back else { return Some(Ends { before: Before::Any, last: Some(itself) }) };
            let is_link = |cell: &&Cell| cell.alloc == id && is_at(&cell.offset, back) && cell.width == node.width;
            // The first block's word may hold anything.
            let before = match self.cells.iter().find(is_link).map(|cell| &cell.value) {
                Some(known @ (Value::Pointer(..) | Value::Null)) => known.clone(),
                Some(_) | None => Value::Top,
            };
            return Some(Ends { before: Before::Is(before), last: Some(itself) });
        };
        match (&segment.tail, back) {
            (Some(tail), _) if back.is_none() || tail.link == back => Some(Ends {
                before: Before::Is(tail.before.clone()),
                last: Some(Value::Pointer(tail.id, at(node.entry))),
            }),
            (None, _) if segment.node.link.is_none() => {
                // The first block is the last; where there is none both are `target`.
                let held = back.map(|back| find(&segment.fields, back, node.width));
                let fits = held.is_none_or(|held| held == Some(&Content::Same(segment.target.clone())));
                fits.then(|| Ends { before: Before::Is(segment.target.clone()), last: Some(itself) })
            }
            (_, None) => Some(Ends { before: Before::Unknown, last: None }),
            (_, Some(_)) => None,
        }
    }

    /// Turns a segment, so that its other end is its start.
    pub(crate) fn turn(&mut self, own: AllocId) {
        let turned = self.segments.get(&own).and_then(|segment| segment.turned(own));
        if let (Some(turned), Some(start)) = (turned, self.other_end(own)) {
            self.segments.remove(&own);
            self.segments.insert(start, turned);
        }
    }

    /// The segment taken away as empty.
    pub(crate) fn emptied(
        mut self,
        id: AllocId,
        segment: &ListSegment,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<State>, Exhausted> {
        self.segments.remove(&id);
        let entry = segment.node.entry;
        let tail = segment.tail.as_ref();
        let names = [Some(id), tail.map(|tail| tail.id)];
        self.for_each_value_mut(|value| *value = instead(value, id, names, entry, &segment.target));
        if let Some(tail) = tail {
            self.for_each_value_mut(|value| *value = instead(value, tail.id, names, entry, &tail.before));
        }
        self.with_zero(segment.length.clone(), oracle)
    }

    /// Makes the last block of a segment that is not empty an object of its own; nothing leads back in it.
    pub(crate) fn unfold_end(&mut self, id: AllocId) {
        let Some(segment) = self.segments.get(&id) else { return };
        let (Some(end), Some(link)) = (segment.tail.as_ref().map(|tail| tail.id), segment.node.link) else { return };
        let size = at(segment.node.size);
        let block = self.allocate(Allocation::block(size, false));
        self.for_each_value_mut(|value| match value {
            Value::Pointer(other, _) | Value::Address(other, _) if *other == end => *other = block,
            _ => {}
        });
        // As it is now: what the last block leads to, or all blocks hold, may be the last.
        let Some(ListSegment { node, length, target, fields, .. }) = self.segments.get(&id).cloned() else { return };
        self.cells.push(Cell { alloc: block, offset: at(link), width: node.width, value: target });
        if let Some(rest) = self.segments.get_mut(&id) {
            rest.length = length.plus_constant(&Rat::MINUS_ONE);
            rest.target = Value::Pointer(block, at(node.entry));
            rest.tail = None;
        }
        self.set_fields(block, fields);
    }
}
