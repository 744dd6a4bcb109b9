//! How a function uses what its pointers lead to: which offsets it accesses, which pointers it loads from there and follows in turn, what it compares with
//! null, frees, scans for a 0. Every function once, callees before callers; flow and context do not matter. Nothing rests on it: it proposes descriptions, of
//! which each has to be proved sufficient.

mod calls;
mod extents;
mod headers;
mod indices;
mod moved;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{FuncId, GlobalId, InstId, Program};

pub use headers::{Before, Headers, Tag};
pub use indices::{Indices, Scale};
pub use moved::{Moved, common};
use walk::Walk;

/// Pointers are followed so many times at most.
const DEPTH: usize = 4;

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A parameter.
    Param(u32),
    /// A variable of static storage: the pointer to it.
    Global(GlobalId),
    /// Loaded from what another leads to.
    Loaded(usize, u64),
    /// Loaded from there at places that vary: an element.
    Element(usize),
    /// A local variable whose address is used: the pointer to it.
    Local(InstId),
}

/// What is done with where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where the pointer comes from.
    pub origin: Origin,
    /// Whether anything is read or written there.
    pub is_accessed: bool,
    /// Whether anything is written there.
    pub is_written: bool,
    /// Where accesses at known offsets end.
    pub end: u64,
    /// Whether there are accesses before the pointer.
    pub is_negative: bool,
    /// Whether offsets vary.
    pub varies: bool,
    /// Where offsets that vary begin, and by which steps they do.
    pub steps: BTreeSet<(i64, u64)>,
    /// Whether they vary in a way that is not known.
    pub roams: bool,
    /// Whether the pointer is compared with null.
    pub is_null_tested: bool,
    /// Whether a 0 is looked for.
    pub is_zero_tested: bool,
    /// Whether it may be freed.
    pub is_freed: bool,
    /// Whether it is called.
    pub is_called: bool,
    /// Whether it is compared with a function that has a name.
    pub is_told_apart: bool,
}

/// A number that may say how many elements there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Count {
    /// A parameter.
    Param(u32),
    /// A member of what a pointer leads to.
    Member(usize, u64),
}

/// What a register may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    /// A pointer, moved.
    Pointer(usize, Moved),
    /// A number that was read there.
    Content(usize),
    /// What was computed from one.
    Derived(usize),
    /// A number.
    Count(Count),
    /// A function.
    Function(FuncId),
}

/// How one function uses its pointers.
#[derive(Clone, Default, Debug)]
pub struct Usage {
    /// The pointers, those that others are loaded from first.
    pub nodes: Vec<Node>,
    /// Numbers that are compared with others, or say how much is copied.
    pub counts: BTreeSet<Count>,
    /// Functions that it calls, those of callees too.
    pub calls: BTreeSet<FuncId>,
    /// Pointers to functions that it calls through: where they are kept.
    pub called_through: BTreeSet<(GlobalId, u64)>,
    /// How places are chosen in what pointers lead to.
    pub indices: BTreeMap<usize, Indices>,
    /// The same for the parts of an object that begin at an offset.
    pub inner: BTreeMap<(usize, i64), Indices>,
    /// Numbers that counters of fewer bits are compared with, and what those come to at most.
    pub counters: BTreeMap<Count, u64>,
    /// Numbers that are divided by.
    pub divisors: BTreeSet<Count>,
    /// Constants that are added to numbers.
    pub added: BTreeSet<(Count, i64)>,
    /// Numbers that something is shifted by, and by how much that is possible.
    pub shifts: BTreeSet<(Count, u64)>,
    /// Numbers that are compared with each other.
    pub compared: BTreeSet<(Count, Count)>,
    /// Numbers of the program with which is compared what is read where a pointer leads.
    pub constants: BTreeMap<usize, BTreeSet<i128>>,
    /// What is accessed before where pointers lead.
    pub headers: BTreeMap<usize, Headers>,
    results: BTreeSet<Value>,
    /// Pointers that are stored where others lead, by offset.
    stored: BTreeMap<(usize, u64), BTreeSet<Value>>,
    by_origin: BTreeMap<Origin, usize>,
}

/// The uses of all functions that are asked for.
pub struct Usages<'p> {
    program: &'p Program,
    known: BTreeMap<FuncId, Usage>,
    open: BTreeSet<FuncId>,
}

impl<'p> Usages<'p> {
    /// Nothing is known yet.
    pub fn new(program: &'p Program) -> Usages<'p> {
        Usages { program, known: BTreeMap::new(), open: BTreeSet::new() }
    }

    /// How a function uses its pointers. Of one that is under way nothing is known.
    pub fn of(&mut self, id: FuncId) -> Usage {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let function = &self.program.functions[id];
        if !function.is_defined() || !self.open.insert(id) {
            return Usage::default();
        }
        let usage = Walk::new(self, function).run();
        self.open.remove(&id);
        self.known.insert(id, usage.clone());
        usage
    }
}

impl Node {
    fn vary(&mut self, from: i64, step: u64) {
        self.varies = true;
        self.steps.insert((from, step));
        if self.steps.len() > STEPS {
            (self.steps, self.roams) = (BTreeSet::new(), true);
        }
    }
}

impl Usage {
    fn node(&mut self, origin: Origin) -> Option<usize> {
        if let Some(known) = self.by_origin.get(&origin) {
            return Some(*known);
        }
        if let Origin::Loaded(from, _) | Origin::Element(from) = origin
            && self.depth(from) + 1 >= DEPTH
        {
            return None;
        }
        self.nodes.push(Node {
            origin,
            is_accessed: false,
            is_written: false,
            end: 0,
            is_negative: false,
            varies: false,
            steps: BTreeSet::new(),
            roams: false,
            is_null_tested: false,
            is_zero_tested: false,
            is_freed: false,
            is_called: false,
            is_told_apart: false,
        });
        self.by_origin.insert(origin, self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    /// How many pointers lead to it.
    pub fn depth(&self, node: usize) -> usize {
        match self.nodes[node].origin {
            Origin::Param(_) | Origin::Global(_) | Origin::Local(_) => 0,
            Origin::Loaded(from, _) | Origin::Element(from) => self.depth(from) + 1,
        }
    }

    fn access(&mut self, node: usize, moved: Moved, size: Option<u64>, is_written: bool) {
        let node = &mut self.nodes[node];
        node.is_accessed = true;
        node.is_written |= is_written;
        match (moved, size) {
            (Moved::By(offset), Some(size)) => match u64::try_from(offset) {
                Ok(offset) => node.end = node.end.max(offset.saturating_add(size)),
                Err(_) => node.is_negative = true,
            },
            (Moved::By(offset), None) => node.vary(offset, 1),
            (Moved::Steps(offset, step), _) => node.vary(offset, step),
            (Moved::Freely, _) => (node.varies, node.roams) = (true, true),
        }
    }

    /// Stores a pointer where another leads.
    fn store(&mut self, place: (usize, u64), values: impl IntoIterator<Item = Value>) {
        let known = self.stored.entry(place).or_default();
        values.into_iter().for_each(|value| insert(known, value));
    }

    /// A pointer is called: if it is kept in static storage, there.
    fn call_through(&mut self, node: usize) {
        if let Origin::Loaded(from, at) = self.nodes[node].origin
            && let Origin::Global(global) = self.nodes[from].origin
        {
            self.called_through.insert((global, at));
        }
    }

    /// The pointers that are loaded from where one leads, by offset.
    pub fn loaded(&self, from: usize) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.by_origin.iter().filter_map(move |(origin, node)| match origin {
            Origin::Loaded(of, offset) if *of == from => Some((*offset, *node)),
            Origin::Loaded(..) | Origin::Element(_) | Origin::Param(_) | Origin::Global(_) | Origin::Local(_) => None,
        })
    }

    /// True if what is loaded from where a pointer leads is not followed.
    pub fn is_last(&self, node: usize) -> bool {
        self.depth(node) + 1 >= DEPTH
    }

    /// The pointers that are elements of where one leads.
    pub fn element(&self, of: usize) -> Option<usize> {
        self.by_origin.get(&Origin::Element(of)).copied()
    }

    /// The pointer that a parameter is.
    pub fn of_param(&self, index: u32) -> Option<usize> {
        self.by_origin.get(&Origin::Param(index)).copied()
    }
}

impl Usage {
    /// What a callee does to a pointer, which is one of mine moved.
    fn join(&mut self, mine: usize, moved: Moved, other: &Node) {
        if other.is_accessed {
            if other.end > 0 {
                self.access(mine, moved, Some(other.end), other.is_written);
            }
            for (from, step) in &other.steps {
                self.access(mine, moved.then(Moved::Steps(*from, *step)), None, other.is_written);
            }
            if other.roams || other.end == 0 && !other.varies {
                self.access(mine, Moved::Freely, None, other.is_written);
            }
            self.nodes[mine].is_negative |= other.is_negative;
        }
        let node = &mut self.nodes[mine];
        node.is_null_tested |= other.is_null_tested;
        node.is_zero_tested |= other.is_zero_tested;
        node.is_freed |= other.is_freed;
        node.is_called |= other.is_called;
        node.is_told_apart |= other.is_told_apart;
    }
}

/// Possible values of a register or place that are kept.
const VALUES: usize = 12;
/// Offsets into one object that a register or place may have before it may have any.
const OFFSETS: usize = 4;
/// Places in an object from which offsets vary, before they vary in a way that is not known.
const STEPS: usize = 16;

/// One more possible value.
fn insert(known: &mut BTreeSet<Value>, value: Value) {
    let widened = match value {
        Value::Pointer(node, moved) => {
            let others: Vec<Moved> = known.iter().filter_map(|other| other.moved_from(node)).collect();
            if others.iter().any(|other| other.covers(moved)) {
                return;
            }
            Value::Pointer(node, widen(&others, moved))
        }
        other => other,
    };
    if known.len() < VALUES {
        known.insert(widened);
    }
}

/// A further distance, where there are many: all of them at once.
fn widen(known: &[Moved], moved: Moved) -> Moved {
    if known.len() < OFFSETS {
        return moved;
    }
    let places: Option<Vec<i64>> = known.iter().chain([&moved]).map(|other| other.exact()).collect();
    let Some(least) = places.as_ref().and_then(|places| places.iter().min().copied()) else { return Moved::Freely };
    let steps = places.iter().flatten().map(|place| (place - least) as u64);
    Moved::Steps(least, steps.fold(0, common).max(1))
}

impl Value {
    /// How far it is from where a pointer came from.
    fn moved_from(&self, from: usize) -> Option<Moved> {
        match self {
            Value::Pointer(node, moved) if *node == from => Some(*moved),
            Value::Pointer(..) | Value::Content(_) | Value::Derived(_) | Value::Count(_) | Value::Function(_) => None,
        }
    }
}
