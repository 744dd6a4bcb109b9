//! One instruction after the other.

use belay_ir::{BlockId, Function, InstId, Op, Operand, Property, Type, ops};
use belay_logic::bv::TermId;

use super::content::Start;
use super::execution::Execution;
use super::object::{Object, ObjectId};
use super::state::{Living, State};
use super::unrolling::Goal;
use super::value::{Base, PointerId, Value};
use super::{Res, Store};
use belay_invariants::ObjectKind;

impl Store<'_> {
    fn set(&mut self, state: &mut State, inst: InstId, value: Value) {
        state.registers.set(inst.0, value);
    }
}

impl Execution<'_, '_> {
    /// The value of an operand.
    pub(crate) fn operand(&mut self, state: &State, operand: Operand) -> Value {
        match operand {
            Operand::Inst(inst) => state.registers.get(inst.0).unwrap_or_else(|| {
                // A value that this path does not define is not used on it.
                Value::Bits(self.store.terms.boolean(false))
            }),
            Operand::Param(index) => {
                let frame = self.frames.last();
                let arg = frame.and_then(|frame| frame.args.get(index as usize)).copied();
                arg.unwrap_or_else(|| Value::Bits(self.store.terms.boolean(false)))
            }
            Operand::Int { width, value } => Value::Bits(self.store.terms.number(width.into(), value)),
            Operand::F32(value) => Value::Bits(self.store.terms.number(32, value.to_bits().into())),
            Operand::F64(value) => Value::Bits(self.store.terms.number(64, value.to_bits().into())),
            Operand::Null => Value::Ptr(self.store.null()),
            Operand::Global { global, offset } => {
                let offset = self.store.address_number(offset as u64);
                let base = Base::Object(self.store.global_object(global));
                Value::Ptr(self.store.pointers.single(&mut self.store.terms, base, offset))
            }
            Operand::Func(function) => {
                let object = self.store.function_object(function);
                Value::Ptr(self.store.pointer_to(object))
            }
            Operand::Undef(ty) => self.undefined(ty),
        }
    }

    /// An operand as a number.
    pub(crate) fn number(&mut self, state: &State, operand: Operand) -> TermId {
        let value = self.operand(state, operand);
        self.number_of(value)
    }

    /// An operand as a pointer.
    pub(crate) fn pointer(&mut self, state: &State, operand: Operand) -> PointerId {
        let value = self.operand(state, operand);
        self.store.as_pointer(value)
    }

    /// Executes one instruction.
    // A table: one arm an instruction.
    pub(crate) fn execute(
        &mut self,
        state: &mut State,
        function: &Function,
        place: (BlockId, usize),
        inst: InstId,
    ) -> Res<()> {
        let ty = function.insts[inst].ty.unwrap_or(Type::BOOL);
        let value = match &function.insts[inst].op {
            // Set on the edge, and by the call.
            Op::Phi { .. } | Op::Extract { .. } => return Ok(()),
            Op::Binary { op, lhs, rhs } => {
                let (a, b) = (self.operand(state, *lhs), self.operand(state, *rhs));
                self.binary(state, *op, a, b)
            }
            Op::Overflows { op, signed, lhs, rhs } => {
                let (a, b) = (self.operand(state, *lhs), self.operand(state, *rhs));
                self.overflows(*op, *signed, a, b)
            }
            Op::Unary { op, value } => {
                let value = self.operand(state, *value);
                self.unary(*op, value)
            }
            Op::Compare { op, lhs, rhs } => {
                let (a, b) = (self.operand(state, *lhs), self.operand(state, *rhs));
                self.compare(*op, a, b)
            }
            Op::FloatBinary { op, lhs, rhs } => {
                let (a, b) = (self.operand(state, *lhs), self.operand(state, *rhs));
                self.float_binary(*op, ty, a, b)
            }
            Op::FloatUnary { op, value } => {
                let value = self.operand(state, *value);
                self.float_unary(*op, ty, value)
            }
            Op::FloatFma { a, b, c } => {
                let operands = [self.operand(state, *a), self.operand(state, *b), self.operand(state, *c)];
                self.float_fma(ty, operands)
            }
            Op::FloatCompare { op, lhs, rhs } => {
                let (a, b) = (self.operand(state, *lhs), self.operand(state, *rhs));
                self.float_compare(*op, a, b)
            }
            Op::Cast { op, value } => {
                let from = function.operand_type(*value).unwrap_or(Type::BOOL);
                let value = self.operand(state, *value);
                self.cast(*op, value, from, ty)
            }
            Op::PtrAdd { base, offset } => {
                let pointer = self.pointer(state, *base);
                let distance = self.number(state, *offset);
                self.uses(distance);
                Value::Ptr(self.store.pointers.move_pointer(&mut self.store.terms, pointer, distance))
            }
            Op::Select { cond, then, otherwise } => {
                let cond = self.operand(state, *cond);
                let cond = self.truth(cond);
                let (a, b) = (self.operand(state, *then), self.operand(state, *otherwise));
                self.select(cond, a, b)
            }
            Op::Arbitrary { uninit: Some(_) } => self.undefined(ty),
            Op::Arbitrary { uninit: None } => self.arbitrary(ty),
            Op::Freeze { value } => self.operand(state, *value),
            Op::Alloca { size, align, scoped, dynamic } => {
                let size = self.number(state, *size);
                self.alloca(state, size, *align, *scoped, *dynamic)
            }
            Op::Load { ptr, obligation, .. } => {
                let pointer = self.pointer(state, *ptr);
                self.load(state, pointer, ty, *obligation)
            }
            Op::StackSave => self.stack_mark(),
            Op::Call { .. } => return self.call(state, function, place, inst),
            ops!(variadic)
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackRestore { .. }
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {
                // A check that fails may end the run, with what is live here.
                if let (Op::Check { .. }, Some(frame)) = (&function.insts[inst].op, self.frames.last_mut()) {
                    (frame.at, frame.registers) = (place, state.registers.clone());
                }
                self.effect(state, function, &function.insts[inst].op);
                return Ok(());
            }
        };
        self.store.set(state, inst, value);
        Ok(())
    }

    /// Executes an instruction that has no value.
    fn effect(&mut self, state: &mut State, function: &Function, op: &Op) {
        match op {
            Op::Store { ptr, value, obligation, .. } => {
                let pointer = self.pointer(state, *ptr);
                let ty = function.operand_type(*value).unwrap_or(Type::BYTE);
                let value = self.operand(state, *value);
                self.store(state, pointer, value, ty, Some(*obligation));
            }
            Op::MemCopy { dst, src, len, overlap, obligation } => {
                let (dst, src) = (self.pointer(state, *dst), self.pointer(state, *src));
                let len = self.number(state, *len);
                self.uses(len);
                self.copy_block(state, (dst, src, len), *overlap, Some(*obligation));
            }
            Op::MemSet { dst, byte, len, obligation } => {
                let dst = self.pointer(state, *dst);
                let (byte, len) = (self.number(state, *byte), self.number(state, *len));
                self.uses(len);
                self.fill_block(state, (dst, byte, len), Some(*obligation));
            }
            Op::Check { cond, obligation } => {
                let cond = self.operand(state, *cond);
                let holds = self.truth(cond);
                let violated = self.store.terms.not(holds);
                let told = &self.store.program.obligations[*obligation];
                let fatal = told.detail.ends_run();
                if fatal && told.property == Property::UnreachCall {
                    self.fail(state, Some(*obligation), violated);
                    return;
                }
                self.violate(state, Some(Goal::Obligation(*obligation)), violated, fatal);
            }
            Op::LifetimeStart { object } => self.lifetime_start(state, *object),
            Op::LifetimeEnd { object } => self.lifetime_end(state, *object),
            Op::StackRestore { mark } => {
                let mark = self.pointer(state, *mark);
                self.stack_restore(state, mark);
            }
            Op::VaStart { list, obligation } => self.va_start(state, *list, *obligation),
            Op::VaCopy { dst, src, obligation } => self.va_copy(state, *dst, *src, *obligation),
            Op::VaEnd { .. } => {}
            Op::Unsupported { what } => self.leave(state, what.clone()),
            ops!(values)
            | Op::Alloca { .. }
            | Op::StackSave
            | Op::Load { .. }
            | Op::Call { .. }
            | Op::Extract { .. } => {}
        }
    }

    /// A new object, alive from here on.
    pub(crate) fn make_object(&mut self, state: &mut State, object: Object, start: Option<Start>) -> ObjectId {
        self.at.made += 1;
        let id = self.store.names.object_at(self.at.site, self.at.made, object);
        if self.cutting.is_some() {
            let key = self.object_key(object.kind);
            self.store.names.set_key(id, key);
        }
        self.births.insert(id, (self.births.len() as u32, state.memory.clone()));
        let version = self.contents.start(start.unwrap_or(Start::Undefined(id)));
        let alive = self.store.terms.boolean(true);
        state.memory.set(id.0, Living { version, alive });
        id
    }

    fn alloca(&mut self, state: &mut State, size: TermId, align: u32, scoped: bool, dynamic: bool) -> Value {
        self.uses(size);
        let align = u64::from(align.max(1));
        let object = Object { kind: ObjectKind::Stack, size: Some(size), align, constant: false, span: self.at.span };
        let id = self.make_object(state, object, None);
        if scoped {
            state.memory.remove(id.0);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.objects.push(id);
            if dynamic {
                frame.dynamic.push(id);
            }
        }
        Value::Ptr(self.store.pointer_to(id))
    }

    /// Ends an object's life where `guard` holds.
    pub(crate) fn end_life(&mut self, state: &mut State, object: ObjectId, guard: TermId) {
        let living = self.living(state, object);
        let stays = self.store.terms.not(guard);
        let alive = self.store.terms.and(living.alive, stays);
        if self.store.terms.is_false(alive) {
            state.memory.remove(object.0);
        } else {
            state.memory.set(object.0, Living { alive, ..living });
        }
    }

    fn lifetime_end(&mut self, state: &mut State, alloca: InstId) {
        let Some(Value::Ptr(pointer)) = state.registers.get(alloca.0) else { return };
        for case in self.store.pointers.cases(pointer).iter() {
            if let Base::Object(object) = case.base {
                self.end_life(state, object, case.guard);
            }
        }
    }

    /// Each life is an object of its own, so that pointers into an earlier one dangle.
    fn lifetime_start(&mut self, state: &mut State, alloca: InstId) {
        self.lifetime_end(state, alloca);
        let Some(Value::Ptr(pointer)) = state.registers.get(alloca.0) else { return };
        let cases = self.store.pointers.cases(pointer);
        let Some(Base::Object(before)) = cases.first().map(|case| case.base) else { return };
        let object = self.store.names.object(before);
        if cases
            .iter()
            .any(|case| !matches!(case.base, Base::Object(o) if self.store.names.object(o).size == object.size))
        {
            self.leave(state, "a local whose size differs from one life to the next");
            return;
        }
        let id = self.make_object(state, object, None);
        if let Some(frame) = self.frames.last_mut() {
            frame.objects.push(id);
        }
        let pointer = self.store.pointer_to(id);
        self.store.set(state, alloca, Value::Ptr(pointer));
    }

    fn stack_mark(&mut self) -> Value {
        let count = self.frames.last().map_or(0, |frame| frame.dynamic.len()) as u64;
        let number = self.store.address_number(count);
        Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Mark, number))
    }

    /// Ends the dynamic objects made since the mark. Those that other paths made are not in this state.
    fn stack_restore(&mut self, state: &mut State, mark: PointerId) {
        let cases = self.store.pointers.cases(mark);
        let number = match &*cases {
            [case] if case.base == Base::Mark => {
                self.store.terms.as_const(case.offset).and_then(|number| number.to_u128())
            }
            _ => None,
        };
        let Some(first) = number else {
            self.leave(state, "the stack is restored to a mark that is not known");
            return;
        };
        let dynamic = self.frames.last().map(|frame| frame.dynamic.clone()).unwrap_or_default();
        for object in dynamic.into_iter().skip(first as usize) {
            state.memory.remove(object.0);
        }
    }
}
