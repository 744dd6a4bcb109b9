//! Reads and writes of memory: scalar globals are variables, the rest is arbitrary.

use belay_ir::{BlockId, FuncId, Function, InstId, Op, Operand, ops};

use super::path::Path;
use super::{Extractor, Source};

impl Extractor<'_> {
    pub(super) fn load(&self, id: FuncId, function: &Function, inst: InstId, ptr: Operand, paths: &mut [Path]) {
        let ty = function.insts[inst].ty;
        let width = ty.and_then(belay_ir::Type::int_width).filter(|_| self.relevance.value(Source::Inst(id, inst)));
        let kind = width.map(|width| self.readings.inst(id, inst, width));
        for path in paths {
            path.exact &= ty.is_some_and(|ty| self.is_inside(function, ptr, ty, false));
            let Some(kind) = kind else { continue };
            let value = match self.variables.global(ptr) {
                Some(index) => path.global(index),
                None => path.arbitrary(kind),
            };
            path.values.insert(inst, value);
        }
    }

    pub(super) fn store(
        &self,
        id: FuncId,
        function: &Function,
        block: BlockId,
        ptr: Operand,
        value: Operand,
        paths: &mut [Path],
    ) {
        let ty = function.operand_type(value);
        let scope = self.scope(id, function, block);
        for path in paths {
            path.exact &= ty.is_some_and(|ty| self.is_inside(function, ptr, ty, true));
            let Some(index) = self.variables.global(ptr) else { continue };
            let kind = self.variables.kind(index);
            let stored = path.operand(&scope, value, kind).unwrap_or_else(|| path.arbitrary(kind));
            path.globals.insert(index, stored);
        }
    }

    /// True if an access can't fail: it is within a static object that may be written, or a stack object that lives as long as
    /// its function.
    fn is_inside(&self, function: &Function, ptr: Operand, ty: belay_ir::Type, write: bool) -> bool {
        let len = self.program.layout.store_size(ty);
        let fits = |offset: i64, size: u64| {
            u64::try_from(offset).ok().and_then(|start| start.checked_add(len)).is_some_and(|end| end <= size)
        };
        match ptr {
            Operand::Global { global, offset } => {
                let object = &self.program.globals[global];
                !(write && object.constant) && object.size.is_some_and(|size| fits(offset, size))
            }
            Operand::Inst(inst) => match &function.insts[inst].op {
                Op::Alloca { size, scoped: false, dynamic: false, .. } => {
                    size.as_int().and_then(|size| u64::try_from(size).ok()).is_some_and(|size| fits(0, size))
                }
                ops!(values)
                | ops!(memory)
                | Op::Call { .. }
                | Op::Extract { .. }
                | Op::Check { .. }
                | Op::Unsupported { .. } => false,
            },
            Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Func(_)
            | Operand::Undef(_) => false,
        }
    }
}
