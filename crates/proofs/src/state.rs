//! Symbolic states. A new field of a state, a new kind of value or a new shape of the heap has to be listed here.
//!
//! What only matters while a state is executed is not stored: it is made anew, here and by the checker (`evidence/graph/verify.rs`, `ready`).

use belay_ir::{BlockId, FuncId, GlobalId};
use belay_linear::{Constraint, Rel};
use belay_symbolic::{
    AllocId, AllocKind, Allocation, ArrayRange, Cell, Content, Field, Frame, Knowledge, Life, ListNode, ListSegment,
    OwnBlock, OwnList, Places, Product, State, Tail, Truth, Value,
};
use serde_json::Value as Json;

use crate::names::Names;
use crate::stored::{Bad, MAX_ID, Parts, Stored, object};

stored_enum!(Life { Live, Dead, Maybe });
stored_enum!(AllocKind { Stack { depth, inst, dynamic }, Heap, Argument, Either });
stored_enum!(Truth { Known(value), AtLeast(expr), Zero(expr), NonZero(expr, split), And(a, b), Or(a, b), Unknown });
stored_enum!(Value { Int(expr), Truth(truth), Pointer(object, offset), Address(object, offset), Null, Function(of), Top });
stored_enum!(Rel { Ge, Gt, Eq });
stored_struct!(Constraint { expr, rel });
stored_struct!(Knowledge { constraints, apart, products });
stored_struct!(Product { left, right, value });
stored_struct!(Cell { alloc, offset, width, value });
stored_struct!(Frame { function, block, index, params, values });
stored_struct!(ListNode { size, link, branches, entry, width });
stored_struct!(Field { offset, width, content });
stored_enum!(Content { Same(value), Between(low, high), NonZero, Own(list), Among(places), Block(block) });
stored_struct!(Places { first, last, stride });
stored_struct!(OwnBlock { least, most, null, terminated, given, fields });
stored_struct!(ArrayRange { alloc, from, to, step, width, content });
stored_struct!(OwnList { node, fields });
stored_struct!(Tail { id, before, link });
stored_struct!(ListSegment { node, length, target, fields, tail });

/// Objects that the run made by their number, static ones by their name.
impl Stored for AllocId {
    fn store(&self, names: &Names<'_>) -> Json {
        match self {
            AllocId::Global(global) => global.store(names),
            AllocId::Made(number) => (*number).into(),
        }
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        match json.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number < MAX_ID) {
            Some(number) => Ok(AllocId::Made(number)),
            None => GlobalId::load(json, names).map(AllocId::Global),
        }
    }
}

/// An alignment is a power of two: the symbolic step computes with it as with one.
impl Stored for Allocation {
    fn store(&self, names: &Names<'_>) -> Json {
        let Allocation { kind, size, life, zeroed, align } = self;
        object([
            ("kind", kind.store(names)),
            ("size", size.store(names)),
            ("life", life.store(names)),
            ("zeroed", zeroed.store(names)),
            ("align", align.store(names)),
        ])
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let mut parts = Parts::of_struct(json, "Allocation")?;
        let allocation = Allocation {
            kind: parts.field("kind", names)?,
            size: parts.field("size", names)?,
            life: parts.field("life", names)?,
            zeroed: parts.field("zeroed", names)?,
            align: parts.field("align", names)?,
        };
        parts.finish()?;
        let is_fit = allocation.align.is_power_of_two();
        if is_fit { Ok(allocation) } else { Err(Bad::new("an alignment is no power of two")) }
    }
}

/// What holds at a place. The variables that a path counts, its questions and what is still to be assumed are none of it.
impl Stored for State {
    fn store(&self, names: &Names<'_>) -> Json {
        let State {
            frames,
            allocations,
            segments,
            ranges,
            cells,
            written,
            forgot_block,
            given,
            unknown_write,
            knowledge,
            origin: _,
            next_var: _,
            next_alloc: _,
            pending: _,
            names: variables,
            asked: _,
        } = self;
        object([
            ("frames", frames.store(names)),
            ("allocations", allocations.store(names)),
            ("segments", segments.store(names)),
            ("ranges", ranges.store(names)),
            ("cells", cells.store(names)),
            ("written", written.store(names)),
            ("forgot_block", forgot_block.store(names)),
            ("given", given.store(names)),
            ("unknown_write", unknown_write.store(names)),
            ("knowledge", knowledge.store(names)),
            ("names", variables.store(names)),
        ])
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let mut parts = Parts::of_struct(json, "State")?;
        let mut state = State {
            frames: parts.field("frames", names)?,
            allocations: parts.field("allocations", names)?,
            segments: parts.field("segments", names)?,
            ranges: parts.field("ranges", names)?,
            cells: parts.field("cells", names)?,
            written: parts.field("written", names)?,
            forgot_block: parts.field("forgot_block", names)?,
            given: parts.field("given", names)?,
            unknown_write: parts.field("unknown_write", names)?,
            knowledge: parts.field("knowledge", names)?,
            origin: Vec::new(),
            next_var: 0,
            next_alloc: 0,
            pending: Vec::new(),
            names: parts.field("names", names)?,
            asked: Vec::new(),
        };
        parts.finish()?;
        state.next_var = state.first_free().max(state.names.len() as u32);
        let is_inside = |(function, block, _): &(FuncId, BlockId, usize)| names.has_block(*function, *block);
        if state.key().iter().all(is_inside) { Ok(state) } else { Err(Bad::new("a state of no place of the program")) }
    }
}
