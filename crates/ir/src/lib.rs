//! The program: a small typed SSA form in which every place where C can go wrong is an explicit
//! obligation. Knows nothing of LLVM, solvers or engines; what the instructions *mean* is decided
//! in SOUNDNESS.md and implemented in the crate `interpreter`.

// What the tests share with those of the passes names this crate as that one does.
#[cfg(test)]
extern crate self as belay_ir;

mod alignment;
mod builtin;
mod called;
mod callgraph;
mod cfg;
mod dominators;
mod effects;
mod inst;
mod liveness;
mod loops;
mod obligation;
mod operator;
mod print;
mod program;
mod steps;
#[cfg(test)]
#[allow(dead_code, reason = "the tests of `ir` and of `passes` share it, and each uses a part")]
#[path = "../support/testing.rs"]
mod testing;
mod types;
mod verify;

pub use alignment::low_zeros;
pub use builtin::Builtin;
pub use called::{CalledType, has_called_type};
pub use callgraph::CallGraph;
pub use cfg::Cfg;
pub use dominators::Dominators;
pub use effects::changes_nothing;
pub use inst::{Callee, Inst, Op, Terminator};
pub use liveness::{LiveValue, Liveness};
pub use loops::{Loop, LoopId, LoopNest};
pub use obligation::{Obligation, ObligationDetail, ObligationId, Property, Standing};
pub use operator::{BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp, UnaryOp};
pub use print::{print_function, print_program};
pub use program::{
    Block, BlockId, CType, ENTRY_BUILDER, FuncId, FuncKind, Function, Global, GlobalId, GlobalInit, InstId, Local,
    Mark, Member, Operand, Param, Pointee, Program, Relocation, START_WITH_ARGUMENTS, Target,
};
pub use steps::steps;
pub use types::{DataLayout, DataModel, Externs, IntegerModel, LARGEST_BLOCK_ALIGN, Type};
pub use verify::{VerifyError, verify_function, verify_program};
