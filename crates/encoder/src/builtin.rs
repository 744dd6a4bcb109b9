//! Library functions whose meaning is built in.

use belay_ir::{Builtin, FuncId, ObligationId, Type};
use belay_logic::bv::TermId;

use super::access::Access;
use super::call::Call;
use super::content::Wanted;
use super::execution::Execution;
use super::leak::End;
use super::object::Origin;
use super::state::State;
use super::unrolling::{Goal, RunQuestion, UnwindPlace};
use super::value::{Base, PointerId, Value};
use super::{Res, Store};
use belay_invariants::ObjectKind;

impl Store<'_> {
    fn all_small(&self, places: &[super::access::Place]) -> bool {
        places.iter().all(|place| self.greatest_size(place.object) <= 256)
    }
}

impl Execution<'_, '_> {
    /// Calls a built-in function.
    // A table: one arm a built-in.
    pub(crate) fn builtin(&mut self, state: &mut State, builtin: Builtin, id: FuncId, call: &Call<'_>) -> Res<()> {
        match builtin {
            Builtin::Malloc => self.malloc(state, call),
            Builtin::Calloc => self.calloc(state, call),
            Builtin::Realloc => self.realloc(state, call),
            Builtin::AlignedBlock => self.aligned_block(state, call),
            Builtin::Free => self.free(state, call),
            Builtin::Strlen => self.strlen(state, call)?,
            Builtin::Abort => self.end_run(state, End::Abort)?,
            Builtin::Exit => self.end_run(state, End::Exit)?,
            Builtin::ExitNow => self.end_run(state, End::ExitNow)?,
            Builtin::AssertFail | Builtin::ErrorCall => {
                let yes = self.store.terms.boolean(true);
                self.fail(state, call.obligation, yes);
            }
            Builtin::Assert => {
                let holds = self.condition(call);
                let violated = self.store.terms.not(holds);
                self.fail(state, call.obligation, violated);
            }
            Builtin::Precondition => {
                let holds = self.condition(call);
                let violated = self.store.terms.not(holds);
                self.violate(state, call.obligation.map(Goal::Obligation), violated, true);
            }
            Builtin::Assume => {
                let holds = self.condition(call);
                let failed = self.store.terms.not(holds);
                self.check_assumption(state, failed);
                self.assume(state, holds);
            }
            Builtin::Nondet => self.nondet(state, id, call),
            Builtin::Printf
            | Builtin::Fprintf
            | Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf
            | Builtin::Puts
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Perror => self.print(state, builtin, call)?,
            Builtin::Sqrt | Builtin::Sqrtf => {
                let ty = call.ty.unwrap_or(Type::F64);
                let value = call.args.first().copied().unwrap_or(Value::Bits(self.here));
                let value = self.float_unary(belay_ir::FloatUnaryOp::Sqrt, ty, value);
                self.store.give(state, call, value);
            }
            Builtin::SameObject => self.same_object(state, call),
            Builtin::ObjectSize => self.object_size(state, call),
            Builtin::Readable => self.is_accessible(state, call, false),
            Builtin::Writable => self.is_accessible(state, call, true),
            Builtin::WholeSize | Builtin::PointerOffset | Builtin::IsHeapBlock => {
                self.ask_of_object(state, builtin, call);
            }
            Builtin::Foreign => self.imprecise("what others may have written into an object is not known"),
            // The results that the model allows are all there; a model of the terms that needs one does not replay.
            Builtin::Approximate => self.imprecise("what is computed here is not followed exactly"),
        }
        Ok(())
    }

    /// An assertion fails, or an error is reached, where `violated` holds, which ends the run: its heap is judged there.
    pub(super) fn fail(&mut self, state: &mut State, obligation: Option<ObligationId>, violated: TermId) {
        let mut failed = state.clone();
        self.assume(&mut failed, violated);
        let is_shown = obligation.is_some_and(|id| self.is_shown(Goal::Obligation(id)));
        if !is_shown && !self.is_dead(&failed) {
            self.check_end(&failed, End::Abort, &[]);
        }
        self.here = self.guards.term(state.guard);
        self.violate(state, obligation.map(Goal::Obligation), violated, true);
    }

    /// An argument as a pointer, if it is one.
    pub(crate) fn pointer_arg(&mut self, state: &mut State, call: &Call<'_>, index: usize) -> Option<PointerId> {
        match (call.args.get(index), call.types.get(index)) {
            (Some(value), Some(Type::Ptr)) => Some(self.store.as_pointer(*value)),
            _ => {
                self.leave(state, "a library function is called with other arguments than it is declared with");
                None
            }
        }
    }

    /// An argument as a size, if it is one.
    pub(crate) fn size_arg(&mut self, state: &mut State, call: &Call<'_>, index: usize) -> Option<TermId> {
        let address = self.store.program.layout.address_type();
        match (call.args.get(index), call.types.get(index)) {
            (Some(value), Some(ty)) if *ty == address => {
                let number = self.number_of(*value);
                self.uses(number);
                Some(number)
            }
            _ => {
                self.leave(state, "a library function is called with other arguments than it is declared with");
                None
            }
        }
    }

    fn condition(&mut self, call: &Call<'_>) -> TermId {
        match call.args.first() {
            Some(value) => self.truth(*value),
            None => {
                self.give_up_here("a library function is called with other arguments than it is declared with");
                self.store.terms.boolean(true)
            }
        }
    }

    /// An input: within the range of its type, which for `_Bool` is 0 and 1.
    fn nondet(&mut self, state: &mut State, id: FuncId, call: &Call<'_>) {
        let mut wanted: Vec<(belay_ir::InstId, Type)> = call.ty.map(|ty| (call.inst, ty)).into_iter().collect();
        if wanted.is_empty() {
            let shape = self.frames.last().map(|frame| frame.function).map(|function| self.store.flows.of(function));
            let extracts = shape.as_ref().and_then(|shape| shape.extracts.get(&call.inst)).cloned().unwrap_or_default();
            wanted.extend(extracts.iter().map(|(inst, _)| (*inst, call.caller.insts[*inst].ty.unwrap_or(Type::BOOL))));
        }
        let is_bool = belay_rules::gives_truth(&self.store.program.functions[id].name);
        for (inst, ty) in wanted {
            let width = u32::from(self.store.bits_of(ty));
            let number = if is_bool && width > 1 {
                let bit = self.fresh(1, Origin::Input);
                self.store.terms.zext(bit, width)
            } else {
                self.fresh(width, Origin::Input)
            };
            let asked = if ty == Type::Ptr { self.store.program.layout.address_type() } else { ty };
            self.out.note_event(self.here, RunQuestion::Input { term: number, ty: asked, span: self.at.span });
            let value = match ty {
                Type::Ptr => Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Bare, number)),
                Type::Int(_) | Type::F32 | Type::F64 => Value::Bits(number),
            };
            state.registers.set(inst.0, value);
        }
    }

    fn strlen(&mut self, state: &mut State, call: &Call<'_>) -> Res<()> {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return Ok(()) };
        let len = self.scan_string(state, pointer, call)?;
        let width = u32::from(self.store.bits_of(call.ty.unwrap_or(self.store.program.layout.address_type())));
        let len = self.store.fit_width(len, width);
        self.store.give(state, call, Value::Bits(len));
        Ok(())
    }

    /// Reads a string up to its end, each byte of which must be valid: its length.
    pub(crate) fn scan_string(&mut self, state: &mut State, pointer: PointerId, call: &Call<'_>) -> Res<TermId> {
        let one = self.store.address_number(1);
        let wanted = Wanted { size: 1, pointer: false };
        let access = Access { len: one, write: false, obligation: call.obligation };
        let place = UnwindPlace::Scan(self.frames.last().map_or(FuncId(0), |frame| frame.function));
        let limit = u64::from(self.bounds.at(place));
        let (mut length, mut guards, mut uncertain) = (self.store.address_number(0), Vec::new(), 0);
        let mut ended: Option<State> = None;
        for index in 0..u64::from(self.bounds.certain).max(limit) {
            self.spend(1)?;
            let distance = self.store.address_number(index);
            let there = self.store.pointers.move_pointer(&mut self.store.terms, pointer, distance);
            let places = self.access(state, there, access);
            if self.is_dead(state) {
                break;
            }
            let byte = self.read_places(state, &places, wanted);
            let byte = self.number_of(byte);
            self.uses(byte);
            let zero = self.store.terms.number(8, 0);
            let ends = self.store.terms.eq(byte, zero);
            if !self.store.terms.is_false(ends) {
                let mut end = state.clone();
                self.assume(&mut end, ends);
                guards.push((self.here, distance));
                ended = Some(match ended {
                    None => end,
                    Some(earlier) => self.join_states(earlier, end, &[]),
                });
                uncertain += 1;
            }
            let goes_on = self.store.terms.not(ends);
            self.assume(state, goes_on);
            if self.is_dead(state) {
                break;
            }
            // Objects of known size end the search by themselves.
            if uncertain > limit && !self.store.all_small(&places) {
                break;
            }
        }
        if !self.is_dead(state) {
            self.out.note_unwound(place, self.here, self.at.span);
        }
        for (guard, distance) in guards {
            length = self.store.terms.ite(guard, distance, length);
        }
        let no = self.store.terms.boolean(false);
        match ended {
            Some(end) => {
                *state = end;
                self.here = self.guards.term(state.guard);
            }
            None => self.assume(state, no),
        }
        Ok(length)
    }

    fn same_object(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(p) = self.pointer_arg(state, call, 0) else { return };
        let Some(q) = self.pointer_arg(state, call, 1) else { return };
        let (left, right) = (self.store.pointers.cases(p), self.store.pointers.cases(q));
        for case in left.iter().chain(right.iter()).filter(|case| case.base == Base::Undefined) {
            self.leave_if(state, case.guard, "a question about a pointer that is not set");
        }
        let mut same = self.store.terms.boolean(false);
        for x in left.iter().filter(|case| matches!(case.base, Base::Object(_))) {
            for y in right.iter().filter(|case| case.base == x.base) {
                let both = self.store.terms.and(x.guard, y.guard);
                same = self.store.terms.or(same, both);
            }
        }
        if self.addresses_matter && left.iter().chain(right.iter()).any(|case| case.base == Base::Bare) {
            self.imprecise("an integer may be an object's address");
        }
        let width = u32::from(self.store.bits_of(call.ty.unwrap_or(Type::Int(32))));
        let same = self.store.fit_width(same, width);
        self.store.give(state, call, Value::Bits(same));
    }

    /// Whether an access would be valid: SOUNDNESS's rule, case by case of where the pointer may point.
    fn is_accessible(&mut self, state: &mut State, call: &Call<'_>, write: bool) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let Some(len) = self.size_arg(state, call, 1) else { return };
        let mut valid = self.store.terms.boolean(false);
        for case in self.store.pointers.cases(pointer).iter() {
            if case.base == Base::Undefined {
                self.leave_if(state, case.guard, "a question about a pointer that is not set");
            }
            let here = self.case_is_valid(state, case, Access { len, write, obligation: None });
            let here = self.store.terms.and(case.guard, here);
            valid = self.store.terms.or(valid, here);
        }
        let zero = self.store.address_number(0);
        let (no_bytes, invalid) = (self.store.terms.eq(len, zero), self.store.terms.not(valid));
        let open = self.store.terms.and(no_bytes, invalid);
        self.leave_if(state, open, "whether no bytes at an invalid place may be accessed");
        let width = u32::from(self.store.bits_of(call.ty.unwrap_or(Type::BOOL)));
        let valid = self.store.fit_width(valid, width);
        self.store.give(state, call, Value::Bits(valid));
    }

    /// The size of an object, the offset of a pointer in it, or whether it is a heap block.
    fn ask_of_object(&mut self, state: &mut State, builtin: Builtin, call: &Call<'_>) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let zero = self.store.address_number(0);
        let mut answer = zero;
        for case in self.store.pointers.cases(pointer).iter() {
            let known = match (case.base, builtin) {
                (Base::Object(object), Builtin::WholeSize) => self.store.names.object(object).size,
                (Base::Object(_), Builtin::PointerOffset) => Some(case.offset),
                (Base::Object(object), _) => {
                    let is_heap = self.store.names.object(object).kind == ObjectKind::Heap;
                    Some(self.store.address_number(is_heap.into()))
                }
                (Base::Bare, Builtin::PointerOffset | Builtin::IsHeapBlock) => {
                    let not_null = self.store.terms.ne(case.offset, zero);
                    let open = self.store.terms.and(case.guard, not_null);
                    self.leave_if(state, open, "a question about a pointer that points to no object");
                    Some(zero)
                }
                (Base::Bare | Base::Undefined | Base::Mark, _) => None,
            };
            match known {
                Some(known) => answer = self.store.terms.ite(case.guard, known, answer),
                None => self.leave_if(state, case.guard, "a question about a pointer that points to no object"),
            }
        }
        let width = u32::from(self.store.bits_of(call.ty.unwrap_or(self.store.program.layout.address_type())));
        let answer = self.store.fit_width(answer, width);
        self.store.give(state, call, Value::Bits(answer));
    }

    fn object_size(&mut self, state: &mut State, call: &Call<'_>) {
        let Some(pointer) = self.pointer_arg(state, call, 0) else { return };
        let zero = self.store.address_number(0);
        let access = Access { len: zero, write: false, obligation: call.obligation };
        let places = self.access(state, pointer, access);
        let mut left = zero;
        for place in places.iter().rev() {
            let Some(size) = self.store.names.object(place.object).size else { continue };
            let here = self.store.terms.sub(size, place.offset);
            left = self.store.terms.ite(place.guard, here, left);
        }
        let width = u32::from(self.store.bits_of(call.ty.unwrap_or(self.store.program.layout.address_type())));
        let left = self.store.fit_width(left, width);
        self.store.give(state, call, Value::Bits(left));
    }
}
