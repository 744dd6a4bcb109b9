//! Heap blocks. Each execution of an allocation makes an object of its own, so that blocks never overlap by construction.

use belay_ir::Type;
use belay_logic::bv::TermId;

use belay_rules::BLOCK_ALIGN;

use super::Encoder;
use super::call::Call;
use super::content::{Node, Start};
use super::object::{Object, ObjectId, Origin};
use super::state::{Living, State};
use super::unrolling::{Asked, Goal};
use super::value::{Base, PointerId, Value};
use belay_invariants::ObjectKind;

/// The block that `free` gets.
struct Freed {
    /// Whether the pointer is null.
    null: TermId,
    /// The blocks, and when it is which.
    blocks: Vec<(ObjectId, TermId)>,
}

impl Encoder<'_> {
    /// A pointer to a new block, or to nothing if the allocation fails; and the block.
    fn allocate(&mut self, state: &mut State, size: TermId, start: Option<Start>) -> (PointerId, ObjectId) {
        let object =
            Object { kind: ObjectKind::Heap, size: Some(size), align: BLOCK_ALIGN, constant: false, span: self.span };
        let id = self.make_object(state, object, start);
        let pointer = self.pointer_to(id);
        if !self.config.malloc_may_fail {
            return (pointer, id);
        }
        let fails = self.fresh(1, Origin::Input);
        self.out.note_event(self.here, Asked::AllocFails { term: fails });
        self.end_life(state, id, fails);
        let null = self.null();
        (self.select_pointer(fails, null, pointer), id)
    }

    pub(crate) fn malloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(size) = self.size_arg(state, call, 0) else { return };
        let (pointer, _) = self.allocate(state, size, None);
        self.give(state, call, Value::Ptr(pointer));
    }

    /// A product that is no size cannot be allocated.
    pub(crate) fn calloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(count) = self.size_arg(state, call, 0) else { return };
        let Some(each) = self.size_arg(state, call, 1) else { return };
        let too_large = self.terms.umul_overflow(count, each);
        let size = self.terms.mul(count, each);
        let (pointer, id) = self.allocate(state, size, Some(Start::Zero));
        self.end_life(state, id, too_large);
        let null = self.null();
        let pointer = self.select_pointer(too_large, null, pointer);
        self.give(state, call, Value::Ptr(pointer));
    }

    /// Checks a pointer to be freed: null, or the start of a live heap block.
    fn block_to_free(&mut self, state: &mut State, pointer: PointerId, call: &Call<'_>) -> Freed {
        let zero = self.address_number(0);
        let mut freed = Freed { null: self.terms.boolean(false), blocks: Vec::new() };
        let mut invalid = self.terms.boolean(false);
        for case in self.pointers.cases(pointer).iter() {
            let fine = match case.base {
                Base::Bare => {
                    let is_null = self.terms.eq(case.offset, zero);
                    let null = self.terms.and(case.guard, is_null);
                    freed.null = self.terms.or(freed.null, null);
                    if self.addresses_matter {
                        let other = self.terms.not(is_null);
                        let open = self.terms.and(case.guard, other);
                        self.leave_if(state, open, "an integer that may be an address is freed");
                    }
                    is_null
                }
                Base::Object(object) if self.names.object(object).kind == ObjectKind::Heap => {
                    let alive = self.living(state, object).alive;
                    let at_start = self.terms.eq(case.offset, zero);
                    let fine = self.terms.and(alive, at_start);
                    if !self.terms.is_false(fine) {
                        freed.blocks.push((object, case.guard));
                    }
                    fine
                }
                Base::Object(_) | Base::Undefined | Base::Mark => self.terms.boolean(false),
            };
            let wrong = self.terms.not(fine);
            let bad = self.terms.and(case.guard, wrong);
            invalid = self.terms.or(invalid, bad);
        }
        self.violate(state, call.obligation.map(Goal::Obligation), invalid, true);
        freed
    }

    pub(crate) fn free(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let freed = self.block_to_free(state, pointer, call);
        for (object, guard) in freed.blocks {
            self.end_life(state, object, guard);
        }
    }

    /// The new block is another object; `realloc(p, 0)` frees and gives null.
    pub(crate) fn realloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let Some(size) = self.size_arg(state, call, 1) else { return };
        let freed = self.block_to_free(state, pointer, call);
        let zero = self.address_number(0);
        let empty = self.terms.eq(size, zero);
        let not_null = self.terms.not(freed.null);
        let only_frees = self.terms.and(empty, not_null);
        let (new, id) = self.allocate(state, size, None);
        self.end_life(state, id, only_frees);
        let kept = self.living(state, id).alive;
        for (old, guard) in freed.blocks {
            self.move_block(state, (old, guard), id, size);
            // A block that could not be moved stays.
            let moved = self.terms.or(kept, only_frees);
            let ends = self.terms.and(guard, moved);
            self.end_life(state, old, ends);
        }
        let null = self.null();
        let result = self.select_pointer(only_frees, null, new);
        self.give(state, call, Value::Ptr(result));
    }

    fn move_block(&mut self, state: &mut State, (old, guard): (ObjectId, TermId), new: ObjectId, size: TermId) {
        let Some(before) = self.names.object(old).size else { return };
        let smaller = self.terms.ult(before, size);
        let len = self.terms.ite(smaller, before, size);
        let zero = self.address_number(0);
        let (source, target) = (self.living(state, old), self.living(state, new));
        let limit = self.greatest_size(old);
        let node = Node::Copy { before: target.version, offset: zero, len, source: source.version, from: zero, limit };
        let copied = self.contents.push(node);
        let limit = self.greatest_size(new);
        let version = self.joined(guard, copied, target.version, limit);
        if !self.terms.is_false(target.alive) {
            state.memory.set(new.0, Living { version, ..target });
        }
    }

    /// A result of a library function that is left open, as a type.
    pub(crate) fn open_number(&mut self, ty: Type) -> Value {
        self.imprecise("the result of an output function is left open");
        let width = u32::from(self.bits_of(ty));
        Value::Bits(self.fresh(width, Origin::Internal))
    }
}
