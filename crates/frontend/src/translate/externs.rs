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
//!   a pointer that such a function writes is one of which nothing is known. The same for addresses of functions, which may be called.
//!
//! Taken for granted, and said with the verdict: the function returns (unless it is declared not to), frees nothing, writes nothing through a pointer to
//! const, keeps no pointer that it is given, and calls no function of the program.

use belay_ir::{Block, Builtin, Callee, Externs, FuncKind, Function, Inst, Op, Operand, Terminator, Type};

use super::Translator;
use super::function::{FunctionTranslator, Leaves};
use crate::llvm::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Ty, Value};
use crate::models::OVERWRITE;

/// What an argument leads to.
enum Given {
    /// Nothing that could be written.
    Nothing,
    /// An object that holds no pointers.
    Numbers { object: Value, size: u64 },
    /// Something else.
    Unknown,
}

impl FunctionTranslator<'_, '_> {
    /// A call of a function that has neither body nor model.
    pub(super) fn extern_call(&mut self, callee: Value, inst: Value) -> Leaves {
        let name = callee.name();
        let refused = |why: &str| format!("call of {name}, which has no body{why}");
        match self.module.externs {
            Externs::Pure => {}
            Externs::Refuse => return self.unsupported(refused(""), inst.ty()),
            Externs::Havoc => {
                let Some(written) = self.written_by(callee, inst) else {
                    return self
                        .unsupported(refused(": where a pointer that it is given leads is not known"), inst.ty());
                };
                let globals = self.module.visible_globals.clone();
                if globals.iter().any(|global| self.module.may_hold_pointer(global.value_type())) {
                    return self.unsupported(refused(" and may change a pointer in a global"), inst.ty());
                }
                let id = self.module.function_id(callee);
                let result = self.emit_call(inst, Callee::Direct(id), None);
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

    /// The objects that a call may write to; none if that is not known.
    fn written_by(&self, callee: Value, inst: Value) -> Option<Vec<(Value, u64)>> {
        let mut written = Vec::new();
        for (index, argument) in inst.arguments().into_iter().enumerate() {
            if let Some(object) = inst.byval_argument(index as u32) {
                if self.module.may_hold_pointer(object) {
                    return None;
                }
                continue;
            }
            if argument.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind {
                if self.module.may_hold_pointer(argument.ty()) || is_address(argument) {
                    return None;
                }
                continue;
            }
            if self.module.debug.points_to_const(callee, index) {
                continue;
            }
            match self.given(argument) {
                Given::Nothing => {}
                Given::Numbers { object, size } => written.push((object, size)),
                Given::Unknown => return None,
            }
        }
        Some(written)
    }

    /// Where an address leads, as far as the code itself says so.
    fn given(&self, mut argument: Value) -> Given {
        loop {
            argument = Translator::resolve_alias(argument);
            match argument.kind() {
                LLVMValueKind::LLVMConstantPointerNullValueKind => return Given::Nothing,
                LLVMValueKind::LLVMGlobalVariableValueKind => {
                    let ty = argument.value_type();
                    if argument.is_constant_global() {
                        return if self.module.may_hold_pointer(ty) { Given::Unknown } else { Given::Nothing };
                    }
                    return match self.module.global_size(argument) {
                        Some(size) if !self.module.may_hold_pointer(ty) => Given::Numbers { object: argument, size },
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
                    if !is_single || self.module.may_hold_pointer(ty) {
                        return Given::Unknown;
                    }
                    return Given::Numbers { object: argument, size: self.module.layout.alloc_size(ty) };
                }
                _ => return Given::Unknown,
            }
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

/// True for an integer that is made from an address on the spot.
fn is_address(value: Value) -> bool {
    let has_opcode =
        matches!(value.kind(), LLVMValueKind::LLVMInstructionValueKind | LLVMValueKind::LLVMConstantExprValueKind);
    has_opcode && matches!(value.opcode(), LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMPtrToAddr)
}

fn call(function: belay_ir::FuncId, args: Vec<Operand>) -> Op {
    Op::Call { callee: Callee::Direct(function), args, variadic: 0, byval_args: Vec::new(), obligation: None }
}

/// What the function is called that overwrites the globals that other files see.
const TOUCH: &str = "__belay_touch_globals";

impl Translator<'_> {
    /// True unless a value of this type is made of numbers only. A union may hold a pointer where LLVM's type has an integer.
    pub(super) fn may_hold_pointer(&self, ty: Ty) -> bool {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
            | LLVMTypeKind::LLVMVoidTypeKind => false,
            LLVMTypeKind::LLVMArrayTypeKind => self.may_hold_pointer(ty.element()),
            LLVMTypeKind::LLVMStructTypeKind if ty.is_sized() => {
                ty.struct_name().is_some_and(|name| name.starts_with("union."))
                    || (0..ty.field_count()).any(|index| self.may_hold_pointer(ty.field(index)))
            }
            _ => true,
        }
    }

    /// The function that overwrites all globals of external linkage.
    fn touch_globals(&mut self) -> belay_ir::FuncId {
        if let Some(id) = self.program.function_named(TOUCH) {
            return id;
        }
        let foreign = self.builtin_id("__belay_foreign", Builtin::Foreign, &[Type::Ptr], None);
        let mut function = Function {
            name: TOUCH.to_owned(),
            kind: FuncKind::Defined,
            is_model: true,
            mark: Default::default(),
            params: Vec::new(),
            variadic: false,
            results: Vec::new(),
            blocks: Default::default(),
            insts: Default::default(),
            locals: Vec::new(),
            value_names: Vec::new(),
            span: belay_base::Span::NONE,
        };
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
