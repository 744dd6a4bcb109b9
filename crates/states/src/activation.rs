//! Activations of recursive functions as states: where they begin and return, and the summary that a caller goes on with. What is done with them, and why that is
//! sound, is said where calls are executed (crate `symbolic`, `recursion`).

use std::collections::BTreeMap;
use std::rc::Rc;

use belay_ir::{FuncId, Function};
use belay_linear::{LinExpr, Var};
use belay_rules::Config;

use super::instance::Pairing;
use super::knowledge::constant;
use super::segment::at;
use super::state::{AllocId, AllocKind, Cases, Frame, Key, State, Value};

/// The place of the exit of a function, among its instructions.
pub const EXIT: usize = usize::MAX;

/// What is known of a recursive function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The states in which it is called.
    pub entry: State,
    /// Those in which it returns, each in one of them; none if it does not, as far as is known.
    pub exits: Vec<State>,
}

impl Summary {
    /// The summaries among the states at cut points. An entry has one state: whoever checks states sees to that.
    pub fn all(states: &Cases) -> BTreeMap<FuncId, Rc<Summary>> {
        let summary = |(key, entries): (&Key, &Vec<State>)| match (key.as_slice(), entries.as_slice()) {
            ([(function, Function::ENTRY, 0)], [entry]) => {
                let exits = states.get(&exit_key(*function)).cloned().unwrap_or_default();
                Some((*function, Rc::new(Summary { entry: entry.clone(), exits })))
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
    pub fn renamed(mut self, first: u32, names: &BTreeMap<AllocId, AllocId>) -> State {
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

    /// A name that no object has.
    pub fn unused_alloc(&mut self) -> AllocId {
        self.next_alloc += 1;
        AllocId::Made(self.next_alloc - 1)
    }
}
