//! Trees side by side: blocks of two states that several links hold together become a tree with a hole (see `symbolic`'s `tree`).
//!
//! The links are the words that lead from a block to another of the same size somewhere in the two states; a word by which a block leads to the one that leads
//! to it leads up. From two places all links are followed, as far as no register, global or stack object points into the middle. What they lead to beside that
//! is the hole, of which there may be one. One of the two trees may be empty: then the place itself is what the other's hole leads to.

use std::collections::BTreeSet;

use belay_linear::LinExpr;
use belay_symbolic::{
    AllocId, AllocKind, Content, Field, Grown, Life, ListNode, ListSegment, OwnList, State, Value, place_of,
};

use super::lists::Side;
use super::pairing::{Pairer, SlotKind};

/// Blocks of a tree that are looked at for its form.
const MAX_BLOCKS: usize = 64;

/// The form of a tree.
#[derive(Clone)]
struct TreeForm {
    node: ListNode,
    /// The offset of the word that leads up.
    up: Option<u64>,
}

/// A part of a state that becomes a tree.
#[derive(Clone)]
struct Part {
    nodes: Vec<AllocId>,
    target: Value,
    grown: Option<Grown>,
}

impl Pairer<'_> {
    /// The tree that starts at both places.
    pub(super) fn tree(&mut self, left: &Value, right: &Value) -> Option<Value> {
        if let Some(start) = self.lists.start(left, right) {
            return Some(start);
        }
        let form = self.tree_form(left, right)?;
        let none = |start: &Value| Part { nodes: Vec::new(), target: start.clone(), grown: None };
        let all = [self.part(false, left, &form), self.part(true, right, &form)];
        let mut ways: Vec<[Part; 2]> = Vec::new();
        let [a, b] = &all;
        ways.extend(a.clone().zip(b.clone()).map(|(a, b)| [a, b]));
        ways.extend(b.clone().map(|b| [none(left), b]));
        ways.extend(a.clone().map(|a| [a, none(right)]));
        ways.retain(|[a, b]| a.nodes.len() + b.nodes.len() > 0);
        ways.sort_by_key(|[a, b]| !self.alike(&a.target, &b.target));
        ways.into_iter().find_map(|way| self.plant((left, right), &form, way))
    }

    /// What can be reached from a place, if it is one tree with at most one hole.
    fn part(&self, right: bool, start: &Value, form: &TreeForm) -> Option<Part> {
        let (state, used, held) = match right {
            false => (self.left, &self.lists.used.0, &self.lists.held.0),
            true => (self.right, &self.lists.used.1, &self.lists.held.1),
        };
        let paired = |id: &AllocId| if right { self.taken.contains(id) } else { self.objects.contains_key(id) };
        let stops = |place: &Value| match place {
            Value::Pointer(id, _) => used.contains(id) || paired(id) || (place != start && held.contains(id)),
            _ => true,
        };
        let grown = state.grown(start, &form.node, form.up, &stops)?;
        let target = match grown.exits.as_slice() {
            [] => Value::Null,
            [only] => only.clone(),
            [_, _, ..] => return None,
        };
        // The block with the hole has no name in the state that would be made, unless it leads up.
        let ends = grown.nodes.iter().filter_map(|id| state.other_end(*id));
        let named = ends.clone().any(|end| held.contains(&end));
        (!named).then(|| Part { nodes: grown.nodes.clone(), target, grown: Some(grown) })
    }

    /// True of places of two different links of blocks: what stands at one of several constant offsets is not known.
    pub(super) fn at_other_links(&self, left: (AllocId, &LinExpr), right: (AllocId, &LinExpr)) -> bool {
        let width = self.program.layout.pointer_bytes();
        let is_link = |state: &State, (id, offset): (AllocId, &LinExpr)| {
            let on_heap = state.allocations.get(&id).is_some_and(|known| known.kind == AllocKind::Heap);
            on_heap && place_of(offset).is_some_and(|offset| state.word_at(id, offset, width).is_some())
        };
        left.1 != right.1 && is_link(self.left, left) && is_link(self.right, right)
    }

    fn plant(&mut self, starts: (&Value, &Value), form: &TreeForm, [left, right]: [Part; 2]) -> Option<Value> {
        let node = &form.node;
        let mut attempt = self.clone();
        let id = AllocId::Made(attempt.state.next_alloc);
        attempt.state.next_alloc += 1;
        attempt.lists.begin((starts.0.clone(), starts.1.clone()), node.entry, id);
        attempt.lists.used.0.extend(with_ends(self.left, &left.nodes));
        attempt.lists.used.1.extend(with_ends(self.right, &right.nodes));
        let length = |state: &State, nodes: &[AllocId]| {
            nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&state.count_of(*id)))
        };
        let lengths = (length(self.left, &left.nodes), length(self.right, &right.nodes));
        let length = attempt.slot(&lengths.0, &lengths.1, SlotKind::Length, format!("size{}", self.slots.len()));
        attempt.folding = self.folding.after_a_list();
        let target = attempt.value(&left.target, &right.target, SlotKind::Offset, "hole");
        attempt.folding = self.folding;
        if target == Value::Top || matches!(&target, Value::Pointer(other, _) if *other == id) {
            return None;
        }
        attempt.optional += usize::from(self.turn_apart(node, [&left, &right]));
        let tail = form.up.map(|up| attempt.tail_of_tree(id, node, up, [&left.grown, &right.grown]));
        let mut fields = attempt.fields(node, (&left.nodes, &right.nodes));
        fields.retain(|field| Some(field.offset) != form.up);
        attempt.state.segments.insert(id, ListSegment { node: node.clone(), length, target, fields, tail });
        if form.up.is_some() {
            attempt.renew(id);
        }
        *self = attempt;
        Some(Value::Pointer(id, LinExpr::constant(node.entry as i64)))
    }

    /// True of one block in each state, with what its other links lead to, of which another link leads on: as a tree with a hole it is not known any more which, though whoever came by here may have chosen it for what the
    /// block holds (`if (k < p->key) p->left = e`).
    fn turn_apart(&self, node: &ListNode, [left, right]: [&Part; 2]) -> bool {
        let way = |state: &State, part: &Part| {
            let mut blocks = part.nodes.iter().filter(|id| state.allocations.contains_key(id));
            let (Some(block), None, Value::Pointer(..)) = (blocks.next(), blocks.next(), &part.target) else {
                return None;
            };
            node.links().find(|link| state.word_at(*block, *link, node.width).as_ref() == Some(&part.target))
        };
        matches!((way(self.left, left), way(self.right, right)), (Some(left), Some(right)) if left != right)
    }

    /// The trees that start in all these places, if nothing else leads to them.
    pub(super) fn own_tree(&mut self, contents: &[(Side, Content)]) -> Option<OwnList> {
        let node = self.own_form(contents)?;
        let mut attempt = self.clone();
        let (mut blocks, mut known): (Vec<Side>, Vec<(Side, &[Field])>) = (Vec::new(), Vec::new());
        for (side, content) in contents {
            match content {
                Content::Own(list) if list.node == node || list.node.is_part_of(&node, &list.fields) => {
                    known.push((*side, list.fields.as_slice()))
                }
                Content::Same(Value::Null) => {}
                Content::Same(start @ Value::Pointer(..)) => {
                    let grown = attempt.side(*side).grown(start, &node, None, &|_| false)?;
                    let all = with_ends(attempt.side(*side), &grown.nodes);
                    if !grown.exits.is_empty() || !all.into_iter().all(|id| attempt.take(side.of(id))) {
                        return None;
                    }
                    blocks.extend(grown.nodes.iter().map(|id| side.of(*id)));
                }
                Content::Own(_)
                | Content::Between(..)
                | Content::NonZero
                | Content::Same(_)
                | Content::Among(_)
                | Content::Block(_) => return None,
            }
        }
        let fields = attempt.fields_among(&node, &blocks, &known);
        *self = attempt;
        Some(OwnList { node, fields })
    }

    /// The form of trees that start in these places, if several links are seen.
    fn own_form(&self, contents: &[(Side, Content)]) -> Option<ListNode> {
        let width = self.program.layout.pointer_bytes();
        let bare = |(side, content): &(Side, Content)| match content {
            Content::Own(list) => Some((list.node.size, list.node.entry)),
            Content::Same(start) => size_of(self.side(*side), start),
            Content::Between(..) | Content::NonZero | Content::Among(_) | Content::Block(_) => None,
        };
        let (size, entry) = contents.iter().find_map(bare)?;
        let form = ListNode { size, link: None, branches: Vec::new(), entry, width };
        let mut words = Words::default();
        for (side, content) in contents {
            match content {
                Content::Own(list) => words.links.extend(list.node.links()),
                Content::Same(start) => words.note(self.side(*side), start, &form),
                Content::Between(..) | Content::NonZero | Content::Among(_) | Content::Block(_) => return None,
            }
        }
        let up = words.up();
        let mut links = words.links.into_iter().filter(|link| Some(*link) != up);
        let node = ListNode { link: links.next(), branches: links.collect(), ..form };
        node.is_tree().then_some(node)
    }

    /// How many values of the frames are null in one state, and in the other the tree below one link of a block, while more links of that block are null in the first: as a tree
    /// below that link it is not known any more that it may be any of them.
    pub(super) fn null_by_any_link(&self) -> usize {
        let frames = self.left.frames.iter().zip(&self.right.frames).zip(&self.state.frames);
        let values = frames.flat_map(|((a, b), made)| {
            made.values.iter().filter_map(|(inst, value)| Some((a.values.get(inst)?, b.values.get(inst)?, value)))
        });
        let is_any = |(a, b, made): &(&Value, &Value, &Value)| {
            let Value::Pointer(id, _) = made else { return false };
            let Some(tree) = self.state.segments.get(id).filter(|tree| tree.node.is_tree()) else { return false };
            match (a, b) {
                (Value::Null, Value::Pointer(..)) => self.is_by_any_link(b, 1, &tree.node),
                (Value::Pointer(..), Value::Null) => self.is_by_any_link(a, 0, &tree.node),
                (_, _) => false,
            }
        };
        values.filter(is_any).count()
    }

    /// True if a block of one state leads to the value by one link, and is in the other state a block with several null links.
    fn is_by_any_link(&self, value: &Value, side: usize, node: &ListNode) -> bool {
        let (state, other) = if side == 0 { (self.left, self.right) } else { (self.right, self.left) };
        let pairs = self.objects.iter().map(|(a, b)| if side == 0 { (*a, *b) } else { (*b, *a) });
        let leads = |id| node.links().any(|link| state.word_at(id, link, node.width).as_ref() == Some(value));
        let nulls = |id| node.links().filter(|link| other.word_at(id, *link, node.width) == Some(Value::Null)).count();
        let fits = |id| {
            let known = state.allocations.get(&id).filter(|known| known.kind == AllocKind::Heap);
            known.is_some_and(|known| place_of(&known.size) == Some(node.size))
        };
        pairs.into_iter().any(|(own, paired)| fits(own) && leads(own) && nulls(paired) > 1)
    }

    /// The form of the tree that both places are in.
    fn tree_form(&self, left: &Value, right: &Value) -> Option<TreeForm> {
        let width = self.program.layout.pointer_bytes();
        let sides = [(self.left, left), (self.right, right)];
        let (size, entry) = sides.iter().find_map(|(state, start)| size_of(state, start))?;
        let form = ListNode { size, link: None, branches: Vec::new(), entry, width };
        let mut words = Words::default();
        sides.iter().for_each(|(state, start)| words.note(state, start, &form));
        let up = words.up();
        let mut links = words.links.into_iter().filter(|link| Some(*link) != up);
        let link = links.next();
        let branches: Vec<u64> = links.collect();
        let node = ListNode { link, branches, ..form };
        node.is_tree().then_some(TreeForm { node, up })
    }
}

/// The size of the blocks at a place, and the offset of pointers to them.
fn size_of(state: &State, start: &Value) -> Option<(u64, u64)> {
    let Value::Pointer(id, offset) = start else { return None };
    if let Some(segment) = state.list_from(*id) {
        return Some((segment.node.size, segment.node.entry));
    }
    Some((place_of(&state.allocations.get(id)?.size)?, place_of(offset)?))
}

/// By which words blocks of one size lead to each other.
#[derive(Default)]
struct Words {
    /// The offsets of all such words.
    links: BTreeSet<u64>,
    /// Those that lead back in segments.
    backs: BTreeSet<u64>,
    /// Two words by which two blocks lead to each other: of the one that was found first, and of the other.
    mutual: BTreeSet<(u64, u64)>,
}

impl Words {
    fn note(&mut self, state: &State, start: &Value, form: &ListNode) {
        let mut todo: Vec<AllocId> = of_form(state, start, form).into_iter().collect();
        let mut seen: Vec<AllocId> = Vec::new();
        while let Some(id) = todo.pop() {
            if seen.len() >= MAX_BLOCKS || seen.contains(&id) {
                continue;
            }
            seen.push(id);
            if let Some(segment) = state.list_from(id) {
                self.links.extend(segment.node.links());
                self.backs.extend(segment.back());
                todo.extend(of_form(state, &segment.target, form));
                continue;
            }
            for cell in state.cells.iter().filter(|cell| cell.alloc == id && cell.width == form.width) {
                let next = of_form(state, &cell.value, form);
                let (Some(offset), Some(next)) = (place_of(&cell.offset), next) else { continue };
                self.links.insert(offset);
                if seen.contains(&next) {
                    self.mutual.extend(words_to(state, next, id, form).map(|link| (link, offset)));
                }
                todo.push(next);
            }
        }
    }

    /// The offset of the word that leads up: all others have it as their counterpart.
    fn up(&self) -> Option<u64> {
        let counterparts = |up: u64| {
            let of = |(a, b): &(u64, u64)| if *a == up { Some(*b) } else { (*b == up).then_some(*a) };
            self.mutual.iter().filter_map(of).filter(|link| *link != up).collect::<BTreeSet<u64>>().len()
        };
        let known = self.backs.iter().next().copied();
        known.or_else(|| {
            let last = |offset: u64| self.mutual.iter().any(|(_, second)| *second == offset);
            let most = self.links.iter().filter(|offset| counterparts(**offset) > 0);
            most.max_by_key(|offset| (counterparts(**offset), last(**offset))).copied()
        })
    }
}

/// The block or segment of a form at a place.
fn of_form(state: &State, place: &Value, form: &ListNode) -> Option<AllocId> {
    let Value::Pointer(id, offset) = place else { return None };
    let block = state.allocations.get(id).is_some_and(|known| {
        known.kind == AllocKind::Heap && known.life == Life::Live && place_of(&known.size) == Some(form.size)
    });
    let listed = state.list_from(*id).is_some_and(|segment| segment.node.size == form.size);
    (place_of(offset) == Some(form.entry) && (block || listed)).then_some(*id)
}

/// The offsets at which a block leads to another.
fn words_to<'s>(
    state: &'s State,
    from: AllocId,
    to: AllocId,
    form: &'s ListNode,
) -> impl Iterator<Item = u64> + use<'s> {
    let leads = move |value: &Value| matches!(value, Value::Pointer(id, _) if *id == to);
    let words = state.cells.iter().filter(move |cell| cell.alloc == from && cell.width == form.width);
    words.filter(move |cell| leads(&cell.value)).filter_map(|cell| place_of(&cell.offset))
}

/// Blocks and segments, and the other ends of those.
fn with_ends(state: &State, nodes: &[AllocId]) -> Vec<AllocId> {
    nodes.iter().copied().chain(nodes.iter().filter_map(|id| state.other_end(*id))).collect()
}
