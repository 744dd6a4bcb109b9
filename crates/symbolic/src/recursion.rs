//! Recursion: an activation of a recursive function is executed by itself, and its caller goes on with a *summary* of it.
//!
//! A call of a recursive function `f` is an arrival at the entry of `f`, at which a state is kept as at a cut point; it has the frame of the call
//! alone. Execution from there notes in [`State::given`] what the entry state's variables, objects and lists are, and every state on the way keeps them.
//! A return is an arrival at the exit of `f`, at which one state or several are kept as well: a function that finds something or gives null has one for each. Their `given` relates what `f` was
//! given to what it leaves behind. The caller goes on, with each of them, with its own state, in which the objects that the entry state lists are replaced by what the exit state says of them; all
//! others are as before.
//!
//! *Sound*: by induction over the length of a run each activation begins in a state that is represented at the entry, and each return, which comes
//! before what its caller does next, in one that is represented by one of the states at the exit. Objects that the entry state does not list are not changed by
//! the activation, because a state represents each write and each free as one to an object that it lists; where the pointer is not known the state says
//! [`State::unknown_write`], and the caller forgets all.
//! *Termination*: in an endless run either some activation makes infinitely many steps of its own, with calls that return (the steps over summaries),
//! or there is an endless chain of calls that do not, each an arrival at an entry; both are endless runs of the transition system.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::Span;
use belay_ir::{FuncKind, Function, InstId};
use rustc_hash::FxHashSet;

use super::activation::{EXIT, Summary};
use super::array::ArrayRange;
use super::condition::Truth;
use super::instance::{Pairing, instance};
use super::knowledge::{as_constant, constant};
use super::machine::{Halt, Machine, Step};
use super::segment::ListSegment;
use super::state::{AllocId, AllocKind, Allocation, Cases, Life, State, Value};
use super::values::set;

impl Machine<'_> {
    /// Says what is known of recursive functions: the states at their entries and exits.
    pub fn know(&mut self, states: &Cases) {
        self.summaries = Summary::all(states);
    }

    /// True if the state is one of an activation by itself.
    pub(super) fn in_activation(&self, state: &State) -> bool {
        state.frames.first().is_some_and(|frame| frame.function != self.config.entry)
    }

    /// True if the program can make heap blocks at all.
    pub(super) fn allocates(&self) -> bool {
        let makes = |kind| match kind {
            FuncKind::Builtin(builtin) => builtin.makes_block(),
            FuncKind::Defined | FuncKind::Extern => false,
        };
        self.program.functions.iter().any(|function| makes(function.kind))
    }

    /// The call in whose frame the states are: notes that an activation begins, and gives the states after it.
    pub(super) fn activate(&mut self, entered: Vec<State>, call: InstId, span: Span) -> Step<Vec<State>> {
        let mut done = Vec::new();
        for state in entered {
            let Some(mut state) = self.without_empty(state)? else { continue };
            let Some(function) = state.frames.last().map(|frame| frame.function) else { continue };
            if function == self.config.entry {
                return Err(Halt::Unable("the entry function is recursive".to_owned(), span));
            }
            let block = |known: &Allocation| known.kind.may_be_heap() && known.life != Life::Dead;
            // A block that was forgotten since the last cut point may be lost: that is said at the next one, which an activation that does not end never comes to.
            self.blocks_at_calls |= state.forgot_block || state.ranges.iter().any(ArrayRange::owns_heap);
            self.blocks_at_calls |= !state.segments.is_empty() || state.allocations.values().any(block);
            let mut begun = state.clone().activation(state.frames.len() - 1);
            self.trim(&mut begun);
            self.aside.push(begun.clone());
            let Some(summary) = self.summaries.get(&function).cloned() else { continue };
            if summary.exits.is_empty() {
                continue;
            }
            // What is not represented yet is the builder's to generalise; a checker rejects it at the entry.
            let Some(pairing) = instance(&summary.entry, &begun, self.config.integers, self.oracle)? else { continue };
            state.frames.pop();
            for exit in &summary.exits {
                done.extend(self.resumed(state.clone(), &summary.entry, exit, &pairing, call)?);
            }
        }
        Ok(done)
    }

    /// Notes that an activation ends.
    pub(super) fn end_activation(&mut self, mut state: State, results: Vec<Value>) -> Step<Vec<State>> {
        if let [frame] = state.frames.as_mut_slice() {
            (frame.block, frame.index) = (Function::ENTRY, EXIT);
            (frame.params, frame.values) = (results, BTreeMap::new());
        }
        let left = self.without_empty(state)?;
        self.aside.extend(left);
        Ok(Vec::new())
    }

    /// The caller's state after an activation that began as `pairing` says and ended as `exit` says.
    fn resumed(
        &mut self,
        mut state: State,
        entry: &State,
        exit: &State,
        pairing: &Pairing,
        call: InstId,
    ) -> Step<Option<State>> {
        if exit.unknown_write {
            self.erase(&mut state, &Value::Top, &constant(0))?;
            state.may_be_freed();
        }
        let (names, gone) = objects_left(entry, exit, pairing, &mut state);
        let touched: BTreeSet<AllocId> = pairing.allocs.values().chain(&pairing.used).copied().collect();
        let first = state.next_var.max(pairing.next_var);
        state.next_var = first + exit.first_free();
        let exit = exit.clone().renamed(first, &names);
        let heads = heads_left(entry, &exit, pairing);
        state.for_each_value_mut(|value| *value = after(value, &gone, &heads));
        state.cells.retain(|cell| matches!(cell.alloc, AllocId::Made(_)) && !touched.contains(&cell.alloc));
        take_ranges(&mut state, exit.ranges, &touched, pairing);
        state.allocations.retain(|id, _| !gone.contains(id));
        state.segments.retain(|id, _| !gone.contains(id));
        take_objects(&mut state, exit.allocations);
        state.segments.extend(exit.segments);
        for cell in exit.cells {
            self.note_cell(&mut state, cell.alloc, cell.offset, cell.width, cell.value);
        }
        state.written.extend(exit.written);
        state.forgot_block |= exit.forgot_block || pairing.loses_owned;
        state.knowledge.constraints.extend(exit.knowledge.constraints);
        state.knowledge.apart.extend(exit.knowledge.apart);
        for (given, image) in exit.given.iter().take(entry.names.len()).zip(&pairing.image) {
            if let (Value::Int(now), Some(image)) = (given, image) {
                state.pending.push(Truth::Zero(now.minus(image)));
            }
        }
        if let [result] = exit.frames.first().map(|frame| frame.params.as_slice()).unwrap_or_default() {
            set(&mut state, call, result.clone());
        }
        self.settle_pending(state)
    }

    /// The state in which all that is still to be assumed is true: equations.
    fn settle_pending(&mut self, mut state: State) -> Step<Option<State>> {
        while let Some(truth) = state.pending.pop() {
            let Truth::Zero(expr) = truth else { continue };
            match state.with_zero(expr, self.oracle)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        let mut seen = FxHashSet::default();
        state.knowledge.constraints.retain(|known| seen.insert(known.clone()));
        Ok(Some(state))
    }
}

/// What the caller calls the objects that an activation leaves behind, and which of its own objects are gone. Names that nothing of the state has are for those that it does not
/// know.
fn objects_left(
    entry: &State,
    exit: &State,
    pairing: &Pairing,
    state: &mut State,
) -> (BTreeMap<AllocId, AllocId>, BTreeSet<AllocId>) {
    let mut names: BTreeMap<AllocId, AllocId> = BTreeMap::new();
    let mut gone: BTreeSet<AllocId> = pairing.used.clone();
    for (general, given) in entry.allocations.keys().zip(exit.given.iter().skip(entry.names.len())) {
        let Some(own) = pairing.allocs.get(general) else { continue };
        match given {
            Value::Pointer(left, offset) if as_constant(offset) == Some(0) && exit.allocations.contains_key(left) => {
                names.insert(*left, *own);
            }
            _ => drop(gone.insert(*own)),
        }
    }
    let tails = exit.segments.values().filter_map(|segment| segment.tail.as_ref()).map(|tail| &tail.id);
    for id in exit.allocations.keys().chain(exit.segments.keys()).chain(tails) {
        if !names.contains_key(id) {
            names.insert(*id, state.unused_alloc());
        }
    }
    (names, gone)
}

/// Where the first blocks of the lists lead that the activation was given, as the exit state in the caller's names says.
fn heads_left(entry: &State, exit: &State, pairing: &Pairing) -> BTreeMap<AllocId, (u64, Value)> {
    let lists = entry.segments.iter().zip(exit.given.iter().skip(entry.names.len() + entry.allocations.len()));
    let named = |((id, segment), given): ((&AllocId, &ListSegment), &Value)| {
        Some((*pairing.firsts.get(id)?, (segment.node.entry, given.clone())))
    };
    lists.filter_map(named).collect()
}

/// What the activation was told of arrays comes back with its exit; of the others that it may have changed nothing is known.
fn take_ranges(state: &mut State, left: Vec<ArrayRange>, touched: &BTreeSet<AllocId>, pairing: &Pairing) {
    for (at, range) in std::mem::take(&mut state.ranges).into_iter().enumerate() {
        if matches!(range.alloc, AllocId::Made(_)) && !touched.contains(&range.alloc) {
            state.ranges.push(range);
        } else {
            state.forgot_block |= range.owns_heap() && !pairing.ranges.contains(&at);
        }
    }
    state.ranges.extend(left);
}

/// The objects that an activation leaves behind.
fn take_objects(state: &mut State, left: BTreeMap<AllocId, Allocation>) {
    for (id, left) in left {
        match state.allocations.get_mut(&id) {
            Some(own) => {
                // An object does not change its size.
                state.pending.push(Truth::Zero(left.size.minus(&own.size)));
                own.zeroed = left.zeroed;
                // Only a heap block can have ended meanwhile.
                if own.kind.may_be_heap() {
                    own.life = left.life;
                }
            }
            None => drop(state.allocations.insert(id, left_behind(left))),
        }
    }
}

/// An object that the caller does not know by a name of its own. One that is not a block the activation was given: it is some object of the
/// caller or of a caller of that, and ends with its frame, whichever that is.
fn left_behind(left: Allocation) -> Allocation {
    match left.kind {
        AllocKind::Heap => left,
        AllocKind::Stack { .. } | AllocKind::Argument | AllocKind::Either => {
            Allocation { kind: AllocKind::Either, life: Life::Maybe, ..left }
        }
    }
}

/// A value of the caller after the activation: `gone` are objects of which nothing is known any more, `heads` the first blocks of lists.
fn after(value: &Value, gone: &BTreeSet<AllocId>, heads: &BTreeMap<AllocId, (u64, Value)>) -> Value {
    let (id, offset) = match value {
        Value::Pointer(id, offset) | Value::Address(id, offset) => (id, offset),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => return value.clone(),
    };
    let at_head = heads.get(id).filter(|(entry, _)| as_constant(offset) == Some(i128::from(*entry)));
    match (value, at_head) {
        (Value::Pointer(..), Some((_, given))) => given.clone(),
        (_, _) if gone.contains(id) => Value::Top,
        (_, _) => value.clone(),
    }
}
