//! Lists side by side: chains of heap blocks that two states have in common become a segment (see `semantics`' `symbolic::segment`).
//!
//! From two places links are followed as far as no register, global or stack object points into the middle; of all ways to cut both chains off, one is taken
//! after which both states go on alike: at null, at the same object, or at places that others point to as well.

use std::collections::BTreeSet;

use belay_logic::simplex::LinExpr;
use belay_semantics::symbolic::{AllocId, AllocKind, Chain, Field, Life, ListNode, Segment, State, Value, place_of};

use super::pairing::{Pairer, SlotKind};

/// The segments found so far.
#[derive(Clone)]
pub(super) struct Lists {
    /// Blocks and segments of each state that are part of one.
    pub(super) used: (BTreeSet<AllocId>, BTreeSet<AllocId>),
    /// Where each starts in the states, and its name.
    starts: Vec<(Value, Value, AllocId)>,
    /// What registers, globals and stack objects point to.
    held: (BTreeSet<AllocId>, BTreeSet<AllocId>),
}

impl Lists {
    pub(super) fn new(left: &State, right: &State) -> Lists {
        Lists { used: Default::default(), starts: Vec::new(), held: (held(left), held(right)) }
    }

    /// True if one of the objects is part of a segment.
    pub(super) fn has(&self, left: AllocId, right: AllocId) -> bool {
        self.used.0.contains(&left) || self.used.1.contains(&right)
    }
}

fn held(state: &State) -> BTreeSet<AllocId> {
    let registers = state.frames.iter().flat_map(|frame| frame.params.iter().chain(frame.values.values()));
    let on_heap = |id: &AllocId| state.allocations.get(id).is_some_and(|known| known.kind == AllocKind::Heap);
    let cells = state.cells.iter().filter(|cell| !on_heap(&cell.alloc)).map(|cell| &cell.value);
    let target = |value: &Value| match value {
        Value::Pointer(id, _) | Value::Address(id, _) => Some(*id),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => None,
    };
    registers.chain(cells).filter_map(target).collect()
}

/// Where two chains are cut off.
struct Cut {
    counts: (usize, usize),
    alike: bool,
}

impl Pairer<'_> {
    /// True if both places may be in lists.
    pub(super) fn foldable(&self, left: &Value, right: &Value) -> bool {
        let listed = |state: &State, value: &Value| match value {
            Value::Pointer(id, _) => {
                let block = |id| state.allocations.get(id);
                state.segments.contains_key(id)
                    || block(id).is_some_and(|known| known.kind == AllocKind::Heap && known.life == Life::Live)
            }
            Value::Null => true,
            _ => false,
        };
        listed(self.left, left) && listed(self.right, right)
    }

    /// The segment that starts at both places.
    pub(super) fn segment(&mut self, left: &Value, right: &Value) -> Option<Value> {
        for (a, b, id) in &self.lists.starts {
            let (same_left, same_right) = (a == left, b == right);
            if same_left && same_right {
                let entry = self.state.segments.get(id).map(|segment| segment.node.entry)?;
                return Some(Value::Pointer(*id, LinExpr::constant(entry as i64)));
            }
        }
        for node in self.forms(left, right) {
            let chains = (self.left.chain(left, &node), self.right.chain(right, &node));
            for cut in self.cuts(&chains) {
                if let Some(list) = self.cut_off((left, right), &node, &chains, &cut) {
                    return Some(list);
                }
            }
        }
        None
    }

    /// The forms of blocks that the places may be in.
    fn forms(&self, left: &Value, right: &Value) -> Vec<ListNode> {
        let mut forms: Vec<ListNode> = Vec::new();
        let sides = [(self.left, left), (self.right, right)];
        for (state, value) in sides {
            let Value::Pointer(id, _) = value else { continue };
            forms.extend(state.segments.get(id).map(|segment| segment.node.clone()));
        }
        if forms.is_empty() {
            for (state, value) in sides {
                forms.extend(self.block_forms(state, value));
            }
        }
        forms.dedup();
        forms
    }

    fn block_forms(&self, state: &State, value: &Value) -> Vec<ListNode> {
        let Value::Pointer(id, offset) = value else { return Vec::new() };
        let width = self.program.layout.pointer_bytes();
        let size = state.allocations.get(id).and_then(|known| place_of(&known.size));
        let (Some(size), Some(entry)) = (size, place_of(offset)) else { return Vec::new() };
        let pointers = state.cells.iter().filter(|cell| {
            cell.alloc == *id && cell.width == width && matches!(cell.value, Value::Pointer(..) | Value::Null)
        });
        let mut links: Vec<u64> = pointers.filter_map(|cell| place_of(&cell.offset)).collect();
        links.sort_unstable();
        if self.folding.last_link {
            links.reverse();
        }
        links.into_iter().map(|link| ListNode { size, link, entry, width }).collect()
    }

    /// Where the chains can be cut off, the best first.
    fn cuts(&self, chains: &(Chain, Chain)) -> Vec<Cut> {
        let most = |chain: &Chain, used: &BTreeSet<AllocId>, held: &BTreeSet<AllocId>| {
            let inside =
                |(at, id): (usize, &AllocId)| (!used.contains(id) && (at == 0 || !held.contains(id))).then_some(());
            chain.nodes.iter().enumerate().map_while(inside).count()
        };
        let paired = |id: &AllocId| self.objects.contains_key(id);
        let free = |id: &AllocId| self.objects.values().any(|taken| taken == id);
        let left = most(&chains.0, &self.lists.used.0, &self.lists.held.0);
        let right = most(&chains.1, &self.lists.used.1, &self.lists.held.1);
        let left = chains.0.nodes.iter().take(left).take_while(|id| !paired(id)).count();
        let right = chains.1.nodes.iter().take(right).take_while(|id| !free(id)).count();
        let mut cuts = Vec::new();
        for i in 0..=left {
            for j in 0..=right {
                if i + j > 0 {
                    cuts.push(Cut { counts: (i, j), alike: self.alike(&chains.0.ends[i], &chains.1.ends[j]) });
                }
            }
        }
        cuts.sort_by_key(|cut| (!cut.alike, std::cmp::Reverse(cut.counts.0 + cut.counts.1)));
        cuts
    }

    /// True if the states go on alike from these values.
    fn alike(&self, left: &Value, right: &Value) -> bool {
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
        attempt.lists.starts.push((starts.0.clone(), starts.1.clone(), id));
        attempt.lists.used.0.extend(nodes.0.iter().copied());
        attempt.lists.used.1.extend(nodes.1.iter().copied());
        let length = |state: &State, nodes: &[AllocId]| {
            nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&state.count_of(*id)))
        };
        let lengths = (length(self.left, nodes.0), length(self.right, nodes.1));
        let length = attempt.slot(&lengths.0, &lengths.1, SlotKind::Length, format!("length{}", self.slots.len()));
        let ends = (&chains.0.ends[cut.counts.0], &chains.1.ends[cut.counts.1]);
        let target = attempt.value(ends.0, ends.1, SlotKind::Offset, "end");
        let itself = matches!(&target, Value::Pointer(other, _) if *other == id);
        if target == Value::Top || itself {
            return None;
        }
        let fields = attempt.fields(node, nodes);
        attempt.state.segments.insert(id, Segment { node: node.clone(), length, target, fields });
        *self = attempt;
        Some(Value::Pointer(id, LinExpr::constant(node.entry as i64)))
    }

    /// What all blocks of both chains hold: constants and null.
    fn fields(&self, node: &ListNode, nodes: (&[AllocId], &[AllocId])) -> Vec<Field> {
        let all: Vec<(&State, AllocId)> =
            nodes.0.iter().map(|id| (self.left, *id)).chain(nodes.1.iter().map(|id| (self.right, *id))).collect();
        let Some((state, first)) = all.first() else { return Vec::new() };
        let mut fields: Vec<Field> = match state.segments.get(first) {
            Some(segment) => segment.fields.clone(),
            None => state
                .cells
                .iter()
                .filter(|cell| cell.alloc == *first)
                .filter_map(|cell| {
                    let offset = place_of(&cell.offset)?;
                    Some(Field { offset, width: cell.width, value: cell.value.clone() })
                })
                .collect(),
        };
        fields.retain(|field| {
            let plain = match &field.value {
                Value::Int(expr) => expr.is_constant(),
                Value::Null | Value::Function(_) => true,
                Value::Pointer(AllocId::Global(_), offset) => offset.is_constant(),
                Value::Pointer(..) | Value::Address(..) | Value::Truth(_) | Value::Top => false,
            };
            plain
                && field.offset != node.link
                && all.iter().all(|(state, id)| state.field_of(*id, field.offset, field.width) == Some(&field.value))
        });
        fields
    }
}
