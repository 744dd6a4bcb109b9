//! Calls of functions that no declaration in sight describes: C before C99 takes such a function for one that returns `int` and takes what it is given.
//!
//! C leaves open what such a call does unless the definition has just this type (C17 6.5.2.2p9). On the machine, arguments and results are found where they were left, which is
//! what [`belay_ir`]'s reading of called types goes by; here it is carried on to numbers that are wider than expected. In the calling convention of 64-bit
//! systems each argument has a register or a slot of eight bytes of its own, least significant byte first, and a result is in one register: so a function that expects a narrower number finds the low
//! bits of the one that was passed, and a caller that expects `int` finds the low bits of the result. (CBMC's linker converts the values, which gives the same.)
//!
//! Numbers that are narrower than expected are left alone: what is in the other bits is not said, and the call stays one *with another type than it has*. So is a call with
//! arguments that are neither numbers nor pointers, one through a prototype, and one on 32 bits, where a wider argument takes the place of the next.

use belay_ir::{Callee, CastOp, Op, Operand, Type};

use super::function::{FunctionTranslator, Leaves};
use crate::llvm::Value;

impl FunctionTranslator<'_, '_> {
    /// The call with the types that the definition has, where they differ from those of the call in the width of numbers only.
    pub(super) fn undeclared_call(&mut self, callee: Value, inst: Value) -> Option<Leaves> {
        let (called, defined) = (inst.call_type(), callee.value_type());
        let is_wide = self.module.program.layout.pointer_bytes() == 8;
        let has_prototype =
            !called.is_variadic() || defined.is_variadic() || called.params().len() != inst.arguments().len();
        if callee.is_declaration() || !is_wide || has_prototype {
            return None;
        }
        let expected: Vec<Type> = defined.params().into_iter().map(|ty| self.one_type(ty)).collect::<Option<_>>()?;
        let passed: Vec<Type> =
            inst.arguments().into_iter().map(|argument| self.one_type(argument.ty())).collect::<Option<_>>()?;
        let result = self.one_type(defined.return_type());
        let wanted = self.one_type(inst.ty())?;
        let narrows = result.is_some_and(|result| is_narrowed(result, wanted));
        let fits = |(passed, expected): (&Type, &Type)| passed == expected || is_narrowed(*passed, *expected);
        let is_unused = inst.users().is_empty();
        let has_result = narrows || is_unused || result == Some(wanted);
        if expected.len() > passed.len() || !passed.iter().zip(&expected).all(fits) || !has_result {
            return None;
        }
        let args: Vec<Operand> = inst.arguments().into_iter().map(|argument| self.scalar(argument)).collect();
        let args = args.into_iter().zip(&expected).map(|(value, ty)| self.narrowed(value, *ty)).collect();
        let id = self.module.function_id(callee);
        let op = Op::Call { callee: Callee::Direct(id), args, variadic: 0, byval_args: Vec::new(), obligation: None };
        let Some(result) = result else {
            self.emit_effect(op);
            return Some(Leaves::from_elem(Operand::Undef(wanted), 1));
        };
        let value = self.emit(op, result);
        let value = if result == wanted || narrows { self.narrowed(value, wanted) } else { Operand::Undef(wanted) };
        Some(Leaves::from_elem(value, 1))
    }

    /// The type of a number or a pointer.
    fn one_type(&self, ty: crate::llvm::Ty) -> Option<Type> {
        match self.module.types(ty).as_slice() {
            [one @ (Type::Int(..=64) | Type::Ptr)] => Some(*one),
            _ => None,
        }
    }

    fn narrowed(&mut self, value: Operand, ty: Type) -> Operand {
        if self.operand_type(value) == ty { value } else { self.convert(CastOp::Trunc, value, ty) }
    }
}

fn is_narrowed(from: Type, to: Type) -> bool {
    matches!((from, to), (Type::Int(from), Type::Int(to)) if from > to)
}
