//! `long double` of x86: the bits of the x87's format, and arithmetic on them by models in integers (`models/x87.h`), so that every execution has one
//! exact meaning. Values are integers of 80 bits; the models take them as 128.

use belay_ir::{BinaryOp, Callee, CastOp, FloatPredicate, IntPredicate, Op, Operand, Type};

use super::arithmetic::float_predicate;
use super::function::{FunctionTranslator, Leaves};
use crate::llvm::{Bb, LLVMOpcode, LLVMTypeKind, Module, Ty, Value};

/// The models. They are linked where the program computes with the type.
pub const X87_MODELS: &[&str] = &[
    "__belay_x87_add",
    "__belay_x87_sub",
    "__belay_x87_mul",
    "__belay_x87_div",
    "__belay_x87_order",
    "__belay_x87_to_double",
    "__belay_x87_to_float",
    "__belay_x87_from_double",
    "__belay_x87_from_signed",
    "__belay_x87_from_unsigned",
    "__belay_x87_to_integer",
];

const BITS: Type = Type::Int(80);
const WIDE: Type = Type::Int(128);
const SIGN: u128 = 1 << 79;

pub(super) fn is_x87(ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMX86_FP80TypeKind
}

/// True if an instruction has a `long double` for an operand or a result.
pub fn uses_x87(module: &Module) -> bool {
    let is_one = |inst: Value| {
        let operands = || (0..inst.operand_count()).any(|index| is_x87(inst.operand(index).ty()));
        is_x87(inst.ty()) || operands()
    };
    module.functions().into_iter().flat_map(Value::blocks).flat_map(Bb::instructions).any(is_one)
}

impl FunctionTranslator<'_, '_> {
    /// Arithmetic and comparisons of `long double`.
    pub(super) fn x87_arithmetic(&mut self, inst: Value) -> Leaves {
        use LLVMOpcode::*;
        let lhs = self.scalar(inst.operand(0));
        let name = match inst.opcode() {
            LLVMFNeg => {
                let flip = Op::Binary { op: BinaryOp::Xor, lhs, rhs: Operand::int(80, SIGN) };
                return Leaves::from_elem(self.emit(flip, BITS), 1);
            }
            LLVMFAdd => "__belay_x87_add",
            LLVMFSub => "__belay_x87_sub",
            LLVMFMul => "__belay_x87_mul",
            LLVMFDiv => "__belay_x87_div",
            LLVMFCmp => {
                let rhs = self.scalar(inst.operand(1));
                let compared = self.x87_compare(float_predicate(inst.float_predicate()), lhs, rhs);
                return match compared {
                    Some(result) => Leaves::from_elem(result, 1),
                    None => self.unhandled("long double arithmetic".to_owned(), inst.ty()),
                };
            }
            _ => return self.unhandled("this long double arithmetic".to_owned(), inst.ty()),
        };
        let rhs = self.scalar(inst.operand(1));
        let args = vec![self.x87_wide(lhs), self.x87_wide(rhs)];
        match self.x87_call(name, args, WIDE) {
            Some(wide) => Leaves::from_elem(self.convert(CastOp::Trunc, wide, BITS), 1),
            None => self.unhandled("long double arithmetic".to_owned(), inst.ty()),
        }
    }

    /// Conversions from and to `long double`.
    pub(super) fn x87_cast(&mut self, inst: Value) -> Leaves {
        let value = self.scalar(inst.operand(0));
        let types = self.module.types(inst.ty());
        let result = match types.as_slice() {
            [to] if is_x87(inst.ty()) => self.x87_from(inst.opcode(), value, *to),
            [to] => self.x87_to(inst.opcode(), value, *to),
            _ => None,
        };
        match result {
            Some(result) => Leaves::from_elem(result, 1),
            None => self.unhandled("this conversion of a long double".to_owned(), inst.ty()),
        }
    }

    fn x87_from(&mut self, opcode: LLVMOpcode, value: Operand, _to: Type) -> Option<Operand> {
        let (name, arg) = match (opcode, self.operand_type(value)) {
            (LLVMOpcode::LLVMFPExt, Type::F32) => {
                let double = self.convert(CastOp::FloatToFloat, value, Type::F64);
                ("__belay_x87_from_double", self.convert(CastOp::Bitcast, double, Type::Int(64)))
            }
            (LLVMOpcode::LLVMFPExt, Type::F64) => {
                ("__belay_x87_from_double", self.convert(CastOp::Bitcast, value, Type::Int(64)))
            }
            (LLVMOpcode::LLVMSIToFP, Type::Int(64)) => ("__belay_x87_from_signed", value),
            (LLVMOpcode::LLVMUIToFP, Type::Int(64)) => ("__belay_x87_from_unsigned", value),
            (LLVMOpcode::LLVMSIToFP, Type::Int(0..64)) => {
                ("__belay_x87_from_signed", self.convert(CastOp::SExt, value, Type::Int(64)))
            }
            (LLVMOpcode::LLVMUIToFP, Type::Int(0..64)) => {
                ("__belay_x87_from_unsigned", self.convert(CastOp::ZExt, value, Type::Int(64)))
            }
            (_, Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr) => return None,
        };
        let wide = self.x87_call(name, vec![arg], WIDE)?;
        Some(self.convert(CastOp::Trunc, wide, BITS))
    }

    fn x87_to(&mut self, opcode: LLVMOpcode, value: Operand, to: Type) -> Option<Operand> {
        let wide = self.x87_wide(value);
        match (opcode, to) {
            (LLVMOpcode::LLVMFPTrunc, Type::F64) => {
                let bits = self.x87_call("__belay_x87_to_double", vec![wide], Type::Int(64))?;
                Some(self.convert(CastOp::Bitcast, bits, to))
            }
            (LLVMOpcode::LLVMFPTrunc, Type::F32) => {
                let bits = self.x87_call("__belay_x87_to_float", vec![wide], Type::Int(32))?;
                Some(self.convert(CastOp::Bitcast, bits, to))
            }
            (LLVMOpcode::LLVMFPToSI | LLVMOpcode::LLVMFPToUI, Type::Int(width @ 2..=64)) => {
                let half = 1u128 << (width - 1);
                let (most, least) = match opcode {
                    LLVMOpcode::LLVMFPToSI => (half - 1, half),
                    _ => (half - 1 + half, 0),
                };
                let args = vec![wide, Operand::int(64, most), Operand::int(64, least)];
                let whole = self.x87_call("__belay_x87_to_integer", args, Type::Int(64))?;
                Some(if width == 64 { whole } else { self.convert(CastOp::Trunc, whole, to) })
            }
            (_, Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr) => None,
        }
    }

    /// `fabs` and `copysign`, which only touch the sign.
    pub(super) fn x87_intrinsic(&mut self, base: &str, args: &[Operand]) -> Option<Operand> {
        let rest = |this: &mut Self, value| {
            this.emit(Op::Binary { op: BinaryOp::And, lhs: value, rhs: Operand::int(80, SIGN - 1) }, BITS)
        };
        match (base.trim_end_matches(".f80"), args) {
            ("fabs", [value]) => Some(rest(self, *value)),
            ("copysign", [value, sign]) => {
                let magnitude = rest(self, *value);
                let sign = Op::Binary { op: BinaryOp::And, lhs: *sign, rhs: Operand::int(80, SIGN) };
                let sign = self.emit(sign, BITS);
                Some(self.emit(Op::Binary { op: BinaryOp::Or, lhs: magnitude, rhs: sign }, BITS))
            }
            _ => None,
        }
    }

    /// One of the outcomes less (-1), equal (0), greater (1) and unordered (2).
    fn x87_compare(&mut self, predicate: FloatPredicate, lhs: Operand, rhs: Operand) -> Option<Operand> {
        const LESS: u128 = u32::MAX as u128;
        let outcomes: &[u128] = match predicate {
            FloatPredicate::False => &[],
            FloatPredicate::Oeq => &[0],
            FloatPredicate::Ogt => &[1],
            FloatPredicate::Oge => &[0, 1],
            FloatPredicate::Olt => &[LESS],
            FloatPredicate::Ole => &[LESS, 0],
            FloatPredicate::One => &[LESS, 1],
            FloatPredicate::Ord => &[LESS, 0, 1],
            FloatPredicate::Uno => &[2],
            FloatPredicate::Ueq => &[0, 2],
            FloatPredicate::Ugt => &[1, 2],
            FloatPredicate::Uge => &[0, 1, 2],
            FloatPredicate::Ult => &[LESS, 2],
            FloatPredicate::Ule => &[LESS, 0, 2],
            FloatPredicate::Une => &[LESS, 1, 2],
            FloatPredicate::True => return Some(Operand::bool(true)),
        };
        let args = vec![self.x87_wide(lhs), self.x87_wide(rhs)];
        let order = self.x87_call("__belay_x87_order", args, Type::Int(32))?;
        let mut result = Operand::bool(false);
        for outcome in outcomes {
            let is_it = Op::Compare { op: IntPredicate::Eq, lhs: order, rhs: Operand::int(32, *outcome) };
            let is_it = self.emit(is_it, Type::BOOL);
            result = self.emit(Op::Binary { op: BinaryOp::Or, lhs: result, rhs: is_it }, Type::BOOL);
        }
        Some(result)
    }

    fn x87_wide(&mut self, value: Operand) -> Operand {
        match value {
            Operand::Int { value, .. } => Operand::int(128, value),
            _ => self.convert(CastOp::ZExt, value, WIDE),
        }
    }

    /// A call of a model; `None` where there is none, as on 32 bits.
    fn x87_call(&mut self, name: &str, args: Vec<Operand>, ty: Type) -> Option<Operand> {
        let id = self.module.program.function_named(name)?;
        let fits = self.module.program.functions[id].params.len() == args.len()
            && self.module.program.functions[id].params.iter().zip(&args).all(|(p, a)| p.ty == self.operand_type(*a));
        if !fits {
            return None;
        }
        if self.module.nearest.is_some() {
            self.require_nearest(Operand::int(32, 0));
        }
        let callee = Callee::Direct(id);
        Some(self.emit(Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None }, ty))
    }
}
