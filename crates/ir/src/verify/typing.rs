//! The types and obligations that each instruction must have.

use crate::inst::{Callee, Inst, Op};
use crate::obligation::{ObligationId, Property};
use crate::operator::CastOp;
use crate::ops;
use crate::program::{FuncId, FuncKind, Function, Operand, Program};
use crate::types::Type;

use super::{Finding, require};

/// Checks the operands' types, the result's type and the obligations of one instruction.
pub(super) fn check(program: &Program, id: FuncId, inst: &Inst) -> Finding {
    Typing { program, id, function: &program.functions[id], result: inst.ty }.check(&inst.op)
}

struct Typing<'a> {
    program: &'a Program,
    id: FuncId,
    function: &'a Function,
    result: Option<Type>,
}

impl Typing<'_> {
    fn check(&self, op: &Op) -> Finding {
        match op {
            Op::Binary { lhs, rhs, .. } => self.gives(Some(self.both_ints(lhs, rhs)?)),
            Op::Overflows { lhs, rhs, .. } => self.both_ints(lhs, rhs).and_then(|_| self.gives(Some(Type::BOOL))),
            Op::Unary { value, .. } => self.gives(Some(self.int(value)?)),
            Op::Compare { lhs, rhs, .. } => self.check_compare(lhs, rhs),
            Op::FloatBinary { lhs, rhs, .. } => self.gives(Some(self.all_floats(&[lhs, rhs])?)),
            Op::FloatUnary { value, .. } => self.gives(Some(self.all_floats(&[value])?)),
            Op::FloatFma { a, b, c } => self.gives(Some(self.all_floats(&[a, b, c])?)),
            Op::FloatCompare { lhs, rhs, .. } => {
                self.all_floats(&[lhs, rhs]).and_then(|_| self.gives(Some(Type::BOOL)))
            }
            Op::Cast { op, value } => self.check_cast(*op, self.ty(value)?),
            Op::PtrAdd { base, offset } => {
                self.is(base, Type::Ptr)?;
                self.is(offset, self.program.layout.address_type())?;
                self.gives(Some(Type::Ptr))
            }
            Op::Select { cond, then, otherwise } => {
                self.is(cond, Type::BOOL)?;
                self.is(otherwise, self.ty(then)?)?;
                self.gives(Some(self.ty(then)?))
            }
            Op::Phi { incoming } => incoming.iter().try_for_each(|(_, value)| self.gives(Some(self.ty(value)?))),
            Op::Arbitrary { .. } | Op::Extract { .. } => self.gives_something(),
            Op::Freeze { value } => self.gives(Some(self.ty(value)?)),
            Op::Alloca { size, .. } => {
                self.is(size, self.program.layout.address_type())?;
                self.gives(Some(Type::Ptr))
            }
            Op::LifetimeStart { .. } | Op::LifetimeEnd { .. } | Op::Unsupported { .. } => self.gives(None),
            Op::StackSave => self.gives(Some(Type::Ptr)),
            Op::StackRestore { mark } => self.is(mark, Type::Ptr).and_then(|()| self.gives(None)),
            ops!(accesses) | ops!(variadic) => self.check_memory(op),
            Op::Call { callee, args, variadic, byval_args, obligation } => {
                let byval = byval_args.iter().all(|(index, ..)| (*index as usize) < args.len());
                require(byval, || "a struct passed by value is no argument".into())?;
                self.check_call(callee, args, *variadic, *obligation)
            }
            Op::Check { cond, obligation } => {
                self.is(cond, Type::BOOL)?;
                self.gives(None)?;
                self.check_checked(*obligation)
            }
        }
    }

    fn check_memory(&self, op: &Op) -> Finding {
        if let Some(obligation) = op.obligations().first() {
            self.carries(*obligation, Property::ValidDeref)?;
        }
        match op {
            Op::Load { ptr, .. } => self.is(ptr, Type::Ptr).and_then(|()| self.gives_something()),
            Op::Store { ptr, value, .. } => self.nothing_from(&[ptr]).and_then(|()| self.ty(value).map(|_| ())),
            Op::MemCopy { dst, src, len, .. } => {
                self.nothing_from(&[dst, src]).and_then(|()| self.int(len).map(|_| ()))
            }
            Op::MemSet { dst, byte, len, .. } => {
                self.nothing_from(&[dst])?;
                self.is(byte, Type::BYTE)?;
                self.int(len).map(|_| ())
            }
            Op::VaStart { list, .. } | Op::VaEnd { list } => self.nothing_from(&[list]),
            Op::VaCopy { dst, src, .. } => self.nothing_from(&[dst, src]),
            ops!(values)
            | ops!(lives)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => Ok(()),
        }
    }

    /// Arguments need not fit the callee's parameters: C allows the call, and its meaning is decided when it runs.
    fn check_call(
        &self,
        callee: &Callee,
        args: &[Operand],
        variadic: u32,
        obligation: Option<ObligationId>,
    ) -> Finding {
        args.iter().try_for_each(|arg| self.ty(arg).map(|_| ()))?;
        require(variadic as usize <= args.len(), || "more variadic arguments than arguments".into())?;
        let at_stake = match callee {
            Callee::Indirect(target, own) => {
                self.is(target, Type::Ptr)?;
                self.carries(*own, Property::ValidDeref)?;
                None
            }
            Callee::Direct(id) => {
                let target = self.program.functions.get(*id).ok_or_else(|| format!("{id} does not exist"))?;
                match target.kind {
                    FuncKind::Builtin(builtin) => builtin.property(),
                    FuncKind::Defined | FuncKind::Extern => None,
                }
            }
        };
        match (at_stake, obligation) {
            (None, None) => Ok(()),
            (Some(property), Some(obligation)) => self.carries(obligation, property),
            (Some(property), None) => Err(format!("the call lacks its obligation of {property}")),
            // Structs passed by value are copied, whoever is called.
            (None, Some(obligation)) => self.carries(obligation, Property::ValidDeref),
        }
    }

    fn check_compare(&self, lhs: &Operand, rhs: &Operand) -> Finding {
        let ty = self.ty(lhs)?;
        require(ty == Type::Ptr || ty.int_width().is_some(), || format!("{ty} is compared as an integer"))?;
        self.is(rhs, ty)?;
        self.gives(Some(Type::BOOL))
    }

    fn check_cast(&self, op: CastOp, from: Type) -> Finding {
        let to = self.result.ok_or("the conversion gives nothing")?;
        let (from_width, to_width) = (from.int_width(), to.int_width());
        let (from_float, to_float) = (is_float(from), is_float(to));
        let address = self.program.layout.address_type();
        let fits = match op {
            CastOp::Trunc => matches!((from_width, to_width), (Some(from), Some(to)) if from > to),
            CastOp::ZExt | CastOp::SExt => matches!((from_width, to_width), (Some(from), Some(to)) if from < to),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => from_float && to_width.is_some(),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => from_width.is_some() && to_float,
            CastOp::FloatToFloat => from_float && to_float && from != to,
            CastOp::PtrToInt => from == Type::Ptr && to == address,
            CastOp::IntToPtr => from == address && to == Type::Ptr,
            CastOp::Bitcast => self.bits(from) == self.bits(to),
        };
        require(fits, || format!("{op:?} from {from} to {to}"))
    }

    fn check_checked(&self, obligation: ObligationId) -> Finding {
        self.carries_some(obligation)?;
        match self.program.obligations[obligation].property {
            Property::ValidDeref
            | Property::ValidFree
            | Property::NoOverflow
            | Property::Arithmetic
            | Property::UnreachCall => Ok(()),
            property @ (Property::ValidMemtrack | Property::MemCleanup | Property::Termination) => {
                Err(format!("{property} cannot be checked at one place"))
            }
        }
    }

    fn carries(&self, obligation: ObligationId, property: Property) -> Finding {
        self.carries_some(obligation)?;
        let found = self.program.obligations[obligation].property;
        require(found == property, || format!("{obligation} is of {found}, expected {property}"))
    }

    fn carries_some(&self, obligation: ObligationId) -> Finding {
        let known = self.program.obligations.get(obligation);
        let own = known.is_some_and(|known| known.function == self.id);
        require(own, || format!("{obligation} is not an obligation of this function"))
    }

    fn ty(&self, operand: &Operand) -> Result<Type, String> {
        self.function.operand_type(*operand).ok_or_else(|| format!("{operand:?} has no value"))
    }

    fn is(&self, operand: &Operand, expected: Type) -> Finding {
        let ty = self.ty(operand)?;
        require(ty == expected, || format!("{operand:?} is of type {ty}, expected {expected}"))
    }

    fn gives(&self, expected: Option<Type>) -> Finding {
        let name = |ty: Option<Type>| ty.map_or("nothing".into(), |ty| ty.to_string());
        require(self.result == expected, || format!("gives {}, expected {}", name(self.result), name(expected)))
    }

    fn gives_something(&self) -> Finding {
        require(self.result.is_some(), || "gives nothing".into())
    }

    fn nothing_from(&self, addresses: &[&Operand]) -> Finding {
        addresses.iter().try_for_each(|address| self.is(address, Type::Ptr))?;
        self.gives(None)
    }

    fn int(&self, operand: &Operand) -> Result<Type, String> {
        let ty = self.ty(operand)?;
        if ty.int_width().is_some() { Ok(ty) } else { Err(format!("{operand:?} is of type {ty}, expected an integer")) }
    }

    fn both_ints(&self, lhs: &Operand, rhs: &Operand) -> Result<Type, String> {
        let ty = self.int(lhs)?;
        self.is(rhs, ty).map(|()| ty)
    }

    fn all_floats(&self, operands: &[&Operand]) -> Result<Type, String> {
        let ty = self.ty(operands[0])?;
        require(is_float(ty), || format!("{ty} in float arithmetic"))?;
        operands.iter().try_for_each(|operand| self.is(operand, ty)).map(|()| ty)
    }

    fn bits(&self, ty: Type) -> u16 {
        match ty {
            Type::Int(width) => width,
            Type::F32 => 32,
            Type::F64 => 64,
            Type::Ptr => self.program.layout.pointer_bits(),
        }
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}
