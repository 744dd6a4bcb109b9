//! How LLVM types are split into the scalar values of the program form.
//!
//! Registers hold scalars only. A struct, array or vector in a register becomes its leaves, in order of offset. A
//! `long double`, `half` or `__float128` that is merely moved about is as many bits: loading, storing and
//! passing those bits is exact, since memory is bytes. Computing on them is another matter (`x87.rs`).

use belay_ir::Type;

use crate::llvm::{LLVMTypeKind, Layout, Ty};

/// A scalar part of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Where it stands in memory.
    pub offset: u64,
    /// Its type in a register.
    pub ty: Type,
}

/// More leaves than any struct in registers has; beyond it the type is refused.
const MAX_LEAVES: usize = 4096;

/// The leaves of `ty`, or what about it is not handled.
pub fn leaves_of(layout: Layout, ty: Ty) -> Result<Vec<Leaf>, String> {
    let mut leaves = Vec::new();
    collect(layout, ty, 0, &mut leaves)?;
    Ok(leaves)
}

fn collect(layout: Layout, ty: Ty, offset: u64, leaves: &mut Vec<Leaf>) -> Result<(), String> {
    if leaves.len() > MAX_LEAVES {
        return Err(format!("value of type {} in a register", ty.describe()));
    }
    match ty.kind() {
        LLVMTypeKind::LLVMVoidTypeKind => {}
        LLVMTypeKind::LLVMIntegerTypeKind => leaves.push(Leaf { offset, ty: int_type(ty)? }),
        LLVMTypeKind::LLVMFloatTypeKind => leaves.push(Leaf { offset, ty: Type::F32 }),
        LLVMTypeKind::LLVMDoubleTypeKind => leaves.push(Leaf { offset, ty: Type::F64 }),
        LLVMTypeKind::LLVMPointerTypeKind => leaves.push(Leaf { offset, ty: Type::Ptr }),
        // A struct of two floats travels as this vector, in a float register: which one matters for `...`.
        LLVMTypeKind::LLVMVectorTypeKind if is_float_pair(layout, ty) => leaves.push(Leaf { offset, ty: Type::F64 }),
        LLVMTypeKind::LLVMVectorTypeKind => {
            // Elements that are no whole bytes have no place of their own in memory: `is_packed`.
            let stride = layout.store_size(ty.element());
            for index in 0..ty.vector_len() {
                collect(layout, ty.element(), offset + index * stride, leaves)?;
            }
        }
        LLVMTypeKind::LLVMHalfTypeKind
        | LLVMTypeKind::LLVMBFloatTypeKind
        | LLVMTypeKind::LLVMX86_FP80TypeKind
        | LLVMTypeKind::LLVMFP128TypeKind => collect_bits(layout.store_size(ty), offset, leaves),
        LLVMTypeKind::LLVMStructTypeKind if ty.is_sized() => {
            for index in 0..ty.field_count() {
                collect(layout, ty.field(index), offset + layout.field_offset(ty, index), leaves)?;
            }
        }
        LLVMTypeKind::LLVMArrayTypeKind => {
            let stride = layout.alloc_size(ty.element());
            for index in 0..ty.array_len() {
                collect(layout, ty.element(), offset + index * stride, leaves)?;
            }
        }
        LLVMTypeKind::LLVMStructTypeKind
        | LLVMTypeKind::LLVMPPC_FP128TypeKind
        | LLVMTypeKind::LLVMLabelTypeKind
        | LLVMTypeKind::LLVMFunctionTypeKind
        | LLVMTypeKind::LLVMMetadataTypeKind
        | LLVMTypeKind::LLVMTokenTypeKind
        | LLVMTypeKind::LLVMScalableVectorTypeKind
        | LLVMTypeKind::LLVMX86_AMXTypeKind
        | LLVMTypeKind::LLVMTargetExtTypeKind => return Err(format!("type {}", ty.describe())),
    }
    Ok(())
}

/// True for `<2 x float>`.
pub fn is_float_pair(layout: Layout, ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
        && ty.element().kind() == LLVMTypeKind::LLVMFloatTypeKind
        && layout.store_size(ty) == 8
}

pub fn is_vector(ty: Ty) -> bool {
    ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
}

/// True if memory holds the elements of a vector without a byte's bounds between them, or otherwise than side by side.
pub fn is_packed(layout: Layout, ty: Ty) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMVectorTypeKind => {
            let element = ty.element();
            let is_whole = match element.kind() {
                LLVMTypeKind::LLVMIntegerTypeKind => element.int_width().is_multiple_of(8),
                LLVMTypeKind::LLVMX86_FP80TypeKind => false,
                _ => true,
            };
            !is_whole || layout.store_size(element) * ty.vector_len() != layout.store_size(ty)
        }
        LLVMTypeKind::LLVMArrayTypeKind => is_packed(layout, ty.element()),
        LLVMTypeKind::LLVMStructTypeKind => (0..ty.field_count()).any(|index| is_packed(layout, ty.field(index))),
        _ => false,
    }
}

/// The integer type of the same width.
fn int_type(ty: Ty) -> Result<Type, String> {
    let width = u16::try_from(ty.int_width()).unwrap_or(u16::MAX);
    if width > Type::MAX_INT_WIDTH { Err(format!("integer of {} bits", ty.int_width())) } else { Ok(Type::Int(width)) }
}

/// `bytes` bytes as one integer, or as words if they are too many for one.
fn collect_bits(bytes: u64, offset: u64, leaves: &mut Vec<Leaf>) {
    const WORD: u64 = 8;
    if bytes <= u64::from(Type::MAX_INT_WIDTH) / 8 {
        leaves.push(Leaf { offset, ty: Type::Int(bytes as u16 * 8) });
        return;
    }
    for start in (0..bytes).step_by(WORD as usize) {
        let size = WORD.min(bytes - start);
        leaves.push(Leaf { offset: offset + start, ty: Type::Int(size as u16 * 8) });
    }
}

/// True if values of `ty` can only be moved, not computed on.
pub fn is_move_only(ty: Ty) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMHalfTypeKind
        | LLVMTypeKind::LLVMBFloatTypeKind
        | LLVMTypeKind::LLVMX86_FP80TypeKind
        | LLVMTypeKind::LLVMFP128TypeKind
        | LLVMTypeKind::LLVMPPC_FP128TypeKind
        | LLVMTypeKind::LLVMScalableVectorTypeKind => true,
        LLVMTypeKind::LLVMVectorTypeKind => is_move_only(ty.element()),
        LLVMTypeKind::LLVMVoidTypeKind
        | LLVMTypeKind::LLVMFloatTypeKind
        | LLVMTypeKind::LLVMDoubleTypeKind
        | LLVMTypeKind::LLVMLabelTypeKind
        | LLVMTypeKind::LLVMIntegerTypeKind
        | LLVMTypeKind::LLVMFunctionTypeKind
        | LLVMTypeKind::LLVMStructTypeKind
        | LLVMTypeKind::LLVMArrayTypeKind
        | LLVMTypeKind::LLVMPointerTypeKind
        | LLVMTypeKind::LLVMMetadataTypeKind
        | LLVMTypeKind::LLVMTokenTypeKind
        | LLVMTypeKind::LLVMX86_AMXTypeKind
        | LLVMTypeKind::LLVMTargetExtTypeKind => false,
    }
}

/// What C calls values of a move-only type, for messages.
pub fn move_only_name(ty: Ty) -> String {
    match ty.kind() {
        LLVMTypeKind::LLVMX86_FP80TypeKind => "long double arithmetic".to_owned(),
        LLVMTypeKind::LLVMVectorTypeKind | LLVMTypeKind::LLVMScalableVectorTypeKind => "vector operation".to_owned(),
        _ => format!("arithmetic on {}", ty.describe()),
    }
}
