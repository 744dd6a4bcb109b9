//! Calls of functions without a body and without a model.
//!
//! What such a function does is not known. As the program's user means it (`Externs::Havoc`) it may write to whatever it is given, and to globals
//! that other files see. So that every engine reads this alike, it is written out here, in instructions that exist anyway:
//!
//! - An object that is passed by address is overwritten with bytes of any value after the call (`__belay_overwrite`), unless the declaration says that the pointer
//!   is to const. A proof covers all values; a run chooses some, so that a violation may rest on numbers from an out-parameter.
//! - Globals of external linkage are overwritten too, and marked (`__belay_foreign`): a run that reads one before the program has written it anew has no
//!   verdict, since a violation must rest neither on what was written there nor on nothing having been written.
//! - Where an address is passed of which it is not known that it leads to numbers only, the call is refused: behind pointers lie further objects, and
//!   a pointer that such a function writes is one of which nothing is known. The same for addresses of functions, which may be called. A pointer to const is
//!   no exception where pointers may lie behind it: what they point to need not be const.
//! - Where the program makes numbers of addresses, a number that is wide enough counts as an address. One of whose making nothing is seen (bytes that were copied)
//!   does not.
//! - A pointer that it returns may be null, may be what it was given, or may lead anywhere else: it is any number as a pointer, so that proofs cover all of it as long as
//!   nothing is accessed through it, which no engine proves of such a pointer. A run ends at the call without a verdict (`__belay_approximate`): that it is null, or that
//!   an access through it is invalid, is nothing that a violation may rest on.
//! - Such a pointer may be handed on to another of these functions (`Given::Foreign`): it leads to what is not the program's, or to a variable that other files see, which is
//!   overwritten at each of these calls anyway. That holds of the result of a call that was given nothing of the program's own, and of variables that hold nothing else.
//! - Where other files can find a variable that has no name there, by what a constant or an unused variable of external linkage starts with, the call is refused.
//! - What a function of the system's library (POSIX, GNU, complex numbers) returns or writes is no matter of choice: where it does either, and a result is used, a run has no verdict from there on.
//! - One that is weak may be missing, so that its address is null: a call of it is refused.
//!
//! Taken for granted, and said with the verdict: the function returns (unless it is declared not to), frees nothing, writes nothing through a pointer to
//! const, keeps no pointer that it is given, uses none that is hidden in bytes, and calls no function of the program.

use belay_ir::{Block, Builtin, Callee, Externs, FuncKind, Function, Inst, Op, Operand, Terminator, Type};

use super::Translator;
use super::call::{is_memory_function, is_without_model};
use super::debug::Promise;
use super::function::{FunctionTranslator, Leaves};
use rustc_hash::FxHashSet;

use crate::llvm::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Module, Ty, Value};
use crate::models::OVERWRITE;
use crate::standard::is_of_system;

/// What an argument leads to.
enum Given {
    /// Nothing that could be written.
    Nothing,
    /// What only other files know: such a function returned it.
    Foreign,
    /// An object that holds no pointers.
    Numbers { object: Value, size: u64 },
    /// Something else.
    Unknown,
}

impl FunctionTranslator<'_, '_> {
    /// A call of a function that has neither body nor model.
    pub(super) fn extern_call(&mut self, callee: Value, inst: Value) -> Leaves {
        let name = callee.name();
        if self.module.may_be_missing(callee) {
            return self.unsupported(format!("call of {name}, which is weak and defined nowhere"), inst.ty());
        }
        let refused = |why: &str| format!("call of {name}, which has no body{why}");
        match self.module.externs {
            Externs::Pure => {}
            Externs::Refuse => return self.unsupported(refused(""), inst.ty()),
            Externs::Havoc => {
                let Some(written) = self.collect_written(callee, inst) else {
                    return self
                        .unsupported(refused(": where a pointer that it is given leads is not known"), inst.ty());
                };
                let globals = self.module.visible_globals.clone();
                if globals.iter().any(|global| self.module.leads_on(*global)) || self.module.shares_statics {
                    return self.unsupported(refused(" and may change a pointer in a global"), inst.ty());
                }
                let id = self.module.function_id(callee);
                let result = match inst.ty().kind() {
                    LLVMTypeKind::LLVMPointerTypeKind => self.call_for_pointer(id, inst),
                    _ => self.emit_call(inst, Callee::Direct(id), None),
                };
                if is_of_system(&callee.name()) && (!inst.users().is_empty() || !written.is_empty()) {
                    self.approximate(&format!("what {} returns or writes is not followed", callee.name()));
                }
                self.overwrite(&written);
                if !globals.is_empty() {
                    let touch = self.module.touch_globals();
                    self.emit_effect(call(touch, Vec::new()));
                }
                return result;
            }
        }
        let id = self.module.function_id(callee);
        self.emit_call(inst, Callee::Direct(id), None)
    }

    /// A call that returns a pointer of which nothing is known. The function that is called is the same but for its result.
    fn call_for_pointer(&mut self, id: belay_ir::FuncId, inst: Value) -> Leaves {
        let name = self.module.program.functions[id].name.clone();
        self.approximate(&format!("where the pointer leads that {name} returns is not followed"));
        let without = match self.module.without_result.get(&id) {
            Some(without) => *without,
            None => {
                let function = Function { results: Vec::new(), ..self.module.program.functions[id].clone() };
                let without = self.module.program.functions.push(function);
                self.module.without_result.insert(id, without);
                without
            }
        };
        self.emit_call_for(inst, Callee::Direct(without), None, Vec::new());
        let number = self.emit(Op::Arbitrary { uninit: None }, self.module.program.layout.address_type());
        Leaves::from_elem(self.emit(Op::Cast { op: belay_ir::CastOp::IntToPtr, value: number }, Type::Ptr), 1)
    }

    /// The objects that a call may write to; none if that is not known.
    fn collect_written(&self, callee: Value, inst: Value) -> Option<Vec<(Value, u64)>> {
        let mut written = Vec::new();
        for (index, argument) in inst.arguments().into_iter().enumerate() {
            if let Some(object) = inst.byval_argument(index as u32) {
                if self.module.may_hold_address(object) {
                    return None;
                }
                continue;
            }
            if argument.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind {
                if self.module.may_hold_address(argument.ty()) || is_address(argument) || self.is_of_union(argument) {
                    return None;
                }
                continue;
            }
            let promised = self.module.debug.points_to_const(callee, index);
            match self.classify_given(argument, NESTING) {
                Given::Nothing | Given::Foreign => {}
                Given::Numbers { .. } if promised != Promise::Nothing => {}
                Given::Numbers { object, size } => written.push((object, size)),
                Given::Unknown if promised == Promise::ConstNumbers => {}
                Given::Unknown => return None,
            }
        }
        Some(written)
    }

    /// True for a number that is read from where a pointer may stand: a union that is passed by value, or one of its members.
    fn is_of_union(&self, value: Value) -> bool {
        let is_load = |value: Value| {
            value.kind() == LLVMValueKind::LLVMInstructionValueKind && value.opcode() == LLVMOpcode::LLVMLoad
        };
        if !is_load(value) || self.module.layout.store_size(value.ty()) < self.module.layout.pointer_bytes().into() {
            return false;
        }
        let place = value.operand(0);
        let ty = match place.kind() {
            LLVMValueKind::LLVMGlobalVariableValueKind => place.value_type(),
            LLVMValueKind::LLVMInstructionValueKind => match place.opcode() {
                LLVMOpcode::LLVMAlloca => place.allocated_type(),
                LLVMOpcode::LLVMGetElementPtr => type_stepped_to(place),
                _ => return false,
            },
            _ => return false,
        };
        self.module.may_hold_pointer(ty)
    }

    /// Where an address leads, as far as the code itself says so.
    fn classify_given(&self, mut argument: Value, nesting: u32) -> Given {
        loop {
            argument = Translator::resolve_alias(argument);
            match argument.kind() {
                LLVMValueKind::LLVMConstantPointerNullValueKind => return Given::Nothing,
                LLVMValueKind::LLVMGlobalVariableValueKind => {
                    let leads_on = self.module.leads_on(argument);
                    if argument.is_constant_global() {
                        return if leads_on { Given::Unknown } else { Given::Nothing };
                    }
                    return match self.module.global_size(argument) {
                        Some(size) if !leads_on => Given::Numbers { object: argument, size },
                        Some(_) | None => Given::Unknown,
                    };
                }
                LLVMValueKind::LLVMInstructionValueKind | LLVMValueKind::LLVMConstantExprValueKind => {}
                _ => return Given::Unknown,
            }
            match argument.opcode() {
                LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast => argument = argument.operand(0),
                LLVMOpcode::LLVMAlloca => {
                    let (ty, count) = (argument.allocated_type(), argument.operand(0));
                    let is_single = count.kind() == LLVMValueKind::LLVMConstantIntValueKind && count.int_value() == 1;
                    if !is_single || self.module.may_hold_address(ty) {
                        return Given::Unknown;
                    }
                    return Given::Numbers { object: argument, size: self.module.layout.alloc_size(ty) };
                }
                _ if nesting > 0 && self.is_foreign(argument, nesting - 1) => return Given::Foreign,
                _ => return Given::Unknown,
            }
        }
    }

    /// True if a pointer is the result of a function without a body that was given nothing of the program's own, or comes from a variable that holds nothing else.
    fn is_foreign(&self, value: Value, nesting: u32) -> bool {
        let leads_nowhere =
            |value: Value| matches!(self.classify_given(value, nesting), Given::Nothing | Given::Foreign);
        match value.opcode() {
            LLVMOpcode::LLVMCall => {
                let is_number = |argument: &Value| {
                    let is_pointer = argument.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
                    !is_pointer && !self.module.may_hold_address(argument.ty()) && !self.is_of_union(*argument)
                };
                is_without_body(value.callee())
                    && value.arguments().iter().all(|argument| is_number(argument) || leads_nowhere(*argument))
            }
            LLVMOpcode::LLVMLoad => kept_values(value.operand(0))
                .is_some_and(|kept| !kept.is_empty() && kept.into_iter().all(leads_nowhere)),
            _ => false,
        }
    }

    fn overwrite(&mut self, written: &[(Value, u64)]) {
        for (object, size) in written {
            let target = self.scalar(*object);
            let size = self.address_constant(*size as i64);
            match self.module.program.function_named(OVERWRITE) {
                Some(overwrite) => self.emit_effect(call(overwrite, vec![target, size])),
                None => {
                    self.emit_effect(Op::Unsupported { what: "the model that overwrites memory is missing".to_owned() })
                }
            }
        }
    }
}

/// How many variables and calls a pointer is followed through.
const NESTING: u32 = 8;

/// True for a function that has neither body nor model.
fn is_without_body(callee: Value) -> bool {
    let is_function = callee.kind() == LLVMValueKind::LLVMFunctionValueKind && callee.is_declaration();
    is_function && callee.intrinsic_name().is_none() && {
        let name = callee.name();
        let is_known = Builtin::from_name(&name).is_some() || is_memory_function(&name) || is_without_model(&name);
        !is_known && !name.starts_with("__")
    }
}

/// Everything that is ever put into a pointer variable whose own address is used for nothing but to read and write it: a local, or a variable of this
/// file that starts as null. A local that was never written holds no address.
fn kept_values(place: Value) -> Option<Vec<Value>> {
    let is_null = |value: Value| value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind;
    let is_local = match place.kind() {
        LLVMValueKind::LLVMInstructionValueKind => place.opcode() == LLVMOpcode::LLVMAlloca,
        LLVMValueKind::LLVMGlobalVariableValueKind => place.is_local() && place.initializer().is_some_and(is_null),
        _ => false,
    };
    let ty = |value: Value| value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
    let mut kept = Vec::new();
    for user in place.users() {
        if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
            return None;
        }
        match user.opcode() {
            LLVMOpcode::LLVMLoad if ty(user) => {}
            LLVMOpcode::LLVMStore if user.operand(0) != place && ty(user.operand(0)) => kept.push(user.operand(0)),
            LLVMOpcode::LLVMCall if belay_scopes::is_call_of(user, "llvm.lifetime") => {}
            _ => return None,
        }
    }
    is_local.then_some(kept)
}

/// True for an integer that is made from an address on the spot.
pub(super) fn is_address(value: Value) -> bool {
    let has_opcode =
        matches!(value.kind(), LLVMValueKind::LLVMInstructionValueKind | LLVMValueKind::LLVMConstantExprValueKind);
    has_opcode && matches!(value.opcode(), LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMPtrToAddr)
}

fn call(function: belay_ir::FuncId, args: Vec<Operand>) -> Op {
    Op::Call { callee: Callee::Direct(function), args, variadic: 0, byval_args: Vec::new(), obligation: None }
}

fn is_union(ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMStructTypeKind && ty.struct_name().is_some_and(|name| name.starts_with("union."))
}

fn is_float(ty: Ty) -> bool {
    matches!(
        ty.kind(),
        LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind | LLVMTypeKind::LLVMX86_FP80TypeKind
    )
}

/// The type of what a step through a struct or an array leads to.
fn type_stepped_to(step: Value) -> Ty {
    let mut ty = step.gep_type();
    for index in (2..step.operand_count()).map(|index| step.operand(index)) {
        if is_union(ty) {
            return ty;
        }
        ty = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind if index.kind() == LLVMValueKind::LLVMConstantIntValueKind => {
                ty.field(index.int_value() as u32)
            }
            LLVMTypeKind::LLVMArrayTypeKind => ty.element(),
            _ => return ty,
        };
    }
    ty
}

/// True if the program makes numbers of addresses for more than to subtract or compare them: then a number may be an address.
pub(super) fn hides_addresses(module: &Module, user_functions: &FxHashSet<String>) -> bool {
    let in_code =
        module.functions().into_iter().filter(|function| user_functions.contains(&function.name())).any(|function| {
            let mut insts = function.blocks().into_iter().flat_map(|block| block.instructions());
            insts.any(|inst| {
                (is_address(inst) && inst.users().into_iter().any(|user| !only_looks(user)))
                    || (0..inst.operand_count()).map(|index| inst.operand(index)).any(holds_constant_address)
            })
        });
    let constants = module.globals().into_iter().filter_map(Value::initializer);
    in_code || constants.into_iter().any(holds_constant_address)
}

/// True for a use of a number that does not hand it on.
fn only_looks(user: Value) -> bool {
    if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
        return false;
    }
    match user.opcode() {
        LLVMOpcode::LLVMSub | LLVMOpcode::LLVMICmp => true,
        // Wide operands of arithmetic checks are passed by address.
        LLVMOpcode::LLVMCall => user.callee().name().starts_with("__ubsan_handle_"),
        _ => false,
    }
}

fn holds_constant_address(value: Value) -> bool {
    match value.kind() {
        LLVMValueKind::LLVMConstantArrayValueKind | LLVMValueKind::LLVMConstantStructValueKind => {
            (0..value.operand_count()).map(|index| value.operand(index)).any(holds_constant_address)
        }
        LLVMValueKind::LLVMConstantExprValueKind => {
            is_address(value)
                || (value.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind
                    && (0..value.operand_count()).map(|index| value.operand(index)).any(holds_constant_address))
        }
        _ => false,
    }
}

/// True if other files can find a variable that has no name there: a constant that they see leads to it, or a variable that they see and the
/// program itself does not use. (What other variables hold is asked of those.)
pub(super) fn shares_statics(module: &Module) -> bool {
    let is_passed_on = |global: Value| global.is_constant_global() || global.users().is_empty();
    let is_root = |global: &Value| {
        let name = global.name();
        let is_own = name.starts_with("llvm.") || name.starts_with("__belay_") || super::is_stream(*global);
        !global.is_local() && !is_own && is_passed_on(*global)
    };
    let mut todo: Vec<Value> = module.globals().into_iter().filter(is_root).collect();
    let mut seen = FxHashSet::default();
    while let Some(value) = todo.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.kind() {
            LLVMValueKind::LLVMGlobalVariableValueKind if value.is_local() && !value.is_constant_global() => {
                return true;
            }
            LLVMValueKind::LLVMGlobalVariableValueKind if is_passed_on(value) => todo.extend(value.initializer()),
            LLVMValueKind::LLVMGlobalAliasValueKind => todo.push(value.aliasee()),
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantExprValueKind => {
                todo.extend((0..value.operand_count()).map(|index| value.operand(index)));
            }
            _ => {}
        }
    }
    false
}

/// What the function is called that overwrites the globals that other files see.
const TOUCH: &str = "__belay_touch_globals";

impl Translator<'_> {
    /// True unless a value of this type is made of numbers only. A union may hold a pointer where LLVM's type has an integer. A variable with a
    /// value to start with need not have the type of its declaration: a union is a struct without a name then. Complex numbers have none either.
    pub(super) fn may_hold_pointer(&self, ty: Ty) -> bool {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
            | LLVMTypeKind::LLVMVoidTypeKind => false,
            LLVMTypeKind::LLVMArrayTypeKind => self.may_hold_pointer(ty.element()),
            LLVMTypeKind::LLVMStructTypeKind if ty.is_sized() => {
                let mut fields = (0..ty.field_count()).map(|index| ty.field(index));
                match ty.struct_name() {
                    Some(_) => is_union(ty) || fields.any(|field| self.may_hold_pointer(field)),
                    None => !fields.all(is_float),
                }
            }
            _ => true,
        }
    }

    /// The same where a number may be an address: one that is as wide then counts as a pointer.
    fn may_hold_address(&self, ty: Ty) -> bool {
        let is_wide = |ty: Ty| {
            ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind && ty.int_width() >= 8 * self.layout.pointer_bytes()
        };
        if !self.hides_addresses {
            return self.may_hold_pointer(ty);
        }
        match ty.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => self.may_hold_address(ty.element()),
            LLVMTypeKind::LLVMStructTypeKind if ty.is_sized() => {
                self.may_hold_pointer(ty) || (0..ty.field_count()).any(|index| self.may_hold_address(ty.field(index)))
            }
            _ => is_wide(ty) || self.may_hold_pointer(ty),
        }
    }

    /// True unless a variable is made of numbers only, by its type or by its declaration, of which that need not tell enough.
    pub(super) fn leads_on(&self, global: Value) -> bool {
        let is_number = !self.hides_addresses && self.debug.holds_numbers(global);
        self.may_hold_address(global.value_type()) && !is_number
    }

    /// A function that says of variables which the system's library defines (`optind`) that others have written them: its manual says what they hold at the start, and no violation rests on
    /// another value, however it is read, until the program has written one.
    pub(super) fn mark_system_variables(&mut self) -> Option<belay_ir::FuncId> {
        let is_open = |global: &belay_ir::Global| global.init.is_none() && is_of_system(&global.name);
        let all = self.program.globals.iter_enumerated();
        let open: Vec<_> = all.filter(|(_, global)| is_open(global)).map(|(id, _)| id).collect();
        if open.is_empty() || self.externs != Externs::Havoc {
            return None;
        }
        let foreign = self.builtin_id("__belay_foreign", Builtin::Foreign, &[Type::Ptr], None);
        let name = "__belay_system_variables";
        let mut function = Function { is_model: true, ..Function::empty(name, FuncKind::Defined) };
        let mark = |global| call(foreign, vec![Operand::Global { global, offset: 0 }]);
        let span = belay_base::Span::NONE;
        let marks =
            open.into_iter().map(|global| function.insts.push(Inst { op: mark(global), ty: None, span })).collect();
        let term = Terminator::Return(Vec::new());
        function.blocks.push(Block { name: "entry".to_owned(), insts: marks, term, term_span: span });
        Some(self.program.functions.push(function))
    }

    /// The function that overwrites all globals of external linkage.
    fn touch_globals(&mut self) -> belay_ir::FuncId {
        if let Some(id) = self.program.function_named(TOUCH) {
            return id;
        }
        let foreign = self.builtin_id("__belay_foreign", Builtin::Foreign, &[Type::Ptr], None);
        let mut function = Function { is_model: true, ..Function::empty(TOUCH, FuncKind::Defined) };
        let inst = |op, ty| Inst { op, ty, span: belay_base::Span::NONE };
        let mut writes = Vec::new();
        let overwrite = self.program.function_named(OVERWRITE);
        for global in self.visible_globals.clone() {
            let target = Operand::Global { global: self.global_id(global), offset: 0 };
            let op = match (overwrite, self.global_size(global), self.program.layout.address_type()) {
                (Some(overwrite), Some(size), Type::Int(width)) => {
                    call(overwrite, vec![target, Operand::int(width, size.into())])
                }
                _ => Op::Unsupported { what: "a global of unknown size that other files see".to_owned() },
            };
            writes.push(function.insts.push(inst(op, None)));
            writes.push(function.insts.push(inst(call(foreign, vec![target]), None)));
        }
        let (name, term, term_span) = ("entry".to_owned(), Terminator::Return(Vec::new()), belay_base::Span::NONE);
        function.blocks.push(Block { name, insts: writes, term, term_span });
        self.program.functions.push(function)
    }
}
