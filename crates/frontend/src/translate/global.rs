//! Globals: their initial bytes, the addresses among them, and the lists of constructors and destructors.

use belay_ir::{Block, CType, FuncId, FuncKind, Function, GlobalInit, Inst, Op, Relocation, Target, Terminator};

use super::Translator;
use super::constant::wide_int;
use crate::llvm::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Module, Ty, Value};

/// An initialiser while it is written.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    /// Puts bytes at an offset; trailing zeros stay implicit.
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        if used == 0 {
            return;
        }
        let (start, end) = (offset as usize, offset as usize + used);
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(&bytes[..used]);
    }
}

impl Translator<'_> {
    /// Gives every global that was referred to its content, and those that this refers to in turn.
    pub(super) fn translate_pending_globals(&mut self) {
        while let Some((id, value)) = self.pending_globals.pop() {
            let Some(initializer) = value.initializer() else { continue };
            let mut image = Image::default();
            match self.write(&mut image, 0, initializer) {
                Ok(()) => {
                    image.relocations.sort_by_key(|relocation| relocation.offset);
                    self.program.globals[id].init =
                        Some(GlobalInit { bytes: image.bytes, relocations: image.relocations });
                }
                Err(what) => {
                    // Without a size every access to it is unknown.
                    let global = &mut self.program.globals[id];
                    global.size = None;
                    let note = format!("initialiser of {} is not handled: {what}", global.name);
                    self.program.notes.push(note);
                }
            }
        }
    }

    fn write(&mut self, image: &mut Image, offset: u64, value: Value) -> Result<(), String> {
        match value.kind() {
            LLVMValueKind::LLVMConstantAggregateZeroValueKind
            | LLVMValueKind::LLVMConstantPointerNullValueKind
            | LLVMValueKind::LLVMUndefValueValueKind
            | LLVMValueKind::LLVMPoisonValueKind => Ok(()),
            LLVMValueKind::LLVMConstantIntValueKind => {
                let size = self.layout.store_size(value.ty()) as usize;
                image.put(offset, &int_bytes(value, size)?);
                Ok(())
            }
            LLVMValueKind::LLVMConstantFPValueKind => self.write_float(image, offset, value),
            LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind
            | LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind => self.write_array(image, offset, value),
            LLVMValueKind::LLVMConstantStructValueKind => {
                let ty = value.ty();
                for index in 0..ty.field_count() {
                    let field = value.element(index).ok_or("struct without its field")?;
                    self.write(image, offset + self.layout.field_offset(ty, index), field)?;
                }
                Ok(())
            }
            _ => self.write_address(image, offset, value),
        }
    }

    fn write_float(&mut self, image: &mut Image, offset: u64, value: Value) -> Result<(), String> {
        match value.ty().kind() {
            LLVMTypeKind::LLVMFloatTypeKind => image.put(offset, &(value.double_value() as f32).to_le_bytes()),
            LLVMTypeKind::LLVMDoubleTypeKind => image.put(offset, &value.double_value().to_le_bytes()),
            LLVMTypeKind::LLVMX86_FP80TypeKind => {
                image.put(offset, &super::constant::fp80_bits(value)?.to_le_bytes()[..10])
            }
            _ => return Err(format!("constant {}", value.print())),
        }
        Ok(())
    }

    fn write_array(&mut self, image: &mut Image, offset: u64, value: Value) -> Result<(), String> {
        if let Some(bytes) = value.string() {
            image.put(offset, &bytes);
            return Ok(());
        }
        let ty = value.ty();
        let (stride, count) = match ty.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => (self.layout.alloc_size(ty.element()), ty.array_len()),
            _ => (self.layout.store_size(ty.element()), u64::MAX),
        };
        for index in 0..count {
            let Some(element) = value.element(index as u32) else { break };
            self.write(image, offset + index * stride, element)?;
        }
        Ok(())
    }

    fn write_address(&mut self, image: &mut Image, offset: u64, value: Value) -> Result<(), String> {
        match self.constant_address(value)? {
            (Some(target), addend) => image.relocations.push(Relocation { offset, target, addend }),
            (None, address) => {
                image.put(offset, &address.to_le_bytes()[..self.program.layout.pointer_bytes() as usize])
            }
        }
        Ok(())
    }

    /// A constant address as a target and an addend; without a target, a plain number.
    pub(super) fn constant_address(&mut self, value: Value) -> Result<(Option<Target>, i64), String> {
        let value = Self::resolve_alias(value);
        if self.may_be_missing(value) {
            return Err(format!("address of {}, which is weak and defined nowhere: it may be null", value.name()));
        }
        match value.kind() {
            LLVMValueKind::LLVMGlobalVariableValueKind => Ok((Some(Target::Global(self.global_id(value))), 0)),
            LLVMValueKind::LLVMFunctionValueKind => Ok((Some(Target::Func(self.address_of_function(value))), 0)),
            LLVMValueKind::LLVMBlockAddressValueKind => {
                Ok((Some(Target::Global(self.label_object(value.labelled_block()))), 0))
            }
            LLVMValueKind::LLVMConstantPointerNullValueKind => Ok((None, 0)),
            LLVMValueKind::LLVMConstantIntValueKind => Ok((None, value.int_value() as i64)),
            LLVMValueKind::LLVMConstantExprValueKind => self.constant_expression(value),
            _ => Err(format!("constant {}", value.print())),
        }
    }

    /// True for a weak symbol that the program does not define: its address is null unless somebody else does.
    pub(super) fn may_be_missing(&mut self, value: Value) -> bool {
        match value.kind() {
            LLVMValueKind::LLVMGlobalVariableValueKind => value.is_weak_declaration(),
            LLVMValueKind::LLVMFunctionValueKind if value.is_weak_declaration() => {
                let id = self.function_id(value);
                self.program.functions[id].kind == FuncKind::Extern
            }
            _ => false,
        }
    }

    fn constant_expression(&mut self, value: Value) -> Result<(Option<Target>, i64), String> {
        let pointer_bits = u32::from(self.program.layout.pointer_bits());
        match value.opcode() {
            LLVMOpcode::LLVMGetElementPtr => {
                let (target, addend) = self.constant_address(value.operand(0))?;
                Ok((target, addend.wrapping_add(self.constant_gep_offset(value)?)))
            }
            LLVMOpcode::LLVMBitCast => self.constant_address(value.operand(0)),
            LLVMOpcode::LLVMPtrToInt if value.ty().int_width() == pointer_bits => {
                self.constant_address(value.operand(0))
            }
            LLVMOpcode::LLVMIntToPtr if value.operand(0).ty().int_width() == pointer_bits => {
                let (target, addend) = self.constant_address(value.operand(0))?;
                Ok(if target.is_none() { self.place_of_number(addend) } else { (target, addend) })
            }
            LLVMOpcode::LLVMAdd => {
                let (left, a) = self.constant_address(value.operand(0))?;
                let (right, b) = self.constant_address(value.operand(1))?;
                match (left, right) {
                    (target, None) | (None, target) => Ok((target, a.wrapping_add(b))),
                    (Some(_), Some(_)) => Err(format!("constant {}", value.print())),
                }
            }
            _ => Err(format!("constant {}", value.print())),
        }
    }

    /// The byte offset of a constant `getelementptr`.
    pub(super) fn constant_gep_offset(&mut self, gep: Value) -> Result<i64, String> {
        let mut ty = gep.gep_type();
        let mut offset = 0i64;
        for position in 1..gep.operand_count() {
            let index = gep.operand(position);
            if index.kind() != LLVMValueKind::LLVMConstantIntValueKind {
                return Err(format!("constant {}", gep.print()));
            }
            if position > 1 {
                match ty.kind() {
                    LLVMTypeKind::LLVMStructTypeKind => {
                        let field = index.int_value() as u32;
                        offset = offset.wrapping_add(self.layout.field_offset(ty, field) as i64);
                        ty = ty.field(field);
                        continue;
                    }
                    _ => ty = ty.element(),
                }
            }
            let stride = self.layout.alloc_size(ty) as i64;
            offset = offset.wrapping_add(stride.wrapping_mul(signed_index(index)));
        }
        Ok(offset)
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`, the least priority first, those of one priority as they stand in the list.
    /// So constructors are run; destructors from the end: the greatest priority first, and of one priority the last in the list.
    pub(super) fn startup_list(&mut self, module: &Module, name: &str) -> Vec<FuncId> {
        let Some(list) = module.global(name).and_then(Value::initializer) else { return Vec::new() };
        let mut entries = Vec::new();
        for index in 0.. {
            let Some(entry) = list.element(index) else { break };
            let (Some(priority), Some(function)) = (entry.element(0), entry.element(1)) else { break };
            if function.kind() == LLVMValueKind::LLVMFunctionValueKind {
                entries.push((priority.int_value(), self.function_id(function)));
            }
        }
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, function)| self.without_parameters(function)).collect()
    }

    /// A function that is run at the start or at the end of a run. C says nothing of what is given to one that takes parameters.
    fn without_parameters(&mut self, id: FuncId) -> FuncId {
        let function = &self.program.functions[id];
        if function.params.is_empty() {
            return id;
        }
        let span = function.span;
        let what = format!("{} takes parameters, and is run as a constructor or destructor", function.name);
        let mut stand_in = Function { span, ..Function::empty(function.name.clone(), FuncKind::Defined) };
        let refused = stand_in.insts.push(Inst { op: Op::Unsupported { what }, ty: None, span });
        let (name, term) = ("entry".to_owned(), Terminator::Return(Vec::new()));
        stand_in.blocks.push(Block { name, insts: vec![refused], term, term_span: span });
        self.program.functions.push(stand_in)
    }
}

fn signed_index(index: Value) -> i64 {
    let width = index.ty().int_width();
    let value = index.int_value();
    if width >= 64 { value as i64 } else { ((value << (64 - width)) as i64) >> (64 - width) }
}

fn int_bytes(value: Value, size: usize) -> Result<Vec<u8>, String> {
    let bits = wide_int(value)?;
    let mut bytes = bits.to_le_bytes().to_vec();
    bytes.resize(size, 0);
    Ok(bytes)
}

/// How to show a global whose C type is not known.
pub fn ctype_of(ty: Ty) -> CType {
    match ty.kind() {
        LLVMTypeKind::LLVMIntegerTypeKind => CType::Signed,
        LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => CType::Float,
        LLVMTypeKind::LLVMPointerTypeKind => CType::Pointer,
        _ => CType::Aggregate,
    }
}
