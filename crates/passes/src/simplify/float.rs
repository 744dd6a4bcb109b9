//! Float operations on constants: IEEE arithmetic, to nearest even, as Rust's own. A result that is a NaN is not folded, since the
//! bits of a NaN are not determined.

use std::ops::{Add, Div, Mul, Sub};

use belay_ir::ops;
use belay_ir::{CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, Op, Operand, Type};

use super::constant::signed;

/// The value of a float operation whose operands are constants, if it is determined.
pub(super) fn fold(op: &Op, ty: Type) -> Option<Operand> {
    match op {
        Op::FloatBinary { op, lhs: Operand::F32(lhs), rhs: Operand::F32(rhs) } => {
            number(*op, *lhs, *rhs).filter(|value| !value.is_nan()).map(Operand::F32)
        }
        Op::FloatBinary { op, lhs: Operand::F64(lhs), rhs: Operand::F64(rhs) } => {
            number(*op, *lhs, *rhs).filter(|value| !value.is_nan()).map(Operand::F64)
        }
        Op::FloatUnary { op, value } => unary(*op, *value),
        Op::FloatCompare { op, lhs: Operand::F32(lhs), rhs: Operand::F32(rhs) } => {
            Some(Operand::bool(compare(*op, f64::from(*lhs), f64::from(*rhs))))
        }
        Op::FloatCompare { op, lhs: Operand::F64(lhs), rhs: Operand::F64(rhs) } => {
            Some(Operand::bool(compare(*op, *lhs, *rhs)))
        }
        Op::Cast { op, value } => cast(*op, *value, ty),
        ops!(memory)
        | ops!(arithmetic)
        | Op::FloatBinary { .. }
        | Op::FloatCompare { .. }
        | Op::FloatFma { .. }
        | Op::PtrAdd { .. }
        | Op::Select { .. }
        | Op::Phi { .. }
        | Op::Arbitrary { .. }
        | Op::Freeze { .. }
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    }
}

fn number<T>(op: FloatBinaryOp, lhs: T, rhs: T) -> Option<T>
where
    T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    match op {
        FloatBinaryOp::Add => Some(lhs + rhs),
        FloatBinaryOp::Sub => Some(lhs - rhs),
        FloatBinaryOp::Mul => Some(lhs * rhs),
        FloatBinaryOp::Div => Some(lhs / rhs),
        FloatBinaryOp::Rem | FloatBinaryOp::Min | FloatBinaryOp::Max | FloatBinaryOp::CopySign => None,
    }
}

fn round(value: f64, ty: Type) -> Option<Operand> {
    match ty {
        Type::F32 => Some(Operand::F32(value as f32)).filter(|_| !value.is_nan()),
        Type::F64 => Some(Operand::F64(value)).filter(|_| !value.is_nan()),
        Type::Int(_) | Type::Ptr => None,
    }
}

/// Negation and absolute value; exact in either width.
fn unary(op: FloatUnaryOp, value: Operand) -> Option<Operand> {
    let (value, ty) = match value {
        Operand::F32(value) => (f64::from(value), Type::F32),
        Operand::F64(value) => (value, Type::F64),
        Operand::Inst(_)
        | Operand::Param(_)
        | Operand::Int { .. }
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => return None,
    };
    match op {
        FloatUnaryOp::Neg => round(-value, ty),
        FloatUnaryOp::Abs => round(value.abs(), ty),
        FloatUnaryOp::Sqrt
        | FloatUnaryOp::Floor
        | FloatUnaryOp::Ceil
        | FloatUnaryOp::Trunc
        | FloatUnaryOp::Round
        | FloatUnaryOp::RoundEven => None,
    }
}

fn compare(op: FloatPredicate, lhs: f64, rhs: f64) -> bool {
    let unordered = lhs.is_nan() || rhs.is_nan();
    match op {
        FloatPredicate::False => false,
        FloatPredicate::Oeq => lhs == rhs,
        FloatPredicate::Ogt => lhs > rhs,
        FloatPredicate::Oge => lhs >= rhs,
        FloatPredicate::Olt => lhs < rhs,
        FloatPredicate::Ole => lhs <= rhs,
        FloatPredicate::One => !unordered && lhs != rhs,
        FloatPredicate::Ord => !unordered,
        FloatPredicate::Uno => unordered,
        FloatPredicate::Ueq => unordered || lhs == rhs,
        FloatPredicate::Ugt => unordered || lhs > rhs,
        FloatPredicate::Uge => unordered || lhs >= rhs,
        FloatPredicate::Ult => unordered || lhs < rhs,
        FloatPredicate::Ule => unordered || lhs <= rhs,
        FloatPredicate::Une => lhs != rhs,
        FloatPredicate::True => true,
    }
}

/// Conversions of constants. An integer constant of the unbounded model fits its width, so its value is the signed one in both
/// models; as unsigned it is folded if it is not negative.
fn cast(op: CastOp, value: Operand, ty: Type) -> Option<Operand> {
    match (op, value) {
        (CastOp::SignedToFloat, Operand::Int { width, value }) if width > 1 => match ty {
            Type::F32 => Some(Operand::F32(signed(width, value) as f32)),
            Type::F64 => Some(Operand::F64(signed(width, value) as f64)),
            Type::Int(_) | Type::Ptr => None,
        },
        (CastOp::UnsignedToFloat, Operand::Int { width, value }) if width == 1 || signed(width, value) >= 0 => match ty
        {
            Type::F32 => Some(Operand::F32(value as f32)),
            Type::F64 => Some(Operand::F64(value as f64)),
            Type::Int(_) | Type::Ptr => None,
        },
        (CastOp::FloatToFloat, Operand::F32(value)) => round(f64::from(value), ty),
        (CastOp::FloatToFloat, Operand::F64(value)) => round(value, ty),
        (CastOp::FloatToSigned, Operand::F32(value)) => truncated(f64::from(value), ty),
        (CastOp::FloatToSigned, Operand::F64(value)) => truncated(value, ty),
        (
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToFloat
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bitcast,
            _,
        ) => None,
    }
}

/// The value rounded to zero, if it fits the signed integer type.
fn truncated(value: f64, ty: Type) -> Option<Operand> {
    let width = ty.int_width().filter(|width| (2..=64).contains(width))?;
    let whole = value.trunc();
    let bound = 2_f64.powi(i32::from(width) - 1);
    (whole >= -bound && whole < bound).then(|| Operand::int(width, whole as i128 as u128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_rounds_to_the_type() {
        let add = |lhs, rhs| Op::FloatBinary { op: FloatBinaryOp::Add, lhs, rhs };
        assert_eq!(
            fold(&add(Operand::F32(16_777_216.0), Operand::F32(1.0)), Type::F32),
            Some(Operand::F32(16_777_216.0))
        );
        assert_eq!(fold(&add(Operand::F64(0.1), Operand::F64(0.2)), Type::F64), Some(Operand::F64(0.1 + 0.2)));
        let nan = add(Operand::F64(f64::INFINITY), Operand::F64(f64::NEG_INFINITY));
        assert_eq!(fold(&nan, Type::F64), None);
    }

    #[test]
    fn conversions_that_do_not_fit_stay() {
        let to_int = |value| fold(&Op::Cast { op: CastOp::FloatToSigned, value: Operand::F64(value) }, Type::Int(8));
        assert_eq!(to_int(-128.9), Some(Operand::int(8, 0x80)));
        assert_eq!(to_int(127.9), Some(Operand::int(8, 127)));
        assert_eq!(to_int(128.0), None);
        assert_eq!(to_int(-129.0), None);
        assert_eq!(to_int(f64::NAN), None);
    }

    #[test]
    fn a_nan_compares_as_unordered() {
        assert!(!compare(FloatPredicate::Oeq, f64::NAN, f64::NAN));
        assert!(compare(FloatPredicate::Une, f64::NAN, 1.0));
        assert!(compare(FloatPredicate::Ult, f64::NAN, 1.0));
        assert!(!compare(FloatPredicate::One, f64::NAN, 1.0));
        assert!(compare(FloatPredicate::Oeq, 0.0, -0.0));
    }
}
