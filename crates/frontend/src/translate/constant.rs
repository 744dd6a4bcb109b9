//! Constants as operands of instructions.

use belay_ir::{CastOp, Op, Operand, Target, Type};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::leaves_of;
use crate::llvm::{LLVMTypeKind, LLVMValueKind, Value};

impl FunctionTranslator<'_, '_> {
    /// The leaves of a constant; what can't be a plain operand is computed by instructions.
    pub(super) fn constant(&mut self, value: Value) -> Leaves {
        match value.kind() {
            LLVMValueKind::LLVMConstantIntValueKind => match wide_int(value) {
                Ok(bits) => Leaves::from_elem(Operand::int(value.ty().int_width() as u16, bits), 1),
                Err(what) => self.unsupported(what, value.ty()),
            },
            LLVMValueKind::LLVMConstantFPValueKind => self.float_constant(value),
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => self.undefined(value.ty()),
            LLVMValueKind::LLVMConstantPointerNullValueKind => Leaves::from_elem(Operand::Null, 1),
            LLVMValueKind::LLVMConstantAggregateZeroValueKind => self.zeros(value),
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantDataArrayValueKind => self.aggregate_constant(value),
            LLVMValueKind::LLVMConstantVectorValueKind | LLVMValueKind::LLVMConstantDataVectorValueKind => {
                self.vector_constant(value)
            }
            LLVMValueKind::LLVMConstantExprValueKind => self.constant_expression(value),
            LLVMValueKind::LLVMGlobalIFuncValueKind => self.unsupported("indirect function".to_owned(), value.ty()),
            _ => match self.module.constant_address(value) {
                Ok(address) => Leaves::from_elem(self.address_operand(address), 1),
                Err(what) => self.unsupported(what, value.ty()),
            },
        }
    }

    fn address_operand(&mut self, (target, addend): (Option<Target>, i64)) -> Operand {
        match target {
            Some(Target::Global(global)) => Operand::Global { global, offset: addend },
            Some(Target::Func(function)) => self.offset_pointer(Operand::Func(function), addend),
            None if addend == 0 => Operand::Null,
            None => {
                let number = self.address_constant(addend);
                self.emit(Op::Cast { op: CastOp::IntToPtr, value: number }, Type::Ptr)
            }
        }
    }

    fn float_constant(&mut self, value: Value) -> Leaves {
        let operand = match value.ty().kind() {
            LLVMTypeKind::LLVMFloatTypeKind => Operand::F32(value.double_value() as f32),
            LLVMTypeKind::LLVMDoubleTypeKind => Operand::F64(value.double_value()),
            LLVMTypeKind::LLVMX86_FP80TypeKind => match fp80_bits(value) {
                Ok(bits) => Operand::int(80, bits),
                Err(what) => return self.unsupported(what, value.ty()),
            },
            _ => return self.unsupported(format!("constant {}", value.print()), value.ty()),
        };
        Leaves::from_elem(operand, 1)
    }

    fn zeros(&mut self, value: Value) -> Leaves {
        match leaves_of(self.module.layout, value.ty()) {
            Ok(leaves) => leaves.into_iter().map(|leaf| zero(leaf.ty)).collect(),
            Err(what) => self.unsupported(what, value.ty()),
        }
    }

    fn aggregate_constant(&mut self, value: Value) -> Leaves {
        let mut leaves = Leaves::new();
        for index in 0.. {
            let Some(element) = value.element(index) else { break };
            leaves.extend(self.constant(element));
        }
        leaves
    }

    /// A constant expression: an address if it is one, else the instruction it stands for.
    fn constant_expression(&mut self, value: Value) -> Leaves {
        if value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind
            && let Ok(address) = self.module.constant_address(value)
        {
            return Leaves::from_elem(self.address_operand(address), 1);
        }
        self.computation(value)
    }
}

fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(width) => Operand::int(width, 0),
        Type::F32 => Operand::F32(0.0),
        Type::F64 => Operand::F64(0.0),
        Type::Ptr => Operand::Null,
    }
}

/// The value of an integer constant of up to 128 bits.
pub fn wide_int(value: Value) -> Result<u128, String> {
    let width = value.ty().int_width();
    if width <= 64 {
        return Ok(u128::from(value.int_value()));
    }
    // The C API gives no access to the words of a wider constant, but prints it: `i128 -5`.
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let parsed = digits.parse::<i128>().map(|number| number as u128).or_else(|_| digits.parse::<u128>());
    if width > u32::from(Type::MAX_INT_WIDTH) {
        return Err(format!("integer of {width} bits"));
    }
    parsed.map_err(|_| format!("constant {text}"))
}

/// The bits of a `long double` constant, which prints as `x86_fp80 0xK…`.
pub fn fp80_bits(value: Value) -> Result<u128, String> {
    let text = value.print();
    let digits = text.rsplit("0xK").next().unwrap_or_default();
    u128::from_str_radix(digits, 16).map_err(|_| format!("constant {text}"))
}
