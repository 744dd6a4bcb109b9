//! Abstract states.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{BlockId, FuncId, GlobalId, InstId, LARGEST_BLOCK_ALIGN};
use belay_linear::{LinExpr, Var};

use super::array::ArrayRange;
use super::asked::Asked;
use super::condition::Truth;
use super::knowledge::{Knowledge, replaced};
use super::segment::{ListSegment, each_value, each_value_in};

/// An allocation of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AllocId {
    /// A global object.
    Global(GlobalId),
    /// Made by the run.
    Made(u32),
}

/// Where an allocation comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AllocKind {
    /// A stack object of the frame at this depth; `dynamic` ones end with their scope.
    Stack {
        /// The frame's index, outermost 0.
        depth: usize,
        /// The `alloca`.
        inst: InstId,
        /// Ended by a stack restore.
        dynamic: bool,
    },
    /// A heap block.
    Heap,
    /// What an entry argument points to, or a stack object of a caller that is not in the state: it can't be freed.
    Argument,
    /// A heap block or such an object: some calls of a recursive function give it the one, some the other.
    Either,
}

impl AllocKind {
    /// True if the object can be a heap block: it may be freed, and has to be reached.
    pub fn may_be_heap(self) -> bool {
        match self {
            AllocKind::Heap | AllocKind::Either => true,
            AllocKind::Stack { .. } | AllocKind::Argument => false,
        }
    }

    /// True of kinds whose objects are all among those of `other`.
    pub fn is_within(self, other: AllocKind) -> bool {
        match (self, other) {
            (AllocKind::Heap | AllocKind::Argument, AllocKind::Either) => true,
            (_, _) => self == other,
        }
    }
}

/// Whether an allocation exists now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It does.
    Live,
    /// It has ended, or not begun.
    Dead,
    /// Either.
    Maybe,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Where it comes from.
    pub kind: AllocKind,
    /// Its size in bytes.
    pub size: LinExpr,
    /// Whether it exists.
    pub life: Life,
    /// True if every byte that no cell covers is still 0.
    pub zeroed: bool,
    /// What its address is a multiple of: a power of two.
    pub align: u64,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer: as a signed number; a truth value as 0 or 1.
    Int(LinExpr),
    /// A truth value that has not been looked at.
    Truth(Truth),
    /// So many bytes past the start of an allocation.
    Pointer(AllocId, LinExpr),
    /// The address of a place as an integer.
    Address(AllocId, LinExpr),
    /// The null pointer.
    Null,
    /// The address of one of these functions.
    Function(BTreeSet<FuncId>),
    /// Anything of its type; an invalid pointer.
    Top,
}

/// A fact about memory: the bytes at an offset hold a value. An object is thought to go on for ever on both sides: bytes outside its size
/// have a content as well, which nothing can read or change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// In which allocation.
    pub alloc: AllocId,
    /// Where.
    pub offset: LinExpr,
    /// How many bytes.
    pub width: u64,
    /// What they hold, stored or read with that width.
    pub value: Value,
}

/// A function that has been entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The next instruction of the block.
    pub index: usize,
    /// The arguments.
    pub params: Vec<Value>,
    /// Values of instructions; one that is missing is arbitrary.
    pub values: BTreeMap<InstId, Value>,
}

/// A place in one frame.
pub type Place = (FuncId, BlockId, usize);

/// A place in a run: of all frames, outermost first.
pub type Key = Vec<Place>;

/// The states kept at each place: what a run can be in there is represented by one of them.
pub type Cases = BTreeMap<Key, Vec<State>>;

/// A set of concrete states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The call stack, outermost first.
    pub frames: Vec<Frame>,
    /// Objects made by the run; there may be others.
    pub allocations: BTreeMap<AllocId, Allocation>,
    /// Lists of unknown length; their names are those of no allocation.
    pub segments: BTreeMap<AllocId, ListSegment>,
    /// Facts about memory.
    pub cells: Vec<Cell>,
    /// Facts about elements of arrays.
    pub ranges: Vec<ArrayRange>,
    /// Globals that may have been written: what they hold is known from cells only.
    pub written: BTreeSet<GlobalId>,
    /// True if a heap block may be live that is not listed; in an activation of a recursive function only those count that it was given or made.
    pub forgot_block: bool,
    /// What an activation of a recursive function was given (see [`super::recursion`]): the values, now, of what its entry state named.
    pub given: Vec<Value>,
    /// True if memory may have been written or freed through a pointer that is not known.
    pub unknown_write: bool,
    /// Facts about the symbolic integers.
    pub knowledge: Knowledge,
    /// What the variables at the last cut point are now.
    pub origin: Vec<LinExpr>,
    /// The first variable that is not in use.
    pub next_var: u32,
    /// The first allocation that is not in use.
    pub next_alloc: u32,
    /// Truth values that are still to be assumed.
    pub pending: Vec<Truth>,
    /// What each variable stands for, at a cut point.
    pub names: Vec<String>,
    /// What a run has asked for, while probing.
    pub asked: Vec<Asked>,
}

impl Allocation {
    /// A live heap block, aligned as the machine aligns blocks: who asks what an address is a multiple of asks the layout where this is all that is known.
    pub fn block(size: LinExpr, zeroed: bool) -> Allocation {
        Allocation { kind: AllocKind::Heap, size, life: Life::Live, zeroed, align: LARGEST_BLOCK_ALIGN }
    }
}

impl Value {
    /// The address of a function.
    pub fn function(id: FuncId) -> Value {
        Value::Function(BTreeSet::from([id]))
    }
}

impl State {
    /// A variable that nothing is known of.
    pub fn fresh(&mut self) -> LinExpr {
        let var = Var(self.next_var);
        self.next_var += 1;
        LinExpr::var(var)
    }

    /// A new object.
    pub fn allocate(&mut self, allocation: Allocation) -> AllocId {
        let id = AllocId::Made(self.next_alloc);
        self.next_alloc += 1;
        self.allocations.insert(id, allocation);
        id
    }

    /// Where the run is.
    pub fn key(&self) -> Key {
        self.frames.iter().map(|frame| (frame.function, frame.block, frame.index)).collect()
    }

    /// Forgets an object: what points to it is invalid, or unknown.
    pub fn forget(&mut self, id: AllocId) {
        self.allocations.remove(&id);
        self.cells.retain(|cell| cell.alloc != id);
        self.forget_ranges_of(id);
    }

    /// Calls `f` on each expression, those of the knowledge excepted.
    pub fn for_each_expr_mut(&mut self, mut f: impl FnMut(&mut LinExpr)) {
        let mut visit = |value: &mut Value| match value {
            Value::Int(expr) | Value::Pointer(_, expr) | Value::Address(_, expr) => f(expr),
            Value::Truth(truth) => truth.for_each_expr_mut(&mut f),
            Value::Null | Value::Function(_) | Value::Top => {}
        };
        for frame in &mut self.frames {
            frame.params.iter_mut().for_each(&mut visit);
            frame.values.values_mut().for_each(&mut visit);
        }
        self.given.iter_mut().for_each(&mut visit);
        self.cells.iter_mut().for_each(|cell| visit(&mut cell.value));
        for segment in self.segments.values_mut() {
            visit(&mut segment.target);
            each_value(&mut segment.fields, &mut visit);
            segment.tail.iter_mut().for_each(|tail| visit(&mut tail.before));
        }
        self.ranges.iter_mut().for_each(|range| each_value_in(&mut range.content, &mut visit));
        self.cells.iter_mut().for_each(|cell| f(&mut cell.offset));
        self.ranges.iter_mut().flat_map(|range| [&mut range.from, &mut range.to]).for_each(&mut f);
        self.segments.values_mut().for_each(|segment| f(&mut segment.length));
        self.allocations.values_mut().for_each(|allocation| f(&mut allocation.size));
        self.pending.iter_mut().for_each(|truth| truth.for_each_expr_mut(&mut f));
        self.asked.iter_mut().for_each(|asked| asked.for_each_expr_mut(&mut f));
        self.origin.iter_mut().for_each(f);
    }

    /// Replaces a variable everywhere.
    pub fn substitute(&mut self, var: Var, image: &LinExpr) {
        self.for_each_expr_mut(|expr| {
            if !expr.coefficient(var).is_zero() {
                *expr = replaced(expr, var, image);
            }
        });
        self.knowledge.substitute(var, image);
    }
}
