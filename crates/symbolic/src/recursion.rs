//! Recursion: an activation of a recursive function is executed by itself, and its caller goes on with a *summary* of it.
//!
//! A call of a recursive function `f` is an arrival at the entry of `f`, at which a state is kept as at a cut point; it has the frame of the call
//! alone. Execution from there notes in [`State::given`] what the entry state's variables, objects and lists are, and every state on the way keeps them.
//! A return is an arrival at the exit of `f`, at which a state is kept as well. Its `given` relates what `f` was given to what it leaves behind. The caller
//! goes on with its own state, in which the objects that the entry state lists are replaced by what the exit state says of them; all others are as before.
//!
//! *Sound*: by induction over the length of a run each activation begins in a state that is represented at the entry, and each return, which comes
//! before what its caller does next, in one that is represented at the exit. Objects that the entry state does not list are not changed by
//! the activation, because a state represents each write and each free as one to an object that it lists; where the pointer is not known the state says
//! [`State::unknown_write`], and the caller forgets all.
//! *Termination*: in an endless run either some activation makes infinitely many steps of its own, with calls that return (the steps over summaries),
//! or there is an endless chain of calls that do not, each an arrival at an entry; both are endless runs of the transition system.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::Span;
use belay_ir::{FuncId, FuncKind, Function, InstId};
use belay_linear::{LinExpr, Var};
use rustc_hash::FxHashSet;

use super::array::ArrayRange;
use super::condition::Truth;
use super::instance::{Pairing, instance};
use super::knowledge::{as_constant, constant};
use super::machine::{Halt, Machine, Step};
use super::segment::at;
use super::state::{AllocId, AllocKind, Allocation, Cases, Frame, Key, Life, State, Value};
use super::values::set;
use belay_rules::Config;

/// The place of the exit of a function, among its instructions.
const EXIT: usize = usize::MAX;

/// What is known of a recursive function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The states in which it is called.
    pub entry: State,
    /// Those in which it returns; none if it does not, as far as is known.
    pub exit: Option<State>,
}

impl Summary {
    /// The summaries among the states at cut points. An entry has one state, and so has an exit: whoever checks states sees to that.
    pub fn all(states: &Cases) -> BTreeMap<FuncId, Rc<Summary>> {
        let summary = |(key, entries): (&Key, &Vec<State>)| match (key.as_slice(), entries.as_slice()) {
            ([(function, Function::ENTRY, 0)], [entry]) => {
                let exit = states.get(&exit_key(*function)).and_then(|exits| exits.first()).cloned();
                Some((*function, Rc::new(Summary { entry: entry.clone(), exit })))
            }
            (_, _) => None,
        };
        states.iter().filter_map(summary).collect()
    }
}

/// The place at which activations of a function begin.
pub fn entry_key(function: FuncId) -> Key {
    vec![(function, Function::ENTRY, 0)]
}

/// The place at which they return.
pub fn exit_key(function: FuncId) -> Key {
    vec![(function, Function::ENTRY, EXIT)]
}

/// True of places at which activations of recursive functions begin.
pub fn is_entry(config: &Config, key: &Key) -> bool {
    matches!(key.as_slice(), [(function, Function::ENTRY, 0)] if *function != config.entry)
}

/// True of places at which they return.
pub fn is_exit(key: &Key) -> bool {
    matches!(key.as_slice(), [(_, Function::ENTRY, EXIT)])
}

impl Frame {
    /// True of the frame of a state at an exit: its parameters are the results.
    pub fn is_exit(&self) -> bool {
        self.index == EXIT
    }
}

impl State {
    /// All that can be said of by a state at an entry: its variables, objects and lists.
    fn named(&self) -> Vec<Value> {
        let numbers = (0..self.names.len()).map(|index| Value::Int(LinExpr::var(Var(index as u32))));
        let objects = self.allocations.keys().map(|id| Value::Pointer(*id, constant(0)));
        let lists = self.segments.iter().map(|(id, segment)| Value::Pointer(*id, at(segment.node.entry)));
        numbers.chain(objects).chain(lists).collect()
    }

    /// The activation in the frames from `depth` on by itself.
    pub fn activation(mut self, depth: usize) -> State {
        self.frames.drain(..depth.min(self.frames.len()));
        for allocation in self.allocations.values_mut() {
            if let AllocKind::Stack { depth: own, inst, dynamic } = allocation.kind {
                allocation.kind = match own.checked_sub(depth) {
                    Some(depth) => AllocKind::Stack { depth, inst, dynamic },
                    None => AllocKind::Argument,
                };
            }
        }
        self.given = Vec::new();
        // There may always be others.
        (self.forgot_block, self.unknown_write) = (true, false);
        self
    }

    /// True of a call of a recursive function by itself, before it is the beginning of an activation.
    pub fn is_call(&self) -> bool {
        self.forgot_block
            && self.given.is_empty()
            && matches!(self.frames.as_slice(), [Frame { block: Function::ENTRY, index: 0, .. }])
    }

    /// What the state at an entry names, as values of a state that it represents.
    pub fn named_in(&self, pairing: &Pairing) -> Vec<Value> {
        let number = |index: usize| pairing.image.get(index).cloned().flatten().unwrap_or_default();
        let numbers = (0..self.names.len()).map(|index| Value::Int(number(index)));
        let object = |id| pairing.allocs.get(id).map_or(Value::Top, |own| Value::Pointer(*own, constant(0)));
        let list = |id| pairing.starts.get(id).cloned().unwrap_or(Value::Top);
        numbers.chain(self.allocations.keys().map(object)).chain(self.segments.keys().map(list)).collect()
    }

    /// The state at an entry as the beginning of an activation.
    pub fn begun(mut self) -> State {
        self.given = self.named();
        (self.forgot_block, self.unknown_write) = (false, false);
        self
    }

    /// The first variable that does not occur.
    pub fn first_free(&self) -> u32 {
        let mut beyond = 0;
        let mut see = |expr: &LinExpr| expr.terms().iter().for_each(|(var, _)| beyond = beyond.max(var.0 + 1));
        self.clone().for_each_expr_mut(|expr| see(expr));
        self.knowledge.constraints.iter().for_each(|known| see(&known.expr));
        self.knowledge.apart.iter().for_each(&mut see);
        beyond
    }

    /// The same state with other variables and other names for its objects.
    fn renamed(mut self, first: u32, names: &BTreeMap<AllocId, AllocId>) -> State {
        let moved = |expr: &LinExpr| {
            let terms = expr.terms().iter().map(|(var, factor)| (Var(var.0 + first), factor.clone()));
            LinExpr::new(terms, expr.offset().clone())
        };
        self.for_each_expr_mut(|expr| *expr = moved(expr));
        self.knowledge.constraints.iter_mut().for_each(|known| known.expr = moved(&known.expr));
        self.knowledge.apart.iter_mut().for_each(|expr| *expr = moved(expr));
        let name = |id: AllocId| names.get(&id).copied().unwrap_or(id);
        self.for_each_value_mut(|value| match value {
            Value::Pointer(id, _) | Value::Address(id, _) => *id = name(*id),
            Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => {}
        });
        self.cells.iter_mut().for_each(|cell| cell.alloc = name(cell.alloc));
        self.ranges.iter_mut().for_each(|range| range.alloc = name(range.alloc));
        self.allocations = std::mem::take(&mut self.allocations).into_iter().map(|(id, it)| (name(id), it)).collect();
        self.segments = std::mem::take(&mut self.segments).into_iter().map(|(id, it)| (name(id), it)).collect();
        let tails = self.segments.values_mut().filter_map(|segment| segment.tail.as_mut());
        tails.for_each(|tail| tail.id = name(tail.id));
        self
    }

    fn unused_alloc(&mut self) -> AllocId {
        self.next_alloc += 1;
        AllocId::Made(self.next_alloc - 1)
    }
}

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
            self.blocks_at_calls |= state.ranges.iter().any(ArrayRange::owns_heap);
            self.blocks_at_calls |= !state.segments.is_empty() || state.allocations.values().any(block);
            let mut begun = state.clone().activation(state.frames.len() - 1);
            self.trim(&mut begun);
            self.aside.push(begun.clone());
            let Some(summary) = self.summaries.get(&function).cloned() else { continue };
            let Some(exit) = &summary.exit else { continue };
            // What is not represented yet is the builder's to generalise; a checker rejects it at the entry.
            let Some(pairing) = instance(&summary.entry, &begun, self.config.integers, self.oracle)? else { continue };
            state.frames.pop();
            done.extend(self.resumed(state, &summary.entry, exit, &pairing, call)?);
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
        let mut names: BTreeMap<AllocId, AllocId> = BTreeMap::new();
        let mut gone: BTreeSet<AllocId> = pairing.used.clone();
        let numbers = entry.names.len();
        for (general, given) in entry.allocations.keys().zip(exit.given.iter().skip(numbers)) {
            let Some(own) = pairing.allocs.get(general) else { continue };
            match given {
                Value::Pointer(left, offset)
                    if as_constant(offset) == Some(0) && exit.allocations.contains_key(left) =>
                {
                    names.insert(*left, *own);
                }
                _ => drop(gone.insert(*own)),
            }
        }
        let touched: BTreeSet<AllocId> = pairing.allocs.values().chain(&pairing.used).copied().collect();
        let tails = exit.segments.values().filter_map(|segment| segment.tail.as_ref()).map(|tail| &tail.id);
        for id in exit.allocations.keys().chain(exit.segments.keys()).chain(tails) {
            if !names.contains_key(id) {
                names.insert(*id, state.unused_alloc());
            }
        }
        let first = state.next_var.max(pairing.next_var);
        state.next_var = first + exit.first_free();
        let exit = exit.clone().renamed(first, &names);
        let lists = entry.segments.iter().zip(exit.given.iter().skip(numbers + entry.allocations.len()));
        let mut heads: BTreeMap<AllocId, (u64, Value)> = BTreeMap::new();
        for ((id, segment), given) in lists {
            let Some(own) = pairing.firsts.get(id) else { continue };
            heads.insert(*own, (segment.node.entry, given.clone()));
        }
        state.for_each_value_mut(|value| *value = after(value, &gone, &heads));
        state.cells.retain(|cell| matches!(cell.alloc, AllocId::Made(_)) && !touched.contains(&cell.alloc));
        // What the activation was told of arrays comes back with its exit; of the others that it may have changed nothing is known.
        for (at, range) in std::mem::take(&mut state.ranges).into_iter().enumerate() {
            if matches!(range.alloc, AllocId::Made(_)) && !touched.contains(&range.alloc) {
                state.ranges.push(range);
            } else {
                state.forgot_block |= range.owns_heap() && !pairing.ranges.contains(&at);
            }
        }
        state.ranges.extend(exit.ranges);
        state.allocations.retain(|id, _| !gone.contains(id));
        state.segments.retain(|id, _| !gone.contains(id));
        for (id, left) in exit.allocations {
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
        state.segments.extend(exit.segments);
        for cell in exit.cells {
            self.note_cell(&mut state, cell.alloc, cell.offset, cell.width, cell.value);
        }
        state.written.extend(exit.written);
        state.forgot_block |= exit.forgot_block || pairing.loses_owned;
        state.knowledge.constraints.extend(exit.knowledge.constraints);
        state.knowledge.apart.extend(exit.knowledge.apart);
        for (given, image) in exit.given.iter().take(numbers).zip(&pairing.image) {
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
