//! Alignment as an obligation of its own, where the user asks for it: before an access through a pointer of a type that is stored at multiples of
//! n bytes, `address % n == 0`.
//!
//! *Sound* to leave out where the pointer is a constant distance, or a multiple of n, from the start of a variable that the compiler aligns: these are most
//! accesses, and whoever takes their address only to be asked about it could not be kept in a register.

use belay_ir::{BinaryOp, CastOp, IntPredicate, ObligationDetail, Op, Operand, Property, Type, low_zeros};

use super::function::FunctionTranslator;

impl FunctionTranslator<'_, '_> {
    /// An obligation that `ptr` is aligned to `align` bytes, unless that is plain or was not asked for.
    pub(super) fn check_aligned(&mut self, ptr: Operand, align: u32) {
        let zeros = align.trailing_zeros();
        if !self.module.check_alignment || align <= 1 || self.known_zeros(ptr) >= zeros {
            return;
        }
        let address_type = self.module.program.layout.address_type();
        let address = self.emit(Op::Cast { op: CastOp::PtrToInt, value: ptr }, address_type);
        let bytes = self.address_constant(align.into());
        let rest = self.emit(Op::Binary { op: BinaryOp::URem, lhs: address, rhs: bytes }, address_type);
        let zero = self.address_constant(0);
        let cond = self.emit(Op::Compare { op: IntPredicate::Eq, lhs: rest, rhs: zero }, Type::BOOL);
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Alignment(align));
        self.emit_effect(Op::Check { cond, obligation });
    }

    /// How many low bits of an address are surely 0.
    fn known_zeros(&self, ptr: Operand) -> u32 {
        let program = &self.module.program;
        let outside = |operand| match operand {
            Operand::Global { global, offset } => {
                offset.trailing_zeros().min(program.globals[global].align.trailing_zeros())
            }
            Operand::Param(index) => {
                let param = program.functions[self.id].params.get(index as usize);
                param.and_then(|param| param.byval).map_or(0, |(_, align)| align.trailing_zeros())
            }
            _ => 0,
        };
        low_zeros(&self.insts, &outside, ptr)
    }
}
