//! A thin layer over LLVM's C API: handles that are `Copy`, iterators instead of linked lists, `String`
//! instead of `char *`. Every handle borrows from the [`Module`] it came from; translation keeps the
//! module alive for as long as it uses them, and no other crate calls LLVM directly.

// Methods have the names of LLVM's functions, whose documentation says what they do.
#![allow(missing_docs)]

mod debug;
mod module;

use std::ptr;

use llvm_sys::LLVMDbgRecordKind::LLVMDbgRecordDeclare;
use llvm_sys::core::*;
pub use llvm_sys::debuginfo::LLVMMetadataKind;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
pub use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind, LLVMValueKind};
pub use module::{Context, Layout, Module, NotLinked, Ty};
use module::{borrowed, owned, walk};

/// A value: constant, global, function, parameter or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bb(LLVMBasicBlockRef);

/// A piece of debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meta(LLVMMetadataRef);

/// A variable that the debug information declares at an instruction.
pub struct Declared {
    /// The stack object (or by-value parameter) that holds it.
    pub storage: Value,
    /// The variable's description.
    pub variable: Meta,
    /// Where its name stands.
    pub place: Option<Meta>,
}

// SAFETY of this block: queries on live values of the kind that the query is for.
impl Value {
    fn some(raw: LLVMValueRef) -> Option<Value> {
        (!raw.is_null()).then_some(Value(raw))
    }
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }
    pub fn name(self) -> String {
        let mut len = 0;
        unsafe {
            let text = LLVMGetValueName2(self.0, &mut len);
            borrowed(text, len)
        }
    }
    pub fn ty(self) -> Ty {
        Ty(unsafe { LLVMTypeOf(self.0) })
    }
    pub fn print(self) -> String {
        unsafe { owned(LLVMPrintValueToString(self.0)) }
    }
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).unsigned_abs() }
    }
    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }
    pub fn opcode(self) -> LLVMOpcode {
        unsafe {
            if self.kind() == LLVMValueKind::LLVMInstructionValueKind {
                LLVMGetInstructionOpcode(self.0)
            } else {
                LLVMGetConstOpcode(self.0)
            }
        }
    }
    /// The values that use this one.
    pub fn users(self) -> Vec<Value> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstUse(self.0);
            while !at.is_null() {
                all.push(Value(LLVMGetUser(at)));
                at = LLVMGetNextUse(at);
            }
        }
        all
    }

    // Constants.
    pub fn int_value(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }
    pub fn double_value(self) -> f64 {
        let mut lossy = 0;
        unsafe { LLVMConstRealGetDouble(self.0, &mut lossy) }
    }
    pub fn element(self, index: u32) -> Option<Value> {
        Value::some(unsafe { LLVMGetAggregateElement(self.0, index) })
    }
    /// The bytes of a constant string.
    pub fn string(self) -> Option<Vec<u8>> {
        unsafe {
            if LLVMIsAConstantDataSequential(self.0).is_null() || LLVMIsConstantString(self.0) == 0 {
                return None;
            }
            let mut len = 0;
            let text = LLVMGetAsString(self.0, &mut len);
            Some(std::slice::from_raw_parts(text.cast::<u8>(), len).to_vec())
        }
    }

    // Globals and functions.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    /// True for a function that is declared not to return.
    pub fn is_noreturn(self) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"noreturn".as_ptr(), 8);
            !LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
        }
    }
    /// The instruction before this one in its block.
    pub fn previous(self) -> Option<Value> {
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Value(previous))
    }
    /// True if the name is known in its own file only.
    pub fn is_local(self) -> bool {
        use llvm_sys::LLVMLinkage::{LLVMInternalLinkage, LLVMPrivateLinkage};
        matches!(unsafe { LLVMGetLinkage(self.0) }, LLVMInternalLinkage | LLVMPrivateLinkage)
    }
    /// True for a global that is declared weak and has no definition.
    pub fn is_weak_declaration(self) -> bool {
        unsafe { LLVMGetLinkage(self.0) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage }
    }
    pub fn value_type(self) -> Ty {
        Ty(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    pub fn initializer(self) -> Option<Value> {
        Value::some(unsafe { LLVMGetInitializer(self.0) })
    }
    /// True for a constant whose address means nothing and which no other file knows: a string literal, in what clang makes of C.
    pub fn is_literal(self) -> bool {
        use llvm_sys::{LLVMLinkage::LLVMPrivateLinkage, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr};
        let (linkage, address) = unsafe { (LLVMGetLinkage(self.0), LLVMGetUnnamedAddress(self.0)) };
        self.is_constant_global() && linkage == LLVMPrivateLinkage && address == LLVMGlobalUnnamedAddr
    }
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }
    pub fn align(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }
    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }
    pub fn blocks(self) -> Vec<Bb> {
        let count = unsafe { LLVMCountBasicBlocks(self.0) } as usize;
        let mut raw = vec![ptr::null_mut(); count];
        unsafe { LLVMGetBasicBlocks(self.0, raw.as_mut_ptr()) };
        raw.into_iter().map(Bb).collect()
    }
    pub fn params(self) -> Vec<Value> {
        let count = unsafe { LLVMCountParams(self.0) } as usize;
        let mut raw = vec![ptr::null_mut(); count];
        unsafe { LLVMGetParams(self.0, raw.as_mut_ptr()) };
        raw.into_iter().map(Value).collect()
    }
    pub fn subprogram(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMGetSubprogram(self.0) })
    }
    /// The type behind `byval` on parameter `index` of a function.
    pub fn byval_param(self, index: u32) -> Option<Ty> {
        unsafe { type_attribute(LLVMGetEnumAttributeAtIndex(self.0, index + 1, byval_kind())) }
    }
    /// True for a function that writes the structure that it returns to where its first parameter says.
    pub fn has_struct_return(self) -> bool {
        let name = c"sret";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr(), name.to_bytes().len());
            !LLVMGetEnumAttributeAtIndex(self.0, 1, kind).is_null()
        }
    }
    pub fn intrinsic_name(self) -> Option<String> {
        if unsafe { LLVMGetIntrinsicID(self.0) } == 0 {
            return None;
        }
        Some(self.name())
    }

    // Instructions.
    pub fn successors(self) -> Vec<Bb> {
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|index| Bb(LLVMGetSuccessor(self.0, index))).collect() }
    }
    /// The block whose address this constant is.
    pub fn labelled_block(self) -> Bb {
        Bb(unsafe { LLVMGetBlockAddressBasicBlock(self.0) })
    }
    pub fn parent(self) -> Bb {
        Bb(unsafe { LLVMGetInstructionParent(self.0) })
    }
    pub fn condition(self) -> Value {
        Value(unsafe { LLVMGetCondition(self.0) })
    }
    pub fn case_value(self, successor: u32) -> Value {
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, successor) })
    }
    pub fn incoming(self) -> Vec<(Value, Bb)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|index| (Value(LLVMGetIncomingValue(self.0, index)), Bb(LLVMGetIncomingBlock(self.0, index))))
                .collect()
        }
    }
    pub fn allocated_type(self) -> Ty {
        Ty(unsafe { LLVMGetAllocatedType(self.0) })
    }
    pub fn gep_type(self) -> Ty {
        Ty(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }
    /// Which elements a `shufflevector` takes, of both vectors; beyond them all where it does not matter.
    pub fn mask(self) -> Vec<u32> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|at| u32::try_from(LLVMGetMaskValue(self.0, at)).unwrap_or(u32::MAX))
                .collect()
        }
    }
    /// True of a function that neither reads nor writes memory that others see.
    pub fn touches_no_memory(self) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"memory".as_ptr(), 6);
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind);
            !attribute.is_null() && LLVMGetEnumAttributeValue(attribute) == 0
        }
    }
    /// Whether the result of an addition, subtraction, multiplication or shift is poison where it overflows: as signed, as unsigned.
    pub fn no_wrap(self) -> (bool, bool) {
        unsafe { (LLVMGetNSW(self.0) != 0, LLVMGetNUW(self.0) != 0) }
    }
    /// Whether the result of a division or a right shift is poison where something is left over.
    pub fn is_exact(self) -> bool {
        let can_be = matches!(
            self.opcode(),
            LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr
        );
        can_be && unsafe { LLVMGetExact(self.0) != 0 }
    }
    /// Whether the result is poison where an operand is negative (`nneg`), both have a bit (`disjoint`), or their signs differ (`samesign`).
    pub fn has_poison_flag(self) -> bool {
        let flag = match self.opcode() {
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMUIToFP => unsafe { LLVMGetNNeg(self.0) },
            LLVMOpcode::LLVMOr => unsafe { LLVMGetIsDisjoint(self.0) },
            LLVMOpcode::LLVMICmp => unsafe { LLVMGetICmpSameSign(self.0) },
            _ => 0,
        };
        flag != 0
    }
    /// Whether an instruction on floats may give other results than IEEE 754 says.
    pub fn is_fast(self) -> bool {
        unsafe { LLVMCanValueUseFastMathFlags(self.0) != 0 && LLVMGetFastMathFlags(self.0) != 0 }
    }
    pub fn has_side_effects(self) -> bool {
        unsafe { LLVMGetInlineAsmHasSideEffects(self.0) != 0 }
    }
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    /// What an `atomicrmw` does.
    pub fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }
    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }
    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }
    pub fn call_type(self) -> Ty {
        Ty(unsafe { LLVMGetCalledFunctionType(self.0) })
    }
    pub fn arguments(self) -> Vec<Value> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|index| self.operand(index)).collect()
    }
    /// The type behind `byval` on argument `index` of a call.
    pub fn byval_argument(self, index: u32) -> Option<Ty> {
        unsafe { type_attribute(LLVMGetCallSiteEnumAttribute(self.0, index + 1, byval_kind())) }
    }
    /// What a call promises of the alignment of argument `index`; 1 if nothing.
    pub fn argument_align(self, index: u32) -> u32 {
        // SAFETY: the attribute, if any, is an `align`, which carries a number.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            if attribute.is_null() { 1 } else { LLVMGetEnumAttributeValue(attribute) as u32 }
        }
    }
    pub fn is_inline_asm(self) -> bool {
        unsafe { !LLVMIsAInlineAsm(self.0).is_null() }
    }
    /// The template of an inline assembly.
    pub fn asm_template(self) -> String {
        let mut len = 0;
        unsafe {
            let text = LLVMGetInlineAsmAsmString(self.0, &mut len);
            borrowed(text, len)
        }
    }
    pub fn asm_constraints(self) -> String {
        let mut len = 0;
        unsafe {
            let text = LLVMGetInlineAsmConstraintString(self.0, &mut len);
            borrowed(text, len)
        }
    }
    /// What debug information is attached to a global.
    pub fn attached(self) -> Vec<Meta> {
        let mut count = 0;
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let metas =
                (0..count as u32).filter_map(|index| Meta::some(LLVMValueMetadataEntriesGetMetadata(entries, index)));
            let all = metas
                .filter(|meta| matches!(meta.kind(), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind));
            let all = all.collect();
            LLVMDisposeValueMetadataEntries(entries);
            all
        }
    }
    /// A function's blocks that control can reach, each before its successors but for back edges.
    pub fn reverse_postorder(self) -> Vec<Bb> {
        let Some(entry) = self.blocks().first().copied() else { return Vec::new() };
        let mut seen = std::collections::HashSet::from([entry]);
        let mut order = Vec::new();
        let mut stack = vec![(entry, entry.terminator().successors().into_iter())];
        while let Some((bb, successors)) = stack.last_mut() {
            match successors.find(|next| seen.insert(*next)) {
                Some(next) => stack.push((next, next.terminator().successors().into_iter())),
                None => {
                    order.push(*bb);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
    pub fn debug_location(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }
    /// The variables whose declaration stands just before this instruction.
    pub fn declared(self) -> Vec<Declared> {
        let mut all = Vec::new();
        unsafe {
            let mut at = LLVMGetFirstDbgRecord(self.0);
            while !at.is_null() {
                if LLVMDbgRecordGetKind(at) == LLVMDbgRecordDeclare {
                    let storage = Value::some(LLVMDbgVariableRecordGetValue(at, 0));
                    let variable = Meta::some(LLVMDbgVariableRecordGetVariable(at));
                    let place = Meta::some(LLVMDbgRecordGetDebugLoc(at));
                    let named = storage.zip(variable);
                    all.extend(named.map(|(storage, variable)| Declared { storage, variable, place }));
                }
                at = LLVMGetNextDbgRecord(at);
            }
        }
        all
    }
}

fn byval_kind() -> u32 {
    // SAFETY: a look-up in LLVM's table of attributes.
    unsafe { LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5) }
}

unsafe fn type_attribute(attribute: LLVMAttributeRef) -> Option<Ty> {
    // SAFETY: the attribute, if any, is a `byval`, which carries a type.
    (!attribute.is_null()).then(|| Ty(unsafe { LLVMGetTypeAttributeValue(attribute) }))
}

impl Bb {
    pub fn name(self) -> String {
        // SAFETY: the block is alive.
        unsafe { Value(LLVMBasicBlockAsValue(self.0)).name() }
    }
    pub fn instructions(self) -> Vec<Value> {
        // SAFETY: walks the block's own list.
        unsafe { walk(LLVMGetFirstInstruction(self.0), |value| LLVMGetNextInstruction(value)) }
    }
    pub fn terminator(self) -> Value {
        // SAFETY: a verified module's blocks all have one.
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}
