//! Calls: clang's arithmetic checks, memory functions, built-in library functions, everything else.

use belay_ir::{BinaryOp, Builtin, Callee, FuncKind, IntPredicate, ObligationDetail, Op, Operand, Property, Type};

use super::Translator;
use super::cprover::{fills_memory, is_given_place, speaks_to_verifier};
use super::function::{FunctionTranslator, Leaves};
use super::jumps::{is_longjmp, is_setjmp};
use super::leaves::{is_float_pair, is_move_only, is_vector, leaves_of};
use crate::llvm::{LLVMOpcode, LLVMValueKind, Value};
use crate::standard::is_library_function;

/// True for the functions that are instructions of the program form.
pub fn is_memory_function(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset")
}

/// Functions that no model stands for: control that does not return where it was called from, other threads or processes, signals that end the program, and what would
/// change the answers of other models.
fn is_refused(name: &str) -> bool {
    // What the processor has no atomic instruction for is left to a library.
    name.starts_with("__atomic_")
        || name.starts_with("__sync_")
        || is_setjmp(name)
        || is_longjmp(name)
        || matches!(
            name,
            "pthread_create"
                | "thrd_create"
                | "fork"
                | "vfork"
                | "__VERIFIER_atomic_begin"
                | "signal"
                | "sigaction"
                | "alarm"
                | "ualarm"
                | "setitimer"
                | "timer_create"
                | "kill"
                | "killpg"
                | "sigqueue"
                | "setrlimit"
                | "makecontext"
                | "swapcontext"
                | "setcontext"
                | "on_exit"
                | "at_quick_exit"
                | "__cxa_atexit"
                | "bsd_signal"
                | "clone"
                | "setenv"
                | "unsetenv"
                | "putenv"
                | "clearenv"
                | "dlsym"
        )
}

fn is_assertion(name: &str) -> bool {
    matches!(Builtin::from_name(name), Some(Builtin::Assert | Builtin::Assume))
}

/// The argument that the only result of an assembler template is tied to.
fn tied_input(constraints: &str) -> Option<usize> {
    let outputs = constraints.split(',').filter(|part| part.starts_with('=')).count();
    let mut inputs = constraints.split(',').filter(|part| !part.starts_with(['=', '~', '!']));
    let is_simple = outputs == 1 && !constraints.contains('*');
    is_simple.then(|| inputs.position(|input| input == "0"))?
}

/// True for a function that is refused where it is called, unless the program defines it.
pub fn is_without_model(name: &str) -> bool {
    let is_known = Builtin::from_name(name).is_some();
    !is_known && (is_refused(name) || is_library_function(name) || speaks_to_verifier(name))
}

impl FunctionTranslator<'_, '_> {
    pub(super) fn call(&mut self, inst: Value) -> Leaves {
        let callee = inst.callee();
        if callee.is_inline_asm() {
            return self.inline_asm(inst);
        }
        let callee = Translator::resolve_alias(callee);
        if callee.kind() != LLVMValueKind::LLVMFunctionValueKind {
            return self.indirect_call(inst);
        }
        if let Some(name) = callee.intrinsic_name() {
            return self.intrinsic(inst, &name);
        }
        let name = callee.name();
        if let Some(kind) = name.strip_prefix("__ubsan_handle_") {
            self.sanitizer_check(kind, inst);
            return Leaves::new();
        }
        if callee.is_declaration() && is_setjmp(&name) && !self.module.jumps {
            return self.set_jump(inst);
        }
        // Both become control flow once all calls are known.
        if callee.is_declaration() && (is_setjmp(&name) || is_longjmp(&name)) {
            let id = self.module.function_id(callee);
            return self.emit_call(inst, Callee::Direct(id), None);
        }
        if callee.is_declaration() && is_refused(&name) {
            return self.unsupported(format!("call of {name}"), inst.ty());
        }
        let asks = speaks_to_verifier(&name) && !is_assertion(&name);
        if callee.is_declaration() && (asks || fills_memory(&name) || is_given_place(callee, inst)) {
            return self.verifier_call(callee, inst);
        }
        if callee.is_declaration() && Builtin::from_name(&name).is_none() && is_library_function(&name) {
            return self.without_model(&name, inst.ty());
        }
        if callee.is_declaration() && name == super::frames::ONLY_LOOKS {
            self.ask_only_looks(callee, inst);
            return self.undefined(inst.ty());
        }
        if callee.is_declaration() && name == "__belay_unsupported" {
            let what = asserted_text(inst).unwrap_or_else(|| "library function".to_owned());
            return self.unsupported(what, inst.ty());
        }
        if callee.is_declaration() && (is_memory_function(&name) || name == "alloca") {
            let args = self.arguments(inst);
            return self.memory_function(&name, &args, inst);
        }
        if let Some(result) = self.scan(callee, inst) {
            return result;
        }
        if let Some(result) = self.undeclared_call(callee, inst) {
            return result;
        }
        let id = self.module.function_id(callee);
        if self.module.program.functions[id].kind == FuncKind::Extern && !super::frames::is_about_statics(&name) {
            return self.extern_call(callee, inst);
        }
        let obligation = self.builtin_obligation(callee, Some(inst));
        self.emit_call(inst, Callee::Direct(id), obligation)
    }

    /// Before a call in a clause: whether that only looks is known when all functions are.
    fn ask_only_looks(&mut self, callee: Value, inst: Value) {
        let id = self.module.function_id(callee);
        let given = inst.arguments().first().copied().map(Translator::resolve_alias);
        let given = given.filter(|given| given.kind() == LLVMValueKind::LLVMFunctionValueKind);
        let args = given.map(|given| Operand::Func(self.module.function_id(given)));
        let (args, byval_args) = (args.into_iter().collect(), Vec::new());
        self.emit_effect(Op::Call { callee: Callee::Direct(id), args, variadic: 0, byval_args, obligation: None });
    }

    /// Where nothing goes back to it, `setjmp` writes its buffer, of which a program can read nothing that means anything, and gives 0.
    fn set_jump(&mut self, inst: Value) -> Leaves {
        let Some(buffer) = inst.arguments().first().copied() else { return self.undefined(inst.ty()) };
        let buffer = self.scalar(buffer);
        let returned = self.module.types(inst.ty());
        let (Type::Ptr, [Type::Int(width)]) = (self.operand_type(buffer), returned.as_slice()) else {
            return self.unsupported("call of setjmp with unusual arguments".to_owned(), inst.ty());
        };
        // sizeof(jmp_buf) without the mask of signals that only some variants save.
        let size = if self.module.program.layout.pointer_bytes() == 8 { 64 } else { 24 };
        let size = self.address_constant(size);
        let zero = Operand::int(*width, 0);
        self.mem_set(buffer, Operand::Undef(Type::BYTE), size);
        Leaves::from_elem(zero, 1)
    }

    /// An empty template does nothing: without results it only orders memory accesses, which are in order anyway, and a result that is tied to an input
    /// is that input, in the same register.
    fn inline_asm(&mut self, inst: Value) -> Leaves {
        let callee = inst.callee();
        let refused = "inline assembly".to_owned();
        if !callee.asm_template().trim().is_empty() {
            let reaches_memory = callee.asm_constraints().contains("memory") || callee.asm_constraints().contains('*');
            let is_computation = !inst.ty().is_void() && !reaches_memory && !callee.has_side_effects();
            // Without a clobber of memory, and not volatile: GCC's manual has it that such assembly only computes its outputs.
            return match is_computation {
                true => self.unhandled(refused, inst.ty()),
                false => self.unsupported(refused, inst.ty()),
            };
        }
        let results = self.module.types(inst.ty());
        let kept = tied_input(&callee.asm_constraints()).and_then(|at| inst.arguments().get(at).copied());
        match (results.as_slice(), kept) {
            ([], _) => Leaves::new(),
            ([ty], Some(kept)) if kept.ty() == inst.ty() => {
                let leaves = self.leaves(kept);
                debug_assert!(leaves.iter().all(|leaf| self.operand_type(*leaf) == *ty));
                leaves
            }
            (_, _) => self.unsupported(refused, inst.ty()),
        }
    }

    fn indirect_call(&mut self, inst: Value) -> Leaves {
        let target = self.scalar(inst.callee());
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::IndirectCall);
        self.emit_call(inst, Callee::Indirect(target, obligation), None)
    }

    pub(super) fn emit_call(
        &mut self,
        inst: Value,
        callee: Callee,
        obligation: Option<belay_ir::ObligationId>,
    ) -> Leaves {
        match leaves_of(self.module.layout, inst.ty()) {
            Ok(leaves) => {
                let results = leaves.into_iter().map(|leaf| leaf.ty).collect();
                self.emit_call_for(inst, callee, obligation, results)
            }
            Err(what) => self.unsupported(what, inst.ty()),
        }
    }

    /// The same, for a callee with these results.
    pub(super) fn emit_call_for(
        &mut self,
        inst: Value,
        callee: Callee,
        obligation: Option<belay_ir::ObligationId>,
        results: Vec<Type>,
    ) -> Leaves {
        let fixed = inst.call_type().params().len();
        let mut args = Vec::new();
        let mut byval_args = Vec::new();
        let mut variadic = 0;
        let mut copies = false;
        for (index, argument) in inst.arguments().into_iter().enumerate() {
            if let Some(object) = inst.byval_argument(index as u32) {
                copies = true;
                let (size, align) = self.module.byval_size(object);
                if self.is_changed_by_others(self.may_have_volatile_member(argument, Some(size)), argument) {
                    self.emit_effect(Op::Unsupported { what: "a volatile struct is copied".to_owned() });
                }
                byval_args.push((args.len() as u32, size, align));
            }
            let leaves = self.leaves(argument);
            let is_odd = is_move_only(argument.ty()) || is_vector(argument.ty());
            if index >= fixed && is_odd && !is_float_pair(self.module.layout, argument.ty()) {
                return self.unsupported(format!("{} passed through `...`", argument.ty().describe()), inst.ty());
            }
            if index >= fixed {
                variadic += leaves.len() as u32;
            }
            args.extend(leaves);
        }
        // Passing a struct by value reads it.
        let reads = obligation.is_none() && copies;
        let obligation =
            if reads { Some(self.obligation(Property::ValidDeref, ObligationDetail::MemCopy)) } else { obligation };
        self.finish_call(Op::Call { callee, args, variadic, byval_args, obligation }, results)
    }

    fn finish_call(&mut self, op: Op, results: Vec<Type>) -> Leaves {
        match results.as_slice() {
            [] => {
                self.emit_effect(op);
                Leaves::new()
            }
            [ty] => Leaves::from_elem(self.emit(op, *ty), 1),
            several => {
                let call = self.place(op, None);
                let parts = several.iter().enumerate();
                parts.map(|(index, ty)| self.emit(Op::Extract { call, index: index as u32 }, *ty)).collect()
            }
        }
    }

    fn arguments(&mut self, inst: Value) -> Vec<Operand> {
        inst.arguments().into_iter().flat_map(|argument| self.leaves(argument)).collect()
    }

    /// Calls a library function with these arguments, for the body that stands behind its address.
    pub(super) fn library_call(&mut self, function: Value, args: Vec<Operand>) -> Leaves {
        let name = function.name();
        if is_memory_function(&name) {
            return self.memory_function(&name, &args, function);
        }
        let id = self.module.function_id(function);
        if is_without_model(&name) || self.module.program.functions[id].kind == FuncKind::Extern {
            let result = function.value_type().return_type();
            return self.without_model(&name, result);
        }
        let results = self.module.types(function.value_type().return_type());
        let callee = Callee::Direct(self.module.function_id(function));
        let obligation = self.builtin_obligation(function, None);
        self.finish_call(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation }, results)
    }

    /// `memcpy`, `memmove`, `memset` and `alloca` as instructions.
    fn memory_function(&mut self, name: &str, args: &[Operand], inst: Value) -> Leaves {
        let size_type = self.module.program.layout.address_type();
        let is_pointer = |index: usize| args.get(index).is_some_and(|arg| self.operand_type(*arg) == Type::Ptr);
        let is_size = |index: usize| args.get(index).is_some_and(|arg| self.operand_type(*arg) == size_type);
        let fits = match name {
            "alloca" => is_size(0),
            "memset" => is_pointer(0) && is_size(2),
            _ => is_pointer(0) && is_pointer(1) && is_size(2),
        };
        // Called without a declaration it seems to return an int.
        let returned = self.module.types(inst.ty());
        if !fits || returned.iter().any(|ty| *ty != Type::Ptr) {
            return self.unsupported(format!("call of {name} with unusual arguments"), inst.ty());
        }
        match name {
            "alloca" => return Leaves::from_elem(self.new_object(args[0], 16, false, true), 1),
            "memset" => self.mem_set(args[0], args[1], args[2]),
            _ => self.mem_copy(args[0], args[1], args[2], name == "memmove"),
        }
        Leaves::from_elem(args[0], 1)
    }

    pub(super) fn mem_copy(&mut self, dst: Operand, src: Operand, len: Operand, overlap: bool) {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::MemCopy);
        self.emit_effect(Op::MemCopy { dst, src, len, overlap, obligation });
    }

    pub(super) fn mem_set(&mut self, dst: Operand, byte: Operand, len: Operand) {
        let byte = match self.operand_type(byte) {
            Type::Int(8) => byte,
            _ => self.convert(belay_ir::CastOp::Trunc, byte, Type::BYTE),
        };
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::MemSet);
        self.emit_effect(Op::MemSet { dst, byte, len, obligation });
    }

    /// The obligation of a call of a built-in library function.
    fn builtin_obligation(&mut self, callee: Value, inst: Option<Value>) -> Option<belay_ir::ObligationId> {
        let id = self.module.function_id(callee);
        let FuncKind::Builtin(builtin) = self.module.program.functions[id].kind else { return None };
        let property = builtin.property()?;
        let detail = match builtin {
            Builtin::Free | Builtin::Realloc => ObligationDetail::Free,
            Builtin::AssertFail | Builtin::Assert => ObligationDetail::Assertion(inst.and_then(asserted_text)),
            Builtin::ErrorCall => ObligationDetail::ErrorCall(callee.name()),
            Builtin::Precondition => ObligationDetail::Precondition,
            _ => ObligationDetail::LibraryCall(callee.name()),
        };
        Some(self.obligation(property, detail))
    }

    /// One of clang's arithmetic checks has failed if control gets here. Division has obligations of its own, unless both operands
    /// are constants: then no division is left in the code, only this check.
    fn sanitizer_check(&mut self, kind: &str, inst: Value) {
        let (property, detail) = match kind.trim_end_matches("_abort") {
            "add_overflow" => (Property::NoOverflow, ObligationDetail::SignedAdd),
            "sub_overflow" => (Property::NoOverflow, ObligationDetail::SignedSub),
            "mul_overflow" => (Property::NoOverflow, ObligationDetail::SignedMul),
            "negate_overflow" => (Property::NoOverflow, ObligationDetail::SignedNeg),
            "shift_out_of_bounds" => (Property::Arithmetic, ObligationDetail::Shift),
            "float_cast_overflow" => (Property::Arithmetic, ObligationDetail::FloatCast),
            // C17 6.7.6.2p5: the length of an array is greater than zero. What it is used for is memory.
            "vla_bound_not_positive" => (Property::ValidDeref, ObligationDetail::ArrayLength),
            "divrem_overflow" => {
                let operands: Vec<Option<u128>> =
                    inst.arguments().into_iter().skip(1).map(|operand| self.scalar(operand).as_int()).collect();
                match operands.as_slice() {
                    [Some(_), Some(0)] => (Property::Arithmetic, ObligationDetail::DivisionByZero),
                    [Some(_), Some(_)] => (Property::NoOverflow, ObligationDetail::DivisionOverflow),
                    _ => return,
                }
            }
            // Other checks are not part of any property.
            _ => return,
        };
        if detail == ObligationDetail::Shift {
            self.shifted_value_check(inst);
        }
        let cond = match detail {
            ObligationDetail::ArrayLength if self.module.empty_arrays => self.is_zero_length(inst),
            _ => Operand::bool(false),
        };
        let obligation = self.obligation(property, detail);
        self.emit_effect(Op::Check { cond, obligation });
    }

    /// Whether the length that a check of a length has refused is 0, and not negative.
    fn is_zero_length(&mut self, inst: Value) -> Operand {
        let arguments = inst.arguments();
        let [_, length] = arguments.as_slice() else { return Operand::bool(false) };
        let length = self.scalar(find_passed_value(*length));
        match self.operand_type(length) {
            Type::Int(width) => {
                self.emit(Op::Compare { op: IntPredicate::Eq, lhs: length, rhs: Operand::int(width, 0) }, Type::BOOL)
            }
            _ => Operand::bool(false),
        }
    }

    /// The check of a shift has failed: if the amount is in range and the value not negative, then `value << amount` of a signed type
    /// is not representable, which is an overflow as well.
    fn shifted_value_check(&mut self, inst: Value) {
        let arguments = inst.arguments();
        let [data, value, amount] = arguments.as_slice() else { return };
        let Some((width, is_signed)) = integer_of_check(*data) else {
            self.emit_effect(Op::Unsupported { what: "a check of a shift of unknown type".to_owned() });
            return;
        };
        let (value, amount) = (self.scalar(find_passed_value(*value)), self.scalar(find_passed_value(*amount)));
        let (Type::Int(value_width), Type::Int(amount_width)) = (self.operand_type(value), self.operand_type(amount))
        else {
            return;
        };
        if !is_signed || u32::from(value_width) < width {
            return;
        }
        let negative = Operand::int(value_width, 1 << (width - 1));
        let negative = self.emit(Op::Compare { op: IntPredicate::Uge, lhs: value, rhs: negative }, Type::BOOL);
        let too_far = Operand::int(amount_width, width.into());
        let too_far = self.emit(Op::Compare { op: IntPredicate::Uge, lhs: amount, rhs: too_far }, Type::BOOL);
        let cond = self.emit(Op::Binary { op: BinaryOp::Or, lhs: negative, rhs: too_far }, Type::BOOL);
        let obligation = self.obligation(Property::NoOverflow, ObligationDetail::SignedShl);
        self.emit_effect(Op::Check { cond, obligation });
    }
}

/// Width and signedness of the first operand of an arithmetic check, from the data that clang hands to the check's handler: a
/// record whose second field points to the type's description, which encodes both in its second field.
fn integer_of_check(data: Value) -> Option<(u32, bool)> {
    let second = |global: Value| {
        let is_global = global.kind() == LLVMValueKind::LLVMGlobalVariableValueKind;
        is_global.then(|| global.initializer())??.element(1)
    };
    let code = second(second(data)?)?;
    let code = (code.kind() == LLVMValueKind::LLVMConstantIntValueKind).then(|| code.int_value())?;
    (code >> 1 <= 7).then_some((1 << (code >> 1), code & 1 == 1))
}

/// What a check's handler is given: the number itself, or one that was stored to be passed by address because it is wide.
fn find_passed_value(argument: Value) -> Value {
    if argument.kind() != LLVMValueKind::LLVMInstructionValueKind || argument.opcode() != LLVMOpcode::LLVMPtrToInt {
        return argument;
    }
    let users = argument.operand(0).users().into_iter();
    let stored = users.filter(|user| user.parent() == argument.parent() && user.opcode() == LLVMOpcode::LLVMStore);
    stored.map(|store| store.operand(0)).next().unwrap_or(argument)
}

/// The text of the condition that `__assert_fail` is given (its first argument), or of a `__CPROVER_assert` message.
fn asserted_text(call: Value) -> Option<String> {
    let text = |argument: Value| {
        let bytes = argument
            .kind()
            .eq(&LLVMValueKind::LLVMGlobalVariableValueKind)
            .then(|| argument.initializer())??
            .string()?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    };
    call.arguments().into_iter().take(2).find_map(text)
}
