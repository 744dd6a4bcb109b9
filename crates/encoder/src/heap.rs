//! Heap blocks. Each execution of an allocation makes an object of its own, so that blocks never overlap by construction.

use belay_ir::Type;
use belay_logic::bv::TermId;

use super::Store;
use super::call::Call;
use super::content::{Node, Start};
use super::execution::Execution;
use super::object::{Object, ObjectId, Origin};
use super::state::{Living, State};
use super::unrolling::{Goal, RunQuestion};
use super::value::{Base, PointerId, Value};
use belay_invariants::ObjectKind;

/// The block that `free` gets.
struct Freed {
    /// Whether the pointer is null.
    null: TermId,
    /// The blocks, and when it is which.
    blocks: Vec<(ObjectId, TermId)>,
}

impl Store<'_> {
    /// Whether a size is beyond the greatest distance of two pointers: no allocator gives so much at once.
    fn is_too_large(&mut self, size: TermId) -> TermId {
        if self.config.huge_allocations_succeed {
            return self.terms.boolean(false);
        }
        let zero = self.address_number(0);
        let is_huge = self.terms.slt(size, zero);
        let Some(largest) = self.config.largest_block else { return is_huge };
        let largest = self.address_number(largest);
        let is_larger = self.terms.ult(largest, size);
        self.terms.or(is_huge, is_larger)
    }
}

impl Execution<'_, '_> {
    /// A pointer to a new block, or to nothing if the allocation fails, as it does where `never` holds; and the block.
    fn allocate(
        &mut self,
        state: &mut State,
        size: TermId,
        start: Option<Start>,
        never: TermId,
    ) -> (PointerId, ObjectId) {
        let align = self.store.program.layout.block_align;
        self.allocate_aligned(state, size, start, never, align)
    }

    fn allocate_aligned(
        &mut self,
        state: &mut State,
        size: TermId,
        start: Option<Start>,
        never: TermId,
        align: u64,
    ) -> (PointerId, ObjectId) {
        let object = Object { kind: ObjectKind::Heap, size: Some(size), align, constant: false, span: self.at.span };
        let id = self.make_object(state, object, start);
        let pointer = self.store.pointer_to(id);
        let too_large = self.store.is_too_large(size);
        let never = self.store.terms.or(never, too_large);
        let mut fails = never;
        if self.store.config.malloc_may_fail {
            let chosen = self.fresh(1, Origin::Input);
            let possible = self.store.terms.not(never);
            let asked = self.store.terms.and(self.here, possible);
            self.out.note_event(asked, RunQuestion::AllocFails { term: chosen });
            fails = self.store.terms.or(never, chosen);
        }
        self.end_life(state, id, fails);
        let null = self.store.null();
        (self.select_pointer(fails, null, pointer), id)
    }

    pub(crate) fn malloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(size) = self.size_arg(state, call, 0) else { return };
        let never = self.store.terms.boolean(false);
        let (pointer, _) = self.allocate(state, size, None, never);
        self.store.give(state, call, Value::Ptr(pointer));
    }

    /// An alignment that is not known, or no power of two, promises nothing.
    pub(crate) fn aligned_block(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(align) = self.size_arg(state, call, 0) else { return };
        let Some(size) = self.size_arg(state, call, 1) else { return };
        let known = self.store.terms.as_const(align).and_then(|align| align.to_u128());
        let known = known.and_then(|align| u64::try_from(align).ok()).filter(|align| align.is_power_of_two());
        let never = self.store.terms.boolean(false);
        let align = known.unwrap_or(1);
        let (pointer, _) = self.allocate_aligned(state, size, None, never, align);
        self.store.give(state, call, Value::Ptr(pointer));
    }

    /// A product that is no size cannot be allocated.
    pub(crate) fn calloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(count) = self.size_arg(state, call, 0) else { return };
        let Some(each) = self.size_arg(state, call, 1) else { return };
        let too_large = self.store.terms.umul_overflow(count, each);
        let size = self.store.terms.mul(count, each);
        let (pointer, _) = self.allocate(state, size, Some(Start::Zero), too_large);
        self.store.give(state, call, Value::Ptr(pointer));
    }

    /// Checks a pointer to be freed: null, or the start of a live heap block.
    fn block_to_free(&mut self, state: &mut State, pointer: PointerId, call: &Call<'_>) -> Freed {
        let zero = self.store.address_number(0);
        let mut freed = Freed { null: self.store.terms.boolean(false), blocks: Vec::new() };
        let mut invalid = self.store.terms.boolean(false);
        for case in self.store.pointers.cases(pointer).iter() {
            let fine = match case.base {
                Base::Bare => {
                    let is_null = self.store.terms.eq(case.offset, zero);
                    let null = self.store.terms.and(case.guard, is_null);
                    freed.null = self.store.terms.or(freed.null, null);
                    if self.addresses_matter {
                        let other = self.store.terms.not(is_null);
                        let open = self.store.terms.and(case.guard, other);
                        self.leave_if(state, open, "an integer that may be an address is freed");
                    }
                    is_null
                }
                Base::Object(object) if self.store.names.object(object).kind == ObjectKind::Heap => {
                    let alive = self.living(state, object).alive;
                    let at_start = self.store.terms.eq(case.offset, zero);
                    let fine = self.store.terms.and(alive, at_start);
                    if !self.store.terms.is_false(fine) {
                        freed.blocks.push((object, case.guard));
                    }
                    fine
                }
                Base::Object(_) | Base::Undefined | Base::Mark => self.store.terms.boolean(false),
            };
            let wrong = self.store.terms.not(fine);
            let bad = self.store.terms.and(case.guard, wrong);
            invalid = self.store.terms.or(invalid, bad);
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

    /// The new block is another object, which is born when the old one has ended and may lie where that lay; `realloc(p, 0)` frees
    /// and gives null.
    pub(crate) fn realloc(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let Some(size) = self.size_arg(state, call, 1) else { return };
        let freed = self.block_to_free(state, pointer, call);
        let zero = self.store.address_number(0);
        let empty = self.store.terms.eq(size, zero);
        let not_null = self.store.terms.not(freed.null);
        let only_frees = self.store.terms.and(empty, not_null);
        let (new, id) = self.allocate(state, size, None, only_frees);
        let kept = self.living(state, id).alive;
        for (old, guard) in freed.blocks {
            self.move_block(state, (old, guard), id, size);
            // A block that could not be moved stays.
            let moved = self.store.terms.or(kept, only_frees);
            let ends = self.store.terms.and(guard, moved);
            self.end_life(state, old, ends);
        }
        if let Some(birth) = self.births.get_mut(&id) {
            birth.1 = state.memory.clone();
        }
        self.store.give(state, call, Value::Ptr(new));
    }

    fn move_block(&mut self, state: &mut State, (old, guard): (ObjectId, TermId), new: ObjectId, size: TermId) {
        let Some(before) = self.store.names.object(old).size else { return };
        let smaller = self.store.terms.ult(before, size);
        let len = self.store.terms.ite(smaller, before, size);
        let zero = self.store.address_number(0);
        let (source, target) = (self.living(state, old), self.living(state, new));
        let limit = self.store.greatest_size(old);
        let node = Node::Copy { before: target.version, offset: zero, len, source: source.version, from: zero, limit };
        let copied = self.contents.push(node);
        let limit = self.store.greatest_size(new);
        let version = self.joined(guard, copied, target.version, limit);
        if !self.store.terms.is_false(target.alive) {
            state.memory.set(new.0, Living { version, ..target });
        }
    }

    /// A result of a library function that is left open, as a type.
    pub(crate) fn open_number(&mut self, ty: Type) -> Value {
        self.imprecise("the result of an output function is left open");
        let width = u32::from(self.store.bits_of(ty));
        Value::Bits(self.fresh(width, Origin::Internal))
    }
}
