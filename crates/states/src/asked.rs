//! What a run asks on a path: a state of a probe notes it.

use belay_base::Span;
use belay_ir::Type;
use belay_linear::LinExpr;

use super::state::AllocId;

/// A question that a run asks on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// For what.
    pub what: AskedFor,
    /// The place in the source.
    pub span: Span,
    /// The answer; a truth value as 0 or 1.
    pub answer: LinExpr,
}

/// What a run asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskedFor {
    /// An input.
    Input(Type),
    /// An arbitrary number.
    Arbitrary(Type),
    /// So many bytes of memory that nobody has set.
    Memory(AllocId, LinExpr, u64),
    /// Whether an allocation fails.
    Failure,
    /// The number of arguments of the program.
    Count,
    /// The length of the string that a parameter points to.
    Length(u32, AllocId),
}

impl Asked {
    pub(crate) fn for_each_expr_mut(&mut self, f: &mut impl FnMut(&mut LinExpr)) {
        f(&mut self.answer);
        match &mut self.what {
            AskedFor::Memory(_, offset, _) => f(offset),
            AskedFor::Input(_)
            | AskedFor::Arbitrary(_)
            | AskedFor::Failure
            | AskedFor::Count
            | AskedFor::Length(..) => {}
        }
    }
}
