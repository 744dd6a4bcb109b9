//! Memory: stack objects, loads, stores, address arithmetic.

use belay_ir::{BinaryOp, CastOp, ENTRY_BUILDER, InstId, ObligationDetail, Op, Operand, Property, Type};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::{Leaf, is_packed, leaves_of};
use crate::llvm::{Bb, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Module, Ty, Value};
use belay_scopes::has_lifetime_markers;
use rustc_hash::FxHashSet;

impl FunctionTranslator<'_, '_> {
    pub(super) fn alloca(&mut self, inst: Value) -> Leaves {
        let unit = self.module.layout.alloc_size(inst.allocated_type());
        let count = self.scalar(inst.operand(0));
        let in_entry = inst.parent() == self.value.blocks()[0];
        let (size, dynamic) = match count.as_int() {
            Some(count) => (self.address_constant((unit as u128).wrapping_mul(count) as i64), !in_entry),
            None => (self.scale(count, unit), true),
        };
        let scoped = has_lifetime_markers(inst) || self.lives.scoped.contains(&inst);
        let is_array = dynamic || inst.allocated_type().kind() == LLVMTypeKind::LLVMArrayTypeKind;
        let is_described = is_array && self.module.program.functions[self.id].name == ENTRY_BUILDER;
        // A caller may hand over any array that is aligned as its elements have to be.
        let align = if is_described { self.module.layout.abi_align(inst.allocated_type()) } else { inst.align() };
        let object = self.new_object(size, align, scoped, dynamic);
        if is_described && self.module.may_hold_pointer(inst.allocated_type()) {
            let what = "what the pointers in an --array point to is not given".to_owned();
            self.emit_effect(Op::Unsupported { what });
        }
        Leaves::from_elem(object, 1)
    }

    pub(super) fn new_object(&mut self, size: Operand, align: u32, scoped: bool, dynamic: bool) -> Operand {
        self.emit(Op::Alloca { size, align: align.max(1), scoped, dynamic }, Type::Ptr)
    }

    /// `count * unit` in address width. The count of a variable-length array is unsigned.
    fn scale(&mut self, count: Operand, unit: u64) -> Operand {
        let address = self.module.program.layout.address_type();
        let (Type::Int(from), Type::Int(to)) = (self.operand_type(count), address) else { return count };
        let count = match from.cmp(&to) {
            std::cmp::Ordering::Less => self.emit(Op::Cast { op: CastOp::ZExt, value: count }, address),
            std::cmp::Ordering::Equal => count,
            std::cmp::Ordering::Greater => self.emit(Op::Cast { op: CastOp::Trunc, value: count }, address),
        };
        if unit == 1 {
            return count;
        }
        let unit = self.address_constant(unit as i64);
        self.emit(Op::Binary { op: BinaryOp::Mul, lhs: count, rhs: unit }, address)
    }

    pub(super) fn load(&mut self, inst: Value) -> Leaves {
        if is_packed(self.module.layout, inst.ty()) {
            return self.unsupported("a vector of bits in memory".to_owned(), inst.ty());
        }
        let leaves = match leaves_of(self.module.layout, inst.ty()) {
            Ok(leaves) => leaves,
            Err(what) => return self.unsupported(what, inst.ty()),
        };
        if self.is_left_open(inst.operand(0), leaves.iter().any(|leaf| leaf.ty == Type::Ptr)) {
            self.approximate("what is in a variable which no file defines is not known");
        }
        let base = self.scalar(inst.operand(0));
        leaves.into_iter().map(|leaf| self.read_leaf(inst, base, leaf)).collect()
    }

    /// True for a place in a variable that the program neither defines nor writes to by its name (`environ`). Whoever defines it may let its pointers lead to what may be accessed: no violation rests
    /// on what is found there, as on no pointer that a function without a body returns.
    fn is_left_open(&self, mut address: Value, is_pointer: bool) -> bool {
        while address.kind() == LLVMValueKind::LLVMConstantExprValueKind
            && matches!(address.opcode(), LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast)
        {
            address = address.operand(0);
        }
        let is_store = |user: Value| {
            user.kind() == LLVMValueKind::LLVMInstructionValueKind && user.opcode() == LLVMOpcode::LLVMStore
        };
        self.module.externs == belay_ir::Externs::Havoc
            && address.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
            && address.initializer().is_none()
            && is_pointer
            && !address.users().into_iter().any(is_store)
    }

    /// What an instruction reads through its first operand.
    pub(super) fn read_leaf(&mut self, inst: Value, base: Operand, leaf: Leaf) -> Operand {
        let is_open = self.is_changed_by_others(inst.is_volatile(), inst.operand(0));
        if is_open { self.load_any(inst, base, leaf) } else { self.load_leaf(inst, base, leaf) }
    }

    /// A volatile access to anything but a local by its name: a register of a device, or what a signal handler writes.
    pub(super) fn is_changed_by_others(&self, is_volatile: bool, mut address: Value) -> bool {
        let is_step = |value: Value| {
            value.kind() == LLVMValueKind::LLVMInstructionValueKind
                && matches!(value.opcode(), LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast)
        };
        while is_step(address) {
            address = address.operand(0);
        }
        let is_local =
            address.kind() == LLVMValueKind::LLVMInstructionValueKind && address.opcode() == LLVMOpcode::LLVMAlloca;
        is_volatile && self.module.volatile_changes && !is_local
    }

    /// True if so many bytes may hold a struct with a volatile member. clang copies one as if it had none where that starts a variable or passes
    /// an argument; so every copy counts that is large enough. Constants are nobody's to change.
    pub(super) fn may_have_volatile_member(&self, from: Value, size: Option<u64>) -> bool {
        let is_constant = from.kind() == LLVMValueKind::LLVMGlobalVariableValueKind && from.is_constant_global();
        let least = self.module.least_volatile_struct;
        !is_constant && least.is_some_and(|least| size.is_none_or(|size| size >= least))
    }

    /// Reads what others may have changed: the access must be valid, the value is any of its type.
    fn load_any(&mut self, inst: Value, base: Operand, leaf: Leaf) -> Operand {
        self.load_leaf(inst, base, leaf);
        if leaf.ty == Type::Ptr {
            self.emit_effect(Op::Unsupported {
                what: "a volatile pointer, which others may change, is read".to_owned(),
            });
        }
        self.emit(Op::Arbitrary { uninit: None }, leaf.ty)
    }

    fn load_leaf(&mut self, inst: Value, base: Operand, leaf: Leaf) -> Operand {
        let ptr = self.offset_pointer(base, leaf.offset as i64);
        let memory = memory_type(leaf.ty);
        let (align, volatile) = (leaf_align(inst.align(), leaf.offset), inst.is_volatile());
        self.check_aligned(ptr, align);
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Load);
        let loaded = self.emit(Op::Load { ptr, align, volatile, obligation }, memory);
        if memory == leaf.ty { loaded } else { self.emit(Op::Cast { op: CastOp::Trunc, value: loaded }, leaf.ty) }
    }

    pub(super) fn store(&mut self, inst: Value) -> Leaves {
        let (value, ptr) = (inst.operand(0), inst.operand(1));
        if is_packed(self.module.layout, value.ty()) {
            return self.unsupported("a vector of bits in memory".to_owned(), inst.ty());
        }
        let leaves = match leaves_of(self.module.layout, value.ty()) {
            Ok(leaves) => leaves,
            Err(what) => return self.unsupported(what, inst.ty()),
        };
        let values = self.leaves(value);
        let base = self.scalar(ptr);
        for (leaf, value) in leaves.into_iter().zip(values) {
            self.store_leaf(inst, base, leaf, value);
        }
        Leaves::new()
    }

    pub(super) fn store_leaf(&mut self, inst: Value, base: Operand, leaf: Leaf, value: Operand) {
        let ptr = self.offset_pointer(base, leaf.offset as i64);
        let memory = memory_type(leaf.ty);
        let value = if memory == leaf.ty { value } else { self.emit(Op::Cast { op: CastOp::ZExt, value }, memory) };
        let (align, volatile) = (leaf_align(inst.align(), leaf.offset), inst.is_volatile());
        self.check_aligned(ptr, align);
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Store);
        self.emit_effect(Op::Store { ptr, value, align, volatile, obligation });
    }

    /// `base` plus a constant number of bytes.
    pub(super) fn offset_pointer(&mut self, base: Operand, offset: i64) -> Operand {
        match base {
            _ if offset == 0 => base,
            Operand::Global { global, offset: start } => Operand::Global { global, offset: start.wrapping_add(offset) },
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Func(_)
            | Operand::Undef(_) => {
                let offset = self.address_constant(offset);
                self.emit(Op::PtrAdd { base, offset }, Type::Ptr)
            }
        }
    }

    /// Address arithmetic: the constant part in one step, then each variable index times its stride.
    pub(super) fn element_pointer(&mut self, inst: Value) -> Leaves {
        if inst.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind {
            return self.unsupported("vector operation".to_owned(), inst.ty());
        }
        let base = self.scalar(inst.operand(0));
        let mut ty = inst.gep_type();
        let mut constant = 0i64;
        let mut terms = Vec::new();
        for position in 1..inst.operand_count() {
            let index = inst.operand(position);
            if position > 1 {
                if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                    let field = index.int_value() as u32;
                    constant = constant.wrapping_add(self.module.layout.field_offset(ty, field) as i64);
                    ty = ty.field(field);
                    continue;
                }
                ty = ty.element();
            }
            let stride = self.module.layout.alloc_size(ty);
            let operand = self.scalar(index);
            let wide = self.sign_extended_to_address(operand);
            match wide.as_int() {
                Some(bits) => constant = constant.wrapping_add((bits as i64).wrapping_mul(stride as i64)),
                None => terms.push((wide, stride)),
            }
        }
        Leaves::from_elem(self.sum_pointer(base, constant, terms), 1)
    }

    fn sum_pointer(&mut self, base: Operand, constant: i64, terms: Vec<(Operand, u64)>) -> Operand {
        let address = self.module.program.layout.address_type();
        let mut pointer = self.offset_pointer(base, constant);
        for (index, stride) in terms {
            let offset = match stride {
                1 => index,
                _ => {
                    let rhs = self.address_constant(stride as i64);
                    self.emit(Op::Binary { op: BinaryOp::Mul, lhs: index, rhs }, address)
                }
            };
            pointer = self.emit(Op::PtrAdd { base: pointer, offset }, Type::Ptr);
        }
        pointer
    }

    /// The stack object that a lifetime marker names.
    pub(super) fn find_marked_object(&mut self, value: Value) -> Option<InstId> {
        if value.kind() != LLVMValueKind::LLVMInstructionValueKind {
            return None;
        }
        match self.scalar(value) {
            Operand::Inst(id) if matches!(self.insts[id].op, Op::Alloca { .. }) => Some(id),
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => None,
        }
    }
}

/// Memory holds whole bytes: an `i1` is a byte of which only the lowest bit is used.
fn memory_type(ty: Type) -> Type {
    match ty {
        Type::Int(width) => Type::Int(width.next_multiple_of(8)),
        Type::F32 | Type::F64 | Type::Ptr => ty,
    }
}

/// What is known of the address so many bytes into something that is aligned.
fn leaf_align(align: u32, offset: u64) -> u32 {
    let align = align.max(1);
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(31)) }
}

/// The size of the smallest struct of which the program reads or writes a member as volatile.
pub(super) fn least_volatile_struct(module: &Module, user_functions: &FxHashSet<String>) -> Option<u64> {
    let users = module.functions().into_iter().filter(|function| user_functions.contains(&function.name()));
    let insts = users.flat_map(Value::blocks).flat_map(Bb::instructions);
    let places = insts.filter_map(|inst| match inst.opcode() {
        LLVMOpcode::LLVMLoad if inst.is_volatile() => Some(inst.operand(0)),
        LLVMOpcode::LLVMStore if inst.is_volatile() => Some(inst.operand(1)),
        _ => None,
    });
    places.flat_map(structs_around).map(|ty| module.layout().alloc_size(ty)).min()
}

/// The structs that a place is a member of, as far as its address shows.
fn structs_around(mut place: Value) -> Vec<Ty> {
    let mut found = Vec::new();
    loop {
        let has_opcode =
            matches!(place.kind(), LLVMValueKind::LLVMInstructionValueKind | LLVMValueKind::LLVMConstantExprValueKind);
        match place.kind() {
            LLVMValueKind::LLVMGlobalVariableValueKind => found.push(place.value_type()),
            _ if !has_opcode => {}
            _ if place.opcode() == LLVMOpcode::LLVMGetElementPtr => {
                found.push(place.gep_type());
                place = place.operand(0);
                continue;
            }
            _ => {}
        }
        found.retain(|ty| ty.kind() == LLVMTypeKind::LLVMStructTypeKind);
        return found;
    }
}
