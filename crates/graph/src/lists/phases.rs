//! Lists in phases: blocks that follow a list and hold another number than all of its blocks are not part of it.
//!
//! `while (x->data != 1) x = x->next` ends at a block with 1 that comes after a list of blocks with 0. Taken into the list, all that is said of its blocks is that they hold 0 or 1,
//! and the walk may come to the end. So may lists be made in phases, each with a number of its own.

use belay_symbolic::{Chain, Content, ListNode, Value};

use super::super::elements::bounds_of;
use super::super::pairing::{Pairer, Phases};
use super::Side;

/// Lists in a state beyond which no phase is added.
const MAX_PHASES: usize = 4;

/// A range of numbers.
type Range = (i64, i64);

impl Pairer<'_> {
    /// True if what comes after so many blocks of both chains is told from them by a number.
    pub(super) fn is_told_apart(&self, node: &ListNode, chains: &(Chain, Chain), (i, j): (usize, usize)) -> bool {
        if self.phases == Phases::Joined {
            return false;
        }
        let (left, right) = (&chains.0.nodes, &chains.1.nodes);
        let next = [left.get(i).map(|id| Side::Left(*id)), right.get(j).map(|id| Side::Right(*id))];
        // What the older state does not have yet can be added only so often.
        let adds = next[0].is_none() && self.left.segments.len() >= MAX_PHASES;
        if adds || next.iter().all(Option::is_none) {
            return false;
        }
        let own = left[..i].iter().map(|id| Side::Left(*id));
        let before: Vec<Side> = own.chain(right[..j].iter().map(|id| Side::Right(*id))).collect();
        let differs = |(offset, width): &(u64, u64)| {
            let ranges: Option<Vec<Range>> = before.iter().map(|side| self.range_at(*side, *offset, *width)).collect();
            let Some(own) = ranges.and_then(|ranges| ranges.into_iter().reduce(hull)) else { return false };
            let apart = |side: &Side| {
                self.range_at(*side, *offset, *width).is_some_and(|other| other.1 < own.0 || own.1 < other.0)
            };
            next.iter().flatten().all(apart)
        };
        self.numbers_of(node, &before).iter().any(differs)
    }

    /// The places at which all blocks of a list among these hold a number.
    fn numbers_of(&self, node: &ListNode, sides: &[Side]) -> Vec<(u64, u64)> {
        let segment = |side: &Side| {
            let state = self.side(*side);
            state.segments.get(&state.segment_of(side.id())?)
        };
        let fields = sides.iter().filter_map(segment).flat_map(|segment| &segment.fields);
        let numbers =
            fields.filter(|field| matches!(field.content, Content::Same(Value::Int(_)) | Content::Between(..)));
        let mut places: Vec<(u64, u64)> = numbers.map(|field| (field.offset, field.width)).collect();
        places.retain(|(offset, _)| node.links().all(|link| link != *offset));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The numbers that a block, or all blocks of a list, can hold at a place.
    fn range_at(&self, side: Side, offset: u64, width: u64) -> Option<Range> {
        match self.side(side).field_of(side.id(), offset, width)? {
            Content::Between(Value::Int(low), Value::Int(high)) => {
                let state = self.side(side);
                Some((bounds_of(state, &low)?.0, bounds_of(state, &high)?.1))
            }
            Content::Between(..) => None,
            Content::Same(Value::Int(number)) => bounds_of(self.side(side), &number),
            Content::Same(_) | Content::NonZero | Content::Own(_) | Content::Among(_) | Content::Block(_) => None,
        }
    }
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}
