//! The ends of lists side by side: pointers to the last block, and blocks that lead back (see the crate `states`, `tail`).

use std::collections::BTreeSet;

use belay_linear::LinExpr;
use belay_symbolic::{AllocId, Before, Cell, Ends, Grown, ListNode, State, Tail, Value, place_of};

use super::pairing::Pairer;

/// A chain in one of the states.
#[derive(Clone, Copy)]
pub(super) struct Side<'c> {
    /// Where it starts.
    pub(super) start: &'c Value,
    /// Its blocks and segments.
    pub(super) nodes: &'c [AllocId],
    /// What comes after it.
    pub(super) target: &'c Value,
}

/// The end of a segment in both states.
#[derive(Clone)]
pub(super) struct End {
    /// The segment.
    list: AllocId,
    /// The end's own name.
    id: AllocId,
    entry: u64,
    sides: [SideEnd; 2],
    /// Something points to it.
    used: bool,
}

impl End {
    /// True of the end of a segment that something points to.
    pub(super) fn is_used_of(&self, list: AllocId) -> bool {
        self.used && self.list == list
    }

    fn place(&self) -> Value {
        Value::Pointer(self.id, LinExpr::constant(self.entry as i64))
    }
}

/// The end of a chain in one of the states.
#[derive(Clone)]
struct SideEnd {
    /// True if the chain has no block there.
    empty: bool,
    /// The pointer to its last block.
    last: Option<Value>,
    /// What stands before it; anything until a pointer to the end of an empty chain says what.
    before: Before,
}

impl SideEnd {
    fn new(state: &State, node: &ListNode, nodes: &[AllocId], back: Option<u64>) -> SideEnd {
        if nodes.is_empty() {
            return SideEnd { empty: true, last: None, before: Before::Any };
        }
        match state.ends_of(nodes, node, back) {
            Some(ends) => SideEnd { empty: false, last: ends.last, before: ends.before },
            None => SideEnd { empty: false, last: None, before: Before::Unknown },
        }
    }

    /// True if a value may be a pointer to this end.
    fn fits(&self, value: &Value) -> bool {
        match (self.empty, &self.before) {
            (false, _) => self.last.as_ref() == Some(value),
            (true, Before::Is(before)) => before == value,
            (true, Before::Any) => matches!(value, Value::Null | Value::Pointer(..)),
            (true, Before::Unknown) => false,
        }
    }

    /// Says what the end of an empty chain is, if nothing has pointed to it yet.
    fn settle(&mut self, value: &Value) -> bool {
        let open = self.empty && self.before == Before::Any;
        if open {
            self.before = Before::Is(value.clone());
        }
        open
    }
}

impl Pairer<'_> {
    /// The end of a segment that two pointers are to.
    pub(super) fn end(&mut self, left: &Value, right: &Value) -> Option<Value> {
        if self.lists.start(left, right).is_some() {
            return None;
        }
        let fits = |end: &&mut End| {
            let [own, other] = &end.sides;
            !(own.empty && other.empty) && own.fits(left) && other.fits(right)
        };
        let end = self.lists.ends.iter_mut().find(fits)?;
        let (list, place) = (end.list, end.place());
        let news = [end.sides[0].settle(left), end.sides[1].settle(right), !std::mem::replace(&mut end.used, true)];
        // That happens only so often: what stands before a list may be the end of another.
        if news.contains(&true) {
            self.renew(list);
        }
        Some(place)
    }

    /// Looks once more for what stands before segments that lead back: it may be the end of one that was found later.
    pub(super) fn renew_vague(&mut self) {
        let vague = |pairer: &Self, end: &End| {
            let tail = pairer.state.segments.get(&end.list).and_then(|segment| segment.tail.as_ref());
            tail.is_some_and(|tail| tail.before == Value::Top && (tail.link.is_some() || end.used))
        };
        for _ in 0..self.lists.ends.len() {
            let open: Vec<AllocId> =
                self.lists.ends.iter().filter(|end| vague(self, end)).map(|end| end.list).collect();
            let before = open.len();
            open.into_iter().for_each(|list| self.renew(list));
            if self.lists.ends.iter().filter(|end| vague(self, end)).count() == before {
                return;
            }
        }
    }

    /// Forgets ends that nothing points to and nothing leads back from.
    pub(super) fn drop_unused_ends(&mut self) {
        let mut used: BTreeSet<AllocId> = BTreeSet::new();
        self.state.for_each_value_mut(|value| {
            if let Value::Pointer(id, _) | Value::Address(id, _) = value {
                used.insert(*id);
            }
        });
        for segment in self.state.segments.values_mut() {
            let unused = |tail: &Tail| tail.link.is_none() && !used.contains(&tail.id);
            if segment.tail.as_ref().is_some_and(unused) {
                segment.tail = None;
            }
        }
    }

    /// How many ends something points to of which it is not known what they are where the list is empty, though a state says so.
    pub(super) fn vague_ends(&self) -> usize {
        let vague = |end: &&End| {
            let told = |side: &SideEnd| side.empty && matches!(side.before, Before::Is(_));
            let tail = self.state.segments.get(&end.list).and_then(|segment| segment.tail.as_ref());
            end.used && end.sides.iter().any(told) && tail.is_some_and(|tail| tail.before == Value::Top)
        };
        self.lists.ends.iter().filter(vague).count()
    }

    /// The end of a new segment. What stands before it is found later.
    pub(super) fn tail_of(&mut self, list: AllocId, node: &ListNode, chains: [Side<'_>; 2]) -> Tail {
        let link = self.back_link(node, chains);
        let id = AllocId::Made(self.state.next_alloc);
        self.state.next_alloc += 1;
        let [left, right] = chains.map(|chain| chain.nodes);
        let sides = [SideEnd::new(self.left, node, left, link), SideEnd::new(self.right, node, right, link)];
        self.lists.ends.push(End { list, id, entry: node.entry, sides, used: false });
        Tail { id, before: Value::Top, link }
    }

    /// The same of a tree, whose blocks lead up by the word at `up`.
    pub(super) fn tail_of_tree(&mut self, list: AllocId, node: &ListNode, up: u64, grown: [&Option<Grown>; 2]) -> Tail {
        let id = AllocId::Made(self.state.next_alloc);
        self.state.next_alloc += 1;
        let side = |grown: &Option<Grown>| match grown.as_ref().filter(|grown| !grown.nodes.is_empty()) {
            Some(grown) => SideEnd { empty: false, last: grown.ends.last.clone(), before: grown.ends.before.clone() },
            None => SideEnd { empty: true, last: None, before: Before::Any },
        };
        let sides = grown.map(side);
        self.lists.ends.push(End { list, id, entry: node.entry, sides, used: false });
        Tail { id, before: Value::Top, link: Some(up) }
    }

    /// The offset of a word that leads back in all blocks of both chains.
    fn back_link(&self, node: &ListNode, chains: [Side<'_>; 2]) -> Option<u64> {
        let sides = [(self.left, chains[0]), (self.right, chains[1])];
        let mut links: Vec<u64> = sides.iter().flat_map(|(state, chain)| links_of(state, chain, node)).collect();
        links.sort_unstable();
        links.dedup();
        links.into_iter().find(|link| {
            let ends = |(state, chain): &(&State, Side<'_>)| state.ends_of(chain.nodes, node, Some(*link));
            let leads = |side: &(&State, Side<'_>)| side.1.nodes.is_empty() || ends(side).is_some();
            let shown =
                |side: &(&State, Side<'_>)| ends(side).is_some_and(|ends| side.1.shows(side.0, node, *link, &ends));
            sides.iter().all(leads) && sides.iter().any(shown)
        })
    }

    /// Says what stands before a segment, by what is known of both states.
    pub(super) fn renew(&mut self, list: AllocId) {
        let Some(end) = self.lists.ends.iter().find(|end| end.list == list).cloned() else { return };
        let before = match (&end.sides[0].before, &end.sides[1].before) {
            (Before::Is(left), Before::Is(right)) => self.joined(left, right),
            (Before::Is(left), Before::Any) => self.lifted(left, true),
            (Before::Any, Before::Is(right)) => self.lifted(right, false),
            (_, _) => Value::Top,
        };
        let tail = self.state.segments.get_mut(&list).and_then(|segment| segment.tail.as_mut());
        if let Some(tail) = tail {
            // Its own end may be what the first block leads back to, as a list does that finds its last block so.
            let itself = |id: AllocId| id == end.list || (id == end.id && tail.link.is_none());
            let is_itself = matches!(&before, Value::Pointer(id, _) if itself(*id));
            tail.before = if is_itself { Value::Top } else { before };
        }
    }

    /// Two values as one. Unlike other values it gets no slot: it is found more than once.
    fn joined(&mut self, left: &Value, right: &Value) -> Value {
        match (left, right) {
            (Value::Null, Value::Null) => return Value::Null,
            (Value::Pointer(a, x), Value::Pointer(b, y)) if x == y && x.is_constant() => {
                if let Some(made) = self.object(*a, *b) {
                    return Value::Pointer(made, x.clone());
                }
            }
            (_, _) => {}
        }
        self.end(left, right).or_else(|| self.lists.start(left, right)).unwrap_or(Value::Top)
    }

    /// A value that matters in one of the states only.
    fn lifted(&mut self, value: &Value, left: bool) -> Value {
        let is_last = |end: &&mut End| {
            let own = &end.sides[usize::from(!left)];
            !own.empty && own.last.as_ref() == Some(value)
        };
        if let Some(end) = self.lists.ends.iter_mut().find(is_last) {
            end.used = true;
            return end.place();
        }
        match value {
            Value::Null => Value::Null,
            Value::Pointer(id, offset) if offset.is_constant() => {
                let own = self.objects.iter().find(|(a, b)| if left { *a == id } else { *b == id });
                let made = own.and_then(|(a, _)| self.made_of(*a));
                made.map_or(Value::Top, |made| Value::Pointer(made, offset.clone()))
            }
            _ => Value::Top,
        }
    }
}

/// The offsets at which blocks of a chain may lead back.
fn links_of(state: &State, chain: &Side<'_>, node: &ListNode) -> Vec<u64> {
    let nodes = chain.nodes;
    let after = match chain.target {
        Value::Pointer(id, _) if !nodes.is_empty() => Some(*id),
        _ => None,
    };
    let listed = nodes.iter().filter_map(|id| state.list_from(*id)?.tail?.link);
    let leads = |cell: &&Cell| {
        (nodes.contains(&cell.alloc) || Some(cell.alloc) == after)
            && cell.width == node.width
            && matches!(cell.value, Value::Pointer(..) | Value::Null)
    };
    let cells = state.cells.iter().filter(leads).filter_map(|cell| place_of(&cell.offset));
    listed.chain(cells).filter(|link| Some(*link) != node.link).collect()
}

/// What stands before the segment at a place, if its blocks lead back by the word at `link`.
fn before_list(state: &State, place: &Value, link: u64) -> Option<Value> {
    let Value::Pointer(id, _) = place else { return None };
    state.list_from(*id)?.tail.filter(|tail| tail.link == Some(link)).map(|tail| tail.before)
}

impl Side<'_> {
    /// True if it is no accident that the chain leads back: one block alone says nothing, unless the one beside it does.
    fn shows(&self, state: &State, node: &ListNode, link: u64, ends: &Ends) -> bool {
        let listed = |id: &AllocId| {
            let segment = state.list_from(*id);
            segment.and_then(|segment| segment.tail).is_some_and(|tail| tail.link == Some(link))
        };
        let holds = |place: &Value, offset: u64, value: &Value| {
            let Value::Pointer(block, _) = place else { return false };
            let here = |cell: &&Cell| {
                cell.alloc == *block && place_of(&cell.offset) == Some(offset) && cell.width == node.width
            };
            state.cells.iter().find(here).is_some_and(|cell| cell.value == *value)
        };
        let after = ends.last.as_ref().is_some_and(|last| {
            holds(self.target, link, last) || before_list(state, self.target, link).as_ref() == Some(last)
        });
        let before = match (&ends.before, node.link) {
            (Before::Is(before), Some(on)) => {
                holds(before, on, self.start) || before_list(state, before, on).as_ref() == Some(self.start)
            }
            (_, _) => false,
        };
        let to_itself = matches!((&ends.before, &ends.last), (Before::Is(before), Some(last)) if before == last);
        self.nodes.len() > 1 || self.nodes.iter().any(listed) || after || before || to_itself
    }
}
