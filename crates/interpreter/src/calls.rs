//! Calls and returns. Frames are our own, so that the program's recursion does not depend on the interpreter's stack.

use belay_ir::{CalledType, FuncId, FuncKind, Function, ObligationId, Type};
use smallvec::SmallVec;

use crate::code::{CallSite, Inst, ResultSlot, Slot, Target};
use crate::integers::Integers;
use crate::memory::{Birth, Life};
use crate::observer::{Event, Observer};
use crate::report::{EndedBy, Fault, ObjectKind};
use crate::run::{Frame, Res, Run, Variadic, VariadicFrame};
use crate::value::{Pointer, Value};

/// Evaluated arguments.
type Args<Int> = SmallVec<[Value<Int>; 8]>;

impl<'i, M: Integers, O: Observer> Run<'i, M, O> {
    /// Remembers where the innermost frame stands before another is put on top.
    pub(crate) fn suspend(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = self.pc;
        }
    }

    /// Runs a function from outside the program until it returns; its results are in `returned`.
    pub(crate) fn start(&mut self, function: FuncId, args: Vec<Value<M::Int>>) -> Res<()> {
        if !self.program.functions[function].is_defined() {
            return self.unknown(format!("{} has no body", self.program.functions[function].name));
        }
        self.suspend();
        self.floor = self.frames.len();
        self.push_frame(function, args.into(), self.stack_objects.len(), None)?;
        self.interpret()
    }

    /// Calls; true if a frame was entered.
    pub(crate) fn call(&mut self, site: &'i CallSite) -> Res<bool> {
        let id = match site.target {
            Target::Direct(function) => function,
            Target::Indirect(pointer, obligation) => self.callee(pointer, obligation)?,
        };
        match self.program.functions[id].kind {
            FuncKind::Defined => {
                self.enter(id, site)?;
                Ok(true)
            }
            FuncKind::Builtin(builtin) => {
                self.builtin(builtin, id, site)?;
                Ok(false)
            }
            FuncKind::Extern => {
                if matches!(site.target, Target::Indirect(..)) {
                    self.check_type(&self.program.functions[id], site)?;
                }
                self.call_extern(id, site)?;
                Ok(false)
            }
        }
    }

    /// The function at an address.
    fn callee(&mut self, pointer: Slot, obligation: ObligationId) -> Res<FuncId> {
        let pointer = match self.pointer(pointer)? {
            Some(Pointer::Bare(address)) => Some(self.place_at(address)),
            pointer => pointer,
        };
        if let Some(Pointer::Object { id, offset: 0 }) = pointer
            && let ObjectKind::Function(function) = self.memory.object(id).kind
        {
            return Ok(function);
        }
        let fault = match pointer {
            None => Fault::UndefinedPointer { access: crate::report::Access { len: 1, write: false } },
            Some(_) => Fault::NotAFunction(self.object_of(pointer).map(|(object, _)| object)),
        };
        self.violate(Some(obligation), fault)
    }

    fn enter(&mut self, id: FuncId, site: &'i CallSite) -> Res<()> {
        let function = &self.program.functions[id];
        self.check_type(function, site)?;
        let (fixed, objects) = (function.params.len(), self.stack_objects.len());
        let mut args: Args<M::Int> = site.args[..fixed].iter().map(|slot| self.take(*slot)).collect();
        for (index, param) in function.params.iter().enumerate() {
            if let Some((size, align)) = param.byval {
                args[index] = self.own_copy(args[index].clone(), size, align, (id, index as u32), site.obligation)?;
            }
        }
        let variadic = if function.variadic { Some(self.variadic_args(id, fixed, site)?) } else { None };
        self.suspend();
        self.push_frame(id, args, objects, variadic)
    }

    fn check_type(&self, function: &Function, site: &CallSite) -> Res<()> {
        let (args, structs) = (&site.types[..], &site.byval[..]);
        let called = CalledType { args, variadic: site.variadic, structs, results: &site.expected };
        if called.fits(function, self.program.layout) {
            return Ok(());
        }
        if site.args.len() < function.params.len() {
            return self.unknown(format!("{} is called with too few arguments", function.name));
        }
        self.unknown(format!("{} is called with another type than it has", function.name))
    }

    /// A copy of a struct that is passed by value, as an object of the callee.
    fn own_copy(
        &mut self,
        source: Value<M::Int>,
        size: u64,
        align: u32,
        (function, index): (FuncId, u32),
        obligation: Option<ObligationId>,
    ) -> Res<Value<M::Int>> {
        let birth = Birth {
            kind: ObjectKind::ByValue(function, index),
            size,
            align: align.into(),
            life: Life::Live,
            made_at: self.program.functions[function].span,
            made_in: Some(function),
        };
        let id = self.memory.make(birth);
        self.stack_objects.push((id, false));
        if size > 0 {
            let pointer = self.force_pointer(source)?;
            let from = self.access(pointer, size, false, obligation)?;
            let copied = self.memory.copy((id, 0), from, size);
            self.fits(copied)?;
        }
        Ok(Value::Ptr(Pointer::Object { id, offset: 0 }))
    }

    fn variadic_args(&mut self, id: FuncId, fixed: usize, site: &CallSite) -> Res<Box<VariadicFrame<M::Int>>> {
        let mut args = Vec::with_capacity(site.args.len() - fixed);
        for index in fixed..site.args.len() {
            let mut value = self.take(site.args[index]);
            let byval =
                site.byval.iter().find(|(at, _, _)| *at as usize == index).map(|(_, size, align)| (*size, *align));
            if let Some((size, align)) = byval {
                value = self.own_copy(value, size, align, (id, index as u32), site.obligation)?;
            }
            args.push(Variadic { ty: site.types[index], value, byval });
        }
        Ok(Box::new(VariadicFrame { args, area: None }))
    }

    /// Puts a frame on top; the objects of the stack from `objects` on were made for it.
    fn push_frame(
        &mut self,
        id: FuncId,
        args: Args<M::Int>,
        objects: usize,
        variadic: Option<Box<VariadicFrame<M::Int>>>,
    ) -> Res<()> {
        if self.frames.len() >= self.config.max_depth {
            return self.unknown(format!("recursion deeper than {} calls", self.config.max_depth));
        }
        let code = self.interpreter.code(id);
        if O::EVENTS {
            let params = &self.program.functions[id].params;
            let args = args.iter().zip(params).map(|(arg, param)| self.show(arg, param.ty)).collect();
            self.tell(Event::Call { function: id, args });
        }
        let base = self.registers.len();
        self.registers.extend(args);
        self.registers.resize(base + code.registers as usize, Value::F32(0.0));
        let constants = self.constant_base_of(code);
        self.frames.push(Frame { code, pc: 0, base, constants, objects, variadic });
        (self.code, self.pc, self.base, self.constant_base) = (code, 0, base, constants);
        if O::STATES {
            self.show_block(code, 0);
        }
        self.count(code.entry_cost.into())?;
        if self.recurrence.is_some() {
            self.look_for_reentry()?;
        }
        Ok(())
    }

    /// Returns from the innermost frame; true if that reached the floor.
    pub(crate) fn leave(&mut self, first: usize, count: usize) -> Res<bool> {
        let code = self.code;
        let mut results: SmallVec<[(Value<M::Int>, Type); 2]> = SmallVec::new();
        for (slot, ty) in &code.returned[first..first + count] {
            results.push((self.take(*slot), *ty));
        }
        if O::EVENTS {
            let shown = results.iter().map(|(value, ty)| self.show(value, *ty)).collect();
            self.tell(Event::Return { function: code.function, results: shown });
        }
        let span = self.span();
        for register in &code.entry_allocas {
            if let Value::Ptr(Pointer::Object { id, .. }) = self.registers[self.base + *register as usize] {
                self.memory.end(id, EndedBy::Return, span);
            }
        }
        let Some(frame) = self.frames.pop() else { return Ok(true) };
        while self.stack_objects.len() > frame.objects {
            if let Some((id, _)) = self.stack_objects.pop() {
                self.memory.end(id, EndedBy::Return, span);
            }
        }
        self.registers.truncate(frame.base);
        if let Some(recurrence) = &mut self.recurrence {
            recurrence.reentry.returned(self.frames.len());
        }
        if let Some(caller) = self.frames.last() {
            (self.code, self.pc, self.base, self.constant_base) =
                (caller.code, caller.pc, caller.base, caller.constants);
        }
        if self.frames.len() == self.floor {
            self.returned = results;
            return Ok(true);
        }
        if let Inst::Call { site } = self.code.insts[self.pc] {
            self.deliver(&self.code.calls[site as usize], results)?;
        }
        Ok(false)
    }

    /// Gives a call its results.
    fn deliver(&mut self, site: &'i CallSite, results: SmallVec<[(Value<M::Int>, Type); 2]>) -> Res<()> {
        for ResultSlot { index, dst, ty } in &site.results {
            let value = match results.get(*index as usize) {
                Some((value, returned)) => self.convert_returned(value.clone(), *returned, *ty)?,
                // A function that ends without a value: C leaves it open.
                None => self.fresh_undefined(*ty),
            };
            self.set(*dst, value);
        }
        Ok(())
    }

    fn convert_returned(&self, value: Value<M::Int>, returned: Type, expected: Type) -> Res<Value<M::Int>> {
        let address = self.program.layout.address_type();
        if returned == expected {
            return Ok(value);
        }
        match value {
            Value::Ptr(pointer) if expected == address => Ok(self.address_int(pointer)),
            Value::Addr(pointer) if expected == Type::Ptr => Ok(Value::Ptr(pointer)),
            Value::Int(int) if returned == address && expected == Type::Ptr => {
                match M::bits(self.address_width(), &int) {
                    Some(bits) => Ok(Value::Ptr(self.place_at(bits as u64))),
                    None => self.unknown("an address that does not fit its width"),
                }
            }
            Value::Raw(bytes) if self.memory.store_size(returned) == self.memory.store_size(expected) => {
                Ok(Value::Raw(bytes))
            }
            Value::Int(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Ptr(_)
            | Value::Addr(_)
            | Value::Raw(_)
            | Value::Bits(_)
            | Value::Undef(_) => self.unknown("the function returns another type than its caller expects"),
        }
    }

    /// A function without body and model: an arbitrary number.
    fn call_extern(&mut self, id: FuncId, site: &'i CallSite) -> Res<()> {
        let name = &self.program.functions[id].name;
        self.externs.insert(id);
        if self.config.externs == belay_ir::Externs::Refuse {
            return self.unknown(format!("{name} has no body and may do anything"));
        }
        for ResultSlot { dst, ty, .. } in &site.results {
            if *ty == Type::Ptr {
                return self.unknown(format!("{name} has no body and returns a pointer"));
            }
            // Each result is asked for where it is used, so that one that nobody looks at is no choice.
            let value =
                if site.result_used { self.arbitrary(*ty, Some(name.clone()))? } else { self.fresh_undefined(*ty) };
            self.set(*dst, value);
        }
        Ok(())
    }
}
