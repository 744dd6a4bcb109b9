//! Calls: by name, through pointers, and of functions without a body.

use belay_ir::{BlockId, Callee, FuncId, FuncKind, Function, InstId, ObligationId, Op, Operand, Type, has_called_type};
use belay_logic::bv::TermId;

use super::access::Access;
use super::content::Node;
use super::execution::Execution;
use super::flow::{Activation, Returned};
use super::object::{Object, ObjectId};
use super::state::State;
use super::unrolling::{Goal, UnwindPlace};
use super::value::{Base, Value};
use super::variadic::Extra;
use super::{Res, Store};
use belay_invariants::ObjectKind;

/// Functions that call themselves with certainty are followed so deep at most: each level uses the encoder's own stack.
const MAX_DEPTH: usize = 4000;

/// A call to be made.
#[derive(Clone, Debug)]
pub struct Call<'f> {
    /// The values of the arguments.
    pub args: Vec<Value>,
    /// Their types.
    pub types: Vec<Type>,
    /// Structs passed by value: which argument, size and alignment.
    pub structs: &'f [(u32, u64, u32)],
    /// The built-in's obligation, or that of copying structs.
    pub obligation: Option<ObligationId>,
    /// The instruction.
    pub inst: InstId,
    /// The calling function.
    pub caller: &'f Function,
    /// The type of the one result, if somebody expects it.
    pub ty: Option<Type>,
}

impl Store<'_> {
    /// Gives the call its one result.
    pub(crate) fn give(&mut self, state: &mut State, call: &Call<'_>, value: Value) {
        if call.ty.is_some() {
            state.registers.set(call.inst.0, value);
        }
    }
}

impl Execution<'_, '_> {
    /// Executes a call instruction.
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        function: &Function,
        place: (BlockId, usize),
        inst: InstId,
    ) -> Res<()> {
        let Op::Call { callee, args, byval_args, obligation, .. } = &function.insts[inst].op else { return Ok(()) };
        let types = args.iter().map(|arg| function.operand_type(*arg).unwrap_or(Type::BOOL)).collect();
        let values = args.iter().map(|arg| self.operand(state, *arg)).collect();
        let ty = function.insts[inst].ty;
        let call =
            Call { args: values, types, structs: byval_args, obligation: *obligation, inst, caller: function, ty };
        if let Some(frame) = self.frames.last_mut() {
            frame.at = place;
            frame.registers = state.registers.clone();
        }
        match callee {
            Callee::Direct(target) => self.call_function(state, *target, &call),
            Callee::Indirect(pointer, id) => self.call_through(state, *pointer, *id, &call),
        }
    }

    /// Calls whatever the pointer points to, one target after the other, and joins.
    fn call_through(
        &mut self,
        state: &mut State,
        pointer: Operand,
        obligation: ObligationId,
        call: &Call<'_>,
    ) -> Res<()> {
        let pointer = self.pointer(state, pointer);
        let targets = self.call_targets(state, pointer, obligation);
        let mut after: Option<State> = None;
        let carried = self.results_of(call);
        for (target, guard) in targets {
            let mut there = state.clone();
            self.assume(&mut there, guard);
            if self.is_dead(&there) {
                continue;
            }
            let function = &self.store.program.functions[target];
            if !has_called_type(function, call.caller, call.inst, self.store.program.layout) {
                self.leave(&mut there, format!("{} is called with another type than it has", function.name));
                continue;
            }
            self.call_function(&mut there, target, call)?;
            after = Some(match after {
                None => there,
                Some(earlier) => self.join_after_call(earlier, there, &carried),
            });
        }
        match after {
            Some(after) => *state = after,
            None => {
                let no = self.store.terms.boolean(false);
                self.assume(state, no);
            }
        }
        Ok(())
    }

    /// Joins states that differ in memory and in the results of one call only.
    fn join_after_call(&mut self, a: State, b: State, results: &[InstId]) -> State {
        self.join_states(a, b, results)
    }

    fn results_of(&mut self, call: &Call<'_>) -> Vec<InstId> {
        let extracts = self.frames.last().map(|frame| frame.function).map(|function| self.store.flows.of(function));
        let extracts = extracts.as_ref().and_then(|shape| shape.extracts.get(&call.inst));
        [call.inst].into_iter().chain(extracts.into_iter().flatten().map(|(inst, _)| *inst)).collect()
    }

    fn call_targets(
        &mut self,
        state: &mut State,
        pointer: super::value::PointerId,
        obligation: ObligationId,
    ) -> Vec<(FuncId, TermId)> {
        let zero = self.store.address_number(0);
        let mut targets = Vec::new();
        let mut invalid = self.store.terms.boolean(false);
        for case in self.store.pointers.cases(pointer).iter() {
            let kind = match case.base {
                Base::Object(object) => Some(self.store.names.object(object).kind),
                Base::Bare | Base::Undefined | Base::Mark => None,
            };
            if let Some(ObjectKind::Function(function)) = kind {
                let at_start = self.store.terms.eq(case.offset, zero);
                targets.push((function, self.store.terms.and(case.guard, at_start)));
                let beside = self.store.terms.not(at_start);
                let bad = self.store.terms.and(case.guard, beside);
                invalid = self.store.terms.or(invalid, bad);
                continue;
            }
            if case.base == Base::Bare && self.addresses_matter {
                let not_null = self.store.terms.ne(case.offset, zero);
                let open = self.store.terms.and(case.guard, not_null);
                self.leave_if(state, open, "a call through an integer that may be an address");
            }
            invalid = self.store.terms.or(invalid, case.guard);
        }
        self.violate(state, Some(Goal::Obligation(obligation)), invalid, true);
        targets
    }

    fn call_function(&mut self, state: &mut State, target: FuncId, call: &Call<'_>) -> Res<()> {
        match self.store.program.functions[target].kind {
            FuncKind::Defined => self.enter(state, target, call),
            FuncKind::Builtin(builtin) => self.builtin(state, builtin, target, call),
            FuncKind::Extern => {
                self.call_extern(state, target, call);
                Ok(())
            }
        }
    }

    fn enter(&mut self, state: &mut State, target: FuncId, call: &Call<'_>) -> Res<()> {
        let function = &self.store.program.functions[target];
        if !has_called_type(function, call.caller, call.inst, self.store.program.layout) {
            self.leave(state, format!("{} is called with another type than it has", function.name));
            return Ok(());
        }
        let at = self.at;
        if let Some(returned) = self.call_cut(state, target, call)? {
            self.at = at;
            match returned {
                Some(returned) => self.take_results(state, call, returned, &[]),
                None => {
                    let no = self.store.terms.boolean(false);
                    self.assume(state, no);
                }
            }
            return Ok(());
        }
        if !self.may_recurse(state, target) {
            return Ok(());
        }
        let mut args = call.args[..function.params.len()].to_vec();
        let mut copies = Vec::new();
        for (arg, param) in args.iter_mut().zip(&function.params) {
            if let Some((size, align)) = param.byval {
                let (copy, object) = self.own_copy(state, *arg, size, align, call.obligation);
                *arg = copy;
                copies.push(object);
            }
        }
        let mut variadic = Vec::new();
        for index in function.params.len()..if function.variadic { call.args.len() } else { 0 } {
            let mut extra = Extra { value: call.args[index], ty: call.types[index], of: None };
            if let Some((_, size, align)) = call.structs.iter().find(|(at, ..)| *at as usize == index) {
                let (copy, object) = self.own_copy(state, extra.value, *size, *align, call.obligation);
                extra = Extra { value: copy, of: Some((*size, *align)), ..extra };
                copies.push(object);
            }
            variadic.push(extra);
        }
        let entry = State { guard: state.guard, registers: Default::default(), memory: state.memory.clone() };
        let returned =
            self.run_function(Activation { function: target, args, variadic, call: Some(at.site), root: None }, entry)?;
        self.at = at;
        match returned {
            Some(returned) => self.take_results(state, call, returned, &copies),
            None => {
                let no = self.store.terms.boolean(false);
                self.assume(state, no);
            }
        }
        Ok(())
    }

    /// Whether the bound allows one more activation of a function that is active already.
    fn may_recurse(&mut self, state: &mut State, target: FuncId) -> bool {
        let active = self.frames.iter().filter(|frame| frame.function == target);
        let entries: Vec<_> = active.map(|frame| frame.entered).collect();
        let Some(last) = entries.last() else { return true };
        // An entry that adds no condition to the one before is certain.
        let certain = *last == state.guard;
        let uncertain = entries.windows(2).filter(|pair| pair[0] != pair[1]).count() + usize::from(!certain);
        let place = UnwindPlace::Recursion(target);
        let allowed = uncertain <= self.bounds.at(place) as usize
            && entries.len() <= self.bounds.certain as usize
            && self.frames.len() < MAX_DEPTH;
        if !allowed {
            self.out.note_unwound(place, self.here, self.store.program.functions[target].span);
            let cut = self.outermost(target);
            if let Some(unwound) = self.out.unwound.last_mut() {
                unwound.cut = cut;
            }
            let no = self.store.terms.boolean(false);
            self.assume(state, no);
        }
        allowed
    }

    /// A copy of a struct that is passed by value, as an object of the callee.
    fn own_copy(
        &mut self,
        state: &mut State,
        source: Value,
        size: u64,
        align: u32,
        obligation: Option<ObligationId>,
    ) -> (Value, ObjectId) {
        let len = self.store.address_number(size);
        let align = u64::from(align.max(1));
        let object = Object { kind: ObjectKind::Stack, size: Some(len), align, constant: false, span: self.at.span };
        let id = self.make_object(state, object, None);
        if size > 0 {
            let pointer = self.store.as_pointer(source);
            let places = self.access(state, pointer, Access { len, write: false, obligation });
            let zero = self.store.address_number(0);
            let mut version = self.living(state, id).version;
            let before = version;
            for place in places {
                let origin = self.living(state, place.object);
                let limit = self.store.greatest_size(place.object);
                let node = Node::Copy { before, offset: zero, len, source: origin.version, from: place.offset, limit };
                let copied = self.contents.push(node);
                version = self.joined(place.guard, copied, version, size);
            }
            let living = self.living(state, id);
            state.memory.set(id.0, super::state::Living { version, ..living });
        }
        (Value::Ptr(self.store.pointer_to(id)), id)
    }

    fn take_results(&mut self, state: &mut State, call: &Call<'_>, returned: Returned, copies: &[ObjectId]) {
        state.guard = returned.state.guard;
        state.memory = returned.state.memory;
        self.here = self.guards.term(state.guard);
        for copy in copies {
            state.memory.remove(copy.0);
        }
        let extracts = self.frames.last().map(|frame| frame.function).map(|function| self.store.flows.of(function));
        let extracts = extracts.as_ref().and_then(|shape| shape.extracts.get(&call.inst)).cloned().unwrap_or_default();
        for (inst, index) in extracts {
            let ty = call.caller.insts[inst].ty.unwrap_or(Type::BOOL);
            let value = self.result(returned.results.get(index as usize).copied(), ty);
            state.registers.set(inst.0, value);
        }
        if let Some(ty) = call.ty {
            let value = self.result(returned.results.first().copied(), ty);
            state.registers.set(call.inst.0, value);
        }
    }

    /// A result as its type; C leaves open what a function without one returns.
    fn result(&mut self, value: Option<Value>, ty: Type) -> Value {
        let Some(value) = value else { return self.undefined(ty) };
        if let Value::Bits(bits) = value
            && ty != Type::Ptr
            && self.store.terms.width(bits) != u32::from(self.store.bits_of(ty))
        {
            self.give_up_here("the function returns another type than its caller expects");
        }
        self.as_type(value, ty)
    }

    /// A function without body and model: an arbitrary number.
    fn call_extern(&mut self, state: &mut State, target: FuncId, call: &Call<'_>) {
        let name = &self.store.program.functions[target].name;
        if self.store.config.externs == belay_ir::Externs::Refuse {
            self.leave(state, format!("{name} has no body and may do anything"));
            return;
        }
        let mut wanted: Vec<(InstId, Type)> = call.ty.map(|ty| (call.inst, ty)).into_iter().collect();
        for inst in self.results_of(call).into_iter().skip(1) {
            wanted.push((inst, call.caller.insts[inst].ty.unwrap_or(Type::BOOL)));
        }
        if wanted.iter().any(|(_, ty)| *ty == Type::Ptr) {
            self.leave(state, format!("{name} has no body and returns a pointer"));
            return;
        }
        for (inst, ty) in wanted {
            let value = self.arbitrary(ty);
            state.registers.set(inst.0, value);
        }
    }
}
