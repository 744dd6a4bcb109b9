//! Segments of the general state as chains of the special one.

use belay_base::Exhausted;
use belay_linear::LinExpr;

use super::super::element::{OwnBlock, loses_owned, owns_heap};
use super::super::knowledge::{Entailment, constant};
use super::super::segment::{Content, Field, ListNode, ListSegment, OwnList, find, place_of};
use super::super::shape::kind_of;
use super::super::state::{AllocId, Value};
use super::super::tail::{Before, Ends, Tail};
use super::zeros::nulled;
use super::{Matcher, Pairing, Sought};

impl Matcher<'_> {
    /// A pointer to the end of a segment: all of them are the same.
    pub(crate) fn ends_at(&mut self, end: AllocId, at: &LinExpr, last: &Value) -> bool {
        let last = &nulled(last);
        let list = self.general.segment_of(end);
        let entry = list.and_then(|list| self.general.segments.get(&list)).map(|segment| segment.node.entry);
        let Some(list) = list.filter(|_| entry.is_some() && place_of(at) == entry) else { return false };
        match self.pairing.ends.get(&end) {
            Some(Some(known)) => known == last,
            Some(None) => false,
            None => {
                self.pairing.ends.insert(end, Some(last.clone()));
                if !self.lists.contains(&list) && !self.pairing.starts.contains_key(&list) {
                    self.lists.push(list);
                }
                self.is_before(end, last)
            }
        }
    }

    /// True if a pointer to the end of a segment that is empty is what stands before it, as far as that was not known when the segment was found.
    fn is_before(&mut self, end: AllocId, last: &Value) -> bool {
        let before = self.unsettled.iter().find(|(id, _)| *id == end).map(|(_, before)| before.clone());
        before.is_none_or(|before| self.value(&before, last))
    }

    /// True if a value is the end of a segment of which it is not known yet what it is.
    fn is_open_end(&self, value: &Value) -> bool {
        let Value::Pointer(id, _) = value else { return false };
        let is_end = !self.general.segments.contains_key(id) && self.general.segment_of(*id).is_some();
        is_end && !self.pairing.ends.contains_key(id)
    }

    /// The next segment to be found: one whose end is known, if there is such.
    pub(crate) fn next_list(&mut self) -> Option<AllocId> {
        let segments = &self.general.segments;
        let known = |list: &AllocId| match segments.get(list).map(|segment| &segment.target) {
            Some(Value::Pointer(next, _)) if segments.contains_key(next) => self.pairing.starts.contains_key(next),
            Some(_) | None => true,
        };
        let startable = |list: &AllocId| self.oriented(*list).is_some();
        let best = self.lists.iter().position(|list| startable(list) && known(list));
        let at = best.or_else(|| self.lists.iter().position(startable))?;
        Some(self.lists.remove(at))
    }

    /// A segment of the general state from the end at which it is known to start in the special one, and that place.
    fn oriented(&self, list: AllocId) -> Option<(ListSegment, Value)> {
        let segment = self.general.segments.get(&list)?;
        if let Some(start) = self.pairing.starts.get(&list) {
            return Some((segment.clone(), start.clone()));
        }
        let start = self.pairing.ends.get(&segment.tail.as_ref()?.id)?.clone()?;
        Some((segment.turned(list)?, start))
    }

    /// Finds a segment.
    pub(crate) fn list(
        &mut self,
        list: AllocId,
        todo: &[usize],
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let Some((segment, start)) = self.oriented(list) else { return Ok(None) };
        let kind = kind_of(&segment.node);
        kind.find(self, &Sought { list, segment, start, todo }, tries, oracle)
    }

    /// Finds a list: tries the longest chain from its start first.
    pub(in super::super) fn chain(
        &mut self,
        Sought { list, segment, start, todo }: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let forwards = self.pairing.starts.contains_key(list);
        let chain = self.special.chain(start, &segment.node);
        let taken = |id: &AllocId| self.pairing.used.contains(id) || self.taken.contains(id);
        let most = chain.nodes.iter().take_while(|id| !taken(id)).count();
        for count in (0..=most).rev() {
            if *tries == 0 {
                return Ok(None);
            }
            *tries -= 1;
            let mut attempt = self.clone();
            let nodes = &chain.nodes[..count];
            let length = nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&self.special.count_of(*id)));
            attempt.pairing.used.extend(nodes.iter().copied());
            attempt.pairing.used.extend(nodes.iter().filter_map(|id| self.special.other_end(*id)));
            if forwards {
                attempt.pairing.firsts.extend(nodes.first().map(|first| (*list, *first)));
            }
            attempt.equations.push((segment.length.clone(), length));
            let found = attempt.value(&segment.target, &chain.ends[count])
                && attempt.tail(
                    segment,
                    nodes.is_empty(),
                    attempt.special.ends_of(nodes, &segment.node, segment.back()),
                )
                && attempt.fields(&segment.fields, nodes, oracle)?;
            if !found {
                continue;
            }
            if !attempt.bound(oracle)? {
                continue;
            }
            if let Some(found) = attempt.cells(todo.to_vec(), tries, oracle)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// True if a chain of the special state ends, and leads back, as a segment says.
    pub(crate) fn tail(&mut self, segment: &ListSegment, empty: bool, ends: Option<Ends>) -> bool {
        let Some(tail) = &segment.tail else { return true };
        // Of a segment that is turned the other end is its start.
        let turned = self.general.segments.contains_key(&tail.id);
        let last = if empty {
            match self.end_of(tail, turned) {
                Some(Some(last)) => return self.value(&tail.before, &last),
                Some(None) => return false,
                // Then pointers to the end may be anything, but the same.
                None if tail.before == Value::Top && !turned => return true,
                // Two segments may stand before each other (`head->prev` is the last block of all): then it is the other that says what the end is. All pointers to this
                // end are the same (`ends_at`), and the first that is met is compared with what stands before.
                None if !turned && self.is_open_end(&tail.before) => {
                    self.unsettled.push((tail.id, tail.before.clone()));
                    return true;
                }
                None => self.image(&tail.before),
            }
        } else {
            let Some(ends) = ends else { return false };
            let before = match &ends.before {
                Before::Is(before) => self.value(&tail.before, before),
                Before::Any => true,
                Before::Unknown => tail.before == Value::Top,
            };
            // What stands before the chain may have been its own end: only now it is known what that is.
            match (before, self.end_of(tail, turned)) {
                (false, _) | (true, Some(None)) => return false,
                (true, Some(known)) => return known == ends.last,
                (true, None) => ends.last,
            }
        };
        match (turned, last) {
            (true, Some(last)) => drop(self.pairing.starts.insert(tail.id, last)),
            (true, None) => return false,
            (false, last) => drop(self.pairing.ends.insert(tail.id, last)),
        }
        true
    }

    /// What pointers to the end of a segment are, as far as it is known by now.
    fn end_of(&self, tail: &Tail, turned: bool) -> Option<Option<Value>> {
        match turned {
            true => self.pairing.starts.get(&tail.id).map(|start| Some(start.clone())),
            false => self.pairing.ends.get(&tail.id).cloned(),
        }
    }

    /// A value of the general state in the special one, as far as it is known by now.
    pub(crate) fn image(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Null => Some(Value::Null),
            Value::Pointer(id, offset) => {
                if let Some(start) = self.pairing.starts.get(id) {
                    return Some(start.clone());
                }
                if let Some(end) = self.pairing.ends.get(id) {
                    return end.clone();
                }
                let own = match id {
                    AllocId::Global(_) => *id,
                    AllocId::Made(_) => *self.pairing.allocs.get(id)?,
                };
                Some(Value::Pointer(own, self.instantiate(offset)?))
            }
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => None,
        }
    }

    /// True if each block has what the fields say of all.
    pub(crate) fn fields(
        &mut self,
        fields: &[Field],
        nodes: &[AllocId],
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        for id in nodes {
            let segment = self.special.segment_of(*id).and_then(|own| self.special.segments.get(&own));
            self.pairing.loses_owned |= segment.is_some_and(|segment| loses_owned(fields, &segment.fields));
        }
        for (id, field) in nodes.iter().flat_map(|id| fields.iter().map(move |field| (id, field))) {
            let holds = match self.special.field_of(*id, field.offset, field.width) {
                Some(content) => self.content(&field.content, &content, oracle)?,
                None => false,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn content(
        &mut self,
        general: &Content,
        special: &Content,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        match (general, special) {
            (Content::Same(left), Content::Same(right)) => Ok(self.value(left, right)),
            (Content::Same(left), Content::Between(..) | Content::NonZero | Content::Among(_)) => {
                Ok(*left == Value::Top)
            }
            (Content::Same(left), Content::Own(_) | Content::Block(_)) => {
                self.pairing.loses_owned |= owns_heap(special);
                Ok(*left == Value::Top)
            }
            (Content::NonZero, Content::Same(Value::Int(number))) => self.special.knowledge.non_zero(number, oracle),
            (Content::NonZero, Content::NonZero) => Ok(true),
            (Content::NonZero, Content::Between(low, high)) => {
                let (Value::Int(low), Value::Int(high)) = (low, high) else { return Ok(false) };
                let known = &self.special.knowledge;
                Ok(known.non_negative(&low.minus(&constant(1)), oracle)?
                    || known.non_negative(&high.negated().minus(&constant(1)), oracle)?)
            }
            (Content::NonZero, Content::Same(_) | Content::Own(_) | Content::Among(_) | Content::Block(_)) => Ok(false),
            (Content::Between(..) | Content::Own(_), Content::NonZero) => Ok(false),
            (Content::Among(places), other) => self.among(places, other, oracle),
            (Content::Block(block), other) => self.own_block(block, other, oracle),
            (Content::Own(list), Content::Block(block)) => self.single(list, block, oracle),
            (Content::Between(..), Content::Among(_) | Content::Block(_)) | (Content::Own(_), Content::Among(_)) => {
                Ok(false)
            }
            (Content::Between(low, high), Content::Same(Value::Int(number))) => {
                self.is_between((low, high), (number, number), oracle)
            }
            // Words that are 0 are told as null pointers.
            (Content::Between(low, high), Content::Same(Value::Null)) => {
                self.is_between((low, high), (&constant(0), &constant(0)), oracle)
            }
            (Content::Between(low, high), Content::Between(Value::Int(least), Value::Int(most))) => {
                self.is_between((low, high), (least, most), oracle)
            }
            (Content::Between(..), Content::Between(..) | Content::Same(_) | Content::Own(_))
            | (Content::Own(_), Content::Between(..)) => Ok(false),
            (Content::Own(_), Content::Same(Value::Null)) => Ok(true),
            (Content::Own(list), Content::Same(start)) => self.own(list, start, oracle),
            (Content::Own(left), Content::Own(right)) => {
                let is_single = || right.node.is_single_of(&left.node, &right.fields);
                // A list, or one block, of which all other links are null is a tree.
                let is_limb = || left.node.is_tree() && right.node.is_part_of(&left.node, &right.fields);
                let fits = left.node == right.node || is_single() || is_limb();
                Ok(fits && self.fields_of(&left.fields, &right.fields, oracle)?)
            }
        }
    }

    /// True unless a content is places between offsets, or numbers between bounds, that have no value yet.
    pub(crate) fn are_places_known(&self, content: &Content) -> bool {
        let known = |place: &Value| match place {
            Value::Pointer(_, offset) => self.instantiate(offset).is_some(),
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Null | Value::Function(_) | Value::Top => {
                true
            }
        };
        match content {
            Content::Among(places) => known(&places.first) && known(&places.last),
            Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Own(_) | Content::Block(_) => true,
        }
    }

    /// True if the numbers between the last two are between the first two.
    fn is_between(
        &mut self,
        (low, high): (&Value, &Value),
        (least, most): (&LinExpr, &LinExpr),
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        let (Value::Int(low), Value::Int(high)) = (low, high) else { return Ok(false) };
        self.bind();
        let (Some(low), Some(high)) = (self.instantiate(low), self.instantiate(high)) else { return Ok(false) };
        let known = &self.special.knowledge;
        Ok(known.non_negative(&least.minus(&low), oracle)? && known.non_negative(&high.minus(most), oracle)?)
    }

    /// True if blocks of which each owner has one are lists of at most one block, or trees of one whose links are null: of that size, pointed to at its start, with what the shape's
    /// blocks hold.
    fn single(&mut self, list: &OwnList, block: &OwnBlock, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let size = Value::Int(constant(i128::from(list.node.size)));
        let alone = ListNode { link: None, branches: Vec::new(), ..list.node.clone() };
        let is_list = list.node.link.is_none() && !list.node.is_tree();
        let is_leaf = || list.node.is_tree() && alone.is_part_of(&list.node, &block.fields);
        let fits = (is_list || is_leaf()) && list.node.entry == 0 && !block.given;
        let sized = block.least == size && block.most.as_ref() == Some(&size);
        Ok(fits && sized && self.fields_of(&list.fields, &block.fields, oracle)?)
    }

    /// True if what all blocks of the general state hold follows from what those of the special state hold.
    fn fields_of(
        &mut self,
        general: &[Field],
        special: &[Field],
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        self.pairing.loses_owned |= loses_owned(general, special);
        for field in general {
            let holds = match find(special, field.offset, field.width) {
                Some(content) => self.content(&field.content, content, oracle)?,
                None => false,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if a list starts here that ends with null and has no block that is used otherwise.
    fn own(&mut self, list: &OwnList, start: &Value, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        if list.node.is_tree() {
            return self.own_tree(list, start, oracle);
        }
        let chain = self.special.chain(start, &list.node);
        let taken = |id: &AllocId| self.pairing.used.contains(id) || self.taken.contains(id);
        if chain.ends.last() != Some(&Value::Null) || chain.nodes.iter().any(taken) {
            return Ok(false);
        }
        let ends = chain.nodes.iter().filter_map(|id| self.special.other_end(*id));
        self.pairing.used.extend(chain.nodes.iter().copied().chain(ends));
        self.fields(&list.fields, &chain.nodes, oracle)
    }
}
