//! Where lists begin: what leads to the first block of a list is looked at before what leads into it.
//!
//! Where the end of a list is met first, as `tail` is where it stands before `head`, a list begins there, and what comes before it becomes a list that leads to it.
//! Of two lists it is not known whether the second is empty where the first is not; said from the first block on there is one, and its end.

use std::collections::BTreeSet;

use belay_ir::InstId;
use belay_symbolic::{AllocId, AllocKind, Cell, State, Value, place_of};

use super::{Pairer, name_of, width_of};

/// A value of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum InFrame {
    /// A parameter.
    Param(usize),
    /// What an instruction gave.
    Inst(InstId),
}

/// The blocks and lists of both states that a block or a list leads to.
#[derive(Clone, Default, Debug)]
pub(super) struct Inner {
    left: BTreeSet<AllocId>,
    right: BTreeSet<AllocId>,
    /// Values that are looked at later.
    pub(super) postponed: Vec<(usize, InFrame)>,
}

impl Inner {
    pub(super) fn new(left: &State, right: &State) -> Inner {
        Inner { left: inner(left), right: inner(right), postponed: Vec::new() }
    }

    /// True of values that lead into a list in one of the states.
    pub(super) fn has(&self, left: &Value, right: &Value) -> bool {
        let within =
            |value: &Value, inner: &BTreeSet<AllocId>| matches!(value, Value::Pointer(id, _) if inner.contains(id));
        within(left, &self.left) || within(right, &self.right)
    }

    fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }
}

/// True if there is something to look at later.
pub fn leads_into_lists(left: &State, right: &State) -> bool {
    !Inner::new(left, right).is_empty()
}

fn inner(state: &State) -> BTreeSet<AllocId> {
    let size = |id: &AllocId| {
        let block = state.allocations.get(id).filter(|known| known.kind == AllocKind::Heap);
        block.map(|known| &known.size)
    };
    let leads = |cell: &Cell| match &cell.value {
        Value::Pointer(to, _) if *to != cell.alloc => {
            let own = size(&cell.alloc)?;
            let listed = state.segments.get(to).is_some_and(|list| place_of(own) == Some(list.node.size));
            (size(to) == Some(own) || listed).then_some(*to)
        }
        _ => None,
    };
    let ends = state.segments.values().flat_map(|list| {
        let after = if let Value::Pointer(id, _) = &list.target { Some(*id) } else { None };
        [after, list.tail.as_ref().map(|tail| tail.id)]
    });
    state.cells.iter().filter_map(leads).chain(ends.flatten()).collect()
}

impl Pairer<'_> {
    /// What was postponed: from now on nothing is.
    pub(super) fn postponed(&mut self) {
        let Inner { postponed, .. } = std::mem::take(&mut self.inner);
        for (depth, place) in postponed {
            let (left, right) = (&self.left.frames[depth], &self.right.frames[depth]);
            let function = &self.program.functions[left.function];
            let value = match place {
                InFrame::Param(index) => {
                    let (kind, name) = self.param_of(left, index);
                    self.value(&left.params[index], &right.params[index], kind, &name)
                }
                InFrame::Inst(inst) => {
                    let kind = width_of(function.insts[inst].ty);
                    self.value(&left.values[&inst], &right.values[&inst], kind, &name_of(function, inst))
                }
            };
            match place {
                InFrame::Param(index) => self.state.frames[depth].params[index] = value,
                InFrame::Inst(inst) => drop(self.state.frames[depth].values.insert(inst, value)),
            }
        }
    }
}
