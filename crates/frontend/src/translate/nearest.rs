//! The rounding direction, in programs that call `fesetround`.
//!
//! Float operations of the program form round to nearest. Where a program may choose another direction, each operation whose result
//! depends on it is preceded by a call of a model that refuses to go on if another one was chosen; so a proof covers no run that rounds otherwise,
//! and no run that does so is reported. What the compiler has folded was rounded by it, to nearest, as C has it without `FENV_ACCESS`.

use belay_ir::{
    BinaryOp, Builtin, Callee, CastOp, FloatBinaryOp, FloatUnaryOp, FuncKind, IntPredicate, Op, Operand, Type,
};

use super::function::FunctionTranslator;

/// The bits of a significand.
fn digits(ty: Type) -> Option<u16> {
    match ty {
        Type::F32 => Some(24),
        Type::F64 => Some(53),
        Type::Int(_) | Type::Ptr => None,
    }
}

impl FunctionTranslator<'_, '_> {
    /// Before an operation: that it is not rounded in another direction than to nearest.
    pub(super) fn check_direction(&mut self, op: &Op, ty: Option<Type>) {
        if self.module.nearest.is_none() {
            return;
        }
        let rounds = Operand::int(32, 0);
        match op {
            Op::FloatBinary { op, .. } => match op {
                FloatBinaryOp::Add | FloatBinaryOp::Sub | FloatBinaryOp::Mul | FloatBinaryOp::Div => {
                    self.require_nearest(rounds);
                }
                FloatBinaryOp::Rem | FloatBinaryOp::CopySign | FloatBinaryOp::Min | FloatBinaryOp::Max => {}
            },
            Op::FloatUnary { op: FloatUnaryOp::Sqrt, .. } | Op::FloatFma { .. } => self.require_nearest(rounds),
            Op::Cast { op: CastOp::FloatToFloat, value } => {
                if self.operand_type(*value) == Type::F64 && ty == Some(Type::F32) {
                    self.require_nearest(rounds);
                }
            }
            Op::Cast { op: op @ (CastOp::SignedToFloat | CastOp::UnsignedToFloat), value } => {
                self.check_integer(*value, *op == CastOp::SignedToFloat, ty);
            }
            Op::Call { callee: Callee::Direct(callee), .. } => {
                let kind = &self.module.program.functions[*callee].kind;
                if let FuncKind::Builtin(Builtin::Sqrt | Builtin::Sqrtf | Builtin::Approximate) = kind {
                    self.require_nearest(rounds);
                }
            }
            Op::FloatUnary { .. }
            | Op::Cast { .. }
            | Op::Call { .. }
            | Op::Binary { .. }
            | Op::Overflows { .. }
            | Op::Unary { .. }
            | Op::Compare { .. }
            | Op::FloatCompare { .. }
            | Op::PtrAdd { .. }
            | Op::Select { .. }
            | Op::Phi { .. }
            | Op::Arbitrary { .. }
            | Op::Freeze { .. }
            | Op::Alloca { .. }
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Extract { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    /// An integer that is no larger than the significand is converted exactly.
    fn check_integer(&mut self, value: Operand, signed: bool, ty: Option<Type>) {
        let (Type::Int(width), Some(digits)) = (self.operand_type(value), ty.and_then(digits)) else { return };
        if width <= digits {
            return;
        }
        // The bounds below would not fit.
        if width <= digits + 2 {
            return self.require_nearest(Operand::int(32, 0));
        }
        let number = |value: u128| Operand::int(width, value);
        let int = Type::Int(width);
        let (shifted, most) = match signed {
            true => {
                let lhs = value;
                let shifted = self.emit(Op::Binary { op: BinaryOp::Add, lhs, rhs: number(1 << digits) }, int);
                (shifted, 1 << (digits + 1))
            }
            false => (value, 1 << digits),
        };
        let small = self.emit(Op::Compare { op: IntPredicate::Ule, lhs: shifted, rhs: number(most) }, Type::BOOL);
        let exact = self.convert(CastOp::ZExt, small, Type::Int(32));
        self.require_nearest(exact);
    }

    /// A call of the model; the argument says that nothing is rounded.
    pub(super) fn require_nearest(&mut self, exact: Operand) {
        let Some(nearest) = self.module.nearest else { return };
        let callee = Callee::Direct(nearest);
        self.emit_effect(Op::Call { callee, args: vec![exact], variadic: 0, byval_args: Vec::new(), obligation: None });
    }
}
