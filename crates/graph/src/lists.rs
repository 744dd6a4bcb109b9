//! Lists side by side: chains of heap blocks that two states have in common become a segment (see the crate `states`, `segment`).
//!
//! From two places links are followed as far as no register, global or stack object points into the middle; of all ways to cut both chains off, one is taken
//! after which both states go on alike: at null, at the same object, or at places that others point to as well.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_linear::LinExpr;
use belay_symbolic::{
    AllocId, AllocKind, Cell, Chain, Content, Field, Life, ListNode, ListSegment, State, Value, find, loses_owned,
    place_of,
};

use super::pairing::{Folding, Pairer, SlotKind};
use super::tails::{self, End};
pub(super) use contents::is_plain;

mod contents;
mod phases;

/// The segments found so far.
#[derive(Clone)]
pub(super) struct Lists {
    /// Blocks and segments of each state that are part of one.
    pub(super) used: (BTreeSet<AllocId>, BTreeSet<AllocId>),
    /// Where each starts in the states, at which offset pointers to it point, and its name.
    starts: Vec<(Value, Value, u64, AllocId)>,
    /// Where each ends.
    pub(super) ends: Vec<End>,
    /// What registers, globals and stack objects point to.
    pub(super) held: (BTreeSet<AllocId>, BTreeSet<AllocId>),
    /// Which heap blocks point to what.
    holders: Rc<(Holders, Holders)>,
}

/// The heap blocks that point to each object.
type Holders = BTreeMap<AllocId, BTreeSet<AllocId>>;

impl Lists {
    pub(super) fn new(left: &State, right: &State) -> Lists {
        let held = (held(left), held(right));
        let holders = Rc::new((holders(left), holders(right)));
        Lists { used: Default::default(), starts: Vec::new(), ends: Vec::new(), held, holders }
    }

    /// Notes where a segment starts.
    pub(super) fn begin(&mut self, (left, right): (Value, Value), entry: u64, id: AllocId) {
        self.starts.push((left, right, entry, id));
    }

    /// The segment that starts at both places.
    pub(super) fn start(&self, left: &Value, right: &Value) -> Option<Value> {
        let (_, _, entry, id) = self.starts.iter().find(|(a, b, _, _)| a == left && b == right)?;
        Some(Value::Pointer(*id, LinExpr::constant(*entry as i64)))
    }

    /// True if one of the objects is part of a segment.
    pub(super) fn has(&self, left: AllocId, right: AllocId) -> bool {
        self.used.0.contains(&left) || self.used.1.contains(&right)
    }
}

fn held(state: &State) -> BTreeSet<AllocId> {
    let registers = state.frames.iter().flat_map(|frame| frame.params.iter().chain(frame.values.values()));
    let registers = registers.chain(&state.given);
    let on_heap = |id: &AllocId| state.allocations.get(id).is_some_and(|known| known.kind == AllocKind::Heap);
    let cells = state.cells.iter().filter(|cell| !on_heap(&cell.alloc)).map(|cell| &cell.value);
    registers.chain(cells).filter_map(target_of).collect()
}

fn holders(state: &State) -> Holders {
    let on_heap = |id: &AllocId| state.allocations.get(id).is_some_and(|known| known.kind == AllocKind::Heap);
    let mut found = Holders::new();
    for cell in state.cells.iter().filter(|cell| on_heap(&cell.alloc)) {
        if let Some(target) = target_of(&cell.value) {
            found.entry(target).or_default().insert(cell.alloc);
        }
    }
    found
}

fn target_of(value: &Value) -> Option<AllocId> {
    match value {
        Value::Pointer(id, _) | Value::Address(id, _) => Some(*id),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => None,
    }
}

/// True if a block of that form leads to a place by its link.
fn is_linked(state: &State, start: &Value, node: &ListNode) -> bool {
    let of_form = |id: &AllocId| {
        let known = state.allocations.get(id);
        known.is_some_and(|known| known.kind == AllocKind::Heap && place_of(&known.size) == Some(node.size))
    };
    let leads = |cell: &Cell| {
        cell.value == *start && cell.width == node.width && node.link.is_some() && place_of(&cell.offset) == node.link
    };
    matches!(start, Value::Pointer(..)) && state.cells.iter().any(|cell| leads(cell) && of_form(&cell.alloc))
}

/// True of a value that the link of a list may hold: null, a place in a block or list, or one in an object that leads to such itself, as a list's head does. Other
/// places are what the list's blocks are about.
fn may_lead_on(state: &State, value: &Value) -> bool {
    let on_heap = |id: &AllocId| {
        let block = state.allocations.get(id).is_some_and(|known| known.kind.may_be_heap());
        block || state.segment_of(*id).is_some()
    };
    let leads = |cell: &Cell| matches!(&cell.value, Value::Pointer(to, _) if on_heap(to));
    match value {
        Value::Null => true,
        Value::Pointer(id, offset) => {
            let is_head = || state.cells.iter().any(|cell| cell.alloc == *id && leads(cell));
            on_heap(id) || (offset.is_constant() && is_head())
        }
        Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => false,
    }
}

/// Blocks and segments, and the other ends of those.
fn both_ends(state: &State, nodes: &[AllocId]) -> Vec<AllocId> {
    nodes.iter().copied().chain(nodes.iter().filter_map(|id| state.other_end(*id))).collect()
}

/// What keeps blocks of one of the states from being inside of a list.
struct Fixed<'l> {
    state: &'l State,
    used: &'l BTreeSet<AllocId>,
    held: &'l BTreeSet<AllocId>,
    holders: &'l Holders,
}

impl Fixed<'_> {
    /// How many blocks of a chain may become part of a list: as far as nothing points into the middle. `ends_held`: something may point to the last.
    /// `ends_known`: heap blocks may do so.
    fn most(&self, chain: &Chain, ends_held: bool, ends_known: bool) -> usize {
        let mut count = 0;
        for (at, id) in chain.nodes.iter().enumerate() {
            let end = self.state.other_end(*id);
            let end_held = end.is_some_and(|end| self.held.contains(&end));
            let inside = count == 0 || !self.held.contains(id);
            if self.used.contains(id) || !(inside || ends_held) {
                break;
            }
            // Of the last block it is known where it is.
            let is_last = ends_known && at + 1 == chain.nodes.len();
            let is_last_block = is_last && self.state.segment_of(*id).is_none();
            if count > 0 && !is_last_block && self.holders_beside(*id, chain) > 0 {
                break;
            }
            count += 1;
            let end_pointed = end.is_some_and(|end| !is_last && self.holders_beside(end, chain) > 0);
            if end_held || !inside || end_pointed {
                break;
            }
        }
        count
    }

    /// How many heap blocks beside the chain point to one of it, as an iterator does.
    fn holders_beside(&self, id: AllocId, chain: &Chain) -> usize {
        let after = chain.ends.last().and_then(target_of);
        let beside = |holder: &&AllocId| !chain.nodes.contains(holder) && Some(**holder) != after;
        self.holders.get(&id).map_or(0, |holders| holders.iter().filter(beside).count())
    }

    /// True if something else than the chain, and than what leads to its start, leads to where it goes on after so many blocks.
    fn is_shared(&self, chain: &Chain, count: usize) -> bool {
        let Some(id) = chain.ends.get(count).and_then(target_of) else { return false };
        let others = self.holders_beside(id, chain) + usize::from(self.held.contains(&id));
        others > usize::from(count == 0)
    }
}

/// Chains are cut off within so many blocks.
const MAX_CUT: usize = 32;

/// Where two chains are cut off.
struct Cut {
    counts: (usize, usize),
    alike: bool,
    /// What comes next is told from the list by what it holds.
    told: bool,
}

impl Cut {
    /// The best first: of those where blocks are told apart the shortest, else the longest.
    fn rank(&self) -> (bool, usize, bool) {
        (!self.told, if self.told { self.counts.0 + self.counts.1 } else { 0 }, !self.alike)
    }
}

impl Pairer<'_> {
    /// True if both places may be in lists.
    pub(super) fn foldable(&self, left: &Value, right: &Value) -> bool {
        let listed = |state: &State, value: &Value| match value {
            Value::Pointer(id, _) => {
                let block = |id| state.allocations.get(id);
                state.segment_of(*id).is_some()
                    || block(id).is_some_and(|known| known.kind == AllocKind::Heap && known.life == Life::Live)
            }
            Value::Null => true,
            _ => false,
        };
        listed(self.left, left) && listed(self.right, right)
    }

    /// The segment that starts at both places.
    pub(super) fn segment(&mut self, left: &Value, right: &Value) -> Option<Value> {
        if let Some(start) = self.lists.start(left, right) {
            return Some(start);
        }
        let mut ways = Vec::new();
        let mut single = self.may_pair(left, right);
        for (rank, node) in self.forms(left, right) {
            let chains = (self.left.chain(left, &node), self.right.chain(right, &node));
            single &= chains.0.nodes.len() <= 1 && chains.1.nodes.len() <= 1;
            ways.extend(self.cuts(&node, &chains).into_iter().map(|cut| (rank, node.clone(), chains.clone(), cut)));
        }
        // Blocks that lead to no block of their kind, such as the head of a list, are no list.
        if single {
            return None;
        }
        // Of two links that lead on the one that leads through more blocks: the other one leads back.
        ways.sort_by_key(|(rank, _, _, cut)| (cut.rank(), *rank, std::cmp::Reverse(cut.counts.0 + cut.counts.1)));
        ways.iter().find_map(|(_, node, chains, cut)| self.cut_off((left, right), node, chains, cut))
    }

    /// True of places in blocks that may be one.
    fn may_pair(&self, left: &Value, right: &Value) -> bool {
        let (Value::Pointer(a, _), Value::Pointer(b, _)) = (left, right) else { return false };
        let size = |state: &State, id: &AllocId| {
            let block = state.allocations.get(id).filter(|known| known.kind == AllocKind::Heap);
            block.map(|known| known.size.clone())
        };
        let (own, other) = (size(self.left, a), size(self.right, b));
        let open = !self.objects.contains_key(a) && !self.taken.contains(b) && !self.lists.has(*a, *b);
        own.is_some() && own == other && (open || self.objects.get(a) == Some(b))
    }

    /// The forms of blocks that the places may be in: links that do lead from a block to another first, then none, then those that may.
    fn forms(&self, left: &Value, right: &Value) -> Vec<((bool, bool), ListNode)> {
        let mut forms: Vec<ListNode> = Vec::new();
        for (state, value) in [(self.left, left), (self.right, right)] {
            for form in self.forms_at(state, value) {
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        let on = |chain: Chain| chain.ends.iter().skip(1).any(|end| matches!(end, Value::Pointer(..)));
        let leads = |node: &ListNode| {
            let sides = [(self.left, left), (self.right, right)];
            sides.iter().any(|(state, start)| on(state.chain(start, node)) || is_linked(state, start, node))
        };
        let ranked = |node: ListNode| ((!leads(&node), node.link.is_some()), node);
        let mut forms: Vec<((bool, bool), ListNode)> = forms.into_iter().map(ranked).collect();
        forms.sort_by_key(|(rank, _)| *rank);
        forms
    }

    /// The forms of the block or segment at a place.
    fn forms_at(&self, state: &State, value: &Value) -> Vec<ListNode> {
        let Value::Pointer(id, _) = value else { return Vec::new() };
        match state.list_from(*id) {
            Some(segment) if segment.node.is_tree() => Vec::new(),
            Some(segment) => vec![segment.node],
            None => self.block_forms(state, value),
        }
    }

    fn block_forms(&self, state: &State, value: &Value) -> Vec<ListNode> {
        let Value::Pointer(id, offset) = value else { return Vec::new() };
        let width = self.program.layout.pointer_bytes();
        let size = state.allocations.get(id).and_then(|known| place_of(&known.size));
        let (Some(size), Some(entry)) = (size, place_of(offset)) else { return Vec::new() };
        let own = state.cells.iter().filter(|cell| cell.alloc == *id && cell.width == width);
        let pointers = own.filter(|cell| may_lead_on(state, &cell.value));
        let mut links: Vec<u64> = pointers.filter_map(|cell| place_of(&cell.offset)).collect();
        links.sort_unstable();
        let links = std::iter::once(None).chain(links.into_iter().map(Some));
        links.map(|link| ListNode { size, link, branches: Vec::new(), entry, width }).collect()
    }

    /// Where the chains can be cut off, the best first.
    fn cuts(&self, node: &ListNode, chains: &(Chain, Chain)) -> Vec<Cut> {
        let paired = |id: &AllocId| self.objects.contains_key(id);
        let free = |id: &AllocId| self.taken.contains(id);
        let ends_held = self.folding.holds_ends();
        let Lists { used, held, holders, .. } = &self.lists;
        let left = Fixed { state: self.left, used: &used.0, held: &held.0, holders: &holders.0 };
        let right = Fixed { state: self.right, used: &used.1, held: &held.1, holders: &holders.1 };
        let ends_known = ends_held || self.folding == Folding::Blocks;
        let most = |side: &Fixed<'_>, chain: &Chain| side.most(chain, ends_held, ends_known);
        let (own, other) = (most(&left, &chains.0), most(&right, &chains.1));
        let shared = |i: usize, j: usize| left.is_shared(&chains.0, i) && right.is_shared(&chains.1, j);
        let listed = chains.0.nodes.first().is_some_and(|id| self.left.segment_of(*id).is_some())
            || chains.1.nodes.first().is_some_and(|id| self.right.segment_of(*id).is_some());
        let own = chains.0.nodes.iter().take(own).take_while(|id| !paired(id)).count();
        let other = chains.1.nodes.iter().take(other).take_while(|id| !free(id)).count();
        let mut cuts = Vec::new();
        for i in 0..=own.min(MAX_CUT) {
            for j in 0..=other.min(MAX_CUT) {
                // Two blocks that lead nowhere are no list.
                if i + j > 0 && (node.link.is_some() || i + j == 1 || listed) {
                    let alike = self.alike(&chains.0.ends[i], &chains.1.ends[j]) || shared(i, j);
                    let told = self.is_told_apart(node, chains, (i, j));
                    cuts.push(Cut { counts: (i, j), alike, told });
                }
            }
        }
        cuts.sort_by_key(|cut| (cut.rank(), std::cmp::Reverse(cut.counts.0 + cut.counts.1)));
        cuts
    }

    /// True if the states go on alike from these values.
    pub(super) fn alike(&self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Null, Value::Null) => true,
            (Value::Pointer(a, x), Value::Pointer(b, y)) => {
                let global = matches!(a, AllocId::Global(_)) && a == b && x == y;
                let shared = self.lists.held.0.contains(a) && self.lists.held.1.contains(b);
                global || shared || self.objects.get(a) == Some(b)
            }
            (_, _) => false,
        }
    }

    fn cut_off(
        &mut self,
        starts: (&Value, &Value),
        node: &ListNode,
        chains: &(Chain, Chain),
        cut: &Cut,
    ) -> Option<Value> {
        let mut attempt = self.clone();
        let nodes = (&chains.0.nodes[..cut.counts.0], &chains.1.nodes[..cut.counts.1]);
        let id = AllocId::Made(attempt.state.next_alloc);
        attempt.state.next_alloc += 1;
        attempt.lists.begin((starts.0.clone(), starts.1.clone()), node.entry, id);
        attempt.lists.used.0.extend(both_ends(self.left, nodes.0));
        attempt.lists.used.1.extend(both_ends(self.right, nodes.1));
        let length = |state: &State, nodes: &[AllocId]| {
            nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&state.count_of(*id)))
        };
        let lengths = (length(self.left, nodes.0), length(self.right, nodes.1));
        let length = attempt.slot(&lengths.0, &lengths.1, SlotKind::Length, format!("length{}", self.slots.len()));
        let ends = (&chains.0.ends[cut.counts.0], &chains.1.ends[cut.counts.1]);
        let left = tails::Side { start: starts.0, nodes: nodes.0, target: ends.0 };
        let right = tails::Side { start: starts.1, nodes: nodes.1, target: ends.1 };
        let tail = node.link.map(|_| attempt.tail_of(id, node, [left, right]));
        attempt.folding = self.folding.after_a_list();
        let target = attempt.value(ends.0, ends.1, SlotKind::Offset, "end");
        attempt.folding = self.folding;
        let itself = matches!(&target, Value::Pointer(other, _) if *other == id);
        if target == Value::Top || itself || (node.link.is_none() && target != Value::Null) {
            return None;
        }
        let back = tail.as_ref().and_then(|tail| tail.link);
        let mut fields = attempt.fields(node, nodes);
        fields.retain(|field| back.is_none_or(|back| field.offset != back));
        attempt.state.segments.insert(id, ListSegment { node: node.clone(), length, target, fields, tail });
        if back.is_some() || attempt.lists.ends.iter().any(|end| end.is_used_of(id)) {
            attempt.renew(id);
        }
        *self = attempt;
        Some(Value::Pointer(id, LinExpr::constant(node.entry as i64)))
    }

    /// What all blocks of both chains hold: constants, null, and lists of their own.
    pub(super) fn fields(&mut self, node: &ListNode, nodes: (&[AllocId], &[AllocId])) -> Vec<Field> {
        let all: Vec<Side> =
            nodes.0.iter().map(|id| Side::Left(*id)).chain(nodes.1.iter().map(|id| Side::Right(*id))).collect();
        self.common_fields(node, &all)
    }

    pub(super) fn common_fields(&mut self, node: &ListNode, all: &[Side]) -> Vec<Field> {
        self.fields_among(node, all, &[])
    }

    /// The same, where more blocks are known only by what all of them hold: those that elements and blocks own.
    pub(super) fn fields_among(&mut self, node: &ListNode, all: &[Side], known: &[(Side, &[Field])]) -> Vec<Field> {
        let places_of = |fields: &[Field]| fields.iter().map(|field| (field.offset, field.width)).collect();
        let mut places: Vec<(u64, u64)> = match (all.first(), known.first()) {
            (Some(first), _) => {
                let own = self.side(*first).segment_of(first.id());
                match own.and_then(|own| self.side(*first).segments.get(&own)) {
                    Some(segment) => places_of(&segment.fields),
                    None => {
                        let cells = self.side(*first).cells.iter().filter(|cell| cell.alloc == first.id());
                        cells.filter_map(|cell| Some((place_of(&cell.offset)?, cell.width))).collect()
                    }
                }
            }
            (None, Some((_, fields))) => places_of(fields),
            (None, None) => return Vec::new(),
        };
        places.sort_unstable();
        places.dedup();
        places.retain(|(offset, _)| node.links().all(|link| link != *offset));
        let mut fields = Vec::new();
        for (offset, width) in places {
            let of_blocks = all.iter().map(|side| Some((*side, self.side(*side).field_of(side.id(), offset, width)?)));
            let of_known = known.iter().map(|(side, fields)| Some((*side, find(fields, offset, width)?.clone())));
            let contents: Option<Vec<(Side, Content)>> = of_blocks.chain(of_known).collect();
            let content = contents.and_then(|contents| self.common(&contents));
            fields.extend(content.map(|content| Field { offset, width, content }));
        }
        let segments = |side: &Side| self.side(*side).segment_of(side.id()).map(|own| &self.side(*side).segments[&own]);
        let of_segments = all.iter().filter_map(segments).map(|segment| segment.fields.as_slice());
        let said = of_segments.chain(known.iter().map(|(_, fields)| *fields));
        let lost = said.filter(|said| loses_owned(&fields, said)).count();
        self.loses_owned += lost;
        fields
    }

    /// Makes a block part of a list, if it is free.
    pub(super) fn take(&mut self, side: Side) -> bool {
        let id = side.id();
        let (used, held, paired) = match side {
            Side::Left(_) => (&mut self.lists.used.0, &self.lists.held.0, self.objects.contains_key(&id)),
            Side::Right(_) => (&mut self.lists.used.1, &self.lists.held.1, self.taken.contains(&id)),
        };
        !held.contains(&id) && !paired && used.insert(id)
    }

    pub(super) fn side(&self, side: Side) -> &State {
        match side {
            Side::Left(_) => self.left,
            Side::Right(_) => self.right,
        }
    }
}

/// An object of one of the states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left(AllocId),
    Right(AllocId),
}

impl Side {
    pub(super) fn is_left(self) -> bool {
        matches!(self, Side::Left(_))
    }

    pub(super) fn id(self) -> AllocId {
        match self {
            Side::Left(id) | Side::Right(id) => id,
        }
    }

    /// Another object of the same state.
    pub(super) fn of(self, id: AllocId) -> Side {
        match self {
            Side::Left(_) => Side::Left(id),
            Side::Right(_) => Side::Right(id),
        }
    }
}
