//! Operators of instructions.

/// Integer arithmetic on two operands of one type; all wrap in the machine model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; the run ends at divisor 0.
    UDiv,
    /// Signed quotient, rounded to zero; the run ends at divisor 0, the least value by -1 wraps.
    SDiv,
    /// Unsigned remainder; the run ends at divisor 0.
    URem,
    /// Signed remainder with the dividend's sign; the run ends at divisor 0.
    SRem,
    /// Left shift; arbitrary from the width on.
    Shl,
    /// Logical right shift; arbitrary from the width on.
    LShr,
    /// Arithmetic right shift; arbitrary from the width on.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];
}

/// The operation whose overflow is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
}

/// Bit counting and permuting on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// The number of ones.
    CountOnes,
    /// The number of zeros above the highest one; the width for 0.
    LeadingZeros,
    /// The number of zeros below the lowest one; the width for 0.
    TrailingZeros,
    /// Bytes in reverse order.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
}

/// Integer and pointer comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl IntPredicate {
    /// All of them.
    pub const ALL: [IntPredicate; 10] = [
        IntPredicate::Eq,
        IntPredicate::Ne,
        IntPredicate::Ult,
        IntPredicate::Ule,
        IntPredicate::Ugt,
        IntPredicate::Uge,
        IntPredicate::Slt,
        IntPredicate::Sle,
        IntPredicate::Sgt,
        IntPredicate::Sge,
    ];

    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> IntPredicate {
        match self {
            IntPredicate::Eq => IntPredicate::Ne,
            IntPredicate::Ne => IntPredicate::Eq,
            IntPredicate::Ult => IntPredicate::Uge,
            IntPredicate::Ule => IntPredicate::Ugt,
            IntPredicate::Ugt => IntPredicate::Ule,
            IntPredicate::Uge => IntPredicate::Ult,
            IntPredicate::Slt => IntPredicate::Sge,
            IntPredicate::Sle => IntPredicate::Sgt,
            IntPredicate::Sgt => IntPredicate::Sle,
            IntPredicate::Sge => IntPredicate::Slt,
        }
    }

    /// The comparison with its sides swapped.
    pub fn mirrored(self) -> IntPredicate {
        match self {
            IntPredicate::Eq | IntPredicate::Ne => self,
            IntPredicate::Ult => IntPredicate::Ugt,
            IntPredicate::Ule => IntPredicate::Uge,
            IntPredicate::Ugt => IntPredicate::Ult,
            IntPredicate::Uge => IntPredicate::Ule,
            IntPredicate::Slt => IntPredicate::Sgt,
            IntPredicate::Sle => IntPredicate::Sge,
            IntPredicate::Sgt => IntPredicate::Slt,
            IntPredicate::Sge => IntPredicate::Sle,
        }
    }
}

/// Float arithmetic, to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatBinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`.
    Rem,
    /// C's `fmin`.
    Min,
    /// C's `fmax`.
    Max,
    /// The first operand's magnitude with the second's sign.
    CopySign,
}

/// Float functions of one operand, all exact or correctly rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatUnaryOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half away from zero.
    Round,
    /// Half to even.
    RoundEven,
}

/// Float comparison: ordered (false if an operand is a NaN) or unordered (true then).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Conversion to the instruction's type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastOp {
    /// Integer to a narrower integer: the low bits.
    Trunc,
    /// Integer to a wider integer, filled with zeros.
    ZExt,
    /// Integer to a wider integer, filled with the sign.
    SExt,
    /// Float to signed integer, rounded to zero; arbitrary if it does not fit.
    FloatToSigned,
    /// Float to unsigned integer, rounded to zero; arbitrary if it does not fit.
    FloatToUnsigned,
    /// Signed integer to the nearest float.
    SignedToFloat,
    /// Unsigned integer to the nearest float.
    UnsignedToFloat,
    /// `float` to `double` or back.
    FloatToFloat,
    /// Address to integer of address width.
    PtrToInt,
    /// Integer of address width to address.
    IntToPtr,
    /// The same bits as another type of the same size.
    Bitcast,
}
