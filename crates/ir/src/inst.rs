//! Instructions and terminators. Matches over these have no wildcard anywhere in the project: a new
//! instruction must break the build where its meaning matters.

use belay_base::Span;

use crate::obligation::ObligationId;
use crate::operator::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp, UnaryOp,
};
use crate::program::{BlockId, FuncId, InstId, Operand};
use crate::types::Type;

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(FuncId),
    /// The function at this address; the obligation says that there is one.
    Indirect(Operand, ObligationId),
}

/// Patterns for groups of instructions: a `match` over [`Op`] stays short and still fails to compile when an instruction is added that it
/// does not consider.
#[macro_export]
macro_rules! ops {
    (arithmetic) => {
        $crate::Op::Binary { .. } | $crate::Op::Overflows { .. } | $crate::Op::Unary { .. } | $crate::Op::Compare { .. }
    };
    (floats) => {
        $crate::Op::FloatBinary { .. }
            | $crate::Op::FloatUnary { .. }
            | $crate::Op::FloatFma { .. }
            | $crate::Op::FloatCompare { .. }
    };
    (moves) => {
        $crate::Op::Cast { .. }
            | $crate::Op::PtrAdd { .. }
            | $crate::Op::Select { .. }
            | $crate::Op::Phi { .. }
            | $crate::Op::Arbitrary { .. }
            | $crate::Op::Freeze { .. }
    };
    (lives) => {
        $crate::Op::Alloca { .. }
            | $crate::Op::LifetimeStart { .. }
            | $crate::Op::LifetimeEnd { .. }
            | $crate::Op::StackSave
            | $crate::Op::StackRestore { .. }
    };
    (accesses) => {
        $crate::Op::Load { .. } | $crate::Op::Store { .. } | $crate::Op::MemCopy { .. } | $crate::Op::MemSet { .. }
    };
    (variadic) => {
        $crate::Op::VaStart { .. } | $crate::Op::VaCopy { .. } | $crate::Op::VaEnd { .. }
    };
    (values) => {
        $crate::ops!(arithmetic) | $crate::ops!(floats) | $crate::ops!(moves)
    };
    (memory) => {
        $crate::ops!(lives) | $crate::ops!(accesses) | $crate::ops!(variadic)
    };
}

/// What an instruction does.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Integer arithmetic.
    Binary { op: BinaryOp, lhs: Operand, rhs: Operand },
    /// Whether the exact result does not fit the operands' type; never true in the unbounded model if signed.
    Overflows { op: OverflowOp, signed: bool, lhs: Operand, rhs: Operand },
    /// Bit counting.
    Unary { op: UnaryOp, value: Operand },
    /// Comparison of integers or of pointers.
    Compare { op: IntPredicate, lhs: Operand, rhs: Operand },
    /// Float arithmetic.
    FloatBinary { op: FloatBinaryOp, lhs: Operand, rhs: Operand },
    /// Float function.
    FloatUnary { op: FloatUnaryOp, value: Operand },
    /// `a * b + c` rounded once.
    FloatFma { a: Operand, b: Operand, c: Operand },
    /// Float comparison.
    FloatCompare { op: FloatPredicate, lhs: Operand, rhs: Operand },
    /// Conversion.
    Cast { op: CastOp, value: Operand },
    /// The address `offset` bytes (signed, of address width) after `base`; no obligation by itself.
    PtrAdd { base: Operand, offset: Operand },
    /// One of two values.
    Select { cond: Operand, then: Operand, otherwise: Operand },
    /// The value that belongs to the block control came from; all phis of a block act at once.
    Phi { incoming: Vec<(BlockId, Operand)> },
    /// An arbitrary value, chosen anew each time; `uninit` names the variable whose initial value it is.
    Arbitrary { uninit: Option<u32> },
    /// `value`, or an arbitrary fixed value as far as it is undefined.
    Freeze { value: Operand },
    /// A new stack object of `size` bytes (of address width). A `scoped` one has lifetime markers and is dead
    /// until its first start; others live from here. All end when the function returns.
    Alloca { size: Operand, align: u32, scoped: bool, dynamic: bool },
    /// Begins a life of a scoped `Alloca`: fresh, uninitialised; pointers into an earlier life stay dangling.
    LifetimeStart { object: InstId },
    /// Ends the life of an `Alloca`.
    LifetimeEnd { object: InstId },
    /// A mark for `StackRestore`.
    StackSave,
    /// Ends all dynamic stack objects of this frame made since the mark.
    StackRestore { mark: Operand },
    /// Reads memory.
    Load { ptr: Operand, align: u32, volatile: bool, obligation: ObligationId },
    /// Writes memory.
    Store { ptr: Operand, value: Operand, align: u32, volatile: bool, obligation: ObligationId },
    /// Copies `len` bytes exactly, undefined ones and pointers included; `overlap` says whether the regions may.
    MemCopy { dst: Operand, src: Operand, len: Operand, overlap: bool, obligation: ObligationId },
    /// Fills `len` bytes with `byte`.
    MemSet { dst: Operand, byte: Operand, len: Operand, obligation: ObligationId },
    /// Calls. Its own value is the result if there is exactly one; otherwise `Extract` gets at them.
    /// `variadic` counts the trailing arguments that go through `...`. `obligation` belongs to the built-in
    /// library function called, if it has one, or to the copying of structs passed by value. `byval_args` names the
    /// arguments that are structs passed by value: index in `args`, size and alignment; the argument is the
    /// address of the struct to copy. (Parameters say so themselves, in [`Param::byval`](crate::Param::byval): a function of which
    /// they say otherwise is not of the type that is called.)
    Call {
        callee: Callee,
        args: Vec<Operand>,
        variadic: u32,
        byval_args: Vec<(u32, u64, u32)>,
        obligation: Option<ObligationId>,
    },
    /// A result of a call that returns several.
    Extract { call: InstId, index: u32 },
    /// Makes the `va_list` at `list` stand at this function's first variadic argument, laid out as the target's ABI says.
    VaStart { list: Operand, obligation: ObligationId },
    /// Copies a `va_list`.
    VaCopy { dst: Operand, src: Operand, obligation: ObligationId },
    /// Ends a `va_list`.
    VaEnd { list: Operand },
    /// An obligation: violated if `cond` is false; execution goes on either way.
    Check { cond: Operand, obligation: ObligationId },
    /// What Belay does not handle: a run that gets here has no verdict.
    Unsupported { what: String },
}

/// An instruction of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The type of its value; `None` if it has none (or several, see [`Op::Extract`]).
    pub ty: Option<Type>,
    /// Where it comes from.
    pub span: Span,
}

/// How a block ends.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Goes on at a block.
    Jump(BlockId),
    /// Goes on at one of two blocks.
    Branch { cond: Operand, then: BlockId, otherwise: BlockId },
    /// Goes on at the block of the matching case.
    Switch { value: Operand, cases: Vec<(u128, BlockId)>, default: BlockId },
    /// Returns from the function with its results.
    Return(Vec<Operand>),
    /// Never reached by a C program without undefined behaviour (for example after a call that does not return). `held` are pointers that variables of the
    /// function hold there, though nothing uses them: a run that ends in this block ends with them.
    Unreachable { held: Vec<Operand> },
}

impl Terminator {
    /// Never reached, with nothing held.
    pub const UNREACHABLE: Terminator = Terminator::Unreachable { held: Vec::new() };

    /// The blocks it may go to, in order; a block may occur more than once.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Jump(target) => vec![*target],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, target)| *target).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable { .. } => Vec::new(),
        }
    }

    /// Calls `f` on each target.
    pub fn for_each_successor_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            Terminator::Jump(target) => f(target),
            Terminator::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, target)| f(target));
                f(default);
            }
            Terminator::Return(_) | Terminator::Unreachable { .. } => {}
        }
    }

    /// Calls `f` on each operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(&Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::Return(values) | Terminator::Unreachable { held: values } => values.iter().for_each(f),
            Terminator::Jump(_) => {}
        }
    }

    /// Calls `f` on each operand, mutably.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::Return(values) | Terminator::Unreachable { held: values } => values.iter_mut().for_each(f),
            Terminator::Jump(_) => {}
        }
    }
}

/// One arm list serves the shared and the mutable visitor.
macro_rules! visit_operands {
    ($op:expr, $f:expr, $iter:ident) => {
        match $op {
            Op::Binary { lhs, rhs, op: _ }
            | Op::Overflows { lhs, rhs, op: _, signed: _ }
            | Op::Compare { lhs, rhs, op: _ }
            | Op::FloatBinary { lhs, rhs, op: _ }
            | Op::FloatCompare { lhs, rhs, op: _ } => {
                $f(lhs);
                $f(rhs);
            }
            Op::Unary { value, op: _ }
            | Op::FloatUnary { value, op: _ }
            | Op::Cast { value, op: _ }
            | Op::Freeze { value } => $f(value),
            Op::FloatFma { a, b, c } => {
                $f(a);
                $f(b);
                $f(c);
            }
            Op::PtrAdd { base, offset } => {
                $f(base);
                $f(offset);
            }
            Op::Select { cond, then, otherwise } => {
                $f(cond);
                $f(then);
                $f(otherwise);
            }
            Op::Phi { incoming } => incoming.$iter().for_each(|(_, value)| $f(value)),
            Op::Alloca { size, .. } => $f(size),
            Op::StackRestore { mark } => $f(mark),
            Op::Load { ptr, .. } => $f(ptr),
            Op::Store { ptr, value, .. } => {
                $f(ptr);
                $f(value);
            }
            Op::MemCopy { dst, src, len, .. } => {
                $f(dst);
                $f(src);
                $f(len);
            }
            Op::MemSet { dst, byte, len, .. } => {
                $f(dst);
                $f(byte);
                $f(len);
            }
            Op::Call { callee, args, .. } => {
                if let Callee::Indirect(target, _) = callee {
                    $f(target);
                }
                args.$iter().for_each($f);
            }
            Op::VaStart { list, .. } | Op::VaEnd { list } => $f(list),
            Op::VaCopy { dst, src, .. } => {
                $f(dst);
                $f(src);
            }
            Op::Check { cond, .. } => $f(cond),
            Op::Arbitrary { .. }
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackSave
            | Op::Extract { .. }
            | Op::Unsupported { .. } => {}
        }
    };
}

impl Op {
    /// Calls `f` on each operand. The objects of lifetime markers and the call of an `Extract` are no operands:
    /// see [`Op::refers_to`].
    pub fn for_each_operand(&self, mut f: impl FnMut(&Operand)) {
        visit_operands!(self, f, iter)
    }

    /// Calls `f` on each operand, mutably.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        visit_operands!(self, f, iter_mut)
    }

    /// The instruction that this one names without using its value.
    pub fn refers_to(&self) -> Option<InstId> {
        match self {
            Op::LifetimeStart { object } | Op::LifetimeEnd { object } => Some(*object),
            Op::Extract { call, .. } => Some(*call),
            ops!(values)
            | ops!(accesses)
            | ops!(variadic)
            | Op::Alloca { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Call { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        }
    }

    /// The obligations that the instruction carries.
    pub fn obligations(&self) -> smallvec::SmallVec<[ObligationId; 2]> {
        match self {
            Op::Load { obligation, .. }
            | Op::Store { obligation, .. }
            | Op::MemCopy { obligation, .. }
            | Op::MemSet { obligation, .. }
            | Op::VaStart { obligation, .. }
            | Op::VaCopy { obligation, .. }
            | Op::Check { obligation, .. } => smallvec::smallvec![*obligation],
            Op::Call { callee, obligation, .. } => {
                let indirect = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(_, id) => Some(*id),
                };
                indirect.into_iter().chain(*obligation).collect()
            }
            ops!(values) | ops!(lives) | Op::Extract { .. } | Op::VaEnd { .. } | Op::Unsupported { .. } => {
                smallvec::SmallVec::new()
            }
        }
    }

    /// Calls `f` on each obligation that the instruction carries, mutably.
    pub fn for_each_obligation_mut(&mut self, mut f: impl FnMut(&mut ObligationId)) {
        match self {
            Op::Load { obligation, .. }
            | Op::Store { obligation, .. }
            | Op::MemCopy { obligation, .. }
            | Op::MemSet { obligation, .. }
            | Op::VaStart { obligation, .. }
            | Op::VaCopy { obligation, .. }
            | Op::Check { obligation, .. } => f(obligation),
            Op::Call { callee, obligation, .. } => {
                if let Callee::Indirect(_, id) = callee {
                    f(id);
                }
                obligation.iter_mut().for_each(f);
            }
            ops!(values) | ops!(lives) | Op::Extract { .. } | Op::VaEnd { .. } | Op::Unsupported { .. } => {}
        }
    }

    /// True if the instruction does nothing but compute its value from its operands, for every operand: it may be
    /// removed if the value is unused. Division is not: it ends the run at divisor 0.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Binary { op, rhs, .. } => match op {
                BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                    matches!(rhs, Operand::Int { value, .. } if *value != 0)
                }
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor => true,
            },
            ops!(floats)
            | ops!(moves)
            | Op::Overflows { .. }
            | Op::Unary { .. }
            | Op::Compare { .. }
            | Op::Extract { .. } => true,
            ops!(memory) | Op::Call { .. } | Op::Check { .. } | Op::Unsupported { .. } => false,
        }
    }
}
