//! Debug information behind LLVM's C API.

use std::ptr;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::{Context, Meta, Value, borrowed, owned};

// SAFETY of this block: queries on live debug information of the kind that the query is for.
impl Meta {
    pub(crate) fn some(raw: LLVMMetadataRef) -> Option<Meta> {
        (!raw.is_null()).then_some(Meta(raw))
    }
    pub fn line(self) -> u32 {
        unsafe { LLVMDILocationGetLine(self.0) }
    }
    pub fn column(self) -> u32 {
        unsafe { LLVMDILocationGetColumn(self.0) }
    }
    pub fn scope(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMDILocationGetScope(self.0) })
    }
    /// The file of a scope.
    pub fn scope_file(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMDIScopeGetFile(self.0) })
    }
    /// The folder and the path of a file; the path may be absolute all the same.
    pub fn file_name(self) -> (String, String) {
        let (mut folder_len, mut len) = (0, 0);
        unsafe {
            let folder = LLVMDIFileGetDirectory(self.0, &mut folder_len);
            let text = LLVMDIFileGetFilename(self.0, &mut len);
            (borrowed(folder, folder_len as usize), borrowed(text, len as usize))
        }
    }
    pub fn subprogram_line(self) -> u32 {
        unsafe { LLVMDISubprogramGetLine(self.0) }
    }
    pub fn variable_line(self) -> u32 {
        unsafe { LLVMDIVariableGetLine(self.0) }
    }
    pub fn variable_scope(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMDIVariableGetScope(self.0) })
    }
    pub fn is_subprogram(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind)
    }
    pub fn kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }
    /// The scope around a block.
    pub fn enclosing(self, context: &Context) -> Option<Meta> {
        // The operands of a DILexicalBlock and of a DILexicalBlockFile: file, scope.
        self.operands(context).get(1).copied().flatten().and_then(Value::as_meta)
    }
    /// Where a location was inlined, if it was.
    pub fn inlined_at(self) -> Option<Meta> {
        Meta::some(unsafe { LLVMDILocationGetInlinedAt(self.0) })
    }
    /// Line and column of a block, which LLVM's interface in C does not give: they are read from its text.
    pub fn block_position(self, context: &Context) -> Option<(u32, u32)> {
        let text = unsafe { owned(LLVMPrintValueToString(LLVMMetadataAsValue(context.raw, self.0))) };
        let number = |key: &str| {
            let rest = text.split_once(key)?.1;
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
        };
        Some((number(", line: ")?, number(", column: ")?))
    }
    /// The operands of a node, as values (`None` where the node has no operand there).
    pub fn operands(self, context: &Context) -> Vec<Option<Value>> {
        unsafe {
            let node = LLVMMetadataAsValue(context.raw, self.0);
            let count = LLVMGetMDNodeNumOperands(node) as usize;
            let mut raw = vec![ptr::null_mut(); count];
            LLVMGetMDNodeOperands(node, raw.as_mut_ptr());
            raw.into_iter().map(Value::some).collect()
        }
    }
    /// The macros of the file that a function stands in: their names, with parameters, and what they stand for.
    pub fn macros(self, context: &Context) -> Vec<(String, String)> {
        // The operands of a DISubprogram: file, scope, name, linkage name, type, unit; that of a DICompileUnit after seven others: macros.
        let operand = |node: Meta, index: usize| node.operands(context).get(index).copied().flatten();
        let unit = operand(self, 5).and_then(Value::as_meta);
        let mut open: Vec<Meta> = unit.and_then(|unit| operand(unit, 8)).and_then(Value::as_meta).into_iter().collect();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            match node.kind() {
                LLVMMetadataKind::LLVMDIMacroMetadataKind => {
                    let text = |index| operand(node, index).and_then(Value::md_string).unwrap_or_default();
                    found.push((text(0), text(1)));
                }
                // A DIMacroFile: file, macros.
                LLVMMetadataKind::LLVMDIMacroFileMetadataKind => {
                    open.extend(operand(node, 1).and_then(Value::as_meta));
                }
                _ => open.extend(node.operands(context).into_iter().flatten().filter_map(Value::as_meta)),
            }
        }
        found
    }
    pub fn type_offset_in_bits(self) -> u64 {
        // SAFETY: `self` is a type of the debug information.
        unsafe { llvm_sys::debuginfo::LLVMDITypeGetOffsetInBits(self.0) }
    }

    pub fn type_size_in_bits(self) -> u64 {
        // SAFETY: as above.
        unsafe { llvm_sys::debuginfo::LLVMDITypeGetSizeInBits(self.0) }
    }

    pub fn type_name(self) -> String {
        let mut len = 0;
        unsafe {
            let text = LLVMDITypeGetName(self.0, &mut len);
            borrowed(text, len)
        }
    }
}

impl Value {
    /// The text of a metadata string.
    pub fn md_string(self) -> Option<String> {
        let mut len = 0;
        // SAFETY: LLVM answers null for anything but a string.
        unsafe {
            let text = LLVMGetMDString(self.0, &mut len);
            (!text.is_null()).then(|| borrowed(text, len as usize))
        }
    }
    /// The node behind a metadata operand.
    pub fn as_meta(self) -> Option<Meta> {
        // SAFETY: `self` is a metadata operand.
        Meta::some(unsafe { LLVMValueAsMetadata(self.0) })
    }
}

impl Meta {
    /// The DWARF tag of a type.
    pub fn tag(self) -> u16 {
        // SAFETY: `self` is a debug-information node.
        unsafe { LLVMGetDINodeTag(self.0) }
    }
}
