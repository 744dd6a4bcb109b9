//! Trees: segments whose blocks have several links (separation logic's tree segments, after Berdine, Calcagno and O'Hearn).
//!
//! A segment whose form has `branches` is a *tree with a hole*: `length` distinct live heap blocks of one size, which are no other object of the
//! state. Each but the first is led to by exactly one link word of exactly one of them, the first by none. Every link word of every block holds null
//! or a pointer to another of them, except for one, the *hole*, which holds `target`. Where `target` is null the hole is any of the null
//! words, of which a finite tree that is not empty has at least one: that is a whole tree. With one link it is a list. All
//! blocks have the `fields`.
//!
//! With a [`Tail`] that has a `link` the word there leads from each block but the first to the one above it, and holds `before` in the first. The
//! tail's name is that of the block that has the hole, or `before` if there is no block.
//!
//! *Sound* as lists are: nothing looks into a tree before it is exposed. It is empty and a pointer to it is its target; or
//! its first block becomes an object, and each of its links leads to a tree of its own, one of them with the hole. Which one that is makes several states,
//! unless the hole is a null word that nothing speaks of: then it may be taken to be below the first link, where there is an empty tree or a null word.
//! The parts are disjoint and together have one block less. Exposed at its end, the block with the hole becomes an object: one of its links
//! holds the target, the others lead to trees of their own, and the rest is a tree whose hole holds a pointer to that block.

use belay_base::Exhausted;
use belay_linear::{Constraint, LinExpr, Rat};

use super::instance::{Matcher, Pairing, Sought};
use super::knowledge::{Entailment, as_constant};
use super::segment::{Content, Field, ListNode, ListSegment, at, find, is_at, place_of};
use super::shape::HeapShape;
use super::state::{AllocId, AllocKind, Allocation, Cell, Life, State, Value};
use super::tail::{Before, Ends, Tail};

/// Blocks of a tree that are looked at.
const MAX_BLOCKS: usize = 1000;

/// What can be reached by the links of a form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grown {
    /// Blocks and segments, the first one first.
    pub nodes: Vec<AllocId>,
    /// What links lead to beside those and null.
    pub exits: Vec<Value>,
    /// What stands before the first one, and the block with the last exit.
    pub ends: Ends,
}

/// A block or a segment as a part of a tree.
struct Limb {
    /// What its links hold; of a segment the one with the hole.
    links: Vec<Value>,
    /// The pointer to the block with those links, if that is known.
    itself: Option<Value>,
    /// What its link upwards holds.
    above: Option<Value>,
    /// True of a segment, which may be empty.
    listed: bool,
}

impl ListNode {
    /// True if its blocks have several links.
    pub fn is_tree(&self) -> bool {
        !self.branches.is_empty()
    }

    /// The offsets of all links.
    pub fn links(&self) -> impl Iterator<Item = u64> + '_ {
        self.link.iter().chain(&self.branches).copied()
    }

    /// True if each segment of this form with these fields is a tree of the other form: links that it lacks are null in all of its blocks.
    pub fn is_part_of(&self, other: &ListNode, fields: &[Field]) -> bool {
        let same = (self.size, self.entry, self.width) == (other.size, other.entry, other.width);
        let null = |link: u64| find(fields, link, other.width) == Some(&Content::Same(Value::Null));
        let known = |link: u64| other.links().any(|own| own == link);
        same && self.links().all(known) && other.links().all(|link| self.links().any(|own| own == link) || null(link))
    }
}

/// Trees as a kind of shape.
pub(crate) struct Trees;

impl HeapShape for Trees {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn has_form(&self, node: &ListNode) -> bool {
        node.is_tree()
    }

    /// The first block of the tree, or the one with its hole.
    fn unfold(
        &self,
        state: &State,
        own: AllocId,
        name: AllocId,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<State>, Exhausted> {
        let Some(segment) = state.segments.get(&own) else { return Ok(Vec::new()) };
        let named = segment.tail.as_ref().is_some_and(|tail| state.points_to(tail.id));
        let whole = segment.target == Value::Null && !named;
        let links: Vec<u64> = segment.node.links().take(if whole { 1 } else { usize::MAX }).collect();
        let mut states = Vec::new();
        for link in links {
            let mut part = state.clone();
            let (side, rest) = part.split(segment, link);
            if own == name {
                part.unfold_root(own, (link, &rest), &side);
            } else {
                part.unfold_hole(own, (link, &rest), &side);
            }
            states.extend(part.with_at_least(rest, oracle)?);
        }
        Ok(states)
    }

    fn find(
        &self,
        matcher: &mut Matcher<'_>,
        sought: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        matcher.tree(sought, tries, oracle)
    }
}

impl ListSegment {
    /// True if its blocks each have a list of their own of blocks that look like themselves: that may be a tree.
    pub fn nests(&self) -> bool {
        let alike = |node: &ListNode| (node.size, node.entry) == (self.node.size, self.node.entry);
        let own = |field: &Field| matches!(&field.content, Content::Own(list) if alike(&list.node));
        self.fields.iter().any(own)
    }
}

impl State {
    /// Follows all links from a value until null or what `stops`; `None` if a block does not lead up to the one above it by the word at `up`.
    pub fn grown(
        &self,
        from: &Value,
        node: &ListNode,
        up: Option<u64>,
        stops: &dyn Fn(&Value) -> bool,
    ) -> Option<Grown> {
        let mut grown =
            Grown { nodes: Vec::new(), exits: Vec::new(), ends: Ends { before: Before::Unknown, last: None } };
        let mut todo: Vec<(Value, Option<Value>)> = vec![(from.clone(), None)];
        while let Some((place, holder)) = todo.pop() {
            let place = if is_zero(&place) { Value::Null } else { place };
            if place == Value::Null {
                continue;
            }
            let found = if stops(&place) { None } else { self.limb(&place, node, up) };
            // Of a list that was reached from one end the other end is a second way to the same blocks.
            let known = |id: &AllocId| {
                grown.nodes.contains(id) || self.other_end(*id).is_some_and(|end| grown.nodes.contains(&end))
            };
            let Some((id, limb)) = found.filter(|(id, _)| !known(id)) else {
                grown.ends.last = holder;
                grown.exits.push(place);
                continue;
            };
            if grown.nodes.len() >= MAX_BLOCKS {
                return None;
            }
            let first = grown.nodes.is_empty();
            match up {
                Some(_) if first => grown.ends.before = Before::Is(limb.above.unwrap_or(Value::Top)),
                Some(_) if limb.above.is_none() || limb.above != holder => return None,
                Some(_) => {}
                // Where there is a block it does not matter what comes before.
                None if !limb.listed => grown.ends.before = Before::Any,
                None => {}
            }
            grown.nodes.push(id);
            // Where nothing leads up it is not known what the end of a segment is if that is empty.
            let holder = limb.itself.filter(|_| up.is_some() || !limb.listed);
            todo.extend(limb.links.into_iter().rev().map(|link| (link, holder.clone())));
        }
        Some(grown)
    }

    fn limb(&self, place: &Value, node: &ListNode, up: Option<u64>) -> Option<(AllocId, Limb)> {
        let Value::Pointer(id, offset) = place else { return None };
        if !is_at(offset, node.entry) {
            return None;
        }
        // A list may be read from its other end: it says the same then.
        let limb = match self.list_from(*id) {
            Some(segment) => part(&segment, node, up)?,
            None => self.block_limb(*id, node, up)?,
        };
        Some((*id, limb))
    }

    fn block_limb(&self, id: AllocId, node: &ListNode, up: Option<u64>) -> Option<Limb> {
        let known = self.allocations.get(&id)?;
        if known.kind != AllocKind::Heap || known.life != Life::Live || !is_at(&known.size, node.size) {
            return None;
        }
        let links: Option<Vec<Value>> = node.links().map(|link| self.word_at(id, link, node.width)).collect();
        let above = up.and_then(|up| self.word_at(id, up, node.width));
        Some(Limb { links: links?, itself: Some(Value::Pointer(id, at(node.entry))), above, listed: false })
    }

    /// The pointer that a block holds at a constant offset.
    pub fn word_at(&self, id: AllocId, offset: u64, width: u64) -> Option<Value> {
        let own = || self.cells.iter().filter(|cell| cell.alloc == id);
        if let Some(cell) = own().find(|cell| is_at(&cell.offset, offset) && cell.width == width) {
            return match &cell.value {
                known @ (Value::Pointer(..) | Value::Null) => Some(known.clone()),
                zero if is_zero(zero) => Some(Value::Null),
                _ => None,
            };
        }
        let apart = |cell: &Cell| {
            place_of(&cell.offset)
                .is_some_and(|start| start.saturating_add(cell.width) <= offset || start >= offset + width)
        };
        let zeroed = self.allocations.get(&id).is_some_and(|known| known.zeroed);
        (zeroed && own().all(apart)).then_some(Value::Null)
    }

    fn points_to(&self, name: AllocId) -> bool {
        let mut found = false;
        self.clone().for_each_value_mut(|value| {
            found |= matches!(value, Value::Pointer(id, _) | Value::Address(id, _) if *id == name);
        });
        found
    }

    /// How many blocks stand below the other links of a block, and below the one with the hole.
    fn split(&mut self, segment: &ListSegment, hole: u64) -> (Vec<(u64, LinExpr)>, LinExpr) {
        let mut rest = segment.length.plus_constant(&Rat::MINUS_ONE);
        let mut side = Vec::new();
        for link in segment.node.links().filter(|link| *link != hole) {
            let count = self.fresh();
            self.knowledge.constraints.push(Constraint::ge(count.clone()));
            rest = rest.minus(&count);
            side.push((link, count));
        }
        (side, rest)
    }

    /// Makes the first block of a tree an object. The part with the hole keeps the tree's name.
    fn unfold_root(&mut self, own: AllocId, (hole, rest): (u64, &LinExpr), side: &[(u64, LinExpr)]) {
        let Some(node) = self.segments.get(&own).map(|segment| segment.node.clone()) else { return };
        let block = self.named_block(own, &node);
        // As it is now: what all blocks hold may lead to the first.
        let Some(segment) = self.segments.get(&own).cloned() else { return };
        let place = Value::Pointer(block, at(segment.node.entry));
        if let Some(Tail { before, link: Some(up), .. }) = &segment.tail {
            self.push_word(block, *up, segment.node.width, before.clone());
        }
        if let Some(below) = self.segments.get_mut(&own) {
            below.length = rest.clone();
            below.tail.iter_mut().for_each(|tail| tail.before = place.clone());
        }
        self.push_word(block, hole, segment.node.width, Value::Pointer(own, at(segment.node.entry)));
        self.grow(block, &segment, side);
    }

    /// Makes the block with the hole of a tree an object.
    fn unfold_hole(&mut self, own: AllocId, (hole, rest): (u64, &LinExpr), side: &[(u64, LinExpr)]) {
        let named = self.segments.get(&own).and_then(|tree| Some((tree.tail.as_ref()?.id, tree.node.clone())));
        let Some((name, node)) = named else { return };
        let block = self.named_block(name, &node);
        // As it is now: what the block with the hole leads to, or all blocks hold, may be that block.
        let Some(segment) = self.segments.get(&own).cloned() else { return };
        let Some(tail) = &segment.tail else { return };
        let mut end = None;
        if let Some(up) = tail.link {
            let id = self.unused_name();
            self.push_word(block, up, segment.node.width, Value::Pointer(id, at(segment.node.entry)));
            end = Some(Tail { id, before: tail.before.clone(), link: Some(up) });
        }
        if let Some(above) = self.segments.get_mut(&own) {
            above.length = rest.clone();
            above.target = Value::Pointer(block, at(segment.node.entry));
            above.tail = end;
        }
        self.push_word(block, hole, segment.node.width, segment.target.clone());
        self.grow(block, &segment, side);
    }

    /// The segment that is reached with one of its names.
    pub(crate) fn reached_with(&self, id: AllocId) -> Option<ListSegment> {
        let up = || self.segments.get(&self.segment_of(id)?).filter(|segment| segment.node.is_tree());
        self.list_from(id).or_else(|| up().filter(|tree| tree.back().is_some()).cloned())
    }

    /// A new block to which all pointers to a name lead.
    fn named_block(&mut self, name: AllocId, node: &ListNode) -> AllocId {
        let block = self.allocate(Allocation::block(at(node.size), false));
        self.for_each_value_mut(|value| match value {
            Value::Pointer(other, _) | Value::Address(other, _) if *other == name => *other = block,
            _ => {}
        });
        block
    }

    /// Gives a block of a tree its fields, and trees of their own below these links.
    fn grow(&mut self, block: AllocId, segment: &ListSegment, side: &[(u64, LinExpr)]) {
        let ListSegment { node, fields, tail, .. } = segment;
        let place = Value::Pointer(block, at(node.entry));
        let up = tail.as_ref().and_then(|tail| tail.link);
        for (link, length) in side {
            let id = self.unused_name();
            let tail = up.map(|up| Tail { id: self.unused_name(), before: place.clone(), link: Some(up) });
            let (node, fields, length) = (node.clone(), fields.clone(), length.clone());
            self.push_word(block, *link, node.width, Value::Pointer(id, at(node.entry)));
            self.segments.insert(id, ListSegment { node, length, target: Value::Null, fields, tail });
        }
        self.set_fields(block, fields.clone());
    }

    fn push_word(&mut self, alloc: AllocId, offset: u64, width: u64, value: Value) {
        self.cells.push(Cell { alloc, offset: at(offset), width, value });
    }

    fn unused_name(&mut self) -> AllocId {
        self.next_alloc += 1;
        AllocId::Made(self.next_alloc - 1)
    }
}

/// A segment as a part of a tree in which the word at `up` leads up.
fn part(segment: &ListSegment, node: &ListNode, up: Option<u64>) -> Option<Limb> {
    if !segment.node.is_part_of(node, &segment.fields) {
        return None;
    }
    let is_place = |value: &Value| matches!(value, Value::Pointer(..) | Value::Null);
    if segment.node.link.is_none() {
        // At most one block, in which nothing leads on, with what all of them hold.
        let above = match up.and_then(|up| find(&segment.fields, up, node.width)) {
            Some(Content::Same(value)) if is_place(value) => Some(value.clone()),
            Some(
                Content::Same(_)
                | Content::Between(..)
                | Content::NonZero
                | Content::Own(_)
                | Content::Among(_)
                | Content::Block(_),
            )
            | None => None,
        };
        let null = segment.target == Value::Null;
        return null.then_some(Limb { links: Vec::new(), itself: None, above, listed: true });
    }
    // Its blocks have to lead up, too.
    let tail = segment.tail.as_ref();
    if up.is_some() && tail.and_then(|tail| tail.link) != up {
        return None;
    }
    let itself = tail.map(|tail| Value::Pointer(tail.id, at(node.entry)));
    let above = tail.map(|tail| tail.before.clone()).filter(|above| up.is_some() && is_place(above));
    Some(Limb { links: vec![segment.target.clone()], itself, above, listed: true })
}

/// True of the number 0.
fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Int(expr) if as_constant(expr) == Some(0))
}
