//! List segments: chains of heap blocks of unknown length (after Hensel and Giesl, "Proving termination of C programs with lists").
//!
//! A [`Segment`] says: there are `length` distinct live heap blocks of one size, which are no other object of the state; the word at `link` of each
//! points to the next at `entry`, that of the last holds `target`; and all of them have the `fields`. A pointer to the segment is a pointer to its first
//! block, or `target` itself if the segment is empty, so that a list and the null pointer have a common generalisation.
//!
//! *Sound* because nothing looks at such a pointer before it is exposed: either the segment is empty and the pointer is its target, or its first block
//! becomes an object of its own and the rest a segment with one block less. Writes through other pointers go to other objects; a write or a free
//! through a pointer that is not known forgets all segments.

use belay_base::Exhausted;
use belay_ir::{Callee, FuncKind, Op, Operand};
use belay_logic::simplex::{LinExpr, Rat};

use super::knowledge::{Entailment, as_constant, constant};
use super::machine::{Machine, Step};
use super::state::{AllocId, AllocKind, Allocation, Cell, Frame, Life, State, Value};

/// Blocks of a chain that are looked at.
const MAX_CHAIN: usize = 32;

/// A chain of heap blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// How its blocks look.
    pub node: ListNode,
    /// How many there are; never negative.
    pub length: LinExpr,
    /// What the last one's link holds.
    pub target: Value,
    /// What each of them holds.
    pub fields: Vec<Field>,
}

/// The form of a list's blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListNode {
    /// Their size.
    pub size: u64,
    /// The offset of the word that leads on.
    pub link: u64,
    /// The offset at which it points into the next block.
    pub entry: u64,
    /// Bytes of a pointer.
    pub width: u64,
}

/// What every block of a segment holds at an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where.
    pub offset: u64,
    /// How many bytes.
    pub width: u64,
    /// What: the same in all of them.
    pub value: Value,
}

/// Blocks in the order in which their links lead, and what stands before, between and after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Blocks and segments.
    pub nodes: Vec<AllocId>,
    /// The value that leads to each, and the one that the last holds.
    pub ends: Vec<Value>,
}

impl State {
    /// Follows links from a value.
    pub fn chain(&self, from: &Value, node: &ListNode) -> Chain {
        let mut chain = Chain { nodes: Vec::new(), ends: vec![from.clone()] };
        let mut at = from;
        while let Value::Pointer(id, offset) = at {
            let next = if is_at(offset, node.entry) { self.next_of(*id, node) } else { None };
            let Some(next) = next.filter(|_| !chain.nodes.contains(id) && chain.nodes.len() < MAX_CHAIN) else { break };
            chain.nodes.push(*id);
            chain.ends.push(next.clone());
            at = next;
        }
        chain
    }

    /// What a block or segment of that form leads to.
    fn next_of(&self, id: AllocId, node: &ListNode) -> Option<&Value> {
        if let Some(segment) = self.segments.get(&id) {
            return (segment.node == *node).then_some(&segment.target);
        }
        let known = self.allocations.get(&id)?;
        if known.kind != AllocKind::Heap || known.life != Life::Live || !is_at(&known.size, node.size) {
            return None;
        }
        let is_link = |cell: &&Cell| cell.alloc == id && is_at(&cell.offset, node.link) && cell.width == node.width;
        self.cells.iter().find(is_link).map(|cell| &cell.value)
    }

    /// How many blocks stand behind an object of a chain.
    pub fn count_of(&self, id: AllocId) -> LinExpr {
        self.segments.get(&id).map_or_else(|| constant(1), |segment| segment.length.clone())
    }

    /// What a block, or each block of a segment, holds at a constant offset.
    pub fn field_of(&self, id: AllocId, offset: u64, width: u64) -> Option<&Value> {
        if let Some(segment) = self.segments.get(&id) {
            return segment.fields.iter().find(|f| f.offset == offset && f.width == width).map(|field| &field.value);
        }
        let here = |cell: &&Cell| cell.alloc == id && is_at(&cell.offset, offset) && cell.width == width;
        self.cells.iter().find(here).map(|cell| &cell.value)
    }

    /// Calls `f` on each value.
    fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        for Frame { params, values, .. } in &mut self.frames {
            params.iter_mut().for_each(&mut f);
            values.values_mut().for_each(&mut f);
        }
        self.cells.iter_mut().for_each(|cell| f(&mut cell.value));
        for segment in self.segments.values_mut() {
            f(&mut segment.target);
            segment.fields.iter_mut().for_each(|field| f(&mut field.value));
        }
    }

    /// The segment taken away as empty, and with its first block as an object.
    pub(super) fn exposed(self, id: AllocId, oracle: &mut dyn Entailment) -> Result<Vec<State>, Exhausted> {
        let mut states = Vec::new();
        let Some(segment) = self.segments.get(&id).cloned() else { return Ok(vec![self]) };
        let mut empty = self.clone();
        empty.segments.remove(&id);
        empty.for_each_value_mut(|value| *value = instead(value, id, segment.node.entry, &segment.target));
        states.extend(empty.with_zero(segment.length.clone(), oracle)?);
        let first = segment.length.plus_constant(&Rat::MINUS_ONE);
        if let Some(mut full) = self.with_at_least(first, oracle)? {
            full.unfold(id);
            states.push(full);
        }
        Ok(states)
    }

    fn unfold(&mut self, id: AllocId) {
        let Some(Segment { node, length, fields, .. }) = self.segments.get(&id).cloned() else { return };
        let size = at(node.size);
        let block = self.allocate(Allocation { kind: AllocKind::Heap, size, life: Life::Live, zeroed: false });
        self.for_each_value_mut(|value| match value {
            Value::Pointer(other, _) | Value::Address(other, _) if *other == id => *other = block,
            _ => {}
        });
        if let Some(rest) = self.segments.get_mut(&id) {
            rest.length = length.plus_constant(&Rat::MINUS_ONE);
        }
        let on = Value::Pointer(id, at(node.entry));
        self.cells.push(Cell { alloc: block, offset: at(node.link), width: node.width, value: on });
        self.cells.extend(fields.into_iter().map(|Field { offset, width, value }| Cell {
            alloc: block,
            offset: at(offset),
            width,
            value,
        }));
    }

    /// Forgets all segments: their blocks may have been changed or freed.
    pub(super) fn forget_segments(&mut self) {
        self.forgot_block |= !self.segments.is_empty();
        self.segments.clear();
    }
}

/// What a pointer to an empty segment is.
fn instead(value: &Value, id: AllocId, entry: u64, target: &Value) -> Value {
    let itself = matches!(target, Value::Pointer(other, _) | Value::Address(other, _) if *other == id);
    match value {
        Value::Pointer(other, offset) if *other == id => {
            if itself || !is_at(offset, entry) {
                Value::Top
            } else {
                target.clone()
            }
        }
        Value::Address(other, offset) if *other == id => match target {
            Value::Pointer(next, start) if !itself && is_at(offset, entry) => Value::Address(*next, start.clone()),
            _ => Value::Top,
        },
        _ => value.clone(),
    }
}

impl Machine<'_> {
    /// Exposes the segments that the operands of an instruction point to, if it looks at them.
    pub(super) fn looked_into(&mut self, state: State, op: &Op) -> Step<Vec<State>> {
        if state.segments.is_empty() {
            return Ok(vec![state]);
        }
        let operands = self.inspected(&state, op);
        let mut todo = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = todo.pop() {
            let mut hit = None;
            for operand in &operands {
                if let Value::Pointer(id, _) | Value::Address(id, _) = self.value(&mut state, *operand)
                    && state.segments.contains_key(&id)
                {
                    hit = Some(id);
                    break;
                }
            }
            match hit {
                Some(id) => {
                    self.budget.spend(1)?;
                    todo.extend(state.exposed(id, self.oracle)?);
                }
                None => done.push(state),
            }
        }
        Ok(done)
    }

    /// The operands that are more than handed on.
    fn inspected(&self, state: &State, op: &Op) -> Vec<Operand> {
        match op {
            Op::Store { ptr, .. } => return vec![*ptr],
            Op::Phi { .. } | Op::Select { .. } | Op::Freeze { .. } => return Vec::new(),
            Op::Call { callee: Callee::Direct(target), .. }
                if self.program.functions[*target].kind == FuncKind::Defined =>
            {
                return Vec::new();
            }
            _ => {}
        }
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(*operand));
        let frame = state.frames.last();
        operands.retain(|operand| match operand {
            Operand::Inst(inst) => frame.is_some_and(|frame| frame.values.contains_key(inst)),
            Operand::Param(_) => true,
            _ => false,
        });
        operands
    }
}

/// A constant offset.
pub(super) fn at(offset: u64) -> LinExpr {
    constant(i128::from(offset))
}

fn is_at(expr: &LinExpr, offset: u64) -> bool {
    as_constant(expr) == Some(i128::from(offset))
}

/// A constant offset or size as a number.
pub fn place_of(offset: &LinExpr) -> Option<u64> {
    as_constant(offset).and_then(|offset| u64::try_from(offset).ok())
}
