//! What objects hold: the memory modification graph, one for each object.
//!
//! After section III of the memory model paper: a memory state is a node, and stores, copies, fills and joins make new nodes from
//! old ones. We differ in that the graph is split by object, since pointers know their objects, and in that writes at constant
//! offsets do not make a node each: a node [`Node::Cells`] keeps them in a map from offset to value over an older state,
//! so that reading one back is a look-up and a join of two such nodes touches only the cells that differ. Nothing is
//! simplified away: what a cell holds is exactly what the last write to its bytes wrote.

use belay_logic::bv::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use belay_base::id_type;
use belay_ir::GlobalId;

use super::execution::Execution;
use super::object::ObjectId;
use super::prefix_sum::{Addends, KnownTotal};
use super::trie::Trie;
use super::value::Value;

id_type!(
    /// A state of one object's bytes.
    VersionId,
    "m"
);

/// The bytes that an object starts with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Undefined bytes of their own.
    Undefined(ObjectId),
    /// Zeros.
    Zero,
    /// A global's initialiser.
    Global(GlobalId),
    /// Pointers to the program's arguments and a null.
    Arguments,
    /// The bytes of a string: none is 0 before its length, and the next is.
    String(ObjectId),
    /// Arbitrary bytes, no pointers among them: what a cut loop may have left.
    Havoc(u32),
}

/// A value at a constant offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredValue {
    /// What was written.
    pub value: Value,
    /// How many bytes.
    pub size: u32,
}

/// Values are at most this long.
pub const MAX_CELL: u32 = 16;

/// How a version came about.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Node {
    /// The object's first bytes.
    Start(Start),
    /// Values at constant offsets, which do not overlap, over an older version.
    Cells { cells: Trie<StoredValue>, base: VersionId },
    /// A value at an offset.
    Store { before: VersionId, offset: TermId, value: Value, size: u32 },
    /// `len` bytes of another (or the same) object; `limit` is the greatest size that object can have.
    Copy { before: VersionId, offset: TermId, len: TermId, source: VersionId, from: TermId, limit: u64 },
    /// `len` equal bytes.
    Fill { before: VersionId, offset: TermId, len: TermId, byte: TermId },
    /// The first version if the condition holds, else the second.
    Join { condition: TermId, then: VersionId, otherwise: VersionId },
}

/// What a read asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wanted {
    /// How many bytes.
    pub size: u32,
    /// True if they are to be an address.
    pub pointer: bool,
}

/// The versions of an unrolling, and what was read from them.
#[derive(Debug, Default)]
pub struct Contents {
    nodes: Vec<Node>,
    starts: FxHashMap<Start, VersionId>,
    joins: FxHashMap<(TermId, VersionId, VersionId), VersionId>,
    /// What reads found.
    pub(super) reads: FxHashMap<(VersionId, TermId, Wanted), Value>,
    /// Reads at unknown offsets of large starts: offset, size and result.
    pub(super) lazy: FxHashMap<Start, Vec<(TermId, u32, TermId)>>,
    /// Undefined bytes read at known offsets, in the same form.
    pub(super) constants: FxHashMap<Start, Vec<(TermId, u32, TermId)>>,
    pub(super) seen_bytes: FxHashSet<(ObjectId, u64)>,
    /// Sums of first elements: how many, as they are and as wide numbers, and the sum.
    pub(super) totals: FxHashMap<(VersionId, Addends), Vec<KnownTotal>>,
}

impl Contents {
    /// How a version came about.
    pub fn node(&self, version: VersionId) -> &Node {
        &self.nodes[version.0 as usize]
    }

    /// A new version.
    pub fn push(&mut self, node: Node) -> VersionId {
        self.nodes.push(node);
        VersionId(self.nodes.len() as u32 - 1)
    }

    /// The version with these first bytes.
    pub fn start(&mut self, start: Start) -> VersionId {
        if let Some(known) = self.starts.get(&start) {
            return *known;
        }
        let version = self.push(Node::Start(start));
        self.starts.insert(start, version);
        version
    }

    /// The cells on top of a version, and what lies below them.
    pub(super) fn split_layers(&self, version: VersionId) -> (Trie<StoredValue>, VersionId) {
        match self.node(version) {
            Node::Cells { cells, base } => (cells.clone(), *base),
            Node::Start(_) | Node::Store { .. } | Node::Copy { .. } | Node::Fill { .. } | Node::Join { .. } => {
                (Trie::default(), version)
            }
        }
    }
}

/// The cells that share a byte with `[offset, offset + size)`.
pub(super) fn overlapping(cells: &Trie<StoredValue>, offset: u32, size: u32) -> Vec<(u32, StoredValue)> {
    let first = offset.saturating_sub(MAX_CELL - 1);
    let candidates = first..offset.saturating_add(size);
    let found = candidates.filter_map(|at| cells.get(at).map(|cell| (at, cell)));
    found.filter(|(at, cell)| at + cell.size > offset).collect()
}

impl Execution<'_, '_> {
    /// The version after a write of `size` bytes at `offset`.
    pub(super) fn written(&mut self, before: VersionId, offset: TermId, value: Value, size: u32) -> VersionId {
        let constant = self.store.terms.as_const(offset).and_then(|bits| bits.to_u128());
        let Some(at) = constant.and_then(|at| u32::try_from(at).ok()).filter(|at| at.checked_add(64).is_some()) else {
            return self.contents.push(Node::Store { before, offset, value, size });
        };
        let (mut cells, base) = self.contents.split_layers(before);
        for (start, cell) in overlapping(&cells, at, size) {
            cells.remove(start);
            for byte in 0..cell.size {
                if start + byte < at || start + byte >= at + size {
                    let value = Value::Bits(self.byte_of(cell.value, byte));
                    cells.set(start + byte, StoredValue { value, size: 1 });
                }
            }
        }
        cells.set(at, StoredValue { value, size });
        self.contents.push(Node::Cells { cells, base })
    }

    /// `then` if `condition` holds, else `otherwise`; `limit` is the greatest size the object can have.
    pub(super) fn joined(&mut self, condition: TermId, then: VersionId, otherwise: VersionId, limit: u64) -> VersionId {
        if then == otherwise || self.store.terms.is_true(condition) {
            return then;
        }
        if self.store.terms.is_false(condition) {
            return otherwise;
        }
        if let Some(known) = self.contents.joins.get(&(condition, then, otherwise)) {
            return *known;
        }
        let version = match self.join_cells(condition, then, otherwise, limit) {
            Some(version) => version,
            None => self.contents.push(Node::Join { condition, then, otherwise }),
        };
        self.contents.joins.insert((condition, then, otherwise), version);
        version
    }

    /// The join of two maps of cells over one version, cell by cell.
    fn join_cells(&mut self, condition: TermId, a: VersionId, b: VersionId, limit: u64) -> Option<VersionId> {
        let ((left, base), (right, other)) = (self.contents.split_layers(a), self.contents.split_layers(b));
        if base != other {
            return None;
        }
        let differences = left.differences(&right);
        let fits = |cells: &Trie<StoredValue>, at: u32, cell: StoredValue| {
            overlapping(cells, at, cell.size).iter().all(|(start, other)| *start == at && other.size == cell.size)
        };
        for (at, x, y) in &differences {
            if x.is_some_and(|cell| !fits(&right, *at, cell)) || y.is_some_and(|cell| !fits(&left, *at, cell)) {
                return None;
            }
        }
        let mut cells = left;
        for (at, x, y) in differences {
            let Some(cell) = x.or(y) else { continue };
            let offset = self.store.address_number(u64::from(at));
            let pointer = matches!(cell.value, Value::Ptr(_));
            let wanted = Wanted { size: cell.size, pointer };
            let side = |encoder: &mut Self, cell: Option<StoredValue>| match cell {
                Some(cell) => cell.value,
                None => encoder.read(base, limit, offset, wanted),
            };
            let (then, otherwise) = (side(self, x), side(self, y));
            let value = self.select(condition, then, otherwise);
            cells.set(at, StoredValue { value, size: cell.size });
        }
        Some(self.contents.push(Node::Cells { cells, base }))
    }
}
