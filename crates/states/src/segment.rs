//! List segments: chains of heap blocks of unknown length (after Hensel and Giesl, "Proving termination of C programs with lists").
//!
//! A [`ListSegment`] says: there are `length` distinct live heap blocks of one size, which are no other object of the state; the word at `link` of each
//! points to the next at `entry`, that of the last holds `target`; and all of them have the `fields`. A pointer to the segment is a pointer to its first
//! block, or `target` itself if the segment is empty, so that a list and the null pointer have a common generalisation.
//!
//! *Sound* because nothing looks at such a pointer before it is exposed: either the segment is empty and the pointer is its target, or its first block
//! becomes an object of its own and the rest a segment with one block less. Writes through other pointers go to other objects; a write or a free
//! through a pointer that is not known forgets all segments.

use belay_base::Exhausted;
use belay_linear::{Constraint, LinExpr, Rat};

use super::element::{OwnBlock, Places};
use super::instance::{Matcher, Pairing, Sought};
use super::knowledge::{Entailment, as_constant, constant};
use super::shape::{HeapShape, kind_of};
use super::state::{AllocId, AllocKind, Allocation, Cell, Frame, Life, State, Value};
use super::tail::Tail;

/// Blocks of a chain that are looked at.
const MAX_CHAIN: usize = 1000;

/// A chain of heap blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListSegment {
    /// How its blocks look.
    pub node: ListNode,
    /// How many there are; never negative.
    pub length: LinExpr,
    /// What the last one's link holds.
    pub target: Value,
    /// What each of them holds.
    pub fields: Vec<Field>,
    /// Its last block.
    pub tail: Option<Tail>,
}

/// The form of a list's blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListNode {
    /// Their size.
    pub size: u64,
    /// The offset of the word that leads on; none if there is at most one block, and null where there is none.
    pub link: Option<u64>,
    /// The offsets of further links, each to a tree of its own (see [`super::tree`]); none for a list.
    pub branches: Vec<u64>,
    /// The offset at which it points into the next block.
    pub entry: u64,
    /// Bytes of a pointer.
    pub width: u64,
}

/// What every block of a segment holds at an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where.
    pub offset: u64,
    /// How many bytes.
    pub width: u64,
    /// What.
    pub content: Content,
}

/// What a place in every block of a segment holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The same value in all of them.
    Same(Value),
    /// A number that is not below the first, and not above the second; both are numbers of the state.
    Between(Value, Value),
    /// A byte that is not 0: the bytes of a string before its end.
    NonZero,
    /// In each of them the start of a list of its own, which ends with null.
    Own(OwnList),
    /// In each of them one of these places.
    Among(Places),
    /// In each of them the start of a block of its own.
    Block(OwnBlock),
}

/// The lists that the blocks of a segment have each for itself; null is an empty one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnList {
    /// The form of their blocks.
    pub node: ListNode,
    /// What each of their blocks holds.
    pub fields: Vec<Field>,
}

/// Blocks in the order in which their links lead, and what stands before, between and after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Blocks and segments.
    pub nodes: Vec<AllocId>,
    /// The value that leads to each, and the one that the last holds.
    pub ends: Vec<Value>,
}

impl State {
    /// Follows links from a value.
    pub fn chain(&self, from: &Value, node: &ListNode) -> Chain {
        let mut chain = Chain { nodes: Vec::new(), ends: vec![from.clone()] };
        let mut at = from.clone();
        while let Value::Pointer(id, offset) = at {
            let next = if is_at(&offset, node.entry) { self.next_of(id, node) } else { None };
            let other = self.other_end(id);
            let known = |node: &AllocId| *node == id || Some(*node) == other;
            let Some(next) = next.filter(|_| !chain.nodes.iter().any(known) && chain.nodes.len() < MAX_CHAIN) else {
                break;
            };
            chain.nodes.push(id);
            chain.ends.push(next.clone());
            at = next;
        }
        chain
    }

    /// What a block or segment of that form leads to.
    fn next_of(&self, id: AllocId, node: &ListNode) -> Option<Value> {
        if node.is_tree() {
            return None;
        }
        if let Some(segment) = self.list_from(id) {
            let single = segment.target == Value::Null && segment.node.is_single_of(node, &segment.fields);
            let fits = segment.node == *node || single;
            return fits.then_some(segment.target);
        }
        let known = self.allocations.get(&id)?;
        if known.kind != AllocKind::Heap || known.life != Life::Live || !is_at(&known.size, node.size) {
            return None;
        }
        let Some(link) = node.link else { return Some(Value::Null) };
        let is_link = |cell: &&Cell| cell.alloc == id && is_at(&cell.offset, link) && cell.width == node.width;
        self.cells.iter().find(is_link).map(|cell| cell.value.clone())
    }

    /// How many blocks stand behind an object of a chain.
    pub fn count_of(&self, id: AllocId) -> LinExpr {
        let segment = self.segment_of(id).and_then(|own| self.segments.get(&own));
        segment.map_or_else(|| constant(1), |segment| segment.length.clone())
    }

    /// What a block, or each block of a segment, holds at a constant offset.
    pub fn field_of(&self, id: AllocId, offset: u64, width: u64) -> Option<Content> {
        if let Some(segment) = self.segment_of(id).and_then(|own| self.segments.get(&own)) {
            return find(&segment.fields, offset, width).cloned();
        }
        let here = |cell: &&Cell| cell.alloc == id && is_at(&cell.offset, offset) && cell.width == width;
        self.cells.iter().find(here).map(|cell| Content::Same(cell.value.clone()))
    }

    /// Calls `f` on each value.
    pub fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        for Frame { params, values, .. } in &mut self.frames {
            params.iter_mut().for_each(&mut f);
            values.values_mut().for_each(&mut f);
        }
        self.given.iter_mut().for_each(&mut f);
        self.cells.iter_mut().for_each(|cell| f(&mut cell.value));
        for segment in self.segments.values_mut() {
            f(&mut segment.target);
            each_value(&mut segment.fields, &mut f);
            segment.tail.iter_mut().for_each(|tail| f(&mut tail.before));
        }
        self.ranges.iter_mut().for_each(|range| each_value_in(&mut range.content, &mut f));
    }

    /// The segment taken away as empty, and with the block that the name is of as an object: its first one, or its last.
    pub fn exposed(mut self, name: AllocId, oracle: &mut dyn Entailment) -> Result<Vec<State>, Exhausted> {
        let Some(own) = self.segment_of(name) else { return Ok(vec![self]) };
        if own != name && self.list_from(name).is_some() {
            self.turn(own);
        }
        let id = if self.segments.contains_key(&name) { name } else { own };
        let Some(segment) = self.segments.get(&id).cloned() else { return Ok(vec![self]) };
        let mut states = Vec::new();
        states.extend(self.clone().emptied(id, &segment, oracle)?);
        states.extend(kind_of(&segment.node).unfold(&self, id, name, oracle)?);
        Ok(states)
    }

    fn unfold(&mut self, id: AllocId) {
        let Some(segment) = self.segments.get(&id) else { return };
        let size = at(segment.node.size);
        // The only block is the last as well.
        let end = segment.tail.as_ref().filter(|_| segment.node.link.is_none()).map(|tail| tail.id);
        let block = self.allocate(Allocation::block(size, false));
        self.for_each_value_mut(|value| match value {
            Value::Pointer(other, _) | Value::Address(other, _) if *other == id || Some(*other) == end => {
                *other = block;
            }
            _ => {}
        });
        // As it is now: what all blocks hold may lead to the first.
        let Some(ListSegment { node, length, fields, tail, .. }) = self.segments.get(&id).cloned() else { return };
        if let Some(Tail { before, link: Some(back), .. }) = &tail {
            self.cells.push(Cell { alloc: block, offset: at(*back), width: node.width, value: before.clone() });
        }
        match (node.link, self.segments.get_mut(&id)) {
            (Some(link), Some(rest)) => {
                rest.length = length.plus_constant(&Rat::MINUS_ONE);
                if let Some(tail) = &mut rest.tail {
                    tail.before = Value::Pointer(block, at(node.entry));
                }
                let on = Value::Pointer(id, at(node.entry));
                self.cells.push(Cell { alloc: block, offset: at(link), width: node.width, value: on });
            }
            (_, _) => drop(self.segments.remove(&id)),
        }
        self.set_fields(block, fields);
    }

    /// Gives a block what all blocks of its segment hold.
    pub(crate) fn set_fields(&mut self, block: AllocId, fields: Vec<Field>) {
        for Field { offset, width, content } in fields {
            let value = self.materialised(content);
            self.cells.push(Cell { alloc: block, offset: at(offset), width, value });
        }
    }

    /// One of the lists that blocks have for themselves.
    pub(crate) fn begin(&mut self, OwnList { node, fields }: OwnList) -> Value {
        let length = self.fresh();
        self.knowledge.constraints.push(Constraint::ge(length.clone()));
        if node.link.is_none() {
            self.knowledge.constraints.push(Constraint::ge(constant(1).minus(&length)));
        }
        let id = AllocId::Made(self.next_alloc);
        self.next_alloc += 1;
        let start = Value::Pointer(id, at(node.entry));
        self.segments.insert(id, ListSegment { node, length, target: Value::Null, fields, tail: None });
        start
    }

    /// Forgets all segments: their blocks may have been changed or freed. A pointer to one of them may be its target, an object that is still
    /// known, so that it becomes one that is not known.
    pub fn forget_segments(&mut self) {
        self.forgot_block |= !self.segments.is_empty();
        self.forget_ranges();
        let segments = std::mem::take(&mut self.segments);
        let is_end = |id: &AllocId| {
            let named = |segment: &ListSegment| segment.tail.as_ref().is_some_and(|tail| tail.id == *id);
            segments.contains_key(id) || segments.values().any(named)
        };
        self.for_each_value_mut(|value| match value {
            Value::Pointer(id, _) | Value::Address(id, _) if is_end(id) => *value = Value::Top,
            _ => {}
        });
    }
}

/// Lists as a kind of shape.
pub(crate) struct Lists;

impl HeapShape for Lists {
    fn name(&self) -> &'static str {
        "list"
    }

    fn has_form(&self, node: &ListNode) -> bool {
        !node.is_tree()
    }

    fn unfold(
        &self,
        state: &State,
        own: AllocId,
        name: AllocId,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<State>, Exhausted> {
        let Some(segment) = state.segments.get(&own) else { return Ok(Vec::new()) };
        let rest = segment.length.plus_constant(&Rat::MINUS_ONE);
        let link = segment.node.link;
        let full = match link {
            Some(_) => state.clone().with_at_least(rest, oracle)?,
            None => state.clone().with_zero(rest, oracle)?,
        };
        let Some(mut full) = full else { return Ok(Vec::new()) };
        if own == name || link.is_none() {
            full.unfold(own);
        } else {
            full.unfold_end(own);
        }
        Ok(vec![full])
    }

    fn find(
        &self,
        matcher: &mut Matcher<'_>,
        sought: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        matcher.chain(sought, tries, oracle)
    }
}

impl ListNode {
    /// True if at most one block of this form, with these fields, is a list of the `other` form that ends with null.
    pub fn is_single_of(&self, other: &ListNode, fields: &[Field]) -> bool {
        let Some(link) = other.link else { return false };
        let ends = find(fields, link, other.width) == Some(&Content::Same(Value::Null));
        let same = (self.size, self.entry, self.width) == (other.size, other.entry, other.width);
        self.link.is_none() && !other.is_tree() && same && ends
    }
}

/// What fields say about a place.
pub fn find(fields: &[Field], offset: u64, width: u64) -> Option<&Content> {
    fields.iter().find(|field| field.offset == offset && field.width == width).map(|field| &field.content)
}

/// Calls `f` on each value of the fields.
pub fn each_value(fields: &mut [Field], f: &mut impl FnMut(&mut Value)) {
    fields.iter_mut().for_each(|field| each_value_in(&mut field.content, f));
}

/// Calls `f` on each value of a content.
pub fn each_value_in(content: &mut Content, f: &mut impl FnMut(&mut Value)) {
    match content {
        Content::Same(value) => f(value),
        Content::Between(low, high) => [low, high].into_iter().for_each(f),
        Content::NonZero => {}
        Content::Own(list) => each_value(&mut list.fields, f),
        Content::Among(places) => {
            f(&mut places.first);
            f(&mut places.last);
        }
        Content::Block(block) => {
            f(&mut block.least);
            block.most.iter_mut().for_each(&mut *f);
            each_value(&mut block.fields, f);
        }
    }
}

/// What a pointer to an end of an empty segment is: `names` are those of both ends.
pub(crate) fn instead(value: &Value, id: AllocId, names: [Option<AllocId>; 2], entry: u64, target: &Value) -> Value {
    let of_empty = |other: &AllocId| names.contains(&Some(*other));
    let itself = matches!(target, Value::Pointer(other, _) | Value::Address(other, _) if of_empty(other));
    match value {
        Value::Pointer(other, offset) if *other == id => {
            if itself || !is_at(offset, entry) {
                Value::Top
            } else {
                target.clone()
            }
        }
        Value::Address(other, offset) if *other == id => match target {
            Value::Pointer(next, start) if !itself && is_at(offset, entry) => Value::Address(*next, start.clone()),
            _ => Value::Top,
        },
        _ => value.clone(),
    }
}

/// A constant offset.
pub fn at(offset: u64) -> LinExpr {
    constant(i128::from(offset))
}

pub(crate) fn is_at(expr: &LinExpr, offset: u64) -> bool {
    as_constant(expr) == Some(i128::from(offset))
}

/// A constant offset or size as a number.
pub fn place_of(offset: &LinExpr) -> Option<u64> {
    as_constant(offset).and_then(|offset| u64::try_from(offset).ok())
}
