//! Names of other verifiers. What begins with `__CPROVER_`, `__ESBMC_` or `__llbmc_` is never an ordinary function without a body: its
//! purpose is to say something to a verifier, so that reading it as a function that changes nothing is never right. It is one of
//! the built-in functions, it is translated here, or it is refused by its name.
//!
//! `__CPROVER_havoc_object(p)` writes arbitrary bytes to the whole object that `p` points into, `__CPROVER_havoc_slice(p, n)` to `n` bytes from
//! `p` on; both by the model that all input goes through. `__CPROVER_same_object` is true of two null pointers as well. Inputs
//! and outputs only name what CBMC shows in a trace. The number of an object (`__CPROVER_POINTER_OBJECT`) means nothing but which objects are the same: it is handled where
//! two of them are compared on the spot, as `__CPROVER_same_object`, and refused elsewhere. `__CPROVER_uninterpreted_…` is a function of its arguments
//! of which nothing else is known, by a model that remembers its results.

use belay_ir::{BinaryOp, Builtin, Callee, CastOp, IntPredicate, Op, Operand, Type};

use super::Translator;
use super::function::{FunctionTranslator, Leaves};
use crate::llvm::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Ty, Value};
use crate::models::{FILL, UNINTERPRETED};

/// True for a name that speaks to a verifier.
pub fn speaks_to_verifier(name: &str) -> bool {
    ["__CPROVER_", "__ESBMC_", "__llbmc_"].iter().any(|prefix| name.starts_with(prefix))
}

/// True for what is translated to a call of the model that fills memory.
pub fn fills_memory(name: &str) -> bool {
    matches!(name, "__CPROVER_havoc_object" | "__CPROVER_havoc_slice" | "__VERIFIER_nondet_memory")
}

/// True for a call of a function of inputs that is given a place, other than that of its result: what it writes there nobody says.
pub(super) fn is_given_place(callee: Value, inst: Value) -> bool {
    let own = usize::from(callee.has_struct_return());
    let is_place = |argument: Value| argument.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind;
    Builtin::from_name(&callee.name()) == Some(Builtin::Nondet) && inst.arguments().into_iter().skip(own).any(is_place)
}

/// True for a function of which nothing is known but that it is one.
pub fn is_uninterpreted(name: &str) -> bool {
    name.starts_with("__CPROVER_uninterpreted_")
}

const OBJECT_NUMBER: &str = "__CPROVER_POINTER_OBJECT";

/// The pointer whose object's number `value` is.
fn numbered_object(value: Value) -> Option<Value> {
    let is_call = value.kind() == LLVMValueKind::LLVMInstructionValueKind && value.opcode() == LLVMOpcode::LLVMCall;
    let callee = is_call.then(|| value.callee())?;
    let is_number = callee.kind() == LLVMValueKind::LLVMFunctionValueKind && callee.is_declaration();
    (is_number && callee.name() == OBJECT_NUMBER).then(|| value.arguments().first().copied())?
}

/// The pointers whose objects a comparison is about, and whether it asks if they are the same.
fn compared_objects(inst: Value) -> Option<(Value, Value, bool)> {
    if inst.kind() != LLVMValueKind::LLVMInstructionValueKind || inst.opcode() != LLVMOpcode::LLVMICmp {
        return None;
    }
    let same = match inst.int_predicate() {
        LLVMIntPredicate::LLVMIntEQ => true,
        LLVMIntPredicate::LLVMIntNE => false,
        _ => return None,
    };
    Some((numbered_object(inst.operand(0))?, numbered_object(inst.operand(1))?, same))
}

/// How the reason ends for which a call is refused by name; who reads the answers of another run of Belay knows it by this.
pub const NO_MODEL: &str = "of which there is no model";

impl FunctionTranslator<'_, '_> {
    /// A call of a function of the library, or of a verifier's, that is refused by its name.
    pub(super) fn without_model(&mut self, name: &str, ty: Ty) -> Leaves {
        self.unsupported(format!("call of {name}, {NO_MODEL}"), ty)
    }

    /// A comparison of the numbers of two objects, if the instruction is one.
    pub(super) fn object_comparison(&mut self, inst: Value) -> Option<Operand> {
        let (p, q, asks_same) = compared_objects(inst)?;
        let (p, q) = (self.scalar(p), self.scalar(q));
        let same = self.same_object(p, q);
        if asks_same {
            return Some(same);
        }
        Some(self.emit(Op::Compare { op: IntPredicate::Eq, lhs: same, rhs: Operand::int(1, 0) }, Type::BOOL))
    }

    /// A call of a function of which nothing is known.
    fn uninterpreted(&mut self, name: &str, args: &[Operand], inst: Value) -> Leaves {
        let wide = Type::Int(64);
        let address = self.module.program.layout.address_type();
        let (model, returned) = (self.module.program.function_named(UNINTERPRETED), self.module.types(inst.ty()));
        let (Some(model), [Type::Int(width @ 1..=64)], 0..=3) = (model, returned.as_slice(), args.len()) else {
            return self.unsupported(format!("call of {name} with unusual arguments"), inst.ty());
        };
        let mut given = vec![Operand::int(32, u128::from(self.module.uninterpreted_number(name)))];
        for arg in args {
            let number = match self.operand_type(*arg) {
                Type::Ptr => self.convert(CastOp::PtrToInt, *arg, address),
                Type::Int(1..=64) => *arg,
                Type::Int(_) | Type::F32 | Type::F64 => {
                    return self.unsupported(format!("call of {name} with unusual arguments"), inst.ty());
                }
            };
            let is_wide = self.operand_type(number) == wide;
            given.push(if is_wide { number } else { self.convert(CastOp::ZExt, number, wide) });
        }
        given.resize(4, Operand::int(64, 0));
        let callee = Callee::Direct(model);
        let call = Op::Call { callee, args: given, variadic: 0, byval_args: Vec::new(), obligation: None };
        let result = self.emit(call, wide);
        let result = if *width == 64 { result } else { self.convert(CastOp::Trunc, result, Type::Int(*width)) };
        Leaves::from_elem(result, 1)
    }

    /// A call of a function that speaks to a verifier, without a body.
    pub(super) fn verifier_call(&mut self, callee: Value, inst: Value) -> Leaves {
        let name = callee.name();
        let args: Vec<Operand> = inst.arguments().into_iter().flat_map(|argument| self.leaves(argument)).collect();
        let types: Vec<Type> = args.iter().map(|arg| self.operand_type(*arg)).collect();
        let address = self.module.program.layout.address_type();
        let refused = || format!("call of {name} with unusual arguments");
        let returned = self.module.types(inst.ty());
        let is_number = matches!(returned.as_slice(), [Type::Int(_)]);
        let is_size = matches!(returned.as_slice(), [ty] if *ty == address);
        match (name.as_str(), types.as_slice()) {
            ("__CPROVER_input" | "__CPROVER_output" | "__CPROVER_cover", _) if returned.is_empty() => Leaves::new(),
            ("__CPROVER_havoc_object", [Type::Ptr]) => self.havoc_object(args[0]),
            ("__CPROVER_havoc_slice" | "__VERIFIER_nondet_memory", [Type::Ptr, size]) if *size == address => {
                self.fill(args[0], args[1])
            }
            ("__CPROVER_same_object", [Type::Ptr, Type::Ptr]) if is_number => {
                let same = self.same_object(args[0], args[1]);
                let same = if returned[0] == Type::BOOL { same } else { self.convert(CastOp::ZExt, same, returned[0]) };
                Leaves::from_elem(same, 1)
            }
            ("__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", [Type::Ptr, size])
                if is_number && *size == address =>
            {
                self.ask(callee, args, returned[0])
            }
            ("__CPROVER_OBJECT_SIZE" | "__CPROVER_POINTER_OFFSET", [Type::Ptr]) if is_size => {
                self.ask(callee, args, returned[0])
            }
            ("__CPROVER_DYNAMIC_OBJECT", [Type::Ptr]) if is_number => self.ask(callee, args, returned[0]),
            (OBJECT_NUMBER, [Type::Ptr])
                if is_size && inst.users().into_iter().all(|user| compared_objects(user).is_some()) =>
            {
                Leaves::from_elem(self.address_constant(0), 1)
            }
            (_, _) if is_uninterpreted(&name) => self.uninterpreted(&name, &args, inst),
            (_, _) if Builtin::from_name(&name).is_some() || fills_memory(&name) => {
                self.unsupported(refused(), inst.ty())
            }
            (_, _) => self.without_model(&name, inst.ty()),
        }
    }

    fn ask(&mut self, callee: Value, args: Vec<Operand>, ty: Type) -> Leaves {
        let callee = Callee::Direct(self.module.function_id(callee));
        let call = Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None };
        Leaves::from_elem(self.emit(call, ty), 1)
    }

    fn ask_builtin(&mut self, name: &str, builtin: Builtin, args: Vec<Operand>, ty: Type) -> Operand {
        let params: Vec<Type> = args.iter().map(|arg| self.operand_type(*arg)).collect();
        let callee = Callee::Direct(self.module.builtin_id(name, builtin, &params, Some(ty)));
        self.emit(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None }, ty)
    }

    fn same_object(&mut self, p: Operand, q: Operand) -> Operand {
        let i32 = Type::Int(32);
        let same = self.ask_builtin("__belay_same_object", Builtin::SameObject, vec![p, q], i32);
        let same = self.emit(Op::Compare { op: IntPredicate::Ne, lhs: same, rhs: Operand::int(32, 0) }, Type::BOOL);
        let null =
            |this: &mut Self, lhs| this.emit(Op::Compare { op: IntPredicate::Eq, lhs, rhs: Operand::Null }, Type::BOOL);
        let (lhs, rhs) = (null(self, p), null(self, q));
        let both = self.emit(Op::Binary { op: BinaryOp::And, lhs, rhs }, Type::BOOL);
        self.emit(Op::Binary { op: BinaryOp::Or, lhs: same, rhs: both }, Type::BOOL)
    }

    fn havoc_object(&mut self, pointer: Operand) -> Leaves {
        let address = self.module.program.layout.address_type();
        let Type::Int(width) = address else { return Leaves::new() };
        let offset = self.ask_builtin("__CPROVER_POINTER_OFFSET", Builtin::PointerOffset, vec![pointer], address);
        let size = self.ask_builtin("__CPROVER_OBJECT_SIZE", Builtin::WholeSize, vec![pointer], address);
        let back = Op::Binary { op: BinaryOp::Sub, lhs: Operand::int(width, 0), rhs: offset };
        let back = self.emit(back, address);
        let start = self.emit(Op::PtrAdd { base: pointer, offset: back }, Type::Ptr);
        self.fill(start, size)
    }

    fn fill(&mut self, start: Operand, size: Operand) -> Leaves {
        let Some(fill) = self.module.program.function_named(FILL) else {
            self.emit_effect(Op::Unsupported { what: "the model that fills memory is missing".to_owned() });
            return Leaves::new();
        };
        let args = vec![start, size];
        let callee = Callee::Direct(fill);
        self.emit_effect(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None });
        Leaves::new()
    }
}

impl Translator<'_> {
    /// A number that stands for an uninterpreted function.
    fn uninterpreted_number(&mut self, name: &str) -> u32 {
        let known = self.uninterpreted.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.uninterpreted.push(name.to_owned());
            self.uninterpreted.len() - 1
        });
        at as u32
    }
}
