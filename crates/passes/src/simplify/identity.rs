//! Equations between operations that hold for every value of their variables. Those that hold for machine integers only, or
//! for truth values only, say so; the others hold in both models of integers.

use crate::substitution::{is_stable, same_value};
use belay_ir::ops;
use belay_ir::{
    BinaryOp, CastOp, DataLayout, Function, IntPredicate, IntegerModel, Op, Operand, OverflowOp, Type, low_zeros,
};

use super::Simpler;
use super::constant::{is_reflexive, signed};

/// The `c` of `xor c, true`.
pub(super) fn negated(function: &Function, operand: Operand) -> Option<Operand> {
    if let Op::Binary { op: BinaryOp::Xor, lhs, rhs: Operand::Int { width: 1, value: 1 } } =
        definition(function, operand)?
    {
        return Some(*lhs);
    }
    None
}

fn definition(function: &Function, operand: Operand) -> Option<&Op> {
    if let Operand::Inst(id) = operand { Some(&function.insts[id].op) } else { None }
}

fn negation(operand: Operand) -> Simpler {
    Simpler::Op(Op::Binary { op: BinaryOp::Xor, lhs: operand, rhs: Operand::bool(true) })
}

fn value(operand: Operand) -> Option<Simpler> {
    Some(Simpler::Value(operand))
}

/// Steps from a place in an object back to the object.
const MAX_STEPS: u32 = 16;

/// What the rules may look at.
pub(super) struct Rules<'a> {
    pub(super) function: &'a Function,
    pub(super) layout: DataLayout,
    pub(super) integers: IntegerModel,
}

impl Rules<'_> {
    /// Something simpler with the same value, if a rule knows it.
    pub(super) fn simpler(&self, op: &Op, ty: Type) -> Option<Simpler> {
        match op {
            Op::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs, ty.int_width()?),
            Op::Overflows { op, signed, lhs, rhs } => self.overflows(*op, *signed, *lhs, *rhs),
            Op::Compare { op, lhs, rhs } => self.compare(*op, *lhs, *rhs),
            Op::Cast { op, value } => self.cast(*op, *value, ty),
            Op::PtrAdd { base, offset } => self.ptr_add(*base, *offset),
            Op::Select { cond, then, otherwise } => self.select(*cond, *then, *otherwise),
            Op::Freeze { value } => self.freeze(*value),
            ops!(memory)
            | ops!(floats)
            | Op::Unary { .. }
            | Op::Phi { .. }
            | Op::Arbitrary { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        }
    }

    fn is_machine(&self) -> bool {
        self.integers == IntegerModel::Machine
    }

    fn binary(&self, op: BinaryOp, lhs: Operand, rhs: Operand, width: u16) -> Option<Simpler> {
        let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        if commutes && lhs.as_int().is_some() && rhs.as_int().is_none() {
            return Some(Simpler::Op(Op::Binary { op, lhs: rhs, rhs: lhs }));
        }
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.bitwise(op, lhs, rhs, width),
            // Arithmetic on truth values has no meaning of its own in the unbounded model, and 1 is -1 in the other.
            _ if width == 1 => None,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => self.arithmetic(op, lhs, rhs, width),
        }
    }

    /// Unsigned operations read a negative value as another one in the unbounded model, so `x / 1` is not `x` there.
    fn arithmetic(&self, op: BinaryOp, lhs: Operand, rhs: Operand, width: u16) -> Option<Simpler> {
        let zero = Operand::int(width, 0);
        match (op, rhs.as_int()) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Shl | BinaryOp::AShr, Some(0)) => value(lhs),
            (BinaryOp::LShr, Some(0)) | (BinaryOp::UDiv, Some(1)) if self.is_machine() => value(lhs),
            (BinaryOp::URem, Some(1)) if self.is_machine() => value(zero),
            (BinaryOp::Mul | BinaryOp::SDiv, Some(1)) => value(lhs),
            (BinaryOp::Mul, Some(0)) | (BinaryOp::SRem, Some(1)) => value(zero),
            (BinaryOp::Sub, None) if same_value(lhs, rhs) => value(zero),
            (BinaryOp::URem, Some(divisor)) if divisor.is_power_of_two() && self.is_stack_address(lhs) => {
                (low_zeros(&self.function.insts, &|_| 0, lhs) >= divisor.trailing_zeros()).then(|| value(zero))?
            }
            _ => None,
        }
    }

    /// True of the address of a place in a local: where it lies does not matter for what its alignment says.
    fn is_stack_address(&self, operand: Operand) -> bool {
        let Some(Op::Cast { op: CastOp::PtrToInt, value }) = definition(self.function, operand) else { return false };
        let mut pointer = *value;
        for _ in 0..MAX_STEPS {
            match definition(self.function, pointer) {
                Some(Op::PtrAdd { base, .. }) => pointer = *base,
                other => return matches!(other, Some(Op::Alloca { .. })),
            }
        }
        false
    }

    /// In the unbounded model bit operations are arbitrary on values that do not fit; truth values always do.
    fn bitwise(&self, op: BinaryOp, lhs: Operand, rhs: Operand, width: u16) -> Option<Simpler> {
        if !self.is_machine() && width != 1 {
            return None;
        }
        let (zero, ones) = (Operand::int(width, 0), Operand::int(width, u128::MAX));
        let same = same_value(lhs, rhs);
        match op {
            BinaryOp::And if rhs == zero => value(zero),
            BinaryOp::Or if rhs == ones => value(ones),
            BinaryOp::And if rhs == ones || same => value(lhs),
            BinaryOp::Or if rhs == zero || same => value(lhs),
            BinaryOp::Xor if rhs == zero => value(lhs),
            BinaryOp::Xor if same => value(zero),
            BinaryOp::Xor if width == 1 && rhs == ones => self.not(lhs),
            _ => None,
        }
    }

    /// The negation of a truth value: of a negation, or of a comparison. Both orders are total, so the opposite
    /// comparison is the negation, unless an operand may mean something else here than there.
    fn not(&self, cond: Operand) -> Option<Simpler> {
        if let Some(inner) = negated(self.function, cond) {
            return value(inner);
        }
        let Op::Compare { op, lhs, rhs } = definition(self.function, cond)? else { return None };
        let fixed = |operand: &Operand| !matches!(operand, Operand::Undef(_)) && is_stable(self.function, *operand);
        (fixed(lhs) && fixed(rhs)).then(|| Simpler::Op(Op::Compare { op: op.negated(), lhs: *lhs, rhs: *rhs }))
    }

    fn overflows(&self, op: OverflowOp, is_signed: bool, lhs: Operand, rhs: Operand) -> Option<Simpler> {
        if !self.is_machine() {
            return is_signed.then_some(Simpler::Value(Operand::bool(false)));
        }
        let neutral = |operand: Operand| match (op, operand) {
            (_, Operand::Int { value: 0, .. }) => true,
            (OverflowOp::Mul, Operand::Int { value: 1, width }) => width > 1,
            (OverflowOp::Add | OverflowOp::Sub | OverflowOp::Mul, _) => false,
        };
        // As the operation itself is turned, so that it is seen to be the same.
        if op != OverflowOp::Sub && lhs.as_int().is_some() && rhs.as_int().is_none() {
            return Some(Simpler::Op(Op::Overflows { op, signed: is_signed, lhs: rhs, rhs: lhs }));
        }
        let harmless = neutral(rhs) || (op != OverflowOp::Sub && neutral(lhs));
        harmless.then_some(Simpler::Value(Operand::bool(false)))
    }

    fn compare(&self, op: IntPredicate, lhs: Operand, rhs: Operand) -> Option<Simpler> {
        if lhs.as_int().is_some() && rhs.as_int().is_none() {
            return Some(Simpler::Op(Op::Compare { op: op.mirrored(), lhs: rhs, rhs: lhs }));
        }
        if same_value(lhs, rhs) {
            return value(Operand::bool(is_reflexive(op)));
        }
        let Operand::Int { width, value: constant } = rhs else { return None };
        match (op, constant) {
            (IntPredicate::Ult, 0) => return value(Operand::bool(false)),
            (IntPredicate::Uge, 0) => return value(Operand::bool(true)),
            (IntPredicate::Ule, 0) => return Some(Simpler::Op(Op::Compare { op: IntPredicate::Eq, lhs, rhs })),
            (IntPredicate::Ugt, 0) => return Some(Simpler::Op(Op::Compare { op: IntPredicate::Ne, lhs, rhs })),
            _ => {}
        }
        let truth = if width == 1 { Some(lhs) } else { self.extended_truth(lhs) }?;
        match (op, constant) {
            (IntPredicate::Ne, 0) | (IntPredicate::Eq, 1) => value(truth),
            (IntPredicate::Eq, 0) | (IntPredicate::Ne, 1) => Some(negation(truth)),
            _ => None,
        }
    }

    /// The `c` of `zext i1 c`: its value is 0 or 1.
    fn extended_truth(&self, operand: Operand) -> Option<Operand> {
        let Op::Cast { op: CastOp::ZExt, value } = definition(self.function, operand)? else { return None };
        (self.function.operand_type(*value) == Some(Type::BOOL)).then_some(*value)
    }

    fn cast(&self, op: CastOp, operand: Operand, ty: Type) -> Option<Simpler> {
        if op == CastOp::Bitcast && self.function.operand_type(operand) == Some(ty) {
            return value(operand);
        }
        let Op::Cast { op: inner, value: source } = definition(self.function, operand)? else { return None };
        let from = self.function.operand_type(*source)?;
        let recast = |op| Some(Simpler::Op(Op::Cast { op, value: *source }));
        match (op, inner) {
            (CastOp::Trunc, CastOp::ZExt) if from == Type::BOOL && ty == from => value(*source),
            // The rest is for machine integers: in the unbounded model each step may give an arbitrary value.
            _ if !self.is_machine() => None,
            (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) if ty == from => value(*source),
            (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) if ty.int_width() < from.int_width() => recast(CastOp::Trunc),
            (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) => recast(*inner),
            (CastOp::Trunc, CastOp::Trunc) => recast(CastOp::Trunc),
            (CastOp::ZExt | CastOp::SExt, CastOp::ZExt) => recast(CastOp::ZExt),
            (CastOp::SExt, CastOp::SExt) => recast(CastOp::SExt),
            _ => None,
        }
    }

    fn ptr_add(&self, base: Operand, offset: Operand) -> Option<Simpler> {
        let Operand::Int { width, value: distance } = offset else { return None };
        if distance == 0 {
            return value(base);
        }
        let distance = signed(width, distance);
        let in_range = |sum: i128| signed(self.layout.pointer_bits(), sum as u128) == sum;
        if let Operand::Global { global, offset } = base {
            let sum = distance + i128::from(offset);
            let offset = i64::try_from(sum).ok().filter(|_| in_range(sum))?;
            return value(Operand::Global { global, offset });
        }
        let Op::PtrAdd { base, offset: Operand::Int { value: first, .. } } = definition(self.function, base)? else {
            return None;
        };
        let sum = distance + signed(width, *first);
        let offset = Operand::int(width, sum as u128);
        (in_range(sum) && is_stable(self.function, *base)).then_some(Simpler::Op(Op::PtrAdd { base: *base, offset }))
    }

    fn select(&self, cond: Operand, then: Operand, otherwise: Operand) -> Option<Simpler> {
        if let Some(cond) = cond.as_int() {
            return value(if cond != 0 { then } else { otherwise });
        }
        if same_value(then, otherwise) {
            return value(then);
        }
        if then.as_int().is_some() && self.function.operand_type(then) == Some(Type::BOOL) {
            match (then.as_int(), otherwise.as_int()) {
                (Some(1), Some(0)) => return value(cond),
                (Some(0), Some(1)) => return Some(negation(cond)),
                (Some(_), Some(_)) | (None, _) | (_, None) => {}
            }
        }
        let cond = negated(self.function, cond)?;
        Some(Simpler::Op(Op::Select { cond, then: otherwise, otherwise: then }))
    }

    fn freeze(&self, operand: Operand) -> Option<Simpler> {
        match operand {
            Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_) => value(operand),
            Operand::Inst(_) => {
                matches!(definition(self.function, operand), Some(Op::Freeze { .. })).then_some(Simpler::Value(operand))
            }
            Operand::Param(_) | Operand::Undef(_) => None,
        }
    }
}
