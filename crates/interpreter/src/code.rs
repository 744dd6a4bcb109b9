//! Functions as the interpreter runs them: decoded once into dense registers and resolved targets. Each value of a
//! function has a register of its own in the frame; constants stand in a table. A phi is no instruction: each edge moves
//! values into the registers of its target's phis, all at once.

use belay_base::Span;
use belay_ir::{
    BinaryOp, BlockId, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, FuncId, InstId, IntPredicate, ObligationId,
    Operand, OverflowOp, Type, UnaryOp,
};

/// Where an operand is: a register of the frame, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot(u32);

const CONSTANT: u32 = 1 << 31;

impl Slot {
    pub(crate) fn register(index: u32) -> Self {
        debug_assert!(index & CONSTANT == 0);
        Slot(index)
    }

    pub(crate) fn constant(index: usize) -> Self {
        Slot(index as u32 | CONSTANT)
    }

    #[inline]
    pub(crate) fn is_constant(self) -> bool {
        self.0 & CONSTANT != 0
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        (self.0 & !CONSTANT) as usize
    }
}

/// A register.
pub(crate) type Reg = u32;

/// A way from one block to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The first instruction of the target.
    pub(crate) pc: u32,
    /// How many steps the target counts.
    pub(crate) cost: u32,
    /// The moves for the target's phis, in [`Code::moves`].
    pub(crate) moves: (u32, u32),
    /// True if a move reads what an earlier one writes: then all are read first.
    pub(crate) tangled: bool,
    /// True if it closes a cycle.
    pub(crate) back: bool,
}

/// The index of an edge in [`Code::edges`].
pub(crate) type EdgeId = u32;

/// What a call calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Direct(FuncId),
    Indirect(Slot, ObligationId),
}

/// A place where a result of a call goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultSlot {
    pub(crate) index: u32,
    pub(crate) dst: Reg,
    pub(crate) ty: Type,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub(crate) target: Target,
    pub(crate) args: Box<[Slot]>,
    pub(crate) types: Box<[Type]>,
    /// How many arguments, the last ones, are passed through `...`.
    pub(crate) variadic: u32,
    pub(crate) byval: Box<[(u32, u64, u32)]>,
    pub(crate) obligation: Option<ObligationId>,
    pub(crate) results: Box<[ResultSlot]>,
    /// The same without their registers.
    pub(crate) expected: Box<[(u32, Type)]>,
    /// True if somebody uses a result.
    pub(crate) result_used: bool,
}

/// A switch.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Slot,
    pub(crate) width: u16,
    /// Sorted by value.
    pub(crate) cases: Box<[(u128, EdgeId)]>,
    pub(crate) default: EdgeId,
}

/// A decoded instruction or terminator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inst {
    Binary { op: BinaryOp, width: u16, dst: Reg, a: Slot, b: Slot },
    Overflows { op: OverflowOp, signed: bool, width: u16, dst: Reg, a: Slot, b: Slot },
    Unary { op: UnaryOp, width: u16, dst: Reg, value: Slot },
    CompareInt { op: IntPredicate, width: u16, dst: Reg, a: Slot, b: Slot },
    ComparePtr { op: IntPredicate, dst: Reg, a: Slot, b: Slot },
    FloatBinary { op: FloatBinaryOp, ty: Type, dst: Reg, a: Slot, b: Slot },
    FloatUnary { op: FloatUnaryOp, ty: Type, dst: Reg, value: Slot },
    FloatFma { ty: Type, dst: Reg, operands: [Slot; 3] },
    FloatCompare { op: FloatPredicate, ty: Type, dst: Reg, a: Slot, b: Slot },
    Cast { op: CastOp, from: Type, to: Type, dst: Reg, value: Slot },
    PtrAdd { dst: Reg, base: Slot, offset: Slot },
    Select { dst: Reg, cond: Slot, then: Slot, otherwise: Slot },
    Arbitrary { dst: Reg, ty: Type, uninit: bool },
    Freeze { dst: Reg, value: Slot },
    Alloca { dst: Reg, size: Slot, align: u32, scoped: bool, dynamic: bool, entry: bool },
    LifetimeStart { object: Reg },
    LifetimeEnd { object: Reg },
    StackSave { dst: Reg },
    StackRestore { mark: Slot },
    Load { dst: Reg, ty: Type, ptr: Slot, obligation: ObligationId },
    Store { ptr: Slot, value: Slot, ty: Type, obligation: ObligationId },
    MemCopy { dst: Slot, src: Slot, len: Slot, overlap: bool, obligation: ObligationId },
    MemSet { dst: Slot, byte: Slot, len: Slot, obligation: ObligationId },
    Call { site: u32 },
    VaStart { list: Slot, obligation: ObligationId },
    VaCopy { dst: Slot, src: Slot, obligation: ObligationId },
    VaEnd,
    Check { cond: Slot, obligation: ObligationId },
    Unsupported,
    Jump { edge: EdgeId },
    Branch { cond: Slot, then: EdgeId, otherwise: EdgeId },
    Switch { index: u32 },
    Return { first: u32, count: u32 },
    Unreachable,
}

/// Where a decoded instruction comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) block: BlockId,
    /// The place among the block's instructions; past the last for the terminator.
    pub(crate) index: u32,
    /// The instruction, unless it is the terminator.
    pub(crate) inst: Option<InstId>,
    pub(crate) span: Span,
}

/// A decoded function.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) function: FuncId,
    pub(crate) insts: Vec<Inst>,
    /// Where each of `insts` comes from.
    pub(crate) origins: Vec<Origin>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) moves: Vec<(Reg, Slot)>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) switches: Vec<Switch>,
    /// The operands of returns, with their types.
    pub(crate) returned: Vec<(Slot, Type)>,
    pub(crate) constants: Vec<Operand>,
    /// How many registers a frame has; the parameters come first.
    pub(crate) registers: u32,
    /// The registers of the allocas of the entry block: their objects end with the frame.
    pub(crate) entry_allocas: Vec<Reg>,
    /// The steps that the entry block counts.
    pub(crate) entry_cost: u32,
    /// The register of each instruction, if it has a value.
    pub(crate) register_of: Vec<Option<Reg>>,
}

impl Code {
    /// A number for an edge that no other edge of the program has.
    pub(crate) fn edge_number(&self, edge: EdgeId) -> u64 {
        u64::from(self.function.0) << 32 | u64::from(edge)
    }

    /// No code: nothing runs.
    pub(crate) fn empty() -> Self {
        Self::of(FuncId(0), 0, Vec::new())
    }

    /// Code still to be filled, with so many registers.
    pub(crate) fn of(function: FuncId, registers: u32, register_of: Vec<Option<Reg>>) -> Self {
        Self {
            function,
            insts: Vec::new(),
            origins: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            calls: Vec::new(),
            switches: Vec::new(),
            returned: Vec::new(),
            constants: Vec::new(),
            registers,
            entry_allocas: Vec::new(),
            entry_cost: 0,
            register_of,
        }
    }
}
